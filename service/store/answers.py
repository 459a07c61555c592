"""The reply guard: which answers were given lately, and which are delayed.

`service.rations` has the limits.
"""

from collections.abc import Mapping, Sequence

from sqlalchemy import and_, delete, func, insert, or_
from sqlmodel import col, select

from service.rations import Ration, Rations, Who, mailbox, ration, scarcest
from service.store.database import Repository
from service.store.rows import HeldRow, frozen
from service.store.tables import Held, ReplyGuard, Work


class Answers(Repository):
    """Recent answers, delayed answers, and the work that questions caused."""

    @property
    def _rations(self) -> Rations:
        """The limits of this store."""
        rations: Rations = self._session.info["rations"]
        return rations

    def ration(self, who: Who, now: int) -> Ration:
        """How many answers are left, by the limits that an answer to ``who`` would count against.

        Raises KeyError for a kind without limits.
        """
        given = self._given(who, now)
        return scarcest([ration(given[key, kind], self._rations[kind], now) for key, kind in who])

    def _given(self, who: Who, now: int) -> Mapping[tuple[str, str], Sequence[int]]:
        """The times of the answers that still count against these limits."""
        given: dict[tuple[str, str], list[int]] = {one: [] for one in who}
        counts = [
            and_(
                col(ReplyGuard.address) == key,
                col(ReplyGuard.kind) == kind,
                col(ReplyGuard.at) > now - max(seconds for _, seconds in self._rations[kind]),
            )
            for key, kind in given
        ]
        wanted = select(ReplyGuard.address, ReplyGuard.kind, ReplyGuard.at).where(or_(*counts))
        for key, kind, at in self._session.exec(wanted) if counts else ():
            given[key, kind].append(at)
        return given

    def count(self, who: Who, now: int) -> None:
        """Count an answer against all of ``who``."""
        given = [{"address": key, "kind": kind, "at": now} for key, kind in who]
        if given:
            self._session.execute(insert(ReplyGuard), given)

    def forget(self, now: int) -> None:
        """Delete answers that no limit counts any longer."""
        longest = max(seconds for limits in self._rations.values() for _, seconds in limits)
        self._session.exec(delete(ReplyGuard).where(col(ReplyGuard.at) <= now - longest))

    def may(self, address: str, kind: str, now: int) -> bool:
        """Whether a limited answer may go to ``address``; if so, it is counted.

        This stops an exchange between two robots. Raises KeyError for a kind without limits.
        """
        who = ((mailbox(address), kind),)
        if self.ration(who, now).left < 1:
            return False
        self.count(who, now)
        return True

    def hold(self, game: str, seat: str, mail: int, about: str, now: int, due: int) -> None:
        """Delay the answer to a player's email until ``due``; seat "" is the organizer."""
        self._made(Held(game=game, seat=seat, inbox_id=mail, about=about, at=now, due=due))

    def held(self, game: str, seat: str) -> tuple[HeldRow, ...]:
        """The emails of a seat whose answer is delayed, in order of arrival."""
        which = (Held.game == game, Held.seat == seat)
        every = self._session.exec(select(Held).where(*which).order_by(col(Held.id)))
        return tuple(frozen(HeldRow, one) for one in every)

    def forget_held(self, held: Sequence[HeldRow]) -> None:
        """Delete these delayed answers, because they were given."""
        which = col(Held.id).in_([one.id for one in held])
        self._session.exec(delete(Held).where(which))

    def spend(self, address: str, seconds: float, now: int) -> None:
        """Record the work that a sender's questions caused."""
        if seconds >= 0.001:
            self._session.add(Work(address=address.lower(), spent=round(seconds * 1000), at=now))
            self._session.flush()

    def spent(self, address: str, since: int) -> tuple[float, int]:
        """Seconds of work for a sender after ``since``, and the time of the first of it."""
        mine = (Work.address == address.lower(), Work.at > since)
        chosen = select(func.sum(Work.spent), func.min(Work.at)).where(*mine)
        total, first = self._session.exec(chosen).one()
        return (total or 0) / 1000, first or 0

    def forget_work(self, until: int) -> None:
        """Delete the work recorded until then."""
        self._session.exec(delete(Work).where(col(Work.at) <= until))
