"""All commands, by topic; a line is compared with them in this order."""

from service.commands.entry import Topic, Vocabulary
from service.desk.vocabulary import (
    answer_commands,
    channel_commands,
    director_commands,
    identity_commands,
    organizer_commands,
    seat_commands,
    stranger_commands,
    terminal_commands,
    tournament_commands,
    tournament_director_commands,
    turn_commands,
)

VOCABULARY = Vocabulary(
    (
        Topic("director", "THE DIRECTOR'S DESK", director_commands.ENTRIES),
        Topic("game", "THE GAME AND ITS START", organizer_commands.ENTRIES),
        Topic("identity", "WHO YOU ARE", identity_commands.ENTRIES),
        Topic("seat", "WHO PLAYS A SEAT", seat_commands.ENTRIES),
        Topic("channels", "LISTS AND FORUMS", channel_commands.ENTRIES),
        Topic("turn", "YOUR TURN", turn_commands.MOVES),
        Topic("questions", "QUESTIONS", turn_commands.QUESTIONS),
        Topic("talk", "TALK", turn_commands.TALK),
        Topic("choices", "WHAT YOU CHOOSE", turn_commands.CHOICES),
        Topic("answers", "ANSWERS", answer_commands.ENTRIES),
        Topic("service", "TO WAYBILL'S OWN ADDRESS", stranger_commands.ENTRIES),
        Topic("tournaments", "TOURNAMENTS", tournament_commands.ENTRIES),
        Topic(
            "tournament-director",
            "DIRECTING A TOURNAMENT",
            (*tournament_director_commands.ENTRIES, *tournament_commands.OPERATORS),
        ),
        Topic("terminal", "A GAME AT ONE TERMINAL", terminal_commands.ENTRIES),
        Topic("operator", "THE OPERATOR OF A GAME", director_commands.AT_THE_TERMINAL),
        Topic("bare", "WITHOUT A TURN", director_commands.AFTER_MOVES),
    )
)
TABLE = VOCABULARY.entries
