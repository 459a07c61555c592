"""Single values without a table of their own, and the heartbeat of the service."""

from collections.abc import Collection

from sqlalchemy import ColumnElement, delete, select

from service.clocks.zones import Seconds
from service.store.columns import col, table
from service.store.database import Repository
from service.store.tables import MetaRow

#: the row of the heartbeat that says when the service last worked
_BEAT = "service"


@table("heartbeat")
class HeartbeatRow:
    """When the service last worked, by its own clock.

    A further row, named as a mailbox, is there only while that cannot be read, and says since when.
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

    def endings(self, address: str) -> str | None:
        """How emails from an address end, as `set_endings` got it; None if nothing is known."""
        return self.get(endings_of(address))

    def set_endings(self, address: str, value: str) -> None:
        """Keep how emails from an address end."""
        self.set(endings_of(address), value)

    def beat(self, now: int) -> None:
        """Record that the service works.

        While a mailbox cannot be read, nothing is recorded: that time is charged to nobody.
        """
        if self._session.scalar(select(col(HeartbeatRow.name)).where(deaf()).limit(1)) is not None:
            return
        self._session.insert_or_change(HeartbeatRow, ["name"], [{"name": _BEAT, "at": now}])

    def last_beat(self) -> int | None:
        """When the service last worked; None if it never did."""
        return self._at(_BEAT)

    def deaf(self, mailbox: str, now: int) -> None:
        """Record that a mailbox cannot be read from now on, unless it could not before."""
        if self._at(mailbox) is None:
            self._session.insert_or_change(HeartbeatRow, ["name"], [{"name": mailbox, "at": now}])

    def hears(self, mailbox: str) -> int | None:
        """Record that a mailbox can be read. Returns since when it could not, or None."""
        since = self._at(mailbox)
        if since is not None:
            self._session.execute(delete(HeartbeatRow).where(col(HeartbeatRow.name) == mailbox))
        return since

    def forget_others(self, mailboxes: Collection[str]) -> None:
        """Nobody reads any mailbox but these any more."""
        others = deaf() & col(HeartbeatRow.name).not_in(mailboxes)
        self._session.execute(delete(HeartbeatRow).where(others))

    def _at(self, name: str) -> int | None:
        row = col(HeartbeatRow.name) == name
        return self._session.scalar(select(col(HeartbeatRow.at)).where(row))


def endings_of(address: str) -> str:
    """The key of what is known of how emails from an address end."""
    return f"endings:{address.lower()}"


def deaf() -> ColumnElement[bool]:
    """Whether a row of the heartbeat says that a mailbox cannot be read."""
    return col(HeartbeatRow.name) != _BEAT
