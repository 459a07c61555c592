"""Letters of a tournament: to an entrant, to who directs, to all; each by the ticket it answers to.

They are for their readers alone, but have nothing that others may not read: what speaks for
somebody stands in their headers.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from service.audience import EVERYBODY
from service.desk.letters.post import Desk
from service.desk.letters.tickets import Ticket
from service.desk.tournament.acts import ASSISTANT, DIRECTOR
from service.desk.tournament.known import Known, ticket_of_entry, ticket_of_office
from service.mail.message import Mail
from service.reports import Answer, Page, answer_page
from service.reports.scene import Enclosed
from service.reports.tables import Block, Lines, Verbatim
from service.said import WRITE_FOR_EXAMPLE
from service.store import Letter
from service.tournaments.values import Entry

NOT_DONE = "NOT DONE"
BECAUSE = "Because {because}."


@dataclass(frozen=True)
class Words:
    """What a letter says: a headline, paragraphs, tables, what may be written, files."""

    subject: str
    headline: str
    lines: Sequence[str] = ()
    blocks: Sequence[Block] = ()
    commands: Sequence[str] = ()
    files: Sequence[Enclosed] = ()
    #: tells letters to one reader apart that one occasion brings
    kind: str = "tournament"


def page(desk: Desk, name: str, words: Words) -> Page:
    """The page of a letter about the tournament of that name."""
    blocks: list[Block] = [Lines("", tuple(line for line in words.lines if line))]
    blocks += words.blocks
    if words.commands:
        blocks.append(Verbatim(WRITE_FOR_EXAMPLE, tuple(words.commands)))
    subject = words.subject if words.subject.startswith("Re:") else f"[{name}] {words.subject}"
    about = desk.house.about(name)
    made = answer_page(EVERYBODY, subject, words.headline, Answer(tuple(blocks)), about)
    return replace(made, files=tuple(words.files))


def to_ticket(desk: Desk, ticket: Ticket, words: Words, answers: Mail | None = None) -> Letter:
    """A letter to somebody, whose answer speaks for them."""
    return desk.to_ticket(words.kind, ticket, page(desk, ticket.game, words), answers)


def to_entry(
    desk: Desk, known: Known, entry: Entry, words: Words, answers: Mail | None = None
) -> Letter:
    """A letter to an entrant."""
    return to_ticket(desk, ticket_of_entry(known, entry), words, answers)


def to_offices(desk: Desk, known: Known, words: Words) -> Iterator[Letter]:
    """To who directs, and to the assistant if there is one."""
    yield to_ticket(desk, ticket_of_office(known, DIRECTOR), words)
    if known.cup.rules.assistant:
        yield to_ticket(desk, ticket_of_office(known, ASSISTANT), words)


def to_director(desk: Desk, known: Known, words: Words) -> Letter:
    """To who directs alone."""
    return to_ticket(desk, ticket_of_office(known, DIRECTOR), words)


#: entries whose people are told what concerns all
CONCERNED = ("entered", "waiting", "leave", "standby")


def to_all(
    desk: Desk,
    known: Known,
    words: Words,
    but: Iterable[str] = (),
    states: Sequence[str] = CONCERNED,
) -> Iterator[Letter]:
    """To all entrants, ``but`` those of these names; the page is made once."""
    left = set(but)
    found = [entry for entry in known.cup.of_state(*states) if entry.name not in left]
    yield from to_these(desk, known, found, words)


def to_these(desk: Desk, known: Known, entries: Iterable[Entry], words: Words) -> Iterator[Letter]:
    """To these entrants the same; the page is made once."""
    made = page(desk, known.name, words)
    for entry in entries:
        yield desk.to_ticket(words.kind, ticket_of_entry(known, entry), made)
