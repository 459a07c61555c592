"""The form that announces a tournament: its fields, and how it is printed and read.

A line is `key: value`; a line that begins with `#` explains, and a quoted one (`>`) is not read.
Missing fields stay as they were. The reader of a field raises Refused, which says what would work.
"""

import re
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, TypeVar, get_args

from msgspec import Struct
from msgspec.structs import replace

import engine
from engine import wording
from engine.wording import listed
from service.clocks import rules as clocks
from service.mail.grades import GRADES
from service.refusal import Refused
from service.tournaments import rules as r
from service.tournaments.rules import MOST_ROUNDS, RoundRules, TitleChoice, TournamentRules, why_not

#: columns of a line of text; with its field and a quotation mark it has 78
TEXT_WIDTH = 62
NONE = ("none", "no", "off", "-", "")


Rules = TypeVar("Rules", bound=Struct)


@dataclass(frozen=True)
class Writing:
    """How values are written: ``show`` gives the canonical text, ``read`` raises Refused."""

    show: Callable[..., str]
    read: Callable[[str], Any]


@dataclass(frozen=True)
class Field:
    """A field of the form, and where the rules of the tournament or of a round have its value.

    ``names`` are its attributes in the rules or in their ``part``; otherwise it is called as its
    ``key``. ``many`` says that several lines with this name belong together.
    """

    key: str
    told: str
    writing: Writing
    names: tuple[str, ...] = ()
    part: str = ""
    many: bool = False

    def show(self, rules: Struct) -> str:
        """The text of its value."""
        owner = getattr(rules, self.part) if self.part else rules
        return self.writing.show(*(getattr(owner, name) for name in self.names or (self.key,)))

    def put(self, rules: Rules, text: str) -> Rules:
        """The rules with the value that a text gives it. Raises Refused."""
        value, names = self.writing.read(text), self.names or (self.key,)
        values = value if len(names) > 1 else (value,)
        changes: dict[str, Any] = dict(zip(names, values, strict=True))
        if self.part:
            changes = {self.part: replace(getattr(rules, self.part), **changes)}
        return replace(rules, **changes)


def _or(words: Sequence[str]) -> str:
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


BETWEEN = "write a number between {least} and {most}"


def number(least: int, most: int, zero: str = "0") -> Writing:
    """A whole number within bounds; ``zero`` is the word for 0."""

    def read(text: str) -> int:
        word = text.strip().lower().removesuffix("days").strip()
        found = 0 if word in ("none", "all", "any") else wording.whole(word)
        if found is None or not least <= found <= most:
            raise Refused(BETWEEN.format(least=least, most=most))
        return found

    return Writing(lambda value: str(value or zero), read)


ONE_OF = "write {words}"


def either(*words: str) -> Writing:
    """One of these words."""

    def read(text: str) -> str:
        if (said := " ".join(text.lower().split())) not in words:
            raise Refused(ONE_OF.format(words=_or(words)))
        return said

    return Writing(str, read)


_ON_OR_OFF = either("yes", "no", "on", "off")
#: yes or no
FLAG = Writing(
    lambda flag: "yes" if flag else "no", lambda text: _ON_OR_OFF.read(text) in ("yes", "on")
)


HOW_OF_DAYS = "write a day as 2027-03-31, or none"


def _day(text: str) -> str:
    if text.strip().lower() in (*NONE, "later"):
        return ""
    try:
        return date.fromisoformat(text.strip()).isoformat()
    except ValueError:
        raise Refused(HOW_OF_DAYS) from None


def words(text: str) -> str:
    """A text in lines so short that a quoted form need not break them again."""
    lines: list[str] = []
    for line in text.splitlines():
        lines += textwrap.wrap(
            line, TEXT_WIDTH, break_long_words=False, break_on_hyphens=False
        ) or [""]
    return "\n".join(lines).strip("\n")


def _clock(text: str) -> str:
    rule = clocks.read(text)
    return str(rule) if rule else ""


def _holidays(text: str) -> str:
    return clocks.holidays_text(clocks.read_holidays(text))


EACH_ONCE = "name each only once"


def several(words: Sequence[str]) -> Writing:
    """Some words of a list, each at most once, in the order of the text."""

    def read(text: str) -> tuple[str, ...]:
        one_of = either(*words).read
        found = tuple(one_of(one) for one in re.split(r"[\s,]+", text.strip()) if one)
        if len(set(found)) < len(found):
            raise Refused(EACH_ONCE)
        return found

    return Writing(_list, read)


def _list(words: Sequence[object]) -> str:
    return ", ".join(map(str, words))


def _joined(text: str) -> str:
    """A list of several lines as one; a line may end within a title or after one."""
    found = ""
    for line in filter(None, (" ".join(one.split()) for one in text.splitlines())):
        goes_on = re.search(r"(,|\band|\bwith)$", found) or re.match(r"(and|with)\b", line)
        found += (" " if goes_on else ", ") + line if found else line
    return found


def _titles_shown(titles: Sequence[TitleChoice]) -> str:
    return "\n".join(textwrap.wrap(_list(titles), TEXT_WIDTH, break_on_hyphens=False)) or "none"


TITLES_ONCE = "name each title only once"


def _titles(text: str) -> tuple[TitleChoice, ...]:
    text = _joined(text)
    if text.strip().lower() in NONE:
        return ()
    found = tuple(_title(one.strip()) for one in text.split(",") if one.strip())
    if len(set(found)) < len(found):
        raise Refused(TITLES_ONCE)
    return found


NO_TITLE = "{title} is not a title here; there are {titles}"


def _title(text: str) -> TitleChoice:
    name, _, rest = text.partition(" with ")
    known = {one.casefold(): one for one in engine.title_names()}
    title = known.get(name.strip().casefold())
    if title is None:
        raise Refused(NO_TITLE.format(title=name.strip(), titles=listed(known.values())))
    variants = tuple(sorted({one.lower() for one in re.split(r"\s+and\s+|\s+", rest) if one}))
    try:
        engine.load_title(title, frozenset(variants))
    except (LookupError, ValueError) as error:
        raise Refused(str(error)) from error
    return TitleChoice(title, variants)


HOW_OF_TABLES = "write the numbers of players, the one wanted first: 4, 3, 5"


def _sizes(text: str) -> tuple[int, ...]:
    found = tuple(
        number(r.FEWEST_SEATS, r.MOST_SEATS).read(one) for one in re.split(r"[\s,]+", text) if one
    )
    if not found or len(set(found)) < len(found):
        raise Refused(HOW_OF_TABLES)
    return found


HOW_OF_GOING_ON = "write all, or a number as 8 by standings, or 8 by tables"


def _go_on(text: str) -> tuple[int, r.By]:
    said = " ".join(text.lower().split())
    if said in ("all", "0", "none"):
        return 0, "tables"
    found = re.fullmatch(r"(\d{1,4})(?: by (standings|tables))?", said)
    if not found or int(found[1]) < 2:
        raise Refused(HOW_OF_GOING_ON)
    return int(found[1]), "standings" if found[2] == "standings" else "tables"


HOW_OF_SCORES = "write one of places, places 10 6 3 1, wins or share"
MOST_FIRST = "points are those of places, the most first: places 10 6 3 1"


def _score(text: str) -> tuple[r.ScoreName, tuple[int, ...]]:
    """A scoring system, and the points of the places if the text names them."""
    found = re.fullmatch(r"([a-z]+)((?:\s+\d{1,6})*)", text.strip().lower())
    if not found:
        raise Refused(HOW_OF_SCORES)
    name = either(*get_args(r.ScoreName)).read(found[1])
    points = tuple(map(int, found[2].split()))
    if points and (name != "places" or len(points) < 2 or list(points) != sorted(points)[::-1]):
        raise Refused(MOST_FIRST)
    return name, points


def _or_none(text: str) -> str:
    return text or "none"


DAY = Writing(_or_none, _day)
TEXT = Writing(str, words)
SCORE = Writing(lambda score, points: " ".join([score, *map(str, points)]), _score)
GO_ON = Writing(lambda going, by: f"{going} by {by}" if going else "all", _go_on)

FIELDS: tuple[Field, ...] = (
    Field("announcement", "a text about the tournament; as many lines as you need", TEXT,
          many=True),
    Field("prizes", "the prizes, in words; as many lines as you need", TEXT, many=True),
    Field("close", "the day at whose end entries close; none: when the director says so", DAY),
    Field("start", "the day on which all tables start together; none: when the director says so",
          DAY),
    Field("places", "how many may play (later entrants wait); or any",
          number(0, 10_000, zero="any")),
    Field("clock", "how long players have: see docs/clocks.md; or none",
          Writing(_or_none, _clock)),
    Field("holidays", "days on which no clock runs: 2027-12-24 to 2028-01-02; or none",
          Writing(_or_none, _holidays)),
    Field("leave", "days of leave a year for each player", number(0, 120)),
    Field("security level", "how strictly senders are checked: friendly, standard or tournament",
          either(*GRADES), ("grade",)),
    Field("caretaker", "yes: it moves for players who run out of time", FLAG),
    Field("excused", "how often a player may run out of time before a standby is asked",
          number(0, 50)),
    Field("aims", "aims of seatings, most important first. meetings: nobody meets twice. pots: "
          "each table has one of the best players, one of the next, and so on", several(r.AIMS)),
    Field("score", "what a table gives: places (or places 10 6 3 1), wins, or share (a player's "
          "part of the table's money)", SCORE, ("score", "points"), "scoring"),
    Field("rounds counted", "how many of a player's rounds count, the best; or all",
          number(0, r.MOST_ROUNDS, zero="all"), ("best",), "scoring"),
    Field("tie-breaks", "equal players of the standings: wins, best (table), meetings, share, "
          "lot", several(get_args(r.TieBreak)), ("breaks",), "scoring"),
)  # fmt: skip
ROUND_FIELDS: tuple[Field, ...] = (
    Field("titles", "dealt to its tables: 18AL, 18GA with two-yellow and endless-8",
          Writing(_titles_shown, _titles), many=True),
    Field("tables", "players of a table, the number wanted first", Writing(_list, _sizes),
          ("sizes",)),
    Field("kind", "open, or final: it places its players before all others",
          either(*get_args(r.StandingsKind))),
    Field("go on", "who plays the next round: all, 8 by tables (winners first), 8 by standings",
          GO_ON, ("go_on", "by")),
    Field("until", "the day at whose end tables that still play are adjudicated", DAY),
)  # fmt: skip


class _RoundCount(Struct, frozen=True):
    """The number of rounds, as the form has it."""

    rounds: int


ROUNDS = Field("rounds", "how many rounds there are", number(1, MOST_ROUNDS))
WIDTH = 78
#: the most characters of a text about a tournament
LONGEST = 8000
_LINE = re.compile(
    r"(?:round\s+(?P<round>\d{1,3})\s+)?(?P<key>[A-Z](?:[\w -]*[\w-])?)"
    r"\s*:(?:\s+(?P<value>\S.*))?",
    re.IGNORECASE,
)
#: former keys, which forms and notes of directors still have
_FORMER = {"grade": "security level"}
_BY_KEY = {one.key: one for one in (*FIELDS, ROUNDS)}
_ROUND_BY_KEY = {one.key: one for one in ROUND_FIELDS}
FAULT = "Line {line}, `{text}`: {why}"
#: the number of a line of the form, counted from 1, and what is wrong there
Faults = list[tuple[int, str]]


def printed(rules: TournamentRules, explained: bool = False) -> str:
    """The form of these rules; ``explained`` adds the meaning above each field."""
    lines: list[str] = []
    for field in FIELDS:
        lines += _lines(field, field.key, rules, explained)
    lines += _lines(ROUNDS, ROUNDS.key, _RoundCount(len(rules.rounds)), explained)
    for number, one in enumerate(rules.rounds, 1):
        for field in ROUND_FIELDS:
            lines += _lines(field, f"round {number} {field.key}", one, explained and number == 1)
    return "\n".join(lines) + "\n"


def _lines(field: Field, key: str, rules: Struct, explained: bool) -> list[str]:
    value = field.show(rules)
    values = value.split("\n") if field.many else [value]
    told = textwrap.wrap(f"# {field.told}", WIDTH - 2, subsequent_indent="#   ")
    return [*(told if explained else ()), *(f"{key}: {one}".rstrip() for one in values)]


ONE_ROUND = "there is 1 round: write `rounds: ` and the number."
MORE_ROUNDS = "there are {rounds} rounds: write `rounds: ` and the number."


def read(text: str, before: TournamentRules) -> TournamentRules:
    """The rules in a filled-in form; missing fields are as in ``before``.

    A further round has the titles and tables of the round before it. Raises Refused, which names
    all errors, line by line.
    """
    faults: Faults = []
    said = _said(text, faults)
    rules, many = before, _RoundCount(len(before.rounds))
    many = _put(many, ROUNDS, said.pop((None, ROUNDS.key), None), faults)
    for field in FIELDS:
        rules = _put(rules, field, said.pop((None, field.key), None), faults)
    rounds = [*before.rounds[: many.rounds]]
    for at in range(many.rounds):
        if at == len(rounds):
            rounds.append(RoundRules(titles=rounds[-1].titles, sizes=rounds[-1].sizes))
        for field in ROUND_FIELDS:
            rounds[at] = _put(rounds[at], field, said.pop((at + 1, field.key), None), faults)
    why = (ONE_ROUND if many.rounds == 1 else MORE_ROUNDS).format(rounds=many.rounds)
    faults += [value.fault(why) for value in said.values()]
    rules = replace(rules, rounds=tuple(rounds))
    if wrong := [why for _, why in sorted(faults)] or why_not(rules):
        raise Refused(wrong[0], also=wrong[1:])
    return rules


@dataclass(frozen=True)
class _FieldText:
    """The text of a field as the form has it, and its first line: its number, and how it reads."""

    line: int
    shown: str
    text: str

    def fault(self, why: str) -> tuple[int, str]:
        return self.line, FAULT.format(line=self.line, text=self.shown, why=why)


TOO_LONG = "it has {characters} characters, and {longest} are the most"


def _put(rules: Rules, field: Field, value: _FieldText | None, faults: Faults) -> Rules:
    """The rules with the value of a field, if the form has it; a wrong one is a fault."""
    if value is None:
        return rules
    try:
        if len(value.text) > LONGEST:
            raise Refused(TOO_LONG.format(characters=len(value.text), longest=LONGEST))
        return field.put(rules, value.text)
    except Refused as wrong:
        faults.append(value.fault(f"{wrong}."))
        return rules


HOW_OF_LINES = "a line is a field, a colon and a value: `places: 32`."
NO_FIELD = "there is no such field; there are {fields}."
STANDS_TWICE = "it is in line {line} too, with another value: write it once."


def _said(text: str, faults: Faults) -> dict[tuple[int | None, str], _FieldText]:
    """Number of a round or None, and key of a field → its value."""
    said: dict[tuple[int | None, str], _FieldText] = {}
    for number, line in enumerate(map(str.strip, text.splitlines()), 1):
        if not line or line.startswith(("#", ">")):
            continue
        found = _LINE.fullmatch(line)
        new = _FieldText(number, line[:60].rstrip(), found["value"] or "" if found else "")
        if found is None:
            faults.append(new.fault(HOW_OF_LINES))
            continue
        key = " ".join(found["key"].lower().split())
        key = _FORMER.get(key, key)
        known = _ROUND_BY_KEY if found["round"] else _BY_KEY
        if (field := known.get(key)) is None:
            faults.append(new.fault(NO_FIELD.format(fields=listed(known))))
            continue
        place = (int(found["round"]) if found["round"] else None, key)
        before = said.setdefault(place, new)
        if before is not new and field.many:
            said[place] = _FieldText(before.line, before.shown, f"{before.text}\n{new.text}")
        elif before.text != new.text:
            faults.append(new.fault(STANDS_TWICE.format(line=before.line)))
    return said
