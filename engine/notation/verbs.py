"""The table of all verbs; reads a command from its verb, or from a private company's power."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from engine.facts.powers import (
    DiscountPower,
    MarkPower,
    Power,
    SharePower,
    TerrainPower,
)
from engine.notation import (
    answering,
    debt,
    distress,
    exchange,
    names,
    operating,
    powers,
    running,
    stock,
    systems,
    trains,
)
from engine.notation.errors import Garbled
from engine.notation.forms import Verb
from engine.notation.position import icons, turn_company
from engine.notation.reading import CommandReader
from engine.notation.suggest import like
from engine.notation.words import dollars, key
from engine.notation.writing import complete

if TYPE_CHECKING:
    from engine.actions import Action


def verb_of(power: Power | None) -> str:
    """The verb of a power, "" for a power that works by itself.

    After "use …:" players may leave the verb out.
    """
    if isinstance(power, SharePower) and power.for_train:
        return stock.BUY.name
    return _SERVING.get(type(power), "") if power else ""


def use(reader: CommandReader) -> Action:
    """``use B&SLC: lay 445 G2 S-NW``: an action by a private company's power."""
    known = [p for p in names.privates(reader.title) if verb_of(reader.title.privates[p.id].power)]
    reader.skip("the", "power", "of")
    start = reader.at
    private = reader.name(names.privates(reader.title), "private company").id
    power = reader.title.privates[private].power
    if power is None:
        reader.unknown(f"{private} has no power", (p.id for p in known), at=start)
    if not verb_of(power):
        text = f"What {private} brings comes by itself"
        reader.unknown(text, (p.id for p in known), at=start)
    reader.power = private
    reader.skip(":", ",", "to", "for", "on")
    if isinstance(power, SharePower):
        reader.skip("take", "get")
    _skip_own(reader)
    fitting = VERBS_BY_NAME[verb_of(power)]
    bare = isinstance(power, TerrainPower) or len(icons(reader.title, private)) == 1
    if not reader.word and not bare:
        reader.malformed("Use it for what?", (f"use {private}: {fitting.name} …",))
    at = reader.at
    verb = take_verb(reader)
    if verb and verb.read not in _reads(power):
        reader.malformed(f"{private} does not serve to {verb.name}", (fitting.name,), at=at)
    marking = isinstance(power, MarkPower | TerrainPower)
    return (fitting if marking or verb is None else verb).read(reader)


def _skip_own(reader: CommandReader) -> None:
    """Skip the company whose turn it is and that uses the power: ``use Bridge for GT``."""
    at, found = reader.at, reader.maybe_name(names.companies(reader.title))
    own = found is not None and found.id == turn_company(reader.state)
    if own and (not reader.word or reader.low == ":"):
        reader.skip(":")
    else:
        reader.at = at


LOANS_COME = "a train takes as many loans as it needs, unasked: only buy it"
#: words that players try although no command is needed
_UNASKED = {
    "borrow": LOANS_COME,
    "borrowing": LOANS_COME,
    "president": "the president adds what a train lacks, unasked: only buy it",
    "permit": "leave is given when it is asked for: the owner answers `accept`",
    "fire": "a fire sale begins by what is offered: a share, or a token with its price",
}


#: players' words for a verb if a command follows; in talk they are not verbs
_LOOSELY = {
    word: verb
    for verb, words in {
        "buy": (
            "take",
            "taking",
            "buying",
            "purchase",
            "purchasing",
            "get",
            "acquire",
            "have",
            "pick up",
            "give me",
        ),
        "sell": ("selling",),
        "par": ("found", "open", "set", "starting", "opening", "launching"),
        "bid": ("bidding", "raising", "offering"),
        "lay": ("put", "place", "laying", "putting", "placing", "building"),
        "run": ("running",),
        "pay": ("paying", "distribute", "distributing"),
        "withhold": ("withholding",),
        "use": ("activate", "using"),
        "pass": ("passing", "staying out", "sitting out"),
    }.items()
    for word in words
}
_TOKENS = ("token", "station")


def _reads(power: Power) -> tuple[Callable[[CommandReader], Action], ...]:
    own = VERBS_BY_NAME[verb_of(power)].read
    if isinstance(power, MarkPower | TerrainPower):
        return own, operating.token
    return (own, trains.buy_train) if isinstance(power, DiscountPower | SharePower) else (own,)


NOT_A_COMMAND = "“{word}” is not a command"


#: the most words of a verb
_LONGEST = 4


def take_verb(reader: CommandReader) -> Verb | None:
    """Take the longest verb at this place, or None; a marker's name counts as its verb."""
    for size in range(min(_LONGEST, len(reader.words) - reader.at), 0, -1):
        there = reader.words[reader.at : reader.at + size]
        verb = VERBS_BY_NAME.get(key(" ".join(word.text for word in there)))
        if verb and there[-1].text != ",":
            reader.at += size
            return verb
    if reader.low in powers.mark_words(reader):
        return VERBS_BY_NAME["mark"]
    return None


def _read(verb: Verb, reader: CommandReader) -> Action:
    try:
        return verb.read(reader)
    except Garbled as error:
        word = error.line[error.column :].split()[0].rstrip(",;:")
        near = () if error.suggestions else like(word, SPELLED)
        if not near or not error.line[: error.column].rstrip().endswith(","):
            raise
        text = NOT_A_COMMAND.format(word=word)
        raise Garbled(error.line, error.column, text, near) from error


def _loosely(own: str, reader: CommandReader) -> str:
    """The verb that a player's word means here: one can put a tile, a token, or money on a bid.

    One can set a token, too.
    """
    verb = _LOOSELY[own]
    if verb == "lay" and _is_mark(reader):
        return "mark"
    if verb == "lay" and stock.may_bid(reader):
        return "bid"
    tokens = verb in ("lay", "par") and any(word.low in _TOKENS for word in reader.words)
    return "token" if tokens else verb


def _is_mark(reader: CommandReader) -> bool:
    """Whether the next words name a marker: "put the coal field marker on Birmingham"."""
    start = reader.at
    reader.skip("a", "the", "my")
    found = reader.take(*powers.mark_words(reader))
    reader.at = start
    return bool(found)


def loose_verb(word: str) -> Verb | None:
    """The verb that a player's word usually means: "purchase" is `buy`; None for other words."""
    name = _LOOSELY.get(word.casefold())
    return VERBS_BY_NAME[name] if name else None


def _is_out(reader: CommandReader) -> bool:
    """Whether the words are "I'm out": out of the auction or of the round."""
    before = reader.words[reader.at - 1].low if reader.at else ""
    return before.removeprefix("i'").removeprefix("we'") in ("m", "am", "re", "are") and bool(
        reader.take("out")
    )


#: words with which a wish for one more share begins
_MORE = ("another", "one more", "a second", "second", "a third", "third", "one", "a", "1")


def _wants_share(reader: CommandReader) -> bool:
    """Whether the words are a wish without its verb: "one more share of L&N"."""
    start = reader.at
    more = reader.take(*_MORE)
    reader.at = start
    if more and any(word.low in debt.SHARES for word in reader.words):
        return True
    reader.skip(*_MORE[:2])
    company = more and reader.maybe_name(names.companies(reader.title))
    reader.at = start
    return bool(company)


NO_COMMAND = "There is no command"


def command(reader: CommandReader) -> Action:
    """Read a command from its verb; raises NotationError."""
    reader.skip("and", "first", "now")
    reader.skip("i", "i'm", "i am", "we", "we're", "we are")
    reader.skip("also", "now")
    if not reader.word:
        reader.malformed(NO_COMMAND)
    word = reader.word.text
    verb = take_verb(reader)
    if verb is None and dollars(word) is not None and stock.may_bid(reader):
        return stock.bid(reader)
    if verb is None and stock.names_a_price(reader):
        return stock.take_up(reader)
    borrows = any(one.low in debt.LOANS for one in reader.words)
    if verb is None and borrows and word.casefold() in _LOOSELY:
        reader.malformed(LOANS_COME)
    # "I have L&N" says what is, and "let me have L&N" what is wanted
    told = reader.at > 0 and reader.low == "have"
    if verb is None and not told and (own := reader.take(*_LOOSELY)):
        verb = VERBS_BY_NAME[_loosely(own, reader)]
    if verb is None and _is_out(reader):
        verb = VERBS_BY_NAME["pass"]
    if verb is distress.OFFER and stock.may_bid(reader):
        verb = stock.BID
    if verb is None and _wants_share(reader):
        verb = VERBS_BY_NAME["buy"]
    if verb is None:
        known = (v for v in VERBS if v.known(reader.title))
        close = like(word, (name for v in known for name in (v.name, *v.also)))
        if not close and reader.maybe_name(names.companies(reader.title)):
            reader.at -= 1
            close = ("buy", "sell", "par")
        unasked = _UNASKED.get(word.casefold(), "")
        text = NOT_A_COMMAND.format(word=word)
        reader.malformed(unasked or text, () if unasked else close)
    action = _read(verb, reader)
    if reader.heading and not reader.heading_used:
        company = reader.heading
        reader.malformed(
            f"“{company}:” stands before what {company} does itself; leave it out", at=0
        )
    return action


#: the modules that have verbs
_MODULES = (
    answering,
    debt,
    distress,
    exchange,
    operating,
    powers,
    running,
    stock,
    systems,
    trains,
)


def every(verbs: Iterable[Verb]) -> tuple[Verb, ...]:
    """All verbs, in the order of the help.

    Raises TypeError that names the verbs of the modules that are not among them.
    """
    found = tuple(verbs)
    own = (value for module in _MODULES for value in vars(module).values())
    if left := [one.name for one in own if isinstance(one, Verb) and one not in found]:
        raise TypeError(f"verbs that are not in the table of all verbs: {', '.join(left)}")
    return found


VERBS = every(
    (
        stock.BUY,
        stock.SELL,
        stock.PAR,
        stock.BID,
        stock.TAKE_BACK,
        operating.LAY,
        powers.FERRY,
        operating.TOKEN,
        powers.MARK,
        powers.EXTEND,
        powers.NAME,
        running.RUN,
        running.IDLE,
        operating.PAY,
        operating.HALF,
        operating.WITHHOLD,
        trains.TRAIN,
        operating.BUY_STATION,
        trains.DISCARD,
        debt.REPAY,
        debt.REDEEM,
        debt.ISSUE,
        debt.BUY_BACK,
        operating.KEEP,
        distress.OFFER,
        systems.MERGE,
        trains.BANKRUPT,
        exchange.EXCHANGE,
        answering.ACCEPT,
        answering.DECLINE,
        answering.COUNTER,
        answering.WITHDRAW,
        answering.PROTECT,
        answering.LET_FALL,
        answering.INSIST,
        stock.PASS,
        Verb("use", ("power",), use),
    )
)

#: all words for verbs
SPELLED = tuple(name for verb in VERBS for name in (verb.name, *verb.also))
VERBS_BY_NAME = {key(name): verb for verb in VERBS for name in (verb.name, *verb.also)}

#: kind of power → the verb for it
_SERVING = {
    power: verb.name
    for verb in VERBS
    for power in (*verb.powers, *(form.power for form in verb.forms if form.power))
}

complete()
