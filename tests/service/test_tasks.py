"""Work of all kinds is claimed in one way: by game, by time, under a lease, a few times."""

from dataclasses import dataclass, field

import pytest

from service.app import office
from service.app.office import CONFLICTS
from service.desk import due_tasks
from service.desk.door import Done
from service.store import AlreadySettled, Arrived, Conflict, Store, Task, Unavailable
from service.store.claims import PAUSES
from service.store.mails import MAIL_TRIES
from tests.service.players import GAME, NOW, OPERATOR, address, opened

pytest_plugins = ["tests.service.postgres"]

LEASE = 60
KINDS = ("order", "clock")


def put(store: Store, key: str, due: int, game: str = "dixie7", kind: str = "order") -> int | None:
    with store.transaction() as tx:
        return tx.tasks.add(Task(kind, key, due, game, "Ann", b"pass"), NOW)


def claim(store: Store, now: int, worker: str = "w", kinds=KINDS) -> str | None:
    row = store.tasks.claim(worker, now, LEASE, kinds)
    return None if row is None else row.key


def finish(store: Store, key: str, now: int) -> None:
    row = store.tasks.claim("w", now, LEASE, KINDS)
    assert row is not None and row.key == key
    with store.transaction() as tx:
        tx.tasks.finish(row.id, "done")


def mail(store: Store, uid: int, received: int, game: str = "dixie7") -> None:
    store.mails.keep(Arrived("a", 1, uid, b"%d" % uid, received, f"<{uid}@x>", "ann@x", game), NOW)


def test_a_task_is_set_once_and_handed_out_when_it_is_due(store: Store) -> None:
    assert put(store, "a", NOW + 10) is not None
    assert put(store, "a", NOW) is None
    assert claim(store, NOW + 9) is None
    row = store.tasks.claim("w", NOW + 10, LEASE, KINDS)
    assert (row.kind, row.game, row.seat, row.payload) == ("order", "dixie7", "Ann", b"pass")
    assert claim(store, NOW + 10) is None, "it is in work"


def test_a_task_replaces_what_its_seat_has_to_do_later_and_nothing_else(store: Store) -> None:
    put(store, "early", NOW + 1)
    put(store, "late", NOW + 9)
    put(store, "of another kind", NOW + 9, kind="clock")
    with store.transaction() as tx:
        tx.tasks.replace([Task("order", "new", NOW + 5, "dixie7", "Ann")], NOW)
        assert {row.key for row in tx.tasks.of("order", "dixie7", "Ann")} == {"early", "new"}
        assert [row.key for row in tx.tasks.of("clock", "dixie7", "Ann")] == ["of another kind"]


@pytest.mark.long
def test_tasks_of_a_game_go_by_their_time_and_games_side_by_side(store: Store) -> None:
    put(store, "late", NOW + 2)
    put(store, "early", NOW + 1, kind="clock")
    put(store, "elsewhere", NOW + 5, "other")
    put(store, "free", NOW + 6, "")
    put(store, "free too", NOW + 6, "")
    now = NOW + 10
    assert [claim(store, now) for _ in range(5)] == ["early", "elsewhere", "free", "free too", None]
    store.work.give_back("w", NOW)
    finish(store, "early", now)
    finish(store, "late", now)


@pytest.mark.long
def test_a_task_of_a_kind_that_nobody_knows_waits_and_is_in_nobodys_way(store: Store) -> None:
    put(store, "vote", NOW, kind="vote")
    put(store, "order", NOW + 1)
    assert claim(store, NOW + 2) == "order"
    assert claim(store, NOW + 2, kinds=("vote",)) is None, "its game is in work"


def test_mails_that_came_before_a_task_was_due_go_first(store: Store) -> None:
    put(store, "a", NOW + 10)
    mail(store, 1, NOW + 10)
    mail(store, 2, NOW + 11)
    mail(store, 3, NOW, "other")
    now = NOW + 20
    assert claim(store, now) is None
    first = store.mails.claim("w", now, LEASE)
    assert claim(store, now) is None
    with store.transaction() as tx:
        tx.mails.finish(first.id, "done")
    assert claim(store, now) == "a", "what came later waits for it"
    assert store.mails.claim("w2", now, LEASE).game == "other"
    assert store.mails.claim("w2", now, LEASE) is None, "a task of the game is in work"


@pytest.mark.long
def test_a_task_whose_worker_died_is_done_by_another(store: Store) -> None:
    put(store, "a", NOW)
    row = store.tasks.claim("w", NOW, LEASE, KINDS)
    assert claim(store, NOW + LEASE - 1, "v") is None
    assert claim(store, NOW + LEASE, "v") == "a"
    assert not store.work.release(row), "the claim has run out"
    assert not store.work.put_aside(row, "late")
    assert store.work.give_back("v", NOW) == 1
    again = store.tasks.claim("u", NOW + LEASE, LEASE, KINDS)
    assert again.tries == 3
    with store.transaction() as tx:
        tx.tasks.finish(again.id)
    with pytest.raises(AlreadySettled), store.transaction() as tx:
        tx.tasks.finish(again.id)


@pytest.mark.long
def test_a_task_that_is_put_off_counts_no_try_and_waits_longer_each_time(store: Store) -> None:
    put(store, "a", NOW)
    put(store, "b", NOW + 1)
    now = NOW + 1
    for pause in (*PAUSES, PAUSES[-1]):
        row = store.tasks.claim("w", now, LEASE, KINDS)
        assert (row.key, row.tries) == ("a", 1)
        assert store.work.put_off(row, now, "the disk is full")
        assert claim(store, now + pause - 1) is None, "its game waits with it"
        now += pause
    assert claim(store, now) == "a"


def test_a_task_far_ahead_is_not_taken_for_one_of_a_clock_that_was_set_back(store: Store) -> None:
    put(store, "a", NOW + 10_000_000)
    assert claim(store, NOW) is None


@dataclass
class Worker:
    """A handler that does what it is told."""

    raises: list[Exception] = field(default_factory=list)
    seen: list[tuple[str, int]] = field(default_factory=list)

    def __call__(self, store, service, now, row):
        self.seen.append((row.key, row.tries))
        if self.raises:
            raise self.raises.pop(0)
        return Done("done")


@pytest.fixture
def players(tmp_path):
    found = opened(f"sqlite:///{tmp_path}/waybill.sqlite")
    yield found
    found.store.close()


@pytest.fixture
def worker(monkeypatch):
    made = Worker()
    monkeypatch.setattr(due_tasks, "HANDLERS", {"order": made})
    monkeypatch.setattr(office, "KINDS", ("order",))
    return made


@pytest.mark.long
def test_the_office_does_what_is_due_by_its_kind(players, worker):
    put(players.store, "a", NOW)
    put(players.store, "later", NOW + 5)
    assert players.office.moderate()
    assert not players.office.moderate()
    players.now += 5
    players.work()
    assert worker.seen == [("a", 1), ("later", 1)]


@pytest.mark.long
def test_a_task_that_meets_another_is_begun_again_and_in_the_end_put_aside(players, worker):
    worker.raises = [Conflict("the game has gone on")] * CONFLICTS
    put(players.store, "a", NOW, GAME)
    letters = players.work()
    assert [tries for _, tries in worker.seen] == [1] * CONFLICTS, "no conflict counts as a kill"
    [told] = letters
    assert (told.to, told.kind) == (OPERATOR, "fault")
    assert "Task 1 (a)" in told.text
    assert "the game has gone on" in told.text


def test_a_conflict_after_kills_puts_nothing_aside(players, worker):
    put(players.store, "a", NOW, GAME)
    for number in range(MAIL_TRIES - 1):
        assert players.store.tasks.claim(f"dead{number}", players.now, 60, KINDS) is not None
        players.store.work.give_back(f"dead{number}", players.now)
        players.now += 600
    worker.raises = [Conflict("the game has gone on")]
    assert players.work() == []
    assert worker.seen == [("a", MAIL_TRIES)] * 2
    assert players.store.work.counts().inbox == {}


def test_a_fault_of_ours_puts_a_task_aside_and_the_run_goes_on(players, worker):
    worker.raises = [ValueError("odd")]
    put(players.store, "a", NOW)
    put(players.store, "b", NOW)
    players.work()
    assert worker.seen == [("a", 1), ("b", 1)]
    assert players.store.tasks.aside()[0].note == "ValueError: odd"
    assert players.store.tasks.retry(1)
    assert not players.store.tasks.retry(1)
    players.work()
    assert worker.seen[2:] == [("a", 1)]
    assert players.store.tasks.aside() == ()


@pytest.mark.long
def test_of_many_tasks_put_aside_the_operator_is_told_in_one_letter(players, worker):
    worker.raises = [ValueError("odd")] * 9
    for number in range(9):
        put(players.store, f"t{number}", NOW, GAME)
    letters = players.work()
    players.now += 60
    letters += players.work()
    assert [letter.kind for letter in letters] == ["fault"] * 3 + ["faults"]
    assert letters[-1].subject.endswith("9 emails and tasks are put aside")
    assert "task 9" in letters[-1].text
    assert "ValueError: odd" in letters[-1].text
    worker.raises = [ValueError("odd again")]
    players.now += 3600
    assert players.store.tasks.retry(1)
    [again] = players.work()
    assert "odd again" in again.text


@pytest.mark.long
def test_trouble_of_the_surroundings_is_no_try_of_a_task(players, worker):
    worker.raises = [Unavailable("the disk is full")]
    put(players.store, "a", NOW)
    players.work()
    players.now += PAUSES[0]
    players.work()
    assert worker.seen == [("a", 1), ("a", 1)]


@pytest.mark.long
def test_answers_that_wait_are_a_task(players):
    players.begin()
    for number in range(8):
        players.write("Ann", f"gibberish {number}")
    with players.store.transaction() as tx:
        held = tx.answers.unanswered(GAME, "Ann")
    assert len(held) == 2
    players.now = held[0].due
    [letter] = players.work()
    assert (letter.to, letter.kind) == (address("Ann"), "late-answer")
    assert players.work() == []
