"""The database: its tables, the two queues, one transaction a change.

It looks into nothing the engine made. What stands here is all that other rooms need of it.
"""

from service.store.queues import Conflict, Delivery, Taken, Unavailable
from service.store.store import ANSWERS, Store, Tx
from service.store.tables import (
    ActionRow,
    GameRow,
    InboxRow,
    Letter,
    OutboxRow,
    SeatRow,
    Step,
    TalkRow,
)

__all__ = [
    "ANSWERS",
    "ActionRow",
    "Conflict",
    "Delivery",
    "GameRow",
    "InboxRow",
    "Letter",
    "OutboxRow",
    "SeatRow",
    "Step",
    "Store",
    "Taken",
    "TalkRow",
    "Tx",
    "Unavailable",
]
