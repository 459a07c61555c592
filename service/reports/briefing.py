"""The briefing: an email to a new player of a seat, with all that they need to play on."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from engine import Event, Seat, Title
from engine import events as ev
from engine.telling.narration import narrate_all
from service.audience import Audience, OnlyFor
from service.reports import position
from service.reports.advice import legal
from service.reports.decisions import whose_turn
from service.reports.figures import map_figure, market_figure
from service.reports.lays import LEVELS
from service.reports.rendering import page
from service.reports.scene import Page, Scene
from service.reports.tables import Block, Lines, Pairs, Row, block_text
from service.reports.turn import frame
from service.said import YOU_PLAY

#: the events that a new player should know; the least important come last
_TELLING: tuple[tuple[type, ...], ...] = (
    (
        ev.WentBankrupt,
        ev.PlayerOut,
        ev.SystemFormed,
        ev.Merged,
        ev.CompanyClosed,
        ev.EndForeseen,
        ev.PhaseBegan,
        ev.Corrected,
    ),
    (ev.ParSet, ev.PresidentChanged),
    (ev.Floated, ev.PrivateBought, ev.ConnectionMade),
    (ev.TrainBought,),
)
#: octets of the story, of the notes, and the least for one round's row
_STORY, _NOTES, _LEAST = 2_000, 1_000, 60


@dataclass(frozen=True, slots=True)
class Brief:
    """The information for a new player of a seat, besides the position.

    ``why`` is a sentence on how the seat became free. ``story`` has the events since the start in
    order, with rulings and agreements as sentences. ``notes`` are those that the former player
    shared. ``dropped`` has the former player's orders and waiting commands, which are deleted.
    ``clock`` says by when the seat must decide and by which rule; empty if there is no clock.
    """

    why: str
    story: Sequence[Event | str]
    notes: Sequence[str] = ()
    dropped: str = ""
    clock: Sequence[str] = ()


def briefing_page(
    to: Audience, scene: Scene, brief: OnlyFor[Brief], reply_to: OnlyFor[str]
) -> Page:
    """The BRIEFING: the story so far, the position, the legal moves and shared notes."""
    told, seat = brief.open(to), to.seat
    headline = YOU_PLAY.format(name=seat, game=scene.game)
    sheet: dict[str, object] = {
        **frame(scene, seat),
        "headline": headline,
        "note": told.why,
        "standing": whose_turn(scene),
        "since": Pairs("THE GAME SO FAR", story(scene.title, told.story), "; "),
        "said": (),
        "reply_to": reply_to,
    }
    shown = (map_figure(scene), market_figure(scene))
    # as many legal moves as there is room for
    sizes = ({"tables": tuple(_blocks(scene, seat, told, level))} for level in range(LEVELS))
    subject = f"[{scene.game}] BRIEFING: you play as {seat} from now on"
    return page(to, "round", subject, shown, scene.templates, sizes, **sheet)


def _blocks(scene: Scene, seat: Seat, told: Brief, level: int) -> Iterator[Block]:
    """All other blocks, with a list of legal moves that is shorter at a higher ``level``."""
    if told.clock:
        yield Lines("YOUR CLOCK", tuple(told.clock))
    if seat in scene.view.to_act:
        yield legal(scene, seat, level)
    yield Lines("HOW TO GO ON", tuple(_manners(scene, seat, told)))
    if told.notes:
        yield Lines("NOTES OF WHO PLAYED BEFORE YOU", tuple(_within(told.notes, _NOTES)))
    yield from position.tables(scene)


CANCELED = "Canceled with the former player, who gave it in advance: {dropped}."


def _manners(scene: Scene, seat: Seat, told: Brief) -> Iterator[str]:
    if seat in scene.view.to_act:
        yield "It is your turn: the turn email comes with this one."
    yield (
        "Reply to this email, or to later ones, with commands at the top, one per line. "
        "`help` lists "
        "them, `status` shows the position, `map` the map, `history SR 1` all that was done in a "
        "round."
    )
    yield (
        "Your replies go to a private address for your seat, so do not forward these emails. "
        "The former player can no longer act for the seat."
    )
    if told.dropped:
        yield CANCELED.format(dropped=told.dropped)


def _within(notes: Sequence[str], room: int) -> Iterator[str]:
    """The latest notes for which there is room, the latest first."""
    for note in reversed(notes):
        room -= len(note.encode())
        if room < 0:
            yield "… and older ones, for which there is no room here."
            return
        yield note


def story(title: Title, events: Sequence[Event | str]) -> tuple[Row, ...]:
    """The events since the start, one row a round; of a long game only the most important.

    Sentences stay at their place in full, however long the game is.
    """
    for kinds in (_TELLING[:count] for count in range(len(_TELLING), 0, -1)):
        rows = _rounds(title, events, tuple(kind for group in kinds for kind in group))
        if len(block_text(Pairs("", rows, "; ")).encode()) <= _STORY:
            return rows
    return _latest(rows)


def _rounds(
    title: Title, events: Sequence[Event | str], kinds: tuple[type, ...]
) -> tuple[Row, ...]:
    rows: list[Row] = []
    name, items = "", list[str]()
    for words, some in groupby(events, lambda event: isinstance(event, str)):
        if words:
            items += map(str, some)
            continue
        found: list[Event] = []
        for event in some:
            assert not isinstance(event, str)
            if isinstance(event, ev.RoundBegan):
                items += narrate_all(title, found)
                if items:
                    rows.append(Row(name or "at first", tuple(items)))
                name, found, items = event.round, [], []
            elif isinstance(event, kinds):
                found.append(event)
        items += narrate_all(title, found)
    return (*rows, Row(name or "at first", tuple(items))) if items else tuple(rows)


def _latest(rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """The last rows for which there is room."""
    kept: list[Row] = []
    room = _STORY - _LEAST
    for row in reversed(rows):
        room -= len(block_text(Pairs("", (row,), "; ")).encode()) + 1
        if room < 0:
            kept.append(Row("…", (f"before {kept[-1].label if kept else row.label}: `history`",)))
            break
        kept.append(row)
    return tuple(reversed(kept))
