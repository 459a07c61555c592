"""Reads commands for shares and private companies, and ``pass``."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from msgspec import structs
from msgspec.structs import replace

from engine.actions import (
    Action,
    BidPrivate,
    BuyPrivate,
    BuyShare,
    Counteroffer,
    Par,
    Pass,
    SellShares,
    TakeBack,
    TradePrivate,
)
from engine.facts.powers import DiscountPower, FoundingPower
from engine.notation import debt, distress, names, trains
from engine.notation.debt import BONDS, SHARES
from engine.notation.forms import (
    Form,
    Verb,
    bonds,
    exchanges,
    fire_sales,
    forms_systems,
    mergers,
    par_prices,
    parallel_auctions,
    receivership,
    several_shares,
    sold_in_turns,
    starting_values,
    traded_privates,
    treasuries,
    without_treasuries,
)
from engine.notation.position import source_word, turn_company
from engine.notation.reading import CommandReader
from engine.notation.words import dollars
from engine.notation.writing import write, written
from engine.play.shares import cost, president_percent
from engine.position.frames import (
    Auction,
    FireSale,
    Founding,
    ParallelAuction,
    PrivateTurn,
    Question,
    StockRound,
    StockTurn,
    Swap,
)
from engine.position.values import CLOSED, MARKET, OFFERING
from engine.proposals import PrivateSale, TrainSale
from engine.steps.stock.private_sale import first_price

if TYPE_CHECKING:
    from engine.position.table import Table
    from engine.position.values import CompanyId, Owner, PrivateId

_AT = ("at", "for", "@", "(")
#: words before a price that have no meaning
_PRICE = ("its price of", "a price of", "the price of", "its price", "its")
#: words around a bid that have no meaning
_BID_FILLERS = (
    *_AT, "on", "to", "of", ",", ":", "by bidding", "the bid", "my bid", "a bid", "bid", "the",
    "my", "it", "is", *_PRICE,
)  # fmt: skip
#: words after a sum that is no whole bid
_MORE = ("more", "extra", "over")
#: words before what is bought that have no meaning
_BUY_FILLERS = (
    "a", "an", "the", "me", "another", "one more", "more", "second", "third", "extra", "additional",
    "new", "also", "last",
)  # fmt: skip
#: what a player has nothing left for
_IDLY = ("to build", "to do", "to buy", "to lay", "to run")
_ON_ONE = ("on this one", "on that one")
#: words for the president's certificate
_PRESIDENCY = ("president", "president's", "presidents", "presidency")


def par(reader: CommandReader) -> Action:
    """``par L&N 90``, ``start L&N at 90``, ``par 90 L&N``; ``par 90`` if its company is known."""
    companies = names.companies(reader.title)
    # a single "a" may be the beginning of a name
    reader.skip(
        "start", "a new", "a company", "a corporation", "the", "new", "company", "corporation", ":"
    )
    if dollars(reader.low) is None:
        return _start(reader, reader.name(companies, "the company").id)
    price = reader.money("The par value is missing")
    reader.skip(*_AT, "on", "of", "the")
    top = reader.state.stack[-1] if reader.state.stack else None
    known = top.founds if isinstance(top, Founding) and not reader.word else ""
    company = known or reader.name(companies, "the company").id
    reader.end()
    return Par(by=reader.seat, company=company, price=price)


def _start(reader: CommandReader, company: CompanyId) -> Par:
    """The start of a company at the par value that follows its name."""
    reader.skip(
        *_AT, ",", "now", "with", "to", "a", "its", "of", "par value", "par", "value", "price", "is"
    )
    prices = sorted(reader.title.chart.pars)
    price = reader.money("The par value is missing", *(f"par {company} {p}" for p in prices))
    reader.end()
    return Par(by=reader.seat, company=company, price=price)


def may_bid(reader: CommandReader) -> bool:
    """Whether there is something to bid on now, so that an amount alone must be a bid."""
    top = reader.state.stack[-1] if reader.state.stack else None
    return isinstance(top, Auction | FireSale | ParallelAuction) or (
        isinstance(top, PrivateTurn) and bool(reader.table.unsold()[1:])
    )


def names_a_price(reader: CommandReader) -> bool:
    """Whether the words are a private company for sale and a price: "NDY for 125"."""
    start = reader.at
    found = may_bid(reader) and reader.maybe_name(names.privates(reader.title))
    reader.skip(*_BID_FILLERS)
    price = found and dollars(reader.low) is not None
    reader.at = start
    return bool(price)


def take_up(reader: CommandReader) -> Action:
    """``NDY 125``: a bid; a purchase if the bank sells this company at its price now."""
    top = reader.state.stack[-1] if reader.state.stack else None
    start = reader.at
    private = reader.name(names.privates(reader.title), "the private company").id
    if isinstance(top, PrivateTurn) and reader.table.unsold()[:1] == [private]:
        reader.skip(",", ":")
        return _buy_private(reader, private)
    reader.at = start
    return bid(reader)


WHOLE_BID = "A bid is a whole sum, not how much more you bid"


def bid(reader: CommandReader) -> Action:
    """``bid NDY 125``, ``bid 125 on NDY``; ``bid 130`` or ``130`` if only one can be meant."""
    if distress.is_on(reader):
        return distress.bid(reader)
    privates = names.privates(reader.title)
    top = reader.state.stack[-1] if reader.state.stack else None
    auctioned = top.private if isinstance(top, Auction) else ""
    private, amount, least = "", None, False
    while reader.word and not (private and (least or amount is not None)):
        if amount is None:
            reader.skip("more")
        reader.skip(*_BID_FILLERS)
        if reader.low == "by" or (amount is not None and reader.low in _MORE):
            reader.malformed(WHOLE_BID)
        if amount is None and reader.take("minimum", "minimum bid", "least"):
            least = True
        elif amount is None and reader.low.lstrip("$")[:1].isdecimal():
            amount = reader.money("The bid is missing")
        elif not private:
            private = reader.name(privates, "the private company").id
            reader.skip("one")
        else:
            break
    if reader.low in _MORE:
        reader.malformed(WHOLE_BID)
    reader.end()
    open_ = reader.table.unsold()[not isinstance(top, ParallelAuction) :]
    private = private or auctioned or (open_[0] if len(open_) == 1 and amount else "")
    if not private:
        reader.incomplete(
            "On which private company?",
            (f"bid {p} {amount or _bid_above(reader, p)}" for p in open_),
        )
    if least:
        amount = _bid_above(reader, private)
    if amount is None:
        reader.missing("How much?", (f"bid {private} {_bid_above(reader, private)}",))
    return BidPrivate(by=reader.seat, private=private, amount=amount)


def _bid_above(reader: CommandReader, private: PrivateId) -> int:
    bids = [b.amount for b in reader.state.bids.get(private, ())]
    par, stock = reader.title.privates[private].par, reader.title.facts.stock
    if not bids and stock.private_sale == "parallel":
        return par
    return max([par, *bids]) + stock.bid_step


def take_back(reader: CommandReader) -> Action:
    """``take back SLA``, ``withdraw SLA``; ``take back`` alone if only one bid can be meant."""
    reader.skip("my", "the", "bid", "money", "of", "on", "from")
    privates = names.privates(reader.title)
    private = reader.maybe_name(privates) if reader.word else None
    if reader.word and private is None:
        private = reader.name(privates, "the private company")
    reader.end()
    own = [p for p in reader.state.bids if reader.table.set_aside(p, reader.seat)]
    if private is None and not own:
        reader.incomplete("On which private company?", ())
    every = [private.id] if private else own
    return reader.one_of([TakeBack(by=reader.seat, private=p) for p in every], "Which bid?")


def buy(reader: CommandReader) -> Action:
    """Buy a share, a private company or a train, depending on the next words."""
    if reader.power:
        return trains.buy_train(reader)
    reader.skip(*_BUY_FILLERS)
    if reader.take("cheapest", "cheapest one", "cheapest private", "cheapest private company"):
        return _buy_cheapest(reader)
    if reader.take(*_PRESIDENCY):
        return _buy_president(reader)
    if _speaks_of_train(reader):
        return trains.buy_train(reader)
    start = reader.at
    double = bool(reader.take("double"))
    count = reader.number()
    if count and turn_company(reader.state) and _speaks_of_train(reader):
        if count > 1:
            trains.ask_types(reader, start)
        return trains.buy_train(reader)
    reader.skip("x")
    percent = reader.percentage()
    counted = double or bool(reader.take(*SHARES)) or count is not None or percent is not None
    if counted and reader.take("back"):
        reader.at = start
        return debt.buy_back(reader)
    reader.skip("of", "in")
    if reader.low in BONDS and reader.title.facts.bonds:
        return _buy_bond(reader, count, start)
    choices = names.companies(reader.title)
    if not counted:
        choices = (*choices, *names.privates(reader.title))
    if not reader.word:
        headed = counted and _headed_share(reader)
        if headed:
            return _buy_share(reader, headed, double=double)
        reader.missing("Buy what?", _purchases(reader))
    found = reader.name(choices, "the company" if counted else "company, private or train")
    if found.kind == "company" and reader.low in _PRESIDENCY:
        reader.at = start
        return _buy_president(reader)
    if found.kind == "private":
        return _buy_private(reader, found.id)
    if percent is not None and found.id not in reader.state.pars:
        reader.at = start
        reader.skip("one", "1")
        reader.percentage()
        return _buy_president(reader)
    if percent is not None:
        count = (count or 1) * reader.shares_in(percent, found.id)
    if reader.low in BONDS:
        return _buy_bond(reader, count, start)
    several = count if count is not None and count > 1 else 0
    if several and reader.title.facts.stock.several_zones:
        return _buy_several(reader, found.id, several)
    if count not in (None, 1):
        operating, kind = turn_company(reader.state), str(count)
        if operating and found.id != operating:
            trains.ask_price(reader, found.id, kind, start)
        own = found.id == operating and kind in reader.title.trains
        meant = (f"buy {kind}",) if own else (f"buy {found.id}",)
        reader.ambiguous("Certificates are bought one at a time", meant, at=start)
    return _buy_share(reader, found.id, double=double)


def _headed_share(reader: CommandReader) -> CompanyId:
    """The company before the colon of "L&N: buy another share" in a stock round, otherwise ""."""
    top = reader.state.stack[-1] if reader.state.stack else None
    if not isinstance(top, StockTurn):
        return ""
    reader.heading_used = True
    return reader.heading


def _buy_cheapest(reader: CommandReader) -> Action:
    """``buy the cheapest``: the train or the private company that the bank sells first."""
    if turn_company(reader.state):
        reader.skip("train")
        return trains.buy_train(reader)
    unsold = reader.table.unsold()
    if not unsold:
        reader.missing("Buy what?", _purchases(reader))
    return _buy_private(reader, unsold[0])


def _speaks_of_train(reader: CommandReader) -> bool:
    if reader.low in ("train", "trains"):
        return True
    if not reader.train_type():
        return False
    following = reader.words[reader.at + 1 : reader.at + 2]
    if not following or following[0].low in ("train", "trains"):
        return True
    if following[0].low in (*SHARES, *BONDS, "back"):
        return False
    choices = names.companies(reader.title)
    if not turn_company(reader.state):
        choices += names.privates(reader.title)
    return not names.match(choices, following[0].text)


def _purchases(reader: CommandReader) -> list[str]:
    """Examples of purchases for this position."""
    unsold = reader.table.unsold()
    top = reader.state.stack[-1] if reader.state.stack else None
    if turn_company(reader.state):
        return [f"buy {train}" for train in reader.table.bank_trains()]
    if isinstance(top, ParallelAuction):
        return [f"bid {private} {_bid_above(reader, private)}" for private in unsold]
    if unsold and isinstance(top, PrivateTurn):
        return [f"buy {unsold[0]}"]
    return _shares_for_sale(reader) or _starts(reader)


def _shares_for_sale(reader: CommandReader) -> list[str]:
    """The purchases of one share that are legal now."""
    title, by = reader.title, reader.seat
    every = [
        BuyShare(by=by, company=company, source=place)
        for company in reader.state.pars
        for place in (OFFERING, *(company,) * title.facts.stock.treasuries, MARKET)
    ]
    return [write(title, reader.state, one) for one in reader.legal(every)]


def _starts(reader: CommandReader) -> list[str]:
    """The start of each company that nobody has started, at the lowest par value."""
    lowest = min(reader.title.chart.pars)
    return [f"par {one} {lowest}" for one in reader.title.companies if one not in reader.state.pars]


def _buy_bond(reader: CommandReader, count: int | None, at: int) -> Action:
    if count not in (None, 1):
        reader.malformed("Bonds are bought one at a time", ("buy bond",), at=at)
    return debt.buy_bond(reader)


def _buy_president(reader: CommandReader) -> Action:
    """``buy president CR``: the certificate if it is in a treasury or in the open market."""
    reader.skip("of", "in", *SHARES)
    company = reader.name(names.companies(reader.title), "the company").id
    reader.skip(*_PRESIDENCY, *SHARES)
    if company not in reader.state.pars:
        if reader.word and not reader.title.facts.merger:
            return _start(reader, company)
        pars = sorted(reader.title.chart.pars)
        text = "A company is started with its par value"
        reader.malformed(text, (f"par {company} {price}" for price in pars))
    source = reader.source(company)
    reader.end("market", "treasury")
    places = [place for place in (company, MARKET) if reader.state.shares[company].get(place)]
    return reader.one_of(
        [
            BuyShare(by=reader.seat, company=company, source=place, president=True)
            for place in ([source] if source else places or [MARKET])
        ],
        f"Where does the president's certificate of {company} lie?",
    )


def _buy_share(reader: CommandReader, company: CompanyId, *, double: bool) -> Action:
    """``buy L&N``, ``buy L&N market``, ``buy double BN``: the larger certificate of a system."""
    reader.skip(*SHARES)
    source = reader.source(company)
    price = None
    if reader.word and (reader.low in _AT or reader.low.lstrip("$").isdecimal()):
        if company not in reader.state.pars:
            wanted = reader.left().split()[-1].strip("$()")
            text = "A company is started with its par value"
            reader.malformed(text, (f"par {company} {wanted}",))
        start = reader.at
        reader.skip(*_AT)
        price = reader.money("The price is missing", f"buy {company}")
        source = source or reader.source(company)
    treasuries = reader.title.facts.stock.treasuries
    reader.end("ipo", "market", *("treasury",) * treasuries)
    held = reader.state.shares[company]
    there = [p for p in (OFFERING, company, MARKET) if source == p or (not source and held.get(p))]
    if price is not None:
        costs = {place: cost(reader.table, company, place) for place in there}
        there = [place for place in there if costs[place] == price]
        if not there:
            text = (
                f"A share of {company} costs "
                f"{' or '.join(reader.title.money(n) for n in costs.values())}"
            )
            reader.malformed(text, (f"buy {company}",), at=start)
    words = {OFFERING: "IPO", company: "treasury", MARKET: "open market"}
    single, system = reader.table.share(company), reader.table.is_system(company)
    only = {p for p in there if system and single not in held.get(p, (single,))}
    return reader.one_of(
        [
            BuyShare(by=reader.seat, company=company, source=p, double=double or p in only)
            for p in there or (OFFERING,)
        ],
        f"Shares of {company} are in the {' and in the '.join(words[p] for p in there)}",
    )


def _buy_several(reader: CommandReader, company: CompanyId, count: int) -> Action:
    """``buy 3 IC market``, for a system ``with double``: one purchase from the open market.

    ``with president``: it includes the president's certificate of a company in receivership.
    """
    reader.skip(*SHARES)
    source = reader.source(company) or MARKET
    double = bool(reader.take("with double", "with the double", "with the double share"))
    president = bool(reader.take("with president", "with the president's certificate"))
    reader.end("market", "with double", "with president")
    if president:
        parts = president_percent(reader.table, company) // reader.table.share(company)
        buy = BuyShare(by=reader.seat, company=company, source=source, president=True)
        return replace(buy, more=count - parts)
    more = count - 1 - double
    return BuyShare(by=reader.seat, company=company, source=source, double=double, more=more)


IS_CLOSED = "{private} is closed"


def _buy_private(reader: CommandReader, private: PrivateId) -> Action:
    seller, price = "", None
    while reader.word:
        if reader.take(",") and dollars(reader.low) is None:
            reader.end("from", "for")
        if reader.take("from the bank", "from bank"):
            seller = OFFERING
        elif reader.take("from", "of"):
            seller = _owner(reader).id
        elif reader.take(*_AT) or reader.low.lstrip("$").isdecimal():
            reader.skip(*_PRICE)
            price = reader.money("The price is missing", f"buy {private} for 100")
        else:
            reader.end("from", "for")
    owner = reader.state.privates[private]
    seller = seller or owner
    if owner == CLOSED:
        reader.unknown(IS_CLOSED.format(private=private))
    if seller == OFFERING:
        fixed = first_price(reader.table, private)
        if price not in (None, fixed):
            reader.malformed(
                f"The bank sells {private} for {reader.title.money(fixed)}", (f"buy {private}",)
            )
        return BuyPrivate(by=reader.seat, private=private)
    if price is None:
        par = reader.title.privates[private].par
        reader.incomplete(
            f"{seller} owns {private}: for how much?", (f"buy {private} from {seller} for {par}",)
        )
    reader.heading_used = True
    buyer = reader.heading or turn_company(reader.state) or reader.seat
    return TradePrivate(by=reader.seat, private=private, seller=seller, buyer=buyer, price=price)


def _owner(reader: CommandReader) -> names.Name:
    if reader.take("me", "myself"):
        own = (seat for seat in names.seats(reader.state.seats) if seat.id == reader.seat)
        return next(own)
    owners = (*names.seats(reader.state.seats), *names.companies(reader.title))
    return reader.name(owners, "player or company")


HAS_SHARES = "{player} has {shares} of {company}"
HOW_MANY = "How many shares?"
_BOTH = ("both", "both my", "both of my", "both the", "both of the")


def sell(reader: CommandReader) -> Action:
    """``sell 2 L&N``, ``sell 20% L&N``, ``sell 2 bonds``, ``sell private M&C to Bob for 60``."""
    reader.skip("the")
    start = reader.at
    double, both = bool(reader.take("double")), bool(reader.take(*_BOTH))
    percent, shares = reader.percentage(), 2 if double or both else _block(reader)
    counted = percent is not None or shares is not None
    special = _sell_special(reader, start, shares)
    if special:
        return special
    choices = names.companies(reader.title)
    if not counted:
        choices = (*choices, *names.privates(reader.title))
    if not counted and reader.low in _IT and (asked := _asked(reader)):
        return _counteroffer(reader, asked)
    if not counted and reader.low == "my":
        own = reader.maybe_name(names.privates(reader.title))
        if own and not names.match(choices[: len(reader.title.companies)], own.id):
            return _sell_private(reader, own.id)
        _check_only_share(reader)
        shares, counted = 1, True
    if not reader.word:
        reader.missing("Sell what?", _sales(reader))
    found = reader.name(choices, "the company" if counted else "company or private")
    if found.kind == "private":
        return _sell_private(reader, found.id)
    company = found.id
    if both and _held(reader, company) != shares:
        _has_others(reader, company)
    reader.skip(*SHARES)
    special = _sell_special(reader, start, shares)
    if special:
        return special
    if not counted:
        percent, shares = reader.percentage(), _block(reader)
    double = bool(reader.take("with double", "with the double", "with the double one")) or double
    reader.skip("to the market", "to market", "to the open market", "to the bank", "as one block")
    named = reader.at if reader.low in ("for", "at") else None
    paid = reader.next() and reader.money("The price is missing") if named is not None else None
    reader.end()
    if percent is not None:
        shares = reader.shares_in(percent, company)
    elif shares == 0:
        shares = _held(reader, company)
        if not shares:
            _has_others(reader, company)
    if paid is not None:
        _check_price(reader, company, 1 if shares is None else shares, paid, named)
    return _sale(reader, company, 1 if shares is None else shares, double=double)


def _held(reader: CommandReader, company: CompanyId) -> int:
    """The shares of a company that the player has."""
    return reader.table.percent(company, reader.seat) // reader.table.share(company)


def _check_only_share(reader: CommandReader) -> None:
    """Raise NotationError if the player has not just one share of "my L&N"; the name stays."""
    reader.skip("my")
    start = reader.at
    company = reader.maybe_name(names.companies(reader.title)) if reader.word else None
    count = _held(reader, company.id) if company else 1
    if company and count > 1:
        reader.missing(HOW_MANY, _sales_of(reader, company.id))
    if company and not count:
        _has_others(reader, company.id)
    reader.at = start


def _has_others(reader: CommandReader, company: CompanyId) -> NoReturn:
    """Raise Malformed: the player has another number of shares of a company."""
    count = _held(reader, company)
    shares = ("no share", "1 share")[count] if count < 2 else f"{count} shares"
    text = HAS_SHARES.format(player=reader.seat, shares=shares, company=company)
    reader.malformed(text, _sales_of(reader, company))


#: words for what a player is asked to sell
_IT = ("it", "this", "that")
OFFERED = "You are offered {price}"
ASKED_TO_BUY = "You are asked to buy, not to sell"


def _asked(reader: CommandReader) -> PrivateSale | TrainSale | None:
    """The sale to which the player must agree; None if there is none."""
    top = reader.state.stack[-1] if reader.state.stack else None
    sale = top.proposal if isinstance(top, Question) and top.asked == reader.seat else None
    return sale if isinstance(sale, PrivateSale | TrainSale) else None


def _counteroffer(reader: CommandReader, sale: PrivateSale | TrainSale) -> Action:
    """``sell it for 150``, ``sell it for 150, not 75``: the price of who is asked to sell.

    The sum after "not" is the one that is offered.
    """
    start = reader.at
    reader.take(*_IT)
    reader.skip(*_AT)
    price = reader.money("Which price?", "counter for 140")
    reader.skip(",")
    if reader.take("not"):
        at, offered = reader.at, reader.money("Which price?", f"sell it for {price}")
        if offered != sale.price:
            text = OFFERED.format(price=reader.title.money(sale.price))
            reader.malformed(text, (f"counter for {price}",), at=at)
    reader.end()
    return _asking_price(reader, sale, price, start)


def _asking_price(
    reader: CommandReader, sale: PrivateSale | TrainSale, price: int, at: int
) -> Action:
    """The counteroffer of a player who is asked to sell; raises Malformed for who is to buy."""
    if reader.table.agent(sale.seller) != reader.seat:
        reader.malformed(ASKED_TO_BUY, (f"counter for {price}", "decline"), at=at)
    return Counteroffer(by=reader.seat, price=price)


SELLS_FOR = "{count} of {company} {sell} for {price}"


def _check_price(
    reader: CommandReader, company: str, count: int, paid: int, at: int | None
) -> None:
    """Raise Malformed if a named sum is neither the price of a share nor that of all of them."""
    price = reader.table.price(company)
    if paid not in (price, price * count):
        shares = "share" if count == 1 else "shares"
        text = SELLS_FOR.format(
            count=f"{count} {shares}",
            company=company,
            sell="sells" if count == 1 else "sell",
            price=reader.title.money(price * count),
        )
        reader.malformed(text, (f"sell {count} {company}",), at=at)


def _sale(reader: CommandReader, company: str, count: int, *, double: bool) -> SellShares:
    """Single shares of a system if they are enough, otherwise with the double one, if legal."""
    sale = SellShares(by=reader.seat, company=company, shares=count, double=double)
    larger = structs.replace(sale, double=True)
    if double or count == 1 or not reader.table.is_system(company):
        return sale
    return larger if not reader.legal([sale]) and reader.legal([larger]) else sale


def _sell_special(reader: CommandReader, start: int, count: int | None) -> Action | None:
    """The sale of bonds, or of treasury shares, if the next word says so."""
    if reader.title.facts.bonds and reader.low in BONDS:
        return debt.sell_bonds(reader, count)
    treasury = reader.low in ("treasury", "from", "of", "own") and "treasury" in reader.left()
    if reader.title.facts.stock.capital == "bought" and treasury:
        reader.at = start
        return debt.issue(reader)
    return None


def _block(reader: CommandReader) -> int | None:
    """Take a number of shares: 0 for all of them, None if there is no number."""
    start = reader.at
    if reader.take("all", "all my", "all of", "all my shares of"):
        reader.skip(*SHARES, "of")
        return 0
    reader.skip("my")
    shares = reader.number()
    if shares is None:
        reader.at = start
    if shares == 0:
        reader.malformed("Sell at least one share", at=start)
    if shares is None and reader.take("a", "an"):
        shares = 1 if reader.low in SHARES else None
    reader.skip(*SHARES, "of")
    return shares


def _sales_of(reader: CommandReader, company: CompanyId) -> list[str]:
    """The sales of a player's shares of a company; the legal ones, if any is legal now."""
    counts = range(1, _held(reader, company) + 1)
    every = [SellShares(by=reader.seat, company=company, shares=count) for count in counts]
    return [write(reader.title, reader.state, sale) for sale in reader.legal(every) or every]


def _sales(reader: CommandReader) -> list[str]:
    """The smallest sale of each company's shares, and of bonds."""
    sales = (_sales_of(reader, company) for company in reader.state.shares)
    bonds = ["sell 1 bond"] if reader.state.bonds.get(reader.seat) else []
    return [*(found[0] for found in sales if found), *bonds]


def _sell_private(reader: CommandReader, private: PrivateId) -> Action:
    buyer, price = "", None
    while reader.word:
        if reader.take("to"):
            buyer = _owner(reader).id
        elif reader.take(*_AT) or reader.low.lstrip("$").isdecimal():
            other = reader.table.after(reader.seat)
            price = reader.money("The price is missing", f"sell {private} to {other} for 100")
        else:
            reader.end("to", "for")
    asked = _asked(reader)
    if price and not buyer and isinstance(asked, PrivateSale) and asked.private == private:
        return _asking_price(reader, asked, price, 0)
    par = reader.title.privates[private].par
    if not buyer or price is None:
        to = buyer or reader.table.after(reader.seat)
        text = "To whom?" if not buyer else "For how much?"
        reader.incomplete(text, (f"sell private {private} to {to} for {price or par}",))
    seller = reader.state.privates[private]
    return TradePrivate(by=reader.seat, private=private, seller=seller, buyer=buyer, price=price)


def done(reader: CommandReader) -> Action:
    """``pass``, ``done``, and all other words for the end of a turn."""
    reader.heading_used = True
    top = reader.state.stack[-1] if reader.state.stack else None
    if isinstance(top, Auction):
        # "give up S&NA", in its auction
        start = reader.at
        reader.skip("on", "the bid for", "the auction of")
        private = reader.maybe_name(names.privates(reader.title)) if reader.word else None
        reader.at = reader.at if private and private.id == top.private else start
    reader.skip(
        "me",
        "from me",
        "this round",
        "my turn",
        "turn",
        "here",
        "left",
        "bidding",
        *_ON_ONE,
        *_IDLY,
    )
    reader.end()
    return Pass(by=reader.seat)


def _owner_word(table: Table, owner: Owner) -> str:
    owners = (*names.seats(table.at.seats), *names.companies(table.title))
    return names.spell(owners, owner, "player" if owner in table.at.seats else "company")


@written.register(BuyPrivate)
def _(action: BuyPrivate, table: Table) -> str:
    return f"buy {names.private_word(table.title, action.private)}"


@written.register(BidPrivate)
def _(action: BidPrivate, table: Table) -> str:
    return f"bid {action.private} {action.amount}"


@written.register(TakeBack)
def _(action: TakeBack, table: Table) -> str:
    return f"take back {action.private}"


@written.register(Pass)
def _(action: Pass, table: Table) -> str:
    top = table.at.stack[-1] if table.at.stack else None
    turns = (StockRound, StockTurn, PrivateTurn, Auction, FireSale, ParallelAuction, Swap)
    passes = isinstance(top, turns)
    return "pass" if passes else "done"


@written.register(Par)
def _(action: Par, table: Table) -> str:
    return f"par {action.company} {action.price}"


@written.register(BuyShare)
def _(action: BuyShare, table: Table) -> str:
    company = names.company_word(table.title, action.company)
    if action.more:
        count = action.more + 1 + action.double
        place, rest = source_word(action.source), " with double" * action.double
        if action.president:
            first = president_percent(table, action.company) // table.share(action.company)
            count, rest = action.more + first, " with president"
        return f"buy {count} {company} {place}{rest}"
    what = "president " * action.president + "double " * action.double
    return f"buy {what}{company} {source_word(action.source)}"


@written.register(SellShares)
def _(action: SellShares, table: Table) -> str:
    return f"sell {action.shares} {action.company}{' with double' * action.double}"


@written.register(TradePrivate)
def _(action: TradePrivate, table: Table) -> str:
    if table.agent(action.buyer) != action.by:
        buyer = _owner_word(table, action.buyer)
        return f"sell private {action.private} to {buyer} for {action.price}"
    plain = action.buyer == (turn_company(table.at) or action.by)
    heading = "" if plain else f"{action.buyer}: "
    seller = _owner_word(table, action.seller)
    return f"{heading}buy private {action.private} from {seller} for {action.price}"


# the verbs, and how they are written

_TRADE = "offer a private company to another owner, or ask for one"
_CERTIFICATE = "buy one certificate; the place may be left out if there is only one"
BUY = Verb(
    "buy",
    (),
    buy,
    (
        Form(
            "buy PRIVATE",
            "buy the cheapest private company of the bank",
            "buy {private}",
            feature=sold_in_turns,
        ),
        Form(
            "buy COMPANY [ipo|market]",
            _CERTIFICATE,
            "buy {company} ipo",
            feature=without_treasuries,
        ),
        Form(
            "buy COMPANY [ipo|treasury|market]",
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
            "buy TRAIN [ipo|market]",
            "the company in its turn buys a train of the bank",
            "buy {train}",
        ),
        Form(
            "buy TRAIN from COMPANY for PRICE",
            "buy a train of another company; its president must accept unless it is you",
            "buy {train} from {other} for 120",
        ),
        Form(
            "buy TRAIN with PRIVATE",
            "buy a train of the bank with the discount of a private company",
            "buy {train} with {power}",
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
)

SELL = Verb(
    "sell",
    (),
    sell,
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
)

PAR = Verb(
    "par",
    ("start", "launch"),
    par,
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
    powers=(FoundingPower,),
)

BID = Verb(
    "bid",
    ("raise", "raise the bid", "raise my bid", "my bid", "my bid is"),
    bid,
    (
        Form(
            "bid PRIVATE AMOUNT",
            "bid on a private company; in its auction the amount is enough",
            "bid {dear} {bid}",
        ),
        Form(
            "bid AMOUNT [for COMPANY]",
            "bid on a share in a fire sale, or for your company on a token",
            "bid {bid} for {company}",
            feature=fire_sales,
        ),
    ),
)

TAKE_BACK = Verb(
    "take back",
    ("withdraw bid", "take bid back", "take my bid back", "take the bid back"),
    take_back,
    (
        Form(
            "take back PRIVATE",
            "take the money of a bid that was beaten, and leave that auction",
            "take back {dear}",
            feature=parallel_auctions,
        ),
    ),
)

PASS = Verb(
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
        "do nothing",
        "no more",
        "no action",
        "do nothing more",
        "no bid",
        "give up",
        "no bids",
        "no more bids",
        "no further bids",
        "count me out",
        "stay out",
        "sit out",
    ),
    done,
    (
        Form("pass", "do nothing, or nothing more, in your turn", "pass"),
        Form("done", "the company does nothing more here", "done"),
    ),
)
