"""How people have played in all games here: in time or not, ratings, records; read from the store."""

from service.store import Tx


def on_time(tx: Tx, address: str) -> tuple[int, int]:
    """Per cent of an address's decisions that were made in time, -1 for none, and how many."""
    decided, missed = tx.timeliness(address)
    if not decided:
        return -1, 0
    return max(0, round(100 * (decided - missed) / decided)), decided
