"""The answer to `routes`: runs as sums that a player can check, and as a picture."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from zlib import crc32

from engine.actions import TrainRun
from engine.inquiry import (
    best_of_turn,
    earned,
    ferry_users,
    is_over,
    most_fares,
    poorest,
    train_limit,
)
from engine.notation.position import cities
from engine.runs.best.allowance import short
from engine.runs.best.search import best_run
from engine.runs.explaining import RunSum, sums
from engine.supposing import Piece, SupposedPosition, Supposition, suppose
from engine.wording import counted
from service.mail.identity import slug
from service.reports import position
from service.reports.figures import routes_figure
from service.reports.prospects import idlers, per_share, prospect
from service.reports.scene import Answer, Figure, Scene
from service.reports.sums import sum_rows
from service.reports.tables import FIRM, Block, Either, Lines, Pairs, Row, Verbatim, folded

WIDTH = 72
"""The columns of a sum in plain text."""


#: what the text calls runs: proved, found, or found before the search was stopped
BEST = "best run"
BEST_FOUND = "best run found"
BEST_SO_FAR = "best run so far, the search was stopped"


@dataclass(frozen=True, slots=True)
class Runs:
    """Runs of a company with their earnings; ``idle`` is a train that must earn nothing.

    ``stopped`` says that the search ran out of steps.
    """

    company: str
    runs: tuple[TrainRun, ...]
    total: int
    proved: bool
    idle: str = ""
    stopped: bool = False

    @property
    def known_as(self) -> str:
        """The name that the text may give the runs: whether they are proved best."""
        if self.proved:
            return BEST
        return BEST_SO_FAR if self.stopped else BEST_FOUND


def best(scene: Scene, company: str, fares: int = 0) -> Runs:
    """A company's best run on the present map, if it pays for so many ferries of others."""
    idle, found = best_of_turn(scene.table, company)
    if fares:
        found = best_run(scene.table, company, fares=fares)
    total = earned(scene.table, company, found.runs)
    return Runs(company, found.runs, total, found.proved, idle, short() and not found.proved)


def routes(scene: Scene, company: str = "") -> Answer:
    """A company's best run on the present map; by default the operating company's."""
    company = company or scene.view.company
    if company not in scene.companies:
        return _sorry(_which(scene))
    why = _why_none(scene, company)
    if why:
        return _sorry(why)
    found = best(scene, company)
    if not found.runs:
        return _sorry(f"{company} has no route for its trains.")
    blocks = (*sum_blocks(scene, found), *_dearer(scene, found), *_ran(scene, company))
    return Answer(blocks, (figure(scene, found),))


def supposed(scene: Scene, company: str, plan: Supposition, text: str) -> Answer:
    """A company's earnings with other trains, tiles and tokens.

    ``text`` is the plan as written. Raises Illegal for a piece that does not fit, and TooManyWays;
    see `engine.supposing`.
    """
    company = company or scene.view.company
    if company not in scene.companies:
        return _sorry(_which(scene, f" with {text}"))
    if company in scene.state.gone:
        return _sorry(f"{company} has left the game.")
    outcome = suppose(scene.title, scene.state, company, plan)
    there = scene.later(outcome.state)
    found = best(there, company)
    block = _supposed(scene, company, plan, outcome)
    if not found.runs:
        trains = outcome.state.trains.get(company)
        why = "it has no route for its trains" if trains else "it has no train"
        if not there.table.stations_of(company):
            why = "it has no token"
        return Answer((block, Lines("", (f"{company} would earn nothing: {why}.",))))
    tiles = frozenset(piece.hex for piece in outcome.pieces if piece.tile)
    drawn = figure(there, found, tiles, f"-{crc32(text.encode()):08x}")
    return Answer((block, *sum_blocks(there, found), *_dearer(there, found)), (drawn,))


def _which(scene: Scene, plan: str = "") -> str:
    """A question for the company, with the command for each, if none operates."""
    names = [name for name in scene.companies if name not in scene.state.gone]
    return f"Which company? {', '.join(f'`routes {name}{plan}`' for name in names)}"


def _sorry(text: str) -> Answer:
    return Answer((Lines("", (text,)),))


def _why_none(scene: Scene, company: str) -> str:
    """The reason why a company cannot run, with possible queries; "" if it can."""
    if company in scene.state.gone:
        return f"{company} has left the game."
    if scene.state.trains.get(company):
        return ""
    offered = scene.table.next_train()
    train = offered.type if offered else next(iter(scene.title.trains))
    ask = f"`routes {company} with {train}` shows what one would earn"
    return f"{company} has no train; {ask}."


def figure(
    scene: Scene, found: Runs, tiles: frozenset[str] = frozenset(), mark: str = ""
) -> Figure:
    """The picture of runs; tiles that are only supposed have a frame."""
    return routes_figure(
        scene, found.company, found.runs, tiles, f"routes-{slug(found.company)}{mark}"
    )


FOUND = "{company}, {known_as}: {total}"


def sum_blocks(scene: Scene, found: Runs, heading: str = "") -> tuple[Block, ...]:
    """Runs as sums under a heading; by default that of a best run."""
    total = scene.money(found.total)
    heading = heading or FOUND.format(company=found.company, known_as=found.known_as, total=total)
    each = sums(scene.table, found.company, found.runs)
    notes = " ".join((*_rest(scene, found, each), *_share(scene, found)))
    return (_narrow(Pairs(heading, sum_rows(scene, each)), notes),)


def _narrow(block: Pairs, notes: str = "") -> Either:
    """Rows and a paragraph; plain text of `WIDTH` columns breaks between the parts of a sum."""
    room = max((len(row.label) for row in block.rows), default=0)
    lines: list[str] = []
    for row in block.rows:
        first = f"{row.label:<{room}}  "
        for item in row.items if row.stacked else [", ".join(row.items)]:
            lines += folded(item, first, " " * (room + 4), WIDTH - 2)
            first = " " * len(first)
    lines += ["", *folded(notes, width=WIDTH - 2)] if notes else []
    text = Verbatim(block.heading, tuple(line.replace(FIRM, " ") for line in lines))
    return Either(text, (block, Lines("", (notes,))) if notes else (block,))


NOT_RUNNING = "Not running: {trains}."
NO_ROUTE_LEFT = "No route is left for: {trains}."


def _rest(scene: Scene, found: Runs, each: Sequence[RunSum]) -> Iterator[str]:
    """Trains without earnings, a poorest run that does not count, and ferries that cost money."""
    lost = poorest(scene.table, found.company, found.runs)
    if lost:
        yield (
            f"The {lost.train} train for {scene.money(lost.total)} "
            "is idle in this turn and earns nothing."
        )
    if len(each) > 1 and not lost:
        yield f"{' + '.join(str(one.total) for one in each)} = {scene.money(found.total)}."
    home = idlers(scene, found.company, [run.train for run in found.runs])
    if found.idle and found.idle in home:
        home.remove(found.idle)
        yield f"A {found.idle} train must be idle in this turn."
    if home:
        text = NO_ROUTE_LEFT if found.proved else NOT_RUNNING
        yield text.format(trains=" ".join(home))
    paid = Counter(owner for _, owner in ferry_users(scene.table, found.company, found.runs))
    for owner, trains in paid.items():
        fee = trains * scene.title.facts.ferry_fee
        yield f"{found.company} pays {scene.money(fee)} to {_payee(scene, owner)} for the ferry."


def _payee(scene: Scene, owner: str) -> str:
    return owner if owner in scene.companies else "the bank"


def _share(scene: Scene, found: Runs) -> Iterator[str]:
    share = scene.table.share(found.company)
    yield f"${per_share(found.total, share)} a share if it is paid."


def _dearer(scene: Scene, found: Runs) -> Iterator[Block]:
    """Runs that earn more although the company pays for ferries of others."""
    company, fee = found.company, scene.title.facts.ferry_fee
    most = found.total
    for fares in range(1, most_fares(scene.table, company) + 1):
        paid = best(scene, company, fares)
        if paid.total > most:
            most = paid.total
            doubt = "" if paid.proved else f", {paid.known_as}"
            fare = f"{counted(fares, 'fare')} of {scene.money(fee)} by ferry"
            heading = f"{company} with {fare}{doubt}: {scene.money(most)}"
            yield from sum_blocks(scene, paid, heading)


def _ran(scene: Scene, company: str) -> Iterator[Block]:
    """The company's earnings so far in this turn."""
    outlook = prospect(scene) if company == scene.view.company else None
    if outlook is not None and outlook.ran:
        yield Lines(
            "", (f"In this turn {company} has run for {scene.money(outlook.total)} already.",)
        )


SUPPOSED = "SUPPOSED (nothing was done)"


def _supposed(scene: Scene, company: str, plan: Supposition, outcome: SupposedPosition) -> Either:
    """The supposed changes with their cost, and the company's earnings without them."""
    trains = " ".join(outcome.state.trains.get(company, ())) or "none"
    own = " ".join(scene.state.trains.get(company, ())) or "none"
    rows = [Row("trains", (trains if plan.trains is None else f"{trains} (now {own})",))]
    there = scene.later(outcome.state).table
    if is_over(there, company):
        limit = train_limit(there, company)
        rows.append(Row("limit", (f"{counted(limit, 'train')} at most may be kept in this phase",)))
    rows += [_piece_row(scene.later(outcome.state), piece) for piece in outcome.pieces]
    if outcome.ways > 1:
        sure = "the best" if outcome.proved else "the best so far" if short() else "the best found"
        rows.append(Row("chosen", (f"{sure} of {outcome.ways} ways",)))
    now = best(scene, company)
    rows.append(Row("as it is", (f"{'' if now.proved else 'at least '}{scene.money(now.total)}",)))
    rows.append(Row("phase", (_phase(scene, plan),)))
    return _narrow(Pairs(SUPPOSED, tuple(rows)))


def _piece_row(there: Scene, piece: Piece) -> Row:
    place = there.table.place(piece.hex)
    price = (
        []
        if piece.cost is None or piece.home
        else [there.money(piece.cost) if piece.cost else "free"]
    )
    doubt = [piece.doubt] if piece.doubt else []
    if piece.tile:
        way = position.way(there.title, piece.tile, piece.way)
        return Row("lay", (f"{piece.tile} {place} {way}", *price, *doubt))
    every = cities(there.table, piece.hex)
    if len(every) > 1:
        place += f" city {every.index(piece.way) + 1}"
    return Row("home" if piece.home else "token", (place, *price, *doubt))


def _phase(scene: Scene, plan: Supposition) -> str:
    """The phase that the earnings are for; and a note, if a train would start another."""
    phases = scene.title.phases
    order = scene.title.phase_order
    later = order[order.index(scene.state.phase) + 1 :]
    begun = [p for p in later if phases[p].on in (plan.trains or ())]
    if not begun:
        return scene.state.phase
    train = phases[begun[-1]].on
    return f"as now, {scene.state.phase}; what the first {train} would change is left out"
