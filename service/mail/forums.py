"""What a forum's mail says of a post there: in which thread, by whom, in which words.

That forum is Discourse. Read for it were ``lib/email/sender.rb`` (at commit 24eb4ffab215 and at
01275fa4648d of its public repository), ``message_builder.rb`` (34f564acd657), ``app/mailers/``
``user_notifications.rb`` (45064421e6a9), and in ``app/views/email`` ``notification.html.erb``
(a0448864a444) and ``_post.html.erb`` (2499b565943e), and versions of them from 2013 to 2024; no
mail of a running forum was. By these:

- ``List-Archive`` is the address of the thread, ``https://HOST/t/SLUG/NUMBER``, which stands in the
  HTML part too, as "Visit Topic". X-Discourse-Topic-Id is taken away before a mail goes out, by
  later versions it is not: it is not looked at.
- From is the forum's one address, with a name beside it that a user chooses: it proves nobody. The
  HTML part begins with the picture and the name of who wrote the post, as a link to
  ``/u/NAME`` (before 2017 ``/users/NAME``); only then come their words. So the first such link is
  the forum's own, whatever a post says, and the last link to a thread, at its foot, is as well.
- The text part is the post as it was written, in Markdown. What follows it is not its writer's:
  earlier posts of anybody behind a line ``-- ``, in old versions ``---``, how to answer behind
  ``---``.
- Reply-To is an address with a key, by which an answer becomes a post of whoever got the mail. In
  some versions List-Post is the same.
- Where a forum's setting "private email" is on, its mails have neither post nor name.

Of headers only Reply-To says anything, and List-Archive, which must say what the body says: it
tells a forum's mails from those of people. Whether the forum has sent a mail is for others to say:
nothing here proves anything.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from email.message import Message
from urllib.parse import unquote, urlsplit

from selectolax.lexbor import LexborHTMLParser

from service.mail.body import first_text
from service.mail.replies import Line

Values = Callable[[str], Sequence[str]]
"""The values of all headers of a name, each as one line."""
Pairs = Callable[[str], Sequence[tuple[str, str]]]
"""Display name and bare lower-case address of all mailboxes in the headers of a name."""

_THREAD = re.compile(r"(?:/[^/]+)*?/t/(?:[^/]+/)?(\d{1,12})(?:/\d+)?/?")
_USER = re.compile(r"(?:/[^/]+)*?/(?:u|users)/([^/]{1,60})/?")
_END = re.compile(r"^[ \t]*-{2,}[ \t]*$", re.MULTILINE)
#: what ends a fence is as long as what began it, or longer, and alone in its line (CommonMark 4.5)
_FENCE = re.compile(r"^[ \t]*((`|~)\2{2,}).*?(?:^[ \t]*\1\2*[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_MARK = re.compile(
    r"\[(?P<end>/?)(?P<kind>quote|code)\b[^\]\n]{0,200}\]"
    r"|<(?P<close>/?)(?P<tag>blockquote|pre|code)\b[^>\n]{0,200}>",
    re.IGNORECASE,
)
#: a line that Markdown may show as code, if it begins with enough blanks: how many is often not
#: signed (RFC 6376 §3.4.4)
_CODE = re.compile(r"[ \t]")
#: characters of a post that are read, and lines
_LONGEST, _MOST = 40_000, 400


@dataclass(frozen=True, slots=True)
class Notification:
    """A post on a forum, as a mail tells of it.

    ``host`` is that of the forum's pages, ``topic`` the number of the thread, ``writer`` the name
    of who wrote it in small letters, ``reply_to`` the address that posts there, '' if none does.
    ``lines`` are the writer's own, quotations and code left out.
    """

    host: str = ""
    topic: str = ""
    writer: str = ""
    reply_to: str = ""
    lines: tuple[Line, ...] = ()

    @property
    def told(self) -> bool:
        """Whether the mail tells of a post at all."""
        return bool(self.topic and self.writer)


NO_FORUM = Notification()


def notification(values: Values, pairs: Pairs, message: Message) -> Notification:
    """What a mail says of a post; `NO_FORUM` for one that tells of none. Raises OutOfBounds."""
    archives = values("List-Archive")
    place = urlsplit(archives[0].strip("<> ")) if len(archives) == 1 else None
    thread = _THREAD.fullmatch(place.path) if place is not None else None
    if place is None or thread is None or place.scheme not in ("http", "https"):
        return NO_FORUM
    host = (place.hostname or "").lower()
    users: list[tuple[str, str]] = []
    threads: list[tuple[str, str]] = []
    for at, link in _links(first_text(message, "text/html")):
        if (user := _USER.fullmatch(link)) is not None:
            users.append((at, unquote(user[1]).lower()))
        elif (found := _THREAD.fullmatch(link)) is not None:
            threads.append((at, found[1]))
    if not users or users[0][0] != host or threads[-1:] != [(host, thread[1])]:
        # a header alone may be another's work; what stands in the body is signed
        return NO_FORUM
    replies = [bare for _, bare in pairs("Reply-To")]
    lines = tuple(_own(first_text(message, "text/plain")))
    answers = replies[0] if len(replies) == 1 else ""
    return Notification(host, thread[1], users[0][1], answers, lines)


def _links(html: str) -> Iterator[tuple[str, str]]:
    """Host and path of all links to pages, in their order."""
    for node in LexborHTMLParser(html).css("a[href], link[href]") if html else ():
        try:
            found = urlsplit(node.attributes.get("href") or "")
            if found.scheme in ("http", "https"):
                yield (found.hostname or "").lower(), found.path
        except ValueError:
            continue


def _own(text: str) -> Iterator[Line]:
    """The lines of a post that its writer wrote, as they are numbered in it."""
    body = text[:_LONGEST].replace("\r\n", "\n")
    # First of all: no quotation that a writer has left open reaches into the posts of others.
    end = _END.search(body)
    body = body[: end.start()] if end else body
    body = _outside(_FENCE.sub(lambda found: _breaks(found[0]), body))
    for number, line in enumerate(body.split("\n")[:_MOST], 1):
        if line.strip() and not line.lstrip().startswith(">") and not _CODE.match(line):
            yield Line(number, line.strip())


def _outside(body: str) -> str:
    """What stands outside of all that is quoted or shown as code; such may stand in each other."""
    kept: list[str] = []
    inside: list[str] = []
    at = 0
    for found in _MARK.finditer(body):
        piece, at = body[at : found.start()], found.end()
        kept.append(_breaks(piece) if inside else piece)
        kind = (found["kind"] or found["tag"]).lower()
        if not (found["end"] or found["close"]):
            inside.append(kind)
        elif inside and inside[-1] == kind:
            inside.pop()
    return "".join((*kept, _breaks(body[at:]) if inside else body[at:]))


def _breaks(text: str) -> str:
    """What is left of a text that is left out: its line breaks, so that numbers stay."""
    return "\n" * text.count("\n")
