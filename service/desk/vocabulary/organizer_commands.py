"""Commands about a game before its start, and the organizer's options of it."""

import re
from collections.abc import Sequence
from functools import partial

from service.commands.answers import ALSO_YES, YES
from service.commands.command import Command
from service.commands.entry import ALWAYS, Entry, When, Who
from service.desk.answering.effects import Effect, singly
from service.desk.answering.game_email import GameContext
from service.desk.director import director_email
from service.desk.lobby import before_start
from service.desk.options.game_options import option


def _form(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _accept(context: GameContext, commands: Sequence[Command]) -> Effect:
    """`yes` of somebody who is asked to take a seat, or to be the assistant."""
    accept = before_start.accept if context.seat is not None else director_email.accept
    return accept(context, commands)


_option = partial(Entry, do=singly(option), who=Who.ORGANISER, when=When.OPEN)

ENTRIES = (
    Entry(
        "yes",
        "yes",
        "you take the seat, or the office, that you are asked to take",
        "yes",
        _accept,
        Who.INVITED,
        when=ALWAYS,
        form=YES,
        line=True,
        also=ALSO_YES,
    ),
    Entry(
        "yes",
        "yes",
        "nothing more: you have your seat",
        "yes",
        singly(before_start.accepted_already),
        Who.PLAYER,
        when=When.OPEN,
        form=YES,
        line=True,
        also=ALSO_YES,
    ),
    Entry(
        "start",
        "start",
        "start the game with the options of this email; done last, and only if everything "
        "else in the email was done",
        "start",
        singly(before_start.start),
        Who.ORGANISER,
        when=When.OPEN,
        form=_form(r"start(?:\s+(?:(?:the|this|our)\s+)?\S+)?(?:\s+now)?[.!]*"),
        last=True,
    ),
    Entry(
        "leave",
        "leave",
        "give your seat up; its address no longer works",
        "leave",
        singly(before_start.leave),
        Who.PLAYER | Who.ORGANISER,
        when=When.OPEN,
        form=_form(r"leave(?:\s+\S+)?"),
    ),
    Entry(
        "kick",
        "kick NAME",
        "free a seat, confirmed or not; its player gets an email",
        "kick Bob",
        singly(before_start.kick),
        Who.ORGANISER,
        when=When.OPEN,
        form=_form(r"kick(?:\s+\S+)?"),
    ),
    Entry(
        "cancel",
        "cancel GAME",
        "cancel the game; all who have joined get an email; `cancel` alone asks first",
        "cancel",
        singly(before_start.cancel),
        Who.ORGANISER,
        when=When.OPEN,
        form=_form(r"cancel(?:\s+\S+)?"),
    ),
    _option(
        "clock",
        "clock fischer 20d + 12h cap 20d",
        "set a clock, or `clock none`",
        "clock each 48h",
        form=_form(r"clocks?\s*(?::\s*)?\S.*"),
    ),
    _option(
        "batch",
        "batch 06:00 18:00",
        "handle emails with commands only at these times (UTC); `batch off`",
        "batch 06:00 18:00",
        when=When.OPEN | When.RUNNING,
        form=_form(r"batch\s*(?::\s*)?\S.*"),
    ),
    _option(
        "holidays",
        "holidays 2026-12-24 to 2027-01-02",
        "days on which no clock runs; `holidays none`",
        "holidays none",
    ),
    _option(
        "late",
        "late hidden",
        "when a player runs out of time, only they and the organizer get an email; `late "
        "shown`: all do",
        "late hidden",
    ),
    _option("allowance", "allowance 30", "days of leave a year", "allowance 30"),
    _option(
        "caretaker",
        "caretaker on",
        "when a time is over, the caretaker moves; `caretaker off`",
        "caretaker on",
    ),
    _option(
        "excused",
        "excused 3",
        "how often a player may run out of time before the seat is offered to a standby",
        "excused 3",
    ),
    _option(
        "undo",
        "undo leave",
        "what others have acted on is taken back by the director alone, not by a vote; `undo vote`",
        "undo leave",
    ),
    _option(
        "pages",
        "pages public",
        "who may see the game's page: `public`, `unlisted`, `private`",
        "pages public",
        when=ALWAYS,
        form=_form(r"pages?\s*(?::\s*)?\S.*"),
        also=("page",),
    ),
)
