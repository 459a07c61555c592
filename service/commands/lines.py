"""Sorts the lines of an email: a command, close to a command, a question, or plain words.

The module ignores no line and guesses no command. It applies these rules in order:

1. Courtesy is taken off: a greeting, "please", "thanks", "sorry" beside an `undo`, and "I would
   like to" before a verb of the game. A line of courtesy alone is words.
2. A line that is a **command** with or without its courtesy is one.
3. A closing ("Best, Ann", "Viele Grüße") and a program's line ("Sent from my iPhone") are words.
4. A line is **close** to a command if its first word is a command or a verb of the game, or one
   edit away from one. An edit adds, drops or changes a letter, or exchanges two neighbors. One
   edit counts if the command has four letters or more and the written word three or more. A
   shorter verb counts in two cases: right before the name of a company, hex or train ("by TR"),
   or alone in the line with two letters exchanged ("rnu"). Frequent words ("not", "best") are
   never one edit away from anything.
5. A line that ends like a question is a **question**.
6. A line is close to a command if it orders something. Then it has at most `MOST_WORDS` words.
   Among them are a verb of the game (also one of another language) and the name of a company,
   hex or train. Before the verb there is only such a name, or words like "I", "now", "let's".
   So "let's all buy L&N" and "L&N run" are close; "I think L&N will run well" is not. The line
   needs no name if it ends with the verb, or one word after it: "ich passe", "I pass now". The
   same is true for a part between commas: "Thanks Bob, buy TR", "I pass, good luck".
7. A line that begins like a question is a question.
8. A line of nothing but names, numbers and little words is close: "L&N 75", "5 on C4".
9. Anything else is **words**.

Advance orders have a reader of their own. A line with "if", "until" or another of their words is an
order if a verb of the game is among its first `MOST_BEFORE` words: "let me know if that's ok" is
none. Behind "if" itself the verb may be anywhere.

Waybill refuses a close line with a question ("Did you mean …?"), and answers a question. Words
cause no refusal. Other modules decide whether the writer may give the command, and whether the game
allows it. Quotations and signatures are already removed. The module knows no position, no database
and no email. Texts are in NFKC already.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from itertools import takewhile

from engine import Seat, State, Title, question
from engine.actions import Accept
from engine.notation import Ambiguous, NotationError, names, parse
from engine.notation.stock import PASS
from engine.notation.verbs import VERBS, VERBS_BY_NAME
from engine.notation.words import dollars, key
from service.commands.courtesy import (
    ADDRESSED,
    APOLOGIES,
    ASKING,
    CLOSINGS,
    COMMON,
    FILLERS,
    FOOTERS,
    FOR_THE_WRITER,
    GOING_ON,
    GREETINGS,
    INTENT,
    INTRODUCTIONS,
    LEADS,
    LIKE,
    LITTLE,
    PAST,
    PLEASE,
    REQUESTS,
    TALK,
    THANKS,
    THINGS,
    THOUGHTS,
    begins,
    ends,
    words,
)
from service.commands.entry import first_word

#: the most words of a line that orders something by name
MOST_WORDS = 12
#: the most words up to the verb of an advance order
MOST_BEFORE = 3
#: the words with which an order may begin, and its verbs beside those of the game
_GUARDS, _OF_ORDERS = ("if", "unless"), ("skip", "ask")
#: the most words of the names in a greeting or a closing
_MOST_NAMES = 3
#: the fewest letters of a command that may be mistyped, and of the written word
_LEAST, _LEAST_WRITTEN = 4, 3
#: the most words of a name or command, and the most commands that a line may mean
_LONGEST, _MOST_MEANT = 4, 3
_WORD = re.compile(r"\S+")
#: quotation marks around words: no command has them
_MARKS = re.compile(r"(?<!\w)['\"]|['\"](?!\w)")
_EDGES = ".,;:!?…\"'()[]*_-–—~。、！？"
_STOPS = (",", "!", ".", ":", ";", "。", "、", "-")
#: what people tell of a company, each with the verb that they mean
_TOLD = {
    "lays": "lay", "builds": "build", "puts": "put", "places": "place", "upgrades": "upgrade",
    "runs": "run", "pays": "pay", "withholds": "withhold", "buys": "buy", "takes": "take",
    "redeems": "redeem", "repays": "repay", "issues": "issue", "discards": "discard",
}  # fmt: skip
#: the last words of phrases after which a command follows without a mark
_THEN = ("then", "that", "this", "afterwards")
#: words after which a verb of the game needs no mark: "ok buy TR"
_AGREED = ("ok", "okay", "alright")
#: words for those who write
_WRITERS = ("i", "we")
#: words before the verb of a move of one's own, and the most words from "I" to the verb
_OWN_LEADS = words("i i'll i'd we we'll let's let and then now also just first so here")
_MOST_TO_VERB = 3
_ASKS = ("?", "か", "か。", "かな", "かな。")
_AFTER = frozenset(
    p for some in (PLEASE, THANKS, APOLOGIES) for each in some.values() for p in each
)


#: words that a full stop shortens
_SHORTENED = words("st co no nr mt ft ry rr mr mrs dr vs e.g i.e etc inc ltd")
#: a side of a hex at the end of a sentence: "lay 8 G17, NW and E."
_ENDS_AT_A_SIDE = re.compile(r"\b(?:[ns]?[ew]|[ns])(?: and | to |-)[nsew]\.$", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!?…])\s+(?!(?:until|till?|else|otherwise|or|and)\b)", re.IGNORECASE)
#: words after a pass that have no meaning
AFTER_A_PASS = "(?: again| this time| this turn| this round| for now| from me| for me){0,2}"
#: why somebody makes a move
_WHY = re.compile(r",? (?:because|so that|in order to|to help)\b.*", re.IGNORECASE)
#: what track is for
_PURPOSE = re.compile(
    r",? (?:in order )?to (?:connect|link|join|reach) (?P<places>.+)", re.IGNORECASE
)
#: words between the names of places
_BETWEEN_PLACES = words("and & with to the my our its both")
#: the end of a turn, and why
_REASON = re.compile(
    rf"((?:i )?(?:{'|'.join((PASS.name, *PASS.also))})"
    rf"{AFTER_A_PASS})"
    r"\s*(?:, ?| - |\(| because )\s*(.+)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"[$#]?\d{1,4}[%$]?")
#: the exits of a tile
_EXITS = re.compile(r"[ns]?[ew]?(?:[-/][ns]?[ew]?){1,5}")
#: words of a move that are neither its verb nor its names
_BESIDE_NAMES = LITTLE | LEADS

_KNOWN = 64
"""Titles kept with the words known in them, 1 MB: each email asks for them several times."""


class Sort(Enum):
    """The kinds of lines."""

    COMMAND = "command"
    CLOSE = "close"
    QUESTION = "question"
    WORDS = "words"


@dataclass(frozen=True)
class KnownWords:
    """The words that a line is compared with: commands, and those of a game's notation."""

    #: first words of commands (status, say, away …), casefolded
    words: frozenset[str] = frozenset()
    #: the verbs of the game's notation in all their spellings (buy, end turn …), casefolded
    verbs: frozenset[str] = frozenset()
    #: keys of companies, private companies, hexes, cities and trains (`engine.notation.words.key`)
    names: frozenset[str] = frozenset()
    #: keys of companies, each with the company's id
    companies: Mapping[str, str] = field(default_factory=dict)


@lru_cache(maxsize=_KNOWN)
def known_of(title: Title, words: frozenset[str] = frozenset()) -> KnownWords:
    """The words known in a game of ``title``; ``words`` are the commands besides its moves."""
    verbs = {v.casefold() for verb in VERBS if verb.known(title) for v in (verb.name, *verb.also)}
    every = (*names.companies(title), *names.privates(title), *names.places(title))
    keys = {k for name in every for k in (*name.exact, *name.open, *_beginnings(name.full))}
    trains = {k for kind in title.trains for k in (key(kind), f"{key(kind)}train")}
    # a letter alone, such as that of a D train, is a word of many languages
    return KnownWords(
        words,
        frozenset(verbs),
        frozenset(k for k in keys | trains if not _is_letter(k)),
        {
            k: name.id
            for name in names.companies(title)
            for k in (*name.exact, *name.open, *_beginnings(name.full))
        },
    )


def _beginnings(name: str) -> Iterator[str]:
    """The keys of the first words of a name, from two words on: "Lexington Terminal"."""
    parts = name.split()
    for size in range(2, len(parts)):
        yield key(" ".join(parts[:size]))


def _is_letter(name: str) -> bool:
    return len(name) == 1 and not name.isdecimal()


@dataclass(frozen=True)
class _CourteousLine:
    """A line in three parts: courtesy, the rest, courtesy. Each part is a range of ``words``."""

    words: tuple[re.Match[str], ...]
    begin: int
    end: int
    #: the places of the words that a greeting addresses, judged by its form alone
    addressed: range
    #: whether the writer says what they want: "I will …"
    intent: bool
    #: whether the courtesy is a request: "please"
    request: bool

    @property
    def plain(self) -> tuple[str, ...]:
        """The rest in lower case, without punctuation."""
        return _plain(self.words[self.begin : self.end])

    @property
    def rest(self) -> str:
        """The rest as written, without quotation marks."""
        if self.begin == self.end:
            return ""
        text = self.words[0].string[self.words[self.begin].start() : self.words[self.end - 1].end()]
        return _MARKS.sub("", text).strip(" ,")


def bare(text: str) -> tuple[str, str]:
    """Split a line into its courtesy before and after, and the rest; "" if there is none.

    The rest has no quotation marks around words.
    """
    line = _split(text)
    found = [word[0] for word in (*line.words[: line.begin], *line.words[line.end :])]
    return " ".join(found), line.rest


def sentences(text: str) -> Iterator[str]:
    """The sentences of a line; "Lumber Co. 75" and "1. buy TR" are one each."""
    begin = 0
    for gap in _SENTENCE.finditer(text):
        said = text[begin : gap.start()]
        last = said.split()[-1].strip(_EDGES).casefold() if said.split() else ""
        number = last.isdecimal() and len(said.split()) == 1
        whole = len(last) > 1 or last.isdecimal() or _ENDS_AT_A_SIDE.search(said) is not None
        if last and not number and whole and last not in _SHORTENED:
            yield said
            begin = gap.end()
    yield text[begin:]


def addressed(text: str, known: KnownWords) -> str:
    """A text that tells what a company does, as a command to it; any other text as it is.

    "M&O lays 9 O2 S-N and buys a 2" is "M&O: lay 9 O2 S-N and buy a 2".
    """
    found = () if talks(text, known) else tuple(_WORD.finditer(text))
    plain = _plain(found)
    if plain[:1] == ("the",):
        found, plain = found[1:], plain[1:]
    for size in range(min(_LONGEST, len(plain) - 1), 0, -1):
        company = known.companies.get(key(" ".join(plain[:size])))
        if company and plain[size] in _TOLD:
            does = (_TOLD.get(word[0], word[0]) for word in found[size:])
            return f"{company}: {' '.join(does)}"
    return text


def reasoned(text: str, known: KnownWords) -> tuple[str, str]:
    """The end of a turn and the reason for it: "pass, I have no money"; "" twice for no such text.

    The reason has no name of the game and no verb at its beginning.
    """
    found = _REASON.fullmatch(text)
    if found is None or names_something(found[2], known) or _first(_split(found[2]).plain, known):
        return "", ""
    return found[1], found[2]


def without_reason(text: str, known: KnownWords) -> str:
    """A move without the reason for it: "buy CNW, to help Bob"; a text without one as it is.

    The reason has no name of the game, or it says which places track shall connect.
    """
    why = _WHY.search(text)
    if why is not None and not names_something(why[0], known):
        return text[: why.start()]
    purpose = _PURPOSE.search(text)
    names_all = purpose is not None and _names_only(purpose["places"], known)
    return text[: purpose.start()] if purpose is not None and names_all else text


def _names_only(text: str, known: KnownWords) -> bool:
    """Whether a text has nothing but names of the game: "Decatur and Birmingham"."""
    plain, at = _plain(tuple(_WORD.finditer(text))), 0
    while at < len(plain):
        named = 0 if plain[at].isdecimal() else max(_named(plain, at, known), default=0)
        if not named and plain[at] not in _BETWEEN_PLACES:
            return False
        at += named or 1
    return names_something(text, known)


def requested(text: str) -> str:
    """What a polite request asks for: "Could you please buy TR?"; "" for any other text."""
    words = tuple(_WORD.finditer(text))
    plain = _plain(words)
    at = 0
    while size := max(begins(plain, some, at) for some in (GREETINGS, FILLERS, PLEASE)):
        at += size
    at += (asks := begins(plain, REQUESTS, at))
    polite = any(
        begins(plain, some, one) for some in (PLEASE, FOR_THE_WRITER) for one in range(len(plain))
    )
    if not asks or not polite or at == len(words):
        return ""
    return bare(text[words[at].start() :].rstrip("? "))[1]


def names_something(text: str, known: KnownWords) -> bool:
    """Whether a text has the name of a company, hex or train; a number alone is none."""
    plain = _plain(tuple(_WORD.finditer(text)))
    return any(
        size > 1 or not plain[at].isdecimal()
        for at in range(len(plain))
        for size in _named(plain, at, known)
    )


def speaks_of_things(plain: Sequence[str]) -> bool:
    """Whether words without case and punctuation name things of a game: a share, a tile, a loan."""
    return any(word in THINGS for word in plain)


def wishes_for(text: str, known: KnownWords) -> bool:
    """Whether a text may be half of a wish: it names something of the game."""
    if names_something(text, known):
        return True
    plain = _plain(tuple(_WORD.finditer(text.removeprefix("and "))))
    kind = any(begins(plain, some) for some in (CLOSINGS, THANKS, APOLOGIES))
    return not kind and speaks_of_things(plain)


def may_be_wished(text: str, known: KnownWords) -> bool:
    """Whether words may tell of a wish of their own: they have a name, a thing or a verb."""
    plain = _plain(tuple(_WORD.finditer(text)))
    # "no" declines an offer, or it begins "no money"
    verbs = any(_verb(plain, at, known) not in ("", "no") for at in range(len(plain)))
    return verbs or speaks_of_things(plain) or names_something(text, known)


def may_move(text: str, known: KnownWords) -> bool:
    """Whether words may tell of a move: they name something of the game, and a verb or a thing."""
    if not names_something(text, known):
        return False
    found = tuple(_WORD.finditer(text))
    plain = _plain(found)
    # "Bob, …" is for Bob
    named = found[0][0].endswith(",") and not any(_named(plain, 0, known))
    if named or talks(text, known):
        return False
    return speaks_of_things(plain) or any(
        word in _TOLD or _verb(plain, at, known) for at, word in enumerate(plain)
    )


def talks(text: str, known: KnownWords) -> bool:
    """Whether a sentence is small talk: "M&O runs well, Bob!" A move of its writer is none."""
    line = _split(text)
    plain = line.plain
    if line.intent or starts(text, known) or begins(plain, REQUESTS):
        return False
    if any(_own_move(part, known) for part in _clauses(line)):
        return False
    whole = _plain(line.words)
    if begins(plain, THOUGHTS) or begins(whole, THOUGHTS) or text.startswith("@"):
        return True
    return not GOING_ON & {*plain[:1]} and any(word in TALK | PAST for word in plain)


def _own_move(part: Sequence[str], known: KnownWords) -> bool:
    """Whether a part of a sentence has a verb of the game where its writer's moves have it."""
    at = next((at for at, word in enumerate(part) if word not in _OWN_LEADS), len(part))
    last = at + (_MOST_TO_VERB if part[:1] and part[0] in _WRITERS else 1)
    told = (place for place in range(at, last) if place < len(part) and part[place] in PAST)
    return any(_verb(part, place, known) for place in range(at, next(told, last)))


def requests_name(text: str, known: KnownWords) -> bool:
    """Whether a text asks for something by its name alone: "the RailWorks, please"."""
    line = _split(text)
    return line.request and _lacks_verb(line, known)


def sort_of(text: str, known: KnownWords, fits: Callable[[str], bool]) -> Sort:
    """Sort a line. ``fits`` says whether a text as it is has the form of a command."""
    line = _split(text)
    if fits(text):
        return Sort.COMMAND
    if any(_hides(line.words[at], known) for at in line.addressed):
        return Sort.CLOSE
    if not line.rest:
        return Sort.WORDS
    plain = line.plain
    # "I will note that" is not meant for Waybill: nobody writes commands to it in this way
    wanted = not line.intent or _begins_with_verb(plain, known) or bool(_verb(plain, 0, known))
    if wanted and fits(line.rest):
        return Sort.COMMAND
    if begins(plain, FOOTERS) or begins(plain, INTRODUCTIONS) or _closes(plain, known):
        return Sort.WORDS
    if _first(plain, known):
        return Sort.CLOSE
    if text.rstrip(" \"')").endswith(_ASKS):
        return Sort.QUESTION
    if not talks(text, known) and (_ordered(line, known) or _lacks_verb(line, known)):
        return Sort.CLOSE
    asks = begins(_plain(line.words), ASKING) or begins(plain, ASKING)
    return Sort.QUESTION if asks or text.startswith("¿") else Sort.WORDS


def meant(text: str, known: KnownWords) -> tuple[str, ...]:
    """The commands or verbs that a line may mean, the nearest first; () for none."""
    line = _split(text)
    verb = _ordered(line, known)
    return (_first(line.plain, known) or ((verb,) if verb else ()))[:_MOST_MEANT]


def starts(text: str, known: KnownWords) -> bool:
    """Whether the first word of a line, after its courtesy, is a command or close to one."""
    return bool(_first(_split(text).plain, known))


def verb_of(text: str, known: KnownWords) -> str:
    """The verb of the game at the beginning of a line as it is; "" for none."""
    plain = _plain(tuple(_WORD.finditer(text)))
    return _spelled(plain, known.verbs)


def moves(text: str, known: KnownWords) -> bool:
    """Whether a line with a word of orders moves something: its verb is near the beginning."""
    plain = _split(text).plain
    if not plain or plain[0] in _OF_ORDERS or _first(plain, known):
        return bool(plain)
    near = range(len(plain) if plain[0] in _GUARDS else min(len(plain), MOST_BEFORE))
    return any(_verb(plain, at, known) or plain[at] in _OF_ORDERS for at in near)


# the parts of a line


def _split(text: str) -> _CourteousLine:
    words = tuple(_WORD.finditer(text))
    plain = _plain(words)
    at = begins(plain, GREETINGS)
    # "Greetings from Atlanta" names where its writer is
    at = 0 if plain[at : at + 1] == ("from",) else at
    addressed = range(0)
    if at and not words[at - 1][0].endswith(_STOPS):
        while at < len(words) and plain[at] in ADDRESSED:
            at += 1
            if words[at - 1][0].endswith(_STOPS):
                break
        if not words[at - 1][0].endswith(_STOPS):
            addressed = _addressed(words, at)
            at = addressed.stop or at
    at, intent = _courtesy(words, plain, at)
    end = len(words)
    while end > at:
        size = 1 if _is_sign(plain[end - 1]) else ends(plain, _AFTER, end)
        if not size or end - size < at:
            break
        end -= size
    beside = (*plain[:at], *plain[end:])
    request = any(begins(beside, PLEASE, one) for one in range(len(beside)))
    return _CourteousLine(words, at, end, addressed, intent, request)


def _is_sign(word: str) -> bool:
    """Whether a word is a face, a heart or the like; a question mark is a command."""
    return "?" not in word and not any(map(str.isalnum, word))


def _courtesy(words: Sequence[re.Match[str]], plain: Sequence[str], at: int) -> tuple[int, bool]:
    """The place after the courtesy at a line's beginning, and whether a wish is part of it."""
    intent = False
    while at < len(words):
        size = begins(plain, PLEASE, at) or _filler(words, plain, at)
        if wish := begins(plain, INTENT, at):
            size, intent = max(size, wish), True
        if not size:
            closed = max(begins(plain, some, at) for some in (THANKS, CLOSINGS)) or _sorry(
                plain, at
            )
            while closed and at + closed < len(words) and plain[at + closed] in ADDRESSED:
                closed += 1
            done = at + closed == len(words) or words[at + closed - 1][0].endswith(_STOPS)
            size = closed if closed and done else 0
        if not size:
            break
        at += size
    return at, intent


def _filler(words: Sequence[re.Match[str]], plain: Sequence[str], at: int) -> int:
    """Count the words like "OK," before a wish or a command; "OK, thanks" is an answer."""
    size = begins(plain, FILLERS, at)
    after = at + size
    if not size or after == len(words) or begins(plain, THANKS, after):
        return 0
    # "then" alone begins an order: "then pass round"
    then = size > 1 and plain[after - 1] in _THEN
    marked = words[after - 1][0].endswith((*_STOPS, "…"))
    agreed = plain[at] in _AGREED and key(plain[after]) in VERBS_BY_NAME
    agreed = agreed or plain[after] in _WRITERS
    return size if then or marked or agreed or begins(plain, INTENT, after) else 0


def _sorry(plain: Sequence[str], at: int) -> int:
    """Count the words of an apology before an `undo` or a wish; others begin a sentence."""
    size = begins(plain, APOLOGIES, at)
    while size and (more := max(begins(plain, some, at + size) for some in (APOLOGIES, PLEASE))):
        size += more
    wish = "undo" in plain[at + size : at + size + 1] or begins(plain, INTENT, at + size)
    return size if wish else 0


def _addressed(words: Sequence[re.Match[str]], at: int) -> range:
    """The places of the names from ``at`` up to a comma, after a greeting."""
    for end in range(at, min(at + _MOST_NAMES, len(words) - 1)):
        if words[end][0].endswith((",", "!", ":")):
            return range(at, end + 1)
    return range(0)


def _plain(words: Sequence[re.Match[str]]) -> tuple[str, ...]:
    """The words without case and punctuation; a word that is only punctuation stays."""
    found = (word[0].casefold().replace("’", "'") for word in words)
    return tuple(word.strip(_EDGES) or word for word in found)


def _hides(word: re.Match[str], known: KnownWords) -> bool:
    """Whether a word after a greeting is a command, not a name: "hi pass, thanks"."""
    return word[0].islower() and word[0].strip(_EDGES) in known.words | known.verbs


# what a line is close to


def _begins_with_verb(plain: Sequence[str], known: KnownWords) -> bool:
    """Whether the words begin with a verb of the game's notation as it is spelled."""
    return bool(_spelled(plain, known.verbs))


def _spelled(plain: Sequence[str], commands: frozenset[str]) -> str:
    """The longest of the commands that the words begin with, "" for none."""
    beginnings = (" ".join(plain[:size]) for size in range(min(_LONGEST, len(plain)), 0, -1))
    return next((one for one in beginnings if one in commands), "")


def _first(plain: Sequence[str], known: KnownWords) -> tuple[str, ...]:
    """The commands that equal the first word, or are one edit away from it."""
    first, every = plain[0] if plain else "", known.words | known.verbs
    if exact := _spelled(plain, every):
        return (exact,)
    if first in COMMON:
        return ()
    near = sorted(c for c in every if len(c) >= _LEAST and _one_edit(first, c))
    if near and len(first) >= _LEAST_WRITTEN:
        return tuple(near)
    if len(plain) == 1:
        swapped = (v for v in known.verbs if sorted(v) == sorted(first) and _one_edit(first, v))
        return tuple(sorted(swapped))
    if len(plain) > 1 and any(size for size in _named(plain, 1, known) if not plain[1].isdecimal()):
        return tuple(sorted(v for v in known.verbs if len(v) < _LEAST and _one_edit(first, v)))
    return ()


def _one_edit(one: str, other: str) -> bool:
    """Whether one letter added, dropped or changed, or two exchanged, turns one into the other."""
    if one == other or abs(len(one) - len(other)) > 1:
        return False
    at = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
    left, right = one[at:], other[at:]
    swapped = left[:2] == right[:2][::-1] and left[2:] == right[2:]
    return swapped or left[1:] == right[1:] or left[1:] == right or left == right[1:]


def _named(plain: Sequence[str], at: int, known: KnownWords) -> Iterator[int]:
    """The numbers of words from ``at`` on that make a name: one for each possible name."""
    for size in range(1, _LONGEST + 1):
        there = plain[at : at + size]
        if len(there) == size and key(" ".join(there)) in known.names:
            yield size


def _ordered(line: _CourteousLine, known: KnownWords) -> str:
    """The verb of a line that orders something, "" for any other line."""
    if len(line.plain) > MOST_WORDS:
        return ""
    for part in _clauses(line):
        # a greeting without a comma may address the first word
        whom = line.begin and not line.intent and len(part) > 1 and part[0].isalpha()
        for start in range(2 if whom else 1):
            if verb := _order(part, start, known):
                return verb
    return ""


def _clauses(line: _CourteousLine) -> Iterator[tuple[str, ...]]:
    """The rest of a line in parts that end with a comma, a full stop or the like."""
    plain, start = line.plain, 0
    for at, word in enumerate(line.words[line.begin : line.end], 1):
        # the name before a colon says whose order it is
        if at == len(plain) or word[0].endswith((",", "!", ".", ";", "-", "。", "、")):
            yield plain[start:at]
            start = at


def _lacks_verb(line: _CourteousLine, known: KnownWords) -> bool:
    """Whether a line is a move without its verb: "L&N 75", "5 on C4", "I want another L&N"."""
    plain, at, named, more = line.plain, 0, False, line.intent or line.request
    while at < len(plain):
        if size := max(_named(plain, at, known), default=0):
            named = named or size > 1 or not plain[at].isdecimal()
            more = more or plain[at].isdecimal()
        elif plain[at] in _BESIDE_NAMES or _NUMBER.fullmatch(plain[at]) or _is_exits(plain[at]):
            size, more = 1, True
        else:
            return False
        at += size
    return named and more


def _is_exits(word: str) -> bool:
    """Whether a word is the exits of a tile, or a dash between them: "W-NE", "-"."""
    return _EXITS.fullmatch(word) is not None


def _order(part: Sequence[str], start: int, known: KnownWords) -> str:
    """The verb of a part that orders something, from the word ``start`` on; "" for another part."""
    at, name = start, False
    while at < len(part) and part[at] in LEADS and not _verb(part, at, known):
        at += 1
    if size := max(_named(part, at, known), default=0):
        at, name = at + size, True
    verb = _verb(part, at, known)
    last = at + 1 + (at > start)
    ordered = name or last >= len(part) or _names_after(part, at + 1, known)
    return verb if ordered or speaks_of_things(part[at:]) else ""


def _verb(plain: Sequence[str], at: int, known: KnownWords) -> str:
    """The verb of the game at a place, also one of another language."""
    if at >= len(plain):
        return ""
    verb = LIKE.get(plain[at], plain[at])
    return verb if verb in known.verbs else ""


def _names_after(plain: Sequence[str], at: int, known: KnownWords) -> bool:
    """Whether a name follows. A number is a train only within two words of the verb."""
    return any(
        not plain[place].isdecimal() or place < at + 2 or size > 1
        for place in range(at, len(plain))
        for size in _named(plain, place, known)
    )


def _closes(plain: Sequence[str], known: KnownWords) -> bool:
    """Whether the words are a closing, perhaps with a name."""
    size = max(begins(plain, CLOSINGS), begins(plain, THANKS))
    after = plain[size:]
    if not size or len(after) > _MOST_NAMES:
        return False
    return not any(word in known.verbs or key(word) in known.names for word in after)


def may_say_yes(title: Title, state: State, seat: Seat) -> bool:
    """Whether a question to the player is open, so that a "yes" may answer it."""
    try:
        action = parse(title, state, seat, "yes")
    except NotationError:
        return True
    asked = question(state)
    return not isinstance(action, Accept) or (asked is not None and asked.asked == seat)


def fits(text: str, title: Title, state: State, seat: Seat) -> bool:
    """Whether a text is written as a move, even an illegal one."""
    if dollars(text) is not None:  # a bid
        return True
    try:
        parse(title, state, seat, text)
    except Ambiguous:
        return True
    except NotationError:
        verb = VERBS_BY_NAME.get(key(first_word(text)))
        _, colon, rest = text.partition(":")
        behind = bool(colon and rest.strip()) and fits(rest.strip(), title, state, seat)
        return behind or (verb is not None and verb.known(title))
    return True
