"""The table of commands, walked: each example, from each writer in each place and state.

Real emails say them, the operator's command line, and the terminal at which several play.
`why_not` is the one judge: what it allows is done, answered or refused for a reason of the game;
what it does not allow is refused for its reason, and then nothing has changed and nobody was told.
"""

import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest
import structlog
from msgspec import structs
from typer.testing import CliRunner

from service.cli import program
from service.commands.entry import (
    AT_THE_TABLE,
    OFFICES,
    OPENLY,
    When,
    Where,
    Who,
    first_word,
    why_not,
)
from service.commands.lines import known_of, verb_of
from service.commands.reading import ORDER, PLAY, QUESTION
from service.desk.vocabulary.table import TABLE
from service.store import access
from service.workshop.demo.hotseat import HotSeat
from tests.service.players import (
    ADDRESS,
    GAME,
    SECRET,
    TITLE,
    Players,
    WatchedStore,
    address,
    opened,
    says,
    unsaid,
)
from tests.service.tournament.setting import NAME
from tests.service.walked import BASES, writers

WRITERS = {str(writer): writer for writer in writers()}
EXAMPLES = list(dict.fromkeys(entry.example for entry in TABLE))
#: what an email that changes nothing leaves: itself, its answer, how often is answered, habits
TRACES = {"inbox", "outbox", "reply_guard", "occasion", "work", "meta", "heartbeat"}
#: letters that are the answer to an email
ANSWERS = {"receipt", "answer", "watch-answer", "list-receipt", "forum-receipt"}
VERBS = known_of(TITLE, ())
#: whose emails are about a game and its moves
AT_GAMES = AT_THE_TABLE | OFFICES | Who.GAME_OPERATOR


class World:
    """People as emails have left them, put back as they were before each line."""

    def __init__(self, folder, base):
        play, grade = BASES[base]
        self.folder, self._file = folder, folder / "waybill.sqlite"
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

    def changed(self, besides=TRACES):
        """The tables in which something else is kept now, besides some."""
        with closing(sqlite3.connect(self._file)) as file:
            names = _tables(file) - besides
            return [name for name in names if _rows(file, name) != self._rows_before(name)]

    def _rows_before(self, name):
        return _rows(self._before, name)

    def close(self):
        self.people.store.close()
        self._before.close()


def _tables(file):
    found = file.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    return {name for (name,) in found if not name.startswith("sqlite_")}


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


def reasons(who, where, when, example):
    """Why the writer may not write it; "" among them where they may."""
    # the refusal names a move as it was written
    named = [replace(one, name=first_word(example)) if one.read else one for one in meant(example)]
    return {why_not(one, who, where, when) for one in named}


def is_move(writer, example):
    """Whether the game's own notation has the line first, for who may move."""
    [play] = (one for one in TABLE if one.name == PLAY)
    may = not why_not(play, writer.who, writer.where, writer.when)
    # an act of the director's desk is nobody's move, though a move may begin with its word
    act = any(one.line and one.joint and one.who & OFFICES for one in meant(example))
    return may and not act and bool(verb_of(example.casefold(), VERBS))


def walk(world, writer, example):
    people = world.again()
    letters = people.send(writer.raw(people, example))
    mine = [one for one in letters if one.to == writer.address and one.kind in ANSWERS]
    whys = reasons(writer.who, writer.where, writer.when, example)
    if writer.where is Where.FORUM and example == "forum off":
        # whoever reads along there may end it; the organizer is told
        assert [one.to for one in letters] == [address("Ann")]
    elif writer.where & OPENLY and any(one.secret for one in meant(example)):
        # all can read it: it is refused in private, and not repeated where it stood
        assert [one.kind.partition("-")[2] for one in letters] == ["private"]
        assert [one.to for one in letters] == [address("Bob")]
        assert world.changed() == []
    elif "" in whys or is_move(writer, example):
        # what has an email of its own, such as a seat that is taken, needs no other answer
        answers = mine or [one for one in letters if one.to == writer.address]
        assert answers
        assert not any(why and why in " ".join(one.text.split()) for one in answers for why in whys)
    else:
        assert [one.to for one in letters if one.to != writer.copied] == [writer.address]
        [answer] = mine
        if wordless(writer.who, example):
            assert unsaid(answer, "DONE.")
        else:
            told = " ".join(answer.text.split())
            assert any(why in told for why in whys), f"none of {sorted(whys)} in: {told}"
            shown = example.rstrip(".!")[:40]
            # what strangers wrote is not sent to an address that may be another's
            if writer.who == Who.STRANGER:
                assert {"line", "lines", first_word(example)} & set(told.split())
            else:
                assert says(answer, shown)
        assert world.changed() == []


def wordless(who, example):
    """Whether it is only words: a free question, or a move where no game tells what moves are."""
    kinds = {one.name for one in meant(example)}
    return kinds == {QUESTION} or (kinds <= {PLAY, ORDER} and not who & AT_GAMES)


def all_walked(does):
    """Do it with each example; the failure lists those for which it fails, with the error."""
    found = []
    for example in EXAMPLES:
        try:
            does(example)
        except (AssertionError, ValueError) as error:
            found.append(f"{example}: {error}")
    assert not found, "\n\n".join(found)


#: a part of the walk that is done each time: some writers, and one example in so many
SOME = ("player-private-running", "organiser-private-over", "entrant-private-open")
EACH = 12


@pytest.mark.long
@pytest.mark.parametrize("name", SOME)
@pytest.mark.parametrize("example", EXAMPLES[::EACH])
def test_a_line_is_done_or_refused_for_the_reason_of_its_entry(worlds, name, example):
    walk(worlds(WRITERS[name].base), WRITERS[name], example)


@pytest.mark.long
@pytest.mark.parametrize("name", WRITERS)
def test_every_line_of_everybody_is(worlds, name):
    writer = WRITERS[name]
    world = worlds(writer.base)
    all_walked(lambda example: walk(world, writer, example))


# ------------------------------------------------------------------------- at the command line

#: the beginning of the operator's commands, and that of the databases that they are walked in
COMMANDS = {
    Who.GAME_OPERATOR: (("game", GAME), ""),
    Who.TOURNAMENT_OPERATOR: (("tournament", NAME), "tournament "),
}
STATES = {When.OPEN: "open", When.RUNNING: "running", When.OVER: "over"}


@pytest.fixture
def operated(worlds, monkeypatch):
    """Walks a line of the operator about a game or tournament in a state."""
    monkeypatch.delenv("WAYBILL_CONFIG", raising=False)
    monkeypatch.setenv("WAYBILL_MAIL__ADDRESS", ADDRESS)
    monkeypatch.setenv("WAYBILL_MAIL__SECRET", SECRET.decode())

    def does(who, when, example):
        command, of = COMMANDS[who]
        world = worlds(of + STATES[when])
        world.again()
        monkeypatch.chdir(world.folder)
        monkeypatch.setenv("WAYBILL_DATA__DIR", str(world.folder))
        found = CliRunner().invoke(program(), [*command, example])
        assert isinstance(found.exception, SystemExit | None), repr(found.exception)
        told, whys = " ".join(found.output.split()), reasons(who, Where.TERMINAL, when, example)
        if "" in whys:
            assert not any(why in told for why in whys - {""}), told
        else:
            assert found.exit_code != 0, told
            if not wordless(who, example):
                assert any(why in told for why in whys), f"none of {sorted(whys)} in: {told}"
            assert world.changed(besides=TRACES - {"inbox", "outbox"}) == []

    yield does
    structlog.reset_defaults()


@pytest.mark.long
@pytest.mark.parametrize("example", ["show", "help", "rollback 212 because of the tile", "pass"])
def test_a_line_of_the_operator_is_done_or_refused_for_the_reason_of_its_entry(operated, example):
    operated(Who.GAME_OPERATOR, When.RUNNING, example)


@pytest.mark.long
@pytest.mark.parametrize("when", STATES)
@pytest.mark.parametrize("who", COMMANDS)
def test_every_line_of_the_operator_is(operated, who, when):
    all_walked(lambda example: operated(who, when, example))


# ----------------------------------------------------------------------------- at one terminal


def sat(when):
    """A game at one terminal, which goes on or is over."""
    seat = HotSeat(TITLE, ["Ann", "Bob", "Cat"])
    if when is When.OVER:
        seat.line.states[-1] = structs.replace(seat.line.state, stack=())
    return seat


@pytest.mark.long
@pytest.mark.parametrize("when", [When.RUNNING, When.OVER])
def test_every_line_at_one_terminal_is_done_or_refused_for_the_reason_of_its_entry(when):
    def types(example):
        seat = sat(when)
        said = "\n".join(seat.enter(example))
        whys = {why_not(one, Who.PLAYER, Where.TERMINAL, when) for one in meant(example)}
        act = any(one.line and one.joint and one.who & OFFICES for one in meant(example))
        if "" in whys or (not act and verb_of(example.casefold(), VERBS)):
            assert said and said not in whys, said
        else:
            # what is no command is taken for a move, and the game says that it is none
            assert said in whys or wordless(Who.PLAYER, example), said
            assert seat.line.actions == []

    all_walked(types)


def test_everybody_is_walked():
    walked = {(who, one.where) for one in WRITERS.values() for who in Who if who & one.who}
    walked |= {(who, Where.TERMINAL) for who in (*COMMANDS, Who.PLAYER)}
    assert {who for who, _ in walked} == set(Who)
    assert {where for _, where in walked} == set(Where)
