"""Games that have not begun: what expires by time alone, such as offers of seats, and games.

It knows no clock: ``now`` is an argument. Each expiry and its emails are one transaction, so a
crash neither loses nor doubles it. No picture is drawn.
"""

from functools import partial

import structlog

from engine.wording import counted
from service.audience import of_organiser, of_table
from service.desk.door import NOTHING, Done, finish
from service.desk.informing.everybody import to_others
from service.desk.letters.post import Desk
from service.desk.lobby import lobby
from service.desk.service import Service
from service.games import choices
from service.games.games import GameTable, load
from service.rations import DAY
from service.reports import note_page
from service.store import Occasion, SeatRow, Store, Tx

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
            names = [row.name for row in reads.games.lines("open")]
        return sum(self._lapse(name) for name in names)

    def due(self) -> int | None:
        """The time of the next check, in UTC seconds, if no email comes; None for never."""
        with self._store.reading() as reads:
            times: list[int] = []
            for game in reads.games.lines("open"):
                times.append(game.created + self._service.open_days * DAY)
                offered = [s.offered for s in reads.seats.of(game.id) if s.status == "invited"]
                times += [at + self._service.offer_days * DAY if at else 0 for at in offered]
        return min(times, default=None)

    # expiry

    def _lapse(self, name: str) -> int:
        """The number of emails about an open game that expired, or about its expired offers."""
        return len(finish(self._store, self._now, NOTHING, partial(self._lapsed, name)).letters)

    def _lapsed(self, name: str, tx: Tx) -> Done:
        """An open game that expired, or its offers that nobody accepted in time."""
        table = load(tx, name)
        if table is None or table.row.status != "open":
            return Done()
        if table.row.created + self._service.open_days * DAY <= self._now:
            return self._close(tx, table)
        return self._withdraw(tx, table)

    def _close(self, tx: Tx, table: GameTable) -> Done:
        """Cancel the game; email organizer and players."""
        name, row = table.row.name, table.row
        tx.games.set_status(row.id, "abandoned", self._now)
        choices.plan_observers(tx, row, f"abandoned-{self._now}", self._now)
        subject = LAPSED_SUBJECT.format(game=name, days=counted(self._service.open_days, "day"))
        text = LAPSED.format(game=name, days=counted(self._service.open_days, "day"))
        about = self._service.about(name, table.title)
        page = note_page(of_table(name), subject, text, (OPENS_NO_MORE,), about=about)
        desk = Desk(self._service, self._now, Occasion("clock", f"lapsed-{name}", name))
        log.info("lapsed", game=name)
        return Done(letters=to_others(desk, table, "", "lapsed", page))

    def _withdraw(self, tx: Tx, table: GameTable) -> Done:
        """Free the seats that nobody confirmed; one email to the organizer for all.

        The people invited knew the deadline and that no email follows; one may be somebody
        who never wrote.
        """
        gone: list[SeatRow] = []
        for seat in table.seats:
            if seat.status != "invited":
                continue
            if not seat.offered:
                # An old offer without a date counts from now.
                tx.seats.offer_anew(seat.id, seat.name, seat.epoch, self._now)
            elif seat.offered + self._service.offer_days * DAY <= self._now:
                gone.append(seat)
                lobby.free(tx, table, seat)
        if not gone:
            return Done()
        name = table.row.name
        after = load(tx, name)
        assert after is not None
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
        return Done(letters=[desk.to_organiser("unclaimed", table.row, page)])
