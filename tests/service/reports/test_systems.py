"""Mails about systems: what a merger comes to, half shares and half certificates."""

from engine import apply, to_act
from engine.actions import MergeInto
from engine.position.frames import StockTurn
from service.reports import PageLook, Scene, Since, turn_page
from tests.rules.mw.setting import on
from tests.rules.mw.test_merger import needy
from tests.service.reports.games import to


def text(state, seat=None):
    """The text of the mail to a player who must decide."""
    seat = seat or to_act(on.title, state)[0]
    return turn_page(to(seat), Scene("mw1", on.title, state), Since(), PageLook(False)).text


def merged():
    """The position after the merger."""
    merger = MergeInto(by="Ann", company="IC", partner="MP", system="BN")
    return apply(on.title, needy(), merger).state


def test_a_president_reads_what_a_merger_would_come_to():
    told = text(needy())
    assert "`merge IC with MP as BN` (price $120, par $85, no turn in this round)" in told
    assert "as CR" not in told
    assert "merge " not in text(needy(at_phase="8"))


def test_a_system_is_told_with_what_its_share_and_its_price_are_for():
    state = on.operating(merged(), "BN", "track")
    told = text(state)
    assert "YOUR COMPANY BN – Burlington Northern" in told
    assert "A share of BN is 5%, its price is for 10%." in told
    assert "(limit 3)" in told


def test_half_shares_in_a_stock_turn():
    held = {"Ann": (10, 5, 5, 5), "Bob": (10, 5)}
    state = on.system(on.phase(on.stock_turn(), "10"), "BN", held, at=(0, 10))
    assert isinstance(state.stack[-1], StockTurn)
    told = text(state)
    assert "BN: 1 for $72 (price → $145), 2 for $145 (price → $130)" in told
    assert "2½/19" in told
