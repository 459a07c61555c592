"""The form of a tournament: what is printed is read back, and every fault names its line."""

import string

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.wording import listed
from service.refusal import Refused
from service.tournaments import form, rules
from service.tournaments.form import FIELDS, ROUND_FIELDS
from service.tournaments.rules import (
    RoundRules,
    Scoring,
    TitleChoice,
    TournamentRules,
)
from tests.service.players import says

AL = TitleChoice("18AL")
RULES = TournamentRules("north", rounds=(RoundRules((AL,)),))

words = st.text(string.ascii_letters + string.digits + " .,:#>-!é", min_size=1, max_size=40).map(
    lambda text: " ".join(text.split())
)
texts = st.lists(words, max_size=9).map("\n".join).map(form.words)
titles = st.lists(
    st.sampled_from([AL, TitleChoice("18AL", ("decatur-home", "two-yellow")), TitleChoice("18MW")]),
    min_size=1, unique=True,
).map(tuple)  # fmt: skip
rounds = st.builds(
    RoundRules,
    titles,
    st.permutations([3, 4, 5]).map(lambda sizes: tuple(sizes[:2])),
)
scores = st.sampled_from(
    [Scoring(), Scoring("places", (10, 6, 3, 1)), *map(Scoring, ("wins", "share"))]
)
tournaments = st.builds(
    TournamentRules,
    st.just("north"),
    announcement=texts,
    prizes=texts,
    close=st.dates().map(lambda day: day.isoformat()),
    rounds=st.lists(rounds, min_size=1, max_size=4).map(tuple),
    aims=st.permutations(rules.AIMS).map(tuple),
    clock=st.sampled_from(["", "each 48h", "fischer 20d + 12h cap 20d weekdays"]),
    places=st.integers(0, 99),
    scoring=scores,
)


@pytest.mark.long
@settings(max_examples=60, deadline=None)
@given(tournaments, st.booleans())
def test_what_is_printed_is_read_back(tournament, explained):
    text = form.printed(tournament, explained)
    assert form.read(text, TournamentRules("north")) == tournament
    assert form.printed(form.read(text, tournament)) == form.printed(tournament)
    assert msgspec.json.decode(msgspec.json.encode(tournament), type=TournamentRules) == tournament


@pytest.mark.long
@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200))
def test_no_text_breaks_the_reader(text):
    try:
        form.read(text, RULES)
    except Refused as wrong:
        assert all(wrong.lines)


def test_every_field_is_explained_and_has_a_default():
    text = form.printed(RULES, explained=True)
    assert all(len(f"> {line}") <= form.WIDTH for line in text.splitlines())
    for field in (*FIELDS, *ROUND_FIELDS):
        assert len(field.told) > 20 and field.told.split()[0] in text


def faults(text, before=RULES):
    with pytest.raises(Refused) as wrong:
        form.read(text, before)
    return wrong.value.lines


@pytest.mark.parametrize(
    ("line", "message", "values"),
    [
        ("places: lots", form.BETWEEN, {"least": 0, "most": 10000}),
        ("clok: none", form.NO_FIELD, {"fields": listed(form._BY_KEY)}),
        ("round 1 titel: 18AL", form.NO_FIELD, {"fields": listed(form._ROUND_BY_KEY)}),
        ("round 2 titles: 18AL", form.ONE_ROUND, {}),
        ("hello there", form.HOW_OF_LINES, {}),
        ("round 1 titles: 18ZZ", form.NO_TITLE, {"title": "18ZZ"}),
        ("round 1 titles: 18AL with hats", "hats", {}),
        ("round 1 tables: 4, 9", form.BETWEEN, {"least": 2, "most": 6}),
        ("round 1 tables: 6", rules.NOT_FOR, {"title": "18AL", "wrong": 6, "sizes": "3 or 4 or 5"}),
        ("round 1 until: soon", form.HOW_OF_DAYS, {}),
        ("score: 60% places, 40% share", form.HOW_OF_SCORES, {}),
        ("score: share 10 6", form.MOST_FIRST, {}),
        ("score: places 1 6 10", form.MOST_FIRST, {}),
        ("score: luck", form.ONE_OF, {"words": "places, wins or share"}),
        ("round 1 kind: semi-final", form.ONE_OF, {"words": "open or final"}),
        ("clock: hourly", "`clock fischer", {}),
        ("round 1 go on: 8", rules.LAST_ROUND, {"round": 1}),
        ("rounds counted: 3", rules.TOO_FEW_ROUNDS, {"best": 3, "rounds": 1}),
        ("aims: pots, pots", form.EACH_ONCE, {}),
        ("places: 4\nplaces: 5", form.STANDS_TWICE, {"line": 1}),
        ("close: 2027-03-31\nstart: 2027-03-01", rules.STARTS_BEFORE_CLOSE, {}),
    ],
)
def test_a_fault_says_what_would_do(line, message, values):
    assert says(" ".join(faults(line)), message, **values)


@pytest.mark.parametrize(
    ("lines", "number", "why"),
    [
        (["places: lots"], 1, f"{form.BETWEEN.format(least=0, most=10000)}."),
        (["places: 4", "places: 5"], 2, form.STANDS_TWICE.format(line=1)),
    ],
)
def test_a_fault_names_its_line(lines, number, why):
    [fault] = faults("\n".join(lines))
    assert fault == form.FAULT.format(line=number, text=lines[-1], why=why)


def test_all_faults_are_told_at_once_in_their_order():
    found = faults("places: lots\nclok: none\nround 1 until: soon")
    lines = [form.FAULT.partition(",")[0].format(line=number) for number in (1, 2, 3)]
    assert [fault.partition(",")[0] for fault in found] == lines


def test_quoted_lines_are_not_read():
    quoted = "".join(f"> {line}\n" for line in form.printed(RULES, True).splitlines())
    read = form.read(f"{quoted}\nrounds: 2\nplaces: 32\n", RULES)
    assert read.places == 32 and len(read.rounds) == 2
    assert read.rounds[1].titles == (AL,)
    assert form.read("> rounds: 3\n> Dan wrote:", read) == read


def test_the_rounds_of_an_elimination_say_how_many_go_on():
    read = form.read("rounds: 2\nround 1 go on: 16 by standings\nround 2 kind: final", RULES)
    assert (read.rounds[0].go_on, read.rounds[0].by) == (16, "standings")
    found = faults("rounds: 3\nround 1 go on: 8\nround 2 kind: final")
    told = " ".join(map(str, found))
    assert says(told, rules.FINAL_BEFORE_END, round=2, next=3)


def test_a_long_text_survives_being_wrapped():
    said = " ".join(["Three rounds of four titles,"] * 20)
    made = form.read(f"announcement: {said}\nannouncement:\nannouncement: Come all.", RULES)
    text = form.printed(made)
    assert max(len(line) for line in text.splitlines()) <= form.WIDTH - len("> ")
    again = form.read(text.replace("places: any", "places: 9"), RULES)
    assert again.announcement == made.announcement and again.places == 9
    assert made.announcement.endswith("\n\nCome all.")
    assert " ".join(made.announcement.split()) == f"{said} Come all."


def test_many_titles_stand_in_several_lines():
    every = "18GA with columbus-home and cog-one-less and free-macon and endless-8 and last-run, 18AL, 18TN"
    made = form.read(f"round 1 titles: {every}", RULES)
    lines = [line for line in form.printed(made).splitlines() if " titles: " in line]
    assert len(lines) == 2 and max(map(len, lines)) <= form.WIDTH - 2
    assert form.read("\n".join(lines), RULES) == made
    apart = form.read("round 1 titles: 18AL\nround 1 titles: 18TN", RULES)
    assert [one.name for one in apart.rounds[0].titles] == ["18AL", "18TN"]
