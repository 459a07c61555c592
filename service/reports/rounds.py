"""How each kind of round works, in a few sentences made of the title's facts; decides nothing."""

from engine import Seat
from engine.position.frames import (
    Auction,
    OperatingRound,
    ParallelAuction,
    PrivateTurn,
    StockRound,
    StockTurn,
)
from service.reports.blocks import Lines
from service.reports.scene import Answer, Scene

HEADING = "HOW THIS ROUND WORKS"
MORE = "`help round` shows this again."

SALE = {
    "turns": (
        "The bank sells the private companies. In your turn you buy the cheapest, or bid on one of "
        "the others, or pass. You make at most one purchase or one bid a turn.",
        "When the cheapest has one bid, its bidder pays. When it has several, the bidders raise "
        "each other until all but one pass.",
        "When all players pass in a row, the round ends and an operating round follows.",
    ),
    "waterfall": (
        "The bank sells the private companies. In your turn you buy the cheapest, or bid on one of "
        "the others, or pass. You make at most one purchase or one bid a turn.",
        "When the cheapest has one bid, its bidder pays. When it has several, the bidders raise "
        "each other. A player who passes there is out of that auction.",
        "The round goes on until all private companies are sold.",
    ),
    "auction": (
        "The bank sells the private companies. In your turn you buy the cheapest, or bid on one of "
        "the others, or pass. You make at most one purchase or one bid a turn.",
        "When the cheapest has bids, it is auctioned. A player who passes there is out of that "
        "auction.",
        "When all players pass in a row while the cheapest of all is unsold, the player with the "
        "priority deal must buy it. Otherwise the round ends then.",
    ),
    "parallel": (
        "All private companies are auctioned at once. In your turn you make one bid on any of "
        "them, or pass. A pass does not exclude you: you may bid in your next turn.",
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
NO_SALES = "In the first stock round nobody sells shares."
OPERATING = (
    "Each company that has floated operates once, the highest share price first. Its president "
    "decides for it.",
    "A turn has this order: {steps}. You may leave out whatever is not compulsory.",
    "One email is the whole turn: the end of your email ends it. Add `more` to keep it open.",
    "A dividend goes to the shareholders and moves the share price right. Money that is withheld "
    "stays with the company and moves the price left.",
    "A company may have {limit} trains. {train}",
    "The round ends when all have operated. {next}",
)
ONE_TRAIN = "It buys at most one train of the bank in a turn."
MANY_TRAINS = "It may buy several trains in a turn."
OTHER_ROUND = "There is nothing to decide now."

#: steps of a turn as players call them
_STEPS = {
    "track": "lay tiles",
    "token": "place a token",
    "run": "run trains",
    "dividend": "pay out or withhold",
    "trains": "buy trains",
    "station trade": "buy a token of another company",
    "loans": "repay loans",
    "bonds": "redeem bonds",
    "own shares": "issue or redeem shares",
}


def how(scene: Scene) -> tuple[str, ...]:
    """The goal, the limits, what ends the round and what comes next, in sentences."""
    facts, frames = scene.title.facts, [type(frame) for frame in scene.state.stack]
    if OperatingRound in frames:
        return _operating(scene)
    if StockRound not in frames:
        return ()
    if scene.table.unsold():
        return SALE[facts.stock.private_sale]
    phase = scene.table.phase
    noun = "round follows" if phase.rounds == 1 else "rounds follow"
    words = {
        "float": facts.stock.float,
        "holding": facts.stock.player_limit,
        "certificates": scene.table.certificate_limit(),
        "rounds": phase.rounds,
        "noun": noun,
    }
    first = scene.state.round.number == 1 and facts.stock.no_sale_in_first_round
    found = tuple(text.format(**words) for text in STOCK)
    return (found[0], NO_SALES, *found[1:]) if first else found


def _operating(scene: Scene) -> tuple[str, ...]:
    phase, now = scene.table.phase, scene.state.round
    steps = (_STEPS[step] for step in scene.title.facts.turn if step in _STEPS)
    last = now.part >= now.parts
    words = {
        "steps": ", ".join(steps),
        "limit": phase.train_limit,
        "train": ONE_TRAIN if phase.bank_trains == 1 else MANY_TRAINS,
        "next": "A stock round follows." if last else "Another operating round follows.",
    }
    return tuple(text.format(**words) for text in OPERATING)


def answer(scene: Scene) -> Answer:
    """The answer to `help round`."""
    return Answer((Lines(HEADING, how(scene) or (OTHER_ROUND,)),))


def at_first(scene: Scene, seat: Seat) -> Lines:
    """The same for the turn email of a player who has not yet met this kind of round."""
    if not _is_new(scene, seat):
        return Lines("", ())
    return Lines(HEADING, (*how(scene), MORE))


def _is_new(scene: Scene, seat: Seat) -> bool:
    """Whether the position shows that the player has not decided in such a round before."""
    state = scene.state
    top = state.stack[-1] if state.stack else None
    if isinstance(top, PrivateTurn | ParallelAuction | Auction):
        return state.number < len(state.seats)
    if isinstance(top, StockTurn):
        shares = scene.players[seat].shares
        return state.round.number == 1 and not shares and not (top.bought or top.sold)
    if not scene.view.company:
        return False
    mine = [company for company, owner in state.presidents.items() if owner == seat]
    return all(state.turns.get(company, 0) <= 1 for company in mine) and (
        state.round.number == 1 and state.round.part == 1
    )
