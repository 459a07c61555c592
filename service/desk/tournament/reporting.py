"""The report of a tournament, ready to be printed: HTML and PDF, as files with a letter."""

from collections.abc import Sequence

from service.desk.tournament.known import Known
from service.desk.tournament.showing import view_of
from service.games.games import load
from service.publish.tournament.pages import FinalMap, pictured
from service.publish.tournament.report import final_map, report_html, report_pdf
from service.publish.tournament.sheet import CupView
from service.reports import Answer
from service.reports.rendering import MAIL_LIMIT
from service.reports.scene import Enclosed
from service.reports.tables import Lines
from service.store import Store

#: octets of the files that go with a letter; as text of a mail three have the room of four
LARGEST = (MAIL_LIMIT - 30_000) * 57 // 78

REPORT_IS_IN = "The report is in {files}: to be read, and ready to be printed."
LEFT_OUT = (
    "An email has room for {size} kB, so {what}. The operator can make the whole report with "
    "`waybill tournament {cup} report`."
)
NO_MAPS = "the maps are left out"
NO_HTML = "the HTML is left out"
NEITHER = "the maps and the HTML are left out"
NOTHING = "the report is left out"


def report(store: Store, known: Known, *, by_mail: bool) -> Answer:
    """The report as it stands; ``by_mail`` as much of it as a letter has room for."""
    view = view_of(known.cup)
    with store.transaction() as tx:
        tables = [(number, load(tx, game)) for number, game in pictured(view)]
    maps: list[FinalMap] = [final_map(n, t) for n, t in tables if t is not None and t.head]
    files, left = _files(known.name, view, maps), ""
    if by_mail and not _fits(files):
        files, left = _smaller(files, _files(known.name, view, ()))
    names = " and ".join(file.filename for file in files)
    lines = [REPORT_IS_IN.format(files=names)] if files else []
    if left:
        lines.append(LEFT_OUT.format(size=MAIL_LIMIT // 1000, what=left, cup=known.name))
    return Answer((Lines("", tuple(lines)),), files=files)


def _smaller(
    whole: tuple[Enclosed, ...], bare: tuple[Enclosed, ...]
) -> tuple[tuple[Enclosed, ...], str]:
    """What of a report fits into a letter, the best first, and what is left out of it.

    Both are the HTML and the PDF, ``bare`` without maps.
    """
    choices = ((whole[1:], NO_HTML), (bare, NO_MAPS), (bare[1:], NEITHER))
    return next((one for one in choices if _fits(one[0])), ((), NOTHING))


def _fits(files: Sequence[Enclosed]) -> bool:
    return sum(len(file.data) for file in files) <= LARGEST


def _files(name: str, view: CupView, maps: Sequence[FinalMap]) -> tuple[Enclosed, ...]:
    html = report_html(view, maps).encode()
    return (
        Enclosed(f"{name}-report.html", "text/html", html),
        Enclosed(f"{name}-report.pdf", "application/pdf", report_pdf(view, maps)),
    )
