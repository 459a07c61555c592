"""The rounds of a tournament: proposing and publishing a seating, and starting all games."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import count
from random import Random

import msgspec
from msgspec import structs

import engine
from engine import Seat, Title
from engine.wording import counted, listed
from service.desk.answering.effects import Effect
from service.desk.letters.post import Desk, House
from service.desk.lobby import lobby
from service.desk.lobby.lobby import Opening
from service.desk.tournament.cup_directing import WRITE, Instruction
from service.desk.tournament.cup_email import CupContext, shows
from service.desk.tournament.cup_known import (
    OPENING,
    CupPlan,
    Doing,
    KnownCup,
    seed_of,
    ticket_of_entry,
)
from service.desk.tournament.cup_letters import BECAUSE, CupText, page, to_all, to_entry
from service.desk.tournament.cup_log import (
    ASSISTANT,
    Cup,
    CupRoundBegun,
    CupRoundSeated,
    DirectorDecided,
)
from service.desk.tournament.entering import stand_by
from service.desk.tournament.offices import accept
from service.games import games
from service.games.choices import SeatSettings
from service.games.commit import commit_opening
from service.games.games import GameSettings, GameTable
from service.refusal import Refused
from service.reports import Answer, Page
from service.reports.tables import Block, Column, Grid, Lines, Verbatim
from service.store import GameRow, NewGame, NewSeat, Occasion, SeatRow, Store, Task, Tx
from service.tournaments import lots, rounds, seating
from service.tournaments.rules import TitleChoice, TournamentRules
from service.tournaments.values import CupEntry, RoundTable, Seating

#: most tables that an email shows
SHOWN = 40


def next_round(cup: Cup) -> int:
    """The round that is seated or started next."""
    return cup.round + 1


ENTRIES_ARE_OPEN = "Entries are open: `close` them first."
STILL_PLAYS = (
    "Round {round} still plays on {boards}. The next one is seated when all are over; `adjudicate` "
    "ends them."
)
WAS_LAST = "Round {round} was the last one: `finish` closes the tournament."


def check_next(cup: Cup) -> int:
    """The round that can be seated now. Raises Refused."""
    number = next_round(cup)
    if cup.status == "announced":
        raise Refused(ENTRIES_ARE_OPEN)
    if cup.round and not cup.complete:
        over = {r.result.table for r in cup.value.records if r.result.round == cup.round}
        left = [str(n) for n in range(1, len(cup.begun[cup.round]) + 1) if n not in over]
        raise Refused(STILL_PLAYS.format(round=cup.round, boards=some(left)))
    if number > len(cup.rules.rounds):
        raise Refused(WAS_LAST.format(round=cup.round))
    return number


def some(numbers: Sequence[str]) -> str:
    word = "board" if len(numbers) == 1 else "boards"
    return f"{word} {listed(numbers)}" if len(numbers) <= 12 else counted(len(numbers), "board")


# ---------------------------------------------------------------------------------- seatings
IS_PUBLISHED = "Round {round} is seated and published: `start` begins its boards."
TOO_FEW = (
    "{players} have entered; the rules ask for {fewest}. `open` entries again, or change `fewest` "
    "by `rules`."
)
SEED_IS_LOST = (
    "The seed of round {round} cannot be opened: it was made of the secret of this service, which "
    "is another now than when its digest was published. Tell who runs the service. They put the "
    "file `secret` of the former machine or of a backup in its place, and `seat` goes on. Only if "
    "it is lost for good write `seat because …`: all are told why."
)
THE_PROPOSAL = "THE PROPOSAL"


def propose(store: Store, desk: Desk, known: KnownCup, because: str = "") -> tuple[Seating, Answer]:
    """Propose the seating of the next round from its seed, with its text. Raises Refused.

    ``because`` is the reason for another seed than the one with the published digest.
    """
    cup = known.cup
    number = check_next(cup)
    if cup.value.seated(number) is not None:
        raise Refused(IS_PUBLISHED.format(round=number))
    fewest = cup.rules.gates.fewest
    if number == 1 and len(cup.players) < fewest:
        raise Refused(TOO_FEW.format(players=counted(len(cup.players), "player"), fewest=fewest))
    seed = seed_of(desk.house, known.name, known.row.created, number)
    promised = promised_seed(known, number, seed)
    if not promised and not because:
        raise Refused(SEED_IS_LOST.format(round=number))
    try:
        seating = drawn_seating(cup, number, seed)
    except ValueError as why:
        raise Refused(str(why)) from why
    if not promised:
        seating = structs.replace(seating, why=because)
    return seating, shown(seating, THE_PROPOSAL)


def promised_seed(known: KnownCup, number: int, seed: str) -> bool:
    """Whether a round's seed fits the published digest; also if there is no digest."""
    promised = known.cup.value.digests[number - 1 : number]
    return not promised or promised[0] == lots.digest_of(known.row.name, number, seed)


NOTHING_PROPOSED = "No seating is proposed: `seat` shows one."
HOW_TO_SWAP = "Write the two: `swap Bob and Eve because they share a flat`."
NOBODY_CALLED = "Nobody called {names} has entered."
SAME_PLAYER = "{name} cannot change places with themselves: name two players."


def swapped(known: KnownCup, text: str, because: str) -> tuple[Seating, Answer]:
    """The proposal with two players exchanged. Raises Refused."""
    if known.cup.proposed is None:
        raise Refused(NOTHING_PROPOSED)
    names = [one.strip() for one in re.split(r"\band\b|,|\bwith\b", text) if one.strip()]
    if len(names) != 2:
        raise Refused(HOW_TO_SWAP)
    entries = [known.cup.entry(name) for name in names]
    missing = [name for name, entry in zip(names, entries, strict=True) if entry is None]
    if missing:
        raise Refused(NOBODY_CALLED.format(names=listed(missing)))
    one, other = (entry.name for entry in entries if entry is not None)
    if one == other:
        raise Refused(SAME_PLAYER.format(name=one))
    try:
        seating = exchanged_seating(known.cup, known.cup.proposed, (one, other), because)
    except ValueError as why:
        raise Refused(str(why)) from why
    return seating, shown(seating, THE_PROPOSAL)


def proposal(desk: Desk, seating: Seating, by: str, because: str) -> CupPlan:
    """Store a seating, which `yes` then publishes."""
    return CupPlan([Doing(CupRoundSeated(structs.replace(seating, proposed=True)), by, because)])


MORE_TABLES = "… and {tables} more: `export json` has all."
SIT_OUT = "{names} sit this round out."
PROVED = "proved to be the least"
NOT_PROVED = "no seating has less than {least}"
CHANGED = "Changed by the director: {why}."
HOW_GOOD = "HOW GOOD IT IS"
WHAT_CHECKS = "WHAT CHECKS IT"


def shown(seating: Seating, heading: str) -> Answer:
    """A seating in an email: its tables, its quality, and how to check it."""
    rows = tuple(
        (f"{t.round}.{t.number}", t.title.name, ", ".join(t.seats)) for t in seating.tables[:SHOWN]
    )
    columns = (Column("table"), Column("title"), Column("seats, in their order"))
    left = len(seating.tables) - SHOWN
    note = MORE_TABLES.format(tables=counted(left, "table")) if left > 0 else ""
    lines = []
    if seating.byes:
        lines.append(SIT_OUT.format(names=listed(seating.byes)))
    for aim in seating.aims:
        bound = PROVED if aim.proved else NOT_PROVED.format(least=aim.least)
        lines.append(f"{_AIMS.get(aim.aim, aim.aim)}: {aim.found} ({bound}).")
    if seating.why:
        lines.append(CHANGED.format(why=seating.why))
    blocks: tuple[Block, ...] = (
        Grid(heading, columns, rows, note),
        Lines(HOW_GOOD, tuple(lines)),
        Verbatim(WHAT_CHECKS, (f"seed   {seating.seed}", f"digest {seating.digest}")),
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
ALL_TABLES = "ALL TABLES OF ROUND {round}"
NOTHING_WAITS = "Nothing waits for your `yes`: `seat` shows a seating first."
HAS_LEFT = "{names} has left since it was shown: `seat` again."


def publish(desk: Desk, known: KnownCup, by: str) -> CupPlan:
    """Publish the proposed seating: everybody gets an email about their table. Raises Refused."""
    cup, proposed = known.cup, known.cup.proposed
    if proposed is None or proposed.round != next_round(cup):
        raise Refused(NOTHING_WAITS)
    gone = [
        n
        for t in proposed.tables
        for n in (*t.seats, *proposed.byes)
        if (entry := cup.entry(n)) is None or entry.state != "entered"
    ]
    if gone:
        raise Refused(HAS_LEFT.format(names=listed(sorted(set(gone)))))
    tables = tuple(structs.replace(t, game=game_of(known, t)) for t in proposed.tables)
    seating = structs.replace(proposed, proposed=False, tables=tables)
    of = {name: table.number for table in seating.tables for name in table.seats}
    checks = shown(seating, ALL_TABLES.format(round=seating.round))
    pages: dict[int, Page] = {}
    letters = []
    for entry in cup.of_state("entered", "standby", "waiting"):
        # a page for each table, one for players with a bye, and one for all others
        key = of.get(entry.name, _BYE if entry.name in seating.byes else _NONE)
        if key not in pages:
            said = _told(known, seating, key)
            pages[key] = page(desk, known.name, replace(said, blocks=checks.blocks))
        letters.append(desk.to_ticket("seated", ticket_of_entry(known, entry), pages[key]))
    return CupPlan([Doing(CupRoundSeated(seating), by)], letters)


DIGEST_EXPLAINED = (
    "The digest of the seed was published with the announcement. With both, anybody can draw the "
    "seating again."
)
YOU_SIT_OUT = "You sit round {round} out, and stay in the tournament."
SEATED_SUBJECT = "Round {round} is seated"
WHAT_A_BYE_COUNTS = "The rules say what a bye counts."
IS_SEATED = "Round {round} of {cup} is seated."
YOUR_TABLE = "You play {title} at table {round}.{table}."
THE_SEATS = "There sit, in this order: {names}."
LETTER_COMES = "An email of {game} comes when the boards begin."


def _told(known: KnownCup, seating: Seating, key: int) -> CupText:
    """To entrants: the number of their table, or `_BYE` or `_NONE` for those without one."""
    number = seating.round
    lines = [
        DIGEST_EXPLAINED,
    ]
    if key == _BYE:
        text = YOU_SIT_OUT.format(round=number)
        lines.insert(0, WHAT_A_BYE_COUNTS)
    elif key == _NONE:
        text = IS_SEATED.format(round=number, cup=known.name)
    else:
        table = next(t for t in seating.tables if t.number == key)
        text = YOUR_TABLE.format(title=table.title, round=number, table=table.number)
        order = THE_SEATS.format(names=listed(table.seats))
        lines = [order, LETTER_COMES.format(game=table.game), *lines]
    return CupText(SEATED_SUBJECT.format(round=number), text, lines)


# ------------------------------------------------------------------------------------- start
HAS_BEGUN = "Round {round} has begun: {boards}, from {first} to {last}."
ALL_BEGIN_TOGETHER = "All have the same rules and clock, and begin together."
BEGUN_SUBJECT = "Round {round} has begun"
NOT_SEATED = "Round {round} is not seated: `seat` shows a seating first."
SITTING_OUT = "You sit it out."
THAT_IS_SO = "{told} That is so because {because}."
BY_NEWER_RULES = "By newer rules"


def starting(
    store: Store, desk: Desk, known: KnownCup, by: str, because: str = ""
) -> tuple[CupPlan, Sequence[str]]:
    """Start all games of the seated round; gives the text about it. Raises Refused.

    They use the facts of earlier games of the tournament with the same title. With ``because``,
    a reason, they use today's.
    """
    cup = known.cup
    number = check_next(cup)
    seating = cup.value.seated(number)
    if seating is None:
        raise Refused(NOT_SEATED.format(round=number))
    _check_start(cup, seating)
    titles, told_of = _titles(store, known, seating, because)
    begun = beginnings(desk.house, known, seating.tables, titles, desk.now)
    names = tuple(game_of(known, table) for table in seating.tables)

    def begin_all(tx: Tx) -> None:
        for one in begun:
            begin(tx, known, desk.occasion, one, desk.now)

    tasks = [Task(OPENING, f"{OPENING}-{name}", desk.now, name) for name in names]
    told = [
        HAS_BEGUN.format(
            round=number, boards=counted(len(names), "board"), first=names[0], last=names[-1]
        ),
        ALL_BEGIN_TOGETHER,
        *told_of,
    ]
    byes = [e for e in (cup.entry(name) for name in seating.byes) if e is not None]
    said = CupText(BEGUN_SUBJECT.format(round=number), told[0], (SITTING_OUT,), kind="begun")
    letters = [to_entry(desk, known, entry, said) for entry in byes]
    acts = [Doing(CupRoundBegun(number, names), by)]
    if because and told_of:
        ruling = DirectorDecided("rule", THAT_IS_SO.format(told=" ".join(told_of), because=because))
        acts.insert(0, Doing(ruling, by, because))
        words = CupText(
            BY_NEWER_RULES, told[0], (*told_of, BECAUSE.format(because=because)), kind="rule"
        )
        letters += to_all(desk, known, words)
    return CupPlan(acts, letters, tasks, (begin_all,)), told


NAME_AN_ASSISTANT = (
    "You play in this round, and cannot rule on your own table: name an assistant first, "
    "`assistant ADDRESS`."
)
ARE_HELD = "The boards are held: `resume because …` first."


def _check_start(cup: Cup, seating: Seating) -> None:
    """Raises Refused if a director plays without an assistant, and while games are on hold."""
    director = cup.at_address(cup.rules.director)
    if (
        director is not None
        and any(director.name in t.seats for t in seating.tables)
        and not cup.rules.assistant
    ):
        raise Refused(NAME_AN_ASSISTANT)
    if cup.held:
        raise Refused(ARE_HELD)


OTHER_EDITION = "edition {now} of Waybill's rules instead of {was}"
CORRECTED_FACTS = "corrected facts"
PLAYED_BY = "{title} is played by {since} from this round on."
PLAYED_AS_BEFORE = (
    "{title} is played as on the boards before; this program has {since} now, which `start because "
    "…` would have taken."
)


def _titles(
    store: Store, known: KnownCup, seating: Seating, because: str
) -> tuple[dict[TitleChoice, Title], Sequence[str]]:
    """The facts of each title, and the sentences about facts that have changed."""
    with store.transaction() as tx:
        former = played_by(tx, known)
    found: dict[TitleChoice, Title] = {}
    told = []
    for choice in dict.fromkeys(table.title for table in seating.tables):
        today = todays(choice)
        before = former.get(choice, today)
        found[choice] = today if because else before
        if before.encode() == today.encode():
            continue
        was, now = before.facts.edition, today.facts.edition
        since = OTHER_EDITION.format(now=now, was=was) if now != was else CORRECTED_FACTS
        if because:
            told.append(PLAYED_BY.format(title=choice, since=since))
        else:
            told.append(PLAYED_AS_BEFORE.format(title=choice, since=since))
    return found, told


def seat(context: CupContext, said: Instruction) -> Effect:
    """Propose a seating of the next round."""
    seating, answer = propose(context.store, context.desk, context.known, said.because)
    return _propose(context, said, seating, answer)


def swap(context: CupContext, said: Instruction) -> Effect:
    """Exchange two players in the proposal."""
    seating, answer = swapped(context.known, said.rest, said.because)
    return _propose(context, said, seating, answer)


NOT_DONE_YET = "NOT DONE YET: reply `yes` to do what is shown."
YES_OR_SWAP = ("yes", "swap Bob and Eve because …")


def _propose(context: CupContext, said: Instruction, seating: Seating, answer: Answer) -> Effect:
    plan = proposal(context.desk, seating, context.office, said.because)
    closing = [NOT_DONE_YET, *(WRITE.format(command=one) for one in YES_OR_SWAP)]
    return context.planned(shows(said.command, answer).results, plan, closing)


READ_IT_FIRST = "`yes` agrees to a seating that you have read: write it in your next email."
ONLY_YES = "`yes` agrees to the seating as it was shown: add nothing to it."
PUBLISHED = (
    "The seating of round {round} is published, and all players get it. `start` begins all its "
    "boards."
)


def agree(context: CupContext, said: Instruction) -> Effect:
    """`yes` to the last proposed seating, or of the person asked to assist."""
    if context.office == ASSISTANT and not context.cup.rules.assistant:
        return accept(context, said)
    if context.cup.proposed != context.before.cup.proposed:
        raise Refused(READ_IT_FIRST)
    if said.rest.strip(" .!"):
        raise Refused(ONLY_YES)
    return context.did(
        said.command,
        publish(context.desk, context.known, context.office),
        PUBLISHED.format(round=next_round(context.cup)),
    )


def start(context: CupContext, said: Instruction) -> Effect:
    """Start all games of the seated round."""
    plan, told = starting(context.store, context.desk, context.known, context.office, said.because)
    return context.did(said.command, plan, *told)


def game_of(known: KnownCup, table: RoundTable) -> str:
    """The name of a table's game."""
    return f"{known.name}-{table.round}-{table.number}"


def settings_of(
    rules: TournamentRules, variants: Sequence[str], at: tuple[int, int]
) -> GameSettings:
    """The settings of every game of a tournament: the same for all.

    ``at`` are the epochs of its seats and of its assistant. A game that replaces another must
    not share them.
    """
    return GameSettings(
        variants=tuple(variants),
        epoch=at[0],
        assistant=rules.assistant,
        assistant_epoch=at[1],
        caretaker=rules.caretaker,
        excused=rules.excused,
        grade=rules.grade,
        clock=rules.clock,
        holidays=rules.holidays,
        leave=rules.leave,
        # players of a match do not extend each other's time at the cost of other tables
        undo="leave",
        shown="public",
    )


@dataclass(frozen=True)
class Beginning:
    """A table before its start: the game with its seats, and its opening position."""

    table: RoundTable
    title: Title
    opening: Opening


def played_by(tx: Tx, known: KnownCup) -> dict[TitleChoice, Title]:
    """Each title played in a tournament, with the facts of its first game.

    A newer program may have other facts, and games with different facts cannot be compared.
    """
    tables = (t for s in known.cup.value.seatings for t in s.tables if not s.proposed)
    choices = {(table.round, table.number): table.title for table in tables}
    found: dict[TitleChoice, Title] = {}
    for board in known.boards:
        choice = choices[board.row.round, board.row.board]
        if choice not in found and (row := tx.games.named(board.game)) is not None:
            found[choice] = games.title(row)
    return found


def todays(choice: TitleChoice) -> Title:
    """A title with the facts of this program."""
    return engine.load_title(choice.name, frozenset(choice.variants))


def beginnings(
    house: House,
    known: KnownCup,
    tables: Sequence[RoundTable],
    titles: Mapping[TitleChoice, Title],
    now: int,
) -> list[Beginning]:
    """The games of tables at their start, with the same facts for all; nothing is stored."""
    return [_beginning(house, known, table, titles[table.title], now) for table in tables]


def _beginning(
    house: House, known: KnownCup, table: RoundTable, title: Title, now: int
) -> Beginning:
    """A game as `lobby.opening` starts it, by the lot that seats players as published."""
    rules, name = known.cup.rules, game_of(known, table)
    settings = msgspec.json.encode(settings_of(rules, table.title.variants, (0, 0)))
    row = GameRow(
        id=0,
        name=name,
        title=title.name,
        settings=settings,
        status="open",
        head=None,
        organiser=rules.director,
        created=now,
        ended=None,
        title_data=title.encode(),
        epoch=0,
        renewed_by=None,
        format=games.FORMAT,
    )
    mine = {entry.name: entry for entry in known.cup.entries if entry.name in table.seats}
    seats = tuple(
        SeatRow(
            id=-n,
            game_id=0,
            name=s,
            address=(address := mine[s].addresses[0]),
            address_key=address.lower(),
            position=n,
            status="joined",
            settings=_settings(house, mine[s]),
            offered=now,
        )
        for n, s in enumerate(table.seats)
    )
    game = GameTable(row, seats, None, 0)
    seed = lot(house.secret, name, table.seats)
    return Beginning(table, title, lobby.opening_by(game, seed, now))


def lot(secret: bytes, game: str, seats: Sequence[Seat]) -> int:
    """The lot of a game that seats its players in this order; it draws the rest as usual."""
    for number in count():
        key = f"{game} {number}\n" + "\n".join(seats)
        drawn = hashlib.blake2b(key.encode(), key=secret[:64], digest_size=6).digest()
        seed = int.from_bytes(drawn, "big")
        order = sorted(seats)
        Random(seed).shuffle(order)
        if order == list(seats):
            return seed
    raise AssertionError("numbers do not end")


def _settings(house: House, entry: CupEntry) -> bytes:
    return msgspec.json.encode(SeatSettings(digest=house.digest, zone=entry.zone))


def begin(tx: Tx, known: KnownCup, occasion: Occasion, made: Beginning, now: int) -> str:
    """Store a running game; gives its name. Raises Conflict if the name is taken."""
    opening, table = made.opening, made.table
    row = opening.begun.row
    new = NewGame(row.name, row.title, row.title_data, row.settings, row.organiser, row.format)
    game = tx.games.add(new, now)
    seats = [
        tx.seats.add(game.id, NewSeat(s.name, s.address, s.position, "joined", s.settings, 0, now))
        for s in opening.begun.seats
    ]
    begun = _with_rows(opening.begun, game, seats)
    commit_opening(tx, occasion, begun, opening.step, now)
    tx.tournaments.add_board(known.row.id, game.id, table.round, table.number)
    for entry in known.cup.of_state("standby", "waiting"):
        stand_by(tx, game.id, entry, now)
    return game.name


def _with_rows(begun: GameTable, game: GameRow, seats: Sequence[SeatRow]) -> GameTable:
    row = replace(game, settings=begun.row.settings, status="running")
    return replace(begun, row=row, seats=tuple(seats))


def day_of(cup: Cup) -> str:
    """The day for time zones in wishes: the start in the rules, or the log's."""
    announced = datetime.fromtimestamp(cup.log[0].at, UTC).date().isoformat()
    return cup.rules.start or announced


def drawn_seating(cup: Cup, number: int, seed: str) -> Seating:
    """The seating of a round from its seed. Raises ValueError if there is no table."""
    return seating.seat(rounds.draw_of(cup.value, number, seed, day_of(cup)))


def exchanged_seating(cup: Cup, proposal: Seating, pair: tuple[str, str], because: str) -> Seating:
    """A proposal with two players exchanged. Raises ValueError."""
    draw = rounds.draw_of(cup.value, proposal.round, proposal.seed, day_of(cup))
    return seating.exchanged(proposal, draw, pair, because)
