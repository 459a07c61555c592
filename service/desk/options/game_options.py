"""The choices of an organizer for a game, and the state of a game that has not begun.

At `create` they follow the title's own options, separated by commas: `create 18AL dixie7 with
two-yellow, grade tournament`, or as `clock=each 48h`.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec
from msgspec import structs

import engine
from engine import State
from engine.wording import counted, listed
from service.clocks import rules
from service.desk.options import page_options
from service.games import batches
from service.games.games import GameSettings, GameTable
from service.mail.grades import ASKS, GRADES
from service.rations import DAY
from service.refusal import Refused
from service.reports.words import moment
from service.said import HAS_JOINED, HAS_NOT_BEGUN, IS_OVER

Chosen = tuple[GameTable, str]
#: most days of leave a year that a game may grant
_MOST_LEAVE = 120
#: most times that a player may be late without losing the seat
_MOST_EXCUSED = 50


def with_settings(table: GameTable, settings: GameSettings) -> GameTable:
    """A game with other settings."""
    return replace(table, row=replace(table.row, settings=msgspec.json.encode(settings)))


def _chosen(
    table: GameTable, text: str, read: Callable[[GameSettings, str], tuple[GameSettings, str]]
) -> Chosen:
    """Read a choice that a running game has too; refuse it as before the start."""
    settings, told = read(table.settings, text)
    return with_settings(table, settings), told


def clock(table: GameTable, text: str) -> Chosen:
    """`clock fischer 20d + 12h cap 20d`, `clock none`."""
    return _chosen(table, text, clocked)


NO_CLOCK_ON = "No clock runs on {days}, by the calendar of each player."
ALL_DAYS = "All days count."


def holidays(table: GameTable, text: str) -> Chosen:
    """`holidays 2026-12-24 to 2027-01-02`, `holidays none`."""
    days = rules.read_holidays(text)
    kept = rules.holidays_text(days)
    told = NO_CLOCK_ON.format(days=kept) if kept else ALL_DAYS
    return with_settings(table, msgspec.structs.replace(table.settings, holidays=kept)), told


HOW_TO_SHOW = "Write `late shown` or `late hidden`."
LATE_SHOWN = "All players get an email when a player runs out of time."
LATE_HIDDEN = "Only the organizer and the player get an email when a player runs out of time."


def late(table: GameTable, text: str) -> Chosen:
    """`late shown`: everybody sees who is out of time; `late hidden`: only those concerned."""
    word = text.strip().lower()
    if word not in ("shown", "hidden"):
        raise Refused(HOW_TO_SHOW)
    shown = word == "shown"
    chosen = msgspec.structs.replace(table.settings, late=shown)
    return with_settings(table, chosen), LATE_SHOWN if shown else LATE_HIDDEN


HOW_TO_ALLOW = "Write `allowance 30`: days of leave a year, {most} at most."
MAY_BE_AWAY = "Each player may be away {days} a year (`away`)."


def allowance(table: GameTable, text: str) -> Chosen:
    """`allowance 30`: days of leave that each player may take in a year."""
    word = text.strip().lower().removesuffix("days").removesuffix("d").strip()
    if not word.isascii() or not word.isdigit() or int(word) > _MOST_LEAVE:
        raise Refused(HOW_TO_ALLOW.format(most=_MOST_LEAVE))
    chosen = msgspec.structs.replace(table.settings, leave=int(word))
    return with_settings(table, chosen), MAY_BE_AWAY.format(days=counted(int(word), "day"))


HOW_TO_TAKE_CARE = "Write `caretaker on` or `caretaker off`."
CARETAKER_MOVES = (
    "When a player's time is over, the caretaker moves for them. It passes, declines offers, takes "
    "the best run and pays out. It buys a train only if the company must buy one and can pay. The "
    "director makes any decision that binds a player more."
)
NOBODY_MOVES = "Nobody moves for a player whose time is over."


def caretaker(table: GameTable, text: str) -> Chosen:
    """`caretaker on`: it moves for a player who is out of time."""
    word = text.strip().lower()
    if word not in ("on", "off"):
        raise Refused(HOW_TO_TAKE_CARE)
    chosen = msgspec.structs.replace(table.settings, caretaker=word == "on")
    return with_settings(table, chosen), CARETAKER_MOVES if word == "on" else NOBODY_MOVES


HOW_TO_EXCUSE = "Write `excused 3`: how often, {most} times at most."
EXCUSED_NEVER = "When a player runs out of time, the seat is offered to a standby."
EXCUSED_ONCE = "A player may run out of time once. After that, the seat is offered to a standby."
EXCUSED = (
    "A player may run out of time {count} times. After that, the seat is offered to a standby."
)


def excused(table: GameTable, text: str) -> Chosen:
    """`excused 3`: how often a player may run out of time before a standby is asked."""
    word = text.strip().removesuffix("times").strip()
    if not word.isascii() or not word.isdigit() or int(word) > _MOST_EXCUSED:
        raise Refused(HOW_TO_EXCUSE.format(most=_MOST_EXCUSED))
    chosen = msgspec.structs.replace(table.settings, excused=int(word))
    told = {0: EXCUSED_NEVER, 1: EXCUSED_ONCE}.get(int(word), EXCUSED)
    return with_settings(table, chosen), told.format(count=int(word))


def grade(table: GameTable, text: str) -> Chosen:
    """`grade tournament`: how strictly senders are checked."""
    return _chosen(table, text, graded)


def undo(table: GameTable, text: str) -> Chosen:
    """`undo leave`: only the director allows taking back a move that others have answered."""
    return _chosen(table, text, taken_back)


HOW_TO_BATCH = f"Write {batches.HOW}."


def batch(table: GameTable, text: str) -> Chosen:
    """`batch 06:00 18:00`: the times at which Waybill handles the game's emails."""
    times = batches.read_times(text)
    if times is None:
        raise Refused(HOW_TO_BATCH)
    chosen = msgspec.structs.replace(table.settings, batch=times)
    return with_settings(table, chosen), batches.told(times)


OPTIONS: Mapping[str, Callable[[GameTable, str], Chosen]] = {
    "batch": batch,
    "clock": clock,
    "holidays": holidays,
    "late": late,
    "allowance": allowance,
    "caretaker": caretaker,
    "excused": excused,
    "grade": grade,
    "undo": undo,
    "pages": page_options.paged,
}


NO_CLOCK_RUNS = "No clock runs on {days}."


def told(table: GameTable) -> list[str]:
    """The choices, in sentences."""
    settings, found = table.settings, []
    if settings.batch:
        found.append(batches.told(settings.batch))
    if settings.clock:
        rule = rules.read(settings.clock)
        found += [rule.told()] if rule else []
        found += [NO_CLOCK_RUNS.format(days=settings.holidays)] if settings.holidays else []
    if settings.caretaker:
        found.append(caretaker(table, "on")[1])
    if settings.undo == "leave":
        found.append(undo(table, "leave")[1])
    return found


@dataclass(frozen=True)
class Option:
    """One option.

    ``choose`` returns the settings that its text stands for, and a sentence about them. It
    raises Refused.
    """

    usage: str
    choose: Callable[[GameSettings, str], tuple[GameSettings, str]]


HOW_TO_GRADE = "Write `grade` and one of: {grades}."
GRADED = "From now on {asks}."


def graded(settings: GameSettings, text: str) -> tuple[GameSettings, str]:
    """The settings with another security level."""
    grade = next((one for one in GRADES if one == text.strip().lower()), None)
    if grade is None:
        raise Refused(HOW_TO_GRADE.format(grades=", ".join(GRADES)))
    return structs.replace(settings, grade=grade), GRADED.format(asks=ASKS[grade])


NO_CLOCK = "There is no clock: nobody must answer by a time."


def clocked(settings: GameSettings, text: str) -> tuple[GameSettings, str]:
    """The settings with another clock."""
    rule = rules.read(text.strip())
    told = rule.told() if rule else NO_CLOCK
    return structs.replace(settings, clock=str(rule) if rule else ""), told


BY_VOTE = (
    "A move after which others have moved is taken back if all of them agree (`propose undo`)."
)
BY_LEAVE = (
    "A move after which others have moved is taken back only if the director allows it "
    "(`ask undo to 212 because …`)."
)
HOW_TO_UNDO = "Write `undo vote` or `undo leave`."


def taken_back(settings: GameSettings, text: str) -> tuple[GameSettings, str]:
    """The settings with another rule for taking back moves that others have answered."""
    how = text.strip().lower()
    if how == "vote":
        return structs.replace(settings, undo="vote"), BY_VOTE
    if how == "leave":
        return structs.replace(settings, undo="leave"), BY_LEAVE
    raise Refused(HOW_TO_UNDO)


#: options that the line that creates a game may have
CREATING: Mapping[str, Option] = {
    "grade": Option("grade friendly|standard|tournament", graded),
    "clock": Option("clock fischer 20d + 12h cap 20d", clocked),
    "undo": Option("undo vote|leave", taken_back),
}
_PARTS = re.compile(r",|\s(?=(?:clock|undo)\s?=)", re.IGNORECASE)


def taken(text: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The options in the text after `create TITLE NAME`, and the rest of that text.

    Each is a word and the text after it.
    """
    rest: list[str] = []
    found: list[tuple[str, str]] = []
    for part in _PARTS.split(text):
        word, _, value = part.replace("=", " ", 1).strip().partition(" ")
        if word.lower() in CREATING:
            found.append((word.lower(), value))
        else:
            rest.append(part)
    return ",".join(rest), tuple(found)


def chosen(settings: GameSettings, options: tuple[tuple[str, str], ...]) -> GameSettings:
    """The settings with these options. Raises Refused."""
    for word, value in options:
        settings, _ = CREATING[word].choose(settings, value)
    return settings


STARTER = "The organizer starts it; then an email tells you when it is your turn."
CALLED_OFF = "{game} was canceled before it began."
HAS_BEGUN = "{game} has begun. Players: {names}."
IS_ENDED = "{game} is {status}. Players: {names}."
CHANGE_TIMES = "`batch 06:00 18:00` and `batch off` change that."
ALL_CONFIRMED = "Not confirmed yet: nobody."
NOT_CONFIRMED = "Not confirmed yet: {names}."
LAPSES = "If it has not started by {when}, it is canceled."
ORGANISER_MAY = "Until then you may reply `say: …`, `kick NAME`, `cancel`, `map` or `help`."
PLAYER_MAY = "Until then you may reply `say: …`, `leave`, `map`, `status` or `help`."
ORGANISER_ADDRESS = (
    "This is the organizer's address. You may ask from it (`status`, `map`, `history`), `say: …`, "
    "and direct the game: `help director` lists how. Players write from their seat addresses."
)


def standing(table: GameTable, organises: bool, open_days: int) -> Sequence[str]:
    """Players who have joined, what is missing, the deadline, and the reader's commands."""
    name, status = table.row.name, table.row.status
    joined = ", ".join(seat.name for seat in table.players) or "nobody"
    if status == "abandoned" and table.head is None:
        return (CALLED_OFF.format(game=name),)
    if status == "running":
        times = f"{batches.told(table.settings.batch)} {CHANGE_TIMES}"
        return (HAS_BEGUN.format(game=name, names=joined), times, ORGANISER_ADDRESS)
    if status != "open":
        ended = IS_ENDED.format(game=name, status=status, names=joined)
        return (ended, ORGANISER_ADDRESS)
    lines = [HAS_JOINED.format(game=name, title=table.title.name, names=joined)]
    lines += told(table)
    if organises:
        waiting = ", ".join(seat.name for seat in table.seats if seat.status == "invited")
        lines.append(NOT_CONFIRMED.format(names=waiting) if waiting else ALL_CONFIRMED)
        lines += how_to_start(table)
    else:
        lines.append(STARTER)
    lapses = LAPSES.format(when=moment(table.row.created + open_days * DAY))
    return (*lines, f"{lapses} {ORGANISER_MAY if organises else PLAYER_MAY}")


PLAYERS = "{title} is for {fewest} to {most} players."
REPLY_START = "Reply `start` when everybody is there."


def how_to_start(table: GameTable) -> tuple[str, str]:
    """How the organizer starts the game."""
    title = table.title
    players = PLAYERS.format(title=title.name, fewest=title.seats[0], most=title.seats[-1])
    return players, REPLY_START


IS_GIVEN_UP = "{game} is given up at #{position}, {round}. Nobody has to decide anything."
WAITS_FOR = "{game} is at #{position}, {round}. It waits for {names}."
IS_HELD = "{game} is at #{position}, and is held: `resume because …` lets it go on."
ASKED_TO_ASSIST = "{address} is asked to be the assistant."
WHAT_TO_WRITE = "`help director` lists what can be written here, `history` what was done."


def directing(
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
    told = IS_HELD if settings.paused else WAITS_FOR
    lines = [told.format(game=name, position=state.number, round=state.round, names=waits)]
    if settings.invited:
        lines.append(ASKED_TO_ASSIST.format(address=settings.invited))
    return (*lines, WHAT_TO_WRITE)
