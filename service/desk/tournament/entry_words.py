"""What a director's words about entries come to."""

from dataclasses import replace
from functools import partial

import msgspec

from engine.wording import counted, listed
from service.desk.letters.post import Desk
from service.desk.tournament import entering, leaving
from service.desk.tournament.acts import (
    Closed,
    Cup,
    Entered,
    Reopened,
)
from service.desk.tournament.known import Doing, Known, Refused
from service.desk.tournament.letters import Words, to_all, to_entry
from service.desk.tournament.plan import Plan, after_acts
from service.desk.tournament.planning import CupPlanner
from service.desk.tournament.records import ratings_at_close
from service.desk.tournament.words import Word
from service.store import Store
from service.tournaments.values import Entry


def close(planner: CupPlanner, word: Word) -> None:
    """Entries are closed."""
    if planner.cup.status != "announced":
        raise Refused("Entries are closed already.")
    planner.done(
        word,
        close_entries(planner.store, planner.desk, planner.known, planner.cup, planner.office),
        f"Entries are closed: {counted(len(planner.cup.players), 'player')}. `seat` shows "
        "a seating of the first round.",
    )


def reopen(planner: CupPlanner, word: Word) -> None:
    """Entries are open again, before the first seating."""
    if planner.cup.status != "closed":
        raise Refused(
            "Entries are open."
            if planner.cup.status == "announced"
            else "The first round has begun: nobody can enter any more."
        )
    if planner.cup.value.seatings:
        raise Refused("The first round is seated: entries stay closed.")
    name, text = planner.known.name, "Entries are open again."
    lines = (
        "You need do nothing. Others may enter, and you get a letter when entries close.",
        f"Because {word.because}." if word.because else "",
    )
    words = Words(f"Entries for {name} are open again", text, lines, kind="reopened")
    letters = list(to_all(planner.desk, planner.known, words))
    acts = [Doing(Reopened(), planner.office, word.because)]
    planner.done(word, Plan(acts, letters), text)


def admit(planner: CupPlanner, word: Word) -> None:
    """The director's leave, which also lets in who was refused at the gate or has left."""
    entry = planner.entry(word)
    if entry.state in ("entered", "waiting", "standby"):
        raise Refused(f"{entry.name} needs no leave: {entering.standing(planner.known, entry)}")
    if planner.cup.status == "running":
        raise Refused("The first round has begun: nobody can enter any more.")
    state = entering.placed(planner.cup)
    admitted = msgspec.structs.replace(entry, state=state, reason="")
    said = entering.welcome(planner.known, admitted)
    letter = to_entry(planner.desk, planner.known, admitted, said)
    planner.done(
        word,
        Plan([Doing(Entered("admitted", admitted), planner.office)], [letter]),
        f"{entry.name} {'plays' if state == 'entered' else 'waits for a place'}.",
    )


def refuse(planner: CupPlanner, word: Word) -> None:
    """Somebody who needs leave does not get it."""
    entry = planner.entry(word)
    if entry.state not in ("leave", "waiting"):
        raise Refused(
            f"{entry.name} does not wait for your leave; `exclude {entry.name} "
            "because …` takes somebody out."
        )
    _out(planner, word, entry, "refused", "Your entry was refused")


def exclude(planner: CupPlanner, word: Word) -> None:
    """Somebody is taken out, for a reason."""
    entry = planner.entry(word)
    if entry.state == "excluded":
        raise Refused(f"{entry.name} is excluded already.")
    _out(planner, word, entry, "excluded", "You are excluded")


def _out(planner: CupPlanner, word: Word, entry: Entry, state: str, said: str) -> None:
    out = msgspec.structs.replace(entry, state=state, reason=word.because)
    acts = [Doing(Entered(state, out), planner.office, word.because)]
    text = f"{said} from {planner.known.name}." if state == "excluded" else f"{said}."
    words = Words(text, text, (f"The director says: {word.because}.",), kind="out")
    letters = [to_entry(planner.desk, planner.known, out, words)]
    cup = after_acts(planner.known, planner.desk, [*planner.plan.acts, *acts])
    ups = (
        list(entering.move_up(planner.desk, planner.known, cup)) if entry.state == "entered" else []
    )
    tasks = leaving.seats_left(planner.store, planner.desk, planner.known, entry)
    gone = partial(leaving.off_the_lists, planner.known, entry)
    plan = Plan([*acts, *(a for a, _ in ups)], [*letters, *(one for _, one in ups)], tasks, (gone,))
    seats = " Their seats are offered to those who stand by." if tasks else ""
    planner.done(word, plan, f"{entry.name} is {state}, and is told why.{seats}")


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
        planner.shown, planner.commands = True, (f"withdraw {entry.name} yes because …",)
        planner.result(word, "would", *lines)
        return
    planner.done(word, plan, *lines)


def close_entries(store: Store, desk: Desk, known: Known, cup: Cup, by: str) -> Plan:
    """Entries are closed: by the director, or by the day of the rules."""
    acts = [Doing(Closed(ratings_at_close(store, cup)), by)]
    words = Words(
        f"Entries for {known.name} are closed",
        f"Entries for {known.name} are closed: {counted(len(cup.players), 'player')}.",
        (
            f"They are {listed([e.name for e in cup.players])}." if len(cup.players) <= 40 else "",
            "You get a letter with your table when the first round is seated.",
        ),
        kind="closed",
    )
    return Plan(acts, list(to_all(desk, known, words)))
