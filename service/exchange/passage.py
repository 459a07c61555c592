"""Translates a game's actions into those of 18xx.games; knows no files and no database.

A step that ends by itself here, and waits there, becomes a pass there, and the other way round.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter

from msgspec.structs import replace

from engine.actions import Action, AnswerAction, Pass, PlaceMark, TradePrivate
from engine.corrections import Correction
from engine.events import Event, TrainsRan
from engine.facts.title import Title
from engine.flow import Outcome, agreed_end, apply, new_game, why_not
from engine.position.frames import (
    Auction,
    CityChoice,
    Discard,
    Home,
    OperatingTurn,
    PrivateTurn,
    Question,
    Stations,
    StockTurn,
    Track,
)
from engine.position.values import CLOSED, MARKET, CompanyId, PrivateId, Seat, State
from engine.refusal import Illegal
from engine.steps.questions.answer import proposing
from service.exchange.dialect import Dialect, NeighbourError
from service.exchange.kinds import note, stage_of, write
from service.exchange.kinds.kind import Unwritable
from service.exchange.kinds.trains import ends_trains, run_by
from service.exchange.pace import (
    STAGES,
    Stage,
    asked,
    brings_train,
    lays_tiles,
    next_stop,
    passed_over,
    puts_stations,
    waits,
)
from service.exchange.translator import Translator, Writing, players_of


@dataclass(frozen=True, eq=False)
class Written:
    """Their action, the number of our action from which it comes, and the position before it."""

    raw: Writing
    number: int
    before: State


#: the type of an action, and the kind of its owner
_KIND = itemgetter("type", "entity_type")


class Passage:
    """Translates a game's actions into theirs, turn by turn."""

    def __init__(self, title: Title, dialect: Dialect, seats: Sequence[Seat]) -> None:
        self.title = title
        self.to = Translator(title, dialect, players_of(seats))
        #: nobody insists on best runs on 18xx.games
        self.state = replace(new_game(title, seats).state, insist=())
        self.written: list[Written] = []
        #: the number of our action, as players see it
        self.number = self.state.number
        #: the operating company's place in their order of steps
        self._stage = Stage.TRACK
        self._turn: tuple[object, ...] = ()
        #: the number of actions written before this turn
        self._began = 0
        #: a sale that waits for consent: its proposal, number, the position before it, and its
        #: events so far
        self._proposal: tuple[Action, int, State, tuple[Event, ...]] | None = None
        #: markers that wait for their president's next turn, with their numbers
        self._late: list[tuple[PlaceMark, int]] = []
        #: the companies, by their names, in their order of discarding trains
        self._order = tuple(map(self.to.their_company, dialect.order or title.companies))
        self._fails = dialect.fails_after_power
        #: the tiles of private companies in this turn
        self._free: list[tuple[Action, Written]] = []
        #: discards of trains, kept until all are made
        self._discards: list[Written] = []

    def expect(self, actions: Iterable[Action | Correction]) -> None:
        """Prepare for the actions to come, before the first is written.

        18xx.games sells players a private company only while its share is in the open market.
        """
        for action in actions:
            if isinstance(action, TradePrivate) and action.buyer in self.to.ids:
                self.to.pieces.hold_back(action.private)

    def take(self, number: int, action: Action | Correction) -> None:
        """Write an action after its passes. Raises NeighbourError if they cannot play it."""
        self.number = number
        if isinstance(action, Correction):
            raise NeighbourError(number, "the director put something right, which none does there")
        if not action.listed:
            return
        try:
            self._take(action)
        except Illegal as illegal:
            raise NeighbourError(self.number, f"not legal: {illegal.refusal.text}") from illegal
        except Unwritable as error:
            raise NeighbourError(self.number, str(error)) from error

    def stop(self) -> None:
        """The players ended the game by agreement; the player to act there reports it."""
        while (company := self._company()) is not None and self._has_ended(company):
            self.state = self._at(Stage.OVER)
            self._play(Pass(by=self.state.presidents[company]))
        if not self.state.stack:
            return
        self._write(self.to.by_owner("end_game", company or self.state.priority))
        self.state = agreed_end(self.title, self.state).state

    def _has_ended(self, company: CompanyId) -> bool:
        """Whether 18xx.games went on to the next turn after all actions of this company."""
        done = Pass(by=self.state.presidents[company])
        return self._stage is Stage.OVER and not why_not(self.title, self._at(Stage.OVER), done)

    # one action

    def _take(self, action: Action) -> None:
        outcome = apply(self.title, self.state, action)
        if isinstance(action, AnswerAction) and action.fate != "countered":
            self._answer(action, outcome)
            return
        top = outcome.state.stack[-1] if outcome.state.stack else None
        if isinstance(top, Question) and isinstance(action, AnswerAction):
            # 18xx.games records the agreed price
            assert self._proposal is not None
            _, number, before, events = self._proposal
            self._proposal = (proposing(top), number, before, events)
            self.state = outcome.state
            return
        if isinstance(top, Question):
            self._proposal = (action, self.number, self.state, outcome.events)
            self.state = outcome.state
            return
        self._act(action, outcome.events)

    def _answer(self, action: AnswerAction, outcome: Outcome) -> None:
        """Write an accepted sale; for a declined one, only end the steps before it."""
        assert self._proposal is not None
        proposal, number, before, events = self._proposal
        self._proposal = None
        self.state = before
        if action.fate != "accepted":
            stage, company = stage_of(proposal), self._company()
            if stage and company:
                # a request for a train ends the earlier steps, including the run
                self._go_to(stage, company, (*events, *outcome.events))
                self.state = self._at(stage)
            return
        self.number, answered = number, self.number
        self._act(proposal, (*events, *outcome.events), outcome.state)
        self.number = answered

    def _act(self, action: Action, events: Sequence[Event], after: State | None = None) -> None:
        """Write an action and play it; ``after`` is the position if the other side agreed."""
        company = self._company()
        if self._discards_now():
            self._discard(action)
            return
        if company is not None:
            self._operate(action, company, events)
        elif action.passes:
            self._pass_turn(action)
        else:
            self._write(write(self.to, self.state, action))
        self._play(action, after)

    def _play(self, action: Action, after: State | None = None) -> None:
        before = self.state
        self.state = apply(self.title, before, action).state if after is None else after
        note(self.to, action, before, self.state)
        if ends_trains(self.title, self.state, action):
            self._stage = Stage.PRIVATES
        if not self._discards_now():
            self._advance()
            self._keep_turn(action)

    def _write(self, raw: Writing) -> None:
        self.written.append(Written(raw, self.number, self.state))

    # players' turns

    def _pass_turn(self, action: Action) -> None:
        """Write a pass, unless 18xx.games goes on by itself."""
        frame = self.state.stack[-1]
        if isinstance(frame, PrivateTurn | Auction) or (
            isinstance(frame, StockTurn) and asked(self.title, self.state, frame)
        ):
            self._write(self.to.by_player("pass", action.by))

    # trains over the limit

    def _discards_now(self) -> bool:
        return bool(self.state.stack) and isinstance(self.state.stack[-1], Discard)

    def _discard(self, action: Action) -> None:
        """Write discards in their order: one company discards all its trains, then the next."""
        written = Written(write(self.to, self.state, action), self.number, self.state)
        self._discards.append(written)
        trains = self.to.pieces.trains
        trains.give_up(written.raw["train"])
        self.state = apply(self.title, self.state, action).state
        self.to.pieces.settle(written.before, self.state)
        if self._discards_now():
            return
        for each in sorted(self._discards, key=lambda each: self._order.index(each.raw["entity"])):
            self.written.append(each)
            trains.move(each.raw["train"], MARKET)
        self._discards.clear()
        self._advance()

    # companies' turns

    def _company(self) -> CompanyId | None:
        for frame in reversed(self.state.stack):
            if isinstance(frame, OperatingTurn):
                return frame.company
        return None

    def _operate(self, action: Action, company: CompanyId, events: Sequence[Event]) -> None:
        """Advance their turn to the step of an action, and write the action."""
        if self._stage < Stage.OVER:
            self._write_waiting(company)
        if action.passes:
            self._go_to(Stage.OVER, company, events)
            return
        in_between = isinstance(self.state.stack[-1], Home | CityChoice)
        stage = None if in_between else stage_of(action)
        if stage is None:
            if self._lays_after(action):
                self._stage = Stage.TRACK
                return
            if self._puts_after(action):
                self._stage = Stage.TOKEN
                return
            if self._stage is Stage.OVER:
                self._write_late(action)
                return
        elif stage < self._stage:
            raise Unwritable(f"the turn of {company} has gone beyond this step on 18xx.games")
        else:
            self._go_to(stage, company, events)
        self._write(write(self.to, self.state, action))
        if stage is not None:
            self._stage = STAGES[stage + 1] if Stage.TRACK < stage < Stage.TRAINS else stage

    def _go_to(self, stage: Stage, company: CompanyId, events: Sequence[Event]) -> None:
        """Pass the steps that wait before a stage; write runs that Waybill makes by itself."""
        while self._stage < stage:
            if waits(self.title, self._at(self._stage), company, self._stage):
                if self._stage is Stage.ROUTE:
                    self._run(company, events)
                else:
                    self._write(self.to.by_company("pass", company))
            self._stage = STAGES[self._stage + 1]

    def _run(self, company: CompanyId, events: Sequence[Event]) -> None:
        ran = next((event for event in events if isinstance(event, TrainsRan)), None)
        assert ran is not None
        run = run_by(self.state, company, ran.runs)
        self._write(write(self.to, self._at(Stage.ROUTE), run))
        self.state = apply(self.title, self.state, run).state

    def _lays_after(self, action: Action) -> bool:
        """Write the purchase of a private company that lays a tile, if their track step was over.

        It goes before the last tile of the turn. Their track step ends after that tile, but stays
        open if the company owns the private company.
        """
        company = self._company()
        if (
            company is None
            or self._stage is Stage.TRACK
            or not isinstance(action, TradePrivate)
            or not isinstance(self.state.stack[-1], Track)
            or not lays_tiles(self.title, action.private)
        ):
            return False
        return self._insert(action, "lay_tile")

    def _puts_after(self, action: Action) -> bool:
        """The same for one that places a token, or brings the train for a run that they skipped."""
        if (
            not isinstance(action, TradePrivate)
            or not isinstance(self.state.stack[-1], Track | Stations)
            or not self._needs_earlier(action.private)
            or len(self.written) <= self._began
        ):
            return False
        index = len(self.written) - 1
        while index > self._began and self.written[index].raw["type"] == "buy_company":
            # several private companies can be bought at this point
            index -= 1
        there = self.written[index]
        waited = there.raw["type"] in ("lay_tile", "pass")
        if not waited or why_not(self.title, there.before, action):
            return False
        raw = write(self.to, there.before, action)
        self.written.insert(index, Written(raw, self.number, there.before))
        return True

    def _needs_earlier(self, private: PrivateId) -> bool:
        """Whether they skipped the step for which the company buys a private company."""
        if brings_train(self.title, private):
            return self._stage > Stage.ROUTE
        return puts_stations(self.title, private) and self._stage > Stage.TOKEN

    def _keep_turn(self, action: Action) -> None:
        """Put private companies' tiles before another tile, if one would end the turn there.

        Their step `Dividend` asks for the acting company, and wrongly gets the private company
        (18TN).
        """
        if not self._fails or not action.lays or not action.uses:
            return
        self._free.append((action, self.written[-1]))
        if self._stage < Stage.OVER:
            return
        turn = self.written[self._began :]
        lays = [w for w in turn if _KIND(w.raw) == ("lay_tile", "corporation")]
        after = turn[turn.index(lays[-1]) + 1 :] if lays else turn
        for tile, mine in self._free:
            if mine not in after:
                continue
            there = next((w for w in lays[::-1] if not why_not(self.title, w.before, tile)), None)
            if there is None:
                why = f"18xx.games fails where a turn ends with the tile of {tile.uses}"
                raise Unwritable(why)
            self.written.remove(mine)
            moved = Written(mine.raw, mine.number, there.before)
            self.written.insert(self.written.index(there), moved)

    def _write_late(self, action: Action) -> None:
        """Write an action that is legal here at any time, but comes when the turn is over there.

        It goes before the last action of the turn that it does not affect: a purchase or a
        dividend, but not a run. If there is none, a marker waits for the president's next turn,
        because it counts in the next run.
        """
        if isinstance(action, PlaceMark | TradePrivate) and self._insert(action):
            return
        if not isinstance(action, PlaceMark):
            company = self._company()
            raise Unwritable(f"the turn of {company} is over on 18xx.games before this can be done")
        self._late.append((action, self.number))

    def _insert(self, action: PlaceMark | TradePrivate, type_: str = "") -> bool:
        """Write an action before the last one of this turn, or before the last one of ``type_``."""
        lays = isinstance(action, TradePrivate) and lays_tiles(self.title, action.private)
        for index in range(len(self.written) - 1, self._began - 1, -1):
            there = self.written[index]
            if there.raw["type"] == "run_routes":
                return False
            if type_ in ("", there.raw["type"]) and not why_not(self.title, there.before, action):
                raw = write(self.to, there.before, action)
                self.written.insert(index, Written(raw, self.number, there.before))
                if lays and not type_ and there.raw["type"] == "lay_tile":
                    # with the private company in hand, their step stays open after the tile
                    company = self._company()
                    assert company is not None
                    over = self.to.by_company("pass", company)
                    self.written.insert(index + 2, Written(over, self.number, there.before))
                return True
        return False

    def _write_waiting(self, company: CompanyId) -> None:
        """Write the markers that wait for a turn of their president, unless they are gone."""
        for mark, number in list(self._late):
            lies = any((m.private, m.hex) == (mark.private, mark.hex) for m in self.state.marks)
            if lies and self.state.presidents[mark.company] != self.state.presidents[company]:
                continue
            if lies:
                if self.state.privates[mark.private] == CLOSED:
                    raise Unwritable(f"18xx.games has closed {mark.private} before its marker lies")
                self.written.append(Written(write(self.to, self.state, mark), number, self.state))
            self._late.remove((mark, number))

    def _at(self, stage: Stage) -> State:
        """The present position with the steps before a stage passed over."""
        return passed_over(self.title, self.state, stage)

    def _advance(self) -> None:
        """Go on after an action, as 18xx.games does by itself."""
        company = self._company()
        if company is None:
            return
        turn = (self.state.round, company)
        if turn != self._turn:
            self._turn, self._stage, self._began = turn, Stage.TRACK, len(self.written)
            self._free.clear()
        if isinstance(self.state.stack[-1], Home | CityChoice | Question):
            return
        self._stage, _ = next_stop(self.title, self.state, company, self._stage)
