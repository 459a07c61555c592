"""Refusals that lie with our own account: letters wait, and the operator hears of it once."""

import pytest

from service.mail.refusals import fate, whose
from tests.service.players import OPERATOR, address
from tests.service.test_undelivered import of_failure, play, post, sending, text

RELAY = "554 5.7.1 <{}>: Relay access denied"
REFUSES = "The mail server refuses your emails"


@pytest.mark.parametrize(
    ("code", "words", "stage", "concerns"),
    [
        # our account
        (554, "relay denied", "rcpt", "account"),
        (554, "5.7.1 <bob@x.test>: Relay access denied", "rcpt", "account"),
        (454, "4.7.1 <bob@x.test>: Relay access denied", "rcpt", "account"),
        (550, "relay not permitted", "rcpt", "account"),
        (550, "5.7.54 SMTP; Unable to relay recipient in non-accepted domain", "rcpt", "account"),
        (530, "5.7.0 Authentication required", "rcpt", "account"),
        (530, "5.7.0 Must issue a STARTTLS command first", "mail", "account"),
        (550, "5.7.1 Client was not authenticated", "mail", "account"),
        (553, "5.7.1 <a@b>: Sender address rejected: not owned by user play", "rcpt", "account"),
        (550, "Sender rejected", "rcpt", "account"),
        (550, "5.1.8 <a@b>: domain not found", "rcpt", "account"),
        (554, "5.7.1 Service unavailable; Client host [192.0.2.1] blocked", "rcpt", "account"),
        (
            550,
            "5.7.60 SMTP; Client does not have permissions to send as this sender",
            "data",
            "account",
        ),
        (550, "no email from you", "mail", "account"),
        # the letter
        (550, "5.1.1 <bob@x.test>: Recipient address rejected: User unknown", "rcpt", "letter"),
        (550, "5.1.1 user unknown; relay denied", "rcpt", "letter"),
        (550, "no such user", "rcpt", "letter"),
        (550, "5.7.1 <bob@x.test>: Recipient address rejected: Access denied", "rcpt", "letter"),
        (552, "5.2.2 mailbox full", "rcpt", "letter"),
        (552, "too large", "mail", "letter"),
        (554, "5.3.4 message too big", "mail", "letter"),
        (550, "5.7.1 looks like spam", "data", "letter"),
        (450, "4.7.1 greylisted, come again", "rcpt", "letter"),
        (451, "4.3.0 try again", "mail", "letter"),
        # what others' letters must tell
        (550, "5.7.1 not wanted", "rcpt", "perhaps"),
    ],
)
def test_whom_an_answer_concerns_is_told_by_its_status_and_else_by_its_words(
    code, words, stage, concerns
):
    waits = {"denied": "account", "perhaps": "perhaps"}
    assert waits.get(fate({whose(code, words, stage)}, code < 500), "letter") == concerns


def test_letters_that_our_account_may_not_send_wait_and_the_operator_is_told_once(players):
    names = ("Ann", "Bob", "Cat")
    with sending(players) as server:
        for name in names:
            server.refuse[address(name)] = RELAY.format(address(name))
        play(players, "Ann", "buy TR")
        for _ in range(30):
            post(players)
            players.now += 900
        assert not players.store.letters.all(["failed"])
        waiting = players.store.letters.all(["new"])
        assert {row.recipient for row in waiting} >= {address("Bob"), address("Cat")}
        assert all(row.tries == 0 for row in waiting), "no try was used up"
        assert server.got(OPERATOR) == [REFUSES]
        [told] = [mail for who, mail in server.taken if who == OPERATOR]
        assert "Relay access denied" in text(told) and "waybill letters --waiting" in text(told)
        # mended: all go their way, none is told of as lost
        server.refuse.clear()
        players.now += 3600
        post(players)
        assert not players.store.letters.all(["new"])
        assert len(server.got(address("Bob"))) == 1
        assert not any(of_failure(str(mail["Subject"])) for _, mail in server.taken)
        # a later time of trouble is told anew
        players.now += 9000
        server.refuse[address("Cat")] = RELAY.format(address("Cat"))
        play(players, "Bob", "pass")
        post(players)
        post(players)
        assert server.got(OPERATOR).count(REFUSES) == 2


def test_where_even_the_operator_s_letter_is_denied_it_comes_when_it_can(players):
    with sending(players) as server:
        everybody = [OPERATOR, *(address(name) for name in ("Ann", "Bob", "Cat"))]
        server.refuse = {who: "554 relay denied" for who in everybody}
        play(players, "Ann", "buy TR")
        for _ in range(8):
            post(players)
            players.now += 400
        assert not server.taken and not players.store.letters.all(["failed"])
        server.refuse.clear()
        players.now += 3600
        post(players)
        assert server.got(OPERATOR).count(REFUSES) == 1
        assert server.got(address("Bob"))


def test_a_policy_that_refuses_one_alone_is_that_letter_s(players):
    with sending(players) as server:
        server.refuse[address("Bob")] = "550 5.7.1 not wanted here"
        play(players, "Ann", "buy TR")
        for _ in range(40):
            post(players)
            players.now += 3600
        [row] = players.store.letters.all(["failed"])
        assert row.recipient == address("Bob")
        assert REFUSES not in server.got(OPERATOR)
        assert any(map(of_failure, server.got(OPERATOR)))


@pytest.mark.long
def test_a_policy_that_refuses_all_is_our_trouble(players):
    with sending(players) as server:
        everybody = [OPERATOR, *(address(name) for name in ("Ann", "Bob", "Cat"))]
        server.refuse = {who: "550 5.7.1 not wanted here" for who in everybody}
        players.now += 60
        play(players, "Ann", "buy TR")
        for _ in range(40):
            post(players)
            players.now += 1800
        assert not players.store.letters.all(["failed"])
        assert not server.taken


def test_an_address_that_does_not_exist_stays_the_letter_s(players):
    with sending(players) as server:
        server.refuse[address("Bob")] = "550 5.1.1 no such user"
        play(players, "Ann", "buy TR")
        post(players)
        [row] = players.store.letters.all(["failed"])
        assert row.recipient == address("Bob")
        assert REFUSES not in server.got(OPERATOR)
