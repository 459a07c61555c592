"""Games with a clock: what it takes and gives, what players read of it, reminders, flags, leave."""

import pytest
from icalendar import Calendar

from service.clocks import deadlines, leave, rules
from service.clocks.zones import DAY, HOUR
from service.commands.entry import NOT_YOU, OFFICES, called
from service.desk.director import planning, settings_and_time
from service.desk.options import game_options, seat_options
from service.desk.questions import clock_answer
from service.desk.seats import absences, handover, leaving, standbys
from service.desk.seats.handover import REFLECTION
from service.desk.timing import clock_tasks, out_of_time
from service.desk.turns import second_chance
from service.desk.votes import proposing
from service.games import game_status, timing
from service.games.games import load
from service.mail.message import read_head
from service.reports.scene import CARETAKER
from service.store import Arrived
from tests.service.players import GAME, NOW, Kept, Players, address, flat, one, says, to, unsaid


@pytest.fixture(scope="session")
def gathered(tmp_path_factory):
    """A game that Ann, Bob and Cat have joined and that has not begun."""
    return Kept.after(tmp_path_factory.mktemp("clocks") / "joined.sqlite", Players.gather)


@pytest.fixture
def players(gathered, tmp_path):
    with gathered.copy(tmp_path) as found:
        yield found


def begun(players, *options):
    """A game with these options of its organiser, begun by mails; Ann acts."""
    created = players.letters[0]
    [receipt] = players.reply(created, *options or ("status",))
    assert "NOT DONE" not in receipt.subject, receipt.text
    players.reply(created, "start")
    return receipt


def accounts(players):
    table = players.table()
    return timing.by_seat(timing.accounts_of(table, timing.rule_of(table)))


def due(players):
    with players.store.transaction() as tx:
        return {row.seat: row.due for row in tx.games.waiting(players.table().row.id)}


def later(players, seconds):
    """Time passes; the letters that it brings about, a look at a time."""
    found, until = [], players.now + seconds
    while True:
        at = players.store.work.due().task
        if at is None or at > until:
            break
        players.now = max(players.now, at)
        found += players.work()
    players.now = until
    return found


def test_an_organiser_sets_the_clock_and_a_turn_mail_tells_it(players):
    receipt = begun(players, "clock fischer 20d + 12h cap 20d", "allowance 20", "late hidden")
    assert says(receipt, rules.BANK_FOR_ALL, bank="20 days", add="12 hours", cap="20 days")
    assert says(receipt, game_options.LATE_HIDDEN)
    assert says(players.latest("Bob", "welcome"), rules.BANK_FOR_ALL, bank="20 days")
    turn = players.latest("Ann")
    assert turn.subject.endswith(", by Thu 4 Feb 08:00")
    assert turn.subject.startswith(f"[{GAME}] YOUR TURN: buy or bid") and len(turn.subject) <= 60
    # before all tables, where a phone shows it
    top = " ".join(turn.text.splitlines()[:4])
    assert says(top, deadlines.ANSWER_BY, until="Thu 4 Feb 08:00 UTC")
    assert says(top, deadlines.YOUR_BANK, bank="20 d 00 h")
    assert due(players) == {"Ann": NOW + 20 * DAY}
    [part] = [p for p in turn.mail.walk() if p.get_content_type() == "text/calendar"]
    [event] = Calendar.from_ical(part.get_payload(decode=True)).walk("VEVENT")
    assert int(event.start.timestamp()) == NOW + 20 * DAY
    [alarm] = event.walk("VALARM")
    assert alarm["trigger"].dt.total_seconds() == -DAY


@pytest.mark.long
@pytest.mark.parametrize(
    ("line", "clock", "variants"),
    [
        ("clock=fischer 20d + 12h cap 20d", "fischer 20d + 12h cap 20d", ()),
        ("clock each 48h weekdays", "each 48h weekdays", ()),
        ("with two-yellow, clock each 48h", "each 48h", ("two-yellow",)),
        ("with two-yellow clock = each 48h", "each 48h", ("two-yellow",)),
        ("clock=none", "", ()),
        ("undo=leave clock=each 48h", "each 48h", ()),
    ],
)
def test_a_clock_may_stand_in_the_line_that_creates_a_game(players, line, clock, variants):
    [created] = players.stranger(address("Ann"), f"create 18AL clocked {line}")
    with players.store.transaction() as tx:
        chosen = load(tx, "clocked").settings
    assert (chosen.clock, chosen.variants) == (clock, variants)
    told = rules.read(clock)
    if told is None:
        assert unsaid(created, rules.BANK_FOR_ALL) and unsaid(created, rules.EACH_DECISION)
    else:
        assert says(created, told.in_words())
    assert chosen.undo == ("leave" if "leave" in line else "vote")


@pytest.mark.long
def test_a_clock_that_cannot_be_creates_no_game(players):
    [refused] = players.stranger(address("Ann"), "create 18AL clocked clock=sundial")
    assert "NOT DONE" in refused.subject and says(refused, rules.HOW)
    with players.store.transaction() as tx:
        assert tx.games.named("clocked") is None


def directed(players, *lines):
    """The organiser, who plays, writes to the organiser's address; the letters that follow."""
    to_ = players.seat_address(GAME, "organiser")
    return players.send(players.mail(address("Ann"), to_, *lines))


def test_an_organiser_sets_another_clock_in_a_game_that_runs(players):
    begun(players, "clock fischer 20d + 12h cap 20d")
    players.now += 15 * DAY
    letters = directed(players, "clock each 36h because it is summer")
    assert players.table().settings.clock == "each 36h"
    told = one(letters, "Bob", "ruling")
    assert says(told, planning.SETS, setting="clock each 36h", because="it is summer")
    assert says(told, rules.EACH_DECISION, time="36 hours")
    assert due(players) == {"Ann": players.now + 36 * HOUR}, "the whole time, from now on"
    assert accounts(players)["Ann"].reminded == 0
    # a flag comes by the new one
    [late] = [x for x in later(players, 37 * HOUR) if x.kind == "flag"]
    assert late.to == address("Ann")
    directed(players, "clock each 24h because we want to end")
    assert (accounts(players)["Ann"].misses, due(players)) == (1, {"Ann": players.now + DAY})
    directed(players, "clock none because it is a quarrel")
    assert (players.table().clocks, due(players)) == ((), {"Ann": None})
    assert later(players, 90 * DAY) == []
    directed(players, "clock fischer 5d + 1h cap 5d because we go on")
    assert due(players) == {"Ann": players.now + 5 * DAY}
    players.write("Ann", "pass")
    assert due(players) == {"Bob": players.now + 5 * DAY}


@pytest.mark.long
def test_an_organiser_sets_what_follows_when_a_time_is_over(players):
    begun(players, "clock each 48h")
    directed(players, "caretaker on because nobody is to wait", "excused 1 because we are few")
    chosen = players.table().settings
    assert (chosen.caretaker, chosen.excused) == (True, 1)
    assert due(players) == {"Ann": NOW + 48 * HOUR}, "the clock goes on"
    directed(players, "holidays 2027-01-16 to 2027-01-17 because of a feast")
    assert due(players) == {"Ann": NOW + 96 * HOUR}


@pytest.mark.long
@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("clock each 36h", planning.A_REASON_IS_MISSING),
        ("clock each 48h because I say so", settings_and_time.IS_SO_ALREADY),
        ("clock fischer because of haste", rules.HOW),
        ("caretaker perhaps because of haste", game_options.HOW_TO_TAKE_CARE),
        ("allowance 400 because of haste", game_options.HOW_TO_ALLOW),
    ],
)
def test_what_cannot_be_set_is_refused_and_changes_nothing(players, line, why):
    begun(players, "clock each 48h")
    before = players.table().row.settings
    [refused] = directed(players, line)
    assert "NOT DONE" in refused.subject and says(refused, why)
    assert (players.table().row.settings, due(players)) == (before, {"Ann": NOW + 48 * HOUR})


def test_who_does_not_direct_sets_no_clock(players):
    begun(players, "clock each 48h")
    [refused] = players.write("Bob", "clock each 36h because it is summer")
    assert says(refused, NOT_YOU, word="clock", who=called(OFFICES))
    assert players.table().settings.clock == "each 48h"


@pytest.mark.long
def test_all_players_agree_on_another_clock_and_begin_anew(players):
    begun(players, "clock fischer 20d + 12h cap 20d")
    players.now += 15 * DAY
    players.write("Ann", "propose clock each 36h")
    players.write("Bob", "vote yes")
    assert players.table().settings.clock == "fischer 20d + 12h cap 20d", "all must agree"
    players.now += HOUR
    letters = players.write("Cat", "vote yes")
    assert players.table().settings.clock == "each 36h"
    assert says(one(letters, "Cat"), rules.EACH_DECISION, time="36 hours")
    assert due(players) == {"Ann": players.now + 36 * HOUR}
    players.write("Ann", "pass")
    assert due(players) == {"Bob": players.now + 36 * HOUR}


@pytest.mark.long
def test_time_is_taken_for_what_is_settled_and_a_turn_adds_some(players):
    begun(players, "clock fischer 20d + 12h cap 20d")
    players.now += 3 * HOUR
    players.write("Ann", "pass")
    assert accounts(players)["Ann"].bank == 20 * DAY - 3 * HOUR
    assert due(players) == {"Bob": players.now + 20 * DAY}
    for name in ("Bob", "Cat"):
        players.now += 5 * HOUR
        players.write(name, "pass")
    # the next turn of Ann's adds twelve hours, and the cap holds
    assert accounts(players)["Ann"].bank == 20 * DAY
    players.now += 30 * HOUR
    players.write("Ann", "pass")
    assert accounts(players)["Ann"].bank == 20 * DAY - 30 * HOUR


def test_time_counts_from_when_a_server_took_the_turn_mail(players):
    begun(players, "clock each 48h")
    raw = players.mail(address("Ann"), players.seat_address(GAME, "Ann"), "pass")
    players.arrive(raw)
    while players.office.moderate():
        pass
    # Bob's letter lies in the outbox for a day
    players.now += DAY
    players.collect()
    players.now += HOUR
    answer = one(players.write("Bob", "clock"), "Bob")
    assert says(answer, clock_answer.RUNS_UNTIL, until="Mon 18 Jan 08:00 UTC")
    assert accounts(players)["Bob"].started == NOW + DAY


@pytest.mark.long
def test_what_is_taken_back_by_another_costs_nothing(players):
    begun(players, "clock fischer 20d + 12h cap 20d")
    players.write("Ann", "pass")
    players.now += 10 * HOUR
    players.write("Ann", "undo")
    assert accounts(players)["Bob"].bank == 20 * DAY
    assert list(due(players)) == ["Ann"]
    # nor does it give: the turn is the one for which time was added
    players.now += 30 * HOUR
    players.write("Ann", "pass")
    assert accounts(players)["Ann"].bank == 20 * DAY - 30 * HOUR


@pytest.mark.long
def test_a_mail_that_came_in_time_and_is_illegal_buys_one_correction(players):
    begun(players, "clock each 24h")
    players.now += 23 * HOUR
    receipt = one(players.write("Ann", "buy NDY"), "Ann")
    assert "NOT DONE" in receipt.subject
    assert says(receipt, second_chance.CAME_IN_TIME, until="Sat 16 Jan 19:00 UTC")
    assert due(players) == {"Ann": players.now + 12 * HOUR}
    players.now += 11 * HOUR
    receipt = one(players.write("Ann", "buy NDY"), "Ann")
    assert says(receipt, second_chance.CLOCK_RUNS, until="Sat 16 Jan 19:00 UTC")
    assert due(players) == {"Ann": NOW + 35 * HOUR}


def test_no_correction_for_a_mail_that_came_too_late(players):
    begun(players, "clock each 24h")
    players.now += 25 * HOUR
    players.write("Ann", "buy NDY")
    assert not accounts(players)["Ann"].corrected


@pytest.mark.long
def test_a_server_whose_clock_is_fast_takes_no_time(players):
    """What it says is bounded by when the mail was fetched."""
    begun(players, "clock fischer 20d + 12h cap 20d")
    players.now += HOUR
    raw = players.mail(address("Ann"), players.seat_address(GAME, "Ann"), "pass")
    head = read_head(raw)
    arrived = Arrived("inbox", 1, 77, raw, NOW + 9 * DAY, head.message_id, head.sender, GAME)
    players.store.mails.keep(arrived, players.now)
    players.work()
    assert accounts(players)["Ann"].bank == 20 * DAY - HOUR


@pytest.mark.long
def test_reminders_come_once_each_and_all_are_told_of_a_flag_once(players):
    begun(players, "clock each 100h")
    letters = later(players, 60 * HOUR)
    [half] = letters
    assert says(half.subject, clock_tasks.LEFT_SUBJECT, game=GAME, time="2 d 02 h")
    assert says(half, deadlines.ANSWER_BY, until="Tue 19 Jan 12:00 UTC")
    [most] = later(players, 35 * HOUR)
    assert says(most.subject, clock_tasks.LEFT_SUBJECT, time="10 h")
    letters = later(players, 20 * HOUR)
    assert sorted((x.kind, x.to) for x in letters) == [
        ("flag", address("Ann")),
        ("notice", address("Bob")),
        ("notice", address("Cat")),
    ]
    assert says(one(letters, "Bob", "notice"), clock_tasks.IS_LATE_ALL, name="Ann")
    assert later(players, 30 * DAY) == []
    assert accounts(players)["Ann"].misses == 1
    answer = one(players.write("Cat", "clock"), "Cat")
    assert says(answer, clock_answer.LATE)
    # who is late may still answer, and the bank of nobody is below nothing
    players.write("Ann", "pass")
    assert players.texts() == ["pass"]


@pytest.mark.parametrize("excused", [1, 0])
def test_a_flag_brings_each_player_one_letter_where_the_caretaker_moves(players, excused):
    begun(players, "clock each 24h", "caretaker on", f"excused {excused}")
    players.write("Ann", "buy TR")
    letters = [x for x in later(players, 25 * HOUR) if x.kind != "reminder"]
    assert players.texts() == ["buy TR", "pass"]
    assert {name: to(letters, name) for name in ("Ann", "Bob", "Cat")} == {
        "Ann": ["news", *["vacant"] * (not excused)],  # who organises answers as such
        "Bob": ["void"],
        "Cat": ["turn"],
    }
    if not excused:
        why = out_of_time.LET_IT_RUN_OUT.format(name="Bob", often="once")
        assert says(one(letters, "Cat", "turn"), standbys.CALLED, name="Bob", why=why)
    letters = players.write("Cat", "pass")
    assert unsaid(one(letters, "Bob", "news"), CARETAKER.format(name="Bob"))


def test_an_organiser_who_does_not_play_is_told_of_a_flag_at_which_the_caretaker_moves(newcomers):
    organiser = "olga@players.test"
    newcomers.letters.insert(0, newcomers.gather(organiser=organiser))
    begun(newcomers, "clock each 24h", "caretaker on", "excused 1")
    newcomers.write("Ann", "buy TR")
    letters = [x for x in later(newcomers, 25 * HOUR) if x.to == organiser]
    assert [x.kind for x in letters] == ["notice"]
    assert says(letters[0].subject, clock_tasks.IS_LATE, name="Bob")


def test_a_game_that_hides_who_is_late_tells_the_organiser_alone(players):
    begun(players, "clock each 24h", "late hidden")
    letters = later(players, 30 * HOUR)
    told = [x for x in letters if x.kind == "notice"]
    assert [x.to for x in told] == [address("Ann")]  # who organises
    assert says(told[0], clock_tasks.NOT_TOLD, names="Bob and Cat")
    standing = one(players.write("Bob", "clock"), "Bob")
    assert says(standing, clock_answer.IS_TO_DECIDE)
    assert unsaid(standing, clock_answer.LATE)
    assert unsaid(standing, clock_answer.RUNS_UNTIL), "nor by a time that has passed"


@pytest.mark.long
def test_reminders_as_a_player_chooses_them(players):
    begun(players, "clock each 100h")
    receipt = one(players.write("Ann", "remind 90"), "Ann")
    assert says(receipt, seat_options.REMINDS, percent="90 %")
    kinds = [x.kind for x in later(players, 110 * HOUR) if x.to == address("Ann")]
    assert kinds == ["reminder", "flag"]
    refused = one(players.write("Bob", "remind now"), "Bob")
    assert "NOT DONE" in refused.subject
    assert says(refused, seat_options.HOW_TO_REMIND)


@pytest.mark.long
def test_no_reminder_in_quiet_hours_and_these_do_not_count(players):
    begun(players, "clock each 32h")
    players.write("Ann", "zone Europe/Berlin", "quiet 23:00 07:00")
    players.write("Bob", "zone Europe/Berlin", "quiet 23:00 07:00")
    before = due(players)
    players.write("Ann", "pass")
    # 08:00 UTC is nine in Berlin; a clock goes by what was chosen before it ran
    assert before == {"Ann": NOW + 32 * HOUR}
    assert due(players) == {"Bob": NOW + 48 * HOUR}
    turn = players.latest("Bob")
    assert deadlines.both(NOW + 48 * HOUR, "Europe/Berlin") in turn.text
    night = {"begins": "23:00", "ends": "07:00", "zone": "Europe/Berlin"}
    assert says(turn, timing.QUIET_HOURS, **night)
    assert turn.subject.endswith("by Sun 17 Jan 09:00")
    for letter in later(players, 3 * DAY):
        hour = (letter.mail["Date"].datetime.hour + 1) % 24
        assert letter.kind != "reminder" or 7 <= hour < 23


def test_nobody_is_told_at_night_that_their_time_is_over(players):
    begun(players, "clock daily 22:30 UTC")
    players.write("Ann", "zone Europe/Berlin", "quiet 23:00 07:00")
    letters = later(players, 2 * DAY)
    told = {letter.kind: letter.mail["Date"].datetime for letter in letters}
    assert (told["notice"].hour, told["notice"].minute) == (22, 33), "the table hears of it at once"
    assert (told["flag"].hour, told["flag"].minute) == (6, 0), "it is seven in Berlin"


@pytest.mark.long
def test_nobody_is_told_at_night_of_leave_that_is_taken_for_them(players):
    begun(players, "clock daily 22:30 UTC")
    players.write("Ann", "zone Europe/Berlin", "quiet 23:00 07:00", "auto-leave on", "remind off")
    letters = later(players, 2 * DAY)
    told = {letter.kind: letter.mail["Date"].datetime for letter in letters}
    assert (told["notice"].hour, told["notice"].minute) == (22, 33)
    assert (told["reminder"].hour, told["reminder"].minute) == (6, 0)
    [mine] = [letter for letter in letters if letter.to == address("Ann")]
    assert says(mine, clock_tasks.LEAVE_TAKEN)


def test_days_off_do_not_count(players):
    begun(players, "clock each 48h weekdays", "holidays 2027-01-18")
    # NOW is a Friday at eight: sixteen hours, then a weekend, a holiday, and the rest
    assert due(players) == {"Ann": NOW + 16 * HOUR + 3 * DAY + 32 * HOUR}
    spans = timing.days_off(rules.read("each 48h weekdays"), "2027-01-18")
    assert says(players.latest("Ann"), deadlines.NOT_COUNTED, spans=spans)


@pytest.mark.long
def test_a_daily_hour(players):
    begun(players, "clock daily 20:00 Europe/Berlin")
    assert due(players) == {"Ann": NOW + 11 * HOUR + DAY}
    players.now += 9 * HOUR
    players.write("Ann", "pass")
    assert list(due(players).values()) == [NOW + 11 * HOUR + DAY]


@pytest.mark.long
def test_leave_stops_the_clock_for_the_present_decision_and_is_announced(players):
    begun(players, "clock each 100h")
    letters = players.write("Ann", "away 17 Jan to 20 Jan deputy zoe@elsewhere.test")
    receipt = one(letters, "Ann")
    assert says(receipt, absences.LEAVE_BEGINS_CLOCK, begins="Sun 17 Jan 00:00")
    assert says(receipt, absences.DEPUTY_ASKED, address="zoe@elsewhere.test")
    assert [x.kind for x in letters if x.to == "zoe@elsewhere.test"] == ["confirm"]
    away = {"name": "Ann", "when": "Sun 17 Jan 2027 to Wed 20 Jan 2027"}
    for name in ("Bob", "Cat"):
        assert says(one(letters, name, "notice"), absences.IS_AWAY, **away)
    assert due(players) == {"Ann": NOW + 100 * HOUR + 4 * DAY}
    assert says(one(players.write("Bob", "clock"), "Bob"), absences.IS_AWAY, **away)
    # nothing comes of it before
    assert [x.kind for x in later(players, 100 * HOUR)] == []
    letters = players.write("Ann", "back")
    assert says(one(letters, "Ann"), leaving.LEAVE_IS_OVER_CLOCK)
    assert says(one(letters, "Bob", "notice"), leaving.PLAYS_AGAIN, name="Ann", game=GAME)
    assert due(players)["Ann"] == players.now + 100 * HOUR - 40 * HOUR


def test_leave_that_is_given_up_before_it_begins_does_not_end_any(players):
    begun(players, "clock each 100h")
    players.write("Ann", "away 17 Jan to 20 Jan")
    letters = players.write("Ann", "back")
    when = "Sun 17 Jan 2027 to Wed 20 Jan 2027"
    receipt, notice = one(letters, "Ann"), one(letters, "Bob", "notice")
    assert says(receipt, leaving.LEAVE_DROPPED, when=when)
    assert unsaid(receipt, leaving.LEAVE_IS_OVER_CLOCK) and unsaid(receipt, leaving.LEAVE_IS_OVER)
    assert says(notice, leaving.NOT_AWAY_THEN, name="Ann", game=GAME, when=when)
    assert unsaid(notice, leaving.PLAYS_AGAIN)
    assert due(players) == {"Ann": NOW + 100 * HOUR}


@pytest.mark.long
@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("away 1 Jan to 5 Jan", leave.DAY_IS_OVER),
        ("away 20 Jan to 18 Jan", rules.ENDS_BEFORE),
        (
            "away 20 Jan to 28 Feb",
            timing.ASK_FOR_LESS.format(left=30),
        ),
        ("away soon", leave.HOW),
        ("back", "You were not away"),
        ("away 20 Jan to 21 Jan deputy Bob", "Bob plays in dixie9 already"),
        ("away 20 Jan to 21 Jan deputy Zoe", "is not an email address"),
    ],
)
def test_leave_that_cannot_be_is_refused_and_nothing_is_told(players, line, why):
    begun(players, "clock each 100h")
    letters = players.write("Ann", line)
    assert to(letters, "Bob") == []
    assert says(one(letters, "Ann"), why)
    assert due(players) == {"Ann": NOW + 100 * HOUR}


@pytest.mark.long
def test_leave_is_refused_twice_at_a_time_and_counted_against_the_year(players):
    begun(players, "clock each 100h", "allowance 10")
    players.write("Ann", "away 20 Jan to 25 Jan")
    again = one(players.write("Ann", "away 24 Jan to 26 Jan"), "Ann")
    assert says(again, timing.ON_LEAVE_THEN)
    more = one(players.write("Ann", "away 1 Feb to 6 Feb"), "Ann")
    why = timing.TOO_LONG.rstrip(".") + " (`allowance 10`)."
    assert says(more, why, asked="6 days", year=2027, left=4)
    assert says(more, timing.ASK_FOR_LESS, left=4)


@pytest.mark.long
def test_leave_instead_of_a_flag_lasts_until_the_answer(players):
    begun(players, "clock each 24h", "allowance 10")
    players.write("Ann", "auto-leave on", "remind off")
    letters = later(players, 25 * HOUR)
    assert says(one(letters, "Bob", "notice"), clock_answer.INSTEAD)
    assert says(one(letters, "Ann", "reminder"), clock_tasks.LEAVE_TAKEN)
    assert accounts(players)["Ann"].misses == 0
    players.now += 3 * DAY
    players.write("Ann", "pass")
    answer = one(players.write("Ann", "clock"), "Ann")
    assert says(answer, clock_answer.LEAVE_LEFT, left="6 d 22 h", days=10, year=2027)
    # when none is left, it is a flag
    for name in ("Bob", "Cat"):
        players.write(name, "pass")
    assert later(players, 25 * HOUR) != []
    assert accounts(players)["Ann"].misses == 0
    later(players, 8 * DAY)
    assert accounts(players)["Ann"].misses == 1


def test_a_caretaker_moves_when_the_time_is_over_and_the_next_clock_runs(players):
    receipt = begun(players, "clock each 24h", "caretaker on", "excused 1")
    assert says(receipt, game_status.CARETAKER_MOVES)
    letters = later(players, 25 * HOUR)
    assert players.texts() == ["pass"]
    assert says(one(letters, "Ann", "void"), out_of_time.TIME_OVER, often="once", game=GAME)
    assert list(due(players)) == ["Bob"]
    assert accounts(players)["Ann"].misses == 1
    # until nobody is left to ask: Ann's second flag calls for somebody else
    letters = later(players, 80 * HOUR)
    assert accounts(players)["Ann"].misses == 2
    called = standbys.CALLED.format(name="Ann", game=GAME, why="")[:-2]
    assert sum(called in flat(x) for x in letters if x.to == address("Bob")) == 1


@pytest.mark.long
def test_whoever_takes_a_seat_has_time_to_find_their_way(players):
    begun(players, "clock each 24h")
    later(players, 25 * HOUR)
    assert accounts(players)["Ann"].flagged
    handover.move(players.store, players.service, GAME, "Ann", "eve@elsewhere.test", players.now)
    account = accounts(players)["Ann"]
    assert (account.misses, account.flagged) == (0, False)
    ends = players.now + 24 * HOUR + REFLECTION
    assert due(players)["Ann"] == ends
    letters = {x.kind: x for x in players.collect() if x.to == "eve@elsewhere.test"}
    until = deadlines.both(ends, "UTC")
    assert says(letters["turn"], deadlines.ANSWER_BY, until=until)
    assert says(letters["briefing"], deadlines.ANSWER_BY, until=until)
    assert says(letters["briefing"], handover.EXTRA_TIME, time="48 hours")
    assert says(letters["briefing"], rules.EACH_DECISION, time="24 hours")


@pytest.mark.long
def test_whoever_takes_a_seat_out_of_turn_is_told_the_clock_and_no_deadline(players):
    begun(players, "clock fischer 10d + 12h")
    handover.move(players.store, players.service, GAME, "Bob", "eve@elsewhere.test", players.now)
    [briefing] = [x for x in players.collect() if x.to == "eve@elsewhere.test"]
    assert says(briefing, deadlines.YOUR_BANK, bank="10 d 00 h")
    assert says(briefing, rules.BANK_FOR_ALL, bank="10 days", add="12 hours")
    assert unsaid(briefing, deadlines.ANSWER_BY) and unsaid(briefing, handover.EXTRA_TIME)


@pytest.mark.long
def test_a_vote_gives_more_time(players):
    begun(players, "clock fischer 20d + 12h cap 20d")
    players.write("Bob", "propose extend 48h")
    assert due(players) == {"Ann": NOW + 20 * DAY}
    players.write("Cat", "vote yes")
    assert due(players) == {"Ann": NOW + 22 * DAY}
    assert accounts(players)["Ann"].bank == 22 * DAY


def test_a_vote_waits_for_whose_time_does_not_count(players):
    begun(players, "clock each 10d")
    players.write("Cat", "zone Europe/Berlin", "quiet 23:00 07:00")
    receipt = one(players.write("Bob", "propose end"), "Bob")
    # 72 hours of which sixteen a day count for Cat
    assert says(receipt, proposing.ASKS, until="19 January 2027, 16:00 UTC")
    game = players.table().row.id
    with players.store.transaction() as tx:
        tx.clocks.add_span(game, "", "hold", NOW + DAY, NOW + 2 * DAY)
    later(players, 5 * DAY)
    assert players.table().votes[0].status == "open"
    later(players, DAY)
    assert players.table().votes[0].status == "failed"


@pytest.mark.long
def test_a_held_game_has_no_deadline_and_goes_on_as_it_was(players):
    begun(players, "clock each 48h")
    game = players.table().row.id
    players.now += 10 * HOUR
    with players.store.transaction() as tx:
        tx.clocks.add_span(game, "", "hold", players.now, None, "a dispute")
    assert later(players, 30 * DAY) == []
    assert says(one(players.write("Bob", "clock"), "Bob"), clock_answer.STANDS_STILL)
    with players.store.transaction() as tx:
        tx.clocks.end_span(game, "", "hold", players.now)
    answer = one(players.write("Bob", "clock"), "Bob")
    assert says(answer, clock_answer.RUNS_UNTIL, until="Tue 16 Feb 08:00 UTC")


@pytest.mark.long
def test_a_game_without_a_clock_says_so(players):
    begun(players)
    assert due(players) == {"Ann": None}
    assert says(one(players.write("Ann", "clock"), "Ann"), clock_answer.NO_CLOCK)
    assert unsaid(players.latest("Ann"), deadlines.ANSWER_BY)
    letters = players.write("Ann", "away 20 Jan to 25 Jan")
    assert says(one(letters, "Ann"), absences.LEAVE_BEGINS)
    assert says(one(letters, "Bob", "notice"), absences.IS_AWAY, name="Ann")


def test_wrong_clocks_are_refused_and_the_rest_is_done(players):
    created = players.letters[0]
    [receipt] = players.reply(created, "allowance 10", "clock each 5m")
    assert says(receipt, rules.BETWEEN)
    settings = players.table().settings
    assert (settings.clock, settings.leave) == ("", 10)
    [answer] = players.reply(created, "clock")
    assert says(answer, clock_answer.NO_CLOCK)
