"""Orders as values: heads, steps, actions, conditions; knows no grammar and no position."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from service.orders import special

Relation: TypeAlias = Literal["=", "<", ">", "<=", ">="]

#: a relation as it may be written otherwise → itself
RELATIONS: dict[str, Relation] = {
    "=<": "<=", "=>": ">=", "==": "=",
    "at least": ">=", "at most": "<=", "more than": ">", "less than": "<",
}  # fmt: skip

Figure: TypeAlias = Literal[
    "price", "par", "run", "cash", "shares", "ipo", "pool", "phase", "trains left", "next train",
    "high bid",
]  # fmt: skip

ANYONE = "anyone"
#: whoever gave the order
ME = "me"


class Trades(Struct, frozen=True, tag="trades"):
    """Somebody sells or buys shares; of any company where none is named."""

    who: str
    sells: bool
    company: str = ""


class Bids(Struct, frozen=True, tag="bids"):
    """Somebody bids; on any private company where none is named."""

    who: str
    private: str = ""


class Outbid(Struct, frozen=True, tag="outbid"):
    """Somebody bid more than I did on something on which my bid was the highest."""


class Starts(Struct, frozen=True, tag="starts"):
    """A company is started: its president's certificate is bought."""

    company: str


class Floats(Struct, frozen=True, tag="floats"):
    """A company floats."""

    company: str


class PresidentChanges(Struct, frozen=True, tag="president changes"):
    """A company gets another president."""

    company: str


class TrainBought(Struct, frozen=True, tag="train bought"):
    """A train of a type is bought, from whomever."""

    train: str


class PhaseChanges(Struct, frozen=True, tag="phase changes"):
    """A new phase begins."""


class RoundEnds(Struct, frozen=True, tag="round ends"):
    """The round that ran when the order was given is over."""


class Alarm(Struct, frozen=True, tag="alarm"):
    """Something happened that the player's own alarm list names."""


class Sum(Struct, frozen=True, tag="sum"):
    """A figure of the position: what of (price, par, run, cash, shares, ipo, pool …) whom."""

    what: Figure
    #: whose: a player or ``me`` (cash, shares)
    seat: str = ""
    #: of which company, private company or type of train
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
    """No tile lies on a hex, beside what is printed there."""

    hex: str


class HasTile(Struct, frozen=True, tag="has tile"):
    """A tile of a number lies on a hex."""

    hex: str
    tile: str


class Presides(Struct, frozen=True, tag="presides"):
    """A player is president of a company."""

    seat: str
    company: str


class Not(Struct, frozen=True, tag="not"):
    """The test does not hold."""

    test: Test


class All(Struct, frozen=True, tag="all"):
    """All of several tests hold."""

    tests: tuple[Test, ...]


class Any(Struct, frozen=True, tag="any"):
    """At least one of several tests holds."""

    tests: tuple[Test, ...]


Event: TypeAlias = (
    Trades | Bids | Outbid | Starts | Floats | PresidentChanges | TrainBought | PhaseChanges
    | RoundEnds | Alarm
)  # fmt: skip
Condition: TypeAlias = Compare | HasTrain | IsFloated | IsFree | HasTile | Presides
Test: TypeAlias = Event | Condition | Not | All | Any

#: a command that plays nothing, and one that hands the turn to the player
SKIP = "skip"
ASK = "ask"


class Guard(Struct, frozen=True):
    """What must hold, or must not, for an action to be tried."""

    test: Test
    unless: bool = False


class Terms(Struct, frozen=True, tag="terms"):
    """Which proposals of others are agreed to, or refused, without being asked.

    ``what`` is "offers" for all of them. ``thing`` is the train, private company or "" that is
    sold, ``company`` whose it is ("" for the player's own private company), ``other`` the player or
    company on the other side, "" for whoever it is. ``price`` is in dollars, None for any.
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
    """A vote given ahead: in those of a kind, or of all kinds, that ``by`` or anybody proposes."""

    yes: bool
    kind: str = ""
    by: str = ""


class Act(Struct, frozen=True):
    """A command, ``skip`` or ``ask``, and when it is tried; or an answer that is given ahead.

    The ``command`` of such an answer is its canonical text.
    """

    command: str
    guards: tuple[Guard, ...] = ()
    ahead: Terms | Ballot | None = None


class Action(Struct, frozen=True):
    """Acts of which the first is done whose guards hold and that is legal."""

    acts: tuple[Act, ...]


class Turn(Struct, frozen=True):
    """One turn; with ``until`` each turn until that holds."""

    actions: tuple[Action, ...]
    until: Test | None = None

    @property
    def limited(self) -> bool:
        """Whether it is done as often as it must be, up to a limit."""
        return any(special.repeats(act.command) for act in self.actions[0].acts)


Head: TypeAlias = Literal["next", "each", "standing", "always", "operate"]


class Life(Struct, frozen=True):
    """How long an order stands: ``turn``, ``round``, ``set``, ``game``, or a number of rounds."""

    of: Literal["turn", "round", "set", "game", "rounds"] = "round"
    rounds: int = 0


class Order(Struct, frozen=True):
    """An order given ahead.

    ``head``: ``next`` my next turn, ``each`` one or, with ``until``, more of my turns of the stock
    rounds, ``standing`` all of them, but alarms stop it, ``always`` whatever is asked of me,
    ``operate`` a turn of ``company``.
    """

    head: Head
    steps: tuple[Turn, ...]
    company: str = ""
    life: Life = Life()

    @property
    def repeats(self) -> bool:
        """Whether its last step is done again and again while it stands."""
        if self.head == "operate":
            return self.life != default_life(self.head)
        return self.head in ("standing", "always")


def default_life(head: Head) -> Life:
    """How long an order stands that does not say it."""
    lives: dict[Head, Life] = {"always": Life("game"), "next": Life("set"), "operate": Life("turn")}
    return lives.get(head, Life())


def natural_life(head: Head, steps: tuple[Turn, ...]) -> Life:
    """The same for an order of these steps.

    A bid stands until nothing is left to bid on, what is for a moment to come until it has come.
    """
    commands = [act.command for step in steps for act in step.actions[0].acts]
    bids = head == "each" and len(steps) == 1 and any(map(special.BID.fullmatch, commands))
    waits = any(map(special.LATER.fullmatch, commands))
    return Life("game") if bids or waits else default_life(head)
