"""18MW: its facts fit each other, and are those of its rulebook's tables."""

import pytest

from engine import check
from engine.titles.registry import title_facts, title_names
from tests.rules.mw.setting import on

MW = on.title


def test_nothing_is_wrong_with_the_facts() -> None:
    """They are checked, and the title can be played by them."""
    assert "18MW" in title_names()
    assert check(MW) == ()


def test_what_could_not_be_seen_in_print_is_marked() -> None:
    """Map, rivers, stock chart and special tiles; an overlay takes the marks off."""
    assert set(MW.facts.provenance) == {"hex", "rivers", "market", "tile"}
    own = 'title = "18MW"\nname = "ours"\n[rivers.Ohio]\ncost = 40\n'
    with_ohio = title_facts("18MW", own)
    assert with_ohio.rivers["Ohio"].cost == 40
    assert len(with_ohio.rivers["Ohio"].sides) == 4
    seen = 'title = "18MW"\nname = "ours"\nprovenance = { hex = "our map", rivers = "our map" }\n'
    assert set(title_facts("18MW", seen).provenance) == {"market", "tile"}


@pytest.mark.rule("18MW A1.0")
def test_the_train_manifest() -> None:
    """Type, number and cost; a D is there without limit."""
    found = [(train.type, train.count, train.price) for train in MW.facts.train]
    assert found == [
        ("2", 7, 80), ("3", 6, 180), ("4", 5, 300), ("5", 4, 425),
        ("6", 3, 550), ("8", 3, 800), ("10", 3, 900), ("D", 0, 1100),
    ]  # fmt: skip


@pytest.mark.rule("18MW A2.0")
def test_the_corporations_and_their_starting_cities() -> None:
    """Ten, each with a circle at its base."""
    bases = {c.id: MW.hexes[c.home].name for c in MW.facts.company if not c.merger}
    assert bases == {
        "SP": "Southwest", "NP": "Minneapolis", "CRIP": "Des Moines", "CMSP": "Milwaukee",
        "CNW": "Madison", "IC": "Springfield, IL", "MP": "St. Louis", "SLSF": "Kansas City",
        "CBQ": "Rock Island", "GMO": "New Orleans",
    }  # fmt: skip


@pytest.mark.rule("18MW A5.0")
def test_the_tile_manifest() -> None:
    """How many there are of each colour, and in all."""
    counts = {colour: sum(tiles.values()) for colour, tiles in MW.facts.supply.items()}
    assert counts == {"yellow": 66, "green": 37, "brown": 24, "gray": 3}
    assert MW.tiles["StLG"].printed == MW.tiles["StL"].printed == "St. L."
    assert MW.reserved_tiles["M"] == MW.reserved_tiles["MG"] == ("E17",)


@pytest.mark.rule("18MW R32")
def test_the_special_tiles_alone_lie_in_their_cities() -> None:
    """Milwaukee, Kansas City and St. Louis take no other brown or gray tile."""
    assert MW.own_tiles == {
        "E17": {"brown": ("M",), "gray": ("MG",)},
        "J8": {"brown": ("KC",), "gray": ("KCG",)},
        "J14": {"brown": ("StL",), "gray": ("StLG",)},
    }
    state = on.turn("track", "CMSP", laid="E17 15 0", at_phase="5")
    on.refused(state, on.lay("CMSP", "63", "E17"), "Lay or Upgrade Track", "tile")
    assert on.allowed(state, on.lay("CMSP", "M", "E17"))


@pytest.mark.rule("18MW Setting Up The Game")
@pytest.mark.rule("18MW Shares and Limits")
@pytest.mark.parametrize(("count", "cash", "limit"), [(3, 650, 20), (4, 550, 16), (5, 450, 13)])
def test_what_three_to_five_players_begin_with(count: int, cash: int, limit: int) -> None:
    """Cash and certificate limit; all the rest is the bank's."""
    state = on.opening(count)
    assert [state.cash[seat] for seat in state.seats] == [cash] * count
    assert sum(state.cash.values()) == 12000
    assert on.table(state).certificate_limit() == limit


@pytest.mark.rule("18MW Tokens")
@pytest.mark.parametrize(("par", "tokens"), [(70, 2), (75, 2), (80, 2), (85, 3), (90, 3), (100, 4)])
def test_a_corporation_has_tokens_by_its_starting_value(par: int, tokens: int) -> None:
    """The base is one of them."""
    state = on.after(on.stock_turn(), on.par("IC", par))
    assert state.charters["IC"] == tokens


@pytest.mark.rule("18MW Tokens")
@pytest.mark.rule("18MW R33")
def test_a_station_costs_forty_and_ten_for_each_hex_from_the_base() -> None:
    """As the crow flies; a neighbour of the base costs 50, and the cost is the treasury's."""
    distance = MW.grid.distance
    assert [distance("J14", far) for far in ("J14", "I13", "K11", "L8", "C9", "G19", "O15")] == [
        0, 1, 2, 4, 7, 4, 5,
    ]  # fmt: skip
    laid = "J14 5 0,K13 9 0,L12 8 1,L10 57 1"
    state = on.turn("token", "MP", laid=laid, cash=80)
    put = on.token("MP", "L10")
    assert on.offered(state, "Ann", type(put)) == [put]
    assert on.after(state, put).cash["MP"] == 80 - 40 - 3 * 10
    poor = on.money(state, {"MP": 69})
    assert on.offered(poor, "Ann", type(put)) == []
    on.refused(poor, put, "Station Token Placement", "costs $70", "MP has $69")


@pytest.mark.rule("18MW Hannibal and St. Joseph")
@pytest.mark.parametrize(("phase", "revenue"), [("1", 20), ("2", 20), ("3", 20), ("4", 10)])
def test_the_hannibal_and_st_joseph_pays_less_in_phase_4(phase: str, revenue: int) -> None:
    """$20 in phases 1 to 3, $10 in phase 4."""
    state = on.phase(on.stock_turn(), phase)
    state = on.privates(state, {"HSJ": "Bob", "SLA": "Bob"})
    before = state.cash["Bob"]
    assert on.operating_round(on.company(state, "IC", {"Ann": 60})).cash["Bob"] == (
        before + revenue + 15
    )


@pytest.mark.rule("18MW Game Phases")
@pytest.mark.rule("18MW R15")
@pytest.mark.parametrize(
    ("phase", "limit", "rounds", "newest", "chicago", "east"),
    [
        ("1", 4, 1, "yellow", 40, 30),
        ("2", 4, 1, "yellow", 40, 30),
        ("3", 4, 2, "green", 40, 30),
        ("4", 3, 2, "green", 60, 40),
        ("5", 3, 3, "brown", 60, 40),
        ("6", 2, 3, "brown", 60, 40),
        ("8", 2, 3, "gray", 80, 60),
        ("10", 2, 3, "gray", 80, 60),
        ("D", 2, 3, "gray", 80, 60),
    ],
)
def test_what_a_phase_brings(
    phase: str, limit: int, rounds: int, newest: str, chicago: int, east: int
) -> None:
    """The values of places change with phases, not with the colours of tiles."""
    facts = MW.phases[phase]
    assert (facts.train_limit, facts.rounds, facts.tiles[-1]) == (limit, rounds, newest)
    table = on.table(on.phase(on.stock_turn(), phase))
    train, value = MW.trains["8"], MW.rules.stop_value
    assert value(table, "IC", train, "G19", 0) == chicago
    assert value(table, "IC", train, "I21", 0) == east


@pytest.mark.rule("18MW R15")
def test_which_trains_a_phase_takes_away() -> None:
    """The first 4 takes the 2s, 5 the 3s, 6 the 4s, 10 the 5s, D the 6s."""
    removed = {train.type: train.removed_on for train in MW.facts.train if train.removed_on}
    assert removed == {"2": "4", "3": "5", "4": "6", "5": "10", "6": "D"}
