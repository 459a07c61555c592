"""Emails of a tournament: to an entrant, to the director, to all; and the proof in their replies.

Each email is for its reader, but its text has nothing secret. Only its headers have the token that
speaks for the reader.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from service.audience import EVERYBODY
from service.desk.letters.desk import Desk
from service.desk.letters.ticket import Ticket
from service.desk.strangers.stranger_mail import StrangerContext
from service.mail.message import Mail
from service.reports import Answer, Page, answer_page
from service.reports.letters import to_write
from service.reports.scene import Enclosed
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
    holder = holder_of(entry)
    parts = (holder, tournament.id, tournament.epochs.get(holder, 0))
    return Ticket(tournament.name, ENTRY, entry.addresses[0], parts)


def ticket_of_office(tournament: Tournament, office: str, address: str = "") -> Ticket:
    """The same for the director, the assistant, or the person asked to be it."""
    own = address or (
        tournament.rules.director if office == DIRECTOR else tournament.rules.assistant
    )
    return Ticket(
        tournament.name,
        office,
        own.lower(),
        (office, tournament.id, tournament.epochs.get(office, 0)),
    )


BECAUSE = "Because {because}."


@dataclass(frozen=True)
class TournamentText:
    """The text of an email: headline, paragraphs, tables, commands, files."""

    subject: str
    headline: str
    lines: Sequence[str] = ()
    blocks: Sequence[Block] = ()
    commands: Sequence[str] = ()
    files: Sequence[Enclosed] = ()
    #: separates several emails of one occasion to one reader
    kind: str = "tournament"


def page(desk: Desk, name: str, words: TournamentText) -> Page:
    """The page of an email about the tournament of that name."""
    subject = words.subject if words.subject.startswith("Re:") else f"[{name}] {words.subject}"
    about = desk.service.about(name)
    body = (Lines("", tuple(filter(None, words.lines))), *words.blocks, *to_write(words.commands))
    made = answer_page(EVERYBODY, subject, words.headline, Answer(body), about)
    return replace(made, files=tuple(words.files))


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


NOT_CONFIRMED = "It is not confirmed: reply `yes` to the email that asked you."
IS_WAITING = "You are number {place} of the waiting list."
IS_PLAYING = "You have a place."
STANDS_BY = "You stand by for seats that become free."
IS_OUT = "You have withdrawn."
IS_EXCLUDED = "You are excluded, because {reason}."


def state_told(tournament: Tournament, entry: Entrant) -> str:
    """The state of an entry, in a sentence to its owner."""
    waiting = [one.name for one in tournament.of_state("waiting")]
    place = waiting.index(entry.name) + 1 if entry.name in waiting else 0
    told = {
        "asked": NOT_CONFIRMED,
        "waiting": IS_WAITING if place else "",
        "entered": IS_PLAYING,
        "standby": STANDS_BY,
        "withdrawn": IS_OUT,
        "excluded": IS_EXCLUDED,
    }[entry.state]
    return told.format(place=place, reason=entry.reason)


def to_asker(context: StrangerContext, ticket: Ticket, words: TournamentText) -> Letter:
    """The email that asks them; only the form has a file, without words of other people."""
    made = replace(context.small(page(context.desk, ticket.game, words)), files=tuple(words.files))
    return context.desk.to_ticket(words.kind, ticket, made, context.mail)
