"""Turns SVG into small PNG with the shipped fonts only, the same bytes every time; draws nothing.

It reads only SVG from the picture templates. Groups around texts are moved and scaled, not turned,
and labels lie above all shapes. A group with a ``data-box`` draws nothing outside of it.

Most maps differ little from an earlier one. Only the parts that differ are drawn; the drawing
library makes the same pixels of a part alone as of the whole page.
"""

import re
import zlib
from collections import deque
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from html import unescape
from math import ceil, floor, inf
from struct import pack
from threading import Lock
from typing import NamedTuple, cast
from xml.parsers import expat

from PIL import Image, ImageColor
from thorvg_python.base import Result
from thorvg_python.canvas.sw import SwCanvas
from thorvg_python.engine import Engine
from thorvg_python.paint.picture import Picture
from zlib_ng import zlib_ng

from service.drawing.labels import LabelInk, ink, text_width

_PICTURES = 64
"""Pictures kept, 8 MB: all players of a game see the same ones."""
_TEXTS = 8192
"""Parsed texts kept, 6 MB: a move changes few of a map's 400 texts."""
_PAGES = 12
"""Drawn pages kept, 22 MB: the next map of a game changes few places of its last one."""
_LEVEL = 5
"""Level of compression; 9 takes five times as long and saves a twenty-fifth of the size."""
_BAND = 48
"""Lines of a page that are compressed together. If they have not changed, they are not again."""
_WINDOW = 32_768
"""Octets that compression looks back at (RFC 1951)."""
_PALETTES = 24
"""Palettes kept, 13 MB at most: each remembers which of its colors is nearest to a color."""
_PAGE = re.compile(r'\bviewBox="([^"]*)"')
_COLOURS = re.compile(r'(?:fill|stroke|data-liveries)="(#[^"]*)"')
_PARTS = re.compile(r"<g\b([^<>]*)>|</g>|<text\b([^<>]*)>([^<]*(?:</?tspan[^<]*)*)</text>")
_BOX = re.compile(r'data-box="([^"]*)"')
_SPAN = re.compile(r"<tspan\b([^<>]*)>([^<]*)</tspan>")
_ATTRIBUTE = re.compile(r'(?<![\w-])([\w-]+)="([^"]*)"')
_MOVED = re.compile(r"translate\(([^,()]+),([^,()]+)\)")
_SCALED = re.compile(r"scale\(([^()]+)\)")
_BETWEEN = ("#707070", "#e0d3b4")
"""Colors only for smoothed edges: between the ink and its white rim, between paper and frame."""
_ALIGNED = {"start": 0.0, "middle": 0.5, "end": 1.0}
_TURN = Lock()
"""The drawing library does one picture at a time."""


class _PixelBox(NamedTuple):
    """A part of a page in whole pixels."""

    left: int
    top: int
    right: int
    low: int

    def meets(self, other: "_PixelBox") -> bool:
        """Whether they share a pixel."""
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.low and other.top < self.low

    def around(self, other: "_PixelBox") -> "_PixelBox":
        """The smallest box with both."""
        left, top = min(self.left, other.left), min(self.top, other.top)
        return _PixelBox(left, top, max(self.right, other.right), max(self.low, other.low))

    @property
    def area(self) -> int:
        """Its number of pixels."""
        return (self.right - self.left) * (self.low - self.top)


class _Text(NamedTuple):
    """A label on the page in pixels; ``rim`` "" means no rim."""

    text: str
    size: float
    bold: bool
    fill: str
    rim: str
    #: width of the rim around the letters
    reach: float
    #: what it may change
    box: _PixelBox

    @property
    def drawn(self) -> LabelInk:
        """The label in pixels."""
        return ink(self.text, self.size, self.bold, self.reach)


class _Shapes(NamedTuple):
    """A piece of an SVG without its texts, and the part of the page that has all it draws."""

    svg: str
    #: None for what every part of a page is drawn with
    box: _PixelBox | None


_Things = dict[_Shapes | _Text, None]
"""All that is on a page, in the order of drawing."""


class _DrawnPage(NamedTuple):
    """A drawn page: what is on it, its pixels as places among its colors, its packed bands."""

    things: _Things
    colours: bytes
    image: Image.Image
    bands: tuple[bytes, ...]


_drawn: deque[_DrawnPage] = deque(maxlen=_PAGES)


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
        raise ValueError(f"this is not an SVG with a view: {fault}") from fault
    if not (0 < broad < inf and 0 < high < inf):
        raise ValueError(f"an SVG cannot be {broad:g} by {high:g}")
    scale = width / broad
    whole = _PixelBox(0, 0, width, max(1, round(high * scale)))
    shapes, texts = _parted(svg, scale)
    colours = _colours(svg)
    things: _Things = dict.fromkeys((*shapes, *texts))
    image, bands, parts = _begun(things, colours, whole)
    for part in parts:
        near = "".join(one.svg for one in shapes if one.box is None or one.box.meets(part))
        painted = _painted(near, whole, part)
        for text in texts:
            if text.box.meets(part):
                _write(painted, text, (text.box.left - part.left, text.box.top - part.top))
        image.paste(painted.quantize(palette=_palette(colours), dither=Image.Dither.NONE), part)
    lines = _lines(image)
    bands = _packed(lines, whole, bands, parts)
    if len(shapes) > 1:
        _drawn.append(_DrawnPage(things, colours, image, bands))
    return _saved(whole, colours, lines, bands)


def _begun(
    things: _Things, colours: bytes, whole: _PixelBox
) -> tuple[Image.Image, tuple[bytes, ...], list[_PixelBox]]:
    """The page as far as a drawn page has the same on it, its bands, and the parts to draw."""
    size = whole[2:]
    alike = [page for page in tuple(_drawn) if page.colours == colours and page.image.size == size]
    page = min(alike, key=lambda one: len(one.things.keys() ^ things.keys()), default=None)
    if page is not None:
        parts = _joined(_differences(page.things, things, whole), whole)
        if 2 * sum(part.area for part in parts) < whole.area:
            return page.image.copy(), page.bands, parts
    return Image.new("P", size), (), [whole]


def _differences(old: _Things, new: _Things, whole: _PixelBox) -> list[_PixelBox]:
    """The boxes of all that only one of two pages has; the whole page if more may differ."""
    other = old.keys() ^ new.keys()
    kept = ([one for one in page if one not in other] for page in (old, new))
    return [one.box or whole for one in other] if next(kept) == next(kept) else [whole]


def _joined(boxes: Iterable[_PixelBox], whole: _PixelBox) -> list[_PixelBox]:
    """The same parts of the page as boxes that do not meet."""
    found: list[_PixelBox] = []
    for box in boxes:
        part = box
        while near := next((one for one in found if one.meets(part)), None):
            found.remove(near)
            part = part.around(near)
        found.append(part)
    inside = (
        _PixelBox(max(0, a), max(0, b), min(c, whole.right), min(d, whole.low))
        for a, b, c, d in found
    )
    return [one for one in inside if one.left < one.right and one.top < one.low]


def _parted(svg: str, scale: float) -> tuple[list[_Shapes], list[_Text]]:
    """The SVG without its texts, in pieces, and the texts on a page with ``scale``."""
    groups = [(0.0, 0.0, scale)]
    texts: list[_Text] = []
    found: list[_Shapes] = []
    piece: list[str] = []
    box: _PixelBox | None = None
    end = 0
    for part in _PARTS.finditer(svg):
        piece.append(svg[end : part.start()])
        end = part.end()
        group, style, inside = part.groups()
        if style is not None:
            texts.extend(_texts(style, inside, *groups[-1]))
        elif group is None:
            groups.pop()
            piece.append(part[0])
            if box and len(groups) == 1:
                found.append(_Shapes("".join(piece), box))
                piece, box = [], None
        else:
            if boxed := _BOX.search(group):
                found.append(_Shapes("".join(piece).strip(), None))
                piece, box = [], _pixels(boxed[1], scale)
            groups.append(_moved(group, *groups[-1]))
            piece.append(part[0])
    found.append(_Shapes("".join((*piece, svg[end:])).strip(), None))
    return [one for one in found if one.svg], texts


def _pixels(box: str, scale: float) -> _PixelBox:
    """A box on the page, given as left, top, width and height in units of the SVG."""
    left, top, width, height = map(float, box.split())
    right, low = left + width, top + height
    return _PixelBox(
        floor(left * scale) - 1,
        floor(top * scale) - 1,
        ceil(right * scale) + 1,
        ceil(low * scale) + 1,
    )


def _moved(group: str, x: float, y: float, scale: float) -> tuple[float, float, float]:
    """The place and the scale of a group within another one."""
    if moved := _MOVED.search(group):
        x, y = x + scale * float(moved[1]), y + scale * float(moved[2])
    return x, y, scale * float(scaled[1]) if (scaled := _SCALED.search(group)) else scale


@lru_cache(maxsize=_TEXTS)
def _texts(style: str, inside: str, x: float, y: float, scale: float) -> tuple[_Text, ...]:
    """The labels of a text in a group with a shift and a scale; one for each of its spans."""
    return tuple(
        _text(dict(_ATTRIBUTE.findall(style + span)), unescape(text).strip(), x, y, scale)
        for span, text in _SPAN.findall(inside) or [("", inside)]
    )


def _text(given: dict[str, str], text: str, x: float, y: float, scale: float) -> _Text:
    size, bold = float(given["font-size"]), given.get("font-weight") == "700"
    left = float(given["x"]) - _ALIGNED[given.get("text-anchor", "start")] * text_width(
        text, size, bold
    )
    reach = scale * float(given.get("stroke-width", 0)) / 2
    return _Text(
        text,
        size * scale,
        bold,
        given["fill"],
        given.get("stroke", ""),
        reach,
        _box(ink(text, size * scale, bold, reach), x + left * scale, y + float(given["y"]) * scale),
    )


def _box(drawn: LabelInk, x: float, y: float) -> _PixelBox:
    """The pixels that a label may change; the left end of its base line is at x, y."""
    left, top = round(x) + drawn.left, round(y) + drawn.top
    wide, high = (drawn.rim or drawn.letters).size
    return _PixelBox(left, top, left + wide, top + high)


def _write(image: Image.Image, text: _Text, at: tuple[int, int]) -> None:
    """Put the label on the picture, at whole pixels."""
    drawn = text.drawn
    if drawn.rim:
        image.paste(text.rim, at, drawn.rim)
    image.paste(text.fill, at, drawn.letters)


def _painted(svg: str, whole: _PixelBox, part: _PixelBox) -> Image.Image:
    """The shapes on a part of the page in all colors.

    Raises ValueError if the SVG cannot be read.
    """
    size = whole[2:]
    with _TURN:
        canvas = SwCanvas(_engine())
        try:
            canvas.set_target(*size)
            canvas.set_viewport(part.left, part.top, part.right - part.left, part.low - part.top)
            picture = Picture(canvas.engine)
            done = picture.load_data(svg.encode(), "svg", None, True)
            if done is not Result.SUCCESS:
                raise ValueError(f"a picture cannot be drawn: {done.name}")
            picture.set_size(*size)
            canvas.add(picture)
            canvas.draw(False)
            canvas.sync()
            drawn = cast(bytes, canvas.buffer_arr)  # an array, which is not copied
            pixels = Image.frombuffer("RGBX", size, drawn, "raw", "RGBX", 0, 1)
            return pixels.crop(part).convert("RGB")
        finally:
            canvas.destroy()


@cache
def _engine() -> Engine:
    """Draws in the calling thread, and starts no threads."""
    return Engine(threads=0)


def _colours(svg: str) -> bytes:
    """The colors of the SVG and of all companies, each unchanged, as red, green and blue."""
    named = {*_BETWEEN, *(name for names in _COLOURS.findall(svg) for name in names.split())}
    colours = sorted({ImageColor.getrgb(name)[:3] for name in named})
    return bytes(part for colour in colours for part in colour)


@lru_cache(maxsize=_PALETTES)
def _palette(colours: bytes) -> Image.Image:
    """The colors in the form that pictures are reduced to."""
    image = Image.new("P", (1, 1))
    image.putpalette(colours)
    return image


def _lines(image: Image.Image) -> bytes:
    """The pixels as PNG has them: each line begins with its filter, and no filter is the best.

    That is 0, with which Pillow ends a line that may be longer than the picture.
    """
    return b"\0" + image.tobytes("raw", "P", image.width + 1, 1)[:-1]


def _packed(
    lines: bytes, whole: _PixelBox, old: tuple[bytes, ...], changed: Sequence[_PixelBox]
) -> tuple[bytes, ...]:
    """The lines compressed in bands; a band is that of the old page if all it depends on is."""
    line = whole.right + 1
    back = ceil(_WINDOW / line)
    return tuple(
        old[number]
        if old and not any(part.top < top + _BAND and top - back < part.low for part in changed)
        else _compressed(lines, top * line, (top + _BAND) * line)
        for number, top in enumerate(range(0, whole.low, _BAND))
    )


def _compressed(lines: bytes, start: int, end: int) -> bytes:
    """A piece of a compressed stream that only looks back as far as any may."""
    before = lines[max(0, start - _WINDOW) : start]
    packing = zlib_ng.compressobj(_LEVEL, wbits=-zlib_ng.MAX_WBITS, zdict=before)
    return packing.compress(lines[start:end]) + packing.flush(zlib_ng.Z_SYNC_FLUSH)


def _saved(whole: _PixelBox, colours: bytes, lines: bytes, bands: tuple[bytes, ...]) -> bytes:
    """The picture as PNG; Pillow's own way takes twice as long and gives larger files."""
    # RFC 1950: the head, the pieces, an empty last piece, the checksum of all lines
    stream = (b"\x78\x5e", *bands, b"\x03\x00", pack(">I", zlib_ng.adler32(lines)))
    chunks = (
        (b"IHDR", pack(">IIBBBBB", whole.right, whole.low, 8, 3, 0, 0, 0)),
        (b"PLTE", colours),
        (b"IDAT", b"".join(stream)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*chunk) for chunk in chunks)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return pack(">I", len(data)) + kind + data + pack(">I", zlib.crc32(kind + data))
