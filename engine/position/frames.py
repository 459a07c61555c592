"""What is being waited for: one struct per kind of decision; a state's last one comes next."""

from msgspec import Struct

from engine.proposals import Proposal


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
    #: companies of which shares were sold in this turn
    blocks: tuple[str, ...] = ()


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
    #: (private, hex) of each tile that was laid in this step by a power for several
    by_power: tuple[tuple[str, str], ...] = ()
    #: hexes on which a tile was laid in this step, where a power may not upgrade those
    hexes: tuple[str, ...] = ()


class CityChoice(Struct, frozen=True, tag="city choice"):
    """A company gave a hex its first tile and says which city each station there takes."""

    company: str
    hex: str
    #: whose stations have still to be put, the next first
    stations: tuple[str, ...]


class Stations(Struct, frozen=True, tag="token"):
    """A company may put a station, and markers that belong to this step."""

    company: str
    #: whether it has put its station
    placed: bool = False


class Running(Struct, frozen=True, tag="run"):
    """A company runs its trains."""

    company: str
    #: the type of the train that its president has chosen to earn nothing
    idle: str = ""


class Payout(Struct, frozen=True, tag="dividend"):
    """The president pays out or withholds what the trains earned."""

    company: str


class Interest(Struct, frozen=True, tag="interest"):
    """A company pays interest on its loans and bonds."""

    company: str
    #: what the interest that is due now is on
    on: str = "loans"
    #: smallest amount that the president got for one certificate, in dollars; 0 without a sale
    smallest: int = 0


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


class Repay(Struct, frozen=True, tag="repay"):
    """A company may repay loans."""

    company: str


class Redeem(Struct, frozen=True, tag="redeem"):
    """A company may redeem bonds."""

    company: str
    #: the player whose bonds it has begun to redeem
    source: str = ""


class OwnShares(Struct, frozen=True, tag="own shares"):
    """A company may sell shares of its treasury, or buy its own back."""

    company: str
    #: "sell" or "buy" once it has begun
    way: str = ""


class OldStation(Struct, frozen=True, array_like=True):
    """A city in which companies had stations before they merged."""

    hex: str
    stop: int
    companies: tuple[str, ...]


class MergerStations(Struct, frozen=True, tag="merger stations"):
    """The president of a company that others merged into chooses stations it keeps of theirs."""

    company: str
    #: merged company → how many of its stations may be kept
    each: dict[str, int]
    #: those that are neither kept yet nor lost
    places: tuple[OldStation, ...]
    kept: tuple[OldStation, ...] = ()


class Discard(Struct, frozen=True, tag="discard"):
    """Companies over the train limit give up a train each, in any order."""

    companies: tuple[str, ...]


class Question(Struct, frozen=True, tag="question"):
    """One player proposes something to another, who must agree before it takes place."""

    asked: str
    by: str
    proposal: Proposal


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
    | Stations
    | Running
    | Interest
    | Payout
    | Retire
    | Trains
    | Repay
    | Redeem
    | OwnShares
    | MergerStations
    | Discard
    | Question
)
