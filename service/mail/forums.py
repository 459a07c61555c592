"""Reads an email of a forum: the thread, the writer and the text of a post.

The forum program is Discourse. The facts below come from its public source, versions from 2013 to
2024: ``lib/email/sender.rb`` (commits 24eb4ffab215 and 01275fa4648d), ``message_builder.rb``
(34f564acd657), ``app/mailers/user_notifications.rb`` (45064421e6a9), and in ``app/views/email``
``notification.html.erb`` (a0448864a444) and ``_post.html.erb`` (2499b565943e). No email of a
running forum was used.

- ``List-Archive`` is the address of the thread, ``https://HOST/t/SLUG/NUMBER``. The HTML part has
  it too, as "Visit Topic". Older versions remove X-Discourse-Topic-Id before they send an email,
  later ones do not, so it is not used.
- From is the forum's one address, with a name before it that a user chooses. It proves nobody. The
  HTML part begins with the picture and the name of the post's writer, as a link to ``/u/NAME``
  (before 2017 ``/users/NAME``). The post comes after it. So the first such link is the forum's own,
  whatever a post says. The last link to a thread, at the foot, is the forum's own too.
- The text part is the post as it was written, in Markdown. The text after it is not by its writer:
  earlier posts of anybody after a line ``-- `` (in old versions ``---``), and how to reply after
  ``---``.
- Reply-To is an address with a key. A reply to it becomes a post of the person who got the email.
  In some versions List-Post is the same.
- If a forum's setting "private email" is on, its emails have neither post nor name.

Only two headers matter: Reply-To, and List-Archive, which must agree with the body. List-Archive
tells a forum's emails apart from those of people. Nothing here proves that the forum sent the
email; other modules decide that.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from email.message import Message
from urllib.parse import unquote, urlsplit

from selectolax.lexbor import LexborHTMLParser

from service.mail.body import first_text
from service.mail.replies import Line

HeaderValues = Callable[[str], Sequence[str]]
"""The values of all headers of a name, each as one line."""
HeaderPairs = Callable[[str], Sequence[tuple[str, str]]]
"""Display name and bare lower-case address of all mailboxes in the headers of a name."""

_THREAD = re.compile(r"(?:/[^/]+)*?/t/(?:[^/]+/)?(\d{1,12})(?:/\d+)?/?")
_USER = re.compile(r"(?:/[^/]+)*?/(?:u|users)/([^/]{1,60})/?")
_END = re.compile(r"^[ \t]*-{2,}[ \t]*$", re.MULTILINE)
#: the end of a fence is at least as long as its beginning, and alone in its line (CommonMark 4.5)
_FENCE = re.compile(r"^[ \t]*((`|~)\2{2,}).*?(?:^[ \t]*\1\2*[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_MARK = re.compile(
    r"\[(?P<end>/?)(?P<kind>quote|code)\b[^\]\n]{0,200}\]"
    r"|<(?P<close>/?)(?P<tag>blockquote|pre|code)\b[^>\n]{0,200}>",
    re.IGNORECASE,
)
#: a line that Markdown may show as code if it begins with enough blanks; their number is often not
#: signed (RFC 6376 §3.4.4)
_CODE = re.compile(r"[ \t]")
#: characters of a post that are read, and lines
_LONGEST, _MOST = 40_000, 400


@dataclass(frozen=True, slots=True)
class Notification:
    """A post on a forum, as an email describes it.

    ``host`` is the host of the forum's pages, ``topic`` the number of the thread, ``writer`` the
    name of the post's writer in lower case. ``reply_to`` is the address that posts there, '' if
    there is none. ``lines`` are the writer's own lines, without quotations and code.
    """

    host: str = ""
    topic: str = ""
    writer: str = ""
    reply_to: str = ""
    lines: tuple[Line, ...] = ()

    @property
    def describes_post(self) -> bool:
        """Whether the email describes a post at all."""
        return bool(self.topic and self.writer)


NO_FORUM = Notification()


def notification(values: HeaderValues, pairs: HeaderPairs, message: Message) -> Notification:
    """The post that an email describes; `NO_FORUM` if there is none. Raises OutOfBounds."""
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
        # anybody may write a header, but the body is signed
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
    """The lines of a post that its writer wrote, with their numbers in the post."""
    body = text[:_LONGEST].replace("\r\n", "\n")
    # First of all: a quotation that the writer did not close must not reach into other posts.
    end = _END.search(body)
    body = body[: end.start()] if end else body
    body = _outside(_FENCE.sub(lambda found: _breaks(found[0]), body))
    for number, line in enumerate(body.split("\n")[:_MOST], 1):
        if line.strip() and not line.lstrip().startswith(">") and not _CODE.match(line):
            yield Line(number, line.strip())


def _outside(body: str) -> str:
    """The text outside of quotations and code; these may be nested."""
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
    """The line breaks of a removed text, so that line numbers stay the same."""
    return "\n" * text.count("\n")
