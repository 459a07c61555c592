"""Single values without a table of their own, and the heartbeat of the service."""

from sqlalchemy import func, select

from service.clocks.zones import Seconds
from service.store.columns import col, table
from service.store.database import Repository
from service.store.tables import MetaRow

#: the one row of the heartbeat
_BEAT = "service"


@table("heartbeat")
class HeartbeatRow:
    """When the service last worked, by its own clock. There is one row."""

    name: str
    at: Seconds


class Values(Repository):
    """Single values, and when the service last worked."""

    def get(self, key: str) -> str | None:
        """The value of ``key``, or None."""
        return self._session.scalar(select(col(MetaRow.value)).where(col(MetaRow.key) == key))

    def set(self, key: str, value: str) -> None:
        """Set the value of ``key``."""
        self._session.insert_or_change(MetaRow, ["key"], [{"key": key, "value": value}])

    def beat(self, now: int) -> None:
        """Record that the service works."""
        self._session.insert_or_change(HeartbeatRow, ["name"], [{"name": _BEAT, "at": now}])

    def last_beat(self) -> int | None:
        """When the service last worked; None if it never did."""
        return self._session.scalar(select(func.max(col(HeartbeatRow.at))))
