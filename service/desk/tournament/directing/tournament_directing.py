"""Carries out a tournament director's commands: all acts of an email together, or none."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from engine.wording import cut
from service.commands.command import Command
from service.commands.entry import Who
from service.commands.reading import read
from service.desk.answering.effects import Effect, done_or_refused, effect_of, singly, together
from service.desk.channels.terminal import TerminalChannel
from service.desk.director.acts import reason_of
from service.desk.door import Write, store_nothing
from service.desk.letters.desk import Desk
from service.desk.tournament.answering.tournament_context import (
    TournamentContext,
    shows,
    tournament_scope,
)
from service.desk.tournament.letters.tournament_letters import CONCERNED, TournamentText, to_these
from service.desk.tournament.stored.keeping import change_of, seat_of
from service.mail.replies import numbered
from service.refusal import Refused
from service.reports import Answer
from service.said import A_REASON_IS_MISSING, YES_TO_ASSIST
from service.store import Letter, Task, Tx
from service.tournaments.acts import ASSISTANT, DIRECTOR, OPERATOR, LoggedAct, TournamentAct
from service.tournaments.tournament import Tournament
from service.tournaments.values import Entrant, RoundTable

#: most characters of a message to all
LONGEST = 2_000
#: commands about a table: a director who plays there leaves them to the assistant
RULES = ("adjudicate", "correct", "rule")
#: commands that take another player away from it
OUSTS = ("exclude", "withdraw")
#: commands that all read as they were written
_TOLD = ("announce", "rule", "propose")


@dataclass(frozen=True)
class Instruction:
    """One command of a director, in its parts.

    ``rest`` is the text after its name, without the reason ``because``. ``table`` is "2.1" if
    it names a table. ``below`` has the lines that belong to it.
    """

    command: Command
    rest: str
    because: str = ""
    table: str = ""
    below: str = ""


def instruction_of(command: Command) -> Instruction:
    """A command in its parts."""
    lines = command.rest.split("\n")
    own = len(lines) - command.text.count("\n")
    rest, below = "\n".join(lines[:own]).strip(), "\n".join(lines[own:])
    table = command.parts.get("table", "")
    if command.word in _TOLD:
        said = f"{rest}\n{below}".strip()
        said = " ".join(said.split()) if command.word == "rule" else said
        return Instruction(command, cut(said, LONGEST), table=table)
    return Instruction(command, *reason_of(rest), table, below)


#: gives the effect of a command; raises Refused
Way = Callable[[TournamentContext, Instruction], Effect]


def answers_director(
    answer: Callable[[TournamentContext], Answer],
) -> Callable[[TournamentContext, Sequence[Command]], Effect]:
    """Answers a kind of a director's questions."""

    def one(context: TournamentContext, command: Command) -> Effect:
        if not context.agreed:
            raise Refused(YES_TO_ASSIST)
        return shows(command, answer(context))

    return singly(one)


def direct(context: TournamentContext, commands: Sequence[Command]) -> Effect:
    """Do all acts, each by the `Way` of its entry, or none: the results say why."""
    after = context
    effects: list[Effect] = []
    for command in commands:
        effects.append(done_or_refused(partial(_one, after), command))
        after = after.after(effects[-1])
    wrong = any(result.status == "no" for effect in effects for result in effect.results)
    good = context.whole and not wrong
    return together(effects if good else [_not_done(effect) for effect in effects])


def operated(
    reads: Tx, desk: Desk, tournament: Tournament, text: str, office: str = OPERATOR
) -> Effect:
    """The effect of lines that no email brought: the operator's, or those of a day of the rules."""
    context = TournamentContext(
        reads=reads, desk=desk, before=tournament, office=office, who=Who.TOURNAMENT_OPERATOR,
        where=TerminalChannel.where,
    )  # fmt: skip
    return effect_of(context, read(numbered(text), tournament_scope(context)))


def _not_done(effect: Effect) -> Effect:
    """The answer to a command if another one of its email was refused."""
    kept = ("no", "answer")
    return Effect(
        [r if r.status in kept else replace(r, status="unsent", notes=()) for r in effect.results]
    )


NOT_UNDERSTOOD = "This is not understood. `help` lists your commands."
DIRECTOR_NAMES = "The director names the assistant."
ASK_THE_DIRECTOR = "Ask the director."
EXAMPLE_WITH_REASON = "For example: `{word} … because …`."


def _one(context: TournamentContext, command: Command) -> Effect:
    """The effect of one command. Raises Refused."""
    entry = command.entry
    if command.barred or entry is None or entry.act is None:
        raise Refused(command.barred or NOT_UNDERSTOOD)
    if not context.agreed and command.word != "yes":
        raise Refused(YES_TO_ASSIST)
    said = instruction_of(command)
    if said.command.word == "assistant" and context.office == ASSISTANT:
        raise Refused(DIRECTOR_NAMES, hint=ASK_THE_DIRECTOR)
    _check_own(context, said)
    if "because" in entry.syntax and not said.because:
        raise Refused(A_REASON_IS_MISSING, hint=EXAMPLE_WITH_REASON.format(word=said.command.word))
    effect: Effect = entry.act(context, said)
    return effect


# ------------------------------------------------------------------- the director's own tables
NO_ASSISTANT = "You play at that table, and there is no assistant who could rule there."
NAME_ONE_FIRST = "Write `assistant ADDRESS` first."
ASSISTANT_RULES = "You play at that table, so its assistant rules: {assistant}."
DIRECTOR_RULES = "You play at that table, so the director rules on it."
NAME_ANOTHER = "You play in this round, so somebody else rules."
NAME_THE_RULER = "Name them: `assistant ADDRESS`."


def _check_own(context: TournamentContext, said: Instruction) -> None:
    """Raises Refused for a command about a table at which its writer plays."""
    if context.office not in (DIRECTOR, ASSISTANT):
        return
    if said.command.word not in (*RULES, *OUSTS, "assistant"):
        return
    tournament, directs = context.tournament, context.office == DIRECTOR
    plays = _player(context, tournament.rules.director if directs else tournament.rules.assistant)
    if plays is None:
        return
    own = _own(context, plays)
    if said.command.word in RULES:
        concerned = any(said.table in ("", t.label) for t in own)
    else:
        now = [t for t in own if t.round == tournament.round and said.command.word in OUSTS]
        named = {one.casefold() for one in re.findall(r"[^\s,.]+", said.rest)}
        seats = {seat.casefold() for table in now for seat in table.seats if seat != plays.name}
        concerned = not named.isdisjoint(seats)
    if concerned and directs and not tournament.rules.assistant:
        raise Refused(NO_ASSISTANT, hint=NAME_ONE_FIRST)
    if concerned and directs:
        raise Refused(ASSISTANT_RULES.format(assistant=tournament.rules.assistant))
    if concerned:
        raise Refused(DIRECTOR_RULES)
    off = said.command.word == "assistant" and said.rest.strip().lower() in ("off", "none")
    if off and any(t.game == table.game for t in own for table in context.tournament.playing):
        raise Refused(NAME_ANOTHER, hint=NAME_THE_RULER)


def _own(context: TournamentContext, plays: Entrant) -> Sequence[RoundTable]:
    """The tables at which somebody was seated, or has taken over a seat."""
    reads, tournament = context.reads, context.tournament
    taken = {t.game for t in tournament.begun_tables if seat_of(reads, t, plays) is not None}
    return [t for t in tournament.tables if plays.name in t.seats or t.game in taken]


def _player(context: TournamentContext, address: str) -> Entrant | None:
    """The player at the address of an office: by their entry, or by their seat."""
    tournament = context.tournament
    if own := tournament.confirmed_at(address):
        return own
    tables = {table.id for table in context.tournament.begun_tables}
    seats = [first for game, first in context.reads.seats.further_from(address) if game in tables]
    return next((e for first in seats if (e := tournament.had_address(first)) is not None), None)


# ----------------------------------------------------------------- the effects of commands


def decided_by_director(
    context: TournamentContext,
    said: Instruction,
    acts: Sequence[TournamentAct],
    words: TournamentText,
    *notes: str,
    letters: Iterable[Letter] = (),
    tasks: Sequence[Task] = (),
    also: Write = store_nothing,
    readers: Iterable[Entrant] | None = None,
) -> Effect:
    """A decision that the ``readers`` read, all entrants if None.

    ``letters`` are those to others, ``notes`` the answer.
    """
    logged = [LoggedAct(act, context.office, said.because) for act in acts]
    entrants = context.tournament.of_state(*CONCERNED) if readers is None else readers
    every = [*to_these(context.desk, context.tournament, entrants, words), *letters]
    made = change_of(context.desk, context.tournament, logged, every, tasks, also)
    return context.did(said.command, made, *notes)
