"""Commands of players in a game: moves, orders, votes, questions, talk, and their settings."""

import re
from functools import partial

from service.clocks import digests
from service.commands.entry import (
    ALWAYS,
    AT_THE_TABLE,
    BEGUN,
    OFFICES,
    OPENLY,
    Entry,
    When,
    Where,
    Who,
)
from service.commands.reading import MORE, ORDER, PLAY, QUESTION, TRY
from service.desk.answering.effects import singly
from service.desk.options import seat_options
from service.desk.talk import applauding
from service.desk.turns.turn import at_the_table

_HERE = Where.PRIVATE | Where.TERMINAL
_EVERYWHERE = _HERE | OPENLY
_ASKS = AT_THE_TABLE | OFFICES


def _form(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.DOTALL)


#: a player's advance orders, after a word
_MY_ORDERS = r"(?:\s+(?:all\s+|each\s+)?(?:of\s+)?(?:my\s+|the\s+)?(?:advance\s+)?orders?)"
#: the place after a tile, or the word before it: "tile 57 C4" is a move, "tiles C4" a question
_PLACE = r"(?:to|on|at|in|with|[a-z]{1,2}\d{1,2})\b"
_move = partial(Entry, do=at_the_table, who=AT_THE_TABLE, where=_HERE, when=BEGUN)
_question = partial(Entry, do=at_the_table, who=_ASKS, where=_HERE, when=BEGUN, asks=True)
_choice = partial(Entry, do=seat_options.choose, who=Who.PLAYER, when=ALWAYS, first=True)


MOVES = (
    _move(PLAY, "a move", "a move of your turn; `help` in a game lists those of its title", "pass",
          where=_EVERYWHERE, moves=True, read=True),
    _move(ORDER, "an order", "moves for when your turn comes: `next: …`, `pass round`, "
          "`standing …`, `operate L&N: …`, `always …`", "pass round", secret=True,
          moves=True, read=True),
    _move(TRY, "try: …", "a dry run of moves: you see what they would do, nothing is done",
          "try: pass"),
    _move(MORE, "more", "keep your turn open after this email", "more",
          where=Where.PRIVATE | OPENLY),
    _move("go", "go 3", "carry out the first three moves of your refused email, and stop there",
          "go 3", where=Where.PRIVATE, moves=True),
    _move("hold", "hold", "check this email but do not carry it out; `go` carries it out, "
          "your next email replaces it", "hold", where=Where.PRIVATE,
          form=_form(r"hold(?:\s+turn)?[.!]?")),
    _move("undo", "undo", "take back your last email, while nobody has moved since", "undo",
          where=Where.PRIVATE | OPENLY, moves=True),
    _move("resume", "resume 3", "reactivate a suspended order", "resume 3", moves=True,
          form=_form(r"resume(?!.*\bbecause\b).*")),
    _move("clear", "clear", "cancel the commands that wait for another player's answer; "
          "`clear 3`, `clear all`: delete orders", "clear 3"),
    _move("propose", "propose undo to 212", "a vote of the players; also `propose end`, `propose "
          "extend 48h`, `propose replace Bob`, `propose runs free`, `propose batch 06:00 18:00`, "
          "`propose clock each 48h`", "propose end", where=Where.PRIVATE,
          moves=True),
    _move("vote", "vote 4 yes", "your vote; `vote 4 no`, and `vote yes` if there is only one",
          "vote 4 yes", where=Where.PRIVATE, moves=True),
    _move("resend", "resend", "your latest turn email again", "resend", where=Where.PRIVATE),
    Entry("batch", "batch", "whether the game's emails are handled at fixed times, and at which",
          "batch", at_the_table, Who.PLAYER, when=BEGUN),
)  # fmt: skip

QUESTIONS = (
    _question("status", "status [NAME]", "the whole position; `status NAME` one company or player",
              "status", where=_EVERYWHERE, when=ALWAYS),
    _question("map", "map", "the map; `map text` without the picture, `map OR 2.1` as it was when "
              "that round ended", "map text", where=_EVERYWHERE, when=ALWAYS),
    _question("market", "market", "the stock chart", "market", where=_EVERYWHERE, when=ALWAYS,
              also=("chart",)),
    _question("options", "options", "everything you may do now", "options", who=AT_THE_TABLE,
              also=("what", "moves"), form=_form(r"(?:options|what|moves)(?:\s+now)?[.?!]*")),
    _question("tiles", "tiles HEX", "tiles that may be laid there, with pictures; `tiles C4 for "
              "NAME` for a company, `tiles left` how many there still are", "tiles left",
              where=_EVERYWHERE, also=("tile",),
              form=_form(rf"tiles?\b(?!\s+#?\d+\w*\s+{_PLACE}).*")),
    _question("routes", "routes NAME", "a company's best run, with sums and map; `routes NAME "
              "with 4+3, lay 57 C4`: with other trains, tiles or tokens",
              "routes L&N", where=_EVERYWHERE, also=("route",)),
    _question("trains", "trains", "trains for sale, and who has which", "trains",
              where=_EVERYWHERE, when=ALWAYS),
    _question("history", "history since me", "what happened since your last email",
              "history since me", where=Where.PRIVATE, form=_form(r"history\s+since\b.*")),
    _question("history", "history orders", "the seals of orders; `history diary`: your diary",
              "history diary", where=Where.PRIVATE, secret=True,
              form=_form(r"history\s+(?:orders|diary)\b.*")),
    _question("history", "history", "what happened so far; `history OR 2`, `history from 120`",
              "history", where=_EVERYWHERE, form=_form(r"history(?!\s+(?:orders|diary)\b).*")),
    _question("log", "log", "the commands that led here, as they are written; `log from 120`",
              "log"),
    _question("clock", "clock", "all time banks, deadlines, leaves, and what does not count",
              "clock",
              where=Where.PRIVATE, when=ALWAYS, also=("clocks",),
              form=_form(r"clocks?(?:\s+now)?[.?!]*")),
    _question("upgrades", "upgrades TILE", "what a tile may become, and how many are left",
              "upgrades 57", also=("upgrade",),
              form=_form(rf"upgrades?\b(?!\s+#?\w+\s+{_PLACE}).*")),
    _question("reach", "reach NAME", "where a company may place a token, and the price",
              "reach L&N"),
    _question("worth", "worth [NAME]", "what everybody would be worth if the game ended now; "
              "`worth Ann` what of", "worth"),
    _question("rules", "rules 4.2.1", "what a section of the rules is about, and how it is "
              "played here", "rules 4.2.1"),
    _question("orders", "orders", "your advance orders", "orders", who=AT_THE_TABLE,
              secret=True),
    _question("explain", "explain", "what each of your orders would do if your turn came now",
              "explain", who=AT_THE_TABLE, secret=True, form=_form(rf"explain{_MY_ORDERS}?[.?!]*")),
    _question("page", "page", "where the game's page for everybody is; the page itself where it "
              "is on no web", "page", where=Where.PRIVATE, also=("pages",)),
    _question("forum", "forum bbcode", "the latest round as a report to paste into a forum; `forum "
              "markdown`, `forum text`", "forum bbcode", where=Where.PRIVATE, who=AT_THE_TABLE,
              form=_form(r"forum(?!\s+(?:thread|name|off)\b).*")),
    _question("games", "games", "the public games, and those that wait for players", "games",
              where=Where.PRIVATE, when=ALWAYS),
    _question("help", "help [WORD]", "this list; `help lay` one command, `help quickstart` "
              "a page for new players", "help lay", who=_ASKS | Who.INVITED,
              where=_EVERYWHERE, when=ALWAYS, also=("?", "commands")),
    _question("help", "explain WORD", "the same: `explain rust`, `explain L&N`", "explain rust",
              who=_ASKS | Who.INVITED, where=_EVERYWHERE, when=ALWAYS, also=("explain",),
              form=_form(rf"explain(?!{_MY_ORDERS}?[.?!]*$)\b[\s:]*(?:(?:what|how)\s+)?"
                         r"(?:(?:an?|the|my)\s+)?(?P<rest>.+?)(?:\s+(?:is|are|does|means?|works?))?"
                         r"(?:,? (?:to|for) (?:me|us))?[.?!]*")),
    _question(QUESTION, "a question in your own words", "is answered with what you may do now",
              "What may I do now?", where=Where.PRIVATE, who=AT_THE_TABLE, when=When.RUNNING,
              read=True),
)  # fmt: skip

TALK = (
    Entry("say", "say: …", "a message to all players", "say: good luck!", at_the_table,
          AT_THE_TABLE | OFFICES, Where.PRIVATE | OPENLY, ALWAYS, line=True),
    Entry("tell", "tell Bob, Cat: …", "a message to these players alone", "tell Bob: well played",
          at_the_table, AT_THE_TABLE, when=BEGUN, line=True, secret=True),
    Entry("applaud", "applaud Bob", "applause for another player, who reads it in the next turn "
          "email, news or digest", "applaud Bob", singly(applauding.applaud), Who.PLAYER,
          Where.PRIVATE | OPENLY, BEGUN, first=True),
    Entry("note", "note: …", "a note to yourself; it comes back in your next turn email",
          "note: token first", at_the_table, AT_THE_TABLE, when=BEGUN, line=True, secret=True),
    Entry("diary", "diary: …", "a page of your diary, which all may read when the game is over",
          "diary: I will merge", at_the_table, AT_THE_TABLE, when=BEGUN, line=True, secret=True),
)  # fmt: skip

CHOICES = (
    _choice("images", "images off", "no pictures in your emails; `images on`; `images "
            "changed`: only those that changed", "images off", also=("pictures",)),
    _choice("digest", "digest daily 07:00", "when news of others' moves come: "
            f"{digests.explained()}", "digest round"),
    _choice("news", "news all", "older words for `digest each`; `news rounds`, `news off`",
            "news rounds"),
    _choice("zone", "zone Europe/Berlin", "your time zone, for digests and deadlines",
            "zone Europe/Berlin"),
    _choice("auto-leave", "auto-leave on", "when your time is over, leave is taken instead, until "
            "you answer", "auto-leave on", also=("autoleave",)),
    _choice("quiet", "quiet 23:00 07:00", "hours that do not count and bring no reminders; `quiet "
            "off`", "quiet 23:00 07:00"),
    _choice("remind", "remind on", "reminders after 50 % and 90 % of your time, and at its end; "
            "`remind 90`, `off`", "remind 90"),
    _choice("alarm", "alarm", "events that interrupt `pass round` and bring you an email; "
            "`alarm sales off`, `alarm "
            "all on`", "alarm sales off"),
    _choice("release", "release notes on", "who takes your seat over gets your notes; `release "
            "notes off`", "release notes on"),
)  # fmt: skip
