"""A game and forums: reports to paste, and a thread on a forum that speaks mail."""

import re
from dataclasses import replace
from email import message_from_bytes, policy
from email.message import EmailMessage
from itertools import count

import pytest
from msgspec import json, structs

from engine.events import Passed, PrivateBought, PrivatePaid
from engine.position.values import OFFERING
from engine.telling.narration import narrate
from service.desk.bounces.undelivered import Undelivered
from service.desk.channels import forum
from service.desk.options import game_channels
from service.desk.questions import paste_answer
from service.desk.rationing import answer_rations
from service.desk.talk import applauding
from service.reports.channels import DONE_FOR
from service.reports.news import OVER, ROUND_COMPLETE
from service.store import Delivery
from tests.service.discoursed import HOST, REPLY, notification, rejection
from tests.service.players import ADDRESS, GAME, TITLE, address, flat, one, says, to
from tests.service.reports.test_paste import by_bbcode, by_markdown, seen
from tests.service.signatures import COVERED, RECORD, Keys, signed
from tests.service.test_undelivered import report

PAGES = "https://games.example.org/18xx/"
PAID = narrate(TITLE, PrivatePaid("TR", "Ann", 5))
BOUGHT = narrate(TITLE, PrivateBought("TR", "Ann", OFFERING, 20))


def files(letter):
    return {part.get_filename(): part for part in letter.mail.iter_attachments()}


def after_a_round(players):
    for name, line in (("Ann", "buy TR"), ("Bob", "pass"), ("Cat", "pass"), ("Ann", "pass")):
        players.write(name, line)


# ---------------------------------------------------------------------------- to be pasted


@pytest.mark.parametrize("form", ["bbcode", "markdown"])
def test_the_report_of_the_latest_round_is_ready_to_paste(players, form):
    after_a_round(players)
    answer = one(players.write("Bob", f"forum {form}"), "Bob")
    [file] = files(answer).values()
    text = file.get_content()
    html = {"bbcode": by_bbcode, "markdown": by_markdown}[form](text)
    told = seen(html)
    assert f"{GAME} (18AL): OR 1.1 is complete" in told
    assert PAID in told
    for name in ("Ann", "Bob", "Cat"):
        assert f"{name} ${players.state.cash[name]} " in told
    assert "http" not in text, "no page is published here"
    for line in text.split("\n")[:4]:
        assert line in answer.text.replace("\r", "")


@pytest.mark.long
def test_pictures_are_links_where_pages_are_published(players):
    players.service = players.office.service = replace(players.service, pages=PAGES)
    after_a_round(players)
    answer = one(players.write("Bob", "forum bbcode"), "Bob")
    assert f"[url={PAGES}games/{GAME}-" in answer.text
    assert ".svg]The map[/url]" in answer.text.replace("=\r\n", "")


@pytest.mark.long
@pytest.mark.parametrize("line", ["forum", "forum html", "forum bbcode now"])
def test_a_form_that_is_none_is_refused_with_those_there_are(players, line):
    answer = one(players.write("Bob", line), "Bob")
    assert "NOT DONE" in answer.text
    assert says(answer, paste_answer.NO_SUCH_FORM)


def test_before_the_first_round_is_over_what_was_done_so_far_is_told(players):
    players.write("Ann", "buy TR")
    answer = one(players.write("Cat", "forum text"), "Cat")
    assert f"{GAME} (18AL): SR 1" in answer.text
    assert f"- {BOUGHT}" in flat(answer)


@pytest.mark.long
def test_what_is_secret_is_in_no_report(players):
    players.write("Ann", "note: token Knoxville", "diary: they know nothing", "say: hello")
    after_a_round(players)
    text = one(players.write("Ann", "forum markdown"), "Ann").text
    report = text[text.index("##") :]
    for secret in ("Knoxville", "know nothing", "hello", "@"):
        assert secret not in report


# ---------------------------------------------------------------------------- a thread


@pytest.fixture
def thread(players):
    """A game with a thread on a forum that signs its mails; Ann is known there as ann18."""
    players.service = players.office.service = replace(players.service, keys=known_keys())
    open_thread(players)
    name_of(players, "Ann", "ann18")
    return players


_numbers = count(10)


def known_keys():
    """The keys of the forum's mail server, and of one that has nothing to do with it."""
    return Keys(**{f"s1._domainkey.{name}": RECORD for name in (HOST, "evil.test")})


def come(players, *lines, writer="ann18", sign=True, **how):
    """A post on the forum comes as a notification; the letters that follow."""
    how.setdefault("number", next(_numbers))
    raw = notification(writer, *lines, **how)
    return players.send(signed(raw, domain=HOST, covered=COVERED) if sign else raw)


def line_in(letter):
    [found] = re.findall(r"!forum [a-z2-7]{16}", flat(letter))
    return found


def open_thread(players):
    [told] = players.write("Ann", "forum thread")
    return come(players, "Let us play here.", line_in(told), writer="zoe")


def name_of(players, name, writer):
    [told] = players.write(name, "forum name")
    return come(players, line_in(told), writer=writer)


def there(letters, to=REPLY):
    return [letter for letter in letters if letter.to == to]


@pytest.mark.long
def test_nothing_goes_to_a_forum_before_the_line_stands_in_a_thread(players):
    players.service = players.office.service = replace(players.service, keys=known_keys())
    [told] = players.write("Ann", "forum thread")
    assert players.write("Ann", "say: hello") and not there(players.letters)
    assert come(players, "!forum " + "a" * 16) == [], "a wrong line"
    letters = come(players, line_in(told), writer="zoe")
    assert sorted((letter.kind, letter.to) for letter in letters) == [
        ("forum-on", address("Ann")),
        ("forum-opening", REPLY),
    ]
    assert come(players, line_in(told), writer="zoe") == []


def test_a_post_of_ours_is_one_that_discourse_takes(thread):
    [first] = there(thread.letters)
    for header in ("Auto-Submitted", "X-Auto-Response-Suppress", "Precedence", "List-Id"):
        assert first.mail[header] is None, header
    assert first.mail["From"].addresses[0].addr_spec == ADDRESS
    assert first.mail.get_content_type() == "text/plain"
    html = by_markdown(first.mail.get_content())
    assert f"<strong>{GAME}</strong>" in html and "<code>!pass</code>" in html


@pytest.mark.long
def test_a_command_in_a_post_is_done_and_answered_in_the_thread_once(thread):
    letters = come(thread, "That was fun.", "", "!buy TR")
    assert thread.texts() == ["buy TR"]
    [receipt] = there(letters)
    html = by_markdown(receipt.mail.get_content())
    assert says(html, DONE_FOR, writer="Ann") and "<pre><code" in html
    assert to(letters, "Ann") == []
    assert to(letters, "Bob") == ["turn"]


def test_applause_in_the_thread_comes_with_the_reader_s_next_email(thread):
    letters = come(thread, "!applaud Bob")
    assert [(letter.kind, letter.to) for letter in letters] == [("forum-receipt", REPLY)]
    turn = one(thread.write("Ann", "buy TR"), "Bob", "turn")
    assert says(turn, applauding.APPLAUDS, name="Ann")


@pytest.mark.long
def test_rounds_go_to_the_thread_as_markdown_and_news_do_not(thread):
    letters = come(thread, "!buy TR")
    for name in ("Bob", "Cat"):
        letters += thread.write(name, "pass")
    assert [letter.kind for letter in there(letters)] == ["forum-receipt"]
    [post] = there(thread.write("Ann", "pass"))
    assert post.kind == "forum-round"
    told = seen(by_markdown(post.mail.get_content()))
    assert says(told, ROUND_COMPLETE, round="OR 1.1") and PAID in told
    assert BOUGHT in told, "two rounds were over at once"
    for name in ("Bob", "Cat"):
        assert narrate(TITLE, Passed(name)) in told


def test_the_end_is_told_with_what_is_opened_then(thread):
    come(thread, "!buy TR")
    thread.write("Bob", "diary: I trust nobody", "propose end")
    thread.write("Ann", "vote yes")
    [post] = there(thread.write("Cat", "vote yes"))
    assert post.kind == "forum-ended"
    assert says(post, OVER) and "I trust nobody" in post.text


@pytest.mark.long
def test_no_post_has_a_token_or_a_secret(thread):
    thread.write("Bob", "note: bid high", "next: bid NDY 125", "tell Ann: shall we?")
    come(thread, "!buy TR", "!history", "!status")
    for post in there(thread.letters):
        for secret in ("bid high", "shall we", "next:", "diary"):
            assert secret not in post.text
        for name in ("Ann", "Bob", "Cat"):
            token = thread.seat_address(GAME, name).partition("@")[0].rpartition(".")[2]
            assert token not in str(post.mail)


# ---------------------------------------------------------------------------- who wrote it


@pytest.mark.long
def test_a_name_counts_for_who_has_written_their_own_line_under_it(thread):
    letters = name_of(thread, "Bob", "bob-the-builder")
    assert [(letter.kind, letter.to) for letter in letters] == [("forum-private", address("Bob"))]
    assert says(letters[0], forum.YOU_ARE, writer="bob-the-builder")
    come(thread, "!buy TR")
    come(thread, "!bid NDY 125", writer="bob-the-builder")
    assert thread.texts() == ["buy TR", "bid NDY 125"]


def test_a_name_chosen_beside_from_and_a_forged_foot_prove_nobody(thread):
    lines = ("!buy TR", "", "Posted by ann18 on 11/22/2026", "", "---", "*Previous Replies*", "x")
    html = f"<p>!buy TR</p><a href='https://{HOST}/u/ann18'>ann18</a>"
    assert come(thread, *lines, writer="mallory", shown="ann18", html=html) == []
    assert thread.texts() == []


@pytest.mark.long
@pytest.mark.parametrize("how", ["unsigned", "elsewhere", "another", "changed"])
def test_a_mail_that_the_forum_has_not_signed_is_not_its_word(thread, how):
    raw = notification("ann18", "!buy TR", number=next(_numbers))
    if how == "elsewhere":
        raw = signed(raw, domain="evil.test", covered=COVERED)
    elif how == "another":
        raw = notification("ann18", "!buy TR", number=99, sender="noreply@evil.test")
    elif how == "changed":
        raw = signed(raw, domain=HOST, covered=COVERED).replace(b"!buy TR", b"!buy XX")
    letters = thread.send(raw)
    assert thread.texts() == []
    assert there(letters) == []
    assert {letter.to for letter in letters} <= {address("Ann")}, "the organizer alone is told"


@pytest.mark.long
def test_that_mails_are_not_signed_is_told_to_the_organiser_now_and_then(thread):
    told = [come(thread, "!buy TR", sign=False) for _ in range(6)]
    first = one(told[0], "Ann", "forum-unsigned")
    assert "signature" in flat(first)
    assert sum(map(len, told)) < 6


def test_a_post_of_another_thread_does_not_become_one_of_this_by_a_header(thread):
    place = f"https://{HOST}/t/dixie7-a-game/41"
    assert come(thread, "!buy TR", topic=77, archive=place) == []
    assert thread.texts() == []


@pytest.mark.long
def test_the_same_post_is_done_once(thread):
    raw = signed(notification("ann18", "!buy TR", number=500), domain=HOST, covered=COVERED)
    assert there(thread.send(raw))
    again = raw.replace(b"Precedence: list", b"Precedence: list\nX-Again: 1")
    assert thread.send(again) == []
    assert thread.texts() == ["buy TR"]


@pytest.mark.long
def test_where_more_is_asked_for_the_player_is_asked_in_private(thread):
    settings = thread.table().settings
    with thread.store.transaction() as tx:
        graded = structs.replace(settings, grade="tournament")
        tx.games.set_settings(thread.table().row.id, json.encode(graded))
    [asked] = come(thread, "!buy TR")
    assert (asked.to, asked.kind) == (address("Ann"), "forum-private")
    assert thread.texts() == []
    [number] = re.findall(r"^ *(yes \d+)\s*$", asked.text, re.MULTILINE)
    letters = thread.reply(asked, number)
    assert thread.texts() == ["buy TR"]
    assert [letter.kind for letter in there(letters)] == ["forum-receipt"]
    thread.reply(asked, number)
    assert thread.texts() == ["buy TR"]


def test_a_name_holds_no_more_for_another_player_of_the_seat(thread):
    seat = thread.table().seat("Ann")
    with thread.store.transaction() as tx:
        tx.seats.move(seat.id, "eve@elsewhere.test")
    assert come(thread, "!buy TR") == []
    assert thread.texts() == []


# ---------------------------------------------------------------------------- bad input


@pytest.mark.long
def test_talk_and_posts_of_others_get_no_answer(thread):
    assert come(thread, "What a game!", "buy TR would be dull") == []
    assert come(thread, "!buy TR", writer="zoe") == []
    assert thread.texts() == []


@pytest.mark.long
@pytest.mark.parametrize(
    "lines",
    [
        ('[quote="ann18, post:3, topic:41"]', "!buy TR", "[/quote]", "No!"),
        ("> !buy TR", "No!"),
        ("```", "!buy TR", "```"),
        ("I see.", "---", "!buy TR"),
        ("[quote]", "!buy TR"),
        ('[quote="a"]', '[quote="b"]', "Hm.", "[/quote]", "!buy TR", "[/quote]", "No!"),
        ("[quote]", "</code>", "!buy TR", "[/quote]"),
        ("[code]", "!buy TR", "[/code]"),
        ("<blockquote>", "!buy TR", "</blockquote>"),
        ("````", "```", "!buy TR", "````"),
        ("```", "```text", "!buy TR", "```"),
        ("So:", "", "    !buy TR"),
        ("So:", "", "\t!buy TR"),
    ],
    ids=["quote", "mail", "code", "below", "open", "nested", "stray", "bbcode", "html", "long fence",
         "fence", "indented", "tab"],
)  # fmt: skip
def test_what_is_quoted_or_shown_is_no_command(thread, lines):
    assert come(thread, *lines) == []
    assert thread.texts() == []


@pytest.mark.parametrize("old", [False, True])
def test_earlier_posts_that_go_along_are_not_the_writer_s(thread, old):
    """They stand behind ``-- ``, in old versions ``---``, whatever the writer has left open."""
    before = (("zoe", "!buy TR"), ("ann18", "!buy TR"))
    assert come(thread, "I agree.", before=before, old=old) == []
    assert come(thread, "hm", writer="zoe", before=before, old=old) == []
    closing = (("zoe", "[/quote]\n```\n!buy TR"),)
    for left_open in ("[quote]", "```"):
        assert come(thread, left_open, "Well.", before=closing, old=old) == []
    assert thread.texts() == []


def test_a_mail_of_an_old_version_is_read_too(thread):
    assert there(come(thread, "!buy TR", old=True, users="users"))
    assert thread.texts() == ["buy TR"]


def test_an_attached_file_hides_neither_writer_nor_words(thread):
    """With one, HTML and text are in a part of their own, in this order."""
    raw = with_file(notification("ann18", "!buy TR", number=next(_numbers)))
    assert there(thread.send(signed(raw, domain=HOST, covered=COVERED)))
    assert thread.texts() == ["buy TR"]


def with_file(raw):
    mail = message_from_bytes(raw, policy=policy.default)
    plain, html = mail.iter_parts()
    inner = EmailMessage()
    inner.set_content(html.get_content(), subtype="html")
    inner.make_alternative()
    inner.attach(plain)
    mail.set_payload([])
    mail.replace_header("Content-Type", "multipart/mixed; boundary=outer")
    mail.attach(inner)
    mail.add_attachment("!pass", filename="notes.txt")
    return mail.as_bytes()


@pytest.mark.long
def test_a_mail_of_html_alone_has_no_lines_of_its_writer(thread):
    raw = notification("ann18", "!buy TR", number=next(_numbers))
    head, _, body = raw.partition(b"text/plain")
    bare = signed(head + b"text/x-other" + body, domain=HOST, covered=COVERED)
    assert thread.send(bare) == []
    assert thread.texts() == []


@pytest.mark.long
def test_a_token_that_a_line_quotes_is_blotted_out_where_it_is_repeated(thread):
    own = thread.seat_address(GAME, "Ann")
    [note] = there(come(thread, f"!zone {own}"))
    assert "***" in note.text and own.partition("@")[0].rpartition(".")[2] not in note.text


@pytest.mark.parametrize(
    ("line", "secret"),
    [("!note: token Knoxville", "Knoxville"), ("!next: pass", "next"), ("!tell Bob: now", "now")],
)
def test_what_is_secret_is_refused_with_a_private_warning(thread, line, secret):
    letters = come(thread, "!buy TR", line)
    assert thread.texts() == []
    assert secret in one(letters, "Ann", "forum-private").text
    [note] = there(letters)
    assert "NOT DONE" in note.text and secret not in note.text.replace("no place", "")


@pytest.mark.long
def test_hundreds_of_posts_in_an_hour_are_answered_in_measure(thread, monkeypatch):
    monkeypatch.setitem(thread.store._rations, "idle", ((5, 3600),))
    letters = []
    for number in range(10):
        letters += come(thread, "!status", number=300 + number)
        thread.now += 7
    assert len(there(letters)) == 5
    assert says(there(letters)[-1], answer_rations.LAST_ANSWER)
    assert there(come(thread, "!buy TR")), "what is done is answered"
    assert thread.texts() == ["buy TR"]


@pytest.mark.long
def test_our_own_posts_that_come_back_are_never_answered(thread):
    [receipt] = there(come(thread, "!buy TR"))
    lines = receipt.mail.get_content().splitlines()
    assert come(thread, *lines, writer="waybill") == []
    assert come(thread, "!bid NDY 125", writer="waybill") == []
    assert thread.texts() == ["buy TR"]


def test_other_mails_of_a_forum_are_never_answered(thread):
    assert come(thread, "!buy TR", topic=55) == []
    assert thread.send(rejection("[Trains] Welcome to Trains!")) == []
    assert thread.send(notification("zoe", "hi", host="other.test", sender="x@other.test")) == []


@pytest.mark.long
def test_an_address_elsewhere_is_never_posted_to(thread):
    come(thread, "hello", reply_to="victim@bank.test")
    letters = come(thread, "!buy TR", reply_to="victim@bank.test")
    assert [letter.kind for letter in there(letters)] == ["forum-receipt"]
    assert not there(thread.letters, "victim@bank.test")


@pytest.mark.long
def test_a_forum_that_takes_no_mails_is_told_to_the_organiser(players):
    players.service = players.office.service = replace(players.service, keys=known_keys())
    [told] = players.write("Ann", "forum thread")
    letters = come(players, line_in(told), reply_to="")
    assert says(one(letters, "Ann", "forum-no-reply"), forum.NO_ADDRESS, game=GAME, host=HOST)
    assert len(letters) == 1
    assert there(come(players, line_in(told)))


def test_a_forum_that_refuses_a_post_is_left_and_the_organiser_told_once(thread):
    assert thread.send(rejection()) == [], "anybody could have written it"
    raw = signed(rejection(), domain=HOST, covered=COVERED)
    letters = thread.send(raw)
    assert [(letter.kind, letter.to) for letter in letters] == [("forum-off", address("Ann"))]
    assert thread.table().forum is None
    thread.write("Ann", "buy TR")
    assert [letter.kind for letter in there(thread.letters)] == ["forum-opening"]


def test_a_refusal_that_the_forum_sent_to_somebody_else_is_none_of_ours(thread):
    """It signs what it answers to anybody whose mail it refuses, and they can send that on."""
    theirs = rejection().replace(b"To: play@waybill.test", b"To: eve@else.test")
    passed_on = signed(theirs, domain=HOST, covered=COVERED)
    assert thread.send(b"Delivered-To: play@waybill.test\r\n" + passed_on) == []
    assert thread.table().forum is not None


@pytest.mark.parametrize(("status", "off"), [("4.2.2", False), ("5.1.1", True)])
def test_only_its_envelope_proves_that_a_post_failed_and_only_for_good(thread, status, off):
    raw = signed(notification("ann18", "!status", number=900), domain=HOST, covered=COVERED)
    [posted] = there(thread.send(raw))
    [row] = thread.store.letters.named((posted.message_id,))
    told = report(thread.store.letters.get(row.id), status=status, said="no")
    [heard] = thread.send(told)
    assert (heard.kind, heard.to) == ("forum-failed", address("Ann"))
    assert thread.table().forum is not None, "anybody can write that"
    envelope = thread.service.envelope(row.id)
    thread.send(told.replace(f"To: {ADDRESS}".encode(), f"To: {envelope}".encode()))
    Undelivered(thread.service, thread.now).tell(thread.store)
    assert [each.kind for each in thread.collect()] == ["forum-off" if off else "forum-failed"]
    assert (thread.table().forum is None) == off


@pytest.mark.long
def test_a_post_that_the_mail_server_refuses_is_told_to_the_organiser(thread):
    raw = signed(notification("ann18", "!status", number=900), domain=HOST, covered=COVERED)
    thread.arrive(raw)
    while thread.office.moderate():
        pass
    found = thread.store.letters.claim("post", thread.now, 60, 100)
    assert [row.recipient for row in found] == [REPLY]
    thread.store.letters.settle(
        [Delivery(row.id, "refused", "550 no such topic") for row in found], thread.now
    )
    Undelivered(thread.service, thread.now).tell(thread.store)
    [told] = thread.collect()
    assert (told.to, told.kind) == (address("Ann"), "forum-off")
    assert thread.table().forum is None


@pytest.mark.long
def test_anybody_ends_it_in_the_thread_and_the_organiser_by_mail(thread):
    letters = come(thread, "!forum off", writer="zoe")
    assert [(letter.kind, letter.to) for letter in letters] == [("forum-off", address("Ann"))]
    assert thread.table().forum is None
    open_thread(thread)
    [told] = thread.write("Ann", "forum off")
    assert says(told, game_channels.IS_OFF, word="forum")


@pytest.mark.parametrize(
    ("who", "line", "why"),
    [
        ("Bob", "forum thread", "is for the organizer"),
        ("Bob", "forum name", "has no thread"),
        ("Ann", "forum off", "has no thread"),
    ],
)
def test_who_may_not_is_told_why(players, who, line, why):
    [told] = players.write(who, line)
    assert "NOT DONE" in told.subject and why in flat(told)


def test_a_thread_and_a_list_are_named_in_one_email(players):
    [told] = players.write(
        "Ann", "list dixie@lists.example.org", "forum thread", "list pictures off"
    )
    found = players.table()
    assert (found.mailing.status, found.mailing.pictures) == ("named", "off")
    assert found.forum.status == "named"
    assert says(told, game_channels.WRITE_THIS_LINE, line=line_in(told))
    players.write("Ann", "forum thread", "forum off", "list off")
    assert players.table().forum is None and players.table().mailing is None
