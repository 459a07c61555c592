"""Lists for a tournament's director: entries, late players, games, the log, the report."""

from collections.abc import Sequence
from math import inf

from engine.wording import counted, listed
from service.desk.seats.standbys import listed as standbys_of
from service.desk.tournament.tournament_context import TournamentContext
from service.desk.tournament.tournament_directing import Instruction
from service.games.games import load, round_of
from service.publish.tournament.page_data import TournamentView
from service.publish.tournament.pages import FinalMap, final_map, pictured, report_pdf
from service.reports import Answer
from service.reports.rendering import MAIL_LIMIT
from service.reports.scene import Enclosed
from service.reports.tables import Block, Column, Grid, Lines, Verbatim
from service.reports.words import moment
from service.said import AND_MORE
from service.tournaments import form, listing
from service.tournaments import votes as ballots
from service.tournaments.acts import (
    OPERATOR,
    BallotCast,
    BoardEnded,
    DirectorDecided,
    EntriesClosed,
    EntryChanged,
    LoggedAct,
    OfficeGiven,
    RoundBegun,
    RoundSeated,
    RulesChanged,
    TournamentOver,
    VoteEnded,
    VoteProposed,
)
from service.tournaments.listing import as_csv
from service.tournaments.telling import one_line, reasoned, standing_lines, vote_lines, why_of
from service.tournaments.tournament import Tournament

#: most rows of a list in an email; files have all
MOST = 60


VOTE_WAS_ON = "It was on this: {text}"
NO_VOTE = "There was no vote so far."


def votes(context: TournamentContext, said: Instruction) -> Answer:
    """All votes: the subject of each, and the result if it is over."""
    cup = context.cup
    lines = vote_lines(cup)
    for one in reversed(cup.votes):
        if one.status != "open":
            lines += [" ".join(ballots.result(one)), VOTE_WAS_ON.format(text=one_line(one.text))]
    return Answer((Lines("", tuple(lines) or (NO_VOTE,)),))


ITS_RULES = "ITS RULES"
DIGESTS = "DIGESTS OF THE SEEDS"


def status(context: TournamentContext, said: Instruction) -> Answer:
    """The state and the rules."""
    return Answer((Lines("", tuple(standing_lines(context.cup))), rules_of(context.cup)))


def rules_of(cup: Tournament, heading: str = ITS_RULES) -> Verbatim:
    """The rules in the lines of the form."""
    return Verbatim(heading, tuple(form.printed(cup.rules).splitlines()))


def digests_of(cup: Tournament) -> Verbatim:
    """The digests of the rounds' seeds."""
    every = (f"round {n}  {digest}" for n, digest in enumerate(cup.digests, 1))
    return Verbatim(DIGESTS, tuple(every))


FILE_HAS_ALL = "The file {file} has all of it."
_MIME = {"csv": "text/csv", "json": "application/json"}


def _file(name: str, kind: str, data: bytes) -> Answer:
    file = Enclosed(f"{name}.{kind}", _MIME[kind], data)
    return Answer((Lines("", (FILE_HAS_ALL.format(file=file.filename),)),), files=(file,))


NO_STANDINGS = "No board is over, so there are no standings."


def standings(context: TournamentContext, said: Instruction) -> Answer:
    """The standings as everybody sees them."""
    return standings_of(context.cup, said.rest.lower())


def standings_of(cup: Tournament, kind: str, *, proved: bool = True) -> Answer:
    """The standings as a table or a file; ``proved`` as in `standing_lines`."""
    if kind in _MIME:
        return _file(f"{cup.name}-standings", kind, listing.standings_file(cup, kind))
    stands = standing_lines(cup, proved=proved)
    if not cup.records:
        return Answer((Lines("", (*stands, NO_STANDINGS)),))
    return Answer((Lines("", tuple(stands)), *listing.standings_blocks(cup, MOST)))


MORE_ENTRIES = "… and {left} more: `entries csv` has all."
ONE_NOT_CONFIRMED = "1 has not confirmed yet."
NOT_CONFIRMED = "{asked} have not confirmed yet."


def entries(context: TournamentContext, said: Instruction) -> Answer:
    """Everybody who has entered, or asked to; also as a file."""
    cup = context.cup
    if said.rest.lower() == "csv":
        return _file(f"{cup.name}-entries", "csv", entries_csv(cup))
    found = [entry for entry in cup.entries if entry.state != "asked"]
    rows = tuple(
        (
            str(e.number),
            e.name,
            e.state,
            str(e.rating),
            f"{e.on_time}%" if e.on_time >= 0 else "–",
            ", ".join(e.addresses),
        )
        for e in found[:MOST]
    )
    columns = (
        Column("", True),
        Column("name", name=True),
        Column("state"),
        Column("rating", True),
        Column("in time", True),
        Column("addresses"),
    )
    asked = len(cup.of_state("asked"))
    note = MORE_ENTRIES.format(left=len(found) - MOST) if len(found) > MOST else ""
    lines = [*standing_lines(cup)]
    if asked:
        told = ONE_NOT_CONFIRMED if asked == 1 else NOT_CONFIRMED
        lines.append(told.format(asked=asked))
    blocks: tuple[Block, ...] = (Lines("", tuple(lines)),)
    return Answer((*blocks, Grid("ENTRIES", columns, rows, note)) if rows else blocks)


def entries_csv(cup: Tournament) -> bytes:
    """All entries as CSV (RFC 4180)."""
    head = ("number", "name", "state", "rating", "on_time", "zone", "addresses", "reason")
    rows = [
        (e.number, e.name, e.state, e.rating, e.on_time, e.zone, " ".join(e.addresses), e.reason)
        for e in cup.entries
    ]
    return as_csv(head, rows).encode()


MUST_ACT = "{players} must act on {boards}; the time of {over} is over."
NO_BOARD_PLAYED = "No board is played now."
WAITED_FOR = "WHO IS WAITED FOR"


def late(context: TournamentContext, said: Instruction) -> Answer:
    """The players whose move is due in all games, the longest wait first."""
    by_game, now = {board.id: board for board in context.cup.playing}, context.desk.now
    waits = [one for one in context.reads.games.waiting() if one.game_id in by_game]
    waits.sort(key=lambda one: (one.due is None, one.due or 0, one.since))
    over = sum(one.due is not None and one.due < now for one in waits)
    rows = tuple(
        (
            by_game[one.game_id].number,
            one.seat,
            round_of(one),
            _days(now - one.since),
            _due(one.due, now),
        )
        for one in waits[:MOST]
    )
    columns = (
        Column("board"),
        Column("player", name=True),
        Column("round"),
        Column("asked since", True),
        Column("time"),
    )
    lines = (
        MUST_ACT.format(
            players=counted(len(waits), "player"),
            boards=counted(len(by_game), "board"),
            over=over or "none",
        ),
    )
    blocks: tuple[Block, ...] = (Lines("", lines if by_game else (NO_BOARD_PLAYED,)),)
    return Answer((*blocks, Grid(WAITED_FOR, columns, rows)) if rows else blocks)


def _days(seconds: int) -> str:
    return f"{seconds // 86_400} d {seconds % 86_400 // 3600} h"


OVER_SINCE = "over since {time}"
TIME_LEFT = "{time} left"


def _due(due: int | None, now: int) -> str:
    if due is None:
        return ""
    return (
        OVER_SINCE.format(time=_days(now - due))
        if due < now
        else TIME_LEFT.format(time=_days(due - now))
    )


STANDS_AT = "{round}, {seat} acts"


def boards(context: TournamentContext, said: Instruction) -> Answer:
    """The state of every game of the latest round."""
    cup, rows = context.cup, []
    waits = {one.game_id: one for one in context.reads.games.waiting()}
    tables = {(t.round, t.number): t for t in cup.tables}
    for board in context.cup.boards:
        if board.round != cup.round:
            continue
        record = cup.record(board.round, board.table)
        table = tables[board.round, board.table]
        waiting = waits.get(board.id)
        how = (
            "over"
            if record or waiting is None
            else STANDS_AT.format(round=round_of(waiting), seat=waiting.seat)
        )
        rows.append((board.number, table.title.name, ", ".join(table.seats), how))
    stands = Lines("", tuple(standing_lines(cup)))
    columns = (Column("board"), Column("title"), Column("seats"), Column("stands at"))
    note = AND_MORE.format(left=len(rows) - MOST) if len(rows) > MOST else ""
    found = Grid("BOARDS", columns, tuple(rows[:MOST]), note)
    return Answer((stands, found) if rows else (stands,))


IS_FREE = "{board}: {seat}, because {why}"
STANDING_BY = "Standing by: {names}."
HOW_TO_STAND_BY = "To stand by, write `standby {cup} as NAME` to {address}."
FREE_SEATS = "FREE SEATS"
ASKED_FOR_IT = "   asked: {names}"
NOBODY_ASKED = "   asked: nobody stands by"
NO_FREE_SEAT = "No seat is free."


def standbys(context: TournamentContext, said: Instruction) -> Answer:
    """The standbys, and the seats that need somebody."""
    cup, free = context.cup, []
    for board in cup.playing:
        found = context.reads.people.vacancies(board.id)
        free += [IS_FREE.format(board=board.number, seat=v.seat, why=v.why) for v in found]
        if found and (table := load(context.reads, board.game)) is not None:
            asked = [v.address for v in standbys_of(table)]
            free.append(ASKED_FOR_IT.format(names=listed(asked)) if asked else NOBODY_ASKED)
    ready = cup.of_state("standby", "waiting")
    names = listed([entry.name for entry in ready]) or "nobody"
    how = HOW_TO_STAND_BY.format(cup=cup.name, address=context.desk.service.address)
    return Answer(
        (
            Lines("", (STANDING_BY.format(names=names), how)),
            Verbatim(FREE_SEATS, tuple(free)) if free else Lines("", (NO_FREE_SEAT,)),
        )
    )


THE_LOG = "THE LOG"
ACTS_BEFORE = "{acts} before."


def log(context: TournamentContext, said: Instruction) -> Answer:
    """The log, the latest acts last."""
    every = context.cup.log
    lines = [f"{moment(one.at)}  {logged(one)}" for one in every[-MOST:]]
    left = len(every) - MOST
    more = (Lines("", (ACTS_BEFORE.format(acts=counted(left, "act")),)),) if left > 0 else ()
    return Answer((*more, Lines(THE_LOG, tuple(lines))))


LOG_LINE = "#{number} {by}: {text}{why}"
LOG_SEATING = "seating of round {round} {kind}"
LOG_BEGUN = "round {round} begun, {boards}"
LOG_BOARD = "board {round}.{table} {how}"
LOG_RULES = "rules changed: {changes}"
LOG_VOTE = "vote {vote} asked: {text}"
LOG_BALLOT = "a ballot in vote {vote}"
LOG_CLOSED = "entries closed"


def logged(one: LoggedAct) -> str:
    """The text of an act in the log."""
    act, why = one.act, why_of(one)
    match act:
        case EntryChanged():
            text = f"{act.entry.name}: {act.what}"
        case RoundSeated():
            kind = "proposed" if act.seating.proposed else "published"
            text = LOG_SEATING.format(round=act.seating.round, kind=kind)
        case RoundBegun():
            text = LOG_BEGUN.format(round=act.round, boards=counted(len(act.games), "board"))
        case BoardEnded():
            result = act.told.result
            how = "corrected" if act.told.reason else "over"
            text = LOG_BOARD.format(round=result.round, table=result.table, how=how)
        case DirectorDecided():
            text = f"{act.what} {act.about}: {reasoned(one, act)}".replace(" :", ":")
            why = ""
        case RulesChanged():
            text = LOG_RULES.format(changes=one_line(act.text))
        case VoteProposed():
            text = LOG_VOTE.format(vote=act.vote.number, text=one_line(act.vote.text))
        case BallotCast():
            # the ballots are secret until the vote is over
            text = LOG_BALLOT.format(vote=act.vote)
        case VoteEnded():
            text = " ".join(ballots.result(act.vote))
        case OfficeGiven():
            who = act.address or "nobody"
            text = f"{act.office} {'asked' if act.asked else 'is'} {who}"
        case TournamentOver():
            text = act.text
            why = ""
        case EntriesClosed():
            text = LOG_CLOSED
        case _:
            text = str(act.__struct_config__.tag)
    return LOG_LINE.format(number=one.number, by=one.by, text=text, why=why)


#: octets of the files attached to an email; base64 makes four octets of three
LARGEST = (MAIL_LIMIT - 30_000) * 57 // 78
REPORT_IS_IN = "The report is in {file}, ready to be printed."
LEFT_OUT = (
    "An email has room for {size} kB, so {what}. The operator can make the whole report with "
    "`waybill tournament {cup} report`."
)
NO_MAPS = "the maps are left out"
NO_REPORT = "the report is left out"


def report(context: TournamentContext, said: Instruction) -> Answer:
    """The current report; an email without room for it has it without maps, or not at all."""
    cup, view = context.cup, TournamentView(context.cup)
    tables = [(number, load(context.reads, game)) for number, game in pictured(view)]
    maps = [final_map(number, table) for number, table in tables if table and table.head]
    file, most = _pdf(view, maps), inf if context.office == OPERATOR else LARGEST
    whole = len(file.data) <= most
    if not whole:
        file = _pdf(view, ())
    fits = len(file.data) <= most
    lines = [REPORT_IS_IN.format(file=file.filename)] if fits else []
    if not whole:
        left = NO_MAPS if fits else NO_REPORT
        lines.append(LEFT_OUT.format(size=MAIL_LIMIT // 1000, what=left, cup=cup.name))
    return Answer((Lines("", tuple(lines)),), files=(file,) if fits else ())


def _pdf(view: TournamentView, maps: Sequence[FinalMap]) -> Enclosed:
    return Enclosed(f"{view.name}-report.pdf", "application/pdf", report_pdf(view, maps))
