"""What happens in 18GL is told in sentences that a stranger understands."""

from typing import get_args

import pytest

from engine import apply
from engine import events as ev
from engine.actions import Accept, Decline
from engine.position.values import BANK, MARKET
from engine.proposals import BarredLay, PowerUse, Unstated
from engine.telling.narration import narrate, narrate_all
from tests.rules.gl.lent import MILWAUKEE, extend, ferry, mark
from tests.rules.gl.setting import on
from tests.rules.setting import AL

GL = on.GL


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (ev.LoanTaken("IC", 1, 500, 1), "IC borrowed $500 (1 loan) and now owes 1 loan"),
        (ev.LoanTaken("IC", 2, 1000, 2), "IC borrowed $1000 (2 loans) and now owes 2 loans"),
        (ev.LoansRepaid("IC", 1, 500, 1), "IC repaid 1 loan for $500 and owes 1 loan"),
        (ev.LoansRepaid("IC", 2, 1000, 0), "IC repaid 2 loans for $1000 and no longer owes a loan"),
        (ev.InterestPaid("IC", "loans", 50, 50, 0), "IC paid $50 of interest on its loans"),
        (ev.InterestPaid("CR", "bonds", 90, 20, 70), "CR paid $90 of interest on its bonds, $70 of it from its earnings"),
        (ev.InterestPaid("IC", "loans", 50, 0, 50), "IC paid $50 of interest on its loans, all of it from its earnings"),
        (ev.BondsIssued("CR", 3, 300), "CR issued 3 bonds to the open market for $300"),
        (ev.BondsIssued("CR", 1, 0), "1 bond of CR went to the open market for the loans of merged companies"),
        (ev.BondsIssued("CR", 2, 0), "2 bonds of CR went to the open market for the loans of merged companies"),
        (ev.BondsRedeemed("CR", 2, MARKET, 200), "CR redeemed 2 bonds of the open market for $200"),
        (ev.BondsRedeemed("CR", 1, "Ann", 100), "CR redeemed 1 bond of Ann for $100"),
        (ev.BondBought("Ann", 100), "Ann bought a bond of CR for $100"),
        (ev.BondsSold("Ann", 2, 200), "Ann sold 2 bonds of CR for $200"),
        (ev.SharesIssued("IC", 20, 180), "IC sold 20% of its own shares to the open market for $180"),
        (ev.SharesBoughtBack("IC", 10, 90), "IC bought back 10% of its own shares for $90"),
        (ev.PresidentPaid("Ann", "IC", 40), "Ann paid $40 of what IC owed"),
        (ev.ShareBought("Ann", "IC", 10, "IC", 90), "Ann bought 10% of IC from its treasury for $90"),
        (ev.Merged("CR", ("NYC", "PRR", "IC"), 5, 140), "CR formed from NYC, PRR and IC: 20 shares of 5%, share price $140"),
        (ev.MergerExchanged("CR", "Bob", 7, 3, 0, 1), "Bob got 3 shares of CR for 7 shares, one odd share went to the open market"),
        (ev.MergerExchanged("CR", "Bob", 8, 1, 2, 0, 2), "Bob got 1 share of CR and 2 bonds for 8 shares, 2 of them for nothing"),
        (ev.MergerExchanged("CR", "CR", 4, 2, 0), "4 shares in the treasuries became 2 shares of CR"),
        (ev.MergerExchanged("CR", MARKET, 3, 0, 1, 1), "3 shares in the open market became 1 bond, one odd share left the game"),
        (ev.MergerExchanged("CR", MARKET, 2, 0, 0, 0, 2), "2 shares in the open market became nothing"),
        (ev.MergerNotFormed("CR", ()), "CR did not form: no company that had operated was without a train"),
        (ev.MergerNotFormed("CR", ("IC",)), "CR did not form: only IC was without a train"),
        (ev.ActingPresident("CR", "Bob"), "Bob became acting president of CR: no player has its president's certificate"),
        (ev.MergerCapital("CR", 3, 420), "the bank paid CR $420 for 3 shares that nobody received"),
        (ev.StationsReplaced("CR", ("L14",)), "CR kept the token in L14 Cleveland"),
        (ev.StationsReplaced("CR", ("L14", "J12")), "CR kept the tokens in L14 Cleveland and J12 Detroit"),
        (ev.StationsReplaced("CR", ()), ""),
        (ev.CompanyClosed("IC"), "IC closed and its shares are worth nothing"),
        (ev.PlayerOut("Bob"), "Bob left the game"),
        (ev.TrainsWithdrawn("10H", 1, 3), "1 10H train left the game unsold; the bank has 3"),
        (ev.TrainsWithdrawn("10H", 2, 1), "2 10H trains left the game unsold; the bank has 1"),
        (ev.WentBankrupt("Bob", "IC"), "Bob went bankrupt: IC could not pay what it owed"),
        (ev.PrivateDrawn("Bridge", ("Tunnel", "Terminal")), "Three Rivers Bridge Company (Bridge) was drawn by lot, and not Tunnel or Terminal"),
        (ev.FerryPaid("IC", "GT", 1, 50), "IC paid GT $50 for 1 train on its ferry"),
        (ev.FerryPaid("IC", BANK, 2, 100), "IC paid the bank $100 for 2 trains on a ferry"),
        (ev.Asked("Bob", "Ann", BarredLay("C&E", "IC", on.lay("IC", "57", "L14", 0))), "Ann asked Bob for leave to lay for IC on L14 Cleveland, which C&E blocks"),
        (ev.Asked("Bob", "Ann", PowerUse("EJ&E", "IC", on.lay("IC", "9", "C11", 0, power="EJ&E"))), "Ann asked Bob for leave to use EJ&E for IC"),
        (ev.Asked("Bob", "Ann", Unstated("power", "EJ&E", "IC")), "Ann asked Bob for leave to use EJ&E for IC, or lay on C11 or C13"),
        (ev.Asked("Bob", "Ann", Unstated("power", "C&E", "IC")), "Ann asked Bob for leave to lay for IC on L14 Cleveland or M13 Ashtabula/Erie, which C&E blocks"),
        (ev.Declined("Bob", Unstated("power", "C&E")), "Bob gave no leave for C&E"),
        (ev.Declined("Bob", Unstated("private", "C&E")), "Bob declined to trade C&E"),
        (ev.Declined("Bob", Unstated("train", "D")), "Bob declined to trade a D train"),
    ],
)  # fmt: skip
def test_what_is_told(event, sentence):
    assert narrate(GL, event) == sentence


def test_bankruptcy_is_over_a_train_where_there_is_no_interest():
    assert (
        narrate(AL, ev.WentBankrupt("Bob", "L&N"))
        == "Bob went bankrupt: L&N could not pay for a train"
    )


def test_every_event_has_its_sentence():
    from engine.telling.narration import SENTENCES

    assert set(SENTENCES) == set(get_args(ev.Event))


def told(state, action):
    return narrate_all(GL, apply(GL, state, action).events)


def turn(step="track", **owns):
    return on.turn(step, "IC", owns=owns, trains=("4H",), laid="D12 734 0,D10 730 0")


def test_leave_is_asked_and_given_or_not():
    state = turn("token", Port="Bob")
    assert told(state, mark("IC", "Port", "D10"))[0] == (
        "Ann asked Bob for leave to use Port for IC"
    )
    asked = on.after(state, mark("IC", "Port", "D10"))
    assert told(asked, Accept(by="Bob"))[:2] == [
        "IC placed the port marker in D10 Milwaukee",
        "Great Lakes Port Authority (Port) closed",
    ]
    assert told(asked, Decline(by="Bob"))[0] == "Bob gave no leave for Port"


def test_markers_trains_and_ferries_are_told():
    assert told(turn(Bridge="Ann"), mark("IC", "Bridge"))[0] == "IC received the bridge marker"
    assert told(turn(ALCO="Ann"), extend("IC", "4H"))[0] == ("IC made a 4H train a 4H+2 with ALCO")
    opened = told(turn(Ferry="Ann"), ferry("IC", MILWAUKEE, "F10 724 0"))
    assert opened[0] == f"IC opened the ferry {MILWAUKEE} with 724 at F10 Muskegon for $20"
