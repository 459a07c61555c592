"""18GL 4.3: powers of private companies are lent to companies, with their owners' leave."""

import pytest

from engine.actions import LayTile, TradePrivate
from engine.events import Asked, Declined, TileLaid
from engine.flow import decision
from engine.position.codec import decode_action, decode_state, encode
from engine.position.frames import Question, Stations, Track
from engine.position.values import CLOSED, OFFERING
from engine.proposals import PowerUse
from tests.rules.gl.lent import decline, mark
from tests.rules.gl.setting import on

IC = on.turn("track", "IC", owns={"RailWorks": "Bob"})
EXTRA = on.lay("IC", "9", "D16", 0, power="RailWorks")


@pytest.mark.rule("18GL 4.3")
def test_the_president_uses_his_own_private_without_a_question() -> None:
    """Ann presides and owns RailWorks."""
    state = on.privates(IC, {"RailWorks": "Ann"})
    then = on.after(state, EXTRA)
    assert then.tiles["D16"] == ("9", 0)
    assert on.waits_for(then) == ("Ann",)


@pytest.mark.rule("18GL 4.3")
def test_the_owner_of_the_private_is_asked_and_his_leave_does_it() -> None:
    """Bob owns RailWorks; nothing is laid before he agrees."""
    (asked,) = on.happened(IC, EXTRA, Asked)
    assert asked == Asked("Bob", "Ann", PowerUse("RailWorks", "IC", EXTRA))
    waiting = on.after(IC, EXTRA)
    assert on.waits_for(waiting) == ("Bob",)
    assert "D16" not in waiting.tiles
    assert on.happened(waiting, on.accept("Bob"), TileLaid)[0].power == "RailWorks"
    then = on.after(waiting, on.accept("Bob"))
    assert then.tiles["D16"] == ("9", 0)
    assert then.privates["RailWorks"] == CLOSED
    assert on.waits_for(then) == ("Ann",)


@pytest.mark.rule("18GL 4.3")
def test_without_leave_the_president_goes_on_as_he_was() -> None:
    """Bob declines; Ann still has the whole of her step."""
    waiting = on.after(IC, EXTRA)
    assert on.happened(waiting, decline("Bob"), Declined) == [
        Declined("Bob", PowerUse("RailWorks", "IC", EXTRA))
    ]
    then = on.after(waiting, decline("Bob"))
    assert then.stack[-1] == Track("IC")
    assert on.allowed(then, on.lay("IC", "9", "D16", 0))


@pytest.mark.rule("18GL 4.3")
def test_a_question_tells_what_would_be_done_and_is_kept_with_the_game() -> None:
    """The frame holds the action, and the name of the decision changes with it."""
    waiting = on.after(IC, EXTRA)
    top = waiting.stack[-1]
    assert isinstance(top, Question)
    assert top.proposal == PowerUse("RailWorks", "IC", EXTRA)
    assert decode_state(encode(waiting)) == waiting
    assert decode_action(encode(EXTRA)) == EXTRA
    other = on.after(IC, on.lay("IC", "9", "C15", 1, power="RailWorks"))
    assert decision(waiting) != decision(other)


@pytest.mark.rule("18GL 4.3")
def test_what_would_be_illegal_is_refused_before_anybody_is_asked() -> None:
    """D8 is far from Chicago."""
    far = on.lay("IC", "9", "D8", 0, power="RailWorks")
    on.refused(IC, far, "4.6.1.1", "D8")


@pytest.mark.rule("18GL 4.3")
def test_two_owners_are_asked_one_after_the_other() -> None:
    """RailWorks of Bob lays in C13, which EJ&E of Cas bars; either may refuse."""
    state = on.privates(IC, {"EJ&E": "Cas"})
    state = on.tiles(state, "C15 7 3")
    lay = on.lay("IC", "9", "C13", 0, power="RailWorks")
    waiting = on.after(state, lay)
    assert on.waits_for(waiting) == ("Bob",)
    second = on.after(waiting, on.accept("Bob"))
    assert on.waits_for(second) == ("Cas",)
    assert "C13" not in second.tiles
    then = on.after(second, on.accept("Cas"))
    assert then.tiles["C13"] == ("9", 0)
    assert then.privates["EJ&E"] == "Cas"
    assert on.after(second, decline("Cas")).stack[-1] == Track("IC")


@pytest.mark.rule("18GL 4.3")
def test_nobody_lends_a_private_that_the_bank_has_or_that_is_closed() -> None:
    """4.3: a power is that of a player's private."""
    for owner, word in ((CLOSED, "closed"), ("initial offering", "initial offering")):
        state = on.privates(IC, {"RailWorks": owner})
        on.refused(state, EXTRA, "4.3", word)
    assert not [
        a for a in on.offered(on.privates(IC, {"RailWorks": CLOSED}), "Ann", LayTile) if a.power
    ]


@pytest.mark.rule("18GL 4.6")
def test_a_power_belongs_to_its_own_step() -> None:
    """A marker for the map passes over the tiles; one for the charter comes too late then."""
    state = on.privates(IC, {"Port": "Ann", "Mine": "Ann", "Bridge": "Ann"})
    then = on.after(state, mark("IC", "Port", "E13"))
    assert then.stack[-1] == Stations("IC")
    on.refused(then, mark("IC", "Bridge"), "4.1, 4.6")


@pytest.mark.rule("18GL 4.3")
@pytest.mark.parametrize("phase", [phase.id for phase in on.GL.facts.phase])
@pytest.mark.parametrize("step", ["track", "trains"])
def test_corporations_buy_no_private_companies(phase: str, step: str) -> None:
    """Neither of their president nor of another player, at no price."""
    state = on.turn(
        step, "IC", at_phase=phase, trains=("10H",), owns={"Mine": "Ann", "Port": "Bob"}
    )
    for private, owner in (("Mine", "Ann"), ("Port", "Bob")):
        for price in (1, 70):
            trade = TradePrivate(by="Ann", private=private, seller=owner, buyer="IC", price=price)
            on.refused(state, trade, "4.1, 4.6", "not now")
    assert not on.offered(state, "Ann", TradePrivate)


@pytest.mark.rule("18GL 4.3")
def test_a_president_sells_no_private_company_to_pay_for_a_train() -> None:
    """They stay with who bought them."""
    state = on.turn("trains", "IC", at_phase="6H", cash=0, loans=2, owns={"Mine": "Ann"})
    state = on.money(on.own(state, OFFERING, "6H"), {"Ann": 0})
    trade = TradePrivate(by="Ann", private="Mine", seller="Ann", buyer="Bob", price=70)
    on.refused(state, trade, "4.1, 4.6", "not now")
