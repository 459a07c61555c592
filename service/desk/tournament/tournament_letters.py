"""Emails of a tournament: to an entrant, to the director, to all; and the proof in their replies.

Each email is for its reader, but its text has nothing secret. Only its headers have the token that
speaks for the reader.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from service import rations
from service.audience import EVERYBODY
from service.desk.door import Done
from service.desk.letters.post import Desk
from service.desk.letters.ticket import Ticket
from service.desk.rationing.later_answers import Answering, answered
from service.desk.strangers.stranger_mail import StrangerContext
from service.desk.tournament.keeping import board_of, know
from service.mail.message import Mail
from service.reports import Answer, Page, answer_page
from service.reports.letters import to_write
from service.reports.scene import Enclosed
from service.reports.tables import Block, Lines
from service.store import Letter, OutboxRow, Tx
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
    made = answer_page(EVERYBODY, subject, words.headline, Answer(body(words)), about)
    return replace(made, files=tuple(words.files))


def body(words: TournamentText, *first: str) -> tuple[Block, ...]:
    """The text below a headline; ``first`` are paragraphs before it."""
    lines = Lines("", tuple(line for line in (*first, *words.lines) if line))
    return (lines, *words.blocks, *to_write(words.commands))


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


def to_all(desk: Desk, tournament: Tournament, words: TournamentText) -> Iterator[Letter]:
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


def standing(tournament: Tournament, entry: Entrant) -> str:
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


FAULT_AT_BOARD = "A bug in Waybill at board {board}"
MET_A_FAULT = "An email to board {board} ({game}) hit a bug in Waybill."
NOTHING_DONE = (
    "Nothing of the email was done. Its writer and the operator have been told, and the board "
    "goes on."
)
OTHERS_MAY_MEET_IT = (
    "All boards are played by the same program, so others may meet it too. If they must not go on "
    "like this, hold all of them until the bug is mended."
)
HOLD_ALL = "hold because of a fault at one board"


def of_fault(reads: Tx, desk: Desk, game: str) -> Done:
    """An email to the director of a game's tournament; none for all other games."""
    found = board_of(reads, game)
    if found is None or found[1].status != "running":
        return Done()
    tournament, board = found
    ration = Answering(reads, desk, rations.address(tournament.rules.director, "fault"))
    said = TournamentText(
        FAULT_AT_BOARD.format(board=board.number),
        MET_A_FAULT.format(board=board.number, game=board.game),
        (NOTHING_DONE, OTHERS_MAY_MEET_IT),
        commands=(HOLD_ALL, "rule: …"),
        kind="fault",
    )
    return answered(ration, [to_director(desk.about(tournament.name), tournament, said)])


#: the reader's name in the key of an email; see `Desk.to_ticket`
_READER = re.compile(rf".*:([a-z0-9-]+)/({ENTRY}|{DIRECTOR}|{ASSISTANT})-(?:{ENTRY}-)?(\w+)-\w+")
UNREACHED = "{name} at {address} cannot be reached: {why}."
UNREACHED_SUBJECT = "{name} cannot be reached"
ASSISTANT_UNREACHED = "Your assistant at {address} cannot be reached: {why}."
ASSISTANT_UNREACHED_SUBJECT = "Your assistant cannot be reached"
DID_NOT_ARRIVE = (
    "An email of the tournament did not arrive. More that fail within a day are not told one by "
    "one."
)
ANOTHER_WAY = (
    "If you have another way to write to them: they may enter a new address in a "
    "reply to any email they have, `address …`, or you take them out, `withdraw "
    "NAME because …`."
)


def of_unreached(reads: Tx, desk: Desk, letter: OutboxRow, why: str) -> list[Letter]:
    """To the director of the tournament whose email failed; () for all other emails.

    ``why`` is the reason of the reader's server, in a clause.
    """
    found = _READER.fullmatch(letter.key)
    if found is None or found[2] == DIRECTOR:
        return []
    tournament = know(reads, found[1])
    if tournament is None or tournament.over:
        return []
    name, text = "", ASSISTANT_UNREACHED.format(address=letter.recipient, why=why)
    if found[2] == ENTRY:
        entry = next((e for e in tournament.entries if str(e.number) == found[3]), None)
        if entry is None or entry.state not in CONCERNED:
            return []
        name = entry.name
        text = UNREACHED.format(name=name, address=letter.recipient, why=why)
    lines = (DID_NOT_ARRIVE, ANOTHER_WAY)
    subject = UNREACHED_SUBJECT.format(name=name) if name else ASSISTANT_UNREACHED_SUBJECT
    said = TournamentText(subject, text, lines, kind="undelivered")
    return [to_director(desk, tournament, said)]
