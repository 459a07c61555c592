"""Single values without a table of their own, and the heartbeat of the service."""

from sqlalchemy import BigInteger, func
from sqlmodel import Field, SQLModel, select

from service.store.database import Repository, insert_or_change
from service.store.tables import Meta

#: the one row of the heartbeat
_BEAT = "service"


class Heartbeat(SQLModel, table=True):
    """When the service last worked, by its own clock. There is one row."""

    __tablename__ = "heartbeat"

    name: str = Field(primary_key=True)
    at: int = Field(sa_type=BigInteger)


class Values(Repository):
    """Single values, and when the service last worked."""

    def get(self, key: str) -> str | None:
        """The value of ``key``, or None."""
        return self._session.exec(select(Meta.value).where(Meta.key == key)).first()

    def set(self, key: str, value: str) -> None:
        """Set the value of ``key``."""
        insert_or_change(self._session, Meta, ["key"], [{"key": key, "value": value}])

    def beat(self, now: int) -> None:
        """Record that the service works."""
        self._session.merge(Heartbeat(name=_BEAT, at=now))
        self._session.flush()

    def last_beat(self) -> int | None:
        """When the service last worked; None if it never did."""
        return self._session.exec(select(func.max(Heartbeat.at))).one()
