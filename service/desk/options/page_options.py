"""Who may see a game's page: the organizer's choice, and the answers that tell about it."""

from collections.abc import Mapping
from dataclasses import replace

import msgspec

from engine import Seat
from service.desk.letters.post import House
from service.games import timing
from service.games.games import GameTable, Shown
from service.publish import calendars
from service.publish.alone import page_alone
from service.publish.shown import place, unlisted
from service.refusal import Refused
from service.reports import Answer
from service.reports.rendering import MAIL_LIMIT
from service.reports.scene import Enclosed
from service.reports.tables import Lines
from service.store import Store

_SHOWN: tuple[Shown, ...] = ("public", "unlisted", "private")
#: octets of a page attached to an email, as base64 (RFC 2045 6.8), beside a short answer
_MOST = (MAIL_LIMIT - 30_000) * 57 // 78


HOW_TO_PAGE = "Write `pages public`, `pages unlisted`, `pages private`. It is {shown} now."
HOW_TO_PAGE_NEW = (
    "Write `pages public`, `pages unlisted`, `pages private` or, for another address, `pages new`. "
    "It is unlisted now."
)
WHERE_IT_IS = "`page` tells where it is."


def paged(table: GameTable, text: str) -> tuple[GameTable, str]:
    """The game with another choice of who may see its page, in words too. Raises Refused."""
    word, settings = text.strip().lower(), table.settings
    if word == "new" and settings.shown == "unlisted":
        settings = msgspec.structs.replace(settings, page=settings.page + 1)
    elif word in _SHOWN:
        settings = msgspec.structs.replace(settings, shown=word)
    else:
        how = HOW_TO_PAGE_NEW if settings.shown == "unlisted" else HOW_TO_PAGE
        raise Refused(how.format(shown=settings.shown))
    row = replace(table.row, settings=msgspec.json.encode(settings))
    after = replace(table, row=row)
    return after, f"{told(after)} {WHERE_IT_IS}"


PUBLIC = (
    "The page of {game} is public: everybody may see it, and it is listed with the other public "
    "games."
)
UNLISTED = (
    "The page of {game} is unlisted: anybody who has its address can see it, and no list names the "
    "game once it has begun."
)
PRIVATE = (
    "The page of {game} is private: it is on no web page; players get it by email, in answer to "
    "`page`."
)
_MEANING: Mapping[Shown, str] = {"public": PUBLIC, "unlisted": UNLISTED, "private": PRIVATE}


def told(table: GameTable) -> str:
    """Who may see the page of a game."""
    return _MEANING[table.settings.shown].format(game=table.row.name)


def _watching(house: House, table: GameTable) -> str:
    """How somebody starts watching a game; "" if nobody may."""
    row, settings = table.row, table.settings
    if settings.shown == "private" or row.status not in ("open", "running"):
        return ""
    public = settings.shown == "public"
    return f"watch {row.name if public else unlisted(row, settings, house.secret)}"


ITS_ADDRESS = "Its address: {address}"
WHO_WANTS_TO_WATCH = "To watch by email, write `{command}` to {address}."


def _said(table: GameTable, house: House) -> tuple[str, ...]:
    lines = [told(table)]
    where = place(table.row, table.settings, house.secret, house.pages)
    if where is not None and where.address:
        lines.append(ITS_ADDRESS.format(address=where.address))
    if line := _watching(house, table):
        lines.append(WHO_WANTS_TO_WATCH.format(command=line, address=house.address))
    return tuple(lines)


CALENDARS = "A calendar program that subscribes to one of these shows deadlines as they are:"
YOUR_CALENDAR = "yours: {address}"
EVERYBODYS_CALENDAR = "everybody's: {address}"


def dated(times: Answer, house: House, table: GameTable, seat: Seat) -> Answer:
    """The answer to `clock`, with the calendars of deadlines to which the reader can subscribe."""
    where = place(table.row, table.settings, house.secret, house.pages)
    if where is None or not where.address or timing.rule_of(table) is None:
        return times
    number = table.state.seats.index(seat) + 1
    told = (
        CALENDARS,
        YOUR_CALENDAR.format(address=f"{where.address}{calendars.own_name(number)}"),
        EVERYBODYS_CALENDAR.format(address=f"{where.address}{calendars.GAME}"),
    )
    return replace(times, blocks=(*times.blocks, Lines("CALENDAR", told)))


GOES_ALONG = "It goes along with this email as {file}: open it in any browser."


def answer(store: Store, house: House, table: GameTable) -> Answer:
    """The address of the page of a running game; without one, the page as a file."""
    where = place(table.row, table.settings, house.secret, house.pages)
    lines = _said(table, house)
    if where is not None and where.address:
        return Answer((Lines("PAGE", lines),))
    with store.transaction() as tx:
        rows, waiting = tx.log.actions(table.row.id), tx.games.waiting(table.row.id)
    name = f"{table.row.name}.html"
    data = page_alone(table, rows, waiting, _MOST)
    went = GOES_ALONG.format(file=name)
    return Answer((Lines("PAGE", (*lines, went)),), files=(Enclosed(name, "text/html", data),))
