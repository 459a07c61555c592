"""The command `bench handovers`: counts how often games wait for another person."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from service.cli.options import JsonOption, PeersOption, beside, err, out, progress

if TYPE_CHECKING:
    from service.workshop.practice.handovers import HandoverCounts

#: columns of the table: the figure's name and its heading
_COLUMNS = {
    "handovers": "played", "one_mail": "a mail", "with_pass": "pass", "with_buying": "buying",
    "with_operating": "running", "with_orders": "all", "saved_percent": "saved",
}  # fmt: skip


def bench_handovers(
    files: Annotated[
        list[Path] | None,
        typer.Argument(help="Games exported by 18xx.games (JSON), folders of them, FILE.game."),
    ] = None,
    bots: Annotated[int, typer.Option("--bots", min=0, help="Bot games per title.")] = 0,
    show_orders: Annotated[
        bool, typer.Option("--orders", help="List the orders that count.")
    ] = False,
    peers: PeersOption = None,
    as_json: JsonOption = False,
) -> None:
    """Count how often games wait for another person: as played, and with advance orders.

    An order counts only if its player could have written it with their last email, and if it does
    exactly what was done; see docs/handovers.md. Without files, Waybill takes the recorded games
    and those of a folder peer-games beside the checkout: a minute or two. 18GL and 18MW take
    longest. Their bot games (--bots) take minutes each on a slow machine.

    Example:  waybill bench handovers game.json --orders
    """
    from service.workshop.practice.handovers import Unreadable, count, sources, summed

    groups: dict[str, list[HandoverCounts]] = {}
    failed: list[str] = []
    with progress("games", None) as bar:
        found = list(sources(files or (), peers or beside(), bots))
        for number, source in enumerate(found):
            bar(100 * number, 100 * len(found), source.name)

            def told(done: int, most: int, begun: int = 100 * number) -> None:
                bar(begun + 100 * done // max(most, 1))

            try:
                groups.setdefault(source.group, []).append(count(source.game(), told))
            except Unreadable as error:
                failed.append(str(error))
    games = [game for group in groups.values() for game in group]
    if as_json:
        figures = summed(games)
        figures["games"] = [game.figures(show_orders) for game in games]
        figures["groups"] = {name: summed(group) for name, group in groups.items()}
        print(json.dumps(figures | {"errors": failed}))
    else:
        _print(groups, show_orders)
    for text in failed:
        err.print(f"waybill: {text}", soft_wrap=True)
    if failed:
        raise typer.Exit(1)


def _print(groups: "Mapping[str, Sequence[HandoverCounts]]", show_orders: bool) -> None:
    """Print one line for each game, and one for each group of several."""
    from service.workshop.practice.handovers import summed

    heads = "".join(f"{head:>8}" for head in _COLUMNS.values())
    out.print(f"{'hand-overs':<20}{heads}")
    for name, games in groups.items():
        for game in games:
            _line(game.game, game.figures())
            for seat, number, text in game.orders if show_orders else ():
                out.print(f"  #{number} {seat}: {text}", soft_wrap=True)
        if len(games) > 1:
            _line(f"all {name}", summed(games))


def _line(name: str, figures: Mapping[str, Any]) -> None:
    shown = [figures[key] for key in _COLUMNS]
    cells = "".join(f"{figure:>8}" for figure in shown[:-1])
    out.print(f"{name[:20]:<20}{cells}{shown[-1]:>7}%", soft_wrap=True)
