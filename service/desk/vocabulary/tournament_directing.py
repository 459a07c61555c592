"""Commands of who directs a tournament or assists, and of the operator at the terminal."""

import re

from service.commands.command import Command
from service.commands.entry import ALWAYS, Below, Entry, When, Where, Who
from service.commands.reading import read
from service.desk.tournament import entry_words, office_words, round_words
from service.desk.tournament.cup_email import scope_of
from service.desk.tournament.known import Known
from service.desk.tournament.planning import Act, CupPlanner
from service.desk.tournament.words import Word
from service.mail.replies import Line
from service.reports import Answer
from service.reports.blocks import Pairs, Row

_OFFICE = Who.DIRECTOR | Who.OPERATOR
_WHERE = Where.PRIVATE | Where.TERMINAL
_GOES_ON = When.OPEN | When.RUNNING
#: what may follow a command: anything up to a semicolon, or a reason with semicolons of its own
_MORE = r"(?P<rest>(?:[\s,:](?:[^;]*|[^;]*\bbecause\b.*))?)"
_BOARD = r"\d{1,2}\.\d{1,3}"


def _form(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


MAY_WRITE = "WHAT YOU MAY WRITE"


def _help(planner: CupPlanner, word: Word) -> None:
    """`help`: what who directs may write."""
    rows = tuple(Row(f"`{entry.syntax}`", (entry.help,)) for entry in ENTRIES)
    planner.shows(word, Answer((Pairs(MAY_WRITE, rows),)))


BEGINS = "its boards begin with it, and nothing else can be meant for them before"
ENDS = "the tournament ends with it"
_ASKS = Act(office_words.lists, question=True)

ENTRIES = (
    Entry(
        "entries",
        "entries",
        "who has entered, waits, or stands by; `entries csv` as a file",
        "entries csv",
        _ASKS,
        _OFFICE,
        _WHERE,
        ALWAYS,
    ),
    Entry(
        "close",
        "close",
        "closes entries",
        "close",
        Act(entry_words.close),
        _OFFICE,
        _WHERE,
        _GOES_ON,
    ),
    Entry(
        "open",
        "open",
        "opens entries again, before the first seating",
        "open",
        Act(entry_words.reopen),
        _OFFICE,
        _WHERE,
        _GOES_ON,
        also=("reopen",),
        form=_form(rf"(?:re)?open{_MORE}"),
        line=True,
    ),
    Entry(
        "admit",
        "admit NAME",
        "gives leave to who waits for it, or was refused or has left before the first round",
        "admit Ann",
        Act(entry_words.admit),
        _OFFICE,
        _WHERE,
        _GOES_ON,
    ),
    Entry(
        "refuse",
        "refuse NAME because …",
        "does not give leave to who waits for it",
        "refuse Bob because the field is for newcomers",
        Act(entry_words.refuse, reasoned=True),
        _OFFICE,
        _WHERE,
        _GOES_ON,
        form=_form(rf"refuse{_MORE}"),
        line=True,
    ),
    Entry(
        "exclude",
        "exclude NAME because …",
        "takes somebody out",
        "exclude Bob because of what was written in June",
        Act(entry_words.exclude, reasoned=True),
        _OFFICE,
        _WHERE,
        _GOES_ON,
        form=_form(rf"exclude{_MORE}"),
        line=True,
    ),
    Entry(
        "withdraw",
        "withdraw NAME",
        "for somebody who cannot write themselves; `withdraw NAME yes` while a board of theirs is "
        "played",
        "withdraw Bob because of an illness",
        Act(entry_words.withdraw),
        _OFFICE,
        _WHERE,
        _GOES_ON,
        form=_form(rf"withdraw{_MORE}"),
        line=True,
    ),
    Entry(
        "seat",
        "seat",
        "shows a seating of the next round; `yes` publishes it",
        "seat",
        Act(round_words.seat),
        _OFFICE,
        _WHERE,
        _GOES_ON,
        also=("seating",),
        form=_form(rf"seat(?:ing)?{_MORE}"),
        line=True,
    ),
    Entry(
        "swap",
        "swap BOB and EVE because …",
        "another proposal, with two players in each other's places",
        "swap Bob and Eve because they share a flat",
        Act(round_words.swap),
        _OFFICE,
        _WHERE,
        _GOES_ON,
        form=_form(rf"swap{_MORE}"),
        line=True,
    ),
    Entry(
        "yes",
        "yes",
        "publishes the seating that was shown last",
        "yes",
        Act(round_words.agree),
        _OFFICE,
        _WHERE,
        _GOES_ON,
        also=("ja", "oui", "si", "sí"),
        form=_form(r"(?:yes|ja|oui|s[ií])\b(?P<rest>.*)"),
        line=True,
    ),
    Entry(
        "start",
        "start",
        "all boards of the seated round begin together",
        "start",
        Act(
            round_words.start,
            alone=BEGINS,
        ),
        _OFFICE,
        _WHERE,
        _GOES_ON,
        form=_form(rf"start{_MORE}"),
        line=True,
    ),
    Entry(
        "board",
        "board 2.1",
        "a letter of that board, a reply to which directs it alone",
        "board 2.1",
        Act(office_words.board),
        _OFFICE,
        _WHERE,
        ALWAYS,
        form=_form(rf"board\s+(?P<board>{_BOARD})"),
    ),
    Entry(
        "boards",
        "boards",
        "how all boards stand",
        "boards",
        _ASKS,
        _OFFICE,
        _WHERE,
        ALWAYS,
        also=("board",),
    ),
    Entry(
        "late",
        "late",
        "who lets the others wait",
        "late",
        _ASKS,
        _OFFICE,
        _WHERE,
        ALWAYS,
    ),
    Entry(
        "standbys",
        "standbys",
        "who stands by, and seats that are free",
        "standbys",
        _ASKS,
        _OFFICE,
        _WHERE,
        ALWAYS,
        also=("standby", "stand-by", "stand-bys", "stand by", "stand bys"),
    ),
    Entry(
        "standings",
        "standings",
        "as everybody sees them; `standings csv`, `json`",
        "standings csv",
        _ASKS,
        _OFFICE,
        _WHERE,
        ALWAYS,
    ),
    Entry(
        "announce",
        "announce: …",
        "words to all; they may go on in lines below",
        "announce: The second round begins on 1 May.",
        Act(office_words.announce),
        _OFFICE,
        _WHERE,
        _GOES_ON,
        also=("announcement",),
        line=True,
        below=Below.ALL,
    ),
    Entry(
        "rule",
        "rule: …",
        "a ruling for all boards; `rule 2.1: …` on what came up at one",
        "rule 2.1: the bridge counts once",
        Act(office_words.rule),
        _OFFICE,
        _WHERE,
        _GOES_ON,
        also=("ruling",),
        form=_form(
            rf"(?:rule|ruling)\b(?:\s+(?:on\s+)?(?P<board>{_BOARD})(?!\d))?\s*:?\s*(?P<rest>.*)"
        ),
        line=True,
        below=Below.ALL,
    ),
    Entry(
        "rules",
        "rules",
        "the rules; with lines of the form below, other ones",
        "rules",
        Act(office_words.rules),
        _OFFICE,
        _WHERE,
        _GOES_ON,
        line=True,
        below=Below.ALL,
    ),
    Entry(
        "propose",
        "propose",
        "the same put to the vote of all players",
        "propose excused: 5",
        Act(office_words.propose),
        _OFFICE,
        _WHERE,
        _GOES_ON,
        form=_form(r"propose\b(?:\s+rules\b)?\s*:?\s*(?P<rest>.*)"),
        line=True,
        below=Below.ALL,
    ),
    Entry(
        "votes",
        "votes",
        "how votes stand",
        "votes",
        _ASKS,
        _OFFICE,
        _WHERE,
        ALWAYS,
        also=("vote",),
    ),
    Entry(
        "hold",
        "hold because …",
        "holds all boards",
        "hold because a rule is in doubt",
        Act(round_words.hold, reasoned=True),
        _OFFICE,
        _WHERE,
        _GOES_ON,
        form=_form(rf"hold{_MORE}"),
        line=True,
    ),
    Entry(
        "resume",
        "resume because …",
        "all boards go on",
        "resume because the rule is clear",
        Act(round_words.resume, reasoned=True),
        _OFFICE,
        _WHERE,
        _GOES_ON,
        form=_form(rf"resume{_MORE}"),
        line=True,
    ),
    Entry(
        "adjudicate",
        "adjudicate because …",
        "ends all boards, `adjudicate 2.1 because …` one",
        "adjudicate 2.1 because I must travel",
        Act(round_words.adjudicate, reasoned=True),
        _OFFICE,
        _WHERE,
        _GOES_ON,
        form=_form(rf"adjudicate(?:\s+(?P<board>{_BOARD})(?!\d))?{_MORE}"),
        line=True,
    ),
    Entry(
        "correct",
        "correct 2.1: … because …",
        "`correct 2.1: Bob 5120 because …`: another result; the former is struck out",
        "correct 2.1: Bob 5120 because a dividend was forgotten",
        Act(round_words.correct, reasoned=True),
        _OFFICE,
        _WHERE,
        _GOES_ON,
        form=_form(rf"correct\s+(?P<board>{_BOARD})(?!\d)\s*:?(?P<rest>.*)"),
        line=True,
    ),
    Entry(
        "report",
        "report",
        "the report to be printed",
        "report",
        _ASKS,
        _OFFICE,
        _WHERE,
        ALWAYS,
    ),
    Entry(
        "export",
        "export csv",
        "all of it as a file; `export json`",
        "export json",
        _ASKS,
        _OFFICE,
        _WHERE,
        ALWAYS,
    ),
    Entry(
        "assistant",
        "assistant …",
        "who rules where you play: an address, or off",
        "assistant eve@example.org",
        Act(office_words.assistant),
        _OFFICE,
        _WHERE,
        _GOES_ON,
    ),
    Entry(
        "log",
        "log",
        "all that was done",
        "log",
        _ASKS,
        _OFFICE,
        _WHERE,
        ALWAYS,
        also=("history",),
    ),
    Entry(
        "finish",
        "finish",
        "closes the tournament",
        "finish",
        Act(office_words.finish, alone=ENDS),
        _OFFICE,
        _WHERE,
        _GOES_ON,
        also=("end tournament", "end the tournament"),
    ),
    Entry(
        "abandon",
        "abandon because …",
        "gives the tournament up; its boards go on as games of their own",
        "abandon because too few have entered",
        Act(office_words.abandon, reasoned=True, alone=ENDS),
        _OFFICE,
        _WHERE,
        _GOES_ON,
        form=_form(rf"abandon{_MORE}"),
        line=True,
    ),
    Entry(
        "status",
        "status",
        "how the tournament stands, and its rules",
        "status",
        _ASKS,
        _OFFICE,
        _WHERE,
        ALWAYS,
        also=("tournament",),
    ),
    Entry(
        "help",
        "help",
        "this list",
        "help",
        Act(_help, question=True),
        _OFFICE,
        _WHERE,
        ALWAYS,
        also=("?",),
    ),
)


def at_terminal(known: Known, text: str) -> tuple[Command, ...]:
    """The commands of an operator, as lines at the terminal."""
    lines = [Line(number, line) for number, line in enumerate(text.split("\n"), 1)]
    return read(lines, scope_of(known, Who.OPERATOR, ENTRIES, Where.TERMINAL))
