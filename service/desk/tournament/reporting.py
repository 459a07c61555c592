"""The report of a tournament, ready to be printed, as a file with a letter."""

from service.desk.post import Desk
from service.desk.tournament import figures
from service.desk.tournament.known import Known
from service.reports import Answer
from service.store import Store


def report(store: Store, desk: Desk, known: Known) -> Answer:
    return Answer(tuple(figures.standings(known.cup, 100)))
