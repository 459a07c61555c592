"""What the lines of an email are, for phrases in many languages and all titles."""

import re
from functools import cache

import pytest

import engine
from engine.notation import NotationError, parse, split, verbs
from engine.notation.words import key
from service.commands import courtesy
from service.commands.entry import first_words
from service.commands.lines import (
    MOST_WORDS,
    KnownWords,
    Sort,
    bare,
    known_of,
    meant,
    reasoned,
    sentences,
    sort_of,
)
from service.desk.vocabulary.table import VOCABULARY
from tests.engine.test_unearned import NO_ROUTE, ROUTE
from tests.service.commands.corpus import ALABAMA, EVERYWHERE, phrases

TITLES = tuple(engine.title_names())
WORDS = first_words(VOCABULARY.entries)
#: commands beside those of the game, as a table of them may write them
TABLE = re.compile(
    r"status|map|market|help|\?|undo|clock|say .+|note .+|away until \w+|start", re.IGNORECASE
)


@cache
def known(title):
    return known_of(engine.load_title(title), WORDS)


@cache
def positions(title):
    """A stock turn and a company's turn."""
    on, turn = {**NO_ROUTE, **ROUTE}[title]
    return on.title, (engine.new_game(on.title, ["Ann", "Bob", "Cat"]).state, turn("track"))


def fits_in(title):
    """Whether a text is written as a command in a title."""
    facts, states = positions(title)

    def reads(text):
        for state in states:
            for seat in state.seats:
                try:
                    parse(facts, state, seat, text)
                except NotationError:
                    continue
                return True
        return False

    def fits(text):
        return bool(TABLE.fullmatch(text)) or (
            bool(split(text)) and all(reads(part) for part in split(text))
        )

    return fits


def sorted_in(title, text):
    return sort_of(text, known(title), fits_in(title))


@pytest.mark.long
@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("language", EVERYWHERE)
def test_what_means_the_same_in_every_title(title, language):
    some = [(text, sort) for _, text, sort in phrases({language: EVERYWHERE[language]})]
    assert [(text, sorted_in(title, text)) for text, _ in some] == some


@pytest.mark.parametrize("language", ALABAMA)
def test_what_names_things_of_18al(language):
    some = [(text, sort) for _, text, sort in phrases({language: ALABAMA[language]})]
    assert [(text, sorted_in("18AL", text)) for text, _ in some] == some


def test_the_corpus_is_as_large_as_it_should_be():
    every = {(language, text) for language, text, _ in (*phrases(EVERYWHERE), *phrases(ALABAMA))}
    assert len(every) >= 150
    assert len({language for language, _ in every}) >= 10


# what is known


@pytest.mark.parametrize("title", TITLES)
def test_all_that_a_title_has_is_known(title):
    facts = engine.load_title(title)
    assert known(title).words == WORDS
    assert {verb.verb for verb in verbs(facts)} <= known(title).verbs
    cities = [facts.name for facts in facts.hexes.values() if facts.name]
    named = {key(name) for name in (*facts.companies, *facts.privates, *facts.hexes, *cities)}
    numbered = {key(train) for train in facts.trains if not train.isalpha()}
    assert named | numbered <= known(title).names


def test_a_verb_is_known_only_where_its_title_has_it():
    assert "half" in known("18GL").verbs
    assert "half" not in known("18AL").verbs
    assert sorted_in("18GL", "Half of them for me") == Sort.CLOSE
    assert sorted_in("18AL", "Half of them for me") == Sort.WORDS


# courtesy


@pytest.mark.parametrize(
    ("text", "apart", "rest"),
    [
        ("Hello Waybill, please buy TR", "Hello Waybill, please", "buy TR"),
        ("Hello Waybill please buy TR", "Hello Waybill please", "buy TR"),
        ("hi pass", "hi", "pass"),
        ("Hi Ann-Lee Smith, pass", "Hi Ann-Lee Smith,", "pass"),
        ("buy TR, please", "please", "buy TR"),
        ("buy TR please, thanks!", "please, thanks!", "buy TR"),
        ("I would like to buy TR", "I would like to", "buy TR"),
        ("pass :-)", ":-)", "pass"),
        ("Good luck all,", "Good luck all,", ""),
        ("Hi all, looking forward to this!", "Hi all,", "looking forward to this!"),
        ("'pass'", "", "pass"),
        ("par L&N 90", "", "par L&N 90"),
        ("?", "", "?"),
        ("", "", ""),
        ("   ", "", ""),
    ],
)
def test_courtesy_is_set_apart(text, apart, rest):
    assert bare(text) == (apart, rest)


@pytest.mark.parametrize(
    "text", ["sell 2 L&N, 1 M&O", "lay 57 C10 W-E, token D11", "buy 3 else pass", "L&N: pay; buy 2"]
)
def test_a_command_is_left_as_it_is_written(text):
    assert bare(text) == ("", text)


def test_no_phrase_of_courtesy_is_lost_in_another():
    """A phrase is found whole, whatever shorter ones begin like it."""
    for some in (courtesy.GREETINGS, courtesy.CLOSINGS, courtesy.THANKS, courtesy.INTENT):
        for each in some.values():
            for phrase in each:
                assert courtesy.begins(phrase, some) == len(phrase)


@pytest.mark.parametrize(
    ("text", "apart", "rest"),
    [
        ("OK, I'd like to buy TR", "OK, I'd like to", "buy TR"),
        ("Ok... buy TR", "Ok...", "buy TR"),
        ("ok then buy TR", "ok then", "buy TR"),
        ("My move: buy TR", "My move:", "buy TR"),
        ("Anyway, I'll pass", "Anyway, I'll", "pass"),
        ("I think I'll pass", "I think I'll", "pass"),
        ("Then I'll take TR", "Then I'll", "take TR"),
        ("Let's pass", "Let's", "pass"),
        ("ok", "", "ok"),
        ("OK, thanks", "thanks", "OK"),
        ("then pass round", "", "then pass round"),
    ],
)
def test_words_before_a_command_are_set_apart_and_an_answer_is_not(text, apart, rest):
    assert bare(text) == (apart, rest)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Lay 5 at L5 sw-nw. Buy 2. That's all!", ["Lay 5 at L5 sw-nw.", "Buy 2.", "That's all!"]),
        ("When do I pay? I'll bid 75.", ["When do I pay?", "I'll bid 75."]),
        ("bid 75 on Brown & Sons Lumber Co. please", None),
        ("1. buy TR", None),
        ("J. R. Smith", None),
        ("buy L&N. Else pass", None),
        ("pass", None),
    ],
)
def test_a_line_has_sentences(text, found):
    assert list(sentences(text)) == (found or [text])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("pass, I don't have enough money", ("pass", "I don't have enough money")),
        ("I pass - not enough cash", ("I pass", "not enough cash")),
        ("pass (thinking about the next round)", ("pass", "thinking about the next round)")),
        ("pass, L&N next time", ("", "")),
        ("pass, sell everything", ("", "")),
        ("pass on that", ("", "")),
        ("buy TR, it is cheap", ("", "")),
    ],
)
def test_a_pass_may_have_a_reason(text, found):
    assert reasoned(text, known("18AL")) == found


# close to a command


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("pss", ("pass",)),
        ("by TR", ("buy",)),
        ("buuy TR", ("buy",)),
        ("Hi, stauts", ("status",)),
        ("Pass on my greetings to Eve", ("pass",)),
        ("Ich kaufe TR", ("buy",)),
        ("let's all buy L&N", ("buy",)),
        ("I want to undo", ("undo",)),
        ("end turn now", ("end turn",)),
        ("Nice move, Bob!", ()),
        ("Thanks", ()),
        ("", ()),
    ],
)
def test_what_a_line_may_mean(text, nearest):
    assert meant(text, known("18AL")) == nearest


def only(*verbs_):
    return KnownWords(verbs=frozenset(verbs_))


def never(_):
    return False


@pytest.mark.parametrize("text", ["withdra", "withdraww", "withdrwa", "withdrax", "wihtdraw"])
def test_one_edit_is_close(text):
    assert sort_of(text, only("withdraw"), never) == Sort.CLOSE


@pytest.mark.parametrize("text", ["withdr", "wihtdrwa", "draw", "hi", "the", "it"])
def test_more_is_not(text):
    assert sort_of(text, only("withdraw", "him", "tie", "is"), never) == Sort.WORDS


def test_a_command_is_what_fits_whatever_it_looks_like():
    assert sort_of("Viele Grüße", only("pass"), lambda text: True) == Sort.COMMAND
    assert sort_of("Hi, xyzzy", only(), lambda text: text == "xyzzy") == Sort.COMMAND


def test_long_lines_tell_something():
    some = known("18AL")
    line = "here I buy TR" + " really" * (MOST_WORDS - 4)
    assert sort_of(line, some, never) == Sort.CLOSE
    assert sort_of(f"{line} really", some, never) == Sort.WORDS


def test_a_number_is_a_train_only_next_to_its_verb():
    some = known("18AL")
    assert sort_of("now I buy a 3", some, never) == Sort.CLOSE
    assert sort_of("now I buy you all 3 beers", some, never) == Sort.WORDS


@pytest.mark.parametrize("title", TITLES)
def test_no_command_is_a_common_word(title):
    """Else it would be words where it is mistyped, and still a command where it is not."""
    some = known(title)
    for word in sorted(some.words | some.verbs):
        assert sort_of(word, some, never) == Sort.CLOSE
        assert meant(word, some) == (word,)
