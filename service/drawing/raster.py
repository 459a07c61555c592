"""Turns SVG into small PNG by the shipped fonts only, the same bytes every time; draws nothing."""

import os
import re
import tempfile
from collections import Counter
from functools import lru_cache
from hashlib import sha256
from io import BytesIO
from math import dist, inf
from pathlib import Path
from xml.etree import ElementTree

from PIL import Image, ImageColor
from resvg import render, usvg

from service.drawing.sheet import FAMILY, FONTS

COLOURS = 64
"""The most colours of a picture."""
_NEAR = ((10, 48), (24, 60), (40, 80))
"""Distances in RGB at which two colours are one, of light ones and of dark ones; the further ones
where a picture would grow too large."""
_LEVELS = (6, 8)
"""How hard to compress: 8 takes three times as long as 6 for a twentieth of the size."""
MOST = 150_000
"""Octets that a picture should not exceed: mails with two of them are sent to phones."""
_LIGHT = 160
"""The greatest part of a colour from which on it is light."""
_BETWEEN = (112, 112, 112)
"""The only colour of the palette for smoothed edges alone: between the ink and its white rim."""
_PAINT = re.compile(r'(?:fill|stroke)="([^"]+)"')
_FONT_FILES = [str(FONTS / name) for name in ("Roboto-Regular.ttf", "Roboto-Bold.ttf")]


def png(svg: str, width: int, folder: Path | None = None) -> bytes:
    """The picture as PNG, ``width`` pixels wide, in the colours that the SVG names, at most 64.

    Kept in memory and, if given, in ``folder`` under the digest of the SVG. Raises ValueError
    where the SVG cannot be read.
    """
    if folder is None:
        return _drawn(svg, width)
    kept = folder / f"{sha256(f'{width} {COLOURS} {svg}'.encode()).hexdigest()}.png"
    if kept.is_file():
        return kept.read_bytes()
    data = _drawn(svg, width)
    folder.mkdir(parents=True, exist_ok=True)
    # A reader must never find half a picture: write beside it and rename.
    handle, name = tempfile.mkstemp(dir=folder, suffix=".part")
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    os.replace(name, kept)
    return data


@lru_cache(maxsize=64)
def _drawn(svg: str, width: int) -> bytes:
    with Image.open(BytesIO(_painted(svg, width))) as drawn:
        image = drawn.convert("RGB")
    data = b""
    for near, level in ((_NEAR[0], _LEVELS[0]), *((near, _LEVELS[1]) for near in _NEAR)):
        palette = _palette(_colours(svg, near))
        data = _saved(image.quantize(palette=palette, dither=Image.Dither.NONE), level)
        if len(data) <= MOST:
            break
    return data


def _painted(svg: str, width: int) -> bytes:
    """A PNG in all colours; ValueError where the SVG cannot be read or has no size."""
    broad, high = _size(svg)
    scale = width / broad
    # Options belong to the thread that made them, and are made in no time.
    options = usvg.Options.default()
    options.font_family = FAMILY
    for file in _FONT_FILES:
        options.load_font_file(file)
    try:
        tree = usvg.Tree.from_str(svg, options)
        return render(
            tree, (scale, 0, 0, 0, scale, 0), bg_size=(width, max(1, round(high * scale)))
        )
    except BaseException as fault:
        # The library's own faults are no Exception, and would end whoever asks for a picture.
        if type(fault).__name__ != "PanicException":
            raise
        raise ValueError(f"a picture cannot be drawn: {fault}") from fault


def _size(svg: str) -> tuple[float, float]:
    """Width and height of the view, in the units of the SVG."""
    try:
        *_, broad, high = map(float, ElementTree.fromstring(svg).get("viewBox", "").split())
    except (ElementTree.ParseError, ValueError) as fault:
        raise ValueError(f"this is no SVG with a view: {fault}") from fault
    if not (0 < broad < inf and 0 < high < inf):
        raise ValueError(f"an SVG cannot be {broad:g} by {high:g}")
    return broad, high


def _saved(image: Image.Image, level: int) -> bytes:
    out = BytesIO()
    image.save(out, "PNG", compress_level=level)
    return out.getvalue()


def _colours(svg: str, nearness: tuple[int, int]) -> list[tuple[int, ...]]:
    """What the SVG paints with, the most used first, without what looks the same as another."""
    found: list[tuple[int, ...]] = []
    for paint, _ in Counter(_PAINT.findall(svg)).most_common():
        try:
            colour = ImageColor.getrgb(paint)[:3]
        except ValueError:
            # "none", or a reference
            continue
        near = nearness[max(colour) < _LIGHT]
        if all(dist(colour, other) >= near for other in found):
            found.append(colour)
    return [*found[: COLOURS - 1], _BETWEEN]


def _palette(colours: list[tuple[int, ...]]) -> Image.Image:
    image = Image.new("P", (1, 1))
    image.putpalette([part for colour in colours for part in colour])
    return image
