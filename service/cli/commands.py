"""The command `waybill commands`: lists all email commands, from the table of commands."""

from typing import Annotated

import typer

from service.cli.options import fail


def commands(
    word: Annotated[str, typer.Argument(help="One command or topic. Default: all.")] = "",
    moves: Annotated[bool, typer.Option("--moves", help="List the moves of all titles.")] = False,
) -> None:
    """List all email commands as in docs/commands.md or docs/moves.md, or explain one.

    Example:  waybill commands away
    """
    from engine import load_title, title_names
    from service.commands.entry import When, Where, Who
    from service.commands.helping import help_, moves_page, page, sorry
    from service.desk.vocabulary.table import VOCABULARY

    if moves:
        typer.echo(moves_page([load_title(name) for name in title_names()]), nl=False)
        return
    if not word:
        typer.echo(page(VOCABULARY), nl=False)
        return
    found = help_(VOCABULARY, ~Who(0), ~Where(0), ~When(0), word=word)
    if found is None:
        fail(sorry(VOCABULARY, word))
    else:
        typer.echo(found.text)
