"""Reads answers to offers and questions, and commands to insist on best runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.actions import Accept, Counteroffer, Decline, Insist, LetFall, Protect, Withdraw
from engine.notation import names
from engine.notation.forms import Form, Verb, best_runs_by_wish, lent_powers, own_powers, protection
from engine.notation.reading import CommandReader
from engine.notation.stock import take_back
from engine.notation.writing import written
from engine.play.protection import ALL, open_blocks
from engine.position.frames import ParallelAuction, Protection

if TYPE_CHECKING:
    from engine.actions import Action
    from engine.position.table import Table

NO_PROTECTION = "{title} has no price protection"


def accept(reader: CommandReader) -> Action:
    """``accept``; ``yes`` to the question whether a price is protected."""
    if reader.words[reader.at - 1].low == "yes" and (asked := _asked(reader)):
        reader.end()
        return reader.one_of(
            [Protect(by=reader.seat, which=which) for which in asked], "Which price?"
        )
    reader.heading_used = True
    reader.skip("the", "offer", "sale")
    reader.end()
    return Accept(by=reader.seat)


def decline(reader: CommandReader) -> Action:
    """``decline``; ``no`` to the question whether a price is protected."""
    if reader.words[reader.at - 1].low == "no" and _asked(reader):
        return let_fall(reader)
    reader.heading_used = True
    reader.skip("the", "this", "that", "your", "it", "offer", "sale")
    reader.end()
    return Decline(by=reader.seat)


def counter(reader: CommandReader) -> Action:
    """``counter for 140``, ``counter 140``."""
    reader.heading_used = True
    reader.skip("the", "offer", "sale", "with", "at", "for", "is", "of")
    price = reader.money("Which price?", "counter for 140")
    reader.end()
    return Counteroffer(by=reader.seat, price=price)


def withdraw(reader: CommandReader) -> Action:
    """``withdraw`` an offer; where bids can be taken back, ``withdraw`` may also mean a bid."""
    if reader.state.stack and isinstance(reader.state.stack[-1], ParallelAuction):
        return take_back(reader)
    reader.heading_used = True
    reader.skip("the", "my", "offer", "proposal")
    reader.end()
    return Withdraw(by=reader.seat)


def protect(reader: CommandReader) -> Action:
    """``protect``, ``protect IC``; ``protect all`` for all companies that the player is asked
    about."""
    _known(reader)
    which = _protected(reader)
    reader.end()
    return Protect(by=reader.seat, which=which)


def let_fall(reader: CommandReader) -> Action:
    """``let fall``, ``let IC fall``, ``let fall IC``, ``let all fall``."""
    _known(reader)
    reader.skip("it", "them", "fall")
    which = _protected(reader)
    reader.skip("fall")
    reader.end("fall")
    return LetFall(by=reader.seat, which=which)


def _asked(reader: CommandReader) -> list[str]:
    """The companies whose price the player may protect now."""
    top = reader.state.stack[-1] if reader.state.stack else None
    if not isinstance(top, Protection):
        return []
    return [block.company for block in open_blocks(reader.table, top, reader.seat)]


def _known(reader: CommandReader) -> None:
    if not protection(reader.title):
        reader.unknown(NO_PROTECTION.format(title=reader.title.name), at=0)


def _protected(reader: CommandReader) -> str:
    """Take a company, or the word for all of them if the player is asked about several."""
    reader.skip("it", "them", "its", "their", "the", "price", "prices", "of")
    named = not reader.take("all", "both") and bool(reader.word) and reader.low != "fall"
    if named:
        return reader.name(names.companies(reader.title), "the company").id
    asked = _asked(reader)
    return asked[0] if len(asked) == 1 else ALL


def insist(reader: CommandReader) -> Action:
    """``insist on``, ``insist off``."""
    off = bool(reader.take("off", "no", "stop"))
    if not off:
        reader.take("on", "yes")
    reader.end("on", "off")
    return Insist(by=reader.seat, on=not off)


@written.register(Protect)
def _(action: Protect, table: Table) -> str:
    return f"protect {action.which}"


@written.register(LetFall)
def _(action: LetFall, table: Table) -> str:
    return f"let {action.which} fall"


@written.register(Accept)
def _(action: Accept, table: Table) -> str:
    return "accept"


@written.register(Decline)
def _(action: Decline, table: Table) -> str:
    return "decline"


@written.register(Counteroffer)
def _(action: Counteroffer, table: Table) -> str:
    return f"counter for {action.price}"


@written.register(Withdraw)
def _(action: Withdraw, table: Table) -> str:
    return "withdraw"


@written.register(Insist)
def _(action: Insist, table: Table) -> str:
    return "insist on" if action.on else "insist off"


# the verbs, and how they are written

ACCEPT = Verb(
    "accept",
    ("yes", "agree", "ok", "okay"),
    accept,
    (
        Form("accept", "accept the offer that waits for you", "accept", feature=own_powers),
        Form(
            "accept",
            "accept the offer, or the use of your private company, that waits for you",
            "accept",
            feature=lent_powers,
        ),
    ),
)

DECLINE = Verb(
    "decline",
    (
        "refuse",
        "reject",
        "no",
        "declined",
        "do not accept",
        "don't accept",
        "cannot accept",
        "can't accept",
    ),
    decline,
    (
        Form("decline", "decline the offer", "decline", feature=own_powers),
        Form("decline", "decline the offer or the use", "decline", feature=lent_powers),
    ),
)

COUNTER = Verb(
    "counter",
    ("counteroffer", "my counteroffer"),
    counter,
    (
        Form(
            "counter for PRICE",
            "make a counteroffer at another price",
            "counter for 60",
        ),
    ),
)

WITHDRAW = Verb(
    "withdraw",
    (),
    withdraw,
    (
        Form(
            "withdraw",
            "take back your offer that nobody has answered; your turn goes on",
            "withdraw",
        ),
    ),
)

PROTECT = Verb(
    "protect",
    ("keep price", "support"),
    protect,
    (
        Form(
            "protect [COMPANY]",
            "buy all that a player has just sold of your company, so that its price stays",
            "protect {company}",
            feature=protection,
        ),
    ),
)

LET_FALL = Verb(
    "let",
    ("let fall", "do not protect", "fall"),
    let_fall,
    (
        Form(
            "let [COMPANY] fall",
            "leave in the open market what a player has just sold of your company",
            "let {company} fall",
            feature=protection,
        ),
    ),
)

INSIST = Verb(
    "insist",
    (),
    insist,
    (
        Form(
            "insist on|off",
            "make companies in which you own shares run for the most",
            "insist on",
            feature=best_runs_by_wish,
        ),
    ),
)
