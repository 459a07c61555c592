"""What may be done in which step of a company's turn on 18xx.games, and who may do it there."""

import pytest

from service.exchange import course
from service.exchange.dialect import NeighbourError
from service.exchange.kinds import track
from service.exchange.verify import ExportedGame, compare, replay
from tests.service.exchange.exports import (
    SOLD,
    buy,
    exported,
    par,
    passes,
    plain,
    with_log,
)

#: whole games
pytestmark = pytest.mark.long

#: games in which a free station follows a tile, and a free tile comes before an ordinary one
GEORGIA, TENNESSEE = "18ga-free-station", "18tn-price"


def at(log, private):
    """Where the power of a private company is used first."""
    return next(place for place, action in enumerate(log) if action["entity"] == private)


def moved(sample, private, kind, step):
    """The game's verdict with that action behind the next of a kind, or before the last one.

    ``step`` is 1 for behind, -1 for before.
    """
    log = plain(sample)["actions"]
    start = at(log, private)
    ahead = range(start + 1, len(log)) if step > 0 else range(start - 1, -1, -1)
    return shifted(sample, private, next(n for n in ahead if log[n]["type"] == kind) - start)


def shifted(sample, private, places):
    """The game's verdict with that action so many places later in the log."""
    log = plain(sample)["actions"]
    start = at(log, private)
    log.insert(start + places, log.pop(start))
    log = [{**action, "id": number} for number, action in enumerate(log, 1)]
    return compare(with_log(plain(sample), log))


@pytest.mark.parametrize("kind", ["run_routes", "dividend"])
def test_a_free_station_is_put_in_the_step_for_stations_only(kind):
    """Their step SpecialToken asks whether the step that waits puts stations."""
    verdict = moved(GEORGIA, "W&SR", kind, 1)
    assert not verdict.agrees


def test_a_free_tile_is_laid_before_the_run_only():
    """Their tile_lay abilities are for the step Track."""
    verdict = moved(TENNESSEE, free_tile(), "run_routes", 1)
    assert not verdict.agrees


def free_tile():
    """The private company that lays the first free tile of the game."""
    return next(a["entity"] for a in plain(TENNESSEE)["actions"] if a["entity_type"] == "company")


def test_nobody_passes_a_run():
    log = plain(GEORGIA)["actions"]
    run = next(place for place, a in enumerate(log) if place > at(log, "W&SR") and "routes" in a)
    company = log[run]["entity"]
    log.insert(run, by(company, "pass"))
    log = [{**action, "id": number} for number, action in enumerate(log, 1)]
    found = compare(with_log(plain(GEORGIA), log)).first_difference
    why = course.PASSES_BUT_MUST_ACT.format(actor=company)
    assert (found.action, found.what) == (run + 1, why)


def test_a_power_is_not_used_on_the_turn_of_another_company():
    log = plain(GEORGIA)["actions"]
    place = at(log, "W&SR")
    token, owner = log[place], log[place + 1]["entity"]
    log[place] = by(owner, "pass")
    other = next(
        n
        for n in range(place, len(log))
        if log[n]["type"] == "lay_tile" and log[n]["entity"] not in (owner, "MRC")
    )
    log.insert(other, token)
    log = [{**action, "id": number} for number, action in enumerate(log, 1)]
    found = compare(with_log(plain(GEORGIA), log)).first_difference
    assert found.action == other + 1
    assert "place_token" in found.what


def floated(company, president=11):
    """A company floats and operates."""
    shares = [buy(who, f"{company}_{n}") for n, who in enumerate((22, 33, 11, 22), 1)]
    return (*SOLD, par(president, company, 60), *shares, *passes(33, 11, 22))


def by(who, what, kind="corporation", **more):
    return {"type": what, "entity": who, "entity_type": kind, **more}


@pytest.mark.parametrize(("who", "kind"), [("TAG", "corporation"), (33, "player")])
def test_who_ends_the_game_says_nothing_of_turns(who, kind):
    """A turn is over where nothing is left to do in it, whoever acts next."""
    lay = by("TAG", "lay_tile", hex="C6", tile="58-0", rotation=0)
    train = by("TAG", "buy_train", train="2-0", price=100)
    state, _ = replay(
        ExportedGame(exported(*floated("TAG"), lay, train, by(who, "end_game", kind)))
    )
    assert state.ending.cause == "agreement"
    assert (state.round.kind, state.round.number) == ("SR", 2)


@pytest.mark.parametrize(("who", "kind"), [("L&N", "corporation"), (22, "player")])
def test_only_who_must_buy_goes_bankrupt(who, kind):
    game = exported(*floated("TAG"), by(who, "bankrupt", kind))
    found = compare(ExportedGame(game)).first_difference
    assert found.action == len(game["actions"])


@pytest.mark.parametrize(
    "action",
    [
        by("TAG", "buy_train", train="2-0", price=100, exchange="2-1"),
        by("TAG", "buy_train", train="2-0", price=100, extra_due=True),
        by("TAG", "buy_train", train="2-0", price=100, shell="S1"),
        by("TAG", "run_routes", routes=[], extra_revenue=10),
        by("TAG", "run_routes", routes=[], subsidy=10),
        by("TAG", "lay_tile", hex="C6", tile="58-0", rotation=0, combo_entities=["TR"]),
        by(33, "sell_shares", "player", shares=["TAG_5"], swap="TAG_6"),
    ],
)
def test_what_these_titles_never_ask_for_is_refused_by_its_field(action):
    game = exported(*floated("TAG"), action)
    with pytest.raises(NeighbourError, match=rf"action {len(game['actions'])}: .* with "):
        compare(ExportedGame(game))


@pytest.mark.parametrize("field", ["swap", "exchange", "discounter"])
def test_a_share_is_bought_for_money_alone(field):
    bought = {**buy(22, "TAG_1"), field: "TR"}
    with pytest.raises(NeighbourError, match=f"buy_shares with {field}"):
        compare(ExportedGame(exported(*SOLD, par(11, "TAG", 60), bought)))


@pytest.mark.parametrize("kind", ["choose", "hex_token", "remove_token", "convert", "merge"])
def test_a_type_of_other_titles_is_refused_by_its_number(kind):
    game = exported(*floated("TAG"), by("TAG", kind))
    with pytest.raises(NeighbourError, match=rf"action {len(game['actions'])}: .*{kind}"):
        compare(ExportedGame(game))


def test_a_station_of_another_company_is_refused():
    lay = by("ABC", "lay_tile", hex="G6", tile="6-0", rotation=5)
    token = by("ABC", "place_token", city="H5-0-0", slot=0, tokener="TAG")
    why = track.NO_TOKEN_OF.format(company="ABC", owner="TAG")
    with pytest.raises(NeighbourError, match=why):
        compare(ExportedGame(exported(*floated("ABC"), lay, token)))
    own = {**token, "tokener": "ABC"}
    assert [
        s.company
        for s in replay(ExportedGame(exported(*floated("ABC"), lay, own)))[0].stations["H5"]
    ]
