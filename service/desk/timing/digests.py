"""The daily digest: one letter with all that a player has not been told of yet."""

from dataclasses import replace

from service.audience import OnlyFor, of_seat
from service.desk.door import Conclusion, Done
from service.desk.letters.post import Desk, House, at_head
from service.games import digests, games
from service.games.games import GameTable, seat_settings
from service.reports import Page, Scene, Since, news_page
from service.store import Letter, Occasion, SeatRow, Store, TaskRow, Telling, Tx

KIND = digests.KIND


def send_digest(store: Store, house: House, now: int, row: TaskRow) -> Conclusion:
    """A seat's digest if there is anything to tell."""
    return lambda tx: _sent(tx, house, now, row)


def _sent(tx: Tx, house: House, now: int, row: TaskRow) -> Done:
    table = games.load(tx, row.game)
    seat = next((s for s in table.players if s.name == row.seat), None) if table else None
    if table is None or seat is None or table.head is None:
        return Done("there is no such player")
    chosen = seat_settings(seat)
    due = chosen.next_digest(row.due - 1)
    if due is None:
        return Done("no digest is wanted now")
    if due != row.due:
        # The hour was chosen anew.
        if (later := digests.task(row.game, seat, now)) is not None:
            tx.add_task(later, now)
        return Done("put off to another hour")
    page = _page(tx, house, table, seat)
    if page is None:
        return Done("all is told")
    desk = Desk(house, now, Occasion("clock", row.key, row.game, row.seat))
    return Done("sent", [_letter(desk, table, seat, page)])


def _letter(desk: Desk, table: GameTable, seat: SeatRow, page: Page) -> Letter:
    topic = f"round-{str(table.state.round).replace(' ', '')}"
    letter = desk.to_seat("digest", at_head(table), seat, page, thread=topic)
    return replace(letter, tells=Telling(seat.id, table.state.number))


TAKEN_BACK = "What you were told of up to #{position} was taken back in part."


def _page(tx: Tx, house: House, table: GameTable, seat: SeatRow) -> Page | None:
    """What was done, said and noted since the last letter; None if nothing was."""
    past = games.recent(tx, table, lambda known: known[0].number <= seat.told)
    line = {p.number for p in past}
    untold = [p for p in past if p.number > seat.told and not p.known_to(seat.name)]
    said = [t for t in tx.talks(table.row.id) if t.id > seat.heard and t.seat != seat.name]
    news = [j.text for j in table.jottings if (j.seat, j.kind) == (seat.name, "news")]
    if seat.told not in line:
        news.append(TAKEN_BACK.format(position=seat.told))
    told = tuple(p.told(table.title) for p in untold)
    if not (news or said or any(one.sentences for one in told)):
        return None
    to = of_seat(table.row.name, seat.name)
    note = OnlyFor(to, " ".join(news)) if news else None
    scene = Scene(table.row.name, table.title, table.state, templates=house.templates)
    return news_page(to, scene, Since(told, games.said(said), note))
