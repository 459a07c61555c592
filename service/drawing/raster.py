"""Turns SVG into small PNG by the shipped fonts only, the same bytes every time; draws nothing."""

import os
import re
import tempfile
from collections import Counter
from functools import lru_cache
from hashlib import sha256
from io import BytesIO
from math import dist
from pathlib import Path

import resvg_py
from PIL import Image, ImageColor

from service.drawing.sheet import FAMILY, FONTS

COLOURS = 64
"""The most colours of a picture."""
_NEAR = (10, 48)
"""Distances in RGB at which two colours are one, of light ones and of dark ones."""
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
    drawn = resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width,
        skip_system_fonts=True,
        font_files=_FONT_FILES,
        font_family=FAMILY,
        sans_serif_family=FAMILY,
    )
    with Image.open(BytesIO(drawn)) as image:
        few = image.convert("RGB").quantize(
            palette=_palette(_colours(svg)), dither=Image.Dither.NONE
        )
    # The highest level takes five times as long for a twentieth of the size.
    data = _saved(few, 6)
    return data if len(data) <= MOST else _saved(few, 9)


def _saved(image: Image.Image, level: int) -> bytes:
    out = BytesIO()
    image.save(out, "PNG", compress_level=level)
    return out.getvalue()


def _colours(svg: str) -> list[tuple[int, ...]]:
    """What the SVG paints with, the most used first, without what looks the same as another."""
    found: list[tuple[int, ...]] = []
    for paint, _ in Counter(_PAINT.findall(svg)).most_common():
        try:
            colour = ImageColor.getrgb(paint)[:3]
        except ValueError:
            # "none", or a reference
            continue
        near = _NEAR[max(colour) < _LIGHT]
        if all(dist(colour, other) >= near for other in found):
            found.append(colour)
    return [*found[: COLOURS - 1], _BETWEEN]


def _palette(colours: list[tuple[int, ...]]) -> Image.Image:
    image = Image.new("P", (1, 1))
    image.putpalette([part for colour in colours for part in colour])
    return image
