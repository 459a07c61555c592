"""What players choose about their clocks: quiet hours, reminders, leave instead of a flag."""

import re

from msgspec.structs import replace

from service.clocks import quiet
from service.clocks.rules import WrongClock
from service.commands.command import Command
from service.games.choices import SeatSettings
from service.reports import Result

WORDS = ("quiet", "remind", "auto-leave")
#: from when on a choice counts that bears on clocks: else one could hide from a deadline
LATER = ", on your clock from your next decision on"
_ALL = ("50", "90")
_REMIND = (
    "Write `remind on` for reminders after 50 % and 90 % of your time, `remind 50` or `remind 90` "
    "for one of them, or `remind off`."
)


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
        return replace(chosen, night=""), _done(command, "quiet off", f"All hours count{LATER}.")
    told = (
        f"By the clock of {chosen.zone}; `zone NAME` sets another. They do not count{LATER}; no "
        "reminder comes in them."
    )
    return replace(chosen, night=str(hours)), _done(command, f"quiet {hours}", told)


def _remind(command: Command, chosen: SeatSettings) -> tuple[SeatSettings, Result]:
    words = re.sub(r"[,%]|\band\b|\bat\b", " ", command.rest.lower()).split()
    if words in (["on"], ["all"]):
        words = list(_ALL)
    elif words == ["off"]:
        words = []
    elif not words or any(word not in _ALL for word in words):
        return chosen, _refused(command, _REMIND)
    kept = tuple(word for word in _ALL if word in words)
    percent = " and ".join(f"{word} %" for word in kept)
    told = f"A reminder comes after {percent} of your time." if kept else "No reminder comes."
    told += " That it is over is told in any case."
    text = "on" if kept == _ALL else " ".join(kept) or "off"
    return replace(chosen, remind=kept), _done(command, f"remind {text}", told)


def _auto(command: Command, chosen: SeatSettings) -> tuple[SeatSettings, Result]:
    if command.rest.lower() not in ("on", "off"):
        return chosen, _refused(command, "Write `auto-leave on` or `auto-leave off`.")
    on = command.rest.lower() == "on"
    told = (
        "When your time is over and you have leave left, you are on leave until you answer."
        if on
        else "When your time is over, it is over."
    )
    name = f"auto-leave {'on' if on else 'off'}"
    return replace(chosen, auto_leave=on), _done(command, name, told)


def _done(command: Command, canonical: str, *notes: str) -> Result:
    return Result(command.number, command.shown, "ok", canonical, notes)


def _refused(command: Command, reason: str) -> Result:
    return Result(command.number, command.shown, "no", notes=(reason,))
