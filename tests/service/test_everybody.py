"""Who hears of what somebody did to a game: each person once, whatever their addresses."""

from dataclasses import replace

import pytest

from service.audience import ASSISTANT, ORGANISER
from service.desk.informing.everybody import informed
from service.desk.seats import deputies
from service.store import FurtherRow
from tests.service.players import GAME, NAMES, address, one, opened, says, to

EVE = "eve@elsewhere.test"
WORK = "ann@work.test"


@pytest.fixture
def without_seat(tmp_path):
    """A game that Dan organizes and does not play."""
    found = opened(f"sqlite:///{tmp_path}/waybill.sqlite")
    found.reply(found.gather(organiser=address("Dan")), "start")
    yield found
    found.store.close()


@pytest.fixture
def from_work(players):
    """Ann organizes the game from one of her addresses and plays from another."""
    seat = players.table().seat("Ann")
    second = FurtherRow(seat.id, "second", WORK, seat.epoch, 0, players.now, stands=True)
    with players.store.transaction() as tx:
        tx.seats.set_further(second)
        tx.seats.swap_address(seat.id, seat.address, WORK)
    table = players.table()
    assert (table.seat("Ann").address, table.row.organiser) == (WORK, address("Ann"))
    return players


@pytest.mark.parametrize(
    ("doer", "heard"),
    [
        ("Bob", {"Ann", "Cat"}),
        ("Ann", {"Bob", "Cat"}),
        (ORGANISER, {"Bob", "Cat"}),
        (ASSISTANT, set(NAMES)),
        ("", set(NAMES)),
    ],
)
def test_an_organizer_who_plays_hears_as_a_player(from_work, doer, heard):
    assert set(informed(from_work.table(), doer)) == heard


@pytest.mark.parametrize(
    ("doer", "heard"),
    [("Bob", ["Cat", ORGANISER]), ("Ann", ["Bob", "Cat", ORGANISER])],
)
def test_an_organizer_who_plays_is_asked_as_the_organizer_alone(from_work, doer, heard):
    assert informed(from_work.table(), doer, asks_organiser=True) == heard


def test_an_organizer_of_a_board_plays_from_any_address_of_the_entrant(players):
    table = players.table()
    board = replace(table, row=replace(table.row, organiser=WORK), entrants={WORK: "Ann"})
    assert informed(board, "Bob") == ["Ann", "Cat"]


@pytest.mark.parametrize(
    ("doer", "heard"),
    [
        ("Bob", ["Ann", "Cat", ORGANISER]),
        (ORGANISER, ["Ann", "Bob", "Cat"]),
        (ASSISTANT, ["Ann", "Bob", "Cat", ORGANISER]),
        ("", ["Ann", "Bob", "Cat", ORGANISER]),
    ],
)
def test_an_organizer_without_a_seat_hears_too(without_seat, doer, heard):
    assert sorted(informed(without_seat.table(), doer)) == sorted(heard)


@pytest.mark.parametrize("line", ["away 17 Jan to 20 Jan", "say: hello"])
def test_an_organizer_who_plays_from_a_second_address_gets_news_once(from_work, line):
    letters = from_work.write("Bob", line)
    assert [letter.to for letter in letters if letter.to in (WORK, address("Ann"))] == [WORK]


def test_an_organizer_without_a_seat_hears_of_a_deputy(without_seat):
    [asked] = [one for one in without_seat.write("Ann", f"deputy {EVE}") if one.to == EVE]
    letters = without_seat.reply(asked, "yes")
    assert says(one(letters, "Dan", "notice"), deputies.HAS_A_DEPUTY, seat="Ann", game=GAME)
    assert to(letters, "Bob") == ["notice"]
