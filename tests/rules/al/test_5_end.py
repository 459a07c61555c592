"""18AL 5: the end of the game and the winner; 6: what all may know."""

import pytest
from msgspec.structs import replace

from engine.actions import GoBankrupt
from engine.events import EndForeseen, ExtraRound, GameEnded
from engine.play.ending import worth
from engine.position.values import BANK, OFFERING, Ending, State
from engine.titles.registry import load_title
from tests.rules import setting as on

TIE_BREAK = load_title("18AL", frozenset({"tie-break"}))


def bank(state: State, dollars: int) -> State:
    """The bank has so much left; Cas has the rest of the money."""
    return on.money(state, {"Cas": state.cash["Cas"] + state.cash[BANK] - dollars})


def paying(dollars: int, *, part: int = 1, parts: int = 1) -> State:
    """L&N about to pay $60 to Ann, with ``dollars`` in the bank."""
    state = on.company(on.stock_turn(), "L&N", {"Ann": 60}, trains=("2",))
    state = replace(
        on.operating(state, "L&N", "dividend", part=part, parts=parts), earned={"L&N": 100}
    )
    return bank(state, dollars)


def broke() -> State:
    """Ann must pay for a 4D and can sell nothing."""
    state = on.company(on.phase(on.stock_turn(), "4D"), "L&N", {"Ann": 20, "Bob": 20, "Cas": 20})
    state = on.operating(on.tiles(state, "C4 57 0"), "L&N", "trains")
    return on.money(state, {"Ann": 55})


@pytest.mark.rule("18AL 5")
def test_5_no_end_without_one_of_three_events() -> None:
    """A payment that leaves a dollar in the bank, at a price below $300, ends nothing."""
    assert on.after(paying(61), on.pay("L&N")).ending is None


@pytest.mark.rule("18AL 5")
def test_5_bankruptcy_still_ends_at_once_what_was_to_end_later() -> None:
    """The bank broke; a bankruptcy comes before the round is over."""
    state = replace(broke(), ending=Ending("bank", 0))
    over = on.after(state, GoBankrupt(by="Ann", company="L&N"))
    assert over.ending == Ending("bankruptcy", 0, "Ann")
    assert over.stack == ()


@pytest.mark.rule("18AL 5(a)")
@pytest.mark.parametrize(("dollars", "breaks"), [(59, True), (60, True), (61, False)])
def test_a_bank_breaks_when_nothing_is_left(dollars: int, breaks: bool) -> None:
    """$60 are paid out of what is left; the payment is made in full."""
    state = paying(dollars)
    assert on.happened(state, on.pay("L&N"), EndForeseen) == (
        [EndForeseen("bank")] if breaks else []
    )
    now = on.after(state, on.pay("L&N"))
    assert now.cash["Ann"] == 660
    assert sum(now.cash.values()) == 8000


@pytest.mark.rule("18AL 5(a)")
def test_a_in_an_operating_round_only_that_round_is_finished() -> None:
    """Of a set of three rounds the first is the last; all companies have their turns in it."""
    state = on.company(paying(10, parts=3), "TAG", {"Bob": 60}, par=60, trains=("2",))
    state = replace(on.operating(state, "L&N", "dividend", parts=3), earned={"L&N": 100})
    turn = replace(state, stack=(replace(state.stack[0], done=("L&N",)), *state.stack[1:]))
    turn = on.after(turn, on.pay("L&N"))
    assert (on.waits_for(turn), str(turn.round)) == (("Bob",), "OR 2.1")
    over = on.after(turn, on.run("TAG", by="Bob"))
    assert (over.stack, str(over.round)) == ((), "OR 2.1")


@pytest.mark.rule("18AL 5(a)")
def test_a_in_a_stock_round_one_operating_round_follows() -> None:
    """The capital of L&N breaks the bank: the stock round is finished and one operating round of three."""
    state = on.company(on.phase(on.stock_turn(), "5"), "L&N", {"Bob": 50})
    state = on.after(bank(state, 500), on.buy("L&N"))
    assert state.ending == Ending("bank", 1)
    state = on.after(state, on.done())
    assert on.allowed(state, on.par("TAG", 60, "Bob")), "the stock round goes on"
    state = on.after(state, on.done("Bob"), on.done("Cas"), on.done())
    assert (str(state.round), state.round.parts) == ("OR 2.1", 1)
    over = on.after(state, on.done("Bob"))
    assert (over.stack, str(over.round)) == ((), "OR 2.1")


@pytest.mark.rule("18AL 5(b)")
def test_b_at_300_the_round_is_finished_and_no_other() -> None:
    """L&N pays its way to $300 in the first of three rounds."""
    state = on.company(on.stock_turn(), "L&N", {"Ann": 60}, at=(0, 14), trains=("2",))
    state = replace(on.operating(state, "L&N", "dividend", parts=3), earned={"L&N": 60})
    assert on.happened(state, on.pay("L&N"), EndForeseen) == [EndForeseen("price")]
    now = on.after(state, on.pay("L&N"))
    assert (now.stack, str(now.round)) == ((), "OR 2.1")


@pytest.mark.rule("18AL 5(b)")
def test_b_at_270_the_game_goes_on() -> None:
    """The space before the last ends nothing."""
    state = on.company(on.stock_turn(), "L&N", {"Ann": 60}, at=(0, 13), trains=("2",))
    state = replace(on.operating(state, "L&N", "dividend"), earned={"L&N": 60})
    assert on.after(state, on.pay("L&N")).ending is None


@pytest.mark.rule("18AL 5(c)")
def test_c_a_bankruptcy_ends_the_game_at_once() -> None:
    """Nobody else has a turn."""
    state = on.company(broke(), "TAG", {"Bob": 60}, par=60)
    state = on.operating(state, "L&N", "trains")
    ended = on.happened(state, GoBankrupt(by="Ann", company="L&N"), GameEnded)
    assert [e.cause for e in ended] == ["bankruptcy"]
    assert on.waits_for(on.after(state, GoBankrupt(by="Ann", company="L&N"))) == ()


@pytest.mark.rule("18AL 5(c)")
def test_c_after_the_end_nothing_is_played() -> None:
    """The game is over for everybody."""
    over = on.after(broke(), GoBankrupt(by="Ann", company="L&N"))
    refusal = on.why_not(over, on.done("Bob"))
    assert refusal is not None
    assert refusal.code == "over"


@pytest.mark.rule("18AL 5.1")
@pytest.mark.rule("18AL 5.1(a)")
@pytest.mark.rule("18AL 5.1(b)")
@pytest.mark.rule("18AL 5.1(c)")
def test_5_1_cash_stock_and_privates() -> None:
    """Cash as it is, shares at market value, privates at par; treasuries count for nobody."""
    state = on.company(on.stock_turn(), "L&N", {"Ann": 60, "Bob": 20}, at=(0, 7), cash=999)
    assert worth(on.table(state), "Cas") == 600
    assert worth(on.table(state), "Ann") == 600 + 6 * 120
    state = on.privates(state, {"TR": "Ann", "NDY": "Bob", "M&C": "L&N"})
    assert worth(on.table(state), "Ann") == 600 + 6 * 120 + 20
    assert worth(on.table(state), "Bob") == 600 + 2 * 120 + 120


@pytest.mark.rule("18AL 5.1")
def test_5_1_bankrupt_players_cash_is_forfeited() -> None:
    """Ann's $55 are gone, her two shares at $90 count, and she may win all the same."""
    (ended,) = on.happened(broke(), GoBankrupt(by="Ann", company="L&N"), GameEnded)
    assert ended.worth["Ann"] == 180
    poor = on.money(broke(), {"Bob": 0, "Cas": 0})
    poor = replace(poor, shares={**poor.shares, "L&N": {"Ann": (20,), OFFERING: (10,) * 8}})
    (ended,) = on.happened(poor, GoBankrupt(by="Ann", company="L&N"), GameEnded)
    assert max(ended.worth, key=lambda seat: ended.worth[seat]) == "Ann"


def last_round(cash: dict[str, int]) -> State:
    """The last decision of a game, with these players' cash and no shares but Ann's."""
    state = on.company(on.stock_turn(), "L&N", {"Ann": 60}, at=(0, 5))
    state = on.operating(state, "L&N")
    return replace(on.money(state, cash), ending=Ending("bank", 0))


#: after L&N's idle turn its price is $80, so that Ann's shares are worth $480
TIED = {"Ann": 120, "Bob": 600, "Cas": 0}


@pytest.mark.rule("18AL 5.1")
def test_5_1_ties_stand() -> None:
    """Ann and Bob have $600 each, and that is that."""
    (ended,) = on.happened(last_round(TIED), on.done(), GameEnded)
    assert ended.worth == {"Ann": 600, "Bob": 600, "Cas": 0}


@pytest.mark.rule("18AL 5.1")
def test_5_1_tie_break_by_one_more_operating_round() -> None:
    """Where the table agreed on it: one round without a stock round before it, and only one."""
    state = last_round(TIED)
    assert on.happened(state, on.done(), ExtraRound, TIE_BREAK) == [ExtraRound(("Ann", "Bob"))]
    extra = on.after(state, on.done(), title=TIE_BREAK)
    assert str(extra.round) == "OR 2.2"
    tied = on.money(extra, {"Ann": 600 - 450})
    (ended,) = on.happened(tied, on.done(), GameEnded, TIE_BREAK)
    assert ended.worth["Ann"] == ended.worth["Bob"]


@pytest.mark.rule("18AL 5.1")
def test_5_1_no_tie_break_without_a_tie_for_the_first_place() -> None:
    """Bob and Cas tie for the second place."""
    state = last_round({"Ann": 600, "Bob": 300, "Cas": 300})
    assert on.after(state, on.done(), title=TIE_BREAK).stack == ()


@pytest.mark.rule("18AL 5.1")
def test_5_1_no_tie_break_after_a_bankruptcy() -> None:
    """Bob and Cas tie, Ann is bankrupt: the game is over."""
    state = on.money(broke(), {"Bob": 500, "Cas": 500})
    over = on.after(state, GoBankrupt(by="Ann", company="L&N"), title=TIE_BREAK)
    assert over.stack == ()


@pytest.mark.rule("18AL 6")
def test_6_holdings_are_public() -> None:
    """A position is one for all: cash, certificates, treasuries, trains, privates, tokens by owner."""
    state = on.company(on.stock_turn(), "L&N", {"Ann": 60}, cash=5, trains=("2",))
    state = on.privates(state, {"TR": "L&N"})
    assert (state.cash["Ann"], state.cash["L&N"]) == (600, 5)
    assert (state.trains["L&N"], state.privates["TR"], state.charters["L&N"]) == (("2",), "L&N", 3)
    assert state.shares["L&N"]["Ann"] == (20, 10, 10, 10, 10)
