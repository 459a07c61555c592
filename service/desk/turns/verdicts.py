"""The result of each line of a player's email, and the receipt with these results."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, repeat

import engine
from engine import Seat, State, Title
from engine.corrections import Correction
from engine.events import ParSet, TrainsRan
from engine.notation.position import turn_company
from engine.position.table import Table
from service.audience import of_seat
from service.commands.command import Command
from service.commands.lines import known_of, starts
from service.commands.results import done, refused, tried, unsent, waits
from service.desk.ahead import awaited, going, orders_given
from service.desk.ahead.orders_given import in_advance
from service.desk.informing import offer_notes
from service.desk.service import Service
from service.desk.talk.talking import jot, say, tell_some, too_much
from service.games import batches, offers
from service.games.changes import Change
from service.games.choices import seat_settings
from service.games.commit import Jot
from service.games.games import open_decision
from service.games.playing import Attempt, Played, PlayOutcome
from service.mail import identity
from service.mail.message import Mail
from service.rations import Ration
from service.refusal import Refused
from service.reports import Handled, Narrated, Page, Result, Scene, receipt_page
from service.reports.receipt import carried_out
from service.reports.words import moment
from service.said import GAME_IS_OVER
from service.store import PartialRow, SeatRow

WHO_CHANGES_TIMES = (
    "`propose batch {times}` asks all players; the organizer may write it alone, from the "
    "organizer's address."
)


def batch(command: Command, times: Sequence[str], over: bool) -> Result:
    """The times at which the game's emails are handled; a player alone cannot change them.

    Raises Refused.
    """
    if not command.rest:
        return done(command, batches.in_words(times), canonical="batch")
    why = GAME_IS_OVER if over else WHO_CHANGES_TIMES.format(times=command.rest)
    raise Refused(why)


STAYS_OPEN = "Your turn stays open."
MORE_WITH_COMMANDS = "`more` goes with commands of your turn and keeps it open."


def more(command: Command, plan: bool, acts: bool) -> Result:
    """The turn stays open, if the email has commands and it is still their turn afterwards.

    Raises Refused.
    """
    if plan and acts:
        return done(command, STAYS_OPEN, canonical="more")
    raise Refused(MORE_WITH_COMMANDS)


NO_MOVE_YET = "No move of this email is made yet; nobody else sees them."
HOLD_WITH_COMMANDS = "`hold` goes with commands of your turn, which are not done yet then."


def saved(command: Command, plan: bool, wrong: bool) -> Result:
    """Nothing of the email's turn is done yet, if it has a turn that is possible.

    Raises Refused.
    """
    if plan and wrong:
        return unsent(command)
    if plan:
        return done(command, NO_MOVE_YET, canonical="hold")
    raise Refused(HOLD_WITH_COMMANDS)


TURN_FOLLOWS = "Your turn email follows."
NOT_YOUR_TURN = "It is not your turn: {names} must act."


def resend(command: Command, to_act: Sequence[str], seat: str) -> Result:
    """Send the turn email again, if it is the player's turn. Raises Refused."""
    if seat in to_act:
        return done(command, TURN_FOLLOWS, canonical="resend")
    names = " and ".join(to_act) or "nobody"
    raise Refused(NOT_YOUR_TURN.format(names=names))


def effects_on_money(before: State, steps: Sequence[Attempt], seat: Seat) -> Iterator[str]:
    """For each command, the effect on the money that it would have; "" if there is none."""
    for step in steps:
        if step.played is None:
            yield ""
            continue
        acts = (step.played, *step.added)
        yield _cost(before, acts, seat)
        before = acts[-1].state


COSTS = "costs ${dollars}, {who} ${cash} left"
BRINGS = "brings ${dollars}, {who} ${cash}"
REVENUE = "revenue ${dollars}"


def _cost(before: State, acts: Sequence[Played], seat: Seat) -> str:
    after, company = acts[-1].state, turn_company(before)
    parts = [_ran(event) for act in acts for event in act.events if isinstance(event, TrainsRan)]
    for owner in filter(None, (company, seat)):
        was, now = before.cash.get(owner, 0), after.cash.get(owner, 0)
        if was != now:
            who = "you have" if owner == seat else f"{owner} has"
            text = COSTS if now < was else BRINGS
            parts.append(text.format(dollars=abs(now - was), who=who, cash=now))
    first = acts[0].action
    free = first is not None and not isinstance(first, Correction) and first.may_be_free
    return "; ".join(parts) or ("free" if free else "")


def _ran(event: TrainsRan) -> str:
    return REVENUE.format(dollars=event.revenue)


#: messages to single players, by name
Whispers = dict[Seat, str]


UNDO_ALONE = "`undo` stands alone: send what you want to do instead in your next email."
TAKEN_BACK = "taken back: {command}"
WAITS_NO_MORE = "no longer waits: {commands}"
SENT_TO_NOBODY = "Nobody else saw this line. To send it to all players, write `say:` before it."


FOUNDED = "You own {percent}% of {company}."
FOUNDED_FOR = "You own {percent}% of {company}. This {cost}."


class Verdicts:
    """The results of an email's commands, collected one kind after the other.

    ``followed`` is what the game did by itself after these commands, such as the next round.
    """

    def __init__(self, title: Title, commands: Sequence[Command]) -> None:
        self.commands = commands
        self.plan = [command for command in commands if command.word == "play"]
        self._title = title
        self._results: dict[int, Result] = {}
        self.followed: list[Narrated] = []

    def has(self, word: str) -> bool:
        """Whether the email has such a command."""
        return any(command.word == word for command in self.commands)

    @property
    def clears(self) -> bool:
        """Whether the email cancels the commands that wait for another player's answer."""
        return any(command.word == "clear" and not command.rest for command in self.commands)

    @property
    def results(self) -> list[Result]:
        """The results so far, in the order of the email."""
        return [self._results[i] for i in sorted(self._results)]

    @property
    def open(self) -> list[tuple[int, Command]]:
        """Commands without a result: the questions."""
        return [(i, c) for i, c in enumerate(self.commands) if i not in self._results]

    def answer(self, place: int, result: Result) -> None:
        """Set the result of one command by its index in the email."""
        self._results[place] = result

    def did(self, *words: str) -> bool:
        """Whether one of these words was carried out."""
        return any(
            command.word in words and self._results[i].status == "ok"
            for i, command in enumerate(self.commands)
        )

    def waiting(self, word: str, notes: Sequence[Sequence[str]]) -> None:
        """Mark the commands with that word as waiting for their time, each with its notes."""
        every = chain(notes, repeat(()))
        for index, command in enumerate(self.commands):
            if command.word == word:
                told = tuple(next(every))
                self._results[index] = waits(command, *told)

    # commands of the game

    def undo(self, change: Change, why: tuple[str, ...]) -> None:
        """The result of `undo`; if the email has moves too, neither is done."""
        taken = change.back
        if self.plan:
            why = (UNDO_ALONE,)
        for index, command in enumerate(self.commands):
            if command.word == "play":
                self._results[index] = unsent(command)
            elif command.word == "undo" and why:
                self._results[index] = refused(command, *why)
            elif command.word == "undo" and taken:
                texts = tuple(TAKEN_BACK.format(command=text) for text in taken.texts)
                waited = (went.ahead.shown for went in change.went)
                texts += tuple(WAITS_NO_MORE.format(commands=shown) for shown in waited)
                self._results[index] = Result(command.number, "undo", "ok", "undo", texts)

    def none_for(self, word: str, why: Refused) -> None:
        """Nothing of the turn is done, because of the command ``word``, whose result says why."""
        for index, command in enumerate(self.commands):
            if command.word == word:
                self._results[index] = refused(command, *why.lines)
            elif command.word in ("play", "go", "hold"):
                self._results[index] = unsent(command)

    def refuse(self, *why: str) -> None:
        """The result of the first command of the game says why none was done."""
        for index, command in enumerate(self.commands):
            if command.word == "play":
                first = command is self.plan[0]
                self._results[index] = refused(command, *why) if first else unsent(command)

    def stopped(self, why: str) -> None:
        """Nothing of the turn is done or taken back: its first command says why."""
        for index, command in enumerate(self.commands):
            if command.word in ("play", "undo", "go", "hold"):
                self._results[index] = refused(command, why) if why else unsent(command)
                why = ""

    def played(self, outcome: PlayOutcome, before: State, seat: Seat, *, own: bool = True) -> None:
        """The results of the commands of the game; ``before`` is the position before them.

        ``own`` says that the seat's player wrote them, who may give advance orders.
        """
        rest = zip(outcome.steps, effects_on_money(before, outcome.steps, seat), strict=True)
        early = own and any(step.fault and step.fault.code == "turn" for step in outcome.steps)
        texts = [step.command.rest for step in outcome.steps] if early else []
        ended = next((n for n, step in enumerate(outcome.steps) if step.fault), 0) if early else 0
        second = [
            step.command.rest
            for step in outcome.steps
            if own and step.fault and step.fault.code == "purchase"
        ]
        hint = in_advance(self._title, before, seat, texts[ended:] or second)
        ends = (TURN_ENDS.format(command=texts[ended - 1]),) if ended else ()
        for index, command in enumerate(self.commands):
            if command.word == "play":
                found = self._played(*next(rest), outcome.done)
                if found.status == "no":
                    private = (*found.private, hint) if hint else found.private
                    found = replace(found, notes=(*found.notes, *ends), private=private)
                self._results[index] = found

    def _played(self, step: Attempt, cost: str, all_done: bool) -> Result:
        """The result of a command; a legal one is not reported as done if none of them is.

        That is so if another command of the email is at fault.
        """
        command, fault = step.command, step.fault
        if fault is not None:
            notes = (n for n in (fault.caret, fault.text, *fault.hint.split("\n")) if n)
            said = command.rest.removeprefix("I ")
            talk = fault.caret and len(command.text.split()) > 3
            talk = talk and not starts(said, known_of(self._title))
            return replace(refused(command, *notes), private=(SENT_TO_NOBODY,) if talk else ())
        if step.waits and all_done:
            return waits(command)
        if step.played is None and not step.settled:
            return unsent(command)
        if not all_done:
            text = step.played.text if step.played else ""
            return Result(command.number, command.shown, "would", text, (cost,) if cost else ())
        acts = (step.played, *step.added) if step.played else step.added
        told = [step.settled] if step.settled else []
        for act in acts:
            own, followed = act.parted(self._title)
            told += own
            if followed:
                self.followed.append(Narrated(act.number, act.seat, followed))
        if step.played:
            founded = (event for event in step.played.events if isinstance(event, ParSet))
            told += [self._founded(par, step.played.state, cost) for par in founded]
        text = step.played.text if step.played else ""
        return done(command, *told, canonical=text)

    def _founded(self, par: ParSet, state: State, cost: str) -> str:
        """What the start of a company gave its founder, and its cost."""
        percent = Table(self._title, state).percent(par.company, par.seat)
        text = FOUNDED_FOR if cost else FOUNDED
        return text.format(percent=percent, company=par.company, cost=cost)

    # words

    def said(self, most: int, ration: Ration) -> list[str]:
        """The messages to all: every one, or none if they are too many or too long."""
        words = [c.rest for c in self.commands if c.word == "say" and c.rest]
        return [] if self._unsent(most, ration) else words

    def _unsent(self, most: int, ration: Ration) -> Refused | None:
        """Why the email's messages to others are not sent, if it has any and they are not."""
        talk = [c.rest for c in self.commands if c.word in ("say", "tell")]
        return too_much(talk, most, ration) if talk else None

    def whispers(self, players: Sequence[Seat], seat: Seat, most: int, ration: Ration) -> Whispers:
        """The messages to single players, by name."""
        limit = self._unsent(most, ration)
        found: dict[Seat, str] = {}
        for index, command in enumerate(self.commands):
            if command.word == "tell":
                made = tried(partial(tell_some, players=players, seat=seat, limit=limit), command)
                to, self._results[index] = ({}, made) if isinstance(made, Result) else made
                for name, text in to.items():
                    found[name] = " ".join(filter(None, (found.get(name), text)))
        return found

    def jots(self, seat: Seat) -> tuple[Jot, ...]:
        """The notes and diary entries that the player wants kept."""
        found: list[Jot] = []
        for index, command in enumerate(self.commands):
            if command.word in ("note", "diary"):
                made = tried(partial(jot, seat=seat), command)
                kept, self._results[index] = (None, made) if isinstance(made, Result) else made
                found += [kept] if kept else []
        return tuple(found)

    def words(self, seat: SeatRow, change: Change, most: int, ration: Ration) -> None:
        """Set the results of messages to all, and of other commands that change no position."""
        to_act = () if change.over else engine.to_act(self._title, change.state)
        limit = self._unsent(most, ration)
        acts = seat.name in to_act or bool(offers.waits_for(seat.name, change.state))
        judges: dict[str, Callable[[Command], Result]] = {
            "say": partial(say, limit=limit),
            "batch": partial(
                batch,
                times=change.table.settings.batch,
                over=change.table.row.status != "running",
            ),
            "resend": partial(resend, to_act=to_act, seat=seat.name),
            "clear": partial(awaited.clear, before=offers.of(change.table.ahead, seat.name)),
            "more": partial(more, plan=bool(self.plan), acts=acts),
        }
        for index, command in enumerate(self.commands):
            if command.word == "hold":
                wrong = any(r.status == "no" for r in self._results.values())
                judge = partial(saved, plan=bool(self.plan), wrong=wrong)
                self._results.setdefault(index, tried(judge, command))
            elif command.word in judges and not (command.word == "clear" and command.rest):
                self._results[index] = tried(judges[command.word], command)


HANDLED_AT = (
    "Handled at {when}, like all emails of this game. This is the receipt: if all of it is done "
    "then, you read so in your next email about the game. If not, you get an email at once. If you "
    "send two with commands for your turn, the later one counts."
)


TURN_ENDS = "Your turn ends with `{command}`."

NO_TRAIN = (
    "{company} has no train, and your email says nothing of one. So its turn is still open: reply "
    "`{command}`, or `pass` to end the turn without a train."
)

MUST_HAVE_A_TRAIN = (
    "{company} must buy a train, and your email says nothing of one. So its turn is still open: "
    "reply `{command}`."
)


def _goes_on(change: Change) -> bool:
    """Whether moves were made and the same player's decision is still open."""
    title = change.table.title
    before, now = (open_decision(title, at.state) for at in (change.table, change))
    return change.moves and before == now


@dataclass(frozen=True)
class Receipt:
    """The results of an email.

    ``commanded`` says whether it had commands of the game. ``due`` is when it is handled if
    that is later, otherwise 0. ``partial`` is what `go` would do of it. ``clock`` is the text
    about the writer's time.
    """

    mail: Mail
    results: Sequence[Result]
    commanded: bool
    due: int = 0
    partial: PartialRow | None = None
    clock: str = ""

    def page(
        self,
        service: Service,
        scene: Scene,
        seat: SeatRow,
        change: Change,
        then: Sequence[Narrated],
    ) -> Page:
        """The page for its writer; ``then`` is what followed after their own commands."""
        to, kept, done = of_seat(scene.game, seat.name), self.partial, self.done(change)
        saved = bool(kept and not kept.fault)
        go = going.command(kept) if kept else ""
        hint = " ".join(filter(None, (self.hint(change, seat.name), self.clock)))
        return receipt_page(
            to,
            scene,
            Handled(self.results, done, hint, then, go, saved, self.due > 0, _goes_on(change)),
            identity.without_number(self.mail.subject),
            service.button_address(to, seat.epoch, scene.state.number),
            seat_settings(seat).images != "off",
        )

    def done(self, change: Change) -> bool:
        """Whether the receipt may say DONE, perhaps except for lines marked NO."""
        # A vote may change the game although the commands beside it are refused.
        carried = change.outcomes[-1].done if change.outcomes else change.moves
        return (carried or not self.commanded) and carried_out(self.results)

    def hint(self, change: Change, name: str) -> str:
        """What the writer must know beside the results, "" for nothing."""
        hints = [orders_given.notes(change).get(name, "")]
        if change.between_players:
            hints = [
                offer_notes.offers_waiting(change).get(name, ""),
                offer_notes.offer_notes(change).get(name, ""),
                awaited.waiting(change, name),
                *hints,
            ]
        title, state, company = change.table.title, change.state, turn_company(change.state)
        train = next((o.train for o in change.outcomes if o.train), "")
        # an advance order of the email may have bought one, and ended the turn
        if train and company and not state.trains.get(company):
            owed = engine.why_not_pass(title, state, name) is not None
            text = MUST_HAVE_A_TRAIN if owed else NO_TRAIN
            hints.append(text.format(company=company, command=train))
        if change.table.on_hold and not self.commanded:
            hints.append(change.table.on_hold)
        if self.due:
            hints.append(HANDLED_AT.format(when=moment(self.due)))
        if self.partial:
            hints.append(going.how_to_go(self.partial, change.outcomes[-1], change.table.state))
        return " ".join(filter(None, hints))
