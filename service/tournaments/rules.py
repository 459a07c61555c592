"""The rules of a tournament: what its announcement says, and nothing of how far it has come.

They are stored as their canonical JSON, and written and read by people as a form (`form.py`).
Whether they can be played by says `why_not`.
"""

from collections.abc import Iterator
from typing import Literal

import msgspec
from msgspec import Struct

import engine
from service.mail.proving import Grade

Kind = Literal["open", "elimination", "semi-final", "final"]
"""``open``: all play again. Of an elimination or a semi-final ``go_on`` play the next round."""
By = Literal["standings", "tables"]
"""Who goes on: the first of the standings, or the first of each table, then the seconds …"""
ScoreName = Literal["places", "share", "percent", "money"]
TieBreak = Literal["wins", "best", "meetings", "opponents", "share", "money", "lot"]
Replaced = Literal["last", "parted", "first"]
Abandoned = Literal["adjudicated", "annulled"]
BoardTies = Literal["rulebook", "cash", "shared"]
Bye = Literal["average", "winner", "nothing"]
Aim = Literal["meetings", "pots", "ratings", "zones"]
Majority = Literal["half", "two-thirds", "all", "none"]
"""How many players must agree to other rules: more than half, two thirds, all; or no votes."""
Language = Literal["en", "de", "fr", "es", "iso"]

FEWEST_SEATS, MOST_SEATS = 2, 6
MOST_ROUNDS = 20
AIMS: tuple[Aim, ...] = ("meetings", "pots", "ratings", "zones")


class TitleChoice(Struct, frozen=True, order=True):
    """A title with its optional rules, in the order of their names."""

    name: str
    variants: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.name + (f" with {' and '.join(self.variants)}" if self.variants else "")


class RoundRules(Struct, frozen=True):
    """What a round is played by.

    ``titles`` are dealt to the tables in equal numbers. ``sizes`` are the numbers of players that a
    table may have, the one wanted first. ``go_on`` is how many play the next round, 0 for all, and
    ``by`` who these are. ``byes``: so many of the first sit this round out and go on with what
    ``Scoring.bye`` gives. ``until`` is the day at whose end boards are adjudicated, "" for none.
    """

    titles: tuple[TitleChoice, ...] = ()
    sizes: tuple[int, ...] = (4, 3, 5)
    kind: Kind = "open"
    go_on: int = 0
    by: By = "tables"
    byes: int = 0
    until: str = ""


class ScorePart(Struct, frozen=True):
    """A score and its weight in per cent; ``points`` are those of the places, the first's first.

    Without ``points`` the first place has 100 and the last 0, and those between stand evenly.
    """

    name: ScoreName
    weight: int = 100
    points: tuple[int, ...] = ()


class Scoring(Struct, frozen=True):
    """How a board is scored, and what of it counts in the standings.

    ``best`` is how many of an entrant's rounds count, the best ones, 0 for all. ``bye`` is what a
    round has for who sat it out: the average of their others, what a winner has, or nothing.
    ``ties`` says how equal players of a board are placed, ``breaks`` equal entrants of standings.
    ``replaced`` is whose a seat's score is that several have played, and ``caretaken`` the share of
    a seat's decisions, in per cent, from which on it scores nothing if the caretaker made them.
    """

    parts: tuple[ScorePart, ...] = (ScorePart("places"),)
    best: int = 0
    bye: Bye = "average"
    ties: BoardTies = "rulebook"
    breaks: tuple[TieBreak, ...] = ("wins", "best", "meetings", "lot")
    replaced: Replaced = "last"
    caretaken: int = 50
    abandoned: Abandoned = "adjudicated"
    formula: str = "worth"


class Gates(Struct, frozen=True):
    """Who may enter.

    ``on_time`` is the share of decisions, in per cent, that an entrant must have made in time in
    games here; it is asked of those who have made ``decisions`` of them. ``leave``: the director
    must agree. ``most`` entrants play, 0 for any number, and others wait; under ``fewest`` it is
    not begun.
    """

    on_time: int = 0
    decisions: int = 50
    leave: bool = False
    most: int = 0
    fewest: int = 3


class TournamentRules(Struct, frozen=True):
    """All of them; `form.FIELDS` tells what each means and what it is where nobody says so.

    ``close`` and ``start`` are days, "" for when the director says so. ``grade``, ``clock``,
    ``holidays``, ``leave`` (days a year), ``caretaker`` and ``excused`` are those of every game.
    ``aims`` is what a seating minds, the most important first. ``votes`` and ``voting`` (days) are
    of votes on other rules. ``stay``: who takes a seat over and ends its board plays later rounds.
    """

    name: str
    director: str = ""
    assistant: str = ""
    announcement: str = ""
    prizes: str = ""
    close: str = ""
    start: str = ""
    language: Language = "en"
    rounds: tuple[RoundRules, ...] = (RoundRules(),)
    aims: tuple[Aim, ...] = AIMS
    clock: str = "fischer 20d + 12h cap 20d"
    holidays: str = ""
    leave: int = 30
    grade: Grade = "tournament"
    caretaker: bool = True
    excused: int = 3
    standbys: bool = True
    gates: Gates = Gates()
    scoring: Scoring = Scoring()
    stay: bool = True
    votes: Majority = "half"
    voting: int = 7

    def round(self, number: int) -> RoundRules:
        """The rules of a round, 1 for the first."""
        return self.rounds[number - 1]


_decoder = msgspec.json.Decoder(TournamentRules)


def encode(rules: TournamentRules) -> bytes:
    """The canonical JSON of rules: fields in their order, without spaces."""
    return msgspec.json.encode(rules)


def decode(data: bytes) -> TournamentRules:
    """Rules of their JSON. Raises msgspec.ValidationError for anything else."""
    return _decoder.decode(data)


def why_not(rules: TournamentRules) -> tuple[str, ...]:
    """What of the rules contradicts each other, in sentences that say what would do; () if none."""
    return tuple(_faults(rules))


def _faults(rules: TournamentRules) -> Iterator[str]:
    if not rules.director:
        yield "Nobody directs it: write `director: ` and an address."
    if rules.assistant and rules.assistant == rules.director:
        yield "The assistant is the director: name somebody else, or nobody."
    if rules.close and rules.start and rules.start < rules.close:
        yield f"It starts on {rules.start}, before entries close on {rules.close}."
    if rules.gates.most and rules.gates.most < rules.gates.fewest:
        yield f"At most {rules.gates.most} may play, but {rules.gates.fewest} are needed."
    if rules.scoring.best > len(rules.rounds):
        yield f"The best {rules.scoring.best} cannot count of {len(rules.rounds)} rounds."
    if sum(part.weight for part in rules.scoring.parts) != 100:
        yield "The weights of the score's parts must make 100 % together."
    yield from _round_faults(rules)


def _round_faults(rules: TournamentRules) -> Iterator[str]:
    left, day = 0, rules.start or rules.close
    for number, one in enumerate(rules.rounds, 1):
        last = number == len(rules.rounds)
        if not one.titles:
            yield f"Round {number} has no title: write `round {number} titles: ` and its titles."
        yield from _size_faults(number, one)
        if one.kind in ("elimination", "semi-final") and not one.go_on and not last:
            yield (
                f"Round {number} is {_kind(one.kind)}: write `round {number} go on: ` and a number."
            )
        if one.kind == "final" and not last:
            yield f"Round {number} is a final, but round {number + 1} follows it."
        if last and one.go_on:
            yield f"Nobody can go on from round {number}: it is the last one."
        if left and one.go_on >= left:
            yield f"{one.go_on} cannot go on from round {number}: only {left} play it."
        if one.until and day and one.until <= day:
            yield f"Round {number} would end on {one.until}, no later than {day} before it."
        left, day = one.go_on or left, one.until or day


def _size_faults(number: int, one: RoundRules) -> Iterator[str]:
    for choice in one.titles:
        can = engine.load_title(choice.name, frozenset(choice.variants)).facts.players
        if wrong := [size for size in one.sizes if str(size) not in can]:
            many = f"{' or '.join(map(str, wrong))} players"
            yield (
                f"{choice} is not for {many}: it is for {' or '.join(sorted(can))}. Change "
                f"`round {number} tables` or `round {number} titles`."
            )


def _kind(kind: Kind) -> str:
    return f"{'an' if kind[0] in 'aeo' else 'a'} {kind}"
