"""What a line is that is written as no command: a corpus of phrases, in all titles."""

from functools import cache

import pytest

import engine
from engine.notation.verbs import VERBS_BY_NAME
from engine.notation.words import key
from service.commands.lines import Known, Sort, bare, first_words, meant, sort_of
from service.desk.proving.signatures import fits, names_of
from service.desk.vocabulary.table import VOCABULARY
from service.games.commands import words as games_words
from tests.service.commands.phrases import CLOSE, QUESTIONS, WITHIN, WORDS

TITLES = ("18AL", "18GA", "18TN", "18GL", "18MW")


@cache
def game(name):
    title = engine.load_title(name)
    seats = ["Ann", "Bob", "Cat"]
    state = engine.new_game(title, seats).state
    verbs = frozenset(word for word, verb in VERBS_BY_NAME.items() if verb.known(title))
    words = first_words(
        word for entry in VOCABULARY.entries for word in entry.words
    ) | games_words() - {"what"}
    return title, state, Known(words, verbs, names_of(title))


def sort(text, name):
    title, state, known = game(name)
    _, rest = bare(text)
    if not rest:
        return Sort.WORDS
    return sort_of(rest, known, lambda one: fits(one, title, state, "Ann"))


def in_all(text):
    return {name: sort(text, name) for name in TITLES}


@pytest.mark.parametrize("text", WORDS)
def test_words_refuse_nothing(text):
    assert in_all(text) == dict.fromkeys(TITLES, Sort.WORDS)


@pytest.mark.parametrize("text", QUESTIONS)
def test_a_question_is_a_question(text):
    assert in_all(text) == dict.fromkeys(TITLES, Sort.QUESTION)


@pytest.mark.parametrize("text", CLOSE)
def test_what_is_close_to_a_command_is_never_guessed(text):
    assert set(in_all(text).values()) <= {Sort.CLOSE, Sort.COMMAND}


@pytest.mark.parametrize(("text", "command"), WITHIN.items())
def test_a_command_is_found_behind_courtesy(text, command):
    assert bare(text)[1] == command


@pytest.mark.parametrize(
    ("text", "name", "wanted"),
    [
        ("now we buy TR", "18AL", Sort.CLOSE),
        ("Ann should lay C4", "18AL", Sort.CLOSE),
        ("TR", "18AL", Sort.CLOSE),
        ("the L&N", "18AL", Sort.CLOSE),
        ("I am sure that the L&N will run well when it has a better train", "18AL", Sort.WORDS),
        ("Can I buy TR?", "18AL", Sort.QUESTION),
        ("pass?", "18AL", Sort.COMMAND),
    ],
)
def test_names_beside_verbs(text, name, wanted):
    assert sort(text, name) is wanted


def test_what_is_meant_is_named():
    known = Known(frozenset({"status", "map"}), frozenset({"pass", "withhold"}))
    assert meant("withold", known) == ("withhold",)
    assert meant("psas", known) == ("pass",)
    assert meant("status", known) == ("status",)
    assert meant("mop", known) == ("map",)
    assert meant("mop the floor", known) == (), "a short word is mistyped only where little follows"
    assert meant("anything", known) == ()


def test_keys_are_those_of_the_notation():
    assert first_words(["Pass-phrase set", "new token"]) == {key("Pass-phrase"), key("new")}
