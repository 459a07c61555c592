"""Each invariant notices what it is there for."""

from random import Random

import pytest
from msgspec.structs import replace

from engine import Choice, Outcome, Range
from engine.actions import BuyShare, SellShares
from engine.flow import apply, options, to_act, why_not
from engine.invariants import Broken, check_state
from engine.position import codec
from engine.position.values import BANK, MARKET, OFFERING, Bid, Mark, Station
from service.workshop.practice import legality
from service.workshop.practice.invariants import check
from service.workshop.practice.legality import check_options, check_refusals
from tests.service.practice.positions import game, middle

TITLE = game().title


def with_shares(state, company, **changes):
    held = {**state.shares[company], **changes}
    return replace(state, shares={**state.shares, company: held})


def more_cash(state):
    return replace(state, cash={**state.cash, BANK: state.cash[BANK] + 1})


def debt(state):
    seat, cash = state.seats[0], dict(state.cash)
    cash[BANK] += cash[seat] + 5
    cash[seat] = -5
    return replace(state, cash=cash)


def lost_share(state):
    company = state.floated[0]
    return with_shares(state, company, **{MARKET: (10, 10, 10)})


def stolen_presidency(state):
    company = state.floated[0]
    other = next(s for s in state.seats if s != state.presidents[company])
    return replace(state, presidents={**state.presidents, company: other})


def lost_train(state):
    _, *rest = state.trains[OFFERING]
    return replace(state, trains={**state.trains, OFFERING: tuple(rest)})


def crowded_trains(state):
    company = state.floated[0]
    more = state.trains[OFFERING][:4]
    rest = state.trains[OFFERING][4:]
    own = (*state.trains[company], *more)
    return replace(state, trains={**state.trains, company: own, OFFERING: rest})


def stray_private(state):
    return replace(state, privates={**state.privates, "NDY": "Zoe"})


def late_bids(state):
    return replace(state, bids={"TR": (Bid(state.seats[0], 0),)})


def stray_mark(state):
    return replace(state, marks=(*state.marks, Mark("coal field", "nobody", "S&NA")))


def copied_tile(state):
    return replace(state, tiles={**state.tiles, "I2": ("25", 0), "I4": ("25", 0), "J5": ("25", 0)})


def tile_on_red(state):
    return replace(state, tiles={**state.tiles, "A4": ("57", 0)})


def tile_off_the_map(state):
    return replace(state, tiles={**state.tiles, "A2": ("9", 0)})


def lost_city(state):
    return replace(state, tiles={**state.tiles, "J7": ("9", 0)})


def third_station(state):
    company = state.floated[0]
    charters = {**state.charters, company: state.charters[company] + 1}
    return replace(state, charters=charters)


def full_city(state):
    hex_ = next(h for h, s in state.stations.items() if s)
    company = next(c for c in state.floated if c not in {s.company for s in state.stations[hex_]})
    extra = tuple(Station(c, 0) for c in (company, "ABC", "WRA"))
    stations = {**state.stations, hex_: (*state.stations[hex_], *extra)}
    return replace(state, stations=stations)


def empty_stack(state):
    return replace(state, stack=())


def wrong_round(state):
    return replace(state, round=replace(state.round, kind="OR"))


def nobody_has_priority(state):
    return replace(state, priority="Zoe")


@pytest.mark.parametrize(
    ("spoil", "what"),
    [
        (more_cash, "money was made or lost"),
        (debt, "less than nothing"),
        (lost_share, "certificates of .* were made or lost"),
        (stolen_presidency, "without its certificate"),
        (lost_train, "trains were made or lost"),
        (crowded_trains, "trains in phase"),
        (stray_private, "belongs to nobody"),
        (late_bids, "bids on TR"),
        (stray_mark, "belongs to nobody"),
        (copied_tile, "tiles 25 on the map"),
        (tile_on_red, "a tile lies on A4"),
        (tile_off_the_map, "leads off the map"),
        (lost_city, "other stops than the hex"),
        (third_station, "tokens of .* were made or lost"),
        (full_city, "tokens in a city"),
        (empty_stack, "over for no reason"),
        (wrong_round, "is not the round"),
        (nobody_has_priority, "priority deal"),
    ],
)
def test_a_spoiled_position_is_noticed(spoil, what):
    good = middle()
    check_state(TITLE, good)
    with pytest.raises(Broken, match=what):
        check_state(TITLE, spoil(good))


def test_holdings_beyond_the_limits_are_noticed():
    state = middle()
    company = state.floated[0]
    president = state.presidents[company]
    everything = {president: (20, *[10] * 8)}
    hoard = replace(state, shares={**state.shares, company: everything})
    with pytest.raises(Broken, match=f"{president} holds 100%"):
        check_state(TITLE, hoard)
    glut = replace(
        state, shares={**state.shares, company: {president: (20, 10), MARKET: (10,) * 7}}
    )
    with pytest.raises(Broken, match="the open market holds 70%"):
        check_state(TITLE, glut)


def test_bids_beyond_a_players_money_are_noticed():
    state = game().states[0]
    seat = state.seats[0]
    two = {"NDY": (Bid(seat, 300),), "M&C": (Bid(seat, 250),)}
    with pytest.raises(Broken, match="bid more than they have"):
        check_state(TITLE, replace(state, bids=two))


def step():
    """A position, an action, its outcome and the position's JSON."""
    played = game()
    before = middle()
    at = played.states.index(before)
    action = played.actions[at]
    return before, action, apply(TITLE, before, action), codec.encode(before)


def test_a_good_step_passes():
    before, action, outcome, kept = step()
    check(TITLE, before, action, outcome, kept)


def test_a_step_that_changed_its_position_is_noticed():
    before, action, outcome, _ = step()
    with pytest.raises(Broken, match="changed by it"):
        check(TITLE, before, action, outcome, b"{}")


def test_a_step_that_cannot_be_repeated_is_noticed():
    before, action, outcome, kept = step()
    elsewhere = replace(outcome.state, priority=before.seats[0])
    assert elsewhere != outcome.state
    with pytest.raises(Broken, match="led somewhere else"):
        check(TITLE, before, action, Outcome(elsewhere, outcome.events), kept)


def test_an_uncounted_action_is_noticed():
    before, action, _, _ = step()
    with pytest.raises(Broken, match="counts as one"):
        check(TITLE, before, action, Outcome(before, ()))


def test_all_options_of_a_position_are_played():
    state = middle()
    seat = to_act(TITLE, state)[0]
    assert check_options(TITLE, state, Random(1)) >= len(options(TITLE, state, seat)) - 1


def test_an_option_that_is_refused_is_noticed(monkeypatch):
    state = middle()
    seat = to_act(TITLE, state)[0]
    bad = SellShares(by=seat, company="L&N", shares=10)
    monkeypatch.setattr(legality, "listed", lambda *_: (Choice(bad),))
    with pytest.raises(Broken, match="offered and refused"):
        check_options(TITLE, state, Random(1))


def test_a_player_without_options_is_noticed(monkeypatch):
    monkeypatch.setattr(legality, "listed", lambda *_: ())
    with pytest.raises(Broken, match="can do nothing"):
        check_options(TITLE, middle(), Random(1))


def test_spoiled_actions_are_refused_in_many_positions():
    states = game().states[::25]
    assert sum(check_refusals(TITLE, state, Random(1)) for state in states) > 200


def test_a_verb_that_is_not_offered_at_all_is_noticed(monkeypatch):
    state = middle()
    listed = options(TITLE, state, to_act(TITLE, state)[0])
    fewer = [o for o in listed if not isinstance(o, Choice) or not isinstance(o.action, BuyShare)]
    assert len(fewer) < len(listed)
    monkeypatch.setattr(legality, "listed", lambda *_: tuple(fewer))
    with pytest.raises(Broken, match="legal, but not offered: BuyShare"):
        for seed in range(100):
            check_refusals(TITLE, state, Random(seed))


def test_a_legal_action_that_is_not_offered_is_noticed(monkeypatch):
    state = game().states[0]
    listed = options(TITLE, state, to_act(TITLE, state)[0])
    narrow = [replace(bid, high=bid.low + 10) for bid in listed if isinstance(bid, Range)]
    monkeypatch.setattr(legality, "listed", lambda *_: tuple(narrow))
    with pytest.raises(Broken, match="legal, but not offered"):
        check_refusals(TITLE, state, Random(1))


def test_a_refusal_without_a_rule_is_noticed(monkeypatch):
    monkeypatch.setattr(
        legality,
        "why_not",
        lambda *args: (found := why_not(*args)) and replace(found, rule=""),
    )
    with pytest.raises(Broken, match="without a rule"):
        check_refusals(TITLE, middle(), Random(1))
