"""Whatever a director puts right: it is refused, or all that must hold holds and play goes on."""

from random import Random

import pytest
from msgspec.structs import replace

import engine
from engine import Correction, Illegal, digest
from engine.corrections import (
    BondsMoved,
    CashMoved,
    LoansPut,
    MarkPut,
    PricePut,
    PriorityPut,
    PrivateMoved,
    SharesMoved,
    StationPut,
    TilePut,
    TrainMoved,
)
from engine.invariants import check_state
from engine.notation import correcting
from engine.position import codec
from engine.position.values import BANK, CLOSED, MARKET, OFFERING, REMOVED
from engine.telling.narration import narrate_all
from service.workshop.practice.bots import RandomBot
from tests.properties.positions import TITLES, positions

#: how often parts are tried in each position, and actions that are played after one that was made
TRIED, PLAYED = 2, 4


def parts(title, state, lot):
    """Parts of every kind about what there is, most of them possible."""
    owners = (BANK, *state.seats, *state.floated)
    companies = tuple(title.companies)
    pairs = lot.sample(owners, 2) if len(owners) > 1 else (BANK, BANK)
    yield CashMoved(giver=pairs[0], taker=pairs[1], dollars=lot.randrange(1, 60))
    company = lot.choice(companies)
    holders = [*state.shares[company], OFFERING]
    giver, taker = lot.choice(holders), lot.choice((*state.seats, MARKET, OFFERING, company))
    percent, president = lot.choice([(10, False), (20, False), (20, True), (5, False)])
    yield SharesMoved(
        company=company, giver=giver, taker=taker, percent=percent, president=president
    )
    keepers = [owner for owner, own in state.trains.items() if own]
    giver = lot.choice(keepers)
    taker = lot.choice((OFFERING, MARKET, REMOVED, *(state.floated or companies)))
    yield TrainMoved(train=lot.choice(state.trains[giver]), giver=giver, taker=taker)
    taker = lot.choice((OFFERING, CLOSED, *state.seats, *companies))
    yield PrivateMoved(private=lot.choice(list(state.privates)), taker=taker)
    hex_ = lot.choice([*state.tiles, *title.hexes])
    tile = lot.choice(["", *title.tiles])
    way = lot.choice(title.rotations[tile]) if tile else 0
    yield TilePut(hex=hex_, tile=tile, rotation=way)
    hex_ = lot.choice([*state.stations, *title.hexes])
    yield StationPut(company=company, hex=hex_, stop=lot.randrange(2), off=lot.random() < 0.5)
    if state.tokens:
        chart = title.chart
        row = lot.randrange(len(chart.rows))
        cell = (row, lot.randrange(len(chart.rows[row])))
        yield PricePut(company=lot.choice(state.tokens).company, cell=cell)
    yield PriorityPut(seat=lot.choice(state.seats))
    yield LoansPut(company=lot.choice(state.floated or companies), count=lot.randrange(7))
    giver, taker = lot.choice([*state.bonds, MARKET]), lot.choice((*state.seats, MARKET, REMOVED))
    yield BondsMoved(giver=giver, taker=taker, count=lot.randrange(1, 3))
    for mark in state.marks[:1]:
        hex_ = lot.choice(["", mark.hex, *(h for h, f in title.hexes.items() if f.icons)])
        company = lot.choice([*state.floated, *companies, ""])
        yield MarkPut(
            private=mark.private, mark=mark.kind, company=company, hex=hex_ if company else ""
        )


def goes_on(title, state, lot):
    """A few actions of bots, with everything held after each."""
    for _ in range(PLAYED):
        if not state.stack:
            return
        seat = engine.to_act(title, state)[0]
        action = RandomBot(lot.randrange(1000)).choose(title, state, seat)
        state = engine.apply(title, state, action).state
        check_state(title, state)


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=[pytest.mark.long] * (n not in ("18AL", "18GL"))) for n in TITLES],
)
def test_a_correction_is_refused_or_leaves_a_position_that_is_played_on(name):
    title, states = positions(name)
    lot, made = Random(name), set()
    for state in states[::3]:
        kept = codec.encode(state)
        for _ in range(TRIED):
            for part in parts(title, state, lot):
                wanted = Correction(parts=(part,), because="it was misread")
                refusal = engine.why_not(title, state, wanted)
                if refusal is not None:
                    with pytest.raises(Illegal):
                        engine.apply(title, state, wanted)
                    assert refusal.text
                    continue
                made.add(type(part))
                outcome = engine.apply(title, state, wanted)
                assert outcome.state.number == state.number + 1
                assert codec.encode(state) == kept
                read = codec.decode_action(codec.encode(wanted))
                assert digest(engine.apply(title, state, read).state) == digest(outcome.state)
                assert narrate_all(title, outcome.events)
                text = correcting.write(title, state, part)
                assert correcting.parts(title, state, text) == (part,), text
                check_state(title, outcome.state)
                goes_on(title, outcome.state, lot)
    assert {CashMoved, PriorityPut, StationPut, PricePut, TilePut} <= made
    assert (LoansPut in made) == (title.facts.loans is not None)
    assert (BondsMoved in made) == (title.facts.bonds is not None)
    assert (MarkPut in made) == any(state.marks for state in states)


def test_a_game_with_corrections_is_replayed_to_the_same_position():
    title, states = positions("18AL")
    state = states[len(states) // 2]
    company = state.floated[0]
    more = Correction(parts=(CashMoved(giver=BANK, taker=company, dollars=20),), because="x")
    less = Correction(parts=(CashMoved(giver=company, taker=BANK, dollars=20),), because="y")
    *_, last = engine.replay(title, state, [more, less])
    assert replace(last.state, number=state.number) == state
