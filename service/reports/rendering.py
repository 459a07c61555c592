"""Turns pages into text and HTML by the templates, within the size limits of emails."""

import re
from bisect import bisect
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import css_inline
from jinja2 import BaseLoader, ChoiceLoader, Environment, FileSystemLoader
from markupsafe import Markup, escape

from engine.wording import cut
from service.audience import Audience, OnlyFor, without_tokens
from service.compiled import environment_from
from service.reports.scene import Figure, Page, Result
from service.reports.tables import block_text, blocks_text, folded
from service.resources import folder
from service.said import SAYS

TEXT_LIMIT = 6_000
"""Octets of a text part."""
HTML_LIMIT = 60_000
"""Octets of an HTML part: Gmail cuts at about 102 000, and quoting adds more."""
MAIL_LIMIT = 300_000
"""Octets of a whole email with its pictures."""
FILE_LIMIT = (MAIL_LIMIT - 30_000) * 57 // 78
"""Octets of files attached to an email, as base64 (RFC 2045 6.8), beside a short answer."""

NOTE_ROOM = 1_000
"""Octets of an HTML part that stay free for a note."""

_FOOT = "\n-- \n"
_ASK = "Some of this email is cut. For all of it, send `history`, `status` or `help`."
ONE_MORE = "… 1 more line"
MORE = "… {left} more lines"
_IMAGE = re.compile(r'<img\b(?=[^<>]*>)[^<>]*\bsrc="cid:[^"<>]*"[^<>]*>')
#: the fewest octets of a section that is cut
_LEAST = 200


def fit_text(text: str) -> str:
    """The text in at most 6 kB: its longest sections are cut at the end, to the same length."""
    if len(text.encode()) <= TEXT_LIMIT:
        return text
    body, foot, signature = text.rpartition(_FOOT)
    if not foot:
        body, signature = text, ""
    sections = [section.split("\n") for section in body.rstrip("\n").split("\n\n")]

    def cut_to(most: int) -> str:
        return _joined([_shortened(lines, most) for lines in sections], foot + signature)

    lengths = range(_LEAST, TEXT_LIMIT, 50)
    found = bisect(lengths, TEXT_LIMIT, key=lambda most: len(cut_to(most).encode()))
    if found:
        return cut_to(lengths[found - 1])
    # Thousands of short sections: all after the first are cut as one.
    most = TEXT_LIMIT - 2 * _LEAST - len(signature.encode())
    return _joined([_shortened(body.rstrip("\n").split("\n"), most)], foot + signature)


def _joined(sections: Sequence[Sequence[str]], foot: str) -> str:
    every = "\n\n".join("\n".join(lines) for lines in sections)
    return f"{every}\n\n{_ASK}\n{foot}" if foot else f"{every}\n\n{_ASK}\n"


def _shortened(lines: Sequence[str], most: int) -> list[str]:
    """The first lines, in at most so many octets, and the number of lines left out."""
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
    return [*kept, f"  {ONE_MORE if left == 1 else MORE.format(left=left)}"]


def noted(page: Page, note: str) -> Page:
    """The page with a further paragraph above its foot."""
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
    """A page for a reader who has proved nothing: only its text, perhaps with a note."""
    bare = replace(page, html="", figures=(), files=())
    return noted(bare, note) if note else bare


def linked(page: Page, told: Sequence[tuple[str, str]]) -> Page:
    """The page with links instead of these pictures: a label and an address for each."""
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


PICTURES_LEFT_OUT = (
    "{pictures} left out, or the email would be too large. Ask for fewer in one email."
)


def without(page: Page, dropped: Sequence[str]) -> Page:
    """The page without the pictures of these content ids, and with a note that says so."""
    if not dropped:
        return page
    html = page.html
    for cid in dropped:
        html = re.sub(rf'<img\b(?=[^<>]*>)[^<>]*\bsrc="cid:{re.escape(cid)}"[^<>]*>', "", html)
    figures = tuple(figure for figure in page.figures if figure.cid not in dropped)
    count = f"{len(dropped)} pictures are" if len(dropped) > 1 else "A picture is"
    note = PICTURES_LEFT_OUT.format(pictures=count)
    return noted(replace(page, html=html, figures=figures), note)


#: the most characters of a subject, and the end of one that is cut
LONGEST_SUBJECT = 60
_CUT = " …"
_CODE = re.compile(r"`([^`]+)`")
_EXITS = re.compile("(?<=[NSEW])-(?=[NSEW])")
_CODES = 2048
"""Short texts kept as HTML, 1 MB: tables have the same ones in each email."""
_GAP = re.compile(r"\n{3,}")


def fitting(text: str, room: int = LONGEST_SUBJECT) -> str:
    """A part of a subject in so many characters, those of the sign of a cut included."""
    return text if len(text) <= room else cut(text, max(room - len(_CUT), 1))


def page(
    to: Audience,
    template: str,
    subject: str,
    figures: Sequence[Figure] = (),
    templates: Path | None = None,
    sizes: Iterable[Mapping[str, object]] = ({},),
    **sheet: object,
) -> Page:
    """The page of a template (``turn`` for turn.txt.j2 and turn.html.j2), filled with ``sheet``.

    ``sizes`` are more values, each time shorter; the first with which the text fits are shown.

    No part exceeds its limit: instead of an HTML part that is too large, the page shows the text.
    Values for the reader only are opened here. A token in any other text, for example in a quoted
    address, is blotted out. Raises WrongReader for a value that is for others.
    """
    subject = fitting(without_tokens(subject).removesuffix("."))
    shown = {name: _shown(to, value) for name, value in sheet.items()}
    shown |= {"subject": subject, "figures": tuple(figures)}
    environment = environment_of(templates)
    own = environment.select_template(_names(template, "txt"))
    for size in sizes:
        every = shown | {name: _shown(to, value) for name, value in size.items()}
        text = _tidy(own.render(every))
        if len(text.encode()) <= TEXT_LIMIT:
            break
    text = fit_text(text)
    html = _html(environment, template, every | {"text": text})
    return Page(to, subject, text, html, tuple(figures))


def _shown(to: Audience, value: Any) -> Any:  # noqa: ANN401 - whatever a template shows
    """A value of a sheet in the form that its readers may see."""
    if isinstance(value, OnlyFor):
        return value.open(to)
    if isinstance(value, str):
        return without_tokens(value)
    if isinstance(value, tuple | list):
        return tuple([_shown(to, one) for one in value])
    if isinstance(value, Mapping):
        return {_shown(to, key): _shown(to, one) for key, one in value.items()}
    changed = {}
    for name in _parts(value.__class__):
        part = getattr(value, name)
        shown = _shown(to, part)
        if shown is not part and shown != part:
            changed[name] = shown
    return replace(value, **changed) if changed else value


@cache
def _parts(kind: type) -> tuple[str, ...]:
    """The names of the fields of a dataclass; () of any other class."""
    return tuple(part.name for part in fields(kind)) if is_dataclass(kind) else ()


def _html(environment: Environment, template: str, sheet: Mapping[str, object]) -> str:
    """The HTML part; if it is too large, with tables as plain columns, or finally as text.

    Tables in plain columns take a third of the size of HTML tables.
    """
    own = environment.select_template(_names(template, "html"))
    limit = HTML_LIMIT - NOTE_ROOM
    html = _inlined(own.render(sheet))
    if len(html.encode()) > limit and "plain" in sheet:
        html = _inlined(own.render({**sheet, "plain": True}))
    if len(html.encode()) > limit:
        html = _inlined(environment.get_template("plain.html.j2").render(sheet))
    return html


def _names(template: str, kind: str) -> list[str]:
    """The names of a letter's template: its own, or the one that letters share."""
    return [f"{template}.{kind}.j2", f"letter.{kind}.j2"]


@cache
def environment_of(own: Path | None) -> Environment:
    """The templates of emails; those in the folder ``own`` come before Waybill's."""
    home = folder("templates") / "mail"
    loaders: list[BaseLoader] = [FileSystemLoader(home)]
    if own is not None:
        loaders.insert(0, FileSystemLoader(own / "mail"))
    found = environment_from(
        ChoiceLoader(loaders),
        home,
        autoescape=lambda name: bool(name) and ".html" in str(name),
        keep_trailing_newline=True,
    )
    found.filters.update(
        block=block_text,
        blocks=blocks_text,
        code=code,
        mailto=mailto,
        lines=lines,
        fold=lambda text, first="": "\n".join(folded(text, first)),
        says=_says,
        results=_results,
    )
    return found


@lru_cache(maxsize=_CODES)
def code(text: str) -> Markup:
    """Text for HTML: `commands` in backticks become code, line breaks stay.

    Exits beside commands, "NW-SE", do not break.
    """
    pieces = _CODE.split(str(escape(text)))
    pieces[::2] = [_EXITS.sub("\N{NON-BREAKING HYPHEN}", piece) for piece in pieces[::2]]
    pieces[1::2] = [f"<code>{piece}</code>" for piece in pieces[1::2]]
    marked = "".join(pieces)
    return Markup(marked.replace("\n", "<br>"))


def lines(text: str) -> Markup:
    """A player's message in HTML, with its line breaks."""
    return Markup("<br>").join(text.split("\n"))


def mailto(body: str, address: str, subject: str = "") -> str:
    """A link that opens an email with these commands (RFC 6068)."""
    parts = [f"subject={quote(subject, safe='')}"] if subject else []
    parts.append(f"body={quote(body.replace(chr(10), chr(13) + chr(10)), safe='')}")
    return f"mailto:{quote(address, safe='@')}?{'&'.join(parts)}"


def _says(text: str, seat: str) -> str:
    """A player's message in plain text, each line indented: none can pass for Waybill's."""
    first, *others = text.split("\n")
    found = folded(first, "  " + SAYS.format(name=seat, text=""), "    ")
    for line in others:
        found += folded(line, "    ")
    return "\n".join(found)


def _results(results: Sequence[Result], marks: Mapping[str, str]) -> str:
    """The result of each command in plain text: its mark, its canonical form, notes below."""
    room = max((len(marks[result.status]) for result in results), default=0)
    return "\n".join(_result(result, f"  {marks[result.status]:<{room}}  ") for result in results)


def _result(result: Result, mark: str) -> str:
    indent = " " * len(mark)
    if result.pointed:
        line, caret = result.pointed.split("\n")
        lines = [f"{mark}{line}", f"{indent}{caret}"]
    else:
        differs = result.canonical and result.canonical != result.text
        wrote = f": {result.text}" if differs else ""
        told = result.number and (wrote or result.status == "no")
        where = f"   (line {result.number}{wrote})" if told else ""
        lines = folded(f"{result.canonical or result.text}{where}", mark)
    for note in (*result.reasons, *result.private):
        lines += folded(note, f"{indent}  ")
    return "\n".join(lines)


def _tidy(text: str) -> str:
    """The text with at most one empty line in a row, and none at the beginning."""
    return _GAP.sub("\n\n", text).strip("\n") + "\n"


@cache
def _inliner() -> css_inline.CSSInliner:
    return css_inline.CSSInliner(keep_at_rules=True, load_remote_stylesheets=False)


def _inlined(html: str) -> str:
    """HTML with styles moved to the elements, as email programs need them."""
    inlined: str = _inliner().inline(html)
    return inlined
