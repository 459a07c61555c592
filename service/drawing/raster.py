"""Turns SVG into small PNG with the shipped fonts only, the same bytes every time; draws nothing.

It reads only SVG from the picture templates. Groups around texts are moved and scaled, not turned,
and labels lie above all shapes.
"""

import re
import zlib
from functools import cache, lru_cache
from html import unescape
from math import inf
from struct import pack
from threading import Lock
from typing import NamedTuple
from xml.parsers import expat

from PIL import Image, ImageColor
from thorvg_python.base import Result
from thorvg_python.canvas.sw import SwCanvas
from thorvg_python.engine import Engine
from thorvg_python.paint.picture import Picture
from zlib_ng import zlib_ng

from service.drawing.labels import ink, text_width

_PICTURES = 64
"""Pictures kept, 8 MB: all players of a game see the same ones."""
_TEXTS = 4096
"""Parsed texts kept, 3 MB: a move changes few of a map's 400 texts."""
_LEVEL = 5
"""Level of compression; 9 takes five times as long and saves a twenty-fifth of the size."""
_PAGE = re.compile(r'\bviewBox="([^"]*)"')
_COLOURS = re.compile(r'(?:fill|stroke|data-liveries)="(#[^"]*)"')
_PARTS = re.compile(r"<g\b([^<>]*)>|</g>|<text\b([^<>]*)>([^<]*(?:</?tspan[^<]*)*)</text>")
_SPAN = re.compile(r"<tspan\b([^<>]*)>([^<]*)</tspan>")
_ATTRIBUTE = re.compile(r'(?<![\w-])([\w-]+)="([^"]*)"')
_MOVED = re.compile(r"translate\(([^,()]+),([^,()]+)\)")
_SCALED = re.compile(r"scale\(([^()]+)\)")
_BETWEEN = ("#707070", "#e0d3b4")
"""Colors only for smoothed edges: between the ink and its white rim, between paper and frame."""
_ALIGNED = {"start": 0.0, "middle": 0.5, "end": 1.0}
_TURN = Lock()
"""The drawing library does one picture at a time."""


class _Text(NamedTuple):
    """A label in units of the SVG or, on the page, in pixels; ``rim`` "" means no rim."""

    text: str
    #: left end of the base line
    x: float
    y: float
    size: float
    bold: bool
    fill: str
    rim: str
    #: width of the rim around the letters
    reach: float

    def placed(self, x: float, y: float, scale: float) -> "_Text":
        """The label in a group with a shift and a scale."""
        return self._replace(
            x=x + self.x * scale,
            y=y + self.y * scale,
            size=self.size * scale,
            reach=self.reach * scale,
        )


@lru_cache(maxsize=_PICTURES)
def png(svg: str, width: int) -> bytes:
    """The picture as PNG, ``width`` pixels wide, in the colors of the SVG.

    Raises ValueError if the SVG cannot be read.
    """
    page = _PAGE.search(svg)
    try:
        # The drawing library would crash on text that is not XML.
        expat.ParserCreate().Parse(svg, True)
        *_, broad, high = map(float, page[1].split() if page else ())
    except (expat.ExpatError, ValueError) as fault:
        raise ValueError(f"this is no SVG with a view: {fault}") from fault
    if not (0 < broad < inf and 0 < high < inf):
        raise ValueError(f"an SVG cannot be {broad:g} by {high:g}")
    scale = width / broad
    shapes, texts = _parted(svg, scale)
    image = _painted(shapes, width, max(1, round(high * scale)))
    for text in texts:
        _write(image, text)
    return _saved(image.quantize(palette=_palette(svg), dither=Image.Dither.NONE))


def _parted(svg: str, scale: float) -> tuple[str, list[_Text]]:
    """The SVG without its texts, and the texts on a page with ``scale``."""
    groups = [(0.0, 0.0, scale)]
    texts: list[_Text] = []

    def parted(part: re.Match[str]) -> str:
        group, style, inside = part.groups()
        if style is not None:
            texts.extend(text.placed(*groups[-1]) for text in _texts(style, inside))
            return ""
        if group is None:
            groups.pop()
        else:
            groups.append(_moved(group, *groups[-1]))
        return part[0]

    return _PARTS.sub(parted, svg), texts


def _moved(group: str, x: float, y: float, scale: float) -> tuple[float, float, float]:
    """The place and the scale of a group within another one."""
    if moved := _MOVED.search(group):
        x, y = x + scale * float(moved[1]), y + scale * float(moved[2])
    return x, y, scale * float(scaled[1]) if (scaled := _SCALED.search(group)) else scale


@lru_cache(maxsize=_TEXTS)
def _texts(style: str, inside: str) -> tuple[_Text, ...]:
    """The labels of a text, one for each of its spans if it has any."""
    return tuple(
        _text(dict(_ATTRIBUTE.findall(style + span)), unescape(text).strip())
        for span, text in _SPAN.findall(inside) or [("", inside)]
    )


def _text(given: dict[str, str], text: str) -> _Text:
    size, bold = float(given["font-size"]), given.get("font-weight") == "700"
    aligned = _ALIGNED[given.get("text-anchor", "start")]
    return _Text(
        text,
        float(given["x"]) - aligned * text_width(text, size, bold),
        float(given["y"]),
        size,
        bold,
        given["fill"],
        given.get("stroke", ""),
        float(given.get("stroke-width", 0)) / 2,
    )


def _write(image: Image.Image, text: _Text) -> None:
    """Put the label on the picture, at whole pixels."""
    drawn = ink(text.text, text.size, text.bold, text.reach)
    at = (round(text.x) + drawn.left, round(text.y) + drawn.top)
    if drawn.rim:
        image.paste(text.rim, at, drawn.rim)
    image.paste(text.fill, at, drawn.letters)


def _painted(svg: str, width: int, height: int) -> Image.Image:
    """The shapes in all colors. Raises ValueError if the SVG cannot be read."""
    with _TURN:
        canvas = SwCanvas(_engine())
        try:
            canvas.set_target(width, height)
            picture = Picture(canvas.engine)
            done = picture.load_data(svg.encode(), "svg", None, True)
            if done is not Result.SUCCESS:
                raise ValueError(f"a picture cannot be drawn: {done.name}")
            picture.set_size(width, height)
            canvas.add(picture)
            canvas.draw(True)
            canvas.sync()
            pixels = bytes(canvas.buffer_arr or b"")
            return Image.frombytes("RGB", (width, height), pixels, "raw", "RGBX")
        finally:
            canvas.destroy()


@cache
def _engine() -> Engine:
    """Draws in the calling thread, and starts no threads."""
    return Engine(threads=0)


def _palette(svg: str) -> Image.Image:
    """The colors of the SVG and of all companies, each unchanged."""
    named = {*_BETWEEN, *(name for names in _COLOURS.findall(svg) for name in names.split())}
    colours = sorted({ImageColor.getrgb(name)[:3] for name in named})
    image = Image.new("P", (1, 1))
    image.putpalette([part for colour in colours for part in colour])
    return image


def _saved(image: Image.Image) -> bytes:
    """The picture as PNG; Pillow's own way takes twice as long and gives larger files."""
    head = pack(">IIBBBBB", *image.size, 8, 3, 0, 0, 0)
    pixels, width = image.tobytes(), image.width
    # Each line begins with its filter; no filter suits a picture of few colors best.
    lines = b"".join(b"\0" + pixels[at : at + width] for at in range(0, len(pixels), width))
    chunks = (
        (b"IHDR", head),
        (b"PLTE", bytes(image.getpalette() or ())),
        (b"IDAT", zlib_ng.compress(lines, _LEVEL)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*chunk) for chunk in chunks)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return pack(">I", len(data)) + kind + data + pack(">I", zlib.crc32(kind + data))
