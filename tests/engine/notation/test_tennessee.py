"""What only 18TN has is written and read: free tiles, a par at once, idle trains, runs past a stop."""

import pytest
from msgspec.structs import replace

from engine import apply, options
from engine.actions import IdleTrain, LayTile, Par, Run, TrainRun
from engine.events import IdleForeseen, TrainIdled, TrainsRan
from engine.notation import parse, split, verbs, write
from engine.options import Choice
from engine.refusal import Illegal
from engine.titles.t18tn import CIVIL_WAR
from service.workshop.practice.script import recorded_game
from tests.engine.notation.positions import TITLE as AL
from tests.rules.tn.setting import on

TN = on.TN
SOLD = {"TCC": "Bob", "ET&WNC": "Bob", "M&C": "Cas", "O&W": "Cas"}
EAST = "F17 57 1,F19 8 1,E20 8 4,F15 9 1,F13 4 1,F11 TN2 0"


def war():
    return replace(
        on.turn("SOU", "run", laid=EAST, at_phase="3½", trains=("2", "3")), idle=("SOU",)
    )


def louisville():
    laid = "B15 8 1,E10 58 3,F11 57 2"
    return on.company(on.turn("TC", "run", laid=laid, trains=("4",)), "L&N", {"Bob": 20})


def test_a_purchase_and_its_par_stand_in_one_line():
    state = on.private_turn(sold=SOLD)
    for command in split("buy LNR; par L&N 70"):
        state = apply(TN, state, parse(TN, state, "Ann", command)).state
    assert state.pars == {"L&N": 70}


def test_a_par_that_is_to_be_set():
    state = on.after(on.private_turn(sold=SOLD), on.buy_private("LNR"))
    for line in ("par L&N 90", "start L&N at $90", "par Louisville 90"):
        assert parse(TN, state, "Ann", line) == Par(by="Ann", company="L&N", price=90)
    assert write(TN, state, Par(by="Ann", company="L&N", price=90)) == "par L&N 90"


@pytest.mark.parametrize(
    "line",
    ["use TCC: lay 9 H17 SW-NE", "lay 9 H17 NE-SW with TCC", "use Tennessee Copper: 9 H17 SW-NE"],
)
def test_a_free_tile(line):
    state = on.privates(on.turn("SOU"), {"TCC": "SOU"})
    action = LayTile(by="Ann", company="SOU", tile="9", hex="H17", rotation=0, power="TCC")
    assert parse(TN, state, "Ann", line) == action
    assert write(TN, state, action) == "use TCC: lay 9 H17 SW-NE"


@pytest.mark.parametrize("line", ["idle 2", "idle the 2 train", "rest 2", "SOU: idle 2"])
def test_the_idle_train(line):
    action = IdleTrain(by="Ann", company="SOU", train="2")
    assert parse(TN, war(), "Ann", line) == action
    assert write(TN, war(), action) == "idle 2"


def test_run_alone_leaves_one_train_at_home_where_one_is_idle():
    assert [run.train for run in parse(TN, war(), "Ann", "run").runs] == ["3"]
    chosen = on.after(war(), on.idle("SOU", "3"))
    assert [run.train for run in parse(TN, chosen, "Ann", "run").runs] == ["2"]


def test_a_hex_in_parentheses_or_left_out_is_run_past():
    path = ("A16", "B15", "B13", "C12", "D11")
    past = Run(by="Ann", company="TC", runs=(TrainRun("4", path, ("B13",)),))
    for line in ("run 4: A16-B15-(B13)-C12-D11", "run 4: A16-D11", "run 4: Cincinnati - D11"):
        assert parse(TN, louisville(), "Ann", line) == past
    assert write(TN, louisville(), past) == "run 4: A16-B15-(B13)-C12-D11"
    stopping = Run(by="Ann", company="TC", runs=(TrainRun("4", path),))
    for line in ("run 4: A16-B15-B13-C12-D11", "run 4: A16-B13-D11", "run 4: A16-Louisville-D11"):
        assert parse(TN, louisville(), "Ann", line) == stopping


def test_every_example_of_the_help_is_for_the_title():
    examples = {entry.example for entry in verbs(TN)}
    assert "idle 3" in examples
    assert any(example.startswith("use O&W: lay") for example in examples)
    assert not any("coal" in example or "discount" in example for example in examples)
    assert not any(entry.verb == "idle" for entry in verbs(AL))


def test_idle_is_refused_where_no_train_has_to_be():
    with pytest.raises(Illegal, match="All trains"):
        state = on.turn("SOU", "run", laid=EAST, trains=("2", "3"))
        apply(TN, state, parse(TN, state, "Ann", "idle 2"))


def test_all_that_may_be_done_in_a_game_reads_back_as_itself():
    seen = set()
    for state in recorded_game("18TN").states[:-1:8]:
        for seat in state.seats:
            found = [o.action for o in options(TN, state, seat) if isinstance(o, Choice)]
            for action in found[:: 1 + len(found) // 8]:
                seen.add(type(action))
                assert parse(TN, state, seat, write(TN, state, action)) == action
    assert len(seen) > 8


def test_the_war_is_told():
    state = on.phase(on.turn("SOU", "trains", laid=EAST, at_phase="3", cash=900), "3", left=16)
    events = apply(TN, state, on.buy_train("SOU", "3", 180)).events
    assert IdleForeseen(("SOU",), CIVIL_WAR) in events
    ran = apply(TN, war(), parse(TN, war(), "Ann", "run 2: F17-F19-E20-E22")).events
    assert ran[0] == TrainIdled("SOU", "3")
    line = "run 4: F11-E10-D11-(B13)-A16"
    past = apply(TN, louisville(), parse(TN, louisville(), "Ann", line)).events
    path = ("F11", "E10", "D11", "C12", "B13", "B15", "A16")
    assert past[0] == TrainsRan("TC", (TrainRun("4", path, ("B13",)),), 90)
