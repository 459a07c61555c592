"""Tasks of a tournament's director: commands at one game, and what the rules do on a day."""

from service.audience import ASSISTANT, ORGANISER
from service.commands.entry import Where, Who
from service.desk.answering.effects import concluded
from service.desk.director import director_email
from service.desk.director.acts import act_of
from service.desk.director.carrying_out import carried_out
from service.desk.door import Done
from service.desk.letters.desk import Desk
from service.desk.service import Service
from service.desk.tournament.directing.tournament_directing import operated
from service.desk.tournament.letters.tournament_letters import TournamentText, to_director
from service.desk.tournament.stored.keeping import table_of, tournament_called
from service.games.commit import ITSELF
from service.games.directing import OPERATOR
from service.games.games import load
from service.mail.replies import Line
from service.store import Occasion, TaskRow, Tx
from service.tournaments.acts import DIRECTOR
from service.tournaments.rules import due_days
from service.tournaments.tournament import Tournament

#: office of the tournament → office of the game with the same rights, its writer, their way
_AT_GAMES = {
    DIRECTOR: (ORGANISER, Who.ORGANISER, Where.PRIVATE),
    ASSISTANT: (ASSISTANT, Who.ASSISTANT, Where.PRIVATE),
}
_BY_ITSELF = (OPERATOR, Who.GAME_OPERATOR, Where.TERMINAL)

NOT_DONE_AT = "NOT DONE at table {table}."


def direct_table(reads: Tx, service: Service, now: int, row: TaskRow) -> Done:
    """Carry out the director's commands at one game; the director gets an email if they fail."""
    words, (office, who, where) = row.payload.decode(), _AT_GAMES.get(row.seat, _BY_ITSELF)
    found, game = table_of(reads, row.game), load(reads, row.game)
    if found is None or game is None or game.row.status != "running":
        return Done("it is over")
    commands = director_email.read_acts(service.commands.entries, [Line(1, words)], who, where)
    acts = [act_of(one, sure=True) for one in commands]
    tournament, table = found
    desk = Desk(service, now, Occasion("tournament", row.key, row.game))
    plan, done = carried_out(reads, desk, game, office, acts, words[:200])
    if plan.good:
        return done
    why = " ".join(note for result in plan.results for note in result.notes)
    headline = NOT_DONE_AT.format(table=table.label)
    said = TournamentText(headline, (f"`{words}`: {why}",), kind="direct")
    return Done(why[:200], [to_director(desk, tournament, said)])


# -------------------------------------------------------------------------------------- days


#: kind of a day in the rules → what the director reads if its work fails
NOT_DONE_ON_ITS_DAY = {
    "close": "Entries were to close today, and it could not be done.",
    "start": "All tables should start today, but they could not.",
    "until": "The tables of a round should be adjudicated today, but they could not be.",
}


WAS_TO_END = "round {round} was to end by today"
CLOSED_BY_RULES = "Entries are closed, as the rules say."
SEATING_NEXT = "`seat` seats the first round."


def day_comes(reads: Tx, service: Service, now: int, row: TaskRow) -> Done:
    """Carry out a day of the rules; if that is refused, email the director the reason."""
    tournament = tournament_called(reads, row.game)
    assert tournament is not None
    desk = Desk(service, now, Occasion("tournament", row.key, tournament.name))
    at = int(row.key.rpartition("-")[2])
    command = _on_day(tournament, row.seat) if (row.seat, at) in due_days(tournament.rules) else ""
    if not command:
        return Done("nothing to do")
    effect = operated(reads, desk, tournament, command, ITSELF)
    kind = row.seat.partition(" ")[0]
    refused = [note for one in effect.results if one.status == "no" for note in one.notes]
    if not refused and kind != "close":
        return concluded(effect)
    said = TournamentText(CLOSED_BY_RULES, (SEATING_NEXT,), commands=("seat",), kind="day")
    if refused:
        said = TournamentText(NOT_DONE_ON_ITS_DAY[kind], refused, kind="day")
    return concluded(effect, to_director(desk, tournament, said))


def _on_day(tournament: Tournament, what: str) -> str:
    """The director's command for a day of the rules, "" if it has been done."""
    kind, _, number = what.partition(" ")
    if kind == "close":
        return "close" if tournament.status == "announced" else ""
    if kind == "start":
        return "" if tournament.round else "start"
    playing = any(table.round == int(number) for table in tournament.playing)
    because = WAS_TO_END.format(round=number)
    return f"adjudicate because {because}" if playing else ""
