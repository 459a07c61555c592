"""Looks up the keys of DKIM signatures in the DNS (RFC 6376 §3.6.2) in background threads.

A caller asks for a key and comes back later, so nobody ever waits for a name server.
"""

import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import dns.exception
import dns.resolver

#: seconds for one look-up, including all its tries
PATIENCE = 5.0
#: seconds after which a found key is looked up again, and those for a missing key
STANDS = 86_400
MISSED = 900
#: the number of names that are remembered, and the characters of a record
_MOST = 2_000
_LONGEST = 4_000

KeyLookup = Callable[[str], str]
"""A function from a name to its TXT record, '' if there is none or no server answers."""


def txt_record(name: str) -> str:
    """The TXT record of a name from this machine's name servers, '' if there is none."""
    try:
        found = dns.resolver.resolve(f"{name}.", "TXT", lifetime=PATIENCE, search=False)
    except (dns.exception.DNSException, OSError, ValueError):
        return ""
    # A record consists of strings of 255 octets that belong together (RFC 7208 §3.3).
    texts = [b"".join(record.strings).decode("ascii", "replace") for record in found]
    return next((text for text in texts if "p=" in text), "")[:_LONGEST]


@dataclass(frozen=True, slots=True)
class _Known:
    text: str
    at: int


class Keys:
    """The keys that were looked up, and those that threads are looking up."""

    def __init__(self, lookup: KeyLookup = txt_record) -> None:
        self._lookup = lookup
        self._known: dict[str, _Known] = {}
        self._wanted: set[str] = set()
        self._turn = threading.Lock()
        self._threads = ThreadPoolExecutor(2, "keys")

    def known(self, names: Iterable[str], now: int) -> dict[str, str] | None:
        """The records of these names; None while a look-up of one of them is running.

        ``now`` is in UTC seconds. Never raises. A name without a record has ''.
        """
        found: dict[str, str] = {}
        names = tuple(names)
        with self._turn:
            for name in names:
                known = self._known.get(name)
                if known is None or not 0 <= now - known.at < (STANDS if known.text else MISSED):
                    self._want(name, now)
                else:
                    found[name] = known.text
            return None if any(name in self._wanted for name in names) else found

    def _want(self, name: str, now: int) -> None:
        if name not in self._wanted:
            self._wanted.add(name)
            self._threads.submit(self._find, name, now)

    def _find(self, name: str, now: int) -> None:
        text = ""
        try:
            text = self._lookup(name)
        finally:
            with self._turn:
                if len(self._known) >= _MOST:
                    self._known.clear()
                self._known[name] = _Known(text, now)
                self._wanted.discard(name)

    def close(self) -> None:
        """Start no more look-ups."""
        self._threads.shutdown(wait=False, cancel_futures=True)
