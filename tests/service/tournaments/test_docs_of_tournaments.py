"""What the pages of tournaments tell of rules, scores and digests is so."""

import hashlib
import re

import pytest

from service.tournaments import form, rules
from service.tournaments.form import FIELDS, ROUND_FIELDS
from service.tournaments.rules import TournamentRules
from service.tournaments.scoring import scored
from tests.service.tournaments.setting import result_of
from tests.test_docs import blocks, text_of

RULES = "docs/tournaments-rules.md"
SEATING = "docs/tournaments-seating.md"
PAGES = (RULES, SEATING, "docs/tournaments-scores.md")
BLOCKS = [block for page in PAGES for block in blocks(page)]
SCORES = [block for block in BLOCKS if block.kind == "scores"]


def pairs(line):
    return dict(one.rsplit(" ", 1) for one in line.split(", "))


@pytest.mark.parametrize("block", SCORES, ids=lambda block: block.name)
def test_boards_give_what_the_page_tells(block):
    read = form.read(f"score: {block.name}\nround 1 titles: 18AL", TournamentRules("x"))
    lines = block.text.splitlines()
    for worths, told in zip(lines[::2], lines[1::2], strict=True):
        result = result_of(*map(int, pairs(worths).values()), names=tuple(pairs(worths)))
        found = scored(result, read.scoring)
        assert {one.seat: str(one.figure) for one in found} == pairs(told)


def test_every_score_has_an_example():
    from typing import get_args

    told = " ".join(block.name for block in SCORES)
    assert all(name in told for name in get_args(rules.ScoreName))


def test_the_form_of_the_page_is_read():
    [block] = [block for block in BLOCKS if block.kind == "form"]
    found = form.read(block.text, TournamentRules("north"))
    assert len(found.rounds) == 3 and found.rounds[1].go_on == 4
    assert found.rounds[1].titles == found.rounds[0].titles
    assert form.read(form.printed(found), TournamentRules("north")) == found


@pytest.mark.parametrize("field", [*FIELDS, *ROUND_FIELDS], ids=lambda field: field.key)
def test_every_field_is_told_with_its_default(field):
    rows = [line for line in text_of(RULES).splitlines() if line.count(" | ") == 2]
    [row] = [line for line in rows if f"`{field.key}`" in line.split("|")[1]]
    value = field.show(TournamentRules("x") if field in FIELDS else rules.RoundRules())
    told = re.sub("`", "", row.split("|")[3])
    assert field.key == "titles" or value in ("none", "") or value in told, (value, told)


@pytest.mark.parametrize("name", [*rules.AIMS])
def test_every_aim_is_told(name):
    assert f". `{name}`: " in text_of(SEATING)


def test_the_digest_of_the_page_is_what_the_shell_makes_of_it():
    [block] = [block for block in BLOCKS if block.kind == "digest"]
    name, number, seed = block.name.split(" ", 2)
    assert f"printf '{name}\\n{number}\\n{seed}' | sha256sum" in text_of(SEATING)
    found = hashlib.sha256(f"{name}\n{number}\n{seed}".encode()).hexdigest()
    assert block.text.strip() == found
