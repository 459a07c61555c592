"""18MW: what private companies do in operating rounds, and what outlives them."""

import pytest
from msgspec.structs import replace

from engine import options
from engine.actions import Accept, BuyStation, BuyTrain, GoBankrupt, PlaceStation, Run, TradePrivate
from engine.events import PassagesPaid, PhaseBegan, PowerKept, PrivateClosed, StationPlaced
from engine.notation import parse, write
from engine.options import Choice, Range
from engine.position.frames import OperatingRound, Trains
from engine.position.values import CLOSED, MARKET, State, Station
from engine.steps.operating.running import best_of_turn
from tests.rules.mw.setting import on

WEST = "G17 9 1,G15 9 1,G13 57 1"


def privates(state: State, **owners: str) -> State:
    """Who owns which."""
    return on.privates(state, owners)


# The Saint Louis and Alton


def alton(**more: object) -> State:
    """C&NW lays tiles and owns the Saint Louis and Alton."""
    state = on.turn("track", "CNW", at_phase="3", **{"cash": 500, **more})
    return privates(state, SLA="CNW")


SPARE = on.token("CNW", "G5", power="SLA")


@pytest.mark.rule("18MW Saint Louis and Alton")
@pytest.mark.rule("18MW R35")
def test_a_spare_station_needs_no_track_and_closes_the_private() -> None:
    """It costs what a station costs there, and is none of the company's own."""
    state = alton()
    assert SPARE in on.offered(state, "Ann", PlaceStation)
    assert on.happened(state, SPARE, StationPlaced) == [
        StationPlaced("CNW", "G5", 40 + 6 * 10, power="SLA")
    ]
    there = on.after(state, SPARE)
    assert there.stations["G5"] == (Station("CNW", 0),)
    assert there.charters["CNW"] == state.charters["CNW"]
    assert there.cash["CNW"] == 400
    assert there.privates["SLA"] == CLOSED
    assert there.stack[-1] == state.stack[-1]


@pytest.mark.rule("18MW R35")
@pytest.mark.rule("18MW Purchase of Tokens")
def test_it_is_beside_the_one_station_of_the_round_and_at_any_time_of_the_turn() -> None:
    """Before or after it, in every step; without a token of its own as well."""
    for step in ("track", "token", "run", "trains"):
        laid = {"laid": "E15 57 0", "trains": ("2",)} if step != "track" else {}
        state = privates(on.turn(step, "CNW", at_phase="3", **laid), SLA="CNW")
        assert on.allowed(state, SPARE), step
    both = on.after(alton(), SPARE)
    assert not on.table(both).has_stationed("CNW")
    none = replace(alton(), charters={**alton().charters, "CNW": 0})
    assert on.allowed(none, SPARE)


@pytest.mark.rule("18MW Saint Louis and Alton")
@pytest.mark.rule("18MW R36")
def test_all_other_rules_of_stations_hold() -> None:
    """A free circle, none reserved for a base, one in a hex, the money; the owner is a company."""
    state = alton()
    full = replace(state, stations={**state.stations, "G5": (Station("MP", 0),)})
    on.refused(full, SPARE, "Additional Token Placement", "all circles")
    base = on.token("CNW", "G9", power="SLA")
    on.refused(state, base, "Station Token Placement", "reserved for the home of CRIP")
    on.refused(state, on.token("CNW", "E15", power="SLA"), "Station Token Placement", "already")
    on.refused(state, on.token("CNW", "F12", power="SLA"), "Additional Token Placement", "no city")
    on.refused(on.money(state, {"CNW": 99}), SPARE, "Saint Louis and Alton", "costs $100")
    on.refused(
        state, on.token("CNW", "G1", power="SLA"), "Chicago-San Francisco Connection", "reserved"
    )
    theirs = privates(state, SLA="Ann")
    on.refused(theirs, SPARE, "Saint Louis and Alton", "belongs to Ann")
    assert SPARE not in on.offered(theirs, "Ann", PlaceStation)


@pytest.mark.rule("18MW Saint Louis and Alton")
@pytest.mark.rule("18MW R51")
def test_the_spare_station_may_come_into_a_city_without_a_tile() -> None:
    """Omaha's circle is printed; a base that is to come keeps its one, and a tile keeps the station."""
    state = alton()
    assert "G5" not in state.tiles
    there = on.after(state, SPARE)
    assert [station.company for station in there.stations["G5"]] == ["CNW"]
    assert "G5" not in there.tiles
    on.refused(state, on.token("CNW", "G13", power="SLA"), "Station Token Placement", "home of CBQ")
    gone = replace(state, gone=("CBQ",))
    assert on.allowed(gone, on.token("CNW", "G13", power="SLA"))
    laid = on.tiles(there, "G5 57 1")
    assert laid.stations["G5"] == there.stations["G5"]


@pytest.mark.rule("18MW R35")
@pytest.mark.rule("18MW Purchase of Tokens")
def test_sold_later_it_comes_back_to_the_charter() -> None:
    """As a further station of its company."""
    state = on.after(alton(), SPARE)
    own = state.charters["CNW"]
    line = on.tiles(state, "G13 57 1,G11 4 1,G9 57 1,G7 9 1,G5 57 1")
    buyer = on.company(line, "CBQ", {"Ann": 60}, cash=500)
    buyer = on.operating(buyer, "CBQ", "station trade")
    sold = on.after(buyer, BuyStation(by="Ann", company="CBQ", source="CNW", hex="G5"))
    assert sold.charters["CNW"] == own + 1


def test_the_spare_station_is_written_with_its_private() -> None:
    """As every power is."""
    state = alton()
    assert parse(on.title, state, "Ann", "use SLA: token Omaha") == SPARE
    assert parse(on.title, state, "Ann", "token G5 with StL&A") == SPARE
    assert write(on.title, state, SPARE) == "use SLA: token G5"


# The Saint Louis Freight Line Company


#: Hannibal and Springfield on either side of it
ST_LOUIS = "J14 15 0,I15 57 0,I13 4 2"


def freight(owner: str, at_phase: str = "3", trains: tuple[str, ...] = ("2", "2")) -> State:
    """MoPac runs two trains from St. Louis to Hannibal and to Springfield."""
    state = on.turn("run", "MP", laid=ST_LOUIS, at_phase=at_phase, trains=trains)
    return privates(state, SLFL=owner)


@pytest.mark.rule("18MW Saint Louis Freight Line")
@pytest.mark.rule("18MW R19")
@pytest.mark.parametrize("owner", ["Bob", "MP"])
def test_each_route_by_st_louis_brings_ten_dollars_at_the_end_of_the_round(owner: str) -> None:
    """To a player or to a company that owns it, whether the revenue is paid out or not."""
    state = freight(owner)
    best = best_of_turn(on.table(state), "MP")[1]
    assert len(best.runs) == 2
    ran = on.after(state, Run(by="Ann", company="MP", runs=best.runs))
    assert ran.cash[owner] == state.cash[owner]
    frame = ran.stack[0]
    assert isinstance(frame, OperatingRound)
    assert frame.passages == (("SLFL", owner, 20),)
    for dividend in (on.pay("MP"), on.withhold("MP")):
        paid = on.after(ran, dividend)
        before = paid.cash[owner]
        done = on.done()
        assert on.happened(paid, done, PassagesPaid) == [PassagesPaid("SLFL", owner, 20)]
        after = on.after(paid, done)
        assert after.cash[owner] - before == 20
        assert sum(after.cash.values()) == 12000


@pytest.mark.rule("18MW Saint Louis Freight Line")
def test_other_routes_bring_nothing_and_nobody_is_paid_for_a_private_of_the_bank() -> None:
    """Only routes into or through St. Louis."""
    elsewhere = on.turn("run", "CBQ", laid=WEST, at_phase="3", trains=("2",))
    elsewhere = privates(elsewhere, SLFL="Bob")
    ran = on.after(elsewhere, on.run("CBQ", ("2", "G13-G15-G17-G19")))
    assert not ran.stack[0].passages


@pytest.mark.rule("18MW R18")
@pytest.mark.rule("18MW Private Companies")
@pytest.mark.parametrize(("owner", "double"), [("Bob", False), ("IC", True)])
def test_bonuses_outlive_their_privates_until_the_first_6(owner: str, double: bool) -> None:
    """The freight line's with whoever had it, the doubling of Chicago with a company only."""
    state = on.turn("trains", "CBQ", laid=WEST, at_phase="4", trains=("4",), cash=1000)
    state = on.operating(on.company(state, "IC", {"Bob": 60}), "CBQ", "trains")
    state = privates(state, SLFL=owner, CFH=owner, HSJ="Bob")
    state = on.own(state, "initial offering", "5", "5", "6", "D")
    five = on.buy_train("CBQ", "5", 425)
    reserved = [PowerKept("SLFL", owner), *([PowerKept("CFH", owner)] * double)]
    assert on.happened(state, five, PowerKept) == reserved
    assert len(on.happened(state, five, PrivateClosed)) == 3
    after = on.after(state, five)
    assert after.heirs == {event.private: owner for event in reserved}
    value, train = on.title.rules.stop_value, on.title.trains["4"]
    assert value(on.table(after), "IC", train, "G19", 0) == (120 if double else 60)
    assert value(on.table(after), "CBQ", train, "G19", 0) == 60
    ended = on.phase(after, "6")
    assert value(on.table(ended), "IC", train, "G19", 0) == 60


@pytest.mark.rule("18MW R18")
@pytest.mark.parametrize(("at_phase", "owed"), [("5", 20), ("6", 0)])
def test_who_reserved_the_freight_line_is_paid_until_the_first_6(at_phase: str, owed: int) -> None:
    """Also after the private has closed."""
    closed = freight(CLOSED, at_phase, ("5", "5"))
    reserved = replace(closed, heirs={"SLFL": "Cas"})
    runs = best_of_turn(on.table(reserved), "MP")[1].runs
    frame = on.after(reserved, Run(by="Ann", company="MP", runs=runs)).stack[0]
    assert isinstance(frame, OperatingRound)
    assert sum(dollars for _, _, dollars in frame.passages) == owed


# The Chicago Freight Handling Company


@pytest.mark.rule("18MW Chicago Freight Handling")
def test_chicago_counts_double_for_the_company_that_owns_the_private() -> None:
    """For all its routes, for no other company, and not for a company of a player who owns it."""
    state = on.turn("run", "CBQ", laid=WEST, at_phase="3", trains=("2",))
    for owner, total in (("CBQ", 20 + 80), ("IC", 20 + 40), ("Ann", 20 + 40)):
        there = privates(on.company(state, "IC", {"Bob": 60}), CFH=owner)
        there = on.operating(there, "CBQ", "run")
        assert best_of_turn(on.table(there), "CBQ")[1].total == total


# The Mobile and Ohio Railroad Company


def mobile(owner: str = "Ann", at_phase: str = "4", **more: object) -> State:
    """MoPac, presided over by Ann, buys trains without money."""
    given = {"laid": "J14 57 1", "cash": 0, "trains": ("4",), **more}
    state = on.turn("trains", "MP", at_phase=at_phase, **given)
    return privates(state, MO=owner)


FOUR = on.buy_train("MP", "4", 0, power="MO")


@pytest.mark.rule("18MW Mobile and Ohio")
@pytest.mark.rule("18MW R22")
def test_the_mobile_and_ohio_is_exchanged_for_a_train_of_the_bank() -> None:
    """One that the bank sells then, for a company of the owner's; the private closes."""
    state = mobile()
    assert FOUR in on.offered(state, "Ann", BuyTrain)
    after = on.after(state, FOUR)
    assert after.trains["MP"] == ("4", "4")
    assert after.privates["MO"] == CLOSED
    assert after.cash["MP"] == 0
    used = on.own(state, MARKET, "4")
    assert on.allowed(used, on.buy_train("MP", "4", 0, MARKET, power="MO"))
    on.refused(state, on.buy_train("MP", "6", 0, power="MO"), "Train Purchase", "next new train")


@pytest.mark.rule("18MW Mobile and Ohio")
@pytest.mark.rule("18MW R22")
def test_it_may_bring_the_first_5_and_its_phase() -> None:
    """The last chance, for then all privates close."""
    state = on.own(mobile(), "initial offering", "5", "5", "6", "D")
    five = on.buy_train("MP", "5", 0, power="MO")
    assert [e.phase for e in on.happened(state, five, PhaseBegan)] == ["5"]
    assert on.after(state, five).trains["MP"] == ("4", "5")


@pytest.mark.rule("18MW Mobile and Ohio")
def test_it_satisfies_the_duty_to_own_a_train() -> None:
    """And while it can, its owner is not bankrupt."""
    state = on.money(mobile(trains=()), {"Ann": 0})
    assert isinstance(state.stack[-1], Trains)
    on.refused(state, on.done(), "Mandatory Train Purchase")
    broke = GoBankrupt(by="Ann", company="MP")
    assert on.why_not(state, broke) is not None
    assert on.after(state, FOUR).trains["MP"] == ("4",)


@pytest.mark.rule("18MW Mobile and Ohio")
def test_only_its_owner_as_president_may_exchange_it() -> None:
    """Not another's private, not for another's company, not above the limit, not for money."""
    rule = "Mobile and Ohio"
    on.refused(mobile("Bob"), FOUR, rule, "it belongs to Bob")
    assert FOUR not in on.offered(mobile("Bob"), "Ann", BuyTrain)
    on.refused(mobile(), on.buy_train("MP", "4", 300, power="MO"), rule, "costs nothing")
    full = on.own(mobile(), "MP", "4", "4", "4")
    on.refused(full, FOUR, "Game Phases", "the limit is 3")
    other = on.turn("trains", "MP", held={"Bob": 60, "Ann": 10}, at_phase="4", trains=("4",))
    theirs = replace(FOUR, by="Bob")
    on.refused(privates(other, MO="Ann"), theirs, rule, "Bob has no MO")


@pytest.mark.rule("18MW Mobile and Ohio")
def test_the_exchange_is_written_as_a_purchase_with_the_private() -> None:
    """In either order of the words."""
    state = mobile()
    for text in ("buy 4 with MO", "use M&O: buy 4", "use MO: take train", "use MO: 4"):
        assert parse(on.title, state, "Ann", text) == FOUR
    assert write(on.title, state, FOUR) == "buy 4 with MO"


# Private Companies: sales to companies


@pytest.mark.rule("18MW Private Companies")
def test_companies_buy_privates_from_the_first_3_on_for_half_to_double() -> None:
    """At any time of the turn; what they pay goes to the player, and the revenue comes to them."""
    state = privates(on.turn("track", "MP", at_phase="3"), HSJ="Ann", SLA="Bob")
    own = on.trade("HSJ", "Ann", "MP", 80)
    after = on.after(state, own)
    assert (after.privates["HSJ"], after.cash["Ann"] - state.cash["Ann"]) == ("MP", 80)
    on.refused(state, on.trade("HSJ", "Ann", "MP", 81), "Private Companies", "$20 to $80")
    on.refused(state, on.trade("HSJ", "Ann", "MP", 19), "Private Companies", "$20 to $80")
    asked = on.after(state, on.trade("SLA", "Bob", "MP", 100))
    assert on.after(asked, Accept(by="Bob")).privates["SLA"] == "MP"
    early = on.phase(state, "2")
    on.refused(early, own, "Private Companies", "phase 2")
    ranges = [o for o in on_options(state) if isinstance(o, Range)]
    assert {(r.action.private, r.low, r.high) for r in ranges} == {
        ("HSJ", 20, 80), ("SLA", 35, 140),
    }  # fmt: skip


def on_options(state: State) -> list[Choice | Range]:
    """Ann's options that trade private companies."""
    found = options(on.title, state, "Ann")
    return [o for o in found if isinstance(o, Range) and isinstance(o.action, TradePrivate)]


@pytest.mark.rule("18MW Lacrosse and Milwaukee")
@pytest.mark.rule("18MW Mobile and Ohio")
@pytest.mark.parametrize("private", ["LCM", "MO"])
def test_two_privates_are_never_sold_to_a_company(private: str) -> None:
    """Their sections prohibit it."""
    state = on.privates(on.turn("track", "MP", at_phase="3"), {private: "Ann"})
    par = on.title.privates[private].par
    on.refused(state, on.trade(private, "Ann", "MP", par), "Private Companies", "never sold")


@pytest.mark.rule("18MW Private Companies")
def test_a_company_keeps_the_revenue_of_what_it_has_bought() -> None:
    """At the beginning of the next round the bank pays the company."""
    state = on.company(on.phase(on.stock_turn(), "3"), "IC", {"Ann": 60}, cash=0)
    state = on.privates(state, {"SLA": "IC"})
    after = on.operating_round(state)
    assert after.cash["IC"] == 15


# Train Purchase


@pytest.mark.rule("18MW Train Purchase")
def test_companies_of_one_president_trade_trains_for_a_dollar_and_more() -> None:
    """Not those of others."""
    state = on.turn("trains", "MP", laid="J14 57 1", at_phase="4", trains=("4",), cash=200)
    own = on.company(state, "IC", {"Ann": 60}, trains=("4",))
    own = on.operating(own, "MP", "trains")
    buy = on.buy_train("MP", "4", 1, "IC")
    assert on.after(own, buy).trains == {**own.trains, "MP": ("4", "4"), "IC": ()}
    assert on.allowed(own, on.buy_train("MP", "4", 200, "IC"))
    on.refused(own, on.buy_train("MP", "4", 0, "IC"), "Train Purchase", "$1")
    on.refused(own, on.buy_train("MP", "4", 201, "IC"), "Train Purchase", "$200")
    other = on.operating(on.company(state, "IC", {"Bob": 60}, trains=("4",)), "MP", "trains")
    on.refused(other, buy, "Train Purchase", "not preside over IC", "one president")
    assert buy not in on.offered(other, "Ann", BuyTrain)
