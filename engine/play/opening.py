"""The beginning of a game: seating order, what is drawn by lot, what everybody starts with."""

from collections.abc import Iterator, Sequence
from random import Random

from engine.events import PrivateDrawn
from engine.facts.facts import Facts
from engine.facts.powers import TrainPower
from engine.facts.title import Title
from engine.play.rounds import begin_stock_round
from engine.play.shares import whole
from engine.position.draft import Draft
from engine.position.values import (
    BANK,
    CLOSED,
    MARKET,
    OFFERING,
    REMOVED,
    Owner,
    PrivateId,
    Round,
    Seat,
    State,
    TrainType,
)


def opening(title: Title, players: Sequence[Seat], seed: int | None) -> Draft:
    """Begin the first round of a game, as `engine.flow.new_game` describes.

    Raises ValueError for a number of players, or for names, that the title does not allow.
    """
    names = list(players)
    _check_names(title, names)
    lot = None if seed is None else Random(seed)
    if lot is not None:
        lot.shuffle(names)
    drawn = [(g, lot.choice(g) if lot else g[0]) for g in title.facts.stock.drawn]
    out = [p for group, chosen in drawn for p in group if p != chosen]
    draft = Draft(title, _state(title, names, out))
    for group, chosen in drawn:
        draft.record(PrivateDrawn(chosen, tuple(p for p in group if p != chosen)))
    begin_stock_round(draft)
    return draft


def _check_names(title: Title, names: list[Seat]) -> None:
    if len(names) not in title.seats:
        numbers = f"{title.seats[0]} to {title.seats[-1]}"
        raise ValueError(f"{title.name} is for {numbers} players, not {len(names)}")
    places = (BANK, MARKET, OFFERING, CLOSED, REMOVED)
    taken = {w.lower() for w in (*title.companies, *title.privates, *places)}
    for name in names:
        if name.lower() in taken or names.count(name) > 1:
            raise ValueError(f"a player cannot be called {name} here: the name is taken")


def _state(title: Title, seats: Sequence[Seat], out: Sequence[PrivateId]) -> State:
    """The position before the first round; ``out`` are private companies left out by lot."""
    facts = title.facts
    cash = {name: facts.players[str(len(seats))].cash for name in seats}
    cash |= dict.fromkeys(title.companies, 0)
    cash[BANK] = facts.bank - sum(cash.values())
    return State(
        number=-1,
        seats=tuple(seats),
        priority=seats[0],
        round=Round("SR", 0),
        phase=facts.phase[0].id,
        stack=(),
        cash=cash,
        shares=dict(_shares(facts)),
        presidents={},
        pars={},
        tokens=(),
        floated=(),
        turns={},
        trains=_trains(facts),
        privates={p: CLOSED if p in out else OFFERING for p in title.privates},
        spent=(),
        bids={},
        marks=(),
        tiles={},
        stations={},
        charters={c.id: c.tokens for c in facts.company},
        sold={},
        insist=tuple(seats),
        earned={},
    )


def _shares(facts: Facts) -> Iterator[tuple[str, dict[Owner, tuple[int, ...]]]]:
    """All certificates in the IPO; a company yet to be formed has none."""
    for company in facts.company:
        yield company.id, {} if company.merger else {OFFERING: whole(facts, company)}


def _trains(facts: Facts) -> dict[Owner, tuple[TrainType, ...]]:
    offering = tuple(t.type for t in facts.train if not t.gift for _ in range(t.count or 1))
    gifts = {p.id: (p.power.train,) for p in facts.private if isinstance(p.power, TrainPower)}
    return {OFFERING: offering, MARKET: (), **gifts}
