"""A mail from a player: its commands, its questions, the receipt, and what the others are told."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import msgspec

import engine
from engine import State
from service import games
from service.commands import Command, read_commands
from service.follow_up import FollowUp
from service.games import Past, SeatSettings, Table, seat_settings
from service.message import Mail
from service.playing import Outcome, Play, Played, Step
from service.post import Desk, answered_number
from service.queries import Queries
from service.reports import Result, Said, Scene, Status, joined_page, note_page, receipt_page
from service.store import Conflict, Letter, SeatRow, Store, Tx

_YES = re.compile(r"\s*(yes|ja|oui|si|ok)\b.*", re.IGNORECASE)


@dataclass(frozen=True)
class Taken:
    """What an `undo` takes back: the action to go back to, and what is undone."""

    parent: int
    number: int
    state: State
    count: int


class SeatMail:
    """Handles one mail of a seat whose player is known to have sent it."""

    def __init__(self, store: Store, desk: Desk, mail: Mail, table: Table, seat: SeatRow) -> None:
        self._store = store
        self._desk = desk
        self._mail = mail
        self._table = table
        self._seat = seat
        self._settings = seat_settings(seat)
        self._commands = read_commands(mail.lines)
        self._results: dict[int, Result] = {}

    def handle(self) -> None:
        """Do it all; raises Conflict if the position changed meanwhile."""
        if self._seat.status == "invited":
            self._confirm()
        elif self._table.row.status == "open":
            self._answer_before_start()
        else:
            self._play()

    # an invitation

    def _confirm(self) -> None:
        """The owner of an address agrees to play, or anything else that is not yet possible."""
        agreed = any(_YES.fullmatch(line.text) for line in self._mail.lines)
        name = self._table.row.name
        with self._store.transaction() as tx:
            if agreed:
                seat = replace(self._seat, status="joined")
                tx.set_seat(seat)
                players = [s.name for s in self._table.players] + [seat.name]
                address = self._desk.house.seat_address(name, seat.name, seat.epoch)
                page = joined_page(name, self._table.title, seat.name, address, players)
                letter = self._desk.to_seat("welcome", name, seat, 0, page, answers=self._mail)
                tx.queue(letter, self._desk.now)
                self._tell_organiser(tx, f"{seat.name} has joined {name}.", players)
                tx.finish(self._desk.inbox_id, "done", f"{seat.name} joined {name}")
                return
        text = "Your seat is not confirmed. Reply with the one word `yes` to take it."
        self._tell(text)

    def _tell_organiser(self, tx: Tx, text: str, players: Sequence[str]) -> None:
        row, title = self._table.row, self._table.title
        if row.organiser == self._seat.address:
            return
        numbers = f"{title.seats[0]} to {title.seats[-1]}"
        lines = (
            text,
            f"Players so far: {', '.join(players)}. {title.name} is for {numbers}.",
            "Reply `start` when everybody is there.",
        )
        page = note_page(f"[{row.name}] {text}", text, lines, ("start",), game=row.name)
        tx.queue(self._desk.to_organiser("notice", row.name, row.organiser, page), self._desk.now)

    def _answer_before_start(self) -> None:
        """The game has not begun: the organiser's player may start it, questions get an answer."""
        from service.stranger_mail import start_game

        wants = any(line.text.strip().lower().startswith("start") for line in self._mail.lines)
        if wants and self._table.row.organiser == self._seat.address:
            start_game(self._store, self._desk, self._mail, self._table, self._seat)
            return
        who = ", ".join(seat.name for seat in self._table.players)
        text = f"{self._table.row.name} has not begun. Joined so far: {who}."
        self._tell(text)

    def _tell(self, text: str) -> None:
        """A receipt for a mail to a game that has not begun."""
        name = self._table.row.name
        page = note_page(f"Re: {self._mail.subject} – NOT DONE", "NOT DONE", (text,), game=name)
        letter = self._desk.to_seat("receipt", name, self._seat, 0, page, answers=self._mail)
        with self._store.transaction() as tx:
            tx.queue(letter, self._desk.now)
            tx.finish(self._desk.inbox_id, "done")

    # play

    def _scene(self, state: State) -> Scene:
        name = self._table.row.name
        return Scene(name, self._table.title, state, templates=self._desk.house.templates)

    def _play(self) -> None:
        table, plan = self._table, [c for c in self._commands if c.word == "play"]
        with self._store.transaction() as tx:
            past = games.recent(tx, table, self._enough)
            talks = games.said(tx.talks(table.row.id, max(table.state.number - 200, 0)))
        stale = self._stale(past) if plan else ()
        outcome = self._nothing() if stale else self._apply(plan)
        taken = self._take_back(plan)
        if stale:
            self._refuse_stale(plan, stale)
        else:
            self._note_steps(outcome.steps)
        state = taken.state if taken else outcome.state
        scene = self._scene(state)
        spoken = tuple(
            Said(self._seat.name, c.rest, state.number)
            for c in self._commands
            if c.word == "say" and c.rest
        )
        seat = self._settle_words(taken)
        queries = Queries(self._desk.house, table, scene, self._seat.name, past, talks)
        for index, command in enumerate(self._commands):
            if index not in self._results:
                self._results[index] = queries.answer(command)
        done = (
            outcome.done
            and all(result.status != "no" for result in self._results.values())
            and not self._mail.trouble
            and bool(self._commands)
        )
        follow = FollowUp(self._desk, table, past, (*talks, *spoken), outcome.played, scene)
        letters = [
            self._receipt(scene, seat, done, state),
            *follow.letters(
                self._seat.name,
                spoke=bool(spoken),
                taken_back=taken.count if taken else 0,
                again=any(c.word == "resend" for c in self._commands),
            ),
        ]
        self._commit(outcome.played, taken, seat, spoken, letters, scene)

    def _enough(self, past: Sequence[Past]) -> bool:
        """Whether it goes back to every player's latest action and the round's beginning."""
        seats = {p.seat for p in past}
        rounds = sum(isinstance(e, engine.events.RoundBegan) for p in past for e in p.events)
        return rounds > 1 and all(seat.name in seats for seat in self._table.players)

    def _nothing(self) -> Outcome:
        return Outcome((), self._table.state, (), False)

    def _apply(self, plan: Sequence[Command]) -> Outcome:
        if self._table.row.status != "running" or not plan:
            return Outcome(tuple(Step(c) for c in plan), self._table.state, (), not plan)
        play = Play(self._table.title, self._table.state, self._seat.name, self._table.next_number)
        keep_open = any(c.word == "more" for c in self._commands)
        return play.commands(plan, keep_open)

    def _stale(self, past: Sequence[Past]) -> tuple[Past, ...]:
        """What happened since the position that the mail answers, if it decides something else."""
        number = answered_number(self._mail)
        if number is None or number >= self._table.state.number:
            return ()
        since = tuple(p for p in past if p.number > number)
        if all(p.seat == self._seat.name for p in since):
            return ()
        with self._store.transaction() as tx:
            then = tx.action_by_number(self._table.row.id, number)
        if then is not None and then.snapshot is not None:
            old = engine.decode_state(then.snapshot)
            if engine.decision(old) == engine.decision(self._table.state):
                return ()
        return since or tuple(past[-1:])

    def _refuse_stale(self, plan: Sequence[Command], since: Sequence[Past]) -> None:
        title = self._table.title
        changed = [s for p in since for s in p.told(title).sentences][-6:]
        number = answered_number(self._mail)
        notes = (
            f"Your mail answers position #{number}; the game is at #{self._table.state.number}.",
            *(f"since then: {sentence}" for sentence in changed),
            "Nothing was done. Answer the latest turn mail (`resend` sends it again).",
        )
        for index, command in enumerate(self._commands):
            if command.word == "play":
                first = command is plan[0]
                self._results[index] = Result(
                    command.number,
                    command.text,
                    "no" if first else "unsent",
                    notes=notes if first else (),
                )

    def _note_steps(self, steps: Sequence[Step]) -> None:
        rest = iter(steps)
        over = self._table.row.status != "running"
        for index, command in enumerate(self._commands):
            if command.word != "play":
                continue
            step = next(rest)
            if over:
                notes = (f"{self._table.row.name} is over.",)
                self._results[index] = Result(command.number, command.text, "no", notes=notes)
            else:
                self._results[index] = self._result(step)

    def _result(self, step: Step) -> Result:
        command, title = step.command, self._table.title
        if step.fault is not None:
            fault = step.fault
            notes = [n for n in (fault.caret, fault.text, fault.hint) if n]
            if fault.caret and len(command.text.split()) > 3:
                notes.append("It was not sent to anybody. Put `say:` before it to speak to all.")
            return Result(command.number, command.text, "no", notes=tuple(notes))
        if step.played is None:
            return Result(command.number, command.text, "unsent")
        told = [s for p in (step.played, *step.added) for s in p.told(title)]
        return Result(command.number, command.text, "ok", step.played.text, tuple(told))

    # words that change something beside the position

    def _take_back(self, plan: Sequence[Command]) -> Taken | None:
        """What `undo` takes back: one's own latest mail, while nobody has acted since."""
        index = next((i for i, c in enumerate(self._commands) if c.word == "undo"), None)
        if index is None:
            return None
        command, head = self._commands[index], self._table.head
        assert head is not None
        why = ""
        if plan:
            why = "`undo` stands alone: send what you want to do instead in your next mail."
        elif head.seat != self._seat.name:
            who = head.seat or "nobody"
            why = (
                f"{who} acted last. Your own last mail can be taken back until somebody else acts."
            )
        if why:
            self._results[index] = Result(command.number, command.text, "no", notes=(why,))
            return None
        with self._store.transaction() as tx:
            rows = tx.actions(self._table.row.id, max(head.number - 200, -1))
        mine = [r for r in rows if r.inbox_id == head.inbox_id]
        before = next(r for r in reversed(rows) if r.inbox_id != head.inbox_id)
        assert before.snapshot is not None
        texts = tuple(f"taken back: {row.text}" for row in mine)
        self._results[index] = Result(command.number, command.text, "ok", "undo", texts)
        state = engine.decode_state(before.snapshot)
        return Taken(before.id, before.number, state, len(mine))

    def _settle_words(self, taken: Taken | None) -> SeatRow:
        """Settings and talk; the seat as it is from now on."""
        chosen = self._settings
        for index, command in enumerate(self._commands):
            if command.word in ("images", "news"):
                chosen = self._choose(index, command, chosen)
            elif command.word == "say":
                status: Status = "ok" if command.rest else "no"
                notes = () if command.rest else ("Put the message behind it: `say: well played`.",)
                self._results[index] = Result(
                    command.number, command.text, status, command.text, notes
                )
            elif command.word == "resend":
                self._results[index] = self._resend(command)
            elif command.word == "more":
                self._results[index] = Result(
                    command.number, command.text, "ok", "more", ("Your turn stays open.",)
                )
        return replace(self._seat, settings=msgspec.json.encode(chosen))

    def _resend(self, command: Command) -> Result:
        """His turn mail is written anew, if there is a turn of his."""
        if self._seat.name in self._table.to_act():
            note = "Your turn mail follows."
        else:
            note = f"It is not your turn: {', '.join(self._table.to_act()) or 'nobody'} must act."
        return Result(command.number, command.text, "ok", "resend", (note,))

    def _choose(self, index: int, command: Command, chosen: SeatSettings) -> SeatSettings:
        choices: dict[str, SeatSettings] = (
            {
                "on": msgspec.structs.replace(chosen, images=True),
                "off": msgspec.structs.replace(chosen, images=False),
            }
            if command.word == "images"
            else {
                "all": msgspec.structs.replace(chosen, news="all"),
                "rounds": msgspec.structs.replace(chosen, news="rounds"),
                "off": msgspec.structs.replace(chosen, news="off"),
            }
        )
        word = command.rest.lower()
        if word in choices:
            text = f"{command.word} {word}"
            self._results[index] = Result(command.number, command.text, "ok", text)
            return choices[word]
        notes = (f"Write `{command.word}` and one of: {', '.join(choices)}.",)
        self._results[index] = Result(command.number, command.text, "no", notes=notes)
        return chosen

    # the end of it

    def _receipt(self, scene: Scene, seat: SeatRow, done: bool, state: State) -> Letter:
        results = [self._results[i] for i in sorted(self._results)]
        if not results:
            trouble = self._mail.trouble or "empty"
            notes = (
                f"No command could be read in your mail: {trouble}.",
                "Write commands as plain text at the top of your reply; `help` lists them.",
            )
            results = [Result(0, "", "no", notes=notes)]
        page = receipt_page(scene, seat.name, results, done=done, reply_subject=self._mail.subject)
        return self._desk.to_seat(
            "receipt", self._table.row.name, seat, state.number, page, answers=self._mail
        )

    def _commit(
        self,
        played: Sequence[Played],
        taken: Taken | None,
        seat: SeatRow,
        spoken: Sequence[Said],
        letters: Sequence[Letter],
        scene: Scene,
    ) -> None:
        """All of the mail in one transaction; Conflict if the head is another by now."""
        table, now = self._table, self._desk.now
        head = table.row.head
        with self._store.transaction() as tx:
            for step in games.steps(table, played, self._desk.inbox_id):
                made = tx.add_action(table.row.id, replace(step, parent=head), now)
                head = made
            new = taken.parent if taken else head
            moves = new != table.row.head
            if moves and new is not None and not tx.move_head(table.row.id, table.row.head, new):
                raise Conflict(f"{table.row.name} has gone on")
            if not scene.state.stack and played:
                tx.set_status(table.row.id, "ended", now)
            if seat != self._seat:
                tx.set_seat(seat)
            for word in spoken:
                tx.add_talk(table.row.id, word.seat, word.text, word.number, now)
            for letter in letters:
                tx.queue(letter, now)
            tx.finish(self._desk.inbox_id, "done")
