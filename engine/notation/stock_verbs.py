"""Verbs of players: what they buy and sell, how they start companies, what they answer."""

from engine.facts.powers import DiscountPower, SwapPower
from engine.notation import answering, exchange, stock
from engine.notation.forms import (
    Form,
    Verb,
    best_runs_by_wish,
    bonds,
    exchanges,
    fire_sales,
    forms_systems,
    lent_powers,
    mergers,
    own_powers,
    par_prices,
    parallel_auctions,
    protection,
    receivership,
    several_shares,
    sold_in_turns,
    starting_values,
    traded_privates,
    treasuries,
    without_treasuries,
)

_TRADE = "offer a private company to another owner, or ask for one"
_CERTIFICATE = "buy one certificate; the place may be left out if there is only one"

STOCK_VERBS = (
    Verb(
        "buy",
        (),
        stock.buy,
        (
            Form(
                "buy PRIVATE",
                "buy the cheapest private company of the bank",
                "buy {private}",
                feature=sold_in_turns,
            ),
            Form(
                "buy COMPANY [offering|market]",
                _CERTIFICATE,
                "buy {company} offering",
                feature=without_treasuries,
            ),
            Form(
                "buy COMPANY [offering|treasury|market]",
                _CERTIFICATE,
                "buy {company} treasury",
                feature=treasuries,
            ),
            Form(
                "buy double COMPANY [treasury|market]",
                "buy the other certificate of 10% of a system; without the word it is one of 5%",
                "buy double {system} market",
                feature=forms_systems,
            ),
            Form(
                "buy NUMBER COMPANY market",
                "buy several shares of stock in the brown zone",
                "buy 3 {company} market",
                feature=several_shares,
            ),
            Form(
                "buy president COMPANY",
                "buy the president's certificate of a merged company, where no player has it",
                "buy president {merger}",
                feature=mergers,
            ),
            Form(
                "buy president COMPANY",
                "take over a company in receivership with its president's certificate",
                "buy president {company}",
                feature=receivership,
            ),
            Form(
                "buy NUMBER COMPANY market with president",
                "take over a company in receivership in the brown zone, with more of its shares",
                "buy 4 {company} market with president",
                feature=receivership,
            ),
            Form("buy bond", "buy a bond of the open market", "buy bond", feature=bonds),
            Form(
                "buy TRAIN [offering|market]",
                "the company in its turn buys a train of the bank",
                "buy {train}",
            ),
            Form(
                "buy TRAIN from COMPANY for PRICE",
                "buy a train of another company; its president is asked if it is not you",
                "buy {train} from {other} for 120",
            ),
            Form(
                "buy TRAIN with PRIVATE",
                "buy a train of the bank with a private's discount",
                "buy {train} with {discount}",
                DiscountPower,
            ),
            Form(
                "buy TRAIN with PRIVATE",
                "exchange your private company for a train of the bank",
                "buy {train} with {exchanged}",
                feature=exchanges,
            ),
            Form(
                "buy private PRIVATE from OWNER for PRICE",
                _TRADE,
                "buy {private} for 60",
                feature=traded_privates,
            ),
        ),
        lists=True,
    ),
    Verb(
        "sell",
        (),
        stock.sell,
        (
            Form(
                "sell [NUMBER|PERCENT] COMPANY",
                "sell shares to the open market as one block",
                "sell 2 {company}",
            ),
            Form(
                "sell NUMBER COMPANY with double",
                "sell shares of a system, its other certificate of 10% among them as two",
                "sell 3 {system} with double",
                feature=forms_systems,
            ),
            Form(
                "sell [NUMBER] bonds",
                "sell bonds to the open market",
                "sell 2 bonds",
                feature=bonds,
            ),
            Form(
                "sell private PRIVATE to OWNER for PRICE",
                _TRADE,
                "sell private {private} to {other} for 60",
                feature=traded_privates,
            ),
        ),
        lists=True,
    ),
    Verb(
        "par",
        ("start", "launch"),
        stock.par,
        (
            Form(
                "par COMPANY PRICE",
                "start a company: buy the president's certificate and set the par value",
                "par {company} {par}",
                feature=par_prices,
            ),
            Form(
                "par COMPANY PRICE",
                "start a company: buy the president's certificate and set the starting value",
                "par {company} {par}",
                feature=starting_values,
            ),
        ),
    ),
    Verb(
        "bid",
        ("raise", "raise the bid", "raise my bid"),
        stock.bid,
        (
            Form(
                "bid PRIVATE AMOUNT",
                "bid on a private company; in its auction the amount is enough",
                "bid {dear} {bid}",
            ),
            Form(
                "bid AMOUNT [for COMPANY]",
                "bid on a share in a fire sale, or for your company on a station",
                "bid {bid} for {company}",
                feature=fire_sales,
            ),
        ),
    ),
    Verb(
        "take back",
        ("withdraw bid", "take bid back"),
        stock.take_back,
        (
            Form(
                "take back PRIVATE",
                "take the money of a bid that was beaten, and leave that auction",
                "take back {dear}",
                feature=parallel_auctions,
            ),
        ),
    ),
)

ANSWERS = (
    Verb(
        "exchange",
        ("swap",),
        exchange.exchange,
        (
            Form(
                "exchange PRIVATE for COMPANY [offering|treasury|market]",
                "take a share for your private company, in a stock round or before an operating"
                " round",
                "exchange {swapped} for {company} offering",
                SwapPower,
            ),
        ),
    ),
    Verb(
        "accept",
        ("yes", "agree", "ok", "okay"),
        answering.accept,
        (
            Form("accept", "agree to the sale that waits for you", "accept", feature=own_powers),
            Form(
                "accept",
                "agree to the sale, or to the use of your private company, that waits for you",
                "accept",
                feature=lent_powers,
            ),
        ),
    ),
    Verb(
        "decline",
        ("refuse", "reject", "no"),
        answering.decline,
        (
            Form("decline", "turn the sale down", "decline", feature=own_powers),
            Form("decline", "turn the sale or the use down", "decline", feature=lent_powers),
        ),
    ),
    Verb(
        "counter",
        (),
        answering.counter,
        (
            Form(
                "counter for PRICE",
                "propose another price for the sale that waits for you",
                "counter for 60",
            ),
        ),
    ),
    Verb(
        "withdraw",
        (),
        answering.withdraw,
        (
            Form(
                "withdraw",
                "take back your proposal that nobody has answered; your turn goes on",
                "withdraw",
            ),
        ),
    ),
    Verb(
        "protect",
        ("keep price", "support"),
        answering.protect,
        (
            Form(
                "protect [COMPANY]",
                "buy all that a player has just sold of your company, so that its price stays",
                "protect {company}",
                feature=protection,
            ),
        ),
    ),
    Verb(
        "let",
        ("let fall", "do not protect", "fall"),
        answering.let_fall,
        (
            Form(
                "let [COMPANY] fall",
                "leave in the open market what a player has just sold of your company",
                "let {company} fall",
                feature=protection,
            ),
        ),
    ),
    Verb(
        "insist",
        (),
        answering.insist,
        (
            Form(
                "insist on|off",
                "hold companies of which you own shares to their best run",
                "insist on",
                feature=best_runs_by_wish,
            ),
        ),
    ),
    Verb(
        "pass",
        (
            "done",
            "end",
            "end turn",
            "finish",
            "finished",
            "skip",
            "nothing",
            "nothing more",
            "no more",
        ),
        stock.done,
        (
            Form("pass", "do nothing, or nothing more, in your turn", "pass"),
            Form("done", "the company does nothing more here", "done"),
        ),
    ),
)
