"""What a director's acts come to, and players' calls for one: planned act by act, not stored."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import msgspec

from engine import Seat
from engine.telling.narration import narrate_all
from engine.wording import cut
from service.desk.director import director_settings
from service.desk.director.director_known import (
    ASSISTANT,
    OPERATOR,
    Known,
    Person,
    Plan,
    assisted,
)
from service.desk.director.director_words import HOW, MOVES, OF_PLAYERS, Act
from service.desk.seats.replacing import Handover
from service.desk.turns.verdicts import Verdicts
from service.games import changes, directing, votes
from service.games.changes import Change
from service.games.commands import Command, read_commands
from service.games.directing import Barred
from service.mail.message import is_address
from service.mail.replies import Line
from service.reports import Result, Status
from service.store import ActionRow, RulingRow

#: acts that are told of a rollback in one letter, and characters of them
_MOST, _TOLD = 12, 600
#: what needs no reason
_PLAIN = ("dispute holds", "assistant")
#: what can be done before a game begins
_EARLY = ("assistant", "announce", "dispute holds")


@dataclass
class Planner:
    """Acts of one person, planned one after the other; ``sure``: what is shown first was."""

    known: Known
    who: Person
    now: int
    sure: bool = False
    plan: Plan = field(init=False)

    def __post_init__(self) -> None:
        table = self.known.table
        change = changes.nothing(table) if table.head else None
        self.plan = Plan(self.who, table, change, table.settings)

    def all(self, acts: Sequence[Act]) -> Plan:
        """All of them, or none: the results say why."""
        moving = [act for act in acts if act.kind in MOVES]
        alone = [act for act in acts if act.kind == "replace"]
        if alone and len(acts) > 1:
            moving = [*alone, *(act for act in acts if act not in alone)]
        for act in acts:
            try:
                if act in moving[1:] or (moving and act.kind == "set"):
                    raise Barred("Of such acts a mail may have one: send it by itself.")
                self._one(act)
            except Barred as denied:
                self._result(act, "no", str(denied))
                self.plan = replace(self.plan, good=False)
        if not self.plan.good:
            self._unsend(acts)
        elif self.plan.shown:
            # what stands beside what is shown first is done with it
            would = (
                replace(r, status="would") if r.status == "ok" else r for r in self.plan.results
            )
            self.plan = replace(self.plan, results=tuple(would))
        return self.plan

    def _show(self, act: Act, canonical: str, *follows: str) -> None:
        """What an act would bring about: it is done once who wrote has seen it."""
        self.plan = replace(self.plan, shown=True)
        self._result(act, "would", *follows, canonical=canonical)

    def _unsend(self, acts: Sequence[Act]) -> None:
        results = tuple(
            result
            if result.status in ("no", "would")
            else replace(result, status="unsent", notes=())
            for result in self.plan.results
        )
        nothing = Planner(self.known, self.who, self.now).plan
        self.plan = replace(nothing, results=results, good=False)

    def _one(self, act: Act) -> None:
        self._check(act)
        done: dict[str, Callable[[Act], None]] = {
            "hold": self._hold,
            "resume": self._resume,
            "dispute holds": self._dispute_holds,
            "as": self._as,
            "correct": self._correct,
            "clock": self._clock,
            "set": self._set,
            "replace": self._replace,
            "rollback": self._rollback,
            "redo": self._redo,
            "rule": self._rule,
            "announce": self._announce,
            "dispute": self._dispute,
            "ask": self._ask,
            "assistant": self._assistant,
            "end": self._end,
            "abandon": self._abandon,
        }
        done[act.kind](act)

    # who may

    def _check(self, act: Act) -> None:
        """Raises Barred for who may not, for a game in which it cannot be, and without a reason."""
        table, kind, name = self.known.table, act.kind, self.known.table.row.name
        if not kind:
            raise Barred("This is not understood. A mail to the director's desk has nothing else: "
                         "send your moves, and questions, in a mail of their own.")  # fmt: skip
        if kind in OF_PLAYERS:
            if self.who.seat == "":
                raise Barred(f"It is a player who writes `{kind} …`. You direct: {HOW['rule']}.")
        else:
            self._may_direct(act)
        early = kind in _EARLY
        if table.row.status != "running" and not (early and table.row.status == "open"):
            state = {"open": "has not begun", "ended": "is over"}.get(
                table.row.status, "was given up"
            )
            raise Barred(f"{name} {state}.")
        if not act.because and kind not in _PLAIN:
            raise Barred(f"Say why: it is told to all, and kept. As in {HOW[kind]}.")

    def _may_direct(self, act: Act) -> None:
        table, name = self.known.table, self.known.table.row.name
        if not self.who.office:
            assistant = " or the assistant" if table.settings.assistant else ""
            text = f"Only the director of {name} may do that: its organiser{assistant}."
            calls = " You may write `dispute 212: …` about an act, or `propose undo`."
            raise Barred(text + calls)
        if why := assisted(self.known, act, self.who):
            raise Barred(why)

    # what is noted

    def _result(self, act: Act, status: Status, *notes: str, canonical: str = "") -> None:
        made = Result(act.number, act.shown, status, canonical, notes)
        self.plan = replace(self.plan, results=(*self.plan.results, made))

    def _note(
        self, act: Act, text: str, told: str, *more: str, about: int = 0, lost: str = ""
    ) -> None:
        """One ruling more, the sentence that everybody is told, and more for who wrote."""
        row = RulingRow(
            0, act.kind, 0, about, self.who.by, text, act.because, lost=lost, at=self.now
        )
        plan = self.plan
        self.plan = replace(plan, rulings=(*plan.rulings, row), told=(*plan.told, told))
        self._result(act, "ok", told, *more, canonical=text)

    def _ordered(self, change: Change) -> None:
        """A change with all that orders bring about after it, unless the game is held."""
        table = self.known.table
        if not change.back and not self.plan.settings.paused:
            change = changes.settle(replace(change, table=table), self.known.book)
        self.plan = replace(self.plan, change=change)

    # the game as a whole

    def _hold(self, act: Act) -> None:
        if self.plan.settings.paused:
            raise Barred(self.known.table.held or "It is held already.")
        self._pause(act.because)
        told = f"{self.who.called} holds the game, because {act.because}."
        more = "It takes no move until it goes on, orders wait, and clocks stand still."
        self._note(act, "hold", f"{told} {more}")

    def _pause(self, because: str) -> None:
        settings = msgspec.structs.replace(
            self.plan.settings, paused=self.now, paused_because=because
        )
        self.plan = replace(self.plan, settings=settings)

    def _resume(self, act: Act) -> None:
        if not self.plan.settings.paused:
            raise Barred(f"{self.known.table.row.name} is not held.")
        settings = msgspec.structs.replace(self.plan.settings, paused=0, paused_because="")
        self.plan = replace(self.plan, settings=settings)
        told = f"{self.who.called} lets the game go on, because {act.because}. "
        told += "Who must act may write again."
        self._note(act, "resume", told)
        released = replace(self.known.table, row=replace(
            self.known.table.row, settings=msgspec.json.encode(settings)))  # fmt: skip
        change = changes.settle(changes.nothing(released), self.known.book)
        self.plan = replace(self.plan, change=replace(change, table=self.known.table))

    def _dispute_holds(self, act: Act) -> None:
        on = act.rest.lower() != "off"
        settings = msgspec.structs.replace(self.plan.settings, dispute_holds=on)
        self.plan = replace(self.plan, settings=settings)
        does = "holds the game until the director has ruled" if on else "does not hold the game"
        self._note(
            act, f"hold on dispute {'on' if on else 'off'}", f"From now on a dispute {does}."
        )

    def _end(self, act: Act) -> None:
        change = votes.ended(self.known.table, "the director ended the game", "director")
        self.plan = replace(self.plan, change=change)
        told = f"{self.who.called} ends the game now, because {act.because}."
        self._note(act, "end game", told)

    def _abandon(self, act: Act) -> None:
        self.plan = replace(self.plan, abandoned=True)
        told = f"{self.who.called} gives the game up, because {act.because}. Nobody has won it."
        self._note(act, "abandon", told)

    # the position

    def _as(self, act: Act) -> None:
        table = self.known.table
        seat = directing.seat_called(table, act.name)
        lines = [Line(act.number, text) for text in act.rest.split("\n") if text.strip()]
        commands = read_commands(lines)
        if not commands:
            raise Barred(f"Say what {seat} does: {HOW['as']}.")
        plays = [command for command in commands if command.word == "play"]
        other = next((c for c in commands if c.word not in ("play", "more")), None)
        if other is not None:
            raise Barred(
                f"`{other.shown}` is no command of the game: it cannot be done for {seat}."
            )
        keep_open = len(plays) < len(commands)
        change = directing.as_seat(table, seat, plays, keep_open=keep_open)
        [outcome] = change.outcomes
        if not outcome.done:
            self._refused(act, seat, plays, change)
            return
        texts = "; ".join(p.text for p in outcome.played)
        told = f"{self.who.called} acts for {seat}: {texts}, because {act.because}."
        self._ordered(change)
        self._note(act, f"as {seat}: {texts}", told)

    def _refused(self, act: Act, seat: Seat, plays: list[Command], change: Change) -> None:
        """Each command with what became of it; none is done."""
        verdicts = Verdicts(self.known.table.title, plays)
        verdicts.played(change.outcomes[-1], self.known.table.state, seat)
        self.plan = replace(self.plan, good=False, results=(*self.plan.results, *verdicts.results))

    def _correct(self, act: Act) -> None:
        change = directing.correction(self.known.table, act.rest, act.because)
        [played, *_] = change.played
        sentences = narrate_all(self.known.table.title, played.events)
        if not self.sure:
            self._show(act, played.text, *sentences)
            return
        self._ordered(change)
        told = f"{self.who.called} puts right: {played.text.removeprefix('correct ')}, because "
        self._note(act, played.text, f"{told}{act.because}.")

    def _clock(self, act: Act) -> None:
        table, seat = self.known.table, directing.seat_called(self.known.table, act.name)
        also = sum(seconds for other, seconds in self.plan.granted if other == seat)
        time = director_settings.time_given(table, seat, act.given, self.now, also)
        self.plan = replace(self.plan, granted=(*self.plan.granted, (seat, time.seconds)))
        if not self.sure:
            self._show(act, f"clock {seat} {time.written}", f"It {time.text}.", time.shown)
            return
        told = f"{self.who.called} {time.text}, because {act.because}. {time.told}".rstrip()
        self._note(act, f"clock {seat} {time.written}", told)

    def _set(self, act: Act) -> None:
        made = director_settings.chosen(self.known.table, self.plan.settings, act.rest)
        self.plan = replace(self.plan, settings=made.settings)
        told = f"{self.who.called} sets {made.text}, because {act.because}. {made.told}"
        self._note(act, made.text, told)

    def _replace(self, act: Act) -> None:
        if self.who.office != OPERATOR:
            raise Barred("It is the organiser who finds another player: `replace` stands alone, in "
                         "a mail from the organiser's address.")  # fmt: skip
        seat = directing.seat_called(self.known.table, act.name)
        why = f"{self.who.called} gives the seat to another player, because {act.because}."
        self.plan = replace(self.plan, handover=Handover(seat, act.given, why))
        self._note(act, f"replace {seat}", why)

    def _rollback(self, act: Act) -> None:
        if act.about is None or act.about < 0:
            raise Barred(f"Say to which position, by its number: {HOW['rollback']}.")
        change = directing.rollback(self.known.table, act.about, self.known.rows)
        self.plan = replace(self.plan, change=change)
        assert change.back is not None
        lost = "; ".join(change.back.texts)
        told = f"{self.who.called} takes the game back to #{act.about}, because {act.because}."
        self._note(
            act,
            f"rollback {act.about}",
            told,
            f"Struck out: {cut(lost, _TOLD)}.",
            about=act.about,
            lost="\n".join(change.back.texts),
        )

    def _redo(self, act: Act) -> None:
        directing.last_rollback(self.known.table)
        change = directing.redo(self.known.table, self.known.lost)
        self.plan = replace(self.plan, change=change)
        assert change.back is not None
        back = cut("; ".join(change.back.texts), _TOLD)
        told = f"{self.who.called} brings back what was taken back, because {act.because}."
        number = change.back.parent_number
        self._note(act, "redo", told, f"It stands again: {back}.", about=number)

    # words

    def _act(self, number: int | None) -> ActionRow:
        """The act of that number on the line. Raises Barred."""
        row = next((row for row in self.known.rows if number and row.number == number), None)
        if row is None:
            raise Barred("Name the act by its number, as `history` shows it: `dispute 212: …`.")
        return row

    def _rule(self, act: Act) -> None:
        row = self._act(act.about)
        told = f"{self.who.called} rules on {directing.told(row)}: {act.because}"
        self._note(act, f"rule {row.number}", told, about=row.number)

    def _announce(self, act: Act) -> None:
        self._note(act, "announce", f"{self.who.called} announces: {act.because}")

    def _dispute(self, act: Act) -> None:
        row = self._act(act.about)
        told = f"{self.who.called} disputes {directing.told(row)}: {act.because}"
        settings = self.plan.settings
        if settings.dispute_holds and not settings.paused:
            self._pause(f"{self.who.seat} disputes #{row.number}")
            told += " The game is held until the director has ruled."
        self._note(act, f"dispute {row.number}", told, about=row.number)
        go_on = ("resume because …",) if self.plan.settings.paused else ()
        answers = (f"rule {row.number}: …", f"rollback {row.number - 1} because …", *go_on)
        self.plan = replace(self.plan, asked=(*self.plan.asked, told), answers=answers)

    def _ask(self, act: Act) -> None:
        """Leave to take back what others have acted on since."""
        table, seat = self.known.table, self.who.seat
        number = self._own_start() if act.about is None else act.about
        if number is None or number < 0:
            raise Barred("Say to which position: `ask undo to 212 because …`.")
        change = directing.rollback(table, number, self.known.rows)
        assert change.back is not None
        lost = cut("; ".join(change.back.texts[:_MOST]), _TOLD)
        told = f"{seat} asks for leave to go back to #{number}, because {act.because}."
        self._note(act, f"ask undo to {number}", told, about=number)
        asked = f"{told} It would strike out: {lost}."
        answers = (f"rollback {number} because {seat} asked for it", "announce: …")
        self.plan = replace(self.plan, asked=(*self.plan.asked, asked), answers=answers)

    def _own_start(self) -> int | None:
        """The position before the player's own latest act."""
        mine = [row for row in self.known.rows if row.seat == self.who.seat]
        if not mine:
            return None
        occasion = mine[-1].occasion_id
        before = [row for row in self.known.rows if row.occasion_id < occasion]
        return before[-1].number if before else None

    # the assistant

    def _assistant(self, act: Act) -> None:
        table, settings = self.known.table, self.plan.settings
        epoch = settings.assistant_epoch + 1
        if act.name.lower() in ("off", "none"):
            if not (settings.assistant or settings.invited):
                raise Barred(f"{table.row.name} has no assistant.")
            none = msgspec.structs.replace(
                settings, assistant="", invited="", assistant_epoch=epoch
            )
            self.plan = replace(self.plan, settings=none)
            self._note(act, "assistant off", f"{table.row.name} has no assistant from now on.")
            return
        address = act.name.strip("<>").lower()
        if not is_address(address):
            raise Barred(f"Write the address behind it: {HOW['assistant']}.")
        if address == table.row.organiser.lower():
            raise Barred("You are the director already: an assistant is somebody else.")
        if address in (seat.address.lower() for seat in table.seats) or table.seat_at(address):
            raise Barred("Who plays in the game cannot be its assistant.")
        if ASSISTANT in (seat.name.casefold() for seat in table.seats):
            raise Barred("A player of this game is called Assistant: it can have none.")
        asked = msgspec.structs.replace(settings, invited=address, assistant_epoch=epoch)
        if settings.assistant:
            asked = msgspec.structs.replace(asked, assistant="")
        self.plan = replace(self.plan, settings=asked, invites=True)
        told = f"{address} is asked to be the assistant, and is it once they have said `yes`."
        self._result(act, "ok", told, canonical=f"assistant {address}")
