"""A game's page as one file for an email, with everything that it needs inside."""

from collections.abc import Sequence
from dataclasses import replace

from markupsafe import Markup
from msgspec import structs

from service.games.games import GameTable
from service.games.shown import GamePlace
from service.publish.course import course
from service.publish.figures import chart_picture, map_picture
from service.publish.folder import public
from service.publish.pages import Around, Pictures, game_page
from service.publish.sheet import GameSheet, sheet
from service.store import ActionRow, WaitingRow

#: the contents of a page, with less at each step: the number of latest rounds with moves; the
#: chart; the plots
_STEPS = ((1000, True, True), (6, True, True), (2, True, True), (1, False, True), (1, False, False))


def page_alone(
    table: GameTable, rows: Sequence[ActionRow], waiting: Sequence[WaitingRow], most: int
) -> bytes:
    """The page of a game that has begun, in at most so many bytes if possible.

    If it is larger, it loses the moves of earlier rounds first. Then it loses the picture of the
    chart, whose prices are also in a table, and the plots.
    """
    told = course(table.title, rows)
    game = sheet(GamePlace(table.row.name, False), table, told, waiting)
    pictures = Pictures(
        "",
        "",
        map_picture(game.scene, game.scene.view.map, letters=False),
        chart_picture(game.scene, letters=False),
    )
    page = b""
    for rounds, chart, plots in _STEPS:
        drawn = pictures if chart else replace(pictures, chart_svg="")
        page = public(_filled(_with(game, rounds), drawn, plots)).encode()
        if len(page) <= most:
            break
    return page


def _with(game: GameSheet, rounds: int) -> GameSheet:
    """The game with the moves of only so many rounds."""
    early = tuple(structs.replace(stage, deeds=stage.deeds[-1:]) for stage in game.stages[:-rounds])
    return replace(game, stages=(*early, *game.stages[-rounds:]))


def _filled(game: GameSheet, pictures: Pictures, plots: bool) -> str:
    around = Around("", "", alone=True)
    drawn = {"map_svg": Markup(pictures.map_svg), "chart_svg": Markup(pictures.chart_svg)}
    extra = {"book": False, "pdf": False, "calendars": (), **drawn}
    return game_page(game, pictures, around, extra if plots else {**extra, "curves": ()})
