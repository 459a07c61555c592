"""What people and programs really send: each gets its answer, and nothing changes that should not."""

from dataclasses import replace

import pytest

from engine import flow
from engine.notation import Ambiguous, NotationError, names
from engine.steps.operating import trains
from service.commands.reading import WORDS_ONLY
from service.desk.answering import late_answer
from service.desk.questions import queries
from service.desk.rationing import answer_rations
from service.desk.talk import talking
from service.desk.turns.turn import MOST_COMMANDS, TOO_MANY
from service.mail import body, message
from service.reports import answers as told_answers
from service.reports import receipt as receipts
from service.reports import rendering
from service.reports.receipt import MARKS, NOTHING_READ
from service.said import SAYS
from tests.engine.notation import positions
from tests.service.players import GAME, address, flat, one, says, to, unsaid


@pytest.fixture
def unchanged(players):
    """The players; at the end nothing has been done in their game."""
    yield players
    assert players.texts() == []
    assert players.store.mails.aside() == ()


def raw_mail(players, head, body):
    to = players.seat_address(GAME, "Ann")
    start = f"From: Ann <ann@players.test>\r\nTo: {to}\r\nMessage-ID: <raw@players.test>\r\n"
    return (start + "Subject: moves\r\nMIME-Version: 1.0\r\n" + head + "\r\n").encode() + body


def receipt(letters, name="Ann"):
    """The text of the only letter there is."""
    [letter] = letters
    assert (letter.kind, letter.to) == ("receipt", address(name))
    return letter.text


def test_an_unknown_word_is_shown_with_a_caret_and_the_nearest_command(unchanged):
    text = receipt(unchanged.write("Ann", "bid M&C 110", "pas"))
    lines = text.splitlines()
    at = next(i for i, line in enumerate(lines) if line.endswith(" pas"))
    assert lines[at + 1].strip() == "^"
    assert lines[at + 1].index("^") == lines[at].index("pas")
    assert f"{NotationError.lead}: pass?" in text
    assert says(text, receipts.NOTHING_CHANGED)


def test_an_ambiguous_name_is_asked_with_the_choices_spelled_out(players):
    players.place(positions.stock())
    lines = receipt(players.write("Ann", "par A 60")).splitlines()
    assert any(says(line, names.MAY_BE, text="A") for line in lines if "“A”" in line)
    at = next(n for n, line in enumerate(lines) if line.strip() == f"{Ambiguous.lead}:")
    assert [line.strip() for line in lines[at + 1 : at + 3]] == ["par ATN 60", "par ABC 60"]
    assert players.texts() == ["placed"]


def test_a_fault_in_the_third_of_five_commands_undoes_all_and_shows_what_would_do(players):
    players.place(positions.operating("run"))
    letters = players.write("Ann", "run", "pay", "buy 5", "buy 3", "say: forward")
    assert players.texts() == ["placed"]
    text = one(letters, "Ann").text
    rows = [line.split()[:2] for line in text.splitlines()]
    assert [r for r in rows if r and r[0] in ("would", "NO")][:3] == [
        ["would", "be"],
        ["would", "be"],
        ["NO", "buy"],
    ]
    flat = " ".join(text.split())
    assert f"{trains.NEXT_TRAIN.format(train=3)} (18AL 4.2.5(b))" in flat
    assert f"{MARKS['unsent']} buy 3" in flat
    assert "LEGAL NOW" in text
    assert "REPLY WITH" in text
    assert says(text, receipts.STILL_YOURS, still="still ")


def test_two_acts_for_one_decision_are_both_refused(unchanged):
    text = receipt(unchanged.write("Ann", "bid M&C 105", "bid NDY 125"))
    assert says(text, flow.NOT_THEIR_TURN, player="Ann", others="Bob")


def test_two_megabytes_of_text_are_not_read(unchanged):
    text = receipt(unchanged.write("Ann", "buy TR\n" * 300_000))
    assert says(text, message.OVER_LIMIT, size="2.0 MiB")


def test_an_empty_mail_is_told_so(unchanged):
    text = receipt(unchanged.write("Ann", "", subject=""))
    assert says(text, NOTHING_READ, trouble="empty")


def test_an_attachment_without_text_is_told_so(unchanged):
    head = "Content-Type: application/pdf; name=turn.pdf\r\nContent-Disposition: attachment\r\n"
    text = receipt(unchanged.send(raw_mail(unchanged, head, b"JVBERi0=")))
    assert says(text, NOTHING_READ, trouble=body.ONLY_ATTACHED.format(named="application/pdf"))


def test_a_mail_of_html_alone_is_read(players):
    html = "<html><body><p>Hi,</p><div>buy&nbsp;TR</div><br><blockquote>pass</blockquote></body></html>"
    letters = players.write("Ann", html=html)
    assert players.texts() == ["buy TR"]
    assert to(letters, "Ann") == ["receipt"]


@pytest.mark.parametrize("charset", ["utf-16", "x-unknown", "us-ascii", "utf-8"])
def test_a_wrong_charset_does_not_matter_where_the_words_are_plain(players, charset):
    head = f"Content-Type: text/plain; charset={charset}\r\n"
    players.send(raw_mail(players, head, "bid M&C 105 # für später – ja".encode("cp1252")))
    assert players.texts() == ["bid M&C 105"]


def test_half_a_character_in_utf_7_is_survived(players):
    head = "Content-Type: text/plain; charset=utf-7\r\n"
    letters = players.send(raw_mail(players, head, b"say: +2AA- well\r\n"))
    assert says(one(letters, "Bob", "news"), SAYS, name="Ann", text="\ufffd well")


def test_the_quoted_turn_mail_below_the_reply_is_not_executed(players):
    turn = players.latest("Ann")
    assert "buy TR" in turn.text
    players.reply(turn, "bid NDY 125")
    assert players.texts() == ["bid NDY 125"]


def test_nothing_is_read_after_end(players):
    players.write("Ann", "buy TR", "end", "pass", "this is only talk")
    assert players.texts() == ["buy TR"]


def test_talk_after_the_commands_refuses_nothing_and_is_sent_to_nobody(players):
    letters = players.write("Ann", "buy TR", "I hope that nobody minds this move of mine")
    assert players.texts() == ["buy TR"]
    assert says(one(letters, "Ann"), WORDS_ONLY)
    assert all(
        "nobody minds" not in letter.text for letter in letters if letter.to != address("Ann")
    )


def test_more_commands_than_any_turn_has_are_refused(unchanged):
    text = receipt(unchanged.write("Ann", *["insist off", "insist on"] * MOST_COMMANDS))
    assert says(text, TOO_MANY, most=MOST_COMMANDS)


def test_very_long_lines_come_back_short(unchanged):
    for line in ("z" * 50_000, "bid " + "q" * 50_000, "status " + "w" * 50_000, "say" * 9_000):
        letters = unchanged.write("Ann", line)
        assert len(receipt(letters)) < 6_000


def test_many_questions_get_a_limited_number_of_answers(unchanged):
    text = receipt(unchanged.write("Ann", *["trains"] * 40))
    assert text.count("> trains") == 12
    assert says(text, queries.ASK_IN_THE_NEXT, most=12)


@pytest.mark.long
def test_misunderstood_mails_beyond_six_an_hour_are_answered_together_when_it_is_over(unchanged):
    sent = [f"Ticket {number} was opened, we will be in touch" for number in range(20)]
    answers = [unchanged.write("Ann", line) for line in sent]
    assert [len(letters) for letters in answers] == [1] * 6 + [0] * 14
    assert all(unsaid(letters[0], answer_rations.LAST_ANSWER) for letters in answers[:5])
    assert says(answers[5][0], answer_rations.LAST_ANSWER)
    unchanged.now += 3599
    assert unchanged.remind() == []
    unchanged.now += 1
    [summed] = unchanged.remind()
    assert (summed.kind, summed.to) == ("late-answer", address("Ann"))
    assert says(summed.subject, late_answer.MORE_SUBJECT, game=GAME, count=14)
    assert says(summed, late_answer.WRITE_AGAIN)
    for number in range(6, 20):
        assert sent[number] in flat(summed)
    assert summed.reply_to == unchanged.seat_address(GAME, "Ann", number=0)
    assert unchanged.remind() == []
    assert len(unchanged.write("Ann", "Your ticket was closed, thanks for your patience")) == 1


def test_what_is_done_is_answered_whatever_came_before(players):
    for number in range(12):
        players.write("Ann", f"Ticket {number} was opened")
    assert to(players.write("Ann", "buy TR"), "Ann") == ["receipt"]
    assert players.texts() == ["buy TR"]


def test_mistakes_in_one_game_do_not_silence_another(players):
    [created] = players.stranger(address("Ann"), "create 18AL other")
    for name in ("Ann", "Bob", "Cat"):
        [asked] = players.stranger(address(name), f"join other as {name}")
        players.reply(asked, "yes")
    players.reply(created, "start")
    for number in range(8):
        players.write("Ann", f"Ticket {number} was opened")
    assert len(players.write("Ann", "hm hm hm", game="other")) == 1


@pytest.mark.long
def test_no_letter_is_larger_than_promised_however_much_was_said(players):
    for number in range(60):
        players.now += 4000
        text = "say: " + f"{number} blah " * 140
        letters = players.write(("Ann", "Bob", "Cat")[number % 3], text)
        assert all(len(letter.mail.as_bytes()) < 60_000 for letter in letters)
    [letter] = players.write("Ann", *["history"] * 12)
    assert len(letter.text.replace("\r\n", "\n").encode()) <= 6_000
    assert len(letter.html.encode()) <= 60_000
    assert says(letter, rendering.MORE) and "-- \r\n" in letter.text
    [letter] = players.write("Ann", "history")
    assert says(letter, told_answers.EARLIER, number=0)
    assert "59 blah" in flat(letter)
    [letter] = players.write("Ann", "history from 0")
    assert "0 blah" in flat(letter)
    assert says(letter, told_answers.MORE)


def test_pictures_beyond_the_size_of_a_mail_are_left_out_and_that_is_said(players):
    players.place(positions.operating("track"))
    players.service = players.office.service = replace(
        players.service, render=lambda svg, width: b"\x89PNG" + bytes(100_000)
    )
    [letter] = players.write("Ann", "map", "market", "tiles C4", "images on")
    assert len(letter.mail.as_bytes()) <= 300_000
    assert len(letter.pictures) == 2
    assert says(letter, rendering.PICTURES_LEFT_OUT)
    assert letter.html.count("cid:") == 2


def test_too_much_talk_is_not_sent_at_all_and_told_so(unchanged):
    letters = unchanged.write("Ann", "say: " + "x" * 1500, "say: " + "y" * 1500)
    assert to(letters, "Bob") == []
    assert says(receipt(letters), talking.TOO_LONG, count="3,000", most="2,000")


@pytest.mark.long
def test_talk_without_end_is_refused_with_the_time_from_which_it_may_go_on(unchanged):
    for number in range(30):
        assert to(unchanged.write("Ann", f"say: {number}"), "Bob") == ["news"]
    letters = unchanged.write("Ann", "say: 30")
    assert to(letters, "Bob") == []
    assert says(receipt(letters), talking.SAID_MUCH, when="15 January 2027, 09:00 UTC")


def test_two_robots_that_answer_each_other_stop(unchanged):
    [letter] = unchanged.write("Ann", "I am on the beach until August")
    rounds = 0
    while letter and rounds < 50:
        rounds += 1
        letters = unchanged.reply(letter, "I am on the beach until August")
        letter = letters[0] if letters else None
    assert rounds < 10


@pytest.mark.long
def test_questions_without_end_stop_being_answered(unchanged):
    answers = [unchanged.write("Ann", "trains", f"#{n}") for n in range(70)]
    assert sum(map(len, answers)) == 60


def test_a_mail_with_nothing_but_junk_bytes_is_survived(unchanged):
    unchanged.arrive(bytes(range(256)) * 20)
    unchanged.arrive(b"")
    assert unchanged.work() == []
