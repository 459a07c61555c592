"""Reads the Markdown of the project's own pages, for answers that quote them."""

import re
from collections.abc import Iterator

_LINK = re.compile(r"\[([^\[\]]+)\]\([^()]*\)")


def without_links(text: str) -> str:
    """The text with the words of each link in its place."""
    return _LINK.sub(r"\1", text)


def tables(text: str) -> Iterator[list[list[str]]]:
    """The tables of a page, as rows of cells: the header, the line below it, then the others."""
    rows: list[list[str]] = []
    for line in (*text.splitlines(), ""):
        if line.startswith("|"):
            cells = re.split(r"(?<!\\)\|", line.strip().strip("|"))
            rows.append([without_links(c.strip().replace("\\|", "|")) for c in cells])
        elif rows:
            yield rows
            rows = []
