"""Mails about a game that has not begun: from a seat's player, and from the game's organiser."""

import re
from collections.abc import Sequence

from service.desk import lobby
from service.desk.follow_up import opening_letters
from service.desk.post import Desk
from service.games.games import Table
from service.mail.message import Mail
from service.reports import Page, help_page, joined_page, note_page
from service.store import Letter, SeatRow, Store, Tx

# Other words than yes must stand alone: an automatic answer may well begin with "Si" or "OK".
_YES = re.compile(r"\W*(?:yes\b.*|(?:y|ja|oui|s[ií]|ok|okay)\W*)", re.IGNORECASE)


class LobbyMail:
    """A mail to a seat's address, or to the organiser's address (``seat`` None)."""

    def __init__(
        self, store: Store, desk: Desk, mail: Mail, table: Table, seat: SeatRow | None
    ) -> None:
        self._store = store
        self._desk = desk
        self._mail = mail
        self._table = table
        self._seat = seat
        self._name = table.row.name

    def handle(self) -> None:
        """A confirmation, the start of the game, or a word on how things stand."""
        if self._seat is not None and self._seat.status == "invited":
            self._invited(self._seat)
        elif self._table.row.status == "open" and self._wants_start() and self._may_start():
            self._start()
        elif self._says("help"):
            page = help_page(self._table.title, subject=f"Re: {self._mail.subject}")
            self._answer(page, ration="idle")
        else:
            self._answer(self._note("Here is how it stands", self._standing()), ration="idle")

    def _says(self, word: str) -> bool:
        return any(line.text.lower().split()[:1] == [word] for line in self._mail.lines)

    def _wants_start(self) -> bool:
        """Whether a line is `start`, alone or with the name of this game."""
        found = [lobby.read(line.text) for line in self._mail.lines]
        starts = [parts for word, parts in filter(None, found) if word == "start"]
        return any((parts["name"] or self._name).lower() == self._name for parts in starts)

    def _may_start(self) -> bool:
        return self._seat is None or self._table.row.organiser == self._seat.address

    # the answer to an invitation

    def _invited(self, seat: SeatRow) -> None:
        if not any(_YES.fullmatch(line.text) for line in self._mail.lines):
            text = "Your seat is not confirmed. Reply with the one word `yes` to take it."
            self._answer(self._note("NOT DONE", (text,)), ration="puzzled")
            return
        with self._store.transaction() as tx:
            try:
                table = lobby.confirm(tx, self._name, seat)
            except lobby.Refused as refused:
                why = str(refused)
            else:
                self._welcome(tx, table, seat)
                tx.finish(self._desk.inbox_id, "done", f"{seat.name} joined {self._name}")
                return
        self._answer(self._note("NOT DONE", (why,)), ration="puzzled")

    def _welcome(self, tx: Tx, table: Table, seat: SeatRow) -> None:
        """To the new player, and to the organiser unless that is himself."""
        players = [s.name for s in table.players]
        address = self._desk.house.seat_address(self._name, seat.name, seat.epoch)
        page = joined_page(self._name, table.title, seat.name, address, players)
        tx.queue(
            self._desk.to_seat("welcome", self._name, seat, 0, page, answers=self._mail),
            self._desk.now,
        )
        if table.row.organiser == seat.address:
            return
        text = f"{seat.name} has joined {self._name}."
        page = note_page(
            f"[{self._name}] {text}",
            text,
            (f"Players so far: {', '.join(players)}.", *_how_to_start(table)),
            ("start",),
            game=self._name,
            about=self._table.title,
        )
        letter = self._desk.to_organiser("notice", self._name, table.row.organiser, page)
        tx.queue(letter, self._desk.now)

    # the start

    def _start(self) -> None:
        """Start the game; raises Conflict if it has begun meanwhile."""
        desk = self._desk
        try:
            opening = lobby.opening(self._table, desk.house.secret, desk.inbox_id, desk.now)
        except lobby.Refused as refused:
            self._answer(self._note("NOT DONE", (str(refused),)), ration="idle")
            return
        begun = opening.begun
        lines = (f"Seats by lot: {', '.join(s.name for s in begun.players)}.",)
        page = note_page(
            f"Re: {self._mail.subject} – done",
            f"{self._name} has begun.",
            lines,
            game=self._name,
            about=self._table.title,
        )
        letters = [self._letter(page), *opening_letters(desk, begun)]
        with self._store.transaction() as tx:
            lobby.store_opening(tx, opening, desk.now)
            for letter in letters:
                tx.queue(letter, desk.now)
            tx.finish(desk.inbox_id, "done", f"started {self._name}")

    # answers

    def _standing(self) -> Sequence[str]:
        table = self._table
        joined = ", ".join(seat.name for seat in table.players) or "nobody"
        if table.row.status != "open":
            status = "has begun" if table.row.status == "running" else f"is {table.row.status}"
            return (f"{self._name} {status}. Players: {joined}.",)
        lines = [f"{self._name} ({table.title.name}) has not begun. Joined so far: {joined}."]
        if self._may_start():
            waiting = ", ".join(seat.name for seat in table.seats if seat.status == "invited")
            lines += [f"Not confirmed yet: {waiting or 'nobody'}.", *_how_to_start(table)]
        else:
            lines.append("The organiser starts it; then a mail tells you when it is your turn.")
        return lines

    def _note(self, headline: str, lines: Sequence[str]) -> Page:
        ending = " – NOT DONE" if headline == "NOT DONE" else ""
        subject = f"Re: {self._mail.subject}{ending}"
        return note_page(subject, headline, lines, game=self._name, about=self._table.title)

    def _letter(self, page: Page) -> Letter:
        if self._seat is None:
            organiser = self._table.row.organiser
            return self._desk.to_organiser("receipt", self._name, organiser, page, self._mail)
        return self._desk.to_seat("receipt", self._name, self._seat, 0, page, answers=self._mail)

    def _answer(self, page: Page, ration: str) -> None:
        """The receipt; rationed, because nothing was changed."""
        letter = self._letter(page)
        with self._store.transaction() as tx:
            good = tx.may_answer(letter.recipient, ration, self._desk.now)
            if good:
                tx.queue(letter, self._desk.now)
            tx.finish(self._desk.inbox_id, "done", "" if good else "not answered: too many mails")


def _how_to_start(table: Table) -> tuple[str, str]:
    numbers = f"{table.title.seats[0]} to {table.title.seats[-1]}"
    return (
        f"{table.title.name} is for {numbers} players.",
        "Reply `start` when everybody is there.",
    )
