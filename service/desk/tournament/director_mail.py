"""A mail to the address of who directs a tournament, or assists: done whole or not at all."""

from collections.abc import Callable
from dataclasses import replace

from service.audience import EVERYBODY
from service.commands.answers import YES
from service.desk.letters.post import Desk
from service.desk.seats.tickets import Ticket
from service.desk.timing.answering import Answering
from service.desk.tournament import boards, words
from service.desk.tournament.acts import ASSISTANT, Office
from service.desk.tournament.days import plan_days
from service.desk.tournament.directing import planner as planner_of
from service.desk.tournament.known import Doing, Known, know
from service.desk.tournament.letters import NOT_DONE, Words, to_director
from service.desk.tournament.listing import standing_lines
from service.desk.tournament.plan import Plan
from service.desk.tournament.plan import store as keep_plan
from service.desk.tournament.planning import CupPlanner
from service.mail.message import Mail
from service.mail.proving import ASKS, Grade
from service.reports import Page, Result, answering, lobby_page
from service.store import Store, rations

IS_ASSISTANT = "{address} is the assistant of {cup}."
PROVES_TOO_LITTLE = (
    "In {cup} {asks}, which this mail does not have. Nothing was done. Who runs the service may do "
    "it by `waybill tournament`."
)
NO_WORD_READ = "No word could be read in your mail: {trouble}."
YOU_HAVE_ASSISTANT = "You have an assistant"
NOTHING_DONE = "NOT DONE: nothing of your mail was done."
YES_TO_ASSIST = "Reply with the one word `yes` to be the assistant."
SAME_ASSISTANT = "All boards have the same assistant from now on."
NOT_DONE_YET = "NOT DONE YET: reply `yes` to do what is shown."
HOW_IT_STANDS = "Here is how it stands."
WRITE = "Write: `{command}`"


class CupDirectorMail:
    """A mail from the address of an office; ``proves`` tells whether it does as a grade asks."""

    def __init__(
        self,
        store: Store,
        desk: Desk,
        mail: Mail,
        known: Known,
        ticket: Ticket,
        proves: Callable[[Grade], bool],
    ) -> None:
        self._store = store
        self._desk = desk
        self._mail = mail
        self._known = known
        self._ticket = ticket
        self._proves = proves

    def handle(self) -> None:
        """Do all of it, or nothing; raises Conflict if the tournament changed meanwhile."""
        cup = self._known.cup
        if not self._proves(cup.rules.grade):
            grade = cup.rules.grade
            why = PROVES_TOO_LITTLE.format(cup=self._known.name, asks=ASKS[grade])
            self._finish(self._refused(why), Plan())
            return
        if self._ticket.purpose == ASSISTANT and not cup.rules.assistant:
            self._accept()
            return
        found = words.read(self._mail.lines)
        planner = self._planner(self._ticket.purpose)
        if not found:
            why = NO_WORD_READ.format(trouble=self._mail.trouble or "empty")
            self._finish(self._refused(why), Plan())
            return
        self._finish(planner.all(found), planner.plan)

    def _planner(self, office: str) -> CupPlanner:
        return planner_of(self._store, self._desk, self._known, office, self._proves)

    def _refused(self, why: str) -> CupPlanner:
        first = self._mail.lines[0].text if self._mail.lines else ""
        planner = self._planner(self._ticket.purpose)
        planner.results.append(Result(1, first[:60], "no", notes=(why,)))
        planner.good = False
        return planner

    def _accept(self) -> None:
        """The answer of somebody who is asked to be the assistant."""
        if not any(YES.fullmatch(line.text) for line in self._mail.lines):
            self._finish(self._refused(YES_TO_ASSIST), Plan())
            return
        address = self._known.cup.invited
        planner = self._planner(ASSISTANT)
        text = IS_ASSISTANT.format(address=address, cup=self._known.name)
        planner.results.append(Result(1, "yes", "ok", notes=(text,)))
        told = to_director(
            self._desk,
            self._known,
            Words(
                YOU_HAVE_ASSISTANT,
                text,
                (SAME_ASSISTANT,),
                kind="assistant",
            ),
        )
        acts = [Doing(Office(ASSISTANT, address), ASSISTANT)]
        also = (lambda tx: boards.assist(tx, self._known, address),)
        self._finish(planner, Plan(acts, [told], also=also))

    def _finish(self, planner: CupPlanner, plan: Plan) -> None:
        """Answer, tell and store it."""
        who = () if plan.does else rations.player(self._known.name, self._ticket.purpose, "idle")
        answer = Answering(self._store, self._desk, who)
        letters = []
        if answer.possible:
            page = answer.noted(self._page(planner, plan))
            letters.append(self._desk.to_ticket("receipt", self._ticket, page, self._mail))
        plan = replace(plan, letters=(*plan.letters, *letters))
        with self._store.transaction() as tx:
            keep_plan(tx, self._desk, self._known, plan)
            now = know(tx, self._known.name)
            if plan.acts and now is not None:
                plan_days(tx, now, self._desk.now)
            if who and answer.possible:
                tx.count_answer(who, self._desk.now)
            tx.finish(self._desk.mail, "done", "" if answer.possible else "too many mails")

    def _page(self, planner: CupPlanner, plan: Plan) -> Page:
        if not planner.good:
            ending, headline = NOT_DONE, NOTHING_DONE
        elif planner.shown:
            ending, headline = "to be confirmed", NOT_DONE_YET
        elif plan.does:
            ending, headline = "done", "DONE."
        else:
            ending, headline = "answered", HOW_IT_STANDS
        subject = answering(self._mail.subject, ending)
        about = self._desk.house.about(self._known.name)
        cup = planner.cup if planner.good else self._known.cup
        standing = [*standing_lines(cup), *(WRITE.format(command=c) for c in planner.commands)]
        return lobby_page(EVERYBODY, subject, headline, planner.results, standing, about)
