"""Nobody is late whose letter is not under way yet, or whose answer may lie where nobody can look."""

import pytest
from msgspec import json, structs

from service.clocks.zones import HOUR
from service.games import timing
from tests.service.players import GAME, NOW, address, flat


@pytest.fixture
def timed(players):
    """Everybody has a day for each decision, and the caretaker moves; Ann has just bought the TR."""
    set_clock(players, "each 24h")
    players.write("Ann", "buy TR")
    return players


def set_clock(players, clock):
    table = players.table()
    settings = structs.replace(table.settings, clock=clock, caretaker=True)
    with players.store.transaction() as tx:
        tx.games.set_settings(table.row.id, json.encode(settings))


def works(players):
    """Whatever is due is done; no letter is sent."""
    while players.office.moderate():
        pass


def due(players):
    with players.store.transaction() as tx:
        return {row.seat: row.due for row in tx.games.waiting(players.table().row.id)}


def test_nobody_is_late_while_the_mailbox_cannot_be_looked_into(timed):
    timed.now = NOW + HOUR
    works(timed)
    timed.office.pulse.deaf("box", timed.now)
    timed.now = NOW + 30 * HOUR
    works(timed)
    assert timed.collect() == [] and timed.texts() == ["buy TR"]
    timed.office.pulse.hears("box", timed.now)
    works(timed)
    assert due(timed) == {"Bob": NOW + 53 * HOUR}, "an hour was over"
    assert timed.texts() == ["buy TR"]


def test_a_service_that_is_begun_anew_meanwhile_loses_nothing_of_it(timed):
    timed.now = NOW + HOUR
    works(timed)
    timed.office.pulse.deaf("box", timed.now)
    timed.now = NOW + 20 * HOUR
    works(timed)
    timed.office = timed.new_office("another")
    timed.now += HOUR
    works(timed)
    timed.office.pulse.deaf("box", timed.now)
    timed.now = NOW + 40 * HOUR
    timed.office.pulse.hears("box", timed.now)
    works(timed)
    assert due(timed) == {"Bob": NOW + 63 * HOUR}
    assert timed.texts() == ["buy TR"]


def test_no_time_counts_before_a_server_has_taken_the_letter_that_asks(timed):
    raw = timed.mail(address("Bob"), timed.seat_address(GAME, "Bob"), "buy S&NA")
    timed.arrive(raw)
    for _ in range(20):
        timed.now += 3 * HOUR
        works(timed)
    assert timed.texts() == ["buy TR", "buy S&NA"], "nobody moves for Cat"
    assert due(timed) == {"Cat": None}
    letters = timed.collect()
    assert [x.kind for x in letters if x.to == address("Cat")] == ["turn"], "nor reminds"
    timed.now += HOUR
    works(timed)
    assert due(timed) == {"Cat": NOW + 84 * HOUR}
    timed.now = NOW + 85 * HOUR
    works(timed)
    assert len(timed.texts()) == 3, "by the caretaker"


@pytest.mark.long
def test_who_answers_before_they_were_asked_pays_nothing(players):
    set_clock(players, "fischer 5d + 12h cap 5d")
    players.write("Ann", "buy TR")
    players.arrive(players.mail(address("Bob"), players.seat_address(GAME, "Bob"), "buy S&NA"))
    works(players)
    players.now += 30 * HOUR
    waits = "begins when the email that asks is on its way"
    players.arrive(players.mail(address("Bob"), players.seat_address(GAME, "Bob"), "clock"))
    players.arrive(players.mail(address("Cat"), players.seat_address(GAME, "Cat"), "buy B&SLC"))
    works(players)
    [told] = [x for x in players.collect() if x.kind == "receipt" and "WHAT COUNTS" in x.text]
    assert waits in flat(told)
    table = players.table()
    accounts = timing.by_seat(timing.accounts_of(table, timing.rule_of(table)))
    assert accounts["Cat"].bank == 5 * 24 * HOUR
