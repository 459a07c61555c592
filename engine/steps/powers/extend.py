"""A player's private company extends the reach of a train, before the trains run."""

from collections.abc import Iterator
from typing import Any

from engine.actions import ExtendTrain
from engine.events import TrainExtended
from engine.facts.powers import ExtendPower
from engine.options import Choice, Option
from engine.position.draft import Draft
from engine.position.table import Table
from engine.refusal import Refusal
from engine.steps.base import Acts, not_its_turn, why_not_power
from engine.steps.powers.permission import WithLeave


class Extensions(WithLeave):
    """One train of the company changes to a type that reaches further (18GL 4.3(9))."""

    verbs = (ExtendTrain,)

    def candidates(self, table: Table, frame: Any) -> Iterator[Option]:  # noqa: ANN401
        """Every type of train that the company has, with every such private company."""
        company = frame.company
        by = table.operator(company)
        for private in table.powers_for(company):
            if isinstance(table.title.privates[private].power, ExtendPower):
                for train in dict.fromkeys(table.at.trains.get(company, ())):
                    yield Choice(ExtendTrain(by=by, company=company, private=private, train=train))

    def why_not(self, table: Table, frame: Any, action: ExtendTrain) -> Refusal | None:  # noqa: ANN401
        """Require a private company with such a power, and an own train of a type it extends."""
        if refusal := not_its_turn(table, frame, action.company):
            return refusal
        facts = table.title.privates.get(action.private)
        power = facts.power if facts else None
        key, company = "extended train", action.company
        if not isinstance(power, ExtendPower):
            return table.refuse(key, "name", f"{action.private} makes no train reach further")
        if refusal := why_not_power(table, action.private, company, key):
            return refusal
        if action.train not in power.trains:
            kinds = " or ".join(power.trains)
            text = f"{action.private} makes a {kinds} reach further, not a {action.train}"
            return table.refuse(key, "train", text)
        if action.train not in table.at.trains.get(company, ()):
            return table.refuse(key, "train", f"{company} has no {action.train} train")
        return None

    def carry_out(self, draft: Draft, action: ExtendTrain) -> None:
        """Change the type of the train for good, and use the power up."""
        power = draft.title.privates[action.private].power
        assert isinstance(power, ExtendPower)
        longer = power.trains[action.train]
        draft.change_train(action.company, action.train, longer)
        draft.spend(action.private)
        draft.record(TrainExtended(action.company, action.private, action.train, longer))


def could_extend(table: Table, frame: Any) -> bool:  # noqa: ANN401
    """Whether the reach of a company's train could be extended now, with permission or without."""
    acts: Acts = Extensions()
    return any(
        isinstance(option, Choice) and acts.why_not(table, frame, option.action) is None
        for option in acts.candidates(table, frame)
    )
