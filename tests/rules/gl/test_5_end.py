"""18GL 5: when the game ends, and what a player is worth then."""

import pytest
from msgspec.structs import replace

from engine.events import EndForeseen, GameEnded
from engine.play import ending
from engine.play.ending import end_if_alone
from engine.position.draft import Draft
from engine.position.values import BANK, MARKET, Ending, State
from engine.telling.showing import view
from tests.rules.gl.setting import on


def worth(state: State, seat: str = "Ann") -> int:
    """What the player would have at the end."""
    return ending.worth(on.table(state), seat)


def last_round(part: int, parts: int, foreseen: Ending | None) -> State:
    """An operating round of a set in which IC alone has a turn, at its very end."""
    state = on.company(on.phase(on.stock_turn(), "10H"), "IC", {"Ann": 60}, trains=("10H",))
    state = on.operating(state, "IC", "own shares", part=part, parts=parts)
    return replace(state, ending=foreseen)


@pytest.mark.rule("18GL 5")
@pytest.mark.parametrize("cause", ["bank", "price"])
def test_the_set_of_operating_rounds_is_completed(cause: str) -> None:
    """After the first of three rounds there are two more; after the third it is over."""
    last = Ending(cause, full_set=True)
    then = on.after(last_round(1, 3, last), on.done())
    assert str(then.round) == "OR 2.2" and then.stack
    over = on.after(last_round(3, 3, last), on.done())
    assert not over.stack
    (event,) = on.happened(last_round(3, 3, last), on.done(), GameEnded)
    assert event.cause == cause
    going = on.after(last_round(3, 3, None), on.done())
    assert str(going.round) == "SR 3"


@pytest.mark.rule("18GL 5")
def test_a_bank_that_breaks_in_a_stock_round_ends_the_game_after_the_next_set() -> None:
    """Money that comes back changes nothing."""
    state = on.phase(on.company(on.stock_turn(), "IC", {"Bob": 40, "Ann": 30}), "10H")
    state = on.money(state, {"Cas": state.cash["Cas"] + state.cash[BANK] - 100})
    (event,) = on.happened(state, on.sell(2, "IC"), EndForeseen)
    assert event.cause == "bank"
    then = on.after(state, on.sell(2, "IC"), on.done(), on.buy_treasury("IC", "Bob"))
    then = on.after(then, on.done("Bob"), on.done("Cas"), on.done(), on.done("Bob"))
    assert (str(then.round), then.round.parts) == ("OR 2.1", 3)
    assert then.ending is not None and then.ending.full_set


@pytest.mark.rule("18GL R42")
@pytest.mark.rule("18GL 5")
def test_a_price_of_450_in_a_stock_round_does_the_same() -> None:
    """Whatever moved it there."""
    state = on.company(on.stock_turn(), "IC", {"Ann": 60, "Bob": 40}, at=(0, 16))
    draft = Draft(on.GL, state)
    draft.move_price("IC", on.GL.chart.right((0, 16)))
    assert on.GL.chart.price((0, 17)) == 450
    assert draft.ending == Ending("price", full_set=True)


@pytest.mark.rule("18GL 5")
@pytest.mark.rule("18GL 1.1")
def test_worth_is_cash_shares_and_bonds_but_no_privates() -> None:
    """Three shares at a hundred, two bonds, and what is in the purse."""
    state = on.company(on.stock_turn(), "IC", {"Ann": 30}, par=100)
    state = on.privates(on.bonds(state, {"Ann": 2}), {"Mine": "Ann"})
    assert worth(state) == 800 + 300 + 200


@pytest.mark.rule("18GL 5")
def test_loans_take_fifty_dollars_each_from_a_share_even_below_nothing() -> None:
    """A share at 70 is worth less than nothing with two loans."""
    state = on.company(on.stock_turn(), "IC", {"Ann": 30}, par=70, loans=2)
    assert worth(state) == 800 - 3 * 30
    assert worth(on.loans(state, {"IC": 1})) == 800 + 3 * 20


@pytest.mark.rule("18GL R43")
@pytest.mark.rule("18GL 5")
def test_issued_bonds_take_ten_dollars_each_from_a_share_of_conrail() -> None:
    """Those in its treasury do not count; a share of five percent is a share."""
    state = on.company(on.stock_turn(), "CR", {"Ann": 20}, at=(0, 4), share=5)
    state = on.bonds(state, {"CR": 5, MARKET: 2, "Bob": 3})
    assert worth(state) == 800 + 4 * (110 - 50)
    assert worth(state, "Bob") == 800 + 300
    assert worth(on.loans(state, {"CR": 1})) == 800 + 4 * 10


@pytest.mark.rule("18GL 5")
def test_the_last_who_is_not_bankrupt_has_won_at_once() -> None:
    """Two left play on; who is out is worth nothing."""
    state = on.stock_turn()
    draft = Draft(on.GL, replace(state, out=("Bob",)))
    assert not end_if_alone(draft) and draft.stack
    draft = Draft(on.GL, replace(state, out=("Bob", "Cas")))
    assert end_if_alone(draft)
    assert not draft.stack
    (event,) = (e for e in draft.events if isinstance(e, GameEnded))
    assert (event.cause, event.worth) == ("survivor", {"Ann": 800, "Bob": 0, "Cas": 0})


@pytest.mark.rule("18GL 5")
@pytest.mark.rule("18GL 4.7.3")
def test_who_is_bankrupt_comes_behind_whoever_is_not() -> None:
    """Ann is left with shares that are worth less than nothing, and has won with them."""
    state = on.money(on.company(on.stock_turn(), "IC", {"Ann": 60}, par=60, loans=2), {"Ann": 0})
    draft = Draft(on.GL, replace(state, out=("Bob", "Cas")))
    end_if_alone(draft)
    (event,) = (e for e in draft.events if isinstance(e, GameEnded))
    assert list(event.worth.items()) == [("Ann", -240), ("Bob", 0), ("Cas", 0)]

    ranked = view(on.GL, draft.commit()).ranked()
    assert [player.seat for player in ranked] == ["Ann", "Bob", "Cas"]


@pytest.mark.rule("18GL 5")
@pytest.mark.rule("18GL 1.1")
def test_the_richest_comes_first() -> None:
    """Whatever the seats."""
    state = on.money(on.stock_turn(), {"Ann": 5, "Bob": 7, "Cas": 6})
    draft = Draft(on.GL, replace(state, ending=Ending("bank", full_set=True)))
    ending.end_game(draft)
    (event,) = (e for e in draft.events if isinstance(e, GameEnded))
    assert list(event.worth.items()) == [("Bob", 7), ("Cas", 6), ("Ann", 5)]
    assert [p.seat for p in view(on.GL, draft.commit()).ranked()] == ["Bob", "Cas", "Ann"]
