"""A player's words that change no position: settings, what is said to all, the turn mail again."""

import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Literal
from zoneinfo import available_timezones

from msgspec.structs import replace

from engine import Seat
from engine.wording import cut
from service.desk.timing import clock_choices
from service.games import batches
from service.games.choices import IMAGES, SeatSettings, as_digest
from service.games.commands import LONGEST, SHOWN, Command
from service.games.commit import Jot
from service.mail.replies import Line
from service.orders.sight import ALARMS
from service.reports import Result
from service.reports.words import moment
from service.store.rations import Ration

_NEWS = {"all": "each", "each": "each", "rounds": "round", "round": "round", "off": "off"}
_HOW = {
    "images": "Write `images` and one of: on, changed, off.",
    "digest": "Write `digest each`, `digest round`, `digest daily 07:00` or `digest off`.",
    "news": "Write `digest each`, `digest round`, `digest daily 07:00` or `digest off`.",
}
_TOLD = {
    "each": "A letter comes for each change.",
    "round": "A letter comes when a round is over.",
    "off": "Turn mails come all the same, and no others.",
}
_SWITCH = re.compile(r"(\w+)\s+(on|off)", re.IGNORECASE)
_RELEASE = re.compile(r"(?:my\s+)?notes?\s+(on|off)", re.IGNORECASE)
_TELL = re.compile(r"([^:]+):\s*(.*)")


def choose(command: Command, chosen: SeatSettings) -> tuple[SeatSettings, Result]:
    """The settings after `images off`, `digest round`, `zone Europe/Berlin`, `alarm sales off`."""
    if command.word == "zone":
        return _zone(command, chosen)
    if command.word == "alarm":
        return _alarm(command, chosen)
    if command.word in clock_choices.WORDS:
        return clock_choices.choose(command, chosen)
    if command.word == "release":
        return _release(command, chosen)
    word = command.rest.lower()
    if command.word == "images":
        images = next((one for one in IMAGES if one == word), None)
        if images is not None:
            return replace(chosen, images=images), _done(command, f"images {word}")
    elif digest := _NEWS.get(word, "") if command.word == "news" else as_digest(word):
        return _digest(command, replace(chosen, digest=digest))
    return chosen, _refused(command, _HOW[command.word])


def _digest(command: Command, chosen: SeatSettings) -> tuple[SeatSettings, Result]:
    told = _TOLD.get(chosen.news, f"By the clock of {chosen.zone}; `zone NAME` sets another.")
    return chosen, _done(command, f"digest {chosen.digest}", told)


def _zone(command: Command, chosen: SeatSettings) -> tuple[SeatSettings, Result]:
    """`zone Europe/Berlin`: a name of the IANA time zone database."""
    known = {name.casefold(): name for name in available_timezones()}
    wanted = "_".join(command.rest.split()).casefold()
    if wanted in known:
        zone = known[wanted]
        notes = (clock_choices.QUIET_FOLLOWS,) if chosen.night else ()
        return replace(chosen, zone=zone), _done(command, f"zone {zone}", *notes)
    ends = [name for key, name in known.items() if key.rpartition("/")[2] == wanted]
    near = ends or [known[key] for key in get_close_matches(wanted, known, 3)]
    meant = f" Did you mean {', '.join(sorted(near)[:3])}?" if near else ""
    return chosen, _refused(command, f"Write it as in `zone Europe/Berlin`.{meant}")


def _alarm(command: Command, chosen: SeatSettings) -> tuple[SeatSettings, Result]:
    """`alarm` lists what wakes a player who passes by order; `alarm sales off`, `alarm all on`."""
    found = _SWITCH.fullmatch(command.rest)
    names = list(ALARMS) if found and found[1].lower() == "all" else []
    if found and found[1].lower() in ALARMS:
        names = [found[1].lower()]
    if command.rest and not (found and names):
        known = ", ".join(ALARMS)
        return chosen, _refused(
            command, f"Write `alarm all off`, or `alarm sales off`, of one of these: {known}."
        )
    if found:
        quiet = {*chosen.quiet, *names} if found[2].lower() == "off" else {*chosen.quiet} - {*names}
        chosen = replace(chosen, quiet=tuple(name for name in ALARMS if name in quiet))
    every = (
        f"{name} {'off' if name in chosen.quiet else 'on'}: {what}" for name, what in ALARMS.items()
    )
    return chosen, _done(command, command.text.lower(), *every)


def _release(command: Command, chosen: SeatSettings) -> tuple[SeatSettings, Result]:
    """`release notes on`: who takes the seat over gets the notes that stand then."""
    found = _RELEASE.fullmatch(command.rest)
    if found is None:
        return chosen, _refused(command, "Write `release notes on` or `release notes off`.")
    on = found[1].lower() == "on"
    told = (
        "If somebody takes your seat over, your notes that stand then go to them, and to nobody "
        "else. The diary stays yours until the end."
        if on
        else "If somebody takes your seat over, your notes are forgotten."
    )
    return replace(chosen, release=on), _done(command, f"release notes {found[1].lower()}", told)


def jot(command: Command, seat: Seat) -> tuple[Jot | None, Result]:
    """`note: …` and `diary: …`, kept for the player alone."""
    word = command.word
    if not command.rest:
        return None, _refused(command, f"Put the words behind it: `{word}: token first`.")
    if len(command.rest) > LONGEST:
        size = f"{len(command.rest):,} characters; at most {LONGEST:,} are kept of one {word}"
        return None, _refused(command, f"Nothing of it was kept: {size}.")
    kept: Literal["note", "diary"] = "note" if word == "note" else "diary"
    told = (
        "It comes back in your next turn mail. Nobody else sees it."
        if kept == "note"
        else "It is opened to all when the game is over. `history diary` shows you yours."
    )
    return Jot(seat, kept, command.rest), _done(command, command.shown, told)


def tell(
    command: Command, players: Sequence[Seat], seat: Seat, limit: str
) -> tuple[dict[Seat, str], Result]:
    """`tell Bob, Ann: …`, to these alone, unless ``limit`` says why not."""
    found = _TELL.fullmatch(command.rest)
    if found is None or not found[2]:
        return {}, _refused(command, "Write it as in `tell Bob, Cat: shall we trade?`.")
    others = {name.casefold(): name for name in players if name != seat}
    named = [name.strip().casefold() for name in re.split(r",|\band\b", found[1]) if name.strip()]
    unknown = [name for name in named if name not in others]
    if unknown or not named:
        wrong = cut(", ".join(unknown) or found[1], SHOWN)
        return {}, _refused(command, f"Sent to nobody. Not understood: {wrong}. There are "
                            f"{', '.join(others.values())}.")  # fmt: skip
    if limit:
        return {}, _refused(command, limit)
    to = list(dict.fromkeys(others[name] for name in named))
    text = f"{seat} says to {'you alone' if len(to) == 1 else ' and '.join(to)}: {found[2]}"
    return dict.fromkeys(to, text), _done(command, command.shown, f"sent to {', '.join(to)} alone")


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


def batch(command: Command, times: Sequence[str], over: bool) -> Result:
    """When the game's mails are handled; a player alone does not change it."""
    if not command.rest:
        return _done(command, "batch", batches.told(times))
    how = f"`propose batch {command.rest}` asks all players; the organiser may write it alone, "
    why = f"{how}from the organiser's address." if not over else "The game is over."
    return _refused(command, why)


def more(command: Command, plan: bool, acts: bool) -> Result:
    """The turn stays open, if the mail has commands and it is their turn when they are done."""
    if plan and acts:
        return _done(command, "more", "Your turn stays open.")
    return _refused(command, "`more` goes with commands of your turn and keeps it open.")


def hold(command: Command, plan: bool, refused: bool) -> Result:
    """Nothing of the mail's turn is done yet, if it has one that could be done."""
    if plan and refused:
        return Result(command.number, command.shown, "unsent")
    if plan:
        return _done(command, "hold", "Nothing of this mail is done yet; nobody else sees it.")
    return _refused(command, "`hold` goes with commands of your turn, which are not done yet then.")


def resend(command: Command, to_act: Sequence[str], seat: str) -> Result:
    """The turn mail is written anew, if it is the player's turn."""
    if seat in to_act:
        return _done(command, "resend", "Your turn mail follows.")
    text = f"It is not your turn: {' and '.join(to_act) or 'nobody'} must act."
    return _refused(command, text)


def alone(command: Command) -> Result:
    """A word on who plays the seat or how they prove it, beside others."""
    return _refused(command, f"`{command.word}` stands alone: send it in a mail of its own.")


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
