"""A game and forums: reports to paste, and a thread on a forum that speaks mail."""

from dataclasses import replace

import pytest

from tests.service.house import GAME, flat, one
from tests.service.reports.test_paste import by_bbcode, by_markdown, seen

PAGES = "https://games.example.org/18xx/"


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
    assert "TR pays Ann $5" in told
    assert "PLAYER cash certs worth" in told
    assert "http" not in text, "no page is published here"
    for line in text.split("\n")[:4]:
        assert line in answer.text.replace("\r", "")


def test_pictures_are_links_where_pages_are_published(players):
    players.house = players.office.house = replace(players.house, pages=PAGES)
    after_a_round(players)
    answer = one(players.write("Bob", "forum bbcode"), "Bob")
    assert f"[url={PAGES}games/{GAME}-" in answer.text
    assert ".svg]The map[/url]" in answer.text.replace("=\r\n", "")


@pytest.mark.parametrize("line", ["forum", "forum html", "forum bbcode now"])
def test_a_form_that_is_none_is_refused_with_those_there_are(players, line):
    answer = one(players.write("Bob", line), "Bob")
    assert "NOT DONE" in answer.text
    assert "`forum bbcode`, `forum markdown` or `forum text`" in flat(answer)


def test_before_the_first_round_is_over_what_was_done_so_far_is_told(players):
    players.write("Ann", "buy TR")
    answer = one(players.write("Cat", "forum text"), "Cat")
    assert f"{GAME} (18AL): SR 1" in answer.text
    assert "- Ann bought Tuscumbia Railway" in flat(answer)


def test_what_is_secret_is_in_no_report(players):
    players.write("Ann", "note: token Knoxville", "diary: they know nothing", "say: hello")
    after_a_round(players)
    text = one(players.write("Ann", "forum markdown"), "Ann").text
    report = text[text.index("##") :]
    for secret in ("Knoxville", "know nothing", "hello", "@"):
        assert secret not in report
