"""Mails that speak for no seat: creating, joining and starting games, and what anybody may ask."""

import re
from collections.abc import Sequence

from service import games, lobby
from service.commands import Command, read_commands
from service.follow_up import opening_letters
from service.games import Table, load
from service.message import Mail
from service.post import ORGANISER, Desk
from service.queries import Queries
from service.reports import (
    Page,
    Scene,
    answer_page,
    confirm_page,
    created_page,
    note_page,
    stranger_page,
)
from service.store import Letter, SeatRow, Store, Tx

#: what anybody may ask about any game
PUBLIC = ("status", "map", "market", "history")


class StrangerMail:
    """A mail to the moderator's own address."""

    def __init__(self, store: Store, desk: Desk, mail: Mail) -> None:
        self._store = store
        self._desk = desk
        self._mail = mail

    def handle(self) -> None:
        """One answer to the first line that says something; rationed, for From can be forged."""
        line = self._mail.lines[0].text.strip() if self._mail.lines else ""
        found = lobby.read(line)
        if found is not None and found[0] in ("create", "join"):
            self._lobby(*found)
            return
        usage = lobby.usage(line)
        if usage:
            page = note_page(self._subject, "That was not understood.", (f"Write: {usage}",))
            self._answer(page, "error")
            return
        asked = self._public()
        if asked is not None:
            self._answer(asked, "error")
            return
        page = stranger_page(self._desk.house.address, self._open_games(), self._subject)
        self._answer(page, "stranger")

    @property
    def _subject(self) -> str:
        return f"Re: {self._mail.subject}" if self._mail.subject else "Your mail"

    def _open_games(self) -> list[str]:
        with self._store.transaction() as tx:
            return [row.name for row in tx.games() if row.status == "open"]

    def _lobby(self, word: str, found: re.Match[str]) -> None:
        with self._store.transaction() as tx:
            try:
                if word == "create":
                    folder = self._desk.house.overlays
                    created = lobby.create(tx, found, self._mail.sender, self._desk.now, folder)
                    self._create(tx, created)
                else:
                    self._join(tx, *lobby.join(tx, found, self._mail.sender))
            except lobby.Refused as refused:
                page = note_page(self._subject, "NOT DONE", (str(refused),))
                if tx.may_answer(self._mail.sender, "error", self._desk.now):
                    tx.queue(self._to_sender("refused", page), self._desk.now)
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

    def _to_sender(self, kind: str, page: Page) -> Letter:
        return self._desk.to_stranger(kind, self._mail.sender, page, self._mail)

    def _answer(self, page: Page, ration: str) -> None:
        letter = self._to_sender("answer", page)
        with self._store.transaction() as tx:
            if tx.may_answer(self._mail.sender, ration, self._desk.now):
                tx.queue(letter, self._desk.now)
            tx.finish(self._desk.inbox_id, "done", f"answered as {ration}")

    def _public(self) -> Page | None:
        """The answer to questions that anybody may ask: `games`, `status dixie7`, `map dixie7`."""
        commands = read_commands(self._mail.lines)
        with self._store.transaction() as tx:
            rows = tx.games()
            tables = {row.name: load(tx, row.name) for row in rows if row.status != "open"}
        if any(c.word == "games" for c in commands):
            lines = [f"{row.name} ({row.title}): {row.status}" for row in rows]
            more = "`status NAME`, `map NAME`, `market NAME`, `history NAME` tell more."
            return note_page(
                self._subject, "The games here", [*lines, more] if lines else ["None."]
            )
        for command in commands:
            words = command.rest.split()
            table = tables.get(words[0].lower()) if words else None
            if command.word in PUBLIC and table is not None:
                return self._tell(command, table, " ".join(words[1:]))
        return None

    def _tell(self, command: Command, table: Table, rest: str) -> Page:
        scene = Scene(
            table.row.name, table.title, table.state, templates=self._desk.house.templates
        )
        with self._store.transaction() as tx:
            past = games.recent(tx, table, lambda past: len(past) > 60)
            said = games.said(tx.talks(table.row.id, 0))
        queries = Queries(self._desk.house, table, scene, "", past, said)
        asked = Command(command.number, command.word, rest, command.text)
        found = queries.answer(asked)
        if found.answer is None:
            return note_page(self._subject, "NOT DONE", found.notes, game=table.row.name)
        return answer_page(self._subject, command.text, found.answer, table.row.name)


class OrganiserMail:
    """A mail to a game's organiser address, from its organiser."""

    def __init__(self, store: Store, desk: Desk, mail: Mail, table: Table) -> None:
        self._store = store
        self._desk = desk
        self._mail = mail
        self._table = table

    def handle(self) -> None:
        """`start` starts; anything else is told how things stand."""
        wants = any(line.text.strip().lower().startswith("start") for line in self._mail.lines)
        if wants:
            start_game(self._store, self._desk, self._mail, self._table, None)
            return
        table = self._table
        joined = ", ".join(seat.name for seat in table.players) or "nobody"
        waiting = ", ".join(seat.name for seat in table.seats if seat.status == "invited")
        lines = (
            f"{table.row.name} ({table.title.name}) is {table.row.status}.",
            f"Joined: {joined}. Not confirmed yet: {waiting or 'nobody'}.",
            "Reply `start` when everybody is there.",
        )
        _reply(self._store, self._desk, self._mail, table, None, lines)


def start_game(store: Store, desk: Desk, mail: Mail, table: Table, seat: SeatRow | None) -> None:
    """Start the game for its organiser; ``seat`` is his own, if he wrote from it."""
    try:
        opening = lobby.opening(table, desk.house.secret, desk.inbox_id, desk.now)
    except lobby.Refused as refused:
        _reply(store, desk, mail, table, seat, (str(refused),))
        return
    begun = opening.begun
    lines = (
        f"{table.row.name} has begun.",
        f"Seats by lot: {', '.join(s.name for s in begun.players)}.",
    )
    page = note_page(
        f"[{table.row.name}] The game begins", lines[0], lines[1:], game=table.row.name
    )
    if seat is None:
        letter = desk.to_organiser("receipt", table.row.name, mail.sender, page, mail)
    else:
        letter = desk.to_seat("receipt", table.row.name, seat, 0, page, answers=mail)
    letters = [letter, *opening_letters(desk, begun)]
    with store.transaction() as tx:
        lobby.store_opening(tx, opening, desk.now)
        for one in letters:
            tx.queue(one, desk.now)
        tx.finish(desk.inbox_id, "done", f"started {table.row.name}")


def _reply(
    store: Store,
    desk: Desk,
    mail: Mail,
    table: Table,
    seat: SeatRow | None,
    lines: Sequence[str],
) -> None:
    heading = "NOT DONE" if len(lines) == 1 else "How it stands"
    page = note_page(f"Re: {mail.subject} – {heading}", heading, lines, game=table.row.name)
    if seat is None:
        letter = desk.to_organiser("receipt", table.row.name, mail.sender, page, mail)
    else:
        letter = desk.to_seat("receipt", table.row.name, seat, 0, page, answers=mail)
    with store.transaction() as tx:
        tx.queue(letter, desk.now)
        tx.finish(desk.inbox_id, "done")
