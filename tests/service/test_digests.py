"""How many letters a player gets: what each has been told, digests, settings, notes, talk."""

import dataclasses

import pytest
from msgspec.structs import replace

from engine.position.frames import StockRound
from service.desk.letters import own_pages
from service.desk.letters.own_pages import Own, own_of
from service.desk.turns import choosing, seat_words
from service.games import standing
from service.games.choices import SeatSettings
from service.games.games import seat_settings
from service.games.standing import Book
from service.orders.sight import ALARMS
from service.reports.tables import blocks_text
from tests.engine.notation import positions
from tests.service.house import NOW, flat, one, says, to, unsaid

DAY = 86_400


def quiet(players, *names):
    for name in names:
        players.write(name, "digest daily 07:00")


def next_morning(players):
    players.now += DAY
    return players.remind()


def seat(players, name):
    return players.table().seat(name)


# what each has been told


def test_a_turn_mail_tells_what_an_order_did_for_its_player_meanwhile(players):
    players.write("Bob", "next: bid NDY 125")
    players.write("Ann", "bid M&C 105")
    players.write("Cat", "pass")
    letters = players.write("Ann", "pass")
    turn = flat(one(letters, "Bob", "turn"))
    for told in ("bid $105 on", "bid $125 on", "Cat passed", "Ann passed"):
        assert told in turn, told


@pytest.mark.long
def test_every_letter_about_the_game_moves_what_its_reader_was_told(players):
    quiet(players, "Cat")
    players.write("Ann", "buy TR")
    told = [seat(players, name).told for name in ("Ann", "Bob", "Cat")]
    assert told == [1, 1, 0]


# digests


@pytest.mark.long
def test_by_default_news_come_once_a_day():
    assert SeatSettings().news == "daily"


@pytest.mark.parametrize(
    ("written", "turn", "morning", "over"),
    [
        ("digest each", ["news"], [], ["round"]),
        ("digest round", [], [], ["round"]),
        ("digest daily 07:00", [], ["digest"], ["round"]),
        ("digest off", [], [], []),
    ],
)
def test_news_come_as_their_reader_has_chosen(players, written, turn, morning, over):
    players.write("Cat", written)
    assert to(players.write("Ann", "buy TR"), "Cat") == turn
    assert to(next_morning(players), "Cat") == morning
    stock = positions.stock()
    players.place(replace(stock, stack=(StockRound("Ann", 2, "Bob"), stock.stack[1])))
    assert to(players.write("Ann", "pass"), "Cat") == over


@pytest.mark.long
@pytest.mark.parametrize("written", ["digest each", "digest round", "digest daily", "digest off"])
def test_what_happened_since_my_turn_is_on_top_of_my_turn_mail_whatever_i_chose(players, written):
    players.write("Ann", "buy TR", written)
    players.write("Bob", "bid NDY 125")
    next_morning(players)
    turn = flat(one(players.write("Cat", "pass"), "Ann", "turn"))
    top = turn[turn.index("SINCE YOUR LAST TURN") : turn.index("LEGAL NOW")]
    assert "bid $125 on" in top
    assert "Cat passed" in top
    assert "Tuscumbia" not in top, "her own email, whose receipt told it"


@pytest.mark.long
def test_a_digest_tells_once_what_no_letter_told(players):
    quiet(players, "Ann", "Cat")
    assert to(players.write("Ann", "buy TR", "say: cheap"), "Cat") == []
    assert to(players.write("Bob", "bid NDY 125"), "Ann") == []
    letters = next_morning(players)
    assert to(letters, "Ann") == ["digest"]
    digest = flat(one(letters, "Ann", "digest"))
    assert "bid $125 on" in digest
    assert "bought Tuscumbia" not in digest, "her own email, whose receipt told it"
    assert to(letters, "Cat") == [], "it is Cat's turn: the turn email told all of it"
    assert next_morning(players) == []


def test_what_is_said_comes_with_the_digest_once(players):
    quiet(players, "Cat")
    players.write("Bob", "say: hello")
    assert "hello" in flat(one(next_morning(players), "Cat", "digest"))
    players.write("Bob", "say: again")
    text = flat(one(next_morning(players), "Cat", "digest"))
    assert "again" in text
    assert "hello" not in text


def test_what_was_said_while_a_player_was_to_act_comes_with_their_next_turn_mail(players):
    """No letter had told it, and no digest tells it any more once that mail is there."""
    quiet(players, "Bob")
    players.write("Ann", "buy TR")
    assert to(players.write("Cat", "say: Bob is thinking"), "Bob") == []
    players.write("Bob", "bid NDY 125")
    players.write("Cat", "pass")
    turn = flat(one(players.write("Ann", "pass"), "Bob", "turn"))
    assert turn.count("Bob is thinking") == 1
    assert to(next_morning(players), "Bob") == []


@pytest.mark.long
def test_a_digest_says_if_what_was_told_was_taken_back(players):
    players.write("Bob", "pass until round ends")
    players.write("Ann", "bid M&C 105")
    assert seat(players, "Cat").told == 2
    quiet(players, "Ann")
    assert players.remind() == []
    players.write("Cat", "pass", "more")
    players.write("Cat", "undo")
    assert all(letter.kind != "digest" for letter in next_morning(players))


@pytest.mark.long
def test_a_digest_comes_by_the_players_own_clock():
    winter = SeatSettings(digest="daily 07:30", zone="Europe/Berlin")
    assert winter.next_digest(0) == 6 * 3600 + 1800
    assert winter.next_digest(6 * 3600 + 1800) == 6 * 3600 + 1800 + DAY
    assert SeatSettings(digest="off").next_digest(0) is None


def test_another_hour_puts_the_digest_off_and_no_digest_drops_it(players):
    quiet(players, "Cat")
    players.write("Ann", "buy TR", "say: one")
    players.write("Cat", "digest daily 06:00")
    players.write("Bob", "bid NDY 125")
    players.write("Cat", "pass")
    players.write("Ann", "bid M&C 105")
    players.write("Cat", "digest off")
    assert [letter for letter in next_morning(players) if letter.kind == "digest"] == []


@pytest.mark.long
@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("digest each", "each"),
        ("digest round", "round"),
        ("digest daily", "daily 07:00"),
        ("digest daily 7:05", "daily 07:05"),
        ("digest off", "off"),
        ("news all", "each"),
        ("news rounds", "round"),
        ("news off", "off"),
    ],
)
def test_a_digest_is_chosen(players, written, kept):
    assert "NO" not in one(players.write("Ann", written), "Ann").text.split()
    assert seat_settings(seat(players, "Ann")).digest == kept


@pytest.mark.long
@pytest.mark.parametrize(
    ("written", "how"),
    [
        ("digest daily 25:00", choosing.HOW_TO_DIGEST),
        ("digest weekly", choosing.HOW_TO_DIGEST),
        ("zone Nowhere", choosing.HOW_TO_ZONE),
        ("alarm noise off", choosing.HOW_TO_ALARM),
        ("images some", choosing.HOW_TO_IMAGES),
    ],
)
def test_what_cannot_be_chosen_is_told_and_changes_nothing(players, written, how):
    before = seat(players, "Ann").settings
    receipt = one(players.write("Ann", written), "Ann")
    assert "NOT DONE" in receipt.subject
    assert says(receipt, how)
    assert seat(players, "Ann").settings == before


def test_a_zone_is_a_place_and_a_near_one_is_proposed(players):
    players.write("Ann", "zone europe/berlin")
    assert seat_settings(seat(players, "Ann")).zone == "Europe/Berlin"
    receipt = one(players.write("Ann", "zone Berlin"), "Ann")
    assert says(receipt, choosing.HOW_TO_ZONE_NEAR, zones="Europe/Berlin")


@pytest.mark.long
def test_alarms_are_switched_and_listed(players):
    receipt = one(players.write("Bob", "alarm sales off"), "Bob")
    assert says(receipt, choosing.ALARM_OFF, alarm="sales", what=ALARMS["sales"])
    assert says(receipt, choosing.ALARM_ON, alarm="limits", what=ALARMS["limits"])
    assert "sales" not in seat_settings(seat(players, "Bob")).alarms
    players.write("Bob", "alarm all on")
    assert seat_settings(seat(players, "Bob")).quiet == ()


@pytest.mark.long
def test_pictures_that_did_not_change_are_left_out(players):
    players.write("Bob", "images changed")
    first = one(players.write("Ann", "buy TR"), "Bob", "turn")
    assert first.pictures, "nothing was shown yet"
    players.write("Bob", "buy S&NA")
    players.write("Cat", "buy B&SLC")
    again = one(players.write("Ann", "buy M&C"), "Bob", "turn")
    assert again.pictures == []


def test_pictures_come_always_or_if_changed_or_never(players):
    players.place(positions.stock())
    for chosen, shown in (("on", True), ("changed", False), ("off", False), ("on", True)):
        players.write("Ann", f"images {chosen}")
        turn = one(players.write("Ann", "resend"), "Ann", "turn")
        assert bool(turn.pictures) == shown, chosen


# words for oneself and for some


@pytest.mark.long
def test_a_note_comes_back_in_the_next_turn_mail_and_goes_then(players):
    letters = players.write("Bob", "note: token Mobile first")
    assert says(one(letters, "Bob"), seat_words.NOTE_COMES_BACK)
    letters = players.write("Ann", "buy TR")
    assert f"{own_pages.YOUR_NOTES} token Mobile first" in flat(one(letters, "Bob", "turn"))
    assert all("Mobile" not in letter.text for letter in letters if "bob" not in letter.to)
    assert "Mobile" in one(players.write("Bob", "resend"), "Bob", "turn").text
    players.write("Bob", "buy S&NA")
    players.write("Cat", "buy B&SLC")
    assert "Mobile" not in one(players.write("Ann", "buy M&C"), "Bob", "turn").text


@pytest.mark.long
def test_a_note_of_a_mail_with_a_turn_waits_for_the_turn_after_it(players):
    players.write("Ann", "buy TR", "note: bid on NDY")
    players.write("Bob", "buy S&NA")
    assert "bid on NDY" in one(players.write("Cat", "buy B&SLC"), "Ann", "turn").text


def test_what_is_told_to_some_reaches_them_alone_and_at_once(players):
    quiet(players, "Cat")
    letters = players.write("Ann", "tell Cat, bob: shall we trade?")
    trade = {"name": "Ann", "names": "Cat and Bob", "text": "shall we trade?"}
    assert says(one(letters, "Cat", "news"), seat_words.SAYS_TO, **trade)
    assert to(letters, "Bob") == ["news"]
    letters = players.write("Ann", "buy TR", "tell Bob: your turn")
    assert to(letters, "Bob") == ["turn"]
    turn = one(letters, "Bob", "turn")
    assert says(turn, seat_words.SAYS_ALONE, name="Ann", text="your turn")
    assert to(letters, "Cat") == []


@pytest.mark.long
@pytest.mark.parametrize("written", ["tell Eve: hi", "tell Ann: me", "tell Bob", "tell: all"])
def test_who_is_not_there_is_told_nothing(players, written):
    letters = players.write("Ann", written)
    assert to(letters, "Ann") == ["receipt"]
    assert len(letters) == 1
    assert "NO" in one(letters, "Ann").text.split()


@pytest.mark.long
def test_a_diary_is_its_writers_until_the_end(players):
    players.write("Bob", "diary: Ann overpays")
    assert "Ann overpays" in flat(one(players.write("Bob", "history diary"), "Bob"))
    assert "Ann overpays" not in flat(one(players.write("Ann", "history diary"), "Ann"))


# orders in letters


def test_a_turn_mail_lists_the_orders_of_its_reader_alone(players):
    players.write("Bob", "next: buy TR if cash me > 900")
    letters = players.write("Ann", "bid M&C 105", "status")
    orders = f"{own_pages.YOUR_SECRET_ORDERS} 1 next: buy TR if cash me > 900"
    assert orders in flat(one(letters, "Bob", "turn"))
    assert all("cash me" not in letter.text for letter in letters if "bob" not in letter.to)


@pytest.mark.long
def test_an_order_that_ran_out_is_told_with_the_turn_mail_that_follows(players):
    players.write("Bob", "next: buy TR if cash me > 900")
    table = players.table()
    [row] = table.orders
    order = standing.read(table.title, table.state.seats, row)
    over = dataclasses.replace(order, status="over", reason="its rounds are over")
    book = Book((over,))
    for turn, seat_, shown in ((True, "Bob", True), (False, "Bob", False), (True, "Ann", False)):
        text = blocks_text(own_of(Own(table, book, (over,), table.state, turn), seat_))
        looks = says if shown else unsaid
        assert looks(text, own_pages.STANDS_NO_MORE, why="its rounds are over")


@pytest.mark.long
def test_history_shows_seals_but_not_whose(players):
    players.write("Bob", "pass until round ends")
    [row] = players.table().orders
    text = flat(one(players.write("Ann", "buy TR", "history"), "Ann"))
    assert f"an order was given, seal {row.seal[:16]}…" in text
    assert "until round" not in text
    text = flat(one(players.write("Cat", "history orders"), "Cat"))
    assert row.seal in text
    assert "Bob" not in text[text.index("SEALED") : text.index("A seal is")]


def test_the_clock_of_the_tests_is_no_digest_hour():
    assert SeatSettings().next_digest(NOW) != NOW
