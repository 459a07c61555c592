"""Records and ratings over all games of the service, by mail."""

import pytest
from msgspec import structs

from service.desk.tournament.records import player_records
from service.desk.tournament.records.player_records import played
from tests.service.players import address, flat, says
from tests.service.tournament.conftest import FIVE
from tests.service.tournament.setting import become
from tests.service.tournament.test_rounds import over


def ask(spring, *lines, sender="zoe@x.test"):
    [told] = spring.people.stranger(sender, *lines)
    return flat(told)


def test_games_of_a_tournament_and_others_make_ratings_and_records(begun):
    assert says(ask(begun, "ratings"), player_records.NO_GAME_ENDED)
    over(begun)
    told = ask(begun, "ratings")
    assert all(name in told for name in FIVE)
    told = ask(begun, "record bob")
    assert says(told, player_records.RECORD_OF, name="Bob")
    with begun.people.store.transaction() as tx:
        [bob] = [one for one in player_records.listed(tx) if one.player == "Bob"]
    assert (bob.games, bob.finished) == (1, 1) and str(bob.rating) in told
    assert says(ask(begun, "record Zoe"), player_records.NO_RECORD, name="Zoe")


@pytest.mark.long
def test_who_wishes_is_left_out_of_lists_and_may_come_back(begun):
    over(begun)
    assert says(ask(begun, "record off", sender=address("Bob")), player_records.LEFT_OUT)
    assert "Bob" not in ask(begun, "ratings").replace("record off", "")
    assert says(ask(begun, "record Bob"), player_records.NO_RECORD, name="Bob")
    ask(begun, "record on", sender=address("Bob"))
    assert says(ask(begun, "record Bob"), player_records.RECORD_OF, name="Bob")


@pytest.mark.long
def test_further_addresses_of_an_entrant_are_one_person(begun):
    bob = begun.tournament.entry("Bob")
    become(begun, structs.replace(bob, addresses=(*bob.addresses, "bob@work.test")))
    people = begun.people
    [created] = people.stranger("bob@work.test", "create 18AL dixie77")
    for name, sender in (("Rob", "bob@work.test"), ("Ann", "ann@else.test"), ("Zoe", "zoe@x.test")):
        [asked] = people.stranger(sender, f"join dixie77 as {name}")
        people.reply(asked, "yes")
    people.reply(created, "start")
    with people.store.transaction() as tx:
        games, who = played(tx)
    [other] = [game for game in games if game.game == "dixie77"]
    assert {seat.player for seat in other.seats} == {"Bob", "Ann-2", "Zoe"}
    assert who.of("bob@work.test") == who.of(address("Bob")) == "Bob"
    [board] = [game for game in games if game.tournament == "spring"]
    assert {seat.player for seat in board.seats} == set(FIVE)


def test_who_took_a_seat_over_is_not_rated_by_it(begun):
    from service.tournaments.ratings import rated

    letters = begun.write("Bob", "withdraw yes")
    [offer] = [x for x in letters if x.to == address("Sam")]
    begun.people.reply(offer, "yes")
    over(begun)
    with begun.people.store.transaction() as tx:
        games, _ = played(tx)
    known = rated(games)
    assert known.keys() >= {"Ann", "Cat"} and not known.keys() & {"Bob", "Sam"}
