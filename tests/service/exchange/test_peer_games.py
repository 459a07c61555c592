"""Real games of 18xx.games come out the same here, position by position."""

import gzip
import json

import pytest

from engine.flow import replay as replayed
from service.exchange.dialect import DIALECTS
from service.exchange.kinds.trains import EARNS
from service.exchange.trace import Scribe, difference, read_trace
from service.exchange.verify import ExportedGame, read_game, replay, verify
from tests.need import peer_games

GAMES = {
    "18AL_1446": {"Player 2": 4120, "Player 4": 4057, "Player 3": 3487, "Player 1": 3362},
    "18AL_144868": {"Player 3": 850, "Player 2": 824, "Player 1": 768},
    "18GA_9487": {"Player 3": 5032, "Player 1": 4500, "Player 4": 4049, "Player 2": 3673},
    "18GA_212247b": {"Player 2": 2589, "Player 1": 1704, "Player 3": 530},
    "18TN_7818": {"Player 2": 5615, "Player 1": 5368, "Player 4": 4355, "Player 3": 4354},
}

pytestmark = [pytest.mark.peer, pytest.mark.long]


def files(name):
    folder = peer_games()
    return folder / f"{name}.json", folder / f"{name}.trace.jsonl.gz"


@pytest.mark.parametrize("name", GAMES)
def test_every_position_agrees(name):
    seen = []
    verdict = verify(*files(name), progress=lambda done, total: seen.append((done, total)))
    assert verdict.first_difference is None
    assert verdict.agrees
    assert verdict.result == GAMES[name] == verdict.expected
    assert seen[-1] == (verdict.actions, verdict.actions)
    assert json.loads(verdict.to_json())["variants"] == ["18xx.games"]


@pytest.mark.parametrize("name", GAMES)
def test_our_actions_alone_lead_to_the_same_end(name):
    game = read_game(files(name)[0])
    state, actions = replay(game)
    *_, last = replayed(game.title, game.course().state, actions)
    assert last.state.cash == state.cash
    assert last.state.tokens == state.tokens
    assert last.state.shares == state.shares


@pytest.mark.parametrize(
    ("name", "step"),
    [
        ("18AL_1446", 9),
        ("18AL_144868", 1),
        ("18GA_9487", 11),
        ("18GA_212247b", 7),
        ("18TN_7818", 12),
    ],
)
def test_a_game_that_goes_on_stands_where_it_stands_there(name, step):
    """However far a game has come, undone actions included, no later action is needed to tell."""
    path, trace = files(name)
    exported = {**json.loads(path.read_text()), "status": "active"}
    dialect = DIALECTS[exported["title"]]
    expected = {line.action: line for line in read_trace(trace, dialect)}
    compared = 0
    for count in range(1, len(exported["actions"]), step):
        game = ExportedGame({**exported, "actions": exported["actions"][:count]})
        state, _ = replay(game)
        there = expected.get(game.lines[-1].id)
        if there is not None:
            compared += 1
            assert difference(there, Scribe(game.title, game.dialect).line(state)) is None
    assert compared > 40


def changed(tmp_path, number, change):
    """The trace of a game with one line changed."""
    with gzip.open(files("18AL_1446")[1]) as file:
        lines = [json.loads(line) for line in file]
    change(lines[number])
    path = tmp_path / "trace.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


CHANGES = {
    "bank": (100, lambda line: line.update(bank=1)),
    "round": (21, lambda line: line.update(round="OR1.2")),
    "next": (107, lambda line: line.update(next="ABC")),
    "priority": (0, lambda line: line.update(priority="Player 3")),
    "depot": (300, lambda line: line.update(depot="7")),
    "tiles.P1": (50, lambda line: line["tiles"].update(P1="8/2")),
    "players.Player 2.shares.L&N": (
        10,
        lambda line: line["players"]["Player 2"]["shares"].update({"L&N": 40}),
    ),
    "corporations.M&O.cell": (200, lambda line: line["corporations"]["M&O"].update(cell=[0, 1])),
    "corporations.ABC.stations": (
        130,
        lambda line: line["corporations"]["ABC"].update(stations=["G6"]),
    ),
    "finished": (444, lambda line: line.update(finished=True)),
}


@pytest.mark.parametrize("field", CHANGES)
def test_a_difference_is_found_where_it_is(tmp_path, field):
    number, change = CHANGES[field]
    verdict = verify(files("18AL_1446")[0], changed(tmp_path, number, change))
    assert not verdict.agrees
    assert verdict.first_difference.what == field
    assert verdict.first_difference.action == (number or None)


def test_a_revenue_that_differs_is_found(tmp_path):
    path = files("18AL_144868")[0]
    text = path.read_text()
    wrong = tmp_path / "game.json"
    wrong.write_text(
        text.replace('"revenue": 40', '"revenue": 50').replace('"revenue":40', '"revenue":50')
    )
    verdict = verify(wrong)
    assert verdict.first_difference.action == 37
    assert verdict.first_difference.what == EARNS.format(train="2-1", ours=40, theirs=50)
