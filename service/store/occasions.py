"""Occasions: every cause of a change or a letter is recorded here once.

It knows no kinds of occasions but that of an email, and has no clock.
"""

from collections.abc import Collection

from sqlalchemy import delete, select, update

from service.store.columns import METADATA, col, read
from service.store.database import Repository, Session
from service.store.tables import Occasion, OccasionRow


def by_mail(mail: int, game: str = "", seat: str = "") -> Occasion:
    """The occasion of an incoming email, by its id."""
    return Occasion("mail", f"mail-{mail}", game, seat, mail)


def record(session: Session, occasion: Occasion, now: int) -> int:
    """The id of an occasion, recorded if it is new; its seat may be added later.

    A thousand letters of one transaction have the same occasion, so it is looked up once.
    """
    known = session.occasions
    whose = (occasion.key, occasion.game, occasion.seat)
    if whose not in known:
        known[whose] = _record(session, occasion, now)
    return known[whose]


def _record(session: Session, occasion: Occasion, now: int) -> int:
    made = _insert(session, occasion, now)
    if made is not None:
        return made
    called = col(OccasionRow.key) == occasion.key
    if occasion.seat:
        unknown = (col(OccasionRow.key) == occasion.key, col(OccasionRow.seat) == "")
        learnt = update(OccasionRow).where(*unknown)
        session.execute(learnt.values(game=occasion.game, seat=occasion.seat))
    return session.scalars(select(col(OccasionRow.id)).where(called)).one()


def _insert(session: Session, occasion: Occasion, now: int) -> int | None:
    return session.insert_new(OccasionRow, at=now, **vars(occasion))


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
        found = self._session.row(read(OccasionRow).where(col(OccasionRow.id) == number))
        if found is None:
            raise LookupError(f"there is no occasion {number}")
        return found

    def forget(self, since: int, before: int) -> int:
        """Delete the occasions between two times to which nothing refers; returns how many."""
        which = [col(OccasionRow.at) >= since, col(OccasionRow.at) < before]
        for other in METADATA.tables.values():
            if "occasion_id" in other.c:
                same = other.c.occasion_id == col(OccasionRow.id)
                # With the limit, PostgreSQL looks for one row. Else it may read the whole table.
                found = select(other.c.occasion_id).where(same).limit(1).scalar_subquery()
                which.append(found.is_(None))
        return self._session.execute(delete(OccasionRow).where(*which)).rowcount

    def called(self, numbers: Collection[int], begins: str) -> frozenset[int]:
        """The ids of those occasions whose keys begin with ``begins``."""
        which = (col(OccasionRow.id).in_(numbers), col(OccasionRow.key).startswith(begins))
        return frozenset(self._session.scalars(select(col(OccasionRow.id)).where(*which)))

    def named(self, key: str) -> OccasionRow | None:
        """The occasion with that key, None if it has not happened."""
        return self._session.row(read(OccasionRow).where(col(OccasionRow.key) == key))
