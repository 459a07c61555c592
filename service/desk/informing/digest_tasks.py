"""Sends players' digests, each at its hour."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from service.audience import OnlyFor, of_seat
from service.clocks.deadlines import both, brief
from service.clocks.zones import day_of
from service.desk.door import Done
from service.desk.letters.desk import Desk, at_head
from service.desk.service import Service
from service.games import choices, games, timing
from service.games.choices import seat_settings
from service.games.games import GameTable, Past
from service.reports import Page, Scene, Since, news_page
from service.said import TOLD_IS_TAKEN_BACK
from service.store import Conflict, Letter, Occasion, SeatRow, TalkRow, TaskRow, Telling, Tx

SummedUp = tuple[int, int]
"""Beginning and end, in UTC seconds."""


def send_digest(reads: Tx, service: Service, now: int, row: TaskRow) -> Done:
    """Send a seat's digest, if there is any news. Storing it raises Conflict after a new message.

    A list may bring one while Waybill works on its game.
    """
    table = games.load(reads, row.game)
    seat = next((s for s in table.players if s.name == row.seat), None) if table else None
    if table is None or seat is None or table.head is None:
        return Done("there is no such player")
    chosen, hour = seat_settings(seat), choices.hour_of(row)
    due = chosen.next_digest(hour - 1)
    if due is None:
        return Done("no digest is wanted now")
    span = chosen.summed_up(hour)
    if span is None:
        other = due != hour
    else:
        # its hour by the present choice, on the day that was chosen before
        that_day = chosen.next_digest(span[1] - 1)
        other = that_day is not None and that_day > now
    if other:
        # The player has chosen another hour.
        later = [one for one in (choices.task(row.game, seat, now),) if one is not None]
        note = "put off to another hour"
        return Done(note, read=table, also=lambda tx: tx.tasks.add_all(later, now))
    said = _said(reads, table, seat)
    page = _page(reads, service, table, seat, said, span, now)
    if page is None:
        return Done("all is told")
    # On a Sunday there is one, whatever hours were chosen on it.
    key = row.key if span is None else f"{choices.KIND}-{seat.id}-{day_of(chosen.zone, span[1])}"
    desk = Desk(service, now, Occasion("clock", key, row.game, row.seat))

    def still(tx: Tx) -> None:
        if _said(tx, table, seat) != said:
            raise Conflict(f"a player of {row.game} has said something")

    return Done("sent", [_letter(desk, table, seat, page)], read=table, also=still)


def _said(tx: Tx, table: GameTable, seat: SeatRow) -> list[TalkRow]:
    """The messages of others that no email has brought to a player."""
    every = tx.log.talks(table.row.id)
    return [one for one in every if one.id > seat.heard and one.seat != seat.name]


def _letter(desk: Desk, table: GameTable, seat: SeatRow, page: Page) -> Letter:
    topic = f"round-{str(table.state.round).replace(' ', '')}"
    letter = desk.to_seat("digest", at_head(table), seat, page, thread=topic)
    return replace(letter, tells=Telling(seat.id, table.state.number))


SUMMED_UP = "This is what happened from {begins} to {ends}."


def _page(
    reads: Tx,
    service: Service,
    table: GameTable,
    seat: SeatRow,
    said: Sequence[TalkRow],
    span: SummedUp | None,
    now: int,
) -> Page | None:
    """What was said, noted and done since the last email; None if nothing was said or done.

    It has everything that no email reported. For a ``span`` it has all of it, whatever reported
    it.
    """
    past = games.recent(reads, table, lambda known: _reaches(known[0], seat, span))
    line = {p.number for p in past}
    news = [j.text for j in table.jottings if (j.seat, j.kind) == (seat.name, "news")]
    back = seat.told not in line
    if back:
        news.append(TOLD_IS_TAKEN_BACK.format(position=seat.told))
    if span is None:
        done = [p for p in past if p.number > seat.told and not p.known_to(seat.name)]
    else:
        done = [p for p in past if span[0] <= p.at < span[1]]
    told = tuple(p.narrated(table.title) for p in done)
    if not (back or said or any(one.sentences for one in told)):
        # notes, such as applause, wait for an email that comes anyway
        return None
    if span is not None:
        zone = seat_settings(seat).zone
        begins, ends = (brief(moment, zone) for moment in span)
        news = [SUMMED_UP.format(begins=begins, ends=ends), *_deadlines(table, zone, now), *news]
    to = of_seat(table.row.name, seat.name)
    note = OnlyFor(to, " ".join(news)) if news else None
    scene = Scene(table.row.name, table.title, table.state, templates=service.templates)
    return news_page(to, scene, Since(told, games.said(said), note))


def _reaches(first: Past, seat: SeatRow, span: SummedUp | None) -> bool:
    """Whether the log, which begins with ``first``, goes back far enough."""
    return first.number <= seat.told and (span is None or first.at < span[0])


ANSWERS_BY = "{name} has until {until}."


def _deadlines(table: GameTable, zone: str, now: int) -> Iterator[str]:
    """Deadlines of players whose move is due; a past one is left out, it may be secret."""
    rule = timing.rule_of(table)
    found = timing.accounts_of(table, rule) if rule else ()
    for name, clock in timing.deadlines_of(table, found, now).items():
        if name not in table.unsent and clock.due is not None and clock.due > now:
            yield ANSWERS_BY.format(name=name, until=both(clock.due, zone))
