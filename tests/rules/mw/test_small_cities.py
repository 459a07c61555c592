"""18MW Lay or Upgrade Track: from the first 6 on small cities become cities, or plain track."""

import pytest
from msgspec.structs import replace

from engine.actions import LayTile
from engine.events import TileLaid
from engine.notation import parse
from engine.position.values import State
from tests.rules.mw.setting import on

pytestmark = [pytest.mark.rule("18MW Lay or Upgrade Track"), pytest.mark.rule("18MW R31")]

#: Rock Island with Peoria behind it, on each of the three tiles for small cities
PEORIA = {"4": "G13 57 2,H14 4 2", "58": "G13 57 2,H14 58 2", "3": "G13 57 2,H14 3 2"}


def burlington(laid: str = PEORIA["4"], at_phase: str = "6", **more: object) -> State:
    """CB&Q lays tiles."""
    return on.turn("track", "CBQ", laid=laid, at_phase=at_phase, cash=500, **more)


@pytest.mark.parametrize(
    ("old", "new"), [("3", "5"), ("3", "7"), ("58", "6"), ("58", "8"), ("4", "57"), ("4", "9")]
)
def test_each_tile_has_its_city_and_its_plain_track(old: str, new: str) -> None:
    """On the track that lies there, free of charge."""
    state = burlington(PEORIA[old])
    lay = on.lay("CBQ", new, "H14", 2)
    assert lay in on.offered(state, "Ann", LayTile)
    assert on.happened(state, lay, TileLaid) == [TileLaid("CBQ", new, "H14", 2, 0)]
    face = on.table(on.after(state, lay)).face("H14")
    assert face.exits == on.title.face(old, 2).exits
    assert (face.cities, face.towns) == (int(new in ("5", "6", "57")), 0)


def test_the_track_stays_as_it_is() -> None:
    """Another bend, or a turn of the same, is refused."""
    state = burlington()
    rule = "Tile Placement and Tile Upgrades"
    on.refused(state, on.lay("CBQ", "6", "H14", 2), rule)
    on.refused(state, on.lay("CBQ", "57", "H14", 0), rule, "loses track")
    on.refused(state, on.lay("CBQ", "4", "H14", 2), rule)


def test_not_before_the_first_6() -> None:
    """In phase 5 the small city stays."""
    state = burlington(at_phase="5")
    lay = on.lay("CBQ", "57", "H14", 2)
    on.refused(state, lay, "Lay or Upgrade Track", "from phase 6")
    assert not [o for o in on.offered(state, "Ann", LayTile) if getattr(o, "hex", "") == "H14"]


def test_it_is_the_one_upgrade_of_the_turn() -> None:
    """Neither a yellow tile nor another upgrade goes with it."""
    state = burlington()
    done = on.after(state, on.lay("CBQ", "57", "H14", 2))
    assert not on.offered(done, "Ann", LayTile)
    laid = on.tiles(state, "G11 4 1")
    on.refused(
        on.after(laid, on.lay("CBQ", "57", "H14", 2)),
        on.lay("CBQ", "57", "G11", 1),
        "Lay or Upgrade Track",
        "has laid its tiles",
    )


def test_an_empty_hex_with_a_dot_takes_a_small_city_first() -> None:
    """A city or plain track is refused there, also in phase 6."""
    state = burlington("G13 57 2")
    rule = "Tile Placement and Tile Upgrades"
    on.refused(state, on.lay("CBQ", "57", "H14", 2), rule, "city")
    on.refused(state, on.lay("CBQ", "9", "H14", 2), rule, "town")
    assert on.allowed(state, on.lay("CBQ", "4", "H14", 2))


def test_the_company_must_reach_it() -> None:
    """As with every tile."""
    far = on.tiles(burlington(), "L16 4 1")
    on.refused(far, on.lay("CBQ", "57", "L16", 1), "Lay or Upgrade Track", "reaches track")


def test_the_new_tile_is_an_ordinary_one_from_then_on() -> None:
    """A city takes stations and green tiles, plain track counts no stop and is upgraded as such."""
    city = on.after(burlington(), on.lay("CBQ", "57", "H14", 2))
    later = on.operating(city, "CBQ", "token")
    assert on.allowed(later, on.token("CBQ", "H14"))
    again = on.operating(city, "CBQ", "track")
    assert on.allowed(again, on.lay("CBQ", "14", "H14", 2))

    plain = on.after(burlington("G13 57 2,H14 4 2,I15 57 2"), on.lay("CBQ", "9", "H14", 2))
    running = on.operating(on.own(plain, "CBQ", "2"), "CBQ", "run")
    assert on.allowed(running, on.run("CBQ", ("2", "G13-H14-I15")))
    track = on.operating(plain, "CBQ", "track")
    greens = {lay.tile for lay in on.offered(track, "Ann", LayTile) if lay.hex == "H14"}
    assert {"23", "24"} <= greens <= set(on.title.facts.supply["green"])


def test_a_tile_must_be_left() -> None:
    """All four of 57 on the map: none is left for a small city."""
    laid = PEORIA["4"] + ",J14 57 0,C9 57 0,E15 57 0"
    on.refused(burlington(laid), on.lay("CBQ", "57", "H14", 2), "A5.0", "on the map")
    back = replace(burlington(), tiles={"G13": ("57", 2), "H14": ("9", 2)})
    assert on.table(back).tiles_left("4") == 3


def test_it_is_written_as_any_lay() -> None:
    """Only one way fits, so exits may be left out."""
    state = burlington()
    assert parse(on.title, state, "Ann", "lay 57 H14") == on.lay("CBQ", "57", "H14", 2)
