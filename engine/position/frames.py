"""Open decisions: one struct for each kind; the last one on a state's stack comes next."""

from msgspec import Struct

from engine.actions import TrainRun
from engine.proposals import Proposal


class StockRound(Struct, frozen=True, gc=False, tag="stock round"):
    """Players take turns until all pass in a row."""

    #: the next player
    seat: str
    #: passes in a row so far
    passes: int = 0
    #: the last player who did something
    last: str = ""
    #: turns begun in this round
    turns: int = 0


class PrivateTurn(Struct, frozen=True, gc=False, tag="private turn"):
    """A stock turn while the bank still has private companies."""

    seat: str


class Auction(Struct, frozen=True, gc=False, tag="auction"):
    """The players who bid on a private company raise until only one is left."""

    private: str
    #: the player whose turn it is, and the high bidder
    seat: str
    high: str
    amount: int


class Founding(Struct, frozen=True, gc=False, tag="founding"):
    """The buyer of a private company sets the par of the company that comes with it."""

    seat: str
    private: str
    founds: str


class SoldBlock(Struct, frozen=True, gc=False, array_like=True):
    """Shares that a player sold as one block, in percent; their price has not moved yet."""

    company: str
    percent: int
    #: whether the double share certificate of a system is among them
    double: bool = False


class StockTurn(Struct, frozen=True, gc=False, tag="stock turn"):
    """A regular stock turn."""

    seat: str
    bought: bool = False
    #: whether anything was sold before the purchase, or at all if nothing is bought
    sold: bool = False
    #: whether a sale is possible after the purchase
    sold_first: bool = False
    #: companies whose shares were sold in this turn
    blocks: tuple[str, ...] = ()
    #: blocks that presidents may still buy after the turn, to keep the price
    pending: tuple[SoldBlock, ...] = ()


class ParallelAuction(Struct, frozen=True, gc=False, tag="parallel auction"):
    """All private companies of the bank are auctioned at once, turn by turn, until all pass."""

    seat: str
    #: passes in a row so far
    passes: int = 0
    #: the player who made the last bid
    last: str = ""
    #: turns begun in this auction
    turns: int = 1
    #: (player, private company) of each auction that a player has left by taking the money back
    left: tuple[tuple[str, str], ...] = ()


class Protection(Struct, frozen=True, gc=False, tag="protection"):
    """Presidents may buy all that a player has sold of their companies; otherwise prices fall."""

    #: the player who has sold
    seat: str
    #: blocks that are not settled yet
    blocks: tuple[SoldBlock, ...]
    #: companies whose president has answered: buy the block, or let the price fall
    kept: tuple[str, ...] = ()
    let_fall: tuple[str, ...] = ()


class Swap(Struct, frozen=True, gc=False, tag="swap"):
    """Before an operating round a player may exchange a private company for a share."""

    seat: str
    private: str


class OperatingRound(Struct, frozen=True, gc=False, tag="operating round"):
    """Private companies pay, then each floated company has a turn."""

    paid: bool = False
    done: tuple[str, ...] = ()
    #: seller and buying company of each private company that a player sold in this round
    private_sales: tuple[tuple[str, str], ...] = ()
    #: (private company, owner, dollars) that the bank owes at the end of the round for runs to a
    #: place
    passages: tuple[tuple[str, str, int], ...] = ()
    #: companies that have placed or bought their one token of the round, in titles that sell tokens
    stationed: tuple[str, ...] = ()


class OperatingTurn(Struct, frozen=True, gc=False, tag="operating turn"):
    """A company's turn; ``at`` is the index of its next step in the title's order."""

    company: str
    at: int = 0


class Home(Struct, frozen=True, gc=False, tag="home"):
    """A company places its first token."""

    company: str


class Track(Struct, frozen=True, gc=False, tag="track"):
    """A company lays tiles; with the number of new tiles and of upgrades so far."""

    company: str
    laid: int = 0
    upgraded: int = 0
    #: (private company, hex) of each tile laid in this step by a power for several tiles
    by_power: tuple[tuple[str, str], ...] = ()
    #: hexes that got a tile in this step, where a power may not upgrade those
    hexes: tuple[str, ...] = ()


class CityChoice(Struct, frozen=True, gc=False, tag="city choice"):
    """A company gave a hex its first tile and chooses the city of each token there."""

    company: str
    hex: str
    #: companies whose tokens must still be placed, the next first
    stations: tuple[str, ...]


class Stations(Struct, frozen=True, gc=False, tag="token"):
    """A company may place a token, and markers that belong to this step."""

    company: str
    #: whether it has placed its token
    placed: bool = False


class Running(Struct, frozen=True, gc=False, tag="run"):
    """A company runs its trains."""

    company: str
    #: the type of the train that earns nothing, as its president has chosen
    idle: str = ""


class Payout(Struct, frozen=True, gc=False, tag="dividend"):
    """The president pays out or withholds what the trains earned."""

    company: str


class Interest(Struct, frozen=True, gc=False, tag="interest"):
    """A company pays interest on its loans and bonds."""

    company: str
    #: the kind of debt that the present interest is for
    on: str = "loans"
    #: smallest amount that the president has got for one certificate, in dollars; 0 without a sale
    smallest: int = 0


class Retire(Struct, frozen=True, gc=False, tag="retire"):
    """Obsolete trains leave after their last run."""

    company: str


class Trains(Struct, frozen=True, gc=False, tag="trains"):
    """A company buys trains."""

    company: str
    #: trains bought from the bank this turn
    bought: int = 0
    #: smallest amount in dollars that the president has got for one certificate or private company;
    #: 0 without a sale
    smallest: int = 0
    #: what nobody bought in the company's fire sale: hexes of tokens, and the company itself for
    #: its shares, which the bank buys unless the open market is full
    unsold: tuple[str, ...] = ()
    #: companies whose shares the president has sold, if shares are sold as one block only
    blocks: tuple[str, ...] = ()
    #: blocks that presidents may still buy after all sales, to keep the price
    pending: tuple[SoldBlock, ...] = ()


class FireSale(Struct, frozen=True, gc=False, tag="fire sale"):
    """Players bid on a share or a token of a company that must buy a train."""

    #: the company that sells
    company: str
    #: players who may still bid, the next first; the high bidder is among them
    bidders: tuple[str, ...]
    #: dollars of the first bid
    least: int
    #: percent of the certificate, 0 for a station
    percent: int = 0
    #: the hex of the token, "" for a share
    hex: str = ""
    #: the high bidder, the company that gets a token, and dollars
    high: str = ""
    buyer: str = ""
    amount: int = 0


class StationTrade(Struct, frozen=True, gc=False, tag="station trade"):
    """A company may buy another company's token."""

    company: str


class Repay(Struct, frozen=True, gc=False, tag="repay"):
    """A company may repay loans."""

    company: str


class Redeem(Struct, frozen=True, gc=False, tag="redeem"):
    """A company may redeem bonds."""

    company: str
    #: the player whose bonds it has begun to redeem
    source: str = ""


class OwnShares(Struct, frozen=True, gc=False, tag="own shares"):
    """A company may sell shares of its treasury, or buy back its own."""

    company: str
    #: "sell" or "buy" once it has begun
    way: str = ""


class OldStation(Struct, frozen=True, gc=False, array_like=True):
    """A city in which companies had tokens before they merged."""

    hex: str
    stop: int
    companies: tuple[str, ...]


class MergerStations(Struct, frozen=True, gc=False, tag="merger stations"):
    """The president of a company formed by a merger chooses which old tokens it keeps."""

    company: str
    #: merged company → the number of its tokens that may be kept
    each: dict[str, int]
    #: cities whose tokens are neither kept nor lost yet
    places: tuple[OldStation, ...]
    kept: tuple[OldStation, ...] = ()


class Discard(Struct, frozen=True, gc=False, tag="discard"):
    """Companies over the train limit discard a train each, in any order."""

    companies: tuple[str, ...]


class Connected(Struct, frozen=True, gc=False, tag="connected"):
    """A company was the first to run between two places, and may place its token in one of them."""

    company: str
    runs: tuple[TrainRun, ...]
    #: the connections that these runs have made
    made: tuple[str, ...]
    #: only in a hypothetical position: the hex of its token, which counts double
    token: str = ""


class Question(Struct, frozen=True, gc=False, tag="question", omit_defaults=True):
    """An offer of one player to another, who must accept it before it is carried out."""

    asked: str
    by: str
    proposal: Proposal
    #: the player whose turn waits, if this is a counteroffer to that player; otherwise "", for
    #: ``by``
    turn: str = ""

    @property
    def proposer(self) -> str:
        """The player who made the first offer, and goes on after the answer."""
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
