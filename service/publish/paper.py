"""Makes a PDF of a page, with tags for screen readers; nothing is fetched for it from anywhere."""

import base64

from service.drawing import png
from service.drawing.sheet import FAMILY, FONTS

_PIXELS = 1400
"""Pixels of a board across a page."""


class NoPaper(Exception):
    """PDFs cannot be made on this machine; says what is missing."""


def pdf(html: str) -> bytes:
    """A page whose pictures are all within it as PDF/UA. Raises NoPaper.

    WeasyPrint takes its letters from Pango, a library of the system (Debian: libpangoft2-1.0-0).
    """
    try:
        from weasyprint import CSS, HTML
        from weasyprint.text.fonts import FontConfiguration
        from weasyprint.urls import URLFetcher
    except (ImportError, OSError) as error:
        raise NoPaper(f"no PDF can be made, Pango is missing here: {error}") from error
    fetcher, fonts = URLFetcher(allowed_protocols=("data",)), FontConfiguration()
    style = CSS(string=_faces(), font_config=fonts, url_fetcher=fetcher)
    page = HTML(string=html, url_fetcher=fetcher)
    made: bytes | None = page.write_pdf(
        stylesheets=[style], font_config=fonts, pdf_variant="pdf/ua-1", optimize_images=True
    )
    assert made is not None
    return made


def _faces() -> str:
    faces = []
    for name, weight in (("Roboto-Regular.ttf", 400), ("Roboto-Bold.ttf", 700)):
        data = base64.b64encode((FONTS / name).read_bytes()).decode()
        source = f"src:url(data:font/ttf;base64,{data})"
        faces.append(f"@font-face{{font-family:{FAMILY};font-weight:{weight};{source}}}")
    return "".join(faces)


def as_data(svg: str) -> str:
    """An SVG as the source of a picture that a page carries within it."""
    return f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}"


def as_png_data(svg: str) -> str:
    """A board as the source of a picture on paper: WeasyPrint knows no letters within an SVG."""
    return f"data:image/png;base64,{base64.b64encode(png(svg, _PIXELS)).decode()}"
