"""The parts of a position that several emails show: its tables and private companies."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, get_args

from engine.board.hexes import Hex
from engine.facts.facts import PrivateFacts
from engine.facts.powers import (
    BridgePower,
    DiscountPower,
    DoublePower,
    ExtendPower,
    FerryPower,
    FoundingPower,
    HexTilePower,
    LaysPower,
    MarkPower,
    NamesPower,
    OwnHexesPower,
    PassagePower,
    Power,
    SharePower,
    SpareStationPower,
    StationPower,
    SwapPower,
    TerrainPower,
    TilePower,
    TrainPower,
)
from engine.facts.title import Title
from engine.inquiry import SHARE
from engine.notation import orientation
from engine.position.frames import (
    Auction,
    ParallelAuction,
    PrivateTurn,
    Protection,
    StockRound,
    StockTurn,
)
from engine.position.values import CLOSED, OFFERING
from engine.telling.view import CompanyView, FerryView, PrivateView
from engine.wording import counted, halves, listed
from service.reports.scene import Scene
from service.reports.tables import Block, Column, Either, Grid, Pairs, Row


def _names(power: NamesPower, at: Callable[[Hex], str]) -> str:
    ends = (f"+${one.bonus} {' to '.join(map(at, one.places))}" for one in power.names)
    return f"train names: {', '.join(ends)}"


def _share(power: SharePower, at: Callable[[Hex], str]) -> str:
    if power.for_train:
        return f"share of {power.company}; exchanged for a train"
    return f"share of {power.company}, for its first owner"


Words = Callable[[Any, Callable[[Hex], str]], str]
"""The words of a power; its second argument names a hex with its city."""


def worded(words: Mapping[type, Words]) -> Mapping[type, Words]:
    """These words of powers. Raises TypeError that names the kinds of powers without any."""
    if left := [kind.__name__ for kind in get_args(Power) if kind not in words]:
        raise TypeError(f"powers without words: {', '.join(left)}")
    return words


_WORDS = worded(
    {
        MarkPower: lambda p, at: f"{p.mark} marker, +${p.bonus} at its stop",
        TilePower: lambda p, at: f"free tile {'/'.join(p.tiles)} in a {p.terrain}",
        HexTilePower: lambda p, at: f"free {'yellow ' if p.first_only else ''}tile on {at(p.hex)}",
        FoundingPower: lambda p, at: f"president's certificate of {p.company}",
        NamesPower: _names,
        DiscountPower: lambda p, at: f"one new train at {p.percent}%",
        StationPower: lambda p, at: f"free token on {at(p.hex)}",
        TrainPower: lambda p, at: f"train {p.train}",
        SharePower: _share,
        TerrainPower: lambda p, at: f"{p.mark} marker, {p.terrain}s at {p.percent}%",
        LaysPower: lambda p, at: f"{p.yellow} more yellow tiles, or an upgrade",
        OwnHexesPower: lambda p, at: f"yellow tiles on {', '.join(map(at, p.hexes))}",
        ExtendPower: lambda p, at: "one train that goes further",
        FerryPower: lambda p, at: "opens a ferry",
        SpareStationPower: lambda p, at: "one more token, anywhere",
        PassagePower: lambda p, at: (
            f"${p.dollars} for each run to {at(p.hex)}, until phase {p.until}"
        ),
        SwapPower: lambda p, at: "a share of any company for it",
        BridgePower: lambda p, at: f"its owner gets {p.percent}% of the cost of every bridge",
        DoublePower: lambda p, at: f"doubles {at(p.hex)} for its company, until phase {p.until}",
    }
)

NO_POWER = "only pays"


def deed(title: Title, facts: PrivateFacts) -> str:
    """A private company's benefit for its owner or a borrower, and the hexes that it blocks."""
    words = _WORDS[type(facts.power)](facts.power, title.place) if facts.power else ""
    later = (f"pays ${d} from phase {p} on" for p, d in facts.revenue_from.items())
    bars = f"bars {', '.join(map(title.place, facts.blocks))}" if facts.blocks else ""
    return "; ".join(filter(None, (words, *later, bars))) or NO_POWER


def mark(scene: Scene) -> str:
    """Round, phase and number: "OR 4.2   phase 4   #212"."""
    view = scene.view
    return f"{view.round}   phase {view.phase}   #{view.number}"


def started(scene: Scene) -> list[CompanyView]:
    """Companies with a president: those with a price in operating order."""
    order = scene.table.priced()
    return [scene.companies[company] for company in order]


def companies(scene: Scene) -> Either:
    """All started companies: as one wide table or two narrow ones."""
    rows = started(scene)
    seats = [player.seat for player in scene.view.players]
    last = tuple(Column(seat, True, True) for seat in seats)
    shown = _columns(scene)
    columns = tuple(column for column, _ in shown)
    cells = [tuple(cell(company) for _, cell in shown) for company in rows]
    wide = Grid(
        "",
        (*columns, *last),
        tuple((*row, *_holdings(scene, c.id)) for c, row in zip(rows, cells, strict=True)),
        _unstarted(scene),
    )
    chips = {c.id: (c.colour, c.text) for c in rows}
    narrow = Grid("COMPANIES", columns, tuple(cells), _unstarted(scene), chips)
    owners = Grid(
        "SHARES",
        (Column("CO"), *last),
        tuple((c.id, *_holdings(scene, c.id)) for c in rows),
        chips=chips,
    )
    return Either(wide, (narrow, owners))


_Shown = tuple[Column, Callable[[CompanyView], str]]


def _columns(scene: Scene) -> tuple[_Shown, ...]:
    """The columns of the companies; debts only if there are any, the treasury if it has shares."""
    stock = scene.title.facts.stock
    treasury = stock.capital == "bought"
    par: _Shown = (Column("par", True), lambda c: str(c.par))
    left: _Shown = (Column("left", True), lambda c: _percent(c.offering + c.treasury))
    own: _Shown = (Column("own", True), lambda c: _percent(c.treasury))
    debts: _Shown = (Column("loans", True), lambda c: str(c.loans) if c.loans else "-")
    return (
        (Column("CO"), lambda c: c.id),
        (Column("pres", name=True), lambda c: c.president or f"({c.receiver})"),
        (Column("price", True), lambda c: str(c.price)),
        *((par,) if stock.par_price else ()),
        left if treasury else (Column("ipo", True), lambda c: _percent(c.offering)),
        (Column("mkt", True), lambda c: _percent(c.market)),
        *((own,) if _redeemed(scene) else ()),
        (Column("cash", True), lambda c: str(c.cash) if c.floated else "-"),
        (Column("trains"), lambda c: " ".join(c.trains) or "-"),
        (Column("tok", True), lambda c: str(c.tokens_left)),
        (Column("last", True), lambda c: str(c.earned) if c.turns else "-"),
        *((debts,) if any(c.loans for c in scene.view.companies) else ()),
    )


def _redeemed(scene: Scene) -> bool:
    """Whether a company holds own shares besides those from its start."""
    began_with_some = scene.title.facts.stock.capital == "bought"
    return not began_with_some and any(c.treasury for c in scene.view.companies)


def _percent(percent: int) -> str:
    return f"{percent}%" if percent else "-"


def _holdings(scene: Scene, company: str) -> tuple[str, ...]:
    """Percent by player, with a mark on the president's."""
    president = scene.companies[company].president
    return tuple(
        f"{'*' if p.seat == president else ''}{p.shares[company]}" if company in p.shares else "-"
        for p in scene.view.players
    )


def _unstarted(scene: Scene) -> str:
    waiting = [c.id for c in scene.view.companies if not (c.par or c.merger or c.gone)]
    if not started(scene):
        return f"No company has been started: {', '.join(waiting)}."
    notes = ["Shares in percent, * the president."]
    if scene.title.facts.stock.capital == "bought":
        notes.append("Left: shares in the IPO; after the company floats, in its treasury.")
    if any(c.receiver for c in scene.view.companies):
        notes.append("In brackets: who runs a company in receivership.")
    if _redeemed(scene):
        notes.append("Own: redeemed, in the treasury.")
    if waiting:
        notes.append(f"Not started: {', '.join(waiting)}.")
    gone = [c.id for c in scene.view.companies if c.gone]
    if gone:
        notes.append(f"Gone: {', '.join(gone)}.")
    return " ".join((*notes, *_small_shares(scene)))


def _small_shares(scene: Scene) -> Iterator[str]:
    """Companies with a share that is not ten percent."""
    for company in started(scene):
        if company.share != SHARE:
            unit = scene.table.unit(company.id)
            price = f", its price is for {unit}%" if unit != company.share else ""
            yield f"A share of {company.id} is {company.share}%{price}."


def players(scene: Scene) -> Grid:
    """The players' assets, one line each."""
    bids = any(player.bid for player in scene.view.players)
    columns = [Column("PLAYER", name=True), Column("cash", True)]
    if bids:
        columns.append(Column("in bids", True))
    bonds = any(player.bonds for player in scene.view.players)
    columns += [Column("certs", True), Column("worth", True)]
    if bonds:
        columns.append(Column("bonds", True))
    columns.append(Column("privates", name=True))
    rows = []
    for player in scene.view.players:
        cells = [player.seat, f"{scene.money(player.cash)}"]
        if bids:
            cells.append(f"{scene.money(player.bid)}" if player.bid else "-")
        cells += [
            f"{halves(player.certificates)}/{player.limit}",
            f"{scene.money(player.worth)}",
        ]
        if bonds:
            cells.append(str(player.bonds) if player.bonds else "-")
        last = "bankrupt, out" if player.out else " ".join(player.privates)
        cells.append(last + ("  priority deal" * player.priority))
        rows.append(tuple(cells))
    return Grid("PLAYERS", tuple(columns), tuple(rows), " ".join(_shares_before(scene)))


def _shares_before(scene: Scene) -> Iterator[str]:
    """Shares of companies that have not started, which no table of companies shows."""
    for player in scene.view.players:
        for company, percent in player.shares.items():
            if not scene.companies[company].par:
                yield f"{player.seat} holds {percent}% of {company}, which is not started."


def privates(scene: Scene) -> Grid | None:
    """Open private companies with their bids, and powers that outlast some closed ones."""
    there = (p for p in scene.view.privates if p.owner != CLOSED or p.kept_by)
    rows = tuple(_private(scene, p) for p in there)
    columns = (
        Column("PRIVATE"),
        Column("par", True),
        Column("pays", True),
        Column("owner", name=True),
        Column("what it does", name=True),
    )
    return Grid("PRIVATE COMPANIES", columns, rows) if rows else None


def _private(scene: Scene, private: PrivateView) -> tuple[str, ...]:
    if private.kept_by:
        does = f"closed, but {deed(scene.title, scene.title.privates[private.id])}"
        return private.id, "-", "-", private.kept_by, does
    owner = private.owner
    if owner == OFFERING:
        owner = f"bank, {scene.money(private.price)}" if private.price else "bank"
        if private.bids:
            owner = "bids " + ", ".join(f"{seat} {amount}" for seat, amount in private.bids)
    does = deed(scene.title, scene.title.privates[private.id])
    if scene.table.unsold():
        does = f"{private.name}: {does}"
    if private.id in scene.state.spent:
        does = f"used: {does}"
    return (
        private.id,
        f"{scene.money(private.par)}",
        f"{scene.money(private.revenue)}",
        owner,
        does,
    )


def coming(scene: Scene) -> Pairs:
    """The next companies or players, the trains that are left, and the bank."""
    view = scene.view
    trains = [
        f"{t.type} {'any' if t.left < 0 else f'x{t.left}'} {scene.money(t.price)}"
        for t in view.trains
    ] or ["none left"]
    following = (Row("NEXT", (_next(scene),)),) if scene.view.to_act else ()
    rows = [*following, Row("TRAINS", tuple(trains))]
    if view.market_trains:
        rows.append(Row("", (f"in the open market: {' '.join(view.market_trains)}",)))
    limit = f"train limit {view.train_limit}"
    colours = f"{listed(view.tile_colours)} tiles"
    ors = f"{view.rounds} OR{'s' * (view.rounds > 1)} per set"
    rows.append(Row("PHASE", (view.phase, limit, colours, ors)))
    rows.append(Row("BANK", (f"{'-' * (view.bank < 0)}{scene.money(abs(view.bank))}",)))
    rows += [Row("FERRIES", _ferries(scene)), Row("BONDS", _bonds(scene))]
    rows.append(Row("MERGER", _merger(scene)))
    return Pairs("", tuple(row for row in rows if row.items))


def _ferries(scene: Scene) -> tuple[str, ...]:
    """The ferries in service, and what others pay for them."""
    return tuple(
        f"{ferry.name} runs: {_fee(scene, ferry)}" for ferry in scene.view.ferries if ferry.runs
    )


def _fee(scene: Scene, ferry: FerryView) -> str:
    if not ferry.owner:
        return "free for all"
    return (
        f"{ferry.owner} has its token, others pay "
        f"{scene.money(scene.title.facts.ferry_fee)} a train"
    )


def _bonds(scene: Scene) -> tuple[str, ...]:
    """The owners of the bonds, if there are any."""
    facts, view = scene.title.facts.bonds, scene.view
    if facts is None or not (company := scene.companies[facts.company]).president:
        return ()
    owners = [(company.id, company.bonds), ("open market", view.market_bonds)]
    owners += [(player.seat, player.bonds) for player in view.players]
    held = ", ".join(f"{owner} {count}" for owner, count in owners if count)
    return (f"of {company.id}, {scene.money(facts.value)} each: {held}",)


def _merger(scene: Scene) -> tuple[str, ...]:
    """A company that only a merger forms, until players have decided about it."""
    facts = scene.title.facts.merger
    if facts is None or (company := scene.companies[facts.company]).president or company.gone:
        return ()
    phases = [phase for phase in facts.phases if not scene.table.begun(phase)]
    if not phases:
        return ()
    text = f"{company.id} ({company.name}) forms when phase {' or '.join(phases)} begins, of "
    return (f"{text}companies that have operated and have no train then, if there are two",)


def _next(scene: Scene) -> str:
    state, view = scene.state, scene.view
    if state.round.kind == "SR":
        return _next_in_stock_round(scene)
    waiting = [f"{c} ({scene.table.operator(c)})" for c in view.order]
    text = f"after {view.company}: " if view.company else ""
    text += ", ".join(waiting)
    return text + (", then " if waiting else "") + after_round(scene)


AFTER = "after {seat}: {order}; when all pass in a row, {then}"


def _next_in_stock_round(scene: Scene) -> str:
    state = scene.state
    top = state.stack[-1]
    if isinstance(top, ParallelAuction):
        others = ", ".join(scene.table.clockwise(top.seat))
        return AFTER.format(seat=top.seat, order=others, then="the high bidders pay")
    if isinstance(top, Auction):
        bidders = listed(dict.fromkeys(bid.seat for bid in state.bids[top.private]))
        return f"only {bidders} bid on {top.private}, until all but one pass; then the sale goes on"
    frame = next(f for f in state.stack if isinstance(f, StockRound))
    sale = scene.title.facts.stock.private_sale
    if isinstance(top, Protection):
        return f"the turn of {frame.seat}, once presidents have answered"
    order = ", ".join(scene.table.clockwise(frame.seat))
    then = f"OR {state.round.number}.1"
    if isinstance(top, PrivateTurn) and sale == "waterfall":
        first = min(scene.title.facts.private, key=lambda private: private.par).id
        falls = f"{first} becomes cheaper" if first in scene.table.unsold() else "they pay"
        then = f"{falls} and the sale of private companies goes on"
    return AFTER.format(seat=frame.seat, order=order, then=then)


def after_round(scene: Scene) -> str:
    """The round that follows the present operating round."""
    state, now = scene.state, scene.state.round
    full = state.ending is not None and state.ending.full_set and now.part < now.parts
    if state.ending is not None and state.ending.rounds <= 0 and not full:
        return "the end of the game"
    if now.part < now.parts:
        return f"OR {now.number}.{now.part + 1}"
    return f"SR {now.number + 1} ({state.priority} has the priority deal)"


def trigger(title: Title, phase: str) -> str:
    """The train whose purchase starts a phase: "the 7", "the second 6"."""
    facts = title.phases[phase]
    return f"the {_NTH[facts.nth]}{facts.on}"


_NTH = ("", "", "second ", "third ", "fourth ", "fifth ", "sixth ")


def way(title: Title, tile: str, rotation: int) -> str:
    """The rotation of a tile as in commands; "any way" if all look the same."""
    return orientation(title, tile, rotation) or "any way"


RECONSTRUCTED = "May differ from your printed game: {parts}. `status` says why."
RECONSTRUCTED_ON_PAGE = (
    "May differ from your printed game: {parts}. `status` says why, and so does the game's page:"
)
HOW_RECONSTRUCTED = "May differ from your printed game: {part}. {why}."


def provenance(scene: Scene) -> tuple[str, ...]:
    """The foot of each email in a game with an overlay or with reconstructed parts.

    One line names the reconstructions. A link to the game's page follows, if there is one.
    """
    return brief(scene.view.provenance, scene.view.overlay, page=bool(scene.link))


def brief(provenance: Mapping[str, str], overlay: str, *, page: bool = False) -> tuple[str, ...]:
    """A line about a group's overlay, and one that names all reconstructed parts."""
    if not provenance:
        return sources({}, overlay)
    text = RECONSTRUCTED_ON_PAGE if page else RECONSTRUCTED
    parts = listed([_PARTS.get(what, what) for what in provenance])
    return (*sources({}, overlay), text.format(parts=parts))


def sources(provenance: Mapping[str, str], overlay: str) -> tuple[str, ...]:
    """Lines about a group's overlay, and about how each reconstructed part was made."""
    own = (f"With your group's own facts: {overlay}",) if overlay else ()
    return (
        *own,
        *(
            HOW_RECONSTRUCTED.format(
                part=_PARTS.get(what, what), why=f"{note[:1].upper()}{note[1:]}"
            )
            for what, note in provenance.items()
        ),
    )


def reconstructed(scene: Scene, which: Callable[[str], bool]) -> str:
    """A picture's note on which of these parts are reconstructed; "" if none is."""
    parts = [_PARTS.get(what, what) for what in scene.view.provenance if which(what)]
    return f"reconstructed: {listed(parts)}" if parts else ""


#: the parts of a title's facts, in the words of players
_PARTS = {
    "market": "stock chart",
    "hex": "map",
    "hex.cost": "costs on the map",
    "tile": "special tiles",
}


def startable(scene: Scene) -> Pairs | None:
    """The companies that nobody has started, in the first stock round; None at other times."""
    top = scene.state.stack[-1] if scene.state.stack else None
    if scene.state.round.number > 1 or not isinstance(top, StockTurn):
        return None
    facts = {one.id: one for one in scene.title.facts.company}
    rows, more = [], scene.title.facts.stock.par_tokens
    extra = f", more at a par value of {listed(more)}" if more else ""
    for company in scene.view.companies:
        if not (company.par or company.merger or company.gone):
            one = facts[company.id]
            text = f"{one.name}, home {scene.table.place(one.home)}"
            rows.append(Row(company.id, (f"{text}, {counted(one.tokens, 'token')}{extra}",)))
    return Pairs("COMPANIES NOT STARTED YET", tuple(rows)) if rows else None


def tables(scene: Scene) -> tuple[Block, ...]:
    """Companies, players, what comes next, and open private companies."""
    last = privates(scene)
    blocks: list[Block] = [companies(scene)] if started(scene) else []
    blocks += [one for one in (startable(scene),) if one]
    blocks += [players(scene), coming(scene)]
    return (*blocks, last) if last else tuple(blocks)
