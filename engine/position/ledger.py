"""Verbs of a draft for money, shares and prices, debt, and for companies and players that leave."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.events import PriceMoved
from engine.position.course import DraftBase
from engine.position.values import BANK, OFFERING, CompanyId, Holding, Owner, Seat, Token

if TYPE_CHECKING:
    from engine.board.market import Cell


class Ledger(DraftBase):
    """The property of owners, and companies on the stock chart."""

    # money

    def pay(self, payer: Owner, payee: Owner, amount: int) -> None:
        """Move dollars; an empty bank goes on paying, but the end of the game is set (5(a))."""
        cash = self._write("cash")
        cash[payer] -= amount
        cash[payee] = cash.get(payee, 0) + amount
        least = 1 if self.title.facts.empty_bank_ends else 0
        if payer == BANK and cash[BANK] < least and self.ending is None:
            self.foresee_end("bank", 1 if self.round.kind == "SR" else 0)

    # shares and prices

    def move_certificate(
        self, company: CompanyId, giver: Owner, taker: Owner, percent: int
    ) -> None:
        """Move one certificate of ``percent``."""
        every = self._write("shares")
        held = dict(every[company])
        rest = list(held.get(giver, ()))
        rest.remove(percent)
        if rest:
            held[giver] = tuple(rest)
        else:
            held.pop(giver, None)
        held[taker] = tuple(sorted((*held.get(taker, ()), percent), reverse=True))
        every[company] = held

    def set_president(self, company: CompanyId, seat: Seat) -> None:
        """Make a player president."""
        self._write("presidents")[company] = seat
        if company in self.receivers:
            self._write("receivers").pop(company)
            self.receiverships = tuple(c for c in self.receiverships if c != company)

    def appoint(self, company: CompanyId, seat: Seat) -> None:
        """Put a company into receivership:

        it has no president, and a player runs it as receiver.
        """
        self._write("presidents").pop(company, None)
        if company not in self.receivers:
            self.receiverships = (*self.receiverships, company)
        self._write("receivers")[company] = seat

    def set_par(self, company: CompanyId, price: int) -> None:
        """Set the par value and put the price token on the chart."""
        self._write("pars")[company] = price
        self.tokens = (*self.tokens, Token(company, self.title.chart.pars[price]))

    def move_price(self, company: CompanyId, cell: Cell) -> None:
        """Put a company's price token under those of a space; a token that does not move keeps its
        place."""
        old = self.table.cells[company]
        if old == cell:
            return
        rest = [token for token in self.tokens if token.company != company]
        self.tokens = (*rest, Token(company, cell))
        before, price = self.title.chart.price(old), self.title.chart.price(cell)
        self.record(PriceMoved(company, before, price))
        end = self.title.facts.market.end_price
        if end and price >= end and self.ending is None:
            self.foresee_end("price", 0)

    def float(self, company: CompanyId) -> None:
        """Float a company, so that it may operate."""
        self.floated = (*self.floated, company)

    def count_turn(self, company: CompanyId) -> None:
        """Count a finished operating turn of a company."""
        turns = self._write("turns")
        turns[company] = turns.get(company, 0) + 1
        if company in self.taken_over:
            self.taken_over = tuple(other for other in self.taken_over if other != company)

    def note_sale(self, seat: Seat, company: CompanyId) -> None:
        """Record that a player sold shares of a company in this round (3.2(c))."""
        sold = self._write("sold")
        if company not in sold.get(seat, ()):
            sold[seat] = (*sold.get(seat, ()), company)

    def forget_sales(self) -> None:
        """Forget the sales of the last stock round, which no longer prevent purchases."""
        self.sold = {}

    def allow_excess(self, company: CompanyId, seat: Seat, percent: int) -> None:
        """Let a player hold this much of a company, without selling what is over the limit."""
        self._write("excess")[company] = Holding(seat, percent)

    def lower_excess(self, company: CompanyId, seat: Seat, percent: int) -> None:
        """After a sale, lower the excess that a player may hold to what is left."""
        own = self.excess.get(company)
        if own is None or own.seat != seat:
            return
        if percent > self.title.facts.stock.player_limit:
            self.allow_excess(company, seat, min(own.percent, percent))
        else:
            self._write("excess").pop(company)

    def set_idle(self, companies: tuple[CompanyId, ...]) -> None:
        """Record the companies of which one train earns nothing in their next operating turn."""
        self.idle = companies

    def set_earned(self, company: CompanyId, revenue: int) -> None:
        """Record the revenue of a company's latest run."""
        self._write("earned")[company] = revenue

    # loans and bonds

    def set_loans(self, company: CompanyId, count: int) -> None:
        """Set the number of loans that a company owes."""
        self._write("loans")[company] = count

    def print_bonds(self, company: CompanyId, count: int) -> None:
        """Set the number of bonds in a company's treasury, before anybody has any."""
        self.bonds = {company: count}

    def move_bonds(self, giver: Owner, taker: Owner, count: int) -> None:
        """Move bonds from one owner to another."""
        bonds = self._write("bonds")
        bonds[giver] = bonds.get(giver, 0) - count
        bonds[taker] = bonds.get(taker, 0) + count

    # companies and players that leave

    def print_shares(self, company: CompanyId, certificates: tuple[int, ...]) -> None:
        """Put all certificates of a company, in percent, into the IPO."""
        self._write("shares")[company] = {OFFERING: certificates}

    def enter_chart(self, company: CompanyId, price: int, cell: Cell) -> None:
        """Put a company's price token on a space, under all others there."""
        self._write("pars")[company] = price
        self.tokens = (*self.tokens, Token(company, cell))

    def note_system(self, system: CompanyId, merged: tuple[CompanyId, ...]) -> None:
        """Record the corporations that formed a system."""
        self._write("formed")[system] = merged

    def drop_company(self, company: CompanyId) -> None:
        """Remove a company from the game: shares, price, president, charter and tokens.

        The caller must first settle its money, trains, loans and markers.
        """
        self._write("shares")[company] = {}
        for name in ("presidents", "receivers", "pars", "turns", "earned", "excess"):
            self._write(name).pop(company, None)
        for name in ("borrowing", "taken_over", "receiverships"):
            setattr(self, name, tuple(c for c in getattr(self, name) if c != company))
        self.tokens = tuple(token for token in self.tokens if token.company != company)
        self.floated = tuple(other for other in self.floated if other != company)
        self._write("charters")[company] = 0
        left = {h: tuple(s for s in on if s.company != company) for h, on in self.stations.items()}
        self.stations = {hex_: on for hex_, on in left.items() if on}
        self.gone = (*self.gone, company)

    def eliminate(self, seat: Seat) -> None:
        """Remove a player from the game."""
        self.out = (*self.out, seat)
