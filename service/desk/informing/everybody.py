"""Who gets an email about what somebody did to a game, and emails with one text to all of them.

`informed` is the one list of these. What players read of a change of the position is in
`follow_up`. An office that is asked something gets an email of its own with the commands for it:
the organizer about a seat that needs a player or that emails do not reach, and whoever is to rule
on a player's request. The assistant gets a director's acts (`director.ruling_letters`),
the end of a game (`ended`), and what only they may rule on.
"""

from collections.abc import Sequence

from service.audience import ORGANISER, of_table
from service.desk.channels.private_email import PrivateEmail
from service.desk.letters.post import AtPosition, Desk
from service.games.games import GameTable
from service.reports import Page, note_page
from service.store import Letter


def informed(table: GameTable, doer: str, *, asks_organiser: bool = False) -> list[str]:
    """The holders who are told what a holder did: the other players, then an organizer.

    An organizer who plays is told as a player, from whatever address they play. With
    ``asks_organiser`` they are told as the organizer instead, whoever did it. ``doer`` is "" for
    what nobody in the game did, such as a time that is over.
    """
    own = table.organisers_seat
    players = [seat.name for seat in table.players]
    if asks_organiser:
        return [*(one for one in players if one not in (own, doer)), ORGANISER]
    done_by = own or ORGANISER if doer == ORGANISER else doer
    return [one for one in players + [ORGANISER] * (not own) if one != done_by]


def to_all(
    desk: Desk,
    table: GameTable,
    holders: Sequence[str],
    kind: str,
    page: Page,
    at: AtPosition | None = None,
) -> list[Letter]:
    """An email to each of these holders; about the latest position, unless ``at`` says which."""
    written = (PrivateEmail.of(desk, table, one) for one in holders)
    return [one.letter(kind, page, at=at) for one in written if one is not None]


def notices(desk: Desk, table: GameTable, told: Sequence[str], doer: str = "") -> list[Letter]:
    """News in sentences to all others; none if there are no sentences."""
    if not told:
        return []
    return to_all(desk, table, informed(table, doer), "notice", _notice(desk, table, told))


def organiser_notices(desk: Desk, table: GameTable, told: Sequence[str]) -> list[Letter]:
    """The same to an organizer without a seat alone."""
    if table.organisers_seat:
        return []
    return [desk.to_organiser("notice", table.row, _notice(desk, table, told))]


def _notice(desk: Desk, table: GameTable, told: Sequence[str]) -> Page:
    """An email whose subject is its first sentence."""
    game, about = table.row.name, desk.service.about(table.row.name, table.title)
    subject = f"[{game}] {told[0].rstrip('.')}"
    return note_page(of_table(game), subject, " ".join(told), (), about=about)
