"""A director's messages and rulings for a tournament: announcements, new rules, games on hold."""

import dataclasses
from collections.abc import Callable

from engine.wording import counted
from service.audience import of_assistant, of_organiser
from service.commands.command import Command
from service.desk.answering.effects import Effect
from service.desk.tournament.directing.tournament_directing import Instruction, decided_by_director
from service.desk.tournament.letters.tournament_letters import BECAUSE, TournamentText
from service.desk.tournament.records import public
from service.desk.tournament.upkeep.keeping import change_of
from service.desk.tournament.upkeep.tournament_tasks import direct_task
from service.desk.tournament.writers.tournament_context import TournamentContext, shows
from service.games.game_status import status_for_director
from service.games.games import load
from service.mail.grades import ASKS, Grade
from service.refusal import Refused
from service.reports import Answer, note_page
from service.said import MISSING_AFTER, YES_TO_ASSIST
from service.tournaments import form, listing
from service.tournaments.acts import ASSISTANT, OPERATOR, DirectorDecided, LoggedAct, RulesChanged
from service.tournaments.lots import digests_of
from service.tournaments.rules import TournamentRules
from service.tournaments.tournament import Tournament, planned
from service.tournaments.values import TournamentBoard

BOARDS_KEEP = "Tables that have begun keep their clock, security level and caretaker."
#: rows of the standings in an email
_SHOWN = 40


def _parted(text: str, because: str) -> tuple[str, str]:
    """Lines of the form, and the reason after them or in their last line."""
    lines = [line for line in text.splitlines() if line.strip()]
    if lines and lines[-1].strip().lower().startswith("because "):
        because, lines = lines[-1].strip()[len("because ") :].strip(" ."), lines[:-1]
    return "\n".join(lines), because


DIRECTOR_COULD_NOT = (
    "The director could no longer direct by email: with `security level: {grade}` {asks}, and "
    "their emails do not have it."
)
LEAVE_THE_GRADE = "Leave `security level` as it is."
NOTHING_CHANGES = "The rules say that already."
CHANGE_A_LINE = "Change a line of them."


def _read(
    tournament: Tournament, text: str, proves: Callable[[Grade], bool]
) -> tuple[TournamentRules, list[str]]:
    """The rules after lines of the form, and the changes as all read them. Raises Refused.

    ``proves`` tells whether the director could still direct by email at a security level.
    """
    before = tournament.rules
    after = form.read(text, before)
    _check_rounds(tournament, after)
    if after.grade != before.grade and not proves(after.grade):
        raise Refused(
            DIRECTOR_COULD_NOT.format(grade=after.grade, asks=ASKS[after.grade]),
            hint=LEAVE_THE_GRADE,
        )
    changed = changes(before, after)
    if not changed:
        raise Refused(NOTHING_CHANGES, hint=CHANGE_A_LINE)
    return after, changed


ROUND_IS_SEATED = "Round {round} is seated: there cannot be fewer rounds."
SEATING_IS_PUBLISHED = (
    "Round {round} is seated, and its seating is published: its titles and tables stay."
)
CHANGE_THOSE_OF_LATER_ROUNDS = "Change those of later rounds."
LATER_IS_SEATED = (
    "Round {next} is seated by what round {round} was, so round {round} stays as it was."
)
CHANGE_LATER_ROUNDS = "Change later rounds."


def _check_rounds(tournament: Tournament, after: TournamentRules) -> None:
    """Raises Refused for changes to the rules behind a published seating or a past round."""
    seated = max((one.round for one in tournament.seatings), default=0)
    if len(after.rounds) < seated:
        raise Refused(ROUND_IS_SEATED.format(round=seated))
    for number in range(1, seated + 1):
        old, new = tournament.rules.round(number), after.round(number)
        if (old.titles, old.sizes) != (new.titles, new.sizes):
            raise Refused(
                SEATING_IS_PUBLISHED.format(round=number), hint=CHANGE_THOSE_OF_LATER_ROUNDS
            )
        if number < seated and old != new:
            raise Refused(
                LATER_IS_SEATED.format(next=number + 1, round=number), hint=CHANGE_LATER_ROUNDS
            )


SEED_DIGEST = "Digest of the seed of round {round}: {digest}"
CHANGED_SUBJECT = "The rules have changed"
ARE_OTHERS = "The rules of {tournament} have changed."


WAS_BEFORE = "{key}: {value} (before: {before})"


def changes(before: TournamentRules, after: TournamentRules) -> list[str]:
    """The differences of rules, line by line of the form."""
    old = dict(_lines(before))
    return [
        WAS_BEFORE.format(key=key, value=value, before=old.get(key, "none"))
        for key, value in _lines(after)
        if old.get(key) != value
    ]


def _lines(rules: TournamentRules) -> list[tuple[str, str]]:
    found = (line.partition(": ") for line in form.printed(rules).splitlines())
    return [(key, value) for key, _, value in found]


DIRECT_ONE = "Reply to this email to direct this table alone."
#: a ruling about one game concerns all
HOLDS_FOR_ALL = "It holds for all tables alike."
HOLDS_ALIKE = "It holds on every table where the same comes up."
TOLD_AND_KEPT = "All players get an email, and it stays in the log."
ANNOUNCES = "The director announces to all of {tournament}:"
WRITE_BEHIND = "Add the message: `announce: …`."


def announce(context: TournamentContext, said: Instruction) -> Effect:
    """A message to all."""
    if not said.rest:
        raise Refused(MISSING_AFTER, hint=WRITE_BEHIND)
    headline = ANNOUNCES.format(tournament=context.tournament.name)
    words = TournamentText("Announcement", headline, said.rest.split("\n"), kind="announce")
    return decided_by_director(
        context, said, [DirectorDecided("announce", said.rest)], words, TOLD_AND_KEPT
    )


RULING_SUBJECT = "A ruling"
RULING_ON_SUBJECT = "A ruling on table {board}"
DIRECTOR_RULES = "The director rules:"
RULES_ON = "The director rules on table {board}:"
WRITE_THE_RULING = "Add the ruling: `rule: …`, or `rule 2.1: …` for one table."


def rule(context: TournamentContext, said: Instruction) -> Effect:
    """A ruling, for all games or for one."""
    if not said.rest:
        raise Refused(MISSING_AFTER, hint=WRITE_THE_RULING)
    _board(context, said.board)
    subject, headline = (
        (RULING_ON_SUBJECT, RULES_ON) if said.board else (RULING_SUBJECT, DIRECTOR_RULES)
    )
    words = TournamentText(
        subject.format(board=said.board),
        headline.format(board=said.board),
        (said.rest, HOLDS_FOR_ALL if not said.board else HOLDS_ALIKE),
        kind="rule",
    )
    act = DirectorDecided("rule", said.rest, said.board)
    return decided_by_director(context, said, [act], words, TOLD_AND_KEPT)


ONLY_BY_RULING = "The tournament has begun: its rules change by a ruling, for a reason."
WRITE_BECAUSE_LAST = "Write `because …` as the last line."
THE_RULES = "THE RULES"


def rules(context: TournamentContext, said: Instruction) -> Effect:
    """Change the rules: freely before the first round, then by a ruling with a reason."""
    text = lines_of(said)
    if not text.strip():
        return shows(said.command, Answer((public.rules_of(context.tournament, THE_RULES),)))
    lines, because = _parted(text, said.because)
    if context.tournament.status == "running" and not because:
        raise Refused(ONLY_BY_RULING, hint=WRITE_BECAUSE_LAST)
    desk, tournament = context.desk, context.tournament
    after, changed = _read(tournament, lines, context.proves)
    new = range(len(tournament.digests) + 1, len(after.rounds) + 1)
    digests = digests_of(desk.service.secret, tournament, new)
    seeds = [SEED_DIGEST.format(round=n, digest=d) for n, d in zip(new, digests, strict=True)]
    act = RulesChanged(after, "\n".join(changed), digests)
    then = planned(tournament, [LoggedAct(act, context.office, because)], desk.now)
    # standings that change with the rules are struck out
    again = listing.published_again(tournament, then)
    words = TournamentText(
        CHANGED_SUBJECT,
        ARE_OTHERS.format(tournament=tournament.name),
        (
            *changed,
            *seeds,
            BECAUSE.format(because=because) if because else "",
            BOARDS_KEEP if tournament.round else "",
            listing.STANDINGS_STRUCK if again else "",
        ),
        listing.standings_blocks(then, _SHOWN) if again else (),
        kind="rules",
    )
    return decided_by_director(
        context, dataclasses.replace(said, because=because), [act, *again], words, *changed
    )


def lines_of(said: Instruction) -> str:
    """The lines of the form after a command, and below it."""
    return "\n".join(filter(None, (said.rest.lstrip(":").strip(), said.below)))


NO_SUCH_BOARD = "There is no table {board}."
BOARDS_LISTS_THEM = "`boards` lists those there are."


def _board(context: TournamentContext, number: str) -> TournamentBoard | None:
    """The game with a number, None for "". Raises Refused."""
    found = next((b for b in context.tournament.boards if b.label == number), None)
    if found is None and number:
        raise Refused(NO_SUCH_BOARD.format(board=number), hint=BOARDS_LISTS_THEM)
    return found


BOARD_SUBJECT = "[{game}] Table {board}"
BOARD_OF = "Table {board} of {tournament}."
LETTER_ON_ITS_WAY = "An email of {game} is on its way: reply to it."
HOW_OF_OPERATOR = "`waybill game {game} …` directs it."
OTHER_ASSISTANT = "Table {board} has another assistant."


def board(context: TournamentContext, command: Command) -> Effect:
    """An email about one game to its director: a reply to it is about that game alone."""
    if not context.agreed:
        raise Refused(YES_TO_ASSIST)
    found = _board(context, command.parts["board"])
    assert found is not None
    table = load(context.reads, found.game)
    assert table is not None
    name, row, settings = found.game, table.row, table.settings
    told = status_for_director(table, settings, table.state if table.head else None)
    if context.office == OPERATOR:
        return context.did(command, Effect(), *told[:1], HOW_OF_OPERATOR.format(game=name))
    assists, desk = context.office == ASSISTANT, context.desk.about(name)
    if assists and not settings.assistant:
        raise Refused(OTHER_ASSISTANT.format(board=found.label))
    page = note_page(
        of_assistant(name) if assists else of_organiser(name),
        BOARD_SUBJECT.format(game=name, board=found.label),
        BOARD_OF.format(board=found.label, tournament=context.tournament.name),
        (*told, DIRECT_ONE),
        about=desk.service.about(name, table.title),
    )
    letter = (
        desk.to_assistant("board", row, settings, page)
        if assists
        else desk.to_organiser("board", row, page)
    )
    made = change_of(context.desk, context.tournament, letters=[letter])
    return context.did(command, made, LETTER_ON_ITS_WAY.format(game=name))


ALL_ON_HOLD = "All tables are on hold: none takes a move, and clocks stand still."
ON_HOLD_ALREADY = "All tables are on hold already."
RESUME_LETS_THEM = "`resume because …` lets them go on."


def hold(context: TournamentContext, said: Instruction) -> Effect:
    """Put all games on hold."""
    if context.tournament.on_hold:
        raise Refused(ON_HOLD_ALREADY, hint=RESUME_LETS_THEM)
    return _everywhere(context, said, "hold", ALL_ON_HOLD)


ALL_GO_ON = "All tables go on."
NOT_ON_HOLD = "The tables are not on hold."
HOLD_PUTS_THEM = "`hold because …` puts them on hold."


def resume(context: TournamentContext, said: Instruction) -> Effect:
    """Continue all games."""
    if not context.tournament.on_hold:
        raise Refused(NOT_ON_HOLD, hint=HOLD_PUTS_THEM)
    return _everywhere(context, said, "resume", ALL_GO_ON)


DONE_AT = "{told} It is done at {boards}."


def _everywhere(context: TournamentContext, said: Instruction, what: str, told: str) -> Effect:
    """Send the same command to the director's side of each game."""
    boards = context.tournament.playing
    command = f"{what} because {said.because}"
    words = TournamentText(told, told, (BECAUSE.format(because=said.because),), kind=what)
    return decided_by_director(
        context,
        said,
        [DirectorDecided(what, told)],
        words,
        DONE_AT.format(told=told, boards=counted(len(boards), "table")),
        tasks=[direct_task(context.desk, board, command, context.office) for board in boards],
    )
