"""Mails that speak for no seat: creating and joining games, and what anybody may ask."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

import msgspec

from engine import Title
from engine.events import Corrected
from service.audience import EVERYBODY, of_organiser, of_seat
from service.commands.command import Command
from service.commands.entry import Who
from service.commands.reading import read
from service.desk.effects import carry_out
from service.desk.game_email import GameContext, scope_of
from service.desk.letters.post import At, Desk, at_head
from service.desk.lists import list_words
from service.desk.lobby import lobby
from service.desk.lobby.naming import shown
from service.desk.proving import held, strangers
from service.desk.proving.held import Written
from service.desk.proving.proof import Standing
from service.desk.seats import standbys
from service.desk.turns.queries import Queries, Sources, games_block
from service.desk.turns.work import Work
from service.desk.vocabulary.table import VOCABULARY
from service.desk.watching import asking
from service.games import games
from service.games.commands import PUBLIC, read_commands
from service.games.games import GameTable, Past, load
from service.mail.message import Mail
from service.publish.shown import is_listed, why_not_told
from service.reports import (
    About,
    Answer,
    Page,
    Scene,
    answer_page,
    confirm_page,
    created_page,
    help_page,
    note_page,
    stranger_page,
)
from service.reports.fitting import plain
from service.reports.letters import Waits
from service.reports.words import WORDS, moment
from service.store import GameRow, Letter, SeatRow, Store, Tx
from service.store.rations import DAY

#: A mail that proves nothing may be forged: what it says is not sent on to whom it names.
_SUBJECT = "Re: Your mail"
_HELPED = {form.partition(" ")[0].rstrip(":") for form in WORDS}


class StrangerMail:
    """A mail to the moderator's own address, or to one that has lost its power."""

    def __init__(
        self,
        store: Store,
        desk: Desk,
        mail: Mail,
        known: Sequence[tuple[GameTable, SeatRow]],
        weigh: Callable[[GameTable, SeatRow | None], Standing],
        vouched: Callable[[], bool],
    ) -> None:
        """``known`` are seats that are registered with the sender's address, if it is theirs.

        ``weigh`` tells what proves the mail to be of a seat, or of a game's organiser, ``vouched``
        whether the sender's domain vouches for it.
        """
        self._store = store
        self._weigh = weigh
        self._vouched = vouched
        self._desk = desk
        self._mail = mail
        self._known = known
        #: the answer, once it is known that there may be one
        self._answers: strangers.Rationed

    def handle(self) -> None:
        """One answer to the first line that says something; rationed, for From can be forged.

        Beyond the ration nothing is done: nothing may happen in somebody's name that nobody tells.
        """
        line = self._mail.lines[0].text.strip() if self._mail.lines else ""
        found = lobby.read(line)
        if found is None and not lobby.usage(line) and not self._asks() and self._held():
            return
        self._answers = strangers.rationed(
            self._store, self._desk, self._mail.sender, self._vouched
        )
        if not self._answers.possible:
            with self._store.transaction() as tx:
                self._answers.too_many(tx)
            return
        if found is not None:
            self._lobby(*found)
            return
        usage = lobby.usage(line)
        if usage:
            lines = (f"Write: {usage}",)
            self._answer(
                note_page(
                    EVERYBODY,
                    f"{_SUBJECT} – NOT DONE",
                    "That was not understood.",
                    lines,
                    about=self._about(),
                )
            )
            return
        asked = self._public()
        if asked is not None:
            self._answer(asked)
        elif self._known:
            self._send_home()
        else:
            address = self._desk.house.address
            self._answer(
                stranger_page(
                    EVERYBODY,
                    address,
                    self._open_games(),
                    _SUBJECT,
                    templates=self._desk.house.templates,
                )
            )

    def _about(self, game: str = "", title: Title | None = None) -> About:
        return self._desk.house.about(game, title)

    def _small(self, page: Page) -> Page:
        """The page as it goes to somebody who has proved nothing."""
        left = self._answers.left
        note = (
            f"This is the last answer until {moment(left.until)}: many mails came from "
            "your address. Nothing is done before."
        )
        return plain(page, note if left.last else "")

    def _settle(self, tx: Tx, letter: Letter, note: str = "") -> None:
        """Queue the answer and count it; raises Conflict if another was given meanwhile."""
        self._answers.count(tx)
        tx.queue(letter, self._desk.now)
        tx.finish(self._desk.mail, "done", note)

    def _open_games(self) -> list[str]:
        with self._store.transaction() as tx:
            there = [row for row in tx.games() if row.status in ("open", "running")]
        return [row.name for row in there if is_listed(row)]

    # the lobby

    def _lobby(self, word: str, found: re.Match[str]) -> None:
        if word == "start":
            self._start((found["name"] or "").lower())
            return
        try:
            with self._store.transaction() as tx:
                if word == "create":
                    folder = self._desk.house.overlays
                    created = lobby.create(tx, found, self._mail.sender, self._desk.now, folder)
                    letter = self._created(created, self._mailing(tx, created, found["list"]))
                elif word == "standby":
                    name = (found["name"] or "").lower()
                    letter = standbys.ask(tx, self._desk, load(tx, name), name, self._mail)
                elif word == "watch":
                    letter = asking.ask(tx, self._desk, found, self._mail)
                elif word == "unwatch":
                    letter = asking.end(tx, self._desk, found["name"] or "", self._mail)
                else:
                    who, house = self._mail.sender, self._desk.house
                    digest = list_words.digest_of(tx, found["name"], house.digest)
                    joined = lobby.join(tx, found, who, self._desk.now, digest)
                    letter = self._asked(*joined)
                self._settle(tx, letter)
        except lobby.Denied as refused:
            self._answer(
                note_page(
                    EVERYBODY,
                    f"{_SUBJECT} – NOT DONE",
                    "NOT DONE",
                    (str(refused),),
                    about=self._about(),
                )
            )

    def _mailing(self, tx: Tx, created: lobby.Created, address: str | None) -> tuple[str, ...]:
        """The list of a new game, and what it needs; () for none. Raises Denied."""
        table = load(tx, created.name) if address else None
        if table is None or not address:
            return ()
        wanted = list_words.read(address.rstrip(",;"))
        return list_words.apply(tx, self._desk.house, table, wanted, self._desk.now)

    def _created(self, created: lobby.Created, mailing: tuple[str, ...]) -> Letter:
        house, row = self._desk.house, created.row
        to, until = of_organiser(row.name), moment(self._desk.now + house.open_days * DAY)
        own = house.button_address(to, row.epoch, 0)
        templates = house.templates
        page = created_page(
            to,
            created.title,
            house.address,
            Waits(until, mailing, created.clock),
            own,
            templates=templates,
        )
        return self._desk.to_organiser("created", row, self._small(page), answers=self._mail)

    def _asked(self, table: GameTable, seat: SeatRow) -> Letter:
        house, row = self._desk.house, table.row
        to = of_seat(row.name, seat.name)
        until = moment(lobby.offer_ends(table, seat, house.offer_days, house.open_days))
        own = house.button_address(to, seat.epoch, 0)
        page = self._small(confirm_page(to, table.title, until, own, templates=house.templates))
        return self._desk.to_seat("confirm", At(row.name), seat, page, answers=self._mail)

    def _start(self, name: str) -> None:
        """The organiser may start a game from here too; where From is no proof, it is asked for."""
        with self._store.transaction() as tx:
            mine = [
                row.name
                for row in tx.games()
                if row.organiser == self._mail.sender and row.status == "open"
            ]
            table = load(tx, name or (mine[0] if len(mine) == 1 else ""))
        why = _not_startable(table, name, self._mail.sender)
        if table is None or why:
            self._answer(
                note_page(
                    EVERYBODY, f"{_SUBJECT} – NOT DONE", "NOT DONE", (why,), about=self._about()
                )
            )
        elif not self._weigh(table, None).enough:
            self._ask_for_proof(table)
        else:
            self._act(table)

    def _act(self, table: GameTable) -> None:
        """Carry the email out as one to the organizer's own address."""
        written = Written(None, self._desk.now)
        about = self._desk.about(table.row.name)
        made = GameContext(
            self._store, about, self._mail, table, table, None, Who.ORGANISER, written, VOCABULARY
        )
        carry_out(made, read(self._mail.lines, scope_of(made)))

    def _ask_for_proof(self, table: GameTable) -> None:
        """To the organiser: an answer to this letter goes to the address that proves who writes."""
        name = table.row.name
        lines = (
            "Anybody could have written this mail in your name, so the game has not begun yet.",
            "If you want to start it, reply to this mail with the one word below: the reply goes "
            "to your own address as organiser, which nobody else knows.",
        )
        to, about = of_organiser(name), self._about(name, table.title)
        subject = f"[{name}] Start {name}?"
        page = note_page(to, subject, f"Start {name}?", lines, ("start",), about=about)
        letter = self._desk.to_organiser("confirm", table.row, self._small(page), self._mail)
        with self._store.transaction() as tx:
            self._settle(tx, letter, "asked whether to start")

    # answers

    def _asks(self) -> bool:
        """Whether a mail has a question that anybody may ask."""
        return any(
            command.word in ("games", "help") or (command.word in PUBLIC and bool(command.rest))
            for command in read_commands(self._mail.lines)
        )

    def _held(self) -> bool:
        """Whether a mail may be a player's, and is kept until they say so."""
        if len(self._known) != 1:
            return False
        [(table, seat)] = self._known
        standing = self._weigh(table, seat)
        asked = held.ask(self._desk, self._mail, standing)
        if asked is None:
            return False
        yes = f"Or reply `yes {asked.number}`, and it is done. It waits until {asked.until}."
        page = plain(self._home(yes))
        letter = self._desk.to_seat("answer", at_head(table), seat, page, answers=self._mail)
        with self._store.transaction() as tx:
            held.hold(tx, self._desk, self._mail, standing, asked, letter)
            tx.finish(self._desk.mail, "done", "not to a seat's address")
        return True

    def _home(self, *more: str) -> Page:
        """To a player who wrote to the wrong place: an answer to this comes to their seat."""
        seats = ", ".join(f"{seat.name} in {table.row.name}" for table, seat in self._known)
        lines = (
            f"You play as {seats}. Your mail did not go to a seat's present address, so nothing "
            "of it was done.",
            "Reply to the latest mail of the game."
            if len(self._known) > 1
            else "Reply to this mail, or to the latest one of the game.",
            *more,
        )
        about = self._about(title=self._known[0][0].title if len(self._known) == 1 else None)
        return note_page(EVERYBODY, f"{_SUBJECT} – NOT DONE", "NOT DONE", lines, about=about)

    def _send_home(self) -> None:
        """The answer to a player who wrote to the wrong place what nobody could confirm."""
        page = self._small(self._home())
        letter = self._desk.to_stranger("answer", self._mail.sender, page, self._mail)
        if len(self._known) == 1:
            table, seat = self._known[0]
            letter = self._desk.to_seat("answer", at_head(table), seat, page, answers=self._mail)
        with self._store.transaction() as tx:
            self._settle(tx, letter, "not to a seat's address")

    def _answer(self, page: Page) -> None:
        page = self._small(page)
        letter = self._desk.to_stranger("answer", self._mail.sender, page, self._mail)
        with self._store.transaction() as tx:
            self._settle(tx, letter, "answered as a stranger's")

    def _public(self) -> Page | None:
        """The answer to questions that anybody may ask: `games`, `status dixie7`, `help`."""
        for command in read_commands(self._mail.lines):
            words = command.rest.split()
            if command.word == "games":
                with self._store.transaction() as tx:
                    block = games_block(tx.games(), self._own(tx.games()))
                return answer_page(
                    EVERYBODY, _SUBJECT, "The games here", Answer((block,)), self._about()
                )
            if command.word == "help":
                word = command.rest if command.rest in _HELPED else ""
                return help_page(
                    EVERYBODY, None, word, _SUBJECT, templates=self._desk.house.templates
                )
            if command.word in PUBLIC and words:
                page = self._tell(command, words[0].lower(), " ".join(words[1:]))
                if page is not None:
                    return page
        return None

    def _own(self, rows: Sequence[GameRow]) -> set[str]:
        """The games of the sender, if it is they: the answer goes to their address."""
        organised = {row.name for row in rows if row.organiser == self._mail.sender}
        return organised | {table.row.name for table, _ in self._known}

    def _tell(self, command: Command, name: str, rest: str) -> Page | None:
        with self._store.transaction() as tx:
            try:
                table, named = asking.game_called(tx, name)
            except lobby.Denied:
                return None
            waits = table.head is None and is_listed(table.row)
            why = ""
            if not waits and table.row.name not in self._own([table.row]):
                secret = self._desk.house.secret
                why = why_not_told(table.row, table.settings, secret, named.page)
            if why:
                about = self._about(title=table.title)
                return note_page(
                    EVERYBODY, f"{_SUBJECT} – NOT DONE", "NOT DONE", (why,), about=about
                )
            if table.head is None:
                return _waiting(_SUBJECT, table, self._about(title=table.title))
            all_of_it = command.word == "history"
            past = [_bare(one) for one in games.recent(tx, table, lambda _: not all_of_it)]
        templates = self._desk.house.templates
        scene = Scene(table.row.name, table.title, table.state, templates=templates)
        asked = Command(command.number, command.word, rest, command.text)
        # What was done is everybody's to know, what was said is for the table alone.
        name, about = table.row.name, self._about(table.row.name, table.title)
        found = Queries(scene, "", Sources(games.Log(past), work=Work())).answer(asked)
        if found.answer is None:
            text = f"Write `{command.word} {name}`: what stands behind it was not understood."
            return note_page(EVERYBODY, _SUBJECT, "NOT DONE", (text,), about=about)
        headline = f"You asked for the {command.word} of {name}."
        return answer_page(EVERYBODY, _SUBJECT, headline, found.answer, about)


def _bare(past: Past) -> Past:
    """It without the reasons that somebody has written: nobody has proved who reads it."""
    events = tuple(
        msgspec.structs.replace(event, because="") if isinstance(event, Corrected) else event
        for event in past.events
    )
    return replace(past, events=events)


def _not_startable(table: GameTable | None, name: str, sender: str) -> str:
    """Why that sender cannot start that game from here, "" if nothing stands against it."""
    if table is None:
        which = (
            f"There is no game called {shown(name)}." if name else "Which game? Write: start NAME."
        )
        return f"{which} `games` lists those there are."
    if table.row.organiser != sender:
        return (
            f"{table.row.name} is started by its organiser, whose address is another than yours. "
            "If you are the organiser, write from the address that created the game."
        )
    if table.row.status != "open":
        return f"{table.row.name} has begun already."
    return ""


def _waiting(subject: str, table: GameTable, about: About) -> Page:
    """How a game that has not begun stands, for anybody: names, but no address."""
    name, seats = table.row.name, table.title.seats
    joined = ", ".join(seat.name for seat in table.players) or "nobody"
    lines = (
        f"{name} ({table.title.name}) has not begun. Joined so far: {joined}.",
        f"{table.title.name} is for {seats[0]} to {seats[-1]} players; the organiser starts it.",
    )
    commands = (f"join {name} as NAME",)
    return note_page(EVERYBODY, subject, "Here is how it stands", lines, commands, about=about)
