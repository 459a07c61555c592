"""Sales between two parties, and powers that are lent: the one who did not propose it is asked."""

from collections.abc import Iterator
from typing import Literal

from engine.actions import Accept, Action, Decline, ExtendTrain, LayTile, PlaceMark
from engine.events import Asked, Declined, PrivateBought, TrainBought
from engine.options import Choice, Option
from engine.play.trains import after_purchase
from engine.position.codec import encode
from engine.position.draft import Draft
from engine.position.frames import Consent, StockTurn, Trains
from engine.position.rules import rules_of
from engine.position.table import Table
from engine.position.values import Owner, PrivateId, Round, Seat
from engine.refusal import Refusal
from engine.steps.base import Step
from engine.steps.operating.track import lay_tile
from engine.steps.powers.extend import extend_train
from engine.steps.powers.ferry import open_ferry
from engine.steps.powers.marks import place_mark
from engine.steps.powers.permission import Lent, ask


def propose(
    draft: Draft,
    by: Seat,
    thing: Literal["private", "train"],
    id_: str,
    seller: Owner,
    buyer: Owner,
    price: int,
) -> None:
    """Carry the sale out if one player speaks for both sides, else ask the other."""
    table = draft.table
    other = buyer if table.agent(seller) == by else seller
    asked = table.agent(other)
    assert asked is not None
    sale = Consent(asked, by, thing, id_, seller, buyer, price)
    if asked == by:
        carry_out(draft, sale)
    else:
        draft.record(Asked(asked, by, thing, id_, seller, buyer, price))
        draft.push(sale)


def carry_out(draft: Draft, sale: Consent) -> None:
    """The sale takes place, with the frame it was proposed in on top of the stack."""
    if sale.thing == "train":
        draft.pay(sale.buyer, sale.seller, sale.price)
        draft.move_train(sale.id, sale.seller, sale.buyer)
        draft.record(TrainBought(sale.buyer, sale.id, sale.seller, sale.price))
        after_purchase(draft, sale.buyer)
        return
    transfer_private(draft, sale.id, sale.seller, sale.buyer, sale.price)
    turn = draft.stack[-1]
    if isinstance(turn, StockTurn):
        if turn.seat == sale.buyer:
            draft.replace(StockTurn(turn.seat, True, turn.sold, turn.sold))
        else:
            draft.replace(StockTurn(turn.seat, turn.bought, True, turn.sold_first))
    elif isinstance(turn, Trains) and draft.table.is_player(sale.buyer):
        smallest = min(turn.smallest or sale.price, sale.price)
        draft.replace(Trains(turn.company, turn.bought, smallest))


def transfer_private(
    draft: Draft, private: PrivateId, seller: Owner, buyer: Owner, price: int
) -> None:
    """A private changes its owner; a company receives what it brings (Table III)."""
    draft.pay(buyer, seller, price)
    draft.give_private(private, buyer)
    draft.record(PrivateBought(private, buyer, seller, price))
    if not draft.table.is_player(buyer):
        draft.note_private_sale(seller, buyer)
        rules_of(draft.title).on_company_private(draft, private, buyer)


class ConsentStep(Step[Consent]):
    """The other party accepts or declines."""

    frame = Consent
    deciding = "a sale waits for an answer; accept or decline"
    verbs = (Accept, Decline)

    def key(self, frame: Consent, now: Round) -> str:
        """Each question is a decision of its own."""
        return encode(frame).decode()

    def actors(self, table: Table, frame: Consent) -> tuple[Seat, ...]:
        """The party that is asked."""
        return (frame.asked,)

    def candidates(self, table: Table, frame: Consent) -> Iterator[Option]:
        """Yes or no."""
        yield Choice(Accept(by=frame.asked))
        yield Choice(Decline(by=frame.asked))

    def why_not(self, table: Table, frame: Consent, action: Action) -> Refusal | None:
        """What was proposed was legal, and nothing has happened since."""
        return None

    def play(self, draft: Draft, frame: Consent, action: Action) -> None:
        """Carry it out or drop it; what needs the leave of others too waits for them."""
        draft.pop()
        if isinstance(action, Decline):
            draft.record(Declined(frame.asked, frame.thing, frame.id))
        elif not isinstance(frame.action, Lent):
            carry_out(draft, frame)
        elif not ask(draft, frame.action, frame.asked):
            use_power(draft, frame.action)


def use_power(draft: Draft, action: Lent) -> None:
    """Do what all have given leave for, in the frame it was proposed in (18GL 4.3)."""
    if isinstance(action, LayTile):
        lay_tile(draft, action)
    elif isinstance(action, PlaceMark):
        place_mark(draft, action)
    elif isinstance(action, ExtendTrain):
        extend_train(draft, action)
    else:
        open_ferry(draft, action)
