"""Nobody is late whose letter is not under way yet, or whose answer may lie where nobody can look."""

import pytest
from msgspec import json, structs

from service.clocks.zones import HOUR
from tests.service.house import NOW


@pytest.fixture
def timed(players):
    """Everybody has a day for each decision, and the caretaker moves; Ann has just bought the TR."""
    table = players.table()
    settings = structs.replace(table.settings, clock="each 24h", caretaker=True)
    with players.store.transaction() as tx:
        tx.set_settings(table.row.id, json.encode(settings))
    players.write("Ann", "buy TR")
    return players


def works(players):
    """Whatever is due is done; no letter is sent."""
    while players.office.moderate():
        pass


def due(players):
    with players.store.transaction() as tx:
        return {row.seat: row.due for row in tx.waiting(players.table().row.id)}


def test_nobody_is_late_while_the_mailbox_cannot_be_looked_into(timed):
    timed.now = NOW + HOUR
    works(timed)
    timed.office.pulse.deaf(timed.now)
    timed.now = NOW + 30 * HOUR
    works(timed)
    assert timed.collect() == [] and timed.texts() == ["buy TR"]
    timed.office.pulse.hears(timed.now)
    works(timed)
    assert due(timed) == {"Bob": NOW + 53 * HOUR}, "an hour was over"
    assert timed.texts() == ["buy TR"]


@pytest.mark.long
def test_a_service_that_is_begun_anew_meanwhile_loses_nothing_of_it(timed):
    timed.now = NOW + HOUR
    works(timed)
    timed.office.pulse.deaf(timed.now)
    timed.now = NOW + 20 * HOUR
    works(timed)
    timed.office = timed.new_office("another")
    timed.now += HOUR
    works(timed)
    timed.office.pulse.deaf(timed.now)
    timed.now = NOW + 40 * HOUR
    timed.office.pulse.hears(timed.now)
    works(timed)
    assert due(timed) == {"Bob": NOW + 63 * HOUR}
    assert timed.texts() == ["buy TR"]
