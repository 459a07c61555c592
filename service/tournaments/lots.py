"""Lots that nobody can choose, because the hash of their seed was published before.

A round's seed is made from the service's secret (`seed_of`). Its digest is published when the
tournament is announced, the seed when the round is seated. Anybody who has both can check them and
draw all lots again. A lot is the SHA-256 of seed, purpose and name, with line feeds between; the
smallest number comes first.
"""

import hashlib
import hmac
from collections.abc import Iterable

from service.tournaments.tournament import Tournament


def seed_of(secret: bytes, tournament: Tournament, round_: int) -> str:
    """The seed of a round's seating: secret before it, and the same after a crash."""
    text = f"tournament {tournament.name} {tournament.created} {round_}".encode()
    return hmac.new(secret, text, hashlib.sha256).hexdigest()


def digests_of(secret: bytes, tournament: Tournament, rounds: Iterable[int]) -> tuple[str, ...]:
    """The digests of the seeds of rounds, which are published before these are seated."""
    return tuple(digest_of(tournament.name, n, seed_of(secret, tournament, n)) for n in rounds)


def digest_of(tournament: str, round_: int, seed: str) -> str:
    """The digest published for a round's seed before it is opened: SHA-256 in hexadecimal.

    It is the hash of the tournament's name, the round's number and the seed, with line feeds
    between.
    """
    return hashlib.sha256(f"{tournament}\n{round_}\n{seed}".encode()).hexdigest()


def lot(seed: str, purpose: str, name: str) -> int:
    """The number that a name draws for a purpose; it has 256 bits, so that no two are equal."""
    return int.from_bytes(hashlib.sha256(f"{seed}\n{purpose}\n{name}".encode()).digest(), "big")


def drawn(seed: str, purpose: str, names: Iterable[str]) -> tuple[str, ...]:
    """Names in the order of their lots."""
    return tuple(sorted(names, key=lambda name: lot(seed, purpose, name)))
