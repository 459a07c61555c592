"""Fetching mail: IMAP against the embedded post office and a real Dovecot, and a Maildir."""

import asyncio
import mailbox as maildirs
import socket
import threading
import time
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from service.mail import connections, mailbox, message
from service.mail.mailbox import ImapAccount, ImapMailbox, MailboxDown
from service.mail.maildir import MaildirMailbox
from service.mail.message import read
from service.mail.sender import Outgoing, SmtpSettings, send
from service.workshop.demo.embedded import PostOffice
from tests.need import need
from tests.service import dovecot
from tests.service.players import says

RAW = b"From: Bob <bob@x.test>\r\nTo: play@waybill.test\r\nSubject: t\r\n\r\npass\r\n"
BIG = RAW + b"pass pass pass pass\r\n" * 60_000


class Delivery:
    """One way to put mail into a mailbox, whatever the server behind it."""

    def __init__(self, put, open_box):
        self.put, self._open, self._boxes = put, open_box, []

    def open(self, **changes):
        self._boxes.append(self._open(**changes))
        return self._boxes[-1]

    def close(self):
        for box in self._boxes:
            box.close()


@contextmanager
def embedded():
    with PostOffice() as office:
        smtp = SmtpSettings("127.0.0.1", office.smtp_port, tls="none")

        def put(raw):
            asyncio.run(send(smtp, [Outgoing(1, "bob@x.test", (office.mailbox,), raw)]))

        def open_box(**changes):
            account = {"user": office.mailbox, "password": office.password, "tls": "none"}
            return ImapMailbox(ImapAccount("127.0.0.1", office.imap_port, **{**account, **changes}))

        yield Delivery(put, open_box)


@pytest.fixture(scope="module")
def running_dovecot():
    missing = dovecot.missing()
    need(not missing, f"the programs {missing}")
    with dovecot.running() as server:
        yield server


@contextmanager
def real(server):
    user = server.new_user()

    def open_box(**changes):
        account = {"user": user, "password": dovecot.PASSWORD, "context": server.trust}
        return ImapMailbox(ImapAccount("127.0.0.1", server.imaps, **{**account, **changes}))

    yield Delivery(lambda raw: server.deliver(user, raw), open_box)


@contextmanager
def folder(path):
    box = maildirs.Maildir(path, create=True)

    def open_box():
        return MaildirMailbox(path, poll=0.02)

    yield Delivery(box.add, open_box)


KINDS = ["embedded", "maildir", pytest.param("dovecot", marks=pytest.mark.dovecot)]


def _open(request, path):
    match request.param:
        case "embedded":
            return embedded()
        case "maildir":
            return folder(path)
        case _:
            return real(request.getfixturevalue("running_dovecot"))


@pytest.fixture(params=KINDS)
def delivery(request, tmp_path):
    with _open(request, tmp_path / "box") as delivery:
        yield delivery
        delivery.close()


@pytest.fixture(params=[KINDS[0], KINDS[2]])
def server(request, tmp_path):
    with _open(request, tmp_path) as delivery:
        yield delivery
        delivery.close()


@pytest.mark.long
def test_a_mail_is_fetched_until_it_is_done(delivery):
    box = delivery.open()
    assert list(box.fetch()) == []
    delivery.put(RAW)
    first = next(iter(box.fetch()))
    assert read(first.raw).sender == "bob@x.test"
    assert [line.text for line in read(first.raw).lines] == ["pass"]
    assert abs(first.received - datetime.now(UTC)) < timedelta(minutes=1)
    again = next(iter(box.fetch()))
    assert (again.uidvalidity, again.uid) == (first.uidvalidity, first.uid)
    box.done(first)
    assert list(box.fetch()) == []
    assert list(delivery.open().fetch()) == []


def _read_by_a_person(box):
    """Marks all emails of the folder as read, as somebody's email program would."""
    box._do(lambda client: client.add_flags(client.search(["ALL"]), [b"\\Seen"]))


@pytest.mark.long
def test_a_mail_that_a_person_reads_first_is_fetched_all_the_same(server):
    box, person = server.open(), server.open()
    list(box.fetch())
    server.put(RAW)
    _read_by_a_person(person)
    (fetched,) = box.fetch()
    assert read(fetched.raw).sender == "bob@x.test"
    box.done(fetched)
    assert list(box.fetch()) == []


@pytest.mark.long
def test_a_mail_that_a_person_reads_while_the_service_is_down_is_fetched(server):
    server.put(RAW)
    box = server.open()
    (first,) = box.fetch()
    box.done(first)
    server.put(RAW.replace(b"Subject: t", b"Subject: u"))
    person = server.open()
    _read_by_a_person(person)
    later = server.open()
    (second,) = later.fetch((first.uidvalidity, first.uid))
    assert read(second.raw).subject == "u"
    assert list(server.open().fetch((second.uidvalidity, second.uid))) == []


@pytest.mark.long
def test_mails_that_a_person_read_before_the_service_began_are_left_alone(server):
    server.put(RAW)
    _read_by_a_person(server.open())
    assert list(server.open().fetch()) == []


@pytest.mark.long
@pytest.mark.dovecot
def test_a_mail_that_another_service_has_done_is_told_as_taken(running_dovecot):
    """Two services with databases of their own read one mailbox."""
    with real(running_dovecot) as server:
        ours, theirs = server.open(), server.open()
        list(ours.fetch())
        list(theirs.fetch())
        server.put(RAW)
        (first,) = theirs.fetch()
        theirs.done(first)
        (second,) = ours.fetch()
        server.close()
    assert (first.taken, second.taken) == (False, True)


@pytest.mark.long
def test_mails_come_in_order_and_may_be_done_in_between(delivery):
    box = delivery.open()
    for number in range(3):
        delivery.put(RAW.replace(b"Subject: t", b"Subject: t%d" % number))
    subjects = []
    for fetched in box.fetch():
        subjects.append(read(fetched.raw).subject)
        box.done(fetched)
    assert subjects == ["t0", "t1", "t2"]
    assert list(box.fetch()) == []


@pytest.mark.long
def test_of_too_large_a_mail_only_the_headers_are_fetched(delivery):
    delivery.put(BIG)
    (fetched,) = delivery.open().fetch()
    assert len(fetched.raw) < 2000
    found = read(fetched.raw)
    assert found.sender == "bob@x.test"
    assert says(found.trouble, message.OVER_LIMIT, size="1.2 MiB")


def test_waiting_ends_when_mail_comes(delivery):
    box = delivery.open()
    list(box.fetch())
    timer = threading.Timer(0.05, delivery.put, [RAW])
    timer.start()
    started = time.monotonic()
    assert box.wait(10)
    assert time.monotonic() - started < 5
    timer.join()
    assert len(list(box.fetch())) == 1


@pytest.mark.long
def test_waiting_sees_mail_that_came_before_it_began(delivery):
    box = delivery.open()
    list(box.fetch())
    delivery.put(RAW)
    assert box.wait(10)


@pytest.mark.long
def test_waiting_is_quiet_about_mail_already_fetched(delivery):
    delivery.put(RAW)
    box = delivery.open()
    assert len(list(box.fetch())) == 1
    started = time.monotonic()
    assert not box.wait(0.05)
    assert time.monotonic() - started < 2


def test_waiting_can_be_ended_from_another_thread(delivery):
    box = delivery.open()
    timer = threading.Timer(0.05, box.wake)
    timer.start()
    started = time.monotonic()
    assert not box.wait(10)
    assert time.monotonic() - started < 5
    timer.join()


@pytest.mark.long
def test_a_wake_before_the_wait_is_not_lost(delivery):
    box = delivery.open()
    box.wake()
    started = time.monotonic()
    assert not box.wait(10)
    assert time.monotonic() - started < 5


@pytest.mark.long
def test_good_settings_have_no_complaint(delivery):
    assert delivery.open().probe() == ""


@pytest.mark.long
def test_a_done_mail_moves_to_the_folder_for_it(server):
    server.open()._do(lambda client: client.create_folder("Done"))
    box = server.open(done_folder="Done")
    server.put(RAW)
    server.put(RAW)
    first, second = box.fetch()
    box.done(first)
    assert [fetched.uid for fetched in box.fetch()] == [second.uid]
    assert len(list(server.open(folder="Done").fetch())) == 1


@pytest.mark.long
def test_what_belongs_to_a_former_folder_is_left_alone(server):
    server.put(RAW)
    box = server.open()
    (fetched,) = box.fetch()
    former = type(fetched)(fetched.uidvalidity + 1, fetched.uid, fetched.raw, fetched.received)
    box.done(former)
    assert list(box.fetch()) == [fetched]


@pytest.mark.long
def test_a_wrong_password_is_told_in_plain_words(server):
    with pytest.raises(MailboxDown, match="check user and password"):
        list(server.open(password="wrong").fetch())


def test_a_folder_that_is_not_there_is_told(server):
    assert "Nowhere" in server.open(folder="Nowhere").probe()


@pytest.mark.long
def test_a_folder_for_done_mails_is_not_made_but_told(server):
    server.put(RAW)
    box = server.open(done_folder="Handeld")
    for _ in range(2):
        assert says(box.probe(), mailbox.NO_DONE_FOLDER, folder="Handeld")
    with pytest.raises(MailboxDown, match=r"imap\.done_folder"):
        list(box.fetch())
    assert len(list(server.open().fetch())) == 1


@pytest.mark.long
@pytest.mark.dovecot
def test_tls_in_all_its_ways(running_dovecot):
    server, user = running_dovecot, running_dovecot.new_user()

    def complaint(port, tls, **more):
        box = ImapMailbox(
            ImapAccount("127.0.0.1", port, user, dovecot.PASSWORD, tls, timeout=5, **more)
        )
        try:
            return box.probe()
        finally:
            box.close()

    for port, tls in ((server.imap, "none"), (server.imap, "starttls"), (server.imaps, "implicit")):
        assert complaint(port, tls, context=server.trust) == ""
    assert says(complaint(server.imaps, "implicit"), connections.UNTRUSTED)
    assert says(complaint(server.imap, "implicit"), connections.NO_TLS, tls="implicit")


@pytest.mark.long
def test_a_server_that_is_not_there_is_told_with_what_to_check():
    with socket.socket() as plug:
        plug.bind(("127.0.0.1", 0))
        port = plug.getsockname()[1]
        box = ImapMailbox(ImapAccount("127.0.0.1", port, "u", "p", "none"))
        assert box.probe() == connections.NO_ANSWER.format(where=f"127.0.0.1:{port}")
        box.close()


@pytest.mark.long
def test_a_server_that_goes_away_is_told_and_found_again():
    with PostOffice() as office:
        box = ImapMailbox(
            ImapAccount("127.0.0.1", office.imap_port, office.mailbox, office.password, "none")
        )
        assert list(box.fetch()) == []
    with pytest.raises(MailboxDown, match=r"check|broke"):
        list(box.fetch())
    with PostOffice() as office:
        box._account = replace(box._account, port=office.imap_port)
        assert list(box.fetch()) == []
        box.close()


@pytest.mark.long
def test_a_server_that_goes_away_ends_the_waiting():
    with PostOffice() as office:
        box = ImapMailbox(
            ImapAccount("127.0.0.1", office.imap_port, office.mailbox, office.password, "none")
        )
        list(box.fetch())
        timer = threading.Timer(0.1, office.__exit__, [None, None, None])
        timer.start()
        with pytest.raises(MailboxDown):
            box.wait(10)
        timer.join()
        box.close()


@pytest.mark.long
def test_a_folder_that_is_no_maildir_is_told(tmp_path):
    box = MaildirMailbox(tmp_path)
    assert "is not a Maildir" in box.probe()
    with pytest.raises(MailboxDown, match="is not a Maildir"):
        list(box.fetch())


def test_a_maildir_keeps_the_bytes_and_the_number_of_a_mail(tmp_path):
    with folder(tmp_path / "box") as delivery:
        delivery.put(b"Subject: a\n\n\xff\xfe broken \x00 bytes\n")
        box = delivery.open()
        (before,) = box.fetch()
        box.done(before)
        (file,) = (tmp_path / "box" / "cur").iterdir()
        assert file.name.endswith(":2,S")
        assert file.read_bytes() == before.raw
        file.rename(file.with_name(file.name.replace(":2,S", ":2,")))
        (after,) = box.fetch()
        assert after.uid == before.uid
