"""Events of several titles as the sentences that players read."""

import pytest

from engine import events as ev
from engine import load_title
from engine.actions import TrainRun
from engine.corrections import BondsMoved, LoansPut, MarkPut
from engine.position.values import OFFERING
from engine.telling.narration import narrate

FORMED = ev.SystemFormed(
    "BN", ("IC", "MP"), "Ann", 120, 85, {OFFERING: 35, "Ann": 50, "Bob": 15}, 150, ("8",), ("I15", "J14"), 4
)  # fmt: skip
#: B13 Louisville is run past
PAST = (TrainRun("4", ("F11", "E10", "D11", "C12", "B13", "B15", "A16"), ("B13",)),)
RUN = (TrainRun("2H", ("D10", "D12", "D14")),)


@pytest.mark.parametrize(
    ("title", "event", "sentence"),
    [
        ("18MW", ev.ConnectionMade("CBQ", "Chicago–San Francisco", 250), "CBQ was the first to run Chicago–San Francisco: the bank paid its treasury $250"),
        ("18MW", ev.PlaceDoubled("CBQ", "G1", 500), "G1 San Francisco counted double for CBQ, whose run earned $500"),
        ("18TN", ev.TrainBought("SOU", "2", "TC", 77), "SOU bought a 2 train from TC for $77"),
        ("18MW", FORMED, "IC and MP merged into BN, Ann is president: share price $120, par $85; the IPO 35%, Ann 50% and Bob 15%; it has $150, the trains 8 and tokens in I15 Springfield, IL and J14 St. Louis, 4 more tokens"),
        ("18TN", ev.IdleForeseen(("SOU",), "the Civil War"), "the Civil War began: one train earns nothing in the next operating turn of SOU"),
        ("18TN", ev.IdleForeseen(("SOU", "L&N"), "the Civil War"), "the Civil War began: one train of each earns nothing in the next operating turn of SOU and L&N"),
        ("18TN", ev.TrainIdled("SOU", "3"), "a 3 train of SOU earns nothing in this turn"),
        ("18TN", ev.TrainsRan("TC", PAST, 90), "TC ran for $90 (4: F11-E10-D11-A16)"),
        ("18GL", ev.TrainBought("IC", "4H", "MR", 77), "IC bought a 4H train from MR for $77"),
        ("18GL", ev.GameEnded("survivor", {"Ann": -240, "Bob": 0, "Cas": 0}), "the game is over: Ann -$240, Bob $0, Cas $0"),
        ("18GL", ev.Corrected(LoansPut(company="NPR", count=2)), "corrected by the director: NPR owes 2 loans"),
        ("18GL", ev.Corrected(LoansPut(company="NPR", count=2), "it was misread"), "corrected by the director: NPR owes 2 loans, because it was misread"),
        ("18GL", ev.Corrected(BondsMoved(giver="CR", taker="Ann", count=2)), "corrected by the director: 2 bonds went from CR to Ann"),
        ("18AL", ev.Corrected(MarkPut(private="S&NA", mark="coal field", company="L&N")), "corrected by the director: L&N has coal field (S&NA) on its charter"),
        ("18GA", ev.StationPlaced("ACL", "I9", 0, home=False, power="W&S"), "ACL placed a token in I9 Waycross with W&S"),
        ("18GA", ev.TrainGiven("ACL", "2F", "OSR"), "ACL received the 2F train of OSR"),
        ("18GA", ev.ShareGiven("Ann", "CoG", 10, "M&B"), "Ann received 10% of CoG with M&B"),
        ("18GL", ev.TrainsRan("MR", RUN, 60), "MR ran for $60 (2H: D10-D12-D14)"),
        ("18GL", ev.TrainsRan("MR", RUN, 60, unproved=True), "MR ran for $60 (2H: D10-D12-D14), the best run that was found; it is not proved to be the best"),
    ],
)  # fmt: skip
def test_what_happens_is_told_in_a_sentence(title, event, sentence):
    assert narrate(load_title(title), event) == sentence
