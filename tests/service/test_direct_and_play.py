"""A director's acts beside other commands of an email: what is done, and what each sees."""

import re

import pytest

from service.commands.entry import Where, Who
from service.desk.answering import effects
from service.desk.director import acts, planning
from service.desk.director.director_email import read_acts
from service.desk.vocabulary import director_commands
from service.desk.vocabulary.table import TABLE
from service.mail.replies import Line
from service.reports.receipt import DONE, DONE_SUBJECT, NO_MOVE_MADE, NOT_DONE
from tests.service.players import GAME, flat, one, says, to


def rulings(players):
    return [row.kind for row in players.table().rulings]


def test_an_organizer_announces_something_beside_a_move(players):
    letters = players.write("Ann", "announce: hear me", "pass")
    assert rulings(players) == ["announce"] and players.texts() == ["pass"]
    assert sorted(to(letters, "Bob")) == ["ruling", "turn"]
    receipt = one(letters, "Ann")
    assert receipt.subject.endswith(DONE_SUBJECT)


def test_a_move_after_a_hold_finds_the_game_held(players):
    letters = players.write("Ann", "hold because it is late", "pass")
    assert players.texts() == [] and players.table().on_hold
    receipt = one(letters, "Ann")
    assert says(receipt, NO_MOVE_MADE) and says(receipt, players.table().on_hold)


def test_a_hold_after_a_move_leaves_the_move(players):
    players.write("Ann", "pass", "hold because it is late")
    assert players.texts() == ["pass"] and players.table().on_hold


@pytest.mark.parametrize(
    "act", ["rollback 0 because x", "correct cash Bob +5 because x", "end game because x"]
)
def test_of_two_ways_to_another_position_neither_is_done(players, act):
    letters = players.write("Ann", act, "pass", "announce: hear me")
    receipt, word = one(letters, "Ann"), act.partition(" because")[0].split()[0]
    assert NOT_DONE in receipt.subject
    name = next(e.name for e in director_commands.ENTRIES if e.name.split()[0] == word)
    assert says(receipt, effects.TWO_POSITIONS, word=name, other="pass")
    assert rulings(players) == [], "acts of an email are done together"
    assert players.table().row.status == "running"


def test_talk_stands_beside_two_acts(players):
    letters = players.write("Ann", "announce: hear me", "hold because it is late", "say: sorry")
    assert rulings(players) == ["announce", "hold"]
    assert says(one(letters, "Ann"), DONE)


def test_a_line_that_is_no_command_hinders_no_act_and_is_shown(players):
    players.write("Ann", "buy TR")
    letters = players.write("Ann", "gobbledygook", "announce: hear me")
    assert rulings(players) == ["announce"]
    assert "gobbledygook" in flat(one(letters, "Ann"))


def test_an_organizer_who_writes_acts_alone_from_the_seat_is_answered_as_organizer(players):
    letters = players.write("Ann", "announce: hear me")
    assert f"{GAME}.organiser" in one(letters, "Ann").message_id


def test_every_act_of_the_table_has_what_plans_it():
    names = {entry.name for entry in director_commands.ENTRIES}
    options = {e.name for e in director_commands.ENTRIES if "option" in e.form.groupindex}
    assert names - options | {"clock"} == set(acts.KINDS)
    assert {*acts.KINDS.values(), "set"} == set(planning.DOES)
    moving = {e.name for e in director_commands.ENTRIES if e.moves} - {"resume"}
    assert {acts.KINDS[name] for name in moving} == set(acts.MOVES)


@pytest.mark.parametrize("entry", director_commands.ENTRIES, ids=lambda entry: entry.syntax)
def test_every_example_is_read_as_its_own_command(entry):
    who = next(who for who in Who if who & entry.who)
    where = Where.TERMINAL if not entry.where & Where.PRIVATE else Where.PRIVATE
    [command] = read_acts(TABLE, [Line(1, entry.example)], who, where)
    assert command.entry is entry and not command.barred
    act = acts.act_of(command)
    assert act.kind in planning.DOES
    assert act.because or re.search(r"because|:", entry.example) is None
