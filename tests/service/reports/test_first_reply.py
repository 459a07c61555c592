"""What is suggested first, and what is said of the round, where little has happened yet."""

from msgspec.structs import replace

import engine
from engine.position.values import Bid
from service.reports import Scene, position
from service.reports.example import fuller, likely
from service.reports.turn import buttons
from tests.engine.notation import positions
from tests.rules.gl.setting import on as lakes
from tests.rules.mw.setting import on as midwest
from tests.service.reports.games import scene as alabama


def begun(variants=()):
    title = engine.load_title("18AL", frozenset(variants))
    return title, engine.new_game(title, ("Ann", "Bob", "Cat")).state


def first_pars():
    """The first position of a game in which somebody may start a company and none stands."""
    title, state = begun()
    for _ in range(60):
        [seat, *_] = engine.to_act(title, state)
        actions = [o.action for o in engine.options(title, state, seat) if hasattr(o, "action")]
        kinds = {type(action).__name__ for action in actions}
        if "Par" in kinds and not state.presidents:
            return Scene("dixie7", title, state), seat
        wanted = next((a for a in actions if type(a).__name__ == "BuyPrivate"), None)
        assert wanted is not None, kinds
        state = engine.apply(title, state, wanted).state
    raise AssertionError("no company could be started")


def test_before_a_company_stands_the_first_suggestion_is_to_start_one():
    scene, seat = first_pars()
    assert likely(scene, seat)[0].split()[0] in ("start", "par")
    first = next(buttons(scene, seat))
    assert first.commands.split()[0] in ("start", "par")


def test_a_waterfall_auction_is_not_said_to_end_in_an_operating_round():
    title, state = begun(["18xx.games"])
    assert title.facts.stock.private_sale == "waterfall"
    told = str(position.coming(Scene("dixie7", title, state)))
    assert "OR 1.1" not in told
    title, state = begun()
    assert "OR 1.1" in str(position.coming(Scene("dixie7", title, state)))


def test_an_example_gives_up_no_private_company_for_a_train_that_can_be_bought():
    """The Mobile and Ohio costs $180; a first train costs $80."""
    state = midwest.privates(midwest.turn("trains", "IC"), {"MO": "Ann"})
    buys = [o.action for o in engine.options(midwest.title, state, "Ann") if hasattr(o, "action")]
    assert {buy.power for buy in buys if type(buy).__name__ == "BuyTrain"} >= {"", "MO"}
    first, *_ = likely(Scene("prairie", midwest.title, state), "Ann")
    assert first.startswith("buy 2") and "MO" not in first


def test_the_first_button_of_an_auction_raises_no_bid_and_the_second_does():
    """Ann has bid on M&C, which costs $100, and Bob has bid $115."""
    bids = {"M&C": (Bid("Ann", 105), Bid("Bob", 115))}
    at = alabama(replace(positions.auction(), bids=bids))
    assert (likely(at, "Ann"), fuller(at, "Ann")) == (("pass",), ("bid M&C 120",))
    first, second, *_ = buttons(at, "Ann")
    assert (first.commands, second.commands) == ("pass", "bid M&C 120")


def test_the_first_button_bids_no_more_than_the_face_value():
    """One private company after another has a bid; when all have one, the first button passes."""
    state, pars = midwest.opening(), midwest.title.privates
    for private in midwest.title.privates_by_par:
        [seat] = engine.to_act(midwest.title, state)
        at = Scene("prairie", midwest.title, state)
        assert likely(at, seat) == (f"bid {private} {pars[private].par}",)
        assert fuller(at, seat) == ()
        bids = {**state.bids, private: (Bid("Cas", pars[private].par),)}
        state = replace(state, bids=bids)
    at = Scene("prairie", midwest.title, state)
    cheapest = midwest.title.privates_by_par[0]
    assert likely(at, seat) == ("pass",)
    assert fuller(at, seat) == (f"bid {cheapest} {pars[cheapest].par + 5}",)


def test_who_cannot_buy_the_cheapest_private_company_is_not_told_to_bid_on_a_dearer_one():
    state = lakes.private_turn()
    cheapest, dearer, *_ = lakes.title.privates_by_par
    at = Scene("lakes", lakes.title, state)
    assert likely(at, "Ann") == (f"buy {cheapest}",)
    par = lakes.title.privates[cheapest].par
    state = replace(state, bids={dearer: (Bid("Ann", state.cash["Ann"] - par + 5),)})
    at = Scene("lakes", lakes.title, state)
    assert likely(at, "Ann") == ("pass",)
