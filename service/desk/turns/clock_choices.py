"""What players choose about their clocks: quiet hours, reminders, leave instead of a flag."""

import re

from msgspec.structs import replace

from service.clocks import quiet
from service.clocks.rules import WrongClock
from service.commands.command import Command
from service.games.choices import SeatSettings
from service.reports import Result

WORDS = ("quiet", "remind", "auto-leave")
_ALL = ("50", "90")
HOW_TO_REMIND = (
    "Write `remind on` for reminders after 50 % and 90 % of your time, `remind 50` or `remind 90` "
    "for one of them, or `remind off`."
)


# Such a choice counts from the next decision on: else one could hide from a deadline.
ALL_HOURS = "All hours count, on your clock from your next decision on."
QUIET_HOURS = (
    "By the clock of {zone}; `zone NAME` sets another. They do not count, on your clock from your "
    "next decision on; no reminder comes in them."
)
QUIET_FOLLOWS = "Your quiet hours follow it, on your clock from your next decision on."


def choose(command: Command, chosen: SeatSettings) -> tuple[SeatSettings, Result]:
    """The settings after `quiet 23:00 07:00`, `remind 90`, `auto-leave on`."""
    if command.word == "quiet":
        return _quiet(command, chosen)
    return _remind(command, chosen) if command.word == "remind" else _auto(command, chosen)


def _quiet(command: Command, chosen: SeatSettings) -> tuple[SeatSettings, Result]:
    try:
        hours = quiet.read(command.rest)
    except WrongClock as wrong:
        return chosen, _refused(command, str(wrong))
    if hours is None:
        return replace(chosen, night=""), _done(command, "quiet off", ALL_HOURS)
    told = QUIET_HOURS.format(zone=chosen.zone)
    return replace(chosen, night=str(hours)), _done(command, f"quiet {hours}", told)


REMINDS = "You get a reminder after {percent} of your time, and an email when it is over."
NO_REMINDER = "You get no reminder, but an email when your time is over."


def _remind(command: Command, chosen: SeatSettings) -> tuple[SeatSettings, Result]:
    words = re.sub(r"[,%]|\band\b|\bat\b", " ", command.rest.lower()).split()
    if words in (["on"], ["all"]):
        words = list(_ALL)
    elif words == ["off"]:
        words = []
    elif not words or any(word not in _ALL for word in words):
        return chosen, _refused(command, HOW_TO_REMIND)
    kept = tuple(word for word in _ALL if word in words)
    percent = " and ".join(f"{word} %" for word in kept)
    told = REMINDS.format(percent=percent) if kept else NO_REMINDER
    text = "on" if kept == _ALL else " ".join(kept) or "off"
    return replace(chosen, remind=kept), _done(command, f"remind {text}", told)


HOW_TO_AUTO = "Write `auto-leave on` or `auto-leave off`."
AUTO_ON = "When your time is over and you have leave left, you are on leave until you answer."
AUTO_OFF = "When your time is over, it is over."


def _auto(command: Command, chosen: SeatSettings) -> tuple[SeatSettings, Result]:
    if command.rest.lower() not in ("on", "off"):
        return chosen, _refused(command, HOW_TO_AUTO)
    on = command.rest.lower() == "on"
    told = AUTO_ON if on else AUTO_OFF
    name = f"auto-leave {'on' if on else 'off'}"
    return replace(chosen, auto_leave=on), _done(command, name, told)


def _done(command: Command, canonical: str, *notes: str) -> Result:
    return Result(command.number, command.shown, "ok", canonical, notes)


def _refused(command: Command, reason: str) -> Result:
    return Result(command.number, command.shown, "no", notes=(reason,))
