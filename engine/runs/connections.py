"""Connections: the bonus of the first run between two places, and places that count double.

The title's facts name the places (18MW Chicago-San Francisco Connection). It knows no best run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from engine.facts.powers import DoublePower, PassagePower
from engine.position.draft import Draft
from engine.position.frames import Connected
from engine.position.rules import Bonus, RouteBonus
from engine.position.values import CLOSED
from engine.track.network import reach

if TYPE_CHECKING:
    from engine.actions import TrainRun
    from engine.board.hexes import Hex
    from engine.facts.features import ConnectionFacts
    from engine.position.table import Table
    from engine.position.values import CompanyId, Owner, PrivateId


def keeper(table: Table, private: PrivateId) -> Owner:
    """The owner of a private's power, also after it closes; `CLOSED` for nobody (18MW R18)."""
    owner = table.at.privates[private]
    return table.at.heirs.get(private, CLOSED) if owner == CLOSED else owner


def heir(table: Table, private: PrivateId) -> Owner:
    """The owner of what a closed private company leaves behind; "" for nobody."""
    power = table.title.privates[private].power
    lasts = isinstance(power, DoublePower | PassagePower) and not table.begun(power.until)
    owner = table.at.heirs.get(private, CLOSED)
    return owner if lasts and owner != CLOSED else ""


def token_hexes(table: Table) -> Mapping[Hex, ConnectionFacts]:
    """Hex → the connection for whose token a circle there is reserved."""
    return table.title.token_hexes


def has_token(table: Table, company: CompanyId, hex_: Hex) -> bool:
    """Whether a token of the company on a hex is the token of its connection.

    A base is not such a token, so a company with its base there needs two tokens.
    """
    facts = token_hexes(table).get(hex_)
    return facts is not None and token_keeper(table, facts) == company


def token_keeper(table: Table, facts: ConnectionFacts) -> Owner:
    """The owner of a connection's token: "" if there is none yet, CLOSED once it is lost.

    The position records it once the company with its base there has left the game, because other
    tokens may be there from then on (18MW R50). Until then, a token there that is not a base is it.
    """
    there = table.at.stations.get(facts.token, ())
    known = table.at.doubling.get(facts.id)
    if known is not None:
        here = known == CLOSED or any(station.company == known for station in there)
        return known if here else ""
    counts = Counter(station.company for station in there)
    own = (c for c, count in counts.items() if count > (facts.token in table.homes(c)))
    return next(own, "")


def note_station(draft: Draft, company: CompanyId, hex_: Hex) -> None:
    """Before a token is placed, record whether it becomes the token of the hex's connection."""
    facts = draft.title.token_hexes.get(hex_)
    there = (station.company for station in draft.stations.get(hex_, ()))
    if facts is None or (hex_ in draft.table.homes(company) and company not in there):
        return
    has = token_keeper(draft.table, facts)
    draft.set_doubling(facts.id, has or (company if facts.id in draft.connected else ""))


def pass_token(draft: Draft, old: CompanyId, new: Owner, hex_: Hex = "") -> None:
    """Give a company's tokens of connections to another company, or to CLOSED.

    With ``hex_``, only the token on that hex.
    """
    for facts in draft.title.facts.connections:
        if facts.token == (hex_ or facts.token) and token_keeper(draft.table, facts) == old:
            draft.set_doubling(facts.id, new)


def doubled(table: Table, company: CompanyId, hex_: Hex) -> bool:
    """Whether a place counts double for a company, by a private company or a connection's token."""
    for facts in table.title.doubling.get(hex_, ()):
        if isinstance(facts.power, DoublePower) and not table.begun(facts.power.until):
            return keeper(table, facts.id) == company
    return has_token(table, company, hex_)


def doubled_places(table: Table) -> dict[Hex, tuple[CompanyId, ...]]:
    """Hex that counts double → the companies for which it does."""
    return {
        hex_: companies
        for hex_ in (*table.title.doubling, *token_hexes(table))
        if (companies := tuple(c for c in table.at.floated if doubled(table, c, hex_)))
    }


def factor(table: Table, company: CompanyId, hex_: Hex) -> int:
    """The factor by which a place's value is multiplied for a company."""
    return 1 + doubled(table, company, hex_)


def connection_bonuses(table: Table, company: CompanyId) -> tuple[RouteBonus, ...]:
    """The bonuses of connections that nobody has made and the company's track allows.

    If its token was just placed in one of the places, that place counts double for all its trains.
    """
    found: list[RouteBonus] = []
    for facts in _open(table, company):
        found.append(RouteBonus(facts.route, facts.places, beside=True))
        if _token(table, company) == facts.token:
            dollars, number = _worth(table, facts.token), len(found) - 1
            found.append(RouteBonus(dollars, (facts.token,), each=True, needs=number))
    return tuple(found)


def connection_bonus(
    table: Table, company: CompanyId, runs: Sequence[TrainRun]
) -> tuple[Bonus, ...]:
    """The bonuses of runs by connections: (name, dollars, index of the run)."""
    found: list[Bonus] = []
    for facts in _left(table, company):
        by = next((i for i, run in enumerate(runs) if joins(facts, run)), None)
        if by is None:
            continue
        found.append((facts.id, facts.route, by))
        if _token(table, company) == facts.token:
            what, dollars = f"{table.place(facts.token)} doubled", _worth(table, facts.token)
            found += [(what, dollars, i) for i, run in enumerate(runs) if facts.token in run.path]
    return tuple(found)


def joins(facts: ConnectionFacts, run: TrainRun) -> bool:
    """Whether a run goes to both places of a connection."""
    return set(facts.places) <= set(run.path)


def made_by(
    table: Table, company: CompanyId, runs: Sequence[TrainRun]
) -> tuple[ConnectionFacts, ...]:
    """The connections that these runs are the first to make."""
    return tuple(f for f in _open(table, company) if any(joins(f, run) for run in runs))


def supposed(table: Table, company: CompanyId, made: Iterable[str], token: Hex = "") -> Table:
    """The position after a company made these connections, with its token on ``token`` if given."""
    after, ids = Draft(table.title, table.at), tuple(made)
    for connection in ids:
        after.connect(connection, company)
    after.push(Connected(company, (), ids, token))
    return after.table


def _frame(table: Table, company: CompanyId) -> Connected:
    """The frame of the company's new connections; an empty frame if there is no such decision."""
    top = table.at.stack[-1] if table.at.stack else None
    if isinstance(top, Connected) and top.company == company:
        return top
    return Connected(company, (), ())


def _token(table: Table, company: CompanyId) -> Hex:
    return _frame(table, company).token


def _worth(table: Table, hex_: Hex) -> int:
    return table.face(hex_).stops[0].value(table.phase.value_colour)


def _left(table: Table, company: CompanyId) -> list[ConnectionFacts]:
    """Connections that are still open, including those that the company's runs have just made."""
    every = table.title.facts.connections
    made = _frame(table, company).made if every else ()
    return [f for f in every if f.id not in table.at.connected or f.id in made]


def _open(table: Table, company: CompanyId) -> list[ConnectionFacts]:
    """The open connections that the company can make."""
    return [f for f in _left(table, company) if possible(table, company, f)]


def possible(table: Table, company: CompanyId, facts: ConnectionFacts) -> bool:
    """Whether the company's track leads to both places of a connection."""
    return {hex_ for hex_, _ in reach(table, company).stops}.issuperset(facts.places)
