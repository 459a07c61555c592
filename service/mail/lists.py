"""Which list delivered an email, who wrote it, and whether it is a post.

A list may write its own address into From, so that servers that check DMARC accept the email. Then
the place of the writer's address depends on the list manager:

- Mailman 3 ("DMARC Mitigations" of its handlers' documentation): ``Anne via Ant <ant@…>``. The
  former From is in Reply-To, or in Cc if replies go to the list. Or Mailman wraps the whole email
  as ``message/rfc822`` in one with such headers.
- Google Groups, as posts in public archives show: ``'Anne' via Ant <ant@googlegroups.com>`` with
  X-Original-From, X-Original-Sender and Reply-To, and ``Mailing-list: list ADDRESS; contact …``.
- groups.io, from the same kind of source: ``Anne via groups.io <anne=example.com@groups.io>``, with
  ``Mailing-List``, ``Delivered-To: mailing list ADDRESS`` and ``Precedence: Bulk``.
- Sympa (``dmarc_protection`` in list_config(5)): ``"Anne" (via Ant) <ant@…>``, with the former From
  in X-Original-From. Its phrase may contain the address too, or only the list. Its ``other_email``
  puts any address there; then the writer is unknown.
- IETF's lists, as their emails show: ``anne=40example.com@dmarc.ietf.org`` and X-Original-From.
- mlmmj (its TUNABLES) and plain aliases leave From unchanged. mlmmj marks its emails only if its
  owner says so in ``customheaders``, and an alias never does. Then only To or Cc names the list.

A poster may write any of these headers too, and a list passes on headers that it does not know. So
if From is a person's address, it counts, whatever the other headers say. If From is the list's
address, all headers that name the writer must agree. Other modules decide how well the writer is
proved.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from service.mail.automatic import ROBOT

HeaderPairs = Callable[[str], Sequence[tuple[str, str]]]
"""Display name and bare lower-case address of all mailboxes in the headers of a name."""
HeaderValues = Callable[[str], Sequence[str]]
"""The values of all headers of a name, each as one line."""


@dataclass(frozen=True, slots=True)
class Listing:
    """The facts in an email about lists.

    ``addresses`` are lists that its headers name. ``ids`` are the contents of List-Id (RFC 2919).
    Both are in lower case. ``writer`` is the address of the writer, '' if it is unknown.
    ``rewritten`` says that From is not the writer's address. ``office`` is why it is no post of a
    member, '' for a post.
    """

    addresses: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    writer: str = ""
    rewritten: bool = False
    office: str = ""

    def of(self, address: str, shared: Sequence[str] = ()) -> bool:
        """Whether the list of that address delivered the email, or the email went to it.

        ``shared`` are the addresses of To and Cc: an alias leaves no other trace.
        """
        wanted = address.lower()
        named = wanted in self.addresses or wanted.replace("@", ".") in self.ids
        return named or wanted in shared


NO_LIST = Listing()


def listing(values: HeaderValues, pairs: HeaderPairs, kind: str, subject: str) -> Listing:
    """The list facts in an email's headers; ``kind`` is its content type, ``subject`` decoded."""
    addresses = tuple(dict.fromkeys(_named(values)))
    ids = tuple(dict.fromkeys(_ids(values)))
    senders = {bare: shown for shown, bare in pairs("From")}
    if len(senders) != 1:
        return Listing(addresses, ids, office="no single sender address")
    sender, shown = next(iter(senders.items()))
    office = _office(sender, kind, subject, (*addresses, *ids))
    if not addresses and not ids:
        return Listing(writer=sender, office=office)
    if not _rewrites(sender, addresses, ids):
        return Listing(addresses, ids, sender, office=office)
    return Listing(addresses, ids, _writer(pairs, sender, shown, addresses), True, office)


def unwrapped(outer: Listing, inner: Sequence[str]) -> Listing:
    """The same for an email that wraps another one, whose From has the addresses ``inner``."""
    found = {*inner, *((outer.writer,) if outer.writer else ())}
    return Listing(
        outer.addresses,
        outer.ids,
        next(iter(found)) if len(found) == 1 else "",
        True,
        outer.office,
    )


# ---------------------------------------------------------------------------- which list

_ADDRESS = re.compile(r"[^\s<>;,:\"()]{1,120}@[a-z0-9.-]{1,200}", re.I)
_MAILTO = re.compile(r"<mailto:([^\s<>?]{1,320})", re.I)
_ID = re.compile(r"<([a-z0-9.+_=-]{1,250})>\s*$", re.I)
_LIST = re.compile(r"(?:mailing )?list\s+(\S+)", re.I)


def _named(values: HeaderValues) -> Iterator[str]:
    for value in values("List-Post"):
        yield from (found.lower() for found in _MAILTO.findall(value))
    for name in ("Mailing-List", "Delivered-To"):
        # In Delivered-To only "mailing list ADDRESS" names a list; other values name recipients.
        for value in values(name):
            told = _LIST.match(value)
            if told and (found := _ADDRESS.fullmatch(told[1].rstrip(";"))):
                yield found[0].lower()
    for name in ("X-BeenThere", "X-Mailing-List"):
        for value in values(name):
            found = _ADDRESS.search(value)
            if found:
                yield found[0].lower()


def _ids(values: HeaderValues) -> Iterator[str]:
    for value in values("List-Id"):
        found = _ID.search(value) or re.fullmatch(r"([a-z0-9.+_=-]{1,250})", value, re.I)
        if found:
            yield found[1].lower()


# ---------------------------------------------------------------------------- who wrote

#: anne=example.com@groups.io, and anne=40example.com@dmarc.ietf.org
_FOLDED = re.compile(r"(?P<local>[^@\s]+)=(?:40)?(?P<host>[a-z0-9-]+(?:\.[a-z0-9-]+)+)@.+", re.I)
#: Anne via Ant; "Anne" (via Ant); 'Anne' via Ant
_VIA = re.compile(r"""['"]?(.*?\S)['"]?\s+\(?via\s+\S.*""", re.I | re.DOTALL)


def _rewrites(sender: str, addresses: Sequence[str], ids: Sequence[str]) -> bool:
    """Whether From is an address of the list, and not of the writer."""
    if sender in addresses or sender.replace("@", ".") in ids:
        return True
    if not _FOLDED.fullmatch(sender):
        return False
    host = sender.rpartition("@")[2]
    hosts = {address.rpartition("@")[2] for address in addresses} | set(ids)
    return any(_near(host, other) for other in hosts)


def _near(host: str, other: str) -> bool:
    """Whether two hosts belong to one service, such as dmarc.ietf.org and bpf.ietf.org."""
    one, two = host.split(".")[-2:], other.split(".")[-2:]
    return len(one) == 2 and one == two


def _writer(pairs: HeaderPairs, sender: str, shown: str, addresses: Sequence[str]) -> str:
    """The writer's address, if all headers that name one agree; '' otherwise."""
    lists = {sender, *addresses}

    def told(name: str) -> set[str]:
        return {bare for _, bare in pairs(name)} - lists

    witnesses = [told(name) for name in ("X-Original-From", "Original-From", "Reply-To")]
    folded = _FOLDED.fullmatch(sender)
    if folded:
        witnesses.append({f"{folded['local']}@{folded['host']}".lower()})
    named = _VIA.fullmatch(shown)
    if named:
        called = named[1].casefold()
        witnesses.append({b for one, b in pairs("Cc") if one.casefold() == called} - lists)
    said = [found for found in witnesses if found]
    if not said:
        # Envelope senders may belong to a program, so they count only if nothing else is there.
        said = [found for name in ("X-Original-Sender", "X-MailFrom") if (found := told(name))]
    common = set[str]().union(*said)
    return next(iter(common)) if len(common) == 1 else ""


# ---------------------------------------------------------------------------- what is no post

#: additions with which list managers form their own addresses: mlmmj's README, Mailman 3 "Mail
#: delivery", RFC 2142 §6, and emails of groups.io and of Google Groups
_OFFICE = re.compile(
    r"[-+](?:request|sub|unsub|help|faq|return|admin|join|leave|(?:un)?subscribe|moderate|"
    r"moderators?|digest|editor|verify|release|reject|get-\d+)(?:[-+=].*)?",
    re.I,
)
_DIGEST = re.compile(
    r"(?:\[[^\]]{1,60}\]\s*+)?(?:digest (?:for|of)\b.*|.*\bdigest,? (?:vol|number|issue|#)\b.*|"
    r".*\bdigest of\b.*)",
    re.I | re.DOTALL,
)


def _office(sender: str, kind: str, subject: str, lists: Sequence[str]) -> str:
    """Why an email is no post of a member, '' for a post.

    ``lists`` are the addresses and the ids of the lists.
    """
    local, _, host = sender.partition("@")
    for name in lists:
        own, _, others = name.partition("@" if "@" in name else ".")
        named = host == others and local.startswith(own)
        if ROBOT.fullmatch(sender) or (named and _OFFICE.fullmatch(local[len(own) :])):
            return f"an email of the list itself, from {sender}"
    if kind == "multipart/digest" or _DIGEST.fullmatch(subject[:300]):
        return "a digest"
    return ""
