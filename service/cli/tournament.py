"""The command `waybill tournament`: a director's actions in a tournament, without an email."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from service.cli.options import ConfigOption, fail, lines, load_settings, out, plain_errors

if TYPE_CHECKING:
    from service.desk.answering.effects import Effect
    from service.desk.service import Service
    from service.store import Store


def tournament(
    name: Annotated[
        str | None, typer.Argument(help="The name of the tournament. Default: list all.")
    ] = None,
    words: Annotated[
        list[str] | None,
        typer.Argument(help="A command, as the director would write it in an email."),
    ] = None,
    because: Annotated[
        str, typer.Option("--because", help="The reason. All entrants see it.")
    ] = "",
    to: Annotated[Path, typer.Option("--to", help="The folder for reports and exports.")] = Path(),
    config: ConfigOption = None,
) -> None:
    """Show a tournament, or act as its director. All entrants get an email.

    \b
    waybill tournament                               lists all
    waybill tournament spring27 help                 lists the commands
    waybill tournament spring27 entries
    waybill tournament spring27 seat                 seats the next round
    waybill tournament spring27 start
    waybill tournament spring27 hold --because "a rule is in doubt"
    waybill tournament spring27 standings json --to exports
    """
    from service.app.wiring import open_store, service_of

    chosen = load_settings(config)
    with plain_errors():
        store = open_store(chosen)
        try:
            service, said = service_of(chosen), " ".join(words or [])
            if name is None:
                _list(store)
            else:
                _direct(store, service, name, f"{said} because {because}" if because else said, to)
        finally:
            store.close()


def _list(store: "Store") -> None:
    from service.desk.tournament.questions.public import going_on

    none = "There are no tournaments yet: an email `tournament new NAME` gets the form."
    with store.reading() as reads:
        lines = going_on(reads)
    for line in lines or [none]:
        out.print(line, soft_wrap=True)


def _direct(store: "Store", service: "Service", name: str, text: str, to: Path) -> None:
    """Carry out commands as the operator; the entrants hear of them, and they are recorded."""
    from service.app.office import seconds
    from service.desk.answering.effects import concluded
    from service.desk.door import NOTHING, finish
    from service.desk.letters.desk import Desk
    from service.desk.tournament.directing.tournament_directing import operated
    from service.desk.tournament.stored.keeping import tournament_called
    from service.store import Occasion

    now = seconds()
    with store.reading() as reads:
        tournament = tournament_called(reads, name.lower())
        if tournament is None:
            fail(f"there is no tournament called {name}; `waybill tournament` lists them")
        key = f"tournament-{tournament.name}-{tournament.last + 1}"
        desk = Desk(service, now, Occasion("operator", key, tournament.name))
        effect = operated(reads, desk, tournament, text or "tournament")
    _tell(effect, to)
    if any(one.status in ("no", "unsent", "ignored") for one in effect.results):
        fail("not done")

    finish(store, now, NOTHING, concluded(effect))
    for line in effect.closing:
        out.print(line)
    if effect.changes and not effect.closing:
        out.print("Done; emails are on their way.")


def _tell(effect: "Effect", to: Path) -> None:
    for result in effect.results:
        for note in result.notes:
            out.print(note, soft_wrap=True)
        if result.answer is None:
            continue
        lines(result.answer.text)
        for file in result.answer.files:
            to.mkdir(parents=True, exist_ok=True)
            (to / file.filename).write_bytes(file.data)
            out.print(f"{to / file.filename} ({len(file.data) // 1024 or 1} kB)")
