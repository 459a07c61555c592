"""News of a game to its watchers, when each has chosen to get them.

Readers with the same knowledge share one page. An email also stores how far it reports the game.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from engine.events import RoundEnded
from engine.telling.narration import Sentence
from service.audience import of_observers
from service.clocks import digests
from service.desk.door import Done, Write
from service.desk.letters.desk import Desk
from service.desk.service import Service
from service.desk.watching.asking import watch_ticket
from service.games import choices, games, seals
from service.games.game_status import why_abandoned
from service.games.games import GameTable, Past, new_tiles
from service.games.shown import why_not_told
from service.reports import (
    Narrated,
    Page,
    PageLook,
    Scene,
    Since,
    ended_page,
    news_page,
    note_page,
    round_page,
)
from service.reports.rendering import noted, plain
from service.said import TOLD_IS_TAKEN_BACK
from service.store import Conflict, Letter, ObserverRow, Occasion, Task, TaskRow, Tx

_FOOT = (
    f"You watch this game. To end that, reply `unwatch`. To choose when news comes, reply "
    f"{digests.syntax('digest', off=False)}."
)


def tell(reads: Tx, service: Service, now: int, row: TaskRow) -> Done:
    """Email all watchers whose news is due; none if the watchers have changed meanwhile."""
    table = games.load(reads, row.game)
    every = reads.observers.of(table.row.id) if table else ()
    due, later = _due(now, row, every)
    past = _untold(reads, table, due) if table and table.head else []
    news = _News(Desk(service, now, Occasion("clock", row.key, row.game)), table, past, row)
    found = list(news.of(due))

    def settle(tx: Tx) -> None:
        if table is not None and tx.observers.of(table.row.id) != every:
            raise Conflict(f"who watches {row.game} has changed")
        if later is not None:
            tx.tasks.add(later, now)
        for one in found:
            _settle(tx, one)

    letters = [one.letter for one in found if one.letter is not None]
    return Done(f"told {len(letters)}", letters, read=table, also=settle)


def _due(
    now: int, row: TaskRow, every: Sequence[ObserverRow]
) -> tuple[Sequence[ObserverRow], Task | None]:
    """The watchers of a task; those who chose another hour meanwhile wait for it."""
    watching = [one for one in every if one.agreed is not None]
    if not row.payload:
        return watching, None
    mine = [one for one in watching if str(one.id).encode() == row.payload]
    for one in mine:
        hour = choices.hour_of(row)
        if choices.observer_settings(one).next_digest(hour - 1) != hour:
            return (), choices.observer_task(row.game, one, now)
    return mine, None


def _untold(tx: Tx, table: GameTable, due: Sequence[ObserverRow]) -> list[Past]:
    least = min((one.told for one in due), default=table.state.number)
    return games.recent(tx, table, lambda known: known[0].number <= least)


@dataclass(frozen=True)
class _Told:
    """The result for a watcher: an email or none, how far it reports, whether it is the last."""

    row: ObserverRow
    letter: Letter | None = None
    number: int | None = None
    last: bool = False


def _settle(tx: Tx, one: _Told) -> None:
    if one.last:
        tx.observers.drop(one.row.id)
    elif one.number is not None:
        tx.observers.change(one.row.id, told=one.number)


@dataclass
class _News:
    """The emails about one position."""

    desk: Desk
    table: GameTable | None
    past: Sequence[Past]
    task: TaskRow
    #: pages for several watchers with the same knowledge
    pages: dict[tuple[int, bool], Page] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # All of them show the same pictures.
        service = replace(self.desk.service, render=cache(self.desk.service.render))
        self.desk = replace(self.desk, service=service)

    def of(self, due: Sequence[ObserverRow]) -> Iterator[_Told]:
        """The result for each watcher whose news is due."""
        if self.table is None:
            return
        for row in due:
            game, settings = self.table.row, self.table.settings
            why = why_abandoned(self.table) or why_not_told(
                game, settings, self.desk.service.secret, row.page
            )
            if why:
                yield _Told(row, self._letter("watch-over", row, self._over(why)), last=True)
            elif self.table.head is not None and (told := self._news(self.table, row)):
                yield told

    def _news(self, table: GameTable, row: ObserverRow) -> _Told | None:
        """An email about the game so far, or the last one; None for no email now."""
        number, over = table.state.number, table.row.status == "ended"
        news = choices.observer_settings(row).news
        since = self._since(table, row)
        rounds = [e.round for p in self.past if p.number > row.told for e in p.events
                  if isinstance(e, RoundEnded)]  # fmt: skip
        now = over or news.each or (news.on is None and bool(rounds)) or self.task.payload
        if not now or not (over or any(one.sentences for one in since.narrated)):
            return None
        kind = "watch-ended" if over else "watch-round" if rounds else "watch-news"
        images = choices.observer_settings(row).images != "off"
        known = (row.told, images)
        if known not in self.pages:
            page = self._page(table, row, since, rounds[-1] if rounds else "", over, images)
            self.pages[known] = noted(page, _FOOT) if not over else page
        letter = self._letter(kind, row, self.pages[known], f"round-{table.state.round}")
        return _Told(row, letter, number, last=over)

    def _since(self, table: GameTable, row: ObserverRow) -> Since:
        title = table.title
        told = tuple(p.narrated(title) for p in self.past if p.number > row.told)
        if row.told >= 0 and row.told not in {p.number for p in self.past}:
            back = TOLD_IS_TAKEN_BACK.format(position=row.told)
            told = (Narrated(table.state.number, "", (Sentence(back),)), *told)
        return Since(told)

    def _page(
        self,
        table: GameTable,
        row: ObserverRow,
        since: Since,
        ended_round: str,
        over: bool,
        images: bool,
    ) -> Page:
        to = of_observers(table.row.name)
        templates = self.desk.service.templates
        scene = Scene(table.row.name, table.title, table.state, templates=templates)
        if over:
            opened = seals.at_the_end(seals.kept(table, "", over=True))
            return ended_page(to, scene, since, images, opened)
        if not ended_round:
            return news_page(to, scene, since)
        new = [p for p in self.past if p.number > row.told]
        shown = PageLook(images, new_tiles(new))
        return round_page(to, scene, ended_round, since, shown)

    def _over(self, why: str) -> Page:
        assert self.table is not None
        game = self.table.row.name
        headline = f"You watch {game} no more."
        about = self.desk.service.about(game, self.table.title)
        to = of_observers(game)
        return plain(note_page(to, f"[{game}] {headline[:-1]}", headline, (why,), about=about))

    def _letter(self, kind: str, row: ObserverRow, page: Page, thread: str = "") -> Letter:
        ticket = watch_ticket(self.task.game, row)
        return self.desk.to_ticket(kind, ticket, page, thread=thread)


def drop_unreached(reads: Tx, game: int, address: str) -> tuple[str, Write]:
    """A watcher whose email did not arrive: a note for the log, and what stops the emails."""
    mine = [row.id for row in reads.observers.of(game) if row.address == address.lower()]

    def write(tx: Tx) -> None:
        for number in mine:
            tx.observers.drop(number)

    return f"{address} watches no more: an email did not arrive" if mine else "", write
