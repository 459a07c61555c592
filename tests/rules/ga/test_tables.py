"""18GA, its tables: phases, players, private companies, tiles; and what a phase is (1.2)."""

import pytest
from msgspec.structs import replace

from engine.actions import LayTile, PlaceStation
from engine.events import (
    Floated,
    PrivateBought,
    ShareGiven,
    StationPlaced,
    TileLaid,
    TrainBought,
    TrainGiven,
    TrainsGone,
)
from engine.facts.facts import TrainKind
from engine.play.ending import worth
from engine.position.frames import Auction
from engine.position.values import CLOSED, OFFERING, REMOVED, State
from tests.rules.ga.setting import GA, LINE, on, turn

ALL = dict.fromkeys(GA.privates, "CoG")


def kind(type_: str) -> TrainKind:
    return GA.trains[type_]


@pytest.mark.rule("18GA 1.2")
@pytest.mark.parametrize("name", ["2", "3", "4", "5", "6", "8"])
def test_1_2_the_first_train_of_a_type_begins_its_phase(name: str) -> None:
    """In the middle of a turn, which goes on."""
    every = [t.type for t in GA.facts.train if not t.gift]
    before = GA.phase_order[GA.phase_order.index(name) - 1]
    state = turn("ACL", "trains", laid=LINE, phase=before, cash=2000)
    state = on.own(state, OFFERING, *every[every.index(name) :], "8")
    now = on.after(state, on.buy_train("ACL", name, kind(name).price))
    assert now.phase == name
    assert GA.facts.phase[0].id == "1"


@pytest.mark.rule("18GA Table I start")
def test_table_1_trains_and_first_limits() -> None:
    """Number and price of each type; yellow tiles, four trains, one of the bank a turn."""
    found = {t.type: (t.count, t.price) for t in GA.facts.train if not t.gift}
    assert found == {
        "2": (5, 100),
        "3": (4, 180),
        "4": (3, 300),
        "5": (2, 450),
        "6": (2, 630),
        "8": (5, 800),
    }
    assert [kind(t).reach for t in found] == [2, 3, 4, 5, 6, 8]
    first = GA.phases["1"]
    assert (first.tiles, first.train_limit, first.rounds) == (("yellow",), 4, 1)
    assert (first.bank_trains, first.company_privates) == (1, False)


@pytest.mark.rule("18GA Table I 2")
def test_table_1_the_2_changes_nothing() -> None:
    """But the name of the phase."""
    one, two = GA.phases["1"], GA.phases["2"]
    assert replace(one, id="", on="") == replace(two, id="", on="")


@pytest.mark.rule("18GA Table I 3")
def test_table_1_the_3() -> None:
    """Green, private companies for corporations, two rounds after the next stock round."""
    phase = GA.phases["3"]
    assert (phase.tiles, phase.rounds, phase.company_privates) == (("yellow", "green"), 2, True)
    state = on.company(on.phase(on.stock_turn(), "3"), "ACL", {"Ann": 60})
    assert on.operating_round(state).round.parts == 2


@pytest.mark.rule("18GA Table I 4")
def test_table_1_the_4() -> None:
    """All 2 trains leave, also the free one that nobody has yet; three trains; any number a turn."""
    state = turn("ACL", "trains", "2", laid=LINE, phase="3", cash=900)
    state = on.own(state, OFFERING, "4", "4")
    now = on.after(state, on.buy_train("ACL", "4", 300))
    assert now.trains["OSR"] == ()
    assert sorted(now.trains[REMOVED]) == ["2", "2F"]
    assert (GA.phases["4"].train_limit, GA.phases["4"].bank_trains) == (3, 0)


@pytest.mark.rule("18GA Table I 5")
def test_table_1_the_5() -> None:
    """Private companies leave; two trains; brown; three rounds."""
    state = turn("ACL", "trains", laid=LINE, phase="4", cash=900, owns=ALL | {"LT": "Bob"})
    state = on.own(state, OFFERING, "5", "6")
    now = on.after(state, on.buy_train("ACL", "5", 450))
    assert set(now.privates.values()) == {CLOSED}
    phase = GA.phases["5"]
    assert (phase.train_limit, phase.rounds, phase.tiles[-1]) == (2, 3, "brown")


@pytest.mark.rule("18GA Table I 6")
@pytest.mark.rule("18GA Table I 8")
@pytest.mark.parametrize(("bought", "gone"), [("6", "3"), ("8", "4")])
def test_table_1_the_6_and_the_8(bought: str, gone: str) -> None:
    """The 6 removes the 3 trains, the 8 the 4 trains, at once and everywhere."""
    state = turn("ACL", "trains", gone, laid=LINE, phase="5", cash=900)
    state = on.own(on.company(state, "CoG", {"Bob": 60}, trains=(gone,)), OFFERING, bought, "8")
    state = on.operating(state, "ACL", "trains")
    act = on.buy_train("ACL", bought, kind(bought).price)
    assert on.happened(state, act, TrainsGone) == [TrainsGone(gone, {"ACL": 1, "CoG": 1})]


@pytest.mark.parametrize(
    ("seats", "cash", "limit"),
    [
        pytest.param(3, 600, 15, marks=pytest.mark.rule("18GA Table II 3 players")),
        pytest.param(4, 450, 12, marks=pytest.mark.rule("18GA Table II 4 players")),
        pytest.param(5, 360, 10, marks=pytest.mark.rule("18GA Table II 5 players")),
    ],
)
def test_table_2_cash_and_certificates(seats: int, cash: int, limit: int) -> None:
    """For each number of players."""
    state = on.opening(seats)
    assert {state.cash[seat] for seat in state.seats} == {cash}
    assert on.table(state).certificate_limit() == limit


@pytest.mark.parametrize(
    ("private", "par", "revenue"),
    [
        pytest.param("LT", 20, 5, marks=pytest.mark.rule("18GA Table III LT")),
        pytest.param("MRC", 40, 10, marks=pytest.mark.rule("18GA Table III MRC")),
        pytest.param("W&S", 70, 15, marks=pytest.mark.rule("18GA Table III W&S")),
        pytest.param("OSR", 100, 20, marks=pytest.mark.rule("18GA Table III OSR")),
        pytest.param("M&B", 150, 25, marks=pytest.mark.rule("18GA Table III M&B")),
    ],
)
def test_table_3_par_and_revenue(private: str, par: int, revenue: int) -> None:
    """Of each."""
    facts = GA.privates[private]
    assert (facts.par, facts.revenue) == (par, revenue)


@pytest.mark.rule("18GA Table III")
@pytest.mark.rule("18GA Table III LT")
def test_table_3_who_has_no_power_serves_for_nothing() -> None:
    """Neither tile nor station nor train."""
    state = turn("ACL", laid=LINE, owns={"LT": "ACL"})
    on.refused(state, on.lay("ACL", "9", "F12", 2, power="LT"), "Table III", "LT")
    on.refused(state, on.token("ACL", "I9", power="LT"), "4.2.2", "LT")
    buying = on.operating(state, "ACL", "trains")
    on.refused(buying, on.buy_train("ACL", "2", 50, power="LT"), "Table III", "LT")


# Midland


def midland(laid: str = LINE, phase: str = "3", cash: int = 0) -> State:
    """ACL, far from F12, owns the Midland."""
    return turn("ACL", laid=laid, phase=phase, cash=cash, owns={"MRC": "ACL"})


LAY = on.lay("ACL", "9", "F12", 2, power="MRC")


@pytest.mark.rule("18GA Table III MRC")
def test_mrc_a_free_unconnected_tile_beside_the_ordinary_one() -> None:
    """Before or after it; the Midland stays open."""
    ordinary = on.lay("ACL", "9", "J10", 1)
    state = midland(cash=40)
    assert on.happened(state, LAY, TileLaid) == [TileLaid("ACL", "9", "F12", 2, 0, "MRC")]
    for order in ((LAY, ordinary), (ordinary, LAY)):
        now = on.after(state, *order)
        assert set(now.tiles) >= {"F12", "J10"}
        assert now.privates["MRC"] == "ACL"
        assert now.cash["ACL"] == 0


@pytest.mark.rule("18GA Table III MRC")
def test_mrc_once_and_there_only() -> None:
    """Not twice, not elsewhere."""
    state = on.after(midland(), LAY)
    again = on.lay("ACL", "23", "F12", 2, power="MRC")
    on.refused(state, again, "Table III", "used up")
    on.refused(midland(), on.lay("ACL", "9", "F10", 2, power="MRC"), "Table III", "F12")


@pytest.mark.rule("18GA Table III MRC")
def test_mrc_any_tile_that_the_hex_takes() -> None:
    """7, 8 and 9 on the swamp, a green one on yellow; no city, no colour out of its phase."""
    tiles = {a.tile for a in on.offered(midland(), "Ann", LayTile) if a.power}
    assert tiles == {"7", "8", "9"}
    on.refused(midland(), on.lay("ACL", "57", "F12", 2, power="MRC"), "4.2.1(d)")
    green = on.lay("ACL", "23", "F12", 2, power="MRC")
    laid = f"{LINE},F12 9 2"
    assert on.allowed(midland(laid, "3"), green)
    on.refused(midland(laid, "2"), green, "4.2.1(a)")
    on.refused(midland(), on.lay("ACL", "9", "F12", 1, power="MRC"), "4.2.1(i)", "E")


@pytest.mark.rule("18GA Table III MRC")
def test_mrc_is_spent_with_the_privates() -> None:
    """Closed, it lays nothing."""
    on.refused(on.privates(midland(), {"MRC": CLOSED}), LAY, "Table III", "closed")


# Waycross & Southern


def waycross(*, laid: str = "", cash: int = 0, stations: tuple[str, ...] = ()) -> State:
    """CoG at its station step owns the W&S."""
    state = turn("CoG", "token", laid=laid, cash=cash, stations=stations, owns={"W&S": "CoG"})
    return state


TOKEN = on.token("CoG", "I9", power="W&S")


@pytest.mark.rule("18GA Table III W&S")
@pytest.mark.parametrize("laid", ["", "I9 57 0"])
def test_ws_a_free_unconnected_station_in_waycross(laid: str) -> None:
    """Also before any tile lies there; the private stays open; the next station costs $100."""
    state = waycross(laid=laid)
    assert on.happened(state, TOKEN, StationPlaced) == [StationPlaced("CoG", "I9", 0, power="W&S")]
    now = on.after(state, TOKEN)
    assert (now.cash["CoG"], now.charters["CoG"], now.privates["W&S"]) == (0, 2, "CoG")
    later = on.operating(on.tiles(now, "F6 57 1,F4 9 1"), "CoG", "token")
    on.refused(on.money(later, {"CoG": 60}), on.token("CoG", "C3"), "4.2.2", "$100")


@pytest.mark.rule("18GA Table III W&S")
def test_ws_it_is_the_station_of_the_turn() -> None:
    """None before or after it, and none in another step."""
    state = on.after(waycross(laid="F6 57 0,E7 4 0", cash=500), TOKEN)
    on.refused(state, on.token("CoG", "D10"), "3, 4")
    running = turn("CoG", "trains", "2", laid="F6 57 0,E7 4 0", owns={"W&S": "CoG"})
    on.refused(running, TOKEN, "3, 4")


@pytest.mark.rule("18GA Table III W&S")
def test_ws_needs_a_token_a_circle_and_waycross() -> None:
    """Without them it is refused, and so for another owner."""
    on.refused(on.station(waycross(), "ACL", "I9"), TOKEN, "4.2.2", "Waycross")
    on.refused(waycross(stations=("I9",)), TOKEN, "4.2.2(b)")
    none = replace(waycross(), charters={**waycross().charters, "CoG": 0})
    on.refused(none, TOKEN, "4.2.2", "no token")
    on.refused(waycross(), on.token("CoG", "C3", power="W&S"), "Table III", "Waycross")
    on.refused(on.privates(waycross(cash=500), {"W&S": "Bob"}), TOKEN, "Table III", "Bob")


@pytest.mark.rule("18GA Table III W&S")
def test_ws_is_offered_and_hinted_at() -> None:
    """Among the options, and where a station without power is refused."""
    powers = [a.power for a in on.offered(waycross(), "Ann", PlaceStation)]
    assert powers == ["W&S"]
    on.refused(waycross(cash=500), on.token("CoG", "I9"), "4.2.2(a)", "use W&S: token I9")


# Ocilla Southern


def ocilla(*trains: str, phase: str = "3") -> tuple[State, object]:
    """ACL may buy the Ocilla Southern of its own president."""
    state = turn("ACL", "trains", *trains, laid=LINE, phase=phase, owns={"OSR": "Ann"})
    return state, on.trade("OSR", "Ann", "ACL", 100)


@pytest.mark.rule("18GA Table III OSR")
def test_osr_brings_its_train_at_once_and_not_as_a_purchase() -> None:
    """A train of the bank may be bought all the same; the private stays open."""
    state, act = ocilla()
    assert on.happened(state, act, TrainGiven) == [TrainGiven("ACL", "2F", "OSR")]
    now = on.after(state, act)
    assert (now.trains["ACL"], now.privates["OSR"]) == (("2F",), "ACL")
    assert on.allowed(now, on.buy_train("ACL", "3", 180))


@pytest.mark.rule("18GA Table III OSR")
def test_osr_the_train_is_lost_with_four_trains_or_after_the_first_4() -> None:
    """It leaves the game."""
    state, act = ocilla("2", "2", "3", "3")
    assert on.happened(state, act, TrainsGone) == [TrainsGone("2F", {"OSR": 1})]
    now = on.after(state, act)
    assert now.trains["ACL"] == ("2", "2", "3", "3")
    assert now.trains["OSR"] == ()
    state, act = ocilla(phase="3")
    later = on.own(state, OFFERING, "4", "4")
    later = on.after(on.money(later, {"ACL": 900}), on.buy_train("ACL", "4", 300), act)
    assert later.trains["ACL"] == ("4",)


@pytest.mark.rule("18GA Table III OSR")
def test_osr_the_train_is_never_sold() -> None:
    """To no company and at no price."""
    state = on.company(turn("ACL", "trains", laid=LINE), "CoG", {"Ann": 60}, trains=("2F",))
    state = on.operating(state, "ACL", "trains")
    on.refused(state, on.buy_train("ACL", "2F", 100, "CoG"), "Table III", "2F", "never sold")
    on.refused(state, on.buy_train("ACL", "2F", 0), "4.2.5(b)")


@pytest.mark.rule("18GA Table III OSR")
def test_osr_else_it_is_a_2_train() -> None:
    """It runs to two stops, counts toward the limit and leaves with the first 4."""
    free, two = kind("2F"), kind("2")
    assert (free.reach, free.removed_on) == (two.reach, two.removed_on)
    full = turn("ACL", "trains", "2", "2", "2", "2F", laid=LINE)
    on.refused(full, on.buy_train("ACL", "2", 100), "4.2.5(g)", "4")
    sold = on.happened(turn("ACL", "trains", "2F"), on.buy_train("ACL", "2", 100), TrainBought)
    assert sold == [TrainBought("ACL", "2", OFFERING, 100)]


# Macon & Birmingham


@pytest.mark.rule("18GA Table III M&B")
def test_mb_a_share_of_cog_for_the_first_buyer() -> None:
    """Bought at par or in an auction, it comes out of the initial offering."""
    sold = dict.fromkeys(("LT", "MRC", "W&S", "OSR"), "Cas")
    state = on.private_turn(sold=sold)
    act = on.buy_private("M&B")
    assert on.happened(state, act, PrivateBought) == [PrivateBought("M&B", "Ann", OFFERING, 150)]
    assert on.happened(state, act, ShareGiven) == [ShareGiven("Ann", "CoG", 10, "M&B")]
    now = on.after(state, act)
    assert on.percent(now, "CoG") == {"Ann": 10, OFFERING: 90}


def all_pass(state: State) -> State:
    """The rest of a stock round."""
    before = str(state.round)
    while str(state.round) == before and not isinstance(state.stack[-1], Auction):
        state = on.after(state, on.done(on.waits_for(state)[0]))
    return state


@pytest.mark.rule("18GA Table III M&B")
@pytest.mark.rule("18GA 3.1.2")
def test_mb_the_share_goes_to_whom_bids_most_when_the_lexington_is_forced_on_somebody() -> None:
    """Four rounds of passes: in the fifth Cas gets the LT for nothing, and all bids are settled."""
    state = on.after(on.opening(), on.bid("MRC", 45), on.bid("W&S", 75, "Bob"))
    state = on.after(
        state, on.bid("OSR", 105, "Cas"), on.bid("M&B", 155), on.bid("M&B", 160, "Bob")
    )
    for number in (2, 3, 4):
        state = all_pass(state)
        assert (str(state.round), state.priority) == (f"SR {number}", "Cas")
        cheaper = replace(on.private_turn("Cas", number=number), bids=state.bids)
        paid = 600 - on.after(cheaper, on.buy_private("LT", "Cas")).cash["Cas"]
        assert paid == {2: 15, 3: 10, 4: 5}[number] + 105
    state = all_pass(state)
    assert str(state.round) == "SR 5"
    assert state.privates | {"M&B": ""} == {
        "LT": "Cas", "MRC": "Ann", "W&S": "Bob", "OSR": "Cas", "M&B": ""
    }  # fmt: skip
    assert on.waits_for(state) == ("Ann",)
    now = on.after(state, on.bid("M&B", 165), on.done("Bob"))
    assert (now.privates["M&B"], now.cash["Ann"]) == ("Ann", 600 - 45 - 165)
    assert on.percent(now, "CoG") == {"Ann": 10, OFFERING: 90}
    assert on.waits_for(now) == ("Ann",), "the turn after that of Cas"
    on.refused(now, on.sell(1, "CoG"), "3.2(a)")


def with_share(**more: int) -> State:
    """Ann got the share of CoG; nobody has founded it."""
    state = on.stock_turn(number=more.get("number", 2))
    shares = {"Ann": (10,), OFFERING: (20, *[10] * 7)}
    found: State = replace(state, shares={**state.shares, "CoG": shares})
    return found


@pytest.mark.rule("18GA Table III M&B")
@pytest.mark.rule("18GA 5.1")
def test_mb_the_share_is_worthless_before_cog_has_a_price() -> None:
    """It is not sold and not counted; then it is a share like any other."""
    state = with_share()
    on.refused(state, on.sell(1, "CoG"), "3.2(a)", "CoG")
    assert worth(on.table(state), "Ann") == 600
    founded = on.after(state, on.done(), on.par("CoG", 90, "Bob"))
    assert worth(on.table(founded), "Ann") == 690
    turns = on.after(founded, on.done("Bob"), on.done("Cas"))
    assert on.allowed(turns, on.sell(1, "CoG"))


@pytest.mark.rule("18GA Table III M&B")
def test_mb_the_share_counts_for_floating_and_limits() -> None:
    """With it five shares float CoG; it is a certificate and a share of the 60%."""
    state = with_share()
    assert on.table(state).certificates("Ann") == 1
    state = on.company(state, "CoG", {"Bob": 40, "Ann": 10})
    assert on.happened(state, on.buy("CoG"), Floated) == [Floated("CoG", 900)]
    held = on.company(on.stock_turn(), "CoG", {"Ann": 60})
    on.refused(held, on.buy("CoG"), "3.3(a)")
    own = on.after(with_share(), on.par("CoG", 90))
    assert on.percent(own, "CoG")["Ann"] == 30
    assert own.presidents["CoG"] == "Ann"


@pytest.mark.rule("18GA Table III M&B")
def test_mb_stays_open_and_is_bought_by_a_company_like_any_other() -> None:
    """After CoG has operated, too; it brings the company nothing more."""
    state = turn("CoG", phase="3", owns={"M&B": "Ann"})
    act = on.trade("M&B", "Ann", "CoG", 150)
    assert on.happened(state, act, ShareGiven) == []
    assert on.after(state, act).privates["M&B"] == "CoG"
    ended = on.after(on.privates(turn("CoG"), {"M&B": "Ann"}), on.done())
    assert ended.privates["M&B"] == "Ann"


# tiles

UPGRADES = {
    "3": "141 142 143",
    "4": "141 142",
    "5": "14 15 453a 454a",
    "6": "14 15 453a 454a",
    "7": "26 27 28 29",
    "8": "16 17 19 23 24 25 28 29",
    "9": "19 20 23 24 26 27",
    "57": "14 15 453a",
    "58": "141 142 143",
    "451a": "452a",
    "14": "63 457a 458a",
    "15": "63 457a 458a",
    "16": "43 70",
    "17": "47",
    "19": "45 46",
    "20": "44 47",
    "23": "41 43 45 47",
    "24": "42 43 46 47",
    "25": "40 45 46",
    "26": "42 44 45",
    "27": "41 44 46",
    "28": "39 43 46 70",
    "29": "39 43 45 70",
    "452a": "455a",
    "453a": "456a",
    "454a": "459a",
    "141": "",
    "142": "",
    "143": "",
}
NEXT = {"yellow": "green", "green": "brown"}


def fits(tile: str, hex_: str) -> bool:
    """Whether labels allow a tile on a hex."""
    of_hex = GA.facts.reserved.get(hex_, {}).get(GA.tiles[tile].colour, tile)
    return of_hex == tile and hex_ in GA.reserved_tiles.get(tile, (hex_,))


@pytest.mark.rule("18GA Table IV")
@pytest.mark.parametrize("tile", UPGRADES)
def test_table_4_what_replaces_a_tile(tile: str) -> None:
    """The tiles of the next colour that keep its track, cities and towns in some rotation."""
    old = GA.face(tile, 0)
    found = {
        new
        for new, face in GA.tiles.items()
        if face.colour == NEXT[old.colour]
        and any(GA.keeps(old, new, rotation) for rotation in range(6))
        and any(fits(tile, hex_) and fits(new, hex_) for hex_ in GA.hexes)
    }
    assert found == set(UPGRADES[tile].split())


@pytest.mark.rule("18GA Table IV")
def test_table_4_every_yellow_and_green_tile_is_in_the_chart() -> None:
    """And no tile is missing from it."""
    assert {t for t, face in GA.tiles.items() if face.colour in NEXT} == set(UPGRADES)
