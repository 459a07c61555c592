"""Whatever a player writes is read or answered: no line is a fault, and what is read is judged."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.flow import apply, to_act, why_not
from engine.notation import NotationError, alternatives, parse, split
from engine.notation.verbs import VERBS_BY_NAME
from tests.properties.positions import TITLES, positions

SMALL = (
    *("and", "at", "for", "from", "to", "with", "on", "none", "best", "one by one", "else"),
    *("offering", "market", "treasury", "bank", "private", "president", "bond", "all", "half"),
    *(":", ";", ",", "(", ")", "-", "/", ">", "%", "$", "#", "+", "×", "“", "’", "\u200b"),
    *("N-S", "SW-NE", "W-E", "r3", "r9", "exits", "exit"),
)
#: among them more digits than Python reads, and digits that are not ours
NUMBERS = ("0", "1", "2", "60", "100", "$125", "1,000", "12.50", "10%", "٣", "²", "9" * 5000, "-5")


def words(title, state):
    """Words that mean something in the position, and some that mean nothing."""
    named = (
        *(*VERBS_BY_NAME, *title.companies, *title.privates, *title.trains, *title.tiles),
        *(*title.hexes, *title.ferries, *state.seats),
        *(facts.name for facts in title.hexes.values() if facts.name),
    )
    some = st.sampled_from(named)
    kinds = [st.sampled_from(sorted(VERBS_BY_NAME)), some, some.map(str.lower)]
    kinds += [st.sampled_from(SMALL), st.sampled_from(NUMBERS), st.text(max_size=6)]
    routes = st.lists(st.sampled_from(tuple(title.hexes)), min_size=1, max_size=4).map("-".join)
    return st.one_of(*kinds, routes)


@st.composite
def written(draw, name):
    """A position, and a line of words."""
    title, every = positions(name)
    state = draw(st.sampled_from([state for state in every if state.stack]))
    several = draw(st.lists(words(title, state), min_size=1, max_size=7))
    first = draw(st.sampled_from(("", *sorted(VERBS_BY_NAME))))
    return title, state, draw(st.sampled_from((" ", " ", " ", ""))).join([first, *several])


@pytest.mark.parametrize("name", TITLES)
def test_every_line_is_read_or_answered(name):
    @settings(max_examples=300, deadline=None, derandomize=True, database=None)
    @given(written(name))
    def check(case):
        title, state, line = case
        seat = to_act(title, state)[0]
        for command in split(line):
            for one in alternatives(command):
                try:
                    action = parse(title, state, seat, one)
                except NotationError as wrong:
                    assert wrong.text
                    continue
                if why_not(title, state, action) is None:
                    apply(title, state, action)

    check()


@pytest.mark.parametrize("name", TITLES)
def test_neighbours_without_track_are_a_run_that_is_refused(name):
    """The run is read, as its hexes join, and judged."""
    title, every = positions(name)
    grid = title.grid.neighbours
    pairs = [(one, two) for one in title.hexes for two in grid[one] if two][:40]
    state = every[0]
    for one, two in pairs:
        action = parse(
            title,
            state,
            state.seats[0],
            f"{next(iter(title.companies))}: run {next(iter(title.trains))}: {one}-{two}",
        )
        assert why_not(title, state, action) is not None
