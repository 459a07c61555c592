"""Subjects of answers."""

import pytest

import engine
from service.reports import Scene, Since, answering, receipt
from service.reports.news import WIN_TOGETHER, ended_page
from service.reports.rendering import LONGEST_SUBJECT
from tests.service.reports.games import to


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


def test_the_subject_of_a_shared_win_counts_winners_whose_names_have_no_room():
    title = engine.load_title("18AL")
    names = ("Bob", "Ann", "Cat", "Eve", "Dan")
    for seats, told in ((names[:3], "Bob, Ann and Cat share the win"), (names, WIN_TOGETHER)):
        scene = Scene("alabama-7", title, engine.new_game(title, seats).state)
        page = ended_page(to("Ann"), scene, Since(), pictures=False)
        assert page.subject == f"[alabama-7] The end: {told.format(count=5)}"
        assert len(page.subject) <= LONGEST_SUBJECT
