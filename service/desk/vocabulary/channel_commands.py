"""Commands about public places of a game beside its players' email: a mailing list, a forum."""

import re
from collections.abc import Callable
from dataclasses import replace

from service.commands.command import Command
from service.commands.entry import ALWAYS, Entry, Who
from service.desk.answering.effects import Effect, done, singly
from service.desk.answering.game_email import GameContext
from service.desk.channels import list_choices
from service.desk.channels.channel import Channel
from service.desk.channels.forum import ForumChannel
from service.desk.channels.mailing_list import ListChannel
from service.games.games import GameTable
from service.refusal import Refused
from service.said import IS_OVER
from service.store import ForumNameRow, ForumRow, Tx

NO_LIST = f"{{game}} has no mailing list. {list_choices.HOW}"
IS_OFF = "Nothing more goes to the {word}."
NEWS_BY_EMAIL = "Players get their news by email again."
NO_THREAD = "{game} has no thread on a forum. `forum thread` gives it one."
NOTHING_YET = "Nothing goes to a forum yet. This works with forums that run Discourse."
LET_AN_ADMIN = (
    "Ask an admin of the forum to create an account with the address {address}, and to let it "
    "watch the thread of the game. The forum must take replies by email from it (the settings "
    "“reply by email”, and “auto generated allowlist” with that address)."
)
WRITE_THIS_LINE = "Then write this line in the thread: `{line}`"
WRITE_IT_ONCE = (
    "Write this line once in the game's thread on {host}, under your name there: `{line}`"
)
FROM_THEN_ON = "From then on your lines there that begin with `!` are commands."


def list_(context: GameContext, command: Command) -> Effect:
    """`list dixie@lists.example.org`, `list off`, `list pictures small`; `list` alone asks."""
    desk, table, text = context.desk, context.table, command.rest.strip()
    pictures = list_choices.wanted_pictures(text)
    if text and text.lower() != "off" and not pictures:
        with context.store.transaction() as tx:
            chosen = list_choices.name(tx, desk, table, text)
        if chosen is not None:
            return _chosen(command, chosen.told, chosen.table, chosen.write)
    listed = ListChannel.of(desk, table)
    if listed is None:
        raise Refused(NO_LIST.format(game=context.game))
    if text.lower() == "off":
        return _off(command, listed, NEWS_BY_EMAIL)
    if pictures:
        chosen = list_choices.choose_pictures(desk, listed, pictures)
        return _chosen(command, chosen.told, chosen.table, chosen.write)
    return Effect((done(command, *list_choices.stands(listed)),))


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
    told = (NOTHING_YET, LET_AN_ADMIN.format(address=desk.house.address), line)
    return _chosen(command, told, after, write)


def forum_off(context: GameContext, command: Command) -> Effect:
    """`forum off` removes the thread of the game."""
    forum = ForumChannel.of(context.desk, context.table)
    if forum is None:
        raise Refused(NO_THREAD.format(game=context.game))
    return _off(command, forum)


def forum_name(context: GameContext, command: Command) -> Effect:
    """`forum name` makes a player known in the thread, after they have written their line."""
    desk, table, seat = context.desk, context.table, context.seat
    forum = ForumChannel.of(desk, table)
    if forum is None or not forum.on:
        raise Refused(NO_THREAD.format(game=context.game))
    assert seat is not None
    asked = ForumNameRow(
        id=0, game_id=table.row.id, seat=seat.name, address=seat.address, name="", at=desk.now
    )

    def write(tx: Tx) -> None:
        ForumChannel.same(tx, desk, table)
        tx.channels.ask_name(asked.game_id, asked.seat, asked.address, asked.at)

    line = WRITE_IT_ONCE.format(host=forum.row.host, line=forum.line_of(asked))
    return _chosen(command, (line, FROM_THEN_ON), table, write)


def _off(command: Command, channel: Channel, *told: str) -> Effect:
    """End the channel."""
    desk, table = channel.desk, channel.table
    lines = (IS_OFF.format(word=channel.word), *told)
    return _chosen(command, lines, channel.without, lambda tx: channel.forget(tx, desk, table))


def _chosen(
    command: Command, told: tuple[str, ...], after: GameTable, write: Callable[[Tx], None]
) -> Effect:
    return Effect((done(command, *told),), after, write=write, changes=True)


ENTRIES = (
    Entry(
        "list",
        "list dixie@…",
        "the mailing list that the game is played on; `list off`, `list pictures small`; `list` "
        "tells how it stands",
        "list dixie@lists.example.org",
        singly(list_),
        Who.ORGANISER,
        when=ALWAYS,
        form=re.compile(r"list(?:\s+(?:off|pictures?\b.*|<?\S+@\S+))?", re.IGNORECASE),
    ),
    Entry(
        "forum thread",
        "forum thread",
        "the game gets a thread on a forum, where it is played as well",
        "forum thread",
        singly(forum_thread),
        Who.ORGANISER,
        when=ALWAYS,
        form=re.compile(r"forum\s+thread", re.IGNORECASE),
    ),
    Entry(
        "forum off",
        "forum off",
        "nothing more of the game goes to its forum",
        "forum off",
        singly(forum_off),
        Who.ORGANISER,
        when=ALWAYS,
        form=re.compile(r"forum\s+off", re.IGNORECASE),
    ),
    Entry(
        "forum name",
        "forum name",
        "connect your name on the game's forum with your seat, so that your commands there count",
        "forum name",
        singly(forum_name),
        Who.PLAYER,
        when=ALWAYS,
        form=re.compile(r"forum\s+name", re.IGNORECASE),
    ),
)
