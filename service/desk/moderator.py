"""One email, one straight line: whose is it, what does it ask, and all of it stored at once.

The position is read in one transaction and changed in another; in between commands are applied and
pictures drawn. If somebody was faster, `Conflict` rises and the email is begun again.
"""

from collections.abc import Callable

from service.desk import posts, shown_tickets
from service.desk.asked import watch_answers
from service.desk.door import Cause, Conclusion, finish
from service.desk.faults import Faults
from service.desk.letters.post import House
from service.desk.proving import proof
from service.desk.proving.arrived import Arrived
from service.desk.tournament import mail as tournament_mail
from service.desk.undelivered import Undelivered
from service.desk.writers import of_address, of_seat, once_of_seat
from service.mail.automatic import direct
from service.mail.message import Mail, cut_phrases
from service.mail.reader import reader
from service.store import InboxRow, Store


def from_robots(came: Arrived) -> Conclusion | None:
    """Delivery reports are read; nothing else that a program sends is, nor what we have sent."""
    mail = came.mail
    silent = mail.automatic or ("" if mail.sender else "no sender")
    if not silent and mail.sender != came.house.address:
        return None
    report = Undelivered(came.store, came.house, came.now).read(came.row, mail)
    return came.ignored(report or silent or "our own email")


def beyond_bounds(came: Arrived) -> Conclusion | None:
    """What breaks the bounds in which emails are read is put aside."""
    aside = came.mail.aside
    note = f"The email breaks the bounds in which emails are read: {aside}."
    faults = Faults(came.store, came.house, came.now)
    return faults.aside(came.row, note, aside) if aside else None


def copies_of_lists(came: Arrived) -> Conclusion | None:
    """Whoever also wrote to us has sent us a copy of their own."""
    mail = came.mail
    if mail.listed and not direct(mail.delivered_to, mail.shared_with, came.house.address):
        return came.ignored(mail.listed)
    return None


def with_shown_tokens(came: Arrived) -> Conclusion | None:
    """Addresses that the email has shown to others are made anew; some of them answer it."""
    proof.renew_shown(came.store, came.desk, came.mail)
    return shown_tickets.renew(came)


#: Whose an email is: the first of these that knows it concludes it, and the last always does.
#: The order matters: what a program or a list sends is never taken for a person's, and no token
#: counts before those that the email has shown to others are void.
STEPS: tuple[Callable[[Arrived], Conclusion | None], ...] = (
    posts.post,
    watch_answers.leaves,
    from_robots,
    beyond_bounds,
    copies_of_lists,
    tournament_mail.addressed,
    with_shown_tokens,
    of_seat,
    once_of_seat,
    of_address,
)


class Moderator:
    """Handles one mail at a time."""

    def __init__(
        self,
        store: Store,
        house: House,
        now: int,
        read: Callable[[bytes], Mail] | None = None,
    ) -> None:
        """``now`` in UTC seconds; ``read`` reads mails in bounds, by itself a process does."""
        self._store = store
        self._house = house
        self._now = now
        self._read = read or reader()

    def handle(self, row: InboxRow) -> None:
        """Do what the mail asks, and settle it.

        Raises Conflict if somebody was faster, and `proof.Waits` where it is to be begun again.
        """
        mail = self._read(row.raw)
        came = Arrived(self._store, self._house, self._now, row, mail)
        concluded = (step(came) for step in STEPS)
        conclusion = next(one for one in concluded if one is not None)
        finish(self._store, self._now, Cause(mail=row.id), conclusion)
        if mail.phrase or mail.new_phrase:
            self._store.mails.cut(row.id, cut_phrases(row.raw, mail))

    def put_aside(self, row: InboxRow, note: str) -> None:
        """Keep a mail that met a fault of ours; those concerned are told."""
        conclusion = Faults(self._store, self._house, self._now).aside(row, note)
        finish(self._store, self._now, Cause(mail=row.id), conclusion)
