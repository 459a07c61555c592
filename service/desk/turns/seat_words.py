"""A player's words that change no position: settings, what is said to all, the turn mail again."""

import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Literal
from zoneinfo import available_timezones

from msgspec.structs import replace

from engine import Seat
from engine.wording import cut
from service.commands.command import LONGEST, SHOWN, Command
from service.desk.timing import clock_choices
from service.games import batches
from service.games.choices import IMAGES, SeatSettings, as_digest
from service.games.commit import Jot
from service.mail.replies import Line
from service.orders.sight import ALARMS
from service.reports import Result
from service.reports.words import moment
from service.store.rations import Ration

_NEWS = {"all": "each", "each": "each", "rounds": "round", "round": "round", "off": "off"}
_SWITCH = re.compile(r"(\w+)\s+(on|off)", re.IGNORECASE)
_RELEASE = re.compile(r"(?:my\s+)?notes?\s+(on|off)", re.IGNORECASE)
_TELL = re.compile(r"([^:]+):\s*(.*)")


HOW_TO_IMAGES = "Write `images` and one of: on, changed, off."
HOW_TO_DIGEST = "Write `digest each`, `digest round`, `digest daily 07:00` or `digest off`."


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
    return chosen, _refused(command, HOW_TO_IMAGES if command.word == "images" else HOW_TO_DIGEST)


EACH_CHANGE = "A letter comes for each change."
EACH_ROUND = "A letter comes when a round is over."
TURNS_ONLY = "Turn mails come all the same, and no others."
BY_THE_CLOCK = "By the clock of {zone}; `zone NAME` sets another."
_TOLD = {"each": EACH_CHANGE, "round": EACH_ROUND, "off": TURNS_ONLY}


def _digest(command: Command, chosen: SeatSettings) -> tuple[SeatSettings, Result]:
    told = _TOLD.get(chosen.news, BY_THE_CLOCK.format(zone=chosen.zone))
    return chosen, _done(command, f"digest {chosen.digest}", told)


HOW_TO_ZONE = "Write it as in `zone Europe/Berlin`."
HOW_TO_ZONE_NEAR = "Write it as in `zone Europe/Berlin`. Did you mean {zones}?"


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
    if not near:
        return chosen, _refused(command, HOW_TO_ZONE)
    return chosen, _refused(command, HOW_TO_ZONE_NEAR.format(zones=", ".join(sorted(near)[:3])))


HOW_TO_ALARM = "Write `alarm all off`, or `alarm sales off`, of one of these: {alarms}."
ALARM_ON = "{alarm} on: {what}"
ALARM_OFF = "{alarm} off: {what}"


def _alarm(command: Command, chosen: SeatSettings) -> tuple[SeatSettings, Result]:
    """`alarm` lists what wakes a player who passes by order; `alarm sales off`, `alarm all on`."""
    found = _SWITCH.fullmatch(command.rest)
    names = list(ALARMS) if found and found[1].lower() == "all" else []
    if found and found[1].lower() in ALARMS:
        names = [found[1].lower()]
    if command.rest and not (found and names):
        return chosen, _refused(command, HOW_TO_ALARM.format(alarms=", ".join(ALARMS)))
    if found:
        quiet = {*chosen.quiet, *names} if found[2].lower() == "off" else {*chosen.quiet} - {*names}
        chosen = replace(chosen, quiet=tuple(name for name in ALARMS if name in quiet))
    every = (
        (ALARM_OFF if name in chosen.quiet else ALARM_ON).format(alarm=name, what=what)
        for name, what in ALARMS.items()
    )
    return chosen, _done(command, command.text.lower(), *every)


HOW_TO_RELEASE = "Write `release notes on` or `release notes off`."
RELEASE_ON = (
    "If somebody takes your seat over, your notes that stand then go to them, and to nobody "
    "else. The diary stays yours until the end."
)
RELEASE_OFF = "If somebody takes your seat over, your notes are forgotten."


def _release(command: Command, chosen: SeatSettings) -> tuple[SeatSettings, Result]:
    """`release notes on`: who takes the seat over gets the notes that stand then."""
    found = _RELEASE.fullmatch(command.rest)
    if found is None:
        return chosen, _refused(command, HOW_TO_RELEASE)
    on = found[1].lower() == "on"
    told = RELEASE_ON if on else RELEASE_OFF
    return replace(chosen, release=on), _done(command, f"release notes {found[1].lower()}", told)


WORDS_BEHIND = "Put the words behind it: `{word}: token first`."
NOT_KEPT = "Nothing of it was kept: {count} characters; at most {most} are kept of one {word}."
NOTE_COMES_BACK = "It comes back in your next turn mail. Nobody else sees it."
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


HOW_TO_TELL = "Write it as in `tell Bob, Cat: shall we trade?`."
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
    "Nothing of it was sent: {count} characters, and a mail may say {most} to the "
    "others. Send it in parts, or as mails of your own."
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


MESSAGE_BEHIND = "Put the message behind it: `say: well played`."
SENT_TO_ALL = "sent to all players"


def say(command: Command, limit: str = "") -> Result:
    """A message to all; the letters carry it, unless ``limit`` says why not."""
    if not command.rest:
        return _refused(command, MESSAGE_BEHIND)
    return _refused(command, limit) if limit else _done(command, command.shown, SENT_TO_ALL)


#: what is said of an address that was renewed
RENEWED = (
    "Your address in this game is a new one, the old one is void. Reply to this mail or to later "
    "ones; nobody who has an older mail can write in your name any more."
)


def renews(command: Command) -> bool:
    """Whether it is `new token`."""
    return command.word == "new" and command.rest.lower() == "token"


HOW_TO_RENEW = "Write `new token` for a new address of your seat."


def new(command: Command) -> Result:
    """The seat gets a new address; this answer bears it."""
    if not renews(command):
        return _refused(command, HOW_TO_RENEW)
    return _done(command, "new token", RENEWED)


WHO_CHANGES_TIMES = (
    "`propose batch {times}` asks all players; the organiser may write it alone, from the "
    "organiser's address."
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


HELD = "Nothing of this mail is done yet; nobody else sees it."
HOLD_WITH_COMMANDS = "`hold` goes with commands of your turn, which are not done yet then."


def hold(command: Command, plan: bool, refused: bool) -> Result:
    """Nothing of the mail's turn is done yet, if it has one that could be done."""
    if plan and refused:
        return Result(command.number, command.shown, "unsent")
    if plan:
        return _done(command, "hold", HELD)
    return _refused(command, HOLD_WITH_COMMANDS)


TURN_FOLLOWS = "Your turn mail follows."
NOT_YOUR_TURN = "It is not your turn: {names} must act."


def resend(command: Command, to_act: Sequence[str], seat: str) -> Result:
    """The turn mail is written anew, if it is the player's turn."""
    if seat in to_act:
        return _done(command, "resend", TURN_FOLLOWS)
    names = " and ".join(to_act) or "nobody"
    return _refused(command, NOT_YOUR_TURN.format(names=names))


STANDS_ALONE = "`{word}` stands alone: send it in a mail of its own."


def alone(command: Command) -> Result:
    """A word on who plays the seat or how they prove it, beside others."""
    return _refused(command, STANDS_ALONE.format(word=command.word))


IS_SIGNATURE = "Your mails end so: it is taken for your signature, and not read from now on."
IF_NO_SIGNATURE = "If it is none, write it elsewhere than in the last lines, or `say:` before it."


def signature(lines: Sequence[Line]) -> Result:
    """What was taken for the player's signature, told the first time."""
    text = cut(" / ".join(line.text for line in lines), SHOWN)
    notes = (IS_SIGNATURE, IF_NO_SIGNATURE)
    return Result(lines[0].number, text, "ignored", notes=notes)


def _done(command: Command, canonical: str, *notes: str) -> Result:
    return Result(command.number, command.shown, "ok", canonical, notes)


def _refused(command: Command, reason: str) -> Result:
    return Result(command.number, command.shown, "no", notes=(reason,))
