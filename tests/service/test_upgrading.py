"""An upgrade of the tables while workers of the former version run: they end first, or it waits."""

import asyncio
from types import SimpleNamespace

import pytest
import sqlalchemy as sa

from service.app import upgrading
from service.app.daemon import Daemon
from service.app.wiring import open_office, open_store, presence_of
from service.settings import load
from service.store import Store, Unavailable
from service.store.postgres import WorkerLink
from service.workshop.demo.demo import write_config
from service.workshop.demo.embedded import PostOffice
from tests.service.players import SECRET
from tests.service.test_workers import serving

pytest_plugins = ["tests.service.postgres"]


@pytest.fixture(scope="module")
def post():
    with PostOffice() as office:
        yield office


@pytest.fixture
def config(post, database, tmp_path, monkeypatch):
    monkeypatch.setenv("WAYBILL_DATABASE__URL", database)
    return write_config(tmp_path, post, SECRET.decode())


@pytest.fixture
def upgraded(monkeypatch):
    """What was done when the tables were upgraded: here they always seem to be old."""
    done, watched = [], []
    real = Store.upgrade
    monkeypatch.setattr(Store, "outdated", lambda store: True)

    def upgrade(store):
        real(store)
        done.append(store)
        for each in watched:
            each()

    monkeypatch.setattr(Store, "upgrade", upgrade)
    return SimpleNamespace(done=done, watched=watched)


@pytest.mark.long
def test_a_worker_of_the_former_version_ends_before_the_tables_are_upgraded(config, upgraded):
    settings = load(config)
    refused = []

    def begins_meanwhile():
        with pytest.raises(Unavailable) as why:
            presence_of(settings)
        refused.append(str(why.value))

    open_store(settings).close()
    with serving(config) as worker:
        upgraded.watched.append(begins_meanwhile)
        open_store(settings).close()
        worker.wait(20)
    assert worker.returncode == 1, "with an error, so that its supervisor starts it again"
    assert refused == [upgrading.SUPERSEDED]
    assert any(upgrading.SUPERSEDED in line for line in worker.said)
    presence_of(settings).close()


def test_the_tables_stay_as_they_are_while_a_worker_does_not_end(config, upgraded, monkeypatch):
    monkeypatch.setattr(upgrading, "_PATIENCE", 0.3)
    settings = load(config)
    open_store(settings).close()
    here = presence_of(settings)
    del upgraded.done[:]
    with pytest.raises(Unavailable) as why:
        open_store(settings)
    assert upgraded.done == []
    assert str(why.value) == upgrading.STILL_AT_WORK.format(workers=here.name)
    here.close()
    open_store(settings).close()
    assert len(upgraded.done) == 1


def test_a_daemon_that_is_asked_to_end_says_why(config):
    settings = load(config)
    office = open_office(settings)
    office.presence.must_end = lambda: True
    with pytest.raises(Unavailable) as why:
        asyncio.run(Daemon(office, settings).run())
    assert str(why.value) == upgrading.SUPERSEDED


@pytest.mark.postgresql
@pytest.mark.long
def test_a_worker_that_has_missed_the_upgrade_ends_too(on_postgresql):
    store = Store(on_postgresql)
    store.upgrade()
    here = WorkerLink(on_postgresql)
    assert not here.must_end()
    with store._engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    assert here.must_end()
    here.close()
    store.close()
