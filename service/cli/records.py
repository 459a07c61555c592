"""Games of the database as Waybill's own files, for the commands `export` and `verify`."""

from pathlib import Path

from service.cli.options import CANNOT_BE_WRITTEN, fail, load_settings, plain_errors

NO_GAME_BEGUN = "there is no game called {game} that has begun; `waybill games` lists them"


def record_of(game: str, config: Path | None) -> bytes:
    """The file of a game of the database."""
    from service.app.wiring import open_store
    from service.exchange.record import record
    from service.games.games import load

    with plain_errors():
        store = open_store(load_settings(config))
        try:
            with store.reading() as reads:
                found = load(reads, game.lower())
                rows = reads.log.every(found.row.id) if found is not None else ()
                line = reads.log.actions(found.row.id) if found is not None else ()
        finally:
            store.close()
    if found is None or not rows:
        fail(NO_GAME_BEGUN.format(game=game))
    try:
        return record(found.row.name, (found.row.title_data, found.row.format), rows, line)
    except ValueError as error:
        fail(CANNOT_BE_WRITTEN.format(place=game, why=error))
