"""Scores the players of a game by the tournament's rules; each figure names its origin.

Figures are whole hundredths. Each is rounded once, halves up, and sums add rounded figures, so that
anybody can check them. Tables of different sizes score alike: the first and the last place always
have the same points, and an even share of the money is 100.
"""

from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct

from service.tournaments.rules import Scoring
from service.tournaments.values import SeatResult, TableResult

#: the hundredths of a point
POINT = 100


class ScoreFigure(Struct, frozen=True):
    """A number in hundredths, how it was computed, and its parts.

    ``game`` and ``at`` are the game and the number of the position that it was read from; "" and 0
    if it comes from other figures alone.
    """

    value: int
    how: str
    of: tuple["ScoreFigure", ...] = ()
    game: str = ""
    at: int = 0

    def __str__(self) -> str:
        return written(self.value)


def written(hundredths: int) -> str:
    """A figure in text: 6667 is "66.67", 5000 is "50"."""
    sign, (whole, rest) = "-" * (hundredths < 0), divmod(abs(hundredths), POINT)
    return f"{sign}{whole}" + (f".{rest:02}" if rest else "")


def rounded(number: Fraction) -> int:
    """Points as hundredths, halves up."""
    return (2 * number.numerator * POINT + number.denominator) // (2 * number.denominator)


class SeatScore(Struct, frozen=True):
    """The score of a seat, and the ``player`` who gets it.

    ``place`` is the one that counted, equal for players who share it. ``share`` is in hundredths.
    """

    seat: str
    player: str
    place: int
    figure: ScoreFigure
    worth: int
    share: int


def scored(result: TableResult, scoring: Scoring) -> tuple[SeatScore, ...]:
    """The scores of a game's seats."""
    worths = [one.worth for one in result.seats]
    places = _places(result)
    found = []
    for number, one in enumerate(result.seats):
        value, how = _system(number, places, worths, scoring)
        figure = ScoreFigure(rounded(value), how, (), result.game, result.at)
        figure = _without_caretaker(one, figure)
        share = rounded(_share(number, worths))
        found.append(SeatScore(one.seat, one.last, places[number], figure, worths[number], share))
    return tuple(found)


def _places(result: TableResult) -> list[int]:
    """The place of each seat, 1 for the first; equal seats have the first place that they share."""
    # a game that was stopped has no places by its own rules
    stopped = result.ended in ("adjudicated", "abandoned")
    keys = [(one.out, -one.worth) if stopped else (False, one.place) for one in result.seats]
    return [1 + sum(other < key for other in keys) for key in keys]


PLACE = "place {place} of {of}"
PLACE_SHARED = "place {place} of {of}, shared by {equal}"
SHARE = "${worth} of the table's ${total}, times {seats} seats"


def _system(
    number: int, places: Sequence[int], worths: Sequence[int], scoring: Scoring
) -> tuple[Fraction, str]:
    """The points of a seat by the scoring system, and how they were computed."""
    place, worth = places[number], worths[number]
    match scoring.score:
        case "places":
            equal, of = places.count(place), len(places)
            shared = (points_of(one, of, scoring.points) for one in range(place, place + equal))
            told = PLACE_SHARED if equal > 1 else PLACE
            return sum(shared, Fraction()) / equal, told.format(place=place, of=of, equal=equal)
        case "wins":
            how = PLACE.format(place=place, of=len(places))
            return Fraction(1, places.count(1)) if place == 1 else Fraction(), how
        case "share":
            total = sum(max(0, one) for one in worths)
            how = SHARE.format(worth=worth, total=total, seats=len(worths))
            return _share(number, worths), how


def points_of(place: int, seats: int, points: Sequence[int] = ()) -> Fraction:
    """The points of a place at a table with so many seats.

    Without a list the first place has 100 points, the last 0, and the others even steps between. A
    list is stretched to the table: its first number is for the first place, its last for the last
    place. Places between two numbers are in proportion.
    """
    behind = Fraction(place - 1, seats - 1) if seats > 1 else Fraction()
    if not points:
        return 100 * (1 - behind)
    at = behind * (len(points) - 1)
    low = int(at)
    if low == at:
        return Fraction(points[low])
    return points[low] + (at - low) * (points[low + 1] - points[low])


def _share(number: int, worths: Sequence[int]) -> Fraction:
    """The share of the table's money, where 100 is an even share; debts count as nothing."""
    total = sum(max(0, worth) for worth in worths)
    if not total:
        return Fraction(100)
    return Fraction(100 * len(worths) * max(0, worths[number]), total)


CARETAKER = "the caretaker made {caretaken} of {decisions} decisions"


def _without_caretaker(one: SeatResult, figure: ScoreFigure) -> ScoreFigure:
    """The figure, or nothing if the caretaker made half of the seat's decisions or more."""
    if not one.decisions or 2 * one.caretaken < one.decisions:
        return figure
    how = CARETAKER.format(caretaken=one.caretaken, decisions=one.decisions)
    return ScoreFigure(0, how, (figure,), figure.game, figure.at)
