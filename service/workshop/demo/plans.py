"""A recorded game as players who use advance orders would email it: an email has a whole plan.

Orders contain only recorded moves, and only if the order plays the same actions in the position of
its turn. Commands that wait for an answer stay in the email that asks.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import engine
from engine import Action, Seat, State, Title
from engine.notation import NotationError, parse, split
from engine.notation.position import turn_company
from service.games.orders import Book, GivenOrder, Trial
from service.orders import grammar
from service.orders.building import Names
from service.reports.example import turn_on
from service.workshop.demo.troupe import PlayerLines
from service.workshop.practice.script import Script, ScriptTurn


@dataclass(frozen=True)
class PlannedTurn:
    """A turn of a player, or the rest of it after an answer."""

    seat: Seat
    state: State
    text: tuple[str, ...]
    actions: tuple[Action, ...]
    #: slips before it, each with the number of its lines that were already written
    slips: tuple[tuple[int, str], ...] = ()

    @property
    def asked(self) -> str:
        """The decision."""
        return f"{self.seat} {engine.decision(self.state)}"

    @property
    def company(self) -> str:
        """The company that operates by it, "" for none."""
        question = engine.question(self.state) is not None
        return "" if question else turn_company(self.state)


def planned(script: Script) -> list[PlayerLines]:
    """The emails of a recorded game, with orders for later turns of a round or set."""
    title = engine.load_title(script.title, frozenset(script.variants))
    deeds = list(_deeds(script, title))
    plan = _Plan(title, deeds)
    found: list[PlayerLines] = []
    for place, deed in enumerate(deeds):
        if place not in plan.covered:
            found += plan.mails(place, deed)
    return found


def _deeds(script: Script, title: Title) -> Iterator[PlannedTurn]:
    state = engine.new_game(title, script.players, script.seed).state
    deed: PlannedTurn | None = None
    for turn in script.lines:
        if not isinstance(turn, ScriptTurn):
            continue
        if deed is None or deed.asked != f"{turn.seat} {engine.decision(state)}":
            if deed is not None:
                yield deed
            deed = PlannedTurn(turn.seat, state, (), ())
        if turn.refused:
            deed = replace(deed, slips=(*deed.slips, (len(deed.text), turn.text)))
            continue
        for command in split(turn.text):
            action = parse(title, state, turn.seat, command)
            state = engine.apply(title, state, action).state
            deed = replace(deed, text=(*deed.text, command), actions=(*deed.actions, action))
    if deed is not None:
        yield deed


@dataclass
class _Plan:
    """The deeds that other emails bring about."""

    title: Title
    deeds: Sequence[PlannedTurn]
    covered: set[int] = field(default_factory=set)

    def mails(self, place: int, deed: PlannedTurn) -> Iterator[PlayerLines]:
        """The emails of a deed: its slips, and then the whole deed with its orders."""
        text, rest = list(deed.text), self._behind(place)
        for later in rest:
            text += self.deeds[later].text
        self.covered.update(rest)
        orders = [*self._orders(max((place, *rest)), deed)]
        sent, goes_on = 0, False
        for count, slip in deed.slips:
            if count > sent:
                yield PlayerLines(deed.seat, (*text[sent:count], "more"), False, goes_on)
                sent, goes_on = count, True
            yield PlayerLines(deed.seat, (slip,), True, goes_on)
            goes_on = True
        yield PlayerLines(deed.seat, (*text[sent:], *orders), False, goes_on)

    def _behind(self, place: int) -> list[int]:
        """The deeds that continue this one's turn after questions of its player."""
        found, deed = [], self.deeds[place]
        # a company may also decide outside a turn, as when it floats and chooses its home
        if deed.company and turn_on(deed.state):
            for later in range(place + 1, len(self.deeds)):
                other = self.deeds[later]
                if engine.question(other.state) is not None:
                    continue
                if turn_on(other.state) != turn_on(deed.state) or other.slips:
                    break
                found.append(later)
        return found

    def _orders(self, place: int, deed: PlannedTurn) -> Iterator[str]:
        """Later decisions of the same player, as orders."""
        if engine.question(deed.state) is not None:
            return
        if deed.state.round.kind == "SR":
            yield from self._stock(place, deed)
        else:
            yield from self._operating(place, deed)

    def _later(self, place: int, seat: Seat) -> Iterator[tuple[int, PlannedTurn]]:
        """The later deeds of a player in the same set of rounds, of their own decisions."""
        number, kind = self.deeds[place].state.round.number, self.deeds[place].state.round.kind
        for later in range(place + 1, len(self.deeds)):
            deed = self.deeds[later]
            if (deed.state.round.number, deed.state.round.kind) != (number, kind):
                return
            if deed.seat == seat and later not in self.covered:
                yield later, deed

    def _stock(self, place: int, deed: PlannedTurn) -> Iterator[str]:
        """The rest of a stock round: one purchase per turn, then passes."""
        steps, places = [], []
        for later, other in self._later(place, deed.seat):
            if engine.question(other.state) is not None:
                continue
            step = self._step(other, "{}")
            if not step or other.slips:
                return
            steps.append(step)
            places.append(later)
        if not places:
            return
        while steps and steps[-1] == "pass":
            steps.pop()
        self.covered.update(places)
        if not steps:
            yield "pass until round ends"
        else:
            yield f"{' then '.join((*steps, 'pass until round ends'))}"

    def _operating(self, place: int, deed: PlannedTurn) -> Iterator[str]:
        """Turns of the player's companies in this set, as far as orders can say them."""
        steps: dict[str, list[str]] = {}
        last: dict[str, int] = {}
        over: set[str] = set()
        for later, other in self._later(place, deed.seat):
            company = other.company
            if not company or company in over:
                continue
            step = "" if other.slips else self._step(other, f"operate {company}: {{}}")
            if not step or not self._whole(later):
                over.add(company)
                continue
            steps.setdefault(company, []).append(step)
            last[company] = other.state.round.part
            self.covered.add(later)
        begun = deed.state.round.part
        for company, turns in steps.items():
            # the last step repeats in each turn until the order ends
            rounds = "" if len(turns) == 1 else f" for {last[company] - begun + 1} rounds"
            life = rounds if company in over else " for set"
            yield f"operate {company}: {' then '.join(turns)}{life}"

    def _whole(self, place: int) -> bool:
        """Whether a company's turn needs no answer of another player."""
        return not self._behind(place) and not any(
            turn_on(deed.state) == turn_on(self.deeds[place].state)
            for deed in self.deeds[max(0, place - 2) : place]
        )

    def _step(self, deed: PlannedTurn, head: str) -> str:
        """A deed as a step of an order that plays the same in its position; "" if none does."""
        ends = [a for a in deed.actions if not a.passes]
        pairs = list(zip(deed.text, deed.actions, strict=True))
        plain = [t for t, a in pairs if not a.passes]
        best = ["run" if a.runs else t for t, a in pairs if a in ends]
        for texts in (best, plain):
            step = ", ".join(texts) or ("pass" if deed.state.round.kind == "SR" else "done")
            if self._plays(deed, head.format(step)):
                return step
        return ""

    def _plays(self, deed: PlannedTurn, text: str) -> bool:
        try:
            order = grammar.read(Names(self.title, deed.state.seats), text)
        except NotationError:
            return False
        where = (deed.state.number, deed.state.round)
        book = Book((GivenOrder(1, 1, deed.seat, order, text, *where),))
        trial = Trial(self.title, deed.state, deed.seat, deed.state.number + 1, book)
        _, tried = trial.first()
        if tried is None or tried.outcome is None:
            return False
        return tuple(played.action for played in tried.outcome.played) == deed.actions
