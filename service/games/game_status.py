"""How a game stands, in words for its organizer, its director, and players before it begins."""

from collections.abc import Sequence

import engine
from engine import State
from engine.wording import counted, listed
from service.clocks import rules
from service.games import batches
from service.games.games import GameSettings, GameTable
from service.rations import DAY
from service.reports.words import moment
from service.said import HAS_JOINED, HAS_NOT_BEGUN, IS_OVER

CARETAKER_MOVES = (
    "When a player's time is over, the caretaker moves for them. It passes, declines offers, takes "
    "the best run and pays out. It buys a train only if the company must buy one and can pay. The "
    "director makes any decision that binds a player more."
)
NO_CLOCK_RUNS = "No clock runs on {days}."


def choices(table: GameTable) -> list[str]:
    """The choices, in sentences."""
    settings, found = table.settings, []
    if settings.batch:
        found.append(batches.in_words(settings.batch))
    if settings.clock:
        rule = rules.read(settings.clock)
        found += [rule.in_words()] if rule else []
        found += [NO_CLOCK_RUNS.format(days=settings.holidays)] if settings.holidays else []
    if settings.caretaker:
        found.append(CARETAKER_MOVES)
    if settings.undo == "leave":
        found.append(BY_LEAVE)
    return found


BY_LEAVE = (
    "A move after which others have moved is taken back only if the director allows it "
    "(`ask undo to 212 because …`)."
)
STARTER = "The organizer starts it; then an email tells you when it is your turn."
WAS_CANCELED = "{game} was canceled before it began."
WAS_GIVEN_UP = "{game} was given up."
HAS_BEGUN = "{game} has begun. Players: {names}."
IS_ENDED = "{game} is over. Players: {names}."
CHANGE_TIMES = "`batch 06:00 18:00` and `batch off` change that."
NOT_CONFIRMED = "Not confirmed yet: {names}."
LAPSES = "If it has not started by {when}, it is canceled."
ORGANISER_MAY = "Until then you may reply `say: …`, `kick NAME`, `cancel`, `map` or `help`."
PLAYER_MAY = "Until then you may reply `say: …`, `leave`, `map`, `status` or `help`."
ORGANISER_ADDRESS = (
    "This is the organizer's address. You may ask from it (`status`, `map`, `history`), `say: …`, "
    "and direct the game: `help director` lists how. Players write from their seat addresses."
)


def why_abandoned(table: GameTable) -> str:
    """Why a game does not go on before its end: it was canceled, or given up; "" for any other."""
    if table.canceled:
        return WAS_CANCELED.format(game=table.row.name)
    return WAS_GIVEN_UP.format(game=table.row.name) if table.given_up else ""


def status_lines(table: GameTable, organises: bool, open_days: int) -> Sequence[str]:
    """Players who have joined, what is missing, the deadline, and the reader's commands."""
    name, status = table.row.name, table.row.status
    joined = ", ".join(seat.name for seat in table.players) or "nobody"
    if table.canceled:
        return (why_abandoned(table),)
    if status == "running":
        times = f"{batches.in_words(table.settings.batch)} {CHANGE_TIMES}"
        return (HAS_BEGUN.format(game=name, names=joined), times, ORGANISER_ADDRESS)
    if status != "open":
        gone = (why_abandoned(table),) if table.given_up else ()
        return (*gone, IS_ENDED.format(game=name, names=joined), ORGANISER_ADDRESS)
    lines = [HAS_JOINED.format(game=name, title=table.title.name, names=joined)]
    lines += choices(table)
    if organises:
        waiting = ", ".join(seat.name for seat in table.seats if seat.status == "invited")
        lines += [NOT_CONFIRMED.format(names=waiting)] if waiting else []
        lines += how_to_start(table)
    else:
        lines.append(STARTER)
    lapses = LAPSES.format(when=moment(table.row.created + open_days * DAY))
    return (*lines, f"{lapses} {ORGANISER_MAY if organises else PLAYER_MAY}")


PLAYERS = "{title} is for {fewest} to {most} players."
REPLY_START = "Reply `start` when everybody is there."
NEEDED = "At least {players} must join before you can start it."


def how_to_start(table: GameTable) -> tuple[str, str]:
    """How the organizer starts the game, or how many players it still needs."""
    title = table.title
    players = PLAYERS.format(title=title.name, fewest=title.seats[0], most=title.seats[-1])
    missing = title.seats[0] - len(table.players)
    if missing > 0:
        return players, NEEDED.format(players=counted(missing, "more player"))
    return players, REPLY_START


IS_GIVEN_UP = "{game} is given up at #{position}, {round}. Nobody has to decide anything."
WAITS_FOR = "{game} is at #{position}, {round}. It waits for {names}."
IS_ON_HOLD = "{game} is at #{position}, and is on hold: `resume because …` continues it."
ASKED_TO_ASSIST = "{address} is asked to be the assistant."
WHAT_TO_WRITE = "`help director` lists what can be written here, `history` what was done."


def status_for_director(
    table: GameTable, settings: GameSettings, state: State | None, *, given_up: bool = False
) -> Sequence[str]:
    """The state of a game after its director has acted, for a director who may write more.

    ``given_up`` says whether they give the office up.
    """
    name = table.row.name
    if state is None:
        return (HAS_NOT_BEGUN.format(game=name),)
    if not state.stack:
        return (IS_OVER.format(game=name),)
    if table.given_up or given_up:
        where = IS_GIVEN_UP.format(game=name, position=state.number, round=state.round)
        return (where, WHAT_TO_WRITE)
    waits = listed(engine.to_act(table.title, state))
    text = IS_ON_HOLD if settings.paused else WAITS_FOR
    lines = [text.format(game=name, position=state.number, round=state.round, names=waits)]
    if settings.invited:
        lines.append(ASKED_TO_ASSIST.format(address=settings.invited))
    return (*lines, WHAT_TO_WRITE)
