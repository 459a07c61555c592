"""The rounds of a tournament: seatings, the start of all boards, results, what follows the last."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime

from msgspec import structs

from engine.wording import counted, listed
from service.desk.post import Desk
from service.desk.tournament import boards, figures
from service.desk.tournament.acts import (
    Begun,
    Cup,
    Decided,
    Ended,
    Over,
    Published,
    Seated,
)
from service.desk.tournament.known import Board, Doing, Known, Refused, seed_of
from service.desk.tournament.letters import Words, to_all, to_director, to_entry, to_offices
from service.desk.tournament.plan import OPENING, Plan, after_acts, direct_task
from service.reports import Answer
from service.reports.blocks import Block, Column, Grid, Lines, Verbatim
from service.store import Store, Task, Tx
from service.tournaments.values import BoardResult, RoundTable, Seating, Told

#: results are told to all at once up to so many entrants; in larger fields with the round's end
FEW = 40
#: tables that a letter shows
SHOWN = 40


def next_round(cup: Cup) -> int:
    """The round that is seated or begun next."""
    return cup.round + 1


def check_next(cup: Cup) -> int:
    """The round that may be seated now. Raises Refused."""
    number = next_round(cup)
    if cup.status == "announced":
        raise Refused("Entries are open: `close` them first.")
    if cup.round and not cup.complete:
        over = {r.result.table for r in cup.value.records if r.result.round == cup.round}
        left = [str(n) for n in range(1, len(cup.begun[cup.round]) + 1) if n not in over]
        raise Refused(
            f"Round {cup.round} still plays on {_some(left)}. The next one is seated when "
            f"all are over; `adjudicate` ends them."
        )
    if number > len(cup.rules.rounds):
        raise Refused(f"Round {cup.round} was the last one: `finish` closes the tournament.")
    return number


def _some(numbers: Sequence[str]) -> str:
    word = "board" if len(numbers) == 1 else "boards"
    return f"{word} {listed(numbers)}" if len(numbers) <= 12 else counted(len(numbers), "board")


# ---------------------------------------------------------------------------------- seatings


def propose(store: Store, desk: Desk, known: Known) -> tuple[Seating, Answer]:
    """A seating of the next round, as its seed has it, and how it is shown. Raises Refused."""
    cup = known.cup
    number = check_next(cup)
    if cup.value.seated(number) is not None:
        raise Refused(f"Round {number} is seated and published: `start` begins its boards.")
    fewest = cup.rules.gates.fewest
    if number == 1 and len(cup.players) < fewest:
        raise Refused(
            f"{counted(len(cup.players), 'player')} have entered; the rules ask for "
            f"{fewest}. `open` entries again, or change `fewest` by `rules`."
        )
    seed = seed_of(desk.house, known.name, known.row.created, number)
    try:
        seating = figures.seating(cup, number, seed)
    except ValueError as why:
        raise Refused(str(why)) from why
    return seating, shown(seating, "THE PROPOSAL")


def swapped(known: Known, text: str, because: str) -> tuple[Seating, Answer]:
    """The proposal with two players in each other's places. Raises Refused."""
    if known.cup.proposed is None:
        raise Refused("No seating is proposed: `seat` shows one.")
    names = [one.strip() for one in re.split(r"\band\b|,|\bwith\b", text) if one.strip()]
    if len(names) != 2:
        raise Refused("Write the two: `swap Bob and Eve because they share a flat`.")
    entries = [known.cup.entry(name) for name in names]
    missing = [name for name, entry in zip(names, entries, strict=True) if entry is None]
    if missing:
        raise Refused(f"Nobody called {listed(missing)} has entered.")
    one, other = (entry.name for entry in entries if entry is not None)
    try:
        seating = figures.exchanged(known.cup, known.cup.proposed, (one, other), because)
    except ValueError as why:
        raise Refused(str(why)) from why
    return seating, shown(seating, "THE PROPOSAL")


def proposal(desk: Desk, seating: Seating, by: str, because: str) -> Plan:
    """A seating is kept as the one that `yes` agrees to."""
    return Plan([Doing(Seated(structs.replace(seating, proposed=True)), by, because)])


def shown(seating: Seating, heading: str) -> Answer:
    """A seating as letters show it: its tables, how good it is, and what checks it."""
    rows = tuple(
        (f"{t.round}.{t.number}", t.title.name, ", ".join(t.seats)) for t in seating.tables[:SHOWN]
    )
    columns = (Column("table"), Column("title"), Column("seats, in their order"))
    left = len(seating.tables) - SHOWN
    note = f"… and {counted(left, 'table')} more: `export json` has all." if left > 0 else ""
    lines = []
    if seating.byes:
        lines.append(f"{listed(seating.byes)} sit this round out.")
    for aim in seating.aims:
        bound = "proved to be the least" if aim.proved else f"no seating has less than {aim.least}"
        lines.append(f"{_AIMS.get(aim.aim, aim.aim)}: {aim.found} ({bound}).")
    if seating.why:
        lines.append(f"Changed by the director: {seating.why}.")
    blocks: tuple[Block, ...] = (
        Grid(heading, columns, rows, note),
        Lines("HOW GOOD IT IS", tuple(lines)),
        Verbatim("WHAT CHECKS IT", (f"seed   {seating.seed}", f"digest {seating.digest}")),
    )
    return Answer(blocks)


_AIMS = {
    "meetings": "Pairs who meet again",
    "pots": "Pairs at a table who are of one pot by their places",
    "ratings": "Steps by which tables are not equally strong",
    "zones": "Half hours from wishes for near time zones",
}


def publish(desk: Desk, known: Known, by: str) -> Plan:
    """The seating that was shown holds: everybody is told their table. Raises Refused."""
    cup, proposed = known.cup, known.cup.proposed
    if proposed is None or proposed.round != next_round(cup):
        raise Refused("Nothing waits for your `yes`: `seat` shows a seating first.")
    gone = [
        n
        for t in proposed.tables
        for n in (*t.seats, *proposed.byes)
        if (entry := cup.entry(n)) is None or entry.state != "entered"
    ]
    if gone:
        raise Refused(f"{listed(sorted(set(gone)))} has left since it was shown: `seat` anew.")
    tables = tuple(structs.replace(t, game=boards.game_of(known, t)) for t in proposed.tables)
    seating = structs.replace(proposed, proposed=False, tables=tables)
    of = {name: table for table in seating.tables for name in table.seats}
    checks = shown(seating, f"ALL TABLES OF ROUND {seating.round}")
    letters = []
    for entry in cup.of_state("entered", "standby", "waiting"):
        table = of.get(entry.name)
        letters.append(
            to_entry(desk, known, entry, _told(known, seating, table, entry.name, checks))
        )
    return Plan([Doing(Seated(seating), by)], letters)


def _told(
    known: Known, seating: Seating, table: RoundTable | None, name: str, checks: Answer
) -> Words:
    """To an entrant: the table of theirs, and what checks the seating."""
    number = seating.round
    if table is not None:
        others = [one for one in table.seats if one != name]
        text = f"You play {table.title} at table {table.round}.{table.number}."
        lines = [
            f"With {listed(others)}. You sit {_TH[table.seats.index(name)]} of {len(table.seats)}.",
            "A letter comes when the boards begin.",
        ]
    elif name in seating.byes:
        text = f"You sit round {number} out, and stay in the tournament."
        lines = ["The rules say what a bye counts."]
    else:
        text = f"Round {number} of {known.name} is seated."
        lines = []
    lines.append(
        "The digest of the seed was published with the announcement: whoever has both can "
        "draw the seating again."
    )
    return Words(f"Round {number} is seated", text, lines, checks.blocks, kind="seated")


_TH = ("first", "second", "third", "fourth", "fifth", "sixth")


# ------------------------------------------------------------------------------------- start


def start(desk: Desk, known: Known, by: str) -> tuple[Plan, Sequence[str]]:
    """All boards of the seated round begin together; what is told of it. Raises Refused."""
    cup = known.cup
    number = check_next(cup)
    seating = cup.value.seated(number)
    if seating is None:
        raise Refused(f"Round {number} is not seated: `seat` shows a seating first.")
    director = cup.at_address(cup.rules.director)
    if (
        director is not None
        and any(director.name in t.seats for t in seating.tables)
        and not cup.rules.assistant
    ):
        raise Refused(
            "You play in this round, and who plays cannot rule on the own table: name an "
            "assistant first, `assistant ADDRESS`."
        )
    if cup.held:
        raise Refused("The boards are held: `resume` first.")
    begun = boards.beginnings(desk.house, known, seating.tables, desk.now)
    names = tuple(boards.game_of(known, table) for table in seating.tables)

    def begin(tx: Tx) -> None:
        for one in begun:
            boards.begin(tx, known, desk.occasion, one, desk.now)

    tasks = [Task(OPENING, f"{OPENING}-{name}", desk.now, name) for name in names]
    told = [
        f"Round {number} has begun: {counted(len(names), 'board')}, from {names[0]} to "
        f"{names[-1]}.",
        "All have the same rules and clock, and begin together.",
    ]
    byes = [e for e in (cup.entry(name) for name in seating.byes) if e is not None]
    said = Words(f"Round {number} has begun", told[0], ("You sit it out.",), kind="begun")
    letters = [to_entry(desk, known, entry, said) for entry in byes]
    return Plan([Doing(Begun(number, names), by)], letters, tasks, (begin,)), told


# ------------------------------------------------------------------------------- adjudication


def adjudicate(
    desk: Desk, known: Known, by: str, playing: Sequence[Board], because: str
) -> tuple[Plan, str]:
    """Boards end with the set of rounds that runs; those between two sets end now."""
    numbers = [board.number for board in playing]
    formula = known.cup.rules.scoring.formula
    text = (
        f"{_some(numbers)[0].upper()}{_some(numbers)[1:]}: adjudicated, because {because}. Each "
        "ends with the set of operating rounds that runs, and one in a stock round at once."
    )
    words = Words(
        "Boards are adjudicated",
        text,
        (f"What counts then is {formula}, by the rules of {known.name}.",),
        kind="adjudicated",
    )
    tasks = [direct_task(desk, board, f"adjudicate because {because}", by) for board in playing]

    def mark(tx: Tx) -> None:
        for board in playing:
            tx.adjudicate_board(board.row.game_id, desk.now)

    act = Decided("adjudicate", text, ",".join(numbers))
    letters = [*to_all(desk, known, words)]
    return Plan([Doing(act, by, because)], letters, tasks, (mark,)), text


# ----------------------------------------------------------------------------------- results


def ended(desk: Desk, known: Known, result: BoardResult, by: str) -> Plan:
    """A board is over: its result enters the standings, and all are told.

    When it is the last of its round, the standings are published and the director is asked for the
    next seating.
    """
    acts = [Doing(Ended(Told(result, desk.now, "", by)), by)]
    cup = after_acts(known, desk, acts)
    if cup.complete:
        return round_over(desk, known, cup, acts)
    words = result_words(cup, result)
    letters = list(to_offices(desk, known, words))
    seats = {tenure.player for seat in result.seats for tenure in seat.players}
    many = len(cup.players) > FEW
    for entry in cup.of_state("entered"):
        if entry.name in seats or not many:
            letters.append(to_entry(desk, known, entry, words))
    return Plan(acts, letters)


def result_words(cup: Cup, result: BoardResult) -> Words:
    """What is told of the end of a board."""
    number = f"{result.round}.{result.table}"
    headline = f"Board {number} is over: {_first(result)} won."
    if result.ended == "abandoned":
        headline = f"Board {number} was given up."
    left = len(cup.begun[result.round]) - sum(
        r.result.round == result.round for r in cup.value.records
    )
    lines = [
        _HOW.get(result.ended, ""),
        f"Round {result.round} still plays on {counted(left, 'board')}." if left else "",
    ]
    return Words(
        f"Board {number} is over",
        headline,
        lines,
        [places(cup, result), *figures.standings(cup, 12)],
        kind="result",
    )


_HOW = {
    "agreed": "Its players have agreed to end it.",
    "adjudicated": "It was adjudicated as it stood.",
    "abandoned": "It could not be ended: the rules say how it counts.",
}


def _first(result: BoardResult) -> str:
    return listed([seat.last for seat in result.seats if seat.place == 1])


def places(cup: Cup, result: BoardResult) -> Grid:
    """A board's places, worth and scores."""
    scores = figures.scores(cup, result)
    rows = tuple(
        (str(seat.place), _who(seat.seat, seat.last), f"${seat.worth}", scores.get(seat.seat, ""))
        for seat in result.seats
    )
    columns = (
        Column("", True),
        Column(f"{result.game} ({result.title})", name=True),
        Column("worth", True),
        Column("score", True),
    )
    return Grid("", columns, rows)


def _who(seat: str, last: str) -> str:
    return seat if seat == last else f"{last} (for {seat})"


def round_over(desk: Desk, known: Known, cup: Cup, acts: Sequence[Doing]) -> Plan:
    """The last board of a round is over: standings to all, and the director is asked, once."""
    number = cup.round
    text = figures.standings_text(cup)
    acts = [*acts, Doing(Published(number, text), "tournament")]
    last = number == len(cup.rules.rounds)
    results = [r.result for r in cup.value.records if r.result.round == number]
    latest = next(one.act.told.result for one in reversed(acts) if isinstance(one.act, Ended))
    blocks = [*figures.standings(cup, SHOWN), places(cup, latest)]
    words = Words(
        f"Standings after round {number}",
        f"Round {number} of {known.name} is over.",
        (
            f"{counted(len(results), 'board')} played.",
            "These are the standings."
            if not last
            else "It was the last round; the director ends the tournament.",
        ),
        blocks,
        kind="standings",
    )
    letters = list(to_all(desk, known, words))
    ask = Words(
        f"Round {number} is over: {'finish the tournament' if last else 'seat the next'}",
        f"All boards of round {number} are over.",
        (
            "`finish` closes the tournament and tells all who has won."
            if last
            else f"`seat` shows a seating of round {number + 1}; your `yes` publishes it.",
        ),
        blocks,
        ("finish",) if last else ("seat",),
        kind="next",
    )
    letters.append(to_director(desk, known, ask))
    return Plan(acts, letters)


def correct(
    desk: Desk, known: Known, by: str, said: tuple[str, str], because: str
) -> tuple[Plan, Sequence[str]]:
    """The published result of a board is another: the former one is struck out, all are told."""
    board, text = said
    round_, _, table = board.partition(".")
    record = known.cup.record(int(round_), int(table))
    if record is None:
        raise Refused(f"Board {board} has no result to be corrected.")
    after = _corrected(record.result, text)
    if after == record.result:
        raise Refused(f"That is the result of board {board}.")
    told = Told(after, desk.now, because, by)
    acts = [Doing(Ended(told), by, because)]
    cup = after_acts(known, desk, acts)
    lines = [
        f"Because {because}.",
        f"Struck out: {written(record.result)}.",
        f"It counts now: {written(after)}.",
    ]
    later = known.cup.value.seated(after.round + 1)
    if later is not None:
        lines.append(
            f"The seating of round {after.round + 1}, which was published before, stays: "
            "what was published is not changed."
        )
    if any(one.round >= after.round for one in known.cup.published):
        acts.append(Doing(Published(after.round, figures.standings_text(cup)), by))
        lines.append("The standings that were published are struck out; these hold.")
    words = Words(
        f"The result of board {board} is corrected",
        f"The result of board {board} is corrected.",
        lines,
        figures.standings(cup, SHOWN),
        kind="corrected",
    )
    return Plan(acts, list(to_all(desk, known, words))), lines


_WORTH = re.compile(r"(\S+)\s+\$?(-?\d{1,7})")


def _corrected(result: BoardResult, text: str) -> BoardResult:
    """A result with other worths: `Bob 5120, Ann 4890`; places follow. Raises Refused."""
    worth = {seat.seat: seat.worth for seat in result.seats}
    named = {seat.casefold(): seat for seat in worth}
    for part in filter(None, (one.strip() for one in re.split(r"[,;]", text))):
        found = _WORTH.fullmatch(part)
        seat = named.get(found[1].casefold()) if found else None
        if found is None or seat is None:
            raise Refused(
                f"`{part}` is not understood: write `correct {result.round}."
                f"{result.table}: {next(iter(worth))} 5120 because …`. There play "
                f"{listed(list(worth))}."
            )
        worth[seat] = int(found[2])
    seats = (
        structs.replace(
            s, worth=worth[s.seat], place=1 + sum(w > worth[s.seat] for w in worth.values())
        )
        for s in result.seats
    )
    return structs.replace(result, seats=tuple(sorted(seats, key=lambda s: s.place)))


def written(result: BoardResult) -> str:
    """A result in one line."""
    return ", ".join(f"{s.place}. {s.last} ${s.worth}" for s in result.seats)


# ------------------------------------------------------------------------------------ the end


def end(desk: Desk, known: Known, by: str) -> tuple[Plan, str]:
    """The tournament is over: final standings and prizes to all. Raises Refused."""
    cup = known.cup
    if not cup.round:
        raise Refused(f"{known.name} has not begun: `abandon because …` gives it up.")
    if not cup.complete:
        check_next(cup)
    winner = figures.winner(cup)
    text = f"{known.name} is over: {winner} has won it."
    if cup.round < len(cup.rules.rounds):
        text = f"{known.name} ends after round {cup.round}: {winner} has won it."
    prizes = cup.rules.prizes.split("\n") if cup.rules.prizes else []
    lines = [
        *(f"Prizes: {line}" for line in prizes[:1]),
        *prizes[1:],
        "Thank you for having played.",
    ]
    words = Words(
        f"{winner} has won {known.name}", text, lines, figures.standings(cup, SHOWN), kind="over"
    )
    letters = [*to_all(desk, known, words), *to_offices(desk, known, words)]

    def close(tx: Tx) -> None:
        tx.end_tournament(known.row.id, desk.now)

    return Plan([Doing(Over(False, text), by)], letters, also=(close,)), text


def day(now: int) -> str:
    """The day of UTC at a time, as rules write days."""
    return datetime.fromtimestamp(now, UTC).date().isoformat()
