"""Seatings, boards that begin and end, standings, and what a director does in between."""

import pytest

from service.commands import helping
from service.commands.entry import TOURNAMENT_IS_OVER
from service.desk import put_aside
from service.desk.tournament.answering import tournament_context
from service.desk.tournament.directing import tournament_directing
from service.desk.tournament.entries import withdrawing
from service.desk.tournament.letters import tournament_letters
from service.desk.tournament.offices import tournament_assistant
from service.desk.tournament.questions import director_questions, public
from service.desk.tournament.results import results
from service.desk.tournament.rounds import seating_rounds
from service.desk.tournament.rules import changing_rules
from service.desk.tournament.ruling import ruling
from service.desk.vocabulary import tournament_commands
from service.games.games import load
from service.reports.letters import seated
from service.tournaments import listing, seating, telling
from service.tournaments import listing as texts
from service.tournaments.listing import result_told
from service.tournaments.rules import due_days
from service.tournaments.telling import IS_OVER
from tests.service.players import address, flat, one, says
from tests.service.tournament.conftest import FIVE
from tests.service.tournament.setting import DIRECTOR, FORM, PlayedTournament

BOARD = "spring-1-1"


def table(spring, game=BOARD):
    with spring.people.store.transaction() as tx:
        return load(tx, game)


def kinds(letters, to):
    return [one.kind for one in letters if one.to == to]


def over(spring, number="1.1"):
    """A board ends as it stands, by its director; the letters that follow."""
    [letter] = [x for x in spring.direct(f"board {number}") if x.kind == "table"]
    return spring.took(spring.people.reply(letter, "end game because time is up"))


def test_a_seating_is_published_at_once_from_the_promised_seed(spring):
    spring.enter(*FIVE)
    assert says(spring.receipt(spring.direct("seat")), seating_rounds.ENTRIES_ARE_OPEN)
    spring.direct("close")
    digest = spring.tournament.digests[0]
    letters = spring.direct("seat")
    assert {x.to for x in letters} == {DIRECTOR, *map(address, FIVE)}
    told = spring.receipt(letters)
    assert says(told, seating_rounds.PUBLISHED) and digest in told
    seating = spring.tournament.seated(1)
    assert seating.digest == digest and set(seating.tables[0].seats) == set(FIVE)
    assert says(spring.receipt(spring.direct("yes")), tournament_assistant.NOTHING_WAITS)
    assert says(spring.receipt(spring.direct("seat")), seating_rounds.IS_PUBLISHED, round=1)


def test_too_few_players_for_a_table_are_not_seated(spring):
    spring.enter("Ann", "Bob")
    spring.direct("close")
    told = spring.receipt(spring.direct("seat"))
    assert says(told, seating.NO_TABLE, players=2, fewest=3)


@pytest.mark.long
def test_a_board_begins_as_any_game_by_the_rules_of_the_tournament(begun):
    found, seating = table(begun), begun.tournament.seated(1)
    assert found.state.seats == seating.tables[0].seats
    assert found.row.organiser == DIRECTOR and found.row.status == "running"
    assert (found.settings.grade, found.settings.caretaker, found.settings.clock) == (
        "standard", True, "",
    )  # fmt: skip
    first = found.state.seats[0]
    assert kinds(begun.people.letters, address(first)).count("turn") == 1
    welcome = one(begun.people.letters, first, "turn")
    published = seating_rounds.AS_PUBLISHED.format(table="1.1", tournament="spring")
    assert says(welcome, seated(found.state.seats, published))
    assert [v.address for v in found.volunteers] == [address("Sam")]
    letters = begun.people.reply(begun.people.latest(first), "pass")
    assert "receipt" in kinds(letters, address(first))
    told = begun.receipt(begun.direct("boards"))
    assert says(told, telling.TABLES_ARE_OVER, round=1, rounds=1, over=0, left="1 table")
    assert found.settings.undo == "leave"
    [refused] = begun.people.reply(begun.people.latest(first), "propose undo to 0")
    assert refused.to == address(first), "nobody else is asked"
    assert table(begun).state.number == 1


@pytest.mark.long
def test_a_board_that_ends_enters_the_standings_and_the_director_is_asked_once(begun):
    letters = over(begun)
    record = begun.tournament.record(1, 1)
    assert record.result.ended == "adjudicated"
    assert {seat.seat for seat in record.result.seats} == set(FIVE)
    asked = [x for x in letters if x.to == DIRECTOR and x.kind == "next"]
    assert len(asked) == 1 and says(asked[0], results.FINISH, round=1)
    for name in FIVE:
        assert "standings" in kinds(letters, address(name))
    [told] = begun.people.stranger("fay@x.test", "standings spring")
    assert "Ann" in told.text
    assert begun.people.work() == []


def test_a_round_with_a_board_still_playing_is_not_closed(begun):
    for word, why in (("seat", seating_rounds.STILL_PLAYS), ("finish", results.STILL_PLAYS)):
        told = begun.receipt(begun.direct(word))
        assert says(told, why, round=1, tables="table 1")
    assert begun.tournament.status == "running"


@pytest.mark.long
def test_withdrawing_in_the_middle_of_a_round_asks_first_and_calls_the_standbys(begun):
    letters = begun.write("Bob", "withdraw")
    assert says(letters[0], withdrawing.YOU_STILL_PLAY, table="1.1", game=BOARD)
    assert begun.tournament.entry("Bob").state == "entered"
    letters = begun.write("Bob", "withdraw yes")
    assert begun.tournament.entry("Bob").state == "withdrawn"
    assert says(one(letters, "Bob", "answer"), withdrawing.SEAT_IS_OFFERED, tables="1.1")
    [offer] = [x for x in letters if x.to == address("Sam")]
    letters = begun.people.reply(offer, "yes")
    assert table(begun).seat("Bob").address == address("Sam")
    assert "briefing" in kinds(letters, address("Sam"))
    over(begun)
    [seat] = [s for s in begun.tournament.record(1, 1).result.seats if s.seat == "Bob"]
    assert seat.players == ("Bob", "Sam") and seat.last == "Sam"


@pytest.mark.long
def test_the_seat_of_a_player_who_leaves_before_the_start_is_offered_to_a_standby(newcomers):
    spring = PlayedTournament(newcomers)
    spring.announce()
    spring.enter("Ann", "Bob", "Cat")
    spring.enter("Sam", word="standby")
    for word in ("close", "seat"):
        spring.direct(word)
    spring.write("Bob", "withdraw")
    assert spring.tournament.entry("Bob").state == "withdrawn"
    letters = spring.direct("start") + spring.took(spring.people.work())
    assert table(spring).vacancy("Bob").cause == "director"
    [offer] = [x for x in letters if x.to == address("Sam")]
    spring.people.reply(offer, "yes")
    assert table(spring).seat("Bob").address == address("Sam")


def test_a_standby_who_ends_a_board_plays_the_later_rounds(begun):
    begun.direct("rules", "rounds: 2", "because all want to play again")
    letters = begun.write("Bob", "withdraw yes")
    [offer] = [x for x in letters if x.to == address("Sam")]
    begun.people.reply(offer, "yes")
    letters = over(begun)
    assert begun.tournament.entry("Sam").state == "entered"
    assert "stays" in kinds(letters, address("Sam"))
    begun.direct("seat")
    assert set(begun.tournament.seated(2).tables[0].seats) == {"Ann", "Cat", "Dan", "Eve", "Sam"}


@pytest.mark.long
def test_a_hold_touches_all_boards(begun):
    assert says(
        begun.receipt(begun.direct("hold")), tournament_directing.EXAMPLE_WITH_REASON, word="hold"
    )
    letters = begun.direct("hold because a rule is in doubt")
    assert table(begun).on_hold
    assert kinds(letters, address("Ann")) == ["ruling"], "a player gets one email"
    assert kinds(letters, address("Sam")) == ["hold"]
    assert says(
        begun.receipt(begun.direct("resume")),
        tournament_directing.EXAMPLE_WITH_REASON,
        word="resume",
    )
    begun.direct("resume because the rule is clear")
    assert not table(begun).on_hold
    assert [one.act.what for one in begun.tournament.log if hasattr(one.act, "what")][-2:] == [
        "hold", "resume",
    ]  # fmt: skip


def test_an_adjudicated_board_in_a_stock_round_ends_at_once(begun):
    begun.direct("adjudicate because the year is over")
    assert table(begun).row.status == "ended"
    assert begun.tournament.record(1, 1).result.ended == "adjudicated"


@pytest.mark.long
def test_a_correction_strikes_out_what_was_told_and_tells_all(begun):
    over(begun)
    before = begun.tournament.record(1, 1).result
    told = begun.receipt(begun.direct("correct 1.1: Bob 900"))
    assert says(told, tournament_directing.EXAMPLE_WITH_REASON, word="correct")
    told = begun.receipt(begun.direct("correct 1.1: Zoe 900 because of it"))
    assert says(told, results.HOW_TO_CORRECT, part="Zoe 900")
    assert says(told, results.WRITE_CORRECT, table="1.1")
    letters = begun.direct("correct 1.1: Bob 900 because a dividend was forgotten")
    record = begun.tournament.record(1, 1)
    assert record.struck[0][0].result == before and record.result.seats[0].seat == "Bob"
    told = one(letters, "Ann", "corrected")
    assert says(told, results.STRUCK, result=result_told(before))
    assert says(told, results.COUNTS_NOW, result=result_told(record.result))
    assert says(told, listing.STANDINGS_STRUCK)
    assert len(begun.tournament.published) == 2


@pytest.mark.long
def test_the_end_tells_all_who_has_won_and_what(begun):
    over(begun)
    begun.direct("rules", "prizes: A pewter locomotive.", "because the sponsor has said so")
    letters = begun.direct("finish")
    told = one(letters, "Ann", "over")
    assert says(told, results.IS_WON, tournament="spring", winner=listing.winners(begun.tournament))
    assert says(told, results.PRIZES, prizes="A pewter locomotive.")
    assert begun.tournament.status == "ended"
    assert says(begun.receipt(begun.direct("seat")), TOURNAMENT_IS_OVER, word="seat")
    [told] = begun.ask("Zoe")
    assert says(told, IS_OVER, tournament="spring")


def test_rules_change_after_the_start_by_a_ruling_alone(begun):
    told = begun.receipt(begun.direct("rules", "excused: 5"))
    assert says(told, changing_rules.ONLY_BY_RULING)
    letters = begun.direct("rules", "excused: 5", "because of the summer")
    assert begun.tournament.rules.excused == 5
    told = one(letters, "Ann", "rules")
    assert says(told, changing_rules.WAS_BEFORE, key="excused", value=5, before=3)
    told = begun.receipt(begun.direct("rules", "excused: 5", "because of it"))
    assert says(told, changing_rules.NOTHING_CHANGES)


@pytest.mark.long
@pytest.mark.parametrize("by_day", [False, True])
def test_a_director_who_plays_leaves_the_own_table_to_an_assistant(newcomers, by_day):
    spring = PlayedTournament(newcomers, director=address("Ann"))
    spring.announce()
    spring.enter(*FIVE)
    for word in ("close", "seat"):
        spring.direct(word)
    assert says(spring.receipt(spring.direct("start")), seating_rounds.NAME_AN_ASSISTANT)
    letters = spring.direct("assistant tess@clubs.test")
    [asked] = [x for x in letters if x.to == "tess@clubs.test"]
    newcomers.reply(asked, "yes")
    assert spring.tournament.rules.assistant == "tess@clubs.test"
    spring.direct("start")
    assert table(spring).settings.assistant == "tess@clubs.test"
    for word in ("adjudicate 1.1", "exclude Bob", "withdraw Bob"):
        told = spring.receipt(spring.direct(f"{word} because I must travel"))
        assert says(told, tournament_directing.ASSISTANT_RULES, assistant="tess@clubs.test")
    assert says(spring.receipt(spring.direct("assistant off")), tournament_directing.NAME_ANOTHER)
    [letter] = [x for x in spring.direct("board 1.1") if x.kind == "table"]
    newcomers.reply(letter, "assistant off")
    assert table(spring).settings.assistant == "tess@clubs.test"
    if by_day:
        spring.direct("rules", "round 1 until: 2027-06-30", "because of the summer")
        newcomers.now = due_days(spring.tournament.rules)[0][1]
        spring.took(newcomers.work())
    else:
        newcomers.reply(asked, "adjudicate 1.1 because of a flood")
    assert table(spring).row.status == "ended"


@pytest.mark.long
def test_the_lists_of_the_director(begun):
    told = begun.receipt(begun.direct("late"))
    assert says(told, director_questions.MUST_ACT, players="1 player", tables="1 table")
    assert address("Sam") in begun.receipt(begun.direct("standby"))
    told = begun.receipt(begun.direct("log"))
    assert says(told, director_questions.LOG_LINE, number=1, by="director")
    assert "the tournament was announced" in told
    assert address("Ann") in begun.receipt(begun.direct("entries"))
    letters = begun.direct("standings json")
    [file] = [p for p in letters[0].mail.walk() if p.get_filename() == "spring-standings.json"]
    assert b'"entries"' in file.get_payload(decode=True)
    assert says(begun.receipt(begun.direct("dance")), tournament_context.HELP_LISTS)
    assert says(begun.receipt(begun.direct("help")), helping.COMMANDS)


def test_a_fault_at_a_board_is_told_to_who_directs_all_of_them(begun, monkeypatch):
    from service.desk.turns import turn

    def fails(*_, **__):
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(turn.TurnEmail, "effect", fails)
    letters = begun.people.write("Ann", "pass", game=BOARD, sender=address("Ann"))
    [told] = [x for x in letters if (x.to, x.kind) == (DIRECTOR, "fault")]
    assert says(told, put_aside.MET_A_FAULT, table="1.1", game=BOARD)
    assert says(told, put_aside.HOLD_ALL)


def test_words_to_all_and_rulings_are_told_and_kept(begun):
    letters = begun.direct("announce: The library is closed.", "Read at home.")
    told = one(letters, "Cat", "announce").text
    assert "The library is closed." in told and "Read at home." in told
    letters = begun.direct("rule: the bridge of 18AL counts once")
    assert says(one(letters, "Cat", "rule"), ruling.HOLDS_ALIKE)
    letters = begun.direct("rule 1.1: the river is crossed once")
    assert says(one(letters, "Cat", "rule"), ruling.HOLDS_ALIKE)
    assert "counts once" in begun.receipt(begun.direct("log"))


@pytest.mark.long
def test_days_of_the_rules_come_by_themselves(newcomers):
    spring = PlayedTournament(newcomers)
    spring.announce(*FORM, "close: 2027-02-01", "start: 2027-02-10")
    spring.enter(*FIVE)
    (_, closes), (_, starts) = due_days(spring.tournament.rules)
    newcomers.now = closes
    spring.took(newcomers.work())
    assert spring.tournament.status == "closed"
    newcomers.now = starts
    letters = spring.took(newcomers.work())
    [told] = [x for x in letters if x.to == DIRECTOR]
    assert says(told, seating_rounds.NOT_SEATED, round=1)


def test_a_board_of_a_tournament_that_was_given_up_tells_its_director_of_its_end(begun):
    [letter] = [x for x in begun.direct("board 1.1") if x.kind == "table"]
    begun.direct("abandon because too few have time")
    reason = "time is up"
    letters = begun.people.reply(letter, f"end game because {reason}")
    [told] = [one for one in letters if (one.to, one.kind) == (DIRECTOR, "ended")]
    assert reason in flat(told)
    assert begun.tournament.record(1, 1) is None


@pytest.mark.long
@pytest.mark.parametrize("reason", ["", "too few have time"])
def test_giving_up_takes_a_reason(begun, reason):
    letters = begun.direct(f"abandon because {reason}" if reason else "abandon")
    if not reason:
        assert says(
            begun.receipt(letters), tournament_directing.EXAMPLE_WITH_REASON, word="abandon"
        )
    else:
        assert begun.tournament.status == "abandoned"
        told = one(letters, "Ann", "over")
        assert says(told, results.GIVEN_UP, tournament="spring")
        assert says(told, tournament_letters.BECAUSE, because=reason)
        assert table(begun).row.status == "running"


def test_a_seat_s_new_address_is_the_entrant_s_and_the_other_way_round(begun):
    people = begun.people
    [asked] = [
        x for x in people.write("Bob", "address bob@new.test", game=BOARD, sender=address("Bob"))
        if x.to == "bob@new.test"
    ]  # fmt: skip
    people.reply(asked, "yes")
    assert table(begun).seat("Bob").address == "bob@new.test"
    assert begun.tournament.entry("Bob").addresses == ("bob@new.test",)
    letters = begun.write("Cat", "address cat@new.test")
    [asked] = [x for x in letters if x.to == "cat@new.test"]
    letters = begun.took(people.reply(asked, "yes"))
    assert table(begun).seat("Cat").address == "cat@new.test"
    assert "readdressed" in [x.kind for x in letters if x.to == "cat@new.test"]
    over(begun)
    assert "standings" in kinds(people.letters, "cat@new.test")
    assert "standings" in kinds(people.letters, "bob@new.test")


@pytest.mark.long
def test_who_stands_by_later_stands_by_for_the_boards_that_are_played(begun):
    begun.enter("Tom", word="standby")
    assert address("Tom") in [v.address for v in table(begun).volunteers]


@pytest.mark.long
def test_everybody_is_told_what_may_be_written(begun):
    [told] = begun.people.stranger("zoe@x.test", "help tournaments")
    for entry in tournament_commands.ENTRIES:
        assert f"`{entry.syntax}`" in flat(told)
    [told] = begun.people.write("Ann", "standings spring", game=BOARD, sender=address("Ann"))
    assert says(told, public.NO_STANDINGS)


def test_a_start_that_fails_in_its_midst_leaves_nothing_and_is_done_once_when_begun_again(
    spring, monkeypatch
):
    from service.store import Conflict
    from service.store.tasks import Tasks

    spring.enter(*FIVE)
    for word in ("close", "seat"):
        spring.direct(word)
    kept, failed = Tasks.add, []

    def fail(self, task, now):
        if not failed and task.kind == "tournament-opening":
            failed.append(task)
            raise Conflict("the power failed")
        return kept(self, task, now)

    monkeypatch.setattr(Tasks, "add", fail)
    letters = spring.direct("start")
    assert failed and says(spring.receipt(letters), seating_rounds.HAS_BEGUN, round=1)
    begins = [x.kind for x in letters]
    assert (begins.count("welcome"), begins.count("turn")) == (4, 1)
    assert [one.act.round for one in spring.tournament.log if hasattr(one.act, "games")] == [1]
    with spring.people.store.transaction() as tx:
        assert [row.name for row in tx.games.lines()] == [BOARD]


@pytest.mark.long
def test_the_end_of_a_board_that_is_begun_again_is_told_once(begun, monkeypatch):
    from service.store import Conflict
    from service.store.tasks import Tasks

    kept, failed = Tasks.finish, []

    def fail(self, task, note=""):
        if not failed and note.startswith("table 1.1"):
            failed.append(task)
            raise Conflict("somebody was faster")
        return kept(self, task, note)

    monkeypatch.setattr(Tasks, "finish", fail)
    letters = over(begun)
    assert failed and len(begun.tournament.record(1, 1).told) == 1
    assert kinds(letters, address("Ann")).count("standings") == 1
    assert kinds(letters, DIRECTOR).count("next") == 1


def test_a_correction_after_the_next_seating_changes_nothing_of_that(begun):
    letters = begun.direct("rules", "rounds: 2", "because all want to play again")
    told = one(letters, "Ann", "rules")
    assert says(told, changing_rules.SEED_DIGEST, round=2, digest=begun.tournament.digests[1])
    over(begun)
    begun.direct("seat")
    before = begun.tournament.seated(2)
    assert before.digest == begun.tournament.digests[1]
    result, reason = begun.tournament.record(1, 1).result, "a dividend was forgotten"
    letters = begun.direct(f"correct 1.1: Bob 900 because {reason}")
    told = one(letters, "Ann", "corrected")
    assert says(told, results.STRUCK, result=result_told(result))
    assert says(told, results.SEATING_STAYS, round=2)
    assert begun.tournament.seated(2) == before
    [told] = begun.people.stranger("zoe@x.test", "standings spring")
    assert says(told, listing.STRUCK)
    assert says(told, texts.STRUCK_OUT, table="1.1", why=reason)
    begun.direct("start")
    told = begun.receipt(begun.direct("rules", "rounds: 1", "because of the heat"))
    assert says(told, changing_rules.ROUND_IS_SEATED, round=2)


def test_who_is_named_the_assistant_later_assists_at_the_boards_that_are_played(begun):
    people = begun.people
    letters = begun.direct("assistant tess@clubs.test")
    [asked] = [x for x in letters if x.to == "tess@clubs.test"]
    people.reply(asked, "perhaps")
    assert table(begun).settings.assistant == ""
    people.reply(asked, "yes")
    assert table(begun).settings.assistant == "tess@clubs.test"
    [letter] = [x for x in people.reply(asked, "board 1.1") if x.kind == "table"]
    people.reply(letter, "hold because a rule is in doubt")
    assert table(begun).on_hold
    begun.direct("assistant off")
    people.reply(letter, "resume because the rule is clear")
    assert table(begun).on_hold and begun.tournament.rules.assistant == ""


@pytest.mark.long
def test_the_director_withdraws_somebody_who_cannot_write(begun):
    letters = begun.direct("withdraw Bob because of an illness")
    assert begun.tournament.entry("Bob").state == "withdrawn"
    assert says(begun.receipt(letters), withdrawing.SEAT_IS_OFFERED, tables="1.1")
    assert "offered" in kinds(letters, address("Sam"))
    told = begun.receipt(begun.direct("withdraw Bob because of it"))
    assert says(told, withdrawing.PLAYS_NO_MORE, name="Bob", tournament="spring")


def test_emails_show_all_places_and_what_a_lot_has_decided(begun):
    told = one(over(begun), "Ann", "standings")
    assert all(name in told.text for name in FIVE)
    assert says(told, listing.BY_LOT), "all have what they began with"
    begun.direct("correct 1.1: Ann 100, Bob 900, Cat 800, Dan 700, Eve 600 because of a slip")
    result = begun.tournament.record(1, 1).result
    text = results.result_words(begun.tournament, result, many=False)
    assert "Ann" not in " ".join(text.lines), "the table tells the place that scores nothing"
