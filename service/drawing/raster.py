"""Turns SVG into small PNG by the shipped fonts only, the same bytes every time; draws nothing."""

import os
import tempfile
from functools import lru_cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import resvg_py
from PIL import Image

from service.drawing.sheet import FAMILY, FONTS

COLOURS = 64
_FONT_FILES = [str(FONTS / name) for name in ("Roboto-Regular.ttf", "Roboto-Bold.ttf")]


def png(svg: str, width: int, folder: Path | None = None) -> bytes:
    """The picture as PNG, ``width`` pixels wide, in at most 64 colours.

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
    with Image.open(BytesIO(bytes(drawn))) as image:
        few = image.convert("RGB").quantize(
            COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE
        )
    out = BytesIO()
    # A higher level takes five times as long for a twentieth of the size.
    few.save(out, "PNG", compress_level=6)
    return out.getvalue()
