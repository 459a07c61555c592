"""What may be done at any position of the recorded games is read as it is written, however typed."""

from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine import Choice, Open, Range, load_title, options, title_names, to_act
from engine.notation import names, parse, write
from tests import games
from tests.properties.test_random_games import RECORDED

TITLES = [load_title(name) for name in title_names()]
#: fields of money
DOLLARS = ("amount", "price")


@st.composite
def decisions(draw):
    """A title, a position of a game with a decision, who decides, and what they may do."""
    played = games.game(draw(st.sampled_from(RECORDED)))
    state = played.states[draw(st.integers(0, len(played.actions) - 1))]
    seat = draw(st.sampled_from(to_act(played.title, state)))
    listed = [o for o in options(played.title, state, seat) if not isinstance(o, Open)]
    # by verb first, or all would be lays
    kinds = sorted({type(option.action) for option in listed}, key=str)
    kind = draw(st.sampled_from(kinds))
    option = draw(st.sampled_from([o for o in listed if type(o.action) is kind]))
    return played.title, state, option


def filled(draw, option):
    """An action of an option, any amount of a range."""
    if isinstance(option, Choice):
        return option.action
    amount = draw(st.integers(option.low, option.high))
    return replace(option.action, **{option.field: amount})


def typed(draw, text):
    """A command as somebody may type it: other case, blanks, typographic signs, a full stop."""
    text = draw(st.sampled_from([str, str.upper, str.lower, str.title]))(text)
    text = text.replace(" ", draw(st.sampled_from([" ", "  ", "\t", "\u00a0"])))
    text = text.replace("-", draw(st.sampled_from(["-", "–", "−", "‑"])))
    return draw(st.sampled_from(["", " "])) + text + draw(st.sampled_from(["", " ", ".", "!"]))


@given(decisions(), st.data())
def test_a_legal_action_is_read_as_it_is_written(decision, data):
    title, state, option = decision
    action = filled(data.draw, option)
    assert parse(title, state, action.by, write(title, state, action)) == action


@given(decisions(), st.data())
def test_it_is_read_however_it_is_typed(decision, data):
    title, state, option = decision
    action = filled(data.draw, option)
    text = typed(data.draw, write(title, state, action))
    assert parse(title, state, action.by, text) == action, text


@given(decisions(), st.data())
def test_money_may_be_written_in_any_usual_way(decision, data):
    title, state, option = decision
    assume(isinstance(option, Range) and option.field in DOLLARS)
    action = filled(data.draw, option)
    amount = getattr(action, option.field)
    text = write(title, state, action)
    before, found, after = text.rpartition(str(amount))
    assert found
    ways = ("${}", "{}$", "{:,}", "${:,}", "{}.00", "${:,}.00")
    other = before + data.draw(st.sampled_from(ways)).format(amount) + after
    assert parse(title, state, action.by, other) == action, other


@given(st.sampled_from(TITLES), st.data())
def test_a_thing_is_found_by_its_name_in_any_case(title, data):
    kind = data.draw(st.sampled_from([names.companies, names.privates, names.places]))
    known = kind(title)
    name = data.draw(st.sampled_from(known))
    same = [other for other in known if other.full == name.full]
    change = data.draw(st.sampled_from([str, str.upper, str.lower, str.swapcase]))
    assert names.match(known, change(name.id)) == [name]
    if name.full:
        found = names.match(known, change(name.full))
        assert name in found and set(found) <= set(same)
    # marks between words do not count
    assert names.match(known, " ".join(change(name.id))) == [name]
