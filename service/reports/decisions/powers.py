"""Powers of private companies that a company may use now, as commands."""

from collections.abc import Iterator

from engine import Choice, Range, Seat
from engine.actions import Action, ActivateFerry, ExtendTrain, Lent, PlaceMark
from engine.inquiry import ferry_price, to_ask
from engine.notation import write
from service.reports.scene import Listed, Scene, Sorted
from service.reports.tables import Row


def _powers(scene: Scene, seat: Seat, found: Sorted) -> list[Row]:
    """Powers to place a marker, lengthen a train or open a ferry, with the asked player."""
    marks = list(_marks(scene, found.of(PlaceMark)))
    longer = [f"`{_text(scene, o)}`{_asked(scene, o.action)}" for o in found.of(ExtendTrain)]
    by_ferry: dict[str, Choice | Range] = {}
    for option in found.of(ActivateFerry):
        assert isinstance(option.action, ActivateFerry)
        by_ferry.setdefault(option.action.ferry, option)
    ferries = [f"`{_text(scene, option)}`{_cost(scene, option)}" for option in by_ferry.values()]
    return [Row("use", tuple(marks + longer)), Row("ferry", tuple(ferries), True)]


def _marks(scene: Scene, options: list[Choice | Range]) -> Iterator[str]:
    """One command for each private company and asked player, with the places if several."""
    together: dict[tuple[str, str], list[Choice | Range]] = {}
    for option in options:
        assert isinstance(option.action, PlaceMark)
        key = option.action.private, _asked(scene, option.action)
        together.setdefault(key, []).append(option)
    for (private, asked), alike in together.items():
        places = [o.action.hex for o in alike if isinstance(o.action, PlaceMark)]
        if len(alike) == 1:
            yield f"`{_text(scene, alike[0])}`{asked}"
        else:
            yield f"`use {private}: mark HEX` on {', '.join(places)}{asked}"


def _cost(scene: Scene, option: Choice | Range) -> str:
    action = option.action
    assert isinstance(action, ActivateFerry)
    cost = ferry_price(scene.table, action.company, action.tiles)
    return f"{f' {scene.money(cost)}' if cost else ''}{_asked(scene, action)}"


def _asked(scene: Scene, action: Action) -> str:
    """The player who must give leave."""
    asked = to_ask(scene.table, action) if isinstance(action, Lent) else {}
    return f" ({' and '.join(asked)} {'is' if len(asked) == 1 else 'are'} asked)" if asked else ""


def _text(scene: Scene, option: Choice | Range) -> str:
    return write(scene.title, scene.state, option.action)


POWERS = Listed((PlaceMark, ExtendTrain, ActivateFerry), _powers)
