"""A president who cannot pay: the end of the game, or the others play on alone.

Knows no steps; `engine.steps.judging.forced` judges who is bankrupt (4.2.5.2; 18GL 4.7.3).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.events import EndForeseen, PlayerOut, WentBankrupt
from engine.play.closing import close
from engine.play.ending import end_game, end_if_alone
from engine.play.shares import holdings, president_percent, settle_presidency
from engine.position.frames import OperatingTurn
from engine.position.values import MARKET, CompanyId, Ending, Seat

if TYPE_CHECKING:
    from engine.position.draft import Draft
    from engine.position.table import Table


def go_bankrupt(draft: Draft, seat: Seat, company: CompanyId) -> None:
    """A player cannot pay for what a company must pay over which they preside.

    Where the others play on, what was raised stays with the company, whose next president goes on
    with its duty; its turn ends if there is none and it closes.
    """
    draft.record(WentBankrupt(seat, company))
    if not draft.title.facts.plays_on:
        draft.foresee(Ending("bankruptcy", 0, seat))
        draft.record(EndForeseen("bankruptcy"))
        end_game(draft)
        return
    draft.pay(seat, company, draft.cash[seat])
    _leave(draft, seat)
    if not end_if_alone(draft) and company in draft.gone:
        while not isinstance(draft.pop(), OperatingTurn):
            pass


def _leave(draft: Draft, seat: Seat) -> None:
    """A player is out: their companies go to others or close, what they held is gone (4.7.3).

    The open market may hold more than its limit then.
    """
    draft.eliminate(seat)
    draft.record(PlayerOut(seat))
    for company in [c for c, president in draft.presidents.items() if president == seat]:
        held = holdings(draft.table, company) | {seat: 0}
        if can_preside(draft.table, company, max(held.values())):
            settle_presidency(draft, company, held)
        else:
            close(draft, company)
    for company, owners in draft.shares.items():
        for percent in owners.get(seat, ()):
            draft.move_certificate(company, seat, MARKET, percent)
    if draft.bonds.get(seat):
        draft.move_bonds(seat, MARKET, draft.bonds[seat])
    _close_privates(draft, seat)
    if draft.priority == seat:
        draft.deal_to(draft.table.after(seat))


def can_preside(table: Table, company: CompanyId, percent: int) -> bool:
    """Whether so much of a company is enough for the next president.

    It is as much as the president's certificate; of a company that formed by a merger any share.
    """
    if table.title.companies[company].merger:
        return percent > 0
    return percent >= president_percent(table, company)


def _close_privates(draft: Draft, owner: str) -> None:
    for private in draft.table.privates_of(owner):
        draft.close_private(private)
