"""The rounds of a tournament: publishing a seating, and starting all games."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from random import Random

from msgspec import structs

import engine
from engine import Seat, Title
from engine.wording import counted, listed
from service.desk.answering.effects import Effect
from service.desk.door import Done
from service.desk.informing.follow_up import opening_letters
from service.desk.letters.desk import Desk
from service.desk.lobby import lobby
from service.desk.service import Service
from service.desk.tournament.answering.tournament_context import TournamentContext, shows
from service.desk.tournament.directing.tournament_directing import Instruction
from service.desk.tournament.entries.entering import stand_by
from service.desk.tournament.letters.tournament_letters import (
    CONCERNED,
    TournamentText,
    to_these,
)
from service.desk.tournament.stored.keeping import change_of, table_of
from service.desk.tournament.stored.tournament_tasks import OPENING, leave_task
from service.games import games, naming
from service.games.choices import SeatSettings
from service.games.commit import commit_opening
from service.games.games import GameSettings, load
from service.refusal import Refused
from service.reports import Answer
from service.reports.tables import Block, Column, Grid, Lines, Pairs, Row
from service.store import Letter, NewGame, NewSeat, Occasion, Task, TaskRow, Tx
from service.tournaments import lots, rounds, seating
from service.tournaments.acts import LoggedAct, RoundBegun, RoundSeated
from service.tournaments.listing import aims_told
from service.tournaments.lots import seed_of
from service.tournaments.rules import TitleChoice, TournamentRules
from service.tournaments.tournament import Tournament
from service.tournaments.values import RoundTable, Seating

#: most tables that an email shows
SHOWN = 40
ENTRIES_ARE_OPEN = "Entries are still open."
CLOSE_THEM_FIRST = "`close` them first."
STILL_PLAYS = "Round {round} still plays on {tables}, and the next one waits for it."
NEXT_IS_SEATED_THEN = "The next one is seated when all are over; `adjudicate` ends them."
WAS_LAST = "Round {round} was the last one."
FINISH_CLOSES_THE_TOURNAMENT = "`finish` closes the tournament."


def check_next(tournament: Tournament) -> int:
    """The round that can be seated now. Raises Refused."""
    number = tournament.round + 1
    if tournament.status == "announced":
        raise Refused(ENTRIES_ARE_OPEN, hint=CLOSE_THEM_FIRST)
    if tournament.round and not tournament.complete:
        raise Refused(
            STILL_PLAYS.format(round=tournament.round, tables=some(tournament.unfinished)),
            hint=NEXT_IS_SEATED_THEN,
        )
    if number > len(tournament.rules.rounds):
        raise Refused(WAS_LAST.format(round=tournament.round), hint=FINISH_CLOSES_THE_TOURNAMENT)
    return number


def some(numbers: Sequence[str]) -> str:
    word = "table" if len(numbers) == 1 else "tables"
    return f"{word} {listed(numbers)}" if len(numbers) <= 12 else counted(len(numbers), "table")


# ---------------------------------------------------------------------------------- seatings
IS_PUBLISHED = "Round {round} is seated and published."
START_BEGINS_ITS_TABLES = "`start` begins its tables."
SEED_IS_LOST = (
    "The seed of round {round} cannot be opened: it was made from this service's secret, which "
    "has changed since its digest was published. Tell the operator. They put the file `secret` of "
    "the former machine or of a backup in its place, and `seat` goes on. Only if it is lost for "
    "good, write `seat because …`: all players get the reason."
)
PUBLISHED = "The seating is published, and all players get it. `start` begins its tables."
ALL_TABLES = "ALL TABLES OF ROUND {round}"


def seat(context: TournamentContext, said: Instruction) -> Effect:
    """Seat the next round from its seed, and publish it: all get their table.

    A reason is for another seed than the one with the published digest.
    """
    desk, tournament = context.desk, context.tournament
    number = check_next(tournament)
    if tournament.seated(number) is not None:
        raise Refused(IS_PUBLISHED.format(round=number), hint=START_BEGINS_ITS_TABLES)
    seed = seed_of(desk.service.secret, tournament, number)
    promised = promised_seed(tournament, number, seed)
    if not promised and not said.because:
        raise Refused(SEED_IS_LOST.format(round=number))
    found = seating.seat(rounds.draw_of(tournament, number, seed))
    tables = tuple(structs.replace(t, game=game_of(tournament, t)) for t in found.tables)
    seated = structs.replace(found, tables=tables, why="" if promised else said.because)
    checks = shown(seated, ALL_TABLES.format(round=number))
    acts = [LoggedAct(RoundSeated(seated), context.office, said.because)]
    made = change_of(desk, tournament, acts, _letters(desk, tournament, seated, checks.blocks))
    return replace(made, results=shows(said.command, checks).results, closing=[PUBLISHED])


def promised_seed(tournament: Tournament, number: int, seed: str) -> bool:
    """Whether a round's seed fits the published digest; also if there is no digest."""
    promised = tournament.digests[number - 1 : number]
    return not promised or promised[0] == lots.digest_of(tournament.name, number, seed)


MORE_TABLES = "… and {tables} more: `standings json` has all."
SIT_OUT = "{names} sit this round out."
CHANGED = "Changed by the director: {why}."
HOW_GOOD = "HOW GOOD THE SEATING IS"
WHAT_CHECKS = "TO CHECK THE SEATING"


def shown(seating: Seating, heading: str) -> Answer:
    """A seating in an email: its tables, its quality, and how to check it."""
    rows = tuple((t.label, t.title.name, ", ".join(t.seats)) for t in seating.tables[:SHOWN])
    columns = (Column("table"), Column("title"), Column("seats, in their order"))
    left = len(seating.tables) - SHOWN
    note = MORE_TABLES.format(tables=counted(left, "table")) if left > 0 else ""
    lines = [SIT_OUT.format(names=listed(seating.byes))] if seating.byes else []
    lines += [f"{told}." for told in aims_told(seating)]
    lines += [CHANGED.format(why=seating.why)] if seating.why else []
    checks = Row("seed", (seating.seed,)), Row("digest", (seating.digest,))
    return Answer(
        (
            Grid(heading, columns, rows, note),
            Lines(HOW_GOOD, tuple(lines)),
            Pairs(WHAT_CHECKS, checks),
        )
    )


DIGEST_EXPLAINED = (
    "The digest of the seed was published with the announcement. With the seed and the digest, "
    "anybody can draw the seating again."
)
YOU_SIT_OUT = "You sit round {round} out, and stay in the tournament."
WHAT_A_BYE_COUNTS = "A round that you sit out counts as the average of your other rounds."
IS_SEATED = "Round {round} of {tournament} is seated."
YOUR_TABLE = "You play {title} at table {table}."
THE_SEATS = "The players, in the order of their seats: {names}."
LETTER_COMES = "You get an email of the game {game} when the round starts."


def _letters(
    desk: Desk, tournament: Tournament, seating: Seating, blocks: Sequence[Block]
) -> Iterator[Letter]:
    """To everybody, their table; the page of those with the same news is made once."""
    number, left = seating.round, {one.name: one for one in tournament.of_state(*CONCERNED)}

    def told(names: Iterable[str], headline: str, *lines: str) -> Iterator[Letter]:
        words = TournamentText(headline, (*lines, DIGEST_EXPLAINED), blocks, kind="seated")
        yield from to_these(desk, tournament, [left.pop(name) for name in names], words)

    for table in seating.tables:
        headline = YOUR_TABLE.format(title=table.title, table=table.label)
        order = THE_SEATS.format(names=listed(table.seats))
        yield from told(table.seats, headline, order, LETTER_COMES.format(game=table.game))
    yield from told(seating.byes, YOU_SIT_OUT.format(round=number), WHAT_A_BYE_COUNTS)
    yield from told([*left], IS_SEATED.format(round=number, tournament=tournament.name))


# ------------------------------------------------------------------------------------- start
HAS_BEGUN = "Round {round} has begun: {tables} ({games})."
FIRST_TO_LAST = "{first} to {last}"
NOT_SEATED = "Round {round} is not seated."
SEAT_SEATS_IT = "`seat` seats it."


def start(context: TournamentContext, said: Instruction) -> Effect:
    """Start all games of the seated round, by the facts of earlier games with the same title."""
    desk, tournament = context.desk, context.tournament
    number = check_next(tournament)
    seated = tournament.seated(number)
    if seated is None:
        raise Refused(NOT_SEATED.format(round=number), hint=SEAT_SEATS_IT)
    _check_start(tournament, seated)
    former = played_by(context.reads, tournament)
    choices = {table.title for table in seated.tables}
    titles = {choice: former.get(choice) or todays(choice) for choice in choices}
    names = tuple(game_of(tournament, table) for table in seated.tables)

    def begin_all(tx: Tx) -> None:
        for table in seated.tables:
            begin(tx, desk, tournament, table, titles)

    tasks = [Task(OPENING, f"{OPENING}-{name}", desk.now, name) for name in names]
    # whoever has left since the round was seated needs another player
    entered = {entry.name for entry in tournament.players}
    left = [(table, name) for table in seated.tables for name in table.seats if name not in entered]
    tasks += [leave_task(desk, game_of(tournament, table), name) for table, name in left]
    tables = counted(len(names), "table")
    games = names[0] if len(names) == 1 else FIRST_TO_LAST.format(first=names[0], last=names[-1])
    told = HAS_BEGUN.format(round=number, tables=tables, games=games)
    acts = [LoggedAct(RoundBegun(number, names), context.office)]
    made = change_of(desk, tournament, acts, tasks=tasks, also=begin_all)
    return context.did(said.command, made, told)


NAME_AN_ASSISTANT = "You play in this round, and cannot rule on your own table."
NAME_AN_ASSISTANT_FIRST = "Name an assistant first: `assistant ADDRESS`."
ARE_ON_HOLD = "The tables are on hold."
RESUME_BECAUSE_FIRST = "`resume because …` first."


def _check_start(tournament: Tournament, seating: Seating) -> None:
    """Raises Refused if a director plays without an assistant, and while games are on hold."""
    director = tournament.at_address(tournament.rules.director)
    plays = director is not None and any(director.name in t.seats for t in seating.tables)
    if plays and not tournament.rules.assistant:
        raise Refused(NAME_AN_ASSISTANT, hint=NAME_AN_ASSISTANT_FIRST)
    if tournament.on_hold:
        raise Refused(ARE_ON_HOLD, hint=RESUME_BECAUSE_FIRST)


def game_of(tournament: Tournament, table: RoundTable) -> str:
    """The name of a table's game."""
    return f"{tournament.name}-{table.round}-{table.number}"


def settings_of(rules: TournamentRules, variants: Sequence[str]) -> GameSettings:
    """The settings of every game of a tournament: the same for all."""
    return GameSettings(
        variants=tuple(variants),
        assistant=rules.assistant,
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


def played_by(tx: Tx, tournament: Tournament) -> dict[TitleChoice, Title]:
    """Each title played in a tournament, with the facts of its first game.

    A newer program may have other facts, and games with different facts cannot be compared.
    """
    found: dict[TitleChoice, Title] = {}
    for table in tournament.begun_tables:
        if table.title not in found and (row := tx.games.named(table.game)) is not None:
            found[table.title] = games.title(row)
    return found


def todays(choice: TitleChoice) -> Title:
    """A title with the facts of this program."""
    return engine.load_title(choice.name, frozenset(choice.variants))


def begin(
    tx: Tx,
    desk: Desk,
    tournament: Tournament,
    table: RoundTable,
    titles: Mapping[TitleChoice, Title],
) -> None:
    """Store a table's game, begun as any other with its players seated as published.

    Raises Conflict if its name is taken.
    """
    rules, now = tournament.rules, desk.now
    name, title = game_of(tournament, table), titles[table.title]
    settings = settings_of(rules, table.title.variants).stored()
    look = naming.look(name)
    new = NewGame(name, title.name, title.encode(), settings, rules.director, games.FORMAT, look)
    game = tx.games.add(new, now)
    entries = {entry.name: entry for entry in tournament.entries}
    for number, seat in enumerate(table.seats):
        mine = SeatSettings(digest=desk.service.digest, zone=entries[seat].zone).stored()
        address = entries[seat].addresses[0]
        tx.seats.add(game.id, NewSeat(seat, address, number, "joined", mine, 0, now))
    opened = games.load(tx, name)
    assert opened is not None
    opening = lobby.opening_by(opened, seed_that_seats(desk.service.secret, name, table.seats), now)
    commit_opening(tx, desk.occasion, opening.begun, opening.step, now)
    tx.tournaments.add_place(tournament.id, game.id, table.round, table.number)
    for entry in tournament.of_state("standby", "waiting"):
        stand_by(tx, game.id, entry, now)


def seed_that_seats(secret: bytes, game: str, seats: Sequence[Seat]) -> int:
    """The seed of a game that seats its players in this order; it draws the rest as usual."""
    for number in count():
        key = f"{game} {number}\n" + "\n".join(seats)
        drawn = hashlib.blake2b(key.encode(), key=secret[:64], digest_size=6).digest()
        seed = int.from_bytes(drawn, "big")
        order = sorted(seats)
        Random(seed).shuffle(order)
        if order == list(seats):
            return seed
    raise AssertionError("numbers do not end")


AS_PUBLISHED = "as published for table {table} of {tournament}"


def open_table(reads: Tx, service: Service, now: int, row: TaskRow) -> Done:
    """Write the emails with which a tournament game begins, as for a game from the lobby."""
    desk = Desk(service, now, Occasion("tournament", row.key, row.game))
    found, game = table_of(reads, row.game), load(reads, row.game)
    if found is None or game is None or game.head is None or game.head.number != 0:
        return Done("it has gone on already")
    tournament, table = found
    seated = AS_PUBLISHED.format(table=table.label, tournament=tournament.name)
    letters = opening_letters(desk, game, seated)
    return Done(f"{len(letters)} emails", letters, read=game)
