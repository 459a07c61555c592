"""What the database reads for an email, a job and a claim does not grow with what is over.

`Visits` counts that, whatever else the machine does. `waybill bench scale` shows it for real games.
"""

import pytest
from sqlalchemy import select

from service.store import LATER, Letter, NewGame, OccasionRow, Store, Task, TaskRow
from service.store.agreements import OfferRow
from service.store.columns import table_of
from service.store.multiplying import Copy, Models, rows_of, vacuum
from service.store.visits import Visits
from tests.service.empty import with_tables
from tests.service.players import GAME, Kept, Players, address

pytest_plugins = ["tests.service.postgres"]

#: finished games beside the one that is played, and how many more cost may vary by
_FEW, _MANY, _MORE = 10, 100, 1.2
#: what is over when it is counted: its emails and letters are older than the rules of deletion
_AGE = 500 * 86_400


@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    """A game that has just begun."""
    return Kept.after(tmp_path_factory.mktemp("flat") / "begun.sqlite", Players.begin)


def finish(rows):
    """Let the game in these rows be over, with all its work done."""
    for game in rows["game"]:
        game |= {"status": "ended", "ended": game["created"]}
    rows["waiting"], rows["held"] = [], []
    for table, over in (("task", "done"), ("outbox", "sent"), ("inbox", "done")):
        for row in rows[table]:
            row["status"] = over
    return rows


def costs(players):
    """What each thing visits."""
    store, office, found = players.store, players.office, {}
    visits = Visits(store)
    for name, work in (
        ("a move", lambda: players.write("Ann", "buy TR")),
        ("a question", lambda: players.write("Bob", "status")),
        ("a stranger", lambda: players.stranger("eve@x.test", "games")),
        ("look", office.moderate),
        ("remind", office.remind),
        ("tidy", lambda: office.tidy(14, 365, 365)),
        ("due", store.work.due),
        ("counts", lambda: store.work.counts(settled=False)),
    ):
        with visits.counted() as visited:
            work()
        found[name] = visited.total()
    return found


@pytest.mark.long
def test_nothing_costs_more_with_ten_times_as_many_finished_games(begun, tmp_path):
    found = {}
    for number in (_FEW, _MANY):
        (tmp_path / str(number)).mkdir()
        with begun.copy(tmp_path / str(number)) as players:
            rows = finish(rows_of(begun.file))
            players.store.close()
            copies = [Copy(n, (f"over{n}", f"p{n}.test"), -_AGE) for n in range(number)]
            url = str(players.store._engine.url)
            Models({"over": rows}, (GAME, "players.test")).fill(url, "over", copies, print)
            players.office.tidy(14, 365, 365)
            found[number] = costs(players)
    few, many = found[_FEW], found[_MANY]
    assert {what: (few[what], many[what]) for what in few if many[what] > few[what] * _MORE} == {}


def claims(store, waiting):
    """What it visits to claim tasks and letters of each rank while so many wait."""
    visits, found = Visits(store), {}
    with store.transaction() as tx:
        tx.tasks.add_all([Task("x", f"{n}", 100 + n, f"g{n}") for n in range(waiting)], 1)
        digests = [Task("x", f"{n} {n}", n, f"g{n}", rank=LATER) for n in range(waiting)]
        tx.tasks.add_all([*digests, Task("y", "soon", 99)], 1)
        letters = [
            Letter(f"{n}", "", kind, address("Ann"), "b@x", b"%d" % n, f"<{n}@x>")
            for n, kind in enumerate(["digest"] * waiting + ["turn"] * 30)
        ]
        tx.letters.queue(letters, 1)
    for what, claim in (
        ("task", lambda: store.tasks.claim("w", 10**6, 60, ("x",))),
        ("task before digests", lambda: store.tasks.claim("w", 10**6, 60, ("y",))),
        ("digest", lambda: store.tasks.claim("w", 10**6, 60, ("x",), LATER)),
        ("first letters", lambda: store.letters.claim("w", 10**6, 60, 20)),
        ("more letters", lambda: store.letters.claim("w", 10**6, 60, 20)),
        ("work", lambda: store.work.claim("w", 10**6, 60, ("x",), ("y",))),
    ):
        with visits.counted() as visited:
            assert claim()
        found[what] = visited.total()
    return found


def test_a_claim_costs_the_same_however_much_waits(tmp_path):
    found = []
    for waiting in (50, 2000):
        with_tables(url := f"sqlite:///{tmp_path}/{waiting}.sqlite")
        store = Store(url)
        found.append(claims(store, waiting))
        store.close()
    few, many = found
    assert {what: (few[what], many[what]) for what in few if many[what] > few[what] * _MORE} == {}


@pytest.mark.postgresql
@pytest.mark.long
def test_a_look_for_work_reads_no_whole_table(on_postgresql):
    """PostgreSQL expects to find a due task soon, if many are due and many are not settled."""
    with_tables(on_postgresql)
    store = Store(on_postgresql)
    over = {"kind": "x", "status": "done", "created": 1}
    with store._engine.begin() as connection:
        rows = [{**over, "key": f"{n}", "due": n} for n in range(19_000)]
        connection.execute(table_of(TaskRow).insert(), rows)
    with store.transaction() as tx:
        tx.tasks.add_all([Task("x", f"{n}", n) for n in range(19_000, 20_000)], 1)
    with store._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("ANALYZE task")
    with Visits(store).counted() as visited:
        assert store.work.claim("w", 18_999, 60, ("x",), ("y",)) is None
    assert visited.total() < 100
    store.close()


@pytest.mark.postgresql
@pytest.mark.long
def test_occasions_are_forgotten_without_reading_what_refers_to_others(on_postgresql):
    """Of so many occasions, PostgreSQL would rather read a whole table that refers to them."""
    with_tables(on_postgresql)
    store, every = Store(on_postgresql), range(1, 6_001)
    with store.transaction() as tx:
        game = tx.games.add(NewGame("dixie7", "18AL", b"", b"{}", "eve@x.test"), 1).id
    offer = {"position": 1, "by": "Ann", "asked": "Bob", "text": "", "at": 1, "game_id": game}
    with store._engine.begin() as connection:
        rows = [{"id": n, "key": f"{n}", "kind": "x", "at": n} for n in every]
        connection.execute(table_of(OccasionRow).insert(), rows)
        offers = [{**offer, "number": n, "occasion_id": n} for n in every]
        connection.execute(table_of(OfferRow).insert(), offers)
    vacuum(on_postgresql)
    with Visits(store).counted() as visited, store.transaction() as tx:
        assert tx.occasions.forget(1, 1001) == 0
    assert visited["offer"] <= 2000
    store.close()


def test_a_scan_is_counted(tmp_path):
    """So the tests above can fail."""
    with_tables(url := f"sqlite:///{tmp_path}/scan.sqlite")
    store = Store(url)
    with store.transaction() as tx:
        tx.tasks.add_all([Task("x", f"{n}", n) for n in range(2000)], 1)
    visits = Visits(store)
    with visits.counted() as visited:
        store.everything()
    assert visited.total() > 2000
    assert any("FROM task" in statement for statement in visited)
    with visits.counted() as visited, store.reading() as reads:
        reads.tasks.aside(1)
        reads._session.execute(select(table_of(TaskRow))).all()
    assert visited.total() > 2000, "also where it only reads"
    store.close()
