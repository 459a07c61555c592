"""Trains over the limit after a phase change: presidents choose the discards (4.2.5(g))."""

from collections.abc import Iterator

from engine.actions import Action, DiscardTrain
from engine.events import TrainDiscarded
from engine.options import Choice, Option
from engine.play.trains import to_market
from engine.position.draft import Draft
from engine.position.frames import Discard
from engine.position.table import Table
from engine.position.values import REMOVED, CompanyId, Round, Seat, TrainType
from engine.refusal import Refusal
from engine.steps.base import Step


def counted_trains(table: Table, company: CompanyId) -> int:
    """Trains of a company that count toward the train limit (4.2.5(g))."""
    owned = table.at.trains.get(company, ())
    if table.title.facts.operating.obsolete_count:
        return len(owned)
    return sum(not table.obsolete(train) for train in owned)


def train_limit(table: Table, company: CompanyId) -> int:
    """How many trains a company may own now (4.2.5(g)); some may own more than others."""
    return table.phase.train_limit + table.title.companies[company].more_trains


def is_over(table: Table, company: CompanyId) -> bool:
    """Whether a company has more trains than it may own (4.2.5(g))."""
    return counted_trains(table, company) > train_limit(table, company)


def over_limit(table: Table) -> tuple[CompanyId, ...]:
    """Companies with more trains than they may own, in operating order."""
    return tuple(company for company in table.priced() if is_over(table, company))


class DiscardStep(Step[Discard]):
    """Companies over the limit discard in any order."""

    frame = Discard
    deciding = "companies over the train limit discard first"
    verbs = (DiscardTrain,)

    def key(self, frame: Discard, now: Round) -> str:
        """All discards of a phase change are one decision."""
        return "discard"

    def enter(self, draft: Draft, frame: Discard) -> None:
        """Discard at once if all trains are alike; go on when no company is over the limit."""
        waits = draft.title.facts.waits_without_choice
        while True:
            over = tuple(c for c in frame.companies if is_over(draft.table, c))
            alike = [c for c in over if len(set(draft.trains[c])) == 1]
            if waits or not alike:
                break
            discard(draft, alike[0], draft.trains[alike[0]][0])
        if not over:
            draft.pop()
        elif over != frame.companies:
            draft.replace(Discard(over))

    def actors(self, table: Table, frame: Discard) -> tuple[Seat, ...]:
        """The presidents of all companies over the limit."""
        return tuple(dict.fromkeys(table.operator(c) for c in frame.companies))

    def candidates(self, table: Table, frame: Discard) -> Iterator[Option]:
        """Each type of train that such a company has."""
        for company in frame.companies:
            for train in dict.fromkeys(table.at.trains[company]):
                by = table.operator(company)
                yield Choice(DiscardTrain(by=by, company=company, train=train))

    def why_not(self, table: Table, frame: Discard, action: DiscardTrain) -> Refusal | None:
        """Require an own company over the limit, and a train that it has."""
        company = action.company
        if company not in frame.companies or table.operator(company) != action.by:
            mine = [c for c in frame.companies if table.operator(c) == action.by]
            text = f"{action.by} discards for {' or '.join(mine)}, not for {company}"
            return table.refuse("discard", "turn", text)
        if action.train not in table.at.trains[company]:
            text = f"{company} has no {action.train} train"
            return table.refuse("discard", "place", text)
        return None

    def play(self, draft: Draft, frame: Discard, action: Action) -> None:
        """Move the train to the open market, or out of the game if obsolete (4.2.5.1)."""
        assert isinstance(action, DiscardTrain)
        discard(draft, action.company, action.train)


def discard(draft: Draft, company: CompanyId, train: TrainType) -> None:
    """Discard one train without compensation."""
    gone = draft.table.obsolete(train)
    draft.record(TrainDiscarded(company, train, gone))
    if gone:
        draft.move_train(train, company, REMOVED)
    else:
        to_market(draft, company, train)
