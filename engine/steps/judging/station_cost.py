"""What a station costs the company that puts it: by its number, by track, as the crow flies."""

from engine.position.table import Table
from engine.position.values import CompanyId
from engine.track.distance import distances
from engine.track.ground import Place


def station_cost(table: Table, company: CompanyId, place: Place | None = None) -> int:
    """Dollars for the company's next station, in a city that it reaches; the least without one.

    By the number of the station beside its home (4.2.2), by the fewest hexes that lead there
    (18GL 4.6.2), or by those from the home as the crow flies (18MW Tokens).
    """
    facts = table.title.facts.operating
    if facts.station_cost == "distance":
        first, each = facts.station_costs
        homes = table.homes(company)
        far = min(table.title.grid.distance(home, place[0]) for home in homes) if place else 1
        return first + each * far
    if facts.station_cost == "hex":
        return facts.station_costs[0] * (distances(table, company)[place] if place else 1)
    placed = len(table.stations_of(company)) - 1 - len(table.title.companies[company].more_homes)
    return facts.station_costs[min(max(placed, 0), len(facts.station_costs) - 1)]
