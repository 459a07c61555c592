"""Orders that people will really use, in the positions of the titles that they are for."""

import pytest
from msgspec.structs import replace

from engine.events import AuctionBegan, SharesSold
from engine.flow import apply
from engine.notation import parse
from engine.position.frames import ParallelAuction, StockTurn, Swap
from service.games.games import Past
from service.games.orders import Book, Trial
from service.orders.sight import ALARMS
from tests.engine.notation import positions
from tests.rules.mw import test_fire_sale as fire
from tests.rules.mw import test_initial_round as initial
from tests.rules.mw import test_lacrosse as lacrosse
from tests.rules.mw import test_price_protection as protection
from tests.rules.mw import test_station_trade as station
from tests.rules.mw.setting import on
from tests.service.orders.follow import given, plays, tried

AL, MW = positions.TITLE, on.title


def asked(title, state, text):
    """The position after Ann has proposed something."""
    return apply(title, state, parse(title, state, "Ann", text)).state


class TestProtection:
    """18MW: Ann has sold two shares of IC, whose president is Bob, for $170."""

    STATE = protection.sold(protection.turn(), IC=2)

    @pytest.mark.parametrize("text, played", [
        ("always protect IC", ["protect IC"]),
        ("always protect IC up to 170", ["protect IC"]),
        ("always protect IC up to 400 if shares me IC >= 3", ["protect IC"]),
        ("always protect IC up to 400 if shares me IC >= 5", []),
        ("always protect IC up to 169", []),
        ("always protect IC up to 169 else let IC fall", ["let IC fall"]),
        ("always protect NP up to 400", []),
        ("never protect IC", ["let IC fall"]),
        ("never protect", ["let IC fall"]),
        ("always let fall IC", ["let IC fall"]),
    ])  # fmt: skip
    def test_it_is_done_within_its_limit_and_stays_for_the_next_time(self, text, played):
        assert plays(MW, self.STATE, "Bob", text) == (played, "open")

    @pytest.mark.parametrize(
        "text", ["pass round", "standing pass", "next: buy IC", "pass until round ends"]
    )
    def test_no_order_for_a_stock_turn_answers_the_question(self, text):
        assert plays(MW, self.STATE, "Bob", text) == ([], "open")

    @pytest.mark.parametrize("text", ["always protect IC up to 400", "never protect"])
    def test_in_a_turn_of_one_s_own_it_waits(self, text):
        assert plays(MW, protection.turn(), "Ann", text) == ([], "open")


class TestFireSale:
    """18MW: IC of Ann sells a redeemed share; Bob may bid $50 first."""

    STATE = on.after(fire.needing(treasury=10), fire.OFFER)

    @pytest.mark.parametrize("text, played", [
        ("bid shares of IC up to 60", ["bid 50"]),
        ("bid share of IC up to 50", ["bid 50"]),
        ("bid shares of IC up to 49", ["pass"]),
        ("bid shares of NP up to 60", []),
        ("bid station of IC up to 60", []),
        ("pass round", []),
    ])  # fmt: skip
    def test_a_bid_ahead_raises_to_its_limit(self, text, played):
        assert plays(MW, self.STATE, "Bob", text) == (played, "open")

    def test_it_raises_again_when_it_is_beaten_and_passes_then(self):
        state = on.after(self.STATE, fire.bid(50, "Bob"), fire.bid(55, "Cas"))
        assert plays(MW, state, "Bob", "bid shares of IC up to 60")[0] == ["bid 60"]
        assert plays(MW, state, "Bob", "bid shares of IC up to 59")[0] == ["pass"]


class TestParallelAuction:
    """18MW: all private companies are auctioned at once."""

    STATE = on.opening()

    def test_a_bid_raises_as_often_as_it_must(self):
        state = on.after(self.STATE, on.bid("CFH", 160), on.bid("CFH", 165, "Bob"), on.done("Cas"))
        assert plays(MW, state, "Ann", "bid CFH up to 175") == (["bid CFH 170"], "open")
        assert plays(MW, state, "Ann", "bid CFH up to 165 else pass")[0] == ["pass"]
        assert plays(MW, state, "Ann", "bid CFH up to 165") == ([], "done"), "it is Ann's turn"
        both = "bid CFH up to 165 else bid MO up to 200 else pass"
        assert plays(MW, state, "Ann", both)[0] == ["bid MO 180"]

    def test_who_leads_bids_no_more(self):
        state = on.after(self.STATE, on.bid("CFH", 160), on.done("Bob"), on.done("Cas"))
        assert plays(MW, state, "Ann", "bid CFH up to 300 else pass")[0] == ["pass"]

    def test_outbid_money_goes_elsewhere(self):
        text = "next: if outbid bid MO 185 else pass"
        lead = on.after(self.STATE, on.bid("CFH", 175), on.done("Bob"), on.done("Cas"))
        assert plays(MW, lead, "Ann", text) == (["pass"], "done")
        out = on.after(self.STATE, on.bid("CFH", 175), on.bid("CFH", 180, "Bob"), on.done("Cas"))
        assert plays(MW, out, "Ann", text) == (["bid MO 185"], "done")

    def test_a_pass_ahead_counts_in_it(self):
        assert plays(MW, self.STATE, "Ann", "pass until round ends")[0] == ["pass"]
        assert isinstance(self.STATE.stack[-1], ParallelAuction)

    def test_it_is_done_when_nothing_is_left_to_bid_on(self):
        state = lacrosse.turn()
        assert isinstance(state.stack[-1], StockTurn)
        [first, then], played = tried(MW, state, "Ann", "bid CFH up to 200", "next: pass")
        assert (first.status, then.status, played) == ("done", "done", ["pass"])
        assert initial.ALL


class TestExchangeAhead:
    """18MW: the Lacrosse and Milwaukee, when an operating round is about to begin."""

    TEXT = "exchange LCM for IC ipo at next OR"

    def test_it_waits_for_the_moment_and_is_done_once(self):
        state = lacrosse.turn()
        assert plays(MW, state, "Ann", self.TEXT) == ([], "open")
        asked = replace(state, stack=(*state.stack[:1], Swap("Ann", "LCM")))
        played, status = plays(MW, asked, "Ann", self.TEXT)
        assert (played, status) == (["exchange LCM for IC ipo"], "done")

    def test_no_pass_of_the_round_answers_for_it(self):
        state = lacrosse.turn()
        asked = replace(state, stack=(*state.stack[:1], Swap("Ann", "LCM")))
        assert plays(MW, asked, "Ann", "pass until round ends") == ([], "open")


class TestConsent:
    """What is asked of Bob in the five titles: a train, a private company, a station, its use."""

    TRAIN = asked(AL, positions.operating("trains"), "buy 2 from M&O for 90")
    PRIVATE = asked(AL, positions.stock(), "buy private M&C from Bob for 100")
    STATION = station.on.after(station.burlington(), station.buy())

    @pytest.mark.parametrize("title, state, text, played", [
        (AL, TRAIN, "always consent: sell 2 from M&O for >= 90", ["accept"]),
        (AL, TRAIN, "always consent: sell 2 from M&O to L&N for >= 90", ["accept"]),
        (AL, TRAIN, "always consent: sell 2 from M&O for > 90", []),
        (AL, TRAIN, "always consent: sell 3 from M&O", []),
        (AL, TRAIN, "always refuse sell 2 from M&O for < 100", ["decline"]),
        (AL, PRIVATE, "always consent: sell private M&C to Ann if cash Ann >= 100", ["accept"]),
        (AL, PRIVATE, "always consent: sell private M&C to Ann if cash Ann >= 1000", []),
        (AL, PRIVATE, "always refuse offers from Cat", []),
        (MW, STATION, "always consent: sell station from CNW", ["accept"]),
        (MW, STATION, "always consent: sell station from CNW to CBQ for >= 100", ["accept"]),
        (MW, STATION, "always consent: sell station from CNW for >= 150", []),
        (MW, STATION, "always consent: sell station from CBQ", []),
    ])  # fmt: skip
    def test_it_answers_what_fits_and_nothing_else(self, title, state, text, played):
        assert plays(title, state, "Bob", text)[0] == played


class TestAlarm:
    def test_an_alarm_that_is_off_wakes_nobody(self):
        state = protection.turn()
        order = given(MW, state, "Ann", "pass round")
        past = (Past(state.number + 1, "", (SharesSold("Bob", "MP", 10, 100),)),)
        for alarms, passes in ((ALARMS, False), (set(ALARMS) - {"sales"}, True)):
            book = Book((order,), past, {"Ann": frozenset(alarms)})
            _, found = Trial(MW, state, "Ann", state.number + 1, book).first()
            assert bool(found and found.outcome) is passes

    def test_a_standing_order_stops_at_an_alarm_and_an_until_goes_on_to_the_next_step(self):
        state = protection.turn()
        sold = (SharesSold("Bob", "MP", 10, 100),)
        _, status = plays(MW, state, "Ann", "standing pass", events=sold)
        assert status == "suspended"
        text = "pass until alarm then buy MP"
        played, status = plays(MW, state, "Ann", text, events=sold)
        assert (played, status) == (["buy MP ipo", "pass"], "done")

    def test_outbid_is_known_where_an_auction_begins(self):
        began = (AuctionBegan("CFH", ("Ann", "Bob")),)
        state = on.opening()
        assert plays(MW, state, "Ann", "standing pass unless outbid", events=began)[0] == []
        assert plays(MW, state, "Ann", "standing pass unless outbid")[0] == ["pass"]
