"""18GL 2 and Tables 2, 7, 8: phases and trains as the tables have them."""

import pytest

from engine.events import TrainsGone
from engine.position.values import OFFERING
from tests.rules.gl.setting import on

GL = on.GL


@pytest.mark.rule("18GL 2")
@pytest.mark.rule("18GL Table 2")
def test_table_2_phases() -> None:
    """Train limit, operating rounds and newest tiles of each phase, and the train that begins it."""
    found = [(p.id, p.on, p.train_limit, p.rounds, p.tiles[-1]) for p in GL.facts.phase]
    assert found == [
        ("2H", "", 4, 1, "yellow"),
        ("4H", "4H", 4, 2, "green"),
        ("6H", "6H", 3, 2, "green"),
        ("10H", "10H", 2, 3, "brown"),
        ("E", "E", 2, 3, "brown"),
        ("D", "D", 2, 3, "gray"),
    ]
    assert GL.companies["CR"].more_trains == 1


@pytest.mark.rule("18GL Table 2")
def test_table_2_other_events() -> None:
    """Trade of trains from 6H on, double steps from 10H on, mergers at 10H and E."""
    phases = GL.facts.phase
    assert [p.id for p in phases if p.company_trains] == ["6H", "10H", "E", "D"]
    assert [p.id for p in phases if p.most_steps == 2] == ["10H", "E", "D"]
    assert [p.id for p in phases if "merger" in p.events] == ["10H", "E"]
    assert [p.id for p in phases if "close privates" in p.events] == ["10H"]


@pytest.mark.rule("18GL Table 7")
def test_table_7_trains() -> None:
    """Number, price, salvage and end of each; no extended train is for sale."""
    sold = [t for t in GL.facts.train if not t.gift]
    assert [(t.type, t.count, t.price, t.salvage, t.removed_on) for t in sold] == [
        ("2H", 8, 100, 25, "6H"),
        ("4H", 7, 200, 50, "10H"),
        ("6H", 6, 300, 75, "E"),
        ("10H", 4, 600, 0, ""),
        ("E", 4, 800, 0, ""),
        ("D", 0, 1000, 0, ""),
    ]
    offered = on.opening().trains[OFFERING]
    assert set(offered) == {t.type for t in sold}
    assert [offered.count(t.type) for t in sold] == [8, 7, 6, 4, 4, 1]


@pytest.mark.rule("18GL 2")
@pytest.mark.parametrize(("new", "gone"), [("6H", "2H"), ("10H", "4H"), ("E", "6H")])
def test_2_the_first_train_of_a_class_begins_its_phase_and_rusts_another(
    new: str, gone: str
) -> None:
    """The phase before it lasts until then."""
    before = GL.phase_order[GL.phase_order.index(new) - 1]
    state = on.turn("trains", "IC", at_phase=before, cash=2000, trains=(gone,))
    state = on.own(state, OFFERING, new, new)
    action = on.buy_train("IC", new, GL.trains[new].price)
    after = on.after(state, action)
    assert (state.phase, after.phase) == (before, new)
    (event,) = on.happened(state, action, TrainsGone)
    assert event.train == gone
    assert gone not in after.trains["IC"]


@pytest.mark.rule("18GL Table 8")
def test_table_8_reach_of_e_trains() -> None:
    """By the number that corporations own; five cities once a D is bought."""
    train = GL.trains["E"]
    assert (train.reach_by_owned, train.reach) == ((2, 3, 3, 4), 5)
    assert (train.counts, train.doubles, train.settled_on) == ("cities", ("city", "offboard"), "D")


@pytest.mark.rule("18GL 4.3(9)")
def test_alco_adds_two_hexes_to_trains_that_rust_as_before() -> None:
    """2H, 4H and 6H have a longer kind each."""
    longer = {t.extends: t for t in GL.facts.train if t.extends}
    assert set(longer) == {"2H", "4H", "6H"}
    for plain, extended in longer.items():
        assert extended.reach == GL.trains[plain].reach + 2
        assert extended.removed_on == GL.trains[plain].removed_on
