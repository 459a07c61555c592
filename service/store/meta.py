"""Single values of no table's own, and when the service was last seen at work."""

from sqlalchemy import BigInteger, func
from sqlmodel import Field, SQLModel, select

from service.store.database import Repository, insert_or_change
from service.store.tables import Meta

#: the one row of the heartbeat
_BEAT = "service"


class Heartbeat(SQLModel, table=True):
    """When the service was last at work, by its own clock; there is one row."""

    __tablename__ = "heartbeat"

    name: str = Field(primary_key=True)
    at: int = Field(sa_type=BigInteger)


class Values(Repository):
    """Single values, and when the service was last at work."""

    def get(self, key: str) -> str | None:
        """A value kept under ``key``."""
        return self._session.exec(select(Meta.value).where(Meta.key == key)).first()

    def set(self, key: str, value: str) -> None:
        """Keep a value under ``key`` instead of the former one."""
        insert_or_change(self._session, Meta, ["value"], key=key, value=value)

    def beat(self, now: int) -> None:
        """Note that the service is at work."""
        self._session.merge(Heartbeat(name=_BEAT, at=now))
        self._session.flush()

    def last_beat(self) -> int | None:
        """When it was last at work; None before it ever was."""
        return self._session.exec(select(func.max(Heartbeat.at))).one()
