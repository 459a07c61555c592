"""Signatures that nothing marks: learnt from the ends of former mails, and never a command."""

from dataclasses import replace

import pytest

from service.commands.lines import fits
from service.commands.reading import WORDS_ONLY
from service.commands.sign_offs import (
    FORMER,
    IS_SIGNATURE,
    LONGEST,
    MOST_LINES,
    Habit,
    SignedOff,
    learned,
    without_sign_off,
)
from service.mail.message import Mail
from service.mail.replies import Line
from tests.service.players import address, one, says, unsaid
from tests.service.reading import player

pytestmark = pytest.mark.long

SIGNED = ("Hannelore Weiss", "Locomotive Works Ltd", "phone +1 555 0100")


def receipt(players, *lines, name="Ann"):
    return one(players.write(name, *lines), name)


def test_a_signature_is_known_from_the_third_mail_on_and_told_once(players):
    for _ in range(2):
        # words refuse nothing, and are shown as such
        assert says(receipt(players, "status", *SIGNED), WORDS_ONLY)
    third = receipt(players, "buy TR", *SIGNED)
    assert players.texts() == ["buy TR"]
    assert unsaid(third, WORDS_ONLY)
    assert "Hannelore Weiss / Locomotive Works Ltd" in third.text
    assert says(third, IS_SIGNATURE)
    fourth = receipt(players, "status", *SIGNED)
    assert "signature" not in fourth.text
    assert "Hannelore" not in fourth.text
    assert "PLAYERS" in fourth.text


def test_it_is_known_of_its_sender_only(players):
    for _ in range(2):
        receipt(players, "status", *SIGNED)
    assert says(receipt(players, "status", *SIGNED, name="Bob"), WORDS_ONLY)


def test_mails_that_were_answered_teach_too(players):
    for _ in range(2):
        receipt(players, "status", "Hannelore Weiss")
    assert "NOT DONE" not in receipt(players, "buy TR", "Hannelore Weiss").subject
    assert players.texts() == ["buy TR"]


@pytest.mark.parametrize(
    "last",
    [
        "bid S&NA 45",  # a command, though not now
        "pass",
        "say: well played",
        "status",
        "by TR",  # mistyped
        "pas",
        "45",  # can only be a bid
        "L&N 60",
        "lya 57 C4",
        "Bob: pass",
    ],
)
def test_what_may_be_a_command_is_never_taken_for_a_signature(players, last):
    habit = Habit(former=((last.casefold(),),) * FORMER)
    table = players.table()
    mail = Mail(lines=(Line(1, "buy TR"), Line(2, last)))
    scope = replace(
        player(table.title), fits=lambda text: fits(text, table.title, table.state, "Ann")
    )
    found = without_sign_off(mail, habit, table.title, scope)
    assert (found.mail, found.lines) == (mail, ())


def test_a_signature_below_a_repeated_command_is_known_without_it(players):
    for _ in range(2):
        receipt(players, "status", "pass", "Hannelore Weiss")
    players.write("Ann", "pass", "Hannelore Weiss")
    assert players.texts() == ["pass"]


def test_a_whole_mail_is_no_signature(players):
    for _ in range(4):
        last = receipt(players, *SIGNED)
        assert says(last, WORDS_ONLY)
        assert "Hannelore" in last.text


def test_what_is_kept_is_bounded():
    lines = tuple(Line(n, "x" * 5000) for n in range(1, 60))
    habit = Habit()
    for _ in range(20):
        habit = learned(habit, SignedOff(Mail(sender=address("Ann"), lines=lines)))
    assert len(habit.former) == FORMER
    assert {len(ending) for ending in habit.former} == {MOST_LINES}
    assert {len(text) for ending in habit.former for text in ending} == {LONGEST}


def test_what_is_known_of_an_address_does_not_depend_on_capital_letters(players):
    with players.store.transaction() as tx:
        tx.meta.set_endings(address("Ann"), "x")
        assert tx.meta.endings(address("Ann").upper()) == "x"


def test_an_email_adds_its_ending_to_those_known_by_now():
    own, signature = Line(1, "pass"), (Line(2, "Hannelore"),)
    shown = (SignedOff(Mail(sender=address("Ann"), lines=(own,)), signature, new=True),)
    other = (SignedOff(Mail(sender=address("Ann"), lines=(Line(1, "buy TR"),))),)
    after = Habit()
    for signed in (*shown, *other, *shown):
        after = learned(after, signed)
    assert after.former == (("pass", "hannelore"), ("buy tr",), ("pass", "hannelore"))
    assert after.told == (("hannelore",),), "a signature that both have shown counts once"
