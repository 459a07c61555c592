"""Occasions: every cause of a change or a letter is recorded here once.

It knows no kinds of occasions but that of an email, and has no clock.
"""

from collections.abc import Collection

from sqlmodel import Session, col, select, update

from service.store.database import Repository, insert_new
from service.store.rows import Occasion, OccasionRow, frozen
from service.store.tables import OccasionRecord


def by_mail(mail: int, game: str = "", seat: str = "") -> Occasion:
    """The occasion of an incoming email, by its id."""
    return Occasion("mail", f"mail-{mail}", game, seat, mail)


def record(session: Session, occasion: Occasion, now: int) -> int:
    """The id of an occasion, recorded if it is new; its seat may be added later.

    A thousand letters of one transaction have the same occasion, so it is looked up once.
    """
    known: dict[tuple[str, str, str], int] = session.info.setdefault("occasions", {})
    whose = (occasion.key, occasion.game, occasion.seat)
    if whose not in known:
        known[whose] = _record(session, occasion, now)
    return known[whose]


def _record(session: Session, occasion: Occasion, now: int) -> int:
    made = _insert(session, occasion, now)
    if made is not None:
        return made
    called = OccasionRecord.key == occasion.key
    if occasion.seat:
        unknown = (col(OccasionRecord.key) == occasion.key, col(OccasionRecord.seat) == "")
        learnt = update(OccasionRecord).where(*unknown)
        session.exec(learnt.values(game=occasion.game, seat=occasion.seat))
    found = session.exec(select(OccasionRecord.id).where(called)).one()
    assert found is not None
    return found


def _insert(session: Session, occasion: Occasion, now: int) -> int | None:
    values = {name: getattr(occasion, name) for name in Occasion.__dataclass_fields__}
    return insert_new(session, OccasionRecord, at=now, **values)


class Occasions(Repository):
    """The causes of changes and letters, each recorded once."""

    def record(self, occasion: Occasion, now: int) -> int:
        """The id of an occasion, the same for every try."""
        return record(self._session, occasion, now)

    def first(self, occasion: Occasion, now: int) -> bool:
        """Whether an occasion that happens once is new; it is recorded then."""
        return _insert(self._session, occasion, now) is not None

    def get(self, number: int) -> OccasionRow:
        """An occasion by its id. Raises LookupError if there is none."""
        found = self._session.get(OccasionRecord, number)
        if found is None:
            raise LookupError(f"there is no occasion {number}")
        return frozen(OccasionRow, found)

    def called(self, numbers: Collection[int], begins: str) -> frozenset[int]:
        """The ids of those occasions whose keys begin with ``begins``."""
        which = (col(OccasionRecord.id).in_(numbers), col(OccasionRecord.key).startswith(begins))
        found = self._session.exec(select(OccasionRecord.id).where(*which))
        return frozenset(number for number in found if number is not None)

    def named(self, key: str) -> OccasionRow | None:
        """The occasion with that key, None if it has not happened."""
        wanted = select(OccasionRecord).where(OccasionRecord.key == key)
        found = self._session.exec(wanted).first()
        return None if found is None else frozen(OccasionRow, found)
