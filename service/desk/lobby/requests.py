"""`create`, `join` and `start`, which anybody may write to Waybill's own address."""

import re
from collections.abc import Sequence
from dataclasses import replace

from service.audience import of_organiser, of_seat
from service.commands.command import Command
from service.commands.results import done
from service.desk.answering.effects import Effect
from service.desk.answering.game_email import GameContext
from service.desk.door import unchanged
from service.desk.letters.desk import AtPosition
from service.desk.lobby import before_start, lobby
from service.desk.options import game_channels
from service.desk.proving.arrived import WrittenAt
from service.desk.strangers.by_letter import SeparateAnswer, by_letter, parts
from service.desk.strangers.stranger_mail import ANOTHER_LETTER, GamesSeen, StrangerContext
from service.games import timing
from service.games.games import GameTable, load
from service.games.naming import shown
from service.rations import DAY
from service.refusal import Refused
from service.reports import confirm_page, created_page, note_page
from service.reports.letters import Waits
from service.reports.words import moment
from service.said import NO_GAME
from service.store import Letter, Tx

CREATE = re.compile(
    r"create\s+(?P<title>\w+)\s+(?P<name>[^\s,]+)(?:,?\s+list\s?=\s?(?P<list>\S+))?"
    r"(?:,?\s+(?:with|options?:?)\s+(?P<with>.+)|,?\s+(?P<only>(?:overlay\s|grade\s|clock[\s=]|undo[\s=])\s?\S.*))?",
    re.I,
)
_JOIN = re.compile(
    r"join\s+(?:the\s+game\s+|game\s+)?(?P<name>[^\s,]+)"
    r"(?:(?:\s+as|,?(?:\s+and)?\s+my\s+name\s+is)\s+(?P<seat>\S.*))?",
    re.I,
)
_START = re.compile(r"start(?:\s+(?P<name>\S+))?", re.I)


#: characters that end a line as a sentence and are no part of a name
_STOPS = " .!,;:"

HOW_TO_CREATE = "Write: create TITLE NAME, for example: create 18AL dixie7 with two-yellow"
HOW_TO_JOIN = "Write: join NAME as YOU, for example: join dixie7 as Bob"
HOW_TO_START = (
    "`start dixie7` starts a game that you have created and that others have joined. "
    "`create 18AL dixie7` creates a new game."
)


def create(context: StrangerContext, command: Command) -> Effect:
    """`create 18AL dixie7 with two-yellow, clock each 48h`."""
    found = parts(CREATE, command, HOW_TO_CREATE)

    def judge(seen: GamesSeen) -> SeparateAnswer:
        service, desk, sender = context.desk.service, context.desk, context.mail.sender
        table = lobby.proposed(seen.reads, service, found, sender, desk.now, seen.made)
        address = (found["list"] or "").rstrip(",;")
        chosen = game_channels.name_list(seen.reads, desk, table, address) if address else None
        game, name = chosen.table if chosen else table, table.row.name

        def write(tx: Tx) -> None:
            made = lobby.create(tx, table, desk.now)
            if game.mailing is not None:
                game_channels.keep(tx, made, game.mailing)

        def facts(tx: Tx) -> object:
            listed = game.mailing.address if game.mailing else ""
            return lobby.why_taken(tx, name), game_channels.is_persons(tx, service, listed)

        letter = _created(context, table, chosen.told if chosen else ())
        checks = (unchanged(seen.reads, facts, f"what the name {name} or its list means"),)
        return SeparateAnswer(("create", name), letter, write, game=game, checks=checks)

    return by_letter(context, command, judge)


def _created(context: StrangerContext, table: GameTable, mailing: Sequence[str]) -> Letter:
    """To the organizer of a new game; ``mailing`` says what its list needs."""
    service, desk, row = context.desk.service, context.desk, table.row
    to, until = of_organiser(row.name), moment(desk.now + service.open_days * DAY)
    rule = timing.rule_of(table)
    page = created_page(
        to,
        table.title,
        service.address,
        Waits(until, tuple(mailing), rule.in_words() if rule else ""),
        service.button_address(to, row.epoch, 0),
        templates=service.templates,
    )
    return desk.to_organiser("created", row, context.small(page), answers=context.mail)


def join(context: StrangerContext, command: Command) -> Effect:
    """`join dixie7 as Bob`: the seat is theirs after they reply `yes` from their address."""
    found = parts(_JOIN, replace(command, text=command.text.rstrip(_STOPS)), HOW_TO_JOIN)
    service, desk = context.desk.service, context.desk

    def judge(seen: GamesSeen) -> SeparateAnswer:
        before = seen.find(found["name"].lower())
        table, seat = lobby.joined(before, service, found, context.mail.sender, desk.now)

        def write(tx: Tx) -> None:
            lobby.store_offer(tx, table, seat)

        to, at = of_seat(table.row.name, seat.name), AtPosition(table.row.name)
        until = moment(lobby.offer_ends(table, seat, service.offer_days, service.open_days))
        own = service.button_address(to, seat.epoch, 0)
        page = confirm_page(to, table.title, until, own, templates=service.templates)
        letter = desk.to_seat("confirm", at, seat, context.small(page), answers=context.mail)
        about = ("join", table.row.name, seat.name)
        checks = seen.unchanged(before) if before is not None else ()
        return SeparateAnswer(about, letter, write, asks=True, game=table, checks=checks)

    return by_letter(context, command, judge)


WHICH_GAME = "Which game? Write: start NAME. `games` lists those there are."
ORGANISER_STARTS = "{game} is started by its organizer, whose address is another than yours."
START_IT = "[{game}] Start {game}?"
DO_YOU_START = "Start {game}?"
ANYBODY_COULD = "Anybody could have written this email in your name, so the game has not begun yet."
REPLY_START = (
    "To start it, reply with the one word below. Your reply goes to your private organizer's "
    "address, which nobody else knows."
)


def start(context: StrangerContext, command: Command) -> Effect:
    """`start dixie7` by its organizer; where From is no proof, Waybill asks them first."""
    name = (parts(_START, command, HOW_TO_START)["name"] or "").lower()
    table = _startable(context, name)
    writer = context.as_organiser(table)
    if writer is None:
        answer = SeparateAnswer(("start", table.row.name), _do_you_start(context, table), asks=True)
        return by_letter(context, command, lambda _: answer)
    context.room()
    desk = context.desk.about(table.row.name)
    written = WrittenAt(None, desk.now)
    made = GameContext(context.reads, desk, context.mail, writer, written)
    effect = before_start.start(made, command)
    page = made.after(effect).page(effect.results, effect.closing)
    letters = (made.letter(page), *effect.letters)
    told = done(command, ANOTHER_LETTER, canonical=f"{command.word} {table.row.name}")
    return Effect(
        (told,),
        letters=letters,
        write=effect.store,
        changes=True,
        answered=True,
        checks=(made.check_unchanged, effect.check),
        rations=(context.ration,),
    )


def _startable(context: StrangerContext, name: str) -> GameTable:
    """The game that the sender may start, if they are the organizer. Raises Refused."""
    sender, lines = context.mail.sender.lower(), context.reads.games.lines("open")
    mine = [row.name for row in lines if row.organiser.lower() == sender]
    table = load(context.reads, name or (mine[0] if len(mine) == 1 else ""))
    if table is None:
        raise Refused(NO_GAME.format(name=shown(name)) if name else WHICH_GAME)
    if not table.is_organiser(sender):
        raise Refused(
            ORGANISER_STARTS.format(game=table.row.name),
            hint="If you are the organizer, write from the address that created the game.",
        )
    if table.row.status != "open":
        raise Refused(lobby.HAS_BEGUN_ALREADY.format(game=table.row.name))
    return table


def _do_you_start(context: StrangerContext, table: GameTable) -> Letter:
    """To the organizer: a reply to this email goes to the address that proves the writer."""
    name = table.row.name
    to, about = of_organiser(name), context.about(name, table.title)
    subject, headline = START_IT.format(game=name), DO_YOU_START.format(game=name)
    lines = (ANYBODY_COULD, REPLY_START)
    page = note_page(to, subject, headline, lines, ("start",), about=about)
    return context.desk.to_organiser("confirm", table.row, context.small(page), context.mail)
