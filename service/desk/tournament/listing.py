"""What who directs is shown: entries, late players, boards, the log, files; nothing is changed."""

from msgspec import structs

from engine.wording import counted, listed
from service.desk.letters.post import Desk
from service.desk.seats.standbys import listed as standbys_of
from service.desk.tournament import figures
from service.desk.tournament.acts import (
    Begun,
    Closed,
    Cup,
    Decided,
    Ended,
    Entered,
    Logged,
    Office,
    Over,
    Ruled,
    Seated,
)
from service.desk.tournament.known import Known, Refused
from service.desk.tournament.words import Word
from service.games.games import load
from service.games.watching import round_of
from service.reports import Answer
from service.reports.blocks import Block, Column, Grid, Lines, Pairs, Row, Verbatim
from service.reports.scene import Enclosed
from service.reports.words import moment
from service.store import Store
from service.tournaments import form
from service.tournaments.rules import TournamentRules

#: rows that a letter shows of a list; files have all
MOST = 60

HELP: tuple[tuple[str, str], ...] = (
    ("entries", "who has entered, waits, or stands by; `entries csv` as a file"),
    ("close, open", "close entries; open them again before the first seating"),
    ("admit NAME", "give leave; `refuse NAME because …`"),
    ("exclude NAME", "with `because …`: takes somebody out"),
    ("withdraw NAME", "for somebody who cannot write themselves"),
    ("seat", "shows a seating of the next round; `yes` publishes it"),
    ("swap BOB and EVE", "with `because …`: another proposal"),
    ("start", "all boards of the seated round begin together"),
    ("board 2.1", "a letter of that board, a reply to which directs it alone"),
    ("boards, late", "how all boards stand; who lets the others wait"),
    ("standby", "who stands by, and seats that are free"),
    ("standings", "as everybody sees them; `standings csv`, `json`"),
    ("announce: …", "words to all"),
    ("rule: …", "a ruling for all boards; `rule 2.1: …` for one"),
    ("rules", "the rules; with lines of the form below, other ones"),
    ("hold, resume", "all boards at once, with `because …`"),
    ("adjudicate", "`adjudicate because …` ends all boards, `adjudicate 2.1 because …` one"),
    (
        "correct 2.1: …",
        "`correct 2.1: Bob 5120 because …`: another result; the former is struck out",
    ),
    ("report, export", "the report to be printed; all of it as `export json` or `csv`"),
    ("assistant …", "who rules where you play: an address, or off"),
    ("log", "all that was done; `finish` and `abandon because …` close the tournament"),
)


def verbatim(heading: str, lines: tuple[str, ...]) -> Answer:
    """Lines as an answer."""
    return Answer((Verbatim(heading, lines),))


def standing_lines(cup: Cup) -> list[str]:
    """How a tournament stands, in sentences."""
    count = counted(len(cup.players), "player")
    waiting = len(cup.of_state("waiting"))
    more = f", and {waiting} on the waiting list" if waiting else ""
    lines = {
        "announced": [f"Entries for {cup.name} are open: {count}{more}."],
        "closed": [f"Entries for {cup.name} are closed: {count}."],
        "running": [_running(cup)],
        "ended": [f"{cup.name} is over."],
        "abandoned": [f"{cup.name} was given up."],
    }[cup.status]
    if cup.held:
        lines.append(f"All boards are held, because {cup.held_because}.")
    return lines


def _running(cup: Cup) -> str:
    over = sum(r.result.round == cup.round for r in cup.value.records)
    boards = len(cup.begun.get(cup.round, ()))
    if cup.complete:
        return f"Round {cup.round} of {len(cup.rules.rounds)} is over."
    return f"Round {cup.round} of {len(cup.rules.rounds)}: {over} of {boards} boards are over."


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
    if word.kind == "export":
        if rest not in ("csv", "json"):
            raise Refused("Write `export csv` or `export json`.")
        return _file(known, known.name, figures.standings_file(known.cup, rest), rest)
    if word.kind == "help":
        rows = tuple(Row(name, (told,)) for name, told in HELP)
        return Answer((Pairs("WHAT YOU MAY WRITE", rows),))
    lines = tuple(form.printed(known.cup.rules).splitlines())
    return Answer((Lines("", tuple(standing_lines(known.cup))), Verbatim("ITS RULES", lines)))


def _file(known: Known, name: str, data: bytes, kind: str = "csv") -> Answer:
    mime = {"csv": "text/csv", "json": "application/json"}[kind]
    file = Enclosed(
        f"{known.name}-{name}.{kind}" if name != known.name else f"{name}.{kind}", mime, data
    )
    return Answer((Lines("", (f"The file {file.filename} has all of it.",)),), files=(file,))


def standings(cup: Cup, kind: str) -> Answer:
    """The standings as a table, or as a file. Raises Refused."""
    if kind in ("csv", "json"):
        mime = {"csv": "text/csv", "json": "application/json"}[kind]
        file = Enclosed(f"{cup.name}-standings.{kind}", mime, figures.standings_file(cup, kind))
        return Answer((Lines("", (f"The file {file.filename} has them.",)),), files=(file,))
    if not cup.value.records:
        return Answer(
            (
                Lines(
                    "",
                    (*standing_lines(cup), "No board is over, so there are no standings."),
                ),
            )
        )
    return Answer((Lines("", tuple(standing_lines(cup))), *figures.standings(cup, MOST)))


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
    note = f"… and {len(found) - MOST} more: `entries csv` has all." if len(found) > MOST else ""
    lines = [*standing_lines(cup)]
    if asked:
        lines.append(f"{asked} have not confirmed yet.")
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
    return figures.as_csv(head, rows)


def late(store: Store, desk: Desk, known: Known) -> Answer:
    """Who is waited for over all boards, the latest first."""
    by_game = {board.row.game_id: board for board in known.playing}
    with store.transaction() as tx:
        waits = [one for one in tx.waiting() if one.game_id in by_game]
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
        f"{counted(len(waits), 'player')} must act on {counted(len(by_game), 'board')}; "
        f"the time of {over or 'none'} is over.",
    )
    blocks: tuple[Block, ...] = (Lines("", lines if by_game else ("No board is played now.",)),)
    return Answer((*blocks, Grid("WHO IS WAITED FOR", columns, rows)) if rows else blocks)


def _days(seconds: int) -> str:
    return f"{seconds // 86_400} d {seconds % 86_400 // 3600} h"


def _due(due: int | None, now: int) -> str:
    if due is None:
        return ""
    return f"over since {_days(now - due)}" if due < now else f"{_days(due - now)} left"


def boards(store: Store, desk: Desk, known: Known) -> Answer:
    """How every board of the latest round stands."""
    cup = known.cup
    rows = []
    with store.transaction() as tx:
        waits = {one.game_id: one for one in tx.waiting()}
    tables = {
        (t.round, t.number): t for s in cup.value.seatings for t in s.tables if not s.proposed
    }
    for board in known.boards:
        if board.row.round != cup.round:
            continue
        record = cup.record(board.row.round, board.row.board)
        table = tables[board.row.round, board.row.board]
        waiting = waits.get(board.row.game_id)
        how = "over" if record or waiting is None else f"{round_of(waiting)}, {waiting.seat} acts"
        rows.append((board.number, table.title.name, ", ".join(table.seats), how))
    if not rows:
        return Answer((Lines("", tuple(standing_lines(cup))),))
    columns = (Column("board"), Column("title"), Column("seats"), Column("stands at"))
    note = f"… and {len(rows) - MOST} more." if len(rows) > MOST else ""
    return Answer(
        (Lines("", tuple(standing_lines(cup))), Grid("BOARDS", columns, tuple(rows[:MOST]), note))
    )


def standbys(store: Store, desk: Desk, known: Known) -> Answer:
    """Who stands by, and seats that wait for somebody."""
    ready = known.cup.of_state("standby", "waiting")
    free = []
    with store.transaction() as tx:
        for board in known.playing:
            found = tx.vacancies(board.row.game_id)
            free += [f"{board.number}: {v.seat}, because {v.why}" for v in found]
            if found and (table := load(tx, board.game)) is not None:
                asked = [v.address for v in standbys_of(table)]
                free.append(f"   asked: {listed(asked) or 'nobody stands by'}")
    names = listed([entry.name for entry in ready]) or "nobody"
    blocks: list[Block] = [
        Lines(
            "",
            (
                f"Standing by: {names}.",
                f"Who wants to writes `standby {known.name} as NAME` to {desk.house.address}.",
            ),
        )
    ]
    blocks.append(Verbatim("FREE SEATS", tuple(free)) if free else Lines("", ("No seat is free.",)))
    return Answer(tuple(blocks))


def log(cup: Cup) -> Answer:
    """The log, the latest acts last."""
    lines = [f"{moment(one.at)}  {logged(one)}" for one in cup.log[-MOST:]]
    left = len(cup.log) - MOST
    more = (Lines("", (f"{left} acts before; `export json` has all.",)),) if left > 0 else ()
    return Answer((*more, Lines("THE LOG", tuple(lines))))


def logged(one: Logged) -> str:
    """An act as the log tells it."""
    act, because = one.act, f", because {one.because}" if one.because else ""
    match act:
        case Entered():
            text = f"{act.entry.name}: {act.what}"
        case Seated():
            kind = "proposed" if act.seating.proposed else "published"
            text = f"seating of round {act.seating.round} {kind}"
        case Begun():
            text = f"round {act.round} begun, {counted(len(act.games), 'board')}"
        case Ended():
            result = act.told.result
            how = "corrected" if act.told.reason else "over"
            text = f"board {result.round}.{result.table} {how}"
        case Decided():
            text = f"{act.what} {act.about}: {act.text}".replace(" :", ":")
            because = ""
        case Ruled():
            text = f"rules changed: {act.text}"
        case Office():
            who = act.address or "nobody"
            text = f"{act.office} {'asked' if act.asked else 'is'} {who}"
        case Over():
            text = act.text
            because = ""
        case Closed():
            text = "entries closed"
        case _:
            text = str(act.__struct_config__.tag)
    return f"#{one.number} {one.by}: {text}{because}"


# ------------------------------------------------------------------------------------- rules


def same_people(before: TournamentRules, after: TournamentRules) -> TournamentRules:
    """Other rules with the same director and assistant: those are named by words of their own."""
    return structs.replace(
        after, director=before.director, assistant=before.assistant, name=before.name
    )


def changes(before: TournamentRules, after: TournamentRules) -> list[str]:
    """What rules say otherwise than before, line by line of the form."""
    old = dict(_lines(before))
    return [
        f"{key}: {value} (before: {old.get(key, 'none')})"
        for key, value in _lines(after)
        if old.get(key) != value
    ]


def _lines(rules: TournamentRules) -> list[tuple[str, str]]:
    found = (line.partition(": ") for line in form.printed(rules).splitlines())
    return [(key, value) for key, _, value in found]
