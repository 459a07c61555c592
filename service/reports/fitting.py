"""Keeps pages as small as letters are promised to be; what is cut is counted and told."""

import re
from bisect import bisect
from collections.abc import Sequence
from dataclasses import replace

from markupsafe import escape

from service.reports.scene import Page
from service.reports.tables import folded

TEXT_LIMIT = 6_000
"""Octets of a text part."""
HTML_LIMIT = 60_000
"""Octets of an HTML part: Gmail cuts at about 102 000 and quoting adds to it."""
MAIL_LIMIT = 300_000
"""Octets of a whole mail with its pictures."""

NOTE_ROOM = 1_000
"""Octets of an HTML part that are kept for a note."""

_FOOT = "\n-- \n"
_ASK = "Some of this is cut short: ask for it alone by `history`, `status` or `help`."
_IMAGE = re.compile(r'<img\b(?=[^<>]*>)[^<>]*\bsrc="cid:[^"<>]*"[^<>]*>')
#: a section is not cut to fewer octets than this
_LEAST = 200


def fit_text(text: str) -> str:
    """The text in at most 6 kB: its longest sections are cut at their ends, all to one length."""
    if len(text.encode()) <= TEXT_LIMIT:
        return text
    body, foot, signature = text.rpartition(_FOOT)
    if not foot:
        body, signature = text, ""
    sections = [section.split("\n") for section in body.rstrip("\n").split("\n\n")]

    def cut(most: int) -> str:
        return _joined([_shortened(lines, most) for lines in sections], foot + signature)

    lengths = range(_LEAST, TEXT_LIMIT, 50)
    found = bisect(lengths, TEXT_LIMIT, key=lambda most: len(cut(most).encode()))
    if found:
        return cut(lengths[found - 1])
    # Thousands of short sections: those behind the first are cut as if they were one.
    most = TEXT_LIMIT - 2 * _LEAST - len(signature.encode())
    return _joined([_shortened(body.rstrip("\n").split("\n"), most)], foot + signature)


def _joined(sections: Sequence[Sequence[str]], foot: str) -> str:
    every = "\n\n".join("\n".join(lines) for lines in sections)
    return f"{every}\n\n{_ASK}\n{foot}" if foot else f"{every}\n\n{_ASK}\n"


def _shortened(lines: Sequence[str], most: int) -> list[str]:
    """The first lines, in at most so many octets, and how many more there were."""
    if sum(len(line.encode()) + 1 for line in lines) <= most:
        return list(lines)
    kept: list[str] = []
    room = most - 40
    for line in lines:
        room -= len(line.encode()) + 1
        if room < 0:
            break
        kept.append(line)
    left = len(lines) - len(kept)
    return [*kept, f"  … {left} more {'line' if left == 1 else 'lines'}"]


def noted(page: Page, note: str) -> Page:
    """The page with a paragraph more, above its foot."""
    body, foot, signature = page.text.rpartition(_FOOT)
    if not foot:
        body, signature = page.text, ""
    text = fit_text("\n".join((body.rstrip("\n"), "", *folded(note), foot)) + signature)
    shown = f'<div style="border-left:4px solid #d9822b;padding:4px 10px">{escape(note)}</div>'
    place = page.html.rfind('<div class="foot"')
    place = page.html.rfind("</body>") if place < 0 else place
    html = page.html[:place] + shown + page.html[place:] if place >= 0 else page.html
    return replace(page, text=text, html=html)


def plain(page: Page, note: str = "") -> Page:
    """A page for somebody who has proved nothing: its text alone, no picture, perhaps a note."""
    bare = replace(page, html="", figures=(), files=())
    return noted(bare, note) if note else bare


def linked(page: Page, told: Sequence[tuple[str, str]]) -> Page:
    """The page with addresses of pictures instead of these: what each shows, and the address."""
    html = _IMAGE.sub("", page.html)
    bare = replace(page, html=html, figures=())
    body, foot, signature = bare.text.rpartition(_FOOT)
    if not foot:
        body, signature = bare.text, ""
    lines = "\n".join(f"{what}:\n  {address}" for what, address in told)
    text = fit_text(f"{body.rstrip(chr(10))}\n\n{lines}\n{foot}{signature}")
    shown = "".join(
        f'<p><a href="{escape(address)}">{escape(what)}</a></p>' for what, address in told
    )
    place = html.rfind('<div class="foot"')
    place = html.rfind("</body>") if place < 0 else place
    return replace(bare, text=text, html=html[:place] + shown + html[place:] if html else "")


def without(page: Page, dropped: Sequence[str]) -> Page:
    """The page without the pictures of these content ids, which it says."""
    if not dropped:
        return page
    html = page.html
    for cid in dropped:
        html = re.sub(rf'<img\b(?=[^<>]*>)[^<>]*\bsrc="cid:{re.escape(cid)}"[^<>]*>', "", html)
    figures = tuple(figure for figure in page.figures if figure.cid not in dropped)
    count = f"{len(dropped)} pictures are" if len(dropped) > 1 else "A picture is"
    note = f"{count} left out, or the email would be too large. Ask for fewer in one email."
    return noted(replace(page, html=html, figures=figures), note)
