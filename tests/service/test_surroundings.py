"""A full disk, a database that is away, lacking memory: no mail is put aside for them."""

import asyncio
import errno
import sqlite3

import pytest

from service.app import trouble
from service.app.office import MODERATE_LEASE
from service.app.trouble import of_surroundings
from service.desk.turns.turn import TurnEmail
from service.store import Unavailable
from service.store.letters import LetterQueue
from service.store.mails import MAIL_TRIES
from service.store.work import WorkQueue
from tests.service.players import GAME, OPERATOR, address, to
from tests.service.test_undelivered import post, sending


@pytest.fixture
def move(players):
    raw = players.mail(address("Ann"), players.seat_address(GAME, "Ann"), "buy TR")
    assert players.arrive(raw)


def no_space(*args):
    raise OSError(errno.ENOSPC, "No space left on device", "/tmp/x.png")


def moderate(players):
    """As the daemon's job does; False while the database is away."""
    try:
        while players.office.moderate():
            pass
    except Unavailable:
        return False
    return True


@pytest.mark.long
@pytest.mark.parametrize("minutes", [20, pytest.param(600, marks=pytest.mark.long)])
def test_twenty_minutes_without_space_put_no_mail_aside(players, move, monkeypatch, minutes):
    with monkeypatch.context() as patch:
        patch.setattr(TurnEmail, "_receipt", no_space)
        for _ in range(6 * minutes):
            moderate(players)
            players.now += 10
        assert players.store.work.counts().inbox["new"] == 1
    assert players.store.mails.aside() == ()
    players.now += 600
    assert to(players.work(), "Ann") == ["receipt"]
    assert players.texts() == ["buy TR"]


@pytest.mark.long
def test_a_database_that_fills_up_is_real_and_loses_no_mail(players, move):
    """SQLite's own limit stands for the disk: it answers a commit as a full disk does."""
    engine = players.store._engine
    with engine.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()

    def limit(to):
        engine.dispose()
        from sqlalchemy import event

        def narrow(connection, record):
            connection.execute(f"PRAGMA max_page_count={to}")

        event.listen(engine, "connect", narrow)

    limit(pages)
    assert players.office.moderate() or True
    for _ in range(120):
        moderate(players)
        players.now += 10
    assert players.store.mails.aside() == ()
    assert players.texts() == []
    limit(1_000_000)
    players.now += 600
    assert to(players.work(), "Ann") == ["receipt"]
    assert players.texts() == ["buy TR"]


def test_a_mail_whose_try_cannot_be_given_back_is_given_back_later(players, move, monkeypatch):
    def away(self, *args, **kwargs):
        raise Unavailable("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(TurnEmail, "_receipt", away)
        patch.setattr(WorkQueue, "put_off", away)
        for _ in range(10):
            assert not moderate(players) or players.office.watch.rests("storage", players.now)
            players.now += MODERATE_LEASE
    players.now += 600
    assert players.work() == [], "only now its try is given back"
    players.now += 600
    assert to(players.work(), "Ann") == ["receipt"]
    [tries] = {
        row[0]
        for row in sqlite3.connect(players.store._engine.url.database).execute(
            "SELECT tries FROM inbox WHERE status = 'done' ORDER BY id DESC LIMIT 1"
        )
    }
    assert tries == 1


def test_other_games_go_on_while_one_mail_is_put_off(players, move, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(TurnEmail, "_receipt", no_space)
        players.stranger("eve@x.test", "games")
        assert [one.to for one in players.letters[-1:]] == ["eve@x.test"]


def test_the_operator_is_told_once_when_it_begins_and_once_when_it_ends(players, move, monkeypatch):
    def away(self, *args, **kwargs):
        raise Unavailable("database or disk is full")

    with sending(players) as server:
        with monkeypatch.context() as patch:
            for queue, name in (
                (WorkQueue, "claim"),
                (WorkQueue, "put_off"),
                (LetterQueue, "claim"),
                (LetterQueue, "untold"),
            ):
                patch.setattr(queue, name, away)
            for _ in range(60):
                moderate(players)
                assert asyncio.run(players.office.send()) == 0
                players.now += 20
        assert server.got(OPERATOR) == [trouble.CANNOT_WORK_SUBJECT]
        players.now += 600
        moderate(players)
        post(players)
        assert server.got(OPERATOR) == [trouble.CANNOT_WORK_SUBJECT, trouble.HANDLED_AGAIN]
        assert len(server.got(address("Ann"))) == 1
    assert players.texts() == ["buy TR"]


def test_what_went_out_is_not_sent_again_because_it_could_not_be_written_down(
    players, move, monkeypatch
):
    assert players.office.moderate()
    real, fails = LetterQueue.settle, [1, 1]

    def sometimes(self, *args):
        if fails:
            fails.pop()
            raise Unavailable("database or disk is full")
        return real(self, *args)

    monkeypatch.setattr(LetterQueue, "settle", sometimes)
    with sending(players) as server:
        for _ in range(2):
            with pytest.raises(Unavailable):
                asyncio.run(players.office.send())
            players.now += 3600
        post(players)
        assert len(server.taken) == 3
    assert set(players.store.work.counts().outbox) == {"sent"}


def test_lack_of_memory_is_tried_again_but_not_for_ever(players, move, monkeypatch):
    tried = []

    def hungry(self):
        tried.append(1)
        raise MemoryError

    monkeypatch.setattr(TurnEmail, "effect", hungry)
    moderate(players)
    assert len(tried) == MAIL_TRIES
    assert len(players.store.mails.aside()) == 1


@pytest.mark.parametrize(
    ("error", "outside"),
    [
        (OSError(errno.ENOSPC, "x"), "no space is left on the disk"),
        (OSError(errno.EMFILE, "x"), "too many files are open"),
        (Unavailable("locked"), "the database cannot be used: locked"),
        (FileNotFoundError(errno.ENOENT, "x"), ""),
        (ValueError("x"), ""),
    ],
)
def test_whose_fault_it_is(error, outside):
    wrapped = RuntimeError("drawing failed")
    wrapped.__cause__ = error
    for one in (error, wrapped):
        assert of_surroundings(one).startswith(outside)
        assert bool(of_surroundings(one)) == bool(outside)
