"""Games whose mails are handled at fixed times of the day."""

import msgspec
import pytest
from msgspec import structs

from service.commands.entry import NOT_A_DEPUTY, Who
from service.desk.turns import verdicts
from service.desk.votes import proposing
from service.games import batches, choices, game_status, votes
from service.reports.receipt import MARKS, RECEIVED
from service.store import Task
from tests.service.players import GAME, NOW, Kept, address, flat, one, opened, says, to

DAY = 86_400
EVE = "eve@elsewhere.test"
BOUGHT = "Ann bought Tuscumbia Railway (TR) for $20"


@pytest.mark.parametrize("text, times", [
    ("06:00 18:00", ("06:00", "18:00")),
    ("18.00, 6:00 UTC", ("06:00", "18:00")),
    ("off", ()),
    ("", None),
    ("25:00", None),
    ("noon", None),
    (" ".join(f"{hour}:00" for hour in range(13)), None),
])  # fmt: skip
def test_times_are_read(text, times):
    assert batches.read_times(text) == times


def test_the_next_time_is_the_first_from_now_on():
    midnight = NOW - NOW % DAY
    times = ("06:00", "18:00")
    assert batches.next_time(times, midnight) == midnight + 6 * 3600
    assert batches.next_time(times, midnight + 6 * 3600) == midnight + 6 * 3600
    assert batches.next_time(times, midnight + 6 * 3600 + 1) == midnight + 18 * 3600
    assert batches.next_time(times, midnight + 19 * 3600) == midnight + 30 * 3600


def _slow(found):
    found.now = NOW - NOW % DAY + 10 * 3600
    created = found.gather()
    letters = found.reply(created, "batch 06:00 18:00")
    assert says(letters[0], batches.AT_TIMES, times="06:00 and 18:00")
    assert says(found.write("Ann", "status")[0], batches.AT_TIMES, times="06:00 and 18:00")
    found.reply(created, "start")


@pytest.fixture(scope="session")
def slow_game(tmp_path_factory):
    """A game that takes mails twice a day."""
    return Kept.after(tmp_path_factory.mktemp("slow") / "begun.sqlite", _slow)


@pytest.fixture
def slow(slow_game, tmp_path):
    """A game whose mails are handled at 06:00 and 18:00 UTC; it is 10:00, and Ann's turn."""
    with slow_game.copy(tmp_path) as found:
        yield found


def evening(players):
    players.now = NOW - NOW % DAY + 18 * 3600
    return players.work()


def test_a_turn_waits_for_its_time_and_its_receipt_says_when(slow):
    """It comes at once, and is the only answer if all goes well."""
    letters = slow.write("Ann", "buy TR", "status", "say: hello")
    receipt = one(letters, "Ann")
    text = flat(receipt)
    assert receipt.subject.endswith("– waits") and says(receipt, RECEIVED)
    cost = verdicts.COSTS.format(dollars=20, who="you have", cash=580)
    assert f"{MARKS['waits']} buy TR {cost}" in text
    assert says(receipt, verdicts.HANDLED_AT, when="15 January 2027, 18:00 UTC")
    assert "CASH" in text.upper(), "questions are answered at once"
    assert slow.texts() == []
    assert "turn" not in to(letters, "Bob") and "hello" in flat(one(letters, "Bob", "news"))
    letters = evening(slow)
    assert slow.texts() == ["buy TR"]
    assert to(letters, "Ann") == ["news"], "like all who chose to read of each move"
    assert BOUGHT in flat(one(letters, "Ann", "news"))
    assert to(letters, "Bob") == ["turn"]
    assert evening(slow) == [], "it is done once"


@pytest.mark.parametrize("chosen", ["digest daily 07:00", "digest off"])
def test_what_was_done_is_in_the_next_email_about_the_game(slow, chosen):
    slow.write("Ann", chosen)
    slow.write("Ann", "buy TR")
    assert to(evening(slow), "Ann") == []
    if chosen == "digest off":
        for name in ("Bob", "Cat"):
            slow.now += 60
            slow.write(name, "pass")
            slow.now += 12 * 3600
            letters = slow.work()
        told = one(letters, "Ann", "turn")
    else:
        slow.now += 14 * 3600
        told = one(slow.remind(), "Ann", "digest")
    assert BOUGHT in flat(told)


def test_orders_and_moves_of_an_email_have_one_receipt(slow):
    [receipt] = [
        one for one in slow.write("Bob", "pass until round ends") if one.to == address("Bob")
    ]
    assert receipt.kind == "receipt" and "pass until round ends" in flat(receipt)
    slow.write("Ann", "buy TR")
    assert "receipt" not in to(evening(slow), "Bob")
    assert slow.texts() == ["buy TR", "pass"]


def test_mails_are_handled_in_the_order_in_which_they_came_and_orders_wait_too(slow):
    slow.write("Ann", "buy TR")
    slow.write("Bob", "pass until round ends")
    assert slow.table().orders == ()
    slow.write("Ann", "orders")
    evening(slow)
    assert slow.texts() == ["buy TR", "pass"]


def test_what_waits_is_done_as_its_writer_s_who_was_a_deputy(slow):
    """Eve acts for Ann. The row is changed as if Eve's line meant the player's alone by now."""
    [asked] = [one for one in slow.write("Ann", f"deputy {EVE}") if one.to == EVE]
    slow.reply(asked, "yes")
    slow.reply(slow.latest("Ann"), "buy TR", sender=EVE)
    with slow.store.transaction() as tx:
        [task] = tx.tasks.of(batches.KIND, GAME, "Ann")
        waiting = msgspec.json.decode(task.payload, type=batches.BatchedEmail)
        assert waiting.who == Who.DEPUTY.value
        tx.tasks.withdraw(task.id, "another line takes its place")
        own = structs.replace(waiting, lines=((1, "images off"), (2, "buy TR")))
        tx.tasks.add(replace_payload(task, msgspec.json.encode(own)), slow.now)
    letters = evening(slow)
    assert slow.texts() == ["buy TR"]
    receipt = one(letters, "Ann", "receipt")
    assert says(receipt, NOT_A_DEPUTY, word="images")
    assert choices.seat_settings(slow.table().seat("Ann")).images != "off"


def replace_payload(task, payload):
    """The same task with another email."""
    return Task(task.kind, f"{task.key}-again", task.due, task.game, task.seat, payload)


def test_a_later_mail_for_the_same_turn_takes_the_place_of_the_earlier(slow):
    slow.write("Ann", "buy TR")
    slow.write("Ann", "bid M&C 105")
    slow.write("Ann", "note: pass next")
    evening(slow)
    assert slow.texts() == ["bid M&C 105"]


def test_at_the_time_itself_a_mail_is_handled_at_once(slow):
    slow.now = NOW - NOW % DAY + 18 * 3600
    slow.write("Ann", "buy TR")
    assert slow.texts() == ["buy TR"]


def test_what_is_refused_in_their_own_turn_is_told_at_once_and_does_not_wait(slow):
    receipt = one(slow.write("Ann", "buy TR", "buy 7", "status"), "Ann")
    assert "NOT DONE" in receipt.subject and "`go 1`" in flat(receipt)
    assert "CASH" in flat(receipt).upper(), "questions are answered all the same"
    slow.reply(receipt, "go 1")
    assert slow.texts() == []
    assert "receipt" not in to(evening(slow), "Ann")
    assert slow.texts() == ["buy TR"]


def test_what_cannot_be_done_at_its_time_is_told_then(slow):
    """Out of turn it may still become possible, so it waits."""
    receipt = one(slow.write("Bob", "buy TR"), "Bob")
    assert receipt.subject.endswith("– waits")
    slow.write("Ann", "buy TR")
    letters = evening(slow)
    assert "NOT DONE" in one(letters, "Bob").subject
    assert slow.texts() == ["buy TR"]


def test_undo_waits_and_takes_back_what_was_handled_so(slow):
    slow.write("Ann", "buy TR")
    letters = evening(slow)
    slow.now += 60
    slow.reply(one(letters, "Ann", "news"), "undo")
    assert slow.texts() == ["buy TR"]
    slow.now += 12 * 3600
    assert to(slow.work(), "Ann") == ["turn"]
    assert slow.texts() == []


# in a running game


def times(players):
    return players.table().settings.batch


def test_the_players_agree_on_times_by_a_vote(players):
    players.now = NOW - NOW % DAY + 10 * 3600
    letters = players.write("Ann", "propose batch 18.00, 6:00")
    handled = batches.HANDLE_AT.format(times="06:00 and 18:00")
    assert handled in flat(one(letters, "Bob", "request"))
    players.write("Bob", "vote yes")
    assert times(players) == ()
    letters = players.write("Cat", "always vote yes on batch")
    assert times(players) == ("06:00", "18:00")
    turn = one(letters, "Ann", "turn")
    assert says(turn, votes.AGREED, number=1, about=handled, name="Ann")
    letters = players.write("Ann", "buy TR")
    assert one(letters, "Ann").subject.endswith("– waits")
    evening(players)
    assert players.texts() == ["buy TR"]


def test_what_waits_waits_for_the_new_times(slow):
    slow.write("Ann", "buy TR")
    slow.write("Ann", "propose batch 12:00")
    slow.write("Bob", "vote yes")
    slow.write("Cat", "vote yes")
    slow.now += 2 * 3600
    slow.work()
    assert slow.texts() == ["buy TR"], "at 12:00"


def test_without_times_what_waits_is_handled_at_once_and_before_later_mails(slow):
    slow.write("Ann", "buy TR")
    slow.write("Ann", "propose batch off")
    slow.write("Bob", "vote yes")
    letters = slow.write("Cat", "vote yes")
    assert says(one(letters, "Cat"), votes.AGREED, about=batches.HANDLE_AT_ONCE)
    assert slow.texts() == ["buy TR"]
    slow.write("Bob", "pass")
    assert slow.texts() == ["buy TR", "pass"]


@pytest.mark.parametrize("text, told", [
    ("propose batch noon", proposing.WRITE_BATCH.format(how=batches.HOW)),
    ("propose batch off", proposing.SO_IT_IS.format(told=batches.AT_ONCE)),
    ("batch 06:00", verdicts.WHO_CHANGES_TIMES.format(times="06:00")),
])  # fmt: skip
def test_what_a_player_cannot_do_alone_says_what_would(players, text, told):
    assert says(one(players.write("Bob", text), "Bob"), told)
    assert times(players) == ()
    assert says(one(players.write("Bob", "batch"), "Bob"), batches.AT_ONCE)


def test_the_organiser_alone_changes_the_times_and_all_are_told(tmp_path):
    """Eve organises, and does not play."""
    found = opened(f"sqlite:///{tmp_path}/waybill.sqlite")
    found.now = NOW - NOW % DAY + 10 * 3600
    [created] = found.stranger("eve@host.test", f"create 18AL {GAME}")
    for name in ("Ann", "Bob", "Cat"):
        [asked] = found.stranger(address(name), f"join {GAME} as {name}")
        found.reply(asked, "yes")
    found.reply(created, "start")
    letters = found.reply(created, "batch 06:00 18:00")
    assert found.table().settings.batch == ("06:00", "18:00")
    for name in ("Ann", "Bob", "Cat"):
        assert says(one(letters, name, "option-batch"), batches.AT_TIMES, times="06:00 and 18:00")
    assert [x.to for x in found.reply(created, "batch 6:00 18:00")] == ["eve@host.test"], "no news"
    [receipt] = [letter for letter in letters if letter.to == "eve@host.test"]
    assert receipt.subject.endswith("– done")
    assert says(receipt, batches.AT_TIMES, times="06:00 and 18:00")
    found.write("Ann", "buy TR")
    assert found.texts() == []
    found.reply(created, "batch noon")
    assert found.table().settings.batch == ("06:00", "18:00")
    found.reply(created, "batch off")
    found.work()
    assert found.texts() == ["buy TR"]
    [status] = found.reply(created, "status")
    assert says(status, game_status.CHANGE_TIMES)
    found.store.close()
