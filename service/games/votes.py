"""Votes of the players: what can be voted on, whose votes count, and what a vote brings about.

It knows positions and ballots, but no mail, no database and no clock.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from msgspec.structs import replace as with_fields

import engine
from engine import Seat
from engine.wording import counted, cut
from service.clocks.zones import DAY
from service.commands.command import Command
from service.games import batches, games, timing
from service.games.changes import Change, Request, TakenBack, Went, make, nothing, take_back
from service.games.games import GameTable
from service.games.orders import Book
from service.games.playing import Played
from service.orders import values as v
from service.orders.holding import holds
from service.orders.sight import Sight
from service.store import ActionRow, Tx, VoteRow

#: seconds after which silence is a no
WITHIN = 72 * 3600
Kind = Literal["undo", "end", "extend", "replace", "runs", "batch", "clock"]
VoteStatus = Literal["open", "passed", "failed", "lapsed"]
#: acts that are told of a vote on taking them back, and characters of them
_MOST, _TOLD = 6, 300


@dataclass(frozen=True)
class VotedLine:
    """The steps that led to the position that stands, as far back as any vote asks."""

    rows: tuple[ActionRow, ...] = ()

    def at(self, number: int) -> ActionRow | None:
        """The step that led to a position; None where it is not, or no longer, on the line."""
        return next((row for row in self.rows if row.number == number), None)

    def after(self, number: int) -> tuple[ActionRow, ...]:
        """The steps that taking back to a position would take back."""
        return tuple(row for row in self.rows if row.number > number)


def poll_of(tx: Tx, table: GameTable, book: Book, since: int) -> "Poll":
    """What a vote is counted by; the steps from position ``since`` on, and of all open votes."""
    open_ = [int(v.about) for v in table.votes if (v.kind, v.status) == ("undo", "open")]
    rows = tx.log.actions(table.row.id, min([since, *open_]) - 1)
    clock = any(row.due is not None for row in tx.games.waiting(table.row.id))
    return Poll(table, VotedLine(rows), book, clock)


@dataclass(frozen=True)
class Poll:
    """A table with its votes and what they may be about."""

    table: GameTable
    line: VotedLine = VotedLine()
    book: Book = field(default_factory=Book)
    #: whether anybody must act by a time
    clock: bool = False

    def due(self, vote: VoteRow, since: int, now: int) -> int:
        """When the last of those whom a vote asks has had the time for it that counts for them.

        Where nobody can tell, as in a game that is held, it is looked at again in a day.
        """
        silent = [seat for seat in self.voters(vote) if seat not in dict(vote.ballots)]
        times = [timing.vote_due(self.table, seat, since, WITHIN) for seat in silent]
        known = [now + DAY if at is None else at for at in times]
        return max([since + WITHIN, *known])

    def voters(self, vote: VoteRow) -> tuple[Seat, ...]:
        """Whose votes count as things stand, in seating order."""
        seats = tuple(seat.name for seat in self.table.players)
        if vote.kind == "replace":
            return tuple(seat for seat in seats if seat != vote.about)
        if vote.kind == "undo":
            acted = {row.seat for row in self.line.after(int(vote.about))}
            return tuple(seat for seat in seats if seat in acted)
        return seats

    def needed(self, vote: VoteRow) -> int:
        """How many of them must say yes."""
        count = len(self.voters(vote))
        return count // 2 + 1 if vote.kind == "extend" else count

    def outcome(self, vote: VoteRow, *, due: bool = False) -> VoteStatus:
        """What has become of a vote; ``due`` when who is silent has said no."""
        if vote.kind == "undo" and self.line.at(int(vote.about)) is None:
            return "lapsed"
        voters, needed = self.voters(vote), self.needed(vote)
        said = dict(vote.ballots)
        if sum(said.get(seat, False) for seat in voters) >= needed:
            return "passed"
        left = sum(said.get(seat, not due) for seat in voters)
        return "failed" if left < needed else "open"

    def over(self, vote: VoteRow, status: VoteStatus) -> VoteRow:
        """The vote as it ends now, with those who were asked and said nothing."""
        said = dict(vote.ballots)
        voters = () if status == "lapsed" else self.voters(vote)
        silent = tuple(seat for seat in voters if seat not in said)
        return replace(vote, status=status, closed=self.table.state.number, silent=silent)

    def asked(self, vote: VoteRow) -> VoteRow:
        """The vote with the ballots of those who have given theirs ahead."""
        cast_ = dict(vote.ballots)
        for seat in self.voters(vote):
            said = self._ahead(vote, seat) if seat not in cast_ else None
            if said is not None:
                cast_[seat] = said
        return replace(vote, ballots=tuple(cast_.items()))

    def _ahead(self, vote: VoteRow, seat: Seat) -> bool | None:
        """How a seat votes by its orders, the first that fits; None where none does."""
        for order in self.book.of(seat):
            for act in acts(order.order):
                ballot = act.ahead
                if not isinstance(ballot, v.Ballot):
                    continue
                meant = ballot.kind in ("", vote.kind) and ballot.by in ("", vote.by)
                sight = Sight(self.table.title, self.table.state, seat, (), frozenset())
                if meant and all(holds(g.test, sight) != g.unless for g in act.guards):
                    return ballot.yes
        return None


def acts(order: v.Order) -> Iterator[v.Act]:
    """All that an order may do, or answer, in any of its turns."""
    return (act for step in order.steps for action in step.actions for act in action.acts)


def votes_ahead(order: v.Order) -> bool:
    """Whether an order gives a vote ahead."""
    return any(isinstance(act.ahead, v.Ballot) for act in acts(order))


def said(vote: VoteRow, seat: Seat, *, yes: bool) -> VoteRow:
    """The vote with a seat's ballot; the latest one counts."""
    return replace(vote, ballots=tuple({**dict(vote.ballots), seat: yes}.items()))


UNDO = "undo to #{position}"
END = "end the game now, with everybody's worth as it is"
MORE_TIME = "{time} more for everybody who must act"
REPLACE = "replace {name}"
CLOCK = "clock {clock}"
RUNS_FREE = "presidents may run for less"
RUNS_BEST = "companies run for the most they can"


def about(vote: VoteRow) -> str:
    """What is voted on, in a few words."""
    match vote.kind:
        case "undo":
            return UNDO.format(position=vote.about)
        case "end":
            return END
        case "extend":
            return _more(vote.about)
        case "replace":
            return REPLACE.format(name=vote.about)
        case "batch":
            return batches.about(batches.read_times(vote.about) or ())
        case "clock":
            return CLOCK.format(clock=vote.about)
        case _:
            return RUNS_FREE if vote.about == "free" else RUNS_BEST


def _more(seconds: str) -> str:
    hours = int(seconds) // 3600
    if hours % 24 == 0 and hours > 24:
        return MORE_TIME.format(time=counted(hours // 24, "day"))
    return MORE_TIME.format(time=counted(hours, "hour"))


AND_MORE = "{acts}; and {count} more"


def vanishing(poll: Poll, vote: VoteRow) -> str:
    """What a vote on taking back would take back, as far as it can be told shortly."""
    rows = poll.line.after(int(vote.about)) if vote.kind == "undo" else ()
    told = [f"{row.seat} {row.text}".strip() for row in rows]
    first = cut("; ".join(told[:_MOST]), _TOLD)
    return AND_MORE.format(acts=first, count=len(told) - _MOST) if len(told) > _MOST else first


AGREED = "Vote {number} ({about}, proposed by {name}) is over: agreed."
NOT_AGREED = "Vote {number} ({about}, proposed by {name}) is over: not agreed."
VOID_PLAYER = (
    "Vote {number} ({about}, proposed by {name}) is canceled: the seat has another player."
)
VOID_POSITION = (
    "Vote {number} ({about}, proposed by {name}) is canceled: that position was taken back."
)
YES = "Yes: {names}."
NOBODY_YES = "Yes: nobody."
NO = "No: {names}."
NOBODY_NO = "No: nobody."
SILENT = "Silent: {names}."


def result(vote: VoteRow) -> str:
    """How a vote ended and who voted what, in sentences."""
    void = VOID_PLAYER if vote.kind == "replace" else VOID_POSITION
    ends = {"passed": AGREED, "failed": NOT_AGREED, "lapsed": void}
    parts = [ends[vote.status].format(number=vote.number, about=about(vote), name=vote.by)]
    for wanted, those, nobody in ((True, YES, NOBODY_YES), (False, NO, NOBODY_NO)):
        names = [seat for seat, yes in dict(vote.ballots).items() if yes == wanted]
        parts.append(those.format(names=", ".join(names)) if names else nobody)
    if vote.silent:
        parts.append(SILENT.format(names=", ".join(vote.silent)))
    return " ".join(parts)


# what it brings about


def taken(poll: Poll, number: int) -> TakenBack:
    """What a vote takes back; the position is on the line."""
    row = poll.line.at(number)
    assert row is not None
    texts = tuple(step.text for step in poll.line.after(number))
    return TakenBack(row.id, row.number, games.state(row), texts)


AGREED_TO_END = "the players agreed to end the game"


def change(poll: Poll, vote: VoteRow) -> Change:
    """What a vote that was agreed on makes of the game; what is no matter of it changes nothing."""
    table = poll.table
    if vote.kind == "undo":
        return take_back(table, taken(poll, int(vote.about)))
    if vote.kind == "end":
        return ended(table, AGREED_TO_END)
    if vote.kind == "runs":
        return make(table, *_settled(table, free=vote.about == "free"))
    return nothing(table)


def ended(table: GameTable, text: str, cause: str = "agreement") -> Change:
    """The game is over, with everybody's worth as it is; nothing waits any more."""
    number = table.next_number
    state = with_fields(table.state, number=number - 1)
    end = engine.agreed_end(table.title, state, cause)
    played = Played(number, 0, "", text, None, end.state, end.events)
    return Change(table, end.state, (played,), went=tuple(Went(a) for a in table.ahead))


def _settled(table: GameTable, *, free: bool) -> Iterator[Request]:
    """Every player lets presidents run as they like, or none does."""
    for seat in table.state.seats:
        if (seat in table.state.insist) == free:
            text = "insist off" if free else "insist on"
            yield Request(seat, (Command(0, "play", text, text),))
