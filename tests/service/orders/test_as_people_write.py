"""Orders in mails as people write them: courtesy, lists, quotation marks, capitals, broken lines."""

import pytest

from service.commands.order_lines import recognising
from service.mail.replies import own_lines
from service.orders.building import Names
from service.orders.grammar import read
from service.orders.hopeless import HOLDS_ALREADY
from service.orders.writing import write
from tests.engine.notation import positions
from tests.service.players import one, says
from tests.service.reading import read_as_player

TITLE, STOCK = positions.TITLE, positions.stock()

ALARM = "pass until alarm or round ends"
MAILS = {
    "Hello,\n\nPlease pass round.\n\nThanks!\nBob\n-- \nBob Miller, 555-1234": [ALARM],
    "1. sell 1 L&N\n2. buy M&O market\n3. then pass round\n\nCheers, Bob": [
        "sell 1 L&N", "buy M&O market", ALARM,
    ],
    "Pass until „alarm“ or anyone buys M&O\n\nVon meinem iPhone gesendet": [
        "pass until alarm or anyone buys M&O",
    ],
    "Standing Buy WRA Market Until 5 Shares Then Pass Round": [
        f"standing buy WRA market until shares me WRA >= 5 then {ALARM}",
    ],
    "operate M&O: run and pay\n(2) operate M&O: run, payout for the rest of the game": [
        "operate M&O: run, pay", "operate M&O: run, payout for game",
    ],
    "* bid on M&C up to $130 please\n* bid NDY up to 150": [
        "bid on M&C up to $130", "bid NDY up to 150",
    ],
    "Next turn: sell 2 L&N and buy M&O from the market. Then pass for the rest of the round.": [
        f"next: sell 2 L&N, buy M&O from the market then {ALARM}",
    ],
    "always accept offers from Ann\nalways decline everything from Cat": [
        "always consent: offers from Ann", "always refuse offers from Cat",
    ],
    "always consent to sell M&C for 100 or more": ["always consent: sell private M&C for >= 100"],
    "always accept to sell M&C for at least $100": ["always consent: sell private M&C for >= 100"],
    "Standing: Buy WRA Market\nuntil 5 shares\nor anyone sells": [
        "standing buy WRA market until shares me WRA >= 5 or anyone sells",
    ],
    "• I'd like to pass till the end of the round\nRegards,\nBob": ["pass until round ends"],
    "- If anyone sells L&N then sell 2 L&N\n- otherwise pass\n\nBest regards\nBob": [
        "next: sell 2 L&N if anyone sells L&N else pass",
    ],
    "`pass round`": [ALARM],
    "“bid M&C up to 130”": ["bid M&C up to 130"],
    "sell 1 L&N, and buy M&O market; then pass round": ["sell 1 L&N", "buy M&O market", ALARM],
}  # fmt: skip


def understood(text):
    """What the writer's own lines come to: orders in their canonical form, other commands as read."""
    lines = own_lines(text, ("Bob", "Miller")).lines
    ahead = recognising(TITLE, STOCK, "Bob")
    for command in read_as_player(lines, TITLE, ahead):
        order = command.word == "order"
        yield write(read(Names(TITLE, STOCK.seats), command.rest)) if order else command.text


@pytest.mark.parametrize(("text", "wanted"), MAILS.items())
def test_it_is_understood(text, wanted):
    assert list(understood(text)) == wanted


@pytest.mark.parametrize("text", [
    "say: 1. please \"hear\" me, thanks", "note: 'buy L&N' and pay", "diary: please",
])  # fmt: skip
def test_talk_stays_as_it_was_written(text):
    assert list(understood(text)) == [text]


@pytest.mark.parametrize(
    "text", ["pass if alarm and Mark sells L&N", "always pass if alarm and run L&N > 3"]
)
def test_and_joins_conditions_first(text):
    order = read(Names(TITLE, ("Ann", "Mark")), text)
    assert len(order.steps[0].actions) == 1


def test_then_begins_another_turn_where_a_command_stands_before_it():
    for text in (
        "if outbid pass then pass",
        "always if alarm consent: offers until outbid then pass",
    ):
        assert len(read(Names(TITLE, STOCK.seats), text).steps) == 2


def test_what_is_done_already_is_told_at_once(players):
    players.place(STOCK)
    letters = players.write("Bob", "buy L&N until float")
    assert says(one(letters, "Bob"), HOLDS_ALREADY, condition="L&N is floated", why="L&N")
    assert players.table().orders == ()


def test_a_long_line_is_shown_around_the_word_that_is_not_understood(players):
    line = "next: " + "sell 1 L&N, " * 12 + "bye M&O market" + ", sell 1 L&N" * 3
    text = one(players.write("Bob", line), "Bob").text
    assert max(map(len, text.splitlines())) <= 78
    [above, caret] = next(
        pair
        for pair in zip(text.splitlines(), text.splitlines()[1:], strict=False)
        if pair[1].strip() == "^"
    )
    assert above[caret.index("^") :].startswith("bye M&O market")
    assert "… " in above and above.endswith(" …")
