"""Who may see a game's page: the organiser's choice, and what players and strangers are told."""

from html.parser import HTMLParser

import html5lib
import pytest
from msgspec import json, structs

from service.desk.options import page_options
from service.desk.questions import queries
from service.games import game_status
from service.games.games import load
from service.games.shown import IS_PRIVATE, IS_UNLISTED, unlisted
from service.publish.alone import page_alone
from service.reports.rendering import FILE_LIMIT, MAIL_LIMIT
from service.store import Store
from service.workshop.demo.shelf import shelve
from service.workshop.practice.script import recorded_game
from tests.service.empty import with_tables
from tests.service.players import GAME, SECRET, address, flat, one, says, unsaid

PAGES = "https://games.example.org/18xx/"


@pytest.fixture
def shown(players):
    """A game at a house that publishes pages."""
    from dataclasses import replace

    players.service = replace(players.service, pages=PAGES)
    players.office.service = players.service
    return players


def organiser(players, *lines):
    to = players.seat_address(GAME, "organiser")
    return players.send(players.mail(address("Ann"), to, *lines))


def files(letter):
    return {part.get_filename(): part for part in letter.mail.iter_attachments()}


def test_a_player_is_told_the_address_of_an_unlisted_page_and_strangers_never(shown):
    receipt = one(shown.write("Bob", "page"), "Bob")
    assert f"{PAGES}games/{GAME}-" in flat(receipt)
    assert says(receipt, page_options.UNLISTED)
    assert not files(receipt)
    asked = shown.stranger("who@else.test", f"page {GAME}")
    assert all(PAGES not in letter.text for letter in asked)


def test_clock_has_the_address_of_the_player_s_own_calendar_where_there_is_one(shown):
    organiser(shown, "pages public")
    told = flat(one(shown.write("Bob", "clock"), "Bob"))
    assert ".ics" not in told, "a game without a clock has no deadlines"
    settings = shown.table().settings
    with shown.store.transaction() as tx:
        clocked = structs.replace(settings, clock="each 48h")
        tx.games.set_settings(shown.table().row.id, json.encode(clocked))
    told = flat(one(shown.write("Bob", "clock"), "Bob"))
    number = shown.table().state.seats.index("Bob") + 1
    assert f"{PAGES}games/{GAME}/deadlines-{number}.ics" in told
    assert f"{PAGES}games/{GAME}/deadlines.ics" in told


def test_the_organiser_chooses_before_and_after_the_start(shown):
    letters = organiser(shown, "pages public")
    done = one(letters, "Ann")
    assert "DONE" in done.text and says(done, page_options.PUBLIC)
    for name in ("Bob", "Cat"):  # who may be seen is told
        assert says(one(letters, name, "option-pages"), page_options.PUBLIC)
    assert shown.table().settings.shown == "public"
    assert f"{PAGES}games/{GAME}/" in flat(one(shown.write("Bob", "page"), "Bob"))
    assert [letter.to for letter in organiser(shown, "pages public")] == [address("Ann")]


def test_a_choice_that_is_none_is_refused_with_those_there_are(shown):
    [refused] = organiser(shown, "pages secret")
    assert "NOT DONE" in refused.text and says(refused, page_options.HOW_TO_PAGE_NEW)
    [refused] = organiser(shown, "pages")
    assert says(refused, page_options.HOW_TO_PAGE_NEW)
    assert shown.table().settings.shown == "unlisted"


def test_an_unlisted_game_gets_another_address(shown):
    before = flat(one(shown.write("Bob", "page"), "Bob"))
    organiser(shown, "pages new")
    after = flat(one(shown.write("Bob", "page"), "Bob"))
    assert PAGES in after and before != after
    organiser(shown, "pages public")
    [refused] = organiser(shown, "pages new")
    assert "NOT DONE" in refused.text
    assert says(refused, page_options.HOW_TO_PAGE, shown="public")


def test_no_player_chooses_in_a_mail_of_the_game(shown):
    letters = shown.write("Bob", "pages public")
    assert says(one(letters, "Bob"), queries.ORGANISER_CHOOSES)
    assert shown.table().settings.shown == "unlisted"


def test_a_private_page_comes_by_mail_as_one_file(shown):
    organiser(shown, "pages private")
    receipt = one(shown.write("Bob", "page"), "Bob")
    [name] = files(receipt)
    html = files(receipt)[name].get_content()
    assert name == f"{GAME}.html" and PAGES not in receipt.text
    parser = Named()
    parser.feed(html)
    assert all(link.startswith("#") for link in parser.links) and "<svg" in html
    assert len(receipt.mail.as_bytes()) < MAIL_LIMIT


class Named(HTMLParser):
    def __init__(self):
        super().__init__()
        self.links = []

    def handle_starttag(self, tag, attributes):
        self.links += [value for name, value in attributes if name in ("href", "src")]


def test_a_page_comes_by_mail_where_the_house_shows_none(players):
    assert f"{GAME}.html" in files(one(players.write("Bob", "page"), "Bob"))


def test_strangers_are_told_nothing_of_a_private_game(shown):
    organiser(shown, "pages public")
    [told] = shown.stranger("who@else.test", f"status {GAME}")
    assert "Ann" in told.text
    organiser(shown, "pages private")
    for word in ("status", "map", "market", "history"):
        [told] = shown.stranger(f"{word}@else.test", f"{word} {GAME}")
        assert says(told, IS_PRIVATE, game=GAME) and "Ann" not in told.text
    for number, line in enumerate(("games", "hello")):
        [told] = shown.stranger(f"who{number}@other.test", line)
        assert GAME not in told.text


def test_strangers_are_told_of_an_unlisted_game_only_by_the_address_of_its_page(shown):
    key = unlisted(shown.table().row, shown.table().settings, SECRET)
    for word in ("status", "map", "market", "history"):
        [told] = shown.stranger(f"{word}@else.test", f"{word} {GAME}")
        assert says(told, IS_UNLISTED, game=GAME)
        assert "Ann" not in told.text and key not in told.text
    for number, line in enumerate(("games", "hello")):
        [told] = shown.stranger(f"who{number}@other.test", line)
        assert GAME not in told.text
    [told] = shown.stranger("friend@third.test", f"status {key}")
    assert "Ann" in told.text
    organiser(shown, "pages new")
    [told] = shown.stranger("late@fourth.test", f"status {key}")
    assert "Ann" not in told.text


def test_a_player_is_told_of_their_own_games_wherever_they_ask_and_of_no_other(shown):
    shown.stranger("zoe@else.test", "create 18AL hidden")
    organiser_of = "zoe@else.test"
    [told] = shown.stranger(organiser_of, "games")
    assert "hidden" in told.text and GAME not in told.text
    assert GAME in one(shown.write("Bob", "games"), "Bob").text


def test_a_game_that_waits_for_players_is_found_unless_it_is_private(shown):
    [created] = shown.stranger("zoe@else.test", "create 18AL waits")
    [told] = shown.stranger("eve@a.test", "status waits")
    assert says(told, game_status.HAS_JOINED, game="waits")
    assert "waits" in shown.stranger("eve@b.test", "games")[0].text
    shown.reply(created, "pages private")
    [told] = shown.stranger("eve@c.test", "status waits")
    assert says(told, IS_PRIVATE, game="waits")
    assert unsaid(told, game_status.HAS_JOINED, game="waits")
    [told] = shown.stranger("eve@d.test", "games")
    assert says(told, queries.NO_GAMES)
    assert unsaid(told, queries.LISTED_GAME, game="waits")


@pytest.mark.long
@pytest.mark.parametrize("title", ["18mw", "18gl"])
def test_the_page_of_a_large_game_fits_a_letter(tmp_path, title):
    url = f"sqlite:///{tmp_path}/games.sqlite"
    with_tables(url)
    store = Store(url)
    shelve(store, "large", recorded_game(title), 450, ("private", 1_790_000_000))
    with store.transaction() as tx:
        table = load(tx, "large")
        rows, waiting = tx.log.actions(table.row.id), tx.games.waiting(table.row.id)
    store.close()
    page = page_alone(table, rows, waiting, FILE_LIMIT)
    assert len(page) <= FILE_LIMIT and b'<h2 id="log">' in page
    html5lib.HTMLParser(strict=True).parse(page.decode())
