"""Events of several titles as the sentences that players read."""

import pytest

from engine import events as ev
from engine import load_title
from engine.actions import TrainRun
from engine.telling.narration import narrate

RUN = (TrainRun("2H", ("D10", "D12", "D14")),)


@pytest.mark.parametrize(
    ("title", "event", "sentence"),
    [
        ("18MW", ev.ConnectionMade("CBQ", "Chicago–San Francisco", 250), "CBQ was the first to run Chicago–San Francisco: the bank paid its treasury $250"),
        ("18MW", ev.PlaceDoubled("CBQ", "G1", 500), "G1 San Francisco counted double for CBQ, whose run earned $500"),
        ("18TN", ev.TrainBought("SOU", "2", "TC", 77), "SOU bought a 2 train from TC for $77"),
        ("18GA", ev.StationPlaced("ACL", "I9", 0, home=False, power="W&S"), "ACL placed a token in I9 Waycross with W&S"),
        ("18GA", ev.TrainGiven("ACL", "2F", "OSR"), "ACL received the 2F train of OSR"),
        ("18GA", ev.ShareGiven("Ann", "CoG", 10, "M&B"), "Ann received 10% of CoG with M&B"),
        ("18GL", ev.TrainsRan("MR", RUN, 60), "MR ran for $60 (2H: D10-D12-D14)"),
        ("18GL", ev.TrainsRan("MR", RUN, 60, unproved=True), "MR ran for $60 (2H: D10-D12-D14), the best run that was found; it is not proved to be the best"),
    ],
)  # fmt: skip
def test_what_happens_is_told_in_a_sentence(title, event, sentence):
    assert narrate(load_title(title), event) == sentence
