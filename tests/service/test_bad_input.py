"""What people and programs really send: each gets its answer, and nothing changes that should not."""

import pytest

from service.desk.seat_mail import MOST_COMMANDS
from tests.engine.notation import positions
from tests.service.house import GAME, address, one, to


@pytest.fixture
def unchanged(players):
    """The players; at the end nothing has been done in their game."""
    yield players
    assert players.texts() == []
    assert players.store.shunted() == ()


def raw_mail(players, head, body):
    to = players.house.seat_address(GAME, "Ann")
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
    assert "did you mean: pass" in text
    assert "NOT DONE: nothing was changed" in text


def test_an_ambiguous_name_is_asked_with_the_choices_spelled_out(players):
    players.place(positions.stock())
    lines = receipt(players.write("Ann", "par A 60")).splitlines()
    assert any("“A” may be" in line for line in lines)
    at = next(n for n, line in enumerate(lines) if line.strip() == "write one of:")
    assert [line.strip() for line in lines[at + 1 : at + 3]] == ["par ATN 60", "par ABC 60"]
    assert players.texts() == ["placed"]


def test_a_fault_in_the_third_of_five_commands_undoes_all_and_shows_what_would_do(players):
    players.place(positions.operating("run"))
    letters = players.write("Ann", "run", "pay", "buy 5", "buy 3", "say: forward")
    assert players.texts() == ["placed"]
    text = one(letters, "Ann").text
    rows = [line.split()[:2] for line in text.splitlines()]
    assert [r for r in rows if r and r[0] in ("ok", "NO")][:3] == [
        ["ok", "run"],
        ["ok", "pay"],
        ["NO", "buy"],
    ]
    flat = " ".join(text.split())
    assert "the next new train is a 3 (18AL 4.2.5(b))" in flat
    assert "not done buy 3" in flat
    assert "LEGAL NOW" in text
    assert "REPLY WITH, for example" in text
    assert "still your turn" in flat


def test_two_acts_for_one_decision_are_both_refused(unchanged):
    text = receipt(unchanged.write("Ann", "bid M&C 105", "bid NDY 125"))
    assert "not Ann's turn, Bob must decide" in text


def test_two_megabytes_of_text_are_not_read(unchanged):
    text = receipt(unchanged.write("Ann", "buy TR\n" * 300_000))
    assert "too large" in text


def test_an_empty_mail_is_told_so(unchanged):
    text = receipt(unchanged.write("Ann", "", subject=""))
    assert "No command could be read in your mail: empty" in text


def test_an_attachment_without_text_is_told_so(unchanged):
    head = "Content-Type: application/pdf; name=turn.pdf\r\nContent-Disposition: attachment\r\n"
    text = " ".join(receipt(unchanged.send(raw_mail(unchanged, head, b"JVBERi0="))).split())
    assert "no text in this mail, only an attachment" in text


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
    assert "Ann says: \ufffd well" in one(letters, "Bob", "news").text


def test_the_quoted_turn_mail_below_the_reply_is_not_executed(players):
    turn = players.latest("Ann")
    assert "buy TR" in turn.text
    players.reply(turn, "bid NDY 125")
    assert players.texts() == ["bid NDY 125"]


def test_nothing_is_read_after_end(players):
    players.write("Ann", "buy TR", "end", "pass", "this is only talk")
    assert players.texts() == ["buy TR"]


def test_talk_after_the_commands_holds_the_mail_back_and_is_sent_to_nobody(unchanged):
    letters = unchanged.write("Ann", "buy TR", "I hope that nobody minds this move of mine")
    text = " ".join(receipt(letters).split())
    assert "It was not sent to anybody. Put `say:` before it" in text


def test_more_commands_than_any_turn_has_are_refused(unchanged):
    text = receipt(unchanged.write("Ann", *["insist off", "insist on"] * MOST_COMMANDS))
    assert f"{MOST_COMMANDS} commands at most" in text


def test_very_long_lines_come_back_short(unchanged):
    for line in ("z" * 50_000, "bid " + "q" * 50_000, "status " + "w" * 50_000, "say" * 9_000):
        letters = unchanged.write("Ann", line)
        assert len(receipt(letters)) < 6_000


def test_many_questions_get_a_limited_number_of_answers(unchanged):
    text = receipt(unchanged.write("Ann", *["trains"] * 40))
    assert text.count("> trains") == 12
    assert "12 answers at most" in text


def test_a_mail_that_a_robot_writes_for_ever_is_answered_a_few_times_an_hour(unchanged):
    answers = [
        unchanged.write("Ann", f"Ticket {n} was opened, we will be in touch") for n in range(20)
    ]
    assert [len(letters) for letters in answers] == [1] * 6 + [0] * 14
    unchanged.now += 3600
    assert len(unchanged.write("Ann", "Your ticket was closed, thanks for your patience")) == 1


def test_two_robots_that_answer_each_other_stop(unchanged):
    [letter] = unchanged.write("Ann", "I am on the beach until August")
    rounds = 0
    while letter and rounds < 50:
        rounds += 1
        letters = unchanged.reply(letter, "I am on the beach until August")
        letter = letters[0] if letters else None
    assert rounds < 10


def test_questions_without_end_stop_being_answered(unchanged):
    answers = [unchanged.write("Ann", "trains", f"#{n}") for n in range(70)]
    assert sum(map(len, answers)) == 60


def test_a_mail_with_nothing_but_junk_bytes_is_survived(unchanged):
    unchanged.arrive(bytes(range(256)) * 20)
    unchanged.arrive(b"")
    assert unchanged.work() == []
