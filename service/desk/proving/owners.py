"""The people in whose name an email may come: what proves each of them, and what it may then do.

Every email is weighed against one of them (`proof.JudgedEmail.weigh`). This is what theirs need:

- the player of a seat, and the organizer: what the security level of the game asks for;
- the assistant of a game, the director and the assistant of a tournament: their address and their
  token at every level, and what the level asks for;
- everybody else whom Waybill has given a token: their address and their token. These are somebody
  invited to a seat, an entrant of a tournament, a standby, a deputy, a watcher, and whoever was
  asked something.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from engine import Title
from service.audience import ASSISTANT, ORGANISER
from service.commands.entry import Who
from service.desk.channels.private_email import PrivateEmail
from service.desk.channels.public_channel import PublicChannel
from service.desk.letters.desk import Desk
from service.desk.service import Service
from service.games.games import GameTable
from service.mail.grades import Grade
from service.mail.message import Mail
from service.mail.proving import Proof
from service.rations import Counters
from service.reports import Confirmable, foreign_page, unknown_page
from service.store import HeldFor, Letter, SeatRow

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


@dataclass(frozen=True)
class TokenOwner:
    """A person to whom Waybill has given a token, and what proves that an email is theirs.

    ``addresses`` are those from which they write, in small letters; emails to them go to the first.
    """

    addresses: tuple[str, ...]
    #: the security level; None if no level matters
    grade: Grade | None = None
    #: whether an email needs one of the addresses, and the token, at every level
    both: bool = True
    #: the address of the deputy who acts for them now, "" for none
    deputy: str = ""
    #: False if Waybill has only asked whether they want the place: nobody else may answer for them
    agreed: bool = True

    @property
    def address(self) -> str:
        """The registered address."""
        return self.addresses[0]

    def roles(self, writer: "Writer[TokenOwner]") -> Who:
        """The roles of the writer of an email that is theirs."""
        return Who.ASKED

    def enough(self, proof: Proof) -> bool:
        """Whether the evidence is enough to act for them."""
        if self.both and not (proof.sender and proof.token):
            return False
        return self.grade is None or proof.enough(self.grade)

    def with_signature(self, proof: Proof, find: Callable[[], bool]) -> Proof:
        """The evidence, with a signature if there is one.

        ``find`` looks for it, but only if the evidence is not enough and would be with a signature.
        """
        matters = not self.enough(proof) and self.enough(replace(proof, signed=True))
        return replace(proof, signed=find()) if matters else proof


def asked_person(address: str) -> TokenOwner:
    """Somebody without a seat whom Waybill has asked something at an address."""
    return TokenOwner((address.lower(),))


#: a kind of owner
Owner = TypeVar("Owner", bound=TokenOwner, covariant=True)


@dataclass(frozen=True)
class Writer(Generic[Owner]):
    """For whom an email speaks, and how well that is proved.

    ``sender`` is the address in From. ``late`` says that it came by the button of a closed
    decision. ``wrong`` says that its pass phrase is not theirs, or was not tried because there were
    too many wrong ones. ``tried`` is the count to which a wrong phrase is added (`proof.count`).
    """

    owner: Owner
    sender: str
    proof: Proof
    enough: bool
    late: bool = False
    wrong: bool = False
    #: whether it comes from their deputy
    deputy: bool = False
    #: whether its attachments were left on the mail server, so that no signature can be checked
    skimmed: bool = False
    #: why its signature does not count, as far as the email itself shows it
    unsigned: str = ""
    tried: Counters = ()
    #: the list or forum that brought it; None for private email
    channel: PublicChannel | None = None

    @property
    def who(self) -> Who:
        """Their roles in the game or tournament."""
        return self.owner.roles(self)

    @property
    def known(self) -> bool:
        """Whether From and a token prove its writer, if only for a decision that is over."""
        return self.proof.sender and (self.proof.token or self.late)

    @property
    def may_be_told(self) -> bool:
        """Whether Waybill may write to the owner about it: they wrote it, or have agreed."""
        return self.proof.sender or self.owner.agreed

    @property
    def copy_to(self) -> str:
        """The address that gets a copy of the receipt: From, if only a pass phrase proved it."""
        return self.sender if self.enough and self.proof.phrase and not self.proof.sender else ""


class HeldOwner(TokenOwner, ABC):
    """An owner in whose name an email is held if it proves too little, and what Waybill tells them.

    ``name`` is that of their game or tournament, and ``title`` that of a game.
    """

    @property
    @abstractmethod
    def name(self) -> str: ...
    @property
    @abstractmethod
    def title(self) -> Title | None: ...
    @property
    @abstractmethod
    def held_for(self) -> HeldFor:
        """The owner, as held emails name them."""

    @property
    def may_be_held(self) -> bool:
        """Whether a held email could be done once it is confirmed."""
        return True

    @abstractmethod
    def may_confirm(self, number: str) -> bool:
        """Whether their `yes` with that number is for a held email; "" for an email without one."""

    @abstractmethod
    def lacks(self, writer: "Writer[TokenOwner]") -> str:
        """What an email lacks, in words to its owner."""

    @abstractmethod
    def asks(
        self, desk: Desk, mail: Mail, writer: "Writer[TokenOwner]", waits: Confirmable | None
    ) -> Letter:
        """The email that asks the owner whether an email is theirs."""

    @abstractmethod
    def finds_none(self, desk: Desk, mail: Mail, wanted: str, why: str) -> Letter:
        """The answer to a `yes` with a number that confirms nothing; ``why``, if known."""


@dataclass(frozen=True, kw_only=True)
class GameOwner(HeldOwner):
    """The player of a seat, or the organizer, the assistant or the invited assistant of a game."""

    table: GameTable
    #: None for an office
    seat: SeatRow | None = None
    assistant: bool = False

    @property
    def holder(self) -> str:
        """The seat's name, ORGANISER or ASSISTANT."""
        return self.seat.name if self.seat else ASSISTANT if self.assistant else ORGANISER

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
    def invited(self) -> bool:
        """Whether they have only been invited to the seat."""
        return self.seat is not None and self.seat.status == "invited"

    def roles(self, writer: Writer[TokenOwner]) -> Who:
        """The roles of the writer of an email that is theirs; a post is only a player's.

        A seat's player organizes the game if its organizer's address is one of the player's
        confirmed addresses. The sender that the email names is no sign of it: a writer who proves
        the seat by a pass phrase, or says yes to a held email, may name any sender.
        """
        if self.assistant:
            return Who.ASSISTANT if self.agreed else Who.INVITED
        if self.seat is None:
            return Who.ORGANISER
        if writer.channel is not None:
            return Who.PLAYER
        if self.invited:
            return Who.INVITED
        if writer.deputy:
            return Who.DEPUTY
        organises = self.table.organisers_seat == self.holder
        return Who.PLAYER | Who.ORGANISER if organises else Who.PLAYER

    def may_confirm(self, number: str) -> bool:
        """Whether their `yes` is for a held email; an invitation gives no right to that."""
        return number != "" and not self.invited

    @property
    def may_be_held(self) -> bool:
        """Whether a held email could be done once it is confirmed."""
        return not self.invited and self.table.row.status in ("open", "running")

    def lacks(self, writer: Writer[TokenOwner]) -> str:
        """What an email lacks, in words to its owner: "because …"."""
        proof = writer.proof
        if writer.late:
            return DECISION_IS_OVER
        if proof.sender and not proof.token:
            return NOT_PRESENT
        if self.assistant and not proof.sender:
            return NOT_FROM_ASSISTANT
        why = NO_SIGNATURE
        if not proof.sender:
            why = ANOTHER_SENDER
        elif writer.skimmed:
            why = TOO_LARGE_TO_CHECK
        elif writer.unsigned:
            why = SIGNATURE_FAILS.format(why=writer.unsigned)
        return WRONG_PHRASE.format(why=why) if writer.wrong else why

    def asks(
        self, desk: Desk, mail: Mail, writer: Writer[TokenOwner], waits: Confirmable | None
    ) -> Letter:
        """The email that asks the owner whether an email is theirs."""
        own, proof = self.by_email(desk), writer.proof
        page = foreign_page(
            own.reader,
            mail.sender if not proof.sender else "",
            self.lacks(writer),
            desk.service.about(self.name, self.title, seat=own.reader.name),
            waits,
            own.button,
        )
        return own.letter("foreign", page, mail if proof.sender and proof.token else None)

    def finds_none(self, desk: Desk, mail: Mail, wanted: str, why: str) -> Letter:
        """The answer to a `yes` with a number that confirms nothing."""
        own, about = self.by_email(desk), desk.service.about(self.name, self.title)
        return own.answer(unknown_page(own.reader, wanted, why, mail.subject, about), mail)

    def by_email(self, desk: Desk) -> PrivateEmail:
        """Their private email."""
        return PrivateEmail(desk, self.table, self.seat, self.assistant)


def of_game(service: Service, now: int, table: GameTable, holder: str) -> GameOwner:
    """The owner of the token of a seat, of ORGANISER, or of ASSISTANT; ``now`` in UTC seconds."""
    grade, settings = service.grade_of(table), table.settings
    if holder == ORGANISER:
        return GameOwner((table.row.organiser.lower(),), grade, both=False, table=table)
    if holder == ASSISTANT:
        address, agreed = settings.assistant or settings.invited, bool(settings.assistant)
        return GameOwner((address.lower(),), grade, agreed=agreed, table=table, assistant=True)
    seat = table.seat(holder)
    second = (one.address for one in table.others_of(seat) if one.stands)
    acting = table.deputy(holder, now)
    return GameOwner(
        (seat.address.lower(), *second),
        None if seat.status == "invited" else grade,
        both=seat.status == "invited",
        deputy="" if acting is None else acting.address,
        table=table,
        seat=seat,
    )


# -------------------------------------------------------------------------- offices of a game


def office(writer: Writer[GameOwner]) -> str:
    """The office for which an email may direct: ORGANISER, ASSISTANT, or "" for none.

    An organizer who plays directs from the organizer's own address alone, if it is also the
    address of their seat: a second address or a pass phrase proves the player, not the office.
    """
    who, owner = writer.who, writer.owner
    if who & Who.ASSISTANT:
        return ASSISTANT
    if not who & Who.ORGANISER:
        return ""
    own = owner.seat is None or all(
        map(owner.table.is_organiser, (owner.seat.address, writer.sender))
    )
    return ORGANISER if own else ""
