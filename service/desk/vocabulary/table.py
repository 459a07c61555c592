"""All commands that anybody may write, by topic; a line is compared with them in this order."""

from service.commands.entry import Topic, Vocabulary
from service.desk.vocabulary import answers, channels, identity, seats, turn

VOCABULARY = Vocabulary(
    (
        Topic("identity", "WHO YOU ARE", identity.ENTRIES),
        Topic("seats", "WHO PLAYS YOUR SEAT", seats.ENTRIES),
        Topic("channels", "LISTS AND FORUMS", channels.ENTRIES),
        Topic("turn", "YOUR TURN", turn.MOVES),
        Topic("questions", "QUESTIONS", turn.QUESTIONS),
        Topic("talk", "TALK", turn.TALK),
        Topic("choices", "WHAT YOU CHOOSE", turn.CHOICES),
        Topic("answers", "WHAT YOU WERE ASKED", answers.ENTRIES),
    )
)
TABLE = VOCABULARY.entries
