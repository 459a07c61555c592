"""A director's messages and rulings for a tournament: to all, for one table, tables on hold."""

from engine.wording import counted
from service.audience import of_assistant, of_organiser
from service.commands.command import Command
from service.desk.answering.effects import Effect
from service.desk.tournament.directing.tournament_directing import Instruction, decided_by_director
from service.desk.tournament.letters.tournament_letters import BECAUSE, TournamentText
from service.desk.tournament.upkeep.keeping import change_of
from service.desk.tournament.upkeep.tournament_tasks import direct_task
from service.desk.tournament.writers.tournament_context import TournamentContext
from service.games.game_status import status_for_director
from service.games.games import load
from service.refusal import Refused
from service.reports import note_page
from service.said import MISSING_AFTER, YES_TO_ASSIST
from service.tournaments.acts import ASSISTANT, OPERATOR, DirectorDecided
from service.tournaments.values import BegunTable

DIRECT_ONE = "Reply to this email to direct this table alone."
HOLDS_ALIKE = "It holds on every table where the same comes up."
TOLD_AND_KEPT = "All players get an email, and it stays in the log."
ANNOUNCES = "The director announces:"
WRITE_BEHIND = "Add the message: `announce: …`."


def announce(context: TournamentContext, said: Instruction) -> Effect:
    """A message to all."""
    if not said.rest:
        raise Refused(MISSING_AFTER, hint=WRITE_BEHIND)
    words = TournamentText(ANNOUNCES, said.rest.split("\n"), kind="announce")
    act = DirectorDecided("announce", said.rest)
    return decided_by_director(context, said, [act], words, TOLD_AND_KEPT)


DIRECTOR_RULES = "The director rules:"
RULES_ON = "The director rules on table {table}:"
WRITE_THE_RULING = "Add the ruling: `rule: …`, or `rule 2.1: …` for one table."


def rule(context: TournamentContext, said: Instruction) -> Effect:
    """A ruling, for all games or for one."""
    if not said.rest:
        raise Refused(MISSING_AFTER, hint=WRITE_THE_RULING)
    if said.table:
        _table(context, said.table)
    headline = (RULES_ON if said.table else DIRECTOR_RULES).format(table=said.table)
    words = TournamentText(headline, (said.rest, HOLDS_ALIKE), kind="rule")
    act = DirectorDecided("rule", said.rest, said.table)
    return decided_by_director(context, said, [act], words, TOLD_AND_KEPT)


NO_SUCH_TABLE = "There is no table {table}."
TABLES_LISTS_THEM = "`tables` lists those there are."


def _table(context: TournamentContext, number: str) -> BegunTable:
    """The game with a number. Raises Refused."""
    found = next((b for b in context.tournament.begun_tables if b.label == number), None)
    if found is None:
        raise Refused(NO_SUCH_TABLE.format(table=number), hint=TABLES_LISTS_THEM)
    return found


TABLE_SUBJECT = "[{game}] Table {table}"
TABLE_OF = "Table {table} of {tournament}."
LETTER_ON_ITS_WAY = "An email of {game} is on its way: reply to it."
HOW_OF_OPERATOR = "`waybill game {game} …` directs it."
OTHER_ASSISTANT = "Table {table} has another assistant."


def table(context: TournamentContext, command: Command) -> Effect:
    """An email about one game to its director: a reply to it is about that game alone."""
    if not context.agreed:
        raise Refused(YES_TO_ASSIST)
    found = _table(context, command.parts["table"])
    game = load(context.reads, found.game)
    assert game is not None
    name, row, settings = found.game, game.row, game.settings
    told = status_for_director(game, settings, game.state if game.head else None)
    if context.office == OPERATOR:
        return context.did(command, Effect(), *told[:1], HOW_OF_OPERATOR.format(game=name))
    assists, desk = context.office == ASSISTANT, context.desk.about(name)
    if assists and not settings.assistant:
        raise Refused(OTHER_ASSISTANT.format(table=found.label))
    page = note_page(
        of_assistant(name) if assists else of_organiser(name),
        TABLE_SUBJECT.format(game=name, table=found.label),
        TABLE_OF.format(table=found.label, tournament=context.tournament.name),
        (*told, DIRECT_ONE),
        about=desk.service.about(name, game.title),
    )
    if assists:
        letter = desk.to_assistant("table", row, settings, page)
    else:
        letter = desk.to_organiser("table", row, page)
    made = change_of(context.desk, context.tournament, letters=[letter])
    return context.did(command, made, LETTER_ON_ITS_WAY.format(game=name))


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
    """Send the same command to the director's side of each game."""
    tables, command = context.tournament.playing, f"{what} because {said.because}"
    subject = told.partition(":")[0].rstrip(".")
    reason = BECAUSE.format(because=said.because)
    words = TournamentText(told, (reason,), kind=what, subject=subject)
    tasks = [direct_task(context.desk, table, command, context.office) for table in tables]
    note = DONE_AT.format(told=told, tables=counted(len(tables), "table"))
    act = DirectorDecided(what, told)
    return decided_by_director(context, said, [act], words, note, tasks=tasks)
