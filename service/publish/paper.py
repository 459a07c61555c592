"""Sets a page as PDF, with tags for screen readers; it fetches nothing from elsewhere.

It reads the page's HTML into plain data, and ``templates/page/paper.typ`` gives the look of each
element on paper. Typst gets that data as a value, so that a player's text is always text to it.
"""

import base64
import json
from functools import cache
from pathlib import Path
from typing import Literal

import typst
from selectolax.lexbor import LexborHTMLParser, LexborNode

from service.drawing.labels import FONTS
from service.publish.folder import public
from service.resources import folder

LAYOUT = "paper.typ"
_SVG = "data:image/svg+xml;base64,"
#: the beginning of Typst's error if a page cannot be PDF/UA
_NOT_UA = "PDF/UA-1 error:"


def pdf(html: str, own: Path | None = None) -> bytes:
    """A page with SVG pictures inside as PDF/UA-1; the same page gives the same bytes.

    ``own`` are the operator's templates. A page that cannot be PDF/UA becomes PDF 1.7 with all its
    tags. An example is a page with characters that Waybill's fonts lack; it shows a box for each.
    """
    found = LexborHTMLParser(html)
    title = found.css_first("title")
    body = found.body
    page: dict[str, object] = {
        "title": title.text() if title is not None else "",
        "body": _inside(body) if body is not None else [],
    }
    try:
        return _set(page, "ua-1", own)
    except typst.TypstError as error:
        if not error.message.startswith(_NOT_UA):
            raise
        return _set(page, "1.7", own)


def as_data(svg: str) -> str:
    """An SVG without secrets, as the source of a picture inside a page."""
    return _SVG + base64.b64encode(public(svg).encode()).decode()


def _inside(node: LexborNode) -> list[object]:
    """The contents of a node: texts, and elements as dictionaries."""
    return [
        child.text_content or "" if child.is_text_node else _element(child)
        for child in node.iter(include_text=True)
        if child.is_text_node or child.is_element_node
    ]


def _element(node: LexborNode) -> dict[str, object]:
    attributes = node.attributes
    found: dict[str, object] = {
        "tag": node.tag,
        "class": (attributes.get("class") or "").split(),
        "body": _inside(node),
    }
    if node.tag == "img":
        source = attributes.get("src") or ""
        within = source.startswith(_SVG)
        svg = base64.b64decode(source.removeprefix(_SVG)).decode() if within else ""
        found |= {"svg": svg, "alt": attributes.get("alt") or ""}
    if node.tag == "a":
        found["href"] = attributes.get("href") or ""
    return found


def _set(page: dict[str, object], standard: Literal["ua-1", "1.7"], own: Path | None) -> bytes:
    place = folder("templates") / "page" / LAYOUT
    if own is not None and (own / "page" / LAYOUT).is_file():
        place = own / "page" / LAYOUT
    # Typst reads no file outside ``root``, and within it only those that the layout names.
    made = typst.compile(
        place,
        root=place.parent,
        font_paths=_fonts(),
        sys_inputs={"page": json.dumps(page)},
        pdf_standards=standard,
        timestamp=0,
    )
    assert isinstance(made, bytes)
    return made


@cache
def _fonts() -> typst.Fonts:
    """Waybill's fonts, and Typst's own fonts of fixed width; none of this computer."""
    return typst.Fonts(include_system_fonts=False, font_paths=[FONTS])
