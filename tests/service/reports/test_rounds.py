"""How a round works: at the first turn of each kind, and by `help round`."""

import pytest
from msgspec.structs import replace

import engine
from engine.actions import LayTile
from engine.position.values import Ending
from service.desk.turns import verdicts
from service.reports import PageLook, Scene, Since, advice, answers, lays, position, turn, turn_page
from service.reports.advice import legal
from service.reports.decisions import questions, stock, task
from tests.engine.notation import positions
from tests.rules.gl.setting import on as on_lakes
from tests.rules.mw.setting import on
from tests.rules.titled import Titled
from tests.service.players import one, says, unsaid
from tests.service.reports.games import run_scene, scene, to


def first(name):
    title = engine.load_title(name)
    return Scene("dixie7", title, engine.new_game(title, ("Ann", "Bob", "Cat")).state)


@pytest.mark.parametrize("name", ["18AL", "18GA", "18TN", "18GL", "18MW"])
def test_the_first_turn_email_says_how_the_sale_works(name):
    at = first(name)
    [seat] = at.view.to_act
    text = turn_page(to(seat), at, Since(), PageLook(False)).text
    for line in turn.SALE[at.title.facts.stock.private_sale]:
        assert says(text, line)
    assert says(text, turn.MORE)


def test_the_figures_of_a_stock_round_are_the_title_s():
    told = turn.how(scene(positions.stock()))
    assert says(" ".join(told), turn.STOCK[1], float=60, holding=60)


@pytest.mark.parametrize("name", ["18AL", "18GA", "18TN", "18GL", "18MW"])
def test_each_sale_says_what_follows_when_all_is_sold_and_when_all_pass(name):
    told = " ".join(turn.how(first(name)))
    assert "round goes on with shares" in told
    assert "an operating round follows" in told.lower()


def test_a_sale_says_the_least_bid_of_the_title_and_when_one_is_out():
    great_lakes, midwest = (" ".join(turn.how(first(name))) for name in ("18GL", "18MW"))
    assert "Bids are multiples of $5." in great_lakes and "is out of that auction" in great_lakes
    assert "A bid is at least the face value, and $5 above the highest bid." in midwest
    assert "A pass there is for one turn." in " ".join(turn.how(first("18TN")))


LIMITS = {
    "18AL": "You may hold 60% of a company, and 15 certificates in all. Certificates of "
    "companies in the yellow zone of the stock chart do not count.",
    "18GA": "You may hold 60% of a company, and 15 certificates in all. Certificates of "
    "companies in the yellow zone of the stock chart do not count.",
    "18TN": "16 certificates in all. L&N floats at 20%. Certificates of companies in the yellow "
    "and green zones of the stock chart do not count. In the green zone you may hold more than "
    "60%.",
    "18GL": "when 50% of it has left the IPO. You may hold 60% of a company, and 20 certificates "
    "in all. Certificates of companies in the yellow zone of the stock chart do not count.",
    "18MW": "20 certificates in all. Certificates of companies in the yellow, green and brown "
    "zones of the stock chart do not count. In the green and brown zones you may hold more than "
    "60%.",
}


@pytest.mark.parametrize("name", LIMITS)
def test_a_stock_round_says_the_limits_and_sales_of_the_rulebook(name):
    own = {"18GL": on_lakes, "18MW": on}.get(name) or Titled(engine.load_title(name))
    told = " ".join(turn.how(Scene("dixie7", own.title, own.stock_turn())))
    assert LIMITS[name] in told
    assert turn.NOT_AFTER_SALE in told
    assert ("company that has not operated" in told) == (name == "18GL")


def test_the_last_rounds_say_that_the_game_ends():
    state = positions.stock()
    over = " ".join(turn.how(scene(replace(state, ending=Ending("bank")))))
    assert says(over, turn.STOCK[2], rounds=1, noun="round follows") and turn.GAME_ENDS in over
    state = run_scene().state
    told = " ".join(turn.how(scene(replace(state, ending=Ending("bank")))))
    assert turn.NEXT[2] in told
    told = " ".join(turn.how(scene(replace(state, ending=Ending("bank", 1)))))
    assert turn.NEXT[2] not in told


def test_an_operating_round_says_what_moves_the_price_and_who_must_own_a_train():
    lakes = " ".join(turn.how(Scene("lakes1", on_lakes.title, on_lakes.turn("track", "IC"))))
    assert "pay interest, pay out, pay half or withhold, buy trains, repay loans, redeem" in lakes
    assert turn.RISES["price paid"] in lakes and turn.MUST_OWN["all"] in lakes
    midwest = " ".join(turn.how(Scene("river4", on.title, on.turn("track", "MP", cash=500))))
    assert f"{turn.RISES['any dividend']} {turn.IN_BLUE}" in midwest
    assert turn.MUST_OWN["all"] in midwest
    alabama = " ".join(turn.how(run_scene()))
    assert turn.MUST_OWN["with route"] in alabama and turn.IN_BLUE not in alabama


def test_an_operating_round_names_the_steps_of_the_title():
    told = " ".join(turn.how(Scene("river4", on.title, on.turn("track", "MP", cash=500))))
    assert "buy a token of another company" in told
    assert "buy a token of another company" not in " ".join(turn.how(run_scene()))


def test_an_operating_round_says_how_many_trains_a_company_buys():
    assert says(" ".join(turn.how(run_scene())), turn.ONE_TRAIN)


def test_what_is_legal_says_when_a_company_floats_and_what_a_price_beside_a_hex_is():
    assert says(str(legal(scene(positions.stock()), "Ann")), stock.FLOATS, percent=60)
    bare = replace(positions.operating("track"), tiles={})
    assert says(str(legal(scene(bare), "Ann")), lays.PRICES)


def test_who_has_met_the_round_before_is_not_told_again():
    once = run_scene().state
    again = scene(replace(once, turns=dict.fromkeys(once.turns, 2)))
    assert unsaid(turn_page(to("Ann"), again, Since(), PageLook(False)).text, turn.MORE)


def test_help_round_answers_at_any_time(players):
    told = one(players.write("Bob", "help round"), "Bob")
    assert says(told, turn.SALE["turns"][0])


def test_help_float_says_what_it_is_with_the_title_s_figure(players):
    told = one(players.write("Bob", "help float"), "Bob")
    assert "60% has left the IPO" in " ".join(told.text.split())


def test_the_status_of_a_company_says_what_it_lacks_to_float():
    text = answers.status(first("18MW"), "CNW").text
    assert says(text, answers.FLOATS, needed=60, missing=60)
    assert unsaid(answers.status(run_scene(), "L&N").text, answers.FLOATS)


def test_a_private_company_is_named_with_what_it_does_and_without_a_picture():
    found = answers.status(first("18MW"), "HSJ")
    assert "pays $10 from phase 4 on" in " ".join(found.text.split())
    assert not found.figures


def test_an_auction_says_who_bids_and_what_a_pass_gives_up(players):
    players.write("Ann", "bid S&NA 45")
    players.write("Bob", "bid S&NA 50")
    players.write("Cat", "buy TR")
    table = players.table()
    at = Scene("dixie7", table.title, table.state)
    told = str(legal(at, "Ann"))
    assert advice.GIVES_UP.format(private="S&NA", high="Bob", amount=50) in told
    assert "only Ann and Bob bid on S&NA" in str(position.coming(at))
    assert "South & North Alabama" in str(position.privates(at))


@pytest.mark.parametrize("trains", [(), ("2",)])
def test_a_company_that_may_buy_trains_need_not_have_run(trains):
    """The train may be new."""
    at = Scene("river4", on.title, on.turn("trains", "MP", cash=500, trains=trains))
    assert "has run" not in task(at, "Ann").sentence


def test_the_receipt_of_a_par_tells_what_it_cost_and_brought(players):
    players.place(positions.stock())
    before = players.state.cash["Ann"]
    told = one(players.write("Ann", "par ATN 70"), "Ann")
    cost = f"costs $140, you have ${before - 140} left"
    assert says(told, verdicts.FOUNDED_FOR, percent=20, company="ATN", cost=cost)


def test_a_price_is_proposed_only_where_one_may_be_named():
    state = on_lakes.turn("track", "IC", owns={"RailWorks": "Bob"})
    lay = LayTile(by="Ann", company="IC", hex="D16", tile="9", rotation=0, power="RailWorks")
    asked = Scene("lakes1", on_lakes.title, on_lakes.after(state, lay))
    assert "counter" not in turn_page(to("Bob"), asked, Since(), PageLook(False)).text
    state = on_lakes.company(on_lakes.stock_turn(), "IC", {"Ann": 60}, cash=900)
    state = on_lakes.company(state, "DT&I", {"Bob": 60}, trains=("4H", "4H"))
    state = on_lakes.operating(on_lakes.phase(state, "6H"), "IC", "trains")
    offered = on_lakes.after(state, on_lakes.buy_train("IC", "4H", 150, "DT&I"))
    asked = Scene("lakes1", on_lakes.title, offered)
    [row] = [row for row in legal(asked, "Bob").rows if row.label == questions.COUNTER]
    assert row.items == ("from $1 to $900: Ann is asked",)
    text = turn_page(to("Bob"), asked, Since(), PageLook(False)).text
    assert "counter for PRICE" in text.partition("LEGAL NOW")[2]
