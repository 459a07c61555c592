"""What an organiser may choose of a game by mail before it begins: a word a line, and who reads it.

Each reader gives the game as it is then, and what that means in words; it raises Refused.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

import msgspec

from engine.wording import counted
from service.clocks import rules
from service.clocks.rules import WrongClock
from service.commands.refusal import Refused
from service.desk.letters import page_words
from service.desk.options.game_options import clocked, graded, taken_back
from service.games import batches
from service.games.games import GameSettings, GameTable

Chosen = tuple[GameTable, str]
#: days of leave a year that a game may grant
_MOST_LEAVE = 120
#: times that a player may be late without losing the seat
_MOST_EXCUSED = 50


def with_settings(table: GameTable, settings: GameSettings) -> GameTable:
    """A game with other settings."""
    return replace(table, row=replace(table.row, settings=msgspec.json.encode(settings)))


def _chosen(
    table: GameTable, text: str, read: Callable[[GameSettings, str], tuple[GameSettings, str]]
) -> Chosen:
    """A choice that a game that runs knows too: read as there, refused as before the start."""
    settings, told = read(table.settings, text)
    return with_settings(table, settings), told


def clock(table: GameTable, text: str) -> Chosen:
    """`clock fischer 20d + 12h cap 20d`, `clock none`."""
    return _chosen(table, text, clocked)


NO_CLOCK_ON = "No clock runs on {days}, by the calendar of each player."
ALL_DAYS = "All days count."


def holidays(table: GameTable, text: str) -> Chosen:
    """`holidays 2026-12-24 to 2027-01-02`, `holidays none`."""
    try:
        days = rules.read_holidays(text)
    except WrongClock as wrong:
        raise Refused(str(wrong)) from wrong
    kept = rules.holidays_text(days)
    told = NO_CLOCK_ON.format(days=kept) if kept else ALL_DAYS
    return with_settings(table, msgspec.structs.replace(table.settings, holidays=kept)), told


HOW_TO_SHOW = "Write `late shown` or `late hidden`."
LATE_SHOWN = "All players get an email when a player runs out of time."
LATE_HIDDEN = "Only the organizer and the player get an email when a player runs out of time."


def late(table: GameTable, text: str) -> Chosen:
    """`late shown`: all are told whose time is over; `late hidden`: only who is concerned."""
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
    "When a player's time is over, the caretaker moves for them: it passes, declines offers, "
    "runs the best and pays out, and buys a train only where one is forced and the company "
    "can pay. "
    "What binds a player more the director decides."
)
NOBODY_MOVES = "Nobody moves for a player whose time is over."


def caretaker(table: GameTable, text: str) -> Chosen:
    """`caretaker on`: it moves for who is silent when their time is over."""
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
    """`excused 3`: how often a time may be over before somebody else is asked to take the seat."""
    word = text.strip().removesuffix("times").strip()
    if not word.isascii() or not word.isdigit() or int(word) > _MOST_EXCUSED:
        raise Refused(HOW_TO_EXCUSE.format(most=_MOST_EXCUSED))
    chosen = msgspec.structs.replace(table.settings, excused=int(word))
    told = {0: EXCUSED_NEVER, 1: EXCUSED_ONCE}.get(int(word), EXCUSED)
    return with_settings(table, chosen), told.format(count=int(word))


def grade(table: GameTable, text: str) -> Chosen:
    """`grade tournament`: how well mails must prove who wrote them."""
    return _chosen(table, text, graded)


def undo(table: GameTable, text: str) -> Chosen:
    """`undo leave`: what others have acted on is taken back by the director's leave alone."""
    return _chosen(table, text, taken_back)


HOW_TO_BATCH = f"Write {batches.HOW}."


def batch(table: GameTable, text: str) -> Chosen:
    """`batch 06:00 18:00`: the times at which the game's emails are handled."""
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
    "pages": page_words.paged,
}
#: what may be chosen when a game has begun, too
LASTING: Mapping[str, tuple[str, ...]] = {"batch": ("running",), "pages": ("running", "ended")}


NO_CLOCK_RUNS = "No clock runs on {days}."


def told(table: GameTable) -> list[str]:
    """What was chosen, in sentences."""
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
