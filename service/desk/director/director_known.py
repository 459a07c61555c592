"""The person who directs a game, and the facts of the game that their acts need."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine import Seat
from service.audience import ASSISTANT, ORGANISER, office_called
from service.desk.director.acts import RULES, DirectorAct
from service.games.directing import OPERATOR
from service.games.games import GameLog, GameTable, log_of, with_rulings
from service.games.orders import Book, book_of
from service.refusal import Refused
from service.said import THE_DIRECTOR
from service.store import ActionRow, RulingRow, Tx

THE_DIRECTOR_PLAYS = "The director ({name}, the {office})"


@dataclass(frozen=True)
class DirectingPerson:
    """The writer: an office of the game, or "" for a player; and their seat, "" for none."""

    office: str
    seat: Seat = ""

    @property
    def called(self) -> str:
        """Their name for the others."""
        if not self.office:
            return self.seat
        message = THE_DIRECTOR_PLAYS if self.seat else THE_DIRECTOR
        return message.format(office=office_called(self.office), name=self.seat)

    @property
    def by(self) -> str:
        """Their name in the log."""
        return self.office or self.seat


PLAYS_SO_NO_ASSISTANT = "You play in {game}, so you cannot be its assistant."
NAMED_IN_THE_TOURNAMENT = (
    "{game} is a table of a tournament: name the assistant there, for all tables."
)
ORGANISER_NAMES = "The organizer of {game} names the assistant."
ASSISTANT_RULES = (
    "You play in {game}, so its assistant rules on what concerns the position: write to {address}."
)
AN_ASSISTANT_RULES = (
    "You play in {game}, and an assistant rules at your own table: name one in the tournament."
)


def check_assistant(known: "DirectorKnown", act: DirectorAct, who: DirectingPerson) -> None:
    """Raise Refused if an act is the assistant's, or about an assistant named elsewhere.

    In a tournament all games have the same assistant, and nobody rules on their own table.
    """
    table, name = known.table, known.table.row.name
    if who.office == ASSISTANT and who.seat:
        raise Refused(PLAYS_SO_NO_ASSISTANT.format(game=name))
    if act.kind == "assistant" and known.of_tournament and who.office != OPERATOR:
        raise Refused(NAMED_IN_THE_TOURNAMENT.format(game=name))
    if act.kind == "assistant" and who.office == ASSISTANT:
        raise Refused(ORGANISER_NAMES.format(game=name))
    assistant = table.settings.assistant
    if act.kind not in RULES or who.office != ORGANISER or not table.organisers_seat:
        return
    if assistant:
        raise Refused(ASSISTANT_RULES.format(game=name, address=assistant))
    if known.of_tournament:
        raise Refused(AN_ASSISTANT_RULES.format(game=name))


@dataclass(frozen=True)
class DirectorKnown:
    """Everything that planning acts needs, read at once."""

    table: GameTable
    log: GameLog
    book: Book
    #: the steps of the line, as far back as the acts name one
    rows: tuple[ActionRow, ...] = ()
    #: the steps that a `redo` brings back
    lost: tuple[ActionRow, ...] = ()
    #: whether the game is part of a tournament
    of_tournament: bool = False


def known_of_game(tx: Tx, table: GameTable, acts: Sequence[DirectorAct]) -> DirectorKnown:
    """Read what planning acts in a game needs."""
    table = with_rulings(tx, table)
    if table.head is None:
        return DirectorKnown(table, GameLog(), Book())
    of_tournament = tx.tournaments.place_of(table.row.id) is not None
    named = [act.about for act in acts if act.about is not None]
    first = max(min([table.state.number, *named]) - 1, -1)
    asks = any(act.kind == "ask" for act in acts)
    log = log_of(tx, table)
    since = min(first, log.past[0].number - 1) if asks and log.past else first
    lost: tuple[ActionRow, ...] = ()
    if any(act.kind == "redo" for act in acts) and table.row.head:
        row = next((r for r in reversed(table.rulings) if _led(r, table.row.head)), None)
        lost = tx.log.branch(row.after, row.before) if row else ()
    return DirectorKnown(
        table, log, book_of(tx, table), tx.log.actions(table.row.id, since), lost, of_tournament
    )


def _led(row: RulingRow, head: int) -> bool:
    return row.kind == "rollback" and row.after == head
