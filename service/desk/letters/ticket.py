"""Questions to people without a seat, and the reply addresses for their answers.

Only headers have these addresses: anybody who has one speaks for its ticket. This module knows no
game and no email.
"""

import hashlib
from dataclasses import dataclass

from service.audience import EVERYBODY, Audience
from service.mail import identity


@dataclass(frozen=True, slots=True)
class Ticket:
    """A question to somebody without a seat; the reply proves that they were asked.

    ``purpose`` is a word of letters. ``parts`` tell the ticket from others of the same person.
    ``leave`` is the purpose of an address that unsubscribes from such emails, "" if there is
    none. ``reader`` is their role.
    """

    game: str
    purpose: str
    address: str
    parts: tuple[str | int, ...]
    leave: str = ""
    reader: Audience = EVERYBODY

    @property
    def called(self) -> str:
        """The reader's name in the keys of emails."""
        reader = hashlib.sha256(self.address.encode()).hexdigest()[:12]
        return f"{self.game}/{self.purpose}-{self.parts[0]}-{reader}"

    def message_id(self, mailbox: str, secret: bytes, key: str) -> str:
        """The Message-ID of an email, which a reply brings back."""
        token = self._token(secret, self.purpose)
        return identity.ticket_id(mailbox, self.game, self.purpose, token, key)

    def reply_to(self, mailbox: str, secret: bytes) -> str:
        """The address for the reply."""
        return self._address(mailbox, secret, self.purpose)

    def leave_to(self, mailbox: str, secret: bytes) -> str:
        """The address to which any email unsubscribes from such emails, "" if there is none."""
        return self._address(mailbox, secret, self.leave) if self.leave else ""

    def _address(self, mailbox: str, secret: bytes, purpose: str) -> str:
        return identity.ticket_address(mailbox, self.game, purpose, self._token(secret, purpose))

    def _token(self, secret: bytes, purpose: str) -> str:
        return identity.one_time(secret, purpose, self.address, *self.parts)
