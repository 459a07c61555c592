"""Seatings: small ones are the best of all that there are, large ones are near their bound."""

import hashlib
import random
import time
from collections import Counter
from functools import cache
from itertools import combinations, permutations

import pytest

from service.refusal import Refused
from service.tournaments import checking, grouping, seating
from service.tournaments.checking import faults_of
from service.tournaments.grouping import Hall, sizes_for
from service.tournaments.lots import digest_of, drawn
from service.tournaments.rules import AIMS, RoundRules, TitleChoice
from service.tournaments.seating import (
    Chair,
    Draw,
    chairs_of,
    cost_of,
    grouped,
    hall_of,
    past_of,
    seat,
    titles_dealt,
)
from service.tournaments.values import PlayerToSeat, RoundTable, Seating
from tests.service.players import says

AL, GA = TitleChoice("18AL"), TitleChoice("18GA", ("two-yellow",))


def players(number, seed=1):
    return tuple(PlayerToSeat(f"P{at:03}", at + 1) for at in range(number))


@cache
def draw(number, rounds=0, rules=None, seed="5eed", aims=AIMS, luck=1):
    """A round to be seated after others that were."""
    rules = rules or RoundRules((AL, GA))
    before, past = players(number, luck), past_of(())
    seatings = []
    for round_ in range(1, rounds + 1):
        made = seat(Draw("north", round_, before, rules, aims, past, f"{seed} {round_}"))
        seatings.append(made)
        past = past_of(seatings)
    return Draw("north", rounds + 1, before, rules, aims, past, f"{seed} {rounds + 1}")


# every way to seat a few, worked out without the code that is tested


def partitions(names, sizes):
    """All ways to part names into groups of these sizes, each once."""
    if not names:
        yield ()
        return
    for size in sorted(set(sizes)):
        rest_sizes = list(sizes)
        rest_sizes.remove(size)
        for others in combinations(names[1:], size - 1):
            group = (names[0], *others)
            rest = tuple(name for name in names if name not in group)
            for more in partitions(rest, tuple(rest_sizes)):
                yield (group, *more)


def plain_cost(seated, groups, given):
    """The aims as docs/tournaments-seating.md tells them, in plain arithmetic."""
    order = [one.name for one in seated]
    sizes = sorted(map(len, groups), reverse=True)
    pots, at = {}, 0
    for pot in range(max(sizes)):
        for _ in range(sum(size > pot for size in sizes)):
            pots[order[at]] = pot
            at += 1
    meetings = same = 0
    for group in groups:
        for one, other in combinations(group, 2):
            meetings += given.past.met.get(tuple(sorted((one, other))), 0)
            same += pots[one] == pots[other]
    each = {"meetings": meetings, "pots": same}
    return tuple(each[aim] for aim in given.aims)


def plain_lots(groups, seed):
    """The sums of the lots of all groups: of their last 16 bits, then of the 16 before."""
    sums = [0, 0]
    for group in groups:
        text = f"{seed}\ngroup\n{' '.join(sorted(group))}"
        last = hashlib.sha256(text.encode()).digest()[-4:]
        sums[0] += int.from_bytes(last[2:], "big")
        sums[1] += int.from_bytes(last[:2], "big")
    return sums


SMALL = [
    (number, rounds, aims, luck)
    for luck, (number, rounds) in enumerate(
        [(6, 0), (6, 2), (7, 1), (8, 0), (8, 3), (9, 1), (9, 4)]
    )
    for aims in (AIMS, ("pots", "meetings"), ("pots",))
]


@pytest.mark.parametrize(("number", "rounds", "aims", "luck"), SMALL)
@pytest.mark.parametrize("sizes", [(4, 3, 5), pytest.param((3, 2, 4), marks=pytest.mark.long)])
def test_a_small_seating_is_the_best_of_all_there_are(number, rounds, aims, luck, sizes):
    given = draw(number, rounds, RoundRules((AL,), sizes), aims=aims, luck=luck)
    hall, byes = hall_of(given)
    assert not byes
    made = seat(given)
    assert all(aim.proved for aim in made.aims)
    groups = [table.seats for table in made.tables]
    every = {
        parts: plain_cost(hall.players, parts, given)
        for parts in partitions(tuple(one.name for one in hall.players), hall.sizes)
    }
    best = min(every.values())
    assert tuple(aim.found for aim in made.aims) == best == plain_cost(hall.players, groups, given)
    equal = [parts for parts, cost in every.items() if cost == best]
    first = min(equal, key=lambda parts: plain_lots(parts, given.seed))
    assert {frozenset(group) for group in groups} == {frozenset(group) for group in first}


def test_equal_seatings_are_told_apart_by_lot_and_only_by_it():
    alike = tuple(PlayerToSeat(f"P{n}", 1) for n in range(8))
    rules, past = RoundRules((AL,)), past_of(())
    found = {
        frozenset(
            frozenset(t.seats) for t in seat(Draw("n", 1, alike, rules, AIMS, past, s)).tables
        )
        for s in map(str, range(12))
    }
    assert len(found) > 4
    for order in (alike, alike[::-1]):
        assert seat(Draw("n", 1, order, rules, AIMS, past, "x")) == seat(
            Draw("n", 1, alike, rules, AIMS, past, "x")
        )


def test_nobody_meets_twice_while_it_can_be_avoided():
    given = draw(16, 2)
    assert given.past.met and max(given.past.met.values()) == 1
    assert seat(given).aims[0].found == 0


def test_who_must_meet_again_meets_as_seldom_as_can_be():
    made = seat(draw(8, 3))
    assert made.aims[0].found >= 4 and made.aims[0].proved


@pytest.mark.parametrize(
    "number",
    [pytest.param(23, marks=pytest.mark.long), 47, pytest.param(100, marks=pytest.mark.long)],
)
def test_larger_fields_reach_their_bounds(number):
    given = draw(number, 1)
    made = seat(given)
    hall, _ = hall_of(given)
    groups = [table.seats for table in made.tables]
    cost = plain_cost(hall.players, groups, given)
    assert tuple(aim.found for aim in made.aims) == cost
    assert all(aim.least <= aim.found for aim in made.aims)
    assert [aim.found for aim in made.aims] == [0, 0]
    assert sorted(name for group in groups for name in group) == sorted(
        one.name for one in given.players
    )
    assert number > 50 or seat(given) == made


@pytest.mark.long
@pytest.mark.parametrize(("number", "rounds"), [(1000, 0), (1000, 2), (999, 1)])
def test_a_thousand_are_seated_in_less_than_a_minute_and_told_how_near_it_is(number, rounds):
    given = draw(number, rounds)
    began = time.process_time()
    made = seat(given)
    assert time.process_time() - began < 60
    hall, _ = hall_of(given)
    groups = [table.seats for table in made.tables]
    assert tuple(aim.found for aim in made.aims) == plain_cost(hall.players, groups, given)
    # what can nearly always be is: nobody meets again, and no table has two of the leaders
    assert [(aim.found, aim.least, aim.proved) for aim in made.aims] == [(0, 0, True)] * 2
    assert {len(group) for group in groups} <= {3, 4, 5} and sum(map(len, groups)) == number


def test_no_single_exchange_makes_a_large_seating_better():
    given = draw(48)
    hall, _ = hall_of(given)
    groups, _ = grouped(hall, given.seed)
    now = hall.total(groups)
    luck = random.Random(3)
    for _ in range(300):
        one, other = luck.sample(range(len(groups)), 2)
        a, b = luck.choice(groups[one]), luck.choice(groups[other])
        turned = [tuple({a: b, b: a}.get(x, x) for x in group) for group in groups]
        assert hall.total(turned) >= now


def test_a_field_that_is_too_large_is_not_proved_but_bounded(monkeypatch):
    given = draw(16)
    proved = seat(given)
    monkeypatch.setattr(grouping, "MOST_GROUPS", 10)
    found = seat(given)
    assert [aim.found for aim in found.aims] >= [aim.found for aim in proved.aims]
    assert all(a.least <= p.found for a, p in zip(found.aims, proved.aims, strict=True))


@pytest.mark.parametrize(
    ("number", "wanted", "sizes", "out"),
    [
        (8, (4, 3, 5), (4, 4), 0), (9, (4, 3, 5), (5, 4), 0), (10, (4, 3, 5), (4, 3, 3), 0),
        (6, (4, 3, 5), (3, 3), 0), (5, (4, 3, 5), (5,), 0), (5, (4, 3), (4,), 1),
        (11, (4,), (4, 4), 3), (2, (4, 3), (), 2), (3, (4, 3), (3,), 0),
        (1000, (4, 3, 5), (4,) * 250, 0), (1001, (4, 3, 5), (5, *[4] * 249), 0),
        (7, (5, 4, 3), (4, 3), 0),
    ],
)  # fmt: skip
def test_numbers_that_do_not_divide(number, wanted, sizes, out):
    assert sizes_for(number, wanted) == (sizes, out)


def test_sizes_are_the_best_of_all_by_their_rule():
    for number in range(3, 40):
        for wanted in ((4, 3, 5), (5, 3), (3, 4)):
            sizes, out = sizes_for(number, wanted)
            assert sum(sizes) + out == number
            every = [
                counts for total in range(number + 1) for counts in _mixes(total, wanted) if total
            ]
            rank = min(
                (number - sum(c), sum(s != wanted[0] for s in c), sum(map(wanted.index, c)))
                for c in every
            )
            mine = (out, sum(s != wanted[0] for s in sizes), sum(map(wanted.index, sizes)))
            assert mine == rank


def _mixes(total, wanted):
    if total == 0:
        yield ()
    elif wanted:
        size, *rest = wanted
        for many in range(total // size + 1):
            for more in _mixes(total - many * size, rest):
                yield (*[size] * many, *more)


def test_byes_go_to_the_last_who_had_none():
    rules = RoundRules((AL,), (4,))
    given = Draw("n", 1, players(9), rules, AIMS, past_of(()), "s")
    assert hall_of(given)[1] == ("P008",)
    past = past_of((Seating(1, (), byes=("P008",)),))
    assert hall_of(Draw("n", 2, players(9), rules, AIMS, past, "s"))[1] == ("P007",)
    with pytest.raises(Refused) as why:
        seat(Draw("n", 1, players(2), RoundRules((AL,), (4,)), AIMS, past_of(()), "s"))
    assert says(why.value, seating.NO_TABLE, players=2, fewest=4)


def test_seats_of_a_table_are_the_best_of_all_orders():
    luck = random.Random(5)
    for _ in range(20):
        names = [f"P{n}" for n in range(luck.randint(2, 5))]
        earlier = {
            name: [Chair(luck.randint(1, 4), 4) for _ in range(luck.randint(0, 4))]
            for name in names
        }
        order = chairs_of(names, earlier, "s")
        assert cost_of(order, earlier) == min(cost_of(o, earlier) for o in permutations(names))


def test_over_four_rounds_of_four_everybody_sits_everywhere_nearly_always():
    given = draw(8, 4)
    had = Counter(len({chair.number for chair in chairs}) for chairs in given.past.chairs.values())
    assert had[4] >= 5 and not had[1]


def test_titles_are_dealt_in_equal_numbers_and_as_new_as_can_be():
    tables = [("A", "B"), ("C", "D"), ("E", "F"), ("G", "H"), ("I", "J")]
    played = {"A": ["18AL"], "C": ["18AL"], "E": ["18GA"], "G": ["18GA"]}
    found = titles_dealt(tables, (AL, GA), played, "s")
    assert found[:4] == (GA, GA, AL, AL)
    assert {titles_dealt(tables, (AL, GA), played, str(n))[4] for n in range(12)} == {AL, GA}
    forced = titles_dealt(tables[:2], (AL, GA), played, "s")
    assert sorted(map(str, forced)) == sorted(map(str, (AL, GA)))
    assert titles_dealt(tables, (AL,), played, "s") == (AL,) * 5


@pytest.mark.long
def test_anybody_can_check_a_seating_from_its_hash():
    given = draw(12, 1)
    made = seat(given)
    assert made.digest == digest_of("north", 2, given.seed) and faults_of(made, given) == ()
    assert made.digest == hashlib.sha256(f"north\n2\n{given.seed}".encode()).hexdigest()
    other = Draw(**{**given.__dict__, "seed": "another"})
    assert says(faults_of(made, other)[0], checking.OTHER_DIGEST)
    first, second, *rest = made.tables
    swapped = RoundTable(2, 1, first.title, (second.seats[0], *first.seats[1:]))
    forged = Seating(
        **{
            **{f: getattr(made, f) for f in made.__struct_fields__},
            "tables": (swapped, second, *rest),
        }
    )
    assert says(faults_of(forged, given)[0], checking.OTHER_TABLE, table=1, title=first.title)


def test_lots_are_drawn_as_the_docs_say():
    names = ["Ann", "Bob", "Cat"]
    order = sorted(names, key=lambda n: hashlib.sha256(f"s\nx\n{n}".encode()).hexdigest())
    assert list(drawn("s", "x", names)) == order


@pytest.mark.long
def test_the_hall_tells_a_bound_that_no_seating_beats():
    for luck in range(2):
        given = draw(9, 2, luck=luck)
        hall, _ = hall_of(given)
        proved = [aim.found for aim in seat(given).aims]
        least = hall.least(proved)
        assert all(bound <= found for bound, found in zip(least, proved, strict=True))
    assert isinstance(hall, Hall)
