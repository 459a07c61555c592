"""The command `waybill seat`: lists the seats of a game, or gives one a new address or token."""

from typing import Annotated

import typer
from rich.table import Table

from service.cli.options import ConfigOption, fail, load_settings, out, plain_errors


def seat(
    game: Annotated[str, typer.Argument(help="The name of the game; see `waybill games`.")],
    name: Annotated[str, typer.Argument(help="The name of the seat. Default: list all.")] = "",
    address: Annotated[str, typer.Option("--address", help="The new address of its player.")] = "",
    new_token: Annotated[
        bool,
        typer.Option(
            "--new-token", help="Replace the seat address; the present one no longer works."
        ),
    ] = False,
    config: ConfigOption = None,
) -> None:
    """List a game's seats, or give one another address or token.

    The players concerned get an email.

    Example:  waybill seat dixie7 Ann --address ann@example.net
    """
    from service.app.office import seconds
    from service.app.wiring import open_store, service_of
    from service.desk.identity import credentials
    from service.desk.seats import handover
    from service.games.games import load
    from service.refusal import Refused

    chosen = load_settings(config)
    if not name and (address or new_token):
        fail("name the seat too: waybill seat GAME NAME --address ADDRESS", 2)
    with plain_errors():
        store = open_store(chosen)
        try:
            if address:
                row = handover.move(store, service_of(chosen), game, name, address, seconds())
                out.print(f"{row.name} writes from {row.address} now; emails are on their way.")
            elif new_token:
                row = credentials.renew_token(store, service_of(chosen), game, name, seconds())
                out.print(f"{row.name} has a new token; an email is on its way.")
            else:
                with store.reading() as reads:
                    found = load(reads, game.lower())
                if found is None:
                    fail(handover.NO_SUCH_GAME.format(game=game))
                table = Table("seat", "address", "status", "token renewed")
                for one in found.seats:
                    table.add_row(one.name, one.address, one.status, f"{one.epoch} times")
                out.print(table)
        except Refused as refused:
            fail(str(refused))
        finally:
            store.close()
