"""The language of orders: what reads as what, how it is written back, what is said of errors."""

import re

import pytest
from lark import Token

import engine
from engine.notation import NotationError
from engine.notation.verbs import VERBS_BY_NAME
from service.orders import grammar
from service.orders import values as v
from service.orders.building import Names
from service.orders.grammar import LONGEST, read
from service.orders.writing import write
from service.workshop.practice.random_orders import RandomOrders
from service.workshop.practice.written_orders import OrderWriter

NAMES = Names(engine.load_title("18TN"), ("Ann Lee", "Bob", "Cat"))


@pytest.mark.parametrize("text, canonical", [
    ("pass round", "pass until alarm or round ends"),
    ("Pass the round.", "pass until alarm or round ends"),
    ("then pass round", "pass until alarm or round ends"),
    ("pass until round ends", "pass until round ends"),
    ("pass until anyone sells", "pass until anyone sells"),
    ("pass until anyone buys nash", "pass until anyone buys NCSL"),
    ("standing buy TC until float then pass round",
     "standing buy TC until TC is floated then pass until alarm or round ends"),
    ("buy TC until 5 shares", "buy TC until shares me TC >= 5"),
    ("standing buy TC pool if price TC <= $100", "standing buy TC pool if price TC <= 100"),
    ("next: sell 2 IC, buy TC pool else buy SOU ipo", "next: sell 2 IC, buy TC pool else buy SOU ipo"),
    ("if outbid bid TCC 185 else pass", "next: bid TCC 185 if outbid else pass"),
    ("bid P2 up to 130", "bid P2 up to 130"),
    ("next: bid P2 up to 130", "next: bid P2 up to 130"),
    ("operate tennessee central: run, pay", "operate TC: run, pay"),
    ("TC: run, pay, ask if trains left 4 = 0 or cash TC >= 450",
     "operate TC: run, pay, ask if trains left 4 = 0 or cash TC >= 450"),
    ("operate TC: lay 8 D9 SW-E,NW-E else skip, run 3: C10-D11, 2: C10-B9, pay",
     "operate TC: lay 8 D9 SW-E,NW-E else skip, run 3: C10-D11, 2: C10-B9, pay"),
    ("next: sell 2 IC, 1 TC, buy SOU", "next: sell 2 IC, sell 1 TC, buy SOU"),
    ("next: sell 2 IC one by one", "next: sell 1 IC, sell 1 IC"),
    ("operate TC: use Ferry: Milwaukee-Muskegon, lay 724 F10 N-S, run",
     "operate TC: use Ferry: Milwaukee-Muskegon, lay 724 F10 N-S, run"),
    ("always refuse all offers from Bob", "always refuse offers from Bob"),
    ("exchange TCC for IC ipo at next OR", "next: exchange TCC for IC ipo at next OR"),
    ("exchange TCC for IC ipo at next OR for set", "next: exchange TCC for IC ipo at next OR for set"),
    ("always pass unless (phase >= 3½ and next train = 5) for 3 rounds",
     "always pass unless phase >= 3½ and next train = 5 for 3 rounds"),
    ("sell 2 IC if Bob sells IC or shares ann lee IC > 30 and D9 is free for the game",
     "next: sell 2 IC if Bob sells IC or (shares Ann Lee IC > 30 and D9 is free) for game"),
])  # fmt: skip
def test_an_order_is_read_and_written_in_one_way(text, canonical):
    order = read(NAMES, text)
    assert write(order) == canonical
    assert read(NAMES, canonical) == order


def test_the_operators_bind_as_they_are_written():
    order = read(NAMES, "next: pass if alarm or outbid and not phase changes")
    [guard] = order.steps[0].actions[0].acts[0].guards
    assert guard.test == v.Any((v.Alarm(), v.All((v.Outbid(), v.Not(v.PhaseChanges())))))


@pytest.mark.parametrize("text, column, part", [
    ("next: frobnicate TC", 6, "a command"),
    ("operate XYZ: pay", 0, "not a company"),
    ("standing", 9, "something is missing here"),
    ("buy TC until flot", 13, "Did you mean: float?"),
    ("buy TC until flot then pass", 13, "Did you mean: float?"),
    ("buy TC until wibble", 13, "write one of these: alarm, round ends"),
    ("pass until anyone sels", 18, "Did you mean: sells?"),
    ("pass until Bob wibbles TC", 15, "write one of these: sells, buys"),
    ("buy TC if cahs me > 100", 10, "Did you mean: cash?"),
    ("buy TCX until float", 4, "“TCX” is not a company"),
    ("operate TC: rnu, pay", 12, "Did you mean: run?"),
    ("next: buy TC if cash > 3", 21, "of what"),
    ("next: buy TC if price TC <= x", 28, "not a number"),
    ("next: buy TC if Zoe sells", 16, "not a player"),
    ("next: buy TC if phase > 99", 24, "not a phase"),
    ("next: buy TC if next train = 17", 29, "not a type of train"),
    ("next: buy TC if D9 has 9999", 23, "not a tile"),
    ("pass until float", 11, "which company"),
    ("always consent: buy private TCC to Bob for 50", 32, "“to” is not understood here"),
    ("always consent: sell private TCC from IC for 50", 38, "is your own"),
])  # fmt: skip
def test_an_error_has_a_caret_under_the_word_and_what_may_stand_there(text, column, part):
    with pytest.raises(NotationError) as caught:
        read(NAMES, text)
    assert caught.value.column == column
    assert part in str(caught.value)


def test_an_order_of_too_many_characters_is_refused():
    with pytest.raises(NotationError, match="2000 characters"):
        read(NAMES, "next: pass" + " if alarm" * LONGEST)


def test_conditions_within_conditions_have_an_end():
    for deep in ("(" * 10 + "alarm" + ")" * 10, "not " * 10 + "alarm"):
        assert read(NAMES, f"next: pass if {deep}").steps
    for deeper in ("(" * 300 + "alarm" + ")" * 300, "not " * 450 + "alarm"):
        with pytest.raises(NotationError, match="fewer parentheses"):
            read(NAMES, f"next: pass if {deeper}")


SEATS = ("Ann Lee", "Bob", "Cat")


def read_back(title, seed, count):
    """Random orders, each read from its canonical text, and from one that a player might write."""
    names = Names(engine.load_title(title), SEATS)
    orders, writer = RandomOrders(names, seed, every=True), OrderWriter(names, seed)
    for _ in range(count):
        order = orders.order()
        assert read(names, write(order)) == order
        written = writer.order(order)
        assert (read(names, written), written) == (order, written)


@pytest.mark.parametrize("title", engine.title_names())
def test_random_orders_read_back_as_themselves(title):
    read_back(title, seed=1, count=60)


@pytest.mark.long
@pytest.mark.parametrize("title", engine.title_names())
def test_ten_thousand_random_orders_read_back_as_themselves(title):
    read_back(title, seed=2, count=2_500)


def productions():
    """Each rule of the grammar with what it is made of, but for what is repeated in it."""
    for rule in grammar._parser().rules:
        made_of = tuple(
            symbol.name for symbol in rule.expansion if not getattr(symbol, "filter_out", False)
        )
        if not rule.origin.name.startswith("_") and not any(
            name.startswith("_") for name in made_of
        ):
            yield rule.alias or rule.origin.name, made_of


def made_of(tree, origins):
    """The same of the parts of an order's tree."""
    for part in tree.iter_subtrees():
        names = (
            c.type if isinstance(c, Token) else origins.get(c.data, c.data) for c in part.children
        )
        inner = {"cond": "test"} if part.data in ("conj", "not_") else {}
        yield part.data, tuple(inner.get(name, name) for name in names)


def test_random_orders_use_every_rule_of_the_grammar():
    parser = grammar._parser()
    origins = {rule.alias: rule.origin.name for rule in parser.rules if rule.alias}
    names = Names(engine.load_title("18MW"), SEATS)
    orders, writer = RandomOrders(names, 3, every=True), OrderWriter(names, 3)
    met, tokens = set(), set()
    made = [orders.order() for _ in range(200)]
    rare = (
        order
        for order in (orders.order() for _ in range(900))
        if re.search("consent|refuse", write(order))
    )
    for text in map(writer.order, (*made, *rare)):
        tree = parser.parse(grammar._plain(text))
        met.update(made_of(tree, origins))
        tokens.update(token.type for token in tree.scan_values(lambda v: isinstance(v, Token)))
        tokens.update(["THEN", "LPAR", "RPAR"] if "(" in text and " then " in text else [])
    assert [rule for rule in productions() if rule not in met and rule[0] != "test"] == []
    known = {terminal.name for terminal in parser.terminals if not terminal.name.startswith("_")}
    assert known - tokens == set()


def test_random_orders_have_every_verb_of_the_notation():
    names = Names(engine.load_title("18MW"), SEATS)
    orders = RandomOrders(names, 4, every=True)
    acts = (
        act
        for _ in range(300)
        for step in orders.order().steps
        for a in step.actions
        for act in a.acts
    )
    texts = " ".join(act.command for act in acts)
    verbs = {verb.name for verb in VERBS_BY_NAME.values()} - {"ferry", "train"}
    assert [verb for verb in verbs if verb not in texts] == []
