"""Games created with own facts from the moderator's folder, and what their players are told."""

from email import message_from_bytes
from email.policy import default

import pytest

import engine
from service.app.wiring import service_of
from service.audience import OnlyFor, of_organiser, of_seat, of_table
from service.desk.lobby import lobby, requests
from service.desk.moderator import Moderator
from service.desk.service import Service
from service.desk.vocabulary.table import VOCABULARY
from service.games import overlays
from service.games.games import load
from service.games.overlays import UnusableOverlay, find_title, overlay_names, read_options
from service.refusal import Refused
from service.reports import Scene, Since, created_page, news_page
from service.reports.letters import joined_page, opening_blocks, welcome_page
from service.settings import PlaySection, Settings
from service.store import Arrived, Store
from tests.service.players import says

CLUB = 'title = "18AL"\nname = "Club printing"\nprovenance = { hex = "our board" }\n'
NOW = 1_800_000_000
FOOT = "With your group's own facts: Club printing (hex: our board)"


@pytest.fixture
def folder(tmp_path):
    found = tmp_path / "overlays"
    found.mkdir()
    (found / "Club.toml").write_text(CLUB + "[hex]\nG4 = { cost = 40 }\n", encoding="utf-8")
    (found / "wrong.toml").write_text(CLUB + "[hex]\nG4 = { cost = -4 }\n", encoding="utf-8")
    (found / "typo.toml").write_text(CLUB + "bnak = 3\n", encoding="utf-8")
    (found / "not an overlay.toml").write_text("")
    return found


@pytest.fixture
def store(tmp_path):
    found = Store(f"sqlite:///{tmp_path / 'lobby.sqlite'}")
    found.upgrade()
    yield found
    found.close()


def create(store, line, folder):
    found = requests.CREATE.fullmatch(line)
    service = Service(
        "play@example.org", "Waybill", b"a secret", overlays=folder, commands=VOCABULARY
    )
    with store.transaction() as tx:
        proposed = lobby.proposed(tx, service, found, "ann@example.net", 0)
        return lobby.create(tx, proposed, 0)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("two-yellow, tie-break", (("two-yellow", "tie-break"), "")),
        ("two-yellow, overlay Club", (("two-yellow",), "Club")),
        ("overlay Club with two-yellow", (("two-yellow",), "Club")),
        ("overlay club and two-yellow", (("two-yellow",), "club")),
        ("", ((), "")),
    ],
)
def test_options_are_rules_and_an_overlay(text, read):
    assert read_options(text) == read


@pytest.mark.parametrize(
    ("line", "rules"),
    [
        ("create 18AL dixie7 with overlay club", set()),
        ("create 18AL dixie7 overlay Club", set()),
        ("create 18AL dixie7, overlay CLUB", set()),
        ("create 18AL dixie7 with two-yellow, overlay Club", {"two-yellow"}),
    ],
)
def test_a_game_keeps_the_overlay_it_was_created_with(store, folder, line, rules):
    created = create(store, line, folder)
    (folder / "Club.toml").unlink()
    with store.transaction() as tx:
        title = load(tx, "dixie7").title
    assert created.row.name == "dixie7"
    assert title.facts == created.title.facts
    assert (title.hexes["G4"].cost, title.variants) == (40, rules)


def test_a_game_without_an_overlay_needs_no_folder(store):
    assert create(store, "create 18AL dixie7 with two-yellow", None).title.overlay == ""


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("clup", overlays.NO_OVERLAY.format(name="clup", names="Club, typo, wrong")),
        ("../overlays/Club", lobby.NO_SUCH_THING),
        (
            "wrong",
            overlays.CANNOT_BE_USED.format(name="wrong", faults="hex G4: its cost is negative"),
        ),
        (
            "typo",
            overlays.CANNOT_BE_USED.format(
                name="typo", faults="bnak: unknown key; did you mean bank?"
            ),
        ),
    ],
)
def test_an_overlay_that_cannot_be_is_refused_and_no_game_made(store, folder, name, said):
    with pytest.raises(Refused) as refused:
        create(store, f"create 18AL dixie7 with overlay {name}", folder)
    assert says(str(refused.value).casefold(), said.casefold())
    with store.transaction() as tx:
        assert tx.games.named("dixie7") is None


def test_without_a_folder_there_are_no_overlays(tmp_path):
    assert overlay_names(None) == overlay_names(tmp_path / "nowhere") == ()
    with pytest.raises(LookupError) as missing:
        find_title("18AL", (), "Club", None)
    assert says(missing.value.args[0], overlays.NO_OVERLAYS, name="Club")


def test_an_overlay_that_is_no_text_is_refused(folder):
    (folder / "binary.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(UnusableOverlay) as wrong:
        find_title("18AL", (), "binary", folder)
    assert says(wrong.value, overlays.CANNOT_BE_USED, name="binary")


def test_every_mail_names_the_overlay(folder):
    title = find_title("18AL", (), "club", folder)
    scene = Scene("dixie7", title, engine.new_game(title, ["Ann", "Bob", "Cat"]).state)
    ann = of_seat("dixie7", "Ann")
    pages = (
        created_page(of_organiser("dixie7"), title, "play@example.org", templates=None),
        joined_page(ann, title, OnlyFor(ann, "play@example.org"), templates=None),
        welcome_page(
            ann, title, OnlyFor(ann, "play@example.org"), opening_blocks(title), templates=None
        ),
        news_page(of_table("dixie7"), scene, Since()),
    )
    for page in pages:
        assert FOOT in page.text
        assert FOOT in page.html
    for page in (pages[0], pages[2]):
        assert f"own facts {title.overlay}" in " ".join(page.text.split())


def test_a_mail_creates_a_game_with_an_overlay_of_the_house(store, folder):
    service = Service(
        "play@example.org",
        "Waybill",
        b"a secret of the tests",
        overlays=folder,
        commands=VOCABULARY,
    )
    raw = (
        "From: ann@example.net\nTo: play@example.org\nSubject: a game\nMessage-ID: <1@example.net>\n"
        "\ncreate 18AL dixie7 with tie-break, overlay Club\n"
    )
    store.mails.keep(
        Arrived("inbox", 1, 1, raw.encode(), NOW, "<1@example.net>", "ann@example.net", ""), NOW
    )
    row = store.mails.claim("a test", NOW, 300)
    Moderator(store, service, NOW).handle(row)
    [letter] = store.letters.claim("a test", NOW, 600, 10)
    answer = message_from_bytes(letter.raw, policy=default).get_body(("plain",)).get_content()
    assert "Club printing (hex: our board)" in answer
    assert "tie-break" in answer
    with store.transaction() as tx:
        assert load(tx, "dixie7").title.hexes["G4"].cost == 40


def test_the_folder_is_a_setting(tmp_path):
    secret = {"mail": {"address": "play@example.org", "secret": "sixteen characters"}}
    service = service_of(Settings(**secret, play=PlaySection(overlays=str(tmp_path))))
    assert service.overlays == tmp_path
    assert service_of(Settings(**secret)).overlays is None
