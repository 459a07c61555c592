"""What who is asked reads of a proposal: both sides' money, trains, limits, in every title."""

import engine
from service.reports import Scene
from service.reports.decisions.offers import meaning
from tests.rules import setting as on
from tests.rules.gl.setting import on as lakes
from tests.rules.mw import test_station_trade as mississippi
from tests.rules.mw.setting import on as western
from tests.rules.test_questions import offered, trains


def told(title, state):
    scene = Scene("dixie7", title, state)
    return list(meaning(scene, engine.question(state)))


def test_a_train_is_told_with_both_tills_its_price_and_what_each_has_then():
    assert told(on.AL, trains()) == [
        f"your cash ${trains().cash['Bob']}",
        f"M&O ${trains().cash.get('M&O', 0)} → ${trains().cash.get('M&O', 0) + 150}",
        "L&N $2000 → $1850",
        "a new 2 train costs $100",
        "M&O then has (limit 4): 2",
        "L&N then has (limit 4): 2",
    ]


def test_a_private_is_told_with_what_it_pays():
    lines = told(on.AL, offered())
    cash = offered().cash["Bob"]
    assert lines[0] == f"your cash ${cash} → ${cash - 33}"
    assert "TR has par $20 and pays $5" in lines


def test_leave_is_told_with_the_money_of_the_company():
    state = lakes.turn("track", "IC", owns={"RailWorks": "Bob"})
    waiting = lakes.after(state, lakes.lay("IC", "9", "D16", 0, power="RailWorks"))
    lines = told(lakes.GL, waiting)
    assert lines[0].startswith("your cash $")
    assert lines[1].startswith("IC $")


def test_a_station_is_told_with_what_is_left():
    state = western.after(mississippi.burlington(), mississippi.buy())
    lines = told(western.title, state)
    assert any("tokens left to place then" in line for line in lines)


def test_what_is_not_legal_any_more_has_no_meaning():
    from msgspec.structs import replace

    poor = replace(trains(), cash={**trains().cash, "L&N": 1})
    assert told(on.AL, poor) == []
