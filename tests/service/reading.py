"""Reads what a player writes in a game that runs, by the whole table of commands."""

from service.commands.command import NOTHING_AHEAD
from service.commands.entry import Who, first_words
from service.commands.lines import known_of
from service.commands.reading import Scope, read
from service.desk.vocabulary.table import TABLE
from service.mail.replies import Line


def player(title, ahead=NOTHING_AHEAD):
    """What the lines of a player may be."""
    return Scope(TABLE, Who.PLAYER, known=known_of(title, first_words(TABLE)), ahead=ahead)


def read_as_player(lines, title, ahead=NOTHING_AHEAD):
    """The commands in texts, or in lines."""
    numbered = [
        one if isinstance(one, Line) else Line(number, one) for number, one in enumerate(lines, 1)
    ]
    return read(numbered, player(title, ahead))
