"""The table of commands, walked by emails: each example, from each writer in each place and state.

`why_not` is the one judge: what it allows is done, answered or refused for a reason of the game;
what it does not allow is refused for its reason, and then nothing has changed and nobody was told.
"""

import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from service.commands.entry import OPENLY, Where, Who, first_word, why_not
from service.commands.lines import known_of, verb_of
from service.commands.reading import ORDER, PLAY
from service.desk.vocabulary.table import TABLE
from service.store import access
from tests.service.house import TITLE, Players, WatchedStore, address, opened, says, unsaid
from tests.service.walked import BASES, writers

WRITERS = {str(writer): writer for writer in writers()}
EXAMPLES = list(dict.fromkeys(entry.example for entry in TABLE))
#: what an email that changes nothing leaves: itself, its answer, how often is answered, habits
TRACES = {"inbox", "outbox", "reply_guard", "occasion", "work", "meta", "heartbeat"}
#: letters that are the answer to an email
ANSWERS = {"receipt", "answer", "watch-answer", "list-receipt", "forum-receipt"}
VERBS = known_of(TITLE, ())
#: whose emails are about a game and its moves
AT_GAMES = Who.PLAYER | Who.DEPUTY | Who.ORGANISER | Who.ASSISTANT


class World:
    """People as emails have left them, put back as they were before each line."""

    def __init__(self, folder, base):
        play, grade = BASES[base]
        self._file = folder / "walked.sqlite"
        made = opened(f"sqlite:///{self._file}", grade=grade)
        play(made)
        made.store.close()
        self._letters, self._before = list(made.letters), sqlite3.connect(":memory:")
        with closing(sqlite3.connect(self._file)) as file:
            file.backup(self._before)
        store = WatchedStore(f"sqlite:///{self._file}")
        self.people = Players(store, grade=grade, first=1000, now=made.now)

    def again(self):
        """The people, with nothing sent since."""
        with closing(sqlite3.connect(self._file)) as file:
            self._before.backup(file)
        self.people.letters = list(self._letters)
        return self.people

    def changed(self):
        """The tables in which something else is kept now."""
        with closing(sqlite3.connect(self._file)) as file:
            return [name for name in _tables(file) if _rows(file, name) != self._rows_before(name)]

    def _rows_before(self, name):
        return _rows(self._before, name)

    def close(self):
        self.people.store.close()
        self._before.close()


def _tables(file):
    found = file.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    return [name for (name,) in found if name not in TRACES and not name.startswith("sqlite_")]


def _rows(file, name):
    return file.execute(f'SELECT * FROM "{name}"').fetchall()


@pytest.fixture(scope="module")
def worlds(tmp_path_factory):
    """Each base as it was first asked for."""
    made = {}
    with pytest.MonkeyPatch.context() as patch:
        quick = tuple(p.replace("=FULL", "=OFF") for p in access.PRAGMAS)
        patch.setattr(access, "PRAGMAS", quick)

        def world(base):
            if base not in made:
                made[base] = World(tmp_path_factory.mktemp("walked"), base)
            return made[base]

        yield world
        for one in made.values():
            one.close()


def meant(example):
    """The entries that an example may be of: those that it matches, and that of a move."""
    return [one for one in TABLE if one.example == example or one.match(example) is not None]


def reasons(writer, example):
    """Why the writer may not write it; "" among them where they may."""
    # the refusal names a move as it was written
    named = [
        replace(one, name=first_word(example)) if one.name in (PLAY, ORDER) else one
        for one in meant(example)
    ]
    return {why_not(one, writer.who, writer.where, writer.when) for one in named}


def is_move(writer, example):
    """Whether the game's own notation has the line first, for who may move."""
    [play] = (one for one in TABLE if one.name == PLAY)
    may = not why_not(play, writer.who, writer.where, writer.when)
    # an act of the director's desk is nobody's move, though a move may begin with its word
    act = any(one.line and one.joint for one in meant(example))
    return may and not act and bool(verb_of(example.casefold(), VERBS))


def walk(world, writer, example):
    people = world.again()
    letters = people.send(writer.raw(people, example))
    mine = [one for one in letters if one.to == writer.address and one.kind in ANSWERS]
    whys = reasons(writer, example)
    if writer.where is Where.FORUM and example == "forum off":
        # whoever reads along there may end it; the organizer is told
        assert [one.to for one in letters] == [address("Ann")]
    elif writer.where & OPENLY and any(one.secret for one in meant(example)):
        # all can read it: it is refused in private, and not repeated where it stood
        assert [one.kind.partition("-")[2] for one in letters] == ["private"]
        assert [one.to for one in letters] == [address("Bob")]
        assert world.changed() == []
    elif "" in whys or is_move(writer, example):
        [answer] = mine
        for why in whys - {""}:
            assert unsaid(answer, why)
    else:
        assert [one.to for one in letters if one.to != writer.copied] == [writer.address]
        [answer] = mine
        if wordless(writer, example):
            assert unsaid(answer, "DONE.")
        else:
            told = " ".join(answer.text.split())
            assert any(why in told for why in whys), f"none of {sorted(whys)} in: {told}"
            shown = example.rstrip(".!")[:40]
            # what strangers wrote is not sent to an address that may be another's
            if writer.who == Who.STRANGER:
                assert {"line", shown.split()[0]} & set(told.split())
            else:
                assert says(answer, shown)
        assert world.changed() == []


def wordless(writer, example):
    """Whether it is a move, which is only words where no game tells what its moves are."""
    kinds = {one.name for one in meant(example)}
    return kinds <= {PLAY, ORDER} and not writer.who & AT_GAMES


def cases(names, examples):
    return [
        pytest.param(name, example, id=f"{first_word(example)}-{EXAMPLES.index(example)}-{name}")
        for name in names
        for example in examples
    ]


SOME = ("player-private-running", "organiser-private-over", "entrant-private-open")


@pytest.mark.parametrize(("name", "example"), cases(SOME, EXAMPLES[::12]))
def test_a_line_is_done_or_refused_for_the_reason_of_its_entry(worlds, name, example):
    walk(worlds(WRITERS[name].base), WRITERS[name], example)


#: each example is walked by one writer in so many, and each writer walks one example in so many
EACH = 8


def square():
    """Cases in which each writer and each example occurs, spread over each other."""
    for place, name in enumerate(WRITERS):
        yield from cases((name,), EXAMPLES[place % EACH :: EACH])


@pytest.mark.long
@pytest.mark.parametrize(("name", "example"), list(square()))
def test_lines_of_everybody_are(worlds, name, example):
    walk(worlds(WRITERS[name].base), WRITERS[name], example)


def test_everybody_who_writes_emails_is_walked():
    walked = {(who, one.where) for one in WRITERS.values() for who in Who if who & one.who}
    assert {who for who, _ in walked} == set(Who) - {Who.OPERATOR}
    assert {where for _, where in walked} == set(Where) - {Where.TERMINAL}
