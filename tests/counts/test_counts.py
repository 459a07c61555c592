"""What is legal at fixed positions is what it was when somebody last looked at it."""

from collections import Counter

import pytest
from msgspec.structs import replace

from engine import title_names
from engine.steps.operating.track import TrackStep
from tests import games
from tests.counts import __main__ as command
from tests.counts import files
from tests.counts.counting import Count, count, differences

STORED = {title: files.read(title) for title in files.titles()}
GAMES = [
    (title, name)
    for title, counts in STORED.items()
    for name in dict.fromkeys(c.game for c in counts)
]
HINT = "if that is meant: `make counts`, read the differences, and commit them with the rule"


def changes(title, name):
    """What differs at the positions of a game, told for people."""
    played = games.game(name)
    found = []
    for was in STORED[title]:
        if was.game == name:
            state = played.states[was.after]
            now = count(name, was.after, played.title, state)
            if now != was:
                told = "\n  ".join(differences(played.title, state, was, now))
                found.append(f"{name} after {was.after}, {was.when}\n  {told}")
    return found


@pytest.mark.parametrize(("title", "name"), GAMES)
def test_what_is_legal_is_what_it_was(title, name):
    found = changes(title, name)
    assert not found, "\n".join([*found, HINT])


def test_some_dozens_of_positions_of_every_title_are_counted():
    assert set(STORED) == set(title_names())
    for counts in STORED.values():
        assert len(counts) >= 24
        assert sum(sum(one.legal.values()) for one in counts) > 400
        assert sum(bool(one.then) for one in counts) >= 20


@pytest.mark.parametrize("title", STORED)
def test_every_kind_of_decision_of_the_recorded_games_is_counted(title):
    shown = {
        type(state.stack[-1])
        for name in [title.lower(), *games.names()]
        if games.game(name).title.name == title
        for state in games.game(name).states
        if state.stack
    }
    counted = {type(games.game(c.game).states[c.after].stack[-1]) for c in STORED[title]}
    assert shown == counted


def test_a_rule_that_refuses_too_much_is_told_with_what_it_refuses(monkeypatch):
    judged = TrackStep.why_not

    def strict(self, table, frame, action):
        if getattr(action, "tile", "") == "57":
            return table.refuse("turn order", "no", "no tile 57 today")
        return judged(self, table, frame, action)

    where = next(c for c in STORED["18AL"] if any(" lay 57 " in text for text in c.commands))
    assert not changes("18AL", where.game)
    monkeypatch.setattr(TrackStep, "why_not", strict)
    told = next(text for text in changes("18AL", where.game) if f"after {where.after}," in text)
    lays = sum(" lay 57 " in text for text in where.commands)
    assert f"lay: {where.legal['lay']} before, {where.legal['lay'] - lays} now" in told
    assert "gone: " in told and "no tile 57 today" in told


def test_an_option_more_is_told_and_what_follows_is_counted():
    played = games.game("18al")
    now = count("18al", 0, played.title, played.states[0])
    first, *rest = now.commands
    was = replace(
        now, legal={**now.legal, "buy private": 0}, then=Counter(now.then, bid=1), commands=(*rest,)
    )
    told = list(differences(played.title, played.states[0], was, now))
    assert told == [
        "buy private: 0 before, 1 now",
        f"  new: {first}",
        f"bid, one action later: {was.then['bid']} before, {now.then['bid']} now",
    ]


def test_files_are_read_as_they_are_written(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "FOLDER", tmp_path)
    counts = [Count("18al", 7, "SR 1, phase 1, auction", {"bid": 1}, {}, ("Ann: bid TR 25 to 30",))]
    files.write("18AL", counts)
    assert files.read("18AL") == counts
    assert files.titles() == ["18AL"]


def test_counting_anew_tells_what_has_changed_and_stores_it(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(files, "FOLDER", tmp_path)
    true = files.counted("18al", 0)
    files.write("18AL", [replace(true, legal={"bid": 9})])
    assert command.main([]) == 0
    assert "18al after 0, SR 1" in (told := capsys.readouterr().out)
    assert "bid: 9 before, 4 now" in told
    assert files.read("18AL") == [true]


def test_a_position_that_there_is_not_is_told():
    with pytest.raises(LookupError, match="18al has no decision after 9999 actions"):
        files.counted("18al", 9999)
