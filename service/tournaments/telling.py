"""The state of a tournament and its rulings, in sentences for emails and pages."""

from collections.abc import Iterator

from engine.wording import counted
from service.reports.words import moment
from service.said import ARE_CLOSED_WITH
from service.tournaments import votes as ballots
from service.tournaments.acts import (
    DirectorDecided,
    LoggedAct,
    RulesChanged,
    TableEnded,
    VoteEnded,
    VoteProposed,
)
from service.tournaments.tournament import Tournament
from service.tournaments.values import Entrant

IS_OVER = "{tournament} is over."
ALL_ON_HOLD = "All tables are on hold."
ALL_ON_HOLD_BECAUSE = "All tables are on hold, because {because}."
ENTRIES_OPEN = "Entries for {tournament} are open: {players}."
OPEN_AND_WAITING = (
    "Entries for {tournament} are open: {players}, and {waiting} on the waiting list."
)
WAS_GIVEN_UP = "{tournament} was given up."


def state_lines(tournament: Tournament, *, proved: bool = True) -> list[str]:
    """The state of a tournament, in sentences.

    A reader who is not ``proved`` gets no reasons and proposals of others.
    """
    count = counted(len(tournament.players), "player")
    waiting = len(tournament.of_state("waiting"))
    opened = OPEN_AND_WAITING if waiting else ENTRIES_OPEN
    lines = {
        "announced": [opened.format(tournament=tournament.name, players=count, waiting=waiting)],
        "closed": [ARE_CLOSED_WITH.format(tournament=tournament.name, players=count)],
        "running": [_running(tournament)],
        "ended": [IS_OVER.format(tournament=tournament.name)],
        "abandoned": [WAS_GIVEN_UP.format(tournament=tournament.name)],
    }[tournament.status]
    if tournament.on_hold:
        told = ALL_ON_HOLD_BECAUSE if proved else ALL_ON_HOLD
        lines.append(told.format(because=tournament.on_hold))
    return [*lines, *(vote_lines(tournament) if proved else ())]


NOT_CONFIRMED = "It is not confirmed: reply `yes` to the email that asked you."
IS_WAITING = "You are number {place} of the waiting list."
IS_PLAYING = "You have a place."
STANDS_BY = "You stand by for seats that become free."
IS_OUT = "You have withdrawn."
IS_EXCLUDED = "You are excluded, because {reason}."


def entry_told(tournament: Tournament, entry: Entrant) -> str:
    """The state of an entry, in a sentence to its owner."""
    before = [one for one in tournament.of_state("waiting") if one.number < entry.number]
    told = {
        "asked": NOT_CONFIRMED,
        "waiting": IS_WAITING,
        "entered": IS_PLAYING,
        "standby": STANDS_BY,
        "withdrawn": IS_OUT,
        "excluded": IS_EXCLUDED,
    }[entry.state]
    return told.format(place=len(before) + 1, reason=entry.reason)


VOTE_ASKS = "Vote {vote}, proposed by {by}, asks all players until {due}: {text}"


def vote_lines(tournament: Tournament) -> list[str]:
    """The sentences about an open vote, for every text about the tournament's state."""
    if (vote := tournament.vote) is None:
        return []
    due, text = moment(vote.due), one_line(vote.text)
    return [VOTE_ASKS.format(vote=vote.number, by=vote.by, due=due, text=text)]


TABLES_ARE_OVER = "Round {round} of {rounds}: {left} still in play, {over} over."
ROUND_IS_OVER = "Round {round} of {rounds} is over."


def _running(tournament: Tournament) -> str:
    tables = len(tournament.begun.get(tournament.round, ()))
    over, rounds = tables - len(tournament.unfinished), len(tournament.rules.rounds)
    told = ROUND_IS_OVER if tournament.complete else TABLES_ARE_OVER
    left = counted(len(tournament.unfinished), "table")
    return told.format(round=tournament.round, rounds=rounds, over=over, left=left)


def one_line(text: str) -> str:
    """A text of several lines in one."""
    return "; ".join(text.split("\n"))


#: the clause for a reason: `{why}` of the messages below
WHY = ", because {because}"
RULING = "Ruling: {text}"
RULING_ON = "Ruling on table {table}: {text}"
TO_ALL = "To all: {text}"
RULES_CHANGED = "The rules have changed: {changes}{why}"
VOTE_PROPOSED = "Vote {vote}, proposed by {by}: {text}{why}"
IS_CORRECTED = "The result of table {table} is corrected{why}"


def why_of(one: LoggedAct) -> str:
    """The clause for the reason of an act, "" for none."""
    return WHY.format(because=one.because) if one.because else ""


def rulings(tournament: Tournament) -> Iterator[tuple[int, str]]:
    """Rulings, votes and corrections, in their public form; times in UTC seconds."""
    return ((one.at, text) for one in tournament.log if (text := ruling(one)))


def ruling(one: LoggedAct) -> str:
    """A ruling, vote or correction in its public form; "" for any other act."""
    why = why_of(one)
    match one.act:
        case DirectorDecided() as act:
            told = {"rule": RULING_ON if act.about else RULING, "announce": TO_ALL}
            text = reasoned(one, act)
            return told.get(act.what, "{text}").format(table=act.about, text=text)
        case RulesChanged(text=text):
            return RULES_CHANGED.format(changes=one_line(text), why=why)
        case VoteProposed(vote=vote):
            text = one_line(vote.text)
            return VOTE_PROPOSED.format(vote=vote.number, by=vote.by, text=text, why=why)
        case VoteEnded(vote=vote):
            return " ".join(ballots.result(vote))
        case TableEnded(told=told) if told.reason:
            return IS_CORRECTED.format(table=told.result.label, why=why)
    return ""


def reasoned(one: LoggedAct, act: DirectorDecided) -> str:
    """The decision, and its reason unless the text has it."""
    if not one.because or one.because in act.text:
        return act.text
    return f"{act.text.rstrip('.')}{why_of(one)}"


AFTER_ROUND = "after round {round}"


def struck(tournament: Tournament) -> Iterator[tuple[int, str, str]]:
    """Published standings that are no longer valid: their time, their round, their text."""
    for number, (at, act) in enumerate(tournament.published):
        if any(later.round == act.round for _, later in tournament.published[number + 1 :]):
            yield at, AFTER_ROUND.format(round=act.round), act.text
