"""A director who plays does not rule on the own table, from whichever of their addresses."""

import pytest
from msgspec import structs

from service.desk.tournament.answering import tournament_email
from service.desk.tournament.directing import tournament_directing
from service.desk.tournament.offices import tournament_assistant
from service.said import YES_TO_ASSIST
from tests.service.players import address, says
from tests.service.tournament.setting import DIRECTOR, become, table


def barred(told):
    """Whether the director is told that they play there, and that there is no assistant."""
    return says(told, tournament_directing.NO_ASSISTANT)


def by_entry(spring):
    """The director's address is a further one of an entrant."""
    bob = spring.tournament.entry("Bob")
    become(spring, structs.replace(bob, addresses=(*bob.addresses, DIRECTOR)))


def by_seat(spring):
    """The director's address is the second one of a seat."""
    people = spring.people
    letters = people.write(
        "Bob", f"address add {DIRECTOR}", game="spring-1-1", sender=address("Bob")
    )
    [asked] = [x for x in letters if x.to == DIRECTOR]
    people.reply(asked, "yes")


@pytest.mark.parametrize("further", [by_entry, pytest.param(by_seat, marks=pytest.mark.long)])
def test_a_further_address_of_the_director_is_the_director_s(begun, further):
    [letter] = [x for x in begun.direct("board 1.1") if x.kind == "table"]
    further(begun)
    for words in ("adjudicate 1.1 because I must travel", "rule: the bridge counts twice"):
        assert barred(begun.receipt(begun.direct(words)))
    begun.people.reply(letter, "end game because I must travel")
    assert table(begun).row.status == "running"
    letters = begun.people.reply(letter, "replace Ann by zoe@x.test because of an illness")
    assert [x.to for x in letters] == [DIRECTOR], "nobody is asked to take the seat"
    # nobody of the table can be the assistant there
    told = begun.receipt(begun.direct("assistant ann@players.test"))
    assert says(told, tournament_assistant.PLAYS, name="Ann")


@pytest.mark.long
def test_a_director_who_has_taken_a_seat_over_has_an_own_table(begun):
    sam = begun.tournament.entry("Sam")
    become(begun, structs.replace(sam, addresses=(DIRECTOR,)))
    seat = table(begun).seat("Bob")
    with begun.people.store.transaction() as tx:
        tx.seats.move(seat.id, DIRECTOR)
    assert barred(begun.receipt(begun.direct("adjudicate 1.1 because I must travel")))


def test_another_assistant_directs_from_their_yes_on_and_then_in_place_of_the_first(spring):
    eve, zoe = "eve@clubs.test", "zoe@clubs.test"
    spring.direct(f"assistant {eve}")
    first = spring.latest[eve, "assistant"]
    spring.people.reply(first, "yes")
    spring.direct(f"assistant {zoe}")
    asked = spring.latest[zoe, "assistant"]
    [told] = spring.people.reply(asked, "close")
    assert says(told, YES_TO_ASSIST) and spring.tournament.status == "announced"
    spring.people.reply(asked, "yes")
    assert (spring.tournament.rules.assistant, spring.tournament.invited) == (zoe, "")
    spring.people.reply(asked, "close")
    assert spring.tournament.status == "closed"
    [told] = spring.people.reply(first, "open")
    assert says(told, tournament_email.NOT_YOURS, tournament="spring")
    assert spring.tournament.status == "closed"


def test_somebody_who_has_entered_since_they_were_asked_cannot_be_the_assistant(spring):
    eve = "eve@clubs.test"
    spring.direct(f"assistant {eve}")
    asked = spring.latest[eve, "assistant"]
    spring.enter("Eve", sender=eve)
    [told] = spring.people.reply(asked, "yes")
    assert says(told, tournament_assistant.YOU_PLAY)
    assert spring.tournament.rules.assistant == ""
