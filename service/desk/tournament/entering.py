"""Entries: asked for, confirmed from their address, at the gate, waiting, withdrawn.

Each function plans and stores nothing: it gives the acts and letters of one occasion.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import msgspec

import engine
from engine.wording import counted, listed
from service.clocks import zones
from service.desk.letters.post import Desk
from service.desk.lobby import lobby
from service.desk.tournament.acts import Cup, Entered, Renewed
from service.desk.tournament.known import IS_OVER, Doing, Known, Refused, holder_of
from service.desk.tournament.letters import NOT_DONE, Words, to_director, to_entry
from service.mail.message import is_address
from service.mail.proving import ASKS
from service.store import Letter
from service.tournaments.dates import dated
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
NO_TIME_ZONE = "{zone} is no time zone: write as in `zone Europe/Paris`."
NOT_UNDERSTOOD = (
    "`{part}` is not understood: behind the name there may be `zone Europe/Paris` and `near`."
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
                raise Refused(NO_TIME_ZONE.format(zone=value.strip() or "That"))
            wish = replace(wish, zone=zone)
        elif word.lower() == "near":
            wish = replace(wish, near=True)
        else:
            raise Refused(NOT_UNDERSTOOD.format(part=part))
    return wish


# --------------------------------------------------------------------------------------- enter


IF_RIGHT = (
    "If that is right, reply to this mail with the one word below. If not, do nothing: you will "
    "not hear of us again."
)
YOU_ASSIST = "You are the assistant of {cup}, who is somebody who does not play."


def ask(desk: Desk, known: Known, address: str, wish: Wish, standby: bool) -> Planned:
    """Somebody wants to enter: they are asked from their address. Raises Refused."""
    cup = known.cup
    own = cup.at_address(address)
    if own is not None and own.state != "asked":
        raise Refused(_already(known, own, address))
    if address.lower() == cup.rules.assistant.lower() and not standby:
        raise Refused(YOU_ASSIST.format(cup=known.name))
    check_open(cup, standby)
    check_name(cup, wish.name, own)
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
    what = "stand by for" if standby else "enter"
    lines = (
        f"Somebody, we hope you, wants to {what} “{known.name}”, a tournament of 18xx railway "
        f"games by mail, as {wish.name}.",
        IF_RIGHT,
        cup.rules.announcement,
        _in_short(known.name, cup.rules),
    )
    headline = f"Do you want to {what} {known.name}?"
    words = Words(f"{headline} Reply yes", headline, lines, commands=("yes",), kind="confirm")
    return [Doing(Entered("asked", entry), wish.name)], [to_entry(desk, known, entry, words)]


def _in_short(name: str, rules: TournamentRules) -> str:
    """What people enter, in a sentence or two."""
    titles = list(dict.fromkeys(str(choice) for one in rules.rounds for choice in one.titles))
    rounds = "one round" if len(rules.rounds) == 1 else f"{len(rules.rounds)} rounds"
    clock = f"by the clock `{rules.clock}`" if rules.clock else "without a clock"
    return f"It has {rounds} of {listed(titles)}, {clock}. `tournament {name}` tells all its rules."


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
    return f"You have entered {known.name} as {own.name} already. {standing(known, own)}"


def standing(known: Known, entry: Entry) -> str:
    """How an entry stands, in a sentence to whose it is."""
    place = [one.name for one in known.cup.of_state("waiting")]
    return {
        "asked": "It is not confirmed: reply `yes` to the mail that asked you.",
        "leave": "The director has still to agree to it.",
        "waiting": f"You are number {place.index(entry.name) + 1} of the waiting list."
        if entry.name in place
        else "",
        "entered": "You play.",
        "standby": "You stand by for seats that become free.",
        "withdrawn": "You have withdrawn.",
        "refused": f"It was refused, because {entry.reason}.",
        "excluded": f"You are excluded, because {entry.reason}.",
    }[entry.state]


NO_STANDBYS = "{cup} has no standbys."


def check_open(cup: Cup, standby: bool) -> None:
    """Raises Refused where nobody can enter any more."""
    name = cup.name
    if cup.status in ("ended", "abandoned"):
        raise Refused(IS_OVER.format(cup=name))
    if standby and not cup.rules.standbys:
        raise Refused(NO_STANDBYS.format(cup=name))
    if cup.status != "announced" and not standby:
        also = (
            f" `standby {name} as YOU` offers to take a seat that becomes free."
            if cup.rules.standbys
            else ""
        )
        raise Refused(f"Entries for {name} are closed.{also}")


def check_name(cup: Cup, name: str, own: Entry | None) -> None:
    """Raises Refused for a name that another has, or that means something in a title."""
    taken = [e.name for e in cup.entries if e.state != "asked" and e is not own]
    for choice in {choice for one in cup.rules.rounds for choice in one.titles}:
        title = engine.load_title(choice.name, frozenset(choice.variants))
        try:
            lobby.check_player(title, cup.name, name, taken)
        except lobby.Denied as denied:
            raise Refused(str(denied)) from denied


def confirm(
    desk: Desk, known: Known, entry: Entry, on_time: tuple[int, int], *, signed: bool = True
) -> Planned:
    """Their yes: the gate decides. Raises Refused where it is too late, or the name is taken.

    ``on_time`` is the per cent of their decisions made in time here, -1 for none, and how many
    there were. ``signed``: their mail proves them as well as moves must.
    """
    standby = entry.reason == "standby"
    check_open(known.cup, standby)
    check_name(known.cup, entry.name, entry)
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


WHAT_ENTRANTS_WRITE = (
    "Replies to this mail are yours alone. You may write `withdraw`, `address add YOU@EXAMPLE.ORG` "
    "for a further address of yours, `zone Europe/Paris`, `near on` (a wish for tables in near "
    "time zones), `standings`, `tournament`."
)
SET_A_PASS_PHRASE = (
    "In this tournament {asks}, which your mail does not have. When your game begins set a pass "
    "phrase in it first, `pass-phrase set …`, and write it in each mail with moves."
)


def welcome(known: Known, entry: Entry, *, signed: bool = True) -> Words:
    """To who has confirmed: how the entry stands, what comes, what they may write."""
    cup, name = known.cup, known.name
    said = {
        "entered": f"You have entered {name} as {entry.name}.",
        "standby": f"You stand by for {name} as {entry.name}.",
        "waiting": f"{name} is full: you wait as {entry.name}.",
        "leave": f"Your entry for {name} as {entry.name} waits for its director.",
    }[entry.state]
    later = {
        "entered": "You get a letter when entries close, with your table before each round, and "
        "the standings after it.",
        "standby": "If a seat becomes free you get a letter, and whoever says yes first has it.",
        "waiting": f"If somebody withdraws you play. There are {cup.rules.gates.most} places.",
        "leave": "You get a letter when the director has decided.",
    }[entry.state]
    write = WHAT_ENTRANTS_WRITE
    grade = "" if signed else (SET_A_PASS_PHRASE.format(asks=ASKS[cup.rules.grade]))
    return Words(said, said, (later, write, grade, opening(cup)))


def opening(cup: Cup) -> str:
    """When entries close and boards begin, as far as that is set."""
    rules = cup.rules
    close, start = dated(rules.close, rules.language), dated(rules.start, rules.language)
    days = [f"entries close after {close}"] if close else []
    days += [f"all boards start on {start}"] if start else []
    text = listed(days)
    return f"{text[0].upper()}{text[1:]}." if text else ""


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


NO_ADDRESS = "That is no mail address. Write it as in `address add ann@example.org`."
TOO_MANY_ADDRESSES = "You have {addresses}: `address drop` one first."


def with_address(known: Known, entry: Entry, address: str) -> Entry:
    """The entry with a further address, confirmed from there. Raises Refused."""
    new = address.strip("<>").lower()
    if not is_address(new):
        raise Refused(NO_ADDRESS)
    other = known.cup.at_address(new)
    if other is not None and other.state != "asked":
        whose = "yours" if other.number == entry.number else f"{other.name}'s"
        raise Refused(f"{new} is {whose} already: one person has one entry.")
    if len(entry.addresses) >= MOST_ADDRESSES:
        raise Refused(TOO_MANY_ADDRESSES.format(addresses=counted(MOST_ADDRESSES, "address")))
    return msgspec.structs.replace(entry, addresses=(*entry.addresses, new))


def moved(entry: Entry, address: str, by: str) -> Sequence[Doing]:
    """An entrant is written to at another address from now on; the former one works no more."""
    rest = tuple(one for one in entry.addresses[1:] if one != address.lower())
    entry = msgspec.structs.replace(entry, addresses=(address.lower(), *rest))
    return (Doing(Entered("address", entry), by), Doing(Renewed(holder_of(entry)), by))
