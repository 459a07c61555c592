"""How many letters a whole game brings to each player who plans ahead, by the recorded games."""

from collections import Counter

import pytest

import engine
from engine.events import PrivateBought, RoundEnded
from engine.notation import parse, split, write
from engine.telling.narration import narrate
from service.games import games
from service.workshop.demo.plans import planned
from service.workshop.demo.troupe import mails_of
from service.workshop.practice.script import ScriptTurn, read, recorded, recorded_names
from tests.service.players import SECRET, address, flat, game_name, opened, to

SCRIPTS = {name: read(recorded(name)) for name in recorded_names()}
SCRIPT = SCRIPTS["18al"]
#: letters that no player of a recorded game gets more of
MOST = {"18al": 90, "18ga": 100, "18tn": 80, "18gl": 200, "18mw": 130}


@pytest.mark.long
def test_a_planned_game_has_every_line_of_the_record_and_slips_where_they_were():
    plan = planned(SCRIPT)
    slips = [line.text[0] for line in plan if line.refused]
    written = [t.text for t in SCRIPT.lines if isinstance(t, ScriptTurn) and t.refused]
    assert sorted(slips) == sorted(written)
    assert len(plan) < len(mails_of(SCRIPT)) / 2


def written(script):
    """Who did what in the record, in canonical words."""
    title = engine.load_title(script.title, frozenset(script.variants))
    state = engine.new_game(title, script.players, script.seed).state
    for line in script.lines:
        if not isinstance(line, ScriptTurn) or line.refused:
            continue
        for command in split(line.text):
            action = parse(title, state, line.seat, command)
            yield line.seat, write(title, state, action)
            state = engine.apply(title, state, action).state


@pytest.mark.long
@pytest.mark.parametrize("name", SCRIPTS)
def test_a_recorded_game_goes_by_plans_and_needs_few_letters(tmp_path, name):
    script = SCRIPTS[name]
    players = opened(f"sqlite:///{tmp_path}/waybill.sqlite", digest="daily 07:00")
    title = engine.load_title(script.title, frozenset(script.variants))
    game = game_name(SECRET, script.players, title=title)
    players.begin(script.players, game, script.title)
    for line in planned(script):
        letters = players.write(line.seat, *line.text, game=game)
        [receipt] = [one for one in letters if one.kind == "receipt"]
        assert receipt.to == address(line.seat)
        assert ("NOT DONE" in receipt.subject) == line.refused, (line, receipt.text)
        for player in script.players:
            kinds = [kind for kind in to(letters, player) if kind != "receipt"]
            assert len(kinds) <= 1, (player, kinds)
    table = players.table(game)
    assert table.row.status == "ended"
    with players.store.transaction() as tx:
        played = [(row.seat, row.text) for row in tx.log.actions(table.row.id, 0)]
    assert played == list(written(script))
    counts = Counter(letter.to for letter in players.letters)
    by_kind = Counter((letter.to, letter.kind) for letter in players.letters)
    assert max(counts.values()) <= MOST[name], (counts, by_kind)
    players.store.close()


def told_of(letter, title, events):
    """How often a letter tells each of these events, by its sentence."""
    text = flat(letter)
    return {narrate(title, event): text.count(narrate(title, event)) for event in events}


@pytest.fixture(scope="module")
def four_rounds(tmp_path_factory):
    """The first rounds of a game of 18GA, with auctions, whose players read news once a day."""
    script = SCRIPTS["18ga"]
    players = opened(
        f"sqlite:///{tmp_path_factory.mktemp('rounds')}/a.sqlite", digest="daily 07:00"
    )
    title = engine.load_title(script.title, frozenset(script.variants))
    game = game_name(SECRET, script.players, title=title)
    players.begin(script.players, game, script.title)
    for line in planned(script):
        if str(players.table(game).state.round).startswith("SR 3"):
            break
        players.write(line.seat, *line.text, game=game)
    with players.store.transaction() as tx:
        past = games.log_of(tx, games.load(tx, game), True).past
    yield title, script.players, players.letters, [event for one in past for event in one.events]
    players.store.close()


def test_the_summary_of_a_round_does_not_repeat_the_end_of_another(four_rounds):
    title, names, letters, events = four_rounds
    ends = [event for event in events if isinstance(event, RoundEnded)]
    assert [end.round for end in ends] == ["SR 1", "OR 1.1", "SR 2", "OR 2.1"]
    for name in names:
        mine = [letter for letter in letters if letter.to == address(name)]
        summaries = [letter for letter in mine if letter.kind == "round"]
        assert len(summaries) >= 2
        told = [told_of(letter, title, ends) for letter in summaries]
        assert all(sum(one.values()) == 1 for one in told), "each ends one round"
        assert max(sum(one[end] for one in told) for end in told[0]) == 1, "no round ends twice"


def test_an_email_tells_each_fact_once(four_rounds):
    title, _, letters, events = four_rounds
    count = Counter(narrate(title, event) for event in events)
    unique = [event for event in events if count[narrate(title, event)] == 1]
    assert len(unique) > 20
    for letter in letters:
        assert max(told_of(letter, title, unique).values()) <= 1, letter.text


def test_every_purchase_of_an_auction_names_its_buyer_in_every_email(four_rounds):
    """The last player named before a purchase is who bought."""
    title, names, letters, events = four_rounds
    told = 0
    for bought in (event for event in events if isinstance(event, PrivateBought)):
        deed = narrate(title, bought).removeprefix(f"{bought.buyer} ")
        for letter in letters:
            before, found, _ = flat(letter).partition(deed)
            if found:
                told += 1
                last = max(names, key=before.rfind)
                assert last == bought.buyer, letter.text
    assert told > 10
