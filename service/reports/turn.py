"""The email for a player's turn: all that the decision needs, and how to answer."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from engine import Seat, State
from engine.board.hexes import Hex
from engine.facts.facts import TrainKind
from engine.facts.title import Title
from engine.inquiry import best_of_turn, float_percent, train_limit
from engine.position.frames import (
    Auction,
    OperatingRound,
    ParallelAuction,
    PrivateTurn,
    StockRound,
    StockTurn,
)
from engine.wording import counted, cut, listed
from engine.wording import one as with_article
from service.audience import Audience, OnlyFor
from service.reports import position
from service.reports.advice import legal, words
from service.reports.decisions import task, words_of
from service.reports.decisions.base import DecisionTask
from service.reports.example import button, fuller, likely, plain
from service.reports.lays import LEVELS
from service.reports.prospects import company_block
from service.reports.rendering import LONGEST_SUBJECT, fitting, page
from service.reports.scene import (
    Answer,
    Figure,
    Narrated,
    Page,
    PageLook,
    Said,
    Scene,
    Since,
    in_rows,
)
from service.reports.tables import Lines, Pairs, Row, Verbatim
from service.reports.warnings import warnings

HEADING = "HOW THIS ROUND WORKS"
MORE = "`help round` shows this again."

ONE_ACTION = (
    "The bank sells the private companies. In your turn you buy the cheapest, or bid on one of "
    "the others, or pass. You make at most one purchase or one bid a turn."
)
SALE = {
    "turns": (
        ONE_ACTION,
        "When the cheapest has one bid, its bidder pays. When it has several, the bidders raise "
        "each other until all but one pass in a row. A pass there is for one turn.",
        "When all are sold, the round goes on with shares. When all players pass in a row, the "
        "round ends and an operating round follows.",
    ),
    "waterfall": (
        ONE_ACTION,
        "When the cheapest has one bid, its bidder pays. When it has several, the bidders raise "
        "each other. A player who passes there is out of that auction.",
        "The sale goes on until all private companies are sold. Then the round goes on with "
        "shares.",
    ),
    "auction": (
        f"{ONE_ACTION} Bids are multiples of ${{step}}.",
        "When the cheapest has one bid, its bidder pays. When it has several, the bidders raise "
        "each other. A player who passes there is out of that auction.",
        "When all players pass in a row while the cheapest of all is unsold, the player with the "
        "priority deal must buy it. Otherwise an operating round follows, and then the sale goes "
        "on. When all are sold, the round goes on with shares.",
    ),
    "parallel": (
        "All private companies are auctioned at once. In your turn you make one bid on any of "
        "them, or pass. A bid is at least the face value, and ${step} above the highest bid.",
        "A pass does not exclude you: you may bid in your next turn. If you take back the money "
        "of a bid that was raised, you may not bid on that company again in this round.",
        "The auctions end when all players pass in a row. Then each high bidder pays, and a "
        "company without a bid waits for the next stock round.",
        "When all are sold, the stock round goes on with shares. Otherwise an operating round "
        "follows.",
    ),
}
STOCK = (
    "In your turn you may sell shares and buy one certificate, or pass. If you pass, you may "
    "act again in your next turn.",
    "A company floats, and may operate, when {float}% of it has left the IPO. You may hold "
    "{holding}% of a company, and {certificates} certificates in all.",
    "The round ends when all players pass in a row. Then {rounds} operating {noun}.",
)
NO_SALES = (
    "In your turn you may start a company or buy one share, or pass. If you pass, you may act "
    "again in your next turn. In the first stock round nobody sells shares."
)
SALES_FIRST = (
    "In your turn you may first sell shares and then buy one certificate, or pass. If you pass, "
    "you may act again in your next turn. Nobody sells shares of a company that has not operated."
)
NOT_AFTER_SALE = "Once you have sold shares of a company, you may buy none of it in this round."
OWN_FLOAT = "{company} floats at {float}%."
UNCOUNTED = "Certificates of companies in the {zones} of the stock chart do not count."
UNLIMITED = "In the {zones} you may hold more than {holding}%."
GAME_ENDS = "The game ends after them."
WHOLE_TURN = (
    "One email is the whole turn: the end of your email ends it. Add `more` to keep it open."
)
OPERATING = (
    "The private companies have paid their owners. Each company that has floated operates once, "
    "the highest share price first. Its president decides for it.",
    "A turn has this order: {steps}. You may leave out whatever is not compulsory.",
    WHOLE_TURN,
    "{rise} Money that is withheld stays with the company and moves the price left, and so does a "
    "turn without revenue.",
    "{names} A company may have {limit} trains. {train} {must}",
    "The round ends when all have operated. {next}",
)
RISES = {
    "any dividend": "A dividend goes to the shareholders and moves the share price right.",
    "price paid": "A dividend goes to the shareholders. It moves the share price right if it is "
    "at least the price.",
}
IN_BLUE = "In the blue zone it must be at least the price for that."
MUST_OWN = {
    "with route": "It must own a train at the end of its turn if it has a route.",
    "all": "It must own a train at the end of its turn.",
}
NEXT = ("Another operating round follows.", "A stock round follows.", "Then the game ends.")
ONE_TRAIN = "It buys at most one train of the bank in a turn."
MANY_TRAINS = "It may buy several trains in a turn."
OTHER_ROUND = "There is nothing to decide now."

HALF = "pay out, pay half or withhold"

#: the steps of a turn in the words of players
_STEPS = {
    "track": "lay tiles",
    "token": "place a token",
    "run": "run trains",
    "dividend": "pay out or withhold",
    "trains": "buy trains",
    "station trade": "buy a token of another company",
    "interest": "pay interest",
    "repay": "repay loans",
    "redeem": "redeem bonds",
    "own shares": "issue or redeem shares",
}


def how(scene: Scene) -> tuple[str, ...]:
    """The goal, the limits, the end of the round and what follows, in sentences."""
    facts, frames = scene.title.facts, [type(frame) for frame in scene.state.stack]
    if OperatingRound in frames:
        return _operating(scene)
    if StockRound not in frames:
        return ()
    if scene.table.unsold():
        step = facts.stock.bid_step
        return tuple(text.format(step=step) for text in SALE[facts.stock.private_sale])
    return tuple(_stock(scene))


#: the letters of zones of a stock chart that are exempt from a limit
_ZONES = {"y": "yellow", "g": "green", "b": "brown"}


def _stock(scene: Scene) -> Iterator[str]:
    stock, table, ending = scene.title.facts.stock, scene.table, scene.state.ending
    acts, limits, end = STOCK
    if scene.state.round.number == 1 and stock.no_sale_in_first_round:
        yield NO_SALES
    else:
        yield f"{SALES_FIRST if stock.sales_first else acts} {NOT_AFTER_SALE}"
    holding = stock.player_limit
    told = [
        limits.format(float=stock.float, holding=holding, certificates=table.certificate_limit())
    ]
    own = ((name, float_percent(table, name)) for name in scene.title.companies)
    told += [OWN_FLOAT.format(company=c, float=part) for c, part in own if part != stock.float]
    for text, zones in ((UNCOUNTED, stock.uncounted_zones), (UNLIMITED, stock.unlimited_zones)):
        if zones:
            names = f"{listed([_ZONES[z] for z in zones])} zone{'s' * (len(zones) > 1)}"
            told.append(text.format(zones=names, holding=holding))
    yield " ".join(told)
    rounds = 1 if ending is not None and not ending.full_set else table.phase.rounds
    noun = "round follows" if rounds == 1 else "rounds follow"
    found = end.format(rounds=rounds, noun=noun)
    yield f"{found} {GAME_ENDS}" if ending is not None else found


def _operating(scene: Scene) -> tuple[str, ...]:
    facts, phase, company = scene.title.facts, scene.table.phase, scene.view.company
    half = "half" in facts.operating.dividends
    steps = {**_STEPS, "dividend": HALF} if half else _STEPS
    rise = RISES[facts.operating.price_rises]
    words = {
        "steps": ", ".join(steps[step] for step in facts.turn if step in steps),
        "rise": f"{rise} {IN_BLUE}" if facts.market.dividend_steps else rise,
        "names": _train_names(scene.title),
        "limit": train_limit(scene.table, company) if company else phase.train_limit,
        "train": ONE_TRAIN if phase.bank_trains == 1 else MANY_TRAINS,
        "must": MUST_OWN[facts.operating.must_own],
        "next": _next(scene.state),
    }
    return tuple(text.format(**words) for text in OPERATING)


REACHES = {
    "stops": "{kind} train runs to {reach} stops at most.",
    "hexes": "{kind} train runs through {reach} hexes at most.",
    "cities": "{kind} train runs to {reach} cities at most.",
    "nothing": "{kind} train may run to any number of stops.",
}
DOUBLES = "{kind} train runs to {reach} stops at most, and its cities count twice."


TOWNS_ARE_FREE = (
    "Towns are not counted: a train runs through any number of them, and earns their money, too."
)


def _train_names(title: Title) -> str:
    """What the names of trains mean: the first one of each sort, in a sentence each."""
    told: dict[str, str] = {}
    for kind in title.facts.train:
        if not (kind.gift or kind.extends):
            told.setdefault(_reaching(kind), reach(kind))
    return " ".join(filter(None, (*told.values(), towns(title))))


def reach(kind: TrainKind) -> str:
    """A sentence about how far a type of train runs."""
    text = _reaching(kind).format(kind=with_article(kind.type), reach=kind.reach)
    return f"{text[0].upper()}{text[1:]}"


def _reaching(kind: TrainKind) -> str:
    return DOUBLES if kind.doubles and kind.counts == "stops" else REACHES[kind.counts]


def towns(title: Title) -> str:
    """A sentence if the stops of trains do not include towns, otherwise ""."""
    by_stops = any(kind.counts == "stops" for kind in title.facts.train)
    there = any("town" in facts.stops for facts in title.hexes.values())
    free = there and by_stops and not title.facts.operating.towns_count
    return TOWNS_ARE_FREE if free else ""


def _next(state: State) -> str:
    """What follows after the operating round."""
    now, ending = state.round, state.ending
    last = now.part >= now.parts
    if ending is not None and (last if ending.full_set else ending.rounds <= 0):
        return NEXT[2]
    return NEXT[last]


def answer(scene: Scene) -> Answer:
    """The answer to `help round`."""
    return Answer((Lines(HEADING, how(scene) or (OTHER_ROUND,)),))


def at_first(scene: Scene, seat: Seat) -> Lines:
    """The same for the turn email of a player who is new to this kind of round."""
    if not _is_new(scene, seat):
        return Lines("", ())
    return Lines(HEADING, (*how(scene), MORE))


def _is_new(scene: Scene, seat: Seat) -> bool:
    """Whether the position shows that the player has never decided in such a round."""
    state = scene.state
    top = state.stack[-1] if state.stack else None
    if isinstance(top, PrivateTurn | ParallelAuction | Auction):
        return state.number < len(state.seats)
    if isinstance(top, StockTurn):
        # a share of a company that nobody has started came with a private company
        bought = state.pars.keys() & scene.players[seat].shares
        return not (state.turns or bought or top.bought or top.sold)
    if not scene.view.company:
        return False
    mine = [company for company, owner in state.presidents.items() if owner == seat]
    first = state.round.number == 1 and state.round.part == 1
    # 18MW has operating rounds before any company has floated
    early = first or max(state.turns.values(), default=0) == 1
    return early and all(state.turns.get(company, 0) <= 1 for company in mine)


_LABEL = 40
"""The most characters of a button."""
_SAID = 1_500
"""The most characters of messages in a turn email."""


WITH_PICTURES = PageLook()


@dataclass(frozen=True, slots=True)
class Button:
    """A link of the HTML part that opens an email with these commands."""

    label: str
    commands: str


def turn_page(
    to: Audience,
    scene: Scene,
    since: Since,
    look: PageLook = WITH_PICTURES,
    note: str = "",
    reply_to: OnlyFor[str] | None = None,
) -> Page:
    """The TURN email, or the request to answer an offer, to one of the seats that act.

    ``reply_to`` is the seat's address for the buttons; without it there are none.
    """
    seat = to.seat
    asked = task(scene, seat)
    rest = f", {scene.view.round}" if asked.dated else ""
    sheet = {
        **frame(scene, seat),
        "headline": asked.sentence,
        "clock": since.clock.lines if since.clock else (),
        "note": ". ".join(filter(None, (note, since.own(to)))),
        "said": talk(since.said),
        "company": company_block(scene, seat) if scene.view.company else None,
        "warnings": Lines("WARNINGS", warnings(scene, seat), True),
        "own": since.parts(to),
        "tables": position.tables(scene),
        "example": Verbatim("", likely(scene, seat)),
        "fuller": Verbatim("", fuller(scene, seat)),
        "how": at_first(scene, seat),
        "reasons": Lines("", (*plain(scene, seat).reasons, *_passing(fuller(scene, seat)))),
        "later": own_next(scene, seat),
        "words": words(scene),
        "buttons": tuple(buttons(scene, seat)) if reply_to else (),
        "reply_to": reply_to,
    }
    shown = look.of(turn_figures(scene, seat, look.new_tiles)) if look.pictures else ()
    until = f", {since.clock.by}" if since.clock and since.clock.by else ""
    subject = _subject(f"[{scene.game}] {asked.lead}: ", asked, rest, until)
    sizes = _sizes(scene, seat, since.narrated)
    return page(to, "turn", subject, shown, scene.templates, sizes, **sheet)


def _subject(head: str, asked: DecisionTask, rest: str, until: str) -> str:
    """The subject of a turn email; a long one is shortened, goes without its round, or is cut."""
    short = asked.short or asked.subject
    for what in (f"{asked.subject}{rest}", asked.subject, f"{short}{rest}", short):
        if len(f"{head}{what}{until}") <= LONGEST_SUBJECT:
            return f"{head}{what}{until}"
    return f"{head}{fitting(short, LONGEST_SUBJECT - len(head) - len(until))}{until}"


def frame(scene: Scene, seat: Seat = "") -> dict[str, object]:
    """The values in the head and the foot of every email about a position."""
    return {
        "game": scene.game,
        "title": scene.view.title,
        "mark": position.mark(scene),
        "number": scene.view.number,
        "seat": seat,
        "provenance": position.provenance(scene),
        "link": scene.link,
    }


def _sizes(scene: Scene, seat: Seat, since: Sequence[Narrated]) -> Iterator[dict[str, object]]:
    """The lists of legal moves and past events, each time shorter, for a text that must fit."""
    lengths = [(level, len(since)) for level in range(LEVELS)]
    lengths += [(LEVELS - 1, kept) for kept in (24, 12, 6, 3) if kept < len(since)]
    for level, kept in lengths:
        yield {"legal": legal(scene, seat, level), "since": happened(since, kept)}


EARLIER = "{moves}: `history` lists them"


def happened(since: Sequence[Narrated], kept: int | None = None, heading: str = "") -> Pairs:
    """Past actions by player, with neighbors of one player in a row; the latest ``kept``."""
    latest = [told for told in since if told.sentences]
    left_out = len(latest) - kept if kept is not None else 0
    rows: list[Row] = []
    if left_out > 0:
        latest = latest[left_out:]
        rows.append(Row("…", (EARLIER.format(moves=counted(left_out, "earlier move")),)))
    every = in_rows(row for told in latest for row in told.rows())
    rows += (Row(label, items) for label, items in every)
    first = f" (#{since[0].number})" if since else ""
    return Pairs(heading or f"SINCE YOUR LAST TURN{first}", tuple(rows), "; ")


def talk(said: Sequence[Said], limit: int = _SAID) -> tuple[Said, ...]:
    """Messages, cut if they are longer than ``limit`` characters."""
    room, found = limit, []
    for one in said:
        text = one.text
        if len(text) > room:
            text = f"{cut(text, room)} (cut here; `history` has all of it)"
        found.append(replace(one, text=text))
        room -= len(text)
        if room <= 0:
            break
    return tuple(found)


def buttons(scene: Scene, seat: Seat) -> Iterator[Button]:
    """Buttons: the example first, then short replies that are legal as they are, and queries."""
    first = "\n".join(likely(scene, seat))
    short = list(_short(scene, seat))
    if first:
        same = (found for found in short if _same(found.commands) == _same(first))
        yield next(same, Button(_named(first), first))
    if whole := "\n".join(fuller(scene, seat)):
        yield Button(_named(whole), whole)
    yield from (found for found in short if _same(found.commands) != _same(first))
    yield Button("All options", "options")
    yield Button("Help", "help")


def _same(commands: str) -> str:
    """Commands one by one, however they are divided into lines."""
    return commands.replace(", ", "\n")


PASSES = "`pass round` passes until the round ends or an alarm stops it: `help pass round`."


def _passing(commands: Sequence[str]) -> tuple[str, ...]:
    """A note on what `pass round` does, if it is among the commands."""
    return (PASSES,) if any("pass round" in one for one in commands) else ()


def own_next(scene: Scene, seat: Seat) -> Lines:
    """The same president's companies that operate right after this one, with a draft."""
    state, found = scene.state, []
    for company in scene.view.order if scene.view.company else ():
        if state.presidents.get(company) != seat:
            break
        if state.trains.get(company):
            found.append(f"`{company}: run, pay`")
    text = f"Add {listed(found)} to this reply for what your companies do next: it saves an email."
    return Lines("", (text,) if found else ())


def _named(commands: str) -> str:
    """Commands as the label of a button."""
    text = commands.replace("\n", ", ")
    return text if len(text) <= _LABEL else f"{text[:_LABEL].rpartition(' ')[0].rstrip(',')} …"


def _short(scene: Scene, seat: Seat) -> Iterator[Button]:
    """Short replies that are legal as they are."""
    for word in ("accept", "decline"):
        if button(scene, seat, word):
            yield Button(word.capitalize(), word)
    for word in ("protect", "letfall"):
        if commands := button(scene, seat, word):
            text = commands[0]
            yield Button(f"{text[0].upper()}{text[1:]}", text)
    for word in ("pay", "half", "withhold"):
        if commands := button(scene, seat, "run", word):
            found = best_of_turn(scene.table, scene.view.company)[1]
            which = "best" if found.proved else "best found"
            yield Button(f"Run {which}, {word}", "\n".join(commands))
        elif button(scene, seat, word):
            yield Button(word.capitalize(), word)
    if commands := button(scene, seat, "pass"):
        yield Button("Nothing more" if scene.view.company else "Pass", commands[0])


def turn_figures(scene: Scene, seat: Seat, new: frozenset[Hex]) -> Iterator[Figure]:
    """The map if something is built or run, the stock chart if shares are traded."""
    return words_of(scene.state).figures(scene, scene.state.stack[-1], seat, new)
