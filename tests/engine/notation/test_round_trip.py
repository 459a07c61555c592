"""Every legal action of random games reads back from its canonical command."""

from random import Random

import pytest
from msgspec.structs import replace

from engine.actions import (
    BuyPrivate,
    BuyShare,
    BuyTrain,
    Dividend,
    Insist,
    NameTrain,
    Pass,
    PlaceStation,
    Run,
    SellShares,
    TradePrivate,
    TrainRun,
)
from engine.flow import apply, new_game, options, to_act
from engine.notation import parse, write
from engine.options import Choice, Range
from engine.position.frames import Question
from engine.position.values import MARKET, OFFERING
from engine.proposals import PrivateSale
from engine.titles.registry import load_title

from .positions import TITLE, operating, stock

#: how eager random players are, so that their games get on; for anything else it is 1
EAGER = {
    Pass: 0.3,
    SellShares: 0.2,
    Insist: 0.1,
    TradePrivate: 0.1,
    BuyPrivate: 9,
    BuyShare: 9,
    BuyTrain: 9,
}


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_legal_actions_of_random_games_read_back(seed):
    title = load_title("18AL")
    dice = Random(seed)
    state = new_game(title, ("Ann", "Bob", "Cat Ballou", "Dan")[: 3 + seed % 2]).state
    for _ in range(600):
        seats = to_act(title, state)
        if not seats:
            break
        actions = []
        for option in options(title, state, seats[0]):
            if isinstance(option, Range):
                actions += [
                    replace(option.action, **{option.field: n}) for n in (option.low, option.high)
                ]
            elif isinstance(option, Choice):
                actions.append(option.action)
        for action in actions if len(actions) < 12 else dice.sample(actions, 12):
            text = write(title, state, action)
            assert parse(title, state, action.by, text) == action, text
        kinds = sorted({type(action) for action in actions}, key=str)
        kind = dice.choices(kinds, [EAGER.get(kind, 1) for kind in kinds])[0]
        state = apply(title, state, dice.choice([a for a in actions if type(a) is kind])).state


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (BuyTrain(by="Ann", company="L&N", train="3", source=OFFERING, price=180), "buy 3"),
        (BuyTrain(by="Ann", company="L&N", train="2", source=MARKET, price=100), "buy 2 market"),
        (BuyTrain(by="Ann", company="L&N", train="3", source=OFFERING, price=90, power="NDY"), "buy 3 with NDY"),
        (BuyTrain(by="Ann", company="L&N", train="2", source="M&O", price=7), "buy 2 from M&O for 7"),
        (NameTrain(by="Ann", company="L&N", name="Pan American", train="3"), "name Pan American on 3"),
        (NameTrain(by="Ann", company="L&N", name="Pan American"), "name Pan American off"),
        (PlaceStation(by="Ann", company="L&N", hex="G4"), "token G4"),
        (Run(by="Ann", company="L&N"), "run none"),
        (Run(by="Ann", company="L&N", runs=(TrainRun("2", ("A4", "C4")),)), "run 2: A4-C4"),
        (Dividend(by="Ann", company="L&N", kind="pay"), "pay"),
        (Dividend(by="Bob", company="M&O", kind="pay"), "M&O: pay"),
        (TradePrivate(by="Ann", private="M&C", seller="Bob", buyer="L&N", price=60), "buy private M&C from Bob for 60"),
        (TradePrivate(by="Bob", private="M&C", seller="Bob", buyer="L&N", price=60), "sell private M&C to L&N for 60"),
    ],
)  # fmt: skip
def test_canonical_commands_of_an_operating_turn(action, text):
    state = operating()
    assert write(TITLE, state, action) == text
    assert parse(TITLE, state, action.by, text) == action


def test_both_places_of_a_train_are_named_where_there_are_two():
    state = operating("trains")
    state = replace(state, trains={**state.trains, MARKET: ("3",)})
    action = BuyTrain(by="Ann", company="L&N", train="3", source=OFFERING, price=180)
    assert write(TITLE, state, action) == "buy 3 ipo"
    assert parse(TITLE, state, "Ann", "buy 3 ipo") == action


def test_a_company_buys_a_private_out_of_its_turn_under_its_name():
    action = TradePrivate(by="Ann", private="M&C", seller="Bob", buyer="L&N", price=60)
    text = "L&N: buy private M&C from Bob for 60"
    assert write(TITLE, stock(), action) == text
    assert parse(TITLE, stock(), "Ann", text) == action


def test_a_turn_is_still_the_companys_while_a_sale_waits_for_consent():
    state = operating()
    consent = Question("Bob", "Ann", PrivateSale("M&C", "Bob", "L&N", 60))
    state = replace(state, stack=(*state.stack, consent))
    action = Dividend(by="Ann", company="L&N", kind="pay")
    assert write(TITLE, state, action) == "pay"
