"""Ways to write a command that people may try beside the one that is told."""

import pytest
from msgspec.structs import replace

from engine import new_game
from engine.notation import NotationError, parse
from engine.notation.commands import IS_A_PLAYER
from tests.engine.notation import positions
from tests.rules.gl.setting import on as lakes
from tests.rules.mw.setting import on as midwest


@pytest.mark.parametrize(("text", "told"), [
    ("use Bridge for GT", "use Bridge"),
    ("use Mine for GT", "use Mine"),
    ("use EJE for GT: lay 8 C11 r0", "use EJ&E: lay 8 C11 r0"),
    ("redeem 2 shares", "buy back 2"),
    ("redeem 2 own shares from the open market", "buy back 2"),
])  # fmt: skip
def test_of_18gl(text, told):
    state = lakes.turn("track", "GT")
    assert parse(lakes.title, state, "Ann", text) == parse(lakes.title, state, "Ann", told)


@pytest.mark.parametrize(("text", "told"), [
    ("buy token from CRIP at St. Louis", "buy station St. Louis from CRIP"),
    ("buy station from CRIP in St. Louis", "buy station St. Louis from CRIP"),
    ("offer token Chicago min 120", "offer station Chicago for 120"),
    ("offer station Chicago for at least 120", "offer station Chicago for 120"),
])  # fmt: skip
def test_of_18mw(text, told):
    state = midwest.turn("track", "IC", trains=("2",))
    assert parse(midwest.title, state, "Ann", text) == parse(midwest.title, state, "Ann", told)


@pytest.mark.parametrize(("text", "told"), [
    ("buy L&N for $90", "buy L&N offering"),
    ("buy M&O offering at 75", "buy M&O offering"),
    ("take L&N offering", "buy L&N offering"),
    ("I'm done", "pass"),
    ("Pass again", "pass"),
])  # fmt: skip
def test_of_a_stock_turn(text, told):
    state = positions.stock()
    assert parse(positions.TITLE, state, "Ann", text) == parse(positions.TITLE, state, "Ann", told)


@pytest.mark.parametrize(("text", "told"), [
    ("buy TR for $20", "buy TR"),
    ("take TR", "buy TR"),
    ("raise the bid on NDY to 130", "bid NDY 130"),
])  # fmt: skip
def test_of_the_sale_of_private_companies(text, told):
    state = new_game(positions.TITLE, ["Ann", "Bob", "Cat"]).state
    assert parse(positions.TITLE, state, "Ann", text) == parse(positions.TITLE, state, "Ann", told)


@pytest.mark.parametrize(
    ("text", "cost"), [("buy TR for 25", "TR for $20"), ("buy S&NA for 20", "S&NA for $40")]
)
def test_another_price_than_the_bank_s_is_asked_back(text, cost):
    state = new_game(positions.TITLE, ["Ann", "Bob", "Cat"]).state
    with pytest.raises(NotationError) as error:
        parse(positions.TITLE, state, "Ann", text)
    assert cost in error.value.text


def test_a_price_that_only_one_place_has_names_that_place():
    """In the open market a share has the present price, in the initial offering the par value."""
    state = positions.stock()
    state = replace(state, pars={**state.pars, "M&O": 90})
    for price, place in ((90, "offering"), (75, "market")):
        told = parse(positions.TITLE, state, "Ann", f"buy M&O {place}")
        assert parse(positions.TITLE, state, "Ann", f"buy M&O for ${price}") == told
    with pytest.raises(NotationError) as error:
        parse(positions.TITLE, state, "Ann", "buy M&O for 80")
    assert "$90" in error.value.text and "$75" in error.value.text


@pytest.mark.parametrize("text", ["raise the bid", "take your time", "I'm"])
def test_what_leaves_something_open_is_no_command(text):
    state = new_game(positions.TITLE, ["Ann", "Bob", "Cat"]).state
    with pytest.raises(NotationError):
        parse(positions.TITLE, state, "Ann", text)


def test_a_company_that_is_not_in_its_turn_uses_no_power():
    with pytest.raises(NotationError):
        parse(lakes.title, lakes.turn("track", "GT"), "Ann", "use EJE for NYC: lay 8 C11 r0")


@pytest.mark.parametrize(("text", "told"), [
    ("president pays", "the president adds what a train lacks, unasked"),
    ("permit C4 to Bob", "leave is given when it is asked for: the owner answers `accept`"),
    ("fire sale", "a fire sale begins by what is offered"),
])  # fmt: skip
def test_what_needs_no_word_says_so(text, told):
    with pytest.raises(NotationError) as error:
        parse(positions.TITLE, positions.operating("trains"), "Ann", text)
    assert told in error.value.text


@pytest.mark.parametrize("text", ["redeem 2 RI", "sell 2 RI", "buy 3 RI market"])
def test_a_private_company_is_not_taken_for_the_corporation_that_people_call_so(text):
    """Elsewhere the RI is the CRIP; here the rulebook has a private company of that name."""
    with pytest.raises(NotationError) as error:
        parse(midwest.title, midwest.stock_turn(), "Ann", text)
    told = "“RI” is no company, it is the private company Rock Island Railroad Company"
    assert told in error.value.text
    assert "CRIP" in error.value.suggestions


@pytest.mark.parametrize("text", ["Bob: pass", "bob: sell 1 L&N"])
def test_who_writes_for_another_player_is_told_so(text):
    with pytest.raises(NotationError) as error:
        parse(positions.TITLE, positions.stock(), "Ann", text)
    assert error.value.text == IS_A_PLAYER.format(name=text.partition(":")[0])
    assert error.value.column == 0
