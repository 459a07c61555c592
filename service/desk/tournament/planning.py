"""Plans the words of who directs a tournament one by one: who may, what follows, what is shown."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from engine.wording import listed
from service.desk.letters.post import Desk
from service.desk.tournament.acts import (
    ASSISTANT,
    DIRECTOR,
    Cup,
)
from service.desk.tournament.boards import seat_of
from service.desk.tournament.known import IS_OVER, Known, Refused
from service.desk.tournament.plan import NOTHING, Plan, after_acts
from service.desk.tournament.words import Word
from service.mail.proving import Grade
from service.reports import Answer, Result, Status
from service.store import Store
from service.tournaments.rules import TournamentRules
from service.tournaments.values import Entry, RoundTable

#: words that concern a table: a director who plays there leaves them to the assistant
RULES = ("adjudicate", "correct", "rule")
#: words that take another player away from it
OUSTS = ("exclude", "withdraw")
#: words that stand alone in a mail
ALONE = ("seat", "start", "swap", "yes", "rules", "propose", "finish", "abandon", "withdraw")


#: words that change nothing
READS = (
    *("entries", "late", "standbys", "standings", "report", "export", "boards", "log", "help"),
    *("info", "votes"),
)
_REASONED = ("refuse", "exclude", "hold", "resume", "correct", "adjudicate", "abandon")
Way = Callable[["CupPlanner", Word], None]
"""What a word comes to; raises Refused."""


def _names(table: RoundTable) -> set[str]:
    return {name.casefold() for name in table.seats}


NOBODY_CALLED = "Nobody called {name} has entered {cup}."
NOBODY_CALLED_BUT = "Nobody called {name} has entered {cup}. There is {names}."
NOT_CONFIRMED_YET = "{name} has not confirmed the entry yet. It counts for nothing until then."
NOT_UNDERSTOOD = "This is not understood. `help` lists what you may write here."
DIRECTOR_NAMES = "The director names the assistant."
SAY_WHY = "Say why: it is told to all, and kept, as in `{word} … because …`."
NO_ASSISTANT = "there is none, so write `assistant ADDRESS` first"
ASSISTANT_RULES = "You play at that table, so its assistant rules: {assistant}."
DIRECTOR_RULES = "You play at that table, so the director rules on it."
NAME_ANOTHER = "You play in this round: name another, `assistant ADDRESS`, who rules."
STANDS_ALONE = "`{word}` stands alone: send it in a mail of its own."


@dataclass
class CupPlanner:
    """The words of one person; ``office`` is who writes, ``ways`` says what each word comes to."""

    store: Store
    desk: Desk
    known: Known
    office: str
    ways: Mapping[str, Way]
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
        return after_acts(self.known, self.desk, self.plan.acts)

    def all(self, words: Sequence[Word]) -> "CupPlanner":
        """All of them, or none: the results say why."""
        for word in words:
            try:
                if word.kind in ALONE and len(words) > 1:
                    raise Refused(STANDS_ALONE.format(word=word.kind))
                self._one(word)
            except Refused as why:
                self.result(word, "no", str(why))
                self.good = False
        if not self.good:
            self.plan = Plan()
            self.results = [
                one if one.status in ("no", "answer") else replace(one, status="unsent", notes=())
                for one in self.results
            ]
        return self

    def _one(self, word: Word) -> None:
        if not word.kind:
            raise Refused(NOT_UNDERSTOOD)
        if word.kind not in READS and self.cup.status in ("ended", "abandoned"):
            raise Refused(IS_OVER.format(cup=self.known.name))
        self._check(word)
        self.ways[word.kind](self, word)

    def _check(self, word: Word) -> None:
        """Raises Refused for who may not, and where a reason is needed."""
        rules = self.cup.rules
        if word.kind == "assistant" and self.office == ASSISTANT:
            raise Refused(DIRECTOR_NAMES)
        self._check_own(word, rules)
        if word.kind in _REASONED and not word.because:
            raise Refused(SAY_WHY.format(word=word.kind))

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
            seats = [first for game, first in tx.seats_from(address) if game in boards]
        return next((e for first in seats if (e := cup.had_address(first)) is not None), None)

    # what is noted

    def result(self, word: Word, status: Status, *notes: str) -> None:
        made = Result(word.number, word.shown, status, "", tuple(filter(None, notes)))
        self.results.append(made)

    def done(self, word: Word, plan: Plan, *notes: str) -> None:
        self.plan = self.plan.and_(plan)
        self.result(word, "ok", *notes)

    def shows(self, word: Word, answer: Answer) -> None:
        self.results.append(Result(word.number, word.shown, "answer", answer=answer))

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
