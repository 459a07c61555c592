"""Commands about tournaments, of everybody and of entrants."""

import re
from dataclasses import replace
from functools import partial

from service.commands.answers import ALSO_YES, YES
from service.commands.command import Command
from service.commands.entry import ALWAYS, Below, Entry, When, Where, Who
from service.desk.answering.effects import Effect, singly
from service.desk.strangers.by_letter import in_any_email
from service.desk.tournament.answering.tournament_context import TournamentEmail, agreed_entry
from service.desk.tournament.entries import entering, withdrawing
from service.desk.tournament.identity import entrant_zone, tournament_addresses
from service.desk.tournament.questions import public
from service.desk.tournament.rules import announcing
from service.desk.tournament.votes import voting
from service.desk.vocabulary.stranger_commands import AT_GAMES, BY_LETTER
from service.refusal import Refused
from service.said import NO_VOTE_OPEN
from service.tournaments.telling import entry_told

_ANYBODY = AT_GAMES | Who.STRANGER | Who.ENTRANT


def _form(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_asks = partial(Entry, who=_ANYBODY, when=ALWAYS)
_OR_DIRECTOR = _ANYBODY | Who.DIRECTOR
_OR_TERMINAL = Where.PRIVATE | Where.TERMINAL
QUESTIONS = (
    _asks("tournaments", "tournaments", "all tournaments, and their state", "tournaments",
          singly(public.tournaments), who=_OR_DIRECTOR, form=_form("tournaments")),
    _asks("tournament", "tournament NAME", "its rules, its players, its tables",
          "tournament spring27", singly(public.tournament), who=_OR_DIRECTOR,
          form=_form(r"tournament(?:\s+(?P<name>\S+))?")),
    _asks("standings", "standings NAME",
          "the standings; `standings NAME json` is a file with each figure and its game",
          "standings spring27", singly(public.standings), who=_OR_DIRECTOR,
          form=_form(r"standings(?:\s+(?P<name>\S+))?(?:\s+(?P<kind>json))?")),
)  # fmt: skip
"""Public questions, wherever they are written."""

#: the same at the operator's terminal, where players have no tournaments
OPERATORS = tuple(
    replace(entry, who=Who.TOURNAMENT_OPERATOR, where=Where.TERMINAL)
    for entry in QUESTIONS
    if entry.name in ("tournament", "standings")
)
_wish = partial(Entry, who=BY_LETTER, when=ALWAYS)
WISHES = (
    _wish("tournament new", "tournament new NAME", "get the form to announce a tournament",
          "tournament new spring27", in_any_email(announcing.new),
          form=_form(r"tournament\s+new(?:\s+(?P<name>\S+))?")),
    _wish("enter", "enter NAME as YOU", "enter a tournament", "enter spring27 as Bob",
          in_any_email(entering.enter), line=True,
          form=_form(r"enter(?:\s+(?P<name>\S+))?(?:\s+as\s+(?P<player>[^;]+))?[.!\s]*")),
    _wish("standby", "standby NAME as YOU",
          "you offer to take a seat that becomes free in a tournament", "standby spring27 as Bob",
          in_any_email(entering.enter), also=("stand-by", "stand by"), line=True,
          form=_form(r"stand\s?-?by\s(?:(?:for|in)\s)?(?P<name>[^\s;]+)\sas\s(?P<player>[^;]+)")),
    _wish("withdraw", "withdraw NAME", "leave the tournament", "withdraw spring27",
          singly(withdrawing.ask_to_withdraw), who=Who.STRANGER,
          form=_form(r"withdraw(?:\s+(?:from\s+)?(?P<name>\S+))?")),
)  # fmt: skip
"""Requests of anybody about tournaments; Waybill first asks whether they mean it."""


def _yes_or_no(context: TournamentEmail, command: Command) -> Effect:
    """`yes` or `no`: to the confirmation of an entry, or to the open vote."""
    entry, yes = context.entry, command.word == "yes"
    if entry.state == "asked" and yes:
        return entering.confirm_own(context, command, entry)
    agreed_entry(context)
    if yes and context.replies_to(withdrawing.WITHDRAWAL):
        return withdrawing.withdraw(context, replace(command, rest="yes"))
    if (vote := context.tournament.vote) is not None:
        return voting.cast(context, command, vote.number, yes=yes)
    raise Refused(entry_told(context.tournament, entry) if yes else NO_VOTE_OPEN)


_entrant = partial(Entry, who=Who.ENTRANT, when=ALWAYS)
ENTRANTS = (
    _entrant("help", "help [WORD]", "this list; `help propose` one command", "help",
             singly(public.tournament_help),
             who=Who.ENTRANT | Who.DIRECTOR | Who.TOURNAMENT_OPERATOR, where=_OR_TERMINAL,
             also=("?",)),
    _entrant("withdraw", "withdraw",
             "leave the tournament; while you play on a table, `withdraw yes`", "withdraw",
             singly(withdrawing.withdraw), when=When.OPEN | When.RUNNING, also=("resign",)),
    _entrant("address", "address YOU@EXAMPLE.ORG",
             "Waybill writes to you there, once you have confirmed it", "address bob@example.org",
             singly(tournament_addresses.address)),
    _entrant("zone", "zone Europe/Paris",
             "your time zone; tables that begin later show times by it", "zone Europe/Paris",
             singly(entrant_zone.zone)),
    _entrant("propose", "propose …",
             "ask all players to vote on something, once the tournament has begun",
             "propose one more week for round 2, because of the holidays", singly(voting.propose),
             line=True, below=Below.ALL),
    _entrant("vote", "vote 1 yes", "or `vote 1 no`; silence counts as no", "vote 1 yes",
             singly(voting.vote),
             form=_form(r"vote\s+(?:on\s+)?(?:#?(?P<vote>\d{1,6})\s+)?(?P<answer>yes|no)\W*")),
    _entrant("yes", "yes", "you enter, if you were asked; or yes in the open vote", "yes",
             singly(_yes_or_no), also=ALSO_YES,
             form=YES, line=True),
    _entrant("no", "no", "no in the open vote", "no", singly(_yes_or_no),
             also=("nein", "non"), form=_form(r"(?:no|nein|non)\W*"), line=True),
)  # fmt: skip

ENTRIES = (*WISHES, *QUESTIONS, *ENTRANTS)
"""All commands about tournaments; only those of entrants need an address of the tournament."""
