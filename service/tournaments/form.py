"""The form that announces a tournament: its fields, and how it is printed and read.

A line is `key: value`; a line that begins with `#` explains. A reply may quote the form (`> key:
value`), and unquoted lines have priority. Missing fields stay as they were. The reader of a field
raises Refused, which says what would work.
"""

import difflib
import re
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, get_args

from msgspec.structs import replace

import engine
from engine import wording
from engine.wording import listed
from service.clocks import rules as clocks
from service.mail.grades import GRADES
from service.refusal import Refused
from service.tournaments import rules as r
from service.tournaments.rules import MOST_ROUNDS, RoundRules, TitleChoice, TournamentRules, why_not

_ADDRESS = re.compile(r"[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+")
#: columns of a line of text; with its field and a quotation mark it has 78
TEXT_WIDTH = 62
NONE = ("none", "no", "off", "-", "")


@dataclass(frozen=True)
class Field:
    """A field of the form.

    ``show`` writes the canonical text of a value, ``read`` reads it. ``many`` says that several
    lines with this name belong together.
    """

    key: str
    told: str
    show: Callable[[Any], str]
    read: Callable[[str], Any]
    put: Callable[[Any, Any], Any]
    many: bool = False


def _or(words: Sequence[str]) -> str:
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


BETWEEN = "write a number between {least} and {most}"


def whole(least: int, most: int, unit: str = "") -> Callable[[str], int]:
    """A reader of a whole number within bounds."""

    def read(text: str) -> int:
        word = text.strip().lower().removesuffix("%").removesuffix(unit or "%").strip()
        if word in ("none", "all", "any"):
            word = "0"
        number = wording.whole(word)
        if number is None or not least <= number <= most:
            raise Refused(BETWEEN.format(least=least, most=most))
        return number

    return read


ONE_OF = "write {words}"


def either(*words: str) -> Callable[[str], str]:
    """A reader of one of these words, also by a beginning that only one of them has."""

    def read(text: str) -> str:
        said = " ".join(text.lower().split())
        found = [word for word in words if word == said] or [
            word for word in words if said and word.startswith(said)
        ]
        if len(found) != 1:
            raise Refused(ONE_OF.format(words=_or(words)))
        return found[0]

    return read


def _flag(text: str) -> bool:
    return either("yes", "no", "on", "off")(text) in ("yes", "on")


def _yes(flag: bool) -> str:
    return "yes" if flag else "no"


HOW_OF_DAYS = "write a day as 2027-03-31, or none"


def _day(text: str) -> str:
    if text.strip().lower() in (*NONE, "later"):
        return ""
    try:
        return date.fromisoformat(text.strip()).isoformat()
    except ValueError:
        raise Refused(HOW_OF_DAYS) from None


HOW_OF_ADDRESSES = "write an address as ann@example.org, or none"


def _address(text: str) -> str:
    if text.strip().lower() in NONE:
        return ""
    if not _ADDRESS.fullmatch(text.strip()):
        raise Refused(HOW_OF_ADDRESSES)
    return text.strip()


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


def several(words: Sequence[str]) -> Callable[[str], tuple[str, ...]]:
    """A reader of some words of a list, each at most once, in the order of the text."""

    def read(text: str) -> tuple[str, ...]:
        found = tuple(either(*words)(one) for one in re.split(r"[\s,]+", text.strip()) if one)
        if len(set(found)) < len(found):
            raise Refused(EACH_ONCE)
        return found

    return read


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


NO_TITLE = "{title} is no title here; there are {titles}"


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
        whole(r.FEWEST_SEATS, r.MOST_SEATS)(one) for one in re.split(r"[\s,]+", text) if one
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


HOW_OF_SCORES = "write one of places, places 10 6 3 1, wins, share, percent or money"
MOST_FIRST = "points are those of places, the most first: places 10 6 3 1"


def _score(text: str) -> tuple[r.ScoreName, tuple[int, ...]]:
    """A scoring system, and the points of the places if the text names them."""
    found = re.fullmatch(r"([a-z]+)((?:\s+\d{1,6})*)", text.strip().lower())
    if not found:
        raise Refused(HOW_OF_SCORES)
    name = either(*get_args(r.ScoreName))(found[1])
    points = tuple(map(int, found[2].split()))
    if points and (name != "places" or len(points) < 2 or list(points) != sorted(points)[::-1]):
        raise Refused(MOST_FIRST)
    return name, points  # type: ignore[return-value]


def shown_score(scoring: r.Scoring) -> str:
    """The scoring system as the form shows it."""
    return " ".join([scoring.score, *map(str, scoring.points)])


def _field(key: str, told: str, show: Callable[[Any], str], read: Callable[[str], Any]) -> Field:
    """A field of the rules themselves; its attribute has the form's name with _ for spaces."""
    name = key.replace(" ", "_")
    return Field(
        key,
        told,
        lambda rules: show(getattr(rules, name)),
        read,
        lambda rules, value: replace(rules, **{name: value}),
    )


def _within(place: str, name: str, key: str, told: str, how: tuple[Any, Any]) -> Field:
    """A field of a part of the rules: its scoring or its gates."""
    show, read = how

    def put(rules: TournamentRules, value: object) -> TournamentRules:
        return replace(rules, **{place: replace(getattr(rules, place), **{name: value})})

    return Field(key, told, lambda rules: show(getattr(getattr(rules, place), name)), read, put)


def _or_none(text: str) -> str:
    return text or "none"


def _any(number: int) -> str:
    return str(number) if number else "any"


def _percent(number: int) -> str:
    return f"{number}%"


def _list(words: Sequence[object]) -> str:
    return ", ".join(map(str, words))


def _score_field(name: str, key: str, told: str, how: tuple[Any, Any]) -> Field:
    return _within("scoring", name, key, told, how)


def _gate(name: str, key: str, told: str, how: tuple[Any, Any]) -> Field:
    return _within("gates", name, key, told, how)


FIELDS: tuple[Field, ...] = (
    _field("director", "who directs it: an address", _or_none, _address),
    _field("assistant", "who rules where the director plays: an address", _or_none, _address),
    Field(
        "announcement", "what is told of it; write as many such lines as you need",
        lambda rules: rules.announcement, words,
        lambda rules, value: replace(rules, announcement=value), many=True,
    ),
    Field(
        "prizes", "what is to be won, in words; as many lines as you need",
        lambda rules: rules.prizes, words,
        lambda rules, value: replace(rules, prizes=value), many=True,
    ),
    _field("close", "the day at whose end entries close; none: when the director says so",
           _or_none, _day),
    _field("start", "the day on which all boards start together; none: when the director says so",
           _or_none, _day),
    _gate("most", "places", "how many may play; who comes later waits; or any",
          (_any, whole(0, 10_000))),
    _gate("fewest", "fewest", "how many are needed to begin", (str, whole(2, 10_000))),
    _gate("on_time", "on time", "how many of their decisions entrants must have made in time here",
          (_percent, whole(0, 100))),
    _gate("decisions", "known by", "who has decided less often is not asked how often in time",
          (str, whole(0, 10_000))),
    _gate("leave", "leave needed", "yes: the director must agree to each entry", (_yes, _flag)),
    Field("clock", "how long players have: see docs/clocks.md; or none",
          lambda rules: rules.clock or "none", _clock,
          lambda rules, value: replace(rules, clock=value)),
    _field("holidays", "days on which no clock runs: 2027-12-24 to 2028-01-02; or none",
           _or_none, _holidays),
    Field("leave", "days of leave a year for each player",
          lambda rules: str(rules.leave), whole(0, 120, "days"),
          lambda rules, value: replace(rules, leave=value)),
    _field("grade", "how well emails must prove who wrote: friendly, standard or tournament", str,
           either(*GRADES)),
    _field("caretaker", "yes: it moves for who is silent when their time is over", _yes, _flag),
    _field("excused", "how often that is excused before a standby is asked", str, whole(0, 50)),
    _field("standbys", "yes: people may offer themselves for seats that fall free", _yes, _flag),
    _field("aims", "aims of seatings, most important first. meetings: nobody meets twice. pots: "
           "each table has one of the best players, one of the next, and so on. ratings: all "
           "tables are equally strong. zones: wishes for near time zones", _list, several(r.AIMS)),
    Field("standbys stay", "yes: who takes a seat over and ends its board plays later rounds too",
          lambda rules: _yes(rules.stay), _flag,
          lambda rules, value: replace(rules, stay=value)),
    Field("score", "what a table gives: places (or places 10 6 3 1), wins, share (of the table's "
          "money), percent (of the winner's) or money",
          lambda rules: shown_score(rules.scoring), _score,
          lambda rules, value: replace(
              rules, scoring=replace(rules.scoring, score=value[0], points=value[1]))),
    _score_field("best", "rounds counted", "how many of a player's rounds count, the best; or all",
                 (lambda n: str(n) if n else "all", whole(0, r.MOST_ROUNDS))),
    _score_field("breaks", "tie-breaks", "equal players of the standings: wins, best (board), "
                 "meetings, opponents (strength), share, money, lot",
                 (_list, several(get_args(r.TieBreak)))),
    _score_field("bye", "bye", "what a round has for who sits it out: average (of their others), "
                 "winner (what a winner has) or nothing", (str, either(*get_args(r.Bye)))),
    _score_field("replaced", "replaced", "who has the score of a seat that several played: last "
                 "or first", (str, either(*get_args(r.Replaced)))),
    _score_field("caretaken", "caretaken", "a seat scores nothing if the caretaker decided so much "
                 "of it; 0%: it always scores", (_percent, whole(0, 100))),
    _field("votes", "how many must agree in a vote: half (more than half of the players), "
           "two-thirds, all, or none (there are no votes)", str,
           either(*get_args(r.Majority))),
    Field("days to vote", "after so many days who is silent has said no",
          lambda rules: str(rules.voting), whole(1, 60, "days"),
          lambda rules, value: replace(rules, voting=value)),
)  # fmt: skip


def _round_field(
    name: str, key: str, told: str, show: Callable[[Any], str], read: Callable[[str], Any]
) -> Field:
    return Field(
        key,
        told,
        lambda rules: show(getattr(rules, name)),
        read,
        lambda rules, value: replace(rules, **{name: value}),
    )


def _shown_go_on(rules: RoundRules) -> str:
    return f"{rules.go_on} by {rules.by}" if rules.go_on else "all"


ROUND_FIELDS: tuple[Field, ...] = (
    Field("titles", "dealt to its boards: 18AL, 18GA with two-yellow and endless-8",
          lambda rules: _titles_shown(rules.titles), _titles,
          lambda rules, value: replace(rules, titles=value), many=True),
    _round_field("sizes", "tables", "players of a table, the number wanted first", _list, _sizes),
    _round_field("kind", "kind", "open, elimination, semi-final or final", str,
                 either(*get_args(r.Kind))),
    Field("go on", "who plays the next round: all, 8 by tables (winners first), 8 by standings",
          _shown_go_on, _go_on,
          lambda rules, value: replace(rules, go_on=value[0], by=value[1])),
    _round_field("byes", "byes", "how many of the first sit it out and go on", str,
                 whole(0, 1000)),
    _round_field("until", "until", "the day at whose end boards that still play are adjudicated",
                 _or_none, _day),
)  # fmt: skip
WIDTH = 78
#: the most characters of a text about a tournament
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
class FormFault:
    """An error in a line of a form, counted from 1; line 0 means the whole form."""

    line: int
    text: str
    why: str

    def __str__(self) -> str:
        return FAULT.format(line=self.line, text=self.text, why=self.why) if self.line else self.why


class WrongForm(ValueError):
    """A form that cannot be read; ``faults`` has all its errors."""

    def __init__(self, faults: Iterable[FormFault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(map(str, self.faults)))


HOW_MANY_ROUNDS = "how many rounds there are"


def printed(rules: TournamentRules, explained: bool = False) -> str:
    """The form of these rules; ``explained`` adds the meaning above each field."""
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
    """The rules in a filled-in form; missing fields are as in ``before``.

    Raises WrongForm, which lists all errors line by line.
    """
    faults: list[FormFault] = []
    said = _said(text, faults)
    rules = _rounds(before, said, faults)
    for key, value in said.items():
        try:
            rules = _put(rules, key, value.text)
        except Refused as wrong:
            faults.append(FormFault(value.line, value.shown(key), f"{wrong}."))
    if not faults:
        faults += [FormFault(0, "", why) for why in why_not(rules)]
    if faults:
        raise WrongForm(sorted(faults, key=lambda one: one.line))
    return rules


@dataclass(frozen=True)
class _Value:
    """The value of a key, its line, and whether it is only quoted."""

    line: int
    text: str
    quoted: bool

    def shown(self, key: str) -> str:
        return f"{key}: {self.text}".splitlines()[0][:60].rstrip()


_Said = dict[str, _Value]
HOW_OF_LINES = "a line is a field, a colon and a value: `places: 32`."


def _said(text: str, faults: list[FormFault]) -> _Said:
    """Key → its value; unquoted values have priority."""
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
                faults.append(FormFault(number, bare[:60], why))
            continue
        key = " ".join(found["key"].lower().split())
        if fault := _unknown(key):
            if not found["quote"]:
                faults.append(FormFault(number, bare[:60], fault))
            continue
        value = _Value(number, found["value"] or "", bool(found["quote"]))
        _take(quoted if value.quoted else own, key, value, faults)
    return {**quoted, **own}


STANDS_TWICE = "it is in line {line} too, with another value: write it once."


def _take(into: _Said, key: str, said: _Value, faults: list[FormFault]) -> None:
    before = into.setdefault(key, said)
    if before is said:
        return
    if _many(key):
        into[key] = _Value(before.line, f"{before.text}\n{said.text}", said.quoted)
    elif before.text != said.text:
        why = STANDS_TWICE.format(line=before.line)
        faults.append(FormFault(said.line, said.shown(key), why))


def _many(key: str) -> bool:
    """Whether several lines of a field belong together."""
    found = _ROUND.fullmatch(key)
    field = _ROUND_BY_KEY.get(found[2]) if found else _BY_KEY.get(key)
    return field is not None and field.many


NO_FIELD = "there is no such field; there are {fields}."
DID_YOU_MEAN = "there is no such field; did you mean `{begin}{field}`?"


def _unknown(key: str) -> str:
    """The reason why there is no such field, "" if there is one."""
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


def _rounds(rules: TournamentRules, said: _Said, faults: list[FormFault]) -> TournamentRules:
    """The rules with as many rounds as the form has; new ones are copies of the last."""
    number = len(rules.rounds)
    if wanted := said.pop("rounds", None):
        try:
            number = whole(1, MOST_ROUNDS)(wanted.text)
        except Refused as wrong:
            faults.append(FormFault(wanted.line, wanted.shown("rounds"), f"{wrong}."))
    for key in [key for key in said if (one := _ROUND.fullmatch(key)) and not _among(one, number)]:
        value = said.pop(key)
        if not value.quoted:
            why = (ONE_ROUND if number == 1 else ROUNDS).format(rounds=number)
            faults.append(FormFault(value.line, value.shown(key), why))
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
    """The rules with the value of a line. Raises Refused."""
    if found := _ROUND.fullmatch(key):
        number = int(found[1])
        field = _ROUND_BY_KEY[found[2]]
        one = field.put(rules.rounds[number - 1], field.read(value))
        rounds = (*rules.rounds[: number - 1], one, *rules.rounds[number:])
        return replace(rules, rounds=rounds)
    field = _BY_KEY[key]
    if len(value) > LONGEST:
        raise Refused(TOO_LONG.format(characters=len(value), longest=LONGEST))
    put: TournamentRules = field.put(rules, field.read(value))
    return put
