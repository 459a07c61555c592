"""Answers of those who watch a game, or were asked whether they want to; and how they end it.

A mail to the address of List-Unsubscribe ends it whatever it says and whoever sends it: nobody else
was told that address (RFC 2369 §3.2).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import msgspec

from service.audience import EVERYBODY
from service.commands.command import Command
from service.desk.letters.post import Desk, House
from service.desk.lobby.lobby_words import YES
from service.desk.turns.seat_words import choose
from service.desk.watching import asking
from service.desk.watching.asking import UNWATCH, WATCH, ticket_of
from service.games.commands import read_commands
from service.games.games import GameTable, load
from service.games.observers import choices, daily
from service.mail import identity
from service.mail.identity import Claim
from service.mail.message import Mail
from service.publish.shown import why_not_told
from service.reports import Answer, Scene, answer_page
from service.reports.blocks import Block, Lines
from service.reports.position import started, tables
from service.reports.subjects import answering
from service.store import Conflict, Letter, ObserverRow, Store, Tx
from service.store.rations import DAY

_NO = ("no", "nein", "non", "stop", "off", "unwatch", "unsubscribe")
_CHOICES = ("digest", "news", "zone", "images")
_LAPSED = "You do not watch any more, or the time to say so is over. Write `watch {}` again."


def _claimed(house: House, rows: Sequence[ObserverRow], claim: Claim) -> ObserverRow | None:
    """Whose the address is that a mail went to."""
    for row in rows:
        parts = (row.address, row.id, row.asked)
        if identity.proves(house.secret, claim.token, claim.seat, *parts):
            return row
    return None


def leaves(store: Store, house: House, now: int, desk: Desk, mail: Mail) -> str:
    """What became of a mail to an address that ends watching, as a note; "" for any other mail.

    Nobody answers a robot, nor an address that is not theirs.
    """
    own = (identity.read_address(a, house.address) for a in mail.recipients)
    claim = next((one for one in own if one is not None and one.seat == UNWATCH), None)
    if claim is None:
        return ""
    with store.transaction() as tx:
        table = load(tx, claim.game)
        row = _claimed(house, tx.observers(table.row.id), claim) if table else None
        if table is None or row is None:
            tx.finish(desk.mail, "ignored", "that address watches no more")
            return "no"
        if mail.automatic or mail.sender.lower() != row.address:
            tx.drop_observer(row.id)
        else:
            again = tx.ask_observer(table.row.id, row.address, row.page, row.settings, now)
            if tx.may_answer(row.address, "puzzled", now):
                tx.queue(asking.ended(desk, table, ticket_of(table.row.name, again), mail), now)
        tx.finish(desk.mail, "done", f"watches {table.row.name} no more")
    return "yes"


def claimed(
    store: Store, desk: Desk, mail: Mail, table: GameTable, claim: Claim
) -> "WatchMail | None":
    """The answer that a mail is, if it comes from the address that was asked, and by no list."""
    if claim.seat != WATCH or mail.listing.addresses or mail.listing.ids:
        return None
    with store.transaction() as tx:
        rows = tx.observers(table.row.id)
    row = _claimed(desk.house, rows, claim)
    if row is None or row.address != mail.sender.lower():
        return None
    return WatchMail(store, desk.about(table.row.name), mail, table, row)


@dataclass(frozen=True)
class WatchMail:
    """The answer of somebody who watches a game, or was asked."""

    store: Store
    desk: Desk
    mail: Mail
    table: GameTable
    row: ObserverRow

    def handle(self) -> None:
        """The first line that says something counts. Raises Conflict if all has changed."""
        commands = read_commands(self.mail.lines)
        lines = [line.text.strip() for line in self.mail.lines]
        wanted = next((one for one in commands if one.word in _CHOICES), None)
        if any(line.lower().rstrip(".! ") in _NO for line in lines):
            self._end()
        elif self.row.agreed is None:
            if any(YES.fullmatch(line) for line in lines):
                self._begin()
            else:
                self._reply("NOT DONE", ("Reply with the one word `yes`. Nothing was done.",))
        elif wanted is not None:
            self._choose(wanted)
        else:
            self._reply("NOT DONE", ("That was not understood.", asking.HOW))

    def _begin(self) -> None:
        """They watch from now on, and are told how the game stands."""
        game, now, house = self.table.row.name, self.desk.now, self.desk.house
        row, settings = self.table.row, self.table.settings
        why = why_not_told(row, settings, house.secret, self.row.page)
        if self.row.asked + house.offer_days * DAY < now:
            why = _LAPSED.format(game)
        elif self.table.row.status not in ("open", "running"):
            why = f"{game} is over: nothing more happens in it."
        if why:
            self._reply("NOT DONE", (why,))
            return
        told = self.table.state.number if self.table.head else -1
        agreed = replace(self.row, agreed=now, told=told)
        lines = (asking.how(agreed), asking.HOW)
        letter = self._letter("done", f"You watch {game}.", lines, self._stands())
        with self.store.transaction() as tx:
            if not tx.change_observer(self.row.id, agreed=now, told=told):
                raise Conflict(f"who watches {game} has changed")
            tx.queue(letter, now)
            tx.finish(self.desk.mail, "done", f"watches {game}")

    def _stands(self) -> tuple[Block, ...]:
        table = self.table
        if table.head is None:
            return (Lines("", (f"{table.row.name} has not begun; you are told when it does.",)),)
        scene = Scene(table.row.name, table.title, table.state, templates=self.desk.house.templates)
        return tuple(tables(scene)) if started(scene) else ()

    def _end(self) -> None:
        with self.store.transaction() as tx:
            tx.drop_observer(self.row.id)
            game = self.table.row.name
            lines = (f"Nothing more of {game} comes to you.",)
            self._send(tx, self._letter("done", f"You watch {game} no more.", lines))
            tx.finish(self.desk.mail, "done", f"watches {game} no more")

    def _choose(self, command: Command) -> None:
        chosen, result = choose(command, choices(self.row))
        if chosen.news == "off":
            self._reply("NOT DONE", ("`unwatch` ends the letters.", asking.HOW))
            return
        if result.status != "ok":
            self._reply("NOT DONE", result.notes)
            return
        kept = msgspec.json.encode(chosen)
        row = replace(self.row, settings=kept)
        with self.store.transaction() as tx:
            tx.change_observer(row.id, settings=kept)
            if (task := daily(self.table.row.name, row, self.desk.now)) is not None:
                tx.add_task(task, self.desk.now)
            self._send(tx, self._letter("done", "DONE.", (result.canonical, asking.how(row))))
            tx.finish(self.desk.mail, "done", result.canonical)

    def _reply(self, headline: str, lines: Sequence[str]) -> None:
        with self.store.transaction() as tx:
            self._send(tx, self._letter(headline, headline, lines))
            tx.finish(self.desk.mail, "done", f"of who watches: {lines[0][:60]}")

    def _send(self, tx: Tx, letter: Letter) -> None:
        if tx.may_answer(self.row.address, "puzzled", self.desk.now):
            tx.queue(letter, self.desk.now)

    def _letter(
        self, ending: str, headline: str, lines: Sequence[str], blocks: Sequence[Block] = ()
    ) -> Letter:
        about = self.desk.house.about(self.table.row.name, self.table.title)
        found = Answer((Lines("", tuple(lines)), *blocks))
        subject = answering(self.mail.subject, ending)
        page = answer_page(EVERYBODY, subject, headline, found, about)
        ticket = ticket_of(self.table.row.name, self.row)
        return self.desk.to_ticket("watch-answer", ticket, page, self.mail)
