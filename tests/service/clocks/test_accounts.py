"""What a clock takes for a turn that others' answers interrupt."""

import pytest

from service.clocks.accounts import (
    CORRECTION,
    Account,
    asked,
    corrected,
    due,
    opened,
    remaining,
    settled,
)
from service.clocks.counting import Quiet, Sieve
from service.clocks.rules import read
from service.clocks.zones import HOUR

TURN, OFFER, SIEVE = "OR 1.1, L&N", "OR 1.1, L&N, offer", Sieve()


def offered(account, rule, now, took):
    """The clock of who makes an offer after so long, which is answered two hours later."""
    account = settled(account, rule, SIEVE, now + took)
    assert not account.runs
    return asked(account, rule, TURN, TURN, now + took + 2 * HOUR)


@pytest.mark.parametrize("text", ["each 48h", "fischer 48h + 12h cap 48h"])
def test_a_turn_that_goes_on_has_what_it_had_left(text):
    rule, now = read(text), 1_000_000
    account = asked(opened(rule, "Ann"), rule, TURN, TURN, now)
    for hours in (10, 20):
        account = offered(account, rule, now, hours * HOUR)
        now = account.asked
    assert remaining(account, rule, SIEVE, now) == 18 * HOUR
    # the next turn has its own time
    account = settled(account, rule, SIEVE, now)
    account = asked(account, rule, "OR 1.2, L&N", "OR 1.2, L&N", now)
    assert remaining(account, rule, SIEVE, now) == (48 if rule.kind == "each" else 30) * HOUR


def test_it_has_an_hour_at_least_and_one_correction():
    rule, now = read("each 48h"), 1_000_000
    account = asked(opened(rule, "Ann"), rule, TURN, TURN, now)
    account = corrected(account, rule, SIEVE, now + 47 * HOUR)
    assert remaining(account, rule, SIEVE, now + 47 * HOUR) == CORRECTION
    account = offered(account, rule, now, 59 * HOUR)
    assert remaining(account, rule, SIEVE, account.asked) == HOUR
    assert corrected(account, rule, SIEVE, account.asked) == account, "once for a turn"


def test_who_is_asked_in_anothers_turn_has_the_whole_time_for_each_question():
    rule, now, bob = read("each 48h"), 1_000_000, Account("Bob", 0)
    for _ in range(2):
        bob = asked(bob, rule, OFFER, TURN, now)
        assert remaining(bob, rule, SIEVE, now) == 48 * HOUR
        now += 30 * HOUR
        bob = settled(bob, rule, SIEVE, now)


def test_the_time_for_a_correction_leaves_out_quiet_hours_by_a_daily_clock():
    # 15 January 2027, 08:00 UTC; quiet from 22:00 to 06:00
    rule, morning = read("daily 20:00 UTC"), 1_800_000_000
    night = Sieve("UTC", Quiet(22 * 60, 8 * 60))
    account = asked(opened(rule, "Ann"), rule, TURN, TURN, morning)
    assert due(account, rule, night) == morning + 12 * HOUR
    account = corrected(account, rule, night, morning + 11 * HOUR)
    assert due(account, rule, night) == morning + 31 * HOUR
    assert night.counted(morning + 11 * HOUR, morning + 31 * HOUR) == CORRECTION
    # at 08:00 there are 12 hours left that count: nothing is added
    account = asked(opened(rule, "Ann"), rule, TURN, TURN, morning)
    assert corrected(account, rule, night, morning) == account
