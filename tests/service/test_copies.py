"""A mail that comes more than once is acted on once, whichever copy comes first."""

from dataclasses import replace
from email import message_from_bytes

import pytest

from service.app.office import Office
from service.app.relays import Relays
from service.desk.turns.turn import TurnEmail
from service.mail.copies import identity
from service.mail.message import read
from service.store import Store
from tests.service import listed
from tests.service.players import ADDRESS, GAME, address, to

pytestmark = pytest.mark.long


def carried(raw, *trace):
    """A copy of a mail with other lines before its headers, as servers put them."""
    return "".join(f"{line}\r\n" for line in trace).encode() + raw


def without(raw, name):
    mail = message_from_bytes(raw)
    del mail[name]
    return mail.as_bytes()


@pytest.fixture
def move(players):
    return players.mail(
        address("Ann"),
        players.seat_address(GAME, "Ann"),
        "buy TR",
        Date="Mon, 2 Nov 2026 10:00:00 +0000",
    )


def statuses(players):
    return players.store.work.counts().inbox


def test_a_list_s_copy_that_is_ignored_leaves_the_direct_one_its_move(players, move):
    before = statuses(players).get("done", 0)
    assert players.send(carried(move, "Precedence: bulk")) == []
    assert players.texts() == []
    assert to(players.send(move), "Ann") == ["receipt"]
    assert players.texts() == ["buy TR"]
    assert players.send(carried(move, "Received: from b by c; x")) == []
    assert (statuses(players)["done"], statuses(players)["duplicate"]) == (before + 1, 1)


def test_the_direct_copy_first_and_the_list_s_second_is_one_move(players, move):
    assert to(players.send(move), "Ann") == ["receipt"]
    assert players.send(carried(move, "Precedence: bulk")) == []
    assert players.texts() == ["buy TR"]


def test_a_copy_under_another_sender_leaves_the_direct_one_its_move(players, move):
    """Lists put themselves into From where a domain's DMARC asks for it."""
    rewritten = move.replace(b"From: Ann <ann@players.test>", b"From: list <list@lists.test>")
    assert rewritten != move
    assert to(players.send(rewritten), "Ann") == ["foreign"]
    assert to(players.send(move), "Ann") == ["receipt"]
    assert players.texts() == ["buy TR"]
    assert players.send(carried(rewritten, "X-Copy: 2")) == [], "nobody is warned of a move done"


def test_a_stranger_s_copies_are_answered_once(players):
    raw = players.mail("eve@x.test", ADDRESS, "games")
    assert len(players.send(raw)) == 1
    assert players.send(carried(raw, "Received: from b by c; x")) == []


def test_a_mail_put_aside_and_come_again_is_done_once(players, move, monkeypatch):
    def broken(self):
        raise RuntimeError("a fault of ours")

    with monkeypatch.context() as patch:
        patch.setattr(TurnEmail, "effect", broken)
        players.send(move)
    [aside] = players.store.mails.aside()
    assert to(players.send(carried(move, "X-Copy: 2")), "Ann") == ["receipt"]
    assert players.store.mails.retry(aside.id)
    assert players.work() == []
    assert players.texts() == ["buy TR"]


def test_without_message_id_a_redelivered_mail_is_known_by_its_content(players, move):
    bare = without(move, "Message-ID")
    assert to(players.send(carried(bare, "Received: from a by b; 1")), "Ann") == ["receipt"]
    again = carried(bare, "Delivered-To: x@y.test", "X-Spam-Score: 1", "Received: from a by c; 2")
    assert players.send(again) == []
    assert players.texts() == ["buy TR"]


def test_the_same_words_at_another_time_are_another_mail(players, move):
    bare = without(move, "Message-ID")
    later = bare.replace(b"02 Nov 2026", b"03 Nov 2026")
    assert to(players.send(bare), "Ann") == ["receipt"]
    assert to(players.send(later), "Ann") == ["receipt"]
    dateless = without(bare, "Date")
    first = carried(dateless, "Received: from b by c; 2", "Received: from a by b; 1")
    again = carried(dateless, "Received: from b by d; 3", "Received: from a by b; 1")
    other = carried(dateless, "Received: from b by c; 4", "Received: from a by b; 3")
    mail = read(dateless)
    assert identity(first, mail) == identity(again, mail) != identity(other, mail)
    assert identity(dateless, mail) != identity(carried(dateless, "X-Other: 1"), mail)


def test_copies_in_work_at_once_are_one_move(players, move, monkeypatch):
    """The list's copy bears no seat's address and waits in another lane than the direct one."""
    players.service = players.office.service = replace(players.service, grade="friendly")
    plain = without(move, "To").replace(b"Subject:", b"To: list@lists.test\nSubject:", 1)
    real, met = TurnEmail._receipt, []
    other = Office(
        Store(str(players.store._engine.url)), players.service, (), Relays(), worker="other"
    )
    other.clock = players.office.clock

    def slow(self, *args):
        if not met:
            met.append(1)
            assert other.moderate(), "the other copy is free"
        return real(self, *args)

    monkeypatch.setattr(TurnEmail, "_receipt", slow)
    assert players.arrive(move) and players.arrive(plain)
    letters = players.work()
    assert to(letters, "Ann") == ["receipt"]
    assert players.texts() == ["buy TR"]
    assert statuses(players)["duplicate"] == 1
    other.store.close()


def test_the_message_id_of_another_s_mail_makes_no_copy_of_it(players, move):
    """Bob, who proves his own seat, comes first with the Message-ID of Ann's mail."""
    taken = message_from_bytes(move)["Message-ID"]
    for name, lines in (("Bob", ("status",)), ("Cat", ("buy TR",))):
        assert to(players.write(name, *lines, message_id=taken), name) == ["receipt"]
    assert players.texts() == []
    assert to(players.send(move), "Ann") == ["receipt"]
    assert players.texts() == ["buy TR"]


def test_other_words_under_a_message_id_and_a_forged_sender_are_no_copy(players):
    """What anybody writes in somebody's name must not silence what they write themselves."""
    forged = players.mail("eve@x.test", ADDRESS, "nonsense", message_id="<1@x.test>")
    own = players.mail("eve@x.test", ADDRESS, "games", message_id="<1@x.test>")
    assert len(players.send(forged)) == 1
    [told] = players.send(own)
    assert "GAMES" in told.text


def test_a_list_s_copy_with_its_footer_and_name_is_the_same_mail():
    for how in ("wrap", "foot"):
        raw, direct = listed.mailman(how=how), listed.mailman()
        assert identity(raw, read(raw)) == identity(direct, read(direct))
    plain, munged = listed.google(munged=False), listed.google()
    assert identity(plain, read(plain)) == identity(munged, read(munged))
    other = listed.google(writer="bob@players.test")
    assert identity(other, read(other)) != identity(munged, read(munged))
