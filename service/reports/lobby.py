"""The receipt of a mail before a game begins; it needs no position."""

from collections.abc import Sequence
from dataclasses import replace

from service.audience import Audience
from service.reports.blocks import Block, Lines, Pairs, Row
from service.reports.letters import answer_page
from service.reports.receipt import MARKS
from service.reports.scene import About, Answer, Figure, Page, Result


def lobby_page(
    to: Audience,
    subject: str,
    headline: str,
    results: Sequence[Result],
    standing: Sequence[str],
    about: About,
) -> Page:
    """The receipt of a mail before the start: what became of each line, and how things stand."""
    rows = [
        Row(MARKS[result.status], (result.text, *result.notes), True)
        for result in results
        if result.answer is None
    ]
    blocks: list[Block] = [Pairs("", tuple(rows))] if rows else []
    figures: dict[str, Figure] = {}
    for result in results:
        if result.answer is not None:
            blocks += [Lines("", (f"> {result.text}",)), *result.answer.blocks]
            figures |= {figure.cid: figure for figure in result.answer.figures}
    blocks.append(Lines("", tuple(standing)))
    answer = Answer(tuple(blocks), tuple(figures.values()))
    files = tuple(file for r in results if r.answer is not None for file in r.answer.files)
    return replace(answer_page(to, subject, headline, answer, about), files=files)


def without_pictures(results: Sequence[Result]) -> list[Result]:
    """The results for somebody who wants no pictures."""
    return [
        replace(result, answer=replace(result.answer, figures=())) if result.answer else result
        for result in results
    ]
