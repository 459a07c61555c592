"""Counts the ballots of a vote, of the players of a game or of a tournament."""

from collections.abc import Sequence
from typing import Literal

#: pairs of a voter and whether they said yes
Ballots = tuple[tuple[str, bool], ...]


def cast(ballots: Ballots, name: str, *, yes: bool) -> Ballots:
    """The ballots with this one, which replaces an earlier one of the voter."""
    return tuple({**dict(ballots), name: yes}.items())


def outcome(
    ballots: Ballots, voters: Sequence[str], needed: int, *, due: bool = False
) -> Literal["open", "passed", "failed"]:
    """The status of a vote that ``needed`` of its voters must agree to.

    ``due`` means that silence is a no.
    """
    said = dict(ballots)
    if sum(said.get(name, False) for name in voters) >= needed:
        return "passed"
    left = sum(said.get(name, not due) for name in voters)
    return "failed" if left < needed else "open"


def silent(ballots: Ballots, voters: Sequence[str]) -> tuple[str, ...]:
    """The voters who have not said anything."""
    said = dict(ballots)
    return tuple(name for name in voters if name not in said)
