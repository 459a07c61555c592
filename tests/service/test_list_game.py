"""A game on a mailing list: who is asked before, what comes by it, and what goes there."""

import dataclasses
import re
from email import message_from_bytes, policy

import pytest

from service.commands import helping, reading
from service.commands.entry import NOT_HERE, NOT_YOU, Where, Who
from service.desk.ahead import orders_given
from service.desk.bounces.undelivered import Undelivered
from service.desk.channels import public_channel
from service.desk.channels.mailing_list import SMALL_LIMIT
from service.desk.options import game_channels
from service.desk.posts import post_steps
from service.desk.talk import applauding, talking
from service.desk.vocabulary.table import VOCABULARY
from service.games.linking import links
from service.games.shown import place
from service.mail import identity
from service.mail.message import read
from service.publish.publishing import Publishing, Site
from service.reports import Scene
from service.reports.channels import ASKED_FOR, DONE_BUT_FOR, DONE_FOR, NOTHING_CHANGED_FOR
from service.reports.position import mark
from service.reports.receipt import ANSWERED_SUBJECT
from service.said import SAYS
from service.store import Delivery
from service.workshop.demo.troupe import game_name
from tests.service import listed
from tests.service.players import ADDRESS, GAME, SECRET, TITLE, address, flat, one, says, to, unsaid

LIST = "dixie@lists.example.org"
NAMES = ("Ann", "Bob", "Cat")


@pytest.fixture
def table(begun_game, tmp_path):
    """The begun game at a table of friends, with a list that wants it."""
    with begun_game.copy(tmp_path, grade="friendly") as found:
        put_on_list(found)
        yield found


def line_of(letter):
    """The line that a letter tells the organiser to write to the list."""
    [found] = [line for line in letter.text.split("`") if line.startswith("!list")]
    return found


def put_on_list(players, game=GAME, organiser="Ann", key="line"):
    """Let the game's list be named, spoken for there, greeted and proved by its greeting."""
    [told] = players.write(organiser, f"list {LIST}", game=game)
    [greeting] = players.send(listed.mlmmj(lines=(line_of(told),), key=key))
    assert greeting.to == LIST
    return players.send(back(greeting))


def back(letter):
    """A letter of ours as a list sends it to its members, us among them."""
    raw = letter.mail.as_bytes()
    return b"List-Id: <dixie.lists.example.org>\r\nDelivered-To: play@waybill.test\r\n" + raw


_count = iter(range(1, 10_000))


def post(players, name, *lines, answers=None, **how):
    """A player writes to the list; the letters that follow."""
    key = how.pop("key", f"post-{next(_count)}")
    raw = listed.mlmmj(address(name), name, lines, key=key, marked=how.pop("marked", True))
    if "subject" in how:
        raw = raw.replace(b"Subject: Re: [dixie7] SR 1", f"Subject: {how['subject']}".encode())
    if answers is not None:
        raw = raw.replace(b"Subject:", f"In-Reply-To: {answers.message_id}\r\nSubject:".encode())
    return players.send(raw)


def yes_of(letter):
    """The line by which a player says that a post is theirs."""
    [found] = re.findall(r"^ *(yes \d+)\s*$", letter.text, re.MULTILINE)
    return found


def on_list(letters):
    """Kinds of the letters to the list."""
    return [letter.kind for letter in letters if letter.to == LIST]


def test_what_a_list_reads_names_no_order(table):
    """Orders are secret: a list is no place to give them."""
    letters = post(table, "Bob", "!bid NDY 125")
    [answer] = [letter for letter in letters if letter.kind == "list-receipt"]
    assert "NOT DONE" in answer.text
    assert unsaid(answer, orders_given.IN_ADVANCE)


# ---------------------------------------------------------------------------- whose list it is


def test_nothing_goes_to_a_list_before_somebody_has_spoken_for_the_game_there(players):
    letters = players.write("Ann", f"list {LIST}")
    assert on_list(letters) == []
    letters += players.write("Ann", "buy TR")
    assert on_list(letters) == []


@pytest.mark.long
def test_the_greeting_is_the_only_letter_until_it_comes_back(players):
    [told] = players.write("Ann", f"list {LIST}")
    letters = players.send(listed.mlmmj(lines=(line_of(told),), key="1"))
    assert on_list(letters) == ["list-greeting"]
    assert players.send(listed.mlmmj(lines=(line_of(told),), key="2")) == []
    assert on_list(players.write("Ann", "buy TR")) == []
    back_again = players.send(back(letters[0]))
    assert [(one.kind, one.to) for one in back_again] == [("list-on", address("Ann"))]
    assert on_list(players.write("Bob", "bid NDY 125")) == ["list-news"]


@pytest.mark.long
def test_a_list_that_keeps_our_own_mails_from_us_may_answer_the_greeting(players):
    [told] = players.write("Ann", f"list {LIST}")
    [greeting] = players.send(listed.mlmmj(lines=(line_of(told),), key="1"))
    letters = post(players, "Bob", "Yes, please!", answers=greeting)
    assert [letter.kind for letter in letters] == ["list-on"]


def test_a_forged_line_brings_about_one_letter_and_no_more(players):
    players.write("Ann", f"list {LIST}")
    wrong = listed.mlmmj(lines=("!list " + "a" * 16,), key="1", marked=True)
    assert players.send(wrong) == []
    forged = listed.mlmmj(lines=("!pass",), key="2", marked=True)
    assert players.send(forged) == []


@pytest.mark.long
@pytest.mark.parametrize(
    ("named", "why"),
    [
        (address("Bob"), "the address of a person who plays here"),
        (address("Ann").upper(), "the address of a person who plays here"),
        (ADDRESS, "Waybill's own address"),
        ("play+dixie7.bob@waybill.test", "Waybill's own address"),
        ("operator@waybill.test", "the address of a person who plays here"),
        ("dixie-request@lists.example.org", "belongs to a program"),
    ],
)
def test_an_address_that_is_no_list_is_refused(players, named, why):
    [told] = players.write("Ann", f"list {named}")
    assert "NOT DONE" in told.subject
    assert why in " ".join(told.text.split())
    assert players.table().mailing is None


@pytest.mark.long
def test_a_game_is_created_with_its_list_and_an_organiser_s_own_address_is_none(newcomers):
    [told] = newcomers.stranger(address("Ann"), f"create 18AL dixie7 list={LIST} with two-yellow")
    assert line_of(told).startswith("!list ")
    assert newcomers.table("dixie7").mailing.address == LIST
    [no] = newcomers.stranger(address("Ann"), f"create 18AL dixie8 list={address('Ann')}")
    assert "NOT DONE" in no.subject
    assert newcomers.table("dixie8") is None


@pytest.mark.long
def test_only_the_organiser_chooses_the_list(players):
    [told] = players.write("Bob", f"list {LIST}")
    assert says(told, NOT_YOU, word="list", who="the organizer")
    assert players.table().mailing is None


def test_any_member_of_the_list_ends_it_and_players_get_their_news_again(table):
    letters = table.send(
        listed.mlmmj("zoe@elsewhere.test", "Zoe", ("!list off",), key="off", marked=True)
    )
    assert [(letter.kind, letter.to) for letter in letters] == [("list-off", address("Ann"))]
    assert table.table().mailing is None
    letters = table.write("Ann", "buy TR")
    assert on_list(letters) == []
    assert "news" in to(letters, "Cat")


def test_a_game_leaves_its_list_once_for_each_post(table):
    raw = listed.mlmmj("zoe@elsewhere.test", "Zoe", ("!list off",), key="off", marked=True)
    table.send(raw)
    table.now += 60
    put_on_list(table, key="again")
    table.send(b"X-Again: yes\r\n" + raw)
    assert table.table().mailing is not None


@pytest.mark.long
def test_a_list_that_refuses_us_is_told_to_the_organiser_once(table):
    for words in ("say: hello", "say: and this"):
        table.arrive(table.mail(address("Bob"), table.seat_address(GAME, "Bob"), words))
    while table.office.moderate():
        pass
    rows = table.store.letters.claim("post", table.now, 60, 100)
    assert sum(row.recipient == LIST for row in rows) == 2
    table.store.letters.settle(
        [
            Delivery(row.id, "refused" if row.recipient == LIST else "sent", "550 members only")
            for row in rows
        ],
        table.now,
    )
    Undelivered(table.service, table.now).tell(table.store)
    told = [each for each in table.collect() if each.to == address("Ann")]
    assert [each.kind for each in told] == ["list-off"]
    assert says(
        told[0], public_channel.NOTHING_GOES, place=f"the list {LIST}", why="550 members only"
    )
    assert on_list(table.write("Bob", "say: hello again")) == []


def report_of(letter, failed, to=LIST, status="5.1.1", original=""):
    """A delivery report that the server of somebody's mailbox sends to all whom it finds named."""
    head = (
        "From: MAILER-DAEMON@members.test", f"To: {to}", "Message-ID: <b1@members.test>",
        "Subject: Undelivered Mail Returned to Sender",
        *(("List-Id: <dixie.lists.example.org>",) if to == LIST else ()),
        "MIME-Version: 1.0", 'Content-Type: multipart/report; boundary="b"',
        "", "--b", "Content-Type: text/plain", "", "!pass",
        "--b", "Content-Type: message/delivery-status", "", "Reporting-MTA: dns; members.test", "",
        *((f"Original-Recipient: rfc822; {original}",) if original else ()),
        f"Final-Recipient: rfc822; {failed}", "Action: failed", f"Status: {status}",
        "--b", "Content-Type: message/rfc822", "",
    )  # fmt: skip
    return "\r\n".join(head).encode() + b"\r\n" + letter.mail.as_bytes() + b"\r\n--b--\r\n"


def envelope_of(players, letter):
    """Where a letter comes back to: nobody knows it who has not carried it."""
    [row] = players.store.letters.named((letter.message_id,))
    return players.service.envelope(row.id)


def failures_told(players):
    """Kinds of the letters about letters that failed."""
    Undelivered(players.service, players.now).tell(players.store)
    return [each.kind for each in players.collect()]


@pytest.mark.parametrize(("failed", "off"), [("zoe@members.test", False), (LIST, True)])
def test_a_report_to_its_envelope_proves_that_the_list_refuses_a_letter(table, failed, off):
    """One about a member's mailbox comes there as well, where the list is a plain alias."""
    [news] = [each for each in table.write("Ann", "buy TR") if each.to == LIST]
    to_us = envelope_of(table, news)
    assert table.send(report_of(news, failed, to_us, original=LIST)) == []
    assert failures_told(table) == ["list-off"] * off
    assert (table.table().mailing is None) == off
    assert table.texts() == ["buy TR"]


def test_a_report_with_the_id_of_a_letter_to_the_list_proves_nothing(table):
    """The archive of the list shows the ids of all letters to it."""
    [news] = [each for each in table.write("Ann", "buy TR") if each.to == LIST]
    [told] = table.send(report_of(news, LIST, ADDRESS))
    assert (told.to, told.kind) == (address("Ann"), "list-failed")
    assert table.send(report_of(news, LIST, ADDRESS, status="4.2.2")) == [], "once a day"
    exim = table.mail("eve@else.test", ADDRESS, "no", X_Failed_Recipients=LIST, In_Reply_To="<x>")
    table.send(exim.replace(b"<x>", news.message_id.encode()))
    table.send(report_of(news, "zoe@members.test"))
    assert failures_told(table) == []
    assert table.table().mailing.status == "on"
    assert on_list(table.write("Bob", "buy S&NA")) == ["list-news"]


def test_a_list_stays_the_game_s_when_a_letter_fails_for_a_while(table):
    [news] = [each for each in table.write("Ann", "buy TR") if each.to == LIST]
    table.send(report_of(news, LIST, envelope_of(table, news), status="4.2.2"))
    assert failures_told(table) == ["list-failed"], "the organizer hears of it"
    [again] = [each for each in table.write("Bob", "buy S&NA") if each.to == LIST]
    table.send(report_of(again, LIST, envelope_of(table, again), status="5.2.2"))
    assert failures_told(table) == [], "once a day"
    assert table.table().mailing.status == "on"


def test_what_a_list_manager_is_said_to_send_back_is_told_and_changes_nothing(table):
    [news] = [each for each in table.write("Ann", "buy TR") if each.to == LIST]
    assert table.send(listed.mailman_sends_back(news.mail.as_bytes(), "")) == []
    assert table.send(listed.mailman_sends_back(b"Message-ID: <a@elsewhere.test>\r\n\r\nx")) == []
    [told] = table.send(listed.mailman_sends_back(news.mail.as_bytes(), "It is too large"))
    assert (told.to, told.kind) == (address("Ann"), "list-failed")
    assert says(told, public_channel.EMAIL_SAYS, address=LIST)
    assert "It is too large" in flat(told)
    assert table.table().mailing.status == "on"


def test_a_player_at_our_own_host_writes_on_the_list(table):
    """The mail server there makes the ids of their mails, which end like ours."""
    raw = listed.mlmmj(address("Ann"), "Ann", ("!buy TR",), key="at-home", marked=True)
    [found] = re.findall(rb"(?im)^message-id: (<[^>]*>)", raw)
    assert on_list(table.send(raw.replace(found, b"<1a2b@waybill.test>"))) == ["list-receipt"]
    assert table.texts() == ["buy TR"]


# ---------------------------------------------------------------------------- commands


@pytest.mark.long
def test_a_command_from_the_list_is_done_and_answered_there_once(table):
    letters = post(table, "Ann", "Good morning all.", "!buy TR")
    assert table.texts() == ["buy TR"]
    assert on_list(letters) == ["list-receipt"]
    assert to(letters, "Ann") == []
    assert to(letters, "Bob") == ["turn"]
    assert to(letters, "Cat") == []
    [receipt] = [one for one in letters if one.to == LIST]
    assert says(receipt, DONE_FOR, writer="Ann")
    assert receipt.mail["In-Reply-To"]


def test_a_refused_command_says_why_on_the_list(table):
    letters = post(table, "Ann", "!bid NDY 5")
    assert table.texts() == []
    [receipt] = letters
    assert receipt.to == LIST
    assert says(receipt, NOTHING_CHANGED_FOR, writer="Ann")
    assert "(18AL " in receipt.text


def test_a_move_beside_something_refused_is_done_on_the_list_and_said_so(table):
    letters = post(table, "Ann", "!buy TR", "!status Nobody")
    assert table.texts() == ["buy TR"]
    [receipt] = [letter for letter in letters if letter.to == LIST]
    assert says(receipt, DONE_BUT_FOR, writer="Ann")


@pytest.mark.long
def test_lines_without_the_mark_are_talk_and_kept_once(table):
    talk = ("buy TR would be dull, wouldn't it?", "pass")
    assert post(table, "Ann", *talk) == []
    assert table.texts() == []
    with table.store.transaction() as tx:
        said = tx.log.talks(table.table().row.id)
    assert [(one.seat, one.text) for one in said] == [("Ann", "\n".join(talk))]
    letters = post(table, "Ann", "!buy TR")
    assert "dull" in one(letters, "Bob", "turn").text
    assert "dull" not in "".join(each.text for each in letters if each.to == LIST)


def test_a_greeting_on_the_list_is_no_line_that_nobody_read(table):
    letters = post(table, "Ann", "!pass", "", "Good evening all")
    [receipt] = [each for each in letters if each.kind == "list-receipt"]
    assert says(receipt, "Ann passed") and unsaid(receipt, reading.WORDS_ONLY)


def times_told(letters, name, words):
    return sum(flat(each).count(words) for each in letters if each.to == address(name))


@pytest.mark.parametrize(
    "news",
    [
        "digest off",
        pytest.param("digest each", marks=pytest.mark.long),
        pytest.param("digest daily 07:00", marks=pytest.mark.long),
    ],
)
def test_talk_beside_a_command_is_told_once_to_who_reads_no_list(table, news):
    """Bob's turn mail is written by that very mail, Cat's by a later one."""
    for name in ("Bob", "Cat"):
        table.write(name, news)
    letters = post(table, "Ann", "A fine morning to you all.", "Who bids?", "!buy TR")
    assert times_told(letters, "Bob", "A fine morning") == 1
    assert times_told(letters, "Cat", "A fine morning") == (news == "digest each")
    table.write("Bob", "bid NDY 125")
    table.write("Cat", "bid NDY 130")
    table.write("Ann", "pass")
    table.now += 86_400
    table.remind()
    assert times_told(table.letters, "Bob", "A fine morning") == 1
    assert times_told(table.letters, "Cat", "A fine morning") == 1
    assert times_told(table.letters, LIST, "A fine morning") == 0


def test_what_is_said_by_a_command_on_the_list_is_not_said_there_again(table):
    letters = post(table, "Ann", "!say: who bids?")
    assert [(each.to, each.kind) for each in letters] == [(LIST, "list-receipt")]
    letters = post(table, "Ann", "!say: I do", "!buy TR")
    assert on_list(letters) == ["list-receipt"]
    [turn] = [each for each in letters if each.to == address("Bob")]
    for text in ("who bids?", "I do"):
        assert says(turn, SAYS, name="Ann", text=text)
    assert on_list(table.write("Cat", "say: nor I")) == ["list-news"]


def test_applause_on_the_list_comes_with_the_reader_s_next_email(table):
    letters = post(table, "Cat", "!applaud Bob")
    assert [(each.to, each.kind) for each in letters] == [(LIST, "list-receipt")]
    turn = one(post(table, "Ann", "!applaud Bob", "!buy TR"), "Bob", "turn")
    for name in ("Ann", "Cat"):
        assert says(turn, applauding.APPLAUDS, name=name)


def test_talk_on_the_list_reaches_who_is_to_act_by_the_next_letter(table):
    table.write("Ann", "buy TR")
    assert post(table, "Cat", "Bob is thinking.") == []
    table.write("Bob", "bid NDY 125")
    table.write("Cat", "bid NDY 130")
    [turn] = [each for each in table.write("Ann", "pass") if each.to == address("Bob")]
    assert times_told([turn], "Bob", "Bob is thinking.") == 1


def test_talk_beside_commands_has_its_measure_too(table, monkeypatch):
    monkeypatch.setitem(table.store._rations, "talk", ((1, 3600),))
    post(table, "Ann", "One word.", "!buy TR")
    post(table, "Bob", "A first word.", "!status")
    post(table, "Bob", "A second word.", "!bid NDY 125")
    with table.store.transaction() as tx:
        said = [(one.seat, one.text) for one in tx.log.talks(table.table().row.id)]
    assert said == [("Ann", "One word."), ("Bob", "A first word.")]
    assert table.texts() == ["buy TR", "bid NDY 125"]


@pytest.mark.parametrize(
    "above",
    [
        "On Sun, 22 Nov 2026 at 10:00, Bob via dixie <dixie@lists.example.org> wrote:",
        "Am So., 22. Nov. 2026 um 10:00 Uhr schrieb Bob <bob@players.test>:",
        "Le dim. 22 nov. 2026 à 10:00, Bob <bob@players.test> a écrit :",
        "-----Original Message-----\nFrom: Bob\nSent: Sunday\nTo: dixie\nSubject: SR 1\n",
        "-----Ursprüngliche Nachricht-----\nVon: Bob\nGesendet: Sonntag\nBetreff: SR 1\n",
        "De : Bob <bob@players.test>\nEnvoyé : dimanche 22 novembre 2026 10:00\n"
        "À : dixie@lists.example.org\nObjet : SR 1\n",
    ],
    ids=["english", "german", "french", "outlook", "outlook-german", "outlook-french"],
)
@pytest.mark.parametrize("mark", ["> ", ""])
def test_what_is_quoted_is_no_command(above, mark):
    """Whether the mail program marks each line of what is quoted, or none."""
    lines = ("I would not.", "", *above.split("\n"), "", f"{mark}!buy TR", f"{mark}!pass")
    raw = listed.mlmmj(lines=lines, key="quoted", marked=True)
    found = read(
        raw.replace(b"Content-Type: text/plain", b"Content-Type: text/plain; charset=utf-8")
    )
    assert [line.text for line in found.lines] == ["I would not."]


def test_a_post_that_only_quotes_commands_does_nothing(table):
    lines = ("I would not.", "", "-----Original Message-----", "From: Bob", "", "!buy TR")
    assert post(table, "Ann", *lines) == []
    assert table.texts() == []


def test_a_post_of_html_alone_is_read(table):
    raw = listed.mlmmj(lines=("<div>Well.</div><div>!buy TR</div>",), key="html", marked=True)
    table.send(raw.replace(b"text/plain", b"text/html"))
    assert table.texts() == ["buy TR"]


@pytest.mark.long
@pytest.mark.parametrize("cc_first", [True, False])
def test_copies_by_the_list_and_directly_act_once(table, cc_first):
    by_list = listed.mlmmj(lines=("!buy TR",), key="same", marked=True)
    direct = by_list.replace(b"To: dixie@lists.example.org",
                             b"To: dixie@lists.example.org\r\nCc: play@waybill.test")  # fmt: skip
    direct = b"\r\n".join(
        line for line in direct.split(b"\r\n") if not line.startswith((b"List-", b"Return-Path"))
    )
    first, second = (direct, by_list) if cc_first else (by_list, direct)
    assert on_list(table.send(first)) == ["list-receipt"]
    assert table.send(second) == []
    assert table.texts() == ["buy TR"]


@pytest.mark.long
def test_a_mail_cross_posted_to_two_lists_acts_once(table):
    raw = listed.mlmmj(lines=("!buy TR",), key="cross", marked=True)
    table.send(raw)
    other = raw.replace(b"List-Id: <dixie.", b"List-Id: <trains.").replace(
        b"<mailto:dixie@", b"<mailto:trains@"
    )
    assert table.send(other.replace(b"To: dixie@lists.example.org",
                                    b"To: trains@lists.example.org, dixie@lists.example.org")) == []  # fmt: skip
    assert table.texts() == ["buy TR"]


def test_a_token_that_a_post_shows_to_the_list_is_void(table):
    shown = table.latest("Bob", "welcome")
    letters = post(table, "Bob", "Why did I get this?", answers=shown)
    assert to(letters, "Bob") == ["renewed"]
    assert table.table().seat("Bob").epoch == 1
    letters = post(table, "Bob", "And this?", answers=shown)
    assert letters == []


@pytest.mark.long
def test_of_two_games_on_a_list_the_one_that_its_writer_plays_in_is_meant(table):
    other = ("Dan", "Eve", "Fay")
    table.begin(other, game=game_name(SECRET, other, beside=(GAME,)))
    second = game_name(SECRET, other, beside=(GAME,))
    put_on_list(table, second, "Dan")
    post(table, "Ann", "!buy TR")
    post(table, "Dan", "!buy TR")
    assert table.texts() == table.texts(second) == ["buy TR"]
    letters = post(table, "Ann", "!buy TR", subject=f"[{second}] SR 1")
    assert letters == [], "Ann does not play in that one"


@pytest.mark.long
def test_who_does_not_play_gets_no_answer(table):
    assert table.send(listed.mlmmj("zoe@elsewhere.test", "Zoe", ("!buy TR",), key="zoe")) == []
    assert table.texts() == []


@pytest.mark.long
@pytest.mark.parametrize(
    ("line", "secret"),
    [
        ("!next: pass", "next: pass"),
        ("!note: token Knoxville", "token Knoxville"),
        ("!tell Bob: shall we?", "shall we"),
        ("!diary: they know nothing", "they know nothing"),
        ("!new token", "new token"),
        ("!orders", "orders"),
        ("!history diary", "history diary"),
        ("pass-phrase: open sesame", "pass-phrase"),
    ],
)
def test_what_is_secret_is_refused_with_a_private_warning(table, line, secret):
    letters = post(table, "Ann", "!buy TR", line)
    assert table.texts() == []
    assert table.table().orders == ()
    assert table.table().jottings == ()
    [warned] = [each for each in letters if each.to == address("Ann")]
    assert secret in warned.text
    [told] = [each for each in letters if each.to == LIST]
    assert "NOT DONE" in told.text
    assert secret not in told.text
    with table.store.transaction() as tx:
        assert tx.log.talks(table.table().row.id) == ()


def test_an_order_on_the_list_is_not_taken_and_its_writer_alone_is_warned(table):
    letters = post(table, "Ann", "!pass until round ends")
    assert [(each.to, each.kind) for each in letters] == [(address("Ann"), "list-private")]
    assert "pass until round ends" in letters[0].text
    assert (table.texts(), table.table().orders) == ([], ())


def test_a_mail_of_secrets_alone_is_answered_in_private_alone(table):
    letters = post(table, "Ann", "!note: token Knoxville")
    assert [(each.to, each.kind) for each in letters] == [(address("Ann"), "list-private")]


@pytest.mark.long
def test_settings_go_to_the_seat_and_the_list_is_told_so(table):
    [told] = post(table, "Ann", "!images off")
    assert told.to == LIST
    assert says(told, NOT_HERE, word="images")


@pytest.mark.long
def test_where_a_list_proves_too_little_the_player_is_asked_in_private(players):
    put_on_list(players)
    [asked] = post(players, "Ann", "!buy TR")
    assert (asked.to, asked.kind) == (address("Ann"), "list-private")
    assert "buy TR" in flat(asked)
    assert players.texts() == []
    letters = players.reply(asked, yes_of(asked))
    assert players.texts() == ["buy TR"]
    assert on_list(letters) == ["list-receipt"]
    assert to(letters, "Ann") == [], "the one answer is that on the list"
    [receipt] = [each for each in letters if each.to == LIST]
    assert says(receipt, DONE_FOR, writer="Ann")
    again = players.reply(asked, yes_of(asked))
    assert on_list(again) == []
    assert players.texts() == ["buy TR"], "it is done once"


@pytest.mark.long
def test_words_on_the_list_use_up_nothing_of_what_a_player_may_say(players):
    put_on_list(players)
    for number in range(31):
        post(players, "Ann", f"word {number}")
    assert says(one(players.write("Ann", "say: hello"), "Ann"), talking.SENT_TO_ALL)


def test_a_forged_post_does_not_silence_its_player(players):
    """Their real post a minute later has its number in the next letter, ten minutes on."""
    put_on_list(players)
    assert to(post(players, "Ann", "!pass"), "Ann") == ["list-private"], "forged"
    players.now += 60
    assert post(players, "Ann", "!buy TR") == []
    players.now += 600
    told = one(players.work(), "Ann", "held")
    [number] = re.findall(r"“buy TR”: `(yes \d+)`", flat(told))
    assert on_list(players.write("Ann", number)) == ["list-receipt"]
    assert players.texts() == ["buy TR"]


@pytest.mark.long
def test_another_s_yes_and_a_wrong_number_do_nothing_of_a_post(players):
    put_on_list(players)
    [asked] = post(players, "Ann", "!buy TR")
    number = yes_of(asked)
    players.write("Bob", number)
    post(players, "Ann", f"!{number}")
    players.reply(asked, "yes 12345678")
    assert players.texts() == []


def test_a_post_that_its_writer_confirms_is_judged_by_the_decision_that_it_answered(players):
    put_on_list(players)
    [old] = [each for each in players.write("Ann", "say: hello") if each.to == LIST]
    [asked] = post(players, "Ann", "!buy TR", answers=old)
    players.write("Ann", "bid M&C 105")
    letters = players.reply(asked, yes_of(asked))
    assert players.texts() == ["bid M&C 105"]
    [told] = [each for each in letters if each.to == LIST]
    assert "NOT DONE" in told.text


@pytest.mark.long
def test_a_post_is_not_done_once_the_game_has_left_its_list(players):
    put_on_list(players)
    [asked] = post(players, "Ann", "!buy TR")
    players.write("Ann", "list off")
    letters = players.reply(asked, yes_of(asked))
    assert players.texts() == []
    assert says(one(letters, "Ann"), post_steps.HAS_LEFT_ITS_CHANNEL, word="list")


@pytest.mark.long
def test_a_player_s_second_address_writes_on_the_list_too(table):
    letters = table.write("Ann", "address add ann@work.test")
    [asked] = [each for each in letters if each.to == "ann@work.test"]
    table.reply(asked, "yes")
    raw = listed.mlmmj("ann@work.test", "Ann", ("!buy TR",), key="second", marked=True)
    assert on_list(table.send(raw)) == ["list-receipt"]
    assert table.texts() == ["buy TR"]


def test_a_second_address_that_nobody_has_confirmed_is_a_stranger_s(table):
    table.write("Ann", "address add ann@work.test")
    raw = listed.mlmmj("ann@work.test", "Ann", ("!buy TR",), key="second", marked=True)
    assert table.send(raw) == []
    assert table.texts() == []


@pytest.mark.long
def test_a_receipt_on_the_list_names_the_round_in_its_head(table):
    [receipt] = [each for each in post(table, "Ann", "!buy TR") if each.to == LIST]
    marked = mark(Scene(GAME, TITLE, table.state))
    assert receipt.text.splitlines()[0] == f'"{GAME}"   {marked}'
    assert marked.replace("   ", " · ") in receipt.html


@pytest.mark.long
def test_questions_are_answered_on_the_list_as_anybody_s(table):
    [answer] = post(table, "Cat", "!status", "!history")
    assert answer.to == LIST
    assert says(answer, ASKED_FOR, writer="Cat")


def test_help_on_the_list_names_what_has_its_place_there_and_how_it_is_written(table):
    [answer] = post(table, "Cat", "!help")
    assert says(answer, helping.OPENLY_ONLY)
    named = set(re.findall(r"[a-z-]+", flat(answer).split("WHAT YOU MAY WRITE")[1]))
    assert {"status", "say", "undo", "pass", "history"} <= named
    assert not {"note", "tell", "clock", "orders", "page", "diary"} & named, "refused there"
    private = table.write("Cat", "help talk", "help history")[0].text
    assert "`note: …`" in private and "`!status`" not in private
    history = [one for one in VOCABULARY.entries if one.name == "history"]
    own = [one for one in history if one.where == Where.PRIVATE and Who.PLAYER in one.who]
    assert own and all(says(private, one.help) for one in own)


def test_a_command_that_answers_an_old_letter_of_the_list_is_not_done(table):
    [old] = [each for each in table.write("Ann", "buy TR") if each.to == LIST]
    post(table, "Bob", "!bid NDY 125")
    before = table.texts()
    assert before == ["buy TR", "bid NDY 125"]
    [told] = post(table, "Cat", "!bid NDY 130", answers=old)
    assert table.texts() == before
    assert "NOT DONE" in told.text


# ---------------------------------------------------------------------------- loops and floods


@pytest.mark.long
def test_our_own_letters_that_come_back_are_never_answered(table):
    letters = table.write("Ann", "buy TR")
    [news] = [each for each in letters if each.to == LIST]
    assert table.send(back(news)) == []
    bare = back(news).replace(b"X-Waybill: 1", b"X-Old: 1").replace(b"Auto-Submitted:", b"X-A:")
    assert table.send(bare) == []
    rewritten = bare.replace(
        b"<play@waybill.test>", b"via Dixie <dixie@lists.example.org>", 1
    ).replace(b"Message-ID: <", b"Message-ID: <x")
    assert table.send(rewritten) == []


@pytest.mark.long
@pytest.mark.parametrize(
    "raw",
    [
        listed.mlmmj("dixie+owner@lists.example.org", "", ("!buy TR",), key="n1", marked=True),
        listed.mlmmj("dixie-request@lists.example.org", "", ("!buy TR",), key="n2", marked=True),
        listed.mailman(lines=("!buy TR",), key="n3").replace(
            b"Subject: [Dixie] Re: [dixie7] SR 1", b"Subject: Dixie Digest, Vol 3, Issue 2"
        ),
        listed.mailman(lines=("!buy TR",), key="n4").replace(
            b"Content-Type: text/plain", b'Content-Type: multipart/digest; boundary="=_q"'
        ),
        listed.mailman(how="munge", lines=("!buy TR",), key="n5").replace(
            b"Reply-To: Ann <ann@players.test>\r\n", b""
        ),
        listed.mlmmj(lines=("!buy TR",), key="n6", marked=True).replace(
            b"Subject:", b"Auto-Submitted: auto-replied\r\nSubject:"
        ),
        listed.mlmmj("dixie+confsub-0c1f@lists.example.org", "", ("confirm",), key="n7",
                     group="play@waybill.test"),
    ],
    ids=["owner", "request", "digest", "multipart", "nobody", "vacation", "confirm"],
)  # fmt: skip
def test_what_the_list_itself_sends_is_never_answered(table, raw):
    assert table.send(raw) == []
    assert table.texts() == []


@pytest.mark.long
def test_a_flood_of_commands_that_change_nothing_is_answered_in_measure(table):
    answers = sum(len(post(table, "Ann", "!bid NDY 5")) for _ in range(80))
    assert 1 <= answers <= 60
    assert all(letter.to == LIST for letter in table.letters[-answers:])


@pytest.mark.long
def test_of_five_hundred_posts_in_an_hour_few_are_answered_and_the_game_goes_on(table):
    others = 0
    for number in range(500):
        table.now += 7
        who = ("Ann", "Bob", "Cat")[number % 3]
        kind = ("!status", "well, well", "!bid NDY 5")[number // 3 % 3]
        if number % 5 == 4:
            raw = listed.mlmmj("zoe@elsewhere.test", "Zoe", ("!status",), key=f"f{number}")
            others += len(table.send(raw))
        else:
            post(table, who, f"{kind}{'' if kind[0] == '!' else number}")
    answers = [each for each in table.letters if each.kind == "list-receipt"]
    assert others == 0
    assert 0 < len(answers) <= 3 * (60 + 6)
    assert on_list(post(table, "Ann", "!buy TR")) == ["list-receipt"]
    assert table.texts() == ["buy TR"]


def test_a_flood_of_talk_is_kept_in_measure_and_answered_with_nothing(table):
    assert all(post(table, "Ann", f"and another thing {n}") == [] for n in range(40))
    with table.store.transaction() as tx:
        assert len(tx.log.talks(table.table().row.id)) == 30


# ---------------------------------------------------------------------------- what goes there


@pytest.mark.long
def test_news_of_a_mail_sent_directly_go_to_the_list_and_not_to_the_players(table):
    letters = table.write("Ann", "buy TR")
    assert on_list(letters) == ["list-news"]
    assert to(letters, "Ann") == ["receipt"]
    assert to(letters, "Bob") == ["turn"]
    assert to(letters, "Cat") == []


@pytest.mark.long
def test_a_player_who_wants_news_gets_them_besides(table):
    table.write("Cat", "digest each")
    assert to(table.write("Ann", "buy TR"), "Cat") == ["news"]


def test_letters_of_a_round_are_a_thread_with_one_subject(table):
    found = []
    for name, line in (("Ann", "bid NDY 125"), ("Bob", "bid NDY 130"), ("Cat", "bid NDY 135")):
        found += [each for each in table.write(name, line) if each.to == LIST]
    assert len(found) == 3
    assert len({each.subject for each in found}) == 1
    assert found[0].mail["References"] is None
    roots = {str(each.mail["References"]) for each in found[1:]}
    assert roots == {found[0].message_id}


@pytest.mark.long
def test_every_letter_to_the_list_is_from_one_sender_and_has_no_list_id_of_ours(table):
    table.write("Ann", "buy TR")
    post(table, "Bob", "!status")
    letters = [each for each in table.letters if each.to == LIST]
    assert len(letters) >= 3
    assert len({str(each.mail["From"]) for each in letters}) == 1
    assert {each.reply_to for each in letters} == {LIST}
    assert not any(each.mail["List-Id"] for each in letters)


@pytest.mark.long
def test_pictures_go_to_the_list_as_its_members_want(table):
    [small] = post(table, "Ann", "!map")
    assert small.pictures
    table.write("Ann", "list pictures off")
    [off] = post(table, "Ann", "!map")
    assert not off.html
    assert off.text
    assert len(small.mail.as_bytes()) <= SMALL_LIMIT
    [told] = table.write("Ann", "list pictures huge")
    assert "attached" in told.text


def test_pictures_go_to_the_list_as_links_where_pages_are_published(table):
    [missing] = table.write("Ann", "list pictures links")
    assert "NOT DONE" in missing.text and "`publish.address`" in flat(missing)
    pages = "https://games.example.org/18xx/"
    table.service = table.office.service = dataclasses.replace(table.service, pages=pages)
    [told] = table.write("Ann", "list pictures links")
    assert says(told, game_channels.PICTURES, pictures="links")
    assert "pictures links" in flat(table.write("Ann", "list")[0])
    [linked] = post(table, "Ann", "!map")
    assert not linked.pictures and "cid:" not in linked.html
    game = table.table()
    where = place(game.row, game.settings, SECRET, pages).address
    addresses = {line.strip() for line in linked.text.splitlines() if line.startswith("  http")}
    [drawn] = [address for address in addresses if address.endswith(".svg")]
    assert addresses == {drawn, where} and drawn.startswith(f"{where}map-")
    assert all(f'href="{address}"' in linked.html for address in addresses)
    table.write("Ann", "pages private", to=table.seat_address(GAME, "organiser"))
    [small] = post(table, "Ann", "!map")
    assert small.pictures, "a private game has no page"


@pytest.mark.long
def test_a_link_is_to_the_file_that_is_published(table, tmp_path):
    pages = "https://games.example.org/18xx/"
    game = table.table()
    Publishing(table.store, Site(tmp_path / "site", pages, "Trains", SECRET)).run()
    scene = Scene(GAME, game.title, game.state)
    where = place(game.row, game.settings, SECRET, pages)
    file = links(where, scene).map.removeprefix(pages)
    assert (tmp_path / "site" / file).is_file()


@pytest.mark.long
def test_words_to_all_go_to_the_list_with_the_next_letter_and_no_second_time(table):
    letters = table.write("Bob", "say: I will not buy it")
    [said] = [each for each in letters if each.to == LIST]
    assert "I will not buy it" in said.text
    letters = table.write("Ann", "buy TR")
    [news] = [each for each in letters if each.to == LIST]
    assert "I will not buy it" not in news.text


@pytest.mark.long
def test_no_letter_to_the_list_has_a_token_or_a_secret(table):
    """In all bytes that go there, encoded or not: seats' tokens, orders, notes, and words to one."""
    table.write("Cat", "note: my own small secret")
    table.write("Bob", "tell Cat: between you and me", "diary: a page of mine")
    table.write("Ann", "bid NDY 125")
    table.write("Ann", "next: bid NDY 345")
    table.write("Bob", "bid NDY 130")
    quoted = table.seat_address(GAME, "Ann")
    table.write("Ann", f"say: write to {quoted} for me")
    post(table, "Cat", f"or to {quoted}?", "!status", "!history", "!map", "!help")
    raws = [each.mail.as_bytes() for each in table.letters if each.to == LIST]
    assert len(raws) >= 5
    tokens = {
        identity.seat_token(SECRET, GAME, name, epoch, number)
        for name in (*NAMES, "organiser")
        for epoch in range(4)
        for number in (None, *range(12))
    }
    for raw in raws:
        mail = message_from_bytes(raw, policy=policy.default)
        parts = [part.get_content() for part in mail.walk() if not part.is_multipart()]
        every = "".join(part for part in parts if isinstance(part, str)) + raw.decode()
        assert not [token for token in tokens if token in every.lower()]
        for secret in (
            "small secret",
            "between you and me",
            "a page of mine",
            "345",
            "mailto:play+",
        ):
            assert secret not in every


@pytest.mark.parametrize(
    "lines", [("!images off",), ("!note: one two three",)], ids=["private", "secret"]
)
def test_what_is_refused_on_the_list_beyond_its_answers_is_told_in_private_once(table, lines):
    said = [letter for _ in range(9) for letter in post(table, "Ann", *lines)]
    assert len(said) < 9, "the answers are used up"
    found = []
    for _ in range(3):
        table.now += 3600
        found += [one for one in table.work() if one.kind == "late-answer"]
    assert [one.to for one in found] == [address("Ann")]
    assert "one two three" not in found[0].text


# ---------------------------------------------------------------------------- answers to answers


def test_an_answer_to_a_receipt_of_the_list_is_about_the_position_after_it(table):
    """The receipt is the newest email that the list has."""
    [receipt] = [each for each in post(table, "Ann", "!buy TR") if each.to == LIST]
    letters = post(table, "Bob", "!bid NDY 125", answers=receipt)
    assert table.texts() == ["buy TR", "bid NDY 125"]
    [told] = [each for each in letters if each.to == LIST]
    assert says(told, DONE_FOR, writer="Bob")


def test_an_answer_to_the_receipt_of_an_undo_is_about_the_position_that_stands_again(table):
    post(table, "Ann", "!bid NDY 125")
    [receipt] = [each for each in post(table, "Ann", "!undo") if each.to == LIST]
    post(table, "Ann", "!buy TR", answers=receipt)
    assert table.texts() == ["buy TR"]


def test_subjects_do_not_pile_up_however_often_players_answer(table):
    """The list puts its tag before each subject, and mail programs put Re: before that."""
    subject = "[dixie7] SR 1"
    for number in range(3):
        [told] = post(table, "Cat", "!status", subject=f"Re: [Dixie] {subject}")
        subject = told.subject
        assert subject == f"Re: [Dixie] [dixie7] SR 1 – {ANSWERED_SUBJECT}", number
