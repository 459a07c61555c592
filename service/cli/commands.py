"""`waybill commands`: all that can be written by email, from the table of commands."""

from typing import Annotated

import typer

from service.cli.options import fail


def commands(
    word: Annotated[str, typer.Argument(help="One command or topic; all without it.")] = "",
) -> None:
    """List all that can be written by email: the page docs/commands.md, or help on one word.

    Example:  waybill commands away
    """
    from service.commands.entry import When, Where, Who
    from service.commands.helping import help_, page, sorry
    from service.desk.vocabulary.table import VOCABULARY

    if not word:
        typer.echo(page(VOCABULARY), nl=False)
        return
    found = help_(VOCABULARY, ~Who(0), ~Where(0), ~When(0), word=word)
    if found is None:
        fail(sorry(VOCABULARY, word))
    else:
        typer.echo(found.text)
