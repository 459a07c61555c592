"""Addresses that change: seats follow their entrants, and entrants their seats; tokens are new."""

from collections.abc import Iterator

from service.audience import of_seat
from service.desk.letters.post import Desk, at_head
from service.desk.seats import addresses
from service.desk.tournament.acts import Cup
from service.desk.tournament.entering import moved
from service.desk.tournament.known import Known, keep, of_row
from service.games.games import GameTable, load
from service.reports import note_page
from service.said import FORMER_ADDRESS_IS_VOID, PLAY_FROM_HERE, RESEND
from service.store import Conflict, Letter, Tx
from service.tournaments.values import Entry


def seats_follow(tx: Tx, desk: Desk, known: Known, entry: Entry, address: str) -> list[Letter]:
    """The seats that an entrant plays are written to at another address from now on; told there."""
    letters: list[Letter] = []
    for board in known.playing:
        table = load(tx, board.game)
        assert table is not None
        for seat in table.seats:
            taken = any(other.address == address for other in table.seats)
            if seat.address in entry.addresses and not taken:
                addresses.renew(tx, table, seat, address)
                letters += _told(tx, desk, board.game, seat.name)
    return letters


def _told(tx: Tx, desk: Desk, game: str, name: str) -> Iterator[Letter]:
    table = load(tx, game)
    assert table is not None
    seat, to = table.seat(name), of_seat(game, name)
    text = PLAY_FROM_HERE.format(name=name, game=game)
    lines = (
        FORMER_ADDRESS_IS_VOID,
        RESEND,
    )
    about = desk.house.about(game, table.title)
    page = note_page(to, f"[{game}] {text}", text, lines, about=about)
    yield desk.to_seat("readdressed", at_head(table), seat, page)


ADDRESS_OF_ANOTHER = "{address} is {name}'s in {cup}"


def entrant_follows(tx: Tx, desk: Desk, before: GameTable) -> None:
    """A seat of a board has another address of the same person: so has their entry."""
    board = tx.tournaments.board_of(before.row.id)
    if board is None:
        return
    now = {seat.id: seat.address for seat in tx.seats.of(before.row.id)}
    known = of_row(tx, tx.tournaments.get(board.tournament_id))
    for seat in before.seats:
        new = now.get(seat.id, seat.address)
        entry = _entry(known.cup, seat.address)
        if new == seat.address or entry is None or entry.addresses[0] == new:
            continue
        other = _entry(known.cup, new)
        if other is not None and other.number != entry.number:
            raise Conflict(ADDRESS_OF_ANOTHER.format(address=new, name=other.name, cup=known.name))
        known = keep(tx, desk.about(known.name), known, moved(entry, new, entry.name))


def _entry(cup: Cup, address: str) -> Entry | None:
    found = cup.at_address(address)
    return None if found is None or found.state == "asked" else found
