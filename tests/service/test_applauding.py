"""`applaud Bob`: who reads it, in which email, and where it may be written."""

import pytest

from service.desk.talk import applauding
from service.games.game_status import WAS_CANCELED
from service.said import DOES_NOT_PLAY
from tests.service.players import ADDRESS, GAME, address, flat, one, says, to, unsaid

DAY = 86_400


def applause(players):
    """For whom applause waits, with its text."""
    return [(one.seat, one.text) for one in players.table().jottings if one.kind == "news"]


def waits(writer, reader):
    return [(reader, applauding.APPLAUDS.format(name=writer))]


def test_it_waits_for_the_reader_s_next_turn_email_and_is_told_once(players):
    letters = players.write("Cat", "applaud Bob")
    assert [(letter.to, letter.kind) for letter in letters] == [(address("Cat"), "receipt")]
    assert says(letters[0], applauding.IN_THE_NEXT, name="Bob")
    assert applause(players) == waits("Cat", "Bob")
    letters = players.write("Ann", "buy TR")
    assert says(one(letters, "Bob", "turn"), applauding.APPLAUDS, name="Cat")
    assert all("applauds" not in letter.text for letter in letters if "bob" not in letter.to)
    assert applause(players) == []
    letters = players.write("Ann", "say: well?")
    assert unsaid(one(letters, "Bob", "news"), applauding.APPLAUDS)


@pytest.mark.parametrize(
    "lines", [("applaud Bob", "buy TR"), ("buy TR", "applaud bob!"), ("buy TR; applaud B",)]
)
def test_beside_moves_the_turn_email_that_they_bring_about_tells_it(players, lines):
    letters = players.write("Ann", *lines)
    assert players.texts() == ["buy TR"]
    assert to(letters, "Bob") == ["turn"]
    assert says(one(letters, "Bob", "turn"), applauding.APPLAUDS, name="Ann")
    assert applause(players) == []


def test_it_is_done_though_a_move_beside_it_is_refused(players):
    letters = players.write("Ann", "buy NDY", "applaud Bob")
    assert players.texts() == [] and to(letters, "Bob") == []
    assert applause(players) == waits("Ann", "Bob")


def test_news_and_digests_tell_it_and_none_is_sent_for_it(players):
    players.write("Cat", "digest daily 07:00")
    players.write("Ann", "applaud Cat", "applaud Bob")
    players.now += DAY
    assert players.remind() == []
    letters = players.write("Ann", "say: hello")
    assert says(one(letters, "Bob", "news"), applauding.APPLAUDS, name="Ann")
    assert to(letters, "Cat") == []
    players.now += DAY
    assert says(one(players.remind(), "Cat", "digest"), applauding.APPLAUDS, name="Ann")
    assert applause(players) == []


def test_what_waits_already_is_not_kept_twice(players):
    players.write("Ann", "applaud Bob")
    letters = players.write("Ann", "applaud Bob", "applaud Bob")
    assert says(one(letters, "Ann"), applauding.WAITS_ALREADY, name="Bob")
    assert applause(players) == waits("Ann", "Bob")
    players.write("Cat", "applaud Bob")
    assert applause(players) == [*waits("Ann", "Bob"), *waits("Cat", "Bob")]


def test_after_the_end_the_next_news_tell_it(players):
    for name, line in (("Ann", "propose end"), ("Bob", "vote yes"), ("Cat", "vote yes")):
        players.write(name, line)
    assert players.table().row.status == "ended"
    assert to(players.write("Ann", "applaud Bob"), "Bob") == []
    letters = players.write("Cat", "say: thanks")
    assert says(one(letters, "Bob", "news"), applauding.APPLAUDS, name="Ann")


@pytest.mark.parametrize("line", ["applaud Eve", "applaud", f"applaud {ADDRESS}"])
def test_for_somebody_who_does_not_play_it_is_refused(players, line):
    letters = players.write("Ann", line)
    assert says(one(letters, "Ann"), DOES_NOT_PLAY)
    assert all(name in flat(letters[0]) for name in ("Ann", "Bob", "Cat"))
    assert len(letters) == 1 and applause(players) == []


def test_for_oneself_it_is_refused(players):
    [letter] = players.write("Ann", "applaud Ann")
    assert says(letter, applauding.NOT_YOURSELF)
    assert says(letter, applauding.NAME_ANOTHER_PLAYER, names="Bob, Cat")
    assert applause(players) == []


def test_in_a_game_that_was_called_off_it_is_refused(newcomers):
    created = newcomers.gather()
    newcomers.reply(created, f"cancel {GAME}")
    assert newcomers.table().row.status == "abandoned"
    assert says(one(newcomers.write("Bob", "applaud Cat"), "Bob"), WAS_CANCELED, game=GAME)
