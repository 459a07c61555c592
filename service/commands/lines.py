"""What a line is that is written as no command: close to one, a question, or words.

The rule, in this order:

1. Greetings, courtesy and quotation marks around a line are set apart: "Hello Waybill, please buy
   TR" is `buy TR`.
2. A greeting, a closing or a footer of an email program is words, in any of several languages.
3. A line is close to a command if its first word is one, or is one edit away from one (a letter
   more, less or other, or two exchanged). Commands of three letters may only be mistyped where a
   company, a hex or a number follows, or nothing; ordinary words of sentences such as "well" count
   only as themselves. It is refused with a question.
4. A line that ends with a question mark is a question. It gets an answer.
5. A short line is close to a command if it names a company, a private company or a hex beside a
   verb of the game, or beside hardly anything else. It is refused with a question.
6. All other lines are words. Nobody is told, and nothing is refused.

Nothing is ever guessed. Whether the writer may write a command, and whether the game takes it, is
decided elsewhere.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum, auto

from engine.notation.words import key


class Sort(Enum):
    """What a line is."""

    COMMAND = auto()
    CLOSE = auto()
    QUESTION = auto()
    WORDS = auto()


@dataclass(frozen=True)
class Known:
    """What a line is compared with, all as `engine.notation.words.key` gives it.

    ``words`` are first words of commands, ``verbs`` those of the game's notation, ``names`` its
    companies, private companies and hexes.
    """

    words: frozenset[str] = frozenset()
    verbs: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()


#: words of a line that may be a command by what it names, and of one that hardly says more
SHORT, BARE = 6, 2
#: letters of a word that may be mistyped, and of a command that may be mistyped in any line
TYPED, MEANT = 3, 4

_MARKS = re.compile(r"(?<!\w)['\"]|['\"](?!\w)")
_HELLO = (
    r"(?:hi|hello|hey|hiya|dear|good (?:morning|day|afternoon|evening)|greetings|hallo|servus|moin"
    r"|guten (?:morgen|tag|abend)|liebe[rs]?|bonjour|bonsoir|salut|ch(?:er|ère)s?|hola|buen[oa]s"
    r"(?: (?:días|tardes|noches))?|querid[oa]s?|olá|oi|bom dia|boa (?:tarde|noite)|ciao|buongiorno"
    r"|buonasera|hoi|goedemorgen|goedemiddag|beste|hej|hei|tjena|cześć|czesc|witam|dzień dobry"
    r"|ahoj|dobrý den|szia|merhaba|こんにちは|おはよう)"
)
_GREETING = re.compile(rf"{_HELLO}(?: [^\s,!.:]+){{0,3}}\s?[,!.:]+\s*", re.IGNORECASE)
_POLITE = re.compile(
    r"(?:(?:please|pls|plz|bitte|por favor|s'il vous pla[iî]t|svp|per favore|alsjeblieft|proszę"
    r"|prosím|snälla|i(?:'d| would) (?:like|love) to|i want to|i wanna|i wish to"
    r"|i(?:'ll| will| am going to|'m going to)|let me|let's|lets|ich möchte"
    r"|je voudrais)\b[,:]?\s*)+",
    re.IGNORECASE,
)
_THANKS = re.compile(
    r"(?<![\s,])[\s,]+(?:please|pls|plz|bitte|por favor|thanks|thank you|thx|ty|danke|merci|gracias"
    r"|obrigad[oa]|grazie|dank je|dziękuję|tack|:-?\)|;-?\))[\s.!]*$",
    re.IGNORECASE,
)
#: how lines begin that greet, thank or take leave
_MANNERS = re.compile(
    rf"(?:{_HELLO}|thanks?|thank you|thx|cheers|regards|(?:best|kind|warm)(?: regards| wishes)?"
    r"|good luck|have fun|enjoy|yours|sincerely|take care|see you|bye|welcome|congratulations"
    r"|congrats|sorry|viele|liebe|beste|schöne|mit freundlichen|grü(?:ß|ss)e|gru(?:ß|ss)|gruesse"
    r"|lg|mfg|vg|danke|viel (?:glück|spaß|erfolg)|tschüss|cordialement|merci|bien à|amicalement"
    r"|à (?:bientôt|plus)|bonne (?:chance|journée|soirée)|saludos?|gracias|un abrazo|suerte|buena"
    r" suerte|abraços?|obrigad[oa]|boa sorte|até|saluti|grazie|buona fortuna|cordiali"
    r"|groet(?:en|jes)?|met vriendelijke|bedankt|succes|dank je|pozdrawiam|pozdro|dziękuję"
    r"|powodzenia|s pozdravem"
    r"|zdravím|díky|děkuji|hodně štěstí|hälsningar|mvh|tack|lycka till|hilsen|takk|terveisin"
    r"|kiitos|üdv|köszönöm|sevgiler|よろしく|ありがとう|お疲れ"
    r"|sent from|gesendet von|envoyé de|enviado desde|inviato da|verzonden vanaf|wysłane z"
    r"|odesláno|skickat från)(?!\w)",
    re.IGNORECASE,
)
#: words of sentences that are one edit away from a command
_ORDINARY = frozenset(
    """
    all also and any are back bank bay been best boy but can che con cost das day der des did
    die dos find fine for from game gone good great had hand hard has have help her here his
    hole hope host how ich ist its just las last late later left les less let like line live
    long look los lost love made mail main make many may maybe more most much must need new
    next nice non nope not now off okay once one only our out over own part party pas past
    pays per pity plan play poor por post read real rest right said same says see seem seen
    send sent she some soon sort stop such sure take talk team test than that the their them
    then there these they thing think this those time too true turn two una und very want was
    way week well went were what when who why will with yeah yes yet you your
    """.split()  # noqa: SIM905 - it is read as a sentence is
)
_WORDS = re.compile(r"[^\s,;:()!?]+")


def bare(text: str) -> tuple[str, str]:
    """What is set apart of a part of a line, and what remains; either may be ""."""
    whole = _MARKS.sub("", text).strip()
    rest = whole
    for pattern in (_GREETING, _POLITE):
        found = pattern.match(rest)
        if found:
            rest = rest[found.end() :]
    rest = _THANKS.sub("", rest).strip()
    if not rest:
        return whole, ""
    return whole[: len(whole) - len(rest)].strip() if whole.endswith(rest) else "", rest


def sort_of(text: str, known: Known, fits: Callable[[str], bool]) -> Sort:
    """What a line is; ``fits`` tells whether a text is written as a command of the game."""
    if fits(text):
        return Sort.COMMAND
    if _MANNERS.match(text):
        return Sort.WORDS
    if meant(text, known):
        return Sort.CLOSE
    if text.rstrip(" )\"'").endswith(("?", "？")):
        return Sort.QUESTION
    words = [key(word) for word in _WORDS.findall(text)]
    named = any(word in known.names for word in words)
    verb = any(word in known.verbs for word in words)
    if named and (len(words) <= BARE or (verb and len(words) <= SHORT)):
        return Sort.CLOSE
    return Sort.WORDS


def meant(text: str, known: Known) -> tuple[str, ...]:
    """The commands and verbs that the first word of a line may be meant as, the nearest first."""
    first, *others = [key(word) for word in _WORDS.findall(text)] or [""]
    every = known.words | known.verbs
    if first in every:
        return (first,)
    if len(first) < TYPED or first in _ORDINARY or "'" in text.split()[0]:
        return ()
    names = any(word in known.names or word.isdigit() for word in others)
    return tuple(sorted(word for word in every if _meant(first, word, names or not others)))


def _meant(first: str, word: str, names: bool) -> bool:
    """Whether a word may be mistyped for a command; a short one only where nothing else is said.

    ``names`` is whether a company, a hex or a number follows, or nothing.
    """
    return (len(word) >= MEANT or (names and len(word) == TYPED)) and _near(first, word)


def _near(one: str, other: str) -> bool:
    """Whether two words are one edit apart: a letter more, less or other, or two exchanged."""
    if abs(len(one) - len(other)) > 1 or one == other:
        return False
    start = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    if start is None:
        return True
    a, b = one[start:], other[start:]
    exchanged = len(a) > 1 and len(b) > 1 and a[:2] == b[1::-1] and a[2:] == b[2:]
    return exchanged or a[1:] == b[1:] or a[1:] == b or a == b[1:]


def first_words(texts: Iterable[str]) -> frozenset[str]:
    """The first words of commands, as lines are compared with them."""
    return frozenset(key(text.split()[0]) for text in texts)
