"""Votes of all players: when one is agreed, and how its end is reported."""

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from engine.wording import counted
from service import ballots

VoteStatus = Literal["open", "passed", "failed", "void"]


class Vote(Struct, frozen=True):
    """A vote of all players on the question ``text``, in a tournament that has begun.

    ``by`` is an entrant or an office. It was proposed at ``at`` in ``round``; at ``due`` silence
    becomes a no (UTC seconds). ``ballots`` pairs names with whether they said yes, for those
    who were ``asked``. After its end, ``silent`` has the names that did not vote. Former versions
    ended an open vote with its tournament: it is "void".
    """

    number: int
    by: str
    round: int
    text: str
    at: int
    due: int
    status: VoteStatus = "open"
    asked: tuple[str, ...] = ()
    ballots: tuple[tuple[str, bool], ...] = ()
    silent: tuple[str, ...] = ()


def needed(count: int) -> int:
    """The number of players, of ``count``, who must say yes: more than half."""
    return count // 2 + 1


NEEDED = "{needed} of {players}"


def needed_told(count: int) -> str:
    """The same in words: "3 of 5 players"."""
    return NEEDED.format(needed=needed(count), players=counted(count, "player"))


def with_ballot(vote: Vote, name: str, *, yes: bool) -> Vote:
    """The vote with a player's ballot, which replaces an earlier one."""
    return replace(vote, ballots=ballots.cast(vote.ballots, name, yes=yes))


def outcome(vote: Vote, names: Sequence[str], *, due: bool = False) -> VoteStatus:
    """The status of a vote that asks ``names``; ``due`` means that silence is a no."""
    return ballots.outcome(vote.ballots, names, needed(len(names)), due=due)


def over(vote: Vote, names: Sequence[str], status: VoteStatus) -> Vote:
    """The vote as it ends, with the players who did not vote."""
    cast = tuple((name, yes) for name, yes in vote.ballots if name in names)
    silent = ballots.silent(cast, names)
    return replace(vote, status=status, ballots=cast, silent=silent)


#: the end of a vote in words: `{end}` of the messages below
ENDS = {"passed": "agreed", "failed": "not agreed", "void": "void"}
VOTE_IS_OVER = "Vote {vote}, proposed by {by}, is over: {end}."

BALLOTS = "{word} ({count}): {names}."
YES, NO, SILENT = "Yes", "No", "Silent"


def result(vote: Vote) -> Iterator[str]:
    """Sentences that say how a vote ended and who voted what."""
    yield VOTE_IS_OVER.format(vote=vote.number, by=vote.by, end=ENDS[vote.status])
    sides = [(YES, [name for name, yes in vote.ballots if yes])]
    sides.append((NO, [name for name, yes in vote.ballots if not yes]))
    if vote.silent:
        sides.append((SILENT, list(vote.silent)))
    for word, names in sides:
        yield BALLOTS.format(word=word, count=len(names), names=", ".join(names) or "nobody")


def public(vote: Vote) -> Vote:
    """A vote as everybody may read it: individual votes stay secret until it is over."""
    return replace(vote, ballots=()) if vote.status == "open" else vote
