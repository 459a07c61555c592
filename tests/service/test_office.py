"""The three jobs over real mailboxes: a Maildir, and servers that speak IMAP and SMTP."""

import asyncio
import mailbox
from dataclasses import replace

import pytest

from service.app.office import MODERATE_LEASE, Office
from service.app.relays import Relays
from service.desk.service import Service
from service.desk.turns.turn import TurnEmail
from service.desk.vocabulary.table import VOCABULARY
from service.mail.connections import NO_ANSWER
from service.mail.mailbox import ImapAccount, ImapMailbox
from service.mail.maildir import MaildirMailbox
from service.mail.message import OVER_LIMIT, cut_short
from service.mail.sender import SmtpSettings
from service.reports.receipt import DONE
from service.said import SAYS
from service.store import Store, Unavailable
from service.workshop.demo.embedded import PostOffice
from service.workshop.demo.troupe import PlayerLines, Troupe, game_name, text_part, was_done
from tests.service.players import ADDRESS, GAME, SECRET, address, says, to


@pytest.fixture
def maildir(tmp_path):
    return mailbox.Maildir(tmp_path / "mails")


@pytest.fixture
def fetching(players, maildir, tmp_path):
    """The players' office with a Maildir."""
    players.office.mailboxes = (MaildirMailbox(tmp_path / "mails"),)
    return players


def test_a_mail_is_kept_once_and_marked_on_the_server(fetching, maildir):
    to_ann = fetching.seat_address(GAME, "Ann")
    maildir.add(fetching.mail(address("Ann"), to_ann, "buy TR"))
    assert fetching.office.fetch() == 1
    assert [mail.get_flags() for mail in maildir] == ["S"]
    assert fetching.office.fetch() == 0
    assert to(fetching.work(), "Bob") == ["turn"]


def test_a_crash_before_the_mark_fetches_the_mail_again_and_keeps_it_once(fetching, maildir):
    maildir.add(fetching.mail(address("Ann"), ADDRESS, "games"))
    marked = fetching.office.mailboxes[0].done
    fetching.office.mailboxes[0].done = lambda fetched: None
    assert fetching.office.fetch() == 1
    fetching.office.mailboxes[0].done = marked
    assert fetching.office.fetch() == 0
    assert fetching.store.work.counts().inbox["new"] == 1
    assert [mail.get_flags() for mail in maildir] == ["S"]


def test_a_mail_too_large_to_fetch_is_answered(fetching, maildir):
    to_ann = fetching.seat_address(GAME, "Ann")
    maildir.add(fetching.mail(address("Ann"), to_ann, "buy TR\n" * 200_000))
    assert fetching.office.fetch() == 1
    [letter] = fetching.work()
    assert says(letter, OVER_LIMIT)
    assert fetching.texts() == []
    assert cut_short(b"Subject: x\r\n\r\n", 5).startswith(b"X-Waybill-Oversize: 5")


def test_without_mailbox_and_server_there_is_nothing_to_fetch_or_send(players):
    assert players.office.fetch() == 0
    assert asyncio.run(players.office.send()) == 0


def test_trouble_of_the_database_is_not_the_mail_s(players, monkeypatch):
    def down(self):
        raise Unavailable("the disk is full")

    players.arrive(players.mail(address("Ann"), players.seat_address(GAME, "Ann"), "buy TR"))
    with monkeypatch.context() as patch:
        patch.setattr("service.desk.turns.turn.TurnEmail.effect", down)
        assert players.office.moderate()
        assert not players.office.moderate(), "not at once"
    assert players.store.mails.aside() == ()
    players.now += 30
    assert to(players.work(), "Ann") == ["receipt"]
    assert players.texts() == ["buy TR"]


def test_a_worker_that_was_too_slow_changes_nothing(players, monkeypatch):

    real = TurnEmail._receipt
    other = players.new_office("other")

    def slow(self, *args):
        if not players.texts():
            players.now += MODERATE_LEASE
            monkeypatch.setattr(TurnEmail, "_receipt", real)
            assert other.moderate(), "the lease has run out"
        return real(self, *args)

    monkeypatch.setattr(TurnEmail, "_receipt", slow)
    letters = players.write("Ann", "buy TR")
    assert players.texts() == ["buy TR"]
    assert [to(letters, name) for name in ("Ann", "Bob", "Cat")] == [
        ["receipt"],
        ["turn"],
        ["news"],
    ]
    assert players.store.work.counts().inbox.get("shunted", 0) == 0


def test_the_secret_of_the_house_is_not_in_its_text():
    assert SECRET.decode() not in repr(Service(ADDRESS, "Waybill", SECRET, commands=VOCABULARY))


@pytest.fixture
def served(tmp_path):
    """A troupe whose moderator has real servers, on one thread."""
    with PostOffice() as post:
        store = Store(f"sqlite:///{tmp_path}/waybill.sqlite")
        store.upgrade()
        box = ImapMailbox(
            ImapAccount("127.0.0.1", post.imap_port, post.mailbox, post.password, "none")
        )
        service = Service(
            post.mailbox,
            "Waybill",
            SECRET,
            render=lambda svg, width: b"\x89PNG",
            commands=VOCABULARY,
        )
        office = Office(
            store, service, (box,), Relays.of(SmtpSettings("127.0.0.1", post.smtp_port, "none"))
        )
        names = ("Ann", "Bob", "Cat")
        game = game_name(SECRET, names)
        yield Troupe(post, game, names, rest=lambda: asyncio.run(office.work_off())), office
        box.close()
        store.close()


@pytest.mark.long
def test_a_game_is_gathered_and_played_by_mails_between_servers(served):
    troupe, office = served
    troupe.gather("18AL", ())
    assert was_done(troupe.play(PlayerLines("Ann", ("buy TR",))))
    refused = troupe.play(PlayerLines("Bob", ("buy NDY",)))
    assert not was_done(refused)
    assert "18AL 3.1(a)" in " ".join(text_part(refused).split())
    assert was_done(troupe.play(PlayerLines("Bob", ("buy S&NA", "say: mine"))))
    troupe.players["Cat"].look()
    turn = troupe.players["Cat"].turn()
    assert says(text_part(turn), SAYS, name="Bob", text="mine")
    assert office.store.work.counts().outbox == {"sent": office.store.work.counts().outbox["sent"]}


def test_letters_that_cannot_be_sent_now_wait(players):
    players.office.relays = Relays.of(SmtpSettings("127.0.0.1", 1, "none", timeout=2))
    players.arrive(players.mail(address("Ann"), players.seat_address(GAME, "Ann"), "buy TR"))
    assert players.office.moderate()
    assert asyncio.run(players.office.send()) == 3
    assert asyncio.run(players.office.send()) == 0, "not at once"
    players.now += 60
    assert asyncio.run(players.office.send()) == 3
    [row] = players.store.letters.recent(address("Bob"), GAME, limit=1)
    assert (row.status, row.tries) == ("new", 0)
    assert says(row.note, NO_ANSWER, where="127.0.0.1:1")


def test_operators_words_come_from_their_own_templates(players, tmp_path):
    folder = tmp_path / "own" / "mail"
    folder.mkdir(parents=True)
    ours = "Our own words"
    (folder / "receipt.txt.j2").write_text(f"{ours}: {{{{ headline }}}}\n")
    players.service = players.office.service = replace(players.service, templates=tmp_path / "own")
    letters = players.write("Ann", "buy TR")
    assert f"{ours}: {DONE}" in letters[0].text
