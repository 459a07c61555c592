"""A director's messages and rulings for a tournament: to all, for one table, tables on hold."""

from collections.abc import Sequence

from engine.wording import counted
from service.desk.answering.effects import Effect
from service.desk.tournament.answering.tournament_context import TournamentContext
from service.desk.tournament.directing.tournament_directing import Instruction, decided_by_director
from service.desk.tournament.letters.tournament_letters import BECAUSE, CONCERNED, TournamentText
from service.desk.tournament.questions.director_questions import begun_table
from service.desk.tournament.stored.tournament_tasks import at_table
from service.games.commit import DIRECT
from service.games.games import load
from service.refusal import Refused
from service.said import MISSING_AFTER
from service.tournaments.acts import DirectorDecided
from service.tournaments.values import BegunTable, Entrant

HOLDS_ALIKE = "It holds on every table where the same comes up."
TOLD_AND_KEPT = "All players get an email, and it stays in the log."
ANNOUNCES = "The {office} announces:"
WRITE_BEHIND = "Add the message: `announce: …`."


def announce(context: TournamentContext, said: Instruction) -> Effect:
    """A message to all."""
    headline = ANNOUNCES.format(office=context.office)
    return _to_all(context, said, headline, said.rest.split("\n"), WRITE_BEHIND)


RULES = "The {office} rules:"
RULES_ON = "The {office} rules on table {table}:"
WRITE_THE_RULING = "Add the ruling: `rule: …`, or `rule 2.1: …` for one table."


def rule(context: TournamentContext, said: Instruction) -> Effect:
    """A ruling, for all games or for one."""
    if said.table:
        begun_table(context, said.table)
    told = RULES_ON if said.table else RULES
    headline = told.format(office=context.office, table=said.table)
    return _to_all(context, said, headline, (said.rest, HOLDS_ALIKE), WRITE_THE_RULING)


def _to_all(
    context: TournamentContext, said: Instruction, headline: str, lines: Sequence[str], how: str
) -> Effect:
    """A director's words to all, which the log keeps; ``how`` says how to write them."""
    if not said.rest:
        raise Refused(MISSING_AFTER, hint=how)
    word = said.command.word
    words = TournamentText(headline, lines, kind=word)
    act = DirectorDecided(word, said.rest, said.table)
    return decided_by_director(context, said, [act], words, TOLD_AND_KEPT)


ALL_ON_HOLD = "All tables are on hold: none takes a move, and clocks stand still."
ON_HOLD_ALREADY = "All tables are on hold already."
RESUME_LETS_THEM = "`resume because …` lets them go on."


def hold(context: TournamentContext, said: Instruction) -> Effect:
    """Put all games on hold."""
    if context.tournament.on_hold:
        raise Refused(ON_HOLD_ALREADY, hint=RESUME_LETS_THEM)
    return _everywhere(context, said, "hold", ALL_ON_HOLD)


ALL_GO_ON = "All tables go on."
NOT_ON_HOLD = "The tables are not on hold."
HOLD_PUTS_THEM = "`hold because …` puts them on hold."


def resume(context: TournamentContext, said: Instruction) -> Effect:
    """Continue all games."""
    if not context.tournament.on_hold:
        raise Refused(NOT_ON_HOLD, hint=HOLD_PUTS_THEM)
    return _everywhere(context, said, "resume", ALL_GO_ON)


DONE_AT = "{told} It is done at {tables}."


def _everywhere(context: TournamentContext, said: Instruction, what: str, told: str) -> Effect:
    """Send the same command to the director's side of each game.

    Its players get the email of their game. The email of the tournament is for all others.
    """
    tables, command = context.tournament.playing, f"{what} because {said.because}"
    subject = told.partition(":")[0].rstrip(".")
    reason = BECAUSE.format(because=said.because)
    words = TournamentText(told, (reason,), kind=what, subject=subject)
    tasks = [at_table(context.desk, DIRECT, table, context.office, command) for table in tables]
    note = DONE_AT.format(told=told, tables=counted(len(tables), "table"))
    act = DirectorDecided(what, told)
    others = _away(context, tables)
    return decided_by_director(context, said, [act], words, note, tasks=tasks, readers=others)


def _away(context: TournamentContext, tables: Sequence[BegunTable]) -> list[Entrant]:
    """The entrants without a seat at any of these tables."""
    games = (load(context.reads, table.game) for table in tables)
    seated = {seat.address for game in games if game for seat in game.players}
    entrants = context.tournament.of_state(*CONCERNED)
    return [one for one in entrants if seated.isdisjoint(one.addresses)]
