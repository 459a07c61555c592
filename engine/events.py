"""What happened, as values: every narration in mails and logs is made from these."""

from msgspec import Struct

from engine.actions import TrainRun


class _Event(Struct, frozen=True, tag_field="event"):
    pass


class RoundBegan(_Event, frozen=True, tag="round began"):
    """A round began; written as players name it."""

    round: str


class RoundEnded(_Event, frozen=True, tag="round ended"):
    """A round is over; priority is with ``priority``."""

    round: str
    priority: str


class Passed(_Event, frozen=True, tag="passed"):
    """A player passed in a stock round or an auction."""

    seat: str


class BidMade(_Event, frozen=True, tag="bid made"):
    """A bid on a private company."""

    seat: str
    private: str
    amount: int


class AuctionBegan(_Event, frozen=True, tag="auction began"):
    """The bidders of a private company raise each other."""

    private: str
    seats: tuple[str, ...]


class PrivateBought(_Event, frozen=True, tag="private bought"):
    """A private company left the bank or changed its owner."""

    private: str
    buyer: str
    seller: str
    price: int


class Asked(_Event, frozen=True, tag="asked"):
    """Somebody's consent to a sale is asked."""

    asked: str
    by: str
    thing: str
    id: str
    seller: str
    buyer: str
    price: int


class Declined(_Event, frozen=True, tag="declined"):
    """The consent was not given."""

    asked: str
    thing: str
    id: str


class ParSet(_Event, frozen=True, tag="par set"):
    """A president's certificate was bought and the par value set."""

    seat: str
    company: str
    price: int


class ShareBought(_Event, frozen=True, tag="share bought"):
    """A certificate was bought."""

    seat: str
    company: str
    percent: int
    source: str
    cost: int


class ShareGiven(_Event, frozen=True, tag="share given"):
    """A private company brought its first owner a share."""

    seat: str
    company: str
    percent: int
    private: str


class SharesSold(_Event, frozen=True, tag="shares sold"):
    """Shares went to the open market."""

    seat: str
    company: str
    percent: int
    amount: int


class PresidentChanged(_Event, frozen=True, tag="president changed"):
    """A company has a new president."""

    company: str
    old: str
    new: str


class Floated(_Event, frozen=True, tag="floated"):
    """A company floated with its treasury."""

    company: str
    cash: int


class PriceMoved(_Event, frozen=True, tag="price moved"):
    """A market value moved."""

    company: str
    old: int
    new: int


class PrivatePaid(_Event, frozen=True, tag="private paid"):
    """A private company paid its fixed revenue."""

    private: str
    owner: str
    amount: int


class TileLaid(_Event, frozen=True, tag="tile laid"):
    """A tile was laid or upgraded."""

    company: str
    tile: str
    hex: str
    rotation: int
    cost: int
    #: id of the private whose power was used
    power: str = ""


class StationPlaced(_Event, frozen=True, tag="station placed"):
    """A station was put in a city."""

    company: str
    hex: str
    cost: int
    home: bool = False
    #: id of the private whose power was used
    power: str = ""


class StationMoved(_Event, frozen=True, tag="station moved"):
    """A station was put into a city of a new tile; ``stop`` is the city's index."""

    company: str
    hex: str
    stop: int


class BonusPaid(_Event, frozen=True, tag="bonus paid"):
    """The bank paid a company for its historical objective."""

    company: str
    hex: str
    amount: int


class MarkPlaced(_Event, frozen=True, tag="mark placed"):
    """A private's marker was put on the map."""

    company: str
    mark: str
    hex: str


class MarksGiven(_Event, frozen=True, tag="marks given"):
    """A company received the markers or names of a private."""

    company: str
    marks: tuple[str, ...]


class MarksGone(_Event, frozen=True, tag="marks gone"):
    """Markers or names left the game."""

    company: str
    marks: tuple[str, ...]


class TrainNamed(_Event, frozen=True, tag="train named"):
    """A name was given to a train, or taken back."""

    company: str
    name: str
    train: str


class TrainsRan(_Event, frozen=True, tag="trains ran"):
    """A company ran its trains."""

    company: str
    runs: tuple[TrainRun, ...]
    revenue: int


class DividendPaid(_Event, frozen=True, tag="dividend paid"):
    """A dividend: dollars by owner, the company's own part for its open market shares included."""

    company: str
    revenue: int
    paid: dict[str, int]


class Withheld(_Event, frozen=True, tag="withheld"):
    """The treasury kept what the trains earned."""

    company: str
    revenue: int


class TrainBought(_Event, frozen=True, tag="train bought"):
    """A train was bought; ``aid`` is what the president paid of it."""

    company: str
    train: str
    source: str
    price: int
    aid: int = 0
    power: str = ""


class TrainGiven(_Event, frozen=True, tag="train given"):
    """A company received the train of a private company."""

    company: str
    train: str
    private: str


class TrainsGone(_Event, frozen=True, tag="trains gone"):
    """Trains of a type left the game: how many by owner."""

    train: str
    lost: dict[str, int]


class SalvagePaid(_Event, frozen=True, tag="salvage paid"):
    """The bank paid a company for trains of a type that have left the game."""

    company: str
    train: str
    amount: int


class IdleForeseen(_Event, frozen=True, tag="idle foreseen"):
    """Of the trains of these companies one earns nothing in their next operating turn."""

    companies: tuple[str, ...]
    cause: str


class TrainIdled(_Event, frozen=True, tag="train idled"):
    """A company's train earned nothing in this turn."""

    company: str
    train: str


class TrainsObsolete(_Event, frozen=True, tag="trains obsolete"):
    """Trains of a type run once more in their company's next turn."""

    train: str


class TrainDiscarded(_Event, frozen=True, tag="train discarded"):
    """A company over its limit gave up a train."""

    company: str
    train: str
    #: whether it left the game instead of going to the open market
    gone: bool = False


class PhaseBegan(_Event, frozen=True, tag="phase began"):
    """A new phase began."""

    phase: str


class PrivateClosed(_Event, frozen=True, tag="private closed"):
    """A private company closed."""

    private: str


class TurnEnded(_Event, frozen=True, tag="turn ended"):
    """A company has operated."""

    company: str


class WentBankrupt(_Event, frozen=True, tag="went bankrupt"):
    """A player could not pay for a forced train."""

    seat: str
    company: str


class EndForeseen(_Event, frozen=True, tag="end foreseen"):
    """The end of the game is certain: its cause."""

    cause: str


class ExtraRound(_Event, frozen=True, tag="extra round"):
    """A tie is broken by one more operating round."""

    seats: tuple[str, ...]


class GameEnded(_Event, frozen=True, tag="game ended"):
    """The game is over: final worth by seat."""

    cause: str
    worth: dict[str, int]


class Insisted(_Event, frozen=True, tag="insisted"):
    """A player does, or does not, insist on the best runs."""

    seat: str
    on: bool


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
