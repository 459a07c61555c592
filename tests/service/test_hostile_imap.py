"""IMAP servers that drip, lie and hang up: no mail hides the others, and nothing takes for ever."""

import asyncio
import contextlib
from datetime import UTC, datetime, timedelta

import pytest

from service.app import daemon as daemons
from service.app.daemon import Daemon
from service.mail import mailbox as mailboxes
from service.mail.mailbox import ImapAccount, ImapMailbox, MailboxDown
from service.mail.message import OVER_LIMIT, RAW_LIMIT, read
from service.settings import Settings
from service.store import Arrived
from service.store.mails import FORMER
from tests.service.hostile_servers import DATE, Imap
from tests.service.players import ADDRESS, GAME, OPERATOR, address, says


def mail(number=1, text="pass"):
    return (
        f"From: Bob <bob@x.test>\r\nTo: {ADDRESS}\r\nSubject: t{number}\r\n"
        f"Message-ID: <{number}@x.test>\r\n\r\n{text}\r\n"
    ).encode()


@contextlib.contextmanager
def opened(server, **more):
    bounds = {"timeout": 5, "deadline": 5, **more}
    box = ImapMailbox(ImapAccount("127.0.0.1", server.port, "u", "p", "none", **bounds))
    with contextlib.closing(box):
        yield box


def looks(box, count):
    """What is fetched at so many looks, whatever becomes of each."""
    found = []
    for _ in range(count):
        with contextlib.suppress(MailboxDown):
            for fetched in box.fetch():
                found.append(read(fetched.raw).subject)
                box.done(fetched)
    return found


@pytest.mark.parametrize("place", ["greeting", "CAPABILITY", "LOGIN", "SELECT", "SEARCH", "FETCH"])
def test_a_server_that_drips_is_given_up(place):
    """Each octet comes in time, and the answer never: only a deadline for the whole ends it."""
    with (
        Imap({1: mail()}, drips=place) as server,
        opened(server, deadline=0.3, timeout=0.2) as box,
        pytest.raises(MailboxDown, match="in time"),
    ):
        list(box.fetch())


def test_a_deadline_is_for_each_exchange_not_for_all():
    with Imap({n: mail(n) for n in range(1, 4)}) as server, opened(server) as box:
        for fetched in box.fetch():
            box._bounds._until = 0.0
            box.done(fetched)
        assert server.seen == {1, 2, 3}


def test_what_is_under_way_can_be_ended_from_another_thread():
    async def go(server, box):
        fetching = asyncio.create_task(asyncio.to_thread(lambda: list(box.fetch())))
        await asyncio.to_thread(server.dripping.wait, 5)
        box.interrupt()
        with pytest.raises(MailboxDown):
            await asyncio.wait_for(fetching, 5)

    with (
        Imap({1: mail()}, drips="FETCH") as server,
        opened(server, deadline=60, timeout=60) as box,
    ):
        asyncio.run(go(server, box))
        with pytest.raises(MailboxDown):
            list(box.fetch())
        assert server.heard.count("NOOP") == 1, "and it stays ended"


LIES = {
    "no date": {"about": b"RFC822.SIZE 100"},
    "a date of no calendar": {"about": b'RFC822.SIZE 100 INTERNALDATE "99-Foo-0000"'},
    "a date before all dates": {
        "about": b'RFC822.SIZE 100 INTERNALDATE "01-Jan-0001 00:00:00 +1400"'
    },
    "no size": {"about": DATE},
    "a size that is a list": {"about": b"RFC822.SIZE (1 2) " + DATE},
    "a size of 5000 digits": {"about": b"RFC822.SIZE " + b"9" * 5000 + b" " + DATE},
    "nothing of the email": {"about": b"FLAGS ()"},
    "parentheses without end": {"about": b"X " + b"(" * 5000 + b")" * 5000},
    "an open parenthesis": {"about": b"X (((("},
    "a list for a body": {"body": b"BODY[]<0> (1 2 (3))"},
    "no body": {"body": b"BODY[]<0> NIL"},
    "a number for a body": {"body": b"BODY[]<0> 17"},
    "a literal of 3 GB": {"body": b"BODY[]<0> {3221225472}\r\nabc"},
    "a literal of 30 digits": {"body": b"BODY[]<0> {" + b"9" * 30 + b"}\r\nabc"},
    "a body larger than was asked for": {
        "body": b"BODY[]<0> {%d}\r\n%s" % (5 * RAW_LIMIT, b"x" * 5 * RAW_LIMIT)
    },
    "the end of the connection": {"body": None},
}


@pytest.mark.long
@pytest.mark.parametrize("lie", LIES.values(), ids=LIES)
def test_one_bad_mail_never_hides_the_others(lie):
    with Imap({n: mail(n) for n in (1, 2, 3)}) as server, opened(server) as box:
        if "about" in lie:
            server.about[2] = lie["about"]
        if "body" in lie:
            server.bodies[2] = {b"": lie["body"]}
        found = looks(box, 4)
    assert {"t1", "t3"} <= set(found)
    assert len(found) == len(set(found))


@pytest.mark.parametrize("name", ["no date", "a date of no calendar", "a date before all dates"])
def test_a_mail_without_a_date_came_when_it_is_fetched(name):
    with Imap({1: mail()}) as server, opened(server) as box:
        server.about[1] = LIES[name]["about"]
        (fetched,) = box.fetch()
    if name != "a date before all dates":
        assert abs(fetched.received - datetime.now(UTC)) < timedelta(minutes=1)
    assert fetched.received.timestamp() is not None


@pytest.mark.parametrize("kind", ["list", "literal", "end"])
def test_of_a_mail_whose_body_cannot_be_had_the_headers_are_kept(kind):
    body = {"list": b"BODY[]<0> (1)", "literal": b"BODY[]<0> {3221225472}\r\nx", "end": None}[kind]
    with Imap({1: mail()}) as server, opened(server) as box:
        server.bodies[1] = {b"": body}
        assert looks(box, 3) == ["t1"]


def test_a_mail_that_cannot_be_had_at_all_is_tried_less_and_less_often(monkeypatch):
    monkeypatch.setattr(mailboxes, "_PATIENCE", 32)
    with Imap({1: mail(1), 2: mail(2)}) as server, opened(server) as box:
        server.about[1] = b"X (((("
        assert looks(box, 1) == ["t2"]
        looks(box, 100)
        tries = sum(one.startswith("UID FETCH 1 ") for one in server.heard)
        assert 6 <= tries <= 10
        assert set(box.unreadable) == {(7, 1)}
        del server.about[1]
        assert looks(box, 32) == ["t1"]
        assert box.unreadable == {}


@pytest.mark.parametrize("found", [b"9" * 30, b"0", b"1 " + b"9" * 30, b"4294967296"])
def test_numbers_that_no_mail_can_have_are_passed_over(found):
    with Imap({1: mail()}, search=found) as server, opened(server) as box:
        assert len(list(box.fetch())) == (1 if found.startswith(b"1") else 0)


@pytest.mark.parametrize("found", [b"(" * 3000, b"(1 2", b"a b c", b"1 (MODSEQ (((", b"\xff"])
def test_a_list_of_mails_that_makes_no_sense_is_the_mailbox_s_trouble(found):
    with (
        Imap({1: mail()}, search=found) as server,
        opened(server) as box,
        contextlib.suppress(MailboxDown),
    ):
        list(box.fetch())


def test_a_size_that_is_a_lie_brings_no_more_than_the_limit():
    huge = mail(1, "x" * 70 + "\r\n") + b"y" * (2 * RAW_LIMIT)
    with Imap({1: huge}) as server, opened(server) as box:
        server.about[1] = b"RFC822.SIZE 100 " + DATE
        (fetched,) = box.fetch()
        assert any(f"<0.{RAW_LIMIT + 1}>" in one for one in server.heard)
    assert len(fetched.raw) < 1000
    assert says(read(fetched.raw).trouble, OVER_LIMIT)


def test_the_operator_hears_once_of_a_mail_that_cannot_be_fetched(players):
    with Imap({1: mail(1)}) as server, opened(server) as box:
        server.about[1] = b"X (((("
        players.office.mailboxes = (box,)
        for _ in range(12):
            players.office.fetch()
        told = players.store.letters.all(["new"], recipient=OPERATOR)
        assert [row.kind for row in told] == ["trouble"]
        assert players.store.letters.recent(OPERATOR, "") == told


# ------------------------------------------------------------------ two mailboxes


def test_two_mailboxes_on_one_database_lose_no_mail(players):
    """Both have a mail of UID 1 in a folder of UIDVALIDITY 7."""
    with (
        Imap({1: mail(1)}) as one,
        Imap({1: mail(2)}) as two,
        opened(one) as first,
        opened(two) as second,
    ):
        for box in (first, second):
            players.office.mailboxes = (box,)
            assert players.office.fetch() == 1
            assert players.office.fetch() == 0
        assert one.seen == two.seen == {1}
    assert players.store.work.counts().inbox["new"] == 2


def test_a_folder_and_a_user_make_another_mailbox():
    names = {
        ImapAccount(host, 993, user, "p", folder=folder).name
        for host in ("imap.x.test", "imap.y.test")
        for user in ("u", "v")
        for folder in ("INBOX", "Games")
    }
    assert len(names) == 8
    same = ImapAccount("IMAP.x.test", 993, "u", "other", folder="inbox", timeout=1)
    assert same.name == ImapAccount("imap.x.test", 993, "u", "p").name
    assert "other" not in same.name


def test_what_an_older_version_kept_is_not_kept_again(players):
    """It called every mailbox "inbox"; its crash left a mail kept and not marked."""
    raw = mail(1)
    old = Arrived(FORMER, 7, 1, b"as it was kept then", players.now, "<1@x.test>", "bob@x.test", "")
    kept = players.store.mails.keep(old, players.now)
    assert kept is not None
    with Imap({1: raw, 2: mail(2)}) as server, opened(server) as box:
        players.office.mailboxes = (box,)
        assert players.office.fetch() == 1
        assert server.seen == {1, 2}
    with Imap({1: mail(3)}) as other, opened(other) as box:
        players.office.mailboxes = (box,)
        assert players.office.fetch() == 1, (
            "the same numbers, in another mailbox, are another email"
        )


def test_a_server_that_drips_stops_neither_moderating_nor_the_end(players, monkeypatch):
    """A mail that is kept already is handled, and the daemon ends, while a server drips."""
    monkeypatch.setattr(daemons, "_GRACE", 0.05)
    players.arrive(players.mail(address("Ann"), players.seat_address(GAME, "Ann"), "buy TR"))

    async def go(server, box):
        players.office.mailboxes = (box,)
        daemon = Daemon(players.office, Settings(jobs={"fetch": 1, "moderate": 1, "send": 1}))
        running = asyncio.create_task(daemon.run())
        await asyncio.to_thread(server.dripping.wait, 10)
        for _ in range(400):
            if players.store.work.counts().inbox.get("new", 0) == 0:
                break
            await asyncio.sleep(0.05)
        assert players.store.work.counts().inbox["done"] >= 1
        assert not running.done()
        daemon.stop()
        await asyncio.wait_for(running, 20)

    with (
        Imap({1: mail()}, drips="SEARCH") as server,
        opened(server, deadline=600, timeout=600) as box,
    ):
        asyncio.run(go(server, box))
    assert players.texts() == ["buy TR"]
