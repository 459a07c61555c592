"""The one reader of commands: it reads the lines of an email by the table of commands.

A line is one of these, in this order: a command that its writer may give here and now; a move of
the game, or an order for a later turn; a command that they may not give, refused with its entry's
reason. Otherwise `lines.py` sorts it: close to a command, a question, or words. The engine decides
whether a move is legal.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from engine.notation import split
from engine.notation.stock import PASS
from engine.notation.verbs import loose_verb
from engine.notation.words import normalise, without_comment, wordings
from service.commands.answers import ALSO_YES
from service.commands.command import (
    LONGEST,
    MOST,
    NOTHING_AHEAD,
    SHOWN,
    AheadReader,
    Command,
)
from service.commands.copied import without_explanation
from service.commands.entry import OFFICES, Below, Entry, When, Where, Who, first_word, why_not
from service.commands.lines import (
    AFTER_A_PASS,
    KnownWords,
    Sort,
    addressed,
    bare,
    may_be_wished,
    may_move,
    meant,
    moves,
    names_something,
    reasoned,
    requested,
    requests_name,
    sentences,
    sort_of,
    starts,
    verb_of,
    wishes_for,
    without_reason,
)
from service.mail.replies import Line
from service.orders.special import PASS_ROUND

PASS_IN_AUCTION = (
    "No order ends with an auction. Write `pass` for this turn. `pass until round ends` passes "
    "until the end of the stock round, also after the auction."
)
BUY_UNTIL = (
    "Say until when: `buy COMPANY until float`, or `buy COMPANY until 5 shares`. "
    "`next: buy COMPANY` is for one turn."
)

#: the names of entries that other modules use: a move, an order, a dry run, a turn that stays open,
#: a free question
PLAY, ORDER, TRY, MORE, QUESTION = "play", "order", "try", "more", "question"
JOIN = "join"

#: a step that a player leaves out, as people may say without a need
_LEFT_OUT = re.compile(
    r"(?:(?:buy|sell|lay|place|put|build) )?no (?:more )?"
    r"(?:tiles?|track|tokens?|stations?|runs?|routes?|trains?|shares?|certificates?)"
    r"(?: to (?:lay|run|buy|sell|place))?",
    re.IGNORECASE,
)
#: a move that only ends a turn: "pass", "no more for me"
_PASS = re.compile(
    rf"(?:(?:i|i'm|i am) )?(?:out|{'|'.join((PASS.name, *PASS.also))}){AFTER_A_PASS}",
    re.IGNORECASE,
)
_MARKS = re.compile(r"^[\W_]+")
_TRY = re.compile(r"\s*try\b\s*:?\s*(.*)", re.IGNORECASE)
#: a question that keeps its commas, although verbs follow them
_PLAN = re.compile(r"\s*routes?\b.*?\swith\b", re.IGNORECASE)
#: the beginning of an order that is not for the company named above it
_ENDS_SECTION = re.compile(
    rf"(?:next(?:\s+turn)?\s*:|standing\b|always\b|never\b|then\b|{PASS_ROUND})", re.IGNORECASE
)
#: the rest of the round after a move: "buy L&N and then pass until the round ends"
_THEN_PASS = re.compile(
    r"(?:, (?:and )?(?:then )?| and (?:then )?)(?=(?:i )?pass (?:round|until|till|for the r))",
    re.IGNORECASE,
)
_THEN = re.compile(r"^then,? ", re.IGNORECASE)
#: who moves, before the verb of a move or an order
_PRONOUN = re.compile(r"^(?:i|we) ", re.IGNORECASE)
#: the place where no word makes a move an order
_NO_CONDITION = (
    r"(?!\b(?:if|unless|until|till?|when|once|next|every|each|always|never|standing|"
    r"suppose|assuming|maybe|perhaps|would|might)\b)"
)
#: a move with the reason before it
_SO = re.compile(
    rf"((?:{_NO_CONDITION}[^;:?]){{1,80}}?),? so (?:i|we)(?:'ll| will)? (?P<move>.+)", re.IGNORECASE
)
#: a "yes" before a command: it is not an answer if nobody has asked
_YES = re.compile(rf"\s*(?:yes|{'|'.join(ALSO_YES)})\b[,.!:\s–-]*", re.IGNORECASE)
#: the place of a word that may belong to a name: no move, and nothing that joins two sentences
_OF_A_NAME = (
    rf"{_NO_CONDITION}(?!(?:and|but|or|as|because|since|so|then|i|we|buy|bid|sell|take|get|have|"
    r"give|par|start|open|lay|run)\b)"
)
#: a plain pass after what is said before it
_I_PASS = r",? (?:and |so )?(?:(?:i|we)(?:'ll| will)? )?(?=pass\b"
#: orders, and what comes before a pass, in players' words, each with the words of commands
_IN_OTHER_WORDS = wordings(
    (r"^(?:in|on|at) my next turn,?:? (?:i )?(?:will )?(?=\w)", "next: "),
    (
        r"^(?P<first>(?:(?:i|we) )?(?:buy|sell|take|get|par|start|pass|bid|another|one more)\b"
        rf"(?:{_NO_CONDITION}[^;:?]){{1,80}}?)(?:,? (?:and )?then,?|,(?: and)?| and) "
        r"(?:(?:in|on|at) (?:my|our|the) )?next turn,?:? (?:(?:i|we) )?(?:will )?"
        r"(?=(?:buy|sell|pass|par|start|bid)\b)",
        r"\g<first>; next: ",
    ),
    (
        r"^(?:have |get |own )?(?P<what>[^,;:?]{2,60}),? so (?:i|we)(?:'ll| will)? "
        r"(?:(?P<bid>bid \$?\d{1,5} )(?:for|on)|(?P<buy>buy)) (?:it|that|this)$",
        r"\g<bid>\g<buy> \g<what>",
    ),
    (rf"^no sales?{_I_PASS})", ""),
    (
        r"pass until (?:some|any)(?:one|body) sells(?: any| some)? shares?"
        r" or (?:until )?the (?:stock )?round (?:ends|is over)",
        "pass round",
    ),
    (
        r"(?:i|we) (?:don't|do not) (?:want|wish|need) to (?:buy|sell|do)"
        rf"(?: or (?:buy|sell))? (?:anything|more|any shares?){_I_PASS})",
        "",
    ),
    (
        r"^(?:(?:that's|that is|it's|it is|this is|everything is|all is|"
        rf"(?:{_OF_A_NAME}[\w&']{{1,20}} ){{1,4}}(?:is|are)) )?(?:far |way |much )?"
        r"too (?:expensive|dear|costly|rich|high|much)(?: for (?:me|us|my (?:blood|taste)))?"
        rf"{_I_PASS})",
        "",
    ),
    (
        r"^(?:i'm|i am|we're|we are) (?:finished|done|through) (?:for|with) (?:this|the) "
        rf"(?:stock )?round{_I_PASS}$)",
        "",
    ),
    (
        r"(?:^|[,.]? and |, )(?:i |please )?(?:drop|clear|cancel|delete) my (?:advance )?order "
        r"(?P<number>\d+)$",
        r"; clear \g<number>",
    ),
)
#: the end of an answer: perhaps a name, as in ", Bob."
_NAMED = r"(?:,? [^\W\d]{1,20})?"
#: a price in place of an offered one
_I_WANT = (
    r"(?:(?:i|we) (?:want|ask)(?: for)?|(?:i|we)(?:'d| would) sell (?:it|that|this) for) "
    rf"\$?(?P<price>\d{{1,5}})(?: dollars)?(?: for (?:it|that|this|them))?{_NAMED}[.!]*"
)
_TOO_LOW = rf"(?:'s| is) (?:far |way |much |a bit )?too (?:low|little|cheap){_NAMED}[,.!]+ "
#: lines that answer an open offer, each with the words of the answer: no, perhaps with a reason
#: that has no number; another price
_ANSWERS = wordings(
    (
        rf"(?:sorry{_NAMED}[,.!]* )?no(?:,? (?:thanks|thank you|sorry))?"
        rf"{_NAMED}[,.!]+ (?:(?:i )?declined?"
        r"|i(?:'d| would) (?:rather|prefer)\b[^?\d]*|i (?:need|keep)\b[^?\d]*)[.!]*",
        "decline",
    ),
    (rf"no sales?{_I_PASS})pass", "decline"),
    (
        rf"no{_NAMED}[,.!]+ (?:you (?:can|may) )?keep your (?:money|cash)"
        rf"{_NAMED}(?:[,.!]+ (?:so )?i (?:decline|refuse))?[.!]*",
        "decline",
    ),
    (
        rf"\$?(?P<offered>\d{{1,5}})(?: dollars)?{_TOO_LOW}{_I_WANT}",
        r"sell it for \g<price>, not \g<offered>",
    ),
    (
        r"(?:no[,.!]+ )?(?:for \$?(?P<first>\d{1,5})(?: dollars)?,? (?:you (?:can|may) have it|"
        r"it(?:'s| is) yours)|you (?:can|may) have it for \$?(?P<last>\d{1,5})(?: dollars)?)"
        rf"{_NAMED}[.!]*",
        r"sell it for \g<first>\g<last>",
    ),
    (
        rf"(?:(?:(?:no|sorry),? )?(?:that|it|this){_TOO_LOW})?{_I_WANT}",
        r"sell it for \g<price>",
    ),
)
#: what no command does, in players' words, each with what to write
_ASKED_BACK = wordings(
    (
        r"(?:(?:i|we)(?:'ll| will)? )?(?:keep )?pass(?:ing)? (?:for )?(?:the )?"
        r"(?:(?:rest|remainder) of |whole |until )(?:the |this )?(?:whole )?auctions?"
        r"(?: (?:ends|is over))?",
        PASS_IN_AUCTION,
    ),
    (
        r"(?:(?:i|we)(?:'ll| will)? )?"
        r"(?:keep(?: on)? buying(?: (?!until\b|till?\b|if\b|unless\b|then\b)[\w&]{1,20}){1,4}"
        r"|buy(?: [\w&]{1,20}){1,4} (?:every|each) (?:stock )?turn)",
        BUY_UNTIL,
    ),
)
#: a sentence that goes on from the one before it
_AND_ALSO = re.compile(r"[.!] (?=and\b)", re.IGNORECASE)
#: how people decline what they are asked
_NO_THANKS = re.compile(r"no,? thank(?:s| you)\b", re.IGNORECASE)
#: the beginning of a line that continues the one above, broken by an email program or its writer
_GOES_ON = re.compile(r"(?:until|till?|else|otherwise|or|and)\b", re.IGNORECASE)

TOO_MANY = "Only the first {most} commands of an email are read."
TOO_LONG = "This line has {size} characters; at most {most} are read."
DID_YOU_MEAN = "This is not understood, and Waybill sent it to nobody. Did you mean {near}?"
NOT_UNDERSTOOD = "This is not understood, and Waybill sent it to nobody."
MAY_BE_A_MOVE = (
    "This may be a move that Waybill does not understand, so none was made. Write `say:` "
    "before a message to the players."
)
VERB_IS_MISSING = (
    "This does not say what to do, and Waybill sent it to nobody. Begin with a command, for "
    "example `buy`, `sell`, `bid` or `lay`."
)
#: the result of words and of free questions
WORDS_ONLY = "this is not a command, and Waybill sent it to nobody"
BELOW_A_CLOSING = (
    "This is below your closing, so it was not read. Send it again, without a closing."
)


@dataclass(frozen=True)
class Scope:
    """The writer, the place and the time, which decide what a line may be.

    ``fits`` says whether the game's notation takes a text; ``known`` has its verbs and names.
    ``asked`` says whether a question to the writer is open.
    """

    table: Sequence[Entry]
    who: Who
    where: Where = Where.PRIVATE
    when: When = When.RUNNING
    known: KnownWords = field(default_factory=KnownWords)
    ahead: AheadReader = NOTHING_AHEAD
    fits: Callable[[str], bool] = lambda _: False
    asked: Callable[[], bool] = lambda: True

    def why_not(self, entry: Entry) -> str:
        """The reason why the writer may not give a command here and now; "" if they may."""
        return why_not(entry, self.who, self.where, self.when)

    def named(self, name: str) -> Entry | None:
        """The entry of that name that the writer may use; if there is none, any of that name."""
        every = [entry for entry in self.table if entry.name == name]
        return next((one for one in every if not self.why_not(one)), every[0] if every else None)


def read(lines: Sequence[Line], scope: Scope, below: Sequence[Line] = ()) -> tuple[Command, ...]:
    """The commands of an email in its order.

    Lines ``below`` a closing are a signature. A line of it that is a command is barred, because its
    writer may have meant it. A line `try` alone makes all moves after it dry runs. Each `try` is a
    separate plan that begins where the email's moves end. Moves below the name of a company whose
    turn has not come yet are one order for that turn.
    """
    return (*_EmailReader(scope).read(lines), *_signed(below, scope))


def _signed(lines: Sequence[Line], scope: Scope) -> Iterator[Command]:
    """The lines of a signature that are commands of its writer, barred."""
    for line in lines:
        entries = [
            command.entry
            for command in _EmailReader(scope).read([line])
            if command.entry is not None
            and not command.barred
            and (scope.fits(command.rest) if command.word == PLAY else command.word != QUESTION)
        ]
        if entries:
            # a secret is not repeated
            text = first_word(line.text) if any(one.secret for one in entries) else line.text
            yield Command(line.number, "", text, text, barred=BELOW_A_CLOSING)


def moves_in(lines: Sequence[Line]) -> tuple[Command, ...]:
    """The moves, and `more`, that somebody writes for a player; no other command is read."""
    found = []
    for line in lines:
        for part in without_comment(normalise(line.text)).split(";"):
            for text in _split(bare(part)[1]):
                word = MORE if text.casefold() == MORE else PLAY
                found.append(Command(line.number, word, text, text))
    return tuple(found)


class _EmailReader:
    """Reads one email."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._found: list[Command] = []
        #: the place of the order that takes the moves below a company's name
        self._section: int | None = None
        self._trying, self._plan = False, 0

    def read(self, lines: Sequence[Line]) -> tuple[Command, ...]:
        for line in self._whole(lines):
            if len(self._found) >= MOST:
                self._too_much(line, TOO_MANY.format(most=MOST))
                break
            if not line.text.strip() or self._below(line):
                continue
            if not self._line(line):
                if len(line.text) > LONGEST:
                    self._too_much(line, TOO_LONG.format(size=len(line.text), most=LONGEST))
                else:
                    self._parts(line)
        self._decline()
        self._half()
        return _one_plan(self._found)

    def _decline(self) -> None:
        """Let "No thank you, Bob" answer the open question if the email has no other move."""
        polite = [at for at, one in enumerate(self._found) if _NO_THANKS.match(one.text)]
        moves = any(one.word == PLAY for one in self._found)
        if polite and not moves and self._may(PLAY) and self._scope.asked():
            said = self._found[polite[0]]
            entry = self._scope.named(PLAY)
            self._found[polite[0]] = replace(said, word=PLAY, rest="no", entry=entry)

    def _half(self) -> None:
        """Refuse words that may be a move, beside moves: half of a wish is not done."""
        if not any(one.word == PLAY and not one.barred for one in self._found):
            return
        for at, one in enumerate(self._found):
            if one.entry is None and not one.barred and may_move(one.text, self._scope.known):
                self._found[at] = self._barred(one.number, one.text, MAY_BE_A_MOVE)

    def _whole(self, lines: Sequence[Line]) -> list[Line]:
        """The lines, each joined with the next ones that continue it."""
        whole: list[Line] = []
        last = 0
        for line in lines:
            below = whole and line.number == last + 1 and _GOES_ON.match(line.text)
            if below and self._entry(whole[-1].text, line=True) is None:
                whole[-1] = replace(whole[-1], text=f"{whole[-1].text} {line.text}")
            else:
                whole.append(line)
            last = line.number
        return whole

    def _below(self, line: Line) -> bool:
        """Add a line to the command above it and return True, if it belongs there."""
        last = self._found[-1] if self._found else None
        below = last.entry.below if last and last.entry and not last.barred else Below.NOTHING
        if last is None or below is Below.NOTHING:
            return False
        if below is not Below.ALL:
            commands = _EmailReader(replace(self._scope, ahead=NOTHING_AHEAD)).read([line])
            belong = ("", PLAY, "more") if below is Below.MOVES else ("",)
            if any(command.word not in belong for command in commands):
                return False
        rest, text = f"{last.rest}\n{line.text}", f"{last.text}\n{line.text.strip()}"
        parts = (last.entry.match(text) if last.entry and last.entry.form else None) or last.parts
        self._found[-1] = replace(last, rest=rest.lstrip("\n"), text=text, parts=parts)
        return True

    def _line(self, line: Line) -> bool:
        """Add a line that is one command as a whole, and return whether it is one."""
        dry = _TRY.fullmatch(line.text) if self._may(TRY) else None
        if dry and not dry[1].strip():
            self._trying, self._plan = True, self._plan + 1
            return True
        if dry or self._trying:
            self._plan += bool(dry)
            self._dry_run(line, dry[1] if dry else line.text)
            return True
        entry = self._entry(line.text, line=True)
        if entry is None:
            # a command of another office of the game is not one of the writer's moves
            entry = self._entry(line.text, line=True, allowed=False)
            of_office = entry is not None and entry.joint and entry.who & OFFICES
            if not of_office or self._entry(line.text) is not None:
                entry = None
        if entry is not None:
            self._add(line.number, line.text.strip(), entry, self._scope.why_not(entry))
        return entry is not None

    def _parts(self, line: Line) -> None:
        """Add the commands of a line that is not one command as a whole."""
        copied = without_explanation(without_comment(normalise(line.text)))
        if answer := self._answer(copied):
            self._found.append(
                Command(line.number, PLAY, answer, copied, entry=self._scope.named(PLAY))
            )
            return
        for part in copied.split(";"):
            text = bare(part)[1]
            whole = self._entry(text) is not None or self._scope.ahead.order(text)
            for sentence in [part] if whole else sentences(part):
                self._sentence(line.number, sentence)

    def _answer(self, text: str) -> str:
        """The answer to an open offer that a line gives in its writer's words; "" for none."""
        every = ((written.fullmatch(text), said) for written, said in _ANSWERS)
        answer = next((found.expand(said) for found, said in every if found), "")
        return answer if answer and self._may(PLAY) and self._scope.asked() else ""

    def _sentence(self, number: int, sentence: str) -> None:
        """Add the commands of a sentence."""
        sentence = self._without_yes(self._requested(sentence))
        courtesy, text = bare(sentence)
        if courtesy and not text:
            self._found.append(Command(number, "", courtesy, courtesy))
        for written, said in _IN_OTHER_WORDS:
            text = written.sub(said, text)
        if ";" in text:
            for part in text.split(";"):
                self._sentence(number, part)
            return
        if why := self._asked_back(text):
            self._unread(number, text, why)
            return
        text = self._without_then(text)
        if so := self._so(text):
            self._found.append(Command(number, "", so[1], so[1]))
            text = so["move"]
        then = _THEN_PASS.search(text)
        if then and not self._is_order(text[: then.start()]):
            begin = len(self._found)
            self._sentence(number, text[: then.start()])
            made = self._found[begin:]
            if made and all(one.word == PLAY and not one.barred for one in made):
                self._sentence(number, text[then.end() :])
                return
            # half of a wish is not done without the other half
            del self._found[begin:]
            if self._names(text[: then.start()]):
                self._unread(number, text, NOT_UNDERSTOOD)
                return
        told = addressed(text, self._scope.known)
        text = text if self._scope.ahead.section(told)[2] else told
        if not text or self._later(number, text):
            return
        several, begin = _split(text), len(self._found)
        for one in several:
            if not (several[1:] and self._later(number, one)):
                self._command(number, one, one if several[1:] else sentence.strip())
        # "no more for me, I pass" passes once
        self._found[begin:] = [
            made
            for at, made in enumerate(self._found[begin:], begin)
            if at == begin or not (_passes(made) and _passes(self._found[at - 1]))
        ]
        if any(made.word == PLAY and not made.barred for made in self._found[begin:]):
            # half of a wish is not done without the other half
            for at, command in enumerate(self._found[begin:], begin):
                if not command.word and self._names(command.text):
                    why = command.barred or NOT_UNDERSTOOD
                    self._found[at] = self._barred(number, command.text, why)

    def _asked_back(self, text: str) -> str:
        """What to write for a wish that no command fulfils as it is; "" for any other text."""
        found = (why for written, why in _ASKED_BACK if written.fullmatch(text))
        return next(found, "") if self._may(PLAY) else ""

    def _without_yes(self, sentence: str) -> str:
        """A sentence without the "yes" before a complete move, if no question is open."""
        yes = _YES.match(sentence)
        if yes is None:
            return sentence
        if not self._may(PLAY):
            begins = self._entry(bare(sentence[yes.end() :])[1])
            return sentence[yes.end() :] if begins and begins.name == JOIN else sentence
        rest = bare(sentence[yes.end() :])[1]
        move = bool(verb_of(rest, self._scope.known)) and all(map(self._scope.fits, _split(rest)))
        return rest if move and not self._scope.asked() else sentence

    def _without_then(self, text: str) -> str:
        """A move without the "then" before it; an order as it is."""
        move = _THEN.sub("", text)
        told = addressed(move, self._scope.known)
        if move != text and told != move and self._may(PLAY):
            return told
        moves = self._may(PLAY) and move != text and self._begins_move(_PRONOUN.sub("", move))
        return move if moves and not self._is_order(move) else text

    def _so(self, text: str) -> re.Match[str] | None:
        """A move with a reason before it: "I have no money, so I pass"; None for another text.

        The reason names nothing of the game, and no verb or condition.
        """
        found = _SO.fullmatch(text) if self._may(PLAY) else None
        known = self._scope.known
        if found is None or may_be_wished(found[1], known) or not verb_of(found["move"], known):
            return None
        return found

    def _requested(self, sentence: str) -> str:
        """A polite request as the moves that it asks for; any other sentence as it is."""
        wanted = requested(sentence) if self._may(PLAY) else ""
        moves = _split(wanted) if wanted else []
        whole = all(self._is_move(one) and self._scope.fits(one) for one in moves)
        return wanted if moves and whole else sentence

    def _is_move(self, text: str) -> bool:
        """Whether a text begins with a verb of the game, or with a word that players use for it."""
        return bool(verb_of(text, self._scope.known)) or loose_verb(first_word(text)) is not None

    def _names(self, text: str) -> bool:
        return _LEFT_OUT.fullmatch(text) is None and wishes_for(text, self._scope.known)

    # one part of a line

    def _command(self, number: int, text: str, whole: str = "") -> None:
        """Add a command; if it is none, add it with its courtesy, ``whole``."""
        entry = self._entry(text)
        ends, why = reasoned(text, self._scope.known) if self._may(PLAY) else ("", "")
        if entry is not None:
            self._add(number, text, entry)
        elif ends:
            self._play(number, ends)
            self._found.append(Command(number, "", why, why))
        elif _LEFT_OUT.fullmatch(text):
            self._found.append(Command(number, "", text, text))
        elif self._may(PLAY) and self._reasoned(number, text):
            pass
        elif self._may(PLAY) and (
            verb_of(text, self._scope.known) or (":" not in text and self._scope.fits(text))
        ):
            self._play(number, text)
        elif (other := self._entry(text, allowed=False)) is not None:
            self._add(number, text, other, self._scope.why_not(other))
        elif self._may(PLAY) and self._scope.fits(text):
            self._play(number, text)
        else:
            self._strange(number, text, whole or text)

    def _reasoned(self, number: int, text: str) -> bool:
        """Add a move with a reason after it, and return whether the text is one.

        The reason of another command is a part of it: "propose undo because …".
        """
        known = self._scope.known
        move = without_reason(text, known)
        if move == text or self._entry(text, allowed=False) is not None:
            return False
        if not self._begins_move(_PRONOUN.sub("", move.rpartition(": ")[2])):
            return False
        why = text[len(move) :].strip(" ,")
        # what track is for belongs to its move
        purpose = names_something(why, known)
        self._play(number, move, text if purpose else move)
        if not purpose:
            self._found.append(Command(number, "", why, why))
        return True

    def _strange(self, number: int, text: str, whole: str) -> None:
        """Add a text that is not a command: a question to the writer, or plain words."""
        known = self._scope.known
        sort = sort_of(text, known, self._scope.fits)
        if sort is Sort.WORDS and self._may(PLAY) and requests_name(whole, known):
            sort = Sort.CLOSE
        nearest = self._closest(text) if self._may(PLAY) else verb_of(text, known)
        move = sort is Sort.CLOSE and nearest in known.verbs
        begins = move and self._begins_move(_PRONOUN.sub("", text))
        if sort is Sort.COMMAND or begins:
            # the engine says what is wrong with it, and what would be legal
            self._play(number, text)
        elif sort is Sort.CLOSE:
            near = " or ".join(f"`{one}`" for one in meant(text, known))
            why = DID_YOU_MEAN.format(near=near) if near else VERB_IS_MISSING
            if (move or not near) and self._may(PLAY):
                self._unread(number, text, why)
            else:
                self._found.append(Command(number, "", text, text, barred=why))
        elif sort is Sort.WORDS and (first := self._move_before_and(text)):
            self._play(number, first)
            self._unread(number, _AND_ALSO.split(text, 1)[1], NOT_UNDERSTOOD)
        else:
            question = sort is Sort.QUESTION
            entry = self._scope.named(QUESTION) if question and self._may(QUESTION) else None
            word = entry.name if entry else ""
            self._found.append(Command(number, word, text, whole, entry=entry))

    def _move_before_and(self, text: str) -> str:
        """The move in the first of two sentences that "and" joins; "" if the first is none."""
        first, *rest = _AND_ALSO.split(text, 1)
        move = bare(first)[1]
        return move if rest and self._may(PLAY) and self._scope.fits(move) else ""

    def _begins_move(self, text: str) -> bool:
        """Whether a text begins with a verb, or with a word like "take" and names something."""
        known = self._scope.known
        named = loose_verb(first_word(text)) is not None and names_something(text, known)
        return named or starts(text, known)

    def _closest(self, text: str) -> str:
        near = meant(text, self._scope.known)
        return near[0] if near else ""

    def _play(self, number: int, text: str, said: str = "") -> None:
        """Add a move; ``said`` is how its writer says it."""
        if not self._may(PLAY):
            other = self._scope.named(PLAY)
            # the refusal names the move as it was written
            other = other and replace(other, name=first_word(text) or PLAY)
            why = self._scope.why_not(other) if other else NOT_UNDERSTOOD
            self._found.append(Command(number, "", text, text, barred=why))
            return
        command = Command(number, PLAY, text, said or text, entry=self._scope.named(PLAY))
        self._found.append(command)

    def _add(self, number: int, text: str, entry: Entry, barred: str = "") -> None:
        parts = dict(entry.match(text) or {})
        rest = parts.pop("rest", "")
        self._found.append(
            Command(number, entry.name, rest, text, barred=barred, entry=entry, parts=parts)
        )

    def _too_much(self, line: Line, why: str) -> None:
        """Add a line that nobody can have meant."""
        self._unread(line.number, f"{line.text[: SHOWN // 2].rstrip()} …", why)

    def _unread(self, number: int, text: str, why: str) -> None:
        """Add a text that is refused, so that no move of the email is done."""
        self._found.append(self._barred(number, text, why))

    def _barred(self, number: int, text: str, why: str) -> Command:
        """The command that refuses a text."""
        entry = self._scope.named(PLAY) if self._may(PLAY) else None
        return Command(number, PLAY if entry else "", text, text, barred=why, entry=entry)

    # the table

    def _may(self, name: str) -> bool:
        return any(e.name == name and not self._scope.why_not(e) for e in self._scope.table)

    def _entry(self, text: str, *, line: bool = False, allowed: bool = True) -> Entry | None:
        """The first entry whose form a text has and that its writer may use.

        ``line`` True asks only for entries that take a whole line. ``allowed`` False finds also
        those that the writer may not use.
        """
        text = text.strip()
        # marks before a word are how an email program writes bold ones
        first = (first_word(text) or first_word(_MARKS.sub("", text))).casefold()
        for entry in self._scope.table:
            if first not in entry.words or (line and not entry.line):
                continue
            if allowed and self._scope.why_not(entry):
                continue
            if entry.match(text) is not None:
                return entry
        return None

    # orders and dry runs

    def _later(self, number: int, text: str) -> bool:
        """Add a part that is for a later turn, or a company's name alone; whether it is one."""
        if self._scope.named(ORDER) is None:
            return False
        company, rest, later = self._scope.ahead.section(text)
        if later:
            self._section = len(self._found)
            self._order(number, f"operate {company}: {rest}", text)
            return True
        if company:
            self._section = None
            return not rest
        if _ENDS_SECTION.match(text):
            self._section = None
        elif self._section is not None and self._entry(text) is None:
            self._join(self._section, text)
            return True
        order = _PRONOUN.sub("", text)
        if not self._named(order) and self._is_order(order):
            self._order(number, order, text)
            return True
        return False

    def _is_order(self, text: str) -> bool:
        """Whether a text is an order: "Let me know if that's ok" is none."""
        ahead = self._scope.ahead
        if text.endswith("?"):
            return False
        return ahead.order(text) or (ahead.guarded(text) and moves(text, self._scope.known))

    def _named(self, text: str) -> bool:
        """Whether the first word makes a text a command, although it has a word of orders.

        An example is "deputy eve@example.org until 2027-03-14". Verbs of the game may begin orders.
        """
        verb = verb_of(text, self._scope.known)
        return self._entry(text) is not None or (
            not verb and self._entry(text, allowed=False) is not None
        )

    def _order(self, number: int, order: str, text: str) -> None:
        entry = self._scope.named(ORDER)
        assert entry is not None
        barred = self._scope.why_not(entry)
        self._found.append(Command(number, ORDER, order, text, barred=barred, entry=entry))

    def _join(self, place: int, text: str) -> None:
        order = self._found[place]
        rest = f"{order.rest}{text}" if order.rest.endswith(": ") else f"{order.rest}, {text}"
        self._found[place] = replace(order, rest=rest, text=f"{order.text}; {text}")

    def _dry_run(self, line: Line, text: str) -> None:
        trial = _EmailReader(replace(self._scope, ahead=NOTHING_AHEAD))
        for part in without_comment(normalise(text)).split(";"):
            for one in _split(bare(part)[1]):
                trial._command(line.number, one)
        entry = self._scope.named(TRY)
        self._found += [
            replace(one, word=TRY, plan=self._plan, entry=entry, barred="")
            if one.word in (PLAY, "")
            else one
            for one in trial._found
        ]


def _passes(command: Command) -> bool:
    """Whether a command is a move that only ends the turn."""
    return command.word == PLAY and _PASS.fullmatch(command.rest) is not None


def _split(text: str) -> list[str]:
    """The commands of a part of a line. The moves that `routes` supposes stay in one piece."""
    return [text.strip()] if _PLAN.match(text) else [one for one in split(text) if one.strip()]


def _one_plan(commands: Sequence[Command]) -> tuple[Command, ...]:
    """Join the dry runs in a row that one `try` begins into one plan."""
    found: list[Command] = []
    for command in commands:
        before = found[-1] if found else command
        if command.word == TRY and found and (before.word, before.plan) == (TRY, command.plan):
            last = found.pop()
            rest = f"{last.rest}\n{command.rest}"
            command = replace(last, rest=rest, text=f"{last.text}; {command.text}")
        found.append(command)
    return tuple(found)
