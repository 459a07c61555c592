"""18AL: everything that the engine can refuse, by what it is about, with the rule that it cites."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from engine.actions import Action, DiscardTrain, GoBankrupt, IdleTrain, Insist, NameTrain, PlaceMark
from engine.position.frames import Auction, Discard, Home
from engine.position.table import Table
from engine.position.values import MARKET, OFFERING, Bid, State
from engine.titles.families.southern import SECTIONS
from engine.titles.registry import load_title
from tests.rules import setting as on

LINE = "C4 57 0,E4 9 0,G4 441a 3"
Case = tuple[Callable[[], State], Action]
#: what only the facts of its relatives can give rise to
ELSEWHERE = {"barred hexes", "founding", "gift train", "power station", "upgrade chart"}


def stock(held: dict[str, int] | None = None, market: int = 0, number: int = 2) -> State:
    """Ann's stock turn; L&N is founded."""
    state = on.stock_turn(number=number)
    return on.company(state, "L&N", held or {"Ann": 30, "Bob": 20}, market=market)


def turn(step: str, *trains: str, laid: str = LINE, phase: str = "1", cash: int = 500) -> State:
    """L&N's turn under Ann; Bob holds a share and insists, M&O is Ann's too."""
    state = on.phase(on.stock_turn(), phase)
    state = on.company(state, "L&N", {"Ann": 50, "Bob": 10}, cash=cash, trains=trains)
    state = on.company(state, "M&O", {"Ann": 60}, par=60, trains=("4",))
    state = replace(on.operating(state, "L&N", step), insist=("Bob",))
    return on.tiles(state, laid) if laid else state


def auction() -> State:
    """Ann and Bob bid for the S&NA."""
    bids = {"S&NA": (Bid("Ann", 45), Bid("Bob", 50))}
    state = replace(on.private_turn(sold={"TR": "Cas"}), bids=bids)
    return replace(state, stack=(*state.stack, Auction("S&NA", "Ann", "Bob", 50)))


def full() -> State:
    """Ann has 15 certificates; TAG is for sale."""
    state = on.stock_turn()
    for name in ("L&N", "M&O"):
        state = on.company(state, name, {"Ann": 60})
    state = on.privates(state, dict.fromkeys(on.AL.privates, "Ann"))
    return on.company(state, "TAG", {"Bob": 20}, par=60)


def sold(order: bool) -> State:
    """Ann has sold a share of L&N, and founded ATN after it if ``order``."""
    state = on.after(stock(), on.sell(1, "L&N"))
    return on.after(state, on.par("ATN", 60)) if order else state


def discarding() -> State:
    """M&O, Bob's, is over the limit."""
    state = on.company(on.phase(on.stock_turn(), "5"), "M&O", {"Bob": 60}, trains=("3", "4", "5"))
    return replace(state, stack=(*state.stack, Discard(("M&O",))))


CASES: dict[str, Case] = {
    "turn order": (stock, on.done("Bob")),
    "private companies": (on.private_turn, on.bid("XYZ", 125)),
    "companies": (stock, on.par("XYZ", 60)),
    "private purchase": (on.private_turn, on.buy_private("NDY")),
    "bid": (on.private_turn, on.bid("NDY", 124)),
    "auction": (auction, on.bid("S&NA", 54)),
    "sale": (stock, on.sell(4, "L&N")),
    "first round": (lambda: stock(number=1), on.sell(1, "L&N")),
    "market limit": (lambda: stock(market=50), on.sell(1, "L&N")),
    "president's certificate": (lambda: stock({"Ann": 30, "Bob": 10}), on.sell(2, "L&N")),
    "private between players": (stock, on.trade("TR", "Ann", "Bob", 5)),
    "purchase": (lambda: on.money(stock(), {"Ann": 89}), on.buy("L&N")),
    "par": (stock, on.par("WRA", 100)),
    "president's purchase": (stock, on.par("L&N", 60)),
    "share of the offering": (stock, on.buy("WRA")),
    "share of the market": (stock, on.buy_used("L&N")),
    "one purchase": (lambda: on.after(stock(), on.buy("L&N")), on.par("WRA", 60)),
    "bought after sold": (lambda: sold(False), on.buy("L&N")),
    "order of a stock turn": (lambda: sold(True), on.sell(1, "L&N")),
    "player limit": (lambda: stock({"Ann": 60}), on.buy("L&N")),
    "certificate limit": (full, on.buy("TAG")),
    "operating order": (lambda: turn("track"), on.lay("M&O", "9", "O2")),
    "home station": (
        lambda: replace(turn("track"), stack=(*turn("track").stack[:-1], Home("L&N"))),
        on.token("L&N", "C4"),
    ),
    "tile lays": (
        lambda: on.after(turn("track"), on.lay("L&N", "9", "B3", 1)),
        on.lay("L&N", "4", "C2", 1),
    ),
    "tile phases": (lambda: turn("track"), on.lay("L&N", "14", "C4")),
    "tile supply": (
        lambda: turn("track", laid="K2 57 0,H3 57 0,J7 57 0,L5 57 0"),
        on.lay("L&N", "57", "C4"),
    ),
    "tile colours": (lambda: turn("track"), on.lay("L&N", "9", "F1")),
    "cities on tiles": (lambda: turn("track", laid=""), on.lay("L&N", "9", "C4")),
    "towns on tiles": (lambda: turn("track", laid="B3 9 1"), on.lay("L&N", "9", "C2", 1)),
    "tile cost": (lambda: turn("track", laid="", cash=19), on.lay("L&N", "57", "C4")),
    "reserved tiles": (lambda: turn("track", laid="C4 57 0,E4 9 0"), on.lay("L&N", "57", "G4")),
    "track kept": (lambda: turn("track", phase="3"), on.lay("L&N", "14", "C4", 1)),
    "exits of tiles": (lambda: turn("track"), on.lay("L&N", "7", "B3", 3)),
    "tile connection": (lambda: turn("track"), on.lay("L&N", "57", "L5")),
    "power tile": (lambda: turn("track"), on.lay("L&N", "445", "G2")),
    "station": (lambda: turn("token"), on.token("L&N", "E4")),
    "station cost": (lambda: turn("token", cash=39), on.token("L&N", "C4")),
    "station connection": (lambda: turn("token"), on.token("L&N", "K2")),
    "one station a hex": (
        lambda: on.station(turn("token", laid=LINE.replace("441a 3", "442a 0")), "L&N", "G4"),
        on.token("L&N", "G4"),
    ),
    "reserved circle": (lambda: turn("token"), on.token("L&N", "L5")),
    "order of an operating turn": (lambda: turn("trains", "2"), on.run("L&N", ("2", "A4-C4"))),
    "own trains": (lambda: turn("run", "2"), on.run("L&N", ("3", "A4-C4"))),
    "route": (lambda: turn("run", "2"), on.run("L&N", ("2", "A4-E4"))),
    "track once": (
        lambda: turn("run", "5", laid="C4 57 0,E4 25 3,F3 7 4,G4 442a 0,F5 7 1"),
        on.run("L&N", ("5", "C4-E4-F3-G4-F5-E4-C4")),
    ),
    "forks": (
        lambda: turn("run", "5", laid="C4 57 0,E4 25 3,F3 7 4,G4 442a 0,F5 7 1"),
        on.run("L&N", ("5", "G4-F3-E4-F5-G4")),
    ),
    "through cities": (lambda: turn("run", "3"), on.run("L&N", ("3", "A4-C4-A4"))),
    "blocked cities": (
        lambda: on.station(turn("run", "3"), "TAG", "C4"),
        on.run("L&N", ("3", "A4-C4-E4-G4")),
    ),
    "own station": (lambda: turn("run", "3"), on.run("L&N", ("3", "C4-E4-G4"))),
    "stops once": (
        lambda: turn("run", "3", laid="H7 7 4,I8 7 2"),
        on.run("L&N", ("3", "G8-H7-I8-G8")),
    ),
    "off-board ends": (
        lambda: turn("run", "3", laid="C4 57 0,B3 9 1,C2 4 1"),
        on.run("L&N", ("3", "C4-A4-B3-C2")),
    ),
    "train reach": (lambda: turn("run", "2"), on.run("L&N", ("2", "A4-C4-E4-G4"))),
    "separate track": (
        lambda: turn("run", "2", "3"),
        on.run("L&N", ("2", "A4-C4"), ("3", "A4-C4-E4-G4")),
    ),
    "best run": (lambda: turn("run", "3"), on.run("L&N", ("3", "A4-C4"))),
    "dividend": (lambda: replace(turn("dividend", "2"), earned={"L&N": 60}), on.done()),
    "train order": (lambda: turn("trains"), on.buy_train("L&N", "3", 180)),
    "face value": (lambda: turn("trains"), on.buy_train("L&N", "2", 99)),
    "company train": (lambda: turn("trains"), on.buy_train("L&N", "4", 0, "M&O")),
    "one bank train": (
        lambda: on.after(turn("trains"), on.buy_train("L&N", "2", 100)),
        on.buy_train("L&N", "2", 100),
    ),
    "train limit": (lambda: turn("trains", *["2"] * 4), on.buy_train("L&N", "2", 100)),
    "discard": (discarding, DiscardTrain(by="Bob", company="M&O", train="2")),
    "obsolete train": (lambda: turn("trains", phase="7"), on.buy_train("L&N", "4", 50, "M&O")),
    "forced purchase": (lambda: turn("trains"), on.done()),
    "president's aid": (lambda: turn("trains", "2", cash=50), on.buy_train("L&N", "2", 100)),
    "cheapest train": (
        lambda: on.own(turn("trains", phase="4", cash=0), MARKET, "5"),
        on.buy_train("L&N", "5", 450, MARKET),
    ),
    "aid sale": (lambda: turn("trains", "2"), on.sell(1, "M&O")),
    "bankruptcy": (lambda: turn("trains"), GoBankrupt(by="Ann", company="L&N")),
    "company buys private": (
        lambda: on.privates(turn("track"), {"TR": "Ann"}),
        on.trade("TR", "Ann", "L&N", 20),
    ),
    "mark": (lambda: turn("track"), PlaceMark(by="Ann", company="L&N", private="S&NA", hex="G4")),
    "idle train": (lambda: turn("run", "3"), IdleTrain(by="Ann", company="L&N", train="3")),
    "train name": (
        lambda: turn("run", "3"),
        NameTrain(by="Ann", company="L&N", name="Pan American", train="3"),
    ),
    "discount": (
        lambda: turn("trains", phase="3"),
        on.buy_train("L&N", "3", 90, OFFERING, power="NDY"),
    ),
}


def test_every_refusal_has_a_case() -> None:
    """No kind of refusal is without its proof, and no proof without its kind."""
    assert set(CASES) | ELSEWHERE == set(SECTIONS)
    assert not set(CASES) & ELSEWHERE


def test_every_title_of_the_family_cites_a_section_for_all() -> None:
    """A group's own facts may bring the powers of one title into another."""
    for name in ("18AL", "18GA", "18TN"):
        assert set(load_title(name).rules.sections) == set(SECTIONS), name


@pytest.mark.parametrize("about", CASES)
def test_refusal_cites_its_rule(about: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The act is refused for that reason and no other, by that section, with words and nothing changed."""
    build, act = CASES[about]
    asked: list[str] = []
    rule = Table.rule

    def spy(self: Table, key: str) -> str:
        asked.append(key)
        return rule(self, key)

    state = build()
    monkeypatch.setattr(Table, "rule", spy)
    found = on.why_not(state, act)
    assert found is not None
    assert asked[-1] == about
    monkeypatch.undo()
    assert on.refused(state, act, SECTIONS[about]).text
    assert found == on.why_not(state, act)


def test_insisting_twice_is_refused() -> None:
    """Who insists already cannot begin to."""
    on.refused(on.opening(), Insist(by="Ann", on=True), "4.2.3.1", "Ann")


def test_names_that_do_not_exist_are_refused() -> None:
    """Each by what there is of its kind."""
    on.refused(on.private_turn(), on.bid("XYZ", 125), "1.3.1", "XYZ", "NDY")
    on.refused(stock(), on.trade("TR", "Ann", "Bobby", 5), "1.3.1", "Bobby")
    on.refused(stock(), on.par("XYZ", 60), "1.3.2", "XYZ", "L&N")
    on.refused(turn("track"), on.lay("L&N", "9", "B3", 7), "4.2.1(i)", "7")
    on.refused(turn("token"), on.token("L&N", "C4", stop=-1), "4.2.2", "C4")
