"""What mails say of a best run that is not proved to be one."""

import re

import pytest
from msgspec.structs import replace

from engine.notation.plans import plan
from engine.position.frames import Running
from engine.runs.best.search import best_run
from engine.steps.operating import running
from service.reports import PageLook, Scene, Since, route_answers
from service.reports.route_answers import best, sum_blocks
from service.reports.tables import blocks_text
from service.reports.turn import turn_page
from service.workshop.practice.script import recorded_game
from tests.service.reports.games import TITLE, own, run_scene, to


def doubtful(*asked, **how):
    return replace(best_run(*asked, **how), proved=False)


def claims(text):
    """Where a text says "best" of a run without saying that it was only found."""
    return re.findall(r".*[Bb]est(?! (?:run )?(?:that was )?found).*", text)


def running_scene(title):
    """A company runs; in 18TN it has an idle train to choose."""
    played = recorded_game(title)
    state = next(
        s
        for s in played.states
        if s.stack and isinstance(s.stack[-1], Running) and (s.idle or title != "18TN")
    )
    return Scene("dixie7", played.title, state)


@pytest.mark.long
@pytest.mark.parametrize("title", ["18AL", "18TN", "18GL"])
def test_no_mail_calls_it_the_best(title, monkeypatch):
    at = running_scene(title)
    company = at.view.company
    seat = at.state.presidents[company]
    sure = turn_page(to(seat), at, Since(), PageLook(False), reply_to=own(seat, "a@b.c"))
    assert "the best run on the current map" in sure.text and "Run best, pay" in sure.html
    monkeypatch.setattr(running, "best_run", doubtful)
    page = turn_page(to(seat), at, Since(), PageLook(False), reply_to=own(seat, "a@b.c"))
    assert "the best run found" in page.text and "Run best found, pay" in page.html
    visible = re.sub(r"(?s)<head>.*?</head>|<[^>]*>", " ", page.html)
    assert claims(page.text) == claims(visible) == []
    assert claims(route_answers.routes(at, company).text) == []


def test_trains_without_a_route_are_then_only_not_running():
    at = run_scene()
    many = at.later(replace(at.state, trains={**at.state.trains, "L&N": ("2",) * 9}))
    found = best(many, "L&N")
    assert "No route is left for:" in blocks_text(sum_blocks(many, found))
    open_ = route_answers.Runs("L&N", found.runs, found.total, False)
    assert "Not running:" in blocks_text(sum_blocks(many, open_))


def test_the_best_of_several_ways_is_then_the_best_found(monkeypatch):
    at = run_scene()
    wanted = plan(TITLE, at.state, "L&N", "lay 8 D5")
    sure = route_answers.supposed(at, "L&N", wanted, "lay 8 D5").text
    assert "the best of" in sure and "at least" not in sure
    monkeypatch.setattr(running, "best_run", doubtful)
    monkeypatch.setattr("engine.supposing.best_run", doubtful)
    text = route_answers.supposed(at, "L&N", wanted, "lay 8 D5").text
    assert "the best found of" in text and "at least $" in text
    assert claims(text) == []
