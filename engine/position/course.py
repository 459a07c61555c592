"""A position in the making: its fields, what waits on its stack, how rounds and the game go on."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Any, cast

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
    """What is being decided and when it ends; all fields of a state, for the verbs to change."""

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
        # every action makes a draft: its fields one by one would be a good part of the work
        self.__dict__ = dict(vars(state)) if isinstance(state, DraftBase) else structs.asdict(state)
        self.events: list[Event] = []
        self.title = title
        # It has all fields of a state, and a table only reads.
        self.table = Table(title, cast(State, self))

    def commit(self) -> State:
        """The new state, one action further."""
        self.number += 1
        state = State(*_values(vars(self)))
        # draft and table hold each other: only the collector of garbage would find them
        self.table.at = state
        return state

    def record(self, event: Event) -> None:
        """Note what happened."""
        self.events.append(event)

    def _write(self, name: str) -> Any:  # noqa: ANN401 - one of the dict fields
        # always a copy: `Table.recall` knows by the dict itself that nothing in it has changed
        copy = dict(getattr(self, name))
        setattr(self, name, copy)
        return copy

    # the stack of frames

    def push(self, frame: Frame) -> None:
        """Wait for something else first."""
        self.stack = (*self.stack, frame)

    def pop(self) -> Frame:
        """The top frame is settled."""
        frame = self.stack[-1]
        self.stack = self.stack[:-1]
        return frame

    def replace(self, frame: Frame) -> None:
        """The top frame goes on with other data."""
        self.stack = (*self.stack[:-1], frame)

    def drop_frames(self, company: CompanyId) -> None:
        """Nothing of a company is to be decided any more."""
        self.stack = tuple(f for f in self.stack if getattr(f, "company", "") != company)

    def replace_below(self, depth: int, frame: Frame) -> None:
        """The frame ``depth`` below the top goes on with other data."""
        at = len(self.stack) - 1 - depth
        self.stack = (*self.stack[:at], frame, *self.stack[at + 1 :])

    # the course of the game

    def begin_round(self, now: Round) -> None:
        """A round begins, or the next part of one."""
        self.round = now

    def begin_phase(self, phase: str) -> None:
        """A phase begins."""
        self.phase = phase

    def deal_to(self, seat: Seat) -> None:
        """Give a player the priority deal."""
        self.priority = seat

    def insist_on_best_runs(self, seats: tuple[Seat, ...]) -> None:
        """These players, and no others, insist on the best runs of companies they hold."""
        self.insist = seats

    def end(self) -> None:
        """Nothing is decided any more."""
        self.stack = ()

    # the end

    def foresee(self, ending: Ending) -> None:
        """The game will end, or changes how it ends."""
        self.ending = ending

    def foresee_end(self, cause: str, rounds: int) -> None:
        """The end is certain after ``rounds`` more operating rounds beyond the present round.

        Where a set of operating rounds is always completed it comes after the present or next set.
        """
        full = self.title.facts.full_set_end
        self.foresee(Ending(cause, 0 if full else rounds, full_set=full))
        self.record(EndForeseen(cause))
