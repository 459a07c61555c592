"""Emails with one text to all players of a game, and to its organizer."""

from collections.abc import Sequence

from engine import Seat
from service.audience import Audience, of_organiser, of_table
from service.desk.letters.post import AtPosition, Desk, at_head
from service.games.games import GameTable
from service.reports import Page, note_page
from service.said import SAYS
from service.store import Letter, SeatRow


def other_players(table: GameTable, writer: SeatRow | None) -> list[SeatRow]:
    """The players except the writer; an organizer (None) writes for their own seat."""
    if writer is None:
        return [seat for seat in table.players if seat.address != table.row.organiser]
    return [seat for seat in table.players if seat.id != writer.id]


SAYS_SUBJECT = "[{game}] {name} says"
TO_ALL = "{name} to all:"


def said_page(desk: Desk, table: GameTable, called: str, texts: Sequence[str]) -> Page:
    """The page with a message to all; ``called`` is the writer's name for the others."""
    name = table.row.name
    lines = tuple(SAYS.format(name=called, text=text) for text in texts)
    subject = SAYS_SUBJECT.format(game=name, name=called)
    about = desk.service.about(name, table.title)
    return note_page(of_table(name), subject, TO_ALL.format(name=called), lines, about=about)


def to_others(desk: Desk, table: GameTable, writer: SeatRow | None, page: Page) -> list[Letter]:
    """To every other player, and to an organizer who has no seat."""
    game, players = table.row, table.players
    letters = [
        desk.to_seat("said", AtPosition(game.name), seat, page)
        for seat in other_players(table, writer)
    ]
    if writer is not None and game.organiser not in (seat.address for seat in players):
        letters.append(desk.to_organiser("said", game, page))
    return letters


def notices(desk: Desk, table: GameTable, told: Sequence[str], but: Seat = "") -> list[Letter]:
    """To all players but one, and to an organizer who does not play: news for everybody."""
    if not told:
        return []
    page = _notice(desk, table, told, of_table(table.row.name))
    others = [seat for seat in table.players if seat.name != but]
    found = [desk.to_seat("notice", at_head(table), seat, page) for seat in others]
    return [*found, *organiser_notices(desk, table, told)]


def organiser_notices(desk: Desk, table: GameTable, told: Sequence[str]) -> list[Letter]:
    """To an organizer who does not play; none if they do."""
    if any(seat.address == table.row.organiser for seat in table.players):
        return []
    page = _notice(desk, table, told, of_organiser(table.row.name))
    return [desk.to_organiser("notice", table.row, page)]


def _notice(desk: Desk, table: GameTable, told: Sequence[str], audience: Audience) -> Page:
    """An email whose subject is its first sentence."""
    game, about = table.row.name, desk.service.about(table.row.name, table.title)
    subject = f"[{game}] {told[0].rstrip('.')}"
    return note_page(audience, subject, " ".join(told), (), about=about)
