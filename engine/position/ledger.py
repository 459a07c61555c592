"""A position in the making: the verbs of money, shares and prices, debt, and of who leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.events import PriceMoved
from engine.position.course import DraftBase
from engine.position.values import BANK, OFFERING, CompanyId, Holding, Owner, Seat, Token

if TYPE_CHECKING:
    from engine.board.market import Cell


class Ledger(DraftBase):
    """What owners have, and companies on the chart."""

    # money

    def pay(self, payer: Owner, payee: Owner, amount: int) -> None:
        """Move dollars; the bank improvises when it runs out, which foretells the end (5(a))."""
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
        """Give the charter to a player."""
        self._write("presidents")[company] = seat
        if company in self.receivers:
            self._write("receivers").pop(company)
            self.receiverships = tuple(c for c in self.receiverships if c != company)

    def appoint(self, company: CompanyId, seat: Seat) -> None:
        """Nobody presides over a company any more, and a player runs it as its receiver."""
        self._write("presidents").pop(company, None)
        if company not in self.receivers:
            self.receiverships = (*self.receiverships, company)
        self._write("receivers")[company] = seat

    def set_par(self, company: CompanyId, price: int) -> None:
        """Set the par value and put the price token on the chart."""
        self._write("pars")[company] = price
        self.tokens = (*self.tokens, Token(company, self.title.chart.pars[price]))

    def move_price(self, company: CompanyId, cell: Cell) -> None:
        """Put a company's price token under those of a space; one that stays keeps its place."""
        old = next(token for token in self.tokens if token.company == company)
        if old.cell == cell:
            return
        rest = [token for token in self.tokens if token is not old]
        self.tokens = (*rest, Token(company, cell))
        before, price = self.title.chart.price(old.cell), self.title.chart.price(cell)
        self.record(PriceMoved(company, before, price))
        end = self.title.facts.market.end_price
        if end and price >= end and self.ending is None:
            self.foresee_end("price", 0)

    def float(self, company: CompanyId) -> None:
        """A company may operate from now on."""
        self.floated = (*self.floated, company)

    def count_turn(self, company: CompanyId) -> None:
        """A company has finished an operating turn."""
        turns = self._write("turns")
        turns[company] = turns.get(company, 0) + 1
        if company in self.taken_over:
            self.taken_over = tuple(other for other in self.taken_over if other != company)

    def note_sale(self, seat: Seat, company: CompanyId) -> None:
        """Remember that a player sold shares of a company in this round (3.2(c))."""
        sold = self._write("sold")
        if company not in sold.get(seat, ()):
            sold[seat] = (*sold.get(seat, ()), company)

    def forget_sales(self) -> None:
        """A new stock round: earlier sales bar no purchase."""
        self.sold = {}

    def allow_excess(self, company: CompanyId, seat: Seat, percent: int) -> None:
        """A player may hold so much of a company, and need not sell what is above the limit."""
        self._write("excess")[company] = Holding(seat, percent)

    def lower_excess(self, company: CompanyId, seat: Seat, percent: int) -> None:
        """A player has sold: what they may hold above the limit is no more than is left."""
        own = self.excess.get(company)
        if own is None or own.seat != seat:
            return
        if percent > self.title.facts.stock.player_limit:
            self.allow_excess(company, seat, min(own.percent, percent))
        else:
            self._write("excess").pop(company)

    def set_idle(self, companies: tuple[CompanyId, ...]) -> None:
        """Of the trains of these companies one earns nothing in their next operating turn."""
        self.idle = companies

    def set_earned(self, company: CompanyId, revenue: int) -> None:
        """Remember what a company's latest run earned."""
        self._write("earned")[company] = revenue

    # loans and bonds

    def set_loans(self, company: CompanyId, count: int) -> None:
        """A company owes so many loans."""
        self._write("loans")[company] = count

    def print_bonds(self, company: CompanyId, count: int) -> None:
        """A company has so many bonds in its treasury, and nobody has any."""
        self.bonds = {company: count}

    def move_bonds(self, giver: Owner, taker: Owner, count: int) -> None:
        """Move bonds from one owner to another."""
        bonds = self._write("bonds")
        bonds[giver] = bonds.get(giver, 0) - count
        bonds[taker] = bonds.get(taker, 0) + count

    # companies and players that leave

    def print_shares(self, company: CompanyId, certificates: tuple[int, ...]) -> None:
        """Put all certificates of a company, by their percent, into the initial offering."""
        self._write("shares")[company] = {OFFERING: certificates}

    def enter_chart(self, company: CompanyId, price: int, cell: Cell) -> None:
        """Put a company's price token on a space, under all others there."""
        self._write("pars")[company] = price
        self.tokens = (*self.tokens, Token(company, cell))

    def note_system(self, system: CompanyId, merged: tuple[CompanyId, ...]) -> None:
        """Remember of which corporations a system has formed."""
        self._write("formed")[system] = merged

    def drop_company(self, company: CompanyId) -> None:
        """A company leaves the game: shares, price, president, charter and stations.

        Its money, trains, loans and markers are for the caller to settle first.
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
        """A player is out of the game."""
        self.out = (*self.out, seat)
