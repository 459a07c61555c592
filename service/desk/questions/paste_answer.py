"""The answer to `forum bbcode`: the latest round as a report to paste into a forum."""

from collections.abc import Sequence

from service.desk.service import Service
from service.games.games import GameTable, Past
from service.games.round_report import report
from service.refusal import Refused
from service.reports import Answer, Scene
from service.reports.paste import FORMS, Form, pasted
from service.reports.scene import Enclosed
from service.reports.tables import Verbatim
from service.said import REST_NOT_UNDERSTOOD

NO_SUCH_FORM = (
    "Write `forum bbcode`, `forum markdown` or `forum text`: the report of the latest round."
)
_KINDS: dict[Form, str] = {"bbcode": "bbcode.txt", "markdown": "md", "text": "txt"}


def paste_answer(
    service: Service, table: GameTable, scene: Scene, past: Sequence[Past], wanted: str
) -> Answer:
    """The report in the requested form, in the email and as a file. Raises Refused."""
    form = next((one for one in FORMS if one == wanted.strip().lower()), None)
    if form is None:
        raise Refused(REST_NOT_UNDERSTOOD, hint=NO_SUCH_FORM)
    where = service.place_of(table)
    text = pasted(report(table, scene, past, where), form)
    name = f"{table.row.name}-{scene.state.number}.{_KINDS[form]}"
    file = Enclosed(name, "text/plain", text.encode())
    lines = tuple(text.rstrip("\n").split("\n"))
    return Answer((Verbatim("TO BE PASTED", lines),), files=(file,))
