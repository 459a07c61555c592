"""The public channels, and those of a game."""

from service.desk.channels.forum import ForumChannel
from service.desk.channels.mailing_list import ListChannel
from service.desk.channels.public_channel import PublicChannel
from service.desk.letters.desk import Desk
from service.games.games import GameTable

#: Forums come first, because the signature of an email decides whether it is theirs.
KINDS: tuple[type[PublicChannel], ...] = (ForumChannel, ListChannel)


def channels_of(desk: Desk, table: GameTable) -> list[PublicChannel]:
    """The channels of a game, including those that have not begun."""
    found = (kind.of(desk, table) for kind in KINDS)
    return [channel for channel in found if channel is not None]


def begun(desk: Desk, table: GameTable) -> list[PublicChannel]:
    """The channels on which a game is played."""
    return [channel for channel in channels_of(desk, table) if channel.on]


def channel_at(desk: Desk, table: GameTable, address: str) -> PublicChannel | None:
    """The channel of a game to whose address an email goes."""
    found = (one for one in channels_of(desk, table) if one.address.lower() == address.lower())
    return next(found, None)
