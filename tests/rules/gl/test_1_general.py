"""18GL 1.1 and 1.4: what a player's net worth is made of, and what lies open to everybody."""

import pytest
from msgspec.structs import replace

from engine.actions import Action, BuyTrain
from engine.events import GameEnded, TrainBought
from engine.flow import apply
from engine.play import ending
from engine.position.draft import Draft
from engine.position.values import Ending, State
from engine.telling.narration import narrate, narrate_all
from engine.telling.showing import view
from engine.telling.view import CompanyView, View
from tests.rules.gl.lent import decline, extend, mark
from tests.rules.gl.setting import on


def ended(state: State) -> GameEnded:
    """What the end of the game tells, the bank having run out of money."""
    draft = Draft(on.GL, replace(state, ending=Ending("bank", full_set=True)))
    ending.end_game(draft)
    (event,) = (event for event in draft.events if isinstance(event, GameEnded))
    return event


def company(seen: View, name: str) -> CompanyView:
    """A company of what is seen."""
    return next(found for found in seen.companies if found.id == name)


@pytest.mark.rule("18GL 1.1")
def test_1_1_cash_and_shares_are_what_players_are_worth() -> None:
    """Ann has three shares at $100, Bob two, Cas money alone."""
    state = on.company(on.stock_turn(), "IC", {"Ann": 30, "Bob": 20}, par=100)
    state = on.money(state, {"Ann": 50, "Bob": 250, "Cas": 349})
    assert ended(state).worth == {"Ann": 350, "Bob": 450, "Cas": 349}


@pytest.mark.rule("18GL 1.1")
def test_1_1_what_a_corporation_owns_neither_adds_nor_subtracts() -> None:
    """Money, trains, stations and shares of its own are nobody's at the end."""
    poor = on.company(on.stock_turn(), "IC", {"Ann": 60}, par=100)
    rich = on.company(
        on.stock_turn(), "IC", {"Ann": 60}, par=100, cash=2000, trains=("D", "E"), stations=("D12",)
    )
    assert ended(rich).worth == ended(poor).worth


@pytest.mark.rule("18GL 1.1")
def test_1_1_loans_subtract() -> None:
    """Each from every share that a player holds."""
    state = on.company(on.stock_turn(), "IC", {"Ann": 60, "Bob": 10}, par=100)
    lent = on.loans(state, {"IC": 1})
    before, after = ended(state).worth, ended(lent).worth
    less = {seat: before[seat] - after[seat] for seat in before}
    assert less == {"Ann": 300, "Bob": 50, "Cas": 0}


@pytest.mark.rule("18GL 1.4")
def test_1_4_cash_of_players_and_capital_of_corporations_are_told() -> None:
    """Whoever looks sees the same: nothing is kept for a seat."""
    state = on.money(on.turn("trains", "IC", cash=321), {"Ann": 12, "Bob": 345, "Cas": 6})
    seen = view(on.GL, state)
    assert {p.seat: p.cash for p in seen.players} == {"Ann": 12, "Bob": 345, "Cas": 6}
    assert company(seen, "IC").cash == 321


@pytest.mark.rule("18GL 1.4")
def test_1_4_holdings_of_players_are_told() -> None:
    """Shares, private companies, bonds, and how near the certificate limit they come."""
    state = on.company(on.stock_turn(), "IC", {"Ann": 30, "Bob": 20})
    state = on.bonds(on.privates(state, {"Mine": "Bob"}), {"Bob": 3})
    ann, bob, cas = view(on.GL, state).players
    assert [p.shares.get("IC", 0) for p in (ann, bob, cas)] == [30, 20, 0]
    assert (bob.privates, bob.bonds) == (("Mine",), 3)
    assert [(p.certificates, p.limit) for p in (ann, bob, cas)] == [(2, 20), (2, 20), (0, 20)]


@pytest.mark.rule("18GL 1.4")
def test_1_4_trains_tokens_loans_and_shares_of_a_corporation_are_told() -> None:
    """All that lies on its charter."""
    state = on.turn("trains", "IC", trains=("4H", "2H"), loans=1, held={"Ann": 40})
    ic = company(view(on.GL, state), "IC")
    assert sorted(ic.trains) == ["2H", "4H"]
    assert (ic.tokens_left, ic.stations, ic.loans, ic.treasury) == (1, ("D14",), 1, 60)


@pytest.mark.rule("18GL 1.4")
def test_1_4_deals_between_corporations_are_public() -> None:
    """The price of a train, when it is offered and when it is bought."""
    state = on.turn("trains", "IC", at_phase="6H")
    state = on.company(state, "MR", {"Bob": 60}, trains=("4H",))
    offer = BuyTrain(by="Ann", company="IC", train="4H", source="MR", price=77)
    offered = apply(on.GL, state, offer)
    assert "$77" in " ".join(narrate_all(on.GL, offered.events))
    (bought,) = on.happened(offered.state, on.accept("Bob"), TrainBought)
    assert bought == TrainBought("IC", "4H", "MR", 77)
    assert "$77" in narrate(on.GL, bought)


@pytest.mark.rule("18GL 1.4")
@pytest.mark.parametrize("answer", [on.accept("Bob"), decline("Bob")])
@pytest.mark.parametrize(
    ("step", "private", "action"),
    [
        ("run", "ALCO", extend("IC", "4H")),
        ("token", "Mine", mark("IC", "Mine", "E1")),
        ("track", "Bridge", mark("IC", "Bridge")),
    ],
)
def test_1_4_a_power_is_asked_for_and_lent_before_everybody(
    step: str, private: str, action: Action, answer: Action
) -> None:
    """What Ann asks of Bob is told, and so is his answer."""
    state = on.turn(step, "IC", trains=("4H",), owns={private: "Bob"})
    asked = apply(on.GL, state, action)
    told = " ".join(narrate_all(on.GL, asked.events))
    assert private in told and "Bob" in told
    answered = apply(on.GL, asked.state, answer)
    assert narrate_all(on.GL, answered.events)
