"""18MW Mandatory Train Purchase, fire sale: auctions of redeemed shares and of stations."""

from typing import Any

import pytest
from msgspec.structs import replace

from engine.actions import BidLot, GoBankrupt, OfferShare, OfferStation
from engine.events import CompanyClosed, LotOffered, LotSold, LotUnsold, StationSold
from engine.position.frames import FireSale, Trains
from engine.position.values import MARKET, State
from tests.rules.mw.setting import on

SHARES = pytest.mark.rule("18MW Mandatory Train Purchase 1")
STATIONS = pytest.mark.rule("18MW Mandatory Train Purchase 2")
OFFER = OfferShare(by="Ann", company="IC")


def needing(cash: int = 0, own: int = 900, **more: Any) -> State:
    """IC, at $100, has no train; a 6 costs $550. Ann could buy the train of NP instead.

    The others have $300 each, Bob the priority deal.
    """
    held = more.pop("held", {"Ann": 40, "Bob": 10})
    state = on.turn("trains", "IC", at_phase="6", cash=cash, held=held, **more)
    state = on.company(state, "NP", {"Ann": 60}, trains=("6",), at=(1, 7))
    state = replace(state, priority="Bob")
    return on.money(state, {"Ann": own, "Bob": 300, "Cas": 300})


def bid(amount: int, seat: str, buyer: str = "") -> BidLot:
    """A bid in a fire sale."""
    return BidLot(by=seat, amount=amount, buyer=buyer)


def offer(hex_: str, price: int, name: str = "IC") -> OfferStation:
    """A station put up by Ann."""
    return OfferStation(by="Ann", company=name, hex=hex_, price=price)


@SHARES
def test_redeemed_shares_come_before_any_money_of_the_president() -> None:
    """Neither Ann's cash nor her stock, nor a station, before they are gone."""
    state = needing(treasury=10, stations=("G13",))
    rule = "Mandatory Train Purchase 1"
    on.refused(state, on.buy_train("IC", "6", 550), rule, "offer share")
    on.refused(on.money(state, {"Ann": 0}), on.sell(1, "NP"), rule, "offer share")
    on.refused(state, offer("G13", 40), rule, "offer share")
    down = GoBankrupt(by="Ann", company="IC")
    on.refused(on.money(state, {"Ann": 0}), down, rule, "offer share")
    on.refused(state, on.done(), "Mandatory Train Purchase", "offer share")
    gone = on.after(state, OFFER, bid(50, "Bob"), on.done("Cas"))
    assert on.allowed(gone, on.buy_train("IC", "6", 550))


@SHARES
def test_a_train_of_an_own_company_may_be_bought_instead() -> None:
    """It is another way, not a later one (18MW R27)."""
    assert on.allowed(needing(treasury=10), on.buy_train("IC", "6", 1, "NP"))


@SHARES
@pytest.mark.parametrize(
    ("priority", "order"),
    [("Bob", ("Bob", "Cas")), ("Cas", ("Cas", "Bob")), ("Ann", ("Bob", "Cas"))],
)
def test_all_but_the_president_bid_from_the_priority_deal_on(
    priority: str, order: tuple[str, ...]
) -> None:
    """Ann presides and is left out."""
    state = replace(needing(treasury=10), priority=priority)
    assert on.happened(state, OFFER, LotOffered) == [LotOffered("IC", 10, "", 50, order)]
    assert on.waits_for(on.after(state, OFFER)) == order[:1]


@SHARES
def test_bids_begin_at_half_the_market_value_rounded_up_and_rise_by_five() -> None:
    """At $145 it is $73; then $5 above the bid before, in no special steps."""
    state = on.after(needing(treasury=10, at=(0, 10)), OFFER)
    rule = "Mandatory Train Purchase 1"
    on.refused(state, bid(72, "Bob"), rule, "$73")
    raised = on.after(state, bid(73, "Bob"))
    on.refused(raised, bid(77, "Cas"), rule, "$78")
    assert on.allowed(raised, bid(78, "Cas"))
    on.refused(raised, bid(301, "Cas"), rule, "$300")
    assert on.allowed(raised, bid(299, "Cas"))


@SHARES
def test_who_passes_is_out_and_the_last_bidder_takes_the_share_at_the_bid() -> None:
    """Bob passes at once; Cas is alone then. The treasury is paid and the price stays (R25)."""
    state = needing(treasury=10)
    raised = on.after(state, OFFER, bid(60, "Bob"), bid(65, "Cas"), bid(70, "Bob"))
    assert on.happened(raised, on.done("Cas"), LotSold) == [LotSold("IC", 10, "Bob", 70)]
    now = on.after(raised, on.done("Cas"))
    assert (now.cash["IC"], now.cash["Bob"], now.cash["Cas"]) == (70, 230, 300)
    assert on.percent(now, "IC")["Bob"] == 20
    assert on.percent(now, "IC").get("IC", 0) == 0
    assert on.table(now).cell("IC") == on.table(state).cell("IC")
    out = on.after(state, OFFER, on.done("Bob"), bid(60, "Cas"))
    assert on.percent(out, "IC")["Cas"] == 10


@SHARES
@pytest.mark.rule("18MW R25")
def test_a_share_that_nobody_wants_goes_to_the_bank_for_half_and_the_price_falls() -> None:
    """Of $145 it is $72; a row lower."""
    state = needing(treasury=10, at=(0, 10))
    now = on.after(state, OFFER, on.done("Bob"), on.done("Cas"))
    assert now.cash["IC"] == 72
    assert on.percent(now, "IC")[MARKET] == 10
    assert on.table(now).cell("IC") == (1, 10)


@SHARES
@pytest.mark.rule("18MW Closed Zone")
def test_a_company_whose_price_falls_too_low_closes_and_its_turn_is_over() -> None:
    """At $10 the bank pays $5, and IC leaves the game without a train."""
    state = on.money(needing(treasury=10, at=(9, 0)), {"Bob": 0, "Cas": 0})
    assert on.happened(state, OFFER, CompanyClosed) == [CompanyClosed("IC")]
    now = on.after(state, OFFER)
    assert "IC" in now.gone
    assert not any(getattr(frame, "company", "") == "IC" for frame in now.stack)
    assert now.cash["removed"] == 5


@SHARES
def test_the_bank_takes_no_share_over_half_of_the_company() -> None:
    """It stays in the treasury, and no other is offered; then Ann may pay."""
    held = {"Ann": 20, "Bob": 10}
    state = needing(treasury=20, held=held, market=50)
    assert on.happened(on.after(state, OFFER, on.done("Bob")), on.done("Cas"), LotUnsold)
    now = on.after(state, OFFER, on.done("Bob"), on.done("Cas"))
    assert on.percent(now, "IC")["IC"] == 20
    on.refused(now, OFFER, "Mandatory Train Purchase 1", "no share")
    assert on.allowed(now, on.buy_train("IC", "6", 550))


@SHARES
def test_shares_go_one_at_a_time_until_the_treasury_has_enough() -> None:
    """After $60 there are $560 for a 6: the second share stays."""
    state = needing(cash=500, treasury=20)
    one = on.after(state, OFFER, bid(60, "Bob"), on.done("Cas"))
    assert on.percent(one, "IC")["IC"] == 10
    on.refused(one, OFFER, "Mandatory Train Purchase 1", "a 6 itself")
    poor = on.after(needing(cash=400, treasury=20), OFFER, bid(60, "Bob"), on.done("Cas"))
    on.refused(poor, on.buy_train("IC", "6", 550), "Mandatory Train Purchase 1", "offer share")
    assert on.allowed(poor, OFFER)


@SHARES
@pytest.mark.rule("18MW Shares and Limits")
def test_limits_hold_for_bidders() -> None:
    """Bob has 60% already; Cas twenty certificates."""
    state = needing(treasury=10, held={"Ann": 30, "Bob": 60})
    # the greater holding presides, so let Bob's be beside the point: he may not buy more
    state = replace(state, presidents={**state.presidents, "IC": "Ann"})
    sale = FireSale("IC", ("Bob", "Cas"), 50, 10)
    asked = replace(state, stack=(*state.stack, sale))
    on.refused(asked, bid(50, "Bob"), "Shares and Limits", "60%")
    full = needing(treasury=10)
    for name in ("MP", "SP", "CNW", "CBQ"):
        full = on.company(full, name, {"Cas": 60}, at=(3, 6))
    full = replace(full, stack=(*full.stack, FireSale("IC", ("Cas", "Bob"), 50, 10)))
    assert on.table(full).certificates("Cas") == 20
    on.refused(full, bid(50, "Cas"), "Shares and Limits", "20")


@SHARES
def test_who_cannot_bid_is_not_asked() -> None:
    """Bob has $49; so Cas is asked at once, and where nobody can the bank pays."""
    state = on.money(needing(treasury=10), {"Bob": 49})
    assert on.waits_for(on.after(state, OFFER)) == ("Cas",)
    broke = on.money(state, {"Cas": 49})
    assert on.after(broke, OFFER).cash["IC"] == 50


@SHARES
def test_a_share_that_must_be_offered_is_offered_without_a_mail() -> None:
    """Ann has no train to buy of another company; with one she is asked."""
    before = on.operating(needing(treasury=10, at=(0, 0)), "IC", "dividend")
    before = replace(before, earned={"IC": 100}, stack=before.stack)
    asked = on.after(before, on.withhold("IC"))
    assert isinstance(asked.stack[-1], Trains)
    alone = on.after(on.own(before, "NP"), on.withhold("IC"))
    assert isinstance(alone.stack[-1], FireSale)
    assert on.waits_for(alone) == ("Bob",)


@SHARES
class TestPresidentInTheMiddle:
    """A buyer who then holds more than the president follows, and goes on with the sale."""

    @staticmethod
    def changed() -> State:
        """Bob's fourth share unseats Ann; two are left in the treasury."""
        held = {"Ann": 30, "Bob": 30}
        state = on.own(needing(treasury=30, held=held), "NP")
        return on.after(state, OFFER, bid(50, "Bob"), on.done("Cas"))

    def test_the_certificate_is_exchanged_and_the_new_president_decides(self) -> None:
        """Two shares for it; the old president bids from now on."""
        now = self.changed()
        assert now.presidents["IC"] == "Bob"
        assert now.shares["IC"]["Bob"][0] == 20
        assert now.shares["IC"]["Ann"] == (10, 10, 10)
        # Bob can do nothing else, so the next share is offered at once
        assert isinstance(now.stack[-1], FireSale)
        assert now.stack[-1].bidders == ("Cas", "Ann")

    def test_the_new_president_is_responsible(self) -> None:
        """Bob pays for the train once the shares are gone."""
        now = on.after(self.changed(), on.done("Cas"), on.done("Ann"))
        now = on.after(now, on.done("Cas"), on.done("Ann"))
        assert on.waits_for(now) == ("Bob",)
        assert on.percent(now, "IC")[MARKET] == 20
        paid = on.after(on.money(now, {"Bob": 550}), on.buy_train("IC", "6", 550, by="Bob"))
        assert paid.trains["IC"] == ("6",)


@SHARES
@pytest.mark.rule("18MW Merger 8")
def test_half_shares_of_a_system_go_for_half_and_move_no_price() -> None:
    """At $145 bids on 5% begin at $37 (half of $72.50), and the bank pays $36."""
    held = {"Ann": (10, 5), "Bob": (10,), MARKET: (5,) * 9}
    start = on.system(on.phase(on.stock_turn(), "10"), "BN", held, at=(0, 10))
    state = on.money(on.operating(start, "BN", "trains"), {"Ann": 900, "Bob": 300, "Cas": 300})
    state = replace(state, priority="Bob")
    put = OfferShare(by="Ann", company="BN")
    assert on.happened(state, put, LotOffered) == [LotOffered("BN", 5, "", 37, ("Bob", "Cas"))]
    now = on.after(state, put, on.done("Bob"), on.done("Cas"))
    assert now.cash["BN"] == 36
    assert on.table(now).cell("BN") == (0, 10)


# stations

#: Des Moines, base of the Rock Island, and Omaha with the track between them
TRACK = "G9 57 1, G7 9 1, G5 57 1"


def selling(cash: int = 0, crip: int = 300, **more: Any) -> State:
    """IC has a station in Omaha, which Bob's Rock Island reaches, and its base in Springfield.

    A station there costs the Rock Island $60.
    """
    state = on.tiles(needing(cash, stations=("G5",), **more), TRACK)
    return on.company(state, "CRIP", {"Bob": 60}, cash=crip, at=(2, 6))


@STATIONS
class TestStations:
    """A president may offer stations, one at a time."""

    rule = "Mandatory Train Purchase 2"

    def test_any_but_the_base_at_a_price_of_the_presidents_choice(self) -> None:
        """There must be somebody who could pay it."""
        state = selling()
        assert on.happened(state, offer("G5", 40), LotOffered) == [
            LotOffered("IC", 0, "G5", 40, ("Bob", "Cas"))
        ]
        on.refused(state, offer("I15", 40), self.rule, "base", "G5 Omaha")
        on.refused(state, offer("G19", 40), self.rule, "no token")
        on.refused(state, offer("Z9", 40), self.rule, "no hex Z9")
        on.refused(state, offer("G5", 0), self.rule, "$1")
        on.refused(state, offer("G5", 301), self.rule, "$300")

    def test_it_is_the_presidents_choice(self) -> None:
        """Ann may pay at once."""
        assert on.allowed(selling(), on.buy_train("IC", "6", 550))

    def test_only_for_a_train_that_the_treasury_cannot_pay_for(self) -> None:
        """Nor once Ann has sold stock, which ends the sale."""
        on.refused(selling(550), offer("G5", 40), self.rule, "a 6 itself")
        on.refused(on.own(selling(), "IC", "6"), offer("G5", 40), self.rule, "must buy")
        state = on.money(selling(), {"Ann": 450})
        sold = on.after(state, on.sell(1, "NP"))
        on.refused(sold, offer("G5", 40), self.rule, "is over")

    def test_the_buyer_pays_company_and_bank_and_takes_the_place(self) -> None:
        """$100 to IC, $60 to the bank; the token of IC is on its charter again."""
        state = selling()
        sale = on.after(state, offer("G5", 40))
        assert on.happened(sale, bid(100, "Bob", "CRIP"), StationSold) == [
            StationSold("IC", "G5", "CRIP", 100, 60)
        ]
        now = on.after(sale, bid(100, "Bob", "CRIP"))
        assert (now.cash["IC"], now.cash["CRIP"]) == (100, 140)
        assert [station.company for station in now.stations["G5"]] == ["CRIP"]
        assert now.charters["IC"] == state.charters["IC"] + 1
        assert now.charters["CRIP"] == state.charters["CRIP"] - 1

    def test_a_bid_is_for_a_company_of_the_bidder_that_can_pay_all_of_it(self) -> None:
        """$300 less the $60 for the place."""
        sale = on.after(selling(), offer("G5", 40))
        on.refused(sale, bid(39, "Bob", "CRIP"), self.rule, "$40")
        on.refused(sale, bid(241, "Bob", "CRIP"), self.rule, "$60", "$240")
        assert on.allowed(sale, bid(240, "Bob", "CRIP"))
        on.refused(sale, bid(100, "Bob", "NP"), self.rule, "CRIP")
        on.refused(sale, bid(100, "Bob"), self.rule, "CRIP")

    def test_who_cannot_bid_passes_and_the_rejected_station_is_not_offered_again(self) -> None:
        """The Rock Island has $99: nobody can pay $40 and $60."""
        state = selling(crip=99)
        assert on.happened(state, offer("G5", 40), LotUnsold) == [LotUnsold("IC", "G5")]
        now = on.after(state, offer("G5", 40))
        assert on.waits_for(now) == ("Ann",)
        on.refused(now, offer("G5", 39), self.rule, "nobody wanted")
        assert on.allowed(state, offer("G5", 39))

    def test_bids_rise_by_five_and_a_player_may_bid_for_another_company(self) -> None:
        """Bob has two companies that reach Omaha, Cas one; a pass is for good."""
        state = on.company(selling(), "MP", {"Bob": 60}, cash=300, at=(3, 6), stations=("G9",))
        state = on.company(state, "CMSP", {"Cas": 60}, cash=400, at=(3, 7), stations=("G9",))
        sale = on.after(state, offer("G5", 40), bid(60, "Bob", "CRIP"))
        on.refused(sale, bid(64, "Cas", "CMSP"), self.rule, "$65")
        sale = on.after(sale, bid(66, "Cas", "CMSP"))
        on.refused(sale, bid(70, "Bob", "MP"), self.rule, "$71")
        sold = on.after(sale, bid(71, "Bob", "MP"), on.done("Cas"))
        assert [station.company for station in sold.stations["G5"]] == ["MP"]
        assert sold.cash["IC"] == 71
        passed = on.after(state, offer("G5", 40), on.done("Bob"), bid(40, "Cas", "CMSP"))
        assert [station.company for station in passed.stations["G5"]] == ["CMSP"]

    @pytest.mark.parametrize("why", ["token", "track", "station", "round"])
    def test_the_buyer_must_be_able_to_put_a_station_there(self, why: str) -> None:
        """With a token, by track, one a hex, one a round (18MW R26)."""
        state = selling()
        if why == "token":
            state = replace(state, charters={**state.charters, "CRIP": 0})
            words: tuple[str, ...] = ("Additional Token Placement", "no token")
        elif why == "track":
            state = replace(state, tiles={k: v for k, v in state.tiles.items() if k != "G7"})
            words = ("Station Token Placement", "no track")
        elif why == "station":
            state = on.station(state, "CRIP", "G5")
            words = ("Station Token Placement", "has a token")
        else:
            round_ = replace(state.stack[0], stationed=("CRIP",))
            state = replace(state, stack=(round_, *state.stack[1:]))
            words = ("Additional Token Placement", "one token of this round")
        asked = replace(state, stack=(*state.stack, FireSale("IC", ("Bob", "Cas"), 40, hex="G5")))
        on.refused(asked, bid(100, "Bob", "CRIP"), *words)


@pytest.mark.rule("18MW R26")
class TestStationOfTheRound:
    """Bought or put, it is one a round."""

    def test_a_station_that_is_bought_is_that_of_the_round(self) -> None:
        """The Rock Island puts none in its own turn afterwards."""
        now = on.after(selling(crip=900), offer("G5", 40), bid(100, "Bob", "CRIP"))
        turn = on.operating(now, "CRIP", "token")
        turn = replace(turn, stack=(now.stack[0], *turn.stack[1:]))
        where = on.token("CRIP", "G11", by="Bob")
        on.refused(turn, where, "Additional Token Placement", "one token of this round")

    def test_a_station_that_was_put_leaves_none_to_buy(self) -> None:
        """Noted in the step where it is put."""
        state = on.tiles(on.turn("token", "CRIP", cash=300), TRACK)
        now = on.after(state, on.token("CRIP", "G5"))
        assert now.stack[0].stationed == ("CRIP",)
