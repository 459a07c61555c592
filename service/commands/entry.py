"""An entry of the table of commands: who may write it, where, when and how.

An entry also names the function that carries the command out. `why_not` alone decides "not you",
"not here" and "not now".
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, Flag, auto
from functools import cached_property
from typing import Any

from engine.notation.words import normalise


class Who(Flag):
    """The kinds of writers. One person may be several: an organizer who plays is both.

    Emails that wait are stored with the value of this, so new kinds come last.
    """

    PLAYER = auto()
    #: acts for a player for a time
    DEPUTY = auto()
    ORGANISER = auto()
    #: rules on the position where the organizer plays
    ASSISTANT = auto()
    #: was offered a seat or an office of a game, and has not agreed yet
    INVITED = auto()
    #: was asked something else: to be a standby or a deputy, or to confirm an address
    ASKED = auto()
    STANDBY = auto()
    OBSERVER = auto()
    #: directs, or assists in directing, a tournament
    DIRECTOR = auto()
    ENTRANT = auto()
    #: runs the service, at the command line `waybill game`
    GAME_OPERATOR = auto()
    #: runs the service, at the command line `waybill tournament`
    TOURNAMENT_OPERATOR = auto()
    #: anybody, at Waybill's own address
    STRANGER = auto()


class Where(Flag):
    """The way by which a command came."""

    PRIVATE = auto()
    LIST = auto()
    FORUM = auto()
    TERMINAL = auto()


class When(Flag):
    """The state of the game or the tournament."""

    OPEN = auto()
    RUNNING = auto()
    #: has ended, was canceled or was given up; a canceled game has no position
    OVER = auto()


def when_of(status: str) -> When:
    """The state of a game, from the status that the store keeps."""
    return {"open": When.OPEN, "running": When.RUNNING}.get(status, When.OVER)


class Below(Enum):
    """The lines below a command that belong to it."""

    NOTHING = auto()
    #: lines that are not commands
    WORDS = auto()
    #: moves, and lines that are not commands: a player's moves with the reason for them
    MOVES = auto()
    #: all lines
    ALL = auto()


AT_THE_TABLE = Who.PLAYER | Who.DEPUTY
OFFICES = Who.ORGANISER | Who.ASSISTANT
OPERATORS = Who.GAME_OPERATOR | Who.TOURNAMENT_OPERATOR
OF_TOURNAMENTS = Who.DIRECTOR | Who.ENTRANT
OPENLY = Where.LIST | Where.FORUM
BY_EMAIL = Where.PRIVATE | OPENLY
ALWAYS = When.OPEN | When.RUNNING | When.OVER
BEGUN = When.RUNNING | When.OVER


@dataclass(frozen=True)
class Entry:
    """One command. ``do`` carries out all commands of its kind in an email together."""

    name: str
    #: its syntax and what it does, both for the help
    syntax: str
    help: str
    example: str
    do: Callable[..., Any]
    who: Who
    where: Where = Where.PRIVATE
    when: When = When.RUNNING
    #: other first words that players may use for it
    also: Sequence[str] = ()
    #: the pattern of the whole command; None if any words may follow its name
    form: re.Pattern[str] | None = None
    #: whether it has a reader of its own, so that no word makes a line this command
    read: bool = False
    #: whether it takes the whole line, with its semicolons
    line: bool = False
    below: Below = Below.NOTHING
    #: whether its text is secret, so that others should not have read it
    secret: bool = False
    #: the reason why it must be alone in its email; "" for most
    alone: str = ""
    #: whether all commands of this kind in an email are done, or none; one barred command bars all
    joint: bool = False
    #: whether it changes the position; an email may have such commands of only one kind
    moves: bool = False
    #: whether it only asks a question: it changes nothing and gets an answer
    asks: bool = False
    #: what carries out this kind, if its ``do`` takes several kinds together
    act: Callable[..., Any] | None = None
    #: whether it is done first, because the letters of the other commands depend on it
    first: bool = False
    #: whether it cannot be undone; it is then done last, and only if all else succeeded
    last: bool = False

    @cached_property
    def words(self) -> frozenset[str]:
        """The first words by which players may write it."""
        if self.read:
            return frozenset()
        return frozenset(word.split()[0] for word in (self.name, *self.also))

    def match(self, text: str) -> Mapping[str, str] | None:
        """The parts of a text that is this command, with "rest"; None if it is another text."""
        if self.read:
            return None
        if self.form is not None:
            # line by line, because lines below may belong to it
            plain = "\n".join(map(normalise, text.split("\n")))
            found = self.form.fullmatch(plain)
            if found is None:
                return None
            rest = plain[len(first_word(plain)) :].lstrip(" :\n")
            return {"rest": rest, **{k: v or "" for k, v in found.groupdict().items()}}
        for word in (self.name, *self.also):
            if text[: len(word)].casefold() == word and not text[len(word) :][:1].isalnum():
                return {"rest": text[len(word) :].lstrip(" :\n").rstrip()}
        return None


@dataclass(frozen=True)
class Topic:
    """Commands about one subject; `help` with ``name`` lists them."""

    name: str
    heading: str
    entries: Sequence[Entry]


@dataclass(frozen=True)
class Vocabulary:
    """All commands by topic. A line is compared with them in this order."""

    topics: Sequence[Topic]

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """All entries."""
        return tuple(entry for topic in self.topics for entry in topic.entries)

    @cached_property
    def first_words(self) -> frozenset[str]:
        """The first words of commands by email."""
        return first_words(self.entries)


def first_words(entries: Sequence[Entry], where: Where = BY_EMAIL) -> frozenset[str]:
    """The first words of the names of commands there, to compare mistyped lines with.

    Other spellings, such as "what" for `options`, count only without a typing error.
    """
    names = (one.name.split()[0] for one in entries if one.where & where and not one.read)
    return frozenset(name for name in names if len(name) > 2)


def first_word(text: str) -> str:
    """The first word of a text as written, without the punctuation right after it."""
    found = re.match(r"\?|[^\W\d_]+(?:-[^\W\d_]+)*", text)
    return found[0] if found else ""


CALLED = {
    Who.PLAYER: "a player",
    Who.DEPUTY: "a deputy",
    Who.ORGANISER: "the organizer",
    Who.ASSISTANT: "the assistant",
    Who.INVITED: "somebody who was invited",
    Who.ASKED: "somebody who was asked",
    Who.STANDBY: "a standby",
    Who.OBSERVER: "somebody who watches",
    Who.DIRECTOR: "the director of a tournament",
    Who.ENTRANT: "somebody who has entered a tournament",
    Who.GAME_OPERATOR: "the operator with `waybill game`",
    Who.TOURNAMENT_OPERATOR: "the operator with `waybill tournament`",
    Who.STRANGER: "anybody",
}
"""The name of each kind of writer in refusals and in the list of commands."""

NOT_YOU = "`{word}` is for {who}."
OF_A_GAME = "`{word}` is a command of a game: send it in reply to an email of your game."
TO_WAYBILL = "`{word}` goes to Waybill's main address: write a separate email there."
NOT_A_DEPUTY = "A deputy may not do that: `{word}` is for the player of the seat alone."
NOT_HERE = (
    "`{word}` is a private command: send it to your seat address, where only you read the receipt."
)
NOT_AT_A_TERMINAL = "`{word}` is for games by email."
NOT_BY_EMAIL = "`{word}` is for a game at one terminal."
NOT_BEFORE = "`{word}` is for games that have begun."
NOT_AFTER_THE_START = "`{word}` is for games before the start."
NOT_AFTER_THE_END = "The game is over: nothing is left for `{word}` to do."
TOURNAMENT_IS_OVER = "The tournament is over: nothing is left for `{word}` to do."


def why_not(entry: Entry, who: Who, where: Where, when: When) -> str:
    """The reason why this writer may not give a command here and now; "" if they may."""
    word = entry.name
    if not entry.who & who:
        if entry.who & Who.STRANGER:
            return TO_WAYBILL.format(word=word)
        if who & OF_TOURNAMENTS and Who.PLAYER & entry.who:
            return OF_A_GAME.format(word=word)
        if who == Who.DEPUTY and Who.PLAYER & entry.who:
            return NOT_A_DEPUTY.format(word=word)
        # who writes emails need not know what the operator can do at the command line
        others = entry.who if who & OPERATORS else entry.who & ~OPERATORS
        return NOT_YOU.format(word=word, who=called(others or entry.who))
    if not entry.where & where:
        if where & Where.TERMINAL:
            return NOT_AT_A_TERMINAL.format(word=word)
        if not entry.where & BY_EMAIL:
            return NOT_BY_EMAIL.format(word=word)
        return NOT_HERE.format(word=word)
    if not entry.when & when and entry.who & OF_TOURNAMENTS:
        return TOURNAMENT_IS_OVER.format(word=word)
    if not entry.when & when:
        if when & When.OPEN:
            return NOT_BEFORE.format(word=word)
        return (NOT_AFTER_THE_START if entry.when == When.OPEN else NOT_AFTER_THE_END).format(
            word=word
        )
    return ""


def called(who: Who) -> str:
    """These writers in words: "a player, the organizer or the assistant"."""
    *others, last = [CALLED[one] for one in Who if one & who]
    return f"{', '.join(others)} or {last}" if others else last
