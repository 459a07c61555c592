"""A second model of 18MW Share Price Protection, in plain numbers, against the engine."""

import random
from collections.abc import Iterable

import pytest

from engine.position.frames import Protection
from engine.position.values import State
from tests.rules.mw.setting import on

pytestmark = [
    pytest.mark.rule("18MW Share Price Protection"),
    pytest.mark.rule("18MW R7"),
]

#: one column of the chart from the top; from 60 down nothing counts toward the certificate limit
LADDER = (100, 90, 85, 80, 75, 70, 65, 60, 55, 50, 45)
COUNTED, LIMIT = 65, 20
SOLD = ("IC", "NP", "MP", "CNW")


class Model:
    """What the rulebook says: one company after the other, its price falls or it does not."""

    def __init__(self, deal: "Deal") -> None:
        self.row = dict(deal.rows)
        self.cash = dict(deal.cash)
        self.percent = {name: dict(held) for name, held in deal.held.items()}
        self.president = dict(deal.president)

    def certificates(self, seat: str) -> int:
        """Those that count; a president's is one of 20%."""
        return sum(
            self.percent[name].get(seat, 0) // 10 - (self.president[name] == seat)
            for name in self.percent
            if LADDER[self.row[name]] >= COUNTED
        )

    def settle(self, blocks: dict[str, int], wanted: Iterable[str]) -> None:
        """All blocks, the dearest first; of one price as they lie on the chart, top first."""
        order = sorted(blocks, key=lambda name: (self.row[name], list(self.row).index(name)))
        for name in order:
            seat, count = self.president[name], blocks[name]
            cost = LADDER[self.row[name]] * count
            more = count if LADDER[self.row[name]] >= COUNTED else 0
            fits = not more or self.certificates(seat) + more <= LIMIT
            if name in wanted and fits and cost <= self.cash[seat]:
                self.cash[seat] -= cost
                self.percent[name][seat] += 10 * count
            else:
                self.row[name] += count


class Deal:
    """A random position in which Ann sells, and what presidents would like to keep."""

    def __init__(self, seed: int) -> None:
        lot = random.Random(seed)
        self.rows = {name: lot.choice((3, 4, 5, 6, 6, 7)) for name in SOLD}
        self.president = {name: lot.choice(("Bob", "Cas")) for name in SOLD}
        self.cash = {seat: lot.choice((70, 150, 300, 900)) for seat in ("Bob", "Cas")}
        self.held = {name: {self.president[name]: 40, "Ann": 30} for name in SOLD}
        for name in SOLD:
            other = "Cas" if self.president[name] == "Bob" else "Bob"
            self.held[name][other] = lot.choice((0, 10, 20))
        # the other corporations fill Bob's hand
        for name, percent in (("GMO", 60), ("SP", lot.choice((50, 60)))):
            self.rows[name], self.president[name] = 2, "Bob"
            self.held[name] = {"Bob": percent}
        self.blocks = {name: lot.choice((1, 1, 2)) for name in SOLD if lot.random() < 0.8}
        self.wanted = {name for name in SOLD if lot.random() < 0.7}

    def state(self) -> State:
        """The same for the engine."""
        state = on.stock_turn()
        for name, held in self.held.items():
            state = on.company(state, name, held, at=(self.rows[name], 6))
        return on.money(state, self.cash)


def played(deal: Deal) -> State:
    """Ann sells, and each president who is asked keeps what they would like to keep."""
    state = on.after(deal.state(), *(on.sell(n, name) for name, n in deal.blocks.items()))
    state = on.after(state, on.done())
    while isinstance(state.stack[-1], Protection):
        (seat,) = on.waits_for(state)
        names = [block.company for block in state.stack[-1].blocks]
        first = next(company for company in on.table(state).priced() if company in names)
        answer = on.protect if first in deal.wanted else on.let_fall
        state = on.after(state, answer(first, seat))
    return state


def test_the_engine_settles_blocks_as_the_rulebook_tells() -> None:
    """Prices, money and holdings of some hundred sales; many of them decide about a limit."""
    kept = fallen = 0
    for seed in range(80):
        deal = Deal(seed)
        model = Model(deal)
        for name, count in deal.blocks.items():
            model.percent[name]["Ann"] -= 10 * count
        model.settle(deal.blocks, deal.wanted)
        state = played(deal)
        for name in SOLD:
            told = (seed, name)
            assert on.table(state).cell(name) == (model.row[name], 6), told
            for seat in ("Ann", "Bob", "Cas"):
                assert on.percent(state, name).get(seat, 0) == model.percent[name][seat], told
        for seat in deal.cash:
            assert state.cash[seat] == model.cash[seat], seed
        kept += sum(model.row[name] == deal.rows[name] for name in deal.blocks)
        fallen += sum(model.row[name] > deal.rows[name] for name in deal.blocks)
    assert min(kept, fallen) > 50
