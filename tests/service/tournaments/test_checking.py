"""Whoever has what was published can seat a tournament again, and finds what was changed."""

import json

import msgspec
import pytest
from msgspec.structs import replace

from service.tournaments import checking
from service.tournaments.checking import check
from service.tournaments.listing import tournament_json
from service.tournaments.lots import digest_of
from service.tournaments.rounds import draw_of
from service.tournaments.rules import RoundRules, TournamentRules
from service.tournaments.seating import seat
from service.tournaments.standings import standings
from service.tournaments.tournament import Tournament
from service.tournaments.values import Entrant, SeatResult, TableRecord, TableResult, ToldResult
from tests.service.players import says
from tests.service.tournaments.setting import AL

SEEDS = ("first secret", "second secret")


def played():
    """Eight players and two rounds, the first of which is over."""
    rules = TournamentRules("north", director="d@example.org", rounds=(RoundRules((AL,)),) * 2)
    entries = tuple(Entrant(f"P{n}", n, (f"p{n}@example.org",)) for n in range(8))
    digests = tuple(digest_of("north", n, seed) for n, seed in enumerate(SEEDS, 1))
    made = Tournament(rules, entries, digests)
    for number, seed in enumerate(SEEDS, 1):
        seating = seat(draw_of(made, number, seed))
        made = replace(made, seatings=(*made.seatings, seating))
        if number == 1:
            made = replace(made, records=tuple(_record(table) for table in seating.tables))
    return made


def _record(table):
    seats = tuple(SeatResult(n, p, 1000 - p) for p, n in enumerate(table.seats, 1))
    result = TableResult(1, table.number, f"g{table.number}", table.title, "rules", 9, seats)
    return TableRecord((ToldResult(result, 1),))


def said(made):
    return tournament_json(made, standings(made))


def test_what_was_published_is_enough_to_seat_it_again():
    made = played()
    found = check(said(made))
    assert [one.faults for one in found] == [(), ()]
    assert str(found[0]) == checking.AS_SEEDED.format(round=1, tables=2)
    assert "p1@example.org" not in said(made)


def test_a_later_correction_of_a_result_changes_no_seating():
    made = played()
    [first, *rest] = made.records
    turned = replace(
        first.result, seats=tuple(replace(s, place=5 - s.place) for s in first.result.seats)
    )
    record = first.corrected(turned, 2, "they were read the wrong way round", "Dan")
    assert all(not one.faults for one in check(said(replace(made, records=(record, *rest)))))


def test_aims_of_later_rounds_change_nothing_of_what_was_seated_before():
    made = played()
    later = replace(made, rules=replace(made.rules, aims=("pots", "meetings")))
    assert all(not one.faults for one in check(said(later)))


def changed(*path, value):
    found = json.loads(said(played()))
    at = found
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = value
    return check(json.dumps(found))


@pytest.mark.long
def test_what_was_changed_behind_the_seed_is_found():
    [first, second] = changed("seatings", 0, "seed", value="another")
    assert says(first, checking.OTHER_DIGEST) and says(first, checking.NOT_AS_SEEDED, round=1)
    assert second.faults == ()
    [first, _] = changed("digests", 0, value="0" * 64)
    assert says(first, checking.PUBLISHED_ANOTHER, known="0" * 64)
    names = json.loads(said(played()))["seatings"][0]["tables"][0]["seats"]
    [first, _] = changed("seatings", 0, "tables", 0, "seats", value=names[::-1])
    assert says(first, checking.OTHER_TABLE, table=1, title="18AL", names=", ".join(names))


def test_what_was_changed_for_a_reason_is_told_with_it():
    made = played()
    [first, second] = made.seatings
    one, other, *rest = second.tables
    moved = (replace(one, seats=other.seats), replace(other, seats=one.seats), *rest)
    changed = replace(second, tables=moved, why="the seed is lost")
    [_, found] = check(said(replace(made, seatings=(first, changed))))
    assert says(found, checking.CHANGED_BY_DIRECTOR, round=2, why="the seed is lost")


def test_what_is_no_tournament_is_refused():
    with pytest.raises(msgspec.DecodeError):
        check(b"{}")
    with pytest.raises(msgspec.DecodeError):
        check(b"no JSON")


def test_a_seating_that_was_left_unproved_elsewhere_is_no_fault():
    from service.tournaments import grouping

    grouping.use(lambda question: None)
    try:
        text = said(played())
    finally:
        grouping.use()
    assert '"proved": false' in text
    assert [one.faults for one in check(text)] == [(), ()]
