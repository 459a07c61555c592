"""What each reader of a game may get answers from: everybody, an office, a player."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from engine import State
from service.clocks.accounts import Account
from service.desk.answering.game_email import GameContext
from service.desk.questions import clock_answer, page_answer
from service.desk.questions.paste_answer import paste_answer
from service.desk.rationing.work_allowance import WorkAllowance
from service.desk.service import Service
from service.games import directing, games, offers, seals, votes
from service.games.changes import Change
from service.games.games import NO_LOG, GameLog, GameTable
from service.games.offers import WaitingCommands
from service.games.orders import Book
from service.games.seals import Kept
from service.reports import Answer, Scene
from service.store import GameLine, Tx

_NOTHING = Book()


@dataclass(frozen=True, kw_only=True)
class Sources:
    """Everything but the position that answers to one reader may use.

    ``log`` goes back as far as the reader may see. ``games`` are all games on this service.
    ``work`` counts and limits the cost of the answers; without it, at a terminal, there is no
    limit.
    """

    log: GameLog = NO_LOG
    games: Sequence[GameLine] = ()
    work: WorkAllowance | None = None
    #: the reader's advance orders
    ahead: WaitingCommands | None = None
    #: the advance orders of all players; only the reader's own are shown
    book: Book = _NOTHING
    #: what the reader may see of seals and diaries
    kept: Kept = field(default_factory=Kept)
    #: position and result of each vote that is over, and of each ruling
    voted: Sequence[tuple[int, str]] = ()
    #: the answer to `clock`, if the email asks for it
    clock: Answer | None = None
    #: the position after a stored action, by its number; None if no position is stored
    former: Callable[[int], State] | None = None
    #: describes the public page; None if nobody may ask
    page: Callable[[], Answer] | None = None
    #: writes a report for a forum, in a form that may raise Refused; None for strangers
    paste: Callable[[str], Answer] | None = None
    #: the commands that the reader may write, all or one; raises Refused
    help: Callable[[str], Answer] | None = None
    #: whether a question that takes too long for this email is answered in another one
    postpones: bool = False


def for_all(reads: Tx, table: GameTable, log: GameLog) -> Sources:
    """What everybody may know of a game: its actions and positions; ``log`` has no messages."""
    return Sources(log=log, former=partial(games.former, reads, table))


def for_office(reads: Tx, service: Service, table: GameTable, log: GameLog) -> Sources:
    """The same, with rulings and the game's page, for its director."""
    page = partial(page_answer.answer, reads, service, table)
    return replace(for_all(reads, table, log), voted=_rulings(table), page=page)


def for_player(
    context: GameContext,
    change: Change,
    scene: Scene,
    log: GameLog,
    book: Book,
    clocks: Sequence[Account],
    asked: Collection[str],
) -> Sources:
    """What a player may know after a change, with ``clocks`` and ``book`` as they are then.

    ``log`` is the log before it. ``asked`` are the words of the questions.
    """
    assert context.seat is not None
    reads, service, table = context.reads, context.desk.service, context.table
    name, past = context.seat.name, (*log.past, *change.past)
    times = None
    if "clock" in asked:
        times = clock_answer.answer(change.table, clocks, name, context.desk.now)
        times = clock_answer.dated(times, service, change.table, name)
    return replace(
        for_all(reads, table, replace(log, past=past)),
        ahead=offers.of(change.ahead, name),
        book=replace(book, past=(*book.past, *change.past)),
        kept=seals.kept(table, name, over=change.over),
        voted=_votes_over(reads, table, change) if "history" in asked else (),
        clock=times,
        page=partial(page_answer.answer, reads, service, table),
        paste=partial(paste_answer, service, table, scene, log.past),
        help=context.help,
        postpones=True,
    )


def _votes_over(reads: Tx, table: GameTable, change: Change) -> Sequence[tuple[int, str]]:
    """The votes that are over after a change, and the rulings: position at that time, and text."""
    table = games.with_rulings(reads, table)
    every = table.votes if change.votes is None else change.votes
    found = ((v.closed, votes.result(v)) for v in every if v.status != "open")
    return (*found, *_rulings(table))


def _rulings(table: GameTable) -> Sequence[tuple[int, str]]:
    """The rulings and disputes: position at that time, and text as the log has it.

    A correction is an action of the game, so the log has it anyway as long as it is valid.
    """
    told = (row for row in table.rulings if row.kind != "correct" or row.struck)
    return tuple((row.position, directing.logged(row)) for row in told)
