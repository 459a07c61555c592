"""The receipt of a mail before a game begins; it needs no position."""

from collections.abc import Sequence
from dataclasses import replace

from engine import Title
from service.reports.blocks import Block, Lines, Pairs, Row
from service.reports.letters import answer_page
from service.reports.receipt import MARKS
from service.reports.scene import Answer, Figure, Page, Result


def lobby_page(
    subject: str,
    headline: str,
    results: Sequence[Result],
    standing: Sequence[str],
    game: str,
    about: Title,
    pictures: bool = True,
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
    shown = Answer((), tuple(figures.values()) if pictures else ())
    return answer_page(subject, headline, replace(shown, blocks=tuple(blocks)), game, about)
