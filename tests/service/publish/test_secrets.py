"""Nothing that is somebody's own is on any page: all bytes that are written are searched."""

import base64
import re

import pytest

from service.audience import EVERYBODY, OnlyFor, WrongReader, of_seat
from service.games.games import load
from service.games.shown import GamePlace
from service.publish import game_files
from service.publish.book import book_of
from service.publish.course import course
from service.publish.pages import fill
from service.publish.publishing import Publishing, Site
from service.publish.sheet import sheet
from tests.service.players import ADDRESS, GAME, NAMES, OPERATOR, SECRET, address

#: what players keep for themselves, as they write it
NOTE, DIARY, SAID, ORDER = (
    "my secret plan",
    "Ann overpays again",
    "hello all of you",
    "next: buy NDY",
)


def _opened(html):
    """A page with the pictures that it carries within it, as they are."""
    pictures = re.findall(r"data:image/svg\+xml;base64,([\w+/=]+)", html)
    return html.encode() + b"".join(map(base64.b64decode, pictures))


@pytest.fixture
def written(players, tmp_path, monkeypatch):
    """A game in which everybody keeps something back; makes its pages and gives all their bytes."""
    monkeypatch.setattr(game_files, "pdf", lambda html, own: _opened(html))
    players.write("Bob", f"note: {NOTE}", f"diary: {DIARY}", ORDER)
    players.write(
        "Cat", f"say: {SAID} {players.seat_address(GAME, 'Cat')}", "pass until round ends"
    )
    players.write("Ann", "bid M&C 105", f"diary: write to {address('Ann')}")
    players.write("Bob", "tell Cat: between us two")

    def make():
        folder = tmp_path / "site"
        site = Site(folder, "https://games.example.org/", "Waybill", SECRET)
        Publishing(players.store, site).run(anew=True)
        return b"\n".join(
            f.name.encode() + b"\n" + f.read_bytes() for f in folder.rglob("*") if f.is_file()
        )

    return make


def tokens(players):
    """All that speaks for somebody in the letters that were sent: tokens, addresses, Message-IDs."""
    found = set()
    for letter in players.letters:
        raw = letter.mail.as_bytes()
        found |= {one.lower() for one in re.findall(rb"\.([a-z2-7]{16})[@.]", raw)}
        found.add(letter.message_id.strip("<>").encode())
    return found


def end(players):
    """The game is over by everybody's leave."""
    with players.store.transaction() as tx:
        tx.games.set_status(tx.games.named(GAME).id, "ended", players.now)


def test_no_page_of_a_game_in_play_has_what_is_somebodys_own(players, written):
    everything = written()
    assert b"Bob" in everything and b"bid M&amp;C 105" not in everything
    for secret in (NOTE, DIARY, SAID, ORDER, "between us two", "pass until round ends"):
        assert secret.encode() not in everything, secret
    with players.store.transaction() as tx:
        orders = load(tx, GAME).orders
    assert orders
    for order in orders:
        assert order.salt.encode() not in everything and order.seal.encode() not in everything
    known = tokens(players)
    assert len(known) > 6
    for token in known:
        assert token not in everything
    for name in NAMES:
        assert address(name).encode() not in everything
    assert not any(one.encode() in everything for one in (ADDRESS, OPERATOR))
    assert b"@" not in re.sub(rb"@media|@font-face", b"", everything)


@pytest.mark.long
def test_orders_and_diaries_are_opened_when_the_game_is_over_and_notes_never(players, written):
    end(players)
    everything = written()
    assert DIARY.encode() in everything and ORDER.encode() in everything
    with players.store.transaction() as tx:
        orders = load(tx, GAME).orders
    for order in orders:
        assert order.salt.encode() in everything and order.seal.encode() in everything
    for secret in (NOTE, SAID, "between us two", address("Ann")):
        assert secret.encode() not in everything
    for token in tokens(players):
        assert token not in everything
    assert b"write to (address)" in everything
    assert b"@" not in re.sub(rb"@media|@font-face|@page|@bottom-center", b"", everything)


@pytest.mark.long
def test_no_book_is_made_of_a_game_in_play(players):
    with players.store.transaction() as tx:
        table, rows = load(tx, GAME), tx.log.actions(1)
        waiting = tx.games.waiting(table.row.id)
    found = sheet(GamePlace(GAME, True), table, course(table.title, rows), waiting)
    assert found.audience == EVERYBODY
    with pytest.raises(ValueError, match="not over"):
        book_of(found, rows, "")


def test_a_template_that_would_show_what_is_for_one_reader_makes_no_page(tmp_path):
    (tmp_path / "page").mkdir()
    (tmp_path / "page" / "index.html.j2").write_text("{{ own }}")
    assert (
        fill("index.html.j2", tmp_path, {"own": OnlyFor(EVERYBODY, "open to all")}) == "open to all"
    )
    with pytest.raises(WrongReader):
        fill("index.html.j2", tmp_path, {"own": OnlyFor(of_seat(GAME, "Bob"), "Bob's")})


@pytest.mark.long
def test_the_log_of_a_game_begun_by_lot_can_be_played_again(players, written):
    from service.workshop.practice.script import read, run

    text = written().decode()
    log = re.search(r"^title 18AL\n(?:.+\n)*\n(?:\w+: .*\n)*", text, re.MULTILINE)
    assert log is not None and "seed " in log[0]
    played = run(read(log[0]))
    assert played.final.seats == players.state.seats and played.final.number == players.state.number
    assert played.final.cash == players.state.cash
