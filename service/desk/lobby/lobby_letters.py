"""Letters about a game that has not begun to those who did not write: each seat gets its own."""

from collections.abc import Sequence

from service.audience import EVERYBODY, of_organiser, of_table
from service.desk.letters import page_words
from service.desk.letters.post import At, Desk
from service.desk.lobby.lobby_standing import how_to_start
from service.games import batches
from service.games.games import GameTable
from service.reports import Page, note_page
from service.store import Letter, SeatRow


def other_players(table: GameTable, writer: SeatRow | None) -> list[SeatRow]:
    """The players but the one who writes; an organiser (None) writes for a seat of their own."""
    if writer is None:
        return [seat for seat in table.players if seat.address != table.row.organiser]
    return [seat for seat in table.players if seat.id != writer.id]


def said_page(desk: Desk, table: GameTable, called: str, texts: Sequence[str]) -> Page:
    """What somebody says to all; ``called`` is how others know them."""
    name = table.row.name
    lines = tuple(f"{called} says: {text}" for text in texts)
    subject, about = f"[{name}] {called} says", desk.house.about(name, table.title)
    return note_page(of_table(name), subject, f"{called} to all:", lines, about=about)


def changed_page(desk: Desk, before: GameTable, table: GameTable) -> Page:
    """What the organiser has changed of a game that has begun: who sees its page, or its times."""
    name, about = table.row.name, desk.house.about(table.row.name, table.title)
    if before.settings.batch == table.settings.batch:
        text = page_words.told(table)
        lines = (f"The organiser of {name} has chosen that.", "Nothing is to be done.")
        return note_page(of_table(name), f"[{name}] Its page", text, lines, about=about)
    text = batches.told(table.settings.batch)
    lines = (f"The organiser of {name} has changed it. {text}", "Nothing is to be done.")
    return note_page(of_table(name), f"[{name}] When mails are handled", text, lines, about=about)


def to_organiser(desk: Desk, table: GameTable, text: str) -> Letter:
    """What somebody has done, who plays now, and how the game is started."""
    name = table.row.name
    players = ", ".join(seat.name for seat in table.players) or "nobody"
    lines = (f"Players so far: {players}.", *how_to_start(table))
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


def notices(desk: Desk, table: GameTable, seats: Sequence[SeatRow], text: str) -> list[Letter]:
    """To those whose seats' addresses hold no more."""
    lines = ("The address of your seat holds no more. Nothing else is to be done.",)
    name = table.row.name
    about = desk.house.about(name, table.title)
    page = note_page(EVERYBODY, f"[{name}] {text}", text, lines, about=about)
    return [
        desk.to_stranger("notice", seat.address, page, reader=f"seat-{seat.id}") for seat in seats
    ]


def told(desk: Desk, before: GameTable, after: GameTable, writer: SeatRow | None) -> list[Letter]:
    """To those whom acts in the lobby concern, once each; who writes has a receipt."""
    if after is before:
        return []
    if after.row.status in ("running", "ended"):
        return to_others(desk, after, writer, changed_page(desk, before, after))
    name, joined = before.row.name, other_players(before, writer)
    if after.row.status == "abandoned":
        text = f"{name} was called off by its organiser before it began."
        return notices(desk, before, joined, text)
    kept = {seat.id for seat in after.seats}
    text = f"{name}: the organiser has given your seat to others to take."
    letters = notices(desk, before, [seat for seat in joined if seat.id not in kept], text)
    if writer and writer.id not in kept and before.row.organiser != writer.address:
        letters.append(to_organiser(desk, after, f"{writer.name} has left {name}."))
    return letters
