"""Stores the results of a director's acts, and emails everybody about each of them once.

It knows no email. The door settles what asked for the acts, in the same transaction.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import msgspec

from service.audience import ASSISTANT, ORGANISER, Audience, of_assistant, of_organiser, of_seat
from service.desk.answering.effects import Effect
from service.desk.director.director_known import DirectingPerson, DirectorKnown, DirectorPlan
from service.desk.door import Done
from service.desk.informing.everybody import informed
from service.desk.informing.follow_up import FollowUp
from service.desk.letters.post import Desk, at_head
from service.desk.seats import handover
from service.desk.timing import out_of_time
from service.games import choices, games, seals, timing
from service.games.changes import Change, orders_after
from service.games.commit import VOTE, Besides, Jot, commit, handle_at, over
from service.games.games import GameSettings, GameTable, load
from service.reports import Page, note_page
from service.said import ASKED_TO_BE_ASSISTANT, WILL_YOU_ASSIST, YES_TAKES_IT
from service.store import Conflict, Letter, Occasion, Tx

#: the kind of the spans in which the clocks of a game on hold stop
ON_HOLD = "hold"


def effect(desk: Desk, known: DirectorKnown, plan: DirectorPlan) -> Effect:
    """The effect of a plan: its results, the emails to all others, and the rows to store."""
    if not plan.does:
        return Effect(plan.results)
    letters, jots = _told(desk, known, plan)
    return Effect(
        plan.results,
        _after(known, plan),
        letters,
        lambda tx: _store(tx, desk, known, plan, jots),
        changes=True,
    )


def carried_out(
    reads: Tx, desk: Desk, known: DirectorKnown, plan: DirectorPlan, note: str = ""
) -> Done:
    """A plan with all its emails, if no email asks for it; ``note`` is for the operator.

    Storing it raises Conflict if the game has changed since it was read. Raises
    Refused.
    """
    if plan.does and plan.handover is not None:
        return _handed_over(reads, desk, known, plan, note)
    made = effect(desk, known, plan)

    def stored(tx: Tx) -> None:
        row = tx.games.named(known.table.row.name)
        if made.changes and row != known.table.row:
            raise Conflict(f"{known.table.row.name} has changed")
        made.write(tx)

    return Done(note, made.letters, also=stored)


def _after(known: DirectorKnown, plan: DirectorPlan) -> GameTable:
    """The game after the plan."""
    table, change = known.table, plan.change
    row = table.with_settings(plan.settings).row
    if plan.abandoned:
        row = replace(row, status="abandoned")
    if change is None or not change.moves:
        return replace(table, row=row)
    if not change.state.stack:
        row = replace(row, status="ended")
    head = games.unsaved(row.id, table.title, change.state)
    number = table.next_number + len(change.played)
    return replace(table, row=row, head=head, next_number=number)


def _handed_over(
    reads: Tx, desk: Desk, known: DirectorKnown, plan: DirectorPlan, note: str
) -> Done:
    """Give a seat to another player, who gets all that is needed. Raises Refused."""
    assert plan.handover is not None
    table = known.table
    before = table.row.head or 0
    move = handover.moved(reads, desk, table.row.name, plan.handover)

    def also(tx: Tx) -> None:
        move.write(tx)
        number = tx.occasions.record(desk.occasion, desk.now)
        stands = table.state.number if table.head else 0
        for ruling in plan.rulings:
            kept = replace(ruling, before=before, after=before, position=stands)
            tx.rulings.add(table.row.id, kept, number)

    return Done(note, [move.letter(move.page), *move.others], also=also)


def _store(
    tx: Tx, desk: Desk, known: DirectorKnown, plan: DirectorPlan, jots: Sequence[Jot]
) -> None:
    table, now, row, change = known.table, desk.now, known.table.row, plan.change
    occasion = _occasion(desk)
    before = row.head or 0
    if change is not None and (change.moves or change.waits_anew or change.orders_anew):
        clocks = timing.after(change, timing.ClockMoments(now, now))
        number = commit(tx, occasion, change, now, Besides(jots=jots, clocks=clocks))
    else:
        number = tx.occasions.record(occasion, now)
    if plan.settings != table.settings:
        tx.games.set_settings(row.id, plan.settings.stored())
    if plan.settings.batch != table.settings.batch:
        handle_at(tx, _again(tx, row.name), plan.settings.batch, now)
    _pause(tx, table, plan.settings, now)
    if plan.settings.clock != table.settings.clock:
        timing.anew(tx, _again(tx, row.name), now)
    elif plan.settings.holidays != table.settings.holidays:
        now_set = _again(tx, row.name)
        rule = timing.rule_of(now_set)
        timing.keep(tx, now_set, timing.accounts_of(now_set, rule) if rule else (), now)
    for seat, seconds in plan.granted:
        timing.granted(tx, _again(tx, row.name), seat, seconds, now)
    if plan.abandoned:
        tx.games.set_status(row.id, "abandoned", now)
        choices.plan_observers(tx, row, f"abandoned-{now}", now)
        tx.games.wait_for(row.id, "", (), now)
        over(tx, row, now)
    head = tx.log.head(row.id)
    after, stands = (head.id, head.number) if head else (0, 0)
    for ruling in plan.rulings:
        kept = replace(ruling, before=before, after=after, position=stands)
        tx.rulings.add(row.id, kept, number)


def _occasion(desk: Desk) -> Occasion:
    """The occasion of acts apart from the rest of an email: they are nobody's own moves."""
    occasion = desk.occasion
    if occasion.mail is None:
        return occasion
    return replace(occasion, kind="director", key=f"{occasion.key}-director", seat="", mail=None)


def _pause(tx: Tx, table: GameTable, settings: GameSettings, now: int) -> None:
    """Note for a game's clocks and votes that it is on hold, or continues."""
    row, was = table.row, table.settings.paused
    if settings.paused and not was:
        tx.clocks.add_span(row.id, "", ON_HOLD, settings.paused, None, settings.paused_because)
        tx.votes.rest(row.name, VOTE)
    elif was and not settings.paused:
        tx.clocks.end_span(row.id, "", ON_HOLD, now)
        tx.votes.wake(row.id, row.name, VOTE, now - was)
        out_of_time.resumed(tx, row.name, now)
    rule = timing.rule_of(table)
    if rule is not None and settings.paused != was:
        after = _again(tx, row.name)
        timing.keep(tx, after, timing.accounts_of(after, rule), now)


def _again(tx: Tx, name: str) -> GameTable:
    """The game as it is within the transaction."""
    table = load(tx, name)
    assert table is not None
    return table


# the emails


def _told(desk: Desk, known: DirectorKnown, plan: DirectorPlan) -> tuple[list[Letter], list[Jot]]:
    letters: list[Letter] = []
    jots: list[Jot] = []
    if plan.told and plan.change is not None and plan.change.moves:
        letters, jots = _followed(desk, known, plan, plan.change)
    elif plan.told and not all(row.kind == "ask" for row in plan.rulings):
        letters = list(_noticed(desk, known, plan))
    over = plan.change is not None and not plan.change.state.stack
    if plan.told and (known.board or not over):
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
        voted="The director",
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
    "dispute": "An act is disputed",
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


IS_ASSISTANT = "{address} is the assistant of {game}."
IS_ASSISTANT_AND_RULES = (
    "{address} is the assistant of {game}, and rules on what concerns the position."
)


def accepted(table: GameTable) -> tuple[GameSettings, str]:
    """The settings after the asked person has agreed, and the sentence for everybody."""
    settings = table.settings
    taken = msgspec.structs.replace(settings, assistant=settings.invited, invited="")
    message = IS_ASSISTANT_AND_RULES if table.organisers_seat else IS_ASSISTANT
    return taken, message.format(address=settings.invited, game=table.row.name)
