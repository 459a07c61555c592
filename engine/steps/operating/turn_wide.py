"""A company's actions at any time of its turn: private companies, markers, names, lent powers."""

from collections.abc import Iterator
from typing import Any

from engine.actions import Action, NameTrain
from engine.events import TrainNamed
from engine.facts.powers import NamesPower
from engine.facts.title import Title
from engine.options import Choice, Option
from engine.position.draft import Draft
from engine.position.frames import Home, Running, Stations, Track, Trains
from engine.position.table import Table
from engine.position.values import Mark
from engine.refusal import Refusal
from engine.steps.base import Acts, not_its_turn
from engine.steps.operating.fire_sale import FireSaleOffers
from engine.steps.operating.mergers import Mergers
from engine.steps.powers.extend import Extensions
from engine.steps.powers.ferry import Ferries
from engine.steps.powers.marks import BonusMarks, Marks, TerrainMarks
from engine.steps.powers.spare import SpareStations
from engine.steps.questions.private_trade import CompanyPrivates


class TrainNames(Acts):
    """A company names its trains; unused names go where they earn most (Table III)."""

    verbs = (NameTrain,)

    def candidates(self, table: Table, frame: Any) -> Iterator[Option]:  # noqa: ANN401
        """Before the trains run: each name on each other train, and taking it off its train."""
        if not isinstance(frame, Home | Track | Stations | Running):
            return
        company = frame.company
        by = table.operator(company)
        for mark in table.at.marks:
            if mark.company == company and _is_name(table, mark):
                trains = dict.fromkeys(("", *table.at.trains.get(company, ())))
                for train in trains:
                    if train != mark.train:
                        yield Choice(NameTrain(by=by, company=company, name=mark.kind, train=train))

    def why_not(self, table: Table, frame: Any, action: NameTrain) -> Refusal | None:  # noqa: ANN401
        """Require an own name and an own train, and one name for each train."""
        if refusal := not_its_turn(table, frame, action.company):
            return refusal
        mine = [m for m in table.at.marks if m.company == action.company and _is_name(table, m)]
        if action.name not in [m.kind for m in mine]:
            text = f"{action.company} has no name chit {action.name}"
            return table.refuse("train name", "name", text)
        if not action.train:
            return None
        owned = table.at.trains.get(action.company, ())
        if action.train not in owned:
            text = f"{action.company} has no {action.train} train"
            return table.refuse("train name", "place", text)
        others = sum(m.train == action.train for m in mine if m.kind != action.name)
        if others >= owned.count(action.train):
            text = f"The {action.train} train has a name, one train bears one name"
            return table.refuse("train name", "limit", text)
        return None

    def play(self, draft: Draft, frame: Any, action: Action) -> None:  # noqa: ANN401
        """Record the name."""
        assert isinstance(action, NameTrain)
        company, name = action.company, action.name
        draft.set_marks(
            tuple(
                Mark(m.kind, m.company, m.private, "", action.train)
                if (m.company, m.kind) == (company, name)
                else m
                for m in draft.marks
            )
        )
        draft.record(TrainNamed(company, name, action.train))


def _is_name(table: Table, mark: Mark) -> bool:
    return isinstance(table.title.privates[mark.private].power, NamesPower)


TURN_WIDE: dict[str, Acts] = {
    "company privates": CompanyPrivates(),
    "marks": Marks(),
    "train names": TrainNames(),
    "spare stations": SpareStations(),
}


def turn_wide(title: Title) -> list[Acts]:
    """What the title allows at any time of a company's turn."""
    return [TURN_WIDE[name] for name in title.facts.anytime]


#: a step of a turn → actions in it by powers that players lend to companies (18GL 4.3, 4.6)
_LENT: dict[type[Any], tuple[Acts, ...]] = {
    Track: (TerrainMarks(), Ferries()),
    Stations: (BonusMarks(),),
    Running: (Extensions(),),
}


_MERGERS = (Mergers(),)
_FIRE_SALES = (FireSaleOffers(),)


def beside(title: Title, step: type[Any]) -> tuple[Acts, ...]:
    """What the title allows in one step of a company's turn beside what belongs to the step."""
    if step is Trains:
        mergers = _MERGERS if title.facts.systems else ()
        return (*mergers, *(_FIRE_SALES if title.facts.fire_sale else ()))
    return _LENT.get(step, ()) if title.facts.operating.powers == "player" else ()


#: all rules that are not those of a step: each title has some of them
NOT_OF_A_STEP: tuple[Acts, ...] = (
    *TURN_WIDE.values(),
    *(acts for lent in _LENT.values() for acts in lent),
    *_MERGERS,
    *_FIRE_SALES,
)
