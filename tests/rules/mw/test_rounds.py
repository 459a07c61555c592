"""18MW Sequence of Play: how rounds follow each other, who begins, who operates next."""

import pytest
from msgspec.structs import replace

from engine.position.frames import StockRound, StockTurn
from engine.position.values import Round, State
from tests.rules.mw.setting import on


def turn() -> State:
    """Ann's turn, the priority deal hers."""
    return on.company(on.stock_turn(), "IC", {"Bob": 40, "Cas": 10}, at=(2, 6), trains=["2"])


@pytest.mark.rule("18MW Sequence of Play")
@pytest.mark.rule("18MW Stock Round")
def test_a_stock_round_lasts_until_all_have_passed_in_succession() -> None:
    """From the priority deal on, clockwise; who passes may act again."""
    state = on.after(turn(), on.done(), on.done("Bob"), on.buy("IC", "Cas"), on.done("Cas"))
    assert (on.waits_for(state), state.round.kind) == (("Ann",), "SR")
    state = on.after(state, on.done(), on.done("Bob"), on.done("Cas"))
    assert str(state.round) == "OR 2.1"
    on.refused(turn(), on.buy("IC", "Bob"), "Sequence of Play", "Ann's turn, not")


@pytest.mark.rule("18MW R13")
@pytest.mark.rule("18MW Stock Round")
def test_the_first_of_the_last_passes_has_the_priority() -> None:
    """The player after the last who acted; as before where nobody did."""
    acted = on.after(turn(), on.done(), on.buy("IC", "Bob"), on.done("Bob"), on.done("Cas"))
    ended = on.after(acted, on.done(), on.done("Bob"))
    assert ended.priority == "Cas"
    nobody = on.after(turn(), on.done(), on.done("Bob"), on.done("Cas"))
    assert nobody.priority == "Ann"
    redeemed = on.company(turn(), "NP", {"Bob": 40}, market=20, cash=500, at=(0, 6))
    frame = StockRound("Bob", passes=1, last="", turns=2)
    redeemed = replace(redeemed, stack=(frame, StockTurn("Bob")))
    ended = on.after(redeemed, on.redeem(1, "NP", "Bob"), on.done("Cas"), on.done())
    assert on.after(ended, on.done("Bob")).priority == "Cas"


@pytest.mark.rule("18MW Sequence of Play")
def test_the_next_stock_round_begins_with_the_priority() -> None:
    """After the whole set of operating rounds."""
    state = on.operating(replace(turn(), priority="Cas"), "IC", "trains", part=2, parts=2)
    ended = on.after(state, on.done("Bob"))
    assert (str(ended.round), ended.stack[-1]) == ("SR 3", StockTurn("Cas"))
    first = on.operating(turn(), "IC", "trains", part=1, parts=2)
    assert str(on.after(first, on.done("Bob")).round) == "OR 2.2"


@pytest.mark.rule("18MW R16")
@pytest.mark.rule("18MW Game Phases")
def test_a_set_keeps_the_number_of_rounds_that_it_began_with() -> None:
    """The first 3 in a set of one leaves it one; the next set has two."""
    state = on.phase(on.company(on.stock_turn(), "IC", {"Ann": 60}, cash=900), "2", left=24)
    assert state.trains["initial offering"][0] == "3"
    bought = on.after(on.operating(state, "IC", "trains"), on.buy_train("IC", "3", 180))
    assert (bought.phase, bought.round) == ("3", Round("OR", 2, 1, 1))
    after = on.after(bought, on.done())
    assert str(after.round) == "SR 3"
    while after.round.kind == "SR":
        after = on.after(after, on.done(on.waits_for(after)[0]))
    assert after.round == Round("OR", 3, 1, 2)


@pytest.mark.rule("18MW R14")
@pytest.mark.rule("18MW Operations Round, Overview")
def test_the_highest_that_has_not_operated_is_next_whatever_it_was_before() -> None:
    """A price that changes in the round changes the order."""
    state = on.company(on.stock_turn(), "IC", {"Ann": 60}, at=(0, 6), trains=["2"])
    state = on.company(state, "NP", {"Bob": 60}, at=(2, 6), trains=["2"])
    state = on.company(state, "MP", {"Cas": 60}, at=(4, 6), trains=["2"])
    first = on.operating_round(state)
    assert first.stack[1].company == "IC"
    assert on.after(first, on.done()).stack[1].company == "NP"
    fallen = tuple(replace(t, cell=(6, 6)) if t.company == "NP" else t for t in first.tokens)
    assert on.after(replace(first, tokens=fallen), on.done()).stack[1].company == "MP"


@pytest.mark.rule("18MW Corporations")
@pytest.mark.rule("18MW Formation of Corporations")
@pytest.mark.rule("18MW R2")
def test_a_corporation_operates_in_the_turn_in_which_its_sixth_share_is_sold() -> None:
    """It receives ten times its starting value and puts its base at once."""
    state = on.after(on.stock_turn(), on.par("IC", 80), on.done(), on.done("Bob"), on.done("Cas"))
    for seat in ("Ann", "Bob", "Cas"):
        state = on.after(state, on.buy("IC", seat), on.done(seat))
    assert "IC" not in state.floated
    before = state.cash["bank"]
    floated = on.after(state, on.buy("IC"))
    assert (floated.cash["IC"], before - floated.cash["bank"]) == (800, 800 - 80)
    assert on.table(floated).stations_of("IC") == (("I15", 0),)
    ended = on.after(floated, on.done(), on.done("Bob"), on.done("Cas"), on.done())
    assert ended.stack[1].company == "IC"


@pytest.mark.rule("18MW R2")
def test_shares_sold_to_the_market_count_for_the_float() -> None:
    """What has left the offering counts, wherever it lies."""
    state = on.after(on.stock_turn(), on.par("IC", 80), on.done(), on.buy("IC", "Bob"))
    state = on.after(state, on.done("Bob"), on.buy("IC", "Cas"), on.done("Cas"))
    state = on.after(state, on.buy("IC"), on.done(), on.sell(1, "IC", "Bob"), on.done("Bob"))
    state = on.after(state, on.let_fall("IC", "Ann"), on.done("Cas"))
    assert on.percent(state, "IC") == {
        "Ann": 30,
        "Cas": 10,
        "open market": 10,
        "initial offering": 50,
    }
    assert "IC" in on.after(state, on.buy("IC")).floated


@pytest.mark.rule("18MW R1")
@pytest.mark.rule("18MW Shares and Limits")
def test_the_presidents_certificate_never_goes_to_the_market() -> None:
    """It passes to a player with as much, who gives ordinary shares for it."""
    state = on.company(on.stock_turn(), "IC", {"Ann": 40, "Bob": 10}, at=(2, 6))
    on.refused(state, on.sell(3, "IC"), "Shares and Limits", "president's certificate", "sell 2 IC")
    other = on.company(on.stock_turn(), "IC", {"Ann": 40, "Bob": 20}, at=(2, 6))
    after = on.after(other, on.sell(3, "IC"))
    assert after.presidents["IC"] == "Bob"
    assert after.shares["IC"]["Bob"] == (20,)
    assert after.shares["IC"]["open market"] == (10, 10, 10)


@pytest.mark.rule("18MW Change in Presidency")
def test_of_several_with_as_much_the_next_clockwise_presides() -> None:
    """After the president who sells; a tie with the president changes nothing."""
    state = on.company(on.stock_turn("Bob"), "IC", {"Bob": 30, "Ann": 30, "Cas": 30}, at=(2, 6))
    assert state.presidents["IC"] == "Bob"
    assert on.after(state, on.sell(1, "IC", "Bob")).presidents["IC"] == "Cas"


@pytest.mark.rule("18MW R17")
@pytest.mark.rule("18MW Game Phases")
def test_trains_above_a_limit_that_has_fallen_go_to_the_bank() -> None:
    """Of the president's choice, without payment, and for sale at face value."""
    state = on.company(on.phase(on.stock_turn(), "3"), "IC", {"Ann": 60}, cash=900)
    state = on.company(state, "NP", {"Bob": 60}, trains=["3", "3", "4", "4"], at=(4, 6))
    state = on.own(state, "initial offering", "4", "4", "4", "5", "5", "5", "5")
    after = on.after(on.operating(state, "IC", "trains"), on.buy_train("IC", "4", 300))
    assert (after.phase, on.waits_for(after)) == ("4", ("Bob",))
    given = on.after(after, on.discard("NP", "3", "Bob"))
    assert given.trains["NP"] == ("3", "4", "4")
    assert given.trains["open market"] == ("3",)
    assert given.cash["NP"] == after.cash["NP"]
    assert on.allowed(given, on.buy_train("IC", "3", 180, "open market"))
