"""The shared parts of all commands: options, error messages, progress bars."""

import contextlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer
from rich.console import Console, ConsoleOptions, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.segment import Segment

from service import extras, rights
from service.operator_errors import OperatorError
from service.visible import visible

if TYPE_CHECKING:
    from engine import Title
    from service.settings import Settings


class Terminal(Console):
    """The terminal for all texts. Control codes and markup in other people's texts have no effect.

    It reads no rich markup at all, because names may have square brackets.
    """

    def __init__(self, *, stderr: bool = False) -> None:
        super().__init__(stderr=stderr, highlight=False, markup=False, emoji=False)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """The segments to print, with control characters in texts made visible."""
        for segment in super().render(renderable, options):
            text = segment.text
            yield segment if segment.control else segment._replace(text=visible(text))


out = Terminal()
err = Terminal(stderr=True)


def lines(text: str) -> None:
    """Print a text with its own line breaks, whatever the width of the terminal."""
    print(visible(text))


ConfigOption = Annotated[
    Path | None,
    typer.Option(
        "--config", "-c", help="Your settings file (TOML). Default: that of WAYBILL_CONFIG."
    ),
]
TitleArgument = Annotated[str, typer.Argument(help="A title, such as 18AL.")]
VariantsOption = Annotated[
    list[str] | None, typer.Option("--with", help="An optional rule; may be given several times.")
]
PeersOption = Annotated[
    Path | None,
    typer.Option(envvar="WAYBILL_PEER_GAMES", help="A folder of games exported by 18xx.games."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


CANNOT_BE_WRITTEN = "{place} cannot be written: {why}"


def fail(text: str, code: int = 1) -> NoReturn:
    """End the program with a message that says what is wrong and what to do."""
    err.print(f"waybill: {text}", soft_wrap=True)
    raise typer.Exit(code)


def beside() -> Path | None:
    """The folder of peer games in the folder that contains the checkout, or one level deeper."""
    home = Path.cwd().parent
    found = [home / "peer-games", *sorted(home.glob("*/peer-games"))]
    return next((folder for folder in found if folder.is_dir()), None)


@contextlib.contextmanager
def progress(what: str, total: int | None) -> "Iterator[Bar]":
    """A progress bar on the terminal; silent if standard error is not a terminal."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as shown:
        yield Bar(shown, what, total)


class Bar:
    """One line of progress."""

    def __init__(self, shown: Progress, what: str, total: int | None) -> None:
        self._shown = shown
        self._task = shown.add_task(what, total=total)

    def __call__(self, done: int, total: int | None = None, note: str | None = None) -> None:
        """Show that ``done`` of ``total`` is done."""
        self._shown.update(self._task, completed=done)
        if total is not None:
            self._shown.update(self._task, total=total)
        if note is not None:
            self._shown.update(self._task, description=note)


def find_title(name: str, variants: list[str] | None = None) -> "Title":
    """The title, or the end of the program with the list of names."""
    import engine

    try:
        return engine.load_title(name.upper(), frozenset(variants or ()))
    except LookupError as error:
        fail(str(error.args[0]), 2)


def load_settings(config: Path | None) -> "Settings":
    """The settings, or the end of the program with their errors."""
    from service import settings

    try:
        return settings.load(config)
    except settings.SettingsError as error:
        fail(f"the settings cannot be used:\n{error}", 2)


@contextlib.contextmanager
def plain_errors() -> Iterator[None]:
    """Operator errors end the program with a sentence, not a traceback."""
    try:
        yield
    except ModuleNotFoundError as error:
        if not (what := extras.missing(error)):
            raise
        fail(what)
    except PermissionError as error:
        if error.filename is None:
            raise
        fail(rights.remedy(Path(os.fsdecode(error.filename))))
    except OSError as error:
        if error.filename is None:
            raise
        fail(f"{os.fsdecode(error.filename)}: {error.strerror}")
    except OperatorError as error:
        fail(error.said.format(error=error), error.code)
