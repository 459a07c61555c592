"""Results of an action that no single event has: who paid, in which round, how.

`service.workshop.practice.occurrences` counts these beside the events. Knows no titles by name.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.actions import Action, BuyShare
from engine.events import (
    ConnectionMade,
    DividendPaid,
    EndForeseen,
    Event,
    LotSold,
    PlaceDoubled,
    PresidentChanged,
    ReceivershipEnded,
    ShareBought,
    StationPlaced,
    StationSold,
    SystemFormed,
    TrainBought,
)
from engine.facts.title import Title
from engine.flow import Outcome
from engine.position.frames import Connected, FireSale
from engine.position.table import Table
from engine.position.values import State

#: events that count here under names of their own
TOLD = (StationSold, SystemFormed, ConnectionMade, PlaceDoubled, ReceivershipEnded)


def rarities(title: Title, before: State, action: Action, outcome: Outcome) -> Iterator[str]:
    """A name for each time."""
    yield from _of_action(action)
    for event in outcome.events:
        yield from _of_event(title, before, action, outcome.state, event)
    kinds = {type(event) for event in outcome.events}
    if LotSold in kinds and PresidentChanged in kinds:
        yield "president changed by a fire sale"


def _of_action(action: Action) -> Iterator[str]:
    if isinstance(action, BuyShare) and action.more:
        yield "several shares in one purchase"


def _of_event(
    title: Title, before: State, action: Action, after: State, event: Event
) -> Iterator[str]:
    table = Table(title, after)
    if isinstance(event, StationSold):
        auctioned = isinstance(before.stack[-1], FireSale)
        yield "fire sale of a station" if auctioned else "station sold to a company"
    elif isinstance(event, SystemFormed):
        yield "merger"
        yield from _three_trains(table, event.company)
    elif isinstance(event, TrainBought):
        yield from _three_trains(table, event.company)
    elif isinstance(event, ShareBought):
        if event.source == event.company and title.facts.stock.redemption:
            yield "share reissued"
    elif isinstance(event, DividendPaid) and table.is_system(event.company):
        held = (table.percent(event.company, seat) for seat in event.paid)
        if any(percent % table.unit(event.company) for percent in held):
            yield "odd half share paid"
    elif isinstance(event, ReceivershipEnded):
        whole = isinstance(action, BuyShare) and action.president
        yield f"taken over by the {'certificate' if whole else 'missing part'}"
    elif isinstance(event, EndForeseen) and event.cause == "bank":
        kind = "a stock" if after.round.kind == "SR" else "an operating"
        yield f"bank broken in {kind} round"
    else:
        yield from _of_connections(table, before, event)


def _three_trains(table: Table, company: str) -> Iterator[str]:
    """A system has more trains than a corporation may."""
    if table.is_system(company) and len(table.at.trains.get(company, ())) > table.phase.train_limit:
        yield "system with a train more"


def _of_connections(table: Table, before: State, event: Event) -> Iterator[str]:
    """The new connection, and the owner of the token there, at once or later."""
    names = {facts.token: facts.id for facts in table.title.facts.connections}
    if isinstance(event, ConnectionMade):
        yield f"{event.connection} connected"
    elif isinstance(event, PlaceDoubled):
        yield f"{names[event.hex]} token at once"
    elif isinstance(event, StationPlaced) and event.hex in names and not event.home:
        at_once = isinstance(before.stack[-1], Connected)
        yield from () if at_once else (f"{names[event.hex]} token later",)


def worth_seeing(title: Title) -> list[str]:
    """Those that a title's games should show at least once."""
    facts = title.facts
    found: list[str] = []
    if facts.stock.protection:
        found += ["price protected", "price let fall"]
    if facts.stock.redemption:
        found += ["treasury shares bought back", "share reissued"]
    if facts.stock.several_zones:
        found += ["several shares in one purchase"]
    if facts.operating.station_trade:
        found += ["station sold to a company"]
    if facts.fire_sale:
        share = "fire sale of a share to"
        found += [f"{share} a player", f"{share} the bank", "fire sale of a station"]
        found += ["president changed by a fire sale"]
    if facts.systems:
        found += ["merger", "system with a train more", "odd half share paid"]
    if facts.receivership:
        found += ["receiver named", "train borrowed"]
        found += ["taken over by the certificate", "taken over by the missing part"]
    for connection in facts.connections:
        ends = ("connected", "token at once", "token later")
        found += [f"{connection.id} {what}" for what in ends]
    if facts.full_set_end:
        found += ["bank broken in a stock round", "bank broken in an operating round"]
    return found
