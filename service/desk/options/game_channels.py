"""Where a game is played beside private email: on a list, on a forum, under which names there."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import cast, get_args

from service.audience import ORGANISER
from service.commands.command import Command
from service.commands.results import done
from service.desk.answering.effects import Effect
from service.desk.answering.game_email import GameContext
from service.desk.channels.forum import ForumChannel
from service.desk.channels.mailing_list import ListChannel
from service.desk.channels.public_channel import PublicChannel
from service.desk.letters.desk import Desk
from service.desk.proving import owners, proof
from service.desk.rationing import named_addresses
from service.desk.service import Service
from service.games.games import GameTable
from service.mail import identity
from service.mail.automatic import ROBOT
from service.refusal import Refused
from service.said import IS_OVER, REST_NOT_UNDERSTOOD
from service.store import (
    ForumNameRow,
    ForumRow,
    ListPictures,
    ListRow,
    Tx,
)

HOW = "Write `list dixie@lists.example.org`, `list off`, or `list pictures small`."
NO_PICTURES = "Write `list pictures attached`, `small`, `links` or `off`."
OUR_ADDRESS = "That is Waybill's own address, not a list's."
NAME_THE_LIST = "Write the address of the list."
A_ROBOTS = "That address belongs to a program."
A_PERSONS = "That is the address of a person who plays here, not a list's."
NO_PAGES = "Links need pages, and this service has none."
TAKE_SMALL_PICTURES = (
    "Its operator sets `publish.folder` and `publish.address`. Until then take `list pictures "
    "small`."
)
PRIVATE = "{game} has no page."
PICTURES = "Pictures for the list: {pictures}."
PLAYED_THERE = "The game is played on {address}; pictures {pictures}."
GREETED = (
    "Waybill sent an email to {address}. The game begins there as soon as that email comes back "
    "from the list, or somebody replies to it there."
)
NOTHING_YET = (
    "Nothing goes to {address} yet. First ask its owner to add {ours} as a member that gets all "
    "emails and may write."
)
WRITE_THE_LINE = "Then write this line to the list: `{line}`"
ASKED_IN_PRIVATE = (
    "Anybody can write another's address into an email to a list. So Waybill asks players in "
    "private before it carries out commands from there. After `grade friendly` it does not ask."
)
_PICTURES = re.compile(r"pictures?\s+(\w+)", re.IGNORECASE)


@dataclass(frozen=True)
class ChannelChoice:
    """One choice: its meaning in words, the game after it, and the function that stores it.

    ``write`` raises Conflict if the list is another by then.
    """

    told: tuple[str, ...]
    table: GameTable
    write: Callable[[Tx], None]


def name_list(tx: Tx, desk: Desk, table: GameTable, text: str) -> ChannelChoice | None:
    """Give the game the list with an address; it replaces the one before.

    None if the game has that list already. Raises Refused.
    """
    address = named_addresses.read(text.strip().removeprefix("mailto:"), HOW)
    _check(tx, desk.service, address)
    known = ListChannel.of(desk, table)
    if known is not None and known.address == address:
        return None
    game, now = table.row.id, desk.now
    number = max(known.row.number if known else 0, now) + 1
    made = ListRow(id=0, game_id=game, address=address, number=number, at=now)
    after = replace(known.without if known else table, mailing=made)

    def write(tx: Tx) -> None:
        ListChannel.forget(tx, desk, table)
        tx.channels.name_list(game, address, number, now)

    return ChannelChoice(state_of_list(ListChannel(desk, after)), after, write)


def keep(tx: Tx, table: GameTable, row: ListRow) -> None:
    """Store the list of a game that has just been created."""
    tx.channels.name_list(table.row.id, row.address, row.number, row.at)


def choose_pictures(desk: Desk, listed: ListChannel, text: str) -> ChannelChoice:
    """Choose which pictures the list gets. Raises Refused."""
    wanted, table = text.lower(), listed.table
    links = wanted == "links"
    if links and not desk.service.pages:
        raise Refused(NO_PAGES, hint=TAKE_SMALL_PICTURES)
    if links and table.settings.shown == "private":
        raise Refused(
            PRIVATE.format(game=table.row.name),
            "`pages private`",
            hint="`pages unlisted` gives it one.",
        )
    if not links and wanted not in get_args(ListPictures):
        raise Refused(REST_NOT_UNDERSTOOD, hint=NO_PICTURES)
    pictures = cast("ListPictures", "small" if links else wanted)
    after = replace(table, mailing=replace(listed.row, pictures=pictures, links=links))

    def write(tx: Tx) -> None:
        ListChannel.same(tx, desk, table)
        row = ListChannel.stored(tx, table.row.id)
        assert row is not None
        tx.channels.change_list(row, pictures=pictures, links=links)

    return ChannelChoice((PICTURES.format(pictures=wanted),), after, write)


def wanted_pictures(text: str) -> str | None:
    """The pictures that `list pictures …` asks for, None for any other text."""
    found = _PICTURES.fullmatch(text.strip())
    return found[1] if found else None


def _check(tx: Tx, service: Service, address: str) -> None:
    """Raises Refused for the address of a person, a robot, or Waybill."""
    if identity.is_own(address, *service.addresses):
        raise Refused(OUR_ADDRESS, hint=NAME_THE_LIST)
    if ROBOT.fullmatch(address):
        raise Refused(A_ROBOTS, hint=NAME_THE_LIST)
    if is_persons(tx, service, address):
        raise Refused(A_PERSONS, hint=NAME_THE_LIST)


def is_persons(tx: Tx, service: Service, address: str) -> bool:
    """Whether an address is an organizer's, a player's or the operator's."""
    known = tx.games.any_of(address) or bool(tx.seats.at(address))
    return known or address == service.operator.lower()


def state_of_list(listed: ListChannel) -> tuple[str, ...]:
    """The state of a list, and what it still needs."""
    row, address = listed.row, listed.address
    desk = listed.desk
    organizer = owners.of_game(desk.service, desk.now, listed.table, ORGANISER)
    acts = proof.of_post(organizer, organizer.address, listed).enough
    open_to_it = () if acts else (ASKED_IN_PRIVATE,)
    if row.status == "on":
        pictures = "links" if row.links else row.pictures
        return (PLAYED_THERE.format(address=address, pictures=pictures), *open_to_it)
    if row.status == "greeted":
        return (GREETED.format(address=address), *open_to_it)
    ours = listed.desk.service.address
    nothing = NOTHING_YET.format(address=address, ours=ours)
    return (nothing, WRITE_THE_LINE.format(line=listed.line), *open_to_it)


# the commands

NO_LIST = "{game} has no mailing list."
IS_OFF = "Nothing more goes to the {word}."
NEWS_BY_EMAIL = "Players get their news by email again."
NO_THREAD = "{game} has no thread on a forum."
START_A_THREAD = "`forum thread` gives it one."
NO_FORUM_YET = "Nothing goes to a forum yet. This works with forums that run Discourse."
LET_AN_ADMIN = (
    "Ask an admin of the forum to create an account with the address {address}, and to let it "
    "watch the thread of the game. The forum must take replies by email from it (the settings "
    "“reply by email”, and “auto generated allowlist” with that address)."
)
WRITE_THIS_LINE = "Then write this line in the thread: `{line}`"


def list_(context: GameContext, command: Command) -> Effect:
    """`list dixie@lists.example.org`, `list off`, `list pictures small`; `list` alone asks."""
    desk, table, text = context.desk, context.table, command.rest.strip()
    pictures = wanted_pictures(text)
    if text and text.lower() != "off" and not pictures:
        chosen = name_list(context.reads, desk, table, text)
        if chosen is not None:
            return _effect(command, chosen.told, chosen.table, chosen.write)
    listed = ListChannel.of(desk, table)
    if listed is None:
        raise Refused(NO_LIST.format(game=context.game), hint=HOW)
    if text.lower() == "off":
        return _off(command, listed, NEWS_BY_EMAIL)
    if pictures:
        chosen = choose_pictures(desk, listed, pictures)
        return _effect(command, chosen.told, chosen.table, chosen.write)
    return Effect((done(command, *state_of_list(listed)),))


def forum_thread(context: GameContext, command: Command) -> Effect:
    """`forum thread` gives the game a thread, after somebody has written its line there."""
    desk, table, now = context.desk, context.table, context.desk.now
    if table.row.status not in ("open", "running"):
        raise Refused(IS_OVER.format(game=context.game))
    number = max(table.forum.number if table.forum else 0, now) + 1
    made = ForumRow(id=0, game_id=table.row.id, number=number, at=now)
    after = replace(table, forum=made)

    def write(tx: Tx) -> None:
        ForumChannel.forget(tx, desk, table)
        tx.channels.name_forum(table.row.id, number, now)

    line = WRITE_THIS_LINE.format(line=ForumChannel(desk, after).line)
    told = (NO_FORUM_YET, LET_AN_ADMIN.format(address=desk.service.address), line)
    return _effect(command, told, after, write)


def forum_off(context: GameContext, command: Command) -> Effect:
    """`forum off` removes the thread of the game."""
    forum = ForumChannel.of(context.desk, context.table)
    if forum is None:
        raise Refused(NO_THREAD.format(game=context.game), hint=START_A_THREAD)
    return _off(command, forum)


def _off(command: Command, channel: PublicChannel, *told: str) -> Effect:
    """End the channel."""
    desk, table = channel.desk, channel.table
    lines = (IS_OFF.format(word=channel.word), *told)
    return _effect(command, lines, channel.without, lambda tx: channel.forget(tx, desk, table))


def _effect(
    command: Command, told: tuple[str, ...], after: GameTable, write: Callable[[Tx], None]
) -> Effect:
    return Effect((done(command, *told),), changed=after, write=write, changes=True)


WRITE_IT_ONCE = (
    "Write this line once in the game's thread on {host}, under your name there: `{line}`"
)
FROM_THEN_ON = "From then on your lines there that begin with `!` are commands."


def forum_name(context: GameContext, command: Command) -> Effect:
    """`forum name` makes a player known in the thread, after they have written their line."""
    desk, table, seat = context.desk, context.table, context.seat
    forum = ForumChannel.of(desk, table)
    if forum is None or not forum.on:
        raise Refused(NO_THREAD.format(game=context.game), hint=START_A_THREAD)
    assert seat is not None
    asked = ForumNameRow(
        id=0, game_id=table.row.id, seat=seat.name, address=seat.address, name="", at=desk.now
    )

    def write(tx: Tx) -> None:
        ForumChannel.same(tx, desk, table)
        tx.channels.ask_name(asked.game_id, asked.seat, asked.address, asked.at)

    line = WRITE_IT_ONCE.format(host=forum.row.host, line=forum.line_of(asked))
    return Effect((done(command, line, FROM_THEN_ON),), changed=table, write=write, changes=True)
