"""Tasks at the games of a tournament: a game begins, is directed, is left, ends.

Each uses the functions that do the same in any other game.
"""

from service.audience import ASSISTANT, ORGANISER
from service.commands.entry import Who
from service.desk.director import directing
from service.desk.director.acts import act_of
from service.desk.director.director import Planner
from service.desk.director.director_known import DirectingPerson
from service.desk.director.director_known import know as know_game
from service.desk.director.director_post import carried_out
from service.desk.door import Conclusion, Done
from service.desk.informing.follow_up import opening_letters
from service.desk.letters.post import Desk, House
from service.desk.seats import standbys
from service.desk.seats.standbys import Offer
from service.desk.tournament import cup_rounds, cup_voting, entering, results
from service.desk.tournament.cup_known import (
    DAY,
    LEAVE,
    OPENING,
    VOTE,
    CupBoard,
    CupPlan,
    KnownCup,
    due_days,
    know,
    of_row,
    store_plan,
)
from service.desk.tournament.cup_letters import CupText, to_director
from service.desk.tournament.cup_log import DIRECTOR
from service.games import commit
from service.games.commit import DIRECT, ENDED, ITSELF, in_set
from service.games.games import load
from service.mail.replies import Line
from service.refusal import Refused
from service.store import Occasion, Store, TaskRow, Tx

#: office of the tournament → office of the game with the same rights
_OFFICES = {DIRECTOR: ORGANISER, ASSISTANT: ASSISTANT}
_WRITERS = {ORGANISER: Who.ORGANISER, ASSISTANT: Who.ASSISTANT}


def _found(tx: Tx, game: str) -> tuple[KnownCup, CupBoard] | None:
    """The tournament and the table that a game belongs to; None for any other game."""
    row = tx.games.named(game)
    board = None if row is None else tx.tournaments.board_of(row.id)
    if row is None or board is None:
        return None
    known = of_row(tx, tx.tournaments.get(board.tournament_id))
    return known, CupBoard(board, row.name, row.status)


AS_PUBLISHED = "as published for table {round}.{table} of {cup}"


def open_board(store: Store, house: House, now: int, row: TaskRow) -> Conclusion:
    """Write the emails with which a tournament game begins, as for a game from the lobby."""
    desk = Desk(house, now, Occasion("tournament", row.key, row.game))
    with store.transaction() as tx:
        table = load(tx, row.game)
        board = None if table is None else tx.tournaments.board_of(table.row.id)
        cup = "" if board is None else tx.tournaments.get(board.tournament_id).name
    if board is None or table is None or table.head is None or table.head.number != 0:
        return Done("it has gone on already")
    seated = AS_PUBLISHED.format(round=board.round, table=board.board, cup=cup)
    letters = opening_letters(desk, table, seated)
    return Done(f"{len(letters)} emails", letters, read=table)


def direct_board(store: Store, house: House, now: int, row: TaskRow) -> Conclusion:
    """Carry out the director's commands at one game; the director gets an email if they fail."""
    words, office = row.payload.decode(), _OFFICES.get(row.seat, "operator")
    with store.transaction() as tx:
        found = _found(tx, row.game)
        table = load(tx, row.game)
    if found is None or table is None or table.row.status != "running":
        return Done("it is over")
    known, board = found
    if words.startswith("adjudicate"):
        words = f"end game{words.removeprefix('adjudicate')}"
        if in_set(table.state):
            return Done("it ends with its set of operating rounds")
    return _direct(store, house, now, row, (known, board, words, office))


NOT_DONE_AT_SUBJECT = "NOT DONE at board {board}"
NOT_DONE_AT = "NOT DONE at board {board}."


def _direct(
    store: Store, house: House, now: int, row: TaskRow, what: tuple[KnownCup, CupBoard, str, str]
) -> Conclusion:
    known, board, words, office = what
    desk = Desk(house, now, Occasion("tournament", row.key, row.game))
    who = _WRITERS.get(office, Who.OPERATOR)
    acts = [
        act_of(one, sure=True)
        for one in directing.read_acts(house.commands.entries, [Line(1, words)], who)
    ]
    with store.transaction() as tx:
        table = load(tx, row.game)
        assert table is not None
        game = know_game(tx, table, acts)
    plan = Planner(game, DirectingPerson(office), now).all(acts)
    if not plan.good:
        why = " ".join(note for result in plan.results for note in result.notes)
        said = CupText(
            NOT_DONE_AT_SUBJECT.format(board=board.number),
            NOT_DONE_AT.format(board=board.number),
            (f"`{words}`: {why}",),
            kind="direct",
        )
        return Done(why[:200], [to_director(desk, known, said)])
    return carried_out(store, desk, game, plan, words[:200])


HAS_LEFT = "{name} has left the tournament"


def leave_board(store: Store, house: House, now: int, row: TaskRow) -> Conclusion:
    """Ask for another player for the seat of somebody who has left the tournament."""
    with store.transaction() as tx:
        table = load(tx, row.game)
    seat = None if table is None else next((s for s in table.seats if s.name == row.seat), None)
    if (
        table is None
        or seat is None
        or table.row.status != "running"
        or any(v.seat == row.seat for v in table.vacancies)
    ):
        return Done("nobody is called")
    desk = Desk(house, now, Occasion("tournament", row.key, row.game, row.seat))
    why = HAS_LEFT.format(name=row.seat)
    letters = standbys.call(desk, table, Offer(row.seat, why))
    game = table.row.id

    def open_it(tx: Tx) -> None:
        tx.people.open_vacancy(game, row.seat, "director", why, now)

    return Done("others are asked", letters, read=table, also=open_it)


def board_ended(store: Store, house: House, now: int, row: TaskRow) -> Conclusion:
    """A game is over: add its result to the standings, and email everybody.

    If the tournament was abandoned, there are no standings; its director gets the email that
    any director gets.
    """
    with store.transaction() as tx:
        found = _found(tx, row.game)
        if found is None:
            return Done("no board")
        known, board = found
        result, table = results.result_of(tx, known, board), load(tx, row.game)
    place = (board.row.round, board.row.board)
    if result is None or known.cup.record(*place) is not None or known.cup.status != "running":
        note = "its result is known, or it goes on"
        given_up = result is not None and known.cup.status == "abandoned"
        if not given_up or table is None or table.head is None:
            return Done(note)
        game, head = table.row, table.head.id
        return Done(note, read=table, also=lambda tx: commit.tell_over(tx, game, head, now))
    desk = Desk(house, now, Occasion("tournament", row.key, known.name))
    plan = results.ended(desk, known, result, "tournament")
    note = f"board {board.number}: {results.written(result)}"[:200]
    return lambda tx: Done(note, store_plan(tx, desk, known, plan))


# -------------------------------------------------------------------------------------- days


DAY_HAS_COME = "A day of the rules has come"
#: kind of a day in the rules → what the director reads if its work fails
NOT_DONE_ON_ITS_DAY = {
    "close": "Entries were to close today, and it could not be done.",
    "start": "All boards were to start today, and it could not be done.",
    "until": "The boards of a round were to be adjudicated today, and it could not be done.",
}


def day_comes(store: Store, house: House, now: int, row: TaskRow) -> Conclusion:
    """A day of the rules has come; if its work cannot be done, tell the director why."""
    with store.transaction() as tx:
        known = know(tx, row.game)
    assert known is not None
    desk = Desk(house, now, Occasion("tournament", row.key, known.name))
    what, at = row.seat, int(row.key.rpartition("-")[2])
    if (what, at) not in due_days(known.cup.rules):
        plan = CupPlan()
    else:
        try:
            plan = _of_day(store, desk, known, what)
        except Refused as why:
            said = CupText(
                DAY_HAS_COME,
                NOT_DONE_ON_ITS_DAY[what.partition(" ")[0]],
                (str(why),),
                kind="day",
            )
            plan = CupPlan(letters=[to_director(desk, known, said)])
    note = "" if plan.does else "nothing to do"
    return lambda tx: Done(note, store_plan(tx, desk, known, plan))


WAS_TO_END = "round {round} was to end by today"
CLOSED = "Entries are closed"
CLOSED_BY_RULES = "Entries are closed, as the rules say."
SEATING_NEXT = "`seat` shows a seating of the first round."


def _of_day(store: Store, desk: Desk, known: KnownCup, what: str) -> CupPlan:
    if what == "close":
        if known.cup.status != "announced":
            return CupPlan()
        plan = entering.close_entries(store, desk, known, known.cup, "tournament")
        said = CupText(
            CLOSED,
            CLOSED_BY_RULES,
            (SEATING_NEXT,),
            commands=("seat",),
            kind="day",
        )
        closed = CupPlan(plan.acts, [*plan.letters, to_director(desk, known, said)])
        return closed
    if what == "start":
        if known.cup.round:
            return CupPlan()
        return cup_rounds.starting(store, desk, known, "tournament")[0]
    number = int(what.split()[1])
    playing = [board for board in known.playing if board.row.round == number]
    if not playing:
        return CupPlan()
    because = WAS_TO_END.format(round=number)
    return results.adjudication(desk, known, ITSELF, playing, because)[0]


HANDLERS = {
    OPENING: open_board,
    DIRECT: direct_board,
    LEAVE: leave_board,
    ENDED: board_ended,
    DAY: day_comes,
    VOTE: cup_voting.due,
}
"""Kind of a task → its function; see `desk/due_tasks.py`."""
