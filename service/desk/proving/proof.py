"""Decides whether an email may act for a seat, an organizer or an assistant; see `JudgedEmail`.

A token that the email itself has shown to others (`shown_tokens`) still proves what it did: the row
of the seat names the email that voided it.
"""

from dataclasses import dataclass, replace

from engine import Title
from service import rations
from service.audience import ASSISTANT, ORGANISER
from service.desk.channels.private_email import PrivateEmail
from service.desk.letters.post import Desk
from service.desk.service import Service
from service.games import retreat
from service.games.games import GameTable
from service.mail import identity, phrases, proving
from service.mail.evidence import Signature
from service.mail.grades import Grade
from service.mail.identity import Claim
from service.mail.message import Mail
from service.mail.proving import Proof
from service.mail.reader import reader
from service.rations import Counters
from service.reports import PutBy, foreign_page, unknown_page
from service.store import HeldFor, InboxRow, Letter, SeatRow, Tx

#: seconds until an email is begun again whose signature needs a key that is being looked up
LOOK_AGAIN = 3
#: name, for the owner, of a recipient whose address cannot be written down
STRANGE = "somebody whose address Waybill cannot read"


DECISION_IS_OVER = "it came by a button of an email whose decision is over"
ANOTHER_SENDER = "it did not come from the address you joined with"
NOT_FROM_ASSISTANT = "it did not come from the address that the assistant was named by"
NOT_PRESENT = "it did not go to your seat's present address"
NO_SIGNATURE = "this game asks for the signature of your mail server, which it does not have"
TOO_LARGE_TO_CHECK = (
    "this game asks for the signature of your mail server, and that of an email with large "
    "attachments cannot be checked (send it without them)"
)
SIGNATURE_FAILS = "this game asks for the signature of your mail server: {why}"
WRONG_PHRASE = "{why}, and its pass phrase is not yours"


class WaitsForKey(Exception):
    """Keys that decide about an email are being looked up; begin it again soon."""


@dataclass(frozen=True)
class ProofState:
    """For whom an email speaks, and whether its proof is enough in its game.

    ``late`` says that it came by the button of a closed decision. ``wrong`` says that its pass
    phrase is not theirs, or was not tried because there were too many wrong ones. ``tried`` is the
    count to which a wrong phrase is added (`count`).
    """

    table: GameTable
    #: None for the organizer and for the assistant
    seat: SeatRow | None
    proof: Proof
    enough: bool
    late: bool = False
    wrong: bool = False
    #: whether its writer is a deputy of the seat's player
    deputy: bool = False
    #: whether its attachments were left on the mail server, so that no signature can be checked
    skimmed: bool = False
    #: why its signature does not count, as far as the email itself shows it
    unsigned: str = ""
    #: whether it speaks for the assistant, or for the person asked to be it
    assistant: bool = False
    tried: Counters = ()

    @property
    def holder(self) -> str:
        """The seat's name, ORGANISER or ASSISTANT."""
        return self.seat.name if self.seat else ASSISTANT if self.assistant else ORGANISER

    @property
    def owner(self) -> str:
        """The registered address."""
        if self.assistant:
            return self.table.settings.assistant or self.table.settings.invited
        return self.seat.address if self.seat else self.table.row.organiser

    @property
    def known(self) -> bool:
        """Whether From and a token prove its writer, if only for a decision that is over."""
        return self.proof.sender and (self.proof.token or self.late)

    @property
    def may_confirm(self) -> bool:
        """Whether its writer may confirm held emails: the owner, not a deputy or somebody asked."""
        invited = self.seat is not None and self.seat.status == "invited"
        return self.known and not self.deputy and not invited

    @property
    def may_ask(self) -> bool:
        """Whether it is acted on even without enough proof if it is harmless (`held.harmless`)."""
        return self.seat is not None and self.table.head is not None and self.known and self.late

    @property
    def owner_agreed(self) -> bool:
        """Whether the assistant wrote it, or has agreed: only then may Waybill write to them."""
        return self.proof.sender or bool(self.table.settings.assistant)

    @property
    def name(self) -> str:
        """The name of the game."""
        return self.table.row.name

    @property
    def title(self) -> Title:
        """The title of the game."""
        return self.table.title

    @property
    def held_for(self) -> HeldFor:
        """The owner, as held emails name them."""
        return HeldFor(self.table.row.id, None, self.holder)

    @property
    def could_be_done(self) -> bool:
        """Whether a held email could be done once it is confirmed."""
        invited = self.seat is not None and self.seat.status == "invited"
        return not invited and self.table.row.status in ("open", "running")

    def asks(self, desk: Desk, mail: Mail, asked: PutBy | None) -> Letter:
        """The email that asks the owner whether an email is theirs."""
        owner = self.by_email(desk)
        page = foreign_page(
            owner.reader,
            mail.sender if not self.proof.sender else "",
            self.why,
            desk.service.about(self.name, self.title, seat=owner.reader.name),
            asked,
            owner.button,
        )
        answers = mail if self.proof.sender and self.proof.token else None
        return owner.letter("foreign", page, answers)

    def finds_none(self, desk: Desk, mail: Mail, wanted: str, why: str) -> Letter:
        """The answer to a `yes` with a number that confirms nothing."""
        owner, about = self.by_email(desk), desk.service.about(self.name, self.title)
        page = unknown_page(owner.reader, wanted, why, mail.subject, about)
        return owner.answer(page, mail)

    def by_email(self, desk: Desk) -> PrivateEmail:
        """The private email of its owner."""
        return PrivateEmail(desk, self.table, self.seat, self.assistant)

    @property
    def elsewhere(self) -> bool:
        """Whether its writer proved themselves by a pass phrase, from an address not theirs."""
        return self.enough and self.proof.phrase and not self.proof.sender

    @property
    def why(self) -> str:
        """What it lacks, in words to its owner: "because …"."""
        if self.late:
            return DECISION_IS_OVER
        if not self.proof.sender:
            if self.assistant:
                return NOT_FROM_ASSISTANT
            return self._with_phrase(ANOTHER_SENDER)
        if not self.proof.token:
            return NOT_PRESENT
        if self.skimmed:
            return self._with_phrase(TOO_LARGE_TO_CHECK)
        if self.unsigned:
            return self._with_phrase(SIGNATURE_FAILS.format(why=self.unsigned))
        return self._with_phrase(NO_SIGNATURE)

    def _with_phrase(self, why: str) -> str:
        return WRONG_PHRASE.format(why=why) if self.wrong else why


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

    def weigh(
        self, table: GameTable, seat: SeatRow | None, claim: Claim | None = None
    ) -> ProofState:
        """How well it is proved to come from that seat's player, or from the organizer for None.

        ``claim`` is the token that it came with, found to be theirs by `token_holder`; None if
        there is none.
        """
        service, mail, now = self.service, self.mail, self.now
        holder, grade = seat.name if seat else ORGANISER, service.grade_of(table)
        owner = seat.address if seat else table.row.organiser
        late = _late(self.reads, table, claim, holder)
        given = _GivenPhrase()
        if claim is not None:
            given = _phrase(self.reads, table, holder, mail, now)
        second = table.others_of(seat) if seat else ()
        addresses = {owner.lower(), *(one.address for one in second if one.stands)}
        # During their time a deputy is as good as the player; each command says whether it allows
        # them.
        acting = table.deputy(seat.name, now) if seat else None
        deputy = acting is not None and acting.address == mail.sender.lower()
        sender = deputy or mail.sender in addresses
        deputy = deputy and mail.sender not in addresses and not given.fits
        proof = Proof(sender, claim is not None and not late, phrase=given.fits)
        proof = self._with_signature(proof, grade)
        # An invitation asks whether the address is its owner's, so only they can answer it. A token
        # that the email itself shows to others proves nothing any longer.
        if seat is not None and seat.status == "invited":
            enough = proof.sender and proof.token
        elif others(service, mail, owner) and not (sender or proof.phrase):
            enough = False
        else:
            enough = proof.enough(grade)
        return ProofState(
            table,
            seat,
            proof,
            enough,
            late,
            given.wrong,
            deputy,
            mail.skimmed,
            unsigned="" if enough else unsigned(service, mail),
            tried=given.tried,
        )

    def as_assistant(self, table: GameTable) -> ProofState:
        """How well it is proved with the assistant's token: it must come from their address.

        This holds at every security level.
        """
        settings, grade, mail = table.settings, self.service.grade_of(table), self.mail
        sender = mail.sender.lower() == (settings.assistant or settings.invited).lower()
        proof = Proof(sender, True)
        if sender:
            proof = self._with_signature(proof, grade)
        enough = sender and proof.enough(grade)
        why = "" if enough else unsigned(self.service, mail)
        return ProofState(
            table, None, proof, enough, skimmed=mail.skimmed, unsigned=why, assistant=True
        )

    def vouched(self, grade: Grade) -> bool:
        """Whether it is its sender's at a security level, if it has the token sent to them."""
        return self._with_signature(Proof(True, True), grade).enough(grade)

    def signed(self) -> bool:
        """Whether the sender's domain signed what it says, and that it went to Waybill (DKIM)."""
        service, evidence, sender = self.service, self.mail.evidence, self.mail.sender
        good = [
            s
            for s in proving.vouching(evidence, sender, self.row.received)
            if not elsewhere(service, self.mail, s)
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

    def _with_signature(self, proof: Proof, grade: Grade) -> Proof:
        """A proof with what a signature adds, where it matters."""
        return replace(proof, signed=self.signed()) if proof.signature_matters(grade) else proof


def count(standing: ProofState, now: int, tx: Tx) -> None:
    """Count a wrong pass phrase, so that nobody can try them all."""
    tx.answers.count(standing.tried, now)


def of_post(service: Service, table: GameTable, seat: SeatRow | None, given: Proof) -> ProofState:
    """How well a post on a list or forum is proved to come from that seat's player."""
    grade = service.grade_of(table)
    return ProofState(table, seat, given, given.enough(grade))


def _late(tx: Tx, table: GameTable, claim: Claim | None, holder: str) -> bool:
    """Whether a claim is the button of a closed decision."""
    if claim is None or not claim.shot or claim.number is None:
        return False
    return retreat.over(tx, table, claim.number, holder)


def tries(game: str, holder: str, kind: str) -> Counters:
    """The name of the count of a seat's wrong numbers, or of its wrong pass phrases."""
    return rations.player(game, holder, kind)


@dataclass(frozen=True)
class _GivenPhrase:
    """Whether an email has the holder's pass phrase or a wrong one; and the count of wrong ones."""

    fits: bool = False
    wrong: bool = False
    tried: Counters = ()


def _phrase(tx: Tx, table: GameTable, holder: str, mail: Mail, now: int) -> _GivenPhrase:
    kept = tx.proofs.phrase(table.row.id, holder) if mail.phrase else ""
    if not kept:
        return _GivenPhrase(wrong=bool(mail.phrase))
    counters = tries(table.row.name, holder, "phrase")
    if tx.answers.ration(counters, now).left < 1:
        return _GivenPhrase(wrong=True)
    if phrases.fits(kept, mail.phrase):
        return _GivenPhrase(fits=True)
    return _GivenPhrase(wrong=True, tried=counters)


def unsigned(service: Service, mail: Mail) -> str:
    """Why no signature can prove an email, as far as the email shows it; '' for no reason."""
    if mail.evidence.senders != 1:
        return ""
    own = [s for s in mail.evidence.signatures if proving.aligned(mail.sender, s.domain)]
    why = [s.fault or elsewhere(service, mail, s) for s in own]
    return why[0] if why and all(why) else ""


TO_NOT_COVERED = "it does not cover that the email went to us (To)"
SEAT_NOT_COVERED = "it does not cover to which seat the email went"


def elsewhere(service: Service, mail: Mail, signature: Signature) -> str:
    """Why the signed parts do not say to whom the email went; '' if they do.

    They must cover a To with Waybill's address. Nothing outside them may name another seat: no
    address noted by servers, no other recipient, no email that it answers.
    """
    local, _, host = service.address.lower().rpartition("@")
    if not any(
        one == service.address.lower() or (one.startswith(f"{local}+") and one.endswith(f"@{host}"))
        for one in signature.to
    ):
        return TO_NOT_COVERED
    answers, references = signature.thread[0], signature.thread[1:]
    covered = replace(
        mail, recipients=signature.recipients, in_reply_to=answers, references=references
    )
    if identity.claims(covered, service.address) != identity.claims(mail, service.address):
        return SEAT_NOT_COVERED
    return ""


# ------------------------------------------------------------------------------------- tokens


def token_holder(service: Service, table: GameTable, claim: Claim, mail: int) -> str | None:
    """The seat, or ORGANISER, whose token is in the claim; ``mail`` is the email's id."""
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
    local, _, host = service.address.lower().rpartition("@")
    ours = {service.address.lower(), owner.lower()}
    more = (STRANGE,) if mail.more_shared else ()
    return more + tuple(
        address
        for address in mail.shared_with
        if address not in ours
        and not (address.startswith(f"{local}+") and address.endswith(f"@{host}"))
    )
