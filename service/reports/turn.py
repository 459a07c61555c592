"""The mail that asks a player for a turn: all that is needed to decide it, and how to answer."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from engine import Seat
from engine.board.hexes import Hex
from engine.inquiry import best_of_turn
from engine.wording import counted, cut, listed
from service.audience import Audience, OnlyFor
from service.reports import position
from service.reports.advice import LEVELS, legal, words
from service.reports.blocks import Lines, Pairs, Row, Verbatim
from service.reports.deciding import task
from service.reports.decisions import words_of
from service.reports.example import button, fuller, likely, plain
from service.reports.fitting import TEXT_LIMIT
from service.reports.prospects import company_block
from service.reports.rendering import page, text_of
from service.reports.rounds import at_first
from service.reports.scene import Figure, Page, PageLook, Said, Scene, Since, Told, in_rows
from service.reports.warnings import warnings

_LABEL = 40
"""Characters of a button."""
_SAID = 1_500
"""Characters of talk in a turn mail."""


WITH_PICTURES = PageLook()


@dataclass(frozen=True, slots=True)
class Button:
    """A link of the HTML part that opens a mail with these commands."""

    label: str
    commands: str


def turn_page(
    to: Audience,
    scene: Scene,
    since: Since,
    look: PageLook = WITH_PICTURES,
    note: str = "",
    reply_to: OnlyFor[str] | None = None,
) -> Page:
    """The TURN mail, or the request to answer an offer, to a seat that is one of those who act.

    ``reply_to`` is the seat's address for the buttons; without it there are none.
    """
    seat = to.seat
    asked = task(scene, seat)
    rest = f", {scene.view.round}" if asked.dated else ""
    sheet = {
        **frame(scene, seat),
        "headline": asked.sentence,
        "clock": since.clock.lines if since.clock else (),
        "note": ". ".join(filter(None, (note, since.own(to)))),
        "said": talk(since.said),
        "company": company_block(scene, seat),
        "warnings": Lines("WARNINGS", warnings(scene, seat), True),
        "own": since.parts(to),
        "tables": position.tables(scene),
        "example": Verbatim("", likely(scene, seat)),
        "fuller": Verbatim("", fuller(scene, seat)),
        "how": at_first(scene, seat),
        "reasons": Lines("", (*plain(scene, seat).reasons, *_passing(fuller(scene, seat)))),
        "later": own_next(scene, seat),
        "words": words(scene),
        "buttons": tuple(buttons(scene, seat)) if reply_to else (),
        "reply_to": reply_to,
    }
    sheet |= _fitting(scene, seat, since.told, sheet)
    shown = look.of(turn_figures(scene, seat, look.new_tiles)) if look.pictures else ()
    until = f", {since.clock.by}" if since.clock and since.clock.by else ""
    subject = f"[{scene.game}] {asked.lead}: {asked.subject}{rest}{until}"
    return page(to, "turn", subject, shown, scene.templates, **sheet)


def frame(scene: Scene, seat: Seat = "") -> dict[str, object]:
    """What the head and the foot of every mail about a position show."""
    return {
        "game": scene.game,
        "title": scene.view.title,
        "mark": position.mark(scene),
        "number": scene.view.number,
        "seat": seat,
        "provenance": position.provenance(scene),
        "link": scene.link,
    }


def _fitting(
    scene: Scene, seat: Seat, since: Sequence[Told], sheet: dict[str, object]
) -> dict[str, object]:
    """The lists of what is legal and of what happened, as long as the text stays short enough."""
    lengths = [(level, len(since)) for level in range(LEVELS)]
    lengths += [(LEVELS - 1, kept) for kept in (24, 12, 6, 3) if kept < len(since)]
    for level, kept in lengths:
        sized: dict[str, object] = {
            "legal": legal(scene, seat, level),
            "since": happened(since, kept),
        }
        text = text_of("turn", scene.templates, **sheet, **sized, subject="", figures=())
        if len(text.encode()) <= TEXT_LIMIT:
            break
    return sized


EARLIER = "{acts}: ask with `history`"


def happened(since: Sequence[Told], kept: int | None = None, heading: str = "") -> Pairs:
    """Past acts by who acted, those of one player in a row together; the latest ``kept``."""
    latest = [told for told in since if told.sentences]
    left_out = len(latest) - kept if kept is not None else 0
    rows: list[Row] = []
    if left_out > 0:
        latest = latest[left_out:]
        rows.append(Row("…", (EARLIER.format(acts=counted(left_out, "earlier act")),)))
    every = in_rows(row for told in latest for row in told.rows())
    rows += (Row(label, items) for label, items in every)
    first = f" (#{since[0].number})" if since else ""
    return Pairs(heading or f"SINCE YOUR LAST TURN{first}", tuple(rows), "; ")


def talk(said: Sequence[Said], limit: int = _SAID) -> tuple[Said, ...]:
    """What was said, cut where it gets longer than ``limit`` characters."""
    room, found = limit, []
    for one in said:
        text = one.text
        if len(text) > room:
            text = f"{cut(text, room)} (cut here; `history` has all of it)"
        found.append(replace(one, text=text))
        room -= len(text)
        if room <= 0:
            break
    return tuple(found)


def buttons(scene: Scene, seat: Seat) -> Iterator[Button]:
    """The example first, then short replies that are legal as they stand, and questions."""
    first = "\n".join(likely(scene, seat))
    others = [found for found in _short(scene, seat) if _same(found.commands) != _same(first)]
    if first:
        same = (found for found in _short(scene, seat) if _same(found.commands) == _same(first))
        yield next(same, Button(_named(first), first))
    if whole := "\n".join(fuller(scene, seat)):
        yield Button(_named(whole), whole)
    yield from others
    yield Button("All options", "options")
    yield Button("Help", "help")


def _same(commands: str) -> str:
    """Commands without regard to how they stand in lines."""
    return commands.replace(", ", "\n")


PASS_ROUND_PASSES = (
    "`pass round` passes for you until the stock round ends. It stops and you are asked again if "
    "somebody sells shares that you hold or starts a company, or if a presidency may change."
)


def _passing(commands: Sequence[str]) -> tuple[str, ...]:
    """What `pass round` does, where commands have it."""
    return (PASS_ROUND_PASSES,) if any("pass round" in one for one in commands) else ()


def own_next(scene: Scene, seat: Seat) -> Lines:
    """The companies of the same president that operate right after this one, with a draft."""
    state, found = scene.state, []
    for company in scene.view.order if scene.view.company else ():
        if state.presidents.get(company) != seat:
            break
        if state.trains.get(company):
            found.append(f"`{company}: run, pay`")
    text = f"Yours, too, and right after it: {listed(found)} below does without another email."
    return Lines("", (text,) if found else ())


def _named(commands: str) -> str:
    """Commands as the words of a button."""
    text = commands.replace("\n", ", ")
    return text if len(text) <= _LABEL else f"{text[:_LABEL].rpartition(' ')[0].rstrip(',')} …"


def _short(scene: Scene, seat: Seat) -> Iterator[Button]:
    """Short replies that are legal as they stand."""
    for word in ("accept", "decline"):
        if button(scene, seat, word):
            yield Button(word.capitalize(), word)
    for word in ("protect", "letfall"):
        if commands := button(scene, seat, word):
            text = commands[0]
            yield Button(f"{text[0].upper()}{text[1:]}", text)
    for word in ("pay", "half", "withhold"):
        if commands := button(scene, seat, "run", word):
            found = best_of_turn(scene.table, scene.view.company)[1]
            which = "best" if found.proved else "best found"
            yield Button(f"Run {which}, {word}", "\n".join(commands))
        elif button(scene, seat, word):
            yield Button(word.capitalize(), word)
    if commands := button(scene, seat, "pass"):
        yield Button("Nothing more" if scene.view.company else "Pass", commands[0])


def turn_figures(scene: Scene, seat: Seat, new: frozenset[Hex]) -> Iterator[Figure]:
    """The map where something is built or run, the chart where shares are traded."""
    return words_of(scene.state).figures(scene, scene.state.stack[-1], seat, new)
