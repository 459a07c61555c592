"""Offers to another player, and what happens once they agree; knows not who may make an offer.

If one player can decide a proposal alone, it is carried out at once.
"""

from msgspec.structs import replace

from engine.events import Asked, PrivateBought, TrainBought
from engine.play.shares import bring_again
from engine.play.trains import after_purchase
from engine.position.draft import Draft
from engine.position.frames import Question, StockTurn, Trains
from engine.position.rules import rules_of
from engine.position.values import Owner, PrivateId, Seat
from engine.proposals import PrivateSale, Proposal, TrainSale


def ask(draft: Draft, asked: Seat, by: Seat, proposal: Proposal) -> None:
    """Wait for the answer of a player."""
    draft.record(Asked(asked, by, proposal))
    draft.push(Question(asked, by, proposal))


def propose(draft: Draft, by: Seat, sale: PrivateSale | TrainSale) -> None:
    """Carry the sale out if one player decides for both sides; otherwise ask the other player."""
    table = draft.table
    other = sale.buyer if table.agent(sale.seller) == by else sale.seller
    asked = table.agent(other)
    assert asked is not None
    if asked == by:
        carry_out(draft, sale)
    else:
        ask(draft, asked, by, sale)


def carry_out(draft: Draft, sale: PrivateSale | TrainSale) -> None:
    """Carry the sale out; the frame it was proposed in is on top of the stack."""
    if isinstance(sale, TrainSale):
        aid = max(sale.price - draft.cash[sale.buyer], 0)
        if aid:
            draft.pay(draft.presidents[sale.buyer], sale.buyer, aid)
        draft.pay(sale.buyer, sale.seller, sale.price)
        draft.move_train(sale.train, sale.seller, sale.buyer)
        draft.record(TrainBought(sale.buyer, sale.train, sale.seller, sale.price, aid))
        after_purchase(draft, sale.buyer)
        return
    transfer_private(draft, sale.private, sale.seller, sale.buyer, sale.price)
    turn = draft.stack[-1]
    if isinstance(turn, StockTurn):
        stock = draft.title.facts.stock
        if stock.player_sales_beside:
            return
        if not stock.player_sales:
            bring_again(draft, sale.private, sale.buyer)
        if turn.seat == sale.buyer:
            over = turn.sold or stock.sales_first
            draft.replace(replace(turn, bought=True, sold_first=over))
        else:
            draft.replace(replace(turn, sold=True))
    elif isinstance(turn, Trains) and draft.table.is_player(sale.buyer):
        smallest = min(turn.smallest or sale.price, sale.price)
        draft.replace(replace(turn, smallest=smallest))


def transfer_private(
    draft: Draft, private: PrivateId, seller: Owner, buyer: Owner, price: int
) -> None:
    """A private company changes hands; a company gets what the private brings (Table III)."""
    draft.pay(buyer, seller, price)
    draft.give_private(private, buyer)
    draft.record(PrivateBought(private, buyer, seller, price))
    if not draft.table.is_player(buyer):
        draft.note_private_sale(seller, buyer)
        rules_of(draft.title).on_company_private(draft, private, buyer)
