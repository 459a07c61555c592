"""Commands of the director and the assistant of a tournament, and of the operator's terminal."""

import re
from collections.abc import Sequence
from functools import partial

from service.commands.entry import ALWAYS, Below, Entry, When, Where, Who
from service.desk.tournament import (
    cup_listing,
    entering,
    public,
    results,
    ruling,
    seating_rounds,
    tournament_assistant,
    voting,
    withdrawing,
)
from service.desk.tournament.tournament_directing import (
    TournamentDirecting,
    Way,
    asked,
)

_OFFICE = Who.DIRECTOR | Who.TOURNAMENT_OPERATOR
_WHERE = Where.PRIVATE | Where.TERMINAL
#: the text after a command: up to a semicolon, or a reason that may have semicolons
_MORE = r"(?P<rest>(?:[\s,:](?:[^;]*|[^;]*\bbecause\b.*))?)"
_BOARD = r"\d{1,2}\.\d{1,3}"


def _form(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


BEGINS = "its boards begin with it, and nothing else can be meant for them before"
ENDS = "the tournament ends with it"


def _act(
    name: str,
    syntax: str,
    help_: str,
    example: str,
    way: Way,
    form: str = "",
    *,
    also: Sequence[str] = (),
    below: Below = Below.NOTHING,
    reasoned: bool = False,
    alone: str = "",
) -> Entry:
    """An act, by a pattern or by its name."""
    return Entry(
        name,
        syntax,
        help_,
        example,
        TournamentDirecting(way, reasoned),
        _OFFICE,
        _WHERE,
        When.OPEN | When.RUNNING,
        also,
        _form(form) if form else None,
        line=bool(form) or below is Below.ALL,
        below=below,
        alone=alone,
        joint=True,
    )


_ask = partial(Entry, who=_OFFICE, where=_WHERE, when=ALWAYS, asks=True)

ENTRIES = (
    _ask(
        "entries",
        "entries",
        "who has entered, waits, or stands by; `entries csv` as a file",
        "entries csv",
        do=asked(cup_listing.entries),
    ),
    _act("close", "close", "closes entries", "close", entering.close),
    _act(
        "open",
        "open",
        "opens entries again, before the first seating",
        "open",
        entering.reopen,
        rf"(?:re)?open{_MORE}",
        also=("reopen",),
    ),
    _act(
        "admit",
        "admit NAME",
        "gives leave to who waits for it, or was refused or has left before the first round",
        "admit Ann",
        entering.admit,
    ),
    _act(
        "refuse",
        "refuse NAME because …",
        "does not give leave to who waits for it",
        "refuse Bob because the field is for newcomers",
        withdrawing.refuse,
        rf"refuse{_MORE}",
        reasoned=True,
    ),
    _act(
        "exclude",
        "exclude NAME because …",
        "takes somebody out",
        "exclude Bob because of what was written in June",
        withdrawing.exclude,
        rf"exclude{_MORE}",
        reasoned=True,
    ),
    _act(
        "withdraw",
        "withdraw NAME",
        "withdraw a player who cannot write; `withdraw NAME yes` while they play on a board",
        "withdraw Bob because of an illness",
        withdrawing.withdraw_other,
        rf"withdraw{_MORE}",
    ),
    _act(
        "seat",
        "seat",
        "shows a seating of the next round; `yes` publishes it",
        "seat",
        seating_rounds.seat,
        rf"seat(?:ing)?{_MORE}",
        also=("seating",),
    ),
    _act(
        "swap",
        "swap BOB and EVE because …",
        "another proposal, with two players in each other's places",
        "swap Bob and Eve because they share a flat",
        seating_rounds.swap,
        rf"swap{_MORE}",
    ),
    _act(
        "yes",
        "yes",
        "publishes the seating that was shown last",
        "yes",
        seating_rounds.agree,
        r"(?:yes|ja|oui|s[ií])\b(?P<rest>.*)",
        also=("ja", "oui", "si", "sí"),
    ),
    _act(
        "start",
        "start",
        "all boards of the seated round begin together",
        "start",
        seating_rounds.start,
        rf"start{_MORE}",
        alone=BEGINS,
    ),
    _ask(
        "board",
        "board 2.1",
        "get an email of that board; a reply to it directs that board alone",
        "board 2.1",
        do=TournamentDirecting(ruling.board),
        form=_form(rf"board\s+(?P<board>{_BOARD})"),
    ),
    _ask(
        "boards",
        "boards",
        "how all boards stand",
        "boards",
        also=("board",),
        do=asked(cup_listing.boards),
    ),
    _ask("late", "late", "who lets the others wait", "late", do=asked(cup_listing.late)),
    _ask(
        "standbys",
        "standbys",
        "who stands by, and seats that are free",
        "standbys",
        also=("standby", "stand-by", "stand-bys", "stand by", "stand bys"),
        do=asked(cup_listing.standbys),
    ),
    _ask(
        "standings",
        "standings",
        "as everybody sees them; `standings csv`, `json`",
        "standings csv",
        do=asked(cup_listing.standings),
    ),
    _act(
        "announce",
        "announce: …",
        "words to all; they may go on in lines below",
        "announce: The second round begins on 1 May.",
        ruling.announce,
        also=("announcement",),
        below=Below.ALL,
    ),
    _act(
        "rule",
        "rule: …",
        "a ruling for all boards; `rule 2.1: …` on what came up at one",
        "rule 2.1: the bridge counts once",
        ruling.rule,
        rf"(?:rule|ruling)\b(?:\s+(?:on\s+)?(?P<board>{_BOARD})(?!\d))?\s*:?\s*(?P<rest>.*)",
        also=("ruling",),
        below=Below.ALL,
    ),
    _act(
        "rules",
        "rules",
        "the rules; with lines of the form below, other ones",
        "rules",
        ruling.rules,
        below=Below.ALL,
    ),
    _act(
        "propose",
        "propose",
        "a question, put to the vote of all players",
        "propose one more week for round 2",
        voting.propose_to_all,
        r"propose\b\s*:?\s*(?P<rest>.*)",
        below=Below.ALL,
    ),
    _ask("votes", "votes", "how votes stand", "votes", also=("vote",), do=asked(cup_listing.votes)),
    _act(
        "hold",
        "hold because …",
        "holds all boards",
        "hold because a rule is in doubt",
        ruling.hold,
        rf"hold{_MORE}",
        reasoned=True,
    ),
    _act(
        "resume",
        "resume because …",
        "all boards go on",
        "resume because the rule is clear",
        ruling.resume,
        rf"resume{_MORE}",
        reasoned=True,
    ),
    _act(
        "adjudicate",
        "adjudicate because …",
        "ends all boards, `adjudicate 2.1 because …` one",
        "adjudicate 2.1 because I must travel",
        results.adjudicate,
        rf"adjudicate(?:\s+(?P<board>{_BOARD})(?!\d))?{_MORE}",
        reasoned=True,
    ),
    _act(
        "correct",
        "correct 2.1: … because …",
        "`correct 2.1: Bob 5120 because …`: another result; the former is struck out",
        "correct 2.1: Bob 5120 because a dividend was forgotten",
        results.correct,
        rf"correct\s+(?P<board>{_BOARD})(?!\d)\s*:?(?P<rest>.*)",
        reasoned=True,
    ),
    _ask("report", "report", "the report to be printed", "report", do=asked(cup_listing.report)),
    _act(
        "assistant",
        "assistant …",
        "who rules where you play: an address, or off",
        "assistant eve@example.org",
        tournament_assistant.assistant,
    ),
    _ask("log", "log", "all that was done", "log", also=("history",), do=asked(cup_listing.log)),
    _act(
        "finish",
        "finish",
        "closes the tournament",
        "finish",
        results.finish,
        also=("end tournament", "end the tournament"),
        alone=ENDS,
    ),
    _act(
        "abandon",
        "abandon because …",
        "give the tournament up; its boards go on as separate games",
        "abandon because too few have entered",
        results.abandon,
        rf"abandon{_MORE}",
        reasoned=True,
        alone=ENDS,
    ),
    _ask(
        "status",
        "status",
        "how the tournament stands, and its rules",
        "status",
        also=("tournament",),
        do=asked(cup_listing.status),
    ),
    _ask(
        "help",
        "help [WORD]",
        "this list; `help swap` one command",
        "help",
        also=("?",),
        do=asked(public.help_for_director),
    ),
)
