"""The answer to `page`: who may see a game's page, its address, or the page as a file."""

from service.desk.options.page_options import in_words
from service.desk.service import Service
from service.games.games import GameTable
from service.games.shown import unlisted
from service.publish.alone import page_alone
from service.reports import Answer
from service.reports.rendering import FILE_LIMIT
from service.reports.scene import Enclosed
from service.reports.tables import Lines
from service.store import Tx


def _watching(service: Service, table: GameTable) -> str:
    """How somebody starts watching a game; "" if nobody may."""
    row, settings = table.row, table.settings
    if settings.shown == "private" or row.status not in ("open", "running"):
        return ""
    public = settings.shown == "public"
    return f"watch {row.name if public else unlisted(row, settings, service.secret)}"


ITS_ADDRESS = "Its address: {address}"
WHO_WANTS_TO_WATCH = "To watch by email, write `{command}` to {address}."


def _said(table: GameTable, service: Service) -> tuple[str, ...]:
    lines = [in_words(table.settings)]
    where = service.place_of(table)
    if where is not None and where.address:
        lines.append(ITS_ADDRESS.format(address=where.address))
    if line := _watching(service, table):
        lines.append(WHO_WANTS_TO_WATCH.format(command=line, address=service.address))
    return tuple(lines)


GOES_ALONG = "It goes along with this email as {file}: open it in any browser."


def answer(reads: Tx, service: Service, table: GameTable) -> Answer:
    """The address of the page of a running game; without one, the page as a file."""
    where = service.place_of(table)
    lines = _said(table, service)
    if where is not None and where.address:
        return Answer((Lines("PAGE", lines),))
    rows, waiting = reads.log.actions(table.row.id), reads.games.waiting(table.row.id)
    name = f"{table.row.name}.html"
    data = page_alone(table, rows, waiting, FILE_LIMIT)
    went = GOES_ALONG.format(file=name)
    return Answer((Lines("PAGE", (*lines, went)),), files=(Enclosed(name, "text/html", data),))
