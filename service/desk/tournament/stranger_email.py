"""An email that proves nothing: one answer, rationed, for From can be forged."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from service.audience import EVERYBODY
from service.commands.command import Command
from service.commands.entry import Who
from service.desk.effects import Context, Effect
from service.desk.letters.post import Desk
from service.desk.proving.strangers import Rationed
from service.desk.seats.tickets import Ticket
from service.desk.timing.answering import Answering
from service.desk.tournament.letters import Words
from service.desk.tournament.letters import page as page_of
from service.mail.message import Mail
from service.reports import Page, Result, lobby_page
from service.reports.blocks import Block, Lines, Pairs, Row
from service.reports.fitting import noted, plain
from service.reports.outcome import outcome
from service.reports.receipt import MARKS
from service.reports.scene import Enclosed
from service.reports.subjects import UNPROVED, answering
from service.reports.words import moment
from service.store import Letter, Store, Tx
from service.store.rations import Who as Counted

#: what stands for a line that is no command
_NO_COMMAND = "…"
LAST_ANSWER = "This is the last answer until {until}."


class Unproved(Context, Protocol):
    """What is needed of an email that proves nothing."""

    @property
    def asked(self) -> bool:
        """Whether its answer is a letter already that asks whether they want what they wrote."""
        ...


@dataclass(frozen=True)
class StrangerContext:
    """Who writes is not known; ``cup`` is the tournament to whose address they wrote, "" for none.

    ``answers`` is the ration, of which something is left.
    """

    store: Store
    desk: Desk
    mail: Mail
    answers: Rationed
    cup: str = ""
    asked: bool = False

    @property
    def who(self) -> Who:
        """As what they write."""
        return Who.STRANGER

    def after(self, effect: Effect) -> "StrangerContext":
        """The same, and whether its answer asks something."""
        return replace(self, asked=self.asked or effect.changed is True)

    def besides(self) -> Sequence[Result]:
        """Nothing: all lines are read as commands."""
        return ()

    def still(self, tx: Tx) -> None:
        """Nothing was read that counts: each command says itself what must not have changed."""

    def ration(self, kind: str) -> Counted:
        """None by itself: `settle` counts each answer, whatever it changes."""
        return ()

    def page(self, results: Sequence[Result], closing: Sequence[str]) -> Page:
        """The plain answer."""
        ending, headline = outcome(results)
        about = self.desk.house.about(self.cup)
        subject = answering(UNPROVED, ending)
        made = lobby_page(EVERYBODY, subject, headline, results, closing, about)
        left = self.answers.left
        return noted(made, LAST_ANSWER.format(until=moment(left.until))) if left.last else made

    def letter(self, page: Page) -> Letter:
        """The answer, which gives nobody any power."""
        return self.desk.to_stranger("answer", self.mail.sender, plain(page), self.mail)

    def settle(self, tx: Tx, answer: Answering, about: str) -> None:
        """Count the answer; raises Conflict if another was given meanwhile."""
        self.answers.count(tx)
        tx.finish(self.desk.mail, "done", f"answered: {about}")


def by_their_names(commands: Sequence[Command]) -> tuple[Command, ...]:
    """Commands as an answer may repeat them that goes to somebody who may never have written."""
    return tuple(
        replace(one, text=one.entry.name if one.entry else _NO_COMMAND) for one in commands
    )


def asking(context: Unproved, command: Command, ticket: Ticket, words: Words) -> Effect:
    """The answer is a letter that asks them whether they want it; it answers all else, too."""
    others = [command.number, command.shown]

    def receipt(results: Sequence[Result]) -> Page:
        rest = [one for one in results if [one.number, one.text, one.status] != [*others, "asks"]]
        blocks, files = _also(rest)
        said = replace(words, blocks=(*words.blocks, *blocks), files=(*words.files, *files))
        return page_of(context.desk, ticket.game, said)

    return Effect(
        (Result(command.number, command.shown, "asks", notes=(words.headline,)),),
        changed=True,
        receipt=receipt,
        letter=lambda page: context.desk.to_ticket(words.kind, ticket, page, context.mail),
    )


def _also(results: Sequence[Result]) -> tuple[list[Block], list[Enclosed]]:
    """What became of other commands of the email."""
    rows = [Row(MARKS[r.status], (r.text, *r.notes), True) for r in results if r.answer is None]
    blocks: list[Block] = [Pairs("", tuple(rows))] if rows else []
    files: list[Enclosed] = []
    for one in results:
        if one.answer is not None:
            blocks += [Lines("", (f"> {one.text}",)), *one.answer.blocks]
            files += one.answer.files
    return blocks, files
