"""Base of a draft: its fields, its stack of frames, the course of rounds and of the game."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Any

from msgspec import structs

from engine.events import EndForeseen, Event
from engine.position.table import Table
from engine.position.values import (
    Bid,
    CompanyId,
    Ending,
    Holding,
    Mark,
    Owner,
    PrivateId,
    Round,
    Seat,
    State,
    Station,
    Token,
    TrainType,
)

if TYPE_CHECKING:
    from engine.facts.title import Title
    from engine.position.frames import Frame

_values = itemgetter(*State.__struct_fields__)


class DraftBase:
    """All fields of a state, for the verbs to change; with the verbs for decisions and the end."""

    number: int
    seats: tuple[Seat, ...]
    priority: Seat
    round: Round
    phase: str
    stack: tuple[Frame, ...]
    cash: dict[Owner, int]
    shares: dict[CompanyId, dict[Owner, tuple[int, ...]]]
    presidents: dict[CompanyId, Seat]
    pars: dict[CompanyId, int]
    tokens: tuple[Token, ...]
    floated: tuple[CompanyId, ...]
    turns: dict[CompanyId, int]
    trains: dict[Owner, tuple[TrainType, ...]]
    privates: dict[PrivateId, Owner]
    spent: tuple[PrivateId, ...]
    bids: dict[PrivateId, tuple[Bid, ...]]
    marks: tuple[Mark, ...]
    tiles: dict[str, tuple[str, int]]
    stations: dict[str, tuple[Station, ...]]
    charters: dict[CompanyId, int]
    sold: dict[Seat, tuple[CompanyId, ...]]
    insist: tuple[Seat, ...]
    earned: dict[CompanyId, int]
    ending: Ending | None
    idle: tuple[CompanyId, ...]
    loans: dict[CompanyId, int]
    bonds: dict[Owner, int]
    ferries: dict[str, Owner]
    out: tuple[Seat, ...]
    gone: tuple[CompanyId, ...]
    shut: tuple[str, ...]
    connected: dict[str, CompanyId]
    heirs: dict[PrivateId, Owner]
    receivers: dict[CompanyId, Seat]
    borrowing: tuple[CompanyId, ...]
    taken_over: tuple[CompanyId, ...]
    formed: dict[CompanyId, tuple[CompanyId, ...]]
    excess: dict[CompanyId, Holding]
    receiverships: tuple[CompanyId, ...]

    def __init__(self, title: Title, state: State | DraftBase) -> None:
        # every action makes a draft; copying the fields one by one would take a large part of the
        # time
        self.__dict__ = dict(vars(state)) if isinstance(state, DraftBase) else structs.asdict(state)
        self.events: list[Event] = []
        self.title = title
        # a draft has all fields of a state, and a table only reads them
        self.table = Table(title, self)  # type: ignore[arg-type]

    def commit(self) -> State:
        """The new state, with the action number increased by one."""
        self.number += 1
        state = State(*_values(vars(self)))
        # otherwise draft and table refer to each other, and only the garbage collector frees them
        self.table.at = state
        return state

    def record(self, event: Event) -> None:
        """Add an event."""
        self.events.append(event)

    def _write(self, name: str) -> Any:  # noqa: ANN401 - one of the dict fields
        # always a copy: `Table.recall` recognizes an unchanged field by the identity of its dict
        copy = dict(getattr(self, name))
        setattr(self, name, copy)
        return copy

    # the stack of frames

    def push(self, frame: Frame) -> None:
        """Put a frame on top of the stack, to wait for it first."""
        self.stack = (*self.stack, frame)

    def pop(self) -> Frame:
        """Remove the top frame, which is settled."""
        frame = self.stack[-1]
        self.stack = self.stack[:-1]
        return frame

    def replace(self, frame: Frame) -> None:
        """Replace the top frame."""
        self.stack = (*self.stack[:-1], frame)

    def drop_frames(self, company: CompanyId) -> None:
        """Remove all frames of a company."""
        self.stack = tuple(f for f in self.stack if getattr(f, "company", "") != company)

    def replace_below(self, depth: int, frame: Frame) -> None:
        """Replace the frame ``depth`` below the top."""
        at = len(self.stack) - 1 - depth
        self.stack = (*self.stack[:at], frame, *self.stack[at + 1 :])

    # the course of the game

    def begin_round(self, now: Round) -> None:
        """Begin a round, or the next part of one."""
        self.round = now

    def begin_phase(self, phase: str) -> None:
        """Begin a phase."""
        self.phase = phase

    def deal_to(self, seat: Seat) -> None:
        """Give a player the priority deal."""
        self.priority = seat

    def insist_on_best_runs(self, seats: tuple[Seat, ...]) -> None:
        """Let these players, and no others, insist on the best runs of companies they hold."""
        self.insist = seats

    def end(self) -> None:
        """Remove all decisions: the game is over."""
        self.stack = ()

    # the end

    def foresee(self, ending: Ending) -> None:
        """Record that the game will end, or that it will end in another way."""
        self.ending = ending

    def foresee_end(self, cause: str, rounds: int) -> None:
        """Record that the game ends ``rounds`` more operating rounds after the present round.

        If a set of operating rounds is always completed, the end comes after the present or next
        set.
        """
        full = self.title.facts.full_set_end
        self.foresee(Ending(cause, 0 if full else rounds, full_set=full))
        self.record(EndForeseen(cause))
