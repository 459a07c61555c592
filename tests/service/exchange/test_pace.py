"""When 18xx.games waits, by the names of its steps; what its engine confirmed."""

import json

import pytest
from msgspec.structs import replace

from engine.actions import BuyTrain, Dividend
from engine.position.frames import StockTurn
from engine.titles.registry import load_title
from service.exchange.folder import games_of, verify_all
from service.exchange.kinds.trains import ends_trains
from service.exchange.pace import Stage, asked, waits
from tests.rules.tn.setting import on
from tests.service.exchange.exports import plain
from tests.service.exchange.test_variant import THEIRS, position

#: whole games
pytestmark = pytest.mark.long

TENNESSEE = load_title("18TN", frozenset({"18xx.games"}))


def trains(cash, phase="2", **owned):
    """TAG buys trains with so much money, while others own some."""
    state = position(THEIRS, phase=phase, privates={})
    state = replace(state, cash={**state.cash, "TAG": cash})
    return replace(state, trains={**state.trains, **owned})


@pytest.mark.parametrize(
    ("cash", "owned", "waited"),
    [
        (100, {}, True),
        (99, {}, False),
        (99, {"ABC": ("2",)}, True),
        (1, {"ABC": ("2",)}, True),
        (0, {"ABC": ("2",)}, False),
        (500, {"TAG": ("2",) * 4, "ABC": ("2",)}, False),
    ],
)
def test_buy_trains_waits_for_room_and_a_dollar_where_another_company_has_a_train(
    cash, owned, waited
):
    own = {"TAG": ("2",), **owned}
    assert waits(THEIRS, trains(cash, **own), "TAG", Stage.TRAINS) is waited


@pytest.mark.parametrize(("owned", "over"), [({}, True), ({"ABC": ("2",)}, False)])
def test_the_one_train_of_the_bank_ends_the_step_where_no_other_company_has_one(owned, over):
    state = trains(500, **owned)
    bought = replace(state.stack[-1], bought=1)
    state = replace(state, stack=(*state.stack[:-1], bought))
    action = BuyTrain(by="Ann", company="TAG", train="2", source="initial offering", price=100)
    assert ends_trains(THEIRS, state, action) is over
    assert not ends_trains(THEIRS, state, replace(action, source="ABC"))
    assert not ends_trains(THEIRS, state, replace(action, power="NDY"))


@pytest.mark.parametrize(
    ("owner", "cash", "waited"), [("Bob", 1, True), ("Bob", 0, False), ("Ann", 1, False)]
)
def test_a_player_with_a_dollar_is_asked_while_another_has_a_private_company(owner, cash, waited):
    state = position(THEIRS, privates={"TR": owner})
    # all that could be sold is none, and a share costs more
    others = {"Bob": (20, 10, 10), "initial offering": (10,) * 6}
    state = replace(state, shares={**state.shares, "TAG": others}, presidents={"TAG": "Bob"})
    state = replace(state, cash={**state.cash, "Ann": cash})
    assert asked(THEIRS, state, StockTurn("Ann")) is waited


BOTH = "F17 57 1,F19 8 1,E20 8 4,F15 9 1,F13 4 1,F11 TN2 0"


def test_a_train_at_home_is_the_one_that_the_war_takes_there():
    """Their routes_revenue takes away the poorest route only where all trains run."""
    state = on.turn("SOU", "run", laid=BOTH, at_phase="3½", trains=("2", "3"))
    state = replace(state, idle=("SOU",))
    then = on.after(state, on.run("SOU", ("3", "F17-F15-F13-F11")), title=TENNESSEE)
    assert then.earned["SOU"] > 0
    pay = Dividend(by=then.presidents["SOU"], company="SOU", kind="pay")
    assert on.allowed(then, pay, title=TENNESSEE)


def test_a_folder_tells_what_agrees_and_where_the_others_part(tmp_path):
    good = plain("18al-sensible-price")
    bad = {**good, "actions": good["actions"][:4] + good["actions"][5:]}
    (tmp_path / "a.json").write_text(json.dumps(good))
    (tmp_path / "b.json").write_text(json.dumps(bad))
    (tmp_path / "c.json").write_text("{}")
    seen = []
    found = list(verify_all(games_of(tmp_path), lambda done, total: seen.append((done, total))))
    assert [game.agrees for game in found] == [True, False, False]
    assert found[0].difference == ""
    assert "action" in found[1].difference
    assert "title" in found[2].difference
    assert seen[-1] == (3, 3)
