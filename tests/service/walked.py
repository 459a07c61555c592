"""Every kind of writer, in each place and state in which they can write, ready to send one line.

Each has a database of its own that emails have brought there; a line is sent into a copy of it.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from service.commands.entry import When, Where, Who
from tests.service import listed
from tests.service.discoursed import HOST, notification
from tests.service.players import GAME, Players, address
from tests.service.signatures import COVERED, signed
from tests.service.test_forum import known_keys, name_of, open_thread
from tests.service.test_list_game import LIST, put_on_list
from tests.service.tournament.setting import DIRECTOR, PlayedTournament

OLGA = "olga@players.test"
EVE, FAY, GIL, HAL, IDA, JIM = (
    f"{name}@elsewhere.test" for name in ("eve", "fay", "gil", "hal", "ida", "jim")
)
OPEN, RUNNING, OVER = When.OPEN, When.RUNNING, When.OVER


@dataclass(frozen=True)
class Writer:
    """Somebody who can write, in a place and state.

    ``base`` is whose database it is, ``address`` where answers to them go, ``raw`` the email that
    says a line. ``copied`` is who gets the same answers: the player for whom a deputy acts.
    """

    who: Who
    where: Where
    when: When
    base: str
    address: str
    raw: Callable[[Players, str], bytes]
    kind: str = ""
    copied: str = ""

    def __str__(self) -> str:
        who = "+".join(one.name.lower() for one in Who if one & self.who)
        return f"{self.kind or who}-{self.where.name.lower()}-{self.when.name.lower()}"


def _post(sender: str, to: Callable[[Players], str]) -> Callable[[Players, str], bytes]:
    return lambda people, line: people.mail(sender, to(people), line)


def _seat(name: str, *, sender: str = "") -> Callable[[Players, str], bytes]:
    return _post(sender or address(name), lambda people: people.seat_address(GAME, name))


def _office(sender: str) -> Callable[[Players, str], bytes]:
    return _post(sender, lambda people: people.seat_address(GAME, "organiser"))


def _answer(sender: str, *kinds: str) -> Callable[[Players, str], bytes]:
    """An answer to the latest letter of these kinds to that address."""

    def to(people: Players) -> str:
        letters = [one for one in people.letters if one.to == sender and one.kind in kinds]
        return letters[-1].reply_to

    return _post(sender, to)


def _stranger(sender: str) -> Callable[[Players, str], bytes]:
    return _post(sender, lambda people: people.service.address)


def _listed(people: Players, line: str) -> bytes:
    return listed.mlmmj(address("Bob"), "Bob", (f"!{line}",), key="walked", marked=True)


def _forum(people: Players, line: str) -> bytes:
    people.service = people.office.service = replace(people.service, keys=known_keys())
    return signed(notification("bob18", f"!{line}", number=900), domain=HOST, covered=COVERED)


# ------------------------------------------------------------------------------ what went before


def _asks(people: Players) -> None:
    """People who have no seat ask for what there is, and some say yes."""
    people.send(people.mail(OLGA, people.seat_address(GAME, "organiser"), "pages public"))
    for who, line, agrees in (
        (EVE, f"standby {GAME}", True),
        (FAY, f"standby {GAME}", False),
        (GIL, f"watch {GAME}", True),
        (HAL, f"watch {GAME}", False),
    ):
        [asked] = people.stranger(who, line)
        if agrees:
            people.reply(asked, "yes")


def _assisted(people: Players, *, agrees: bool) -> None:
    organiser = people.seat_address(GAME, "organiser")
    letters = people.send(people.mail(OLGA, organiser, f"assistant {IDA}"))
    [asked] = [one for one in letters if one.to == IDA]
    if agrees:
        people.reply(asked, "yes")


def _gathered(people: Players) -> None:
    people.gather(organiser=OLGA)
    people.stranger(address("Dan"), f"join {GAME} as Dan")
    _asks(people)


def _begun(people: Players) -> None:
    people.reply(people.gather(organiser=OLGA), "start")
    people.write("Ann", "buy TR")
    _asks(people)
    letters = people.write("Cat", f"deputy {JIM}")
    [asked] = [one for one in letters if one.to == JIM]
    people.reply(asked, "yes")


def _ended(people: Players) -> None:
    organiser = people.seat_address(GAME, "organiser")
    people.send(people.mail(OLGA, organiser, "end game because all know who has won"))
    assert people.table().row.status not in ("open", "running")


def _plays(people: Players) -> None:
    """Ann organises, and has a seat."""
    people.begin()
    people.write("Ann", "buy TR")


def _by_list(people: Players) -> None:
    people.begin()
    put_on_list(people, organiser="Ann")
    people.write("Ann", "buy TR")


def _by_forum(people: Players) -> None:
    people.service = people.office.service = replace(people.service, keys=known_keys())
    people.begin()
    open_thread(people)
    name_of(people, "Bob", "bob18")
    people.write("Ann", "buy TR")


def _given_up(people: Players) -> None:
    organiser = people.seat_address(GAME, "organiser")
    people.send(people.mail(address("Ann"), organiser, "end game because all know who has won"))
    assert people.table().row.status not in ("open", "running")


def _announced(people: Players) -> None:
    spring = PlayedTournament(people)
    spring.announce()
    spring.enter("Ann", "Bob", "Cat", "Dan", "Eve")


def _on_tables(people: Players) -> None:
    spring = PlayedTournament(people)
    spring.announce()
    spring.enter("Ann", "Bob", "Cat", "Dan", "Eve")
    for word in ("close", "seat", "start"):
        spring.direct(word)


def _abandoned(people: Players) -> None:
    spring = PlayedTournament(people)
    spring.announce()
    spring.enter("Ann", "Bob", "Cat", "Dan", "Eve")
    spring.direct("abandon because too few have entered")
    assert spring.tournament.status not in ("announced", "closed", "running")


def _then(*steps: Callable[[Players], None]) -> Callable[[Players], None]:
    def play(people: Players) -> None:
        for step in steps:
            step(people)

    return play


_ASKED = lambda people: _assisted(people, agrees=False)  # noqa: E731
_AGREED = lambda people: _assisted(people, agrees=True)  # noqa: E731

BASES = {
    "open": (_gathered, "standard"),
    "open, asked": (_then(_gathered, _ASKED), "standard"),
    "open, assisted": (_then(_gathered, _AGREED), "standard"),
    "running": (_begun, "standard"),
    "running, asked": (_then(_begun, _ASKED), "standard"),
    "running, assisted": (_then(_begun, _AGREED), "standard"),
    "over": (_then(_begun, _ended), "standard"),
    "over, asked": (_then(_begun, _ASKED, _ended), "standard"),
    "over, assisted": (_then(_begun, _AGREED, _ended), "standard"),
    "plays open": (lambda people: people.gather(), "standard"),
    "plays running": (_plays, "standard"),
    "plays over": (_then(_plays, _given_up), "standard"),
    "list running": (_by_list, "friendly"),
    "list over": (_then(_by_list, _given_up), "friendly"),
    "forum running": (_by_forum, "standard"),
    "forum over": (_then(_by_forum, _given_up), "standard"),
    "tournament open": (_announced, "standard"),
    "tournament running": (_on_tables, "standard"),
    "tournament over": (_abandoned, "standard"),
    "nothing": (lambda people: None, "standard"),
}


def writers():
    """Everybody, in each place and state."""
    private = Where.PRIVATE
    for when, name in ((OPEN, "open"), (RUNNING, "running"), (OVER, "over")):
        asked, assisted = f"{name}, asked", f"{name}, assisted"
        yield Writer(Who.PLAYER, private, when, name, address("Bob"), _seat("Bob"))
        yield Writer(Who.ORGANISER, private, when, name, OLGA, _office(OLGA))
        both = Who.PLAYER | Who.ORGANISER
        yield Writer(both, private, when, f"plays {name}", address("Ann"), _seat("Ann"))
        yield Writer(Who.INVITED, private, when, asked, IDA, _answer(IDA, "confirm", "assistant"),
                     "assistant asked")  # fmt: skip
        yield Writer(Who.ASSISTANT, private, when, assisted, IDA, _answer(IDA, "receipt"))
        yield Writer(Who.ASKED | Who.STANDBY, private, when, name, EVE, _answer(EVE, "answer"))
        yield Writer(Who.ASKED, private, when, name, FAY, _answer(FAY, "confirm"))
        if when is not OVER:
            yield Writer(Who.OBSERVER, private, when, name, GIL, _answer(GIL, "watch-answer"))
        yield Writer(Who.OBSERVER | Who.ASKED, private, when, name, HAL,
                     _answer(HAL, "watch-confirm"))  # fmt: skip
        yield Writer(
            Who.ENTRANT,
            private,
            when,
            f"tournament {name}",
            address("Bob"),
            _entrant_or_office("Bob"),
        )
        yield Writer(
            Who.DIRECTOR, private, when, f"tournament {name}", DIRECTOR, _entrant_or_office()
        )
    for when, name in ((RUNNING, "running"), (OVER, "over")):
        sender = _seat("Cat", sender=JIM)
        yield Writer(Who.DEPUTY, private, when, name, JIM, sender, copied=address("Cat"))
        yield Writer(Who.PLAYER, Where.LIST, when, f"list {name}", LIST, _listed)
        yield Writer(Who.PLAYER, Where.FORUM, when, f"forum {name}", "incoming+4f2b8c@" + HOST,
                     _forum)  # fmt: skip
    dan = address("Dan")
    yield Writer(Who.INVITED, private, OPEN, "open", dan, _answer(dan, "confirm", "invitation"))
    yield Writer(Who.STRANGER, private, RUNNING, "nothing", JIM, _stranger(JIM))


def _entrant_or_office(name: str = "") -> Callable[[Players, str], bytes]:
    who, office = (address(name), ".entry.") if name else (DIRECTOR, ".director.")

    def to(people: Players) -> str:
        letters = [one for one in people.letters if one.to == who and office in one.reply_to]
        return letters[-1].reply_to

    return _post(who, to)
