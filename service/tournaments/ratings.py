"""Ratings of players over all games of a service, with how uncertain they are.

The method is Weng and Lin's (Journal of Machine Learning Research 12, 2011), as the library
openskill has it, with its model of Plackett and Luce: a board's places are taken as one whole, the
first as the choice among all, the second as that among the rest, and so on. Models that compare
each pair by itself take one board of five for ten results, and are too soon too sure of themselves;
in trials with tables of three to five, this one foretold the places of later boards as well as any.

A newcomer has 1000 points. What is not known of a rating is twice its standard deviation: of twenty
players nineteen are as strong as their points plus or minus that. Boards count in the order in
which they ended, so that all who have the same games have the same ratings.
"""

from collections.abc import Collection, Iterable, Mapping

from msgspec import Struct
from openskill.models import PlackettLuce, PlackettLuceRating

from service.tournaments.values import NEWCOMER

_MODEL = PlackettLuce()
#: points of one unit of the library, whose newcomers have 25
_POINTS = NEWCOMER / _MODEL.mu


class PlayedSeat(Struct, frozen=True):
    """What somebody did in a game.

    ``player`` is one name for the same person in all games. ``place`` is the one at the end, 0
    while it is played. Of ``decisions`` that were theirs so many were made ``in_time``, and
    ``caretaken`` by the caretaker. ``whole``: they had the seat from its first decision on to the
    last.
    """

    player: str
    place: int = 0
    decisions: int = 0
    in_time: int = 0
    caretaken: int = 0
    whole: bool = True


class PlayedGame(Struct, frozen=True):
    """A game that was begun; ``ended`` in UTC seconds, 0 while it is played.

    A seat that several have played stands once for each of them. ``counts``: whether its places are
    those of a game played to its end, or adjudicated; not where it was abandoned.
    """

    game: str
    title: str
    ended: int
    seats: tuple[PlayedSeat, ...]
    tournament: str = ""
    counts: bool = True


class Rating(Struct, frozen=True):
    """A rating in points, and twice its standard deviation; ``games`` have made it."""

    player: str
    points: int = NEWCOMER
    unsure: int = round(2 * _MODEL.sigma * _POINTS)
    games: int = 0

    @property
    def sure(self) -> int:
        """The points that the player has almost surely; lists are in their order."""
        return self.points - self.unsure

    def __str__(self) -> str:
        return f"{self.points} ± {self.unsure}"


def rated(games: Iterable[PlayedGame]) -> dict[str, Rating]:
    """Player → rating. Who did not play a seat from beginning to end is not rated by that game.

    Nor is a player for whom the caretaker made half of the decisions; the others of the table are
    rated among themselves, if there are two of them.
    """
    known: dict[str, PlackettLuceRating] = {}
    played: dict[str, int] = {}
    for game in sorted(games, key=lambda one: (one.ended, one.game)):
        seats = [seat for seat in game.seats if _counts(seat)]
        if not game.ended or not game.counts or len(seats) < 2:
            continue
        before = [[known.get(seat.player) or _MODEL.rating()] for seat in seats]
        after = _MODEL.rate(before, ranks=[float(seat.place) for seat in seats])
        for seat, [one] in zip(seats, after, strict=True):
            known[seat.player] = one
            played[seat.player] = played.get(seat.player, 0) + 1
    return {
        player: Rating(
            player, round(one.mu * _POINTS), round(2 * one.sigma * _POINTS), played[player]
        )
        for player, one in known.items()
    }


def _counts(seat: PlayedSeat) -> bool:
    mostly = seat.decisions and 2 * seat.caretaken >= seat.decisions
    return seat.whole and seat.place > 0 and not mostly


def ranked(
    ratings: Mapping[str, Rating], hidden: Collection[str] = ()
) -> tuple[tuple[int, Rating], ...]:
    """Ratings with their places, the surest strong players first, without those who are ``hidden``.

    Who wishes to be in no list is left out, and the places are those of the others.
    """
    shown = [one for one in ratings.values() if one.player not in hidden]
    shown.sort(key=lambda one: (-one.sure, one.player.casefold()))
    return tuple((1 + sum(other.sure > one.sure for other in shown), one) for one in shown)
