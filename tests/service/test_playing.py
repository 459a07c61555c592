"""All commands of a mail, or none."""

from functools import cache

import engine
from engine import flow
from engine.actions import Pass
from engine.notation.position import turn_company
from engine.position.frames import Running, Track
from engine.steps.operating import trains
from service.commands.command import Command
from service.games.playing import TURN_IS_OVER, WOULD_BE_FOR, Play
from tests.games import game
from tests.service.players import says

TITLE = engine.load_title("18AL")


def begin():
    return engine.new_game(TITLE, ["Ann", "Bob", "Cat"]).state


def commands(*texts):
    return [Command(number, "play", text, text) for number, text in enumerate(texts, 1)]


def send(state, seat, *texts, keep_open=False):
    return Play(TITLE, state, seat, state.number + 1).commands(commands(*texts), keep_open)


def stock_turn():
    """Ann's first regular stock turn, all private companies sold."""
    state = begin()
    for seat, text in (
        ("Ann", "bid S&NA 45"),
        ("Bob", "bid B&SLC 75"),
        ("Cat", "bid M&C 105"),
        ("Ann", "bid NDY 125"),
        ("Bob", "buy TR"),
        ("Cat", "par ABC 60"),
    ):
        state = send(state, seat, text).state
    assert engine.to_act(TITLE, state) == ("Ann",)
    return state


def test_a_command_is_played_and_written_in_its_canonical_form():
    outcome = send(begin(), "Ann", "BUY tusc")
    assert outcome.done
    assert [p.text for p in outcome.played] == ["buy TR"]


def test_the_turn_ends_with_the_mail():
    outcome = send(stock_turn(), "Ann", "par TAG 60")
    assert [type(p.action) for p in outcome.played][-1] is Pass
    assert engine.to_act(TITLE, outcome.state) == ("Bob",)


def test_more_keeps_the_turn_open():
    outcome = send(stock_turn(), "Ann", "par TAG 60", keep_open=True)
    assert engine.to_act(TITLE, outcome.state) == ("Ann",)


def test_a_fault_in_the_third_command_undoes_the_first_two():
    state = stock_turn()
    outcome = send(state, "Ann", "par TAG 60", "buy TAG", "done", "pass")
    assert not outcome.done
    assert outcome.state is state
    assert outcome.played == ()
    faults = [step.fault is not None for step in outcome.steps]
    assert faults == [False, True, False, False]
    assert "3.2(c)" in outcome.steps[1].fault.text


def test_two_acts_for_one_decision_are_both_refused():
    state = begin()
    outcome = send(state, "Ann", "bid M&C 105", "bid NDY 125")
    assert not outcome.done
    assert outcome.state is state
    assert says(outcome.steps[1].fault.text, flow.NOT_THEIR_TURN, player="Ann")


def test_what_is_not_understood_gets_a_caret_and_a_suggestion():
    line = "bye TR"
    outcome = send(begin(), "Ann", line)
    fault = outcome.steps[0].fault
    assert fault.caret == f"{line}\n^"
    assert "buy" in fault.hint


def test_of_a_long_line_only_the_part_around_the_caret_is_shown():
    fault = send(begin(), "Ann", "bid NDY 125 " + "nonsense " * 100).steps[0].fault
    line, caret = fault.caret.split("\n")
    assert len(line) == 60
    assert line[len(caret) - 1 :].startswith("nonsense")


def test_an_alternative_is_taken_when_the_first_is_not_legal():
    outcome = send(begin(), "Ann", "bid TR 25 else buy TR")
    assert [p.text for p in outcome.played] == ["buy TR"]


def test_numbers_go_on_from_the_one_given():
    state = begin()
    outcome = Play(TITLE, state, "Ann", 40).commands(commands("buy TR"), False)
    assert (outcome.played[0].number, outcome.state.number) == (40, 40)


def test_only_a_setting_does_not_end_the_turn():
    outcome = send(stock_turn(), "Ann", "insist off")
    assert engine.to_act(TITLE, outcome.state) == ("Ann",)


def test_done_behind_a_command_that_ended_the_turn_by_itself_is_no_fault():
    outcome = send(begin(), "Ann", "buy TR", "done")
    assert outcome.done
    assert [p.text for p in outcome.played] == ["buy TR"]
    assert outcome.steps[1].settled


def test_a_second_pass_is_not_taken_for_the_first():
    outcome = send(begin(), "Ann", "pass", "pass")
    assert not outcome.done
    assert says(outcome.steps[1].fault.text, flow.NOT_THEIR_TURN, player="Ann")


@cache
def two_of_one_president():
    """A position in which a company's turn ends with its dividend, and the next is Dan's too."""
    states = (
        s for s in game("18al").states if s.stack and isinstance(s.stack[-1], Track | Running)
    )
    for state in states:
        after = send(state, "Dan", "run", "pay", keep_open=True).state
        another = turn_company(after) not in ("", turn_company(state))
        if another and engine.to_act(TITLE, after) == ("Dan",):
            return state
    raise AssertionError("none in the recorded game")


def test_what_is_meant_for_a_company_whose_turn_is_over_is_not_done_for_the_next():
    state = two_of_one_president()
    over, outcome = turn_company(state), send(state, "Dan", "run", "pay", "run")
    then = turn_company(send(state, "Dan", "run", "pay", keep_open=True).state)
    assert not outcome.done and outcome.state is state
    fault = outcome.steps[-1].fault
    assert says(fault.text, flow.NOTHING_LEFT + " (18AL", company=over)
    assert says(fault.hint, TURN_IS_OVER, company=over)
    assert says(fault.hint, WOULD_BE_FOR, company=then, command="run")


def test_it_is_refused_by_the_rule_that_would_have_refused_it_in_its_time():
    outcome = send(two_of_one_president(), "Dan", "run", "pay", "buy 7")
    fault = outcome.steps[-1].fault
    assert says(fault.text, trains.AT_LIMIT + " (18AL 4.2.5(g))", owned=2, limit=2)


def test_the_next_company_is_named_or_begun_with():
    state = two_of_one_president()
    then = turn_company(send(state, "Dan", "run", "pay", keep_open=True).state)
    for texts in (("run", "pay", f"{then}: run"), ("run", "pay", "done", "run")):
        assert send(state, "Dan", *texts, keep_open=True).done, texts
