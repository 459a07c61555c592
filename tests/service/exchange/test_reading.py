"""What an exported game may hold, and what is refused by name."""

import pytest

from engine.flow import NOT_THEIR_TURN
from engine.flow import replay as replayed
from engine.position.values import MARKET
from engine.steps.stock.private_sale import BID_TOO_LOW
from service.exchange import course, verify
from service.exchange.dialect import NeighbourError
from service.exchange.verify import ExportedGame, compare, replay
from tests.service.exchange.exports import SOLD, bid, buy, exported, par, passes, played
from tests.service.players import says


def test_players_are_known_by_id_and_by_name():
    state, _ = played(bid(11, "TR", 20), bid("Bob Lee", "SNAR", 40), bid("33", "BLC", 70))
    assert [state.privates[p] for p in ("TR", "S&NA", "B&SLC")] == ["Ann", "Bob Lee", "Cid"]


def test_a_turn_that_cannot_go_on_ends_without_a_pass():
    state, _ = played(*SOLD, par(11, "TAG", 60), buy(22, "TAG_1"), buy(33, "TAG_2"))
    assert state.shares["TAG"] == {
        "Ann": (20,),
        "Bob Lee": (10,),
        "Cid": (10,),
        "initial offering": (10,) * 6,
    }


def test_a_certificate_that_was_sold_is_bought_from_the_market():
    sell = {"type": "sell_shares", "entity": 22, "entity_type": "player", "shares": ["TAG_1"]}
    start = (*SOLD, par(11, "TAG", 75), buy(22, "TAG_1"), *passes(33, 11, 22))
    state, _ = played(*start, *passes(33, 11), sell, *passes(22), buy(33, "TAG_1"))
    assert state.round.number == 2
    assert MARKET not in state.shares["TAG"]
    assert state.shares["TAG"]["Cid"] == (10,)


def test_what_was_played_can_be_played_again_in_our_words():
    game = ExportedGame(exported(*SOLD, par(11, "TAG", 60), buy(22, "TAG_1")))
    first = game.course().state
    state, actions = replay(game)
    *_, last = replayed(game.title, first, actions)
    assert last.state == state


def test_players_do_not_insist_on_best_runs():
    assert ExportedGame(exported()).course().state.insist == ()


def test_an_end_by_agreement_ends_the_game():
    state, _ = played(*SOLD, {"type": "end_game", "entity": 11})
    assert state.stack == ()
    assert state.ending.cause == "agreement"


def test_optional_rules_become_variants():
    settings = {"optional_rules": ["double_yellow_first_or", "hard_rust_t4"]}
    game = ExportedGame(exported(settings=settings))
    assert game.variants == ("18xx.games", "no-last-run", "two-yellow")


REFUSED_FILES = {
    "title": {"title": "1830"},
    "players": {"players": [{"name": "Ann"}]},
    "rule": {"settings": {"optional_rules": ["more_fun"]}},
    "actions": {"actions": [{"type": "pass"}]},
}


@pytest.mark.parametrize("what", REFUSED_FILES)
def test_a_file_that_cannot_be_honoured_is_refused(what):
    with pytest.raises(NeighbourError):
        replay(ExportedGame({**exported(), **REFUSED_FILES[what]}))


REFUSED_ACTIONS = {
    "an action of type dance": {"type": "dance", "entity": 11},
    "is not a player or company": {"type": "bid", "entity": "Zed", "company": "TR", "price": 20},
    "there is no private company": {"type": "bid", "entity": 11, "company": "XYZ", "price": 20},
    "the bid has no price": {"type": "bid", "entity": 11, "company": "TR"},
    "cannot be read": {"type": "bid", "entity": 11, "company": "SNAR", "price": "much"},
    "is not a player or company$": {"type": "bid", "entity": [11], "company": "TR", "price": 20},
    "there is no company X": {
        "type": "par",
        "entity": 11,
        "corporation": "X",
        "share_price": "60,2,2",
    },
    "exchange": {"type": "buy_train", "entity": "L&N", "train": "2-0", "exchange": "2-1"},
}


@pytest.mark.parametrize("why", REFUSED_ACTIONS)
def test_an_action_that_is_not_understood_is_named(why):
    with pytest.raises(NeighbourError, match=f"action 1: .*{why}"):
        played(REFUSED_ACTIONS[why])


BROKEN_LOGS = {
    "entry 2 of its actions is none, or has no id": [
        {"id": 1, "type": "message"},
        {"type": "pass"},
    ],
    "entry 1 of its actions is none": ["pass"],
    "action 4: it has no type": [{"id": 4, "entity": 11}],
    "action 5: its automatic": [{"id": 5, "type": "message", "auto_actions": 3}],
    "action 6: x is not a number": [{"id": 6, "type": "undo", "action_id": "x"}],
}


@pytest.mark.parametrize("why", BROKEN_LOGS)
def test_an_entry_that_is_no_action_is_named(why):
    with pytest.raises(NeighbourError, match=why):
        ExportedGame({**exported(), "actions": BROKEN_LOGS[why]})


@pytest.mark.parametrize("field", ["title", "players", "actions"])
def test_a_field_that_a_game_lacks_is_named(field):
    game = exported()
    del game[field]
    with pytest.raises(NeighbourError, match=f"it has no '{field}'"):
        ExportedGame(game)


def test_an_action_that_a_rule_forbids_is_the_difference():
    verdict = compare(ExportedGame(exported(bid(11, "TR", 20), bid(22, "NDY", 121))))
    assert not verdict.agrees
    assert verdict.first_difference.action == 2
    assert says(verdict.first_difference.what, BID_TOO_LOW, private="NDY", least="$125")


def test_the_totals_of_a_finished_game_are_compared():
    end = {"type": "end_game", "entity": 11, "entity_type": "player"}
    result = {"11": 600, "22": 600, "33": 600}
    facts = {"status": "finished", "game_end_reason": "manually_ended"}
    assert compare(ExportedGame(exported(end, result=result, **facts))).agrees
    wrong = compare(ExportedGame(exported(end, result={**result, "22": 599}, **facts)))
    found = wrong.first_difference
    assert (found.action, found.what) == (None, verify.TOTAL.format(seat="Bob Lee"))
    assert (found.ours, found.theirs) == (600, 599)


def test_a_game_that_is_over_there_only_differs():
    verdict = compare(ExportedGame(exported(*SOLD, status="finished", game_end_reason="bank")))
    assert verdict.first_difference.what == verify.GOES_ON_HERE


def test_a_pass_out_of_turn_is_refused():
    verdict = compare(ExportedGame(exported(*SOLD, *passes(22))))
    assert verdict.first_difference.action == 7
    why = NOT_THEIR_TURN.format(player="Bob Lee", others="Ann")
    assert verdict.first_difference.what == f"pass: {why}"


def test_a_company_s_turn_is_not_left_out():
    start = (
        *SOLD,
        par(11, "TAG", 60),
        *[buy(who, f"TAG_{n}") for n, who in enumerate((22, 33, 11, 22), 1)],
    )
    other = {"type": "pass", "entity": "L&N", "entity_type": "corporation"}
    verdict = compare(ExportedGame(exported(*start, *passes(33, 11, 22), other)))
    assert verdict.first_difference.action == 15
    why = course.PASSES_OUT_OF_TURN.format(actor="L&N")
    assert verdict.first_difference.what == why
