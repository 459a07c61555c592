"""`watch dixie7` and `unwatch dixie7`: anybody may write them; asks people who want to watch.

Waybill sends news to an address only after a reply from there. A watcher reads only the public part
of a game.
"""

import re
from collections.abc import Iterable
from dataclasses import replace

from service.audience import EVERYBODY, of_observers
from service.clocks import digests
from service.commands.command import Command
from service.desk.answering.effects import Effect
from service.desk.door import Check, Write, unchanged
from service.desk.letters.desk import Desk
from service.desk.letters.ticket import Ticket
from service.desk.strangers.by_letter import SeparateAnswer, by_letter, parts
from service.desk.strangers.stranger_mail import GamesSeen, StrangerContext
from service.games.choices import SeatSettings, observer_settings
from service.games.games import GameTable, stored_id
from service.games.shown import unlisted, why_not_told
from service.mail.message import Mail
from service.rations import DAY
from service.refusal import Refused
from service.reports import note_page
from service.said import IF_NOT, NOTHING_HAPPENS, REST_NOT_UNDERSTOOD
from service.store import Conflict, Letter, ObserverRow, Tx

#: purposes of tickets: the address for replies, and the address that unsubscribes
WATCH = "watch"
UNWATCH = "unwatch"
#: most watchers of a game
MOST = 100

_WATCH = re.compile(r"watch(?:\s+(?P<name>\S+)(?:,?\s+(?P<how>(?:digest\s+)?\S.*))?)?", re.I)
_UNWATCH = re.compile(r"(?:unwatch|unsubscribe)(?:\s+(?P<name>\S+))?", re.I)

HOW_TO_WATCH = "Write: watch NAME, for example: watch dixie7, or watch dixie7 round"
HOW_TO_UNWATCH = "Write: unwatch NAME, for example: unwatch dixie7"


def watch_ticket(game: str, row: ObserverRow) -> Ticket:
    """The proof that a reply is an observer's, as long as they watch."""
    return Ticket(game, WATCH, row.address, (row.id, row.asked), UNWATCH, of_observers(game))


YOU_PLAY = "You play in {game} yourself."
IS_FULL = "{most} people watch {game} already, and no more can."


def watch(context: StrangerContext, command: Command) -> Effect:
    """`watch dixie7 daily 07:00`: they must confirm it from their address."""
    found = parts(_WATCH, command, HOW_TO_WATCH)
    return by_letter(context, command, lambda seen: ask(seen, context.desk, found, context.mail))


def ask(seen: GamesSeen, desk: Desk, found: re.Match[str], mail: Mail) -> SeparateAnswer:
    """Ask a person who wants to watch a game, at their own address. Raises Refused."""
    table, page = seen.called(found["name"] or "")
    address, game = mail.sender.lower(), table.row.name
    why = why_not_told(table.row, table.settings, desk.service.secret, page)
    if why:
        raise Refused(why)
    if table.row.status not in ("open", "running"):
        raise Refused(NOTHING_HAPPENS.format(game=game))
    if any(seat.address.lower() == address for seat in table.seats):
        raise Refused(YOU_PLAY.format(game=game), hint="`digest each` brings you all its news.")
    chosen = SeatSettings(digest=_digest(found["how"] or "") or desk.service.digest)
    since = desk.now - desk.service.offer_days * DAY
    every = seen.reads.observers.of(table.row.id)
    known = [one for one in every if one.agreed is not None or one.asked >= since]
    own = next((one for one in known if one.address == address), None)
    about, checks = ("watch", game), (*seen.unchanged(table), _same_watchers(seen.reads, table))
    if own is not None and own.agreed is not None:
        return SeparateAnswer(about, _already(desk, table, own, mail), checks=checks)
    if len(known) - (own is not None) >= MOST:
        raise Refused(
            IS_FULL.format(most=MOST, game=game), hint=f"`status {game}` shows its position."
        )
    secret_page = unlisted(table.row, table.settings, desk.service.secret)
    settings = chosen.stored()

    def write(tx: Tx) -> Iterable[Letter]:
        number = stored_id(tx, table)
        tx.observers.drop_unanswered(number, since)
        row = tx.observers.ask(number, address, secret_page, settings, desk.now)
        return (_asked(desk, table, row, mail),)

    return SeparateAnswer(about, write=write, checks=checks)


def _same_watchers(reads: Tx, table: GameTable) -> Check:
    row = table.row
    return unchanged(reads, lambda tx: tx.observers.of(row.id), f"who watches {row.name}")


WHEN_TO_WRITE = f"Write {digests.syntax('watch NAME', off=False)}."


def _digest(text: str) -> str:
    """The times of news; "" if none are named. Raises Refused."""
    words = text.strip().removeprefix("digest").strip()
    found = digests.read(words) if words else ""
    if words and found in ("", digests.OFF.word):
        raise Refused(REST_NOT_UNDERSTOOD, hint=WHEN_TO_WRITE)
    return found


def how(row: ObserverRow) -> str:
    """The times at which somebody gets news, in a sentence."""
    chosen = observer_settings(row)
    return digests.in_words(chosen.digest, chosen.zone)


WANTS_TO_WATCH = (
    "You (or somebody using your address) asked to watch “{game}”, a game of {title} played by "
    "email, and to get its news here."
)
REPLY_YES = (
    "If that is right, reply with the one word below within {days} days. {how} You can end it at "
    "any time with one word."
)
ASK_SUBJECT = "[{game}] Do you want to watch? Reply yes"
ASK = "Do you want to watch {game}?"


def _asked(desk: Desk, table: GameTable, row: ObserverRow, mail: Mail) -> Letter:
    game, days = table.row.name, desk.service.offer_days
    lines = (
        WANTS_TO_WATCH.format(game=game, title=table.title.name),
        REPLY_YES.format(days=days, how=how(row)),
        IF_NOT,
    )
    subject = ASK_SUBJECT.format(game=game)
    headline = ASK.format(game=game)
    about = desk.service.about(game, table.title)
    page = note_page(EVERYBODY, subject, headline, lines, ("yes",), about=about)
    return desk.about(game).to_ticket("watch-confirm", watch_ticket(game, row), page, mail)


HOW = (
    f"Reply {digests.syntax('digest', off=False)} for more or fewer emails, `zone Europe/Berlin` "
    "for your own clock, `images off` for no pictures, `unwatch` to end it."
)
ALREADY_SUBJECT = "[{game}] You watch {game} already"
ALREADY = "You watch {game} already."


def _already(desk: Desk, table: GameTable, row: ObserverRow, mail: Mail) -> Letter:
    game = table.row.name
    about = desk.service.about(game, table.title)
    subject, headline = ALREADY_SUBJECT.format(game=game), ALREADY.format(game=game)
    page = note_page(EVERYBODY, subject, headline, (how(row), HOW), about=about)
    return desk.about(game).to_ticket("watch-answer", watch_ticket(game, row), page, mail)


NOT_WATCHED = "This address does not watch {game}."


def unwatch(context: StrangerContext, command: Command) -> Effect:
    """`unwatch dixie7`: no more news; one reply starts them again."""
    name = parts(_UNWATCH, command, HOW_TO_UNWATCH)["name"] or ""
    return by_letter(context, command, lambda seen: end(seen, context.desk, name, context.mail))


def end(seen: GamesSeen, desk: Desk, text: str, mail: Mail) -> SeparateAnswer:
    """End the news without a proof. The watcher gets an email about it. Raises Refused."""
    address = mail.sender.lower()
    table, _ = seen.called(text)
    every = seen.reads.observers.of(table.row.id)
    row = next((one for one in every if one.address == address), None)
    game = table.row.name
    if row is None or row.agreed is None:
        raise Refused(NOT_WATCHED.format(game=game), hint=f"`watch {game}` asks for its news.")
    letter, write = ends(desk, table, row, mail)
    return SeparateAnswer(("watch", game), letter, write)


def ends(desk: Desk, table: GameTable, row: ObserverRow, mail: Mail) -> tuple[Letter, Write]:
    """The email to a watcher who gets no more news, unless they reply `yes`; what stores that."""
    game, number = table.row.name, row.id
    again = replace(row, asked=max(desk.now, row.asked + 1), agreed=None)

    def write(tx: Tx) -> None:
        if not tx.observers.ask_again(number, again.asked):
            raise Conflict(f"who watches {game} has changed")

    return ended(desk, table, watch_ticket(game, again), mail), write


NOTHING_MORE = "Nothing more of {game} comes to you."
YES_GOES_ON = "If you did not want that, reply `yes`."
ENDED_SUBJECT = "[{game}] You no longer watch {game}"
ENDED = "You no longer watch {game}."


def ended(desk: Desk, table: GameTable, ticket: Ticket, mail: Mail) -> Letter:
    """To a person who no longer watches."""
    game = table.row.name
    lines = (NOTHING_MORE.format(game=game), YES_GOES_ON)
    about = desk.service.about(game, table.title)
    subject, headline = ENDED_SUBJECT.format(game=game), ENDED.format(game=game)
    page = note_page(EVERYBODY, subject, headline, lines, about=about)
    return desk.about(game).to_ticket("watch-answer", ticket, page, mail)
