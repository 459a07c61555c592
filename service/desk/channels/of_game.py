"""The channels that everybody reads, and those that a game has."""

from service.desk.channels.channel import Channel
from service.desk.channels.forum import ForumChannel
from service.desk.channels.mailing_list import ListChannel
from service.desk.letters.post import Desk
from service.games.games import GameTable

#: a forum's email counts by its signature, so it is looked at first
KINDS: tuple[type[Channel], ...] = (ForumChannel, ListChannel)


def channels_of(desk: Desk, table: GameTable) -> list[Channel]:
    """The channels that a game has, those included that have not begun."""
    found = (kind.of(desk, table) for kind in KINDS)
    return [channel for channel in found if channel is not None]


def begun(desk: Desk, table: GameTable) -> list[Channel]:
    """The channels that a game is played on."""
    return [channel for channel in channels_of(desk, table) if channel.on]


def channel_at(desk: Desk, table: GameTable, address: str) -> Channel | None:
    """The channel of a game whose emails go to an address."""
    found = (one for one in channels_of(desk, table) if one.address.lower() == address.lower())
    return next(found, None)
