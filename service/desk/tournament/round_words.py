"""What a director's words about rounds and all boards come to."""

from engine.wording import counted
from service.commands.refusal import Refused
from service.desk.tournament import results, rounds
from service.desk.tournament.acts import (
    ASSISTANT,
    Decided,
)
from service.desk.tournament.known import Board, Doing
from service.desk.tournament.letters import BECAUSE, Words, to_all
from service.desk.tournament.office_words import accept
from service.desk.tournament.plan import Plan, direct_task
from service.desk.tournament.planning import CupPlanner
from service.desk.tournament.words import Word
from service.reports import Answer
from service.tournaments.values import Seating


def seat(planner: CupPlanner, word: Word) -> None:
    """A seating of the next round is shown."""
    seating, answer = rounds.propose(planner.store, planner.desk, planner.known, word.because)
    _propose(planner, word, seating, answer)


def swap(planner: CupPlanner, word: Word) -> None:
    """The proposal with two players in each other's places."""
    seating, answer = rounds.swapped(planner.known, word.rest, word.because)
    _propose(planner, word, seating, answer)


def _propose(planner: CupPlanner, word: Word, seating: Seating, answer: Answer) -> None:
    plan = rounds.proposal(planner.desk, seating, planner.office, word.because)
    planner.adds(plan)
    planner.shown, planner.commands = True, ("yes", "swap Bob and Eve because …")
    planner.shows(word, answer)


READ_IT_FIRST = "`yes` agrees to a seating that you have read: write it in your next email."
ONLY_YES = "`yes` agrees to the seating as it was shown: add nothing to it."
PUBLISHED = (
    "The seating of round {round} is published, and all players get it. `start` begins all its "
    "boards."
)


def agree(planner: CupPlanner, word: Word) -> None:
    """`yes` to the seating that was shown last, or of who is asked to assist."""
    if planner.office == ASSISTANT and not planner.cup.rules.assistant:
        accept(planner, word)
        return
    if planner.shown:
        raise Refused(READ_IT_FIRST)
    if word.rest.strip(" .!"):
        raise Refused(ONLY_YES)
    planner.done(
        word,
        rounds.publish(planner.desk, planner.known, planner.office),
        PUBLISHED.format(round=rounds.next_round(planner.cup)),
    )


def start(planner: CupPlanner, word: Word) -> None:
    """All boards of the seated round begin."""
    plan, told = rounds.start(
        planner.store, planner.desk, planner.known, planner.office, word.because
    )
    planner.done(word, plan, *told)


def adjudicate(planner: CupPlanner, word: Word) -> None:
    """Boards end with the set of rounds that runs."""
    plan, told = results.adjudicate(
        planner.desk, planner.known, planner.office, _boards(planner, word), word.because
    )
    planner.done(word, plan, told)


def correct(planner: CupPlanner, word: Word) -> None:
    """The result of a board is another; the former is struck out."""
    plan, told = results.correct(
        planner.desk, planner.known, planner.office, (word.board, word.rest), word.because
    )
    planner.done(word, plan, *told)


NOT_PLAYED = "Board {board} is not played."
NOTHING_PLAYED = "No board is being played."


def _boards(planner: CupPlanner, word: Word) -> tuple[Board, ...]:
    playing = planner.known.playing
    found = [b for b in playing if not word.board or b.number == word.board]
    if not found:
        raise Refused(NOT_PLAYED.format(board=word.board) if word.board else NOTHING_PLAYED)
    return tuple(found)


ALL_ARE_HELD = "All boards are held: none takes a move, and clocks stand still."
HELD_ALREADY = "All boards are held already."


def hold(planner: CupPlanner, word: Word) -> None:
    """All boards are held."""
    if planner.cup.held:
        raise Refused(HELD_ALREADY)
    _everywhere(
        planner,
        word,
        f"hold because {word.because}",
        "hold",
        ALL_ARE_HELD,
    )


ALL_GO_ON = "All boards go on."
NOT_HELD = "The boards are not held."


def resume(planner: CupPlanner, word: Word) -> None:
    """All boards go on."""
    if not planner.cup.held:
        raise Refused(NOT_HELD)
    said = f"resume because {word.because}"
    _everywhere(planner, word, said, "resume", ALL_GO_ON)


DONE_AT = "{told} It is done at {boards}."


def _everywhere(planner: CupPlanner, word: Word, said: str, what: str, told: str) -> None:
    """What touches one board touches all: the same words at every director's desk."""
    boards = planner.known.playing
    tasks = [direct_task(planner.desk, board, said, planner.office) for board in boards]
    acts = [Doing(Decided(what, told), planner.office, word.because)]
    why = BECAUSE.format(because=word.because) if word.because else ""
    words = Words(told, told, (why,), kind=what)
    plan = Plan(acts, list(to_all(planner.desk, planner.known, words)), tasks)
    planner.done(word, plan, DONE_AT.format(told=told, boards=counted(len(boards), "board")))
