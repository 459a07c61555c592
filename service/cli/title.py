"""The commands of `waybill title`: show a title's facts, check them, and draw them."""

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

import engine
from engine.facts.facts import Facts
from engine.facts.title import variant_parts
from service.cli.options import CANNOT_BE_WRITTEN, TitleArgument, VariantsOption, fail, out
from service.said import OWN_FACTS, RECONSTRUCTED_PART

OverlayOption = Annotated[
    Path | None, typer.Option("--overlay", help="A TOML file with your own facts (docs/titles.md).")
]
title = typer.Typer(no_args_is_help=True)
_WIDTH = 1600

ALL_IS_WELL = "{title}: all is well."


def _load(name: str, variants: list[str] | None, overlay: Path | None) -> engine.Title:
    """Load the title, or end the program: 2 if it does not exist, 1 if it is wrong."""
    try:
        text = overlay.read_text(encoding="utf-8") if overlay else None
    except (OSError, UnicodeDecodeError) as error:
        fail(f"{overlay} cannot be read: {error}", 2)
    try:
        return engine.load_title(name.upper(), frozenset(variants or ()), text)
    except LookupError as error:
        fail(str(error.args[0]), 2)
    except ValueError as error:
        fail(f"{overlay or name.upper()} is wrong:\n{error}")


@title.command()
def check(
    name: TitleArgument, overlay: OverlayOption = None, variants: VariantsOption = None
) -> None:
    """Check that the facts of a title agree with each other. The exit code is 1 if not.

    Example:  waybill title check 18AL --overlay our-printing.toml
    """
    found = _load(name, variants, overlay)
    findings = engine.check(found)
    for finding in findings:
        out.print(finding)
    if findings:
        raise typer.Exit(1)
    own = f" with {found.overlay}" if found.overlay else ""
    out.print(ALL_IS_WELL.format(title=f"{found.name}{own}"))
    for part, note in found.facts.provenance.items():
        out.print(RECONSTRUCTED_PART.format(part=part, note=note))


@title.command()
def draw(
    name: TitleArgument,
    to: Annotated[Path, typer.Option("--to", "-o", help="The folder to write.")],
    overlay: OverlayOption = None,
    variants: VariantsOption = None,
) -> None:
    """Draw map, stock chart and all tiles of a title, each as SVG and PNG.

    Example:  waybill title draw 18AL -o pictures
    """
    from service.drawing import png
    from service.games.pictures import title_pictures

    found = _load(name, variants, overlay)
    try:
        pictures = title_pictures(found)
    except (LookupError, ValueError) as error:
        findings = "\n".join(engine.check(found)) or str(error)
        fail(f"{found.name} cannot be drawn:\n{findings}")
    try:
        to.mkdir(parents=True, exist_ok=True)
        for kind, svg in pictures.items():
            (to / f"{kind}.svg").write_text(svg, encoding="utf-8")
            (to / f"{kind}.png").write_bytes(png(svg, _WIDTH))
            out.print(f"{to / kind}.svg, {to / kind}.png")
    except OSError as error:
        fail(CANNOT_BE_WRITTEN.format(place=to, why=error))


@title.command()
def show(
    name: TitleArgument, overlay: OverlayOption = None, variants: VariantsOption = None
) -> None:
    """Print the facts of a title as tables.

    Example:  waybill title show 18AL
    """
    found = _load(name, variants, overlay)
    facts = found.facts
    out.print(f"{facts.name}, {facts.subtitle}; rules {facts.rulebook}")
    if found.overlay:
        out.print(OWN_FACTS.format(overlay=found.overlay))
    for part, note in facts.provenance.items():
        out.print(RECONSTRUCTED_PART.format(part=part, note=note))
    for table in (_players(facts), _trains(facts), _phases(facts), _privates(facts)):
        out.print(table)
    out.print(_companies(facts))
    out.print(_options(found))


def _table(heading: str, *columns: str) -> Table:
    return Table(*columns, title=heading, title_justify="left")


def _add(table: Table, *cells: str) -> None:
    # as Text, because facts may have the square brackets of rich's markup
    table.add_row(*map(Text, cells))


def _players(facts: Facts) -> Table:
    table = _table(f"Players; the bank has ${facts.bank}", "players", "cash", "certificates")
    for number, seats in sorted(facts.players.items()):
        _add(table, number, f"${seats.cash}", str(seats.certificates))
    return table


def _trains(facts: Facts) -> Table:
    table = _table("Trains", "train", "price", "number", "reach", "removed on", "last run on")
    for train in facts.train:
        count = str(train.count or "any")
        ends = (train.removed_on, train.obsolete_on)
        _add(table, train.type, f"${train.price}", count, str(train.reach), *ends)
    return table


def _phases(facts: Facts) -> Table:
    table = _table("Phases", "phase", "tiles", "train limit", "operating rounds", "events")
    for phase in facts.phase:
        events = ", ".join(phase.events)
        limits = (str(phase.train_limit), str(phase.rounds))
        _add(table, phase.id, ", ".join(phase.tiles), *limits, events)
    return table


def _privates(facts: Facts) -> Table:
    table = _table("Private companies", "id", "name", "par", "revenue")
    for private in facts.private:
        ids = ", ".join((private.id, *private.also))
        _add(table, ids, private.name, f"${private.par}", f"${private.revenue}")
    return table


def _companies(facts: Facts) -> Table:
    table = _table("Companies", "id", "name", "home", "objective", "stations")
    for company in facts.company:
        ids = ", ".join((company.id, *company.also))
        places = (_place(facts, company.home), _place(facts, company.objective))
        _add(table, ids, company.name, *places, str(company.tokens))
    return table


def _place(facts: Facts, hex_: str) -> str:
    name = facts.hex[hex_].name if hex_ in facts.hex else ""
    return f"{name} ({hex_})" if name else hex_


def _options(found: engine.Title) -> Table:
    table = _table("Optional rules", "id", "rule", "what it does", "chosen")
    for id_, variant in found.facts.variants.items():
        # a numbered rule is "price-end-N" in the facts; the number is its parameter
        numbered = (v for v in sorted(found.variants) if f"{variant_parts(v)[0]}N" == id_)
        chosen = "yes" if id_ in found.variants else ", ".join(numbered)
        _add(table, id_, variant.rule, variant.summary, chosen)
    return table
