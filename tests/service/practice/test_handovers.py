"""Hand-overs are counted by the published rules: what orders could have done, and what not."""

import json
from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace

import pytest

from engine import decision
from engine.supposing import with_turn
from service.games.orders import Book, GivenOrder, Trial
from service.orders import grammar
from service.orders.building import Names
from service.workshop.practice.bench import Recording
from service.workshop.practice.decided import decided
from service.workshop.practice.followed import Elsewhere, Followed
from service.workshop.practice.handovers import (
    COLUMNS,
    Unreadable,
    count,
    from_file,
    handovers,
    sources,
    summed,
)
from service.workshop.practice.hindsight import Hindsight
from service.workshop.practice.script import recorded_game
from tests.need import peer_games

PLAYED = recorded_game("18al")
#: through the first stock round and the operating round after it
GAME = Recording("18al", PLAYED.title, PLAYED.states[0], tuple(PLAYED.actions[:110]))
DECISIONS = tuple(decided(GAME))
FOLLOWED = Followed(GAME.title, DECISIONS)


def by(*seats):
    return [SimpleNamespace(seat=seat) for seat in seats]


@pytest.mark.parametrize(("seats", "taken", "expected"), [
    ("ABAB", (), 3),
    ("AABB", (), 1),
    ("ABAB", {1, 3}, 1),  # Ann is asked again, after what Bob's order did
    ("AABB", {1}, 1),
    ("ABBB", {1}, 1),
    ("A", (), 0),
    ("", (), 0),
])  # fmt: skip
def test_a_handover_is_a_wait_for_somebody_who_did_not_act_last(seats, taken, expected):
    assert handovers(by(*seats), taken) == expected


def test_decisions_are_whole_turns():
    assert sum(len(one.actions) for one in DECISIONS) == len(GAME.actions)
    for one, other in pairwise(DECISIONS):
        assert one.after == other.before
        assert (one.seat, decision(one.before)) != (other.seat, decision(other.before))


def buying():
    """Where a player buys in the stock round and buys again in their next turn."""
    for place, one in enumerate(DECISIONS):
        later = FOLLOWED.later(place)
        if later and one.stock_turn and one.plain == DECISIONS[later[0]].plain != ():
            return place, later[0]
    raise AssertionError("nobody buys twice")


def test_an_order_takes_the_decision_that_it_leads_to_and_no_other():
    place, later = buying()
    [text] = DECISIONS[later].plain
    assert FOLLOWED.takes(place, [f"next: {text}"]) == [later]
    with pytest.raises(Elsewhere):
        FOLLOWED.takes(place, ["standing pass until round ends"])


def test_what_was_not_possible_when_it_was_ordered_does_not_count():
    place, later = buying()
    [text] = DECISIONS[later].plain
    one = DECISIONS[place]
    assert FOLLOWED.supposed(one.after, one.seat, f"next: {text}") is not None
    start = GAME.start
    assert FOLLOWED.supposed(start, one.seat, f"next: {text}") is None


def test_a_turn_is_supposed_only_of_a_company_that_has_floated():
    operated = next(one for one in DECISIONS if one.company)
    company = operated.company
    assert with_turn(GAME.title, GAME.start, company) is None
    state = with_turn(GAME.title, operated.after, company)
    assert state.stack[-1].company == company
    assert state.cash == operated.after.cash
    later = Recording("", GAME.title, GAME.start, tuple(PLAYED.actions[:60]))
    stock = next(d.after for d in decided(later) if d.company == "" and company in d.after.floated)
    assert stock.round.kind == "SR"
    assert with_turn(GAME.title, stock, company).round.kind == "OR"


def test_all_orders_together_play_the_game_that_was_played():
    hindsight = Hindsight(GAME.title, DECISIONS)
    behind = hindsight.behind()
    given = list(hindsight.orders(COLUMNS["with_orders"], behind, lambda _: None))
    taken = {place for order in given for place in order.takes}
    book, played = Book(), set()
    for place, one in enumerate(DECISIONS):
        for seat in {one.seat, *(o.seat for o in book.orders)}:
            if seat != one.seat:
                continue
            number = one.before.number + 1
            changed, tried = Trial(GAME.title, one.before, seat, number, book).first()
            for order in changed:
                book = book.with_order(order)
            if tried is not None and tried.outcome is not None:
                assert tried.outcome.state == one.after
                played.add(place)
        book = replace(book, past=(*book.past, *one.past))
        if place not in played and place not in behind:
            others = tuple(o for o in book.orders if o.seat != one.seat)
            mine = (o.text for o in given if o.place == place)
            names = Names(GAME.title, one.after.seats)
            when = (one.after.number, one.after.round)
            new = (
                GivenOrder(1000 * place + n, n, one.seat, grammar.read(names, text), text, *when)
                for n, text in enumerate(mine, 1)
            )
            book = replace(book, orders=(*others, *new))
    assert played == taken
    assert len(taken) > 10


def test_a_game_that_is_not_over_has_all_its_figures():
    game = count(GAME)
    figures = json.loads(json.dumps(game.figures(with_orders=True)))
    assert not figures["ended"]
    assert figures["handovers"] >= figures["one_mail"] >= figures["with_orders"]
    assert figures["with_orders"] <= min(figures[name] for name in COLUMNS)
    saved = 100 * (figures["handovers"] - figures["with_orders"]) / figures["handovers"]
    assert figures["saved_percent"] == round(saved, 1)
    assert all(grammar.read(names(), order["order"]).steps for order in figures["orders"])
    both = summed([game, game])
    assert both["handovers"] == 2 * figures["handovers"]
    assert both["saved_percent"] == figures["saved_percent"]


def names():
    return Names(GAME.title, GAME.start.seats)


def test_a_game_that_has_not_begun_has_no_handovers():
    game = count(Recording("none", GAME.title, GAME.start, ()))
    assert game.handovers == game.columns["with_orders"] == 0
    assert game.figures()["saved_percent"] == 0


@pytest.mark.parametrize(("name", "text"), [
    ("lost.json", None), ("bad.json", "{"), ("other.json", '{"title": "1830"}'),
    ("bad.game", "title 18AL\nplayers Ann Bob Cat\n\nAnn: buy NDY\n"),
    ("none.game", "title 18ZZ\nplayers Ann Bob Cat\n"),
])  # fmt: skip
def test_an_error_names_its_file(tmp_path, name, text):
    path = tmp_path / name
    if text is not None:
        path.write_text(text)
    with pytest.raises(Unreadable, match=name):
        from_file(path)


def test_files_and_folders_stand_for_their_games(tmp_path):
    (tmp_path / "two.json").write_text("{}")
    (tmp_path / "one.json").write_text("{}")
    found = [source.name for source in sources([tmp_path, tmp_path / "a.game"], None, 0)]
    assert found == ["one", "two", "a"]
    assert {s.group for s in sources([], tmp_path, 1)} == {"recorded", "peers", "bots"}


@pytest.mark.peer
@pytest.mark.long
def test_orders_save_half_of_the_handovers_of_games_that_people_played():
    games = [count(source.game()) for source in sources([peer_games()], None, 0)]
    assert len(games) == 5
    assert summed(games)["saved_percent"] >= 50
