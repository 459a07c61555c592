"""Plans a director's acts and players' calls for one, act by act; stores nothing."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import msgspec

from engine import Seat
from engine.telling.narration import narrate_all
from engine.wording import cut
from service.audience import ASSISTANT
from service.commands.command import Command
from service.commands.reading import MORE, PLAY, moves_in
from service.commands.results import tried
from service.desk.director import settings_and_time
from service.desk.director.acts import MOVES, DirectorAct
from service.desk.director.director_known import DirectingPerson, DirectorKnown, check_assistant
from service.desk.director.director_plan import DirectorPlan
from service.desk.rationing import named_addresses
from service.desk.seats.handover import Handover
from service.desk.turns.verdicts import Verdicts
from service.games import changes, directing, games, votes
from service.games.changes import Change
from service.games.naming import player_meant
from service.mail.replies import Line
from service.refusal import Refused
from service.reports import Result, ResultStatus
from service.said import (
    A_REASON_IS_MISSING,
    DIRECTOR_ALREADY,
    MISSING_AFTER,
    NAME_A_NON_PLAYER,
    NAME_ANOTHER_ADDRESS,
    SEND_THIS_ONE_APART,
)
from service.store import ActionRow, RulingRow

#: most actions that an email about a rollback lists, and characters of them
_MOST, _TOLD = 12, 600
#: acts that need no reason
_PLAIN = ("dispute holds", "assistant")

ONE_IN_A_MAIL = "An email may have one such act."

# rights

FOR_EXAMPLE_HOW = "For example: {how}."

# the game as a whole

ON_HOLD_ALREADY = "The game is on hold already."
HOLDS = "{director} puts the game on hold, because {because}."
WHILE_ON_HOLD = "It takes no move until it goes on, orders wait, and clocks stand still."
NOT_ON_HOLD = "{game} is not on hold."
GOES_ON = (
    "{director} lets the game go on, because {because}. The player whose turn it is may write "
    "again."
)
DISPUTES_HOLD = "From now on a dispute puts the game on hold until the director has ruled."
DISPUTES_DO_NOT_HOLD = "From now on a dispute does not put the game on hold."
ENDED_BY_DIRECTOR = "the director ended the game"
ENDS = "{director} ends the game now, because {because}."
GIVES_UP = "{director} gives the game up, because {because}. Nobody has won it."

# the position

ACTS_FOR = "{director} acts for {name}: {commands}, because {because}."
PUTS_RIGHT = "{director} puts right: {correction}, because {because}."
WOULD_GIVE = "It gives {name} {time} more."
WOULD_TAKE = "It takes {time} from {name}."
GIVES = "{director} gives {name} {time} more, because {because}."
TAKES = "{director} takes {time} from {name}, because {because}."
SETS = "{director} sets {setting}, because {because}."
GIVES_THE_SEAT = "{director} gives the seat to another player, because {because}."
SAY_WHICH_POSITION = "Say to which position, by its number: {how}."
TAKES_BACK = "{director} takes the game back to #{number}, because {because}."
STRUCK_OUT = "Struck out: {lost}."
BRINGS_BACK = "{director} brings back what was taken back, because {because}."
STANDS_AGAIN = "It stands again: {back}."

# messages

NAME_THE_ACT = "Name the act by its number, as `history` shows it: `dispute 212: …`."
RULES_ON = "{director} rules on {step}: {because}"
ANNOUNCES = "{director} announces: {because}"
DISPUTES = "{name} disputes {step}: {because}"
DISPUTES_NUMBER = "{name} disputes #{number}"
ON_HOLD_UNTIL_RULED = "The game is on hold until the director has ruled."
ASKS_LEAVE = "{name} asks for leave to go back to #{number}, because {because}."
WOULD_STRIKE_OUT = "It would strike out: {lost}."

# the assistant

NO_ASSISTANT = "{game} has no assistant."
NO_ASSISTANT_NOW = "{game} has no assistant from now on."
WRITE_THE_ADDRESS = "Add the address: {how}."
PLAYER_CANNOT_ASSIST = "A player of the game cannot be its assistant."
CALLED_ASSISTANT = "A player of this game is called Assistant: it can have none."
IS_ASKED = "{address} is asked to be the assistant, and is it once they have said `yes`."


@dataclass
class Planner:
    """Plans the acts of one person, one after the other."""

    known: DirectorKnown
    who: DirectingPerson
    now: int
    plan: DirectorPlan = field(init=False)

    def __post_init__(self) -> None:
        table = self.known.table
        change = changes.nothing(table) if table.head else None
        self.plan = DirectorPlan(self.who, table, change, table.settings)

    def all(self, acts: Sequence[DirectorAct]) -> DirectorPlan:
        """Plan all of them, or none: the results say why."""
        moving = [act for act in acts if act.kind in MOVES]

        def one(act: DirectorAct) -> None:
            if act in moving[1:] or (moving and act.kind == "set"):
                raise Refused(ONE_IN_A_MAIL, hint=SEND_THIS_ONE_APART)
            self._one(act)

        for act in acts:
            if wrong := tried(one, act):
                results = (*self.plan.results, wrong)
                self.plan = replace(self.plan, results=results, good=False)
        if not self.plan.good:
            self._unsend()
        elif self.plan.shown:
            # acts beside one that is shown first are done with it
            asks = (replace(r, status="asks") if r.status == "ok" else r for r in self.plan.results)
            self.plan = replace(self.plan, results=tuple(asks))
        return self.plan

    def _show(self, act: DirectorAct, canonical: str, *follows: str) -> None:
        """Show the effect of an act; it is done after its writer has confirmed it."""
        self.plan = replace(self.plan, shown=True)
        self._result(act, "asks", *follows, canonical=canonical)

    def _unsend(self) -> None:
        """Undo the plan of acts that are possible, because another one is not."""
        results = tuple(
            replace(result, status="would")
            if result.status == "asks"
            else replace(result, status="unsent", notes=())
            if result.status == "ok"
            else result
            for result in self.plan.results
        )
        nothing = Planner(self.known, self.who, self.now).plan
        self.plan = replace(nothing, results=results, good=False)

    def _one(self, act: DirectorAct) -> None:
        self._check(act)
        DOES[act.kind](self, act)

    # rights

    def _check(self, act: DirectorAct) -> None:
        """Raises Refused for a person without the right, for a lone act, and without a reason."""
        if act.barred:
            raise Refused(act.barred)
        check_assistant(self.known, act, self.who)
        if not act.because and act.kind not in _PLAIN:
            raise Refused(A_REASON_IS_MISSING, hint=FOR_EXAMPLE_HOW.format(how=act.how))

    # rulings and their notes

    def _result(
        self, act: DirectorAct, status: ResultStatus, *notes: str, canonical: str = ""
    ) -> None:
        made = Result(act.number, act.shown, status, canonical, notes)
        self.plan = replace(self.plan, results=(*self.plan.results, made))

    def _note(
        self, act: DirectorAct, text: str, told: str, *more: str, about: int = 0, lost: str = ""
    ) -> None:
        """Add one ruling, the sentence for everybody, and more for the writer."""
        row = RulingRow(
            0, act.kind, 0, about, self.who.by, text, act.because, lost=lost, at=self.now
        )
        plan = self.plan
        self.plan = replace(plan, rulings=(*plan.rulings, row), told=(*plan.told, told))
        self._result(act, "ok", told, *more, canonical=text)

    def _ordered(self, change: Change) -> None:
        """A change with the effects of orders after it, unless the game is on hold."""
        table = self.known.table
        if not change.back and not self.plan.settings.paused:
            change = changes.settle(replace(change, table=table), self.known.book)
        self.plan = replace(self.plan, change=change)

    # the game as a whole

    def _hold(self, act: DirectorAct) -> None:
        if self.plan.settings.paused:
            raise Refused(self.known.table.on_hold or ON_HOLD_ALREADY)
        self._pause(act.because)
        text = HOLDS.format(director=self.who.called, because=act.because)
        self._note(act, "hold", f"{text} {WHILE_ON_HOLD}")

    def _pause(self, because: str) -> None:
        settings = msgspec.structs.replace(
            self.plan.settings, paused=self.now, paused_because=because
        )
        self.plan = replace(self.plan, settings=settings)

    def _resume(self, act: DirectorAct) -> None:
        if not self.plan.settings.paused:
            raise Refused(
                NOT_ON_HOLD.format(game=self.known.table.row.name),
                hint="`hold because …` puts it on hold.",
            )
        settings = msgspec.structs.replace(self.plan.settings, paused=0, paused_because="")
        self.plan = replace(self.plan, settings=settings)
        text = GOES_ON.format(director=self.who.called, because=act.because)
        self._note(act, "resume", text)
        released = self.known.table.with_settings(settings)
        change = changes.settle(changes.nothing(released), self.known.book)
        self.plan = replace(self.plan, change=replace(change, table=self.known.table))

    def _dispute_holds(self, act: DirectorAct) -> None:
        on = act.rest.lower() != "off"
        settings = msgspec.structs.replace(self.plan.settings, dispute_holds=on)
        self.plan = replace(self.plan, settings=settings)
        text = DISPUTES_HOLD if on else DISPUTES_DO_NOT_HOLD
        self._note(act, f"hold on dispute {'on' if on else 'off'}", text)

    def _end(self, act: DirectorAct) -> None:
        change = votes.ended(self.known.table, ENDED_BY_DIRECTOR, "director")
        self.plan = replace(self.plan, change=change)
        text = ENDS.format(director=self.who.called, because=act.because)
        self._note(act, "end game", text)

    def _abandon(self, act: DirectorAct) -> None:
        self.plan = replace(self.plan, abandoned=True)
        text = GIVES_UP.format(director=self.who.called, because=act.because)
        self._note(act, "abandon", text)

    # the position

    def _as(self, act: DirectorAct) -> None:
        table = self.known.table
        seat = player_meant(table.names, act.name, begins=True)
        lines = [Line(act.number, text) for text in act.rest.split("\n") if text.strip()]
        commands = moves_in(lines)
        if not commands:
            raise Refused(MISSING_AFTER, hint=f"Say what {seat} does: {act.how}.")
        plays = [command for command in commands if command.word == PLAY]
        keep_open = any(command.word == MORE for command in commands)
        change = directing.as_seat(table, seat, plays, keep_open=keep_open)
        [outcome] = change.outcomes
        if not outcome.done:
            self._refused(seat, plays, change)
            return
        texts = "; ".join(p.text for p in outcome.played)
        message = ACTS_FOR.format(
            director=self.who.called, name=seat, commands=texts, because=act.because
        )
        self._ordered(change)
        self._note(act, f"as {seat}: {texts}", message)

    def _refused(self, seat: Seat, plays: list[Command], change: Change) -> None:
        """The result of each command; none is done."""
        verdicts = Verdicts(self.known.table.title, plays)
        verdicts.played(change.outcomes[-1], self.known.table.state, seat, own=False)
        self.plan = replace(self.plan, good=False, results=(*self.plan.results, *verdicts.results))

    def _correct(self, act: DirectorAct) -> None:
        change = directing.correction(self.known.table, act.rest, act.because)
        [played, *_] = change.played
        sentences = narrate_all(self.known.table.title, played.events)
        if not act.sure:
            self._show(act, played.text, *sentences)
            return
        self._ordered(change)
        right = played.text.removeprefix("correct ")
        text = PUTS_RIGHT.format(director=self.who.called, correction=right, because=act.because)
        self._note(act, played.text, text)

    def _clock(self, act: DirectorAct) -> None:
        table = self.known.table
        seat = player_meant(table.names, act.name, begins=True)
        also = sum(seconds for other, seconds in self.plan.granted if other == seat)
        time = settings_and_time.time_given(table, seat, act.given, self.now, also)
        self.plan = replace(self.plan, granted=(*self.plan.granted, (seat, time.seconds)))
        if not act.sure:
            would = WOULD_GIVE if time.seconds > 0 else WOULD_TAKE
            would = would.format(name=seat, time=time.much)
            self._show(act, f"clock {seat} {time.written}", would, time.shown)
            return
        does = GIVES if time.seconds > 0 else TAKES
        text = does.format(director=self.who.called, name=seat, time=time.much, because=act.because)
        self._note(act, f"clock {seat} {time.written}", f"{text} {time.told}".rstrip())

    def _set(self, act: DirectorAct) -> None:
        made = settings_and_time.setting_of(self.plan.settings, act.rest)
        self.plan = replace(self.plan, settings=made.settings)
        text = SETS.format(director=self.who.called, setting=made.text, because=act.because)
        self._note(act, made.text, f"{text} {made.told}")

    def _replace(self, act: DirectorAct) -> None:
        seat = player_meant(self.known.table.names, act.name, begins=True)
        why = GIVES_THE_SEAT.format(director=self.who.called, because=act.because)
        self.plan = replace(self.plan, handover=Handover(seat, act.given, why))
        self._note(act, f"replace {seat}", why)

    def _rollback(self, act: DirectorAct) -> None:
        if act.about is None or act.about < 0:
            raise Refused(MISSING_AFTER, hint=SAY_WHICH_POSITION.format(how=act.how))
        change = directing.rollback(self.known.table, act.about, self.known.rows)
        self.plan = replace(self.plan, change=change)
        assert change.back is not None
        lost = "; ".join(change.back.texts)
        text = TAKES_BACK.format(director=self.who.called, number=act.about, because=act.because)
        self._note(
            act,
            f"rollback {act.about}",
            text,
            STRUCK_OUT.format(lost=cut(lost, _TOLD)),
            about=act.about,
            lost="\n".join(change.back.texts),
        )

    def _redo(self, act: DirectorAct) -> None:
        directing.last_rollback(self.known.table)
        change = directing.redo(self.known.table, self.known.lost)
        self.plan = replace(self.plan, change=change)
        assert change.back is not None
        back = cut("; ".join(change.back.texts), _TOLD)
        text = BRINGS_BACK.format(director=self.who.called, because=act.because)
        number = change.back.parent_number
        self._note(act, "redo", text, STANDS_AGAIN.format(back=back), about=number)

    # messages

    def _act(self, number: int | None) -> ActionRow:
        """The action of that number in the line. Raises Refused."""
        row = next((row for row in self.known.rows if number and row.number == number), None)
        if row is None:
            raise Refused(MISSING_AFTER, hint=NAME_THE_ACT)
        return row

    def _rule(self, act: DirectorAct) -> None:
        row = self._act(act.about)
        text = RULES_ON.format(
            director=self.who.called, step=directing.in_words(row), because=act.because
        )
        self._note(act, f"rule {row.number}", text, about=row.number)

    def _announce(self, act: DirectorAct) -> None:
        text = ANNOUNCES.format(director=self.who.called, because=act.because)
        self._note(act, "announce", text)

    def _dispute(self, act: DirectorAct) -> None:
        row = self._act(act.about)
        text = DISPUTES.format(
            name=self.who.called, step=directing.in_words(row), because=act.because
        )
        settings = self.plan.settings
        if settings.dispute_holds and not settings.paused:
            self._pause(DISPUTES_NUMBER.format(name=self.who.seat, number=row.number))
            text = f"{text} {ON_HOLD_UNTIL_RULED}"
        self._note(act, f"dispute {row.number}", text, about=row.number)
        go_on = ("resume because …",) if self.plan.settings.paused else ()
        answers = (f"rule {row.number}: …", f"rollback {row.number - 1} because …", *go_on)
        self.plan = replace(self.plan, asked=(*self.plan.asked, text), answers=answers)

    def _ask(self, act: DirectorAct) -> None:
        """Permission to take back what others have acted on since."""
        table, seat = self.known.table, self.who.seat
        own = games.before_own_email(self.known.log.past, seat)
        number = own if act.about is None else act.about
        if number is None or number < 0:
            raise Refused(MISSING_AFTER, hint="Say to which position: `ask undo to 212 because …`.")
        change = directing.rollback(table, number, self.known.rows)
        assert change.back is not None
        lost = cut("; ".join(change.back.texts[:_MOST]), _TOLD)
        text = ASKS_LEAVE.format(name=seat, number=number, because=act.because)
        self._note(act, f"ask undo to {number}", text, about=number)
        asked = f"{text} {WOULD_STRIKE_OUT.format(lost=lost)}"
        answers = (f"rollback {number} because {seat} asked for it", "announce: …")
        self.plan = replace(self.plan, asked=(*self.plan.asked, asked), answers=answers)

    # the assistant

    def _assistant(self, act: DirectorAct) -> None:
        table, settings = self.known.table, self.plan.settings
        if act.name.lower() in ("off", "none"):
            if not (settings.assistant or settings.invited):
                raise Refused(
                    NO_ASSISTANT.format(game=table.row.name),
                    hint="`assistant ADDRESS` asks somebody to be it.",
                )
            self.plan = replace(self.plan, settings=settings.with_assistant(""))
            self._note(act, "assistant off", NO_ASSISTANT_NOW.format(game=table.row.name))
            return
        address = named_addresses.read(act.name, WRITE_THE_ADDRESS.format(how=act.how))
        if table.is_organiser(address):
            raise Refused(DIRECTOR_ALREADY, hint=NAME_ANOTHER_ADDRESS)
        if address in (seat.address.lower() for seat in table.seats) or table.seat_at(address):
            raise Refused(PLAYER_CANNOT_ASSIST, hint=NAME_A_NON_PLAYER)
        if ASSISTANT in (seat.name.casefold() for seat in table.seats):
            raise Refused(CALLED_ASSISTANT)
        asked = settings.with_assistant(address, asked=True)
        self.plan = replace(self.plan, settings=asked, invites=True)
        text = IS_ASKED.format(address=address)
        self._result(act, "ok", text, canonical=f"assistant {address}")


DOES: Mapping[str, Callable[[Planner, DirectorAct], None]] = {
    "hold": Planner._hold,
    "resume": Planner._resume,
    "dispute holds": Planner._dispute_holds,
    "as": Planner._as,
    "correct": Planner._correct,
    "clock": Planner._clock,
    "set": Planner._set,
    "replace": Planner._replace,
    "rollback": Planner._rollback,
    "redo": Planner._redo,
    "rule": Planner._rule,
    "announce": Planner._announce,
    "dispute": Planner._dispute,
    "ask": Planner._ask,
    "assistant": Planner._assistant,
    "end": Planner._end,
    "abandon": Planner._abandon,
}
"""Kind of an act → the function that plans it."""
