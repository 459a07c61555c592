"""What a director's words to all come to: rulings, other rules, the assistant, the end."""

from dataclasses import replace

from service.audience import of_assistant, of_organiser
from service.commands.refusal import Refused
from service.desk.game_options import directing
from service.desk.letters import post
from service.desk.tournament import announcing, boards, listing, reporting, results, ruling, voting
from service.desk.tournament.acts import (
    ASSISTANT,
    OPERATOR,
    Decided,
    Office,
    Over,
)
from service.desk.tournament.known import Board, Doing
from service.desk.tournament.letters import Words, to_all, to_director, to_offices
from service.desk.tournament.plan import NOTHING, Plan
from service.desk.tournament.planning import CupPlanner
from service.desk.tournament.words import Word
from service.games.games import load
from service.mail.message import is_address
from service.reports import note_page
from service.said import DIRECTOR_ALREADY
from service.tournaments import form

DIRECT_ONE = "Reply to this email to direct this board alone; `help director` lists how."
#: a ruling that touches one board touches all
HOLDS_FOR_ALL = "It holds for all boards alike."
HOLDS_ALIKE = "It holds on every board where the same comes up."
TOLD_AND_KEPT = "All players get an email, and it stays in the log."


ANNOUNCES = "The director announces to all of {cup}:"
WRITE_BEHIND = "Add the message: `announce: …`."


def announce(planner: CupPlanner, word: Word) -> None:
    """Words to all."""
    if not word.rest:
        raise Refused(WRITE_BEHIND)
    words = Words(
        "Announcement",
        ANNOUNCES.format(cup=planner.known.name),
        word.rest.split("\n"),
        kind="announce",
    )
    acts = [Doing(Decided("announce", word.rest), planner.office)]
    planner.done(word, Plan(acts, list(to_all(planner.desk, planner.known, words))), TOLD_AND_KEPT)


RULING_SUBJECT = "A ruling"
RULING_ON_SUBJECT = "A ruling on board {board}"
DIRECTOR_RULES = "The director rules:"
RULES_ON = "The director rules on board {board}:"
WRITE_THE_RULING = "Add the ruling: `rule: …`, or `rule 2.1: …` for one board."


def rule(planner: CupPlanner, word: Word) -> None:
    """A ruling, for all boards or for one."""
    if not word.rest:
        raise Refused(WRITE_THE_RULING)
    _board(planner, word)
    subject, headline = (
        (RULING_ON_SUBJECT, RULES_ON) if word.board else (RULING_SUBJECT, DIRECTOR_RULES)
    )
    words = Words(
        subject.format(board=word.board),
        headline.format(board=word.board),
        (word.rest, HOLDS_FOR_ALL if not word.board else HOLDS_ALIKE),
        kind="rule",
    )
    acts = [Doing(Decided("rule", word.rest, word.board), planner.office, word.rest)]
    planner.done(word, Plan(acts, list(to_all(planner.desk, planner.known, words))), TOLD_AND_KEPT)


ONLY_BY_RULING = (
    "The tournament has begun: its rules change by a ruling, for a reason. Write `because …` as "
    "the last line."
)
THE_RULES = "THE RULES"


def rules(planner: CupPlanner, word: Word) -> None:
    """Other rules: freely before the first round, then by a ruling that has a reason."""
    text = _lines_of(word)
    if not text.strip():
        now = tuple(form.printed(planner.cup.rules).splitlines())
        planner.shows(word, listing.verbatim(THE_RULES, now))
        return
    lines, because = ruling.parted(text, word.because)
    if planner.cup.status == "running" and not because:
        raise Refused(ONLY_BY_RULING)
    change = ruling.read(planner.cup, lines, planner.proves)
    plan = ruling.plan(planner.desk, planner.known, change, planner.office, because)
    planner.done(word, plan, *change[1])


def propose(planner: CupPlanner, word: Word) -> None:
    """A question, put to the vote of all players."""
    text = _lines_of(word)
    if word.because:
        text = f"{text}\nbecause {word.because}"
    made = voting.propose(planner.desk, planner.known, planner.office, text)
    planner.done(word, made[0], *made[1])


def _lines_of(word: Word) -> str:
    """The lines of the form that stand behind a word and below it."""
    return "\n".join(filter(None, (word.rest.lstrip(":").strip(), word.below)))


IS_ASKED = "{address} is asked, and is the assistant once they say `yes`."
NO_ASSISTANT = "{cup} has no assistant."
WRITE_THE_ADDRESS = "Add the address: `assistant eve@example.org`."
PLAYS = "{name} plays: an assistant is somebody who does not."


def assistant(planner: CupPlanner, word: Word) -> None:
    """Who rules where the director plays: asked, or none."""
    address = word.rest.strip("<> ").lower()
    rules, name = planner.cup.rules, planner.known.name
    if address in ("off", "none"):
        also = (lambda tx: boards.assist(tx, planner.known, ""),)
        plan = Plan([Doing(Office(ASSISTANT, ""), planner.office)], also=also)
        planner.done(word, plan, NO_ASSISTANT.format(cup=name))
        return
    if not is_address(address):
        raise Refused(WRITE_THE_ADDRESS)
    if address == rules.director.lower():
        raise Refused(DIRECTOR_ALREADY)
    known = planner.cup.at_address(address)
    if known is not None and known.state == "entered":
        raise Refused(PLAYS.format(name=known.name))
    with planner.store.transaction() as tx:
        if why := post.refusal(tx, address, planner.desk.now):
            raise Refused(why)
    act = Office(ASSISTANT, address, asked=True)
    asked = replace(planner.known, cup=replace(planner.cup, invited=address))
    also = (lambda tx: post.counts(tx, address, planner.desk.now),)
    letters = [announcing.invitation(planner.desk, asked)]
    plan = Plan([Doing(act, planner.office)], letters, also=also)
    planner.done(word, plan, IS_ASKED.format(address=address))


IS_ASSISTANT = "{address} is the assistant of {cup}."
YOU_HAVE_ASSISTANT = "You have an assistant"
SAME_ASSISTANT = "All boards have the same assistant from now on."


def accept(planner: CupPlanner, word: Word) -> None:
    """Somebody who was asked agrees to be the assistant."""
    known, address = planner.known, planner.cup.invited
    text = IS_ASSISTANT.format(address=address, cup=known.name)
    words = Words(YOU_HAVE_ASSISTANT, text, (SAME_ASSISTANT,), kind="assistant")
    acts = [Doing(Office(ASSISTANT, address), ASSISTANT)]
    also = (lambda tx: boards.assist(tx, known, address),)
    planner.done(word, Plan(acts, [to_director(planner.desk, known, words)], also=also), text)


def finish(planner: CupPlanner, word: Word) -> None:
    """The tournament is over."""
    plan, told = results.end(planner.desk, planner.known, planner.office)
    planner.done(word, plan, told)


GIVEN_UP_BECAUSE = "{cup} is given up, because {because}."
GIVEN_UP_SUBJECT = "{cup} is given up"
BOARDS_GO_ON = "The boards that are being played go on as separate games."


def abandon(planner: CupPlanner, word: Word) -> None:
    """The tournament is given up; its boards go on as games of their own."""
    name = planner.known.name
    text = GIVEN_UP_BECAUSE.format(cup=name, because=word.because)
    acts, told = voting.void(planner.cup)
    words = Words(
        GIVEN_UP_SUBJECT.format(cup=name),
        text,
        (
            BOARDS_GO_ON if planner.known.playing else "",
            *told,
        ),
        kind="over",
    )
    acts = [*acts, Doing(Over(True, text), planner.office, word.because)]
    letters = [
        *to_all(planner.desk, planner.known, words),
        *to_offices(planner.desk, planner.known, words),
    ]
    ends = (lambda tx: tx.tournaments.end(planner.known.row.id, planner.desk.now),)
    planner.done(word, Plan(acts, letters, also=ends), text)


def lists(planner: CupPlanner, word: Word) -> None:
    """A question: nothing is changed by it."""
    if word.kind == "report":
        by_mail = planner.office != OPERATOR
        planner.shows(word, reporting.report(planner.store, planner.known, by_mail=by_mail))
        return
    planner.shows(word, listing.answer(planner.store, planner.desk, planner.known, word))


NO_SUCH_BOARD = "There is no board {board}: `boards` lists those there are."


def _board(planner: CupPlanner, word: Word) -> Board | None:
    """The board that a word names, None where it names none. Raises Refused."""
    found = next((b for b in planner.known.boards if b.number == word.board), None)
    if found is None and word.board:
        raise Refused(NO_SUCH_BOARD.format(board=word.board))
    return found


BOARD_SUBJECT = "[{game}] Board {board}"
BOARD_OF = "Board {board} of {cup}."
LETTER_ON_ITS_WAY = "An email of {game} is on its way: reply to it."
HOW_OF_OPERATOR = "`waybill game {game} …` directs it."
OTHER_ASSISTANT = "Board {board} has another assistant."


def board(planner: CupPlanner, word: Word) -> None:
    """The letter of one board to who directs it: a reply to it concerns that board alone."""
    found = _board(planner, word)
    assert found is not None
    with planner.store.transaction() as tx:
        table = load(tx, found.game)
    assert table is not None
    office, name = planner.office, found.game
    state = table.state if table.head else None
    lines = (*directing(table, table.settings, state), DIRECT_ONE)
    if office == OPERATOR:
        planner.done(word, NOTHING, *lines[:1], HOW_OF_OPERATOR.format(game=name))
        return
    desk, title = planner.desk.about(name), table.title
    to = of_assistant(name) if office == ASSISTANT else of_organiser(name)
    subject, headline = (
        BOARD_SUBJECT.format(game=name, board=found.number),
        BOARD_OF.format(board=found.number, cup=planner.known.name),
    )
    page = note_page(to, subject, headline, lines, about=desk.house.about(name, title))
    if office == ASSISTANT and table.settings.assistant:
        letter = desk.to_assistant("board", table.row, table.settings, page)
    elif office == ASSISTANT:
        raise Refused(OTHER_ASSISTANT.format(board=found.number))
    else:
        letter = desk.to_organiser("board", table.row, page)
    planner.done(word, Plan(letters=[letter]), LETTER_ON_ITS_WAY.format(game=name))
