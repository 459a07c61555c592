"""Reads what a PDF is made of: its tags, as pypdf finds them."""

from collections.abc import Iterator

from pypdf import PdfReader


def elements(found: PdfReader) -> Iterator[dict]:
    """The structure elements of a tagged PDF, in reading order."""

    def below(node):
        kids = node.get("/K", [])
        for kid in kids if isinstance(kids, list) else [kids]:
            kid = kid.get_object()
            if isinstance(kid, dict) and "/S" in kid:
                yield kid
                yield from below(kid)

    yield from below(found.trailer["/Root"]["/StructTreeRoot"])


def texts(found: PdfReader, tag: str) -> list[str]:
    """What elements of this tag say instead of a picture."""
    return [str(one["/Alt"]) for one in elements(found) if one["/S"] == tag and "/Alt" in one]


def outline(found: PdfReader) -> list[str]:
    """The titles of the outline, those below one after it."""

    def flat(entries):
        for entry in entries:
            if isinstance(entry, list):
                yield from flat(entry)
            else:
                yield str(entry.title)

    return list(flat(found.outline))
