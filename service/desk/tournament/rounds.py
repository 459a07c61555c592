"""The rounds of a tournament: who may be seated, the seating, the start of all boards."""

import re
from collections.abc import Sequence
from dataclasses import replace

from msgspec import structs

from engine import Title
from engine.wording import counted, listed
from service.desk.letters.post import Desk
from service.desk.tournament import boards, figures
from service.desk.tournament.acts import (
    Begun,
    Cup,
    Decided,
    Seated,
)
from service.desk.tournament.known import Doing, Known, Refused, seed_of, ticket_of_entry
from service.desk.tournament.letters import Words, page, to_all, to_entry
from service.desk.tournament.plan import OPENING, Plan
from service.reports import Answer, Page
from service.reports.blocks import Block, Column, Grid, Lines, Verbatim
from service.store import Store, Task, Tx
from service.tournaments import lots
from service.tournaments.rules import TitleChoice
from service.tournaments.values import Seating

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
            f"Round {cup.round} still plays on {some(left)}. The next one is seated when "
            f"all are over; `adjudicate` ends them."
        )
    if number > len(cup.rules.rounds):
        raise Refused(f"Round {cup.round} was the last one: `finish` closes the tournament.")
    return number


def some(numbers: Sequence[str]) -> str:
    word = "board" if len(numbers) == 1 else "boards"
    return f"{word} {listed(numbers)}" if len(numbers) <= 12 else counted(len(numbers), "board")


# ---------------------------------------------------------------------------------- seatings


def propose(store: Store, desk: Desk, known: Known, because: str = "") -> tuple[Seating, Answer]:
    """A seating of the next round, as its seed has it, and how it is shown. Raises Refused.

    ``because`` is why it has another seed than the one whose digest was published.
    """
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
    promised = promised_seed(known, number, seed)
    if not promised and not because:
        raise Refused(
            f"The seed of round {number} cannot be opened: {_OTHER_SECRET} They put the file "
            "`secret` of the former machine or of a backup in its place, and `seat` goes on. Only "
            "if it is lost for good write `seat because …`: all are told why."
        )
    try:
        seating = figures.seating(cup, number, seed)
    except ValueError as why:
        raise Refused(str(why)) from why
    if not promised:
        seating = structs.replace(seating, why=because)
    return seating, shown(seating, "THE PROPOSAL")


_OTHER_SECRET = (
    "it was made of the secret of this service, which is another now than when its digest was "
    "published. Tell who runs the service."
)


def promised_seed(known: Known, number: int, seed: str) -> bool:
    """Whether a round's seed is the one whose digest everybody knows; so without a digest."""
    promised = known.cup.value.digests[number - 1 : number]
    return not promised or promised[0] == lots.digest_of(known.row.name, number, seed)


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
    if one == other:
        raise Refused(f"{one} cannot change places with themselves: name two players.")
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


#: in place of a table's number
_BYE, _NONE = -1, 0


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
    of = {name: table.number for table in seating.tables for name in table.seats}
    checks = shown(seating, f"ALL TABLES OF ROUND {seating.round}")
    pages: dict[int, Page] = {}
    letters = []
    for entry in cup.of_state("entered", "standby", "waiting"):
        # a page a table, and one for who sits out, and one for all others
        key = of.get(entry.name, _BYE if entry.name in seating.byes else _NONE)
        if key not in pages:
            said = _told(known, seating, key)
            pages[key] = page(desk, known.name, replace(said, blocks=checks.blocks))
        letters.append(desk.to_ticket("seated", ticket_of_entry(known, entry), pages[key]))
    return Plan([Doing(Seated(seating), by)], letters)


def _told(known: Known, seating: Seating, key: int) -> Words:
    """To entrants: the table of theirs by its number, `_BYE` or `_NONE` for those without one."""
    number = seating.round
    lines = [
        "The digest of the seed was published with the announcement: whoever has both can draw the "
        "seating again.",
    ]
    if key == _BYE:
        text = f"You sit round {number} out, and stay in the tournament."
        lines.insert(0, "The rules say what a bye counts.")
    elif key == _NONE:
        text = f"Round {number} of {known.name} is seated."
    else:
        table = next(t for t in seating.tables if t.number == key)
        text = f"You play {table.title} at table {number}.{table.number}."
        order = f"There sit, in this order: {listed(table.seats)}."
        lines = [order, f"A letter of {table.game} comes when the boards begin.", *lines]
    return Words(f"Round {number} is seated", text, lines)


# ------------------------------------------------------------------------------------- start


def start(
    store: Store, desk: Desk, known: Known, by: str, because: str = ""
) -> tuple[Plan, Sequence[str]]:
    """All boards of the seated round begin together; what is told of it. Raises Refused.

    They are played by the facts that boards of the tournament with the same title had before, or,
    if it is said ``because`` of what, by those of today.
    """
    cup = known.cup
    number = check_next(cup)
    seating = cup.value.seated(number)
    if seating is None:
        raise Refused(f"Round {number} is not seated: `seat` shows a seating first.")
    _check_start(cup, seating)
    titles, told_of = _titles(store, known, seating, because)
    begun = boards.beginnings(desk.house, known, seating.tables, titles, desk.now)
    names = tuple(boards.game_of(known, table) for table in seating.tables)

    def begin(tx: Tx) -> None:
        for one in begun:
            boards.begin(tx, known, desk.occasion, one, desk.now)

    tasks = [Task(OPENING, f"{OPENING}-{name}", desk.now, name) for name in names]
    told = [
        f"Round {number} has begun: {counted(len(names), 'board')}, from {names[0]} to "
        f"{names[-1]}.",
        "All have the same rules and clock, and begin together.",
        *told_of,
    ]
    byes = [e for e in (cup.entry(name) for name in seating.byes) if e is not None]
    said = Words(f"Round {number} has begun", told[0], ("You sit it out.",), kind="begun")
    letters = [to_entry(desk, known, entry, said) for entry in byes]
    acts = [Doing(Begun(number, names), by)]
    if because and told_of:
        ruling = Decided("rule", f"{' '.join(told_of)} That is so because {because}.")
        acts.insert(0, Doing(ruling, by, because))
        words = Words("By newer rules", told[0], (*told_of, f"Because {because}."), kind="rule")
        letters += to_all(desk, known, words)
    return Plan(acts, letters, tasks, (begin,)), told


def _check_start(cup: Cup, seating: Seating) -> None:
    """Raises Refused where a director plays without an assistant, and while boards are held."""
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
        raise Refused("The boards are held: `resume because …` first.")


def _titles(
    store: Store, known: Known, seating: Seating, because: str
) -> tuple[dict[TitleChoice, Title], Sequence[str]]:
    """By which facts each title is played, and what is to be told of those that are others now."""
    with store.transaction() as tx:
        former = boards.played_by(tx, known)
    found: dict[TitleChoice, Title] = {}
    told = []
    for choice in dict.fromkeys(table.title for table in seating.tables):
        today = boards.todays(choice)
        before = former.get(choice, today)
        found[choice] = today if because else before
        if before.encode() == today.encode():
            continue
        was, now = before.facts.edition, today.facts.edition
        since = f"edition {now} of our rules instead of {was}" if now != was else "corrected facts"
        if because:
            told.append(f"{choice} is played by {since} from this round on.")
        else:
            told.append(
                f"{choice} is played as on the boards before; this program has {since} now, which "
                "`start because …` would have taken."
            )
    return found, told
