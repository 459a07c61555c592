"""Questions make so much work as a mail and an hour allow, and say what was not worked out."""

import time
from random import Random

import pytest
from msgspec.structs import replace

from engine.runs.best.allowance import allowing
from engine.runs.best.search import best_run
from engine.track.ground import forget
from service.commands.command import Command
from service.desk.questions import queries
from service.desk.questions.queries import Queries
from service.desk.questions.sources import Sources
from service.desk.rationing import work_allowance
from service.desk.rationing.work_allowance import (
    A_MAIL,
    AN_HOUR,
    HOUR,
    STEPS,
    WorkAllowance,
    remaining,
)
from service.reports import Scene, receipt, route_answers
from service.reports.receipt import DONE_BUT, DONE_BUT_SUBJECT, NOT_DONE
from service.workshop.practice.script import recorded_game
from tests.engine.boards import full_board
from tests.service.players import NOW, address, flat, one, says, unsaid


@pytest.fixture(scope="module")
def dense():
    """Much track, and many trains that reach far."""
    there = full_board(Random(1), "18AL")
    played = recorded_game("18AL")
    state = played.states[len(played.states) * 2 // 3]
    return Scene("g", there.title, replace(state, tiles=there.at.tiles, stations=there.at.stations))


def ask(queries, count=12):
    text = "L&N with D+D+D+D+D+D"
    return [queries.answer(Command(n, "routes", text, f"routes {text}")) for n in range(count)]


@pytest.mark.long
def test_twelve_hard_questions_in_a_mail_take_about_as_long_as_one(dense):
    forget()
    began = time.thread_time()
    allowance = WorkAllowance()
    texts = [f"L&N with {'+'.join(['D'] * n)}" for n in (6, 5, 4, 3, 6, 5)]
    queries = Queries(dense, "", Sources(work=allowance))
    results = [queries.answer(Command(0, "routes", t, f"routes {t}")) for t in texts]
    assert time.thread_time() - began < 4, "without bounds it is more than a minute"
    assert results[0].status == "answer"
    assert results[-1].status == "no"
    used = {"refused": work_allowance.NOT_WORKED_OUT, "again": work_allowance.ASK}
    assert says(results[-1].notes[0], work_allowance.EMAIL_IS_USED, **used)
    assert allowance.spent > A_MAIL


@pytest.mark.long
def test_what_is_asked_for_is_counted_and_the_hour_is_bounded(dense):
    ticks = iter(range(1000))
    allowance = WorkAllowance(left=AN_HOUR, clock=lambda: next(ticks) * 0.01)
    cheap = Queries(dense, "", Sources(work=allowance))
    assert cheap.answer(Command(0, "trains", "", "trains")).status == "answer"
    assert allowance.spent == pytest.approx(0.01)
    [refused] = ask(Queries(dense, "", Sources(work=remaining(AN_HOUR + 1, NOW - 600, NOW))), 1)
    assert says(refused.notes[0], work_allowance.HOUR_IS_USED, minutes=50)
    assert remaining(0, 0, NOW).left == AN_HOUR


@pytest.mark.long
def test_an_answer_that_was_cut_short_says_so_and_how_to_ask_for_more(dense):
    forget()
    queries = Queries(dense, "", Sources(work=WorkAllowance(clock=lambda: 0.0)))
    first, later = (
        queries.answer(Command(0, "routes", t, f"routes {t}"))
        for t in ("L&N with D+D+D+D", "L&N with D+D+D")
    )
    for result in (first, later):
        text = result.answer.text
        assert says(text, f"{route_answers.BEST_SO_FAR}: $")
        assert says(text, work_allowance.STOPPED)
        assert unsaid(text, route_answers.BEST_FOUND)
    assert unsaid(first.answer.text, work_allowance.ALONE)
    assert says(later.answer.text, work_allowance.ALONE)


@pytest.mark.long
def test_a_search_that_came_to_its_end_says_nothing_of_stopping(dense):
    forget()
    queries = Queries(dense, "", Sources(work=WorkAllowance()))
    text = queries.answer(Command(0, "routes", "L&N with 2", "routes L&N with 2")).answer.text
    assert says(text, f"L&N, {route_answers.BEST}: $") and unsaid(text, work_allowance.STOPPED)
    # without bounds what is not proved was searched with all steps that there are
    text = Queries(dense, "").answer(Command(0, "routes", "L&N with 2", "")).answer.text
    assert unsaid(text, work_allowance.STOPPED)


@pytest.mark.long
def test_later_questions_have_fewer_steps_than_the_first():
    allowance = WorkAllowance()
    with allowance.question() as first:
        pass
    allowance.spent = A_MAIL / 2
    with allowance.question() as later:
        pass
    assert first.left == STEPS and abs(later.left - STEPS / 2) < STEPS / 10


def test_a_subject_agrees_with_questions_that_are_not_worked_out(players):
    with players.store.transaction() as tx:
        tx.answers.spend(address("Ann"), AN_HOUR, players.now)
    [letter] = players.write("Ann", "trains")
    assert letter.subject.endswith(f"– {NOT_DONE}")
    letter = one(players.write("Ann", "buy TR", "trains"), "Ann", "receipt")
    assert letter.subject.endswith(f"– {DONE_BUT_SUBJECT}")
    assert says(letter, DONE_BUT) and says(letter, work_allowance.HOUR_IS_USED, minutes=60)


@pytest.mark.long
def test_a_sender_s_hour_is_kept_in_the_store(players):
    players.write("Ann", "map")
    with players.store.transaction() as tx:
        spent, first = tx.answers.spent(address("Ann"), players.now - HOUR)
        assert spent > 0 and first == players.now
        tx.answers.spend(address("Ann"), AN_HOUR, players.now)
    [letter] = players.write("Ann", "trains")
    assert says(letter, work_allowance.HOUR_IS_USED, minutes=60)
    assert players.write("Ann", "buy TR")[0].kind == "receipt"
    assert players.texts() == ["buy TR"], "commands are never rationed"
    players.now += HOUR
    assert "TRAINS" in players.write("Ann", "trains")[0].text


@pytest.mark.long
def test_steps_are_shared_by_the_searches_of_a_block_and_what_is_known_costs_nothing():
    there = full_board(Random(2), "18AL")
    forget()
    with allowing(20_000) as purse:
        assert not purse.short
        first = best_run(there, "L&N", ("7",) * 4)
        assert purse.short
        rest = best_run(there, "L&N", ("7",) * 5)
    assert not first.proved and not rest.proved
    assert first.nodes + rest.nodes < 60_000
    whole = best_run(there, "L&N", ("4",))
    with allowing(0) as purse:
        assert best_run(there, "L&N", ("4",)) == whole
        assert not purse.short


def test_orders_beyond_the_work_of_an_email_are_not_read(players, monkeypatch):
    ticks = iter(range(1000))
    monkeypatch.setattr(
        "service.desk.turns.turn.remaining",
        lambda *_: WorkAllowance(clock=lambda: next(ticks) * A_MAIL * 0.6),
    )
    lines = [f"pass if cash me < {number}" for number in (1, 2, 3, 4)]
    letters = players.write("Bob", *lines, "status")
    first, second = (flat(letter) for letter in letters if letter.kind == "receipt")
    used = work_allowance.EMAIL_IS_USED.format(
        refused=work_allowance.NOT_READ, seconds=A_MAIL, again=work_allowance.GIVE
    )
    assert first.count(used) == 2
    assert says(first, queries.ANSWERED_NEXT), "they come after the orders, from the same work"
    assert "PLAYERS" in second and unsaid(second, queries.ANSWERED_NEXT)
    assert [row.text for row in players.table().orders] == [
        f"next: pass if cash me < {number}" for number in (1, 2)
    ]


@pytest.mark.long
def test_questions_beyond_the_work_of_an_email_are_answered_in_emails_that_follow(
    players, monkeypatch
):
    """The first is answered at once, the others one after the other, and each once."""
    ticks = iter(range(1000))
    monkeypatch.setattr(
        "service.desk.turns.turn.remaining",
        lambda *_: WorkAllowance(clock=lambda: next(ticks) * A_MAIL * 1.1),
    )
    letters = players.write("Bob", "trains", "worth", "market", "upgrades 57", "tiles left")
    told = [flat(letter) for letter in letters if letter.kind == "receipt"]
    assert len(told) == len(letters) == 5
    assert told[0].count(queries.ANSWERED_NEXT) == 4
    asked = ("trains", "worth", "market", "upgrades 57", "tiles left")
    for text, question in zip(told, asked, strict=True):
        assert f"> {question}" in text and work_allowance.NOT_WORKED_OUT not in text
    assert players.work() == [], "nothing is answered twice"


def test_questions_beyond_the_work_of_an_hour_are_refused(players):
    with players.store.transaction() as tx:
        tx.answers.spend(address("Bob"), AN_HOUR + 1, players.now)
    [letter] = players.write("Bob", "trains", "worth")
    assert says(letter, work_allowance.HOUR_IS_USED, minutes=60) and unsaid(
        letter, queries.ANSWERED_NEXT
    )
    # subject and first line say so, too
    assert letter.subject.endswith(receipt.NOT_DONE)
    assert says(letter, receipt.NOTHING_CHANGED)
