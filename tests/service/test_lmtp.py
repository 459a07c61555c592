"""Emails by LMTP: as Python's client and a real Postfix hand them over."""

import asyncio
import smtplib
import threading
import time
from contextlib import contextmanager

import pytest

from service.app.lmtp import Lmtp
from service.mail.maildir import MaildirMailbox
from service.settings import Settings, SettingsError, checked
from tests.need import need
from tests.service import postfix
from tests.service.ports import free_port
from tests.service.postfix import Transport

RAW = b"From: ann@players.test\r\nTo: play@waybill.test\r\nSubject: x\r\n\r\n.pass\r\n"


@contextmanager
def listening(tmp_path, place="127.0.0.1:0"):
    """An LMTP server in a loop of its own, as in the daemon; gives it and its Maildir."""
    box = tmp_path / "Maildir"
    lmtp = Lmtp(
        Settings(imap={"lmtp": place, "maildir": str(box)}, mail={"address": "play@waybill.test"})
    )
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        asyncio.run_coroutine_threadsafe(lmtp.start(), loop).result(20)
        yield lmtp, box
    finally:
        loop.call_soon_threadsafe(lmtp.close)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(20)
        loop.close()


def kept(box):
    return [mail.raw for mail in MaildirMailbox(box).fetch()]


def hand_over(client, to):
    """The codes of the answers, one for each recipient; Python's client reads only the first."""
    client.ehlo_or_helo_if_needed()
    client.mail("ann@players.test")
    for one in to:
        client.rcpt(one)
    return [client.data(RAW)[0], *(client.getreply()[0] for _ in to[1:])]


def head(recipient):
    return f"Return-Path: <ann@players.test>\r\nDelivered-To: {recipient}\r\n".encode()


def test_each_recipient_gets_a_copy_and_an_answer(tmp_path) -> None:
    to = ["play+dixie.ann.x@waybill.test", "play+dixie.bob.y@waybill.test", "play@former.test"]
    with listening(tmp_path) as (lmtp, box), smtplib.LMTP("127.0.0.1", lmtp.port) as client:
        assert hand_over(client, to) == [250, 250, 250]
        assert client.sendmail("ann@players.test", to[:1], RAW) == {}  # the dialog goes on
    assert sorted(kept(box)) == sorted(head(one) + RAW for one in (*to, to[0]))


def test_a_socket_serves_its_owner_and_group(tmp_path) -> None:
    place = tmp_path / "lmtp.sock"
    with listening(tmp_path, str(place)) as (_, box), smtplib.LMTP(str(place)) as client:
        assert place.stat().st_mode & 0o777 == 0o660
        client.sendmail("ann@players.test", ["play@waybill.test"], RAW)
    assert kept(box) == [head("play@waybill.test") + RAW]


def test_what_cannot_be_kept_is_sent_again(tmp_path) -> None:
    """The server says so for each recipient, and keeps its copy."""
    (tmp_path / "Maildir").write_text("a file in the way")
    to = ["play@waybill.test", "play+dixie.ann.x@waybill.test"]
    with listening(tmp_path) as (lmtp, _), smtplib.LMTP("127.0.0.1", lmtp.port) as client:
        assert hand_over(client, to) == [451, 451]


def test_a_place_that_is_taken_is_said(tmp_path) -> None:
    with listening(tmp_path) as (lmtp, _):
        other = Lmtp(Settings(imap={"lmtp": f"127.0.0.1:{lmtp.port}", "maildir": "x"}))
        with pytest.raises(SettingsError, match=r"imap\.lmtp"):
            asyncio.run(other.start())


@pytest.mark.parametrize("imap", ({"lmtp": "127.0.0.1:24"}, {"lmtp": "24", "maildir": "x"}))
def test_it_needs_a_place_and_a_maildir(imap) -> None:
    with pytest.raises(SettingsError, match="lmtp"):
        checked(Settings, {"imap": imap})


@pytest.mark.long
def test_postfix_hands_over(tmp_path) -> None:
    why = postfix.missing("postfix")
    need(not why, why)
    port = free_port()
    transport = Transport(
        r"play\+.*@waybill\.test",
        f"lmtp:inet:127.0.0.1:{port}",
        main="local_recipient_maps =",
        service="lmtp unix - - n - - lmtp",
    )
    with (
        listening(tmp_path, f"127.0.0.1:{port}") as (_, box),
        postfix.postfix(transport) as (home, smtp),
    ):
        with smtplib.SMTP("127.0.0.1", smtp) as client:
            client.sendmail("ann@players.test", ["play+a@waybill.test", "play+b@waybill.test"], RAW)
        end = time.monotonic() + 60
        while not (box.exists() and len(found := kept(box)) == 2):
            assert time.monotonic() < end, (home / "log/postfix.log").read_text()
            time.sleep(0.05)
    assert {one.splitlines()[1] for one in found} == {
        b"Delivered-To: play+a@waybill.test",
        b"Delivered-To: play+b@waybill.test",
    }
    assert all(one.endswith(b"\r\n\r\n.pass\r\n") for one in found)
