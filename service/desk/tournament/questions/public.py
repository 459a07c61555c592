"""Public questions about tournaments, by email or at a terminal."""

from collections.abc import Sequence
from typing import Protocol

from engine.wording import counted
from service.commands.command import Command
from service.commands.entry import Who
from service.commands.helping import help_, sorry
from service.desk.answering.effects import Context, Effect
from service.desk.tournament.answering.tournament_context import (
    TournamentContext,
    shows,
    tournament_scope,
)
from service.desk.tournament.stored.keeping import find_tournament, of_row
from service.refusal import Refused
from service.reports import Answer
from service.reports.letters import to_write
from service.reports.scene import Enclosed
from service.reports.tables import Block, Lines, Pairs, Row, Verbatim
from service.store import Tx
from service.tournaments import form, listing, telling
from service.tournaments.standings import standings as counted_now
from service.tournaments.tournament import Tournament

#: most players and tables that an answer names
NAMED = 60


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


def _answered(
    command: Command,
    headline: str,
    lines: Sequence[str] = (),
    blocks: Sequence[Block] = (),
    write: Sequence[str] = (),
    files: tuple[Enclosed, ...] = (),
) -> Effect:
    told = Lines("", (headline, *lines))
    return shows(command, Answer((told, *blocks, *to_write(write)), files=files))


TOURNAMENTS_HERE = "Tournaments here"
NO_TOURNAMENTS = "There are none."


def tournaments(context: Asker, command: Command) -> Effect:
    """`tournaments`: all tournaments."""
    write = ("tournament NAME", "enter NAME as YOU", "standings NAME", "tournament new NAME")
    lines = going_on(context.reads) or (NO_TOURNAMENTS,)
    return _answered(command, TOURNAMENTS_HERE, lines, write=write)


def going_on(reads: Tx) -> list[str]:
    """A line about each tournament that was not given up."""
    every = (of_row(reads, row) for row in reads.tournaments.all())
    shown = (one for one in every if one.status != "abandoned")
    return [f"{one.name}: {telling.state_lines(one)[0]}" for one in shown]


THE_TOURNAMENT = "The tournament {tournament}"
WRITE_STANDINGS = "standings {tournament}"
WRITE_ENTER = "enter {tournament} as YOU"
WRITE_STANDBY = "standby {tournament} as YOU"
TABLES_OF_ROUND = "TABLES OF ROUND {round}"
ITS_RULES = "ITS RULES"
DIGESTS = "DIGESTS OF THE SEEDS"


def tournament(context: Asker, command: Command) -> Effect:
    """`tournament NAME`: everything public about one; without a name, the writer's, or all."""
    asked = command.parts["name"].lower() or _own(context)
    if not asked:
        return tournaments(context, command)
    tournament, proved = find_tournament(context.reads, asked), _proved(context)
    lines = telling.state_lines(tournament, proved=proved)
    lines[:0] = tournament.rules.announcement.split("\n") if proved else ()
    write = [WRITE_STANDINGS.format(tournament=tournament.name)]
    if tournament.status == "announced":
        write.insert(0, WRITE_ENTER.format(tournament=tournament.name))
    elif tournament.status in ("closed", "running"):
        write.insert(0, WRITE_STANDBY.format(tournament=tournament.name))
    blocks: list[Block] = [Lines("PLAYERS", (_players(tournament),))]
    if (seating := tournament.seated(tournament.round)) is not None:
        tables = tuple(
            f"{t.label}  {t.title.name}  {', '.join(t.seats)}" for t in seating.tables[:NAMED]
        )
        blocks.append(Verbatim(TABLES_OF_ROUND.format(round=tournament.round), tables))
    apart = ("announcement:",) if proved else ("announcement:", "prizes:")
    blocks += [rules_of(tournament, ITS_RULES, apart), digests_of(tournament)]
    headline = THE_TOURNAMENT.format(tournament=tournament.name)
    return _answered(command, headline, lines, blocks, write)


def rules_of(tournament: Tournament, heading: str, apart: tuple[str, ...] = ()) -> Verbatim:
    """The rules in the lines of the form, without those that begin so."""
    lines = form.printed(tournament.rules).splitlines()
    return Verbatim(heading, tuple(line for line in lines if not line.startswith(apart)))


def digests_of(tournament: Tournament) -> Pairs:
    """The digests of the rounds' seeds."""
    every = (Row(f"round {n}", (digest,)) for n, digest in enumerate(tournament.digests, 1))
    return Pairs(DIGESTS, tuple(every))


STANDINGS_OF = "The standings of {tournament}"
FILE_HAS_ALL = "The file {file} has all of it."
NO_STANDINGS = "No table is over, so there are no standings."


def standings(context: Asker, command: Command) -> Effect:
    """`standings NAME`; `standings NAME json` is a file."""
    name, kind = command.parts["name"].lower(), command.parts["kind"]
    if name == "json":
        name, kind = "", name
    tournament = find_tournament(context.reads, name or _own(context))
    headline = STANDINGS_OF.format(tournament=tournament.name)
    if kind:
        data = listing.tournament_json(tournament, counted_now(tournament)).encode()
        file = Enclosed(f"{tournament.name}-standings.json", "application/json", data)
        told = (FILE_HAS_ALL.format(file=file.filename),)
        return _answered(command, headline, told, files=(file,))
    lines = telling.state_lines(tournament, proved=_proved(context))
    if not tournament.records:
        return _answered(command, headline, (*lines, NO_STANDINGS))
    return _answered(command, headline, lines, listing.standings_blocks(tournament, NAMED))


ALL_PLAYERS = "{players}: {names}."
MANY_PLAYERS = "{players}: {names}, and {left} more."
NOBODY_ENTERED = "Nobody has entered yet."


def _players(tournament: Tournament) -> str:
    names = [entry.name for entry in tournament.players]
    if not names:
        return NOBODY_ENTERED
    told = MANY_PLAYERS if len(names) > NAMED else ALL_PLAYERS
    players, left = counted(len(names), "player"), len(names) - NAMED
    return told.format(players=players, names=", ".join(names[:NAMED]), left=left)


def tournament_help(context: TournamentContext, command: Command) -> Effect:
    """`help`, `help WORD`: the commands of the writer. Raises Refused for a word that is none."""
    vocabulary, word = context.desk.service.commands, command.rest.strip()
    scope = tournament_scope(context)
    found = help_(vocabulary, scope.who, scope.where, scope.when, word=word)
    if found is None:
        raise Refused(sorry(vocabulary, word))
    return shows(command, found)
