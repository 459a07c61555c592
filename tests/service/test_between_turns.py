"""What a player does between the turns of others: whom it is told, and when."""

import pytest

import engine
from engine.events import PrivateSwapped
from engine.position import codec
from engine.position.values import MARKET
from engine.telling.narration import narrate
from tests.rules.mw.setting import on
from tests.service.players import flat, one, opened, to

EXCHANGED = narrate(on.title, PrivateSwapped("Cat", "LCM", "IC", 10, MARKET))


def seated(state):
    """The position with the names of the players of the house."""
    return codec.decode_state(codec.encode(state).replace(b'"Cas"', b'"Cat"'))


def asks_of(players):
    """The players whose turn it is."""
    return engine.to_act(players.table().title, players.state)


@pytest.fixture
def players(tmp_path):
    """A game of 18MW: Ann's stock turn, and Cat has the Lacrosse and Milwaukee."""
    found = opened(f"sqlite:///{tmp_path}/waybill.sqlite")
    found.begin(title="18MW")
    state = on.company(on.stock_turn(), "IC", {"Bob": 60, "Ann": 20}, market=10)
    found.place(seated(on.privates(state, {"LCM": "Cas"})))
    yield found
    found.store.close()


def test_an_exchange_between_turns_is_news_to_all_at_once(players):
    """Also to the player whose turn it is, and who would not know that the share is gone."""
    letters = players.write("Cat", "exchange LCM for IC market")
    assert {name: to(letters, name) for name in ("Ann", "Bob", "Cat")} == {
        "Ann": ["turn"],
        "Bob": ["news"],
        "Cat": ["receipt"],
    }
    for name, kind in (("Ann", "turn"), ("Bob", "news")):
        assert EXCHANGED in flat(one(letters, name, kind))


def test_it_is_told_once_as_news(players):
    """Not again with the turns that follow; a turn mail tells all since one's own last act."""
    players.write("Cat", "exchange LCM for IC market")
    players.write("Ann", "pass")
    later = players.write("Bob", "pass")
    assert to(later, "Ann") == ["news"]
    assert EXCHANGED not in flat(one(later, "Ann", "news"))


def test_it_does_not_end_the_stock_turn(players):
    """It is no purchase: the owner may still buy, sell or pass (18MW R21)."""
    for name in ("Ann", "Bob"):
        players.write(name, "pass")
    letters = players.write("Cat", "exchange LCM for IC market")
    assert players.state.privates["LCM"] == "closed"
    assert "It is your turn" in one(letters, "Cat").text
    assert asks_of(players) == ("Cat",)
    players.write("Cat", "buy IC ipo")
    assert asks_of(players) == ("Ann",)


def test_it_can_be_written_as_long_as_nobody_has_done_anything(players):
    """Ann has sold: her turn comes first, and Cat is told so."""
    assert "NOT DONE" not in one(players.write("Ann", "sell 1 IC", "more"), "Ann").subject
    letters = players.write("Cat", "exchange LCM for IC market")
    assert "NOT DONE" in one(letters, "Cat").subject
    assert "as soon as it is over" in " ".join(one(letters, "Cat").text.split())
    assert to(letters, "Ann") == to(letters, "Bob") == []
