"""Entries: asked for, confirmed from their address, at the gate, waiting, withdrawn.

Each function plans and stores nothing: it gives the acts and letters of one occasion.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import msgspec

import engine
from engine.wording import counted, listed
from service.clocks import zones
from service.commands.refusal import Refused
from service.desk.letters.post import Desk
from service.desk.lobby import lobby
from service.desk.tournament.acts import Cup, Entered, Renewed
from service.desk.tournament.known import IS_OVER, Doing, Known, holder_of
from service.desk.tournament.letters import NOT_DONE, Words, to_director, to_entry
from service.games.naming import shown
from service.mail.grades import ASKS
from service.mail.message import is_address
from service.reports.words import dated
from service.store import Letter
from service.tournaments.rules import TournamentRules
from service.tournaments.values import Entry

#: addresses of one entrant
MOST_ADDRESSES = 3
Planned = tuple[Sequence[Doing], Sequence[Letter]]


@dataclass(frozen=True)
class Wish:
    """What somebody who enters has written: a name, where they live, whom they wish to meet."""

    name: str
    zone: str = "UTC"
    near: bool = False


BY_WHICH_NAME = "By which name? Write `enter NAME as YOU`."
NO_TIME_ZONE = "That is no time zone: write as in `zone Europe/Paris`."
NOT_UNDERSTOOD = (
    "After the name you can write `zone Europe/Paris` and `near`. Nothing else is understood "
    "there, and {word} is neither."
)


def read_wish(text: str) -> Wish:
    """`Bob, zone Europe/Paris, near` as it is meant. Raises Refused."""
    name, *more = (part.strip() for part in text.split(","))
    if not name:
        raise Refused(BY_WHICH_NAME)
    wish = Wish(name)
    for part in filter(None, more):
        word, _, value = part.partition(" ")
        if word.lower() == "zone":
            zone = zones.known(value.strip())
            if not zone:
                raise Refused(NO_TIME_ZONE)
            wish = replace(wish, zone=zone)
        elif word.lower() == "near":
            wish = replace(wish, near=True)
        else:
            raise Refused(NOT_UNDERSTOOD.format(word=shown(word)))
    return wish


# --------------------------------------------------------------------------------------- enter


IF_RIGHT = (
    "If that is right, reply with the one word below. If not, ignore this email: Waybill will not "
    "write to you again."
)
WANT_TO_ENTER = "Do you want to enter {cup}?"
WANT_TO_STAND_BY = "Do you want to stand by for {cup}?"
ENTER_SUBJECT = "Do you want to enter {cup}? Reply yes"
STAND_BY_SUBJECT = "Do you want to stand by for {cup}? Reply yes"
WHO_WANTS_TO_ENTER = (
    "You (or somebody using your address) asked to enter “{cup}”, a tournament of 18xx railway "
    "games by email, as {name}."
)
WHO_WANTS_TO_STAND_BY = (
    "You (or somebody using your address) asked to stand by for “{cup}”, a tournament of 18xx "
    "railway games by email, as {name}."
)
YOU_ASSIST = "You are the assistant of {cup}, who is somebody who does not play."


def ask(
    desk: Desk, known: Known, address: str, wish: Wish, standby: bool
) -> tuple[Sequence[Doing], tuple[Entry, Words]]:
    """Somebody wants to enter: whom to ask whether they do, and how. Raises Refused."""
    cup = known.cup
    own = cup.at_address(address)
    if own is not None and own.state != "asked":
        raise Refused(_already(known, own, address))
    if address.lower() == cup.rules.assistant.lower() and not standby:
        raise Refused(YOU_ASSIST.format(cup=known.name))
    check_open(cup, standby)
    check_name(desk, cup, wish.name, own)
    number = own.number if own else max((e.number for e in cup.entries), default=0) + 1
    entry = Entry(
        name=wish.name,
        number=number,
        addresses=(address.lower(),),
        state="asked",
        zone=wish.zone,
        near=wish.near,
        reason="standby" if standby else "",
    )
    asks, wants, subject = (
        (WANT_TO_STAND_BY, WHO_WANTS_TO_STAND_BY, STAND_BY_SUBJECT)
        if standby
        else (WANT_TO_ENTER, WHO_WANTS_TO_ENTER, ENTER_SUBJECT)
    )
    lines = (
        wants.format(cup=known.name, name=wish.name),
        IF_RIGHT,
        # what a director has written goes to nobody who has not said yes: anybody can be a director
        _in_short(known.name, cup.rules),
    )
    words = Words(
        subject.format(cup=known.name),
        asks.format(cup=known.name),
        lines,
        commands=("yes",),
        kind="confirm",
    )
    return [Doing(Entered("asked", entry), wish.name)], (entry, words)


ONE_ROUND = "It has one round of {titles}, {clock}. `tournament {cup}` tells all its rules."
ROUNDS = "It has {rounds} rounds of {titles}, {clock}. `tournament {cup}` tells all its rules."
BY_CLOCK = "by the clock `{clock}`"
WITHOUT_CLOCK = "without a clock"


def _in_short(name: str, rules: TournamentRules) -> str:
    """What people enter, in a sentence or two."""
    titles = listed(dict.fromkeys(str(choice) for one in rules.rounds for choice in one.titles))
    rounds = len(rules.rounds)
    clock = BY_CLOCK.format(clock=rules.clock) if rules.clock else WITHOUT_CLOCK
    told = ONE_ROUND if rounds == 1 else ROUNDS
    return told.format(rounds=rounds, titles=titles, clock=clock, cup=name)


WAS_REFUSED = "Your entry for {cup} was refused, because {reason}."
HAS_WITHDRAWN_AND_CLOSED = "You have withdrawn from {cup}, and entries are closed."
IS_FURTHER_ADDRESS = (
    "This is a further address of {name}, who has entered {cup} already: one person has one entry."
)
WAS_EXCLUDED = (
    "You cannot enter {cup}: its director has excluded you, because {reason}. Write to the "
    "director if that is not right."
)
HAS_WITHDRAWN = (
    "You have withdrawn from {cup}. Its director may let you in again: write to {director}."
)
ENTERED_ALREADY = "You have entered {cup} as {name} already. {standing}"


def _already(known: Known, own: Entry, address: str) -> str:
    """Why an address cannot enter that has an entry."""
    if own.state == "excluded":
        return WAS_EXCLUDED.format(cup=known.name, reason=own.reason)
    if own.state == "refused":
        return WAS_REFUSED.format(cup=known.name, reason=own.reason)
    if own.state == "withdrawn":
        if known.cup.status == "announced":
            return HAS_WITHDRAWN.format(cup=known.name, director=known.cup.rules.director)
        return HAS_WITHDRAWN_AND_CLOSED.format(cup=known.name)
    if address.lower() != own.addresses[0]:
        return IS_FURTHER_ADDRESS.format(name=own.name, cup=known.name)
    return ENTERED_ALREADY.format(cup=known.name, name=own.name, standing=standing(known, own))


NOT_CONFIRMED = "It is not confirmed: reply `yes` to the email that asked you."
WAITS_FOR_LEAVE = "The director has still to agree to it."
IS_WAITING = "You are number {place} of the waiting list."
IS_PLAYING = "You play."
STANDS_BY = "You stand by for seats that become free."
IS_OUT = "You have withdrawn."
IS_REFUSED = "It was refused, because {reason}."
IS_EXCLUDED = "You are excluded, because {reason}."


def standing(known: Known, entry: Entry) -> str:
    """How an entry stands, in a sentence to whose it is."""
    waiting = [one.name for one in known.cup.of_state("waiting")]
    place = waiting.index(entry.name) + 1 if entry.name in waiting else 0
    told = {
        "asked": NOT_CONFIRMED,
        "leave": WAITS_FOR_LEAVE,
        "waiting": IS_WAITING if place else "",
        "entered": IS_PLAYING,
        "standby": STANDS_BY,
        "withdrawn": IS_OUT,
        "refused": IS_REFUSED,
        "excluded": IS_EXCLUDED,
    }[entry.state]
    return told.format(place=place, reason=entry.reason)


CLOSED = "Entries for {cup} are closed."
CLOSED_BUT_FOR_STANDBYS = (
    "Entries for {cup} are closed. `standby {cup} as YOU` offers to take a seat that becomes free."
)
NO_STANDBYS = "{cup} has no standbys."


def check_open(cup: Cup, standby: bool) -> None:
    """Raises Refused where nobody can enter any more."""
    name = cup.name
    if cup.status in ("ended", "abandoned"):
        raise Refused(IS_OVER.format(cup=name))
    if standby and not cup.rules.standbys:
        raise Refused(NO_STANDBYS.format(cup=name))
    if cup.status != "announced" and not standby:
        told = CLOSED_BUT_FOR_STANDBYS if cup.rules.standbys else CLOSED
        raise Refused(told.format(cup=name))


def check_name(desk: Desk, cup: Cup, name: str, own: Entry | None) -> None:
    """Raises Refused for a name that another has, or that means something in a title."""
    taken = [e.name for e in cup.entries if e.state != "asked" and e is not own]
    for choice in {choice for one in cup.rules.rounds for choice in one.titles}:
        title = engine.load_title(choice.name, frozenset(choice.variants))
        lobby.check_player(title, cup.name, name, taken, desk.house.commands.entries)


def confirm(
    desk: Desk, known: Known, entry: Entry, on_time: tuple[int, int], *, signed: bool = True
) -> Planned:
    """Their yes: the gate decides. Raises Refused where it is too late, or the name is taken.

    ``on_time`` is the per cent of their decisions made in time here, -1 for none, and how many
    there were. ``signed``: their mail proves them as well as moves must.
    """
    standby = entry.reason == "standby"
    check_open(known.cup, standby)
    check_name(desk, known.cup, entry.name, entry)
    address = entry.addresses[0]
    other = next(
        (
            e
            for e in known.cup.entries
            if address in e.addresses and e.number != entry.number and e.state != "asked"
        ),
        None,
    )
    if other is not None:
        raise Refused(_already(known, other, address))
    percent, decisions = on_time
    gates = known.cup.rules.gates
    entry = msgspec.structs.replace(entry, on_time=percent, reason="")
    if decisions >= gates.decisions and percent < gates.on_time:
        return _too_late(desk, known, entry)
    state = "standby" if standby else "leave" if gates.leave else placed(known.cup)
    entered = msgspec.structs.replace(entry, state=state)
    letters = [to_entry(desk, known, entered, welcome(known, entered, signed=signed))]
    if state == "leave":
        letters.append(to_director(desk, known, _needs_leave(entered)))
    return [Doing(Entered("confirmed", entered), entry.name)], letters


TOO_LATE = "you have made {on_time}% of your decisions here in time, and {cup} asks for {wanted}%"
CANNOT_TAKE_YOU = "{cup} cannot take you, because {why}."
MAY_EXCEPT = "Its director may make an exception: {director}."
CANNOT_ENTER = "NOT DONE: you cannot enter"


def _too_late(desk: Desk, known: Known, entry: Entry) -> Planned:
    """Who was late too often does not pass the gate; the director may make an exception."""
    name, wanted = known.name, known.cup.rules.gates.on_time
    why = TOO_LATE.format(on_time=entry.on_time, cup=name, wanted=wanted)
    refused = msgspec.structs.replace(entry, state="refused", reason=why)
    lines = (
        CANNOT_TAKE_YOU.format(cup=name, why=why),
        MAY_EXCEPT.format(director=known.cup.rules.director),
    )
    words = Words(CANNOT_ENTER, NOT_DONE, lines)
    acts = [Doing(Entered("refused", refused), entry.name)]
    return acts, [to_entry(desk, known, refused, words)]


def placed(cup: Cup) -> str:
    """Whether the next entry plays or waits."""
    most = cup.rules.gates.most
    return "waiting" if most and len(cup.players) >= most else "entered"


YOU_HAVE_ENTERED = "You have entered {cup} as {name}."
YOU_STAND_BY = "You stand by for {cup} as {name}."
YOU_WAIT = "{cup} is full: you wait as {name}."
WAITS_FOR_DIRECTOR = "Your entry for {cup} as {name} waits for its director."
LETTERS_COME = (
    "You get an email when entries close, with your table before each round, and the standings "
    "after it."
)
SEATS_COME = "If a seat becomes free, you get an email. The first standby who says yes gets it."
PLACES_COME = "If somebody withdraws you play. There are {places} places."
DIRECTOR_DECIDES = "You get an email when the director has decided."
WHAT_ENTRANTS_WRITE = (
    "Replies to this email are private to you. You may write `withdraw`, `address add "
    "YOU@EXAMPLE.ORG` for another address, `zone Europe/Paris`, `near on` (you prefer tables in "
    "near time zones), `standings`, `tournament`."
)
SET_A_PASS_PHRASE = (
    "In this tournament {asks}, which your email does not have. When your game begins set a pass "
    "phrase in it first, `pass-phrase set …`, and write it in each email with moves."
)


def welcome(known: Known, entry: Entry, *, signed: bool = True) -> Words:
    """To who has confirmed: how the entry stands, what comes, what they may write."""
    cup, name = known.cup, known.name
    said, later = {
        "entered": (YOU_HAVE_ENTERED, LETTERS_COME),
        "standby": (YOU_STAND_BY, SEATS_COME),
        "waiting": (YOU_WAIT, PLACES_COME),
        "leave": (WAITS_FOR_DIRECTOR, DIRECTOR_DECIDES),
    }[entry.state]
    said = said.format(cup=name, name=entry.name)
    later = later.format(places=cup.rules.gates.most)
    write = WHAT_ENTRANTS_WRITE
    grade = "" if signed else (SET_A_PASS_PHRASE.format(asks=ASKS[cup.rules.grade]))
    told = cup.rules.announcement.split("\n")
    return Words(said, said, (later, write, grade, opening(cup), *told))


CLOSE_ON = "Entries close after {close}."
START_ON = "All boards start on {start}."
CLOSE_AND_START = "Entries close after {close} and all boards start on {start}."


def opening(cup: Cup) -> str:
    """When entries close and boards begin, as far as that is set."""
    rules = cup.rules
    close, start = dated(rules.close), dated(rules.start)
    if close and start:
        return CLOSE_AND_START.format(close=close, start=start)
    if close:
        return CLOSE_ON.format(close=close)
    return START_ON.format(start=start) if start else ""


RECORD_ON_TIME = "{on_time}% of their decisions here in time"
WANTS_TO_ENTER = "{name} wants to enter"
NEEDS_LEAVE = "{name} wants to enter, and needs your leave."
FROM_WITH_RECORD = "From {address}. Record: {record}."


def _needs_leave(entry: Entry) -> Words:
    record = RECORD_ON_TIME.format(on_time=entry.on_time) if entry.on_time >= 0 else "none"
    return Words(
        WANTS_TO_ENTER.format(name=entry.name),
        NEEDS_LEAVE.format(name=entry.name),
        (FROM_WITH_RECORD.format(address=entry.addresses[0], record=record),),
        commands=(f"admit {entry.name}", f"refuse {entry.name} because …"),
    )


# ------------------------------------------------------------------------------ afterwards


PLAY_AFTER_ALL = "You play in {cup}: a place has become free."
WAS_WAITING = "You were on the waiting list, as {name}."


def move_up(desk: Desk, known: Known, cup: Cup) -> Iterator[tuple[Doing, Letter]]:
    """Who waits longest plays where there is a place; ``cup`` is the tournament as it is then."""
    if cup.status != "announced":
        return
    most = cup.rules.gates.most
    room = most - len(cup.players) if most else len(cup.of_state("waiting"))
    for entry in cup.of_state("waiting")[: max(room, 0)]:
        entered = msgspec.structs.replace(entry, state="entered")
        text = PLAY_AFTER_ALL.format(cup=known.name)
        words = Words(text, text, (WAS_WAITING.format(name=entry.name),))
        yield Doing(Entered("moved up", entered), entry.name), to_entry(desk, known, entered, words)


def withdrawn(entry: Entry, why: str = "") -> Entry:
    """The entry of somebody who does not play any more."""
    return msgspec.structs.replace(entry, state="withdrawn", reason=why)


NO_ADDRESS = "That is no email address. Write it as in `address add ann@example.org`."
OWN_ADDRESS = "{address} is yours already: one person has one entry."
ADDRESS_OF_ANOTHER = "{address} is {name}'s already: one person has one entry."
TOO_MANY_ADDRESSES = "You have {addresses}: `address drop` one first."


def with_address(known: Known, entry: Entry, address: str) -> Entry:
    """The entry with a further address, confirmed from there. Raises Refused."""
    new = address.strip("<>").lower()
    if not is_address(new):
        raise Refused(NO_ADDRESS)
    other = known.cup.at_address(new)
    if other is not None and other.state != "asked":
        told = OWN_ADDRESS if other.number == entry.number else ADDRESS_OF_ANOTHER
        raise Refused(told.format(address=new, name=other.name))
    if len(entry.addresses) >= MOST_ADDRESSES:
        raise Refused(TOO_MANY_ADDRESSES.format(addresses=counted(MOST_ADDRESSES, "address")))
    return msgspec.structs.replace(entry, addresses=(*entry.addresses, new))


def moved(entry: Entry, address: str, by: str) -> Sequence[Doing]:
    """An entrant is written to at another address from now on; the former one works no more."""
    rest = tuple(one for one in entry.addresses[1:] if one != address.lower())
    entry = msgspec.structs.replace(entry, addresses=(address.lower(), *rest))
    return (Doing(Entered("address", entry), by), Doing(Renewed(holder_of(entry)), by))
