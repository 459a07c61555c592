"""What who directs is shown: entries, late players, boards, the log, files; nothing is changed."""

from collections.abc import Iterator

from engine.wording import counted, listed
from service.commands.refusal import Refused
from service.desk.letters.post import Desk
from service.desk.seats.standbys import listed as standbys_of
from service.desk.tournament import figures
from service.desk.tournament.acts import (
    Ballot,
    Begun,
    Closed,
    Cup,
    Decided,
    Ended,
    Entered,
    Logged,
    Office,
    Over,
    Proposed,
    Published,
    Ruled,
    Seated,
    Voted,
)
from service.desk.tournament.known import IS_OVER, Known
from service.desk.tournament.words import Word
from service.games.games import load, round_of
from service.reports import Answer
from service.reports.scene import Enclosed
from service.reports.tables import Block, Column, Grid, Lines, Verbatim
from service.reports.words import moment
from service.said import AND_MORE, ARE_CLOSED_WITH
from service.store import Store
from service.tournaments import form
from service.tournaments import votes as ballots
from service.tournaments.listing import as_csv

#: rows that a letter shows of a list; files have all
MOST = 60


def verbatim(heading: str, lines: tuple[str, ...]) -> Answer:
    """Lines as an answer."""
    return Answer((Verbatim(heading, lines),))


ALL_ARE_HELD = "All boards are held."
ALL_ARE_HELD_BECAUSE = "All boards are held, because {because}."
OPEN = "Entries for {cup} are open: {players}."
OPEN_AND_WAITING = "Entries for {cup} are open: {players}, and {waiting} on the waiting list."
WAS_GIVEN_UP = "{cup} was given up."


def standing_lines(cup: Cup, *, proved: bool = True) -> list[str]:
    """How a tournament stands, in sentences.

    Somebody who has not ``proved`` who they are reads no reasons and proposals of others.
    """
    count = counted(len(cup.players), "player")
    waiting = len(cup.of_state("waiting"))
    opened = OPEN_AND_WAITING if waiting else OPEN
    lines = {
        "announced": [opened.format(cup=cup.name, players=count, waiting=waiting)],
        "closed": [ARE_CLOSED_WITH.format(cup=cup.name, players=count)],
        "running": [_running(cup)],
        "ended": [IS_OVER.format(cup=cup.name)],
        "abandoned": [WAS_GIVEN_UP.format(cup=cup.name)],
    }[cup.status]
    if cup.held:
        told = ALL_ARE_HELD_BECAUSE if proved else ALL_ARE_HELD
        lines.append(told.format(because=cup.held_because))
    return [*lines, *(vote_lines(cup) if proved else ())]


VOTE_ASKS = "Vote {vote}, proposed by {by}, asks all players until {due}: {text}"


def vote_lines(cup: Cup) -> list[str]:
    """What is told of an open vote wherever it is told how the tournament stands."""
    vote = cup.vote
    if vote is None:
        return []
    return [
        VOTE_ASKS.format(
            vote=vote.number, by=vote.by, due=moment(vote.due), text=_one_line(vote.text)
        )
    ]


VOTE_WAS_ON = "It was on this: {text}"
NO_VOTE = "There was no vote so far."


def votes(cup: Cup) -> Answer:
    """All votes: what each is on, and how those ended that are over."""
    lines = vote_lines(cup)
    for one in reversed(cup.value.votes):
        if one.status != "open":
            lines += [
                " ".join(ballots.result(one)),
                VOTE_WAS_ON.format(text=_one_line(one.text)),
            ]
    return Answer((Lines("", tuple(lines) or (NO_VOTE,)),))


BOARDS_ARE_OVER = "Round {round} of {rounds}: {over} of {boards} boards are over."
ROUND_IS_OVER = "Round {round} of {rounds} is over."


def _running(cup: Cup) -> str:
    over = sum(r.result.round == cup.round for r in cup.value.records)
    boards = len(cup.begun.get(cup.round, ()))
    if cup.complete:
        return ROUND_IS_OVER.format(round=cup.round, rounds=len(cup.rules.rounds))
    return BOARDS_ARE_OVER.format(
        round=cup.round, rounds=len(cup.rules.rounds), over=over, boards=boards
    )


WHICH_EXPORT = "Write `export csv` or `export json`."
ITS_RULES = "ITS RULES"
DIGESTS = "DIGESTS OF THE SEEDS"


def answer(store: Store, desk: Desk, known: Known, word: Word) -> Answer:
    """The answer to a question of who directs. Raises Refused."""
    rest = word.rest.lower()
    if word.kind == "entries":
        return (
            _file(known, "entries", entries_csv(known.cup)) if rest == "csv" else entries(known.cup)
        )
    if word.kind in ("late", "boards", "standbys"):
        return {"late": late, "boards": boards, "standbys": standbys}[word.kind](store, desk, known)
    if word.kind == "standings":
        return standings(known.cup, rest)
    if word.kind == "log":
        return log(known.cup)
    if word.kind == "votes":
        return votes(known.cup)
    if word.kind == "export":
        if rest not in ("csv", "json"):
            raise Refused(WHICH_EXPORT)
        return _file(known, known.name, figures.standings_file(known.cup, rest), rest)
    lines = tuple(form.printed(known.cup.rules).splitlines())
    return Answer((Lines("", tuple(standing_lines(known.cup))), Verbatim(ITS_RULES, lines)))


FILE_HAS_ALL = "The file {file} has all of it."


def _file(known: Known, name: str, data: bytes, kind: str = "csv") -> Answer:
    mime = {"csv": "text/csv", "json": "application/json"}[kind]
    file = Enclosed(
        f"{known.name}-{name}.{kind}" if name != known.name else f"{name}.{kind}", mime, data
    )
    return Answer((Lines("", (FILE_HAS_ALL.format(file=file.filename),)),), files=(file,))


FILE_HAS_THEM = "The file {file} has them."
NO_STANDINGS = "No board is over, so there are no standings."


def standings(cup: Cup, kind: str, *, proved: bool = True) -> Answer:
    """The standings as a table, or as a file; ``proved`` as in `standing_lines`. Raises Refused."""
    if kind in ("csv", "json"):
        mime = {"csv": "text/csv", "json": "application/json"}[kind]
        file = Enclosed(f"{cup.name}-standings.{kind}", mime, figures.standings_file(cup, kind))
        return Answer((Lines("", (FILE_HAS_THEM.format(file=file.filename),)),), files=(file,))
    if not cup.value.records:
        return Answer(
            (
                Lines(
                    "",
                    (*standing_lines(cup, proved=proved), NO_STANDINGS),
                ),
            )
        )
    stands = tuple(standing_lines(cup, proved=proved))
    return Answer((Lines("", stands), *figures.standings(cup, MOST)))


MORE_ENTRIES = "… and {left} more: `entries csv` has all."
ONE_NOT_CONFIRMED = "1 has not confirmed yet."
NOT_CONFIRMED = "{asked} have not confirmed yet."


def entries(cup: Cup) -> Answer:
    """Everybody who has entered, or wished to."""
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


def entries_csv(cup: Cup) -> bytes:
    """All entries as CSV (RFC 4180)."""
    head = ("number", "name", "state", "rating", "on_time", "zone", "near", "addresses", "reason")
    rows = [
        (
            e.number,
            e.name,
            e.state,
            e.rating,
            e.on_time,
            e.zone,
            e.near,
            " ".join(e.addresses),
            e.reason,
        )
        for e in cup.entries
    ]
    return as_csv(head, rows).encode()


MUST_ACT = "{players} must act on {boards}; the time of {over} is over."
NO_BOARD_PLAYED = "No board is played now."
WAITED_FOR = "WHO IS WAITED FOR"


def late(store: Store, desk: Desk, known: Known) -> Answer:
    """Who is waited for over all boards, the latest first."""
    by_game = {board.row.game_id: board for board in known.playing}
    with store.transaction() as tx:
        waits = [one for one in tx.games.waiting() if one.game_id in by_game]
    waits.sort(key=lambda one: (one.due is None, one.due or 0, one.since))
    over = sum(one.due is not None and one.due < desk.now for one in waits)
    rows = tuple(
        (
            by_game[one.game_id].number,
            one.seat,
            round_of(one),
            _days(desk.now - one.since),
            _due(one.due, desk.now),
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


def boards(store: Store, desk: Desk, known: Known) -> Answer:
    """How every board of the latest round stands."""
    cup = known.cup
    rows = []
    with store.transaction() as tx:
        waits = {one.game_id: one for one in tx.games.waiting()}
    tables = {
        (t.round, t.number): t for s in cup.value.seatings for t in s.tables if not s.proposed
    }
    for board in known.boards:
        if board.row.round != cup.round:
            continue
        record = cup.record(board.row.round, board.row.board)
        table = tables[board.row.round, board.row.board]
        waiting = waits.get(board.row.game_id)
        how = (
            "over"
            if record or waiting is None
            else STANDS_AT.format(round=round_of(waiting), seat=waiting.seat)
        )
        rows.append((board.number, table.title.name, ", ".join(table.seats), how))
    if not rows:
        return Answer((Lines("", tuple(standing_lines(cup))),))
    columns = (Column("board"), Column("title"), Column("seats"), Column("stands at"))
    note = AND_MORE.format(left=len(rows) - MOST) if len(rows) > MOST else ""
    return Answer(
        (Lines("", tuple(standing_lines(cup))), Grid("BOARDS", columns, tuple(rows[:MOST]), note))
    )


IS_FREE = "{board}: {seat}, because {why}"
STANDING_BY = "Standing by: {names}."
HOW_TO_STAND_BY = "To stand by, write `standby {cup} as NAME` to {address}."
FREE_SEATS = "FREE SEATS"
ASKED_FOR_IT = "   asked: {names}"
NOBODY_ASKED = "   asked: nobody stands by"
NO_FREE_SEAT = "No seat is free."


def standbys(store: Store, desk: Desk, known: Known) -> Answer:
    """Who stands by, and seats that wait for somebody."""
    ready = known.cup.of_state("standby", "waiting")
    free = []
    with store.transaction() as tx:
        for board in known.playing:
            found = tx.people.vacancies(board.row.game_id)
            free += [IS_FREE.format(board=board.number, seat=v.seat, why=v.why) for v in found]
            if found and (table := load(tx, board.game)) is not None:
                asked = [v.address for v in standbys_of(table)]
                free.append(ASKED_FOR_IT.format(names=listed(asked)) if asked else NOBODY_ASKED)
    names = listed([entry.name for entry in ready]) or "nobody"
    blocks: list[Block] = [
        Lines(
            "",
            (
                STANDING_BY.format(names=names),
                HOW_TO_STAND_BY.format(cup=known.name, address=desk.house.address),
            ),
        )
    ]
    blocks.append(Verbatim(FREE_SEATS, tuple(free)) if free else Lines("", (NO_FREE_SEAT,)))
    return Answer(tuple(blocks))


#: the clause behind what has a reason: `{why}` of the messages below
WHY = ", because {because}"
RULING = "Ruling: {text}"
RULING_ON = "Ruling on board {board}: {text}"
TO_ALL = "To all: {text}"
RULES_CHANGED = "The rules have changed: {changes}{why}"
VOTE_PROPOSED = "Vote {vote}, proposed by {by}: {text}{why}"
IS_CORRECTED = "The result of board {board} is corrected{why}"


def _why(one: Logged) -> str:
    return WHY.format(because=one.because) if one.because else ""


def rulings(cup: Cup) -> Iterator[tuple[int, str]]:
    """What was ruled, voted and put right, as everybody may read it; times in UTC seconds."""
    for one in cup.log:
        act, why = one.act, _why(one)
        if isinstance(act, Decided):
            ruling = RULING_ON if act.about else RULING
            told = {"rule": ruling, "announce": TO_ALL}.get(act.what, "{text}")
            yield one.at, told.format(board=act.about, text=_reasoned(one, act))
        elif isinstance(act, Ruled):
            yield one.at, RULES_CHANGED.format(changes=_one_line(act.text), why=why)
        elif isinstance(act, Proposed):
            vote, text = act.vote, _one_line(act.vote.text)
            told = VOTE_PROPOSED.format(vote=vote.number, by=vote.by, text=text, why=why)
            yield one.at, told
        elif isinstance(act, Voted):
            yield one.at, " ".join(ballots.result(act.vote))
        elif isinstance(act, Ended) and act.told.reason:
            place = f"{act.told.result.round}.{act.told.result.table}"
            yield one.at, IS_CORRECTED.format(board=place, why=why)


def _reasoned(one: Logged, act: Decided) -> str:
    """What was decided, and why unless it says so itself."""
    if not one.because or one.because in act.text:
        return act.text
    return f"{act.text.rstrip('.')}{_why(one)}"


def _one_line(text: str) -> str:
    return "; ".join(text.split("\n"))


AFTER_ROUND = "after round {round}"


def struck(cup: Cup) -> Iterator[tuple[int, str, str]]:
    """Standings that were published and hold no more: when they were, after what, and they."""
    told = [(one.at, one.act) for one in cup.log if isinstance(one.act, Published)]
    for number, (at, act) in enumerate(told):
        if any(later.round == act.round for _, later in told[number + 1 :]):
            yield at, AFTER_ROUND.format(round=act.round), act.text


THE_LOG = "THE LOG"
ACTS_BEFORE = "{acts} before; `export json` has all."


def log(cup: Cup) -> Answer:
    """The log, the latest acts last."""
    lines = [f"{moment(one.at)}  {logged(one)}" for one in cup.log[-MOST:]]
    left = len(cup.log) - MOST
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


def logged(one: Logged) -> str:
    """An act as the log tells it."""
    act, why = one.act, _why(one)
    match act:
        case Entered():
            text = f"{act.entry.name}: {act.what}"
        case Seated():
            kind = "proposed" if act.seating.proposed else "published"
            text = LOG_SEATING.format(round=act.seating.round, kind=kind)
        case Begun():
            text = LOG_BEGUN.format(round=act.round, boards=counted(len(act.games), "board"))
        case Ended():
            result = act.told.result
            how = "corrected" if act.told.reason else "over"
            text = LOG_BOARD.format(round=result.round, table=result.table, how=how)
        case Decided():
            text = f"{act.what} {act.about}: {_reasoned(one, act)}".replace(" :", ":")
            why = ""
        case Ruled():
            text = LOG_RULES.format(changes=_one_line(act.text))
        case Proposed():
            text = LOG_VOTE.format(vote=act.vote.number, text=_one_line(act.vote.text))
        case Ballot():
            # who voted what is told when it is over
            text = LOG_BALLOT.format(vote=act.vote)
        case Voted():
            text = " ".join(ballots.result(act.vote))
        case Office():
            who = act.address or "nobody"
            text = f"{act.office} {'asked' if act.asked else 'is'} {who}"
        case Over():
            text = act.text
            why = ""
        case Closed():
            text = LOG_CLOSED
        case _:
            text = str(act.__struct_config__.tag)
    return LOG_LINE.format(number=one.number, by=one.by, text=text, why=why)
