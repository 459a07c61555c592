"""A fault of ours at one board: its tournament's director is told, since it may touch them all."""

from service.desk.letters.post import Desk
from service.desk.tournament.known import Board, of_row
from service.desk.tournament.letters import Words, to_director
from service.store import Letter, Tx

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


def letters(tx: Tx, desk: Desk, game: str) -> list[Letter]:
    """To the director of the tournament whose board the game is; () for all other games."""
    row = tx.games.named(game) if game else None
    board = None if row is None else tx.tournaments.board_of(row.id)
    if row is None or board is None or row.status != "running":
        return []
    known = of_row(tx, tx.tournaments.get(board.tournament_id))
    if not tx.answers.may(known.cup.rules.director, "fault", desk.now):
        return []
    number = Board(board, row.name, row.status).number
    said = Words(
        FAULT_AT_BOARD.format(board=number),
        MET_A_FAULT.format(board=number, game=row.name),
        (
            NOTHING_DONE,
            OTHERS_MAY_MEET_IT,
        ),
        commands=(HOLD_ALL, "rule: …"),
        kind="fault",
    )
    return [to_director(desk.about(known.name), known, said)]
