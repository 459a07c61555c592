"""What is stored about a person, told to them alone, and forgotten."""

import re

import msgspec
import pytest
from typer.testing import CliRunner

from service.cli import program
from service.desk.privacy import my_data
from service.games.games import GameSettings
from service.store import FORGOTTEN
from service.store.columns import METADATA
from service.store.persons import ROWS
from tests.service.players import NOW, address, says

DAY = 86_400
ANN, EVE = address("Ann"), "eve@watchers.test"


@pytest.fixture
def players(newcomers):
    newcomers.begin()
    return newcomers


def ends(players):
    """The game is over."""
    with players.store.transaction() as tx:
        [row] = tx.games.lines()
        tx.games.set_status(row.id, "ended", players.now)


def flat(letter):
    return " ".join(letter.text.split())


def code_of(letters):
    [letter] = letters
    return re.search(r"forget me ([a-z2-7]{16})", letter.text)[1]


def anywhere(store, text):
    """The tables and columns in which a text stands, read as it is stored."""
    return {
        (table, column)
        for table, rows in store.everything().items()
        for row in rows
        for column, value in row.items()
        if text in (value.decode("latin-1") if isinstance(value, bytes) else str(value))
    }


PLAYS = my_data.PART_NAMED.format(what="player", where="dixie9", name="Ann")
ORGANIZES = my_data.PART.format(what="organizer", where="dixie9")


def test_a_player_reads_what_is_stored_about_them(players):
    [answer] = players.stranger(ANN, "my data")
    assert answer.to == ANN
    assert PLAYS in flat(answer)
    assert ORGANIZES in flat(answer)
    assert re.search(r"[1-9]\d* from you, [1-9]\d* to you", flat(answer))
    assert address("Bob") not in flat(answer)


def test_a_player_whose_address_proves_them_asks_at_the_main_address(players):
    players.write("Ann", "grade friendly")
    [answer] = players.stranger(ANN, "my data")
    assert PLAYS in flat(answer)
    [answer] = players.stranger(ANN, "forget me")
    assert "NOT DONE" in answer.subject and PLAYS in flat(answer)


def test_somebody_unknown_reads_that_there_is_nothing(players):
    [answer] = players.stranger("new@x.test", "my data")
    assert my_data.NO_PART in flat(answer) and "1 from you, 0 to you" in flat(answer)


def test_a_player_of_a_game_that_goes_on_is_told_to_end_that_first(players):
    [answer] = players.stranger(ANN, "forget me")
    assert "NOT DONE" in answer.subject and PLAYS in flat(answer)


def test_who_is_forgotten_is_nowhere_and_the_moves_stay(players):
    players.write("Ann", "buy TR", "note: mine alone", "say: hello all")
    texts = players.texts()
    ends(players)
    code = code_of(players.stranger(ANN, "forget me"))
    players.now += 7 * DAY
    [done] = players.stranger(ANN, f"forget me {code}")
    assert says(done, my_data.FORGOTTEN_NOW)
    players.office.tidy(14, 365, 365)
    # what is still known is the email with the code, the answer to it, and that it was rationed
    left = anywhere(players.store, ANN)
    assert {table for table, _ in left} <= {"inbox", "outbox", "reply_guard", "work"}
    last = [row for row in players.store.everything()["inbox"] if row["sender"] == ANN]
    assert len(last) == 1
    assert not anywhere(players.store, "mine alone")
    assert ("talk", "text") in anywhere(players.store, "hello all")
    assert players.texts() == texts
    seats = {seat.name: seat.address for seat in players.table().seats}
    assert seats == {"Ann": FORGOTTEN, "Bob": address("Bob"), "Cat": address("Cat")}
    players.now += 400 * DAY
    players.office.tidy(14, 365, 365)
    assert not any(row["raw"] for row in players.store.everything()["inbox"])


def test_nothing_is_sent_to_who_is_forgotten(players):
    ends(players)
    with players.store.transaction() as tx:
        my_data.forget(ANN, tx)
    letters = players.write("Bob", "say: well played")
    assert {letter.to for letter in letters} == {address("Bob"), address("Cat")}


@pytest.mark.long
@pytest.mark.parametrize(
    ("sender", "days", "wrong"), [("mallory@x.test", 0, False), (EVE, 9, False), (EVE, 0, True)]
)
def test_a_code_counts_for_its_address_its_week_and_as_it_was_sent(players, sender, days, wrong):
    code = code_of(players.stranger(EVE, "forget me"))
    players.now += days * DAY
    [answer] = players.stranger(sender, f"forget me {'a' * 16 if wrong else code}")
    assert says(answer, my_data.STALE)
    assert [row for row in players.store.everything()["inbox"] if row["sender"] == EVE]


def test_who_watches_and_stands_by_is_forgotten_in_a_game_that_goes_on(players):
    with players.store.transaction() as tx:
        [row] = tx.games.lines()
        tx.observers.ask(row.id, EVE, "", b"{}", NOW)
    code = code_of(players.stranger(EVE, "forget me"))
    players.stranger(EVE, f"forget me {code}")
    assert not players.store.everything()["observer"]


def test_an_assistant_is_told_and_forgotten_with_the_game_s_settings(players):
    with players.store.transaction() as tx:
        [row] = tx.games.lines()
        settings = msgspec.json.decode(row.settings, type=GameSettings)
        chosen = msgspec.structs.replace(settings, assistant=EVE)
        tx.games.set_settings(row.id, msgspec.json.encode(chosen))
    with players.store.transaction() as tx:
        assert [part.what for part in tx.persons.about(EVE).busy] == ["assistant"]
    ends(players)
    with players.store.transaction() as tx:
        my_data.forget(EVE, tx)
    assert not anywhere(players.store, EVE)


def test_the_operator_does_the_same(players, tmp_path, monkeypatch):
    monkeypatch.setenv("WAYBILL_DATA__DIR", str(tmp_path))
    told = CliRunner().invoke(program(), ["person", ANN])
    assert told.exit_code == 0 and PLAYS in told.output
    busy = CliRunner().invoke(program(), ["person", ANN, "--forget"])
    assert busy.exit_code == 1
    assert says(busy.output, my_data.CANNOT_BE_FORGOTTEN, address=ANN)
    ends(players)
    done = CliRunner().invoke(program(), ["person", ANN, "--forget"])
    assert done.exit_code == 0 and not anywhere(players.store, ANN)


def test_no_table_with_an_address_is_left_out():
    """A new table with the address of a person must say what becomes of it."""
    known = {(column.table.name, column.key) for column in ROWS}
    known |= {
        ("seat", "address"), ("seat", "address_key"), ("game", "organiser"),
        ("game", "organiser_key"), ("inbox", "sender"),
        ("outbox", "recipient"),
    }  # fmt: skip
    # of a mailing list, of a forum, of the service itself
    others = {("game_list", "address"), ("forum", "sender"), ("outbox", "mail_from")}
    named = {
        (table.name, column.name)
        for table in METADATA.sorted_tables
        for column in table.columns
        if re.search(r"address|sender|recipient|organiser|mail_from|email", column.name)
    }
    assert named - others == known
