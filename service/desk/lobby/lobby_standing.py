"""How things stand in a game that has not begun, and what can be written, in words."""

from collections.abc import Sequence

import engine
from engine import State
from engine.wording import listed
from service.desk.lobby import lobby_options
from service.games import batches
from service.games.games import GameSettings, GameTable
from service.reports.words import moment
from service.store.rations import DAY

#: how an answer begins, by how it ends in the subject
HEADLINES = {
    "NOT DONE": "NOT DONE: what is marked NO was not done.",
    "done": "DONE.",
    "answered": "Here is how it stands.",
}
STARTER = "The organiser starts it; then a mail tells you when it is your turn."
_HOST = "Until then you may reply `say: …`, `kick NAME`, `cancel`, `map` or `help`."
_GUEST = "Until then you may reply `say: …`, `leave`, `map`, `status` or `help`."
_TIMES = "`batch 06:00 18:00` and `batch off` change that."
_ORGANISER = (
    "This is the organiser's address: it may ask (`status`, `map`, `history`), `say: …`, and "
    "direct: `help director` lists how. Who plays writes from the seat."
)


def standing(table: GameTable, organises: bool, open_days: int) -> Sequence[str]:
    """Who has joined, what is missing, until when, and what its reader may write."""
    name, status = table.row.name, table.row.status
    joined = ", ".join(seat.name for seat in table.players) or "nobody"
    if status == "abandoned" and table.head is None:
        return (f"{name} was called off before it began. Nothing can be done any more.",)
    if status != "open":
        state = "has begun" if status == "running" else f"is {status}"
        times = (f"{batches.told(table.settings.batch)} {_TIMES}",) if status == "running" else ()
        return (f"{name} {state}. Players: {joined}.", *times, _ORGANISER)
    lapses = moment(table.row.created + open_days * DAY)
    lines = [f"{name} ({table.title.name}) has not begun. Joined so far: {joined}."]
    lines += lobby_options.told(table)
    if organises:
        waiting = ", ".join(seat.name for seat in table.seats if seat.status == "invited")
        lines += [f"Not confirmed yet: {waiting or 'nobody'}.", *how_to_start(table)]
    else:
        lines.append(STARTER)
    own = _HOST if organises else _GUEST
    return (*lines, f"If it has not begun by {lapses}, it lapses. {own}")


def how_to_start(table: GameTable) -> tuple[str, str]:
    """What the organiser needs to know."""
    numbers = f"{table.title.seats[0]} to {table.title.seats[-1]}"
    return (
        f"{table.title.name} is for {numbers} players.",
        "Reply `start` when everybody is there.",
    )


def directing(table: GameTable, settings: GameSettings, state: State | None) -> Sequence[str]:
    """How a game stands after acts of its director, who may write on."""
    name = table.row.name
    if state is None:
        return (f"{name} has not begun.",)
    if not state.stack:
        return (f"{name} is over.",)
    waits = listed(engine.to_act(table.title, state))
    lines = [f"{name} is at #{state.number}, {state.round}. It waits for {waits}."]
    if settings.paused:
        lines = [f"{name} is at #{state.number}, and is held: `resume because …` lets it go on."]
    if settings.invited:
        lines.append(f"{settings.invited} is asked to be the assistant.")
    return (*lines, "`help director` lists what can be written here, `history` what was done.")
