"""What a new kind of decision touches: its frame, its step, its notation and its words.

What is forgotten is an error at import, or here; what practice does with a kind that it does not
know is sensible.
"""

import ast
from functools import cache
from typing import get_args

import msgspec
import pytest
from msgspec.structs import replace

from engine import actions, flow, load_title, new_game, steps
from engine.actions import Action, CompanyAction, Pass
from engine.events import Event
from engine.events.base import Happening
from engine.facts import powers
from engine.notation import writing
from engine.notation.verbs import VERBS, every
from engine.options import Choice
from engine.position.frames import Frame
from engine.steps.base import AutomaticStep, CompanyStep, Step
from engine.steps.powers.permission import WithLeave
from engine.telling import narration
from service.reports import advice, decisions, position
from service.reports.decisions.base import Words
from service.workshop.practice import legality, occurrences
from service.workshop.practice.bots import RandomBot
from service.workshop.practice.sense import SensibleBot
from tests.source import modules, name, nodes

#: where a kind of decision may stand, and must where the name ends in "!"
PLACES = {
    "frame!": ("engine/position/frames.py", "engine/actions.py"),
    "step!": ("engine/steps/",),
    "what brings it about": ("engine/play/",),
    "notation!": ("engine/notation/",),
    "words!": ("service/reports/decisions/",),
    # what a run earns while its connection is being settled, and a dividend foretold after it
    "runs": ("engine/runs/connections.py", "service/reports/prospects.py"),
    # what is settled before a director puts things right that it is about
    "corrections": ("engine/correcting/",),
    # players of code who think about it, and what is worth counting
    "practice": ("service/workshop/practice/",),
    # which decisions an order given ahead is meant for
    "orders": (
        "service/games/meant.py",
        "service/games/readymade.py",
        "service/desk/ahead/orders_given.py",
    ),
    # what is done for who is silent: that no frame is without a rule is an error at import
    "caretaker": ("service/games/caretaker.py",),
}
KINDS = {
    "stations of a merger": ("MergerStations", "KeepStation"),
    "loans": ("Repay", "RepayLoans"),
    "bonds": ("Redeem", "RedeemBonds"),
    "systems": ("MergeInto",),
    "own shares": ("OwnShares", "IssueShares", "BuyBack"),
    "idle train": ("IdleTrain",),
    "exchange of a private company": ("Swap", "SwapPrivate"),
    "connection": ("Connected",),
    "station trade": ("StationTrade", "BuyStation"),
    "question": ("Question", "Accept", "Decline"),
}
#: what has no file of its own there: it is told of with other kinds
WITHOUT = {("idle train", "words!"), ("connection", "notation!")}


@cache
def names_of(path):
    """The frames and actions that a file imports or defines."""
    every = nodes(path)
    if name(path) in PLACES["frame!"]:
        return {node.name for node in every if isinstance(node, ast.ClassDef)}
    imports = [node for node in every if isinstance(node, ast.ImportFrom)]
    rooms = ("engine", "engine.actions", "engine.position.frames")
    return {alias.name for node in imports if node.module in rooms for alias in node.names}


def standing(kind):
    """The files of the program that name a kind's frame or its actions."""
    every = (*modules("engine"), *modules("service"))
    return {name(path) for path in every if names_of(path) & set(KINDS[kind])}


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "question"])
def test_a_kind_of_decision_stands_in_its_places_and_nowhere_else(kind):
    left = standing(kind)
    for place, folders in PLACES.items():
        here = {name for name in left if name.startswith(folders)}
        own = place.endswith("!") and (kind, place) not in WITHOUT
        assert here or not own, f"{kind} has no {place}"
        left -= here
    assert not left


def test_questions_are_known_besides_to_who_tells_of_them_and_to_other_systems():
    """They interrupt others: the engine's door tells of them, and exports leave them out."""
    known = tuple(folder for folders in PLACES.values() for folder in folders)
    left = {name for name in standing("question") if not name.startswith(known)}
    assert left == {
        "engine/__init__.py",
        "engine/flow.py",
        "service/exchange/course.py",
        "service/exchange/passage.py",
        # a yes before a move is no answer if nobody has asked
        "service/commands/lines.py",
        # answers given ahead, and what would follow them
        "service/games/changes.py",
        "service/games/offers.py",
    }


# what is forgotten is an error


class Vote(msgspec.Struct, frozen=True, tag="vote"):
    """A kind of decision that there is not."""

    seat: str
    company: str = ""


class VoteStep(Step[Vote]):
    frame = Vote
    deciding = "a vote"
    verbs = (actions.Accept,)
    passes = True

    def key(self, frame, now):
        return "vote"

    def actors(self, table, frame):
        return (frame.seat,)

    def candidates(self, table, frame):
        yield Choice(actions.Accept(by=frame.seat))

    def why_not(self, table, frame, action):
        return None

    def play(self, draft, frame, action):
        draft.pop()


def test_each_frame_needs_a_step():
    with pytest.raises(TypeError, match="frames without a step: Discard"):
        steps.by_frame([s for frame, s in steps.STEPS.items() if frame.__name__ != "Discard"])


@pytest.mark.parametrize(
    ("missing", "text"),
    [
        ({"key": Step.key}, "do not name their decision: Forgetful"),
        ({"actors": Step.actors}, "do not say who decides: Forgetful"),
        ({"deciding": ""}, "without words or verbs: Forgetful"),
        ({"verbs": ()}, "without words or verbs: Forgetful"),
    ],
)
def test_each_step_tells_its_decision_its_actors_its_words_and_its_verbs(missing, text):
    forgetful = type("Forgetful", (VoteStep,), missing)
    steps.by_frame([*steps.STEPS.values(), VoteStep()])
    with pytest.raises(TypeError, match=text):
        steps.by_frame([*steps.STEPS.values(), forgetful()])


def test_each_action_needs_rules():
    rules = (*steps.STEPS.values(), *steps.ALWAYS, *steps.NOT_OF_A_STEP)
    without = [acts for acts in rules if actions.NameTrain not in acts.verbs]
    with pytest.raises(TypeError, match="actions that no rules judge: NameTrain"):
        steps.judged(without)


def test_an_action_that_needs_permission_can_be_offered():
    class Votes(WithLeave):
        verbs = (actions.Run,)

    with pytest.raises(TypeError, match="are not in Lent: Run"):
        steps.lent((*steps.NOT_OF_A_STEP, Votes()))


def test_steps_that_never_ask_say_so():
    silent = {step.frame.__name__ for step in steps.STEPS.values() if not step.asks}
    assert silent == {"StockRound", "OperatingRound", "OperatingTurn", "Retire"}
    assert {type(s) for s in steps.STEPS.values() if isinstance(s, AutomaticStep)} == {
        type(s) for s in steps.STEPS.values() if not s.asks
    }
    assert {*steps.ASKING} | {f for f, s in steps.STEPS.items() if not s.asks} == {*get_args(Frame)}


def test_each_decision_needs_words():
    with pytest.raises(TypeError, match="decisions without words: Interest, Redeem"):
        decisions.by_frame(
            words
            for frame, words in decisions.WORDS.items()
            if frame.__name__ not in ("Interest", "Redeem")
        )


def test_words_without_a_task_or_an_example_are_no_words():
    class Mute(Words):
        frame = Vote

    with pytest.raises(TypeError, match=r"example.*figures.*own_words.*task"):
        Mute()


def test_words_are_of_frames_that_ask():
    assert set(decisions.WORDS) == set(steps.ASKING)


def test_each_action_is_listed_where_it_is_legal(monkeypatch):
    advice._complete()
    monkeypatch.setattr(advice, "_AFTER", advice._AFTER[1:])
    with pytest.raises(TypeError, match="never listed as legal: PlaceStation"):
        advice._complete()


def test_each_action_has_notation(monkeypatch):
    class Abstain(CompanyAction, frozen=True, tag="abstain"):
        pass

    monkeypatch.setattr(writing, "Action", Action | Abstain)
    with pytest.raises(TypeError, match="actions without notation: Abstain"):
        writing.complete()


def test_each_verb_is_in_the_table_of_all_verbs():
    with pytest.raises(TypeError, match="not in the table of all verbs: extend"):
        every(verb for verb in VERBS if verb.name != "extend")


def test_each_action_is_made_by_the_reading_of_a_command():
    """Or by nothing else in the program, and by nobody."""
    calls = {
        node.func.id
        for path in modules("engine/notation")
        if path.name != "writing.py"
        for node in nodes(path)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert {kind.__name__ for kind in get_args(Action)} - calls == set()


def test_a_company_is_named_before_an_action_of_its_turn_by_the_type_of_the_action():
    named = {kind for kind in get_args(Action) if "company" in kind.__struct_fields__}
    others = {actions.Par, actions.BuyShare, actions.SellShares, actions.DiscardTrain}
    others.add(actions.SwapPrivate)
    assert {kind for kind in named if issubclass(kind, CompanyAction)} == named - others


def test_each_power_has_words():
    words = {kind: say for kind, say in position._WORDS.items() if kind is not powers.FerryPower}
    with pytest.raises(TypeError, match="powers without words: FerryPower"):
        position.worded(words)


def test_each_event_has_words(monkeypatch):
    monkeypatch.delitem(narration.SENTENCES, narration.ev.Passed)
    with pytest.raises(TypeError, match="events without words: Passed"):
        narration._complete()


def test_practice_can_draw_every_field_of_every_action(monkeypatch):
    monkeypatch.delitem(legality._DRAWN, "ferry")
    with pytest.raises(TypeError, match=r"cannot draw: .'ferry'"):
        legality._drawable()


# what practice does with a kind it does not know

TITLE = load_title("18AL")


@pytest.fixture
def vote(monkeypatch):
    """A position in which somebody votes."""
    monkeypatch.setitem(steps.STEPS, Vote, VoteStep())
    state = new_game(TITLE, ["Ann", "Bob", "Cas"]).state
    return replace(state, stack=(*state.stack, Vote("Bob")))


@pytest.mark.parametrize("bot", [RandomBot(1), SensibleBot(1)], ids=["random", "sensible"])
def test_bots_decide_by_what_is_legal(bot, vote):
    assert flow.why_not(TITLE, vote, bot.choose(TITLE, vote, "Bob")) is None


def test_a_sensible_bot_takes_a_step_of_a_turn_for_one_like_others(monkeypatch, vote):
    class CompanyVoteStep(VoteStep, CompanyStep):
        in_turn = True
        actors = VoteStep.actors

    monkeypatch.setitem(steps.STEPS, Vote, CompanyVoteStep())
    state = replace(vote, stack=(*vote.stack[:-1], Vote("Bob", "L&N")))
    state = replace(state, presidents={"L&N": "Bob"}, cash={**state.cash, "L&N": 0})
    assert SensibleBot(1).choose(TITLE, state, "Bob") == Pass(by="Bob")


def test_what_happens_is_counted_under_its_own_name(vote):
    class Voted(Happening, frozen=True, tag="voted"):
        seat: str

    outcome = flow.Outcome(vote, (Voted("Bob"),))
    assert list(occurrences.happened(TITLE, vote, Pass(by="Bob"), outcome)) == ["voted"]


def test_events_are_counted_or_said_to_be_usual_but_never_both():
    groups = (set(occurrences._NAMES), set(occurrences._USUAL), set(occurrences._DETAILED))
    assert sum(map(len, groups)) == len(set().union(*groups))
    assert set().union(*groups) <= set(get_args(Event))
