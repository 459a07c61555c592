"""Every line of the orders' grammar and every ready-made order, in each of the titles."""

import pytest

from engine.position.table import Table
from service.orders.building import Names
from service.orders.grammar import read
from service.orders.writing import write
from tests.rules import setting
from tests.rules.ga.setting import on as ga
from tests.rules.gl.setting import on as gl
from tests.rules.mw.setting import on as mw
from tests.rules.titled import Titled
from tests.rules.tn.setting import on as tn
from tests.service.orders.follow import plays

#: title → its words, a company of Ann's, one of Bob's, a private company, two trains, a hex
TITLES = {
    "18AL": (Titled(setting.AL), "L&N", "M&O", "NDY", "2", "3", "E4"),
    "18GA": (ga, "CoG", "SAL", "MRC", "2", "3", "H10"),
    "18TN": (tn, "L&N", "IC", "TCC", "2", "3", "D9"),
    "18GL": (gl, "NYC", "B&O", "C&E", "2H", "4H", "C11"),
    "18MW": (mw, "IC", "NP", "HSJ", "2", "3", "E5"),
}

#: what a player may write, and how it is written back where that is otherwise
LINES = {
    # heads, steps and lives
    "next: sell 2 {c}, buy {d} market else buy {d} ipo": "",
    "standing pass": "",
    "always pass if outbid": "",
    "operate {c}: run, pay": "",
    "{c}: run, withhold": "operate {c}: run, withhold",
    "buy {d} until alarm then pass until round ends": "",
    "standing pass for turn": "",
    "always pass for round": "",
    "operate {c}: run, pay for set": "",
    "pass until alarm for 2 rounds": "",
    "next: pass for game": "",
    # actions
    "operate {c}: skip, run, pay, ask": "",
    "next: if outbid pass": "next: pass if outbid",
    "next: pass unless phase changes": "",
    "next: pass if alarm else sell 1 {c} unless alarm else ask": "",
    # events
    "pass until anyone sells": "",
    "pass until Bob sells {c}": "",
    "pass until anyone buys {d}": "",
    "pass until anyone bids": "",
    "pass until Bob bids {p}": "",
    "pass until {d} is started or {d} floats": "",
    "pass until president of {c} changes": "",
    "pass until train {u} is bought": "",
    "pass until phase changes or round ends or alarm": "",
    # states
    "next: pass if price {c} <= 100 and par {c} > 50": "",
    "next: pass if run {c} < $200": "next: pass if run {c} < 200",
    "next: pass if cash {c} >= 90 or cash me < 50 or cash Bob = 0": "",
    "next: pass if shares me {c} >= 3 and shares Bob {d} > 1": "",
    "next: pass if ipo {c} = 0 or pool {d} > 2": "",
    "next: pass if phase >= {t}": "",
    "next: pass if trains left {u} = 0 or next train = {u}": "",
    "next: pass if high bid {p} < 120": "",
    "next: pass if {c} has a train and {d} is floated": "",
    "next: pass if {h} is free and not Bob presides {d}": "",
    "next: pass if not (alarm or outbid)": "",
    # what is short for something
    "pass round": "pass until alarm or round ends",
    "standing buy {d} until float then pass round":
        "standing buy {d} until {d} is floated then pass until alarm or round ends",
    "buy {d} market until 5 shares": "buy {d} market until shares me {d} >= 5",
    "bid {p} up to 130": "",
    "standing pass unless outbid": "",
    "always protect {c} up to 400 if shares me {c} >= 3": "",
}  # fmt: skip


def words(name, text):
    c, d, p, t, u, h = TITLES[name][1:]
    return text.format(c=c, d=d, p=p, t=t, u=u, h=h)


@pytest.mark.parametrize("name", TITLES)
@pytest.mark.parametrize("line, canonical", LINES.items())
def test_each_line_is_read_and_written_in_one_way(name, line, canonical):
    names = Names(TITLES[name][0].title, ("Ann", "Bob", "Cas"))
    order = read(names, words(name, line))
    assert write(order) == words(name, canonical or line)
    assert read(names, write(order)) == order


def stock(name):
    """Ann's stock turn; she presides over one company, Bob over another that the market has."""
    on, c, d, _, t, *_ = TITLES[name]
    state = on.company(on.stock_turn(), c, {"Ann": 60}, cash=500, trains=(t,), market=20)
    state = on.company(state, d, {"Bob": 60}, cash=500, market=20)
    return on.money(state, {"Ann": 500})


@pytest.mark.parametrize("name", TITLES)
@pytest.mark.parametrize("line, played, status", [
    ("pass round", ["pass"], "open"),
    ("pass until round ends", ["pass"], "open"),
    ("pass until anyone sells", ["pass"], "open"),
    ("pass until alarm or anyone buys {d}", ["pass"], "open"),
    ("standing buy {d} until float then pass round", ["pass"], "open"),
    ("standing buy {d} market if price {d} <= 120 for 2 rounds", ["buy {d} market"], "open"),
    ("buy {d} market until 5 shares", ["buy {d} market"], "open"),
    ("next: sell 1 {c}, buy {d} market else buy {d} ipo", ["sell 1 {c}", "buy {d} market"], "done"),
    ("next: pass if shares me {c} >= 3 and {c} has a train", ["pass"], "done"),
    ("next: pass if {d} has a train", [], "open"),
    ("standing pass unless outbid", ["pass"], "open"),
    ("operate {c}: run, pay", [], "open"),
    ("next: ask", [], "suspended"),
])  # fmt: skip
def test_each_is_carried_out_in_a_stock_turn(name, line, played, status):
    on, state = TITLES[name][0], stock(name)
    found, then = plays(on.title, state, "Ann", words(name, line))
    wanted = [words(name, text) for text in played]
    assert (found[: len(wanted)], bool(found), then) == (wanted, bool(wanted), status)


@pytest.mark.parametrize("name", TITLES)
@pytest.mark.parametrize("line, last", [
    ("operate {c}: run, pay, buy {t}", "buy {t}"),
    ("operate {c}: lay 9 {h} r0 else skip, run, pay, buy {t} if cash {c} >= 300", "buy {t}"),
    ("operate {c}: run, withhold if price {c} < 80 else pay, buy {t}", "buy {t}"),
    ("{c}: run, pay, buy {t} unless cash {c} < 100, ask if cash {c} >= 9000", "buy {t}"),
])  # fmt: skip
def test_each_is_carried_out_in_a_company_s_turn(name, line, last):
    """The company has neither train nor route, and buys one."""
    on, c = TITLES[name][:2]
    state = on.operating(on.company(on.stock_turn(), c, {"Ann": 60}, cash=500), c, "track")
    played, status = plays(on.title, state, "Ann", words(name, line))
    assert words(name, last) in played
    assert status == "done"


@pytest.mark.parametrize("name", TITLES)
def test_ask_hands_the_rest_of_the_turn_to_its_player(name):
    on, c = TITLES[name][:2]
    state = on.operating(on.company(on.stock_turn(), c, {"Ann": 60}, cash=500), c, "track")
    text = words(name, "operate {c}: buy {t}, ask if trains left {t} > 0 or cash {c} >= 450")
    played, status = plays(on.title, state, "Ann", text)
    assert (played, status) == ([words(name, "buy {t}")], "done")


@pytest.mark.parametrize("name", TITLES)
def test_a_bid_up_to_a_limit_is_the_least_that_may_be_bid(name):
    on = TITLES[name][0]
    state = on.opening()
    p = Table(on.title, state).unsold()[-1]
    played, status = plays(on.title, state, "Ann", f"bid {p} up to 900")
    assert (len(played), status) == (1, "open")
    assert played[0].startswith(f"bid {p} ")
