"""Letters of a tournament that do not arrive."""

from service.desk.tournament import tournament_letters
from service.store import Delivery
from tests.service.players import OPERATOR, address, says
from tests.service.tournament.setting import DIRECTOR


def refused(cup, to):
    """All letters that wait for an address are refused by its server; what is told of it."""
    people = cup.people
    for row in people.store.letters.claim("post", people.now, 60, 100):
        how = "refused" if row.recipient == to else "sent"
        people.store.letters.settle([Delivery(row.id, how, "550 5.1.1 no such user")], people.now)
    from service.desk.bounces.undelivered import Undelivered

    Undelivered(people.service, people.now).tell(people.store)
    return people.collect()


def test_the_director_is_told_once_a_day_who_cannot_be_reached(cup):
    cup.enter("Ann", "Bob")
    director = cup.latest[DIRECTOR, "director"]
    raw = cup.people.mail(DIRECTOR, director.reply_to, "announce: hello", answers=director)
    cup.people.arrive(raw)
    while cup.people.office.moderate():
        pass
    letters = refused(cup, address("Bob"))
    [told] = [x for x in letters if x.to == DIRECTOR]
    assert says(told, tournament_letters.UNREACHED, name="Bob", address=address("Bob"))
    assert OPERATOR in [x.to for x in letters]
    raw = cup.people.mail(DIRECTOR, director.reply_to, "announce: again", answers=director)
    cup.people.arrive(raw)
    while cup.people.office.moderate():
        pass
    assert refused(cup, address("Bob")) == []
