"""What is told of games from their stored rows alone."""

import json

import pytest
from typer.testing import CliRunner

import engine
from service.cli import program
from service.games import games
from service.games.games import round_of
from service.store import WaitingRow
from service.workshop.practice.script import recorded_game
from tests.service.players import GAME


@pytest.mark.long
@pytest.mark.parametrize("title", ["18AL", "18GL"])
def test_the_round_of_a_waiting_game_is_in_the_name_of_its_decision(title):
    for state in recorded_game(title).states[::60]:
        if state.stack:
            row = WaitingRow(1, "Ann", engine.decision(state), 0, None)
            assert round_of(row) == str(state.round)


@pytest.mark.long
def test_games_are_listed_without_reading_a_position(players, monkeypatch):
    players.write("Ann", "buy TR")
    with players.store.transaction() as tx:
        [waiting] = tx.games.waiting()
    monkeypatch.setattr("service.app.wiring.open_store", lambda settings: players.store)
    monkeypatch.setattr(type(players.store), "close", lambda self: None)

    def unread(*_):
        raise AssertionError("a position was read")

    for name in ("state", "title", "events", "action"):
        monkeypatch.setattr(games, name, unread)
    [row] = json.loads(CliRunner().invoke(program(), ["games", "--json"]).stdout)
    assert (row["game"], row["round"]) == (GAME, "SR 1")
    assert row["to_act"] == [waiting.seat] == ["Bob"]
    assert row["number"] > 0
