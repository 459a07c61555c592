"""What a director's words about entries come to."""

from dataclasses import replace
from functools import partial

import msgspec

from engine.wording import counted, listed
from service.commands.refusal import Refused
from service.desk.letters.post import Desk
from service.desk.tournament import entering, leaving
from service.desk.tournament.acts import (
    Closed,
    Cup,
    Entered,
    Reopened,
)
from service.desk.tournament.known import Doing, Known
from service.desk.tournament.letters import BECAUSE, Words, to_all, to_entry
from service.desk.tournament.plan import Plan, after_acts
from service.desk.tournament.planning import CupPlanner
from service.desk.tournament.records import ratings_at_close
from service.desk.tournament.words import Word
from service.said import ARE_CLOSED_WITH
from service.store import Store
from service.tournaments.values import Entry

ENTRIES_ARE_CLOSED = "Entries are closed: {players}. `seat` shows a seating of the first round."
CLOSED_ALREADY = "Entries are closed already."


def close(planner: CupPlanner, word: Word) -> None:
    """Entries are closed."""
    if planner.cup.status != "announced":
        raise Refused(CLOSED_ALREADY)
    planner.done(
        word,
        close_entries(planner.store, planner.desk, planner.known, planner.cup, planner.office),
        ENTRIES_ARE_CLOSED.format(players=counted(len(planner.cup.players), "player")),
    )


OPEN_AGAIN = "Entries are open again."
NEED_DO_NOTHING = "You need do nothing. Others may enter, and you get an email when entries close."
ENTRIES_OPEN_AGAIN = "Entries for {cup} are open again"
FIRST_IS_SEATED = "The first round is seated: entries stay closed."
ENTRIES_ARE_OPEN = "Entries are open."
FIRST_HAS_BEGUN = "The first round has begun: nobody else can enter."


def reopen(planner: CupPlanner, word: Word) -> None:
    """Entries are open again, before the first seating."""
    if planner.cup.status != "closed":
        raise Refused(ENTRIES_ARE_OPEN if planner.cup.status == "announced" else FIRST_HAS_BEGUN)
    if planner.cup.value.seatings:
        raise Refused(FIRST_IS_SEATED)
    name, text = planner.known.name, OPEN_AGAIN
    lines = (
        NEED_DO_NOTHING,
        BECAUSE.format(because=word.because) if word.because else "",
    )
    words = Words(ENTRIES_OPEN_AGAIN.format(cup=name), text, lines, kind="reopened")
    letters = list(to_all(planner.desk, planner.known, words))
    acts = [Doing(Reopened(), planner.office, word.because)]
    planner.done(word, Plan(acts, letters), text)


PLAYS = "{name} plays."
WAITS_FOR_A_PLACE = "{name} waits for a place."
NEEDS_NO_LEAVE = "{name} needs no leave: {standing}"


def admit(planner: CupPlanner, word: Word) -> None:
    """The director's leave, which also lets in who was refused at the gate or has left."""
    entry = planner.entry(word)
    if entry.state in ("entered", "waiting", "standby"):
        raise Refused(
            NEEDS_NO_LEAVE.format(name=entry.name, standing=entering.standing(planner.known, entry))
        )
    if planner.cup.status == "running":
        raise Refused(FIRST_HAS_BEGUN)
    state = entering.placed(planner.cup)
    admitted = msgspec.structs.replace(entry, state=state, reason="")
    said = entering.welcome(planner.known, admitted)
    letter = to_entry(planner.desk, planner.known, admitted, said)
    planner.done(
        word,
        Plan([Doing(Entered("admitted", admitted), planner.office)], [letter]),
        (PLAYS if state == "entered" else WAITS_FOR_A_PLACE).format(name=entry.name),
    )


WAS_REFUSED = "Your entry was refused."
WAITS_FOR_NO_LEAVE = (
    "{name} does not wait for your leave; `exclude {name} because …` takes somebody out."
)


def refuse(planner: CupPlanner, word: Word) -> None:
    """Somebody who needs leave does not get it."""
    entry = planner.entry(word)
    if entry.state not in ("leave", "waiting"):
        raise Refused(WAITS_FOR_NO_LEAVE.format(name=entry.name))
    _out(planner, word, entry, "refused", WAS_REFUSED)


WAS_EXCLUDED = "You are excluded from {cup}."
EXCLUDED_ALREADY = "{name} is excluded already."


def exclude(planner: CupPlanner, word: Word) -> None:
    """Somebody is taken out, for a reason."""
    entry = planner.entry(word)
    if entry.state == "excluded":
        raise Refused(EXCLUDED_ALREADY.format(name=entry.name))
    _out(planner, word, entry, "excluded", WAS_EXCLUDED)


OUT = "{name} is {state}, and gets an email with the reason."
OUT_WITH_SEATS = (
    "{name} is {state}, and gets an email with the reason. Their seats are offered to standbys."
)
DIRECTOR_SAYS = "The director says: {because}."


def _out(planner: CupPlanner, word: Word, entry: Entry, state: str, said: str) -> None:
    out = msgspec.structs.replace(entry, state=state, reason=word.because)
    acts = [Doing(Entered(state, out), planner.office, word.because)]
    text = said.format(cup=planner.known.name)
    words = Words(text, text, (DIRECTOR_SAYS.format(because=word.because),), kind="out")
    letters = [to_entry(planner.desk, planner.known, out, words)]
    cup = after_acts(planner.known, planner.desk, acts)
    ups = (
        list(entering.move_up(planner.desk, planner.known, cup)) if entry.state == "entered" else []
    )
    tasks = leaving.seats_left(planner.store, planner.desk, planner.known, entry)
    gone = partial(leaving.off_the_lists, planner.known, entry)
    plan = Plan([*acts, *(a for a, _ in ups)], [*letters, *(one for _, one in ups)], tasks, (gone,))
    told = OUT_WITH_SEATS if tasks else OUT
    planner.done(word, plan, told.format(name=entry.name, state=state))


WITHDRAW_YES = "withdraw {name} yes because …"


def withdraw(planner: CupPlanner, word: Word) -> None:
    """An entrant who cannot write has asked the director to be taken out."""
    name, _, sure = word.rest.partition(" ")
    entry = planner.entry(replace(word, rest=name))
    plan, lines = leaving.withdraw(
        planner.store,
        planner.desk,
        planner.known,
        entry,
        sure=sure.strip().lower() == "yes",
        asked=(planner.office, word.because),
    )
    if not plan.does:
        planner.asks(word, lines, WITHDRAW_YES.format(name=entry.name))
        return
    planner.done(word, plan, *lines)


ARE_CLOSED = "Entries for {cup} are closed"
TABLE_COMES = "You get an email with your table when the first round is seated."
THEY_ARE = "They are {names}."


def close_entries(store: Store, desk: Desk, known: Known, cup: Cup, by: str) -> Plan:
    """Entries are closed: by the director, or by the day of the rules."""
    acts = [Doing(Closed(ratings_at_close(store, cup)), by)]
    words = Words(
        ARE_CLOSED.format(cup=known.name),
        ARE_CLOSED_WITH.format(cup=known.name, players=counted(len(cup.players), "player")),
        (
            THEY_ARE.format(names=listed([e.name for e in cup.players]))
            if len(cup.players) <= 40
            else "",
            TABLE_COMES,
        ),
        kind="closed",
    )
    return Plan(acts, list(to_all(desk, known, words)))
