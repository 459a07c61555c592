"""What players can do: one frozen struct per verb, by names; `engine.notation` reads and writes.

Money is in dollars, shares are counted as tenths of a company (a president's certificate is two),
of a system as twentieths.
"""

from typing import ClassVar, Literal

from msgspec import Struct


class _Action(Struct, frozen=True, tag_field="do", kw_only=True):
    #: the seat of the player who acts
    by: str

    #: whether it settles what somebody else has brought up: an offer, a train over the limit
    asked: ClassVar[bool] = False

    @property
    def lays(self) -> "tuple[LayTile | LaidTile, ...]":
        """The tiles that it lays."""
        return ()


class CompanyAction(_Action, frozen=True):
    """What a company does in its turn, by its president."""

    company: str


class AnswerAction(_Action, frozen=True):
    """What a player says to an offer."""

    asked = True
    #: what becomes of the offer
    fate: ClassVar[str]


class AsideAction(_Action, frozen=True):
    """What a player may say at any time; it is no move, and changes nobody's turn."""


class BuyPrivate(_Action, frozen=True, tag="buy private"):
    """Buy the cheapest private company of the bank."""

    private: str


class BidPrivate(_Action, frozen=True, tag="bid"):
    """Bid on a private company."""

    private: str
    amount: int


class TakeBack(_Action, frozen=True, tag="take back"):
    """Take back the money of an outbid bid on a private company, and leave its auction."""

    private: str


class Par(_Action, frozen=True, tag="par"):
    """Buy a president's certificate and set the par value."""

    company: str
    price: int


class BuyShare(_Action, frozen=True, tag="buy share"):
    """Buy one certificate: of the initial offering, the open market, or a company's treasury.

    ``source`` of the treasury is the company itself. ``president`` asks for the president's
    certificate, where that lies in a treasury or in the open market, ``double`` for the other
    double share certificate of a system. Where several shares of the open market may be one
    purchase, so many ``more`` come with the certificate.
    """

    company: str
    source: str
    president: bool = False
    double: bool = False
    more: int = 0


class SellShares(_Action, frozen=True, tag="sell"):
    """Sell shares of a company to the open market as one block.

    ``double``: the double share certificate of a system is among them, as two shares.
    """

    company: str
    shares: int
    double: bool = False


class Protect(_Action, frozen=True, tag="protect"):
    """Buy all that another player has sold of a company, so that its price stays.

    ``which`` is a company, or "all" those of the president that are asked about.
    """

    which: str


class LetFall(_Action, frozen=True, tag="let fall"):
    """Leave what another player has sold of a company in the open market, so that its price falls.

    ``which`` is a company, or "all" those of the president that are asked about.
    """

    which: str


class BuyBond(_Action, frozen=True, tag="buy bond"):
    """Buy one bond of the open market."""


class SellBonds(_Action, frozen=True, tag="sell bonds"):
    """Sell bonds to the open market."""

    count: int


class TradePrivate(_Action, frozen=True, tag="trade private"):
    """Propose a sale of a private company between two owners; the other party is asked."""

    private: str
    seller: str
    buyer: str
    price: int


class SwapPrivate(_Action, frozen=True, tag="swap"):
    """Exchange a private company for a share of the initial offering, the market or a treasury.

    ``source`` of the treasury is the company itself.
    """

    private: str
    company: str
    source: str


class LayTile(CompanyAction, frozen=True, tag="lay"):
    """Lay or upgrade a tile; ``power`` names the private whose power is used."""

    tile: str
    hex: str
    rotation: int
    power: str = ""

    @property
    def uses(self) -> str:
        """The private company whose power it uses, "" for none."""
        return self.power

    @property
    def lays(self) -> "tuple[LayTile | LaidTile, ...]":
        """Itself."""
        return (self,)


class PlaceStation(CompanyAction, frozen=True, tag="token"):
    """Put a station in a city; ``stop`` is the index of the city among the hex's stops.

    ``power`` names the private whose power is used.
    """

    hex: str
    stop: int = 0
    power: str = ""


class PlaceMark(CompanyAction, frozen=True, tag="mark"):
    """Put a private's marker on an icon of the map, or with hex "" on the company's charter."""

    private: str
    hex: str = ""

    @property
    def uses(self) -> str:
        """The private company whose power it uses."""
        return self.private


class LaidTile(Struct, frozen=True, array_like=True):
    """A tile that is laid along with something else."""

    hex: str
    tile: str
    rotation: int


class ActivateFerry(CompanyAction, frozen=True, tag="ferry"):
    """Activate a ferry by the power of a private; ``tiles`` are those of ends that have none."""

    private: str
    ferry: str
    tiles: tuple[LaidTile, ...] = ()

    @property
    def uses(self) -> str:
        """The private company whose power it uses."""
        return self.private

    @property
    def lays(self) -> tuple[LayTile | LaidTile, ...]:
        """Those of the ends."""
        return self.tiles


class ExtendTrain(CompanyAction, frozen=True, tag="extend"):
    """Make one train of a type reach further by the power of a private."""

    private: str
    train: str

    @property
    def uses(self) -> str:
        """The private company whose power it uses."""
        return self.private


class NameTrain(CompanyAction, frozen=True, tag="name"):
    """Give a name chit to a train of a type; "" leaves it to the moderator."""

    name: str
    train: str = ""


class TrainRun(Struct, frozen=True, omit_defaults=True):
    """A train's route: all hexes from end to end, in order.

    ``past`` are those of them where it could stop and takes track that runs past the stop.
    """

    train: str
    path: tuple[str, ...]
    past: tuple[str, ...] = ()


class IdleTrain(CompanyAction, frozen=True, tag="idle"):
    """Choose the train that earns nothing in this turn."""

    train: str


class Run(CompanyAction, frozen=True, tag="run"):
    """Run trains; trains that are not named stay at home."""

    runs: tuple[TrainRun, ...] = ()


class Dividend(CompanyAction, frozen=True, tag="dividend"):
    """Pay out, pay half, or withhold the revenue."""

    kind: Literal["pay", "half", "withhold"]


class BuyTrain(CompanyAction, frozen=True, tag="train"):
    """Buy a train from the initial offering, the open market or a company."""

    train: str
    source: str
    price: int
    power: str = ""


class DiscardTrain(_Action, frozen=True, tag="discard"):
    """Discard a train over the limit."""

    asked = True
    company: str
    train: str


class BuyStation(CompanyAction, frozen=True, tag="buy station"):
    """Take the place of another company's station; its president is asked."""

    #: the company that sells it
    source: str
    hex: str
    stop: int = 0


class RepayLoans(CompanyAction, frozen=True, tag="repay"):
    """Repay loans of a company."""

    count: int


class RedeemBonds(CompanyAction, frozen=True, tag="redeem"):
    """Redeem bonds of the open market, or of one player: ``source``."""

    count: int
    source: str


class IssueShares(CompanyAction, frozen=True, tag="issue"):
    """A company sells shares of its treasury to the open market."""

    shares: int


class BuyBack(CompanyAction, frozen=True, tag="buy back"):
    """A company buys shares of its own from the open market."""

    shares: int


class KeepStation(CompanyAction, frozen=True, tag="keep station"):
    """A company that others merged into keeps one of their stations."""

    asked = True
    hex: str
    stop: int = 0


class MergeInto(CompanyAction, frozen=True, tag="merge"):
    """Merge a corporation without a train and another into a system, whose charter it names."""

    partner: str
    system: str


class GoBankrupt(CompanyAction, frozen=True, tag="bankrupt"):
    """Declare that a forced train or interest cannot be paid."""


class OfferShare(CompanyAction, frozen=True, tag="offer share"):
    """Put a share of the company's treasury up for a fire sale."""


class OfferStation(CompanyAction, frozen=True, tag="offer station"):
    """Put a station of the company up for a fire sale, from so many dollars on."""

    hex: str
    price: int


class BidLot(_Action, frozen=True, tag="bid lot"):
    """Bid in a fire sale; ``buyer`` is the company for which a station is bid on."""

    amount: int
    buyer: str = ""


class Accept(AnswerAction, frozen=True, tag="accept"):
    """Agree to what another player has proposed."""

    fate = "accepted"


class Decline(AnswerAction, frozen=True, tag="decline"):
    """Turn down what another player has proposed."""

    fate = "declined"


class Counteroffer(AnswerAction, frozen=True, tag="counter"):
    """Propose the same at another price to whoever has proposed it."""

    fate = "countered"
    price: int


class Withdraw(AnswerAction, frozen=True, tag="withdraw"):
    """Take back what one has proposed and nobody has answered."""

    fate = "withdrawn"


class Pass(_Action, frozen=True, tag="done"):
    """Pass, or end the turn."""


class Insist(AsideAction, frozen=True, tag="insist"):
    """Insist, or stop insisting, on the best run of companies one holds; at any time."""

    on: bool


Action = (
    BuyPrivate
    | BidPrivate
    | TakeBack
    | Par
    | BuyShare
    | SellShares
    | Protect
    | LetFall
    | BuyBond
    | SellBonds
    | TradePrivate
    | SwapPrivate
    | LayTile
    | PlaceStation
    | PlaceMark
    | ActivateFerry
    | ExtendTrain
    | NameTrain
    | IdleTrain
    | Run
    | Dividend
    | BuyTrain
    | DiscardTrain
    | BuyStation
    | RepayLoans
    | RedeemBonds
    | IssueShares
    | BuyBack
    | KeepStation
    | MergeInto
    | GoBankrupt
    | OfferShare
    | OfferStation
    | BidLot
    | Accept
    | Decline
    | Counteroffer
    | Withdraw
    | Pass
    | Insist
)
