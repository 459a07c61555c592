"""A game played again by mails of one line each is the same game, and if it is not that is seen."""

from msgspec.structs import replace

from service.workshop.practice.by_mail import differs
from service.workshop.practice.script import recorded_game

PLAYED = recorded_game("18al")
START = PLAYED.states[0]
ACTIONS = list(PLAYED.actions[:80])
END = PLAYED.states[80]


def test_single_mails_lead_to_the_same_position():
    assert differs(PLAYED.title, START, ACTIONS, END) == ""


def test_another_position_at_the_end_is_seen():
    cash = {**END.cash, "Ann": END.cash["Ann"] + 1}
    assert "another position" in differs(PLAYED.title, START, ACTIONS, replace(END, cash=cash))


def test_a_mail_that_is_refused_is_told():
    assert "is refused" in differs(PLAYED.title, START, [*ACTIONS[:20], *ACTIONS], END)
