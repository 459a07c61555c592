"""Counts what is legal in a position, and says how two counts differ; knows no files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from engine import (
    Action,
    Choice,
    Illegal,
    Open,
    Range,
    State,
    Title,
    apply,
    options,
    to_act,
    why_not,
)
from engine.notation import NotationError, parse, write

#: where no more than this is listed, what is legal after each of the options is counted too
FEW = 30
#: amounts of a range that are asked about one by one; of longer ones every so many
_ASKED = 40
#: options that a difference names
_NAMED = 4


class Count(Struct, frozen=True):
    """What is legal at a position of a recorded game."""

    #: the game, and how many of its actions were played before
    game: str
    after: int
    #: the round, the phase, and what is being decided; for people
    when: str
    #: verb → how many options are listed
    legal: dict[str, int]
    #: where there are few: verb → how many options are listed after each of them, all together
    then: dict[str, int]
    #: the options themselves, by player and command, those with an amount as "… to HIGH"
    commands: tuple[str, ...]


def count(game: str, after: int, title: Title, state: State) -> Count:
    """What is legal; AssertionError if an amount within the bounds of an option is not."""
    listed = [
        (seat, option) for seat in to_act(title, state) for option in options(title, state, seat)
    ]
    actions = [option.action for _, option in listed if not isinstance(option, Open)]
    for _, option in listed:
        if isinstance(option, Range):
            _ask(title, state, option)
    then: Counter[str] = Counter()
    if len(actions) <= FEW:
        for action in actions:
            then += _verbs(title, apply(title, state, action).state)
    return Count(
        game,
        after,
        f"{state.round}, phase {state.phase}, {_frame(state)}",
        _sorted(_verbs(title, state)),
        _sorted(then),
        tuple(_command(title, state, seat, option) for seat, option in listed),
    )


def _verbs(title: Title, state: State) -> Counter[str]:
    return Counter(
        _verb(option.kind if isinstance(option, Open) else type(option.action))
        for seat in to_act(title, state)
        for option in options(title, state, seat)
    )


def _verb(kind: type[Action]) -> str:
    return str(kind.__struct_config__.tag)


def _sorted(counter: Mapping[str, int]) -> dict[str, int]:
    return {verb: counter[verb] for verb in sorted(counter)}


def _frame(state: State) -> str:
    """What is being decided, and for whom where the frame says so."""
    frame = state.stack[-1]
    company = getattr(frame, "company", "")
    return f"{type(frame).__struct_config__.tag}{f' of {company}' if company else ''}"


def _ask(title: Title, state: State, option: Range) -> None:
    """The one judge says of a range what the list says: its ends are legal, and nothing beyond."""
    amounts = range(option.low, option.high + 1)
    step = 1 + len(amounts) // _ASKED
    for amount in (option.low, option.high, *amounts[::step]):
        refusal = _refusal(title, state, option, amount)
        # where bids are in steps, an amount between them is refused as such
        assert refusal is None or "multiple" in refusal, (option, amount, refusal)
    for amount in (option.low - 1, option.high + 1):
        assert _refusal(title, state, option, amount) is not None, (option, amount)


def _refusal(title: Title, state: State, option: Range, amount: int) -> str | None:
    refusal = why_not(title, state, replace(option.action, **{option.field: amount}))
    return None if refusal is None else str(refusal)


def _command(title: Title, state: State, seat: str, option: Choice | Range | Open) -> str:
    if isinstance(option, Open):
        return f"{seat}: {_verb(option.kind)} …"
    text = f"{seat}: {write(title, state, option.action)}"
    return f"{text} to {option.high}" if isinstance(option, Range) else text


def differences(title: Title, state: State, was: Count, now: Count) -> Iterator[str]:
    """Lines that say what has changed, with some of the options and why they are refused now."""
    for verb in sorted({*was.legal, *now.legal}):
        before, after = was.legal.get(verb, 0), now.legal.get(verb, 0)
        if before != after:
            yield f"{verb}: {before} before, {after} now"
    gone = [c for c in was.commands if c not in now.commands]
    new = [c for c in now.commands if c not in was.commands]
    for command in islice(gone, _NAMED):
        yield f"  gone: {command}{_why(title, state, command)}"
    for command in islice(new, _NAMED):
        yield f"  new: {command}"
    rest = max(0, len(gone) - _NAMED) + max(0, len(new) - _NAMED)
    if rest:
        yield f"  … and {rest} more"
    for verb in sorted({*was.then, *now.then}):
        before, after = was.then.get(verb, 0), now.then.get(verb, 0)
        if before != after:
            yield f"{verb}, one action later: {before} before, {after} now"
    if was.when != now.when:
        yield f"the position is another: {was.when} before, {now.when} now"


def _why(title: Title, state: State, command: str) -> str:
    """Why it is refused now, as far as that can be told."""
    seat, _, text = command.partition(": ")
    try:
        apply(title, state, parse(title, state, seat, text.partition(" to ")[0]))
    except (Illegal, NotationError, ValueError, KeyError) as error:
        return f" ({' '.join(str(error).split())})"
    return ""
