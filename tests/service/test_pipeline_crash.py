"""The whole pipeline dies at every call of the store in turn: no mail is lost, none done twice.

A process of its own, with a single thread, plays the service: it forks a worker that dies like in a
power cut, then one that goes on an hour later, and says what came of it.
"""

import json
import mailbox
import os
import shutil
import subprocess
import sys
import traceback
from contextlib import contextmanager
from functools import wraps
from pathlib import Path

import pytest

from service.app.office import Office
from service.app.relays import Relays
from service.desk.service import Service
from service.desk.vocabulary.table import VOCABULARY
from service.mail.maildir import MaildirMailbox
from service.mail.sender import Sent, SmtpSettings
from service.store import QUEUES, REPOSITORIES, Store
from tests.engine.notation import positions
from tests.service.players import ADDRESS, GAME, NOW, SECRET, address, opened

DIED = 86
ROOT = Path(__file__).resolve().parents[2]
CALLS = {
    QUEUES["mails"]: ("keep",),
    QUEUES["work"]: ("claim", "release", "put_aside"),
    QUEUES["letters"]: ("claim", "settle"),
    REPOSITORIES["log"]: ("add", "move_head", "say"),
    REPOSITORIES["seats"]: ("change",),
    REPOSITORIES["letters"]: ("queue",),
    REPOSITORIES["mails"]: ("finish",),
    REPOSITORIES["ahead"]: ("give", "drop", "keep_partial"),
    REPOSITORIES["orders"]: ("add", "note", "strike"),
}


def taken_back(people, seat):
    """A move with a word to all and a setting, and its undoing."""
    return [
        people.mail(address("Ann"), seat["Ann"], "buy TR", "say: here we go", "news off"),
        people.mail(address("Ann"), seat["Ann"], "undo"),
    ]


def answered(people, seat):
    """An offer with a rest that waits, another rest in its place, and the answer."""
    # later mails show the position of the offer, however late the first one is handled
    ann, bob = (people.seat_address(GAME, name, number=2) for name in ("Ann", "Bob"))
    return [
        people.mail(address("Ann"), seat["Ann"], "sell private TR to Bob for 30", "pass"),
        people.mail(address("Ann"), ann, "sell 1 L&N", "buy M&O market"),
        people.mail(address("Bob"), bob, "accept"),
    ]


def ordered(people, seat):
    """Orders of two players, a mail that they follow, one that is refused and gone on with."""
    cat = people.seat_address(GAME, "Cat")
    later = people.seat_address(GAME, "Ann", number=3)
    return [
        people.mail(address("Bob"), seat["Bob"], "pass until round ends"),
        people.mail(address("Cat"), cat, "next: bid NDY 125 then buy NDY"),
        people.mail(address("Ann"), seat["Ann"], "bid M&C 105"),
        people.mail(address("Ann"), later, "bid M&C 500", "buy NDY"),
        people.mail(address("Ann"), later, "go 1"),
    ]


def written(folder, story):
    """The mails that wait.

    A game is begun here first, so that forked workers find titles and templates read already.
    """
    people = opened(f"sqlite:///{folder}/other.sqlite", first=500)
    people.begin()
    people.write("Ann", "buy TR", "undo")
    people.store.close()
    seats = {name: people.seat_address(GAME, name) for name in ("Ann", "Bob")}
    return story(people, seats)


class Fate:
    """Counts the calls of the store and lets the process die at one of them."""

    def __init__(self, deadly):
        self.deadly, self.count = deadly, 0

    def step(self):
        self.count += 1
        if self.count == self.deadly:
            os._exit(DIED)

    def watch(self):
        for kind, names in CALLS.items():
            for name in names:
                setattr(kind, name, self._watched(getattr(kind, name)))
        Store.transaction = self._commit(Store.transaction)

    def _watched(self, call):
        @wraps(call)
        def watched(*args, **kwargs):
            self.step()
            return call(*args, **kwargs)

        return watched

    def _commit(self, transaction):
        @contextmanager
        def watched(store):
            with transaction(store) as tx:
                yield tx
                self.step()
            self.step()

        return watched


def serve(folder, now, deadly=0):
    """All three jobs until nothing is left; how many calls of the store there were."""

    async def send(smtp, batch):
        with (folder / "sent").open("a") as sent:
            for mail in batch:
                sent.write(f"{mail.id}\n")
                sent.flush()
        return [Sent(mail.id, "sent", "") for mail in batch]

    fate = Fate(deadly)
    fate.watch()
    store = Store(f"sqlite:///{folder}/waybill.sqlite")
    service = Service(
        ADDRESS, "Waybill", SECRET, render=lambda svg, width: b"\x89PNG", commands=VOCABULARY
    )
    box = MaildirMailbox(folder / "mails")
    smtp = SmtpSettings("nowhere", 25)
    office = Office(store, service, (box,), Relays.of(smtp), clock=lambda: now, deliver=send)
    office.fetch()
    while office.moderate():
        pass
    coroutine = office.send()
    while _finished(coroutine):
        coroutine = office.send()
    store.close()
    return fate.count


def _finished(coroutine):
    """Run a coroutine whose threads would not outlive a fork, in this one."""
    import asyncio

    async def here(call, *args):
        return call(*args)

    asyncio.to_thread = here
    return asyncio.run(coroutine)


def forked(folder, now, deadly=0):
    """Serve in a process of its own; its exit status, and the calls it made if it ended well."""
    child = os.fork()
    if child == 0:
        try:
            calls = serve(folder, now, deadly)
            (folder / "calls").write_text(str(calls))
            os._exit(0)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def outcome(folder):
    """What the database says in the end."""
    import sqlite3

    with sqlite3.connect(folder / "waybill.sqlite") as base:
        game = base.execute("SELECT id, head FROM game").fetchone()
        found = {
            "game": game,
            "actions": base.execute(
                "SELECT number, action.seat, text, occasion.key, line, waiting.seat FROM action "
                "JOIN occasion ON occasion.id = occasion_id LEFT JOIN waiting "
                "ON waiting.game_id = action.game_id ORDER BY action.id, waiting.id"
            ).fetchall(),
            "talk": base.execute("SELECT seat, text, number FROM talk ORDER BY id").fetchall(),
            "ahead": base.execute("SELECT seat, commands, number FROM ahead").fetchall(),
            "orders": base.execute(
                "SELECT seat, standing_order.number, text, order_state.number, step, status, "
                "struck FROM standing_order JOIN order_state ON order_id = standing_order.id "
                "ORDER BY order_state.id"
            ).fetchall(),
            "partial": base.execute("SELECT seat, commands, follows FROM partial").fetchall(),
            "seats": base.execute("SELECT name, settings FROM seat ORDER BY id").fetchall(),
            "inbox": base.execute("SELECT status, note FROM inbox ORDER BY id").fetchall(),
            "letters": base.execute(
                "SELECT key, kind, recipient, message_id, status FROM outbox ORDER BY id"
            ).fetchall(),
        }
    base.close()
    sent = (folder / "sent").read_text().split()
    found["sent"] = sorted(set(sent), key=int)
    found["left"] = [m.get_flags() for m in mailbox.Maildir(folder / "mails")]
    return json.loads(json.dumps(found, default=repr)), len(sent)


def prepare(folder, begun, mails):
    folder.mkdir()
    shutil.copy(begun, folder / "waybill.sqlite")
    box = mailbox.Maildir(folder / "mails")
    for number, mail in enumerate(mails):
        name = box.add(mail)
        file = next((folder / "mails" / "new").glob(f"{name}*"))
        os.utime(file, (NOW + number, NOW + number))


def main(folder, begun, every, story):
    """Every so many crash points in turn; prints what differs from a run without a crash."""
    mails = written(folder, story)
    good = folder / "good"
    prepare(good, begun, mails)
    assert forked(good, NOW) == 0
    expected, once = outcome(good)
    calls = int((good / "calls").read_text())
    wrong, resent = [], 0
    for deadly in range(1, calls + 1, every):
        place = folder / str(deadly)
        prepare(place, begun, mails)
        status = forked(place, NOW, deadly)
        if status != DIED:
            wrong.append(f"{deadly}: ended with {status}")
            continue
        # an hour later every lease has run out
        status = forked(place, NOW + 3600)
        found, sent = outcome(place)
        resent += sent > once
        wrong += [f"{deadly}: {k}: {found[k]}" for k in expected if found[k] != expected[k]]
        shutil.rmtree(place)
    print(json.dumps({"calls": calls, "wrong": wrong, "resent": resent, "expected": expected}))


def told_of(folder, file, every, story):
    """What comes of a story when the service dies at every so many calls of the store."""
    words = [str(folder), str(file), str(every), story.__name__]
    command = [sys.executable, "-m", __name__, *words]
    done = subprocess.run(command, check=True, cwd=ROOT, capture_output=True, text=True)
    told = json.loads(done.stdout)
    assert told["wrong"] == []
    assert told["calls"] > 25
    assert told["resent"] < 5, "only a crash while sending sends again, under the same id"
    assert told["resent"] or every > 1
    return told["expected"]


EVERY = pytest.mark.parametrize(
    "every", [30, *(pytest.param(n, marks=pytest.mark.long) for n in (6, 1))]
)


@pytest.mark.long
@EVERY
def test_a_crash_at_any_call_of_the_store_neither_loses_nor_doubles(begun_game, tmp_path, every):
    file = begun_game.file
    expected = told_of(tmp_path, file, every, taken_back)
    assert [row[2] for row in expected["actions"] if row[1]] == ["buy TR"]
    opening = expected["actions"][0]
    assert (opening[0], expected["game"][1]) == (0, 1), "taken back to the opening"
    assert expected["talk"] == [["Ann", "here we go", 1]]
    assert {row[0] for row in expected["inbox"]} == {"done"}
    assert expected["left"] == ["S"] * 2
    kinds = [row[1] for row in expected["letters"][-7:]]
    assert sorted(kinds) == ["news", "news", "receipt", "receipt", "turn", "turn", "void"]


@pytest.mark.long
@EVERY
def test_a_crash_neither_loses_nor_doubles_what_waits_for_an_answer(begun_game, tmp_path, every):
    shutil.copy(begun_game.file, tmp_path / "placed.sqlite")
    people = opened(f"sqlite:///{tmp_path}/placed.sqlite")
    people.place(positions.stock())
    people.store.close()
    expected = told_of(tmp_path, tmp_path / "placed.sqlite", every, answered)
    texts = ["accept", "sell 1 L&N", "buy M&O market", "pass"]
    assert [row[2] for row in expected["actions"]][-5:] == ["sell private TR to Bob for 30", *texts]
    assert len({row[3] for row in expected["actions"][-4:]}) == 1
    assert expected["ahead"] == []
    receipts = [row[2] for row in expected["letters"] if row[1] == "receipt"]
    assert receipts[-3:] == [address(name) for name in ("Ann", "Ann", "Bob")]
    assert {row[0] for row in expected["inbox"]} == {"done"}


@pytest.mark.long
@EVERY
def test_a_crash_neither_loses_nor_doubles_what_orders_do(begun_game, tmp_path, every):
    expected = told_of(tmp_path, begun_game.file, every, ordered)
    texts = ["bid M&C 105", "pass", "bid NDY 125", "bid M&C 500", "pass"]
    assert [row[2] for row in expected["actions"] if row[1]] == texts
    now = [row[:6] for row in expected["orders"]]
    assert now[0] == ["Bob", 1, "pass until round ends", -1, 0, "open"]
    assert [row[4] for row in now if row[0] == "Cat"] == [0, 1, 1]
    assert [row[0] for row in expected["partial"]] == ["Ann"]
    assert {row[0] for row in expected["inbox"]} == {"done"}


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), globals()[sys.argv[4]])
