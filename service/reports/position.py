"""Tables and lines of a position that stand in several mails; says nothing of what may be done."""

from collections.abc import Mapping

from engine.frames import StockRound
from engine.notation import orientation
from engine.titles.powers import (
    DiscountPower,
    FoundingPower,
    HexTilePower,
    MarkPower,
    NamesPower,
    Power,
    SharePower,
    StationPower,
    TilePower,
    TrainPower,
)
from engine.titles.title import Title
from engine.values import CLOSED, OFFERING
from engine.view import CompanyView, PrivateView
from engine.wording import listed
from service.reports.blocks import Block, Column, Either, Grid, Pairs, Row
from service.reports.scene import Scene


def mark(scene: Scene) -> str:
    """Round, phase and number: "OR 4.2   phase 4   #212"."""
    view = scene.view
    return f"{view.round}   phase {view.phase}   #{view.number}"


def started(scene: Scene) -> list[CompanyView]:
    """Companies with a president: those with a price in operating order."""
    order = scene.table.priced()
    return [scene.companies[company] for company in order]


def companies(scene: Scene) -> Either:
    """All started companies: one wide table, or two narrow ones."""
    rows = started(scene)
    seats = [player.seat for player in scene.view.players]
    last = tuple(Column(seat, True, True) for seat in seats)
    wide = Grid(
        "",
        (*_COLUMNS, *last),
        tuple((*_company(c), *_holdings(scene, c.id)) for c in rows),
    )
    chips = {c.id: (c.colour, c.text) for c in rows}
    narrow = Grid("COMPANIES", _COLUMNS, tuple(map(_company, rows)), _unstarted(scene), chips)
    owners = Grid(
        "SHARES",
        (Column("CO"), *last),
        tuple((c.id, *_holdings(scene, c.id)) for c in rows),
        chips=chips,
    )
    wide = Grid("", wide.columns, wide.rows, _unstarted(scene))
    return Either(wide, (narrow, owners))


_COLUMNS = (
    Column("CO"),
    Column("pres", name=True),
    Column("price", True),
    Column("par", True),
    Column("ipo", True),
    Column("mkt", True),
    Column("cash", True),
    Column("trains"),
    Column("tok", True),
    Column("last", True),
)


def _company(company: CompanyView) -> tuple[str, ...]:
    return (
        company.id,
        company.president,
        str(company.price),
        str(company.par),
        _percent(company.offering),
        _percent(company.market),
        str(company.cash) if company.floated else "-",
        " ".join(company.trains) or "-",
        str(company.tokens_left),
        str(company.earned) if company.turns else "-",
    )


def _percent(percent: int) -> str:
    return f"{percent}%" if percent else "-"


def _holdings(scene: Scene, company: str) -> tuple[str, ...]:
    """Percent by player; the president's is marked."""
    president = scene.companies[company].president
    return tuple(
        f"{'*' if p.seat == president else ''}{p.shares[company]}" if company in p.shares else "-"
        for p in scene.view.players
    )


def _unstarted(scene: Scene) -> str:
    waiting = [c.id for c in scene.view.companies if not c.president]
    if not started(scene):
        return f"No company has been started: {', '.join(waiting)}."
    legend = "Shares in percent, * the president."
    return f"{legend} Not started: {', '.join(waiting)}." if waiting else legend


def players(scene: Scene) -> Grid:
    """What players have, a line each."""
    bids = any(player.bid for player in scene.view.players)
    columns = [Column("PLAYER", name=True), Column("cash", True)]
    if bids:
        columns.append(Column("in bids", True))
    columns += [Column("certs", True), Column("worth", True), Column("privates")]
    rows = []
    for player in scene.view.players:
        cells = [player.seat, f"${player.cash}"]
        if bids:
            cells.append(f"${player.bid}" if player.bid else "-")
        cells += [f"{player.certificates}/{player.limit}", f"${player.worth}"]
        cells.append(" ".join(player.privates) + ("  priority deal" * player.priority))
        rows.append(tuple(cells))
    return Grid("PLAYERS", tuple(columns), tuple(rows))


def privates(scene: Scene) -> Grid | None:
    """Private companies while they are open, with their bids."""
    rows = tuple(_private(p, scene.title) for p in scene.view.privates if p.owner != CLOSED)
    columns = (
        Column("PRIVATE"),
        Column("par", True),
        Column("pays", True),
        Column("owner", name=True),
        Column("what it does", name=True),
    )
    return Grid("PRIVATE COMPANIES", columns, rows) if rows else None


def _private(private: PrivateView, title: Title) -> tuple[str, ...]:
    owner = private.owner
    if owner == OFFERING:
        owner = f"bank, ${private.price}" if private.price else "bank"
        if private.bids:
            owner = "bids " + ", ".join(f"{seat} {amount}" for seat, amount in private.bids)
    power = title.privates[private.id].power
    return private.id, f"${private.par}", f"${private.revenue}", owner, deed(power)


def deed(power: Power | None) -> str:
    """What a private does for the company that owns it, in a few words."""
    if isinstance(power, MarkPower):
        return f"{power.mark} marker, +${power.bonus} at its stop"
    if isinstance(power, TilePower):
        return f"free tile {'/'.join(power.tiles)} in a {power.terrain}"
    if isinstance(power, HexTilePower):
        return f"free {'yellow ' if power.first_only else ''}tile on {power.hex}"
    if isinstance(power, FoundingPower):
        return f"president's certificate of {power.company}"
    if isinstance(power, NamesPower):
        return "train names: " + ", ".join(f"+${n.bonus} {'-'.join(n.places)}" for n in power.names)
    if isinstance(power, DiscountPower):
        return f"one new train at {power.percent}%"
    if isinstance(power, StationPower):
        return f"free station on {power.hex}"
    if isinstance(power, TrainPower):
        return f"train {power.train}"
    if isinstance(power, SharePower):
        return f"share of {power.company}, for its first owner"
    return ""


def coming(scene: Scene) -> Pairs:
    """Who operates or plays next, what trains are left, and the bank."""
    view = scene.view
    trains = [
        f"{t.type} {'any' if t.left < 0 else f'x{t.left}'} ${t.price}" for t in view.trains
    ] or ["none left"]
    rows = [Row("NEXT", (_next(scene),)), Row("TRAINS", tuple(trains))]
    if view.market_trains:
        rows.append(Row("", (f"in the open market: {' '.join(view.market_trains)}",)))
    limit = f"train limit {view.train_limit}"
    colours = f"{listed(view.tile_colours)} tiles"
    ors = f"{view.rounds} OR{'s' * (view.rounds > 1)} a set"
    rows.append(Row("PHASE", (view.phase, limit, colours, ors)))
    rows.append(Row("BANK", (f"${view.bank}",)))
    return Pairs("", tuple(rows))


def _next(scene: Scene) -> str:
    state, view = scene.state, scene.view
    if not state.stack:
        return "the game is over"
    if state.round.kind == "SR":
        return _next_in_stock_round(scene)
    waiting = [f"{c} ({state.presidents[c]})" for c in view.order]
    text = f"after {view.company}: " if view.company else ""
    text += ", ".join(waiting)
    return text + (", then " if waiting else "") + after_round(scene)


def _next_in_stock_round(scene: Scene) -> str:
    state = scene.state
    frame = next(f for f in state.stack if isinstance(f, StockRound))
    order = ", ".join(scene.table.clockwise(frame.seat))
    ors = f"{state.round.number}.1"
    return f"after {frame.seat}: {order}; when all pass in a row, OR {ors}"


def after_round(scene: Scene) -> str:
    """What follows the present operating round."""
    state, now = scene.state, scene.state.round
    if state.ending is not None and state.ending.rounds <= 0:
        return "the end of the game"
    if now.part < now.parts:
        return f"OR {now.number}.{now.part + 1}"
    return f"SR {now.number + 1} ({state.priority} has the priority deal)"


def trigger(title: Title, phase: str) -> str:
    """The train whose purchase begins a phase: "the 7", "the second 6"."""
    facts = title.phases[phase]
    return f"the {_NTH[facts.nth]}{facts.on}"


_NTH = ("", "", "second ", "third ", "fourth ", "fifth ", "sixth ")


def way(title: Title, tile: str, rotation: int) -> str:
    """How a tile lies, as commands say it; "any way" where all look alike."""
    return orientation(title, tile, rotation) or "any way"


def provenance(scene: Scene) -> tuple[str, ...]:
    """Where facts are not those of the title's file, or not the printed ones."""
    return sources(scene.view.provenance, scene.view.overlay)


def sources(provenance: Mapping[str, str], overlay: str) -> tuple[str, ...]:
    """Lines on a group's own facts and on reconstructions, for the foot of every mail."""
    own = (f"With own facts: {overlay}",) if overlay else ()
    return (*own, *(f"Reconstructed: {what}: {note}" for what, note in provenance.items()))


def tables(scene: Scene) -> tuple[Block, ...]:
    """Companies, players, what comes next, and privates while they are open."""
    last = privates(scene)
    blocks: list[Block] = [companies(scene)] if started(scene) else []
    blocks += [players(scene), coming(scene)]
    return (*blocks, last) if last else tuple(blocks)
