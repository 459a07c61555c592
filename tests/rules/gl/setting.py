"""Words that the proofs of 18GL share: positions, actions, and what they led to."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from engine.actions import BuyBond, BuyShare, IssueShares, RedeemBonds, SellBonds
from engine.flow import Outcome
from engine.position.draft import Draft
from engine.position.frames import Frame
from engine.position.values import MARKET, OFFERING, State, Token
from engine.steps import STEPS
from engine.titles.registry import load_title
from tests.rules.titled import Titled


class GreatLakes(Titled):
    """The words of `tests.rules.setting` for 18GL, and some for what only it has.

    ``on.stock_turn()`` is Ann's turn of stock round 2, no private company left in the game;
    ``on.company`` puts a company into it; ``on.turn`` is a company's operating turn at a step.
    """

    def __init__(self) -> None:
        super().__init__(load_title("18GL"))
        self.GL = self.title

    def company(
        self,
        state: State,
        name: str,
        held: Mapping[str, int],
        *,
        par: int = 100,
        at: tuple[int, int] | None = None,
        treasury: int | None = None,
        market: int = 0,
        offering: int = 0,
        cash: int = 0,
        trains: Sequence[str] = (),
        stations: Sequence[str] = (),
        turns: int = 1,
        loans: int = 0,
        share: int = 10,
        president: str = "",
        home: str = "",
    ) -> State:
        """A company whose shares, in percent, lie with players, in its treasury and elsewhere.

        The first of ``held`` presides. What is not told of lies in the treasury, or, if
        ``treasury`` is given, in the open market. With something in the ``offering`` (percent) it
        has not floated and has no station. ``president`` is the owner of the president's
        certificate where that is not who presides; ``share`` is the percent of one share.
        ``home`` is the one of several homes that it has; ``stations`` come on top of it.
        ``turns`` are its operating turns so far.
        """
        rest = 100 - sum(held.values()) - market - offering
        owners = {**held, MARKET: market, OFFERING: offering}
        if treasury is None:
            owners[name] = rest
        else:
            owners |= {name: treasury, MARKET: market + rest - treasury}
        shares = {owner: (share,) * (percent // share) for owner, percent in owners.items()}
        first = president or next(iter(held))
        shares[first] = (2 * share, *shares[first][2:])
        facts = self.title.companies[name]
        cell = at or self.title.chart.pars[par]
        value = par if not facts.merger else self.title.chart.price(cell)
        state = replace(
            state,
            shares={**state.shares, name: {owner: c for owner, c in shares.items() if c}},
            presidents={**state.presidents, name: next(iter(held))},
            pars={**state.pars, name: value},
            tokens=(*state.tokens, Token(name, cell)),
            floated=state.floated if offering else (*state.floated, name),
            turns={**state.turns, name: turns} if turns and not offering else state.turns,
            loans={**state.loans, name: loans} if loans else state.loans,
        )
        if facts.merger:
            spare = self.title.facts.merger.tokens if self.title.facts.merger else 0
            state = replace(state, charters={**state.charters, name: spare})
        homes = (home or facts.home,) if not offering and not facts.merger else ()
        others = tuple(h for h in facts.homes if homes and h not in homes)
        state = replace(state, shut=(*state.shut, *others))
        for hex_ in (*homes, *stations):
            state = self.station(state, name, hex_)
        found: State = self.money(self.own(state, name, *trains), {name: cash})
        return found

    def turn(
        self,
        step: str,
        name: str,
        *,
        laid: str = "",
        at_phase: str = "2H",
        held: Mapping[str, int] | None = None,
        owns: Mapping[str, str] | None = None,
        cash: int = 500,
        seats: int = 3,
        **more: Any,
    ) -> State:
        """A company's turn at one of its steps, Ann presiding with 60% unless ``held`` says else.

        ``laid`` are tiles, "hex tile rotation" parted by commas; ``owns`` are private companies by
        owner; ``more`` is what `company` takes.
        """
        start = self.phase(self.stock_turn(seats=seats), at_phase)
        state = self.company(start, name, held or {"Ann": 60}, cash=cash, **more)
        state = self.privates(state, owns or {})
        state = self.tiles(state, laid) if laid else state
        found: State = self.operating(state, name, step)
        return found

    def settled(self, state: State) -> Outcome:
        """The position once all is done that needs no decision, and what happened."""
        draft = Draft(self.title, state)
        before: tuple[Frame, ...] | None = None
        while draft.stack and draft.stack is not before:
            before = draft.stack
            STEPS[type(before[-1])].enter(draft, before[-1])
        return Outcome(draft.commit(), tuple(draft.events))

    def waiting(self, state: State) -> State:
        """The position that waits for somebody's decision."""
        return self.settled(state).state

    @staticmethod
    def bonds(state: State, owners: Mapping[str, int]) -> State:
        """Owners of bonds: players, MARKET, or "CR" for those in its treasury."""
        return replace(state, bonds={**state.bonds, **owners})

    @staticmethod
    def loans(state: State, owed: Mapping[str, int]) -> State:
        """Loans that companies owe."""
        return replace(state, loans={**state.loans, **owed})

    @staticmethod
    def buy_treasury(name: str, seat: str = "Ann", *, president: bool = False) -> BuyShare:
        """Buy a share of a company's treasury."""
        return BuyShare(by=seat, company=name, source=name, president=president)

    @staticmethod
    def buy_presidency(name: str, source: str, seat: str = "Ann") -> BuyShare:
        """Buy the president's certificate of a treasury or of the open market."""
        return BuyShare(by=seat, company=name, source=source, president=True)

    @staticmethod
    def buy_bond(seat: str = "Ann") -> BuyBond:
        """Buy a bond of the open market."""
        return BuyBond(by=seat)

    @staticmethod
    def sell_bonds(count: int, seat: str = "Ann") -> SellBonds:
        """Sell bonds to the open market."""
        return SellBonds(by=seat, count=count)

    @staticmethod
    def issue(name: str, shares: int, seat: str = "Ann") -> IssueShares:
        """A company sells shares of its treasury."""
        return IssueShares(by=seat, company=name, shares=shares)

    @staticmethod
    def redeem(name: str, count: int, source: str, seat: str = "Ann") -> RedeemBonds:
        """A company redeems bonds."""
        return RedeemBonds(by=seat, company=name, count=count, source=source)


on = GreatLakes()
