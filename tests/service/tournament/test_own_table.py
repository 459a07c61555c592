"""A director who plays does not rule on the own table, from whichever of their addresses."""

import pytest
from msgspec import structs

from service.desk.tournament.directing import tournament_assistant, tournament_directing
from tests.service.players import address, says
from tests.service.tournament.setting import DIRECTOR, become, table


def barred(told):
    """Whether the director is told that their table's assistant rules, and that there is none."""
    return says(
        told, tournament_directing.ASSISTANT_RULES, assistant=tournament_directing.NO_ASSISTANT
    )


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
    [letter] = [x for x in begun.direct("board 1.1") if x.kind == "board"]
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
