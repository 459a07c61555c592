"""Private email: what only the holder of a seat or an office of a game writes and reads."""

from dataclasses import dataclass
from typing import ClassVar, Self

from service.audience import (
    ASSISTANT,
    ORGANISER,
    Audience,
    OnlyFor,
    of_assistant,
    of_organiser,
    of_seat,
)
from service.commands.entry import Where
from service.desk.letters.desk import AtPosition, Desk, at_head
from service.games.games import GameTable
from service.mail.message import Mail
from service.reports import Page, Scene
from service.store import Letter, SeatRow


@dataclass(frozen=True)
class PrivateEmail:
    """The email of the holder of a seat, of the organizer, or of the assistant.

    ``assistant`` is also true for the person who is asked to be it.
    """

    desk: Desk
    table: GameTable
    #: None for an office
    seat: SeatRow | None
    assistant: bool = False

    where: ClassVar[Where] = Where.PRIVATE
    public: ClassVar[bool] = False
    delivers: ClassVar[bool] = False

    @classmethod
    def of(cls, desk: Desk, table: GameTable, holder: str) -> Self | None:
        """The channel of a seat, ORGANISER or ASSISTANT; None if there is no such seat."""
        if holder in (ORGANISER, ASSISTANT):
            return cls(desk, table, None, holder == ASSISTANT)
        seat = next((one for one in table.seats if one.name == holder), None)
        return None if seat is None else cls(desk, table, seat)

    @property
    def reader(self) -> Audience:
        """Its only reader."""
        game = self.table.row.name
        if self.seat is not None:
            return of_seat(game, self.seat.name)
        return of_assistant(game) if self.assistant else of_organiser(game)

    @property
    def button(self) -> OnlyFor[str] | None:
        """The address of buttons about the latest position; an assistant has none."""
        if self.assistant:
            return None
        epoch = self.seat.epoch if self.seat is not None else self.table.row.epoch
        number = at_head(self.table).number
        return self.desk.service.button_address(self.reader, epoch, number)

    def counted(self, name: str) -> str:
        """Answers are counted by seat or office."""
        return name

    def letter(
        self, kind: str, page: Page, answers: Mail | None = None, at: AtPosition | None = None
    ) -> Letter:
        """An email about a position, by default the latest."""
        table, desk = self.table, self.desk
        if self.seat is not None:
            at = at or at_head(table)
            return desk.to_seat(kind, at, self.seat, page, answers=answers)
        if self.assistant:
            return desk.to_assistant(kind, table.row, table.settings, page, answers)
        return desk.to_organiser(kind, table.row, page, answers)

    def answer(
        self, page: Page, mail: Mail, scene: Scene | None = None, *, done: bool = False
    ) -> Letter:
        """The receipt."""
        at = AtPosition(self.table.row.name, scene.state.number) if scene is not None else None
        return self.letter("receipt", page, mail, at)
