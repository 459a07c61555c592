"""Sends the emails of a scenario's people: to Waybill, to a seat, as a reply."""

from pathlib import Path

from service.audience import ORGANISER, owner_of
from service.store import SeatRow
from service.workshop.rehearsal.people import ReceivedEmail
from service.workshop.rehearsal.source import ScenarioError, SourcePlace
from service.workshop.rehearsal.world import World


class Pen:
    """Writes and sends everybody's emails."""

    def __init__(self, world: World) -> None:
        """The emails arrive in ``world``."""
        self._world = world

    def send(
        self,
        who: str,
        to: str,
        subject: str,
        text: tuple[str, ...],
        answers: ReceivedEmail | None = None,
        sender: str = "",
    ) -> str:
        """Send a new email, which is handled at once; return its Message-ID."""
        person = self._world.people[who]
        identifier, raw = person.write(to, subject, text, self._world.now, answers, sender)
        self._world.arrive(who, raw)
        return identifier

    def answer(
        self, who: str, letter: ReceivedEmail, text: tuple[str, ...], sender: str = ""
    ) -> str:
        """Send a reply above the quoted email; return its Message-ID.

        The sender is the address that got the email, as in mail programs.
        """
        subject = letter.subject if letter.subject.startswith("Re: ") else f"Re: {letter.subject}"
        return self.send(who, letter.reply_to, subject, text, letter, sender or letter.to)

    def file(self, file: Path, address: str) -> None:
        """Send the bytes of a file; the receiving server notes a seat's ``address``, or none."""
        raw = file.read_bytes()
        if address:
            raw = f"Delivered-To: {address}\r\n".encode() + raw
        self._world.arrive(file.name, raw)

    def player_of(self, game: str, seat: str) -> str:
        """The person who plays a seat: by its present address, otherwise by its name."""
        with self._world.store.transaction() as tx:
            row = tx.games.named(game)
            seats: tuple[SeatRow, ...] = tx.seats.of(row.id) if row else ()
        address = next((one.address for one in seats if one.name == seat), "")
        people = self._world.people.values()
        return next((one.name for one in people if one.has(address)), seat)

    def seat_address(self, place: SourcePlace, game: str, seat: str) -> str:
        """The present address of a seat. Raises ScenarioError."""
        with self._world.store.transaction() as tx:
            row = tx.games.named(game)
            seats: tuple[SeatRow, ...] = tx.seats.of(row.id) if row else ()
        if row is None:
            raise ScenarioError(place, f"there is no game {game} yet")
        found = next((one for one in seats if one.name == seat), None)
        if found is None and seat != ORGANISER:
            known = ", ".join(one.name for one in seats) or "nobody"
            raise ScenarioError(place, f"{seat} has no seat in {game}; seated: {known}")
        owner = owner_of(game, seat)
        made = self._world.service.seat_address(owner, found.epoch if found else 0)
        return made.open(owner)
