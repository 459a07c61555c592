"""Reading in a process that is stopped: bounds of time and memory, and what ordinary mails cost."""

import os
import signal
import time

import pytest

from service.mail.message import TOO_LARGE, read, read_head
from service.mail.reader import MEMORY, TOO_LONG, NoReader, Reader, reader

HEAD = b"From: Ann <ann@players.test>\r\nTo: play@waybill.test\r\nMessage-ID: <a@x.test>\r\nSubject: x\r\n"
HTML = HEAD + b"Content-Type: text/html\r\n\r\n"
PLAIN = HEAD + b"\r\nbuy TR\r\n"
GROWS = HTML + b"<p>" + b"".join(b"<b x=%d>" % n for n in range(3000)) + b"<p>x" * 2500
DEEP = HTML + b"<div>" * 100_000


@pytest.fixture
def own():
    made = Reader()
    yield made
    made.close()


@pytest.mark.long
@pytest.mark.parametrize("raw", [GROWS, DEEP], ids=["grows", "deep"])
def test_a_mail_that_breaks_its_reader_has_its_headers_and_a_reason(own, raw):
    assert own(PLAIN).lines[0].text == "buy TR"
    found = own(raw)
    # On a slow machine its second of work is over before its memory is used up.
    assert found.aside in (TOO_LARGE, TOO_LONG)
    assert found.aside in found.trouble
    assert (found.sender, found.message_id, found.lines) == ("ann@players.test", "<a@x.test>", ())
    assert own(PLAIN) == read(PLAIN)
    assert own.peak < MEMORY


@pytest.mark.long
def test_what_another_process_reads_is_what_this_one_would(own):
    for raw in (PLAIN, b"", HEAD, bytes(range(256)) * 9, HTML + "<p>Jörg \U0001f682".encode()):
        assert own(raw) == read(raw)


@pytest.mark.long
def test_a_process_that_is_killed_between_two_mails_is_replaced_unnoticed(own):
    own(PLAIN)
    os.kill(own._process.pid, signal.SIGKILL)
    own._process.wait()
    assert own(PLAIN) == read(PLAIN)


def test_a_process_that_cannot_run_is_not_the_mail_s_fault():
    broken = Reader(module="tests.service.no_such_module")
    with pytest.raises(NoReader):
        broken(PLAIN)
    broken.close()


def test_a_machine_without_time_for_its_reader_is_not_the_mail_s_fault():
    hurried = Reader(patience=0.0)
    with pytest.raises(NoReader, match="the machine has not let an email be read"):
        hurried(PLAIN)
    hurried.close()


@pytest.mark.long
def test_an_ordinary_mail_takes_some_milliseconds_in_a_warm_process():
    reader()(PLAIN)
    began = time.perf_counter()
    for _ in range(50):
        reader()(PLAIN)
    assert (time.perf_counter() - began) / 50 < 0.05


@pytest.mark.long
@pytest.mark.parametrize(
    "head",
    [
        b"From: " + b"(" * 15_000 + b"\r\n",
        b"From: " + b"=?punycode?q?" + b"zz9" * 5_000 + b"?= <a@x.test>\r\n",
        b"To: " + b"a@b.test," * 1_700 + b"\r\n",
        b"References: " + b"<a" * 8_000 + b"\r\n",
        b"References: " + b" ".join(b"<%d@x.test>" % n for n in range(900)) + b"\r\n",
        b"Content-Type: text/plain" + b";" * 60_000 + b"\r\n",
        b"X: y\r\n" * 10_000,
        b"x" * (1 << 20),
    ],
)
def test_headers_are_read_here_in_bounded_time(head):
    began = time.process_time()
    found = read_head(HEAD + head + b"\r\n" + b"<div>" * 100_000)
    assert time.process_time() - began < 1
    assert len(found.references) <= 60


@pytest.mark.parametrize(
    "sender",
    ['"%b.:]@x.test"', '"a,eve@evil.test,b"@x.test', "=?utf-8?q?=0d=0a?=@x.test", "a..b@x.test"],
)
def test_an_address_that_no_header_can_name_is_nobody_s(sender):
    assert read_head(f"From: {sender}\r\n\r\n".encode()).sender == ""
