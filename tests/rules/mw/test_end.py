"""18MW Ending the Game, How To Win: when it ends, and what a player is worth then."""

import pytest
from msgspec.structs import replace

from engine.events import EndForeseen, GameEnded
from engine.play.ending import worth
from engine.position.frames import Protection
from engine.position.values import BANK, MARKET, Ending, State
from tests.rules.mw.setting import on


def bank(state: State, dollars: int) -> State:
    """The bank has so much left; Cas has the rest of its money."""
    return on.money(state, {"Cas": state.cash["Cas"] + state.cash[BANK] - dollars})


def paying(dollars: int, *, part: int = 1, parts: int = 3) -> State:
    """IC has a 10 train, earned $200 and pays, with so much in the bank, at $100 a share."""
    state = on.company(on.phase(on.stock_turn(), "10"), "IC", {"Ann": 60}, trains=("10",))
    state = on.operating(state, "IC", "dividend", part=part, parts=parts)
    return bank(replace(state, earned={"IC": 200}), dollars)


def stock(dollars: int) -> State:
    """Ann may sell two shares of IC for $200, with so much in the bank."""
    state = on.phase(on.stock_turn(), "10")
    state = on.company(state, "IC", {"Bob": 40, "Ann": 30}, trains=("10",))
    return bank(state, dollars)


@pytest.mark.rule("18MW Ending the Game")
@pytest.mark.parametrize(("dollars", "breaks"), [(199, True), (200, True), (201, False)])
def test_a_bank_breaks_when_nothing_is_left(dollars: int, breaks: bool) -> None:
    """$200 are paid out in full, whatever is left of it: 60% to Ann, 40% to the treasury."""
    state = paying(dollars)
    foreseen = on.happened(state, on.pay("IC"), EndForeseen)
    assert foreseen == ([EndForeseen("bank")] if breaks else [])
    paid = on.after(state, on.pay("IC"))
    assert paid.cash["Ann"] - state.cash["Ann"] == 120
    assert paid.cash["IC"] - state.cash["IC"] == 80
    assert paid.cash[BANK] == dollars - 200


@pytest.mark.rule("18MW Ending the Game")
@pytest.mark.parametrize(("part", "rounds"), [(1, ("OR 2.2", "OR 2.3")), (2, ("OR 2.3",)), (3, ())])
def test_the_set_of_operating_rounds_is_completed(part: int, rounds: tuple[str, ...]) -> None:
    """The players receive all that those rounds bring, and the game is over after the last."""
    state = on.after(paying(100, part=part), on.pay("IC"))
    for name in rounds:
        assert str(state.round) == name
        state = on.after(state, on.done())
    assert state.stack == ()


@pytest.mark.rule("18MW Ending the Game")
def test_without_a_broken_bank_a_stock_round_follows() -> None:
    """No price ends the game either."""
    state = on.after(paying(2000, part=3), on.pay("IC"))
    assert (str(state.round), state.ending) == ("SR 3", None)
    dear = on.company(stock(2000), "NP", {"Bob": 60}, at=(0, 21))
    assert on.price(dear, "NP") == 400
    assert on.after(dear, on.done()).ending is None


@pytest.mark.rule("18MW Ending the Game")
@pytest.mark.rule("18MW R48")
def test_a_bank_that_breaks_in_a_stock_round_ends_the_game_after_a_full_set() -> None:
    """The stock round is finished; three operating rounds follow, for phase 10 has three."""
    state = stock(150)
    assert on.happened(state, on.sell(2, "IC"), EndForeseen) == [EndForeseen("bank")]
    state = on.after(state, on.sell(2, "IC"))
    assert str(state.round) == "SR 2"
    assert state.ending == Ending("bank", full_set=True)
    state = on.after(state, on.done(), on.let_fall("IC"))
    while state.round.kind == "SR":
        [seat] = on.waits_for(state)
        asked = isinstance(state.stack[-1], Protection)
        state = on.after(state, on.let_fall("IC", seat) if asked else on.done(seat))
    for part in (1, 2, 3):
        assert (state.round.part, state.round.parts) == (part, 3)
        state = on.after(state, on.done("Bob"))
    assert state.stack == ()


@pytest.mark.rule("18MW How To Win")
@pytest.mark.rule("18MW Ending the Game")
def test_a_player_is_worth_cash_and_shares() -> None:
    """What companies have counts for nobody, and nothing is worth what has no price."""
    state = on.company(stock(5000), "NP", {"Ann": 20}, at=(0, 9), cash=900, trains=("10", "8"))
    state = on.money(state, {"Ann": 77})
    table = on.table(state)
    assert worth(table, "Ann") == 77 + 3 * 100 + 2 * 130
    private = on.privates(state, {"RI": "Ann"})
    assert worth(on.table(private), "Ann") == worth(table, "Ann")
    given = replace(state, shares={**state.shares, "GMO": {"Ann": (10,)}})
    assert worth(on.table(given), "Ann") == worth(table, "Ann")


@pytest.mark.rule("18MW How To Win")
def test_the_greatest_net_worth_wins() -> None:
    """The event ranks the players; a bankrupt one has nothing (Bankruptcy)."""
    state = bank(on.money(paying(0, part=3), {"Ann": 10, "Bob": 400, "Cas": 0}), 100)
    paid = on.after(state, on.pay("IC"))
    (ended,) = on.happened(state, on.pay("IC"), GameEnded)
    assert ended.cause == "bank"
    ranked = list(ended.worth)
    assert ended.worth["Ann"] == 10 + 120 + 6 * on.price(paid, "IC")
    assert ranked == sorted(ranked, key=lambda seat: -ended.worth[seat])
    assert worth(on.table(replace(paid, out=("Bob",))), "Bob") == 0


@pytest.mark.rule("18MW Companies")
@pytest.mark.rule("18MW A3.0")
def test_systems_are_companies_that_nobody_starts() -> None:
    """Four of them, beside the ten corporations."""
    systems = [c.id for c in on.title.facts.company if c.merger]
    assert systems == ["BN", "CR", "CSX", "NW"]
    names = [on.title.companies[company].name for company in systems]
    assert names == ["Burlington Northern", "Conrail", "CSX", "Norfolk and Western"]
    on.refused(stock(5000), on.par("BN", 100), "Systems", "nobody starts it")


@pytest.mark.rule("18MW Ending the Game")
def test_shares_in_the_market_are_nobody_s() -> None:
    """Selling before the end changes what one is worth by the price of what one keeps."""
    state = stock(5000)
    sold = on.after(state, on.sell(2, "IC"))
    assert on.percent(sold, "IC")[MARKET] == 20
    assert worth(on.table(sold), "Ann") == sold.cash["Ann"] + on.price(sold, "IC")
