"""Laying and upgrading tiles (4.2.1)."""

from collections.abc import Iterator

from engine.actions import Action, LayTile
from engine.draft import Draft
from engine.events import TileLaid
from engine.frames import CityChoice, Track
from engine.hexes import Hex, opposite
from engine.network import reach
from engine.options import Choice, Option
from engine.refusal import Refusal
from engine.steps.base import CompanyStep, not_its_turn, why_not_power
from engine.table import Table
from engine.tiles import COLOURS, STOP, Face
from engine.titles.facts import HexTilePower, Lays, TilePower
from engine.values import BANK, PrivateId

#: hexes of these colours never take a tile
SHUT = ("gray", "red", "blue")


def allowance(table: Table, company: str) -> Lays:
    """How many tiles the company may lay in this turn (4.2(b))."""
    facts = table.title.facts.operating
    if facts.first_lays and not table.at.turns.get(company):
        return facts.first_lays
    return facts.lays


def laying_cost(table: Table, action: LayTile) -> int:
    """Dollars to the bank: the hex's cost for its first tile, none with a power (4.2.1(f))."""
    if action.power or action.hex in table.at.tiles:
        return 0
    return table.title.hexes[action.hex].cost


class TrackStep(CompanyStep[Track]):
    """A tile may be laid."""

    frame = Track
    deciding = "a company operates"
    verbs = (LayTile,)

    def candidates(self, table: Table, frame: Track) -> Iterator[Option]:
        """Every tile that the phase and the hex's colour allow on hexes that can be reached."""
        company = frame.company
        by = table.at.presidents[company]
        here = reach(table, company)
        near = {hex_ for hex_, _ in here.arrivals} | {hex_ for hex_, _ in here.stops}
        for hex_ in sorted(near):
            wanted = next_colour(table, hex_)
            for tile in self.ordinary(table, hex_, wanted):
                for rotation in table.title.rotations[tile]:
                    yield Choice(
                        LayTile(by=by, company=company, tile=tile, hex=hex_, rotation=rotation)
                    )
        yield from self._by_power(table, frame, by)

    @staticmethod
    def ordinary(table: Table, hex_: str, colour: str) -> list[str]:
        """Tiles of a colour that the hex may take without a private's own tiles."""
        if colour not in table.phase.tiles:
            return []
        reserved = table.title.facts.reserved.get(hex_, {}).get(colour)
        if reserved:
            return [reserved]
        return [
            tile
            for tile in table.title.facts.supply[colour]
            if hex_ in table.title.reserved_tiles.get(tile, (hex_,))
            and tile not in table.title.power_tiles
        ]

    def _by_power(self, table: Table, frame: Track, by: str) -> Iterator[Option]:
        for private in table.privates_of(frame.company):
            if private in table.at.spent:
                continue
            for hex_, tile in by_power(table, private):
                for rotation in table.title.rotations[tile]:
                    yield Choice(
                        LayTile(
                            by=by,
                            company=frame.company,
                            tile=tile,
                            hex=hex_,
                            rotation=rotation,
                            power=private,
                        )
                    )

    def why_not(self, table: Table, frame: Track, action: LayTile) -> Refusal | None:
        """4.2.1(a) to (k), each by its letter."""
        if refusal := not_its_turn(table, frame, action.company):
            return refusal
        if action.tile not in table.title.tiles:
            return table.refuse("tile supply", "name", f"there is no tile {action.tile}")
        if action.hex not in table.title.hexes:
            return table.refuse("tile colours", "name", f"there is no hex {action.hex} on the map")
        if action.power or action.tile in table.title.power_tiles:
            return _why_not_by_power(table, action)
        return (
            _why_not_colour(table, action)
            or _why_not_allowance(table, frame, action)
            or _why_not_fitting(table, action)
            or _why_not_charted(table, action)
            or why_not_exits(table, action)
            or _why_not_money(table, action)
            or _why_not_connected(table, action)
        )

    def play(self, draft: Draft, frame: Track, action: Action) -> None:
        """Pay, lay, count the lay."""
        assert isinstance(action, LayTile)
        old = draft.table.face(action.hex)
        cost = laying_cost(draft.table, action)
        if cost:
            draft.pay(action.company, BANK, cost)
        draft.lay(action.hex, action.tile, action.rotation)
        event = TileLaid(
            action.company, action.tile, action.hex, action.rotation, cost, action.power
        )
        draft.record(event)
        if action.power:
            draft.spend(action.power)
        elif not old.colour:
            draft.replace(Track(frame.company, frame.laid + 1, frame.upgraded))
        else:
            draft.replace(Track(frame.company, frame.laid, frame.upgraded + 1))
        if not old.track and len(old.stops) > 1 and draft.stations.get(action.hex):
            # circles without track are alike: with the tile its layer says which leads where
            lifted = draft.lift_stations(action.hex)
            draft.push(CityChoice(frame.company, action.hex, lifted))


def by_power(table: Table, private: PrivateId) -> Iterator[tuple[Hex, str]]:
    """Hexes and tiles that a private's power may be meant for as the map is now."""
    power = table.title.privates[private].power
    if isinstance(power, HexTilePower):
        if power.first_only and power.hex in table.at.tiles:
            return
        for tile in TrackStep.ordinary(table, power.hex, next_colour(table, power.hex)):
            if not power.tiles or tile in power.tiles:
                yield power.hex, tile
    elif isinstance(power, TilePower):
        for hex_, facts in table.title.hexes.items():
            if power.terrain in facts.terrain and hex_ not in table.at.tiles:
                for tile in power.tiles:
                    yield hex_, tile


def next_colour(table: Table, hex_: str) -> str:
    """The colour of the next tile a hex may take; "" if it never takes one again."""
    colour = table.face(hex_).colour
    if not colour:
        return COLOURS[0]
    if hex_ not in table.at.tiles and colour in SHUT:
        return ""
    later = COLOURS[COLOURS.index(colour) + 1 :]
    return next((c for c in later[:1] if c in table.title.facts.supply), "")


def _why_not_colour(table: Table, action: LayTile) -> Refusal | None:
    """(a) the phase, (b) the supply, (c) the order of colours, (g) reserved hexes."""
    title, tile, place = table.title, action.tile, table.place(action.hex)
    colour = title.tiles[tile].colour
    wanted = next_colour(table, action.hex)
    if not wanted:
        return table.refuse("tile colours", "place", f"{place} never takes a tile")
    if table.at.tiles.get(action.hex, ("",))[0] in title.power_tiles:
        text = f"tile {table.at.tiles[action.hex][0]} on {place} is never replaced"
        return table.refuse("power tile", "place", text)
    if colour != wanted:
        text = f"{place} takes a {wanted} tile next, {tile} is {colour}"
        return table.refuse("tile colours", "colour", text)
    if colour not in table.phase.tiles:
        text = f"{colour} tiles are not available in phase {table.at.phase}"
        return table.refuse("tile phases", "phase", text, f"Now: {', '.join(table.phase.tiles)}.")
    if not table.tiles_left(tile):
        return table.refuse("tile supply", "supply", f"all tiles {tile} are on the map")
    reserved = title.facts.reserved.get(action.hex, {}).get(colour)
    if reserved and tile != reserved:
        text = f"the only {colour} tile for {place} is {reserved}"
        return table.refuse("reserved tiles", "place", text)
    only = title.reserved_tiles.get(tile)
    if only and action.hex not in only:
        text = f"tile {tile} is for {' or '.join(map(table.place, only))} alone"
        return table.refuse("reserved tiles", "place", text)
    return _why_not_barred(table, action)


def _why_not_barred(table: Table, action: LayTile) -> Refusal | None:
    """(k): a private company of a player that lies there."""
    for private in table.title.barred.get(action.hex, ()):
        owner = table.at.privates[private]
        if table.is_player(owner):
            text = f"{private} of {owner} bars {table.place(action.hex)} to tiles"
            hint = "It opens when a company buys the private, or when the private closes."
            return table.refuse("barred hexes", "place", text, hint)
    return None


def _why_not_allowance(table: Table, frame: Track, action: LayTile) -> Refusal | None:
    """4.2(b): so many new tiles or so many upgrades."""
    lays = allowance(table, frame.company)
    new = not table.face(action.hex).colour
    done, other = (frame.laid, frame.upgraded) if new else (frame.upgraded, frame.laid)
    limit = lays.yellow if new else lays.upgrades
    if done < limit and not other:
        return None
    text = f"{frame.company} has laid its tiles of this turn"
    return table.refuse("tile lays", "limit", text, "Go on with a station, `run` or `done`.")


def _why_not_fitting(table: Table, action: LayTile) -> Refusal | None:
    """(d) cities, (e) towns, (h) track that must be kept."""
    old, new = table.face(action.hex), table.title.face(action.tile, action.rotation)
    place = table.place(action.hex)
    if old.cities != new.cities:
        has, brings = _count(old.cities, "city"), _count(new.cities, "city")
        text = f"{place} has {has}, tile {action.tile} has {brings}"
        return table.refuse("cities on tiles", "place", text)
    if old.towns != new.towns:
        has, brings = _count(old.towns, "town"), _count(new.towns, "town")
        text = f"{place} has {has}, tile {action.tile} has {brings}"
        return table.refuse("towns on tiles", "place", text)
    if not table.title.keeps(old, action.hex, action.tile, action.rotation):
        text = f"tile {action.tile} laid so loses track that {place} has"
        kept = [
            rotation
            for rotation in table.title.rotations[action.tile]
            if table.title.keeps(old, action.hex, action.tile, rotation)
        ]
        hint = "Turn it." if kept else "Another tile may keep it: `tiles " + action.hex + "`."
        return table.refuse("track kept", "track", text, hint)
    return None


def _why_not_charted(table: Table, action: LayTile) -> Refusal | None:
    """Upgrades that keep everything and are not in the rulebook's chart all the same."""
    old = table.face(action.hex).tile
    if action.tile not in table.title.facts.barred_upgrades.get(old, ()):
        return None
    text = f"the chart of upgrades leads from {old} to other tiles than {action.tile}"
    return table.refuse("upgrade chart", "place", text)


def _count(number: int, word: str) -> str:
    many = {"city": "cities", "town": "towns"}[word]
    return f"no {word}" if not number else f"1 {word}" if number == 1 else f"{number} {many}"


def why_not_exits(table: Table, action: LayTile) -> Refusal | None:
    """(i): no track off the map, across an impassable side, or against a blank printed side."""
    may_end = action.hex in table.title.facts.off_map.get(action.tile, ())
    for side in sorted(table.title.face(action.tile, action.rotation).exits):
        beyond = table.title.beyond(action.hex, side)
        if beyond is None and may_end:
            continue
        word = table.title.grid.word(side)
        if beyond is None:
            text = f"tile {action.tile} would have track to the {word}, where none may run"
            return table.refuse("exits of tiles", "track", text)
        printed = table.title.printed[beyond]
        if printed.colour in SHUT and opposite(side) not in printed.exits:
            text = (
                f"tile {action.tile} would run into a blank side of {table.place(beyond)}, {word}"
            )
            return table.refuse("exits of tiles", "track", text)
    return None


def _why_not_money(table: Table, action: LayTile) -> Refusal | None:
    """(f): the cost of the terrain."""
    cost = laying_cost(table, action)
    cash = table.at.cash[action.company]
    if cost <= cash:
        return None
    text = (
        f"the first tile on {table.place(action.hex)} costs ${cost}, {action.company} has ${cash}"
    )
    return table.refuse("tile cost", "money", text)


def _why_not_connected(table: Table, action: LayTile) -> Refusal | None:
    """(j): new track, or a city on the tile, that a trace from an own station reaches."""
    old, new = table.face(action.hex), table.title.face(action.tile, action.rotation)
    if connected(table, action.company, action.hex, old, new):
        return None
    here = reach(table, action.company)
    near = sorted({h for h, _ in here.arrivals if next_colour(table, h) in table.phase.tiles})
    text = f"no track of {action.company} reaches new track or a city on {table.place(action.hex)}"
    hint = f"It could lay at {', '.join(near)}." if near else ""
    return table.refuse("tile connection", "track", text, hint)


def connected(table: Table, company: str, hex_: str, old: Face, new: Face) -> bool:
    """Whether a trace from an own station meets what ``new`` brings to the hex (4.2.1(j))."""
    here = reach(table, company)
    places = table.title.stop_mapping(old, hex_, new.tile, new.rotation)
    before = {place: i for i, place in enumerate(places)}
    if any(
        new.stops[place].kind == "city" and (hex_, i) in here.stops for place, i in before.items()
    ):
        return True
    kept = {frozenset(_onto(places, piece)) for piece in old.track}
    for piece in new.track:
        if frozenset(piece) in kept:
            continue
        for end in piece:
            if end < STOP and (hex_, end) in here.arrivals:
                return True
            if end >= STOP and (hex_, before.get(end - STOP)) in here.passable:
                return True
    return False


def _onto(places: tuple[int, ...], piece: tuple[int, int]) -> tuple[int, int]:
    """A piece of the old track as the new tile numbers its stops."""
    one, other = (end if end < STOP else STOP + places[end - STOP] for end in piece)
    return one, other


def _why_not_by_power(table: Table, action: LayTile) -> Refusal | None:
    """A private's tile: free and unconnected, where its power says (Table III)."""
    private = action.power or table.title.power_tiles[action.tile]
    facts = table.title.privates.get(private)
    power = facts.power if facts else None
    if isinstance(power, HexTilePower):
        return _why_not_on_its_hex(table, action, power)
    if not isinstance(power, TilePower) or action.tile not in power.tiles:
        text = f"{private} has no power to lay tile {action.tile}"
        return table.refuse("power tile", "place", text)
    if not action.power:
        text = f"tile {action.tile} is laid by the power of {private} alone"
        hint = f"`use {private}: lay {action.tile} {action.hex}`."
        return table.refuse("power tile", "place", text, hint)
    if refusal := why_not_power(table, private, action.company, "power tile"):
        return refusal
    ground = table.title.hexes[action.hex]
    if action.hex in table.at.tiles or ground.colour or power.terrain not in ground.terrain:
        free = [
            h
            for h, f in table.title.hexes.items()
            if power.terrain in f.terrain and h not in table.at.tiles
        ]
        text = f"tile {action.tile} goes on an empty {power.terrain} hex"
        return table.refuse("power tile", "place", text, f"Free: {', '.join(free) or 'none'}.")
    if not table.tiles_left(action.tile):
        return table.refuse("tile supply", "supply", f"all tiles {action.tile} are on the map")
    return why_not_exits(table, action)


def _why_not_on_its_hex(table: Table, action: LayTile, power: HexTilePower) -> Refusal | None:
    """A tile on the private's hex: all but connection, cost and number of lays holds."""
    private, place = action.power, table.place(power.hex)
    if action.hex != power.hex:
        text = f"{private} lays a tile on {place} only"
        return table.refuse("power tile", "place", text)
    if refusal := why_not_power(table, private, action.company, "power tile"):
        return refusal
    if power.first_only and power.hex in table.at.tiles:
        text = f"a tile lies on {place}, so the power of {private} is lost"
        return table.refuse("power tile", "place", text)
    if power.tiles and action.tile not in power.tiles:
        text = f"{private} lays no tile {action.tile}"
        return table.refuse("power tile", "place", text, f"It lays {', '.join(power.tiles)}.")
    return (
        _why_not_colour(table, action)
        or _why_not_fitting(table, action)
        or why_not_exits(table, action)
    )
