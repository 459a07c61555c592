"""Whether a mail that came by a list may act for its writer's seat.

A list may rewrite From and break what signs a mail, and it takes mails of anybody who knows an
address that may post. So a post proves its writer only as well as From does, which is enough where
that is enough: at tables of friends.
"""

from service.desk.post import House
from service.games.games import GameTable
from service.store import SeatRow


def may_act(house: House, table: GameTable, seat: SeatRow) -> bool:
    """Whether commands of a post by the registered address of ``seat`` are carried out."""
    return not house.strict and table.row.id == seat.game_id
