"""A private company that its owner exchanges for a train of the bank, for a company of theirs.

The exchange is a free purchase in the company's train step (18MW The Mobile and Ohio, R22).
"""

from collections.abc import Iterator

from engine.actions import BuyTrain
from engine.facts.powers import SharePower
from engine.facts.title import Title
from engine.position.table import Table
from engine.position.values import CompanyId
from engine.refusal import Refusal
from engine.steps.judging.offers import for_sale


def for_train(title: Title, private: str) -> bool:
    """Whether a private company can be exchanged for a train."""
    facts = title.privates.get(private)
    return facts is not None and isinstance(facts.power, SharePower) and facts.power.for_train


def exchanges(table: Table, company: CompanyId) -> Iterator[BuyTrain]:
    """Each train of the bank for each such private company of the company's president."""
    by = table.operator(company)
    for private in table.privates_of(by):
        for train, source in for_sale(table) if for_train(table.title, private) else ():
            yield BuyTrain(
                by=by, company=company, train=train, source=source, price=0, power=private
            )


def why_not_exchange(table: Table, action: BuyTrain) -> Refusal | None:
    """Require the president's own private company; other rules judge if the train is for sale."""
    private, by, company = action.power, action.by, action.company
    owner = table.at.privates[private]
    if owner != by:
        state = f"it belongs to {owner}" if table.is_player(owner) else "no player has it"
        return table.refuse("train for a private", "place", f"{by} has no {private}: {state}")
    if table.at.presidents.get(company) != by:
        text = f"{private} brings a train to a company of its owner's, {by} is not president"
        return table.refuse("train for a private", "presidency", f"{text} of {company}")
    if action.price:
        text = f"A train for {private} costs nothing"
        hint = f"`buy {action.train} with {private}`."
        return table.refuse("train for a private", "money", text, hint)
    return None
