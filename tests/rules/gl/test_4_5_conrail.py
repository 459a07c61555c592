"""How CONRAIL forms (18GL 4.5.1.2): who merges, what is exchanged, what it inherits."""

from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from engine.actions import Action, Pass
from engine.events import (
    ActingPresident,
    BondsIssued,
    Merged,
    MergerCapital,
    MergerExchanged,
    MergerNotFormed,
    TrainsWithdrawn,
)
from engine.position.frames import OperatingRound, OperatingTurn
from engine.position.values import MARKET, OFFERING, Mark, State
from tests.rules.gl.setting import on

#: trains left when the next purchase is the first 10H, and the first E
BEFORE_10H, BEFORE_E = 9, 5
BUY_10H = on.buy_train("GT", "10H", 600)
BUY_E = on.buy_train("GT", "E", 800)

Companies = Mapping[str, Mapping[str, object]]


def position(companies: Companies, *, seats: int = 3, left: int = BEFORE_10H) -> State:
    """GT of Ann is about to buy the train that begins the phase; the others have 4H trains."""
    phase = "6H" if left == BEFORE_10H else "10H"
    state = on.phase(on.stock_turn(seats=seats), phase, left=left)
    train = "4H" if left == BEFORE_10H else "6H"
    for name, facts in companies.items():
        state = on.company(state, name, **{"trains": (train,), **facts})
    state = on.company(state, "GT", {"Ann": 60}, cash=1000)
    return on.operating(state, "GT", "trains")


def two(**more: object) -> State:
    """NYC of Bob and PRR of Cas would merge."""
    return position(
        {
            "NYC": {"held": {"Bob": 50}, "at": (0, 3), **more},
            "PRR": {"held": {"Cas": 40, "Bob": 10}, "at": (0, 3)},
        }
    )


def formed(state: State, action: Action = BUY_10H) -> State:
    return on.after(state, action)


@pytest.mark.rule("18GL 4.5.1.2")
def test_two_companies_without_trains_merge_when_the_first_10h_is_bought():
    (event,) = on.happened(two(), BUY_10H, Merged)
    assert (event.company, set(event.merged), event.percent) == ("CR", {"NYC", "PRR"}, 10)
    after = formed(two())
    assert set(after.gone) == {"NYC", "PRR"}
    assert after.shares["NYC"] == {} and "NYC" not in after.presidents


@pytest.mark.rule("18GL 4.5.1.2")
@pytest.mark.parametrize("what", ["one alone", "none", "not operated", "with a train"])
def test_it_takes_two_that_have_operated_and_have_no_train(what):
    companies: dict[str, dict[str, object]] = {"NYC": {"held": {"Bob": 50}}}
    if what == "none":
        companies["NYC"]["trains"] = ("6H",)
    elif what != "one alone":
        more = {"turns": 0} if what == "not operated" else {"trains": ("6H",)}
        companies["PRR"] = {"held": {"Cas": 50}, **more}
    state = position(companies)
    (event,) = on.happened(state, BUY_10H, MergerNotFormed)
    assert event.trainless == (() if what == "none" else ("NYC",))
    after = formed(state)
    assert "CR" not in after.pars and not after.gone


@pytest.mark.rule("18GL R36")
@pytest.mark.rule("18GL 4.5.1.2")
def test_it_has_a_second_chance_at_phase_e_and_none_after_that():
    state = position({"NYC": {"held": {"Bob": 50}}, "PRR": {"held": {"Cas": 50}}}, left=BEFORE_E)
    assert "CR" in formed(state, BUY_E).floated
    late = on.phase(state, "E", left=1)
    assert not on.happened(late, on.buy_train("GT", "D", 1000), Merged)


@pytest.mark.rule("18GL 4.5.1.2")
@pytest.mark.rule("18GL 4.7.3")
def test_it_does_not_form_again_once_it_has_closed():
    state = position({"NYC": {"held": {"Bob": 50}}, "PRR": {"held": {"Cas": 50}}}, left=BEFORE_E)
    after = formed(replace(state, gone=("IC", "MR", "CR")), BUY_E)
    assert "CR" not in after.pars
    assert after.gone == ("IC", "MR", "CR")


@pytest.mark.rule("18GL 4.5.1.2")
def test_players_exchange_two_for_one_whatever_the_company_and_odd_shares_go_to_the_market():
    after = formed(two())
    # Bob has five and one, Cas four; the treasuries five and five
    assert after.shares["CR"]["Bob"] == (20, 10)
    assert after.shares["CR"]["Cas"] == (10, 10)
    assert after.shares["CR"]["CR"] == (10,) * 5
    odd = position({"NYC": {"held": {"Bob": 30}}, "PRR": {"held": {"Cas": 30}, "treasury": 70}})
    exchanged = {e.owner: e for e in on.happened(odd, BUY_10H, MergerExchanged)}
    assert (exchanged["Bob"].shares, exchanged["Bob"].odd) == (1, 1)
    assert (exchanged["Cas"].shares, exchanged["Cas"].odd) == (1, 1)
    assert (exchanged[MARKET].given, exchanged[MARKET].shares) == (2, 1)


@pytest.mark.rule("18GL 4.5.1.2")
def test_the_exchange_begins_with_the_president_who_brought_the_phase_and_goes_round():
    state = position(
        {"NYC": {"held": {"Cas": 50}}, "PRR": {"held": {"Bob": 20, "Ann": 20}}}, seats=3
    )
    owners = [e.owner for e in on.happened(state, BUY_10H, MergerExchanged)]
    assert owners == ["Ann", "Bob", "Cas", "CR", MARKET]


@pytest.mark.rule("18GL 4.5.1.2")
def test_the_first_with_two_shares_takes_the_presidency_and_a_greater_holding_takes_it_from_him():
    state = position({"NYC": {"held": {"Bob": 40}}, "PRR": {"held": {"Cas": 60}}})
    after = formed(state)
    assert after.presidents["CR"] == "Cas"
    assert after.shares["CR"]["Bob"] == (10, 10)
    assert after.shares["CR"]["Cas"] == (20, 10)


@pytest.mark.rule("18GL 4.5.1.2")
def test_a_first_share_before_somebody_elses_two_is_no_presidency():
    """Ann is the first who receives one, Bob the first who receives two."""
    state = position({"NYC": {"held": {"Bob": 40}}, "PRR": {"held": {"Cas": 40, "Ann": 20}}})
    assert not on.happened(state, BUY_10H, ActingPresident)
    after = formed(state)
    assert after.presidents["CR"] == "Bob"
    assert [after.shares["CR"][s] for s in ("Ann", "Bob", "Cas")] == [(10,), (20,), (10, 10)]


@pytest.mark.rule("18GL 4.5.1.2")
@pytest.mark.rule("18GL 4.7.3")
def test_who_is_bankrupt_is_passed_over_in_the_exchange():
    """Bob is out; Cas follows Ann."""
    state = position({"NYC": {"held": {"Cas": 40}}, "PRR": {"held": {"Dan": 40}}}, seats=4)
    after = [e.owner for e in on.happened(replace(state, out=("Bob",)), BUY_10H, MergerExchanged)]
    assert after == ["Cas", "Dan", "CR"]


@pytest.mark.rule("18GL 4.5.1.2")
def test_without_two_shares_the_first_who_received_one_acts_as_president():
    state = position({"NYC": {"held": {"Cas": 30}}, "PRR": {"held": {"Bob": 30}}})
    (event,) = on.happened(state, BUY_10H, ActingPresident)
    assert event.seat == "Bob"
    after = formed(state)
    assert after.presidents["CR"] == "Bob"
    assert after.shares["CR"]["CR"][0] == 20


@pytest.mark.rule("18GL 4.5.1.2")
def test_the_presidents_certificate_lies_in_the_market_if_the_treasury_has_not_two_shares():
    state = position(
        {
            "NYC": {"held": {"Cas": 30}, "treasury": 0},
            "PRR": {"held": {"Bob": 30}, "treasury": 20},
        }
    )
    after = formed(state)
    assert after.shares["CR"]["CR"] == (10,)
    assert after.shares["CR"][MARKET][0] == 20


@pytest.mark.rule("18GL 4.5.1.2")
def test_three_companies_bring_the_second_issue_and_shares_of_five_percent():
    state = position(
        {
            "NYC": {"held": {"Bob": 50}},
            "PRR": {"held": {"Cas": 60}},
            "IC": {"held": {"Bob": 20, "Ann": 20}},
        }
    )
    after = formed(state)
    assert on.table(after).share("CR") == 5
    assert after.shares["CR"]["Bob"] == (10, 5)
    assert after.shares["CR"]["Cas"] == (5, 5, 5)
    assert after.shares["CR"]["Ann"] == (5,)
    assert after.bonds == {"CR": 10}


@pytest.mark.rule("18GL 4.5.1.2")
def test_shares_that_nobody_receives_are_paid_for_and_go_to_the_market():
    names = ("NYC", "PRR", "IC")
    state = position({name: {"held": {"Bob": 60}, "at": (0, 3)} for name in names})
    (event,) = on.happened(state, BUY_10H, MergerCapital)
    assert (event.shares, event.amount) == (5, 5 * 110)
    after = formed(state)
    assert sum(after.shares["CR"][MARKET]) == 5 * 5
    # and three times the salvage of a 4H
    assert after.cash["CR"] == 5 * 110 + 3 * 50


def seven(treasury: int = 0) -> State:
    """Seven companies merge, of each a player has 60%; the treasury of NYC has this much of it."""
    names = ("NYC", "PRR", "IC", "MR", "NPR", "MON", "DT&I")
    owners = ("Ann", "Ann", "Bob", "Bob", "Cas", "Cas", "Cas")
    return position(
        {
            name: {"held": {owner: 60}, "treasury": treasury if name == "NYC" else 0}
            for name, owner in zip(names, owners, strict=True)
        }
    )


@pytest.mark.rule("18GL R37")
@pytest.mark.rule("18GL 4.5.1.2")
def test_five_companies_bring_bonds_when_the_shares_are_gone_and_nothing_after_them():
    state = seven()
    exchanged = {e.owner: e for e in on.happened(state, BUY_10H, MergerExchanged)}
    assert (exchanged["Ann"].shares, exchanged["Ann"].bonds) == (6, 0)
    assert (exchanged["Cas"].shares, exchanged["Cas"].bonds) == (8, 1)
    # the market has four of each of seven, 28: fourteen for one each, and nine bonds are left
    assert (exchanged[MARKET].shares, exchanged[MARKET].bonds) == (0, 9)
    assert exchanged[MARKET].lost == 28 - 18
    after = formed(state)
    assert after.bonds == {"CR": 0, "Cas": 1, MARKET: 9}


@pytest.mark.rule("18GL R38")
@pytest.mark.rule("18GL 4.5.1.2")
@pytest.mark.parametrize(
    ("cells", "price"),
    [
        (((0, 3), (0, 3)), 110),  # 100 and 100: the least
        (((0, 6), (0, 8)), 160),  # 140 and 180
        (((0, 6), (0, 7)), 140),  # 140 and 160: 150, down to 140
        (((0, 4), (0, 10)), 160),  # 110 and 225: 167, down to 160
    ],
)
def test_its_price_is_the_mean_of_the_two_highest_down_to_one_of_the_top_row(cells, price):
    state = position(
        {
            "NYC": {"held": {"Bob": 50}, "at": cells[0]},
            "PRR": {"held": {"Cas": 50}, "at": cells[1]},
        }
    )
    assert formed(state).pars["CR"] == price
    row, _ = on.table(formed(state)).cell("CR")
    assert row == 0


@pytest.mark.rule("18GL 4.5.1.2")
def test_its_token_goes_under_others_in_its_space():
    state = position({"NYC": {"held": {"Bob": 50}}, "PRR": {"held": {"Cas": 50}}})
    state = on.company(state, "IC", {"Ann": 60}, at=(0, 4), trains=("6H",))
    assert [c for c in on.table(formed(state)).priced() if c in ("IC", "CR")] == ["IC", "CR"]


@pytest.mark.rule("18GL 4.5.1.2")
def test_inherited_loans_move_its_price_put_out_bonds_and_go_back_to_the_bank():
    state = position(
        {
            "NYC": {"held": {"Bob": 50}, "loans": 2, "cash": 70},
            "PRR": {"held": {"Cas": 50}, "loans": 1, "cash": 30},
            "IC": {"held": {"Bob": 60}},
        }
    )
    after = formed(state)
    (issued,) = on.happened(state, BUY_10H, BondsIssued)
    assert (issued.count, issued.amount) == (3, 0)
    assert on.price(after, "CR") == 80  # 110, three spaces left
    assert after.bonds == {"CR": 7, MARKET: 3}
    assert not any(after.loans.values())
    # five of twenty shares that nobody received, at the adjusted price; salvage of three 4H
    assert after.cash["CR"] == 100 + 5 * 80 + 3 * 50


@pytest.mark.rule("18GL 4.5.1.2")
@pytest.mark.parametrize(("treasury", "bonds"), [(0, 0), (20, 1)])
def test_loans_put_out_no_more_bonds_than_there_are(treasury, bonds):
    """Two loans; the exchange leaves no bond in the treasury, or one."""
    state = on.loans(seven(treasury), {"DT&I": 2})
    exchanged = on.happened(state, BUY_10H, MergerExchanged)
    assert sum(e.bonds for e in exchanged if e.owner != "CR") == 10 - bonds
    assert sum(e.count for e in on.happened(state, BUY_10H, BondsIssued)) == bonds
    after = formed(state)
    assert on.price(after, "CR") == 90
    assert after.bonds["CR"] == 0


@pytest.mark.rule("18GL 4.5.1.2")
def test_it_inherits_special_tokens_and_ferries():
    marks = Mark("port", "NYC", "Port", "D10"), Mark("mine", "GT", "Mine", "E1")
    state = on.marks(two(), *marks, Mark("ferry", "PRR", "Ferry"))
    after = formed(replace(state, ferries={"London–Cleveland": "PRR"}))
    found = [(m.kind, m.company, m.hex) for m in after.marks]
    assert found == [("port", "CR", "D10"), ("mine", "GT", "E1"), ("ferry", "CR", "")]
    assert after.ferries == {"London–Cleveland": "CR"}
    other = formed(replace(state, ferries={"London–Cleveland": "GT"}))
    assert other.ferries == {"London–Cleveland": "GT"}


@pytest.mark.rule("18GL 4.5.1.2")
@pytest.mark.parametrize("operated", [True, False])
def test_it_operates_in_the_round_unless_a_merged_company_has(operated):
    state = two()
    done = ("NYC", "GT") if operated else ("GT",)
    state = replace(state, stack=(OperatingRound(True, done), *state.stack[1:]))
    after = on.after(formed(state), Pass(by="Ann"))
    turns = [frame.company for frame in after.stack if isinstance(frame, OperatingTurn)]
    assert turns == ([] if operated else ["CR"])


@pytest.mark.rule("18GL R40")
@pytest.mark.rule("18GL 4.5.1.2")
@pytest.mark.rule("18GL Table 6")
@pytest.mark.parametrize(
    ("gone", "left"),
    [
        ((), 3),
        (("B&O", "WAB", "LS&I"), 3),
        (("B&O", "WAB", "LS&I", "DT&I"), 2),
        (("B&O", "WAB", "LS&I", "DT&I", "MON"), 2),
        (("B&O", "WAB", "LS&I", "DT&I", "MON", "IC"), 1),
    ],
)
def test_the_number_of_10h_trains_follows_the_companies_there_are(gone, left):
    state = replace(two(), gone=gone)
    after = formed(state)
    assert after.trains[OFFERING].count("10H") == left
    withdrawn = on.happened(state, BUY_10H, TrainsWithdrawn)
    assert sum(e.count for e in withdrawn) == 3 - left
