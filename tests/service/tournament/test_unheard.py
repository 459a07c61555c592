"""Letters of a tournament that do not arrive."""

from service.desk.bounces import in_tournaments
from service.store import Delivery
from tests.service.players import OPERATOR, address, says
from tests.service.tournament.setting import DIRECTOR


def refused(spring, to):
    """All letters that wait for an address are refused by its server; what is told of it."""
    people = spring.people
    for row in people.store.letters.claim("post", people.now, 60, 100):
        how = "refused" if row.recipient == to else "sent"
        people.store.letters.settle([Delivery(row.id, how, "550 5.1.1 no such user")], people.now)
    from service.desk.bounces.undelivered import Undelivered

    Undelivered(people.service, people.now).tell(people.store)
    return people.collect()


def test_the_director_is_told_once_a_day_who_cannot_be_reached(spring):
    spring.enter("Ann", "Bob")
    director = spring.latest[DIRECTOR, "director"]
    raw = spring.people.mail(DIRECTOR, director.reply_to, "announce: hello", answers=director)
    spring.people.arrive(raw)
    while spring.people.office.moderate():
        pass
    letters = refused(spring, address("Bob"))
    [told] = [x for x in letters if x.to == DIRECTOR]
    assert says(told, in_tournaments.UNREACHED, name="Bob", address=address("Bob"))
    assert OPERATOR in [x.to for x in letters]
    raw = spring.people.mail(DIRECTOR, director.reply_to, "announce: again", answers=director)
    spring.people.arrive(raw)
    while spring.people.office.moderate():
        pass
    assert refused(spring, address("Bob")) == []
