"""The pages in a real browser: accessible in light and dark, narrow enough for a phone, alone."""

import shutil

import pytest

from tests.need import need

pytestmark = [pytest.mark.chromium, pytest.mark.long]
PHONE = {"width": 390, "height": 844}
#: the sizes of the pages' text and controls are judged, not the company colours of charts in pictures
PAGES = ["index.html", "games/over/index.html", "games/over/book.html", "games/mid/index.html"]


@pytest.fixture(scope="module")
def browser():
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    need(program is not None, "Chromium (apt install chromium)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def visit(browser, site):
    """Opens a page on a phone; notes what it loads and what goes wrong."""
    contexts = []

    def opened(page, scheme="light", script=True):
        context = browser.new_context(
            viewport=PHONE, color_scheme=scheme, java_script_enabled=script
        )
        contexts.append(context)
        found = context.new_page()
        found.loaded, found.faults = [], []
        found.on("request", lambda request: found.loaded.append(request.url))
        found.on("pageerror", lambda fault: found.faults.append(str(fault)))
        found.on(
            "console", lambda said: found.faults.append(said.text) if said.type == "error" else None
        )
        found.goto((site / page).as_uri(), wait_until="load")
        return found

    yield opened
    for context in contexts:
        context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("page", PAGES)
def test_pages_are_accessible_and_legible(visit, page, scheme):
    from axe_playwright_python.sync_playwright import Axe

    found = visit(page, scheme)
    found.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
    result = Axe().run(found)
    told = [
        f"{one['id']}: {one['help']}: {[node['html'][:200] for node in one['nodes'][:3]]}"
        for one in result.response["violations"]
    ]
    assert told == [] and len(result.response["passes"]) > 15
    assert "color-contrast" in {one["id"] for one in result.response["passes"]}


def test_the_checker_would_find_a_fault(visit):
    from axe_playwright_python.sync_playwright import Axe

    found = visit("index.html")
    found.evaluate(
        "document.body.innerHTML += '<p style=\"color:#eee;background:#fff\">hard to read</p><img src=x>'"
    )
    faults = {one["id"] for one in Axe().run(found).response["violations"]}
    assert {"color-contrast", "image-alt"} <= faults


@pytest.mark.parametrize("page", PAGES)
def test_pages_fit_a_phone_and_load_nothing_from_elsewhere(visit, site, page):
    found = visit(page)
    assert found.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert found.loaded and all(url.startswith((site.as_uri(), "data:")) for url in found.loaded)
    assert found.faults == []


@pytest.mark.parametrize("page", PAGES)
def test_lines_of_plots_are_seen_in_light_and_dark(visit, page):
    """Of what is drawn all stands out by 3 to 1 (WCAG 1.4.11), and differs by dash and mark too."""
    if page == "index.html":
        return
    grounds = {}
    for scheme in ("light", "dark"):
        found = visit(page, scheme)
        colours = found.evaluate(
            "[...document.querySelectorAll('.plot polyline')].map(l => getComputedStyle(l).stroke)"
        )
        ground = found.evaluate("getComputedStyle(document.body).backgroundColor")
        grounds[scheme] = ground
        assert len(colours) > 5
        assert all(contrast(colour, ground) >= 3 for colour in colours)
    assert grounds["light"] != grounds["dark"]


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def luminance(colour):
    parts = [int(part) / 255 for part in colour.removeprefix("rgb(").rstrip(")").split(",")]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_the_slider_shows_the_maps_of_the_past_and_loads_them_only_then(visit):
    found = visit("games/over/index.html")
    before = [url for url in found.loaded if "map-" in url]
    assert len(before) == 1
    slider = found.get_by_label("Go through the game’s maps")
    slider.focus()
    found.keyboard.press("Home")
    first = found.locator("#maps a").first
    assert (
        found.locator("#board-picture").get_attribute("src").endswith(first.get_attribute("href"))
    )
    assert found.locator("#board-caption").text_content() == f"Map {first.text_content()}"
    assert slider.get_attribute("aria-valuetext") == first.text_content()
    assert found.locator("#board-picture").get_attribute("alt") == f"Map {first.text_content()}."
    found.wait_for_function("document.getElementById('board-picture').complete")
    assert len({url for url in found.loaded if "map-" in url}) == 2
    found.keyboard.press("End")
    assert slider.get_attribute("aria-valuetext") == "now"
    assert found.locator("#board-picture").get_attribute("src") == before[0]


def test_without_script_there_is_no_slider_and_every_map_is_a_link(visit):
    found = visit("games/over/index.html", script=False)
    assert not found.locator("#slider").is_visible()
    found.get_by_text("The map after each round").click()
    links = found.locator("#maps a")
    assert links.count() > 10 and links.first.is_visible()
    links.first.click()
    assert found.url.endswith(".svg")


def test_pictures_are_drawn_in_their_own_letters(visit):
    found = visit("games/over/index.html")
    source = found.locator("#board-picture").evaluate("one => one.src")
    found.goto(source)
    assert found.evaluate("document.fonts.ready.then(() => [...document.fonts].map(f => f.status))")
    assert found.evaluate("document.fonts.check('700 12px Roboto')")
