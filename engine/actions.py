"""The actions of players: one frozen struct per verb, with plain names as fields.

`engine.notation` reads and writes them. Money is in dollars. Shares of a company are counted in
tenths (a president's certificate is two), shares of a system in twentieths.
"""

from typing import ClassVar, Literal

from msgspec import Struct


class _Action(Struct, frozen=True, gc=False, tag_field="do", kw_only=True):
    #: the seat of the player who acts
    by: str

    #: whether it answers something that the game or a player has brought up: an offer, a train over
    #: the limit
    asked: ClassVar[bool] = False

    #: whether lists of legal moves have it; it may always be left out
    listed: ClassVar[bool] = True

    #: whether lists of legal moves have only some of its kind, because there are too many
    sampled: ClassVar[bool] = False

    #: whether it may cost nothing, which players are told then
    may_be_free: ClassVar[bool] = False

    #: its place among the ways out, 1 for the first, if a president may have to do it for what a
    #: company owes: a train that it must buy, or interest; 0 for no way out
    owed: ClassVar[int] = 0

    #: whether it declines what the player is asked, at no cost
    declines: ClassVar[bool] = False

    #: whether it passes, or ends the turn
    passes: ClassVar[bool] = False

    #: whether the player's turn is as open after it as before
    beside: ClassVar[bool] = False

    @property
    def needs(self) -> Literal["", "route", "revenue"]:
        """The thing of the company's turn without which this action has nothing to do."""
        return ""

    @property
    def uses(self) -> str:
        """The private company whose power this action uses with its owner's leave, "" for none."""
        return ""

    @property
    def lays(self) -> "tuple[LaidTile, ...]":
        """The tiles that this action lays."""
        return ()

    @property
    def runs(self) -> "tuple[TrainRun, ...]":
        """The routes that this action runs."""
        return ()


class CompanyAction(_Action, frozen=True):
    """An action of a company in its turn, chosen by its president."""

    company: str


class AnswerAction(_Action, frozen=True):
    """A player's answer to an offer."""

    asked = True
    #: the state of the offer after this answer
    fate: ClassVar[str]


class ProtectionAnswer(_Action, frozen=True):
    """A president's answer about the price of shares that another player has sold.

    ``which`` is a company, or "all" for all companies that the president is asked about.
    """

    which: str


class AsideAction(_Action, frozen=True):
    """An action that a player may take at any time. It is not a move and changes nobody's turn."""

    beside = True


class BuyPrivate(_Action, frozen=True, tag="buy private"):
    """Buy the cheapest private company from the bank."""

    private: str


class BidPrivate(_Action, frozen=True, tag="bid"):
    """Bid on a private company."""

    private: str
    amount: int


class TakeBack(_Action, frozen=True, tag="take back"):
    """Take back the money of an outbid bid on a private company, and leave its auction."""

    beside = True
    private: str


class Par(_Action, frozen=True, tag="par"):
    """Buy a president's certificate and set the par value."""

    company: str
    price: int


class BuyShare(_Action, frozen=True, tag="buy share"):
    """Buy one certificate from the IPO, the open market, or a company's treasury.

    For a treasury, ``source`` is the company itself. ``president`` asks for the president's
    certificate if it is in a treasury or in the open market. ``double`` asks for the other double
    share certificate of a system. ``more`` is the number of further shares from the open market,
    where several of them may be one purchase.
    """

    company: str
    source: str
    president: bool = False
    double: bool = False
    more: int = 0


class SellShares(_Action, frozen=True, tag="sell"):
    """Sell shares of a company to the open market as one block.

    ``double``: the block includes the double share certificate of a system, which counts as two
    shares.
    """

    owed = 3
    company: str
    shares: int
    double: bool = False


class Protect(ProtectionAnswer, frozen=True, tag="protect"):
    """Buy all shares of a company that another player has sold, so that its price does not fall."""


class LetFall(ProtectionAnswer, frozen=True, tag="let fall"):
    """Leave the shares that another player has sold in the open market, so that the price falls."""

    declines = True


class BuyBond(_Action, frozen=True, tag="buy bond"):
    """Buy one bond from the open market."""


class SellBonds(_Action, frozen=True, tag="sell bonds"):
    """Sell bonds to the open market."""

    count: int


class TradePrivate(_Action, frozen=True, tag="trade private"):
    """Propose the sale of a private company between two owners. Waybill asks the other party."""

    private: str
    seller: str
    buyer: str
    price: int


class SwapPrivate(_Action, frozen=True, tag="swap"):
    """Exchange a private company for a share from the IPO, the open market or a treasury.

    For a treasury, ``source`` is the company itself.
    """

    beside = True
    private: str
    company: str
    source: str


class LayTile(CompanyAction, frozen=True, tag="lay"):
    """Lay or upgrade a tile; ``power`` names the private company whose power is used."""

    may_be_free = True
    tile: str
    hex: str
    rotation: int
    power: str = ""

    @property
    def uses(self) -> str:
        """The private company whose power this action uses, "" for none."""
        return self.power

    @property
    def lays(self) -> "tuple[LaidTile, ...]":
        """This one tile."""
        return (self.laid,)

    @property
    def laid(self) -> "LaidTile":
        """The tile without its power."""
        return LaidTile(self.hex, self.tile, self.rotation)


class PlaceStation(CompanyAction, frozen=True, tag="token"):
    """Place a token in a city; ``stop`` is the index of the city among the hex's stops.

    ``power`` names the private company whose power is used.
    """

    may_be_free = True
    hex: str
    stop: int = 0
    power: str = ""


class PlaceMark(CompanyAction, frozen=True, tag="mark"):
    """Place a private company's marker on an icon of the map; hex "" is the company's charter."""

    private: str
    hex: str = ""

    @property
    def uses(self) -> str:
        """The private company whose power this action uses."""
        return self.private


class LaidTile(Struct, frozen=True, gc=False, array_like=True):
    """A tile on a hex, as it is laid or as it might be."""

    hex: str
    tile: str
    rotation: int


class ActivateFerry(CompanyAction, frozen=True, tag="ferry"):
    """Activate a ferry by a private company's power; ``tiles`` are for its ends that have none."""

    private: str
    ferry: str
    tiles: tuple[LaidTile, ...] = ()

    @property
    def uses(self) -> str:
        """The private company whose power this action uses."""
        return self.private

    @property
    def lays(self) -> tuple[LaidTile, ...]:
        """The tiles at the ferry's ends."""
        return self.tiles


class ExtendTrain(CompanyAction, frozen=True, tag="extend"):
    """Extend the reach of one train of a type by the power of a private company."""

    private: str
    train: str

    @property
    def uses(self) -> str:
        """The private company whose power this action uses."""
        return self.private


class NameTrain(CompanyAction, frozen=True, tag="name"):
    """Give a name chit to a train of a type; with "" the moderator chooses the train."""

    listed = False
    name: str
    train: str = ""


class TrainRun(Struct, frozen=True, gc=False, omit_defaults=True):
    """A train's route: all hexes from end to end, in order.

    ``past`` lists the hexes of the route where the train takes track that runs past a stop,
    although it could stop there.
    """

    train: str
    path: tuple[str, ...]
    past: tuple[str, ...] = ()


class IdleTrain(CompanyAction, frozen=True, tag="idle"):
    """Choose the train that earns nothing in this turn."""

    train: str


class Run(CompanyAction, frozen=True, tag="run"):
    """Run trains; trains that the action does not name stay at home."""

    sampled = True
    runs: tuple[TrainRun, ...] = ()

    @property
    def needs(self) -> Literal["", "route"]:
        """A route, if it names none."""
        return "" if self.runs else "route"


class Dividend(CompanyAction, frozen=True, tag="dividend"):
    """Pay out, pay half, or withhold the revenue."""

    kind: Literal["pay", "half", "withhold"]

    @property
    def needs(self) -> Literal["revenue"]:
        """Money that the trains have earned."""
        return "revenue"


class BuyTrain(CompanyAction, frozen=True, tag="train"):
    """Buy a train from the IPO, the open market or a company."""

    owed = 4
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
    """Buy the place of another company's token; the president of that company is asked."""

    #: the company that sells its token
    source: str
    hex: str
    stop: int = 0


class RepayLoans(CompanyAction, frozen=True, tag="repay"):
    """Repay loans of a company."""

    count: int


class RedeemBonds(CompanyAction, frozen=True, tag="redeem"):
    """Redeem bonds from the open market, or from one player: ``source``."""

    count: int
    source: str


class IssueShares(CompanyAction, frozen=True, tag="issue"):
    """Sell shares of the company's treasury to the open market."""

    shares: int


class BuyBack(CompanyAction, frozen=True, tag="buy back"):
    """Buy back shares of the company from the open market."""

    shares: int


class KeepStation(CompanyAction, frozen=True, tag="keep station"):
    """Keep one of the tokens of the companies that merged into this one."""

    asked = True
    hex: str
    stop: int = 0


class MergeInto(CompanyAction, frozen=True, tag="merge"):
    """Merge a corporation without a train and another one into a system; name the system's
    charter."""

    owed = 1
    partner: str
    system: str


class GoBankrupt(CompanyAction, frozen=True, tag="bankrupt"):
    """Declare that the company cannot pay for a train it must buy, or cannot pay interest."""

    owed = 5


class OfferShare(CompanyAction, frozen=True, tag="offer share"):
    """Offer a share of the company's treasury in a fire sale."""

    owed = 2


class OfferStation(CompanyAction, frozen=True, tag="offer station"):
    """Offer a token of the company in a fire sale, from a lowest price in dollars."""

    owed = 6
    hex: str
    price: int


class BidLot(_Action, frozen=True, tag="bid lot"):
    """Bid in a fire sale; ``buyer`` is the company that gets the token."""

    amount: int
    buyer: str = ""


class Accept(AnswerAction, frozen=True, tag="accept"):
    """Accept another player's offer."""

    fate = "accepted"


class Decline(AnswerAction, frozen=True, tag="decline"):
    """Decline another player's offer."""

    declines = True
    fate = "declined"


class Counteroffer(AnswerAction, frozen=True, tag="counter"):
    """Answer an offer with the same offer at another price."""

    fate = "countered"
    price: int


class Withdraw(AnswerAction, frozen=True, tag="withdraw"):
    """Withdraw your own offer before anybody has answered it."""

    fate = "withdrawn"


class Pass(_Action, frozen=True, tag="done"):
    """Pass, or end the turn."""

    passes = True


class Insist(AsideAction, frozen=True, tag="insist"):
    """Insist on the best run of companies whose shares you hold, or stop insisting; at any time."""

    listed = False
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

#: actions that may need permission from a private company's owner
Lent = LayTile | PlaceMark | ActivateFerry | ExtendTrain
