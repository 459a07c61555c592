"""Commands that are listed by name and short help; their modules are loaded only to run them.

So a start of the program loads only the command that was asked for.
"""

import pkgutil
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from service.cli.options import plain_errors


class Announced(TyperCommand):
    """The known facts of a command, or of a group of commands, before its module is loaded."""

    def __init__(self, name: str, place: str, short_help: str) -> None:
        """``place`` is its function, or the Typer of its group, as package.module:name."""
        super().__init__(name=name, short_help=short_help)
        self._place = place

    def load(self) -> Any:  # noqa: ANN401 - the class moved between versions of typer
        """The command itself."""
        found = pkgutil.resolve_name(self._place)
        holder = typer.Typer(rich_markup_mode=None)
        if isinstance(found, typer.Typer):
            holder.add_typer(found, name=self.name, help=self.short_help)
        else:
            holder.command(self.name, short_help=self.short_help)(found)
        return typer.main.get_group(holder).commands[str(self.name)]


class AnnouncingGroup(TyperGroup):
    """The program's commands. In each of them, an operator's error is printed as a sentence."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:  # noqa: ANN401 - as above
        """The command that was asked for, loaded."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, command.load() if isinstance(command, Announced) else command, rest

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401 - as above
        """Run the command that was asked for."""
        with plain_errors():
            return super().invoke(ctx)
