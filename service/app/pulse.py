"""The sign of life of the service: what it did not hear counts on no clock, nor does a set clock.

While it is at work it notes so every minute. A silence that is longer than it should be is a span
that counts for nobody. Where the clock of our machine is set back, all that lies behind is called
by the new time, so that no bank gains an hour or loses one.
"""

from collections.abc import Callable

import structlog

from service.games import games, timing
from service.store import Store

log = structlog.get_logger()

#: seconds between two notes, and by how many a clock may go wrong between two
_EVERY, _WRONG = 60, 5
KIND = "down"


class Pulse:
    """The sign of life of one worker."""

    def __init__(
        self, store: Store, silence: int, steady: Callable[[], float] | None = None
    ) -> None:
        """Longer than ``silence`` seconds nothing should be heard of it.

        ``steady`` goes on evenly whatever the clock is set to, and stands still while our machine
        does; without it only a clock that is set back is noticed.
        """
        self._store, self._silence, self._steady = store, silence, steady
        #: the clock and the steady one at the last look, and when a note was written
        self._last: tuple[int, float] | None = None
        self._noted = 0
        self._deaf = 0

    def beat(self, now: int) -> None:
        """It is at work; ``now`` in UTC seconds by our own clock. Raises Unavailable."""
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
        if not (self.is_deaf or 0 <= now - self._noted < _EVERY):
            # what is not heard is not written down as heard: another worker may go on from here
            self.note(now)

    def note(self, now: int) -> None:
        """Write down that it is at work."""
        with self._store.transaction() as tx:
            tx.meta.beat(now)
        self._noted = now

    @property
    def is_deaf(self) -> bool:
        """Whether the mailbox cannot be looked into."""
        return bool(self._deaf)

    def deaf(self, now: int) -> None:
        """The mailbox cannot be looked into."""
        self._deaf = self._deaf or now

    def hears(self, now: int) -> None:
        """It can be again: what lies between counts for nobody, if it was long."""
        since, self._deaf = self._deaf, 0
        if since and now - since > self._silence:
            self._silent(since, now)

    def _begin(self, now: int) -> None:
        """The first sign of this worker: how long was nobody at work?"""
        with self._store.transaction() as tx:
            last = tx.meta.last_beat()
        if last is None:
            return
        if now < last:
            self._set_back(last, now)
        elif now - last > self._silence:
            self._silent(last, now)

    def _silent(self, since: int, now: int) -> None:
        log.warning("nothing counts on clocks", seconds=now - since)
        with self._store.transaction() as tx:
            tx.clocks.add_span(None, "", KIND, since, now)

    def _set_back(self, before: int, now: int) -> None:
        """What was ``before`` by our clock is ``now`` by it."""
        log.warning("the clock was set back", seconds=before - now)
        with self._store.transaction() as tx:
            for row in tx.games.lines("running"):
                table = games.load(tx, row.name)
                for clock in table.clocks if table else ():
                    # it is known of a letter that a server took it, by the old time
                    tx.clocks.set(row.id, clock)
            tx.clocks.shift_spans(before, now - before)
            tx.clocks.shift(now - before)
            for row in tx.games.lines("running"):
                table = games.load(tx, row.name)
                rule = timing.rule_of(table) if table else None
                if table is not None and rule is not None:
                    timing.keep(tx, table, timing.accounts_of(table, rule), now)
