"""Plans the commands of who directs a tournament: who may, what follows, what is shown."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from engine.wording import listed
from service.commands.command import Command
from service.commands.refusal import Refused
from service.desk.effects import ALONE, Effect, done, refused
from service.desk.letters.post import Desk
from service.desk.tournament.acts import (
    ASSISTANT,
    DIRECTOR,
    Cup,
)
from service.desk.tournament.boards import seat_of
from service.desk.tournament.cup_email import CupContext
from service.desk.tournament.known import Known
from service.desk.tournament.plan import NOTHING, Plan, after_acts
from service.desk.tournament.words import Word, word_of
from service.mail.grades import Grade
from service.reports import Answer, Result
from service.said import YES_TO_ASSIST
from service.store import Store
from service.tournaments.rules import TournamentRules
from service.tournaments.values import Entry, RoundTable

#: commands that concern a table: a director who plays there leaves them to the assistant
RULES = ("adjudicate", "correct", "rule")
#: commands that take another player away from it
OUSTS = ("exclude", "withdraw")

Way = Callable[["CupPlanner", Word], None]
"""What a command comes to; raises Refused."""


@dataclass(frozen=True)
class Act:
    """What a command of who directs comes to: all acts of an email are done, or none of them.

    A ``question`` changes nothing and stands for itself; ``reasoned`` asks for a reason. ``alone``
    says why no other act may be in its email. All are one kind, so that one plan is made of them.
    """

    way: Way = field(compare=False)
    question: bool = field(default=False, compare=False)
    reasoned: bool = field(default=False, compare=False)
    alone: str = field(default="", compare=False)

    def __call__(self, context: CupContext, commands: Sequence[Command]) -> Effect:
        """What these commands, of which each is done by an `Act`, come to."""
        office = context.ticket.purpose
        planner = CupPlanner(context.store, context.desk, context.known, office, context.proves)
        planner.all(commands, whole=context.whole)
        closing = [NOT_DONE_YET] if planner.shown else []
        closing += [WRITE.format(command=command) for command in planner.commands]
        return context.planned(planner.results, planner.plan, closing)


def _names(table: RoundTable) -> set[str]:
    return {name.casefold() for name in table.seats}


NOBODY_CALLED = "Nobody called {name} has entered {cup}."
NOBODY_CALLED_BUT = "Nobody called {name} has entered {cup}. There is {names}."
NOT_CONFIRMED_YET = "{name} has not confirmed the entry yet. It counts for nothing until then."
NOT_UNDERSTOOD = "This is not understood. `help` lists what you may write here."
NOT_DONE_YET = "NOT DONE YET: reply `yes` to do what is shown."
WRITE = "Write: `{command}`"
DIRECTOR_NAMES = "The director names the assistant."
SAY_WHY = (
    "Give a reason: all players read it, and it stays in the log. For example: `{word} … because "
    "…`."
)
NO_ASSISTANT = "there is none, so write `assistant ADDRESS` first"
ASSISTANT_RULES = "You play at that table, so its assistant rules: {assistant}."
DIRECTOR_RULES = "You play at that table, so the director rules on it."
NAME_ANOTHER = "You play in this round: name another, `assistant ADDRESS`, who rules."


@dataclass
class CupPlanner:
    """Plans the commands of one person; ``office`` is who writes.

    ``known`` is the tournament as it is after what is planned so far.
    """

    store: Store
    desk: Desk
    known: Known
    office: str
    #: whether whoever writes could still direct by mails that must prove as much as a grade asks
    proves: Callable[[Grade], bool] = lambda grade: True
    plan: Plan = NOTHING
    results: list[Result] = field(default_factory=list)
    #: whether something was only shown, and what may be written then
    shown: bool = False
    commands: tuple[str, ...] = ()
    good: bool = True

    @property
    def cup(self) -> Cup:
        """The tournament as it is after what is planned."""
        return self.known.cup

    def all(self, commands: Sequence[Command], *, whole: bool = True) -> "CupPlanner":
        """All of them, or none: the results say why; questions are answered all the same.

        ``whole`` is False where other lines of the email could not be read, so that none is done.
        """
        before, acts = self.known, sum(not _asks(command) for command in commands)
        self.good = whole
        for command in commands:
            try:
                self._one(command, acts)
            except Refused as why:
                self.results.append(refused(command, str(why)))
                self.good = self.good and _asks(command)
        if not self.good:
            self.plan, self.known, self.shown, self.commands = Plan(), before, False, ()
            self.results = [
                one if one.status in ("no", "answer") else replace(one, status="unsent", notes=())
                for one in self.results
            ]
        return self

    def _one(self, command: Command, acts: int) -> None:
        act = command.entry.do if command.entry else None
        if command.barred or not isinstance(act, Act):
            raise Refused(command.barred or NOT_UNDERSTOOD)
        if act.alone and acts > 1:
            raise Refused(ALONE.format(word=command.word, why=act.alone))
        if self.office == ASSISTANT and not self.cup.rules.assistant and command.word != "yes":
            raise Refused(YES_TO_ASSIST)
        word = word_of(command)
        if word.kind == "assistant" and self.office == ASSISTANT:
            raise Refused(DIRECTOR_NAMES)
        self._check_own(word, self.cup.rules)
        if act.reasoned and not word.because:
            raise Refused(SAY_WHY.format(word=word.kind))
        act.way(self, word)

    def _check_own(self, word: Word, rules: TournamentRules) -> None:
        """Raises Refused for what concerns a table at which whoever writes plays themselves."""
        if self.office not in (DIRECTOR, ASSISTANT):
            return
        directs = self.office == DIRECTOR
        plays = self._player(rules.director if directs else rules.assistant)
        if plays is None:
            return
        if word.kind not in (*RULES, *OUSTS, "swap", "assistant"):
            return
        own = self._own(plays)
        if word.kind in RULES:
            concerned = [t for t in own if word.board in ("", f"{t.round}.{t.number}")]
        elif word.kind == "swap":
            names = {one.casefold() for one in re.findall(r"[^\s,]+", word.rest)}
            mine = self.cup.proposed.tables if self.cup.proposed else ()
            concerned = [t for t in mine if plays.name in t.seats and names & _names(t)]
        else:
            name = word.rest.split(" ")[0].rstrip(".,").casefold()
            now = [t for t in own if t.round == self.cup.round and word.kind in OUSTS]
            seats = ((t, seat.casefold()) for t in now for seat in t.seats if seat != plays.name)
            concerned = [t for t, seat in seats if seat == name]
        if concerned and directs:
            who = rules.assistant or NO_ASSISTANT
            raise Refused(ASSISTANT_RULES.format(assistant=who))
        if concerned:
            raise Refused(DIRECTOR_RULES)
        off = word.kind == "assistant" and word.rest.strip().lower() in ("off", "none")
        if off and any(t.game == board.game for t in own for board in self.known.playing):
            raise Refused(NAME_ANOTHER)

    def _own(self, plays: Entry) -> Sequence[RoundTable]:
        """The tables at which somebody was seated, or has taken a seat over."""
        with self.store.transaction() as tx:
            taken = {b.game for b in self.known.boards if seat_of(tx, b, plays) is not None}
        tables = (t for s in self.cup.value.seatings for t in s.tables)
        return [t for t in tables if plays.name in t.seats or t.game in taken]

    def _player(self, address: str) -> Entry | None:
        """Who plays from an address of an office: by their entry, or by a seat of theirs."""
        cup = self.cup
        own = cup.at_address(address)
        if own is not None and own.state != "asked":
            return own
        boards = {board.row.game_id for board in self.known.boards}
        with self.store.transaction() as tx:
            seats = [first for game, first in tx.seats.further_from(address) if game in boards]
        return next((e for first in seats if (e := cup.had_address(first)) is not None), None)

    # what is noted

    def adds(self, plan: Plan) -> None:
        """Plan this, too; what follows sees it done."""
        self.plan = self.plan.and_(plan)
        cup = after_acts(self.known, self.desk, plan.acts)
        self.known = replace(self.known, cup=cup)

    def done(self, word: Word, plan: Plan, *notes: str) -> None:
        """Plan what a command comes to."""
        self.adds(plan)
        self.results.append(done(word.command, *filter(None, notes)))

    def asks(self, word: Word, lines: Sequence[str], *commands: str) -> None:
        """Do nothing yet: ask first, and say by which commands it is done."""
        self.commands = (*self.commands, *commands)
        command = word.command
        self.results.append(Result(command.number, command.shown, "asks", notes=tuple(lines)))

    def shows(self, word: Word, answer: Answer) -> None:
        """Answer a question, or show what is proposed."""
        command = word.command
        self.results.append(Result(command.number, command.shown, "answer", answer=answer))

    def entry(self, word: Word) -> Entry:
        name = word.rest.strip().rstrip(".,")
        entry = self.cup.entry(name)
        if entry is None:
            near = [e.name for e in self.cup.entries if e.name.lower().startswith(name.lower())]
            told = NOBODY_CALLED_BUT if near and name else NOBODY_CALLED
            why = told.format(name=name or "so", cup=self.known.name, names=listed(near))
            raise Refused(why)
        if entry.state == "asked":
            # To an address that has not agreed nothing of a director's words may go, and nobody
            # may be let in who has not: so there is nothing that could be said of such an entry.
            raise Refused(NOT_CONFIRMED_YET.format(name=name))
        return entry


def _asks(command: Command) -> bool:
    """Whether a command is a question."""
    act = command.entry.do if command.entry else None
    return isinstance(act, Act) and act.question
