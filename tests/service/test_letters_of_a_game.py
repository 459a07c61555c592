"""How many letters a whole game brings to each player who plans ahead, by the recorded games."""

from collections import Counter

import pytest

import engine
from engine.notation import parse, split, write
from service.workshop.demo.plans import planned
from service.workshop.demo.troupe import mails_of
from service.workshop.practice.script import ScriptTurn, read, recorded, recorded_names
from tests.service.players import SECRET, address, game_name, opened, to

SCRIPTS = {name: read(recorded(name)) for name in recorded_names()}
SCRIPT = SCRIPTS["18al"]
#: letters that no player of a recorded game gets more of
MOST = {"18al": 90, "18ga": 100, "18tn": 80, "18gl": 200, "18mw": 130}


@pytest.mark.long
def test_a_planned_game_has_every_line_of_the_record_and_slips_where_they_were():
    plan = planned(SCRIPT)
    slips = [line.text[0] for line in plan if line.refused]
    written = [t.text for t in SCRIPT.lines if isinstance(t, ScriptTurn) and t.refused]
    assert sorted(slips) == sorted(written)
    assert len(plan) < len(mails_of(SCRIPT)) / 2


def written(script):
    """Who did what in the record, in canonical words."""
    title = engine.load_title(script.title, frozenset(script.variants))
    state = engine.new_game(title, script.players, script.seed).state
    for line in script.lines:
        if not isinstance(line, ScriptTurn) or line.refused:
            continue
        for command in split(line.text):
            action = parse(title, state, line.seat, command)
            yield line.seat, write(title, state, action)
            state = engine.apply(title, state, action).state


@pytest.mark.long
@pytest.mark.parametrize("name", SCRIPTS)
def test_a_recorded_game_goes_by_plans_and_needs_few_letters(tmp_path, name):
    script = SCRIPTS[name]
    players = opened(f"sqlite:///{tmp_path}/waybill.sqlite", digest="daily 07:00")
    title = engine.load_title(script.title, frozenset(script.variants))
    game = game_name(SECRET, script.players, title=title)
    players.begin(script.players, game, script.title)
    for line in planned(script):
        letters = players.write(line.seat, *line.text, game=game)
        [receipt] = [one for one in letters if one.kind == "receipt"]
        assert receipt.to == address(line.seat)
        assert ("NOT DONE" in receipt.subject) == line.refused, (line, receipt.text)
        for player in script.players:
            kinds = [kind for kind in to(letters, player) if kind != "receipt"]
            assert len(kinds) <= 1, (player, kinds)
    table = players.table(game)
    assert table.row.status == "ended"
    with players.store.transaction() as tx:
        played = [(row.seat, row.text) for row in tx.log.actions(table.row.id, 0)]
    assert played == list(written(script))
    counts = Counter(letter.to for letter in players.letters)
    by_kind = Counter((letter.to, letter.kind) for letter in players.letters)
    assert max(counts.values()) <= MOST[name], (counts, by_kind)
    players.store.close()
