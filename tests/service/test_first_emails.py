"""More emails of players in their first game: questions about things, runs, sales and offers."""

import pytest
from msgspec.structs import replace

from engine.notation import parse, running
from engine.notation import stock as shares_and_privates
from engine.position.values import Mark
from service.commands import terms
from service.desk.questions import order_answer, queries
from service.reports import inquiries, receipt
from service.reports import turn as turns
from tests.engine.notation import positions
from tests.service.players import flat, one, says
from tests.service.test_newcomers import bare, before_list
from tests.service.test_stale import operating


@pytest.mark.parametrize(
    ("written", "answer"),
    [
        ("Please explain the New Decatur Yards to me.", "one new train at 50%"),
        ("explain S&NA", "`use S&NA: mark G4`"),
        ("Hello Waybill, what does S&NA do exactly?", "`use S&NA: mark G4`"),
        ("What is a float?", "60% has left the IPO"),
        ("explain L&N", "Louisville & Nashville Railroad"),
        ("explain the 2 train", turns.REACHES["stops"].format(kind="A 2", reach="2")),
        ("explain tile 57", "UPGRADES OF TILE 57"),
        ("explain rust", terms.TERMS["rust"]),
        ("help Robert E. Lee", inquiries.NOBODY_HAS.format(private="M&C")),
        ("explain Pan American", "`name Pan American on 2`"),
        ("help stops", turns.TOWNS_ARE_FREE),
        ("help private companies", "phases 3 and 4, for 50% to 150%"),
        ("help float", terms.MONEY["full"]),
    ],
)
def test_a_thing_of_the_game_is_explained(players, written, answer):
    letter = one(players.write("Ann", written), "Ann")
    assert players.texts() == [] and letter.subject.endswith(receipt.ANSWERED_SUBJECT)
    assert says(letter, answer)


@pytest.mark.parametrize("written", ["explain", "explain orders", "Explain my advance orders"])
def test_orders_are_explained_as_before(players, written):
    assert says(one(players.write("Ann", written), "Ann"), order_answer.NONE_STANDS)


def test_the_name_of_a_train_tells_whose_it_is(players):
    state = operating("track")
    marks = (Mark("Robert E. Lee", "L&N", "M&C"),)
    players.place(replace(state, marks=marks, privates={**state.privates, "M&C": "L&N"}))
    letter = one(players.write("Ann", "help Robert E. Lee"), "Ann")
    assert says(letter, inquiries.HAS_NAME, company="L&N")
    places = "G8 Atlanta and G4 Birmingham"
    assert says(letter, inquiries.ITS_BONUS, places=places, bonus=20)


def test_two_free_questions_list_the_legal_moves_once(players):
    letter = one(players.write("Ann", "Where is the coal field?", "Who gets the money?"), "Ann")
    assert flat(letter).count("LEGAL NOW") == 1 and says(letter, queries.NOT_EITHER)


@pytest.mark.parametrize(
    ("written", "done"),
    [
        ("Run the trains and pay a dividend.", "pay"),
        ("Run the 2 train and pay dividends.", "pay"),
        ("Run the 2-train for $60, pay", "pay"),
        ("Run, but keep the money in the company this time.", "withhold"),
        ("Run.\nKeep the money in the company this time.", "withhold"),
        ("Run my train.\nKeep the money.", "withhold"),
    ],
)
def test_a_run_of_the_only_train(players, written, done):
    state = operating("track")
    players.place(replace(state, trains={**state.trains, "L&N": ("2",)}))
    players.write("Ann", *written.split("\n"))
    assert {"run 2: A4-C4", done} <= set(players.texts())


def test_one_of_several_trains_does_not_run_alone_unasked(players):
    players.place(operating("track"))
    before = players.texts()
    letter = one(players.write("Ann", "Run the 2 train."), "Ann")
    assert players.texts() == before and "run" in before_list(letter)


def test_a_wrong_revenue_is_refused_with_the_right_one(players):
    players.place(operating("track"))
    before = players.texts()
    letter = one(players.write("Ann", "run for 70, pay"), "Ann")
    assert players.texts() == before and says(letter, running.EARNS, total="$60")


@pytest.mark.parametrize(
    ("written", "done"),
    [
        ("I sell one of my L&N shares for 90", "sell 1 L&N"),
        ("sell 1 L&N for $90 and buy WRA market", "sell 1 L&N"),
        ("Nothing for me this round, I pass.", "pass"),
    ],
)
def test_a_turn_with_a_price_or_a_round(players, written, done):
    players.place(positions.stock())
    players.write("Ann", written)
    assert done in players.texts()[1:] and players.table().orders == ()


def test_a_wrong_price_of_a_sale_is_refused_with_the_right_one(players):
    players.place(positions.stock())
    before = players.texts()
    letter = one(players.write("Ann", "sell one L&N share for 80"), "Ann")
    told = {"count": "1 share", "company": "L&N", "sell": "sells", "price": "$90"}
    assert players.texts() == before and says(letter, shares_and_privates.SELLS_FOR, **told)


@pytest.mark.parametrize("written", ["I do not accept your offer.", "Declined.", "I don't accept"])
def test_an_offer_is_declined_in_other_words(players, written):
    players.place(positions.stock())
    players.write("Ann", "sell TR to Bob for 30")
    players.write("Bob", written)
    assert players.texts()[2] == "decline"


@pytest.mark.parametrize(
    ("written", "done"),
    [
        ("Buy the last 2 train.", "buy 2"),
        ("lay tile 8 on B3 with NW-NE, buy 2", "lay 8 B3 NW-NE"),
        ("lay tile 8 on B3 with exits NW-NE, buy 2", "lay 8 B3 NW-NE"),
    ],
)
def test_a_train_and_a_tile_in_other_words(players, written, done):
    players.place(bare())
    players.write("Ann", written)
    assert done in players.texts()


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Put the coal field marker on Birmingham", "use S&NA: mark G4"),
        ("Sell my Memphis & Charleston to the L&N for 150", "sell private M&C to L&N for 150"),
    ],
)
def test_a_power_and_a_private_company_in_other_words(written, meant):
    first, second = (
        parse(positions.TITLE, operating("track"), "Ann", text) for text in (written, meant)
    )
    assert first == second


@pytest.mark.parametrize(
    ("written", "answer"),
    [
        ("No thank you, Ann. I'd rather sell it to my own company.", "decline"),
        ("Sorry, no. Declined.", "decline"),
        ("Sorry Ann, no. I'd rather keep it for my own railway.", "decline"),
        ("I want 140 for it, Ann.", "counter for 140"),
        ("that is too low. I'd sell it for $150", "counter for 150"),
        ("I would sell it for 150.", "counter for 150"),
        ("No, keep your money, I decline.", "decline"),
        ("No, Ann, keep your money.", "decline"),
        ("No sale, I pass", "decline"),
        ("100 is too little, I want 150 for it.", "counter for 150"),
        ("$100 is much too low, I'd sell it for $150", "counter for 150"),
        ("I'd sell the M&C for 150.", "counter for 150"),
        ("I would sell the Memphis & Charleston for $150", "counter for 150"),
        ("For 150 you can have it.", "counter for 150"),
        ("No, you can have it for $150, Ann.", "counter for 150"),
    ],
)
def test_an_offer_is_answered_with_a_reason_or_another_price(players, written, answer):
    players.place(positions.stock())
    players.write("Ann", "buy M&C from Bob for 100")
    players.write("Bob", written)
    assert players.texts()[2] == answer


@pytest.mark.parametrize(
    ("offer", "written"),
    [
        ("sell TR to Bob for 30", "I want 40 for it, Ann."),
        ("sell TR to Bob for 30", "That is too low. I'd sell it for $150."),
        ("buy M&C from Bob for 100", "That is too low. I'd sell it for $150 and one L&N share."),
        ("buy M&C from Bob for 100", "That is too low. Sell it for 150 to Cat."),
        ("buy M&C from Bob for 100", "75 is too little, I want 150 for it."),
        ("buy M&C from Bob for 100", "100 is too little"),
        ("buy M&C from Bob for 100", "I'd sell the TR for 150."),
        ("buy M&C from Bob for 100", "I'd sell the M&C for 150 to Cat."),
        ("buy M&C from Bob for 100", "No, keep your L&N share, I decline."),
        ("buy M&C from Bob for 100", "For 150 you can have it and the TR."),
        ("buy M&C from Bob for 100", "For 150 Cat can have it."),
        ("sell TR to Bob for 30", "30 is too little, I want 40 for it."),
        ("sell TR to Bob for 30", "For 60 you can have it."),
        ("sell TR to Bob for 30", "I'd sell the TR for 60."),
    ],
)
def test_who_is_asked_to_buy_or_adds_a_wish_answers_no_offer_with_a_price(players, offer, written):
    players.place(positions.stock())
    players.write("Ann", offer)
    letter = one(players.write("Bob", written), "Bob")
    assert players.texts()[2:] == [] and letter.subject.endswith(receipt.NOT_DONE)


@pytest.mark.parametrize(
    ("written", "ordered"),
    [
        ("buy WRA market\nIn my next turn buy L&N ipo.", "next: buy L&N ipo"),
        (
            "buy WRA market; then pass until someone sells shares or the round ends",
            "pass until alarm or round ends",
        ),
    ],
)
def test_an_order_for_the_next_turns_in_other_words(players, written, ordered):
    players.place(positions.stock())
    players.write("Ann", *written.split("\n"))
    assert "buy WRA market" in players.texts()
    assert [order.text for order in players.table().orders] == [ordered]


def test_a_tile_without_a_number_brings_the_list_of_tiles(players):
    players.place(bare())
    before = players.texts()
    letter = one(players.write("Ann", "I lay straight track on B3 down to Decatur."), "Ann")
    assert players.texts() == before and "`tiles B3` lists those that fit" in flat(letter)
