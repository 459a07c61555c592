"""Whatever is near an order is read, or refused with its place and what is wrong."""

from itertools import islice
from random import Random

import pytest

import engine
from engine.notation import NotationError, names
from service.orders.building import Names
from service.orders.grammar import LONGEST, read
from service.orders.writing import write
from service.workshop.practice.random_orders import RandomOrders, misspelt
from service.workshop.practice.written_orders import OrderWriter

NAMES = Names(engine.load_title("18AL"), ("Ann", "Bob", "Cat"))


@pytest.mark.parametrize(
    "text, column",
    [
        ("if L&N: pay", 6),
        ("pass until L&N: float", 14),
        ("if me: pass", 5),
        ("pass if Bob, sells L&N", 11),
        ("pass if (alarm or Bob, sells)", 21),
    ],
)
def test_a_sign_within_a_condition_is_refused_at_its_place(text, column):
    with pytest.raises(NotationError, match=r"write one of these: .*sells") as caught:
        read(NAMES, text)
    assert caught.value.column == column
    assert f"“{text[column]}” is not understood" in caught.value.text


def near(title, seed, orders):
    """Reads what is near random orders; how many lines were read and how many refused."""
    known = Names(engine.load_title(title), ("Ann Lee", "Bob", "Cat"))
    made, writer, random = (
        RandomOrders(known, seed, every=True),
        OrderWriter(known, seed),
        Random(seed),
    )
    counts = {"read": 0, "refused": 0}
    for _ in range(orders):
        order = made.order()
        for text in (write(order), writer.order(order)):
            lines = [text[:at] for at in range(len(text))][-160:]
            for line in (*lines, *islice(misspelt(text, random), 60)):
                try:
                    read(known, line)
                    counts["read"] += 1
                except NotationError as error:
                    assert error.text and 0 <= error.column <= len(error.line) + 1, line
                    counts["refused"] += 1
    return counts


@pytest.mark.long
@pytest.mark.parametrize("title", engine.title_names())
def test_prefixes_and_changed_words_are_read_or_refused(title):
    counts = near(title, 1, 2)
    assert min(counts.values()) > 10


@pytest.mark.long
@pytest.mark.parametrize("title", engine.title_names())
def test_those_of_many_orders_are_read_or_refused(title):
    counts = near(title, 2, 40)
    assert min(counts.values()) > 200


def test_a_name_of_any_number_of_words_is_looked_up_a_few_times(monkeypatch):
    looked, match = [], names.match
    monkeypatch.setattr(names, "match", lambda *known: looked.append(1) or match(*known))
    with pytest.raises(NotationError):
        read(NAMES, "pass if " + "a " * (LONGEST // 2 - 10))
    assert len(looked) < 20
