"""`waybill bench scale`: its copies are whole games that play on, and its figures are all there."""

from functools import partial

import pytest
from typer.testing import CliRunner

from service.app.backup import prove
from service.cli import program
from service.cli.bench import COSTS, SIZES
from service.store import Store
from service.workshop.benches import bench_scale

PIXEL = b"\x89PNG\r\n\x1a\n"


@pytest.mark.long
def test_copies_are_games_of_all_ages_that_play_on(tmp_path, monkeypatch):
    blank = partial(bench_scale.service, render=lambda svg, width: PIXEL)
    monkeypatch.setattr(bench_scale, "service", lambda **how: blank())
    url = f"sqlite:///{tmp_path}/scale.sqlite"
    found = bench_scale.bench_scale(url, (3, 5), 2, lambda *how: None)
    assert found["ms"].keys() == {3, 5}
    assert all(costs.keys() == COSTS.keys() for costs in found["ms"].values())
    sizes = found["bytes_of_a_game"]
    assert list(sizes) == list(SIZES)
    assert sizes["for_ever"] < sizes["a_month_after"] <= sizes["at_its_end"]
    assert prove(url).faults == ()
    store = Store(url)
    counts = store.work.counts()
    with store.transaction() as tx:
        games = {game.name: game for game in tx.games.lines()}
        heads = {name: tx.log.head(game.id) for name, game in games.items() if game.head}
    store.close()
    assert counts.games["ended"] == 5 and counts.games["running"] == 2
    assert "shunted" not in counts.inbox, "every email was understood"
    running = [heads[name].number for name, game in games.items() if game.status == "running"]
    ended = {heads[name].number for name, game in games.items() if game.status == "ended"}
    assert len(ended) == 1, "the copies of finished games are the same game"
    assert all(number < max(ended) for number in running)
    ends = {game.ended for game in games.values() if game.status == "ended"}
    assert len(ends) == 5


def test_numbers_that_are_none_are_refused():
    found = CliRunner().invoke(program(), ["bench", "scale", "--finished", "10,many"])
    assert found.exit_code == 2
    assert "--finished needs numbers" in found.stderr
