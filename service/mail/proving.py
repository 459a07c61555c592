"""Decides which evidence proves the sender of an email, and whether it is enough for a game.

It knows no games and no database. Four kinds of evidence may speak for a player (`Proof`): the
registered address as From, the token of the seat, a signature of the sender's domain over the
contents, and the pass phrase. A grade says which of them are enough. `Authentication-Results`
counts only if the operator's own server wrote it (RFC 8601 §5).
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from service.mail.evidence import Evidence, Results, Signature
from service.mail.grades import Grade


@dataclass(frozen=True, slots=True)
class Proof:
    """The evidence that the sender of an email is a certain person.

    ``sender``: From is a registered address. ``token``: the email came to an address, or answers a
    letter, that has the person's token. ``signed``: a signature of the domain of From covers the
    contents, the recipients and the date (`covered.py`). ``phrase``: it has the person's pass
    phrase.
    """

    sender: bool = False
    token: bool = False
    signed: bool = False
    phrase: bool = False

    def enough(self, grade: Grade) -> bool:
        """Whether the evidence is enough to act for the person.

        Only its owner knows a pass phrase. So it replaces the From line, which anybody can write,
        and also the signature of a server that does not sign.
        """
        if grade == "friendly":
            return self.sender or self.token
        if self.token and self.phrase:
            return True
        if grade == "standard":
            return self.sender and (self.token or self.signed)
        return self.sender and self.token and self.signed


# ------------------------------------------------------------------- the domain of the sender


def aligned(sender: str, domain: str) -> bool:
    """Whether a domain may vouch for a sender: it is the sender's domain or a parent of it.

    RFC 7489 §3.1.1 also allows related domains, but that needs a list of domain owners. The holder
    of a domain's key controls the domains below it, and no others.
    """
    host, domain = sender.rpartition("@")[2].lower(), domain.lower().rstrip(".")
    return "." in domain and (host == domain or host.endswith(f".{domain}"))


def vouching(evidence: Evidence, sender: str, received: int) -> tuple[Signature, ...]:
    """The signatures that would vouch for a sender, if valid.

    ``received`` is when the email came, in UTC seconds.
    """
    if evidence.senders != 1:
        return ()
    return tuple(
        signature
        for signature in evidence.signatures
        if aligned(sender, signature.domain)
        and not signature.fault
        and (signature.until is None or received <= signature.until)
    )


@dataclass(frozen=True, slots=True)
class Word:
    """The result of the operator's own server: valid signatures, and those that it omits."""

    holding: tuple[Signature, ...] = ()
    unknown: tuple[Signature, ...] = ()


def by_our_server(
    evidence: Evidence, sender: str, wanted: Sequence[Signature], server: str, mailbox: str
) -> Word:
    """The result of the operator's own server for these signatures.

    ``server`` is its authserv-id, '' for none. A result counts for the one signature that it can be
    about. `dmarc=pass` alone proves nothing. With SPF it says which server sent the email, which
    covers none of its bytes. A provider that forwards email sends the emails of all its customers.
    """
    found = own_results(evidence, server, mailbox) if server else None
    if found is None:
        return Word(unknown=tuple(wanted))
    host = sender.rpartition("@")[2].lower()
    checked = [verdict for verdict in found.verdicts if verdict.method == "dkim"]
    denied = any(
        verdict.method == "dmarc" and verdict.result == "fail" and verdict.domain in ("", host)
        for verdict in found.verdicts
    )
    if denied or any(verdict.result == "none" for verdict in checked):
        return Word()
    holding: list[Signature] = []
    unknown: list[Signature] = []
    for signature in wanted:
        told = [verdict for verdict in checked if verdict.about(signature)]
        if any(verdict.result != "pass" for verdict in told):
            continue
        alone = [v for v in told if sum(map(v.about, evidence.signatures)) == 1]
        (holding if alone else unknown).append(signature)
    return Word(tuple(holding), tuple(unknown))


def own_results(evidence: Evidence, server: str, mailbox: str) -> Results | None:
    """The results that the operator's own server wrote, None if it wrote none.

    Only the topmost field with its name can be its own, because it writes above everything that
    came from outside. A field below was there before, or the server wrote it when the email passed
    here an earlier time. And only the operator's own servers can have received the email after
    that.
    """
    wanted = server.lower()
    found = next((one for one in evidence.results if one.server == wanted), None)
    if (
        found is None
        or found.broken
        or not all(_ours(host, wanted, mailbox) for host in found.above)
    ):
        return None
    return found


_INNER = re.compile(
    r"[^.]*|\[?[0-9a-f]*:[0-9a-f:.]*\]?|\[?\d+(?:\.\d+){3}\]?|"
    r".*\.(?:internal|local|lan|localdomain|home\.arpa)"
)


def _ours(host: str, server: str, mailbox: str) -> bool:
    """Whether a host belongs to the operator, by its name or because it has an internal name."""
    own = mailbox.rpartition("@")[2].lower()
    parent = server.partition(".")[2]
    homes: Collection[str] = {server, own, *([parent] if "." in parent else [])}
    within = any(host == home or host.endswith(f".{home}") for home in homes)
    return within or _INNER.fullmatch(host) is not None
