"""Our own mail servers fail: the spare one sends, and the operator hears of it once."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes, policy

import pytest

from service.app import trouble
from service.app.relays import REST, Relays
from service.mail.mailbox import Fetched, MailboxDown
from service.mail.sender import STOPPED, Sent, SmtpSettings
from tests.service.players import GAME, OPERATOR, address, says

USUAL, SPARE = SmtpSettings("usual.test", 587), SmtpSettings("spare.test", 587)


class Servers:
    """Two servers that answer as they are told, and remember what each was asked to take."""

    def __init__(self, players) -> None:
        self.players = players
        self.answers = {"usual.test": "sent", "spare.test": "sent"}
        self.asked = []
        self.note = ""
        players.office.relays = Relays.of(USUAL, SPARE)
        players.office.deliver = self.deliver

    async def deliver(self, smtp, batch):
        self.asked.append(smtp.host)
        status = self.answers[smtp.host]
        return [Sent(mail.id, status, self.note or f"{smtp.host} says {status}") for mail in batch]

    def post(self):
        """The servers that are asked about the letters of one command."""
        del self.asked[:]
        asyncio.run(self.players.office.send())
        return self.asked


@pytest.fixture
def servers(players):
    """The servers, once the letters from before the test are sent."""
    players.service = players.office.service = replace(players.service, operator=OPERATOR)
    found = Servers(players)
    while found.post():
        pass
    found.sent = players.store.work.counts().outbox["sent"]
    return found


def command(players, name, *lines):
    players.arrive(players.mail(address(name), players.seat_address(GAME, name), *lines))
    while players.office.moderate():
        pass


def subjects(players):
    """The subjects of emails to the operator."""
    letters = players.store.letters.recent(OPERATOR, "", limit=20)
    return [str(message_from_bytes(one.raw, policy=policy.default)["Subject"]) for one in letters]


@pytest.mark.parametrize("status", ("trouble", "denied", "limited"))
def test_the_spare_server_takes_what_the_usual_one_does_not(players, servers, status):
    servers.answers["usual.test"] = status
    command(players, "Ann", "buy TR")
    assert servers.post()[-1] == "spare.test"
    assert players.store.work.counts().outbox == {"sent": servers.sent + 3}
    assert not players.office.watch.rests("sending", players.now)
    assert not players.office.watch.rests("limit", players.now)


def test_a_server_that_took_nothing_rests_and_is_asked_again(players, servers):
    servers.answers["usual.test"] = "trouble"
    command(players, "Ann", "buy TR")
    assert servers.post() == ["usual.test", "spare.test"]
    command(players, "Bob", "buy S&NA")
    assert servers.post() == ["spare.test"]
    players.now += REST
    servers.answers["usual.test"] = "sent"
    command(players, "Cat", "bid NDY 125")
    assert servers.post() == ["usual.test"]


def test_a_resting_server_is_asked_if_the_spare_one_fails(players, servers):
    servers.answers["usual.test"] = "trouble"
    command(players, "Ann", "buy TR")
    servers.post()
    servers.answers = {"usual.test": "sent", "spare.test": "trouble"}
    command(players, "Bob", "buy S&NA")
    assert servers.post() == ["spare.test", "usual.test"]
    assert set(players.store.work.counts().outbox) == {"sent"}


def test_a_third_server_sends_when_two_fail(players, servers):
    third = SmtpSettings("third.test", 587)
    players.office.relays = Relays.of(USUAL, SPARE, third)
    servers.answers = {"usual.test": "denied", "spare.test": "trouble", "third.test": "sent"}
    command(players, "Ann", "buy TR")
    assert servers.post()[-1] == "third.test"
    assert players.store.work.counts().outbox == {"sent": servers.sent + 3}
    command(players, "Bob", "buy S&NA")
    assert servers.post() == ["third.test"]


@pytest.mark.parametrize("status", ("never", "later", "unknown", "perhaps"))
def test_an_answer_about_the_letter_is_not_asked_for_again(players, servers, status):
    """A letter without an answer may have arrived; elsewhere it would arrive twice."""
    servers.answers["usual.test"] = status
    command(players, "Ann", "buy TR")
    assert set(servers.post()) == {"usual.test"}


def test_at_the_stop_no_further_server_is_asked(players, servers):
    servers.answers["usual.test"], servers.note = "trouble", STOPPED
    command(players, "Ann", "buy TR")
    assert servers.post() == ["usual.test"]
    assert not players.office.relays.failure


def test_both_fail_and_nothing_is_lost(players, servers):
    servers.answers = dict.fromkeys(servers.answers, "trouble")
    command(players, "Ann", "buy TR")
    assert servers.post() == ["usual.test", "spare.test"]
    assert players.store.work.counts().outbox == {"sent": servers.sent, "new": 3}
    assert players.office.watch.rests("sending", players.now)


def test_the_operator_hears_once_of_a_usual_server_that_fails_and_when_it_is_back(players, servers):
    servers.answers["usual.test"] = "denied"
    lines = (("Ann", "buy TR"), ("Bob", "buy S&NA"), ("Cat", "bid NDY 125"), ("Ann", "bid NDY 130"))
    for name, line in lines[:3]:
        command(players, name, line)
        servers.post()
        players.now += 901
    servers.post()
    assert sum(trouble.SPARED_SUBJECT in one for one in subjects(players)) == 1
    servers.answers["usual.test"] = "sent"
    command(players, *lines[3])
    servers.post()
    assert any(trouble.SENDS_AGAIN in one for one in subjects(players))
    assert "spare" not in players.office.watch.spells


class Locked:
    """A mailbox that cannot be read while ``reason`` is set."""

    name, unreadable = "locked", {}

    def __init__(self) -> None:
        self.reason = "imap.test does not let play in"

    def fetch(self, kept=(0, 0)):
        if self.reason:
            raise MailboxDown(self.reason)
        return iter(())

    def moved(self, since):
        return iter(())


def look(players):
    """One look into all mailboxes, and whether all could be read."""
    try:
        players.office.fetch()
    except MailboxDown:
        return False
    return True


def test_the_operator_hears_once_of_a_mailbox_that_cannot_be_read(players, servers):
    box = Locked()
    players.office.mailboxes = (box,)
    assert not look(players)
    assert players.office.watch.spells["mailbox locked"].reason == box.reason
    for _ in range(3):
        players.now += 600
        assert not look(players)
    servers.post()
    assert sum(trouble.DEAF_SUBJECT in one for one in subjects(players)) == 1
    box.reason = ""
    assert look(players)
    servers.post()
    assert any(trouble.FETCHED_AGAIN in one for one in subjects(players))
    assert players.office.watch.spells == {}


def test_a_short_interruption_of_the_mailbox_is_not_told(players, servers):
    box = Locked()
    players.office.mailboxes = (box,)
    look(players)
    players.now += 600
    box.reason = ""
    look(players)
    servers.post()
    assert subjects(players) == []


class Dated:
    """A mailbox whose server's clock is ``ahead`` seconds ahead of ours."""

    name, unreadable = "dated", {}

    def __init__(self, players) -> None:
        self.players, self.ahead, self.uid, self.taken = players, 0, 0, False

    def fetch(self, kept=(0, 0)):
        self.uid += 1
        now = datetime.fromtimestamp(self.players.now + self.ahead, UTC)
        yield Fetched(7, self.uid, b"From: x@x.test\r\n\r\n%d" % self.uid, now, self.taken)

    def done(self, fetched):
        pass

    def moved(self, since):
        return iter(())


def test_the_operator_hears_once_of_a_clock_that_is_behind(players, servers):
    box = Dated(players)
    players.office.mailboxes = (box,)
    box.ahead = 119
    look(players)
    assert players.office.watch.spells == {}
    box.ahead = 700
    look(players)
    look(players)
    box.ahead = -86_400  # this one has waited for a day
    look(players)
    servers.post()
    assert sum(trouble.CLOCK_SUBJECT in one for one in subjects(players)) == 1
    assert says(players.office.watch.spells["clock"].reason, trouble.BEHIND, long="11 minutes")
    box.ahead = 0
    look(players)
    servers.post()
    assert any(trouble.CLOCK_RIGHT in one for one in subjects(players))
    assert players.office.watch.spells == {}


def test_the_operator_hears_once_of_another_service_on_the_mailbox(players, servers):
    box = Dated(players)
    players.office.mailboxes = (box,)
    box.taken, box.ahead = True, -7200  # it came before this worker began
    look(players)
    servers.post()
    assert not any(trouble.SHARED_SUBJECT in one for one in subjects(players))
    box.ahead = 0
    look(players)
    look(players)
    servers.post()
    assert sum(trouble.SHARED_SUBJECT in one for one in subjects(players)) == 1
