"""The words that players may write to the moderator in any game, with what they do; and dates."""

from datetime import UTC, datetime

WORDS = {
    "status": "the whole position; `status NAME` one company or player",
    "map": "the map",
    "market": "the stock chart",
    "options": "everything you may do now",
    "tiles HEX": "tiles that may be laid there, with pictures; `tiles C4 for NAME` for a company",
    "routes NAME": "a company's best run as sums and on the map; `routes NAME with 4+3, lay 57 C4` "
    "what it would earn with other trains, tiles or stations",
    "trains": "trains for sale, and who has which",
    "page": "where the game's page for everybody is; the page itself where it is on no web",
    "history": "what happened so far; `history orders` the seals of orders, `history diary` yours",
    "orders": "your orders given ahead",
    "explain": "what each of your orders would do if your turn came now",
    "resume 3": "let a suspended order stand again; `clear 3` drops one",
    "try: …": "a dry run of commands: you see what they would do, nothing is done",
    "say: …": "a message to all players",
    "tell Bob, Cat: …": "a message to these players alone",
    "note: …": "words to yourself; they come back in your next turn mail",
    "diary: …": "a page of your diary, which all may read when the game is over",
    "undo": "take your last mail back while nobody has acted since",
    "propose undo to 212": "a vote of the players; also `propose end`, `propose extend 48h`, "
    "`propose replace Bob`, `propose runs free`",
    "vote 4 yes": "your vote; `vote 4 no`, and `vote yes` if there is only one",
    "clear": "drop what waits for another player's answer; `clear 3`, `clear all`: orders",
    "more": "keep your turn open after this mail",
    "go 3": "do the first three commands of your mail that was not done, and stop there",
    "hold": "do nothing of this mail yet; `go` does it, your next mail takes its place",
    "images off": "no pictures in your mails; `images on`, `images changed` those that changed",
    "digest daily 07:00": "news of others' moves once a day; `digest each`, `digest round`, "
    "`digest off`",
    "news all": "older words for `digest each`; `news rounds`, `news off`",
    "zone Europe/Berlin": "the clock by which your digest comes",
    "alarm": "what wakes you while you pass by order; `alarm sales off`, `alarm all on`",
    "resend": "your latest turn mail again",
    "new token": "a new address for your seat; the old one is void at once",
    "games": "the games that are played here",
    "help": "this list; `help lay` one command",
    "end": "nothing after this line is read",
}
"""How a word is written → what it does."""


def moment(seconds: int) -> str:
    """A time in UTC seconds as it is told: "5 March 2027, 14:05 UTC"."""
    at = datetime.fromtimestamp(seconds, UTC)
    return f"{at.day} {at:%B %Y, %H:%M} UTC"
