"""What follows when a player runs out of time: caretaker, director, standbys.

It knows no clock: ``now`` is an argument, and the module that counts time sets its `task`.
Everything that follows from running out of time once is one occasion, and is done once.
"""

import engine
from engine import Seat
from service.audience import ASSISTANT, of_seat
from service.desk.channels.private_email import PrivateEmail
from service.desk.door import Done
from service.desk.letters.desk import Desk, at_head
from service.desk.seats import standbys
from service.desk.seats.standbys import Offer, Vacated
from service.desk.service import Service
from service.desk.timing import caretaking
from service.games import caretaker
from service.games.caretaker import Director
from service.games.games import SILENCE, GameTable, load
from service.reports import note_page
from service.store import Letter, Occasion, Task, TaskRow, Tx, VacancyRow

#: name of the task of a game on hold, and seconds after which it would be done anyway
_ON_HOLD, _LONG = "-held-", 3650 * 86_400


def task(table: GameTable, seat: Seat, count: int, due: int) -> Task:
    """A seat is out of time for the ``count``-th time: the task that does what follows."""
    name, number = table.row.name, table.state.number
    key = f"{SILENCE}-{name}-{seat}-{number}-{count}"
    return Task(SILENCE, key, due, name, seat, f"{number} {count}".encode())


def moves_at_once(table: GameTable, seat: Seat) -> bool:
    """Whether the caretaker moves for a late seat, so that emails about its move say so."""
    found = caretaker.move(table, seat) if table.settings.caretaker and not table.on_hold else ()
    return bool(found) and not isinstance(found, Director)


def act(reads: Tx, service: Service, now: int, row: TaskRow) -> Done:
    """Do what follows, unless the player has moved meanwhile. Raises Conflict.

    In a game on hold it waits until the game continues.
    """
    number, count = (int(word) for word in row.payload.split())
    table = load(reads, row.game)
    if table is None or not _asks(table, row.seat, number):
        return Done("somebody has moved")
    if table.on_hold:
        return _put_off(table, row, now)
    # a postponed task is the same occasion
    key = row.key.partition(_ON_HOLD)[0]
    desk = Desk(service, now, Occasion("clock", key, row.game, row.seat))
    flag = _Flag(desk, table, row.seat, count)
    found = caretaker.move(table, row.seat) if table.settings.caretaker else ()
    if isinstance(found, Director) or not found:
        return _without(reads, flag, found if isinstance(found, Director) else None)
    notes = {row.seat: flag.moved(), **flag.called()}
    changed = caretaking.carried_out(reads, desk, *found, notes=notes, caretaken=row.seat)
    if changed is None:
        # if the game was put on hold since it was read, the task is begun again
        return Done("it was done before", read=table)

    vacated = flag.vacated(quiet=True)

    def moved(tx: Tx) -> None:
        changed.write(tx)
        vacated.write(tx)

    letters = [*changed.letters, *vacated.letters]
    return Done("the caretaker has moved", letters, read=table, also=moved)


def _put_off(table: GameTable, row: TaskRow, now: int) -> Done:
    """Wait until the game continues; if it does by now, the task is begun again."""
    key = f"{row.key.partition(_ON_HOLD)[0]}{_ON_HOLD}{now}"
    later = Task(SILENCE, key, now + _LONG, row.game, row.seat, row.payload)
    note = "put off: the game is on hold"
    return Done(note, read=table, also=lambda tx: tx.tasks.add_all((later,), now))


def resumed(tx: Tx, game: str, now: int) -> None:
    """A game continues: do what was postponed while it was on hold."""
    tx.tasks.date(SILENCE, game, now)


def _asks(table: GameTable, seat: Seat, number: int) -> bool:
    """Whether the seat must still decide what it has not decided in time.

    If the position is another, the clock tells, because a director may correct something that
    nobody decides.
    """
    if table.row.status != "running" or seat not in engine.to_act(table.title, table.state):
        return False
    late = any(clock.seat == seat and clock.flagged for clock in table.clocks)
    return late or table.state.number == number


def _without(reads: Tx, flag: "_Flag", director: Director | None) -> Done:
    """No move is made: the director decides, or nobody in this game. They are told once."""
    note, desk = "the director decides" if director else "nobody moves for them", flag.desk
    if reads.occasions.named(desk.occasion.key) is not None:
        return Done(note)

    vacated = flag.vacated()

    def inform(tx: Tx) -> None:
        tx.occasions.record(desk.occasion, desk.now)
        vacated.write(tx)

    letters = [*flag.letters(director), *vacated.letters]
    return Done(note, letters, read=flag.table, also=inform)


SUBJECT = "[{game}] You ran out of time"
TIME_OVER = "You ran out of time {often} in {game}."
DIRECTOR_ASKED = (
    "The caretaker may not decide this, so the director was asked to. You may still answer first."
)
NOTHING_DONE = "No move was made for you. You can still reply."
LET_IT_RUN_OUT = "{name} ran out of time {often}"
SEAT_OFFERED = (
    "Your seat is offered to a standby. Until one takes it, it is yours: write `back`, or move "
    "when it is your turn, and you keep it."
)
NEXT_TIME = "Next time, your seat is offered to a standby."
EXCUSED_ONCE = "You may run out of time once. After that, your seat is offered to a standby."
EXCUSED = "You may run out of time {count} times. After that, your seat is offered to a standby."
CANNOT_PLAY = (
    "If you cannot play for a time, take leave with `away FROM to TO`, or let somebody act for "
    "you with `deputy ADDRESS until DAY`. To leave the game, write `resign`."
)
DECIDE_SUBJECT = "[{game}] You must decide for {name} in {game}"
DECIDE = "You must decide for {name} in {game}."
MAY_NOT_DECIDE = "{name} ran out of time, and the caretaker may not decide this."
REPLY_WITH_ONE = (
    "The turn has not started. Choose a move: reply with one of the lines below, or any other "
    "legal move. You get this email only once. If {name} answers first, that counts."
)


class _Flag:
    """The emails when a seat is out of time, and the people who are called."""

    def __init__(self, desk: Desk, table: GameTable, seat: Seat, count: int) -> None:
        self.desk = desk
        self.table = table
        self._seat = seat
        self._count = count
        self._step = caretaker.after_flag(count, table.settings.excused)

    def moved(self) -> str:
        """To the player for whom the caretaker moves, in the email that tells the moves."""
        return " ".join((self._over, self._warning(), CANNOT_PLAY))

    def letters(self, director: Director | None) -> list[Letter]:
        """To the player if no move was made, and to the director if they must decide."""
        if director is None:
            return [self._to_player(NOTHING_DONE)]
        return [self._to_player(DIRECTOR_ASKED), self._to_director(director)]

    def vacated(self, *, quiet: bool = False) -> Vacated:
        """What follows if another person is to take the seat.

        ``quiet`` if the emails about the caretaker's move inform the players.
        """
        offered = self._offer(quiet=quiet)
        if offered is None:
            return Vacated(self.table, (), lambda _: None)
        return standbys.vacate(self.desk, self.table, offered)

    def called(self) -> dict[Seat, str]:
        """The sentence for the other players, in the emails about the caretaker's move."""
        offered = self._offer()
        return {} if offered is None else standbys.called(self.desk, self.table, offered)

    def _offer(self, *, quiet: bool = False) -> Offer | None:
        """The seat, if another person is to take it from now on."""
        if self._step != "replace" or self.table.vacancy(self._seat) is not None:
            return None
        why = LET_IT_RUN_OUT.format(name=self._seat, often=self._often)
        return Offer(VacancyRow(self._seat, "silent", why, self.desk.now), quiet=quiet)

    def _to_player(self, done: str) -> Letter:
        name, seat = self.table.row.name, self.table.seat(self._seat)
        lines = (done, self._warning(), CANNOT_PLAY)
        about = self.desk.service.about(name, self.table.title)
        subject = SUBJECT.format(game=name)
        page = note_page(of_seat(name, seat.name), subject, self._over, lines, about=about)
        return self.desk.to_seat("flag", at_head(self.table), seat, page)

    @property
    def _over(self) -> str:
        return TIME_OVER.format(often=self._often, game=self.table.row.name)

    @property
    def _often(self) -> str:
        return {1: "once", 2: "twice"}.get(self._count, f"{self._count} times")

    def _warning(self) -> str:
        if self._step == "replace":
            return SEAT_OFFERED
        if self._step == "last":
            return NEXT_TIME
        count = self.table.settings.excused
        return EXCUSED_ONCE if count == 1 else EXCUSED.format(count=count)

    def _to_director(self, director: Director) -> Letter:
        name = self.table.row.name
        headline = DECIDE.format(name=self._seat, game=name)
        lines = (
            MAY_NOT_DECIDE.format(name=self._seat),
            director.reason,
            REPLY_WITH_ONE.format(name=self._seat),
        )
        late = f"because {self._seat} has let the time run out"
        commands = tuple(f"as {self._seat}: {way} {late}" for way in director.ways)
        about = self.desk.service.about(name, self.table.title)
        subject = DECIDE_SUBJECT.format(name=self._seat, game=name)
        # an organizer who plays leaves it to the assistant
        to = PrivateEmail(self.desk, self.table, None, self.table.ruling == ASSISTANT)
        page = note_page(to.reader, subject, headline, lines, commands, about=about)
        return to.letter("decide", page)
