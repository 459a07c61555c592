"""Several mailboxes feed one service. None of them holds up another."""

import asyncio
import mailbox
from contextlib import contextmanager
from email import message_from_bytes
from email.policy import default
from email.utils import parseaddr

import pytest

from service.app import servers as mail_servers
from service.app import trouble
from service.app.checkup import imap
from service.app.daemon import Daemon
from service.app.presence import Presence
from service.app.pulse import Pulse
from service.mail.mailbox import ImapAccount, ImapMailbox, MailboxDown
from service.mail.maildir import MaildirMailbox
from service.settings import Settings, SettingsError
from tests.service import dovecot
from tests.service.players import ADDRESS, GAME, NOW, address, to
from tests.service.test_mailbox import real, running_dovecot  # noqa: F401 - a fixture
from tests.service.test_own_servers import look

SILENCE = 900


class Away(MaildirMailbox):
    """A Maildir whose disk is away while ``away`` is set."""

    away = False

    def fetch(self, kept=(0, 0)):
        if self.away:
            raise MailboxDown(f"{self.name} is away")
        return super().fetch(kept)


@pytest.fixture
def boxes(tmp_path):
    """Two Maildirs, and where to put emails into them."""
    names = ("north", "south")
    return [(Away(tmp_path / one), mailbox.Maildir(tmp_path / one)) for one in names]


@pytest.fixture
def fetching(players, boxes):
    """The players' office with two mailboxes."""
    players.office.mailboxes = tuple(box for box, _ in boxes)
    names = [box.name for box, _ in boxes]
    players.office.pulse = Pulse(players.store, SILENCE, mailboxes=names)
    return players


def test_emails_of_both_mailboxes_are_handled_and_answered_from_one_address(fetching, boxes):
    (_, north), (_, south) = boxes
    north.add(fetching.mail(address("Ann"), fetching.seat_address(GAME, "Ann"), "buy TR"))
    south.add(fetching.mail(address("Bob"), ADDRESS, "games"))
    assert fetching.office.fetch() == 2
    letters = fetching.work()
    assert to(letters, "Bob") == ["turn", "answer"]
    assert {parseaddr(letter.mail["From"])[1] for letter in letters} == {ADDRESS}
    assert [mail.get_flags() for box in (north, south) for mail in box] == ["S", "S"]


def test_an_email_that_comes_to_both_mailboxes_is_done_once(fetching, boxes):
    mail = fetching.mail(address("Ann"), fetching.seat_address(GAME, "Ann"), "buy TR")
    for host, (_, box) in zip(("one", "two"), boxes, strict=True):
        box.add(b"Received: by %s.test\r\n" % host.encode() + mail)
    assert fetching.office.fetch() == 2
    fetching.work()
    assert fetching.texts() == ["buy TR"]
    assert sorted(fetching.store.work.counts().inbox) == ["done", "duplicate"]


def test_trouble_with_one_mailbox_is_told_by_its_name_and_the_other_is_read(fetching, boxes):
    (first, _), (second, south) = boxes
    first.away = True
    for _ in range(2):
        south.add(fetching.mail(address("Bob"), ADDRESS, "games"))
        assert not look(fetching)
        fetching.now += SILENCE
    assert fetching.store.work.counts().inbox["new"] == 2
    [told] = [one for one in fetching.store.letters.all(("new",)) if one.kind == "trouble"]
    text = message_from_bytes(told.raw, policy=default).get_body(("plain",)).get_content()
    # a long path may be broken at a hyphen
    assert f"cannotreaditsmailbox{first.name}:" in "".join(text.split())
    assert list(fetching.office.watch.spells) == [trouble.of_mailbox(first.name)]
    second.away = True
    assert not look(fetching)
    first.away = False
    assert not look(fetching)
    assert list(fetching.office.watch.spells) == [trouble.of_mailbox(second.name)]
    second.away = False
    assert look(fetching) and fetching.office.watch.spells == {}


def test_two_mailboxes_that_fail_in_one_second_are_told_apart(fetching, boxes):
    for box, _ in boxes:
        box.away = True
    assert not look(fetching)
    fetching.now += SILENCE
    assert not look(fetching)
    assert [one.kind for one in fetching.store.letters.all(("new",))].count("trouble") == 2


def spans(players):
    with players.store.transaction() as tx:
        return [(s.kind, s.begins, s.ends) for s in tx.clocks.spans(0)]


def works(players):
    """Whether the service notes that it works."""
    with players.store.transaction() as tx:
        tx.meta.beat(players.now)
        return tx.meta.last_beat() == players.now


def test_time_counts_again_when_all_mailboxes_can_be_read(fetching, boxes):
    (first, _), (second, _) = boxes
    for box in (first, second):
        box.away = True
    assert not look(fetching)
    first.away = False
    fetching.now += 2 * SILENCE
    assert not look(fetching)
    assert not works(fetching)
    second.away = False
    fetching.now += SILENCE
    assert look(fetching) and works(fetching)
    assert spans(fetching) == [
        ("down", NOW, NOW + 2 * SILENCE),
        ("down", NOW, NOW + 3 * SILENCE),
    ]


def test_a_mailbox_that_was_away_and_is_no_longer_set_stops_no_clock(fetching, boxes):
    (first, _), (second, _) = boxes
    second.away = True
    assert not look(fetching)
    Pulse(fetching.store, SILENCE, mailboxes=[first.name]).beat(NOW + 2 * SILENCE)
    assert works(fetching)
    assert spans(fetching) == [("down", NOW, NOW + 2 * SILENCE)]


def test_each_mailbox_has_one_fetcher(fetching, boxes, tmp_path):
    """A worker takes a mailbox that no other worker has, whoever has the others."""
    (first, _), (second, _) = boxes
    with Presence(tmp_path / "workers") as here, Presence(tmp_path / "workers") as there:
        assert there.holds(trouble.of_mailbox(second.name))
        fetching.office.presence = here
        assert fetching.office.fetches(first) and not fetching.office.fetches(second)
        there.close()
        assert fetching.office.fetches(second)


def test_two_sections_may_not_name_one_mailbox(tmp_path):
    server = {"host": "IMAP.x.test", "user": "play"}
    same = {**server, "host": "imap.x.test", "folder": "inbox"}
    settings = Settings(imap={**server, "club": same})
    with pytest.raises(SettingsError) as error:
        mail_servers.mailboxes_of(settings)
    name = "imap://play@imap.x.test:993/INBOX"
    assert str(error.value) == mail_servers.TWICE.format(section="imap.club", mailbox=name)
    other = Settings(imap={**server, "club": {**same, "folder": "club"}})
    two = mail_servers.mailboxes_of(other)
    assert [one.name for one in two] == [name, name.replace("INBOX", "club")]
    for one in two:
        one.close()


def test_check_tells_of_each_mailbox(tmp_path):
    mailbox.Maildir(tmp_path / "north")
    settings = Settings(
        imap={"maildir": str(tmp_path / "north"), "south": {"maildir": str(tmp_path / "south")}}
    )
    assert [one.good for one in imap(settings)] == [True, False]


# ---------------------------------------------------------------------------- a real server


@contextmanager
def two_mailboxes(server):
    """Two accounts, and who puts emails into them."""
    users = [server.new_user() for _ in range(2)]
    yield (
        [
            ImapMailbox(
                ImapAccount("127.0.0.1", server.imaps, user, dovecot.PASSWORD, context=server.trust)
            )
            for user in users
        ],
        [lambda raw, user=user: server.deliver(user, raw) for user in users],
    )


@pytest.mark.long
@pytest.mark.dovecot
def test_a_daemon_reads_two_mailboxes_at_once(running_dovecot, players):  # noqa: F811
    """Both are waited for: an email to either is kept long before the next look."""
    players.office.clock = lambda: players.now
    with two_mailboxes(running_dovecot) as (boxes, puts):
        players.office.mailboxes = boxes
        settings = Settings(jobs={"fetch": 3600}, mail={"address": ADDRESS})
        daemon = Daemon(players.office, settings, ("fetch",))

        async def run():
            task = asyncio.create_task(daemon.run())
            for number, put in enumerate((*puts, *reversed(puts)), 1):
                mail = players.mail(f"eve{number}@x.test", ADDRESS, "games")
                await asyncio.to_thread(put, mail)
                while players.store.work.counts().inbox.get("new", 0) < number:
                    await asyncio.sleep(0.05)
                    assert not task.done()
            daemon.stop()
            await task

        asyncio.run(asyncio.wait_for(run(), 60))
    assert players.store.work.counts().inbox["new"] == 4


@pytest.mark.long
@pytest.mark.dovecot
def test_another_service_that_moves_emails_away_is_noticed(running_dovecot, players):  # noqa: F811
    """With a folder for emails that are done, the others' emails are gone before we look."""
    office = players.office
    office.service = players.service
    with real(running_dovecot) as server:
        server.open()._do(lambda client: client.create_folder("Done"))
        ours, theirs = (server.open(done_folder="Done") for _ in range(2))
        office._began = 0
        office.mailboxes = (ours,)
        server.put(players.mail(address("Bob"), ADDRESS, "games"))
        assert office.fetch() == 1
        players.now += SILENCE
        assert office.fetch() == 0
        assert shared(players) == 0, "we have moved this one"
        server.put(players.mail(address("Ann"), ADDRESS, "games"))
        for fetched in theirs.fetch():
            theirs.done(fetched)
        for _ in range(2):
            players.now += SILENCE
            assert office.fetch() == 0
        server.close()
    assert shared(players) == 1


def shared(players):
    """The emails to the operator about another service."""
    letters = players.store.letters.all(("new",))
    return sum(trouble.SHARED_SUBJECT in one.raw.decode() for one in letters)
