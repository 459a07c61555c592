"""What happened, as values: every narration in mails and logs is made from these."""

from engine.events.privates import (
    Asked,
    AuctionBegan,
    BidMade,
    Declined,
    MarkPlaced,
    MarksGiven,
    MarksGone,
    PrivateBought,
    PrivateClosed,
    PrivatePaid,
    TrainNamed,
)
from engine.events.rounds import (
    EndForeseen,
    ExtraRound,
    GameEnded,
    Insisted,
    Passed,
    PhaseBegan,
    RoundBegan,
    RoundEnded,
    TurnEnded,
    WentBankrupt,
)
from engine.events.stock import (
    Floated,
    ParSet,
    PresidentChanged,
    PriceMoved,
    ShareBought,
    ShareGiven,
    SharesSold,
)
from engine.events.track import BonusPaid, StationMoved, StationPlaced, TileLaid
from engine.events.trains import (
    DividendPaid,
    IdleForeseen,
    SalvagePaid,
    TrainBought,
    TrainDiscarded,
    TrainGiven,
    TrainIdled,
    TrainsGone,
    TrainsObsolete,
    TrainsRan,
    Withheld,
)

Event = (
    RoundBegan
    | RoundEnded
    | Passed
    | BidMade
    | AuctionBegan
    | PrivateBought
    | Asked
    | Declined
    | ParSet
    | ShareBought
    | ShareGiven
    | SharesSold
    | PresidentChanged
    | Floated
    | PriceMoved
    | PrivatePaid
    | TileLaid
    | StationPlaced
    | StationMoved
    | BonusPaid
    | MarkPlaced
    | MarksGiven
    | MarksGone
    | TrainNamed
    | TrainsRan
    | DividendPaid
    | Withheld
    | TrainBought
    | TrainGiven
    | TrainsGone
    | SalvagePaid
    | IdleForeseen
    | TrainIdled
    | TrainsObsolete
    | TrainDiscarded
    | PhaseBegan
    | PrivateClosed
    | TurnEnded
    | WentBankrupt
    | EndForeseen
    | ExtraRound
    | GameEnded
    | Insisted
)

__all__ = [
    "Asked",
    "AuctionBegan",
    "BidMade",
    "BonusPaid",
    "Declined",
    "DividendPaid",
    "EndForeseen",
    "Event",
    "ExtraRound",
    "Floated",
    "GameEnded",
    "IdleForeseen",
    "Insisted",
    "MarkPlaced",
    "MarksGiven",
    "MarksGone",
    "ParSet",
    "Passed",
    "PhaseBegan",
    "PresidentChanged",
    "PriceMoved",
    "PrivateBought",
    "PrivateClosed",
    "PrivatePaid",
    "RoundBegan",
    "RoundEnded",
    "SalvagePaid",
    "ShareBought",
    "ShareGiven",
    "SharesSold",
    "StationMoved",
    "StationPlaced",
    "TileLaid",
    "TrainBought",
    "TrainDiscarded",
    "TrainGiven",
    "TrainIdled",
    "TrainNamed",
    "TrainsGone",
    "TrainsObsolete",
    "TrainsRan",
    "TurnEnded",
    "WentBankrupt",
    "Withheld",
]
