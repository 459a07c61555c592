"""Explains words of the rules and of email that are not commands."""

from engine import Title

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
    "dividend": "What a company's trains earn and its president pays out to the shareholders.",
    "revenue": "The dollars that the trains of a company earn in one run.",
    "advance order": "A command for a later turn, such as `next: …` or `standing …`.",
    "alarm": "An event that stops `pass round` and brings you an email. `alarm` lists them.",
    "caretaker": "The program that makes a move for a player whose time is out.",
    "receipt": "The email that answers yours and says what became of each command.",
    "digest": "One email with the news since the last. `help digest` lists when it can come.",
    "standby": "A person who takes the seat of a player who leaves.",
    "deputy": "A person who acts for a player for some time.",
    "director": "The person who settles disputes in a game.",
    "organizer": "The person who created the game and starts it.",
    "seat": "A place in a game. Each seat has its own email address.",
}
_ALSO = {
    "floats": "float",
    "initial offering": "ipo",
    "offering": "ipo",
    "market share": "open market",
    "pool": "open market",
    "certificate": "certificate limit",
    "certificates": "certificate limit",
    "certs": "certificate limit",
    "limit": "player limit",
    "priority": "priority deal",
    "private": "private company",
    "privates": "private company",
    "presidency": "president",
    "rusts": "rust",
    "sr": "stock round",
    "or": "operating round",
    "home": "home token",
    "organiser": "organizer",
    "order": "advance order",
    "standing order": "advance order",
}


def term(word: str, title: Title | None) -> str:
    """The meaning of a word, with the title's figures if it has any; "" for an unknown word."""
    name = _ALSO.get(word, word)
    if name not in TERMS:
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
