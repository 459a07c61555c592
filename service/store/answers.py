"""The reply guard: which answers were given lately, and which are delayed.

`service.rations` has the limits.
"""

from collections.abc import Mapping, Sequence

from sqlalchemy import Index, UniqueConstraint, and_, delete, func, insert, or_, select

from service.clocks.zones import Seconds
from service.rations import Counters, Ration, Rations, ration, scarcest
from service.store.columns import MailId, col, read, table
from service.store.database import Repository


@table(
    "reply_guard",
    Index("reply_guard_address", "address", "kind", "at"),
    Index("reply_guard_at", "at"),
)
class AnswerRow:
    """The time of an answer to an address, of a kind with a limit."""

    id: int
    address: str
    kind: str
    at: Seconds


@table("work", Index("work_address", "address", "at"), Index("work_at", "at"))
class WorkRow:
    """Milliseconds of work that the questions of one email caused, by its sender's address."""

    id: int
    address: str
    spent: int
    at: Seconds


@table(
    "unanswered",
    UniqueConstraint("inbox_id", name="unanswered_inbox_id"),
    Index("unanswered_due", "due"),
)
class UnansweredRow:
    """A holder's email that changed nothing, whose answer is delayed and joined with others."""

    id: int
    game: str
    holder: str
    inbox_id: MailId
    about: str
    at: Seconds
    due: Seconds


class Answers(Repository):
    """Recent answers, delayed answers, and the work that questions caused."""

    @property
    def _rations(self) -> Rations:
        """The limits of this store."""
        return self._session.rations

    def ration(self, counters: Counters, now: int) -> Ration:
        """How many answers are left, by the limits of all these counters.

        Raises KeyError for a kind without limits.
        """
        given = self._given(counters, now)
        return scarcest(
            [ration(given[key, kind], self._rations[kind], now) for key, kind in counters]
        )

    def _given(self, counters: Counters, now: int) -> Mapping[tuple[str, str], Sequence[int]]:
        """The times of the answers that still count against these limits."""
        given: dict[tuple[str, str], list[int]] = {one: [] for one in counters}
        counts = [
            and_(
                col(AnswerRow.address) == key,
                col(AnswerRow.kind) == kind,
                col(AnswerRow.at) > now - max(seconds for _, seconds in self._rations[kind]),
            )
            for key, kind in given
        ]
        wanted = select(col(AnswerRow.address), col(AnswerRow.kind), col(AnswerRow.at)).where(
            or_(*counts)
        )
        for key, kind, at in self._session.execute(wanted) if counts else ():
            given[key, kind].append(at)
        return given

    def count(self, counters: Counters, now: int) -> None:
        """Count an answer against all of ``counters``."""
        given = [{"address": key, "kind": kind, "at": now} for key, kind in counters]
        if given:
            self._session.execute(insert(AnswerRow), given)

    def forget(self, now: int) -> None:
        """Delete answers that no limit counts any longer."""
        longest = max(seconds for limits in self._rations.values() for _, seconds in limits)
        self._session.execute(delete(AnswerRow).where(col(AnswerRow.at) <= now - longest))

    def answer_later(
        self, game: str, holder: str, mail: int, about: str, now: int, due: int
    ) -> None:
        """Delay the answer to a holder's email until ``due``."""
        when = {"at": now, "due": due}
        self._session.insert(
            UnansweredRow, game=game, holder=holder, inbox_id=mail, about=about, **when
        )

    def unanswered(self, game: str, holder: str) -> tuple[UnansweredRow, ...]:
        """The emails of a holder whose answer is delayed, in order of arrival."""
        which = (col(UnansweredRow.game) == game, col(UnansweredRow.holder) == holder)
        return self._session.rows(read(UnansweredRow).where(*which).order_by(col(UnansweredRow.id)))

    def forget_unanswered(self, answered: Sequence[UnansweredRow]) -> None:
        """Delete these delayed answers, because they were given."""
        which = col(UnansweredRow.id).in_([one.id for one in answered])
        self._session.execute(delete(UnansweredRow).where(which))

    def spend(self, address: str, seconds: float, now: int) -> None:
        """Record the work that a sender's questions caused."""
        if seconds >= 0.001:
            spent = round(seconds * 1000)
            self._session.insert(WorkRow, address=address.lower(), spent=spent, at=now)

    def spent(self, address: str, since: int) -> tuple[float, int]:
        """Seconds of work for a sender after ``since``, and the time of the first of it."""
        mine = (col(WorkRow.address) == address.lower(), col(WorkRow.at) > since)
        chosen = select(func.sum(col(WorkRow.spent)), func.min(col(WorkRow.at))).where(*mine)
        total, first = self._session.execute(chosen).one()
        return (total or 0) / 1000, first or 0

    def forget_work(self, until: int) -> None:
        """Delete the work recorded until then."""
        self._session.execute(delete(WorkRow).where(col(WorkRow.at) <= until))
