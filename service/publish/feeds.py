"""Atom feeds (RFC 4287): the rounds of one game or of all listed games, the latest first."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from xml.etree import ElementTree

from service.publish.course import CourseRound
from service.publish.sheet import GameSheet, anchor

_ATOM = "http://www.w3.org/2005/Atom"
#: the namespace of Atom's identifiers; it must never change
_OURS = uuid.UUID("6b1f6a0e-6c0f-5f6e-9d3a-2f0d7f1b18aa")
#: the most entries of a feed
MOST = 30


@dataclass(frozen=True)
class FeedEntry:
    """An entry of a feed; ``link`` is relative to the feed, or a whole address."""

    id: str
    title: str
    updated: int
    link: str
    lines: tuple[str, ...]


def identifier(*parts: object) -> str:
    """The identifier of a thing, the same for ever, also if its pages move (RFC 4287 4.2.6)."""
    return uuid.uuid5(_OURS, "\n".join(map(str, parts))).urn


def game_entries(sheet: GameSheet, page: str = "") -> list[FeedEntry]:
    """The finished rounds of a game, the latest first; ``page`` is the link to its page."""
    own = (sheet.name, sheet.table.row.created)
    stages = [stage for stage in sheet.stages if stage.over or sheet.ended]
    found = [
        FeedEntry(
            identifier(*own, stage.number),
            f"{sheet.name}: {stage.round} is over",
            stage.at,
            f"{page}#{anchor(stage.round)}",
            _lines(stage),
        )
        for stage in stages[-MOST:]
    ]
    if sheet.ended:
        ranking = ", ".join(f"{p.seat} ${p.worth}" for p in sheet.scene.view.ranked())
        found.append(
            FeedEntry(
                identifier(*own, "end"),
                f"{sheet.name} is over: {ranking}",
                sheet.at,
                f"{page}book.html",
                (ranking,),
            )
        )
    return found[::-1]


def _lines(stage: CourseRound) -> tuple[str, ...]:
    worth = ", ".join(f"{seat} ${dollars}" for seat, dollars in stage.worth.items())
    acts = (f"{deed.seat}: {', '.join(deed.told)}" for deed in stage.deeds if deed.told)
    return (f"Net worth: {worth}.", *acts)


def game_feed(sheet: GameSheet, author: str) -> str:
    """The feed of a game, in the folder of its page."""
    own = identifier(sheet.name, sheet.table.row.created)
    title = f"{sheet.name} ({sheet.scene.view.title})"
    begun = sheet.stages[0].at
    return feed(own, title, game_entries(sheet), (author, sheet.place.address, begun))


def feed(id: str, title: str, entries: Sequence[FeedEntry], about: tuple[str, str, int]) -> str:
    """A feed as XML; ``about`` has its author, the address of its folder, and its beginning."""
    author, base, begun = about
    ElementTree.register_namespace("", _ATOM)
    root = ElementTree.Element(f"{{{_ATOM}}}feed")
    if base:
        root.set("{http://www.w3.org/XML/1998/namespace}base", base)
    _add(root, "id", id)
    _add(root, "title", title)
    _add(root, "updated", _time(max((entry.updated for entry in entries), default=begun)))
    _add(_add(root, "author"), "name", author)
    _add(root, "link", rel="alternate", type="text/html", href="index.html")
    _add(root, "link", rel="self", type="application/atom+xml", href="feed.atom")
    for entry in entries[:MOST]:
        one = _add(root, "entry")
        _add(one, "id", entry.id)
        _add(one, "title", entry.title)
        _add(one, "updated", _time(entry.updated))
        _add(one, "link", rel="alternate", type="text/html", href=entry.link)
        _add(one, "content", "\n".join(entry.lines), type="text")
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(root, "unicode") + "\n"


def _add(parent: ElementTree.Element, name: str, text: str = "", **has: str) -> ElementTree.Element:
    found = ElementTree.SubElement(parent, f"{{{_ATOM}}}{name}", has)
    found.text = text or None
    return found


def _time(seconds: int) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%SZ}"
