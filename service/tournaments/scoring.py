"""What a board gives its players, by the rules of its tournament; each figure tells whence it is.

Figures are whole hundredths. Each is rounded once, halves up, and sums are of rounded figures, so
that anybody can add them up again. Tables of different sizes are scored alike: the first place and
the last of any table have the same, and an even share of the money is 100 at each.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from msgspec import Struct

from service.tournaments.formula import Formula
from service.tournaments.rules import ScorePart, Scoring
from service.tournaments.values import BoardResult, SeatResult, Tenure

#: hundredths of a point
POINT = 100


class Figure(Struct, frozen=True):
    """A number in hundredths, how it came about, and what it was made of.

    ``game`` and ``at`` are the game and the number of the position that it was read from, "" and 0
    for what was made of other figures alone.
    """

    value: int
    how: str
    of: tuple["Figure", ...] = ()
    game: str = ""
    at: int = 0

    def __str__(self) -> str:
        return written(self.value)

    def games(self) -> tuple[str, ...]:
        """The games that it comes from, each once."""
        found = [self.game] if self.game else []
        found += [game for one in self.of for game in one.games()]
        return tuple(dict.fromkeys(found))

    def told(self) -> Iterable[str]:
        """It and all that it was made of, a line each, indented."""
        source = f" ({self.game} #{self.at})" if self.game else ""
        yield f"{self}  {self.how}{source}"
        for one in self.of:
            yield from (f"  {line}" for line in one.told())


def written(hundredths: int) -> str:
    """A figure as it is written: 6667 is "66.67", 5000 is "50"."""
    sign, (whole, rest) = "-" * (hundredths < 0), divmod(abs(hundredths), POINT)
    return f"{sign}{whole}" + (f".{rest:02}" if rest else "")


def rounded(number: Fraction) -> int:
    """A number of points in hundredths, halves up."""
    return (2 * number.numerator * POINT + number.denominator) // (2 * number.denominator)


class SeatScore(Struct, frozen=True):
    """What a seat has scored; ``place`` is the one that counted, equal where players share it."""

    seat: str
    place: int
    figure: Figure
    worth: int
    share: int
    shares: tuple[tuple[str, Figure], ...]


def scored(result: BoardResult, scoring: Scoring) -> tuple[SeatScore, ...] | None:
    """The scores of a board's seats, None if the rules annul it.

    ``SeatScore.shares`` says which player has how much of a seat's score.
    """
    if result.ended == "abandoned" and scoring.abandoned == "annulled":
        return None
    worths = [_worth(one, result, scoring) for one in result.seats]
    places = _places(result, scoring, worths)
    found = []
    for number, one in enumerate(result.seats):
        figure = _figure(number, places, worths, (result, scoring))
        figure = _without_caretaker(one, figure, scoring)
        share = rounded(_share(number, worths))
        shares = _shares(one, figure, scoring)
        found.append(SeatScore(one.seat, places[number], figure, worths[number], share, shares))
    return tuple(found)


def stopped(result: BoardResult) -> bool:
    """Whether the board was ended before its time and is scored by the formula."""
    return result.ended in ("adjudicated", "abandoned")


def _worth(one: SeatResult, result: BoardResult, scoring: Scoring) -> int:
    if not stopped(result):
        return one.worth
    figures = {"worth": one.worth, "cash": one.cash, "income": one.income}
    return Formula.read(scoring.formula).of(figures)


def _places(result: BoardResult, scoring: Scoring, worths: Sequence[int]) -> list[int]:
    """The place of each seat, 1 for the first; equal ones have the first place that they share."""
    keys: list[tuple[int, ...]]
    if stopped(result) or scoring.ties == "shared":
        keys = [(one.out, -worth) for one, worth in zip(result.seats, worths, strict=True)]
    elif scoring.ties == "cash":
        keys = [(one.place, -one.cash) for one in result.seats]
    else:
        keys = [(one.place,) for one in result.seats]
    return [1 + sum(other < key for other in keys) for key in keys]


def _figure(
    number: int, places: Sequence[int], worths: Sequence[int], by: tuple[BoardResult, Scoring]
) -> Figure:
    result, scoring = by
    parts = [
        Figure(
            rounded(_part(part, number, places, worths)),
            _how(part, number, places, worths),
            (),
            result.game,
            result.at,
        )
        for part in scoring.parts
    ]
    if len(parts) == 1:
        return parts[0]
    sums = zip(scoring.parts, parts, strict=True)
    total = sum(Fraction(one.value * part.weight, POINT * 100) for part, one in sums)
    names = ", ".join(f"{part.weight}% {part.name}" for part in scoring.parts)
    return Figure(rounded(Fraction(total)), names, tuple(parts))


def _part(part: ScorePart, number: int, places: Sequence[int], worths: Sequence[int]) -> Fraction:
    match part.name:
        case "places":
            equal = places.count(places[number])
            shared = range(places[number], places[number] + equal)
            return (
                sum((points_of(place, len(places), part.points) for place in shared), Fraction())
                / equal
            )
        case "share":
            return _share(number, worths)
        case "percent":
            best = max(0, *worths)
            return Fraction(100 * max(0, worths[number]), best) if best else Fraction(100)
        case _:
            return Fraction(worths[number])


def points_of(place: int, seats: int, points: Sequence[int] = ()) -> Fraction:
    """The points of a place at a table with so many seats.

    Without a list of points the first place has 100, the last 0, and the others stand evenly
    between. A list is stretched to the table: its first number is the first place's, its last the
    last place's, and what lies between two numbers is taken in proportion.
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
    """The share of the table's money, 100 if it is an even one; debts count as nothing."""
    total = sum(max(0, worth) for worth in worths)
    if not total:
        return Fraction(100)
    return Fraction(100 * len(worths) * max(0, worths[number]), total)


PLACE = "place {place} of {of}"
PLACE_SHARED = "place {place} of {of}, shared by {equal}"
SHARE = "${worth} of the table's ${total}, times {seats} seats"
PER_CENT = "${worth}, in percent of the winner's ${best}"


def _how(part: ScorePart, number: int, places: Sequence[int], worths: Sequence[int]) -> str:
    place, worth = places[number], worths[number]
    match part.name:
        case "places":
            equal = places.count(place)
            told = PLACE_SHARED if equal > 1 else PLACE
            return told.format(place=place, of=len(places), equal=equal)
        case "share":
            total = sum(max(0, one) for one in worths)
            return SHARE.format(worth=worth, total=total, seats=len(worths))
        case "percent":
            return PER_CENT.format(worth=worth, best=max(worths))
        case _:
            return f"${worth}"


CARETAKER = "the caretaker made {caretaken} of {decisions} decisions, {bound} % or more"


def _without_caretaker(one: SeatResult, figure: Figure, scoring: Scoring) -> Figure:
    """The figure, or nothing where the caretaker made too many of the seat's decisions."""
    bound = scoring.caretaken
    if not bound or not one.decisions or one.caretaken * 100 < bound * one.decisions:
        return figure
    how = CARETAKER.format(caretaken=one.caretaken, decisions=one.decisions, bound=bound)
    return Figure(0, how, (figure,), figure.game, figure.at)


PART_OF_SEAT = "{decisions} of the seat's {every} decisions"


def _shares(one: SeatResult, figure: Figure, scoring: Scoring) -> tuple[tuple[str, Figure], ...]:
    """Whose the score of a seat is: the last player's, the first's, or parted."""
    players = one.players or (Tenure(one.seat, one.decisions),)
    if len({tenure.player for tenure in players}) == 1 or scoring.replaced == "last":
        return ((players[-1].player, figure),)
    if scoring.replaced == "first":
        return ((players[0].player, figure),)
    made: dict[str, int] = {}
    for tenure in players:
        made[tenure.player] = made.get(tenure.player, 0) + tenure.decisions
    every = sum(made.values())
    if not every:
        return ((players[-1].player, figure),)
    found, left = [], figure.value
    for number, (player, decisions) in enumerate(made.items(), 1):
        value = rounded(Fraction(figure.value * decisions, every * POINT))
        value = left if number == len(made) else value
        left -= value
        how = PART_OF_SEAT.format(decisions=decisions, every=every)
        found.append((player, Figure(value, how, (figure,))))
    return tuple(found)
