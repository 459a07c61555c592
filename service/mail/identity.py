"""Says which seat a mail claims and whether it may; knows no database and trusts no display text.

The claim is a keyed hash of game, seat and epoch, so nothing is stored, and raising the epoch of
a seat revokes every address given out before.
"""

import base64
import hashlib
import hmac
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

from service.mail.message import Mail

TOKEN_LENGTH = 16
"""Characters of a token: 80 bits in lower-case base32, safe where mail programs fold case."""
SLUG_LENGTH = 16
LOCAL_PART_LIMIT = 64  # octets, RFC 5321 §4.5.3.1.1

_CLAIM = r"(?P<game>[a-z0-9-]+)\.(?P<seat>[a-z0-9-]+)\.(?P<token>[a-z2-7]{16})"


@dataclass(frozen=True, slots=True)
class Claim:
    """What an address or a Message-ID says: game and seat as slugs, and the token to prove it."""

    game: str
    seat: str
    token: str


def slug(name: str) -> str:
    """``name`` in ``[a-z0-9-]``, at most 16 characters, never empty.

    Different names may share a slug ("Jörg", "Jorg"): the token is made from the full name, so
    `match` still tells them apart.
    """
    letters = unicodedata.normalize("NFKD", name).casefold()
    letters = "".join(c for c in letters if not unicodedata.combining(c))
    return re.sub(r"[^a-z0-9]+", "-", letters).strip("-")[:SLUG_LENGTH].strip("-") or "x"


def seat_token(secret: bytes, game: str, seat: str, epoch: int) -> str:
    """The token of a seat in a game: 80 bits of HMAC-SHA256 (RFC 2104)."""
    return _token(secret, "seat", slug(game), _canonical(seat), str(epoch))


def seat_address(mailbox: str, secret: bytes, game: str, seat: str, epoch: int) -> str:
    """The address that speaks for a seat: ``play+GAME.SEAT.TOKEN@host`` for ``play@host``.

    Raises ValueError where the mailbox name leaves no room for it.
    """
    local, _, host = mailbox.lower().rpartition("@")
    part = f"{local}+{_claim_text(secret, game, seat, epoch)}"
    if not local or len(part) > LOCAL_PART_LIMIT:
        raise ValueError(f"no seat address can be made from the mailbox {mailbox!r}: {part!r}")
    return f"{part}@{host}"


def read_address(address: str, mailbox: str) -> Claim | None:
    """The claim in a seat address of ``mailbox``; None for every other address."""
    local, _, host = mailbox.lower().rpartition("@")
    pattern = rf"{re.escape(local)}\+{_CLAIM}@{re.escape(host)}"
    found = re.fullmatch(pattern, address.lower())
    return Claim(**found.groupdict()) if found else None


def message_id(
    mailbox: str, secret: bytes, game: str, seat: str, epoch: int, key: int | str
) -> str:
    """The Message-ID of a mail to a seat; an answer brings it back in In-Reply-To.

    It carries the claim for mailboxes without plus addressing. ``key`` makes it unique, and the
    same key makes the same id: a mail sent twice is shown once.
    """
    host = mailbox.lower().rpartition("@")[2]
    mark = re.sub(r"[^a-z0-9-]+", "-", str(key).lower())
    return f"<{_claim_text(secret, game, seat, epoch)}.{mark}@{host}>"


def read_message_id(identifier: str, mailbox: str) -> Claim | None:
    """The claim in a Message-ID of ours; None for every other."""
    host = mailbox.lower().rpartition("@")[2]
    found = re.fullmatch(rf"<{_CLAIM}\.[a-z0-9-]+@{re.escape(host)}>", identifier.lower())
    return Claim(**found.groupdict()) if found else None


def claims(mail: Mail, mailbox: str) -> tuple[Claim, ...]:
    """Every claim a mail makes: by the addresses it went to, else by the mails it answers.

    The newest reference comes first. None of them is proved yet.
    """
    by_address = [read_address(address, mailbox) for address in mail.recipients]
    found = [claim for claim in by_address if claim is not None]
    if not found:
        identifiers = (mail.in_reply_to, *reversed(mail.references))
        by_thread = [read_message_id(identifier, mailbox) for identifier in identifiers]
        found = [claim for claim in by_thread if claim is not None]
    return tuple(dict.fromkeys(found))


def verify(secret: bytes, claim: Claim, seat: str, epoch: int) -> bool:
    """Whether the claim is proved for that seat of its game at that epoch; in constant time."""
    return hmac.compare_digest(claim.token, seat_token(secret, claim.game, seat, epoch))


def match(secret: bytes, claim: Claim, epochs: Mapping[str, int]) -> str | None:
    """The seat, of those known in the game with their epochs, for which the claim is proved."""
    for seat, epoch in epochs.items():
        if slug(seat) == claim.seat and verify(secret, claim, seat, epoch):
            return seat
    return None


def one_time(secret: bytes, purpose: str, address: str, *parts: str | int) -> str:
    """A token to send to ``address`` and have sent back, as proof that its owner agrees.

    The caller sees to it that it works once, by a part that changes when it has been used.
    """
    return _token(secret, "once", purpose, address.lower(), *(str(part) for part in parts))


def proves(secret: bytes, token: str, purpose: str, address: str, *parts: str | int) -> bool:
    """Whether ``token`` is the one made by `one_time` for all of that; in constant time."""
    given = token.strip().lower().encode()
    return hmac.compare_digest(given, one_time(secret, purpose, address, *parts).encode())


def _claim_text(secret: bytes, game: str, seat: str, epoch: int) -> str:
    return f"{slug(game)}.{slug(seat)}.{seat_token(secret, game, seat, epoch)}"


def _canonical(seat: str) -> str:
    return unicodedata.normalize("NFC", seat).casefold()


def _token(secret: bytes, *parts: str) -> str:
    if len(secret) < 16:
        raise ValueError("the secret has fewer than 16 bytes")
    # Each part with its length, so that no two lists of parts make the same text.
    text = "".join(f"{len(part)}:{part}," for part in parts)
    digest = hmac.new(secret, text.encode(), hashlib.sha256).digest()
    return base64.b32encode(digest).decode().lower()[:TOKEN_LENGTH]
