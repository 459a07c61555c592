"""A tile is proposed only if the next run pays for it, and the turn email says what it brings."""

from msgspec.structs import replace

from engine.actions import LayTile
from engine.notation import parse, write
from engine.wording import one
from service.reports import PageLook, Scene, Since, gains, turn_page
from service.reports.example import example, likely
from service.reports.turn import buttons
from tests.rules.mw.setting import on
from tests.service.players import says
from tests.service.reports.games import run_scene, scenes, to


def lay_of(at, seat):
    """The tile of the example of a turn, or None."""
    for line in example(at, seat):
        if line.startswith("lay "):
            return parse(at.title, at.state, seat, line)
    return None


def test_every_tile_that_is_proposed_brings_more_than_it_costs():
    proposed = 0
    for at, _ in scenes(5):
        for seat in at.view.to_act:
            if lay := lay_of(at, seat):
                found = gains.gain(at.title, at.state, lay)
                assert found.after - found.before > found.cost
                proposed += 1
    assert proposed > 5


def test_the_tile_that_brings_most_is_chosen():
    at = run_scene()
    lays = [o.action for o in at.options("Ann") if isinstance(o.action, LayTile)]
    chosen = gains.best_lay(at.title, at.state, lays)
    assert chosen is not None
    most = max(gains.gain(at.title, at.state, lay).net for lay in lays)
    assert gains.gain(at.title, at.state, chosen).net == most > 0


def test_tiles_that_lead_nowhere_are_not_proposed():
    """All tiles in St. Louis cost up to $80, and none gives MP a route."""
    at = Scene("river4", on.title, on.turn("track", "MP", cash=500))
    assert any(isinstance(o.action, LayTile) for o in at.options("Ann"))
    assert lay_of(at, "Ann") is None
    assert next(buttons(at, "Ann")).commands == "\n".join(likely(at, "Ann")) == "buy 2"


def test_the_turn_email_says_what_the_tile_brings():
    at = run_scene()
    text = turn_page(to("Ann"), at, Since(), PageLook(False)).text
    lay = lay_of(at, "Ann")
    found = gains.gain(at.title, at.state, lay)
    words = {"lay": write(at.title, at.state, lay), "before": found.before, "after": found.after}
    cost = gains.COSTS.format(cost=found.cost) if found.cost else ""
    assert says(text, gains.RAISES, **words, cost=cost)


def test_without_a_train_the_run_of_the_cheapest_train_counts():
    at = run_scene()
    bare = replace(at.state, trains={**at.state.trains, "L&N": ()})
    at = Scene("dixie7", at.title, bare)
    lay = lay_of(at, "Ann")
    found = gains.gain(at.title, at.state, lay)
    assert found.train == at.table.cheapest_bank_train().type
    text = turn_page(to("Ann"), at, Since(), PageLook(False)).text
    cost = gains.COSTS.format(cost=found.cost) if found.cost else ""
    words = {"before": found.before, "after": found.after, "train": one(found.train), "cost": cost}
    assert says(text, gains.RAISES_WITH, lay=write(at.title, at.state, lay), **words)
