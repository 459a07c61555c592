"""An email about a tournament, from somebody who has entered or from who directs it."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from service import rations
from service.audience import EVERYBODY
from service.commands.command import Command
from service.commands.entry import Entry as Form
from service.commands.entry import When, Where, Who
from service.commands.lines import Known as Words
from service.commands.reading import Scope
from service.desk.answering import Answering
from service.desk.effects import Effect, done, set_apart
from service.desk.letters.post import Desk
from service.desk.letters.tickets import Ticket
from service.desk.tournament.acts import ASSISTANT, DIRECTOR
from service.desk.tournament.days import plan_days
from service.desk.tournament.known import Known, know, still, ticket_of_entry
from service.desk.tournament.listing import standing_lines
from service.desk.tournament.plan import Plan, after_acts
from service.desk.tournament.plan import store as store_plan
from service.mail.grades import Grade
from service.mail.message import Mail
from service.rations import Who as Rationed
from service.reports import Page, Result, answering, lobby_page
from service.reports.receipt import outcome
from service.said import YES_TO_ASSIST
from service.store import Letter, Store, Tx
from service.tournaments.values import Entry

YES_TO_ENTER = "Nothing is done: reply with the one word `yes` to enter."
ENTRANTS_MAY_WRITE = (
    "You may write `withdraw`, `address …`, `zone …`, `near on`, `propose …`, `vote yes`, "
    "`standings`, `tournament`, `record NAME`."
)
HELP_LISTS = "`help` lists what you may write here."
TOO_MANY = "not answered: too many emails"


@dataclass(frozen=True)
class CupContext:
    """Who writes, and the tournament; ``ticket`` is what proves it: of an entry, or an office.

    ``before`` is the tournament as it was read, ``known`` what the commands so far have made of it.
    ``proves`` tells whether the email proves its writer as a grade asks. ``whole`` is False where
    lines of it could not be read, so that nothing of who directs is done.
    """

    store: Store
    desk: Desk
    mail: Mail
    before: Known
    known: Known
    ticket: Ticket
    proves: Callable[[Grade], bool]
    whole: bool = True

    @property
    def who(self) -> Who:
        """As what they write."""
        return Who.DIRECTOR if self.ticket.purpose in (DIRECTOR, ASSISTANT) else Who.ENTRANT

    @property
    def directs(self) -> bool:
        """Whether they write for an office."""
        return self.who is Who.DIRECTOR

    @property
    def entry(self) -> Entry:
        """The entry of an entrant."""
        number = str(self.ticket.parts[0]).rpartition("-")[2]
        return next(entry for entry in self.known.cup.entries if str(entry.number) == number)

    @property
    def agreed(self) -> bool:
        """Whether they have said yes to the entry, or to being the assistant."""
        if self.directs:
            return self.ticket.purpose == DIRECTOR or bool(self.known.cup.rules.assistant)
        return self.entry.state != "asked"

    def replies_to(self, kind: str) -> bool:
        """Whether the email is a reply to an email of a kind."""
        return re.search(rf"\.{kind}-[a-z0-9-]+@", self.mail.in_reply_to) is not None

    # what commands come to

    def did(
        self, command: Command, plan: Plan, lines: Sequence[str], closing: Sequence[str] = ()
    ) -> Effect:
        """The effect of one command that is done."""
        return self.planned([done(command, *filter(None, lines))], plan, closing)

    def planned(self, results: Sequence[Result], plan: Plan, closing: Sequence[str] = ()) -> Effect:
        """The effect of what is planned."""
        known, now = self.known, self.desk.now

        def write(tx: Tx) -> list[Letter]:
            later = store_plan(tx, self.desk, known, replace(plan, letters=()))
            after = know(tx, known.name) if plan.acts else None
            if after is not None:
                plan_days(tx, after, now)
            return later

        cup = after_acts(known, self.desk, plan.acts)
        return Effect(
            tuple(results),
            replace(known, cup=cup),
            tuple(plan.letters),
            write,
            changes=plan.does or bool(plan.letters),
            closing=tuple(closing),
        )

    # what an email is carried out by

    def after(self, effect: Effect) -> "CupContext":
        """The same with the tournament as an effect leaves it."""
        return replace(self, known=effect.changed) if effect.changed is not None else self

    def besides(self) -> Sequence[Result]:
        """Greetings and thanks."""
        return [set_apart(line) for line in self.mail.courtesy]

    def still(self, tx: Tx) -> None:
        """Raises Conflict if the tournament has gone on since it was read."""
        still(tx, self.before)

    def ration(self, kind: str) -> Rationed:
        """Answers are counted by entry or office; who directs has the larger ration for all."""
        kind = "idle" if self.directs else kind
        return rations.player(self.known.name, str(self.ticket.parts[0]), kind)

    def page(self, results: Sequence[Result], closing: Sequence[str]) -> Page:
        """The answer: what became of each line, and how the tournament stands."""
        ending, headline = outcome(results)
        lines = [*standing_lines(self.known.cup), *closing] if self.directs else [*closing]
        if not self.agreed:
            lines = [YES_TO_ASSIST if self.directs else YES_TO_ENTER]
        elif any(one.status in ("no", "ignored") for one in results):
            lines.append(HELP_LISTS if self.directs else ENTRANTS_MAY_WRITE)
        subject = answering(self.mail.subject, ending)
        about = self.desk.house.about(self.known.name)
        return lobby_page(EVERYBODY, subject, headline, results, lines, about)

    def letter(self, page: Page, kind: str = "answer") -> Letter:
        """The answer, to where the office or the entry is written to then."""
        if self.directs:
            return self.desk.to_ticket("receipt", self.ticket, page, self.mail)
        ticket = ticket_of_entry(self.known, self.entry)
        return self.desk.to_ticket(kind, ticket, page, self.mail)

    def settle(self, tx: Tx, answer: Answering, about: str) -> str:
        """Count the answer; a note for the operator. Raises Conflict."""
        if answer.possible:
            answer.settle(tx, self.known.name, str(self.ticket.parts[0]), about)
        return "" if answer.possible else TOO_MANY


_WHEN = {"announced": When.OPEN, "closed": When.OPEN, "running": When.RUNNING}


def scope_of(known: Known, who: Who, table: Sequence[Form], where: Where = Where.PRIVATE) -> Scope:
    """What lines about a tournament may be, by who writes and how it stands."""
    when = _WHEN.get(known.cup.status, When.OVER)
    words = frozenset(word for entry in table if entry.who & who for word in entry.words)
    return Scope(table, who, where, when, Words(words))
