"""The caretaker: what is done for a silent player, in every kind of decision of every title."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

import engine
from engine import apply, decision, to_act, why_not
from engine.actions import BidPrivate, BuyTrain, Decline, Dividend, LetFall, Pass, Run
from engine.notation import parse
from engine.position.frames import (
    CityChoice,
    Connected,
    Discard,
    FireSale,
    Interest,
    MergerStations,
    OldStation,
    Question,
)
from engine.position.values import MARKET, OFFERING
from engine.proposals import TrainSale
from engine.steps import ASKING
from engine.steps.operating.trains import MUST_BUY
from engine.steps.stock.selling import MUST_SELL
from service.games import caretaker
from service.games.caretaker import RULE, RULES, Director, by_frame, decide, move, turn
from service.games.changes import Request, make
from service.workshop.practice.bots import RandomBot
from tests.games import game
from tests.rules import setting as al
from tests.rules.al.turns import buying
from tests.rules.gl import test_4_6_4_interest as interest
from tests.rules.gl.setting import on as gl
from tests.rules.mw import test_connections as connections
from tests.rules.mw import test_price_protection as protection
from tests.rules.mw.setting import on as mw
from tests.service.players import says
from tests.service.reading import read_as_player

ROOT = Path(__file__).resolve().parents[2]
TITLES = ("18al", "18ga", "18tn", "18gl", "18mw")
AL = al.AL


def table(title, state):
    """As much of a game as changes are made from."""
    return SimpleNamespace(
        title=title, state=state, next_number=state.number + 1, ahead=(), offers=(), votes=()
    )


def commands(*lines):
    return read_as_player(lines, AL)


# every kind has its rule


def test_each_decision_needs_a_rule():
    assert set(RULE) == set(ASKING)
    assert sum(len(rule.frames) for rule in RULES) == len(RULE), "one rule each"
    left = [replaced(rule) for rule in RULES]
    with pytest.raises(TypeError, match="without a caretaker's rule: Discard, Question"):
        by_frame(left)


def replaced(rule):
    kept = tuple(frame for frame in rule.frames if frame not in (Discard, Question))
    return caretaker.CaretakerRule(rule.when, kept, rule.does, rule.decide)


@pytest.mark.long
def test_the_rules_are_published_as_they_are():
    """Each row of the page is a rule, with the titles in which recorded games have met it."""
    page = (ROOT / "docs" / "caretaker.md").read_text(encoding="utf-8")
    [table_] = (part for part in page.split("\n\n") if part.startswith("| to decide |"))
    rows = [line.strip("| ").split(" | ") for line in table_.splitlines()]
    published = {row[0]: row[1:] for row in rows[2:]}
    assert {rule.when: rule.does for rule in RULES} == {w: row[0] for w, row in published.items()}
    for name in TITLES:
        played = game(name)
        for kind in {type(state.stack[-1]) for state in played.states if state.stack}:
            titles = published[RULE[kind].when][1]
            assert titles == "all" or played.title.name in titles, (kind, name)


@pytest.mark.parametrize("name", TITLES)
def test_in_recorded_games_its_moves_are_legal_and_settle_what_was_asked(name):
    """Or it says what the director must choose, and each way that it names is one."""
    played, moved, handed = game(name), 0, 0
    for state in played.states[::9]:
        for seat in to_act(played.title, state) if state.stack else ():
            found = turn(played.title, state, seat)
            if isinstance(found, Director):
                handed += 1
                assert found.reason.endswith(".")
                for way in found.ways:
                    change = make(table(played.title, state), Request(seat, commands(way), True))
                    assert change.outcomes[0].done, way
                continue
            moved += 1
            after = state
            for action in found:
                after = apply(played.title, after, action).state
            same = decision(after) == decision(state)
            assert found and not (same and seat in to_act(played.title, after))
    assert moved > 10 * handed


@pytest.mark.parametrize("name", TITLES)
@pytest.mark.parametrize("part", [pytest.param(1, marks=pytest.mark.long), 7])
def test_a_game_goes_on_to_its_end_while_one_player_is_always_silent(name, part):
    """The others do anything; what is the director's to decide, somebody decides."""
    played = game(name)
    title, state = played.title, played.states[part * len(played.states) // 10]
    silent = next(iter(state.presidents.values()), state.seats[0])
    others, steps = RandomBot(part), 0
    while state.stack:
        seat = to_act(title, state)[0]
        found = decide(title, state, seat) if seat == silent else None
        if found is None or isinstance(found, Director):
            found = others.choose(title, state, seat)
        state = apply(title, state, found).state
        steps += 1
        assert steps < 10_000
    assert state.ending is not None


# rule by rule


def test_it_passes_whatever_could_be_bought():
    for state in (al.private_turn(), al.stock_turn()):
        assert turn(AL, state, "Ann") == (Pass(by="Ann"),)
    opening = engine.new_game(mw.title, ["Ann", "Bob", "Cas"]).state
    bid = BidPrivate(by="Ann", private=next(iter(opening.privates)), amount=500)
    now = apply(mw.title, opening, bid).state if why_not(mw.title, opening, bid) is None else None
    for state in filter(None, (opening, now)):
        seat = to_act(mw.title, state)[0]
        assert turn(mw.title, state, seat) == (Pass(by=seat),)


def test_who_need_not_decide_has_nothing_done():
    state = al.stock_turn()
    assert turn(AL, state, "Bob") == ()
    assert move(table(AL, state), "Bob") == ()


def test_a_forced_sale_of_shares_is_the_directors():
    state = al.company(al.stock_turn(), "L&N", {"Ann": 70, "Bob": 30})
    found = turn(AL, state, "Ann")
    assert isinstance(found, Director)
    assert says(found.reason, MUST_SELL, player="Ann", most=60, company="L&N")
    assert found.ways and all(way.startswith("sell ") for way in found.ways)


def test_a_company_runs_its_best_pays_and_does_nothing_else():
    played = game("18al")
    state = next(
        s
        for s in played.states
        if s.stack
        and s.stack[-1].__class__.__name__ == "Track"
        and s.trains.get(s.stack[-1].company)
        and not isinstance(turn(played.title, s, s.presidents[s.stack[-1].company]), Director)
    )
    company = state.stack[-1].company
    seat = state.presidents[company]
    actions = turn(played.title, state, seat)
    assert [type(a) for a in actions] == [Run, Dividend, Pass]
    assert actions[1].kind == "pay"
    best = parse(played.title, state, seat, "run")
    assert actions[0] == best


def test_a_forced_train_is_the_cheapest_that_the_company_itself_can_pay():
    assert turn(AL, buying("2", cash=500), "Ann") == (Pass(by="Ann"),), "it has one already"
    bought = BuyTrain(by="Ann", company="L&N", train="2", source=OFFERING, price=100)
    assert turn(AL, buying(cash=500), "Ann")[0] == bought
    cheap = al.own(buying(cash=500, phase="4"), MARKET, "3", "5")
    first = turn(AL, cheap, "Ann")[0]
    assert (first.train, first.source) == ("3", MARKET)


def test_a_train_is_bought_before_the_run_too_where_nothing_else_is_left_of_the_turn():
    state = al.operating(buying(cash=500), "L&N", "track")
    assert isinstance(turn(AL, state, "Ann")[0], BuyTrain)


def test_where_a_president_would_have_to_add_money_the_director_decides():
    found = turn(AL, al.money(buying(cash=120, phase="4"), {"Ann": 900}), "Ann")
    assert isinstance(found, Director)
    assert says(found.reason, f"{MUST_BUY} (18AL 4.2.5.2)")
    assert "buy 4" in found.ways


def test_where_interest_forces_a_sale_the_director_decides():
    state = gl.waiting(interest.owing(2, cash=20, own=10))
    assert isinstance(state.stack[-1], Interest)
    found = turn(gl.title, state, "Ann")
    assert isinstance(found, Director)
    assert "$70 must come from selling shares" in found.reason
    assert found.ways == ("sell 1 MR",)


def test_of_two_trains_over_the_limit_the_director_chooses_and_a_single_one_it_gives_up():
    state = al.company(al.stock_turn(), "L&N", {"Ann": 60}, trains=("2", "3"))
    several = replace(state, stack=(*state.stack, Discard(("L&N",))))
    found = turn(AL, several, "Ann")
    assert found == Director("There are several ways, and one is due.", ("discard 2", "discard 3"))
    alone = al.company(al.stock_turn(), "L&N", {"Ann": 60}, trains=("2", "2"))
    alone = replace(alone, stack=(*alone.stack, Discard(("L&N",))))
    assert [a.train for a in turn(AL, alone, "Ann")][:1] == ["2"]


def test_stations_of_a_merger_are_the_directors():
    frame = MergerStations("CR", {"NPR": 1}, (OldStation("J12", 0, ("NPR",)),))
    state = gl.company(gl.stock_turn(), "CR", {"Ann": 20})
    state = replace(state, stack=(*state.stack, frame))
    found = turn(gl.title, state, "Ann")
    assert isinstance(found, Director)
    assert "lost" in found.reason
    assert found.ways[0].startswith("keep")


def test_offers_are_declined_whatever_their_price():
    state = al.company(al.stock_turn(), "L&N", {"Ann": 60}, trains=("3",))
    state = al.company(state, "M&O", {"Bob": 60}, cash=900)
    state = al.operating(state, "M&O", "trains")
    offer = BuyTrain(by="Bob", company="M&O", train="3", source="L&N", price=900)
    state = apply(AL, al.phase(state, "3"), offer).state
    assert isinstance(state.stack[-1].proposal, TrainSale)
    assert turn(AL, state, "Ann") == (Decline(by="Ann"),)


def test_prices_fall():
    state = protection.sold(protection.turn(), IC=2, NP=1)
    assert mw.waits_for(state) == ("Bob",)
    first = decide(mw.title, state, "Bob")
    assert isinstance(first, LetFall)
    while mw.waits_for(state) == ("Bob",) and mw.price(state, "IC") == 85:
        state = apply(mw.title, state, decide(mw.title, state, "Bob")).state
    assert mw.price(state, "IC") < 85


def test_nothing_is_bid_in_a_fire_sale():
    state = mw.turn("trains", "IC", at_phase="6")
    state = replace(state, stack=(*state.stack, FireSale("IC", ("Bob", "Cas"), 50, 10)))
    assert turn(mw.title, state, "Bob") == (Pass(by="Bob"),)


def test_the_free_station_of_a_connection_is_declined():
    state = apply(mw.title, connections.burlington(cash=0), connections.RUN).state
    assert isinstance(state.stack[-1], Connected)
    assert decide(mw.title, state, "Ann") == Decline(by="Ann")


def test_of_several_cities_the_director_chooses_and_one_alone_is_taken():
    state = gl.turn("track", "MR")
    hexes = [h for h, there in state.stations.items() if there]
    state = replace(state, stack=(*state.stack, CityChoice("MR", hexes[0], ("MR",))))
    place = caretaker.CaretakerPlace(gl.title, state, "Ann")
    ways = list(place.ways())
    found = RULE[CityChoice].decide(place)
    if len(ways) == 1:
        assert found == ways[0]
    else:
        assert isinstance(found, Director)


# as a change of a game


@pytest.mark.parametrize("name", TITLES)
def test_its_requests_are_carried_out_as_they_are(name):
    played = game(name)
    for state in played.states[::40]:
        for seat in to_act(played.title, state) if state.stack else ():
            found = move(table(played.title, state), seat)
            if isinstance(found, Director):
                continue
            change = make(table(played.title, state), *found)
            assert [outcome.done for outcome in change.outcomes] == [True]
            expected = [type(a) for a in turn(played.title, state, seat)]
            assert [type(p.action) for p in change.played][: len(expected)] == expected
