"""Seatings, boards that begin and end, standings, and what a director does in between."""

import pytest

from service.desk.tournament.days import due_days
from service.games.games import load
from tests.service.cups.conftest import FIVE
from tests.service.cups.cup import DIRECTOR, FORM, Cup
from tests.service.house import address, flat, one

BOARD = "spring-1-1"


def table(cup, game=BOARD):
    with cup.people.store.transaction() as tx:
        return load(tx, game)


def kinds(letters, to):
    return [one.kind for one in letters if one.to == to]


def over(cup, number="1.1"):
    """A board ends as it stands, by its director; the letters that follow."""
    [letter] = [x for x in cup.direct(f"board {number}") if x.kind == "board"]
    return cup.took(cup.people.reply(letter, "end game because time is up"))


def test_the_proposal_is_shown_first_and_published_by_yes(cup):
    cup.enter(*FIVE)
    assert "Entries are open: `close` them first" in cup.receipt(cup.direct("seat"))
    cup.direct("close")
    letters = cup.direct("seat")
    assert [x.to for x in letters] == [DIRECTOR]
    assert "THE PROPOSAL" in letters[0].text and cup.cup.value.seated(1) is None
    digest = cup.cup.value.digests[0]
    assert digest in letters[0].text
    # what was shown was made by rules that hold no more
    cup.direct("rules", "round 1 tables: 5, 4")
    assert "Nothing waits for your `yes`" in cup.receipt(cup.direct("yes"))
    cup.direct("seat")
    letters = cup.direct("yes")
    assert {x.to for x in letters} == {DIRECTOR, *map(address, FIVE)}
    seating = cup.cup.value.seated(1)
    assert seating.digest == digest and set(seating.tables[0].seats) == set(FIVE)
    assert "Nothing waits for your `yes`" in cup.receipt(cup.direct("yes"))
    assert "is seated and published" in cup.receipt(cup.direct("seat"))


@pytest.mark.long
def test_the_director_may_change_a_proposal_for_a_reason_that_all_are_told(cup):
    cup.enter(*FIVE)
    cup.direct("close")
    cup.direct("seat")
    before = cup.cup.proposed.tables[0].seats
    assert "Say why" in cup.receipt(cup.direct("swap Ann and Bob"))
    cup.direct("swap Ann and Bob because they share a flat")
    after = cup.cup.proposed.tables[0].seats
    assert after.index("Ann") == before.index("Bob") and after.index("Bob") == before.index("Ann")
    letters = cup.direct("yes")
    assert "Changed by the director: they share a flat" in flat(one(letters, "Cat", "seated"))


@pytest.mark.long
def test_who_has_left_since_the_proposal_was_shown_is_not_seated(cup):
    cup.enter(*FIVE)
    cup.direct("close")
    cup.direct("seat")
    cup.write("Eve", "withdraw")
    assert "Eve has left since it was shown" in cup.receipt(cup.direct("yes"))
    cup.direct("seat")
    cup.direct("yes")
    assert len(cup.cup.value.seated(1).tables[0].seats) == 4


def test_too_few_players_are_not_seated(cup):
    cup.enter("Ann", "Bob")
    cup.direct("close")
    assert "2 players have entered; the rules ask for 3" in cup.receipt(cup.direct("seat"))


@pytest.mark.long
def test_a_board_begins_as_any_game_by_the_rules_of_the_tournament(begun):
    found, seating = table(begun), begun.cup.value.seated(1)
    assert found.state.seats == seating.tables[0].seats
    assert found.row.organiser == DIRECTOR and found.row.status == "running"
    assert (found.settings.grade, found.settings.caretaker, found.settings.clock) == (
        "standard", True, "",
    )  # fmt: skip
    first = found.state.seats[0]
    assert "YOUR TURN" in begun.people.latest(first).subject
    welcome = flat(one(begun.people.letters, first, "welcome"))
    order = ", ".join(found.state.seats)
    said = f"{order} (as published for table 1.1 of spring; {first} has the priority deal)"
    assert said in welcome and "drawn by lot" not in welcome
    assert [v.address for v in found.volunteers] == [address("Sam")]
    letters = begun.people.reply(begun.people.latest(first), "pass")
    assert "receipt" in kinds(letters, address(first))
    assert "Round 1 of 1: 0 of 1 boards are over" in begun.receipt(begun.direct("boards"))
    assert found.settings.undo == "leave"
    refused = begun.people.reply(begun.people.latest(first), "propose undo to 0")
    assert "by the director's leave alone" in flat(refused[0])


@pytest.mark.long
def test_a_board_that_ends_enters_the_standings_and_the_director_is_asked_once(begun):
    letters = over(begun)
    record = begun.cup.record(1, 1)
    assert record.result.ended == "adjudicated"
    assert {seat.seat for seat in record.result.seats} == set(FIVE)
    asked = [x for x in letters if x.to == DIRECTOR and x.kind == "next"]
    assert len(asked) == 1 and "finish the tournament" in asked[0].subject
    for name in FIVE:
        assert "standings" in kinds(letters, address(name))
    [told] = begun.people.stranger("fay@x.test", "standings spring")
    assert "Ann" in told.text
    assert begun.people.work() == []


def test_a_round_with_a_board_still_playing_is_not_closed(begun):
    assert "Round 1 still plays on board 1" in begun.receipt(begun.direct("seat"))
    assert "Round 1 still plays on board 1" in begun.receipt(begun.direct("finish"))
    assert begun.cup.status == "running"


@pytest.mark.long
def test_withdrawing_in_the_middle_of_a_round_asks_first_and_calls_the_standbys(begun):
    letters = begun.write("Bob", "withdraw")
    assert "You still play on board 1.1" in flat(letters[0])
    assert begun.cup.entry("Bob").state == "entered"
    letters = begun.write("Bob", "withdraw yes")
    assert begun.cup.entry("Bob").state == "withdrawn"
    assert "is offered to those who stand by" in flat(one(letters, "Bob", "answer"))
    [offer] = [x for x in letters if x.to == address("Sam")]
    letters = begun.people.reply(offer, "yes")
    assert table(begun).seat("Bob").address == address("Sam")
    assert "briefing" in kinds(letters, address("Sam"))
    over(begun)
    [seat] = [s for s in begun.cup.record(1, 1).result.seats if s.seat == "Bob"]
    assert [tenure.player for tenure in seat.players] == ["Bob", "Sam"] and seat.last == "Sam"


@pytest.mark.parametrize("stays", [True, pytest.param(False, marks=pytest.mark.long)])
def test_a_standby_who_ends_a_board_plays_the_later_rounds_by_the_rules(begun, stays):
    rules = ("rounds: 2", f"standbys stay: {'yes' if stays else 'no'}")
    begun.direct("rules", *rules, "because all want to play again")
    letters = begun.write("Bob", "withdraw yes")
    [offer] = [x for x in letters if x.to == address("Sam")]
    begun.people.reply(offer, "yes")
    letters = over(begun)
    assert begun.cup.entry("Sam").state == ("entered" if stays else "standby")
    assert ("stays" in kinds(letters, address("Sam"))) == stays
    begun.direct("seat")
    seated = {"Ann", "Cat", "Dan", "Eve"} | ({"Sam"} if stays else set())
    assert set(begun.cup.proposed.tables[0].seats) == seated


@pytest.mark.long
def test_a_hold_touches_all_boards(begun):
    assert "Say why" in begun.receipt(begun.direct("hold"))
    letters = begun.direct("hold because a rule is in doubt")
    assert table(begun).held
    assert "hold" in kinds(letters, address("Ann")) and "ruling" in kinds(letters, address("Ann"))
    assert "Say why" in begun.receipt(begun.direct("resume"))
    begun.direct("resume because the rule is clear")
    assert not table(begun).held
    assert [one.act.what for one in begun.cup.log if hasattr(one.act, "what")][-2:] == [
        "hold", "resume",
    ]  # fmt: skip


def test_an_adjudicated_board_in_a_stock_round_ends_at_once(begun):
    begun.direct("adjudicate because the year is over")
    assert table(begun).row.status == "ended"
    assert begun.cup.record(1, 1).result.ended == "adjudicated"


@pytest.mark.long
def test_a_correction_strikes_out_what_was_told_and_tells_all(begun):
    over(begun)
    before = begun.cup.record(1, 1).result
    assert "Say why" in begun.receipt(begun.direct("correct 1.1: Bob 900"))
    assert "There play" in begun.receipt(begun.direct("correct 1.1: Zoe 900 because of it"))
    letters = begun.direct("correct 1.1: Bob 900 because a dividend was forgotten")
    record = begun.cup.record(1, 1)
    assert record.struck[0].result == before and record.result.seats[0].seat == "Bob"
    told = flat(one(letters, "Ann", "corrected"))
    assert "Struck out:" in told and "It counts now: 1. Bob $900" in told
    assert "The standings that were published are struck out" in told
    assert len(begun.cup.published) == 2


@pytest.mark.long
def test_the_end_tells_all_who_has_won_and_what(begun):
    over(begun)
    begun.direct("rules", "prizes: A pewter locomotive.", "because the sponsor has said so")
    letters = begun.direct("finish")
    told = flat(one(letters, "Ann", "over"))
    assert "has won it" in told and "Prizes: A pewter locomotive." in told
    assert begun.cup.status == "ended"
    assert "spring is over" in begun.receipt(begun.direct("seat"))
    [told] = begun.ask("Zoe")
    assert "spring is over" in flat(told)


def test_rules_change_after_the_start_by_a_ruling_alone(begun):
    assert "`because …` as the last line" in begun.receipt(begun.direct("rules", "excused: 5"))
    letters = begun.direct("rules", "excused: 5", "because of the summer")
    assert begun.cup.rules.excused == 5
    assert "excused: 5 (before: 3)" in flat(one(letters, "Ann", "rules"))
    assert "That is how the rules are" in begun.receipt(
        begun.direct("rules", "excused: 5", "because of it")
    )


@pytest.mark.long
@pytest.mark.parametrize("by_day", [False, True])
def test_a_director_who_plays_leaves_the_own_table_to_an_assistant(newcomers, by_day):
    cup = Cup(newcomers, director=address("Ann"))
    cup.announce()
    cup.enter(*FIVE)
    for word in ("close", "seat", "yes"):
        cup.direct(word)
    assert "name an assistant first" in cup.receipt(cup.direct("start"))
    letters = cup.direct("assistant tess@clubs.test")
    [asked] = [x for x in letters if x.to == "tess@clubs.test"]
    newcomers.reply(asked, "yes")
    assert cup.cup.rules.assistant == "tess@clubs.test"
    cup.direct("start")
    assert table(cup).settings.assistant == "tess@clubs.test"
    for word in ("adjudicate 1.1", "exclude Bob", "withdraw Bob yes"):
        told = cup.receipt(cup.direct(f"{word} because I must travel"))
        assert "You play at that table, so its assistant rules: tess@clubs.test" in told
    told = cup.receipt(cup.direct("assistant off"))
    assert "You play in this round: name another" in told
    [letter] = [x for x in cup.direct("board 1.1") if x.kind == "board"]
    told = flat(newcomers.reply(letter, "assistant off")[0])
    assert "its assistant is named there, for all boards" in told
    assert table(cup).settings.assistant == "tess@clubs.test"
    if by_day:
        cup.direct("rules", "round 1 until: 2027-06-30", "because of the summer")
        newcomers.now = due_days(cup.cup.rules)[0][1]
        cup.took(newcomers.work())
    else:
        newcomers.reply(asked, "adjudicate 1.1 because of a flood")
    assert table(cup).row.status == "ended"


@pytest.mark.long
def test_the_lists_of_the_director(begun):
    told = begun.receipt(begun.direct("late"))
    assert "1 player must act on 1 board" in told
    assert "Standing by: Sam" in begun.receipt(begun.direct("standby"))
    assert "#1 director: announced" in begun.receipt(begun.direct("log"))
    letters = begun.direct("entries csv")
    [file] = [p for p in letters[0].mail.walk() if p.get_filename() == "spring-entries.csv"]
    assert "Ann,entered" in file.get_payload(decode=True).decode()
    letters = begun.direct("export json")
    [file] = [p for p in letters[0].mail.walk() if p.get_filename() == "spring.json"]
    assert b'"entries"' in file.get_payload(decode=True)
    assert "Write `export csv`" in begun.receipt(begun.direct("export pdf"))
    assert "This is not understood" in begun.receipt(begun.direct("dance"))
    assert "WHAT YOU MAY WRITE" in begun.receipt(begun.direct("help"))


def test_a_fault_at_a_board_is_told_to_who_directs_all_of_them(begun, monkeypatch):
    from service.desk.turns import seat_mail

    def fails(*_, **__):
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(seat_mail.SeatMail, "handle", fails)
    letters = begun.people.write("Ann", "pass", game=BOARD, sender=address("Ann"))
    [told] = [x for x in letters if (x.to, x.kind) == (DIRECTOR, "fault")]
    assert "A mail to board 1.1 (spring-1-1) met a fault of ours" in flat(told)
    assert "hold because" in told.text


def test_words_to_all_and_rulings_are_told_and_kept(begun):
    letters = begun.direct("announce: The library is closed.", "Read at home.")
    told = one(letters, "Cat", "announce").text
    assert "The library is closed." in told and "Read at home." in told
    letters = begun.direct("rule: the bridge of 18AL counts once")
    assert "It holds for all boards alike" in flat(one(letters, "Cat", "rule"))
    letters = begun.direct("rule 1.1: the river is crossed once")
    assert "It holds on every board where the same comes up" in flat(one(letters, "Cat", "rule"))
    assert "counts once" in begun.receipt(begun.direct("log"))


@pytest.mark.long
def test_days_of_the_rules_come_by_themselves(newcomers):
    cup = Cup(newcomers)
    cup.announce(*FORM, "close: 2027-02-01", "start: 2027-02-10")
    cup.enter(*FIVE)
    (_, closes), (_, starts) = due_days(cup.cup.rules)
    newcomers.now = closes
    cup.took(newcomers.work())
    assert cup.cup.status == "closed"
    cup.direct("seat")
    newcomers.now = starts
    letters = cup.took(newcomers.work())
    [told] = [x for x in letters if x.to == DIRECTOR]
    assert "Round 1 is not seated" in flat(told)


def test_a_board_of_a_tournament_that_was_given_up_tells_its_director_of_its_end(begun):
    [letter] = [x for x in begun.direct("board 1.1") if x.kind == "board"]
    begun.direct("abandon because too few have time")
    letters = begun.people.reply(letter, "end game because time is up")
    [told] = [one for one in letters if (one.to, one.kind) == (DIRECTOR, "ended")]
    assert "The director (the organiser) ended it, because time is up." in flat(told)
    assert begun.cup.record(1, 1) is None


@pytest.mark.long
@pytest.mark.parametrize("text", ["abandon", "abandon because too few have time"])
def test_giving_up_takes_a_reason(begun, text):
    letters = begun.direct(text)
    if text == "abandon":
        assert "Say why" in begun.receipt(letters)
    else:
        assert begun.cup.status == "abandoned"
        assert "too few have time" in flat(one(letters, "Ann", "over"))
        assert table(begun).row.status == "running"


def test_a_seat_s_new_address_is_the_entrant_s_and_the_other_way_round(begun):
    people = begun.people
    [asked] = [
        x for x in people.write("Bob", "address bob@new.test", game=BOARD, sender=address("Bob"))
        if x.to == "bob@new.test"
    ]  # fmt: skip
    people.reply(asked, "yes")
    assert table(begun).seat("Bob").address == "bob@new.test"
    assert begun.cup.entry("Bob").addresses == ("bob@new.test",)
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
    [told] = begun.people.stranger("zoe@x.test", "help tournament")
    assert "`enter NAME as YOU`" in flat(told) and "`adjudicate`" in told.text
    assert "WHO HAS ENTERED" in told.text and "`vote 1 yes`" in flat(told)
    [told] = begun.people.write("Ann", "standings spring", game=BOARD, sender=address("Ann"))
    assert "No board is over" in flat(told)


def test_a_start_that_fails_in_its_midst_leaves_nothing_and_is_done_once_when_begun_again(
    cup, monkeypatch
):
    from service.store import Conflict, Tx

    cup.enter(*FIVE)
    for word in ("close", "seat", "yes"):
        cup.direct(word)
    kept, failed = Tx.add_task, []

    def fail(self, task, now):
        if not failed and task.kind == "tournament-opening":
            failed.append(task)
            raise Conflict("the power failed")
        return kept(self, task, now)

    monkeypatch.setattr(Tx, "add_task", fail)
    letters = cup.direct("start")
    assert failed and "Round 1 has begun" in cup.receipt(letters)
    assert [x.kind for x in letters].count("welcome") == 5
    assert [one.act.round for one in cup.cup.log if hasattr(one.act, "games")] == [1]
    with cup.people.store.transaction() as tx:
        assert [row.name for row in tx.games()] == [BOARD]


@pytest.mark.long
def test_the_end_of_a_board_that_is_begun_again_is_told_once(begun, monkeypatch):
    from service.store import Conflict, Tx

    kept, failed = Tx.finish_task, []

    def fail(self, task, note=""):
        if not failed and note.startswith("board 1.1"):
            failed.append(task)
            raise Conflict("somebody was faster")
        return kept(self, task, note)

    monkeypatch.setattr(Tx, "finish_task", fail)
    letters = over(begun)
    assert failed and len(begun.cup.record(1, 1).told) == 1
    assert kinds(letters, address("Ann")).count("standings") == 1
    assert kinds(letters, DIRECTOR).count("next") == 1


def test_a_correction_after_the_next_seating_changes_nothing_of_that(begun):
    letters = begun.direct("rules", "rounds: 2", "because all want to play again")
    told = flat(one(letters, "Ann", "rules"))
    assert f"Digest of the seed of round 2: {begun.cup.value.digests[1]}" in told
    over(begun)
    begun.direct("seat")
    begun.direct("yes")
    before = begun.cup.value.seated(2)
    assert before.digest == begun.cup.value.digests[1]
    letters = begun.direct("correct 1.1: Bob 900 because a dividend was forgotten")
    told = flat(one(letters, "Ann", "corrected"))
    assert "Struck out: 1." in told
    assert "The seating of round 2, which was published before, stays" in told
    assert begun.cup.value.seated(2) == before
    [told] = begun.people.stranger("zoe@x.test", "standings spring")
    assert "STRUCK OUT" in told.text and "a dividend was forgotten" in flat(told)
    begun.direct("start")
    assert "Round 2 has begun: there cannot be fewer" in begun.receipt(
        begun.direct("rules", "rounds: 1", "because of the heat")
    )


def test_who_is_named_the_assistant_later_assists_at_the_boards_that_are_played(begun):
    people = begun.people
    letters = begun.direct("assistant tess@clubs.test")
    [asked] = [x for x in letters if x.to == "tess@clubs.test"]
    people.reply(asked, "perhaps")
    assert table(begun).settings.assistant == ""
    people.reply(asked, "yes")
    assert table(begun).settings.assistant == "tess@clubs.test"
    [letter] = [x for x in people.reply(asked, "board 1.1") if x.kind == "board"]
    people.reply(letter, "hold because a rule is in doubt")
    assert table(begun).held
    begun.direct("assistant off")
    people.reply(letter, "resume because the rule is clear")
    assert table(begun).held and begun.cup.rules.assistant == ""


@pytest.mark.long
def test_the_director_withdraws_somebody_who_cannot_write_and_is_asked_first(begun):
    told = begun.receipt(begun.direct("withdraw Bob because of an illness"))
    assert "Bob still plays on board 1.1" in told and "withdraw Bob yes because" in told
    assert begun.cup.entry("Bob").state == "entered"
    letters = begun.direct("withdraw Bob yes because of an illness")
    assert begun.cup.entry("Bob").state == "withdrawn"
    assert "offered" in kinds(letters, address("Sam"))
    assert "does not play in spring any more" in begun.receipt(
        begun.direct("withdraw Bob because of it")
    )
