"""What a player chooses for themselves: pictures, news, time zone, alarms, hours, reminders."""

import re
from dataclasses import replace
from difflib import get_close_matches
from zoneinfo import available_timezones

from msgspec import json, structs

from service.commands.command import Command
from service.desk.effects import Effect, done, refused, singly
from service.desk.game_email import GameContext
from service.desk.turns import clock_choices
from service.games import digests
from service.games.choices import IMAGES, SeatSettings, as_digest
from service.games.games import seat_settings, with_seat
from service.orders.sight import ALARMS
from service.reports import Result
from service.said import AFTER_EACH, AFTER_ROUND
from service.store import Tx

_NEWS = {"all": "each", "each": "each", "rounds": "round", "round": "round", "off": "off"}
_SWITCH = re.compile(r"(\w+)\s+(on|off)", re.IGNORECASE)
_RELEASE = re.compile(r"(?:my\s+)?notes?\s+(on|off)", re.IGNORECASE)


def _choose(context: GameContext, command: Command) -> Effect:
    """The seat with another setting, from the next letter on, the answer to this email included."""
    assert context.seat is not None
    now = context.desk.now
    chosen, result = chosen_by(command, seat_settings(context.seat))
    seat = replace(context.seat, settings=json.encode(chosen))
    stays = any(one.id == seat.id for one in context.table.seats)
    if result.status != "ok" or not stays:
        return Effect((result,))

    def write(tx: Tx) -> None:
        tx.seats.change(seat.id, settings=seat.settings)
        # The week may have had its moves already.
        weekly = digests.task(context.game, seat, now) if chosen.news == "weekly" else None
        if weekly is not None:
            tx.tasks.add(weekly, now)

    return Effect((result,), with_seat(context.table, seat), write=write, changes=True)


choose = singly(_choose)


HOW_TO_IMAGES = "Write `images` and one of: on, changed, off."
HOW_TO_DIGEST = (
    "Write `digest each`, `digest round`, `digest daily 07:00`, `digest weekly 07:00` or "
    "`digest off`."
)


def chosen_by(command: Command, chosen: SeatSettings) -> tuple[SeatSettings, Result]:
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
            return structs.replace(chosen, images=images), done(command, canonical=f"images {word}")
    elif digest := _NEWS.get(word, "") if command.word == "news" else as_digest(word):
        return _digest(command, structs.replace(chosen, digest=digest))
    return chosen, refused(command, HOW_TO_IMAGES if command.word == "images" else HOW_TO_DIGEST)


TURNS_ONLY = "Turn emails come all the same, and no others."
BY_THE_CLOCK = "By the clock of {zone}; `zone NAME` sets another."
_TOLD = {"each": AFTER_EACH, "round": AFTER_ROUND, "off": TURNS_ONLY}


def _digest(command: Command, chosen: SeatSettings) -> tuple[SeatSettings, Result]:
    told = _TOLD.get(chosen.news, BY_THE_CLOCK.format(zone=chosen.zone))
    return chosen, done(command, told, canonical=f"digest {chosen.digest}")


HOW_TO_ZONE = "Write it as in `zone Europe/Berlin`."
HOW_TO_ZONE_NEAR = "Write it as in `zone Europe/Berlin`. Did you mean {zones}?"


def _zone(command: Command, chosen: SeatSettings) -> tuple[SeatSettings, Result]:
    """`zone Europe/Berlin`: a name of the IANA time zone database."""
    known = {name.casefold(): name for name in available_timezones()}
    wanted = "_".join(command.rest.split()).casefold()
    if wanted in known:
        zone = known[wanted]
        notes = (clock_choices.QUIET_FOLLOWS,) if chosen.night else ()
        return structs.replace(chosen, zone=zone), done(command, *notes, canonical=f"zone {zone}")
    ends = [name for key, name in known.items() if key.rpartition("/")[2] == wanted]
    near = ends or [known[key] for key in get_close_matches(wanted, known, 3)]
    if not near:
        return chosen, refused(command, HOW_TO_ZONE)
    return chosen, refused(command, HOW_TO_ZONE_NEAR.format(zones=", ".join(sorted(near)[:3])))


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
        return chosen, refused(command, HOW_TO_ALARM.format(alarms=", ".join(ALARMS)))
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
    """`release notes on`: who takes the seat over gets the notes that stand then."""
    found = _RELEASE.fullmatch(command.rest)
    if found is None:
        return chosen, refused(command, HOW_TO_RELEASE)
    on = found[1].lower() == "on"
    told = RELEASE_ON if on else RELEASE_OFF
    text = f"release notes {found[1].lower()}"
    return structs.replace(chosen, release=on), done(command, told, canonical=text)
