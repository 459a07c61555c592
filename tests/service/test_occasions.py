"""A game changes by occasions: a mail is one of them, a clock or a director another."""

import json
from dataclasses import replace

import pytest
from typer.testing import CliRunner

import engine
from service.cli import games as cli_games
from service.cli import program
from service.desk.door import NOTHING, Done, finish
from service.desk.letters.desk import Desk
from service.desk.timing import caretaking
from service.games import games, retreat
from service.games.changes import Request, further, make
from service.games.games import load, watch
from service.store import Conflict, Occasion, Task
from tests.service.players import GAME, NOW, address, one, opened, says, to
from tests.service.reading import read_as_player


def commands(*lines):
    return read_as_player(lines, engine.load_title("18AL"))


def waits(players, game=GAME):
    with players.store.transaction() as tx:
        return [(w.seat, w.since, w.due) for w in tx.games.waiting(tx.games.named(game).id)]


def judged(players, desk, *requests):
    """What requests change, judged at this moment and not stored."""
    with players.store.reading() as reads:
        return caretaking.carried_out(reads, desk, *requests, notes={}, caretaken="")


def by(players, kind, key, *requests, also=lambda tx: None):
    """What requests change without a mail, stored; None where that was done before."""
    desk = Desk(players.service, players.now, Occasion(kind, key, GAME))
    changed = judged(players, desk, *requests)
    if changed is None:
        return None

    def stored(tx):
        changed.write(tx)
        also(tx)

    finish(players.store, players.now, NOTHING, Done(letters=changed.letters, also=stored))
    return changed.change


def test_a_change_is_made_of_a_position_and_requests_alone(players):
    table = players.table()
    change = make(table, Request("Ann", commands("buy TR")), Request("Bob", commands("nonsense")))
    assert [p.text for p in change.played] == ["buy TR"]
    assert [outcome.done for outcome in change.outcomes] == [True, False]
    more = further(change, Request("Bob", commands("pass")))
    assert [p.number for p in more.played] == [1, 2]
    assert engine.to_act(table.title, more.state) == ("Cat",)
    assert players.texts() == [], "nothing is stored"


@pytest.mark.parametrize("kind", ["director", "clock"])
def test_a_game_is_changed_without_a_mail_by_what_a_mail_changes_it_by(players, kind):
    players.now += 50
    assert waits(players) == [("Ann", NOW, None)]
    change = by(players, kind, f"{kind}-1", Request("Ann", commands("pass")))
    assert change.moves
    letters = players.collect()
    assert players.texts() == ["pass"]
    assert to(letters, "Bob") == ["turn"]
    assert to(letters, "Cat") == ["news"]
    assert to(letters, "Ann") == ["void"], "whose turn it was is told too"
    assert waits(players) == [("Bob", NOW + 50, None)]
    with players.store.transaction() as tx:
        head = tx.log.head(tx.games.named(GAME).id)
        occasion = tx.occasions.get(head.occasion_id)
    assert (occasion.kind, occasion.mail, occasion.at) == (kind, None, NOW + 50)
    assert (head.seat, head.format) == ("Ann", games.FORMAT)
    players.reply(one(letters, "Bob", "turn"), "pass")
    assert players.texts() == ["pass", "pass"]


def test_what_is_to_happen_once_happens_once(players):
    request = Request("Ann", commands("pass"))
    desk = Desk(players.service, players.now, Occasion("clock", "clock-7", GAME))
    early = judged(players, desk, request)
    assert by(players, "clock", "clock-7", request)
    assert by(players, "clock", "clock-7", Request("Bob", commands("pass"))) is None
    with pytest.raises(Conflict):
        finish(players.store, players.now, NOTHING, Done(also=early.write))
    assert players.texts() == ["pass"]


def test_what_asked_for_a_change_is_settled_with_it_or_neither_is(players):
    def dies(tx):
        raise RuntimeError("the power failed")

    with pytest.raises(RuntimeError):
        by(players, "clock", "clock-1", Request("Ann", commands("pass")), also=dies)
    assert players.texts() == []
    assert players.collect() == []
    assert waits(players) == [("Ann", NOW, None)]


def test_a_change_that_meets_another_is_no_change(players, monkeypatch):
    from service.desk.timing import caretaking

    real = caretaking.FollowUp

    def slow(*args, **kwargs):
        players.write("Ann", "buy TR")
        return real(*args, **kwargs)

    monkeypatch.setattr(caretaking, "FollowUp", slow)
    with pytest.raises(Conflict):
        by(players, "clock", "clock-1", Request("Ann", commands("pass")))
    assert players.texts() == ["buy TR"]
    assert waits(players) == [("Bob", NOW, None)]


def test_a_game_that_does_not_run_is_not_changed(players):
    desk = Desk(players.service, players.now, Occasion("clock", "clock-1", "nowhere"))
    with pytest.raises(Conflict):
        judged(players, desk, Request("Ann", commands("pass")))


def test_undo_takes_back_a_mail_and_nothing_that_another_did_for_its_player(players):
    by(players, "director", "director-1", Request("Ann", commands("pass")))
    letters = players.write("Ann", "undo")
    assert players.texts() == ["pass"]
    assert says(one(letters, "Ann"), retreat.NO_MAIL_OF_YOURS)
    letters = players.write("Bob", "pass")
    players.write("Bob", "undo")
    assert players.texts() == ["pass"]
    assert [seat for seat, *_ in waits(players)] == ["Bob"]


def test_who_is_waited_for_moves_with_the_head_and_keeps_its_time(players):
    players.now += 10
    players.write("Ann", "bid NDY 125", "more")
    first = waits(players)
    players.now += 10
    players.write("Ann", "status")
    assert waits(players) == first
    players.write("Ann", "undo")
    assert waits(players) == [("Ann", NOW + 20, None)], "what was taken back is asked again"
    players.write("Ann", "buy TR")
    assert waits(players) == [("Bob", NOW + 20, None)]


def test_games_that_an_older_version_left_running_are_watched_from_the_start(players):
    players.now += 10
    players.write("Ann", "pass")
    players.now += 10
    stood = waits(players)
    with players.store.transaction() as tx:
        tx.games.wait_for(tx.games.named(GAME).id, "", (), NOW)
        assert tx.games.unwatched() == (GAME,)
    assert watch(players.store) == 1
    assert waits(players) == stood == [("Bob", NOW + 10, None)]
    assert watch(players.store) == 0


def test_two_seats_at_one_address_both_get_their_letters(players):
    """A couple with one mailbox; nothing in the house forbids it to an operator's database."""
    with players.store.transaction() as tx:
        table = load(tx, GAME)
        tx.seats.move(table.seat("Cat").id, address("Bob"))
    letters = players.write("Ann", "pass")
    kinds = [letter.kind for letter in letters if letter.to == address("Bob")]
    assert sorted(kinds) == ["news", "turn"]
    by(players, "director", "director-1", Request("Bob", commands("pass")))
    players.collect()
    letters = players.write("Cat", "say: we are two", sender=address("Bob"),
                            to=players.seat_address(GAME, "Cat", 1))  # fmt: skip
    assert [letter.kind for letter in letters if letter.to == address("Ann")] == ["news"]
    assert [letter.kind for letter in letters if letter.to == address("Bob")] == ["receipt", "news"]


def test_two_seats_at_one_address_hear_the_same_kind_of_letter_each(players):
    with players.store.transaction() as tx:
        table = load(tx, GAME)
        tx.seats.move(table.seat("Cat").id, address("Bob"))
    letters = players.write("Ann", "say: hello to all")
    news = [letter for letter in letters if (letter.to, letter.kind) == (address("Bob"), "news")]
    assert len(news) == 2
    assert len({letter.reply_to for letter in news}) == 2
    with players.store.transaction() as tx:
        assert tx.log.head(table.row.id).number == 0


@pytest.mark.long
def test_no_letter_s_key_has_an_address(players):
    players.write("Ann", "pass")
    players.stranger("zoe@else.test", "help")
    for row in players.store.letters.all(["new", "sent"]):
        assert "@" not in row.key, row.key
        assert row.key.count(":") == 2


def test_seats_at_one_address_are_both_told_before_the_start(tmp_path):
    found = opened(f"sqlite:///{tmp_path}/other.sqlite")
    found.stranger(address("Eve"), "create 18AL north")
    for name in ("Ann", "Bob", "Cat"):
        [asked] = found.stranger(address(name), f"join north as {name}")
        found.reply(asked, "yes")
    with found.store.transaction() as tx:
        tx.seats.move(load(tx, "north").seat("Cat").id, address("Bob"))
    letters = found.write("Ann", "say: hello", game="north")
    assert to(letters, "Bob") == ["said", "said"]
    assert to(letters, "Eve") == ["said"]
    found.store.close()


def test_a_row_says_how_the_engine_wrote_it(players, monkeypatch):
    seen = []

    def decode(data, format=games.FORMAT):
        seen.append(format)
        return engine.decode_state(data)

    monkeypatch.setattr(games, "_state", games._reader(decode))
    table = players.table()
    assert (table.row.format, table.head.format) == (games.FORMAT, games.FORMAT)
    games.state(replace(table.head, format=7))
    assert seen == [7]
    with pytest.raises(LookupError, match="no longer kept"):
        games.state(replace(table.head, snapshot=None))


def test_the_operator_sees_whom_a_game_waits_for_and_since_when(players, tmp_path):
    """Programs read the same that people do."""
    found = players
    found.now += 3600
    found.write("Ann", "pass")
    with found.store.transaction() as tx:
        tx.tasks.add(Task("order", "order-1", NOW, GAME), NOW)
    found.store.work.put_aside(found.store.tasks.claim("w", NOW, 60, ["order"]), "ValueError: odd")
    found.store.close()
    config = tmp_path / "my.toml"
    config.write_text(f'[data]\ndir = "{tmp_path}"\n')

    def waybill(*words):
        return CliRunner().invoke(program(), [*words, "--config", str(config)]).stdout

    [game] = json.loads(waybill("games", "--json"))
    assert (game["to_act"], game["since"]) == (["Bob"], "2027-01-15 09:00 UTC")
    assert "2027-01-15" in waybill("games")
    assert says(waybill("shunt"), cli_games.TASK, number=1, key="order-1", note="ValueError: odd")
    assert says(waybill("shunt", "--retry-task", "1"), cli_games.TASK_AGAIN, number=1)
    assert says(waybill("shunt", "--retry-task", "1"), cli_games.NO_TASK_ASIDE, number=1)
    assert says(waybill("shunt"), cli_games.NOTHING_ASIDE)
