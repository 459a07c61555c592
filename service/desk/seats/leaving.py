"""A player's words on who plays the seat, each in a mail of its own: resign, back, deputy.

What cannot be taken back by the next mail is asked once.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from service.audience import of_seat, of_table
from service.commands.command import Command
from service.desk.letters.post import Desk, at_head
from service.desk.lobby.lobby import Denied
from service.desk.seats import deputies, standbys
from service.desk.seats.standbys import Offer
from service.desk.timing import clock_words
from service.desk.turns.seat_words import RENEWED
from service.games import absence
from service.games.commands import ALONE, read_commands
from service.games.games import GameTable, load
from service.mail.message import Mail
from service.reports import Page, note_page
from service.reports.subjects import answering
from service.store import Conflict, Letter, NewVolunteer, SeatRow, Store, Tx

_SURE = re.compile(r"(?:yes|for\s+good)\b.*", re.IGNORECASE)
_OFF = ("off", "none", "nobody", "no")


def asks(mail: Mail) -> bool:
    """Whether a mail is about who plays the seat, and about nothing else."""
    commands = read_commands(mail.lines)
    return len(commands) == 1 and commands[0].word in ALONE


@dataclass(frozen=True)
class _Done:
    """What a word comes to: what its writer is told, what others are, and what is stored."""

    lines: Sequence[str]
    #: made when the seat is as it will be
    letters: Sequence[Letter] = ()
    change: Callable[[Tx], None] = lambda tx: None
    #: whether the seat's token is another one then
    renews: bool = False
    asked: bool = False


class LeaveMail:
    """One such mail of a player in a game that has begun."""

    def __init__(
        self, store: Store, desk: Desk, mail: Mail, table: GameTable, seat: SeatRow
    ) -> None:
        self._store = store
        self._desk = desk
        self._mail = mail
        self._table = table
        self._seat = seat
        self._name = table.row.name
        found = (c for c in read_commands(mail.lines) if c.word in ALONE)
        text = mail.lines[0].text if mail.lines else ""
        self._command = next(found, Command(1, "", text, text))

    def handle(self) -> None:
        """Do it and answer; raises Conflict if game or seat have changed meanwhile."""
        try:
            done = self._done()
        except Denied as refused:
            self._commit(_Done((str(refused),)), "NOT DONE", "NOT DONE")
            return
        if done.asked:
            self._commit(done, "asked", "Nothing is done yet.")
        else:
            self._commit(done, "done", "DONE.")

    def _done(self) -> _Done:
        if self._table.row.status != "running":
            raise Denied(f"{self._name} is over.")
        ways = {"resign": self._resign, "back": self._back, "deputy": self._deputy}
        return ways[self._command.word](self._command)

    # resign

    def _resign(self, command: Command) -> _Done:
        name, seat = self._name, self._seat.name
        vacancy = next((v for v in self._table.vacancies if v.seat == seat), None)
        if vacancy is not None and vacancy.cause == "resigned":
            raise Denied("You have resigned already. `back` takes it back while nobody has come.")
        if not _SURE.fullmatch(command.rest):
            lines = (
                f"You want to leave {name}, a game in which others count on you. The other players "
                "are told, and whoever stands by is asked to take your seat; your orders go on "
                "until then. The game goes on, and you do not come back once somebody has come.",
                "If you are only away for a time, `away FROM to TO` takes leave, and `deputy "
                "ADDRESS until 2027-03-14` lets somebody act for you.",
                "If you are sure, reply `resign yes`.",
            )
            return _Done(lines, asked=True)
        why = f"{seat} has resigned"
        letters = standbys.call(self._desk, self._table, Offer(seat, why))
        said = (
            "You have resigned, and all are told. Until somebody takes the seat it is yours: "
            "`back` takes it back. Thank you for having told the others.",
        )

        def change(tx: Tx) -> None:
            tx.close_vacancy(self._table.row.id, seat)
            tx.open_vacancy(self._table.row.id, seat, "resigned", why, self._desk.now)

        return _Done(said, letters, change)

    # back

    def _back(self, command: Command) -> _Done:
        """All that was to go on without the player goes on with them."""
        row, seat = self._table.row, self._seat
        vacancy = next((v for v in self._table.vacancies if v.seat == seat.name), None)
        if vacancy is not None and vacancy.cause in ("vote", "director"):
            raise Denied(f"Your seat is to have another player, because {vacancy.why}. Write to "
                         "the others by `say:`, or to the organiser.")  # fmt: skip
        mine = [v for v in self._table.volunteers if v.seat == seat.name]
        leave = absence.ended(self._table, seat.name, self._desk.now)
        if vacancy is None and not mine and not leave:
            raise Denied("You were not away: nobody acts for you, and nobody is to take your seat.")
        lines = ["You play again."] if vacancy else []
        lines += ["Your leave is over, and your clock runs."] if leave else []
        lines += ["Nobody acts for you any more."] if mine else []
        renews = any(v.agreed is not None for v in mine)
        lines += [RENEWED] if renews else []

        def change(tx: Tx) -> None:
            tx.close_vacancy(row.id, seat.name)
            deputies.dismiss(tx, self._table, seat)
            clock_words.back(tx, self._table, seat.name, self._desk.now)

        told = [f"{seat.name} in {self._name} plays again."] if vacancy or renews or leave else []
        return _Done(lines, self._notices(told), change, renews)

    def _notices(self, lines: Sequence[str]) -> list[Letter]:
        """To the other players, and to an organiser who does not play."""
        if not lines:
            return []
        headline, *rest = lines
        about = self._desk.house.about(self._name, self._table.title)
        subject = f"[{self._name}] {headline}"
        page = note_page(of_table(self._name), subject, headline, rest, about=about)
        others = [p for p in self._table.players if p.name != self._seat.name]
        letters = [self._desk.to_seat("notice", at_head(self._table), p, page) for p in others]
        if self._table.row.organiser not in [p.address for p in self._table.players]:
            letters.append(self._desk.to_organiser("notice", self._table.row, page))
        return letters

    # deputy

    def _deputy(self, command: Command) -> _Done:
        seat, table = self._seat, self._table
        if command.rest.strip().lower() in _OFF:
            if all(v.seat != seat.name for v in table.volunteers):
                raise Denied("Nobody acts for you.")
            return self._back(command)
        if not command.rest.strip():
            raise Denied("Write whom: `deputy eve@example.org until 2027-03-14`.")
        with self._store.transaction() as tx:
            address, ends = deputies.named(tx, table, seat, command.rest, self._desk.now)
        if any(v.seat == seat.name and v.agreed is not None for v in table.volunteers):
            raise Denied("Somebody acts for you already: `deputy off` ends that first.")

        def change(tx: Tx) -> None:
            now = self._desk.now
            deputy = NewVolunteer("deputy", address, seat.name, now, ends)
            tx.queue(deputies.ask(tx, self._desk, table, deputy), now)

        lines = (
            f"{address} is asked whether they want to act for you. As soon as they say yes, you "
            "and all others are told; until then nothing changes.",
            "A deputy gets your letters too, with all that they tell you alone.",
        )
        return _Done(lines, (), change)

    # the end of it

    def _commit(self, done: _Done, ending: str, headline: str) -> None:
        seat = replace(self._seat, epoch=self._seat.epoch + 1) if done.renews else self._seat
        page = self._page(done.lines, ending, headline)
        own = self._desk.to_seat("receipt", at_head(self._table), seat, page, answers=self._mail)
        with self._store.transaction() as tx:
            now = load(tx, self._name)
            same = now is not None and (now.row, now.seats, now.volunteers, now.vacancies) == (
                self._table.row,
                self._table.seats,
                self._table.volunteers,
                self._table.vacancies,
            )
            if not same:
                raise Conflict(f"{self._name} has changed")
            if ending != "NOT DONE" or tx.may_answer(self._mail.sender, "puzzled", self._desk.now):
                tx.queue(own, self._desk.now)
            done.change(tx)
            for letter in done.letters:
                tx.queue(letter, self._desk.now)
            tx.finish(self._desk.mail, "done", f"{self._command.word}: {ending}")

    def _page(self, lines: Sequence[str], ending: str, headline: str) -> Page:
        to, about = (
            of_seat(self._name, self._seat.name),
            self._desk.house.about(self._name, self._table.title),
        )
        subject = answering(self._mail.subject, ending)
        return note_page(to, subject, headline, tuple(lines), about=about)
