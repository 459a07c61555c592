"""What the words of who directs a tournament come to: planned word by word, nothing is stored."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import msgspec

from engine.wording import counted, listed
from service.desk.post import Desk
from service.desk.tournament import announcing, entering, leaving, listing, rounds
from service.desk.tournament.acts import (
    ASSISTANT,
    DIRECTOR,
    Closed,
    Cup,
    Decided,
    Entered,
    Office,
    Over,
    Reopened,
    Ruled,
)
from service.desk.tournament.known import Board, Doing, Known, Refused
from service.desk.tournament.letters import Words, to_all, to_entry, to_offices
from service.desk.tournament.plan import NOTHING, Plan, after_acts, direct_task
from service.desk.tournament.records import ratings_at_close
from service.desk.tournament.words import Word
from service.mail.message import is_address
from service.reports import Answer, Result
from service.store import Store
from service.tournaments import form
from service.tournaments.values import Entry, Seating

#: words that concern a table: a director who plays there leaves them to the assistant
RULES = ("adjudicate", "correct", "rule")
#: words that stand alone in a mail
ALONE = ("seat", "start", "swap", "yes", "rules", "finish", "abandon", "withdraw")


@dataclass
class CupPlanner:
    """The words of one person; ``office`` is who writes."""

    store: Store
    desk: Desk
    known: Known
    office: str
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
                    raise Refused(f"`{word.kind}` stands alone: send it in a mail of its own.")
                self._one(word)
            except Refused as why:
                self._result(word, "no", str(why))
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
            raise Refused("This is not understood. `help` lists what you may write here.")
        if word.kind not in _READS and self.cup.status in ("ended", "abandoned"):
            raise Refused(f"{self.known.name} is over.")
        self._check(word)
        _WORDS[word.kind](self, word)

    def _check(self, word: Word) -> None:
        """Raises Refused for who may not, and where a reason is needed."""
        rules = self.cup.rules
        if word.kind == "assistant" and self.office == ASSISTANT:
            raise Refused("The director names the assistant.")
        plays = self.cup.at_address(rules.director)
        playing = plays is not None and plays.state == "entered"
        if word.kind in RULES and self.office == DIRECTOR and playing and plays is not None:
            own = [
                t
                for s in self.cup.value.seatings
                for t in s.tables
                if plays.name in t.seats and not s.proposed
            ]
            theirs = not word.board or any(f"{t.round}.{t.number}" == word.board for t in own)
            if own and theirs:
                who = (
                    f"its assistant rules: {rules.assistant}"
                    if rules.assistant
                    else "its assistant rules, and there is none: write `assistant ADDRESS`"
                )
                raise Refused(f"You play at that table, so {who}.")
        if word.kind in _REASONED and not word.because:
            raise Refused(f"Say why: it is told to all, and kept, as in `{word.kind} … because …`.")

    # what is noted

    def _result(self, word: Word, status: str, *notes: str) -> None:
        made = Result(word.number, word.shown, status, "", notes)  # type: ignore[arg-type]
        self.results.append(made)

    def _done(self, word: Word, plan: Plan, *notes: str) -> None:
        self.plan = self.plan.and_(plan)
        self._result(word, "ok", *notes)

    def _shows(self, word: Word, answer: Answer) -> None:
        self.results.append(Result(word.number, word.shown, "answer", answer=answer))

    def _entry(self, word: Word) -> Entry:
        name = word.rest.strip().rstrip(".,")
        entry = self.cup.entry(name)
        if entry is None:
            near = [e.name for e in self.cup.entries if e.name.lower().startswith(name.lower())]
            raise Refused(
                f"Nobody called {name or 'so'} has entered {self.known.name}."
                + (f" There is {listed(near)}." if near and name else "")
            )
        return entry

    # entries

    def _close(self, word: Word) -> None:
        if self.cup.status != "announced":
            raise Refused("Entries are closed already.")
        self._done(
            word,
            close(self.store, self.desk, self.known, self.cup, self.office),
            f"Entries are closed: {counted(len(self.cup.players), 'player')}. `seat` shows "
            "a seating of the first round.",
        )

    def _open(self, word: Word) -> None:
        if self.cup.status != "closed":
            raise Refused(
                "Entries are open."
                if self.cup.status == "announced"
                else "The first round has begun: nobody can enter any more."
            )
        if self.cup.value.seatings:
            raise Refused("The first round is seated: entries stay closed.")
        self._done(word, Plan([Doing(Reopened(), self.office)]), "Entries are open again.")

    def _admit(self, word: Word) -> None:
        """The director's leave, which also lets in who was refused at the gate or has left."""
        entry = self._entry(word)
        if entry.state in ("entered", "waiting", "standby", "asked"):
            raise Refused(f"{entry.name} needs no leave: {entering.standing(self.known, entry)}")
        if self.cup.status == "running":
            raise Refused("The first round has begun: nobody can enter any more.")
        state = entering.placed(self.cup)
        admitted = msgspec.structs.replace(entry, state=state, reason="")
        said = entering.welcome(self.known, admitted)
        letter = to_entry(self.desk, self.known, admitted, said)
        self._done(
            word,
            Plan([Doing(Entered("admitted", admitted), self.office)], [letter]),
            f"{entry.name} {'plays' if state == 'entered' else 'waits for a place'}.",
        )

    def _refuse(self, word: Word) -> None:
        entry = self._entry(word)
        if entry.state not in ("leave", "waiting"):
            raise Refused(
                f"{entry.name} does not wait for your leave; `exclude {entry.name} "
                "because …` takes somebody out."
            )
        self._out(word, entry, "refused", "Your entry was refused")

    def _exclude(self, word: Word) -> None:
        entry = self._entry(word)
        if entry.state == "excluded":
            raise Refused(f"{entry.name} is excluded already.")
        self._out(word, entry, "excluded", "You are excluded")

    def _out(self, word: Word, entry: Entry, state: str, said: str) -> None:
        out = msgspec.structs.replace(entry, state=state, reason=word.because)
        acts = [Doing(Entered(state, out), self.office, word.because)]
        text = f"{said} from {self.known.name}." if state == "excluded" else f"{said}."
        words = Words(text, text, (f"The director says: {word.because}.",), kind="out")
        letters = [to_entry(self.desk, self.known, out, words)]
        cup = after_acts(self.known, self.desk, [*self.plan.acts, *acts])
        ups = list(entering.move_up(self.desk, self.known, cup)) if entry.state == "entered" else []
        tasks = leaving.seats_left(self.store, self.desk, self.known, entry)
        plan = Plan([*acts, *(a for a, _ in ups)], [*letters, *(one for _, one in ups)], tasks)
        seats = " Their seats are offered to those who stand by." if tasks else ""
        self._done(word, plan, f"{entry.name} is {state}, and is told why.{seats}")

    def _withdraw(self, word: Word) -> None:
        """An entrant who cannot write has asked the director to be taken out."""
        name, _, sure = word.rest.partition(" ")
        entry = self._entry(replace(word, rest=name))
        plan, lines = leaving.withdraw(
            self.store,
            self.desk,
            self.known,
            entry,
            sure=sure.strip().lower() == "yes",
            by=self.office,
            why=word.because,
        )
        if not plan.does:
            self.shown, self.commands = True, (f"withdraw {entry.name} yes because …",)
            self._result(word, "would", *lines)
            return
        self._done(word, plan, *lines)

    # rounds

    def _seat(self, word: Word) -> None:
        seating, answer = rounds.propose(self.store, self.desk, self.known)
        self._propose(word, seating, answer)

    def _swap(self, word: Word) -> None:
        seating, answer = rounds.swapped(self.known, word.rest, word.because)
        self._propose(word, seating, answer)

    def _propose(self, word: Word, seating: Seating, answer: Answer) -> None:
        plan = rounds.proposal(self.desk, seating, self.office, word.because)
        self.plan, self.shown = self.plan.and_(plan), True
        self.commands = ("yes", "swap Bob and Eve because …")
        self._shows(word, answer)

    def agree(self, word: Word) -> None:
        """`yes` to the seating that was shown last."""
        self._done(
            word,
            rounds.publish(self.desk, self.known, self.office),
            f"The seating of round {rounds.next_round(self.cup)} is published, and all are "
            "told. `start` begins all its boards.",
        )

    def _start(self, word: Word) -> None:
        plan, told = rounds.start(self.desk, self.known, self.office)
        self._done(word, plan, *told)

    def _adjudicate(self, word: Word) -> None:
        plan, told = rounds.adjudicate(
            self.desk, self.known, self.office, self._boards(word), word.because
        )
        self._done(word, plan, told)

    def _correct(self, word: Word) -> None:
        plan, told = rounds.correct(
            self.desk, self.known, self.office, (word.board, word.rest), word.because
        )
        self._done(word, plan, *told)

    def _boards(self, word: Word) -> tuple[Board, ...]:
        playing = self.known.playing
        found = [b for b in playing if not word.board or b.number == word.board]
        if not found:
            raise Refused(
                f"Board {word.board} is not played." if word.board else "No board is being played."
            )
        return tuple(found)

    # all boards

    def _hold(self, word: Word) -> None:
        if self.cup.held:
            raise Refused("All boards are held already.")
        self._everywhere(
            word,
            f"hold because {word.because}",
            "hold",
            "All boards are held: none takes a move, and clocks stand still.",
        )

    def _resume(self, word: Word) -> None:
        if not self.cup.held:
            raise Refused("The boards are not held.")
        self._everywhere(word, "resume", "resume", "All boards go on.")

    def _everywhere(self, word: Word, said: str, what: str, told: str) -> None:
        """What touches one board touches all: the same words at every director's desk."""
        boards = self.known.playing
        tasks = [direct_task(self.desk, board, said, self.office) for board in boards]
        acts = [Doing(Decided(what, told), self.office, word.because)]
        why = f" Because {word.because}." if word.because else ""
        words = Words(told, told, (why.strip(),), kind=what)
        plan = Plan(acts, list(to_all(self.desk, self.known, words)), tasks)
        self._done(word, plan, f"{told} It is done at {counted(len(boards), 'board')}.")

    # words and rules

    def _announce(self, word: Word) -> None:
        if not word.rest:
            raise Refused("Write what is to be told to all behind it: `announce: …`.")
        words = Words(
            "Announcement",
            f"The director announces to all of {self.known.name}:",
            word.rest.split("\n"),
            kind="announce",
        )
        acts = [Doing(Decided("announce", word.rest), self.office)]
        self._done(word, Plan(acts, list(to_all(self.desk, self.known, words))), _TOLD)

    def _rule(self, word: Word) -> None:
        if not word.rest:
            raise Refused("Write the ruling behind it: `rule: …`, `rule 2.1: …` for one board.")
        about = f" on board {word.board}" if word.board else ""
        words = Words(
            f"A ruling{about}",
            f"The director rules{about}:",
            (word.rest, "It holds for all boards alike." if not word.board else ""),
            kind="rule",
        )
        acts = [Doing(Decided("rule", word.rest, word.board), self.office, word.rest)]
        self._done(word, Plan(acts, list(to_all(self.desk, self.known, words))), _TOLD)

    def _rules(self, word: Word) -> None:
        """Other rules: freely before the first round, then by a ruling that has a reason."""
        text = "\n".join(filter(None, (word.rest.lstrip(":"), word.below)))
        if not text.strip():
            now = tuple(form.printed(self.cup.rules).splitlines())
            self._shows(word, listing.verbatim("THE RULES", now))
            return
        because = word.because
        lines = [line for line in text.splitlines() if line.strip()]
        if lines and lines[-1].lower().startswith("because "):
            because, lines = lines[-1][len("because ") :].strip(), lines[:-1]
        if self.cup.status == "running" and not because:
            raise Refused(
                "The tournament has begun: its rules change by a ruling alone. Write "
                "`because …` as the last line."
            )
        before = self.cup.rules
        try:
            after = form.read("\n".join(lines), before)
        except form.WrongForm as wrong:
            raise Refused(" ".join(map(str, wrong.faults))) from wrong
        after = listing.same_people(before, after)
        changed = listing.changes(before, after)
        if not changed:
            raise Refused("That is how the rules are.")
        why = (f"Because {because}.",) if because else ()
        words = Words(
            "The rules have changed",
            f"The rules of {self.known.name} are others now.",
            (*changed, *why),
            kind="rules",
        )
        acts = [Doing(Ruled(after, "\n".join(changed)), self.office, because)]
        self._done(word, Plan(acts, list(to_all(self.desk, self.known, words))), *changed)

    def _assistant(self, word: Word) -> None:
        address = word.rest.strip("<> ").lower()
        rules, name = self.cup.rules, self.known.name
        if address in ("off", "none"):
            self._done(
                word, Plan([Doing(Office(ASSISTANT, ""), self.office)]), f"{name} has no assistant."
            )
            return
        if not is_address(address):
            raise Refused("Write the address behind it: `assistant eve@example.org`.")
        if address == rules.director.lower():
            raise Refused("You are the director already: an assistant is somebody else.")
        known = self.cup.at_address(address)
        if known is not None and known.state == "entered":
            raise Refused(f"{known.name} plays: an assistant is somebody who does not.")
        act = Office(ASSISTANT, address, asked=True)
        asked = replace(self.known, cup=replace(self.cup, invited=address))
        plan = Plan([Doing(act, self.office)], [announcing.invitation(self.desk, asked)])
        self._done(word, plan, f"{address} is asked, and is the assistant once they say `yes`.")

    def _finish(self, word: Word) -> None:
        plan, told = rounds.end(self.desk, self.known, self.office)
        self._done(word, plan, told)

    def _abandon(self, word: Word) -> None:
        name = self.known.name
        text = f"{name} is given up, because {word.because}."
        words = Words(
            f"{name} is given up",
            text,
            ("Boards that are played go on as games of their own.",) if self.known.playing else (),
            kind="over",
        )
        acts = [Doing(Over(True, text), self.office, word.because)]
        letters = [*to_all(self.desk, self.known, words), *to_offices(self.desk, self.known, words)]
        ends = (lambda tx: tx.end_tournament(self.known.row.id, self.desk.now),)
        self._done(word, Plan(acts, letters, also=ends), text)

    # questions

    def _lists(self, word: Word) -> None:
        self._shows(word, listing.answer(self.store, self.desk, self.known, word))


_TOLD = "All are told, and it is kept."
#: words that change nothing
_READS = (
    *("entries", "late", "standbys", "standings", "report", "export", "boards", "log", "help"),
    "info",
)
_REASONED = ("refuse", "exclude", "hold", "correct", "adjudicate", "abandon")
_WORDS: Mapping[str, Callable[[CupPlanner, Word], None]] = {
    "close": CupPlanner._close,
    "open": CupPlanner._open,
    "admit": CupPlanner._admit,
    "refuse": CupPlanner._refuse,
    "exclude": CupPlanner._exclude,
    "withdraw": CupPlanner._withdraw,
    "seat": CupPlanner._seat,
    "swap": CupPlanner._swap,
    "yes": CupPlanner.agree,
    "start": CupPlanner._start,
    "adjudicate": CupPlanner._adjudicate,
    "correct": CupPlanner._correct,
    "hold": CupPlanner._hold,
    "resume": CupPlanner._resume,
    "announce": CupPlanner._announce,
    "rule": CupPlanner._rule,
    "rules": CupPlanner._rules,
    "assistant": CupPlanner._assistant,
    "finish": CupPlanner._finish,
    "abandon": CupPlanner._abandon,
    **dict.fromkeys(_READS, CupPlanner._lists),
}


def close(store: Store, desk: Desk, known: Known, cup: Cup, by: str) -> Plan:
    """Entries are closed: by the director, or by the day of the rules."""
    acts = [Doing(Closed(ratings_at_close(store, cup)), by)]
    words = Words(
        f"Entries for {known.name} are closed",
        f"Entries for {known.name} are closed: {counted(len(cup.players), 'player')}.",
        (
            f"They are {listed([e.name for e in cup.players])}." if len(cup.players) <= 40 else "",
            "You get a letter with your table when the first round is seated.",
        ),
        kind="closed",
    )
    return Plan(acts, list(to_all(desk, known, words)))
