"""Addresses of people without a seat that a mail shows to others: void at once, and they are told."""

import pytest

from service.desk import shown_tokens
from service.desk.seats import deputies
from service.rations import DAY
from tests.service.players import GAME, address, flat, says
from tests.service.test_observers import public, rows, watching  # noqa: F401
from tests.service.test_seats import EVE, got, listed

MALLORY = "mallory@else.test"


def volunteers(players):
    return [(v.address, v.agreed is not None) for v in players.table().volunteers]


@pytest.mark.parametrize("header", ["Cc", pytest.param("To", marks=pytest.mark.long)])
def test_a_yes_that_others_could_read_does_nothing_and_its_address_is_void(players, header):
    [asked] = players.stranger(EVE, f"standby {GAME}")
    to = {"Cc": {"Cc": MALLORY}, "To": {"to": f"{asked.reply_to}, {MALLORY}"}}[header]
    mail = players.mail(EVE, to.pop("to", asked.reply_to), "yes", answers=asked, **to)
    [told] = players.send(mail)
    assert told.to == EVE and told.reply_to != asked.reply_to
    assert says(told, shown_tokens.TOKEN_WAS_SHOWN)
    assert says(told, shown_tokens.REPLY_TO_THIS)
    assert volunteers(players) == [(EVE, False)]
    players.reply(asked, "yes")
    assert volunteers(players) == [(EVE, False)], "to the address that was shown"
    assert got(players.reply(told, "yes"), EVE, "answer")
    assert volunteers(players) == [(EVE, True)]


@pytest.mark.long
def test_an_address_that_somebody_else_shows_is_void_and_its_owner_told(players):
    answer = listed(players)
    letters = players.send(players.mail(MALLORY, answer.reply_to, "no", Cc="x@else.test"))
    [told] = [letter for letter in letters if letter.to == EVE]
    assert says(told, shown_tokens.RENEWED, game=GAME)
    assert volunteers(players) == [(EVE, True)]
    players.reply(answer, "no")
    assert volunteers(players) == [(EVE, True)], "the old one"
    players.reply(told, "no")
    assert volunteers(players) == []


@pytest.mark.long
def test_copies_to_oneself_show_nothing(players):
    [asked] = players.stranger(EVE, f"standby {GAME}")
    players.reply(asked, "yes", Cc=EVE)
    assert volunteers(players) == [(EVE, True)]


@pytest.mark.long
def test_a_deputy_s_time_ends_though_the_address_was_renewed(players):
    letters = players.write("Ann", f"deputy {EVE}")
    asked = next(letter for letter in letters if letter.to == EVE)
    [told] = players.reply(asked, "yes", Cc=MALLORY)
    players.reply(told, "yes")
    assert volunteers(players) == [(EVE, True)]
    [deputy] = players.table().volunteers
    players.now = deputy.ends + 1
    letters = players.remind()
    assert volunteers(players) == []
    assert any(deputies.TIME_IS_OVER in flat(letter) for letter in letters)
    assert {letter.to for letter in letters} >= {address("Ann")}


def test_a_deputy_s_time_begins_with_the_turn_email_though_the_address_was_renewed(players):
    letters = players.write("Ann", f"away 2027-01-20 to 2027-01-30 deputy {EVE}")
    answer = got(players.reply(got(letters, EVE, "confirm"), "yes"), EVE, "answer")
    [told] = players.reply(answer, "no", Cc=MALLORY)
    assert told.kind == "renewed" and volunteers(players) == [(EVE, True)]
    players.now += 5 * DAY
    [turn] = players.work()
    assert (turn.to, turn.kind) == (EVE, "turn")
    players.now += DAY
    assert players.work() == []


@pytest.mark.long
def test_who_watches_has_another_address_and_goes_on_watching(public):  # noqa: F811
    answer = watching(public)
    [before] = rows(public)
    [told] = public.reply(answer, "digest each", Cc=MALLORY)
    [row] = rows(public)
    assert row.asked != before.asked and row.agreed == before.agreed
    assert row.settings == before.settings, "nothing of the email was done"
    public.reply(answer, "unwatch")
    assert rows(public) == (row,), "the old address"
    public.reply(told, "unwatch")
    assert rows(public) == ()
