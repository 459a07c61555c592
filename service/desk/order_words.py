"""A player's words about orders given ahead: giving, listing, explaining, clearing them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import engine
from engine import Seat, State, Title
from engine.notation import NotationError, heading
from engine.notation.position import turn_company
from engine.supposing import with_turn
from engine.wording import whole
from service.games import standing
from service.games.changes import Change
from service.games.commands import Ahead, Command
from service.games.games import GameTable
from service.games.standing import Book, Standing, Status
from service.games.trial import WAITS, Trial
from service.games.votes import votes_ahead
from service.orders import contradicting
from service.orders import values as v
from service.orders.building import Names
from service.orders.grammar import read
from service.orders.hopeless import hopeless
from service.orders.sight import Sight
from service.orders.writing import write
from service.reports import Answer, Result, misread
from service.reports.blocks import Pairs, Row
from service.store import OrderRow

#: open orders of one seat; nobody can foresee more
MOST = 40

_OPERATE = re.compile(r"^\s*operate\s+", re.IGNORECASE)
_ORDER = re.compile(
    r"(?:next\s*:|standing\b|always\b|then\b|operate\s+[^:]+:|pass\s+(?:the\s+)?round\b"
    r"|never\s+protect\b|.*\bat\s+(?:the\s+)?next\s+or\b|.*\bup\s+to\b|.*\b(?:until|if|unless|then)\b)",
    re.IGNORECASE,
)


def recognising(title: Title, state: State, seat: Seat) -> Ahead:
    """Tells orders from commands of the present turn.

    What is headed by another company of the same president, whose turn is still to come, is meant
    for that turn.
    """

    def section(text: str) -> tuple[str, str, bool]:
        named = _OPERATE.sub("", text)
        try:
            company, rest = heading(title, named)
        except NotationError:
            return "", text, False
        if named != text:
            return company, rest, bool(company)
        presides = state.presidents.get(company) == seat
        return company, rest, presides and company != turn_company(state)

    return Ahead(lambda text: bool(_ORDER.match(text)), section)


class OrderWords:
    """The words about orders in one mail, and what they come to."""

    def __init__(self, table: GameTable, seat: Seat, commands: Sequence[Command]) -> None:
        self._table, self._seat, self._commands = table, seat, commands
        #: orders that are given, and those that stand otherwise than they did
        self.given: tuple[Standing, ...] = ()
        self.changed: tuple[Standing, ...] = ()
        #: place of the command → its result
        self.results: dict[int, Result] = {}

    def votes(self, state: State) -> Iterator[tuple[int, Standing]]:
        """Those that give votes ahead, with their places: they follow no act of the mail."""
        for place, command in enumerate(self._commands):
            if command.word == "order" and self._table.row.status == "running":
                try:
                    ahead = votes_ahead(read(Names(self._table.title, state.seats), command.rest))
                except NotationError:
                    continue
                count = len(self.given)
                if ahead:
                    self.results[place] = self._give(command, state)
                    yield from ((place, order) for order in self.given[count:])

    def add(self, place: int, notes: Sequence[str]) -> None:
        """Say more in the result of a command."""
        result = self.results[place]
        self.results[place] = replace(result, notes=(*result.notes, *notes))

    def handle(self, state: State, *, possible: bool) -> None:
        """Carry them out in the position after the mail's acts; not where those were refused.

        An order might have been meant to follow them.
        """
        for place, command in enumerate(self._commands):
            if place in self.results:
                continue
            if command.word == "order":
                self.results[place] = (
                    self._give(command, state)
                    if possible and self._table.row.status == "running"
                    else Result(command.number, command.shown, "unsent")
                )
            elif command.word == "resume" or (command.word == "clear" and command.rest):
                self.results[place] = self._turn(command)

    def _give(self, command: Command, state: State) -> Result:
        mine = [row.number for row in self._table.orders if row.seat == self._seat]
        if len(open_orders(self._table, self._seat)) + len(self.given) >= MOST:
            note = f"You have {MOST} orders; `clear` some first."
            return Result(command.number, command.shown, "no", notes=(note,))
        try:
            order = read(Names(self._table.title, state.seats), command.rest)
        except NotationError as error:
            return misread(command.number, command.shown, error)
        number = max(mine, default=0) + len(self.given) + 1
        text, when = write(order), (state.number, state.round)
        try:
            why = self._vain(order, state)
        except NotationError as error:
            return misread(command.number, command.shown, error)
        if why:
            return Result(command.number, command.shown, "no", text, (why,))
        self.given += (Standing(-number, number, self._seat, order, text, *when),)
        how = f"Nobody else sees it. `orders` lists yours, `clear {number}` drops it."
        notes = (f"Your order {number}. {how}", *_doubt(order, state, self._seat))
        return Result(command.number, command.shown, "ok", text, notes)

    def _vain(self, order: v.Order, state: State) -> str:
        """Why an order would never be carried out, as things stand; "" if it may."""
        gone = {one.number for one in self.changed if one.status == "cleared"}
        rows = (row for row in open_orders(self._table, self._seat) if row.number not in gone)
        title, seats = self._table.title, state.seats
        known = (standing.read(title, seats, row) for row in rows if row.status == "open")
        return vain(title, state, self._seat, order, (*known, *self.given))

    def _turn(self, command: Command) -> Result:
        """``clear 3``, ``resume all``."""
        clears = command.word == "clear"
        mine = open_orders(self._table, self._seat)
        mine = mine if clears else tuple(row for row in mine if row.status == "suspended")
        chosen = _chosen(mine, command.rest)
        if not chosen:
            note = _which(mine, command.rest, command.word)
            return Result(command.number, command.shown, "no", notes=(note,))
        status: Status = "cleared" if clears else "open"
        read_ = (standing.read(self._table.title, self._table.state.seats, row) for row in chosen)
        self.changed += tuple(replace(order, status=status, reason="") for order in read_)
        told = tuple(f"{row.number}: {row.text}" for row in chosen)
        return Result(command.number, command.shown, "ok", command.text, told)


def vain(title: Title, state: State, seat: Seat, order: v.Order, known: Sequence[Standing]) -> str:
    """Why a seat's order would never be carried out beside those ``known``; "" if it may."""
    why = hopeless(order, Sight(title, state, seat))
    if why:
        return f"It could never be carried out: {why}."
    for before in known:
        if contradicting.duplicates(before.order, order):
            return f"You have given it already: it is your order {before.number}."
        if contradicting.contradicts(before.order, before.at, order):
            return (
                f"Your order {before.number} ({before.text}) decides the same and goes first, "
                f"so this one would never be done. `clear {before.number}`, and give it again."
            )
    return ""


def _doubt(order: v.Order, state: State, seat: Seat) -> tuple[str, ...]:
    """What an order for a company waits for that is not its player's."""
    president = state.presidents.get(order.company, "")
    if order.head != "operate" or president == seat:
        return ()
    whose = f"{president} presides over {order.company}" if president else "Nobody presides over it"
    return (f"{whose} now: it is only done once you do.",)


def open_orders(table: GameTable, seat: Seat) -> tuple[OrderRow, ...]:
    """A seat's orders that stand, suspended ones among them."""
    alive = ("open", "suspended")
    return tuple(o for o in table.orders if o.seat == seat and o.status in alive)


def _chosen(mine: Sequence[OrderRow], rest: str) -> tuple[OrderRow, ...]:
    if rest.strip().lower() == "all":
        return tuple(mine)
    numbers = {whole(word) for word in re.split(r"[\s,]+", rest.strip()) if word}
    found = tuple(row for row in mine if row.number in numbers)
    return found if len(found) == len(numbers) else ()


def _which(mine: Sequence[OrderRow], rest: str, verb: str) -> str:
    what = "order" if verb == "clear" else "suspended order"
    if not mine:
        return f"You have no {what}."
    numbers = ", ".join(str(row.number) for row in mine)
    return f"You have no {what} “{rest}”. Write `{verb} all`, or one of: {numbers}."


# orders and explain


def listed(book: Book, seat: Seat) -> Answer:
    """The answer to `orders`: the reader's own, and what has become of each."""
    mine = sorted((o for o in book.orders if o.seat == seat), key=lambda order: order.number)
    alive = [order for order in mine if order.status in ("open", "suspended")]
    if not alive:
        return Answer((Pairs("YOUR ORDERS", (Row("", ("You have none.",)),)),))
    return Answer((Pairs("YOUR ORDERS (nobody else sees them)", tuple(map(order_row, alive))),))


def order_row(row: Standing) -> Row:
    """An order as its player is shown it."""
    notes = (f"suspended: {row.reason}. `resume {row.number}`, or `clear {row.number}`.",)
    if row.part and row.status == "open":
        notes = (f"{WAITS}.",)
    return with_notes(row, notes if row.part or row.status == "suspended" else ())


def with_notes(order: Standing, notes: Sequence[str]) -> Row:
    """An order by its number, and what is to be said of it."""
    return Row(str(order.number), (order.text, *notes), stacked=True)


def explain(title: Title, state: State, seat: Seat, book: Book) -> Answer:
    """What each order would do if the player's turn came now, as things stand."""
    mine = book.of(seat)
    if not mine:
        return Answer((Pairs("YOUR ORDERS", (Row("", ("None of yours stands.",)),)),))
    asked = seat in engine.to_act(title, state)
    rows = []
    for order in mine:
        if order.part:
            rows.append(with_notes(order, (f"{WAITS}.",)))
            continue
        supposed = _supposed(title, state, seat, order.order)
        if isinstance(supposed, str):
            rows.append(with_notes(order, (supposed,)))
            continue
        trial = Trial(title, supposed, seat, supposed.number + 1, book)
        rows.append(with_notes(order, (trial.told(order),)))
    heading_ = "IF YOUR TURN CAME NOW" if not asked else "YOUR TURN NOW"
    return Answer((Pairs(heading_, tuple(rows)),))


def _supposed(title: Title, state: State, seat: Seat, order: v.Order) -> State | str:
    """The position as if the turn came now that an order is meant for; else why that is not told.

    That of a company comes as it would in the present round.
    """
    company = order.company if order.head == "operate" else ""
    if company and company != turn_company(state):
        president = state.presidents.get(company, "")
        if company not in state.floated:
            return f"nothing: {company} has not floated"
        if president != seat:
            return f"nothing: {president or 'nobody'} presides over {company}"
        return with_turn(title, state, company) or f"nothing: {company} has no turn"
    if seat in engine.to_act(title, state):
        return state
    supposed = standing.as_if_asked(title, state, seat)
    return supposed or "what it would do can be told when such a turn can be supposed from here"


def notes(change: Change, besides: Seat = "") -> dict[Seat, str]:
    """What is told to those whose orders were suspended; one is told in a receipt."""
    found: dict[Seat, list[str]] = {}
    for _, order in change.orders:
        if order.status == "suspended" and order.seat != besides:
            text = f"Your order {order.number} ({order.text}) is suspended: {order.reason}"
            found.setdefault(order.seat, []).append(text)
    return {seat: ". ".join(texts) for seat, texts in found.items()}


def with_others(first: Mapping[Seat, str], then: Mapping[Seat, str]) -> dict[Seat, str]:
    """What is told to single players of two kinds, by seat."""
    seats = dict.fromkeys((*first, *then))
    return {seat: " ".join(filter(None, (first.get(seat), then.get(seat)))) for seat in seats}
