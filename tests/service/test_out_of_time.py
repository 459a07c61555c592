"""What follows when a player's time is over: excused misses, the caretaker, the director, standbys."""

import msgspec
import pytest

import engine
from engine.events import Passed
from engine.steps.stock.selling import MUST_SELL
from engine.telling.narration import narrate
from service.desk.informing import follow_up
from service.desk.seats import seat_answers, standbys
from service.desk.timing import out_of_time
from service.games import retreat
from service.games.caretaker import after_flag
from service.games.games import GameSettings
from service.reports.scene import CARETAKER
from tests.engine.notation import positions
from tests.rules import setting as al
from tests.service.players import GAME, TITLE, address, flat, one, says, to

EVE = "eve@elsewhere.test"


def settings(players, **chosen):
    table = players.table()
    changed = msgspec.structs.replace(table.settings, **chosen)
    with players.store.transaction() as tx:
        tx.games.set_settings(table.row.id, msgspec.json.encode(changed))


def flag(players, seat, count=1):
    """The time of a seat is over; the letters that follow."""
    table = players.table()
    with players.store.transaction() as tx:
        tx.tasks.add(out_of_time.task(table, seat, count, players.now), players.now)
    return players.work()


def standby(players):
    [asked] = players.stranger(EVE, f"standby {GAME}")
    players.reply(asked, "yes")


def test_the_steps_are_published_figures():
    assert [after_flag(count, 3) for count in range(1, 6)] == [
        "excused", "excused", "last", "replace", "replace",
    ]  # fmt: skip
    assert after_flag(1, 0) == "replace"
    assert (GameSettings().caretaker, GameSettings().excused) == (False, 3)


def test_without_a_caretaker_nothing_is_moved_and_the_player_is_told(players):
    letters = flag(players, "Ann")
    told = one(letters, "Ann", "flag")
    assert says(told, out_of_time.TIME_OVER, often="once", game=GAME)
    assert says(told, out_of_time.NOTHING_DONE)
    assert players.texts() == []
    assert to(letters, "Bob") == []


def test_the_caretaker_moves_and_the_game_goes_on(players):
    settings(players, caretaker=True)
    letters = flag(players, "Ann")
    assert players.texts() == ["pass"]
    [told] = [letter for letter in letters if letter.to == address("Ann")]
    assert told.kind == "void", "one email for one change"
    passed = follow_up.DONE_FOR_YOU.format(by=follow_up.CARETAKER, text="passed")
    assert passed in told.subject
    assert narrate(TITLE, Passed("Ann")) not in told.subject
    assert flat(told).count("passed") == 1, "headline alone"
    assert says(told, out_of_time.EXCUSED, count=3)
    assert to(letters, "Bob") == ["turn"]
    by = CARETAKER.format(name="Ann")
    assert f"{by}  passed" in one(letters, "Bob", "turn").text
    history = one(players.write("Bob", "history"), "Bob")
    assert f"#1 {by}  passed" in history.text
    assert flag(players, "Ann") == [], "it is not their turn any more"
    refused = one(players.write("Ann", "undo"), "Ann")
    assert says(refused, retreat.NO_MAIL_OF_YOURS)


def test_several_moves_of_the_caretaker_stand_below_the_headline_once_each(players):
    settings(players, caretaker=True)
    players.place(positions.operating("run"))
    [late] = engine.to_act(TITLE, players.table().state)
    told = one(flag(players, late), late, "void")
    assert follow_up.MOVED_FOR_YOU in told.subject
    runs = sum(text.startswith("run") for text in players.texts())
    assert flat(told).count("L&N ran") == runs > 0
    assert says(told, out_of_time.EXCUSED, count=3)


def test_a_game_that_hides_who_is_late_does_not_tell_where_the_caretaker_moved(players):
    settings(players, caretaker=True, late=False)
    letters = flag(players, "Ann")
    letters += players.write("Cat", "history")
    assert players.texts() == ["pass"]
    assert {letter.to for letter in letters} >= {address("Bob"), address("Cat")}
    for letter in letters:
        if letter.to != address("Ann"):
            assert "caretaker" not in letter.text


@pytest.mark.long
def test_orders_of_the_player_come_before_the_caretaker(players):
    """They have acted already when the turn came; what they do next they do after it."""
    settings(players, caretaker=True)
    players.write("Bob", "next: buy TR")
    flag(players, "Ann")
    assert players.texts() == ["pass", "buy TR"]


@pytest.mark.long
def test_one_flag_is_one_occasion_however_often_it_is_begun(players):
    settings(players, caretaker=True)
    table = players.table()
    with players.store.transaction() as tx:
        tx.tasks.add(out_of_time.task(table, "Ann", 1, players.now), players.now)
        tx.tasks.add(out_of_time.task(table, "Ann", 1, players.now), players.now)
    letters = players.work()
    assert to(letters, "Ann") == ["void"]
    assert players.texts() == ["pass"]


def test_who_moves_before_it_is_done_has_moved(players):
    settings(players, caretaker=True)
    table = players.table()
    players.write("Ann", "buy TR")
    with players.store.transaction() as tx:
        tx.tasks.add(out_of_time.task(table, "Ann", 1, players.now), players.now)
    players.work()
    assert players.texts() == ["buy TR"]


@pytest.mark.long
def test_after_the_excused_misses_who_stands_by_is_asked_and_takes_the_seat(players):
    settings(players, caretaker=True)
    standby(players)
    letters = flag(players, "Ann", 3)
    assert says(one(letters, "Ann", "void"), out_of_time.NEXT_TIME)
    assert not any(letter.kind == "offered" for letter in letters)
    players.write("Bob", "pass")
    players.write("Cat", "pass")
    letters = flag(players, "Ann", 4)
    [offer] = [letter for letter in letters if letter.kind == "offered"]
    late = out_of_time.LET_IT_RUN_OUT.format(name="Ann", often="4 times")
    assert says(offer, standbys.WHY_FREE, why=late)
    assert says(one(letters, "Cat", "news"), standbys.CALLED, name="Ann", game=GAME, why=late)
    letters = players.reply(offer, "yes")
    assert players.table().seat("Ann").address == EVE
    assert late in flat(one(letters, "Ann", "moved"))
    assert flag(players, "Bob", 1), "the game goes on"


@pytest.mark.long
def test_who_moves_again_keeps_the_seat(players):
    settings(players, caretaker=True)
    standby(players)
    letters = flag(players, "Ann", 4)
    [offer] = [letter for letter in letters if letter.kind == "offered"]
    players.write("Bob", "pass")
    players.write("Cat", "pass")
    assert [v.cause for v in players.table().vacancies] == ["silent"]
    players.write("Ann", "buy TR")
    assert players.table().vacancies == ()
    [answer] = players.reply(offer, "yes")
    assert says(answer, seat_answers.FREE_NO_MORE)
    assert players.table().seat("Ann").address == address("Ann")


@pytest.mark.long
def test_who_is_silent_on_is_called_for_once(players):
    settings(players, caretaker=True)
    standby(players)
    flag(players, "Ann", 4)
    players.write("Bob", "pass")
    players.write("Cat", "pass")
    letters = flag(players, "Ann", 5)
    assert not any(letter.kind in ("offered", "vacant") for letter in letters)


@pytest.fixture
def forced(players):
    """Ann must sell shares: she holds more than anybody may."""
    state = al.company(al.stock_turn(), "L&N", {"Ann": 70, "Bob": 30})
    players.place(engine.decode_state(engine.encode(state).replace(b"Cas", b"Cat")))
    return players


@pytest.mark.long
def test_a_forced_sale_is_the_directors_who_is_told_once_what_to_choose(forced):
    settings(forced, caretaker=True)
    before = forced.texts()
    letters = flag(forced, "Ann")
    told = one(letters, "Ann", "decide")
    assert says(told.subject, out_of_time.DECIDE_SUBJECT, game=GAME, name="Ann")
    assert says(told, MUST_SELL, player="Ann", most=60, company="L&N")
    assert "as Ann: sell 1 L&N" in told.text
    assert says(one(letters, "Ann", "flag"), out_of_time.DIRECTOR_ASKED)
    assert forced.texts() == before
    assert flag(forced, "Ann") == [], "the same flag"
    [line] = [x.strip() for x in told.text.splitlines() if "as Ann: sell 1 L&N" in x]
    forced.reply(told, line)
    assert "sell 1 L&N" in forced.texts(), "as it stands it can be sent"


@pytest.mark.long
def test_where_the_organiser_plays_the_assistant_is_asked_if_there_is_one(forced):
    settings(forced, caretaker=True, assistant=EVE)
    letters = flag(forced, "Ann")
    [told] = [letter for letter in letters if letter.kind == "decide"]
    assert told.to == EVE
    assert "as Ann: sell 1 L&N" in told.text
