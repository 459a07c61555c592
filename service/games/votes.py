"""Votes of the players: their subjects, the voters who count, and their effects.

It knows positions and ballots, but no email, no database and no clock.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from msgspec.structs import replace as with_fields

import engine
from engine import Seat
from engine.wording import counted, cut
from service import ballots
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

#: the seconds after which silence counts as a no
WITHIN = 72 * 3600
PollStatus = Literal["open", "passed", "failed", "lapsed"]
#: the most actions that a vote on an undo names, and the most characters of them
_MOST, _TOLD = 6, 300


@dataclass(frozen=True)
class VotedLine:
    """The steps that led to the present position, as far back as any vote needs."""

    rows: tuple[ActionRow, ...] = ()

    def at(self, number: int) -> ActionRow | None:
        """The step that led to a position; None if it is not, or no longer, on the line."""
        return next((row for row in self.rows if row.number == number), None)

    def after(self, number: int) -> tuple[ActionRow, ...]:
        """The steps that a return to a position would take back."""
        return tuple(row for row in self.rows if row.number > number)


def poll_of(tx: Tx, table: GameTable, book: Book, since: int) -> "Poll":
    """All that a count needs, with the steps since position ``since`` and since all open votes."""
    open_ = [int(v.about) for v in table.votes if (v.kind, v.status) == ("undo", "open")]
    rows = tx.log.actions(table.row.id, min([since, *open_]) - 1)
    clock = any(row.due is not None for row in tx.games.waiting(table.row.id))
    return Poll(table, VotedLine(rows), book, clock)


@dataclass(frozen=True)
class Poll:
    """A game with its votes and their subjects."""

    table: GameTable
    line: VotedLine = VotedLine()
    book: Book = field(default_factory=Book)
    #: whether the game has a clock
    clock: bool = False

    def due(self, vote: VoteRow, since: int, now: int) -> int:
        """When all asked players have had their charged time for a vote.

        If nobody can tell, as in a game on hold, Waybill checks again in a day.
        """
        silent = ballots.silent(vote.ballots, self.voters(vote))
        times = [timing.vote_due(self.table, seat, since, WITHIN) for seat in silent]
        known = [now + DAY if at is None else at for at in times]
        return max([since + WITHIN, *known])

    def voters(self, vote: VoteRow) -> tuple[Seat, ...]:
        """The seats whose votes count now, in seating order."""
        seats = tuple(seat.name for seat in self.table.players)
        if vote.kind == "replace":
            return tuple(seat for seat in seats if seat != vote.about)
        if vote.kind == "undo":
            acted = {row.seat for row in self.line.after(int(vote.about))}
            return tuple(seat for seat in seats if seat in acted)
        return seats

    def needed(self, vote: VoteRow) -> int:
        """The number of them that must say yes."""
        count = len(self.voters(vote))
        return count // 2 + 1 if vote.kind == "extend" else count

    def outcome(self, vote: VoteRow, *, due: bool = False) -> PollStatus:
        """The status of a vote; ``due`` means that silent seats now count as a no."""
        if vote.kind == "undo" and self.line.at(int(vote.about)) is None:
            return "lapsed"
        return ballots.outcome(vote.ballots, self.voters(vote), self.needed(vote), due=due)

    def over(self, vote: VoteRow, status: PollStatus) -> VoteRow:
        """The vote as it ends now, with the seats that were asked and did not answer."""
        voters = () if status == "lapsed" else self.voters(vote)
        silent = ballots.silent(vote.ballots, voters)
        return replace(vote, status=status, closed=self.table.state.number, silent=silent)

    def with_advance_ballots(self, vote: VoteRow) -> VoteRow:
        """The vote with the ballots that players gave in advance."""
        cast_ = dict(vote.ballots)
        for seat in self.voters(vote):
            said = self._ahead(vote, seat) if seat not in cast_ else None
            if said is not None:
                cast_[seat] = said
        return replace(vote, ballots=tuple(cast_.items()))

    def _ahead(self, vote: VoteRow, seat: Seat) -> bool | None:
        """The vote of a seat by its first fitting order; None if no order fits."""
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
    """All acts and answers of an order, in all its turns."""
    return (act for step in order.steps for action in step.actions for act in action.acts)


def votes_ahead(order: v.Order) -> bool:
    """Whether an order gives a vote in advance."""
    return any(isinstance(act.ahead, v.Ballot) for act in acts(order))


def said(vote: VoteRow, seat: Seat, *, yes: bool) -> VoteRow:
    """The vote with a seat's ballot, which replaces an earlier one."""
    return replace(vote, ballots=ballots.cast(vote.ballots, seat, yes=yes))


UNDO = "undo to #{position}"
GO_BACK = "go back to position #{position}"
END = "end the game at today's net worth"
MORE_TIME = "{time} more for everybody who must act"
REPLACE = "replace {name}"
CLOCK = "clock {clock}"
RUNS_FREE = "presidents may run for less"
RUNS_BEST = "companies run for the most they can"


def about(vote: VoteRow) -> str:
    """The subject of a vote, in a few words."""
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


def in_words(vote: VoteRow) -> str:
    """The subject of a vote, in words of no command where those differ."""
    return GO_BACK.format(position=vote.about) if vote.kind == "undo" else about(vote)


def _more(seconds: str) -> str:
    hours = int(seconds) // 3600
    if hours % 24 == 0 and hours > 24:
        return MORE_TIME.format(time=counted(hours // 24, "day"))
    return MORE_TIME.format(time=counted(hours, "hour"))


AND_MORE = "{acts}; and {count} more"


def vanishing(poll: Poll, vote: VoteRow) -> str:
    """A short list of the actions that a vote on an undo would take back."""
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
    """Sentences that say how a vote ended and how each player voted."""
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
    """The undo that a vote asks for; the position is on the line."""
    row = poll.line.at(number)
    assert row is not None
    texts = tuple(step.text for step in poll.line.after(number))
    return TakenBack(row.id, row.number, games.state(row), texts)


AGREED_TO_END = "the players agreed to end the game"


def change(poll: Poll, vote: VoteRow) -> Change:
    """The effect of an agreed vote on the game; none, if its subject is not the position."""
    table = poll.table
    if vote.kind == "undo":
        return take_back(table, taken(poll, int(vote.about)))
    if vote.kind == "end":
        return ended(table, AGREED_TO_END)
    if vote.kind == "runs":
        return make(table, *_settled(table, free=vote.about == "free"))
    return nothing(table)


def ended(table: GameTable, text: str, cause: str = "agreement") -> Change:
    """The game ends now with every player's present worth, and nothing waits any more."""
    number = table.next_number
    state = with_fields(table.state, number=number - 1)
    end = engine.agreed_end(table.title, state, cause)
    played = Played(number, 0, "", text, None, end.state, end.events)
    return Change(table, end.state, (played,), went=tuple(Went(a) for a in table.ahead))


def _settled(table: GameTable, *, free: bool) -> Iterator[Request]:
    """The requests by which all players let presidents run freely, or no longer do."""
    for seat in table.state.seats:
        if (seat in table.state.insist) == free:
            text = "insist off" if free else "insist on"
            yield Request(seat, (Command(0, "play", text, text),))
