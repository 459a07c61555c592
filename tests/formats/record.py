"""Writes what the program stores now to a folder: `python -m tests.formats.record FORMAT`.

Run it once for each released format and keep what it wrote: later programs must read it. Each
title gets a file of JSON lines, gzipped: its data as kept with games, without and with each optional
rule, then steps of its recorded game, of offers that could be made in it, and of games of bots,
each with the position before, the action, the events and the position after.
"""

import gzip
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Raw

import engine
from engine import Action, Open, Outcome, State, Title
from engine.actions import (
    Accept,
    ActivateFerry,
    BuyTrain,
    Decline,
    ExtendTrain,
    LayTile,
    PlaceMark,
    TradePrivate,
)
from service.workshop.practice.bots import RandomBot
from service.workshop.practice.script import recorded_game

FOLDER = Path(__file__).parent
TITLES = ("18AL", "18GA", "18GL", "18TN", "18MW")
PROPOSALS = (TradePrivate, BuyTrain, LayTile, PlaceMark, ActivateFerry, ExtendTrain)
#: one step of a game in so many is kept, beside each that shows something for the first time
EVERY = 40
#: games of bots, by their seeds, and the most actions of each
SEEDS, CAP = (1, 2), 1500

Step = tuple[State, Action, Outcome]


def steps(title: Title) -> Iterator[Step]:
    """The recorded game, and from its positions what asks another player, with both answers."""
    played = recorded_game(title.name)
    for before, action in zip(played.states, played.actions, strict=False):
        yield before, action, engine.apply(title, before, action)
        for offer in offers(title, before):
            asked = engine.apply(title, before, offer)
            if engine.to_act(title, asked.state) == (offer.by,) or not asked.state.stack:
                continue
            yield before, offer, asked
            for answer in (Accept, Decline):
                yield from answered(title, asked.state, answer)
    for seed in SEEDS:
        yield from of_bots(title, seed)


def of_bots(title: Title, seed: int) -> Iterator[Step]:
    """A game of bots that do anything: what is rare in others happens in theirs."""
    seats = ("Ann", "Bob", "Cas")
    bots = {seat: RandomBot(seed + number) for number, seat in enumerate(seats)}
    state = engine.new_game(title, seats, seed).state
    for _ in range(CAP):
        if not state.stack:
            return
        seat = engine.to_act(title, state)[0]
        action = bots[seat].choose(title, state, seat)
        outcome = engine.apply(title, state, action)
        yield state, action, outcome
        state = outcome.state


def answered(title: Title, state: State, answer: type[Action]) -> Iterator[Step]:
    """The step of an answer, if one is waited for."""
    (seat, *others) = engine.to_act(title, state)
    action = answer(by=seat)
    if not others and engine.why_not(title, state, action) is None:
        yield state, action, engine.apply(title, state, action)


def offers(title: Title, state: State) -> Iterator[Action]:
    """What may be proposed in a position, one of each sort."""
    seen = set()
    for seat in engine.to_act(title, state):
        listed = engine.options(title, state, seat)
        actions = [o.action for o in listed if not isinstance(o, Open)]
        if any(isinstance(option, Open) for option in listed):
            others = [other for other in state.seats if other != seat]
            actions += [
                TradePrivate(by=seat, private=private, seller=owner, buyer=buyer, price=30)
                for private, owner in state.privates.items()
                for buyer in (seat, *others)
                if owner in state.seats and owner != buyer
            ]
        for action in actions:
            if not isinstance(action, PROPOSALS):
                continue
            sort = kind(title, action)
            if sort not in seen and engine.why_not(title, state, action) is None:
                outcome = engine.apply(title, state, action)
                if any(type(event).__name__ == "Asked" for event in outcome.events):
                    seen.add(sort)
                    yield action


def kind(title: Title, action: Action) -> str:
    """Proposals that differ in what is stored of them."""
    name = type(action).__name__
    if isinstance(action, TradePrivate):
        sides = ["C" if o in title.companies else "P" for o in (action.seller, action.buyer)]
        return " ".join((name, *sides, "buys" if action.by == action.buyer else "sells"))
    if isinstance(action, LayTile):
        return f"{name} {'by power' if action.power else ''}"
    return name


def news(title: Title, step: Step, seen: set[str]) -> bool:
    """Whether a step shows a kind of frame, action or event that no step before it has shown."""
    before, action, outcome = step
    shown = {f"frame {type(frame).__name__}" for frame in outcome.state.stack}
    shown |= {f"event {type(event).__name__}" for event in outcome.events}
    shown.add(f"action {type(action).__name__}")
    if any(type(event).__name__ == "Asked" for event in outcome.events):
        shown.add(f"asked {type(before.stack[-1]).__name__} {kind(title, action)}")
    if isinstance(action, Accept | Decline):
        shown.add(f"{type(action).__name__} {before.stack[-1]!r:.60}")
    new = bool(shown - seen)
    seen |= shown
    return new


def lines(name: str) -> Iterator[bytes]:
    """All lines of a title's file."""
    plain = engine.load_title(name)
    module = sys.modules[f"engine.titles.t{name.lower()}"]
    variants = [frozenset({variant}) for variant in sorted(module.VARIANTS)]
    for title in (plain, *(engine.load_title(name, chosen) for chosen in variants)):
        yield msgspec.json.encode({"title": Raw(title.encode())})
    seen: set[str] = set()
    for number, step in enumerate(steps(plain)):
        before, action, outcome = step
        if news(plain, step, seen) or number % EVERY == 0:
            yield msgspec.json.encode(
                {
                    "before": Raw(engine.encode(before)),
                    "action": Raw(engine.encode(action)),
                    "events": Raw(engine.encode(outcome.events)),
                    "after": Raw(engine.encode(outcome.state)),
                }
            )


def main(folder: Path) -> None:
    """Write a file for each title."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in TITLES:
        written = list(lines(name))
        file = folder / f"{name.lower()}.jsonl.gz"
        file.write_bytes(gzip.compress(b"\n".join(written), compresslevel=9, mtime=0))
        print(f"{file}: {len(written)} lines, {file.stat().st_size} bytes")


if __name__ == "__main__":
    main(FOLDER / sys.argv[1])
