"""Emails to people who have agreed to nothing, as a forger has them sent: no words of the forger's.

Names of games, tournaments and players are in them, within bounds; nothing else that somebody wrote.
"""

from dataclasses import replace

import pytest

from engine.corrections import CashMoved
from engine.events import Corrected
from engine.position.values import BANK
from engine.telling.narration import narrate
from service.desk.seats import standbys
from service.desk.tournament.entries.withdrawing import NOT_CONFIRMED_YET
from tests.service.players import ADDRESS, GAME, TITLE, address, flat, says, unsaid
from tests.service.signatures import Keys, signed
from tests.service.tournament.setting import FORM, PlayedTournament

VICTIM = "victim@elsewhere.test"
LURE = "lure.example"
WORDS = f"Free money for you at https://{LURE} today"


def bait(newcomers, *more):
    """A tournament whose director is a stranger and has put words wherever words can be."""
    spring = PlayedTournament(newcomers)
    spring.announce(*FORM, f"announcement: {WORDS}", f"prizes: {WORDS}", *more)
    return spring


def clean(letters):
    """The letters to the victim, of which there are some, say nothing of the forger's."""
    own = [one for one in letters if one.to == VICTIM]
    assert own, "the victim got no email, so nothing is tested"
    for one in own:
        assert LURE not in one.mail.as_string() and LURE not in flat(one), one.subject
        assert not one.html or LURE not in one.html
    return own


@pytest.mark.parametrize("word", ["enter", "standby"])
def test_who_is_asked_whether_to_enter_reads_no_announcement_before_the_yes(newcomers, word):
    spring = bait(newcomers)
    [asked] = clean(spring.ask("Bob", word=word, sender=VICTIM))
    [told] = spring.people.reply(asked, "yes")
    assert f"https://{LURE}" in flat(told), "who has entered reads what the director announces"


@pytest.mark.parametrize("line", ["tournament spring", "tournament", "standings spring"])
def test_an_answer_to_a_forged_question_has_no_words_of_the_director(newcomers, line):
    bait(newcomers)
    clean(newcomers.stranger(VICTIM, line))


def test_reasons_and_proposals_of_a_running_tournament_go_to_those_who_are_known(begun):
    begun.direct(f"propose\nannouncement: {WORDS}")
    begun.direct(f"hold because {WORDS}")
    for line in ("tournament spring", "standings spring"):
        clean(begun.people.stranger(VICTIM, line))
    assert LURE in flat(begun.write("Ann", "tournament")[0])


@pytest.mark.long
@pytest.mark.parametrize(
    "line",
    [
        "tournaments",
        "enter spring",
        f"enter spring as Bob, https://{LURE}",
        f"enter spring as https://{LURE}",
        f"enter {LURE} as Bob",
        f"tournament new {LURE}",
        f"withdraw {LURE}",
        f"create 18AL {LURE}",
        f"create {LURE} dixie",
        f"create 18AL dixie with {LURE}",
        f"create 18AL dixie overlay {LURE}",
        f"create 18AL dixie clock=daily 20:00 {LURE}",
        f"join {LURE} as Bob",
        f"standby {LURE}",
        f"watch {LURE}",
        WORDS,
    ],
)
def test_no_word_and_no_subject_of_a_forged_mail_is_sent_back(newcomers, line):
    bait(newcomers)
    clean(newcomers.stranger(VICTIM, line, subject=WORDS))


def test_no_word_of_a_question_about_tournaments_beside_one_about_games_is_sent_back(newcomers):
    bait(newcomers)
    lines = ("games", "tournament spring", f"standings {LURE}")
    clean(newcomers.stranger(VICTIM, *lines, subject=WORDS))


@pytest.mark.parametrize("name", ["a.lure.example", "lure.example", "t.co", "www.lure"])
def test_no_name_of_a_player_is_an_address_of_the_web(newcomers, name):
    newcomers.stranger(address("Ann"), "create 18AL dixie7")
    [told] = newcomers.stranger(VICTIM, f"join dixie7 as {name}")
    assert told.subject.endswith("NOT DONE")


def test_an_entry_that_nobody_has_confirmed_is_not_the_director_s_to_write_to(newcomers):
    spring = bait(newcomers)
    spring.ask("Bob", sender=VICTIM)
    for line in ("exclude Bob", "withdraw Bob"):
        letters = spring.direct(f"{line} because {WORDS}")
        assert [one.to for one in letters] == [spring.director]
        assert says(spring.receipt(letters), NOT_CONFIRMED_YET, name="Bob")
    spring.direct("admit Bob")
    [entry] = spring.tournament.entries
    assert entry.state == "asked", "nobody is let in who has not said yes"


def test_an_unconfirmed_entry_hides_nobody_of_that_name_from_the_director(newcomers):
    spring = bait(newcomers)
    spring.ask("Bob", sender=VICTIM)
    spring.enter("Bob")
    spring.direct("exclude Bob because of what was written in June")
    assert [(e.state, e.addresses[0]) for e in spring.tournament.entries] == [
        ("asked", VICTIM),
        ("excluded", address("Bob")),
    ]


def test_who_joins_is_told_of_nobody_who_may_have_set_the_game_up(newcomers):
    newcomers.stranger(f"{LURE}@{LURE}", "create 18AL dixie7")
    clean(newcomers.stranger(VICTIM, "join dixie7 as Bob"))


def test_whom_an_organiser_names_for_a_seat_is_told_no_reason(players):
    letters = players.write("Ann", f"replace Bob by {VICTIM} because of {WORDS}")
    [asked] = clean(letters)
    assert says(asked.subject, standbys.OFFER_SUBJECT, game=GAME, name="Bob")
    assert unsaid(asked, standbys.WHY_FREE)


def test_a_standby_who_has_agreed_is_told_why_a_seat_is_free(players):
    [asked] = players.stranger(VICTIM, f"standby {GAME}")
    players.reply(asked, "yes")
    letters = players.write("Ann", "replace Bob because Bob is ill")
    [offer] = [one for one in letters if one.to == VICTIM]
    assert says(offer, standbys.WHY_FREE, why="Bob is ill")


def test_the_reason_of_a_correction_is_not_told_to_strangers(players):
    [created] = [one for one in players.letters if one.kind == "created"]
    players.reply(created, "pages public")
    letters = players.reply(created, f"correct cash Ann +20 because of {WORDS}")
    [shown] = [one for one in letters if one.to == created.to]
    letters = players.reply(shown, "go")
    assert says(letters[0], WORDS), "the players read it"
    [told] = clean(players.stranger(VICTIM, f"history {GAME}"))
    given = CashMoved(giver=BANK, taker="Ann", dollars=20)
    assert says(told, narrate(TITLE, Corrected(given)))


def test_a_mail_to_somebody_else_s_seat_is_answered_without_its_subject(players):
    letters = players.write("Bob", "buy NDY", sender=VICTIM, subject=WORDS)
    clean(letters)


def test_a_signed_email_about_a_tournament_is_answered_though_others_used_its_address_up(newcomers):
    bait(newcomers)
    newcomers.service = newcomers.office.service = replace(newcomers.service, keys=Keys())
    zoe = "zoe@players.test"
    for _ in range(7):
        letters = newcomers.stranger(zoe, "tournaments")
    assert letters == [], "a flood in her name has used up the answers"
    [told] = newcomers.send(signed(newcomers.mail(zoe, ADDRESS, "tournaments")))
    assert told.to == zoe
