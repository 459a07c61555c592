"""All commands that anybody may write, in the order in which a line is compared with them."""

from service.commands.entry import Entry
from service.desk.vocabulary import answers, channels, identity, seats

TABLE: tuple[Entry, ...] = (*identity.ENTRIES, *seats.ENTRIES, *channels.ENTRIES, *answers.ENTRIES)
