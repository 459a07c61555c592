"""Who gets an email when somebody does something to a game; emails with one text to all of them.

`informed` lists the readers for all such emails. Two readers are not on the list:

- An organizer or director who must decide something gets a separate email with the commands for it.
- The assistant gets emails about a director's acts, the end of the game, and requests that only
  the assistant may rule on.

`follow_up` writes the emails about a change of the position.
"""

from collections.abc import Sequence

from service.audience import ORGANISER, of_table
from service.desk.channels.private_email import PrivateEmail
from service.desk.letters.desk import AtPosition, Desk
from service.games.games import GameTable
from service.reports import Page, note_page
from service.store import Letter


def informed(table: GameTable, doer: str, *, asks_organiser: bool = False) -> list[str]:
    """The holders who get an email when ``doer`` acts: the other players, then the organizer.

    An organizer who plays gets it as a player. With ``asks_organiser`` they get it as the
    organizer, even if they are the doer. ``doer`` is a holder, or "" if nobody in the game acts,
    for example when a time is over.
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
    """News in sentences to the organizer only; none if they play, because players have them."""
    if table.organisers_seat:
        return []
    return [desk.to_organiser("notice", table.row, _notice(desk, table, told))]


def _notice(desk: Desk, table: GameTable, told: Sequence[str]) -> Page:
    """An email whose subject is its first sentence."""
    game, about = table.row.name, desk.service.about(table.row.name, table.title)
    subject = f"[{game}] {told[0].rstrip('.')}"
    return note_page(of_table(game), subject, " ".join(told), (), about=about)
