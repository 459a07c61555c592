"""Finds the lines that a player wrote in a reply. It knows neither headers nor commands."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

SENTINEL = "##- Reply above this line -##"


@dataclass(frozen=True, slots=True)
class Line:
    """One of the player's own lines; ``number`` counts from 1 in the body, 0 is the subject."""

    number: int
    text: str


def numbered(text: str) -> list[Line]:
    """The lines of a text."""
    return [Line(number, line) for number, line in enumerate(text.split("\n"), 1)]


@dataclass(frozen=True, slots=True)
class Reply:
    """The player's own lines, and whether the text also contained a quotation (``quoted``).

    ``courtesy`` are greetings and thanks, which the command reader must not see. ``below`` is the
    text after a closing ("Best,"). It is a signature, unless it has a command.
    """

    lines: tuple[Line, ...]
    quoted: bool
    courtesy: tuple[Line, ...] = ()
    below: tuple[Line, ...] = ()


# Characters that keyboards and mail programs use instead of plain ones (after NFKC).
_PLAIN = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′´`ʼ", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("‐‑‒–—―−⁃﹘", "-"),
        **dict.fromkeys("\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u00ad"),
        **dict.fromkeys("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"),
        "\t": " ",
        "\u2028": "\n",
        "\u2029": "\n",
    }
)


#: all characters but those of which nearly every text is made
_ODD = re.compile(r"[^\n -~]")


def plain_text(text: str) -> str:
    """``text`` in NFKC with plain quotes, dashes and spaces; no control character but newline."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    # The acute accent is mapped first: NFKC would make a blank and a combining mark of it.
    text = _few_marks(text.translate(_PLAIN))
    text = unicodedata.normalize("NFKC", text).translate(_PLAIN)
    return _ODD.sub(lambda odd: _bare(odd[0]), text)


def _few_marks(text: str) -> str:
    """``text`` with at most 30 combining marks in a row (UAX #15 §13, stream-safe text).

    The time to sort them grows with the square of their number.
    """
    if not any(map(unicodedata.combining, set(text))):
        return text
    found, row = [], 0
    for c in text:
        row = row + 1 if unicodedata.combining(c) else 0
        if row <= 30:
            found.append(c)
    return "".join(found)


def _bare(c: str) -> str:
    """The character itself, a space for any other blank, nothing for a control character."""
    kind = unicodedata.category(c)
    return "" if kind == "Cc" else " " if kind == "Zs" else c


def unwrap_flowed(text: str, delsp: bool) -> str:
    """Undo ``format=flowed`` (RFC 3676): join soft-broken lines of the same quote depth."""
    paragraphs: list[tuple[int, str]] = []
    open_end = False
    for line in text.replace("\r\n", "\n").split("\n"):
        depth = len(line) - len(line.lstrip(">"))
        body = line[depth:].removeprefix(" ")
        signature = body == "-- "
        soft = body.endswith(" ") and not signature
        if soft and delsp:
            body = body[:-1]
        if open_end and paragraphs[-1][0] == depth and not signature:
            paragraphs[-1] = (depth, paragraphs[-1][1] + body)
        else:
            paragraphs.append((depth, body))
        open_end = soft
    return "\n".join((">" * depth + " " if depth else "") + body for depth, body in paragraphs)


# ---------------------------------------------------------------------------- HTML

_JUNK = (
    "style, script, head, title, [class*=gmail_signature], .moz-signature, #Signature, "
    "#ms-outlook-mobile-signature, [style*='display:none'], [style*='display: none']"
)
_QUOTES = "blockquote, .gmail_attr, .moz-cite-prefix, .yahoo_quoted, .protonmail_quote"
# Outlook on the web puts an empty mark before the quotation; the quotation itself has none.
_REST_IS_QUOTE = "#divRplyFwdMsg, #appendonsend, #mail-editor-reference-message-container"
_BLOCKS = re.compile(r"p|div|br|li|tr|h\d|pre|table|[uo]l|hr|blockquote|dd|dt|section|article")


def text_of_html(html: str) -> str:
    """The text of an HTML body, one line for each block; each quotation becomes a line ``>``.

    Raises MemoryError if the tree gets too large. A tree may grow faster than its source.
    """
    try:
        tree = LexborHTMLParser(html)
    except SelectolaxError as error:  # any HTML can be parsed if there is memory
        raise MemoryError from error
    root = tree.body or tree.root
    if root is None:
        return ""
    skipped = {node.mem_id for node in tree.css(_JUNK)}
    quotes = {node.mem_id for node in tree.css(_QUOTES)}
    # Replies between quotations are inside Gmail's div, beside the blockquotes. Only if there are
    # no blockquotes is the div itself the quotation.
    if tree.css_first("blockquote") is None:
        quotes |= {node.mem_id for node in tree.css(".gmail_quote")}
    rest = {node.mem_id for node in tree.css(_REST_IS_QUOTE)}
    out = _walk(root, skipped, quotes, rest)
    lines = (re.sub(r" +", " ", line).strip() for line in "".join(out).split("\n"))
    return "\n".join(line for line in lines if line)


def _walk(root: LexborNode, skipped: set[int], quotes: set[int], rest: set[int]) -> list[str]:
    """The pieces of text under ``root``.

    A loop, because emails nest deeper than Python can recurse.
    """
    out: list[str] = []
    # (node, inside <pre>); a string is text to add when its turn comes.
    stack: list[tuple[LexborNode, bool] | str] = [(root, False)]
    while stack:
        entry = stack.pop()
        if isinstance(entry, str):
            out.append(entry)
            continue
        node, verbatim = entry
        tag = node.tag
        if tag == "-text":
            piece = node.text_content or ""
            out.append(piece if verbatim else re.sub(r"\s+", " ", piece))
            continue
        if node.mem_id in rest:
            return [*out, f"\n{SENTINEL}\n"]
        if node.mem_id in quotes:
            out.append("\n>\n")
            continue
        if node.mem_id in skipped or not tag or not tag[0].isalnum():
            continue
        if _BLOCKS.fullmatch(tag):
            out.append("\n")
            stack.append("\n")
        elif tag in ("td", "th"):
            stack.append(" ")
        children: list[tuple[LexborNode, bool] | str] = []
        child = node.child
        while child is not None:
            children.append((child, verbatim or tag == "pre"))
            child = child.next
        stack.extend(reversed(children))
    return out


# ---------------------------------------------------------------------------- replies

_WROTE = re.compile(
    r"\b(?:wrote|writes|schrieb|schreef|écrit|escribió|ha scritto|escreveu|skrev|napisał|"
    r"kirjoitti|napsal|írta|пишет|написал)\b",
    re.I,
)
_ATTRIBUTION_OPENS = re.compile(
    r"(?:On|Am|Le|Op|El|Il|Em|Den|På|Dnia|W dniu|Dne|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\w*,?|"
    r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4})\s.*\d",
    re.I,
)
_WHEN_OR_WHO = re.compile(r"\d{1,2}:\d{2}|\d{1,4}[-./]\d{1,2}[-./]\d{2,4}|\S@\S")
_HEADER = re.compile(
    r"[*_]{0,2}(?:From|Sent|To|Subject|Date|Cc|Reply-To|Von|Gesendet|An|Betreff|Datum|De|Envoyé|"
    r"À|A|Objet|Date d'envoi|Van|Verzonden|Aan|Onderwerp|Da|Inviato|Oggetto|Data|Enviado|Para|"
    r"Asunto|Från|Skickat|Till|Ämne)[*_]{0,2} ?:[*_]{0,2}(?: |$)",
    re.I,
)
_ORIGINAL = re.compile(
    r"-{2,} ?(?:(?:Original(?: Message|nachricht|meddelande)?|Original[- ]e-?mail|"
    r"Ursprüngliche Nachricht|Weitergeleitete Nachricht|Message d'origine|Message original|"
    r"Message transféré|Forwarded message|Mensaje original|Messaggio originale|"
    r"Oorspronkelijk bericht) ?-{2,}|Forwarded by .*--)|Begin forwarded message:",
    re.I,
)
_STOP = re.compile(
    r"--|---|_{20,}|(?:-=){3}.*|end|"
    r"You received this message because you are subscribed .*|To unsubscribe .*|"
    r"(?:This|Diese|Ce) (?:e-?mail|message|Nachricht|courriel)\b.*"
    r"(?:confiden|privileg|vertraulich|scanned|checked for virus).*|"
    r"(?:Warning|Disclaimer|Confidentiality notice|Caution) ?:.*(?:confiden|privileg).*",
    re.I,
)
_FOOTER = re.compile(
    r"Sent (?:from|with|via|using) .*|Get (?:Outlook|BlueMail|Proton Mail) .*|"
    r"Von (?:meinem|meiner) .*gesendet.*|Gesendet (?:von|mit|aus) .*|"
    r"(?:Diese Nachricht wurde )?von meinem .* gesendet.*|Outlook für .* herunterladen.*|"
    r"Envoyé (?:de|depuis|à partir) .*|Télécharger Outlook .*|Enviado (?:desde|do) .*|"
    r"Inviato da .*|Verstuurd vanaf .*|Skickat från .*|Wysłane z .*",
    re.I,
)
_GREETING = re.compile(
    r"(?:hi|hello|hey|dear|hallo|moin|bonjour|salut|hola|ciao|liebe[rs]?|"
    r"guten (?:tag|morgen|abend)|good (?:morning|afternoon|evening|day))"
    r"(?: (?P<whom>[^\W\d]+(?: [^\W\d]+)?))?[,.!:]*",
    re.I,
)
_THANKS = re.compile(
    r"(?:many )?(?:thanks|thank you|thx|ty|danke|merci|gracias|grazie|cheers|bye)"
    r"(?: a lot| very much| again| all| so much| everyone)?(?P<end>[,.!]*)",
    re.I,
)
_CLOSING = re.compile(
    r"(?:(?:best|kind|warm|many) )?(?:regards|wishes)|sincerely|yours(?: truly)?|take care|"
    r"(?:(?:viele|liebe|beste|mit freundlichen|schöne|herzliche) )?grüße[n]?|gruß|mfg|vg|lg|"
    r"(?:bien )?(?:cordialement|amicalement)|saludos|saluti|groet(?:en|jes)?|"
    r"(?:med )?vänliga hälsningar",
    re.I,
)
#: a possible name: Ann, Ann-Lee Smith, Smith, Ann L.
_THREE_WORDS = re.compile(r"[A-Z][\w.]*(?:(?:- ?| )[A-Z][\w.]*){0,2}(?:- ?| )?")
_LINK = re.compile(r" ?<(?:https?|mailto|tel):[^<>\s]*>")
_BULLET = re.compile(r"^(?:[-*•·–▪‣◦]|\(?\d{1,2}[.)]) +(?=[^\W\d]|[\"'(])")


def own_lines(text: str, names: Sequence[str] = ()) -> Reply:
    """The lines of ``text`` that its writer typed as content, in their order.

    It leaves out quotations and their introductions, signatures, footers of devices and lists,
    greetings, and all text after a line ``end``. ``names`` are the words of the writer's own name.
    A last line of only these is a signature.
    """
    return _ReplyReader(plain_text(text), {name.casefold() for name in names}).read()


def _signs(words: str) -> bool:
    """Whether these words precede a name at the end of an email: ``Cheers, Ann``."""
    return bool(_CLOSING.fullmatch(words) or _THANKS.fullmatch(words)) or words == "Best"


class _ReplyReader:
    """Reads the lines of a reply once, from top to bottom."""

    def __init__(self, text: str, names: set[str]) -> None:
        self._source = [re.sub(r" +", " ", line).strip() for line in text.split("\n")]
        self._next = _next_filled(self._source)
        self._names = names
        self._kept: list[Line] = []
        #: greetings that name somebody: "hi pass" may be meant as a command
        self._greeted: list[Line] = []
        self._courtesy: list[Line] = []
        self._below: list[Line] = []
        self._quoted = False
        self._closing = False

    def read(self) -> Reply:
        at = 0
        while at < len(self._source):
            step = self._line(at)
            if step == 0:
                break
            at += step
        kept = self._kept
        while len(kept) > 1 and self._is_name(kept[-1].text):
            kept.pop()
        # "hi pass" may be the only command: asking the player is better than silence.
        if not kept:
            return Reply(tuple(self._greeted), self._quoted)
        return Reply(tuple(kept), self._quoted, tuple(self._courtesy), tuple(self._below))

    def _line(self, at: int) -> int:
        """Read the line at ``at``. Returns the number of lines read, 0 to stop."""
        line = self._source[at]
        if not line:
            return 1
        if _is_quote(line):
            self._quoted, self._closing = True, False
            return 1
        if line.startswith(SENTINEL):
            self._quoted = True
            # Strange mail programs write "On 20.11. somebody said:" before a quotation.
            if self._kept and self._kept[-1].text.endswith(":"):
                self._kept.pop()
            return 0
        if _STOP.fullmatch(line):
            # Outlook draws a line above the headers of the quoted email.
            self._quoted |= self._is_header_block(self._next[at + 1])
            return 0
        if _ORIGINAL.fullmatch(line) or self._is_header_block(at):
            self._quoted = True
            return 0
        if length := self._attribution(at):
            self._quoted, self._closing = True, False
            return length if self._quote_follows(at + length) else 0
        if self._closing:
            self._below.append(Line(at + 1, line))
        else:
            self._own(at, line)
        return 1

    def _own(self, at: int, line: str) -> None:
        if _FOOTER.fullmatch(line) or not any(c.isalnum() for c in line):
            return
        if greeting := _GREETING.fullmatch(line):
            self._courtesy.append(Line(at + 1, line))
            if greeting["whom"]:
                self._greeted.append(Line(at + 1, line))
            return
        if self._kept and (_CLOSING.fullmatch(line.rstrip(" ,.!")) or line == "Best,"):
            self._closing = True
            return
        said, comma, who = line.partition(",")
        if self._kept and comma and self._is_name(who) and _signs(said):
            self._closing = True
            return
        if thanks := _THANKS.fullmatch(line):
            self._closing = "," in thanks["end"] and bool(self._kept) and self._name_follows(at)
            if not self._closing:
                self._courtesy.append(Line(at + 1, line))
            return
        self._kept.append(Line(at + 1, _BULLET.sub("", _LINK.sub("", line))))

    def _is_name(self, line: str) -> bool:
        words = re.findall(r"\w+", line.casefold())
        return bool(words) and self._names.issuperset(words)

    def _name_follows(self, at: int) -> bool:
        """Whether only one line like a name is left after ``at`` before a quotation or the end."""
        left: list[str] = []
        place = self._next[at + 1]
        while place < len(self._source) and len(left) < 2:
            line = self._source[place]
            if _is_quote(line) or _STOP.fullmatch(line) or self._attribution(place):
                break
            if not _FOOTER.fullmatch(line):
                left.append(line)
            place = self._next[place + 1]
        return len(left) == 1 and (
            self._is_name(left[0]) or _THREE_WORDS.fullmatch(left[0]) is not None
        )

    def _is_header_block(self, at: int) -> bool:
        """Whether an unmarked quotation begins: three of From:, Sent:, To: … within five lines."""
        if at == len(self._source) or not _HEADER.match(self._source[at]):
            return False
        near = [line for line in self._source[at + 1 : at + 6] if line][:4]
        return sum(1 for line in near if _HEADER.match(line)) >= 2

    def _attribution(self, at: int) -> int:
        """How many lines from ``at`` name the writer of the following quotation; 0 if none do."""
        first = self._source[at]
        if _is_attribution(first, self._quote_follows(at + 1)):
            return 1
        if not _ATTRIBUTION_OPENS.match(f"{first} 0"):
            return 0
        joined = first
        for length in range(2, 5):
            if at + length > len(self._source):
                return 0
            following = self._source[at + length - 1]
            if not following or _is_quote(following):
                return 0
            joined = f"{joined} {following}"
            if _ATTRIBUTION_OPENS.match(joined) and _is_attribution(
                joined, self._quote_follows(at + length)
            ):
                return length
        return 0

    def _quote_follows(self, at: int) -> bool:
        place = self._next[at]
        if place == len(self._source):
            return False
        return _is_quote(self._source[place]) or self._source[place].startswith(SENTINEL)


def _next_filled(lines: Sequence[str]) -> list[int]:
    """For each line, and for the end, the index of the next line with text."""
    places = [len(lines)]
    for at in range(len(lines) - 1, -1, -1):
        places.append(at if lines[at] else places[-1])
    return places[::-1]


def _is_quote(line: str) -> bool:
    return line.startswith((">", "|"))


def _is_attribution(line: str, quote_follows: bool) -> bool:
    """Whether the line is like ``On … Bob wrote:`` in many languages.

    Right before a quotation, any ``… <bob@host>:`` counts too.
    """
    if not line.endswith(":") or len(line) > 300:
        return False
    told = _WHEN_OR_WHO.search(line) is not None
    return (told and quote_follows) or (_WROTE.search(line) is not None and (told or quote_follows))
