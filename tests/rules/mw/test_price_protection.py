"""18MW Share Price Protection: presidents buy what others sell, and prices stay."""

import pytest
from msgspec.structs import replace

from engine.actions import LetFall, Protect
from engine.events import PriceLetFall, PriceProtected
from engine.notation import Ambiguous, parse, write
from engine.play import protection, shares
from engine.position.draft import Draft
from engine.position.frames import Protection, SoldBlock, StockTurn
from engine.position.values import MARKET, Holding, State
from engine.steps import STEPS
from tests.rules.mw.setting import on

RULE = "Share Price Protection"
pytestmark = pytest.mark.rule("18MW Share Price Protection")


protect, let_fall = on.protect, on.let_fall


def turn() -> State:
    """Ann's turn; she holds shares of two companies of Bob and one of Cas."""
    state = on.company(on.stock_turn(), "IC", {"Bob": 40, "Ann": 20}, at=(2, 6))  # 85
    state = on.company(state, "NP", {"Bob": 30, "Ann": 20}, at=(0, 8))  # 120
    return on.company(state, "MP", {"Cas": 40, "Ann": 30}, at=(0, 6))  # 100


def sold(state: State, **shares: int) -> State:
    """Ann has sold so many shares of companies, and her turn is over."""
    return on.after(state, *(on.sell(n, name) for name, n in shares.items()), on.done())


def test_presidents_are_asked_once_the_sellers_whole_turn_is_over() -> None:
    """Not after each sale: she may buy and sell before; then it is the next player's turn."""
    state = on.after(turn(), on.sell(2, "IC"))
    assert on.waits_for(state) == ("Ann",)
    assert on.price(state, "IC") == 85
    assert state.cash["Ann"] == 650 + 170
    asked = on.after(state, on.buy("MP"), on.done())
    assert on.waits_for(asked) == ("Bob",)
    kept = on.after(asked, protect("IC"))
    assert kept.stack[-1] == StockTurn("Bob")
    assert on.price(kept, "IC") == 85


@pytest.mark.rule("18MW Share Price Protection, Procedure")
@pytest.mark.rule("18MW R7")
def test_the_president_pays_the_bank_for_all_the_shares_and_the_price_stays() -> None:
    """At the price at which they were sold; they do not lie in the open market."""
    state = sold(turn(), IC=2)
    assert on.happened(state, protect("IC"), PriceProtected) == [
        PriceProtected("Bob", "IC", 20, 170)
    ]
    after = on.after(state, protect("IC"))
    assert state.cash["Bob"] - after.cash["Bob"] == 170
    assert after.cash["bank"] - state.cash["bank"] == 170
    assert on.percent(after, "IC") == {"Bob": 60, "initial offering": 40}
    assert on.price(after, "IC") == 85


@pytest.mark.rule("18MW Share Price Protection, Procedure")
@pytest.mark.rule("18MW Movement of Stock Prices")
def test_who_lets_it_fall_leaves_the_shares_in_the_market() -> None:
    """A row for each share sold."""
    state = sold(turn(), IC=2)
    assert on.happened(state, let_fall("IC"), PriceLetFall) == [PriceLetFall("Bob", "IC")]
    after = on.after(state, let_fall("IC"))
    assert on.table(after).cell("IC") == (4, 6)
    assert on.percent(after, "IC")[MARKET] == 20
    assert after.cash["Bob"] == state.cash["Bob"]


@pytest.mark.rule("18MW R7")
def test_all_shares_of_the_turn_or_none() -> None:
    """No command buys a part of them."""
    state = sold(turn(), IC=2)
    assert on.offered(state, "Bob", Protect) == [protect("IC")]
    assert on.offered(state, "Bob", LetFall) == [let_fall("IC")]
    on.refused(state, on.buy_used("IC", "Bob"), "Sequence of Play", "keep the price")


@pytest.mark.rule("18MW R7")
def test_a_sale_must_be_legal_without_protection() -> None:
    """Also where the president would keep the market from overflowing."""
    state = on.company(on.stock_turn(), "IC", {"Bob": 20, "Ann": 20}, at=(2, 6), market=40)
    on.refused(state, on.sell(2, "IC"), "Shares and Limits", "50%")


def test_presidents_decide_in_order_of_price() -> None:
    """The dearest stock first, whatever was sold first; of one price as companies operate."""
    state = sold(turn(), IC=1, MP=1, NP=1)
    assert on.waits_for(state) == ("Bob",)  # NP at 120
    first = on.after(state, let_fall("NP"))
    assert on.waits_for(first) == ("Cas",)  # MP at 100
    second = on.after(first, protect("MP", "Cas"))
    assert on.waits_for(second) == ("Bob",)  # IC at 85
    assert on.waits_for(on.after(second, protect("IC"))) == ("Bob",)
    assert on.after(second, protect("IC")).stack[-1] == StockTurn("Bob")


def test_a_president_may_answer_for_all_companies_at_once() -> None:
    """What is said of a cheaper one waits for the dearer ones of others."""
    state = sold(turn(), IC=1, MP=1, NP=1)
    every = on.after(state, protect())
    assert on.waits_for(every) == ("Cas",)
    assert on.percent(every, "NP")["Bob"] == 40
    assert on.percent(every, "IC")["Bob"] == 40
    done = on.after(every, let_fall("MP", "Cas"))
    assert on.percent(done, "IC")["Bob"] == 50
    assert [on.price(done, name) for name in ("NP", "MP", "IC")] == [120, 90, 85]
    mixed = on.after(state, let_fall("IC"), protect("NP"), let_fall("MP", "Cas"))
    assert [on.price(mixed, name) for name in ("NP", "MP", "IC")] == [120, 90, 80]
    fallen = on.after(state, let_fall(), let_fall("MP", "Cas"))
    assert [on.price(fallen, name) for name in ("NP", "MP", "IC")] == [110, 90, 80]


@pytest.mark.rule("18MW Share Price Protection, Eligibility 1")
@pytest.mark.rule("18MW R6")
def test_a_president_without_the_money_for_all_of_it_is_not_asked() -> None:
    """The price falls at once, and it costs nobody a mail."""
    state = on.money(turn(), {"Bob": 169})
    after = sold(state, IC=2)
    assert after.stack[-1] == StockTurn("Bob")
    assert on.table(after).cell("IC") == (4, 6)
    assert on.waits_for(sold(on.money(turn(), {"Bob": 170}), IC=2)) == ("Bob",)
    assert isinstance(sold(on.money(turn(), {"Bob": 170}), IC=2).stack[-1], Protection)


@pytest.mark.rule("18MW Share Price Protection, Eligibility 1")
def test_money_for_one_of_two_companies() -> None:
    """The second is refused once the first is kept, and nothing may be sold to pay for it."""
    state = sold(on.money(turn(), {"Bob": 150}), IC=1, NP=1)
    rule = "Share Price Protection, Eligibility 1"
    on.refused(state, protect(), rule, "$85", "Bob has $30")
    kept = on.after(state, protect("NP"))
    assert kept.stack[-1] == StockTurn("Bob")
    assert on.price(kept, "IC") == 80
    other = on.after(state, let_fall("NP"))
    assert on.waits_for(other) == ("Bob",)
    assert on.allowed(other, protect("IC"))
    on.refused(state, on.sell(1, "IC", "Bob"), "Sequence of Play")


@pytest.mark.rule("18MW Share Price Protection, Eligibility 1")
def test_what_is_said_for_later_counts() -> None:
    """Money that is promised to a cheaper company is not there for a dearer one."""
    state = sold(on.money(turn(), {"Bob": 150}), IC=1, NP=1)
    promised = on.after(state, protect("IC"))
    rule = "Share Price Protection, Eligibility 1"
    on.refused(promised, protect("NP"), rule, "$120")
    fallen = on.after(promised, let_fall("NP"))
    assert [on.price(fallen, name) for name in ("NP", "IC")] == [110, 85]


@pytest.mark.rule("18MW Share Price Protection, Eligibility 2")
def test_the_certificate_limit_holds() -> None:
    """Of all certificates; stock of a coloured zone does not count."""
    state = on.privates(on.money(turn(), {"Bob": 2000}), dict.fromkeys(("SLA", "RI", "CFH"), "Bob"))
    # Bob has 3 certificates of IC, 2 of NP and 3 privates; the limit is 20
    for name, held in (("CNW", 60), ("GMO", 60), ("SP", 10)):
        state = on.company(state, name, {"Cas": 60, "Bob": 0} if held == 10 else {"Bob": held})
    table = on.table(state)
    assert table.certificates("Bob") == 18
    assert isinstance(sold(state, IC=2).stack[-1], Protection)
    full = on.privates(state, {"HSJ": "Bob"})
    assert on.table(full).certificates("Bob") == 19
    assert sold(full, IC=2).stack[-1] == StockTurn("Bob")
    assert isinstance(sold(full, IC=1).stack[-1], Protection)
    both = sold(full, IC=1, NP=1)
    on.refused(both, protect(), "Share Price Protection, Eligibility 2", "21 certificates", "20")
    tokens = tuple(replace(t, cell=(4, 3)) if t.company == "IC" else t for t in full.tokens)
    yellow = replace(full, tokens=tokens)
    assert isinstance(sold(yellow, IC=2).stack[-1], Protection)


@pytest.mark.rule("18MW Share Price Protection, Eligibility 2")
@pytest.mark.rule("18MW Share Price Protection, Procedure")
def test_the_sixty_percent_do_not() -> None:
    """The president may come to hold more, and need not sell it."""
    state = on.company(on.stock_turn(), "IC", {"Bob": 60, "Ann": 40}, at=(2, 6))
    kept = on.after(sold(state, IC=4), protect("IC"))
    assert on.percent(kept, "IC") == {"Bob": 100}
    assert kept.excess == {"IC": Holding("Bob", 100)}
    assert on.allowed(kept, on.done("Bob"))


@pytest.mark.rule("18MW Share Price Protection, Procedure")
def test_who_sells_then_sells_all_that_is_over_sixty_percent() -> None:
    """At once, unless the stock is in the green or brown zone by then."""
    state = on.company(on.stock_turn(), "IC", {"Bob": 60, "Ann": 30}, at=(2, 6))
    kept = on.after(sold(state, IC=3), protect("IC"))
    assert on.percent(kept, "IC")["Bob"] == 90
    rule = "Share Price Protection, Procedure"
    on.refused(kept, on.sell(2, "IC", "Bob"), rule, "still hold 70%", "sell 3 IC")
    after = on.after(kept, on.sell(3, "IC", "Bob"))
    assert after.excess == {}
    assert on.allowed(kept, on.sell(4, "IC", "Bob"))
    tokens = tuple(replace(t, cell=(4, 0)) for t in kept.tokens)
    assert on.allowed(replace(kept, tokens=tokens), on.sell(2, "IC", "Bob"))


@pytest.mark.rule("18MW Share Price Protection, Procedure")
def test_a_sale_of_another_player_takes_nothing_from_what_a_president_may_hold() -> None:
    """Bob, over 60% by protection, lets the next price fall and need not sell all the same."""
    state = on.company(on.stock_turn(), "IC", {"Bob": 70, "Cas": 20, "Ann": 10}, at=(2, 6))
    state = replace(state, excess={"IC": Holding("Bob", 70)})
    after = on.after(state, on.sell(1, "IC"), on.done(), let_fall("IC"))
    assert after.excess == {"IC": Holding("Bob", 70)}
    assert on.allowed(after, on.done("Bob"))


@pytest.mark.rule("18MW Share Price Protection, Procedure")
@pytest.mark.rule("18MW Green Zone")
def test_what_a_president_may_hold_is_less_after_a_sale() -> None:
    """Of 90% in the green zone 20% are sold: 70% are left, and no more may be kept later."""
    state = on.company(on.stock_turn("Bob"), "IC", {"Bob": 90, "Ann": 10}, at=(4, 0))
    state = replace(state, excess={"IC": Holding("Bob", 90)})
    after = on.after(state, on.sell(2, "IC", "Bob"))
    assert after.excess == {"IC": Holding("Bob", 70)}


@pytest.mark.rule("18MW Shares and Limits")
@pytest.mark.rule("18MW Green Zone")
def test_who_is_over_sixty_percent_for_another_reason_must_sell() -> None:
    """Bought in the green zone, which the price has left since: all of the excess, at once."""
    state = on.company(on.stock_turn(), "IC", {"Ann": 80}, at=(2, 6))
    on.refused(state, on.done(), "Shares and Limits", "more than 60%", "sell 2 IC")
    on.refused(state, on.sell(1, "IC"), "Share Price Protection, Procedure", "sell 2 IC")
    assert on.allowed(on.after(state, on.sell(2, "IC")), on.done())
    more = replace(state, excess={"IC": Holding("Ann", 70)})
    on.refused(more, on.done(), "Shares and Limits", "more than 70%")
    assert on.allowed(replace(state, excess={"IC": Holding("Ann", 80)}), on.done())


@pytest.mark.rule("18MW Share Price Protection, Eligibility 3")
def test_who_sold_the_stock_in_this_round_is_not_asked() -> None:
    """A president who sold some of it, also before; the next round forgets it."""
    state = replace(turn(), sold={"Bob": ("IC",)})
    assert sold(state, IC=1).stack[-1] == StockTurn("Bob")
    both = sold(state, IC=1, NP=1)
    assert on.waits_for(both) == ("Bob",)
    rule = "Share Price Protection, Eligibility 3"
    on.refused(both, protect("IC"), rule, "Bob has sold shares of IC")
    assert on.allowed(both, protect("NP"))


@pytest.mark.rule("18MW Share Price Protection, Eligibility 3")
def test_presidents_do_not_buy_back_what_they_sell_themselves() -> None:
    """The price of one's own company falls at the end of the turn."""
    state = on.company(on.stock_turn(), "IC", {"Ann": 40, "Bob": 10}, at=(2, 6))
    after = sold(state, IC=1)
    assert after.stack[-1] == StockTurn("Bob")
    assert on.price(after, "IC") == 80


@pytest.mark.rule("18MW Change in Presidency")
def test_a_new_president_may_keep_the_price() -> None:
    """Who becomes president by the sale is asked, not who has sold."""
    state = on.company(on.stock_turn(), "IC", {"Ann": 40, "Bob": 30}, at=(2, 6))
    asked = sold(state, IC=2)
    assert asked.presidents["IC"] == "Bob"
    assert on.waits_for(asked) == ("Bob",)
    assert on.percent(on.after(asked, protect("IC")), "IC")["Bob"] == 50


@pytest.mark.rule("18MW Share Price Protection, Eligibility 4")
@pytest.mark.rule("18MW R6")
def test_prices_are_kept_after_forced_sales_in_operating_rounds_too() -> None:
    """The question lies over the company's turn, which goes on when it is answered.

    A sale of the stock round before bars nobody there.
    """
    state = replace(turn(), sold={"Bob": ("IC",)})
    state = on.company(state, "CNW", {"Ann": 60}, cash=0)
    turn_of = on.operating(state, "CNW", "trains")
    draft = Draft(on.title, turn_of)
    protection.offer(draft, "Ann", (shares.sell(draft, "Ann", "IC", 2, falls=False),))
    asked = draft.commit()
    assert on.waits_for(asked) == ("Bob",)
    kept = on.after(asked, protect("IC"))
    assert (kept.stack, on.price(kept, "IC")) == (turn_of.stack, 85)
    fallen = on.after(asked, let_fall("IC"))
    assert (fallen.stack, on.table(fallen).cell("IC")) == (turn_of.stack, (4, 6))


def test_the_answer_is_the_presidents_alone() -> None:
    """And about companies that were sold."""
    state = sold(turn(), IC=1)
    on.refused(state, protect("IC", "Cas"), "Sequence of Play", "Bob's turn, not")
    on.refused(state, protect("NP"), RULE, "asked about IC", "protect IC")
    on.refused(state, protect(), RULE, "protect IC")
    on.refused(state, on.done("Bob"), "Sequence of Play", "let fall")


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("protect", protect()),
        ("protect all", protect()),
        ("protect NP", protect("NP")),
        ("let fall", let_fall()),
        ("let IC fall", let_fall("IC")),
        ("let fall IC", let_fall("IC")),
        ("let all fall", let_fall()),
    ],
)
def test_answers_in_few_words(line: str, meant: object) -> None:
    """Read in many ways, and written in one that reads back."""
    state = sold(turn(), IC=1, NP=1)
    found = parse(on.title, state, "Bob", line)
    assert found == meant
    assert parse(on.title, state, "Bob", write(on.title, state, found)) == meant


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("protect", Protect), ("let fall", LetFall),
        ("yes", Protect), ("no", LetFall),
        ("protect it", Protect), ("protect its price", Protect), ("let it fall", LetFall),
    ],
)  # fmt: skip
def test_one_company_need_not_be_named(line: str, kind: type) -> None:
    """Where only one is asked about."""
    assert parse(on.title, sold(turn(), IC=1), "Bob", line) == kind(by="Bob", which="IC")


def test_yes_to_several_companies_is_asked_back() -> None:
    """Protection costs money: `yes` may mean one of them."""
    with pytest.raises(Ambiguous) as error:
        parse(on.title, sold(turn(), IC=1, NP=1), "Bob", "yes")
    assert error.value.suggestions == ("protect NP", "protect IC")


def test_each_answer_asks_anew() -> None:
    """So no mail answers a question that it does not know."""
    frames = [Protection("Ann", (SoldBlock("IC", 10),)), Protection("Ann", (SoldBlock("IC", 20),))]
    step = STEPS[Protection]
    assert len({step.key(frame, turn().round) for frame in frames}) == 2


@pytest.mark.rule("18MW R7")
def test_prices_fall_one_by_one_before_the_next_president_is_asked() -> None:
    """Cas lets the dearer MP fall into the yellow zone: that makes room for Bob's certificate.

    If all prices fell after all decisions, Bob would be at his limit and could not keep IC.
    """
    state = on.company(on.stock_turn(), "MP", {"Cas": 30, "Ann": 20, "Bob": 10}, at=(6, 6))  # 65
    state = on.company(state, "IC", {"Bob": 40, "Ann": 20}, at=(6, 6))  # 65, below MP
    for name in ("CNW", "GMO", "SP"):
        state = on.company(state, name, {"Bob": 60})
    state = on.money(on.privates(state, {"HSJ": "Bob"}), {"Bob": 500, "Cas": 500})
    assert on.table(state).certificates("Bob") == 20
    asked = sold(state, MP=2, IC=1)
    assert on.waits_for(asked) == ("Cas",)
    kept = on.after(asked, protect("MP", "Cas"))
    assert kept.stack[-1] == StockTurn("Bob")
    assert on.price(kept, "IC") < 65
    fallen = on.after(asked, let_fall("MP", "Cas"))
    assert on.price(fallen, "MP") == 55
    assert on.waits_for(fallen) == ("Bob",)
    assert on.price(on.after(fallen, protect("IC")), "IC") == 65
