"""The database: its tables, its queues, and one transaction for each change.

It never looks into values of the engine. The names here are all that other packages need of it.
"""

from service.rations import ANSWERS
from service.store.agreements import OfferRow, VoteRow
from service.store.ahead import AheadRow, GivenAhead, PartialRow
from service.store.answers import UnansweredRow
from service.store.channels import ForumNameRow, ForumRow, ListPictures, ListRow, ListTelling
from service.store.clocks import UncountedRow
from service.store.database import AlreadySettled, Conflict, Unavailable
from service.store.jottings import Jotting
from service.store.letters import Delivery, Pace, Thinned
from service.store.log import CausedAction
from service.store.observers import ObserverRow
from service.store.order_rows import BY_HAND, OrderRow, Progress, Sealed
from service.store.people import FormerRow, NewVolunteer, VacancyRow, VolunteerRow
from service.store.persons import FORGOTTEN, Part, Person
from service.store.proofs import FurtherRow, HeldFor, HeldRow, ReturnRow
from service.store.rulings import RulingRow
from service.store.store import QUEUES, REPOSITORIES, Store, Tx
from service.store.survey import Survey, survey
from service.store.tables import (
    LATER,
    ActionRow,
    Arrived,
    GameLine,
    GameRow,
    InboxRow,
    Letter,
    NewAction,
    NewGame,
    NewSeat,
    Occasion,
    OccasionRow,
    OutboxRow,
    SeatRow,
    TalkRow,
    Task,
    TaskRow,
    Telling,
    WaitingRow,
)
from service.store.tournaments import (
    NewTournamentAct,
    PlaceRow,
    TournamentActRow,
    TournamentRow,
)

__all__ = [
    "ANSWERS",
    "BY_HAND",
    "FORGOTTEN",
    "LATER",
    "QUEUES",
    "REPOSITORIES",
    "ActionRow",
    "AheadRow",
    "AlreadySettled",
    "Arrived",
    "CausedAction",
    "Conflict",
    "Delivery",
    "FormerRow",
    "ForumNameRow",
    "ForumRow",
    "FurtherRow",
    "GameLine",
    "GameRow",
    "GivenAhead",
    "HeldFor",
    "HeldRow",
    "InboxRow",
    "Jotting",
    "Letter",
    "ListPictures",
    "ListRow",
    "ListTelling",
    "NewAction",
    "NewGame",
    "NewSeat",
    "NewTournamentAct",
    "NewVolunteer",
    "ObserverRow",
    "Occasion",
    "OccasionRow",
    "OfferRow",
    "OrderRow",
    "OutboxRow",
    "Pace",
    "Part",
    "PartialRow",
    "Person",
    "PlaceRow",
    "Progress",
    "ReturnRow",
    "RulingRow",
    "Sealed",
    "SeatRow",
    "Store",
    "Survey",
    "TalkRow",
    "Task",
    "TaskRow",
    "Telling",
    "Thinned",
    "TournamentActRow",
    "TournamentRow",
    "Tx",
    "UnansweredRow",
    "Unavailable",
    "UncountedRow",
    "VacancyRow",
    "VolunteerRow",
    "VoteRow",
    "WaitingRow",
    "survey",
]
