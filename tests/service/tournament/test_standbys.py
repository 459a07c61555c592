"""Who takes a seat of a tournament's board has a name in the tournament, or is told how to get it."""

import pytest

from service.desk.tournament.entries import entering, withdrawing
from service.desk.tournament.results import results
from service.reports.receipt import NOT_DONE
from service.tournaments import listing
from tests.service.players import ADDRESS, address, flat, says, unsaid
from tests.service.tournament.setting import table

COMMAND = "`standby spring as NAME`"


def test_nobody_stands_by_for_one_board_alone(begun):
    people = begun.people
    [told] = people.stranger("tom@players.test", "standby spring-1-1")
    assert says(told, entering.IS_A_TABLE, table="spring-1-1", tournament="spring", word="standby")
    [asked] = people.stranger("tom@players.test", "standby spring-1-1 as Tom")
    assert says(asked, entering.WANT_TO_STAND_BY, tournament="spring")
    people.reply(asked, "yes")
    assert begun.tournament.entry("Tom").state == "standby"
    assert address("Tom") in [v.address for v in table(begun).volunteers]


def test_who_is_excluded_comes_back_by_no_board(begun):
    begun.direct("exclude Bob because of moves for another")
    for words in ("standby spring-1-1", "standby spring-1-1 as Robert"):
        [told] = begun.people.stranger(address("Bob"), words)
        assert says(told, NOT_DONE)
    assert address("Bob") not in [v.address for v in table(begun).volunteers]


@pytest.mark.long
def test_the_boards_of_a_tournament_that_was_given_up_are_games_like_any_other(begun):
    begun.direct("abandon because too few have time")
    [asked] = begun.people.stranger("tom@players.test", "standby spring-1-1")
    begun.people.reply(asked, "yes")
    assert address("Tom") in [v.address for v in table(begun).volunteers]
    assert begun.tournament.entry("Tom") is None


@pytest.mark.parametrize("enters", [pytest.param(True, marks=pytest.mark.long), False])
def test_who_plays_on_without_an_entry_is_told_how_to_have_a_name(begun, enters):
    people = begun.people
    [letter] = [x for x in begun.direct("board 1.1") if x.kind == "table"]
    [offer] = [
        x for x in people.reply(letter, "replace Bob by tom@players.test because of an illness")
        if x.to == address("Tom")
    ]  # fmt: skip
    letters = people.reply(offer, "yes")
    [briefing] = [x for x in letters if (x.to, x.kind) == (address("Tom"), "briefing")]
    assert COMMAND in flat(briefing) and ADDRESS in flat(briefing)
    if enters:
        begun.enter("Tom", word="standby")
    begun.direct("adjudicate because the year is over")
    [seat] = [s for s in begun.tournament.record(1, 1).result.seats if s.seat == "Bob"]
    nameless = results.STANDBY_FOR.format(seat="Bob")
    assert seat.last == ("Tom" if enters else nameless)
    [shown] = people.stranger("zoe@x.test", "standings spring")
    assert says(shown, listing.STANDBY, name="Tom") if enters else says(shown, nameless)
    assert unsaid(shown, listing.STANDBY, name=nameless)


@pytest.mark.long
def test_who_has_an_entry_is_told_nothing_of_it(begun):
    letters = begun.write("Bob", "withdraw yes")
    [offer] = [x for x in letters if x.to == address("Sam")]
    letters = begun.people.reply(offer, "yes")
    [briefing] = [x for x in letters if (x.to, x.kind) == (address("Sam"), "briefing")]
    assert COMMAND not in flat(briefing)


@pytest.mark.long
def test_a_standby_who_leaves_gives_the_seat_to_the_next_and_is_asked_no_more(begun):
    begun.enter("Tom", word="standby")
    letters = begun.write("Bob", "withdraw yes")
    [offer] = [x for x in letters if x.to == address("Sam")]
    begun.people.reply(offer, "yes")
    letters = begun.write("Sam", "withdraw")
    assert says(letters[0], withdrawing.YOU_STILL_PLAY, table="1.1")
    letters = begun.write("Sam", "withdraw yes")
    [offer] = [x for x in letters if x.to == address("Tom") and x.kind == "offered"]
    begun.people.reply(offer, "yes")
    assert table(begun).seat("Bob").address == address("Tom")


@pytest.mark.parametrize(
    "words",
    [
        "exclude Sam because of moves for another",
        pytest.param("withdraw Sam because of an illness", marks=pytest.mark.long),
    ],
)
def test_a_standby_who_is_taken_out_is_offered_no_seat(begun, words):
    begun.direct(words)
    assert [v.address for v in table(begun).volunteers] == []
    letters = begun.write("Bob", "withdraw yes")
    assert not any(x.to == address("Sam") for x in letters)
