"""18MW: what trains may do, which stations may be placed, and what an operating round begins with."""

import pytest
from msgspec.structs import replace

from engine import options
from engine.actions import DiscardTrain, Insist, PlaceStation, Run
from engine.position.frames import Discard, OperatingRound, OperatingTurn
from engine.position.values import MARKET, State, Station
from engine.steps.operating.running import best_of_turn
from tests.rules.mw.setting import on

#: Minneapolis with the Pacific Northwest west of it, Duluth north, La Crosse and Madison south-east
NORTH = "C9 15 1,C7 8 2,B10 9 0,C11 8 5,D12 4 2,E13 8 2,E15 57 1"
#: Chicago, Rock Island, Cedar Rapids, Des Moines
LINE = "G17 9 1,G15 9 1,G13 57 1,G11 4 1,G9 57 1"
RULE = "Train Operation"


def northern(*trains: str, **more: object) -> State:
    """Northern Pacific runs, its base in Minneapolis."""
    return on.turn("run", "NP", trains=trains, laid=NORTH, at_phase="4", **more)


# Train Operation


@pytest.mark.rule("18MW Train Operation")
def test_a_route_joins_two_stops_with_a_station_anywhere_on_it() -> None:
    """Not necessarily at an end; it may run from one off-map location to another."""
    state = northern("3")
    whole = on.run("NP", ("3", "A11-B10-C9-C7-B6"))
    assert best_of_turn(on.table(state), "NP")[1].runs == whole.runs
    assert on.after(state, whole).earned["NP"] == 30 + 30 + 40
    on.refused(state, on.run("NP", ("3", "C9")), RULE, "two or more")
    away = on.run("NP", ("3", "D12-E13-E15"))
    on.refused(state, away, RULE, "no token of NP")


@pytest.mark.rule("18MW Train Operation")
def test_the_number_of_a_train_limits_its_stops() -> None:
    """Cities and off-map locations alike; a D runs as far as it can."""
    far = "B6-C7-C9-C11-D12-E13-E15"
    on.refused(northern("3"), on.run("NP", ("3", far)), RULE, "makes 4 stops")
    assert on.allowed(northern("4"), on.run("NP", ("4", far)))
    onward = on.tiles(northern("D"), "E15 15 1,E17 57 1")
    best = best_of_turn(on.table(onward), "NP")[1]
    assert (best.total, len(best.runs[0].path)) == (40 + 30 + 10 + 30 + 20, 8)


@pytest.mark.rule("18MW R24")
def test_small_cities_are_stops_worth_ten_that_need_no_station() -> None:
    """They count for the train, are not skipped, and end a route with one city."""
    short = on.run("NP", ("2", "C9-C11-D12"))
    state = replace(northern("2"), tiles=dict(list(northern("2").tiles.items())[3:]))
    state = on.tiles(state, "C9 57 1")
    assert best_of_turn(on.table(state), "NP")[1].runs == short.runs
    assert on.after(state, short).earned["NP"] == 30
    past = on.run("NP", ("2", "C9-C11-D12-E13-E15"))
    on.refused(state, past, RULE, "makes 3 stops")
    assert on.allowed(on.own(state, "NP", "3"), replace_train(past, "3"))


def replace_train(run: Run, train: str) -> Run:
    """The same routes for another type of train."""
    return replace(run, runs=tuple(replace(one, train=train) for one in run.runs))


@pytest.mark.rule("18MW Train Operation")
def test_off_map_locations_end_a_route() -> None:
    """Nobody runs through one, not even with track on both sides."""
    state = on.tiles(northern("4"), "B12 9 2,C13 9 2,D14 9 2,E15 15 1")
    through = on.run("NP", ("4", "C9-B10-A11-B12-C13-D14-E15"))
    on.refused(state, through, RULE, "runs through A11 Duluth")


@pytest.mark.rule("18MW Train Operation")
def test_no_track_and_no_city_twice() -> None:
    """Nor by another train of the company; two trains may meet in a city."""
    state = northern("3", "3")
    back = on.run("NP", ("3", "C9-C11-D12-C11-C9"))
    on.refused(state, back, RULE)
    same = on.run("NP", ("3", "B6-C7-C9"), ("3", "B6-C7-C9-B10-A11"))
    on.refused(state, same, RULE, "both use the track")
    best = best_of_turn(on.table(state), "NP")[1]
    assert len(best.runs) == 2
    assert best.total == (30 + 30 + 40) + (30 + 10 + 20)


@pytest.mark.rule("18MW Train Operation")
def test_a_full_city_of_others_ends_a_route() -> None:
    """It may be run to and not through, until the company has a station there."""
    state = on.turn("run", "CBQ", laid=LINE, at_phase="4", trains=("4",))
    state = on.company(state, "CRIP", {"Bob": 60})
    line = on.tiles(on.operating(state, "CBQ", "run"), "G7 9 1,G5 57 1")
    assert on.allowed(line, on.run("CBQ", ("4", "G19-G17-G15-G13-G11-G9")))
    beyond = on.run("CBQ", ("4", "G13-G11-G9-G7-G5"))
    on.refused(line, beyond, RULE, "other companies have filled")
    own = replace(line, stations={**line.stations, "G9": (Station("CBQ", 0),)})
    assert on.allowed(on.own(own, "CBQ", "5"), on.run("CBQ", ("5", "G19-G17-G15-G13-G11-G9-G7-G5")))


@pytest.mark.rule("18MW Train Operation")
def test_the_most_that_all_trains_earn_together_is_run() -> None:
    """Nobody insists on it and nobody waives it."""
    state = northern("3", "2")
    best = best_of_turn(on.table(state), "NP")[1]
    less = on.run("NP", ("3", "B6-C7-C9-B10-A11"))
    on.refused(state, less, RULE, f"the best run earns ${best.total}")
    on.refused(state, Insist(by="Bob", on=False), RULE, "always")
    on.refused(state, on.run("NP"), RULE)


# Additional Token Placement, Station Token Placement


@pytest.mark.rule("18MW Additional Token Placement")
@pytest.mark.rule("18MW Station Token Placement")
def test_one_station_on_an_open_circle_that_track_leads_to() -> None:
    """With a token and the money; one in the turn, and one on a hex."""
    state = on.turn("token", "CBQ", laid=LINE, at_phase="4", cash=500)
    placed = on.token("CBQ", "G19")
    assert on.after(state, placed).cash["CBQ"] == 500 - 40 - 3 * 10
    again = on.tiles(state, "G7 9 1,G5 57 1")
    once = on.after(again, placed)
    on.refused(once, on.token("CBQ", "G5"), "Sequence of Play")
    on.refused(state, on.token("CBQ", "L10"), "Station Token Placement", "no track")
    on.refused(state, on.token("CBQ", "G13"), "Station Token Placement", "already")
    poor = on.money(state, {"CBQ": 69})
    on.refused(poor, placed, "Station Token Placement", "costs $70")
    none = replace(state, charters={**state.charters, "CBQ": 0})
    on.refused(none, placed, "Additional Token Placement", "no token left")


@pytest.mark.rule("18MW R36")
@pytest.mark.rule("18MW Additional Token Placement")
def test_the_circle_of_a_base_stays_free_until_its_corporation_floats() -> None:
    """On the tile that lies there; once that has a second circle, one of them may be taken."""
    state = on.turn("token", "CBQ", laid=LINE, at_phase="4", cash=500)
    base = on.token("CBQ", "G9")
    on.refused(state, base, "Station Token Placement", "reserved for the home of CRIP")
    green = on.tiles(state, "G9 14 1")
    assert on.title.face("14", 1).stops[0].slots == 2
    assert on.allowed(green, base)
    floated = on.operating(on.company(state, "CRIP", {"Bob": 60}), "CBQ", "token")
    on.refused(floated, base, "Additional Token Placement", "all circles")
    taken = replace(green, stations={**green.stations, "G9": (Station("IC", 0),)})
    on.refused(taken, base, "Station Token Placement", "reserved")


@pytest.mark.rule("18MW Station Token Placement")
def test_off_map_locations_with_circles_take_stations_and_others_none() -> None:
    """The Southwest has one beside its base, Duluth none."""
    state = on.turn("token", "NP", laid=NORTH, at_phase="4", cash=500)
    on.refused(state, on.token("NP", "A11"), "Additional Token Placement", "no city")
    assert not [a for a in on.offered(state, "Ann", PlaceStation) if getattr(a, "hex", "") == "A11"]


# Operations Round, Game Phases


@pytest.mark.rule("18MW R14")
@pytest.mark.rule("18MW Operations Round, Overview")
def test_the_next_to_operate_is_the_highest_that_has_not_yet() -> None:
    """Prices that change within the round change the order."""
    state = on.stock_turn()
    for name, held, at in (("IC", {"Ann": 60}, (0, 6)), ("MP", {"Bob": 60}, (1, 6)), ("NP", {"Cas": 60}, (2, 6))):  # fmt: skip
        state = on.company(state, name, held, at=at, trains=("2",))
    first = on.operating_round(state)
    assert turn_of(first) == "IC"
    risen = replace(
        first,
        tokens=tuple(
            replace(token, cell=(0, 8)) if token.company == "NP" else token
            for token in first.tokens
        ),
    )
    assert turn_of(on.after(first, on.done())) == "MP"
    assert turn_of(on.after(risen, on.done())) == "NP"


def turn_of(state: State) -> str:
    """The company whose turn it is."""
    return next(f.company for f in state.stack if isinstance(f, OperatingTurn))


@pytest.mark.rule("18MW R16")
@pytest.mark.rule("18MW Sequence of Play")
def test_a_set_of_operating_rounds_keeps_its_number() -> None:
    """The first 3 brings two from the next stock round on, not in the set that is on."""
    state = on.turn("trains", "MP", laid="J14 57 1", at_phase="2", cash=500, trains=("2",))
    state = on.own(state, "initial offering", "3", "3", "4")
    bought = on.after(state, on.buy_train("MP", "3", 180))
    assert (bought.phase, bought.round.parts) == ("3", 1)
    ended = on.after(bought, on.done())
    assert ended.round.kind == "SR"
    later = on.operating_round(replace(ended, stack=on.end_of_round(ended).stack))
    assert (later.round.part, later.round.parts) == (1, 2)


@pytest.mark.rule("18MW R17")
@pytest.mark.rule("18MW Game Phases")
def test_trains_above_a_limit_that_has_fallen_go_to_the_bank_for_sale() -> None:
    """The president chooses and is paid nothing; anybody may buy them at face value."""
    state = on.turn("trains", "MP", laid="J14 57 1", at_phase="3", cash=500, trains=("2",))
    state = on.company(state, "IC", {"Bob": 60}, trains=("3", "4", "3", "4"))
    state = on.operating(on.own(state, "initial offering", "4", "5"), "MP", "trains")
    four = on.after(state, on.buy_train("MP", "4", 300))
    assert four.stack[-1] == Discard(("IC",))
    assert on.waits_for(four) == ("Bob",)
    assert {a.train for a in on.offered(four, "Bob", DiscardTrain)} == {"3", "4"}
    given = on.after(four, DiscardTrain(by="Bob", company="IC", train="3"))
    assert given.trains["IC"] == ("4", "3", "4")
    assert given.trains[MARKET] == ("3",)
    assert given.cash["IC"] == four.cash["IC"]
    assert on.allowed(given, on.buy_train("MP", "3", 180, MARKET))


@pytest.mark.rule("18MW Train Purchase")
def test_trains_are_bought_after_the_run_for_the_treasurys_money_within_the_limit() -> None:
    """Of the bank the next new one or a used one, at face value."""
    state = on.turn("trains", "MP", laid="J14 57 1", at_phase="4", cash=300, trains=("4",))
    assert on.after(state, on.buy_train("MP", "4", 300)).cash["MP"] == 0
    on.refused(state, on.buy_train("MP", "4", 299), "Train Purchase", "exactly $300")
    on.refused(
        on.money(state, {"MP": 299}), on.buy_train("MP", "4", 300), "Mandatory Train Purchase"
    )
    full = on.own(state, "MP", "4", "4", "4")
    on.refused(full, on.buy_train("MP", "4", 300), "Game Phases", "limit is 3")


@pytest.mark.rule("18MW Operations Round, Overview")
def test_private_revenue_is_paid_before_companies_operate() -> None:
    """To players and to companies that own them."""
    state = on.company(on.stock_turn(), "IC", {"Ann": 60}, trains=("2",), cash=0)
    state = on.privates(state, {"SLA": "Bob", "RI": "IC"})
    first = on.operating_round(state)
    assert first.cash["Bob"] - state.cash["Bob"] == 15
    assert first.cash["IC"] == 20
    assert isinstance(first.stack[0], OperatingRound)
    assert first.stack[0].paid
    assert options(on.title, first, "Ann")
