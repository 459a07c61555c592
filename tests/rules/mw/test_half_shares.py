"""18MW The Stock Market, Merger 8: what half shares of systems cost, bring, earn and are worth."""

import pytest
from msgspec.structs import replace

from engine import notation
from engine.actions import BuyShare, Dividend, SellShares
from engine.play.ending import worth
from engine.position.frames import OperatingRound, OperatingTurn, Payout
from engine.position.values import MARKET, OFFERING, State
from engine.steps.operating.dividend import payments
from tests.rules.mw.setting import on

ANN = (10, 5, 5, 5)
BOB = (10, 5)


def system(price_at: tuple[int, int] = (0, 10), **elsewhere: tuple[int, ...]) -> State:
    """Ann's stock turn; she presides the Burlington Northern, at $145 unless told otherwise."""
    held = {"Ann": ANN, "Bob": BOB, **elsewhere}
    return on.system(on.phase(on.stock_turn(), "10"), "BN", held, at=price_at, cash=100)


@pytest.mark.rule("18MW The Stock Market")
@pytest.mark.rule("18MW R45")
@pytest.mark.parametrize(("halves", "dollars"), [(1, 72), (2, 145), (3, 217)])
def test_a_half_share_is_sold_for_half_the_price_rounded_down(halves: int, dollars: int) -> None:
    """Two halves that are sold together bring the full price."""
    state = system()
    sold = on.after(state, on.sell(halves, "BN"))
    assert on.price(state, "BN") == 145
    assert sold.cash["Ann"] - state.cash["Ann"] == dollars
    assert on.percent(sold, "BN")[MARKET] == 5 * halves


@pytest.mark.rule("18MW Movement of Stock Prices")
@pytest.mark.parametrize(("halves", "row"), [(1, 0), (2, 1), (3, 1)])
def test_the_price_moves_a_row_for_each_ten_percent_sold(halves: int, row: int) -> None:
    """An odd half does not move it."""
    nobody_can_pay = on.money(system(), {"Bob": 0})
    sold = on.after(nobody_can_pay, on.sell(halves, "BN"), on.done())
    assert on.table(sold).cell("BN") == (row, 10)


@pytest.mark.rule("18MW Merger 8")
@pytest.mark.rule("18MW R45")
@pytest.mark.parametrize(
    ("source", "owner", "dollars"), [(MARKET, MARKET, 73), ("BN", "", 73), (OFFERING, OFFERING, 43)]
)
def test_a_half_share_is_bought_for_half_the_price_rounded_up(
    source: str, owner: str, dollars: int
) -> None:
    """Of the open market and the treasury at market value, of the initial offering at par."""
    state = system(**({owner: (5, 5)} if owner else {}))
    state = replace(state, pars={**state.pars, "BN": 85})
    bought = on.after(state, replace(on.buy_used("BN"), source=source))
    assert state.cash["Ann"] - bought.cash["Ann"] == dollars
    assert on.percent(bought, "BN")["Ann"] == 30


@pytest.mark.rule("18MW Dividend Payment")
@pytest.mark.rule("18MW Merger 4")
@pytest.mark.rule("18MW R45")
def test_odd_halves_are_paid_half_a_dividend_rounded_up() -> None:
    """Of $130 a share gets $13: Ann's two shares and a half $33, Bob's one and a half $20."""
    state = replace(
        system(),
        stack=(OperatingRound(True, ("BN",)), OperatingTurn("BN", 4), Payout("BN")),
        earned={"BN": 130},
    )
    paid = on.after(state, Dividend(by="Ann", company="BN", kind="pay"))
    assert paid.cash["Ann"] - state.cash["Ann"] == 33
    assert paid.cash["Bob"] - state.cash["Bob"] == 20


@pytest.mark.rule("18MW Ending the Game")
@pytest.mark.rule("18MW R45")
def test_at_the_end_an_odd_half_is_rounded_up() -> None:
    """Pairs count in full: two and a half shares at $145 are $363."""
    state = system()
    table = on.table(state)
    assert worth(table, "Ann") - state.cash["Ann"] == 2 * 145 + 73
    assert worth(table, "Bob") - state.cash["Bob"] == 145 + 73


@pytest.mark.rule("18MW Change in Presidency")
@pytest.mark.parametrize(
    ("bob", "cas", "anns", "bobs"),
    [
        ((10, 5), (5,), (10,), (10, 5)),  # his double share for the president's
        ((5, 5, 5), (10,), (5, 5), (10, 5)),  # two halves for it, whoever has the double share
    ],
)
def test_a_new_president_gives_a_double_share_or_two_halves(
    bob: tuple[int, ...], cas: tuple[int, ...], anns: tuple[int, ...], bobs: tuple[int, ...]
) -> None:
    """Ann keeps 10% and Bob presides with 15%."""
    state = on.system(on.stock_turn(), "BN", {"Ann": ANN, "Bob": bob, "Cas": cas}, at=(0, 10))
    sold = on.after(state, on.sell(3, "BN"))
    assert sold.presidents["BN"] == "Bob"
    assert sold.shares["BN"]["Ann"] == anns
    assert sold.shares["BN"]["Bob"] == bobs
    assert sold.shares["BN"]["Cas"] == cas
    assert sold.shares["BN"][MARKET] == (5, 5, 5)


def sale(shares: int, *, double: bool = False) -> SellShares:
    """Ann sells half shares, the double share certificate among them or not."""
    return SellShares(by="Ann", company="BN", shares=shares, double=double)


def purchase(source: str, *, double: bool = False) -> BuyShare:
    """Ann buys a certificate."""
    return BuyShare(by="Ann", company="BN", source=source, double=double)


def holding(*anns: int, bob: tuple[int, ...] = (5, 5)) -> State:
    """Ann presides and holds these certificates."""
    return on.system(on.phase(on.stock_turn(), "10"), "BN", {"Ann": anns, "Bob": bob}, at=(0, 10))


@pytest.mark.rule("18MW Shares and Limits")
@pytest.mark.parametrize(
    ("anns", "action", "left", "market"),
    [
        ((10, 10, 5, 5), sale(2), (10, 10), (5, 5)),
        ((10, 10, 5, 5), sale(2, double=True), (10, 5, 5), (10,)),
        ((10, 10, 5, 5), sale(3, double=True), (10, 5), (10, 5)),
        ((10, 5, 5, 5), sale(4), (5,), (5, 5, 5, 5)),  # Bob presides then, and gave two for it
    ],
)
def test_what_is_sold_are_certificates_that_the_seller_has(
    anns: tuple[int, ...], action: SellShares, left: tuple[int, ...], market: tuple[int, ...]
) -> None:
    """The double share certificate goes whole, and who has both kinds says which."""
    sold = on.after(holding(*anns), action)
    assert (sold.shares["BN"]["Ann"], sold.shares["BN"][MARKET]) == (left, market)


@pytest.mark.rule("18MW Shares and Limits")
@pytest.mark.parametrize(
    ("anns", "action", "words"),
    [
        ((10, 10), sale(1), ("no 1 single shares",)),  # it would part a certificate
        ((10, 10, 5), sale(2), ("no 2 single shares", "`sell 2 BN with double`")),
        ((10, 5, 5), sale(2, double=True), ("no 2 shares with the double one", "`sell 2 BN`")),
    ],
)
def test_no_certificate_is_parted(
    anns: tuple[int, ...], action: SellShares, words: tuple[str, ...]
) -> None:
    """The refusal says how so many shares could be sold."""
    on.refused(holding(*anns), action, "Shares and Limits", *words)


def test_corporations_have_no_double_share_beside_the_president_s() -> None:
    """The president's own is none that is bought or sold by that name."""
    state = on.company(on.stock_turn(), "IC", {"Ann": 50}, market=30)
    sell = SellShares(by="Ann", company="IC", shares=2, double=True)
    on.refused(state, sell, "Shares and Limits", "`sell 2 IC`")
    buy = BuyShare(by="Ann", company="IC", source=MARKET, double=True)
    on.refused(state, buy, "Stock Round", "no double share")


@pytest.mark.rule("18MW Merger 8")
def test_the_double_share_certificate_is_bought_at_the_full_price() -> None:
    """It is one certificate of the market, and one purchase."""
    state = system(**{MARKET: (5, 5)})
    on.refused(state, purchase(MARKET, double=True), "Stock Round", "no double share")
    state = holding(10, 5, bob=(5, 5))
    state = replace(
        state, shares={**state.shares, "BN": {"Ann": (10, 5), "BN": (5,) * 15, MARKET: (10,)}}
    )
    state = replace(state, presidents={"BN": "Ann"})
    bought = on.after(state, purchase(MARKET, double=True))
    assert bought.shares["BN"]["Ann"] == (10, 10, 5)
    assert state.cash["Ann"] - bought.cash["Ann"] == 145
    on.refused(state, purchase(MARKET), "Stock Round", "no share of BN in the open market")
    assert notation.parse(on.title, state, "Ann", "buy BN market") == purchase(MARKET, double=True)


@pytest.mark.rule("18MW Shares and Limits")
@pytest.mark.rule("18MW Merger 8")
@pytest.mark.parametrize(
    ("anns", "count"), [((10, 5), 1.5), ((10, 5, 5), 2), ((10, 10, 5), 2.5), ((10, 10), 2)]
)
def test_a_half_share_is_half_a_certificate(anns: tuple[int, ...], count: float) -> None:
    """Both double share certificates are one each."""
    assert on.table(holding(*anns)).certificates("Ann") == count


@pytest.mark.rule("18MW Shares and Limits")
def test_half_a_certificate_fits_where_a_whole_one_does_not() -> None:
    """Ann is half a certificate below the limit of nineteen, one merger being over."""
    state = on.system(
        on.phase(on.stock_turn(), "10"), "BN", {"Ann": (10, 5), MARKET: (10, 5)}, at=(0, 10)
    )
    state = replace(state, presidents={"BN": "Ann"})
    for name in ("IC", "NP", "MP"):
        state = on.company(state, name, {"Ann": 60, "Bob": 10}, at=(1, 6), market=10)
    state = on.company(state, "SP", {"Bob": 40, "Ann": 20}, at=(1, 7), market=10)
    assert on.table(state).certificate_limit() == 19
    assert on.table(state).certificates("Ann") == 18.5
    state = on.money(state, {"Ann": 500})
    words = ("Ann holds 18½ certificates", "the limit is 19")
    on.refused(state, on.buy_used("SP"), "Shares and Limits", *words)
    on.refused(state, purchase(MARKET, double=True), "Shares and Limits", *words)
    assert on.allowed(state, purchase(MARKET))


@pytest.mark.rule("18MW A4.0")
@pytest.mark.parametrize(
    ("seats", "limits"),
    [(3, (20, 19, 18, 17, 16)), (4, (16, 15, 14, 13, 12)), (5, (13, 12, 11, 10, 9))],
)
def test_each_merger_lowers_the_certificate_limit(seats: int, limits: tuple[int, ...]) -> None:
    """Also one whose system has left the game since."""
    state = on.stock_turn(seats=seats)
    assert on.table(state).certificate_limit() == limits[0]
    for name, limit in zip(("BN", "CR", "CSX", "NW"), limits[1:], strict=True):
        state = on.system(state, name, {"Ann": (10, 5)})
        assert on.table(state).certificate_limit() == limit
    left = {name: par for name, par in state.pars.items() if name != "CR"}
    assert on.table(replace(state, pars=left, gone=("CR",))).certificate_limit() == limits[-1]


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("sell BN", sale(1)),
        ("sell 2 BN", sale(2)),
        ("sell 2 BN with double", sale(2, double=True)),
        ("sell double BN", sale(2, double=True)),
        ("sell 10% BN", sale(2)),
        ("sell 3 BN", sale(3, double=True)),  # only so it can be
    ],
)
def test_half_shares_in_players_words(line: str, action: SellShares) -> None:
    """Single shares are meant where they suffice."""
    state = holding(10, 10, 5, 5)
    assert notation.parse(on.title, state, "Ann", line) == action
    written = notation.write(on.title, state, action)
    assert notation.parse(on.title, state, "Ann", written) == action


def paired(certificates: tuple[int, ...], price: int, *, up: bool) -> int:
    """A second model of the rulebook: halves become tens, two by two, and an odd one is rounded."""
    halves = [percent for percent in certificates if percent == 5]
    tens = len(certificates) - len(halves)
    total = 0
    while len(halves) > 1:
        del halves[:2]
        tens += 1
    if halves:
        total += (price + 1) // 2 if up else price // 2
    return total + tens * price


def every_holding() -> list[tuple[int, ...]]:
    """Certificates that an owner of a system may have, as far as half of it."""
    return [(10,) * tens + (5,) * halves for tens in (0, 1, 2) for halves in range(7)]


@pytest.mark.rule("18MW The Stock Market")
@pytest.mark.rule("18MW Dividend Payment")
@pytest.mark.rule("18MW Merger 4")
@pytest.mark.rule("18MW Ending the Game")
@pytest.mark.rule("18MW R54")
def test_half_shares_are_paired_before_an_odd_one_is_rounded() -> None:
    """Values, sales, purchases, redemptions and dividends of every holding, at odd prices."""
    facts = on.title.facts.systems
    assert facts is not None
    for held in every_holding():
        rest = list(facts.certificates)
        for percent in held:
            rest.remove(percent)
        table = on.table(
            on.system(on.stock_turn(), "BN", {"Ann": held, MARKET: tuple(rest)}, at=(0, 10))
        )
        percent, price = sum(held), table.price("BN")
        assert price == 145
        assert table.value("BN", percent) == paired(held, price, up=False), held
        assert table.value("BN", percent, up=True) == paired(held, price, up=True), held
        own = worth(table, "Ann") - table.at.cash["Ann"]
        assert own == paired(held, price, up=True), held
        for total in (130, 250, 70):
            paid = payments(table, "BN", total)
            assert paid.get("Ann", 0) == paired(held, total // 10, up=True), (held, total)


@pytest.mark.rule("18MW Dividend Payment")
@pytest.mark.rule("18MW R54")
@pytest.mark.parametrize(("offering", "treasury"), [((5,), (5,)), ((5, 5, 5), (10, 5)), ((5,), ())])
def test_the_treasury_pairs_its_halves_with_those_of_the_offering(
    offering: tuple[int, ...], treasury: tuple[int, ...]
) -> None:
    """It is one owner, who is paid for both."""
    facts = on.title.facts.systems
    assert facts is not None
    rest = list(facts.certificates)
    for percent in (*offering, *treasury, 10):
        rest.remove(percent)
    held = {"Ann": (10,), MARKET: tuple(rest), OFFERING: offering, "BN": treasury}
    state = on.system(on.stock_turn(), "BN", {"Ann": (10,)}, at=(0, 10))
    state = replace(state, shares={**state.shares, "BN": {o: c for o, c in held.items() if c}})
    own = payments(on.table(state), "BN", 130)["BN"]
    assert own == paired((*offering, *treasury), 13, up=True)
