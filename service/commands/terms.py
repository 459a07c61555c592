"""Explains words of the rules and of email that are not commands."""

from collections.abc import Iterator

from engine import Title
from engine.notation.words import key
from engine.wording import listed
from service.reports.turn import reach, towns

FLOATS_AT = "In {title} that is when {percent}% has left the IPO."
#: the money that a company gets when it floats
MONEY = {
    "full": "It then gets 10 times its par value from the bank.",
    "bought": "It then gets what players have paid for its shares.",
}
LIMITED = "In {title} a player may hold {percent}% of a company."
COMPANIES_BUY = (
    "In {title} a company may buy one from a player in {phases}, for {low}% to {high}% of "
    "its par value: `buy private NAME from PLAYER for PRICE` in the company's turn."
)
ALL_CLOSE = "All of them close when phase {phase} begins."

TERMS = {
    "float": "A company floats when enough of its shares have been bought. It operates from the "
    "next operating round on.",
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
    "pass round": "`pass round` passes for you until the stock round ends. An alarm stops it, and "
    "you are asked again: somebody sells shares that you hold or starts a company, or a presidency "
    "may change. `alarm` lists the alarms.",
    "standing": "An advance order that stays until it is done or stopped, as in `standing buy L&N "
    "until float`.",
    "operate": "An advance order for the turn of a company, as in `operate L&N: run, pay`.",
    "always": "An answer in advance, as in `always protect L&N` or `always consent: …`. `orders` "
    "lists yours.",
    "never": "A refusal in advance, as in `never protect`. `orders` lists yours.",
    "alarm": "An event that stops `pass round` and brings you an email: somebody sells shares that "
    "you hold, or starts a company. `alarm` lists them all.",
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
    "train": "A company runs trains from stop to stop. The number in a train's name says how far "
    "it runs: `trains` lists all types with their reach and price, and says which rust.",
    "plus train": "A train for as many cities as its first number and as many towns as its second.",
    "hex": "A place on the map, named by its row and column, such as C4. `map` shows them.",
    "stop": "A city, a town or an off-board place, where a train earns money.",
    "track": "The lines on tiles that connect stops. `lay` adds a tile.",
    "color": "Tiles are yellow, green, brown and gray, in this order. A phase says which colors "
    "may be laid. `upgrades 57` lists what may replace a tile.",
    "terrain": "Water, swamps and mountains. A price beside a hex is what a tile costs there.",
    "way": "How a tile lies on its hex. The exits name it, as in `lay 57 C4 N-S`.",
    "double": "A certificate of two shares, or a tile with two towns or cities.",
    "close": "A private company that closes leaves the game and pays no more.",
    "sold out": "Players and companies own all shares of a company. Its price rises at the end of "
    "a stock round.",
    "half share": "A share of 5%. `rules` says how it counts.",
    "zone": "A color on the stock chart that changes what you may hold, buy or sell. `market` "
    "shows the chart.",
    "ledge": "A line on the stock chart that stops a falling price.",
    "named train": "A bonus for a run that joins the two ends of a line.",
    "raise": "A higher bid in an auction: `bid` with the whole sum.",
    "issue": "A company sells its own shares to the open market.",
    "turn": "Your time to act. In a stock round it is one purchase and any sales. In an operating "
    "round it is the whole turn of your company.",
    "move": "A decision of your turn, such as `buy` or `lay`. `help moves` lists them.",
    "command": "A line that Waybill carries out or answers. `help` lists commands by topic.",
    "act": "A move or another change of the game. `history` shows them.",
    "warning": "A note on something that you may overlook, such as a train that will rust.",
    "legal now": "The commands that the rules allow you now. `options` lists all of them.",
    "net worth": "Your money and shares, and in some titles more, at the end of the game. "
    "`worth` shows it.",
    "quiet hours": "Hours that you choose with `quiet`. They cost you no time.",
    "flag": "The mark of a player whose time ran out. `clock` shows who has one.",
    "message": "Text for players: `say: …` to all, `tell Bob: …` to some.",
    "pot": "A group of entrants from which a seating takes one for each table.",
    "bye": "A round in which an entrant does not play.",
    "tie-break": "It ranks entrants with the same score. The tournament's rules list them.",
    "score": "The points of an entrant. `standings` shows them.",
    "table": "A game of a tournament.",
    "entrant": "A person who has entered a tournament.",
    "vote": "`propose` asks all players, and `vote 4 yes` answers.",
    "game end": "The bank breaks, a share price reaches the top, or what else the title says. "
    "`rules` has the sections.",
    "not done": "No move of your email was made. The line marked NO says why and what would work.",
    "waterfall": "A sale of private companies in which an auction follows as soon as the cheapest "
    "has several bids.",
    "shut out": "A company whose home city has no room for its token.",
    "permission": "A player's leave for your company to use their private company.",
    "connection": "Track that joins two places.",
    "coal field": "A place of the map that a private company's power marks.",
}
_ALSO = {
    **dict.fromkeys(("yellow", "green", "brown", "gray", "grey", "colour"), "color"),
    **dict.fromkeys(("swamp", "mountain", "river", "water", "lake", "bridge", "cost"), "terrain"),
    **dict.fromkeys(("yellow zone", "brown zone", "gray zone", "closed zone"), "zone"),
    **dict.fromkeys(("closed", "closing"), "close"),
    **dict.fromkeys(("face value", "nominal value", "par price"), "par"),
    **dict.fromkeys(("floated", "floating"), "float"),
    **dict.fromkeys(("bank pool", "sold", "used train"), "open market"),
    **dict.fromkeys(("special", "power"), "private company"),
    **dict.fromkeys(("pay out", "payout", "pays out", "withhold", "withheld"), "dividend"),
    **dict.fromkeys(("conrail", "formation", "merge"), "merger"),
    **dict.fromkeys(("treasury share", "own share"), "treasury"),
    **dict.fromkeys(("reissue", "issued"), "issue"),
    **dict.fromkeys(("borrow", "borrowed", "debt"), "loan"),
    **dict.fromkeys(("insolvent", "insolvency"), "bankruptcy"),
    **dict.fromkeys(("emergency", "forced", "compulsory"), "forced purchase"),
    **dict.fromkeys(("bidder", "passed", "parallel auction", "initial auction"), "auction"),
    **dict.fromkeys(("high bid", "minimum bid", "bid step"), "bid"),
    **dict.fromkeys(("slot", "circle"), "city"),
    **dict.fromkeys(("rotation", "any way"), "way"),
    **dict.fromkeys(("offboard", "area"), "off-board"),
    **dict.fromkeys(("stock turn", "operating turn", "player turn"), "turn"),
    **dict.fromkeys(("option", "legal"), "legal now"),
    **dict.fromkeys(("waits", "waiting"), "waiting command"),
    **dict.fromkeys(("best run", "best found"), "run"),
    **dict.fromkeys(("earlier act", "event"), "act"),
    **dict.fromkeys(("purchase", "trade"), "offer"),
    **dict.fromkeys(("ballot", "motion", "proposal"), "vote"),
    "bank breaks": "game end",
    "end of the game": "game end",
    "standing offer": "offer",
    "president's share": "president's certificate",
    "unsold": "ipo",
    "income": "pays",
    "rusted": "rust",
    "+ train": "plus train",
    "diesel": "train",
    "permanent train": "permanent",
    "half": "half share",
    "train name": "named train",
    "direction": "exit",
    "share price marker": "share price",
    "station marker": "token",
    "port": "ferry",
    "sealed": "seal",
    "reachable": "route",
    "operating round set": "set",
    "tie": "tie-break",
    "marked": "marker",
    "late mark": "flag",
    "public company": "company",
    "coal": "coal field",
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


def singular(word: str) -> tuple[str, ...]:
    """A word, the forms without the ending of a plural, and the form with a hyphen."""
    company = f"{word[:-3]}y" if word.endswith("ies") else word
    hyphened = word.replace(" ", "-")
    return word, word.removesuffix("s"), word.removesuffix("es"), company, hyphened


def term(word: str, title: Title | None) -> str:
    """The meaning of a word, with the title's figures if it has any; "" for an unknown word."""
    forms = singular(word)
    name = next((_ALSO.get(form, form) for form in forms if _ALSO.get(form, form) in TERMS), "")
    kind = _train(word, title)
    if not name and not kind:
        return ""
    name = "train" if kind else name
    found = [TERMS[name]]
    if title is not None:
        found = [*([reach(title.trains[kind])] if kind else []), *found, *_figures(title, name)]
    return " ".join(filter(None, found))


def _train(word: str, title: Title | None) -> str:
    """The type of train that a word names: "2", "2 trains"; "" for none."""
    if title is None:
        return ""
    wanted = {key(form).removesuffix("train") for form in singular(word)}
    return next((kind for kind in title.trains if key(kind) in wanted), "")


def _figures(title: Title, name: str) -> Iterator[str]:
    """What a title says about a word, in sentences."""
    stock = title.facts.stock
    if name == "float":
        yield MONEY[stock.capital]
        if len({stock.float, *(c.float for c in title.facts.company if c.float)}) == 1:
            yield FLOATS_AT.format(title=title.name, percent=stock.float)
    elif name == "player limit":
        yield LIMITED.format(title=title.name, percent=stock.player_limit)
    elif name in ("train", "stop", "town"):
        yield towns(title)
    elif name == "private company":
        yield from _privates(title)


def _privates(title: Title) -> Iterator[str]:
    """When companies may buy private companies, and when all of these close."""
    for_sale = any(private.for_companies for private in title.facts.private)
    phases = [phase for phase in title.facts.phase if phase.company_privates and for_sale]
    if phases:
        low, high = phases[-1].private_price or title.facts.operating.private_price
        ids = f"phase{'s' * (len(phases) > 1)} {listed([phase.id for phase in phases])}"
        yield COMPANIES_BUY.format(title=title.name, phases=ids, low=low, high=high)
    for phase in title.facts.phase:
        if "close privates" in phase.events:
            yield ALL_CLOSE.format(phase=phase.id)
