"""A player's advance orders: accepting and clearing them, and notes about them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import engine
from engine import Action, Seat, State, Title
from engine.actions import (
    CompanyAction,
    ProtectionAnswer,
)
from engine.notation import Garbled, NotationError, heading, parse
from engine.notation.suggest import like
from engine.notation.words import normalise
from engine.position.table import Table
from engine.wording import whole
from service.commands.command import Command
from service.commands.results import done, tried, unsent
from service.desk.rationing.work_allowance import OutOfWork, WorkAllowance
from service.games import orders
from service.games.changes import Change
from service.games.choices import seat_settings
from service.games.games import GameTable
from service.games.orders import PLAYED, WAITS, GivenOrder, OrderStatus
from service.games.votes import votes_ahead
from service.orders import contradicting
from service.orders import values as v
from service.orders.building import Names
from service.orders.grammar import read
from service.orders.hopeless import hopeless
from service.orders.sight import Sight
from service.orders.writing import write
from service.refusal import Refused
from service.reports import Result, misread
from service.reports.tables import Row
from service.store import BY_HAND, OrderRow

#: most open orders of one seat; nobody can foresee more
MOST = 40
TOO_MANY = "There are {most} orders of {name}; `clear` some first."


def give(
    title: Title, state: State, seat: Seat, text: str, mine: Sequence[GivenOrder]
) -> GivenOrder:
    """A seat's new order beside those in ``mine``. Raises Refused, and NotationError.

    Its ``id`` is the negative of its number.
    """
    if sum(map(orders.alive, mine)) >= MOST:
        raise Refused(TOO_MANY.format(most=MOST, name=seat))
    order = read(Names(title, state.seats), text)
    try:
        _check(title, state, seat, order, [one for one in mine if one.status == "open"])
    except NotationError as error:
        raise _in_order(normalise(text), error) from error
    number = max((one.number for one in mine), default=0) + 1
    return GivenOrder(-number, number, seat, order, write(order), state.number, state.round)


#: words of orders that players mistype after a command
_WORDS = ("until", "then", "else", "if", "unless", "up to", "for round")


def _in_order(line: str, error: NotationError) -> NotationError:
    """The error in a command of an order, with a mark under its place."""
    word = error.line[error.column :].split()[:1]
    if isinstance(error, Garbled) and word and (near := like(word[0], _WORDS)):
        error = Garbled(error.line, error.column, error.text, near)
    end = r"(?=\s*,|\s*$|\s+(?:else|then|until|if|unless|for)\b)"
    found = re.search(rf"(?<![\w&]){re.escape(error.line)}{end}", line)
    return error.within(line, found.start()) if found else error


NEVER_CARRIED_OUT = "It could never be carried out: {why}."
GIVEN_ALREADY = "You have given it already: it is your order {number}."
DECIDED_ALREADY = (
    "Your order {number} ({order}) decides the same and goes first, "
    "so this one would never be done. `clear {number}`, and give it again."
)


def _check(
    title: Title, state: State, seat: Seat, order: v.Order, known: Sequence[GivenOrder]
) -> None:
    """Raise Refused if an order would never be carried out beside the ``known`` ones."""
    why = hopeless(order, Sight(title, state, seat))
    if why:
        raise Refused(NEVER_CARRIED_OUT.format(why=why))
    for before in known:
        if contradicting.duplicates(before.order, order):
            raise Refused(GIVEN_ALREADY.format(number=before.number))
        if contradicting.contradicts(before.order, before.at, order):
            raise Refused(DECIDED_ALREADY.format(number=before.number, order=before.text))


NO_ORDER = "You have no order."
NO_SUCH_ORDER = "You have no order “{text}”. Write `{word} all`, or one of: {numbers}."


def turned(command: Command, mine: Sequence[GivenOrder]) -> tuple[GivenOrder, ...]:
    """The orders that `clear 3` or `resume all` changes, as they are then. Raises Refused.

    A `resume` also applies to an order that is not suspended: after an undo, orders wait for
    it.
    """
    clears = command.word == "clear"
    status: OrderStatus = "cleared" if clears else "open"
    standing = [order for order in mine if orders.alive(order)]
    numbers = {whole(word) for word in re.split(r"[\s,]+", command.rest.strip()) if word}
    every = command.rest.strip().lower() == "all"
    chosen = standing if every else [order for order in standing if order.number in numbers]
    if chosen and (every or len(chosen) == len(numbers)):
        return tuple(replace(order, status=status, reason="") for order in chosen)
    if not standing:
        raise Refused(NO_ORDER)
    known = ", ".join(str(order.number) for order in standing)
    raise Refused(NO_SUCH_ORDER.format(text=command.rest, word=command.word, numbers=known))


IN_ADVANCE = "Give it in advance: `{order}`. It is done when your turn comes."
PROTECT_IN_ADVANCE = (
    "Give the answer in advance: `{order}` buys what others sell if it costs no more."
)
LET_FALL_IN_ADVANCE = "Give the answer in advance: `{order}`."

#: shares at the present price that the example of a limit pays for
_EXAMPLE = 2


def in_advance(title: Title, state: State, seat: Seat, commands: Sequence[str]) -> str:
    """How to write the commands of a turn as an order, in a sentence; "" if there is no use.

    ``commands`` are those of one email, in their order.
    """
    try:
        actions = [parse(title, state, seat, text) for text in commands]
    except NotationError:
        return ""
    if not actions or any(action.asked for action in actions):
        return ""
    later = not isinstance(actions[0], CompanyAction | ProtectionAnswer)
    if later and state.round.kind != "SR":
        # the next turn may be that of a company
        return ""
    told, order = _order(title, state, seat, actions, commands)
    try:
        give(title, state, seat, order, ())
    except (NotationError, Refused):
        return ""
    return told.format(order=order)


def _order(
    title: Title, state: State, seat: Seat, actions: Sequence[Action], commands: Sequence[str]
) -> tuple[str, str]:
    """The message and the order: an answer about a price, a company's turn, or the next turn."""
    first, mine = actions[0], [c for c, owner in state.presidents.items() if owner == seat]
    if isinstance(first, ProtectionAnswer) and first.declines:
        return LET_FALL_IN_ADVANCE, f"always {commands[0]}"
    if isinstance(first, ProtectionAnswer):
        company = first.which if first.which in mine else "".join(mine[:1])
        most = _EXAMPLE * Table(title, state).price(company) if company else 0
        return PROTECT_IN_ADVANCE, f"always protect {company} up to {most}"
    parts = [heading(title, text, state.seats) for text in commands]
    bare = ", ".join(rest for _, rest in parts)
    if not isinstance(first, CompanyAction):
        return IN_ADVANCE, f"next: {bare}"
    named = next((company for company, _ in parts if company), "")
    return IN_ADVANCE, f"operate {named or ''.join(mine[:1])}: {bare}"


#: the form of an order that passes until an alarm
_PASSING = re.compile(r"\bpass until alarm or round ends\b")
#: where it is a whole turn of an order, which players write as `pass round`
_PASS_ROUND = re.compile(rf"{_PASSING.pattern}(?= then |$)")


ORDER_TAKEN = (
    "Your order {number}. Nobody else sees it. `orders` lists yours, `clear {number}` drops it."
)
ORDER_DONE = (
    "Waybill reads this line as an advance order, number {number}. It was your turn, so the order "
    "was carried out at once."
)
ORDER_CLEARED = "order {number} is dropped: {order}"
ORDER_RESUMED = "order {number} is in force again: {order}"


PASSES_FOR_YOU = (
    "Waybill passes for you until the stock round ends or an alarm stops it: `help pass round`."
)


def _passing(order: GivenOrder, alarms: frozenset[str]) -> tuple[str, ...]:
    """What an order that passes until an alarm does."""
    return (PASSES_FOR_YOU,) if alarms and _PASSING.search(order.text) else ()


class OrderWords:
    """The commands about orders in one email, and their results."""

    def __init__(self, table: GameTable, seat: Seat, commands: Sequence[Command]) -> None:
        self._table, self._seat, self._commands = table, seat, commands
        #: new orders, and orders that the email has changed
        self.given: tuple[GivenOrder, ...] = ()
        self.changed: tuple[GivenOrder, ...] = ()
        #: place of the command → its result
        self.results: dict[int, Result] = {}

    def votes(self, state: State, work: WorkAllowance) -> Iterator[tuple[int, GivenOrder]]:
        """The advance votes, with their places; they depend on no action of the email."""
        for place, command in enumerate(self._commands):
            if command.word == "order" and self._table.row.status == "running":
                try:
                    with work.order():
                        names = Names(self._table.title, state.seats)
                        ahead = votes_ahead(read(names, command.rest))
                except (NotationError, OutOfWork):
                    continue
                count = len(self.given)
                if ahead:
                    self.results[place] = self._given(command, state, work)
                    yield from ((place, order) for order in self.given[count:])

    def add(self, place: int, notes: Sequence[str]) -> None:
        """Add notes to the result of a command."""
        result = self.results[place]
        self.results[place] = replace(result, notes=(*result.notes, *notes))

    def handle(self, state: State, work: WorkAllowance, *, possible: bool) -> None:
        """Carry them out in the position after the email's actions; not if those were refused.

        An order might be meant to follow them.
        """
        for place, command in enumerate(self._commands):
            if place in self.results:
                continue
            if command.word == "order":
                self.results[place] = (
                    self._given(command, state, work)
                    if possible and self._table.row.status == "running"
                    else unsent(command)
                )
            elif command.word == "resume" or (command.word == "clear" and command.rest):
                self.results[place] = tried(self._turn, command)

    def settled(self, change: Change) -> None:
        """Say of the new orders that are done already that they are."""
        last = {order.id: order for _, order in change.orders}
        made = [order for order in self.given if _is_made(last.get(order.id, order))]
        new = {
            ORDER_TAKEN.format(number=order.number): ORDER_DONE.format(number=order.number)
            for order in made
        }
        for place, result in self.results.items():
            notes = tuple(new.get(note, note) for note in result.notes)
            self.results[place] = replace(result, notes=notes)

    @property
    def after(self) -> tuple[GivenOrder, ...]:
        """The seat's orders after the email: given, cleared, resumed."""
        return tuple({order.id: order for order in (*self.given, *self.changed)}.values())

    @property
    def noted(self) -> tuple[tuple[int, GivenOrder], ...]:
        """The changed orders, with the position for which each change is noted.

        A cleared order stays cleared, whatever is taken back. A resumed one continues from
        where it was suspended: before that it was valid anyway.
        """
        since = {row.id: row.since for row in self._table.orders}
        return tuple(
            (BY_HAND if order.status == "cleared" else since.get(order.id, BY_HAND), order)
            for order in self.changed
        )

    @property
    def _mine(self) -> tuple[GivenOrder, ...]:
        """The seat's orders after the commands so far, including finished ones."""
        title, seats = self._table.title, self._table.state.seats
        rows = (row for row in self._table.orders if row.seat == self._seat)
        known = {row.number: orders.read(title, seats, row) for row in rows}
        return tuple({**known, **{order.number: order for order in self.after}}.values())

    def _given(self, command: Command, state: State, work: WorkAllowance) -> Result:
        return tried(partial(self._give, state=state, work=work), command)

    def _give(self, command: Command, state: State, work: WorkAllowance) -> Result:
        """Raises Refused."""
        try:
            with work.order():
                taken = give(self._table.title, state, self._seat, command.rest, self._mine)
        except NotationError as error:
            return misread(command.number, command.shown, error)
        self.given += (taken,)
        text = ORDER_TAKEN.format(number=taken.number)
        alarms = seat_settings(self._table.seat(self._seat)).alarms
        passing = _passing(taken, alarms)
        notes = (*passing, text, *_doubt(taken.order, state, self._seat))
        return done(command, *notes, canonical=_PASS_ROUND.sub("pass round", taken.text))

    def _turn(self, command: Command) -> Result:
        """``clear 3``, ``resume all``. Raises Refused."""
        chosen = turned(command, self._mine)
        self.changed += chosen
        text = ORDER_CLEARED if command.word == "clear" else ORDER_RESUMED
        told = tuple(text.format(number=o.number, order=o.text) for o in chosen)
        return done(command, *told, canonical=command.text)


def _is_made(order: GivenOrder) -> bool:
    """Whether an order has made all its moves."""
    return order.status == "done" and not order.reason


PRESIDES_NOW = "{name} presides over {company} now: it is only done once you do."
NOBODY_PRESIDES_NOW = "Nobody presides over it now: it is only done once you do."


def _doubt(order: v.Order, state: State, seat: Seat) -> tuple[str, ...]:
    """The note on an order for a company of which its player is not president."""
    president = state.presidents.get(order.company, "")
    if order.head != "operate" or president == seat:
        return ()
    if not president:
        return (NOBODY_PRESIDES_NOW,)
    return (PRESIDES_NOW.format(name=president, company=order.company),)


def open_orders(table: GameTable, seat: Seat) -> tuple[OrderRow, ...]:
    """A seat's open orders, including suspended ones."""
    return tuple(o for o in table.orders if o.seat == seat and orders.alive(o))


SUSPENDED = "suspended: {why}. `resume {number}`, or `clear {number}`."


def order_row(row: GivenOrder) -> Row:
    """An order as its player sees it."""
    notes = (SUSPENDED.format(why=row.reason, number=row.number),)
    if row.part and row.status == "open":
        notes = (f"{WAITS}.",)
    return with_notes(row, notes if row.part or row.status == "suspended" else ())


def with_notes(order: GivenOrder, notes: Sequence[str]) -> Row:
    """An order by its number, with notes about it."""
    return Row(str(order.number), (order.text, *notes), stacked=True)


ORDER_SUSPENDED = "Your order {number} ({order}) is suspended: {why}"
ORDER_WOKEN = "Your order {number} ({order}) has ended, and you are asked again: {why}"
ORDER_OVER = "Your order {number} ({order}) has expired: {why}"


def notes(change: Change, besides: Seat = "") -> dict[Seat, str]:
    """Notes about orders that were suspended, stopped at an alarm, or are over, by seat.

    One player reads theirs in a receipt. An order that stopped while its player need not act is
    in their next turn email.
    """
    found: dict[Seat, list[str]] = {}
    asked = engine.to_act(change.table.title, change.state)
    for _, order in change.orders:
        became = ORDER_SUSPENDED if order.status == "suspended" else ""
        woken = order.status == "done" and order.reason and order.seat in asked
        became = ORDER_WOKEN if woken else became
        became = ORDER_OVER if order.reason == PLAYED else became
        if became and order.seat != besides:
            text = became.format(number=order.number, order=order.text, why=order.reason)
            found.setdefault(order.seat, []).append(text)
    return {seat: ". ".join(texts) for seat, texts in found.items()}
