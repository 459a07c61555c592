"""Splits a line of an email into commands, and reads a command as an action."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from engine.notation import names
from engine.notation.errors import Malformed
from engine.notation.forms import Verb
from engine.notation.reading import COUNTS, CommandReader
from engine.notation.stock import names_a_price
from engine.notation.suggest import like
from engine.notation.verbs import SPELLED, VERBS_BY_NAME, command, loose_verb
from engine.notation.words import (
    CommandWord,
    key,
    normalise,
    without_comment,
    wordings,
    words_of,
)
from engine.wording import whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.actions import Action
    from engine.facts.title import Title
    from engine.position.values import CompanyId, Seat, State

#: most shares to sell one by one
_MOST = 20
#: the words between two commands
_JOINS = ("and", "then", "&", "but")
#: who acts, and how, before the verb of a second command: "and I also buy a 2"
_ACTORS = ("i", "we", "also")
#: words that say "then"
_AFTERWARDS = re.compile(
    r",? (?:and )?(?:after that|afterwards|after this|with (?:the|that|this) money),? ",
    re.IGNORECASE,
)
#: the words that can continue a list: a number, a train, a hex
_LISTED = re.compile(r"\d.*|[A-Za-z]\d{1,2}")
#: a word at the end of a command that has no meaning, and how many such words may follow each other
_TAIL = re.compile(
    r"(?<![ ,])[ ,]+"
    r"(?:for me|for now|now|then|again|too|as well|this time|this turn|for (?:its|the) price)$",
    re.IGNORECASE,
)
_MOST_TAILS = 3
#: a word of a request anywhere in a move: "buy TR, please, for $20"
_PLEASE = re.compile(r"(?:,? )?\b(?:please|pls|plz|for me)\b(?:,(?= ))?", re.IGNORECASE)
_ELSE = re.compile(r"\s(?:or\s+)?else\s", re.IGNORECASE)
#: a wish with its verb at the end: "one more L&N share for me, please buy it"
_WISH = re.compile(
    r"((?:one more|another)\b[^,]+?),? (?:and )?(?:please )?(?:buy|take|get) (?:it|that|one)"
    r"(?: please| for me)*",
    re.IGNORECASE,
)
#: a wish for a share that names no company: "give me one share"
_SHARE = re.compile(
    r"(?:give me|get me|let me have) ((?:an?|one|another)(?: more)? (?:share|certificate))",
    re.IGNORECASE,
)
#: several trains of a type: "buy two 2H trains"
_TRAINS = re.compile(
    r"(?:(?:i|we) )?(?:also )?(buy|get|take) "
    rf"(\d|{'|'.join(COUNTS[2:])}) (?:new )?(\d{{1,2}}\w{{0,3}}|[a-z])[- ]trains"
    r"(?: for \$?\d{1,4} each)?",
    re.IGNORECASE,
)
#: a name in a player's sentence, up to "from" or "for"
_NAME = r"(?:the )?(?:(?-i:[A-Z])[\w&.']{0,20} |and |& ){1,6}"
#: a side of a hex
_SIDE = r"(?:the )?(?:[ns][ew]?|[ew]|(?:north|south)[ -]?(?:east|west)?|east|west)\b"
#: words that players use for moves, each with the words of commands: a second tile, train, private
#: company or bid after "and" or a comma, the sides of a tile in a clause, bids that stay
_IN_OTHER_WORDS = wordings(
    (
        r"(?P<first>\b(?:lay|put|place|build|upgrade)\b.{1,60}?),? and "
        r"(?=(?:(?:a|an|the|another|also|tile|number) )*#?\d{1,4}[A-Z]? "
        r"(?:(?:on|at|in) |[A-Z]\d{1,2}\b))",
        r"\g<first>, lay ",
    ),
    (
        r"(?P<buys>\bbuy [^,]{1,60}? from [\w&]{1,20} for \$?\d{1,5}),? and "
        rf"(?={_NAME}from [\w&]{{1,20}} for )",
        r"\g<buys>, buy ",
    ),
    (
        r"(?P<buys>\bbuy [^,]{1,60}? from (?P<whom>[\w&]{1,20}) for \$?\d{1,5}),? and "
        rf"(?P<other>{_NAME})(?=for \$?\d)",
        r"\g<buys>, buy \g<other>from \g<whom> ",
    ),
    (r"(?:, (?:and )?| and )(?=\$\d{1,5} on )", ", bid "),
    (
        r"(?P<buys>\b(?:buy|get|take) )(?P<one>(?:(?:a|an|the|one) )?\d{1,2}[A-Z]?(?: train)?)"
        r",? and (?:also )?(?:a|an|one|another) "
        r"(?=\d{1,2}[A-Z]?(?: train)?(?:[,.;]| and |$))",
        r"\g<buys>\g<one>, buy ",
    ),
    (r",? so (?:that )?it (?:links|connects|joins|goes|runs)(?: from)? ", " "),
    (rf",? (?:in order )?to (?:link|connect|join) (?={_SIDE})", " "),
    (r",? and (?:i )?(?:leave|keep) my other bids? (?:as (?:it is|they are)|unchanged)", ""),
    (r"^(?P<who>(?:i|we) )?go to (?P<sum>\$?\d+) on ", r"bid \g<sum> on "),
    (r" (?:in order )?to become (?:the )?president$", ""),
)
_ONE_BY_ONE = re.compile(rf"(sell) (\d|{'|'.join(COUNTS[2:])}) (.+?) one by one", re.IGNORECASE)


def split(line: str) -> list[str]:
    """The commands of a line, without comments.

    ``;`` always separates commands. A comma separates them if a verb follows it, or if the verb
    before it takes lists: "lay 57 C10 W-E, token D11", "sell 2 L&N, 1 M&O", "keep D12, L14". "and",
    "then" and the like separate them if a verb follows.
    """
    found: list[str] = []
    for part in without_comment(normalise(line)).split(";"):
        if wish := _WISH.fullmatch(part.strip()):
            part = f"buy {wish[1]}"
        if share := _SHARE.fullmatch(part.strip()):
            part = f"buy {share[1]}"
        part = _AFTERWARDS.sub(", then ", part)
        for written, meant in _IN_OTHER_WORDS:
            part = written.sub(meant, part)
        for text in _at_commas(part):
            if block := _ONE_BY_ONE.fullmatch(text):
                found += _repeated(text, block[2], f"{block[1]} 1 {block[3]}")
            elif trains := _TRAINS.fullmatch(text):
                found += _repeated(text, trains[2], f"{trains[1]} {trains[3]}")
            elif text:
                found.append(text)
    return found


def _repeated(text: str, number: str, one: str) -> list[str]:
    """One command as often as a number says.

    A number above the limit leaves the text as it is: the reader refuses it.
    """
    low = number.casefold()
    count = COUNTS.index(low) if low in COUNTS else whole(low) or 0
    return [one] * count if count <= _MOST else [text]


def _at_commas(text: str) -> list[str]:
    words = words_of(text)
    first = next((at for at, word in enumerate(words) if word.low not in _JOINS), 0)
    cuts = [first if _verb_at(words, first) else 0]
    pieces: list[str] = []
    lists = ""
    ferry = False
    for at, word in enumerate(words):
        if at in (0, cuts[-1]):
            verb = _begins(words, at)
            if verb:
                lists = verb.name if verb.lists else ""
        # the tiles of a ferry's ends belong to it
        ferry = ferry or key(word.text) == "ferry"
        comma = word.text == ","
        if (comma or (word.low in _JOINS and at > cuts[-1])) and at + 1 < len(words):
            then = at + 1
            while then + 1 < len(words) and words[then].low in (*_JOINS, *_ACTORS):
                then += 1
            follows = _begins(words, then)
            if ferry and follows and follows.name == "lay":
                continue
            if follows and follows.name == "par" and _names_no_par(words[cuts[-1] : at]):
                continue
            goes_on = comma and lists and _LISTED.fullmatch(words[then].text)
            if follows or goes_on:
                pieces.append(_piece(text, words[cuts[-1] : at], lists))
                cuts.append(then)
                ferry = False
    pieces.append(_piece(text, words[cuts[-1] :], lists))
    return pieces


def _names_no_par(words: tuple[CommandWord, ...]) -> bool:
    """Whether the words start a company without its par value: "start the M&O, par 60"."""
    verb = _begins(words, 0)
    starts = verb is not None and verb.name == "par"
    president = any(word.low.startswith("president") for word in words)
    return (starts or president) and not any(word.text[:1].isdecimal() for word in words)


def _piece(text: str, words: tuple[CommandWord, ...], lists: str) -> str:
    if not words:
        return ""
    piece = text[words[0].column : words[-1].end]
    return piece if not lists or _begins(words, 0) else f"{lists} {piece}"


def _begins(words: tuple[CommandWord, ...], at: int) -> Verb | None:
    """The verb that begins at this word, also one that only players use: "take", "purchase"."""
    return _verb_at(words, at) or loose_verb(words[at].text)


def _verb_at(words: tuple[CommandWord, ...], at: int) -> Verb | None:
    """The verb that begins at this word, perhaps after a company and a colon."""
    if [word.text for word in words[at + 1 : at + 2]] == [":"] and not words[at].text[
        0
    ].isdecimal():
        at += 2
    return VERBS_BY_NAME.get(key(words[at].text)) if at < len(words) else None


def alternatives(line: str) -> list[str]:
    """A command and its alternatives in order: "buy 3 else buy 2 market else done"."""
    return [part.strip() for part in _ELSE.split(line) if part.strip()]


IS_A_PLAYER = "“{name}” is a player: everybody writes for their own seat alone"


def heading(title: Title, line: str, seats: Sequence[Seat] = ()) -> tuple[CompanyId, str]:
    """The company before a colon at the beginning of a line, "" if there is none, and the rest.

    Raises NotationError if the word before the colon is neither a verb nor a company. If ``seats``
    has names, it may also be one of these players.
    """
    line = normalise(line)
    words = words_of(line)
    colon = next((at for at, word in enumerate(words[:6]) if word.text == ":"), 0)
    text = line[: words[colon - 1].end] if colon else ""
    if not colon or VERBS_BY_NAME.get(key(words[0].text)) or VERBS_BY_NAME.get(key(text)):
        return "", line
    found = names.match(names.companies(title), text)
    if len(found) != 1:
        if not found and names.match(names.seats(seats), text):
            raise Malformed(line, 0, IS_A_PLAYER.format(name=text))
        near = names.nearest(names.companies(title), text) or like(text, SPELLED)
        if names.match(names.privates(title), text):
            near = (f"use {line}",)
        raise Malformed(line, 0, f"“{text}” is neither a command nor a company", near)
    return found[0].id, line[words[colon].end :].strip()


def parse(title: Title, state: State, seat: Seat, line: str) -> Action:
    """The action that a player means by one command in a position.

    The action need not be legal. Where a command leaves something out, the legal choices decide.
    Raises NotationError: Malformed, UnknownName or Ambiguous.
    """
    line = _PLEASE.sub("", without_comment(normalise(line))).strip()
    for _ in range(_MOST_TAILS):
        line = _TAIL.sub("", line)
    own, colon, rest = line.partition(":")
    if colon and key(own) == key(seat) and rest.strip():
        line = rest.strip()
    reader = CommandReader(title, state, seat, line)
    # "New Decatur Yards: 125" is a bid
    company = "" if names_a_price(reader) else heading(title, line, state.seats)[0]
    if company:
        reader.heading = company
        while reader.next().text != ":":
            pass
    return command(reader)
