"""A mail from a player: its commands, its questions, the receipt, and what the others are told."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import msgspec

import engine
from engine import State
from engine.actions import Insist
from engine.wording import cut
from service.desk import retreat, seat_words, signatures
from service.desk.answering import Answering
from service.desk.follow_up import FollowUp
from service.desk.held import Written
from service.desk.post import Desk
from service.desk.queries import Queries
from service.desk.retreat import Stuck, Taken
from service.desk.work import HOUR, Work, remaining
from service.games import games
from service.games.commands import SHOWN, read_commands, within
from service.games.games import Past, Table, seat_settings
from service.games.playing import Outcome, Play, Step
from service.mail import identity
from service.mail.message import Mail
from service.reports import Result, Said, Scene, receipt_page
from service.store import Conflict, GameRow, Letter, SeatRow, Store, Tx, rations
from service.store.rations import Ration, Who

#: commands of the game in one mail; the longest turns have a dozen
MOST_COMMANDS = 60


@dataclass(frozen=True)
class Known:
    """What the store tells beside the table, read at once."""

    past: tuple[Past, ...]
    said: tuple[Said, ...]
    #: what has changed since the position that the mail answers, if that matters
    changed: tuple[str, ...]
    #: what an `undo` takes back, or why it cannot
    taken: Taken | None
    stuck: tuple[str, ...]
    games: tuple[GameRow, ...]
    #: what the questions of the mail may cost
    work: Work
    #: mails with words to all that may still be sent
    talk: Ration


class SeatMail:
    """Handles one mail of a seat in a game that has begun; its player is known to have sent it."""

    def __init__(
        self,
        store: Store,
        desk: Desk,
        mail: Mail,
        table: Table,
        seat: SeatRow,
        written: Written,
    ) -> None:
        self._store = store
        self._desk = desk
        with store.transaction() as tx:
            habit = signatures.habit_of(tx, mail.sender)
        self._signed = signatures.unsigned(mail, habit, table.title, table.state, seat.name)
        self._mail = mail = self._signed.mail
        self._written = written
        self._commands = within(read_commands(mail.lines), table.row.name)
        self._known = table.seats
        # All letters that follow from the mail bear the new address already.
        self._renews = any(map(seat_words.renews, self._commands))
        self._seat = replace(seat, epoch=seat.epoch + 1) if self._renews else seat
        self._table = games.with_seat(table, self._seat)
        self._plan = [c for c in self._commands if c.word == "play"]
        self._results: dict[int, Result] = {}

    def handle(self) -> None:
        """Do it all; raises Conflict if the position changed meanwhile."""
        known = self._know()
        outcome = self._act(known)
        taken = known.taken if not self._plan else None
        scene = self._scene(taken.state if taken else outcome.state)
        spoken = self._spoken(scene.state, known.talk)
        seat = self._settle_words(scene.state, known.talk)
        self._answer(known, outcome, scene)
        follow = FollowUp(
            self._desk,
            self._table,
            known.past,
            known.said,
            outcome.played,
            scene,
            self._seat.name,
            spoken,
            taken.texts if taken else (),
        )
        kind = self._ration(outcome, taken)
        answer = Answering(self._store, self._desk, self._who(kind) if kind else ())
        letters: list[Letter] = []
        if answer.possible:
            receipt = self._receipt(scene, seat, outcome, answer)
            again = self._has("resend") or self._renews
            letters = [receipt, *follow.letters(again)]
        self._commit(outcome, taken, seat, spoken, answer, letters, known.work.spent)

    def _has(self, word: str) -> bool:
        return any(command.word == word for command in self._commands)

    def _who(self, kind: str) -> Who:
        return rations.player(self._table.row.name, self._seat.name, kind)

    def _scene(self, state: State) -> Scene:
        name = self._table.row.name
        return Scene(name, self._table.title, state, templates=self._desk.house.templates)

    # what is known

    def _know(self) -> Known:
        table, all_of_it, written = self._table, self._has("history"), self._written
        with self._store.transaction() as tx:
            number = retreat.position_before(tx, table, written.number, written.received)
            past = games.recent(tx, table, (lambda _: False) if all_of_it else self._enough)
            first = 0 if all_of_it else past[0].number
            taken: Taken | None = None
            stuck: tuple[str, ...] = ()
            if self._has("undo"):
                try:
                    taken = retreat.take_back(tx, table, self._seat.name)
                    stuck = retreat.undo_changed(tx, table, past, number, taken)
                except Stuck as why:
                    stuck = (str(why),)
            work = remaining(*tx.spent(self._seat.address, self._desk.now - HOUR), self._desk.now)
            return Known(
                tuple(past),
                games.said(tx.talks(table.row.id, first)),
                retreat.changed(tx, table, past, number) if self._plan else (),
                None if stuck else taken,
                stuck,
                tx.games() if self._has("games") else (),
                work,
                tx.ration(self._who("talk"), self._desk.now),
            )

    def _enough(self, past: Sequence[Past]) -> bool:
        """Whether it goes back to every player's latest action and the round's beginning."""
        seats = {p.seat for p in past}
        rounds = sum(isinstance(e, engine.events.RoundBegan) for p in past for e in p.events)
        return rounds > 1 and all(seat.name in seats for seat in self._table.players)

    # commands of the game

    def _act(self, known: Known) -> Outcome:
        """All commands of the game, or none of them and why not."""
        nothing = Outcome((), self._table.state, (), not self._plan)
        if self._has("undo"):
            self._note_undo(known)
            return nothing
        if not self._plan:
            return nothing
        if self._table.row.status != "running":
            self._refuse(f"{self._table.row.name} is over.")
            return nothing
        if len(self._plan) > MOST_COMMANDS:
            self._refuse(f"A mail may have {MOST_COMMANDS} commands at most.")
            return nothing
        number, name = self._table.next_number, self._seat.name
        play = Play(self._table.title, self._table.state, name, number)
        outcome = play.commands(self._plan, keep_open=self._has("more"))
        if known.changed and not _settles_only(outcome):
            self._refuse(*known.changed)
            return nothing
        self._note_steps(outcome)
        return outcome

    def _note_undo(self, known: Known) -> None:
        """What became of `undo`; with commands beside it neither is done."""
        why = known.stuck
        if self._plan:
            why = ("`undo` stands alone: send what you want to do instead in your next mail.",)
        for index, command in enumerate(self._commands):
            if command.word == "play":
                self._results[index] = Result(command.number, command.shown, "unsent")
            elif command.word == "undo" and why:
                self._results[index] = Result(command.number, command.shown, "no", notes=why)
            elif command.word == "undo" and known.taken:
                texts = tuple(f"taken back: {text}" for text in known.taken.texts)
                self._results[index] = Result(command.number, "undo", "ok", "undo", texts)

    def _refuse(self, *why: str) -> None:
        """The first command of the game says why none was done."""
        for index, command in enumerate(self._commands):
            if command.word == "play":
                first = command is self._plan[0]
                self._results[index] = Result(
                    command.number,
                    command.shown,
                    "no" if first else "unsent",
                    notes=why if first else (),
                )

    def _note_steps(self, outcome: Outcome) -> None:
        rest = iter(outcome.steps)
        for index, command in enumerate(self._commands):
            if command.word == "play":
                self._results[index] = self._result(next(rest), outcome.done)

    def _result(self, step: Step, done: bool) -> Result:
        """What became of a command; one that would have been legal is not told as if it were done.

        That is so where another command of the mail is at fault.
        """
        command, fault = step.command, step.fault
        if fault is not None:
            notes = [n for n in (fault.caret, fault.text, *fault.hint.split("\n")) if n]
            if fault.caret and len(command.text.split()) > 3:
                notes.append("It was not sent to anybody. Put `say:` before it to speak to all.")
            return Result(command.number, command.shown, "no", notes=tuple(notes))
        if step.played is None and not step.settled:
            return Result(command.number, command.shown, "unsent")
        if not done:
            text = step.played.text if step.played else ""
            return Result(command.number, command.shown, "would", text)
        if step.played is None:
            return Result(command.number, command.shown, "ok", notes=(step.settled,))
        told = [s for p in (step.played, *step.added) for s in p.told(self._table.title)]
        return Result(command.number, command.shown, "ok", step.played.text, tuple(told))

    # words and questions

    def _spoken(self, state: State, ration: Ration) -> tuple[Said, ...]:
        """What goes to all: the whole of it, or nothing where it is too much."""
        words = [c.rest for c in self._commands if c.word == "say" and c.rest]
        if seat_words.too_much(words, self._desk.house.talk, ration):
            return ()
        return tuple(Said(self._seat.name, text, state.number) for text in words)

    def _settle_words(self, state: State, ration: Ration) -> SeatRow:
        """Settings and talk; the seat as it is from now on."""
        chosen = seat_settings(self._seat)
        to_act = engine.to_act(self._table.title, state)
        words = [c.rest for c in self._commands if c.word == "say"]
        limit = seat_words.too_much(words, self._desk.house.talk, ration)
        for index, command in enumerate(self._commands):
            if command.word in ("images", "news"):
                chosen, self._results[index] = seat_words.choose(command, chosen)
            elif command.word == "say":
                self._results[index] = seat_words.say(command, limit)
            elif command.word == "new":
                self._results[index] = seat_words.new(command)
            elif command.word == "resend":
                self._results[index] = seat_words.resend(command, to_act, self._seat.name)
            elif command.word == "more":
                acts = self._seat.name in to_act
                self._results[index] = seat_words.more(command, bool(self._plan), acts)
        return replace(self._seat, settings=msgspec.json.encode(chosen))

    def _answer(self, known: Known, outcome: Outcome, scene: Scene) -> None:
        """The questions, as the position is after the mail."""
        past = [*known.past, *(Past(p.number, p.seat, p.events) for p in outcome.played)]
        queries = Queries(scene, self._seat.name, past, known.said, known.games, known.work)
        for index, command in enumerate(self._commands):
            if index not in self._results:
                self._results[index] = queries.answer(command)

    # the end of it

    def _receipt(self, scene: Scene, seat: SeatRow, outcome: Outcome, answer: Answering) -> Letter:
        results = [self._results[i] for i in sorted(self._results)]
        if self._signed.new:
            results.append(seat_words.signature(self._signed.signature))
        if not results:
            trouble = self._mail.trouble or "empty"
            notes = (
                f"No command could be read in your mail: {trouble}.",
                "Write commands as plain text at the top of your reply; `help` lists them.",
            )
            results = [Result(0, "nothing to do", "no", notes=notes)]
        good = any(result.status in ("ok", "answer") for result in results)
        bad = any(result.status == "no" for result in results)
        done = (outcome.done or not self._plan) and (good or not bad)
        hint = ""
        if done and bad:
            hint = "What is marked NO was not done, the rest was."
        elif not done and self._did_words("say", "images", "news"):
            hint = "Only the commands of the game were held back; the other words count."
        page = receipt_page(
            scene,
            seat.name,
            results,
            done=done,
            reply_subject=identity.without_number(self._mail.subject),
            hint=hint,
            reply_to=self._desk.house.seat_address(
                self._table.row.name, seat.name, seat.epoch, scene.state.number
            ),
            pictures=seat_settings(seat).images,
        )
        name, number = self._table.row.name, scene.state.number
        page = answer.noted(page)
        return self._desk.to_seat("receipt", name, seat, number, page, answers=self._mail)

    def _did_words(self, *words: str) -> bool:
        """Whether one of these words was carried out."""
        commands = enumerate(self._commands)
        return any(c.word in words and self._results[i].status == "ok" for i, c in commands)

    def _ration(self, outcome: Outcome, taken: Taken | None) -> str:
        """Which ration the receipt falls under, "" for none: robots change nothing for ever."""
        if outcome.played or taken or self._did_words("say", "images", "news", "new"):
            return ""
        understood = any(r.status in ("ok", "answer") for r in self._results.values())
        misread = any(step.fault and step.fault.caret for step in outcome.steps)
        return "idle" if understood or (self._plan and not misread) else "puzzled"

    def _commit(
        self,
        outcome: Outcome,
        taken: Taken | None,
        seat: SeatRow,
        spoken: Sequence[Said],
        answer: Answering,
        letters: Sequence[Letter],
        work: float,
    ) -> None:
        """All of the mail in one transaction; Conflict if the head is another by now."""
        table, now = self._table, self._desk.now
        head = table.row.head
        with self._store.transaction() as tx:
            for step in games.steps(table, outcome.played, self._desk.inbox_id):
                head = tx.add_action(table.row.id, replace(step, parent=head), now)
            new = taken.parent if taken else head
            if new != table.row.head:
                assert new is not None
                if not tx.move_head(table.row.id, table.row.head, new):
                    raise Conflict(f"{table.row.name} has gone on")
            if outcome.played and not outcome.state.stack:
                tx.set_status(table.row.id, "ended", now)
            self._commit_seat(tx, seat)
            for word in spoken:
                tx.add_talk(table.row.id, word.seat, word.text, word.number, now)
            if spoken:
                tx.count_answer(self._who("talk"), now)
            about = self._commands[0].shown if self._commands else cut(self._mail.subject, SHOWN)
            for letter in letters:
                tx.queue(letter, now)
            signatures.learn(tx, self._signed)
            tx.spend(self._seat.address, work, now)
            note = answer.settle(tx, table.row.name, self._seat.name, about)
            tx.finish(self._desk.inbox_id, "done", note)

    def _commit_seat(self, tx: Tx, seat: SeatRow) -> None:
        """What changes about the seat; Conflict if a letter would bear an address void by now."""
        if {s.id: s.epoch for s in tx.seats(self._table.row.id)} != {
            s.id: s.epoch for s in self._known
        }:
            raise Conflict(f"an address of {self._table.row.name} was renewed")
        if seat.settings != self._seat.settings:
            tx.change_seat(seat.id, settings=seat.settings)
        if self._renews and not tx.renew_seat(seat.id, seat.epoch - 1, self._desk.inbox_id):
            raise Conflict(f"the address of {seat.name} was renewed")
        held = self._written.held
        if held and not tx.take_held(held, *self._written.notes):
            raise Conflict(f"mail {held} was confirmed already")


def _settles_only(outcome: Outcome) -> bool:
    """Whether the commands only settle what a player may settle at any time."""
    return outcome.done and all(isinstance(p.action, Insist) for p in outcome.played)
