"""What a director's words to all come to: rulings, other rules, the assistant, the end."""

from dataclasses import replace

from service.audience import of_assistant, of_organiser
from service.desk.lobby.lobby_standing import directing
from service.desk.tournament import announcing, boards, listing, reporting, results
from service.desk.tournament.acts import (
    ASSISTANT,
    OPERATOR,
    Decided,
    Office,
    Over,
    Ruled,
)
from service.desk.tournament.known import Doing, Refused, digests_of
from service.desk.tournament.letters import Words, to_all, to_offices
from service.desk.tournament.plan import Plan
from service.desk.tournament.planning import CupPlanner
from service.desk.tournament.words import Word
from service.games.games import load
from service.mail.message import is_address
from service.mail.proving import ASKS
from service.reports import note_page
from service.tournaments import form
from service.tournaments.rules import TournamentRules

_KEPT = "Boards that have begun keep the clock, grade and caretaker that they began with."
_ONE_BOARD = "Reply to this mail to direct this board alone; `help director` lists how."
_TOLD = "All are told, and it is kept."


def announce(planner: CupPlanner, word: Word) -> None:
    """Words to all."""
    if not word.rest:
        raise Refused("Write what is to be told to all behind it: `announce: …`.")
    words = Words(
        "Announcement",
        f"The director announces to all of {planner.known.name}:",
        word.rest.split("\n"),
        kind="announce",
    )
    acts = [Doing(Decided("announce", word.rest), planner.office)]
    planner.done(word, Plan(acts, list(to_all(planner.desk, planner.known, words))), _TOLD)


def rule(planner: CupPlanner, word: Word) -> None:
    """A ruling, for all boards or for one."""
    if not word.rest:
        raise Refused("Write the ruling behind it: `rule: …`, `rule 2.1: …` for one board.")
    about = f" on board {word.board}" if word.board else ""
    words = Words(
        f"A ruling{about}",
        f"The director rules{about}:",
        (word.rest, "It holds for all boards alike." if not word.board else ""),
        kind="rule",
    )
    acts = [Doing(Decided("rule", word.rest, word.board), planner.office, word.rest)]
    planner.done(word, Plan(acts, list(to_all(planner.desk, planner.known, words))), _TOLD)


def rules(planner: CupPlanner, word: Word) -> None:
    """Other rules: freely before the first round, then by a ruling that has a reason."""
    text = "\n".join(filter(None, (word.rest.lstrip(":"), word.below)))
    if not text.strip():
        now = tuple(form.printed(planner.cup.rules).splitlines())
        planner.shows(word, listing.verbatim("THE RULES", now))
        return
    because = word.because
    lines = [line for line in text.splitlines() if line.strip()]
    if lines and lines[-1].lower().startswith("because "):
        because, lines = lines[-1][len("because ") :].strip(), lines[:-1]
    if planner.cup.status == "running" and not because:
        raise Refused(
            "The tournament has begun: its rules change by a ruling alone. Write "
            "`because …` as the last line."
        )
    after = _read(planner, "\n".join(lines))
    changed = listing.changes(planner.cup.rules, after)
    if not changed:
        raise Refused("That is how the rules are.")
    why = (f"Because {because}.",) if because else ()
    known = planner.known
    new = range(len(planner.cup.value.digests) + 1, len(after.rounds) + 1)
    digests = digests_of(planner.desk.house, known.row, new)
    seeds = [f"Digest of the seed of round {n}: {d}" for n, d in zip(new, digests, strict=True)]
    words = Words(
        "The rules have changed",
        f"The rules of {planner.known.name} are others now.",
        (*changed, *seeds, *why, _KEPT if planner.cup.round else ""),
        kind="rules",
    )
    acts = [Doing(Ruled(after, "\n".join(changed), digests), planner.office, because)]
    planner.done(word, Plan(acts, list(to_all(planner.desk, planner.known, words))), *changed)


def _read(planner: CupPlanner, text: str) -> TournamentRules:
    """The rules as lines of the form change them. Raises Refused."""
    before = planner.cup.rules
    try:
        after = listing.same_people(before, form.read(text, before))
    except form.WrongForm as wrong:
        raise Refused(" ".join(map(str, wrong.faults))) from wrong
    if len(after.rounds) < planner.cup.round:
        raise Refused(f"Round {planner.cup.round} has begun: there cannot be fewer rounds.")
    if after.grade != before.grade and not planner.proves(after.grade):
        raise Refused(
            f"You could not direct by mail any more: in `grade: {after.grade}` "
            f"{ASKS[after.grade]}, and your mail does not have it."
        )
    return after


def assistant(planner: CupPlanner, word: Word) -> None:
    """Who rules where the director plays: asked, or none."""
    address = word.rest.strip("<> ").lower()
    rules, name = planner.cup.rules, planner.known.name
    if address in ("off", "none"):
        also = (lambda tx: boards.assist(tx, planner.known, ""),)
        plan = Plan([Doing(Office(ASSISTANT, ""), planner.office)], also=also)
        planner.done(word, plan, f"{name} has no assistant.")
        return
    if not is_address(address):
        raise Refused("Write the address behind it: `assistant eve@example.org`.")
    if address == rules.director.lower():
        raise Refused("You are the director already: an assistant is somebody else.")
    known = planner.cup.at_address(address)
    if known is not None and known.state == "entered":
        raise Refused(f"{known.name} plays: an assistant is somebody who does not.")
    act = Office(ASSISTANT, address, asked=True)
    asked = replace(planner.known, cup=replace(planner.cup, invited=address))
    plan = Plan([Doing(act, planner.office)], [announcing.invitation(planner.desk, asked)])
    planner.done(word, plan, f"{address} is asked, and is the assistant once they say `yes`.")


def finish(planner: CupPlanner, word: Word) -> None:
    """The tournament is over."""
    plan, told = results.end(planner.desk, planner.known, planner.office)
    planner.done(word, plan, told)


def abandon(planner: CupPlanner, word: Word) -> None:
    """The tournament is given up; its boards go on as games of their own."""
    name = planner.known.name
    text = f"{name} is given up, because {word.because}."
    words = Words(
        f"{name} is given up",
        text,
        ("Boards that are played go on as games of their own.",) if planner.known.playing else (),
        kind="over",
    )
    acts = [Doing(Over(True, text), planner.office, word.because)]
    letters = [
        *to_all(planner.desk, planner.known, words),
        *to_offices(planner.desk, planner.known, words),
    ]
    ends = (lambda tx: tx.end_tournament(planner.known.row.id, planner.desk.now),)
    planner.done(word, Plan(acts, letters, also=ends), text)


def lists(planner: CupPlanner, word: Word) -> None:
    """A question: nothing is changed by it."""
    if word.kind == "report":
        by_mail = planner.office != OPERATOR
        planner.shows(word, reporting.report(planner.store, planner.known, by_mail=by_mail))
        return
    planner.shows(word, listing.answer(planner.store, planner.desk, planner.known, word))


def board(planner: CupPlanner, word: Word) -> None:
    """The letter of one board to who directs it: a reply to it concerns that board alone."""
    found = next((b for b in planner.known.boards if b.number == word.board), None)
    if found is None:
        raise Refused(f"There is no board {word.board}: `boards` lists those there are.")
    with planner.store.transaction() as tx:
        table = load(tx, found.game)
    assert table is not None
    office, name = planner.office, found.game
    state = table.state if table.head else None
    lines = (*directing(table, table.settings, state), _ONE_BOARD)
    if office == OPERATOR:
        planner.result(word, "ok", *lines[:1], f"`waybill game {name} …` directs it.")
        return
    desk, title = planner.desk.about(name), table.title
    to = of_assistant(name) if office == ASSISTANT else of_organiser(name)
    subject, headline = (
        f"[{name}] Board {found.number}",
        f"Board {found.number} of {planner.known.name}.",
    )
    page = note_page(to, subject, headline, lines, about=desk.house.about(name, title))
    if office == ASSISTANT and table.settings.assistant:
        letter = desk.to_assistant("board", table.row, table.settings, page)
    elif office == ASSISTANT:
        raise Refused(f"Board {found.number} has another assistant.")
    else:
        letter = desk.to_organiser("board", table.row, page)
    planner.done(word, Plan(letters=[letter]), f"A letter of {name} is on its way: reply to it.")
