"""What an export tells in another order than it was played, as 18xx.games would not wait for it."""

import pytest
from msgspec.structs import replace

from engine.actions import BuyTrain, Decline, DiscardTrain, Pass, PlaceMark, TradePrivate
from engine.position.frames import Discard
from engine.position.values import CLOSED, OFFERING, Mark, Round
from engine.titles.registry import load_title
from service.exchange.dialect import DIALECTS, NeighbourError
from service.exchange.passage import Passage
from tests.rules.titled import Titled
from tests.rules.tn.setting import on

THEIRS = load_title("18TN", frozenset({"18xx.games"}))
#: a tile of its own, and the free one of M&C for Memphis
OWN = on.lay("GMO", "8", "F7", 0)
FREE = on.lay("GMO", "57", "H3", 0, power="M&C")


def passage_from(state):
    """The way of a game there that has come to a position."""
    passage = Passage(THEIRS, DIALECTS["18TN"], state.seats)
    passage.state = state
    passage._advance()
    return passage


def told(state, *actions):
    """What is written for some actions: the type, and what is laid, bought or given up."""
    passage = passage_from(state)
    for number, action in enumerate(actions, 1):
        passage.take(number, action)
    keys = ("hex", "company", "train")
    return [
        (w.raw["type"], next((str(w.raw[key]) for key in keys if key in w.raw), ""), w.number)
        for w in passage.written
    ]


def with_m_and_c(cash, laid=1):
    """GMO with M&C, after so many of the two tiles of its turn; it has no train and no route."""
    state = on.privates(on.turn("GMO", cash=cash), {"M&C": "GMO"})
    return replace(state, stack=(*state.stack[:-1], replace(state.stack[-1], laid=laid)))


def test_a_free_tile_with_which_the_turn_would_end_goes_before_another():
    """Their step `Dividend` asks who acts, and takes it to be the private company."""
    laid = told(with_m_and_c(0), OWN, FREE)
    assert [(type_, number) for type_, _, number in laid] == [("lay_tile", 2), ("lay_tile", 1)]


def test_a_free_tile_after_which_the_turn_goes_on_stays_where_it_was():
    assert [number for _, _, number in told(with_m_and_c(500), OWN, FREE)] == [1, 2]
    # or where a tile of the company's own may follow
    assert [number for _, _, number in told(with_m_and_c(0, laid=0), OWN, FREE)] == [1, 2]


def test_all_free_tiles_after_the_last_of_the_company_go_before_it():
    state = on.privates(with_m_and_c(0), {"M&C": "GMO", "ET&WNC": "GMO"})
    other = on.lay("GMO", "8", "F19", 3, power="ET&WNC")
    assert [number for _, _, number in told(state, OWN, FREE, other)] == [2, 3, 1]


def test_a_free_tile_alone_with_which_the_turn_would_end_is_refused():
    passage = passage_from(with_m_and_c(0, laid=2))
    with pytest.raises(NeighbourError, match=r"action 7: .* a turn ends with the tile of M&C"):
        passage.take(7, FREE)


def test_who_asked_for_a_train_in_vain_has_left_the_steps_before_it():
    """So a private company's train that comes later does not run any more."""
    state = on.company(on.turn("GMO", cash=500), "L&N", {"Bob": 60}, trains=("2",))
    ask = BuyTrain(by="Ann", company="GMO", train="2", source="L&N", price=50)
    assert told(state, ask) == []
    (passed,) = told(state, ask, Decline(by="Bob"))
    assert passed[0] == "pass"


def test_a_marker_of_a_private_company_that_has_closed_is_not_told_any_more():
    title = load_title("18AL", frozenset({"18xx.games"}))
    al = Titled(title)
    state = al.company(al.phase(al.stock_turn(), "5"), "TAG", {"Ann": 60}, trains=("5",))
    state = al.operating(state, "TAG", "trains")
    state = replace(state, marks=(Mark("coal field", "TAG", "S&NA", "E6"),))
    passage = Passage(title, DIALECTS["18AL"], state.seats)
    passage.state = al.privates(state, {"S&NA": CLOSED})
    passage._advance()
    passage._late.append((PlaceMark(by="Ann", company="TAG", private="S&NA", hex="E6"), 5))
    with pytest.raises(NeighbourError, match="has closed S&NA before its marker lies"):
        passage.take(7, Pass(by="Ann"))


def first_round(cash):
    """GMO in the first operating round, while Ann, its president, has two private companies."""
    state = on.privates(on.turn("GMO", "trains", cash=cash), {"O&W": "Ann", "M&C": "Ann"})
    return replace(state, round=Round("OR", 1, 1, 1))


def sale(private, price):
    return TradePrivate(by="Ann", private=private, seller="Ann", buyer="GMO", price=price)


def test_a_private_company_is_bought_before_the_train_that_ends_the_turn_there():
    """In phase 2 their step `BuyCompany` does not wait, also in the first operating round."""
    price = THEIRS.privates["O&W"].par
    first = told(first_round(500), on.buy_train("GMO", "2", 80), sale("O&W", price))
    assert first == [("buy_company", "OWR", 2), ("buy_train", "2-0", 1)]


def test_a_private_company_bought_while_the_turn_goes_on_stays_where_it_was():
    price = THEIRS.privates["O&W"].par
    first = told(first_round(500), sale("O&W", price), on.buy_train("GMO", "2", 80))
    assert [number for _, _, number in first] == [1, 2]


def test_a_purchase_that_nothing_of_the_turn_can_come_after_is_refused():
    passage = passage_from(first_round(500))
    passage._stage = passage._stage.OVER
    with pytest.raises(NeighbourError, match=r"the turn of GMO is over on 18xx\.games"):
        passage.take(3, sale("O&W", THEIRS.privates["O&W"].par))


def test_trains_over_the_limit_are_given_up_in_the_site_s_order_of_companies():
    owned = {"GMO": ("2",) * 4, "SOU": ("3",) * 4, "IC": ("2", "3", "4", "4")}
    state = on.turn("GMO", "trains", at_phase="4", trains=owned["GMO"])
    presidents = {"IC": "Cas", "GMO": "Ann", "SOU": "Bob"}
    for name in ("SOU", "IC"):
        state = on.company(state, name, {presidents[name]: 60}, trains=owned[name])
    passage = passage_from(replace(state, stack=(*state.stack, Discard(tuple(presidents)))))
    trains = passage.to.pieces.trains
    for name, held in owned.items():
        for train in held:
            trains.move(trains.held(OFFERING, train)[0], name)
    for number, (name, who) in enumerate(presidents.items(), 1):
        assert not passage.written
        passage.take(number, DiscardTrain(by=who, company=name, train=owned[name][0]))
    assert [(w.raw["entity"], w.number) for w in passage.written] == [
        ("SR", 3),
        ("GMO", 2),
        ("IC", 1),
    ]
