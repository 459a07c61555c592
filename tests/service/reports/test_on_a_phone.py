"""Tables of emails in a real browser as narrow as a phone: long texts wrap, nothing is cut off."""

import shutil

import pytest

from service.audience import EVERYBODY
from service.games.seals import Kept, orders_block
from service.reports import Answer
from service.reports.letters import answer_page
from service.reports.scene import About
from service.reports.tables import Column, Grid, Pairs, Row
from service.store.order_rows import OrderRow
from tests.need import need

pytestmark = [pytest.mark.chromium, pytest.mark.long]
WIDTH = 390
LONG = "when phase 3 and L&N operates and not Bob owns 3 of M&O: " * 5
SEAL = "0123456789abcdef" * 4
#: the right edges of all cells and of their words
EDGES = """() => [...document.querySelectorAll("td, th, strong, code, p")]
    .map(one => [Math.ceil(one.getBoundingClientRect().right), one.textContent.slice(0, 60)])"""


@pytest.fixture(scope="module")
def phone():
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    need(program is not None, "Chromium (apt install chromium)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield found.new_page(viewport={"width": WIDTH, "height": 844})
        found.close()


def order():
    return OrderRow(
        id=1,
        game_id=1,
        occasion_id=1,
        at=0,
        seat="Bob",
        number=1,
        given=12,
        round_kind="OR",
        round_number=1,
        round_part=1,
        text=LONG.strip(),
        salt=SEAL,
        seal=SEAL,
        step=0,
        status="done",
        reason="",
    )


@pytest.mark.parametrize(
    "block",
    [
        orders_block(Kept(((12, SEAL),), (order(),)))[0],
        orders_block(Kept(((12, SEAL),)))[0],
        Pairs("ROWS", (Row("bid", (f"`{LONG}`", LONG)), Row("x" * 200, ("y" * 200,)))),
        Grid("GRID", (Column("company", name=True), Column("cash", True)), ((LONG, "$1234"),)),
    ],
    ids=["orders", "seals", "pairs", "grid"],
)
def test_a_table_fits_a_phone(phone, block):
    page = answer_page(EVERYBODY, "orders", "Orders.", Answer((block,)), About(templates=None))
    phone.set_content(page.html)
    assert [edge for edge in phone.evaluate(EDGES) if edge[0] > WIDTH] == []
