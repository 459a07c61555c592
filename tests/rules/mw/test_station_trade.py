"""18MW Purchase of Tokens: a company pays another to make room for its station."""

import pytest
from msgspec.structs import replace

from engine.actions import Accept, BuyStation, Decline
from engine.events import StationSold
from engine.notation import NotationError, parse, write
from engine.position.frames import OperatingRound, Question, StationTrade
from engine.position.values import State, Station
from engine.proposals import StationSale
from tests.rules.mw.setting import on

RULE = "Purchase of Tokens"
pytestmark = pytest.mark.rule(f"18MW {RULE}")

#: Chicago to Rock Island and on to Des Moines and Omaha
LINE = "G17 9 1,G15 9 1,G13 57 1,G11 4 1,G9 57 1,G7 9 1,G5 57 1"


def burlington(seller: str = "Bob", cash: int = 500) -> State:
    """CB&Q after its trains; C&NW, of ``seller``, has a station in Omaha and its base in Madison."""
    state = on.turn("station trade", "CBQ", laid=LINE, at_phase="4", cash=cash, trains=("4",))
    other = on.company(state, "CNW", {seller: 60}, cash=0, trains=("4",), stations=("G5",))
    return on.operating(other, "CBQ", "station trade")


def buy(hex_: str = "G5", seller: str = "CNW") -> BuyStation:
    return BuyStation(by="Ann", company="CBQ", source=seller, hex=hex_)


@pytest.mark.rule("18MW R34")
def test_the_seller_gets_a_hundred_dollars_and_the_bank_the_price_of_the_station() -> None:
    """The token goes back to the seller's charter; the seller's president must agree."""
    state = burlington()
    assert on.offered(state, "Ann", BuyStation) == [buy()]
    asked = on.after(state, buy())
    assert asked.stack[-1] == Question("Bob", "Ann", StationSale("CNW", "CBQ", "G5", 0))
    assert on.waits_for(asked) == ("Bob",)
    assert on.happened(asked, Accept(by="Bob"), StationSold) == [
        StationSold("CNW", "G5", "CBQ", 100, 40 + 4 * 10)
    ]
    sold = on.after(asked, Accept(by="Bob"))
    assert sold.stations["G5"] == (Station("CBQ", 0),)
    assert (sold.cash["CNW"], sold.cash["CBQ"]) == (100, 500 - 100 - 80)
    assert sold.charters["CNW"] == state.charters["CNW"] + 1
    assert sold.charters["CBQ"] == state.charters["CBQ"] - 1
    assert sum(sold.cash.values()) == 12000


@pytest.mark.rule("18MW R34")
def test_who_does_not_agree_keeps_the_station() -> None:
    """The buyer may ask for another, or go on."""
    kept = on.after(burlington(), buy(), Decline(by="Bob"))
    assert isinstance(kept.stack[-1], StationTrade)
    assert kept.stations["G5"] == (Station("CNW", 0),)
    assert on.waits_for(kept) == ("Ann",)


def test_a_president_of_both_asks_nobody() -> None:
    """Then it is done at once."""
    sold = on.after(burlington("Ann"), buy())
    assert sold.stations["G5"] == (Station("CBQ", 0),)


@pytest.mark.rule("18MW R34")
def test_a_base_is_never_sold() -> None:
    """Not even to a company of the same president."""
    state = on.tiles(burlington("Ann"), "F14 8 4,E15 57 0")
    state = replace(state, stations={**state.stations, "G9": (Station("CRIP", 0),)})
    rock = on.company(state, "CRIP", {"Ann": 60})
    rock = replace(rock, stations={**rock.stations, "G9": (Station("CRIP", 0),)})
    later = on.operating(rock, "CBQ", "station trade")
    on.refused(later, buy("G9", "CRIP"), RULE, "its base")
    assert buy("G9", "CRIP") not in on.offered(later, "Ann", BuyStation)


def test_only_stations_that_are_there_are_sold() -> None:
    """Of another company, where it has one."""
    state = burlington()
    on.refused(state, buy("G13"), RULE, "no token in G13")
    on.refused(state, buy("G13", "CBQ"), RULE, "other companies")
    on.refused(state, buy("ZZ"), RULE)


@pytest.mark.rule("18MW Additional Token Placement")
def test_a_company_places_or_buys_one_station_a_round() -> None:
    """Who has placed one buys none, and who has bought one places none."""
    state = burlington()
    frame = state.stack[0]
    assert isinstance(frame, OperatingRound)
    placed = replace(state, stack=(replace(frame, stationed=("CBQ",)), *state.stack[1:]))
    on.refused(placed, buy(), "Additional Token Placement", "one token of this round")
    bought = on.after(burlington("Ann"), buy())
    assert not any(isinstance(f, StationTrade) for f in bought.stack)


def test_the_buyer_must_be_able_to_place_its_station_there() -> None:
    """Track, a token, no station of its own in the hex, and money for both."""
    state = burlington()
    far = replace(state, stations={**state.stations, "L10": (Station("CNW", 0),)})
    on.refused(far, buy("L10"), "Station Token Placement", "no track")
    none = replace(state, charters={**state.charters, "CBQ": 0})
    on.refused(none, buy(), "Additional Token Placement", "no token left")
    both = on.tiles(state, "G5 14 0")
    both = replace(both, stations={**both.stations, "G5": (Station("CNW", 0), Station("CBQ", 0))})
    on.refused(both, buy(), "Station Token Placement", "already")
    on.refused(burlington(cash=179), buy(), RULE, "CBQ has $179")
    assert on.allowed(burlington(cash=180), buy())


def test_a_blocked_city_can_be_reached_and_bought() -> None:
    """Omaha's one circle is full: a trace ends there, and that is enough."""
    state = burlington()
    assert on.table(state).blocked("G5", 0, "CBQ")
    assert on.allowed(state, buy())


def test_nothing_is_asked_where_nothing_can_be_bought() -> None:
    """The turn ends by itself after the trains."""
    start = on.turn("trains", "CBQ", laid=LINE, at_phase="4", trains=("4",))
    ended = on.after(start, on.done())
    assert ended.turns["CBQ"] == 2


@pytest.mark.rule("18MW Chicago-San Francisco Connection")
def test_the_doubled_token_may_be_sold_and_doubles_for_its_buyer() -> None:
    """As any other station."""
    state = on.tiles(burlington("Ann"), "G3 9 1")
    state = replace(
        state,
        connected={"Chicago–San Francisco": "CNW"},
        stations={"G13": (Station("CBQ", 0),), "E15": (Station("CNW", 0),), "G1": (Station("CNW", 0),)},
    )  # fmt: skip
    sold = on.after(state, buy("G1"))
    assert sold.cash["CBQ"] == 500 - 100 - 100
    value, train = on.title.rules.stop_value, on.title.trains["4"]
    assert value(on.table(sold), "CBQ", train, "G1", 0) == 120
    assert value(on.table(sold), "CNW", train, "G1", 0) == 60


@pytest.mark.rule("18MW New Orleans-Southwest Connection")
def test_southern_pacific_sells_its_second_station_and_never_the_first() -> None:
    """Both stand in the same place; its base stays."""
    start = on.turn("station trade", "MP", laid="L8 58 4,L10 57 1", at_phase="4", stations=("L10",))
    state = on.company(start, "SP", {"Ann": 40}, trains=("4",))
    ask = BuyStation(by="Ann", company="MP", source="SP", hex="M7")
    state = on.operating(state, "MP", "station trade")
    on.refused(state, ask, RULE, "its base")
    two = replace(
        state,
        connected={"New Orleans–Southwest": "SP"},
        stations={**state.stations, "M7": (Station("SP", 0), Station("SP", 0))},
    )
    sold = on.after(two, ask)
    assert sorted(s.company for s in sold.stations["M7"]) == ["MP", "SP"]


@pytest.mark.parametrize(
    "text", ["buy station G5 from CNW", "buy station Omaha", "buy token in G5 from C&NW"]
)
def test_it_is_written_as_players_say_it(text: str) -> None:
    """The seller may be left out where one company has a station there."""
    state = burlington()
    assert parse(on.title, state, "Ann", text) == buy()
    assert write(on.title, state, buy()) == "buy station G5 from CNW"


def test_a_place_where_no_company_has_a_station_asks_whose_is_meant() -> None:
    """Nothing is guessed."""
    with pytest.raises(NotationError, match="Of which company"):
        parse(on.title, burlington(), "Ann", "buy station G19")
