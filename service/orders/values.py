"""Orders as values: heads, steps, actions, conditions. It knows no grammar and no position."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from service.orders import special

Relation: TypeAlias = Literal["=", "<", ">", "<=", ">="]

#: another spelling of a relation → the relation
RELATIONS: dict[str, Relation] = {
    "=<": "<=", "=>": ">=", "==": "=",
    "at least": ">=", "at most": "<=", "more than": ">", "less than": "<",
}  # fmt: skip

FigureName: TypeAlias = Literal[
    "price", "par", "run", "cash", "shares", "ipo", "pool", "phase", "trains left", "next train",
    "high bid",
]  # fmt: skip

ANYONE = "anyone"
#: the player who gave the order
ME = "me"


class Trades(Struct, frozen=True, tag="trades"):
    """A player sells or buys shares; of any company if it names none."""

    who: str
    sells: bool
    company: str = ""


class Bids(Struct, frozen=True, tag="bids"):
    """A player bids; on any private company if it names none."""

    who: str
    private: str = ""


class Outbid(Struct, frozen=True, tag="outbid"):
    """Another player raised my highest bid on something."""


class Starts(Struct, frozen=True, tag="starts"):
    """A company starts: a player buys its president's certificate."""

    company: str


class Floats(Struct, frozen=True, tag="floats"):
    """A company floats."""

    company: str


class PresidentChanges(Struct, frozen=True, tag="president changes"):
    """A company gets a new president."""

    company: str


class TrainPurchase(Struct, frozen=True, tag="train bought"):
    """A company buys a train of a type, from any seller."""

    train: str


class PhaseChanges(Struct, frozen=True, tag="phase changes"):
    """A new phase begins."""


class RoundEnds(Struct, frozen=True, tag="round ends"):
    """The round in which the player gave the order is over."""


class Alarm(Struct, frozen=True, tag="alarm"):
    """Something on the player's own alarm list happened."""


class Sum(Struct, frozen=True, tag="sum"):
    """A figure of the position (price, par, run, cash, shares, ipo, pool …)."""

    what: FigureName
    #: the player, or ``me`` (for cash and shares)
    seat: str = ""
    #: the company, private company or type of train
    of: str = ""


class Compare(Struct, frozen=True, tag="compare"):
    """A figure compared with a number, a type of train, a phase, or another figure."""

    left: Sum
    relation: Relation
    right: Sum | str


class HasTrain(Struct, frozen=True, tag="has a train"):
    """A company has a train."""

    company: str


class IsFloated(Struct, frozen=True, tag="is floated"):
    """A company has floated."""

    company: str


class IsFree(Struct, frozen=True, tag="is free"):
    """A hex has no tile on it, only its printed track."""

    hex: str


class HasTile(Struct, frozen=True, tag="has tile"):
    """A hex has a tile of this number."""

    hex: str
    tile: str


class Presides(Struct, frozen=True, tag="presides"):
    """A player is president of a company."""

    seat: str
    company: str


class Not(Struct, frozen=True, tag="not"):
    """The test is false."""

    test: Test


class All(Struct, frozen=True, tag="all"):
    """All of these tests hold."""

    tests: tuple[Test, ...]


class Any(Struct, frozen=True, tag="any"):
    """At least one of these tests holds."""

    tests: tuple[Test, ...]


Event: TypeAlias = (
    Trades | Bids | Outbid | Starts | Floats | PresidentChanges | TrainPurchase | PhaseChanges
    | RoundEnds | Alarm
)  # fmt: skip
Condition: TypeAlias = Compare | HasTrain | IsFloated | IsFree | HasTile | Presides
Test: TypeAlias = Event | Condition | Not | All | Any

#: the command that does nothing, and the one that leaves the turn to the player
SKIP = "skip"
ASK = "ask"


class Guard(Struct, frozen=True):
    """A condition for an action, or its opposite."""

    test: Test
    unless: bool = False


class Terms(Struct, frozen=True, tag="terms"):
    """Offers of others that a player accepts or refuses in advance.

    ``what`` is "offers" for all of them. ``thing`` is the sold train or private company, or "".
    ``company`` is its owner ("" for the player's own private company). ``other`` is the player or
    company on the other side, "" for any. ``price`` is in dollars, None for any.
    """

    agrees: bool
    what: Literal["offers", "train", "private", "station", "use"]
    thing: str = ""
    sells: bool = True
    company: str = ""
    other: str = ""
    relation: Relation = "="
    price: int | None = None


class Ballot(Struct, frozen=True, tag="ballot"):
    """A vote in advance: on a kind of proposal or all kinds, by the player ``by`` or anybody."""

    yes: bool
    kind: str = ""
    by: str = ""


class Act(Struct, frozen=True):
    """A command, ``skip`` or ``ask``, with its conditions; or an advance answer.

    The ``command`` of an advance answer is its canonical text.
    """

    command: str
    guards: tuple[Guard, ...] = ()
    ahead: Terms | Ballot | None = None


class Alternatives(Struct, frozen=True):
    """Alternatives: the first legal act whose conditions hold is done."""

    acts: tuple[Act, ...]


class Turn(Struct, frozen=True):
    """One turn; with ``until``, each turn until that holds."""

    actions: tuple[Alternatives, ...]
    until: Test | None = None

    @property
    def limited(self) -> bool:
        """Whether it has a limit and repeats as often as needed."""
        return any(special.repeats(act.command) for act in self.actions[0].acts)


Head: TypeAlias = Literal["next", "each", "standing", "always", "operate"]


class Life(Struct, frozen=True):
    """The time that an order counts: ``turn``, ``round``, ``set``, ``game``, or so many rounds."""

    of: Literal["turn", "round", "set", "game", "rounds"] = "round"
    rounds: int = 0


class Order(Struct, frozen=True):
    """An advance order.

    ``head`` says for which turns it is. ``next``: my next turn. ``each``: one of my turns in stock
    rounds, or several with ``until``. ``standing``: all of these, until an alarm. ``always``: every
    question to me. ``operate``: a turn of ``company``.
    """

    head: Head
    steps: tuple[Turn, ...]
    company: str = ""
    life: Life = Life()

    @property
    def repeats(self) -> bool:
        """Whether its last step repeats as long as the order counts."""
        if self.head == "operate":
            return self.life != default_life(self.head)
        return self.head in ("standing", "always")


def default_life(head: Head) -> Life:
    """The time that an order with this head counts by default."""
    lives: dict[Head, Life] = {"always": Life("game"), "next": Life("set"), "operate": Life("turn")}
    return lives.get(head, Life())


def natural_life(head: Head, steps: tuple[Turn, ...]) -> Life:
    """The default for an order with these steps.

    A bid counts until nothing is left to bid on. A command for a later moment counts until then.
    """
    commands = [act.command for step in steps for act in step.actions[0].acts]
    bids = head == "each" and len(steps) == 1 and any(map(special.BID.fullmatch, commands))
    waits = any(map(special.LATER.fullmatch, commands))
    return Life("game") if bids or waits else default_life(head)
