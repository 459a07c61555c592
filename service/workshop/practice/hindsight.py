"""Finds the decisions of a finished game that advance orders would have made.

The rules are in ``docs/handovers.md``. Only orders count that the player could have written with
their last email, and that lead to the same position as their own decision.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

import engine
from engine import Seat, State, Title
from engine.actions import BidPrivate, BuyShare
from service.commands.command import Command
from service.games import changes
from service.games.playing import Play
from service.reports.example import turn_on
from service.workshop.practice.decided import Decided
from service.workshop.practice.followed import Elsewhere, Followed

#: kinds of advance orders
Kind = Literal["pass", "buy", "operate"]
#: turns of one company planned ahead that do more than run and pay
LAID_OUT = 1
#: different turns of a stock round planned ahead; a repeated purchase counts once
_DIFFERENT = 2
#: the meaning of `pass round`
_PASS_ROUND = "pass until alarm or round ends"


@dataclass(frozen=True)
class PossibleOrder:
    """An order that a player could have given with a decision, and the decisions that it makes."""

    place: int
    seat: Seat
    text: str
    #: the places of the decisions
    takes: tuple[int, ...]


class Hindsight:
    """The decisions of a game, and those that earlier emails and orders could have made."""

    def __init__(self, title: Title, decisions: Sequence[Decided]) -> None:
        self.title, self.decisions = title, decisions
        self._followed = Followed(title, decisions)

    def behind(self) -> set[int]:
        """Decisions that continue a turn and could have been in its first email."""
        found: set[int] = set()
        for place in range(len(self.decisions)):
            if place not in found:
                found.update(self._rest(place))
        return found

    def orders(
        self, kinds: frozenset[Kind], behind: set[int], progress: Callable[[int], None]
    ) -> Iterator[PossibleOrder]:
        """The orders of all players; with each email a player gives new ones."""
        taken: set[int] = set()
        for place in range(len(self.decisions)):
            progress(place)
            if place in taken or place in behind:
                continue
            plans = list(self._plans(place, kinds))
            used = self._used(place, plans, behind)
            taken |= used
            for plan in plans:
                takes = tuple(p for p in plan.takes if p in used)
                if takes:
                    yield PossibleOrder(place, plan.seat, plan.text, takes)

    def _used(self, place: int, plans: list[PossibleOrder], behind: set[int]) -> set[int]:
        """The decisions that plans make together, until their player is asked and gives others.

        A plan that stops the others is left out.
        """
        while plans:
            with suppress(Elsewhere):
                texts = [plan.text for plan in plans]
                return set(self._followed.takes(place, texts, behind))
            plans.pop()
        return set()

    def _rest(self, place: int) -> list[int]:
        """The decisions that continue a turn after questions to others."""
        first, rest = self.decisions[place], []
        for later in range(place + 1, len(self.decisions)):
            one = self.decisions[later]
            question = engine.question(one.before)
            if one.seat == first.seat and _turn(one.before) == _turn(first.before):
                rest.append(later)
            elif question is None or question.by != first.seat:
                break
        while rest and not self._waits(place, rest):
            rest.pop()
        return rest

    def _waits(self, place: int, rest: Sequence[int]) -> bool:
        """Whether the commands of later decisions may wait in the email of the first."""
        first = self.decisions[place]
        texts = [t for p in (place, *rest) for t in self.decisions[p].texts]
        commands = [Command(n, "play", t, t) for n, t in enumerate(texts, 1)]
        play = Play(self.title, first.before, first.seat, first.before.number + 1)
        outcome = changes.carry_out(play, commands, keep_open=True)
        return outcome.done and len(texts) - len(outcome.rest) == len(first.texts)

    def _plans(self, place: int, kinds: frozenset[Kind]) -> Iterator[PossibleOrder]:
        one = self.decisions[place]
        if not one.after.stack:
            return
        if one.after.round.kind == "SR":
            yield from self._stock(place, kinds)
            if "buy" in kinds:
                yield from self._bids(place)
        if "operate" in kinds:
            yield from self._operating(place)

    def _best(self, place: int, texts: Iterator[str]) -> Iterator[PossibleOrder]:
        """The order that makes the most decisions; None if none makes any."""
        best: PossibleOrder | None = None
        for text in texts:
            try:
                takes = self._followed.takes(place, [text])
            except Elsewhere:
                continue
            if takes and (best is None or len(takes) > len(best.takes)):
                best = PossibleOrder(place, self.decisions[place].seat, text, tuple(takes))
        if best is not None:
            yield best

    # stock rounds

    def _stock(self, place: int, kinds: frozenset[Kind]) -> Iterator[PossibleOrder]:
        """The player's other turns of the stock round: purchases in turn, then passes."""
        after = self.decisions[place].after
        turns = [
            later
            for later in self._followed.later(place)
            if self.decisions[later].before.round == after.round
            and self.decisions[later].stock_turn
        ]
        yield from self._best(place, self._stock_orders(place, turns, kinds))

    def _stock_orders(
        self, place: int, turns: Sequence[int], kinds: frozenset[Kind]
    ) -> Iterator[str]:
        steps = self._purchases(place, turns) if "buy" in kinds else []
        for count in range(len(steps), -1, -1):
            chosen = steps[:count]
            if "pass" in kinds:
                yield f"standing {' then '.join((*chosen, _PASS_ROUND))}"
            if chosen:
                yield f"standing {' then '.join((*chosen, 'ask'))}"

    def _purchases(self, place: int, turns: Sequence[int]) -> list[str]:
        """A turn of any kind, then single purchases, all possible at the time of the order."""
        one = self.decisions[place]
        found: list[str] = []
        state: State | None = one.after
        for later in turns:
            decision = self.decisions[later]
            bought = [action for action in decision.actions if not action.passes]
            single = len(bought) == 1 and isinstance(bought[0], BuyShare)
            if decision.passes or (found and not single):
                break
            step = ", ".join(decision.plain)
            if len({*found, step}) > _DIFFERENT:
                break
            if not self._followed.same(later, f"next: {step}"):
                break
            state = state and self._followed.supposed(state, one.seat, f"next: {step}")
            if state is None:
                break
            found.append(step)
        return found

    def _bids(self, place: int) -> Iterator[PossibleOrder]:
        """A limit in the auction of a private company on which the player has bid."""
        one = self.decisions[place]
        later = [self.decisions[p] for p in self._followed.later(place)]
        for private in dict.fromkeys(d.auction for d in later if d.auction):
            bids = one.after.bids.get(private, ())
            mine = [bid.amount for bid in bids if bid.seat == one.seat]
            mine += [
                a.amount
                for d in later
                for a in d.actions
                if isinstance(a, BidPrivate) and a.private == private
            ]
            if mine and mine[0] and max(mine) <= one.after.cash[one.seat]:
                yield from self._best(place, iter((f"standing bid {private} up to {max(mine)}",)))

    # operating rounds

    def _operating(self, place: int) -> Iterator[PossibleOrder]:
        """Turns of the player's companies up to the end of the set of rounds."""
        one = self.decisions[place]
        number = one.after.round.number
        turns: dict[str, list[int]] = {}
        for later in self._followed.later(place):
            decision = self.decisions[later]
            if decision.before.round.number != number:
                break
            if decision.company and decision.before.round.kind == "OR":
                turns.setdefault(decision.company, []).append(later)
        for company, places in turns.items():
            orders = self._company_orders(place, company, places)
            yield from self._best(place, orders)

    def _company_orders(self, place: int, company: str, turns: Sequence[int]) -> Iterator[str]:
        steps = self._turns(place, company, turns)
        if len(steps) == len(turns) and steps:
            yield f"operate {company}: {' then '.join(steps)} for set"
        for count in range(len(steps), 0, -1):
            yield f"operate {company}: {' then '.join((*steps[:count], 'ask'))} for set"

    def _turns(self, place: int, company: str, turns: Sequence[int]) -> list[str]:
        """Turns that are possible at the time of the order; few have more than a run."""
        one, more = self.decisions[place], 0
        found: list[str] = []
        state: State | None = one.after
        for later in turns:
            decision = self.decisions[later]
            more += any(not t.startswith(("run", "pay", "withhold")) for t in decision.plain)
            if more > LAID_OUT:
                break
            step = self._turn_step(later, f"operate {company}: ")
            if step and state is not None:
                state = self._followed.supposed(state, one.seat, f"operate {company}: {step}")
            if not step or state is None:
                break
            found.append(step)
        return found

    def _turn_step(self, place: int, head: str) -> str:
        """A company's turn as a step of an order with the same result; "" if there is none."""
        decision = self.decisions[place]
        for texts in (decision.best, decision.plain):
            step = ", ".join(texts) or "done"
            if self._followed.same(place, f"{head}{step}"):
                return step
        return ""


def _turn(state: State) -> object:
    return turn_on(state) or engine.interrupted(state) or engine.decision(state)
