"""A president who cannot pay: the game ends, or the others play on.

This module knows no steps. `engine.steps.judging.forced` judges who is bankrupt (4.2.5.2; 18GL
4.7.3).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.events import EndForeseen, PlayerOut, WentBankrupt
from engine.play.closing import close
from engine.play.ending import end_game, end_if_alone
from engine.play.privates import end_inheritance
from engine.play.receivership import appoint, pass_on
from engine.play.shares import hand_over, holdings, president_percent, settle_presidency
from engine.position.frames import OperatingTurn, Trains
from engine.position.values import BANK, MARKET, CompanyId, Ending, Seat

if TYPE_CHECKING:
    from engine.position.draft import Draft
    from engine.position.table import Table


def go_bankrupt(draft: Draft, seat: Seat, company: CompanyId) -> None:
    """The president of a company cannot pay what the company must pay.

    If the others play on, the money raised stays with the company. In a title with receivership it
    goes to the bank (18MW). The company's next president takes over its duty. If there is none, the
    company closes and its turn ends.
    """
    draft.record(WentBankrupt(seat, company))
    if not draft.title.facts.plays_on:
        draft.foresee(Ending("bankruptcy", 0, seat))
        draft.record(EndForeseen("bankruptcy"))
        end_game(draft)
        return
    receivership = draft.title.facts.receivership is not None
    draft.pay(seat, BANK if receivership else company, draft.cash[seat])
    if receivership:
        _leave_to_receivers(draft, seat)
    else:
        _leave(draft, seat)
    if end_if_alone(draft):
        return
    if company in draft.gone:
        while not isinstance(draft.pop(), OperatingTurn):
            pass
    elif receivership and isinstance(top := draft.stack[-1], Trains):
        draft.replace(
            replace(top, smallest=0, blocks=())
        )  # the money raised is gone, and the next president begins again


def _leave(draft: Draft, seat: Seat) -> None:
    """A player is out: their companies go to others or close, and what they held is gone (4.7.3).

    The open market may exceed its limit by this.
    """
    draft.eliminate(seat)
    draft.record(PlayerOut(seat))
    for company in [c for c in draft.title.companies if draft.presidents.get(c) == seat]:
        held = holdings(draft.table, company) | {seat: 0}
        if can_preside(draft.table, company, max(held.values())):
            settle_presidency(draft, company, held)
        else:
            close(draft, company)
    _sell_out(draft, seat)
    if draft.bonds.get(seat):
        draft.move_bonds(seat, MARKET, draft.bonds[seat])
    _close_privates(draft, seat)
    if draft.priority == seat:
        draft.deal_to(draft.table.after(seat))


def _sell_out(draft: Draft, seat: Seat) -> None:
    """Everything a player holds goes to the open market for nothing; no price moves."""
    for company, owners in draft.shares.items():
        for percent in owners.get(seat, ()):
            draft.move_certificate(company, seat, MARKET, percent)


def _leave_to_receivers(draft: Draft, seat: Seat) -> None:
    """A player is out, and even presidents' certificates go to the open market (18MW Bankruptcy).

    In order of price, each company goes to the player who holds most, if that is as much as the
    certificate. Of equal players, the one nearest to the priority deal gets it. Otherwise the
    company goes into receivership.
    """
    table = draft.table
    presided = [c for c in table.priced() if draft.presidents.get(c) == seat]
    draft.eliminate(seat)
    draft.record(PlayerOut(seat))
    if draft.priority == seat:
        draft.deal_to(table.after(seat))
    pass_on(draft, seat)
    _sell_out(draft, seat)
    _close_privates(draft, seat)
    end_inheritance(draft, seat)
    *others, first = table.clockwise(draft.priority)
    for company in presided:
        held = holdings(table, company)
        new = max((first, *others), key=lambda player: held[player])
        if held[new] >= president_percent(table, company):
            hand_over(draft, company, new)
        else:
            appoint(draft, company)


def can_preside(table: Table, company: CompanyId, percent: int) -> bool:
    """Whether this percentage of a company is enough for the next president.

    It must be as much as the president's certificate. In a company formed by a merger, any share
    will do.
    """
    if table.title.companies[company].merger:
        return percent > 0
    return percent >= president_percent(table, company)


def _close_privates(draft: Draft, owner: str) -> None:
    for private in draft.table.privates_of(owner):
        draft.close_private(private)
