"""Replies from new addresses, which confirm that they belong to the player who named them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from service.audience import EVERYBODY, of_seat
from service.commands.command import Command
from service.commands.entry import Who
from service.commands.results import done
from service.desk.answering.effects import Effect
from service.desk.answering.yes_or_no import AskedContext, other_lines
from service.desk.identity import addresses
from service.desk.letters.desk import Desk, at_head
from service.games.games import GameTable, at_new_address
from service.rations import Counters, mailbox
from service.refusal import Refused
from service.reports import Page, Result, note_page
from service.reports.rendering import noted, plain
from service.reports.words import moment
from service.said import YES_TO_ADDRESS
from service.store import Conflict, FurtherRow, Letter, SeatRow, Tx

ONLY_FROM = "Only an email from {address} confirms it."
LAPSED = "It could be confirmed until {until}. Ask for it again from the old address."
NOT_YOURS = "This is not an address of {name} in {game}. Waybill will not write to you again."
IS_SECOND = "{address} is your second address in {game}."
SECOND_MAY_WRITE = (
    "You may write from it, too. Emails of the game go there if your first address fails. "
    "`address drop` takes it away again."
)
SEAT_HAS_MOVED = "Your seat in {game} has another address now."
NOTHING_COMES_HERE = (
    "You or the organizer asked for it, and it was confirmed from there. This address gets no "
    "more emails of the game. If that was not you, write to the organizer at once."
)
HAS_CHANGED = "an address of {game} has changed"


@dataclass(frozen=True)
class ClaimantContext(AskedContext):
    """The reply from an address that a seat is to have, alone or as a second one."""

    seat: SeatRow
    row: FurtherRow
    #: whether the reply comes from that address
    known: bool
    #: changes the address of an entry in a tournament, too; it gets the game as it was read
    change_entry: Callable[[Tx, Desk, GameTable], None]

    @property
    def who(self) -> Who:
        """The role of somebody who was asked."""
        return Who.ASKED

    @property
    def how(self) -> str:
        """How to answer, and from which address."""
        return self._why_not() or YES_TO_ADDRESS

    def _why_not(self) -> str:
        """Why nothing in this email counts; "" if it does."""
        if not self.known:
            return ONLY_FROM.format(address=self.row.address)
        if self.desk.now > self.row.due:
            return LAPSED.format(until=moment(self.row.due))
        return ""

    def agree(self, command: Command) -> Effect:
        """The seat gets the address. Raises Refused."""
        if why := self._why_not():
            raise Refused(why)
        return self._second(command) if self.row.kind == "second" else self._moved(command)

    def _second(self, command: Command) -> Effect:
        """A second address; the first gets an email as well."""
        seat, row, game = self.seat, self.row, self.game
        text = IS_SECOND.format(address=row.address, game=game)
        to, about = of_seat(game, seat.name), self.desk.service.about(game, self.table.title)
        page = note_page(to, f"[{game}] {text}", text, (SECOND_MAY_WRITE,), about=about)

        def write(tx: Tx) -> None:
            tx.seats.drop_further(seat.id, "second", stands=False)
            tx.seats.set_further(replace(row, stands=True))
            self.change_entry(tx, self.desk, self.table)

        letters = (self.desk.to_seat("second", at_head(self.table), seat, page),)
        told = done(command, text, SECOND_MAY_WRITE)
        return Effect((told,), letters=letters, write=write, changes=True)

    def _moved(self, command: Command) -> Effect:
        """The seat has another address and another token; the former address gets an email."""
        seat, row, game, desk = self.seat, self.row, self.game, self.desk
        new = at_new_address(seat, row.address)
        about = desk.service.about(game, self.table.title)
        moved = SEAT_HAS_MOVED.format(game=game)
        page = note_page(EVERYBODY, f"[{game}] {moved}", moved, (NOTHING_COMES_HERE,), about=about)
        former = desk.to_stranger("readdressed", seat.address, page, reader="former")

        def receipt(results: Sequence[Result]) -> Page:
            page = addresses.play_from_here(desk, self.table, seat.name)
            for note in other_lines(results, command):
                page = noted(page, note)
            return page

        def letter(page: Page) -> Letter:
            at = at_head(self.table)
            return desk.to_seat("readdressed", at, new, page, answers=self.mail)

        def write(tx: Tx) -> None:
            addresses.move(tx, self.table, seat, row.address)
            self.change_entry(tx, desk, self.table)

        return Effect(
            (done(command),),
            letters=(former,),
            write=write,
            changes=True,
            receipt=receipt,
            letter=letter,
        )

    def decline(self, command: Command) -> Effect:
        """The question is withdrawn. Raises Refused."""
        if why := self._why_not():
            raise Refused(why)
        seat, row = self.seat, self.row

        def write(tx: Tx) -> None:
            tx.seats.drop_further(seat.id, row.kind, stands=False)

        text = NOT_YOURS.format(name=seat.name, game=self.game)
        return Effect((done(command, text),), write=write, changes=True)

    def check_unchanged(self, tx: Tx) -> None:
        """Raise Conflict unless the seats are as they were read, and the question is still open."""
        addresses.check_unchanged(tx, self.table)
        if self.row not in tx.seats.further(self.seat.id):
            raise Conflict(HAS_CHANGED.format(game=self.game))

    def counters(self, kind: str) -> Counters:
        """Anybody may write there, so their answers are few."""
        return ((mailbox(self.mail.sender), "error"),)

    def letter(self, page: Page) -> Letter:
        """To the writer."""
        return self.desk.to_stranger("address", self.mail.sender, plain(page), self.mail)
