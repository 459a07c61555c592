"""The command `waybill person`: shows the stored data about a person, or deletes it."""

from functools import partial
from typing import Annotated

import typer

from service.cli.options import ConfigOption, fail, load_settings, out, plain_errors


def person(
    address: Annotated[str, typer.Argument(help="An email address.")],
    forget: Annotated[
        bool, typer.Option("--forget", help="Delete their data. This cannot be undone.")
    ] = False,
    config: ConfigOption = None,
) -> None:
    """Show what is stored about a person, or delete it: address, notes and emails.

    Moves, results and messages in games stay, under the name of the seat. A person who plays,
    organizes or is a deputy in a running game, or is in a tournament, must leave it first.

    \b
    Example:  waybill person dan@example.org
              waybill person dan@example.org --forget
    """
    from service.app.office import seconds
    from service.app.wiring import open_store
    from service.desk.door import NOTHING, Done, finish
    from service.desk.privacy import my_data

    with plain_errors():
        store = open_store(load_settings(config))
        try:
            with store.reading() as reads:
                found = reads.persons.about(address)
            if not forget:
                for row in my_data.stored(found):
                    out.print(f"{row.label}: {'; '.join(row.items)}", soft_wrap=True)
                return
            if found.busy:
                parts = my_data.named(found.busy)
                fail(my_data.CANNOT_BE_FORGOTTEN.format(address=address, parts=parts))
            finish(store, seconds(), NOTHING, Done(also=partial(my_data.forget, address)))
        finally:
            store.close()
    out.print(f"{address} is forgotten. Backups made before still have the address.")
