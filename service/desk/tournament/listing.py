"""What who directs is shown: entries, late players, boards, the log, files; nothing is changed."""

from collections.abc import Iterator

from engine.wording import counted, listed
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
from service.desk.tournament.known import Known, Refused
from service.desk.tournament.words import Word
from service.games.games import load
from service.games.watching import round_of
from service.reports import Answer
from service.reports.blocks import Block, Column, Grid, Lines, Pairs, Row, Verbatim
from service.reports.scene import Enclosed
from service.reports.words import moment
from service.store import Store
from service.tournaments import ballots, form
from service.tournaments.listing import as_csv

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
    ("rule: …", "a ruling for all boards; `rule 2.1: …` on what came up at one"),
    ("rules", "the rules; with lines of the form below, other ones"),
    ("propose", "the same put to the vote of all players; `votes` shows how votes stand"),
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


def standing_lines(cup: Cup, *, proved: bool = True) -> list[str]:
    """How a tournament stands, in sentences.

    Somebody who has not ``proved`` who they are reads no reasons and proposals of others.
    """
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
        because = f", because {cup.held_because}" if proved else ""
        lines.append(f"All boards are held{because}.")
    return [*lines, *(vote_lines(cup) if proved else ())]


def vote_lines(cup: Cup) -> list[str]:
    """What is told of an open vote wherever it is told how the tournament stands."""
    vote = cup.vote
    if vote is None:
        return []
    return [
        f"Vote {vote.number}, proposed by {vote.by}, asks all players until {moment(vote.due)} "
        f"whether the rules shall be others: {'; '.join(vote.changes)}."
    ]


def votes(cup: Cup) -> Answer:
    """All votes: what each is on, and how those ended that are over."""
    lines = vote_lines(cup)
    for one in reversed(cup.value.votes):
        if one.status != "open":
            lines += [" ".join(ballots.result(one)), f"It was on this: {'; '.join(one.changes)}."]
    return Answer((Lines("", tuple(lines) or ("There was no vote so far.",)),))


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
    if word.kind == "votes":
        return votes(known.cup)
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


def standings(cup: Cup, kind: str, *, proved: bool = True) -> Answer:
    """The standings as a table, or as a file; ``proved`` as in `standing_lines`. Raises Refused."""
    if kind in ("csv", "json"):
        mime = {"csv": "text/csv", "json": "application/json"}[kind]
        file = Enclosed(f"{cup.name}-standings.{kind}", mime, figures.standings_file(cup, kind))
        return Answer((Lines("", (f"The file {file.filename} has them.",)),), files=(file,))
    if not cup.value.records:
        return Answer(
            (
                Lines(
                    "",
                    (
                        *standing_lines(cup, proved=proved),
                        "No board is over, so there are no standings.",
                    ),
                ),
            )
        )
    stands = tuple(standing_lines(cup, proved=proved))
    return Answer((Lines("", stands), *figures.standings(cup, MOST)))


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
    return as_csv(head, rows).encode()


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


def rulings(cup: Cup) -> Iterator[tuple[int, str]]:
    """What was ruled, voted and put right, as everybody may read it; times in UTC seconds."""
    for one in cup.log:
        act, because = one.act, f", because {one.because}" if one.because else ""
        if isinstance(act, Decided):
            about = f" on board {act.about}" if act.about else ""
            head = {"rule": f"Ruling{about}: ", "announce": "To all: "}.get(act.what, "")
            yield one.at, f"{head}{_reasoned(one, act)}"
        elif isinstance(act, Ruled):
            by = f" by {one.by}" if one.by.startswith("vote ") else ""
            yield one.at, f"The rules have changed{by}: {_one_line(act.text)}{because}"
        elif isinstance(act, Proposed):
            asked = "; ".join(act.vote.changes)
            yield one.at, f"Vote {act.vote.number}, proposed by {act.vote.by}: {asked}{because}"
        elif isinstance(act, Voted):
            yield one.at, " ".join(ballots.result(act.vote))
        elif isinstance(act, Ended) and act.told.reason:
            place = f"{act.told.result.round}.{act.told.result.table}"
            yield one.at, f"The result of board {place} is corrected{because}"


def _reasoned(one: Logged, act: Decided) -> str:
    """What was decided, and why unless it says so itself."""
    if not one.because or one.because in act.text:
        return act.text
    return f"{act.text.rstrip('.')}, because {one.because}"


def _one_line(text: str) -> str:
    return "; ".join(text.split("\n"))


def struck(cup: Cup) -> Iterator[tuple[int, str, str]]:
    """Standings that were published and hold no more: when they were, after what, and they."""
    told = [(one.at, one.act) for one in cup.log if isinstance(one.act, Published)]
    for number, (at, act) in enumerate(told):
        if any(later.round == act.round for _, later in told[number + 1 :]):
            yield at, f"after round {act.round}", act.text


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
            text = f"{act.what} {act.about}: {_reasoned(one, act)}".replace(" :", ":")
            because = ""
        case Ruled():
            text = f"rules changed: {_one_line(act.text)}"
        case Proposed():
            text = f"vote {act.vote.number} asked: {'; '.join(act.vote.changes)}"
        case Ballot():
            # who voted what is told when it is over
            text = f"a ballot in vote {act.vote}"
        case Voted():
            text = " ".join(ballots.result(act.vote))
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
