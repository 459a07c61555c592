"""The last email of a game to a director who does not play: the organizer, or an assistant."""

from collections.abc import Iterator

from engine.events import RoundBegan
from service.audience import Audience, OnlyFor, of_assistant, of_organiser, office_called
from service.desk.door import Done
from service.desk.letters.desk import Desk
from service.desk.service import Service
from service.games import games, seals
from service.games.games import GameLog, GameTable
from service.reports import Page, Scene, Since, ended_page
from service.said import THE_DIRECTOR
from service.store import Letter, Occasion, TaskRow, Tx


def tell(reads: Tx, service: Service, now: int, row: TaskRow) -> Done:
    """The emails to the offices of a finished game; none if its end was taken back."""
    table = games.load(reads, row.game)
    over = table is not None and table.head is not None and not table.state.stack
    if table is None or not over:
        return Done("the game goes on")
    ruled, log = games.with_rulings(reads, table), games.log_of(reads, table)
    watches = [one.address for one in reads.observers.of(table.row.id) if one.agreed is not None]
    desk = Desk(service, now, Occasion("clock", row.key, row.game))
    letters = [one for one in _letters(desk, ruled, log) if one.recipient not in watches]
    return Done(f"told {len(letters)}", letters, read=table)


def _letters(desk: Desk, table: GameTable, log: GameLog) -> Iterator[Letter]:
    """The emails; an organizer who plays has got one like every player."""
    name, settings = table.row.name, table.settings
    if not table.organisers_seat:
        page = _page(desk, table, log, of_organiser(name))
        yield desk.to_organiser("ended", table.row, page)
    if settings.assistant:
        page = _page(desk, table, log, of_assistant(name))
        yield desk.to_assistant("ended", table.row, settings, page)


ENDED_IT = "{director} ended it, because {because}."


def _page(desk: Desk, table: GameTable, log: GameLog, to: Audience) -> Page:
    """The public facts of the end, and the actions of the last round."""
    scene = Scene(table.row.name, table.title, table.state, templates=desk.service.templates)
    began = [i for i, p in enumerate(log.past) if any(isinstance(e, RoundBegan) for e in p.events)]
    last = log.past[began[-1] :] if began else log.past
    ruled = [r for r in table.rulings if r.kind == "end" and r.after == table.row.head]
    note = None
    if ruled:
        director = THE_DIRECTOR.format(office=office_called(ruled[-1].by))
        note = OnlyFor(to, ENDED_IT.format(director=director, because=ruled[-1].because))
    since = Since(tuple(p.narrated(table.title) for p in last), note=note)
    opened = seals.at_the_end(seals.kept(table, "", over=True))
    return ended_page(to, scene, since, opened=opened)
