"""Entering a tournament: request, confirmation from the address, entry rules, permission."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import msgspec

import engine
from engine.wording import counted, listed
from service.commands.command import Command
from service.desk.answering.effects import Effect, together
from service.desk.letters.desk import Desk
from service.desk.lobby import lobby
from service.desk.seats import standbys
from service.desk.strangers.by_letter import SeparateAnswer, by_letter
from service.desk.strangers.stranger_mail import GamesSeen, StrangerContext
from service.desk.tournament.answering.tournament_context import (
    TournamentContext,
    TournamentEmail,
)
from service.desk.tournament.directing.tournament_directing import Instruction, decided_by_director
from service.desk.tournament.entries.withdrawing import (
    entry_named,
    moved_up,
    placed,
)
from service.desk.tournament.letters.tournament_letters import (
    BECAUSE,
    CONCERNED,
    TournamentText,
    ticket_of_entry,
    to_asker,
    to_entry,
)
from service.desk.tournament.stored.keeping import (
    change_of,
    check_unchanged,
    find_tournament,
    keep_acts,
    tournament_called,
    tournament_of_table,
)
from service.games.commit import ITSELF
from service.refusal import Refused
from service.reports.words import dated
from service.said import (
    ARE_CLOSED_WITH,
    BY_WHICH_NAME,
    HOW_TO_STAND_BY,
    IS_A_TABLE,
    MISSING_AFTER,
)
from service.store import Letter, NewVolunteer, Tx
from service.tournaments.acts import EntriesClosed, EntriesReopened, EntryChanged, LoggedAct
from service.tournaments.telling import IS_OVER, entry_told
from service.tournaments.tournament import Tournament
from service.tournaments.values import Entrant, TableResult

# --------------------------------------------------------------------------------------- enter
WANT_TO_ENTER = "Do you want to enter {tournament}?"
WANT_TO_STAND_BY = "Do you want to stand by for {tournament}?"
ASKED_TO_ENTER = (
    "You (or somebody using your address) asked to enter “{tournament}”, a tournament of 18xx "
    "railway games by email, as {name}."
)
ASKED_TO_STAND_BY = (
    "You (or somebody using your address) asked to stand by for “{tournament}”, a tournament of "
    "18xx railway games by email, as {name}."
)
IF_RIGHT = (
    "If that is right, reply with the one word below. If not, ignore this email: Waybill will not "
    "write to you again."
)
SEE_ALL_RULES = "Send `tournament {tournament}` for all its rules."
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
    entry = Entrant(name, number, (address.lower(),), state="asked", standby=standby)
    asks = WANT_TO_STAND_BY if standby else WANT_TO_ENTER
    asked, called = ASKED_TO_STAND_BY if standby else ASKED_TO_ENTER, tournament.name
    # no words of a director go to people who have not agreed, because anybody can be a director
    lines = (
        asked.format(name=name, tournament=called),
        IF_RIGHT,
        SEE_ALL_RULES.format(tournament=called),
    )
    words = TournamentText(asks.format(tournament=called), lines, commands=("yes",), kind="confirm")
    return [LoggedAct(EntryChanged("asked", entry), name)], (entry, words)


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
        told = HAS_WITHDRAWN if tournament.status == "announced" else HAS_WITHDRAWN_AND_CLOSED
        return told.format(tournament=tournament.name, director=tournament.rules.director)
    if address.lower() != own.addresses[0]:
        return IS_FURTHER_ADDRESS.format(name=own.name, tournament=tournament.name)
    state = entry_told(tournament, own)
    return ENTERED_ALREADY.format(tournament=tournament.name, name=own.name, state=state)


CLOSED = (
    "Entries for {tournament} are closed. `standby {tournament} as YOU` makes you a standby: you "
    "are asked when a seat becomes free."
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


def confirm(desk: Desk, tournament: Tournament, entry: Entrant) -> Effect:
    """The confirmation of an entry. Raises Refused if it is too late, or the name is taken."""
    check_open(tournament, entry.standby)
    check_name(desk, tournament, entry.name, entry)
    address = entry.addresses[0]
    if other := tournament.confirmed_at(address):
        raise Refused(_already(tournament, other, address))
    # nobody overtakes those who wait, even if there are more places since then
    moved = moved_up(desk, tournament)
    state = "standby" if entry.standby else placed(moved.changed)
    entered = msgspec.structs.replace(entry, state=state, standby=False)
    letters = [to_entry(desk, tournament, entered, welcome(tournament, entered))]
    acts = [LoggedAct(EntryChanged("confirmed", entered), entry.name)]
    also = partial(_stand_by, desk, tournament, entered)
    return together([moved, change_of(desk, moved.changed, acts, letters, also=also)])


YOU_HAVE_ENTERED = "You have entered {tournament} as {name}."
YOU_STAND_BY = "You are a standby of {tournament} as {name}."
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
CLOSE_ON = "Entries close after {close}."
START_ON = "All tables start on {start}."


def welcome(tournament: Tournament, entry: Entrant) -> TournamentText:
    """To a new entrant: the state of the entry, what follows, and the commands."""
    said, later = {
        "entered": (YOU_HAVE_ENTERED, LETTERS_COME),
        "standby": (YOU_STAND_BY, SEATS_COME),
        "waiting": (YOU_WAIT, PLACES_COME),
    }[entry.state]
    rules = tournament.rules
    days = [CLOSE_ON.format(close=dated(rules.close))] if rules.close else []
    days += [START_ON.format(start=dated(rules.start))] if rules.start else []
    told = later.format(places=rules.places), WHAT_ENTRANTS_WRITE, " ".join(days)
    headline = said.format(tournament=tournament.name, name=entry.name)
    return TournamentText(headline, (*told, *rules.announcement.split("\n")))


def enter(context: StrangerContext, command: Command) -> Effect:
    """`enter NAME as YOU`, `standby NAME as YOU`: ask them to confirm it.

    Nobody is a standby for only one of its games. Without an entry they would have no name in
    the standings, and an excluded person could come back that way.
    """
    name, sender = command.parts["name"].lower(), context.mail.sender
    player, stands_by = command.parts["player"].strip(), command.word == "standby"

    def judge(seen: GamesSeen) -> SeparateAnswer:
        of_table = tournament_of_table(seen.reads, name)
        if stands_by and of_table is None and seen.find(name) is not None:
            raise Refused(MISSING_AFTER, hint=HOW_TO_STAND_BY)
        tournament = of_table or find_tournament(seen.reads, name)
        if not player:
            told = IS_A_TABLE if of_table else BY_WHICH_NAME
            raise Refused(told.format(table=name, tournament=tournament.name, word=command.word))
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


def confirm_own(context: TournamentEmail, command: Command, entry: Entrant) -> Effect:
    """They confirm the entry: the answer is the welcome."""
    desk, tournament = context.desk, context.tournament
    made = confirm(desk, tournament, entry)
    entered = next(one for one in made.changed.entries if one.number == entry.number)
    return replace(context.did(command, made, entry_told(tournament, entered)), answered=True)


def _stand_by(desk: Desk, tournament: Tournament, entry: Entrant, tx: Tx) -> None:
    """A new standby becomes one for the games in play, too."""
    for table in tournament.playing if entry.state == "standby" else ():
        stand_by(tx, table.id, entry, desk.now)


def stand_by(tx: Tx, game: int, entry: Entrant, now: int) -> None:
    """Make somebody who has agreed already a standby of a game."""
    known = [v.address for v in tx.people.volunteers(game) if v.kind == "standby"]
    if entry.addresses[0] not in known and len(known) < standbys.MOST:
        made = tx.people.ask(game, NewVolunteer("standby", entry.addresses[0]), now)
        tx.people.agrees(made, now)


ENTRIES_ARE_CLOSED = "Entries are closed: {players}. `seat` seats the first round."
CLOSED_ALREADY = "Entries are closed already."
SEAT_OR_OPEN = "`seat` seats the first round; `open` opens entries again."
TABLE_COMES = "All players get an email with their tables when the first round is seated."
THEY_ARE = "They are {names}."


def close(context: TournamentContext, said: Instruction) -> Effect:
    """Close the entries."""
    tournament = context.tournament
    if tournament.status != "announced":
        raise Refused(CLOSED_ALREADY, hint=SEAT_OR_OPEN)
    players = counted(len(tournament.players), "player")
    few = THEY_ARE.format(names=listed([e.name for e in tournament.players]))
    headline = ARE_CLOSED_WITH.format(tournament=tournament.name, players=players)
    lines = few if len(tournament.players) <= 40 else "", TABLE_COMES
    words = TournamentText(headline, lines, kind="closed")
    told = ENTRIES_ARE_CLOSED.format(players=players)
    return decided_by_director(context, said, [EntriesClosed()], words, told)


OPEN_AGAIN = "Entries are open again."
FIRST_IS_SEATED = "The first round is seated: entries stay closed."
ENTRIES_ARE_OPEN = "Entries are open."
FIRST_HAS_BEGUN = "The first round has begun: nobody else can enter."


def reopen(context: TournamentContext, said: Instruction) -> Effect:
    """Open the entries again, before the first seating."""
    if (status := context.tournament.status) != "closed":
        raise Refused(ENTRIES_ARE_OPEN if status == "announced" else FIRST_HAS_BEGUN)
    if context.tournament.seatings:
        raise Refused(FIRST_IS_SEATED)
    because = BECAUSE.format(because=said.because) if said.because else ""
    words = TournamentText(OPEN_AGAIN, (because,), kind="reopened")
    made = decided_by_director(context, said, [EntriesReopened()], words, OPEN_AGAIN)
    return together([made, moved_up(context.desk, made.changed)])


PLAYS = "{name} plays."
WAITS_FOR_A_PLACE = "{name} waits for a place."
IS_IN_ALREADY = "{name} need not be let in: {state}"


def admit(context: TournamentContext, said: Instruction) -> Effect:
    """Let in an entrant who has withdrawn or was excluded.

    Once the first round is seated, it has a table only for those who are seated in it.
    """
    entry, tournament = entry_named(context, said.rest), context.tournament
    if entry.state in CONCERNED:
        state = entry_told(tournament, entry)
        raise Refused(IS_IN_ALREADY.format(name=entry.name, state=state))
    if tournament.status == "running":
        raise Refused(FIRST_HAS_BEGUN)
    first = tournament.seated(1)
    if first is not None and entry.name not in [one.name for one in first.players]:
        raise Refused(FIRST_IS_SEATED)
    # nobody overtakes those who wait
    moved = moved_up(context.desk, tournament)
    admitted = msgspec.structs.replace(entry, state=placed(moved.changed), reason="")
    letter = to_entry(context.desk, tournament, admitted, welcome(tournament, admitted))
    acts = [LoggedAct(EntryChanged("admitted", admitted), context.office)]
    told = PLAYS if admitted.state == "entered" else WAITS_FOR_A_PLACE
    made = together([moved, change_of(context.desk, moved.changed, acts, [letter])])
    return context.did(said.command, made, told.format(name=entry.name))


STAYS = "You play the later rounds of {tournament} too."
WHY_IT_STAYS = (
    "You took a seat over on table {table} and ended it, so you are its player now. "
    "To stop playing: `withdraw`."
)


def staying(
    desk: Desk, tournament: Tournament, result: TableResult
) -> tuple[Sequence[LoggedAct], Sequence[Letter]]:
    """Standbys who had a seat at the end of a game, and play later rounds."""
    if result.round >= len(tournament.rules.rounds):
        return (), ()
    taken = {seat.last for seat in result.seats if seat.last != seat.seat}
    acts, letters = [], []
    for entry in tournament.of_state("standby", "waiting"):
        if entry.name in taken:
            stays = msgspec.structs.replace(entry, state="entered")
            acts.append(LoggedAct(EntryChanged("stays", stays), ITSELF))
            text = STAYS.format(tournament=tournament.name)
            lines = (WHY_IT_STAYS.format(table=result.label),)
            words = TournamentText(text, lines, commands=("withdraw",), kind="stays")
            letters.append(to_entry(desk, tournament, stays, words))
    return acts, letters
