"""Votes of all players on a question: when one is agreed, and how its end is told."""

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from engine.wording import counted
from service.tournaments.rules import Majority

VoteStatus = Literal["open", "passed", "failed", "void"]
#: seconds of a day
_DAY = 86_400


class Vote(Struct, frozen=True):
    """A vote of all players on what ``text`` asks, in a tournament that has begun.

    ``by`` is an entrant or an office. It was proposed at ``at`` in ``round``, and silence at
    ``due`` is a no (UTC seconds). ``rule`` says how many must agree. ``ballots`` are names with
    whether they said yes, of those who were ``asked``. ``silent`` names who said nothing, and
    ``why`` says why a vote is void; both are there once it is over.
    """

    number: int
    by: str
    round: int
    text: str
    at: int
    due: int
    because: str = ""
    rule: Majority = "half"
    status: VoteStatus = "open"
    asked: tuple[str, ...] = ()
    ballots: tuple[tuple[str, bool], ...] = ()
    silent: tuple[str, ...] = ()
    why: str = ""


def needed(rule: Majority, count: int) -> int:
    """How many of so many must say yes."""
    return {"half": count // 2 + 1, "two-thirds": -(-2 * count // 3), "all": count}.get(rule, count)


NEEDED = "{needed} of {players}"


def needed_told(vote: Vote, count: int) -> str:
    """The same in words: "3 of 5 players"."""
    return NEEDED.format(needed=needed(vote.rule, count), players=counted(count, "player"))


def due_of(now: int, days: int) -> int:
    """When silence becomes a no, in UTC seconds."""
    return now + days * _DAY


def with_ballot(vote: Vote, name: str, *, yes: bool) -> Vote:
    """The vote with somebody's ballot; the latest one counts."""
    return replace(vote, ballots=tuple({**dict(vote.ballots), name: yes}.items()))


def outcome(vote: Vote, names: Sequence[str], *, due: bool = False) -> VoteStatus:
    """What has become of a vote that asks ``names``; ``due`` when silence is a no."""
    cast, least = dict(vote.ballots), needed(vote.rule, len(names))
    if names and sum(cast.get(name, False) for name in names) >= least:
        return "passed"
    left = sum(cast.get(name, not due) for name in names)
    return "failed" if left < least else "open"


def over(vote: Vote, names: Sequence[str], status: VoteStatus, why: str = "") -> Vote:
    """The vote as it ends, with those who were asked and said nothing, and why it is void."""
    cast = dict(vote.ballots)
    ballots = tuple((name, yes) for name, yes in vote.ballots if name in names)
    silent = tuple(name for name in names if name not in cast)
    return replace(vote, status=status, ballots=ballots, silent=silent, why=why)


#: how a vote ends in words: `{end}` of the messages below
ENDS = {"passed": "agreed", "failed": "not agreed", "void": "void"}
VOTE_IS_OVER = "Vote {vote}, proposed by {by}, is over: {end}."
VOTE_IS_OVER_BECAUSE = "Vote {vote}, proposed by {by}, is over: {end}, because {why}."


def result(vote: Vote, most: int = 0) -> Iterator[str]:
    """How a vote ended and who voted what, in sentences; ``most`` names of each, 0 for all."""
    told = VOTE_IS_OVER_BECAUSE if vote.why else VOTE_IS_OVER
    end = ENDS[vote.status]
    yield told.format(vote=vote.number, by=vote.by, end=end, why=vote.why)
    for word, wanted in ((YES, True), (NO, False)):
        yield _named(word, [name for name, yes in vote.ballots if yes == wanted], most)
    if vote.silent:
        yield _named(SILENT, vote.silent, most)


BALLOTS = "{word} ({count}): {names}."
BALLOTS_AND_MORE = "{word} ({count}): {names} and {left} more."
YES, NO, SILENT = "Yes", "No", "Silent"


def _named(word: str, names: Sequence[str], most: int) -> str:
    shown = names[:most] if most else names
    left = len(names) - len(shown)
    told = BALLOTS_AND_MORE if left else BALLOTS
    return told.format(word=word, count=len(names), names=", ".join(shown) or "nobody", left=left)


def public(vote: Vote) -> Vote:
    """A vote as everybody may read it: who voted what is told when it is over."""
    return replace(vote, ballots=()) if vote.status == "open" else vote
