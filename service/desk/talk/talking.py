"""Messages of a player to all or to some others, and notes to themselves."""

import re
from collections.abc import Sequence
from typing import Literal

from engine import Seat
from service.commands.command import LONGEST, Command
from service.commands.results import done
from service.games.commit import Jot
from service.games.naming import player_meant
from service.rations import Ration
from service.refusal import Refused
from service.reports import Result
from service.reports.words import moment

_TELL = re.compile(r"([^:]+):\s*(.*)")


WORDS_BEHIND = "Add the words: `{word}: token first`."
NOT_KEPT = "Nothing of it was kept: {count} characters; at most {most} are kept of one {word}."
NOTE_COMES_BACK = "It comes back in your next turn email. Nobody else sees it."
DIARY_OPENED = "It is opened to all when the game is over. `history diary` shows you yours."


def jot(command: Command, seat: Seat) -> tuple[Jot, Result]:
    """`note: …` and `diary: …`: kept for the player alone. Raises Refused."""
    word = command.word
    if not command.rest:
        raise Refused(WORDS_BEHIND.format(word=word))
    if len(command.rest) > LONGEST:
        why = NOT_KEPT.format(count=f"{len(command.rest):,}", most=f"{LONGEST:,}", word=word)
        raise Refused(why)
    kept: Literal["note", "diary"] = "note" if word == "note" else "diary"
    text = NOTE_COMES_BACK if kept == "note" else DIARY_OPENED
    return Jot(seat, kept, command.rest), done(command, text, canonical=command.shown)


HOW_TO_TELL = "Write for example `tell Bob, Cat: shall we trade?`."
TO_YOURSELF = "You cannot send a message to yourself, so it went to nobody."
NAME_OTHERS = "Name only other players."
SAYS_ALONE = "{name} says to you alone: {text}"
SAYS_TO = "{name} says to {names}: {text}"
SENT_TO = "sent to {names} alone"


def tell_some(
    command: Command, players: Sequence[Seat], seat: Seat, limit: Refused | None
) -> tuple[dict[Seat, str], Result]:
    """`tell Bob, Ann: …`: to these players alone, unless ``limit`` gives a reason to refuse it.

    Raises Refused.
    """
    found = _TELL.fullmatch(command.rest)
    if found is None or not found[2]:
        raise Refused(HOW_TO_TELL)
    written = [name for name in re.split(r",|\band\b", found[1]) if name.strip()] or [found[1]]
    to = list(dict.fromkeys(player_meant(players, name.strip()) for name in written))
    if seat in to:
        raise Refused(TO_YOURSELF, hint=NAME_OTHERS)
    if limit is not None:
        raise limit
    says = SAYS_ALONE if len(to) == 1 else SAYS_TO
    text = says.format(name=seat, names=" and ".join(to), text=found[2])
    sent = SENT_TO.format(names=", ".join(to))
    return dict.fromkeys(to, text), done(command, sent, canonical=command.shown)


TOO_LONG = (
    "Nothing of it was sent: it has {count} characters, and an email may say {most} to the "
    "others. Send it in parts, or as separate emails."
)
SAID_MUCH = "Nothing of it was sent: you have said much lately. From {when} on."


def too_much(words: Sequence[str], most: int, ration: Ration) -> Refused | None:
    """Why no message of an email to others is sent; None if all of them are."""
    count = sum(map(len, words))
    if count > most:
        return Refused(TOO_LONG.format(count=f"{count:,}", most=f"{most:,}"))
    if words and ration.left < 1:
        return Refused(SAID_MUCH.format(when=moment(ration.until)))
    return None


MESSAGE_BEHIND = "Add the message: `say: well played`."
SENT_TO_ALL = "sent to all players"


def say(command: Command, limit: Refused | None = None) -> Result:
    """A message to all players, unless ``limit`` gives a reason to refuse it. Raises Refused."""
    if not command.rest:
        raise Refused(MESSAGE_BEHIND)
    if limit is not None:
        raise limit
    return done(command, SENT_TO_ALL, canonical=command.shown)
