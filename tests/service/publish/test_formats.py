"""What is published is what it claims to be: HTML, SVG, Atom, JSON, notation; small, and alone."""

import json
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import feedparser
import html5lib
import pytest

from service.workshop.practice.script import read, recorded_game, run

PAGES = [
    "index.html",
    "games/over/index.html",
    "games/over/book.html",
    "games/mid/index.html",
    "games/index.html",
]
SVG = "{http://www.w3.org/2000/svg}"


class Links(HTMLParser):
    """All that a page names, and the ids that it has."""

    def __init__(self):
        super().__init__()
        self.ids, self.named, self.pictures = [], [], []

    def handle_starttag(self, tag, attributes):
        has = dict(attributes)
        self.ids += [has["id"]] if "id" in has else []
        self.named += [
            has[name] for name in ("href", "src") if has.get(name) and has.get("rel") != "canonical"
        ]
        self.pictures += [has] if tag == "img" else []


def links(page):
    found = Links()
    found.feed(page)
    return found


@pytest.mark.parametrize("page", PAGES)
def test_pages_are_valid_html(site, page):
    html5lib.HTMLParser(strict=True).parse((site / page).read_text(encoding="utf-8"))


@pytest.mark.long
def test_the_validator_would_find_a_fault():
    with pytest.raises(html5lib.html5parser.ParseError):
        html5lib.HTMLParser(strict=True).parse("<!doctype html><p><table><li></p>")


@pytest.mark.long
def test_the_page_of_an_unlisted_game_is_valid_html(site):
    [page] = site.glob("games/young-*/index.html")
    html5lib.HTMLParser(strict=True).parse(page.read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", PAGES)
def test_pages_name_nothing_elsewhere_and_all_that_they_name_is_there(site, page):
    found = links((site / page).read_text(encoding="utf-8"))
    assert found.named and len(found.ids) == len(set(found.ids))
    for name in found.named:
        file, _, part = name.partition("#")
        assert not re.match(r"[a-z]+:|//", file), name
        target = (site / page).parent / file.partition("?")[0] if file else site / page
        target = target / "index.html" if target.is_dir() else target
        assert target.is_file(), name
        assert not part or part in links(target.read_text(encoding="utf-8")).ids


@pytest.mark.long
@pytest.mark.parametrize("game", ["over", "mid"])
def test_a_page_with_its_pictures_is_light(site, game):
    """Maps of the past are links: they are loaded when somebody asks for them."""
    folder = site / "games" / game
    page = (folder / "index.html").read_text(encoding="utf-8")
    pictures = [picture["src"] for picture in links(page).pictures]
    loaded = [
        folder / "index.html",
        site / "style.css",
        site / "slider.js",
        *(folder / p for p in pictures),
    ]
    assert len(pictures) == 2 and len(list(folder.glob("map-*.svg"))) > 5
    assert sum(file.stat().st_size for file in loaded) < 500_000


@pytest.mark.long
def test_pictures_have_words_and_a_size(site):
    for page in site.rglob("*.html"):
        for picture in links(page.read_text(encoding="utf-8")).pictures:
            assert picture["alt"] and int(picture["width"]) > 0 and int(picture["height"]) > 0


def test_the_book_says_in_words_who_has_won_and_why_it_ended(site):
    book = (site / "games/over/book.html").read_text(encoding="utf-8")
    assert "<p>Bob wins with $4422. The bank ran out of money.</p>" in book


def test_who_has_won_stands_on_the_page_of_a_game_that_is_over_and_in_the_list(site):
    page = (site / "games/over/index.html").read_text(encoding="utf-8")
    assert "<p>Bob wins with $4422. The bank ran out of money.</p>" in page
    front = (site / "index.html").read_text(encoding="utf-8")
    assert "The game is over: Bob wins with $4422 ·" in front and front.count(" wins with ") == 1
    running = (site / "games/mid/index.html").read_text(encoding="utf-8")
    assert " wins with " not in running


def test_no_act_names_its_player_twice(site):
    page = (site / "games/over/index.html").read_text(encoding="utf-8")
    assert "<b>Ann</b> bought Tuscumbia Railway (TR) for $20." in page
    assert not re.search(r"<b>(\w+)</b>:? \1 ", page)


def test_a_game_in_its_first_round_has_no_plot(site):
    [page] = site.glob("games/young-*/index.html")
    assert 'id="curves"' not in page.read_text(encoding="utf-8")


def test_sentences_of_the_log_begin_as_sentences(site):
    page = (site / "games/over/index.html").read_text(encoding="utf-8")
    log = page[page.index('id="log"') :]
    assert "OR 9.3 ended. The game is over: Ann $4028" in log
    assert not re.search(r"[.] [a-z]", log[: log.index("</main>")])


def test_pictures_are_svg_with_letters_of_their_own(site):
    pictures = list(site.glob("games/*/*.svg"))
    assert len(pictures) > 20
    for file in pictures:
        root = ElementTree.fromstring(file.read_text(encoding="utf-8"))
        assert root.tag == f"{SVG}svg" and "font/woff2" in root.findtext(f"{SVG}style")


@pytest.mark.long
@pytest.mark.parametrize("feed", ["feed.atom", "games/over/feed.atom", "games/mid/feed.atom"])
def test_feeds_are_atom(site, feed):
    found = feedparser.parse((site / feed).read_bytes())
    assert not found.bozo and found.version == "atom10" and found.feed.id.startswith("urn:uuid:")
    assert found.feed.title and found.feed.updated_parsed and found.feed.author
    assert len({entry.id for entry in found.entries}) == len(found.entries) > 3
    times = [entry.updated_parsed for entry in found.entries]
    assert times == sorted(times, reverse=True) and all(
        entry.title and entry.link for entry in found.entries
    )


@pytest.mark.long
def test_entries_of_feeds_lead_to_pages(site):
    for feed in (site / "feed.atom", site / "games" / "over" / "feed.atom"):
        for entry in feedparser.parse(feed.read_bytes()).entries:
            assert entry.link.startswith("https://games.example.org/18xx/games/")
            file, _, part = entry.link.removeprefix("https://games.example.org/18xx/").partition(
                "#"
            )
            target = site / file / "index.html" if file.endswith("/") else site / file
            assert not part or part in links(target.read_text(encoding="utf-8")).ids


@pytest.mark.long
def test_the_log_can_be_played_again(site):
    for game, title, acts in (("over", "18al", None), ("mid", "18mw", 200)):
        played = run(read((site / "games" / game / "log.txt").read_text(encoding="utf-8")))
        original = recorded_game(title)
        assert played.actions == original.actions[:acts]


@pytest.mark.long
def test_state_json_says_how_the_game_stands(site):
    found = json.loads((site / "games" / "mid" / "state.json").read_text(encoding="utf-8"))
    state = recorded_game("18mw").states[200]
    assert (found["format"], found["game"], found["title"], found["number"]) == (
        1,
        "mid",
        "18MW",
        200,
    )
    assert found["round"] == str(state.round) and found["bank"] == state.cash["bank"]
    assert {p["seat"]: p["cash"] for p in found["players"]} == {
        s: state.cash[s] for s in state.seats
    }
    assert found["waiting"] and found["waiting"][0]["due"] is None
    assert found["rounds"][-1]["number"] == 200 and not found["rounds"][-1]["over"]
    assert (site / "games" / "mid" / "state.json").stat().st_size < 25_000
