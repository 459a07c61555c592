"""The help and the reader have one source."""

import pytest
from msgspec.structs import replace

from engine import load_title
from engine.notation import Ambiguous, parse, uses, verbs
from engine.notation.verbs import VERBS, VERBS_BY_NAME
from engine.notation.words import key

from .positions import TITLE, opening, operating

EXAMPLES = verbs(TITLE)


@pytest.mark.parametrize("entry", EXAMPLES, ids=lambda e: e.example)
def test_every_example_is_understood(entry):
    first = TITLE.facts.private[0].id
    sold = replace(opening(), privates={**opening().privates, first: "Bob"})
    understood = 0
    for state in (opening(), sold, operating()):
        try:
            parse(TITLE, state, "Ann", entry.example)
        except Ambiguous:
            understood += entry.example == "use B&SLC: lay 445 G2"
        except ValueError:
            continue
        else:
            understood += 1
    assert understood


def test_every_example_begins_with_its_verb_or_a_power():
    for entry in EXAMPLES:
        assert entry.example.startswith((entry.verb, "use", "done"))


def test_no_two_verbs_share_a_name():
    names = [key(name) for verb in VERBS for name in (verb.name, *verb.also)]
    assert len(names) == len(set(names)) == len(VERBS_BY_NAME)


@pytest.mark.parametrize(
    ("title", "private", "told"),
    [
        ("18MW", "SLA", ("use SLA: token",)),
        ("18MW", "MO", ("buy 3 with MO",)),
        ("18MW", "RI", ()),
        ("18GL", "Port", ("use Port: mark",)),
        ("18TN", "O&W", ("use O&W: lay",)),
        ("18AL", "NDY", ("buy 3 with NDY",)),
    ],
)
def test_the_power_of_a_private_company_has_its_own_examples(title, private, told):
    found = [one.example for one in uses(load_title(title), private)]
    assert len(found) == len(told)
    assert all(example.startswith(how) for example, how in zip(found, told, strict=True))
