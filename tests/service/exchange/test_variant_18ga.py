"""Rules of 18GA that 18xx.games plays otherwise than the rulebook, and what its files say."""

import pytest
from msgspec.structs import replace

from engine.actions import LayTile, PlaceStation, Run, TrainRun
from engine.position.frames import StockTurn
from engine.position.table import Table
from engine.position.values import OFFERING, Round, Station
from engine.titles.registry import load_title
from service.exchange.dialect import NeighbourError
from service.exchange.export import export
from service.exchange.history import Deed
from service.exchange.kinds.stock import BUY_SHARES
from service.exchange.kinds.track import PLACE_TOKEN
from service.exchange.kinds.trains import RUN_ROUTES
from service.exchange.verify import ExportedGame
from tests.rules.titled import Titled
from tests.service.exchange.exports import PLAYERS, bid, numbered

OURS = Titled(load_title("18GA"))
THEIRS = Titled(load_title("18GA", frozenset({"18xx.games"})))
#: from Brunswick to Waycross by Jacksonville
ROUND = "I11 57 2,J10 8 2,I9 57 2"


def test_acl_puts_its_home_station_when_its_par_is_set():
    act = OURS.par("ACL", 70)
    assert OURS.after(OURS.stock_turn(), act).stations == {}
    assert THEIRS.after(THEIRS.stock_turn(), act).stations == {"J12": (Station("ACL", 0),)}


def running(on, name, *stations):
    state = on.company(on.stock_turn(), name, {"Ann": 60}, trains=("3",), stations=stations)
    return on.operating(on.tiles(state, ROUND), name, "run")


def test_trains_of_acl_run_through_jacksonville():
    act = Run(by="Ann", company="ACL", runs=(TrainRun("3", ("I11", "J12", "J10", "I9")),))
    OURS.refused(running(OURS, "ACL"), act, "4.2.3(h)")
    assert THEIRS.allowed(running(THEIRS, "ACL"), act)


def test_nobody_runs_through_jacksonville_before_acl_is_there():
    act = Run(by="Ann", company="CoG", runs=(TrainRun("3", ("I11", "J12", "J10", "I9")),))
    THEIRS.refused(running(THEIRS, "CoG", "I11"), act, "4.2.3(e)", "Jacksonville")


@pytest.mark.parametrize("tile", ["7", "8", "9", "23"])
def test_the_midland_lays_a_plain_yellow_tile(tile):
    def lay(on):
        state = on.company(on.phase(on.stock_turn(), "3"), "ACL", {"Ann": 60})
        laid = "F12 9 2" if tile == "23" else "I11 57 2"
        state = on.privates(on.tiles(state, laid), {"MRC": "ACL"})
        acts = [
            LayTile(by="Ann", company="ACL", tile=tile, hex="F12", rotation=r, power="MRC")
            for r in range(6)
        ]
        return any(on.allowed(on.operating(state, "ACL"), act) for act in acts)

    assert lay(OURS)
    assert lay(THEIRS) == (tile != "23")


def test_what_its_map_costs():
    costs = {h: THEIRS.title.hexes[h].cost for h in ("E3", "F2", "H2", "I3", "G3")}
    assert costs == {"E3": 20, "F2": 20, "H2": 20, "I3": 20, "G3": 0}


def exported(*actions, **more):
    return ExportedGame(
        {"title": "18GA", "players": PLAYERS, "actions": numbered(*actions), **more}
    )


def deed(**raw):
    return Deed(1, raw["type"], {"entity_type": "company", **raw})


def turn(step):
    state = THEIRS.company(THEIRS.stock_turn(), "CoG", {"Ann": 60}, trains=("2F", "2"))
    state = THEIRS.privates(state, {"W&S": "CoG", "LT": "CoG"})
    return THEIRS.operating(state, "CoG", step)


def test_the_station_of_the_waycross_and_southern_is_placed_by_the_private():
    to = exported().course().to
    raw = deed(type="place_token", entity="W&SR", city="I9-0-0", slot=0)
    found = PLACE_TOKEN.read(to, turn("token"), raw)
    assert found == PlaceStation(by="Ann", company="CoG", hex="I9", stop=0, power="W&S")
    with pytest.raises(NeighbourError, match="LT places no token"):
        free = deed(type="place_token", entity="LTR", city="I9-0-0")
        PLACE_TOKEN.read(to, turn("token"), free)


@pytest.mark.parametrize(
    "stretches",
    [
        (["C3", "C1", "D2", "D4"], ["C3", "D4"]),
        (["D4", "C3"], ["D4", "D2", "C1", "C3"]),
    ],
)
def test_two_stretches_between_a_town_and_a_city_of_two_stops_are_joined_where_track_is(stretches):
    state = running(THEIRS, "W&A", "D4")
    state = THEIRS.tiles(state, "C1 7 4,C3 6 5,D2 8 2,D4 455a 5")
    routes = [{"train": "3-0", "connections": list(stretches)}]
    raw = deed(type="run_routes", entity="W&A", entity_type="corporation", routes=routes)
    to = exported().course().to
    to.pieces.trains.move("3-0", "W&A")
    run = RUN_ROUTES.read(to, state, raw)
    ways = [("D4", "D2", "C1", "C3", "D4"), ("D4", "C3", "C1", "D2", "D4")]
    assert [way.path for way in run.runs] in [[way] for way in ways]
    assert THEIRS.allowed(state, run)


def test_a_tile_after_a_purchase_is_of_the_next_turn_where_none_is_left_in_this_one():
    """Their steps for trains and private companies were passed; the same company operates again."""
    company = {"entity": "SAL", "entity_type": "corporation"}
    game = ExportedGame(
        {
            "title": "18GA",
            "players": [{"id": n, "name": seat} for n, seat in enumerate(("Ann", "Bob", "Cas"), 1)],
            "actions": numbered(
                {"type": "lay_tile", "hex": "F12", "tile": "8-0", "rotation": 5, **company},
                {"type": "pass", **company},
                {"type": "pass", **company},
                {"type": "buy_company", "company": "W&SR", "price": 63, **company},
                {"type": "lay_tile", "hex": "F10", "tile": "8-1", "rotation": 2, **company},
            ),
        }
    )
    course = game.course()
    state = THEIRS.company(THEIRS.phase(THEIRS.stock_turn(), "3"), "SAL", {"Ann": 60}, cash=530)
    state = THEIRS.privates(THEIRS.tiles(state, "G13 57 2"), {"W&S": "Bob"})
    course.state = replace(THEIRS.operating(state, "SAL"), round=Round("OR", 2, 1, 2))
    rounds = []
    for index in range(5):
        course.play(index)
        rounds.append(str(course.state.round))
    assert rounds == ["OR 2.1", "OR 2.1", "OR 2.2", "OR 2.2", "OR 2.2"]
    assert course.state.tiles["F10"] == ("8", 2)


def test_the_sixth_2_train_is_the_free_one():
    to = exported().course().to
    assert [to.pieces.trains.type(train) for train in ("2-0", "2-5", "3-3")] == ["2", "2F", "3"]
    assert to.pieces.trains.owner("2-5") == "OSR"
    assert to.pieces.trains.owner("2-6") is None


SALE = (
    bid(11, "LTR", 20),
    bid(22, "MRC", 40),
    bid(33, "W&SR", 70),
    bid(11, "OSR", 100),
    bid(22, "M&BR", 150),
)


def test_the_share_of_the_macon_and_birmingham_is_its_owner_s():
    course = exported(*SALE).course()
    for index in range(len(SALE)):
        course.play(index)
    assert course.to.pieces.certificates.owner("CoG_1") == "Bob Lee"
    raw = Deed(1, "buy_shares", {"type": "buy_shares", "entity": 33, "shares": ["CoG_1"]})
    with pytest.raises(NeighbourError, match="CoG_1 is not for sale"):
        BUY_SHARES.read(course.to, course.state, raw)


def sold_share(market):
    """Bob owns M&B, and so much of CoG is in the open market; Ann presides with 20 percent."""
    state = THEIRS.company(THEIRS.stock_turn(), "CoG", {"Ann": 20, "Cas": 20}, market=market)
    return THEIRS.privates(state, {"M&B": "Bob"})


def test_who_buys_the_macon_and_birmingham_of_a_player_gets_its_share_of_the_market():
    state = sold_share(20)
    trade = THEIRS.trade("M&B", "Bob", "Ann", 1)
    now = THEIRS.after(state, trade, THEIRS.accept("Bob"))
    assert now.privates["M&B"] == "Ann"
    assert (THEIRS.percent(now, "CoG")["Ann"], THEIRS.percent(now, "CoG")["open market"]) == (
        30,
        10,
    )
    assert now.cash["Ann"] == state.cash["Ann"] - 1
    THEIRS.refused(sold_share(0), trade, "3.2(b)", "share")


def test_its_share_may_bring_the_presidency():
    state = replace(sold_share(10), stack=(*sold_share(10).stack[:-1], StockTurn("Cas")))
    now = THEIRS.after(state, THEIRS.trade("M&B", "Bob", "Cas", 5, by="Cas"), THEIRS.accept("Bob"))
    assert now.presidents["CoG"] == "Cas"


def test_by_the_rulebook_the_share_is_given_once():
    state = OURS.company(OURS.stock_turn(), "CoG", {"Ann": 20}, market=20)
    state = OURS.privates(state, {"M&B": "Bob"})
    now = OURS.after(state, OURS.trade("M&B", "Bob", "Ann", 1), OURS.accept("Bob"))
    assert OURS.percent(now, "CoG")["Ann"] == 20


def test_optional_rules_become_variants_and_others_are_refused_by_name():
    rules = {"optional_rules": ["double_yellow_first_or"]}
    assert exported(settings=rules).variants == ("18xx.games", "two-yellow")
    rules = {"optional_rules": ["soft_rust_4t"]}
    assert exported(settings=rules).variants == ("18xx.games", "last-run")
    with pytest.raises(NeighbourError, match="more_fun"):
        exported(settings={"optional_rules": ["more_fun"]})


def test_the_map_with_charleston_is_read_and_written_by_its_name_there():
    game = exported(settings={"optional_rules": ["cotton_port"]})
    assert game.variants == ("18xx.games", "cotton-port")
    assert game.course().title.companies["GA"].more_homes == ("E15",)
    written = export(game.title, ("Ann", "Bob", "Cid"), [])
    assert written["settings"] == {"optional_rules": ["cotton_port"]}
    assert ExportedGame(dict(written)).variants == game.variants


@pytest.mark.parametrize(("rules", "left"), [((), ()), (("last-run",), ("4",))])
def test_4_trains_run_once_more_after_the_first_8_by_an_option(rules, left):
    on = Titled(load_title("18GA", frozenset({"18xx.games", *rules})))
    state = on.company(on.phase(on.stock_turn(), "6"), "CoG", {"Ann": 60}, trains=("4", "4"))
    state = on.company(state, "ACL", {"Bob": 60}, trains=("4",), cash=1000)
    state = on.own(on.operating(state, "ACL", "trains"), OFFERING, "8")
    state = on.after(state, on.buy_train("ACL", "8", 800, by="Bob"))
    assert state.trains.get("ACL", ()) == (*left, "8")
    assert state.trains.get("CoG", ()) == left * 2
    assert Table(on.title, state).obsolete("4") == bool(rules)
