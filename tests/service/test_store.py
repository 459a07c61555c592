"""The store keeps a game's log with its branches, and does all of a mail or nothing."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import FrozenInstanceError, replace

import pytest
import sqlalchemy
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from service import rations
from service.store import (
    Arrived,
    Conflict,
    GameRow,
    Letter,
    NewAction,
    NewGame,
    NewSeat,
    Occasion,
    Store,
    Tx,
    Unavailable,
    access,
)
from service.store.columns import METADATA
from service.store.occasions import by_mail

pytest_plugins = ["tests.service.postgres"]

#: as the program has them, before tests make them quicker
PRAGMAS = access.PRAGMAS
NOW = 3_000_000_000  # in 2065: times outgrow 32 bits


def opened(store: Store, name: str = "dixie7") -> GameRow:
    with store.transaction() as tx:
        return tx.games.add(NewGame(name, "18AL", b"facts", b"{}", "eve@example.org"), NOW)


def step(parent: int | None, number: int, text: str = "", **other) -> NewAction:
    values = {"seat": "Ann", "action": b"{}", "events": b"[]", "rules": 1, "occasion_id": 0}
    values |= {"digest": "", "snapshot": b"state %d" % number, "line": 0}
    return NewAction(parent=parent, number=number, text=text, **(values | other))


def happens(tx: Tx, number: int) -> int:
    """An occasion of its own."""
    return tx.occasions.record(Occasion("test", f"test-{number}"), NOW)


def play(tx: Tx, game: int, text: str) -> int:
    """One step on from the head."""
    head = tx.log.head(game)
    old = head.id if head else None
    number = tx.log.present(game)[1]
    new = tx.log.add(game, step(old, number, text, occasion_id=happens(tx, number)), NOW)
    assert tx.log.move_head(game, old, new)
    return new


def letter(key: str) -> Letter:
    return Letter(key, "dixie7", "turn", "Ann@example.org", "b@x", b"Subject: x\n\ny", "<1@x>")


def test_the_versions_make_the_tables_the_code_describes(store: Store, database: str) -> None:
    engine = sqlalchemy.create_engine(database)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []
    engine.dispose()


@pytest.mark.long
def test_four_processes_may_bring_the_tables_up_to_date_at_once(database: str) -> None:
    stores = [Store(database) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(Store.upgrade, stores))
    assert opened(stores[0]).id == 1
    for each in stores:
        each.close()


def test_a_database_of_a_newer_version_is_refused(store: Store, database: str) -> None:
    engine = sqlalchemy.create_engine(database)
    with engine.begin() as connection:
        connection.execute(sqlalchemy.text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    with pytest.raises(Unavailable, match="9999"):
        store.upgrade()


@pytest.mark.long
def test_a_database_out_of_reach_is_said_to_be_so(tmp_path) -> None:
    with pytest.raises(Unavailable):
        Store(f"sqlite:///{tmp_path}/nowhere/waybill.sqlite").upgrade()


@pytest.mark.long
def test_rows_are_values_that_outlive_the_transaction(store: Store) -> None:
    game = opened(store)
    assert (game.title_data, game.status, game.head) == (b"facts", "open", None)
    with pytest.raises(FrozenInstanceError):
        game.status = "ended"


def test_what_is_committed_is_on_the_disk(tmp_path, monkeypatch) -> None:
    """SQLite's "full": a mail may be forgotten elsewhere because it is safe here."""
    monkeypatch.setattr(access, "PRAGMAS", PRAGMAS)
    kept = Store(f"sqlite:///{tmp_path}/waybill.sqlite")
    with kept._engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar_one() == 2
    kept.close()


@pytest.mark.long
def test_an_exception_undoes_everything_of_the_transaction(store: Store) -> None:
    game = opened(store)
    with pytest.raises(ZeroDivisionError), store.transaction() as tx:
        play(tx, game.id, "lay 57 G4")
        tx.letters.queue([letter("a")], NOW)
        raise ZeroDivisionError
    with store.transaction() as tx:
        assert tx.log.head(game.id) is None
        assert tx.log.actions(game.id) == ()
    assert store.work.counts().outbox == {}


@pytest.mark.long
def test_a_transaction_that_reads_sees_one_moment_and_keeps_nobody_waiting(store: Store) -> None:
    opened(store)
    with store.reading() as reads:
        assert [row.name for row in reads.games.lines("open")] == ["dixie7"]
        opened(store, "dixie8")
        assert [row.name for row in reads.games.lines("open")] == ["dixie7"]
        assert reads.games.named("dixie8") is None
    with store.reading() as reads:
        assert reads.games.named("dixie8") is not None


def test_a_transaction_that_reads_cannot_write_and_says_that_it_is_a_bug(store: Store) -> None:
    game = opened(store)
    with pytest.raises(sqlalchemy.exc.DBAPIError), store.reading() as reads:
        reads.games.set_settings(game.id, b"changed")
    with store.reading() as reads:
        assert reads.games.named("dixie7") == game
    with store.transaction() as tx:
        tx.games.set_settings(game.id, b"changed")
    with store.reading() as reads:
        assert (found := reads.games.named("dixie7")) and found.settings == b"changed"


def test_a_game_is_found_in_any_case_and_its_name_is_given_once(store: Store) -> None:
    game = opened(store, "Dixie7")
    assert game.name == "dixie7"
    with store.transaction() as tx:
        assert tx.games.named("DIXIE7") == game
        assert tx.games.named("dixie8") is None
        assert [(line.id, line.name) for line in tx.games.lines()] == [(game.id, "dixie7")]
    with pytest.raises(Conflict):
        opened(store, "dIXIE7")


def test_a_status_nobody_knows_is_kept_out_by_the_database(store: Store) -> None:
    game = opened(store)
    with pytest.raises(Conflict), store.transaction() as tx:
        tx.games.set_status(game.id, "paused", NOW)


@pytest.mark.long
def test_the_end_of_a_game_is_dated_and_settings_can_be_replaced(store: Store) -> None:
    game = opened(store)
    with store.transaction() as tx:
        tx.games.set_status(game.id, "ended", NOW + 5)
        tx.games.set_settings(game.id, b'{"clock": 1}')
        ended = tx.games.named("dixie7")
        tx.games.set_status(game.id, "running", NOW + 6)
        again = tx.games.named("dixie7")
    assert (ended.status, ended.ended, ended.settings) == ("ended", NOW + 5, b'{"clock": 1}')
    assert (again.status, again.ended) == ("running", None)


@pytest.mark.long
def test_seats_come_in_order_of_position_and_by_address_in_any_case(store: Store) -> None:
    game = opened(store)
    with store.transaction() as tx:
        bob = tx.seats.add(game.id, NewSeat("Bob", "Bob@Example.org", 1))
        ann = tx.seats.add(game.id, NewSeat("Ann", "ann@example.org", 0, "joined"))
        assert tx.seats.of(game.id) == (ann, bob)
        assert tx.seats.at("bob@example.ORG") == (bob,)
        tx.seats.change(bob.id, status="joined")
        tx.seats.move(bob.id, "Bob@new.example")
        there = {"address": "Bob@new.example", "address_key": "bob@new.example"}
        moved = replace(bob, **there, epoch=1, status="joined")
        assert tx.seats.at("bob@example.org") == ()
        assert tx.seats.at("bob@NEW.example") == (moved,)
    with pytest.raises(Conflict), store.transaction() as tx:
        tx.seats.add(game.id, NewSeat("Bob", "another@example.org", 2))


def test_undo_moves_the_head_and_leaves_the_taken_back_steps_off_the_line(store: Store) -> None:
    game = opened(store).id
    with store.transaction() as tx:
        opening, first, second = (play(tx, game, text) for text in ("", "lay", "token"))
        assert tx.log.head(game).id == second
        assert tx.log.move_head(game, second, first)
        other = play(tx, game, "run")
        assert [row.id for row in tx.log.actions(game)] == [opening, first, other]
        assert [row.number for row in tx.log.actions(game, since=1)] == [3]
        assert tx.log.numbered(game, 2) is None, "2 was taken back"
        assert tx.log.numbered(game, 3).text == "run"
        assert tx.log.numbered(game, 1).snapshot == b"state 1"
        assert tx.log.head(game).parent == first


@pytest.mark.long
def test_a_number_is_never_given_twice_in_a_game(store: Store) -> None:
    game = opened(store).id
    with store.transaction() as tx:
        first = play(tx, game, "")
    with pytest.raises(Conflict), store.transaction() as tx:
        tx.log.add(game, step(first, 0), NOW)


@pytest.mark.long
def test_the_head_moves_only_from_where_the_mover_saw_it(store: Store) -> None:
    game = opened(store).id
    with store.transaction() as tx:
        opening = play(tx, game, "")
        first = play(tx, game, "lay")
        assert not tx.log.move_head(game, None, opening)
        assert not tx.log.move_head(game, opening, first)
        assert tx.log.head(game).id == first


def test_a_line_of_an_occasion_is_carried_out_once(store: Store) -> None:
    game = opened(store).id
    mail = store.mails.keep(Arrived("a", 1, 1, b"raw", NOW, "<m@x>", "ann@x", "dixie7"), NOW)
    with store.transaction() as tx:
        first = tx.occasions.record(by_mail(mail, "dixie7"), NOW)
        assert tx.occasions.record(by_mail(mail, "dixie7", "Ann"), NOW + 1) == first
        row = tx.occasions.get(first)
        assert (row.kind, row.mail, row.seat, row.at) == ("mail", mail, "Ann", NOW)
        tx.log.add(game, step(None, 2, occasion_id=first, line=1), NOW)
        tx.log.add(game, step(None, 3, occasion_id=first, line=2), NOW)
    with pytest.raises(Conflict), store.transaction() as tx:
        tx.log.add(game, step(None, 4, occasion_id=first, line=2), NOW)
    with pytest.raises(Conflict), store.transaction() as tx:
        tx.log.add(game, step(None, 5), NOW)


@pytest.mark.long
def test_what_happens_once_happens_once(store: Store) -> None:
    lapse = Occasion("clock", "lapsed-dixie7", "dixie7")
    with store.transaction() as tx:
        assert tx.occasions.named(lapse.key) is None
        assert tx.occasions.first(lapse, NOW)
    with store.transaction() as tx:
        assert not tx.occasions.first(lapse, NOW + 1)
        assert tx.occasions.named(lapse.key).at == NOW


@pytest.mark.long
def test_a_game_waits_for_seats_since_they_were_asked(store: Store) -> None:
    game = opened(store).id
    with store.transaction() as tx:
        tx.games.wait_for(game, "SR 1, Ann", ("Ann",), NOW)
        tx.games.wait_for(game, "SR 1, Ann", ("Ann", "Bob"), NOW + 5, anew=False)
        assert [(w.seat, w.since) for w in tx.games.waiting(game)] == [
            ("Ann", NOW),
            ("Bob", NOW + 5),
        ]
        tx.games.wait_for(game, "SR 1, Ann", ("Ann", "Bob"), NOW + 7, anew=True)
        assert {w.since for w in tx.games.waiting()} == {NOW + 7}
        tx.games.wait_for(game, "SR 1, Bob", ("Bob",), NOW + 9, anew=False)
        assert [(w.seat, w.since, w.due) for w in tx.games.waiting(game)] == [
            ("Bob", NOW + 9, None)
        ]
        tx.games.wait_for(game, "", (), NOW + 9)
        assert tx.games.waiting() == ()


def test_an_occasion_has_one_letter_of_a_key(store: Store) -> None:
    with store.transaction() as tx:
        assert tx.letters.queue([letter("turn:1")], NOW)
        assert not tx.letters.queue([letter("turn:1")], NOW)
        assert tx.letters.queue([letter("turn:2")], NOW)
    assert store.work.counts().outbox == {"new": 2}


@pytest.mark.long
def test_talk_is_read_from_a_position_on(store: Store) -> None:
    game = opened(store).id
    with store.transaction() as tx:
        for number, said in enumerate(("hello", "my turn", "well played")):
            tx.log.say(game, "Ann", said, number, NOW)
        assert [talk.text for talk in tx.log.talks(game, 1)] == ["my turn", "well played"]
        assert [talk.text for talk in tx.log.talks(game)] == ["hello", "my turn", "well played"]


def answered(tx: Tx, address: str, kind: str, now: int) -> bool:
    """Whether a limited answer may go to an address; if so, it is counted."""
    counters = rations.address(address, kind)
    if tx.answers.ration(counters, now).left < 1:
        return False
    tx.answers.count(counters, now)
    return True


@pytest.mark.long
def test_an_address_gets_one_error_answer_in_ten_minutes_and_twenty_a_day(store: Store) -> None:
    with store.transaction() as tx:
        assert answered(tx, "Ann@x", "error", NOW)
        assert not answered(tx, "ann@X", "error", NOW + 599)
        assert answered(tx, "bob@x", "error", NOW + 599)
        given = [answered(tx, "ann@x", "error", NOW + 600 * n) for n in range(1, 25)]
        assert given == [True] * 19 + [False] * 5
        assert answered(tx, "ann@x", "error", NOW + 86_400)


def test_variants_of_a_mailbox_share_its_ration(store: Store) -> None:
    with store.transaction() as tx:
        assert answered(tx, "who+1@x.test", "error", NOW)
        assert not answered(tx, "Who+2@X.test", "error", NOW)
        assert answered(tx, "other@x.test", "error", NOW)
        with pytest.raises(KeyError):
            answered(tx, "who@x", "greeting", NOW)


@pytest.mark.long
def test_a_ration_says_which_answer_is_the_last_and_until_when(store: Store) -> None:
    who = rations.stranger("who@x.test")
    with store.transaction() as tx:
        for number in range(5):
            assert not tx.answers.ration(who, NOW + number).last
            tx.answers.count(who, NOW + number)
        assert tx.answers.ration(who, NOW + 10) == rations.Ration(1, NOW + 3600)
        tx.answers.count(who, NOW + 10)
        assert tx.answers.ration(who, NOW + 3599) == rations.Ration(0, NOW + 3600)
        assert tx.answers.ration(who, NOW + 3600).left == 1
        assert tx.answers.ration(rations.stranger("else@x.test"), NOW + 20).left == 6


@pytest.mark.long
def test_a_domain_has_a_ration_and_so_has_everybody(store: Store) -> None:
    with store.transaction() as tx:
        for number in range(60):
            tx.answers.count(rations.stranger(f"who{number}@x.test"), NOW)
        assert tx.answers.ration(rations.stranger("new@x.test"), NOW).left == 0
        assert tx.answers.ration(rations.stranger("new@y.test"), NOW).left == 6
        for number in range(140):
            tx.answers.count(rations.stranger(f"who@d{number}.test"), NOW)
        assert tx.answers.ration(rations.stranger("new@y.test"), NOW).left == 0


def test_unanswered_emails_of_a_seat_come_together(store: Store) -> None:
    mails = [
        store.mails.keep(Arrived("inbox", 1, n, b"%d" % n, NOW, f"<{n}@x>", "ann@x", ""), NOW)
        for n in range(1, 4)
    ]
    with store.transaction() as tx:
        tx.answers.answer_later("dixie7", "Ann", mails[0], "hm", NOW, NOW + 100)
        tx.answers.answer_later("dixie7", "Bob", mails[1], "hm", NOW, NOW + 900)
        tx.answers.answer_later("dixie7", "Ann", mails[2], "hm", NOW, NOW + 900)
        waiting = tx.answers.unanswered("dixie7", "Ann")
        assert [one.inbox_id for one in waiting] == [mails[0], mails[2]]
        tx.answers.forget_unanswered(waiting)
        assert tx.answers.unanswered("dixie7", "Ann") == ()
        assert [one.holder for one in tx.answers.unanswered("dixie7", "Bob")] == ["Bob"]


@pytest.mark.long
def test_an_answer_rolled_back_was_not_given(store: Store) -> None:
    with pytest.raises(ZeroDivisionError), store.transaction() as tx:
        assert answered(tx, "ann@x", "error", NOW)
        raise ZeroDivisionError
    with store.transaction() as tx:
        assert answered(tx, "ann@x", "error", NOW)


@pytest.mark.long
def test_single_values_are_replaced(store: Store) -> None:
    with store.transaction() as tx:
        assert tx.meta.get("seen") is None
        tx.meta.set("seen", "1")
        tx.meta.set("seen", "2")
    with store.transaction() as tx:
        assert tx.meta.get("seen") == "2"


@pytest.mark.long
def test_an_ended_game_keeps_every_25th_snapshot_and_the_last(store: Store) -> None:
    game, other = opened(store), opened(store, "other")
    with store.transaction() as tx:
        for _ in range(54):
            play(tx, game.id, "pass")
        play(tx, other.id, "")
        play(tx, other.id, "pass")
    assert store.thin(game.id) == 0, "a running game needs them all"
    with store.transaction() as tx:
        tx.games.set_status(game.id, "ended", NOW)
        tx.games.set_status(other.id, "ended", NOW)
    assert store.thin(game.id) == 50
    assert store.thin(game.id) == 0
    with store.transaction() as tx:
        left = [row.number for row in tx.log.actions(game.id) if row.snapshot is not None]
        assert left == [0, 25, 50, 53]
        assert all(row.snapshot for row in tx.log.actions(other.id))
