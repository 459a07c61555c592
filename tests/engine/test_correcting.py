"""What a director puts right: each kind of part, from both sides."""

import pytest
from msgspec.structs import replace

import engine
from engine import Correction
from engine.correcting import judge, owed, places
from engine.corrections import BondsMoved, CashMoved, LoansPut, MarkPut
from engine.events import Corrected, PresidentChanged
from engine.notation import NotationError, correcting
from engine.position.frames import Protection, Repay
from engine.position.table import Table
from engine.position.values import BANK
from tests.games import game

PLAYED = game("18al")
TITLE = PLAYED.title
GREAT_LAKES = engine.load_title("18GL")


def position(number):
    return PLAYED.states[number]


def late():
    """A position of the second half, in a stock round or with all companies operating."""
    return PLAYED.states[len(PLAYED.states) * 2 // 3]


def tried(state, text, because="it was misread", title=TITLE):
    parts = correcting.parts(title, state, text)
    return Correction(parts=parts, because=because)


def done(state, text):
    return engine.apply(TITLE, state, tried(state, text))


def refused(state, text, **options):
    refusal = engine.why_not(TITLE, state, tried(state, text, **options))
    assert refusal is not None, text
    return refusal.text


def test_cash_comes_from_the_bank_or_from_whom_is_named():
    state = late()
    company = state.floated[0]
    ann, bob = state.seats[:2]
    after = done(state, f"cash {company} +20").state
    assert after.cash[company] == state.cash[company] + 20
    assert after.cash[BANK] == state.cash[BANK] - 20
    after = done(state, f"cash {ann} +5 from {bob}").state
    assert (after.cash[ann], after.cash[bob]) == (state.cash[ann] + 5, state.cash[bob] - 5)
    after = done(state, f"cash {company} 7").state
    assert after.cash[company] == 7


def test_cash_that_nobody_gives_is_refused_as_is_more_than_somebody_has():
    state = late()
    company = state.floated[0]
    assert refused(state, "cash bank +20") == judge.SAME_TOTAL
    text = judge.LESS_MONEY.format(giver=company, money=f"${state.cash[company]}", dollars="$9999")
    assert refused(state, f"cash {company} -9999") == text
    early = position(0)
    assert refused(early, "cash L&N +20") == judge.NOT_FLOATED.format(company="L&N")


def test_money_set_aside_for_bids_cannot_be_taken():
    start = engine.new_game(TITLE, ["Ann", "Bob", "Cat"]).state
    bid = engine.apply(TITLE, start, engine.actions.BidPrivate(by="Ann", private="NDY", amount=125))
    text = judge.LESS_BESIDE_BIDS.format(giver="Ann", money="$475", dollars="$500")
    assert refused(bid.state, "cash Ann -500") == text
    assert done(bid.state, "cash Ann -475").state.cash["Ann"] == 125


def test_a_correction_says_why():
    state = late()
    wanted = f"cash {state.floated[0]} +20"
    assert refused(state, wanted, because=" ") == judge.NO_REASON


def test_nothing_is_put_right_once_the_game_is_over():
    state = PLAYED.states[-1]
    assert not state.stack
    parts = (CashMoved(giver=BANK, taker=state.seats[0], dollars=5),)
    wanted = Correction(parts=parts, because="x")
    refusal = engine.why_not(TITLE, state, wanted)
    assert (refusal.code, refusal.text) == ("over", judge.OVER)


def shared(state):
    """A company with a president who has ordinary certificates, and another who could preside."""
    table = Table(TITLE, state)
    for company, president in state.presidents.items():
        others = [s for s in state.seats if s != president and table.percent(company, s)]
        if others and len(state.shares[company][president]) > 1:
            return company, president, others[0]
    raise LookupError


def test_shares_change_hands_and_the_presidency_follows_them():
    state = late()
    company, president, other = shared(state)
    table = Table(TITLE, state)
    ordinary = table.percent(company, president) - 20
    moved = done(state, f"shares {ordinary // 10} {company} from {president} to {other}")
    assert moved.state.presidents[company] == other
    assert any(isinstance(event, PresidentChanged) for event in moved.events)


def test_shares_that_somebody_does_not_have_are_refused():
    state = late()
    company, president, _ = shared(state)
    own = Table(TITLE, state).percent(company, president) - 20
    text = judge.LESS_BESIDE_PRESIDENT.format(giver=president, own=own, company=company, percent=90)
    assert refused(state, f"shares 9 {company} from {president} to market") == text
    unstarted = position(0)
    text = judge.NOT_STARTED.format(company="L&N")
    assert refused(unstarted, "shares 1 L&N from offering to Ann") == text


def crowded(state):
    """Whether the trains of all companies are more than one of them may own."""
    every = sum(len(state.trains.get(company, ())) for company in state.floated)
    return bool(state.stack) and every > Table(TITLE, state).phase.train_limit


def test_what_breaks_an_invariant_is_refused_with_it():
    state = next(s for s in reversed(PLAYED.states) if crowded(s))
    first, *others = (c for c in state.floated if state.trains.get(c))
    give = [f"train {t} from {other} to {first}" for other in others for t in state.trains[other]]
    text = refused(state, "; ".join(give))
    assert text.startswith(judge.IMPOSSIBLE.format(broken=first))


def test_a_train_whose_sale_begins_a_phase_is_bought_or_its_sale_taken_back():
    start = next(s for s in PLAYED.states if s.phase == "3" and s.floated)
    company = start.floated[0]
    last = [s for s in PLAYED.states if s.phase == "3"][-1]
    if last.trains["initial offering"][0] == "4":
        text = judge.BEGINS_PHASE.format(train="4", phase="4")
        assert refused(last, f"train 4 from offering to {company}") == text
    owner = next(c for c, own in start.trains.items() if "3" in own and c in TITLE.companies)
    if start.trains["initial offering"].count("3") == TITLE.trains["3"].count - 1:
        text = judge.BEGAN_PHASE.format(phase="3", train="3")
        assert refused(start, f"train 3 from {owner} to offering") == text


def test_a_train_goes_back_to_its_place_in_the_order_of_sale():
    state = next(
        s for s in PLAYED.states
        if s.phase == "3" and s.trains["initial offering"].count("3") < TITLE.trains["3"].count - 1
        and any("3" in s.trains.get(c, ()) for c in s.floated)
    )  # fmt: skip
    owner = next(c for c in state.floated if "3" in state.trains.get(c, ()))
    after = done(state, f"train 3 from {owner} to offering").state
    offered = after.trains["initial offering"]
    assert offered[0] == "3"
    assert list(offered) == sorted(offered, key=list(TITLE.trains).index)


def test_a_private_company_gets_another_owner_and_none_comes_back():
    state = next(s for s in PLAYED.states if set(s.privates.values()) & set(s.seats))
    private = next(p for p, owner in state.privates.items() if owner in state.seats)
    other = next(seat for seat in state.seats if seat != state.privates[private])
    assert done(state, f"private {private} to {other}").state.privates[private] == other
    closed = done(state, f"private {private} closed").state
    text = judge.HAS_CLOSED.format(private=private)
    assert refused(closed, f"private {private} to {other}") == text


def test_a_tile_is_put_and_taken_off():
    state = late()
    hex_ = next(h for h in state.tiles if h not in state.stations)
    tile, rotation = state.tiles[hex_]
    bare = done(state, f"tile {hex_} none").state
    assert hex_ not in bare.tiles
    text = correcting.write(TITLE, bare, engine.corrections.TilePut(
        hex=hex_, tile=tile, rotation=rotation))  # fmt: skip
    assert done(bare, text).state.tiles[hex_] == (tile, rotation)
    text = places.NO_TILE.format(place=TITLE.place(hex_))
    assert refused(bare, f"tile {hex_} none") == text


def test_a_tile_of_a_colour_that_the_phase_does_not_have_is_refused():
    state = next(s for s in PLAYED.states if s.phase == "2" and s.tiles)
    hex_ = next(iter(state.tiles))
    brown = next(t for t, face in TITLE.tiles.items() if face.colour == "brown")
    way = TITLE.rotations[brown][0]
    part = engine.corrections.TilePut(hex=hex_, tile=brown, rotation=way)
    refusal = engine.why_not(TITLE, state, Correction(parts=(part,), because="x"))
    assert refusal.text == places.NOT_IN_PHASE.format(tile=brown, color="brown", phase="2")


def test_a_station_goes_back_to_the_charter_and_out_again():
    state = late()
    company = next(c for c in state.floated if Table(TITLE, state).stations_of(c))
    hex_, stop = Table(TITLE, state).stations_of(company)[0]
    off = done(state, f"station {company} off {hex_} {stop + 1}").state
    assert off.charters[company] == state.charters[company] + 1
    there = {"company": company, "place": TITLE.place(hex_)}
    text = places.NO_TOKEN.format(**there)
    assert refused(off, f"station {company} off {hex_} {stop + 1}") == text
    on = done(off, f"station {company} on {hex_} {stop + 1}").state
    assert on.charters == state.charters
    text = places.HAS_TOKEN.format(**there)
    assert refused(on, f"station {company} on {hex_} {stop + 1}") == text


def test_a_price_goes_where_it_is_said():
    state = late()
    company, cell = state.tokens[0].company, state.tokens[0].cell
    price = TITLE.chart.price(cell)
    left = done(state, f"price {company} left 1").state
    assert Table(TITLE, left).price(company) < price
    back = done(left, f"price {company} {price} row {cell[0] + 1}").state
    assert Table(TITLE, back).price(company) == price
    with pytest.raises(NotationError, match="the stock chart has no"):
        tried(state, f"price {company} 91")


def test_the_priority_deal_is_given():
    state = late()
    other = next(seat for seat in state.seats if seat != state.priority)
    assert done(state, f"priority {other}").state.priority == other
    assert "already" in refused(state, f"priority {state.priority}")


def indebted(number):
    """A position of a game in which companies borrow, with a company that may owe loans."""
    played = game("18gl")
    return played.title, played.states[number]


@pytest.mark.long
def test_loans_are_as_many_as_is_said_and_no_more_than_a_company_may_owe():
    title, state = indebted(380)
    assert state.loans["NPR"] == 1
    after = engine.apply(title, state, tried(state, "loans NPR 2", title=title))
    assert after.state.loans["NPR"] == 2
    assert (after.state.cash, after.state.tokens) == (state.cash, state.tokens)
    assert after.events[0] == Corrected(LoansPut(company="NPR", count=2), "it was misread")
    most = title.facts.loans.limit
    for text, why in (
        ("loans NPR 1", owed.OWES_ALREADY.format(company="NPR", count=1)),
        ("loans NPR 99", owed.MOST_LOANS.format(limit=most, count=99)),
    ):
        assert engine.why_not(title, state, tried(state, text, title=title)).text == why
    assert refused(late(), "loans L&N 1") == owed.NO_LOANS.format(title="18AL")


def test_what_is_owed_is_not_put_right_while_it_is_paid():
    title, state = indebted(380)
    busy = replace(state, stack=(*state.stack, Repay(company="NPR")))
    refusal = engine.why_not(title, busy, tried(busy, "loans NPR 2", title=title))
    assert refusal.text == judge.SETTLED_FIRST


def test_bonds_change_hands_and_none_is_made():
    title, state = indebted(302)
    ann, bob = state.seats[:2]
    assert state.bonds == {"CR": 10}
    wanted = tried(state, f"bonds 2 from treasury to {ann}", title=title)
    after = engine.apply(title, state, wanted)
    assert after.state.bonds == {"CR": 8, ann: 2}
    moved = BondsMoved(giver="CR", taker=ann, count=2)
    assert after.events[0] == Corrected(moved, "it was misread")
    for text, why in (
        (
            f"bonds 11 from treasury to {ann}",
            owed.LESS_BONDS.format(giver="CR", own=10, count=11),
        ),
        (f"bonds 1 from {bob} to market", owed.LESS_BONDS.format(giver=bob, own=0, count=1)),
        ("bonds 1 from treasury to NPR", owed.NO_OWNER.format(owner="NPR")),
    ):
        assert engine.why_not(title, state, tried(state, text, title=title)).text == why
    text = owed.NO_BONDS.format(title="18AL")
    assert refused(late(), "bonds 1 from Ann to market") == text
    _, before = indebted(100)
    wanted = tried(before, f"bonds 1 from {ann} to {bob}", title=title)
    refusal = engine.why_not(title, before, wanted)
    assert refusal.text == owed.NO_BONDS_YET.format(company="CR")


def test_marks_go_to_another_company_to_their_hexes_and_out_of_the_game():
    state = next(s for s in PLAYED.states if any(m.hex for m in s.marks))
    [coal] = [mark for mark in state.marks if mark.hex]
    other = next(company for company in state.floated if company != coal.company)
    after = done(state, f"mark S&NA to {other}")
    [moved] = [mark for mark in after.state.marks if mark.private == "S&NA"]
    assert (moved.company, moved.hex, moved.kind) == (other, "", coal.kind)
    put = MarkPut(private="S&NA", mark=coal.kind, company=other)
    assert after.events[0] == Corrected(put, "it was misread")
    back = done(after.state, f"mark S&NA on {coal.hex}").state
    assert [m.hex for m in back.marks if m.private == "S&NA"] == [coal.hex]
    icons = [hex_ for hex_, facts in TITLE.hexes.items() if coal.kind in facts.icons]
    text = owed.GOES_TO.format(mark=coal.kind, places=", ".join(map(TITLE.place, icons)))
    assert refused(after.state, "mark S&NA on A4") == text
    text = owed.THERE_ALREADY.format(mark=coal.kind)
    assert refused(state, f"mark S&NA on {coal.hex}") == text
    gone = done(state, "mark S&NA gone").state
    assert not any(mark.private == "S&NA" for mark in gone.marks)
    text = owed.NOWHERE.format(mark="the mark", private="S&NA")
    assert refused(gone, f"mark S&NA to {other}") == text


def test_of_several_marks_of_a_private_one_is_named():
    state = next(s for s in PLAYED.states if any(m.train for m in s.marks))
    names = [mark.kind for mark in state.marks if mark.private == "M&C"]
    assert len(names) == 2
    with pytest.raises(NotationError, match="has brought several"):
        tried(state, f"mark M&C to {state.floated[0]}")
    [named] = [mark for mark in state.marks if mark.train]
    other = next(company for company in state.floated if company != named.company)
    after = done(state, f"mark M&C {named.kind} to {other}").state
    [moved] = [mark for mark in after.marks if mark.kind == named.kind]
    assert (moved.company, moved.train) == (other, "")


def test_all_parts_are_done_or_none():
    state = late()
    company, ann = state.floated[0], state.seats[0]
    both = done(state, f"cash {company} +20; cash {ann} -20")
    assert both.state.cash[BANK] == state.cash[BANK]
    assert both.state.number == state.number + 1
    assert [event.because for event in both.events] == ["", "it was misread"]
    assert "already" in refused(state, f"cash {company} +20, priority {state.priority}")


def test_while_a_sale_is_being_settled_only_money_and_prices_are_put_right():
    state = late()
    hex_ = next(h for h in state.tiles if h not in state.stations)
    busy = replace(state, stack=(*state.stack, Protection(seat=state.seats[0], blocks=())))
    assert refused(busy, f"tile {hex_} none") == judge.SETTLED_FIRST


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "what\\?"),
        ("fortune Ann +5", "“fortune” cannot be put right"),
        ("cash Ann", "how many dollars"),
        ("cash Zoe +5", "“Zoe” is not an owner"),
        ("shares 1 L&N", "from whom"),
        ("shares 1 L&N from Ann", "to whom"),
        ("train 9 from L&N to market", "is not a type of train"),
        ("private TR", "whose is it"),
        ("tile C99 57", "is not a tile"),
        ("cash Ann +5 please", "is not understood here"),
    ],
)
def test_what_is_not_understood_says_what_would_do(text, told):
    with pytest.raises(NotationError, match=told):
        correcting.parts(TITLE, late(), text)
