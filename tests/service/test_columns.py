"""One class is a table and the frozen value of its rows."""

from dataclasses import FrozenInstanceError, fields, replace

import pytest

from service.store import GameLine, GameRow, NewGame, Occasion, Store, VoteRow
from service.store.columns import METADATA, col, read, table_of

pytest_plugins = ["tests.service.postgres"]


def test_every_field_of_a_row_is_a_column_of_its_table():
    assert {one.name for one in fields(GameRow)} == set(METADATA.tables["game"].columns.keys())
    assert table_of(GameLine) is table_of(GameRow) is METADATA.tables["game"]
    assert col(GameRow.name) is METADATA.tables["game"].c.name
    assert "ballots" not in table_of(VoteRow).c


def test_a_value_has_what_was_read_and_no_more(store: Store) -> None:
    with store.transaction() as tx:
        made = tx.games.add(NewGame("dixie7", "18AL", b"facts", b"{}", "eve@x"), 5)
        [line] = tx.games.lines()
    assert "title_data" not in str(read(GameLine)) and "title_data" in str(read(GameRow))
    assert vars(line) == {name: value for name, value in vars(made).items() if name in vars(line)}
    with pytest.raises(AttributeError):
        line.title_data  # noqa: B018 – nothing is loaded later, behind the reader's back


def test_a_value_cannot_be_changed_and_outlives_its_transaction(store: Store) -> None:
    with store.transaction() as tx:
        tx.games.add(NewGame("dixie7", "18AL", b"facts", b"{}", "eve@x"), 5)
        row = tx.games.named("dixie7")
    store.close()
    with pytest.raises(FrozenInstanceError):
        row.name = "other"
    assert replace(row, name="other") == replace(row, name="other") != row
    assert row.title_data == b"facts"


def test_lines_are_stored_as_one_text(store: Store) -> None:
    with store.transaction() as tx:
        game = tx.games.add(NewGame("dixie7", "18AL", b"facts", b"{}", "eve@x"), 5).id
        cause = tx.occasions.record(Occasion("mail", "k"), 5)
        vote = VoteRow(1, "end", "", "Ann", 0, 9, silent=("Bob", "Cat"), ballots=(("Ann", True),))
        nobody = replace(vote, number=2, silent=(), ballots=())
        tx.votes.keep(game, [vote, nobody], cause, 5)
        assert tx.votes.of(game) == (vote, nobody)
    assert [row["silent"] for row in store.everything()["vote"]] == [("Bob", "Cat"), ()]
