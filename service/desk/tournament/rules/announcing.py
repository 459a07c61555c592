"""Announcing a tournament: the form that Waybill sends, and its return."""

from collections.abc import Collection, Sequence

from service import rations
from service.commands.command import Command
from service.commands.entry import Entry
from service.desk.answering.effects import Effect
from service.desk.door import Done
from service.desk.letters.desk import Desk
from service.desk.letters.ticket import Ticket
from service.desk.lobby import lobby
from service.desk.proving.arrived import ArrivedEmail
from service.desk.rationing.answer_rations import Answering, within_ration
from service.desk.strangers.by_letter import SeparateAnswer, by_letter
from service.desk.strangers.stranger_mail import GamesSeen, StrangerContext
from service.desk.tournament.letters.tournament_letters import (
    TournamentText,
    ticket_of_office,
    to_asker,
    to_ticket,
)
from service.desk.tournament.questions import public
from service.desk.tournament.stored.keeping import keep_acts, of_row
from service.desk.tournament.stored.tournament_tasks import plan_days
from service.mail.message import Mail
from service.refusal import Refused
from service.reports.receipt import NOT_DONE, answering
from service.reports.tables import Verbatim
from service.said import TAKE_ANOTHER_NAME
from service.store import Letter, Tx
from service.tournaments import form
from service.tournaments.acts import DIRECTOR, LoggedAct, TournamentAnnounced
from service.tournaments.lots import digests_of
from service.tournaments.rules import TournamentRules
from service.tournaments.tournament import Tournament

#: characters of a tournament's name: its games are called NAME-20-999, and game names have 16
LONGEST_NAME = 9
PURPOSE = "announce"


def _ticket(name: str, address: str) -> Ticket:
    return Ticket(name, PURPOSE, address.lower(), (PURPOSE, name))


def returned(came: ArrivedEmail) -> Done | None:
    """Handle a form that came back, filled in, from the person who got it; None for others.

    The form is a document, and none of its lines is a command. Later its director changes it with
    the command `rules`, to which the lines of the form below it belong.
    """
    for claim in came.claims:
        name, sender = claim.game, came.mail.sender
        if name in came.tournaments:
            continue
        if came.answers_question(_ticket(name, sender), claim):
            done = announce(came.reads, came.desk.about(name), came.mail, name)
            return came.once(done, proved=True)
    return None


BY_WHICH_NAME = "The name of the tournament is missing."
WRITE_TOURNAMENT_NEW_NAME = "Write `tournament new NAME`, for example `tournament new spring27`."
NAME_TOO_LONG = (
    "A tournament's name has {longest} characters at most: its tables are named after it."
)
TAKE_A_SHORTER_NAME = "Take a shorter name."
GAMES_BEGIN_SO = "There are games whose names begin with {tournament}-."


def check_name(tx: Tx, name: str, commands: Sequence[Entry], others: Collection[str] = ()) -> None:
    """Raises Refused for an invalid name of a new tournament.

    ``others`` are names of games that are not stored yet.
    """
    if not name:
        raise Refused(BY_WHICH_NAME, hint=WRITE_TOURNAMENT_NEW_NAME)
    if len(name) > LONGEST_NAME:
        raise Refused(NAME_TOO_LONG.format(longest=LONGEST_NAME), hint=TAKE_A_SHORTER_NAME)
    lobby.check_name(tx, name, commands, "tournament", others)
    if tx.games.any_begins(f"{name}-"):
        raise Refused(GAMES_BEGIN_SO.format(tournament=name), hint=TAKE_ANOTHER_NAME)


FORM_OF = "The form of {tournament}"
HOW_TO_ANNOUNCE = (
    "To announce {tournament}, reply with the lines below that you want to change. Lines that you "
    "leave out stay as they are. You must name the titles: `round 1 titles: 18AL`."
)
FORM_HAS_FAULTS = "NOT DONE: some lines of the form are invalid."
NOTHING_ANNOUNCED = (
    "Nothing was announced. Correct these lines, and reply with them and with all others that you "
    "want to change."
)
THE_FORM = "THE FORM"


def _form(mail: Mail, name: str, rules: TournamentRules, faults: Sequence[str]) -> TournamentText:
    blocks = [Verbatim(THE_FORM, tuple(form.printed(rules, explained=True).splitlines()))]
    if faults:
        lines, subject = (*faults, NOTHING_ANNOUNCED), answering(mail.subject, NOT_DONE)
        return TournamentText(FORM_HAS_FAULTS, lines, blocks, kind="form", subject=subject)
    how = HOW_TO_ANNOUNCE.format(tournament=name)
    return TournamentText(FORM_OF.format(tournament=name), (how,), blocks, kind="form")


def announce(reads: Tx, desk: Desk, mail: Mail, name: str) -> Done:
    """The form came back: announce the tournament, or report all errors in the form."""
    before = TournamentRules(name=name, director=mail.sender.lower())
    text = "\n".join(line.text for line in mail.lines)
    try:
        rules = form.read(text, before)
        check_name(reads, name, desk.service.commands.entries)
    except Refused as wrong:
        words = _form(mail, name, before, wrong.lines)
        letter = to_ticket(desk, _ticket(name, mail.sender), words, mail)
        ration = Answering(reads, desk, rations.address(mail.sender, "puzzled"))
        return within_ration(ration, [letter], "a form with faults")

    # the addresses for replies name the number that the tournament gets
    def store(tx: Tx) -> list[Letter]:
        return [announced(desk, create(tx, desk, rules), mail)]

    return Done(f"announced {name}", also=store)


def create(tx: Tx, desk: Desk, rules: TournamentRules) -> Tournament:
    """Store a new tournament. Raises Conflict if the name is taken meanwhile."""
    row = tx.tournaments.add(rules.name, desk.now)
    tournament = Tournament(rules, id=row.id, created=row.created)
    digests = digests_of(desk.service.secret, tournament, range(1, len(rules.rounds) + 1))
    keep_acts(tx, desk, tournament, [LoggedAct(TournamentAnnounced(rules, digests), DIRECTOR)])
    plan_days(tx, rules, desk.now)
    return of_row(tx, row)


HOW_TO_ENTER = (
    "Entries are open: write `enter {tournament} as YOUR-NAME` to {address}, and confirm it from "
    "your address."
)
KEEP_THIS = (
    "Keep this email: you direct the tournament by replies to it. `help` lists your commands."
)
SEED_EXPLAINED = (
    "A seed draws the seating of each round. Its digest is below. When the seating is published "
    "with the seed, everybody can check it."
)
IS_ANNOUNCED = "{tournament} is announced."


def announced(desk: Desk, tournament: Tournament, answers: Mail) -> Letter:
    """To the director of a tournament that was announced."""
    name = tournament.name
    how = HOW_TO_ENTER.format(tournament=name, address=desk.service.address)
    said = TournamentText(
        IS_ANNOUNCED.format(tournament=name),
        (how, KEEP_THIS, SEED_EXPLAINED),
        [public.digests_of(tournament), public.rules_of(tournament, public.ITS_RULES)],
        commands=("entries", "close", "announce: …"),
        kind="announced",
    )
    return to_ticket(desk, ticket_of_office(tournament, DIRECTOR), said, answers)


def new(context: StrangerContext, command: Command) -> Effect:
    """`tournament new NAME`: sends the form that announces it."""
    name, commands = command.parts["name"].lower(), context.desk.service.commands.entries

    def judge(seen: GamesSeen) -> SeparateAnswer:
        check_name(seen.reads, name, commands, seen.made)
        words = _form(context.mail, name, TournamentRules(name=name), ())
        letter = to_asker(context, _ticket(name, context.mail.sender), words)
        # the form comes back before anything is stored, and is judged then
        return SeparateAnswer(("announce", name), letter)

    return by_letter(context, command, judge)
