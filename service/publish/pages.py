"""Fills the templates of the published pages with values about a game."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from jinja2 import BaseLoader, ChoiceLoader, Environment, FileSystemLoader
from markupsafe import Markup
from PIL import ImageColor

from service.audience import EVERYBODY, OnlyFor
from service.compiled import environment_from
from service.publish.figures import board
from service.publish.paper import as_data
from service.publish.sheet import GameSheet, anchor, picture
from service.reports.news import worths
from service.reports.position import sources, tables
from service.reports.rendering import code, lines
from service.reports.words import moment
from service.resources import folder

STYLE, SCRIPT = "style.css", "slider.js"
#: the least contrast for small text (WCAG 2.2, 1.4.3)
_LEGIBLE = 4.5


@dataclass(frozen=True)
class Around:
    """The surroundings of a page: its place in the site, and the operator's templates.

    ``root`` is the path to the site's folder. ``look`` changes with style and script. A page that
    is ``alone`` contains its style and has no links.
    """

    root: str
    look: str
    templates: Path | None = None
    alone: bool = False


@dataclass(frozen=True)
class Pictures:
    """The sources of a page's map and chart: file names or data; and SVG for their sizes."""

    map: str
    chart: str
    map_svg: str
    chart_svg: str


@dataclass(frozen=True)
class MapLink:
    """A past map of the game: its file, and the round after which it looked so."""

    file: str
    words: str


def file_of(name: str, own: Path | None) -> str:
    """A file of the template folder that is shown as it is; the operator's file has priority."""
    places = [own / "page" / name] if own is not None else []
    found = next((place for place in places if place.is_file()), None)
    return (found or folder("templates") / "page" / name).read_text(encoding="utf-8")


def look_of(own: Path | None) -> str:
    """A digest that changes with every template, the style and the script."""
    places = [folder("templates") / "page", folder("templates") / "picture"]
    places += [own / "page"] if own is not None and (own / "page").is_dir() else []
    digest = hashlib.blake2b(digest_size=6)
    for place in places:
        for path in sorted(place.glob("*.*")):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def fill(template: str, own: Path | None, sheet: Mapping[str, object]) -> str:
    """A page from a template, for everybody. Raises WrongReader for a value that is not public."""
    return _environment(own).get_template(template).render(sheet)


def game_page(
    game: GameSheet, pictures: Pictures, around: Around, extra: Mapping[str, object]
) -> str:
    """The page of a game; ``extra`` has its calendars, its book, and whether that has a PDF."""
    scene = game.scene
    alone = around.alone
    return fill(
        "game.html.j2",
        around.templates,
        {
            **common(game, around, pictures),
            "alone": alone,
            "style": Markup(file_of(STYLE, around.templates)) if alone else "",
            "canonical": "" if alone else game.place.address,
            "maps": () if alone else map_links(game),
            "tables": tables(scene),
            "ranking": worths(scene) if game.ended else None,
            "curves": game.curves,
            "board": board(scene.view.map),
            **extra,
        },
    )


def common(game: GameSheet, around: Around, pictures: Pictures) -> dict[str, object]:
    """The values that all pages about a game need."""
    scene = game.scene
    prices = ", ".join(f"{c} {scene.table.price(c)}" for c in scene.table.priced())
    return {
        "game": game,
        "view": scene.view,
        "hidden": not game.place.listed,
        "root": around.root,
        "look": around.look,
        "map": pictures.map,
        "map_size": size(pictures.map_svg),
        "chart": pictures.chart,
        "chart_size": size(pictures.chart_svg),
        "chart_alt": f"Stock chart. {f'Prices: {prices}.' if prices else 'No prices yet.'}",
        "sources": sources(scene.view.provenance, scene.view.overlay),
    }


def map_links(game: GameSheet) -> tuple[MapLink, ...]:
    """The different past maps of the game, each with the first round that ended with it."""
    found: list[MapLink] = []
    for stage in game.stages:
        if not found or found[-1].file != picture(stage):
            found.append(MapLink(picture(stage), f"after {stage.round}"))
    if len(found) > 1 and not (game.ended or game.stages[-1].over):
        found[-1] = MapLink(found[-1].file, "now")
    return tuple(found)


@dataclass(frozen=True)
class ListedGame:
    """A game as the list of games shows it."""

    name: str
    folder: str
    title: str
    players: tuple[str, ...]
    stands: str
    at: int
    awaited: tuple[str, ...]
    ended: bool


class ListedTournament(Protocol):
    """A tournament as the list of games shows it."""

    @property
    def name(self) -> str: ...

    @property
    def stands(self) -> str: ...


def index_page(
    name: str,
    games: Sequence[ListedGame],
    around: Around,
    address: str,
    tournaments: Sequence[ListedTournament] = (),
) -> str:
    """The page of all listed games, the latest moves first, and of tournaments."""
    ranked = sorted(games, key=lambda game: (-game.at, game.name))
    sheet = {
        "name": name,
        "running": [game for game in ranked if not game.ended],
        "ended": [game for game in ranked if game.ended],
        "tournaments": tournaments,
        "hidden": False,
        "canonical": address,
        "root": around.root,
        "look": around.look,
        "style": "",
    }
    return fill("index.html.j2", around.templates, sheet)


def size(svg: str) -> tuple[int, int]:
    """Width and height of an SVG, so that a page does not jump while it loads; 0 for no SVG."""
    if not svg:
        return 0, 0
    found = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    assert found is not None
    return round(float(found[1])), round(float(found[2]))


@cache
def _environment(own: Path | None) -> Environment:
    loaders: list[BaseLoader] = [FileSystemLoader(folder("templates") / "page")]
    if own is not None:
        loaders.insert(0, FileSystemLoader(own / "page"))
    found = environment_from(ChoiceLoader(loaders), finalize=_opened)
    found.filters.update(
        anchor=anchor, as_data=as_data, code=code, lines=lines, moment=moment, legible=legible
    )
    return found


def _opened(value: Any) -> Any:  # noqa: ANN401 - whatever a template shows
    """A value that everybody may read; otherwise the error that stops the page."""
    return value.open(EVERYBODY) if isinstance(value, OnlyFor) else value


def legible(colours: tuple[str, str]) -> str:
    """The text color on a background, or black or white if that color is not legible there."""
    ground, words = colours
    if _contrast(ground, words) >= _LEGIBLE:
        return words
    return max(("#000000", "#ffffff"), key=lambda colour: _contrast(ground, colour))


def _contrast(one: str, other: str) -> float:
    """The contrast ratio of two colors (WCAG 2.2, "contrast ratio")."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    red, green, blue = (
        part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4
        for part in ImageColor.getrgb(colour)[:3]
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
