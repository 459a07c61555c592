"""Posts of players on the game's mailing list or forum: which lines are commands, and their answer.

There is one answer, where all read it. What only the player may see is neither asked for nor told
there.
"""

import re
from dataclasses import dataclass, replace

from service.commands.entry import When, Where, Who
from service.commands.reading import Scope, read
from service.desk.ahead.order_words import recognising
from service.desk.door import Conclusion
from service.desk.effects import judged
from service.desk.game_email import GameContext, Openly, scope_of
from service.desk.letters import forum_letters, list_letters
from service.desk.letters.post import Desk
from service.desk.proving.held import Written
from service.desk.vocabulary.table import TABLE
from service.games.games import GameTable
from service.mail.message import Line, Mail
from service.store import SeatRow, Store

#: what comes of a post that was confirmed; or why nothing does, None for what is no post
Confirmed = Conclusion | str | None

_PHRASE = re.compile(r"!?\s*(?:new\s+|set\s+)?pass-?\s?phrase\b.*", re.IGNORECASE)
_ORDERS = re.compile(r"!\s*history\s+(?:orders|diary)\b.*", re.IGNORECASE)


@dataclass(frozen=True)
class Post:
    """The lines of a mail to a list: commands without their mark, and talk.

    ``secret`` are commands that nobody else should have read. It came at ``received`` (UTC
    seconds), 0 for now.
    """

    commands: tuple[Line, ...] = ()
    talk: tuple[str, ...] = ()
    secret: tuple[Line, ...] = ()
    received: int = 0

    @property
    def commanded(self) -> bool:
        """Whether the mail wants anything."""
        return bool(self.commands or self.secret)


def read_post(mail: Mail, table: GameTable, seat: SeatRow) -> Post:
    """What a player's mail to the list says; its subject counts for nothing there."""
    commands: list[Line] = []
    talk: list[str] = []
    secret: list[Line] = []
    if mail.phrase or mail.new_phrase:
        # It was cut from the lines when the mail was read.
        secret.append(Line(0, "pass-phrase"))
    for line in mail.lines:
        text = line.text.strip()
        if _PHRASE.fullmatch(text) or _ORDERS.fullmatch(text):
            secret.append(line)
        elif not line.number:
            continue
        elif not text.startswith("!"):
            talk.append(text)
        elif bare := text.lstrip("! "):
            own = Line(line.number, bare)
            asked = (command.entry for command in read((own,), _scope(table, seat)))
            kept = secret if any(entry and entry.secret for entry in asked) else commands
            kept.append(own)
    return Post(tuple(commands), tuple(talk), tuple(secret))


def _scope(table: GameTable, seat: SeatRow) -> Scope:
    """What a line may be; where it was written is no matter for whether others should read it."""
    ahead = (recognising(table.title, table.state, seat.name),) if table.head is not None else ()
    scope = Scope(TABLE, Who.PLAYER, Where.PRIVATE, When.RUNNING)
    return replace(scope, ahead=ahead[0]) if ahead else scope


def on_list(
    store: Store, desk: Desk, mail: Mail, table: GameTable, seat: SeatRow, post: Post
) -> Conclusion:
    """Carry out the commands of a mail that came by the list of a game that has begun."""
    house, row = desk.house, table.mailing
    assert row is not None
    openly = Openly(
        f"list {row.address}",
        mail.subject,
        lambda scene, page: list_letters.as_wanted(house, table, row, scene, page),
        lambda page: list_letters.receipt(desk, table, row, page, mail),
        row,
        kept_talk(post, house.talk),
    )
    number = list_letters.shown_number(house, mail, table)
    written = Written(number, post.received or desk.now)
    return _judged(store, desk, mail, table, seat, post, written, Where.LIST, openly)


def on_forum(
    store: Store, desk: Desk, mail: Mail, table: GameTable, seat: SeatRow, post: Post
) -> Conclusion:
    """Carry out the commands of one post in the thread of a game that has begun."""
    row = table.forum
    assert row is not None
    openly = Openly(
        f"forum {row.id}",
        mail.subject,
        lambda scene, page: forum_letters.shown(desk, table, scene, page),
        lambda page: forum_letters.post(desk, table, row, "forum-receipt", page),
    )
    written = Written(None, post.received or desk.now)
    return _judged(store, desk, mail, table, seat, post, written, Where.FORUM, openly)


def _judged(
    store: Store,
    desk: Desk,
    mail: Mail,
    table: GameTable,
    seat: SeatRow,
    post: Post,
    written: Written,
    where: Where,
    openly: Openly,
) -> Conclusion:
    """Of the mail only the commands of the post count."""
    own = replace(mail, sender=seat.address, lines=post.commands)
    context = GameContext(store, desk, own, table, table, seat, Who.PLAYER, written, where, openly)
    return judged(context, read(own.lines, scope_of(context)))


def kept_talk(post: Post, most: int) -> tuple[str, ...]:
    """The talk of a post as the game keeps it, one text; no more than a mail may say."""
    text = "\n".join(post.talk).strip()
    return (text,) if 0 < len(text) <= most else ()
