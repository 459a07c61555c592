"""The answer to `help quickstart`: the page docs/quickstart.md, as an email shows it."""

import re
from collections.abc import Iterator
from functools import lru_cache

from service.reports.markdown import tables, without_links
from service.reports.scene import Answer
from service.reports.tables import Block, Lines, Pairs, Row, Verbatim
from service.resources import folder

_LINKS = re.compile(r"^\*\*Everything else\*\*.*", re.MULTILINE | re.DOTALL)
_BOLD = re.compile(r"\*\*(.+?)\*\*")


@lru_cache(maxsize=1)
def quick_start() -> Answer:
    """The whole page, one block or more for each section; links are left out."""
    text = _shown((folder("docs") / "quickstart.md").read_text(encoding="utf-8"))
    text = _BOLD.sub(r"\1", without_links(_LINKS.sub("", text)))
    sections = re.split(r"^#+ +", text, flags=re.MULTILINE)[1:]
    return Answer(tuple(block for section in sections for block in _blocks(section)))


def _shown(page: str) -> str:
    """The page without its comments: emails of other players, for the tests."""
    # the reader of an email has the address already
    first, *others = page.replace(", here `waybill@example.org`", "").split("<!--")
    return first + "".join(part.partition("-->")[2].removeprefix("\n") for part in others)


def _blocks(section: str) -> Iterator[Block]:
    """The heading is that of the first block."""
    heading, _, body = section.partition("\n")
    for part in re.split(r"\n\s*\n", body.strip()):
        if part.startswith("```"):
            yield Verbatim(heading, tuple(part.splitlines()[1:-1]))
        elif part.startswith("|"):
            [(_, _, *rows)] = tables(part)
            yield Pairs(heading, tuple(Row(label, (text,)) for label, text in rows))
        elif part.startswith("- "):
            items = re.split(r"^- ", part, flags=re.MULTILINE)[1:]
            yield Lines(heading, tuple("– " + " ".join(item.split()) for item in items))
        else:
            yield Lines(heading, (" ".join(part.split()),))
        heading = ""
