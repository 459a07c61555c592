"""The view of an order: a position, its player, and the events since it was given."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from engine import Event, Seat, State, Title
from engine.events import ParSet, ShareBought, SharesSold
from engine.inquiry import holdings, share_cost
from engine.position.table import Table
from engine.position.values import MARKET, OFFERING

#: the alarms, by the words of `alarm`, with their meanings
ALARMS = {
    "sales": "somebody else sold shares of a company that you hold",
    "presidency": "one more purchase could take a presidency from you, or give you one",
    "started": "a company was started, and you can afford a share of it",
    "limits": "you hold more than you may",
}


@dataclass(frozen=True)
class Sight:
    """A position as one player's order sees it."""

    title: Title
    state: State
    seat: Seat
    #: events since the order was given, or since the player's own latest action if that is later
    happened: tuple[Event, ...] = ()
    #: keys of ``ALARMS`` that stop the player's orders
    alarms: frozenset[str] = field(default=frozenset(ALARMS))

    @property
    def table(self) -> Table:
        """The position with the facts of its title."""
        return Table(self.title, self.state)


def alarm(sight: Sight) -> str:
    """The event on the player's alarm list that happened, in words; "" if none did."""
    for name in ALARMS:
        if name in sight.alarms and (why := _TESTS[name](sight)):
            return why
    return ""


SOLD = "{seat} sold {company}, which you hold"


def _sales(sight: Sight) -> str:
    for event in sight.happened:
        if not isinstance(event, SharesSold) or event.seat == sight.seat:
            continue
        if sight.table.percent(event.company, sight.seat):
            return SOLD.format(seat=event.seat, company=event.company)
    return ""


COULD_TAKE = "{seat} could take the presidency of {company} with one share more"
COULD_MAKE_YOU = "one share more of {company} could make you its president"


def _presidency(sight: Sight) -> str:
    table, me = sight.table, sight.seat
    for company in _traded(sight.happened, me):
        held = holdings(table, company)
        president = sight.state.presidents.get(company, "")
        step = table.share(company)
        for_sale = any(table.percent(company, place) for place in (OFFERING, MARKET, company))
        if not president or not for_sale:
            continue
        mine = held.get(me, 0)
        others = [seat for seat, n in held.items() if seat != me and n + step > mine]
        if president == me and others:
            return COULD_TAKE.format(seat=others[0], company=company)
        if president != me and mine + step > held.get(president, 0):
            return COULD_MAKE_YOU.format(company=company)
    return ""


def _traded(happened: Iterable[Event], me: Seat) -> list[str]:
    trades = (e for e in happened if isinstance(e, ShareBought | SharesSold))
    return list(dict.fromkeys(e.company for e in trades if e.seat != me))


def _started(sight: Sight) -> str:
    table, me = sight.table, sight.seat
    for event in sight.happened:
        if isinstance(event, ParSet) and event.seat != me:
            left = table.percent(event.company, OFFERING)
            if left and table.free_cash(me) >= share_cost(table, event.company, OFFERING):
                return f"{event.seat} started {event.company}, and you can afford a share"
    return ""


TOO_MUCH = "you hold more of {company} than you may"


def _limits(sight: Sight) -> str:
    table, me = sight.table, sight.seat
    if table.certificates(me) > table.certificate_limit():
        return "you hold more certificates than you may"
    for company in sight.state.shares:
        if table.percent(company, me) > table.player_limit(company):
            return TOO_MUCH.format(company=company)
    return ""


_TESTS = {"sales": _sales, "presidency": _presidency, "started": _started, "limits": _limits}
