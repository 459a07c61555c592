"""Who did what, in the sentences of whole games."""

import pytest
from msgspec.structs import replace

from engine import load_title
from engine.events import BidMade
from engine.facts.title import Title
from engine.telling.narration import narrate, narrate_all, sentences
from tests.games import game

GAMES = ("18al", "18gl", "18mw", "18tn")


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_a_sentence_with_who_did_it_reads_as_it_is_narrated(name):
    played, doers = game(name), set()
    for outcome in played.outcomes:
        found = sentences(played.title, outcome.events)
        assert [str(one) for one in found] == narrate_all(played.title, outcome.events)
        assert all(one.text and not one.text.startswith(f"{one.doer} ") for one in found)
        doers |= {one.doer for one in found}
    assert doers == {"", *played.states[0].seats}


@pytest.mark.parametrize(
    ("amount", "written"),
    [(0, "£0"), (4422, "£4422"), (9999, "£9999"), (12000, "£12,000"), (-240, "-£240")],
)
def test_money_has_the_currency_of_the_title(amount, written):
    dollars = load_title("18AL")
    pounds = Title(replace(dollars.facts, currency="£"), dollars.rules, dollars.variants)
    assert pounds.money(amount) == written
    assert dollars.money(amount) == written.replace("£", "$")
    assert f"bid {written} on TR" in narrate(pounds, BidMade("Ann", "TR", amount))
