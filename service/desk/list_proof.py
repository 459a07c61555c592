"""Whether a mail that came by a list may act for its writer's seat.

A list may rewrite From and break what signs a mail, and it takes mails of anybody who knows an
address that may post. So a post proves its writer only as well as From does, which is enough where
that is enough: at tables of friends.
"""

from service.desk.post import House
from service.desk.proof import grade_of
from service.games.games import GameTable
from service.mail.proving import Proof


def may_act(house: House, table: GameTable) -> bool:
    """Whether commands of a post by a seat's registered address are carried out."""
    return Proof(sender=True, token=False).enough(grade_of(house, table))
