"""The choices of an organizer for a game.

At `create` they follow the title's own options, separated by commas: `create 18AL dixie7 with
two-yellow, grade tournament`, or as `clock=each 48h`.
"""

import re
from collections.abc import Callable, Mapping, Sequence

from msgspec import structs

from engine.wording import counted
from service.audience import of_table
from service.clocks import rules
from service.commands.command import Command
from service.commands.results import done
from service.desk.answering.effects import Effect, done_or_refused, together
from service.desk.answering.game_email import GameContext
from service.desk.informing.everybody import informed, to_all
from service.desk.letters.desk import Desk
from service.desk.options import page_options
from service.games import batches
from service.games.commit import handle_at
from service.games.game_status import BY_LEAVE, CARETAKER_MOVES, why_abandoned
from service.games.games import GameSettings, GameTable
from service.mail.grades import ASKS, GRADES
from service.refusal import Refused
from service.reports import Page, note_page
from service.said import REST_NOT_UNDERSTOOD
from service.store import Letter, Tx

#: reads what the organizer wrote after the word of an option; raises Refused
ReadOption = Callable[[GameSettings, str], tuple[GameSettings, str]]
#: most days of leave a year that a game may grant
_MOST_LEAVE = 120
#: most times that a player may be late without losing the seat
_MOST_EXCUSED = 50

NO_CLOCK_ON = "No clock runs on {days}, by the calendar of each player."
ALL_DAYS = "All days count."


def holidays(settings: GameSettings, text: str) -> tuple[GameSettings, str]:
    """`holidays 2026-12-24 to 2027-01-02`, `holidays none`."""
    days = rules.read_holidays(text)
    kept = rules.holidays_text(days)
    message = NO_CLOCK_ON.format(days=kept) if kept else ALL_DAYS
    return structs.replace(settings, holidays=kept), message


LATE_SHOWN = "All players get an email when a player runs out of time."
LATE_HIDDEN = "Only the organizer and the player get an email when a player runs out of time."


def late(settings: GameSettings, text: str) -> tuple[GameSettings, str]:
    """`late shown`: everybody sees who is out of time; `late hidden`: only those concerned."""
    word = text.strip().lower()
    if word not in ("shown", "hidden"):
        raise Refused(REST_NOT_UNDERSTOOD, hint="Write `late shown` or `late hidden`.")
    shown = word == "shown"
    chosen = structs.replace(settings, late=shown)
    return chosen, LATE_SHOWN if shown else LATE_HIDDEN


HOW_TO_ALLOW = "Write `allowance 30`: days of leave a year, {most} at most."
MAY_BE_AWAY = "Each player may be away {days} a year (`away`)."


def allowance(settings: GameSettings, text: str) -> tuple[GameSettings, str]:
    """`allowance 30`: days of leave that each player may take in a year."""
    word = text.strip().lower().removesuffix("days").removesuffix("d").strip()
    if not word.isascii() or not word.isdigit() or int(word) > _MOST_LEAVE:
        raise Refused(REST_NOT_UNDERSTOOD, hint=HOW_TO_ALLOW.format(most=_MOST_LEAVE))
    chosen = structs.replace(settings, leave=int(word))
    return chosen, MAY_BE_AWAY.format(days=counted(int(word), "day"))


HOW_TO_TAKE_CARE = "Write `caretaker on` or `caretaker off`."
NOBODY_MOVES = "Nobody moves for a player whose time is over."


def caretaker(settings: GameSettings, text: str) -> tuple[GameSettings, str]:
    """`caretaker on`: it moves for a player who is out of time."""
    word = text.strip().lower()
    if word not in ("on", "off"):
        raise Refused(REST_NOT_UNDERSTOOD, hint=HOW_TO_TAKE_CARE)
    chosen = structs.replace(settings, caretaker=word == "on")
    return chosen, CARETAKER_MOVES if word == "on" else NOBODY_MOVES


EXCUSED_NEVER = "When a player runs out of time, the seat is offered to a standby."
EXCUSED_ONCE = "A player may run out of time once. After that, the seat is offered to a standby."
EXCUSED = (
    "A player may run out of time {count} times. After that, the seat is offered to a standby."
)


def excused(settings: GameSettings, text: str) -> tuple[GameSettings, str]:
    """`excused 3`: how often a player may run out of time before a standby is asked."""
    word = text.strip().removesuffix("times").strip()
    if not word.isascii() or not word.isdigit() or int(word) > _MOST_EXCUSED:
        raise Refused(
            REST_NOT_UNDERSTOOD,
            hint=f"Write `excused 3`: how often, {_MOST_EXCUSED} times at most.",
        )
    chosen = structs.replace(settings, excused=int(word))
    message = {0: EXCUSED_NEVER, 1: EXCUSED_ONCE}.get(int(word), EXCUSED)
    return chosen, message.format(count=int(word))


HOW_TO_BATCH = f"Write {batches.HOW}."


def batch(settings: GameSettings, text: str) -> tuple[GameSettings, str]:
    """`batch 06:00 18:00`: the times at which Waybill handles the game's emails."""
    times = batches.read_times(text)
    if times is None:
        raise Refused(REST_NOT_UNDERSTOOD, hint=HOW_TO_BATCH)
    chosen = structs.replace(settings, batch=times)
    return chosen, batches.in_words(times)


HOW_TO_GRADE = "Write `grade` and one of: {grades}."
GRADED = "From now on {asks}."


def graded(settings: GameSettings, text: str) -> tuple[GameSettings, str]:
    """The settings with another security level."""
    grade = next((one for one in GRADES if one == text.strip().lower()), None)
    if grade is None:
        raise Refused(REST_NOT_UNDERSTOOD, hint=HOW_TO_GRADE.format(grades=", ".join(GRADES)))
    return structs.replace(settings, grade=grade), GRADED.format(asks=ASKS[grade])


NO_CLOCK = "There is no clock: nobody must answer by a time."


def clocked(settings: GameSettings, text: str) -> tuple[GameSettings, str]:
    """The settings with another clock."""
    rule = rules.read(text.strip())
    message = rule.in_words() if rule else NO_CLOCK
    return structs.replace(settings, clock=str(rule) if rule else ""), message


BY_VOTE = (
    "A move after which others have moved is taken back if all of them agree (`propose undo`)."
)


def taken_back(settings: GameSettings, text: str) -> tuple[GameSettings, str]:
    """The settings with another rule for taking back moves that others have answered."""
    how = text.strip().lower()
    if how == "vote":
        return structs.replace(settings, undo="vote"), BY_VOTE
    if how == "leave":
        return structs.replace(settings, undo="leave"), BY_LEAVE
    raise Refused(REST_NOT_UNDERSTOOD, hint="Write `undo vote` or `undo leave`.")


OPTIONS: Mapping[str, ReadOption] = {
    "batch": batch,
    "clock": clocked,
    "holidays": holidays,
    "late": late,
    "allowance": allowance,
    "caretaker": caretaker,
    "excused": excused,
    "grade": graded,
    "undo": taken_back,
    "pages": page_options.paged,
}
"""The word of an option → what reads the text after it: the settings, and the choice in words."""

#: options that the line that creates a game may have
_CREATING = ("clock", "grade", "undo")
_PARTS = re.compile(r",|\s(?=(?:clock|undo)\s?=)", re.IGNORECASE)


def taken(text: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The options in the text after `create TITLE NAME`, and the rest of that text.

    Each is a word and the text after it.
    """
    rest: list[str] = []
    found: list[tuple[str, str]] = []
    for part in _PARTS.split(text):
        word, _, value = part.replace("=", " ", 1).strip().partition(" ")
        if word.lower() in _CREATING:
            found.append((word.lower(), value))
        else:
            rest.append(part)
    return ",".join(rest), tuple(found)


def with_options(settings: GameSettings, options: tuple[tuple[str, str], ...]) -> GameSettings:
    """The settings with these options. Raises Refused."""
    for word, value in options:
        settings, _ = OPTIONS[word](settings, value)
    return settings


PAGE_SUBJECT = "[{game}] The web page of the game"
PAGE_CHOSEN = "The organizer chose that."
TIMES_SUBJECT = "[{game}] When emails are handled"
TIMES_CHANGED = "The organizer changed it."
NOTHING_TO_DO = "You need not do anything."


def _news(desk: Desk, table: GameTable, word: str) -> Page:
    """The page about an option that the organizer has changed in a game that has begun."""
    name, about = table.row.name, desk.service.about(table.row.name, table.title)
    if word == "pages":
        subject, text, why = PAGE_SUBJECT, page_options.in_words(table.settings), PAGE_CHOSEN
    else:
        subject, text, why = TIMES_SUBJECT, batches.in_words(table.settings.batch), TIMES_CHANGED
    lines = (why, NOTHING_TO_DO)
    return note_page(of_table(name), subject.format(game=name), text, lines, about=about)


def option(context: GameContext, command: Command) -> Effect:
    """`clock each 48h`, `batch 06:00 18:00` …: an option of the game, by the organizer.

    In a game that has begun, a change is told to all; there are only `batch` and `pages`.
    """
    before, desk = context.table, context.desk
    if why := why_abandoned(before):
        raise Refused(why)
    settings, text = OPTIONS[command.word](before.settings, command.rest)
    after = before.with_settings(settings)
    letters: list[Letter] = []
    if after.head is not None and settings != before.settings:
        page = _news(desk, after, command.word)
        letters = to_all(
            desk, after, informed(after, context.holder), f"option-{command.word}", page
        )

    def write(tx: Tx) -> None:
        handle_at(tx, after, settings.batch, desk.now)

    return Effect((done(command, text),), changed=after, letters=letters, write=write, changes=True)


LAST_COUNTS = "The last `grade` of an email counts."
HAS_CHOSEN = "The organizer has chosen: {choice}."


def security(context: GameContext, commands: Sequence[Command]) -> Effect:
    """`grade tournament`: sets how strictly senders are checked; a change is told to all."""
    last = commands[-1]

    def one(command: Command) -> Effect:
        if command is not last:
            raise Refused(LAST_COUNTS)
        table = context.table
        settings, text = graded(table.settings, command.parts["grade"])
        after = table.with_settings(settings)

        def write(tx: Tx) -> None:
            tx.games.set_settings(table.row.id, after.row.settings)

        letters = _told(context, command, text) if settings != table.settings else []
        return Effect(
            (done(command, text),), changed=after, letters=letters, write=write, changes=True
        )

    return together([done_or_refused(one, command) for command in commands])


def _told(context: GameContext, command: Command, text: str) -> list[Letter]:
    """To all players except the one who chose, so that nobody is surprised."""
    table, desk, game = context.table, context.desk, context.game
    headline = HAS_CHOSEN.format(choice=command.shown)
    subject, about = f"[{game}] {command.shown}", desk.service.about(game, table.title)
    page = note_page(of_table(game), subject, headline, (text,), about=about)
    return to_all(desk, table, informed(table, context.holder), f"option-{command.word}", page)
