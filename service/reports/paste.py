"""A round's report for pasting into a forum: as BBCode, Markdown, or plain text.

The names of players and rules are escaped for each form, so that nothing in a report acts as
markup. The BBCode is phpBB's, which cannot escape a bracket; so brackets become round. Markdown is
CommonMark, as Discourse takes it. No line is wrapped there, because a forum shows each line break.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from service.reports.tables import Row, folded

Form = Literal["bbcode", "markdown", "text"]
FORMS: tuple[Form, ...] = get_args(Form)

_MARKS = re.compile(r"([\\`*_{}\[\]<>#|~]|&(?=#?\w+;))")


@dataclass(frozen=True)
class Report:
    """The content of a report.

    ``acts`` are the actions of the round by player. ``tables`` are finished lines of a fixed width.
    ``links`` are pairs of a label and an address.
    """

    headline: str
    standing: str
    acts: Sequence[Row] = ()
    tables: Sequence[str] = ()
    links: Sequence[tuple[str, str]] = ()


def pasted(report: Report, form: Form) -> str:
    """The report in one of the forms; it ends with a line break."""
    made: dict[Form, Callable[[Report], list[str]]] = {
        "bbcode": _bbcode,
        "markdown": _markdown,
        "text": _text,
    }
    return "\n".join(made[form](report)).rstrip("\n") + "\n"


def fenced(text: str, links: Sequence[tuple[str, str]] = ()) -> str:
    """The text of an email as a Markdown block that keeps its form, with links below."""
    lines = ["```text", *text.strip("\n").replace("```", "'''").split("\n"), "```", ""]
    lines += [f"- [{markdown(what)}]({address})" for what, address in links]
    return "\n".join(lines).rstrip("\n") + "\n"


def markdown(text: str) -> str:
    """Text as Markdown that shows exactly this text (CommonMark 2.4)."""
    return _MARKS.sub(r"\\\1", text)


def _bb(text: str) -> str:
    return text.replace("[", "(").replace("]", ")")


def _bbcode(report: Report) -> list[str]:
    lines = [f"[b]{_bb(report.headline)}[/b]", _bb(report.standing)]
    if report.acts:
        items = (f"[*]{_who(row, '[b]', '[/b]', _bb)}" for row in report.acts)
        lines += ["[list]", *items, "[/list]"]
    if report.tables:
        lines += ["[code]", *map(_bb, report.tables), "[/code]"]
    lines += [f"[url={address}]{_bb(what)}[/url]" for what, address in report.links]
    return lines


def _markdown(report: Report) -> list[str]:
    lines = [f"## {markdown(report.headline)}", "", markdown(report.standing), ""]
    if report.acts:
        lines += [*(f"- {_who(row, '**', '**', markdown)}" for row in report.acts), ""]
    if report.tables:
        lines += ["```text", *(line.replace("```", "'''") for line in report.tables), "```", ""]
    lines += [f"- [{markdown(what)}]({address})" for what, address in report.links]
    return lines


def _text(report: Report) -> list[str]:
    lines = [*folded(report.headline), *folded(report.standing), ""]
    for row in report.acts:
        lines += folded(_who(row, "", "", str), "- ")
    lines += ["", *report.tables, ""] if report.tables else [""]
    return lines + [f"{what}: {address}" for what, address in report.links]


def _who(row: Row, begin: str, end: str, plain: Callable[[str], str]) -> str:
    told = plain("; ".join(row.items))
    return f"{begin}{plain(row.label)}{end} {told}" if row.label else told
