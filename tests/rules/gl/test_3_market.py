"""18GL 1.2 and 3: what everybody begins with, zones, starting values, limits, prices."""

import pytest
from msgspec.structs import replace

from engine.events import PriceMoved, PrivateDrawn
from engine.flow import new_game
from engine.position.values import CLOSED, MARKET, OFFERING, State
from tests.rules.gl.setting import on


def of(held: dict[str, int], **more: object) -> State:
    """Ann's stock turn; players hold these shares of IC."""
    return on.company(on.stock_turn(), "IC", held, **more)  # type: ignore[arg-type]


@pytest.mark.rule("18GL Table 1")
@pytest.mark.rule("18GL Table 3")
@pytest.mark.rule("18GL 1.2")
@pytest.mark.rule("18GL 3.4")
@pytest.mark.parametrize(
    ("count", "cash", "limit"),
    [(2, 1200, 28), (3, 800, 20), (4, 600, 16), (5, 480, 13), (6, 400, 11)],
)
def test_two_to_six_players_and_what_they_begin_with(count: int, cash: int, limit: int) -> None:
    """Tables 1 and 3."""
    state = on.opening(count)
    assert [state.cash[seat] for seat in state.seats] == [cash] * count
    assert sum(state.cash.values()) == 12000
    assert on.table(state).certificate_limit() == limit


@pytest.mark.rule("18GL 4.3(3)")
@pytest.mark.rule("18GL 1.2")
def test_lot_takes_one_of_the_three_privates_of_fifty_dollars() -> None:
    """Each is drawn by some seed; two are out of the game."""
    three = {"Bridge", "Tunnel", "Terminal"}
    found = set()
    for seed in range(20):
        outcome = new_game(on.GL, ["Ann", "Bob", "Cas"], seed)
        owners = outcome.state.privates
        (drawn,) = (p for p in three if owners[p] == OFFERING)
        assert {p for p in three if owners[p] == CLOSED} == three - {drawn}
        assert PrivateDrawn in [type(event) for event in outcome.events]
        found.add(drawn)
    assert found == three
    assert len(on.table(on.opening()).unsold()) == 9


@pytest.mark.rule("18GL 3.3")
@pytest.mark.rule("18GL 3.1")
@pytest.mark.parametrize(
    ("phase", "values", "missing"),
    [
        ("2H", (60, 70, 75, 80, 90, 100), {140: "6H", 200: "phase E"}),
        ("4H", (60, 100), {140: "6H", 200: "phase E"}),
        ("6H", (60, 100, 140), {200: "phase E"}),
        ("10H", (60, 140), {200: "phase E"}),
        ("E", (60, 140, 200), {}),
    ],
)
def test_starting_values_grow_with_the_phases(
    phase: str, values: tuple[int, ...], missing: dict[int, str]
) -> None:
    """140 from 6H on, 200 from E on; and nothing that is not marked."""
    state = on.phase(on.stock_turn(), phase)
    for value in values:
        assert on.allowed(state, on.par("IC", value))
        assert on.price(on.after(state, on.par("IC", value)), "IC") == value
    for value, words in missing.items():
        on.refused(state, on.par("IC", value), "3.3", words, "$60")
    on.refused(state, on.par("IC", 110), "3.3", "not a par value")
    offered = {action.price for action in on.offered(state, "Ann", type(on.par("IC", 60)))}
    assert set(values) <= offered and not set(missing) & offered


@pytest.mark.rule("18GL 3.3")
@pytest.mark.rule("18GL 4.1.3")
def test_a_token_is_put_under_those_that_are_on_its_starting_value() -> None:
    """Who came first is on top and operates first."""
    state = on.company(on.stock_turn(), "MR", {"Bob": 20}, par=80, offering=80)
    then = on.after(state, on.par("IC", 80))
    assert on.table(then).priced() == ["MR", "IC"]


@pytest.mark.rule("18GL 3.2")
@pytest.mark.rule("18GL 3.4")
def test_yellow_certificates_bonds_and_privates_are_outside_the_certificate_limit() -> None:
    """Ann has the twenty certificates of three players in the white zone, and more besides."""
    state = full()
    table = on.table(state)
    assert (table.certificates("Ann"), table.certificate_limit()) == (20, 20)
    on.refused(state, on.buy_treasury("LS&I"), "3.4", "20 certificates")
    on.refused(state, on.par("GT", 60), "3.4")
    yellow = on.company(state, "GT", {"Bob": 20}, at=(7, 3))
    assert on.allowed(yellow, on.buy_treasury("GT"))
    assert on.table(on.after(yellow, on.buy_treasury("GT"))).certificates("Ann") == 20
    bonded = on.bonds(on.privates(state, {"C&E": "Ann"}), {"Ann": 3, MARKET: 1})
    assert on.table(bonded).certificates("Ann") == 20
    assert on.allowed(bonded, on.buy_bond())


def full() -> State:
    """Ann with twenty certificates, and a share of LS&I for sale."""
    state = on.money(on.stock_turn(), {"Ann": 2000})
    for name in ("IC", "MR", "NPR", "MON"):
        state = on.company(state, name, {"Ann": 60}, at=(1, 4))
    return on.company(state, "LS&I", {"Bob": 20})


@pytest.mark.rule("18GL 3.4")
def test_nobody_holds_more_than_sixty_percent() -> None:
    """Nor buys a certificate that would bring him there, even for a moment."""
    state = of({"Ann": 60})
    on.refused(state, on.buy_treasury("IC"), "3.4", "60%")
    assert on.allowed(of({"Ann": 50}), on.buy_treasury("IC"))


@pytest.mark.rule("18GL 3.4")
def test_the_open_market_takes_half_of_a_company() -> None:
    """The treasury may hold more; a market over it takes nothing at all."""
    state = of({"Bob": 30, "Ann": 30}, market=40)
    on.refused(state, on.sell(2, "IC"), "3.4", "50%", "`sell 1 IC`")
    assert on.allowed(state, on.sell(1, "IC"))
    on.refused(of({"Bob": 20, "Ann": 20}, market=60), on.sell(1, "IC"), "3.4", "has 60%")
    assert on.allowed(of({"Bob": 20, "Ann": 20}, treasury=60), on.sell(2, "IC"))


@pytest.mark.rule("18GL 3.4")
def test_the_presidents_certificate_is_never_sold() -> None:
    """It goes to another player who has two shares, and to nobody else."""
    alone = of({"Ann": 20, "Bob": 10})
    on.refused(alone, on.sell(1, "IC"), "3.4", "nobody else could preside")
    on.refused(alone, on.sell(2, "IC"), "3.4", "nobody else could preside")
    on.refused(of({"Ann": 30, "Bob": 10}), on.sell(2, "IC"), "3.4", "`sell 1 IC`")
    then = on.after(of({"Ann": 20, "Bob": 20}), on.sell(2, "IC"))
    assert then.presidents["IC"] == "Bob"
    assert then.shares["IC"]["Bob"] == (20,)
    assert then.shares["IC"][MARKET] == (10, 10)


@pytest.mark.rule("18GL 3.5")
@pytest.mark.parametrize(
    ("start", "shares", "end"), [((0, 3), 2, (2, 3)), ((0, 3), 1, (1, 3)), ((6, 3), 3, (7, 3))]
)
def test_every_share_sold_is_one_row_down_as_far_as_the_column_goes(
    start: tuple[int, int], shares: int, end: tuple[int, int]
) -> None:
    """The price paid is that of before."""
    state = of({"Bob": 40, "Ann": 30}, at=start)
    price = on.price(state, "IC")
    then = on.after(state, on.sell(shares, "IC"))
    assert on.table(then).cell("IC") == end
    assert then.cash["Ann"] == state.cash["Ann"] + shares * price


@pytest.mark.rule("18GL 3.5")
@pytest.mark.rule("18GL 4.1.4")
@pytest.mark.parametrize(
    ("start", "end"), [((1, 3), (0, 3)), ((0, 3), (0, 3)), ((7, 0), (6, 0)), ((1, 14), (0, 14))]
)
def test_sold_out_is_one_row_up_and_stays_in_the_top_row(
    start: tuple[int, int], end: tuple[int, int]
) -> None:
    """With all shares in players' hands."""
    state = on.end_of_round(of({"Ann": 60, "Bob": 40}, at=start))
    then = on.after(state, on.done())
    assert on.table(then).cell("IC") == end


@pytest.mark.rule("18GL 3.5")
@pytest.mark.parametrize(
    "where", [{"treasury": 10}, {"market": 10, "treasury": 0}, {"offering": 10, "treasury": 0}]
)
def test_a_share_in_the_treasury_or_the_market_keeps_the_price_down(
    where: dict[str, int],
) -> None:
    """Players must hold all; before a company floats its shares are with it too (1.2)."""
    state = on.end_of_round(of({"Ann": 50, "Bob": 40}, at=(1, 3), **where))
    assert not on.happened(state, on.done(), PriceMoved)


@pytest.mark.rule("18GL R4")
@pytest.mark.rule("18GL 3.5")
def test_sold_out_prices_rise_in_operating_order() -> None:
    """So who operated first lies on top where two meet."""
    state = on.company(on.stock_turn(), "MR", {"Ann": 60, "Bob": 40}, at=(1, 3))
    state = on.company(state, "IC", {"Ann": 60, "Bob": 40}, at=(1, 4))
    moves = on.happened(on.end_of_round(state), on.done(), PriceMoved)
    assert [move.company for move in moves] == ["IC", "MR"]


@pytest.mark.rule("18GL R5")
@pytest.mark.rule("18GL 3.5")
def test_arrows_lead_up_at_the_end_of_a_row_and_down_at_its_beginning() -> None:
    """Where there is none the step is lost; a token that stays keeps its place in the stack."""
    chart = on.GL.chart
    assert chart.right((7, 3)) == (6, 3)
    assert chart.right(chart.right((6, 3))) == (5, 4)
    assert chart.right((0, 17)) == (0, 17)
    assert chart.left((0, 0)) == (1, 0)
    assert chart.left((7, 0)) == (7, 0)
    state = on.company(on.stock_turn(), "MR", {"Bob": 40, "Ann": 20}, at=(7, 3))
    state = on.company(state, "IC", {"Bob": 20}, at=(7, 3))
    assert on.table(on.after(state, on.sell(1, "MR"))).priced() == ["MR", "IC"]


@pytest.mark.rule("18GL 3.4")
def test_a_share_of_twenty_is_worth_its_price_as_well() -> None:
    """The percentage tells what is paid, the number of shares what is bought and sold."""
    state = on.phase(on.stock_turn(), "10H")
    state = on.company(state, "CR", {"Bob": 20, "Ann": 15}, at=(0, 4), share=5, treasury=40, cash=0)
    assert state.shares["CR"]["Bob"] == (10, 5, 5)
    then = on.after(state, on.sell(2, "CR"))
    assert then.cash["Ann"] == state.cash["Ann"] + 220
    assert then.shares["CR"]["Ann"] == (5,)
    assert on.table(then).cell("CR") == (2, 4)
    bought = on.after(replace(state, sold={}), on.buy_treasury("CR"))
    assert (bought.shares["CR"]["Ann"], bought.cash["CR"]) == ((5, 5, 5, 5), 110)
