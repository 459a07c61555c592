"""Ways to write a command that people may try beside the one that is told."""

import pytest
from msgspec.structs import replace

from engine import new_game
from engine.notation import NotationError, parse, reading, split, trains, write
from engine.notation.commands import IS_A_PLAYER
from engine.notation.stock import HAS_SHARES, HOW_MANY, WHOLE_BID
from engine.notation.verbs import LOANS_COME
from engine.position.frames import Founding
from engine.position.values import MARKET
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


@pytest.mark.parametrize("name", ["Elgin, Joliet and Eastern", "the Elgin, Joliet & Eastern"])
def test_a_name_may_have_a_comma(name):
    state = new_game(lakes.title, ["Ann", "Bob", "Cat"]).state
    told = parse(lakes.title, state, "Ann", "bid EJ&E 45")
    assert parse(lakes.title, state, "Ann", f"bid 45 on {name}") == told
    assert parse(lakes.title, state, "Ann", f"bid on {name}, $45") == told


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
    ("purchase L&N offering", "buy L&N offering"),
    ("I'm buying a share in L&N from the IPO", "buy L&N offering"),
    ("buy one more share of the L&N from the IPO", "buy L&N offering"),
    ("buy me another L&N share from the IPO", "buy L&N offering"),
    ("buy a second share of L&N from the IPO", "buy L&N offering"),
    ("buy one 10% certificate of L&N from the IPO for $90", "buy L&N offering"),
    ("buy a 10% share in L&N from the IPO", "buy L&N offering"),
    ("buy 1 x L&N from the IPO again", "buy L&N offering"),
    ("another L&N share from the IPO", "buy L&N offering"),
    ("One more share of L&N from the IPO for me", "buy L&N offering"),
    ("buy L&N from the IPO ($90)", "buy L&N offering"),
    ("buy L&N stock from the IPO for me", "buy L&N offering"),
    ("do nothing", "pass"),
    ("Ann: buy L&N from the IPO", "buy L&N offering"),
    ("pass on this one", "pass"),
    ("I'm passing this time", "pass"),
    ("no action this turn", "pass"),
    ("nothing for me", "pass"),
    ("I'm done", "pass"),
    ("Pass again", "pass"),
])  # fmt: skip
def test_of_a_stock_turn(text, told):
    state = positions.stock()
    assert parse(positions.TITLE, state, "Ann", text) == parse(positions.TITLE, state, "Ann", told)


def holding(shares):
    """Ann's stock turn, in which she has so many shares of the WRA, of 10% each."""
    state = positions.stock()
    held = {"Cat": (20, *[10] * (8 - shares)), "Ann": (10,) * shares}
    return replace(
        state, shares={**state.shares, "WRA": {one: had for one, had in held.items() if had}}
    )


@pytest.mark.parametrize(("text", "owned", "told"), [
    ("sell my WRA share", 1, "sell 1 WRA"),
    ("sell my WRA", 1, "sell 1 WRA"),
    ("selling my WRA share for 75", 1, "sell 1 WRA"),
    ("sell both my WRA shares", 2, "sell 2 WRA"),
    ("sell both WRA shares", 2, "sell 2 WRA"),
    ("sell both of my WRA to the market", 2, "sell 2 WRA"),
    ("sell my 2 WRA shares", 3, "sell 2 WRA"),
])  # fmt: skip
def test_of_all_that_a_player_owns(text, owned, told):
    state = holding(owned)
    assert parse(positions.TITLE, state, "Ann", text) == parse(positions.TITLE, state, "Ann", told)


@pytest.mark.parametrize(("text", "owned", "why", "works"), [
    ("sell my WRA share", 2, HOW_MANY, ("sell 1 WRA", "sell 2 WRA")),
    ("sell my WRA share", 0, HAS_SHARES.format(player="Ann", shares="no share", company="WRA"), ()),
    ("sell both my WRA shares", 1,
     HAS_SHARES.format(player="Ann", shares="1 share", company="WRA"), ("sell 1 WRA",)),
    ("sell both my WRA shares", 3,
     HAS_SHARES.format(player="Ann", shares="3 shares", company="WRA"),
     ("sell 1 WRA", "sell 2 WRA", "sell 3 WRA")),
    ("sell my L&N and WRA", 1, HOW_MANY,
     ("sell 1 L&N", "sell 2 L&N", "sell 3 L&N", "sell 4 L&N")),
    ("sell both WRA and L&N", 2, reading.AND_MORE, ()),
    ("sell my CBQ", 1, "“CBQ” is not a company", ()),
    ("sell my", 1, "Sell what?", ("sell 1 L&N", "sell 1 WRA")),
])  # fmt: skip
def test_a_number_of_shares_is_not_guessed(text, owned, why, works):
    with pytest.raises(NotationError) as error:
        parse(positions.TITLE, holding(owned), "Ann", text)
    assert (error.value.text, error.value.suggestions) == (why, works)


@pytest.mark.parametrize(("text", "told"), [
    ("buy TR for $20", "buy TR"),
    ("take TR", "buy TR"),
    ("take the TR for 20 bucks", "buy TR"),
    ("purchase Tuscumbia Railway", "buy TR"),
    ("buy TR for me", "buy TR"),
    ("buy the cheapest", "buy TR"),
    ("buy the cheapest private company for $20", "buy TR"),
    ("bid on the New Decatur Yards, 125 dollars", "bid NDY 125"),
    ("bid the minimum on NDY", "bid NDY 125"),
    ("bid more for NDY: 130", "bid NDY 130"),
    ("start L&N for $70 a share", "par L&N 70"),
    ("start L&N, price 75", "par L&N 75"),
    ("I start the L&N at a par value of $75", "par L&N 75"),
    ("open the L&N with a par of 75", "par L&N 75"),
    ("found L&N for 90", "par L&N 90"),
    ("set L&N par value to 75", "par L&N 75"),
    ("start L&N at 70 then", "par L&N 70"),
    ("buy the president's certificate of the L&N at 75", "par L&N 75"),
    ("buy 20% of L&N at 75", "par L&N 75"),
    ("raise the bid on NDY to 130", "bid NDY 130"),
    ("put $130 on NDY", "bid NDY 130"),
    ("place a bid of $130 on the New Decatur Yards", "bid NDY 130"),
    ("my bid is 130 on NDY", "bid NDY 130"),
    ("my bid: $130 for NDY", "bid NDY 130"),
    ("Buying the Tuscumbia Railway (20)", "buy TR"),
    ("we buy TR", "buy TR"),
    ("buy TR, please, for $20", "buy TR"),
    ("I take the Tuscumbia Railway for its price", "buy TR"),
    ("bid 130 to NDY", "bid NDY 130"),
    ("par 70 L&N", "par L&N 70"),
    ("launch L&N @70", "par L&N 70"),
])  # fmt: skip
def test_of_the_sale_of_private_companies(text, told):
    state = new_game(positions.TITLE, ["Ann", "Bob", "Cat"]).state
    assert parse(positions.TITLE, state, "Ann", text) == parse(positions.TITLE, state, "Ann", told)


@pytest.mark.parametrize(("text", "told"), [
    ("lay tile 57 in G4 (N-S)", "lay 57 G4 S-N"),
    ("lay #57 on G4 S-N", "lay 57 G4 S-N"),
    ("lay yellow tile number 57 at G4 from N to S", "lay 57 G4 S-N"),
    ("put tile 57 on G4, exits N and S", "lay 57 G4 S-N"),
    ("place a yellow 57 at G4, north to south", "lay 57 G4 S-N"),
    ("build track in G4 with tile 57, with exits to the south and north", "lay 57 G4 S-N"),
    ("lay 57 G4 southwest - north east", "lay 57 G4 SW-NE"),
    ("upgrade G4 to tile 57 SW-NE", "lay 57 G4 SW-NE"),
    ("place a token in G4", "token G4"),
    ("put my token on G4", "token G4"),
    ("set a token in G4", "token G4"),
    ("lay tile no. 57 on G4 N-S", "lay 57 G4 S-N"),
    ("lay 57 on G4, N-S ($60)", "lay 57 G4 S-N"),
    ("lay 57 on G4 S-N for $60", "lay 57 G4 S-N"),
    ("build the straight track 9 on E4, north to south", "lay 9 E4 S-N"),
    ("lay a gentle curve 8 on E4 N-SE", "lay 8 E4 N-SE"),
    ("lay on E4 the curved 8 N-SE", "lay 8 E4 N-SE"),
    ("run it", "run"),
    ("run the train for the maximum", "run"),
    ("run automatically", "run"),
    ("run the best route", "run"),
    ("run my best routes", "run"),
    ("run the trains on their best routes", "run"),
    ("buy a new train", "buy 2"),
    ("buy train", "buy 2"),
    ("buy the cheapest train", "buy 2"),
    ("purchase a train of type 2", "buy 2"),
    ("get one 2-train", "buy 2"),
])  # fmt: skip
def test_of_a_company_s_turn(text, told):
    state = replace(positions.operating("track"), trains=positions.opening().trains)
    assert parse(positions.TITLE, state, "Ann", text) == parse(positions.TITLE, state, "Ann", told)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("lay 57 G4 N-S ($40)", "costs $60"),
        ("lay 9 E4 N-S ($40)", "costs $0"),
        ("lay 57 G4 N-S (40)", "not a side"),
        ("lay 57 G4 N-S ($60) and a token", "joins two commands"),
        ("lay the straight track 8 on E4 N-SE", "another shape"),
        ("lay a sharp curve 8 on E4 N-SE", "another shape"),
        ("lay straight track on E4 N-S", "“straight” is not a tile"),
    ],
)
def test_a_tile_with_another_cost_or_shape_is_asked_back(text, why):
    with pytest.raises(NotationError) as error:
        parse(positions.TITLE, positions.operating("track"), "Ann", text)
    assert why in error.value.text


@pytest.mark.parametrize("text", ["raise NDY by 5", "bid 5 more on NDY", "bid NDY 5 over"])
def test_a_bid_is_a_whole_sum(text):
    state = new_game(positions.TITLE, ["Ann", "Bob", "Cat"]).state
    with pytest.raises(NotationError) as error:
        parse(positions.TITLE, state, "Ann", text)
    assert WHOLE_BID in error.value.text


def test_the_par_alone_starts_the_company_that_a_private_company_brings():
    state = new_game(lakes.title, ["Ann", "Bob", "Cat"]).state
    state = replace(state, stack=(*state.stack[:1], Founding("Ann", "C&A", "PRR")))
    assert parse(lakes.title, state, "Ann", "par 100") == parse(
        lakes.title, state, "Ann", "par PRR 100"
    )


@pytest.mark.parametrize("text", ["borrow 100", "take a loan of $100", "get two loans"])
def test_loans_come_unasked(text):
    state = lakes.turn("trains", "GT")
    with pytest.raises(NotationError) as error:
        parse(lakes.title, state, "Ann", text)
    assert LOANS_COME in error.value.text


@pytest.mark.parametrize("line", [
    "sell 1 L&N and purchase WRA",
    "sell 1 L&N & purchase WRA",
    "sell 1 L&N, after that purchase WRA",
])  # fmt: skip
def test_words_that_join_two_commands(line):
    assert split(line) == ["sell 1 L&N", "purchase WRA"]


@pytest.mark.parametrize("text", ["buy a train", "buy the cheapest train"])
def test_a_train_is_named_where_the_bank_sells_several_types(text):
    trains = {**positions.opening().trains, MARKET: ("3",)}
    with pytest.raises(NotationError):
        parse(positions.TITLE, replace(positions.operating("track"), trains=trains), "Ann", text)


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


def test_each_train_of_several_is_named():
    with pytest.raises(NotationError) as error:
        parse(positions.TITLE, positions.operating("trains"), "Ann", "buy two 3 trains")
    assert error.value.suggestions == ("buy 3",), "a company buys one train of the bank in a turn"


@pytest.mark.parametrize(
    ("line", "told", "meant"),
    [
        ("buy two trains", reading.ONE_TRAIN, ("buy 3",)),
        ("buy a train from the bank", "Which train?", ("buy 2", "buy 3")),
        ("buy a train from M&O", "For how much", ("buy 2 from M&O for 50",)),
        ("buy 2 M&O", "For how much", ("buy 2 from M&O for 50",)),
        ("buy 3 M&O", "one at a time", ("buy M&O",)),
        ("buy a train from WRA for 100", trains.HAS_NO_TRAIN.format(company="WRA"), ()),
        ("buy 3 with a loan", "18AL has no loans", ("buy 3",)),
        ("buy 3 for", "The price is missing", ("buy 3",)),
        ("buy 3 or 4", reading.OPEN_CHOICE, ("buy 3",)),
    ],
)
def test_the_hint_about_a_train_is_a_purchase_that_is_possible(line, told, meant):
    state = positions.operating("trains")
    with pytest.raises(NotationError) as error:
        parse(positions.TITLE, state, "Ann", line)
    assert told in error.value.text and error.value.suggestions == meant


def test_a_train_of_no_type_is_the_only_one_that_the_seller_has():
    state = positions.operating("trains")
    action = parse(positions.TITLE, state, "Ann", "buy a train from M&O for 100")
    assert write(positions.TITLE, state, action) == "buy 2 from M&O for 100"


def test_a_company_borrows_for_a_train_only_if_it_must():
    poor, rich = (lakes.turn("trains", "IC", cash=cash) for cash in (40, 400))
    for line in ("buy 2H with a loan", "buy a train with a loan"):
        assert write(lakes.title, poor, parse(lakes.title, poor, "Ann", line)) == "buy 2H"
        with pytest.raises(NotationError) as error:
            parse(lakes.title, rich, "Ann", line)
        assert error.value.text == trains.NEEDS_NO_LOAN.format(company="IC", train="2H")


@pytest.mark.parametrize(("line", "told"), [
    ("buy two 2H trains", ["buy 2H", "buy 2H"]),
    ("lay 8 M19 S-NE, then buy 3 E-trains", ["lay 8 M19 S-NE", "buy E", "buy E", "buy E"]),
    ("buy 2 trains", ["buy 2 trains"]),
    ("One more M&O share for me, please buy it", ["buy One more M&O share for me"]),
    ("Another share of M&O, buy it please", ["buy Another share of M&O"]),
    ("sell 2 L&N, buy it", ["sell 2 L&N", "buy it"]),
])  # fmt: skip
def test_what_people_say_in_one_line_are_commands(line, told):
    assert split(line) == told


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
    told = "“RI” is not a company; it is the private company Rock Island Railroad Company"
    assert told in error.value.text
    assert "CRIP" in error.value.suggestions


@pytest.mark.parametrize("text", ["Bob: pass", "bob: sell 1 L&N"])
def test_who_writes_for_another_player_is_told_so(text):
    with pytest.raises(NotationError) as error:
        parse(positions.TITLE, positions.stock(), "Ann", text)
    assert error.value.text == IS_A_PLAYER.format(name=text.partition(":")[0])
    assert error.value.column == 0
