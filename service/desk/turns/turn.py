"""Handles a player's email in a running game: moves, orders, votes, questions, messages.

`service.games.changes` makes its changes and `service.games.commit` stores them, as for every other
change of a game.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

import engine
from engine.actions import AsideAction
from service import rations
from service.clocks.accounts import Account
from service.commands.command import Command
from service.commands.results import tried
from service.desk.ahead import batched, going
from service.desk.ahead.going import Going
from service.desk.ahead.orders_given import OrderWords
from service.desk.answering.effects import Effect, singly, together
from service.desk.answering.game_email import GameContext
from service.desk.informing.follow_up import FollowUp, scene_after
from service.desk.questions import sources
from service.desk.questions.queries import Queries
from service.desk.questions.without_seat import answer_to
from service.desk.rationing.answer_rations import Answering
from service.desk.rationing.work_allowance import HOUR, NO_WORK, WorkAllowance, remaining
from service.desk.talk.spoken import spoken
from service.desk.turns import second_chance
from service.desk.turns.verdicts import Receipt, Verdicts, effects_on_money
from service.desk.votes import proposing, vote_results
from service.desk.votes.proposing import VoteCommands
from service.games import batches, changes, games, offers, retreat, timing
from service.games.changes import Change, Request, TakenBack
from service.games.choices import seat_settings
from service.games.commit import Besides, commit
from service.games.game_status import WAS_CANCELED
from service.games.games import GameLog, GameTable
from service.games.orders import Book, book_of
from service.games.playing import PlayOutcome
from service.games.shown import LISTED
from service.games.timing import Absence, ClockMoments
from service.games.votes import Poll, poll_of
from service.games.votes import change as changes_of_votes
from service.rations import Counters
from service.refusal import Refused
from service.reports import Page, Result, Said, Scene
from service.said import IS_OVER
from service.store import GameLine, Letter, PartialRow, SeatRow, Tx


@dataclass(frozen=True)
class KnownBeside:
    """What the database tells beside the game."""

    log: GameLog
    #: what has changed since the position that the email answers, if that matters
    changed: tuple[str, ...]
    #: what an `undo` takes back, or why it cannot
    taken: TakenBack | None
    stuck: tuple[str, ...]
    games: tuple[GameLine, ...]
    #: limit for the work of the email's questions
    work: WorkAllowance
    #: emails with messages to all players that may still be sent
    talk: Answering
    #: the orders of all seats, with what has happened since they were given
    book: Book
    #: counts votes; None if the email has nothing about votes
    poll: Poll | None = None


def _undone(
    tx: Tx, table: GameTable, seat: SeatRow, log: GameLog, number: int | None
) -> tuple[TakenBack | None, tuple[str, ...]]:
    try:
        taken = retreat.take_back(tx, table, seat.name)
    except Refused as why:
        return None, why.lines
    stuck = retreat.undo_changed(tx, table, log.past, number, taken)
    return (None if stuck else taken), stuck


#: most commands of the game in one email; the longest turns have a dozen
MOST_COMMANDS = 60


#: words outside the game that are done even if its commands are refused
_COUNT = ("say", "tell", "note", "diary")
#: words that cause no counted work; orders and questions do
_FREE = (*_COUNT, "play", "more", "hold", "go", "undo", "clear", "resend", batches.LATER)


TOO_MANY = "An email may have {most} commands at most."


@dataclass(frozen=True)
class Forecast:
    """What commands that wait for the game's times would do as the game stands.

    ``refused`` says that they would not be carried out although it is their writer's turn: then
    nothing waits. ``notes`` are for the receipt, for each command.
    """

    refused: bool = False
    notes: Sequence[Sequence[str]] = ()


NO_FORECAST = Forecast()


class TurnEmail:
    """The commands of one email to a seat in a running game; its player is known."""

    def __init__(
        self, context: GameContext, commands: Sequence[Command], *, at_once: bool = False
    ) -> None:
        """``at_once`` says that nothing waits for the game's times."""
        assert context.seat is not None
        self._context = context
        self._reads, self._desk, self._mail = context.reads, context.desk, context.mail
        self._table, self._seat, self._written = context.table, context.seat, context.written
        commands = tuple(_here(command, self._table.row.name) for command in commands)
        times = self._table.settings.batch
        self._due = 0
        if times and not at_once:
            self._due = batched.due_of(self._table, self._desk, commands, self._written)
        self._plays = bool(self._due) and batches.plays(commands)
        commands = batches.marked(commands) if self._due else commands
        #: why its `go` stands for no commands
        self._no_go: Refused | None = None
        try:
            self._going = self._go(commands)
        except Refused as why:
            self._going, self._no_go = Going(tuple(commands)), why
        commands = self._going.commands
        self._verdicts = Verdicts(self._table.title, commands)
        self._orders = OrderWords(self._table, self._seat.name, commands)
        #: the possible part of a refused email, which its writer may confirm
        self._partial: PartialRow | None = None
        #: questions that are answered in a separate email
        self._postponed: Sequence[Command] = ()
        #: what was said on a list beside the commands, as far as it is kept
        self._talk = ""

    @property
    def waits(self) -> bool:
        """Whether some of its commands wait for the game's times."""
        return bool(self._due)

    def forecast(self) -> Forecast:
        """What the commands would do as the game stands; it stores nothing."""
        known, state, name = self._know(), self._table.state, self._seat.name
        change, _ = self._ordered(known, self._change(known), self._seat)
        results = self._verdicts.results
        if any(result.status == "no" for result in results):
            return Forecast(refused=name in engine.to_act(self._table.title, state))
        costs = chain.from_iterable(
            effects_on_money(state, one.steps, name) for one in change.outcomes
        )
        notes = (
            tuple(filter(None, (next(costs, ""),))) if command.word == "play" else result.notes
            for command, result in zip(self._verdicts.commands, results, strict=True)
        )
        return Forecast(notes=() if self._verdicts.has("go") else tuple(notes))

    def effect(self, forecast: Forecast = NO_FORECAST) -> Effect:
        """The effect of all commands; ``forecast`` is about those that wait."""
        # Each call on the verdicts gives results to its own commands. Their order matters:
        # 1. Moves, votes and orders come first: all else is about the position after them.
        # 2. `words` follows them, because `hold` saves no moves that were refused. Refused notes,
        #    and refused messages to single players, come later: they do not concern `hold`.
        # 3. `_answer` comes last: the commands without a result are the questions. After it, the
        #    results are complete, and `_announced` may look at all of them.
        verdicts, most = self._verdicts, self._desk.service.talk
        known = self._know()
        if known.talk.possible:
            self._talk = self._context.talk
        verdicts.waiting(batches.LATER, forecast.notes)
        seat = self._seat
        change, book = self._ordered(known, self._change(known), seat)
        name = self._seat.name
        clocks = timing.after(change, self._moments(change))
        scene = scene_after(self._desk, change)
        said = verdicts.said(most, known.talk.seen)
        spoken = tuple(Said(self._seat.name, text, change.state.number) for text in said)
        verdicts.words(seat, change, most, known.talk.seen)
        names = [player.name for player in self._table.players]
        whispers = verdicts.whispers(names, seat.name, most, known.talk.seen)
        jots = list(verdicts.jots(seat.name))
        if verdicts.open:
            self._answer(known, change, scene, book, clocks)
        follow = self._follow(known, change, book)
        due = timing.deadlines(change, clocks, self._desk.now)
        announced = self._announced(change)
        follow = replace(
            follow,
            spoken=spoken,
            whispers=whispers,
            clocks=due,
            receipted=not announced,
            shown=scene,
        )
        refused = bool(verdicts.plan) and not change.moves
        clock = second_chance.time_of_refused(change, clocks, name) if refused else ""
        jots += follow.jots
        letters = [
            *follow.letters(verdicts.has("resend")),
            *(vote_results.calls(self._desk, change) if change.votes is not None else ()),
        ]
        besides = Besides((*spoken, *self._heard(change)), jots, clocks)

        def write(tx: Tx) -> None:
            self._store_all(tx, change, seat, besides, known)

        after = replace(change.table, seats=games.with_seat(self._table, seat).seats)
        return Effect(
            verdicts.results,
            changed=after,
            letters=letters,
            write=write,
            changes=self._changes(change),
            understood=self._understood(change),
            receipt=lambda results: self._receipt(results, scene, seat, change, follow, clock),
            letter=lambda page: self._to_writer(page, scene, follow, change),
            answered=announced,
            rations=(known.talk,) if self._talks else (),
        )

    def _moments(self, change: Change) -> ClockMoments:
        """When the email arrived, and whether its writer may send it again, as it was refused."""
        verdicts, now = self._verdicts, self._desk.now
        refused = bool(verdicts.plan) and not change.moves and not verdicts.has("hold")
        arrived = min(self._written.received, now)
        return ClockMoments(now, arrived, self._seat.name if refused else "")

    def _announced(self, change: Change) -> bool:
        """Whether the receipt that came at once said all of it, because all went well."""
        results = self._verdicts.results
        done = bool(results) and all(result.status == "ok" for result in results)
        hint = self._results(results, "").hint(change, self._seat.name)
        return bool(self._written.task) and done and not hint

    def _go(self, commands: Sequence[Command]) -> Going:
        """The commands of the email, with those of an earlier one that `go` stands for.

        Raises Refused.
        """
        if not any(command.word == "go" for command in commands):
            return Going(tuple(commands))
        kept = self._reads.ahead.partial(self._table.row.id, self._seat.name)
        return going.read(
            commands, kept, self._table.next_number, going.receipt_answered(self._mail)
        )

    @property
    def _talks(self) -> bool:
        """Whether others will read words of the email, or of its writer on a list."""
        return bool(self._talk) or self._verdicts.did("say", "tell")

    @property
    def _talk_counters(self) -> Counters:
        return rations.player(self._table.row.name, self._seat.name, "talk")

    def _know(self) -> KnownBeside:
        """Read what the database tells beside the game, as far as it matters."""
        has, commands = self._verdicts.has, self._verdicts.commands
        table, seat, written, now = self._table, self._seat, self._written, self._desk.now
        votes = has("propose") or has("vote") or has("order")
        looks = proposing.since(commands, table.next_number) if votes else None
        works = any(command.word not in _FREE for command in commands)
        talks = has("say") or has("tell") or bool(self._context.talk)
        number, newest = written.number, table.state.number
        if number != newest:
            number = retreat.position_before(self._reads, table, number, written.received)
        log = games.log_of(self._reads, table, has("history") or has("log") or has("map"))
        book = book_of(self._reads, table)
        changed: tuple[str, ...] = ()
        if self._verdicts.plan and number != newest:
            changed = retreat.changed(self._reads, table, log.past, number, seat.name)
        taken, stuck = _undone(self._reads, table, seat, log, number) if has("undo") else (None, ())
        first = None if looks is None else min(looks, log.past[0].number)
        return KnownBeside(
            log,
            changed,
            taken,
            stuck,
            self._reads.games.lines("open", "running", ended_since=now - LISTED)
            if has("games")
            else (),
            remaining(*self._reads.answers.spent(seat.address, now - HOUR), now)
            if works
            else NO_WORK,
            Answering(self._reads, self._desk, self._talk_counters if talks else ()),
            book,
            None if first is None else poll_of(self._reads, table, book, first),
        )

    # carrying it out

    def _change(self, known: KnownBeside) -> Change:
        """The change of a vote that the email decides; without one, that of its commands."""
        if known.poll is None:
            return self._played(known)
        now, name = self._desk.now, self._seat.name
        words = VoteCommands(known.poll, name, known.log.past, now)
        for place, command in enumerate(self._verdicts.commands):
            if command.word in ("propose", "vote"):
                self._verdicts.answer(place, tried(words.handle, command))
        for place, order in self._orders.votes(self._table.state, known.work):
            self._orders.add(place, words.ahead(order))
        voted = words.votes if words.changed else None
        if words.passed is None:
            return replace(self._played(known), votes=voted)
        self._verdicts.undo(changes.nothing(self._table), (proposing.FIRST,))
        self._verdicts.refuse(proposing.FIRST)
        change = changes_of_votes(known.poll, words.passed)
        return replace(change, votes=voted, outcomes=())

    def _played(self, known: KnownBeside) -> Change:
        """All commands of the game, or none of them with the reason."""
        verdicts, nothing = self._verdicts, changes.nothing(self._table)
        if verdicts.clears:
            nothing = changes.cleared(nothing, self._seat.name)
        if self._table.on_hold:
            verdicts.stopped(self._table.on_hold)
            return nothing
        if verdicts.has("undo"):
            if known.taken is not None and not verdicts.plan:
                nothing = changes.take_back(self._table, known.taken)
            verdicts.undo(nothing, known.stuck)
            return nothing
        if self._no_go is not None:
            verdicts.none_for("go", self._no_go)
            return nothing
        try:
            saves = going.is_saved(verdicts.commands, self._table.state)
        except Refused as why:
            verdicts.none_for("hold", why)
            return nothing
        if not verdicts.plan:
            return nothing
        if self._table.row.status != "running":
            verdicts.refuse(IS_OVER.format(game=self._table.row.name))
            return nothing
        if len(verdicts.plan) > MOST_COMMANDS:
            verdicts.refuse(TOO_MANY.format(most=MOST_COMMANDS))
            return nothing
        answers = offers.named(verdicts.plan, self._table.offers, self._seat.name)
        if answers.wrong:
            verdicts.refuse(answers.wrong)
            return nothing
        keep_open = verdicts.has("more") or self._going.keep_open
        request = Request(self._seat.name, answers.commands, keep_open, ahead=True)
        change = changes.further(nothing, request)
        [outcome] = change.outcomes
        if known.changed and not (answers.numbered or _settles_only(outcome)):
            verdicts.refuse(*known.changed)
            return nothing
        if saves or not outcome.done:
            row, seat = self._written.mail or self._desk.mail_id, self._seat.name
            self._partial = going.partial(seat, outcome, self._table.next_number, row)
        if saves:
            outcome = going.saved(outcome)
            change = replace(nothing, outcomes=(outcome,))
        verdicts.played(outcome, nothing.state, self._seat.name)
        return change

    def _ordered(self, known: KnownBeside, change: Change, seat: SeatRow) -> tuple[Change, Book]:
        """The change with the effect of all advance orders, including those of this email."""
        verdicts = self._verdicts
        plan = bool(verdicts.plan or self._no_go)
        refused = plan and not (change.outcomes and change.outcomes[-1].done)
        words = self._orders
        words.handle(change.state, known.work, possible=not refused)
        change, book = self._carried_on(known, change, seat)
        words.settled(change)
        for place, result in words.results.items():
            verdicts.answer(place, result)
        return change, book

    def _carried_on(self, known: KnownBeside, change: Change, seat: SeatRow) -> tuple[Change, Book]:
        """The change with the moves of advance orders, and the orders after it."""
        words = self._orders
        book = changes.orders_after(change, known.book).and_these(words.after)
        change = replace(change, given=words.given, orders=words.noted)
        alarms = seat_settings(seat).alarms
        book = replace(book, alarms={**book.alarms, seat.name: alarms})
        if change.back or not (change.moves or words.given or words.changed):
            return change, book
        change = changes.played_by_hand(change, book, seat.name)
        change = changes.settle(change, changes.orders_after(change, book))
        return change, changes.orders_after(change, book)

    def _answer(
        self,
        known: KnownBeside,
        change: Change,
        scene: Scene,
        book: Book,
        clocks: Sequence[Account],
    ) -> None:
        """The answers to the questions, in the position after the email."""
        if self._context.channel.public:
            self._answer_openly(known, change, scene)
            return
        name = self._seat.name
        asked = {command.word for _, command in self._verdicts.open}
        own = sources.for_player(self._context, change, scene, known.log, book, clocks, asked)
        queries = Queries(scene, name, replace(own, games=known.games, work=known.work))
        for place, command in self._verdicts.open:
            self._verdicts.answer(place, queries.answer(command))
        self._postponed = queries.postponed

    def _answer_openly(self, known: KnownBeside, change: Change, scene: Scene) -> None:
        """The answers that everybody may read; they leave out what players said in the game."""
        log = GameLog((*known.log.past, *change.past))
        public = sources.for_all(self._reads, self._table, log)
        public = replace(public, work=known.work, help=self._context.help)
        queries = Queries(scene, "", public)
        for place, command in self._verdicts.open:
            self._verdicts.answer(place, queries.answer(command))

    # informing players

    def _follow(self, known: KnownBeside, change: Change, book: Book) -> FollowUp:
        commanded = [p.number for outcome in change.outcomes for p in outcome.played]
        follow = FollowUp(
            self._desk,
            change,
            GameLog(known.log.past, (*known.log.said, *self._heard(change))),
            book,
            self._seat.name,
            commanded=max(commanded, default=0),
            by_list=self._context.channel.delivers,
        )
        if change.votes is None:
            return follow
        return replace(
            follow,
            told=vote_results.notes_of_change(known.poll, change),
            by=vote_results.by_vote(change),
            new_votes=vote_results.new_votes(known.poll, change),
        )

    def _heard(self, change: Change) -> Sequence[Said]:
        """The writer's other words in a post on a list."""
        return [Said(self._seat.name, self._talk, change.state.number)] if self._talk else []

    def _receipt(
        self,
        results: Sequence[Result],
        scene: Scene,
        seat: SeatRow,
        change: Change,
        follow: FollowUp,
        clock: str,
    ) -> Page:
        written, then = self._results(results, clock), (*self._verdicts.followed, *follow.beyond)
        if self._context.channel.public:
            return self._context.open_page(scene, results, written.done(change), then)
        return written.page(self._desk.service, scene, seat, change, then)

    def _results(self, results: Sequence[Result], clock: str) -> Receipt:
        return Receipt(
            self._mail,
            results,
            commanded=bool(self._verdicts.plan),
            due=self._due,
            partial=self._partial,
            clock=clock,
        )

    def _to_writer(self, page: Page, scene: Scene, follow: FollowUp, change: Change) -> Letter:
        channel = self._context.channel
        letter = channel.answer(page, self._mail, scene, done=change.moves)
        return letter if channel.public else replace(letter, tells=follow.receipt_tells)

    def _changes(self, change: Change) -> bool:
        """Whether something is stored, or others are informed, so that no ration counts it."""
        anew = change.waits_anew or change.orders_anew or change.votes is not None
        return change.moves or anew or bool(self._due) or self._verdicts.did(*_COUNT)

    def _understood(self, change: Change) -> bool:
        """Whether its moves are well written, even if they are refused."""
        steps = [step for outcome in change.outcomes for step in outcome.steps]
        misread = any(step.fault and step.fault.caret for step in steps)
        return bool(self._verdicts.plan) and not misread

    # the end of the email

    def _store_all(
        self,
        tx: Tx,
        change: Change,
        seat: SeatRow,
        besides: Besides,
        known: KnownBeside,
    ) -> None:
        """Store it; Conflict if the game is at another position by now."""
        commit(tx, self._desk.occasion, change, self._desk.now, besides, still=True)
        if any(played.seat == seat.name for played in change.played):
            over = timing.answered(change.table, seat.name, self._desk.now)
            timing.store(tx, change.table, seat.name, Absence((), over))
        self._keep_partial(tx)
        tx.answers.spend(self._seat.address, known.work.spent, self._desk.now)
        if self._postponed:
            batched.answer_apart(tx, self._context, self._postponed)
        if self._due:
            commands = self._verdicts.commands
            waits = batched.WaitsForTime(self._due, commands, plays=self._plays)
            batched.wait(tx, self._context, waits)

    def _keep_partial(self, tx: Tx) -> None:
        """Store what `go` will mean from now on; an email that offers nothing keeps it as it is."""
        if self._partial is not None:
            tx.ahead.keep_partial(self._table.row.id, self._partial, self._desk.now)


def _here(command: Command, game: str) -> Command:
    """A question as a seat of a game means it: in dixie7, `status dixie7` means `status`.

    A company or player with the name of the game would be meant by nobody who writes both.
    """
    first, _, rest = command.rest.partition(" ")
    asks = command.entry is not None and command.entry.asks
    return replace(command, rest=rest.strip()) if asks and first.lower() == game else command


def _settles_only(outcome: PlayOutcome) -> bool:
    """Whether the commands only settle what a player may settle at any time."""
    return (
        outcome.done
        and not outcome.rest
        and all(isinstance(p.action, AsideAction) for p in outcome.played)
    )


def _without_turn(context: GameContext, commands: Sequence[Command]) -> Effect:
    """The effect of an email without a turn: its messages, and its questions."""
    said = [command for command in commands if command.word == "say"]
    asked = [command for command in commands if command.entry and command.entry.asks]
    taken = {id(command) for command in (*said, *asked)}
    others = [command for command in commands if id(command) not in taken]
    effects = [spoken(context, said)] if said else []
    effects += [answer_to(context, one, count) for count, one in enumerate(asked, 1)]
    return together([*effects, _canceled(context, others)])


def _refuse(context: GameContext, command: Command) -> Effect:
    raise Refused(WAS_CANCELED.format(game=context.game))


#: refuses commands about a game that was canceled
_canceled = singly(_refuse)


def at_the_table(context: GameContext, commands: Sequence[Command]) -> Effect:
    """Moves, orders, votes, questions and talk of one email.

    Before the start, and for an office without a seat, there is no turn to which they belong.
    """
    if context.seat is None or context.table.head is None:
        return _without_turn(context, commands)
    email = TurnEmail(context, commands)
    if not email.waits:
        return email.effect()
    waiting = [command for command in commands if batches.waits(command)]
    forecast = TurnEmail(context, waiting, at_once=True).forecast()
    if forecast.refused:
        return TurnEmail(context, commands, at_once=True).effect()
    return email.effect(forecast)
