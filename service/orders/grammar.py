"""Reads and writes orders with the names of a title and a game, without a position.

``grammar.lark`` has the grammar; the verbs are those of the notation.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from itertools import chain, pairwise
from typing import Any, NoReturn, cast

from lark import Lark, Token, Tree, UnexpectedInput
from lark.exceptions import UnexpectedCharacters, UnexpectedToken

from engine.notation import Malformed, NotationError, names
from engine.notation.suggest import like
from engine.notation.verbs import VERBS_BY_NAME
from engine.notation.words import normalise, wordings
from service.orders import special
from service.orders import values as v
from service.orders.building import Builder, Names

#: the most characters of an order; no real plan for a turn has a quarter of them
LONGEST = 2_000
_SHOWN = 60

#: terminals of the grammar in the words of players; all others are punctuation
_EXPECTED = {
    "NEXT": "next:", "STANDING": "standing", "ALWAYS": "always", "OPERATE": "operate COMPANY:",
    "VERB": "a command", "SKIP": "skip", "ASK": "ask", "SEP": "a comma and a command",
    "AND_THEN": "and a command",
    "LIFE": "for round", "UNTIL": "until", "IF": "if", "UNLESS": "unless", "ELSE": "else",
    "OR": "or", "AND": "and", "NOT": "not", "SELLS": "sells", "BUYS": "buys", "BIDS": "bids",
    "OUTBID": "outbid", "STARTED": "is started", "FLOATED": "is floated", "FLOATS": "floats",
    "FLOAT": "float", "PRESIDENT": "president of", "CHANGES": "changes", "TRAIN": "train",
    "BOUGHT": "is bought", "PHASE_CHANGES": "phase changes", "ROUND_ENDS": "round ends",
    "ALARM": "alarm", "HAS_TRAIN": "has a train", "FREE": "is free", "HAS": "has",
    "PRESIDES": "presides", "OWN": "5 shares", "FIGURE": "price, cash, shares, …",
    "REL": "=, <, >, <= or >=", "WORD": "a name", "THEN": "then", "LPAR": "(", "RPAR": ")",
    "ARG": "more of the command", "CONSENT": "consent:", "REFUSE": "refuse", "VOTE": "vote",
    "OFFERS": "offers", "SELL": "sell", "BUY": "buy", "USE": "use", "FROM": "from", "TO": "to",
    "FOR": "for", "ON": "on", "BY": "by",
}  # fmt: skip

#: the most levels of an order's tree; a condition in parentheses takes about four
_DEEPEST = 80


def _verbs() -> set[str]:
    verbs = {name for verb in VERBS_BY_NAME.values() for name in (verb.name, *verb.also)}
    # `skip` and `ask` belong to this language; "Ferry" is a private company rather than a verb
    return verbs - {v.SKIP, v.ASK, "operate", "ferry"}


#: words of an order's duration, and of what it accepts or refuses, for a look ahead
_LIFE = (
    r"for\s+(?:(?:the\s+)?rest\s+of\s+)?(?:the\s+|this\s+)?(?:turn|round|set|game|\d+\s+rounds?)\b"
)
_TERMS = r"(?:(?:(?:all|any)\s+)?offers?|everything|anything|sell|buy|use)\b"


_FIGURES = {"run", "par", "train", "trains"}
#: words that end a condition: verbs (except those used in conditions) and other beginnings
_VERB = re.compile(
    rf"\b(?:{'|'.join(sorted(map(re.escape, _verbs() - _FIGURES)))}|skip|ask"
    r"|consent|vote|until|else|otherwise"
    rf"|(?:{'|'.join(_FIGURES)})(?!\s+\S+\s*(?:[<>=]|at\s|more\s|less\s|is\s|left\s)))\b",
    re.IGNORECASE,
)


@cache
def _parser() -> Lark:
    text = files("service.orders").joinpath("grammar.lark").read_text(encoding="utf-8")
    # a verb of two words comes before its own first word
    ranked = sorted(_verbs(), key=lambda name: (-len(name), name))
    spaced = "|".join(re.escape(name).replace(r"\ ", r"\s+") for name in ranked)
    for word, meant in (("%VERBS%", spaced), ("%LIFE%", _LIFE), ("%TERMS%", _TERMS)):
        text = text.replace(word, meant)
    return Lark(text, start="order", parser="lalr", maybe_placeholders=False)


@cache
def words() -> frozenset[str]:
    """The words of the language, which cannot be the name of a player."""
    text = files("service.orders").joinpath("grammar.lark").read_text(encoding="utf-8")
    patterns = re.findall(r"^[A-Z_]+(?:\.\d+)?: /(.*)/i?$", text, re.MULTILINE)
    every = (re.sub(r"\\.|%\w+%|\[[^\][]*\]", " ", pattern) for pattern in patterns)
    return frozenset(word for one in every for word in re.findall(r"[a-z]{2,}", one))


def read(names_: Names, text: str) -> v.Order:
    """The order that a player wrote.

    Raises NotationError with the place of the word that is not understood, and the words that are
    possible there.
    """
    line = _plain(text)
    try:
        return _read(names_, line)
    except NotationError as error:
        raise _as_written(error, line, normalise(text)) from None


def _read(names_: Names, line: str) -> v.Order:
    if len(line) > LONGEST:
        raise Malformed(line[:_SHOWN], 0, f"an order has at most {LONGEST} characters")
    try:
        tree = _parser().parse(_joined(line))
    except UnexpectedInput as error:
        _misread(names_, line, error)
    if _deep(tree):
        text = "conditions within conditions within conditions: say it with fewer parentheses"
        raise Malformed(line, 0, text)
    return Builder(names_, line).order(cast("Tree[Any]", tree))


def _as_written(error: NotationError, line: str, written: str) -> NotationError:
    """An error about a plain line, as one about the line that its player wrote."""
    if error.line != line or line == written:
        return error
    rest, word = line[error.column :], line[error.column :].split(" ")[0]
    at = len(written) - len(rest) if rest and written.endswith(rest) else written.find(word)
    at = max(at, 0) if rest else len(written) + 1
    return type(error)(written, at, error.text, error.suggestions)


#: replaces, while a line is read, a comma that separates nothing; no player's email contains it
_COMMA = "\ue000"
_LAYS = re.compile(r"\s*+(?:lay|tile|build|upgrade)\b", re.IGNORECASE)
_APART = {"if", "unless", "else", "then", "until"}


def _joined(line: str) -> str:
    """The line with `_COMMA` instead of the commas between a ferry and the tile at its end."""
    parts = line.split(",")
    signs = (
        _COMMA if _ferries(part) and _LAYS.match(after) else "," for part, after in pairwise(parts)
    )
    return "".join(chain.from_iterable(zip(parts, (*signs, ""), strict=True)))


def _ferries(part: str) -> bool:
    """Whether a part of a line ends with the use of a ferry: ``use Ferry: Milwaukee-Muskegon``."""
    used = ferry = False
    for word in re.findall(r"\w+|:", part.casefold()):
        used = word != ":" and (used or word in ("use", "power"))
        ferry = word not in _APART and (ferry or (used and word == "ferry"))
    return ferry


def _deep(tree: Tree[Any]) -> bool:
    """Whether an order is nested deeper than any that a person writes. It uses no recursion."""
    level: list[Any] = [tree]
    for _ in range(_DEEPEST):
        level = [part for one in level for part in getattr(one, "children", ())]
        if not level:
            return False
    return True


def _plain(text: str) -> str:
    """The line in plain characters, with the colon of a head, and without abbreviations."""
    line = normalise(text).replace('"', "")
    line = _ACTOR.sub(" ", _THEN.sub(" then ", _AFTER_THAT.sub(_afterwards, line)))
    for written, meant in _SUGAR:
        line = written.sub(meant, line)
    while (twice := _OR_NAME.sub(_BOTH_NAMES, line)) != line:
        line = twice
    if (found := _LAST_CONDITION.fullmatch(line)) and not _VERB.search(found["condition"]):
        line = f"{found['command']} {found['condition']}"
    if (found := _IF_THEN.match(line)) and not _VERB.search(found["cond"]):
        line = f"{found['if']}{found['cond']} {line[found.end() :]}"
    return line


#: words that say "then", and whether a purchase follows them
_AFTER_THAT = re.compile(
    r"[.,]? (?:and )?(?:after that|after this|afterwards),? (?P<buys>(?:(?:i|we) )?buy\b)?",
    re.IGNORECASE,
)
#: the beginning of a line for a company's turn, in which they join the steps of that turn
_OPERATES = re.compile(r"operate\b|(?!next\b|always\b|standing\b)\S[^:,;]{0,60}:", re.IGNORECASE)
_THEN = re.compile(r"[.,]? (?:and )?then,? ", re.IGNORECASE)
#: who acts, before the verb of a second command
_ACTOR = re.compile(rf"(?<=and|hen|..,) (?:i|we) (?=(?:also )?{_VERB.pattern})", re.IGNORECASE)


def _afterwards(found: re.Match[str]) -> str:
    """What "after that" means: the next step of a company's turn or after a sale, or a turn."""
    line, buys = found.string, found["buys"] or ""
    same = _OPERATES.match(line) or (buys and line[:5].casefold() == "sell ")
    return f"{',' if same else ' then'} {buys}"


#: a condition at the beginning, and the "then" after it
_IF_THEN = re.compile(
    r"(?P<if>(?:[^:]{1,60}:|standing|always)? ?\b(?:if|unless)\b)(?P<cond>.+?)(?:, ?| )then ",
    re.IGNORECASE,
)


_SOMEBODY = "(?:any|some)(?:body|one)(?: else)?"
_NOBODY = "no(?:body|[ -]one)(?: else)?"
#: a condition about one of two names, with its verb only once: "Bob sells SP or IC"
_BOTH_NAMES = r"\g<who> \g<does> \g<one> or \g<who> \g<does> \g<other>"
_OR_NAME = re.compile(
    r"(?P<who>\S{1,40}) (?P<does>bids on|bids|sells|buys) (?P<one>[\w&]{1,20}) or "
    r"(?P<other>(?!(?:alarm|float|outbid|not)\b)[\w&]{1,20})(?= (?:or|and|then|for|else)\b|,|$)",
    re.IGNORECASE,
)
#: one command, and its condition after a comma
_LAST_CONDITION = re.compile(
    r"(?P<command>(?:(?! (?:and|then|if|unless|until|else) )[^,])+), "
    r"(?P<condition>(?:if|unless) [^,]+)",
    re.IGNORECASE,
)

#: other spellings and abbreviations, each with the full form
_SUGAR = wordings(
    (r"^(?:then\s+)?(?:(?:i|we)\s+)?", ""),
    (r"\bpass\s+for\s+me\b", "pass"),
    (r"^pass,? (?:and )?(?:i )?keep(?: on)? passing(?: for me)?\b", "pass"),
    (r"^keep(?: on)? passing(?: for me)?\b", "pass"),
    (rf"\b{_SOMEBODY} outbids me on\b", "anyone bids on"),
    (rf"\b{_SOMEBODY} outbids me\b", "outbid"),
    (rf"\bif {_NOBODY} (?:has )?(?:buys|bought)\b", "unless anyone buys"),
    (rf"\bif {_NOBODY} (?:has )?(?:sells|sold)\b", "unless anyone sells"),
    (rf"\bif {_NOBODY} (?:has )?bids?\b", "unless anyone bids"),
    (r"\buntil\s+it\s+(?:floats|is\s+floated|has\s+floated)\b", "until float"),
    (r"\b(?:the|this)\s+(?:stock\s+)?round\s+(?:ends|is\s+over)\b", "round ends"),
    (r"^never\s+protect\b", "always let fall"),
    (rf"\b{special.PASS_ROUND},? unless\b", "pass until alarm or round ends or"),
    (rf"\b{special.PASS_ROUND}", "pass until alarm or round ends"),
    (r"^keep(?: on)? buying\b", "buy"),
    (r",? (?:every|each)(?: stock)? turn,? until\b", " until"),
    (r"\btill?\b", "until"),
    (
        r"\buntil (?:i|we) (?:have|own|hold) (?P<own>\d{1,3})(?P<what>%| shares?)"
        r"(?: of (?:it|them|this company))?(?=$| then| or)",
        r"until \g<own>\g<what>",
    ),
    (
        r"\buntil (?:i|we) (?:have|own|hold) (?P<own>\d{1,3})(?P<percent>%?)(?: shares?)? "
        r"(?:of|in) (?:the )?(?P<company>[\w&]{1,20})(?=$| then| or)",
        r"until shares me \g<company> >= \g<own>\g<percent>",
    ),
    (r"\b(?:the\s+)?end\s+of\s+(?:the\s+|this\s+)?(?:stock\s+)?round\b", "round ends"),
    (r"\bfor\s+\$?(\d+)\s+or\s+(?:more|better)\b", r"for >= \1"),
    (r"\bfor\s+\$?(\d+)\s+or\s+(?:less|fewer)\b", r"for <= \1"),
)


#: words other than names that may begin a condition, and how to write them
_CONDITIONS = (
    "alarm", "float", "outbid", "not", "round ends", "phase changes", "president of",
    "price", "par", "run", "cash", "shares", "phase", "trains left", "next train", "high bid",
)  # fmt: skip


#: words that may follow a name in a condition
_OF_NAMES = (
    "sells", "buys", "bids", "is started", "is floated", "is free", "floats", "has", "presides",
)  # fmt: skip


#: the most words of a name
_NAME_WORDS = 8

NOT_UNDERSTOOD = "“{word}” is not understood here"
#: words like "nobody", for which no other word is proposed: most mean the opposite
_NEGATIONS = frozenset(("nobody", "noone", "none", "no", "never", "nothing"))
NEGATED = f"{NOT_UNDERSTOOD}; turn the condition round: `unless anyone buys …`"
WHICH_OF_THEM = (
    "this condition may be for one of the commands or for all; write it before each command that "
    "it is for"
)
SOMETHING_MISSING = "something is missing here"
ONE_OF_THESE = "{fault}; write one of these: {likely}"


def _no_condition(names_: Names, line: str, error: UnexpectedToken) -> None:
    """Raise an error for a word that looks like part of a name: ``until flaot then``."""
    if "STARTED" not in error.accepts:
        return
    words = _last_name(error)
    things = (*names.companies(names_.title), *names.privates(names_.title))
    things += (*names.places(names_.title), *names.seats(names_.seats))
    things += names.plain("player", (v.ME, v.ANYONE, "anybody", "someone"))
    sizes = range(min(len(words), _NAME_WORDS), 0, -1)
    named = next((n for n in sizes if names.match(things, " ".join(words[:n]))), 0)
    if named == len(words):
        return
    word = str(words[named])
    said = NOT_UNDERSTOOD.format(word=word)
    near = like(word, _OF_NAMES if named else _CONDITIONS)
    if word.casefold() in _NEGATIONS:
        raise Malformed(line, words[named].start_pos or 0, NEGATED.format(word=word))
    if not named:
        near = near or names.nearest(things, word)
    if not near:
        may = _OF_NAMES if named else ("alarm", "round ends", "float", "5 shares", "anyone sells")
        said = ONE_OF_THESE.format(fault=said, likely=", ".join(may))
    raise Malformed(line, words[named].start_pos or 0, said, near)


def _last_name(error: UnexpectedToken) -> list[Token]:
    """The words of the name that the parser was reading when the error came.

    They are still separate, because the parser joins them only after it accepts the next word.
    """
    read: list[Token] = []
    for value in error.interactive_parser.parser_state.value_stack[::-1]:
        words = [value] if isinstance(value, Token) else list(value.scan_values(bool))
        if {word.type for word in words} != {"WORD"}:
            break
        read = [*words, *read]
    return read


def _misread(names_: Names, line: str, error: UnexpectedInput) -> NoReturn:
    wanted: set[str] = set()
    if isinstance(error, UnexpectedToken):
        _no_condition(names_, line, error)
        wanted = set(error.accepts or error.expected)
    elif isinstance(error, UnexpectedCharacters):
        wanted = set(error.allowed or ())
    at = max(0, getattr(error, "column", 1) - 1) if error.pos_in_stream != -1 else len(line)
    ended = isinstance(error, UnexpectedToken) and error.token.type == "$END"
    at = len(line) + 1 if ended else at
    condition = re.search(r", (?:if|unless) [^,]+$", line, re.IGNORECASE)
    if ended and condition:
        raise Malformed(line, condition.start() + 2, WHICH_OF_THEM)
    found = [word.rstrip(",;:") or word for word in line[at:].split()[:1]]
    said = NOT_UNDERSTOOD.format(word=found[0]) if found else SOMETHING_MISSING
    known = dict.fromkeys(_EXPECTED[name] for name in _EXPECTED if name in wanted)
    likely = ", ".join(list(known)[:8])
    near = like(found[0], _verbs()) if found and "VERB" in wanted else ()
    if likely and not near:
        said = ONE_OF_THESE.format(fault=said, likely=likely)
    raise Malformed(line, at, said, near)
