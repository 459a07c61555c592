"""What 18GA adds to the notation: powers that put stations and lay tiles on one hex, and Atlanta."""

import pytest

from engine.actions import LayTile, PlaceStation, Run, TrainRun
from engine.events import ShareGiven, StationPlaced, TrainGiven
from engine.notation import Ambiguous, UnknownName, parse, verbs, write
from engine.position.frames import Track
from tests.rules.ga.setting import GA, LINE, on, turn

OWNED = {"MRC": "ACL", "W&S": "ACL", "M&B": "ACL", "LT": "ACL"}


def acl(step="token", *trains):
    return turn("ACL", step, *trains, laid="I11 57 2", owns=OWNED)


def read(text, state=None):
    return parse(GA, acl() if state is None else state, "Ann", text)


@pytest.mark.parametrize(
    "text",
    [
        "use W&S: token Waycross",
        "use W&S: token I9",
        "token I9 with W&S",
        "use W&SR token waycross",
    ],
)
def test_a_station_by_power(text):
    action = PlaceStation(by="Ann", company="ACL", hex="I9", power="W&S")
    assert read(text) == action
    assert write(GA, acl(), action) == "use W&S: token I9"


@pytest.mark.parametrize("text", ["use MRC: lay 9 F12 NW-SE", "lay 9 F12 NW-SE with Midland"])
def test_a_tile_by_power(text):
    action = LayTile(by="Ann", company="ACL", tile="9", hex="F12", rotation=2, power="MRC")
    assert read(text, acl("track")) == action
    assert write(GA, acl("track"), action) == "use MRC: lay 9 F12 NW-SE"


def test_a_private_whose_gift_comes_by_itself_is_not_used():
    with pytest.raises(UnknownName, match="comes by itself"):
        read("use M&B: token I9")
    with pytest.raises(UnknownName, match="LT has no power"):
        read("use LT: token I9")


def test_the_free_train_has_its_own_name():
    state = acl("run", "2", "2F")
    runs = (TrainRun("2F", ("J12", "I11")),)
    assert read("run 2F: J12-I11", state) == Run(by="Ann", company="ACL", runs=runs)


def test_cities_of_atlanta_are_numbered():
    state = turn("W&A")
    state = on.after(state, read("lay 451 D4 SW,NW,E", state))
    with pytest.raises(Ambiguous, match="several cities"):
        read("token D4", state)
    action = read("token Atlanta 2", state)
    assert action == PlaceStation(by="Ann", company="W&A", hex="D4", stop=1)
    assert write(GA, state, action) == "token D4 2"
    assert on.after(state, action).stack[-1] == Track("W&A", 1)


def test_what_powers_do_is_recorded_with_the_power():
    def happened(state, action):
        return on.happened(state, action, object)

    placed = StationPlaced("ACL", "I9", 0, home=False, power="W&S")
    assert placed in happened(acl(), read("use W&S: token I9"))
    sale = turn("ACL", phase="3", laid=LINE, owns={"OSR": "Ann"})
    assert TrainGiven("ACL", "2F", "OSR") in happened(sale, on.trade("OSR", "Ann", "ACL", 100))
    sold = on.private_turn(sold=dict.fromkeys(("LT", "MRC", "W&S", "OSR"), "Cas"))
    assert ShareGiven("Ann", "CoG", 10, "M&B") in happened(sold, on.buy_private("M&B"))


def test_help_has_the_powers_of_the_title():
    examples = {entry.example for entry in verbs(GA)}
    assert {"use W&S: token I9", "use MRC: lay 7 F12 SW-W"} <= examples
