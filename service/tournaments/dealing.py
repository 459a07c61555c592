"""Which table plays which title of a round: equal numbers, and as few as can be play one again.

It is a flow from tables to titles, and HiGHS solves it; equal ways are told apart by lot.
"""

from collections.abc import Mapping, Sequence

import highspy
import numpy as np

from service.tournaments.lots import lot
from service.tournaments.rules import TitleChoice

#: of a table's lot for a title so many bits count
_BITS = 20


def dealt(
    tables: Sequence[Sequence[str]],
    titles: Sequence[TitleChoice],
    played: Mapping[str, Sequence[str]],
    seed: str,
) -> tuple[TitleChoice, ...]:
    """The title of each table; ``played`` are the titles that a player has played before."""
    if len(titles) == 1:
        return (titles[0],) * len(tables)
    again = [
        [sum(list(played.get(name, ())).count(one.name) for name in table) for one in titles]
        for table in tables
    ]
    lots = [
        [lot(seed, f"title {number}", str(one)) >> (256 - _BITS) for one in titles]
        for number, _ in enumerate(tables, 1)
    ]
    model = _model(len(tables), len(titles))
    _minimise(model, again)
    model.addRow(-highspy.kHighsInf, _minimum(model) + 0.5, *_row(again))
    values = np.array(_minimise(model, lots)).reshape(len(tables), len(titles))
    return tuple(titles[number] for number in values.argmax(axis=1))


def _model(tables: int, titles: int) -> highspy.Highs:
    """A variable for each table and title; each table has one, each title its share of tables."""
    model = highspy.Highs()
    for name, value in (("output_flag", False), ("threads", 1), ("mip_rel_gap", 0.0)):
        model.setOptionValue(name, value)
    number = tables * titles
    for _ in range(number):
        model.addVar(0.0, 1.0)
    kinds = np.full(number, highspy.HighsVarType.kInteger)
    model.changeColsIntegrality(number, np.arange(number, dtype=np.int32), kinds)
    for table in range(tables):
        at = list(range(table * titles, (table + 1) * titles))
        model.addRow(1.0, 1.0, titles, at, [1.0] * titles)
    for title in range(titles):
        at = list(range(title, number, titles))
        model.addRow(
            float(tables // titles), float(-(-tables // titles)), tables, at, [1.0] * tables
        )
    return model


NOT_DEALT = "The titles could not be dealt to the tables."


def _minimise(model: highspy.Highs, costs: Sequence[Sequence[int]]) -> list[float]:
    flat = np.array(costs, dtype=np.float64).ravel()
    model.changeColsCost(len(flat), np.arange(len(flat), dtype=np.int32), flat)
    model.run()
    if model.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        raise ValueError(NOT_DEALT)
    return list(model.getSolution().col_value)


def _minimum(model: highspy.Highs) -> float:
    value: float = model.getInfo().objective_function_value
    return value


def _row(costs: Sequence[Sequence[int]]) -> tuple[int, list[int], list[float]]:
    flat = [float(cost) for row in costs for cost in row]
    at = [number for number, cost in enumerate(flat) if cost]
    return len(at), at, [flat[number] for number in at]
