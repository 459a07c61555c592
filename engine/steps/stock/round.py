"""The stock round: the order of turns, interrupting auctions, and the end (3, 3.1, 3.6)."""

from engine.events import RoundEnded
from engine.play.rounds import begin_operating_round
from engine.position.draft import Draft
from engine.position.frames import ParallelAuction, PrivateTurn, StockRound, StockTurn
from engine.position.table import Table
from engine.position.values import Round
from engine.steps.base import AutomaticStep
from engine.steps.operating.round import pay_privates
from engine.steps.stock.private_sale import (
    begin_auctions,
    first_price,
    is_parallel,
    is_waterfall,
    lapse,
    sell,
)


def compels(table: Table) -> bool:
    """Whether one player must buy if all pass before any private company is sold (18GL 4.2)."""
    auction = table.title.facts.stock.private_sale == "auction"
    return auction and table.title.privates_by_par[0] in table.unsold()


class StockRoundStep(AutomaticStep[StockRound]):
    """Gives each player a turn until all pass in a row."""

    frame = StockRound

    def key(self, frame: StockRound, now: Round) -> str:
        """Each turn of a player is a decision of its own."""
        return f"turn {frame.turns}"

    def enter(self, draft: Draft, frame: StockRound) -> None:
        """Begin an auction, the next turn, or the operating rounds."""
        if begin_auctions(draft):
            return
        unsold = draft.table.unsold()
        if frame.passes == len(draft.table.playing):
            if unsold and is_waterfall(draft.table):
                self._go_on(draft, frame)
            elif compels(draft.table):
                self._compel(draft, frame, unsold[0])
            else:
                self._end(draft, frame)
        elif unsold and is_parallel(draft.table):
            draft.push(ParallelAuction(frame.seat))
        elif unsold and first_price(draft.table, unsold[0]) == 0:
            self._force(draft, frame, unsold[0])
        else:
            draft.replace(StockRound(frame.seat, frame.passes, frame.last, frame.turns + 1))
            draft.push(PrivateTurn(frame.seat) if unsold else StockTurn(frame.seat))

    @staticmethod
    def _go_on(draft: Draft, frame: StockRound) -> None:
        """In a waterfall nobody operates before all is sold; the first private gets cheaper.

        Once it is sold, the private companies pay instead. The round's part counts how often.
        """
        cheapest = min(draft.title.facts.private, key=lambda p: p.par).id
        if cheapest in draft.table.unsold():
            now = draft.round
            draft.begin_round(Round(now.kind, now.number, now.part + 1))
        else:
            pay_privates(draft)
        draft.replace(StockRound(frame.seat, 0, frame.last, frame.turns))

    def _force(self, draft: Draft, frame: StockRound, private: str) -> None:
        """The first player of the round must take the private company for nothing (3.1.2)."""
        after = draft.table.after(frame.seat)
        draft.replace(StockRound(after, 0, frame.seat, frame.turns + 1))
        sell(draft, private, frame.seat, 0)

    @staticmethod
    def _compel(draft: Draft, frame: StockRound, private: str) -> None:
        """The holder of the priority deal must buy the cheapest private company (18GL 4.2).

        If money set aside is needed, their bids on the dearest private companies are canceled.
        """
        seat, table = draft.priority, draft.table
        price = first_price(table, private)
        for other in reversed(table.unsold()):
            if table.free_cash(seat) < price and table.set_aside(other, seat):
                lapse(draft, other, seat)
        draft.replace(StockRound(table.after(seat), 0, seat, frame.turns + 1))
        sell(draft, private, seat, price)

    def _end(self, draft: Draft, frame: StockRound) -> None:
        """Pass the priority deal on, raise sold-out prices, begin operating rounds (3.6, 4)."""
        table = draft.table
        if frame.last:
            draft.deal_to(table.after(frame.last))
        for company in table.priced():
            cell = table.cell(company)
            if cell is not None and table.sold_out(company):
                draft.move_price(company, draft.title.chart.raised(cell))
        draft.record(RoundEnded(str(draft.round), draft.priority))
        draft.pop()
        begin_operating_round(draft, 1, table.phase.rounds)
