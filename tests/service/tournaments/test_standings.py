"""Standings: totals, ties, byes, eliminations, and that each figure leads back to a game."""

import json
import random

import pytest
from msgspec.structs import replace

from service.tournaments import listing
from service.tournaments.listing import (
    standings_text,
    struck_text,
    tournament_json,
)
from service.tournaments.rounds import draw_of, field_of
from service.tournaments.rules import RoundRules, Scoring
from service.tournaments.scoring import SHARE
from service.tournaments.seating import seat as seat_round
from service.tournaments.standings import (
    BEST_ROUNDS,
    BY_LOT,
    BYE_AVERAGE,
    standings,
)
from service.tournaments.tournament import Tournament
from service.tournaments.values import Entrant
from tests.service.players import says
from tests.service.tournaments.setting import AL, result_of, seat, tournament, without

TWO = (
    result_of(900, 700, 100),
    result_of(800, 700, 600, table=2, names=("Dan", "Eve", "Fay")),
    result_of(500, 400, 300, round_=2, names=("Bob", "Ann", "Dan")),
    result_of(500, 400, 300, round_=2, table=2, names=("Fay", "Eve", "Cat")),
)


def places(found):
    return [(row.place, row.name, str(row.total)) for row in found.rows]


def test_totals_and_tie_breaks_place_the_players():
    found = standings(tournament(*TWO, scoring=Scoring(breaks=("wins", "meetings", "share"))))
    assert places(found) == [
        (1, "Ann", "150"), (2, "Bob", "150"), (3, "Dan", "100"), (4, "Fay", "100"),
        (5, "Eve", "100"), (6, "Cat", "0"),
    ]  # fmt: skip
    bob = found.row("bob")
    assert [(how, str(figure)) for how, figure in bob.breaks] == [
        ("wins", "1"), ("meetings", "0"), ("share", "248.53"),
    ]  # fmt: skip
    assert found.row("Cat").breaks == ()


def test_equal_players_stay_equal_without_a_break_and_share_a_place():
    found = standings(tournament(*TWO, scoring=Scoring(breaks=())))
    assert [row.place for row in found.rows] == [1, 1, 3, 3, 3, 6]
    text = standings_text(found)
    assert text.splitlines()[:3] == [
        "Place Player Total Round 1 Round 2",
        "    1 Ann      150 100 1st  50 2nd",
        "    1 Bob      150  50 2nd 100 1st",
    ]


def test_what_a_lot_has_decided_is_told_with_its_seed():
    drawn = standings(tournament(*TWO, scoring=Scoring(breaks=("lot",))))
    told = listing.lots_told(drawn)
    assert told
    for text in told:
        assert says(text, listing.BY_LOT, how=BY_LOT.format(round=2))
    places = {row.name: row.place for row in drawn.rows}
    names = [name for name in places if name in told[0]]
    assert [places[name] for name in names] == sorted(places[name] for name in names)
    assert listing.lots_told(standings(tournament(*TWO, scoring=Scoring(breaks=())))) == []


def test_why_a_seat_has_scored_nothing_is_told():
    result = result_of(900, 300, 0)
    last = result.seats[-1].seat
    [told] = listing.reasons(tournament(result, scoring=Scoring(score="share")), result)
    how = SHARE.format(worth=0, total=1200, seats=3)
    assert says(told, listing.SCORES_NOTHING, name=last, how=how)
    assert listing.reasons(tournament(result), result) == [], "the table tells its place"


def test_lots_come_from_the_seed_and_from_nothing_else():
    one = tournament(*TWO, scoring=Scoring(breaks=("lot",)))
    order = [row.name for row in standings(one).rows]
    seen = set()
    for number in range(8):
        seatings = tuple(replace(s, seed=f"{s.seed}{number}") for s in one.seatings)
        seen.add(tuple(row.name for row in standings(replace(one, seatings=seatings)).rows))
    assert len(seen) > 1 and sorted(order) == sorted(next(iter(seen)))
    assert [row.place for row in standings(one).rows] == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(("how", "first"), [("best", "Ann"), ("share", None)])
def test_each_tie_break_sees_what_it_is_named_after(how, first):
    results = (
        result_of(900, 500, 100), result_of(800, 100, 700, round_=2, names=("Cat", "Ann", "Bob")),
        result_of(600, 550, 500, round_=3, names=("Ann", "Bob", "Cat")),
    )  # fmt: skip
    found = standings(tournament(*results, scoring=Scoring(breaks=(how,))))
    if first:
        assert found.rows[0].name == first


def test_the_best_rounds_count():
    scoring = Scoring(best=1, breaks=())
    found = standings(tournament(*TWO, scoring=scoring))
    assert str(found.row("Ann").total) == "100" and found.row(
        "Ann"
    ).total.how == BEST_ROUNDS.format(best=1, rounds=2)
    assert [cell.counts for cell in found.row("Ann").cells] == [True, False]
    assert "(50 2nd)" in standings_text(found)
    assert says(standings_text(found), listing.IN_BRACKETS)


def test_a_bye_gives_the_average_of_the_other_rounds():
    results = (TWO[0], result_of(500, 400, 300, round_=2, names=("Ann", "Cat", "Dan")))
    found = standings(tournament(*results, byes=[(2, "Bob")]))
    cell = found.row("Bob").cell(2)
    how = BYE_AVERAGE.format(rounds=1)
    assert (str(cell.figure), cell.table, cell.figure.how) == ("50", 0, how)


def test_who_sat_out_the_first_round_has_no_average_yet():
    found = standings(tournament(TWO[0], byes=[(1, "Zoe")]))
    assert found.row("Zoe").cells == () and str(found.row("Zoe").total) == "0"


def test_a_standby_who_takes_a_seat_has_its_score_and_nobody_has_two():
    taken = replace(result_of(900, 700, 100), seats=(
        seat("Ann", 1, 900, players=("Ann", "Zoe")), seat("Bob", 2, 700),
        seat("Cat", 3, 100, players=("Cat", "Bob")),
    ))  # fmt: skip
    found = standings(
        tournament(
            taken, entries=(Entrant("Zoe", state="standby"), Entrant("Ann", state="withdrawn"))
        )
    )
    assert str(found.row("Zoe").total) == "100" and found.row("Zoe").standby
    assert found.row("Ann").cells == () and found.row("Ann").withdrawn
    assert str(found.row("Bob").total) == "50"
    text = standings_text(found)
    assert says(text, listing.STANDBY, name="Zoe") and says(text, listing.WITHDRAWN, name="Ann")


def test_boards_that_still_play_are_named():
    found = standings(without(tournament(*TWO), 2, 2))
    assert found.playing == ((2, 2),) and found.row("Cat").cell(2) is None
    assert says(standings_text(found), listing.STILL_PLAYING, tables="2.2")
    assert standings(without(tournament(*TWO), 2, 2), 1).playing == ()


def test_each_figure_can_be_followed_back_to_a_game():
    made = tournament(*TWO, scoring=Scoring("share"))
    found = standings(made)
    for row in found.rows:
        for cell in row.cells:
            assert cell.figure.game == f"n{cell.round}-{cell.table}"
        assert row.total.value == sum(cell.figure.value for cell in row.cells)
    said = json.loads(tournament_json(made, found))
    figures = [cell["figure"] for row in said["standings"] for cell in row["cells"]]
    assert {one["game"] for one in figures} == {"n1-1", "n1-2", "n2-1", "n2-2"}
    assert {one["at"] for one in figures} == {101, 102}
    assert "dan@example.org" not in tournament_json(made, found)


def test_what_was_published_is_struck_out_and_never_silently_changed():
    made = tournament(*TWO)
    reason = "a share was forgotten"
    record = made.records[0].corrected(result_of(900, 1000, 100), 2, reason, "Dan")
    after = replace(made, records=(record, *made.records[1:]))
    assert standings(after).rows[0].name == "Bob"
    struck = "1st Ann $900, 2nd Bob $700, 3rd Cat $100"
    assert struck_text(after) == [
        listing.STRUCK_OUT.format(table="1.1", figures=struck, why=reason)
    ]
    assert len(record.struck) == 1 and struck_text(made) == []


CUT = (RoundRules((AL,), (3,), go_on=3), RoundRules((AL,), (3,), "final"))


def test_the_winners_of_tables_go_on_and_then_the_best_seconds():
    made = tournament(*TWO[:2], rounds=CUT, scoring=Scoring("share"))
    assert [one.name for one in field_of(made, 2)] == ["Ann", "Dan", "Bob"]
    close = (TWO[0], result_of(300, 290, 280, table=2, names=("Dan", "Eve", "Fay")))
    for by, going in (("standings", ["Ann", "Bob", "Dan"]), ("tables", ["Ann", "Dan", "Bob"])):
        made = tournament(
            *close,
            rounds=(replace(CUT[0], by=by), CUT[1]),
            scoring=Scoring("share"),
        )
        assert [one.name for one in field_of(made, 2)] == going


def test_the_next_one_goes_on_for_who_has_withdrawn():
    gone = (Entrant("Ann", state="withdrawn"),)
    made = tournament(*TWO[:2], rounds=CUT, entries=gone, scoring=Scoring("share"))
    assert [one.name for one in field_of(made, 2)] == ["Dan", "Bob", "Eve"]


def test_players_of_a_final_stand_before_all_others_and_by_the_final_alone():
    final = result_of(100, 90, 80, round_=2, names=("Bob", "Dan", "Ann"))
    made = tournament(*TWO[:2], final, rounds=CUT, scoring=Scoring("share"))
    found = standings(made)
    assert [row.name for row in found.rows] == ["Bob", "Dan", "Ann", "Eve", "Fay", "Cat"]
    assert [row.stage for row in found.rows] == [1, 1, 1, 0, 0, 0]
    assert found.row("Ann").total.value > found.row("Bob").total.value


def test_who_sat_out_goes_on_from_an_elimination():
    rounds = (
        RoundRules((AL,), (3,), go_on=2),
        RoundRules((AL,), (2,), "final"),
    )
    made = tournament(TWO[0], byes=[(1, "Zoe")], rounds=rounds)
    assert [one.name for one in field_of(made, 2)] == ["Zoe", "Ann"]


def test_the_next_round_is_seated_by_the_standings_and_avoids_meetings():
    made = tournament(*TWO[:2], rounds=(RoundRules((AL,), (3,)),) * 2, entries=(Entrant("Cat"),))
    draw = draw_of(made, 2, "seed")
    place = {one.name: one.place for one in draw.players}
    assert place["Ann"] < place["Bob"] < place["Cat"] and len(draw.past.met) == 6
    found = seat_round(draw)
    # two tables of three cannot part two old tables of three: one pair meets again at each
    assert (found.aims[0].found, found.aims[0].proved) == (2, True)
    first = draw_of(replace(made, seatings=(), records=()), 1, "seed")
    assert {one.place for one in first.players} == {1}


def test_totals_add_up_in_any_tournament():
    for number in range(15):
        luck = random.Random(number)
        names, results = [f"P{n}" for n in range(12)], []
        for round_ in (1, 2, 3):
            luck.shuffle(names)
            results += [
                result_of(*(luck.randint(0, 50) * 20 for _ in range(4)), round_=round_, table=t + 1,
                      names=tuple(names[4 * t : 4 * t + 4]))
                for t in range(3)
            ]  # fmt: skip
        best = luck.choice((0, 2))
        found = standings(tournament(*results, scoring=Scoring(best=best)))
        assert [row.place for row in found.rows] == list(range(1, 13))
        totals = [row.total.value for row in found.rows]
        assert totals == sorted(totals, reverse=True)
        for row in found.rows:
            counting = sorted((c.figure.value for c in row.cells), reverse=True)[: best or 3]
            assert row.total.value == sum(counting)


def test_an_empty_tournament_has_empty_standings():
    found = standings(tournament())
    assert found.rows == () and standings_text(found)
    assert json.loads(tournament_json(Tournament(tournament().rules), found))["standings"] == []


def test_texts_for_letters_have_78_columns_whatever_is_in_them():
    from service.tournaments.standings import AND_MORE, tables_named

    names = tuple(f"Somebody-with-a-name-{n}" for n in range(6))
    results = [result_of(6, 5, 4, 3, 2, 1, round_=number, names=names) for number in range(1, 9)]
    made = tournament(*results, byes=[(2, f"Out-{n:02}") for n in range(12)])
    text = standings_text(standings(made))
    assert max(map(len, text.splitlines())) <= 78 and "Round 8" in text and "Round 1" not in text
    eight = "1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8"
    assert tables_named([(1, n) for n in range(1, 12)]) == AND_MORE.format(tables=eight, left=3)
