"""The clock of one seat: what a decision adds to it and takes from it, and how long there is.

Time is taken only for decisions that a seat settles: what is asked and then taken back, or answered
by somebody else, costs nothing.
"""

from dataclasses import dataclass, replace

from service.clocks.counting import Sieve, next_hour
from service.clocks.rules import NOTICE, Rule
from service.clocks.zones import HOUR

#: seconds to send a mail anew that came in time and was not legal; once for a decision
CORRECTION = 12 * HOUR
#: seconds at least for a turn that goes on after a question to another
RESUMED = HOUR


@dataclass(frozen=True, slots=True)
class Account:
    """A seat's clock.

    ``bank`` are the seconds that a bank clock had when the decision was asked; of a time for
    each decision, those that its turn had used before. ``decision`` is "" while it
    stands. It runs from ``started`` on, 0 while nobody knows. ``credited`` is the turn for which
    time was added last; ``extra`` is added for this decision alone, ``corrected`` whether for a
    mail that came in time. ``reminded`` is how many percent were over at the last reminder.
    """

    seat: str
    bank: int
    credited: str = ""
    decision: str = ""
    asked: int = 0
    started: int = 0
    zone: str = "UTC"
    quiet: str = ""
    extra: int = 0
    corrected: bool = False
    reminded: int = 0
    flagged: bool = False
    misses: int = 0

    @property
    def runs(self) -> bool:
        """Whether something is asked."""
        return bool(self.decision)

    @property
    def begun(self) -> int:
        """Since when it runs as far as is known: no letter is faster than its question."""
        return self.started or self.asked


def opened(rule: Rule, seat: str) -> Account:
    """The clock of a seat when a game begins."""
    return Account(seat, rule.bank)


def asked(account: Account, rule: Rule, decision: str, turn: str, now: int) -> Account:
    """It after a decision is asked; the first one of a turn adds time, but that of the game.

    A turn that goes on after a question to another has the time that it had left.
    """
    bank, extra, goes_on = account.bank, 0, account.credited == turn
    if rule.kind == "fischer" and account.credited not in ("", turn):
        # what was granted beyond the cap is not taken away
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
    """It after its decision was settled by what arrived then."""
    bank = account.bank
    if rule.kind == "fischer":
        bank = max(0, min(bank, remaining(account, rule, sieve, arrived)))
    elif rule.kind == "each" and account.decision == account.credited:
        bank = rule.each - remaining(account, rule, sieve, arrived)
    return stopped(replace(account, bank=bank))


def stopped(account: Account) -> Account:
    """It after its decision is asked no more, and nothing was taken for it."""
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
    """Seconds that count which are left at a moment; below 0 where the time is over."""
    if rule.kind == "daily":
        ends = due(account, rule, sieve)
        return ends - moment if ends is not None else NOTICE
    return budget(account, rule) - sieve.counted(account.begun, moment)


def budget(account: Account, rule: Rule) -> int:
    """Seconds for the decision that is asked, by a bank or a time for each."""
    return (account.bank if rule.kind == "fischer" else rule.each) + account.extra


def due(account: Account, rule: Rule, sieve: Sieve) -> int | None:
    """Until when the decision must be settled; None where nobody can tell yet."""
    if rule.kind == "daily":
        hour = next_hour(rule.zone, rule.minute, sieve, account.begun, NOTICE)
        return None if hour is None else hour + account.extra
    return sieve.due(account.begun, budget(account, rule))


def after(account: Account, rule: Rule, sieve: Sieve, percent: int) -> int | None:
    """When so many percent of the time for the decision are over; None where nobody can tell."""
    if rule.kind == "daily":
        ends = due(account, rule, sieve)
        return None if ends is None else account.begun + (ends - account.begun) * percent // 100
    return sieve.due(account.begun, budget(account, rule) * percent // 100)


def corrected(account: Account, rule: Rule, sieve: Sieve, now: int) -> Account:
    """It with time to send a mail anew that was in time; once for a decision, where it is short."""
    short = _short(account, rule, sieve, now)
    if account.corrected or not account.runs or short <= 0:
        return account
    return replace(account, extra=account.extra + short, corrected=True, flagged=False)


def _short(account: Account, rule: Rule, sieve: Sieve, now: int) -> int:
    """Seconds by which the time left is less than `CORRECTION`, which counts by the sieve.

    A daily clock is put off by the clock on the wall, another by what counts.
    """
    if rule.kind != "daily":
        return CORRECTION - remaining(account, rule, sieve, now)
    ends, enough = due(account, rule, sieve), sieve.due(now, CORRECTION)
    return 0 if ends is None or enough is None else enough - ends


def granted(account: Account, rule: Rule, seconds: int) -> Account:
    """It with more time: a bank has more from now on, else this decision has."""
    if rule.kind == "fischer":
        return replace(account, bank=account.bank + seconds, flagged=False)
    if not account.runs:
        return account
    return replace(account, extra=account.extra + seconds, flagged=False)


def moved(account: Account, seconds: int) -> Account:
    """It after the clock of our own machine was set: what was then is called by another time."""
    if not account.runs:
        return account
    started = account.started + seconds if account.started else 0
    return replace(account, asked=account.asked + seconds, started=started)
