"""Answers that waited: one to all of a player's mails that were not answered one by one."""

from collections.abc import Sequence

from service import rations
from service.audience import of_organiser, of_seat
from service.desk.door import Conclusion, Done
from service.desk.letters.post import Desk, House, at_head
from service.games.games import load
from service.rations import Who
from service.reports import note_page
from service.reports.words import moment
from service.store import HeldRow, Occasion, Store, Task, TaskRow, Tx

KIND = "sum-up"
#: mails that are listed one by one
_LISTED = 20


def task(game: str, seat: str, mail: int, due: int) -> Task:
    """What answers a mail when its time has come, with all others of its seat that wait then."""
    return Task(KIND, f"{KIND}-{mail}-{due}", due, game, seat)


def now_or_later(
    tx: Tx, desk: Desk, who: Who, seat: str, about: str, *, heard: bool = False
) -> bool:
    """Whether an answer may go now; then it is counted. Else the seat hears of it with others.

    The game is that of the desk's occasion; ``seat`` "" is its organiser. ``about`` says what mail
    it was, shortened. ``heard`` where the seat hears of the mail in any case.
    """
    left = tx.answers.ration(who, desk.now)
    if left.left:
        tx.answers.count(who, desk.now)
        return True
    if not heard:
        later(tx, desk, desk.occasion.game, seat, about, left.until)
    return False


def later(tx: Tx, desk: Desk, game: str, seat: str, about: str, due: int) -> None:
    """Have a mail answered at ``due``, in one letter with all others of its seat."""
    if any(one.inbox_id == desk.mail for one in tx.answers.held(game, seat)):
        return  # it was put aside before, and begun again since
    tx.answers.hold(game, seat, desk.mail, about, desk.now, due)
    tx.tasks.add(task(game, seat, desk.mail, due), desk.now)


def sum_up(store: Store, house: House, now: int, row: TaskRow) -> Conclusion:
    """The answer to what waits for a seat; ``seat`` "" is the organiser."""
    return lambda tx: _answered(tx, house, now, row)


def _answered(tx: Tx, house: House, now: int, row: TaskRow) -> Done:
    held, table = tx.answers.held(row.game, row.seat), load(tx, row.game)
    if not held or table is None:
        return Done("answered with others")
    tx.answers.forget_held(held)
    seat = next((one for one in table.seats if one.name == row.seat), None)
    if row.seat and seat is None:
        return Done("the seat was given up")
    subject, headline, lines = _summed(row.game, held)
    to = of_seat(row.game, seat.name) if seat else of_organiser(row.game)
    page = note_page(to, subject, headline, lines, about=house.about(row.game, table.title))
    desk = Desk(house, now, Occasion("clock", row.key, row.game, row.seat))
    if seat is None:
        letter = desk.to_organiser("held", table.row, page)
    else:
        letter = desk.to_seat("held", at_head(table), seat, page)
    tx.answers.count(rations.player(row.game, row.seat, "puzzled"), now)
    return Done(f"answered {len(held)}", [letter])


ONE_SUBJECT = "[{game}] Your email: NOT DONE"
ONE_CHANGED_NOTHING = "NOT DONE: your email changed nothing."
ONE_CAME = "So many came that it was not answered at once. Nothing of it was done:"
MORE_SUBJECT = "[{game}] {count} of your emails: NOT DONE"
MORE_CHANGED_NOTHING = "NOT DONE: {count} of your emails changed nothing."
MORE_CAME = "So many came that they were not answered at once. Nothing of them was done:"
CAME = "{when}: “{about}”"
AND_MORE = "… and {count} more, until {until}."
WRITE_AGAIN = "What you still want done, write again; `help` lists what can be written."


def _summed(game: str, held: Sequence[HeldRow]) -> tuple[str, str, tuple[str, ...]]:
    """Subject, headline and lines of the answer to mails that waited."""
    count = len(held)
    subject, headline, came = (
        (ONE_SUBJECT, ONE_CHANGED_NOTHING, ONE_CAME)
        if count == 1
        else (MORE_SUBJECT, MORE_CHANGED_NOTHING, MORE_CAME)
    )
    listed = (CAME.format(when=moment(mail.at), about=mail.about) for mail in held[:_LISTED])
    lines = [came, *listed]
    if count > _LISTED:
        lines.append(AND_MORE.format(count=count - _LISTED, until=moment(held[-1].at)))
    lines.append(WRITE_AGAIN)
    return subject.format(game=game, count=count), headline.format(count=count), tuple(lines)
