"""Letters that do not arrive are noticed: by the operator, the organiser, and whoever waits."""

import asyncio
import json
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest
from aiosmtpd.controller import Controller
from structlog.testing import capture_logs
from typer.testing import CliRunner

from service.app import trouble
from service.app.relays import Relays
from service.cli import letters as letters_command
from service.cli import program
from service.desk.bounces import undelivered
from service.desk.bounces.undelivered import plainly
from service.mail.bounces import read_report
from service.mail.sender import SmtpSettings
from service.store import letters as stored
from tests.service.players import ADDRESS, GAME, OPERATOR, address, says
from tests.service.ports import free_port


class Server:
    """Takes everything but what ``refuse`` names by its recipient."""

    def __init__(self):
        self.refuse, self.taken = {}, []

    async def handle_RCPT(self, server, session, envelope, who, options):
        if who in self.refuse:
            return self.refuse[who]
        envelope.rcpt_tos.append(who)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        mail = message_from_bytes(envelope.content, policy=policy.default)
        self.taken.append((envelope.rcpt_tos[0], mail))
        return "250 queued"

    def got(self, who):
        return [str(mail["Subject"]) for to_, mail in self.taken if to_ == who]


@contextmanager
def sending(players):
    """A real SMTP server for the office's letters."""
    server = Server()
    port = free_port()
    controller = Controller(server, hostname="127.0.0.1", port=port)
    controller.start()
    players.office.relays = Relays.of(SmtpSettings("127.0.0.1", port, "none", timeout=5))
    try:
        yield server
    finally:
        controller.stop()


def post(players):
    """Send all that is due."""

    async def go():
        while await players.office.send():
            pass

    asyncio.run(go())


def play(players, name, *lines):
    players.arrive(players.mail(address(name), players.seat_address(GAME, name), *lines))
    while players.office.moderate():
        pass


def of_failure(subject):
    """Whether it is the subject of a letter about one that was not delivered."""
    subjects = (undelivered.SUBJECT, undelivered.OPERATOR_SUBJECT)
    return any(subject.endswith(known.rpartition("}")[2]) for known in subjects)


def text(mail):
    return " ".join(mail.get_body(("plain",)).get_content().split())


def test_a_turn_mail_refused_for_good_is_told_to_operator_organiser_and_table(players):
    with capture_logs() as logs, sending(players) as server:
        server.refuse[address("Bob")] = "550 5.1.1 <bob@players.test>: no such user"
        play(players, "Ann", "buy TR")
        post(players)
        told = {who: mail for who, mail in server.taken if of_failure(str(mail["Subject"]))}
        assert set(told) == {OPERATOR, address("Ann"), address("Cat")}
        for who in ("Ann", "Cat"):
            words = text(told[address(who)])
            assert says(words, undelivered.NEXT_NOT_REACHED, name="Bob")
            assert says(words, undelivered.COULD_NOT_BE_DELIVERED, name="Bob")
            assert says(words, undelivered.IF_NOBODY_CAN, name="Bob")
            assert "bob@players.test" not in words
        assert says(text(told[OPERATOR]), undelivered.NOT_ONE_BY_ONE)
        assert "550 5.1.1" in text(told[OPERATOR])
        count = len(server.taken)
        post(players)
        assert len(server.taken) == count, "once"
    [row] = players.store.letters.all(["failed"])
    assert (row.kind, row.recipient) == ("turn", address("Bob"))
    [logged] = [one for one in logs if one["event"] == "undelivered"]
    assert (logged["to"], logged["log_level"]) == (address("Bob"), "error")
    assert not any(one["event"] == "sent" and one["letter"] == row.id for one in logs)


@pytest.mark.long
def test_more_failures_of_a_day_are_not_told_one_by_one(players):
    with sending(players) as server:
        server.refuse[address("Bob")] = "550 no"
        play(players, "Ann", "buy TR")
        post(players)
        for name in ("Bob", "Bob"):
            play(players, name, "status")
            post(players)
        assert len(server.got(OPERATOR)) == 1
        assert len([s for s in server.got(address("Cat")) if of_failure(s)]) == 1
        players.now += 86_400
        play(players, "Bob", "status")
        post(players)
        assert len(server.got(OPERATOR)) == 2
    # the turn mail twice
    assert len(players.store.letters.all(["failed"])) == 5


@pytest.mark.long
def test_an_organiser_who_is_no_player_next_to_them_is_told_of_one_who_is_not_next(players):
    with sending(players) as server:
        server.refuse[address("Cat")] = "552 5.2.2 over quota"
        play(players, "Ann", "buy TR")
        post(players)
        [told] = [m for who, m in server.taken if of_failure(str(m["Subject"])) and who != OPERATOR]
        assert told["To"] == address("Ann"), "the organiser"
        assert "their mailbox is full" in text(told)
        assert says(text(told), undelivered.NOT_REACHED, name="Cat")
        assert says(text(told), undelivered.GAME_WAITS_NOT)


def test_an_operator_out_of_reach_brings_no_letters_about_letters(players):
    with sending(players) as server:
        server.refuse = {OPERATOR: "550 no", address("Bob"): "550 no"}
        play(players, "Ann", "buy TR")
        for _ in range(4):
            post(players)
        kinds = sorted(row.kind for row in players.store.letters.all(["failed"]))
        assert kinds == ["turn", "undelivered"]


@pytest.mark.long
def test_a_failed_letter_is_sent_again_with_its_pictures(players):
    with sending(players) as server:
        server.refuse[address("Bob")] = "550 no"
        play(players, "Ann", "buy TR")
        post(players)
        [row] = players.store.letters.all(["failed"])
        server.refuse.clear()
        assert players.store.letters.resend(row.id) == ""
        waits = stored.NOT_FAILED.format(status="new")
        assert players.store.letters.resend(row.id) == waits
        assert players.store.letters.resend(9999) == stored.NO_SUCH_EMAIL
        post(players)
        [mail] = [mail for who, mail in server.taken if who == address("Bob")]
        assert mail["Message-ID"] == row.message_id
        assert "image/png" in [part.get_content_type() for part in mail.walk()]
    assert players.store.letters.all(["failed"]) == ()


@pytest.mark.long
def test_a_letter_that_fails_again_after_it_was_sent_again_is_told_again(players):
    with sending(players) as server:
        server.refuse[address("Bob")] = "550 no"
        play(players, "Ann", "buy TR")
        post(players)
        [row] = players.store.letters.all(["failed"])
        players.now += 2 * 86_400
        players.store.letters.resend(row.id)
        post(players)
        assert len(server.got(OPERATOR)) == 2


@pytest.mark.long
def test_days_without_a_mail_server_lose_no_letter(players):
    players.office.relays = Relays.of(SmtpSettings("127.0.0.1", 1, "none", timeout=2))
    play(players, "Ann", "buy TR")
    for _ in range(60):
        players.now += 3600
        asyncio.run(players.office.send())
    assert {row.tries for row in players.store.letters.all(["new"])} == {0}
    with sending(players) as server:
        players.now += 3600
        post(players)
        assert len(server.got(address("Bob"))) == 1
        assert server.got(OPERATOR) == [trouble.SENT_AGAIN]
    assert players.store.letters.all(["failed"]) == ()


@pytest.mark.long
def test_the_operator_lists_shows_and_sends_letters_again(players, tmp_path):
    config = tmp_path / "my.toml"
    config.write_text(
        f'[database]\nurl = "sqlite:///{tmp_path}/waybill.sqlite"\n[data]\ndir = "{tmp_path}/d"\n'
    )

    def waybill(*args):
        done = CliRunner().invoke(program(), ["letters", *args, "--config", str(config)])
        return done.exit_code, " ".join(done.output.split())

    assert waybill() == (0, letters_command.NONE_FAILED)
    with sending(players) as server:
        server.refuse[address("Bob")] = "550 no [/x]"
        play(players, "Ann", "buy TR")
        post(players)
    [row] = players.store.letters.all(["failed"])
    listed = json.loads(waybill("--json")[1])
    assert [(one["id"], one["recipient"]) for one in listed] == [(row.id, address("Bob"))]
    assert "550 no" in waybill(str(row.id))[1] and "YOUR TURN" in waybill(str(row.id))[1]
    assert waybill("99999")[0] == 1
    assert waybill()[0] == 0
    assert waybill("--resend")[0] == 2, "not all of them by mistake"
    assert waybill("--resend", "--game", "other") == (0, letters_command.NO_SUCH_FAILED)
    sent_again = letters_command.SENT_AGAIN.format(number=row.id)
    assert waybill("--resend", "--to", "BOB@players.test") == (0, sent_again)
    assert waybill(str(row.id), "--resend")[0] == 1
    assert [one["id"] for one in json.loads(waybill("--waiting", "--json")[1])] == [row.id]


# delivery reports


def sent(players, name, kind="turn"):
    """A letter that went out to a player."""
    rows = players.store.letters.recent(address(name), GAME)
    return next(row for row in rows if (row.kind, row.status) == (kind, "sent"))


def report(
    letter, *, action="failed", status="5.1.1", final="", original="message/rfc822", said=""
):
    """A report as mail servers write it."""
    head, _, _ = letter.raw.partition(b"\r\n\r\n")
    copy = letter.raw if original == "message/rfc822" else head + b"\r\n"
    returned = f"--=_a\r\nContent-Type: {original}\r\n\r\n".encode() + copy if original else b""
    return (
        (
            f"Return-Path: <>\r\nFrom: Mail Delivery System <mailer-daemon@mx.test>\r\nTo: {ADDRESS}\r\n"
            "Subject: Undelivered Mail Returned to Sender\r\nMIME-Version: 1.0\r\n"
            'Content-Type: multipart/report; report-type=delivery-status;\r\n\tboundary="=_a"\r\n\r\n'
            "--=_a\r\nContent-Type: text/plain\r\n\r\nThis is the mail system at host mx.test.\r\n"
            "--=_a\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.test\r\n\r\n"
            f"Final-Recipient: rfc822; {final or letter.recipient}\r\nAction: {action}\r\n"
            f"Status: {status}\r\nDiagnostic-Code: smtp;\r\n {said or '550 no such user'}\r\n\r\n"
        ).encode()
        + returned
        + b"\r\n--=_a--\r\n"
    )


def whole(players, name, kind="turn"):
    return players.store.letters.get(sent(players, name, kind).id)


@pytest.mark.long
@pytest.mark.parametrize("original", ["message/rfc822", "text/rfc822-headers"])
def test_a_report_of_failure_is_told_like_a_refusal_and_moves_nothing(players, original):
    players.write("Ann", "buy TR")
    before = players.texts()
    assert players.send(report(whole(players, "Bob"), original=original)) == []
    [row] = players.store.letters.all(["failed"])
    assert (row.kind, row.recipient) == ("turn", address("Bob"))
    assert "550 no such user" in row.note
    with sending(players) as server:
        post(players)
        assert set(who for who, _ in server.taken) == {OPERATOR, address("Ann"), address("Cat")}
    assert players.texts() == before
    assert players.store.mails.aside() == ()


@pytest.mark.long
def test_a_report_that_names_only_the_seat_s_address_is_understood(players):
    players.write("Ann", "buy TR")
    raw = report(sent(players, "Bob"), original="")
    assert players.send(raw) == []
    assert players.store.letters.all(["failed"]) == (), "anybody could write that"
    seat = players.seat_address(GAME, "Bob")
    assert players.send(raw.replace(f"To: {ADDRESS}".encode(), f"To: {seat}".encode())) == []
    [row] = players.store.letters.all(["failed"])
    assert row.recipient == address("Bob")


def test_a_letter_to_a_stranger_cannot_be_named_by_who_has_not_had_it(players):
    """Else the operator would hear of failures that never were, and of no others that day."""
    zoe = "zoe@else.test"
    [told] = players.stranger(zoe, "games")
    [row] = players.store.letters.named((told.message_id,))
    letter = players.store.letters.get(row.id)
    token = told.message_id.rpartition("@")[0].rpartition(".")[2]
    guessed = report(letter).replace(f".{token}@".encode(), b"@")
    players.send(guessed)
    assert players.store.letters.all(["failed"]) == ()
    players.send(report(letter))
    assert [one.id for one in players.store.letters.all(["failed"])] == [row.id]


def test_a_late_mail_is_no_failure(players):
    players.write("Ann", "buy TR")
    assert players.send(report(whole(players, "Bob"), action="delayed", status="4.4.7")) == []
    assert players.store.letters.all(["failed"]) == ()


@pytest.mark.long
def test_forged_reports_mark_nothing(players):
    players.write("Ann", "buy TR")
    letter = whole(players, "Bob")
    other = report(letter, final="eve@x.test").replace(b"bob@players.test", b"eve@x.test")
    unknown = report(letter).replace(letter.message_id.encode(), b"<guess@waybill.test>")
    unknown = unknown.replace(b"play+", b"play-")
    for raw in (other, unknown):
        assert players.send(raw) == []
    assert players.store.letters.all(["failed"]) == ()


@pytest.mark.long
def test_a_forwarded_mail_that_fails_elsewhere_is_known_by_its_message_id(players):
    players.write("Ann", "buy TR")
    players.send(report(whole(players, "Bob"), final="bob.private@far.test", status="5.2.2"))
    [row] = players.store.letters.all(["failed"])
    assert plainly(row.note) == "their mailbox is full"


def test_older_forms_are_read():
    exim = EmailMessage()
    exim["Subject"] = "Mail delivery failed: returning message to sender"
    exim["X-Failed-Recipients"] = "bob@x.test"
    exim.set_content(
        "A message that you sent could not be delivered.\n\n  bob@x.test\n    mailbox is full\n\n"
        "------ This is a copy of your message ------\n\n"
        "To: bob@x.test\nMessage-ID: <a.b@waybill.test>\nReply-To: play+x@waybill.test\n\nhello\n"
    )
    found = read_report(exim.as_bytes())
    assert found.message_ids == ("<a.b@waybill.test>",)
    assert (found.returned_to, found.replies_to) == (("bob@x.test",), ("play+x@waybill.test",))
    assert (found.failed[0].addresses, found.failed[0].reason) == (
        ("bob@x.test",),
        "mailbox is full",
    )
    qmail = (
        b"From: MAILER-DAEMON@q.test\nSubject: failure notice\n\n"
        b"Hi. This is the qmail-send program at q.test.\n\n"
        b"<bob@x.test>:\nSorry, no mailbox here by that name. (#5.1.1)\n\n"
        b"--- Below this line is a copy of the message.\n\n"
        b"To: bob@x.test\nMessage-ID: <a.b@waybill.test>\n\nhello\n"
    )
    found = read_report(qmail)
    assert found.message_ids == ("<a.b@waybill.test>",)
    assert plainly(found.failed[0].reason) == "there is no such address"
    assert read_report(b"Subject: pass\n\npass\n") is None


@pytest.mark.long
def test_words_of_a_server_that_nothing_can_bear_are_left_out(players):
    players.write("Ann", "buy TR")
    said = "550 \x1b[31m gone [/b] \x00"
    raw = report(whole(players, "Bob"), said=said).replace(b"gone", b"g\xf6ne")
    players.send(raw)
    [row] = players.store.letters.all(["failed"])
    assert row.note.isprintable() and "[/b]" in row.note
    with sending(players) as server:
        server.refuse[address("Ann")] = "550 n\x1b[0m"
        post(players)
    assert all(one.note.isprintable() for one in players.store.letters.all(["failed", "sent"]))


@pytest.mark.long
@pytest.mark.parametrize(
    ("note", "words"),
    [
        ("452 4.2.2 The account is over quota", "their mailbox is full"),
        ("550 5.1.1 unknown", "there is no such address"),
        ("554 5.7.1 rejected as spam", "their mail server refuses Waybill's emails"),
        ("came back: 4.4.7 expired", "their mail server cannot be reached"),
        ("554 no", "their mail server did not take it"),
    ],
)
def test_reasons_are_told_in_plain_words(note, words):
    assert plainly(note) == words


@pytest.mark.parametrize(
    "raw",
    [
        b"Content-Type: multipart/report; boundary=" + b"x" * 200_000 + b"\n\n",
        b"Content-Type: multipart/report; boundary=a\n\n" + b"--a\n" * 200_000,
        b"Content-Type: multipart/report; boundary=a\n\n--a\nContent-Type: message/delivery-status\n\n"
        + b"Action: failed\nFinal-Recipient: " + b"<" * 900_000,
        b"Content-Type: multipart/report; boundary=a\n\n--a\nContent-Type: message/delivery-status\n"
        b"Content-Transfer-Encoding: base64\n\n" + b"A" * 900_000,
        b"X-Failed-Recipients: " + b"a@b.c, " * 100_000 + b"\n\n" + b"a@b.c" * 100_000,
        b"\n\n" * 500_000 + b"Message-ID: <a@b>",
    ],
    ids=range(6),
)  # fmt: skip
def test_hostile_reports_are_read_in_no_time(raw):
    import time

    began = time.perf_counter()
    read_report(raw)
    assert time.perf_counter() - began < 1


# reports about a limit of our own account

EXIM_LIMIT = (
    "Domain waybill.test has exceeded the max emails per hour (250/200 (125%)) allowed. Message "
    "discarded."
)


def limited(letter):
    """What cPanel's Exim writes: no Diagnostic-Code, the reason stands in the text for people."""
    raw = report(letter, status="5.0.0").decode()
    raw = raw.replace("Diagnostic-Code: smtp;\r\n 550 no such user\r\n", "")
    said = (
        "A message that you sent could not be delivered to one or more of its recipients.\r\n"
        "This is a permanent error. The following address(es) failed:\r\n\r\n"
        f"  {letter.recipient}\r\n    {EXIM_LIMIT}\r\n"
    )
    return raw.replace("This is the mail system at host mx.test.\r\n", said).encode()


def again(raw, number):
    """The same report, as another mail."""
    return raw.replace(b"Subject: ", f"Message-ID: <r{number}@mx.test>\r\nSubject: ".encode(), 1)


@pytest.mark.long
def test_a_report_of_our_own_limit_lets_the_letter_wait_and_go_out_once_more(players):
    players.write("Ann", "buy TR")
    letter = whole(players, "Bob")
    players.now += 5
    to_all = [mail.to for mail in players.send(limited(letter))]
    assert to_all == [OPERATOR], "the operator alone hears of it"
    [row] = players.store.letters.all(["new"])
    came_back = undelivered.CAME_BACK.format(reason=f"5.0.0 {EXIM_LIMIT}")
    assert (row.id, row.note) == (letter.id, came_back)
    assert players.send(again(limited(letter), 2)) == [], "it waits already"
    assert players.store.letters.all(["failed"]) == ()
    with sending(players) as server:
        post(players)
        assert server.got(address("Bob")) == [], "not at once"
        players.now += 1800
        post(players)
        [taken] = [mail for who, mail in server.taken if who == address("Bob")]
        assert taken["Message-ID"] == letter.message_id
        players.now += 86_400
        post(players)
        assert len(server.got(address("Bob"))) == 1, "once"
    with players.store.transaction() as tx:
        [game] = tx.games.lines()
        assert tx.seats.returns(game.id, "Bob", 0) == ()


def test_a_report_that_came_before_a_letter_went_out_again_brings_no_third_sending(players):
    players.write("Ann", "buy TR")
    letter = whole(players, "Bob")
    with sending(players) as server:
        for number in (1, 2):
            players.arrive(again(limited(letter), number))
        players.office.moderate()
        players.now += 1800
        post(players)
        while players.office.moderate():
            pass
        players.now += 1800
        post(players)
        assert len(server.got(address("Bob"))) == 1
        assert len([one for one in server.got(OPERATOR) if "returned" in one]) == 1


def test_a_letter_that_comes_back_for_days_has_failed(players):
    players.write("Ann", "buy TR")
    letter = whole(players, "Bob")
    players.now += 5 * 86_400
    players.send(limited(letter))
    assert [one.id for one in players.store.letters.all(["failed"])] == [letter.id]
