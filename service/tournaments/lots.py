"""Lots that nobody can choose: drawn from a seed whose hash was published before.

A round's seed is random text that the service makes when a tournament is announced. Its digest is
published at once; the seed itself when the round is seated. Whoever has both can check them, and
draw every lot again: a lot's number is the SHA-256 of seed, purpose and name with line feeds
between, and the smallest number comes first.
"""

import hashlib
from collections.abc import Iterable


def digest_of(tournament: str, round_: int, seed: str) -> str:
    """What is published of a round's seed before it is opened: SHA-256 in hexadecimal.

    It is made of the tournament's name, the round's number and the seed, a line feed between each.
    """
    return hashlib.sha256(f"{tournament}\n{round_}\n{seed}".encode()).hexdigest()


def lot(seed: str, purpose: str, name: str) -> int:
    """The number that a name draws for a purpose; 256 bits, so that no two are equal."""
    return int.from_bytes(hashlib.sha256(f"{seed}\n{purpose}\n{name}".encode()).digest(), "big")


def drawn(seed: str, purpose: str, names: Iterable[str]) -> tuple[str, ...]:
    """Names in the order of their lots."""
    return tuple(sorted(names, key=lambda name: lot(seed, purpose, name)))
