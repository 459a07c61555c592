"""The commands `propose` and `vote` of one email, and their results."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import engine
from engine import Seat
from engine.actions import Insist
from engine.wording import listed
from service.commands.command import Command
from service.commands.results import done
from service.desk.options.game_options import clocked
from service.desk.votes.vote_results import NO_CLOCK, follows
from service.games import batches, votes
from service.games.games import Past, before_own_email
from service.games.naming import player_meant
from service.games.orders import Book, GivenOrder
from service.games.votes import WITHIN, Poll
from service.refusal import Refused
from service.reports import Result
from service.reports.words import moment
from service.said import IS_OVER, NO_VOTE_OPEN, VOTES_ARE_PUBLISHED
from service.store import VoteRow

_UNDO = re.compile(r"(?:an\s+)?undo(?:\s+(?:back\s+)?to\s+(?:position\s+)?#?(\d{1,9}))?", re.I)
_EXTEND = re.compile(r"(?:to\s+)?exten(?:d|sion)(?:\s+(?:by|of))?\s+(\d{1,4})\s*(h|d)\w*", re.I)
_REPLACE = re.compile(r"(?:to\s+)?replace\s+(.+)", re.I)
_END = re.compile(r"(?:to\s+|the\s+)*end(?:\s+(?:of\s+)?the\s+game)?", re.I)
_CLOCK = re.compile(r"(?:to\s+)?(?:set\s+)?(?:the\s+)?clock(?:\s+to)?\s+(.+)", re.I)
_BATCH = re.compile(r"batch(?:es)?\s+(.+)", re.I)
_RUNS = re.compile(r"runs\s+(free|best)", re.I)
_VOTE = re.compile(r"(?:on\s+)?(?:#?(\d{1,6})\s+)?(yes|no|y|n)(?:\s+(?:on\s+)?#?(\d{1,6}))?", re.I)
#: the kind of order that answers votes in advance
_AHEAD = re.compile(r"\s*always\b.*\bvote\b", re.IGNORECASE | re.DOTALL)
#: hours for which a vote can postpone what is due
_LONGEST = 24 * 60

HOW_TO_PROPOSE = (
    "Write `propose undo to 212`, `propose end`, `propose extend 48h`, `propose replace Bob`, "
    "`propose runs free`, `propose batch 06:00 18:00`, or `propose clock each 48h`."
)


def undo_number(command: Command) -> int | None:
    """The position to which a proposal wants to go back; None if it names none."""
    found = _UNDO.fullmatch(command.rest)
    return int(found[1]) if command.word == "propose" and found and found[1] else None


#: the answer to commands in the same email after a vote that has changed the game
FIRST = "The vote of this email has changed the game: look at it first."


def since(commands: Sequence[Command], stands: int) -> int | None:
    """The position from which the votes of an email look at the game; None if it has none."""
    if not any(
        command.word in ("propose", "vote") or _AHEAD.match(command.rest) for command in commands
    ):
        return None
    return min([stands, *(n for c in commands if (n := undo_number(c)) is not None)])


VOTES_WAIT = "{why} Votes wait too, with as long as they had."
BEFORE_IT = "The vote before it has changed the game: look at it first."
KIND_IS_OPEN = "A vote of that kind is open: {vote}"
WAS_NOT_AGREED = "Vote {number} on that was not agreed, and nobody has acted since."
BETWEEN = "Between 1 hour and {days} days may be proposed."
DIRECTOR_UNDOES = (
    "In {game}, moves after which others have acted are taken back only if the director allows it: "
    "`ask undo to {position} because …` asks for it."
)
WHICH_POSITION = "Say to which position: `propose undo to 212`; `history` shows the numbers."
NOT_EARLIER = "The game is at #{position}; an undo goes back to an earlier position."
NO_SUCH_POSITION = "Position #{position} was taken back, or never was; `history` shows the numbers."
RUNS_FREE_ALREADY = "Nobody insists on best runs: presidents may run as they like already."
RUNS_BEST_ALREADY = "Everybody insists on best runs already."
WRITE_BATCH = "Write `propose` before {how}."
SO_IT_IS = "{told} So it is already."
NOT_ON_YOURSELF = "You cannot vote on yourself: tell the others by `say:` that you want to leave."
HOW_TO_VOTE = "Write it as in `vote 4 yes` or `vote 4 no`."
WHICH_VOTE = "Which one? {votes}."
NO_SUCH_VOTE = "There is no vote {number}."
ASKS_OTHERS = "Vote {number} ({about}) asks {names}, not you."
COUNTS_YES = "It counts at once: vote {number} ({about}) yes."
COUNTS_NO = "It counts at once: vote {number} ({about}) no."
ASKS = "Vote {number} asks {names} until {until}; silence is a no."


class VoteCommands:
    """The voting commands of one email, and their results."""

    def __init__(self, poll: Poll, seat: Seat, past: Sequence[Past], now: int) -> None:
        """``now`` in UTC seconds; ``past`` goes back to the seat's own latest email."""
        self._poll, self._seat, self._past, self._now = poll, seat, past, now
        #: all votes of the game after this email
        self.votes = poll.table.votes
        #: the votes that this email has ended
        self.ended: tuple[VoteRow, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether anybody has voted or proposed a vote."""
        return self.votes != self._poll.table.votes

    @property
    def passed(self) -> VoteRow | None:
        """The vote by which the email changes the game; None if there is none."""
        moving = ("undo", "end", "runs")
        found = (v for v in self.ended if v.status == "passed" and v.kind in moving)
        return next(found, None)

    def handle(self, command: Command) -> Result:
        """Carry out one command; after one that has changed the game, no other is done.

        Raises Refused.
        """
        table = self._poll.table
        if table.row.status != "running":
            raise Refused(IS_OVER.format(game=table.row.name))
        if table.on_hold:
            raise Refused(VOTES_WAIT.format(why=table.on_hold))
        if self.passed:
            raise Refused(BEFORE_IT)
        return self._propose(command) if command.word == "propose" else self._vote(command)

    # proposing

    def _propose(self, command: Command) -> Result:
        kind, about = self._wanted(command.rest)
        open_ = next((v for v in self.votes if (v.kind, v.status) == (kind, "open")), None)
        if open_ is not None:
            raise Refused(KIND_IS_OPEN.format(vote=_open(open_)))
        stands = self._poll.table.state.number
        again = (kind, about, "failed", stands)
        for old in self.votes:
            if (old.kind, old.about, old.status, old.closed) == again:
                raise Refused(WAS_NOT_AGREED.format(number=old.number))
        number = max((vote.number for vote in self.votes), default=0) + 1
        vote = VoteRow(number, kind, about, self._seat, stands, self._now + WITHIN)
        vote = self._poll.with_advance_ballots(votes.said(vote, self._seat, yes=True))
        vote = replace(vote, due=self._poll.due(vote, self._now, self._now))
        return done(command, *self._counted(vote), canonical=f"propose {votes.about(vote)}")

    def _wanted(self, rest: str) -> tuple[str, str]:
        """Kind and subject of a proposal. Raises Refused."""
        if found := _UNDO.fullmatch(rest):
            own = before_own_email(self._past, self._seat)
            return self._undo(int(found[1]) if found[1] else own)
        if _END.fullmatch(rest):
            return "end", ""
        if found := _EXTEND.fullmatch(rest):
            hours = int(found[1]) * (24 if found[2].lower() == "d" else 1)
            if not 0 < hours <= _LONGEST:
                raise Refused(BETWEEN.format(days=_LONGEST // 24))
            return "extend", str(hours * 3600)
        if found := _RUNS.fullmatch(rest):
            return self._runs(found[1].lower())
        if found := _BATCH.fullmatch(rest):
            return self._batched(found[1])
        if found := _CLOCK.fullmatch(rest):
            return self._clocked(found[1])
        if found := _REPLACE.fullmatch(rest):
            return self._replaced(found[1])
        raise Refused(HOW_TO_PROPOSE)

    def _undo(self, number: int | None) -> tuple[str, str]:
        table = self._poll.table
        if table.settings.undo == "leave":
            wanted = 212 if number is None else number
            raise Refused(DIRECTOR_UNDOES.format(game=table.row.name, position=wanted))
        stands = table.state.number
        if number is None:
            raise Refused(WHICH_POSITION)
        if number >= stands:
            raise Refused(NOT_EARLIER.format(position=stands))
        if self._poll.line.at(number) is None:
            raise Refused(NO_SUCH_POSITION.format(position=number))
        return "undo", str(number)

    def _runs(self, how: str) -> tuple[str, str]:
        table = self._poll.table
        for seat in table.state.seats:
            if (seat in table.state.insist) == (how == "free"):
                wanted = Insist(by=seat, on=how == "best")
                if refusal := engine.why_not(table.title, table.state, wanted):
                    raise Refused.of(refusal)
                return "runs", how
        raise Refused(RUNS_FREE_ALREADY if how == "free" else RUNS_BEST_ALREADY)

    def _batched(self, text: str) -> tuple[str, str]:
        times = batches.read_times(text)
        if times is None:
            raise Refused(WRITE_BATCH.format(how=batches.HOW))
        if times == self._poll.table.settings.batch:
            raise Refused(SO_IT_IS.format(told=batches.in_words(times)))
        return "batch", " ".join(times) or "off"

    def _clocked(self, text: str) -> tuple[str, str]:
        settings = self._poll.table.settings
        chosen, told = clocked(settings, text)
        if chosen.clock == settings.clock:
            raise Refused(SO_IT_IS.format(told=told))
        return "clock", chosen.clock or "none"

    def _replaced(self, name: str) -> tuple[str, str]:
        found = player_meant(self._poll.table.names, name)
        if found == self._seat:
            raise Refused(NOT_ON_YOURSELF)
        return "replace", found

    # voting

    def _vote(self, command: Command) -> Result:
        found = _VOTE.fullmatch(command.rest)
        open_ = [vote for vote in self.votes if vote.status == "open"]
        if found is None:
            waiting = [_open(vote) for vote in open_] or [NO_VOTE_OPEN]
            raise Refused(HOW_TO_VOTE, hint=" ".join(waiting))
        number = found[1] or found[3]
        if number is None and len(open_) != 1:
            which = " or ".join(f"`vote {v.number} {found[2]}`" for v in open_)
            raise Refused(WHICH_VOTE.format(votes=which) if which else NO_VOTE_OPEN)
        wanted = int(number) if number else open_[0].number
        vote = next((vote for vote in self.votes if vote.number == wanted), None)
        if vote is None:
            raise Refused(NO_SUCH_VOTE.format(number=wanted), hint=" ".join(map(_open, open_)))
        if vote.status != "open":
            raise Refused(votes.result(vote))
        if self._seat not in self._poll.voters(vote):
            who = ", ".join(self._poll.voters(vote))
            text = ASKS_OTHERS.format(number=wanted, about=votes.about(vote), names=who)
            raise Refused(text)
        yes = found[2].lower().startswith("y")
        counted = self._counted(votes.said(vote, self._seat, yes=yes))
        return done(command, *counted, canonical=f"vote {wanted} {'yes' if yes else 'no'}")

    def ahead(self, order: GivenOrder) -> tuple[str, ...]:
        """Cast advance votes on open votes in which the seat has not voted."""
        told: list[str] = []
        book = Book((order,))
        for vote in self.votes if self._poll.table.row.status == "running" else ():
            if vote.status != "open" or self.passed:
                continue
            asked = replace(self._poll, book=book).with_advance_ballots(vote)
            if asked != vote:
                counts = COUNTS_YES if dict(asked.ballots)[self._seat] else COUNTS_NO
                told.append(counts.format(number=vote.number, about=votes.about(vote)))
                told += self._counted(asked)
        return tuple(told)

    def _counted(self, vote: VoteRow) -> Iterator[str]:
        """Count and keep a vote; gives what to say about it."""
        outcome = self._poll.outcome(vote)
        if outcome != "open":
            vote = self._poll.over(vote, outcome)
            self.ended += (vote,)
        others = (row for row in self.votes if row.number != vote.number)
        self.votes = tuple(sorted((*others, vote), key=lambda row: row.number))
        if outcome != "open":
            yield votes.result(vote)
            yield from follows(self._poll, vote)
            return
        who = listed(seat for seat in self._poll.voters(vote) if seat != vote.by)
        yield ASKS.format(number=vote.number, names=who, until=moment(vote.due))
        yield VOTES_ARE_PUBLISHED
        if vote.kind == "extend" and not self._poll.clock:
            yield NO_CLOCK


OPEN_VOTE = (
    "vote {number} ({about}, proposed by {name}) until {until}: "
    "`vote {number} yes` or `vote {number} no`."
)


def _open(vote: VoteRow) -> str:
    return OPEN_VOTE.format(
        number=vote.number, about=votes.about(vote), name=vote.by, until=moment(vote.due)
    )
