"""Letters to a game's mailing list: what happened, rounds, receipts; each says what all may read.

They come from one sender, bear no token, and are a thread a round: the first letter of a round
begins it, all later ones name that in References. The subject of news is the same all round.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.telling.narration import Sentence
from service.audience import Audience, of_list, of_organiser
from service.desk.letters.looks import look
from service.desk.letters.post import At, Desk, House
from service.games import seals
from service.games.games import GameTable, Past
from service.mail import identity
from service.mail.message import Mail
from service.publish.linking import links
from service.publish.shown import place
from service.reports import Page, Said, Scene, Since, Told, ended_page, news_page, note_page
from service.reports import round_page as page_of_round
from service.reports.fitting import linked
from service.reports.mailing import greeting_page, opening_page
from service.said import LIST_IS_OFF
from service.store import Letter, ListRow, ListTelling, Tx

#: the purposes of what proves a list: a line for it, and the letter that must come back from it
LINE = "list"
GREETING = "list-greeting"


@dataclass(frozen=True)
class Happened:
    """What a change has brought about."""

    #: all that has happened as far as letters may tell of it, the change itself included
    every: Sequence[Past]
    #: the rounds that ended
    rounds: Sequence[str]
    #: what somebody said to all, by another way than the list
    spoken: Sequence[Said]
    #: what was taken back, "" for nothing
    undone: str
    #: whether something else is to be decided, or somebody has done something beside
    news: bool
    over: bool
    #: whether a receipt tells the list what was done
    by_list: bool


def on(table: GameTable) -> ListRow | None:
    """The list of a game that letters go to, if there is one."""
    row = table.mailing
    return row if row is not None and row.status == "on" else None


def letters(desk: Desk, table: GameTable, scene: Scene, happened: Happened) -> list[Letter]:
    """What the list is told of a change: one letter, or none."""
    row = on(table)
    if row is None:
        return []
    post = _Post(desk, table, row, scene)
    since = Since(post.told(happened), happened.spoken)
    if happened.over:
        return [post.ended(since)]
    if happened.rounds:
        return [post.round(happened, since)]
    news = (happened.news or bool(happened.undone)) and not happened.by_list
    if (news and since.told) or happened.spoken:
        since = since if news else Since((), happened.spoken)
        return [post.letter("list-news", news_page(post.to, scene, since), tells=news)]
    return []


def opening(desk: Desk, table: GameTable, scene: Scene) -> list[Letter]:
    """That the game begins: who sits where, and how it is played by the list."""
    row = on(table)
    if row is None:
        return []
    post = _Post(desk, table, row, scene)
    page = opening_page(post.to, scene, desk.house.about(table.row.name, table.title))
    return [post.letter("list-opening", page)]


@dataclass(frozen=True)
class _Post:
    """The letters to one list about one position."""

    desk: Desk
    table: GameTable
    row: ListRow
    scene: Scene

    @property
    def to(self) -> Audience:
        return of_list(self.table.row.name)

    def told(self, happened: Happened) -> tuple[Told, ...]:
        """What no letter has told the list."""
        title = self.table.title
        if happened.undone:
            return (Told(self.scene.state.number, "", (Sentence(happened.undone),)),)
        return tuple(p.told(title) for p in happened.every if p.number > self.row.told)

    def round(self, happened: Happened, since: Since) -> Letter:
        untold = [p for p in happened.every if p.number > self.row.told]
        shown = look("on", untold, untold, first=False)
        shown = replace(shown, pictures=self.row.pictures != "off")
        page = page_of_round(self.to, self.scene, happened.rounds[-1], since, shown)
        return self.letter("list-round", page)

    def ended(self, since: Since) -> Letter:
        opened = seals.at_the_end(seals.kept(self.table, "", over=True))
        shown = self.row.pictures != "off"
        return self.letter("list-ended", ended_page(self.to, self.scene, since, shown, opened))

    def letter(self, kind: str, page: Page, *, tells: bool = True) -> Letter:
        """A letter in the thread of its round, which it begins if it is the first."""
        state, row = self.scene.state, self.row
        topic = re.sub(r"[^a-z0-9]+", "-", str(state.round).lower()).strip("-")
        own = list_id(self.desk.house, self.table, f"{topic}.s{state.number}-{self._mark(kind)}")
        root = row.root if row.topic == topic else ""
        at = At(self.table.row.name, state.number)
        page = as_wanted(self.desk.house, self.table, row, self.scene, page)
        made = self.desk.to_list(kind, at, row, page, (own, root))
        number = state.number if tells else None
        return replace(made, tells=ListTelling(row.id, number, topic=topic, root=root or own))

    def _mark(self, kind: str) -> str:
        return re.sub(r"[^a-z0-9-]+", "-", f"{kind}-{self.desk.occasion.key}".lower())


def as_wanted(house: House, table: GameTable, row: ListRow, scene: Scene, page: Page) -> Page:
    """A page for the list, with links instead of pictures where it is to have these."""
    where = place(table.row, table.settings, house.secret, house.pages) if row.links else None
    found = links(where, scene) if page.figures else None
    return linked(page, found.told) if found else page


def list_id(house: House, table: GameTable, key: str) -> str:
    """A Message-ID of a letter to the list; it proves nothing."""
    return f"<{identity.slug(table.row.name)}.list.{key}@{house.host}>"


def names(house: House, mail: Mail) -> tuple[str, ...]:
    """The games, as slugs, whose letters to lists a mail answers; the newest first."""
    end = f"@{house.host}>"
    found = (mail.in_reply_to, *reversed(mail.references))
    ours = (i[1:].partition(".list.") for i in found if i.endswith(end))
    return tuple(dict.fromkeys(game for game, mark, _ in ours if mark))


def shown_number(house: House, mail: Mail, table: GameTable) -> int | None:
    """The position that the letter showed which a mail answers, None if it answers none."""
    found = (mail.in_reply_to, *reversed(mail.references))
    slug = re.escape(identity.slug(table.row.name))
    shown = re.compile(rf"<{slug}\.list\.[a-z0-9-]+\.s(\d{{1,9}})-[^@]*@{re.escape(house.host)}>")
    return next((int(known[1]) for one in found if (known := shown.fullmatch(one))), None)


def receipt(desk: Desk, table: GameTable, row: ListRow, page: Page, mail: Mail) -> Letter:
    """What became of a mail that came by the list; it answers that mail."""
    number = table.state.number if table.head else 0
    own = list_id(desk.house, table, f"receipt.s{number}-{desk.mail}")
    at = At(table.row.name, number)
    return desk.to_list("list-receipt", at, row, page, (own, ""), mail)


# ---------------------------------------------------------------------------- whether it wants us


def line(house: House, game: str, row: ListRow) -> str:
    """What somebody writes on a list for it to be greeted."""
    token = identity.one_time(house.secret, LINE, row.address, game, row.number)
    return f"!list {token}"


def greeting_id(house: House, table: GameTable, row: ListRow) -> str:
    """The Message-ID of the letter that greets a list: who names it has read the list."""
    parts = (table.row.name, row.number)
    token = identity.one_time(house.secret, GREETING, row.address, *parts)
    return list_id(house, table, f"greeting-{token}")


def greeting(desk: Desk, table: GameTable, row: ListRow) -> Letter:
    """The first letter to a list, and the only one until it comes back or is answered there."""
    name = table.row.name
    page = greeting_page(of_list(name), table.title, desk.house.about(name, table.title))
    own = greeting_id(desk.house, table, row)
    return desk.to_list("list-greeting", At(name), row, page, (own, ""))


EMAIL_FAILED = "An email of this game to {address} did not arrive: {why}"
REFUSED_SUBJECT = "[{game}] The list does not take Waybill's emails"
NEWS_BY_MAIL = (
    "Nothing more goes to that list, and players get their news by email again. The list may "
    "take emails of its members only, or none of that size: ask its owner."
)
WHEN_SETTLED = (
    "When that is settled, write `list {address}`, and send the line that you get to the list."
)


def refused(desk: Desk, table: GameTable, address: str, why: str) -> Letter:
    """To the organiser: the list did not take a letter, for the reason in its words."""
    name = table.row.name
    lines = (
        EMAIL_FAILED.format(address=address, why=why),
        NEWS_BY_MAIL,
        WHEN_SETTLED.format(address=address),
    )
    about = desk.house.about(name, table.title)
    subject = REFUSED_SUBJECT.format(game=name)
    page = note_page(of_organiser(name), subject, LIST_IS_OFF, lines, about=about)
    return desk.to_organiser("list-off", table.row, page)


FAILED_SUBJECT = "[{game}] An email did not arrive"
NOTHING_CHANGED = "Nothing has changed."
MAY_PASS = (
    "This may pass, so the next email goes there as before. The email that failed is not sent "
    "again. You get this notice once a day at most."
)
LARGE_EMAILS = "A list that refuses large emails takes them after `list pictures small`."


def failed(desk: Desk, table: GameTable, address: str, why: str) -> Letter:
    """To the organiser: a letter to a list or a thread failed in a way that may pass."""
    lines = (EMAIL_FAILED.format(address=address, why=why), MAY_PASS, LARGE_EMAILS)
    return _to_organiser(desk, table, FAILED_SUBJECT, lines)


HEARSAY_SUBJECT = "[{game}] Do Waybill's emails arrive there?"
EMAIL_SAYS = "An email says that {address} did not take an email of this game: {why}"
ANYBODY_COULD = (
    "Anybody could have written that, so nothing has changed. If the emails of this game do "
    "arrive there, ignore this notice. If they do not, ask the owner there. `list off` and "
    "`forum off` make the game leave."
)


def hearsay(tx: Tx, desk: Desk, table: GameTable, address: str, why: str) -> list[Letter]:
    """To the organiser, once a day: what anybody can say of a list or a thread."""
    lines = (EMAIL_SAYS.format(address=address, why=why or "no reason"), ANYBODY_COULD)
    if not tx.answers.may(f"{table.row.name} {address}", "told", desk.now):
        return []
    return [_to_organiser(desk, table, HEARSAY_SUBJECT, lines)]


def _to_organiser(desk: Desk, table: GameTable, subject: str, lines: Sequence[str]) -> Letter:
    name = table.row.name
    about = desk.house.about(name, table.title)
    subject = subject.format(game=name)
    page = note_page(of_organiser(name), subject, NOTHING_CHANGED, lines, about=about)
    return desk.to_organiser("list-failed", table.row, page)
