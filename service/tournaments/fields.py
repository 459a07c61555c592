"""The fields of a tournament's form: what each means, how it is written, and how it is read.

A reader raises Unread, which says what would do.
"""

import re
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, get_args

from msgspec.structs import replace

import engine
from engine import wording
from engine.wording import listed
from service.clocks import rules as clocks
from service.mail.grades import GRADES
from service.tournaments import rules as r
from service.tournaments.rules import RoundRules, TitleChoice, TournamentRules

_ADDRESS = re.compile(r"[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+")
#: columns of a line of a text: with its field and a mark of quotation it has 78
TEXT_WIDTH = 62
NONE = ("none", "no", "off", "-", "")


class Unread(ValueError):
    """What stands in a field is not understood; says what would do."""


@dataclass(frozen=True)
class Field:
    """A field of the form.

    ``show`` writes it canonically, ``read`` gives what it was read from. ``many``: several lines
    of that name belong together.
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
    """Reads a whole number between two."""

    def read(text: str) -> int:
        word = text.strip().lower().removesuffix("%").removesuffix(unit or "%").strip()
        if word in ("none", "all", "any"):
            word = "0"
        number = wording.whole(word)
        if number is None or not least <= number <= most:
            raise Unread(BETWEEN.format(least=least, most=most))
        return number

    return read


ONE_OF = "write {words}"


def either(*words: str) -> Callable[[str], str]:
    """Reads one of some words, or the beginning of just one."""

    def read(text: str) -> str:
        said = " ".join(text.lower().split())
        found = [word for word in words if word == said] or [
            word for word in words if said and word.startswith(said)
        ]
        if len(found) != 1:
            raise Unread(ONE_OF.format(words=_or(words)))
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
        raise Unread(HOW_OF_DAYS) from None


HOW_OF_ADDRESSES = "write an address as ann@example.org, or none"


def _address(text: str) -> str:
    if text.strip().lower() in NONE:
        return ""
    if not _ADDRESS.fullmatch(text.strip()):
        raise Unread(HOW_OF_ADDRESSES)
    return text.strip()


def words(text: str) -> str:
    """A text in lines so short that a form that quotes them has no reason to break them again."""
    lines: list[str] = []
    for line in text.splitlines():
        lines += textwrap.wrap(
            line, TEXT_WIDTH, break_long_words=False, break_on_hyphens=False
        ) or [""]
    return "\n".join(lines).strip("\n")


def _clock(text: str) -> str:
    try:
        rule = clocks.read(text)
    except clocks.WrongClock as wrong:
        raise Unread(str(wrong)) from wrong
    return str(rule) if rule else ""


def _holidays(text: str) -> str:
    try:
        return clocks.holidays_text(clocks.read_holidays(text))
    except clocks.WrongClock as wrong:
        raise Unread(str(wrong)) from wrong


EACH_ONCE = "name each only once"


def several(words: Sequence[str]) -> Callable[[str], tuple[str, ...]]:
    """Reads some words of a list, each at most once, in the order wanted."""

    def read(text: str) -> tuple[str, ...]:
        found = tuple(either(*words)(one) for one in re.split(r"[\s,]+", text.strip()) if one)
        if len(set(found)) < len(found):
            raise Unread(EACH_ONCE)
        return found

    return read


def _joined(text: str) -> str:
    """A list that stands in several lines as one; where a line ends a title does, or it goes on."""
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
        raise Unread(TITLES_ONCE)
    return found


NO_TITLE = "{title} is no title here; there are {titles}"


def _title(text: str) -> TitleChoice:
    name, _, rest = text.partition(" with ")
    known = {one.casefold(): one for one in engine.title_names()}
    title = known.get(name.strip().casefold())
    if title is None:
        raise Unread(NO_TITLE.format(title=name.strip(), titles=listed(known.values())))
    variants = tuple(sorted({one.lower() for one in re.split(r"\s+and\s+|\s+", rest) if one}))
    try:
        engine.load_title(title, frozenset(variants))
    except (LookupError, ValueError) as error:
        raise Unread(str(error)) from error
    return TitleChoice(title, variants)


HOW_OF_TABLES = "write the numbers of players, the one wanted first: 4, 3, 5"


def _sizes(text: str) -> tuple[int, ...]:
    found = tuple(
        whole(r.FEWEST_SEATS, r.MOST_SEATS)(one) for one in re.split(r"[\s,]+", text) if one
    )
    if not found or len(set(found)) < len(found):
        raise Unread(HOW_OF_TABLES)
    return found


HOW_OF_GOING_ON = "write all, or a number as 8 by standings, or 8 by tables"


def _go_on(text: str) -> tuple[int, r.By]:
    said = " ".join(text.lower().split())
    if said in ("all", "0", "none"):
        return 0, "tables"
    found = re.fullmatch(r"(\d{1,4})(?: by (standings|tables))?", said)
    if not found or int(found[1]) < 2:
        raise Unread(HOW_OF_GOING_ON)
    return int(found[1]), "standings" if found[2] == "standings" else "tables"


HOW_OF_SCORES = "write one of places, places 10 6 3 1, wins, share, percent or money"
MOST_FIRST = "points are those of places, the most first: places 10 6 3 1"


def _score(text: str) -> tuple[r.ScoreName, tuple[int, ...]]:
    """A scoring system, and the points of the places, if they are named."""
    found = re.fullmatch(r"([a-z]+)((?:\s+\d{1,6})*)", text.strip().lower())
    if not found:
        raise Unread(HOW_OF_SCORES)
    name = either(*get_args(r.ScoreName))(found[1])
    points = tuple(map(int, found[2].split()))
    if points and (name != "places" or len(points) < 2 or list(points) != sorted(points)[::-1]):
        raise Unread(MOST_FIRST)
    return name, points  # type: ignore[return-value]


def shown_score(scoring: r.Scoring) -> str:
    """The scoring system as the form has it."""
    return " ".join([scoring.score, *map(str, scoring.points)])


def _field(key: str, told: str, show: Callable[[Any], str], read: Callable[[str], Any]) -> Field:
    """A field of the rules themselves, named as in the form with _ for spaces."""
    name = key.replace(" ", "_")
    return Field(
        key,
        told,
        lambda rules: show(getattr(rules, name)),
        read,
        lambda rules, value: replace(rules, **{name: value}),
    )


def _within(place: str, name: str, key: str, told: str, how: tuple[Any, Any]) -> Field:
    """A field of a part of the rules: its scoring, its gates."""
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
    _field("aims", "what seatings mind, most important first: meetings (nobody meets twice), pots "
           "(each table has one of the best, one of the next …), ratings (tables equally strong), "
           "zones (wishes for near time zones)", _list, several(r.AIMS)),
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
