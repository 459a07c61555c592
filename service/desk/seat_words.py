"""A player's words that change no position: his settings, what he says, and his turn mail again."""

from collections.abc import Sequence

import msgspec

from service.games.commands import Command
from service.games.games import SeatSettings
from service.reports import Result

_CHOICES: dict[str, tuple[str, ...]] = {"images": ("on", "off"), "news": ("all", "rounds", "off")}


def choose(command: Command, chosen: SeatSettings) -> tuple[SeatSettings, Result]:
    """The settings after `images off` or `news rounds`."""
    choices, word = _CHOICES[command.word], command.rest.lower()
    if word not in choices:
        known = ", ".join(choices)
        return chosen, _refused(command, f"Write `{command.word}` and one of: {known}.")
    value = word == "on" if command.word == "images" else word
    settings = msgspec.convert({**msgspec.to_builtins(chosen), command.word: value}, SeatSettings)
    return settings, _done(command, f"{command.word} {word}")


def say(command: Command) -> Result:
    """A message to all; the letters carry it."""
    if not command.rest:
        return _refused(command, "Put the message behind it: `say: well played`.")
    return _done(command, command.shown, "sent to all players")


def more(command: Command, plan: bool, acts: bool) -> Result:
    """The turn stays open, if the mail has commands and it is his turn when they are done."""
    if plan and acts:
        return _done(command, "more", "Your turn stays open.")
    return _refused(command, "`more` goes with commands of your turn and keeps it open.")


def resend(command: Command, to_act: Sequence[str], seat: str) -> Result:
    """His turn mail is written anew, if there is a turn of his."""
    if seat in to_act:
        return _done(command, "resend", "Your turn mail follows.")
    text = f"It is not your turn: {' and '.join(to_act) or 'nobody'} must act."
    return _refused(command, text)


def _done(command: Command, canonical: str, *notes: str) -> Result:
    return Result(command.number, command.shown, "ok", canonical, notes)


def _refused(command: Command, reason: str) -> Result:
    return Result(command.number, command.shown, "no", notes=(reason,))
