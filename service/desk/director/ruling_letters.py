"""The emails about a director's acts: one to each person concerned, and none to who did them."""

from collections.abc import Iterator, Sequence

from service.audience import ASSISTANT, ORGANISER, Audience, of_assistant, of_organiser, of_seat
from service.desk.director.director_known import DirectingPerson, DirectorKnown
from service.desk.director.director_plan import DirectorPlan
from service.desk.informing.everybody import informed
from service.desk.informing.follow_up import FollowUp
from service.desk.letters.desk import Desk, at_head
from service.games import seals, timing
from service.games.changes import Change, orders_after
from service.games.commit import Jot
from service.games.games import GameSettings, GameTable
from service.reports import Page, note_page
from service.said import ASKED_TO_BE_ASSISTANT, WILL_YOU_ASSIST, YES_TAKES_IT
from service.store import Letter


def told(desk: Desk, known: DirectorKnown, plan: DirectorPlan) -> tuple[list[Letter], list[Jot]]:
    """The emails about a plan, and the notes that go into later ones."""
    letters: list[Letter] = []
    jots: list[Jot] = []
    if plan.told and plan.change is not None and plan.change.moves:
        letters, jots = _followed(desk, known, plan, plan.change)
    elif plan.told and not all(row.kind == "ask" for row in plan.rulings):
        letters = list(_noticed(desk, known, plan))
    over = plan.change is not None and not plan.change.state.stack
    if plan.told and (known.of_tournament or not over):
        # otherwise a separate email informs them of the end
        letters += _offices(desk, known.table, plan)
    if plan.invites:
        letters.append(_invitation(desk, known.table, plan.settings))
    return letters, jots


def _followed(
    desk: Desk, known: DirectorKnown, plan: DirectorPlan, change: Change
) -> tuple[list[Letter], list[Jot]]:
    """The emails about a change of the position, each with the ruling at its beginning."""
    table, text = known.table, " ".join(plan.told)
    clocks = timing.after(change, timing.ClockMoments(desk.now, desk.now))
    follow = FollowUp(
        desk,
        change,
        known.log,
        orders_after(change, known.book),
        clocks=timing.deadlines(change, clocks, desk.now),
        told={seat.name: text for seat in table.players},
        corrected=True,
        by="The assistant" if plan.who.office == ASSISTANT else "The director",
    )
    mine = _own(table, plan.who)
    kept = [one for one in follow.letters() if one.recipient != mine or one.kind != "news"]
    return kept, follow.jots


def _own(table: GameTable, who: DirectingPerson) -> str:
    """The address of the writer, who gets the answer."""
    return table.seat(who.seat).address if who.seat else ""


def _noticed(desk: Desk, known: DirectorKnown, plan: DirectorPlan) -> Iterator[Letter]:
    """To each player, the rulings, if the position has not changed."""
    table, name = known.table, known.table.row.name
    for holder in informed(table, plan.who.seat or plan.who.office):
        if holder != ORGANISER:
            page = _page(desk, table, plan, of_seat(name, holder))
            yield desk.to_seat("ruling", at_head(table), table.seat(holder), page)


HEADLINES = {
    "hold": "The game is on hold",
    "resume": "The game goes on",
    "dispute": "A move is disputed",
    "ask": "A player asks for leave to take back",
    "announce": "Announcement",
    "abandon": "The game is given up",
    "end": "The game is ended",
    "assistant": "Assistant",
    "dispute holds": "Disputes",
}
"""Kind of a ruling → the subject of the emails about it; `RULING` for others."""
RULING = "Ruling"


def _page(
    desk: Desk, table: GameTable, plan: DirectorPlan, to: Audience, commands: Sequence[str] = ()
) -> Page:
    name, title = table.row.name, table.title
    subject = HEADLINES.get(plan.rulings[0].kind, RULING)
    first, *lines = dict.fromkeys((*plan.told, *plan.asked))
    about = desk.service.about(name, title)
    opened = seals.at_the_end(seals.kept(table, to.seat, over=True)) if plan.abandoned else ()
    subject = f"[{name}] {subject}"
    return note_page(to, subject, first, lines, commands, about=about, opened=opened)


def _offices(desk: Desk, table: GameTable, plan: DirectorPlan) -> Iterator[Letter]:
    """To an organizer who does not play, and the assistant: what they did not write themselves.

    The one who is to rule on a player's request gets the commands for it, at the address for
    it.
    """
    name, ruler, who = table.row.name, table.ruling, plan.who
    asked = bool(plan.asked)
    rules = asked and ruler == ORGANISER != who.office
    if rules or ORGANISER in informed(table, who.seat or who.office):
        commands = plan.answers if asked and ruler == ORGANISER else ()
        page = _page(desk, table, plan, of_organiser(name), commands)
        yield desk.to_organiser("ruling", table.row, page)
    if who.office != ASSISTANT and plan.settings.assistant:
        commands = plan.answers if asked and ruler == ASSISTANT else ()
        page = _page(desk, table, plan, of_assistant(name), commands)
        yield desk.to_assistant("ruling", table.row, plan.settings, page)


ASKS_YOU = (
    "The organizer of {game} ({title}; players: {names}) asks you to be its assistant: to rule on "
    "what concerns the position where the organizer plays."
)


def _invitation(desk: Desk, table: GameTable, settings: GameSettings) -> Letter:
    """To somebody who is asked to be the assistant: they reply with one word, or not at all."""
    name = table.row.name
    names = ", ".join(seat.name for seat in table.players) or "nobody yet"
    lines = (ASKS_YOU.format(game=name, title=table.title.name, names=names), YES_TAKES_IT)
    subject, about = f"[{name}] {WILL_YOU_ASSIST}", desk.service.about(name, table.title)
    page = note_page(
        of_assistant(name), subject, ASKED_TO_BE_ASSISTANT, lines, ("yes",), about=about
    )
    return desk.to_assistant("assistant", table.row, settings, page)
