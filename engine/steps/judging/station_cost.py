"""The cost of a token: by its number, by the track to it, or by straight distance."""

from engine.position.table import Table
from engine.position.values import CompanyId
from engine.track.distance import distance
from engine.track.ground import Place


def station_cost(table: Table, company: CompanyId, place: Place | None = None) -> int:
    """Dollars for the company's next token in a city that it reaches; without a city, the least.

    The cost depends on the number of the token without the home (4.2.2), on the fewest hexes of
    track to it (18GL 4.6.2), or on the straight distance from the home in hexes (18MW Tokens).
    """
    facts = table.title.facts.operating
    if facts.station_cost == "distance":
        first, each = facts.station_costs
        homes = table.homes(company)
        far = min(table.title.grid.distance(home, place[0]) for home in homes) if place else 1
        return first + each * far
    if facts.station_cost == "hex":
        return facts.station_costs[0] * (distance(table, company, place) if place else 1)
    placed = len(table.stations_of(company)) - 1 - len(table.title.companies[company].more_homes)
    return facts.station_costs[min(max(placed, 0), len(facts.station_costs) - 1)]
