"""Games before they begin: creating, joining with a confirmed address, starting by lot."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from random import Random

import msgspec

import engine
from engine import Title
from engine.notation import verbs
from engine.notation.words import key
from service.games.commands import DEEDS, QUERIES
from service.games.games import GameSettings, SeatSettings, Table, load
from service.games.overlays import OverlayError, find_title, read_options
from service.store import ActionRow, Conflict, SeatRow, Step, Tx

_CREATE = re.compile(
    r"create\s+(?P<title>\w+)\s+(?P<name>[^\s,]+)"
    r"(?:,?\s+(?:with|options?:?)\s+(?P<with>.+)|,?\s+(?P<only>overlay\s+\S+))?",
    re.I,
)
_JOIN = re.compile(r"join\s+(?P<name>\S+)(?:\s+as\s+(?P<seat>\S.*))?", re.I)
_START = re.compile(r"start(?:\s+(?P<name>\S+))?", re.I)
_NAME = re.compile(r"(?=.{2,16}$)[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_SEAT = re.compile(r"[^\W\d_][\w.'-]{0,15}")
_FORBIDDEN = {
    *("all", "bank", "everybody", "me", "moderator", "none", "nobody", "organiser", "waybill"),
    # words that stand where a command names a player or a company
    *("for", "from", "ipo", "market", "offering", "pool", "to", "company", "player", "private"),
    *("share", "shares", "train", "trains", "done", "pass", "yes", "no", *QUERIES, *DEEDS),
}


class Refused(Exception):
    """Something in the lobby that cannot be done; says why and what would do."""


@dataclass(frozen=True)
class Created:
    """A game that was just created."""

    name: str
    title: Title


def read(line: str) -> tuple[str, re.Match[str]] | None:
    """Which word of the lobby a line begins with, and its parts; None if with none."""
    for word, pattern in (("create", _CREATE), ("join", _JOIN), ("start", _START)):
        found = pattern.fullmatch(line.strip())
        if found:
            return word, found
    return None


def usage(line: str) -> str:
    """How a line that begins like a word of the lobby should look, or ""."""
    word = line.strip().split(" ")[0].lower() if line.strip() else ""
    return {
        "create": "create TITLE NAME, for example: create 18AL dixie7 with two-yellow",
        "join": "join NAME as YOU, for example: join dixie7 as Bob",
        "start": "start NAME, for example: start dixie7",
    }.get(word, "")


def create(
    tx: Tx, found: re.Match[str], organiser: str, now: int, overlays: Path | None = None
) -> Created:
    """A new open game; ``overlays`` is the folder of own facts. Raises Refused."""
    name, wanted = found["name"].lower(), found["title"].upper()
    if not _NAME.fullmatch(name):
        raise Refused(
            f"{name} cannot be a game's name. Take 2 to 16 letters, digits and hyphens, "
            "a letter first."
        )
    if tx.game(name) is not None:
        raise Refused(f"There is a game called {name} already. Take another name.")
    variants, overlay = read_options(found["with"] or found["only"] or "")
    try:
        title = find_title(wanted, variants, overlay, overlays)
    except (LookupError, OverlayError) as error:
        text = str(error.args[0])
        end = "" if text.endswith("?") else "."
        raise Refused(f"{text[0].upper()}{text[1:]}{end}") from error
    settings = msgspec.json.encode(GameSettings(variants=variants))
    tx.add_game(name, title.name, title.encode(), settings, organiser, now)
    return Created(name, title)


def join(tx: Tx, found: re.Match[str], address: str) -> tuple[Table, SeatRow]:
    """A seat that is to be confirmed from its address. Raises Refused."""
    table = load(tx, found["name"].lower())
    if table is None:
        raise Refused(f"There is no game called {found['name']}. `games` lists those there are.")
    if table.row.status != "open":
        raise Refused(f"{table.row.name} has begun; nobody can join any more.")
    own = next((s for s in table.seats if s.address == address), None)
    if own is not None and own.status == "joined":
        raise Refused(f"You have joined {table.row.name} as {own.name} already.")
    _check_room(table)
    seat = (found["seat"] or (own.name if own else "")).strip()
    if not seat:
        raise Refused(f"By which name? Write: join {table.row.name} as NAME")
    others = [s.name for s in table.seats if s is not own]
    _check_seat(table, seat, others)
    if own is not None:
        renamed = replace(own, name=seat)
        tx.set_seat(renamed)
        return table, renamed
    settings = msgspec.json.encode(SeatSettings())
    row = tx.add_seat(table.row.id, seat, address, len(table.seats), "invited", settings)
    return table, row


def _check_room(table: Table) -> None:
    """Seats that wait for their owner's yes are not counted, or anybody could block a game."""
    if len(table.players) >= table.title.seats[-1]:
        raise Refused(f"{table.row.name} is full: {len(table.players)} players.")


def _check_seat(table: Table, seat: str, others: Sequence[str]) -> None:
    if not _SEAT.fullmatch(seat):
        raise Refused(f"{seat} cannot be a player's name: one word of up to 16 letters, please.")
    title = table.title
    also = {a for p in title.facts.private for a in p.also}
    also |= {a for c in title.facts.company for a in c.also}
    taken = {key(w) for w in (*title.companies, *title.privates, *also)} | _FORBIDDEN
    if key(seat) in taken or key(seat) in {key(verb.verb) for verb in verbs(title)}:
        raise Refused(f"{seat} means something else in {title.name}. Take another name.")
    if key(seat) in {key(other) for other in others}:
        raise Refused(f"Somebody is called {seat} in {table.row.name} already.")


def confirm(tx: Tx, name: str, seat: SeatRow) -> Table:
    """The address has answered: the seat is taken for good. The game then; raises Refused."""
    table = load(tx, name)
    if table is None or table.row.status != "open":
        raise Refused(f"{name} has begun without you; nobody can join any more.")
    _check_room(table)
    tx.set_seat(replace(seat, status="joined"))
    return replace(table, seats=tx.seats(table.row.id))


@dataclass(frozen=True)
class Opening:
    """A game about to begin: what is stored, and the game as it is then."""

    step: Step
    begun: Table


def opening(table: Table, secret: bytes, inbox_id: int, now: int) -> Opening:
    """Draw seats and priority by lot and set the game up; stores nothing. Raises Refused."""
    if table.row.status != "open":
        raise Refused(f"{table.row.name} has begun already.")
    names = [seat.name for seat in table.seats if seat.status == "joined"]
    if len(names) not in table.title.seats:
        numbers = f"{table.title.seats[0]} to {table.title.seats[-1]}"
        raise Refused(
            f"{table.title.name} is for {numbers} players; {len(names)} have joined "
            f"{table.row.name}."
        )
    seed = lot(secret, table.row.name, names)
    outcome = engine.new_game(table.title, sorted(names), seed)
    seats = tuple(
        replace(seat, position=_position(seat.name, outcome.state.seats)) for seat in table.seats
    )
    step = Step(
        parent=None,
        number=0,
        seat="",
        text="",
        action=b"",
        events=engine.encode(outcome.events),
        rules=table.title.facts.edition,
        digest=engine.digest(outcome.state),
        snapshot=engine.encode(outcome.state),
        inbox_id=inbox_id,
        line=0,
    )
    settings = GameSettings(variants=table.settings.variants, seed=seed)
    row = replace(table.row, status="running", settings=msgspec.json.encode(settings))
    head = ActionRow(
        id=0, game_id=row.id, at=now, **{f.name: getattr(step, f.name) for f in fields(step)}
    )
    return Opening(step, Table(row, seats, head, 1))


def _position(name: str, seats: Sequence[str]) -> int:
    return seats.index(name) if name in seats else -1


def store_opening(tx: Tx, opening: Opening, now: int) -> None:
    """Store what `opening` set up; raises Conflict if the game has begun meanwhile."""
    row = opening.begun.row
    for seat in opening.begun.seats:
        tx.set_seat(seat)
    if not tx.move_head(row.id, None, tx.add_action(row.id, opening.step, now)):
        raise Conflict(f"{row.name} has begun")
    tx.set_settings(row.id, row.settings)
    tx.set_status(row.id, "running", now)


def seating(secret: bytes, game: str, names: Sequence[str]) -> list[str]:
    """The players as the lot seats them, whatever order they joined in."""
    order = sorted(names)
    Random(lot(secret, game, names)).shuffle(order)
    return order


def lot(secret: bytes, game: str, names: Sequence[str]) -> int:
    """The seed for a game: nobody can know it before, and the same again after a crash."""
    text = "\n".join((game, *sorted(names))).encode()
    return int.from_bytes(hashlib.blake2b(text, key=secret[:64], digest_size=6).digest(), "big")
