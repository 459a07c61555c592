"""Help, written from the table of commands."""

import engine
from service.commands.entry import NOT_YOU, When, Where, Who, called
from service.commands.helping import help_, sorry
from service.desk.vocabulary.table import VOCABULARY

TITLE = engine.load_title("18AL")


def asked(word="", who=Who.PLAYER, where=Where.PRIVATE, when=When.RUNNING):
    return help_(VOCABULARY, who, where, when, TITLE, word)


def test_help_lists_moves_and_what_the_writer_may_write():
    text = asked().text
    assert "`withhold`" in text and "`status" in text
    assert "`kick" not in text and "`rollback" not in text


def test_help_with_a_word_explains_one_command_or_move():
    assert "`lay" in asked("lay").text and "`withhold`" not in asked("lay").text
    assert "`away" in asked("away").text
    assert "`market`" in asked("chart").text


def test_what_the_writer_may_not_write_is_explained_with_the_reason():
    flat = " ".join(asked("kick").text.split())
    assert NOT_YOU.format(word="kick", who=called(Who.ORGANISER)) in flat


def test_help_with_a_topic_lists_it():
    assert "rollback" in asked("director").text


def test_a_word_that_is_none_names_the_nearest():
    assert asked("frob") is None
    assert "`status`" in sorry(VOCABULARY, "staus")


def test_help_knows_every_first_word():
    for entry in VOCABULARY.entries:
        if entry.name not in ("play", "order"):
            assert asked(entry.name.split()[0]) is not None, entry.name


def test_on_a_list_only_what_may_stand_there_is_listed():
    text = asked(where=Where.LIST).text
    assert "`history`" in text and "`orders`" not in text


def test_help_on_use_lists_what_private_companies_can_do():
    text = asked("use").text
    assert "use S&NA: mark" in text and "use B&SLC: lay" in text
