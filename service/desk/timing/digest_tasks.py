"""Tasks at fixed hours: digests, and emails that waited for their game's time."""

from collections.abc import Iterator
from dataclasses import replace

import msgspec

from service.audience import OnlyFor, of_seat
from service.clocks.deadlines import both, brief
from service.clocks.zones import day_of
from service.commands.entry import Who
from service.commands.reading import read
from service.desk.answering.effects import judged
from service.desk.answering.game_email import GameContext, scope_of
from service.desk.door import Conclusion, Done
from service.desk.letters.post import Desk, House, at_head
from service.desk.proving.arrived import WrittenAt
from service.games import choices, games, timing
from service.games.batches import BatchedEmail
from service.games.choices import seat_settings
from service.games.games import GameTable, Past, load
from service.mail.message import Mail
from service.mail.replies import Line
from service.reports import Page, Scene, Since, news_page
from service.said import TOLD_IS_TAKEN_BACK
from service.store import Letter, Occasion, SeatRow, Store, TaskRow, Telling, Tx

KIND = choices.KIND

Week = tuple[int, int]
"""Beginning and end, in UTC seconds."""


def send_digest(store: Store, house: House, now: int, row: TaskRow) -> Conclusion:
    """Send a seat's digest, if there is any news."""
    return lambda tx: _sent(tx, house, now, row)


def _sent(tx: Tx, house: House, now: int, row: TaskRow) -> Done:
    table = games.load(tx, row.game)
    seat = next((s for s in table.players if s.name == row.seat), None) if table else None
    if table is None or seat is None or table.head is None:
        return Done("there is no such player")
    chosen, hour = seat_settings(seat), choices.hour_of(row)
    due = chosen.next_digest(hour - 1)
    if due is None:
        return Done("no digest is wanted now")
    week = chosen.summed_up(hour)
    if week is None:
        other = due != hour
    else:
        # its hour by the present choice, on the day that was chosen before
        that_day = chosen.next_digest(week[1] - 1)
        other = that_day is not None and that_day > now
    if other:
        # The player has chosen another hour.
        if (later := choices.task(row.game, seat, now)) is not None:
            tx.tasks.add(later, now)
        return Done("put off to another hour")
    page = _page(tx, house, table, seat, week, now)
    if page is None:
        return Done("all is told")
    # On a Sunday there is one, whatever hours were chosen on it.
    key = row.key if week is None else f"{KIND}-{seat.id}-{day_of(chosen.zone, week[1])}"
    desk = Desk(house, now, Occasion("clock", key, row.game, row.seat))
    return Done("sent", [_letter(desk, table, seat, page)])


def _letter(desk: Desk, table: GameTable, seat: SeatRow, page: Page) -> Letter:
    topic = f"round-{str(table.state.round).replace(' ', '')}"
    letter = desk.to_seat("digest", at_head(table), seat, page, thread=topic)
    return replace(letter, tells=Telling(seat.id, table.state.number))


THE_WEEK = "This is what happened from {begins} to {ends}."


def _page(
    tx: Tx, house: House, table: GameTable, seat: SeatRow, week: Week | None, now: int
) -> Page | None:
    """What was said, noted and done since the last email; None if nothing was said or done.

    It has everything that no email reported. For a ``week`` it has all of it, whatever reported
    it.
    """
    past = games.recent(tx, table, lambda known: _reaches(known[0], seat, week))
    line = {p.number for p in past}
    said = [t for t in tx.log.talks(table.row.id) if t.id > seat.heard and t.seat != seat.name]
    news = [j.text for j in table.jottings if (j.seat, j.kind) == (seat.name, "news")]
    back = seat.told not in line
    if back:
        news.append(TOLD_IS_TAKEN_BACK.format(position=seat.told))
    if week is None:
        done = [p for p in past if p.number > seat.told and not p.known_to(seat.name)]
    else:
        done = [p for p in past if week[0] <= _at(p) < week[1]]
    told = tuple(p.told(table.title) for p in done)
    if not (back or said or any(one.sentences for one in told)):
        # notes, such as applause, wait for an email that comes anyway
        return None
    if week is not None:
        zone = seat_settings(seat).zone
        begins, ends = (brief(moment, zone) for moment in week)
        news = [THE_WEEK.format(begins=begins, ends=ends), *_deadlines(table, zone, now), *news]
    to = of_seat(table.row.name, seat.name)
    note = OnlyFor(to, " ".join(news)) if news else None
    scene = Scene(table.row.name, table.title, table.state, templates=house.templates)
    return news_page(to, scene, Since(told, games.said(said), note))


def _reaches(first: Past, seat: SeatRow, week: Week | None) -> bool:
    """Whether the log, which begins with ``first``, goes back far enough."""
    return first.number <= seat.told and (week is None or _at(first) < week[0])


def _at(past: Past) -> int:
    """The time of the action; everything that is read of a game is stored."""
    assert past.row is not None
    return past.row.at


ANSWERS_BY = "{name} has until {until}."


def _deadlines(table: GameTable, zone: str, now: int) -> Iterator[str]:
    """Deadlines of players whose move is due; a past one is left out, it may be secret."""
    rule = timing.rule_of(table)
    found = timing.accounts_of(table, rule) if rule else ()
    for name, clock in timing.deadlines_of(table, found, now).items():
        if name not in table.unsent and clock.due is not None and clock.due > now:
            yield ANSWERS_BY.format(name=name, until=both(clock.due, zone))


def handle(store: Store, house: House, now: int, row: TaskRow) -> Conclusion:
    """Carry out the lines of an email that waited for their time."""
    waiting = msgspec.json.decode(row.payload, type=BatchedEmail)
    with store.transaction() as tx:
        table = load(tx, row.game)
        seat = next((s for s in table.players if s.name == row.seat), None) if table else None
    if table is None or seat is None or seat.address != waiting.owner:
        # commands of one person are not done in the name of another
        return Done("the seat is another's by now")
    desk = Desk(house, now, Occasion("mail", row.key, row.game, row.seat))
    mail = Mail(
        message_id=waiting.message_id,
        sender=waiting.sender,
        subject=waiting.subject,
        in_reply_to=waiting.in_reply_to,
        references=waiting.references,
        lines=tuple(Line(number, text) for number, text in waiting.lines),
    )
    written = WrittenAt(waiting.number, waiting.received, mail=waiting.mail, task=row.id)
    context = GameContext(store, desk, mail, table, table, seat, Who.PLAYER, written)
    return judged(context, read(mail.lines, scope_of(context)))
