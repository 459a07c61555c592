"""Whether a token may be placed in a city: free circles, reserved circles, one token per hex.

This module knows nothing of turns, money and track.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.runs.connections import token_hexes, token_keeper

if TYPE_CHECKING:
    from engine.board.hexes import Hex
    from engine.board.tiles import Stop
    from engine.position.table import Table
    from engine.position.values import CompanyId
    from engine.refusal import Refusal


NOT_CONNECTED = "No track connects a token of {company} with {place}"


def takes_stations(table: Table, stop: Stop) -> bool:
    """Whether the stop is a city, or in some titles an off-board location with circles."""
    offboard = table.title.facts.operating.offboard_stations
    return stop.kind == "city" or (offboard and stop.slots > 0)


def why_not_city(table: Table, hex_: Hex, stop: int) -> Refusal | None:
    """Refuse a hex, or a stop of it, that is not a city for a token."""
    if hex_ not in table.title.hexes:
        return table.refuse("station", "name", f"There is no hex {hex_} on the map")
    stops = table.face(hex_).stops
    if stop not in range(len(stops)) or not takes_stations(table, stops[stop]):
        return table.refuse("station", "place", f"{table.place(hex_)} has no city for a token")
    return None


def why_not_again(table: Table, company: CompanyId, hex_: Hex) -> Refusal | None:
    """Refuse a second token on a hex.

    A company with its base where it has made a connection may place the connection's token there
    too.
    """
    if company not in {station.company for station in table.at.stations.get(hex_, ())}:
        return None
    facts = token_hexes(table).get(hex_)
    based = facts is not None and hex_ in table.homes(company)
    if facts and based and not token_keeper(table, facts):
        if table.at.connected.get(facts.id) in (company, *table.at.formed.get(company, ())):
            return None
        text = f"{company} has its base in {table.place(hex_)}; it may place a second token there"
        return table.refuse(f"connection {facts.id}", "place", f"{text} if it connects {facts.id}")
    text = f"{company} has a token in {table.place(hex_)} already"
    return table.refuse("one station a hex", "place", text)


def _why_not_kept(table: Table, company: CompanyId, hex_: Hex, stop: int) -> Refusal | None:
    """Refuse the circle of a connection's token before the connection is made, or once it is used.

    Each place has one such token (18MW R40). Any token may use a further circle, once no company
    has its base there (18MW R50).
    """
    facts = token_hexes(table).get(hex_)
    if facts is None:
        return None
    homes = sum(other != company for other in table.reserved_for(hex_))
    left, has = table.free_circles(hex_, stop) - homes, token_keeper(table, facts)
    place, key = table.place(hex_), f"connection {facts.id}"
    if left < 2 and not has and facts.id not in table.at.connected:
        text = f"The circle of {place} is reserved until a company runs {facts.id}"
        return table.refuse(key, "place", text)
    if left < 1 and has in table.title.companies:
        text = f"The one token that doubles {place} is {has}'s"
        return table.refuse(key, "place", text)
    return None


def why_not_room(table: Table, company: CompanyId, hex_: Hex, stop: int) -> Refusal | None:
    """Refuse a city without a free circle, and a circle reserved for a home or a connection."""
    place = table.place(hex_)
    if not table.face(hex_).stops[stop].slots:
        return table.refuse("station", "place", f"{place} has no circle for a token")
    if hex_ in table.at.shut:
        text = f"The circle of {place} no longer takes a token"
        return table.refuse("reserved circle", "place", text)
    if refusal := _why_not_kept(table, company, hex_, stop):
        return refusal
    if table.free_circles(hex_, stop) < 1:
        return table.refuse("station", "place", f"All circles of {place} are taken")
    kept = [c for c in table.reserved_for(hex_) if c != company]
    stops = range(len(table.face(hex_).stops))
    if sum(table.free_circles(hex_, i) for i in stops) <= len(kept):
        text = f"The free circle of {place} is reserved for the home of {' and '.join(kept)}"
        return table.refuse("reserved circle", "place", text)
    return None
