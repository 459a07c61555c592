"""The answer to `explain`: what each order would do if its turn came now, or how it answers."""

from __future__ import annotations

from collections.abc import Iterator

import engine
from engine import Seat, State, Title
from engine.inquiry import SHARE
from engine.notation import names
from engine.notation.position import turn_company
from engine.position.table import Table
from engine.supposing import with_turn
from service.desk.ahead.order_words import with_notes
from service.games import consents, readymade, standing
from service.games.standing import Book, Standing
from service.games.trial import WAITS, Trial
from service.orders import special
from service.orders import values as v
from service.orders.holding import holds
from service.orders.sight import Sight
from service.orders.writing import condition
from service.reports import Answer
from service.reports.blocks import Pairs, Row


def explain(title: Title, state: State, seat: Seat, book: Book) -> Answer:
    """What each order would do if the player's turn came now, as things stand."""
    mine = book.of(seat)
    if not mine:
        return Answer((Pairs("YOUR ORDERS", (Row("", ("None of yours stands.",)),)),))
    first: dict[str, int] = {}
    rows = tuple(
        with_notes(order, tuple(_told(title, state, order, book, first))) for order in mine
    )
    asked = seat in engine.to_act(title, state)
    return Answer((Pairs("YOUR TURN NOW" if asked else "IF YOUR TURN CAME NOW", rows),))


def _told(
    title: Title, state: State, order: Standing, book: Book, first: dict[str, int]
) -> Iterator[str]:
    """What is told of an order; ``first`` has the number of what plays in each company's turn.

    The turn of no company has the key "".
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
            does, number = trial.told(order), order.number
            if trial.plays(order):
                number = first.setdefault(turn_company(supposed), number)
            yield does if number == order.number else f"{does}; but your order {number} goes first"


def _acts(order: Standing) -> Iterator[v.Act]:
    """What the step that comes next may do."""
    steps = order.order.steps[order.at : order.at + 1]
    return (act for step in steps for action in step.actions for act in action.acts)


def _unmet(act: v.Act, sight: Sight) -> str:
    """The first condition of an act that does not hold now, "" if all do."""
    for guard in act.guards:
        if holds(guard.test, sight) == guard.unless:
            word, does = ("unless", "holds") if guard.unless else ("if", "does not hold")
            return f"not now: `{word} {condition(guard.test)}` {does}"
    return ""


# what others are answered


def _answers(order: Standing, sight: Sight) -> Iterator[str]:
    """How an order answers what others propose, a sentence for each answer."""
    for act in _acts(order):
        if isinstance(act.ahead, v.Ballot):
            yield _unmet(act, sight) or _votes(act.ahead)
        elif act.ahead is not None:
            yield _unmet(act, sight) or _agrees(act, act.ahead, sight)


def _votes(ballot: v.Ballot) -> str:
    what = f"votes on {ballot.kind}" if ballot.kind else "every vote"
    whose = f" that {ballot.by} proposes" if ballot.by else ""
    return (
        f"says {'yes' if ballot.yes else 'no'} in {what}{whose}, where you have not voted yourself"
    )


def _agrees(act: v.Act, terms: v.Terms, sight: Sight) -> str:
    """What the terms do with the proposal that waits, or with the next one."""
    asked, table = engine.question(sight.state), sight.table
    if asked is not None and asked.asked == sight.seat and consents.fits(table, asked, terms):
        answer = consents.answer(sight.title, sight.state, sight.seat, act)
        asks = "you are asked: it is not legal as things stand"
        return f"`{answer}`, to what is asked of you" if answer else asks
    if why := _cannot(terms, table, sight.seat):
        return f"nothing: {why}"
    verb = "accepts" if terms.agrees else "declines"
    return f"{verb} such an offer as soon as it is made; nothing like it is asked of you now"


def _cannot(terms: v.Terms, table: Table, seat: Seat) -> str:
    """Why nobody can make a proposal of that kind now, "" if somebody may."""
    if not terms.agrees or terms.what == "offers":
        return ""
    if terms.company and table.at.presidents.get(terms.company) != seat:
        return f"{terms.company} is not yours"
    if terms.what == "train" and terms.thing not in table.at.trains.get(terms.company, ()):
        return f"{terms.company} has no {terms.thing}"
    if terms.what in ("private", "use") and terms.sells:
        owner = table.at.privates.get(terms.thing, "")
        mine = owner == seat or table.at.presidents.get(owner) == seat
        return "" if mine else f"{terms.thing} is not yours"
    return ""


# what is for a moment that may come


def _moments(order: Standing, sight: Sight) -> Iterator[str]:
    """What an order waits for that is meant for one kind of moment, which is not now."""
    acts = [act for act in _acts(order) if readymade.is_moment(act.command, sight.state) is False]
    for act in acts:
        yield _unmet(act, sight) or _moment(act.command, sight)


def _moment(command: str, sight: Sight) -> str:
    if found := special.LOT.fullmatch(command):
        return (
            f"bids up to ${found['limit']} once {found['what']} of {found['name']} are sold by fire"
        )
    if found := special.PROTECT.fullmatch(command):
        return _protects(found["name"], int(found["limit"]), sight)
    return "is done when an operating round is about to begin"


def _protects(name: str, limit: int, sight: Sight) -> str:
    """What a limit means at today's price, once somebody sells."""
    [company] = (n.id for n in names.match(names.companies(sight.title), name))
    table = sight.table
    if table.at.presidents.get(company) != sight.seat:
        return f"nothing: {company} is not yours"
    price = table.price(company)
    least = table.value(company, SHARE, up=True)
    most = limit // least if least else 0
    if not most:
        return f"nothing: a share of {company} costs ${price}, more than ${limit}, so you are asked"
    sold = "a share" if most == 1 else f"up to {most} shares"
    return f"buys {sold} of {company} at today's ${price} when others sell; of more you are asked"


# whose turn is supposed


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
