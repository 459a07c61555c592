"""Emails that did not arrive: what proves the failure, what follows from it, who is informed.

Anybody can write a delivery report. It proves that an email came back

- if it comes to the email's own envelope address, which has a token. Only the servers that carried
  the email know it, and people who read its envelope;
- or, for an email to one reader, if it has two things. It names the email by a Message-ID with a
  token, or has the seat's address. And it names the address to which the email went.

Archives of lists and forums show Message-IDs. So only the first counts for emails to them, and only
if the list or thread itself has failed, not one of its members. Any other report about such an
email changes nothing; the organizer gets an email about it once a day.

A proved failure has these consequences, and so has a refusal of Waybill's own mail server:

| email to | refused for good | all other failures |
| --- | --- | --- |
| a player | the second within three days: `unreached` | informed |
| a list or a thread | the game leaves it, informed | informed once a day |
| a watcher | is removed from the list of watchers | nothing |
| all others | informed | informed |

If the report names a limit of Waybill's own account, nobody failed: the email waits and is sent
again, and the operator is informed once a day.

No report changes the position of a game.
"""

from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial

import structlog

from service import rations
from service.audience import OPERATOR, ORGANISER, of_table
from service.desk.bounces import unreached
from service.desk.bounces.in_tournaments import to_its_director
from service.desk.channels.of_game import channel_at
from service.desk.door import Cause, Done, Write, came_back, finish, send_again, store_nothing
from service.desk.informing.everybody import informed, to_all
from service.desk.letters.desk import AtPosition, Desk
from service.desk.rationing.answer_rations import Answering, within_ration
from service.desk.service import Service
from service.desk.watching import telling as watching
from service.games.games import GameTable, load
from service.mail import identity
from service.mail.bounces import DeliveryReport, read_report
from service.mail.message import Mail
from service.mail.refusals import gone, ours, plainly
from service.reports import Page, note_page
from service.store import (
    AlreadySettled,
    Conflict,
    InboxRow,
    Letter,
    Occasion,
    OutboxRow,
    SeatRow,
    Store,
    Tx,
    Unavailable,
)
from service.store.occasions import by_mail

log = structlog.get_logger()

#: kinds of emails; if one of these fails, only the operator is informed
NOTICES = ("undelivered", "fault", "over-storage", "over-sending")
_A_DAY = 86_400

LIMIT_SUBJECT = "The mail provider returned Waybill's emails"
LIMIT_REACHED = "The account of Waybill reached the limit of its provider."
NOT_PASSED_ON = (
    "The mail provider of Waybill took an email and then did not pass it on. Its report "
    "speaks of a limit of this account:"
)
NOTHING_LOST = (
    "Nothing is lost, and no try counts. Every email that comes back so goes out again "
    "after half an hour, for five days. Other emails go out meanwhile."
)
SET_LIMITS = (
    "If this happens again, set `smtp.a_minute` and `smtp.a_day` below what your provider "
    "allows, or ask the provider for more."
)
ONCE_A_DAY = "You get this email once a day."
OPERATOR_SUBJECT = "An email to {address} was not delivered"
NOT_DELIVERED = "An email was not delivered."
DID_NOT_ARRIVE = (
    "Email {number} ({kind}, game {game}), written {written}, did not arrive at {address}: {why}."
)
WORDS_OF_SERVER = "The words of the server: {words}"
NOT_ONE_BY_ONE = (
    "You get no further email today about this kind of email to the same "
    "address: `waybill letters` lists them."
)
SUBJECT = "[{game}] Email to {name} was not delivered"
NEWS_SUBJECT = "[{game}] Email does not reach {name}: {what}"
NOT_REACHED = "Waybill does not reach {name}."
NOT_REACHED_BY_MAIL = "Email does not reach {name}."
NEXT_NOT_REACHED = "It is {name}'s turn, but no email reaches {name}."
COULD_NOT_BE_DELIVERED = "An email of this game to {name} could not be delivered: {why}."
GAME_WAITS = "The game waits for them, and they may not know it."
GAME_WAITS_NOT = "The game does not wait for them now, but they may know nothing of it."
IF_YOU_REACH_THEM = (
    "If you can reach {name} in another way: they may still answer any email of this game, "
    "and `resend` brings the latest one again once their mailbox works."
)
IF_NOBODY_CAN = "If nobody can: `propose replace {name}` asks all others to vote on it."


CAME_BACK = "came back: {reason}"


@dataclass(frozen=True)
class Undelivered:
    """Handles emails that did not arrive; ``now`` in UTC seconds."""

    service: Service
    now: int

    # delivery reports

    def read(self, reads: Tx, row: InboxRow, mail: Mail) -> Done | None:
        """Handle a delivery report; None for any other email."""
        report = read_report(row.raw)
        if report is None:
            return None
        if not report.failed:
            return Done("a delivery report of no failure", fate="ignored")
        return self._reported(reads, row, mail, report)

    def _reported(self, reads: Tx, row: InboxRow, mail: Mail, report: DeliveryReport) -> Done:
        """What follows from each email that did not arrive, with notes for the log."""
        notes: list[str] = []
        limits: list[str] = []
        writes: list[Write] = []
        for letter, reason in self._proved(reads, report, mail):
            why = CAME_BACK.format(reason=reason or "no reason given")
            earlier = not row.kept < (letter.sent or 0) <= self.now
            if not (identity.bears_token(letter.message_id) or _is_final(report, letter)):
                notes.append(f"of a member: email {letter.id} went to {letter.recipient}")
            elif ours(reason) and reads.letters.may_go_again(letter.id, row.kept, self.now):
                # Only this email waits. Its reader could have written the report, so it may not
                # stop other emails.
                writes.append(partial(self._goes_again, row, letter, why))
                limits.append(reason)
                log.warning("came back, waits", letter=letter.id, game=letter.game, reason=reason)
                notes.append(f"letter {letter.id} to {letter.recipient} waits: {reason}")
            elif letter.status == "sent" and earlier:
                writes.append(partial(_came_back, letter, why))
                log.error("came back", letter=letter.id, game=letter.game, reason=reason)
                notes.append(f"letter {letter.id} to {letter.recipient} came back: {reason}")
        if not notes:
            return self._heard(reads, row, report)
        done = Done("; ".join(notes), fate="ignored")
        if limits and self.service.operator:
            done = done.beside(self._limited(reads, row, limits[0]))
        for write in writes:
            done = done.beside(Done(also=write))
        return done

    def _goes_again(self, row: InboxRow, letter: OutboxRow, why: str, tx: Tx) -> None:
        """Hold back an email that Waybill's provider has not passed on."""
        send_again(tx, letter.id, row.kept, why, self.now)

    def _limited(self, reads: Tx, row: InboxRow, reason: str) -> Done:
        """To the operator, once a day: Waybill's provider sends reports instead of refusals."""
        lines = (
            NOT_PASSED_ON,
            reason,
            NOTHING_LOST,
            SET_LIMITS,
            ONCE_A_DAY,
        )
        page = note_page(
            OPERATOR,
            LIMIT_SUBJECT,
            LIMIT_REACHED,
            lines,
            ("waybill letters --waiting",),
            about=self.service.about(),
        )
        desk = Desk(self.service, self.now, Occasion("delivery", f"limit-{row.id}"))
        counters = rations.address(f"limit {self.service.operator}", "told")
        ration = Answering(reads, desk, counters)
        return within_ration(ration, [desk.to_operator("trouble", page)])

    def _heard(self, reads: Tx, row: InboxRow, report: DeliveryReport) -> Done:
        """Inform the organizer of a report that proves nothing about a list or a thread."""
        for letter in reads.letters.named(report.message_ids):
            if identity.bears_token(letter.message_id) or not _is_final(report, letter):
                continue
            table = load(reads, letter.game)
            desk = Desk(self.service, self.now, by_mail(row.id, letter.game))
            channel = channel_at(desk, table, letter.recipient) if table else None
            if channel is not None:
                note = f"nothing proves that email {letter.id} came back"
                return channel.hearsay(reads, report.failed[0].reason, note, "ignored")
        return Done("a delivery report about no email that is out", fate="ignored")

    def _proved(
        self, tx: Tx, report: DeliveryReport, mail: Mail
    ) -> Iterable[tuple[OutboxRow, str]]:
        """The emails that came back, as a report proves, with the reason."""
        reasons = {a: one.reason for one in report.failed for a in one.addresses}
        # A forwarded email fails at an address to which Waybill never wrote.
        only = report.failed[0].reason if len(report.failed) == 1 else None
        own = (
            identity.read_bounce(a, self.service.secret, *self.service.addresses)
            for a in mail.recipients
        )
        returned = next((number for number in own if number is not None), None)
        letter = None if returned is None else tx.letters.get(returned)
        if letter is not None:
            yield letter, reasons.get(letter.recipient.lower(), only or report.failed[0].reason)
            return
        named = tx.letters.named(i for i in report.message_ids if identity.bears_token(i))
        for letter in named or self._latest(tx, report, mail):
            to = letter.recipient.lower()
            if to in reasons:
                yield letter, reasons[to]
            elif only is not None and to in report.returned_to:
                yield letter, only

    def _latest(self, tx: Tx, report: DeliveryReport, mail: Mail) -> tuple[OutboxRow, ...]:
        """The latest email to the seat whose secret address is in the report or its envelope."""
        ours = self.service.addresses
        returned = [identity.read_address(a, *ours) for a in report.replies_to]
        claims = [*identity.claims(mail, *ours), *filter(None, returned)]
        for claim in claims:
            table = load(tx, claim.game)
            if table is None:
                continue
            epochs = {seat.name: seat.epoch for seat in table.seats}
            name = identity.match(self.service.secret, claim, epochs)
            if name is not None:
                found = tx.letters.recent(table.seat(name).address, table.row.name)
                return tuple(row for row in found if row.status == "sent")[:1]
        return ()

    # informing people

    def tell(self, store: Store) -> int:
        """Inform people of every failed email not reported yet; returns how many there were."""
        found = store.letters.untold()
        for letter in found:
            log.error(
                "undelivered",
                letter=letter.id,
                kind=letter.kind,
                game=letter.game,
                to=letter.recipient,
                reason=letter.note,
            )
            try:
                with store.reading() as reads:
                    done = self._failed(reads, letter)
                self._settle(store, letter, done)
            except Conflict as error:
                # it is still to be reported
                log.info("begun again", letter=letter.id, reason=str(error))
            except Unavailable:
                raise
            except Exception:
                # A failure that cannot be reported must not keep the other emails from being sent.
                log.exception("nobody told", letter=letter.id)
                self._settle(store, letter, Done())
        return len(found)

    def _settle(self, store: Store, letter: OutboxRow, done: Done) -> None:
        """Report a failed email, unless another worker was faster."""
        with suppress(AlreadySettled):
            finish(store, self.now, Cause(failed=letter.id), done)

    def _failed(self, reads: Tx, letter: OutboxRow) -> Done:
        """What follows from a failed email; storing it raises Conflict after another report."""
        known, any_ = last = _last_told(reads, letter)
        table = load(reads, letter.game) if letter.game else None
        seat = _seat_of(table, letter.recipient) if table else None

        def still(tx: Tx) -> None:
            if _last_told(tx, letter) != last:
                raise Conflict("another failure was reported meanwhile")

        reach = unreached.REACHED
        counted: Write = store_nothing
        if table is not None and seat is not None:
            reach, counted = unreached.counted(reads, table, seat, letter, self.now)
        lately = self._lately(known), self._lately(any_)
        done = self._notices(reads, letter, table, seat, reach, *lately)
        return replace(done, read=table, checks=(still,)).preceded_by(Done(also=counted))

    def _notices(
        self,
        reads: Tx,
        letter: OutboxRow,
        table: GameTable | None,
        seat: SeatRow | None,
        reach: unreached.Unreached,
        known_lately: bool,
        any_lately: bool,
    ) -> Done:
        """Who is informed; a like failure may have been reported lately, to it or to anybody."""
        # An email that is sent again may fail again: that is another occasion.
        key = f"undelivered-{letter.id}-{self.now}"
        desk = Desk(self.service, self.now, Occasion("delivery", key, letter.game))
        if table is not None and not identity.bears_token(letter.message_id):
            return self._open_fails(desk, table, letter, known_lately)
        if table is not None and letter.kind.startswith("watch-"):
            return self._watches_no_more(reads, table, letter)
        if table is None or letter.kind in NOTICES:
            told = [] if any_lately else self._operator(desk, letter)
            if letter.kind in NOTICES or known_lately:
                return Done(letters=told)
            return Done(
                letters=[*told, *to_its_director(reads, desk, letter, plainly(letter.note))]
            )
        if seat is not None and reach.news:
            operator = [] if known_lately else self._operator(desk, letter)
            return Done(letters=[*operator, *self._stopped(table, seat, letter, reach)])
        awaited = {row.seat for row in reads.games.waiting(table.row.id)}
        known = seat is not None or table.is_organiser(letter.recipient)
        found: list[Letter] = []
        if not (known_lately if known else any_lately):
            found += self._operator(desk, letter)
            if known:
                found += self._organiser(desk, table, seat, letter, awaited)
        if seat is not None and seat.name in awaited:
            found += self._others(table, seat, letter)
        return Done(letters=found)

    def _open_fails(self, desk: Desk, table: GameTable, letter: OutboxRow, lately: bool) -> Done:
        """The game leaves a list or thread that refuses an email for good, so this is said once."""
        channel = channel_at(desk, table, letter.recipient)
        if channel is None:
            return Done()
        # Until the greeting comes back it is the only email there, so there is no next one
        # to wait for.
        if not gone(letter.note) and letter.kind != "list-greeting":
            return Done(letters=[] if lately else [channel.failed(letter.note)])
        return Done(letters=[channel.left(letter.note)], also=channel.drop)

    def _watches_no_more(self, reads: Tx, table: GameTable, letter: OutboxRow) -> Done:
        """Nobody waits for a watcher, so only the log notes the failure."""
        note = "the next email goes there all the same"
        also: Write = store_nothing
        if gone(letter.note):
            note, also = watching.drop_unreached(reads, table.row.id, letter.recipient)
        log.info("not told to an observer", game=table.row.name, to=letter.recipient, note=note)
        return Done(also=also)

    def _stopped(
        self,
        table: GameTable,
        seat: SeatRow,
        letter: OutboxRow,
        reach: unreached.Unreached,
    ) -> list[Letter]:
        """Inform all players, once, that emails to a seat are refused for good."""
        game = table.row.name
        key = f"unreached-{game}-{seat.id}-{letter.id}"
        desk = Desk(self.service, self.now, Occasion("delivery", key, game, seat.name))
        page = self._page(table, seat, letter, waits=False, reach=reach)
        return to_all(desk, table, informed(table, seat.name), "undelivered", page)

    def _lately(self, last: int | None) -> bool:
        """Whether a failure that was last reported at a time was reported within a day."""
        return last is not None and self.now - _A_DAY < last <= self.now

    def _operator(self, desk: Desk, letter: OutboxRow) -> list[Letter]:
        operator = self.service.operator
        if not operator or operator.lower() == letter.recipient.lower():
            return []
        written = datetime.fromtimestamp(letter.created, UTC).strftime("%d %b %Y, %H:%M UTC")
        did_not_arrive = DID_NOT_ARRIVE.format(
            number=letter.id,
            kind=letter.kind,
            game=letter.game or "none",
            written=written,
            address=letter.recipient,
            why=plainly(letter.note),
        )
        lines = (
            did_not_arrive,
            WORDS_OF_SERVER.format(words=letter.note or "none"),
            NOT_ONE_BY_ONE,
        )
        commands = (f"waybill letters {letter.id}", f"waybill letters {letter.id} --resend")
        subject, about = OPERATOR_SUBJECT.format(address=letter.recipient), self.service.about()
        page = note_page(OPERATOR, subject, NOT_DELIVERED, lines, commands, about=about)
        return [desk.to_operator("undelivered", page)]

    def _organiser(
        self,
        desk: Desk,
        table: GameTable,
        seat: SeatRow | None,
        letter: OutboxRow,
        awaited: Collection[str],
    ) -> list[Letter]:
        if seat is None or table.is_organiser(letter.recipient):
            return []
        waits = seat.name in awaited
        page = self._page(table, seat, letter, waits)
        if table.organisers_seat and waits:
            return []  # the organizer gets the email of the other players
        return [desk.to_organiser("undelivered", table.row, page)]

    def _others(self, table: GameTable, seat: SeatRow, letter: OutboxRow) -> list[Letter]:
        """To all who wait for a player who cannot be reached; once in a position."""
        game, number = table.row.name, table.state.number
        page = self._page(table, seat, letter, waits=True)
        key = f"unreached-{game}-{number}-{seat.id}"
        desk = Desk(self.service, self.now, Occasion("delivery", key, game, seat.name))
        # an organizer without a seat gets an email of their own
        players = [one for one in informed(table, seat.name) if one != ORGANISER]
        return to_all(desk, table, players, "undelivered", page, AtPosition(game, number))

    def _page(
        self,
        table: GameTable,
        seat: SeatRow,
        letter: OutboxRow,
        waits: bool,
        reach: unreached.Unreached = unreached.REACHED,
    ) -> Page:
        """What organizer and players read: who, why, what to do; no address and no server."""
        game, name = table.row.name, seat.name
        lines = [
            COULD_NOT_BE_DELIVERED.format(name=name, why=plainly(letter.note)),
            *(reach.lines or (GAME_WAITS if waits else GAME_WAITS_NOT,)),
            IF_YOU_REACH_THEM.format(name=name),
        ]
        if waits or reach.stopped:
            lines.append(IF_NOBODY_CAN.format(name=name))
        headline, subject = NEXT_NOT_REACHED if waits else NOT_REACHED, SUBJECT
        if reach.news:
            headline, subject = NOT_REACHED_BY_MAIL, NEWS_SUBJECT
        return note_page(
            of_table(game),
            subject.format(game=game, name=name, what=reach.short),
            headline.format(name=name),
            lines,
            about=self.service.about(game, table.title),
        )


def _last_told(tx: Tx, letter: OutboxRow) -> tuple[int | None, int | None]:
    """When a failure in its game was last reported: to the same address, and to any."""
    game = letter.game
    return tx.letters.last_told(game, letter.recipient), tx.letters.last_told(game, "")


def _came_back(letter: OutboxRow, why: str, tx: Tx) -> None:
    """Store that an email failed after it was sent."""
    came_back(tx, letter.id, why)


def _is_final(report: DeliveryReport, letter: OutboxRow) -> bool:
    """Whether a report is about the list or thread that an email went to, not about a member.

    The final recipient is the one to compare: a server that spreads an email by an alias names
    the alias as the original recipient. A server may use another host name for the list.
    """
    local = letter.recipient.lower().rpartition("@")[0]
    final = (address for one in report.failed for address in one.addresses[-1:])
    return any(address.rpartition("@")[0] == local for address in final)


def _seat_of(table: GameTable, address: str) -> SeatRow | None:
    for seat in table.seats:
        if seat.address.lower() == address.lower() and seat.status == "joined":
            return seat
    return None
