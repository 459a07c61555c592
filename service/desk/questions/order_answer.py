"""The answers to `orders` and `explain`: a player's orders, and what each would do now."""

from __future__ import annotations

from collections.abc import Iterator

import engine
from engine import Seat, State, Title
from engine.inquiry import SHARE
from engine.notation import names
from engine.notation.position import turn_company
from engine.position.table import Table
from engine.supposing import with_turn
from service.desk.ahead.orders_given import order_row, with_notes
from service.games import offers, orders, readymade
from service.games.orders import WAITS, Book, GivenOrder, Trial, alive
from service.orders import special
from service.orders import values as v
from service.orders.holding import holds
from service.orders.sight import Sight
from service.orders.writing import condition
from service.reports import Answer
from service.reports.tables import Pairs, Row
from service.said import YOUR_SECRET_ORDERS

YOUR_ORDERS = "YOUR ORDERS"
NO_ORDERS = "You have none."


def listed(book: Book, seat: Seat) -> Answer:
    """The answer to `orders`: the reader's own orders, and the state of each."""
    mine = sorted((o for o in book.orders if o.seat == seat), key=lambda order: order.number)
    standing = [order for order in mine if alive(order)]
    if not standing:
        return Answer((Pairs(YOUR_ORDERS, (Row("", (NO_ORDERS,)),)),))
    return Answer((Pairs(YOUR_SECRET_ORDERS, tuple(map(order_row, standing))),))


NONE_STANDS = "You have no advance orders."
YOUR_TURN_NOW = "YOUR TURN NOW"
IF_YOUR_TURN = "IF YOUR TURN CAME NOW"


def explain(title: Title, state: State, seat: Seat, book: Book) -> Answer:
    """What each order would do if the player's turn came now, in this position."""
    mine = book.of(seat)
    if not mine:
        return Answer((Pairs(YOUR_ORDERS, (Row("", (NONE_STANDS,)),)),))
    first: dict[str, int] = {}
    rows = tuple(
        with_notes(order, tuple(_told(title, state, order, book, first))) for order in mine
    )
    asked = seat in engine.to_act(title, state)
    return Answer((Pairs(YOUR_TURN_NOW if asked else IF_YOUR_TURN, rows),))


GOES_FIRST = "{does}; but your order {number} goes first"


def _told(
    title: Title, state: State, order: GivenOrder, book: Book, first: dict[str, int]
) -> Iterator[str]:
    """The text about one order; ``first`` has the number of the order that acts in each turn.

    It is indexed by company; the turn of no company has the key "".
    """
    here = Trial(title, state, order.seat, state.number + 1, book)
    sight = here.sight(order, state)
    if order.part:
        yield f"{WAITS}."
    elif told := tuple(_answers(order, sight)) or tuple(_moments(order, sight)):
        yield from told
    else:
        supposed = _supposed(title, state, order.seat, order.order)
        if isinstance(supposed, str):
            yield supposed
        else:
            trial = Trial(title, supposed, order.seat, supposed.number + 1, book)
            does, number = trial.would_do(order), order.number
            if trial.plays(order):
                number = first.setdefault(turn_company(supposed), number)
            first_other = number != order.number
            yield GOES_FIRST.format(does=does, number=number) if first_other else does


def _acts(order: GivenOrder) -> Iterator[v.Act]:
    """What the next step of an order may do."""
    steps = order.order.steps[order.at : order.at + 1]
    return (act for step in steps for action in step.actions for act in action.acts)


NOT_IF = "not now: `if {condition}` does not hold"
NOT_UNLESS = "not now: `unless {condition}` holds"


def _unmet(act: v.Act, sight: Sight) -> str:
    """The first condition of a step that does not hold now, "" if all hold."""
    for guard in act.guards:
        if holds(guard.test, sight) == guard.unless:
            unmet = NOT_UNLESS if guard.unless else NOT_IF
            return unmet.format(condition=condition(guard.test))
    return ""


# answers to others


def _answers(order: GivenOrder, sight: Sight) -> Iterator[str]:
    """How an order answers offers of others, a sentence for each answer."""
    for act in _acts(order):
        if isinstance(act.ahead, v.Ballot):
            yield _unmet(act, sight) or _votes(act.ahead)
        elif act.ahead is not None:
            yield _unmet(act, sight) or _agrees(act, act.ahead, sight)


VOTES_ON = "says {vote} in votes on {kind}, where you have not voted yourself"
VOTES_ON_BY = (
    "says {vote} in votes on {kind} that {name} proposes, where you have not voted yourself"
)
VOTES_IN_ALL = "says {vote} in every vote, where you have not voted yourself"
VOTES_IN_ALL_BY = (
    "says {vote} in every vote that {name} proposes, where you have not voted yourself"
)


def _votes(ballot: v.Ballot) -> str:
    vote = "yes" if ballot.yes else "no"
    if ballot.kind:
        says = VOTES_ON_BY if ballot.by else VOTES_ON
        return says.format(vote=vote, kind=ballot.kind, name=ballot.by)
    return (VOTES_IN_ALL_BY if ballot.by else VOTES_IN_ALL).format(vote=vote, name=ballot.by)


ANSWERS = "`{command}`, to what is asked of you"
NOT_LEGAL_NOW = "you are asked: it is not legal as things stand"
ACCEPTS = "accepts such an offer as soon as it is made; nothing like it is asked of you now"
DECLINES = "declines such an offer as soon as it is made; nothing like it is asked of you now"


def _agrees(act: v.Act, terms: v.Terms, sight: Sight) -> str:
    """What the terms do with the open offer, or with the next one."""
    asked, table = engine.question(sight.state), sight.table
    if asked is not None and asked.asked == sight.seat and offers.fits(table, asked, terms):
        answer = offers.answer(sight.title, sight.state, sight.seat, act)
        return ANSWERS.format(command=answer) if answer else NOT_LEGAL_NOW
    return _cannot(terms, table, sight.seat) or (ACCEPTS if terms.agrees else DECLINES)


NOT_YOURS = "nothing: {what} is not yours"
HAS_NO_TRAIN = "nothing: {company} has no {train}"


def _cannot(terms: v.Terms, table: Table, seat: Seat) -> str:
    """Why nobody can make an offer of that kind now, "" if somebody can."""
    if not terms.agrees or terms.what == "offers":
        return ""
    if terms.company and table.at.presidents.get(terms.company) != seat:
        return NOT_YOURS.format(what=terms.company)
    if terms.what == "train" and terms.thing not in table.at.trains.get(terms.company, ()):
        return HAS_NO_TRAIN.format(company=terms.company, train=terms.thing)
    if terms.what in ("private", "use") and terms.sells:
        owner = table.at.privates.get(terms.thing, "")
        mine = owner == seat or table.at.presidents.get(owner) == seat
        return "" if mine else NOT_YOURS.format(what=terms.thing)
    return ""


# orders for one kind of moment


def _moments(order: GivenOrder, sight: Sight) -> Iterator[str]:
    """The kind of moment for which an order waits, if it is not now."""
    acts = [act for act in _acts(order) if readymade.is_moment(act.command, sight.state) is False]
    for act in acts:
        yield _unmet(act, sight) or _moment(act.command, sight)


BIDS_AT_FIRE_SALE = "bids up to ${limit} once {what} of {company} are sold by fire"
BEFORE_OPERATING = "is done when an operating round is about to begin"


def _moment(command: str, sight: Sight) -> str:
    if found := special.LOT.fullmatch(command):
        return BIDS_AT_FIRE_SALE.format(
            limit=found["limit"], what=found["what"], company=found["name"]
        )
    if found := special.PROTECT.fullmatch(command):
        return _protects(found["name"], int(found["limit"]), sight)
    return BEFORE_OPERATING


TOO_DEAR = "nothing: a share of {company} costs ${price}, more than ${limit}, so you are asked"
PROTECTS_ONE = (
    "buys a share of {company} at today's ${price} when others sell; of more you are asked"
)
PROTECTS = (
    "buys up to {most} shares of {company} at today's ${price} when others sell; "
    "of more you are asked"
)


def _protects(name: str, limit: int, sight: Sight) -> str:
    """What a limit means at today's share price, once somebody sells."""
    [company] = (n.id for n in names.match(names.companies(sight.title), name))
    table = sight.table
    if table.at.presidents.get(company) != sight.seat:
        return NOT_YOURS.format(what=company)
    price = table.price(company)
    least = table.value(company, SHARE, up=True)
    most = limit // least if least else 0
    if not most:
        return TOO_DEAR.format(company=company, price=price, limit=limit)
    if most == 1:
        return PROTECTS_ONE.format(company=company, price=price)
    return PROTECTS.format(most=most, company=company, price=price)


# the supposed turn

NOT_FLOATED = "nothing: {company} has not floated"
PRESIDES = "nothing: {name} presides over {company}"
NOBODY_PRESIDES = "nothing: nobody presides over {company}"
NO_TURN = "nothing: {company} has no turn"
NOT_TOLD = "Waybill cannot say yet what it would do: that depends on what the others do"


def _supposed(title: Title, state: State, seat: Seat, order: v.Order) -> State | str:
    """The position as if the turn of an order came now, or why there is none.

    A company's turn comes as it would in the present round.
    """
    company = order.company if order.head == "operate" else ""
    if company and company != turn_company(state):
        president = state.presidents.get(company, "")
        if company not in state.floated:
            return NOT_FLOATED.format(company=company)
        if president != seat:
            presides = PRESIDES if president else NOBODY_PRESIDES
            return presides.format(name=president, company=company)
        return with_turn(title, state, company) or NO_TURN.format(company=company)
    if seat in engine.to_act(title, state):
        return state
    supposed = orders.as_if_asked(title, state, seat)
    return supposed or NOT_TOLD
