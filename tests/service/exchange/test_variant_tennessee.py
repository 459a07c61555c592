"""Rules of 18TN that 18xx.games plays otherwise than the rulebook."""

from functools import partial

import pytest
from msgspec.structs import replace

from engine.events import IdleForeseen, TrainIdled, TrainsRan
from engine.titles.registry import load_title
from service.exchange.dialect import DIALECTS
from tests.rules.tn.setting import on

OURS = on.TN
THEIRS = load_title("18TN", frozenset({"18xx.games"}))
BOTH = "F17 57 1,F19 8 1,E20 8 4,F15 9 1,F13 4 1,F11 TN2 0"
theirs = {"title": THEIRS}


def test_the_free_tile_of_m_c_is_for_memphis_there():
    state = on.privates(on.turn("IC"), {"M&C": "IC"})
    lay = partial(on.lay, "IC", power="M&C")
    assert any(on.allowed(state, lay("57", "H3", r), **theirs) for r in range(3))
    on.refused(state, lay("9", "H5", 0), "Table III", "H3", **theirs)
    on.refused(state, lay("57", "H3", 0), "Table III", "H5")


def test_57_becomes_619_there():
    state = on.turn("SOU", at_phase="3", laid="F17 57 1")
    lays = [on.lay("SOU", "619", "F17", r) for r in range(6)]
    assert any(on.allowed(state, lay, **theirs) for lay in lays)
    assert not any(on.allowed(state, lay) for lay in lays)


@pytest.mark.parametrize(("title", "hit"), [(OURS, ("SOU",)), (THEIRS, ("SOU", "TC"))])
def test_the_war_strikes_every_company_with_a_train_there(title, hit):
    state = on.turn("SOU", "trains", laid=BOTH, at_phase="3", cash=900)
    state = on.company(on.phase(state, "3", left=16), "TC", {"Bob": 60}, trains=("2",), par=65)
    state = replace(state, tiles={k: v for k, v in state.tiles.items() if k != "F11"})
    (war,) = on.happened(state, on.buy_train("SOU", "3", 180), IdleForeseen, title=title)
    assert war.companies == hit


def test_all_trains_run_and_the_poorest_run_is_lost_there():
    state = on.turn("SOU", "run", laid=BOTH, at_phase="3½", trains=("2", "3"))
    state = replace(state, idle=("SOU",))
    run = on.run("SOU", ("2", "F17-F19-E20-E22"), ("3", "F17-F15-F13-F11"))
    on.refused(state, run, "5.1")
    assert on.happened(state, run, TrainsRan, **theirs)[0].revenue == 80
    assert on.happened(state, run, TrainIdled, **theirs) == [TrainIdled("SOU", "3")]


def test_the_price_stays_there_too_where_the_only_run_is_lost():
    state = on.turn("SOU", "run", laid=BOTH, at_phase="3½", trains=("3",))
    state = replace(state, idle=("SOU",))
    then = on.after(state, on.run("SOU", ("3", "F17-F15-F13-F11")), **theirs)
    assert (on.price(then, "SOU"), then.earned["SOU"], then.idle) == (90, 0, ())


def test_names_are_those_of_the_title():
    dialect = DIALECTS["18TN"]
    assert set(dialect.privates.values()) <= set(OURS.privates)
    assert set(dialect.companies.values()) <= set(OURS.companies)
    assert set(dialect.trains.values()) <= set(OURS.trains)
    assert set(dialect.optional_rules.values()) <= set(OURS.facts.variants)
