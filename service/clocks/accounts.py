"""The clock of one seat: what a decision adds and takes, and how much time is left.

A seat pays time only for decisions that it makes. A question that is withdrawn, or that somebody
else answers, costs nothing.
"""

from dataclasses import dataclass, replace

from service.clocks.counting import Sieve, next_hour
from service.clocks.rules import NOTICE, Rule
from service.clocks.zones import HOUR, Seconds

#: seconds to send an illegal move again that came in time; once per decision
CORRECTION = 12 * HOUR
#: the fewest seconds for a turn that continues after a question to another player
RESUMED = HOUR


@dataclass(frozen=True)
class Account:
    """A seat's clock.

    ``bank`` is a time bank's seconds when the decision was asked. With a time for each decision, it
    is the seconds that the turn had already used. ``decision`` is "" while the clock stands still.
    The clock runs from ``started``, 0 while that is unknown. ``credited`` is the last turn for
    which time was added. ``extra`` is added for this decision only; ``corrected`` says that it was
    for an illegal move that came in time. ``reminded`` is the percentage of the time that was over
    at the last reminder.
    """

    seat: str
    bank: Seconds
    credited: str = ""
    decision: str = ""
    asked: Seconds = 0
    started: Seconds = 0
    zone: str = "UTC"
    quiet: str = ""
    extra: Seconds = 0
    corrected: bool = False
    reminded: int = 0
    flagged: bool = False
    misses: int = 0

    @property
    def runs(self) -> bool:
        """Whether the seat must decide something."""
        return bool(self.decision)

    @property
    def begun(self) -> int:
        """Since when the clock runs, as far as known: a letter is never before its question."""
        return self.started or self.asked


def opened(rule: Rule, seat: str) -> Account:
    """The clock of a seat when a game begins."""
    return Account(seat, rule.bank)


def asked(account: Account, rule: Rule, decision: str, turn: str, now: int) -> Account:
    """The clock after a question; a turn's first one adds time, except in the seat's first turn.

    A turn that continues after a question to another player keeps the time that it had left.
    """
    bank, extra, goes_on = account.bank, 0, account.credited == turn
    if rule.kind == "fischer" and account.credited not in ("", turn):
        # the cap does not take away time that was granted beyond it
        bank = max(bank, min(rule.cap, bank + rule.add))
    elif rule.kind == "each":
        bank = bank if goes_on else 0
        extra = max(-bank, RESUMED - rule.each) if decision == turn else 0
    return Account(
        account.seat,
        bank,
        credited=turn,
        decision=decision,
        asked=now,
        zone=account.zone,
        quiet=account.quiet,
        extra=extra,
        corrected=account.corrected and goes_on and decision == turn,
        misses=account.misses,
    )


def settled(account: Account, rule: Rule, sieve: Sieve, arrived: int) -> Account:
    """The clock after its decision was made by an email that arrived then."""
    bank = account.bank
    if rule.kind == "fischer":
        bank = max(0, min(bank, remaining(account, rule, sieve, arrived)))
    elif rule.kind == "each" and account.decision == account.credited:
        bank = rule.each - remaining(account, rule, sieve, arrived)
    return stopped(replace(account, bank=bank))


def stopped(account: Account) -> Account:
    """The clock after its question was withdrawn, which costs nothing."""
    return Account(
        account.seat,
        account.bank,
        credited=account.credited,
        zone=account.zone,
        quiet=account.quiet,
        corrected=account.corrected,
        misses=account.misses,
    )


def remaining(account: Account, rule: Rule, sieve: Sieve, moment: int) -> int:
    """The charged seconds that are left at a moment; negative if the time is over."""
    if rule.kind == "daily":
        ends = due(account, rule, sieve)
        return ends - moment if ends is not None else NOTICE
    return budget(account, rule) - sieve.counted(account.begun, moment)


def budget(account: Account, rule: Rule) -> int:
    """The seconds for the present decision, from the bank or the time for each decision."""
    return (account.bank if rule.kind == "fischer" else rule.each) + account.extra


def due(account: Account, rule: Rule, sieve: Sieve) -> int | None:
    """The deadline of the decision; None if it cannot be known yet."""
    if rule.kind == "daily":
        hour = next_hour(rule.zone, rule.minute, sieve, account.begun, NOTICE)
        return None if hour is None else hour + account.extra
    return sieve.due(account.begun, budget(account, rule))


def after(account: Account, rule: Rule, sieve: Sieve, percent: int) -> int | None:
    """When so many percent of the decision's time are over; None if that cannot be known."""
    if rule.kind == "daily":
        ends = due(account, rule, sieve)
        return None if ends is None else account.begun + (ends - account.begun) * percent // 100
    return sieve.due(account.begun, budget(account, rule) * percent // 100)


def corrected(account: Account, rule: Rule, sieve: Sieve, now: int) -> Account:
    """The clock with time to send an illegal move again; once per decision, if time is short."""
    short = _short(account, rule, sieve, now)
    if account.corrected or not account.runs or short <= 0:
        return account
    return replace(account, extra=account.extra + short, corrected=True, flagged=False)


def _short(account: Account, rule: Rule, sieve: Sieve, now: int) -> int:
    """The seconds by which the time left is less than `CORRECTION`, by the sieve.

    A daily clock moves by real time, any other by charged time.
    """
    if rule.kind != "daily":
        return CORRECTION - remaining(account, rule, sieve, now)
    ends, enough = due(account, rule, sieve), sieve.due(now, CORRECTION)
    return 0 if ends is None or enough is None else enough - ends


def granted(account: Account, rule: Rule, seconds: int) -> Account:
    """The clock with more time: in the bank if there is one, otherwise for this decision."""
    if rule.kind == "fischer":
        return replace(account, bank=account.bank + seconds, flagged=False)
    if not account.runs:
        return account
    return replace(account, extra=account.extra + seconds, flagged=False)
