"""Public questions about tournaments, by email or at a terminal."""

from typing import Protocol

from engine.wording import counted
from service.commands.command import Command
from service.commands.entry import Who
from service.desk.answering.effects import Context, Effect
from service.desk.tournament.keeping import find, of_row
from service.desk.tournament.records import director_lists
from service.desk.tournament.tournament_context import (
    TournamentContext,
    shows,
)
from service.desk.tournament.tournament_letters import TournamentText, body
from service.reports import Answer
from service.reports.tables import Block, Lines, Verbatim
from service.store import Tx
from service.tournaments import form, telling
from service.tournaments.tournament import Tournament

#: most players that an answer names
NAMED = 60


STANDINGS_OF = "The standings of {tournament}"


class Asker(Context, Protocol):
    """The sender of a question: about a game, a tournament or neither."""

    @property
    def who(self) -> Who:
        """The roles of the writer."""
        ...


def _proved(context: Asker) -> bool:
    """Whether the writer is proved.

    If not, an answer has no free words of a director or player: its address may be that of
    somebody who never asked.
    """
    agreed = context.agreed if isinstance(context, TournamentContext) else True
    return agreed and context.who is not Who.STRANGER


def _own(context: Asker) -> str:
    """The tournament that an email is about, "" for none."""
    return context.tournament.name if isinstance(context, TournamentContext) else ""


def _answered(command: Command, words: TournamentText) -> Effect:
    return shows(command, Answer(body(words, words.headline), files=tuple(words.files)))


def tournaments(context: Asker, command: Command) -> Effect:
    """`tournaments`: all tournaments."""
    return _answered(command, _list(context.reads))


def tournament(context: Asker, command: Command) -> Effect:
    """`tournament NAME`: everything public about one; without a name, the writer's, or all."""
    name = command.parts["name"].lower() or _own(context)
    if not name:
        return tournaments(context, command)
    tournament = find(context.reads, name)
    return _answered(command, info(tournament, proved=_proved(context)))


def standings(context: Asker, command: Command) -> Effect:
    """`standings NAME`, `standings NAME json`."""
    name, kind = command.parts["name"].lower(), command.parts["kind"].lower()
    if name == "json":
        name, kind = "", name
    tournament = find(context.reads, name or _own(context))
    made = director_lists.standings_of(tournament, kind, proved=_proved(context))
    headline = STANDINGS_OF.format(tournament=tournament.name)
    return _answered(command, TournamentText(headline, headline, (), made.blocks, files=made.files))


TOURNAMENTS_HERE = "Tournaments here"
NO_TOURNAMENTS = "There are none."


def _list(reads: Tx) -> TournamentText:
    """All tournaments."""
    write = ("tournament NAME", "enter NAME as YOU", "standings NAME", "tournament new NAME")
    lines = going_on(reads) or (NO_TOURNAMENTS,)
    return TournamentText("Tournaments", TOURNAMENTS_HERE, lines, commands=write)


def going_on(reads: Tx) -> list[str]:
    """A line about each tournament that was not given up."""
    every = [of_row(reads, row) for row in reads.tournaments.all()]
    return [
        f"{tournament.name}: {telling.standing_lines(tournament)[0]}"
        for tournament in every
        if tournament.status != "abandoned"
    ]


THE_TOURNAMENT = "The tournament {tournament}"
WRITE_STANDINGS = "standings {tournament}"
WRITE_ENTER = "enter {tournament} as YOU"
WRITE_STANDBY = "standby {tournament} as YOU"
TABLES_OF_ROUND = "TABLES OF ROUND {round}"


def info(tournament: Tournament, *, proved: bool = True) -> TournamentText:
    """Everything public about a tournament: its rules, its players, its state.

    If the reader is not ``proved``, without free words of other people.
    """
    lines = telling.standing_lines(tournament, proved=proved)
    lines[:0] = tournament.rules.announcement.split("\n") if proved else ()
    write = [WRITE_STANDINGS.format(tournament=tournament.name)]
    if tournament.status == "announced":
        write.insert(0, WRITE_ENTER.format(tournament=tournament.name))
    elif tournament.status in ("closed", "running"):
        write.insert(0, WRITE_STANDBY.format(tournament=tournament.name))
    seating = tournament.seated(tournament.round)
    blocks: list[Block] = [Lines("PLAYERS", (_players(tournament),))]
    if seating is not None:
        tables = tuple(
            f"{t.label}  {t.title.name}  {', '.join(t.seats)}" for t in seating.tables[:NAMED]
        )
        blocks.append(Verbatim(TABLES_OF_ROUND.format(round=tournament.round), tables))
    rules = tuple(
        line
        for line in form.printed(tournament.rules).splitlines()
        if not line.startswith(("announcement:",) if proved else ("announcement:", "prizes:"))
    )
    blocks.append(Verbatim(director_lists.ITS_RULES, rules))
    blocks.append(director_lists.digests_of(tournament))
    headline = THE_TOURNAMENT.format(tournament=tournament.name)
    return TournamentText(headline, headline, lines, blocks, write)


ALL_PLAYERS = "{players}: {names}."
MANY_PLAYERS = "{players}: {names}, and {left} more."
NOBODY_ENTERED = "Nobody has entered yet."


def _players(tournament: Tournament) -> str:
    names = [entry.name for entry in tournament.players]
    if not names:
        return NOBODY_ENTERED
    told = MANY_PLAYERS if len(names) > NAMED else ALL_PLAYERS
    return told.format(
        players=counted(len(names), "player"),
        names=", ".join(names[:NAMED]),
        left=len(names) - NAMED,
    )
