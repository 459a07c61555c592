"""Game scripts are read, carried out and written; what is wrong is told with its line."""

import pytest

from engine import digest, load_title, new_game
from engine.actions import IdleTrain, Run
from service.workshop.practice.script import (
    ScriptClaim,
    ScriptError,
    ScriptTurn,
    legal,
    read,
    recorded,
    recorded_game,
    recorded_names,
    run,
    write,
)
from tests import games
from tests.service.practice.positions import game

HEAD = "title 18AL\nplayers Ann Bob Cat\n"


@pytest.mark.long
@pytest.mark.parametrize("name", games.names())
def test_a_game_goes_as_it_is_written(name):
    played = games.game(name)
    assert played.actions
    assert any(isinstance(line, ScriptClaim) for line in played.script.lines)


def test_the_recorded_game_ends_by_the_bank_after_all_phases():
    played = game()
    assert played.final.ending is not None
    assert played.final.ending.cause == "bank"
    assert not played.final.stack
    seen = dict.fromkeys(state.phase for state in played.states)
    assert set(seen) >= set(played.title.phase_order) - {"6", "7"}


def test_the_recorded_game_uses_every_power_and_most_verbs():
    played = game()
    names = {type(event).__name__ for outcome in played.outcomes for event in outcome.events}
    powers = {getattr(e, "power", "") for outcome in played.outcomes for e in outcome.events}
    assert {"AuctionBegan", "MarkPlaced", "TrainNamed", "BonusPaid", "Declined"} <= names
    assert {"B&SLC", "NDY"} <= powers
    assert len({type(action) for action in played.actions}) >= 15


def test_the_recorded_game_of_18gl_shows_what_its_family_brings():
    played = recorded_game("18GL")
    assert played.final.ending is not None
    assert played.final.ending.cause == "bank"
    assert {state.phase for state in played.states} == set(played.title.phase_order)
    names = {type(event).__name__ for outcome in played.outcomes for event in outcome.events}
    assert {"Merged", "LoanTaken", "LoansRepaid", "BondsIssued", "BondsRedeemed"} <= names
    assert {"FerryActivated", "FerryPaid", "TrainExtended", "SharesIssued", "Declined"} <= names


def test_the_recorded_game_of_18ga_shows_all_phases_and_powers():
    played = recorded_game("18GA")
    assert played.final.ending is not None
    assert played.final.ending.cause == "bank"
    assert {state.phase for state in played.states} == set(played.title.phase_order)
    events = [event for outcome in played.outcomes for event in outcome.events]
    assert {getattr(event, "power", "") for event in events} >= {"MRC", "W&S"}
    names = {type(event).__name__ for event in events}
    assert {"ShareGiven", "TrainGiven", "StationMoved", "AuctionBegan"} <= names
    refused = [line.refused for line in played.script.lines if isinstance(line, ScriptTurn)]
    assert "18GA 4.2.1(k)" in {refusal.rule for refusal in refused if refusal}


def test_the_recorded_game_of_18tn_has_its_powers_all_phases_and_the_civil_war():
    played = recorded_game("18TN")
    assert played.final.ending is not None
    assert played.final.ending.cause == "bank"
    assert {state.phase for state in played.states} == set(played.title.phase_order)
    powers = {getattr(e, "power", "") for outcome in played.outcomes for e in outcome.events}
    assert {"TCC", "ET&WNC", "M&C", "O&W"} <= powers
    assert any(isinstance(action, IdleTrain) for action in played.actions)
    runs = [r for action in played.actions if isinstance(action, Run) for r in action.runs]
    assert any(r.past for r in runs)
    text = write(played.title, played.states, played.actions)
    assert run(read(text)).actions == played.actions


def test_a_game_is_written_and_read_back_as_itself():
    played = game()
    text = write(played.title, played.states, played.actions)
    again = run(read(text))
    assert again.actions == played.actions
    assert digest(again.final) == digest(played.final)
    assert text.splitlines()[:2] == ["title 18AL", "players Ann Bob Cat Dan"]


def test_variants_and_a_seed_stand_in_the_header():
    script = read("title 18AL\nplayers Ann Bob Cat\nvariants two-yellow tie-break\nseed 7\n")
    played = run(script)
    title = load_title("18AL", frozenset({"two-yellow", "tie-break"}))
    assert played.title is title
    assert played.final == new_game(title, ["Ann", "Bob", "Cat"], 7).state
    assert "variants tie-break two-yellow" in write(title, played.states, played.actions)


def test_a_line_of_commands_is_played_whole_or_not_at_all():
    text = (
        HEAD
        + "Ann: buy TR, pass\n! It is Bob's turn, not Ann's\n= Ann 600, private TR initial offering"
    )
    assert run(read(text)).actions == []


def test_lines_are_read_with_their_numbers():
    script = read(HEAD + "\n# a comment\nAnn: buy TR   # cheap\n= Ann 580\n")
    turn, claim = script.lines
    assert turn == ScriptTurn(5, "Ann", "buy TR")
    assert claim == ScriptClaim(6, "Ann 580")


@pytest.mark.parametrize(
    ("text", "number", "what"),
    [
        ("players Ann Bob Cat\n", 1, "does not say its title"),
        ("title 18AL\n", 1, "does not say its players"),
        ("title 18XX\nplayers Ann Bob Cat\n", 1, "18XX"),
        (HEAD + "variants purple\n", 1, "purple"),
        (HEAD + "seed often\n", 1, "the seed is a number"),
        ("title 18AL\nplayers Ann\n", 1, "3 to 5 players"),
        (HEAD + "Zoe: pass\n", 3, "begins with a player"),
        (HEAD + "! refused\n", 3, "stands after the line"),
        (HEAD + "Ann: buy TR\n= Ann 600\n", 4, "Ann cash is 580, not 600"),
        (HEAD + "= phase 2\n", 3, "phase is 1, not 2"),
        (HEAD + "= over\n", 3, "not over"),
        (HEAD + "= acts Bob\n", 3, "acts is Ann, not Bob"),
        (HEAD + "= Zoe 600\n", 3, "is not a player"),
        (HEAD + "= Ann\n", 3, "of Ann one can say cash, worth"),
        (HEAD + "= Ann 600,\n", 3, "a claim is missing"),
        (HEAD + "= L&N price 60 cash 10\n", 3, "L&N price is 0, not 60"),
        (HEAD + "= tile G4 57\n", 3, "G4 without a tile"),
        (HEAD + "Bob: pass\n", 3, "It is Ann's turn, not Bob's"),
        (HEAD + "Ann: bye TR\n", 3, "is not a command"),
        (HEAD + "Ann: buy TR\n! no money\n", 4, "it was not refused"),
        (HEAD + "Ann: buy NDY\n! no money\n", 4, "refused otherwise: Only the cheapest"),
        (HEAD + "Ann: buy NDY\n! Only (18AL 9)\n", 4, "refused by 18AL 3.1(a), not 18AL 9"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text, number, what):
    with pytest.raises(ScriptError) as caught:
        run(read(text))
    assert caught.value.number == number
    assert what in str(caught.value)


def test_an_illegal_line_is_told_with_what_would_be_legal():
    with pytest.raises(ScriptError) as caught:
        run(read(HEAD + "Ann: buy NDY\n"))
    assert "Ann: buy TR" in caught.value.legal
    assert "Ann: bid NDY 125 (to 600)" in caught.value.legal


def test_a_long_list_of_legal_commands_is_cut():
    state = next(s for s in game().states if str(s.round) == "OR 5.1")
    listed = legal(game().title, state, 3)
    assert len(listed) == 4
    assert listed[-1].endswith("more")


def test_claims_reach_all_parts_of_a_position():
    text = HEAD + (
        "Ann: buy TR\nBob: buy S&NA\nCat: buy B&SLC\nAnn: buy M&C\nBob: buy NDY\nCat: par L&N 60\n"
        "= Cat 410 certificates 2 worth 600 L&N 20, private NDY Bob, priority Ann, bank 6670\n"
        "= L&N par 60 price 60 president Cat ipo 80 market 0 trains none tokens 4 stations none\n"
        "= round SR 1, phase 1, acts Cat, L&N earned 0 cash 0\n"
    )
    assert len(run(read(text)).actions) == 6


def test_the_games_that_come_with_the_program_are_found_by_name():
    assert "18al" in recorded_names()
    assert recorded_game("18AL").script.players == ("Ann", "Bob", "Cat", "Dan")
    with pytest.raises(LookupError, match=r"no recorded game 18xx; there are .*18al"):
        recorded("18xx")
