"""Mails to the director's desk: from who directs a game, and from players who call for one."""

from collections.abc import Sequence
from dataclasses import replace

from service.audience import Audience, of_assistant, of_organiser, of_seat
from service.commands.command import Command
from service.desk.director.director import Planner
from service.desk.director.director_known import ASSISTANT, ORGANISER, Known, Person, Plan, know
from service.desk.director.director_post import accepted, carry_out
from service.desk.director.director_words import Act, confirms, read
from service.desk.letters import naming
from service.desk.letters.post import Desk, at_head
from service.desk.lobby.lobby_queries import answer_to
from service.desk.lobby.lobby_standing import directing
from service.desk.lobby.lobby_words import YES
from service.desk.proving.held import Written
from service.desk.seats.replacing import NotMoved
from service.desk.timing.answering import Answering
from service.desk.turns import retreat
from service.games.commands import QUERIES, read_commands
from service.games.games import NO_LOG, GameTable
from service.games.standing import Book
from service.mail.message import Mail, is_address
from service.mail.replies import Line
from service.reports import Page, Result, answering, lobby_page
from service.reports.words import moment
from service.store import Letter, PartialRow, RulingRow, SeatRow, Store, Tx, rations
from service.store.rations import Who

#: lines of a mail that are read
MOST_LINES = 60
WRITE_AGAIN = "Write it again if you mean it now."
SAID_MUCH = "You have said much lately. From {until} on."
NOTHING_WAITS = "Nothing waits for your `go`: it was done, or the game has gone on. Write it again."
REPLY_YES = "Reply with the one word `yes` to be the assistant."
NOTHING_DONE = "NOT DONE: nothing of your mail was done."
NOTHING_DONE_SUBJECT = "NOT DONE"
REPLY_GO = "NOT DONE YET. Reply `go` to do what is shown here."
REPLY_GO_SUBJECT = "to be confirmed"
ALL_ARE_TOLD = "DONE. Everybody is told."
ALL_ARE_TOLD_SUBJECT = "done"
HOW_IT_STANDS = "Here is how it stands."
HOW_IT_STANDS_SUBJECT = "answered"
GO_HOLDS = "`go` holds while the game is as it is; another mail takes its place."
DIRECTOR_IS_TOLD = "The director is told, and so is the table."


class DirectorMail:
    """A mail with words for the director's desk; who sent it is proved."""

    def __init__(
        self,
        store: Store,
        desk: Desk,
        mail: Mail,
        table: GameTable,
        seat: SeatRow | None,
        written: Written,
    ) -> None:
        """``seat`` None for a mail to the organiser's address."""
        self._store, self._mail, self._table, self._seat = store, mail, table, seat
        self._written = written
        occasion = replace(desk.occasion, kind="director", seat="")
        self._desk = replace(desk, occasion=occasion)
        address = seat.address if seat else table.row.organiser
        # a deputy, or who proves a seat otherwise, has nothing of its player's office
        theirs = seat is None or mail.sender.lower() == table.row.organiser.lower()
        same = address.lower() == table.row.organiser.lower()
        office = ORGANISER if theirs and same else ""
        self._who, self._address = Person(office, table.seat_at(address)), address
        self._reader: Audience = of_organiser(table.row.name)
        if seat is not None and not office:
            self._reader = of_seat(table.row.name, seat.name)

    @classmethod
    def of_assistant(
        cls, store: Store, desk: Desk, mail: Mail, table: GameTable, written: Written
    ) -> "DirectorMail":
        """A mail to the assistant's address."""
        made = cls(store, desk, mail, table, None, written)
        made._address = table.settings.assistant or table.settings.invited
        made._who = Person(ASSISTANT, table.seat_at(made._address))
        made._reader = of_assistant(table.row.name)
        return made

    def handle(self) -> None:
        """Do all of it, or nothing; raises Conflict if the game changed meanwhile."""
        settings = self._table.settings
        if self._who.office == ASSISTANT and not settings.assistant:
            self._asked()
            return
        if self._spoken_much():
            return
        lines = self._mail.lines[:MOST_LINES]
        wanted = confirms(lines) if self._who.office else None
        acts, kept = read(lines), None
        if wanted is not None:
            kept = self._kept(wanted)
            if kept is None:
                self._refuse(NOTHING_WAITS)
                return
            acts = read([Line(n, text) for n, text in enumerate(kept.commands.split("\n"), 1)])
        known = self._know(acts)
        if why := self._wrong(known, acts):
            self._refuse(why)
            return
        questions = [act for act in acts if _question(act)] if self._who.office else []
        acts = [act for act in acts if act not in questions]
        plan = Planner(known, self._who, self._desk.now, sure=kept is not None).all(acts)
        answers = (
            answer_to(self._store, known.table, _question(act)[0], place, self._desk)
            for place, act in enumerate(questions, 1)
        )
        self._finish(known, replace(plan, results=(*plan.results, *answers)), acts)

    def _wrong(self, known: Known, acts: Sequence[Act]) -> str:
        """Why a mail cannot mean what it says by now, or too many strangers were asked; else ""."""
        named = [act.name for act in acts if act.kind == "assistant" and is_address(act.name)]
        plays, number = any(act.kind == "as" for act in acts), self._written.number
        with self._store.transaction() as tx:
            for address in named:
                if why := naming.refusal(tx, address, self._desk.now):
                    return why
            if not plays or known.table.head is None:
                return ""
            stood = retreat.position_before(tx, known.table, number, self._written.received)
            found = retreat.changed(tx, known.table, known.log.past, stood, "")
        return " ".join((*found[:-1], WRITE_AGAIN)) if found else ""

    def _know(self, acts: Sequence[Act]) -> Known:
        with self._store.transaction() as tx:
            known = know(tx, self._table.row.name, acts)
        assert known is not None
        # what was read for it knows further addresses too
        self._table = known.table
        self._who = replace(self._who, seat=known.table.seat_at(self._address))
        return known

    def _spoken_much(self) -> bool:
        """Whether a player has called so often of late that nobody is told; they have an answer."""
        if self._who.office:
            return False
        with self._store.transaction() as tx:
            ration = tx.ration(self._ration("talk"), self._desk.now)
        if ration.left < 1:
            self._refuse(SAID_MUCH.format(until=moment(ration.until)))
        return ration.left < 1

    def _finish(self, known: Known, plan: Plan, acts: Sequence[Act]) -> None:
        """Answer, tell and store it."""
        answer = Answering(self._store, self._desk, () if plan.does else self._ration("idle"))
        letters = []
        if answer.possible:
            letters.append(self._letter(answer.noted(self._receipt(plan)), plan))

        def settle(tx: Tx) -> None:
            self._keep(tx, plan)
            if plan.does and plan.invites:
                naming.counts(tx, plan.settings.invited, self._desk.now)
            if plan.does and not self._who.office:
                tx.count_answer(self._ration("talk"), self._desk.now)
            about = acts[0].shown if acts else ""
            note = answer.settle(tx, known.table.row.name, self._who.seat, about)
            tx.finish(self._desk.mail, "done", note)

        try:
            carry_out(self._store, self._desk, known, plan, answer=letters, settle=settle)
        except NotMoved as why:
            self._refuse(f"{why}.")

    def _ration(self, kind: str) -> Who:
        return rations.player(self._table.row.name, self._who.by, kind)

    # go

    def _kept(self, wanted: int) -> PartialRow | None:
        """What was shown and waits, while the game is as it was."""
        with self._store.transaction() as tx:
            kept = tx.partial(self._table.row.id, self._who.office)
        if kept is None or kept.follows != self._table.next_number:
            return None
        return kept if wanted in (0, kept.mail) else None

    def _keep(self, tx: Tx, plan: Plan) -> None:
        """What `go` does from now on: what was shown last, nothing once something was done."""
        game, office = self._table.row.id, self._who.office
        if not office:
            return
        if plan.shown and plan.good:
            text = "\n".join(line.text for line in self._mail.lines[:MOST_LINES])
            row = PartialRow(office, text, "", self._table.next_number, self._desk.mail)
            tx.keep_partial(game, row, self._desk.now)
        elif plan.does:
            tx.drop_partial(game, office)

    def _refuse(self, why: str) -> None:
        table = self._table
        first = self._mail.lines[0].text if self._mail.lines else ""
        result = Result(1, first, "no", notes=(why,))
        known = Known(table, NO_LOG, Book())
        plan = Planner(known, self._who, self._desk.now).plan
        self._finish(known, replace(plan, results=(result,), good=False), ())

    # an assistant who is asked

    def _asked(self) -> None:
        if not any(YES.fullmatch(line.text) for line in self._mail.lines):
            self._refuse(REPLY_YES)
            return
        known = self._know(())
        settings, text = accepted(known.table)
        row = RulingRow(0, "assistant", 0, 0, ASSISTANT, "yes", "", at=self._desk.now)
        result = Result(1, "yes", "ok", notes=(text,))
        plan = Planner(known, self._who, self._desk.now).plan
        plan = replace(plan, settings=settings, rulings=(row,), told=(text,), results=(result,))
        self._finish(known, plan, ())

    # the answer

    def _receipt(self, plan: Plan) -> Page:
        if not plan.good:
            ending, headline = NOTHING_DONE_SUBJECT, NOTHING_DONE
        elif plan.shown:
            ending, headline = REPLY_GO_SUBJECT, REPLY_GO
        elif plan.does:
            ending, headline = ALL_ARE_TOLD_SUBJECT, ALL_ARE_TOLD
        else:
            ending, headline = HOW_IT_STANDS_SUBJECT, HOW_IT_STANDS
        table = self._table
        about = self._desk.house.about(table.row.name, table.title)
        subject = answering(self._mail.subject, ending)
        standing = self._standing(plan)
        return lobby_page(self._reader, subject, headline, plan.results, standing, about)

    def _standing(self, plan: Plan) -> Sequence[str]:
        """How the game stands then, and what the writer may do."""
        if plan.shown and plan.good:
            return (GO_HOLDS,)
        if not self._who.office:
            return (DIRECTOR_IS_TOLD,) if plan.does else ()
        stands = plan.change.state if plan.change is not None else None
        return directing(self._table, plan.settings, stands)

    def _letter(self, page: Page, plan: Plan) -> Letter:
        row, desk = self._table.row, self._desk
        if self._who.office == ASSISTANT:
            return desk.to_assistant("receipt", row, plan.settings, page, self._mail)
        if self._who.office:
            return desk.to_organiser("receipt", row, page, self._mail)
        assert self._seat is not None
        at = at_head(self._table)
        return desk.to_seat("receipt", at, self._seat, page, answers=self._mail)


def _question(act: Act) -> tuple[Command, ...]:
    """What a line asks that changes nothing; () for every other line."""
    if act.kind:
        return ()
    commands = read_commands([Line(act.number, act.text)])
    return commands if len(commands) == 1 and commands[0].word in QUERIES else ()
