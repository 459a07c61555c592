"""Pieces of sentences: numbers with their nouns."""

import pytest

from engine.wording import counted


@pytest.mark.parametrize(
    ("number", "noun", "told"),
    [
        (1, "address", "1 address"),
        (3, "address", "3 addresses"),
        (0, "loan", "0 loans"),
        (2, "entry", "2 entries"),
        (2, "day", "2 days"),
        (2, "4D train", "2 4D trains"),
    ],
)
def test_a_noun_has_the_number_of_what_is_counted(number, noun, told):
    assert counted(number, noun) == told


def test_several_words_have_the_plural_that_is_given():
    assert counted(1, "email or task", "emails or tasks") == "1 email or task"
    assert counted(2, "email or task", "emails or tasks") == "2 emails or tasks"
