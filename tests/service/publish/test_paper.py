"""The book as PDF: tagged, in its own letters, with all that the page of the book has."""

import io
import shutil
import sys

import pytest
from pypdf import PdfReader

from service.publish import paper
from service.publish.publishing import Publishing, Site
from service.store import Store
from tests.need import need
from tests.service.publish.conftest import SECRET

HTML = """<!doctype html><html lang="en"><head><title>A book</title></head>
<body><h1>The book</h1><p>WRA for $400</p><img src="https://else.example/x.png" alt="not fetched"></body></html>"""


def written(html):
    try:
        return PdfReader(io.BytesIO(paper.pdf(html)))
    except paper.NoPaper:
        need(False, "Pango (apt install libpangoft2-1.0-0 libharfbuzz-subset0)")
        raise


def test_a_pdf_is_tagged_and_fetches_nothing(monkeypatch):
    import socket

    def refused(*where, **how):
        raise AssertionError(f"a connection was tried: {where}")

    monkeypatch.setattr(socket, "create_connection", refused)
    found = written(HTML)
    assert (
        found.trailer["/Root"]["/MarkInfo"]["/Marked"]
        and "/StructTreeRoot" in found.trailer["/Root"]
    )
    assert "WRA for $400" in found.pages[0].extract_text()
    assert found.metadata.title == "A book"


@pytest.mark.long
def test_where_pango_is_missing_that_is_said(monkeypatch):
    monkeypatch.setitem(sys.modules, "weasyprint", None)
    with pytest.raises(paper.NoPaper, match="Pango"):
        paper.pdf(HTML)


@pytest.mark.long
def test_a_game_without_a_pdf_has_all_else(stand, monkeypatch, tmp_path):
    from service.publish import game_files

    def none(html):
        raise paper.NoPaper("no Pango here")

    monkeypatch.setattr(game_files, "pdf", none)
    stand.folder = tmp_path / "anew"
    stand.publishing().run()
    names = {name for name in stand.files() if name.startswith("games/over/book")}
    assert names == {"games/over/book.html"} and "book.pdf" not in stand.page("over")


@pytest.mark.long
def test_the_book_of_a_game_is_written_as_pdf(_made, tmp_path):
    written(HTML)
    shutil.copy(_made / "games.sqlite", tmp_path / "games.sqlite")
    store = Store(f"sqlite:///{tmp_path}/games.sqlite")
    Publishing(store, Site(tmp_path / "site", "", "Waybill", SECRET)).run()
    store.close()
    file = tmp_path / "site" / "games" / "over" / "book.pdf"
    found = PdfReader(file)
    text = "\n".join(page.extract_text() for page in found.pages)
    fonts = found.pages[0]["/Resources"]["/Font"].values()
    assert any("Roboto" in font.get_object()["/BaseFont"] for font in fonts)
    for words in (
        "The book of over",
        "Dearest train",
        "overpays",
        "5a17" * 4,
        "Net worth",
        "buy TR",
    ):
        assert words in text
    assert "a note of Bob alone" not in text and "players.test" not in text
    assert file.stat().st_size < 1_000_000
