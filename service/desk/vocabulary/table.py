"""All commands that anybody may write, by topic; a line is compared with them in this order."""

from service.commands.entry import Topic, Vocabulary
from service.desk.vocabulary import identity

VOCABULARY = Vocabulary((Topic("identity", "WHO YOU ARE", identity.ENTRIES),))
TABLE = VOCABULARY.entries
