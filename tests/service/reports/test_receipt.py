"""The receipt: what became of each command, and how to go on."""

from itertools import combinations
from typing import get_args

import pytest

from engine import why_not
from engine.actions import BuyTrain
from engine.notation import NotationError, parse
from service.reports import Handled, Result, answers, misread, receipt_page, refused, route_answers
from service.reports.receipt import (
    DONE,
    DONE_SUBJECT,
    NO_MOVE_MADE,
    NOT_DONE,
    NOTHING_CHANGED,
    of_turn,
)
from service.reports.scene import ResultStatus
from tests.engine.notation import positions
from tests.service.reports.games import TITLE, run_scene, scene, to
from tests.service.reports.test_turn import part


def mistake(text):
    try:
        parse(TITLE, run_scene().state, "Ann", text)
    except NotationError as error:
        return misread(2, text, error)
    raise AssertionError(text)


def test_a_misread_line_has_a_caret_under_the_place():
    page = receipt_page(to("Ann"), run_scene(), Handled([mistake("lay 57 XX9")], False), "x")
    lines = page.text.splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("  NO"))
    assert lines[at + 1].strip() == "^"
    assert lines[at][lines[at + 1].index("^") :].startswith("XX9")


def test_a_refused_command_has_its_line_its_rule_and_its_hint():
    at = run_scene()
    buy = BuyTrain(by="Ann", company="L&N", train="4", source="initial offering", price=300)
    refusal = why_not(TITLE, at.state, buy)
    assert refusal is not None and refusal.hint
    page = receipt_page(
        to("Ann"), at, Handled([refused(3, "buy a 4", "buy 4", refusal)], False), "[dixie7] x"
    )
    said = " ".join(page.text.split())
    assert "NO buy 4 (line 3: buy a 4)" in said
    assert f"{refusal.text} ({refusal.rule})" in said and refusal.hint in said


def test_not_done_repeats_what_is_legal_and_what_to_reply():
    page = receipt_page(
        to("Ann"),
        run_scene(),
        Handled([mistake("lya 57")], False, "Reply `go 1`."),
        "Re: [dixie7] YOUR TURN",
    )
    assert page.subject == "Re: [dixie7] YOUR TURN – NOT DONE"
    assert "nothing was changed" in page.text.splitlines()[1]
    assert part(page.text, "LEGAL NOW") and part(page.text, "REPLY WITH")
    assert "Reply `go 1`." in page.text


def test_done_tells_the_state_of_affairs_and_no_more():
    results = [Result(1, "run", "ok", "run 2: A4-C4", ("L&N ran for $60",))]
    page = receipt_page(to("Bob"), run_scene(), Handled(results, True), "[dixie7] YOUR TURN")
    assert page.subject == "Re: [dixie7] YOUR TURN – done"
    assert "It is Ann's turn: L&N operates." in page.text
    assert "  ok  run 2: A4-C4   (line 1: run)" in page.text
    assert "LEGAL NOW" not in page.text


def test_answers_come_in_the_same_mail_with_their_pictures():
    at = run_scene()
    results = [
        Result(1, "routes", "answer", answer=route_answers.routes(at)),
        Result(2, "map", "answer", answer=answers.map_(at)),
        Result(3, "map", "answer", answer=answers.map_(at)),
    ]
    page = receipt_page(to("Ann"), at, Handled(results, True), "")
    assert page.subject == "Re: your email – answered"
    assert "> routes" in page.text and "best run: $60" in page.text
    assert len({f.cid for f in page.figures}) == len(page.figures) == 2
    assert receipt_page(to("Ann"), at, Handled(results, True), "", pictures=False).figures == ()


def test_talk_that_was_not_sent_is_marked():
    page = receipt_page(
        to("Ann"),
        run_scene(),
        Handled([Result(4, "good luck", "unsent", notes=("put `say:` before it",))], True),
        "x",
    )
    assert "  not done  good luck" in page.text and "put `say:` before it" in page.text


def test_many_answers_stay_within_the_limit_of_html():
    at = run_scene()
    results = [Result(i, "status", "answer", answer=answers.status(at)) for i in range(5)]
    page = receipt_page(to("Ann"), at, Handled(results, True), "x")
    assert len(page.html.encode()) <= 60_000
    assert page.text.count("PRIVATE COMPANIES") == 5 == page.html.count("PRIVATE COMPANIES")


def test_whose_turn_it_is_is_said_once():
    for done, start in ((True, "It is your turn to buy"), (False, "It is still your turn to buy")):
        text = " ".join(
            receipt_page(to("Ann"), scene(positions.stock()), Handled((), done), "x").text.split()
        )
        assert start in text
        assert text.count("your turn") == 1


def test_an_empty_mail_has_no_line_nought():
    results = [Result(0, "nothing to do", "no", notes=("Your email is empty.",))]
    text = receipt_page(to("Ann"), run_scene(), Handled(results, False), "x").text
    assert "NO  nothing to do\n" in text
    assert "line 0" not in text


EVERY = get_args(ResultStatus)


@pytest.mark.parametrize("done", [True, False])
@pytest.mark.parametrize(
    "statuses", [some for size in (1, 2, 3) for some in combinations(EVERY, size)], ids=" ".join
)
def test_subject_and_headline_say_what_the_lines_say(statuses, done):
    """``done`` is False if the moves of the email were not made."""
    results = [Result(number, "x", status) for number, status in enumerate(statuses, 1)]
    subject, headline = of_turn(Handled(results, done))
    assert (subject == NOT_DONE) == headline.startswith("NOT DONE: ")
    assert (subject == DONE_SUBJECT) == (headline == DONE)
    if subject == DONE_SUBJECT:
        assert done and "no" not in statuses and {"ok", "waits"} & {*statuses}
    if headline == NOTHING_CHANGED:
        assert not done and "ok" not in statuses
    if headline == NO_MOVE_MADE:
        assert not done and "ok" in statuses
