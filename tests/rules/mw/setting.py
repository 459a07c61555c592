"""Words that the proofs of 18MW share: positions, actions, and what they led to."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from engine.actions import BuyBack, DiscardTrain, LetFall, Protect, SwapPrivate
from engine.facts.title import Title
from engine.play.shares import SHARE
from engine.position.values import MARKET, OFFERING, State, Token
from engine.titles.families import mississippi
from engine.titles.registry import title_facts
from tests.rules.titled import Titled


class UpperMidwest(Titled):
    """The words of `tests.rules.setting` for 18MW, and some for what only it has.

    ``on.stock_turn()`` is Ann's turn of stock round 2, no private company left in the game;
    ``on.company`` puts a company into it; ``on.turn`` is a company's operating turn at a step.
    """

    def __init__(self) -> None:
        super().__init__(Title(title_facts("18MW"), mississippi.RULES, frozenset()))

    def company(
        self,
        state: State,
        name: str,
        held: Mapping[str, int],
        *,
        par: int = 100,
        at: tuple[int, int] | None = None,
        treasury: int = 0,
        offering: int = 0,
        market: int = 0,
        cash: int = 0,
        trains: Sequence[str] = (),
        stations: Sequence[str] = (),
        turns: int = 1,
    ) -> State:
        """A company that has floated; shares, in percent, lie with owners and elsewhere.

        What is not told of is in the initial offering. The first of ``held`` presides. ``stations`` come on top of its base; ``turns`` are its
        operating turns so far.
        """
        rest = 100 - sum(held.values()) - treasury - market
        assert rest == offering or not offering
        owners = {**held, name: treasury, MARKET: market, OFFERING: rest}
        shares = {owner: (SHARE,) * (percent // SHARE) for owner, percent in owners.items()}
        first = next(iter(held))
        shares[first] = (2 * SHARE, *shares[first][2:])
        more = self.title.facts.stock.par_tokens.get(str(par), 0)
        state = replace(
            state,
            shares={**state.shares, name: {owner: c for owner, c in shares.items() if c}},
            presidents={**state.presidents, name: first},
            pars={**state.pars, name: par},
            tokens=(*state.tokens, Token(name, at or self.title.chart.pars[par])),
            floated=(*state.floated, name),
            turns={**state.turns, name: turns} if turns else state.turns,
            charters={**state.charters, name: state.charters[name] + more},
        )
        state = self.station(state, name, self.title.companies[name].home, *stations)
        found: State = self.money(self.own(state, name, *trains), {name: cash})
        return found

    def system(
        self,
        state: State,
        name: str,
        held: Mapping[str, tuple[int, ...]],
        *,
        par: int = 100,
        at: tuple[int, int] = (0, 6),
        cash: int = 0,
        of: tuple[str, str] = ("CNW", "GMO"),
    ) -> State:
        """A system with its certificates by owner, in percent; the first of ``held`` presides.

        What is not told of lies in its treasury. It has no stations; ``of`` are those it formed of.
        """
        facts = self.title.facts.systems
        assert facts is not None
        rest = list(facts.certificates)
        for percent in (percent for certificates in held.values() for percent in certificates):
            rest.remove(percent)
        shares = {**held, name: tuple(rest)}
        state = replace(
            state,
            shares={**state.shares, name: {owner: c for owner, c in shares.items() if c}},
            presidents={**state.presidents, name: next(iter(held))},
            pars={**state.pars, name: par},
            tokens=(*state.tokens, Token(name, at)),
            floated=(*state.floated, name),
            turns={**state.turns, name: 1},
            formed={**state.formed, name: of},
        )
        found: State = self.money(state, {name: cash})
        return found

    def turn(
        self,
        step: str,
        name: str,
        *,
        laid: str = "",
        at_phase: str = "1",
        held: Mapping[str, int] | None = None,
        cash: int = 500,
        earned: int = 0,
        **more: Any,
    ) -> State:
        """A company's turn at one of its steps, Ann presiding with 60% unless ``held`` says else.

        ``laid`` are tiles, "hex tile rotation" parted by commas; ``earned`` dollars of its run;
        ``more`` is what `company` takes.
        """
        start = self.phase(self.stock_turn(), at_phase)
        state = self.company(start, name, held or {"Ann": 60}, cash=cash, **more)
        state = self.tiles(state, laid) if laid else state
        found: State = self.operating(state, name, step)
        return replace(found, earned={name: earned}) if earned else found

    def protect(self, which: str = "all", seat: str = "Bob") -> Protect:
        """Keep a price."""
        return Protect(by=seat, which=which)

    def let_fall(self, which: str = "all", seat: str = "Bob") -> LetFall:
        """Let a price fall."""
        return LetFall(by=seat, which=which)

    def redeem(self, shares: int, name: str, seat: str = "Ann") -> BuyBack:
        """Redeem shares of the market."""
        return BuyBack(by=seat, company=name, shares=shares)

    def swap(self, name: str, source: str = OFFERING, seat: str = "Ann") -> SwapPrivate:
        """Exchange the Lacrosse and Milwaukee for a share."""
        return SwapPrivate(by=seat, private="LCM", company=name, source=source)

    def discard(self, name: str, train: str, seat: str = "Ann") -> DiscardTrain:
        """Give up a train over the limit."""
        return DiscardTrain(by=seat, company=name, train=train)


on = UpperMidwest()
