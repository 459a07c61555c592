"""The seeds of rounds: secret until a round is seated, their digests public before it."""

import hashlib
import hmac
from collections.abc import Iterable

from service.desk.service import Service
from service.tournaments import lots
from service.tournaments.tournament import Tournament


def seed_of(service: Service, tournament: Tournament, round_: int) -> str:
    """The seed of a round's seating: secret before it, and the same after a crash."""
    text = f"tournament {tournament.name} {tournament.created} {round_}".encode()
    return hmac.new(service.secret, text, hashlib.sha256).hexdigest()


def digests_of(service: Service, tournament: Tournament, rounds: Iterable[int]) -> tuple[str, ...]:
    """The digests of the seeds of rounds, which are published before these are seated."""
    return tuple(
        lots.digest_of(tournament.name, n, seed_of(service, tournament, n)) for n in rounds
    )
