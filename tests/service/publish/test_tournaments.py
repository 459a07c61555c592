"""The pages of a tournament and its report on paper: public, valid, followed."""

import io
import json
import shutil
from dataclasses import replace as other

import html5lib
import pytest
from msgspec.structs import replace
from pypdf import PdfReader

from service.publish.folder import Folder
from service.publish.pages import STYLE, Around, file_of
from service.publish.publishing import Publishing, Site
from service.publish.tournament import index
from service.publish.tournament.page_data import TournamentView
from service.publish.tournament.pages import report_pdf
from service.tournaments.acts import DirectorDecided, LoggedAct
from service.tournaments.rules import RoundRules, Scoring
from service.tournaments.values import Entrant
from tests.need import need
from tests.service.publish.conftest import BASE, SECRET
from tests.service.tournaments.setting import AL, result_of, seat, tournament, without

AROUND = Around("../../", "look")
PAGES = ("index.html",)


def view(games=None, status="running", *ruled):
    """Three rounds: one over with a figure struck out, one that still plays, one to come."""
    boards = (
        result_of(900, 700, 100),
        replace(
            result_of(800, 700, 600, table=2, names=("Dan", "Eve", "Fay"), ended="adjudicated"),
            seats=(
                seat("Dan", 1, 800, players=("Dan", "Zoe")), seat("Eve", 2, 700),
                seat("Fay", 3, 600),
            ),
        ),
        result_of(500, 400, 300, round_=2, names=("Bob", "Ann", "Dan")),
        result_of(500, 400, 300, round_=2, table=2, names=("Fay", "Eve", "Cat")),
    )  # fmt: skip
    entries = (
        Entrant("Ann", 1, ("ann@players.test",)),
        Entrant("Dan", 4, ("dan@players.test",), "withdrawn"),
        Entrant("Zoe", 7, ("zoe@players.test",), "standby"),
        Entrant(
            "Yan", 8, ("yan@players.test",), "excluded", reason="writes to Ann <ann@players.test>"
        ),
    )
    made = without(
        tournament(
            *boards,
            entries=entries,
            byes=[(2, "Gus")],
            rounds=(RoundRules((AL,), until="2027-03-31"),) * 3,
        ),
        2,
        2,
    )
    rules = replace(
        made.rules, announcement="Come all.\n\n<b>Trains</b> for everybody.", prizes="A mug",
        close="2027-01-31", scoring=Scoring(breaks=("wins", "lot")),
    )  # fmt: skip
    record = made.records[0].corrected(
        result_of(900, 1000, 100), 1_800_000_000, "a share was forgotten", "Dan"
    )
    made = replace(
        made, rules=rules, digests=("d1", "d2", "d3"), records=(record, *made.records[1:])
    )
    ruling = LoggedAct(DirectorDecided("", "Table 2.2 goes on"), "Dan", "", 1, 1_800_000_000)
    log = (
        ruling,
        *(
            other(ruling, number=n, act=DirectorDecided("", text))
            for n, text in enumerate(ruled, 2)
        ),
    )
    begun = {1: ("n1-1", "n1-2"), 2: ("n2-1", "n2-2")}
    return TournamentView(replace(made, log=log, status=status, begun=begun), games or {})


@pytest.fixture
def folder(tmp_path):
    return Folder(tmp_path / "tournaments" / "north")


def written(folder, seen=None):
    index.write_files(folder, seen or view(), AROUND, "k")
    return {
        path.name: path.read_text("utf-8")
        for path in folder.path.iterdir()
        if path.suffix != ".pdf"
    }


def test_all_pages_are_valid_html(folder):
    pages = written(folder)
    for name in PAGES:
        html5lib.HTMLParser(strict=True).parse(pages[name])
    empty = TournamentView(tournament())
    for name, text in written(folder, empty).items():
        if name.endswith(".html"):
            html5lib.HTMLParser(strict=True).parse(text)


@pytest.mark.long
def test_a_page_tells_all_that_everybody_may_know_and_nobodys_address(folder):
    pages = written(folder)
    page = pages["index.html"]
    for told in (
        "Come all.", "&lt;b&gt;Trains", "A mug", "2027-03-31", "Round 2 of 3: 1 table still in play, 1 over.",
        "Table 2.2 goes on", "Entries", "Zoe", "Sitting out: Gus.", "d3",
    ):  # fmt: skip
        assert told in page, told
    assert "Yan" not in page
    assert not any("@players.test" in text for text in pages.values())
    assert not any("dan@example.org" in text for text in pages.values())


@pytest.mark.long
def test_what_was_published_stays_to_be_seen_struck_out_with_its_reason(folder):
    page = written(folder)["index.html"]
    assert "<s>1st Ann $900, 2nd Bob $700, 3rd Cat $100</s>" in page
    assert "a share was forgotten" in page and "1st Bob $1000 (100)" in page


def test_seats_that_changed_hands_and_stopped_boards_are_named(folder):
    page = written(folder)["index.html"]
    assert "1st Zoe (for Dan) $800 (100), 2nd Eve $700 (50), 3rd Fay $600 (0); adjudicated" in page
    assert page.count("playing") >= 2


@pytest.mark.long
def test_a_seating_is_shown_with_seed_and_digest_and_the_next_digest_without_its_seed(folder):
    page = written(folder)["index.html"]
    assert "s1" in page and "Seeds that are still secret" in page
    assert page.index("d3") > page.index("Seeds that are still secret") and "s3" not in page


@pytest.mark.long
def test_the_cross_table_leads_to_figures_and_these_to_games(folder):
    pages = written(folder)
    assert "Round 1" in pages["index.html"] and 'href="standings.json"' in pages["index.html"]
    said = json.loads(pages["standings.json"])
    assert said["standings"][0]["name"] == "Bob" and len(said["results"][0]["told"]) == 2


def test_only_games_that_all_may_see_are_linked(folder):
    shown_ = view(games={"n1-1": "games/n1-1/"})
    page = written(folder, shown_)["index.html"]
    assert '<a href="../../games/n1-1/">n1-1</a>' in page and ">n1-2</a>" not in page


@pytest.mark.long
def test_files_are_made_when_something_has_changed_and_taken_away_with_the_tournament(tmp_path):
    def shelved(*views):
        made = Folder(tmp_path)
        index.write(made, [one.tournament for one in views], {}, AROUND, {})
        return made.written.files, sorted(p.name for p in (tmp_path / "tournaments").iterdir())

    number, names = shelved(view())
    assert number == 4 and names == ["index.html", "north"]
    assert shelved(view()) == (0, names)
    after = view(None, "running", "Table 2.1 is held")
    assert shelved(after)[0] == 2  # its page, and what is remembered
    assert shelved()[1] == ["index.html"]


@pytest.mark.long
def test_a_tournament_whose_pages_fail_keeps_its_old_ones_and_is_tried_when_it_changes(
    tmp_path, monkeypatch
):
    spoilt = {}

    def shelved(seen):
        _, failed = index.write(Folder(tmp_path), (seen.tournament,), {}, AROUND, spoilt)
        return failed

    def fails(*given, **more):
        raise RuntimeError("a fault")

    assert shelved(view()) == []
    before = (tmp_path / "tournaments/north/index.html").read_bytes()
    monkeypatch.setattr(index, "tournament_page", fails)
    changed = view(None, "running", "else")
    assert shelved(changed) == ["north"] and shelved(changed) == []
    assert (tmp_path / "tournaments/north/index.html").read_bytes() == before
    monkeypatch.undo()
    assert shelved(view(None, "running", "else", "again")) == []
    assert b"again" in (tmp_path / "tournaments/north/index.html").read_bytes()


def shelved_tournaments():
    """A tournament that is over; its last board is the shelf's game `over`."""
    tournament = view(status="ended").tournament
    [first, *rest] = tournament.seatings
    tables = (replace(first.tables[0], game="over"), *first.tables[1:])
    return [replace(tournament, seatings=(replace(first, tables=tables), *rest))]


def test_the_publisher_writes_tournaments_beside_games(stand, monkeypatch):
    monkeypatch.setattr(index, "report_pdf", lambda seen, own: seen.name.encode())
    site = Site(stand.folder, BASE, "Waybill", SECRET)
    publishing = Publishing(stand.store, site, tournaments=shelved_tournaments)
    publishing.run()
    assert publishing.failed == []
    door = (stand.folder / "index.html").read_text()
    assert 'href="tournaments/north/index.html"' in door
    page = (stand.folder / "tournaments/north/index.html").read_text()
    assert '<a href="../../games/over/">over</a>' in page and "report.pdf" in page
    assert (stand.folder / "tournaments/north/report.pdf").read_bytes() == b"north"
    assert publishing.run().files == 0


@pytest.mark.long
def test_a_site_without_tournaments_names_none(stand):
    stand.publishing().run()
    index = (stand.folder / "index.html").read_text()
    assert "tournaments/" not in index


@pytest.mark.long
def test_the_report_is_a_tagged_pdf():
    found = PdfReader(io.BytesIO(report_pdf(view())))
    text = " ".join(" ".join(page.extract_text().split()) for page in found.pages)
    assert found.trailer["/Root"]["/MarkInfo"]["/Marked"]
    assert "Standings" in text and "a share was forgotten" in text and "1.1" in text
    assert "dan@example.org" not in text


@pytest.mark.long
@pytest.mark.chromium
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_are_accessible_and_fit_a_phone(folder, tmp_path, scheme):
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    need(program is not None, "Chromium (apt install chromium)")
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import sync_playwright

    written(folder)
    Folder(tmp_path).write(STYLE, file_of(STYLE, None))
    addresses = [folder.path / name for name in PAGES]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        context = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme=scheme)
        for address in addresses:
            page = context.new_page()
            page.goto(address.as_uri(), wait_until="load")
            page.evaluate(
                "document.querySelectorAll('details').forEach(one => { one.open = true })"
            )
            result = Axe().run(page)
            told = [
                f"{address.name} {one['id']}: {[node['html'][:150] for node in one['nodes'][:3]]}"
                for one in result.response["violations"]
            ]
            assert told == [] and len(result.response["passes"]) > 10
            assert page.evaluate("document.documentElement.scrollWidth") <= 390
        browser.close()
