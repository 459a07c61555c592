"""Counts answers to emails that prove no seat, and decides who is informed when none are left.

From can be forged: somebody who writes an address into many emails uses up the answers to it. So
emails that the sender's domain confirms have a count of their own, which nobody else uses up.
"""

from collections.abc import Callable

from service import rations
from service.audience import OPERATOR
from service.desk.door import Done
from service.desk.letters.desk import Desk
from service.desk.rationing.answer_rations import Answering, within_ration
from service.reports import note_page
from service.reports.words import moment
from service.store import Tx

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


def too_many(reads: Tx, desk: Desk, sender: str, answers: Answering) -> Done:
    """Do not answer, as the last answer said; inform the operator if others used it up."""
    done = Done("not answered: too many emails of strangers", fate="ignored")
    operator = desk.service.operator
    if not operator or not Answering(reads, desk, answers.counters[:1]).possible:
        return done
    lines = (CAME_FROM.format(sender=sender), GO_ON_FROM.format(when=moment(answers.until)))
    about = desk.service.about()
    page = note_page(OPERATOR, TOO_MANY_SUBJECT, NOT_ANSWERED, lines, about=about)
    ration = Answering(reads, desk, rations.address(operator, "told"))
    return done.beside(within_ration(ration, [desk.to_operator("told", page)]))


def rationed(reads: Tx, desk: Desk, sender: str, signed: Callable[[], bool]) -> Answering:
    """What is left for a sender; asks the domain by ``signed`` only where it matters.

    Raises what ``signed`` raises: `proof.WaitsForKey` while its keys are looked up.
    """
    answers = Answering(reads, desk, rations.stranger(sender))
    if not answers.possible and signed():
        answers = Answering(reads, desk, rations.vouched(sender))
    return answers
