"""The book of a finished game: its end, best runs, opened orders and diaries, and log."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine import Title
from engine.events import TrainBought, TrainsRan
from engine.wording import counted, one
from service.games import games, seals
from service.publish.pages import Around, Pictures, common, fill
from service.publish.sheet import GameSheet
from service.reports.news import worths
from service.reports.tables import Column, Grid
from service.store import ActionRow, Jotting, OrderRow


@dataclass(frozen=True)
class BookRun:
    """A company's earnings in a run at position ``number``, and the ends of each train's route."""

    company: str
    revenue: int
    number: int
    trains: str


@dataclass(frozen=True)
class Honours:
    """The records of a game: the best run of each company, and lines on other feats."""

    best: tuple[BookRun, ...]
    feats: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class BookParts:
    """The parts of a book that a game's page lacks."""

    began: int
    acts: int
    honours: Honours
    orders: tuple[OrderRow, ...]
    diaries: tuple[Jotting, ...]
    log: str


def book_of(sheet: GameSheet, rows: Sequence[ActionRow], log: str) -> BookParts:
    """The book of a finished game; only after the end are orders and diaries open."""
    if not sheet.ended:
        raise ValueError(f"{sheet.name} is not over: its orders and diaries stay sealed")
    kept = seals.kept(sheet.table, "", over=True)
    return BookParts(
        began=rows[0].at,
        acts=sum(bool(row.seat) for row in rows),
        honours=honours(sheet.table.title, rows),
        orders=tuple(sorted(kept.opened, key=lambda row: (row.given, row.seat, row.number))),
        diaries=kept.diaries,
        log=log,
    )


def honours(title: Title, rows: Sequence[ActionRow]) -> Honours:
    """The records of a game."""
    ran = list(_runs(rows))
    best: dict[str, BookRun] = {}
    for run in ran:
        if run.company not in best or run.revenue > best[run.company].revenue:
            best[run.company] = run
    ranked = sorted(best.values(), key=lambda run: (-run.revenue, run.company))
    return Honours(tuple(ranked), tuple(_feats(title, rows, ranked)))


def _runs(rows: Sequence[ActionRow]) -> Iterator[BookRun]:
    for row in rows:
        for event in games.events(row):
            if isinstance(event, TrainsRan) and event.revenue:
                ends = (f"{run.train} {run.path[0]}–{run.path[-1]}" for run in event.runs)
                yield BookRun(event.company, event.revenue, row.number, ", ".join(ends))


def _feats(
    title: Title, rows: Sequence[ActionRow], ranked: Sequence[BookRun]
) -> Iterator[tuple[str, str]]:
    if ranked:
        first = ranked[0]
        yield "Richest run", f"{first.company} for ${first.revenue}, #{first.number}"
    happened = [(row.number, event) for row in rows for event in games.events(row)]
    trains = [
        (len(run.path), number, event.company, run)
        for number, event in happened
        if isinstance(event, TrainsRan)
        for run in event.runs
    ]
    if trains:
        hexes, number, company, run = max(trains, key=lambda found: (found[0], -found[1]))
        ends = f"{title.place(run.path[0])} to {title.place(run.path[-1])}"
        yield (
            "Longest run",
            f"{one(run.train)} train of {company} over {hexes} hexes, {ends}, #{number}",
        )
    bought = [(e.price, n, e) for n, e in happened if isinstance(e, TrainBought)]
    if bought:
        price, number, event = max(bought, key=lambda found: (found[0], -found[1]))
        aid = f", ${event.aid} of it from its president" if event.aid else ""
        train = f"{one(event.train)} train for {event.company}"
        yield "Most expensive train", f"{train}, ${price}{aid}, #{number}"


def best_runs(book: BookParts) -> Grid:
    """The best run of each company that has ever earned money."""
    columns = (Column("Company"), Column("Run", True), Column("At"), Column("Trains, from–to"))
    rows = tuple((r.company, f"${r.revenue}", f"#{r.number}", r.trains) for r in book.honours.best)
    return Grid("", columns, rows)


def book_page(
    sheet: GameSheet, book: BookParts, pictures: Pictures, around: Around, paper: bool = False
) -> str:
    """The book as HTML: a page of the site, or the source of a PDF (``paper``)."""
    found = {
        **common(sheet, around, pictures),
        "style": "",
        "paper": paper,
        "canonical": f"{sheet.place.address}book.html" if sheet.place.address else "",
        "ranking": worths(sheet.scene),
        "began": book.began,
        "moves": counted(book.acts, "move"),
        "honours": book.honours.feats,
        "best": best_runs(book),
        "orders": book.orders,
        "diaries": book.diaries,
        "log": book.log,
    }
    return fill("book.html.j2", around.templates, found)
