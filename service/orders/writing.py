"""Writes orders in their canonical form, which reads back as the same order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from service.orders import values as v


def write(order: v.Order) -> str:
    """The canonical text of an order."""
    heads = {"next": "next: ", "each": "", "standing": "standing ", "always": "always "}
    head = heads.get(order.head, f"operate {order.company}: ")
    steps = " then ".join(_step(step) for step in order.steps)
    return f"{head}{steps}{_life(order)}"


def _life(order: v.Order) -> str:
    life = order.life
    if life == v.natural_life(order.head, order.steps):
        return ""
    return f" for {life.rounds} rounds" if life.of == "rounds" else f" for {life.of}"


def _step(step: v.Turn) -> str:
    actions = ", ".join(_action(action) for action in step.actions)
    return actions if step.until is None else f"{actions} until {condition(step.until)}"


def _action(action: v.Alternatives) -> str:
    return " else ".join(_act(act) for act in action.acts)


def _act(act: v.Act) -> str:
    guards = "".join(f" {'unless' if g.unless else 'if'} {condition(g.test)}" for g in act.guards)
    return f"{act.command}{guards}"


def condition(test: v.Test) -> str:
    """The canonical text of a condition."""
    return _WORDS[type(test)](test)


def _inner(test: v.Test) -> str:
    text = condition(test)
    return f"({text})" if isinstance(test, v.Any | v.All) else text


def _figure(value: v.Sum | str) -> str:
    if isinstance(value, str):
        return value
    parts = (value.what, value.seat, value.of)
    return " ".join(part for part in parts if part)


def _trades(test: v.Trades) -> str:
    return f"{test.who} {'sells' if test.sells else 'buys'} {test.company}".rstrip()


_WORDS: dict[type, Callable[[Any], str]] = {
    v.Trades: _trades,
    v.Bids: lambda t: f"{t.who} bids {t.private}".rstrip(),
    v.Outbid: lambda t: "outbid",
    v.Starts: lambda t: f"{t.company} is started",
    v.Floats: lambda t: f"{t.company} floats",
    v.PresidentChanges: lambda t: f"president of {t.company} changes",
    v.TrainPurchase: lambda t: f"train {t.train} is bought",
    v.PhaseChanges: lambda t: "phase changes",
    v.RoundEnds: lambda t: "round ends",
    v.Alarm: lambda t: "alarm",
    v.Compare: lambda t: f"{_figure(t.left)} {t.relation} {_figure(t.right)}",
    v.HasTrain: lambda t: f"{t.company} has a train",
    v.IsFloated: lambda t: f"{t.company} is floated",
    v.IsFree: lambda t: f"{t.hex} is free",
    v.HasTile: lambda t: f"{t.hex} has {t.tile}",
    v.Presides: lambda t: f"{t.seat} presides {t.company}",
    v.Not: lambda t: f"not {_inner(t.test)}",
    v.All: lambda t: " and ".join(_inner(one) for one in t.tests),
    v.Any: lambda t: " or ".join(_inner(one) for one in t.tests),
}
