"""Facts of a position beside its legal moves: needs, limits, costs, best runs, possible presidents.

The service imports this module to explain a position to players. The judges of `engine.steps` work
out the answers; this module only collects them.
"""

from engine.play.debt import credit, funds
from engine.play.ending import final_price
from engine.play.protection import cost as protection_cost
from engine.play.protection import open_blocks
from engine.play.shares import (
    SHARE,
    fallen,
    float_percent,
    holdings,
    presidency_after,
    president_percent,
)
from engine.play.shares import cost as share_cost
from engine.play.systems import mean_par, top_cell
from engine.steps import ASKING
from engine.steps.judging.cost import laying_cost
from engine.steps.judging.forced import must_buy, shortfall
from engine.steps.judging.offers import cheapest, forced_offer
from engine.steps.judging.station_cost import station_cost
from engine.steps.judging.successors import rebuilt, upgrades
from engine.steps.operating.connected import why_not_token
from engine.steps.operating.running import (
    best_of_turn,
    earned,
    ferry_cost,
    idles,
    most_fares,
    poorest,
)
from engine.steps.operating.stations import StationPlace, station_places
from engine.steps.operating.track import TrackStep, allowance
from engine.steps.powers.ferry import ferry_cost as ferry_price
from engine.steps.powers.permission import to_ask
from engine.steps.powers.spare import is_spare
from engine.steps.questions.discard import is_over, train_limit
from engine.steps.stock.parallel_sale import freeable
from engine.steps.stock.purchase import to_buy
from engine.track.ferries import ferry_users
from engine.track.network import has_route

__all__ = [
    "ASKING",
    "SHARE",
    "StationPlace",
    "TrackStep",
    "allowance",
    "best_of_turn",
    "cheapest",
    "credit",
    "earned",
    "fallen",
    "ferry_cost",
    "ferry_price",
    "ferry_users",
    "final_price",
    "float_percent",
    "forced_offer",
    "freeable",
    "funds",
    "has_route",
    "holdings",
    "idles",
    "is_over",
    "is_spare",
    "laying_cost",
    "mean_par",
    "most_fares",
    "must_buy",
    "open_blocks",
    "poorest",
    "presidency_after",
    "president_percent",
    "protection_cost",
    "rebuilt",
    "share_cost",
    "shortfall",
    "station_cost",
    "station_places",
    "to_ask",
    "to_buy",
    "top_cell",
    "train_limit",
    "upgrades",
    "why_not_token",
]
