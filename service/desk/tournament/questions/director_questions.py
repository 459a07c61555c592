"""Questions of a tournament's director: entries, tables, free seats, the log, the report."""

from math import inf

from engine.wording import counted, listed
from service.audience import of_assistant, of_organiser
from service.commands.command import Command
from service.desk.answering.effects import Effect
from service.desk.tournament.answering.tournament_context import TournamentContext
from service.desk.tournament.stored.keeping import change_of
from service.games.game_status import status_for_director
from service.games.games import load, round_of
from service.publish.tournament.page_data import TournamentView
from service.publish.tournament.pages import report_pdf
from service.refusal import Refused
from service.reports import Answer, note_page
from service.reports.rendering import FILE_LIMIT, MAIL_LIMIT
from service.reports.scene import Enclosed
from service.reports.tables import Block, Column, Grid, Lines, Verbatim
from service.reports.words import moment
from service.said import AND_MORE, YES_TO_ASSIST
from service.store import WaitingRow
from service.tournaments.acts import (
    ASSISTANT,
    OPERATOR,
    BallotCast,
    EntriesClosed,
    EntriesReopened,
    EntryChanged,
    LoggedAct,
    OfficeGiven,
    RoundBegun,
    RoundSeated,
    StandingsPublished,
    TableEnded,
    TokenRenewed,
    TournamentAnnounced,
    TournamentOver,
)
from service.tournaments.telling import ruling, state_lines, why_of
from service.tournaments.values import BegunTable

#: most rows of a list in an email
MOST = 60


ONE_NOT_CONFIRMED = "1 has not confirmed yet."
NOT_CONFIRMED = "{asked} have not confirmed yet."
IS_FREE = "{table}: {seat}, because {why}"
FREE_SEATS = "FREE SEATS"


def entries(context: TournamentContext) -> Answer:
    """Everybody who has entered, or asked to; and the seats that need somebody."""
    tournament, asked = context.tournament, len(context.tournament.of_state("asked"))
    told = ONE_NOT_CONFIRMED if asked == 1 else NOT_CONFIRMED if asked else ""
    rows = tuple(
        (str(e.number), e.name, e.state, ", ".join(e.addresses))
        for e in tournament.entries
        if e.state != "asked"
    )
    columns = Column("", True), Column("name", name=True), Column("state"), Column("addresses")
    free = tuple(
        IS_FREE.format(table=table.label, seat=vacancy.seat, why=vacancy.why)
        for table in tournament.playing
        for vacancy in context.reads.people.vacancies(table.id)
    )
    lines = [*state_lines(tournament), *([told.format(asked=asked)] if told else [])]
    blocks: list[Block] = [Lines("", tuple(lines))]
    blocks += [Grid("ENTRIES", columns, rows)] if rows else []
    blocks += [Verbatim(FREE_SEATS, free)] if free else []
    return Answer(tuple(blocks))


MUST_ACT = "{players} must act on {tables}. Out of time: {over}."
NO_TABLE_PLAYED = "No table is played now."
STANDS_AT = "{round}, waits for {seats}"


def tables(context: TournamentContext) -> Answer:
    """The state of every game of the latest round; those whose time is over first."""
    tournament, now = context.tournament, context.desk.now
    here = [table for table in tournament.begun_tables if table.round == tournament.round]
    playing = {table.id for table in tournament.playing}
    waits = [w for w in context.reads.games.waiting() if w.game_id in playing]
    first = {w.game_id: _time_of(w) for w in sorted(waits, key=_time_of, reverse=True)}
    rows = []
    for table in sorted(here, key=lambda table: first.get(table.id, (inf, inf))):
        waiting = [w for w in waits if w.game_id == table.id]
        stands = ("over", "", "") if not waiting else (
            STANDS_AT.format(round=round_of(waiting[0]), seats=listed(w.seat for w in waiting)),
            _days(now - min(w.since for w in waiting)),
            _due(min((w.due for w in waiting if w.due is not None), default=None), now),
        )  # fmt: skip
        rows.append((table.label, table.title.name, ", ".join(table.seats), *stands))
    over = sum(w.due is not None and w.due < now for w in waits)
    acting, played = counted(len(waits), "player"), counted(len(playing), "table")
    told = MUST_ACT.format(players=acting, tables=played, over=over or "none")
    lines = Lines("", (*state_lines(tournament), told if playing else NO_TABLE_PLAYED))
    columns = (
        Column("table"), Column("title"), Column("seats"), Column("stands at"),
        Column("asked since", True), Column("time"),
    )  # fmt: skip
    note = AND_MORE.format(left=len(rows) - MOST) if len(rows) > MOST else ""
    found = Grid("TABLES", columns, tuple(rows[:MOST]), note)
    return Answer((lines, found) if rows else (lines,))


def _time_of(waiting: WaitingRow) -> tuple[float, float]:
    """The deadline of a player who must act, and since when they must, in UTC seconds."""
    return (inf if waiting.due is None else waiting.due, waiting.since)


def _days(seconds: int) -> str:
    return f"{seconds // 86_400} d {seconds % 86_400 // 3600} h"


OVER_SINCE = "over for {time}"
TIME_LEFT = "{time} left"


def _due(due: int | None, now: int) -> str:
    if due is None:
        return ""
    told = OVER_SINCE if due < now else TIME_LEFT
    return told.format(time=_days(abs(due - now)))


THE_LOG = "THE LOG"
ACTS_BEFORE = "{acts} before."


def log(context: TournamentContext) -> Answer:
    """The log, the latest acts last."""
    every = context.tournament.log
    lines = [f"{moment(one.at)}  {logged(one)}" for one in every[-MOST:]]
    left = len(every) - MOST
    more = (Lines("", (ACTS_BEFORE.format(acts=counted(left, "act")),)),) if left > 0 else ()
    return Answer((*more, Lines(THE_LOG, tuple(lines))))


LOG_LINE = "#{number} {by}: {text}"
#: of an act whose text begins with the name
LOG_OWN = "#{number} {text}"
LOG_SEATING = "the seating of round {round} was {kind}"
LOG_BEGUN = "round {round} began with {tables}"
LOG_TABLE = "table {table} is over"
LOG_BALLOT = "a ballot in vote {vote}"
LOG_NOBODY = "the {office} has left"
LOG_HOLDER = "{address} is the {office}"
LOG_ASKED = "{address} was asked to be the {office}"
LOG_RENEWED = "{holder} has a new address at Waybill"
LOG_STANDINGS = "the standings after round {round} were published"
LOG_PLAIN = {
    TournamentAnnounced: "the tournament was announced",
    EntriesClosed: "entries were closed",
    EntriesReopened: "entries were opened again",
}
LOG_CHANGED = "the entry of {name} changed"
LOG_ENTRY = {
    "asked": "{name} was asked to confirm the entry",
    "confirmed": "{name} confirmed the entry",
    "entered": "{name} got a place",
    "waiting": "{name} is on the waiting list",
    "standby": "{name} stands by",
    "admitted": "{name} was admitted",
    "moved up": "{name} moved up from the waiting list",
    "stays": "{name} got a place by playing a table to its end",
    "withdrawn": "{name} has withdrawn",
    "excluded": "{name} was excluded",
    "address": "{name} changed the addresses of the entry",
    "zone": "{name} chose a time zone",
}


def logged(one: LoggedAct) -> str:
    """The text of an act in the log: of a ruling as everybody reads it."""
    text = ruling(one) or f"{_fact(one)}{why_of(one)}"
    line = LOG_OWN if text.startswith(f"{one.by} ") else LOG_LINE
    return line.format(number=one.number, by=one.by, text=text)


def _fact(one: LoggedAct) -> str:
    """The text of an act that is no ruling."""
    match one.act:
        case EntryChanged(what=what, entry=entry):
            return LOG_ENTRY.get(what, LOG_CHANGED).format(name=entry.name)
        case RoundSeated(seating=seating):
            kind = "proposed" if seating.proposed else "published"
            return LOG_SEATING.format(round=seating.round, kind=kind)
        case RoundBegun(round=number, games=games):
            return LOG_BEGUN.format(round=number, tables=counted(len(games), "table"))
        case TableEnded(told=told):
            return LOG_TABLE.format(table=told.result.label)
        case BallotCast(vote=vote):
            # the ballots are secret until the vote is over
            return LOG_BALLOT.format(vote=vote)
        case OfficeGiven(office=office, address=address, asked=asked):
            holds = (LOG_ASKED if asked else LOG_HOLDER) if address else LOG_NOBODY
            return holds.format(office=office, address=address)
        case TokenRenewed(holder=holder):
            return LOG_RENEWED.format(holder=holder)
        case StandingsPublished(round=number):
            return LOG_STANDINGS.format(round=number)
        case TournamentOver(text=text):
            return text
    return LOG_PLAIN[type(one.act)]


REPORT_IS_IN = "The report is in {file}, ready to be printed."
LEFT_OUT = (
    "An email has room for {size} kB, and the report is larger. The operator can make it with "
    "`waybill tournament {tournament} report`."
)


def report(context: TournamentContext) -> Answer:
    """The current report; an email without room for it names who can make it."""
    name = context.tournament.name
    data = report_pdf(TournamentView(context.tournament))
    file = Enclosed(f"{name}-report.pdf", "application/pdf", data)
    fits = context.office == OPERATOR or len(data) <= FILE_LIMIT
    told = REPORT_IS_IN.format(file=file.filename)
    if not fits:
        told = LEFT_OUT.format(size=MAIL_LIMIT // 1000, tournament=name)
    return Answer((Lines("", (told,)),), files=(file,) if fits else ())


DIRECT_ONE = "Reply to this email to direct this table alone."
NO_SUCH_TABLE = "There is no table {table}."
TABLES_LISTS_THEM = "`tables` lists those there are."


def begun_table(context: TournamentContext, number: str) -> BegunTable:
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
    found = begun_table(context, command.parts["table"])
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
