"""Explains words of the rules and of email that are not commands."""

from engine import Title
from service.reports.turn import PASS_ROUND_PASSES

FLOATS_AT = "In {title} that is when {percent}% has left the IPO."
LIMITED = "In {title} a player may hold {percent}% of a company."

TERMS = {
    "float": "A company floats when enough of its shares have been bought. It then gets its money "
    "and operates in the next operating round.",
    "par": "The price at which a player starts a company. The first buyer sets it with `par`.",
    "ipo": "The initial public offering: shares that nobody has bought yet. Some rulebooks call it "
    "the initial offering, and commands accept `offering`.",
    "open market": "Shares and trains that were sold back and can be bought by anybody. Commands "
    "write it `market` or `pool`.",
    "president": "The player with the most shares of a company decides for it.",
    "priority deal": "The player who has it takes the first turn of the next stock round.",
    "certificate limit": "The most certificates that a player may own. A president's certificate "
    "counts as one.",
    "player limit": "The most of one company that a player may own.",
    "treasury": "The money of a company and, in some titles, the shares that it owns.",
    "rust": "A train that rusts leaves the game when a later train is bought. "
    "`trains` tells which.",
    "phase": "Trains begin phases. A phase says which tiles may be laid and how many trains a "
    "company may have.",
    "train limit": "The most trains that a company may have. It becomes smaller in later phases.",
    "private company": "A company that a player owns alone. It pays its owner at the beginning of "
    "each operating round, and may have a power.",
    "stock round": "The round in which players buy and sell shares. "
    "`help round` says how it works.",
    "operating round": "The round in which companies build, run trains and pay. `help round` says "
    "how it works.",
    "upgrade": "A tile that takes the place of another tile and keeps its track.",
    "home token": "The first token of a company, in its home city.",
    "dividend": "The money that a company's trains earn and that is paid out to its shareholders.",
    "revenue": "The dollars that the trains of a company earn in one run.",
    "advance order": "A command for a later turn, such as `next: …` or `standing …`.",
    "pass round": PASS_ROUND_PASSES,
    "standing": "An advance order that stays until it is done or stopped, as in `standing buy L&N "
    "until float`.",
    "operate": "An advance order for the turn of a company, as in `operate L&N: run, pay`.",
    "always": "An answer in advance, as in `always protect L&N` or `always consent: …`. `orders` "
    "lists yours.",
    "never": "A refusal in advance, as in `never protect`. `orders` lists yours.",
    "alarm": "An event that stops `pass round` and brings you an email. `alarm` lists them.",
    "caretaker": "The program that makes a move for a player whose time is out.",
    "receipt": "The email that answers yours and says what became of each command.",
    "digest": "One email with the news since the last. `help digest` lists when it can come.",
    "standby": "A person who takes the seat of a player who leaves.",
    "deputy": "A person who acts for a player for some time.",
    "director": "The person who settles disputes in a game.",
    "organizer": "The person who created the game and starts it.",
    "seat": "A place in a game. Each seat has its own email address.",
    "share": "A part of a company, mostly 10%. Its owner gets that part of each dividend.",
    "share price": "The price of a share in the open market. It moves right with a dividend, left "
    "without one, and down when shares are sold. `market` shows the stock chart.",
    "stock chart": "The table of share prices, with a marker for each company. `market` shows it.",
    "president's certificate": "The certificate that the president of a company has, of 20% or "
    "more. It goes to another player who has more shares.",
    "company": "Players own its shares, and its president lays tiles, places tokens, runs trains "
    "and buys trains for it.",
    "token": "The mark of a company in a city. Its trains must pass through one of its tokens, and "
    "a city full of other companies' tokens blocks them.",
    "tile": "A hexagon with track. `tiles C4` shows those that a company may lay on C4.",
    "exit": "A side of a hex at which track ends, named by its direction: N, NE, SE, S, SW, NW.",
    "city": "A stop with circles for tokens.",
    "town": "A stop without circles. It blocks no train.",
    "off-board": "A place at the edge of the map where runs end. It has no tile.",
    "route": "The track from stop to stop that one train runs. `routes L&N` shows the best ones.",
    "run": "The trip of a company's trains in its turn, each on its route, which earns money.",
    "certs": "Certificates that a player owns, and after the slash the certificate limit.",
    "cash": "Money that a player or a company has and may spend.",
    "bank": "It has the money and certificates that nobody owns. Money is paid to it and by it.",
    "pays": "The money that a private company brings its owner in each operating round.",
    "owner": "The player or company that owns a private company. A player who leads an auction "
    "owns nothing yet.",
    "bid": "Money offered for a private company. It is set aside until the auction is decided.",
    "auction": "Players raise each other's bids in turn. A player who passes leaves it.",
    "set": "The operating rounds between two stock rounds. The phase says how many there are.",
    "operating order": "The highest share price operates first. `NEXT` in an email has the order.",
    "forced purchase": "A company with a route and no train must buy a train. If it cannot pay, "
    "its president pays the rest and may have to sell shares.",
    "fire sale": "A sale of what a company owns, to pay for a train that it must buy.",
    "bankruptcy": "A player who cannot pay for a forced purchase is bankrupt.",
    "receivership": "A company without a president is in receivership. Another player makes its "
    "moves until somebody buys enough of its shares.",
    "obsolete": "An obsolete train runs once more and then rusts.",
    "permanent": "A permanent train never rusts.",
    "bonus": "Dollars added to a run for a marker, a named train or a connection.",
    "marker": "A mark on a hex, placed by the power of a private company.",
    "price protection": "A president buys shares that were sold, so that the price stays.",
    "redeem": "A company buys its own shares back, or pays its bonds back.",
    "loan": "Money that a company owes. It pays interest until it repays the loan.",
    "interest": "The money that a company pays for its loans in each of its turns.",
    "bond": "A certificate of a company's debt. It pays its owner a fixed sum.",
    "ferry": "A way over water between two ports, opened by a private company.",
    "merger": "Two companies become one that has the money, trains and tokens of both.",
    "system": "A company that two companies have formed by a merger.",
    "optional rule": "A rule that the organizer may choose for a game. `rules` lists them.",
    "overlay": "Facts of a group's own that replace those of a title.",
    "reconstruction": "A part of a title that Waybill does not know from its source. An overlay "
    "can replace it.",
    "deadline": "The time by which a player must answer. `clock` shows it.",
    "time bank": "A player's reserve of time, which runs while the player must decide.",
    "reminder": "An email that says how much time is left. `remind` chooses when it comes.",
    "offer": "A purchase proposed to another player. The answer is `accept` or `decline`.",
    "counteroffer": "Another price in answer to an offer: `counter for 120`.",
    "advance answer": "An answer to offers that have not been made yet: `always consent: …`.",
    "waiting command": "A command that is carried out when another player has answered an offer. "
    "`clear` cancels it.",
    "next": "`NEXT` in an email has the players and companies whose turns come next. "
    "`next: buy TR` is an advance order for your next turn.",
    "seal": "A number that proves later what an advance order said. All players see it at once.",
    "turn email": "The email that asks you for a move.",
    "round summary": "The email after a round, with what happened and the position.",
    "briefing": "The email to a player who takes over a seat.",
    "hold": "`hold` saves an email until `go`. A game on hold waits for its director.",
    "operator": "The person who runs the server.",
    "observer": "A person who reads about a game and does not play. `watch` begins it.",
    "seat address": "The private email address of your seat. Anybody who has it could play for "
    "you.",
    "security level": "How strictly Waybill checks who wrote an email: friendly, standard or "
    "tournament.",
    "position": "The state of the game after a move. `#212` is its number.",
}
_ALSO = {
    "initial offering": "ipo",
    "offering": "ipo",
    "market share": "open market",
    "pool": "open market",
    "certificate": "certificate limit",
    "limit": "player limit",
    "priority": "priority deal",
    "private": "private company",
    "presidency": "president",
    "sr": "stock round",
    "or": "operating round",
    "home": "home token",
    "organiser": "organizer",
    "order": "advance order",
    "standing order": "advance order",
    "par value": "par",
    "price": "share price",
    "stock market": "stock chart",
    "corporation": "company",
    "station": "token",
    "tok": "token",
    "in bids": "bid",
    "left": "ipo",
    "mkt": "open market",
    "own": "treasury",
    "pres": "president",
    "co": "company",
    "last": "run",
    "round": "operating round",
    "number": "position",
    "bankrupt": "bankruptcy",
    "receiver": "receivership",
    "protect": "price protection",
    "emergency purchase": "forced purchase",
    "forced train": "forced purchase",
    "must buy": "forced purchase",
    "variant": "optional rule",
    "reconstructed": "reconstruction",
    "counter-offer": "counteroffer",
    "consent": "advance answer",
    "ferries": "ferry",
    "held": "hold",
}


def term(word: str, title: Title | None) -> str:
    """The meaning of a word, with the title's figures if it has any; "" for an unknown word."""
    forms = (word, word.removesuffix("s"))
    name = next((_ALSO.get(form, form) for form in forms if _ALSO.get(form, form) in TERMS), "")
    if not name:
        return ""
    found = [TERMS[name]]
    if title is not None and name == "float":
        parts = {title.facts.stock.float, *(c.float for c in title.facts.company if c.float)}
        if len(parts) == 1:
            found.append(FLOATS_AT.format(title=title.name, percent=title.facts.stock.float))
    if title is not None and name == "player limit":
        limit = title.facts.stock.player_limit
        found.append(LIMITED.format(title=title.name, percent=limit))
    return " ".join(found)
