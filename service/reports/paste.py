"""A round's report as it is pasted into a forum: BBCode, Markdown, or plain text.

What players and rules are called is made harmless for each of them, so that nothing in a report is
read as a mark of its form. BBCode is that of phpBB: it has no way to write a bracket that is none,
so brackets become round. Markdown is CommonMark, as Discourse takes it; no line is wrapped there,
for a forum shows each line break.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from service.reports.tables import Row, folded

Form = Literal["bbcode", "markdown", "text"]
FORMS: tuple[Form, ...] = get_args(Form)

_MARKS = re.compile(r"([\\`*_{}\[\]<>#|~]|&(?=#?\w+;))")
_WIDTH = 78


@dataclass(frozen=True)
class Report:
    """What is to be pasted.

    ``acts`` are those of the round by who acted, ``tables`` ready lines of a fixed width, ``links``
    pairs of what an address shows and the address.
    """

    headline: str
    standing: str
    acts: Sequence[Row] = ()
    tables: Sequence[str] = ()
    links: Sequence[tuple[str, str]] = ()


def pasted(report: Report, form: Form) -> str:
    """The report in one of the forms, with a line break at its end."""
    made: dict[Form, Callable[[Report], list[str]]] = {
        "bbcode": _bbcode,
        "markdown": _markdown,
        "text": _text,
    }
    return "\n".join(made[form](report)).rstrip("\n") + "\n"


def fenced(text: str, links: Sequence[tuple[str, str]] = ()) -> str:
    """A text of a mail as Markdown that shows it as it stands, with links below."""
    lines = ["```text", *text.strip("\n").replace("```", "'''").split("\n"), "```", ""]
    lines += [f"- [{markdown(what)}]({address})" for what, address in links]
    return "\n".join(lines).rstrip("\n") + "\n"


def markdown(text: str) -> str:
    """Words as Markdown that means just them (CommonMark 2.4)."""
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
