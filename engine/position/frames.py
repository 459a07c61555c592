"""What is being waited for: one struct per kind of decision; a state's last one comes next."""

from msgspec import Struct

from engine.actions import TrainRun
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


class SoldBlock(Struct, frozen=True, array_like=True):
    """Shares that a player sold as one block, in percent, and for which no price has moved yet."""

    company: str
    percent: int
    #: whether the double share certificate of a system is among them
    double: bool = False


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
    #: what of it presidents may still buy to keep the price, once the turn is over
    pending: tuple[SoldBlock, ...] = ()


class ParallelAuction(Struct, frozen=True, tag="parallel auction"):
    """All private companies of the bank are auctioned at once, turn by turn, until all pass."""

    seat: str
    #: passes in a row so far
    passes: int = 0
    #: who made the last bid
    last: str = ""
    #: turns begun in this auction
    turns: int = 1
    #: (player, private) of each auction that a player has left by taking the money back
    left: tuple[tuple[str, str], ...] = ()


class Protection(Struct, frozen=True, tag="protection"):
    """Presidents may buy all that a player has sold of their companies; else the prices fall."""

    #: who has sold
    seat: str
    #: what is not settled yet
    blocks: tuple[SoldBlock, ...]
    #: companies of which a president has said that the block is bought, or that the price may fall
    kept: tuple[str, ...] = ()
    let_fall: tuple[str, ...] = ()


class Swap(Struct, frozen=True, tag="swap"):
    """Before an operating round a player may exchange a private company for a share."""

    seat: str
    private: str


class OperatingRound(Struct, frozen=True, tag="operating round"):
    """Private companies pay, then each floated company has a turn."""

    paid: bool = False
    done: tuple[str, ...] = ()
    #: for each private company that a player sold to a company in this round: both
    private_sales: tuple[tuple[str, str], ...] = ()
    #: (private, owner, dollars) that the bank owes at the end of the round for runs through a place
    passages: tuple[tuple[str, str, int], ...] = ()
    #: companies that have put or bought their one station of the round, where stations are sold
    stationed: tuple[str, ...] = ()


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
    #: what nobody took in the company's fire sale: hexes of stations, and the company itself for
    #: its shares, which the bank takes unless the open market is full
    unsold: tuple[str, ...] = ()
    #: companies of which the president has sold a block, where each goes as one block
    blocks: tuple[str, ...] = ()
    #: what of it presidents may still buy to keep the price, once all is sold
    pending: tuple[SoldBlock, ...] = ()


class FireSale(Struct, frozen=True, tag="fire sale"):
    """Players bid for a share or a station of a company that must buy a train."""

    #: whose it is
    company: str
    #: who may still bid, the next first; the high bidder is among them
    bidders: tuple[str, ...]
    #: dollars at which bids begin
    least: int
    #: percent of the certificate, 0 for a station
    percent: int = 0
    #: where the station is, "" for a share
    hex: str = ""
    #: who has the high bid, the company it is for if it is on a station, and dollars
    high: str = ""
    buyer: str = ""
    amount: int = 0


class StationTrade(Struct, frozen=True, tag="station trade"):
    """A company may buy a station of another."""

    company: str


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


class Connected(Struct, frozen=True, tag="connected"):
    """A company was the first to run between two places: it may put its token in one of them."""

    company: str
    runs: tuple[TrainRun, ...]
    #: the connections that these runs have made
    made: tuple[str, ...]
    #: in a position that is only supposed: the hex where its token is, and counts double
    token: str = ""


class Question(Struct, frozen=True, tag="question", omit_defaults=True):
    """One player proposes something to another, who must agree before it takes place."""

    asked: str
    by: str
    proposal: Proposal
    #: whose turn waits, where the proposal is a counter-offer to that player; else "", for ``by``
    turn: str = ""

    @property
    def proposer(self) -> str:
        """Who proposed first, and goes on once this is answered."""
        return self.turn or self.by


Frame = (
    StockRound
    | PrivateTurn
    | Auction
    | Founding
    | StockTurn
    | ParallelAuction
    | Protection
    | Swap
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
    | FireSale
    | Repay
    | Redeem
    | OwnShares
    | MergerStations
    | Discard
    | Connected
    | StationTrade
    | Question
)
