"""Mails that speak for no seat: creating and joining games, and what anybody may ask."""

import re
from collections.abc import Sequence

from service.desk import lobby
from service.desk.lobby_mail import LobbyMail
from service.desk.post import ORGANISER, Desk
from service.desk.queries import Queries, games_block
from service.games import games
from service.games.commands import Command, read_commands
from service.games.games import Table, load
from service.mail.message import Mail
from service.reports import (
    Answer,
    Page,
    Scene,
    answer_page,
    confirm_page,
    created_page,
    help_page,
    note_page,
    stranger_page,
)
from service.store import SeatRow, Store, Tx

#: what anybody may ask about any game
PUBLIC = ("status", "map", "market", "history")


class StrangerMail:
    """A mail to the moderator's own address, or to one that has lost its power."""

    def __init__(
        self, store: Store, desk: Desk, mail: Mail, known: Sequence[tuple[Table, SeatRow]] = ()
    ) -> None:
        """``known`` are seats that are registered with the sender's address, if it is his."""
        self._store = store
        self._desk = desk
        self._mail = mail
        self._known = known

    def handle(self) -> None:
        """One answer to the first line that says something; rationed, for From can be forged."""
        line = self._mail.lines[0].text.strip() if self._mail.lines else ""
        found = lobby.read(line)
        if found is not None:
            self._lobby(*found)
            return
        usage = lobby.usage(line)
        if usage:
            lines = (f"Write: {usage}",)
            self._answer(note_page(self._subject, "That was not understood.", lines), "lobby")
            return
        asked = self._public()
        if asked is not None:
            self._answer(asked, "error")
        elif self._known:
            self._send_home()
        else:
            address = self._desk.house.address
            self._answer(stranger_page(address, self._open_games(), self._subject), "stranger")

    @property
    def _subject(self) -> str:
        return f"Re: {self._mail.subject}" if self._mail.subject else "Your mail"

    def _open_games(self) -> list[str]:
        with self._store.transaction() as tx:
            return [row.name for row in tx.games() if row.status == "open"]

    # the lobby

    def _lobby(self, word: str, found: re.Match[str]) -> None:
        if word == "start":
            self._start((found["name"] or "").lower())
            return
        with self._store.transaction() as tx:
            if not tx.may_answer(self._mail.sender, "lobby", self._desk.now):
                tx.finish(self._desk.inbox_id, "ignored", "too many mails about games")
                return
            try:
                if word == "create":
                    folder = self._desk.house.overlays
                    created = lobby.create(tx, found, self._mail.sender, self._desk.now, folder)
                    self._create(tx, created)
                else:
                    self._join(tx, *lobby.join(tx, found, self._mail.sender))
            except lobby.Refused as refused:
                page = note_page(f"{self._subject} – NOT DONE", "NOT DONE", (str(refused),))
                letter = self._desk.to_stranger("refused", self._mail.sender, page, self._mail)
                tx.queue(letter, self._desk.now)
            tx.finish(self._desk.inbox_id, "done")

    def _create(self, tx: Tx, created: lobby.Created) -> None:
        house = self._desk.house
        address = house.seat_address(created.name, ORGANISER)
        page = created_page(created.name, created.title, house.address, address)
        letter = self._desk.to_organiser(
            "created", created.name, self._mail.sender, page, answers=self._mail
        )
        tx.queue(letter, self._desk.now)

    def _join(self, tx: Tx, table: Table, seat: SeatRow) -> None:
        address = self._desk.house.seat_address(table.row.name, seat.name, seat.epoch)
        page = confirm_page(table.row.name, table.title, seat.name, table.row.organiser, address)
        letter = self._desk.to_seat("confirm", table.row.name, seat, 0, page, answers=self._mail)
        tx.queue(letter, self._desk.now)

    def _start(self, name: str) -> None:
        """The organiser may start a game from here too, where the sender's address is enough."""
        with self._store.transaction() as tx:
            table = load(tx, name) if name else None
        mine = table is not None and table.row.organiser == self._mail.sender
        if table is not None and mine and not self._desk.house.strict:
            LobbyMail(self._store, self._desk, self._mail, table, None).handle()
            return
        lines = (
            "A game is started by its organiser, in reply to the mail that told him that it is "
            "open for players.",
        )
        self._answer(note_page(f"{self._subject} – NOT DONE", "NOT DONE", lines), "lobby")

    # answers

    def _send_home(self) -> None:
        """To a player who wrote to the wrong place: an answer to this letter comes to his seat."""
        seats = ", ".join(f"{seat.name} in {table.row.name}" for table, seat in self._known)
        lines = (
            f"You play as {seats}. Your mail did not go to a seat's present address, so nothing "
            "of it was done.",
            "Reply to the latest mail of the game."
            if len(self._known) > 1
            else "Reply to this mail, or to the latest one of the game.",
        )
        about = self._known[0][0].title if len(self._known) == 1 else None
        page = note_page(f"{self._subject} – NOT DONE", "NOT DONE", lines, about=about)
        letter = self._desk.to_stranger("answer", self._mail.sender, page, self._mail)
        if len(self._known) == 1:
            table, seat = self._known[0]
            number = table.state.number if table.head else 0
            letter = self._desk.to_seat(
                "answer", table.row.name, seat, number, page, answers=self._mail
            )
        with self._store.transaction() as tx:
            if tx.may_answer(self._mail.sender, "puzzled", self._desk.now):
                tx.queue(letter, self._desk.now)
            tx.finish(self._desk.inbox_id, "done", "not to a seat's address")

    def _answer(self, page: Page, ration: str) -> None:
        letter = self._desk.to_stranger("answer", self._mail.sender, page, self._mail)
        with self._store.transaction() as tx:
            if tx.may_answer(self._mail.sender, ration, self._desk.now):
                tx.queue(letter, self._desk.now)
            tx.finish(self._desk.inbox_id, "done", f"answered as {ration}")

    def _public(self) -> Page | None:
        """The answer to questions that anybody may ask: `games`, `status dixie7`, `help`."""
        for command in read_commands(self._mail.lines):
            words = command.rest.split()
            if command.word == "games":
                with self._store.transaction() as tx:
                    block = games_block(tx.games())
                return answer_page(self._subject, "The games here", Answer((block,)))
            if command.word == "help":
                return help_page(None, command.rest, self._subject)
            if command.word in PUBLIC and words:
                page = self._tell(command, words[0].lower(), " ".join(words[1:]))
                if page is not None:
                    return page
        return None

    def _tell(self, command: Command, name: str, rest: str) -> Page | None:
        with self._store.transaction() as tx:
            table = load(tx, name)
            if table is None or table.head is None:
                return None
            all_of_it = command.word == "history"
            past = games.recent(tx, table, lambda _: not all_of_it)
            said = games.said(tx.talks(table.row.id)) if all_of_it else ()
        templates = self._desk.house.templates
        scene = Scene(table.row.name, table.title, table.state, templates=templates)
        asked = Command(command.number, command.word, rest, command.text)
        found = Queries(scene, "", past, said).answer(asked)
        if found.answer is None:
            name, title = table.row.name, table.title
            return note_page(self._subject, "NOT DONE", found.notes, game=name, about=title)
        return answer_page(self._subject, command.text, found.answer, table.row.name, table.title)
