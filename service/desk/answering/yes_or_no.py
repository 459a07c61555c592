"""Answers of people without a seat, at an address that only they know.

There is a context for each kind of question. It says what a yes and a no bring about.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from service.audience import EVERYBODY
from service.commands.command import Command
from service.commands.entry import Entry, Who, first_words, when_of
from service.commands.lines import KnownWords
from service.commands.reading import Scope
from service.desk.answering.effects import Effect, counted_once, done_or_refused, set_apart
from service.desk.channels.private_email import PrivateEmail
from service.desk.door import Done, Write
from service.desk.letters.desk import Desk
from service.desk.rationing import answer_rations
from service.desk.rationing.answer_rations import Answering
from service.games.games import GameTable
from service.mail.message import Mail
from service.rations import Counters, mailbox
from service.refusal import Refused
from service.reports import Page, Result, answering, lobby_page
from service.reports.receipt import outcome
from service.store import Letter, Tx


@dataclass(frozen=True)
class AskedContext(ABC):
    """An email of somebody whom Waybill asked about a game, or who agreed to it before."""

    reads: Tx
    desk: Desk
    mail: Mail
    table: GameTable

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.table.row.name

    @property
    @abstractmethod
    def who(self) -> Who:
        """The roles of the writer."""

    @property
    @abstractmethod
    def how(self) -> str:
        """How to answer, for an email that did nothing."""

    @abstractmethod
    def agree(self, command: Command) -> Effect:
        """The effect of a yes. Raises Refused."""

    @abstractmethod
    def decline(self, command: Command) -> Effect:
        """The effect of a no. Raises Refused."""

    def scope(self, entries: Sequence[Entry]) -> Scope:
        """What the lines of their email may be."""
        when = when_of(self.table.row.status)
        words = first_words([entry for entry in entries if entry.who & self.who])
        return Scope(entries, self.who, PrivateEmail.where, when, KnownWords(words))

    # what an email is carried out with

    def after(self, effect: Effect) -> Self:
        """The same context: the question stays what it was."""
        return self

    def besides(self) -> Sequence[Result]:
        """Greetings and thanks."""
        return [set_apart(line) for line in self.mail.courtesy]

    @abstractmethod
    def check_unchanged(self, tx: Tx) -> None:
        """Raise Conflict unless everything is as it was read."""

    def counters(self, kind: str) -> Counters:
        """Answers of every kind are counted by mailbox, which ends a duel of two robots."""
        return ((mailbox(self.mail.sender), "puzzled"),)

    def page(self, results: Sequence[Result], closing: Sequence[str]) -> Page:
        """The result of each line, and how to answer if nothing was done."""
        ending, headline = outcome(results)
        nothing = all(result.status != "ok" for result in results)
        subject = answering(self.mail.subject, ending)
        about = self.desk.service.about(self.game, self.table.title)
        lines = closing or ((self.how,) if nothing else ())
        return lobby_page(EVERYBODY, subject, headline, results, lines, about)

    @abstractmethod
    def letter(self, page: Page) -> Letter:
        """The answer to the email."""

    def answered(
        self, answer: Answering, letters: Sequence[Letter], about: str, also: Write
    ) -> Done:
        """The result; the operator's note says who wrote, and whether they get no answer."""
        note = "" if answer.possible else "; not answered: too many emails that change nothing"
        note = f"of somebody who was asked: {about}{note}"
        return answer_rations.within_ration(answer, letters, note, also)


YES_AND_NO = "Your email says yes and no: write one of them."


def yes_or_no(context: AskedContext, commands: Sequence[Command]) -> Effect:
    """A yes or a no; a repeated answer counts once."""
    first, *again = commands
    both = len({command.word == "yes" for command in commands}) > 1

    def one(command: Command) -> Effect:
        if both:
            raise Refused(YES_AND_NO)
        return context.agree(command) if command.word == "yes" else context.decline(command)

    return counted_once(done_or_refused(one, first), again)


NOTED = "“{text}”: {notes}"


def other_lines(results: Sequence[Result], command: Command) -> list[str]:
    """The results of the other lines of an email, for an answer without a list of them."""
    mine = (command.number, command.shown)
    others = (result for result in results if (result.number, result.text) != mine)
    return [NOTED.format(text=one.text, notes=" ".join(one.notes)) for one in others if one.notes]
