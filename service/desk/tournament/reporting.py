"""The report of a tournament, ready to be printed: HTML and PDF, as files with a letter."""

from service.desk.tournament.known import Known
from service.desk.tournament.showing import view_of
from service.games.games import load
from service.publish.tournament.pages import FinalMap, pictured
from service.publish.tournament.report import final_map, report_html, report_pdf
from service.reports import Answer
from service.reports.blocks import Lines
from service.reports.scene import Enclosed
from service.store import Store

#: octets of a file that goes with a letter; many servers refuse mails beyond ten million
LARGEST = 4_000_000


FILE_TOO_LARGE = (
    "{file} has {size} MB, too much for a mail: who runs the service makes it by `waybill "
    "tournament {cup} report`."
)
REPORT_IS_IN = "The report is in {files}: to be read, and ready to be printed."


def report(store: Store, known: Known, *, by_mail: bool) -> Answer:
    """The report as it stands; ``by_mail`` without what is too large for a letter."""
    view = view_of(known.cup)
    with store.transaction() as tx:
        tables = [(number, load(tx, game)) for number, game in pictured(view)]
    maps: list[FinalMap] = [final_map(n, t) for n, t in tables if t is not None and t.head]
    files = [
        Enclosed(f"{known.name}-report.html", "text/html", report_html(view, maps).encode()),
        Enclosed(f"{known.name}-report.pdf", "application/pdf", report_pdf(view, maps)),
    ]
    lines = []
    left = [file for file in files if by_mail and len(file.data) > LARGEST]
    for file in left:
        size = len(file.data) // 1_000_000
        lines.append(FILE_TOO_LARGE.format(file=file.filename, size=size, cup=known.name))
    kept = tuple(file for file in files if file not in left)
    if kept:
        names = " and ".join(file.filename for file in kept)
        lines.insert(0, REPORT_IS_IN.format(files=names))
    return Answer((Lines("", tuple(lines)),), files=kept)
