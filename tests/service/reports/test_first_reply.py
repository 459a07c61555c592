"""What is suggested first, and what is said of the round, where little has happened yet."""

import engine
from service.reports import Scene, position
from service.reports.example import likely
from service.reports.turn import buttons
from tests.rules.mw.setting import on as midwest


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
