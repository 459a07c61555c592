"""The course of an exported game by our rules: its actions played, turns ended where theirs end.

Knows no files and no traces.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from engine.actions import (
    Accept,
    Action,
    BuyPrivate,
    Done,
    GoBankrupt,
    Run,
    SellShares,
)
from engine.facts.title import Title
from engine.flow import apply, new_game, why_not
from engine.play.ending import end_game
from engine.play.shares import SHARE
from engine.position.draft import Draft
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
    Track,
)
from engine.position.table import Table
from engine.position.values import CompanyId, Ending, Seat, State
from engine.refusal import Illegal
from engine.runs.routes import RunValue, explain
from engine.steps.stock.private_sale import first_price
from service.exchange.history import Deed
from service.exchange.pace import STAGE_OF, UNPASSED, Stage, asked, ends_trains, passed_over, waits
from service.exchange.reading import Reader, RefusedDeed

#: more turns than this that end without an action mean that the players do not fit
_PATIENCE = 24


class Course:
    """A game that is being replayed: the deeds to come are known, for turns end unsaid.

    Their players do not insist on best runs, and the other side of a sale is never asked.
    """

    def __init__(
        self,
        title: Title,
        reader: Reader,
        seats: Sequence[Seat],
        deeds: Sequence[Deed],
        ends: bool,
    ) -> None:
        """``ends``: whether their game is over after the last deed. ValueError for players."""
        self._ends = ends
        self.title = title
        self.reader = reader
        self.deeds = deeds
        self.state: State = replace(new_game(title, seats).state, insist=())
        #: all that was played, in our words
        self.actions: list[Action] = []
        #: where the company that operates stands in their order of steps
        self._stage = Stage.TRACK
        self._turn: tuple[object, ...] = ()

    def play(self, index: int) -> str | None:
        """Play one deed, and end what it ends; what their figures disagree in, if anything.

        Refused where our rules do not allow it, NeighbourError where it cannot be understood.
        """
        deed = self.deeds[index]
        remark = None
        match deed.type:
            case "pass":
                self._pass(deed)
            case "end_game":
                self._stop(deed)
            case "bankrupt":
                self._bankrupt(deed)
            case _:
                remark = self._act(deed)
        self._settle(index + 1)
        return remark

    # deeds

    def _do(self, deed: Deed, action: Action) -> None:
        try:
            self.state = apply(self.title, self.state, action).state
        except Illegal as refused:
            raise RefusedDeed(deed.id, f"{deed.type}: {refused.refusal.text}") from refused
        self.actions.append(action)

    def _act(self, deed: Deed) -> str | None:
        action = self.reader.read(self.state, deed)
        remark = None
        if isinstance(action, BuyPrivate):
            price = first_price(Table(self.title, self.state), action.private)
            if price != deed.raw["price"]:
                raise RefusedDeed(deed.id, f"{action.private} costs ${price}")
        before = self.state
        self._do(deed, action)
        if isinstance(action, Run):
            remark = self._compare_run(before, deed, action)
        self.reader.note(deed, action)
        if self.state.stack and isinstance(self.state.stack[-1], Question):
            self._do(deed, Accept(by=self.state.stack[-1].asked))
        stage = self._stage_of(deed)
        if isinstance(before.stack[-1], Home | CityChoice):
            self._stage = Stage.TRACK
        elif stage is not None and Stage.TRACK < stage < Stage.TRAINS:
            self._stage = Stage(stage + 1)
        elif stage is not None:
            self._stage = stage
        if ends_trains(self.title, self.state, action):
            self._stage = Stage.PRIVATES
        return remark

    def _compare_run(self, before: State, deed: Deed, action: Run) -> str | None:
        """Each route's revenue, with or without the bonuses of the whole set, against theirs."""
        routes = [route for route in deed.raw["routes"] if route.get("connections")]
        if all(route.get("revenue") is None for route in routes):
            return None
        ours = explain(Table(self.title, before), action.company, action.runs)
        for route, value in zip(routes, ours, strict=True):
            theirs = route.get("revenue")
            if theirs is not None and theirs not in _figures(value):
                return f"the {route['train']} earns ${value.total} here and ${theirs} there"
        return None

    def _pass(self, deed: Deed) -> None:
        """A player's pass ends the turn; a company's ends one step."""
        frame = self.state.stack[-1] if self.state.stack else None
        actor = self.reader.actor(self.state, deed)
        if isinstance(frame, StockTurn | PrivateTurn | Auction):
            self._do(deed, Done(by=actor))
            return
        if actor != self._company():
            raise RefusedDeed(deed.id, f"{actor} passes, but it is not its turn")
        if self._stage not in UNPASSED:
            self._stage = Stage(min(self._stage + 1, Stage.OVER))

    def _stop(self, deed: Deed) -> None:
        """The players end the game by agreement."""
        if not self.state.stack:
            raise RefusedDeed(deed.id, "end_game: the game is over")
        draft = Draft(self.title, self.state)
        draft.foresee(Ending("agreement"))
        end_game(draft)
        self.state = draft.commit()

    def _bankrupt(self, deed: Deed) -> None:
        """All that may be sold is sold, shares of the company that operates last."""
        company = self._company()
        if company is None:
            raise RefusedDeed(deed.id, "nobody can go bankrupt now")
        by = self.state.presidents[company]
        if (actor := self.reader.actor(self.state, deed)) not in (company, by):
            raise RefusedDeed(deed.id, f"{actor} cannot go bankrupt on the turn of {company}")
        others = [other for other in self.state.pars if other != company]
        for other in (*others, company):
            held = Table(self.title, self.state).percent(other, by) // SHARE
            for count in range(held, 0, -1):
                sale = SellShares(by=by, company=other, shares=count)
                if why_not(self.title, self.state, sale) is None:
                    self._do(deed, sale)
                    break
        self._do(deed, GoBankrupt(by=by, company=company))

    # what ends by itself

    def _company(self) -> CompanyId | None:
        """The company that operates."""
        for frame in reversed(self.state.stack):
            if isinstance(frame, OperatingTurn):
                return frame.company
        return None

    def _settle(self, ahead: int) -> None:
        """End the turns that are over there before the deed number ``ahead``."""
        for _ in range(_PATIENCE):
            stack = self.state.stack
            if not stack or isinstance(stack[-1], PrivateTurn | Auction | Founding | Discard):
                return
            following = self._following(ahead)
            top = stack[-1]
            if isinstance(top, StockTurn):
                if not self._is_over(top, following):
                    return
                self._end_turn(ahead, top.seat)
                continue
            company = self._company()
            assert company is not None
            if self._goes_on(company, ahead):
                return
            if following and self._untouched():
                raise self._left_out(following, company)
            self._go_to(company, Stage.OVER, ahead)
            self._end_turn(ahead, self.state.presidents[company])

    def _following(self, ahead: int) -> Deed | None:
        """The next deed that tells whose turn it is: markers are placed on turns of others, too."""
        coming = (self.deeds[index] for index in range(ahead, len(self.deeds)))
        return next((deed for deed in coming if deed.type != "assign"), None)

    def _is_over(self, turn: StockTurn, following: Deed | None) -> bool:
        """Whether a player's turn has ended by itself; Refused where one was left out."""
        if not asked(self.title, self.state, turn):
            return True
        if following is None or self.reader.actor(self.state, following) == turn.seat:
            return False
        if following.type == "end_game":
            return False
        if not (turn.bought or turn.sold):
            raise self._left_out(following, turn.seat)
        return True

    def _left_out(self, deed: Deed, who: Seat | CompanyId) -> RefusedDeed:
        actor = self.reader.actor(self.state, deed)
        return RefusedDeed(deed.id, f"{deed.type}: {who} could act before {actor}")

    def _end_turn(self, ahead: int, seat: Seat) -> None:
        self._do(self._blamed(ahead), Done(by=seat))

    def _blamed(self, ahead: int) -> Deed:
        """The deed that shows that something was over."""
        return self.deeds[min(ahead, len(self.deeds) - 1)]

    def _go_to(self, company: CompanyId, stage: Stage, ahead: int) -> None:
        """Bring our position to a stage of their turn; trains that did not run stay at home."""
        self.state = passed_over(self.title, self.state, stage)
        if stage > Stage.ROUTE and isinstance(self.state.stack[-1], Running):
            by = self.state.presidents[company]
            self._do(self._blamed(ahead), Run(by=by, company=company))

    def _untouched(self) -> bool:
        """Whether nothing was done yet in a company's turn in which a tile may be laid."""
        at = self.state.stack[-1]
        return isinstance(at, Track) and self._stage is Stage.TRACK and not lays(at)

    def _goes_on(self, company: CompanyId, ahead: int) -> bool:
        """Whether the company's turn is not over; it then stands in the step where theirs does."""
        turn = (self.state.round, company)
        if turn != self._turn:
            self._turn, self._stage = turn, Stage.TRACK
        stage = self._next_stage(company, ahead)
        if stage is None:
            return False
        self._stage = stage
        self._go_to(company, stage, ahead)
        return True

    def _next_stage(self, company: CompanyId, ahead: int) -> Stage | None:
        """The stage in which their company waits; None when its turn is over.

        What is done next tells it. A pass does not, nor does what may be done at any time: then
        the stage is the first from which they do not go on by themselves.
        """
        following = self._following(ahead)
        if isinstance(self.state.stack[-1], Home | CityChoice):
            return Stage.TRACK
        if following is not None:
            if not self._is_of_turn(company, following):
                return None
            fixed = self._stage_of(following)
            if fixed is not None:
                over = fixed < self._stage or self._is_next_turn(company, following)
                return None if over else fixed
        stage, last = self._stage, self._latest(company, ahead)
        while stage < last and not self._waits(company, stage):
            stage = Stage(stage + 1)
        if following and following.type == "pass" and stage in UNPASSED:
            # they have stopped before
            return self._stage
        if stage < Stage.OVER:
            return None if following is None and self._is_last(company) else stage
        others = following is None or self.reader.actor(self.state, following) != company
        return None if others or self._operates_again(company) else stage

    def _stage_of(self, deed: Deed) -> Stage | None:
        """The stage in which a deed is done, by a private company's power too; None for any."""
        return STAGE_OF.get(deed.type)

    def _waits(self, company: CompanyId, stage: Stage) -> bool:
        """Whether their system stops at a stage of this turn."""
        return waits(self.title, self._at(stage), company, stage)

    def _is_last(self, company: CompanyId) -> bool:
        """Whether the file ends with the game, and the game with this turn."""
        then = self._after_turn(company) if self._ends else None
        return then is not None and not then.stack

    def _is_next_turn(self, company: CompanyId, deed: Deed) -> bool:
        """Whether a second tile is of the same company's next turn.

        It is where it is not legal now, and the company operates twice in a row.
        """
        top = self.state.stack[-1]
        if deed.type != "lay_tile" or not isinstance(top, Track) or not lays(top):
            return False
        action = self.reader.read(self.state, deed)
        return why_not(self.title, self.state, action) is not None and self._operates_again(company)

    def _at(self, stage: Stage) -> State:
        """The present position with the steps before a stage passed over."""
        return passed_over(self.title, self.state, stage)

    def _latest(self, company: CompanyId, ahead: int) -> Stage:
        """The stage of the next deed of this turn that has one: they cannot be farther yet."""
        for index in range(ahead, len(self.deeds)):
            deed = self.deeds[index]
            if deed.type == "assign":
                continue
            if not self._is_of_turn(company, deed) or self._is_next_turn(company, deed):
                break
            stage = self._stage_of(deed)
            if stage is not None:
                return stage if stage >= self._stage else Stage.OVER
        return Stage.OVER

    def _is_of_turn(self, company: CompanyId, deed: Deed) -> bool:
        """Whether a deed can be one of the company's present turn."""
        actor = self.reader.actor(self.state, deed)
        if deed.type == "bankrupt":
            return actor in (company, self.state.presidents[company])
        if deed.type == "end_game":
            return actor == company or actor not in self.title.companies or self._untouched()
        if deed.type == "sell_shares":
            sale = self.reader.read(self.state, deed)
            return why_not(self.title, self._at(Stage.TRAINS), sale) is None
        return actor == company

    def _operates_again(self, company: CompanyId) -> bool:
        """Whether the next turn would be the same company's, so that a pass may belong to it."""
        then = self._after_turn(company)
        for frame in reversed(then.stack if then else ()):
            if isinstance(frame, OperatingTurn):
                return frame.company == company
        return False

    def _after_turn(self, company: CompanyId) -> State | None:
        """The position once the company's turn is over, None where it cannot be."""
        done = Done(by=self.state.presidents[company])
        if why_not(self.title, self.state, done) is not None:
            return None
        return apply(self.title, self.state, done).state


def lays(frame: Track) -> int:
    """Tiles that were laid in a turn, those by powers not counted."""
    return frame.laid + frame.upgraded


def _figures(value: RunValue) -> tuple[int, int]:
    """What a run earns with and without the bonuses of the whole set."""
    return value.total, value.total - sum(dollars for _, dollars in value.bonuses)
