"""Help, written from the table of commands."""

import re

import pytest

import engine
from service.commands.entry import NOT_YOU, When, Where, Who, called
from service.commands.helping import help_, sorry
from service.commands.terms import TERMS
from service.desk.vocabulary.table import VOCABULARY
from service.reports import Scene, position
from service.reports.tables import Either, Grid, Pairs
from tests.service.players import one
from tests.service.reports.games import course

TITLE = engine.load_title("18AL")
#: labels of tables that say themselves what they are
PLAIN = {"PLAYER", "what it does", ""}


def asked(word="", who=Who.PLAYER, where=Where.PRIVATE, when=When.RUNNING):
    return help_(VOCABULARY, who, where, when, TITLE, word)


def test_help_names_moves_and_what_the_writer_may_write_by_topic():
    text = asked().text
    assert "withhold" in text and "status" in text
    assert "kick" not in text and "rollback" not in text
    assert len(text) < 3_000, "it fits an email whole"


def test_each_topic_that_help_names_is_listed_by_its_word():
    words = re.findall(r"`help ([a-z-]+)`", asked().text)
    assert "moves" in words and "questions" in words
    assert all(asked(word) is not None for word in words)
    assert "`withhold`" in asked("moves").text


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
    assert "history" in text and "orders" not in text


def test_help_on_use_lists_what_private_companies_can_do():
    text = asked("use").text
    assert "use S&NA: mark" in text and "use B&SLC: lay" in text


def heads(block):
    """The heads of columns and rows of a table of an email."""
    if isinstance(block, Either):
        return heads(block.text).union(*map(heads, block.html))
    if isinstance(block, Grid):
        return {column.head for column in block.columns}
    return {row.label for row in block.rows} if isinstance(block, Pairs) else set()


@pytest.mark.long
@pytest.mark.parametrize("name", ["18al", "18ga", "18tn", "18gl", "18mw"])
def test_help_explains_the_words_of_the_tables_of_emails(name):
    title, found = course(name)
    unexplained = set()
    for state, _ in found[::40]:
        tables = position.tables(Scene("dixie7", title, state))
        words = set().union(*map(heads, tables)) - PLAIN - set(state.seats)
        # companies that may be started: `status` tells of them
        words -= set(title.companies)
        unexplained |= {word for word in words if asked(word.casefold()) is None}
    assert unexplained == set()


@pytest.mark.parametrize(
    "word",
    [
        "share price",
        "shares",
        "president's certificate",
        "receivership",
        "fire sale",
        "forced purchase",
        "bonds",
        "loan",
        "ferry",
        "merger",
        "obsolete",
        "bankrupt",
        "time bank",
        "seal",
        "counteroffer",
        "round summary",
        "security level",
        "reconstruction",
        "tokens",
        "city",
        "town",
        "exits",
        "auction",
        "pass round",
        "standing",
        "operate",
        "always",
        "never",
    ],
)
def test_help_explains_terms_of_the_rules_and_of_emails(word):
    assert word.upper() in asked(word).text


@pytest.mark.parametrize(
    ("words", "term"),
    [
        ("train trains 2 3 4d diesel", "A company runs trains"),
        ("hex hexes", "A place on the map"),
        ("stop stops", "where a train earns money"),
        ("yellow green brown gray color colour", "in this order"),
        ("swamp mountain river water terrain cost", "what a tile costs"),
        ("withheld payout dividends", "paid out to its shareholders"),
        ("close closes closed", "leaves the game and pays no more"),
        ("zone zones ledge", "on the stock chart"),
        ("double doubles", "A certificate of two shares"),
        ("issue issued", "sells its own shares"),
        ("borrow borrowed debt loans", "Money that a company owes"),
        ("bidder bidders passed", "Players raise each other's bids"),
        ("companies", "its president lays tiles"),
        ("warning warnings", "something that you may overlook"),
        ("message messages", "Text for players"),
        ("vote votes ballot proposal", "asks all players"),
        ("score scores table tables entrant pot bye", "e"),
    ],
)
def test_help_explains_each_form_of_the_words_of_emails(words, term):
    for word in words.split():
        assert term in " ".join(asked(word).text.split()), word


@pytest.mark.parametrize(
    "word",
    [
        "legal now",
        "not done",
        "sold out",
        "half share",
        "named train",
        "plus train",
        "coal field",
        "shut out",
        "bank pool",
        "par price",
        "yellow zone",
        "stock turn",
        "high bid",
        "parallel auction",
        "private companies",
        "net worth",
        "quiet hours",
        "late mark",
        "pass phrase",
        "bank breaks",
        "standing offer",
    ],
)
def test_help_explains_terms_of_several_words(word):
    assert asked(word) is not None


def test_each_term_fits_a_few_lines():
    assert all(len(text) < 250 and text.endswith(".") for text in TERMS.values())


def test_help_with_the_name_of_a_company_or_a_private_company_is_its_status(players):
    for name in ("L&N", "S&NA"):
        told = one(players.write("Bob", f"help {name}"), "Bob")
        status = one(players.write("Bob", f"status {name}"), "Bob")
        assert told.text.split("\n\n")[1:-1] == status.text.split("\n\n")[1:-1]
