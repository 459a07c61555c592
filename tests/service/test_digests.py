"""How many letters a player gets: what each has been told, digests, settings, notes, talk."""

import dataclasses
from itertools import pairwise

import pytest
from msgspec.structs import replace

from engine.events import BidMade, PrivateBought
from engine.position.frames import StockRound
from engine.position.values import OFFERING
from engine.telling.narration import sentences
from service.clocks import zones
from service.desk import due_tasks
from service.desk.informing import digest_tasks, own_pages
from service.desk.informing.own_pages import Own, own_of
from service.desk.options import seat_options
from service.desk.talk import talking
from service.games import choices, orders
from service.games.choices import SeatSettings, seat_settings
from service.games.orders import Book
from service.orders.sight import ALARMS
from service.reports import answers
from service.reports.tables import blocks_text
from service.store import LATER, REPOSITORIES, Conflict
from service.store.database import AlreadySettled
from tests.engine.notation import positions
from tests.service.players import GAME, NOW, TITLE, address, flat, one, says, to, unsaid

HOUR = 3600
DAY = 24 * HOUR
WEEK = 7 * DAY
#: the first after NOW, at seven by UTC
SUNDAY = SeatSettings(digest="weekly 07:00").next_digest(NOW)


#: the seconds from the hour to a digest, before `on_the_hour` replaces them
SPREAD = choices.spread


@pytest.fixture(autouse=True)
def on_the_hour(monkeypatch):
    """All digests come at their hour; only tests of how they are spread put that back."""
    monkeypatch.setattr(choices, "spread", lambda game, reader: 0)


def sentence(event):
    """What a digest says after the name of who did it."""
    [said] = sentences(TITLE, [event])
    return said.text


def bid(private, name, amount):
    return sentence(BidMade(name, private, amount))


BOUGHT = sentence(PrivateBought("TR", "Ann", OFFERING, 20))
BID = bid("NDY", "Bob", 125)


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
    for told in (bid("M&C", "Ann", 105), BID, "Cat passed", "Ann passed"):
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
    assert SeatSettings().digest == "daily 07:00"


@pytest.mark.long
@pytest.mark.parametrize(
    ("written", "turn", "morning", "over"),
    [
        ("digest each", ["news"], [], ["round"]),
        ("digest round", [], [], ["round"]),
        ("digest daily 07:00", [], ["digest"], ["round"]),
        ("digest weekly 07:00", [], [], ["round"]),
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
    assert BID in top
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
    assert BID in digest
    assert BOUGHT not in digest, "her own email, whose receipt told it"
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
    words = "Bob is thinking"
    assert to(players.write("Cat", f"say: {words}"), "Bob") == []
    players.write("Bob", "bid NDY 125")
    players.write("Cat", "pass")
    turn = flat(one(players.write("Ann", "pass"), "Bob", "turn"))
    assert turn.count(words) == 1
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


def test_the_digests_of_an_hour_are_spread_over_it():
    found = [SPREAD(f"game{n % 100}", f"player{n}") for n in range(600)]
    assert found == [SPREAD(f"game{n % 100}", f"player{n}") for n in range(600)]
    assert min(found) >= 0 and max(found) < HOUR
    assert min(sum(at // 600 == part for at in found) for part in range(6)) > 60


def test_a_digest_comes_at_its_minute_of_the_chosen_hour(players, monkeypatch):
    monkeypatch.setattr(choices, "spread", SPREAD)
    quiet(players, "Cat")
    players.write("Ann", "buy TR")
    comes = SeatSettings(digest="daily 07:00").next_digest(NOW) + SPREAD(GAME, "Cat")
    assert digests_to(at(players, comes - 1), "Cat") == []
    assert BOUGHT in flat(one(at(players, comes), "Cat", "digest"))


def test_no_digest_has_applause_alone(players):
    quiet(players, "Cat")
    players.write("Ann", "buy TR")
    players.write("Bob", "bid NDY 125")
    players.write("Ann", "applaud Cat")
    assert digests_to(next_morning(players), "Cat") == [], "the turn email told all else"
    assert [one.seat for one in players.table().jottings] == ["Cat"], "and it waits"


# the week


def weekly(players, *names):
    for name in names:
        players.write(name, "digest weekly")


def at(players, moment):
    """The time comes; the letters that it brings."""
    assert moment >= players.now
    players.now = moment
    return players.remind()


def digests_to(letters, name):
    return [letter for letter in letters if (letter.to, letter.kind) == (address(name), "digest")]


def test_on_sunday_the_week_is_summed_up_whatever_told_of_it(players):
    weekly(players, "Bob", "Cat")
    players.write("Ann", "buy TR")
    players.write("Bob", "bid NDY 125")
    assert seat(players, "Cat").told == 2, "the turn mail told it"
    assert at(players, SUNDAY - 1) == []
    letters = at(players, SUNDAY)
    assert {name: to(letters, name) for name in ("Ann", "Bob", "Cat")} == {
        "Ann": [],
        "Bob": ["digest"],
        "Cat": ["digest"],
    }
    week = {"begins": "Sun 10 Jan 00:00", "ends": "Sun 17 Jan 00:00"}
    for name in ("Bob", "Cat"):
        digest = one(letters, name, "digest")
        assert says(digest, digest_tasks.SUMMED_UP, **week)
        assert BOUGHT in flat(digest)
        assert BID in flat(digest), "her own moves as well"
        assert "It is Cat's turn:" in flat(digest)
        assert unsaid(digest, digest_tasks.ANSWERS_BY)
    assert at(players, SUNDAY + 3600) == []


def test_each_week_has_its_own_moves_and_an_empty_one_no_letter(players):
    weekly(players, "Bob")
    players.write("Ann", "buy TR")
    [first] = digests_to(at(players, SUNDAY), "Bob")
    assert at(players, SUNDAY + WEEK) == [], "nothing happened"
    players.write("Bob", "bid NDY 125")
    [second] = digests_to(at(players, SUNDAY + 2 * WEEK), "Bob")
    assert BOUGHT in flat(first)
    assert BOUGHT not in flat(second)
    assert BID in flat(second)
    assert at(players, SUNDAY + 3 * WEEK) == []


def test_a_move_at_the_hour_of_the_summary_is_told_a_week_later(players):
    weekly(players, "Bob")
    players.now = SUNDAY
    players.write("Ann", "buy TR")
    assert digests_to(players.remind(), "Bob") == []
    [digest] = digests_to(at(players, SUNDAY + WEEK), "Bob")
    assert BOUGHT in flat(digest)


def test_a_summary_comes_late_if_the_service_was_off_and_no_move_is_told_twice(players):
    weekly(players, "Bob", "Cat")
    players.write("Ann", "buy TR")
    players.now = SUNDAY + 5 * 3600
    late = players.mail(address("Bob"), players.seat_address(GAME, "Bob"), "bid NDY 125")
    players.arrive(late)
    [first] = digests_to(players.remind(), "Cat")
    assert BOUGHT in flat(first)
    assert BID not in flat(first)
    [second] = digests_to(at(players, SUNDAY + WEEK), "Cat")
    assert BID in flat(second)
    assert BOUGHT not in flat(second)


@pytest.mark.parametrize("repository, verb", [("letters", "queue"), ("tasks", "finish")])
def test_a_summary_that_is_begun_again_is_neither_lost_nor_repeated(
    players, monkeypatch, repository, verb
):
    weekly(players, "Bob")
    players.write("Ann", "buy TR")
    kind = REPOSITORIES[repository]
    done, fails = getattr(kind, verb), [True]

    def once_in_vain(tx, *args, **how):
        found = done(tx, *args, **how)
        if fails:
            fails.pop()
            raise Conflict("begun again")
        return found

    monkeypatch.setattr(kind, verb, once_in_vain)
    letters = [one for hours in range(4) for one in at(players, SUNDAY + hours * 3600)]
    assert not fails
    assert to(letters, "Bob") == ["digest"]


def test_a_summary_that_is_settled_is_not_sent_again(players):
    weekly(players, "Bob")
    players.write("Ann", "buy TR")
    players.now = SUNDAY
    row = players.store.tasks.claim("another", SUNDAY, 60, (choices.KIND,), LATER)
    due_tasks.do(players.store, players.service, SUNDAY, row)
    with pytest.raises(AlreadySettled):
        due_tasks.do(players.store, players.service, SUNDAY, row)
    assert to(players.collect(), "Bob") == ["digest"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("before", "after", "sent"),
    [
        ((), (), [SUNDAY]),
        (("digest weekly 09:00",), (), [SUNDAY + 2 * HOUR]),
        (("digest weekly 05:00",), (), [SUNDAY - 2 * HOUR]),
        (("zone Asia/Tokyo",), (), [SUNDAY - 9 * HOUR]),
        (("zone America/New_York",), (), [SUNDAY + 5 * HOUR]),
        ((), ("digest weekly 09:00",), [SUNDAY]),
        ((), ("zone America/New_York",), [SUNDAY]),
        (("digest daily",), ("digest weekly 09:00",), [SUNDAY + 2 * HOUR]),
        (("digest off",), (), []),
    ],
)
def test_a_sunday_has_one_summary_whatever_is_chosen_before_it_and_on_it(
    players, before, after, sent
):
    """``before`` is written on Friday, ``after`` half an hour after the first summary was due."""
    weekly(players, "Bob")
    players.write("Ann", "buy TR")
    players.write("Bob", *before, "bid NDY 125")
    found = []
    for moment in range(SUNDAY - 12 * HOUR, SUNDAY + 12 * HOUR, HOUR // 2):
        letters = at(players, moment)
        if moment == SUNDAY + HOUR // 2 and after:
            letters += players.write("Bob", *after)
        found += [moment for _ in digests_to(letters, "Bob")]
    assert found == sent


@pytest.mark.long
@pytest.mark.parametrize(("first", "then"), [("07:00", "20:00"), ("20:00", "07:00")])
@pytest.mark.parametrize("noon", ["before", "after"])
def test_each_move_is_in_one_summary_also_if_the_hour_changes(players, first, then, noon):
    """Ann moves at noon of a Sunday, before or after its summary; later Bob chooses another hour."""
    players.write("Bob", f"digest weekly {first}")
    midday, summary = SUNDAY + 5 * HOUR, SUNDAY + (0 if first == "07:00" else 13 * HOUR)
    found = []
    if summary < midday:
        found += digests_to(at(players, summary), "Bob")
    players.now = midday
    players.write("Ann", "buy TR")
    if noon == "before":
        players.write("Bob", f"digest weekly {then}")
    for moment in range(midday + HOUR, SUNDAY + DAY, HOUR):
        found += digests_to(at(players, moment), "Bob")
    players.write("Bob", f"digest weekly {then}")
    for day in range(2, 25):
        found += digests_to(at(players, SUNDAY + day * DAY), "Bob")
    assert sum(BOUGHT in flat(one) for one in found) == 1


def test_an_hour_that_has_passed_does_not_lose_the_summary(players):
    weekly(players, "Bob")
    players.write("Ann", "buy TR")
    players.now = SUNDAY - HOUR // 2
    players.write("Bob", "digest weekly 06:00")
    assert to(at(players, SUNDAY), "Bob") == ["digest"]
    assert digests_to(at(players, SUNDAY + WEEK), "Bob") == []


def test_who_chooses_the_summary_after_the_last_move_of_a_week_gets_that_week(players):
    players.write("Ann", "buy TR")
    players.now = SUNDAY - DAY
    weekly(players, "Bob")
    [digest] = digests_to(at(players, SUNDAY), "Bob")
    assert BOUGHT in flat(digest)


def test_talk_waits_for_sunday_and_is_told_once(players):
    weekly(players, "Cat")
    assert to(players.write("Bob", "say: hello"), "Cat") == []
    assert "hello" in flat(one(at(players, SUNDAY), "Cat", "digest"))
    players.write("Ann", "buy TR")
    assert "hello" not in flat(one(at(players, SUNDAY + WEEK), "Cat", "digest"))


@pytest.mark.long
@pytest.mark.parametrize(
    ("clock", "told"), [("clock each 72h", True), ("clock each 24h", False), ("clock none", False)]
)
def test_a_summary_says_until_when_whom_the_game_waits_for(newcomers, clock, told):
    """A time that is over is not told: a game may hide who is late."""
    created = newcomers.gather()
    newcomers.reply(created, clock, "late hidden")
    newcomers.reply(created, "start")
    weekly(newcomers, "Bob", "Cat")
    first, second, _ = newcomers.state.seats
    newcomers.write(first, "buy TR")
    reader = next(name for name in ("Bob", "Cat") if name != second)
    newcomers.write(reader, "zone Europe/Berlin")
    # by the clock of Berlin
    digest = one(at(newcomers, SUNDAY - HOUR), reader, "digest")
    looks = says if told else unsaid
    given = {"name": second, "until": "Mon 18 Jan 08:00 UTC (09:00 your time)"} if told else {}
    assert looks(digest, digest_tasks.ANSWERS_BY, **given)


def test_weeks_follow_each_other_without_a_gap_when_the_clock_is_put_forward():
    chosen = SeatSettings(digest="weekly 07:00", zone="Europe/Berlin")
    first = chosen.next_digest(NOW)
    sundays = [first]
    for _ in range(60):
        sundays.append(chosen.next_digest(sundays[-1]))
    assert {b - a for a, b in pairwise(sundays)} == {WEEK - HOUR, WEEK, WEEK + HOUR}
    weeks = [chosen.summed_up(sunday) for sunday in sundays]
    assert all(former[1] == begins for former, (begins, _) in pairwise(weeks))
    for sunday, (_, ends) in zip(sundays, weeks, strict=True):
        assert 0 < sunday - ends <= 8 * HOUR
        assert chosen.summed_up(sunday + DAY)[0] == ends, "that week is not over"
    assert SeatSettings(digest="daily 07:00").summed_up(first) is None


# choices


@pytest.mark.long
@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("digest each", "each"),
        ("digest round", "round"),
        ("digest daily", "daily 07:00"),
        ("digest daily 7:05", "daily 07:05"),
        ("digest weekly", "weekly 07:00"),
        ("digest weekly at 18:30", "weekly 18:30"),
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
        ("digest daily 25:00", seat_options.HOW_TO_DIGEST),
        ("digest weekly 24:00", seat_options.HOW_TO_DIGEST),
        ("digest monthly", seat_options.HOW_TO_DIGEST),
        ("zone Nowhere", zones.HOW_TO_ZONE),
        ("alarm noise off", seat_options.HOW_TO_ALARM),
        ("images some", seat_options.HOW_TO_IMAGES),
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
    assert says(receipt, zones.HOW_TO_ZONE_NEAR, zones="Europe/Berlin")


@pytest.mark.long
def test_alarms_are_switched_and_listed(players):
    receipt = one(players.write("Bob", "alarm sales off"), "Bob")
    assert says(receipt, seat_options.ALARM_OFF, alarm="sales", what=ALARMS["sales"])
    assert says(receipt, seat_options.ALARM_ON, alarm="limits", what=ALARMS["limits"])
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
    letters = players.write("Bob", "note: ask my cousin first")
    assert says(one(letters, "Bob"), talking.NOTE_COMES_BACK)
    letters = players.write("Ann", "buy TR")
    assert f"{own_pages.YOUR_NOTES} ask my cousin first" in flat(one(letters, "Bob", "turn"))
    assert all("cousin" not in letter.text for letter in letters if "bob" not in letter.to)
    assert "cousin" in one(players.write("Bob", "resend"), "Bob", "turn").text
    players.write("Bob", "buy S&NA")
    players.write("Cat", "buy B&SLC")
    assert "cousin" not in one(players.write("Ann", "buy M&C"), "Bob", "turn").text


@pytest.mark.long
def test_a_note_of_a_mail_with_a_turn_waits_for_the_turn_after_it(players):
    players.write("Ann", "buy TR", "note: bid on NDY")
    players.write("Bob", "buy S&NA")
    assert "bid on NDY" in one(players.write("Cat", "buy B&SLC"), "Ann", "turn").text


def test_what_is_told_to_some_reaches_them_alone_and_at_once(players):
    quiet(players, "Cat")
    letters = players.write("Ann", "tell Cat, bob: shall we trade?")
    trade = {"name": "Ann", "names": "Cat and Bob", "text": "shall we trade?"}
    assert says(one(letters, "Cat", "news"), talking.SAYS_TO, **trade)
    assert to(letters, "Bob") == ["news"]
    letters = players.write("Ann", "buy TR", "tell Bob: your turn")
    assert to(letters, "Bob") == ["turn"]
    turn = one(letters, "Bob", "turn")
    assert says(turn, talking.SAYS_ALONE, name="Ann", text="your turn")
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
    order = orders.read(table.title, table.state.seats, row)
    over = dataclasses.replace(order, status="over", reason="its rounds are over")
    book = Book((over,))
    for turn, seat_, shown in ((True, "Bob", True), (False, "Bob", False), (True, "Ann", False)):
        text = blocks_text(own_of(Own(table, book, (over,), table.state, turn), seat_))
        looks = says if shown else unsaid
        assert looks(text, own_pages.STANDS_NO_MORE, why="its rounds are over")


@pytest.mark.parametrize(
    ("written", "planned"), [("pass round", True), ("next: buy TR if cash me > 900", False)]
)
def test_the_end_of_an_order_that_only_passes_is_no_news(players, written, planned):
    players.write("Bob", written)
    table = players.table()
    [row] = table.orders
    order = orders.read(table.title, table.state.seats, row)
    over = dataclasses.replace(order, status="over", reason="its rounds are over")
    assert own_pages.as_planned(over) == planned


@pytest.mark.long
def test_history_shows_seals_but_not_whose(players):
    players.write("Bob", "pass until round ends")
    [row] = players.table().orders
    text = flat(one(players.write("Ann", "buy TR", "history"), "Ann"))
    assert says(text, answers.ORDER_SEALED, seal=row.seal[:16])
    assert "until round" not in text
    text = flat(one(players.write("Cat", "history orders"), "Cat"))
    assert row.seal in text
    assert "Bob" not in text[text.index("SEALED") : text.index("A seal is")]


def test_the_clock_of_the_tests_is_no_digest_hour():
    assert SeatSettings().next_digest(NOW) != NOW
