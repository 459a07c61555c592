"""18MW: presidents are told in stock rounds how to say ahead which prices they keep up."""

import pytest

from service.desk.informing import own_pages
from service.desk.informing.own_pages import Own, own_of
from service.games.orders import Book
from tests.engine.notation import positions
from tests.rules.mw import test_price_protection as protection
from tests.rules.mw.setting import on
from tests.service.orders.follow import given
from tests.service.players import says

STATE = protection.turn()


class Table:
    """What of a game's table is looked at."""

    jottings = ()

    def __init__(self, title):
        self.title = title


def shown(title, state, seat, *orders):
    book = Book(tuple(given(title, state, seat, text, n) for n, text in enumerate(orders, 1)))
    blocks = own_of(Own(Table(title), book, (), state, turn=True), seat)
    return " ".join(line for block in blocks for line in getattr(block, "lines", ()))


def test_a_president_is_told_how_to_answer_ahead():
    told = shown(on.title, STATE, "Bob")
    assert says(told, own_pages.PROTECT_AHEAD, companies="NP and IC", company="NP")


@pytest.mark.parametrize("order", ["never protect", "always protect IC up to 400"])
def test_who_has_said_so_is_not_told_again(order):
    assert shown(on.title, STATE, "Bob", order) == ""
    assert shown(on.title, STATE, "Bob", "pass round") != ""


def test_nobody_else_is_told():
    nobody = next(seat for seat in STATE.seats if seat not in STATE.presidents.values())
    assert shown(on.title, STATE, nobody) == ""
    assert shown(positions.TITLE, positions.stock(), "Ann") == "", "18AL keeps no price up"
    assert shown(on.title, on.turn("track", "IC", trains=("2",)), "Ann") == "", "nor now"
