"""A player's words that change no position: settings, what is said to all, the turn mail again."""

import re
from collections.abc import Sequence
from typing import Literal

from engine import Seat
from engine.wording import cut
from service.commands.command import LONGEST, SHOWN, Command
from service.games import batches
from service.games.commit import Jot
from service.rations import Ration
from service.reports import Result
from service.reports.words import moment

_TELL = re.compile(r"([^:]+):\s*(.*)")


WORDS_BEHIND = "Add the words: `{word}: token first`."
NOT_KEPT = "Nothing of it was kept: {count} characters; at most {most} are kept of one {word}."
NOTE_COMES_BACK = "It comes back in your next turn email. Nobody else sees it."
DIARY_OPENED = "It is opened to all when the game is over. `history diary` shows you yours."


def jot(command: Command, seat: Seat) -> tuple[Jot | None, Result]:
    """`note: …` and `diary: …`, kept for the player alone."""
    word = command.word
    if not command.rest:
        return None, _refused(command, WORDS_BEHIND.format(word=word))
    if len(command.rest) > LONGEST:
        why = NOT_KEPT.format(count=f"{len(command.rest):,}", most=f"{LONGEST:,}", word=word)
        return None, _refused(command, why)
    kept: Literal["note", "diary"] = "note" if word == "note" else "diary"
    told = NOTE_COMES_BACK if kept == "note" else DIARY_OPENED
    return Jot(seat, kept, command.rest), _done(command, command.shown, told)


HOW_TO_TELL = "Write for example `tell Bob, Cat: shall we trade?`."
TOLD_NOBODY = "Sent to nobody. Not understood: {wrong}. There are {names}."
SAYS_ALONE = "{name} says to you alone: {text}"
SAYS_TO = "{name} says to {names}: {text}"
SENT_TO = "sent to {names} alone"


def tell(
    command: Command, players: Sequence[Seat], seat: Seat, limit: str
) -> tuple[dict[Seat, str], Result]:
    """`tell Bob, Ann: …`, to these alone, unless ``limit`` says why not."""
    found = _TELL.fullmatch(command.rest)
    if found is None or not found[2]:
        return {}, _refused(command, HOW_TO_TELL)
    others = {name.casefold(): name for name in players if name != seat}
    named = [name.strip().casefold() for name in re.split(r",|\band\b", found[1]) if name.strip()]
    unknown = [name for name in named if name not in others]
    if unknown or not named:
        wrong = cut(", ".join(unknown) or found[1], SHOWN)
        why = TOLD_NOBODY.format(wrong=wrong, names=", ".join(others.values()))
        return {}, _refused(command, why)
    if limit:
        return {}, _refused(command, limit)
    to = list(dict.fromkeys(others[name] for name in named))
    says = SAYS_ALONE if len(to) == 1 else SAYS_TO
    text = says.format(name=seat, names=" and ".join(to), text=found[2])
    sent = SENT_TO.format(names=", ".join(to))
    return dict.fromkeys(to, text), _done(command, command.shown, sent)


TOO_LONG = (
    "Nothing of it was sent: it has {count} characters, and an email may say {most} to the "
    "others. Send it in parts, or as separate emails."
)
SAID_MUCH = "Nothing of it was sent: you have said much lately. From {when} on."


def too_much(words: Sequence[str], most: int, ration: Ration) -> str:
    """Why nothing that a mail says to all is sent, "" if it is: all of it goes out, or none."""
    count = sum(map(len, words))
    if count > most:
        return TOO_LONG.format(count=f"{count:,}", most=f"{most:,}")
    if words and ration.left < 1:
        return SAID_MUCH.format(when=moment(ration.until))
    return ""


MESSAGE_BEHIND = "Add the message: `say: well played`."
SENT_TO_ALL = "sent to all players"


def say(command: Command, limit: str = "") -> Result:
    """A message to all; the letters carry it, unless ``limit`` says why not."""
    if not command.rest:
        return _refused(command, MESSAGE_BEHIND)
    return _refused(command, limit) if limit else _done(command, command.shown, SENT_TO_ALL)


WHO_CHANGES_TIMES = (
    "`propose batch {times}` asks all players; the organizer may write it alone, from the "
    "organizer's address."
)
GAME_IS_OVER = "The game is over."


def batch(command: Command, times: Sequence[str], over: bool) -> Result:
    """When the game's mails are handled; a player alone does not change it."""
    if not command.rest:
        return _done(command, "batch", batches.told(times))
    why = GAME_IS_OVER if over else WHO_CHANGES_TIMES.format(times=command.rest)
    return _refused(command, why)


STAYS_OPEN = "Your turn stays open."
MORE_WITH_COMMANDS = "`more` goes with commands of your turn and keeps it open."


def more(command: Command, plan: bool, acts: bool) -> Result:
    """The turn stays open, if the mail has commands and it is their turn when they are done."""
    if plan and acts:
        return _done(command, "more", STAYS_OPEN)
    return _refused(command, MORE_WITH_COMMANDS)


HELD = "Nothing of this email is done yet; nobody else sees it."
HOLD_WITH_COMMANDS = "`hold` goes with commands of your turn, which are not done yet then."


def hold(command: Command, plan: bool, refused: bool) -> Result:
    """Nothing of the mail's turn is done yet, if it has one that could be done."""
    if plan and refused:
        return Result(command.number, command.shown, "unsent")
    if plan:
        return _done(command, "hold", HELD)
    return _refused(command, HOLD_WITH_COMMANDS)


TURN_FOLLOWS = "Your turn email follows."
NOT_YOUR_TURN = "It is not your turn: {names} must act."


def resend(command: Command, to_act: Sequence[str], seat: str) -> Result:
    """The turn mail is written anew, if it is the player's turn."""
    if seat in to_act:
        return _done(command, "resend", TURN_FOLLOWS)
    names = " and ".join(to_act) or "nobody"
    return _refused(command, NOT_YOUR_TURN.format(names=names))


def _done(command: Command, canonical: str, *notes: str) -> Result:
    return Result(command.number, command.shown, "ok", canonical, notes)


def _refused(command: Command, reason: str) -> Result:
    return Result(command.number, command.shown, "no", notes=(reason,))
