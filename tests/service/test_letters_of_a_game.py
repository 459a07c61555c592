"""How many letters a whole game brings to each player who plans ahead, by the recorded 18AL game."""

from collections import Counter

import pytest

import engine
from engine.notation import parse, split, write
from service.demo.plans import planned
from service.demo.troupe import mails_of
from service.practice.script import Turn, read, recorded
from tests.service.house import SECRET, address, game_name, opened, to

SCRIPT = read(recorded("18al"))


def test_a_planned_game_has_every_line_of_the_record_and_slips_where_they_were():
    plan = planned(SCRIPT)
    slips = [line.text[0] for line in plan if line.refused]
    written = [t.text for t in SCRIPT.lines if isinstance(t, Turn) and t.refused]
    assert sorted(slips) == sorted(written)
    assert len(plan) < len(mails_of(SCRIPT)) / 2


def written():
    """Who did what in the record, in canonical words."""
    title = engine.load_title("18AL")
    state = engine.new_game(title, SCRIPT.players, SCRIPT.seed).state
    for line in SCRIPT.lines:
        if not isinstance(line, Turn) or line.refused:
            continue
        for command in split(line.text):
            action = parse(title, state, line.seat, command)
            yield line.seat, write(title, state, action)
            state = engine.apply(title, state, action).state


@pytest.mark.long
def test_the_recorded_game_needs_at_most_ninety_letters_a_player(tmp_path):
    players = opened(f"sqlite:///{tmp_path}/waybill.sqlite", digest="daily 07:00")
    game = game_name(SECRET, SCRIPT.players)
    players.begin(SCRIPT.players, game)
    for line in planned(SCRIPT):
        letters = players.write(line.seat, *line.text, game=game)
        [receipt] = [one for one in letters if one.kind == "receipt"]
        assert receipt.to == address(line.seat)
        assert ("NOT DONE" in receipt.subject) == line.refused, (line, receipt.text)
        for name in SCRIPT.players:
            kinds = [kind for kind in to(letters, name) if kind != "receipt"]
            assert len(kinds) <= 1, (name, kinds)
    table = players.table(game)
    assert table.row.status == "ended"
    with players.store.transaction() as tx:
        played = [(row.seat, row.text) for row in tx.actions(table.row.id, 0)]
    assert played == list(written())
    counts = Counter(letter.to for letter in players.letters)
    by_kind = Counter((letter.to, letter.kind) for letter in players.letters)
    assert max(counts.values()) <= 90, (counts, by_kind)
    players.store.close()
