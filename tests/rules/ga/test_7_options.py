"""18GA 7: the optional rules, and the extra round of 5.1."""

from typing import Any

import pytest
from msgspec.structs import replace

from engine.events import ExtraRound
from engine.facts.facts import Lays
from engine.play.ending import worth
from engine.position.values import OFFERING, Ending, State, Station
from engine.titles.registry import decode_title, load_title
from tests.rules.ga.setting import GA, on, turn
from tests.rules.titled import Titled


def with_(*names: str) -> Any:
    return Titled(load_title("18GA", frozenset(names)))


@pytest.mark.rule("18GA 7(a)")
def test_a_two_yellow_tiles_on_the_first_turn() -> None:
    """A second one, not a third; on later turns one."""
    rule = with_("two-yellow")
    state = on.station(
        on.company(on.stock_turn(), "CoG", {"Ann": 60}, cash=500, turns=0), "CoG", "F6"
    )
    state = on.operating(state, "CoG")
    state = rule.after(state, on.lay("CoG", "57", "F6", 1))
    on.refused(state, on.lay("CoG", "9", "F8", 1), "4.2(b)")
    state = rule.after(state, on.lay("CoG", "9", "F8", 1))
    rule.refused(state, on.lay("CoG", "9", "F10", 1), "4.2(b)")
    later = rule.after(turn("CoG"), on.lay("CoG", "57", "F6", 1))
    rule.refused(later, on.lay("CoG", "9", "F8", 1), "4.2(b)")


@pytest.mark.rule("18GA 7(b)")
def test_b_gf_starts_in_columbus() -> None:
    """Its station stands there, and Albany is nobody's home."""
    rule = with_("columbus-home")
    state = rule.company(rule.stock_turn(), "G&F", {"Ann": 60}, turns=0)
    assert rule.operating_round(state).stations == {"G3": (Station("G&F", 0),)}
    assert "H4" not in rule.title.homes


@pytest.mark.rule("18GA 7(c)")
def test_c_cog_has_one_station_fewer() -> None:
    """Three instead of four; the one that is missing would cost $100."""
    assert (on.opening().charters["CoG"], with_("cog-one-less").opening().charters["CoG"]) == (4, 3)


def brown(hex_: str, laid: str, *, name: str = "CoG") -> State:
    """A company with a station on the hex in phase 5."""
    return turn(name, laid=laid, phase="5", stations=() if hex_ == "F6" else (hex_,))


@pytest.mark.rule("18GA 7(d)")
@pytest.mark.parametrize("hex_", ["F6", "I11"])
def test_d_the_macon_tile_and_63_go_to_macon_and_brunswick(hex_: str) -> None:
    """The Brunswick tile is gone; without the option each city takes its own tile alone."""
    rule = with_("free-macon")
    state = brown(hex_, f"{hex_} 15 5")
    for tile in ("63", "458a"):
        rotations = [on.lay("CoG", tile, hex_, r) for r in range(6)]
        assert any(rule.allowed(state, act) for act in rotations)
    rule.refused(state, on.lay("CoG", "457a", hex_), "4.2.1(b)", "457a")
    on.refused(state, on.lay("CoG", "63", hex_), "4.2.1(g)")


@pytest.mark.rule("18GA 7(d)")
def test_d_the_macon_tile_is_for_those_two() -> None:
    """Not for Albany; and there is one of it."""
    rule = with_("free-macon")
    state = brown("H4", "H4 14 0")
    rule.refused(state, on.lay("CoG", "458a", "H4"), "4.2.1(g)", "Macon", "Brunswick")
    taken = on.tiles(brown("F6", "F6 14 0"), "I11 458a 0")
    rule.refused(taken, on.lay("CoG", "458a", "F6"), "4.2.1(b)", "458a")


@pytest.mark.rule("18GA 7(e)")
def test_e_the_game_ends_at_the_price_agreed_on() -> None:
    """$250 is reached, $300 is not; the chart shows the spaces that end it."""
    rule = with_("price-end-250")
    state = on.company(on.stock_turn(), "CoG", {"Ann": 60}, at=(0, 12))
    state = replace(on.operating(state, "CoG", "dividend"), earned={"CoG": 100})
    assert rule.after(state, on.pay("CoG")).ending == Ending("price", 0)
    assert on.after(state, on.pay("CoG")).ending is None
    kinds = {cell: space.kinds for cell, space in enumerate(rule.title.chart.rows[0])}
    assert [cell for cell, kind in kinds.items() if "e" in kind] == [13, 14, 15]
    assert set(rule.title.chart.pars) == set(GA.chart.pars)
    assert "$250" in rule.title.summary("price-end-250")


@pytest.mark.rule("18GA 7(e)")
def test_e_a_price_reached_after_a_stock_round_leaves_one_operating_round() -> None:
    """CoG is sold out and rises to $250; of three rounds that follow one is played."""
    rule = with_("price-end-250")
    state = rule.company(
        rule.phase(rule.stock_turn(), "5"), "CoG", {"Ann": 60, "Bob": 40}, at=(1, 13)
    )
    now = rule.after(rule.end_of_round(state), rule.done())
    assert (now.ending, str(now.round), now.round.parts) == (Ending("price", 0), "OR 2.1", 1)
    assert rule.after(now, rule.done()).stack == ()


@pytest.mark.rule("18GA 7(e)")
@pytest.mark.parametrize(
    "name",
    ["price-end-300", "price-end-240", "price-end-110", "price-end-", f"price-end-{'9' * 5000}"],
)
def test_e_only_lower_prices_of_the_chart_will_do(name: str) -> None:
    """What is no such price is refused when the game is created."""
    with pytest.raises(LookupError, match=r"\$|price-end-N"):
        load_title("18GA", frozenset({name}))


@pytest.mark.rule("18GA 7(e)")
def test_e_a_kept_game_keeps_its_price() -> None:
    """As it was agreed on."""
    kept = decode_title(load_title("18GA", frozenset({"price-end-210", "two-yellow"})).encode())
    assert kept.facts.market.end_price == 210
    assert kept.variants == {"price-end-210", "two-yellow"}


@pytest.mark.rule("18GA 7(f)")
def test_f_8_trains_never_run_out() -> None:
    """Where the last one is sold another follows."""
    rule = with_("endless-8")
    state = on.own(turn("CoG", "trains", phase="8", cash=2000), OFFERING, "8")
    act = on.buy_train("CoG", "8", 800)
    assert rule.after(state, act).trains[OFFERING] == ("8",)
    assert on.after(state, act).trains[OFFERING] == ()


@pytest.mark.rule("18GA 5.1")
def test_5_1_an_extra_operating_round_breaks_a_tie_if_agreed() -> None:
    """Without the option a tie stands."""
    rule = with_("tie-break")
    state = on.company(on.stock_turn(), "CoG", {"Ann": 60, "Bob": 40}, cash=0)
    state = on.money(state, {"Ann": 0, "Bob": 20 * 9, "Cas": 0})
    state = replace(on.operating(state, "CoG", "trains"), ending=Ending("bank", 0))
    assert worth(on.table(state), "Ann") == worth(on.table(state), "Bob")
    tied = rule.happened(state, on.done(), ExtraRound)
    assert tied == [ExtraRound(("Ann", "Bob"))]
    assert on.happened(state, on.done(), ExtraRound) == []
    assert on.after(state, on.done()).stack == ()


@pytest.mark.rule("18GA 7(a)")
@pytest.mark.rule("18GA 7(f)")
def test_7_options_go_together() -> None:
    """All at once."""
    names = {
        "two-yellow",
        "columbus-home",
        "cog-one-less",
        "free-macon",
        "price-end-275",
        "endless-8",
    }
    rule = with_(*names)
    assert rule.title.variants == names
    facts = rule.title.facts
    assert (facts.operating.first_lays, facts.operating.lays) == (Lays(2, 1), Lays(1, 1))
    assert {c.id: (c.home, c.tokens) for c in facts.company} == {
        "ACL": ("J12", 4),
        "CoG": ("F6", 3),
        "G&F": ("G3", 2),
        "GA": ("D10", 4),
        "SAL": ("G13", 3),
        "W&A": ("D4", 2),
    }
    assert set(facts.reserved) == {"D4", "D10", "G13"}
    assert facts.market.end_price == 275
    assert rule.title.trains["8"].count == 0
    kept = decode_title(rule.title.encode())
    assert (kept.facts, kept.variants) == (facts, names)


@pytest.mark.rule("18GA 7(a)")
def test_a_two_yellow_tiles_or_one_upgrade() -> None:
    """Nothing after an upgrade, and no upgrade after a yellow tile; a second tile joins the first."""
    rule = with_("two-yellow")
    state = on.company(on.phase(on.stock_turn(), "3"), "CoG", {"Ann": 60}, cash=500, turns=0)
    state = on.operating(on.tiles(on.station(state, "CoG", "F6"), "F6 57 1"), "CoG")
    green, yellow = on.lay("CoG", "14", "F6", 1), on.lay("CoG", "9", "F8", 1)
    rule.refused(rule.after(state, green), yellow, "4.2(b)")
    rule.refused(rule.after(state, yellow), green, "4.2(b)")
    atlanta = rule.company(rule.stock_turn(), "W&A", {"Ann": 60}, turns=0)
    atlanta = rule.money(rule.operating_round(atlanta), {"W&A": 40})
    atlanta = rule.after(atlanta, on.lay("W&A", "451a", "D4"), on.token("W&A", "D4", stop=0))
    assert rule.allowed(atlanta, on.lay("W&A", "9", "E3"))
    rule.refused(atlanta, on.lay("W&A", "9", "E5"), "4.2.1(j)")


@pytest.mark.rule("18GA 7(b)")
def test_b_columbus_is_kept_for_gf_and_albany_is_not() -> None:
    """Before G&F operates ACL may have Albany's circle and not that of Columbus."""
    rule = with_("columbus-home")
    albany = turn("ACL", "token", laid="F6 57 0,G5 9 0,H4 57 0", stations=("F6",))
    assert rule.allowed(albany, on.token("ACL", "H4"))
    on.refused(albany, on.token("ACL", "H4"), "4.2.2(c)", "G&F")
    columbus = turn("ACL", "token", laid="F6 57 1,F4 8 4,G3 57 0", stations=("F6",))
    assert on.allowed(columbus, on.token("ACL", "G3"))
    rule.refused(columbus, on.token("ACL", "G3"), "4.2.2(c)", "G&F")
