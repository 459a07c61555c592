"""A worker that dies anywhere leaves each mail to be applied exactly once and answered once."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from service.store import Arrived, Letter, NewAction, NewGame, Store
from service.store.occasions import by_mail

pytestmark = pytest.mark.long

pytest_plugins = ["tests.service.postgres"]

NOW = 1_000_000
LEASE = 60
MAILS = 3
POINTS = ("after the claim", "inside the transaction", "before the commit", "after the commit")
DIED = 86
ROOT = Path(__file__).resolve().parents[2]


def work(store: Store, worker: str, now: int, die: str = "") -> bool:
    """Moderate one mail as the service does; dies like a power cut at the point called ``die``."""

    def at(point: str) -> None:
        if point == die:
            os._exit(DIED)

    mail = store.mails.claim(worker, now, LEASE)
    if mail is None:
        return False
    at("after the claim")
    with store.transaction() as tx:
        game = tx.games.named(mail.game)
        number = tx.log.present(game.id)[1]
        text = mail.raw.decode()
        occasion = tx.occasions.record(by_mail(mail.id, game.name, "Ann"), now)
        step = NewAction(game.head, number, "Ann", text, b"", b"", 1, "", b"state", occasion, 1)
        new = tx.log.add(game.id, step, now)
        at("inside the transaction")
        assert tx.log.move_head(game.id, game.head, new)
        key = f"receipt:{mail.id}"
        tx.letters.queue(
            [Letter(key, game.name, "receipt", "ann@x", "b@x", b"done", f"<{key}@x>")], now
        )
        tx.mails.finish(mail.id, "done")
        at("before the commit")
    at("after the commit")
    return True


@pytest.mark.parametrize("point", POINTS)
def test_each_mail_is_applied_once_and_answered_once(
    store: Store, database: str, point: str
) -> None:
    with store.transaction() as tx:
        game = tx.games.add(NewGame("dixie7", "18AL", b"", b"", "eve@x"), NOW).id
    for uid in range(MAILS):
        text = b"line %d" % uid
        store.mails.keep(Arrived("a", 1, uid, text, NOW, f"<in{uid}@x>", "ann@x", "dixie7"), NOW)

    dying = [sys.executable, "-m", __name__, database, point]
    assert subprocess.run(dying, check=False, cwd=ROOT).returncode == DIED
    settled = 1 if point == "after the commit" else 0
    assert store.work.counts().inbox.get("done", 0) == settled
    if not settled:
        assert not work(store, "second", NOW + LEASE - 1), "the dead worker's lease holds"
    while work(store, "second", NOW + LEASE):
        pass

    with store.transaction() as tx:
        applied = tx.log.actions(game)
        assert [row.text for row in applied] == ["line 0", "line 1", "line 2"]
        assert [row.number for row in applied] == [0, 1, 2]
        assert tx.log.head(game).id == applied[-1].id
        mails = [tx.occasions.get(row.occasion_id).mail for row in applied]
    assert store.work.counts().inbox == {"done": MAILS}
    answers = store.letters.recent("ann@x", "dixie7")
    assert [row.key for row in answers] == [f"receipt:{mail}" for mail in mails[::-1]]


if __name__ == "__main__":
    work(Store(sys.argv[1]), "first", NOW, die=sys.argv[2])
