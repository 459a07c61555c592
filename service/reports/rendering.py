"""Fills the mail templates, the operator's own before the shipped ones; knows no game."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import css_inline
from jinja2 import BaseLoader, ChoiceLoader, Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from service.audience import Audience, OnlyFor, without_tokens
from service.reports.fitting import HTML_LIMIT, NOTE_ROOM, fit_text
from service.reports.scene import Figure, Page, Result
from service.reports.tables import block_text, blocks_text, folded
from service.resources import folder

_CODE = re.compile(r"`([^`]+)`")
_GAP = re.compile(r"\n{3,}")


def page(
    to: Audience,
    template: str,
    subject: str,
    figures: Sequence[Figure] = (),
    templates: Path | None = None,
    **sheet: object,
) -> Page:
    """The page of a template (``turn`` for turn.txt.j2 and turn.html.j2), filled with ``sheet``.

    No part is larger than letters may be: an HTML part that would be shows the text instead.
    What is only for its reader is opened here; a token that stands in any other text, because
    somebody has quoted an address, is blotted out. Raises WrongReader for what is for others.
    """
    subject = without_tokens(subject)
    shown = {name: _shown(to, value) for name, value in sheet.items()}
    every: dict[str, object] = {**shown, "subject": subject, "figures": tuple(figures)}
    environment = _environment(templates)
    text = environment.select_template(_names(template, "txt")).render(every)
    text = fit_text(_tidy(text))
    html = _html(environment, template, every | {"text": text})
    return Page(to, subject, text, html, tuple(figures))


def _shown(to: Audience, value: Any) -> Any:  # noqa: ANN401 - whatever a template shows
    """A value of a sheet as its readers may see it."""
    if isinstance(value, OnlyFor):
        return value.open(to)
    if isinstance(value, str):
        return without_tokens(value)
    if isinstance(value, tuple | list):
        return tuple(_shown(to, one) for one in value)
    if isinstance(value, Mapping):
        return {_shown(to, key): _shown(to, one) for key, one in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        parts = {part.name: getattr(value, part.name) for part in fields(value)}
        shown = {name: _shown(to, part) for name, part in parts.items()}
        return replace(value, **shown) if shown != parts else value
    return value


def _html(environment: Environment, template: str, sheet: Mapping[str, object]) -> str:
    """The HTML part: its tables in plain columns, or at last the text, where it gets too large.

    Tables in plain columns weigh a third of what they weigh as HTML.
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
    """Letters without a template of their own share one."""
    return [f"{template}.{kind}.j2", f"letter.{kind}.j2"]


def text_of(template: str, templates: Path | None = None, **sheet: object) -> str:
    """The text part alone, to see how long it gets."""
    return _tidy(_environment(templates).get_template(f"{template}.txt.j2").render(sheet))


@cache
def _environment(own: Path | None) -> Environment:
    loaders: list[BaseLoader] = [FileSystemLoader(folder("templates") / "mail")]
    if own is not None:
        loaders.insert(0, FileSystemLoader(own / "mail"))
    environment = Environment(
        loader=ChoiceLoader(loaders),
        autoescape=lambda name: bool(name) and ".html" in str(name),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )
    environment.filters.update(
        block=block_text,
        blocks=blocks_text,
        code=code,
        mailto=mailto,
        lines=lines,
        fold=lambda text, first="": "\n".join(folded(text, first)),
        says=_says,
        results=_results,
    )
    return environment


def code(text: str) -> Markup:
    """Text for HTML: `commands` between backticks as code, new lines kept."""
    marked = _CODE.sub(r"<code>\1</code>", str(escape(text)))
    return Markup(marked.replace("\n", "<br>"))


def lines(text: str) -> Markup:
    """Words of a player in HTML, in their lines."""
    return Markup("<br>").join(text.split("\n"))


def mailto(body: str, address: str, subject: str = "") -> str:
    """A link that opens a mail with the commands in it (RFC 6068)."""
    parts = [f"subject={quote(subject, safe='')}"] if subject else []
    parts.append(f"body={quote(body.replace(chr(10), chr(13) + chr(10)), safe='')}")
    return f"mailto:{quote(address, safe='@')}?{'&'.join(parts)}"


def _says(text: str, seat: str) -> str:
    """Words of a player in plain text: every line indented, so that none can pass for ours."""
    first, *others = text.split("\n")
    found = folded(first, f"  {seat} says: ", "    ")
    for line in others:
        found += folded(line, "    ")
    return "\n".join(found)


def _results(results: Sequence[Result], marks: Mapping[str, str]) -> str:
    """What became of each command, in plain text: its mark, how it was read, the notes below."""
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
    for note in result.reasons:
        lines += folded(note, f"{indent}  ")
    return "\n".join(lines)


def _tidy(text: str) -> str:
    """No more than one empty line in a row, none at the beginning."""
    return _GAP.sub("\n\n", text).strip("\n") + "\n"


@cache
def _inliner() -> css_inline.CSSInliner:
    return css_inline.CSSInliner(keep_at_rules=True, load_remote_stylesheets=False)


def _inlined(html: str) -> str:
    """Styles moved to their elements, as mail programs want them."""
    inlined: str = _inliner().inline(html)
    return inlined
