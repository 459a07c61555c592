"""What an organizer chooses about a game's mailing list: its address, `off`, its pictures.

A list is somebody else's: nothing goes to it before a member has written a line for the game there,
and only one letter before that has come back by the list, or was answered there.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import cast, get_args

import msgspec

from service.commands.refusal import Refused
from service.desk.letters import list_letters
from service.desk.letters.post import House
from service.desk.proving.list_proof import may_act
from service.games.games import GameTable, seat_settings
from service.mail.automatic import ROBOT
from service.mail.message import is_address
from service.store import Conflict, ListPictures, ListRow, SeatRow, Tx

_PICTURES = re.compile(r"pictures?\s+(\w+)", re.IGNORECASE)
HOW = "Write `list dixie@lists.example.org`, `list off`, or `list pictures small`."
_GRADE = (
    "Commands on the list are carried out in games of `grade friendly` only, for anybody can write "
    "a sender into an email to a list. Here they are asked for in private."
)
#: what `digest` is for players of a game that has a list, until they choose something else
READS_THE_LIST = "off"


@dataclass(frozen=True)
class Wanted:
    """What an organiser wants of a list; the first that is given counts."""

    address: str = ""
    pictures: ListPictures | None = None
    links: bool = False
    off: bool = False


def read(text: str) -> Wanted | None:
    """What stands behind `list`; None for nothing, a question how it stands. Raises Refused."""
    words = text.strip()
    if not words:
        return None
    if words.lower() == "off":
        return Wanted(off=True)
    if found := _PICTURES.fullmatch(words):
        if found[1].lower() == "links":
            return Wanted(pictures="small", links=True)
        if found[1].lower() not in get_args(ListPictures):
            raise Refused("Write `list pictures attached`, `small`, `links` or `off`.")
        return Wanted(pictures=cast("ListPictures", found[1].lower()))
    address = words.removeprefix("mailto:").strip("<>").lower()
    if " " in words or not is_address(address):
        raise Refused(f"That is no email address. {HOW}")
    return Wanted(address)


def check(tx: Tx, house: House, address: str) -> None:
    """Raises Refused for an address that is a person's, a robot's, or ours."""
    local, _, host = house.address.lower().rpartition("@")
    name, _, at = address.rpartition("@")
    if at == host and name.partition("+")[0] == local:
        raise Refused("That is our own address, and no list.")
    if ROBOT.fullmatch(address):
        raise Refused("That is an address that answers by itself. Write that of the list.")
    organises = any(row.organiser.lower() == address for row in tx.games.all())
    if organises or tx.seats.at(address) or address == house.operator.lower():
        raise Refused("That is the address of a person who plays here, and no list.")


@dataclass(frozen=True)
class Chosen:
    """What a choice comes to: what it means in words, the game then, and what stores it.

    ``write`` raises Conflict where the list is another by then.
    """

    told: tuple[str, ...]
    table: GameTable
    write: Callable[[Tx], None] | None = None


NO_LIST = f"{{game}} has no mailing list. {HOW}"
LIST_IS_OFF = "Nothing more goes to the list. Players get their news by email again."
PICTURES = "Pictures for the list: {pictures}."


def choose(tx: Tx, house: House, table: GameTable, wanted: Wanted | None, now: int) -> Chosen:
    """What a choice about the list comes to; it only reads. Raises Refused."""
    row = table.mailing
    if wanted is not None and wanted.address:
        return _named(tx, house, table, wanted.address, now)
    if row is None:
        raise Refused(NO_LIST.format(game=table.row.name))
    if wanted is None:
        return Chosen(stands(house, table, row), table)
    if wanted.off:
        return Chosen((LIST_IS_OFF,), _without(house, table), _dropping(house, table))
    if wanted.links:
        _check_links(house, table)
    pictures = wanted.pictures or row.pictures
    kept = replace(row, pictures=pictures, links=wanted.links)

    def write(tx: Tx) -> None:
        tx.lists.change(_same(tx, table), pictures=pictures, links=wanted.links)

    told = PICTURES.format(pictures="links" if wanted.links else pictures)
    return Chosen((told,), replace(table, mailing=kept), write)


def _named(tx: Tx, house: House, table: GameTable, address: str, now: int) -> Chosen:
    """The game gets a list, in the place of the one that it has. Raises Refused."""
    check(tx, house, address)
    game, row = table.row.id, table.mailing
    if row is not None and row.address == address:
        return Chosen(stands(house, table, row), table)
    number = max(row.number if row else 0, now) + 1
    made = ListRow(0, game, address, "named", "small", number, 0, "", "", now)

    def write(tx: Tx) -> None:
        _dropping(house, table)(tx)
        tx.lists.name(game, address, number, now)

    after = replace(_without(house, table), mailing=made)
    return Chosen(stands(house, table, made), after, write)


LIST_HAS_CHANGED = "the list of {game} has changed"


def _same(tx: Tx, table: GameTable) -> ListRow:
    """The list as it is stored. Raises Conflict where it is another than the one that was read."""
    row, known = tx.lists.of(table.row.id), table.mailing
    if row is None or known is None or (row.number, row.status) != (known.number, known.status):
        raise Conflict(LIST_HAS_CHANGED.format(game=table.row.name))
    return row


def _dropping(house: House, table: GameTable) -> Callable[[Tx], None]:
    """What forgets the list that was read, if there was one."""

    def write(tx: Tx) -> None:
        if table.mailing is not None:
            _same(tx, table)
            drop(tx, house, table)
        elif tx.lists.of(table.row.id) is not None:
            raise Conflict(LIST_HAS_CHANGED.format(game=table.row.name))

    return write


def _without(house: House, table: GameTable) -> GameTable:
    """The game once its list is forgotten, as `drop` leaves it."""
    if table.mailing is None or table.mailing.status != "on":
        return replace(table, mailing=None)
    seats = with_news(table.seats, READS_THE_LIST, house.digest)
    return replace(table, mailing=None, seats=seats)


def apply(
    tx: Tx, house: House, table: GameTable, wanted: Wanted | None, now: int
) -> tuple[str, ...]:
    """Do it, and say what it means. Raises Refused."""
    chosen = choose(tx, house, table, wanted, now)
    if chosen.write is not None:
        chosen.write(tx)
    return chosen.told


def _check_links(house: House, table: GameTable) -> None:
    """Raises Refused where a game has no pages that could be linked to."""
    if not house.pages:
        raise Refused(
            "Links need pages, and this house shows none: its operator sets `publish.folder` and "
            "`publish.address`. Until then take `list pictures small`."
        )
    if table.settings.shown == "private":
        name = table.row.name
        raise Refused(f"{name} is private and has no page. `pages unlisted` gives it one.")


def stands(house: House, table: GameTable, row: ListRow) -> tuple[str, ...]:
    """How a list stands, and what it needs."""
    open_to_it = () if may_act(house, table) else (_GRADE,)
    return (*_stands(house, table, row), *open_to_it)


def _stands(house: House, table: GameTable, row: ListRow) -> tuple[str, ...]:
    pictures = "links" if row.links else row.pictures
    if row.status == "on":
        return (f"The game is played on {row.address}; pictures {pictures}.",)
    if row.status == "greeted":
        return (
            f"An email went to {row.address}. The game is played there as soon as it comes back "
            "to us by the list, or is answered there.",
        )
    return (
        f"Nothing goes to {row.address} yet. First let its owner put {house.address} on the list, "
        "as a member that gets all emails and may write.",
        f"Then write this line to the list: `{list_letters.line(house, table.row.name, row)}`",
    )


def drop(tx: Tx, house: House, table: GameTable) -> bool:
    """Forget the list; who got no news because of it gets them as others. False if none was."""
    row = tx.lists.of(table.row.id)
    if row is None:
        return False
    tx.lists.drop(table.row.id)
    if row.status == "on":
        turn_news(tx, table, READS_THE_LIST, house.digest)
    return True


def digest_of(table: GameTable, usual: str) -> str:
    """What a new player of a game has who chooses nothing."""
    row = table.mailing
    return READS_THE_LIST if row is not None and row.status == "on" else usual


def with_news(seats: Sequence[SeatRow], former: str, digest: str) -> tuple[SeatRow, ...]:
    """The seats, with another choice of news for all that have the former one."""
    found = []
    for seat in seats:
        chosen = seat_settings(seat)
        if chosen.digest == former:
            kept = msgspec.structs.replace(chosen, digest=digest)
            seat = replace(seat, settings=msgspec.json.encode(kept))
        found.append(seat)
    return tuple(found)


def turn_news(tx: Tx, table: GameTable, former: str, digest: str) -> None:
    """Let all players who have the one choice of news have another."""
    seats = tx.seats.of(table.row.id)
    for before, seat in zip(seats, with_news(seats, former, digest), strict=True):
        if seat != before:
            tx.seats.change(seat.id, settings=seat.settings)
