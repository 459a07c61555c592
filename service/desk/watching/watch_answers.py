"""Replies of people who watch a game, or were asked whether they want to; and how to stop.

An email to the address of List-Unsubscribe stops it, whatever it says and whoever sends it: nobody
else knows that address (RFC 2369 §3.2).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Self

from service import rations
from service.clocks.digests import OFF
from service.commands.command import Command
from service.commands.entry import Who
from service.commands.results import done
from service.desk.answering.effects import Effect
from service.desk.answering.yes_or_no import AskedContext
from service.desk.door import Done
from service.desk.options import seat_options
from service.desk.proving import owners
from service.desk.proving.arrived import ArrivedEmail
from service.desk.proving.proof import left_by
from service.desk.rationing.answer_rations import Answering, within_ration
from service.desk.watching import asking
from service.desk.watching.asking import UNWATCH, WATCH, watch_ticket
from service.games.choices import observer_settings, observer_task
from service.games.games import GameTable, load
from service.games.shown import why_not_told
from service.mail import identity
from service.mail.identity import Claim
from service.rations import DAY
from service.refusal import Refused
from service.reports import Answer, Page, Result
from service.reports.position import started, tables
from service.reports.tables import Block, Lines
from service.said import NOTHING_HAPPENS, REST_NOT_UNDERSTOOD
from service.store import Conflict, Letter, ObserverRow, Tx


def _leaving(came: ArrivedEmail, table: GameTable, claim: Claim) -> ObserverRow | None:
    """The watcher whose address for leaving an email went to."""
    game, secret = table.row.name, came.service.secret
    every = came.reads.observers.of(table.row.id)
    return next((row for row in every if left_by(secret, watch_ticket(game, row), claim)), None)


def leaves(came: ArrivedEmail) -> Done | None:
    """Handle an email to an address that ends watching; None for any other.

    A robot gets no answer, and neither does an address that is not theirs.
    """
    mail, service = came.mail, came.service
    own = (identity.read_address(a, *service.addresses) for a in mail.recipients)
    claim = next((one for one in own if one is not None and one.seat == UNWATCH), None)
    return None if claim is None else _ends(came, claim)


def _ends(came: ArrivedEmail, claim: Claim) -> Done:
    mail, reads = came.mail, came.reads
    table = load(reads, claim.game)
    row = _leaving(came, table, claim) if table else None
    if table is None or row is None:
        return came.ignored("that address watches no more")
    note = f"watches {table.row.name} no more"
    number = row.id
    if mail.automatic or not came.weigh(owners.asked_person(row.address), claim).enough:
        return Done(note, also=partial(_drop, number))
    letter, write = asking.ends(came.desk, table, row, mail)
    ration = Answering(reads, came.desk, rations.address(row.address, "puzzled"))
    return within_ration(ration, [letter], note, write)


def _drop(number: int, tx: Tx) -> None:
    tx.observers.drop(number)


def claimed(came: ArrivedEmail) -> "ObserverContext | None":
    """The reply that an email is, if it comes from the address that was asked, and by no list."""
    mail = came.mail
    if mail.listing.addresses or mail.listing.ids:
        return None
    for claim in came.claims:
        table = came.tables.get(claim.game) if claim.seat == WATCH else None
        for row in () if table is None else came.reads.observers.of(table.row.id):
            ticket = watch_ticket(claim.game, row)
            if table is not None and came.answers_question(ticket, claim):
                desk = came.desk.about(table.row.name)
                return ObserverContext(came.reads, desk, mail, table, row, row)
    return None


REPLY_YES = "Reply with the one word `yes`. Nothing was done."
LAPSED = "You no longer watch {game}, or the time to confirm is over. Write `watch {game}` again."
YOU_WATCH = "You watch {game}."
NOT_BEGUN = "{game} has not begun; you get an email when it does."
NOTHING_COMES = "You no longer watch {game}, and get no more emails about it."
HAS_CHANGED = "who watches {game} has changed"


@dataclass(frozen=True)
class ObserverContext(AskedContext):
    """The reply of a watcher, or of somebody who was asked; ``before`` as it was read."""

    before: ObserverRow
    row: ObserverRow

    @property
    def who(self) -> Who:
        """Their role: watcher, or asked whether they want to watch."""
        return Who.OBSERVER if self.before.agreed is not None else Who.OBSERVER | Who.ASKED

    @property
    def how(self) -> str:
        """How to answer."""
        return asking.HOW if self.row.agreed is not None else REPLY_YES

    def agree(self, command: Command) -> Effect:
        """They watch from now on, and get the state of the game. Raises Refused."""
        game, now, row = self.game, self.desk.now, self.row
        if row.agreed is not None:
            return Effect((self._watches(command, row),))
        secret = self.desk.service.secret
        why = why_not_told(self.table.row, self.table.settings, secret, row.page)
        if row.asked + self.desk.service.offer_days * DAY < now:
            why = LAPSED.format(game=game)
        elif self.table.row.status not in ("open", "running"):
            why = NOTHING_HAPPENS.format(game=game)
        if why:
            raise Refused(why)
        told = self.table.state.number if self.table.head else -1
        agreed = replace(row, agreed=now, told=told)

        def write(tx: Tx) -> None:
            if not tx.observers.change(row.id, agreed=now, told=told):
                raise Conflict(HAS_CHANGED.format(game=game))

        result = self._watches(command, agreed, self._stands())
        return Effect((result,), changed=agreed, write=write, changes=True)

    def _watches(self, command: Command, row: ObserverRow, blocks: Sequence[Block] = ()) -> Result:
        lines = (YOU_WATCH.format(game=self.game), asking.how(row), asking.HOW)
        return replace(done(command), answer=Answer((Lines("", lines), *blocks)))

    def _stands(self) -> tuple[Block, ...]:
        table = self.table
        if table.head is None:
            return (Lines("", (NOT_BEGUN.format(game=self.game),)),)
        scene = table.scene(self.desk.service.templates)
        return tuple(tables(scene)) if started(scene) else ()

    def decline(self, command: Command) -> Effect:
        """They no longer watch."""
        ended = replace(self.row, agreed=None)

        def write(tx: Tx) -> None:
            tx.observers.drop(self.row.id)

        text = NOTHING_COMES.format(game=self.game)
        return Effect((done(command, text),), changed=ended, write=write, changes=True)

    # what an email is carried out with

    def after(self, effect: Effect) -> Self:
        """The same context with what they have chosen."""
        row = effect.changed
        return replace(self, row=row) if isinstance(row, ObserverRow) else self

    def check_unchanged(self, tx: Tx) -> None:
        """Raise Conflict unless they watch as it was read."""
        if self.before not in tx.observers.of(self.table.row.id):
            raise Conflict(HAS_CHANGED.format(game=self.game))

    def letter(self, page: Page) -> Letter:
        """The answer, to which they can reply."""
        ticket = watch_ticket(self.game, self.row)
        return self.desk.to_ticket("watch-answer", ticket, page, self.mail)


def choose(context: ObserverContext, command: Command) -> Effect:
    """`digest round`, `zone Europe/Berlin`, `images off` of a watcher."""
    row = context.row
    if row.agreed is None:
        raise Refused(REPLY_YES)
    chosen, result = seat_options.chosen_by(command, observer_settings(row))
    if chosen.news is OFF:
        raise Refused(REST_NOT_UNDERSTOOD, hint="`unwatch` ends the emails.")
    kept = chosen.stored()
    new = replace(row, settings=kept)

    def write(tx: Tx) -> None:
        tx.observers.change(row.id, settings=kept)
        if (task := observer_task(context.game, new, context.desk.now)) is not None:
            tx.tasks.add(task, context.desk.now)

    told = done(command, asking.how(new), canonical=result.canonical)
    return Effect((told,), changed=new, write=write, changes=kept != row.settings)
