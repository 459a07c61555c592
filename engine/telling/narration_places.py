"""Sentences for connections, doubled places, and payments for runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import events as ev
from engine.facts.powers import DoublePower, PassagePower
from engine.facts.title import Title


def _connected(title: Title, e: ev.ConnectionMade) -> str:
    text = f"{e.company} was the first to run {e.connection}"
    return f"{text}: the bank paid its treasury {title.money(e.treasury)}" if e.treasury else text


def _kept(title: Title, e: ev.PowerKept) -> str:
    power = title.privates[e.private].power
    if isinstance(power, DoublePower):
        return f"{title.place(power.hex)} counts double for {e.owner} until phase {power.until}"
    if isinstance(power, PassagePower):
        dollars = f"{title.money(power.dollars)} for each run to {title.place(power.hex)}"
        return f"{e.owner} keeps {dollars} until phase {power.until}"
    return ""


#: type of event → its sentence
OF_PLACES: dict[type[Any], Callable[[Title, Any], str]] = {
    ev.ConnectionMade: _connected,
    ev.PlaceDoubled: lambda t, e: (
        f"{t.place(e.hex)} counted double for {e.company}, whose run earned {t.money(e.revenue)}"
    ),
    ev.PassagesPaid: lambda t, e: (
        f"the bank paid {e.owner} {t.money(e.amount)} for runs, by {e.private}"
    ),
    ev.PowerKept: _kept,
    ev.PowerEnded: lambda t, e: f"what {e.owner} kept of {e.private} ended",
}
