"""Says which seat an email claims, and whether the claim is proved.

It knows no database and trusts no display text. The claim is a keyed hash of game, seat and epoch,
so nothing is stored. A higher epoch of a seat revokes every address that was given out before. An
address in a letter about a position also has the number of that position, under the same hash. So
it says which position its writer had seen.
"""

import base64
import hmac
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

from service.mail.message import Mail

TOKEN_LENGTH = 16
"""Characters of a token: 80 bits in lower-case base32, because some mail programs change case."""
SLUG_LENGTH = 16
LOCAL_PART_LIMIT = 64  # octets, RFC 5321 §4.5.3.1.1

_CLAIM = r"(?P<game>[a-z0-9-]+)\.(?P<seat>[a-z0-9-]+)\.(?P<token>[a-z2-7]{16})"
_ADDRESS = re.compile(rf"{_CLAIM}(?:\.(?P<shot>b)?(?P<number>\d{{1,9}}))?")
_IN_SUBJECT = re.compile(r"#(\d{1,9})\b")


@dataclass(frozen=True, slots=True)
class Claim:
    """The claim in an address or a Message-ID.

    ``game`` and ``seat`` are slugs, and the token proves the claim. ``game`` may be a tournament;
    ``seat`` may be an office, or the purpose of an address that is no seat's. ``number`` is the
    position that the letter showed. ``sealed`` says whether the token vouches for the number too,
    as in addresses. The seat in such an address may be cut if it is too long. ``shot`` is the token
    of a button: it is valid only for the decision at that position. ``threaded`` says that the
    claim is in a Message-ID.
    """

    game: str
    seat: str
    token: str
    number: int | None = None
    sealed: bool = False
    shot: bool = False
    threaded: bool = False

    @property
    def names_no_position(self) -> bool:
        """Whether it is in an address without a number, as that of a question about an address."""
        return not self.sealed and not self.threaded


def slug(name: str) -> str:
    """``name`` in ``[a-z0-9-]``, at most 16 characters, never empty.

    Different names may have the same slug ("Jörg", "Jorg"). The token is made from the full name,
    so `match` still tells them apart.
    """
    letters = unicodedata.normalize("NFKD", name).casefold()
    letters = "".join(c for c in letters if not unicodedata.combining(c))
    return re.sub(r"[^a-z0-9]+", "-", letters).strip("-")[:SLUG_LENGTH].strip("-") or "x"


def seat_token(secret: bytes, game: str, seat: str, epoch: int, number: int | None = None) -> str:
    """The token of a seat in a game: 80 bits of HMAC-SHA256 (RFC 2104).

    With ``number`` it also vouches for the position that a letter showed.
    """
    shown = () if number is None else (f"#{number}",)
    return _token(secret, "seat", slug(game), _canonical(seat), str(epoch), *shown)


def button_token(secret: bytes, game: str, seat: str, epoch: int, number: int) -> str:
    """A token that is valid only for the decision at one position."""
    return _token(secret, "button", slug(game), _canonical(seat), str(epoch), f"#{number}")


def check_length(address: str) -> None:
    """Raises ValueError if the longest address of a seat, made of the service's, is invalid."""
    longest = "x" * SLUG_LENGTH
    seat_address(address, bytes(16), longest, longest, 0)


def seat_address(
    mailbox: str, secret: bytes, game: str, seat: str, epoch: int, number: int | None = None
) -> str:
    """The address that speaks for a seat: ``play+GAME.SEAT.TOKEN@host`` for ``play@host``.

    With the ``number`` of the position in its letter it is ``play+GAME.SEAT.TOKEN.NUMBER@host``.
    There a seat's name is cut if it is too long. Raises ValueError if the mailbox name leaves no
    room for the rest.
    """
    token = seat_token(secret, game, seat, epoch, number)
    return _address(mailbox, game, seat, token, "" if number is None else f".{number}")


def button_address(
    mailbox: str, secret: bytes, game: str, seat: str, epoch: int, number: int
) -> str:
    """The same as `seat_address` for a button: ``play+GAME.SEAT.TOKEN.bNUMBER@host``."""
    return _address(
        mailbox, game, seat, button_token(secret, game, seat, epoch, number), f".b{number}"
    )


def _address(mailbox: str, game: str, seat: str, token: str, shown: str) -> str:
    local, _, host = mailbox.lower().rpartition("@")
    called = slug(seat)
    part = f"{local}+{slug(game)}.{called}.{token}{shown}"
    if shown:
        over = min(max(len(part) - LOCAL_PART_LIMIT, 0), len(called) - 1)
        part = f"{local}+{slug(game)}.{called[: len(called) - over]}.{token}{shown}"
    if not local or len(part) > LOCAL_PART_LIMIT:
        raise ValueError(f"no seat address can be made from the mailbox {mailbox!r}: {part!r}")
    return f"{part}@{host}"


def is_own(address: str, *mailboxes: str) -> bool:
    """Whether an address is that of one of ``mailboxes``, alone or with something after a "+"."""
    alone = address.lower() in (mailbox.lower() for mailbox in mailboxes)
    return alone or _after_plus(address, *mailboxes) is not None


def _after_plus(address: str, *mailboxes: str) -> str | None:
    """What an address of one of ``mailboxes`` has after its "+"; None for any other address."""
    given = address.lower()
    for mailbox in mailboxes:
        local, _, host = mailbox.lower().rpartition("@")
        if given.startswith(f"{local}+") and given.endswith(f"@{host}"):
            return given[len(local) + 1 : -len(host) - 1]
    return None


_BOUNCE = re.compile(r"bounce-(\d{1,18})\.([a-z2-7]{16})")


def bounce_address(mailbox: str, secret: bytes, letter: int) -> str:
    """The envelope sender of a letter. A bounce to it shows which letter failed (VERP)."""
    local, _, host = mailbox.lower().rpartition("@")
    return f"{local}+bounce-{letter}.{_token(secret, 'bounce', str(letter))}@{host}"


def read_bounce(address: str, secret: bytes, *mailboxes: str) -> int | None:
    """The letter that a bounce to this address is about; None for any other address."""
    found = _BOUNCE.fullmatch(_after_plus(address, *mailboxes) or "")
    if found is None or not same(_token(secret, "bounce", found[1]), found[2]):
        return None
    return int(found[1])


def claim_address(mailbox: str, game: str, seat: str, token: str) -> str:
    """An address with a token that is not the seat's, such as one from `one_time`."""
    return _address(mailbox, game, seat, token, "")


def read_address(address: str, *mailboxes: str) -> Claim | None:
    """The claim in a seat address of one of ``mailboxes``; None for any other address."""
    found = _ADDRESS.fullmatch(_after_plus(address, *mailboxes) or "")
    return _claim(found, threaded=False) if found else None


# -------------------------------------------------------------------------------- Message-IDs

#: with a claim, and perhaps the position that the letter shows
_SEAT_ID = re.compile(rf"<{_CLAIM}\.(?:s(?P<number>\d{{1,9}})-)?[a-z0-9-]+@(?P<host>[^@]+)>")
#: of an email to a list or forum, which has no token because archives show it
_CHANNEL_ID = re.compile(
    r"<(?P<game>[a-z0-9-]+)\.(?P<word>list|forum)\.[a-z0-9-]+(?:\.s(?P<number>\d{1,9})-[a-z0-9-]+)?"
    r"@(?P<host>[^@]+)>"
)
_LETTER_ID = re.compile(r"<[^@]+\.[a-z2-7]{16}@[^@]+>")


def message_id(
    mailbox: str,
    secret: bytes,
    game: str,
    seat: str,
    epoch: int,
    key: str,
    number: int | None = None,
) -> str:
    """The Message-ID of an email to a seat. A reply returns it in In-Reply-To.

    It contains the claim, for mailboxes without plus addressing, and the ``number`` of the position
    that it shows. ``key`` makes it unique. The same key gives the same id, so mail programs show an
    email once that was sent twice.
    """
    return ticket_id(mailbox, game, seat, seat_token(secret, game, seat, epoch), key, number)


def ticket_id(
    mailbox: str, game: str, purpose: str, token: str, key: str, number: int | None = None
) -> str:
    """The Message-ID of a letter that asked something, for mailboxes without plus addressing."""
    host = mailbox.lower().rpartition("@")[2]
    return f"<{slug(game)}.{slug(purpose)}.{token}.{_mark(key, number)}@{host}>"


def letter_id(host: str, secret: bytes, address: str, key: str) -> str:
    """The Message-ID of a letter to an address without another token; a reply proves nothing.

    Only a person who got the letter can name the id.
    """
    return f"<{key}.{_token(secret, 'letter', address.lower(), key)}@{host}>"


def channel_ids(game: str, word: str) -> str:
    """The beginning of the Message-IDs of all emails to a game's "list" or "forum"."""
    return f"<{slug(game)}.{word}."


def channel_id(
    host: str, game: str, word: str, topic: str, key: str = "", number: int | None = None
) -> str:
    """The Message-ID of an email to a list or forum, which proves nothing."""
    shown = f".{_mark(key, number)}" if key else ""
    return f"{channel_ids(game, word)}{_mark(topic)}{shown}@{host}>"


def _mark(key: str, number: int | None = None) -> str:
    """The part of a Message-ID that makes it unique, with the position that its email shows."""
    mark = re.sub(r"[^a-z0-9-]+", "-", key.lower())
    return mark if number is None else f"s{number}-{mark}"


def read_message_id(identifier: str, *mailboxes: str) -> Claim | None:
    """The claim in a Message-ID of Waybill, at one of ``mailboxes``; None for any other."""
    found = _SEAT_ID.fullmatch(identifier.lower())
    hosts = [mailbox.lower().rpartition("@")[2] for mailbox in mailboxes]
    return _claim(found, threaded=True) if found and found["host"] in hosts else None


def read_channel_id(identifier: str, host: str, game: str, word: str) -> str | None:
    """The position in the Message-ID of an email to a list or forum, "" if it has none.

    None for any other Message-ID.
    """
    found = _CHANNEL_ID.fullmatch(identifier)
    if found is None or (found["game"], found["word"], found["host"]) != (slug(game), word, host):
        return None
    return found["number"] or ""


def bears_token(identifier: str) -> bool:
    """Whether a Message-ID of Waybill contains a token, so that nobody can guess it."""
    given = identifier.lower()
    if _CHANNEL_ID.fullmatch(given):
        return False
    return bool(_SEAT_ID.fullmatch(given) or _LETTER_ID.fullmatch(given))


# ------------------------------------------------------------------- what an email claims


def _claim(found: re.Match[str], *, threaded: bool) -> Claim:
    number = int(found["number"]) if found["number"] else None
    shot = not threaded and found["shot"] is not None
    sealed = not threaded and number is not None
    return Claim(found["game"], found["seat"], found["token"], number, sealed, shot, threaded)


def claims(mail: Mail, *mailboxes: str) -> tuple[Claim, ...]:
    """Every claim of an email: from the addresses that it went to, or the emails that it answers.

    The newest reference comes first. No claim is proved yet.
    """
    by_address = [read_address(address, *mailboxes) for address in mail.recipients]
    found = [claim for claim in by_address if claim is not None]
    if not found:
        identifiers = (mail.in_reply_to, *reversed(mail.references))
        by_thread = [read_message_id(identifier, *mailboxes) for identifier in identifiers]
        found = [claim for claim in by_thread if claim is not None]
    return tuple(dict.fromkeys(found))


def every_claim(mail: Mail, *mailboxes: str) -> tuple[Claim, ...]:
    """All claims that are visible in the headers of an email. No claim is proved."""
    by_address = (read_address(address, *mailboxes) for address in mail.recipients)
    identifiers = (mail.in_reply_to, *mail.references)
    by_thread = (read_message_id(identifier, *mailboxes) for identifier in identifiers)
    found = [claim for claim in (*by_address, *by_thread) if claim is not None]
    return tuple(dict.fromkeys(found))


def shown_number(mail: Mail, game: str, *mailboxes: str) -> int | None:
    """The number of the position that the writer of an email saw, if the email names one.

    There are three sources: the address that the email went to, the letter that it answers (the
    latest of its thread), and ``#212`` in a subject that names the game. A mail program or a person
    may lose or mix them. So the oldest number counts: nobody has seen less than that.
    """
    wanted, found = slug(game), []
    by_address = (read_address(address, *mailboxes) for address in mail.recipients)
    found += [c.number for c in by_address if c is not None and c.game == wanted]
    for identifier in (mail.in_reply_to, *reversed(mail.references)):
        claim = read_message_id(identifier, *mailboxes)
        if claim is not None and claim.game == wanted and claim.number is not None:
            found.append(claim.number)
            break
    if f"[{game}]".lower() in mail.subject.lower():
        found += [int(number) for number in _IN_SUBJECT.findall(mail.subject)]
    return min((number for number in found if number is not None), default=None)


def without_number(subject: str) -> str:
    """A subject for a reply, without the number of the position, which would be out of date."""
    return " ".join(_IN_SUBJECT.sub("", subject).split())


def verify(secret: bytes, claim: Claim, seat: str, epoch: int) -> bool:
    """Whether the claim is proved for that seat of its game at that epoch, in constant time."""
    number = claim.number if claim.sealed else None
    if claim.shot and number is not None:
        wanted = button_token(secret, claim.game, seat, epoch, number)
    else:
        wanted = seat_token(secret, claim.game, seat, epoch, number)
    return hmac.compare_digest(claim.token, wanted)


def match(secret: bytes, claim: Claim, epochs: Mapping[str, int]) -> str | None:
    """The seat for which the claim is proved, of the game's seats with their epochs, or None."""
    for seat, epoch in epochs.items():
        called = slug(seat)
        named = called.startswith(claim.seat) if claim.sealed else called == claim.seat
        if named and verify(secret, claim, seat, epoch):
            return seat
    return None


def one_time(secret: bytes, purpose: str, address: str, *parts: str | int) -> str:
    """A token to send to ``address``. If it comes back, the owner of the address agrees.

    The caller must make sure that it works only once, with a part that changes after its use.
    """
    return _token(secret, "once", purpose, address.lower(), *(str(part) for part in parts))


def proves(secret: bytes, token: str, purpose: str, address: str, *parts: str | int) -> bool:
    """Whether `one_time` made ``token`` from all these arguments, in constant time."""
    given = token.strip().lower().encode()
    return hmac.compare_digest(given, one_time(secret, purpose, address, *parts).encode())


def same(wanted: str, token: str) -> bool:
    """Whether two tokens are equal, in constant time."""
    return hmac.compare_digest(wanted.encode(), token.strip().lower().encode())


def ticket_address(mailbox: str, game: str, purpose: str, token: str) -> str:
    """The address to which a person without a seat replies if a letter asked something."""
    local, _, host = mailbox.lower().rpartition("@")
    return f"{local}+{slug(game)}.{slug(purpose)}.{token}@{host}"


CODE_DIGITS = 8


def code(secret: bytes, purpose: str, address: str, *parts: str | int) -> str:
    """Eight digits to send to ``address`` for the owner to write back, if a token is too long."""
    token = one_time(secret, purpose, address, *parts)
    return (
        f"{int.from_bytes(base64.b32decode(token.upper()), 'big') % 10**CODE_DIGITS:0{CODE_DIGITS}}"
    )


def _canonical(seat: str) -> str:
    return unicodedata.normalize("NFC", seat).casefold()


def _token(secret: bytes, *parts: str) -> str:
    if len(secret) < 16:
        raise ValueError("the secret has fewer than 16 bytes")
    # Each part has its length before it, so that two different lists never give the same text.
    text = "".join(f"{len(part)}:{part}," for part in parts)
    digest = hmac.digest(secret, text.encode(), "sha256")
    return base64.b32encode(digest).decode().lower()[:TOKEN_LENGTH]
