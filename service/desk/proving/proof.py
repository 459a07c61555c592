"""Weighs every email against the person in whose name it comes, and decides what becomes of it.

`owners.py` says what proves whom.

A token that the email itself has shown to others (`shown_tokens`) still proves what it did: the row
of the seat names the email that voided it.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import TypeVar

from service import rations
from service.audience import ASSISTANT, ORGANISER
from service.desk.channels.public_channel import PublicChannel
from service.desk.letters.ticket import Ticket
from service.desk.proving.owners import GameOwner, HeldOwner, TokenOwner, Writer, asked_person
from service.desk.service import Service
from service.games import retreat
from service.games.games import GameTable
from service.mail import identity, phrases, proving
from service.mail.evidence import Signature
from service.mail.identity import Claim
from service.mail.message import Mail
from service.mail.proving import Proof
from service.mail.reader import reader
from service.rations import Counters
from service.store import InboxRow, Tx

#: seconds until an email is begun again whose signature needs a key that is being looked up
LOOK_AGAIN = 3
#: name, for the owner, of a recipient whose address cannot be written down
STRANGE = "somebody whose address Waybill cannot read"


#: an email that confirms another one
_YES = re.compile(r"\W*yes\W+(\d[\d ]{0,11})\W*", re.IGNORECASE)

Owner = TypeVar("Owner", bound=TokenOwner)


class WaitsForKey(Exception):
    """Keys that decide about an email are being looked up; begin it again soon."""


def proved_by(secret: bytes, ticket: Ticket, claim: Claim) -> bool:
    """Whether a claim is the token that went to the person who got a ticket's question.

    `JudgedEmail.answers_question` says whether an email with it comes from that person.
    """
    return _is_of(secret, ticket, claim, ticket.purpose)


def left_by(secret: bytes, ticket: Ticket, claim: Claim) -> bool:
    """Whether a claim is the token of their address that unsubscribes."""
    return bool(ticket.leave) and _is_of(secret, ticket, claim, ticket.leave)


def _is_of(secret: bytes, ticket: Ticket, claim: Claim, purpose: str) -> bool:
    return claim.seat == purpose and identity.proves(
        secret, claim.token, purpose, ticket.address, *ticket.parts
    )


@dataclass(frozen=True)
class JudgedEmail:
    """An email, and what is needed to judge who wrote it; ``now`` in UTC seconds.

    All that is read to judge it is read in ``reads``. Every judgment that may need a signature
    raises WaitsForKey while Waybill looks up a key that decides.
    """

    reads: Tx
    service: Service
    now: int
    row: InboxRow
    mail: Mail

    def is_from(self, owner: TokenOwner) -> bool:
        """Whether From is an address of that person; anybody can write it there."""
        return self.mail.sender.lower() in owner.addresses

    def weigh(self, owner: Owner, claim: Claim | None = None) -> Writer[Owner]:
        """How well it is proved to come from that person.

        ``claim`` is the token that it came with, found to be theirs; None if there is none. During
        their time a deputy is as good as the player; each command says whether it allows them.
        """
        sender, late, given = self.is_from(owner), False, _GivenPhrase()
        if isinstance(owner, GameOwner) and claim is not None:
            late, given = _late(self.reads, owner, claim), self._phrase(owner)
        acts = not sender and owner.deputy != "" and owner.deputy == self.mail.sender.lower()
        proof = Proof(sender or acts, claim is not None and not late, phrase=given.fits)
        found = self._judged(owner, proof)
        return replace(
            found,
            late=late,
            wrong=given.wrong,
            deputy=acts and not given.fits,
            skimmed=self.mail.skimmed,
            unsigned="" if found.enough else unsigned(self.service, self.mail),
            tried=given.tried,
        )

    def answers_question(self, ticket: Ticket, claim: Claim) -> Writer[TokenOwner] | None:
        """The person who was asked a question, if it answers it with the token that they got."""
        if not proved_by(self.service.secret, ticket, claim):
            return None
        writer = self.weigh(asked_person(ticket.address), claim)
        return writer if writer.enough else None

    def _judged(self, owner: Owner, proof: Proof) -> Writer[Owner]:
        """Whether a proof is enough, with what a signature adds to it where it matters.

        A token that the email itself shows to others proves nothing any longer.
        """
        proof = owner.with_signature(proof, self.signed)
        enough = owner.enough(proof) and (
            proof.sender or proof.phrase or not others(self.service, self.mail, owner.address)
        )
        return Writer(owner, self.mail.sender, proof, enough)

    def signed(self) -> bool:
        """Whether the sender's domain signed what it says, and that it went to Waybill (DKIM)."""
        service, evidence, sender = self.service, self.mail.evidence, self.mail.sender
        good = [
            s
            for s in proving.vouching(evidence, sender, self.row.received)
            if not not_covered(service, self.mail, s)
        ]
        if not good:
            return False
        word = proving.by_our_server(evidence, sender, good, service.server, service.address)
        if word.holding or not word.unknown or service.keys is None:
            return bool(word.holding)
        keys = service.keys.known([one.key for one in word.unknown], self.now)
        if keys is None:
            raise WaitsForKey(f"keys of {sender.rpartition('@')[2]} are looked up")
        known = tuple(one.place for one in word.unknown if keys.get(one.key))
        return bool(known and reader().holding(self.row.raw, keys, known))

    def _phrase(self, owner: GameOwner) -> "_GivenPhrase":
        """The pass phrase in it, if it has one; an assistant has no phrase."""
        mail, game, holder = self.mail, owner.table.row, owner.holder
        if owner.assistant or not mail.phrase:
            return _GivenPhrase()
        kept = self.reads.proofs.phrase(game.id, holder)
        if not kept:
            return _GivenPhrase(wrong=True)
        counters = rations.player(game.name, holder, "phrase")
        if self.reads.answers.ration(counters, self.now).left < 1:
            return _GivenPhrase(wrong=True)
        if phrases.fits(kept, mail.phrase):
            return _GivenPhrase(fits=True)
        return _GivenPhrase(wrong=True, tried=counters)


# ------------------------------------------------------------- what becomes of it


def number_confirmed(mail: Mail) -> str:
    """The number in an email like `yes 48213377`; "" for every other email."""
    first = mail.lines[0].text if mail.lines else ""
    found = _YES.fullmatch(first)
    return found[1].replace(" ", "") if found else ""


class ByProof(Enum):
    """What becomes of an email in somebody's name."""

    #: nothing; and its owner does not hear of it, because they have not agreed to get emails
    UNHEARD = auto()
    #: it says `yes` to a held email, which is done
    CONFIRMS = auto()
    #: it is done
    DONE = auto()
    #: it is held until its owner says `yes`
    HELD = auto()
    #: nothing, because it could not be done after a `yes` either
    REFUSED = auto()


def by_proof(
    mail: Mail, writer: Writer[HeldOwner], is_harmless: Callable[[], bool] = lambda: False
) -> ByProof:
    """What becomes of an email by what it proves; for each way in, this alone decides.

    An email without a token that asks only for what anybody may ask proves nothing, and needs to
    prove nothing (`strangers.stranger_mail`).
    ``is_harmless`` says whether the email does no more than `held.harmless` allows. It is asked
    only for one that came by the button of a closed decision.
    """
    if not writer.may_be_told:
        return ByProof.UNHEARD
    if writer.known and not writer.deputy and writer.owner.may_confirm(number_confirmed(mail)):
        return ByProof.CONFIRMS
    if writer.enough or (writer.known and writer.late and is_harmless()):
        return ByProof.DONE
    return ByProof.HELD if mail.lines and writer.owner.may_be_held else ByProof.REFUSED


def count(writer: Writer[TokenOwner], now: int, tx: Tx) -> None:
    """Count a wrong pass phrase, so that nobody can try them all."""
    tx.answers.count(writer.tried, now)


def of_post(owner: Owner, sender: str, channel: PublicChannel) -> Writer[Owner]:
    """How well a post on a list or forum is proved to be its owner's; the channel has judged it."""
    given = channel.proof
    return Writer(owner, sender, given, owner.enough(given), channel=channel)


def proved_before(owner: Owner, sender: str, *, deputy: bool) -> Writer[Owner]:
    """The writer of an email that has waited since it was found to be its owner's or a deputy's."""
    return Writer(owner, sender, Proof(), enough=True, deputy=deputy)


def _late(tx: Tx, owner: GameOwner, claim: Claim) -> bool:
    """Whether a claim is the button of a closed decision."""
    if not claim.shot or claim.number is None:
        return False
    return retreat.over(tx, owner.table, claim.number, owner.holder)


@dataclass(frozen=True)
class _GivenPhrase:
    """Whether an email has the holder's pass phrase or a wrong one; and the count of wrong ones."""

    fits: bool = False
    wrong: bool = False
    tried: Counters = ()


def unsigned(service: Service, mail: Mail) -> str:
    """Why no signature can prove an email, as far as the email shows it; '' for no reason."""
    if mail.evidence.senders != 1:
        return ""
    own = [s for s in mail.evidence.signatures if proving.aligned(mail.sender, s.domain)]
    why = [s.fault or not_covered(service, mail, s) for s in own]
    return why[0] if why and all(why) else ""


TO_NOT_COVERED = "it does not cover that the email went to us (To)"
SEAT_NOT_COVERED = "it does not cover to which seat the email went"


def not_covered(service: Service, mail: Mail, signature: Signature) -> str:
    """Why the signed parts do not say to whom the email went; '' if they do.

    They must cover a To with Waybill's address. Nothing outside them may name another seat: no
    address noted by servers, no other recipient, no email that it answers.
    """
    if not any(identity.is_own(one, *service.addresses) for one in signature.to):
        return TO_NOT_COVERED
    answers, references = signature.thread[0], signature.thread[1:]
    covered = replace(
        mail, recipients=signature.recipients, in_reply_to=answers, references=references
    )
    ours = service.addresses
    if identity.claims(covered, *ours) != identity.claims(mail, *ours):
        return SEAT_NOT_COVERED
    return ""


# ------------------------------------------------------------------------------------- tokens


def token_holder(service: Service, table: GameTable, claim: Claim, mail: int) -> str | None:
    """The seat, ORGANISER or ASSISTANT, whose token is in the claim; ``mail`` is the email's id."""
    name = identity.match(service.secret, claim, epochs(table, claim))
    if name is not None:
        return name
    before = {seat.name: seat.epoch - 1 for seat in table.seats if seat.renewed_by == mail}
    if table.row.renewed_by == mail:
        before[ORGANISER] = table.row.epoch - 1
    if table.settings.assistant_renewed_by == mail:
        before[ASSISTANT] = table.settings.assistant_epoch - 1
    return identity.match(service.secret, claim, before)


def epochs(table: GameTable, claim: Claim) -> dict[str, int]:
    """The epochs of all tokens that such a claim may have; an assistant has no buttons.

    There are tokens of an assistant if there is one, or if somebody is asked to be it.
    """
    settings = table.settings
    epochs = {seat.name: seat.epoch for seat in table.seats} | {ORGANISER: table.row.epoch}
    if (settings.assistant or settings.invited) and not claim.shot:
        epochs[ASSISTANT] = settings.assistant_epoch
    return epochs


def others(service: Service, mail: Mail, owner: str) -> tuple[str, ...]:
    """Other people with its headers: all in To and Cc except Waybill and its seat's owner."""
    more = (STRANGE,) if mail.more_shared else ()
    return more + tuple(
        address
        for address in mail.shared_with
        if address != owner.lower() and not identity.is_own(address, *service.addresses)
    )
