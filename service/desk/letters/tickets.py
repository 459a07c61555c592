"""What somebody without a seat is asked in a letter, and the addresses that their answer goes to.

They stand in headers alone: whoever has one speaks for its ticket. It knows no game and no letter.
"""

import hashlib
from dataclasses import dataclass

from service.audience import EVERYBODY, Audience
from service.mail import identity


@dataclass(frozen=True, slots=True)
class Ticket:
    """What somebody without a seat is asked in a letter; its answer proves that they were.

    ``purpose`` is a word of letters, ``parts`` what else tells it from other tickets of theirs.
    ``leave`` is the purpose of an address that ends such letters, "" where there is none, and
    ``reader`` as whom they read.
    """

    game: str
    purpose: str
    address: str
    parts: tuple[str | int, ...]
    leave: str = ""
    reader: Audience = EVERYBODY

    @property
    def called(self) -> str:
        """Its reader in the keys of letters."""
        reader = hashlib.sha256(self.address.encode()).hexdigest()[:12]
        return f"{self.game}/{self.purpose}-{self.parts[0]}-{reader}"

    def message_id(self, mailbox: str, secret: bytes, key: str) -> str:
        """The Message-ID of a letter, which an answer brings back."""
        token = self._token(secret, self.purpose)
        return identity.ticket_id(mailbox, self.game, self.purpose, token, key)

    def reply_to(self, mailbox: str, secret: bytes) -> str:
        """The address that an answer goes to."""
        return self._address(mailbox, secret, self.purpose)

    def leave_to(self, mailbox: str, secret: bytes) -> str:
        """The address to which any mail ends such letters, "" where there is none."""
        return self._address(mailbox, secret, self.leave) if self.leave else ""

    def _address(self, mailbox: str, secret: bytes, purpose: str) -> str:
        return identity.ticket_address(mailbox, self.game, purpose, self._token(secret, purpose))

    def _token(self, secret: bytes, purpose: str) -> str:
        return identity.one_time(secret, purpose, self.address, *self.parts)
