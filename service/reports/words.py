"""The words that players may write to the moderator in any game, with what they do; and dates."""

from datetime import UTC, datetime

WORDS = {
    "status": "the whole position; `status NAME` one company or player",
    "map": "the map; `map text` without the picture, `map OR 2.1` as it was when that round ended",
    "market": "the stock chart",
    "options": "everything you may do now",
    "tiles HEX": "tiles that may be laid there, with pictures; `tiles C4 for NAME` for a company, "
    "`tiles left` how many there still are",
    "routes NAME": "a company's best run as sums and on the map; `routes NAME with 4+3, lay 57 C4` "
    "what it would earn with other trains, tiles or stations",
    "trains": "trains for sale, and who has which",
    "page": "where the game's page for everybody is; the page itself where it is on no web",
    "forum bbcode": "the latest round as a report to paste into a forum; `forum markdown`, `forum "
    "text`",
    "log": "the commands that led here, as they are written; `log from 120`",
    "history": "what happened so far; `history OR 2`, `history since me`; `history orders` the "
    "seals of orders, `history diary` yours",
    "clock": "all banks, whose clock runs until when, who is away, and what does not count",
    "upgrades 57": "what a tile may become, and how many are left",
    "reach L&N": "where a company may put a station, and what that costs",
    "worth": "what everybody would be worth if the game ended now; `worth Ann` what of",
    "rules 4.2.1": "what a section of the rules is about, and how it is played here",
    "orders": "your orders given ahead",
    "explain": "what each of your orders would do if your turn came now",
    "resume 3": "let a suspended order stand again, or any act after a turn was taken back; "
    "`clear 3` drops one",
    "try: …": "a dry run of commands: you see what they would do, nothing is done",
    "say: …": "a message to all players",
    "tell Bob, Cat: …": "a message to these players alone",
    "note: …": "words to yourself; they come back in your next turn mail",
    "diary: …": "a page of your diary, which all may read when the game is over",
    "undo": "take your last mail back while nobody has acted since",
    "propose undo to 212": "a vote of the players; also `propose end`, `propose extend 48h`, "
    "`propose replace Bob`, `propose runs free`, `propose batch 06:00 18:00`, "
    "`propose clock each 48h`",
    "batch": "whether the game's mails are handled at fixed times, and at which",
    "ask undo to 212 because …": "asks the director's leave to take back what others have acted on",
    "dispute 212: …": "marks an act as disputed; the director and all players are told",
    "vote 4 yes": "your vote; `vote 4 no`, and `vote yes` if there is only one",
    "clear": "drop what waits for another player's answer; `clear 3`, `clear all`: orders",
    "more": "keep your turn open after this mail",
    "go 3": "do the first three commands of your mail that was not done, and stop there",
    "hold": "do nothing of this mail yet; `go` does it, your next mail takes its place",
    "images off": "no pictures in your mails; `images on`, `images changed` those that changed",
    "digest daily 07:00": "news of others' moves once a day; `digest each`, `digest round`, "
    "`digest off`",
    "news all": "older words for `digest each`; `news rounds`, `news off`",
    "zone Europe/Berlin": "the clock by which your digest comes and your deadlines are told",
    "away 3 Aug to 17 Aug": "your clock stands still then; all are told. `… deputy NAME` behind it",
    "auto-leave on": "when your time is over, leave is taken instead, until you answer",
    "quiet 23:00 07:00": "hours that do not count and bring no reminders; `quiet off`",
    "remind on": "reminders after 50 % and 90 % of your time, and at its end; `remind 90`, `off`",
    "alarm": "what wakes you while you pass by order; `alarm sales off`, `alarm all on`",
    "deputy eve@example.org": "ask somebody to act for you; `… until 2027-03-14`, `deputy off`",
    "back": "you play again: your leave is over, nobody acts for you or is to take your seat",
    "resign": "leave the game for good, once you have said that you are sure",
    "release notes on": "who takes your seat over gets your notes; `release notes off`",
    "resend": "your latest turn mail again",
    "new token": "a new address for your seat; the old one is void at once",
    "pass-phrase set …": "words of your own that prove you from any address, by a line "
    "`pass-phrase: …` in a mail; `pass-phrase off`",
    "address NEW": "another address of yours, confirmed from there; `address add NEW` a second "
    "one, `address drop` only the first",
    "grade tournament": "the organiser's: how well mails must prove who wrote; `grade standard`, "
    "`grade friendly`",
    "list dixie@…": "the organiser's: the mailing list that the game is played on; `list off`, "
    "`list pictures small`",
    "games": "the public games, and those that wait for players",
    "tournament NAME": "a tournament here, alone in a mail; `tournaments` lists them, `help "
    "tournament` says what may be written about one",
    "help": "this list; `help lay` one command",
    "end": "nothing after this line is read",
}
"""How a word is written → what it does."""

OPENLY = {**WORDS, "history": "what happened so far; `history OR 2`, `history from 120`"}
"""The same where all read along: what is one player's alone is not asked for there."""


def moment(seconds: int) -> str:
    """A time in UTC seconds as it is told: "5 March 2027, 14:05 UTC"."""
    at = datetime.fromtimestamp(seconds, UTC)
    return f"{at.day} {at:%B %Y, %H:%M} UTC"
