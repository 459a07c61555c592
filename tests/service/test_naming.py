"""What a player, a game or a tournament may be called."""

import pytest

import engine
from engine.notation import verbs
from service.desk.vocabulary.table import TABLE
from service.games import naming
from service.games.naming import why_no_game, why_no_player
from tests.service.players import says

TITLE = engine.load_title("18AL")


def refused(name, *others):
    return bool(why_no_player(TITLE, "dixie7", name, others, TABLE))


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Boƅ", "Bob"), ("Bоb", "Bob"), ("bob", "Bob"), ("B-o-b", "Bob"), ("Bob.", "Bob"),
        ("Ƅob", "Bob"), ("Boƀ", "Bob"), ("Paweł", "Pawel"), ("Tom", "Torn"), ("Bıll", "Bill"),
        ("T-orn", "Tom"), ("O'Neil", "ONeil"), ("Jørn", "Jorn"), ("Ｂob", "Bob"),
        ("Evvan", "Ewan"), ("VVill", "Will"),
    ],
)  # fmt: skip
def test_nobody_is_called_so_that_others_could_take_them_for_somebody_else(name, other):
    assert refused(name, other) and refused(other, name)
    assert not refused("Cat", name, other)


@pytest.mark.parametrize(
    "name",
    [
        *("director", "Director", "DIRECTOR", "d1rector", "dirеctor", "Dir-ector", "Director2"),
        *("organiser", "Organizer", "TheOrganiser", "the-organiser", "Organiser_Ann", "0rganizer"),
        *("assistant", "operator", "rnoderator", "The_Waybill", "caretaker", "Deputy", "Stand-By"),
        *("autoleave", "Auto-Leave", "pass-phrase", "commands", "chart", "what", "until", "Outbid"),
        *("payout", "BuyTrain", "treasury", "everyone", "NoOne", "enter", "adjudicate"),
        *("L-N", "M-O", "TheBank", "vvaybill", "my-Vvaybill"),
    ],
)
def test_nobody_is_called_like_an_office_or_a_word_that_is_read(name):
    assert refused(name)


@pytest.mark.parametrize("name", ["The.organiser", "t.co", "lure.example", "A.bc"])
def test_no_name_is_an_address_of_the_web(name):
    assert refused(name)


@pytest.mark.parametrize(
    "name",
    [
        *("Ann", "Bob", "Cat", "Max", "Will", "Theo", "Mike", "Émile", "Paweł", "J.R.R"),
        *("O'Neil", "Mary-Ann", "Player1", "Bill", "Ali", "Οδυσσέας", "Ольга", "太郎", "Jr."),
    ],
)
def test_names_of_people_are_names(name):
    assert why_no_player(TITLE, "dixie7", name, ["Zoe", "Ian"], TABLE) == ""


def test_every_spelling_of_every_verb_of_a_title_means_something():
    for verb in verbs(TITLE):
        assert refused(verb.verb.replace(" ", "-")[:16]), verb.verb


@pytest.mark.parametrize("name", ["dixie7", "spring-27"])
def test_what_a_game_may_be_called(name):
    assert why_no_game(name, "game", ["modern1"], TABLE) == ""


@pytest.mark.parametrize(
    ("name", "why", "told"),
    [
        ("x", naming.NO_GAMES_NAME, {"what": "game"}),
        ("Dixie", naming.NO_GAMES_NAME, {"what": "game"}),
        ("m0derator", naming.LOOKS_LIKE_A_WORD, {}),
        ("the-director", naming.LOOKS_LIKE_A_WORD, {}),
        ("organizer", naming.LOOKS_LIKE_A_WORD, {}),
        ("status", naming.LOOKS_LIKE_A_WORD, {}),
        ("director27", naming.HAS_AN_OFFICE, {"office": "director"}),
        ("modernl", naming.LOOKS_LIKE_ANOTHER, {"other": "modern1"}),
    ],
)
def test_what_a_game_may_not_be_called(name, why, told):
    assert says(why_no_game(name, "game", ["modern1"], TABLE), why, name=name, **told)


@pytest.mark.parametrize(
    ("name", "others"),
    [
        ("modern1", ["modernl", "rnodern1", "m0dern1", "mod-ern1"]),
        ("owl-and-mole", ["owlmole", "ovv1-mole"]),
        ("vvv-v", ["vw-v", "wv-v", "ww"]),
    ],
)
def test_games_whose_names_look_alike_have_one_look(name, others):
    assert {naming.look(other) for other in others} == {naming.look(name)}
    assert naming.look(f"{name}2") != naming.look(name)
    for other in others:
        assert why_no_game(other, "game", [name], TABLE)


@pytest.mark.parametrize(
    ("name", "why", "told"),
    [
        ("t.co", naming.NO_PLAYERS_NAME, {"name": "That"}),
        ("director", naming.MEANS_SOMETHING, {"name": "director", "title": TITLE.name}),
        ("bob", naming.IS_TAKEN, {"name": "bob", "game": "dixie7"}),
        ("Bоb", naming.MIXES, {"name": "Bоb"}),
    ],
)
def test_who_may_not_be_called_so_is_told_why(name, why, told):
    assert says(why_no_player(TITLE, "dixie7", name, ["Bob"], TABLE), why, **told)
