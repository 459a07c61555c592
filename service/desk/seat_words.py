"""A player's words that change no position: settings, what is said to all, the turn mail again."""

from collections.abc import Sequence

import msgspec

from engine.wording import cut
from service.games.commands import SHOWN, Command
from service.games.games import SeatSettings
from service.mail.replies import Line
from service.reports import Result
from service.reports.words import moment
from service.store.rations import Ration

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


def too_much(words: Sequence[str], most: int, ration: Ration) -> str:
    """Why nothing that a mail says to all is sent, "" if it is: all of it goes out, or none."""
    count = sum(map(len, words))
    if count > most:
        return (
            f"Nothing of it was sent: {count:,} characters, and a mail may say {most:,} to the "
            "others. Send it in parts, or as mails of your own."
        )
    if words and ration.left < 1:
        return f"Nothing of it was sent: you have said much lately. From {moment(ration.until)} on."
    return ""


def say(command: Command, limit: str = "") -> Result:
    """A message to all; the letters carry it, unless ``limit`` says why not."""
    if not command.rest:
        return _refused(command, "Put the message behind it: `say: well played`.")
    return (
        _refused(command, limit) if limit else _done(command, command.shown, "sent to all players")
    )


#: what is said of an address that was renewed
RENEWED = (
    "Your address in this game is a new one, the old one is void. Reply to this mail or to later "
    "ones; nobody who has an older mail can write in your name any more."
)


def renews(command: Command) -> bool:
    """Whether it is `new token`."""
    return command.word == "new" and command.rest.lower() == "token"


def new(command: Command) -> Result:
    """The seat gets a new address; this answer bears it."""
    if not renews(command):
        return _refused(command, "Write `new token` for a new address of your seat.")
    return _done(command, "new token", RENEWED)


def more(command: Command, plan: bool, acts: bool) -> Result:
    """The turn stays open, if the mail has commands and it is their turn when they are done."""
    if plan and acts:
        return _done(command, "more", "Your turn stays open.")
    return _refused(command, "`more` goes with commands of your turn and keeps it open.")


def resend(command: Command, to_act: Sequence[str], seat: str) -> Result:
    """The turn mail is written anew, if it is the player's turn."""
    if seat in to_act:
        return _done(command, "resend", "Your turn mail follows.")
    text = f"It is not your turn: {' and '.join(to_act) or 'nobody'} must act."
    return _refused(command, text)


def signature(lines: Sequence[Line]) -> Result:
    """What was taken for the player's signature, told the first time."""
    text = cut(" / ".join(line.text for line in lines), SHOWN)
    notes = (
        "Your mails end so: it is taken for your signature, and not read from now on.",
        "If it is none, write it elsewhere than in the last lines, or `say:` before it.",
    )
    return Result(lines[0].number, text, "ignored", notes=notes)


def _done(command: Command, canonical: str, *notes: str) -> Result:
    return Result(command.number, command.shown, "ok", canonical, notes)


def _refused(command: Command, reason: str) -> Result:
    return Result(command.number, command.shown, "no", notes=(reason,))
