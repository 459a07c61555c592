"""18TN 6 and 7: how a game ends, who wins, what is public."""

import pytest
from msgspec.structs import replace

from engine.actions import GoBankrupt
from engine.events import EndForeseen, ExtraRound, GameEnded
from engine.play.ending import worth
from engine.position.frames import OperatingRound
from engine.position.values import BANK, Ending, Round, State
from engine.titles.registry import load_title
from tests.rules.tn.setting import EAST, on

RED = ("2", "F17-F19-E20-E22")


def paying(part: int, parts: int, **more: object) -> State:
    """SOU about to pay a run of $80 in an operating round."""
    state = on.turn("SOU", "run", laid=EAST, trains=("2",), **more)  # type: ignore[arg-type]
    state = replace(state, round=Round("OR", 2, part, parts))
    return on.after(state, on.run("SOU", RED))


def bank_with(state: State, left: int) -> State:
    """The bank has so many dollars, Cas has the others."""
    return on.money(state, {"Cas": state.cash["Cas"] + state.cash[BANK] - left})


@pytest.mark.rule("18TN 6(a)")
@pytest.mark.rule("18TN A1 end within a set")
def test_when_the_bank_breaks_in_an_operating_round_that_round_is_the_last() -> None:
    """Not the whole set; the money is improvised."""
    state = bank_with(paying(1, 2), 10)
    assert on.happened(state, on.pay("SOU"), EndForeseen) == [EndForeseen("bank")]
    over = on.after(state, on.pay("SOU"), on.done())
    assert (over.stack, over.cash[BANK] < 0) == ((), True)


@pytest.mark.rule("18TN 6(a)")
@pytest.mark.rule("18TN A1 end in a stock round")
def test_when_it_breaks_in_a_stock_round_one_operating_round_follows() -> None:
    """The stock round is finished first."""
    state = on.company(on.stock_turn(), "TC", {"Ann": 60, "Bob": 30}, at=(0, 15), turns=0)
    state = bank_with(on.phase(state, "5"), 10)
    state = on.after(state, on.sell(1, "TC"))
    assert state.ending == Ending("bank", 1)
    state = on.after(state, on.done(), on.done("Bob"), on.done("Cas"), on.done())
    assert (str(state.round), state.round.parts) == ("OR 2.1", 1)
    while state.stack:
        state = on.after(state, on.done())
    assert str(state.round) == "OR 2.1"


@pytest.mark.rule("18TN 6(b)")
def test_a_price_of_300_ends_the_game_with_the_present_operating_round() -> None:
    """In the first of two."""
    state = paying(1, 2, at=(0, 14))
    assert on.happened(state, on.pay("SOU"), EndForeseen) == [EndForeseen("price")]
    assert on.after(state, on.pay("SOU"), on.done()).stack == ()


@pytest.mark.rule("18TN 6(b)")
def test_no_rise_at_the_end_of_a_stock_round_leads_to_300() -> None:
    """Nothing lies below that space; from the space beside it a price does not rise."""
    for space, then in (((1, 14), 275), ((0, 14), 275)):
        state = on.company(on.stock_turn(), "TC", {"Ann": 60, "Bob": 40}, at=space, turns=0)
        ended = on.after(on.end_of_round(state), on.done())
        assert (on.price(ended, "TC"), ended.ending) == (then, None)


@pytest.mark.rule("18TN 6(b)")
def test_the_end_foreseen_in_a_stock_round_is_one_operating_round_away() -> None:
    """Of three that would follow in phase 5."""
    state = on.company(on.stock_turn(), "TC", {"Ann": 60, "Bob": 30}, turns=0)
    state = replace(on.phase(state, "5"), ending=Ending("price", 0))
    then = on.after(on.end_of_round(state), on.done())
    assert (str(then.round), then.round.parts) == ("OR 2.1", 1)
    while then.stack:
        then = on.after(then, on.done())
    assert str(then.round) == "OR 2.1"


def broke(**more: object) -> State:
    """SOU must buy a train that nobody can pay."""
    state = on.turn("SOU", "trains", laid=EAST, at_phase="8", cash=0)
    return on.money(replace(state, **more), {"Ann": 0})


@pytest.mark.rule("18TN 6(c)")
@pytest.mark.rule("18TN 4.2.5.2(d)")
def test_a_bankruptcy_ends_the_game_at_once() -> None:
    """After all is sold that may be; also when the end is near."""
    state = on.company(broke(), "TC", {"Ann": 20, "Bob": 30})
    bankrupt = GoBankrupt(by="Ann", company="SOU")
    has_one = on.own(state, "SOU", "2")
    on.refused(has_one, on.sell(1, "TC"), "4.2.5.2(d)", "must buy")
    on.refused(state, bankrupt, "4.2.5.2", "sell")
    last_share = on.after(state, on.sell(1, "TC"), on.sell(4, "SOU"))
    on.refused(last_share, bankrupt, "4.2.5.2", "sell 1 TC")
    ruined = on.after(last_share, on.sell(1, "TC"))
    (ended,) = on.happened(ruined, bankrupt, GameEnded)
    assert ended.cause == "bankruptcy"
    near = on.money(replace(ruined, ending=Ending("bank", 0)), {"Ann": 0})
    assert on.after(near, bankrupt).ending == Ending("bankruptcy", 0, "Ann")


@pytest.mark.rule("18TN 4.2.5.2(d)")
def test_no_private_is_sold_to_a_player_for_a_train() -> None:
    """Of the rules of a stock turn those of 3.2(a) hold, 3.2(b) is not among them."""
    private = next(iter(on.title.privates))
    state = on.privates(broke(), {private: "Ann"})
    on.refused(state, on.trade(private, "Ann", "Bob", 50), "4(b)", "Bob")


@pytest.mark.rule("18TN 6.1")
@pytest.mark.rule("18TN 6.1(a)")
@pytest.mark.rule("18TN 6.1(b)")
@pytest.mark.rule("18TN 6.1(c)")
def test_cash_stock_and_private_companies_count() -> None:
    """A bankrupt player's cash does not; what companies have does not."""
    state = on.company(on.stock_turn(), "IC", {"Ann": 50}, at=(2, 0), cash=700)
    state = on.privates(state, {"O&W": "Ann", "TCC": "IC"})
    assert worth(on.table(state), "Ann") == 600 + 5 * 50 + 100
    lost = replace(state, ending=Ending("bankruptcy", 0, "Ann"))
    assert worth(on.table(lost), "Ann") == 5 * 50 + 100


@pytest.mark.rule("18TN 6.1")
def test_option_tie_break() -> None:
    """One extra operating round where two are first, and no second one."""
    title = load_title("18TN", frozenset({"tie-break"}))
    state = on.phase(on.stock_turn(), "5")
    state = on.company(state, "TC", {"Bob": 20})
    state = replace(
        on.money(state, {"Ann": 500, "Bob": 300, "Cas": 500}),
        round=Round("OR", 5, 1, 3),
        ending=Ending("bank", 0),
    )
    frames = on.operating(on.company(state, "SOU", {"Cas": 60}, at=(6, 0)), "SOU", "trains")
    even = on.money(frames, {"Cas": 500 - 6 * 25})
    even = replace(even, round=Round("OR", 5, 1, 3))
    (tied,) = on.happened(even, on.done("Cas"), ExtraRound, title=title)
    assert tied.seats == ("Ann", "Cas")
    then = on.after(even, on.done("Cas"), title=title)
    assert isinstance(then.stack[0], OperatingRound)
    assert on.after(even, on.done("Cas")).stack == ()


@pytest.mark.rule("18TN 7")
@pytest.mark.rule("18TN A1 players' money")
@pytest.mark.rule("18TN A1 companies' money")
def test_the_number_of_operating_rounds_is_that_of_the_stock_round_s_end() -> None:
    """A phase that begins in the set changes the next set only; all belongings are in the view."""
    state = on.company(on.phase(on.stock_turn(), "3"), "SOU", {"Ann": 60}, turns=0)
    assert on.after(on.end_of_round(state), on.done()).round.parts == 2
    changed = replace(paying(1, 1, cash=3000), trains={"initial offering": ("3",) * 5 + ("4",)})
    changed = replace(changed, trains={**changed.trains, "SOU": ("2",), "open market": ()})
    after = on.after(changed, on.pay("SOU"), on.buy_train("SOU", "3", 180))
    assert (after.phase, after.round.kind) == ("3", "SR")
