"""18GA Appendix 1: its questions, answered by the engine."""

import pytest
from msgspec.structs import replace

from engine.actions import BuyShare, DiscardTrain, Dividend, GoBankrupt
from engine.events import DividendPaid, StationPlaced, TrainBought, TrainsRan
from engine.position.frames import StockTurn
from engine.position.values import CLOSED, MARKET, OFFERING, Ending, State, Station
from tests.rules.ga.setting import LINE, on, turn


def of(held: dict[str, int], *, number: int = 2, at: tuple[int, int] | None = None) -> State:
    """Ann's stock turn; players hold these shares of ACL at $90."""
    found: State = on.company(on.stock_turn(number=number), "ACL", held, at=at)
    return found


def buying(*trains: str, phase: str = "1", cash: int = 2000) -> State:
    """ACL at its train step, with a route."""
    return turn("ACL", "trains", *trains, laid=LINE, phase=phase, cash=cash)


@pytest.mark.rule("18GA A1 privates between players")
def test_privates_change_hands_between_players_at_any_agreed_price() -> None:
    """Six dollars for the M&B."""
    state = on.privates(on.stock_turn(), {"M&B": "Ann"})
    state = on.after(state, on.trade("M&B", "Ann", "Bob", 6), on.accept("Bob"))
    assert state.privates["M&B"] == "Bob"


@pytest.mark.rule("18GA A1 sixty percent float")
@pytest.mark.rule("18GA A1 full capitalisation")
@pytest.mark.parametrize("phase", ["1", "3", "5", "8"])
def test_60_percent_float_with_ten_times_par(phase: str) -> None:
    """In every phase."""
    state = on.phase(of({"Bob": 50}), phase)
    assert state.floated == ()
    now = on.after(state, on.buy("ACL"))
    assert (now.floated, now.cash["ACL"]) == (("ACL",), 900)


@pytest.mark.rule("18GA A1 time of the home station")
def test_home_station_at_the_first_turn_not_when_it_floats() -> None:
    """After the purchase none."""
    state = on.company(on.stock_turn(), "ACL", {"Bob": 50}, turns=0)
    floated = on.after(state, on.buy("ACL"))
    assert floated.stations == {}
    ended = on.after(floated, on.done(), on.done("Bob"), on.done("Cas"))
    assert on.happened(ended, on.done(), StationPlaced) == [StationPlaced("ACL", "J12", 0, True)]


@pytest.mark.rule("18GA A1 selling before a company operates")
def test_shares_of_a_company_that_never_operated_are_sold_after_the_first_round() -> None:
    """In round 2, not in round 1."""
    held = {"Ann": 40, "Bob": 20}
    assert on.allowed(of(held), on.sell(1, "ACL"))
    on.refused(of(held, number=1), on.sell(1, "ACL"), "3.2(a)(1)")


@pytest.mark.rule("18GA A1 half in the market")
def test_50_percent_in_the_open_market() -> None:
    """Five shares at once, not six."""
    state = of({"Ann": 60, "Bob": 20})
    assert on.allowed(state, on.sell(5, "ACL"))
    on.refused(state, on.sell(6, "ACL"), "3.2(a)(2)")


@pytest.mark.rule("18GA A1 buying then selling")
def test_a_share_bought_is_sold_in_the_same_turn() -> None:
    """The very company just bought."""
    state = on.after(of({"Bob": 30, "Ann": 20}), on.buy("ACL"), on.sell(1, "ACL"))
    assert on.percent(state, "ACL")["Ann"] == 20


@pytest.mark.rule("18GA A1 selling buying selling")
def test_no_sale_before_and_after_a_purchase() -> None:
    """After sale and purchase no other sale."""
    state = on.company(of({"Bob": 30, "Ann": 20}), "CoG", {"Bob": 30, "Ann": 20})
    state = on.after(state, on.sell(1, "ACL"), on.par("GA", 70))
    on.refused(state, on.sell(1, "CoG"), "3.2")


@pytest.mark.rule("18GA A1 order of sales")
def test_the_order_of_sales_stacks_the_tokens() -> None:
    """The one sold first lies on top."""
    state = on.company(of({"Bob": 30, "Ann": 20}), "CoG", {"Bob": 30, "Ann": 20})
    one = on.after(state, on.sell(1, "ACL"), on.sell(1, "CoG"))
    other = on.after(state, on.sell(1, "CoG"), on.sell(1, "ACL"))
    assert on.table(one).priced() == ["ACL", "CoG"]
    assert on.table(other).priced() == ["CoG", "ACL"]


@pytest.mark.rule("18GA A1 selling one by one")
def test_shares_sold_one_by_one_bring_less() -> None:
    """Two at once bring $180, one after the other $90 and $80."""
    state = of({"Ann": 40, "Bob": 20})
    assert on.after(state, on.sell(2, "ACL")).cash["Ann"] == 600 + 180
    assert on.after(state, on.sell(1, "ACL"), on.sell(1, "ACL")).cash["Ann"] == 600 + 170


@pytest.mark.rule("18GA A1 price protection")
def test_a_price_is_not_protected() -> None:
    """After a sale the price has fallen, and the next player merely has his turn."""
    state = on.after(of({"Bob": 40, "Ann": 20}), on.sell(2, "ACL"))
    assert on.price(state, "ACL") == 70
    assert on.waits_for(on.after(state, on.done())) == ("Bob",)


@pytest.mark.rule("18GA A1 yellow zone")
@pytest.mark.rule("18GA A1 privates count")
def test_yellow_shares_do_not_count_privates_do() -> None:
    """Five certificates at $50 yellow are none, two privates are two."""
    assert on.table(of({"Ann": 60}, at=(2, 0))).certificates("Ann") == 0
    assert on.table(of({"Ann": 60}, at=(1, 0))).certificates("Ann") == 5
    state = on.privates(on.stock_turn(), {"LT": "Ann", "M&B": "Ann"})
    assert on.table(state).certificates("Ann") == 2


@pytest.mark.rule("18GA A1 own stock")
@pytest.mark.rule("18GA A1 stock of others")
def test_companies_buy_no_stock() -> None:
    """There is no time in a company's turn at which a share can be bought."""
    for step in ("track", "token", "run", "trains"):
        state = on.company(turn("ACL", step, "2", laid=LINE), "CoG", {"Bob": 40}, market=20)
        state = on.operating(state, "ACL", step)
        for name in ("ACL", "CoG"):
            act = BuyShare(by="Ann", company=name, source="open market")
            on.refused(state, act, "3, 4")


@pytest.mark.rule("18GA A1 replacing without new track")
def test_a_tile_is_replaced_without_connected_new_track_only_with_a_city() -> None:
    """Brunswick gains track to the north only; H10 gains none that ACL reaches."""
    assert on.allowed(turn("ACL", laid=LINE, phase="3"), on.lay("ACL", "14", "I11", 2))
    state = turn("ACL", laid="I11 57 2,H10 9 2", phase="3")
    on.refused(on.station(state, "CoG", "I11"), on.lay("ACL", "23", "H10", 2), "4.2.1(j)")
    apart = turn("ACL", laid="I11 57 2,H10 9 2", phase="3")
    crossing = on.lay("ACL", "20", "H10", 2)
    on.refused(apart, crossing, "4.2.1(j)")


@pytest.mark.rule("18GA A1 privates block")
def test_privates_of_players_bar_their_hexes_but_for_two() -> None:
    """Not the Lexington, which lies nowhere, and not the Waycross & Southern."""
    state = turn("CoG", laid="F6 57 1", owns={"M&B": "Bob", "LT": "Bob", "W&S": "Bob"})
    on.refused(state, on.lay("CoG", "9", "F4", 1), "4.2.1(k)", "M&B")
    barring = {p for private in on.title.barred.values() for p in private}
    assert barring == {"MRC", "OSR", "M&B"}


@pytest.mark.rule("18GA A1 Waycross without a tile")
def test_a_station_in_waycross_before_a_tile_lets_the_company_lay_there_later() -> None:
    """On a later turn, for in this one the tiles are over."""
    state = turn("CoG", "token", owns={"W&S": "CoG"})
    lay = on.lay("CoG", "57", "I9")
    on.refused(on.operating(state, "CoG"), lay, "4.2.1(j)")
    state = on.after(state, on.token("CoG", "I9", power="W&S"))
    assert state.stations["I9"] == (Station("CoG", 0),)
    on.refused(state, lay, "3, 4")
    assert on.allowed(on.operating(state, "CoG"), lay)


@pytest.mark.rule("18GA A1 towns to cities")
@pytest.mark.rule("18GA A1 towns to plain track")
def test_towns_stay_towns() -> None:
    """No city and no plain track on Milledgeville's tile."""
    state = turn("CoG", laid="F6 57 0,E7 4 0", phase="3")
    on.refused(state, on.lay("CoG", "14", "E7"), "4.2.1(d)")
    on.refused(state, on.lay("CoG", "23", "E7"), "4.2.1(e)")
    assert on.allowed(state, on.lay("CoG", "141", "E7"))


def earns(state: State, *routes: tuple[str, str]) -> int:
    (ran,) = on.happened(state, on.run("ACL", *routes), TrainsRan)
    revenue: int = ran.revenue
    return revenue


@pytest.mark.rule("18GA A1 towns and length")
@pytest.mark.rule("18GA A1 towns at the ends")
def test_towns_do_not_count_and_pay_at_the_ends() -> None:
    """A 2 from Jacksonville by Brunswick to Statesboro: $30, $20 and $10."""
    state = turn("ACL", "run", "2", laid="I11 57 2,H10 8 3,G11 4 0")
    assert earns(state, ("2", "J12-I11-H10-G11")) == 60


@pytest.mark.rule("18GA A1 better run pointed out")
def test_a_shareholder_may_have_the_better_run() -> None:
    """Bob with a share may, Cas without may not."""
    state = turn("ACL", "run", "3", laid=LINE, held={"Ann": 50, "Bob": 10})
    worse = on.run("ACL", ("3", "J12-I11"))
    on.refused(replace(state, insist=("Bob",)), worse, "4.2.3.1", "$70")
    assert on.allowed(replace(state, insist=("Cas",)), worse)


@pytest.mark.rule("18GA A1 half dividends")
def test_all_is_paid_or_all_is_withheld() -> None:
    """There are two choices."""
    state = replace(turn("ACL", "dividend", "2"), earned={"ACL": 60})
    assert [d.kind for d in on.offered(state, "Ann", Dividend)] == ["pay", "withhold"]
    assert on.after(state, on.pay("ACL")).cash["ACL"] == 500
    assert on.after(state, on.withhold("ACL")).cash["ACL"] == 560


@pytest.mark.rule("18GA A1 offering and dividends")
@pytest.mark.rule("18GA A1 market and dividends")
def test_the_market_pays_the_company_the_offering_does_not() -> None:
    """30% in the market, 10% in the offering: $30 of $100 for ACL."""
    state = on.company(on.stock_turn(), "ACL", {"Ann": 60}, market=30)
    state = replace(on.operating(state, "ACL", "dividend"), earned={"ACL": 100})
    assert on.happened(state, on.pay("ACL"), DividendPaid) == [
        DividendPaid("ACL", 100, {"Ann": 60, "ACL": 30})
    ]


@pytest.mark.rule("18GA A1 connection bonuses")
@pytest.mark.rule("18GA A1 destination runs")
def test_connections_and_destinations_pay_nothing() -> None:
    """A tile and a station cost what they cost, a run earns its stops."""
    state = turn("ACL", "track", "2", laid="I11 57 2,H10 7 5")
    laid = on.after(state, on.lay("ACL", "57", "I9"))
    assert laid.cash["ACL"] == 500
    assert on.after(laid, on.token("ACL", "I9")).cash["ACL"] == 460
    assert all(not company.objective for company in on.title.facts.company)


@pytest.mark.rule("18GA A1 companies never close")
def test_no_company_closes() -> None:
    """At the lowest price, without money or train, ACL still has its turn."""
    state = on.company(on.stock_turn(), "ACL", {"Ann": 60}, at=(6, 0))
    state = on.after(on.operating_round(state), on.done())
    assert (on.price(state, "ACL"), state.floated) == (30, ("ACL",))
    again = on.after(state, on.done(), on.done("Bob"), on.done("Cas"))
    assert on.waits_for(again) == ("Ann",)
    assert again.round.kind == "OR"


@pytest.mark.rule("18GA A1 privates stay open")
def test_privates_stay_until_the_first_5() -> None:
    """In phase 4 all still pay; used powers close none."""
    state = on.privates(buying(phase="4"), dict.fromkeys(on.title.privates, "ACL"))
    state = replace(on.own(state, OFFERING, "4", "5", "6"), spent=("MRC", "W&S"))
    now = on.after(state, on.buy_train("ACL", "4", 300))
    assert set(now.privates.values()) == {"ACL"}
    assert set(on.after(now, on.buy_train("ACL", "5", 450)).privates.values()) == {CLOSED}


@pytest.mark.rule("18GA A1 several trains a turn")
def test_several_trains_of_the_bank_from_the_first_4_on() -> None:
    """In the very turn of the first 4; not before."""
    state = on.privates(on.own(buying(phase="3"), OFFERING, "3", "4", "4"), {"LT": "Ann"})
    one = on.after(state, on.buy_train("ACL", "3", 180))
    on.refused(one, on.buy_train("ACL", "4", 300), "4.2.5(f)")
    two = on.after(on.own(state, OFFERING, "4", "4"), on.buy_train("ACL", "4", 300))
    assert on.allowed(two, on.buy_train("ACL", "4", 300))


@pytest.mark.rule("18GA A1 trains of others before the 3")
@pytest.mark.rule("18GA A1 price of a train")
def test_companies_trade_trains_before_the_first_3_and_the_price_is_told() -> None:
    """In phase 2, for $77."""
    state = on.company(buying(phase="2"), "CoG", {"Ann": 60}, trains=("2",))
    state = on.operating(state, "ACL", "trains")
    assert on.happened(state, on.buy_train("ACL", "2", 77, "CoG"), TrainBought) == [
        TrainBought("ACL", "2", "CoG", 77)
    ]


@pytest.mark.rule("18GA A1 removal of obsolete trains")
def test_obsolete_trains_go_at_once() -> None:
    """The 4 trains of all with the first 8; no train has a last run."""
    state = on.company(buying("4", phase="6"), "CoG", {"Bob": 60}, trains=("4",))
    state = on.own(on.operating(state, "ACL", "trains"), OFFERING, "8", "8")
    state = on.after(state, on.buy_train("ACL", "8", 800))
    assert (state.trains["ACL"], state.trains["CoG"]) == (("8",), ())
    assert all(not train.obsolete_on for train in on.title.facts.train)


@pytest.mark.rule("18GA A1 trading trains in")
def test_no_train_is_traded_in() -> None:
    """A 3 costs a company with a 2 its full price, and the 2 stays."""
    state = on.own(buying("2", phase="3"), OFFERING, "3", "3")
    on.refused(state, on.buy_train("ACL", "3", 80), "4.2.5(c)", "$180")
    assert on.after(state, on.buy_train("ACL", "3", 180)).trains["ACL"] == ("2", "3")


@pytest.mark.rule("18GA A1 paying to be rid of a train")
def test_no_train_is_given_up() -> None:
    """Not for money and not for nothing."""
    act = DiscardTrain(by="Ann", company="ACL", train="2")
    on.refused(buying("2"), act, "3, 4")


@pytest.mark.rule("18GA A1 number of 8 trains")
def test_five_8_trains() -> None:
    """After the fifth there is none."""
    assert on.opening().trains[OFFERING].count("8") == 5
    state = on.own(buying(phase="8"), OFFERING, "8")
    state = on.operating(on.after(state, on.buy_train("ACL", "8", 800)), "ACL", "trains")
    on.refused(state, on.buy_train("ACL", "8", 800), "4.2.5(b)", "sold")


@pytest.mark.rule("18GA A1 players' money")
@pytest.mark.rule("18GA A1 companies' money")
def test_money_of_players_and_companies_is_public() -> None:
    """The one position that all see has both."""
    state = on.company(on.stock_turn(), "ACL", {"Ann": 60}, cash=123)
    assert (state.cash["Bob"], state.cash["ACL"]) == (600, 123)


@pytest.mark.rule("18GA A1 cheapest train when forced")
def test_the_cheapest_is_bought_if_the_president_pays() -> None:
    """The 3 of the market, not the new 4; with the company's own money either."""
    poor = on.own(buying(phase="4", cash=50), MARKET, "3")
    on.refused(poor, on.buy_train("ACL", "4", 300), "4.2.5.1(a)", "3")
    assert on.allowed(poor, on.buy_train("ACL", "3", 180, MARKET))
    rich = on.own(buying(phase="4", cash=300), MARKET, "3")
    assert on.allowed(rich, on.buy_train("ACL", "4", 300))


@pytest.mark.rule("18GA A1 end in a stock round")
def test_the_game_never_ends_in_a_stock_round() -> None:
    """The bank breaks in one: it is finished, and an operating round follows."""
    state = of({"Bob": 50})
    state = on.money(state, {"Cas": state.cash["Cas"] + state.cash["bank"] - 100})
    state = on.after(state, on.buy("ACL"))
    assert isinstance(state.stack[-1], StockTurn)
    state = on.after(state, on.done(), on.done("Bob"), on.done("Cas"), on.done())
    assert state.round.kind == "OR"


@pytest.mark.rule("18GA A1 end within a set")
def test_the_game_ends_within_a_set_of_operating_rounds() -> None:
    """Bank and price: after the round that is on. Bankruptcy: at once."""
    for cause in ("bank", "price"):
        state = on.company(on.stock_turn(), "ACL", {"Ann": 60})
        state = replace(on.operating(state, "ACL", part=1, parts=3), ending=Ending(cause, 0))
        assert on.after(state, on.done()).stack == ()
    poor = on.company(on.phase(on.stock_turn(), "8"), "ACL", {"Ann": 20, "Bob": 20, "Cas": 20})
    poor = on.operating(on.tiles(poor, LINE), "ACL", "trains", part=1, parts=3)
    poor = on.money(poor, {"Ann": 0})
    assert on.after(poor, GoBankrupt(by="Ann", company="ACL")).stack == ()
