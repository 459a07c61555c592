"""The database: its tables, the two queues, one transaction a change.

It looks into nothing the engine made. What stands here is all that other rooms need of it.
"""

from service.store.database import Conflict, Taken, Unavailable
from service.store.jottings import Jotting
from service.store.outbox import Delivery, Thinned
from service.store.rations import ANSWERS
from service.store.rows import (
    ActionRow,
    AheadRow,
    Arrived,
    GameRow,
    Given,
    HeldRow,
    InboxRow,
    Letter,
    NewGame,
    NewSeat,
    Occasion,
    OccasionRow,
    OrderRow,
    OutboxRow,
    Progress,
    Sealed,
    SeatRow,
    Step,
    TalkRow,
    Task,
    TaskRow,
    Telling,
    WaitingRow,
)
from service.store.store import Store, Tx

__all__ = [
    "ANSWERS",
    "ActionRow",
    "AheadRow",
    "Arrived",
    "Conflict",
    "Delivery",
    "GameRow",
    "Given",
    "HeldRow",
    "InboxRow",
    "Jotting",
    "Letter",
    "NewGame",
    "NewSeat",
    "Occasion",
    "OccasionRow",
    "OrderRow",
    "OutboxRow",
    "Progress",
    "Sealed",
    "SeatRow",
    "Step",
    "Store",
    "Taken",
    "TalkRow",
    "Task",
    "TaskRow",
    "Telling",
    "Thinned",
    "Tx",
    "Unavailable",
    "WaitingRow",
]
