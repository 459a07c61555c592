"""The step from round to round: the players of the next one, and the draw for its seating."""

from collections.abc import Sequence

from service.tournaments.rules import RoundRules
from service.tournaments.seating import Draw, past_of
from service.tournaments.standings import standings
from service.tournaments.tournament import Tournament
from service.tournaments.values import Entrant, PlayerToSeat, Seating


def field_of(tournament: Tournament, number: int) -> tuple[Entrant, ...]:
    """The players of a round: all entrants who have not withdrawn, or those who go on.

    If a player who would go on has withdrawn, the next one goes on.
    """
    entered = {one.name: one for one in tournament.entries if one.state == "entered"}
    cut = next((n for n in range(number - 1, 0, -1) if tournament.rules.round(n).go_on), 0)
    if not cut:
        return tuple(entered.values())
    seating = tournament.seated(cut)
    assert seating is not None
    order = goers_on(tournament, seating, tournament.rules.round(cut))
    staying = [name for name in order if name in entered]
    return tuple(entered[name] for name in staying[: tournament.rules.round(cut).go_on])


def goers_on(tournament: Tournament, seating: Seating, rules: RoundRules) -> tuple[str, ...]:
    """The players of a round in the order in which they go on from it, byes first."""
    rows = standings(tournament, seating.round).rows
    cells = {row.name: cell for row in rows if (cell := row.cell(seating.round)) and cell.table}
    players = list(cells)
    if rules.by == "tables":
        players.sort(key=lambda name: (cells[name].place, -cells[name].figure.value))
    return tuple(dict.fromkeys([*seating.byes, *players]))


def draw_of(tournament: Tournament, number: int, seed: str) -> Draw:
    """The draw that seats a round; the games of all earlier rounds are over."""
    field = field_of(tournament, number)
    places = _places(tournament, number, field)
    players = tuple(PlayerToSeat(one.name, places[one.name]) for one in field)
    before = [one for n in range(1, number) if (one := tournament.seated(n)) is not None]
    rules = tournament.rules
    return Draw(rules.name, number, players, rules.round(number), rules.aims, past_of(before), seed)


def _places(tournament: Tournament, number: int, field: Sequence[Entrant]) -> dict[str, int]:
    """The places used for a round's seating: by the standings; in the first round all are equal."""
    if number == 1:
        return {one.name: 1 for one in field}
    found = {row.name: row.place for row in standings(tournament, number - 1).rows}
    return {one.name: found.get(one.name, len(found) + 1) for one in field}
