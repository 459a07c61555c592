"""The post office in this process: mail goes round, is kept, and nothing stays open behind it."""

import asyncio
import threading

import pytest

from service.mail.automatic import EMPTY_RETURN_PATH
from service.mail.mailbox import ImapAccount, ImapMailbox
from service.mail.message import read
from service.mail.sender import Outgoing, SmtpSettings, send
from service.workshop.demo.embedded import PostOffice

RAW = b"From: bob@x.test\r\nTo: play@waybill.test\r\n\r\npass\r\n"


def post(office, *recipients, mail_from="bob@x.test", raw=RAW):
    settings = SmtpSettings("127.0.0.1", office.smtp_port, tls="none", timeout=5)
    results = asyncio.run(send(settings, [Outgoing(1, mail_from, recipients, raw)]))
    assert [one.status for one in results] == ["sent"]


def inbox(office):
    box = ImapMailbox(
        ImapAccount("127.0.0.1", office.imap_port, office.mailbox, office.password, "none")
    )
    try:
        return [fetched.raw for fetched in box.fetch()]
    finally:
        box.close()


def test_mail_to_the_service_lies_in_its_inbox_with_the_address_it_went_to():
    with PostOffice() as office:
        post(office, "Play+dixie7.c.k3f9@waybill.test")
        (raw,) = inbox(office)
        assert raw.endswith(RAW)
        assert read(raw).recipients[0] == "play+dixie7.c.k3f9@waybill.test"
        assert office.delivered(office.mailbox) == []


@pytest.mark.long
def test_a_bounce_is_known_as_one():
    with PostOffice() as office:
        post(office, office.mailbox, mail_from="")
        assert read(inbox(office)[0]).automatic == EMPTY_RETURN_PATH


@pytest.mark.long
@pytest.mark.parametrize(
    "address", ["plays@waybill.test", "play@elsewhere.test", "a+play@waybill.test"]
)
def test_mail_to_others_is_kept_for_them(address):
    with PostOffice() as office:
        post(office, address.upper())
        assert office.wait_for(address, 1, timeout=5) == [RAW]
        assert inbox(office) == []


def test_waiting_for_mail_that_does_not_come_is_an_error():
    with PostOffice() as office:
        with pytest.raises(TimeoutError, match=r"0 of 1 emails to ann@x\.test"):
            office.wait_for("ann@x.test", 1, timeout=0.01)
        assert office.delivered("ann@x.test") == []


@pytest.mark.long
def test_the_hook_hears_of_each_delivery():
    seen = []
    with PostOffice(on_delivery=lambda address, raw: seen.append((address, raw))) as office:
        post(office, "ann@x.test", "bob@x.test")
    assert seen == [("ann@x.test", RAW), ("bob@x.test", RAW)]


@pytest.mark.long
def test_all_mail_is_kept_as_numbered_files(tmp_path):
    with PostOffice(keep=tmp_path) as office:
        post(office, office.mailbox)
        post(office, "ann@x.test")
        post(office, "bob@x.test")
    names = sorted(file.relative_to(tmp_path).as_posix() for file in tmp_path.rglob("*.eml"))
    assert names == ["in/0001.eml", "out/0001.eml", "out/0002.eml"]
    assert (tmp_path / "out" / "0001.eml").read_bytes() == RAW
    assert (tmp_path / "in" / "0001.eml").read_bytes().endswith(RAW)


def test_closing_ends_its_thread_although_clients_are_connected():
    with PostOffice() as office:
        box = ImapMailbox(
            ImapAccount("127.0.0.1", office.imap_port, office.mailbox, office.password, "none")
        )
        list(box.fetch())
        assert any(thread.name == "post office" for thread in threading.enumerate())
    assert not any(thread.name == "post office" for thread in threading.enumerate())
    box.close()


@pytest.mark.long
def test_two_offices_do_not_share_mail():
    with PostOffice() as one, PostOffice() as two:
        post(one, one.mailbox)
        assert len(inbox(one)) == 1
        assert inbox(two) == []
