"""The book as PDF: tagged, in our own letters, with all that the page of the book has."""

import io
import shutil
import socket

import pytest
from pypdf import PdfReader

from service.publish import paper
from service.publish.publishing import Publishing, Site
from service.store import Store
from tests.service.publish.conftest import SECRET
from tests.service.publish.pdfs import elements, outline, texts

HTML = """<!doctype html><html lang="en"><head><title>A book</title></head>
<body><h1>The book</h1>{}</body></html>"""
RING = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4" cy="4" r="3"/></svg>'
)


def written(html, own=None):
    return PdfReader(io.BytesIO(paper.pdf(HTML.format(html), own)))


def said(found):
    return " ".join(" ".join(page.extract_text() for page in found.pages).split())


def is_ua(found):
    root = found.trailer["/Root"]
    return bool(root["/MarkInfo"]["/Marked"]) and b"pdfuaid:part>1<" in root["/Metadata"].get_data()


def test_a_pdf_is_tagged_and_fetches_nothing(monkeypatch):
    def refused(*where, **how):
        raise AssertionError(f"a connection was tried: {where}")

    monkeypatch.setattr(socket, "create_connection", refused)
    found = written('<p>WRA for $400</p><img src="https://else.example/x.png" alt="not fetched">')
    assert is_ua(found) and "/StructTreeRoot" in found.trailer["/Root"]
    assert found.trailer["/Root"]["/Lang"] == "en"
    assert said(found).endswith("WRA for $400 not fetched 1 / 1")
    assert found.metadata.title == "A book"


def test_every_element_keeps_its_meaning_on_paper():
    found = written(
        "<h2>Places</h2><table><thead><tr><th>Player</th><th class='right'>Worth</th></tr></thead>"
        "<tbody><tr><th>Ann</th><td>$5</td></tr></tbody></table>"
        "<dl><dt>Longest run</dt><dd>a 5 train</dd></dl><ol><li>first</li></ol><ul><li>some</li></ul>"
        f"<figure><img src='{paper.as_data(RING)}' alt='A ring'><figcaption>One</figcaption></figure>"
        "<p><s>struck</s> <strong>loud</strong><br><code>buy TR</code> "
        "<a href='https://x.example/'>there</a> <a href='javascript:1'>nowhere</a></p>"
        "<pre>a\n  b</pre><h3>Last</h3>"
    )
    assert is_ua(found)
    tags = {one["/S"] for one in elements(found)}
    assert {"/H1", "/H2", "/H3", "/Table", "/THead", "/TH", "/TD", "/L", "/LI", "/Code"} <= tags
    assert {"/Figure", "/Caption", "/Link", "/P"} <= tags
    assert texts(found, "/Figure") == ["A ring"]
    assert outline(found) == ["The book", "Places", "Last"]
    links = [one.get_object() for one in found.pages[0]["/Annots"]]
    assert [one["/A"]["/URI"] for one in links] == ["https://x.example/"]
    for words in (
        "Player Worth Ann $5",
        "Longest run a 5 train",
        "struck loud buy TR there nowhere",
    ):
        assert words in said(found)


HOSTILE = (
    '#read("/etc/passwd")',
    '#include "/etc/passwd"',
    '#import "@preview/cetz:0.3.0"',
    "= heading",
    "$ x^2 $",
    '#"x" \\ *b* _i_ `raw` @ref <label>',
    '"), panic("',
    "// comment",
)


@pytest.mark.parametrize("text", HOSTILE)
def test_words_of_players_are_words_on_paper(text):
    """Nothing that somebody writes is markup, in no place where words of players stand."""
    from markupsafe import escape

    shown = escape(text)
    found = written(
        f"<p>{shown}</p><pre>{shown}</pre><p><code>{shown}</code></p><h2>{shown}</h2>"
        f"<table><thead><tr><th>{shown}</th></tr></thead><tr><td>{shown}</td></tr></table>"
        f"<dl><dt>{shown}</dt><dd>{shown}</dd></dl><img src='{paper.as_data(RING)}' alt=\"{shown}\">"
    )
    assert is_ua(found)
    assert said(found).count(" ".join(text.split())) == 8
    assert texts(found, "/Figure") == [text]
    assert outline(found) == ["The book", text]


@pytest.mark.parametrize("text", ["日本語", "well played 😀", "a\x01b"])
def test_letters_that_no_font_has_are_boxes_and_the_rest_is_there(text):
    found = written(f"<p>before</p><p>{text}</p><p>after</p>")
    assert not is_ua(found)
    assert found.trailer["/Root"]["/MarkInfo"]["/Marked"]
    assert "before" in said(found) and "after" in said(found)


@pytest.mark.parametrize("text", ["Łódź Ärger “ß” naïve", "Ω Ж →≥✓", "‮left‬"])
def test_letters_of_europe_and_signs_of_the_game_are_all_there(text):
    assert is_ua(written(f"<p>{text}</p>"))


def test_headings_out_of_order_are_no_reason_to_write_nothing():
    found = written("<h3>deep</h3>")
    assert not is_ua(found) and "deep" in said(found)


def test_no_word_leaves_the_paper():
    word = "W" * 1900
    found = written(f"<p>{word}</p>")
    lines = found.pages[0].extract_text().splitlines()
    assert sum(line.count("W") for line in lines) == len(word)
    assert max(line.count("W") for line in lines) < 100


def test_the_same_page_is_the_same_bytes():
    page = HTML.format(f"<p>{'word ' * 500}</p><img src='{paper.as_data(RING)}' alt='A ring'>")
    made = paper.pdf(page)
    assert made == paper.pdf(page)
    assert b"CreationDate" not in made


def test_a_table_longer_than_a_page_is_whole():
    rows = "".join(f"<tr><th>row{n}.</th><td>{n}</td></tr>" for n in range(150))
    table = f"<table><thead><tr><th>Row</th><th>N</th></tr></thead><tbody>{rows}</tbody></table>"
    for around in ("{}", "<section>{}</section>", '<div class="box">{}</div>'):
        text = said(written(around.format(table)))
        assert all(f"row{n}." in text for n in range(150))


def test_the_operator_lays_paper_out(tmp_path):
    (tmp_path / "page").mkdir()
    (tmp_path / "page" / paper.LAYOUT).write_text(
        '#set document(title: "Own")\n#set text(lang: "en")\n#heading[Of our club]\n'
    )
    found = written("<p>words</p>", tmp_path)
    assert found.metadata.title == "Own" and "Of our club" in said(found)


@pytest.mark.long
def test_the_book_of_a_game_is_written_as_pdf(_made, tmp_path):
    shutil.copy(_made / "games.sqlite", tmp_path / "games.sqlite")
    store = Store(f"sqlite:///{tmp_path}/games.sqlite")
    Publishing(store, Site(tmp_path / "site", "", "Waybill", SECRET)).run()
    store.close()
    file = tmp_path / "site" / "games" / "over" / "book.pdf"
    found = PdfReader(file)
    text = said(found)
    assert is_ua(found)
    fonts = found.pages[0]["/Resources"]["/Font"].values()
    assert any("Roboto" in font.get_object()["/BaseFont"] for font in fonts)
    for words in (
        "The book of over",
        "Most expensive train",
        "overpays",
        "5a17" * 4,
        "Net worth",
        "buy TR",
        "Birmingham",
    ):
        assert words in text
    assert "a note of Bob alone" not in text and "players.test" not in text
    figures = texts(found, "/Figure")
    assert [one.partition(".")[0] for one in figures[:2]] == [
        "The final map of over",
        "Stock chart",
    ]
    assert len(figures) == 5
    assert outline(found)[:4] == [
        "The book of over",
        "How it ended",
        "Round by round",
        "Net worth of the players",
    ]
    assert file.stat().st_size < 1_000_000
