"""Invariants notice what is spoiled of loans, bonds, ferries, and of who has left the game."""

import pytest
from msgspec.structs import replace

from engine import Outcome
from engine.actions import Pass
from engine.events import Merged, MergerExchanged
from engine.invariants import Broken, check_state
from engine.position.values import BANK, MARKET, OFFERING, Token
from service.workshop.practice import invariants
from tests.service.practice.lakes import TITLE, late


def with_shares(state, company, **changes):
    held = {**state.shares[company], **changes}
    return replace(state, shares={**state.shares, company: held})


def third_loan(state):
    return replace(state, loans={"B&O": 3})


def loan_of_nobody(state):
    return replace(state, loans={"NYC": 1})


def lost_bond(state):
    return replace(state, bonds={**state.bonds, "Ann": 2})


def stray_bond(state):
    return replace(state, bonds={"CR": 6, "Ann": 3, "PRR": 1})


def short_bonds(state):
    return replace(state, bonds={"CR": 11, "Ann": -1})


def offered_after_floating(state):
    own = state.shares["B&O"]
    return with_shares(state, "B&O", **{"B&O": (), OFFERING: own["B&O"]})


def treasury_of_another(state):
    own = state.shares["B&O"]
    return with_shares(state, "B&O", **{"B&O": (), "CR": own["B&O"]})


def full_market(state):
    return with_shares(state, "B&O", **{"B&O": (), "Ann": (20, 10), MARKET: (10,) * 7})


def off_the_chart(state):
    rest = tuple(token for token in state.tokens if token.company != "B&O")
    return replace(state, tokens=(*rest, Token("B&O", (9, 9))))


def acts_with_nothing(state):
    return replace(state, presidents={**state.presidents, "CR": "Cas"})


def rich_and_out(state):
    cash = {**state.cash, "Cas": 5, BANK: state.cash[BANK] + state.cash["Cas"] - 5}
    return replace(state, out=("Cas",), cash=cash)


def gone_with_money(state):
    cash = {**state.cash, "GT": 40, BANK: state.cash[BANK] - 40}
    shares = {**state.shares, "GT": {}}
    return replace(state, gone=("GT",), shares=shares, cash=cash)


def gone_with_stations(state):
    return replace(state, gone=("GT",), shares={**state.shares, "GT": {}})


def ferry_without_tiles(state):
    return replace(state, ferries={next(iter(TITLE.ferries)): "B&O"})


def ferry_of_a_stranger(state):
    return replace(state, ferries={next(iter(TITLE.ferries)): "NYC"})


def ferry_that_is_none(state):
    return replace(state, ferries={"Styx": BANK})


def private_of_a_company(state):
    return replace(state, privates={**state.privates, "Port": "B&O"})


def test_a_good_position_passes():
    check_state(TITLE, late())


@pytest.mark.parametrize(
    ("spoil", "what"),
    [
        (third_loan, "owes 3 loans"),
        (loan_of_nobody, "cannot operate"),
        (lost_bond, "bonds were made or lost"),
        (stray_bond, "cannot hold bonds"),
        (short_bonds, "less than no bonds"),
        (offered_after_floating, "which has a treasury"),
        (treasury_of_another, "cannot hold shares of B&O"),
        (full_market, "the open market holds 70%"),
        (off_the_chart, "has left the stock chart"),
        (acts_with_nothing, "acts as president of CR and has none"),
        (rich_and_out, "Cas has left the game and still has something"),
        (gone_with_money, "GT has left the game and still has something"),
        (gone_with_stations, "its tokens have not"),
        (ferry_without_tiles, "runs without its tiles"),
        (ferry_of_a_stranger, "belongs to NYC"),
        (ferry_that_is_none, "does not exist"),
        (private_of_a_company, "a private belongs to nobody"),
    ],
)
def test_a_spoiled_position_is_noticed(spoil, what):
    with pytest.raises(Broken, match=what):
        check_state(TITLE, spoil(late()))


def exchanged(**changes):
    """The events of a merger of two companies in which nobody holds anything but the market."""
    told = MergerExchanged("CR", MARKET, given=20, shares=10, bonds=0)
    return Merged("CR", ("NYC", "GT"), 10, 110), replace(told, **changes)


def test_every_share_of_a_merged_company_is_told_of():
    invariants._check_merger(TITLE, late(), exchanged())
    with pytest.raises(Broken, match="exchanged 20 shares for 18"):
        invariants._check_merger(TITLE, late(), exchanged(shares=9))
    with pytest.raises(Broken, match="18 of 20 shares"):
        invariants._check_merger(TITLE, late(), exchanged(given=18, shares=9))


def test_stations_change_by_mergers_only():
    before = late()
    charters = {**before.charters, "CR": before.charters["CR"] + 1}
    outcome = Outcome(replace(before, charters=charters), ())
    with pytest.raises(Broken, match="tokens of CR"):
        invariants._check_tokens(TITLE, before, outcome)


def test_who_is_out_does_not_act():
    before = replace(late(), out=("Cas",))
    after = replace(before, number=before.number + 1)
    with pytest.raises(Broken, match="Cas is out and acted"):
        invariants.check(TITLE, before, Pass(by="Cas"), Outcome(after, ()))
