"""How people have played in all games here: in time or not, ratings, records."""

from service.desk.tournament.acts import Cup
from service.desk.tournament.known import Refused
from service.desk.tournament.letters import Words
from service.store import Store, Tx


def on_time(tx: Tx, address: str) -> tuple[int, int]:
    """Per cent of an address's decisions that were made in time, -1 for none, and how many."""
    decided, missed = tx.timeliness(address)
    if not decided:
        return -1, 0
    return max(0, round(100 * (decided - missed) / decided)), decided


def ratings_at_close(store: Store, cup: Cup) -> dict[str, int]:
    return {}


def record_words(store: Store, name: str, rest: str) -> Words:
    raise Refused("")


def ratings_words(store: Store) -> Words:
    raise Refused("")
