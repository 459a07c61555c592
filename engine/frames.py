"""What is being waited for: one struct per kind of decision; a state's last one comes next."""

from msgspec import Struct


class StockRound(Struct, frozen=True, tag="stock round"):
    """Players take turns until all pass in a row."""

    #: who is next
    seat: str
    #: passes in a row so far
    passes: int = 0
    #: the last who did something
    last: str = ""
    #: turns begun in this round
    turns: int = 0


class PrivateTurn(Struct, frozen=True, tag="private turn"):
    """A stock turn while the bank still has private companies."""

    seat: str


class Auction(Struct, frozen=True, tag="auction"):
    """The players who bid on a private company raise until nobody else does."""

    private: str
    #: whose turn it is, and who has the high bid
    seat: str
    high: str
    amount: int


class Founding(Struct, frozen=True, tag="founding"):
    """The buyer of a private company sets the par of the company that comes with it."""

    seat: str
    private: str
    founds: str


class StockTurn(Struct, frozen=True, tag="stock turn"):
    """A regular stock turn."""

    seat: str
    bought: bool = False
    #: whether anything was sold before the purchase, or at all while nothing is bought
    sold: bool = False
    #: whether a sale is possible after the purchase
    sold_first: bool = False


class OperatingRound(Struct, frozen=True, tag="operating round"):
    """Private companies pay, then each floated company has a turn."""

    paid: bool = False
    done: tuple[str, ...] = ()
    #: for each private company that a player sold to a company in this round: both
    private_sales: tuple[tuple[str, str], ...] = ()


class OperatingTurn(Struct, frozen=True, tag="operating turn"):
    """A company's turn; ``at`` is the index of its next step in the title's order."""

    company: str
    at: int = 0


class Home(Struct, frozen=True, tag="home"):
    """A company puts its first station."""

    company: str


class Track(Struct, frozen=True, tag="track"):
    """A company lays tiles: the number of new and of upgraded ones so far."""

    company: str
    laid: int = 0
    upgraded: int = 0


class CityChoice(Struct, frozen=True, tag="city choice"):
    """A company gave a hex its first tile and says which city each station there takes."""

    company: str
    hex: str
    #: whose stations have still to be put, the next first
    stations: tuple[str, ...]


class StationStep(Struct, frozen=True, tag="token"):
    """A company may put a station."""

    company: str


class RunStep(Struct, frozen=True, tag="run"):
    """A company runs its trains."""

    company: str
    #: the type of the train that its president has chosen to earn nothing
    idle: str = ""


class DividendStep(Struct, frozen=True, tag="dividend"):
    """The president pays out or withholds what the trains earned."""

    company: str


class Retire(Struct, frozen=True, tag="retire"):
    """Obsolete trains leave after their last run."""

    company: str


class Trains(Struct, frozen=True, tag="trains"):
    """A company buys trains."""

    company: str
    #: trains bought from the bank this turn
    bought: int = 0
    #: least dollars that the president got for one certificate or private; 0 without a sale
    smallest: int = 0


class Discard(Struct, frozen=True, tag="discard"):
    """Companies over the train limit give up a train each, in any order."""

    companies: tuple[str, ...]


class Consent(Struct, frozen=True, tag="consent"):
    """Another party must agree before a sale takes place."""

    asked: str
    by: str
    #: what is sold: "private" or "train", its id or type
    thing: str
    id: str
    #: owners
    seller: str
    buyer: str
    price: int


Frame = (
    StockRound
    | PrivateTurn
    | Auction
    | Founding
    | StockTurn
    | OperatingRound
    | OperatingTurn
    | Home
    | Track
    | CityChoice
    | StationStep
    | RunStep
    | DividendStep
    | Retire
    | Trains
    | Discard
    | Consent
)
