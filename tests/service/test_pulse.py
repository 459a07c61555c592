"""The sign of life: silence counts for nobody, and a clock that is set makes no bank gain or lose."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.app.pulse import Pulse
from service.clocks.accounts import Account, remaining
from service.clocks.zones import DAY, HOUR
from service.desk.questions import clock_answer
from service.games import timing
from service.games.games import GameSettings
from service.store import NewGame, NewSeat
from tests.service.players import GAME, NOW, Kept, Players, opened, says
from tests.service.test_clocks import accounts, begun, due

pytestmark = pytest.mark.long

SILENCE = 900


@pytest.fixture(scope="session")
def gathered(tmp_path_factory):
    """A game that Ann, Bob and Cat have joined and that has not begun."""
    return Kept.after(tmp_path_factory.mktemp("pulse") / "joined.sqlite", Players.gather)


@pytest.fixture
def players(gathered, tmp_path):
    with gathered.copy(tmp_path) as found:
        yield found


def spans(players):
    with players.store.transaction() as tx:
        game = players.table()
        return [(s.kind, s.begins, s.ends) for s in tx.clocks.spans(game.row.id if game else 0)]


def test_a_silence_that_is_long_counts_for_nobody(players):
    begun(players, "clock each 48h")
    Pulse(players.store, SILENCE).note(NOW + HOUR)
    Pulse(players.store, SILENCE).beat(NOW + HOUR + SILENCE)
    assert spans(players) == []
    Pulse(players.store, SILENCE).beat(NOW + 7 * HOUR)
    assert spans(players) == [("down", NOW + HOUR + SILENCE, NOW + 7 * HOUR)]
    players.now = NOW + 8 * HOUR
    [answer] = players.write("Bob", "clock")
    assert says(answer, clock_answer.RUNS_UNTIL, until="Sun 17 Jan 13:45 UTC")


def test_a_mailbox_that_cannot_be_looked_into_is_such_a_silence(players):
    begun(players, "clock each 48h")
    pulse = Pulse(players.store, SILENCE)
    pulse.deaf("box", NOW + HOUR)
    pulse.deaf("box", NOW + 2 * HOUR)
    pulse.hears("box", NOW + 3 * HOUR)
    pulse.hears("box", NOW + 4 * HOUR)
    assert spans(players) == [("down", NOW + HOUR, NOW + 3 * HOUR)]


def test_a_long_rest_of_a_worker_that_lives_is_no_silence(players):
    even = [0.0]
    pulse = Pulse(players.store, SILENCE, lambda: even[0])
    pulse.beat(NOW)
    even[0] += 5 * HOUR
    pulse.beat(NOW + 5 * HOUR)
    assert spans(players) == []
    # our machine slept: the steady clock stood still
    even[0] += 60
    pulse.beat(NOW + 7 * HOUR)
    assert spans(players) == [("down", NOW + 5 * HOUR + 60, NOW + 7 * HOUR)]


def test_a_clock_that_jumps_back_takes_and_gives_nothing(players):
    begun(players, "clock fischer 20d + 12h cap 20d")
    even = [0.0]
    pulse = players.office.pulse = Pulse(players.store, SILENCE, lambda: even[0])
    pulse.beat(NOW)
    for clock, passes in ((NOW + 2 * HOUR, 2 * HOUR), (NOW + HOUR, 0)):
        even[0] += passes
        pulse.beat(clock)
    assert due(players) == {"Ann": NOW - HOUR + 20 * DAY}
    # three hours more: she has used five, whatever our clock says
    players.now, even[0] = NOW + 4 * HOUR, even[0] + 3 * HOUR
    players.write("Ann", "pass")
    assert accounts(players)["Ann"].bank == 20 * DAY - 5 * HOUR


def test_it_is_noticed_at_the_next_start_too(players):
    begun(players, "clock fischer 20d + 12h cap 20d")
    Pulse(players.store, SILENCE).note(NOW + 2 * HOUR)
    Pulse(players.store, SILENCE).beat(NOW + HOUR)
    assert accounts(players)["Ann"].asked == NOW - HOUR
    assert spans(players) == []


jumps = st.lists(
    st.tuples(st.integers(60, 40 * HOUR), st.sampled_from([-3600, 3600, -120, 7200, 0])), max_size=4
)


def asked(store):
    """A game in which Ann is asked since NOW, without a position."""
    chosen = msgspec.json.encode(GameSettings(clock="fischer 20d + 12h cap 20d"))
    with store.transaction() as tx:
        game = tx.games.add(NewGame(GAME, "18AL", b"", chosen, "eve@x"), NOW).id
        tx.seats.add(game, NewSeat("Ann", "ann@x", 0, "joined"))
        tx.games.set_status(game, "running", NOW)
        tx.games.wait_for(game, "SR 1", ["Ann"], NOW)
        tx.clocks.set(game, Account("Ann", 20 * DAY, "SR 1", "SR 1", NOW, NOW))


@given(jumps, st.integers(0, 5 * DAY))
@settings(max_examples=20, deadline=None)
def test_no_bank_gains_or_loses_by_a_clock_that_jumps_however_often(tmp_path_factory, set_, last):
    players = opened(f"sqlite:///{tmp_path_factory.mktemp('jump')}/game.sqlite")
    asked(players.store)
    even, clock = 0, NOW
    pulse = Pulse(players.store, SILENCE, lambda: float(even))
    pulse.beat(clock)
    for passes, jump in set_:
        even, clock = even + passes, clock + passes
        pulse.beat(clock)
        clock += jump
        pulse.beat(clock)
    even, players.now = even + last, clock + last
    pulse.beat(players.now)
    table = players.table()
    rule = timing.rule_of(table)
    [account] = [a for a in timing.accounts_of(table, rule) if a.seat == "Ann"]
    sieve = timing.sieve_of(table, rule, account)
    assert remaining(account, rule, sieve, players.now) == 20 * DAY - even
    players.store.close()


def test_clocks_that_stand_are_not_moved(players):
    begun(players, "clock fischer 20d + 12h cap 20d")
    game = players.table().row.id
    with players.store.transaction() as tx:
        tx.clocks.set(game, Account("Bob", 5))
        tx.clocks.shift(-HOUR)
        assert {c.seat: c.asked for c in tx.clocks.of(game)} == {
            "Ann": NOW - HOUR,
            "Bob": 0,
            "Cat": 0,
        }
