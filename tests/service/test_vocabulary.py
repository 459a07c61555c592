"""The table of commands, walked: each entry, from each kind of writer, in each place and state."""

from itertools import combinations, product

import pytest

from service.commands.entry import When, Where, Who, first_word, first_words, why_not
from service.commands.lines import KnownWords
from service.commands.reading import TRY, Scope, read
from service.desk.channels.forum import ForumChannel
from service.desk.channels.mailing_list import ListChannel
from service.desk.channels.private_email import PrivateEmail
from service.desk.channels.terminal import TerminalChannel
from service.desk.vocabulary.director_commands import AFTER_MOVES
from service.desk.vocabulary.table import VOCABULARY
from service.mail.replies import Line

ENTRIES = VOCABULARY.entries
#: bare words whose example says how they are written well are read by another entry
WRITTEN = [
    entry
    for entry in ENTRIES
    if not entry.read and entry.name != TRY and entry not in AFTER_MOVES[:2]
]
WORDS = KnownWords(first_words(ENTRIES))
#: one person may be two at once: an organizer who plays
WRITERS = (*Who, Who.PLAYER | Who.ORGANISER)


def name(entry):
    return f"{entry.name}-{list(ENTRIES).index(entry)}"


def scope(who, where, when):
    return Scope(ENTRIES, who, where, when, WORDS)


def test_each_way_by_which_commands_come_is_that_of_one_channel():
    channels = (PrivateEmail, ListChannel, ForumChannel, TerminalChannel)
    assert [channel.where for channel in channels] == list(Where)


@pytest.mark.parametrize("entry", WRITTEN, ids=name)
def test_an_entry_matches_its_own_example(entry):
    assert entry.match(entry.example) is not None
    assert first_word(entry.example).casefold() in entry.words


@pytest.mark.long
@pytest.mark.parametrize("entry", WRITTEN, ids=name)
def test_its_example_is_that_command_or_refused_for_its_reason(entry):
    alike = [one for one in ENTRIES if one.match(entry.example)]
    for who, where, when in product(WRITERS, Where, When):
        here = scope(who, where, when)
        (command, *more) = read([Line(1, entry.example)], here)
        assert more == [], "an example is one command"
        why = why_not(entry, who, where, when)
        if not why:
            # where two entries are written alike, the first that its writer may write counts
            assert command.barred == ""
            assert command.entry is not None
            assert command.entry.match(entry.example) is not None
        elif command.barred:
            assert command.barred in [why_not(one, who, where, when) for one in alike]
        else:
            assert command.entry is not entry
            assert command.entry is None or not why_not(command.entry, who, where, when)


@pytest.mark.parametrize("entry", ENTRIES, ids=name)
def test_each_entry_can_be_read_in_help(entry):
    assert entry.help
    first = entry.syntax.casefold().split()[0].rstrip(":")
    assert first in entry.words or entry.read
    assert entry.who
    assert entry.where
    assert entry.when
    assert callable(entry.do)


def test_no_two_entries_of_one_writer_are_hidden_behind_each_other():
    """An entry that another of the same writers, place and state always beats is never done."""
    hidden = [
        (first.name, second.name)
        for first, second in combinations(WRITTEN, 2)
        if first.match(second.example) is not None
        and second.who in first.who
        and second.where in first.where
        and second.when in first.when
    ]
    assert hidden == []


def test_what_stands_alone_says_why():
    for entry in ENTRIES:
        assert not entry.alone or len(entry.alone.split()) > 3
