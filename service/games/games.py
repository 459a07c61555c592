"""A game as the moderator works on it: the store's bytes become the engine's values here."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import msgspec

import engine
from engine import Event, State, Title
from engine.telling.narration import narrate_all
from service.games.playing import Played
from service.reports import Said, Told
from service.store import ActionRow, GameRow, SeatRow, Step, TalkRow, Tx

News = Literal["all", "rounds", "off"]


class SeatSettings(msgspec.Struct, frozen=True):
    """What a player has chosen about his mails."""

    images: bool = True
    news: News = "all"


class GameSettings(msgspec.Struct, frozen=True):
    """What an organiser has chosen; ``seed`` draws the seats when the game starts."""

    variants: tuple[str, ...] = ()
    seed: int = 0


@dataclass(frozen=True)
class Table:
    """A game with its players and its present position."""

    row: GameRow
    seats: tuple[SeatRow, ...]
    head: ActionRow | None
    next_number: int

    @cached_property
    def title(self) -> Title:
        """The title with the facts the game began with."""
        return engine.decode_title(self.row.title_data)

    @cached_property
    def state(self) -> State:
        """The present position; only a game that runs, or has run, has one."""
        assert self.head is not None and self.head.snapshot is not None
        return engine.decode_state(self.head.snapshot)

    @property
    def settings(self) -> GameSettings:
        """The organiser's choices."""
        return msgspec.json.decode(self.row.settings, type=GameSettings)

    def seat(self, name: str) -> SeatRow:
        """The row of a seat."""
        return next(seat for seat in self.seats if seat.name == name)

    @property
    def players(self) -> tuple[SeatRow, ...]:
        """The seats that play, in seating order once the game has begun."""
        joined = (seat for seat in self.seats if seat.status == "joined")
        return tuple(sorted(joined, key=lambda seat: seat.position))

    def to_act(self) -> tuple[str, ...]:
        """Who must decide; nobody unless the game is running."""
        if self.row.status != "running":
            return ()
        return engine.to_act(self.title, self.state)


def seat_settings(seat: SeatRow) -> SeatSettings:
    """A player's choices."""
    return msgspec.json.decode(seat.settings, type=SeatSettings)


def load(tx: Tx, name: str) -> Table | None:
    """The game of that name, or None."""
    row = tx.game(name)
    if row is None:
        return None
    return Table(row, tx.seats(row.id), tx.head(row.id), tx.next_number(row.id))


@dataclass(frozen=True)
class Past:
    """A past action as it was stored."""

    number: int
    seat: str
    events: tuple[Event, ...]
    #: the position after it, where it is kept, and the mail that it came with
    snapshot: bytes | None = None
    mail: int | None = None

    def told(self, title: Title) -> Told:
        """It in words."""
        return Told(self.number, self.seat, tuple(narrate_all(title, self.events)))


def recent(tx: Tx, table: Table, enough: Callable[[Sequence[Past]], bool]) -> list[Past]:
    """The latest actions of the game's line, as far back as ``enough`` asks for."""
    count = 40
    while True:
        since = max(table.next_number - count, -1)
        rows = tx.actions(table.row.id, since)
        past = [
            Past(r.number, r.seat, engine.decode_events(r.events), r.snapshot, r.inbox_id)
            for r in rows
        ]
        if since == -1 or enough(past):
            return past
        count *= 4


def asks(title: Title, state: State) -> tuple[str, tuple[str, ...]]:
    """What is to be decided, and by whom: while this stays the same nobody else need be told."""
    return engine.decision(state), engine.to_act(title, state)


def untold(table: Table, past: Sequence[Past]) -> list[Past]:
    """The latest actions after which the same was still to be decided as before their mail.

    Nobody but their player was told of them when they happened.
    """
    now, found = asks(table.title, table.state), len(past)
    while found:
        start = found - 1
        while start > 0 and past[start - 1].mail == past[start].mail is not None:
            start -= 1
        before = past[start - 1].snapshot if start else None
        if before is None or asks(table.title, engine.decode_state(before)) != now:
            break
        found = start
    return list(past[found:])


def steps(table: Table, played: Sequence[Played], inbox_id: int | None) -> list[Step]:
    """Rows for actions in their order; each one's parent is filled in when it is stored."""
    edition = table.title.facts.edition
    return [
        Step(
            parent=None,
            number=p.number,
            seat=p.seat,
            text=p.text,
            action=engine.encode(p.action),
            events=engine.encode(p.events),
            rules=edition,
            digest=engine.digest(p.state),
            snapshot=engine.encode(p.state),
            inbox_id=inbox_id,
            line=index,
        )
        for index, p in enumerate(played)
    ]


def said(rows: Sequence[TalkRow]) -> tuple[Said, ...]:
    """What was said at the table."""
    return tuple(Said(row.seat, row.text, row.number) for row in rows)
