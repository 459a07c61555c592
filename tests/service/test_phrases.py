"""Pass phrases: they prove a player from anywhere, and nobody ever reads them again."""

import logging
from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from service.desk.identity import credentials
from service.desk.proving import owners
from service.desk.talk import talking
from service.mail import phrases
from service.mail.message import Line, read
from tests.service.players import GAME, address, flat, one, says, to
from tests.service.test_forged import grade, number_in, seat

pytestmark = pytest.mark.long

PHRASE = "correct horse battery staple"
AWAY = "ann@hotel.test"


@pytest.fixture
def chosen(players):
    """Ann has a pass phrase."""
    letters = players.write("Ann", f"pass-phrase set {PHRASE}")
    assert says(one(letters, "Ann"), credentials.PHRASE_KEPT)
    return players


def test_a_phrase_lets_a_player_move_from_a_strange_address(chosen):
    letters = chosen.write("Ann", f"pass-phrase: {PHRASE}", "buy TR", sender=AWAY)
    assert chosen.texts() == ["buy TR"]
    there = [letter for letter in letters if letter.to == AWAY]
    assert [letter.kind for letter in there] == ["receipt"]
    assert to(letters, "Ann") == ["receipt"], "a copy goes to the registered address"
    assert flat(there[0]) == flat(one(letters, "Ann"))


@pytest.mark.parametrize("written", [PHRASE.upper(), PHRASE.replace(" ", "   "), f" {PHRASE} "])
def test_capitals_and_blanks_do_not_matter(chosen, written):
    chosen.write("Ann", f"Pass phrase: {written}", "buy TR", sender=AWAY)
    assert chosen.texts() == ["buy TR"]


def test_a_phrase_stands_for_the_signature_of_a_server_that_does_not_sign(chosen):
    grade(chosen, "tournament")
    chosen.write("Ann", "buy TR")
    assert chosen.texts() == []
    chosen.write("Ann", "buy TR", f"pass-phrase: {PHRASE}")
    assert chosen.texts() == ["buy TR"]


def test_a_phrase_without_the_seat_s_address_proves_nothing(chosen):
    chosen.stranger(AWAY, f"pass-phrase: {PHRASE}", "buy TR")
    chosen.stranger(address("Ann"), f"pass-phrase: {PHRASE}", "buy TR")
    chosen.write("Bob", f"pass-phrase: {PHRASE}", "buy TR", sender=AWAY)
    assert chosen.texts() == []


def test_a_wrong_phrase_does_nothing_and_its_owner_is_told(chosen):
    letters = chosen.write("Ann", "pass-phrase: wrong horse battery", "buy TR", sender=AWAY)
    assert chosen.texts() == []
    told = one(letters, "Ann", "foreign")
    assert says(told, owners.WRONG_PHRASE, why=owners.ANOTHER_SENDER)
    assert "wrong horse" not in "".join(letter.text for letter in letters)


def test_tries_are_rationed(chosen):
    for number in range(5):
        chosen.write("Ann", f"pass-phrase: wrong number {number}", "buy TR", sender=AWAY)
    chosen.write("Ann", f"pass-phrase: {PHRASE}", "buy TR", sender=AWAY)
    assert chosen.texts() == [], "no more is tried for a while, not even the right one"
    chosen.now += 3_601
    chosen.write("Ann", f"pass-phrase: {PHRASE}", "buy TR", sender=AWAY)
    assert chosen.texts() == ["buy TR"]


def test_in_a_tournament_the_first_phrase_is_set_by_a_yes(players):
    grade(players, "tournament")
    told = one(players.write("Ann", f"pass-phrase set {PHRASE}"), "Ann", "foreign")
    assert PHRASE not in told.text
    letters = players.press(told, "Yes, it was me")
    assert says(one(letters, "Ann"), credentials.PHRASE_KEPT)
    players.write("Ann", "buy TR", f"pass-phrase: {PHRASE}")
    assert players.texts() == ["buy TR"]


def test_another_phrase_and_none(chosen):
    chosen.write("Ann", "pass-phrase set a second one of mine")
    chosen.write("Ann", f"pass-phrase: {PHRASE}", "buy TR", sender=AWAY)
    assert chosen.texts() == []
    chosen.write("Ann", "pass-phrase off")
    chosen.write("Ann", "pass-phrase: a second one of mine", "buy TR", sender=AWAY)
    assert chosen.texts() == []


@pytest.mark.parametrize("bad", ["", " short", " " + "x" * 61])
def test_what_is_no_phrase_is_refused(players, bad):
    letters = players.write("Ann", f"pass-phrase set{bad}")
    assert "NOT DONE" in one(letters, "Ann").subject
    assert "xxx" not in one(letters, "Ann").text


def test_a_phrase_may_be_set_beside_commands_and_is_not_shown(players):
    letters = players.write("Ann", f"pass-phrase set {PHRASE}", "say: hello")
    receipt = one(letters, "Ann")
    assert says(receipt, talking.SENT_TO_ALL)
    assert PHRASE not in receipt.text
    players.write("Ann", f"pass-phrase: {PHRASE}", "buy TR", sender=AWAY)
    assert players.texts() == ["buy TR"]


def test_a_seat_that_moves_to_another_person_has_no_phrase(chosen):
    row = chosen.table().seat("Ann")
    with chosen.store.transaction() as tx:
        tx.seats.move(row.id, "zoe@else.test")
        assert tx.proofs.phrase(row.game_id, "Ann") == ""


def test_who_joins_under_a_former_player_s_name_has_no_phrase(newcomers):
    newcomers.stranger(address("Ann"), f"create 18AL {GAME}")
    [question] = newcomers.stranger(address("Bob"), f"join {GAME} as Bob")
    [welcome] = [x for x in newcomers.reply(question, "yes") if x.to == address("Bob")]
    newcomers.reply(welcome, f"pass-phrase set {PHRASE}")
    newcomers.reply(welcome, "address add bob@else.test")
    game = newcomers.table().row.id
    with newcomers.store.transaction() as tx:
        assert tx.proofs.phrase(game, "Bob")
    newcomers.reply(welcome, "leave")
    newcomers.stranger("zoe@else.test", f"join {GAME} as Bob")
    seat_ = newcomers.table().seat("Bob").id
    with newcomers.store.transaction() as tx:
        assert tx.proofs.phrase(game, "Bob") == ""
        assert tx.seats.further(seat_) == ()


# never again


def everything(players):
    """All that is stored of mails and letters, and all that is kept beside them."""
    kept = []
    with players.store.transaction() as tx:
        for number in range(1, 200):
            row = tx.mails.get(number)
            if row is not None:
                kept.append(row.raw)
    kept += [letter.mail.as_bytes() for letter in players.letters]
    return b"\n".join(kept).lower()


@pytest.mark.parametrize(
    "how",
    [
        {},
        {"html": f"<p>pass-phrase: {PHRASE}</p><p>buy TR</p>"},
        {"subject": f"pass-phrase: {PHRASE}"},
        {"sender": AWAY},
    ],
    ids=["plain", "html", "subject", "elsewhere"],
)
def test_a_phrase_is_nowhere_in_mails_letters_and_logs(chosen, how, caplog):
    caplog.set_level(logging.DEBUG)
    with capture_logs() as logs:
        chosen.write("Ann", f"pass-phrase: {PHRASE}", "buy TR", "nonsense", **how)
        chosen.write("Bob", f"say: is it a pass-phrase: {PHRASE}", f"pass-phrase: {PHRASE}")
    assert PHRASE.encode() not in everything(chosen)
    assert PHRASE not in repr(logs) + caplog.text


def test_what_is_kept_reads_as_it_came_but_for_the_phrase(chosen):
    told = chosen.write("Ann", f"pass-phrase: {PHRASE}", "", "nonsense ü", subject="Grüße")
    assert "nonsense" in one(told, "Ann").text
    with chosen.store.transaction() as tx:
        [raw] = [
            row.raw for n in range(1, 60) if (row := tx.mails.get(n)) and b"nonsense" in row.raw
        ]
    mail = read(raw)
    assert mail.lines == (Line(3, "nonsense ü"),)
    assert (mail.sender, mail.subject) == (address("Ann"), "Grüße")
    assert (mail.phrase, mail.new_phrase) == ("", "")


def test_a_held_email_shows_no_phrase_and_is_done_without_it(chosen):
    grade(chosen, "tournament")
    mail = chosen.mail(
        address("Ann"), seat(chosen, "Ann"), "buy TR", "pass-phrase: wrong wrong wrong"
    )
    told = one(chosen.send(mail), "Ann", "foreign")
    assert "wrong wrong" not in told.text
    chosen.write("Ann", f"yes {number_in(told)}")
    assert chosen.texts() == ["buy TR"]


def test_what_a_mail_says_in_its_repr_is_no_phrase():
    mail = read(f"From: a@x.test\r\n\r\npass-phrase: {PHRASE}\r\n".encode())
    assert mail.phrase == PHRASE
    assert PHRASE not in repr(mail)
    assert PHRASE not in repr(replace(mail, new_phrase=PHRASE))


def test_phrases_are_hashed_each_with_its_own_salt():
    one_, other = phrases.hashed(PHRASE), phrases.hashed(PHRASE)
    assert one_ != other
    assert one_.startswith("$argon2id$")
    assert phrases.fits(one_, PHRASE)
    assert not phrases.fits(one_, PHRASE[:-1])
    assert not phrases.fits("no hash", PHRASE)


def test_nobody_can_choose_a_hash(players):
    dear = "$argon2id$v=19$m=4194304,t=9,p=1$c29tZXNhbHQ$RdescudvJCsgt3ub+b27LA"
    mail = read(f"From: a@x.test\r\n\r\npass-phrase set {dear}\r\n".encode())
    assert not phrases.is_hashed(mail.new_phrase)
    assert phrases.kept(mail.new_phrase) == ""


def test_a_stranger_s_phrase_is_cut_as_well(players):
    players.stranger("zoe@else.test", f"pass-phrase: {PHRASE}", f"join {GAME} as Zoe")
    assert PHRASE.encode() not in everything(players)
