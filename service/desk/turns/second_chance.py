"""The clock of a player whose commands were refused: they may be sent again, once."""

from collections.abc import Sequence

from engine import Seat
from service.clocks import accounts
from service.clocks.accounts import Account
from service.clocks.deadlines import CLOCK_STANDS, both
from service.games import timing
from service.games.changes import Change
from service.games.choices import seat_settings

CAME_IN_TIME = "Your email came in time: you have until {until} to send it again, once."
CLOCK_RUNS = "Your clock runs: answer by {until}."


def time_of_refused(change: Change, clocks: Sequence[Account], seat: Seat) -> str:
    """What a writer whose commands were refused reads about the clock; "" if nothing."""
    table, rule = change.table, timing.rule_of(change.table)
    account = timing.by_seat(clocks).get(seat)
    if rule is None or account is None or not account.runs:
        return ""
    ends = accounts.due(account, rule, timing.sieve_of(table, rule, account))
    if ends is None:
        return CLOCK_STANDS
    before = {row.seat: row.corrected for row in table.clocks}.get(seat, False)
    until = both(ends, seat_settings(table.seat(seat)).zone)
    if account.corrected and not before:
        return CAME_IN_TIME.format(until=until)
    return CLOCK_RUNS.format(until=until)
