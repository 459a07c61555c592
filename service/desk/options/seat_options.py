"""Players' own settings, such as pictures, news, time zone, alarms, quiet hours and reminders."""

import re
from dataclasses import replace

from msgspec import structs

from service.clocks import digests, quiet, zones
from service.commands.command import Command
from service.commands.results import done
from service.desk.answering.effects import Effect, singly
from service.desk.answering.game_email import GameContext
from service.games import choices
from service.games.choices import IMAGES, SeatSettings, seat_settings
from service.games.games import with_seat
from service.orders.sight import ALARMS
from service.refusal import Refused
from service.reports import Result
from service.store import Tx

_OF_CLOCK = ("quiet", "remind", "auto-leave")
_ALL = ("50", "90")
HOW_TO_REMIND = (
    "Write `remind on` for reminders after 50 % and 90 % of your time, `remind 50` or `remind 90` "
    "for one of them, or `remind off`."
)


# Such a choice counts from the next decision on; otherwise a player could evade a deadline.
ALL_HOURS = "All hours count, on your clock from your next decision on."
QUIET_HOURS = (
    "By the clock of {zone}; `zone NAME` sets another. They do not count, on your clock from your "
    "next decision on; no reminder comes in them."
)
QUIET_FOLLOWS = "Your quiet hours follow it, on your clock from your next decision on."


def _of_clock(command: Command, chosen: SeatSettings) -> tuple[SeatSettings, Result]:
    """The settings after `quiet 23:00 07:00`, `remind 90`, `auto-leave on`."""
    if command.word == "quiet":
        return _quiet(command, chosen)
    return _remind(command, chosen) if command.word == "remind" else _auto(command, chosen)


def _quiet(command: Command, chosen: SeatSettings) -> tuple[SeatSettings, Result]:
    hours = quiet.read(command.rest)
    if hours is None:
        return structs.replace(chosen, night=""), done(command, ALL_HOURS, canonical="quiet off")
    text = QUIET_HOURS.format(zone=chosen.zone)
    return structs.replace(chosen, night=str(hours)), done(
        command, text, canonical=f"quiet {hours}"
    )


REMINDS = "You get a reminder after {percent} of your time, and an email when it is over."
NO_REMINDER = "You get no reminder, but an email when your time is over."


def _remind(command: Command, chosen: SeatSettings) -> tuple[SeatSettings, Result]:
    words = re.sub(r"[,%]|\band\b|\bat\b", " ", command.rest.lower()).split()
    if words in (["on"], ["all"]):
        words = list(_ALL)
    elif words == ["off"]:
        words = []
    elif not words or any(word not in _ALL for word in words):
        raise Refused(HOW_TO_REMIND)
    kept = tuple(word for word in _ALL if word in words)
    percent = " and ".join(f"{word} %" for word in kept)
    message = REMINDS.format(percent=percent) if kept else NO_REMINDER
    text = "on" if kept == _ALL else " ".join(kept) or "off"
    return structs.replace(chosen, remind=kept), done(command, message, canonical=f"remind {text}")


HOW_TO_AUTO = "Write `auto-leave on` or `auto-leave off`."
AUTO_ON = "When your time is over and you have leave left, you are on leave until you answer."
AUTO_OFF = "When your time is over, it is over."


def _auto(command: Command, chosen: SeatSettings) -> tuple[SeatSettings, Result]:
    if command.rest.lower() not in ("on", "off"):
        raise Refused(HOW_TO_AUTO)
    on = command.rest.lower() == "on"
    text = AUTO_ON if on else AUTO_OFF
    name = f"auto-leave {'on' if on else 'off'}"
    return structs.replace(chosen, auto_leave=on), done(command, text, canonical=name)


_NEWS = {"all": "each", "each": "each", "rounds": "round", "round": "round", "off": "off"}
_SWITCH = re.compile(r"(\w+)\s+(on|off)", re.IGNORECASE)
_RELEASE = re.compile(r"(?:my\s+)?notes?\s+(on|off)", re.IGNORECASE)


def _choose(context: GameContext, command: Command) -> Effect:
    """The seat with another setting, from the next email on, including the answer to this one."""
    assert context.seat is not None
    now = context.desk.now
    chosen, result = chosen_by(command, seat_settings(context.seat))
    seat = replace(context.seat, settings=chosen.stored())
    stays = any(one.id == seat.id for one in context.table.seats)
    if not stays:
        return Effect((result,))

    def write(tx: Tx) -> None:
        tx.seats.change(seat.id, settings=seat.settings)
        # The events that it sums up may have happened already.
        due = choices.task(context.game, seat, now) if chosen.news.sums_up else None
        if due is not None:
            tx.tasks.add(due, now)

    return Effect((result,), changed=with_seat(context.table, seat), write=write, changes=True)


choose = singly(_choose)


HOW_TO_IMAGES = "Write `images` and one of: on, changed, off."
HOW_TO_DIGEST = f"Write {digests.syntax('digest')}."


def chosen_by(command: Command, chosen: SeatSettings) -> tuple[SeatSettings, Result]:
    """The settings after `images off`, `digest round`, `zone Europe/Berlin`, `alarm sales off`.

    Raises Refused.
    """
    if command.word == "zone":
        return _zone(command, chosen)
    if command.word == "alarm":
        return _alarm(command, chosen)
    if command.word in _OF_CLOCK:
        return _of_clock(command, chosen)
    if command.word == "release":
        return _release(command, chosen)
    word = command.rest.lower()
    if command.word == "images":
        images = next((one for one in IMAGES if one == word), None)
        if images is not None:
            return structs.replace(chosen, images=images), done(command, canonical=f"images {word}")
    elif digest := _NEWS.get(word, "") if command.word == "news" else digests.read(word):
        return _digest(command, structs.replace(chosen, digest=digest))
    raise Refused(HOW_TO_IMAGES if command.word == "images" else HOW_TO_DIGEST)


ANOTHER_ZONE = "`zone NAME` sets another time zone."


def _digest(command: Command, chosen: SeatSettings) -> tuple[SeatSettings, Result]:
    told = [digests.in_words(chosen.digest, chosen.zone), *[ANOTHER_ZONE] * chosen.waits]
    return chosen, done(command, *told, canonical=f"digest {chosen.digest}")


def _zone(command: Command, chosen: SeatSettings) -> tuple[SeatSettings, Result]:
    """`zone Europe/Berlin`: a name of the IANA time zone database."""
    zone = zones.read(command.rest)
    notes = (QUIET_FOLLOWS,) if chosen.night else ()
    return structs.replace(chosen, zone=zone), done(command, *notes, canonical=f"zone {zone}")


HOW_TO_ALARM = "Write `alarm all off`, or `alarm sales off`, of one of these: {alarms}."
ALARM_ON = "{alarm} on: {what}"
ALARM_OFF = "{alarm} off: {what}"


def _alarm(command: Command, chosen: SeatSettings) -> tuple[SeatSettings, Result]:
    """`alarm` lists the events that stop `pass round`; `alarm sales off`, `alarm all on`."""
    found = _SWITCH.fullmatch(command.rest)
    names = list(ALARMS) if found and found[1].lower() == "all" else []
    if found and found[1].lower() in ALARMS:
        names = [found[1].lower()]
    if command.rest and not (found and names):
        raise Refused(HOW_TO_ALARM.format(alarms=", ".join(ALARMS)))
    if found:
        quiet = {*chosen.quiet, *names} if found[2].lower() == "off" else {*chosen.quiet} - {*names}
        chosen = structs.replace(chosen, quiet=tuple(name for name in ALARMS if name in quiet))
    every = (
        (ALARM_OFF if name in chosen.quiet else ALARM_ON).format(alarm=name, what=what)
        for name, what in ALARMS.items()
    )
    return chosen, done(command, *every, canonical=command.text.lower())


HOW_TO_RELEASE = "Write `release notes on` or `release notes off`."
RELEASE_ON = (
    "If somebody takes your seat over, your notes that stand then go to them, and to nobody "
    "else. The diary stays yours until the end."
)
RELEASE_OFF = "If somebody takes your seat over, your notes are forgotten."


def _release(command: Command, chosen: SeatSettings) -> tuple[SeatSettings, Result]:
    """`release notes on`: the next player of the seat gets the notes as they are then."""
    found = _RELEASE.fullmatch(command.rest)
    if found is None:
        raise Refused(HOW_TO_RELEASE)
    on = found[1].lower() == "on"
    message = RELEASE_ON if on else RELEASE_OFF
    text = f"release notes {found[1].lower()}"
    return structs.replace(chosen, release=on), done(command, message, canonical=text)
