"""Where a company stands when its system went on by itself."""

import pytest

from engine.position.frames import Stations, Track, Trains
from service.exchange.dialect import NeighbourError
from service.exchange.verify import ExportedGame, compare, replay
from tests.service.exchange.exports import SOLD, buy, exported, par, passes


def founding(company):
    """The company floats and operates, Ann presides; Cid begins the next stock round."""
    buyers = enumerate((22, 33, 11, 22), 1)
    shares = [buy(who, f"{company}_{number}") for number, who in buyers]
    return (*SOLD, par(11, company, 60), *shares, *passes(33, 11, 22))


def by(company, what, **more):
    return {"type": what, "entity": company, "entity_type": "corporation", **more}


def tile(company, id_, hex_, rotation):
    return by(company, "lay_tile", hex=hex_, tile=id_, rotation=rotation)


def train(company, id_="2-0"):
    return by(company, "buy_train", train=id_, price=100, variant=id_.split("-")[0])


TAG = founding("TAG")
STEVENSON = tile("TAG", "58-0", "C6", 0)
ABC = founding("ABC")
ANNISTON = tile("ABC", "6-0", "G6", 5)


def after(*actions):
    return replay(ExportedGame(exported(*actions)))[0]


def cell(state):
    return state.tokens[0].cell


def test_a_company_waits_for_its_first_tile():
    assert isinstance(after(*TAG).stack[-1], Track)


def test_without_a_city_to_reach_and_without_trains_the_price_falls_with_the_tile():
    state = after(*TAG, STEVENSON)
    assert cell(after(*TAG)) == (2, 2)
    assert cell(state) == (2, 1)
    assert isinstance(state.stack[-1], Trains)


def test_a_city_within_reach_is_waited_for():
    waiting = after(*ABC, ANNISTON)
    assert isinstance(waiting.stack[-1], Stations)
    assert cell(waiting) == (2, 2)
    assert cell(after(*ABC, ANNISTON, by("ABC", "pass"))) == (2, 1)


def test_a_city_s_id_may_be_that_of_a_printed_hex():
    token = by("ABC", "place_token", city="H5-0-0", slot=0)
    assert [s.company for s in after(*ABC, ANNISTON, token).stations["H5"]] == ["ABC"]


def test_a_city_s_id_is_that_of_the_tile_on_its_hex():
    first = (ANNISTON, by("ABC", "pass"), train("ABC"), *passes(33, 11, 22))
    second = (tile("ABC", "441a-0", "G4", 5), by("ABC", "place_token", city="441a-0-0", slot=0))
    assert [s.company for s in after(*ABC, *first, *second).stations["G4"]] == ["ABC"]


def test_the_turn_ends_when_somebody_else_goes_on():
    state = after(*TAG, STEVENSON, train("TAG"), *passes(33))
    assert (state.round.kind, state.round.number) == ("SR", 2)


def test_trains_are_bought_by_type_and_owner():
    state = after(*TAG, STEVENSON, train("TAG"), *passes(33, 11, 22))
    assert state.trains["TAG"] == ("2",)
    assert state.trains["initial offering"].count("2") == 4


def running(*stretches):
    routes = [{"train": "2-0", "connections": list(stretches)}]
    first = (STEVENSON, train("TAG"), *passes(33, 11, 22), by("TAG", "pass"))
    return (*TAG, *first, by("TAG", "run_routes", routes=routes))


def test_stretches_may_be_written_in_either_direction():
    state = after(*running(["D7", "E6"], ["C6", "E6"]))
    assert state.earned["TAG"] == 10 + 20 + 10


def test_a_dividend_is_paid():
    run = running(["D7", "E6"], ["C6", "E6"])
    state = after(*run, by("TAG", "dividend", kind="payout"))
    assert state.cash["Ann"] - after(*run).cash["Ann"] == 12


def test_a_dividend_of_another_kind_is_refused():
    with pytest.raises(NeighbourError, match="kind half"):
        after(*running(["D7", "E6"]), by("TAG", "dividend", kind="half"))


def test_stretches_that_do_not_meet_are_refused():
    with pytest.raises(NeighbourError, match="do not meet"):
        after(*running(["D7", "E6"], ["C6", "B7"]))


def test_a_route_that_our_rules_forbid_is_the_difference():
    verdict = compare(ExportedGame(exported(*running(["D7", "C6"]))))
    assert verdict.first_difference.what.startswith("run_routes: ")
