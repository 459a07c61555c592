"""Emails of a tournament: to an entrant, to the director, to all; and the proof in their replies.

Each email is for its reader, but its text has nothing secret. Only its headers have the token that
speaks for the reader.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from service.audience import EVERYBODY
from service.desk.letters.desk import Desk
from service.desk.letters.ticket import Ticket
from service.desk.strangers.stranger_mail import StrangerContext
from service.mail.message import Mail
from service.reports import Answer, Page, answer_page
from service.reports.letters import to_write
from service.reports.tables import Block, Lines
from service.store import Letter
from service.tournaments.acts import ASSISTANT, DIRECTOR
from service.tournaments.tournament import Tournament
from service.tournaments.values import Entrant

#: the purpose of an entrant's ticket; those of offices are the offices
ENTRY = "entry"


def holder_of(entry: Entrant) -> str:
    """The name of an entrant in tokens and their renewals."""
    return f"{ENTRY}-{entry.number}"


def ticket_of_entry(tournament: Tournament, entry: Entrant) -> Ticket:
    """The proof that an email comes from an entrant's address."""
    return _ticket(tournament, ENTRY, holder_of(entry), entry.addresses[0])


def ticket_of_office(tournament: Tournament, office: str, address: str = "") -> Ticket:
    """The same for the director, the assistant, or the person asked to be it."""
    rules = tournament.rules
    own = address or (rules.director if office == DIRECTOR else rules.assistant)
    return _ticket(tournament, office, office, own.lower())


def _ticket(tournament: Tournament, purpose: str, holder: str, address: str) -> Ticket:
    parts = (holder, tournament.id, tournament.epochs.get(holder, 0))
    return Ticket(tournament.name, purpose, address, parts)


BECAUSE = "This was decided because {because}."


@dataclass(frozen=True)
class TournamentText:
    """The text of an email: headline, paragraphs, tables, commands.

    The headline is the subject, too, unless there is another ``subject``.
    """

    headline: str
    lines: Sequence[str] = ()
    blocks: Sequence[Block] = ()
    commands: Sequence[str] = ()
    #: separates several emails of one occasion to one reader
    kind: str = "tournament"
    subject: str = ""


def page(desk: Desk, name: str, words: TournamentText) -> Page:
    """The page of an email about the tournament of that name."""
    subject = words.subject or words.headline.rstrip(":")
    subject = subject if subject.startswith("Re:") else f"[{name}] {subject}"
    body = (Lines("", tuple(filter(None, words.lines))), *words.blocks, *to_write(words.commands))
    about = desk.service.about(name)
    return answer_page(EVERYBODY, subject, words.headline, Answer(body), about)


def to_ticket(
    desk: Desk, ticket: Ticket, words: TournamentText, answers: Mail | None = None
) -> Letter:
    """An email to somebody, whose reply speaks for them."""
    return desk.to_ticket(words.kind, ticket, page(desk, ticket.game, words), answers)


def to_entry(
    desk: Desk,
    tournament: Tournament,
    entry: Entrant,
    words: TournamentText,
    answers: Mail | None = None,
) -> Letter:
    """An email to an entrant."""
    return to_ticket(desk, ticket_of_entry(tournament, entry), words, answers)


def to_offices(desk: Desk, tournament: Tournament, words: TournamentText) -> Iterator[Letter]:
    """To the director, and to the assistant if there is one."""
    yield to_ticket(desk, ticket_of_office(tournament, DIRECTOR), words)
    if tournament.rules.assistant:
        yield to_ticket(desk, ticket_of_office(tournament, ASSISTANT), words)


def to_director(desk: Desk, tournament: Tournament, words: TournamentText) -> Letter:
    """To the director alone."""
    return to_ticket(desk, ticket_of_office(tournament, DIRECTOR), words)


#: states of entries whose people get news for all
CONCERNED = ("entered", "waiting", "standby")


def to_all_entrants(desk: Desk, tournament: Tournament, words: TournamentText) -> Iterator[Letter]:
    """To all entrants; the page is made once."""
    return to_these(desk, tournament, tournament.of_state(*CONCERNED), words)


def to_these(
    desk: Desk, tournament: Tournament, entries: Iterable[Entrant], words: TournamentText
) -> Iterator[Letter]:
    """The same page to these entrants; it is made once."""
    made = page(desk, tournament.name, words)
    for entry in entries:
        yield desk.to_ticket(words.kind, ticket_of_entry(tournament, entry), made)


def to_asker(context: StrangerContext, ticket: Ticket, words: TournamentText) -> Letter:
    """The email that asks a person something, without words of other people."""
    made = context.small(page(context.desk, ticket.game, words))
    return context.desk.to_ticket(words.kind, ticket, made, context.mail)
