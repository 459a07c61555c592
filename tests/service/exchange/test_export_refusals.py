"""What cannot be exported is refused with the action's number, and nothing is written."""

import json
import subprocess
import sys

import pytest
from msgspec.structs import replace

import engine
from engine.actions import (
    Accept,
    BidPrivate,
    BuyPrivate,
    BuyShare,
    Decline,
    Par,
    Pass,
    TradePrivate,
)
from engine.steps.questions import private_trade
from engine.titles.registry import load_title
from service.cli import records
from service.exchange.dialect import NeighbourError
from service.exchange.export import NOT_BY_THEIR_RULES, export
from service.games.games import GameSettings
from service.store import NewAction, NewGame, NewSeat, Occasion, Store
from tests import games
from tests.service.players import says

#: whole games
pytestmark = pytest.mark.long

THEIRS = load_title("18AL", frozenset({"18xx.games"}))
SEATS = ("Ann", "Bob", "Cat")


def refused(title, *actions, stopped=False):
    with pytest.raises(NeighbourError) as caught:
        export(title, SEATS, enumerate(actions, 1), stopped=stopped)
    return caught.value


@pytest.mark.parametrize(
    ("variants", "why"), [((), "18xx.games"), (("18xx.games", "tie-break"), "tie-break")]
)
def test_rules_that_are_not_played_there_are_refused(variants, why):
    assert why in refused(load_title("18AL", frozenset(variants))).why


def test_an_action_that_is_not_legal_is_named():
    wrong = refused(THEIRS, BuyPrivate(by="Ann", private="TR"), Pass(by="Cat"))
    assert wrong.action == 2
    assert "not legal" in wrong.why


def privates_sold():
    """All private companies are sold; Bob has the last of them, and Cat acts next."""
    prices = {"S&NA": 45, "B&SLC": 75, "M&C": 105, "NDY": 125}
    bids = [
        BidPrivate(by=SEATS[n % 3], private=private, amount=price)
        for n, (private, price) in enumerate(prices.items())
    ]
    return [*bids, BuyPrivate(by="Bob", private="TR")]


SALE = TradePrivate(by="Cat", private="TR", seller="Bob", buyer="Cat", price=5)


def test_a_player_buys_a_private_company_of_another_on_the_own_turn_there():
    found = export(
        THEIRS, SEATS, enumerate([*privates_sold(), SALE, Accept(by="Bob")], 1), stopped=True
    )
    bought = found["actions"][5]
    assert (bought["type"], bought["entity_type"]) == ("buy_company", "player")
    assert (bought["entity"], bought["company"], bought["price"]) == (3, "TR", 5)
    offered = replace(SALE, by="Cat", seller="Cat", buyer="Bob", private="S&NA")
    wrong = refused(THEIRS, *privates_sold(), offered)
    assert wrong.action == 6
    assert says(wrong.why, private_trade.BUYERS_TURN, player="Cat")


def test_a_sale_that_was_declined_has_never_been():
    actions = [*privates_sold(), SALE, Decline(by="Bob"), Par(by="Cat", company="TAG", price=60)]
    found = export(THEIRS, SEATS, enumerate(actions, 1), stopped=True)
    assert [raw["type"] for raw in found["actions"]] == [*["bid"] * 5, "par", "end_game"]


def test_a_player_is_asked_while_another_has_a_private_company():
    """Their step BuySellParShares: any price may be named, so who has a dollar must pass there."""
    actions = [*privates_sold(), Par(by="Cat", company="TAG", price=60), Pass(by="Cat")]
    actions += [Pass(by="Ann"), BuyShare(by="Bob", company="TAG", source="initial offering")]
    found = export(THEIRS, SEATS, enumerate(actions, 1), stopped=True)
    assert [raw["type"] for raw in found["actions"][5:]] == [
        "par", "pass", "buy_shares", "end_game",
    ]  # fmt: skip


def test_numbers_that_were_taken_back_are_skipped_in_errors():
    actions = [(1, BuyPrivate(by="Ann", private="TR")), (7, Pass(by="Ann"))]
    with pytest.raises(NeighbourError, match="action 7: not legal"):
        export(THEIRS, SEATS, actions)


# the command


def run(*arguments):
    command = [sys.executable, "-m", "service", "export", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def game():
    return games.game("exchange/18al-sensible-price")


@pytest.fixture
def script(tmp_path, game):
    from service.workshop.practice.script import write

    path = tmp_path / "alabama.game"
    path.write_text(write(THEIRS, game.states, game.actions))
    return path


def test_a_script_is_exported_and_agrees_with_itself(script, tmp_path):
    from service.exchange.verify import verify

    target = tmp_path / "alabama.json"
    assert run(script, "--format", "18xx.games", "-o", target).returncode == 0
    assert verify(target).agrees
    assert sorted(p.name for p in tmp_path.iterdir()) == ["alabama.game", "alabama.json"]


def test_a_game_that_goes_on_is_exported_without_a_result(script):
    beginning = "title 18AL\nplayers Ann Bob Cat\nvariants 18xx.games\nAnn: buy TR\n"
    script.write_text(beginning)
    done = run(script)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["status"], len(found["actions"])) == ("active", 1)
    assert "result" not in found


def test_without_a_file_it_goes_to_standard_output(script):
    done = run(script)
    assert done.returncode == 0
    assert done.stdout.startswith("{")


def test_what_cannot_be_exported_leaves_the_old_file_alone(script, tmp_path):
    script.write_text("title 18AL\nplayers Ann Bob Cat\nAnn: buy TR\n")
    target = tmp_path / "old.json"
    target.write_text("old")
    done = run(script, "-o", target)
    assert done.returncode == 1
    assert says(done.stderr, NOT_BY_THEIR_RULES)
    assert target.read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("nothing.game",), "cannot be read"),
        (("x.game", "--format", "18xx"), "no format 18xx"),
    ],
)
def test_wrong_arguments_are_said(arguments, why):
    done = run(*arguments)
    assert done.returncode == 2
    assert why in " ".join(done.stderr.split())


def stored(folder, game, name):
    """The beginning of the game in a database of its own, its players' actions numbered from 1."""
    store = Store(f"sqlite:///{folder / 'waybill.sqlite'}")
    store.upgrade()
    with store.transaction() as tx:
        row = tx.games.add(
            NewGame(name, "18AL", game.title.encode(), engine.encode(GameSettings()), "eve@x.org"),
            1,
        )
        for position, seat in enumerate(game.states[0].seats):
            tx.seats.add(row.id, NewSeat(seat, f"{seat}@x.org", position, "joined"))
        head = None
        for number, action in enumerate([None, *game.actions[:60]]):
            occasion = tx.occasions.record(Occasion("test", f"test-{number}"), 1)
            step = NewAction(
                parent=head, number=number, seat=action.by if action else "", text="",
                action=engine.encode(action) if action else b"", events=b"[]", rules=1, digest="",
                snapshot=None, occasion_id=occasion, line=0,
            )  # fmt: skip
            new = tx.log.add(row.id, step, 1)
            assert tx.log.move_head(row.id, head, new)
            head = new
    store.close()


def test_a_game_of_the_database_is_exported(tmp_path, game):
    stored(tmp_path, game, "dixie7")
    config = tmp_path / "my.toml"
    config.write_text(f'[data]\ndir = "{tmp_path}"\n')
    target = tmp_path / "dixie7.json"
    done = run("dixie7", "-o", target, "--config", config)
    assert done.returncode == 0, done.stderr
    assert '"hs_waybill_dixie7"' in target.read_text()
    unknown = run("dixie8", "-o", tmp_path / "dixie8.json", "--config", config)
    assert unknown.returncode == 1
    assert says(unknown.stderr, records.NO_GAME_BEGUN, game="dixie8")
    assert not (tmp_path / "dixie8.json").exists()
