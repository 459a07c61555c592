"""Answers to queries, as words and pictures of a position.

The caller checks who may see them.
"""

from collections.abc import Iterable, Sequence
from itertools import islice

from engine import Seat
from engine.actions import LaidTile
from engine.board.hexes import Hex
from engine.facts.facts import TrainKind
from engine.inquiry import float_percent
from engine.notation import uses
from engine.telling.view import CompanyView
from engine.wording import counted, halves
from service.reports import position
from service.reports.advice import legal
from service.reports.decisions import whose_turn
from service.reports.figures import map_figure, market_figure, tiles_figure
from service.reports.lays import EVERY, lays_on, price, prices
from service.reports.scene import Answer, Figure, Narrated, Said, Scene, in_rows
from service.reports.tables import Block, Column, Grid, Lines, Pairs, Row, Verbatim, block_text

#: the tiles in a row, and the most of them
_IN_A_ROW = 6
_DRAWN = 24
#: the most octets of `history` in one letter
_HISTORY = 4_500


HOW_TO_USE_IT = "HOW TO USE IT, for example"


def status(scene: Scene, name: str = "") -> Answer:
    """The whole position, or one company, private company or player, by the engine's name."""
    if name in scene.companies:
        return Answer((_company(scene, name),))
    if name in scene.players:
        return Answer((_player(scene, name),))
    if name in scene.title.privates:
        grid = position.privates(scene)
        rows = tuple(row for row in grid.rows if row[0] == name) if grid else ()
        if grid is None or not rows:
            return _sorry(f"{name} is closed.")
        table = Grid(scene.title.privates[name].name, grid.columns, rows)
        used = tuple(Row(f"`{one.example}`", (one.meaning,)) for one in uses(scene.title, name))
        return Answer((table, Pairs(HOW_TO_USE_IT, used)) if used else (table,))
    if name:
        return _sorry(f"Nobody here is called {name}. `status` alone shows everything.")
    how = Lines("", position.sources(scene.view.provenance, ""))
    return Answer((_whose(scene), *position.tables(scene), *((how,) if how.lines else ())))


def _sorry(text: str) -> Answer:
    return Answer((Lines("", (text,)),))


def _whose(scene: Scene) -> Lines:
    """The players who must decide, and their decisions."""
    where = f"{position.mark(scene)}. " if scene.view.to_act else ""
    return Lines("", (f"{where}{whose_turn(scene)}",))


def _company(scene: Scene, name: str) -> Pairs:
    company = scene.companies[name]
    owners = [f"{p.seat} {p.shares[name]}%" for p in scene.view.players if name in p.shares]
    own = (("IPO", company.offering), ("treasury", company.treasury))
    places = (*own[: 1 + (scene.title.facts.stock.treasuries)],)
    owners += [f"{place} {there}%" for place, there in (*places, ("open market", company.market))]
    stations = [scene.table.place(hex_) for hex_ in company.stations]
    facts = scene.title.companies[name]
    homes = " or ".join(map(scene.table.place, facts.homes or (facts.home,))) if facts.home else ""
    home = [f"none on the map (home {homes})"] if homes else []
    rows = [
        Row("president", (company.president or _absent(company),)),
        Row(
            "price",
            (f"{scene.money(company.price)} (par {scene.money(company.par)})",)
            if company.par
            else (),
        ),
        Row("cash", (f"{scene.money(company.cash)}" if company.floated else "not floated",)),
        Row("floats", _floats(scene, company)),
        Row("trains", (" ".join(company.trains) or "none",)),
        Row("shares", tuple(owners)),
        Row("tokens", (*(stations or home), f"{company.tokens_left} left")),
        Row("owns", (*company.privates, *company.marks, *_placed(scene, company))),
        Row("owes", _debts(company)),
        Row("latest run", (f"{scene.money(company.earned)}",) if company.turns else ()),
    ]
    shown = tuple(row for row in rows if row.items)
    return Pairs(f"{name}   {company.name}", shown)


FLOATS = "when {needed}% has left the IPO: {missing}% more"


def _floats(scene: Scene, company: CompanyView) -> tuple[str, ...]:
    """The conditions that a company lacks to float; () if it has floated or forms otherwise."""
    if company.floated or company.merger or company.gone:
        return ()
    needed = float_percent(scene.table, company.id)
    missing = max(needed - (100 - company.offering), 0)
    return (FLOATS.format(needed=needed, missing=missing),)


def _absent(company: CompanyView) -> str:
    """The reason why a company has no president."""
    if company.receiver:
        return f"none, in receivership: {company.receiver} runs it"
    if company.gone:
        return "none, it has left the game"
    return "none, it forms by a merger" if company.merger else "none, not started"


def _placed(scene: Scene, company: CompanyView) -> Iterable[str]:
    """A company's markers on the map, and the ferries with its token."""
    yield from (f"{kind} on {scene.table.place(hex_)}" for kind, hex_ in company.placed)
    for ferry in scene.view.ferries:
        if ferry.owner == company.id:
            yield f"ferry {ferry.name}"


def _debts(company: CompanyView) -> tuple[str, ...]:
    """A company's loans, its bonds of other owners, and bonds that it could issue."""
    found = [counted(company.loans, "loan")] if company.loans else []
    found += [f"{counted(company.bonds_out, 'bond')} that others hold"] * bool(company.bonds_out)
    found += [f"({counted(company.bonds, 'bond')} in its treasury)"] * bool(company.bonds)
    return tuple(found)


def _player(scene: Scene, name: Seat) -> Pairs:
    player = scene.players[name]
    shares = [f"{percent}% {company}" for company, percent in player.shares.items()]
    presides = [c.id for c in scene.view.companies if c.president == name]
    always = scene.title.facts.operating.best_run == "always"
    insists = "on best runs" if player.insists else "no, presidents may run as they like"
    rows = [
        Row(
            "cash",
            (
                f"{scene.money(player.cash)}",
                *((f"{scene.money(player.bid)} in bids",) if player.bid else ()),
            ),
        ),
        Row("shares", tuple(shares)),
        Row("presides", tuple(presides)),
        Row("privates", player.privates),
        Row("bonds", (str(player.bonds),) if player.bonds else ()),
        Row("certificates", (f"{halves(player.certificates)} of {player.limit}",)),
        Row("worth now", (f"{scene.money(player.worth)}",)),
        Row("insists", () if always else (insists,)),
    ]
    lead = f"{name}   has the priority deal" if player.priority else name
    lead += "   is bankrupt and out of the game" * player.out
    return Pairs(lead, tuple(row for row in rows if row.items))


NOTHING_BUILT = "Nothing has been built yet."


def map_(scene: Scene) -> Answer:
    """The map as a picture, and the tiles and tokens on it in words."""
    rows = []
    for hex_ in scene.view.map.hexes:
        parts = []
        if hex_.hex in scene.state.tiles:
            tile, rotation = scene.state.tiles[hex_.hex]
            parts.append(f"tile {hex_.tile} {position.way(scene.title, tile, rotation)}")
        held = [c for stop in hex_.stops for c in stop.stations if c]
        if held:
            parts.append(f"tokens {' '.join(held)}")
        parts += [f"{kind} {company}" for kind, company in hex_.marks]
        if parts:
            worth = "/".join(str(stop.revenue) for stop in hex_.stops)
            rows.append(Row(f"{hex_.hex} {hex_.name}".strip(), (*parts, *([worth] * bool(worth)))))
    heading = f"MAP   {position.mark(scene)}"
    block: Block = Pairs(heading, tuple(rows))
    if not rows:
        block = Lines(heading, (NOTHING_BUILT,))
    return Answer((block,), (map_figure(scene),))


def market(scene: Scene) -> Answer:
    """The stock chart as a picture and in numbers, with companies below their prices."""
    rows = scene.view.chart.rows
    lines = ["".join(f"{s.price or '':>4}" for s in row).rstrip() for row in rows]
    places = [
        f"{company} {scene.money(space.price)} (row {number} from the top)"
        for number, row in enumerate(rows, 1)
        for space in row
        for company in space.companies
    ]
    blocks: list[Block] = [Verbatim(f"STOCK CHART   {position.mark(scene)}", tuple(lines))]
    if places:
        blocks.append(Pairs("", (Row("now", tuple(places)),)))
    return Answer(tuple(blocks), (market_figure(scene),))


NOT_YOUR_TURN = "It is not your turn."


def options(scene: Scene, seat: Seat) -> Answer:
    """All legal moves of the player; the letter around it names whose turn it is."""
    if seat not in scene.view.to_act:
        return _sorry(NOT_YOUR_TURN)
    return Answer((legal(scene, seat, EVERY),))


def tiles(scene: Scene, hex_: Hex, company: str = "") -> Answer:
    """The tiles that a company could lay on a hex, with ways, cost and pictures.

    Without a company it is the operating one. For another company the answer supposes its turn now.
    """
    company = company or scene.view.company
    if not company:
        return _sorry(f"No company operates now: write `tiles {hex_} for` and a company.")
    if hex_ not in scene.title.hexes:
        return _sorry(f"There is no hex {hex_} on the map.")
    if company not in scene.state.pars:
        return _sorry(f"{company} has not been started.")
    place = scene.table.place(hex_)
    lays = list(lays_on(scene, hex_, company))
    if not lays:
        return _sorry(f"{company} can lay nothing on {place} now.")
    by_tile: dict[str, dict[str, int]] = {}
    for lay, cost in lays:
        ways = by_tile.setdefault(lay.tile, {})
        ways[position.way(scene.title, lay.tile, lay.rotation)] = cost
    costs = {cost for ways in by_tile.values() for cost in ways.values()}
    rows = []
    for tile, ways in by_tile.items():
        told = (f"{way} {price(cost)}" if len(costs) > 1 else way for way, cost in ways.items())
        rows.append(Row(f"tile {tile}", (*told, f"({_left(scene, tile)})")))
    tile, ways = next(iter(by_tile.items()))
    how = f"lay {tile} {hex_} {next(iter(ways))}"
    block = Pairs(f"TILES FOR {company} ON {place}, {prices(costs)}", tuple(rows))
    note = Lines("", (f"As in `{how.removesuffix(' any way')}`.",))
    return Answer((block, note), tuple(_drawn(scene, hex_, [lay for lay, _ in lays])))


def _left(scene: Scene, tile: str) -> str:
    """The number of copies of a tile that are left."""
    if tile in scene.title.endless:
        return "any number left"
    return f"{scene.table.tiles_left(tile)} left"


def tiles_left(scene: Scene) -> Answer:
    """The number of copies of each tile that are left, by color."""
    rows = []
    for colour, tiles_ in scene.title.facts.supply.items():
        left = ((tile, scene.table.tiles_left(tile)) for tile in tiles_)
        items = [f"{t} any" if t in scene.title.endless else f"{t} x{n}" for t, n in left if n]
        rows.append(Row(colour, (", ".join(items) or "none",)))
    return Answer((Pairs("TILES LEFT", tuple(rows)),))


def _drawn(scene: Scene, hex_: Hex, lays: Sequence[LaidTile]) -> Iterable[Figure]:
    shown = [
        (lay.tile, lay.rotation, f"{lay.tile} {position.way(scene.title, lay.tile, lay.rotation)}")
        for lay in islice(lays, _DRAWN)
    ]
    for start in range(0, len(shown), _IN_A_ROW):
        row = shown[start : start + _IN_A_ROW]
        yield tiles_figure(scene, hex_, row, start // _IN_A_ROW + 1)


EARLIER = "{count} earlier, ask with `history from {number}`"
MORE = "{count} more: send `history from {number}`"
ORDER_SEALED = "an order was given, seal {seal}…"


def history(
    told: Sequence[Narrated],
    said: Sequence[Said],
    latest: bool = True,
    sealed: Sequence[tuple[int, str]] = (),
    voted: Sequence[tuple[int, str]] = (),
) -> Answer:
    """The actions and messages in order, as many as a letter holds.

    ``sealed`` has the seals of advance orders by the number of the position, ``voted`` the results
    of votes. ``latest`` shows the latest part, otherwise the earliest. The answer says how to read
    on.
    """
    rows: list[tuple[int, int, Row]] = []
    for act in told:
        for label, items in in_rows(act.rows()):
            rows.append((act.number, 0, Row(f"#{act.number} {label}".strip(), items)))
    for one in said:
        rows.append((one.number, 1, Row(f"{one.seat} says", (one.text,))))
    for number, seal in sealed:
        rows.append((number, 2, Row(f"#{number}", (ORDER_SEALED.format(seal=seal[:16]),))))
    for number, result in voted:
        rows.append((number, 3, Row(f"#{number}", (result,))))
    if not rows:
        return _sorry("Nothing has happened yet.")
    rows.sort(key=lambda entry: entry[:2])
    kept, room = 0, _HISTORY
    for _, _, row in reversed(rows) if latest else rows:
        room -= len(block_text(Pairs("", (row,), "; ")).encode()) + 1
        if room < 0 and kept:
            break
        kept += 1
    left = len(rows) - kept
    if not left:
        return Answer((Pairs("HISTORY", tuple(row for _, _, row in rows), "; "),))
    if latest:
        more = Row("…", (EARLIER.format(count=left, number=rows[0][0]),))
        shown = [more, *(row for _, _, row in rows[left:])]
    else:
        more = Row("…", (MORE.format(count=left, number=rows[kept][0]),))
        shown = [*(row for _, _, row in rows[:kept]), more]
    return Answer((Pairs("HISTORY", tuple(shown), "; "),))


def log(every: Sequence[tuple[int, str]], *, latest: bool) -> Answer:
    """Commands with the numbers of their positions, as many as a letter holds."""
    lines = [f"#{number} {text}" for number, text in every]
    kept, room = 0, _HISTORY
    for line in reversed(lines) if latest else lines:
        room -= len(line.encode()) + 1
        if room < 0:
            break
        kept += 1
    if not lines:
        return _sorry("Nothing has been done yet.")
    left = len(lines) - kept
    shown = (lines[left:] if latest else lines[:kept]) if left else lines
    if left and latest:
        shown = [f"… {left} earlier, ask with `log from {every[0][0]}`", *shown]
    elif left:
        shown = [*shown, f"… {left} more: send `log from {every[kept][0]}`"]
    return Answer((Lines("LOG", tuple(shown)),))


def trains(scene: Scene) -> Answer:
    """The types of trains, when each rusts, and their owners."""
    facts = scene.title.facts
    left = {train.type: train.left for train in scene.view.trains}
    rows = []
    for kind in facts.train:
        if kind.extends and not _owned(scene, kind.type):
            continue
        count = left.get(kind.type, 0)
        end = (
            f"gone with {position.trigger(scene.title, kind.removed_on)}" if kind.removed_on else ""
        )
        if kind.obsolete_on:
            end = f"runs once more after {position.trigger(scene.title, kind.obsolete_on)}"
        rows.append(
            (
                kind.type,
                f"{scene.money(kind.price)}",
                "any" if count < 0 else str(count),
                _reach(scene, kind),
                end,
            )
        )
    counts = {kind.counts for kind in facts.train}
    columns = (
        Column("TRAIN"),
        Column("price", True),
        Column("left", True),
        Column("reach" if counts != {"stops"} else "stops", True),
        Column("what becomes of it", name=True),
    )
    owned = [f"{c.id} {' '.join(c.trains)}" for c in scene.view.companies if c.trains]
    if scene.view.market_trains:
        owned.append(f"open market {' '.join(scene.view.market_trains)}")
    who = Pairs("", (Row("owned", tuple(owned) or ("none",)),))
    return Answer((Grid("TRAINS", columns, tuple(rows)), who))


def _owned(scene: Scene, train: str) -> bool:
    """Whether a company has a train of this type."""
    return any(train in company.trains for company in scene.view.companies)


def _reach(scene: Scene, kind: TrainKind) -> str:
    """The reach of a type of train now, with the unit if types differ."""
    reach = scene.table.reach_of(kind.type)
    if kind.counts == "nothing":
        return "no end"
    return str(reach) if kind.counts == "stops" else f"{reach} {kind.counts}"
