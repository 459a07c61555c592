"""The organiser's words for a game's mailing list: its address, `off`, its pictures.

A list is somebody else's: nothing goes to it before a member has written a line for the game there,
and only one letter before that has come back by the list, or was answered there.
"""

import re
from dataclasses import dataclass
from typing import cast, get_args

import msgspec

from service.desk.letters.post import House
from service.desk.lists import list_letters
from service.desk.lists.list_proof import may_act
from service.desk.lobby.lobby import Denied
from service.games.games import GameTable, seat_settings
from service.mail.automatic import ROBOT
from service.mail.message import Mail, is_address
from service.store import ListPictures, ListRow, Tx

_ALONE = re.compile(r"list(?:\s+(?:off|pictures?\b.*|<?\S+@\S+))?", re.IGNORECASE)
_PICTURES = re.compile(r"pictures?\s+(\w+)", re.IGNORECASE)
HOW = "Write `list dixie@lists.example.org`, `list off`, or `list pictures small`."
_GRADE = (
    "Commands on the list are carried out in games of `grade friendly` only, for anybody can write "
    "a sender into a mail to a list. Here they are asked for in private."
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


def alone(mail: Mail) -> bool:
    """Whether a mail is about the game's list and nothing else."""
    lines = [line.text.strip() for line in mail.lines]
    return len(lines) == 1 and _ALONE.fullmatch(lines[0]) is not None


def read(text: str) -> Wanted | None:
    """What stands behind `list`; None for nothing, a question how it stands. Raises Denied."""
    words = text.strip()
    if not words:
        return None
    if words.lower() == "off":
        return Wanted(off=True)
    if found := _PICTURES.fullmatch(words):
        if found[1].lower() == "links":
            return Wanted(pictures="small", links=True)
        if found[1].lower() not in get_args(ListPictures):
            raise Denied("Write `list pictures attached`, `small`, `links` or `off`.")
        return Wanted(pictures=cast("ListPictures", found[1].lower()))
    address = words.removeprefix("mailto:").strip("<>").lower()
    if " " in words or not is_address(address):
        raise Denied(f"That is no mail address. {HOW}")
    return Wanted(address)


def check(tx: Tx, house: House, address: str) -> None:
    """Raises Denied for an address that is a person's, a robot's, or ours."""
    local, _, host = house.address.lower().rpartition("@")
    name, _, at = address.rpartition("@")
    if at == host and name.partition("+")[0] == local:
        raise Denied("That is our own address, and no list.")
    if ROBOT.fullmatch(address):
        raise Denied("That is an address that answers by itself. Write that of the list.")
    organises = any(row.organiser.lower() == address for row in tx.games())
    if organises or tx.seats_of(address) or address == house.operator.lower():
        raise Denied("That is the address of a person who plays here, and no list.")


def apply(
    tx: Tx, house: House, table: GameTable, wanted: Wanted | None, now: int
) -> tuple[str, ...]:
    """Do it, and say what it means. Raises Denied."""
    name, row = table.row.name, tx.game_list(table.row.id)
    if wanted is not None and wanted.address:
        check(tx, house, wanted.address)
        if row is not None and row.address == wanted.address:
            return stands(house, table, row)
        number = max(row.number if row else 0, now) + 1
        drop(tx, house, table)
        return stands(house, table, tx.name_list(table.row.id, wanted.address, number, now))
    if row is None:
        raise Denied(f"{name} has no mailing list. {HOW}")
    if wanted is None:
        return stands(house, table, row)
    if wanted.off:
        drop(tx, house, table)
        return ("Nothing goes to the list any more; players get their news by mail again.",)
    if wanted.links:
        _check_links(house, table)
    tx.change_list(row, pictures=wanted.pictures, links=wanted.links)
    return (f"Pictures for the list: {'links' if wanted.links else wanted.pictures}.",)


def _check_links(house: House, table: GameTable) -> None:
    """Raises Denied where a game has no pages that could be linked to."""
    if not house.pages:
        raise Denied(
            "Links need pages, and this house shows none: its operator sets `publish.folder` and "
            "`publish.address`. Until then take `list pictures small`."
        )
    if table.settings.shown == "private":
        name = table.row.name
        raise Denied(f"{name} is private and has no page. `pages unlisted` gives it one.")


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
            f"A letter went to {row.address}. The game is played there as soon as it comes back "
            "to us by the list, or is answered there.",
        )
    return (
        f"Nothing goes to {row.address} yet. First let its owner put {house.address} on the list, "
        "as a member that gets all mails and may write.",
        f"Then write this line to the list: `{list_letters.line(house, table.row.name, row)}`",
    )


def drop(tx: Tx, house: House, table: GameTable) -> bool:
    """Forget the list; who got no news because of it gets them as others. False if none was."""
    row = tx.game_list(table.row.id)
    if row is None:
        return False
    tx.drop_list(table.row.id)
    if row.status == "on":
        turn_news(tx, table, READS_THE_LIST, house.digest)
    return True


def digest_of(tx: Tx, game: str, usual: str) -> str:
    """What a new player of a game has who chooses nothing."""
    found = tx.game(game)
    row = tx.game_list(found.id) if found is not None else None
    return READS_THE_LIST if row is not None and row.status == "on" else usual


def turn_news(tx: Tx, table: GameTable, former: str, digest: str) -> None:
    """Let all players who have the one choice of news have another."""
    for seat in tx.seats(table.row.id):
        chosen = seat_settings(seat)
        if chosen.digest == former:
            kept = msgspec.structs.replace(chosen, digest=digest)
            tx.change_seat(seat.id, settings=msgspec.json.encode(kept))
