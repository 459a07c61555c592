"""18AL Appendix 1: its questions, answered by the engine."""

import pytest
from msgspec.structs import replace

from engine.actions import BuyShare, DiscardTrain, GoBankrupt
from engine.events import BonusPaid, DividendPaid, StationPlaced, TrainBought, TrainsRan
from engine.position.frames import StockTurn
from engine.position.values import CLOSED, MARKET, OFFERING, Ending, State
from tests.rules import setting as on

LINE = "C4 57 0,E4 9 0,G4 441a 3"


def of(name: str, held: dict[str, int], *, number: int = 2) -> State:
    """Ann's stock turn; players hold these shares of one company at $90."""
    return on.company(on.stock_turn(number=number), name, held)


def line(
    step: str, *trains: str, laid: str = LINE, phase: str = "1", cash: int = 500, bob: int = 0
) -> State:
    """L&N's turn with track from Nashville to Birmingham."""
    held = {"Ann": 60, "Bob": bob} if bob else {"Ann": 60}
    state = on.company(on.phase(on.stock_turn(), phase), "L&N", held, trains=trains, cash=cash)
    return on.operating(on.tiles(state, laid), "L&N", step)


@pytest.mark.rule("18AL A1 privates between players")
def test_privates_change_hands_between_players_at_any_agreed_price() -> None:
    """Six dollars for a private of $120, both agreeing."""
    state = on.privates(on.stock_turn(), {"NDY": "Ann"})
    state = on.after(state, on.trade("NDY", "Ann", "Bob", 6), on.accept("Bob"))
    assert state.privates["NDY"] == "Bob"


@pytest.mark.rule("18AL A1 sixty percent float")
def test_60_percent_float_a_company_in_every_phase() -> None:
    """From the first phase to the last."""
    for phase in ("1", "3", "5", "4D"):
        state = on.phase(of("L&N", {"Bob": 50}), phase)
        assert state.floated == ()
        assert on.after(state, on.buy("L&N")).floated == ("L&N",)


@pytest.mark.rule("18AL A1 full capitalisation")
def test_floating_brings_ten_times_par() -> None:
    """$900 at a par of $90."""
    assert on.after(of("L&N", {"Bob": 50}), on.buy("L&N")).cash["L&N"] == 900


@pytest.mark.rule("18AL A1 time of the home station")
def test_home_station_at_the_first_turn_not_when_it_floats() -> None:
    """After the purchase none, at the first operating turn one."""
    state = on.company(on.stock_turn(), "L&N", {"Bob": 50}, turns=0)
    floated = on.after(state, on.buy("L&N"))
    assert floated.stations == {}
    ended = on.after(floated, on.done(), on.done("Bob"), on.done("Cas"))
    assert on.happened(ended, on.done(), StationPlaced) == [StationPlaced("L&N", "A4", 0, True)]


@pytest.mark.rule("18AL A1 selling before a company operates")
def test_shares_of_a_company_that_never_operated_are_sold_after_the_first_round() -> None:
    """In round 2, not in round 1."""
    held = {"Ann": 40, "Bob": 20}
    assert on.allowed(of("L&N", held), on.sell(1, "L&N"))
    on.refused(of("L&N", held, number=1), on.sell(1, "L&N"), "3.2(a)(1)")


@pytest.mark.rule("18AL A1 half in the market")
def test_50_percent_in_the_open_market() -> None:
    """Five shares at once, not six."""
    state = of("L&N", {"Ann": 60, "Bob": 20})
    assert on.allowed(state, on.sell(5, "L&N"))
    on.refused(state, on.sell(6, "L&N"), "3.2(a)(2)")


@pytest.mark.rule("18AL A1 buying then selling")
def test_a_share_bought_is_sold_in_the_same_turn() -> None:
    """The very company just bought."""
    state = on.after(of("L&N", {"Bob": 30, "Ann": 20}), on.buy("L&N"), on.sell(1, "L&N"))
    assert on.percent(state, "L&N")["Ann"] == 20


@pytest.mark.rule("18AL A1 selling buying selling")
def test_no_sale_before_and_after_a_purchase() -> None:
    """After sale and purchase no other sale."""
    state = on.company(of("L&N", {"Bob": 30, "Ann": 20}), "TAG", {"Bob": 30, "Ann": 20}, par=60)
    state = on.after(state, on.sell(1, "L&N"), on.par("WRA", 60))
    on.refused(state, on.sell(1, "TAG"), "3.2")


@pytest.mark.rule("18AL A1 order of sales")
def test_the_order_of_sales_stacks_the_tokens() -> None:
    """L&N and TAG fall into one space; the one sold first lies on top."""
    state = on.company(on.stock_turn(), "L&N", {"Bob": 30, "Ann": 20}, at=(0, 4))
    state = on.company(state, "TAG", {"Bob": 30, "Ann": 20}, at=(0, 4))
    one = on.after(state, on.sell(1, "L&N"), on.sell(1, "TAG"))
    other = on.after(state, on.sell(1, "TAG"), on.sell(1, "L&N"))
    assert on.table(one).priced() == ["L&N", "TAG"]
    assert on.table(other).priced() == ["TAG", "L&N"]


@pytest.mark.rule("18AL A1 selling one by one")
def test_shares_sold_one_by_one_bring_less() -> None:
    """Two at once bring $180, one after the other $90 and $80."""
    state = of("L&N", {"Ann": 40, "Bob": 20})
    assert on.after(state, on.sell(2, "L&N")).cash["Ann"] == 600 + 180
    assert on.after(state, on.sell(1, "L&N"), on.sell(1, "L&N")).cash["Ann"] == 600 + 170


@pytest.mark.rule("18AL A1 price protection")
def test_a_price_is_not_protected() -> None:
    """After a sale the price has fallen, and the next player merely has his turn."""
    state = of("L&N", {"Bob": 40, "Ann": 20})
    state = on.after(state, on.sell(2, "L&N"))
    assert on.price(state, "L&N") == 75
    assert on.waits_for(on.after(state, on.done())) == ("Bob",)


@pytest.mark.rule("18AL A1 yellow zone")
def test_shares_in_the_yellow_zone_do_not_count() -> None:
    """Six certificates at $50 yellow are none."""
    state = on.company(on.stock_turn(), "L&N", {"Ann": 60}, at=(2, 0))
    assert on.table(state).certificates("Ann") == 0
    state = on.company(on.stock_turn(), "L&N", {"Ann": 60}, at=(1, 0))
    assert on.table(state).certificates("Ann") == 5


@pytest.mark.rule("18AL A1 privates count")
def test_privates_of_players_count() -> None:
    """Two privates, two certificates."""
    assert (
        on.table(on.privates(on.stock_turn(), {"TR": "Ann", "NDY": "Ann"})).certificates("Ann") == 2
    )


@pytest.mark.rule("18AL A1 own stock")
@pytest.mark.rule("18AL A1 stock of others")
def test_companies_buy_no_stock() -> None:
    """In its turn a company is offered no share of any company, and its president buys none."""
    state = on.company(line("trains", "2"), "TAG", {"Bob": 50}, market=30, par=60)
    state = on.operating(state, "L&N", "trains")
    assert on.offered(state, "Ann", BuyShare) == []
    for act in (on.buy("L&N"), on.buy_used("TAG")):
        on.refused(state, act, "3, 4", "buys trains")


@pytest.mark.rule("18AL A1 replacing without new track")
def test_a_plain_tile_needs_connected_new_track_a_city_does_not() -> None:
    """E4's crossing line is not connected; Birmingham is, whatever its new track."""
    state = line("track", phase="3")
    on.refused(state, on.lay("L&N", "20", "E4"), "4.2.1(j)", "E4")
    assert on.allowed(state, on.lay("L&N", "442a", "G4", 0))


@pytest.mark.rule("18AL A1 gray Birmingham")
def test_gray_birmingham_comes_with_the_first_4d() -> None:
    """Not with the 7."""
    laid = "C4 57 0,E4 9 0,G4 444b 0"
    act = on.lay("L&N", "446", "G4")
    on.refused(line("track", laid=laid, phase="7"), act, "4.2.1(a)", "phase 7")
    state = on.operating(line("trains", laid=laid, phase="7", cash=900), "L&N", "trains")
    state = on.after(state, on.buy_train("L&N", "4D", 800))
    assert on.allowed(on.operating(state, "L&N"), act)


@pytest.mark.rule("18AL A1 privates block no hex")
def test_no_private_blocks_a_hex() -> None:
    """Players own all of them and the tiles of a new game are the same as without."""
    state = line("track", laid="B3 9 1")
    owned = on.privates(state, dict.fromkeys(on.AL.privates, "Bob"))
    act = type(on.lay("L&N", "57", "C4"))
    assert on.offered(owned, "Ann", act) == on.offered(state, "Ann", act)
    assert on.allowed(owned, on.lay("L&N", "57", "C4"))


@pytest.mark.rule("18AL A1 towns to cities")
def test_no_town_becomes_a_city() -> None:
    """A green city tile on Florence."""
    state = line("track", laid="B3 9 1,C2 4 1", phase="3")
    on.refused(state, on.lay("L&N", "14", "C2", 1), "4.2.1(d)", "Florence")


@pytest.mark.rule("18AL A1 towns to plain track")
def test_no_town_becomes_plain_track() -> None:
    """A green plain tile on Florence."""
    state = line("track", laid="B3 9 1,C2 4 1", phase="3")
    on.refused(state, on.lay("L&N", "23", "C2", 1), "4.2.1(e)", "Florence")


@pytest.mark.rule("18AL A1 towns and length")
@pytest.mark.rule("18AL A1 towns at the ends")
def test_towns_before_the_first_and_after_the_last_city_count_money_not_length() -> None:
    """A 2 train from Rome's town by Gadsden and Birmingham to the Lumber Terminal's town: $10 and $20 more."""
    laid = "E6 15 1,F5 9 1,G4 442a 2,F3 8 5,G2 445 2"
    state = on.company(on.stock_turn(), "TAG", {"Ann": 60}, trains=("2",))
    state = on.operating(on.tiles(state, laid), "TAG", "run")
    (ran,) = on.happened(state, on.run("TAG", ("2", "D7-E6-F5-G4-F3-G2")), TrainsRan)
    assert ran.revenue == 10 + 30 + 30 + 20


@pytest.mark.rule("18AL A1 paying before the objective")
def test_the_station_is_paid_before_the_objective_pays() -> None:
    """$39 are not enough for $40, though $100 would follow."""
    on.refused(line("token", "2", cash=39), on.token("L&N", "G4"), "4.2.2", "$39")


@pytest.mark.rule("18AL A1 red areas and the 4D")
def test_red_areas_pay_a_4d_double() -> None:
    """Nashville 50 and Decatur 20, twice."""
    state = line("run", "4D", phase="4D")
    (ran,) = on.happened(state, on.run("L&N", ("4D", "A4-C4")), TrainsRan)
    assert ran.revenue == 2 * (50 + 20)


@pytest.mark.rule("18AL A1 better run pointed out")
def test_a_shareholder_may_have_the_better_run() -> None:
    """Bob with a share may, Cas without may not."""
    state = line("run", "3", bob=10)
    worse = on.run("L&N", ("3", "A4-C4"))
    on.refused(replace(state, insist=("Bob",)), worse, "4.2.3.1", "$70")
    assert on.allowed(replace(state, insist=("Cas",)), worse)


@pytest.mark.rule("18AL A1 half dividends")
def test_all_is_paid_or_all_is_withheld() -> None:
    """There are two choices: the whole revenue to the shares, or the whole to the treasury."""
    state = replace(line("dividend", "2"), earned={"L&N": 60})
    assert len(on.offered(state, "Ann", type(on.pay("L&N")))) == 2
    assert on.after(state, on.pay("L&N")).cash["L&N"] == 500
    assert on.after(state, on.withhold("L&N")).cash["L&N"] == 560


@pytest.mark.rule("18AL A1 offering and dividends")
@pytest.mark.rule("18AL A1 market and dividends")
def test_the_market_pays_the_company_the_offering_does_not() -> None:
    """30% in the market, 10% in the offering: $30 of $100 for L&N."""
    state = on.company(on.stock_turn(), "L&N", {"Ann": 60}, market=30)
    state = replace(on.operating(state, "L&N", "dividend"), earned={"L&N": 100})
    assert on.happened(state, on.pay("L&N"), DividendPaid) == [
        DividendPaid("L&N", 100, {"Ann": 60, "L&N": 30})
    ]


@pytest.mark.rule("18AL A1 connection bonuses")
def test_a_connection_pays_nothing_a_station_in_the_objective_does() -> None:
    """Track to Birmingham pays L&N nothing, its station $100."""
    state = line("track", laid="C4 57 0,E4 9 0")
    assert on.happened(state, on.lay("L&N", "441a", "G4", 3), BonusPaid) == []
    assert on.happened(line("token"), on.token("L&N", "G4"), BonusPaid) == [
        BonusPaid("L&N", "G4", 100)
    ]


@pytest.mark.rule("18AL A1 destination runs")
def test_a_run_to_the_objective_pays_its_stops_only() -> None:
    """Nashville, Decatur, Birmingham: $70 and no more."""
    state = line("run", "3")
    (ran,) = on.happened(state, on.run("L&N", ("3", "A4-C4-E4-G4")), TrainsRan)
    assert ran.revenue == 70
    assert on.after(state, on.run("L&N", ("3", "A4-C4-E4-G4"))).cash["L&N"] == 500


@pytest.mark.rule("18AL A1 companies never close")
def test_no_company_closes() -> None:
    """At the lowest price, without money or train, L&N still has its turn."""
    state = on.company(on.stock_turn(), "L&N", {"Ann": 60}, at=(6, 0))
    state = on.after(on.operating_round(state), on.done())
    assert (on.price(state, "L&N"), state.floated) == (30, ("L&N",))
    again = on.after(state, on.done(), on.done("Bob"), on.done("Cas"))
    assert on.waits_for(again) == ("Ann",)
    assert again.round.kind == "OR"


@pytest.mark.rule("18AL A1 privates stay open")
def test_privates_stay_until_the_first_5() -> None:
    """In phase 4 all still pay; only the power of the NDY closes it, and then the first 5 all."""
    state = on.privates(line("trains", phase="4", cash=2000), dict.fromkeys(on.AL.privates, "L&N"))
    state = on.own(state, OFFERING, "4", "5", "6")
    now = on.after(state, on.buy_train("L&N", "4", 150, power="NDY"))
    assert {p for p, owner in now.privates.items() if owner == CLOSED} == {"NDY"}
    assert set(on.after(now, on.buy_train("L&N", "5", 450)).privates.values()) == {CLOSED}


@pytest.mark.rule("18AL A1 several trains a turn")
def test_several_trains_of_the_bank_from_the_first_4_on() -> None:
    """In the very turn of the first 4; not before."""
    state = on.privates(
        on.own(line("trains", phase="3", cash=2000), OFFERING, "3", "4", "4"), {"TR": "Ann"}
    )
    one = on.after(state, on.buy_train("L&N", "3", 180))
    on.refused(one, on.buy_train("L&N", "4", 300), "4.2.5(f)")
    two = on.after(on.own(state, OFFERING, "4", "4"), on.buy_train("L&N", "4", 300))
    assert on.allowed(two, on.buy_train("L&N", "4", 300))


@pytest.mark.rule("18AL A1 trains of others before the 3")
def test_companies_trade_trains_before_the_first_3() -> None:
    """In phase 2."""
    state = on.company(line("trains", phase="2"), "TAG", {"Ann": 60}, trains=("2",), par=60)
    assert on.allowed(on.operating(state, "L&N", "trains"), on.buy_train("L&N", "2", 1, "TAG"))


@pytest.mark.rule("18AL A1 removal of obsolete trains")
def test_obsolete_trains_go_at_once_but_for_some_4_trains() -> None:
    """The 2 with the first 4; the 4 of another company after its next run."""
    state = on.company(
        line("trains", phase="3", cash=2000), "TAG", {"Bob": 60}, trains=("2", "4"), par=60
    )
    state = on.own(on.operating(state, "L&N", "trains"), OFFERING, "4", "7", "4D")
    state = on.after(state, on.buy_train("L&N", "4", 300))
    assert state.trains["TAG"] == ("4",)
    state = on.after(state, on.buy_train("L&N", "7", 700))
    assert (state.trains["L&N"], state.trains["TAG"]) == (("7",), ("4",))


@pytest.mark.rule("18AL A1 trading trains in")
def test_no_train_is_traded_in() -> None:
    """A 3 costs a company with a 2 its full price, and the 2 stays."""
    state = on.own(line("trains", "2", phase="3"), OFFERING, "3", "3")
    on.refused(state, on.buy_train("L&N", "3", 80), "4.2.5(c)", "$180")
    assert on.after(state, on.buy_train("L&N", "3", 180)).trains["L&N"] == ("2", "3")


@pytest.mark.rule("18AL A1 paying to be rid of a train")
def test_no_train_is_given_up() -> None:
    """Not for money and not for nothing."""
    act = DiscardTrain(by="Ann", company="L&N", train="2")
    on.refused(line("trains", "2"), act, "3, 4")


@pytest.mark.rule("18AL A1 number of 4D trains")
def test_five_4d_trains() -> None:
    """After the fifth there is none."""
    state = on.own(line("trains", phase="4D", cash=2000), OFFERING, "4D")
    state = on.after(state, on.buy_train("L&N", "4D", 800))
    assert on.opening().trains[OFFERING].count("4D") == 5
    assert state.trains[OFFERING] == ()
    again = on.operating(state, "L&N", "trains")
    on.refused(again, on.buy_train("L&N", "4D", 800), "4.2.5(b)", "sold")


@pytest.mark.rule("18AL A1 players' money")
@pytest.mark.rule("18AL A1 companies' money")
def test_money_of_players_and_companies_is_public() -> None:
    """The one position that all see has both."""
    state = on.company(on.stock_turn(), "L&N", {"Ann": 60}, cash=123)
    assert (state.cash["Bob"], state.cash["L&N"]) == (600, 123)


@pytest.mark.rule("18AL A1 price of a train")
def test_the_price_of_a_train_is_disclosed() -> None:
    """Every purchase is told with its price."""
    state = on.company(line("trains"), "TAG", {"Ann": 60}, trains=("2",), par=60)
    state = on.operating(state, "L&N", "trains")
    assert on.happened(state, on.buy_train("L&N", "2", 77, "TAG"), TrainBought) == [
        TrainBought("L&N", "2", "TAG", 77)
    ]


@pytest.mark.rule("18AL A1 cheapest train when forced")
def test_the_cheapest_is_bought_if_the_president_pays() -> None:
    """The 3 of the market, not the new 4; with the company's own money either."""
    poor = on.own(line("trains", phase="4", cash=50), MARKET, "3")
    on.refused(poor, on.buy_train("L&N", "4", 300), "4.2.5.2(a)", "3")
    assert on.allowed(poor, on.buy_train("L&N", "3", 180, MARKET))
    rich = on.own(line("trains", phase="4", cash=300), MARKET, "3")
    assert on.allowed(rich, on.buy_train("L&N", "4", 300))


@pytest.mark.rule("18AL A1 end in a stock round")
def test_the_game_never_ends_in_a_stock_round() -> None:
    """The bank breaks in one: it is finished, and an operating round follows."""
    state = of("L&N", {"Bob": 50})
    state = on.money(state, {"Cas": state.cash["Cas"] + state.cash["bank"] - 100})
    state = on.after(state, on.buy("L&N"))
    assert isinstance(state.stack[-1], StockTurn)
    state = on.after(state, on.done(), on.done("Bob"), on.done("Cas"), on.done())
    assert state.round.kind == "OR"


@pytest.mark.rule("18AL A1 end within a set")
def test_the_game_ends_within_a_set_of_operating_rounds() -> None:
    """Bank and price: after the round that is on. Bankruptcy: at once."""
    for cause in ("bank", "price"):
        state = on.company(on.stock_turn(), "L&N", {"Ann": 60})
        state = replace(on.operating(state, "L&N", part=1, parts=3), ending=Ending(cause, 0))
        assert on.after(state, on.done()).stack == ()
    poor = on.company(on.phase(on.stock_turn(), "4D"), "L&N", {"Ann": 20, "Bob": 20, "Cas": 20})
    poor = on.money(
        on.operating(on.tiles(poor, LINE), "L&N", "trains", part=1, parts=3), {"Ann": 0}
    )
    assert on.after(poor, GoBankrupt(by="Ann", company="L&N")).stack == ()
