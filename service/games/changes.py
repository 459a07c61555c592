"""Changes a game by requests of its seats: a position in, a new position and its events out.

After each request the module also carries out what seats have left for later; it belongs to the
same change. The module knows no email, database or clock. So a change is the same whether an email,
an advance order or a director causes it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import engine
from engine import Choice, Question, Seat, State, Title
from engine.actions import AnswerAction
from engine.events import Asked, GameEnded
from engine.notation import write
from engine.notation.position import turn_company
from engine.position.frames import PrivateTurn, StockTurn
from service.commands.command import Command
from service.games import offers
from service.games.games import GameTable, Past
from service.games.offers import OfferRows, Redone, WaitingCommands, given
from service.games.orders import Book, GivenOrder, Trial, Tried, alive, by_hand, halfway, read
from service.games.playing import Attempt, CommandFault, Play, Played, PlayOutcome
from service.store import VoteRow

#: how many questions in a row have supposed answers; later ones may be possible
_DEEPEST = 3


@dataclass(frozen=True)
class Supposed:
    """The outcome of the waiting commands if the asked player gives this answer."""

    #: "Bob answers `accept`"
    answer: str
    outcome: PlayOutcome


ANSWERS = "{name} answers `{command}`"
TURN_IS_OVER = "the turn is over then"


def carry_out(
    play: Play, commands: Sequence[Command], keep_open: bool, deepest: int = _DEEPEST
) -> PlayOutcome:
    """Apply commands, or let those after a question wait if any answer can make them legal.

    Otherwise nothing is done, and the outcome names the fault. If the last command is an offer, the
    end of the turn waits for the answer.
    """
    before = play.state
    outcome = play.commands(commands, keep_open, ahead=True)
    if not keep_open and deepest and _offers_last(play.seat, outcome):
        return _with_end(play, outcome, deepest)
    if not (outcome.rest or outcome.instead) or not deepest:
        return outcome
    waits = given(play.seat, outcome.state, outcome.rest, keep_open, outcome.instead)
    every = tuple(_supposed(play, outcome.state, waits, deepest))
    if any(one.outcome.done for one in every):
        return replace(outcome, unless=tuple(_doubt(one) for one in every if not one.outcome.done))
    return _refused(outcome, before, every)


def _offers_last(seat: Seat, outcome: PlayOutcome) -> bool:
    """Whether the last command is an offer, in a turn that ends with the email.

    A stock turn without a purchase or a sale stays open, because its end would be a pass. A turn of
    a company without a train stays open too.
    """
    if not outcome.played or outcome.rest or outcome.instead:
        return False
    if all(not isinstance(e, Asked) or e.by != seat for e in outcome.played[-1].events):
        return False
    company = turn_company(outcome.state)
    if company and not outcome.state.trains.get(company):
        return False
    top = [frame for frame in outcome.state.stack if not isinstance(frame, Question)][-1]
    traded = isinstance(top, StockTurn) and (top.bought or top.sold)
    return traded or not isinstance(top, StockTurn | PrivateTurn)


def _with_end(play: Play, outcome: PlayOutcome, deepest: int) -> PlayOutcome:
    """The outcome with the end of the turn waiting, if an answer can make that legal."""
    line = outcome.steps[-1].command.number
    question = engine.question(outcome.state)
    assert question is not None
    done = Attempt(Command(line, "play", "done", "done"), waits=question.asked)
    waits = given(play.seat, outcome.state, (done.command,), keep_open=False)
    every = tuple(_supposed(play, outcome.state, waits, deepest))
    if not any(one.outcome.done for one in every):
        return outcome
    unless = tuple(_doubt(one) for one in every if not one.outcome.done)
    return replace(outcome, steps=(*outcome.steps, done), unless=unless)


def _supposed(play: Play, state: State, waits: WaitingCommands, deepest: int) -> Iterator[Supposed]:
    """For each possible answer to the open question, the outcome of the other commands."""
    question = engine.question(state)
    assert question is not None
    for option in engine.options(play.title, state, question.asked):
        if isinstance(option, Choice):
            action = option.action
            answer = ANSWERS.format(name=question.asked, command=write(play.title, state, action))
            then = engine.apply(play.title, state, action).state
            yes = isinstance(action, AnswerAction) and action.fate == "accepted"
            yield Supposed(answer, _then(play, then, waits, (waits.then(agreed=yes), deepest)))


def _then(
    play: Play, state: State, waits: WaitingCommands, left: tuple[tuple[Command, ...], int]
) -> PlayOutcome:
    """The outcome of waiting commands in the position after an answer.

    ``left`` has the commands to carry out after it, and how many more questions may be supposed.
    """
    commands, deepest = left
    if not commands:
        return PlayOutcome((), state, (), True)
    standing = waits.standing(state)
    if standing == "gone":
        fault = CommandFault(TURN_IS_OVER)
        steps = (Attempt(commands[0], fault=fault), *map(Attempt, commands[1:]))
        return PlayOutcome(steps, state, (), False)
    # another question may follow the first: try the commands; they wait again
    later = Play(play.title, state, waits.seat, state.number + 1)
    return carry_out(later, commands, waits.keep_open, deepest - 1)


def _fault(outcome: PlayOutcome) -> Attempt:
    return next(step for step in outcome.steps if step.fault is not None)


NOT_LEGAL_IF = "If {answer}, `{command}` is not legal, and none of them is done: {why}."


def _doubt(one: Supposed) -> str:
    step = _fault(one.outcome)
    assert step.fault is not None
    why = step.fault.text
    return NOT_LEGAL_IF.format(answer=one.answer, command=step.command.shown, why=why)


def _refused(outcome: PlayOutcome, before: State, every: Sequence[Supposed]) -> PlayOutcome:
    """The outcome of commands that no answer makes legal, with the fault for each answer."""
    done = [step for step in outcome.steps if not step.waits]
    first, *others = every
    then = list(first.outcome.steps)
    place = then.index(_fault(first.outcome))
    fault = then[place].fault
    assert fault is not None
    at = (then[place].command, fault)
    if any((step.command, step.fault) != at for one in others for step in [_fault(one.outcome)]):
        told = [_told(one) for one in others]
        fault = replace(fault, text=_told(first), hint="\n".join([*told, fault.hint]).strip())
    then[place] = replace(then[place], fault=fault)
    # the email with the question shows what follows a no
    if len(then) > len(outcome.rest):
        extra, *then = then
        if extra.fault is not None:
            done[-1] = replace(done[-1], fault=fault)
    # the commands as this email has them
    rest = [replace(s, command=command) for s, command in zip(then, outcome.rest, strict=True)]
    return PlayOutcome((*done, *rest), before, (), False)


FAULT_IF = "if {answer}, `{command}`: {why}"


def _told(one: Supposed) -> str:
    step = _fault(one.outcome)
    assert step.fault is not None
    return FAULT_IF.format(answer=one.answer, command=step.command.shown, why=step.fault.text)


#: the most decisions that orders take after one occasion; then a person decides
MOST_AHEAD = 200


@dataclass(frozen=True)
class Request:
    """Commands that one seat wants to carry out: all of them, or none.

    ``keep_open`` keeps the seat's turn open after them. ``ahead`` lets commands wait that must
    follow the answer to a question of the seat.
    """

    seat: Seat
    commands: Sequence[Command]
    keep_open: bool = False
    ahead: bool = False


@dataclass(frozen=True)
class Went:
    """Commands that waited and no longer wait, and their outcome.

    ``outcome`` is None if the game took another course, so that none of them was tried.
    """

    ahead: WaitingCommands
    outcome: PlayOutcome | None = None

    @property
    def done(self) -> bool:
        """Whether they were carried out, perhaps up to another question."""
        return self.outcome is not None and self.outcome.done


@dataclass(frozen=True)
class TakenBack:
    """The result of an undo: the action to return to, its position, the undone actions as texts.

    ``redone`` has actions that were taken back before and count again; the game goes to the last
    one.
    """

    parent: int
    parent_number: int
    state: State
    texts: tuple[str, ...]
    redone: tuple[Redone, ...] = ()


@dataclass(frozen=True)
class Change:
    """A game as it was read, and its change; nothing is stored yet."""

    table: GameTable
    #: the position after it
    state: State
    #: all actions, in order
    played: tuple[Played, ...] = ()
    #: the outcome of each request; a failed one has changed nothing
    outcomes: tuple[PlayOutcome, ...] = ()
    back: TakenBack | None = None
    #: the commands that wait after it, and those that no longer wait
    ahead: tuple[WaitingCommands, ...] = ()
    went: tuple[Went, ...] = ()
    #: new orders, not stored yet
    given: tuple[GivenOrder, ...] = ()
    #: orders that have changed, with the number of the position
    orders: tuple[tuple[int, GivenOrder], ...] = ()
    #: the same for positions within a turn that an order has played, for a later return
    midst: tuple[tuple[int, GivenOrder], ...] = ()
    #: whether Waybill stopped orders that would have continued without end
    runaway: bool = False
    #: the votes after it; None if unchanged
    votes: tuple[VoteRow, ...] | None = None

    @property
    def orders_anew(self) -> bool:
        """Whether it changes the advance orders."""
        return bool(self.given or self.orders)

    @property
    def waits_anew(self) -> bool:
        """Whether it changes the waiting commands."""
        return self.ahead != self.table.ahead

    @cached_property
    def offers(self) -> OfferRows:
        """The numbered offers of the game after it."""
        back = self.back.parent_number if self.back else None
        table = self.table
        if self.back and self.back.redone:
            return offers.redone(table.offers, self.back.redone, self.state)
        return offers.after(table.title, table.offers, back, self.played, self.state)

    @property
    def between_players(self) -> bool:
        """Whether offers, or commands that wait for another player's answer, matter to it."""
        return bool(self.offers or self.ahead or self.table.ahead or self.went)

    @property
    def moves(self) -> bool:
        """Whether it leads to another position."""
        return bool(self.played) or self.back is not None

    @property
    def over(self) -> bool:
        """Whether no decision is left after it."""
        return self.table.given_up or not self.state.stack

    @property
    def ends(self) -> bool:
        """Whether it ends the game."""
        return any(isinstance(e, GameEnded) for p in self.played for e in p.events)

    @property
    def past(self) -> list[Past]:
        """Its actions in the form in which later emails report them."""
        return [Past(p.number, p.seat, p.events, p.text) for p in self.played]

    def asks_anew(self, title: Title) -> bool:
        """Whether another decision came between, although the same one is open again."""
        asked = engine.decision(self.state)
        return self.back is not None or any(engine.decision(p.state) != asked for p in self.played)


def nothing(table: GameTable) -> Change:
    """A change without effect; of the waiting commands only those still possible remain."""
    waits = tuple(a for a in table.ahead if a.standing(table.state) == "waits")
    went = tuple(Went(a) for a in table.ahead if a not in waits)
    return Change(table, table.state, ahead=waits, went=went)


def make(table: GameTable, *requests: Request) -> Change:
    """Carry out the requests in order, each from the position that the last one reached."""
    change = nothing(table)
    for request in requests:
        change = further(change, request)
    return change


def further(change: Change, request: Request) -> Change:
    """A change with one more request, and the waiting commands for its new position."""
    outcome = _outcome(change, request)
    asked = engine.question(change.state)
    if asked and asked.asked == asked.proposer == request.seat and len(request.commands) > 1:
        # a player who answers a counteroffer and continues has other plans than before
        change = cleared(change, request.seat) if outcome.done else change
    change = _with(change, outcome, request.seat, request.keep_open)
    return _gone_on(replace(change, outcomes=(*change.outcomes, outcome)))


def corrected(change: Change, played: Played) -> Change:
    """A change with a director's correction, and the waiting commands for its position."""
    after = replace(change, state=played.state, played=(*change.played, played))
    return _gone_on(after)


def cleared(change: Change, seat: Seat) -> Change:
    """A change after which no command of a seat waits."""
    return replace(change, ahead=tuple(ahead for ahead in change.ahead if ahead.seat != seat))


def played_by_hand(change: Change, book: Book, seat: Seat) -> Change:
    """A change that ends a seat's orders for one turn which it has played itself."""
    if change.back or all(p.seat != seat for p in change.played):
        return change
    over = by_hand(change.table.title, change.table.state, seat, book.orders)
    return replace(change, orders=(*change.orders, *((change.state.number, o) for o in over)))


def settle(change: Change, book: Book, most: int = MOST_AHEAD) -> Change:
    """A change with all decisions that advance orders take after it, at most ``most``.

    Orders that would continue beyond that are suspended. In a game on hold no order acts.
    """
    if change.table.on_hold:
        return change
    acted: list[GivenOrder] = []
    while change.state.stack:
        known = replace(book, past=(*book.past, *change.past))
        after, tried = _decided(change, known)
        if after is None:
            return change
        for _, order in after.orders[len(change.orders) :]:
            book = book.with_order(order)
        change = after
        if tried is not None:
            acted.append(tried.order)
        if len(acted) >= most:
            return _stopped(change, book, acted)
    return change


WENT_ON_AND_ON = "it went on and on: orders took {count} decisions in a row"


def _stopped(change: Change, book: Book, acted: Sequence[GivenOrder]) -> Change:
    """A change that suspends the orders which would continue without end."""
    late = {order.id for order in acted[-(len(acted) // 2) :]}
    why = WENT_ON_AND_ON.format(count=len(acted))
    every = (o for o in book.orders if o.id in late and o.status == "open")
    stopped = tuple(replace(order, status="suspended", reason=why) for order in every)
    noted = tuple((change.state.number, order) for order in stopped)
    return replace(change, runaway=True, orders=(*change.orders, *noted))


def _decided(change: Change, book: Book) -> tuple[Change | None, Tried | None]:
    """One more decision, or changed orders; None if it is a player's turn."""
    title, state = change.table.title, change.state
    number = change.table.next_number + len(change.played)
    for seat in engine.to_act(title, state):
        changed, tried = Trial(title, state, seat, number, book).first()
        if tried is not None and tried.outcome is not None:
            return _gone_on(_acted(change, book, changed, tried, tried.outcome)), tried
        if changed:
            noted = ((state.number, order) for order in changed)
            return replace(change, orders=(*change.orders, *noted)), None
    return None, None


def _acted(
    change: Change, book: Book, changed: Sequence[GivenOrder], tried: Tried, outcome: PlayOutcome
) -> Change:
    """A change with an order's moves; an undo of its positions takes the moves back too."""
    now, midst = {order.id: order for order in changed}, change.midst
    if len(outcome.played) > 1:
        before = next(order for order in book.orders if order.id == tried.order.id)
        midst = (*midst, (outcome.played[0].number, halfway(before)))
        now[before.id] = tried.order
    return replace(
        change,
        state=outcome.state,
        played=(*change.played, *outcome.played),
        orders=(*change.orders, *((outcome.state.number, order) for order in now.values())),
        midst=midst,
    )


def orders_after(change: Change, book: Book) -> Book:
    """The orders after a change; none of them counts what was taken back."""
    back, table = change.back, change.table
    if back is None:
        return book.and_these([order for _, order in change.orders])
    redone = [step.number for step in back.redone]
    rows = (row.stood_at(back.parent_number, redone) for row in table.orders)
    past = tuple(act for act in book.past if act.number <= back.parent_number)
    orders = tuple(read(table.title, table.state.seats, row) for row in rows if alive(row))
    return replace(book, orders=orders, past=past)


def take_back(table: GameTable, taken: TakenBack) -> Change:
    """The game before what is taken back; its waiting commands no longer wait."""
    kept = [a.at(taken.state) for a in table.ahead if a.standing(taken.state) == "waits"]
    went = [Went(a) for a in table.ahead if a.standing(taken.state) != "waits"]
    return Change(table, taken.state, back=taken, ahead=tuple(kept), went=tuple(went))


def _outcome(change: Change, request: Request) -> PlayOutcome:
    number = change.table.next_number + len(change.played)
    play = Play(change.table.title, change.state, request.seat, number)
    if request.ahead:
        return carry_out(play, request.commands, request.keep_open)
    return play.commands(request.commands, request.keep_open)


def _with(change: Change, outcome: PlayOutcome, seat: Seat, keep_open: bool) -> Change:
    """A change with the outcome of a seat's commands; new waiting commands replace old ones."""
    change = replace(change, state=outcome.state, played=(*change.played, *outcome.played))
    if not (outcome.rest or outcome.instead):
        return change
    rest = given(seat, outcome.state, outcome.rest, keep_open, outcome.instead)
    before = next((a for a in change.ahead if a.seat == seat), None)
    if before is not None and replace(rest, number=before.number) == before:
        return change
    return replace(change, ahead=(*cleared(change, seat).ahead, rest))


def _agreed(change: Change) -> bool:
    """Whether the latest answer was a yes."""
    answers = (p.action for p in reversed(change.played))
    last = next((a for a in answers if isinstance(a, AnswerAction)), None)
    return last is not None and last.fate == "accepted"


def _ended(change: Change, ahead: WaitingCommands) -> Change:
    """A change that ends a turn in which only an alternative was left.

    So a deal needs no further email. If the player must still decide something, the turn continues.
    """
    if ahead.keep_open:
        return change
    done = Request(ahead.seat, (Command(1, "play", "done", "done"),))
    outcome = _outcome(change, done)
    return _with(change, outcome, ahead.seat, keep_open=False) if outcome.done else change


def _gone_on(change: Change) -> Change:
    """A change with all waiting commands whose time has come.

    The loop ends, because each is tried once: fewer commands wait after a second question than
    after the first.
    """
    for ahead in change.ahead:
        standing = ahead.standing(change.state)
        if standing == "waits":
            continue
        rest = cleared(change, ahead.seat)
        if standing == "gone":
            return _gone_on(replace(rest, went=(*rest.went, Went(ahead))))
        commands = ahead.then(agreed=_agreed(change))
        if not commands:
            return _gone_on(_ended(rest, ahead))
        request = Request(ahead.seat, commands, ahead.keep_open, ahead=True)
        outcome = _outcome(rest, request)
        rest = _with(rest, outcome, ahead.seat, ahead.keep_open)
        return _gone_on(replace(rest, went=(*rest.went, Went(ahead, outcome))))
    return replace(change, ahead=tuple(ahead.at(change.state) for ahead in change.ahead))
