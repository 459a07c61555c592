"""Counts answers to emails that prove no seat, and decides who is informed when none are left.

From can be forged: somebody who writes an address into many emails uses up the answers to it. So
emails that the sender's domain confirms have a count of their own, which nobody else uses up.
"""

from collections.abc import Callable
from dataclasses import dataclass

from service import rations
from service.audience import OPERATOR
from service.desk.door import Done
from service.desk.letters.post import Desk
from service.desk.rationing.later_answers import MEANWHILE
from service.rations import Counters, Ration
from service.reports import note_page
from service.reports.words import moment
from service.store import Conflict, Tx

TOO_MANY_SUBJECT = "Too many emails of strangers"
NOT_ANSWERED = "Emails were not answered."
CAME_FROM = (
    "Emails came from {sender}, and perhaps from others, that were neither answered nor carried "
    "out. The answers to emails without a seat, to one domain or in all, are used up."
)
GO_ON_FROM = (
    "They go on from {when}. The emails are kept; players are "
    "not concerned. Settings: `limits.domain_hour` and its neighbours."
)


@dataclass(frozen=True)
class StrangerRation:
    """The ration for one such email: ``left`` is what was left of ``counters`` then."""

    desk: Desk
    sender: str
    counters: Counters
    left: Ration

    @property
    def possible(self) -> bool:
        """Whether there is an answer now."""
        return self.left.left > 0

    def count(self, tx: Tx) -> None:
        """Count the answer; raises Conflict if another was given meanwhile."""
        if tx.answers.ration(self.counters, self.desk.now) != self.left:
            raise Conflict(MEANWHILE)
        tx.answers.count(self.counters, self.desk.now)

    def too_many(self, tx: Tx) -> Done:
        """Do not answer, as the last answer said; inform the operator if others used it up."""
        note = "not answered: too many emails of strangers"
        now, service = self.desk.now, self.desk.service
        own = tx.answers.ration(self.counters[:1], now)
        if own.left and service.operator and tx.answers.may(service.operator, "told", now):
            lines = (
                CAME_FROM.format(sender=self.sender),
                GO_ON_FROM.format(when=moment(self.left.until)),
            )
            page = note_page(OPERATOR, TOO_MANY_SUBJECT, NOT_ANSWERED, lines, about=service.about())
            return Done(note, [self.desk.to_operator("told", page)], "ignored")
        return Done(note, fate="ignored")


def rationed(reads: Tx, desk: Desk, sender: str, signed: Callable[[], bool]) -> StrangerRation:
    """What is left for a sender; asks the domain by ``signed`` only where it matters.

    Raises what ``signed`` raises: `proof.WaitsForKey` while its keys are looked up.
    """
    counters = rations.stranger(sender)
    left = reads.answers.ration(counters, desk.now)
    if left.left < 1 and signed():
        counters = rations.vouched(sender)
        left = reads.answers.ration(counters, desk.now)
    return StrangerRation(desk, sender, counters, left)
