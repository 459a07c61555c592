"""Games before they begin: creating, joining, starting by lot, and the emails about it."""

import hashlib
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import msgspec

import engine
from engine import Title
from service.audience import EVERYBODY, of_organiser
from service.commands.entry import Entry
from service.desk.informing.everybody import informed
from service.desk.letters.desk import Desk
from service.desk.options import game_options
from service.desk.service import Service
from service.games import games, naming
from service.games.choices import SeatSettings, digest_of
from service.games.game_status import REPLY_START, how_to_start, why_abandoned
from service.games.games import GameSettings, GameTable
from service.games.naming import shown
from service.games.overlays import UnusableOverlay, find_title, read_options
from service.rations import DAY
from service.refusal import Refused
from service.reports import note_page
from service.said import NO_GAME, TAKE_ANOTHER_NAME
from service.store import ActionRow, GameRow, Letter, NewAction, NewGame, NewSeat, SeatRow, Tx

#: the form of the names of tournament games: tournament, round, table
_BOARD = re.compile(r"(.{2,9})-\d{1,2}-\d{1,3}")


NO_SUCH_THING = "There is no title, optional rule or overlay of such a name."


def proposed(
    tx: Tx,
    service: Service,
    found: re.Match[str],
    organiser: str,
    now: int,
    others: Collection[str] = (),
) -> GameTable:
    """The open game that somebody wants to create, not stored yet. Raises Refused.

    ``others`` are names of games that are not stored yet either.
    """
    name, wanted = found["name"].lower(), found["title"].upper()
    check_name(tx, name, service.commands.entries, others=others)
    text, options = game_options.taken(found["with"] or found["only"] or "")
    variants, overlay = read_options(text)
    try:
        title = find_title(wanted, variants, overlay, service.overlays)
    except (LookupError, UnusableOverlay) as error:
        if any(shown(word) != word for word in (wanted, *variants, overlay) if word):
            # the answer must not repeat text that an email program could make into a link
            raise Refused(NO_SUCH_THING, hint="`help` and the title's page list them.") from error
        text = str(error.args[0])
        end = "" if text.endswith("?") else "."
        raise Refused(f"{text[0].upper()}{text[1:]}{end}") from error
    chosen = game_options.with_options(GameSettings(variants=variants), options)
    row = GameRow(
        id=0,
        name=name,
        title=title.name,
        settings=chosen.stored(),
        status="open",
        head=None,
        organiser=organiser,
        created=now,
        ended=None,
        title_data=title.encode(),
        format=games.FORMAT,
    )
    return GameTable(row, (), None, 0)


def create(tx: Tx, table: GameTable, now: int) -> GameTable:
    """Store a proposed game. Raises Conflict if its name is taken meanwhile."""
    row = table.row
    look = naming.look(row.name)
    new = NewGame(
        row.name, row.title, row.title_data, row.settings, row.organiser, row.format, look
    )
    return replace(table, row=tx.games.add(new, now))


HAS_BEGUN = "{game} has begun; nobody else can join."
STAND_BY_INSTEAD = "`standby {game}` offers you a seat that becomes free."
JOINED_ALREADY = "You have joined {game} as {name} already."
BY_WHICH_NAME = "Your name in the game is missing."


def joined(
    table: GameTable | None,
    service: Service,
    found: re.Match[str],
    address: str,
    now: int,
) -> tuple[GameTable, SeatRow]:
    """The game with the seat that is offered to an address; not stored yet. Raises Refused."""
    if table is None:
        raise Refused(NO_GAME.format(name=shown(found["name"])))
    if why := why_abandoned(table):
        raise Refused(why, hint=SEE_OPEN_GAMES)
    if table.row.status != "open":
        raise Refused(
            HAS_BEGUN.format(game=table.row.name),
            hint=STAND_BY_INSTEAD.format(game=table.row.name),
        )
    own = next((s for s in table.seats if s.address == address), None)
    if own is not None and own.status == "joined":
        raise Refused(
            JOINED_ALREADY.format(game=table.row.name, name=own.name),
            hint="Reply to its emails; `status` shows who has joined.",
        )
    _check_room(table)
    name = (found["seat"] or (own.name if own else "")).strip()
    if not name:
        raise Refused(BY_WHICH_NAME, hint=f"Write: join {table.row.name} as NAME")
    others = [s.name for s in table.seats if s is not own]
    check_player(table.title, table.row.name, name, others, service.commands.entries)
    if own is None:
        seat = SeatRow(
            id=0,
            game_id=table.row.id,
            name=name,
            address=address,
            address_key=address.lower(),
            position=len(table.seats),
            settings=SeatSettings(digest=digest_of(table.mailing, service.digest)).stored(),
            epoch=table.settings.epoch,
            offered=now,
        )
        return replace(table, seats=(*table.seats, seat)), seat
    if own.name == name:
        seat = replace(own, offered=now)
    else:
        # Somebody else may take a seat's name that is given up, whose address this player was sent.
        table = _new_epoch(table)
        seat = replace(own, name=name, epoch=table.settings.epoch, offered=now)
    return replace(table, seats=tuple(seat if one is own else one for one in table.seats)), seat


def store_offer(tx: Tx, table: GameTable, seat: SeatRow) -> None:
    """Store the offer of a seat, which its player must confirm.

    The game or another offer to the same address may have been stored by the same email.
    """
    game = games.stored_id(tx, table)
    own = seat.id or next((s.id for s in tx.seats.of(game) if s.address == seat.address), 0)
    if own:
        tx.games.set_settings(game, table.row.settings)
        tx.seats.offer_anew(own, seat.name, seat.epoch, seat.offered)
        return
    new = NewSeat(
        seat.name, seat.address, seat.position, seat.status, seat.settings, seat.epoch, seat.offered
    )
    tx.seats.add(game, new)


def _new_epoch(table: GameTable) -> GameTable:
    """The game with an epoch that none of its seats has had."""
    latest = max((table.settings.epoch, *(seat.epoch for seat in table.seats)))
    return table.with_settings(msgspec.structs.replace(table.settings, epoch=latest + 1))


def without(table: GameTable, seat: SeatRow) -> GameTable:
    """The game after a seat is given up: its address is void, and anybody may take it."""
    seats = tuple(one for one in table.seats if one.id != seat.id)
    return replace(_new_epoch(table), seats=seats)


def free(tx: Tx, table: GameTable, seat: SeatRow) -> None:
    """Store that a seat is given up before the start."""
    tx.seats.remove(seat.id)
    tx.games.set_settings(table.row.id, without(table, seat).row.settings)


ARE_YOU_SURE = (
    "Nothing is done yet. A canceled game cannot be opened again, and all who have joined get an "
    "email. If you are sure, reply `cancel {game}`."
)
IS_CANCELED = "{game} is canceled. The players who had joined get an email."


def canceled(table: GameTable) -> GameTable:
    """The game, canceled."""
    return replace(table, row=replace(table.row, status="abandoned"))


def offer_ends(table: GameTable, seat: SeatRow, offer_days: int, open_days: int) -> int:
    """The deadline of an invited player to take the seat, in UTC seconds."""
    return min(seat.offered + offer_days * DAY, table.row.created + open_days * DAY)


IS_FULL = "{game} is full: {count} players."
SEE_OPEN_GAMES = "`games` lists games that wait for players."


def _check_room(table: GameTable) -> None:
    """Does not count unconfirmed seats; otherwise anybody could block a game."""
    if len(table.players) >= table.title.seats[-1]:
        raise Refused(
            IS_FULL.format(game=table.row.name, count=len(table.players)),
            hint=SEE_OPEN_GAMES,
        )


def check_player(
    title: Title, where: str, name: str, others: Sequence[str], commands: Sequence[Entry]
) -> None:
    """Raises Refused for an invalid name of a player in a title, next to these others.

    ``where`` is the game or the tournament.
    """
    why = naming.why_no_player(title, where, name, others, commands)
    if why:
        raise Refused(why)


GAME_IS_THERE = "There is a game called {name} already."
TOURNAMENT_IS_THERE = "There is a tournament called {name} already."
NAMES_OF_BOARDS = "Names such as {name} are for boards of the tournament {tournament}."


def check_name(
    tx: Tx,
    name: str,
    commands: Sequence[Entry],
    what: str = "game",
    others: Collection[str] = (),
) -> None:
    """Raises Refused for an invalid name of a new game or tournament.

    ``others`` are names of games that are not stored yet.
    """
    live = [*others, *tx.games.alike(naming.look(name))]
    live += [row.name for row in tx.tournaments.going()]
    taken = GAME_IS_THERE.format(name=name) if name in others else why_taken(tx, name)
    if taken:
        raise Refused(taken, hint=TAKE_ANOTHER_NAME)
    why = naming.why_no_game(name, what, [one for one in live if one != name], commands)
    if why:
        raise Refused(why)


def why_taken(tx: Tx, name: str) -> str:
    """Why a stored game or tournament leaves a name to no other one; "" if it is free."""
    if tx.games.named(name) is not None:
        return GAME_IS_THERE.format(name=name)
    if tx.tournaments.named(name) is not None:
        return TOURNAMENT_IS_THERE.format(name=name)
    owner = _BOARD.fullmatch(name)
    if owner is not None and tx.tournaments.named(owner[1]) is not None:
        return NAMES_OF_BOARDS.format(name=name, tournament=owner[1])
    return ""


BEGUN_WITHOUT_YOU = "{game} has begun without you; nobody else can join."
NOT_KEPT = "The seat is no longer reserved for you."


def taken(table: GameTable, seat: SeatRow) -> GameTable:
    """The game after the address has replied: the seat is taken for good. Raises Refused."""
    name = table.row.name
    if why := why_abandoned(table):
        raise Refused(why, hint=SEE_OPEN_GAMES)
    if table.row.status != "open":
        raise Refused(BEGUN_WITHOUT_YOU.format(game=name), hint=STAND_BY_INSTEAD.format(game=name))
    if all(one.id != seat.id or one.epoch != seat.epoch for one in table.seats):
        raise Refused(NOT_KEPT, hint=f"Write `join {name} as {seat.name}`.")
    _check_room(table)
    seats = (replace(one, status="joined") if one.id == seat.id else one for one in table.seats)
    return replace(table, seats=tuple(seats))


@dataclass(frozen=True)
class Opening:
    """A game about to begin: the rows to store, and the game after that."""

    step: NewAction
    begun: GameTable


HAS_BEGUN_ALREADY = "{game} has begun already."
WRONG_NUMBER = "{title} is for {fewest} to {most} players; {count} have joined {game}."


def opening(table: GameTable, secret: bytes, now: int) -> Opening:
    """Draw seats and priority by lot and set up the game; stores nothing. Raises Refused."""
    if table.row.status != "open":
        raise Refused(why_abandoned(table) or HAS_BEGUN_ALREADY.format(game=table.row.name))
    names = [seat.name for seat in table.seats if seat.status == "joined"]
    if len(names) not in table.title.seats:
        fewest, most = table.title.seats[0], table.title.seats[-1]
        why = WRONG_NUMBER.format(
            title=table.title.name,
            fewest=fewest,
            most=most,
            count=len(names),
            game=table.row.name,
        )
        raise Refused(why)
    return opening_by(table, seed_of(secret, table.row.name, names), now)


def opening_by(table: GameTable, seed: int, now: int) -> Opening:
    """The game that this lot sets up for the people who joined; stores nothing."""
    names = [seat.name for seat in table.seats if seat.status == "joined"]
    outcome = engine.new_game(table.title, sorted(names), seed)
    seats = tuple(
        replace(seat, position=_position(seat.name, outcome.state.seats)) for seat in table.seats
    )
    step = games.opening_step(table.title, outcome.state, outcome.events)
    settings = msgspec.structs.replace(table.settings, seed=seed)
    row = replace(table.row, status="running", settings=settings.stored())
    head = ActionRow(id=0, game_id=row.id, at=now, **vars(step))
    return Opening(step, GameTable(row, seats, head, 1, mailing=table.mailing))


def _position(name: str, seats: Sequence[str]) -> int:
    return seats.index(name) if name in seats else -1


def seed_of(secret: bytes, game: str, names: Sequence[str]) -> int:
    """The seed of a game: nobody knows it before, and it is the same after a crash."""
    text = "\n".join((game, *sorted(names))).encode()
    return int.from_bytes(hashlib.blake2b(text, key=secret[:64], digest_size=6).digest(), "big")


PLAYERS_SO_FAR = "Players so far: {names}."
NO_PLAYERS_SO_FAR = "Players so far: nobody."


def to_organiser(desk: Desk, table: GameTable, text: str) -> Letter:
    """To the organizer: somebody's act, the players now, and how to start the game."""
    name = table.row.name
    players = ", ".join(seat.name for seat in table.players)
    so_far = PLAYERS_SO_FAR.format(names=players) if players else NO_PLAYERS_SO_FAR
    lines = (so_far, *how_to_start(table))
    subject, about = f"[{name}] {text}", desk.service.about(name, table.title)
    commands = ("start",) if REPLY_START in lines else ()
    page = note_page(of_organiser(name), subject, text, lines, commands, about=about)
    return desk.to_organiser("notice", table.row, page)


HOLDS_NO_MORE = "Your old seat address no longer works. You need not do anything."


def notices(desk: Desk, table: GameTable, seats: Sequence[SeatRow], text: str) -> list[Letter]:
    """To people whose seat addresses are void."""
    name = table.row.name
    about = desk.service.about(name, table.title)
    page = note_page(EVERYBODY, f"[{name}] {text}", text, (HOLDS_NO_MORE,), about=about)
    return [
        desk.to_stranger("notice", seat.address, page, reader=f"seat-{seat.id}") for seat in seats
    ]


CANCELED_HEADLINE = "{game} was canceled by its organizer before it began."
SEAT_GIVEN = "{game}: the organizer has given your seat to others to take."
HAS_LEFT = "{name} has left {game}."


def changes_before_start(
    desk: Desk, before: GameTable, after: GameTable, writer: str
) -> list[Letter]:
    """To everybody concerned by changes before the start, once each; the writer gets a receipt.

    ``writer`` is a holder.
    """
    if after is before:
        return []
    name, told = before.row.name, informed(before, writer)
    joined = [seat for seat in before.players if seat.name in told]
    if after.canceled:
        return notices(desk, before, joined, CANCELED_HEADLINE.format(game=name))
    kept = {seat.id for seat in after.seats}
    text = SEAT_GIVEN.format(game=name)
    letters = notices(desk, before, [seat for seat in joined if seat.id not in kept], text)
    left = any(seat.name == writer and seat.id not in kept for seat in before.players)
    if left and writer != before.organisers_seat:
        letters.append(to_organiser(desk, after, HAS_LEFT.format(name=writer, game=name)))
    return letters
