"""Posts into a game's thread on a forum, by mail and in Markdown: rounds, the end, receipts.

All who read the forum read them: they have neither a token nor what only one player may know.
"""

import re
from collections.abc import Sequence

from service.audience import of_list, of_organiser
from service.desk.letters.list_letters import Happened
from service.desk.letters.pasting import report
from service.desk.letters.post import At, Desk
from service.games import seals
from service.games.games import GameTable, Past
from service.mail import identity
from service.publish.linking import links
from service.publish.shown import place
from service.reports import Page, Scene, Since, ended_page, note_page
from service.reports.mailing import forum_opening_lines
from service.reports.paste import fenced, pasted
from service.store import ForumRow, Letter

_FOOT = re.compile(r"\n-- ?\n.*\Z", re.DOTALL)


def on(table: GameTable) -> ForumRow | None:
    """The thread of a game that posts go to, if there is one."""
    row = table.forum
    return row if row is not None and row.status == "on" else None


ROUND_SUBJECT = "[{game}] {round} complete"


def letters(
    desk: Desk, table: GameTable, scene: Scene, happened: Happened, new: Sequence[Past]
) -> list[Letter]:
    """What the thread is told of a change: a round that is over, the end, or nothing."""
    row = on(table)
    if row is None:
        return []
    if happened.over:
        opened = seals.at_the_end(seals.kept(table, "", over=True))
        told = Since(tuple(one.told(table.title) for one in new))
        page = ended_page(of_list(table.row.name), scene, told, False, opened)
        return [post(desk, table, row, "forum-ended", shown(desk, table, scene, page))]
    if not happened.rounds:
        return []
    told_of = report(desk.house, table, scene, happened.every, happened.rounds[0])
    text = pasted(told_of, "markdown")
    subject = ROUND_SUBJECT.format(game=table.row.name, round=happened.rounds[-1])
    page = Page(of_list(table.row.name), subject, text, "")
    return [post(desk, table, row, "forum-round", page)]


OPENING_SUBJECT = "[{game}] {title} in this thread"


def opening(desk: Desk, table: GameTable) -> Letter | None:
    """The first post: who we are, and how the game is played there."""
    row = on(table)
    if row is None:
        return None
    name = table.row.name
    text = "\n\n".join(forum_opening_lines(name, table.title)) + "\n"
    subject = OPENING_SUBJECT.format(game=name, title=table.title.name)
    page = Page(of_list(name), subject, text, "")
    return post(desk, table, row, "forum-opening", page)


def shown(desk: Desk, table: GameTable, scene: Scene, page: Page) -> Page:
    """A page as a post: its text as it stands, and links to its pictures."""
    where = place(table.row, table.settings, desk.house.secret, desk.house.pages)
    found = links(where, scene) if page.figures else None
    text = fenced(_FOOT.sub("", page.text), found.told if found else ())
    return Page(page.audience, page.subject, text, "")


def post(desk: Desk, table: GameTable, row: ForumRow, kind: str, page: Page) -> Letter:
    """A post into the thread, by the address that Discourse gave us for it."""
    number = table.state.number if table.head else 0
    mark = re.sub(r"[^a-z0-9-]+", "-", f"{kind}-{desk.occasion.key}".lower())
    own = f"<{identity.slug(table.row.name)}.forum.s{number}-{mark}@{desk.house.host}>"
    return desk.to_forum(kind, At(table.row.name, number), row.reply_to, page, own)


LEFT_SUBJECT = "[{game}] The game has left its forum"
IS_OFF = "The forum is off."
NOTHING_GOES = "Nothing more of this game goes to its thread on {host}: {why}"
WHEN_SETTLED = (
    "When that is settled, write `forum thread`, and put the line that you get into the thread."
)


def left(desk: Desk, table: GameTable, why: str, host: str) -> Letter:
    """To the organiser: nothing goes to the forum any more, and why."""
    name = table.row.name
    lines = (NOTHING_GOES.format(host=host, why=why), WHEN_SETTLED)
    about = desk.house.about(name, table.title)
    subject = LEFT_SUBJECT.format(game=name)
    page = note_page(of_organiser(name), subject, IS_OFF, lines, about=about)
    return desk.to_organiser("forum-off", table.row, page)
