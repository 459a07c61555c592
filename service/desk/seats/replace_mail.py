"""The organiser's words on who plays a seat of a running game: `replace Bob by eve@example.org`.

Whoever is named, or stands by, is asked first: until somebody says yes the seat stays as it is.
"""

import re
from collections.abc import Sequence

from engine import Seat
from service.audience import of_organiser, of_seat, of_table
from service.desk.letters import naming
from service.desk.letters.post import At, Desk, at_head
from service.desk.lobby.lobby import Denied
from service.desk.seats import standbys
from service.desk.seats.standbys import Offer
from service.games.games import GameTable, load, with_rulings
from service.mail.message import Mail, is_address
from service.reports import note_page
from service.reports.subjects import answering
from service.store import Conflict, Letter, RulingRow, SeatRow, Store, Tx

_LINE = re.compile(
    r"replace\s+(?P<seat>[^\s,;]+)(?:\s+(?:by|with)\s+<?(?P<by>[^\s<>,;]+)>?)?(?P<off>\s+off)?"
    r"(?:[\s,;]+because\b:?\s*(?P<why>.*))?",
    re.IGNORECASE | re.DOTALL,
)
#: characters of a reason
_LONGEST = 300


def asks(mail: Mail, table: GameTable, seat: SeatRow | None) -> bool:
    """Whether a mail of the organiser is one on who plays a seat of a running game."""
    organises = seat is None or seat.address == table.row.organiser
    line = mail.lines[0].text.strip() if mail.lines else ""
    return organises and table.head is not None and bool(re.match(r"replace\b", line, re.I))


class ReplaceMail:
    """One such mail; ``seat`` is the organiser's own if they write as a player."""

    def __init__(
        self, store: Store, desk: Desk, mail: Mail, table: GameTable, seat: SeatRow | None
    ) -> None:
        self._store = store
        self._desk = desk
        self._mail = mail
        self._table = table
        self._seat = seat
        self._name = table.row.name
        #: who is asked by name
        self._named = ""

    def handle(self) -> None:
        """Do it and answer; raises Conflict if game or seats have changed meanwhile."""
        try:
            lines, letters, whom, why = self._done()
        except Denied as refused:
            self._commit("NOT DONE", (str(refused),), (), None)
            return
        self._commit("done", lines, letters, (whom, why))

    def _done(self) -> tuple[Sequence[str], Sequence[Letter], Seat, str]:
        """What is told, and which seat is to have another player why; "" for none any more."""
        found = _LINE.fullmatch(" ".join(line.text.strip() for line in self._mail.lines[:4]))
        if found is None:
            raise Denied(f"Write it as in {_HOW}.")
        if self._table.row.status != "running":
            raise Denied(f"{self._name} is over.")
        whom = self._whom(found["seat"])
        if found["off"]:
            return self._off(whom)
        why = " ".join((found["why"] or "").split()).rstrip(".")
        if not why:
            raise Denied(f"Say why: it is told to all. As in {_HOW}.")
        if len(why) > _LONGEST:
            raise Denied(f"The reason may have {_LONGEST} characters.")
        address = (found["by"] or "").lower()
        if address:
            self._check(whom, address)
            self._named = address
        offered = Offer(whom, why, (address,) if address else None)
        letters = [*standbys.call(self._desk, self._table, offered), self._to_player(whom, why)]
        ready = [one.address for one in standbys.listed(self._table)]
        asked = [address] if address else ready
        names = ", ".join(asked) or "nobody yet, for nobody stands by"
        lines = (
            f"Asked whether they take the seat of {whom}: {names}. As soon as somebody says yes "
            "the seat is theirs, and all are told. Until then it stays as it is.",
            f"`replace {whom} off` ends the search.",
        )
        return lines, letters, whom, why

    def _whom(self, name: str) -> Seat:
        found = next((p for p in self._table.players if p.name.casefold() == name.casefold()), None)
        if found is None:
            there = ", ".join(player.name for player in self._table.players)
            raise Denied(f"Nobody is called so in {self._name}; there are {there}.")
        self._not_own_table(found.name)
        return found.name

    def _not_own_table(self, whom: Seat) -> None:
        """Raises Denied where who plays a board would choose whom they play against."""
        with self._store.transaction() as tx:
            board = tx.board_of(self._table.row.id) is not None
            own = with_rulings(tx, self._table).seat_at(self._table.row.organiser) if board else ""
        if own and own != whom:
            raise Denied(
                f"You play in {self._name}, a board of a tournament: who replaces others at your "
                f"own table is its assistant's to say there, by `withdraw {whom} because …` or "
                f"`exclude {whom} because …`."
            )

    def _check(self, whom: Seat, address: str) -> None:
        if not is_address(address):
            raise Denied(f"That is no mail address. Write it as in {_HOW}.")
        holder = next((s.name for s in self._table.seats if s.address == address), "")
        if holder == whom:
            raise Denied(f"{whom} plays from that address.")
        if holder:
            raise Denied(f"{holder} plays in {self._name} from that address: nobody has two seats.")
        with self._store.transaction() as tx:
            if why := naming.refusal(tx, address, self._desk.now):
                raise Denied(why)

    def _off(self, whom: Seat) -> tuple[Sequence[str], Sequence[Letter], Seat, str]:
        if all(vacancy.seat != whom for vacancy in self._table.vacancies):
            raise Denied(f"Nobody is looked for to take the seat of {whom}.")
        text = f"{whom} in {self._name} stays: no other player is looked for any more."
        about = self._desk.house.about(self._name, self._table.title)
        page = note_page(
            of_table(self._name), f"[{self._name}] {whom} stays", text, (), about=about
        )
        letters = [
            self._desk.to_seat("notice", at_head(self._table), player, page)
            for player in self._table.players
            if self._seat is None or player.id != self._seat.id
        ]
        return (text,), letters, whom, ""

    def _to_player(self, whom: Seat, why: str) -> Letter:
        """To whom it concerns, who keeps the seat until somebody has come."""
        headline = f"The organiser looks for another player for your seat in {self._name}."
        lines = (
            f"The reason: {why}.",
            "Until somebody has said yes the seat is yours, and your orders go on. If that is not "
            "right, write to all by `say:`.",
        )
        about = self._desk.house.about(self._name, self._table.title)
        to, row = of_seat(self._name, whom), self._table.seat(whom)
        page = note_page(to, f"[{self._name}] {headline}", headline, lines, about=about)
        return self._desk.to_seat("notice", at_head(self._table), row, page)

    def _commit(
        self,
        ending: str,
        lines: Sequence[str],
        letters: Sequence[Letter],
        change: tuple[Seat, str] | None,
    ) -> None:
        with self._store.transaction() as tx:
            now = load(tx, self._name)
            if now is None or (now.row, now.seats, now.vacancies) != (
                self._table.row,
                self._table.seats,
                self._table.vacancies,
            ):
                raise Conflict(f"{self._name} has changed")
            if change is not None:
                self._store_change(tx, *change)
                if self._named:
                    naming.counts(tx, self._named, self._desk.now)
            for letter in (self._receipt(ending, lines), *letters):
                tx.queue(letter, self._desk.now)
            tx.finish(self._desk.mail, "done", f"replace: {ending}")

    def _store_change(self, tx: Tx, whom: Seat, why: str) -> None:
        game = self._table.row.id
        tx.close_vacancy(game, whom)
        if why:
            tx.open_vacancy(game, whom, "director", why, self._desk.now)
            head, now = self._table.row.head or 0, self._desk.now
            stood = (self._table.state.number, 0, "organiser", f"replace {whom}", why, head, head)
            ruling = RulingRow(0, "replace", *stood, at=now)
            tx.add_ruling(game, ruling, tx.occasion(self._desk.occasion, now))

    def _receipt(self, ending: str, lines: Sequence[str]) -> Letter:
        headline = "DONE." if ending == "done" else "NOT DONE"
        about = self._desk.house.about(self._name, self._table.title)
        subject = answering(self._mail.subject, ending)
        if self._seat is None:
            to = of_organiser(self._name)
            page = note_page(to, subject, headline, lines, about=about)
            return self._desk.to_organiser("receipt", self._table.row, page, self._mail)
        page = note_page(
            of_seat(self._name, self._seat.name), subject, headline, lines, about=about
        )
        at = At(self._name, self._table.state.number)
        return self._desk.to_seat("receipt", at, self._seat, page, answers=self._mail)


_HOW = "`replace Bob because Bob has no time`, `replace Bob by eve@example.org because …`"
