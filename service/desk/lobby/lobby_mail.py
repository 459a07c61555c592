"""Mails about a game that has not begun, and to its organiser's address, which stays afterwards."""

from collections.abc import Sequence
from dataclasses import replace

import msgspec

from engine.wording import cut
from service.audience import Audience, of_organiser, of_seat
from service.commands.command import SHOWN, Command
from service.desk.letters.follow_up import opening_letters
from service.desk.letters.post import At, Desk
from service.desk.lobby import lobby
from service.desk.lobby.lobby_letters import said_page, to_organiser, to_others, told
from service.desk.lobby.lobby_options import LASTING, OPTIONS
from service.desk.lobby.lobby_queries import answer_to
from service.desk.lobby.lobby_standing import HEADLINES, STARTER, standing
from service.desk.lobby.lobby_words import YES, Word, is_act, near, read_word
from service.desk.timing.answering import Answering
from service.desk.turns import seat_words
from service.games import observers
from service.games.commands import CHOICES, QUERIES, read_commands
from service.games.commit import commit_opening, handle_at
from service.games.games import GameTable, load, seat_settings
from service.mail.message import Mail
from service.reports import (
    About,
    Page,
    Result,
    answering,
    joined_page,
    lobby_page,
    note_page,
    without_pictures,
)
from service.store import Conflict, Letter, SeatRow, Store, Tx, rations
from service.store.rations import Who

#: lines of a mail that are read
MOST_LINES = 40


class LobbyMail:
    """A mail to a seat's address, or to the organiser's address (``seat`` None)."""

    def __init__(
        self, store: Store, desk: Desk, mail: Mail, table: GameTable, seat: SeatRow | None
    ) -> None:
        self._store = store
        self._desk = desk
        self._mail = mail
        self._table = table
        self._seat = seat
        self._name = table.row.name
        self._words = [read_word(line) for line in mail.lines[:MOST_LINES]]
        self._results: dict[int, Result] = {}

    def handle(self) -> None:
        """A confirmation, the start of the game, or what else can be done before it."""
        if self._seat is not None and self._seat.status == "invited":
            self._invited(self._seat)
            return
        if any(map(seat_words.renews, read_commands(self._mail.lines))):
            self._renew()
            return
        acts = [word for word in self._words if is_act(word)]
        alone = len(self._words) == 1
        if alone and acts and acts[0].word == "start":
            self._start(acts[0])
        else:
            self._rest(acts)

    @property
    def _organises(self) -> bool:
        return self._seat is None or self._table.row.organiser == self._seat.address

    @property
    def _reader(self) -> Audience:
        """For whom the answer is."""
        return of_seat(self._name, self._seat.name) if self._seat else of_organiser(self._name)

    @property
    def _about_game(self) -> About:
        return self._desk.house.about(self._name, self._table.title)

    @property
    def _called(self) -> str:
        """Who writes, as others know them."""
        return self._seat.name if self._seat else "The organiser"

    def _who(self, kind: str) -> Who:
        return rations.player(self._name, self._seat.name if self._seat else "", kind)

    # a new address

    def _renew(self) -> None:
        """Make the address void to which the mail came; Conflict if it is void already."""
        desk, row, seat = self._desk, self._table.row, self._seat
        with self._store.transaction() as tx:
            if seat is None:
                renewed = tx.renew_organiser(row.id, row.epoch, desk.mail)
                self._table = replace(self._table, row=replace(row, epoch=row.epoch + 1))
            else:
                renewed = tx.renew_seat(seat.id, seat.epoch, desk.mail)
                self._seat = replace(seat, epoch=seat.epoch + 1)
            if not renewed:
                raise Conflict(f"an address of {self._name} was renewed")
            stands = standing(self._table, self._organises, desk.house.open_days)
            page = self._note("DONE", (seat_words.RENEWED, *stands))
            tx.queue(self._letter(page), desk.now)
            tx.finish(desk.mail, "done", "a new token")

    # the answer to an invitation

    def _invited(self, seat: SeatRow) -> None:
        if not any(YES.fullmatch(line.text) for line in self._mail.lines):
            text = (
                "Your seat is not confirmed, and nothing was done. Reply with the one word `yes` "
                "to take it."
            )
            self._reply(self._note("NOT DONE", (text,)))
            return
        try:
            with self._store.transaction() as tx:
                table = lobby.confirm(tx, self._name, seat)
                self._welcome(tx, table, seat)
                tx.finish(self._desk.mail, "done", f"{seat.name} joined {self._name}")
        except lobby.Denied as refused:
            self._reply(self._note("NOT DONE", (str(refused),)))

    def _welcome(self, tx: Tx, table: GameTable, seat: SeatRow) -> None:
        """To the new player, and to the organiser unless that is the same person."""
        players = [s.name for s in table.players]
        own = self._desk.house.button_address(self._reader, seat.epoch, 0)
        page = joined_page(
            self._reader, table.title, own, players, templates=self._desk.house.templates
        )
        letter = self._desk.to_seat("welcome", At(self._name), seat, page, answers=self._mail)
        tx.queue(letter, self._desk.now)
        if table.row.organiser != seat.address:
            letter = to_organiser(self._desk, table, f"{seat.name} has joined {self._name}.")
            tx.queue(letter, self._desk.now)

    # the start

    def _start(self, word: Word) -> None:
        """Start the game; raises Conflict if it has begun meanwhile."""
        desk = self._desk
        try:
            self._check(word, False)
            opening = lobby.opening(self._table, desk.house.secret, desk.now)
        except lobby.Denied as refused:
            self._refuse(word, str(refused))
            self._commit(self._table, (), None)
            return
        begun = opening.begun
        lines = (f"Seats by lot: {', '.join(s.name for s in begun.players)}.",)
        page = self._note(f"{self._name} has begun.", lines)
        letters = [self._letter(page), *opening_letters(desk, begun)]
        with self._store.transaction() as tx:
            commit_opening(tx, desk.occasion, begun, opening.step, desk.now)
            for letter in letters:
                tx.queue(letter, desk.now)
            tx.finish(desk.mail, "done", f"started {self._name}")

    # everything else

    def _rest(self, acts: Sequence[Word]) -> None:
        """Words to all, settings and questions; acts only if all of the mail is understood."""
        if not self._words:
            why = f"No word could be read in your mail: {self._mail.trouble or 'empty'}."
            self._results[-1] = Result(0, "", "no", notes=(why,))
        if len(self._mail.lines) > MOST_LINES:
            why = f"A mail may have {MOST_LINES} lines before the start; nothing more was read."
            self._results[MOST_LINES] = Result(0, "…", "no", notes=(why,))
        for word in self._words:
            if not word.word:
                self._refuse(word, near(word))
        talk = self._say()
        settings = self._choose()
        self._ask()
        wrong = any(result.status == "no" for result in self._results.values())
        after = self._table if wrong else self._plan(acts)
        if wrong or after is None:
            after = self._table
            for word in acts:
                if self._results.get(self._place(word), _UNSENT).status != "no":
                    self._results[self._place(word)] = Result(word.number, word.shown, "unsent")
        self._commit(after, talk, settings)

    def _commit(self, after: GameTable, talk: Sequence[Letter], settings: SeatRow | None) -> None:
        """All of the mail at once; raises Conflict if the game has changed meanwhile."""
        changed = after is not self._table or bool(talk) or settings is not None
        answer = Answering(self._store, self._desk, () if changed else self._who(self._kind()))
        letters = told(self._desk, self._table, after, self._seat)
        if answer.possible:
            page = self._receipt(after, settings or self._seat, changed)
            letters.append(self._letter(answer.noted(page)))
        with self._store.transaction() as tx:
            now = load(tx, self._name)
            if now is None or (now.row, now.seats) != (self._table.row, self._table.seats):
                raise Conflict(f"{self._name} has changed")
            kept = {seat.id for seat in after.seats}
            for seat in self._table.seats:
                if seat.id not in kept:
                    lobby.free(tx, self._table, seat)
            if after.row.status != self._table.row.status:
                tx.set_status(after.row.id, after.row.status, self._desk.now)
                observers.plan(tx, after.row.name, after.row.status, self._desk.now)
            if after.row.settings != self._table.row.settings:
                handle_at(tx, after, after.settings.batch, self._desk.now)
            if settings is not None and settings.id in kept:
                tx.change_seat(settings.id, settings=settings.settings)
            if talk:
                tx.count_answer(self._who("talk"), self._desk.now)
            for letter in (*letters, *talk):
                tx.queue(letter, self._desk.now)
            note = answer.settle(tx, self._name, self._holder, self._about())
            tx.finish(self._desk.mail, "done", note)

    def _kind(self) -> str:
        good = any(result.status in ("ok", "answer") for result in self._results.values())
        return "idle" if good else "puzzled"

    def _about(self) -> str:
        return self._words[0].shown if self._words else cut(self._mail.subject, SHOWN)

    # acts

    def _plan(self, acts: Sequence[Word]) -> GameTable | None:
        """The game after all the acts, None if one cannot be."""
        after = self._table
        for word in acts:
            try:
                self._check(word, True)
                after, done = self._acted(after, word)
            except lobby.Denied as refused:
                self._refuse(word, str(refused))
                return None
            self._results[self._place(word)] = Result(word.number, word.shown, "ok", notes=(done,))
        return after

    def _check(self, word: Word, beside: bool) -> None:
        """Raises Refused for an act at a wrong time, of somebody else, or on another game."""
        name, status = self._name, self._table.row.status
        changeable = status in LASTING.get(word.word, ()) and self._organises
        if status != "open" and not changeable:
            happened = "was called off" if status == "abandoned" else "has begun"
            raise lobby.Denied(f"{name} {happened}; `{word.word}` is for games before the start.")
        if word.word != "leave" and not self._organises:
            raise lobby.Denied(f"Only the organiser of {name} may {word.word}. {STARTER}")
        named = word.word not in ("kick", *OPTIONS) and word.rest
        if named and word.rest.lower() != name:
            raise lobby.Denied(f"Your mail came to an address of {name}, not of that game.")
        if word.word == "start" and beside:
            raise lobby.Denied("`start` stands alone: send it in a mail of its own.")

    def _acted(self, table: GameTable, word: Word) -> tuple[GameTable, str]:
        """The game after an act, and what that means. Raises Refused."""
        if word.word == "cancel":
            return lobby.called_off(table, sure=bool(word.rest))
        if word.word in OPTIONS:
            return OPTIONS[word.word](table, word.rest)
        if word.word == "leave":
            if self._seat is None:
                raise lobby.Denied("The organiser has no seat to leave; `cancel` ends the game.")
            gone = self._seat
        elif word.rest:
            gone = lobby.seat_called(table, word.rest)
        else:
            raise lobby.Denied("Write whom: `kick NAME`.")
        seats = tuple(seat for seat in table.seats if seat.id != gone.id)
        return replace(table, seats=seats), (
            f"The seat of {gone.name} is free again; its address holds no more."
        )

    # words to all, settings, questions

    def _say(self) -> list[Letter]:
        """Words to all who have joined and to the organiser: the whole of them, or nothing."""
        words = [word for word in self._words if word.word == "say"]
        texts = [word.rest for word in words if word.rest]
        if not words:
            return []
        with self._store.transaction() as tx:
            ration = tx.ration(self._who("talk"), self._desk.now)
        limit = seat_words.too_much(texts, self._desk.house.talk, ration)
        if self._table.row.status in ("abandoned", "ended"):
            limit = f"{self._name} is over: nobody is told."
        for word in words:
            self._results[self._place(word)] = seat_words.say(_command(word), limit)
        if limit or not texts:
            return []
        page = said_page(self._desk, self._table, self._called, texts)
        return to_others(self._desk, self._table, self._seat, page)

    def _choose(self) -> SeatRow | None:
        """The seat with settings chosen, None where none were."""
        found: SeatRow | None = None
        for word in self._words:
            if word.word not in CHOICES:
                continue
            if self._seat is None:
                self._refuse(word, "It is a player who chooses that, in a mail from the seat.")
                continue
            chosen, result = seat_words.choose(_command(word), seat_settings(found or self._seat))
            self._results[self._place(word)] = result
            if result.status == "ok":
                found = replace(self._seat, settings=msgspec.json.encode(chosen))
        return found

    def _ask(self) -> None:
        """Questions; of very many only the first get an answer."""
        asked = 0
        for word in self._words:
            if word.word == "yes":
                done = Result(word.number, word.shown, "ok", notes=("You have your seat.",))
                self._results[self._place(word)] = done
            elif word.word in QUERIES and not is_act(word):
                asked += 1
                answer = answer_to(self._store, self._table, _command(word), asked, self._desk)
                self._results[self._place(word)] = answer

    # answers

    def _place(self, word: Word) -> int:
        return next(place for place, one in enumerate(self._words) if one is word)

    def _refuse(self, word: Word, why: str) -> None:
        self._results[self._place(word)] = Result(word.number, word.shown, "no", notes=(why,))

    def _receipt(self, after: GameTable, seat: SeatRow | None, changed: bool) -> Page:
        results = [self._results[place] for place in sorted(self._results)]
        if seat is not None and seat_settings(seat).images == "off":
            results = without_pictures(results)
        acted = [result for result in results if result.status in ("ok", "no")]
        bad = any(result.status == "no" for result in results)
        ending = "NOT DONE" if bad else "done" if changed or acted else "answered"
        return lobby_page(
            self._reader,
            answering(self._mail.subject, ending),
            HEADLINES[ending],
            results,
            standing(after, self._organises, self._desk.house.open_days),
            self._about_game,
        )

    def _note(self, headline: str, lines: Sequence[str]) -> Page:
        ending = "NOT DONE" if headline == "NOT DONE" else "done"
        subject = answering(self._mail.subject, ending)
        return note_page(self._reader, subject, headline, lines, about=self._about_game)

    @property
    def _holder(self) -> str:
        return self._seat.name if self._seat else ""

    def _letter(self, page: Page) -> Letter:
        if self._seat is None:
            return self._desk.to_organiser("receipt", self._table.row, page, self._mail)
        at = At(self._name)
        return self._desk.to_seat("receipt", at, self._seat, page, answers=self._mail)

    def _reply(self, page: Page) -> None:
        """An answer to a mail of which nothing was done."""
        assert self._seat is not None
        answer = Answering(self._store, self._desk, self._who("puzzled"))
        letter = self._letter(answer.noted(page))
        with self._store.transaction() as tx:
            if answer.possible:
                tx.queue(letter, self._desk.now)
            note = answer.settle(tx, self._name, self._holder, self._about())
            tx.finish(self._desk.mail, "done", note)


_UNSENT = Result(0, "", "unsent")


def _command(word: Word) -> Command:
    return Command(word.number, word.word, word.rest, word.text)
