"""The reply guard: which answers were given lately, and which wait; a part of the store.

How many there may be says `service.rations`.
"""

from collections.abc import Mapping, Sequence

from sqlalchemy import and_, delete, func, insert, or_
from sqlmodel import col, select

from service.rations import Ration, Rations, Who, mailbox, ration, scarcest
from service.store.database import Repository
from service.store.rows import HeldRow, frozen
from service.store.tables import Held, ReplyGuard, Work


class Answers(Repository):
    """Answers that were given and that wait, and the work that questions made."""

    @property
    def _rations(self) -> Rations:
        """Those of the store."""
        rations: Rations = self._session.info["rations"]
        return rations

    def ration(self, who: Who, now: int) -> Ration:
        """What is left of the rations that an answer would be counted for.

        Raises KeyError for a kind that is not rationed.
        """
        given = self._given(who, now)
        return scarcest([ration(given[key, kind], self._rations[kind], now) for key, kind in who])

    def _given(self, who: Who, now: int) -> Mapping[tuple[str, str], Sequence[int]]:
        """When the answers were given that still count for them."""
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
        """An answer is given: it is counted for all of them."""
        given = [{"address": key, "kind": kind, "at": now} for key, kind in who]
        if given:
            self._session.execute(insert(ReplyGuard), given)

    def forget(self, now: int) -> None:
        """Answers that no ration counts any more."""
        longest = max(seconds for limits in self._rations.values() for _, seconds in limits)
        self._session.exec(delete(ReplyGuard).where(col(ReplyGuard.at) <= now - longest))

    def may(self, address: str, kind: str, now: int) -> bool:
        """Whether a rationed answer may go to ``address``; if so it is counted as given.

        This is what ends a duel of two robots. Raises KeyError for a kind that is not rationed.
        """
        who = ((mailbox(address), kind),)
        if self.ration(who, now).left < 1:
            return False
        self.count(who, now)
        return True

    def hold(self, game: str, seat: str, mail: int, about: str, now: int, due: int) -> None:
        """Remember a player's mail that is not answered before ``due``; seat "": the organiser."""
        self._made(Held(game=game, seat=seat, inbox_id=mail, about=about, at=now, due=due))

    def held(self, game: str, seat: str) -> tuple[HeldRow, ...]:
        """The mails of a seat whose answer waits, in the order they came."""
        which = (Held.game == game, Held.seat == seat)
        every = self._session.exec(select(Held).where(*which).order_by(col(Held.id)))
        return tuple(frozen(HeldRow, one) for one in every)

    def forget_held(self, held: Sequence[HeldRow]) -> None:
        """These have been answered."""
        which = col(Held.id).in_([one.id for one in held])
        self._session.exec(delete(Held).where(which))

    def spend(self, address: str, seconds: float, now: int) -> None:
        """Note work that a sender's questions made."""
        if seconds >= 0.001:
            self._session.add(Work(address=address.lower(), spent=round(seconds * 1000), at=now))
            self._session.flush()

    def spent(self, address: str, since: int) -> tuple[float, int]:
        """Seconds of work for a sender after ``since``, and when the first of it was."""
        mine = (Work.address == address.lower(), Work.at > since)
        chosen = select(func.sum(Work.spent), func.min(Work.at)).where(*mine)
        total, first = self._session.exec(chosen).one()
        return (total or 0) / 1000, first or 0

    def forget_work(self, until: int) -> None:
        """Forget work until then."""
        self._session.exec(delete(Work).where(col(Work.at) <= until))
