"""What time alone brings about: offers and games that lapse, and answers that waited.

It knows no clock: ``now`` is an argument. Each is done and told in one transaction, so a crash
neither loses nor doubles it. No picture is drawn.
"""

from collections.abc import Sequence

import structlog

from service.desk import lobby
from service.desk.post import Desk, House
from service.games.games import Table, load
from service.reports import note_page
from service.reports.words import moment
from service.store import HeldRow, SeatRow, Store, Tx, rations
from service.store.rations import DAY

log = structlog.get_logger()

#: mails that are listed one by one
_LISTED = 20


class Reminders:
    """One look for what is due."""

    def __init__(self, store: Store, house: House, now: int) -> None:
        """``now`` in UTC seconds."""
        self._store = store
        self._house = house
        self._now = now

    def run(self) -> int:
        """Do all that is due; how many letters were queued."""
        with self._store.transaction() as tx:
            names = [row.name for row in tx.games() if row.status == "open"]
            held = tx.held(self._now)
            tx.forget_answers(self._now)
        told = sum(self._lapse(name) for name in names)
        whose = dict.fromkeys((one.game, one.seat) for one in held)
        return told + sum(self._sum_up(game, seat) for game, seat in whose)

    def due(self) -> int | None:
        """When there is something to do next, in UTC seconds, if no mail comes; None for never."""
        with self._store.transaction() as tx:
            times = [*tx.held_until()]
            for game in tx.games():
                if game.status != "open":
                    continue
                times.append(game.created + self._house.open_days * DAY)
                offered = [s.offered for s in tx.seats(game.id) if s.status == "invited"]
                times += [at + self._house.offer_days * DAY if at else 0 for at in offered]
        return min(times, default=None)

    # what lapses

    def _lapse(self, name: str) -> int:
        """An open game whose time is over, or its offers that nobody took up."""
        with self._store.transaction() as tx:
            table = load(tx, name)
            if table is None or table.row.status != "open":
                return 0
            if table.row.created + self._house.open_days * DAY <= self._now:
                return self._close(tx, table)
            return self._withdraw(tx, table)

    def _close(self, tx: Tx, table: Table) -> int:
        """The game is called off; organiser and players are told."""
        name, row = table.row.name, table.row
        tx.set_status(row.id, "abandoned", self._now)
        text = f"{name} has lapsed: it did not begin within {self._house.open_days} days."
        lines = ("Nothing can be done in it any more. `create` opens a new game.",)
        page = note_page(f"[{name}] {text}", text, lines, game=name, about=table.title)
        desk = Desk(self._house, self._now, 0)
        letters = [desk.to_organiser("lapsed", row, page)]
        letters += [
            desk.to_seat("lapsed", name, seat, 0, page)
            for seat in table.players
            if seat.address != row.organiser
        ]
        for letter in letters:
            tx.queue(letter, self._now)
        log.info("lapsed", game=name)
        return len(letters)

    def _withdraw(self, tx: Tx, table: Table) -> int:
        """Seats that nobody confirmed are free again; the organiser is told, once for all.

        Who was asked was told until when, and that no mail follows: it may be somebody who never
        wrote.
        """
        gone: list[SeatRow] = []
        for seat in table.seats:
            if seat.status != "invited":
                continue
            if not seat.offered:
                # Of before offers were dated: it counts from now.
                tx.offer_anew(seat.id, seat.name, seat.epoch, self._now)
            elif seat.offered + self._house.offer_days * DAY <= self._now:
                gone.append(seat)
                lobby.free(tx, table, seat)
        if not gone:
            return 0
        name = table.row.name
        after = load(tx, name)
        assert after is not None
        names = ", ".join(seat.name for seat in gone)
        text = f"Not confirmed within {self._house.offer_days} days, and free again: {names}."
        joined = ", ".join(seat.name for seat in after.players) or "nobody"
        page = note_page(
            f"[{name}] Seats are free again",
            text,
            (f"Joined so far: {joined}. Who still wants to play joins again.",),
            game=name,
            about=table.title,
        )
        # The epoch grows with each seat given up, so no two such letters have one number.
        desk = Desk(self._house, self._now, after.settings.epoch)
        tx.queue(desk.to_organiser("unclaimed", table.row, page), self._now)
        log.info("unclaimed", game=name, seats=names)
        return 1

    # answers that waited

    def _sum_up(self, game: str, seat: str) -> int:
        """One answer to all of a player's mails that were not answered one by one."""
        with self._store.transaction() as tx:
            every = tx.held(self._now)
            held = [one for one in every if (one.game, one.seat) == (game, seat)]
            table = load(tx, game)
            if not held or table is None:
                return 0
            tx.forget_held(held)
            row = next((one for one in table.seats if one.name == seat), None)
            if seat and row is None:
                return 0
            subject, headline, lines = _summed(game, held)
            page = note_page(subject, headline, lines, game=game, about=table.title)
            desk = Desk(self._house, self._now, held[0].inbox_id)
            if row is None:
                letter = desk.to_organiser("held", table.row, page)
            else:
                number = table.state.number if table.head else 0
                letter = desk.to_seat("held", game, row, number, page)
            tx.count_answer(rations.player(game, seat, "puzzled"), self._now)
            tx.queue(letter, self._now)
            return 1


def _summed(game: str, held: Sequence[HeldRow]) -> tuple[str, str, tuple[str, ...]]:
    """Subject, headline and lines of the answer to mails that waited."""
    one = len(held) == 1
    count = "A mail of yours" if one else f"{len(held)} mails of yours"
    headline = f"NOT DONE: {count} changed nothing."
    lines = [
        f"So many came that {'it was' if one else 'they were'} not answered at once. Nothing of "
        f"{'it' if one else 'them'} was done:",
        *(f"{moment(mail.at)}: “{mail.about}”" for mail in held[:_LISTED]),
    ]
    if len(held) > _LISTED:
        lines.append(f"… and {len(held) - _LISTED} more, until {moment(held[-1].at)}.")
    lines.append("What you still want done, write again; `help` lists what can be written.")
    return f"[{game}] {count}: NOT DONE", headline, tuple(lines)
