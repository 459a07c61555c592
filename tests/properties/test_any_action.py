"""Whatever can be written as an action is judged: refused with a reason, or played."""

from typing import Literal, get_args, get_origin

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.actions import Action, LaidTile, TrainRun
from engine.flow import apply, to_act, why_not
from engine.notation.position import turn_company
from engine.position.values import BANK, CLOSED, MARKET, OFFERING, REMOVED
from engine.refusal import Illegal, Refusal
from engine.steps import STEPS
from engine.steps.operating.turn_wide import beside, turn_wide
from tests.properties.positions import TITLES, positions

#: names that no title has, or that stand for no owner of the kind
STRANGE = ("", "nobody", "Z99", "A1\n", "Ω" * 50, BANK, MARKET, OFFERING, CLOSED, REMOVED)
NUMBERS = (-(2**63), -100, -1, 0, 1, 2, 3, 5, 10, 60, 100, 105, 10**9, 2**63 - 1)


def names(title, state):
    """Names of a position by the field of an action that they are meant for."""
    companies, privates = tuple(title.companies), tuple(title.privates)
    chits = tuple(mark.kind for mark in state.marks)
    owners = (*companies, *state.seats, MARKET, OFFERING)
    return {
        "by": state.seats,
        "company": companies,
        "private": privates,
        "power": ("", *privates),
        "hex": ("", *title.hexes),
        "tile": tuple(title.tiles),
        "train": tuple(title.trains),
        "ferry": tuple(title.ferries),
        "name": chits,
        "source": owners,
        "seller": owners,
        "buyer": owners,
    }


@st.composite
def often(draw, likely, others):
    """One of what is likely, nine times out of ten."""
    return draw(st.sampled_from(likely) if likely and draw(st.integers(0, 9)) < 9 else others)


def texts(known, field):
    """A name of the right kind more often than not, else any other, or one of no kind."""
    right = known.get(field, ())
    wrong = st.sampled_from([*STRANGE, *(name for names in known.values() for name in names)])
    strange = st.one_of(wrong, st.text(max_size=8))
    return often(right, strange)


def values(known, field, kind):
    """Values of a field of an action."""
    if kind is str:
        return texts(known, field)
    if kind is bool:
        return st.booleans()
    if kind is int:
        return st.one_of(st.sampled_from(NUMBERS), st.integers(0, 7))
    if get_origin(kind) is Literal:
        return st.sampled_from(get_args(kind))
    assert get_origin(kind) is tuple, kind
    inner = get_args(kind)[0]
    if inner in (LaidTile, TrainRun):
        return st.lists(structs(known, inner), max_size=3).map(tuple)
    return st.lists(texts(known, "hex"), max_size=5).map(tuple)


def structs(known, kind, **given):
    """Values of an action's class, or of what is in one."""
    fields = {f.name: values(known, f.name, f.type) for f in msgspec.structs.fields(kind)}
    return st.builds(kind, **(fields | given))


def verbs(title, state):
    """Actions that the decision in hand takes."""
    if not state.stack:
        return ()
    step = STEPS[type(state.stack[-1])]
    beside_it = (*beside(title, step.frame), *turn_wide(title)) if step.in_turn else ()
    return tuple(verb for acts in (step, *beside_it) for verb in acts.verbs)


@st.composite
def judged(draw, name):
    """A position, and an action of somebody, most often of one who must act."""
    title, every = positions(name)
    state = draw(st.sampled_from(every))
    known = names(title, state)
    acting = to_act(title, state)
    given = {"by": often(acting, texts(known, "by"))}
    operating = turn_company(state)
    kind = draw(often(verbs(title, state), st.sampled_from(get_args(Action))))
    if operating and "company" in kind.__struct_fields__:
        given["company"] = often((operating,), texts(known, "company"))
    return title, state, draw(structs(known, kind, **given))


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=[pytest.mark.long] * (n not in ("18AL", "18GL"))) for n in TITLES],
)
def test_every_action_is_refused_with_a_reason_or_played(name):
    @settings(max_examples=600, deadline=None, derandomize=True, database=None)
    @given(judged(name))
    def check(case):
        title, state, action = case
        refusal = why_not(title, state, action)
        if refusal is None:
            apply(title, state, action)
            return
        assert isinstance(refusal, Refusal)
        assert refusal.text
        with pytest.raises(Illegal) as illegal:
            apply(title, state, action)
        assert illegal.value.refusal == refusal

    check()
