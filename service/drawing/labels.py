"""Draws labels in the shipped fonts, and measures their width. It knows no pictures."""

from functools import lru_cache
from importlib.resources import files
from math import ceil
from pathlib import Path

from msgspec import Struct
from PIL import Image, ImageDraw, ImageFont

FONTS = Path(str(files("service"))) / "fonts"
FAMILY = "Roboto"
_FINE = 4
"""Labels are drawn this many times too large and reduced, because fonts need whole pixels."""
_LABELS = 4096
"""Labels kept, 5 MB: a map has up to 400 labels, and a move changes few of them."""
_FONTS = 32
"""Sizes kept: a picture has about twelve, and reading a font takes as long as drawing a label."""
_RISE, _OVERHANG = 1.1, 0.3
"""Reach of letters above the base line, and below and beside it, in sizes of the text."""
_MEASURE = 100
"""Size at which labels are measured."""


class LabelInk(Struct, frozen=True):
    """A label in pixels, its left end and base line at 0, 0: how much of each it covers."""

    left: int
    top: int
    letters: Image.Image
    #: letters with the rim around them; None without one
    rim: Image.Image | None


@lru_cache(maxsize=_FONTS)
def _font(bold: bool, size: float) -> ImageFont.FreeTypeFont:
    name = "Roboto-Bold.ttf" if bold else "Roboto-Regular.ttf"
    return ImageFont.truetype(FONTS / name, size)


@lru_cache(maxsize=_LABELS)
def _measured(text: str, bold: bool) -> float:
    return _font(bold, _MEASURE).getlength(text) / _MEASURE


def text_width(text: str, size: float, bold: bool = False) -> float:
    """The width of a line of text in the shipped font."""
    return _measured(text, bold) * size


@lru_cache(maxsize=_LABELS)
def ink(text: str, size: float, bold: bool, rim: float) -> LabelInk:
    """The label with letters of ``size`` pixels, and a rim of ``rim`` pixels; 0 for none."""
    around = ceil(_OVERHANG * size + rim)
    up = ceil(_RISE * size + rim)
    whole = (2 * around + ceil(text_width(text, size, bold)), up + around)
    letters, *rims = (
        _covered(text, _font(bold, size * _FINE), whole, (around, up), broad * _FINE)
        for broad in ((0, rim) if rim else (0,))
    )
    left, top, right, low = (rims or [letters])[0].getbbox() or (0, 0, 1, 1)
    letters, *rims = (image.crop((left, top, right, low)) for image in (letters, *rims))
    return LabelInk(left - around, top - up, letters, rims[0] if rims else None)


def _covered(
    text: str,
    font: ImageFont.FreeTypeFont,
    whole: tuple[int, int],
    at: tuple[int, int],
    rim: float,
) -> Image.Image:
    """The coverage of each pixel by the label, which has its left end and base line at a pixel."""
    large = Image.new("L", (whole[0] * _FINE, whole[1] * _FINE))
    place = (at[0] * _FINE, at[1] * _FINE)
    ImageDraw.Draw(large).text(place, text, 255, font, anchor="ls", stroke_width=rim)
    return large.reduce(_FINE)
