"""Entering a tournament: request, confirmation from the address, entry rules, permission."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import msgspec

import engine
from engine.wording import counted, listed
from service.clocks import zones
from service.commands.command import Command
from service.desk.answering.effects import Effect
from service.desk.letters.desk import Desk
from service.desk.lobby import lobby
from service.desk.seats import standbys
from service.desk.strangers.by_letter import SeparateAnswer, by_letter
from service.desk.strangers.stranger_mail import GamesSeen, StrangerContext
from service.desk.tournament.directing.tournament_directing import Instruction, decided_by_director
from service.desk.tournament.entries import withdrawing
from service.desk.tournament.entries.withdrawing import (
    WITHDRAWAL,
    entry_named,
    placed,
    withdraw,
)
from service.desk.tournament.letters import tournament_letters
from service.desk.tournament.letters.tournament_letters import (
    BECAUSE,
    TournamentText,
    state_told,
    ticket_of_entry,
    to_asker,
    to_entry,
)
from service.desk.tournament.upkeep.keeping import (
    change_of,
    check_unchanged,
    find_tournament,
    keep_acts,
    tournament_called,
    tournament_of_board,
)
from service.desk.tournament.votes import voting
from service.desk.tournament.writers.tournament_context import (
    TournamentContext,
    TournamentEmail,
    agreed_entry,
)
from service.mail.grades import ASKS
from service.refusal import Refused
from service.reports.words import dated
from service.said import (
    ARE_CLOSED_WITH,
    BY_WHICH_NAME,
    HOW_TO_STAND_BY,
    IS_A_BOARD,
    MISSING_AFTER,
    NO_VOTE_OPEN,
)
from service.store import NewVolunteer, Tx
from service.tournaments.acts import EntriesClosed, EntriesReopened, EntryChanged, LoggedAct
from service.tournaments.rules import TournamentRules
from service.tournaments.telling import IS_OVER
from service.tournaments.tournament import Tournament
from service.tournaments.values import Entrant

# --------------------------------------------------------------------------------------- enter
IF_RIGHT = (
    "If that is right, reply with the one word below. If not, ignore this email: Waybill will not "
    "write to you again."
)
WANT_TO_ENTER = "Do you want to enter {tournament}?"
WANT_TO_STAND_BY = "Do you want to stand by for {tournament}?"
ENTER_SUBJECT = "Do you want to enter {tournament}? Reply yes"
STAND_BY_SUBJECT = "Do you want to stand by for {tournament}? Reply yes"
WHO_WANTS_TO_ENTER = (
    "You (or somebody using your address) asked to enter “{tournament}”, a tournament of 18xx "
    "railway games by email, as {name}."
)
WHO_WANTS_TO_STAND_BY = (
    "You (or somebody using your address) asked to stand by for “{tournament}”, a tournament of "
    "18xx railway games by email, as {name}."
)
YOU_ASSIST = "You are the assistant of {tournament}, and an assistant does not play."
ASK_THE_DIRECTOR_TO = "Ask the director to name another assistant first."


def ask(
    desk: Desk, tournament: Tournament, address: str, name: str, standby: bool
) -> tuple[Sequence[LoggedAct], tuple[Entrant, TournamentText]]:
    """Ask somebody who wants to enter to confirm it. Raises Refused."""
    own = tournament.at_address(address)
    if own is not None and own.state != "asked":
        raise Refused(_already(tournament, own, address))
    if address.lower() == tournament.rules.assistant.lower() and not standby:
        raise Refused(YOU_ASSIST.format(tournament=tournament.name), hint=ASK_THE_DIRECTOR_TO)
    check_open(tournament, standby)
    check_name(desk, tournament, name, own)
    number = own.number if own else max((e.number for e in tournament.entries), default=0) + 1
    entry = Entrant(
        name=name,
        number=number,
        addresses=(address.lower(),),
        state="asked",
        standby=standby,
    )
    asks, wants, subject = (
        (WANT_TO_STAND_BY, WHO_WANTS_TO_STAND_BY, STAND_BY_SUBJECT)
        if standby
        else (WANT_TO_ENTER, WHO_WANTS_TO_ENTER, ENTER_SUBJECT)
    )
    lines = (
        wants.format(tournament=tournament.name, name=name),
        IF_RIGHT,
        # no words of a director go to people who have not agreed, because anybody can be a director
        _in_short(tournament.name, tournament.rules),
    )
    words = TournamentText(
        subject.format(tournament=tournament.name),
        asks.format(tournament=tournament.name),
        lines,
        commands=("yes",),
        kind="confirm",
    )
    return [LoggedAct(EntryChanged("asked", entry), name)], (entry, words)


ONE_ROUND = (
    "It has one round of {titles}, {clock}. Send `tournament {tournament}` for all its rules."
)
ROUNDS = (
    "It has {rounds} rounds of {titles}, {clock}. Send `tournament {tournament}` for all its rules."
)
BY_CLOCK = "by the clock `{clock}`"
WITHOUT_CLOCK = "without a clock"


def _in_short(name: str, rules: TournamentRules) -> str:
    """The tournament that people enter, in a sentence or two."""
    titles = listed(dict.fromkeys(str(choice) for one in rules.rounds for choice in one.titles))
    rounds = len(rules.rounds)
    clock = BY_CLOCK.format(clock=rules.clock) if rules.clock else WITHOUT_CLOCK
    told = ONE_ROUND if rounds == 1 else ROUNDS
    return told.format(rounds=rounds, titles=titles, clock=clock, tournament=name)


HAS_WITHDRAWN_AND_CLOSED = "You have withdrawn from {tournament}, and entries are closed."
IS_FURTHER_ADDRESS = (
    "This is a further address of {name}, who has entered {tournament} already: one person has one "
    "entry."
)
WAS_EXCLUDED = (
    "You cannot enter {tournament}: its director has excluded you, because {reason}. Write to the "
    "director if that is not right."
)
HAS_WITHDRAWN = (
    "You have withdrawn from {tournament}. Its director may let you in again: write to {director}."
)
ENTERED_ALREADY = "You have entered {tournament} as {name} already. {state}"


def _already(tournament: Tournament, own: Entrant, address: str) -> str:
    """Why an address that has an entry cannot enter again."""
    if own.state == "excluded":
        return WAS_EXCLUDED.format(tournament=tournament.name, reason=own.reason)
    if own.state == "withdrawn":
        if tournament.status == "announced":
            return HAS_WITHDRAWN.format(
                tournament=tournament.name, director=tournament.rules.director
            )
        return HAS_WITHDRAWN_AND_CLOSED.format(tournament=tournament.name)
    if address.lower() != own.addresses[0]:
        return IS_FURTHER_ADDRESS.format(name=own.name, tournament=tournament.name)
    return ENTERED_ALREADY.format(
        tournament=tournament.name, name=own.name, state=state_told(tournament, own)
    )


CLOSED = (
    "Entries for {tournament} are closed. `standby {tournament} as YOU` offers to take a seat that "
    "becomes free."
)


def check_open(tournament: Tournament, standby: bool) -> None:
    """Raises Refused if nobody can enter any longer."""
    name = tournament.name
    if tournament.over:
        raise Refused(IS_OVER.format(tournament=name))
    if tournament.status != "announced" and not standby:
        raise Refused(CLOSED.format(tournament=name))


def check_name(desk: Desk, tournament: Tournament, name: str, own: Entrant | None) -> None:
    """Raises Refused for a name that another entrant has, or that is a word in a title."""
    taken = [e.name for e in tournament.entries if e.state != "asked" and e is not own]
    for choice in {choice for one in tournament.rules.rounds for choice in one.titles}:
        title = engine.load_title(choice.name, frozenset(choice.variants))
        lobby.check_player(title, tournament.name, name, taken, desk.service.commands.entries)


def confirm(desk: Desk, tournament: Tournament, entry: Entrant, *, signed: bool = True) -> Effect:
    """The confirmation of an entry. Raises Refused if it is too late, or the name is taken.

    ``signed``: their email proves them as well as moves must.
    """
    check_open(tournament, entry.standby)
    check_name(desk, tournament, entry.name, entry)
    address = entry.addresses[0]
    if other := tournament.confirmed_at(address):
        raise Refused(_already(tournament, other, address))
    state = "standby" if entry.standby else placed(tournament)
    entered = msgspec.structs.replace(entry, state=state, standby=False)
    letters = [
        to_entry(desk, tournament, entered, welcome(tournament, entered, signed=signed)),
    ]
    acts = [LoggedAct(EntryChanged("confirmed", entered), entry.name)]
    return change_of(
        desk, tournament, acts, letters, also=partial(_stand_by, desk, tournament, entered)
    )


YOU_HAVE_ENTERED = "You have entered {tournament} as {name}."
YOU_STAND_BY = "You stand by for {tournament} as {name}."
YOU_WAIT = "{tournament} is full: you wait as {name}."
LETTERS_COME = (
    "You get an email when entries close, with your table before each round, and the standings "
    "after it."
)
SEATS_COME = "If a seat becomes free, you get an email. The first standby who says yes gets it."
PLACES_COME = "If somebody withdraws, you play. There are {places} places."
WHAT_ENTRANTS_WRITE = (
    "Replies to this email are private to you. You may write `withdraw`, `address "
    "YOU@EXAMPLE.ORG` for another address, `zone Europe/Paris`, `standings`, `tournament`."
)
SET_A_PASS_PHRASE = (
    "In this tournament {asks}, which your email does not have. When your game begins set a pass "
    "phrase in it first, `pass-phrase set …`, and write it in each email with moves."
)


def welcome(tournament: Tournament, entry: Entrant, *, signed: bool = True) -> TournamentText:
    """To a new entrant: the state of the entry, what follows, and the commands."""
    said, later = {
        "entered": (YOU_HAVE_ENTERED, LETTERS_COME),
        "standby": (YOU_STAND_BY, SEATS_COME),
        "waiting": (YOU_WAIT, PLACES_COME),
    }[entry.state]
    said = said.format(tournament=tournament.name, name=entry.name)
    later = later.format(places=tournament.rules.places)
    write = WHAT_ENTRANTS_WRITE
    grade = "" if signed else (SET_A_PASS_PHRASE.format(asks=ASKS[tournament.rules.grade]))
    told = tournament.rules.announcement.split("\n")
    return TournamentText(said, said, (later, write, grade, _opening(tournament.rules), *told))


CLOSE_ON = "Entries close after {close}."
START_ON = "All tables start on {start}."


def _opening(rules: TournamentRules) -> str:
    """When entries close and games begin, as far as that is set."""
    close, start = dated(rules.close), dated(rules.start)
    return " ".join(
        (
            CLOSE_ON.format(close=close) if close else "",
            START_ON.format(start=start) if start else "",
        )
    ).strip()


def enter(context: StrangerContext, command: Command) -> Effect:
    """`enter NAME as YOU`, `standby NAME as YOU`: ask them to confirm it.

    Nobody is a standby for only one of its games. Without an entry they would have no name in
    the standings, and an excluded person could come back that way.
    """
    name, sender = command.parts["name"].lower(), context.mail.sender
    player, stands_by = command.parts["player"].strip(), command.word == "standby"

    def judge(seen: GamesSeen) -> SeparateAnswer:
        board = tournament_of_board(seen.reads, name)
        if stands_by and board is None and seen.find(name) is not None:
            raise Refused(MISSING_AFTER, hint=HOW_TO_STAND_BY)
        tournament = board or find_tournament(seen.reads, name)
        if not player:
            told = IS_A_BOARD if board else BY_WHICH_NAME
            raise Refused(told.format(board=name, tournament=tournament.name, word=command.word))
        acts, (entry, words) = ask(context.desk, tournament, sender, player, stands_by)

        def write(tx: Tx) -> None:
            # a command above may have changed the tournament, too
            now = tournament_called(tx, tournament.name)
            assert now is not None
            keep_acts(tx, context.desk.about(now.name), now, acts)

        letter = to_asker(context, ticket_of_entry(tournament, entry), words)
        about = ("enter", tournament.name)
        checks = (partial(check_unchanged, tournament=tournament),)
        return SeparateAnswer(about, letter, write, asks=True, checks=checks)

    return by_letter(context, command, judge)


def yes_or_no(context: TournamentEmail, command: Command) -> Effect:
    """`yes` or `no`: to the confirmation of an entry, or to the open vote."""
    entry, yes = context.entry, command.word == "yes"
    if entry.state == "asked" and yes:
        return _confirm(context, command, entry)
    agreed_entry(context)
    if yes and context.replies_to(WITHDRAWAL):
        return withdraw(context, replace(command, rest="yes"))
    if (vote := context.tournament.vote) is not None:
        return voting.cast(context, command, vote.number, yes=yes)
    raise Refused(tournament_letters.state_told(context.tournament, entry) if yes else NO_VOTE_OPEN)


def _confirm(context: TournamentEmail, command: Command, entry: Entrant) -> Effect:
    """They confirm the entry: the answer is the welcome."""
    desk, tournament = context.desk, context.tournament
    signed = context.writer.proves(tournament.rules.grade)
    made = confirm(desk, tournament, entry, signed=signed)
    entered = next(one for one in made.changed.entries if one.number == entry.number)
    return replace(context.did(command, made, state_told(tournament, entered)), answered=True)


def _stand_by(desk: Desk, tournament: Tournament, entry: Entrant, tx: Tx) -> None:
    """A new standby becomes one for the games in play, too."""
    for board in tournament.playing if entry.state == "standby" else ():
        stand_by(tx, board.id, entry, desk.now)


YOUR_ZONE = "Your time zone is {zone}."


def zone(context: TournamentEmail, command: Command) -> Effect:
    """`zone Europe/Paris`."""
    entry = agreed_entry(context)
    found = zones.read(command.rest)
    changed = msgspec.structs.replace(entry, zone=found)
    acts = [LoggedAct(EntryChanged("zone", changed), entry.name)]
    made = change_of(context.desk, context.tournament, acts)
    return context.did(command, made, YOUR_ZONE.format(zone=found))


def stand_by(tx: Tx, game: int, entry: Entrant, now: int) -> None:
    """Make somebody who has agreed already a standby of a game."""
    known = [v.address for v in tx.people.volunteers(game) if v.kind == "standby"]
    if entry.addresses[0] not in known and len(known) < standbys.MOST:
        made = tx.people.ask(game, NewVolunteer("standby", entry.addresses[0]), now)
        tx.people.agrees(made, now)


ENTRIES_ARE_CLOSED = "Entries are closed: {players}. `seat` seats the first round."
CLOSED_ALREADY = "Entries are closed already."
SEAT_OR_OPEN = "`seat` seats the first round; `open` opens entries again."
ARE_CLOSED = "Entries for {tournament} are closed"
TABLE_COMES = "You get an email with your table when the first round is seated."
THEY_ARE = "They are {names}."


def close(context: TournamentContext, said: Instruction) -> Effect:
    """Close the entries."""
    tournament, name = context.tournament, context.tournament.name
    if tournament.status != "announced":
        raise Refused(CLOSED_ALREADY, hint=SEAT_OR_OPEN)
    players = counted(len(tournament.players), "player")
    few = THEY_ARE.format(names=listed([e.name for e in tournament.players]))
    words = TournamentText(
        ARE_CLOSED.format(tournament=name),
        ARE_CLOSED_WITH.format(tournament=name, players=players),
        (few if len(tournament.players) <= 40 else "", TABLE_COMES),
        kind="closed",
    )
    return decided_by_director(
        context, said, [EntriesClosed()], words, ENTRIES_ARE_CLOSED.format(players=players)
    )


OPEN_AGAIN = "Entries are open again."
NEED_DO_NOTHING = (
    "You need not do anything. Others may enter, and you get an email when entries close."
)
ENTRIES_OPEN_AGAIN = "Entries for {tournament} are open again"
FIRST_IS_SEATED = "The first round is seated: entries stay closed."
ENTRIES_ARE_OPEN = "Entries are open."
FIRST_HAS_BEGUN = "The first round has begun: nobody else can enter."


def reopen(context: TournamentContext, said: Instruction) -> Effect:
    """Open the entries again, before the first seating."""
    if context.tournament.status != "closed":
        raise Refused(
            ENTRIES_ARE_OPEN if context.tournament.status == "announced" else FIRST_HAS_BEGUN
        )
    if context.tournament.seatings:
        raise Refused(FIRST_IS_SEATED)
    name, text = context.tournament.name, OPEN_AGAIN
    lines = (NEED_DO_NOTHING, BECAUSE.format(because=said.because) if said.because else "")
    words = TournamentText(ENTRIES_OPEN_AGAIN.format(tournament=name), text, lines, kind="reopened")
    return decided_by_director(context, said, [EntriesReopened()], words, text)


PLAYS = "{name} plays."
WAITS_FOR_A_PLACE = "{name} waits for a place."
IS_IN_ALREADY = "{name} need not be let in: {state}"


def admit(context: TournamentContext, said: Instruction) -> Effect:
    """Let in an entrant who has withdrawn or was excluded."""
    entry = entry_named(context, said.rest)
    if entry.state in ("entered", "waiting", "standby"):
        raise Refused(
            IS_IN_ALREADY.format(
                name=entry.name, state=tournament_letters.state_told(context.tournament, entry)
            )
        )
    if context.tournament.status == "running":
        raise Refused(FIRST_HAS_BEGUN)
    state = withdrawing.placed(context.tournament)
    admitted = msgspec.structs.replace(entry, state=state, reason="")
    words = welcome(context.tournament, admitted)
    letter = to_entry(context.desk, context.tournament, admitted, words)
    acts = [LoggedAct(EntryChanged("admitted", admitted), context.office)]
    return context.did(
        said.command,
        change_of(context.desk, context.tournament, acts, [letter]),
        (PLAYS if state == "entered" else WAITS_FOR_A_PLACE).format(name=entry.name),
    )
