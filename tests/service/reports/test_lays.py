"""What tiles cost, way by way, where players choose them."""

import pytest

from engine import apply, to_act
from engine.notation import parse
from service.reports import Scene, answers
from service.reports.lays import prices, sites
from tests.rules.mw.setting import on
from tests.service.reports.games import course, run_scene


def by_the_river():
    """MP's turn in St. Louis: how a tile lies decides how many bridges it has."""
    return Scene("river4", on.title, on.turn("track", "MP", cash=500, trains=("2",)))


def paid(at, seat, tile, hex_, way):
    """What the company of the turn pays for a tile."""
    action = parse(at.title, at.state, seat, f"lay {tile} {hex_} {way}".replace(" any way", ""))
    after = apply(at.title, at.state, action).state
    return at.state.cash[action.company] - after.cash[action.company]


def test_each_way_has_the_price_that_is_paid_for_it():
    at = by_the_river()
    (site,) = sites(at, "Ann")
    assert len(site.costs) > 2
    for tile, ways in site.tiles.items():
        for way, cost in ways.items():
            assert paid(at, "Ann", tile, site.hex, way) == cost


def test_a_hex_of_several_prices_is_listed_with_the_range_and_each_way_with_its_own():
    text = " ".join(answers.options(by_the_river(), "Ann").text.split())
    assert "J14 St. Louis $0 to $80: 5 (6 ways, $0 to $80)" in text
    assert "57 SW-NE $40 or W-E $40 or NW-SE $60" in text
    told = " ".join(answers.tiles(by_the_river(), "J14").text.split())
    assert "ON J14 St. Louis, $0 to $80" in told
    assert "SW-W free W-NW $20 NW-NE $60" in told


def test_where_all_ways_cost_the_same_only_the_hex_has_a_price():
    told = answers.tiles(run_scene(), "C4").text
    assert "ON C4 Decatur, free" in told and told.count("free") == 1
    assert prices([40, 40]) == "$40"


@pytest.mark.long
@pytest.mark.parametrize("name", ["18al", "18ga", "18tn", "18gl", "18mw"])
def test_in_recorded_games_each_way_has_the_price_that_is_paid_for_it(name):
    title, found = course(name)
    costs = set()
    for state, _ in found[::23]:
        at = Scene("dixie7", title, state)
        for seat in to_act(title, state)[:1]:
            for site in (site for site in sites(at, seat) if not site.power):
                for tile, ways in site.tiles.items():
                    way, cost = next(iter(ways.items()))
                    assert paid(at, seat, tile, site.hex, way) == cost
                    costs.add(cost)
    assert 0 in costs and len(costs) > 1
