"""A position as a file for programs, `state.json`, attached to emails after rounds.

``docs/state.schema.json`` has its schema, generated from these records. While ``format`` stays the
same, no field is removed and none changes its meaning.
"""

from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from service.reports.scene import Enclosed, Scene

#: the most octets of the file
LIMIT = 20_000

Dollars = Annotated[int, Meta(description="in dollars")]
Percents = Annotated[dict[str, int], Meta(description="company → percent held")]
StatedHex = Annotated[str, Meta(description="a hex as C4")]


class PlayerState(Struct, frozen=True):
    """A player; the worth is as if the game ended now."""

    name: str
    cash: Dollars
    in_bids: Annotated[int, Meta(description="dollars of the cash that are set aside for bids")]
    shares: Percents
    privates: tuple[str, ...]
    bonds: int
    certificates: Annotated[float, Meta(description="those that count toward the limit")]
    limit: int
    worth: Dollars
    priority: Annotated[bool, Meta(description="whether the priority deal is theirs")]
    out: Annotated[bool, Meta(description="bankrupt, while the others play on")]


class StationState(Struct, frozen=True):
    """A token of a company; the stop counts from 0 within the hex."""

    hex: StatedHex
    stop: int
    company: str


class CompanyState(Struct, frozen=True):
    """A company. The shares in the treasury, the IPO and the open market are in percent."""

    id: str
    name: str
    president: Annotated[str, Meta(description="a player, '' for nobody")]
    receiver: Annotated[str, Meta(description="who runs it in receivership, '' for nobody")]
    par: Annotated[int, Meta(description="0 before it has started")]
    price: Dollars
    floated: bool
    gone: Annotated[bool, Meta(description="whether it has left the game")]
    cash: Dollars
    trains: tuple[str, ...]
    tokens_left: int
    privates: tuple[str, ...]
    marks: Annotated[tuple[str, ...], Meta(description="loose markers and names")]
    offering: int
    market: int
    treasury: int
    loans: int
    bonds_out: Annotated[int, Meta(description="bonds that others hold")]
    run: Annotated[int, Meta(description="what its latest run earned")]
    turns: Annotated[int, Meta(description="operating turns that it has had")]


class PrivateState(Struct, frozen=True):
    """A private company; the owner is a player, a company, 'bank', or '' if closed."""

    id: str
    owner: str
    par: Dollars
    revenue: Dollars
    bids: Annotated[tuple[tuple[str, int], ...], Meta(description="player and dollars, best first")]


class TrainState(Struct, frozen=True):
    """A type of train at the bank; left is -1 if the number is unlimited."""

    type: str
    price: Dollars
    left: int


class TileState(Struct, frozen=True):
    """A tile on the map, rotated clockwise by so many sixths."""

    hex: StatedHex
    tile: str
    rotation: int


class MarkState(Struct, frozen=True):
    """A marker of a company on the map."""

    hex: StatedHex
    kind: str
    company: str


class StateFile(Struct, frozen=True):
    """A position of a game at Waybill."""

    format: Annotated[Literal[1], Meta(description="changes when a field changes its meaning")]
    game: str
    title: str
    variants: Annotated[tuple[str, ...], Meta(description="optional rules that are played")]
    number: Annotated[int, Meta(description="of the position, as #212 in emails")]
    round: Annotated[str, Meta(description="as 'OR 4.2'")]
    phase: str
    bank: Dollars
    ending: Annotated[str, Meta(description="what will end the game, '' for nothing so far")]
    over: bool
    to_act: Annotated[tuple[str, ...], Meta(description="players who must act")]
    operating: Annotated[str, Meta(description="the company whose turn it is, '' for none")]
    order: Annotated[tuple[str, ...], Meta(description="companies as they operate next")]
    players: Annotated[tuple[PlayerState, ...], Meta(description="in seating order")]
    companies: tuple[CompanyState, ...]
    privates: tuple[PrivateState, ...]
    trains: tuple[TrainState, ...]
    market_trains: tuple[str, ...]
    market_bonds: int
    tiles: tuple[TileState, ...]
    stations: tuple[StationState, ...]
    marks: tuple[MarkState, ...]


def state_files(scene: Scene) -> tuple[Enclosed, ...]:
    """The position as an attachment; none if it is larger than an email may carry."""
    data = msgspec.json.encode(stated(scene))
    return (Enclosed("state.json", "application/json", data),) if len(data) <= LIMIT else ()


def stated(scene: Scene) -> StateFile:
    """The position as records."""
    view, state = scene.view, scene.state
    return StateFile(
        format=1,
        game=scene.game,
        title=view.title,
        variants=tuple(sorted(scene.title.variants)),
        number=view.number,
        round=view.round,
        phase=view.phase,
        bank=view.bank,
        ending=view.ending,
        over=not state.stack,
        to_act=view.to_act,
        operating=view.company,
        order=view.order,
        players=tuple(_player(scene, seat) for seat in state.seats),
        companies=tuple(_company(scene, company) for company in scene.companies),
        privates=tuple(_privates(scene)),
        trains=tuple(TrainState(t.type, t.price, t.left) for t in view.trains),
        market_trains=view.market_trains,
        market_bonds=view.market_bonds,
        tiles=tuple(TileState(hex_, *lies) for hex_, lies in sorted(state.tiles.items())),
        stations=tuple(
            StationState(hex_, station.stop, station.company)
            for hex_, stations in sorted(state.stations.items())
            for station in stations
        ),
        marks=tuple(MarkState(h.hex, *mark) for h in view.map.hexes for mark in h.marks),
    )


def _privates(scene: Scene) -> Iterator[PrivateState]:
    for one in scene.view.privates:
        yield PrivateState(one.id, one.owner, one.par, one.revenue, one.bids)


def _player(scene: Scene, seat: str) -> PlayerState:
    player = scene.players[seat]
    return PlayerState(
        seat,
        player.cash,
        player.bid,
        player.shares,
        player.privates,
        player.bonds,
        player.certificates,
        player.limit,
        player.worth,
        player.priority,
        player.out,
    )


def _company(scene: Scene, name: str) -> CompanyState:
    one = scene.companies[name]
    names = (field for field in CompanyState.__struct_fields__ if field != "run")
    return CompanyState(run=one.earned, **{field: getattr(one, field) for field in names})
