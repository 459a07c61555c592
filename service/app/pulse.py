"""The heartbeat of the service: downtime and jumps of the system clock are charged to no player.

While the service works, it records that every minute. A longer gap becomes a span that is charged
to nobody. If the system clock is set back, all earlier times are moved with it. So no time bank
gains or loses an hour.
"""

from collections.abc import Callable, Collection

import structlog

from service.desk.door import NOTHING, Done, finish
from service.games import games, timing
from service.store import Store, Tx

log = structlog.get_logger()

#: seconds between two records, and the largest error of a clock between two
_EVERY, _WRONG = 60, 5
DOWNTIME = "down"


class Pulse:
    """The heartbeat of one worker."""

    def __init__(
        self,
        store: Store,
        silence: int,
        steady: Callable[[], float] | None = None,
        mailboxes: Collection[str] = (),
    ) -> None:
        """A gap longer than ``silence`` seconds counts as downtime.

        Email comes from ``mailboxes``, by name. While one of them cannot be read, nothing counts.

        ``steady`` is a clock that nobody sets and that stops while the machine sleeps. Without it,
        only a clock that is set back is noticed.
        """
        self._store, self._silence, self._steady = store, silence, steady
        self._mailboxes = mailboxes
        #: the clock and the steady one at the last look, and when a record was written
        self._last: tuple[int, float] | None = None
        self._noted = 0
        #: by mailbox, whether this worker has recorded that it can be read, or that it cannot
        self._heard: dict[str, bool] = {}

    def beat(self, now: int) -> None:
        """The service works; ``now`` is in UTC seconds by our own clock. Raises Unavailable."""
        even = self._steady() if self._steady else float(now)
        if self._last is None:
            self._begin(now)
        else:
            clock, steady = self._last
            passed = now - clock if self._steady is None else round(even - steady)
            if now < clock - _WRONG or (self._steady and now - clock < passed - _WRONG):
                self._set_back(clock + max(passed, 0), now)
            elif self._steady and now - clock > passed + _WRONG:
                self._silent(clock + passed, now)
        self._last = now, even
        if not 0 <= now - self._noted < _EVERY:
            self.note(now)

    def note(self, now: int) -> None:
        """Record that the service works."""
        with self._store.transaction() as tx:
            tx.meta.beat(now)
        self._noted = now

    def deaf(self, mailbox: str, now: int) -> None:
        """A mailbox cannot be read. All workers know of it, because only one of them reads it."""
        if self._heard.get(mailbox) is not False:
            with self._store.transaction() as tx:
                tx.meta.deaf(mailbox, now)
        self._heard[mailbox] = False

    def hears(self, mailbox: str, now: int) -> None:
        """A mailbox can be read; if the gap before was long, it is charged to nobody."""
        if self._heard.get(mailbox):
            return
        with self._store.transaction() as tx:
            since = tx.meta.hears(mailbox)
        self._heard[mailbox] = True
        if since is not None and now - since > self._silence:
            self._silent(since, now)

    def forget(self, mailbox: str) -> None:
        """Another worker has read a mailbox meanwhile."""
        self._heard.pop(mailbox, None)

    def _begin(self, now: int) -> None:
        """The first beat of this worker: it measures how long no worker was active."""
        with self._store.transaction() as tx:
            last = tx.meta.last_beat()
            tx.meta.forget_others(self._mailboxes)
        if last is None:
            return
        if now < last:
            self._set_back(last, now)
        elif now - last > self._silence:
            self._silent(last, now)

    def _silent(self, since: int, now: int) -> None:
        log.warning("nothing counts on clocks", seconds=now - since)

        def store(tx: Tx) -> None:
            tx.clocks.add_span(None, "", DOWNTIME, since, now)

        finish(self._store, now, NOTHING, Done(also=store))

    def _set_back(self, before: int, now: int) -> None:
        """The clock was set back: the time ``before`` is now the time ``now``."""
        log.warning("the clock was set back", seconds=before - now)

        def store(tx: Tx) -> None:
            for row in tx.games.lines("running"):
                table = games.load(tx, row.name)
                for clock in table.clocks if table else ():
                    # the old time at which a server accepted a letter is known
                    tx.clocks.set(row.id, clock)
            tx.clocks.shift_spans(before, now - before)
            tx.clocks.shift(now - before)
            for row in tx.games.lines("running"):
                table = games.load(tx, row.name)
                rule = timing.rule_of(table) if table else None
                if table is not None and rule is not None:
                    timing.keep(tx, table, timing.accounts_of(table, rule), now)

        finish(self._store, now, NOTHING, Done(also=store))
