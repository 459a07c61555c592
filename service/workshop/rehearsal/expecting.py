"""Reads the expectations of a scenario: emails after ">", the position after "="."""

import re
from collections.abc import Sequence

from service.workshop.rehearsal import steps
from service.workshop.rehearsal.head import ScenarioHeader
from service.workshop.rehearsal.source import Block, ScenarioError, SourcePlace
from service.workshop.rehearsal.steps import ScenarioStep

_NONE = re.compile(r"no (?:email|letter) to ([^:]+)(?::(.*))?")
_LETTER = re.compile(r"([^:]+)(?::(.*))?")
_GAME = re.compile(r"([a-z][a-z0-9-]*): (.+)")
#: text that no email may have
WITHOUT = "without: "


def expectation(block: Block, sign: str, rest: str, head: ScenarioHeader) -> ScenarioStep:
    """Read one line of expectations with the lines below it. Raises ScenarioError."""
    if sign == "=":
        _nothing_below(block)
        found = _GAME.fullmatch(rest)
        if not rest:
            raise ScenarioError(block.place, "= says nothing: write what is true, as = Ann 580")
        game, text = (found[1], found[2]) if found else ("", rest)
        return steps.ClaimStep(block.place, game, text)
    if rest in ("nobody", "nobody else"):
        _nothing_below(block)
        return steps.ExpectNone(block.place, (), (), rest == "nobody else")
    if found := _NONE.fullmatch(rest):
        _nothing_below(block)
        return steps.ExpectNone(
            block.place, _names(block.place, found[1], head), _words(found[2]), False
        )
    found = _LETTER.fullmatch(rest)
    if found is None:
        raise ScenarioError(block.place, "> says nothing: write > Ann: WORDS, or > nobody else")
    names = _names(block.place, found[1], head)
    below = block.words()
    words = (*_words(found[2]), *(line for line in below if not line.startswith(WITHOUT)))
    without = tuple(line.removeprefix(WITHOUT) for line in below if line.startswith(WITHOUT))
    if both := set(words) & set(without):
        text = f"no email can have “{both.pop()}” and be without it"
        raise ScenarioError(block.place, text)
    return steps.Expect(block.place, names, words, without)


def _nothing_below(block: Block) -> None:
    if block.words():
        raise ScenarioError(block.body[0].place, f"write nothing below “{block.text}”")


def _names(place: SourcePlace, text: str, head: ScenarioHeader) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(","))
    for name in names:
        head.person(place, name)
    return names


def _words(text: str | None) -> tuple[str, ...]:
    words = (text or "").strip()
    if len(words) > 1 and words[0] == words[-1] == '"':
        words = words[1:-1]
    return (words,) if words else ()


def check(found: Sequence[ScenarioStep]) -> None:
    """Raise ScenarioError for the first expectation that contradicts the ones beside it."""
    group: list[ScenarioStep] = []
    something, crashes = False, 0
    for step in found:
        if isinstance(step, steps.Repeat):
            check((steps.Wait(step.place, 0), *step.steps))
        crashes += isinstance(step, steps.Crash) and not step.number
        if crashes > 1:
            raise ScenarioError(step.place, "crashes are tried in turn at one point of a scenario")
        if not isinstance(step, steps.Expect | steps.ExpectNone):
            something, group = something or not isinstance(step, steps.ClaimStep), []
            continue
        if not something:
            raise ScenarioError(step.place, "nothing has happened yet that could cause an email")
        for other in group:
            _agree(step, other)
        group.append(step)


def _agree(step: ScenarioStep, other: ScenarioStep) -> None:
    """Raise ScenarioError if two expectations about the same emails contradict each other."""
    for letter, none in ((step, other), (other, step)):
        if isinstance(letter, steps.Expect) and isinstance(none, steps.ExpectNone):
            late = none.rest and none is other
            for name in letter.names:
                if late or (not none.rest and not none.words and name in (none.names or (name,))):
                    text = f"an email to {name} cannot come: line {none.place.line} says so"
                    if letter is other:
                        text = f"line {letter.place.line} expects an email to {name}"
                    raise ScenarioError(step.place, text)
