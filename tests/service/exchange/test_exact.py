"""A position depends on nothing that follows; pieces are read by their ids, old routes by stops."""

import json

import pytest

from service.exchange.export import export
from service.exchange.kinds import stock, track, trains
from service.exchange.verify import ExportedGame, compare, replay
from tests import games
from tests.service.exchange.exports import plain, with_log
from tests.service.players import says

#: whole games
pytestmark = pytest.mark.long

NAMES = [name.partition("/")[2] for name in games.names("exchange/*")]


def changed(name, at, *put, drop=1):
    """A game in which the actions from a place on are replaced by others."""
    log = plain(name)["actions"]
    log[at : at + drop] = put
    return with_log(plain(name), [{**action, "id": n} for n, action in enumerate(log, 1)])


def place(name, **fields):
    """The first action with such fields."""
    log = plain(name)["actions"]
    return next(n for n, a in enumerate(log) if fields.items() <= a.items())


def refusal(game):
    found = compare(game).first_difference
    return found.action, found.what


@pytest.mark.parametrize("name", NAMES)
def test_a_game_that_is_cut_stands_where_the_whole_game_stood(name):
    log = plain(name)["actions"]
    course = with_log(plain(name), log).course()
    for index in range(len(log)):
        course.play(index)
        if index % 97 == 0:
            assert replay(with_log(plain(name), log[: index + 1]))[0] == course.state


@pytest.mark.parametrize("name", NAMES)
def test_no_pass_of_an_export_can_be_left_out_or_added(name):
    """What follows a pass is refused without it, unless it fits as well."""
    log = plain(name)["actions"]
    passes = [n for n, a in enumerate(log) if a["type"] == "pass" and a["entity_type"] != "player"]
    for at in passes[:: max(1, len(passes) // 3)]:
        without = changed(name, at)
        following = log[at + 1] if at + 1 < len(log) else {"type": "end_game"}
        if following["type"] not in ("pass", "buy_company", "assign", "end_game"):
            action, _ = refusal(without)
            assert action == at + 1
        twice = refusal(changed(name, at, log[at], log[at]))
        assert twice[0] >= at + 2


def test_an_export_without_a_pass_would_not_be_written(monkeypatch):
    from service.exchange import passage
    from service.exchange.dialect import NeighbourError

    game = games.game("exchange/18al-sensible-price")
    write = passage.Passage._write

    def forgets(self, raw):
        if raw["type"] != "pass" or raw["entity_type"] == "player":
            write(self, raw)

    monkeypatch.setattr(passage.Passage, "_write", forgets)
    with pytest.raises(NeighbourError, match=r"18xx\.games would not play it so"):
        export(game.title, game.states[0].seats, enumerate(game.actions, 1), "x")


@pytest.mark.parametrize("train", ["3-1", "2-1", "2-9", "9-0"])
def test_a_train_is_the_one_with_its_number(train):
    name = "18al-sensible-price"
    at = place(name, type="buy_train", train="2-0")
    buy = {**plain(name)["actions"][at], "train": train, "variant": train[0]}
    why = trains.TRAIN_NOT_FOR_SALE.format(train=train)
    assert refusal(changed(name, at, buy)) == (at + 1, why)


def test_a_train_of_another_variant_is_refused():
    name = "18al-sensible-price"
    at = place(name, type="buy_train", train="2-0")
    buy = {**plain(name)["actions"][at], "variant": "3"}
    why = trains.ANOTHER_VARIANT.format(train="2-0", variant="3")
    assert refusal(changed(name, at, buy)) == (at + 1, why)


def test_only_a_company_s_own_train_runs_and_once():
    name = "18al-sensible-price"
    at = place(name, type="run_routes")
    run = json.loads(json.dumps(plain(name)["actions"][at]))
    (route, *_), company = run["routes"], run["entity"]
    twice = {**run, "routes": [route, route]}
    assert refusal(changed(name, at, twice)) == (at + 1, trains.RUNS_TWICE)
    route["train"] = "2-4"
    why = trains.NO_SUCH_TRAIN.format(company=company, train="2-4")
    assert refusal(changed(name, at, run)) == (at + 1, why)


def test_a_certificate_is_bought_where_it_lies():
    name = "18al-sensible-price"
    at = place(name, type="buy_shares")
    buy = plain(name)["actions"][at]
    company = buy["shares"][0].rpartition("_")[0]
    for number, why in (("0", stock.NOT_FOR_SALE), ("17", stock.NO_SUCH_CERTIFICATE)):
        share = f"{company}_{number}"
        found = refusal(changed(name, at, {**buy, "shares": [share]}))
        assert found == (at + 1, why.format(certificate=share))
    last = replay(changed(name, at, {**buy, "shares": [f"{company}_8"]}, drop=10_000))[0]
    assert last.shares[company]["initial offering"] == (10,) * 7


def test_a_certificate_is_sold_by_who_has_it_and_once():
    name = "18al-sensible-price"
    at = place(name, type="sell_shares")
    sale = plain(name)["actions"][at]
    first = sale["shares"][0]
    twice = {**sale, "shares": [first, first], "percent": 20}
    assert refusal(changed(name, at, twice)) == (at + 1, stock.SOLD_TWICE)
    more = {**sale, "percent": sale["percent"] + 10}
    assert says(refusal(changed(name, at, more))[1], stock.OTHER_PERCENT, percent=more["percent"])
    other = {**sale, "shares": [f"{first.rpartition('_')[0]}_8"], "percent": 10}
    assert says(refusal(changed(name, at, other))[1], stock.NOT_THEIRS)


@pytest.mark.parametrize("tile", ["57-9", "no-0", "57"])
def test_a_tile_is_the_one_with_its_number(tile):
    name = "18al-sensible-price"
    at = place(name, type="lay_tile")
    lay = {**plain(name)["actions"][at], "tile": tile}
    why = track.NO_SUCH_TILE.format(tile=tile)
    assert refusal(changed(name, at, lay)) == (at + 1, why)


def old(name, *fields):
    """A game with routes as old files have them, by their stops; fields that are left out."""
    file = plain(name)
    for action in file["actions"]:
        for route in action.get("routes", ()):
            for field in ("connections", "revenue_str", "nodes", *fields):
                del route[field]
    return ExportedGame(file)


@pytest.mark.parametrize("name", NAMES)
def test_old_routes_are_read_by_their_stops_and_what_they_earn(name):
    assert compare(old(name)).agrees


def test_old_routes_that_do_not_say_what_they_earn_are_refused_as_there():
    at = place("18al-sensible-price", type="run_routes")
    action, what = refusal(old("18al-sensible-price", "revenue"))
    assert action == at + 1
    assert says(what, trains.HOW_IT_RUNS)


def test_a_route_without_any_place_is_no_run():
    name = "18al-sensible-price"
    at = place(name, type="run_routes")
    run = plain(name)["actions"][at]
    route = {"train": run["routes"][0]["train"], "connections": [], "hexes": [], "revenue": 40}
    action, what = refusal(changed(name, at, {**run, "routes": [route]}))
    assert (action, what) == (at + 1, trains.RUNS_NOWHERE.format(train=route["train"]))
