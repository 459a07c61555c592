"""A private company that its owner exchanges for a train of the bank, for a company of theirs.

The exchange is a free purchase in the company's train step (18MW The Mobile and Ohio, R22).
"""

from collections.abc import Iterator

from engine.facts.powers import SharePower
from engine.facts.title import Title
from engine.position.table import Table
from engine.position.values import CompanyId, Seat
from engine.refusal import Refusal
from engine.steps.judging.offers import TrainOffer, for_sale


def for_train(title: Title, private: str) -> bool:
    """Whether a private company can be exchanged for a train."""
    facts = title.privates.get(private)
    return facts is not None and isinstance(facts.power, SharePower) and facts.power.for_train


def exchanges(table: Table, company: CompanyId) -> Iterator[TrainOffer]:
    """Each train of the bank for each such private company of the company's president."""
    for private in table.privates_of(table.operator(company)):
        for train, source in for_sale(table) if for_train(table.title, private) else ():
            yield TrainOffer(train, source, 0, private)


def why_not_exchange(
    table: Table, company: CompanyId, by: Seat, wanted: TrainOffer
) -> Refusal | None:
    """Require the president's own private company; other rules judge if the train is for sale."""
    private = wanted.power
    owner = table.at.privates[private]
    if owner != by:
        state = f"it belongs to {owner}" if table.is_player(owner) else "no player has it"
        return table.refuse("train for a private", "place", f"{by} has no {private}: {state}")
    if table.at.presidents.get(company) != by:
        text = f"{private} brings a train to a company of its owner's, {by} is not president"
        return table.refuse("train for a private", "presidency", f"{text} of {company}")
    if wanted.price:
        text = f"A train for {private} costs nothing"
        hint = f"`buy {wanted.train} with {private}`."
        return table.refuse("train for a private", "money", text, hint)
    return None
