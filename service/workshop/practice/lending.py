"""A sensible president's use of private companies that players own, and the leave to use them."""

from __future__ import annotations

from engine.actions import Action, ActivateFerry, ExtendTrain, Lent, PlaceMark
from engine.flow import accepted, apply, question
from engine.position.table import Table
from engine.position.values import CompanyId, Seat, State
from engine.proposals import BarredLay, PowerUse
from engine.runs.best.search import best_run
from engine.steps.powers.permission import to_ask
from service.workshop.practice.choices import Ask, Choices

#: the steps of a best-run search that a guess may cost
_BUDGET = 20_000
#: the most ferries with their tiles that are examined closely
_CLOSELY = 12
#: the value of an opened ferry in dollars a round, beyond its immediate earnings
_FERRY = 10


def leave(table: Table, action: Action) -> dict[Seat, str]:
    """The player whose leave an action needs, and the private company."""
    return to_ask(table, action) if isinstance(action, Lent) else {}


def granted(offer: Choices, action: Action) -> State:
    """The position after an action when all who are asked agree."""
    state = apply(offer.title, offer.state, action).state
    while question(state) is not None:
        state = accepted(offer.title, state)
    return state


def power(offer: Choices, company: CompanyId, ask: Ask) -> Action | None:
    """A ferry, a longer train or a marker, by an own private company or asked for once a round."""
    action = _ferry(offer, company) or _extension(offer) or _mark(offer, company)
    if action is None:
        return None
    asked = leave(offer.table, action)
    words = ", ".join((company, *asked.values()))
    return action if not asked or ask(words) else None


def _ferry(offer: Choices, company: CompanyId) -> ActivateFerry | None:
    """The ferry that raises the company's earnings most; None if none does."""
    if not offer.state.trains.get(company):
        return None
    now = best_run(offer.table, company, budget=_BUDGET).total
    best: tuple[int, ActivateFerry] | None = None
    for action in offer.of(ActivateFerry)[:_CLOSELY]:
        later = Table(offer.title, granted(offer, action))
        gain = best_run(later, company, budget=_BUDGET).total - now + _FERRY
        if best is None or gain > best[0]:
            best = gain, action
    return best[1] if best and best[0] > 0 else None


def _extension(offer: Choices) -> ExtendTrain | None:
    """The longest train, if it is not of the first type, which does not last."""
    kinds = list(offer.title.trains)
    lasting = [action for action in offer.of(ExtendTrain) if action.train != kinds[0]]
    return max(lasting, key=lambda action: kinds.index(action.train), default=None)


def _mark(offer: Choices, company: CompanyId) -> PlaceMark | None:
    """A marker where the trains run, or for the charter."""
    marks = offer.of(PlaceMark)
    if not marks:
        return None
    runs = best_run(offer.table, company, budget=_BUDGET).runs
    there = {"", *(hex_ for run in runs for hex_ in run.path)}
    return next((mark for mark in marks if mark.hex in there), None)


def lends(table: Table, seat: Seat, asked: PowerUse | BarredLay) -> bool:
    """Whether to agree: if the owner has a share of the company."""
    return table.percent(asked.company, seat) > 0
