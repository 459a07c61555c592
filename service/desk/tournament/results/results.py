"""Results of a tournament: games that end, corrections, and its end."""

import re
from collections.abc import Iterator, Mapping

from msgspec import structs

import engine
from engine import Seat
from engine.events import GameEnded
from engine.wording import counted, listed
from service.desk.answering.effects import Effect, concluded
from service.desk.door import Done
from service.desk.letters.desk import Desk
from service.desk.service import Service
from service.desk.tournament.answering.tournament_context import TournamentContext
from service.desk.tournament.directing.tournament_directing import Instruction, decided_by_director
from service.desk.tournament.entries import entering
from service.desk.tournament.letters.tournament_letters import (
    BECAUSE,
    TournamentText,
    to_all_entrants,
    to_director,
    to_offices,
    to_these,
)
from service.desk.tournament.rounds.seating_rounds import SHOWN, some
from service.desk.tournament.stored.keeping import change_of, table_of
from service.games import commit, games
from service.games.games import GameTable, load
from service.refusal import Refused
from service.reports.tables import Column, Grid
from service.said import THANKS
from service.store import Letter, Occasion, TaskRow, Tx
from service.tournaments import listing
from service.tournaments.acts import (
    LoggedAct,
    StandingsPublished,
    TableEnded,
    TournamentOver,
)
from service.tournaments.listing import player_told, result_told
from service.tournaments.tournament import Tournament, planned
from service.tournaments.values import (
    BegunTable,
    HowEnded,
    SeatResult,
    TableResult,
    ToldResult,
)

#: up to so many entrants, all get each result at once; in larger fields, at the end of the round
FEW = 40


def ended(desk: Desk, before: Tournament, result: TableResult) -> Effect:
    """A game is over: its result enters the standings, and all get an email.

    If it is the last of its round, the standings are published and the director gets the
    question about the next seating.
    """
    over = TableEnded(ToldResult(result, desk.now, by=commit.ITSELF))
    acts = [LoggedAct(over, commit.ITSELF)]
    stays, letters = entering.staying(desk, before, result)
    acts += stays
    tournament = planned(before, acts, desk.now)
    if tournament.complete:
        acts.append(_published(tournament))
        return change_of(desk, before, acts, [*letters, *_round_over(desk, tournament, result)])
    many = len(tournament.players) > FEW
    words = result_words(tournament, result, many=many)
    seats = {player for seat in result.seats for player in seat.players}
    told = [e for e in tournament.of_state("entered") if e.name in seats or not many]
    all_told = [*to_offices(desk, tournament, words), *to_these(desk, tournament, told, words)]
    return change_of(desk, before, acts, [*letters, *all_told])


HAS_WINNER = "Table {table} is over: {winner} won."
WAS_GIVEN_UP = "Table {table} was given up."
STILL_PLAYS = "Round {round} still plays on {tables}."


def result_words(tournament: Tournament, result: TableResult, *, many: bool) -> TournamentText:
    """The sentences about the end of a game; if ``many`` play, without the standings."""
    headline = WAS_GIVEN_UP if result.ended == "abandoned" else HAS_WINNER
    winner = listed([seat.last for seat in result.seats if seat.place == 1])
    left = len(tournament.begun[result.round]) - len(tournament.finished(result.round))
    lines = [
        _HOW.get(result.ended, ""),
        *listing.reasons(tournament, result),
        STILL_PLAYS.format(round=result.round, tables=counted(left, "table")) if left else "",
    ]
    blocks = [] if many else listing.standings_blocks(tournament, 12)
    return TournamentText(
        headline.format(table=result.label, winner=winner),
        lines,
        [places(tournament, result), *blocks],
        kind="result",
    )


_HOW = {
    "agreed": "Its players have agreed to end it.",
    "adjudicated": "It was adjudicated as it stood.",
    "abandoned": "It could not be ended, and counts as it stood.",
}


def places(tournament: Tournament, result: TableResult) -> Grid:
    """The places, worths and scores of a game."""
    scores = listing.scores_of(tournament, result)
    rows = tuple(
        (str(seat.place), player_told(seat), f"${seat.worth}", scores.get(seat.seat, ""))
        for seat in sorted(result.seats, key=lambda seat: seat.place)
    )
    game = Column(f"{result.game} ({result.title})", name=True)
    columns = Column("", True), game, Column("worth", True), Column("score", True)
    return Grid("", columns, rows)


STANDINGS_AFTER = "Round {round} is over: these are the standings."
WAS_LAST_ROUND = "It was the last round. Next, the director ends the tournament."
NEXT_ROUND = "Next, the director seats round {round}."
FINISH = "Round {round} is over: finish the tournament."
SEAT = "Round {round} is over: seat the next."
HOW_TO_FINISH = "`finish` ends the tournament and emails all players the winner."
HOW_TO_SEAT = "`seat` seats round {round}."


def _published(tournament: Tournament) -> LoggedAct:
    """The standings as all get them after the latest round."""
    standings = StandingsPublished(tournament.round, listing.text_after(tournament))
    return LoggedAct(standings, commit.ITSELF)


def _round_over(desk: Desk, tournament: Tournament, latest: TableResult) -> list[Letter]:
    """A round's last game is over: standings to all, and one question to the director."""
    number, last = tournament.round, tournament.round == len(tournament.rules.rounds)
    blocks = [*listing.standings_blocks(tournament, SHOWN), places(tournament, latest)]
    lines = [
        WAS_LAST_ROUND if last else NEXT_ROUND.format(round=number + 1),
        *listing.reasons(tournament, latest),
    ]
    headline = STANDINGS_AFTER.format(round=number)
    words = TournamentText(headline, lines, blocks, kind="standings")
    ask = TournamentText(
        (FINISH if last else SEAT).format(round=number),
        (HOW_TO_FINISH if last else HOW_TO_SEAT.format(round=number + 1),),
        blocks,
        ("finish" if last else "seat",),
        kind="next",
    )
    return [*to_all_entrants(desk, tournament, words), to_director(desk, tournament, ask)]


STRUCK = "Struck out: {result}."
COUNTS_NOW = "It counts now: {result}."
CORRECTED = "The result of table {table} is corrected."
NO_RESULT = "Table {table} has no result to be corrected."
TABLES_LISTS_RESULTS = "`tables` lists the tables with their results."
SAME_RESULT = "That is the result of table {table} already."
WRITE_THE_OTHER_RESULT = "Write the other result."
SEATING_STAYS = "The seating of round {round} stays, because it was published before."


def correct(context: TournamentContext, said: Instruction) -> Effect:
    """Correct the result of a game: the former one is struck out, all get an email."""
    before = context.tournament
    round_, _, table = said.table.partition(".")
    record = before.record(int(round_), int(table))
    if record is None:
        raise Refused(NO_RESULT.format(table=said.table), hint=TABLES_LISTS_RESULTS)
    after = _corrected(record.result, said.rest)
    if after == record.result:
        raise Refused(SAME_RESULT.format(table=said.table), hint=WRITE_THE_OTHER_RESULT)
    ended = TableEnded(ToldResult(after, context.desk.now, said.because, context.office))
    tournament = planned(before, [LoggedAct(ended, context.office, said.because)], context.desk.now)
    again = listing.published_again(before, tournament)
    later = before.seated(after.round + 1)
    lines = [
        BECAUSE.format(because=said.because),
        STRUCK.format(result=result_told(record.result)),
        COUNTS_NOW.format(result=result_told(after)),
        SEATING_STAYS.format(round=after.round + 1) if later is not None else "",
        listing.STANDINGS_STRUCK if again else "",
    ]
    blocks = listing.standings_blocks(tournament, SHOWN, struck=False)
    words = TournamentText(CORRECTED.format(table=said.table), lines, blocks, kind="corrected")
    return decided_by_director(context, said, [ended, *again], words, *lines)


_WORTH = re.compile(r"(\S+)\s+\$?(-?\d{1,7})")
HOW_TO_CORRECT = "Waybill did not understand `{part}`."
WRITE_CORRECT = "Write `correct {table}: {name} 5120 because …`. There play {players}."


def _corrected(result: TableResult, text: str) -> TableResult:
    """A result with other worths: `Bob 5120, Ann 4890`; places follow. Raises Refused."""
    worth = {seat.seat: seat.worth for seat in result.seats}
    named = {seat.casefold(): seat for seat in worth}
    parts = [one.strip() for one in re.split(r"[,;]", text)]
    for part in filter(None, parts) if any(parts) else ["nothing"]:
        found = _WORTH.fullmatch(part)
        seat = named.get(found[1].casefold()) if found else None
        if found is None or seat is None:
            first, players = next(iter(worth)), listed(list(worth))
            hint = WRITE_CORRECT.format(table=result.label, name=first, players=players)
            raise Refused(HOW_TO_CORRECT.format(part=part), hint=hint)
        worth[seat] = int(found[2])
    places = engine.places([seat.seat for seat in result.seats if seat.out], worth)
    seats = (structs.replace(s, worth=worth[s.seat], place=places[s.seat]) for s in result.seats)
    return structs.replace(result, seats=tuple(sorted(seats, key=lambda s: s.place)))


# ------------------------------------------------------------------------------------ the end
IS_WON = "{tournament} is over. {winner}"
ENDS_AFTER = "{tournament} ends after round {round}. {winner}"
NOT_BEGUN = "{tournament} has not begun."
ENDS_WHEN_OVER = "`finish` closes the tournament when all tables are over."
ABANDON_BECAUSE_GIVES_IT = "`abandon because …` gives it up."
PRIZES = "Prizes: {prizes}"


def finish(context: TournamentContext, said: Instruction) -> Effect:
    """The tournament is over: final standings and prizes to all. Raises Refused."""
    tournament = context.tournament
    if not tournament.round:
        raise Refused(NOT_BEGUN.format(tournament=tournament.name), hint=ABANDON_BECAUSE_GIVES_IT)
    if not tournament.complete:
        told = STILL_PLAYS.format(round=tournament.round, tables=some(tournament.unfinished))
        raise Refused(told, hint=ENDS_WHEN_OVER)
    winner = listing.winners(tournament)
    told = ENDS_AFTER if tournament.round < len(tournament.rules.rounds) else IS_WON
    text = told.format(tournament=tournament.name, round=tournament.round, winner=winner)
    prizes = PRIZES.format(prizes=tournament.rules.prizes) if tournament.rules.prizes else ""
    blocks = listing.standings_blocks(tournament, SHOWN)
    words = TournamentText(text, (*prizes.split("\n"), THANKS), blocks, kind="over")
    return _over(context, said, TournamentOver(False, text), words)


GIVEN_UP = "{tournament} is given up."
TABLES_GO_ON = "The tables still in play go on as separate games."


def abandon(context: TournamentContext, said: Instruction) -> Effect:
    """Abandon the tournament; its games continue on their own."""
    text = GIVEN_UP.format(tournament=context.tournament.name)
    go_on = TABLES_GO_ON if context.tournament.playing else ""
    words = TournamentText(text, (BECAUSE.format(because=said.because), go_on), kind="over")
    return _over(context, said, TournamentOver(True, text), words)


def _over(
    context: TournamentContext, said: Instruction, over: TournamentOver, words: TournamentText
) -> Effect:
    """The tournament ends; all and the offices read it."""
    letters = to_offices(context.desk, context.tournament, words)

    def end(tx: Tx) -> None:
        tx.tournaments.end(context.tournament.id, context.desk.now)

    return decided_by_director(context, said, [over], words, over.text, letters=letters, also=end)


# ------------------------------------------------------------------------------------ results
_ENDED: Mapping[str, HowEnded] = {"director": "adjudicated", "agreement": "agreed"}


def result_of(tx: Tx, tournament: Tournament, table: BegunTable) -> TableResult | None:
    """The result of a finished game; None while it is in play."""
    game = load(tx, table.game)
    if game is None or game.head is None or game.row.status not in ("ended", "abandoned"):
        return None
    if game.row.status == "abandoned":
        worth = worth_now(game)
        how: HowEnded = "abandoned"
    else:
        ended = [e for e in games.events(game.head) if isinstance(e, GameEnded)]
        worth = dict(ended[-1].worth) if ended else worth_now(game)
        cause = ended[-1].cause if ended else "agreement"
        how = _ENDED.get(cause, "rules")
    decided = tx.tournaments.decided(game.row.id)
    places = engine.places(game.state.out, worth)
    seats = tuple(
        SeatResult(
            seat,
            places[seat],
            own,
            tuple(_players(tx, tournament, game, seat)),
            *decided.get(seat, (0, 0)),
            seat in game.state.out,
        )
        for seat, own in worth.items()
    )
    return TableResult(
        table.round, table.number, table.game, table.title, how, game.head.number, seats
    )


def worth_now(game: GameTable) -> dict[Seat, int]:
    """The worth of all if the game ended now, the richest first."""
    outcome = engine.agreed_end(game.title, game.state, "director")
    [ended] = [event for event in outcome.events if isinstance(event, GameEnded)]
    return dict(ended.worth)


STANDBY_FOR = "standby for {seat}"


def _players(tx: Tx, tournament: Tournament, game: GameTable, seat: Seat) -> Iterator[str]:
    """The players of a seat, in order."""
    yield seat
    former = [one for one in tx.people.former(game.row.id) if one.seat == seat]
    later = [one.address for one in sorted(former, key=lambda one: one.until)[1:]]
    for address in (*later, game.seat(seat).address) if former else ():
        entry = tournament.had_address(address)
        yield entry.name if entry is not None else STANDBY_FOR.format(seat=seat)


def table_ended(reads: Tx, service: Service, now: int, row: TaskRow) -> Done:
    """A game is over: add its result to the standings, and email everybody.

    If the tournament was abandoned, there are no standings; its director gets the email that
    any director gets.
    """
    found = table_of(reads, row.game)
    if found is None:
        return Done("no game")
    tournament, table = found
    result, game = result_of(reads, tournament, table), load(reads, row.game)
    told = tournament.record(table.round, table.number) is not None
    if result is None or told or tournament.status != "running":
        note = "its result is known, or it goes on"
        given_up = result is not None and tournament.status == "abandoned"
        if not given_up or game is None or game.head is None:
            return Done(note)
        own, head = game.row, game.head.id
        return Done(note, read=game, also=lambda tx: commit.tell_over(tx, own, head, now))
    desk = Desk(service, now, Occasion("tournament", row.key, tournament.name))
    note = f"table {table.label}: {result_told(result)}"[:200]
    return concluded(ended(desk, tournament, result), note=note)
