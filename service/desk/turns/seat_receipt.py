"""The receipt of a mail of a seat: what became of each line, and what its writer may do now."""

from collections.abc import Sequence
from dataclasses import dataclass

import engine
from engine.actions import Pass
from engine.notation.position import turn_company
from service.audience import of_seat
from service.desk.ahead import ahead_words, offer_words, order_words
from service.desk.letters.post import House
from service.desk.turns import going
from service.games.changes import Change
from service.games.games import seat_settings
from service.mail import identity
from service.mail.message import Mail
from service.reports import Handled, Page, Result, Scene, Told, receipt_page
from service.reports.words import moment
from service.store import PartialRow, SeatRow

HANDLED_AT = (
    "Handled at {when}, like all emails of this game. If you send two with commands for your "
    "turn, the later one counts."
)


NO_TRAIN = (
    "{company} has no train, and your email says nothing of one. So its turn is still open: reply "
    "`{command}`, or `pass` to end the turn without a train."
)

MUST_HAVE_A_TRAIN = (
    "{company} must buy a train, and your email says nothing of one. So its turn is still open: "
    "reply `{command}`."
)


@dataclass(frozen=True)
class Receipt:
    """What a mail has come to.

    ``commanded`` says whether it had commands of the game; ``due`` is when it is handled if that is
    later, 0 otherwise, ``partial`` what of it `go` would do, and ``clock`` what is said of the
    writer's time.
    """

    mail: Mail
    results: Sequence[Result]
    commanded: bool
    due: int = 0
    partial: PartialRow | None = None
    clock: str = ""

    def page(
        self, house: House, scene: Scene, seat: SeatRow, change: Change, then: Sequence[Told]
    ) -> Page:
        """The page for its writer; ``then`` is what followed beyond their own commands."""
        to, kept, done = of_seat(scene.game, seat.name), self.partial, self._done(change)
        held = bool(kept and not kept.fault)
        go = going.command(kept) if kept else ""
        hint = self._hint(change, seat.name)
        return receipt_page(
            to,
            scene,
            Handled(self.results, done, hint, then, go, held, self.due > 0),
            identity.without_number(self.mail.subject),
            house.button_address(to, seat.epoch, scene.state.number),
            seat_settings(seat).images != "off",
        )

    def _done(self, change: Change) -> bool:
        """Whether the receipt may say so: nothing that was commanded was refused."""
        good = any(result.status in ("ok", "answer") for result in self.results)
        # A vote may change the game though the commands beside it are refused.
        carried = change.outcomes[-1].done if change.outcomes else change.moves
        return (carried or not self.commanded) and (good or not self._bad)

    @property
    def _bad(self) -> bool:
        return any(result.status == "no" for result in self.results)

    def _hint(self, change: Change, name: str) -> str:
        hints = [
            offer_words.waiting(change).get(name, ""),
            offer_words.notes(change).get(name, ""),
            ahead_words.waiting(change, name),
            order_words.notes(change).get(name, ""),
        ]
        if train := next((o.train for o in change.outcomes if o.train), ""):
            title, state, company = change.table.title, change.state, turn_company(change.state)
            owed = engine.why_not(title, state, Pass(by=name)) is not None
            told = MUST_HAVE_A_TRAIN if owed else NO_TRAIN
            hints.append(told.format(company=company, command=train))
        if change.table.held and not self.commanded:
            hints.append(change.table.held)
        if self.due:
            hints.append(HANDLED_AT.format(when=moment(self.due)))
        if self.partial:
            hints.append(going.offer(self.partial, change.outcomes[-1], change.table.state))
        return " ".join(filter(None, (*hints, self.clock)))
