"""Pictures of a position: the map, single tiles and the stock chart as SVG, and SVG as PNG; plots.

Sees the plain data of ``engine.telling.view`` and nothing else of a game.
"""

from service.drawing.highlights import COLOURS, Highlights, Route
from service.drawing.map import map_svg, tile_svg
from service.drawing.market import market_svg
from service.drawing.plot import Plot, Series
from service.drawing.raster import png
from service.drawing.sheet import Legend, Livery, Look

__all__ = [
    "COLOURS",
    "Highlights",
    "Legend",
    "Livery",
    "Look",
    "Plot",
    "Route",
    "Series",
    "map_svg",
    "market_svg",
    "png",
    "tile_svg",
]
