"""Conditions of the map in every position: tiles, tokens, ferries; knows no money or shares."""

from __future__ import annotations

from collections import Counter

from engine.facts.powers import SpareStationPower
from engine.invariants.broken import hold
from engine.position.table import Table
from engine.position.values import BANK, CLOSED, CompanyId
from engine.runs.connections import has_token, token_hexes
from engine.steps.judging.fit import SHUT
from engine.track.ground import Recent

#: maps that have been checked, with their phases
_SURVEYED: Recent[None] = Recent(32)


def tiles(table: Table) -> None:
    """Check that tiles exist, on hexes that take them, with the hexes' stops; raises Broken."""
    _SURVEYED.get((table.track_key, table.at.phase), lambda: _survey(table))


def _survey(table: Table) -> None:
    title = table.title
    for tile, count in Counter(tile for tile, _ in table.at.tiles.values()).items():
        enough = tile in title.endless or count <= title.supply[tile]
        hold(enough, f"there are {count} tiles {tile} on the map")
    for hex_, (tile, rotation) in table.at.tiles.items():
        old, new = title.printed[hex_], title.face(tile, rotation)
        on_lake = bool(new.ferry) and not new.track and title.keeps(old, tile, rotation)
        hold(old.colour not in SHUT or on_lake, f"a tile lies on {hex_}")
        hold(hex_ in title.reserved_tiles.get(tile, (hex_,)), f"{tile} lies on {hex_}")
        away = [side for side in new.exits if title.beyond(hex_, side) is None]
        excused = hex_ in title.facts.off_map.get(tile, ())
        hold(not away or excused, f"track of {tile} on {hex_} leads off the map")
        if tile not in title.power_tiles:
            same = (old.cities, old.towns) == (new.cities, new.towns)
            small = title.facts.small_cities
            rebuilt = small and table.begun(small.phase) and old.towns and not new.towns
            hold(same or bool(rebuilt), f"{tile} on {hex_} has other stops than the hex")


def stations(table: Table) -> None:
    """Check that tokens fit the circles, one per company and hex, and that none is missing."""
    state = table.at
    for hex_, there in state.stations.items():
        companies, stops = [s.company for s in there], [s.stop for s in there]
        for company in set(companies) if len(there) > 1 else ():
            count = companies.count(company)
            most = 1 + (hex_ in table.homes(company) and has_token(table, company, hex_))
            hold(count <= most, f"{count} tokens of {company} on {hex_}")
        cities = table.face(hex_).stops
        lost = [station.company for station in there if station.stop >= len(cities)]
        hold(not lost, f"the token of {lost} on {hex_} is in no city")
        for stop, facts in enumerate(cities):
            count = stops.count(stop)
            hold(count <= facts.slots, f"{count} tokens in a city of {hex_}")
    for company in state.gone:
        hold(tokens(table, company) == 0, f"{company} has left the game, its tokens have not")
    spare = sum(
        isinstance(own.power, SpareStationPower) and state.privates[private] == CLOSED
        for private, own in table.title.privates.items()
    )
    on_map = Counter(station.company for there in state.stations.values() for station in there)
    for company, its in table.title.companies.items():
        if company not in state.gone and not its.merger:
            own = on_map[company] + state.charters.get(company, 0)
            more = own - its.tokens - _by_par(table, company)
            spare -= more
            hold(more >= 0 and spare >= 0, f"tokens of {company} were made or lost")
    for hex_, connection in token_hexes(table).items():
        here = dict.fromkeys(station.company for station in state.stations.get(hex_, ()))
        count = sum(has_token(table, company, hex_) for company in here)
        made = connection.id in state.connected
        has = state.doubling.get(connection.id, "")
        hold(has in ("", CLOSED, *state.floated), f"{has} has the token of {connection.id}")
        hold(count <= made, f"{count} tokens of {connection.id} on {hex_}")


def _by_par(table: Table, company: CompanyId) -> int:
    """Tokens that a company has because of its par."""
    par = table.at.pars.get(company)
    return table.title.facts.stock.par_tokens.get(str(par), 0)


def tokens(table: Table, company: CompanyId) -> int:
    """Tokens of a company, on the map and on its charter."""
    return len(table.stations_of(company)) + table.at.charters.get(company, 0)


def ferries(table: Table) -> None:
    """Ferries that run have their tiles, and a token with a company or with nobody any more."""
    title, state = table.title, table.at
    hold(set(state.ferries) <= set(title.ferries), "a ferry runs that does not exist")
    for ferry, owner in state.ferries.items():
        hold(owner == BANK or owner in state.floated, f"the ferry {ferry} belongs to {owner}")
        lake = [text.split() for text in title.ferries[ferry].tiles]
        laid = all(state.tiles.get(hex_) == (tile, int(turn)) for hex_, tile, turn in lake)
        hold(laid, f"the ferry {ferry} runs without its tiles")
        bare = [end for end in title.ferries[ferry].ends if not table.face(end).colour]
        hold(not bare, f"the ferry {ferry} leads to {bare} without a tile")
    open_lakes = {hex_ for ferry in state.ferries for hex_ in title.lakes[ferry]}
    closed = {hex_ for lake in title.lakes.values() for hex_ in lake} - open_lakes
    hold(not closed & set(state.tiles), "a tile lies on the lake of a ferry that does not run")
