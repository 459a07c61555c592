"""Orders that would go on and on after one occasion: they are stopped, and a person is told."""

from service.audience import of_organiser
from service.desk.letters.post import Desk
from service.games.changes import MOST_AHEAD, Change
from service.games.games import GameTable
from service.reports import note_page
from service.store import Letter

STOPPED = "ORDERS STOPPED"
STOPPED_SUBJECT = "[{game}] Orders went on and on, and were stopped"
WENT_ON_AND_ON = (
    "Advance orders took {most} decisions in a row, up to position #{position}, and would have "
    "gone on."
)
ARE_SUSPENDED = (
    "Those orders are suspended, and their players get an email. The game goes on: the player "
    "whose turn it is has been asked. Nobody learns whose orders they were before the game is "
    "over."
)


def letters(desk: Desk, table: GameTable, change: Change) -> list[Letter]:
    """To the organiser, who may be a player: whose orders they were is not told."""
    if not change.runaway:
        return []
    name = table.row.name
    lines = (
        WENT_ON_AND_ON.format(most=MOST_AHEAD, position=change.state.number),
        ARE_SUSPENDED,
    )
    subject = STOPPED_SUBJECT.format(game=name)
    about = desk.house.about(name)
    page = note_page(of_organiser(name), subject, STOPPED, lines, about=about)
    return [desk.to_organiser("runaway", table.row, page)]
