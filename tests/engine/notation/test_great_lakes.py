"""What only 18GL has is written and read: debts, treasuries, ferries, powers of players, mergers."""

from random import Random

import pytest
from msgspec.structs import replace

from engine import apply, new_game, options, to_act
from engine.actions import (
    Action,
    ActivateFerry,
    BuyBack,
    BuyBond,
    BuyPrivate,
    BuyShare,
    BuyTrain,
    Dividend,
    ExtendTrain,
    GoBankrupt,
    IssueShares,
    KeepStation,
    LaidTile,
    LayTile,
    Par,
    Pass,
    PlaceMark,
    PlaceStation,
    RedeemBonds,
    RepayLoans,
    Run,
    SellBonds,
    SellShares,
    TrainRun,
)
from engine.notation import Ambiguous, Malformed, UnknownName, parse, split, verbs, write
from engine.options import Choice, Range
from engine.position.frames import Home, MergerStations, OldStation
from engine.position.values import MARKET, OFFERING
from tests.engine.notation.positions import TITLE as AL
from tests.engine.notation.positions import operating as al_turn
from tests.rules.gl.lent import ESCANABA, MILWAUKEE, ONTARIO
from tests.rules.gl.setting import on

GL = on.GL
POWERS = ("EJ&E", "Bridge", "Terminal", "RailWorks", "Mine", "ALCO", "Port", "Ferry")
WEST = "D10 730 0,F10 724 0"


def turn(step="track", **more):
    return on.turn(
        step, "IC", owns=dict.fromkeys(POWERS, "Ann"), trains=("4H",), laid="D10 730 0", **more
    )


def debts(step="repay"):
    """CR's turn: two loans, bonds in its treasury, with Ann and with Bob."""
    state = on.turn(step, "CR", held={"Ann": 20, "Bob": 20}, at=(0, 4), loans=2, cash=1500, share=5)
    return on.bonds(state, {"CR": 4, "Ann": 2, "Bob": 4})


def stock():
    """Ann's stock turn; IC has shares in its treasury and in the market, PRR in the treasury."""
    state = on.company(on.stock_turn(), "IC", {"Ann": 40}, market=20)
    state = on.company(state, "PRR", {"Bob": 60})
    state = on.company(state, "CR", {"Bob": 15, "Ann": 5}, at=(0, 4), share=5, president="CR")
    return on.bonds(state, {"CR": 3, "Ann": 3, MARKET: 4})


def read(state, line, seat="Ann"):
    return parse(GL, state, seat, line)


def same(state, action, text):
    assert write(GL, state, action) == text
    assert read(state, text, action.by) == action


@pytest.mark.parametrize(
    ("lines", "action"),
    [
        (("use RailWorks: lay 57 F14 S-N", "use railworks lay F14 57 N-S", "lay 57 F14 N-S with RailWorks"),
         LayTile(by="Ann", company="IC", tile="57", hex="F14", rotation=0, power="RailWorks")),
        (("use EJ&E: lay 9 C11 S-N", "lay 9 C11 r0 using Elgin"),
         LayTile(by="Ann", company="IC", tile="9", hex="C11", rotation=0, power="EJ&E")),
        (("use Port: mark D10", "use Port: D10", "port Milwaukee", "use Port: token D10", "mark D10"),
         PlaceMark(by="Ann", company="IC", private="Port", hex="D10")),
        (("use Terminal: mark L14", "use Terminal: token L14", "terminal on Cleveland"),
         PlaceMark(by="Ann", company="IC", private="Terminal", hex="L14")),
        (("use Mine: mark E1", "use Mine", "use Mine: E1", "mine"),
         PlaceMark(by="Ann", company="IC", private="Mine", hex="E1")),
        (("use Bridge", "use Bridge token", "bridge"),
         PlaceMark(by="Ann", company="IC", private="Bridge")),
        (("use ALCO: extend 4H", "use ALCO: 4H", "extend 4H", "extend the 4 train"),
         ExtendTrain(by="Ann", company="IC", private="ALCO", train="4H")),
        (("half", "pay half", "half pay"), Dividend(by="Ann", company="IC", kind="half")),
        (("withhold", "keep", "keep the revenue", "hold"),
         Dividend(by="Ann", company="IC", kind="withhold")),
        (("issue 2", "sell 2 treasury", "sell 2 treasury shares", "sell 2 IC treasury", "issue 20%",
          "sell 2 shares from the treasury", "issue 2 shares of IC", "IC: issue 2"),
         IssueShares(by="Ann", company="IC", shares=2)),
        (("buy back 3", "buy 3 back", "buy back 30%", "buyback 3 IC shares", "IC: buy back 3"),
         BuyBack(by="Ann", company="IC", shares=3)),
        (("bankrupt",), GoBankrupt(by="Ann", company="IC")),
    ],
)  # fmt: skip
def test_what_a_company_does_in_its_turn(lines, action):
    state = turn()
    same(state, action, lines[0])
    assert {read(state, line) for line in lines} == {action}


@pytest.mark.parametrize(
    ("lines", "tiles"),
    [
        (("use Ferry: Milwaukee-Muskegon, lay 724 F10 S-N-SE", "ferry Milwaukee with 724 F10",
          "use Ferry: Muskegon, lay F10 724 r0", "use Ferry: D10, lay 724 F10"), "F10 724 0"),
        (("use Ferry: Milwaukee-Muskegon", "ferry Milwaukee to Muskegon",
          "use Ferry for Milwaukee – Muskegon"), ""),
    ],
)  # fmt: skip
def test_a_ferry_with_and_without_a_tile(lines, tiles):
    state = turn() if tiles else on.tiles(turn(), WEST)
    laid = tuple(LaidTile(h, t, int(r)) for h, t, r in [tiles.split()] if tiles) if tiles else ()
    action = ActivateFerry(by="Ann", company="IC", private="Ferry", ferry=MILWAUKEE, tiles=laid)
    same(state, action, lines[0])
    for line in lines:
        assert split(line) == [line.replace("–", "-")]
        assert read(state, split(line)[0]) == action


def test_a_ferry_with_two_ends_without_tiles():
    laid = (LaidTile("I5", "727", 0), LaidTile("L8", "724", 0))
    action = ActivateFerry(by="Ann", company="IC", private="Ferry", ferry=ONTARIO, tiles=laid)
    text = write(GL, turn(), action)
    assert text.startswith("use Ferry: Northern Ontario-Alpena-Owen Sound, lay 727 I5 and 724 L8")
    assert read(turn(), text) == action
    use, *rest = split(f"{text}, run, pay")
    assert read(turn(), use) == action and rest == ["run", "pay"]
    assert read(turn(), "ferry Owen Sound with 727 I5, lay 724 L8 r0") == action


def test_a_ferry_is_found_by_its_ends_alone():
    found = read(turn(), "use Ferry: escanaba")
    assert isinstance(found, ActivateFerry) and found.ferry == ESCANABA
    with pytest.raises(UnknownName, match="not a ferry"):
        read(turn(), "use Ferry: Chicago")


@pytest.mark.parametrize(
    ("lines", "action"),
    [
        (("repay 1", "repay a loan", "repay one loan", "pay back 1"), RepayLoans(by="Ann", company="CR", count=1)),
        (("repay 2", "repay all", "repay loans", "repay all loans"), RepayLoans(by="Ann", company="CR", count=2)),
    ],
)  # fmt: skip
def test_loans_are_repaid(lines, action):
    same(debts(), action, lines[0])
    assert {read(debts(), line) for line in lines} == {action}


def test_repay_alone_is_enough_where_one_number_is_possible():
    with pytest.raises(Ambiguous) as caught:
        read(debts(), "repay")
    assert caught.value.suggestions == ("repay 1", "repay 2")
    poor = on.money(debts(), {"CR": 600})
    assert read(poor, "repay") == RepayLoans(by="Ann", company="CR", count=1)


def test_bonds_are_redeemed():
    state = debts("redeem")

    def action(count, owner):
        return RedeemBonds(by="Ann", company="CR", count=count, source=owner)

    same(state, action(2, "Ann"), "redeem 2 from Ann")
    assert read(state, "redeem all bonds of Bob") == action(4, "Bob")
    assert read(state, "redeem 3") == action(3, "Bob")  # Ann has but two
    with pytest.raises(Ambiguous) as caught:
        read(state, "redeem 2")
    assert caught.value.suggestions == ("redeem 2 from Ann", "redeem 2 from Bob")
    state = on.bonds(state, {MARKET: 3})
    same(state, action(3, MARKET), "redeem 3")
    assert read(state, "redeem all") == read(state, "redeem 3 from the market") == action(3, MARKET)
    with pytest.raises(Malformed, match="How many bonds"):
        read(state, "redeem")


@pytest.mark.parametrize(
    ("lines", "action"),
    [
        (("buy PRR treasury", "buy PRR", "buy 1 share of PRR from its treasury", "buy a PRR share"),
         BuyShare(by="Ann", company="PRR", source="PRR")),
        (("buy IC market", "buy ic pool", "buy IC from the market"),
         BuyShare(by="Ann", company="IC", source=MARKET)),
        (("buy president CR treasury", "buy president CR", "buy the presidency of CONRAIL",
          "buy president's certificate of CR", "buy CR president",
          "buy CR president's certificate"),
         BuyShare(by="Ann", company="CR", source="CR", president=True)),
        (("buy bond", "buy a bond", "buy 1 bond", "buy one CR bond", "buy bond from the market"),
         BuyBond(by="Ann")),
        (("sell 2 bonds", "sell two CR bonds", "sell 2 bonds to the market"),
         SellBonds(by="Ann", count=2)),
        (("sell 1 bond", "sell bond", "sell a bond"), SellBonds(by="Ann", count=1)),
        (("sell 3 bonds", "sell all bonds", "sell all my bonds"), SellBonds(by="Ann", count=3)),
        (("sell 1 CR", "sell 5% CR", "sell CR 5%", "sell all CR"),
         SellShares(by="Ann", company="CR", shares=1)),
        (("par NYC 90", "start NYC 90", "start nyc at $90"), Par(by="Ann", company="NYC", price=90)),
    ],
)  # fmt: skip
def test_what_a_player_buys_and_sells(lines, action):
    same(stock(), action, lines[0])
    assert {read(stock(), line) for line in lines} == {action}


def test_shares_in_two_places_are_asked_for():
    with pytest.raises(Ambiguous, match="in the treasury and in the open market") as caught:
        read(stock(), "buy IC")
    assert caught.value.suggestions == ("buy IC treasury", "buy IC market")


@pytest.mark.parametrize(
    ("line", "kind", "column", "suggestions"),
    [
        ("buy 2 bonds", Malformed, 4, ("buy bond",)),
        ("sell 7% CR", Malformed, 5, ("5%", "10%")),
        ("sell 10% CR today", Malformed, 12, ()),
        ("buy PRR tresury", Malformed, 8, ("treasury",)),
        ("buy president NYC", Malformed, 18, ("par NYC 60", "par NYC 70", "par NYC 75")),
        ("redem 2", Malformed, 0, ("redeem",)),
        ("buy", Malformed, 4, ("buy IC treasury", "buy IC market", "buy PRR treasury")),
        ("sell", Malformed, 5, ("sell 1 IC", "sell 1 CR", "sell 1 bond")),
        ("use Port", Malformed, 9, ("use Port: mark …",)),
        ("use C&E: lay 733 L14", UnknownName, 4, ("EJ&E",)),
        ("use Ferry: token D10", Malformed, 11, ("ferry",)),
        ("buy 4H treasury", UnknownName, 7, ("buy 4H ipo", "buy 4H market")),
    ],
)
def test_mistakes_are_placed_and_answered(line, kind, column, suggestions):
    state = on.operating(stock(), "IC", "trains") if "4H" in line else stock()
    with pytest.raises(kind) as caught:
        read(state, line)
    assert caught.value.column == column
    assert caught.value.suggestions[: len(suggestions)] == suggestions


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("repay 1", "no loans"),
        ("redeem 2", "no bonds"),
        ("issue 2", "no shares of their own"),
        ("buy back 2", "no shares of their own"),
        ("ferry Mobile", "no ferries"),
        ("extend 2", "extends trains"),
        ("half", "no half dividend"),
    ],
)
def test_other_titles_know_nothing_of_it(line, words):
    with pytest.raises(UnknownName, match=words):
        parse(AL, al_turn(), "Ann", line)


def test_help_lists_what_a_title_knows():
    there = {entry.verb for entry in verbs(GL)} - {entry.verb for entry in verbs(AL)}
    assert there == {"ferry", "extend", "half", "repay", "redeem", "issue", "buy back", "keep"}
    assert not any(entry.verb in ("insist", "name", "idle") for entry in verbs(GL))
    assert "loan" not in " ".join(entry.meaning for entry in verbs(AL))


def examples():
    return [entry.example for entry in verbs(GL)]


@pytest.mark.parametrize("example", examples())
def test_every_example_of_the_help_is_understood(example):
    for state in (on.opening(), stock(), turn(), debts("redeem")):
        try:
            assert write(GL, state, read(state, example))
        except ValueError:
            continue
        return
    raise AssertionError(example)


def test_stations_of_merged_companies_are_kept_by_their_hexes():
    state = on.operating(on.company(on.stock_turn(), "CR", {"Ann": 40}, at=(0, 4)), "CR")
    places = (OldStation("L14", 0, ("NPR",)), OldStation("J12", 0, ("NPR",)))
    state = replace(state, stack=(*state.stack, MergerStations("CR", {"NPR": 1}, places)))
    same(state, KeepStation(by="Ann", company="CR", hex="L14"), "keep L14")
    assert read(state, "keep Detroit").hex == "J12"


def test_the_home_of_the_wabash_is_chosen():
    state = on.company(on.stock_turn(), "WAB", {"Ann": 50}, home="none")
    state = replace(state, stations={}, shut=(), stack=(*state.stack, Home("WAB")))
    same(state, PlaceStation(by="Ann", company="WAB", hex="C19"), "token C19")
    assert read(state, "home B18") == PlaceStation(by="Ann", company="WAB", hex="B18")


def test_trains_are_named_by_type_or_by_number_alone():
    state = on.phase(turn("trains"), "4H")
    bought = BuyTrain(by="Ann", company="IC", train="4H", source=OFFERING, price=200)
    for line in ("buy 4H", "buy 4", "buy 4h train", "buy a 4-train"):
        assert read(state, line) == bought
    for train in GL.trains:
        action = BuyTrain(by="Ann", company="IC", train=train, source="PRR", price=7)
        same(state, action, f"buy {train} from PRR for 7")
    assert read(state, "buy D").train == "D"
    assert read(stock(), "buy DT") == read(stock(), "buy DT&I")


def test_a_run_crosses_the_lake():
    state = on.tiles(turn("run"), f"{WEST},E9 722 1")
    state = on.station(replace(state, ferries={MILWAUKEE: "IC"}), "IC", "D10")
    action = Run(by="Ann", company="IC", runs=(TrainRun("4H", ("D10", "E9", "F10")),))
    same(state, action, "run 4H: D10-E9-F10")
    for line in ("run 4H: D10-F10", "run Milwaukee - Muskegon"):
        assert read(state, line) == action


EAGER = {Pass: 0.3, SellShares: 0.3, BuyPrivate: 40, Par: 2, BuyShare: 20, BuyTrain: 3}


def choices(state, seat) -> list[Action]:
    found: list[Action] = []
    for option in options(GL, state, seat):
        if isinstance(option, Range):
            ends = (option.low, option.high)
            found += [replace(option.action, **{option.field: amount}) for amount in ends]
        elif isinstance(option, Choice):
            found.append(option.action)
    return found


@pytest.mark.parametrize("seed", [1, 2])
def test_legal_actions_of_random_games_read_back(seed):
    dice = Random(seed)
    state = new_game(GL, ("Ann", "Bob", "Cat Ballou", "Dan")[: 2 + seed], seed).state
    for _ in range(400):
        seats = to_act(GL, state)
        if not seats:
            break
        found = choices(state, seats[0])
        for action in found if len(found) < 6 else dice.sample(found, 6):
            assert read(state, write(GL, state, action), action.by) == action
        kinds = sorted({type(action) for action in found}, key=str)
        kind = dice.choices(kinds, [EAGER.get(kind, 1) for kind in kinds])[0]
        state = apply(GL, state, dice.choice([a for a in found if type(a) is kind])).state


@pytest.mark.parametrize(
    "state",
    [stock(), debts(), debts("redeem"), turn(), turn("token"), turn("own shares", turns=3)],
    ids=["stock", "repay", "redeem", "track", "token", "own shares"],
)
def test_every_option_of_a_position_reads_back(state):
    found = choices(state, "Ann")
    assert found
    for action in Random(3).sample(found, min(40, len(found))):
        assert read(state, write(GL, state, action)) == action
