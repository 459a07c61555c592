"""Emails to a game's director: from the director, and from players who call for one.

All acts of an email are done together or not at all. Acts whose effect is shown first wait for
`go`.
"""

from collections.abc import Sequence
from dataclasses import replace

from engine import State
from service import rations
from service.audience import ASSISTANT, ORGANISER
from service.commands.command import Command
from service.commands.entry import Entry, When, Where, Who
from service.commands.reading import Scope, read
from service.commands.results import tried
from service.desk.answering.effects import Effect
from service.desk.answering.game_email import GameContext
from service.desk.director import carrying_out
from service.desk.director.acts import DirectorAct, act_of
from service.desk.director.director_known import DirectingPerson, DirectorKnown
from service.desk.director.director_plan import DirectorPlan
from service.desk.proving import owners
from service.desk.rationing import named_addresses
from service.desk.rationing.answer_rations import Answering
from service.games import retreat
from service.games.game_status import status_for_director
from service.mail.replies import Line
from service.refusal import Refused
from service.reports import Result
from service.reports.words import moment
from service.store import PartialRow, RulingRow, Tx

#: name of the entries by which a writer confirms what an answer has shown
GO = "go"

WRITE_AGAIN = "Write it again if you mean it now."
SAID_MUCH = "You have sent many messages lately."
NOTHING_WAITS = "Nothing waits for your `go`: it was done, or the game has gone on."
FROM_ELSEWHERE = "You direct {game} from {address}."
REPLY_GO = (
    "Reply `go` to do what is shown here. It holds while the game is as it is; another email takes "
    "its place."
)
DIRECTOR_IS_TOLD = "The director and all players get an email."


def read_acts(
    entries: Sequence[Entry], lines: Sequence[Line], who: Who, where: Where
) -> tuple[Command, ...]:
    """The director's acts in lines that are no email, or were shown before.

    ``entries`` is the table of commands.
    """
    acts = [one for one in entries if one.do is direct]
    return read(lines, Scope(acts, who, where, When.RUNNING))


def direct(context: GameContext, commands: Sequence[Command]) -> Effect:
    """Plan all acts of an email; `go` stands for those that an earlier answer has shown."""
    first, *others = commands
    made = tried(lambda _: _directed(context, commands), first)
    return made if isinstance(made, Effect) else _none(context, made, others)


def _directed(context: GameContext, commands: Sequence[Command]) -> Effect:
    """The effect of the acts. Raises Refused."""
    who = _person(context)
    talk = _talk(context, who)
    acts = _acts(context, commands, who)
    known, plan = carrying_out.planned(context.reads, context.table, who, acts, context.desk.now)
    _still_meant(context, known, acts)
    made = carrying_out.effect_of_plan(context.desk, known, plan)

    def write(tx: Tx) -> None:
        made.write(tx)
        _keep(tx, context, who, plan, acts)
        if plan.does and plan.invites:
            named_addresses.count(tx, plan.settings.invited, context.desk.now)

    used = (talk,) if plan.does else ()
    return replace(made, write=write, closing=_closing(known, who, plan), rations=used)


def for_office(
    context: GameContext, commands: Sequence[Command]
) -> tuple[GameContext, Sequence[Command]]:
    """An email of an organizer who plays; for their office, if all of it is a director's acts."""
    if context.office != ORGANISER or not commands:
        return context, commands
    commands = _go_of_office(context, commands)
    if not all(command.done_by(direct) for command in commands):
        return context, commands
    desk = context.desk
    office = owners.of_game(desk.service, desk.now, context.before, ORGANISER)
    return replace(context, writer=replace(context.writer, owner=office)), commands


def _go_of_office(context: GameContext, commands: Sequence[Command]) -> Sequence[Command]:
    """The commands, with `go` for what their writer was shown last: acts, or their own moves."""
    if context.seat is None or all(command.word != GO for command in commands):
        return commands
    game, number = context.before.row.id, context.before.next_number
    office, own = (
        context.reads.ahead.partial(game, ORGANISER),
        context.reads.ahead.partial(game, context.seat.name),
    )
    if office is None or office.follows != number or (own and own.mail > office.mail):
        return commands
    entries = context.desk.service.commands.entries
    entry = next(one for one in entries if one.name == GO and one.do is direct)
    return [
        replace(command, entry=entry, parts=found)
        if command.word == GO and (found := entry.match(command.text)) is not None
        else command
        for command in commands
    ]


# the writer


def _person(context: GameContext) -> DirectingPerson:
    """The person who acts, with the seat that they have from any address."""
    table, office = context.table, context.office
    if office == ASSISTANT:
        return DirectingPerson(office, table.seat_at(table.settings.assistant))
    return DirectingPerson(office, context.seat.name if context.seat else table.organisers_seat)


def _talk(context: GameContext, who: DirectingPerson) -> Answering:
    """The ration of a player's calls; an office has none.

    Raises Refused for a player who has called so often lately that nobody gets an email.
    """
    counters = () if who.office else rations.player(context.game, who.by, "talk")
    ration = Answering(context.reads, context.desk, counters)
    if not ration.possible:
        raise Refused(SAID_MUCH, hint=f"Send it again after {moment(ration.until)}.")
    return ration


# the request


def _acts(
    context: GameContext, commands: Sequence[Command], who: DirectingPerson
) -> list[DirectorAct]:
    """The acts of the commands; raises Refused for a `go` that confirms nothing."""
    found: list[DirectorAct] = []
    for command in commands:
        assert command.entry is not None
        if not who.office and not command.barred and not command.entry.who & Who.PLAYER:
            row = context.table.row
            raise Refused(
                FROM_ELSEWHERE.format(game=row.name, address=row.organiser),
                hint="Write from there, or to the organizer's address.",
            )
        if command.word != GO or command.barred:
            found.append(act_of(command))
            continue
        kept = _kept(context, who, int(command.parts.get("about") or 0))
        lines = [Line(number, text) for number, text in enumerate(kept.commands.split("\n"), 1)]
        shown = read_acts(context.desk.service.commands.entries, lines, context.who, Where.PRIVATE)
        found += [replace(act_of(one, sure=True), number=command.number) for one in shown]
    return found


def _still_meant(context: GameContext, known: DirectorKnown, acts: Sequence[DirectorAct]) -> None:
    """Raises Refused for an email that is out of date, or that would ask many strangers."""
    named = [act.name for act in acts if act.kind == "assistant"]
    plays, written = any(act.kind == "as" for act in acts), context.written
    for address in named:
        named_addresses.check(context.reads, context.desk, address)
    if not plays or known.table.head is None:
        return
    stood = retreat.position_before(context.reads, known.table, written.number, written.received)
    found = retreat.changed(context.reads, known.table, known.log.past, stood, "")
    if found:
        raise Refused(" ".join((*found[:-1], WRITE_AGAIN)))


def _none(context: GameContext, first: Result, others: Sequence[Command]) -> Effect:
    """Nothing is done, and the result of the first command says why."""
    unsent = (Result(one.number, one.shown, "unsent") for one in others)
    closing = status_for_director(context.table, context.table.settings, _position(context))
    return Effect((first, *unsent), closing=closing)


# go


def _kept(context: GameContext, who: DirectingPerson, wanted: int) -> PartialRow:
    """The acts that were shown and wait, if the game is as it was. Raises Refused."""
    kept = context.reads.ahead.partial(context.before.row.id, who.office)
    stands = kept is not None and kept.follows == context.table.next_number
    if kept is None or not stands or wanted not in (0, kept.mail):
        raise Refused(NOTHING_WAITS, hint="Write it again.")
    return kept


def _keep(
    tx: Tx,
    context: GameContext,
    who: DirectingPerson,
    plan: DirectorPlan,
    acts: Sequence[DirectorAct],
) -> None:
    """Store what `go` confirms: the acts shown last, or nothing after something was done."""
    game, office = context.before.row.id, who.office
    if not office:
        return
    if plan.shown and plan.good:
        text = "\n".join(act.text for act in acts)
        row = PartialRow(office, text, "", context.table.next_number, context.desk.mail_id)
        tx.ahead.keep_partial(game, row, context.desk.now)
    elif plan.does:
        tx.ahead.drop_partial(game, office)


# an assistant who is asked


def accept(context: GameContext, commands: Sequence[Command]) -> Effect:
    """`yes` of somebody who is asked to be the assistant: from now on they are."""
    settings, text = carrying_out.accepted(context.table)
    row = RulingRow(0, "assistant", 0, 0, ASSISTANT, "yes", "", at=context.desk.now)
    results = tuple(Result(one.number, one.shown, "ok", notes=(text,)) for one in commands)
    who = DirectingPerson(ASSISTANT, context.table.seat_at(settings.assistant))
    known, plan = carrying_out.planned(context.reads, context.table, who, (), context.desk.now)
    plan = replace(plan, settings=settings, rulings=(row,), told=(text,), results=results)
    made = carrying_out.effect_of_plan(context.desk, known, plan)
    return replace(made, closing=_closing(known, who, plan))


# the answer


def _closing(known: DirectorKnown, who: DirectingPerson, plan: DirectorPlan) -> Sequence[str]:
    """The state of the game afterwards, and the commands of the writer."""
    if plan.shown and plan.good:
        return (REPLY_GO,)
    if not who.office:
        return (DIRECTOR_IS_TOLD,) if plan.does else ()
    state = plan.change.state if plan.change else None
    return status_for_director(known.table, plan.settings, state, given_up=plan.abandoned)


def _position(context: GameContext) -> State | None:
    return context.table.state if context.table.head else None
