"""Whether a mail that came by a list may act for its writer's seat.

A list may rewrite From and break what signs a mail, and it takes mails of anybody who knows an
address that may post. So a post proves its writer only as well as From does, which is enough where
that is enough: at tables of friends.
"""

from service import rations
from service.desk.letters.post import House
from service.desk.proving.proof import Standing, grade_of
from service.games.games import GameTable
from service.mail import identity
from service.mail.message import Mail
from service.mail.proving import Proof
from service.rations import Who
from service.store import ListRow, SeatRow, Tx

#: what a post by a registered address proves
_FROM = Proof(sender=True, token=False)


def shared(house: House, mail: Mail) -> tuple[str, ...]:
    """The lists that To and Cc name; none of a mail that went to a seat's own address as well.

    That copy is handled as one to the seat.
    """
    private = any(identity.read_address(a, house.address) for a in mail.recipients)
    return () if private else mail.shared_with


def brought(house: House, mail: Mail, row: ListRow | None) -> bool:
    """Whether a mail came by a list."""
    if row is None:
        return bool(mail.listing.addresses or mail.listing.ids)
    return mail.listing.of(row.address, shared(house, mail))


def seat_of(tx: Tx, table: GameTable, writer: str) -> SeatRow | None:
    """The seat of who wrote a post, from either of their addresses.

    None of an address that has no seat, or more than one.
    """
    also = {seat.id for seat in tx.seats.also_at(writer)} if writer else set()
    found = [s for s in table.players if s.address.lower() == writer or s.id in also]
    return found[0] if len(found) == 1 else None


def talks(game: str, seat: str) -> Who:
    """For whom words on the list are counted: not the player, who has not proved to have said them.

    Else anybody could use up what a player may say by mail.
    """
    return rations.player(game, f"{seat} on the list", "talk")


def standing(house: House, table: GameTable, seat: SeatRow) -> Standing:
    """For whom a post speaks where more is asked for than a list can give."""
    return Standing(table, seat, _FROM, grade_of(house, table), enough=False)


def may_act(house: House, table: GameTable) -> bool:
    """Whether commands of a post by a seat's registered address are carried out."""
    return _FROM.enough(grade_of(house, table))
