"""18MW Bankruptcy: companies in receivership, what a receiver may do, and how they are taken over."""

from typing import Any

import pytest
from msgspec.structs import replace

from engine import notation
from engine.actions import BuyShare, BuyStation, MergeInto, OfferShare
from engine.events import ReceivershipEnded, TrainBorrowed, TrainReturned, Withheld
from engine.position import codec
from engine.position.frames import (
    OperatingRound,
    OperatingTurn,
    Payout,
    Running,
    StationTrade,
    Track,
    Trains,
)
from engine.position.values import MARKET, State
from tests.rules.mw.setting import on

pytestmark = pytest.mark.rule("18MW Bankruptcy")

#: a run for any train: Minneapolis with the Pacific Northwest two hexes west
TRACK = "C9 57 2, B8 8 5"
RULE = "Bankruptcy"
MERGER = MergeInto(by="Ann", company="NP", partner="MP", system="BN")


def without_president(
    state: State, name: str = "NP", receiver: str = "Bob", held: dict[str, int] | None = None
) -> State:
    """The company in receivership; the president's certificate and what nobody holds in the market."""
    owners = {seat: (10,) * (percent // 10) for seat, percent in (held or {}).items()}
    rest = (100 - sum((held or {}).values()) - 20) // 10
    return replace(
        state,
        shares={**state.shares, name: {**owners, MARKET: (20, *(10,) * rest)}},
        presidents={c: seat for c, seat in state.presidents.items() if c != name},
        receivers={**state.receivers, name: receiver},
        receiverships=(*state.receiverships, name),
    )


def resting(
    *, cash: int = 300, trains: tuple[str, ...] = (), phase: str = "6", **more: Any
) -> State:
    """Ann's stock turn; NP, at $100 and on a route, is run by Bob."""
    state = on.company(
        on.phase(on.stock_turn(), phase), "NP", {"Ann": 60}, cash=cash, trains=trains
    )
    state = on.tiles(without_president(state, **more), TRACK)
    return on.money(state, {"Ann": 600, "Bob": 600, "Cas": 600})


def running(step: str = "", **more: Any) -> State:
    """The first decision of NP's operating turn, or one of its steps."""
    state = resting(**more)
    if step:
        return on.operating(state, "NP", step)
    turn = on.operating(state, "NP")
    return turn_begun(replace(turn, stack=(OperatingRound(True),)))


def turn_begun(state: State) -> State:
    """What follows by itself from the round on."""
    # a stock round that ends begins it, so that all steps are entered as in play
    ended = on.end_of_round(replace(state, round=replace(state.round, kind="SR", part=0, parts=0)))
    return on.after(ended, on.done("Ann"))


def lending(cash: int = 300, phase: str = "6", earned: int = 100) -> State:
    """NP runs a borrowed D and has earned something."""
    state = on.own(resting(cash=cash, phase=phase), "NP", "D")
    state = replace(state, borrowing=("NP",))
    return replace(on.operating(state, "NP", "run"), earned={"NP": earned})


def president(name: str = "NP", seat: str = "Ann", source: str = MARKET) -> BuyShare:
    """Buy the president's certificate."""
    return BuyShare(by=seat, company=name, source=source, president=True)


# what the receiver does


def test_the_receiver_decides_for_the_company() -> None:
    """Bob lays NP's tiles, not Ann."""
    now = turn_begun(resting())
    assert on.waits_for(now) == ("Bob",)
    assert isinstance(now.stack[-1], Track)
    lay = on.lay("NP", "9", "C7", 1, by="Ann")
    on.refused(now, lay, "Sequence of Play", "Bob's turn, not")


def test_without_a_train_it_borrows_one_which_begins_no_phase() -> None:
    """When its turn begins. The bank has as many as before."""
    ended = on.end_of_round(resting())
    assert on.happened(ended, on.done("Ann"), TrainBorrowed) == [TrainBorrowed("NP", "D")]
    now = on.after(ended, on.done("Ann"))
    assert now.trains["NP"] == ("D",)
    assert now.phase == "6"
    assert now.trains["initial offering"] == ended.trains["initial offering"]
    own = on.after(on.end_of_round(resting(trains=("6",))), on.done("Ann"))
    assert own.trains["NP"] == ("6",)
    assert own.borrowing == ()


def test_a_borrowed_train_is_run_for_the_most_and_its_earnings_are_kept() -> None:
    """Without a mail about the dividend: NP has not the $550 for a 6."""
    state = lending()
    assert isinstance(state.stack[-1], Running)
    done = on.run("NP", ("D", "C9-B8-B6"), by="Bob")
    kept = on.happened(state, done, Withheld)
    assert [event.company for event in kept] == ["NP"]
    now = on.after(state, done)
    assert now.cash["NP"] > state.cash["NP"]
    at = replace(state, stack=(*state.stack[:-1], Payout("NP")))
    on.refused(at, on.pay("NP", by="Bob"), RULE, "$550", "withhold")


def test_with_the_money_for_the_cheapest_train_it_may_pay_out() -> None:
    """What the bank sells cheapest counts, be it a used one."""
    at = replace(lending(cash=550), stack=(*lending().stack[:-1], Payout("NP")))
    assert on.allowed(at, on.pay("NP", by="Bob"))
    used = on.own(replace(at, cash=lending(cash=450).cash), MARKET, "5")
    assert on.allowed(used, on.pay("NP", by="Bob"))


def test_with_a_train_of_its_own_the_receiver_chooses() -> None:
    """Pay or withhold, however poor the company is."""
    state = replace(running("dividend", trains=("6",), cash=0), earned={"NP": 100})
    assert on.allowed(state, on.pay("NP", by="Bob"))
    assert on.allowed(state, on.withhold("NP", by="Bob"))


def test_it_need_not_and_may_not_buy_a_train() -> None:
    """Neither with money of its own, nor of a company that Bob presides."""
    state = on.company(resting(cash=2000), "MP", {"Bob": 60}, trains=("6",), at=(1, 7))
    turn = on.operating(state, "NP", "trains")
    on.refused(turn, on.buy_train("NP", "6", 550, by="Bob"), RULE, "receivership")
    on.refused(turn, on.buy_train("NP", "6", 1, "MP", by="Bob"), RULE, "receivership")
    on.refused(turn, OfferShare(by="Bob", company="NP"), "Mandatory Train Purchase 1")
    assert on.allowed(turn, on.done("Bob"))


def test_it_sells_no_train() -> None:
    """To a company that its receiver presides."""
    state = on.company(resting(trains=("6",)), "MP", {"Bob": 60}, cash=500, at=(1, 7))
    turn = on.operating(state, "MP", "trains")
    on.refused(turn, on.buy_train("MP", "6", 1, "NP", by="Bob"), RULE, "sells no train")


def test_the_one_train_that_it_may_buy_is_the_borrowed_one() -> None:
    """For its price, once the bank sells that type; then it is NP's own, and its phase begins."""
    state = on.own(resting(cash=1100, phase="10"), "NP", "D")
    state = on.operating(replace(state, borrowing=("NP",)), "NP", "trains")
    early, late = on.phase(state, "6"), on.phase(state, "10", left=1)
    late = on.own(late, MARKET, "8")
    buy = on.buy_train("NP", "D", 1100, by="Bob")
    on.refused(early, buy, "Train Purchase", "6")
    on.refused(late, on.buy_train("NP", "8", 800, MARKET, by="Bob"), RULE, "borrowed")
    assert on.happened(late, buy, TrainReturned)
    now = on.after(late, buy)
    assert (now.trains["NP"], now.borrowing, now.phase) == (("D",), (), "D")
    assert now.cash["NP"] == 0
    poor = on.money(late, {"NP": 1099})
    on.refused(poor, buy, RULE, "$1100")


def test_it_neither_buys_nor_sells_stations() -> None:
    """A receiver puts stations, as NP in Omaha; the Rock Island would buy that one's place."""
    track = "G9 57 1, G7 9 1, G5 57 1"
    state = on.station(on.tiles(resting(cash=900), TRACK + ", " + track), "NP", "G5")
    state = on.company(state, "CRIP", {"Bob": 60}, cash=900, at=(2, 6), stations=("L10",))
    turn = replace(
        on.operating(state, "CRIP", "trains"),
        stack=(
            OperatingRound(True, ("NP", "CRIP")),
            OperatingTurn("CRIP", 5),
            StationTrade("CRIP"),
        ),
    )
    buy = BuyStation(by="Bob", company="CRIP", source="NP", hex="G5", stop=0)
    on.refused(turn, buy, RULE, "NP is in receivership")
    normal = replace(
        turn, receivers={}, receiverships=(), presidents={**turn.presidents, "NP": "Bob"}
    )
    assert on.allowed(normal, buy)
    own = without_president(turn, "CRIP")
    own = replace(own, receivers={"CRIP": "Bob"}, receiverships=("CRIP",), presidents={"NP": "Bob"})
    on.refused(own, buy, RULE, "CRIP is in receivership")


def test_it_passes_its_train_step_where_it_can_buy_nothing() -> None:
    """The round goes on after the dividend."""
    now = on.after(lending(), on.run("NP", ("D", "C9-B8-B6"), by="Bob"))
    assert not any(isinstance(frame, Trains) for frame in now.stack)


# how it is taken over


def test_the_first_certificate_bought_is_the_presidents() -> None:
    """For twice the price; a share would leave Ann with 10%."""
    state = resting()
    on.refused(state, on.buy_used("NP"), RULE, "20%", "buy president NP")
    assert on.happened(state, president(), ReceivershipEnded) == [ReceivershipEnded("NP", "Ann")]
    now = on.after(state, president())
    assert now.presidents["NP"] == "Ann"
    assert now.receivers == {}
    assert now.cash["Ann"] == 400
    assert now.shares["NP"]["Ann"] == (20,)


def test_who_holds_a_share_needs_only_one_more() -> None:
    """Ann trades both for the certificate."""
    state = resting(held={"Ann": 10})
    now = on.after(state, on.buy_used("NP"))
    assert now.presidents["NP"] == "Ann"
    assert now.cash["Ann"] == 500
    assert now.shares["NP"]["Ann"] == (20,)
    assert now.shares["NP"][MARKET] == (10,) * 8


def test_of_a_system_ten_percent_are_needed() -> None:
    """Another half for who has one; the president's certificate for others."""
    pool = (10, 10, *(5,) * 15)
    start = on.system(on.phase(on.stock_turn(), "10"), "BN", {"Ann": (5,), MARKET: pool})
    state = replace(start, presidents={}, receivers={"BN": "Bob"}, receiverships=("BN",))
    now = on.after(state, on.buy_used("BN"))
    assert (now.presidents["BN"], now.shares["BN"]["Ann"]) == ("Ann", (10,))
    turn = replace(state, stack=(state.stack[0], replace(state.stack[1], seat="Cas")))
    on.refused(turn, on.buy_used("BN", seat="Cas"), RULE, "10%")
    assert on.after(turn, president("BN", "Cas")).presidents["BN"] == "Cas"


@pytest.mark.rule("18MW Brown Zone")
def test_in_the_brown_zone_two_shares_at_once_are_enough() -> None:
    """They become the certificate; with one alone Ann would have 10%."""
    state = resting()
    state = replace(state, tokens=(replace(state.tokens[0], cell=(9, 1)),))
    on.refused(state, on.buy_used("NP"), RULE, "20%")
    now = on.after(state, replace(on.buy_used("NP"), more=1))
    assert (now.presidents["NP"], now.shares["NP"]["Ann"]) == ("Ann", (20,))
    assert now.cash["Ann"] == 600 - 2 * 20


def test_shares_of_it_are_sold_without_a_change() -> None:
    """Ann may sell all she has, as far as the market has room."""
    state = resting(held={"Ann": 10, "Cas": 10})
    shares = {**state.shares["NP"], MARKET: (20, 10, 10), "initial offering": (10,) * 4}
    state = replace(state, shares={**state.shares, "NP": shares})
    now = on.after(state, on.sell(1, "NP"))
    assert now.receivers == {"NP": "Bob"}
    assert on.percent(now, "NP")[MARKET] == 50


def test_the_borrowed_train_goes_back_at_once() -> None:
    """And the company must find one in its next turn."""
    state = replace(on.own(resting(), "NP", "D"), borrowing=("NP",))
    now = on.after(state, president())
    assert (now.trains["NP"], now.borrowing, now.taken_over) == ((), (), ("NP",))
    own = on.after(resting(trains=("6",)), president())
    assert (own.trains["NP"], own.taken_over) == (("6",), ())


class TestChoiceOfTheFirstRound:
    """Who takes over a company without a train provides one, or merges it, in its next turn."""

    @staticmethod
    def taken(cash: int, phase: str = "10") -> State:
        """Ann's NP, taken over with $900 or more, and her MP on its track: a 10 costs $900."""
        state = on.after(resting(cash=cash, phase=phase), president())
        state = on.company(state, "MP", {"Ann": 60}, cash=0, trains=("8",), at=(1, 7))
        state = on.station(state, "MP", "C9")
        return on.money(on.operating(state, "NP", "trains"), {"Ann": 900})

    def test_a_train_must_be_bought(self) -> None:
        """Of the treasury, of the president, or of an own company."""
        state = self.taken(100)
        on.refused(state, on.done(), "Mandatory Train Purchase")
        assert on.allowed(state, on.buy_train("NP", "10", 900))
        assert on.allowed(state, on.buy_train("NP", "8", 1, "MP"))

    def test_or_it_merges_whatever_money_it_has(self) -> None:
        """Else only a corporation that cannot pay for a train does."""
        rich = self.taken(2000)
        assert on.allowed(rich, MERGER)
        on.refused(replace(rich, taken_over=()), MERGER, "Merger")
        early = self.taken(2000, phase="8")
        on.refused(early, MERGER, "Merger", "phase 10")

    def test_the_choice_is_for_that_turn_alone(self) -> None:
        """Once the turn has ended, the company is like others."""
        state = on.after(self.taken(2000), on.buy_train("NP", "10", 900))
        ended = on.after(state, on.done()) if isinstance(state.stack[-1], Trains) else state
        assert ended.taken_over == ()


@pytest.mark.rule("18MW Closed Zone")
def test_a_company_in_receivership_that_closes_gives_its_borrowed_train_back() -> None:
    """It is not for sale afterwards."""
    state = replace(on.own(resting(held={"Ann": 10}), "NP", "D"), borrowing=("NP",))
    pool = {
        "Ann": (10,),
        MARKET: (20, 10),
        "Bob": (10,),
        "Cas": (10,),
        "initial offering": (10,) * 4,
    }
    state = replace(state, shares={**state.shares, "NP": pool})
    state = replace(state, tokens=(replace(state.tokens[0], cell=(9, 0)),))
    now = on.after(state, on.sell(1, "NP"), on.done())
    assert "NP" in now.gone
    assert (now.receivers, now.borrowing, now.trains[MARKET]) == ({}, (), ())


def test_positions_with_receivers_are_kept() -> None:
    """They are read back as written."""
    state = replace(on.own(resting(), "NP", "D"), borrowing=("NP",), taken_over=("MP",))
    assert codec.decode_state(codec.encode(state)) == state


def brown(**more: Any) -> State:
    """NP in receivership at $20; the market has the president's certificate and eight shares."""
    state = resting(**more)
    return replace(state, tokens=(replace(state.tokens[0], cell=(9, 1)),))


@pytest.mark.rule("18MW Brown Zone")
@pytest.mark.rule("18MW R55")
class TestWhatIsBoughtTogether:
    """One purchase that makes a president; several shares of the brown zone's market alone."""

    def test_in_the_brown_zone_the_certificate_and_any_number_of_shares(self) -> None:
        """All there are is 100% for $200."""
        every = replace(president(), more=8)
        now = on.after(brown(), every)
        assert (now.presidents["NP"], now.shares["NP"]["Ann"]) == ("Ann", (20, *(10,) * 8))
        assert now.cash["Ann"] == 600 - 10 * 20
        assert every in on.offered(brown(), "Ann", BuyShare)
        on.refused(brown(), replace(president(), more=9), "Brown Zone", "has 8 of NP")

    def test_elsewhere_one_certificate(self) -> None:
        """Also the president's, and where somebody presides none is bought by that name."""
        on.refused(resting(), replace(president(), more=1), "Brown Zone", "NP is not")
        normal = on.after(brown(), president(), on.done())
        taken = replace(president(seat="Bob"), more=1)
        on.refused(normal, taken, "Stock Round", "no president's certificate")

    @pytest.mark.parametrize("source", ["initial offering", "NP"])
    def test_the_missing_share_may_come_from_anywhere(self, source: str) -> None:
        """Of the initial offering at par, of the treasury at the price; several do not."""
        start = brown(held={"Ann": 10})
        pool = {"Ann": (10,), MARKET: (20, 10, 10), source: (10,) * 5}
        state = replace(start, shares={**start.shares, "NP": pool})
        buy = BuyShare(by="Ann", company="NP", source=source)
        now = on.after(state, buy)
        assert now.shares["NP"] == {"Ann": (20,), MARKET: (10,) * 4, source: (10,) * 4}
        assert state.cash["Ann"] - now.cash["Ann"] == (20 if source == "NP" else 100)
        on.refused(state, replace(buy, more=1), "Brown Zone", "open market")

    @pytest.mark.parametrize("line", ["buy 4 NP market with president", "buy 4 NP with president"])
    def test_in_players_words(self, line: str) -> None:
        """The certificate counts as two shares; written in one way that reads back."""
        action = notation.parse(on.title, brown(), "Ann", line)
        assert action == replace(president(), more=2)
        assert notation.write(on.title, brown(), action) == "buy 4 NP market with president"
