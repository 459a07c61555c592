"""Single values without a table of their own, and the heartbeat of the service."""

from sqlalchemy import delete, select

from service.clocks.zones import Seconds
from service.store.columns import col, table
from service.store.database import Repository
from service.store.tables import MetaRow

#: the rows of the heartbeat: when the service last worked, and since when its mailbox is away
_BEAT, DEAF = "service", "deaf"


@table("heartbeat")
class HeartbeatRow:
    """When the service last worked, by its own clock.

    A second row, DEAF, is there only while the mailbox cannot be read, and says since when.
    """

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
        """Record that the service works.

        While the mailbox cannot be read, nothing is recorded: that time is charged to nobody.
        """
        if self._at(DEAF) is not None:
            return
        self._session.insert_or_change(HeartbeatRow, ["name"], [{"name": _BEAT, "at": now}])

    def last_beat(self) -> int | None:
        """When the service last worked; None if it never did."""
        return self._at(_BEAT)

    def deaf(self, now: int) -> None:
        """Record that the mailbox cannot be read from now on, unless it could not before."""
        if self._at(DEAF) is None:
            self._session.insert_or_change(HeartbeatRow, ["name"], [{"name": DEAF, "at": now}])

    def hears(self) -> int | None:
        """Record that the mailbox can be read. Returns since when it could not, or None."""
        since = self._at(DEAF)
        if since is not None:
            self._session.execute(delete(HeartbeatRow).where(col(HeartbeatRow.name) == DEAF))
        return since

    def _at(self, name: str) -> int | None:
        row = col(HeartbeatRow.name) == name
        return self._session.scalar(select(col(HeartbeatRow.at)).where(row))
