"""Faults of loans, bonds, and the company that a merger forms.

It knows nothing of map and tiles.
"""

from collections.abc import Iterator

from engine.facts.title import Title

#: the event of each phase that may begin with a merger
EVENT = "merger"


def debts(title: Title) -> Iterator[str]:
    """Loans and bonds: their amounts, and the company of the bonds."""
    loans, bonds = title.facts.loans, title.facts.bonds
    if loans is not None and (
        min(loans.value, loans.limit) < 1 or min(loans.interest, loans.loss) < 0
    ):
        yield "loans: value and limit must be more than 0, interest and loss not less"
    if bonds is None:
        return
    if min(bonds.value, bonds.number) < 1 or min(bonds.interest, bonds.loss) < 0:
        yield "bonds: value and number must be more than 0, interest and loss not less"
    if bonds.company not in title.companies:
        yield f"bonds.company: {bonds.company} is not a company"


def mergers(title: Title) -> Iterator[str]:
    """The company that others merge into: its phases, its certificates, its trains."""
    facts = title.facts.merger
    several = title.facts.systems.companies if title.facts.systems else ()
    forming = [c.id for c in title.facts.company if c.merger and c.id not in several]
    if facts is None:
        yield from (f"company {c}: nothing says how it is formed" for c in forming)
        yield from _events(title, ())
        return
    if forming != [facts.company]:
        yield f"merger.company: {facts.company} must be the one company with merger = true"
    yield from _events(title, facts.phases)
    for name in ("first_issue", "both_issues"):
        certificates = getattr(facts, name)
        if sum(certificates) != 100 or set(certificates[1:]) != {certificates[0] // 2}:
            yield f"merger.{name}: a president's certificate of two shares and others, 100% in all"
    if facts.second_issue_from < 3 or facts.bonds_from <= facts.second_issue_from:
        yield "merger: more companies for both issues than two, and more than these for bonds"
    if facts.bonds_from and title.facts.bonds is None:
        yield "merger.bonds_from: there are no bonds"
    tops = {space.price for space in title.chart.rows[0]}
    if facts.least_price not in tops:
        yield f"merger.least_price: {facts.least_price} is not in the top row of the chart"
    if min(facts.tokens, facts.stations_each) < 0:
        yield "merger: tokens and stations_each must not be negative"
    train = title.trains.get(facts.train)
    if train is None:
        yield f"merger.train: there is no train {facts.train}"
    elif (
        not facts.train_count
        or not 1 <= min(facts.train_count) <= max(facts.train_count) <= train.count
    ):
        yield f"merger.train_count: numbers from 1 to {train.count} are expected"


def _events(title: Title, phases: tuple[str, ...]) -> Iterator[str]:
    """Exactly the phases that may begin with a merger have its event."""
    with_event = [p.id for p in title.facts.phase if EVENT in p.events]
    if list(phases) != with_event:
        named = ", ".join(phases) or "none"
        yield f"merger.phases: {named}, but it is an event of {', '.join(with_event) or 'none'}"
