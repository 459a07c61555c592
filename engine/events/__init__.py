"""Events as values; all sentences in emails and logs are made from them."""

from engine.events.corrected import Corrected
from engine.events.debt import (
    BondBought,
    BondsIssued,
    BondsRedeemed,
    BondsSold,
    InterestPaid,
    LoansRepaid,
    LoanTaken,
    PresidentPaid,
    SharesBoughtBack,
    SharesIssued,
)
from engine.events.distress import (
    LotBid,
    LotOffered,
    LotSold,
    LotUnsold,
    ReceiverNamed,
    ReceivershipEnded,
    StationSold,
    TrainBorrowed,
    TrainReturned,
)
from engine.events.merger import (
    ActingPresident,
    CompanyClosed,
    Merged,
    MergerCapital,
    MergerExchanged,
    MergerNotFormed,
    PlayerOut,
    StationsReplaced,
    SystemFormed,
    TrainsWithdrawn,
)
from engine.events.privates import (
    Asked,
    AuctionBegan,
    BidMade,
    BidTakenBack,
    BridgePaid,
    Countered,
    Declined,
    MarkPlaced,
    MarksGiven,
    MarksGone,
    PassagesPaid,
    PowerEnded,
    PowerKept,
    PrivateBought,
    PrivateClosed,
    PrivateDrawn,
    PrivatePaid,
    PrivateSwapped,
    TrainExtended,
    TrainNamed,
    Withdrawn,
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
    PriceLetFall,
    PriceMoved,
    PriceProtected,
    ShareBought,
    ShareGiven,
    SharesSold,
)
from engine.events.track import (
    BonusPaid,
    ConnectionMade,
    FerryActivated,
    FerryPaid,
    PlaceDoubled,
    StationMoved,
    StationPlaced,
    TileLaid,
)
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
    LoanTaken
    | LoansRepaid
    | InterestPaid
    | BondsIssued
    | BondsRedeemed
    | BondBought
    | BondsSold
    | SharesIssued
    | SharesBoughtBack
    | PresidentPaid
    | LotOffered
    | LotBid
    | LotSold
    | LotUnsold
    | StationSold
    | ReceiverNamed
    | ReceivershipEnded
    | TrainBorrowed
    | TrainReturned
    | Merged
    | MergerExchanged
    | MergerNotFormed
    | ActingPresident
    | MergerCapital
    | StationsReplaced
    | SystemFormed
    | CompanyClosed
    | PlayerOut
    | TrainsWithdrawn
    | BidMade
    | BidTakenBack
    | AuctionBegan
    | PrivateBought
    | Asked
    | Declined
    | Corrected
    | Countered
    | Withdrawn
    | PrivatePaid
    | BridgePaid
    | PrivateSwapped
    | PrivateClosed
    | MarkPlaced
    | MarksGiven
    | MarksGone
    | TrainNamed
    | PrivateDrawn
    | TrainExtended
    | RoundBegan
    | RoundEnded
    | Passed
    | TurnEnded
    | PhaseBegan
    | WentBankrupt
    | EndForeseen
    | ExtraRound
    | GameEnded
    | Insisted
    | ParSet
    | ShareBought
    | ShareGiven
    | SharesSold
    | PriceProtected
    | PriceLetFall
    | PresidentChanged
    | Floated
    | PriceMoved
    | TileLaid
    | StationPlaced
    | StationMoved
    | ConnectionMade
    | PlaceDoubled
    | PassagesPaid
    | PowerEnded
    | PowerKept
    | BonusPaid
    | FerryActivated
    | FerryPaid
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
)

__all__ = [
    "ActingPresident",
    "Asked",
    "AuctionBegan",
    "BidMade",
    "BidTakenBack",
    "BondBought",
    "BondsIssued",
    "BondsRedeemed",
    "BondsSold",
    "BonusPaid",
    "BridgePaid",
    "CompanyClosed",
    "ConnectionMade",
    "Corrected",
    "Countered",
    "Declined",
    "DividendPaid",
    "EndForeseen",
    "Event",
    "ExtraRound",
    "FerryActivated",
    "FerryPaid",
    "Floated",
    "GameEnded",
    "IdleForeseen",
    "Insisted",
    "InterestPaid",
    "LoanTaken",
    "LoansRepaid",
    "LotBid",
    "LotOffered",
    "LotSold",
    "LotUnsold",
    "MarkPlaced",
    "MarksGiven",
    "MarksGone",
    "Merged",
    "MergerCapital",
    "MergerExchanged",
    "MergerNotFormed",
    "ParSet",
    "PassagesPaid",
    "Passed",
    "PhaseBegan",
    "PlaceDoubled",
    "PlayerOut",
    "PowerEnded",
    "PowerKept",
    "PresidentChanged",
    "PresidentPaid",
    "PriceLetFall",
    "PriceMoved",
    "PriceProtected",
    "PrivateBought",
    "PrivateClosed",
    "PrivateDrawn",
    "PrivatePaid",
    "PrivateSwapped",
    "ReceiverNamed",
    "ReceivershipEnded",
    "RoundBegan",
    "RoundEnded",
    "SalvagePaid",
    "ShareBought",
    "ShareGiven",
    "SharesBoughtBack",
    "SharesIssued",
    "SharesSold",
    "StationMoved",
    "StationPlaced",
    "StationSold",
    "StationsReplaced",
    "SystemFormed",
    "TileLaid",
    "TrainBorrowed",
    "TrainBought",
    "TrainDiscarded",
    "TrainExtended",
    "TrainGiven",
    "TrainIdled",
    "TrainNamed",
    "TrainReturned",
    "TrainsGone",
    "TrainsObsolete",
    "TrainsRan",
    "TrainsWithdrawn",
    "TurnEnded",
    "WentBankrupt",
    "Withdrawn",
    "Withheld",
]
