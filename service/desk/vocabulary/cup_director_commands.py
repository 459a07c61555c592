"""Commands of the director and the assistant of a tournament, and of the operator's terminal."""

import re

from service.commands.entry import ALWAYS, Below, Entry, When, Where, Who
from service.commands.reading import read
from service.desk.answering.effects import Effect
from service.desk.letters.post import Desk
from service.desk.tournament import (
    cup_leaving,
    cup_listing,
    cup_rounds,
    cup_voting,
    entering,
    offices,
    results,
    ruling,
)
from service.desk.tournament.cup_directing import CupDirecting, Instruction, direct
from service.desk.tournament.cup_email import CupContext, scope_of, shows
from service.desk.tournament.cup_known import KnownCup
from service.desk.tournament.cup_log import OPERATOR
from service.mail.replies import Line
from service.reports import Answer
from service.reports.tables import Pairs, Row
from service.store import Store

_OFFICE = Who.DIRECTOR | Who.OPERATOR
_WHERE = Where.PRIVATE | Where.TERMINAL
_GOES_ON = When.OPEN | When.RUNNING
#: the text after a command: up to a semicolon, or a reason that may have semicolons
_MORE = r"(?P<rest>(?:[\s,:](?:[^;]*|[^;]*\bbecause\b.*))?)"
_BOARD = r"\d{1,2}\.\d{1,3}"


def _form(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


MAY_WRITE = "WHAT YOU MAY WRITE"


def _help(context: CupContext, said: Instruction) -> Effect:
    """`help`: the commands of a director."""
    rows = tuple(Row(f"`{entry.syntax}`", (entry.help,)) for entry in ENTRIES)
    return shows(said.command, Answer((Pairs(MAY_WRITE, rows),)))


BEGINS = "its boards begin with it, and nothing else can be meant for them before"
ENDS = "the tournament ends with it"
_ASKS = CupDirecting(cup_listing.lists, question=True)

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
        CupDirecting(entering.close),
        _OFFICE,
        _WHERE,
        _GOES_ON,
    ),
    Entry(
        "open",
        "open",
        "opens entries again, before the first seating",
        "open",
        CupDirecting(entering.reopen),
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
        CupDirecting(entering.admit),
        _OFFICE,
        _WHERE,
        _GOES_ON,
    ),
    Entry(
        "refuse",
        "refuse NAME because …",
        "does not give leave to who waits for it",
        "refuse Bob because the field is for newcomers",
        CupDirecting(cup_leaving.refuse, reasoned=True),
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
        CupDirecting(cup_leaving.exclude, reasoned=True),
        _OFFICE,
        _WHERE,
        _GOES_ON,
        form=_form(rf"exclude{_MORE}"),
        line=True,
    ),
    Entry(
        "withdraw",
        "withdraw NAME",
        "withdraw a player who cannot write; `withdraw NAME yes` while they play on a board",
        "withdraw Bob because of an illness",
        CupDirecting(cup_leaving.withdraw_other),
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
        CupDirecting(cup_rounds.seat),
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
        CupDirecting(cup_rounds.swap),
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
        CupDirecting(cup_rounds.agree),
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
        CupDirecting(
            cup_rounds.start,
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
        "get an email of that board; a reply to it directs that board alone",
        "board 2.1",
        CupDirecting(ruling.board),
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
        CupDirecting(ruling.announce),
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
        CupDirecting(ruling.rule),
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
        CupDirecting(ruling.rules),
        _OFFICE,
        _WHERE,
        _GOES_ON,
        line=True,
        below=Below.ALL,
    ),
    Entry(
        "propose",
        "propose",
        "a question, put to the vote of all players",
        "propose one more week for round 2",
        CupDirecting(cup_voting.propose_to_all),
        _OFFICE,
        _WHERE,
        _GOES_ON,
        form=_form(r"propose\b\s*:?\s*(?P<rest>.*)"),
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
        CupDirecting(ruling.hold, reasoned=True),
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
        CupDirecting(ruling.resume, reasoned=True),
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
        CupDirecting(results.adjudicate, reasoned=True),
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
        CupDirecting(results.correct, reasoned=True),
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
        CupDirecting(offices.assistant),
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
        CupDirecting(results.finish, alone=ENDS),
        _OFFICE,
        _WHERE,
        _GOES_ON,
        also=("end tournament", "end the tournament"),
    ),
    Entry(
        "abandon",
        "abandon because …",
        "give the tournament up; its boards go on as separate games",
        "abandon because too few have entered",
        CupDirecting(results.abandon, reasoned=True, alone=ENDS),
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
        CupDirecting(_help, question=True),
        _OFFICE,
        _WHERE,
        ALWAYS,
        also=("?",),
    ),
)


def operated(store: Store, desk: Desk, known: KnownCup, text: str) -> Effect:
    """The effect of the lines that the operator writes at the terminal."""
    lines = [Line(number, line) for number, line in enumerate(text.split("\n"), 1)]
    commands = read(lines, scope_of(known, Who.OPERATOR, ENTRIES, Where.TERMINAL))
    context = CupContext(store=store, desk=desk, before=known, known=known, office=OPERATOR)
    return direct(context, commands)
