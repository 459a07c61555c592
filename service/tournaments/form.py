"""The form that a tournament is announced by: printed, filled in, read back.

A line is `key: value`; what begins with `#` explains. A reply may quote it (`> key: value`): what
stands unquoted counts before what is quoted. Fields that are left out are as they were.
"""

import difflib
import re
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from msgspec.structs import replace

from engine.wording import listed
from service.tournaments.fields import FIELDS, ROUND_FIELDS, Field, Unread, whole
from service.tournaments.rules import MOST_ROUNDS, RoundRules, TournamentRules, why_not

WIDTH = 78
#: characters of a text that can be told of a tournament
LONGEST = 8000
_LINE = re.compile(
    r"(?P<quote>(?:\s*>)*)\s*(?P<key>[A-Za-z](?:[\w -]*[\w-])?)\s*:(?:\s+(?P<value>\S.*))?",
    re.DOTALL,
)
_ROUND = re.compile(r"round (\d{1,3}) (.+)")
_BY_KEY = {one.key: one for one in FIELDS}
_ROUND_BY_KEY = {one.key: one for one in ROUND_FIELDS}


FAULT = "Line {line}, `{text}`: {why}"


@dataclass(frozen=True)
class Fault:
    """What is wrong with a line of a form, counted from 1; 0 for the form as a whole."""

    line: int
    text: str
    why: str

    def __str__(self) -> str:
        return FAULT.format(line=self.line, text=self.text, why=self.why) if self.line else self.why


class WrongForm(ValueError):
    """A form that cannot be read; ``faults`` tell all that is wrong with it."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(map(str, self.faults)))


HOW_MANY_ROUNDS = "how many rounds there are"


def printed(rules: TournamentRules, explained: bool = False) -> str:
    """The form of rules; with ``explained``, what each field means stands above it."""
    lines: list[str] = []
    for field in FIELDS:
        lines += _lines(field, field.key, field.show(rules), explained)
    lines += [*_comment(HOW_MANY_ROUNDS, explained), f"rounds: {len(rules.rounds)}"]
    for number, one in enumerate(rules.rounds, 1):
        for field in ROUND_FIELDS:
            key = f"round {number} {field.key}"
            lines += _lines(field, key, field.show(one), explained and number == 1)
    return "\n".join(lines) + "\n"


def _comment(told: str, explained: bool) -> list[str]:
    return textwrap.wrap(f"# {told}", WIDTH - 2, subsequent_indent="#   ") if explained else []


def _lines(field: Field, key: str, value: str, explained: bool) -> list[str]:
    values = value.split("\n") if field.many else [value]
    return [*_comment(field.told, explained), *(f"{key}: {one}".rstrip() for one in values)]


def read(text: str, before: TournamentRules) -> TournamentRules:
    """The rules that a filled-in form says; what it leaves out is as ``before``.

    Raises WrongForm, which tells all that is wrong, line by line.
    """
    faults: list[Fault] = []
    said = _said(text, faults)
    rules = _rounds(before, said, faults)
    for key, value in said.items():
        try:
            rules = _put(rules, key, value.text)
        except Unread as wrong:
            faults.append(Fault(value.line, value.shown(key), f"{wrong}."))
    if not faults:
        faults += [Fault(0, "", why) for why in why_not(rules)]
    if faults:
        raise WrongForm(sorted(faults, key=lambda one: one.line))
    return rules


@dataclass(frozen=True)
class _Value:
    """What stands behind a key, in which line, and whether it is only quoted."""

    line: int
    text: str
    quoted: bool

    def shown(self, key: str) -> str:
        return f"{key}: {self.text}".splitlines()[0][:60].rstrip()


_Said = dict[str, _Value]


HOW_OF_LINES = "a line is a field, a colon and a value: `places: 32`."


def _said(text: str, faults: list[Fault]) -> _Said:
    """Key → what stands behind it; what is unquoted goes before."""
    own: _Said = {}
    quoted: _Said = {}
    for number, line in enumerate(text.splitlines(), 1):
        found = _LINE.fullmatch(line.strip())
        bare = line.strip(" >\t")
        if not bare or bare.startswith("#"):
            continue
        if found is None:
            if not line.lstrip().startswith(">"):
                why = HOW_OF_LINES
                faults.append(Fault(number, bare[:60], why))
            continue
        key = " ".join(found["key"].lower().split())
        if fault := _unknown(key):
            if not found["quote"]:
                faults.append(Fault(number, bare[:60], fault))
            continue
        value = _Value(number, found["value"] or "", bool(found["quote"]))
        _take(quoted if value.quoted else own, key, value, faults)
    return {**quoted, **own}


STANDS_TWICE = "it is in line {line} too, with another value: write it once."


def _take(into: _Said, key: str, said: _Value, faults: list[Fault]) -> None:
    before = into.setdefault(key, said)
    if before is said:
        return
    if _many(key):
        into[key] = _Value(before.line, f"{before.text}\n{said.text}", said.quoted)
    elif before.text != said.text:
        why = STANDS_TWICE.format(line=before.line)
        faults.append(Fault(said.line, said.shown(key), why))


def _many(key: str) -> bool:
    """Whether several lines of a field belong together."""
    found = _ROUND.fullmatch(key)
    field = _ROUND_BY_KEY.get(found[2]) if found else _BY_KEY.get(key)
    return field is not None and field.many


NO_FIELD = "there is no such field; there are {fields}."
DID_YOU_MEAN = "there is no such field; did you mean `{begin}{field}`?"


def _unknown(key: str) -> str:
    """Why there is no such field, "" if there is."""
    if key == "rounds" or key in _BY_KEY:
        return ""
    found = _ROUND.fullmatch(key)
    known: Mapping[str, object] = _ROUND_BY_KEY if found else _BY_KEY
    word = found[2] if found else key
    if found and word in known:
        return ""
    if near := difflib.get_close_matches(word, [*known, "rounds"], 1):
        begin = f"round {found[1]} " if found else ""
        return DID_YOU_MEAN.format(begin=begin, field=near[0])
    return NO_FIELD.format(fields=listed([*known, "rounds"]))


ONE_ROUND = "there is 1 round: write `rounds: ` and how many there shall be."
ROUNDS = "there are {rounds} rounds: write `rounds: ` and how many there shall be."


def _rounds(rules: TournamentRules, said: _Said, faults: list[Fault]) -> TournamentRules:
    """The rules with as many rounds as the form says; further ones are as the last one is."""
    number = len(rules.rounds)
    if wanted := said.pop("rounds", None):
        try:
            number = whole(1, MOST_ROUNDS)(wanted.text)
        except Unread as wrong:
            faults.append(Fault(wanted.line, wanted.shown("rounds"), f"{wrong}."))
    for key in [key for key in said if (one := _ROUND.fullmatch(key)) and not _among(one, number)]:
        value = said.pop(key)
        if not value.quoted:
            why = (ONE_ROUND if number == 1 else ROUNDS).format(rounds=number)
            faults.append(Fault(value.line, value.shown(key), why))
    titles = said.get("round 1 titles")
    for later in range(len(rules.rounds) + 1, number + 1):
        if titles:
            said.setdefault(f"round {later} titles", titles)
    last = rules.rounds[-1]
    further = RoundRules(titles=last.titles, sizes=last.sizes)
    return replace(rules, rounds=(*rules.rounds, *[further] * number)[:number])


def _among(found: re.Match[str], number: int) -> bool:
    return 1 <= int(found[1]) <= number


TOO_LONG = "it has {characters} characters, and {longest} are the most"


def _put(rules: TournamentRules, key: str, value: str) -> TournamentRules:
    """The rules with what a line says. Raises Unread."""
    if found := _ROUND.fullmatch(key):
        number = int(found[1])
        field = _ROUND_BY_KEY[found[2]]
        one = field.put(rules.rounds[number - 1], field.read(value))
        rounds = (*rules.rounds[: number - 1], one, *rules.rounds[number:])
        return replace(rules, rounds=rounds)
    field = _BY_KEY[key]
    if len(value) > LONGEST:
        raise Unread(TOO_LONG.format(characters=len(value), longest=LONGEST))
    put: TournamentRules = field.put(rules, field.read(value))
    return put
