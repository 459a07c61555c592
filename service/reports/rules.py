"""The answer to `rules 4.2.5`: the subject of a section, and how Waybill plays it.

Both come from the project's own pages in ``docs``; nothing is quoted from a rulebook.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache

from engine import Title
from engine.wording import cut
from service.refusal import Refused
from service.reports.markdown import tables
from service.reports.scene import Answer
from service.reports.tables import Block, Lines, Pairs, Row
from service.resources import folder

#: the most sections in one answer, and the most characters of a name that is not understood
_MOST, _SHOWN = 40, 40
_NUMBER = re.compile(r"\d+(?:\.\d+)*(?:\(\w+\))*")
_MAIN = re.compile(r"\d+(?:\.\d+)?|[^\d,]+")
_HERE_TOO = re.compile(r"\[(\w+)\]\(\w+\.md\)\s+holds\s+here\s+too")


@dataclass(frozen=True)
class Reading:
    """A way in which Waybill plays something: the sections about it, and a sentence or two."""

    sections: tuple[str, ...]
    shown: str
    text: str
    #: the optional rule that it belongs to, "" for none
    option: str = ""


@lru_cache(maxsize=16)
def _sections(title: str) -> dict[str, str]:
    book = tomllib.loads((folder("docs") / "rulebook.toml").read_text(encoding="utf-8"))
    found: dict[str, str] = book.get(title, {})
    return found


@lru_cache(maxsize=16)
def _readings(title: str) -> tuple[Reading, ...]:
    path = folder("docs") / f"{title}.md"
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    own = tuple(reading for table in tables(text) for reading in _of_table(table))
    relatives = (name for name in _HERE_TOO.findall(text) if name != title)
    also = (
        Reading(sections, f"{name} {reading.shown}", reading.text)
        for name in relatives
        for reading in _readings(name)
        if not reading.option and (sections := _same(reading, name, title))
    )
    return (*own, *also)


def _same(reading: Reading, theirs: str, ours: str) -> tuple[str, ...]:
    """Our sections with the same subjects as those of a relative's reading; () if one has none."""
    book = _sections(ours)
    by_subject = {subject: section for section, subject in book.items()}
    found = []
    # the first is the cell as a whole
    for section in reading.sections[1:]:
        subject = _sections(theirs).get(section, "")
        same = book.get(section) == subject
        found.append(section if same else by_subject.get(subject, ""))
    return tuple(found) if all(found) else ()


def _of_table(table: list[list[str]]) -> Iterator[Reading]:
    """The readings in a table; tables about other things have none."""
    head, _, *rows = table
    names = ["id" if name == "id" else name.casefold() for name in head]
    at = next((names.index(name) for name in ("rule", "heading") if name in names), None)
    kinds = ("reading", "what it does", "18xx.games")
    told = next((names.index(name) for name in kinds if name in names), None)
    if at is None or told is None:
        return
    for row in rows:
        option = row[0].strip("`") if names[0] == "id" else ""
        option = "18xx.games" if names[told] == "18xx.games" else option
        number = (row[0],) if not names[0] else ()
        shown = " ".join((*number, row[at]))
        yield Reading((*number, *_refers(row[at])), shown, row[told], option)


def _refers(cell: str) -> Iterator[str]:
    """The sections in a cell: "4.2.3(b), (j)" are two of 4.2.3."""
    yield cell
    base = ""
    for part in cell.split(", "):
        base = part.partition("(")[0] if _NUMBER.fullmatch(part) else base
        yield f"{base}{part}" if part.startswith("(") else part


def _plain(text: str) -> str:
    return re.sub(r"\s+", "", text).casefold().rstrip(".")


def _within(section: str, wanted: str) -> bool:
    """Whether a section is the wanted one or a part of it."""
    rest = section.casefold().removeprefix(wanted.casefold())
    same = len(rest) < len(section) and (not rest or rest[0] in ".(, ")
    return same or _plain(section) == _plain(wanted)


def rules(title: Title, text: str) -> Answer:
    """The subject of a section and how Waybill plays it; by default the main sections.

    Raises Refused that says what would work.
    """
    book = _sections(title.name)
    if not text.strip():
        main = [Row(key, (book[key],)) for key in book if _MAIN.fullmatch(key)]
        how = f"In our words; you need the rules. As in `rules {main[-1].label}`."
        return Answer((Pairs(f"RULES OF {title.name}", tuple(main)), Lines("", (how,))))
    wanted = _meant(book, title, text)
    parts = [key for key in book if _within(key, wanted)]
    rows = tuple(Row(key, (book[key],)) for key in parts[:_MOST])
    found: list[Block] = [Pairs(f"RULES OF {title.name}, {wanted}, in our words", rows)]
    if len(parts) > _MOST:
        found.append(Lines("", (f"… and {len(parts) - _MOST} parts more; name one of them.",)))
    played = tuple(_row(title, one) for one in _readings(title.name) if _about(one, wanted, title))
    if played:
        found.append(Pairs("HOW IT IS PLAYED HERE", played))
    else:
        found.append(Lines("", ("Played as the rulebook has it; no reading of ours is noted.",)))
    return Answer(tuple(found))


def _meant(book: dict[str, str], title: Title, text: str) -> str:
    """The section that a text means, by its number, its heading, or words of its subject."""
    name = text.strip().removeprefix(title.name).strip()
    by_plain = {_plain(key): key for key in book}
    if found := by_plain.get(_plain(name)):
        return found
    short = _plain(name)
    while short and _NUMBER.match(short):
        # a part that is not listed belongs to the section above it
        short = re.sub(r"[.(]?[^.(]*$", "", short)
        if short in by_plain:
            return by_plain[short]
    said = name.casefold()
    about = [key for key, words in book.items() if said in f"{key} {words}".casefold()]
    if len(about) == 1:
        return about[0]
    near = about[:6] or get_close_matches(name, list(book), 3)
    meant = f"Did you mean {', '.join(f'{key} ({book[key]})' for key in near)}? " if near else ""
    raise Refused(
        f"“{cut(name, _SHOWN)}” is not a section here.", hint=f"{meant}`rules` lists them."
    )


def _about(reading: Reading, wanted: str, title: Title) -> bool:
    """Whether a reading is about a section, a part of it, or the section that contains it."""
    if reading.option == "18xx.games" and reading.option not in title.variants:
        return False
    return any(
        _within(section, wanted) or ("." in section and _within(wanted, section))
        for section in reading.sections
    )


def _row(title: Title, reading: Reading) -> Row:
    if not reading.option:
        return Row(reading.shown, (reading.text,))
    played = "played" if reading.option in title.variants else "not played"
    return Row(reading.shown, (f"Optional rule `{reading.option}`, {played} here: {reading.text}",))
