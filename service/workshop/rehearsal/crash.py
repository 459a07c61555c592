"""Ends of the service at any point: a store that tells of each call, and the fate that awaits one.

A crash is no Exception, so that nothing on its way catches it; what it unwinds is rolled back as
after a power cut.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, cast

from service.rations import Rations
from service.store import Store, Tx
from service.workshop.rehearsal.faults import STORE_CALLS, TX_CALLS


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

    def __getattribute__(self, name: str) -> Any:  # noqa: ANN401 - as any attribute's
        found = super().__getattribute__(name)
        return _watched(found, self._fate, name, "commit") if name in STORE_CALLS else found

    @contextmanager
    def transaction(self) -> Iterator[Tx]:
        """A transaction whose calls are watched too."""
        with super().transaction() as tx:
            # It has all that a Tx has, by handing every call on.
            yield cast(Tx, _WatchedTx(tx, self._fate))
            self._fate.reach("before", "commit")
        self._fate.reach("after", "commit")


class _WatchedTx:
    def __init__(self, tx: Tx, fate: Fate) -> None:
        self._tx = tx
        self._fate = fate

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - as any attribute's
        found = getattr(self._tx, name)
        return _watched(found, self._fate, name) if name in TX_CALLS else found


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
