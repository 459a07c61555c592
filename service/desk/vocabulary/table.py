"""All commands that anybody may write, in the order in which a line is compared with them."""

from service.commands.entry import Entry
from service.desk.vocabulary import directing, identity

TABLE: tuple[Entry, ...] = (
    *directing.ENTRIES,
    *identity.ENTRIES,
    *directing.AFTER_MOVES,
)
