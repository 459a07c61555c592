"""Commands of the director and the assistant of a tournament, and of the operator's terminal."""

import re
from collections.abc import Callable, Sequence

from service.commands.command import Command
from service.commands.entry import ALWAYS, Below, Entry, When, Where, Who
from service.desk.answering.effects import Effect, singly
from service.desk.tournament.answering.tournament_context import TournamentContext
from service.desk.tournament.directing.tournament_directing import (
    Way,
    answers_director,
    direct,
)
from service.desk.tournament.entries import entering, withdrawing
from service.desk.tournament.offices import tournament_assistant
from service.desk.tournament.questions import director_questions
from service.desk.tournament.results import adjudicating, results
from service.desk.tournament.rounds import seating_rounds
from service.desk.tournament.rules import changing_rules
from service.desk.tournament.ruling import ruling
from service.desk.tournament.votes import voting

_OFFICE = Who.DIRECTOR | Who.TOURNAMENT_OPERATOR
_WHERE = Where.PRIVATE | Where.TERMINAL
#: the text after a command: up to a semicolon, or a reason that may have semicolons
_MORE = r"(?P<rest>(?:[\s,:](?:[^;]*|[^;]*\bbecause\b.*))?)"
_TABLE = r"\d{1,2}\.\d{1,3}"


def _form(pattern: str) -> re.Pattern[str] | None:
    return re.compile(pattern, re.IGNORECASE) if pattern else None


def _name(syntax: str) -> str:
    """The name of a command: its first word."""
    return re.split(r"\W", syntax)[0]


def _act(
    syntax: str,
    help_: str,
    way: Way,
    example: str = "",
    form: str = "",
    also: Sequence[str] = (),
    below: Below = Below.NOTHING,
    alone: str = "",
) -> Entry:
    """An act; it needs a reason if its syntax has one. Its example may be its syntax."""
    name, reasoned = _name(syntax), "because" in syntax
    pattern = _form(form or (f"{name}{_MORE}" if reasoned else ""))
    line = bool(pattern) or below is Below.ALL
    when = When.OPEN | When.RUNNING
    return Entry(name, syntax, help_, example or syntax, direct, _OFFICE, _WHERE, when, also,
                 pattern, line=line, below=below, alone=alone, joint=True, act=way)  # fmt: skip


def _ask(
    syntax: str,
    help_: str,
    do: Callable[[TournamentContext, Sequence[Command]], Effect],
    form: str = "",
    also: Sequence[str] = (),
) -> Entry:
    """A question; its example is its syntax."""
    return Entry(_name(syntax), syntax, help_, syntax, do, _OFFICE, _WHERE, ALWAYS, also,
                 _form(form), asks=True)  # fmt: skip


BEGINS = "its tables begin with it, and nothing else can be meant for them before"
ENDS = "the tournament ends with it"

ENTRIES = (
    _ask("entries", "the entrants, the waiting list, the standbys and the free seats",
         answers_director(director_questions.entries),
         also=("standby", "standbys", "stand-by", "stand-bys", "stand by", "stand bys")),
    _act("close", "closes entries", entering.close),
    _act("open", "opens entries again, before the first seating", entering.reopen,
         form=rf"(?:re)?open{_MORE}", also=("reopen",)),
    _act("admit NAME",
         "lets in a player who has left or was excluded, before the first round",
         entering.admit, "admit Ann"),
    _act("exclude NAME because …", "removes a player, whose seats are offered to standbys",
         withdrawing.exclude, "exclude Bob because of what was written in June"),
    _act("withdraw NAME",
         "withdraws a player who cannot write; their seats are offered to standbys",
         withdrawing.withdraw_other, "withdraw Bob because of an illness", rf"withdraw{_MORE}"),
    _act("seat", "seats the next round: all get their table, and the seed", seating_rounds.seat,
         form=rf"seat(?:ing)?{_MORE}", also=("seating",)),
    _act("yes", "you assist the director, if you were asked", tournament_assistant.accept,
         form=r"(?:yes|ja|oui|s[ií])\b(?P<rest>.*)", also=("ja", "oui", "si", "sí")),
    _act("start", "all tables of the seated round begin together", seating_rounds.start,
         form=rf"start{_MORE}", alone=BEGINS),
    _ask("table 2.1", "get an email of that table; a reply to it directs that table alone",
         singly(director_questions.table), form=rf"(?:table|board)\s+(?P<table>{_TABLE})",
         also=("board",)),
    _ask("tables", "the state of all tables, and the players for whom they wait",
         answers_director(director_questions.tables),
         also=("table", "boards", "board", "late")),
    _act("announce: …", "a message to all; the lines below belong to it", ruling.announce,
         "announce: The second round begins on 1 May.", also=("announcement",), below=Below.ALL),
    _act("rule: …", "a ruling for all tables; `rule 2.1: …` on what came up at one", ruling.rule,
         "rule 2.1: the bridge counts once",
         rf"(?:rule|ruling)\b(?:\s+(?:on\s+)?(?P<table>{_TABLE})(?!\d))?\s*:?\s*(?P<rest>.*)",
         ("ruling",), Below.ALL),
    _act("rules", "the rules; lines of the form below it change them", changing_rules.rules,
         below=Below.ALL),
    _act("propose", "asks all players to vote on something", voting.propose_to_all,
         "propose one more week for round 2", r"propose\b\s*:?\s*(?P<rest>.*)", below=Below.ALL),
    _act("hold because …", "puts all tables on hold", ruling.hold,
         "hold because a rule is in doubt"),
    _act("resume because …", "all tables go on", ruling.resume,
         "resume because the rule is clear"),
    _act("adjudicate because …", "ends all tables, `adjudicate 2.1 because …` one",
         adjudicating.adjudicate, "adjudicate 2.1 because I must travel",
         rf"adjudicate(?:\s+(?P<table>{_TABLE})(?!\d))?{_MORE}"),
    _act("correct 2.1: … because …",
         "`correct 2.1: Bob 5120 because …`: another result; the former is struck out",
         results.correct, "correct 2.1: Bob 5120 because a dividend was forgotten",
         rf"correct\s+(?P<table>{_TABLE})(?!\d)\s*:?(?P<rest>.*)"),
    _ask("report", "the report to be printed", answers_director(director_questions.report)),
    _act("assistant …", "the person who rules where you play: an address, or `off`",
         tournament_assistant.assistant, "assistant eve@example.org"),
    _ask("log", "everything that was done, with the reasons",
         answers_director(director_questions.log), also=("history",)),
    _act("finish", "ends the tournament", results.finish,
         also=("end tournament", "end the tournament"), alone=ENDS),
    _act("abandon because …", "gives the tournament up; its tables go on as separate games",
         results.abandon, "abandon because too few have entered", alone=ENDS),
)  # fmt: skip
