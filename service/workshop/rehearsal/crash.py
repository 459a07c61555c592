"""Ends of the service at any point: a store that tells of each call, and the fate that awaits one.

A crash is no Exception, so that nothing on its way catches it; what it unwinds is rolled back as
after a power cut.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from service.rations import Rations
from service.store import QUEUES, REPOSITORIES, Store, Tx
from service.workshop.rehearsal.faults import CALLS


class Crashed(BaseException):
    """The process ends here."""


class Fate:
    """Where the next crash awaits the service, and how often it has come by there."""

    def __init__(self) -> None:
        self._when, self._point, self._left = "", "", 0
        self.passed = 0

    def arm(self, when: str, point: str, number: int) -> None:
        """Crash ``when`` ("before", "after") it comes to a point for the ``number``-th time.

        With number 0 it is only counted how often it comes there.
        """
        self._when, self._point, self._left = when, point, number
        self.passed = 0

    def disarm(self) -> None:
        """No crash from now on."""
        self._when = ""

    def reach(self, when: str, point: str) -> None:
        """The service comes to a point. Raises Crashed."""
        if (when, point) != (self._when, self._point):
            return
        self.passed += 1
        if self.passed == self._left:
            self.disarm()
            raise Crashed(f"{when} {point}")


class WatchedStore(Store):
    """A store whose every call, and every transaction, may be the service's last."""

    def __init__(self, url: str, answers: Rations, fate: Fate) -> None:
        """``fate`` is told of each."""
        self._fate = fate
        super().__init__(url, answers)
        for name in QUEUES:
            setattr(self, name, _Watched(getattr(self, name), name, fate, "commit"))

    @contextmanager
    def transaction(self) -> Iterator[Tx]:
        """A transaction whose calls are watched too."""
        with super().transaction() as tx:
            yield self._watched(tx)
            self._fate.reach("before", "commit")
        self._fate.reach("after", "commit")

    @contextmanager
    def reading(self) -> Iterator[Tx]:
        """The same for a transaction that commits nothing."""
        with super().reading() as tx:
            yield self._watched(tx)

    def _watched(self, tx: Tx) -> Tx:
        for name in REPOSITORIES:
            setattr(tx, name, _Watched(getattr(tx, name), name, self._fate))
        return tx


class _Watched:
    """A repository or a queue that tells of each call, and of ``also`` with it."""

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
