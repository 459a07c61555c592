"""All commands, by topic; a line is compared with them in this order."""

from service.commands.entry import Topic, Vocabulary
from service.desk.vocabulary import (
    answers,
    channels,
    directing,
    identity,
    organising,
    seats,
    service,
    tournament_directing,
    tournaments,
    turn,
)

VOCABULARY = Vocabulary(
    (
        Topic("director", "THE DIRECTOR'S DESK", directing.ENTRIES),
        Topic("game", "THE GAME AND ITS START", organising.ENTRIES),
        Topic("identity", "WHO YOU ARE", identity.ENTRIES),
        Topic("seat", "WHO PLAYS A SEAT", seats.ENTRIES),
        Topic("channels", "LISTS AND FORUMS", channels.ENTRIES),
        Topic("turn", "YOUR TURN", turn.MOVES),
        Topic("questions", "QUESTIONS", turn.QUESTIONS),
        Topic("talk", "TALK", turn.TALK),
        Topic("choices", "WHAT YOU CHOOSE", turn.CHOICES),
        Topic("answers", "ANSWERS", answers.ENTRIES),
        Topic("service", "TO WAYBILL'S OWN ADDRESS", service.ENTRIES),
        Topic("tournaments", "TOURNAMENTS", tournaments.ENTRIES),
        Topic("tournament-director", "DIRECTING A TOURNAMENT", tournament_directing.ENTRIES),
        Topic("bare", "WITHOUT A TURN", directing.AFTER_MOVES),
    )
)
TABLE = VOCABULARY.entries
