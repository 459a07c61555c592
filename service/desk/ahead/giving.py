"""Orders that a player gives, clears or lets go on: what is taken, and what is answered else.

It is the same by mail and at one terminal; nothing is stored here.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from engine import Seat, State, Title
from engine.notation import Garbled, NotationError
from engine.notation.suggest import like
from engine.notation.words import normalise
from engine.wording import whole
from service.commands.command import Command
from service.games.standing import Standing, Status
from service.orders import contradicting
from service.orders import values as v
from service.orders.building import Names
from service.orders.grammar import read
from service.orders.hopeless import hopeless
from service.orders.sight import Sight
from service.orders.writing import write

#: open orders of one seat; nobody can foresee more
MOST = 40
_ALIVE = ("open", "suspended")
TOO_MANY = "There are {most} orders of {name}; `clear` some first."


def give(
    title: Title, state: State, seat: Seat, text: str, mine: Sequence[Standing]
) -> Standing | str:
    """An order of a seat whose others are ``mine``, or why it is not taken; raises NotationError.

    Its ``id`` is the negative of its number.
    """
    if sum(order.status in _ALIVE for order in mine) >= MOST:
        return TOO_MANY.format(most=MOST, name=seat)
    order = read(Names(title, state.seats), text)
    try:
        why = _vain(title, state, seat, order, [one for one in mine if one.status == "open"])
    except NotationError as error:
        raise _in_order(normalise(text), error) from error
    if why:
        return why
    number = max((one.number for one in mine), default=0) + 1
    return Standing(-number, number, seat, order, write(order), state.number, state.round)


#: words of orders that players mistype behind a command
_WORDS = ("until", "then", "else", "if", "unless", "up to", "for round")


def _in_order(line: str, error: NotationError) -> NotationError:
    """What is wrong with a command of an order, under its place there."""
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


def _vain(title: Title, state: State, seat: Seat, order: v.Order, known: Sequence[Standing]) -> str:
    """Why an order would never be carried out beside those ``known``; "" if it may."""
    why = hopeless(order, Sight(title, state, seat))
    if why:
        return NEVER_CARRIED_OUT.format(why=why)
    for before in known:
        if contradicting.duplicates(before.order, order):
            return GIVEN_ALREADY.format(number=before.number)
        if contradicting.contradicts(before.order, before.at, order):
            return DECIDED_ALREADY.format(number=before.number, order=before.text)
    return ""


NO_ORDER = "You have no order."
NO_SUCH_ORDER = "You have no order “{text}”. Write `{word} all`, or one of: {numbers}."


def turned(command: Command, mine: Sequence[Standing]) -> tuple[Standing, ...] | str:
    """The orders that `clear 3` or `resume all` means, as they stand then; else what would do.

    One that is not suspended goes on too: where something was taken back, orders wait for it.
    """
    clears = command.word == "clear"
    status: Status = "cleared" if clears else "open"
    alive = [order for order in mine if order.status in _ALIVE]
    numbers = {whole(word) for word in re.split(r"[\s,]+", command.rest.strip()) if word}
    every = command.rest.strip().lower() == "all"
    chosen = alive if every else [order for order in alive if order.number in numbers]
    if chosen and (every or len(chosen) == len(numbers)):
        return tuple(replace(order, status=status, reason="") for order in chosen)
    if not alive:
        return NO_ORDER
    known = ", ".join(str(order.number) for order in alive)
    return NO_SUCH_ORDER.format(text=command.rest, word=command.word, numbers=known)
