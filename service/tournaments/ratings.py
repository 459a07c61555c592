"""Ratings and records of players over all games of a service.

The method is that of Weng and Lin (Journal of Machine Learning Research 12, 2011), from the library
openskill, with its Plackett-Luce model. That model takes the places of a game as a whole: the first
place is a choice among all, the second among the rest, and so on. Models that compare pairs take
one game of five players for ten results, and become too certain too soon. In trials with three to
five players, this model predicted the places of later games as well as any.

A newcomer has 1000 points. The uncertainty of a rating is twice its standard deviation. So 19 of 20
players are as strong as their points plus or minus that. Games count in the order of their ends, so
the same games always give the same ratings.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec import Struct
from openskill.models import PlackettLuce, PlackettLuceRating

from service.reports.tables import Column, Grid
from service.tournaments.values import NEWCOMER

_MODEL = PlackettLuce()
#: the points of one unit of the library, whose newcomers have 25
_POINTS = NEWCOMER / _MODEL.mu


class PlayedSeat(Struct, frozen=True):
    """One player's part in a game.

    ``player`` is the same name for a person in all games. ``place`` is the final one, 0 during the
    game. Of the player's ``decisions``, ``in_time`` were made in time and ``caretaken`` by the
    caretaker. ``whole`` says that they had the seat from its first decision to its last.
    """

    player: str
    place: int = 0
    decisions: int = 0
    in_time: int = 0
    caretaken: int = 0
    whole: bool = True


class PlayedGame(Struct, frozen=True):
    """A game that has begun; ``ended`` in UTC seconds, 0 during the game.

    A seat with several players is listed once for each of them. ``counts`` says whether its places
    count: the game was played to its end or adjudicated, not abandoned.
    """

    game: str
    title: str
    ended: int
    seats: tuple[PlayedSeat, ...]
    tournament: str = ""
    counts: bool = True


class Rating(Struct, frozen=True):
    """A rating in points, and twice its standard deviation, from ``games`` games."""

    player: str
    points: int = NEWCOMER
    unsure: int = round(2 * _MODEL.sigma * _POINTS)
    games: int = 0

    @property
    def sure(self) -> int:
        """The points that the player almost certainly has; lists are sorted by them."""
        return self.points - self.unsure

    def __str__(self) -> str:
        return f"{self.points} ± {self.unsure}"


def rated(games: Iterable[PlayedGame]) -> dict[str, Rating]:
    """Player → rating.

    A game rates only players who had their seat from its start to its end.

    A player for whom the caretaker made half of the decisions is not rated either. The other
    players are rated against each other, if there are two or more.
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


class PlayerRecord(Struct, frozen=True):
    """A player's record.

    Of ``games``, ``finished`` came to their end. ``won`` includes shared wins. The player resigned
    from ``left`` games.
    """

    player: str
    rating: Rating
    games: int = 0
    finished: int = 0
    won: int = 0
    left: int = 0
    decisions: int = 0
    in_time: int = 0

    @property
    def on_time(self) -> int:
        """The percentage of decisions in time, rounded down; -1 if there are none."""
        return 100 * self.in_time // self.decisions if self.decisions else -1


def records(games: Iterable[PlayedGame]) -> dict[str, PlayerRecord]:
    """Player → record of all these games."""
    every = sorted(games, key=lambda one: (one.ended or 1 << 60, one.game))
    ratings = rated(every)
    of: dict[str, list[PlayedGame]] = {}
    for game in every:
        for player in {seat.player: None for seat in game.seats}:
            of.setdefault(player, []).append(game)
    return {player: _record(player, mine, ratings) for player, mine in of.items()}


def _record(
    player: str, games: Sequence[PlayedGame], ratings: Mapping[str, Rating]
) -> PlayerRecord:
    mine = [(game, seat) for game in games for seat in game.seats if seat.player == player]
    ended = [(game, seat) for game, seat in mine if game.ended]
    return PlayerRecord(
        player,
        ratings.get(player, Rating(player)),
        games=len(games),
        finished=sum(seat.place > 0 for _, seat in ended),
        won=sum(seat.place == 1 for game, seat in ended if seat.whole and game.counts),
        left=sum(not seat.place and not seat.whole for _, seat in ended),
        decisions=sum(seat.decisions for _, seat in mine),
        in_time=sum(seat.in_time for _, seat in mine),
    )


def shown(
    found: Mapping[str, PlayerRecord], hidden: Collection[str] = ()
) -> tuple[PlayerRecord, ...]:
    """All records, without players who want to be in no list, in the order of their ratings."""
    listed = [one for one in found.values() if one.player not in hidden]
    return tuple(sorted(listed, key=lambda one: (-one.rating.sure, one.player.casefold())))


def records_grid(found: Sequence[PlayerRecord], heading: str = "", note: str = "") -> Grid:
    """Ratings and records of players in this order, for pages and emails."""
    columns = (
        Column("Player", name=True), Column("Rating", True), Column("Games", True),
        Column("Finished", True), Column("Won", True), Column("In time", True),
        Column("Given up", True),
    )  # fmt: skip
    rows = tuple(
        (
            one.player, str(one.rating), str(one.games), str(one.finished), str(one.won),
            f"{one.on_time} %" if one.decisions else "–", str(one.left),
        )
        for one in found
    )  # fmt: skip
    return Grid(heading, columns, rows, note)
