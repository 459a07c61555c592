"""What a game's latest round comes to, as a report for a forum."""

from collections.abc import Sequence

from engine.events import RoundEnded
from service.desk.letters.post import House
from service.games.games import GameTable, Past, since_round
from service.publish.linking import links
from service.publish.shown import place
from service.reports import Answer, Scene
from service.reports.blocks import Verbatim
from service.reports.news import standing
from service.reports.paste import FORMS, Form, Report, pasted
from service.reports.position import tables
from service.reports.scene import Enclosed
from service.reports.tables import blocks_text
from service.reports.turn import happened

_WRONG = "Write `forum bbcode`, `forum markdown` or `forum text`: the report of the latest round."
_KINDS: dict[Form, str] = {"bbcode": "bbcode.txt", "markdown": "md", "text": "txt"}


def answer(
    house: House, table: GameTable, scene: Scene, past: Sequence[Past], wanted: str
) -> Answer:
    """The report in the form that is wanted, in the letter and as a file. Raises LookupError."""
    form = next((one for one in FORMS if one == wanted.strip().lower()), None)
    if form is None:
        raise LookupError(_WRONG)
    text = pasted(report(house, table, scene, past), form)
    name = f"{table.row.name}-{scene.state.number}.{_KINDS[form]}"
    file = Enclosed(name, "text/plain", text.encode())
    lines = tuple(text.rstrip("\n").split("\n"))
    return Answer((Verbatim("TO BE PASTED", lines),), files=(file,))


def report(
    house: House, table: GameTable, scene: Scene, past: Sequence[Past], first: str = ""
) -> Report:
    """The latest round that is over, or what was done so far; and how the game stands.

    It begins with the round ``first`` where several were over at once.
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
    """The name of the latest round that is over and all that was done in it; "" and all if none.

    With ``first`` all since that round began.
    """
    over = [(i, e.round) for i, p in enumerate(past) for e in p.events if isinstance(e, RoundEnded)]
    if not over:
        return "", list(past)
    last, name = over[-1]
    return name, since_round(past[: last + 1], first or name)
