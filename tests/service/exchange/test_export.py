"""Games of ours that 18xx.games can import: each comes back as the game it was."""

import json
from collections import Counter

import pytest
from msgspec.structs import replace

from engine.actions import (
    BuyTrain,
    Decline,
    DiscardTrain,
    Insist,
    NameTrain,
    Pass,
    PlaceMark,
    Run,
    TradePrivate,
)
from engine.position.values import OFFERING
from service.exchange.export import export
from service.exchange.kinds.trains import joined
from service.exchange.translator import seats_of
from service.exchange.verify import ExportedGame, compare, read_game, replay
from tests import games
from tests.need import peer_games

#: whole games
pytestmark = pytest.mark.long

RULES = ("decatur-home", "endless-4d", "no-last-run", "two-yellow")
#: games of 18AL, and of other titles
SAMPLE = games.names("exchange/18al-*")
RELATIVES = [name for name in games.names("exchange/*") if name not in SAMPLE]
#: those that stand for the others of their kind in `make test`
SHORT = (
    "18al-bankrupt",
    "18al-price",
    "18al-sensible-options",
    "18ga-sensible",
    "18ga-free-train",
    "18ga-two-privates",
    "18tn-three-yellow",
)


def some_long(names):
    """Games as parameters, but for some marked as long."""
    marks = [() if name.split("/")[1] in SHORT else (pytest.mark.long,) for name in names]
    return [pytest.param(name, marks=mark) for name, mark in zip(names, marks, strict=True)]


def exported(game):
    return export(game.title, game.states[0].seats, enumerate(game.actions, 1), "x")


def back(found):
    """A file's game by the importer, from its text."""
    return ExportedGame(json.loads(json.dumps(found)))


def same_end(one, other):
    """Whether two positions are alike but for who insists, numbers and orders without meaning."""
    plain = {"number": 0, "insist": ()}
    trains = [
        {owner: sorted(lie) for owner, lie in s.trains.items() if owner != OFFERING and lie}
        for s in (one, other)
    ]
    assert trains[0] == trains[1]
    marks = [sorted(m.hex for m in s.marks) for s in (one, other)]
    assert marks[0] == marks[1]
    assert one.trains[OFFERING] == other.trains[OFFERING]
    spent = tuple(sorted(one.spent))
    assert spent == tuple(sorted(other.spent))
    fields = [replace(s, trains={}, marks=(), spent=spent, **plain) for s in (one, other)]
    assert fields[0] == fields[1]


def counted(actions):
    """What remains of a game there: no consents, no names; passes and turns' ends aside."""
    kept = []
    for action in actions:
        if isinstance(action, Decline):
            last = next(
                n
                for n in range(len(kept) - 1, -1, -1)
                if isinstance(kept[n], TradePrivate | BuyTrain)
            )
            del kept[last]
        elif not isinstance(action, Insist | NameTrain | Pass | Run | PlaceMark | DiscardTrain):
            kept.append(action)
    return kept


@pytest.mark.parametrize("name", some_long(SAMPLE))
def test_a_game_of_bots_comes_back_as_it_was(name):
    game = games.game(name)
    found = back(exported(game))
    assert found.variants == tuple(sorted(game.title.variants))
    assert compare(found).agrees
    state, actions = replay(found)
    assert counted(actions) == counted(game.actions)
    discards = [
        Counter(a for a in done if isinstance(a, DiscardTrain)) for done in (actions, game.actions)
    ]
    assert discards[0] == discards[1]
    explicit = Counter(a for a in game.actions if isinstance(a, Run))
    assert explicit <= Counter(a for a in actions if isinstance(a, Run))
    same_end(state, game.final)


@pytest.mark.parametrize("name", some_long(RELATIVES))
def test_a_game_of_another_title_comes_back_as_it_was(name):
    game = games.game(name)
    found = back(exported(game))
    assert (found.name, found.variants) == (game.title.name, tuple(sorted(game.title.variants)))
    assert compare(found).agrees
    same_end(replay(found)[0], game.final)


@pytest.mark.parametrize(
    "name",
    some_long(
        [
            "exchange/18al-bankrupt",
            "exchange/18al-bank",
            "exchange/18ga-bankrupt",
            "exchange/18tn-three-yellow",
        ]
    ),
)
def test_a_game_that_goes_on_is_the_beginning_of_the_whole(name):
    game = games.game(name)
    whole = exported(game)
    for count in range(0, len(game.actions), len(game.actions) // 6):
        numbered = enumerate(game.actions[:count], 1)
        found = export(game.title, game.states[0].seats, numbered, "x")
        assert found["status"] == "active"
        assert found.keys() & {"result", "game_end_reason", "manually_ended"} == set()
        assert found["actions"] == whole["actions"][: len(found["actions"])]
        assert replay(back(found))[0].stack


def test_the_sample_has_every_kind_of_end_all_optional_rules_and_discards():
    sample = [games.game(name) for name in SAMPLE]
    assert {game.final.ending.cause for game in sample} == {"bank", "price", "bankruptcy"}
    for name in ("options-price", "options-bankrupt", "sensible-options"):
        assert games.game(f"exchange/18al-{name}").title.variants == {"18xx.games", *RULES}
    assert any(isinstance(action, DiscardTrain) for game in sample for action in game.actions)
    ended = [g for g in map(games.game, RELATIVES) if g.final.ending]
    relatives = {(g.title.name, g.final.ending.cause) for g in ended}
    assert {title for title, _ in relatives} == {"18GA", "18TN"}
    assert {cause for _, cause in relatives} == {"bank", "price", "bankruptcy"}


def written(name):
    """A real game, and its import exported again."""
    path = peer_games() / f"{name}.json"
    game = read_game(path)
    state, actions = replay(game)
    stopped = state.ending.cause == "agreement"
    return game, export(game.title, game.seats, enumerate(actions, 1), name, stopped)


def route_of(raw):
    return joined(raw["connections"])[0]


def essence(raw, path, player):
    """What an action says, without the names of pieces that are alike."""
    dropped = ("id", "created_at", "original_id", "user", "tokener", "variant", "auto_actions")
    # of circles that are free any may be named
    dropped += ("slot", "subsidy")
    found = {key: value for key, value in raw.items() if key not in (*dropped, "extra_revenue")}
    found.pop("percent", None)
    if raw["entity_type"] == "player":
        found["entity"] = player(raw["entity"])
    if "tile" in found:
        found["tile"] = found["tile"].rpartition("-")[0]
    if "city" in found:
        tile, _, city = found["city"].rpartition("-")
        found["city"] = (tile.rpartition("-")[0], city)
    if "routes" in found:
        runs = [path(r) for r in raw["routes"] if r.get("connections")]
        types = sorted(r["train"].rpartition("-")[0] for r in raw["routes"])
        found["routes"] = (types, sorted(min(run, run[::-1]) for run in runs))
    return json.dumps(found, sort_keys=True)


@pytest.mark.peer
@pytest.mark.parametrize("name", ["18AL_1446", "18AL_144868", "18GA_9487", "18TN_7818"])
def test_a_real_game_that_was_imported_is_exported_as_it_was(name):
    game, again = written(name)
    players = seats_of(game.players)
    seats = {player["id"]: player["name"] for player in again["players"]}
    theirs = [
        essence(deed.raw, route_of, players.get) for line in game.lines for deed in line.deeds
    ]
    ours = [essence(raw, route_of, seats.__getitem__) for raw in again["actions"]]
    assert Counter(ours) == Counter(theirs)
    # a pass may stand on either side of what may be done at any time
    loose = ('"pass"', '"buy_company"', '"assign"')
    assert [a for a in ours if not any(word in a for word in loose)] == [
        a for a in theirs if not any(word in a for word in loose)
    ]
    assert game.ended in ("", again["game_end_reason"])
    by_name = {seats[int(who)]: total for who, total in again["result"].items()}
    assert by_name == game.expected


@pytest.mark.peer
@pytest.mark.parametrize("name", ["18AL_1446", "18GA_9487", "18TN_7818"])
def test_certificates_and_trains_of_a_real_game_have_the_ids_they_had(name):
    game, again = written(name)
    for kind, key in (("buy_shares", "shares"), ("sell_shares", "shares"), ("buy_train", "train")):
        theirs = [d.raw[key] for line in game.lines for d in line.deeds if d.type == kind]
        assert [raw[key] for raw in again["actions"] if raw["type"] == kind] == theirs


@pytest.mark.peer
def test_before_a_real_bankruptcy_all_is_sold_in_so_many_words():
    """The site sells a bankrupt's shares by itself; here each sale is an action."""
    game, again = written("18GA_212247b")
    theirs = Counter(deed.type for line in game.lines for deed in line.deeds)
    ours = Counter(raw["type"] for raw in again["actions"])
    assert ours - theirs == {"sell_shares": 1}
    assert not theirs - ours
    assert compare(back(again)).agrees
