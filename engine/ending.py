"""How a game ends and who has won (5, 5.1)."""

from engine.draft import Draft
from engine.events import EndForeseen, ExtraRound, GameEnded
from engine.rounds import begin_operating_round, begin_stock_round
from engine.shares import SHARE
from engine.table import Table
from engine.values import Ending, Seat


def worth(table: Table, seat: Seat) -> int:
    """Dollars a player has at the end: cash, shares at market value, privates at par (5.1).

    A bankrupt player's cash is forfeited.
    """
    ending = table.at.ending
    total = 0 if ending is not None and ending.bankrupt == seat else table.at.cash[seat]
    for company in table.at.shares:
        total += table.percent(company, seat) // SHARE * table.price(company)
    for private in table.privates_of(seat):
        total += table.title.privates[private].par
    return total


def foresee(draft: Draft, cause: str, rounds: int) -> None:
    """The end is certain after ``rounds`` more operating rounds beyond the present round."""
    draft.foresee(Ending(cause, rounds))
    draft.record(EndForeseen(cause))


def after_round(draft: Draft) -> None:
    """What follows an operating round: the end, another one, or a stock round."""
    now, ending = draft.round, draft.ending
    if ending is not None and ending.rounds <= 0:
        end_or_break_tie(draft, ending)
    elif ending is not None:
        draft.foresee(Ending(ending.cause, ending.rounds - 1, ending.bankrupt, ending.extra))
        after_round(draft)
    elif now.part < now.parts:
        begin_operating_round(draft, now.part + 1, now.parts)
    else:
        begin_stock_round(draft)


def end_or_break_tie(draft: Draft, ending: Ending) -> None:
    """End the game, or play the extra round of 5.1 where the table has agreed on it."""
    totals = {seat: worth(draft.table, seat) for seat in draft.seats}
    best = max(totals.values())
    first = tuple(seat for seat in draft.seats if totals[seat] == best)
    tied = len(first) > 1 and not ending.extra and not ending.bankrupt
    if tied and draft.title.facts.extra_round_on_tie:
        draft.record(ExtraRound(first))
        draft.foresee(Ending(ending.cause, 0, "", True))
        begin_operating_round(draft, draft.round.part + 1, draft.round.part + 1)
        return
    end_game(draft)


def end_game(draft: Draft) -> None:
    """Nothing more is decided."""
    ending = draft.ending
    assert ending is not None
    draft.stack = ()
    totals = {seat: worth(draft.table, seat) for seat in draft.seats}
    draft.record(GameEnded(ending.cause, totals))
