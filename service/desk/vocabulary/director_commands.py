"""Commands of the director of a game, and of players who call for one."""

import re
from collections.abc import Sequence
from functools import partial

from service.commands.entry import ALWAYS, OFFICES, Below, Entry, When, Where, Who
from service.desk.answering.effects import singly
from service.desk.director.director_email import direct
from service.desk.questions import operator_answers

#: a director by email, or the operator at the command line
DIRECTS = OFFICES | Who.GAME_OPERATOR
_AT_DESK = Where.PRIVATE | Where.TERMINAL
_EARLY = When.OPEN | When.RUNNING


def _form(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.DOTALL)


def _act(
    name: str,
    syntax: str,
    help_: str,
    example: str,
    form: str,
    *,
    who: Who = DIRECTS,
    where: Where = _AT_DESK,
    when: When = When.RUNNING,
    also: Sequence[str] = (),
    below: Below = Below.WORDS,
    moves: bool = False,
    line: bool = True,
) -> Entry:
    return Entry(
        name,
        syntax,
        help_,
        example,
        direct,
        who,
        where,
        when,
        also,
        _form(form),
        line=line,
        below=below,
        joint=True,
        moves=moves,
    )


def _option(name: str, values: str, help_: str, example: str, form: str) -> Entry:
    """An option of the game that a director changes; ``form`` is the text after its word."""
    return _act(name, f"{name} {values} because …", help_, example, rf"(?P<option>{name})\s+{form}")


_REASON = r".*\bbecause\b.*"

ENTRIES = (
    _act(
        "hold on dispute",
        "hold on dispute on|off",
        "whether a dispute of a player puts the game on hold",
        "hold on dispute on",
        r"hold\s+on\s+disputes?\b(?P<what>(?:\s*(?:on|off))?)\s*",
        when=_EARLY,
        below=Below.NOTHING,
    ),
    _act(
        "hold",
        "hold because …",
        "the game takes no move, orders wait, clocks stand still",
        "hold because the order of play is in doubt",
        r"hold(?:\s+(?:the\s+)?game\s*$|(?:\s+(?:the\s+)?game)?"
        r"(?P<what>(?:\s+|\s*:\s*)because\b.*))",
    ),
    _act(
        "resume",
        "resume because …",
        "it goes on",
        "resume because the order of play is clear",
        r"resume(?:\s+(?:the\s+)?game\s*$|(?:\s+(?:the\s+)?game)?"
        r"(?P<what>(?:\s+|\s*:\s*)because\b.*))",
        moves=True,
    ),
    _act(
        "as",
        "as NAME: … because …",
        "act for a player; further commands may follow in the next lines",
        "as Bob: pass because nobody can reach Bob",
        r"as\s+(?P<name>[^:]{1,60}):(?P<what>.*)",
        below=Below.MOVES,
        moves=True,
    ),
    # compared before the entry for more time for a player, which is written alike
    _option(
        "clock",
        "fischer …|each …|daily …|none",
        "give all players another clock, which starts afresh",
        "clock each 72h because it is summer",
        r"(?P<what>(?:fischer|each|daily|none)\b.*)",
    ),
    _option(
        "holidays",
        "DAY to DAY",
        "days on which no clock runs",
        "holidays 2026-12-24 to 2027-01-02 because nobody is there",
        r"(?P<what>.*)",
    ),
    _option(
        "late",
        "shown|hidden",
        "whether all players get an email when a player runs out of time",
        "late hidden because it is private",
        r"(?P<what>.*)",
    ),
    _option(
        "allowance",
        "30",
        "days of leave that each player may take in a year",
        "allowance 30 because it is summer",
        r"(?P<what>.*)",
    ),
    _option(
        "caretaker",
        "on|off",
        "whether the caretaker moves for silent players",
        "caretaker on because nobody is to wait",
        r"(?P<what>.*)",
    ),
    _option(
        "excused",
        "3",
        "how often a player may run out of time before the seat is offered to a standby",
        "excused 1 because we are few",
        r"(?P<what>.*)",
    ),
    _option(
        "undo",
        "vote|leave",
        "`undo leave`: only the director takes back what others acted on",
        "undo leave because it is a match",
        r"(?P<what>(?:vote|leave)\b.*)",
    ),
    _option(
        "grade",
        "friendly|standard|tournament",
        "how well emails must prove who wrote them",
        "grade tournament because somebody writes in the name of others",
        rf"(?P<what>{_REASON})",
    ),
    _option(
        "batch",
        "06:00 18:00|off",
        "when emails are handled",
        "batch 06:00 18:00 because all are to have the same news",
        rf"(?P<what>{_REASON})",
    ),
    _option(
        "pages",
        "public|unlisted|private",
        "who may see the game's pages",
        "pages private because a player wants it",
        rf"(?P<what>{_REASON})",
    ),
    _act(
        "clock",
        "clock NAME +24h because …",
        "more time for a player, less by `clock Bob -24h because …`; it is shown first, and `go` "
        "does it",
        "clock Bob +24h because the server was not reached",
        r"(?:correct\s+)?clock\s+(?:of\s+)?(?P<name>\S.{0,59}?)\s+"
        r"(?P<given>[+-]\s*\d{1,4}\s*(?:h|d)\w*)(?P<what>.*)",
        also=("correct clock",),
    ),
    _act(
        "correct",
        "correct … because …",
        "correct cash, shares, trains, private companies, tiles, tokens, prices, loans, "
        "bonds, marks or the priority deal; you see it first, and `go` does it",
        "correct cash TC +20 because the run was misread",
        r"correct\b:?(?P<what>.*)",
        moves=True,
    ),
    _act(
        "replace",
        "replace NAME by ADDRESS because …",
        "another player has the seat from then on",
        "replace Bob by eve@example.org because nobody can reach Bob",
        r"replace\s+(?P<name>\S.{0,59}?)\s+(?:by|with)\s+<?(?P<given>\S+@\S+?)>?"
        r"(?=\s|$|[;,])(?P<what>.*)",
        who=Who.GAME_OPERATOR,
        where=Where.TERMINAL,
    ),
    _act(
        "rollback",
        "rollback NUMBER because …",
        "back to a position; what is struck out stays in the log",
        "rollback 212 because the tile was the wrong one",
        r"roll\s?back\b(?:\s+to)?\s*#?(?P<about>\S*)(?P<what>.*)",
        also=("roll back",),
        moves=True,
    ),
    _act(
        "redo",
        "redo because …",
        "what a rollback took back stands again, while nobody has acted since",
        "redo because the tile was right after all",
        r"redo\b(?P<what>.*)",
        moves=True,
    ),
    _act(
        "rule",
        "rule NUMBER: …",
        "a ruling about an act",
        "rule 212: the run stands",
        r"(?:rule|ruling)\s+#?(?P<about>\d{1,9})\s*:?(?P<what>.*)",
        also=("ruling",),
    ),
    _act(
        "announce",
        "announce: …",
        "words to all",
        "announce: no moves over the holidays",
        r"announce(?:ment)?\b\s*:?(?P<what>.*)",
        when=_EARLY,
        also=("announcement",),
    ),
    _act(
        "assistant",
        "assistant ADDRESS|off",
        "name the person who rules on the position when the organizer plays; `assistant off` "
        "for nobody",
        "assistant eve@example.org",
        r"assistant\b\s*:?\s*(?P<name>\S*)\s*",
        when=_EARLY,
        below=Below.NOTHING,
    ),
    _act(
        "end game",
        "end game because …",
        "the game is over, with everybody's worth as it is",
        "end game because nobody wants to go on",
        r"end\s+(?:the\s+)?game\b(?P<what>.*)",
        moves=True,
    ),
    _act(
        "abandon",
        "abandon because …",
        "the game is given up, and nobody has won it",
        "abandon because two players have left",
        r"abandon(?:\s+(?:the\s+)?game)?\b(?P<what>.*)",
        moves=True,
    ),
    _act(
        "dispute",
        "dispute NUMBER: …",
        "ask the director for a ruling on a move; all players see it",
        "dispute 212: the tile does not fit there",
        r"dispute\b\s*#?(?P<about>\S*?)\s*(?::|because\b|$)(?P<what>.*)",
        who=Who.PLAYER,
        where=Where.PRIVATE,
    ),
    _act(
        "ask undo",
        "ask undo to NUMBER because …",
        "asks the director to take back what others have acted on since",
        "ask undo to 212 because I took the wrong train",
        r"ask\s+(?:for\s+)?(?:an\s+)?undo\b(?:\s+(?:back\s+)?to\s+#?(?P<about>(?!because\b)\S+))?"
        r"(?P<what>.*)",
        who=Who.PLAYER,
        where=Where.PRIVATE,
    ),
)

_question = partial(Entry, who=Who.GAME_OPERATOR, where=Where.TERMINAL, when=ALWAYS, asks=True)

AT_THE_TERMINAL = (
    _question(
        "show",
        "show",
        "the game as its director sees it: players, state, rulings",
        "show",
        singly(operator_answers.show),
        form=_form(r"show"),
    ),
    _question(
        "settings",
        "settings",
        "what the organizer has chosen",
        "settings",
        singly(operator_answers.settings),
        form=_form(r"settings"),
    ),
    _question(
        "help",
        "help [WORD]",
        "this list; `help rollback` one command",
        "help",
        singly(operator_answers.help_with),
        also=("?",),
    ),
)
"""Questions of the operator with `waybill game`."""

AFTER_MOVES = (
    # words of a player's own turn and orders; for a writer without a turn, the director's
    _act(
        "hold",
        "hold because …",
        "the game takes no move, orders wait, clocks stand still",
        "hold because the order of play is in doubt",
        r"hold",
        line=False,
    ),
    _act(
        "resume",
        "resume because …",
        "it goes on",
        "resume because the order of play is clear",
        r"resume",
        line=False,
        moves=True,
    ),
    _act(
        "go",
        "go",
        "does what an answer has shown to you",
        "go",
        r"\W*go(?:\s+all)?(?:\s+of\s+(?P<about>\d{1,9}))?\W*",
        who=OFFICES,
        where=Where.PRIVATE,
        below=Below.NOTHING,
        moves=True,
        line=False,
    ),
)
"""Commands whose words a player's turn has too, so they are compared after those."""
