"""SMTP servers that drip, hang up over a text, or let an account send no more: nothing is lost,
nobody gets a copy every minute, and the operator hears of it."""

import asyncio
import contextlib
import re
from collections import Counter

import pytest
from typer.testing import CliRunner

from service.app import trouble
from service.app.office import SEND_LEASE
from service.app.relays import Relays
from service.cli import program, serving
from service.desk.bounces import undelivered
from service.mail import connections, refusals
from service.mail.sender import Outgoing, SmtpSettings, probe, send
from service.store.letters import UNKNOWN_BACKOFF, Pace
from service.workshop.demo.demo import write_config
from service.workshop.demo.embedded import PostOffice
from tests.service.hostile_servers import Smtp
from tests.service.players import ADDRESS, GAME, OPERATOR, address, says, to
from tests.service.test_undelivered import play, post, sending, text

QUOTA = "550 5.4.5 Daily user sending limit exceeded. - gsmtp"
HOUR = 3600


def batch(count=1):
    return [
        Outgoing(n, ADDRESS, (f"p{n}@x.test",), b"Subject: t\r\n\r\nt\r\n") for n in range(count)
    ]


def through(server, **more):
    bounds = {"timeout": 5, "deadline": 5, "patience": 5, **more}
    return SmtpSettings("127.0.0.1", server.port, "none", **bounds)


def outcome(server, count=1, **more):
    results = asyncio.run(send(through(server, **more), batch(count)))
    return [one.status for one in results], results[0].note


# ------------------------------------------------------------------ deadlines


@pytest.mark.parametrize("place", ["greeting", "EHLO", "MAIL", "RCPT", "DATA"])
def test_a_server_that_drips_is_given_up_and_the_mail_is_not_under_way(place):
    with Smtp(**{place: "drip"}) as server:
        statuses, note = outcome(server, deadline=0.3)
    assert statuses == ["trouble" if place in ("greeting", "EHLO") else "broke"]
    assert says(note, connections.TOO_SLOW, tls="none")


def test_a_probe_has_a_deadline_too():
    with Smtp(greeting="drip") as server:
        assert says(asyncio.run(probe(through(server, deadline=0.2))), connections.TOO_SLOW)


def test_no_mail_is_begun_after_the_batch_has_taken_its_time():
    with Smtp() as server:
        results = asyncio.run(send(through(server, batch=-1.0), batch(3)))
    assert [one.status for one in results] == ["trouble"] * 3
    assert server.copies == []


def test_a_claim_holds_longer_than_the_slowest_batch_can_take():
    slow = SmtpSettings("mx.test", 25)
    assert slow.batch + 2 * slow.deadline + slow.patience < SEND_LEASE


# ------------------------------------------------------------------ a text without an answer


@pytest.mark.parametrize("end", [None, "drip", "9x what"])
def test_a_text_without_an_answer_may_have_arrived(end):
    with Smtp(text=end) as server:
        statuses, note = outcome(server, patience=0.3)
    assert statuses == ["unknown"]
    assert note.startswith(refusals.UNANSWERED)
    assert len(server.copies) == 1


def test_a_connection_that_ends_before_the_text_leaves_no_doubt():
    with Smtp(DATA=None) as server:
        assert outcome(server)[0] == ["broke"]


def test_a_server_that_hangs_up_over_each_text_gets_few_of_them():
    with Smtp(text=None) as server:
        statuses, _ = outcome(server, 20)
    assert statuses == ["unknown"] * 3 + ["trouble"] * 17
    assert len(server.copies) == 3


def test_the_answer_to_the_text_is_waited_for_longer_than_others():
    with Smtp(text="drip") as server:
        statuses, _ = outcome(server, timeout=0.05, patience=0.5)
    assert statuses == ["unknown"]


def test_a_sending_that_is_cancelled_says_what_it_knows():
    async def go(server):
        task = asyncio.create_task(send(through(server, patience=600), batch(3)))
        while not server.copies:
            await asyncio.sleep(0.01)
        task.cancel()
        return await asyncio.wait_for(task, 5)

    with Smtp(text="drip") as server:
        results = asyncio.run(go(server))
    assert [one.status for one in results] == ["unknown", "trouble", "trouble"]


@pytest.mark.long
def test_a_letter_whose_fate_is_unknown_is_sent_a_few_times_and_then_told(players):
    """Every quarter of an hour for two days, in which the server takes each text and hangs up."""
    with Smtp(text=None) as server:
        players.office.relays = Relays.of(through(server))
        play(players, "Ann", "buy TR")
        for _ in range(2 * 24 * 4):
            post(players)
            players.now += 900
        to_players = [copy for copy in server.copies if b"To: operator@" not in copy]
        copies = Counter(re.search(rb"Message-ID: (\S+)", copy)[1] for copy in to_players)
        assert max(copies.values()) == len(UNKNOWN_BACKOFF) + 1
        assert len(server.copies) - len(to_players) < 30, "the operator's are not without end"
    failed = players.store.letters.all(["failed"])
    assert all(row.note.startswith(refusals.UNANSWERED) for row in failed)
    assert address("Bob") in {row.recipient for row in failed}
    with sending(players) as server:
        players.now += 8 * HOUR
        post(players)
        told = [mail for who, mail in server.taken if who == OPERATOR]
        assert any(refusals.UNSAID in " ".join(text(mail).split()) for mail in told)


# ------------------------------------------------------------------ limits of a provider


def test_a_limit_of_the_provider_loses_nothing_and_is_told(players):
    with sending(players) as server:
        everybody = [OPERATOR, *(address(name) for name in ("Ann", "Bob", "Cat"))]
        server.refuse = dict.fromkeys(everybody, QUOTA)
        play(players, "Ann", "buy TR")
        tried = []
        real = players.office.deliver

        async def counting(smtp, mails):
            tried.append(len(mails))
            return await real(smtp, mails)

        players.office.deliver = counting
        for _ in range(24 * 12):
            post(players)
            players.now += 300
        assert players.store.letters.all(["failed"]) == ()
        assert not server.taken
        assert len(tried) <= 24 + 4, "the provider is asked once an hour in the end"
        assert {row.tries for row in players.store.letters.all(["new"])} == {0}
        # a new day
        server.refuse.clear()
        players.now += HOUR
        post(players)
        assert players.store.letters.all(["new"]) == ()
        assert len(server.got(address("Bob"))) == 1
        assert server.got(OPERATOR) == [trouble.STOPPED_SUBJECT]
        [told] = [mail for who, mail in server.taken if who == OPERATOR]
        assert "5.4.5 Daily user sending limit" in text(told)
        undelivered_too = undelivered.OPERATOR_SUBJECT.format(address=address("Bob"))
        assert all(str(mail["Subject"]) != undelivered_too for _, mail in server.taken)


def test_a_limit_that_one_letter_alone_meets_is_that_letter_s(players):
    with sending(players) as server:
        server.refuse[address("Bob")] = QUOTA
        play(players, "Ann", "buy TR")
        for _ in range(4):
            post(players)
            players.now += 900
        assert len(server.got(address("Ann"))) == 1
        [waiting] = players.store.letters.all(["new"])
        assert (waiting.recipient, waiting.tries > 0) == (address("Bob"), True)


def test_a_report_of_a_limit_stops_no_seat(players):
    """A hoster that takes the text and sends a report: the seat is not out of reach."""
    note = (
        "came back: 5.0.0 Domain x.test has exceeded the max emails per hour (5/5 (100%)) allowed"
    )
    assert not refusals.gone(note)
    assert refusals.plainly(note) == refusals.OUR_PROVIDER


# ------------------------------------------------------------------ the pace


def sent_at(players, seconds):
    """How many letters went out within so many seconds."""
    rows = players.store.letters.all(["sent"])
    return sum(players.now - seconds < row.sent <= players.now for row in rows)


def test_letters_go_out_at_the_pace_that_is_set_turns_first(players):
    players.now += 2 * 86_400
    players.office.pace = Pace(a_minute=1, a_day=0)
    with sending(players) as server:
        play(players, "Ann", "buy TR")
        post(players)
        assert [who for who, _ in server.taken] == [address("Bob")], "whose turn it is"
        post(players)
        assert len(server.taken) == 1
        for _ in range(5):
            players.now += 60
            post(players)
            assert sent_at(players, 60) <= 1
        assert players.store.letters.all(["new"]) == ()
        assert players.store.letters.all(["failed"]) == ()


@pytest.mark.long
def test_a_pace_of_the_day_lets_letters_wait_and_the_operator_hears_once(players):
    players.now += 2 * 86_400
    players.office.pace = Pace(a_day=2)
    with sending(players) as server:
        play(players, "Ann", "buy TR")
        for _ in range(20):
            post(players)
            players.now += HOUR
        assert len(server.taken) == 2
        for _ in range(60):
            post(players)
            players.now += HOUR
            assert sent_at(players, 86_400) <= 2
        assert server.got(OPERATOR) == ["Emails wait: smtp.a_day is reached"]
        assert players.store.letters.all(["new", "failed"]) == ()


def test_what_is_on_its_way_counts_for_the_pace(players):
    players.now += 2 * 86_400
    play(players, "Ann", "buy TR")
    store, now = players.store, players.now
    first = store.letters.claim("one", now, 600, 20, Pace(a_minute=2))
    assert len(first) == 2
    assert store.letters.claim("two", now, 600, 20, Pace(a_minute=2)) == ()


# ------------------------------------------------------------------ once


def test_answers_go_out_while_no_mail_can_come_in(players):
    from service.mail.mailbox import ImapAccount, ImapMailbox

    players.arrive(players.mail(address("Ann"), players.seat_address(GAME, "Ann"), "buy TR"))
    box = ImapMailbox(ImapAccount("127.0.0.1", 1, "u", "p", "none"))
    players.office.mailboxes = (box,)
    with sending(players) as server, contextlib.closing(box):
        done = asyncio.run(players.office.work_off())
        assert done.handled == 1
        [told] = done.troubles
        assert says(told, connections.NO_ANSWER, where="127.0.0.1:1")
        assert len(server.got(address("Bob"))) == 1


@pytest.mark.long
def test_the_exit_code_of_once_tells_that_the_mailbox_is_down(tmp_path, monkeypatch):
    with PostOffice() as office:
        config = write_config(tmp_path, office, "a secret for tests only, thirty-two bytes")
        monkeypatch.setenv("WAYBILL_IMAP__PORT", "1")
        done = CliRunner().invoke(program(), ["once", "--config", str(config)])
    assert done.exit_code == 1
    assert says(done.output, serving.HANDLED, count=0)
    assert says(done.output, connections.NO_ANSWER, where="127.0.0.1:1")


def test_what_cannot_be_sent_is_told_at_the_end(players):
    players.office.relays = Relays.of(SmtpSettings("127.0.0.1", 1, "none", timeout=2))
    players.arrive(players.mail(address("Ann"), players.seat_address(GAME, "Ann"), "buy TR"))
    done = asyncio.run(players.office.work_off())
    assert done.handled == 1
    assert connections.NO_ANSWER.format(where="127.0.0.1:1") in " ".join(done.troubles)
    assert to(players.work(), "Bob") == ["turn"], "it goes as soon as somebody takes it"
