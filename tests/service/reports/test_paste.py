"""Reports to be pasted into forums, read by real renderers of BBCode and Markdown."""

import re
from html import unescape

import bbcode
import html5lib
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from service.reports.paste import FORMS, Report, markdown, pasted
from service.reports.tables import Row

PAGE = "https://games.example.org/18xx/games/dixie7/"
REPORT = Report(
    "dixie7 (18AL): SR 1 is complete",
    "Now Bob: L&N operates.",
    (
        Row("Ann", ("bought 10% of L&N from the initial offering for $60", "passed")),
        Row("", ("SR 1 is over", "OR 1.1 begins")),
    ),
    ("CO  pres price", "L&N Bob     60", "M&O Cat     75"),
    (("The map", f"{PAGE}map-0f.svg"), ("All of it", PAGE)),
)


def seen(html):
    """What a reader of a page reads, without markup."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())


def by_bbcode(text):
    return bbcode.Parser().format(text)


def by_markdown(text):
    return MarkdownIt("commonmark").render(text)


RENDER = {"bbcode": by_bbcode, "markdown": by_markdown}


@pytest.mark.parametrize("form", RENDER)
def test_a_renderer_shows_all_of_a_report_and_none_of_its_marks(form):
    html = RENDER[form](pasted(REPORT, form))
    told = seen(html)
    for words in (REPORT.headline, REPORT.standing, "Ann bought 10% of L&N", "SR 1 is over"):
        assert words in told
    for mark in ("[b]", "[*]", "[list]", "[code]", "**", "```", "##", "\\"):
        assert mark not in told
    assert html.count("<li>") >= 2
    assert f'href="{PAGE}map-0f.svg"' in html and f'href="{PAGE}"' in html
    html5lib.HTMLParser(strict=True).parseFragment(html)


@pytest.mark.parametrize("form", RENDER)
def test_columns_stay_columns(form):
    html = RENDER[form](pasted(REPORT, form))
    [table] = re.findall(r"<(?:pre|code)[^>]*>(?:<code[^>]*>)?(.*?)</(?:code|pre)>", html, re.S)
    assert unescape(table).strip("\n").split("\n") == list(REPORT.tables)


def test_plain_text_has_lines_of_a_mail_and_no_marks():
    text = pasted(REPORT, "text")
    assert max(map(len, text.splitlines())) <= 78
    assert f"The map: {PAGE}map-0f.svg" in text
    assert "- Ann bought 10% of L&N" in text


@example("&lt;b&gt;&#38;")
@example("1. - + =")
@given(st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=40))
def test_no_words_are_read_as_markdown(words):
    assert seen(by_markdown(f"x {markdown(words)} x")) == f"x {words} x"


@pytest.mark.parametrize("words", ["[b]x[/b]", "[url=http://evil.test]x[/url]", "[/list]", "[*]"])
def test_no_words_are_read_as_bbcode(words):
    text = pasted(Report("h", words, (Row("Ann", (words,)),), (words,)), "bbcode")
    html = bbcode.Parser(replace_links=False).format(text)
    shown = words.replace("[", "(").replace("]", ")")
    assert seen(html).count(shown) == 3
    assert "<a " not in html


@pytest.mark.parametrize("form", FORMS)
def test_a_report_without_acts_tables_and_page_has_no_empty_parts(form):
    text = pasted(Report("dixie7", "The game is over."), form)
    assert "[list]" not in text and "```" not in text and "http" not in text
    assert text.endswith("\n") and not text.endswith("\n\n")
