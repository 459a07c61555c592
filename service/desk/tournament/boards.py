"""Boards of a tournament as games: how they begin, who sits there, what their end comes to."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from random import Random

import msgspec

import engine
from engine import Seat, Title
from engine.events import GameEnded
from service.desk.letters.post import House
from service.desk.lobby import lobby
from service.desk.lobby.lobby import Opening
from service.desk.seats import standbys
from service.desk.timing import silence
from service.desk.tournament.known import Board, Known
from service.games import games
from service.games.choices import SeatSettings
from service.games.commit import commit_opening
from service.games.games import GameSettings, GameTable, load
from service.store import ActionRow, NewGame, NewSeat, NewVolunteer, Occasion, SeatRow, Tx
from service.store.rows import GameRow
from service.tournaments.rules import TitleChoice, TournamentRules
from service.tournaments.values import BoardResult, Entry, RoundTable, SeatResult
from service.tournaments.values import Ended as How


def game_of(known: Known, table: RoundTable) -> str:
    """What the game of a table is called."""
    return f"{known.name}-{table.round}-{table.number}"


def settings_of(
    rules: TournamentRules, variants: Sequence[str], at: tuple[int, int]
) -> GameSettings:
    """What every board of a tournament is played by: the same for all.

    ``at`` are the epochs of its seats and of its assistant, which a board that replaces another
    must not share with it.
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
        # players of a match do not give each other leave at the cost of other tables
        undo="leave",
        shown="public",
    )


@dataclass(frozen=True)
class Beginning:
    """A table that is about to be played: the game with its seats, and its opening position."""

    table: RoundTable
    title: Title
    opening: Opening


def played_by(tx: Tx, known: Known) -> dict[TitleChoice, Title]:
    """Each title that was played in a tournament, with the facts that its first board began with.

    A newer program may have others: what is played by two revisions cannot be compared.
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
    """A title as this program has it."""
    return engine.load_title(choice.name, frozenset(choice.variants))


def beginnings(
    house: House,
    known: Known,
    tables: Sequence[RoundTable],
    titles: Mapping[TitleChoice, Title],
    now: int,
) -> list[Beginning]:
    """The games of tables as they begin, by the same facts for all; nothing is stored."""
    return [_beginning(house, known, table, titles[table.title], now) for table in tables]


def _beginning(house: House, known: Known, table: RoundTable, title: Title, now: int) -> Beginning:
    """As `lobby.opening` begins any game, with the one lot that seats players as was published."""
    rules, name = known.cup.rules, game_of(known, table)
    settings = msgspec.json.encode(settings_of(rules, table.title.variants, (0, 0)))
    row = GameRow(
        0,
        name,
        title.name,
        title.encode(),
        settings,
        "open",
        None,
        rules.director,
        now,
        None,
        0,
        None,
        games.FORMAT,
    )
    mine = {entry.name: entry for entry in known.cup.entries if entry.name in table.seats}
    seats = tuple(
        SeatRow(-n, 0, s, mine[s].addresses[0], 0, n, "joined", _settings(house, mine[s]), now)
        for n, s in enumerate(table.seats)
    )
    game = GameTable(row, seats, None, 0)
    seed = lot(house.secret, name, table.seats)
    return Beginning(table, title, lobby.opening_by(game, seed, now))


def lot(secret: bytes, game: str, seats: Sequence[Seat]) -> int:
    """The lot of a game that seats its players in this order; all else is drawn by it as ever."""
    for number in count():
        key = f"{game} {number}\n" + "\n".join(seats)
        drawn = hashlib.blake2b(key.encode(), key=secret[:64], digest_size=6).digest()
        seed = int.from_bytes(drawn, "big")
        order = sorted(seats)
        Random(seed).shuffle(order)
        if order == list(seats):
            return seed
    raise AssertionError("numbers do not end")


def _settings(house: House, entry: Entry) -> bytes:
    return msgspec.json.encode(SeatSettings(digest=house.digest, zone=entry.zone))


def begin(tx: Tx, known: Known, occasion: Occasion, made: Beginning, now: int) -> str:
    """Store a board as a running game; its name. Raises Conflict where the name is taken."""
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


def assist(tx: Tx, known: Known, address: str) -> None:
    """Let all boards that are played have this assistant, "" for none; a former token is void."""
    for board in known.playing:
        table = load(tx, board.game)
        assert table is not None
        if table.settings.assistant != address:
            epoch = table.settings.assistant_epoch + 1
            chosen = msgspec.structs.replace(
                table.settings, assistant=address, invited="", assistant_epoch=epoch
            )
            tx.games.set_settings(table.row.id, msgspec.json.encode(chosen))


def stand_by(tx: Tx, game: int, entry: Entry, now: int) -> None:
    """Let somebody who has agreed already stand by for a board."""
    known = [v.address for v in tx.people.volunteers(game) if v.kind == "standby"]
    if entry.addresses[0] not in known and len(known) < standbys.MOST:
        made = tx.people.ask(game, NewVolunteer("standby", entry.addresses[0]), now)
        tx.people.agrees(made, now)


def seat_of(tx: Tx, board: Board, entry: Entry) -> SeatRow | None:
    """The seat of a board that an entrant plays, None if they play none there."""
    seats = tx.seats.of(board.row.game_id)
    return next((seat for seat in seats if seat.address in entry.addresses), None)


# ------------------------------------------------------------------------------------ results

_ENDED: Mapping[str, How] = {"director": "adjudicated", "agreement": "agreed"}


def result(tx: Tx, known: Known, board: Board) -> BoardResult | None:
    """What the end of a board comes to; None while it is played."""
    table = load(tx, board.game)
    if table is None or table.head is None or table.row.status not in ("ended", "abandoned"):
        return None
    if table.row.status == "abandoned":
        worth = standing_worth(table)
        how: How = "abandoned"
    else:
        ended = [e for e in games.events(table.head) if isinstance(e, GameEnded)]
        worth = dict(ended[-1].worth) if ended else standing_worth(table)
        cause = ended[-1].cause if ended else "agreement"
        how = _ENDED.get(cause, "rules")
    found = next(
        t
        for s in known.cup.value.seatings
        for t in s.tables
        if not s.proposed and (t.round, t.number) == (board.row.round, board.row.board)
    )
    rows = tx.log.actions(table.row.id)
    counts, caretaken = _decisions(tx, rows)
    places = engine.places(table.state.out, worth)
    seats = tuple(
        SeatResult(
            seat,
            places[seat],
            own,
            tuple(_players(tx, known, table, seat)),
            counts[seat],
            caretaken[seat],
            seat in table.state.out,
        )
        for seat, own in worth.items()
    )
    return BoardResult(
        board.row.round, board.row.board, board.game, found.title, how, table.head.number, seats
    )


def standing_worth(table: GameTable) -> dict[Seat, int]:
    """What everybody would be worth if the game ended as it stands, who has most first."""
    outcome = engine.agreed_end(table.title, table.state, "director")
    [ended] = [event for event in outcome.events if isinstance(event, GameEnded)]
    return dict(ended.worth)


def _decisions(tx: Tx, rows: Sequence[ActionRow]) -> tuple[Counter[str], Counter[str]]:
    """How often each seat decided, and how often the caretaker did for it."""
    occasions = {(row.seat, row.occasion_id) for row in rows if row.seat}
    counts = Counter(seat for seat, _ in occasions)
    silent = tx.occasions.called({number for _, number in occasions}, f"{silence.KIND}-")
    caretaken = Counter(seat for seat, number in occasions if number in silent)
    return counts, caretaken


def _players(tx: Tx, known: Known, table: GameTable, seat: Seat) -> Iterator[str]:
    """Who played a seat, in their order."""
    yield seat
    former = sorted(
        (f for f in tx.people.former(table.row.id) if f.seat == seat), key=lambda f: f.until
    )
    for one in former[1:]:
        yield _called(known, one.address, seat)
    if former:
        yield _called(known, table.seat(seat).address, seat)


STANDBY_FOR = "standby for {seat}"


def _called(known: Known, address: str, seat: Seat) -> str:
    """Who plays from an address: an entrant's name; who is none is told as the seat's standby."""
    entry = known.cup.had_address(address)
    return entry.name if entry is not None else STANDBY_FOR.format(seat=seat)
