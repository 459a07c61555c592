"""Which word of who directs a tournament is whose: a new word is a function and a line here."""

from collections.abc import Callable, Mapping

from service.desk.letters.post import Desk
from service.desk.tournament import entry_words, office_words, round_words
from service.desk.tournament.known import Known
from service.desk.tournament.planning import READS, CupPlanner, Way
from service.mail.proving import Grade
from service.store import Store

WAYS: Mapping[str, Way] = {
    "close": entry_words.close,
    "open": entry_words.reopen,
    "admit": entry_words.admit,
    "refuse": entry_words.refuse,
    "exclude": entry_words.exclude,
    "withdraw": entry_words.withdraw,
    "seat": round_words.seat,
    "swap": round_words.swap,
    "yes": round_words.agree,
    "start": round_words.start,
    "adjudicate": round_words.adjudicate,
    "correct": round_words.correct,
    "hold": round_words.hold,
    "resume": round_words.resume,
    "announce": office_words.announce,
    "rule": office_words.rule,
    "rules": office_words.rules,
    "propose": office_words.propose,
    "assistant": office_words.assistant,
    "board": office_words.board,
    "finish": office_words.finish,
    "abandon": office_words.abandon,
    **dict.fromkeys(READS, office_words.lists),
}


def planner(
    store: Store,
    desk: Desk,
    known: Known,
    office: str,
    proves: Callable[[Grade], bool] = lambda grade: True,
) -> CupPlanner:
    """What plans the words of who has an office; see `CupPlanner.proves`."""
    return CupPlanner(store, desk, known, office, WAYS, proves)
