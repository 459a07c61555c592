"""Games as readable scripts: the players, their commands, claims and refusals.

::

    title 18AL
    players Ann Bob Cat
    variants two-yellow
    seed 7

    Ann: buy TR                      # a comment
    = Ann 580, acts Bob
    Bob: buy NDY
    ! Only the cheapest private company can be bought (18AL 3.1(a))

Without a seed the players sit in the given order. A line after "=" claims what `claims.py` knows;
one after "!" says a part of the text, and perhaps the rule, with which the line before it is
refused; nothing of that line is done then.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.resources import files

from engine import (
    Action,
    Choice,
    Illegal,
    Open,
    Outcome,
    Range,
    State,
    Title,
    apply,
    load_title,
    new_game,
    options,
    to_act,
)
from engine.notation import NotationError, parse, split
from engine.notation import write as write_action
from engine.position.values import Seat
from service.workshop.practice.claims import Wrong, describe, judge

_HEADER = ("title", "players", "variants", "seed")
_RULE = re.compile(r"(.*?)\s*(?:\(((?:[^()]|\([^()]*\))+)\))?")
#: the most options that an error lists
_MOST = 12


class ScriptError(ValueError):
    """A line of a script that cannot be read, is illegal, or has a false claim."""

    def __init__(self, number: int, text: str, legal: Sequence[str] = ()) -> None:
        """``number`` counts lines from 1; ``legal`` are commands that would work."""
        hint = f"\nlegal: {'; '.join(legal)}" if legal else ""
        super().__init__(f"line {number}: {text}{hint}")
        self.number = number
        self.text = text
        self.legal = tuple(legal)


@dataclass(frozen=True)
class MustRefuse:
    """The expected refusal of a line: a part of the text, and the rule or ""."""

    number: int
    text: str
    rule: str


@dataclass(frozen=True)
class ScriptTurn:
    """A line of a player's commands."""

    number: int
    seat: Seat
    text: str
    refused: MustRefuse | None = None


@dataclass(frozen=True)
class ScriptClaim:
    """A claim."""

    number: int
    text: str


@dataclass(frozen=True)
class Script:
    """A game as written."""

    title: str
    players: tuple[Seat, ...]
    variants: tuple[str, ...] = ()
    seed: int | None = None
    lines: tuple[ScriptTurn | ScriptClaim, ...] = ()


@dataclass
class PlayedScript:
    """A script that was carried out: every position before an action, and the last one."""

    title: Title
    script: Script
    states: list[State]
    actions: list[Action] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)

    @property
    def final(self) -> State:
        """The last position."""
        return self.states[-1]


def read(text: str) -> Script:
    """A script from its text; raises ScriptError."""
    header: dict[str, str] = {}
    lines: list[ScriptTurn | ScriptClaim] = []
    for number, whole in enumerate(text.splitlines(), start=1):
        line = whole.partition("#")[0].strip()
        if not line:
            continue
        word, _, rest = line.partition(" ")
        if not lines and word in _HEADER:
            header[word] = rest.strip()
        elif line[0] == "=":
            lines.append(ScriptClaim(number, line[1:].strip()))
        elif line[0] == "!":
            _refuse_last(lines, number, line[1:].strip())
        else:
            lines.append(_turn(number, line, header.get("players", "").split()))
    return _script(header, lines)


def _script(header: dict[str, str], lines: list[ScriptTurn | ScriptClaim]) -> Script:
    for key in ("title", "players"):
        if not header.get(key):
            raise ScriptError(1, f"the script does not say its {key}")
    seed = header.get("seed", "")
    if seed and not seed.isdecimal():
        raise ScriptError(1, f"the seed is a number, not {seed}")
    return Script(
        header["title"],
        tuple(header["players"].split()),
        tuple(header.get("variants", "").split()),
        int(seed) if seed else None,
        tuple(lines),
    )


def _turn(number: int, line: str, players: list[Seat]) -> ScriptTurn:
    seat, colon, text = line.partition(":")
    if not colon or seat not in players:
        raise ScriptError(number, f"a line begins with a player and a colon, = or !: {line}")
    return ScriptTurn(number, seat, text.strip())


def _refuse_last(lines: list[ScriptTurn | ScriptClaim], number: int, line: str) -> None:
    last = lines[-1] if lines else None
    if not isinstance(last, ScriptTurn) or last.refused:
        raise ScriptError(number, "! stands after the line that must be refused")
    found = _RULE.fullmatch(line)
    assert found is not None
    refused = MustRefuse(number, found[1], found[2] or "")
    lines[-1] = ScriptTurn(last.number, last.seat, last.text, refused)


def run(script: Script) -> PlayedScript:
    """Carry a script out; raises ScriptError at the first line with another result."""
    try:
        title = load_title(script.title, frozenset(script.variants))
        start = new_game(title, script.players, script.seed).state
    except (LookupError, ValueError) as wrong:
        raise ScriptError(1, str(wrong)) from wrong
    played = PlayedScript(title, script, [start])
    for line in script.lines:
        if isinstance(line, ScriptTurn):
            _take(played, line)
        else:
            _claim(played, line)
    return played


def _claim(played: PlayedScript, claim: ScriptClaim) -> None:
    try:
        judge(played.title, played.final, claim.text)
    except Wrong as wrong:
        raise ScriptError(claim.number, str(wrong)) from wrong


def _take(played: PlayedScript, turn: ScriptTurn) -> None:
    """Play a line's commands, all of them or none."""
    state = played.final
    done: list[tuple[Action, Outcome]] = []
    try:
        for command in split(turn.text):
            action = parse(played.title, state, turn.seat, command)
            outcome = apply(played.title, state, action)
            done.append((action, outcome))
            state = outcome.state
    except NotationError as wrong:
        _refuse(played, turn, state, str(wrong), "")
        return
    except Illegal as illegal:
        _refuse(played, turn, state, str(illegal), illegal.refusal.rule)
        return
    if turn.refused:
        raise ScriptError(turn.refused.number, f"it was not refused: {turn.text}")
    for action, outcome in done:
        played.actions.append(action)
        played.outcomes.append(outcome)
        played.states.append(outcome.state)


def _refuse(played: PlayedScript, turn: ScriptTurn, state: State, text: str, rule: str) -> None:
    """Compare a refusal with the expected one."""
    expected = turn.refused
    if expected is None:
        what = f"{turn.seat}: {turn.text}: {text}"
        raise ScriptError(turn.number, what, legal(played.title, state))
    if expected.text not in text:
        raise ScriptError(expected.number, f"it was refused otherwise: {text}")
    if expected.rule not in ("", rule):
        raise ScriptError(expected.number, f"it was refused by {rule}, not {expected.rule}")


def legal(title: Title, state: State, most: int = _MOST) -> list[str]:
    """Commands that are legal in a position, at most so many of each player who must act."""
    found = []
    for seat in to_act(title, state):
        listed = options(title, state, seat)
        for option in listed[:most]:
            if isinstance(option, Choice):
                found.append(f"{seat}: {write_action(title, state, option.action)}")
            elif isinstance(option, Range):
                text = write_action(title, state, option.action)
                found.append(f"{seat}: {text} (to {option.high})")
            elif isinstance(option, Open):
                found.append(f"{seat}: {option.hint}")
        if len(listed) > most:
            found.append(f"{seat}: and {len(listed) - most} more")
    return found


def header(title: Title, players: Sequence[Seat], seed: int | None = None) -> list[str]:
    """The first lines of a script; ``players`` are in the order given to `engine.new_game`."""
    lines = [f"title {title.name}", f"players {' '.join(players)}"]
    if title.variants:
        lines.append(f"variants {' '.join(sorted(title.variants))}")
    if seed is not None:
        lines.append(f"seed {seed}")
    return lines


def write(
    title: Title,
    states: Sequence[State],
    actions: Sequence[Action],
    players: Sequence[Seat] = (),
    seed: int | None = None,
) -> str:
    """A game as a script: every action, and claims at the beginning of each round and at the end.

    ``states`` are the positions before each action and the last one, as `PlayedScript` and
    `SelfPlayedGame` have them. A game that began by lot has its ``seed``, and the ``players`` as
    they were given before seats were drawn; otherwise they sit as in the positions.
    """
    lines = header(title, players or states[0].seats, seed)
    heading = ""
    for state, action in zip(states, actions, strict=False):
        if str(state.round) != heading:
            heading = str(state.round)
            lines += ["", f"# {heading}", *_claims(title, state)]
        lines.append(f"{action.by}: {write_action(title, state, action)}")
    lines += _claims(title, states[-1])
    return "\n".join(lines) + "\n"


def _claims(title: Title, state: State) -> list[str]:
    return [f"= {line}" for line in describe(title, state)]


def recorded(name: str) -> str:
    """The text of a game that comes with the program, as "18al"; LookupError if there is none."""
    found = files("service.workshop.practice") / "games" / f"{name}.game"
    if not found.is_file():
        raise LookupError(f"no recorded game {name}; there are {', '.join(recorded_names())}")
    return found.read_text(encoding="utf-8")


def recorded_game(title: str) -> PlayedScript:
    """The game that comes with the program for a title, carried out; LookupError if none does."""
    return run(read(recorded(title.lower())))


def recorded_names() -> tuple[str, ...]:
    """The games that come with the program."""
    folder = files("service.workshop.practice") / "games"
    return tuple(
        sorted(f.name[: -len(".game")] for f in folder.iterdir() if f.name.endswith(".game"))
    )
