"""The report of a game's latest round, for a thread on a forum, or to be pasted into one."""

from collections.abc import Sequence

from engine.events import RoundEnded
from service.desk.letters.post import House
from service.games.games import GameTable, Past, since_round
from service.publish.linking import links
from service.publish.shown import place
from service.refusal import Refused
from service.reports import Answer, Scene
from service.reports.news import standing
from service.reports.paste import FORMS, Form, Report, pasted
from service.reports.position import tables
from service.reports.scene import Enclosed
from service.reports.tables import Verbatim, blocks_text
from service.reports.turn import happened

NO_SUCH_FORM = (
    "Write `forum bbcode`, `forum markdown` or `forum text`: the report of the latest round."
)
_KINDS: dict[Form, str] = {"bbcode": "bbcode.txt", "markdown": "md", "text": "txt"}


def paste_answer(
    house: House, table: GameTable, scene: Scene, past: Sequence[Past], wanted: str
) -> Answer:
    """The report in the requested form, in the email and as a file. Raises Refused."""
    form = next((one for one in FORMS if one == wanted.strip().lower()), None)
    if form is None:
        raise Refused(NO_SUCH_FORM)
    text = pasted(report(house, table, scene, past), form)
    name = f"{table.row.name}-{scene.state.number}.{_KINDS[form]}"
    file = Enclosed(name, "text/plain", text.encode())
    lines = tuple(text.rstrip("\n").split("\n"))
    return Answer((Verbatim("TO BE PASTED", lines),), files=(file,))


def report(
    house: House, table: GameTable, scene: Scene, past: Sequence[Past], first: str = ""
) -> Report:
    """A report of the latest completed round, or of the actions so far, and the state of the game.

    It begins with the round ``first`` if several ended at once.
    """
    name, acts = latest(past, first)
    ended = f"{name} is complete" if name else str(scene.state.round)
    where = place(table.row, table.settings, house.secret, house.pages)
    found = links(where, scene)
    told = [one.told(table.title) for one in acts]
    return Report(
        f"{scene.game} ({table.title.name}): {ended}",
        standing(scene),
        happened(told).rows,
        blocks_text(tables(scene)).split("\n"),
        found.told if found else (),
    )


def latest(past: Sequence[Past], first: str = "") -> tuple[str, list[Past]]:
    """The name and the actions of the latest completed round; "" and all actions if none.

    With ``first``, all actions since that round began.
    """
    over = [(i, e.round) for i, p in enumerate(past) for e in p.events if isinstance(e, RoundEnded)]
    if not over:
        return "", list(past)
    last, name = over[-1]
    return name, since_round(past[: last + 1], first or name)
