"""Emails as people write them in their first game, who have read nothing but the emails.

An email is done as its writer means it, or no move of it is done.
"""

import pytest
from msgspec.structs import replace

from engine.notation import parse, split
from engine.notation.reading import AND_MORE
from service.commands import reading
from service.commands.lines import addressed, known_of
from service.desk.ahead import orders_given
from service.desk.informing import own_pages
from service.desk.questions import queries
from service.games import orders
from service.games.game_status import NEEDED, REPLY_START
from service.orders import grammar
from service.orders.building import NO_NUMBER_OF_SHARES
from service.reports import prospects, receipt
from service.reports import turn as reports_of_turns
from service.reports.decisions import stock
from tests.engine.notation import positions
from tests.rules.gl.setting import on as great_lakes
from tests.rules.mw.setting import on as midwest
from tests.service.players import ADDRESS, GAME, address, flat, one, says, unsaid
from tests.service.test_stale import operating

STOCK = replace(positions.opening(), stack=positions.stock().stack)


@pytest.mark.parametrize(
    ("written", "done"),
    [
        ("I'd like to buy the Tuscumbia Railway.\n\nCat\nSent from my iPhone", ["buy TR"]),
        ("Hi all, good luck everyone! I'll take the TR for 20 bucks.", ["buy TR"]),
        ("OK, then buy Tuscumbia Railway\n\n> REPLY WITH, for example\n> pass", ["buy TR"]),
        ("My move: purchase the cheapest private company", ["buy TR"]),
        ("Ann: buy TR", ["buy TR"]),
        ("If I bid, when do I pay? Anyway, I'll bid 125 on New Decatur Yards", ["bid NDY 125"]),
        ("I'd like to bid on the Memphis & Charleston, 105 dollars.", ["bid M&C 105"]),
        ("I think I'll pass this time.", ["pass"]),
        ("Pass. By the way Bob, nice opening!", ["pass"]),
        ("Pass, I don't have enough money", ["pass"]),
        ("I do nothing", ["pass"]),
        ("Hi Waybill,\n\nLet me have the Tuscumbia Railway for $20.", ["buy TR"]),
        ("I'll have the Tuscumbia", ["buy TR"]),
        ("Pick up the Tuscumbia Railway, $20.", ["buy TR"]),
        ("Then: I buy the Tuscumbia Railway for $20.", ["buy TR"]),
        ("OK buy the Tuscumbia Railway", ["buy TR"]),
        ("TR for 20", ["buy TR"]),
        ("NDY 125", ["bid NDY 125"]),
        ("New Decatur Yards for 125, please", ["bid NDY 125"]),
        ("I bid 75 on the Brown & Sons Lumber Company", ["bid B&SLC 75"]),
        ("No more bids from me", ["pass"]),
        ("I am done bidding for now.", ["pass"]),
        ("I also pass.", ["pass"]),
        ("I am out.", ["pass"]),
        ("Skip me", ["pass"]),
        ("I choose to buy TR", ["buy TR"]),
        ("the TR for its price of $20", ["buy TR"]),
        ("TR: 20", ["buy TR"]),
        ("the NDY for a price of $125", ["bid NDY 125"]),
        ("New Decatur Yards: $130", ["bid NDY 130"]),
        ("Give me the Tuscumbia", ["buy TR"]),
        ("count me out", ["pass"]),
        ("I'll stay out", ["pass"]),
        ("I am staying out.", ["pass"]),
        ("Too expensive for me, I'll pass", ["pass"]),
        ("It's much too expensive for my taste, so I pass.", ["pass"]),
        ("TR is too expensive, I'll pass", ["pass"]),
        ("The Tuscumbia Railway is way too expensive for me, so I'll pass.", ["pass"]),
        ("I'm finished for this stock round, pass", ["pass"]),
    ],
)
def test_the_sale_of_private_companies(players, written, done):
    players.write("Ann", *written.split("\n"))
    assert players.texts() == done


@pytest.mark.parametrize(
    "written",
    ["Mobile and Ohio - 180", "Mobile and Ohio: 180", "MO: $180", "Mobile & Ohio RR: 180"],
)
def test_a_private_company_and_a_price_are_a_bid(newcomers, written):
    newcomers.begin(title="18MW")
    newcomers.write("Ann", written)
    assert newcomers.texts() == ["bid MO 180"]


@pytest.mark.parametrize(
    ("written", "works"),
    [
        ("I choose to buy", "buy TR"),
        ("the M&C for its price of $100", "bid M&C 105"),
    ],
)
def test_half_a_move_brings_the_move_that_works(players, written, works):
    letter = one(players.write("Ann", written), "Ann")
    assert players.texts() == [] and letter.subject.endswith(receipt.NOT_DONE)
    assert works in before_list(letter)
    players.reply(letter, works)
    assert players.texts() == [works]


@pytest.mark.parametrize("written", ["give me one share", "I choose to buy", "buy another share"])
def test_a_share_of_no_company_brings_the_purchases_that_work(players, written):
    players.place(positions.stock())
    before = players.texts()
    letter = one(players.write("Ann", written), "Ann")
    assert players.texts() == before
    works = ["buy L&N ipo", "buy M&O ipo", "buy M&O market", "buy WRA market"]
    assert before_list(letter).endswith(f"As in: {' '.join(works)} ")


def before_list(letter):
    """What a refusal says before the list of legal moves."""
    return flat(letter).partition("LEGAL NOW")[0]


@pytest.mark.parametrize(
    ("written", "done"),
    [
        ("WRA: buy another share", "buy WRA market"),
        ("L&N: buy another share", "buy L&N ipo"),
        ("L&N: another share", "buy L&N ipo"),
        ("give me one share of WRA", "buy WRA market"),
        ("second WRA share for me", "buy WRA market"),
        ("buy M&O ipo and then pass round", "buy M&O ipo"),
    ],
)
def test_a_share_in_other_words(players, written, done):
    players.place(positions.stock())
    players.write("Ann", *written.split("\n"))
    assert done in players.texts()
    assert [order.text for order in players.table().orders] == (
        ["pass until alarm or round ends"] if "pass" in written else []
    )


def test_a_share_that_two_places_sell_brings_both(players):
    players.place(positions.stock())
    letter = one(players.write("Ann", "second M&O share for me"), "Ann")
    assert "Write one of: buy M&O ipo buy M&O market " in before_list(letter)


@pytest.mark.parametrize(
    ("written", "done"),
    [
        ("Yes, buy TR", "buy TR"),
        ("Yes buy TR please", "buy TR"),
        ("Yes, I'd like to bid 125 on New Decatur Yards", "bid NDY 125"),
        ("Yeah, pass", "pass"),
    ],
)
def test_a_yes_before_a_move_is_no_answer_where_nobody_has_asked(players, written, done):
    players.write("Ann", written)
    assert players.texts() == [done]


@pytest.mark.parametrize(
    ("written", "done"),
    [
        ("Could you please buy the TR for me?", "buy TR"),
        ("Can you buy TR please", "buy TR"),
        ("Could I buy the Tuscumbia Railway, please?", "buy TR"),
        ("Hi, would you please bid 125 on NDY? Thanks!", "bid NDY 125"),
        ("May I have the TR, please?", "buy TR"),
        ("Can you pass for me?", "pass"),
        ("Yes, I mean buy: TR", "buy TR"),
        ("Yes, I meant buy TR", "buy TR"),
        ("Sorry, I meant: bid 125 on NDY", "bid NDY 125"),
    ],
)
def test_a_polite_request_or_a_correction_of_a_whole_move_is_that_move(players, written, done):
    players.write("Ann", written)
    assert players.texts() == [done]


@pytest.mark.parametrize(
    "written",
    [
        "Can I buy TR?",
        "Could you tell me please whether I can buy TR?",
        "Could you explain the bid on NDY to me, please?",
        "Can you please tell me what NDY costs?",
    ],
)
def test_a_question_stays_one(players, written):
    letter = one(players.write("Ann", written), "Ann")
    assert players.texts() == [] and letter.subject.endswith(receipt.ANSWERED_SUBJECT)


@pytest.mark.parametrize("written", ["yes, please", "Yes", "Yes, buy foo", "Yes, nice opening"])
def test_a_yes_without_a_move_makes_none(players, written):
    letter = one(players.write("Ann", written), "Ann")
    assert players.texts() == []
    assert letter.subject.endswith(receipt.NOT_DONE)


@pytest.mark.parametrize("written", ["yes, please", "Yes, pass"])
def test_a_yes_answers_the_question_that_is_open(players, written):
    players.place(positions.stock())
    players.write("Ann", "sell TR to Bob for 30")
    players.write("Bob", written)
    assert players.texts()[2] == "accept" and players.state.privates["TR"] == "Bob"


@pytest.mark.parametrize("written", ["give up S&NA", "I give up", "pass on S&NA"])
def test_a_player_gives_up_what_is_auctioned(players, written):
    players.write("Ann", "bid S&NA 45")
    players.write("Bob", "bid S&NA 50")
    players.write("Cat", "buy TR")
    players.write("Ann", written)
    assert players.texts()[-1] == "pass" and players.state.privates["S&NA"] == "Bob"


@pytest.mark.parametrize("written", ["bid S&NA 45 or more", "bid S&NA 45 or more, up to $600"])
def test_a_bid_of_two_sums_is_refused_with_the_bid_that_it_may_mean(players, written):
    letter = one(players.write("Ann", written), "Ann")
    assert players.texts() == [] and players.table().orders == ()
    assert "bid S&NA 45?" in flat(letter) or "Write one of: bid S&NA 45" in flat(letter)


@pytest.mark.parametrize(
    ("written", "ordered"),
    [
        ("I pass for the rest of the round", "pass until alarm or round ends"),
        ("pass for the whole round", "pass until alarm or round ends"),
        ("pass until the stock round ends", "pass until round ends"),
    ],
)
def test_to_pass_for_the_round_in_other_words(players, written, ordered):
    players.place(positions.stock())
    players.write("Ann", written)
    [order] = players.table().orders
    assert order.text == ordered


@pytest.mark.parametrize(
    "written",
    [
        "I have TR and NDY",
        "Good value, the TR and buy it",
        "Same as suggested",
        "buy TR and NDY",
        "Next time, I'll buy TR",
        "If it's too expensive for me, I'll pass",
        "If TR is too expensive, I'll pass",
        "I'll buy TR and NDY is too expensive, I'll pass",
        "Buy TR because NDY is too expensive, I'll pass",
        "TR is not too expensive, I'll pass next time",
        "I'm finished for this stock round, pass round",
    ],
)
def test_what_is_not_understood_makes_no_move_and_shows_what_would(players, written):
    letter = one(players.write("Ann", written), "Ann")
    assert players.texts() == []
    assert letter.subject.endswith(receipt.NOT_DONE)
    assert "`buy TR`" in letter.text


@pytest.mark.parametrize(
    ("written", "done"),
    [
        ("OK, I'd like to start the WRA at $70 then.", "par WRA 70"),
        ("Start Western Railway of Alabama for $70 a share", "par WRA 70"),
        ("I'll open the WRA with a par of 70", "par WRA 70"),
        ("I'm going to start the WRA now, par value 70.", "par WRA 70"),
        ("Buy the president's share of WRA, par $70", "par WRA 70"),
        ("I'm out, pass for now", "pass"),
        ("Starting M&O, par value is $60. Thanks.", "par M&O 60"),
    ],
)
def test_a_first_stock_turn(players, written, done):
    players.place(STOCK)
    players.write("Ann", written)
    assert done in players.texts()


def test_a_sale_and_then_a_purchase_are_one_turn(players):
    players.place(positions.stock())
    players.write(
        "Ann", "Hello! I'd like to sell one share of L&N and then buy WRA from the market"
    )
    assert players.texts()[-3:-1] == ["sell 1 L&N", "buy WRA market"]


@pytest.mark.parametrize(
    ("written", "done"),
    [
        ("Another WRA", "buy WRA market"),
        ("One more WRA for 75", "buy WRA market"),
        ("I buy another share of WRA and then pass until the end of the round.", "buy WRA market"),
        ("Buy one more WRA, and then I pass for the rest of the round", "buy WRA market"),
    ],
)
def test_a_purchase_perhaps_with_an_order_for_the_round(players, written, done):
    players.place(positions.stock())
    letter = one(players.write("Ann", written), "Ann")
    assert done in players.texts()
    assert ("Your order 1" in letter.text) == ("pass" in written)


@pytest.mark.parametrize(
    "written",
    [
        "one last WRA, then I pass until the stock round is over",
        "buy TR market and then pass until the round ends",
    ],
)
def test_nobody_passes_for_the_round_without_the_move_before_it(players, written):
    players.place(positions.stock())
    before = players.texts()
    letter = one(players.write("Ann", written), "Ann")
    assert players.texts() == before and letter.subject.endswith(receipt.NOT_DONE)
    assert "Your order 1" not in letter.text


def test_a_share_that_a_player_has_is_not_bought(players):
    players.place(positions.stock())
    before = players.texts()
    players.write("Ann", "I have WRA.", "We have WRA from the market.")
    assert players.texts() == before


def test_a_second_sentence_is_part_of_the_turn(players):
    players.place(positions.stock())
    players.write("Ann", "I sell one share of L&N. After that I buy WRA from the market.")
    assert players.texts()[-3:-1] == ["sell 1 L&N", "buy WRA market"]


def test_the_first_stock_turn_lists_the_companies_and_asks_for_no_sale(players):
    players.place(STOCK)
    letter = players.turn("Ann")
    assert "sell" not in letter.subject and len(letter.subject) <= 60
    for company in positions.TITLE.facts.company:
        assert f"{company.id} {company.name}, home {company.home}" in flat(letter)


@pytest.mark.parametrize(
    ("written", "done"),
    [
        (
            "Lay tile 8 on B3, NW-NE. Buy a 2 train. That's all, thanks!",
            ["lay 8 B3 NW-NE", "buy 2"],
        ),
        ("Lay 8 B3 NW-NE, then buy 2", ["lay 8 B3 NW-NE", "buy 2"]),
        ("Tile 8 to B3 (NW-NE)\nno token\nbuy a new train", ["lay 8 B3 NW-NE", "buy 2"]),
        ("put a yellow #8 on B3, north west to north east\ntrain 2", ["lay 8 B3 NW-NE", "buy 2"]),
        ("L&N lays 8 on B3 (NW to NE) and buys a 2-train for $100.", ["lay 8 B3 NW-NE", "buy 2"]),
        ("Louisville & Nashville builds tile 8 on B3 NW-NE, buys a 2", ["lay 8 B3 NW-NE", "buy 2"]),
    ],
)
def test_a_company_s_turn(players, written, done):
    players.place(bare())
    players.write("Ann", *written.split("\n"))
    assert [text for text in players.texts() if text in done] == done


@pytest.mark.parametrize(
    "written",
    [
        "I'd like to connect Nashville to Decatur and buy a 2-train.",
        "Extend my track near B3 and buy a 2 train",
        "Put something nice on B3\nbuy 2",
        "8 on B3, exits NW and NE\nbuy 2",
    ],
)
def test_a_train_is_not_bought_without_the_tile_that_was_asked_for(players, written):
    players.place(bare())
    before = players.texts()
    players.write("Ann", *written.split("\n"))
    assert players.texts() == before


@pytest.mark.parametrize(
    "written",
    [
        "take a loan and buy 2",
        "Borrow 100\nbuy 2",
        "get the station and buy 2",
        "set a station somewhere, buy 2",
        "with my private lay 8 B3 NW-NE\nbuy 2",
        "8 on B3 NW-NE, please\nbuy 2",
        "M&O lays 8 on B3 NW-NE and buys a 2",
        "lay 8 B3 NW-NE\nThen a nice new 2 train",
        "lay 8 B3 NW-NE\nL&N also buys your 2 train, Bob, for $100",
        "Ann lays 8 on B3 NW-NE and buys a 2",
    ],
)
def test_half_of_what_was_asked_for_is_not_done(players, written):
    players.place(bare())
    before = players.texts()
    letter = one(players.write("Ann", *written.split("\n")), "Ann")
    assert players.texts() == before and letter.subject.endswith(receipt.NOT_DONE)


def test_a_name_with_please_is_no_talk(players):
    letter = one(players.write("Ann", "Tuscumbia Railway, please.", "Thanks!", "pass"), "Ann")
    assert players.texts() == [] and says(letter, reading.VERB_IS_MISSING)


def bare():
    """L&N's first turn: no train, no tile, and the bank sells 2 trains."""
    state = operating("track")
    trains = {**state.trains, **positions.opening().trains, "L&N": ()}
    return replace(state, trains=trains, tiles={})


def test_a_question_out_of_turn_does_not_promise_moves(players):
    letter = one(players.write("Bob", "When do I pay?"), "Bob")
    assert says(letter, queries.IN_YOUR_WORDS) and unsaid(letter, queries.YOU_MAY)
    letter = one(players.write("Ann", "When do I pay?"), "Ann")
    assert says(letter, f"{queries.IN_YOUR_WORDS} {queries.YOU_MAY}")


def test_the_organizer_is_asked_to_start_when_enough_have_joined(newcomers):
    created = newcomers.gather(("Ann", "Bob"))
    assert says(newcomers.letters[-1], NEEDED, players="1 more player")
    assert unsaid(newcomers.letters[-1], REPLY_START)
    [asked] = newcomers.stranger(address("Cat"), f"join {GAME} as Cat")
    assert says(one(newcomers.reply(asked, "Yep!"), "Ann", "notice"), REPLY_START)
    newcomers.reply(created, "Great, everybody is here. Please start the game!")
    assert newcomers.table().row.status == "running"


def test_the_quick_start_in_an_email_names_no_other_address(newcomers):
    [letter] = newcomers.stranger(address("Ann"), "help quickstart")
    assert "waybill@example.org" not in letter.text and ADDRESS not in letter.text


@pytest.mark.parametrize("ending", receipt.SUBJECT_ENDINGS)
def test_the_subject_of_a_receipt_is_cut_to_sixty_characters(ending):
    subject = receipt.answering("[dixie7] YOUR TURN: buy or bid on a private company, SR 1", ending)
    assert subject.startswith("Re: [dixie7] buy or bid on a private")
    assert subject.endswith(f" – {ending}") and len(subject) <= receipt.LONGEST_SUBJECT


@pytest.mark.parametrize(
    ("written", "done"),
    [
        ("One more share of my WRA please.", ["buy WRA market"]),
        ("Sorry. I buy one more share of my L&N.", ["buy L&N ipo"]),
        ("I'd like one share of the Western Railway of Alabama, please.", ["buy WRA market"]),
        ("Please buy one more WRA share for me, for 75.", ["buy WRA market"]),
        ("I'll take one share of WRA for 75, to help Bob.", ["buy WRA market"]),
        ("Nothing this time, I don't want to buy or sell anything.", ["pass"]),
        ("Then I pass.", ["pass"]),
        ("No more from me this time, I pass.", ["pass"]),
        ("I'll pass again, I am happy with what I have.", ["pass"]),
        ("First I sell one share of L&N. With the money I buy one WRA share.",
         ["sell 1 L&N", "buy WRA market"]),
        ("I sell one share of L&N and I buy one WRA share", ["sell 1 L&N", "buy WRA market"]),
        ("I sell one of my L&N shares and with the money I buy one share of WRA.",
         ["sell 1 L&N", "buy WRA market"]),
    ],
)  # fmt: skip
def test_a_stock_turn_in_whole_sentences(players, written, done):
    players.place(positions.stock())
    before = len(players.texts())
    players.write("Ann", *written.split("\n"))
    assert [text for text in players.texts()[before:] if text in done] == done


def test_an_order_for_the_round_in_whole_sentences(players):
    players.place(positions.stock())
    players.write(
        "Ann", "I am done with buying. Please pass for me until this stock round is over."
    )
    assert [order.text for order in players.table().orders] == ["pass until round ends"]


@pytest.mark.parametrize(
    ("written", "done"),
    [
        ("Then we buy a 2 train from the bank for 100.", "buy 2"),
        ("Buy also a 2 train.", "buy 2"),
        ("The L&N buys a 2 train.", "buy 2"),
    ],
)
def test_a_train_in_whole_sentences(players, written, done):
    players.place(bare())
    players.write("Ann", "Please lay tile 8 on B3, NW-NE.", written)
    assert {"lay 8 B3 NW-NE", done} <= set(players.texts())


@pytest.mark.parametrize(
    "written",
    [
        "Run both trains and pay out the money to the shareholders.",
        "run all my trains\npay out to the shareholders",
    ],
)
def test_a_run_in_whole_sentences(players, written):
    players.place(operating("track"))
    players.write("Ann", *written.split("\n"))
    assert {"run 2: A4-C4", "pay"} <= set(players.texts())


@pytest.mark.parametrize(
    "written",
    ["Our next token goes to Oxmoor.", "The M&O should sell us its train."],
)
def test_a_sentence_about_a_move_is_not_left_out(players, written):
    players.place(bare())
    before = players.texts()
    letter = one(players.write("Ann", "lay 8 B3 NW-NE", written, "buy 2"), "Ann")
    assert players.texts() == before and letter.subject.endswith(receipt.NOT_DONE)


@pytest.mark.parametrize(
    "talk",
    [
        "say: Bob, M&O should buy a 2 train",
        "Hi Bob, your M&O runs great!",
        "Bob runs a good company, M&O pays well.",
        "Nice move with the M&O, Bob!",
        "That was a great run by M&O.",
        "Congrats on buying TR, Bob",
        "Thanks for selling me TR, Bob",
        "haha M&O pays nothing again",
        "M&O buys always the best trains...",
        "Bob's M&O pays more than I do",
        "I hope WRA will not run over me :)",
        "Bob, did you lay that tile in Montgomery on purpose?",
        "My train to Nashville was late today, sorry for the delay.",
        "Hello from Mobile, where I take a holiday",
        "Greetings from Atlanta!",
        "@Bob: M&O runs into the wall",
        "Sorry Bob, I had to take Decatur",
        "M&O might buy a 3 train next.",
        "Shame about that token in Oxmoor",
        "On holiday in Birmingham until Monday, my moves may take longer.",
        "> L&N: lay 8 B3 NW-NE\n> buy 2 from Bob",
        "On Monday Bob wrote:\n> M&O buys a 2",
    ],
)
def test_small_talk_stops_no_move(players, talk):
    players.place(operating("track"))
    letter = one(players.write("Ann", "run, pay", "", *talk.split("\n")), "Ann")
    assert players.texts()[1:] == ["run 2: A4-C4", "pay", "done"]
    assert letter.subject.endswith(receipt.DONE_SUBJECT)


@pytest.mark.parametrize(
    "written",
    ["M&O should buy our 2 train", "I really buy a 3 train", "Great, we buy a 3", "Nice: buy a 3"],
)
def test_a_move_beside_talk_is_not_left_out(players, written):
    players.place(operating("track"))
    before = players.texts()
    letter = one(players.write("Ann", "run, pay", written), "Ann")
    bought = any("buy 3" in text for text in players.texts())
    assert bought or (players.texts() == before and letter.subject.endswith(receipt.NOT_DONE))


@pytest.mark.parametrize(
    ("written", "answer"),
    [
        ("No thank you, Ann. I want to keep it.", "decline"),
        ("No thanks", "decline"),
        ("Too much for me. My counter offer is 25 dollars.", "counter for 25"),
    ],
)
def test_an_answer_to_an_offer_in_whole_sentences(players, written, answer):
    players.place(positions.stock())
    players.write("Ann", "sell TR to Bob for 30")
    players.write("Bob", written)
    assert players.texts()[2] == answer


def test_a_player_who_is_asked_is_not_told_that_it_is_their_turn(players):
    players.place(positions.stock())
    players.write("Ann", "sell TR to Bob for 30")
    letter = one(players.write("Bob", "counter for 30000"), "Bob")
    assert says(letter, receipt.STILL_ASKED, still="still ")
    assert says(one(players.write("Bob", "decline"), "Ann", "turn"), stock.STOCK_TURN)


@pytest.mark.parametrize(
    ("written", "done"),
    [
        ("Hi, I'd like to offer 180 for Mobile and Ohio. Thank you, Ann", "bid MO 180"),
        ("And now 40 on Hannibal & St Joseph please", "bid HSJ 40"),
    ],
)
def test_a_bid_in_whole_sentences(newcomers, written, done):
    newcomers.begin(title="18MW")
    newcomers.write("Ann", written)
    assert newcomers.texts() == [done]


@pytest.mark.parametrize(
    "written",
    [
        "Hello, I would like to join dixie9, my name is Ann. Thank you!",
        "Hello! Yes, I would like to join dixie9 as Ann please.",
    ],
)
def test_a_person_joins_in_whole_sentences(newcomers, written):
    newcomers.stranger(address("Bob"), "create 18AL dixie9")
    [letter] = newcomers.stranger(address("Ann"), written)
    assert letter.kind == "confirm"


def test_money_is_taken_back_without_a_pass(newcomers):
    newcomers.begin(title="18MW")
    for name, move in (("Ann", "bid HSJ 40"), ("Bob", "bid HSJ 45"), ("Cat", "pass")):
        newcomers.write(name, move)
    letter = one(newcomers.write("Ann", "I take my bid back from Hannibal and St. Joseph."), "Ann")
    assert newcomers.texts()[-1] == "take back HSJ"
    # no turn email follows, so the receipt shows what may be done
    assert "LEGAL NOW" in letter.text and "REPLY WITH" in letter.text


def test_a_refused_pass_is_answered_with_the_example_of_the_turn_email(players):
    players.place(positions.stock())
    turn = players.turn("Ann")
    letter = one(players.write("Ann", "Nothing for anybody, thanks a lot"), "Ann")
    wanted = [text.partition("REPLY WITH")[2].split("\n")[1] for text in (turn.text, letter.text)]
    assert wanted[0] == wanted[1]


def test_the_trains_for_sale_are_listed_before_the_run(players):
    players.place(operating("track"))
    assert "`buy 3` a 3 train for $180" in players.turn("Ann").text.partition("WARNINGS")[0]


def test_a_turn_of_the_auctions_names_the_highest_bidders(newcomers):
    newcomers.begin(title="18MW")
    newcomers.write("Ann", "bid HSJ 40")
    newcomers.write("Bob", "bid HSJ 45")
    turn = one(newcomers.write("Cat", "bid MO 180"), "Ann", "turn")
    assert f"`bid HSJ 50` or more, up to $650{highest('Bob', '$45')}" in flat(turn)
    assert highest("Cat", "$180") in flat(turn)
    newcomers.write("Ann", f"bid HSJ 50 or more, up to $650{highest('Bob', '$45')}")
    assert newcomers.texts()[-1] == "bid MO 180", "one of two sums is not chosen"
    newcomers.write("Ann", f"bid HSJ 50{highest('Bob', '$45')}")
    assert newcomers.texts()[-1] == "bid HSJ 50"


def highest(who, amount):
    return stock.HIGHEST.format(who=who, amount=amount)


def test_a_player_at_the_limit_of_a_company_learns_why_it_is_not_for_sale(players):
    state = positions.stock()
    players.place(replace(state, stack=(*state.stack[:-1], replace(state.stack[-1], seat="Cat"))))
    turn = players.turn("Cat")
    assert "`buy WRA" not in turn.text and "`buy L&N ipo`" in turn.text
    assert says(
        turn.text.partition("WARNINGS")[0], stock.AT_HOLDING_LIMIT, companies="WRA", most=60
    )


def test_a_player_without_money_reads_of_no_limit(players):
    state = positions.stock()
    top = replace(state.stack[-1], seat="Cat")
    players.place(replace(state, stack=(*state.stack[:-1], top), cash={**state.cash, "Cat": 5}))
    assert "WRA: a player" not in players.turn("Cat").text


def test_a_company_s_first_turn_names_its_goal_and_what_the_names_of_trains_mean(players):
    players.place(operating("track"))
    turn = players.turn("Ann")
    goal = {"place": "G4 Birmingham", "company": "L&N", "amount": "$100"}
    assert says(turn, prospects.GOAL, **goal)
    assert says(turn, reports_of_turns.REACHES["stops"], kind="A 2", reach=2)
    assert says(turn, reports_of_turns.DOUBLES, kind="A 4D", reach=4)


def test_status_explains_each_reconstruction_once(newcomers):
    newcomers.begin(title="18MW")
    text = flat(one(newcomers.write("Bob", "status"), "Bob"))
    assert text.count("special tiles") == 1


@pytest.mark.parametrize(
    "joined",
    [
        "after that I pass", "and after that I pass", "then I pass", "and then I pass", "and then pass",
        "afterwards I pass",
    ],
)  # fmt: skip
def test_a_condition_after_a_second_move_is_for_that_move_alone(players, joined):
    players.place(positions.stock())
    players.write("Ann", f"Buy another WRA share, {joined} unless Bob sells L&N.")
    [order] = players.table().orders
    assert order.text == "buy another WRA share then pass unless Bob sells L&N"
    assert "buy WRA market" in players.texts() and order.step == 1


def test_a_condition_that_may_be_for_one_move_or_for_both_is_refused(players):
    players.place(positions.stock())
    before = players.texts()
    letter = one(players.write("Ann", "Next turn: sell 1 L&N and buy WRA, if Bob sells M&O"), "Ann")
    assert says(letter, grammar.WHICH_OF_THEM)
    assert players.texts() == before and not players.table().orders


@pytest.mark.parametrize(
    ("written", "ordered"),
    [
        ("I pass for the rest of this round unless Bob sells M&O.",
         "pass until alarm or round ends or Bob sells M&O"),
        ("pass until somebody buys M&O or WRA",
         "pass until anyone buys M&O or anyone buys WRA"),
        ("Next turn: buy WRA, if nobody else bought WRA", "next: buy WRA unless anyone buys WRA"),
    ],
)  # fmt: skip
def test_conditions_as_people_write_them(players, written, ordered):
    players.place(positions.stock())
    players.write("Bob", written)
    assert [order.text for order in players.table().orders] == [ordered]


@pytest.mark.parametrize(
    ("written", "ordered"),
    [
        ("buy WRA every turn until it floats", "buy WRA until WRA is floated"),
        ("Keep buying WRA each turn until it floats, then pass round.",
         "buy WRA until WRA is floated then pass until alarm or round ends"),
        ("keep buying L&N until I have 60%", "buy L&N until shares me L&N >= 6"),
        ("buy L&N until I own 60% of it or Bob sells",
         "buy L&N until shares me L&N >= 6 or Bob sells"),
        ("keep buying WRA until I have 3 shares of the WRA", "buy WRA until shares me WRA >= 3"),
        ("buy L&N until I have 60% of L&N", "buy L&N until shares me L&N >= 6"),
        ("next: buy L&N if ipo L&N >= 20%", "next: buy L&N if ipo L&N >= 2"),
    ],
)  # fmt: skip
def test_a_share_in_each_turn_in_other_words(players, written, ordered):
    players.place(positions.stock())
    players.write("Ann", written)
    assert [order.text for order in players.table().orders] == [ordered]


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("keep buying L&N", reading.BUY_UNTIL),
        ("buy L&N every turn", reading.BUY_UNTIL),
        ("keep buying L&N until I have 55%", NO_NUMBER_OF_SHARES),
        ("I pass for the rest of this auction", reading.PASS_IN_AUCTION),
        ("pass until the auction is over", reading.PASS_IN_AUCTION),
    ],
)
def test_a_wish_that_no_order_fulfils_is_answered_with_what_does(players, written, why):
    players.place(positions.stock())
    before = players.texts()
    letter = one(players.write("Ann", written), "Ann")
    assert says(letter, why)
    assert players.texts() == before and not players.table().orders


@pytest.mark.parametrize(
    "written", ["buy WRA; then buy WRA; then pass round", "buy WRA; buy WRA; pass round"]
)
def test_a_second_purchase_is_refused_with_the_order_for_the_next_turn(players, written):
    players.place(positions.stock())
    before = players.texts()
    letter = one(players.write("Ann", written), "Ann")
    assert says(letter, orders_given.IN_ADVANCE, order="next: buy WRA")
    assert players.texts() == before and not players.table().orders
    players.write("Ann", "buy WRA; next: buy WRA; then pass round")
    assert [order.text for order in players.table().orders] == [
        "next: buy WRA",
        "pass until alarm or round ends",
    ]


@pytest.mark.parametrize(
    "written",
    [
        "Pass until somebody bids on LCM or HSJ",
        "pass, and keep passing for me until someone outbids me on LCM or HSJ",
    ],
)
def test_a_player_passes_until_others_bid(newcomers, written):
    newcomers.begin(title="18MW")
    newcomers.write("Ann", written)
    [order] = newcomers.table().orders
    assert order.text == "pass until anyone bids LCM or anyone bids HSJ"


def test_a_refused_order_is_quoted_as_it_was_written_and_never_turned_round(players):
    players.place(positions.stock())
    written = "pass round if nobody is sold"
    letter = one(players.write("Ann", written), "Ann")
    assert written in letter.text and "until alarm" not in letter.text
    letter = one(players.write("Ann", "pass unless nobody sold WRA"), "Ann")
    assert "anybody" not in before_list(letter)


def test_an_order_whose_condition_came_true_says_so_once(players):
    players.place(positions.stock())
    players.write("Bob", "pass until Ann sells L&N")
    turn = one(players.write("Ann", "sell 1 L&N"), "Bob", "turn")
    why = orders.CAME_TRUE.format(condition="Ann sells L&N")
    ended = {"number": 1, "order": "pass until Ann sells L&N", "why": why}
    assert says(turn, orders_given.ORDER_WOKEN, **ended)
    assert unsaid(turn, own_pages.HAS_ENDED)
    players.write("Bob", "pass")
    players.write("Cat", "buy M&O ipo")
    turn = one(players.write("Ann", "pass"), "Bob", "turn")
    assert unsaid(turn, orders_given.ORDER_WOKEN) and unsaid(turn, own_pages.HAS_ENDED)


def test_an_order_that_ends_as_planned_is_not_listed_again(players):
    players.place(positions.stock())
    players.write("Bob", "next: pass")
    players.write("Ann", "buy WRA market")
    players.write("Cat", "buy M&O ipo")
    turn = one(players.write("Ann", "pass"), "Bob", "turn")
    assert unsaid(turn, own_pages.HAS_ENDED) and own_pages.YOUR_SECRET_ORDERS not in turn.text
    assert "Bob passed" in flat(turn)


def test_an_order_that_is_done_at_once_is_not_offered_to_be_dropped(players):
    players.place(positions.stock())
    letter = one(players.write("Ann", "next: buy WRA market"), "Ann")
    assert says(letter, orders_given.ORDER_DONE, number=1)
    assert unsaid(letter, orders_given.ORDER_TAKEN)


def test_a_dropped_order_does_not_look_as_if_it_were_in_force(players):
    players.place(positions.stock())
    players.write("Bob", "next: pass")
    letter = one(players.write("Bob", "clear 1"), "Bob")
    assert says(letter, orders_given.ORDER_CLEARED, number=1, order="next: pass")


@pytest.mark.parametrize(
    ("written", "done"),
    [
        ("I go to 100 on LCM.", "bid LCM 100"),
        ("Hi, I bid $40 on the Hannibal one and leave my other bid as it is.", "bid HSJ 40"),
        ("I don't want to sell anything, so I pass.", "pass"),
        ("No sale, I pass", "pass"),
        (
            "I'd like to have the Chicago Freight Handling Company, so I bid 160 for it.",
            "bid CFH 160",
        ),
        ("I want the LCM, so I'll bid $100 on it", "bid LCM 100"),
        ("I have a lot of money, so I bid 160 on CFH", "bid CFH 160"),
    ],
)
def test_a_turn_of_the_auctions_in_other_words(newcomers, written, done):
    newcomers.begin(title="18MW")
    newcomers.write("Ann", written)
    assert newcomers.texts() == [done]


@pytest.mark.parametrize(
    "written",
    [
        "no sale",
        "I'd like to have the LCM, so I bid 160 on CFH",
        "I want Bob to have the LCM, so I bid 100 on it",
        "I'd like to have neither LCM nor CFH, so I bid 160 for it",
        "I'd like to have the LCM, so would I bid 100 for it",
    ],
)
def test_a_reason_that_names_something_else_makes_no_bid(newcomers, written):
    newcomers.begin(title="18MW")
    newcomers.write("Ann", written)
    assert newcomers.texts() == [] and not newcomers.table().orders


@pytest.mark.parametrize(
    ("written", "done"),
    [
        ("I have no money left, so I pass.", "pass"),
        ("I've got no cash, so I'll pass for now", "pass"),
        ("no sale, I pass", "pass"),
        ("No sales, pass", "pass"),
        ("I need money, so I sell 1 L&N", "sell 1 L&N"),
        ("I'd like to own the WRA, so I buy it", "buy WRA market"),
    ],
)
def test_a_stock_turn_with_its_reason_before_it(players, written, done):
    players.place(positions.stock())
    players.write("Ann", written)
    assert players.texts()[1] == done and not players.table().orders


@pytest.mark.parametrize(
    "written",
    [
        "I want to sell, so I pass",
        "If Bob has no money left, so I pass",
        "Bob would have no money left, so I pass",
        "I want WRA, so I buy L&N",
        "Bob wants the WRA, so I buy it",
        "I'd like a train, so I pass",
        "I buy WRA, so I pass",
        "WRA is weak, so I sell 1 WRA",
        "I had no money, so I passed",
        "I have no money, so I think I pass",
    ],
)
def test_a_reason_that_may_be_a_wish_or_a_condition_makes_no_move(players, written):
    players.place(positions.stock())
    before = players.texts()
    players.write("Ann", written)
    assert players.texts() == before and not players.table().orders


@pytest.mark.parametrize(
    "written",
    [
        "Buy WRA, then next turn buy L&N ipo",
        "I buy WRA, and in my next turn I will buy L&N ipo",
        "I'd like to buy WRA and then, next turn, buy L&N ipo",
        "buy WRA, next turn buy L&N ipo",
    ],
)
def test_a_move_and_one_for_the_next_turn(players, written):
    players.place(positions.stock())
    players.write("Ann", written)
    assert players.texts()[1] == "buy WRA market"
    assert [order.text for order in players.table().orders] == ["next: buy L&N ipo"]


def test_a_sentence_that_is_not_read_after_a_move_is_named(players):
    players.place(positions.stock())
    before = players.texts()
    again = "And the same again in my next turns until it floats"
    letter = one(players.write("Ann", f"One more share of L&N, please. {again}."), "Ann")
    assert players.texts() == before and not players.table().orders
    assert unsaid(letter, receipt.NO_COMMAND) and says(letter, reading.NOT_UNDERSTOOD)
    assert again in flat(letter)


@pytest.mark.parametrize(
    "written",
    [
        "If Bob sells L&N, then next turn buy L&N ipo",
        "Buy L&N ipo if Bob sells, then next turn buy WRA",
        "Buy the foo, then next turn buy L&N ipo",
        "Nice game, then next turn buy L&N ipo",
        "Buy WRA, then next turn Bob will buy L&N",
    ],
)
def test_half_a_wish_with_the_next_turn_is_not_done(players, written):
    players.place(positions.stock())
    before = players.texts()
    players.write("Ann", written)
    assert players.texts() == before and not players.table().orders


@pytest.mark.parametrize(
    ("written", "done"),
    [
        ("buy WRA out of the pool", "buy WRA market"),
        ("buy L&N from the IPO to become president", "buy L&N ipo"),
    ],
)
def test_where_a_share_comes_from_in_other_words(players, written, done):
    players.place(positions.stock())
    players.write("Ann", written)
    assert done in players.texts()


def test_a_player_drops_an_order_in_the_line_of_a_move(players):
    players.place(positions.stock())
    players.write("Ann", "next: pass if Bob sells L&N")
    players.write("Ann", "Buy WRA from the pool, and drop my order 1.")
    [order] = players.table().orders
    assert "buy WRA market" in players.texts() and order.status == "cleared"


@pytest.mark.parametrize(
    ("written", "done"),
    [
        ("lay 8 at E4 so it links N and SE", ["lay 8 E4 N-SE"]),
        ("Lay 8 on E4 N-SE to connect Decatur and Birmingham.", ["lay 8 E4 N-SE"]),
        ("L&N lays 8 on E4, N-SE, in order to link Decatur with Birmingham", ["lay 8 E4 N-SE"]),
        ("Lay 8 on E4 N-SE to reach Birmingham, run the best route and pay",
         ["lay 8 E4 N-SE", "run 2: A4-C4", "pay", "done"]),
        ("Lay 8 on E4 to connect Decatur and Birmingham", []),
        ("Lay 8 on E4 N-SE to connect Decatur and a token there", []),
        ("Lay 8 on E4 N-SE to connect Decatur and 9 on B3 too", []),
        ("Lay track to connect Decatur and Birmingham", []),
        ("Then put a token in Decatur", ["token C4"]),
        ("Then the L&N runs for 60 and pays a dividend.", ["run 2: A4-C4", "pay", "done"]),
        ("Lay 8 on E4, N-SE ($0). Then the L&N runs for 60 and pays a dividend.",
         ["lay 8 E4 N-SE", "run 2: A4-C4", "pay", "done"]),
        ("Then the L&N runs for 70 and pays a dividend.", []),
        ("Then the L&N runs well.", []),
        ("Then Bob runs for 60 and pays a dividend.", []),
        ("We build the curved track 8 on E4, north to southeast", ["lay 8 E4 N-SE"]),
        ("Lay tile 8 at E4, N and SE. Run the trains and pay the dividend.",
         ["lay 8 E4 N-SE", "run 2: A4-C4", "pay", "done"]),
    ],
)  # fmt: skip
def test_the_steps_of_a_company_s_turn_in_other_words(players, written, done):
    players.place(operating("track"))
    players.write("Ann", written)
    assert players.texts()[1:] == done


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Lay 8 on D16 from NE to SE and 9 on H20 (NW-SE)",
         ["Lay 8 on D16 from NE to SE", "lay 9 on H20 (NW-SE)"]),
        ("buy a 2 and a 3", ["buy a 2", "buy 3"]),
        ("buy a 2 and pay 50", ["buy a 2", "pay 50"]),
        ("lay 9 H18 and 57 J14, run", ["lay 9 H18", "lay 57 J14", "run"]),
        ("lay 9 H18 S-N and tile 57 J14 W-E", ["lay 9 H18 S-N", "lay tile 57 J14 W-E"]),
        ("lay 9 H18 and run 57", ["lay 9 H18", "run 57"]),
        ("buy M&C from me for 150 and S&NA for 60",
         ["buy M&C from me for 150", "buy S&NA from me for 60"]),
        ("L&N: buy M&C from Bob for 150 and the South and North Alabama from me for $60, run",
         ["L&N: buy M&C from Bob for 150", "buy the South and North Alabama from me for $60", "run"]),
        ("buy TR from me for 30 and sell M&C for 60", ["buy TR from me for 30", "sell M&C for 60"]),
        ("buy TR from me for 30 and pay", ["buy TR from me for 30", "pay"]),
        ("buy 3 from M&O for 100 and 2 for 30", ["buy 3 from M&O for 100 and 2 for 30"]),
        ("take LCM, $80 on SLFL", ["take LCM", "bid $80 on SLFL"]),
        ("bid LCM 40 and $80 on SLFL", ["bid LCM 40", "bid $80 on SLFL"]),
        ("put $80 on SLFL", ["put $80 on SLFL"]),
        ("lay 57 C4, 9 on H20", ["lay 57 C4, 9 on H20"]),
        ("lay 8 on E4 to connect N and SE", ["lay 8 on E4 N and SE"]),
        ("lay 8 on E4 in order to link the north west and E", ["lay 8 on E4 the north west and E"]),
        ("lay 8 on E4 to connect Nashville", ["lay 8 on E4 to connect Nashville"]),
    ],
)  # fmt: skip
def test_two_moves_that_and_or_a_comma_joins(written, read):
    assert split(written) == read


def test_a_refusal_of_and_says_what_would_work(players):
    players.place(operating("track"))
    letter = one(players.write("Ann", "lay 8 E4 N-SE and a bridge"), "Ann")
    assert says(letter, AND_MORE) and "Did you mean" not in before_list(letter)


def test_a_company_starts_and_then_a_private_company_is_exchanged_in_one_turn(newcomers):
    newcomers.begin(title="18MW")
    newcomers.write("Ann", "Start CMSP at 90 and then exchange LCM for a CMSP share from the IPO.")
    assert not newcomers.table().orders


def test_a_company_buys_back_its_share_in_other_words(newcomers):
    newcomers.begin(title="18MW")
    text = addressed("CMSP buys back one of its shares", known_of(newcomers.table().title))
    action = parse(newcomers.table().title, newcomers.state, "Ann", text)
    assert (action.company, action.shares) == ("CMSP", 1)


def at_table(newcomers, title, state):
    """A game of a title, whose players are those of its rules' tests, in a position."""
    newcomers.reply(newcomers.gather(("Ann", "Bob", "Cas"), title=title), "start")
    newcomers.place(state)


@pytest.mark.long
def test_a_company_buys_a_share_back_in_a_whole_sentence(newcomers):
    state = great_lakes.turn("redeem", "IC", at_phase="6H", cash=900, held={"Ann": 50}, market=20)
    at_table(newcomers, "18GL", state)
    newcomers.write("Ann", "Illinois Central buys back one share")
    assert newcomers.texts()[1:] == ["buy back 1", "done"]


@pytest.mark.long
def test_a_company_that_cannot_buy_a_share_back_does_nothing_else(newcomers):
    state = midwest.turn("trains", "IC", at_phase="3", cash=900, held={"Ann": 50}, market=20)
    at_table(newcomers, "18MW", state)
    letter = one(newcomers.write("Ann", "Illinois Central buys back one share"), "Ann")
    assert newcomers.texts()[1:] == [] and letter.subject.endswith(receipt.NOT_DONE)


def test_a_line_without_a_command_is_named_once(newcomers):
    written = "hello there; what a day; see you", "join dixie7 as Ann"
    [letter] = newcomers.stranger(address("Ann"), *written)
    assert "line 1" in letter.text and "lines 1 and 1" not in letter.text
