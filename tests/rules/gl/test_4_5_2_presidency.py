"""18GL 4.5.2, and who acts as CONRAIL's president without its certificate (4.5.1.2)."""

import pytest
from msgspec.structs import replace

from engine.events import ActingPresident, PresidentChanged
from engine.position.frames import OperatingTurn, StockRound, StockTurn
from engine.position.values import MARKET, OFFERING, State
from engine.steps.stock.selling import why_not_sell
from tests.rules.gl.setting import on


def of(held: dict[str, int], seat: str = "Ann", **more: object) -> State:
    """A stock turn; players hold these shares of IC, the first of them presides."""
    return on.company(on.stock_turn(seat, seats=4), "IC", held, **more)  # type: ignore[arg-type]


def acting(held: dict[str, int], where: str = "CR", seat: str = "Ann", **more: int) -> State:
    """CONRAIL of twenty shares; the first of ``held`` acts, the certificate lies elsewhere."""
    state = on.phase(on.stock_turn(seat, seats=4), "10H")
    rest = 100 - sum(held.values())
    places = {"treasury": 50, "market": rest - 50}
    return on.company(
        state,
        "CR",
        held,
        at=(0, 4),
        share=5,
        president=where,
        **{**places, **more},  # type: ignore[arg-type]
    )


@pytest.mark.rule("18GL 4.5.2")
def test_more_shares_than_the_president_make_another_president() -> None:
    """As many do not; he gives two shares for the certificate."""
    state = of({"Bob": 30, "Ann": 20})
    then = on.after(state, on.buy_treasury("IC"))
    assert then.presidents["IC"] == "Bob"
    state = of({"Bob": 30, "Ann": 30})
    (event,) = on.happened(state, on.buy_treasury("IC"), PresidentChanged)
    assert (event.old, event.new) == ("Bob", "Ann")
    then = on.after(state, on.buy_treasury("IC"))
    assert then.shares["IC"]["Ann"] == (20, 10, 10)
    assert then.shares["IC"]["Bob"] == (10, 10, 10)


@pytest.mark.rule("18GL 4.5.2")
@pytest.mark.parametrize(("seat", "heir"), [("Ann", "Bob"), ("Bob", "Cas"), ("Cas", "Dan")])
def test_of_several_the_next_in_turn_order_after_the_president_follows(
    seat: str, heir: str
) -> None:
    """Two others with two shares each."""
    others = [s for s in ("Bob", "Cas", "Dan") if s != seat][:2]
    state = of({seat: 20, others[0]: 20, others[1]: 20}, seat)
    then = on.after(state, on.sell(1, "IC", seat))
    assert then.presidents["IC"] == heir


@pytest.mark.rule("18GL 4.5.2")
def test_who_is_out_follows_nobody() -> None:
    """Bob is bankrupt and holds nothing; Cas follows."""
    state = replace(of({"Ann": 20, "Cas": 20}), out=("Bob",))
    assert on.after(state, on.sell(1, "IC")).presidents["IC"] == "Cas"


@pytest.mark.rule("18GL 4.5.1.2")
@pytest.mark.parametrize("where", ["CR", MARKET])
def test_the_certificate_is_bought_as_two_shares_where_it_lies(where: str) -> None:
    """For twice the price; its buyer presides."""
    state = acting({"Bob": 5, "Cas": 5}, where)
    on.refused(state, on.buy_presidency("CR", MARKET if where == "CR" else "CR"), "4.1.2")
    then = on.after(state, on.buy_presidency("CR", where))
    assert (then.shares["CR"]["Ann"], then.cash["Ann"]) == ((10,), state.cash["Ann"] - 220)
    assert then.cash["CR"] == (220 if where == "CR" else 0)
    assert then.presidents["CR"] == "Ann"
    on.refused(on.money(state, {"Ann": 219}), on.buy_presidency("CR", where), "4.1.2", "$220")
    assert then.shares["CR"]["Bob"] == (5,)


@pytest.mark.rule("18GL 4.5.1.2")
@pytest.mark.parametrize("where", ["CR", MARKET])
def test_a_second_share_brings_the_certificate_and_the_presidency(where: str) -> None:
    """Two shares go where the certificate was; who acted gets it in the same way."""
    state = acting({"Bob": 5, "Ann": 5}, where)
    then = on.after(state, on.buy_treasury("CR"))
    assert then.presidents["CR"] == "Ann"
    assert then.shares["CR"]["Ann"] == (10,)
    assert 10 not in then.shares["CR"][where]
    own = acting({"Ann": 5, "Bob": 5}, where)
    (event,) = on.happened(own, on.buy_treasury("CR"), PresidentChanged)
    assert (event.old, event.new) == ("Ann", "Ann")
    assert on.after(own, on.buy_treasury("CR")).shares["CR"]["Ann"] == (10,)


@pytest.mark.rule("18GL 4.5.1.2")
def test_one_share_each_leaves_who_acts_as_he_is() -> None:
    """A first share makes nobody president."""
    then = on.after(acting({"Bob": 5}), on.buy_treasury("CR"))
    assert (then.presidents["CR"], then.shares["CR"]["Ann"]) == ("Bob", (5,))


@pytest.mark.rule("18GL 4.5.1.2")
def test_the_next_shareholder_clockwise_acts_when_who_acted_sells_his_share() -> None:
    """Bob has none, so Cas acts, not Dan."""
    state = acting({"Ann": 5, "Cas": 5, "Dan": 5}, treasury=60, market=25)
    (event,) = on.happened(state, on.sell(1, "CR"), ActingPresident)
    assert (event.company, event.seat) == ("CR", "Cas")
    then = on.after(state, on.sell(1, "CR"))
    assert then.presidents["CR"] == "Cas"
    assert then.shares["CR"]["Cas"] == (5,)
    assert then.shares["CR"]["CR"][0] == 10


@pytest.mark.rule("18GL 4.5.1.2")
def test_the_last_share_with_a_player_is_not_sold() -> None:
    """Nor any into a market that is half full, or before CONRAIL has operated."""
    on.refused(acting({"Ann": 5}), on.sell(1, "CR"), "4.5.1.2", "nobody else")
    full = acting({"Ann": 5, "Bob": 5}, treasury=40, market=50)
    on.refused(full, on.sell(1, "CR"), "3.4", "50%")
    new = acting({"Ann": 5, "Bob": 5}, turns=0)
    on.refused(new, on.sell(1, "CR"), "4.1.1", "has not operated")


@pytest.mark.rule("18GL 4.5.1.2", "18GL 4.1.1", "18GL R45")
def test_before_conrail_has_operated_no_share_of_it_is_sold_in_its_own_emergency() -> None:
    """Neither by a president nor by who acts as one; of another company neither."""
    state = acting({"Ann": 5, "Bob": 5}, turns=0)
    turn = replace(state, stack=(OperatingTurn("CR"),))
    held = {"Ann": 30, "Bob": 20}
    president = on.company(on.phase(on.stock_turn(), "10H"), "CR", held, at=(0, 4), turns=0)
    president = replace(president, stack=(OperatingTurn("CR"),))
    other = replace(of({"Ann": 30, "Bob": 30}, turns=0), stack=(OperatingTurn("IC"),))
    for position, name in ((turn, "CR"), (president, "CR"), (other, "IC")):
        found = why_not_sell(on.table(position), "Ann", name, 1)
        assert found is not None
        assert found.rule == "18GL 4.1.1"


@pytest.mark.rule("18GL 4.5.1.2", "18GL 4.7.2", "18GL R45")
def test_who_acts_sells_the_one_share_in_the_need_of_others_only() -> None:
    """CONRAIL has operated: Ann keeps its share in its emergency, and may sell it in that of MR."""
    state = on.money(acting({"Ann": 5, "Bob": 5}, loans=2), {"Ann": 0})
    state = on.bonds(on.own(on.phase(state, "D"), OFFERING, "D"), {"CR": 0, "Bob": 10})
    own = on.operating(state, "CR", "trains")
    on.refused(own, on.sell(1, "CR"), "4.7.2", "presidency of CR")
    state = on.company(state, "MR", {"Ann": 60}, loans=2)
    assert on.allowed(on.operating(state, "MR", "trains"), on.sell(1, "CR"))


@pytest.mark.rule("18GL 4.5.2")
def test_conrails_president_gives_two_of_twenty_shares_for_its_certificate() -> None:
    """The certificate is worth ten percent then."""
    state = on.phase(on.stock_turn(seats=4), "10H")
    state = on.company(state, "CR", {"Bob": 15, "Ann": 15}, at=(0, 4), share=5, market=20)
    then = on.after(state, on.buy_treasury("CR"))
    assert then.presidents["CR"] == "Ann"
    assert then.shares["CR"]["Ann"] == (10, 5, 5)
    assert then.shares["CR"]["Bob"] == (5, 5, 5)
    turn = replace(state, stack=(StockRound("Bob", turns=2), StockTurn("Bob")))
    sold = on.after(turn, on.sell(3, "CR", "Bob"))
    assert (sold.presidents["CR"], sold.shares["CR"]["Ann"]) == ("Ann", (10, 5))
