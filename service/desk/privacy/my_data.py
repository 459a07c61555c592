"""`my data` and `forget me`: what is stored about an address, shown to its owner and deleted.

From can be forged. So the data goes only to the address that it is about. Waybill deletes nothing
before its owner sends back a code that went there.
"""

import re
from collections.abc import Iterable
from functools import partial

import msgspec

from service.audience import EVERYBODY
from service.commands.command import Command
from service.commands.results import done
from service.desk.answering.effects import Effect
from service.desk.strangers.by_letter import SeparateAnswer, by_letter
from service.desk.strangers.stranger_mail import StrangerContext
from service.games.games import GameSettings
from service.mail import identity
from service.rations import DAY
from service.refusal import Refused
from service.reports import Answer, Result, note_page
from service.reports.tables import Lines, Pairs, Row
from service.store import Conflict, Letter, Part, Person, Tx

#: days within which a code must come back
DAYS = 7
_PURPOSE = "forget"
FORGET = re.compile(r"forget\s+me(?:\s+(?P<code>[a-z2-7]{16}))?[.!]?", re.IGNORECASE)

MY_DATA = "my data"
HEADING = "WHAT WAYBILL STORES ABOUT {address}"
PARTS = "games and tournaments"
NO_PART = "none"
PART = "{what} of {where}"
PART_NAMED = "{what} of {where} as {name}"
COUNTS = "texts of emails"
COUNTED = "{received} from you, {sent} to you"
STAYS = (
    "Of a game Waybill also stores the moves and messages of each seat. They stay, under the name "
    "of the seat. Emails are deleted after the time that this service has set."
)
HOW = "`forget me` deletes the rest. You get an email with a code first."


def my_data(context: StrangerContext, command: Command) -> Effect:
    """`my data`: an email to the address that it is about."""
    person = context.reads.persons.about(context.mail.sender)
    heading = HEADING.format(address=person.address)
    answer = Answer((Pairs(heading, stored(person)), Lines("", (STAYS, HOW))))
    return Effect((Result(command.number, MY_DATA, "answer", MY_DATA, answer=answer),))


def forget(address: str, tx: Tx) -> None:
    """Delete an address. Raises Conflict if its owner is busy in a game by now."""
    if tx.persons.about(address).busy:
        raise Conflict(NOW_BUSY)
    for row in tx.games.assisted_by(address):
        settings = msgspec.json.decode(row.settings, type=GameSettings)
        tx.games.set_settings(row.id, settings.with_assistant("").stored())
    tx.persons.forget(address)


def stored(person: Person) -> tuple[Row, ...]:
    """The stored data, in a few rows."""
    parts = tuple(_called(part) for part in person.parts) or (NO_PART,)
    counted = COUNTED.format(received=person.received, sent=person.sent)
    return (Row(PARTS, parts, stacked=True), Row(COUNTS, (counted,)))


def named(parts: Iterable[Part]) -> str:
    """Parts, joined in a sentence."""
    return ", ".join(map(_called, parts))


def _called(part: Part) -> str:
    text = PART_NAMED if part.name else PART
    return text.format(what=part.what, where=part.where, name=part.name)


CANNOT_BE_FORGOTTEN = "{address} cannot be forgotten yet: {parts}"
BUSY = "Others still count on your parts: {parts}."
ASK_SUBJECT = "Delete what is stored about you?"
ASK = "Do you want to be forgotten?"
WHO = "You (or somebody using your address) asked Waybill to delete what it stores about {address}."
WHAT = (
    "Your address, your notes and diaries, and all emails from and to you are deleted. Moves, "
    "results and messages in games stay, under the name of your seat. This cannot be undone."
)
SEND = "If that is right, send the line below to this address within {days} days."
IF_NOT = "If not, you need not do anything."
STALE = "This code has expired, or is not for your address."
NOW_BUSY = "the sender plays again"
FORGOTTEN_NOW = "Your address and the emails from and to you are deleted. This answer is the last."


def forget_me(context: StrangerContext, command: Command) -> Effect:
    """`forget me` sends an email with a code; `forget me CODE` deletes. Raises Refused."""
    address, code = context.mail.sender.lower(), command.parts["code"]
    busy = context.reads.persons.about(address).busy
    if busy:
        raise Refused(
            BUSY.format(parts=named(busy)),
            hint="End them first: write `resign`, `cancel` or `withdraw` there.",
        )
    if not code:
        answer = SeparateAnswer(("forget",), _asked(context, address), asks=True)
        return by_letter(context, command, lambda seen: answer)
    secret, today = context.desk.service.secret, context.desk.now // DAY
    days = range(today - DAYS, today + 1)
    if not any(identity.proves(secret, code, _PURPOSE, address, day) for day in days):
        raise Refused(STALE, hint="Write `forget me` for a new one.")
    write = partial(forget, address)
    return Effect((done(command, FORGOTTEN_NOW),), write=write, changes=True)


def _asked(context: StrangerContext, address: str) -> Letter:
    desk = context.desk
    code = identity.one_time(desk.service.secret, _PURPOSE, address, desk.now // DAY)
    lines = (WHO.format(address=address), WHAT, SEND.format(days=DAYS), IF_NOT)
    about, commands = desk.service.about(), (f"forget me {code}",)
    page = note_page(EVERYBODY, ASK_SUBJECT, ASK, lines, commands, about=about)
    return desk.to_stranger("confirm", address, context.small(page), context.mail)
