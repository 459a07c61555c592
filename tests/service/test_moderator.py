"""A mail's way through the moderator, on both databases: what is done, and who is told what."""

import re
import shutil
from dataclasses import replace
from random import Random

import pytest

from engine import flow
from service.app.office import ENDED_WORKER, MODERATE_LEASE
from service.desk import moderator, put_aside
from service.desk.moderator import STEPS
from service.desk.posts import post_steps
from service.desk.strangers import wrong_address
from service.desk.turns.turn import TurnEmail
from service.mail import identity
from service.reports import letters as letters_of
from service.reports.receipt import DONE_SUBJECT
from service.store import Conflict, Store
from service.store.letters import Letters
from service.store.mails import MAIL_TRIES
from tests.service.players import ADDRESS, GAME, OPERATOR, SECRET, address, one, opened, says, to

pytest_plugins = ["tests.service.postgres"]


@pytest.fixture
def players(database, begun_game):
    """As in other tests, on each of the databases."""
    if database.startswith("sqlite"):
        shutil.copy(begun_game.file, database.removeprefix("sqlite:///"))
    found = opened(database, first=1000)
    found.letters = list(begun_game.letters)
    if not database.startswith("sqlite"):
        found.begin()
    yield found
    found.store.close()


def test_a_turn_is_done_receipted_and_handed_over(players):
    letters = players.reply(players.latest("Ann"), "buy TR")
    assert players.texts() == ["buy TR"]
    assert [to(letters, name) for name in ("Ann", "Bob", "Cat")] == [
        ["receipt"],
        ["turn"],
        ["news"],
    ]
    assert one(letters, "Ann").subject.endswith("– done")


@pytest.mark.long
def test_a_mail_from_another_address_warns_the_registered_player_and_does_nothing(players):
    letters = players.write("Ann", "buy TR", sender="mallory@else.test")
    assert players.texts() == []
    letter = one(letters, "Ann", "foreign")
    assert {found.to for found in letters} == {address("Ann"), "mallory@else.test"}
    assert "mallory@else.test" in letter.text


@pytest.mark.long
def test_a_forged_token_of_a_stranger_is_answered_as_a_stranger(players):
    forged = f"play+{GAME}.ann.aaaaaaaaaaaaaaaa@waybill.test"
    [letter] = players.write("Ann", "buy TR", to=forged, sender="mallory@else.test")
    assert (letter.kind, letter.to) == ("answer", "mallory@else.test")
    assert says(letter, letters_of.NO_SEAT_YET)
    assert players.texts() == []


def test_an_old_token_of_the_player_himself_brings_him_the_present_address(players):
    old = players.seat_address(GAME, "Ann")
    with players.store.transaction() as tx:
        assert tx.seats.renew(players.table().seat("Ann").id, 0)
    [letter] = players.write("Ann", "buy TR", to=old)
    assert players.texts() == []
    assert says(letter, wrong_address.YOU_PLAY)
    players.reply(letter, "buy TR")
    assert players.texts() == ["buy TR"]


@pytest.mark.long
def test_among_friends_the_sender_s_address_is_enough_for_a_seat_with_an_old_token(players):
    players.service = players.office.service = replace(players.service, grade="friendly")
    forged = f"play+{GAME}.ann.aaaaaaaaaaaaaaaa@waybill.test"
    letters = players.write("Ann", "buy TR", to=forged)
    assert players.texts() == ["buy TR"]
    assert to(letters, "Ann") == ["receipt"]
    letters = players.stranger(address("Bob"), "buy S&NA")
    assert players.texts() == ["buy TR", "buy S&NA"]


@pytest.mark.long
def test_among_friends_the_token_is_enough_and_the_receipt_goes_to_the_registered_address(players):
    players.service = players.office.service = replace(players.service, grade="friendly")
    letters = players.write("Ann", "buy TR", sender="ann@work.test")
    assert players.texts() == ["buy TR"]
    assert to(letters, "Ann") == ["receipt"]
    assert not [letter for letter in letters if letter.to == "ann@work.test"]


def test_a_player_out_of_turn_is_told_whose_turn_it_is(players):
    letters = players.write("Bob", "buy TR")
    assert players.texts() == []
    assert says(one(letters, "Bob"), flow.NOT_THEIR_TURN, player="Bob", others="Ann")
    assert [letter.to for letter in letters] == [address("Bob")]


@pytest.mark.long
def test_a_reply_without_plus_address_is_known_by_the_mail_it_answers(players):
    turn = players.latest("Ann")
    letters = players.send(players.mail(address("Ann"), ADDRESS, "buy TR", answers=turn))
    assert players.texts() == ["buy TR"]
    assert to(letters, "Bob") == ["turn"]


@pytest.mark.long
def test_a_mail_to_a_game_that_does_not_exist_is_answered_as_a_stranger_s(players):
    gone = identity.seat_address(ADDRESS, SECRET, "nowhere", "Eve", 0)
    [letter] = players.write("Eve", "pass", to=gone)
    assert (letter.kind, letter.to) == ("answer", address("Eve"))
    assert says(letter, letters_of.NO_SEAT_YET)


@pytest.mark.parametrize(
    "header",
    [
        {"Auto_Submitted": "auto-replied"},
        {"Return_Path": "<>"},
        {"Precedence": "bulk"},
        {"X_Autoreply": "yes"},
        {"X_Waybill": "1"},
    ],
)
def test_automatic_mails_are_not_answered_and_not_obeyed(players, header):
    assert players.write("Ann", "buy TR", **header) == []
    assert players.texts() == []
    assert players.store.work.counts().inbox["ignored"] == 1


QUIET = [
    {"List_Id": "Trains <trains.lists.test>"},
    {"Precedence": "list"},
    {"List_Unsubscribe": "<https://firm.test/u>"},
    {"X_Auto_Response_Suppress": "All"},
    {"X_Spam_Flag": "YES"},
    {"Return_Path": "<owner-trains@lists.test>"},
]


@pytest.mark.long
@pytest.mark.parametrize("header", QUIET)
def test_a_stranger_s_mail_of_a_list_or_filter_is_not_answered(players, header):
    for text in ("hello", f"status {GAME}", f"join {GAME} as Eve"):
        assert players.stranger("eve@elsewhere.test", text, **header) == []
    assert players.store.work.counts().inbox["ignored"] == 3


@pytest.mark.long
@pytest.mark.parametrize("header", QUIET)
def test_a_player_s_own_mail_is_obeyed_whatever_their_firm_adds(players, header):
    receipt = one(players.write("Ann", "buy TR", **header), "Ann")
    assert "NOT DONE" not in receipt.subject
    assert players.texts() == ["buy TR"]


@pytest.mark.parametrize("header", [QUIET[0], QUIET[1], QUIET[5]])
def test_a_copy_by_a_list_is_left_to_the_player_s_own(players, header):
    seat = players.seat_address(GAME, "Ann")
    copied = f"{seat}, trains@lists.test"
    assert players.write("Ann", "buy TR", to=copied, **header) == []
    assert players.texts() == []
    # The copy that went straight to the seat bears the list's headers no less than its address.
    players.write("Ann", "buy TR", to=copied, Delivered_To=seat, **header)
    assert players.texts() == ["buy TR"]


@pytest.mark.long
def test_a_forwarding_alias_is_no_list(players):
    headers = {"Delivered_To": ADDRESS, "Return_Path": "<SRS0=ab=cd=x.test=ann@alias.test>"}
    players.write("Ann", "buy TR", **headers)
    assert players.texts() == ["buy TR"]


@pytest.mark.long
@pytest.mark.parametrize("header", QUIET[2:4])
def test_a_player_at_the_wrong_address_is_told_though_answers_are_not_wished(players, header):
    [letter] = players.stranger(address("Ann"), "buy TR", **header)
    assert "NOT DONE" in letter.subject
    assert letter.reply_to == players.seat_address(GAME, "Ann", number=0)
    assert players.texts() == []


def test_a_mail_of_a_player_s_address_that_looks_forged_gets_no_answer(players):
    assert players.stranger(address("Ann"), "buy TR", X_Spam_Flag="YES") == []


@pytest.mark.long
def test_our_own_mails_are_not_answered(players):
    turn = players.latest("Ann")
    assert players.send(bytes(turn.mail)) == []
    assert players.write("Ann", "buy TR", sender=ADDRESS) == []


@pytest.mark.long
def test_the_same_bytes_delivered_twice_are_one_mail(players):
    raw = players.mail(address("Ann"), players.seat_address(GAME, "Ann"), "buy TR")
    players.send(raw)
    assert players.arrive(raw) is None
    players.now += 5
    assert players.arrive(raw) is None
    assert players.work() == []
    assert players.texts() == ["buy TR"]


def test_a_mail_that_comes_again_is_not_obeyed_again_and_other_words_are_another_mail(players):
    how = {"message_id": "<same@players.test>"}
    players.write("Ann", "buy TR", **how)
    assert players.write("Ann", "buy TR", Delivered_To="x@y.test", **how) == []
    assert players.store.work.counts().inbox["duplicate"] == 1
    assert to(players.write("Ann", "status", Delivered_To="x@y.test", **how), "Ann")
    assert players.store.work.counts().inbox["duplicate"] == 1


@pytest.mark.long
def test_a_fault_of_ours_keeps_the_mail_and_tells_operator_and_player(players, monkeypatch):
    fault = "a wheel came off"

    def broken(self):
        raise RuntimeError(fault)

    with monkeypatch.context() as patch:
        patch.setattr("service.desk.turns.turn.TurnEmail.effect", broken)
        letters = players.write("Ann", "buy TR")
    assert {(one.kind, one.to) for one in letters} == {
        ("fault", OPERATOR),
        ("sorry", address("Ann")),
    }
    assert fault in next(one.text for one in letters if one.kind == "fault")
    sorry = one(letters, "Ann", "sorry")
    assert all(says(sorry, line) for line in put_aside.FAULT)
    [aside] = players.store.mails.aside()
    assert aside.note == f"RuntimeError: {fault}"

    assert players.store.mails.retry(aside.id)
    letters = players.work()
    assert players.texts() == ["buy TR"]
    assert to(letters, "Bob") == ["turn"]


@pytest.mark.long
def test_a_mail_that_ends_its_workers_is_put_aside_and_told_of(players, monkeypatch):
    class Dead(BaseException):
        pass

    def dies(self):
        raise Dead

    with monkeypatch.context() as patch:
        patch.setattr("service.desk.turns.turn.TurnEmail.effect", dies)
        players.arrive(players.mail(address("Ann"), players.seat_address(GAME, "Ann"), "pass"))
        for _ in range(MAIL_TRIES):
            with pytest.raises(Dead):
                players.office.moderate()
            players.now += MODERATE_LEASE
    letters = players.work()
    assert {(one.kind, one.to) for one in letters} == {
        ("fault", OPERATOR),
        ("sorry", address("Ann")),
    }
    assert players.store.mails.aside()[0].note == ENDED_WORKER


def test_a_fault_in_telling_of_a_fault_still_keeps_the_mail(players, monkeypatch):
    def broken(*args, **kwargs):
        raise RuntimeError("no")

    monkeypatch.setattr("service.desk.turns.turn.TurnEmail.effect", broken)
    monkeypatch.setattr("service.desk.put_aside.fault_page", broken)
    assert players.write("Ann", "buy TR") == []
    assert len(players.store.mails.aside()) == 1


@pytest.mark.long
def test_a_conflict_begins_the_mail_again(players, monkeypatch):

    real, began = TurnEmail.effect, []

    def once(self):
        began.append(1)
        if len(began) == 1:
            raise Conflict("somebody was faster")
        return real(self)

    monkeypatch.setattr(TurnEmail, "effect", once)
    letters = players.write("Ann", "buy TR")
    assert len(began) == 2
    assert players.texts() == ["buy TR"]
    assert to(letters, "Ann") == ["receipt"]


@pytest.mark.long
def test_a_conflict_that_does_not_end_is_a_fault(players, monkeypatch):
    conflict = Conflict("again and again")

    def always(self):
        raise conflict

    monkeypatch.setattr("service.desk.turns.turn.TurnEmail.effect", always)
    letters = players.write("Ann", "buy TR")
    assert {one.kind for one in letters} == {"fault", "sorry"}
    assert players.store.mails.aside()[0].note == f"Conflict: {conflict}"


def test_a_position_that_changed_meanwhile_is_a_conflict_and_nothing_is_lost(players, monkeypatch):

    real, raced = TurnEmail._receipt, []

    def race(self, *args):
        if not raced:
            raced.append(1)
            table = players.table()
            players.place(table.state)
        return real(self, *args)

    monkeypatch.setattr(TurnEmail, "_receipt", race)
    letters = players.write("Ann", "buy TR")
    assert players.texts() == ["placed", "buy TR"]
    assert to(letters, "Ann") == ["receipt"]


@pytest.mark.long
def test_every_mail_gets_exactly_one_receipt_and_one_letter_of_a_kind(players):
    words = ["buy TR", "pass", "bid NDY 130", "bye TR", "status", "say: hi", "images off", "undo"]
    words += ["try: buy TR", "more", "resend", "help", "", "news rounds", "images on", "garbage in"]
    draw = Random(7)
    for _ in range(40):
        players.now += 600
        name = draw.choice(["Ann", "Bob", "Cat"])
        lines = draw.sample(words, draw.randint(1, 3))
        letters = players.write(name, *lines)
        assert to(letters, name).count("receipt") == 1, lines
        for other in ("Ann", "Bob", "Cat"):
            kinds = to(letters, other)
            assert len(set(kinds)) == len(kinds)
            assert not {"turn", "news"} <= set(kinds)
            assert other == name or "receipt" not in kinds
        assert players.store.mails.aside() == ()


@pytest.mark.long
def test_letters_are_threaded_named_and_marked(players):
    turn = players.latest("Ann")
    raw = players.mail(
        address("Ann"), turn.reply_to, "buy TR", subject=f"Re: {turn.subject}", answers=turn
    )
    letters = players.send(raw)
    receipt, news = one(letters, "Ann"), one(letters, "Cat", "news")
    sent = re.search(rb"Message-ID: (<[^>]*>)", raw)[1].decode()
    assert receipt.mail["In-Reply-To"] == sent
    assert receipt.mail["References"].split() == [turn.message_id, sent]
    about = turn.subject.replace("YOUR TURN: ", "")
    assert receipt.subject == f"Re: {about} – {DONE_SUBJECT}"
    assert receipt.mail["Auto-Submitted"] == "auto-replied"
    assert news.mail["Auto-Submitted"] == "auto-generated"
    assert news.subject.startswith(f"[{GAME}] SR 1, move 1 – Ann ")
    assert turn.subject.startswith(f"[{GAME}] YOUR TURN: ")
    for letter, name in ((receipt, "Ann"), (news, "Cat")):
        assert letter.reply_to == players.seat_address(GAME, name, number=1)
        assert letter.mail["X-Auto-Response-Suppress"] == "All"
        assert f"<{GAME}.waybill.test>" in letter.mail["List-Id"]
    later = players.reply(players.latest("Bob"), "buy S&NA")
    assert (
        one(later, "Ann", "news").mail["References"].split()[0].endswith("round-sr1@waybill.test>")
    )
    assert not players.latest("Cat").mail["References"], "a turn email stands alone"


@pytest.mark.long
def test_message_ids_tell_game_seat_and_position_and_are_the_same_again(players, monkeypatch):
    real, made = Letters.queue, []

    def twice(self, letters, now):
        made.append([letter.message_id for letter in letters])
        if len(made) == 1:
            raise Conflict("once more")
        return real(self, letters, now)

    monkeypatch.setattr(Letters, "queue", twice)
    letters = players.write("Ann", "buy TR")
    assert made[0] == made[1] and len(made[0]) == 3, "a second try writes the same emails"
    assert {letter.message_id for letter in letters} <= set(made[1])
    assert one(letters, "Bob", "turn").message_id.startswith(f"<{GAME}.bob.")
    assert ".s1-turn-" in one(letters, "Bob", "turn").message_id


def test_no_line_of_a_text_part_is_wider_than_78_columns(players):
    players.reply(players.latest("Ann"), "bid NDY 125", "status", "options", "help", "history")
    players.write("Bob", "x" * 500, "say: " + "long " * 100, "y " * 300)
    for letter in players.letters:
        wide = [line for line in letter.text.splitlines() if len(line) > 78]
        assert not wide, (letter.kind, wide)


@pytest.mark.long
def test_two_workers_keep_the_order_within_each_game(players, database):
    from concurrent.futures import ThreadPoolExecutor

    players.store.close()
    games = [GAME]
    for name in ("north", "south"):
        [created] = players.stranger(address("Ann"), f"create 18AL {name}")
        for player in ("Ann", "Bob", "Cat"):
            [asked] = players.stranger(address(player), f"join {name} as {player}")
            players.reply(asked, "yes")
        players.reply(created, "start")
        games.append(name)
    for turn in range(4):
        for game in games:
            to_act = players.table(game).state.seats
            seat = to_act[turn % 3]
            players.arrive(players.mail(address(seat), players.seat_address(game, seat), "pass"))

    def work(number):
        mine = Store(database)
        office = players.new_office(f"worker {number}", mine)
        idle = 0
        while idle < 20:
            idle = 0 if office.moderate() else idle + 1
        mine.close()

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(work, range(2)))
    while players.office.moderate():
        pass
    for game in games:
        assert players.texts(game) == ["pass"] * 4
        with players.store.transaction() as tx:
            rows = tx.log.actions(players.table(game).row.id, 0)
        assert [row.occasion_id for row in rows] == sorted(row.occasion_id for row in rows)
    assert players.store.mails.aside() == ()


def test_each_step_of_the_moderator_says_why_it_is_where_it_is():
    order = [step.conclude.__name__ for step in STEPS]
    assert order == [
        "refused", "post", "leaves", "from_robots", "beyond_bounds", "copies_of_lists", "settled",
        "returned", "confirmed", "addressed", "confirms_address", "of_holder",
        "of_watcher", "of_person_asked", "left", "of_address", "unasked", "of_stranger",
    ]  # fmt: skip
    of_posts = [step.conclude.__name__ for step in post_steps.STEPS]
    assert of_posts == [
        "unsigned", "shown", "sent_off", "begun", "awaited", "introduced", "of_nobody", "private",
        "keep_talk", "too_early", "of_player",
    ]  # fmt: skip
    assert all(step.why for step in (*STEPS, *post_steps.STEPS))


def test_a_plain_email_is_asked_no_more_than_whose_seat_it_is(players):
    """No step of lists, programs and tournaments looks into an email that has nothing of them."""
    came = []

    def watched(step):
        def conclude(arrived):
            came.append(step.conclude.__name__)
            return step.conclude(arrived)

        return replace(step, conclude=conclude)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(moderator, "STEPS", tuple(map(watched, STEPS)))
        players.reply(players.latest("Ann"), "buy TR")
    assert came == ["of_holder"]
