"""The table of verbs: how each is written, what it means and who reads it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.notation import names, operating, running, stock, trains
from engine.notation.reading import Reader
from engine.notation.suggest import like
from engine.notation.words import key
from engine.titles.powers import (
    DiscountPower,
    FoundingPower,
    HexTilePower,
    MarkPower,
    NamesPower,
    Power,
    StationPower,
    TilePower,
)

if TYPE_CHECKING:
    from engine.actions import Action
    from engine.titles.title import Title


@dataclass(frozen=True)
class Form:
    """One way to use a verb; `engine.notation.help` fills names of the title into ``example``."""

    syntax: str
    meaning: str
    example: str
    #: the kind of power that a title must have for it
    power: type[Power] | None = None
    #: whether a title has what it is for
    feature: Callable[[Title], bool] = lambda title: True


@dataclass(frozen=True)
class Verb:
    """A verb with its other names, its reader and its forms."""

    name: str
    also: tuple[str, ...]
    read: Callable[[Reader], Action]
    forms: tuple[Form, ...] = ()
    #: whether a list goes on without the verb: "sell 2 L&N, 1 M&O"
    lists: bool = False


#: which verb a power goes with, where the words after "use …:" do not begin with it; the powers
#: that are not here work by themselves
POWER_VERBS: dict[type[Power], str] = {
    MarkPower: "mark",
    TilePower: "lay",
    HexTilePower: "lay",
    NamesPower: "name",
    DiscountPower: "buy",
    StationPower: "token",
    FoundingPower: "par",
}


def use(reader: Reader) -> Action:
    """``use B&SLC: lay 445 G2 S-NW``: what follows is done with a private's power."""
    known = [
        p
        for p in names.privates(reader.title)
        if type(reader.title.privates[p.id].power) in POWER_VERBS
    ]
    reader.skip("the", "power", "of")
    start = reader.at
    private = reader.name(names.privates(reader.title), "private company").id
    power = reader.title.privates[private].power
    if power is None:
        reader.unknown(f"{private} has no power", (p.id for p in known), at=start)
    if type(power) not in POWER_VERBS:
        text = f"what {private} brings comes by itself"
        reader.unknown(text, (p.id for p in known), at=start)
    reader.power = private
    reader.skip(":", ",", "to", "for", "on")
    fitting = VERBS_BY_NAME[POWER_VERBS[type(power)]]
    if not reader.word:
        reader.malformed("use it for what?", (f"use {private}: {fitting.name} …",))
    at = reader.at
    verb = take_verb(reader)
    if verb and verb.read not in _reads(power):
        reader.malformed(f"{private} does not serve to {verb.name}", (fitting.name,), at=at)
    return (verb or fitting).read(reader)


def _reads(power: Power) -> tuple[Callable[[Reader], Action], ...]:
    own = VERBS_BY_NAME[POWER_VERBS[type(power)]].read
    return (own, trains.buy_train) if isinstance(power, DiscountPower) else (own,)


def take_verb(reader: Reader) -> Verb | None:
    """Take the longest verb that there is, or None; a marker's name stands for its verb."""
    for size in range(min(3, len(reader.words) - reader.at), 0, -1):
        there = reader.words[reader.at : reader.at + size]
        verb = VERBS_BY_NAME.get(key(" ".join(word.text for word in there)))
        if verb:
            reader.at += size
            return verb
    if reader.low in operating.mark_words(reader):
        return VERBS_BY_NAME["mark"]
    return None


def command(reader: Reader) -> Action:
    """Read a command from its verb on; raises NotationError."""
    reader.skip("please", "i")
    if not reader.word:
        reader.malformed("there is no command")
    word = reader.word.text
    verb = take_verb(reader)
    if verb is None:
        close = like(word, (name for v in VERBS for name in (v.name, *v.also)))
        if not close and reader.maybe_name(names.companies(reader.title)):
            reader.at -= 1
            close = ("buy", "sell", "par")
        reader.malformed(f"“{word}” is no verb", close)
    action = verb.read(reader)
    if reader.heading and not reader.heading_used:
        company = reader.heading
        reader.malformed(
            f"“{company}:” stands before what {company} does itself; leave it out", at=0
        )
    return action


def _has_idle_trains(title: Title) -> bool:
    return title.facts.operating.idle == "choice"


_TRADE = "offer a private company to another owner, or ask for one"

VERBS = (
    Verb(
        "buy",
        (),
        stock.buy,
        (
            Form("buy PRIVATE", "buy the cheapest private company of the bank", "buy {private}"),
            Form(
                "buy COMPANY [offering|market]",
                "buy one certificate; the place may be left out if there is only one",
                "buy {company} offering",
            ),
            Form(
                "buy TRAIN [offering|market]",
                "the company in its turn buys a train of the bank",
                "buy {train}",
            ),
            Form(
                "buy TRAIN from COMPANY for PRICE",
                "buy a train of another company; its president is asked if it is not you",
                "buy {train} from {other} for 120",
            ),
            Form(
                "buy TRAIN with PRIVATE",
                "buy a train of the bank with a private's discount",
                "buy {train} with {discount}",
                DiscountPower,
            ),
            Form("buy private PRIVATE from OWNER for PRICE", _TRADE, "buy {private} for 60"),
        ),
        lists=True,
    ),
    Verb(
        "sell",
        (),
        stock.sell,
        (
            Form(
                "sell [NUMBER|PERCENT] COMPANY",
                "sell shares to the open market as one block",
                "sell 2 {company}",
            ),
            Form(
                "sell private PRIVATE to OWNER for PRICE",
                _TRADE,
                "sell private {private} to {other} for 60",
            ),
        ),
        lists=True,
    ),
    Verb(
        "par",
        ("start", "launch"),
        stock.par,
        (
            Form(
                "par COMPANY PRICE",
                "start a company: buy the president's certificate and set the par value",
                "par {company} {par}",
            ),
        ),
    ),
    Verb(
        "bid",
        (),
        stock.bid,
        (
            Form(
                "bid PRIVATE AMOUNT",
                "bid on a private company; in its auction the amount is enough",
                "bid {dear} 125",
            ),
        ),
    ),
    Verb(
        "lay",
        ("tile", "build", "upgrade"),
        operating.lay,
        (
            Form(
                "lay TILE HEX [EXITS]",
                "lay or upgrade a tile; exits may be left out if only one way is legal",
                "lay {tile} {hex} {exits}",
            ),
            Form(
                "use PRIVATE: lay TILE HEX [EXITS]",
                "lay a tile with a private's power",
                "use {tile_power}: lay {power_tile} {hex}",
                TilePower,
            ),
            Form(
                "use PRIVATE: lay TILE HEX [EXITS]",
                "lay a tile on a private's hex with its power",
                "use {hex_power}: lay {tile} {power_hex} {exits}",
                HexTilePower,
            ),
        ),
    ),
    Verb(
        "token",
        ("station", "home"),
        operating.token,
        (
            Form(
                "token HEX [CITY]",
                "put a station; number the city on a hex with several",
                "token {city}",
            ),
            Form(
                "use PRIVATE: token HEX",
                "put a station with a private's power",
                "use {station_power}: token {station_hex}",
                StationPower,
            ),
        ),
    ),
    Verb(
        "mark",
        ("marker",),
        operating.mark,
        (
            Form(
                "use PRIVATE: mark HEX",
                "put a private's marker on the map",
                "use {mark_power}: mark {icon}",
                MarkPower,
            ),
        ),
    ),
    Verb(
        "name",
        (),
        operating.name,
        (
            Form(
                "name NAME on TRAIN|off",
                "give a train a name, or leave its use to the moderator",
                "name {chit} on {train}",
                NamesPower,
            ),
        ),
    ),
    Verb(
        "run",
        ("operate", "run trains", "run routes"),
        running.run,
        (
            Form("run", "run all trains as well as possible", "run"),
            Form("run none", "let all trains stay at home", "run none"),
            Form(
                "run TRAIN: STOP-STOP…, …",
                "run trains from stop to stop; best and none may stand for the stops",
                "run {train}: best",
            ),
        ),
    ),
    Verb(
        "idle",
        ("rest",),
        running.idle,
        (
            Form(
                "idle TRAIN",
                "choose the train that earns nothing in this turn",
                "idle {train}",
                feature=_has_idle_trains,
            ),
        ),
    ),
    Verb(
        "pay",
        ("payout", "dividend", "dividends", "pay dividend", "pay dividends"),
        operating.pay,
        (Form("pay", "pay the revenue out to the shareholders", "pay"),),
    ),
    Verb(
        "withhold",
        ("hold", "hold back", "retain", "keep"),
        operating.withhold,
        (Form("withhold", "keep the revenue in the treasury", "withhold"),),
    ),
    Verb("half", ("half pay", "split"), operating.half),
    Verb("train", ("trains", "buy train"), trains.buy_train),
    Verb(
        "discard",
        ("scrap",),
        trains.discard,
        (Form("discard TRAIN", "give up a train over the limit", "discard {train}"),),
        lists=True,
    ),
    Verb(
        "bankrupt",
        ("bankruptcy", "go bankrupt", "declare bankruptcy"),
        trains.bankrupt,
        (Form("bankrupt", "declare that a forced train cannot be paid", "bankrupt"),),
    ),
    Verb(
        "accept",
        ("yes", "agree", "ok", "okay"),
        stock.accept,
        (Form("accept", "agree to the sale that waits for you", "accept"),),
    ),
    Verb(
        "decline",
        ("refuse", "reject", "no"),
        stock.decline,
        (Form("decline", "turn the sale down", "decline"),),
    ),
    Verb(
        "insist",
        (),
        stock.insist,
        (
            Form(
                "insist on|off",
                "hold companies of which you own shares to their best run",
                "insist on",
            ),
        ),
    ),
    Verb(
        "pass",
        (
            "done",
            "end",
            "end turn",
            "finish",
            "finished",
            "skip",
            "nothing",
            "nothing more",
            "no more",
        ),
        stock.done,
        (
            Form("pass", "do nothing, or nothing more, in your turn", "pass"),
            Form("done", "the company does nothing more here", "done"),
        ),
    ),
    Verb("use", ("power",), use),
)

VERBS_BY_NAME = {key(name): verb for verb in VERBS for name in (verb.name, *verb.also)}
