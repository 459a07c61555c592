"""Subjects of answers."""

import pytest

from service.reports import answering, receipt


@pytest.mark.parametrize(
    "subject",
    [
        "[dixie7] M&O operates, OR 2.1",
        "Re: [dixie7] YOUR TURN: M&O operates, OR 2.1",
        "Re: Re: AW: [dixie7] M&O operates, OR 2.1 – NOT DONE",
        "RE: Fwd: Re[2]: [dixie7] YOUR TURN: M&O operates, OR 2.1 – NOT DONE – done",
        "[dixie7] YOUR ANSWER: M&O operates, OR 2.1 - answered",
    ],
)
def test_one_answer_mark_remains_and_nothing_that_held_for_an_earlier_mail(subject):
    assert answering(subject) == "Re: [dixie7] M&O operates, OR 2.1"


@pytest.mark.parametrize("ending", receipt.SUBJECT_ENDINGS)
def test_an_answer_to_an_answer_has_one_ending(ending):
    once = answering("[dixie7] M&O operates", ending)
    assert once == f"Re: [dixie7] M&O operates – {ending}"
    assert answering(once, ending) == once


def test_a_long_answer_goes_without_its_round():
    asked = "[dixie7] YOUR TURN: buy or bid on a private company, SR 1"
    assert answering(asked, receipt.NOT_DONE) == (
        f"Re: [dixie7] buy or bid on a private company – {receipt.NOT_DONE}"
    )


@pytest.mark.parametrize("subject", ["", "  ", "Re:", "Re: – done"])
def test_an_answer_to_a_mail_without_a_subject_has_one(subject):
    assert answering(subject) == "Re: your email"


def test_words_of_a_player_stay():
    assert answering("well done, all - done for today") == "Re: well done, all - done for today"
    assert answering("It is YOUR TURN: hurry") == "Re: It is YOUR TURN: hurry"
