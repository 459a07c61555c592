"""Replays an exported game by our rules: judges and plays its actions in order.

It judges each action by the step for which 18xx.games waits at that moment, and does not look
ahead. Knows no files and no traces.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from engine.actions import Accept, Action, Pass
from engine.flow import agreed_end, apply, new_game
from engine.position.frames import (
    Auction,
    CityChoice,
    Discard,
    Founding,
    Home,
    OperatingTurn,
    PrivateTurn,
    Question,
    Running,
    StockTurn,
)
from engine.position.table import Table
from engine.position.values import CompanyId, Seat, State
from engine.refusal import Illegal
from engine.steps.judging.forced import must_buy
from service.exchange.history import Deed
from service.exchange.kinds import kind_of
from service.exchange.kinds.kind import RefusedDeed
from service.exchange.kinds.stock import largest_sale
from service.exchange.kinds.trains import BANKRUPT, ends_trains, run_by
from service.exchange.pace import STAGES, UNPASSED, Stage, asked, next_stop
from service.exchange.translator import Translator

PASSES_OUT_OF_TURN = "{actor} passes, but it is not its turn"
PASSES_BUT_MUST_ACT = "{actor} passes, but has to act"

#: if more turns than this end without an action, Waybill has a bug
_PATIENCE = 100

#: our frames in which a player's pass ends the turn
_PLAYERS = (StockTurn, PrivateTurn, Auction)
#: our frames in which 18xx.games always waits for a player
_WAITING = {PrivateTurn, Auction, Discard, Founding}
#: our frame → the only type of action that 18xx.games accepts there
_ALONE = {
    Home: "place_token",
    CityChoice: "place_token",
    Discard: "discard_train",
    Founding: "par",
}


class ReplayedGame:
    """A game during its replay.

    Its players do not insist on best runs, and no sale waits for the other side's consent.
    """

    def __init__(self, to: Translator, seats: Sequence[Seat], deeds: Sequence[Deed]) -> None:
        """Raises ValueError for players that the title cannot have."""
        self.title = to.title
        self.to = to
        self.deeds = deeds
        self.state: State = replace(new_game(to.title, seats).state, insist=())
        #: all actions played so far, in our words
        self.actions: list[Action] = []
        #: the operating company's place in their order of steps
        self._stage = Stage.TRACK
        self._turn: tuple[object, ...] = ()

    def play(self, index: int) -> str | None:
        """Play one deed and end the steps that it ends; give any difference from their figures.

        Raises Refused if our rules forbid it, NeighbourError if it cannot be understood.
        """
        deed = self.deeds[index]
        remark = None
        if not self.state.stack:
            raise RefusedDeed(deed.id, f"{deed.type}: the game is over")
        match deed.type:
            case "pass":
                self._pass(deed)
            case "end_game":
                self._stop(deed)
            case "bankrupt":
                self._bankrupt(deed)
            case _:
                remark = self._act(deed)
        self._settle(deed)
        return remark

    # deeds

    def _do(self, deed: Deed, action: Action) -> None:
        """Play an action for which the deed names no pieces."""
        before = self.state
        self._apply(deed, action)
        self.to.pieces.settle(before, self.state)

    def _apply(self, deed: Deed, action: Action) -> None:
        try:
            self.state = apply(self.title, self.state, action).state
        except Illegal as refused:
            raise RefusedDeed(deed.id, f"{deed.type}: {refused.refusal.text}") from refused
        self.actions.append(action)

    def _act(self, deed: Deed) -> str | None:
        kind = kind_of(deed)
        kind.check(deed)
        self._check_step(deed, kind.stage)
        action = kind.read(self.to, self.state, deed)
        before = self.state
        self._apply(deed, action)
        remark = kind.remark(self.to, before, deed, action) if kind.remark else None
        top = self.state.stack[-1] if self.state.stack else None
        if isinstance(top, Question):
            self._apply(deed, Accept(by=top.asked))
        if kind.note:
            kind.note(self.to.pieces, deed.raw, action, before, self.state)
        self.to.pieces.settle(before, self.state)
        if type(before.stack[-1]) not in _ALONE and kind.stage in _ONCE:
            self._stage = STAGES[kind.stage + 1]
        if ends_trains(self.title, self.state, action):
            self._stage = Stage.PRIVATES
        return remark

    def _check_step(self, deed: Deed, stage: Stage | None) -> None:
        """Raise an error if the step that waits there does not accept a deed of this stage."""
        frame = type(self.state.stack[-1])
        if frame in _ALONE:
            fits = deed.type == _ALONE[frame]
        elif self._company() is None:
            fits = True
        else:
            fits = deed.type not in _ALONE_TYPES and stage in (None, self._stage)
        if not fits:
            raise RefusedDeed(deed.id, f"{deed.type}: another step comes first")

    def _pass(self, deed: Deed) -> None:
        """Pass: for a player the turn ends; for a company one step ends."""
        frame = self.state.stack[-1]
        actor = self.to.actor(self.state, deed)
        if isinstance(frame, _PLAYERS):
            self._do(deed, Pass(by=actor))
            return
        company = self._company()
        if actor != company or deed.raw.get("entity_type") == "company":
            raise RefusedDeed(deed.id, PASSES_OUT_OF_TURN.format(actor=actor))
        forced = self._stage is Stage.TRAINS and must_buy(Table(self.title, self.state), company)
        if type(frame) in _ALONE or self._stage in UNPASSED or forced:
            raise RefusedDeed(deed.id, PASSES_BUT_MUST_ACT.format(actor=actor))
        self._stage = STAGES[self._stage + 1]

    def _stop(self, deed: Deed) -> None:
        """The players end the game by agreement."""
        self.to.actor(self.state, deed)
        self.state = agreed_end(self.title, self.state).state

    def _bankrupt(self, deed: Deed) -> None:
        """A player goes bankrupt after all possible sales, the operating company's shares last."""
        company = self._company()
        if company is None or self.to.actor(self.state, deed) != company:
            raise RefusedDeed(deed.id, "bankrupt: only who operates can go bankrupt")
        self._check_step(deed, BANKRUPT.stage)
        by = self.state.presidents[company]
        others = [other for other in self.state.pars if other != company]
        for other in (*others, company):
            if sale := largest_sale(self.title, self.state, by, other):
                self._do(deed, sale)
        self._do(deed, BANKRUPT.read(self.to, self.state, deed))

    # steps that end by themselves

    def _company(self) -> CompanyId | None:
        """The operating company; its turn is the frame just below the present decision."""
        for frame in self.state.stack[-2::-1]:
            if type(frame) is OperatingTurn:
                return frame.company
        return None

    def _settle(self, deed: Deed) -> None:
        """End steps and turns until 18xx.games waits for somebody."""
        for _ in range(_PATIENCE):
            stack = self.state.stack
            if not stack or type(stack[-1]) in _WAITING:
                return
            top = stack[-1]
            if type(top) is StockTurn:
                if asked(self.title, self.state, top):
                    return
                self._do(deed, Pass(by=top.seat))
            elif self._waits_in_turn(deed):
                return
        raise RuntimeError(f"the game does not settle: {self.state.stack}")

    def _waits_in_turn(self, deed: Deed) -> bool:
        """Go to the step of a company's turn that waits; end the turn if there is none."""
        company = self._company()
        assert company is not None
        turn = (self.state.round, company)
        if turn != self._turn:
            self._turn, self._stage = turn, Stage.TRACK
        if type(self.state.stack[-1]) in _ALONE:
            return True
        self._stage, self.state = next_stop(self.title, self.state, company, self._stage)
        by = self.state.presidents[company]
        if self._stage > Stage.ROUTE and isinstance(self.state.stack[-1], Running):
            # trains without a route stay at home
            self._do(deed, run_by(self.state, company))
        if self._stage is Stage.OVER and self._company() == company:
            self._do(deed, Pass(by=by))
        return self._stage is not Stage.OVER


#: stages that end with one deed
_ONCE = (Stage.TOKEN, Stage.ROUTE, Stage.DIVIDEND)
#: types of action that belong to one step and fit no other step of a company's turn
_ALONE_TYPES = ("discard_train", "par", "bid")
