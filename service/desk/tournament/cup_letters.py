"""Emails of a tournament: to an entrant, to the director, to all; its state, in sentences.

They are for their readers, but have nothing that others may not read: only their headers have what
speaks for somebody.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from engine.wording import counted
from service.audience import EVERYBODY
from service.desk.letters.post import Desk
from service.desk.letters.ticket import Ticket
from service.desk.strangers.stranger_mail import StrangerContext
from service.desk.tournament.cup_known import (
    ENTRY,
    IS_OVER,
    KnownCup,
    board_of,
    know,
    ticket_of_entry,
    ticket_of_office,
)
from service.desk.tournament.cup_log import ASSISTANT, DIRECTOR, Cup
from service.mail.message import Mail
from service.reports import Answer, Page, answer_page
from service.reports.scene import Enclosed
from service.reports.tables import Block, Lines, Verbatim
from service.reports.words import moment
from service.said import ARE_CLOSED_WITH, WRITE_FOR_EXAMPLE
from service.store import Letter, OutboxRow, Tx
from service.tournaments.values import CupEntry

NOT_DONE = "NOT DONE"
BECAUSE = "Because {because}."


@dataclass(frozen=True)
class CupText:
    """The text of an email: headline, paragraphs, tables, commands, files."""

    subject: str
    headline: str
    lines: Sequence[str] = ()
    blocks: Sequence[Block] = ()
    commands: Sequence[str] = ()
    files: Sequence[Enclosed] = ()
    #: separates several emails of one occasion to one reader
    kind: str = "tournament"


def page(desk: Desk, name: str, words: CupText) -> Page:
    """The page of an email about the tournament of that name."""
    subject = words.subject if words.subject.startswith("Re:") else f"[{name}] {words.subject}"
    about = desk.house.about(name)
    made = answer_page(EVERYBODY, subject, words.headline, Answer(body(words)), about)
    return replace(made, files=tuple(words.files))


def body(words: CupText, *first: str) -> tuple[Block, ...]:
    """The text below a headline; ``first`` are paragraphs before it."""
    lines = Lines("", tuple(line for line in (*first, *words.lines) if line))
    examples = Verbatim(WRITE_FOR_EXAMPLE, tuple(words.commands))
    return (lines, *words.blocks, *((examples,) if words.commands else ()))


def to_ticket(desk: Desk, ticket: Ticket, words: CupText, answers: Mail | None = None) -> Letter:
    """An email to somebody, whose reply speaks for them."""
    return desk.to_ticket(words.kind, ticket, page(desk, ticket.game, words), answers)


def to_entry(
    desk: Desk, known: KnownCup, entry: CupEntry, words: CupText, answers: Mail | None = None
) -> Letter:
    """An email to an entrant."""
    return to_ticket(desk, ticket_of_entry(known, entry), words, answers)


def to_offices(desk: Desk, known: KnownCup, words: CupText) -> Iterator[Letter]:
    """To the director, and to the assistant if there is one."""
    yield to_ticket(desk, ticket_of_office(known, DIRECTOR), words)
    if known.cup.rules.assistant:
        yield to_ticket(desk, ticket_of_office(known, ASSISTANT), words)


def to_director(desk: Desk, known: KnownCup, words: CupText) -> Letter:
    """To the director alone."""
    return to_ticket(desk, ticket_of_office(known, DIRECTOR), words)


#: states of entries whose people get news for all
CONCERNED = ("entered", "waiting", "leave", "standby")


def to_all(
    desk: Desk,
    known: KnownCup,
    words: CupText,
    but: Iterable[str] = (),
    states: Sequence[str] = CONCERNED,
) -> Iterator[Letter]:
    """To all entrants, except ``but``, by name; the page is made once."""
    left = set(but)
    found = [entry for entry in known.cup.of_state(*states) if entry.name not in left]
    yield from to_these(desk, known, found, words)


def to_these(
    desk: Desk, known: KnownCup, entries: Iterable[CupEntry], words: CupText
) -> Iterator[Letter]:
    """The same page to these entrants; it is made once."""
    made = page(desk, known.name, words)
    for entry in entries:
        yield desk.to_ticket(words.kind, ticket_of_entry(known, entry), made)


ALL_ARE_HELD = "All boards are held."
ALL_ARE_HELD_BECAUSE = "All boards are held, because {because}."
ENTRIES_OPEN = "Entries for {cup} are open: {players}."
OPEN_AND_WAITING = "Entries for {cup} are open: {players}, and {waiting} on the waiting list."
WAS_GIVEN_UP = "{cup} was given up."


def standing_lines(cup: Cup, *, proved: bool = True) -> list[str]:
    """The state of a tournament, in sentences.

    A reader who is not ``proved`` gets no reasons and proposals of others.
    """
    count = counted(len(cup.players), "player")
    waiting = len(cup.of_state("waiting"))
    opened = OPEN_AND_WAITING if waiting else ENTRIES_OPEN
    lines = {
        "announced": [opened.format(cup=cup.name, players=count, waiting=waiting)],
        "closed": [ARE_CLOSED_WITH.format(cup=cup.name, players=count)],
        "running": [_running(cup)],
        "ended": [IS_OVER.format(cup=cup.name)],
        "abandoned": [WAS_GIVEN_UP.format(cup=cup.name)],
    }[cup.status]
    if cup.held:
        told = ALL_ARE_HELD_BECAUSE if proved else ALL_ARE_HELD
        lines.append(told.format(because=cup.held_because))
    return [*lines, *(vote_lines(cup) if proved else ())]


VOTE_ASKS = "Vote {vote}, proposed by {by}, asks all players until {due}: {text}"


def vote_lines(cup: Cup) -> list[str]:
    """The sentences about an open vote, for every text about the tournament's state."""
    vote = cup.vote
    if vote is None:
        return []
    return [
        VOTE_ASKS.format(
            vote=vote.number, by=vote.by, due=moment(vote.due), text=one_line(vote.text)
        )
    ]


BOARDS_ARE_OVER = "Round {round} of {rounds}: {over} of {boards} boards are over."
ROUND_IS_OVER = "Round {round} of {rounds} is over."


def _running(cup: Cup) -> str:
    over = sum(r.result.round == cup.round for r in cup.value.records)
    boards = len(cup.begun.get(cup.round, ()))
    if cup.complete:
        return ROUND_IS_OVER.format(round=cup.round, rounds=len(cup.rules.rounds))
    return BOARDS_ARE_OVER.format(
        round=cup.round, rounds=len(cup.rules.rounds), over=over, boards=boards
    )


def one_line(text: str) -> str:
    return "; ".join(text.split("\n"))


NOT_CONFIRMED = "It is not confirmed: reply `yes` to the email that asked you."
WAITS_FOR_LEAVE = "The director has still to agree to it."
IS_WAITING = "You are number {place} of the waiting list."
IS_PLAYING = "You play."
STANDS_BY = "You stand by for seats that become free."
IS_OUT = "You have withdrawn."
IS_REFUSED = "It was refused, because {reason}."
IS_EXCLUDED = "You are excluded, because {reason}."


def standing(known: KnownCup, entry: CupEntry) -> str:
    """The state of an entry, in a sentence to its owner."""
    waiting = [one.name for one in known.cup.of_state("waiting")]
    place = waiting.index(entry.name) + 1 if entry.name in waiting else 0
    told = {
        "asked": NOT_CONFIRMED,
        "leave": WAITS_FOR_LEAVE,
        "waiting": IS_WAITING if place else "",
        "entered": IS_PLAYING,
        "standby": STANDS_BY,
        "withdrawn": IS_OUT,
        "refused": IS_REFUSED,
        "excluded": IS_EXCLUDED,
    }[entry.state]
    return told.format(place=place, reason=entry.reason)


def to_asker(context: StrangerContext, ticket: Ticket, words: CupText) -> Letter:
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
    "All boards are played by the same program, so others may meet it too. Where it must not go on "
    "as it is, hold all of them until it is mended."
)
HOLD_ALL = "hold because of a fault at one board"


def of_fault(tx: Tx, desk: Desk, game: str) -> list[Letter]:
    """To the director of the tournament to which a game belongs; () for all other games."""
    found = board_of(tx, game)
    if found is None or found[1].status != "running":
        return []
    known, board = found
    if not tx.answers.may(known.cup.rules.director, "fault", desk.now):
        return []
    said = CupText(
        FAULT_AT_BOARD.format(board=board.number),
        MET_A_FAULT.format(board=board.number, game=board.game),
        (
            NOTHING_DONE,
            OTHERS_MAY_MEET_IT,
        ),
        commands=(HOLD_ALL, "rule: …"),
        kind="fault",
    )
    return [to_director(desk.about(known.name), known, said)]


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


def of_unreached(tx: Tx, desk: Desk, letter: OutboxRow, why: str) -> list[Letter]:
    """To the director of the tournament whose email failed; () for all other emails.

    ``why`` is the reason of the reader's server, in a clause.
    """
    found = _READER.fullmatch(letter.key)
    if found is None or found[2] == DIRECTOR:
        return []
    known = know(tx, found[1])
    if known is None or known.cup.status in ("ended", "abandoned"):
        return []
    name, text = "", ASSISTANT_UNREACHED.format(address=letter.recipient, why=why)
    if found[2] == ENTRY:
        entry = next((e for e in known.cup.entries if str(e.number) == found[3]), None)
        if entry is None or entry.state not in ("entered", "waiting", "leave", "standby"):
            return []
        name = entry.name
        text = UNREACHED.format(name=name, address=letter.recipient, why=why)
    lines = (
        DID_NOT_ARRIVE,
        ANOTHER_WAY,
    )
    subject = UNREACHED_SUBJECT.format(name=name) if name else ASSISTANT_UNREACHED_SUBJECT
    said = CupText(subject, text, lines, kind="undelivered")
    return [to_director(desk, known, said)]
