"""Letters about a game that has not begun to those who did not write: each seat gets its own."""

from collections.abc import Sequence

from service.audience import EVERYBODY, of_organiser, of_table
from service.desk.letters import page_words
from service.desk.letters.post import At, Desk
from service.desk.options.lobby_standing import how_to_start
from service.games import batches
from service.games.games import GameTable
from service.reports import Page, note_page
from service.store import Letter, SeatRow


def other_players(table: GameTable, writer: SeatRow | None) -> list[SeatRow]:
    """The players but the one who writes; an organiser (None) writes for a seat of their own."""
    if writer is None:
        return [seat for seat in table.players if seat.address != table.row.organiser]
    return [seat for seat in table.players if seat.id != writer.id]


SAYS = "{name} says: {text}"
SAYS_SUBJECT = "[{game}] {name} says"
TO_ALL = "{name} to all:"


def said_page(desk: Desk, table: GameTable, called: str, texts: Sequence[str]) -> Page:
    """What somebody says to all; ``called`` is how others know them."""
    name = table.row.name
    lines = tuple(SAYS.format(name=called, text=text) for text in texts)
    subject = SAYS_SUBJECT.format(game=name, name=called)
    about = desk.house.about(name, table.title)
    return note_page(of_table(name), subject, TO_ALL.format(name=called), lines, about=about)


PAGE_SUBJECT = "[{game}] Its page"
PAGE_CHOSEN = "The organizer of {game} has chosen that."
TIMES_SUBJECT = "[{game}] When emails are handled"
TIMES_CHANGED = "The organizer of {game} has changed it. {times}"
NOTHING_TO_DO = "Nothing is to be done."


def changed_page(desk: Desk, before: GameTable, table: GameTable) -> Page:
    """What the organiser has changed of a game that has begun: who sees its page, or its times."""
    name, about = table.row.name, desk.house.about(table.row.name, table.title)
    if before.settings.batch == table.settings.batch:
        subject, text = PAGE_SUBJECT.format(game=name), page_words.told(table)
        lines = (PAGE_CHOSEN.format(game=name), NOTHING_TO_DO)
        return note_page(of_table(name), subject, text, lines, about=about)
    subject, text = TIMES_SUBJECT.format(game=name), batches.told(table.settings.batch)
    lines = (TIMES_CHANGED.format(game=name, times=text), NOTHING_TO_DO)
    return note_page(of_table(name), subject, text, lines, about=about)


PLAYERS_SO_FAR = "Players so far: {names}."
NO_PLAYERS_SO_FAR = "Players so far: nobody."


def to_organiser(desk: Desk, table: GameTable, text: str) -> Letter:
    """What somebody has done, who plays now, and how the game is started."""
    name = table.row.name
    players = ", ".join(seat.name for seat in table.players)
    so_far = PLAYERS_SO_FAR.format(names=players) if players else NO_PLAYERS_SO_FAR
    lines = (so_far, *how_to_start(table))
    subject, about = f"[{name}] {text}", desk.house.about(name, table.title)
    page = note_page(of_organiser(name), subject, text, lines, ("start",), about=about)
    return desk.to_organiser("notice", table.row, page)


def to_others(desk: Desk, table: GameTable, writer: SeatRow | None, page: Page) -> list[Letter]:
    """What somebody says, to every other player and to an organiser who has no seat."""
    game, players = table.row, table.players
    letters = [
        desk.to_seat("said", At(game.name), seat, page) for seat in other_players(table, writer)
    ]
    if writer is not None and game.organiser not in (seat.address for seat in players):
        letters.append(desk.to_organiser("said", game, page))
    return letters


HOLDS_NO_MORE = "Your old seat address no longer works. You need not do anything."


def notices(desk: Desk, table: GameTable, seats: Sequence[SeatRow], text: str) -> list[Letter]:
    """To those whose seats' addresses hold no more."""
    name = table.row.name
    about = desk.house.about(name, table.title)
    page = note_page(EVERYBODY, f"[{name}] {text}", text, (HOLDS_NO_MORE,), about=about)
    return [
        desk.to_stranger("notice", seat.address, page, reader=f"seat-{seat.id}") for seat in seats
    ]


CALLED_OFF = "{game} was called off by its organizer before it began."
SEAT_GIVEN = "{game}: the organizer has given your seat to others to take."
HAS_LEFT = "{name} has left {game}."


def told(desk: Desk, before: GameTable, after: GameTable, writer: SeatRow | None) -> list[Letter]:
    """To those whom acts in the lobby concern, once each; who writes has a receipt."""
    if after is before:
        return []
    if after.row.status in ("running", "ended"):
        return to_others(desk, after, writer, changed_page(desk, before, after))
    name, joined = before.row.name, other_players(before, writer)
    if after.row.status == "abandoned":
        return notices(desk, before, joined, CALLED_OFF.format(game=name))
    kept = {seat.id for seat in after.seats}
    text = SEAT_GIVEN.format(game=name)
    letters = notices(desk, before, [seat for seat in joined if seat.id not in kept], text)
    if writer and writer.id not in kept and before.row.organiser != writer.address:
        letters.append(to_organiser(desk, after, HAS_LEFT.format(name=writer.name, game=name)))
    return letters
