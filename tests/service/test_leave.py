"""What goes on while a player is away: orders and consents given ahead, with a deputy and without."""

import pytest

from service.clocks.zones import DAY
from service.games import timing
from tests.service.players import GAME, address
from tests.service.test_ahead import ASK, done
from tests.service.test_stale import operating

EVE = "eve@elsewhere.test"
#: a deputy's part of `away`
ALONE, DEPUTY = "", f" deputy {EVE}"


def on_leave(players, who, deputy):
    """A player goes away for four days from Sunday on, and it is Monday."""
    letters = players.write(who, f"away 17 Jan to 20 Jan{deputy}")
    for asked in [letter for letter in letters if letter.to == EVE]:
        players.reply(asked, "yes")
    players.now += 3 * DAY
    assert lasts(players, who)


def lasts(players, who):
    """Whether a player is on leave now."""
    rows = timing.leaves(players.table(), who)
    return any(row.begins <= players.now < row.ends for row in rows)


@pytest.mark.parametrize("deputy", [ALONE, pytest.param(DEPUTY, marks=pytest.mark.long)])
def test_orders_go_on_during_leave_and_do_not_end_it(players, deputy):
    players.write("Bob", "next: buy S&NA")
    on_leave(players, "Bob", deputy)
    letters = players.write("Ann", "buy TR")
    assert players.texts() == ["buy TR", "buy S&NA"]
    assert lasts(players, "Bob")
    assert [x.to for x in letters if x.kind == "turn"] == [address("Cat")]


@pytest.mark.long
@pytest.mark.parametrize("deputy", [ALONE, DEPUTY])
def test_standing_consents_go_on_during_leave_and_do_not_end_it(players, deputy):
    players.place(operating("track"))
    players.write("Bob", "always consent: sell private M&C to L&N for >= 90")
    on_leave(players, "Bob", deputy)
    players.write("Ann", ASK, "run", "pay")
    assert done(players) == [ASK, "accept", "run 2: A4-C4", "pay", "done"]
    assert lasts(players, "Bob")


@pytest.mark.long
def test_a_deputy_acts_beside_the_orders_of_who_is_away(players):
    players.write("Bob", "next: buy S&NA")
    on_leave(players, "Bob", DEPUTY)
    players.write("Ann", "buy TR")
    players.write("Cat", "pass")
    players.write("Ann", "pass")
    players.send(players.mail(EVE, players.seat_address(GAME, "Bob"), "bid NDY 125"))
    assert players.texts()[-1] == "bid NDY 125"
    assert lasts(players, "Bob")
