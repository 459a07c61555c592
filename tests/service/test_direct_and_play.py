"""A director's acts beside other commands of an email: what is done, and what each sees."""

import re

import pytest

from service.commands.entry import Below, Entry, When, Where, Who
from service.commands.reading import PLAY
from service.desk import effects, moderator
from service.desk.director import acts, director
from service.desk.effects import Effect, done, refused
from service.desk.vocabulary import directing, table
from service.mail.replies import Line
from service.reports import outcome
from tests.service.house import GAME, flat, one, says, to


class Seen:
    """What the moves of an email have found: whether the game was held, at which position."""

    def __init__(self):
        self.games = []

    def moves(self, context, commands):
        self.games.append((bool(context.table.held), context.table.state.number))
        why = context.table.held or commands[0].barred
        if why:
            return Effect([refused(one, why) for one in commands])
        return Effect([done(one) for one in commands], changes=True)


@pytest.fixture
def seen(monkeypatch):
    """The table with `pass` as a move that is only looked at, and `say:` as talk."""
    found = Seen()
    move = Entry(PLAY, "…", "a move", "pass", found.moves, Who.PLAYER, moves=True)
    talk = Entry(
        "say", "say: …", "talk", "say: hello", said, Who.PLAYER | Who.ORGANISER, line=True,
        below=Below.WORDS,
    )  # fmt: skip
    monkeypatch.setattr(moderator, "TABLE", (*table.TABLE, move, talk))
    monkeypatch.setattr(moderator, "_by_table", lambda context, commands: bool(commands))
    return found


def said(context, commands):
    return Effect([done(one) for one in commands], changes=True)


def rulings(players):
    return [row.kind for row in players.table().rulings]


def test_an_organizer_announces_something_beside_a_move(players, seen):
    letters = players.write("Ann", "announce: hear me", "pass")
    assert rulings(players) == ["announce"] and seen.games == [(False, 0)]
    assert to(letters, "Bob") == ["ruling"]
    receipt = one(letters, "Ann")
    assert receipt.subject.endswith(outcome.DONE_SUBJECT)


def test_a_move_after_a_hold_finds_the_game_held(players, seen):
    letters = players.write("Ann", "hold because it is late", "pass")
    assert seen.games == [(True, 0)] and players.table().held
    receipt = one(letters, "Ann")
    assert says(receipt, outcome.DONE_BUT) and says(receipt, players.table().held)


def test_a_hold_after_a_move_leaves_the_move(players, seen):
    players.write("Ann", "pass", "hold because it is late")
    assert seen.games == [(False, 0)] and players.table().held


@pytest.mark.parametrize(
    "act", ["rollback 0 because x", "correct cash Bob +5 because x", "end game because x"]
)
def test_of_two_ways_to_another_position_neither_is_done(players, seen, act):
    letters = players.write("Ann", act, "pass", "announce: hear me")
    receipt, word = one(letters, "Ann"), act.partition(" because")[0].split()[0]
    assert outcome.NOT_DONE_SUBJECT in receipt.subject
    name = next(e.name for e in directing.ENTRIES if e.name.split()[0] == word)
    assert says(receipt, effects.TWO_POSITIONS, word=name, other="pass")
    assert rulings(players) == [], "acts of an email are done together"
    assert players.table().row.status == "running"


def test_talk_stands_beside_two_acts(players, seen):
    letters = players.write("Ann", "announce: hear me", "hold because it is late", "say: sorry")
    assert rulings(players) == ["announce", "hold"]
    assert says(one(letters, "Ann"), outcome.DONE)


def test_a_line_that_is_no_command_hinders_no_act_and_is_shown(players):
    players.write("Ann", "buy TR")
    letters = players.write("Ann", "gobbledygook", "announce: hear me")
    assert rulings(players) == ["announce"]
    assert "gobbledygook" in flat(one(letters, "Ann"))


def test_an_organizer_who_writes_acts_alone_from_the_seat_is_answered_as_organizer(players):
    letters = players.write("Ann", "announce: hear me")
    assert f"{GAME}.organiser" in one(letters, "Ann").message_id


def test_every_act_of_the_table_has_what_plans_it():
    names = {entry.name for entry in directing.ENTRIES}
    options = {e.name for e in directing.ENTRIES if "option" in e.form.groupindex}
    assert names - options | {"clock"} == set(acts.KINDS)
    assert {*acts.KINDS.values(), "set"} == set(director.DOES)
    moving = {e.name for e in directing.ENTRIES if e.moves} - {"resume", "abandon"}
    assert {acts.KINDS[name] for name in moving} == set(acts.MOVES)


@pytest.mark.parametrize("entry", directing.ENTRIES, ids=lambda entry: entry.syntax)
def test_every_example_is_read_as_its_own_command(entry):
    who = next(who for who in Who if who & entry.who)
    where = Where.TERMINAL if not entry.where & Where.PRIVATE else Where.PRIVATE
    [command] = directing.acts([Line(1, entry.example)], who, where, When.RUNNING)
    assert command.entry is entry and not command.barred
    act = acts.act_of(command)
    assert act.kind in director.DOES
    assert act.because or re.search(r"because|:", entry.example) is None
