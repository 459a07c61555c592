"""What a mail says of the list that brought it: which list, who wrote it, whether it is a post.

A list may write its own address into From, so that servers which heed DMARC take the mail. Where
the writer stands then differs from one list manager to the next:

- Mailman 3 ("DMARC Mitigations" of its handlers' documentation): ``Anne via Ant <ant@…>``, and the
  former From in Reply-To, or in Cc where replies go to the list; or the whole mail wrapped as
  ``message/rfc822`` in one with such headers.
- Google Groups, as posts in public archives are: ``'Anne' via Ant <ant@googlegroups.com>`` with
  X-Original-From, X-Original-Sender and Reply-To, and ``Mailing-list: list ADDRESS; contact …``.
- groups.io, likewise: ``Anne via groups.io <anne=example.com@groups.io>``, with
  ``Mailing-List``, ``Delivered-To: mailing list ADDRESS`` and ``Precedence: Bulk``.
- Sympa (``dmarc_protection`` in list_config(5)): ``"Anne" (via Ant) <ant@…>``, with the former
  From in X-Original-From; its phrase may have the address as well, or only the list. Its
  ``other_email`` puts any address there: then nobody has written.
- IETF's lists, as their mails are: ``anne=40example.com@dmarc.ietf.org`` and X-Original-From.
- mlmmj (its TUNABLES) and plain aliases leave From as it is. mlmmj marks its mails only where its
  owner has said so in ``customheaders``, an alias never does: there the list stands in To or Cc.

A poster may write any of these headers too, and a list passes on what it does not know. So From
counts wherever it is a person's, whatever the others say; and where it is the list's, all that
tell of the writer must agree. Who is proved so to what degree is for others to say.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from service.mail.automatic import ROBOT

Pairs = Callable[[str], Sequence[tuple[str, str]]]
"""Display name and bare lower-case address of all mailboxes in the headers of a name."""
Values = Callable[[str], Sequence[str]]
"""The values of all headers of a name, each as one line."""


@dataclass(frozen=True, slots=True)
class Listing:
    """What a mail says about lists.

    ``addresses`` are lists that its headers name, ``ids`` what stands in List-Id (RFC 2919), both
    in small letters. ``writer`` is who wrote it, '' where that cannot be told; ``rewritten`` says
    that From was not theirs. ``office`` is why it is no post of a member, '' for a post.
    """

    addresses: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    writer: str = ""
    rewritten: bool = False
    office: str = ""

    def of(self, address: str, shared: Sequence[str] = ()) -> bool:
        """Whether the mail was brought by the list of that address, or went to it.

        ``shared`` are the addresses of To and Cc: an alias leaves no other trace.
        """
        wanted = address.lower()
        named = wanted in self.addresses or wanted.replace("@", ".") in self.ids
        return named or wanted in shared


NO_LIST = Listing()


def listing(values: Values, pairs: Pairs, kind: str, subject: str) -> Listing:
    """What the headers of a mail say; ``kind`` is its content type, ``subject`` decoded."""
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
    """The same of a mail that wraps another, whose From has the addresses ``inner``."""
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


def _named(values: Values) -> Iterator[str]:
    for value in values("List-Post"):
        yield from (found.lower() for found in _MAILTO.findall(value))
    for name in ("Mailing-List", "Delivered-To"):
        # Of Delivered-To only "mailing list ADDRESS" is of a list; the rest is where a copy went.
        for value in values(name):
            told = _LIST.match(value)
            if told and (found := _ADDRESS.fullmatch(told[1].rstrip(";"))):
                yield found[0].lower()
    for name in ("X-BeenThere", "X-Mailing-List"):
        for value in values(name):
            found = _ADDRESS.search(value)
            if found:
                yield found[0].lower()


def _ids(values: Values) -> Iterator[str]:
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
    """Whether From is the list's own, and not its writer's."""
    if sender in addresses or sender.replace("@", ".") in ids:
        return True
    if not _FOLDED.fullmatch(sender):
        return False
    host = sender.rpartition("@")[2]
    hosts = {address.rpartition("@")[2] for address in addresses} | set(ids)
    return any(_near(host, other) for other in hosts)


def _near(host: str, other: str) -> bool:
    """Whether two hosts are of one service: dmarc.ietf.org and bpf.ietf.org."""
    one, two = host.split(".")[-2:], other.split(".")[-2:]
    return len(one) == 2 and one == two


def _writer(pairs: Pairs, sender: str, shown: str, addresses: Sequence[str]) -> str:
    """The one address that all agree on who tell of it, '' if there is none."""
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
        # Envelope senders, which may be those of a program: only where nothing else is there.
        said = [found for name in ("X-Original-Sender", "X-MailFrom") if (found := told(name))]
    common = set[str]().union(*said)
    return next(iter(common)) if len(common) == 1 else ""


# ---------------------------------------------------------------------------- what is no post

#: what list managers add to a list's name for mails of their own: mlmmj's README, Mailman 3 "Mail
#: delivery", RFC 2142 §6, and what stands in mails of groups.io and of Google Groups
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
    """``lists`` are their addresses, and their ids."""
    local, _, host = sender.partition("@")
    for name in lists:
        own, _, others = name.partition("@" if "@" in name else ".")
        named = host == others and local.startswith(own)
        if ROBOT.fullmatch(sender) or (named and _OFFICE.fullmatch(local[len(own) :])):
            return f"an email of the list itself, from {sender}"
    if kind == "multipart/digest" or _DIGEST.fullmatch(subject[:300]):
        return "a digest"
    return ""
