"""Plans a director's acts, and says what they change: the game after them, and rows to store.

The door settles what asked for the acts, in the same transaction.
"""

from collections.abc import Sequence
from dataclasses import replace

import msgspec

from service.desk.answering.effects import Effect
from service.desk.director.acts import DirectorAct
from service.desk.director.director_known import DirectingPerson, DirectorKnown, known_of_game
from service.desk.director.director_plan import DirectorPlan
from service.desk.director.planning import Planner
from service.desk.director.ruling_letters import told
from service.desk.door import Done
from service.desk.letters.desk import Desk
from service.desk.seats import handover
from service.desk.timing import out_of_time
from service.games import choices, games, timing
from service.games.commit import VOTE, Besides, Jot, commit, handle_at, plan_end
from service.games.games import GameSettings, GameTable, load
from service.store import Conflict, Occasion, Tx

#: the kind of the spans in which the clocks of a game on hold stop
ON_HOLD = "hold"


def planned(
    reads: Tx, table: GameTable, who: DirectingPerson, acts: Sequence[DirectorAct], now: int
) -> tuple[DirectorKnown, DirectorPlan]:
    """What a person's acts at a game need, and the plan of them."""
    known = known_of_game(reads, table, acts)
    return known, Planner(known, who, now).all(acts)


def carried_out(
    reads: Tx,
    desk: Desk,
    table: GameTable,
    office: str,
    acts: Sequence[DirectorAct],
    note: str = "",
) -> tuple[DirectorPlan, Done]:
    """The plan of acts that no email asks for, and what it comes to, with all its emails.

    ``note`` is for the operator. Storing it raises Conflict if the game has changed since it was
    read. Raises Refused if a seat cannot be given to another player.
    """
    known, plan = planned(reads, table, DirectingPerson(office), acts, desk.now)
    if plan.does and plan.handover is not None:
        return plan, _handed_over(reads, desk, known, plan, note)
    made = effect_of_plan(desk, known, plan)

    def stored(tx: Tx) -> None:
        row = tx.games.named(known.table.row.name)
        if made.changes and row != known.table.row:
            raise Conflict(f"{known.table.row.name} has changed")
        made.write(tx)

    return plan, Done(note, made.letters, also=stored)


def effect_of_plan(desk: Desk, known: DirectorKnown, plan: DirectorPlan) -> Effect:
    """The effect of a plan: its results, the emails to all others, and the rows to store.

    Only `carried_out` gives a seat to another player.
    """
    if not plan.does:
        return Effect(plan.results)
    assert plan.handover is None
    letters, jots = told(desk, known, plan)
    return Effect(
        plan.results,
        changed=_after(known, plan),
        letters=letters,
        write=lambda tx: _store(tx, desk, known, plan, jots),
        changes=True,
    )


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
        plan_end(tx, row, now)
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
