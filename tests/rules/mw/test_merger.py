"""18MW Merger: two corporations of a president become a system."""

import pytest
from msgspec.structs import replace

from engine import apply, notation, to_act
from engine.actions import BuyTrain, LayTile, MergeInto
from engine.events import SystemFormed
from engine.play.systems import form_system, mean_par, top_cell
from engine.position.draft import Draft
from engine.position.frames import OperatingRound, OperatingTurn
from engine.position.values import MARKET, OFFERING, Holding, State, Station
from engine.runs.connections import doubled
from engine.steps.judging.station_cost import station_cost
from engine.steps.questions.discard import train_limit
from tests.rules.mw.setting import on

#: track from Springfield, where Illinois Central is at home, to St. Louis, that of Missouri Pacific
JOINED = "I15 57 0, J14 57 0"


def merger(partner: str = "MP", system: str = "BN", company: str = "IC") -> MergeInto:
    """Ann merges Illinois Central and another."""
    return MergeInto(by="Ann", company=company, partner=partner, system=system)


def needy(
    *,
    at_phase: str = "10",
    trains: tuple[str, ...] = (),
    cash: int = 100,
    laid: str = JOINED,
    ic: dict[str, int] | None = None,
    mp: dict[str, int] | None = None,
    pars: tuple[int, int] = (100, 75),
    at: tuple[tuple[int, int], tuple[int, int]] = ((0, 9), (2, 9)),
    **more: int,
) -> State:
    """Illinois Central has no train at its train step; Missouri Pacific has an 8 and operates next.

    Prices are $130 and $110 unless ``at`` says else; ``more`` is of Illinois Central.
    """
    state = on.phase(on.stock_turn(), at_phase)
    state = on.company(
        state, "IC", ic or {"Ann": 60}, par=pars[0], at=at[0], cash=cash, trains=trains, **more
    )
    state = on.company(
        state, "MP", mp or {"Ann": 40, "Bob": 30}, par=pars[1], at=at[1], cash=50, trains=("8",)
    )
    state = on.operating(on.tiles(state, laid) if laid else state, "IC", "trains")
    below = OperatingRound(True, ("IC",))
    return replace(state, stack=(below, *state.stack[1:]))


@pytest.mark.rule("18MW Merger")
def test_a_corporation_without_a_train_merges_from_phase_10_on() -> None:
    """Not in the phase before; the refusal tells the phase."""
    assert on.allowed(needy(), merger())
    on.refused(needy(at_phase="8"), merger(), "Merger", "from phase 10 on")


@pytest.mark.rule("18MW Merger")
def test_a_corporation_with_a_train_does_not_merge() -> None:
    """The partner may have trains."""
    on.refused(needy(trains=("8",)), merger(), "Merger", "IC has a train")


@pytest.mark.rule("18MW Merger")
@pytest.mark.parametrize(("cash", "allowed"), [(899, True), (900, False)])
def test_its_treasury_must_not_suffice_for_the_cheapest_train(cash: int, allowed: bool) -> None:
    """The bank sells 10 trains, and the open market none."""
    state = needy(cash=cash)
    if allowed:
        assert on.allowed(state, merger())
    else:
        on.refused(state, merger(), "Merger", "can pay for a 10 train", "`buy 10`")


@pytest.mark.rule("18MW Merger")
def test_the_cheapest_train_may_lie_in_the_open_market() -> None:
    """The least expensive that the bank has."""
    state = on.own(needy(cash=600), MARKET, "6")
    on.refused(state, merger(), "Merger", "can pay for a 6 train")


@pytest.mark.rule("18MW Merger")
@pytest.mark.rule("18MW Systems")
def test_systems_do_not_merge() -> None:
    """Neither is a system the partner, nor does it start a merger."""
    state = on.system(needy(), "CR", {"Ann": (10, 5, 5, 5, 5)})
    on.refused(state, merger("CR"), "Merger", "CR is a system", "`merge IC with MP`")
    turn = on.operating(state, "CR", "trains")
    on.refused(turn, merger("MP", company="CR"), "Merger", "CR is a system, corporations merge")


@pytest.mark.rule("18MW Merger")
@pytest.mark.parametrize(
    ("partner", "words"),
    [("NP", "Ann is not president of NP"), ("IC", "another corporation"), ("Ann", "another")],
)
def test_the_partner_is_another_corporation_of_the_president(partner: str, words: str) -> None:
    """Neither one of somebody else, nor the corporation itself."""
    state = on.company(needy(), "NP", {"Bob": 60})
    on.refused(state, merger(partner), "Merger", words, "`merge IC with MP`")


@pytest.mark.rule("18MW Merger")
def test_nobody_else_merges_a_president_s_corporation() -> None:
    """It is the turn of its president."""
    on.refused(needy(), replace(merger(), by="Bob"), "Sequence of Play", "turn, not Bob")


@pytest.mark.rule("18MW Merger")
def test_the_two_must_be_connected() -> None:
    """A route leads from a station of one to a station of the other."""
    on.refused(needy(laid=""), merger(), "Merger", "no open route")
    on.refused(needy(laid="I15 57 1, J14 57 0"), merger(), "Merger", "no open route")


def beyond(*stations: str) -> State:
    """St. Louis lies between Springfield and Missouri Pacific's only station, at K13.

    ``stations`` are those in the one circle of St. Louis.
    """
    state = needy(laid="I15 57 0, J14 57 0, K13 57 0")
    return replace(
        state,
        stations={
            "I15": (Station("IC", 0),),
            "J14": tuple(Station(name, 0) for name in stations),
            "K13": (Station("MP", 0),),
        },
    )


@pytest.mark.rule("18MW Merger")
def test_a_blocking_station_is_in_the_way() -> None:
    """One of a third company in the only circle of a city between them."""
    assert on.allowed(beyond(), merger())
    on.refused(beyond("NP"), merger(), "Merger", "no open route")


@pytest.mark.rule("18MW Merger 1")
def test_any_charter_that_is_left_stands_for_the_merger() -> None:
    """But one that has formed before, or is no system's, does not."""
    state = on.system(needy(), "BN", {"Bob": (10, 5)})
    on.refused(state, merger(), "Merger 1", "BN has formed before", "CR, CSX, NW")
    on.refused(state, merger(system="NP"), "Merger 1", "NP is not a system")
    assert on.allowed(state, merger(system="NW"))
    for name in ("CR", "CSX", "NW"):
        state = on.system(state, name, {"Bob": (10, 5)})
    on.refused(state, merger(system="NW"), "Merger 1", "all 4 systems have formed")


@pytest.mark.rule("18MW Merger 2")
@pytest.mark.rule("18MW R44")
def test_every_certificate_becomes_one_of_half_its_percent() -> None:
    """Of players, the initial offering, the open market and both treasuries."""
    state = needy(ic={"Ann": 40, "Cas": 20}, mp={"Ann": 50, "Bob": 30}, treasury=10, market=20)
    after = on.after(state, merger())
    assert after.shares["BN"] == {
        "Ann": (10, 10, 5, 5, 5, 5, 5),
        "Bob": (5, 5, 5),
        "Cas": (5, 5),
        "BN": (5,),
        MARKET: (5, 5),
        OFFERING: (5, 5, 5),
    }
    assert after.presidents["BN"] == "Ann"
    assert after.shares["IC"] == after.shares["MP"] == {}
    assert not {"IC", "MP"} & {*after.presidents, *after.pars, *after.floated}
    assert after.gone == ("IC", "MP")
    stock = replace(after, stack=on.stock_turn().stack, round=on.stock_turn().round)
    on.refused(stock, on.par("IC", 100), "Closed Zone", "IC has left the game")


@pytest.mark.rule("18MW Merger 2")
@pytest.mark.rule("18MW Merger 3")
def test_the_system_gets_all_tokens_money_and_trains() -> None:
    """It may have one train more than a corporation."""
    state = needy()
    after = on.after(state, merger())
    assert after.cash["BN"] == 150
    assert after.cash["IC"] == after.cash["MP"] == 0
    assert after.trains["BN"] == ("8",)
    assert train_limit(on.table(after), "BN") == train_limit(on.table(state), "MP") + 1 == 3
    # four tokens for $100, two for $75
    assert len(on.table(after).stations_of("BN")) + after.charters["BN"] == 6
    assert on.table(after).stations_of("BN") == (("I15", 0), ("J14", 0))
    assert on.table(after).stations_of("IC") == ()


@pytest.mark.rule("18MW Merger 6")
def test_of_two_stations_in_a_hex_one_goes_to_the_charter() -> None:
    """Where both had one the system keeps one, and may put the other elsewhere."""
    state = on.tiles(needy(), "J14 14 0")
    state = on.station(state, "IC", "J14")
    state = replace(state, charters={**state.charters, "IC": 2, "MP": 1})
    after = on.after(state, merger())
    assert on.table(after).stations_of("BN") == (("I15", 0), ("J14", 0))
    assert after.charters["BN"] == 2 + 1 + 1


@pytest.mark.rule("18MW Merger 5")
@pytest.mark.rule("18MW R42")
@pytest.mark.parametrize(
    ("at", "price"),
    [
        (((0, 9), (2, 9)), 120),  # $130 and $110
        (((0, 9), (0, 9)), 130),
        (((0, 9), (0, 10)), 130),  # 137½
        (((0, 0), (9, 1)), 65),  # $65 and $20: below the whole row
    ],
)
def test_the_price_is_the_mean_down_to_the_top_row(
    at: tuple[tuple[int, int], tuple[int, int]], price: int
) -> None:
    """The first space of the row if the mean is lower than that."""
    state = needy(at=at)
    after = on.after(state, merger())
    cell = on.table(after).cell("BN")
    assert cell is not None
    assert cell[0] == 0
    assert on.price(after, "BN") == price
    assert top_cell(on.table(state), ("IC", "MP")) == cell


@pytest.mark.rule("18MW Merger 5")
@pytest.mark.rule("18MW R43")
@pytest.mark.parametrize(
    ("pars", "par"), [((100, 75), 85), ((70, 70), 70), ((70, 75), 70), ((90, 100), 90)]
)
def test_the_par_value_is_the_mean_down_to_a_starting_value(
    pars: tuple[int, int], par: int
) -> None:
    """$95 is none, and two of $70 have no lower one."""
    state = needy(pars=pars)
    assert mean_par(on.table(state), ("IC", "MP")) == par
    assert on.after(state, merger()).pars["BN"] == par


@pytest.mark.rule("18MW Movement of Stock Prices")
def test_its_price_token_goes_below_those_of_the_space() -> None:
    """It operates after them."""
    state = on.company(needy(), "NP", {"Bob": 60}, at=(0, 8))
    after = on.after(state, merger())
    assert on.table(after).cell("BN") == (0, 8)
    assert [token.company for token in after.tokens] == ["NP", "BN"]


@pytest.mark.rule("18MW Merger 7")
@pytest.mark.rule("18MW R44")
def test_neither_the_system_nor_the_partner_operates_in_the_round() -> None:
    """Missouri Pacific had still to operate; the next is somebody else's company."""
    state = on.company(needy(), "NP", {"Bob": 60}, at=(3, 6), trains=("8",))
    after = on.after(state, merger())
    turn = next(frame for frame in after.stack if isinstance(frame, OperatingTurn))
    assert turn.company == "NP"
    assert to_act(on.title, after) == ("Bob",)
    below = after.stack[0]
    assert isinstance(below, OperatingRound)
    assert "BN" in below.done
    assert "BN" not in after.turns


@pytest.mark.rule("18MW Merger 7")
@pytest.mark.rule("18MW Merger 9")
def test_two_without_trains_need_none_before_the_next_round() -> None:
    """Then the system operates, and must own a train at the end of its turn."""
    state = on.own(needy(), "MP")
    state = on.company(state, "NP", {"Bob": 60}, at=(3, 6), trains=("8",))
    after = on.after(state, merger())
    assert after.trains.get("BN", ()) == ()
    ready = on.operating(after, "BN", "trains")
    on.refused(ready, on.done(), "Mandatory Train Purchase", "BN")
    on.refused(ready, merger("NP", "CR", "BN"), "Merger", "BN is a system")


@pytest.mark.rule("18MW Merger 9")
def test_a_system_s_turn_is_that_of_a_corporation() -> None:
    """It is on in the next round, with all its steps, and buys trains of its president's others."""
    state = on.company(needy(), "NP", {"Ann": 60}, at=(3, 6), trains=("8",), cash=500)
    state = on.operating(on.after(state, merger()), "BN", "trains")
    buy = BuyTrain(by="Ann", company="BN", train="8", source="NP", price=1)
    assert on.allowed(state, buy)
    track = on.operating(state, "BN", "track")
    assert on.offered(track, "Ann", LayTile)


@pytest.mark.rule("18MW Merger 9")
@pytest.mark.rule("18MW Tokens")
def test_a_system_s_stations_cost_by_the_nearer_base() -> None:
    """K13 is next to St. Louis, H16 next to Springfield."""
    table = on.table(on.after(needy(), merger()))
    assert table.homes("BN") == ("I15", "J14")
    assert station_cost(table, "BN", ("K13", 0)) == 50
    assert station_cost(table, "BN", ("H16", 0)) == 50


@pytest.mark.rule("18MW A4.0")
def test_a_merger_lowers_the_certificate_limit() -> None:
    """For everybody, at once."""
    state = needy()
    assert on.table(state).certificate_limit() == 20
    assert on.table(on.after(state, merger())).certificate_limit() == 19


@pytest.mark.rule("18MW Merger")
def test_what_is_told_of_a_merger() -> None:
    """Who has what of the system, and what it has."""
    outcome = apply(on.title, needy(), merger())
    formed = next(event for event in outcome.events if isinstance(event, SystemFormed))
    assert (formed.company, formed.merged, formed.seat) == ("BN", ("IC", "MP"), "Ann")
    assert (formed.price, formed.par, formed.cash) == (120, 85, 150)
    assert formed.held == {OFFERING: 35, "Ann": 50, "Bob": 15}
    assert (formed.trains, formed.hexes, formed.tokens) == (("8",), ("I15", "J14"), 4)


@pytest.mark.parametrize(
    "line",
    [
        "merge IC with MP as BN",
        "merge with MP",
        "merge",
        "merge MP and IC into BN",
        "IC: merge with MP",
        "merge into Burlington Northern with Missouri Pacific",
    ],
)
def test_a_merger_in_players_words(line: str) -> None:
    """Without a charter the first that is left; without a partner the only one there is."""
    state = needy()
    action = notation.parse(on.title, state, "Ann", line)
    assert isinstance(action, MergeInto)
    assert {action.company, action.partner} == {"IC", "MP"}
    assert action.system == "BN"
    written = notation.write(on.title, state, merger())
    assert notation.parse(on.title, state, "Ann", written) == merger()


@pytest.mark.rule("18MW Merger 6")
@pytest.mark.rule("18MW New Orleans-Southwest Connection")
@pytest.mark.parametrize(("owners", "left"), [(("SP", "MP"), 3), (("SP", "SP"), 3), (("SP",), 4)])
def test_a_base_and_the_connection_token_both_stay(owners: tuple[str, ...], left: int) -> None:
    """The Southwest, Southern Pacific's base, counts double for the system as it did for one."""
    state = on.phase(on.stock_turn(), "10")
    state = on.company(state, "SP", {"Ann": 60}, par=100)
    state = on.company(state, "MP", {"Ann": 40}, par=75, trains=("8",))
    stations = {"M7": tuple(Station(name, 0) for name in owners), "J14": (Station("MP", 0),)}
    placed = {
        name: sum(s.company == name for on_ in stations.values() for s in on_)
        for name in ("SP", "MP")
    }
    charters = {**state.charters, "SP": 4 - placed["SP"], "MP": 2 - placed["MP"]}
    state = replace(state, stations=stations, charters=charters)
    state = on.operating(state, "SP", "trains")
    draft = Draft(on.title, state)
    form_system(draft, "BN", ("SP", "MP"))
    after = draft.commit()
    assert [s.company for s in after.stations["M7"]] == ["BN"] * len(owners)
    assert after.charters["BN"] == left
    assert doubled(on.table(after), "BN", "M7") == (len(owners) == 2)


@pytest.mark.rule("18MW Merger 2")
@pytest.mark.rule("18MW Share Price Protection, Procedure")
def test_what_was_kept_by_protection_need_not_be_sold_of_the_system() -> None:
    """Ann kept IC's price and has 80% of it: with 60% of MP 70% of the system are hers."""
    state = needy(ic={"Ann": 80, "Bob": 10}, mp={"Ann": 60})
    state = replace(state, excess={"IC": Holding("Ann", 80)})
    after = on.after(state, merger())
    assert after.excess == {"BN": Holding("Ann", 70)}
    assert on.table(after).holding_limit("BN", "Ann") == 70
    assert on.table(after).player_limit("BN") == 60
    plain = on.after(needy(ic={"Ann": 80, "Bob": 10}, mp={"Ann": 60}), merger())
    assert plain.excess == {}
