"""What somebody writes in a forum's thread for the game to be there, and for a name to be known.

Nothing goes to a forum before somebody has written a line for the game in a thread there, and no
name there is a player's before they have written a line under it.
"""

from service.desk.letters.post import House
from service.mail import identity
from service.store import ForumNameRow, ForumRow

#: purposes of what proves a thread, and a name
_THREAD, _NAME = "forum", "forum-name"


def line_of_thread(house: House, game: str, row: ForumRow) -> str:
    """What somebody writes in a thread for the game to be there."""
    return f"!forum {identity.one_time(house.secret, _THREAD, '', game, row.number)}"


def proves_thread(house: House, token: str, game: str, row: ForumRow) -> bool:
    """Whether a token is that of a thread."""
    return identity.proves(house.secret, token, _THREAD, "", game, row.number)


def line_of_name(house: House, game: str, row: ForumNameRow) -> str:
    """What a player writes in the thread so that their name there is known."""
    parts = (row.address, game, row.seat, row.at)
    return f"!forum {identity.one_time(house.secret, _NAME, *parts)}"


def proves_name(house: House, token: str, game: str, row: ForumNameRow) -> bool:
    """Whether a token is that of a player who wants to be known."""
    return identity.proves(house.secret, token, _NAME, row.address, game, row.seat, row.at)
