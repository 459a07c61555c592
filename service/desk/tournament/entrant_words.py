"""What an entrant may write in a reply to a letter of the tournament: each stands for itself."""

import re
from dataclasses import replace
from functools import partial

import msgspec

from service.clocks import zones
from service.commands.command import Command
from service.commands.refusal import Refused
from service.desk.effects import Effect
from service.desk.letters import post
from service.desk.letters.post import Desk
from service.desk.lobby.by_letter import WITHDRAWAL
from service.desk.tournament import boards, entering, following, leaving, voting
from service.desk.tournament.acts import Entered
from service.desk.tournament.cup_email import YES_TO_ENTER, CupContext
from service.desk.tournament.entrant_mail import FURTHER, MOVE, asks_for_address
from service.desk.tournament.known import Doing, Known
from service.desk.tournament.plan import Plan, after_acts
from service.desk.tournament.records import on_time
from service.reports import Result
from service.store import Letter, Tx
from service.tournaments.values import Entry

_ADDRESS = re.compile(r"(?:(add|drop)\s+)?<?([^\s@<>]+@[^\s@<>]+)>?", re.IGNORECASE)


def _agreed(context: CupContext) -> Entry:
    """The entry of who writes. Raises Refused for who has not agreed to it yet."""
    if not context.agreed:
        raise Refused(YES_TO_ENTER)
    return context.entry


def _is(context: CupContext, command: Command, what: str, entry: Entry, told: str) -> Effect:
    """An entry is another from now on."""
    return context.did(command, Plan([Doing(Entered(what, entry), entry.name)]), (told,))


NOT_UNDERSTOOD = "This is not understood."


def answers(context: CupContext, command: Command) -> Effect:
    """`yes` or `no`: to whether they want to enter, or to the vote that is open."""
    entry, yes = context.entry, command.word == "yes"
    if entry.state == "asked" and yes:
        return _confirm(context, command, entry)
    _agreed(context)
    if yes and context.replies_to(WITHDRAWAL):
        return withdraw(context, replace(command, rest="yes"))
    if voting.read(context.known.cup, command.text) is not None:
        return vote(context, command)
    raise Refused(entering.standing(context.known, entry) if yes else NOT_UNDERSTOOD)


def _confirm(context: CupContext, command: Command, entry: Entry) -> Effect:
    """They do want to enter: the letter that welcomes them is the answer."""
    desk, known = context.desk, context.known
    with context.store.transaction() as tx:
        timely = on_time(tx, entry.addresses[0])
    signed = context.proves(known.cup.rules.grade)
    acts, letters = entering.confirm(desk, known, entry, timely, signed=signed)
    cup = after_acts(known, desk, acts)
    entered = next(one for one in cup.entries if one.number == entry.number)
    also = (partial(_stand_by, desk, known, entered),)
    told = entering.standing(known, entered)
    return replace(context.did(command, Plan(acts, letters, also=also), (told,)), answers=True)


def _stand_by(desk: Desk, known: Known, entry: Entry, tx: Tx) -> None:
    """Who is a standby from now on is one of the boards that are played, too."""
    for board in known.playing if entry.state == "standby" else ():
        boards.stand_by(tx, board.row.game_id, entry, desk.now)


REPLY_YES = "Reply `yes` if you want to withdraw all the same, or write `withdraw yes`."
HAVE_WITHDRAWN = "You have withdrawn from {cup}."
_SURE = re.compile(r"\byes\b", re.IGNORECASE)


def withdraw(context: CupContext, command: Command) -> Effect:
    """`withdraw`: asked first while a board of theirs is played, done by `withdraw yes`."""
    entry = _agreed(context)
    sure = _SURE.search(command.rest) is not None
    plan, lines = leaving.withdraw(context.store, context.desk, context.known, entry, sure=sure)
    if not plan.does:
        asks = Result(command.number, command.shown, "asks", notes=tuple(lines))
        closing, letter = REPLY_YES, partial(context.letter, kind=WITHDRAWAL)
        return Effect((asks,), closing=(closing,), letter=letter)
    told = HAVE_WITHDRAWN.format(cup=context.known.name)
    return context.did(command, plan, (told, *lines))


PLAYERS_PROPOSE = "Only players may propose. {standing}"
ALL_ARE_ASKED = "All players are asked."


def propose(context: CupContext, command: Command) -> Effect:
    """`propose …`: ask all players whether they agree to something."""
    entry = _agreed(context)
    if entry.state != "entered":
        raise Refused(PLAYERS_PROPOSE.format(standing=entering.standing(context.known, entry)))
    plan, lines = voting.propose(context.desk, context.known, entry.name, command.rest.strip())
    return context.did(command, plan, (ALL_ARE_ASKED, *lines))


VOTE_COUNTED = "Your vote is counted."


def vote(context: CupContext, command: Command) -> Effect:
    """`vote 1 yes`, `vote no`."""
    entry = _agreed(context)
    ballot = voting.read(context.known.cup, command.text)
    if ballot is None:
        raise Refused(NOT_UNDERSTOOD)
    plan, lines = voting.vote(context.desk, context.known, entry.name, ballot)
    return context.did(command, plan, (VOTE_COUNTED, *lines))


HOW_OF_ADDRESSES = (
    "Write `address add YOU@EXAMPLE.ORG` for a further address, `address YOU@EXAMPLE.ORG` to be "
    "written to there, `address drop …`."
)
WRITTEN_TO_AT = "You are written to at {address} from now on."
NO_FURTHER_ADDRESS = "{address} is not one of your other addresses."
ADDRESS_DROPPED = "{address} is no longer one of your addresses."
MAIL_WENT = "An email went to {address}: reply `yes` to it from there."


def address(context: CupContext, command: Command) -> Effect:
    """`address NEW`, `address add NEW`, `address drop OLD`."""
    entry = _agreed(context)
    desk, known = context.desk, context.known
    found = _ADDRESS.fullmatch(command.rest)
    if found is None:
        raise Refused(HOW_OF_ADDRESSES)
    how, new = (found[1] or "").lower(), found[2].lower()
    further = entry.addresses[1:]
    if how == "drop":
        if new not in further:
            raise Refused(NO_FURTHER_ADDRESS.format(address=new))
        rest = tuple(one for one in entry.addresses if one != new)
        less = msgspec.structs.replace(entry, addresses=rest)
        return _is(context, command, "address", less, ADDRESS_DROPPED.format(address=new))
    if how != "add" and new in further:
        follow = (partial(_follow, desk, known, entry, new),)
        plan = Plan(entering.moved(entry, new, entry.name), also=follow)
        return context.did(command, plan, (WRITTEN_TO_AT.format(address=new),))
    entering.with_address(known, entry, new)
    with context.store.transaction() as tx:
        if why := post.refusal(tx, new, desk.now):
            raise Refused(why)
    letter = asks_for_address(desk, known, entry, FURTHER if how == "add" else MOVE, new)
    plan = Plan(letters=[letter], also=(lambda tx: post.counts(tx, new, desk.now),))
    asks = Result(command.number, command.shown, "asks", notes=(MAIL_WENT.format(address=new),))
    return context.planned([asks], plan)


def _follow(desk: Desk, known: Known, entry: Entry, new: str, tx: Tx) -> list[Letter]:
    return following.seats_follow(tx, desk, known, entry, new)


YOUR_ZONE = "Your time zone is {zone}."
HOW_OF_ZONES = "Write a time zone as in `zone Europe/Paris`."


def zone(context: CupContext, command: Command) -> Effect:
    """`zone Europe/Paris`."""
    entry = _agreed(context)
    found = zones.known(command.rest)
    if not found:
        raise Refused(HOW_OF_ZONES)
    changed = msgspec.structs.replace(entry, zone=found)
    return _is(context, command, "zone", changed, YOUR_ZONE.format(zone=found))


WISH_FOR_NEAR = "You wish for tables in near time zones."
NO_WISH_FOR_NEAR = "You do not mind having no tables in near time zones."
HOW_OF_NEAR = "Write `near on` or `near off`."


def near(context: CupContext, command: Command) -> Effect:
    """`near on`, `near off`: a wish for tables in near time zones."""
    entry, word = _agreed(context), command.rest.lower()
    if word not in ("on", "off"):
        raise Refused(HOW_OF_NEAR)
    changed = msgspec.structs.replace(entry, near=word == "on")
    told = WISH_FOR_NEAR if changed.near else NO_WISH_FOR_NEAR
    return _is(context, command, "near", changed, told)
