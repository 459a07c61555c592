"""18TN 8: its optional rules."""

import pytest
from msgspec.structs import replace

from engine.actions import BuyTrain
from engine.flow import why_not
from engine.position.values import MARKET
from engine.steps.operating.trains import LESS_MONEY, NO_PRICE_DOES, NO_PRICE_LEFT
from engine.titles.registry import load_title
from tests.rules.tn.setting import on


@pytest.mark.rule("18TN 8(c)")
@pytest.mark.rule("18TN 8(b)")
@pytest.mark.rule("18TN 8(a)")
def test_all_options_together() -> None:
    """The buyer of the first 6 pays its price, and is paid for its own 3 trains afterwards."""
    names = frozenset({"three-yellow", "early-privates", "salvage", "tie-break"})
    title = load_title("18TN", names)
    state = on.money(on.buying(9, "5", "3"), {"SOU": 600})
    then = on.after(state, on.next_train(state), title=title)
    assert (then.cash["SOU"], then.trains["SOU"]) == (50, ("6",))
    poor = on.money(state, {"SOU": 599})
    on.refused(poor, on.next_train(poor), "4.2.5.2", "$599", title=title)
    facts = title.facts
    assert facts.operating.first_lays is not None
    assert (facts.operating.first_lays.yellow, facts.extra_round_on_tie) == (3, True)
    assert title.phases["2"].company_privates


@pytest.mark.rule("18TN 8(c)")
def test_option_salvage() -> None:
    """$50 to a company for each 3 train that the first 6 removes, nothing for the market's."""
    title = load_title("18TN", frozenset({"salvage"}))
    state = on.own(on.buying(9, "5", others=("3", "3")), MARKET, "3")
    then = on.after(state, on.next_train(state), title=title)
    assert then.cash["L&N"] == 400
    assert on.after(state, on.next_train(state)).cash["L&N"] == 300


@pytest.mark.rule("18TN 8(a)")
def test_option_three_yellow_tiles() -> None:
    """On the first turn only, and upgrades as ever."""
    title = load_title("18TN", frozenset({"three-yellow"}))
    lays = (on.lay("SOU", "57", "F17", 1), on.lay("SOU", "9", "F15", 1))
    third = on.lay("SOU", "8", "F19", 1)
    first = on.station(on.turn("SOU", turns=0), "SOU", "F17")
    assert on.allowed(on.after(first, *lays, title=title), third, title=title)
    on.refused(on.after(first, *lays), third, "4.2(b)")
    later = on.after(on.turn("SOU"), *lays, title=title)
    on.refused(later, third, "4.2(b)", title=title)


@pytest.mark.rule("18TN 8(b)")
def test_option_privates_in_phase_2() -> None:
    """For $1 to par, any number; in phase 1 not, and from phase 3 on as ever."""
    title = load_title("18TN", frozenset({"early-privates"}))
    state = on.privates(on.turn("SOU", at_phase="2"), {"TCC": "Ann", "O&W": "Ann"})
    for cost, legal in ((0, False), (1, True), (20, True), (21, False)):
        sale = on.trade("TCC", "Ann", "SOU", cost)
        assert on.allowed(state, sale, title=title) is legal
    both = (on.trade("TCC", "Ann", "SOU", 1), on.trade("O&W", "Ann", "SOU", 100))
    assert on.after(state, *both, title=title).privates["O&W"] == "SOU"
    on.refused(replace(state, phase="1"), both[0], "4.2.6", title=title)
    on.refused(replace(state, phase="3"), both[0], "4.2.6", "$10 to $30", title=title)


def test_as_18xx_games_plays_it_a_price_that_no_sum_fits_is_not_told_as_a_range() -> None:
    """Shares were sold for a train before, and all but a little of that must be spent."""
    title = load_title("18TN", frozenset(["18xx.games"]))
    state = on.buying(20, "2", "2", others=("2",))
    cash = {**state.cash, "SOU": 37, "Ann": 100}
    top = replace(state.stack[-1], bought=1, smallest=54)
    state = replace(state, cash=cash, stack=(*state.stack[:-1], top))
    offer = BuyTrain(by="Ann", company="SOU", train="2", source="L&N", price=50)
    refusal = why_not(title, state, offer)
    assert refusal is not None
    assert refusal.text == NO_PRICE_LEFT.format(low="$84", company="SOU", high="$37")
    assert refusal.hint == NO_PRICE_DOES
    state = replace(
        state, cash={**cash, "SOU": 0}, stack=(*state.stack[:-1], replace(top, smallest=0))
    )
    refusal = why_not(title, state, offer)
    less = LESS_MONEY.format(company="SOU", cash="$0", low="$1")
    assert refusal is not None and refusal.text == less
