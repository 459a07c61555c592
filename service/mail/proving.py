"""What proves the sender of a mail, and how much a game asks for; knows no games and no database.

Four things may speak for a player (`Proof`): the registered address as From, the token of the seat,
that the sender's domain vouches for the From line, and the pass phrase. A grade says which of them
are enough. `Authentication-Results` counts only where our own server wrote it (RFC 8601 §5).
"""

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Literal

from service.mail.evidence import Evidence, Results, Signature, Verdict

Grade = Literal["friendly", "standard", "tournament"]
GRADES: tuple[Grade, ...] = ("friendly", "standard", "tournament")

#: what each grade asks for, as players and organisers are told
ASKS: dict[Grade, str] = {
    "friendly": "a mail counts from your registered address, or to your seat's own address",
    "standard": "a mail counts from your registered address to your seat's own address, or from "
    "that address with your mail server's signature",
    "tournament": "a mail counts from your registered address to your seat's own address with your "
    "mail server's signature; where your server does not sign, with your pass phrase",
}


@dataclass(frozen=True, slots=True)
class Proof:
    """What speaks for a mail's sender being somebody.

    ``sender``: From is a registered address. ``token``: it came to an address, or answers a letter,
    that has their token. ``signed``: the domain of From vouches for it. ``bound``: that covers to
    whom it was sent, and that it was sent once. ``phrase``: it has their pass phrase.
    """

    sender: bool = False
    token: bool = False
    signed: bool = False
    bound: bool = False
    phrase: bool = False

    def enough(self, grade: Grade) -> bool:
        """Whether it is enough to act for them.

        A pass phrase is what only its owner knows, so it stands for the From line, which anybody
        can write, and for the signature of a server that does not sign. Without a token a
        signature must be bound: a mail that was written to others could be sent on to us.
        """
        if grade == "friendly":
            return self.sender or self.token
        if self.token and self.phrase:
            return True
        if grade == "standard":
            return self.sender and (self.token or (self.signed and self.bound))
        return self.sender and self.token and self.signed

    def signature_matters(self, grade: Grade) -> bool:
        """Whether it would be enough if only the From line were vouched for."""
        return not self.enough(grade) and replace(self, signed=True, bound=True).enough(grade)


# ------------------------------------------------------------------- the domain of the sender


def aligned(sender: str, domain: str) -> bool:
    """Whether a domain may vouch for a sender: it is theirs, or theirs lies within it.

    RFC 7489 §3.1.1 allows relatives, too, which needs a list of who is whose; whoever has the key
    of a domain has power over the domains below it, and not over those beside it.
    """
    host, domain = sender.rpartition("@")[2].lower(), domain.lower().rstrip(".")
    return "." in domain and (host == domain or host.endswith(f".{domain}"))


def vouching(evidence: Evidence, sender: str, received: int) -> tuple[Signature, ...]:
    """The signatures that would vouch for a sender of a mail that came then, if they hold."""
    if evidence.senders != 1:
        return ()
    return tuple(
        signature
        for signature in evidence.signatures
        if aligned(sender, signature.domain)
        and not signature.fault
        and (signature.until is None or received <= signature.until)
    )


def by_our_server(
    evidence: Evidence, sender: str, received: int, server: str, mailbox: str
) -> tuple[bool, bool] | None:
    """Whether our own server found that the sender's domain vouches for a mail, and is bound.

    None where it has not looked: then we may look ourselves. ``server`` is its authserv-id.
    """
    found = own_results(evidence, server, mailbox) if server else None
    verdicts = [v for v in found.verdicts if v.method in ("dkim", "dmarc")] if found else []
    if not verdicts:
        return None
    if evidence.senders != 1 or not any(_passes(verdict, sender) for verdict in verdicts):
        return False, False
    own = [s for s in evidence.signatures if aligned(sender, s.domain)]
    good = vouching(evidence, sender, received)
    # A server may let a signature pass that covers the first words of a mail only.
    if own and not good:
        return False, False
    return True, any(signature.bound for signature in good)


def _passes(verdict: Verdict, sender: str) -> bool:
    if verdict.result != "pass":
        return False
    if verdict.method == "dmarc":
        return verdict.domain in ("", sender.rpartition("@")[2].lower())
    return aligned(sender, verdict.domain)


def own_results(evidence: Evidence, server: str, mailbox: str) -> Results | None:
    """The results that our own server wrote, None if it wrote none.

    Only the topmost field with its name can be its own: it writes above what came from outside, and
    what stands below was there before, or was written when the mail passed here an earlier time.
    And nobody but our own servers can have received the mail after that.
    """
    wanted = server.lower()
    found = next((one for one in evidence.results if one.server == wanted), None)
    if found is None or not all(_ours(host, wanted, mailbox) for host in found.above):
        return None
    return found


_INNER = re.compile(
    r"[^.]*|\[?[0-9a-f]*:[0-9a-f:.]*\]?|\[?\d+(?:\.\d+){3}\]?|"
    r".*\.(?:internal|local|lan|localdomain|home\.arpa)"
)


def _ours(host: str, server: str, mailbox: str) -> bool:
    """Whether a host is one of the house: by its name, or because only a house has such names."""
    own = mailbox.rpartition("@")[2].lower()
    parent = server.partition(".")[2]
    homes: Collection[str] = {server, own, *([parent] if "." in parent else [])}
    within = any(host == home or host.endswith(f".{home}") for home in homes)
    return within or _INNER.fullmatch(host) is not None
