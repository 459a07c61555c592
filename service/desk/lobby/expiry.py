"""Games that have not begun: what expires by time alone, such as offers of seats, and games.

It knows no clock: ``now`` is an argument. The door stores each expiry with its emails, so a crash
neither loses nor doubles it. No picture is drawn.
"""

from functools import reduce

import structlog

from engine.wording import counted
from service.audience import of_organiser, of_table
from service.desk.door import NOTHING, Done, finish
from service.desk.informing.everybody import informed, to_all
from service.desk.letters.desk import Desk
from service.desk.lobby import lobby
from service.desk.service import Service
from service.games import choices
from service.games.games import GameTable, load
from service.rations import DAY
from service.reports import note_page
from service.store import Conflict, Occasion, Store, Tx

log = structlog.get_logger()


LAPSED_SUBJECT = "[{game}] {game} is canceled: it did not start within {days}"
LAPSED = "{game} is canceled: it did not start within {days}."
OPENS_NO_MORE = "You cannot play in it. `create` opens a new game."
FREE_SUBJECT = "[{game}] Seats are free again"
FREE_AGAIN = "Not confirmed within {days}, and free again: {names}."
JOINED = "Joined so far: {names}. Players who still want to play join again."
NOBODY_JOINED = "Joined so far: nobody. Players who still want to play join again."


class Expiry:
    """One check for what is due."""

    def __init__(self, store: Store, service: Service, now: int) -> None:
        """``now`` in UTC seconds."""
        self._store = store
        self._service = service
        self._now = now

    def run(self) -> int:
        """Do everything that is due; gives how many emails were queued."""
        with self._store.reading() as reads:
            tables = [load(reads, name) for name in reads.games.expired(*self._limits(self._now))]
        expired = (self._expired(table) for table in tables if table is not None)
        return sum(self._store_it(done) for done in expired if done is not None)

    def _store_it(self, done: Done) -> int:
        """The number of emails; none if the game has changed: then the next check is soon."""
        try:
            finish(self._store, self._now, NOTHING, done)
        except Conflict as error:
            log.info("begun again", reason=str(error))
            return 0
        return len(done.letters)

    def due(self) -> int | None:
        """The time of the next check, in UTC seconds, if no email comes; None for never."""
        with self._store.reading() as reads:
            oldest = reads.games.oldest_open()
        spans = (self._now - limit for limit in self._limits(self._now))
        times = (at + span for at, span in zip(oldest, spans, strict=True) if at is not None)
        return min(times, default=None)

    def _limits(self, now: int) -> tuple[int, int]:
        """Games created, and seats offered, until then have expired."""
        return now - self._service.open_days * DAY, now - self._service.offer_days * DAY

    # expiry

    def _expired(self, table: GameTable) -> Done | None:
        """An open game that expired, or its offers that nobody accepted in time."""
        if table.row.created + self._service.open_days * DAY <= self._now:
            return self._close(table)
        return self._withdraw(table)

    def _close(self, table: GameTable) -> Done:
        """Cancel the game; email organizer and players."""
        name, row = table.row.name, table.row
        subject = LAPSED_SUBJECT.format(game=name, days=counted(self._service.open_days, "day"))
        text = LAPSED.format(game=name, days=counted(self._service.open_days, "day"))
        about = self._service.about(name, table.title)
        page = note_page(of_table(name), subject, text, (OPENS_NO_MORE,), about=about)
        desk = Desk(self._service, self._now, Occasion("clock", f"lapsed-{name}", name))
        letters = to_all(desk, table, informed(table, ""), "lapsed", page)

        def cancel(tx: Tx) -> None:
            tx.games.set_status(row.id, "abandoned", self._now)
            choices.plan_observers(tx, row, f"abandoned-{self._now}", self._now)

        log.info("lapsed", game=name)
        return Done(letters=letters, read=table, also=cancel)

    def _withdraw(self, table: GameTable) -> Done | None:
        """Free the seats that nobody confirmed; one email to the organizer for all.

        The people invited knew the deadline and that no email follows; one may be somebody
        who never wrote.
        """
        invited = [seat for seat in table.seats if seat.status == "invited"]
        undated = [seat for seat in invited if not seat.offered]
        over = self._now - self._service.offer_days * DAY
        gone = [seat for seat in invited if seat.offered and seat.offered <= over]
        if not gone and not undated:
            return None

        def store(tx: Tx) -> None:
            for seat in undated:
                # An old offer without a date counts from now.
                tx.seats.offer_anew(seat.id, seat.name, seat.epoch, self._now)
            before = table
            for seat in gone:
                lobby.free(tx, before, seat)
                before = lobby.without(before, seat)

        if not gone:
            return Done(read=table, also=store)
        name, after = table.row.name, reduce(lobby.without, gone, table)
        names = ", ".join(seat.name for seat in gone)
        text = FREE_AGAIN.format(days=counted(self._service.offer_days, "day"), names=names)
        joined = ", ".join(seat.name for seat in after.players)
        page = note_page(
            of_organiser(name),
            FREE_SUBJECT.format(game=name),
            text,
            (JOINED.format(names=joined) if joined else NOBODY_JOINED,),
            about=self._service.about(name, table.title),
        )
        # The epoch grows with each seat given up, so each such occasion is unique.
        key = f"unclaimed-{name}-{after.settings.epoch}"
        desk = Desk(self._service, self._now, Occasion("clock", key, name))
        log.info("unclaimed", game=name, seats=names)
        letters = [desk.to_organiser("unclaimed", table.row, page)]
        return Done(letters=letters, read=table, also=store)
