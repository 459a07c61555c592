"""Crashes of the service at any point: a store that reports each call, and the next crash.

A crash is not an Exception, so no handler catches it. Open transactions are rolled back as after a
power cut.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from service.rations import Rations
from service.store import QUEUES, REPOSITORIES, Store, Tx
from service.workshop.rehearsal.faults import CALLS


class Crashed(BaseException):
    """The simulated end of the process."""


class Fate:
    """The point of the next crash, and how often the service has reached it."""

    def __init__(self) -> None:
        self._when, self._point, self._left = "", "", 0
        self.passed = 0

    def arm(self, when: str, point: str, number: int) -> None:
        """Crash "before" or "after" a point, when it is reached for the ``number``-th time.

        Number 0 only counts how often the service reaches it.
        """
        self._when, self._point, self._left = when, point, number
        self.passed = 0

    def disarm(self) -> None:
        """Cancel the crash."""
        self._when = ""

    def reach(self, when: str, point: str) -> None:
        """Note that the service has reached a point. Raises Crashed if the crash is due."""
        if (when, point) != (self._when, self._point):
            return
        self.passed += 1
        if self.passed == self._left:
            self.disarm()
            raise Crashed(f"{when} {point}")


class WatchedStore(Store):
    """A store that may crash at each call and each transaction."""

    def __init__(self, url: str, answers: Rations, fate: Fate) -> None:
        """``fate`` hears of each call."""
        self._fate = fate
        super().__init__(url, answers)
        for name in QUEUES:
            setattr(self, name, _Watched(getattr(self, name), name, fate, "commit"))

    @contextmanager
    def transaction(self) -> Iterator[Tx]:
        """A transaction whose calls are reported too."""
        with super().transaction() as tx:
            yield self._watched(tx)
            self._fate.reach("before", "commit")
        self._fate.reach("after", "commit")

    @contextmanager
    def reading(self) -> Iterator[Tx]:
        """The same for a transaction that only reads."""
        with super().reading() as tx:
            yield self._watched(tx)

    def _watched(self, tx: Tx) -> Tx:
        for name in REPOSITORIES:
            setattr(tx, name, _Watched(getattr(tx, name), name, self._fate))
        return tx


class _Watched:
    """A repository or a queue that reports each call, and ``also`` with it."""

    def __init__(self, watched: object, name: str, fate: Fate, *also: str) -> None:
        self._watched, self._name, self._fate, self._also = watched, name, fate, also

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - as any attribute's
        found = getattr(self._watched, name)
        point = f"{self._name}.{name}"
        return _watched(found, self._fate, point, *self._also) if point in CALLS else found


def _watched(call: Callable[..., Any], fate: Fate, *points: str) -> Callable[..., Any]:
    @wraps(call)
    def watched(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - whatever the call takes
        for point in points:
            fate.reach("before", point)
        result = call(*args, **kwargs)
        for point in points:
            fate.reach("after", point)
        return result

    return watched
