"""What players have done over all games of a service: games, places, and how often in time."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec import Struct

from service.tournaments.ratings import PlayedGame, Rating, rated


class PlayerRecord(Struct, frozen=True):
    """A player's record.

    Of ``games`` so many are ``finished``, in which ``places`` were taken: pairs of a place and of
    the number of players who were placed. ``left`` were given up before their end, ``taken`` were
    taken over from others. ``won`` may be shared. ``titles`` says how often each was played.
    """

    player: str
    rating: Rating
    games: int = 0
    finished: int = 0
    won: int = 0
    left: int = 0
    taken: int = 0
    decisions: int = 0
    in_time: int = 0
    places: tuple[tuple[int, int], ...] = ()
    titles: tuple[tuple[str, int], ...] = ()

    @property
    def on_time(self) -> int:
        """The share of decisions in time, in per cent rounded down; -1 where there are none."""
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
    whole = [(game, seat) for game, seat in mine if seat.whole]
    ended = [
        (seat.place, sum(bool(other.place) for other in game.seats))
        for game, seat in mine
        if game.ended and seat.place
    ]
    titles: dict[str, int] = {}
    for game in games:
        titles[game.title] = titles.get(game.title, 0) + 1
    parted = [(game, seat) for game, seat in mine if not seat.whole]
    return PlayerRecord(
        player,
        ratings.get(player, Rating(player)),
        games=len(games),
        finished=len(ended),
        won=sum(seat.place == 1 for game, seat in whole if game.ended and game.counts),
        left=sum(not seat.place and bool(game.ended) for game, seat in parted),
        taken=sum(bool(seat.place) for _, seat in parted),
        decisions=sum(seat.decisions for _, seat in mine),
        in_time=sum(seat.in_time for _, seat in mine),
        places=tuple(ended),
        titles=tuple(sorted(titles.items(), key=lambda one: (-one[1], one[0]))),
    )


RATING = "  Rating      {rating} (newcomers have {newcomer})"
IN_TIME = "  In time     {on_time} % of {decisions} decisions"
NO_DECISIONS = "  In time     no decisions yet"
GAMES = "  Games       {games}, {finished} finished, {won} won"
PLACES = "  Places      {places}"
NO_PLACES = "  Places      none yet"
PLACE = "{place} of {of}"
PLACE_OFTEN = "{place} of {of} ({times} times)"
SEATS = "  Seats       {left} given up, {taken} taken over"
TITLES = "  Titles      {titles}"


def record_text(record: PlayerRecord) -> str:
    """A record as a letter has it."""
    in_time = IN_TIME if record.decisions else NO_DECISIONS
    times: dict[tuple[int, int], int] = {}
    for one in record.places:
        times[one] = times.get(one, 0) + 1
    places = ", ".join(
        (PLACE_OFTEN if often > 1 else PLACE).format(place=place, of=of, times=often)
        for (place, of), often in sorted(times.items())
    )
    lines = [
        record.player,
        RATING.format(rating=record.rating, newcomer=Rating("")),
        in_time.format(on_time=record.on_time, decisions=record.decisions),
        GAMES.format(games=record.games, finished=record.finished, won=record.won),
        PLACES.format(places=places) if places else NO_PLACES,
    ]
    if record.left or record.taken:
        lines.append(SEATS.format(left=record.left, taken=record.taken))
    if record.titles:
        titles = ", ".join(f"{title} {often}" for title, often in record.titles)
        lines.append(TITLES.format(titles=titles))
    return "\n".join(lines) + "\n"


def shown(
    found: Mapping[str, PlayerRecord], hidden: Collection[str] = ()
) -> tuple[PlayerRecord, ...]:
    """All records but of those who wish to be in no list, in the order of their ratings."""
    listed = [one for one in found.values() if one.player not in hidden]
    return tuple(sorted(listed, key=lambda one: (-one.rating.sure, one.player.casefold())))
