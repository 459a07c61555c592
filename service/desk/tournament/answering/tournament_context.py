"""The writer of an email or terminal line about a tournament, and the answer to them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self

from service import rations
from service.audience import EVERYBODY
from service.commands.command import Command
from service.commands.entry import When, Where, Who
from service.commands.lines import KnownWords
from service.commands.reading import Scope
from service.commands.results import answered, done
from service.desk.answering.effects import Effect, set_apart
from service.desk.door import Done, Write
from service.desk.letters.desk import Desk
from service.desk.proving.owners import Writer
from service.desk.rationing import answer_rations
from service.desk.rationing.answer_rations import Answering
from service.desk.tournament.letters.tournament_letters import ticket_of_entry
from service.desk.tournament.proving.tournament_proof import TournamentOwner
from service.desk.tournament.stored.keeping import check_unchanged
from service.mail.message import Mail
from service.rations import Counters
from service.refusal import Refused
from service.reports import Answer, Page, Result, answering, lobby_page
from service.reports.receipt import outcome
from service.said import YES_TO_ASSIST
from service.store import Letter, Tx
from service.tournaments.acts import ASSISTANT
from service.tournaments.telling import state_lines
from service.tournaments.tournament import Tournament
from service.tournaments.values import Entrant

YES_TO_ENTER = "Nothing is done: reply with the one word `yes` to enter."
ENTRANTS_MAY_WRITE = (
    "You may write `withdraw`, `address …`, `zone …`, `propose …`, `vote yes`, "
    "`standings`, `tournament`."
)
HELP_LISTS = "`help` lists your commands."
TOO_MANY = "not answered: too many emails"


@dataclass(frozen=True, kw_only=True)
class TournamentContext:
    """The writer of lines about a tournament, with the tournament as it was read, and what changed.

    ``who`` has the roles of the writer, and ``where`` says how the lines came. ``office`` is the
    one for which they write, "" for an entrant: the operator's or the rules' own lines come without
    an email. ``whole`` is False if other lines could not be read; then Waybill does no command of a
    director.
    """

    reads: Tx
    desk: Desk
    before: Tournament
    office: str
    who: Who
    where: Where
    whole: bool = True
    #: the tournament after the commands so far; None if they have not changed it
    changed: Tournament | None = None

    @property
    def agreed(self) -> bool:
        """Whether they have agreed to the entry, or to be the assistant."""
        return True

    @property
    def tournament(self) -> Tournament:
        """The tournament after the commands so far."""
        return self.changed or self.before

    def did(self, command: Command, made: Effect, *notes: str) -> Effect:
        """An effect with the result of the one command that is done."""
        return replace(made, results=(done(command, *filter(None, notes)),))

    def after(self, made: Effect) -> Self:
        """The same context with the tournament as an effect leaves it."""
        return replace(self, changed=made.changed) if made.changed is not None else self


@dataclass(frozen=True, kw_only=True)
class TournamentEmail(TournamentContext):
    """An email about a tournament, of an entrant or for an office."""

    mail: Mail
    writer: Writer[TournamentOwner]

    @property
    def entry(self) -> Entrant:
        """The entry of an entrant, after the commands so far."""
        own = self.writer.owner.entry
        assert own is not None
        return next(entry for entry in self.tournament.entries if entry.number == own.number)

    @property
    def agreed(self) -> bool:
        """Whether they have agreed to the entry, or to be the assistant."""
        if self.office == ASSISTANT:
            return self.tournament.rules.assistant.lower() == self.writer.owner.address
        return bool(self.office) or self.entry.state != "asked"

    def replies_to(self, kind: str) -> bool:
        """Whether the email is a reply to an email of a kind."""
        return re.search(rf"\.{kind}-[a-z0-9-]+@", self.mail.in_reply_to) is not None

    # the steps that carry out an email

    def besides(self) -> Sequence[Result]:
        """Greetings and thanks."""
        return [set_apart(line) for line in self.mail.courtesy]

    def check_unchanged(self, tx: Tx) -> None:
        """Raise Conflict if the tournament has changed since it was read."""
        check_unchanged(tx, self.before)

    def counters(self, kind: str) -> Counters:
        """Answers are counted by entry or office; a director has the larger ration for all."""
        kind = "idle" if self.office else kind
        return rations.player(self.tournament.name, self.writer.owner.holder, kind)

    def page(self, results: Sequence[Result], closing: Sequence[str]) -> Page:
        """The answer: the result of each line, and the state of the tournament."""
        ending, headline = outcome(results)
        lines = [*(self._new_state(results) if self.office else ()), *closing]
        if not self.agreed:
            lines = [YES_TO_ASSIST if self.office else YES_TO_ENTER]
        elif any(one.status in ("no", "ignored") for one in results):
            lines.append(HELP_LISTS if self.office else ENTRANTS_MAY_WRITE)
        subject = answering(self.mail.subject, ending)
        about = self.desk.service.about(self.tournament.name)
        return lobby_page(EVERYBODY, subject, headline, results, lines, about)

    def _new_state(self, results: Sequence[Result]) -> Iterator[str]:
        """The lines on the state of the tournament that changed, unless a result tells them."""
        known = state_lines(self.before)
        notes = [note for one in results for note in one.notes]
        for line in state_lines(self.tournament):
            [fact, *_] = re.split("[:,.]", line)
            if line not in known and not any(fact in note for note in notes):
                yield line

    def letter(self, page: Page, kind: str = "answer") -> Letter:
        """The answer, to the address of the office or entry after the commands."""
        if self.office:
            return self.desk.to_ticket("receipt", self.writer.owner.ticket, page, self.mail)
        ticket = ticket_of_entry(self.tournament, self.entry)
        return self.desk.to_ticket(kind, ticket, page, self.mail)

    def answered(
        self, answer: Answering, letters: Sequence[Letter], about: str, also: Write
    ) -> Done:
        """The result, with the operator's note if the email gets no answer."""
        return answer_rations.within_ration(
            answer, letters, "" if answer.possible else TOO_MANY, also
        )


def shows(command: Command, answer: Answer) -> Effect:
    """The effect of a question: nothing but its answer."""
    return Effect((answered(command, answer),))


def tournament_scope(context: TournamentContext) -> Scope:
    """What lines about a tournament may be, given the writer and the state of the tournament."""
    table, when = context.desk.service.commands.entries, When.OVER
    if not context.tournament.over:
        when = When.RUNNING if context.tournament.status == "running" else When.OPEN
    words = frozenset(word for entry in table if entry.who & context.who for word in entry.words)
    return Scope(table, context.who, context.where, when, KnownWords(words))


def agreed_entry(context: TournamentEmail) -> Entrant:
    """The writer's entry. Raises Refused for a writer who has not confirmed it yet."""
    if not context.agreed:
        raise Refused(YES_TO_ENTER)
    return context.entry
