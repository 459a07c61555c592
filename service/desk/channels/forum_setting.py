"""What players and organizers choose about a forum: `forum thread`, `forum name`, `forum off`."""

from dataclasses import replace

from service.commands.command import Command
from service.commands.refusal import Refused
from service.desk.channels.forum_words import line_of_name, line_of_thread
from service.desk.effects import Effect, done
from service.desk.game_email import GameContext
from service.games.games import GameTable
from service.said import IS_OVER
from service.store import Conflict, ForumNameRow, ForumRow, Tx

NOTHING_YET = "Nothing goes to a forum yet. This works with forums that run Discourse."
LET_AN_ADMIN = (
    "Let an admin of the forum make an account with the address {address}, which watches the "
    "thread of the game, and let the forum take answers by email from it (the settings “reply by "
    "email”, and “auto generated allowlist” with that address)."
)
WRITE_THIS_LINE = "Then write this line in the thread: `{line}`"


def thread(context: GameContext, command: Command) -> Effect:
    """`forum thread` gives the game a thread, once somebody has written its line there."""
    table, house, now = context.table, context.desk.house, context.desk.now
    if table.row.status not in ("open", "running"):
        raise Refused(IS_OVER.format(game=context.game))
    number = max(table.forum.number if table.forum else 0, now) + 1
    made = ForumRow(0, table.row.id, number, "named", "", "", "", "", now)

    def write(tx: Tx) -> None:
        _same(tx, table)
        tx.forums.name(table.row.id, number, now)

    line = line_of_thread(house, context.game, made)
    notes = (
        NOTHING_YET,
        LET_AN_ADMIN.format(address=house.address),
        WRITE_THIS_LINE.format(line=line),
    )
    return Effect((done(command, *notes),), replace(table, forum=made), write=write, changes=True)


NO_THREAD = "{game} has no thread on a forum."
FORUM_IS_OFF = "Nothing more goes to the forum."


def off(context: GameContext, command: Command) -> Effect:
    """`forum off` forgets the thread of the game."""
    table = context.table
    if table.forum is None:
        raise Refused(NO_THREAD.format(game=context.game))

    def write(tx: Tx) -> None:
        _same(tx, table)
        tx.forums.drop(table.row.id)

    return Effect(
        (done(command, FORUM_IS_OFF),), replace(table, forum=None), write=write, changes=True
    )


NO_THREAD_YET = "{game} has no thread on a forum. `forum thread` gives it one."
WRITE_IT_ONCE = (
    "Write this line once in the game's thread on {host}, by the name that you have there: `{line}`"
)
FROM_THEN_ON = "From then on your commands there count, lines that begin with `!`."


def name(context: GameContext, command: Command) -> Effect:
    """`forum name` lets a player be known in the thread, once they have written their line."""
    table, seat, now = context.table, context.seat, context.desk.now
    assert seat is not None
    row = table.forum
    if row is None or row.status != "on":
        raise Refused(NO_THREAD_YET.format(game=context.game))
    asked = ForumNameRow(0, table.row.id, seat.name, seat.address, "", now)

    def write(tx: Tx) -> None:
        _same(tx, table)
        tx.forums.ask_name(table.row.id, seat.name, seat.address, now)

    line = line_of_name(context.desk.house, context.game, asked)
    notes = (WRITE_IT_ONCE.format(host=row.host, line=line), FROM_THEN_ON)
    return Effect((done(command, *notes),), write=write, changes=True)


THREAD_HAS_CHANGED = "the thread of {game} has changed"


def _same(tx: Tx, table: GameTable) -> None:
    """Raises Conflict unless the thread is the one that was read."""
    row, known = tx.forums.of(table.row.id), table.forum
    if (row and row.number) != (known and known.number):
        raise Conflict(THREAD_HAS_CHANGED.format(game=table.row.name))
