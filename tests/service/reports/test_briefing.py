"""The story that who takes over a seat is told: events by rounds, and what was ruled among them."""

import engine
from engine import events as ev
from engine.corrections import CashMoved
from service.reports.briefing import story
from service.reports.tables import Row

TITLE = engine.load_title("18AL")


def test_what_was_ruled_and_put_right_stands_where_it_happened():
    right = ev.Corrected(CashMoved("bank", "Ann", 5), "the TR was sold too dear")
    told = ["Bob disputes #1", right, ev.RoundBegan("OR 1.1"), ev.Floated("L&N", 1), "a ruling"]
    assert story(TITLE, told) == (
        Row("at first", (
            "Bob disputes #1",
            "corrected by the director: Ann got $5 from the bank, because the TR was sold too "
            "dear",
        )),
        Row("OR 1.1", ("L&N floated with $1", "a ruling")),
    )  # fmt: skip


def test_of_a_long_game_the_rulings_stay():
    many = [ev.Floated("L&N", 1)] * 300
    [row] = story(TITLE, [*many, "a ruling", *many])
    assert row.items == ("a ruling",)
