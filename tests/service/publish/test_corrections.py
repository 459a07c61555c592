"""What a director puts right is told on the page, and stands in the log as a remark."""

from service.games import directing, games
from service.games.games import load
from service.publish.course import course
from service.publish.data import log_txt
from service.store import Occasion, Store
from service.workshop.demo.shelf import shelve
from service.workshop.practice.script import read, recorded_game, run
from tests.service.empty import with_tables
from tests.service.publish.conftest import BEGAN


def test_what_was_put_right_is_told_and_is_no_line_of_a_player(tmp_path):
    url = f"sqlite:///{tmp_path}/games.sqlite"
    with_tables(url)
    store = Store(url)
    game = shelve(store, "mended", recorded_game("18al"), 60, ("public", BEGAN))
    with store.transaction() as tx:
        table = load(tx, "mended")
    [played] = directing.correction(table, "cash Ann +20", "it was miscounted").played
    from dataclasses import replace

    with store.transaction() as tx:
        occasion = tx.occasions.record(Occasion("test", "mended-1", "mended"), BEGAN)
        step = replace(
            games.step(table.title, played, 0), parent=table.head.id, occasion_id=occasion
        )
        new = tx.log.add(game.game, step, BEGAN)
        assert tx.log.move_head(game.game, table.head.id, new)
        table, rows = load(tx, "mended"), tx.log.actions(game.game)
    store.close()
    stages = course(table.title, rows).stages
    assert stages[-1].worth["Ann"] == course(table.title, rows[:-1]).stages[-1].worth["Ann"] + 20
    assert "Ann" in " ".join(stages[-1].deeds[-1].told)
    log = log_txt(table, rows)
    assert "# #61 correct cash Ann +20" in log
    assert run(read(log)).actions == recorded_game("18al").actions[:60]
