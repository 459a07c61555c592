"""How tests name what was said: by the message that the service fills in, never by its words."""

import pytest

from tests.service.players import says, unsaid

LEFT = "{name} has left since {when}: `seat` again."


def test_a_message_is_found_with_its_values_and_with_any():
    text = "NOT DONE\n\n  Eve has left since it was\n  shown: `seat` again."
    assert says(text, LEFT)
    assert says(text, LEFT, name="Eve")
    assert says(text, LEFT, name="Eve", when="it was shown")
    assert unsaid(text, LEFT, name="Bob")


def test_who_looks_for_what_was_not_said_reads_what_was():
    with pytest.raises(AssertionError, match="with name='Bob' is not said in:\nDone at once"):
        says("Done\nat once", LEFT, name="Bob")
    with pytest.raises(AssertionError, match="is said in:\nEve has left since noon"):
        unsaid("Eve has left since noon: `seat` again.", LEFT, when="noon")


def test_a_value_that_a_message_has_no_place_for_is_a_mistake_of_the_test():
    for looks in (says, unsaid):
        with pytest.raises(AssertionError, match="has no"):
            looks("Eve has left since noon: `seat` again.", LEFT, player="Eve")


def test_signs_of_regular_expressions_are_plain_words():
    assert says("(1.1) $900 + [x]", "({board}) ${worth} + [{sign}]", board="1.1")
    assert unsaid("(1x1)", "({board})", board="1.1")
