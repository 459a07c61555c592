"""Bots that replay a recorded game: each reads its own emails and answers its turns.

They know the service only from its emails, as people do.
"""

import os
import re
import smtplib
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import make_msgid
from itertools import count

import engine
from engine.notation import parse, split
from service.workshop.demo.embedded import PostOffice
from service.workshop.practice.script import Script, ScriptTurn
from service.workshop.rehearsal.head import seats_so

#: seconds to wait for an email while the machine is idle, and seconds between two looks
_PATIENCE = 60.0
_LOOKS = 5.0
_TURN = r"^\[[^]]+\] YOUR (?:TURN|ANSWER)"


@dataclass(frozen=True)
class PlayerLines:
    """The lines of one player's email."""

    seat: str
    text: tuple[str, ...]
    #: whether the recorded game has it refused
    refused: bool = False
    #: whether it goes on from an earlier email that decided only a part
    goes_on: bool = False


def mails_of(script: Script) -> list[PlayerLines]:
    """A recorded game as emails: each has all lines of one decision."""
    title = engine.load_title(script.title, frozenset(script.variants))
    state = engine.new_game(title, script.players, script.seed).state
    found: list[PlayerLines] = []
    asked = ""
    for turn in script.lines:
        if not isinstance(turn, ScriptTurn):
            continue
        begun = f"{turn.seat} {engine.decision(state)}"
        goes_on = begun == asked
        if turn.refused:
            if goes_on and not found[-1].refused:
                # The slip is in the middle of a turn, so the email before it must not end the turn.
                last = found.pop()
                found.append(replace(last, text=(*last.text, "more")))
            found.append(PlayerLines(turn.seat, (turn.text,), True, goes_on))
            continue
        if goes_on and not found[-1].refused:
            last = found.pop()
            found.append(replace(last, text=(*last.text, turn.text)))
        else:
            found.append(PlayerLines(turn.seat, (turn.text,), False, goes_on))
        asked = begun
        for command in split(turn.text):
            action = parse(title, state, turn.seat, command)
            state = engine.apply(title, state, action).state
    return found


def parse_mail(raw: bytes) -> EmailMessage:
    """Parse an email with Python's mail library."""
    found = message_from_bytes(raw, policy=policy.default)
    assert isinstance(found, EmailMessage)
    return found


def text_part(mail: EmailMessage) -> str:
    """The plain text of an email."""
    part = mail.get_body(("plain",))
    return part.get_content() if part is not None else ""


@dataclass
class Player:
    """A bot with an email address."""

    name: str
    address: str
    office: PostOffice
    read: int = 0
    #: the place of the next turn email among their emails, and the one they answered last
    settled: int = 0
    answered: int = -1
    mails: list[EmailMessage] = field(default_factory=list)
    #: of each email its subject, and the Message-ID that it answers; to read them takes time
    heads: list[tuple[str, str]] = field(default_factory=list)

    def look(self) -> None:
        """Read new emails."""
        delivered = self.office.delivered(self.address)
        new = [parse_mail(raw) for raw in delivered[self.read :]]
        self.mails += new
        self.heads += [(str(mail["Subject"]), str(mail["In-Reply-To"])) for mail in new]
        self.read = len(delivered)

    def wait(self, wanted: str, after: int) -> EmailMessage:
        """The first email from ``after`` on whose subject matches; TimeoutError if late."""
        return self._find(lambda subject, _: re.search(wanted, subject), wanted, after)

    def _find(self, fits: Callable[[str, str], object], wanted: str, after: int) -> EmailMessage:
        """The first email from ``after`` on that fits; TimeoutError, with what is missed, if late.

        ``fits`` gets the two texts of `heads`. It waits longer if the machine is busy.
        """
        began = time.monotonic()
        while True:
            self.look()
            heads = enumerate(self.heads[after:], after)
            found = next((number for number, head in heads if fits(*head)), None)
            if found is not None:
                return self.mails[found]
            waited = time.monotonic() - began
            if waited >= patience():
                latest = self.heads[-1][0] if self.heads else "no email at all"
                raise TimeoutError(
                    f"{self.name} has waited {waited:.0f} s for “{wanted}”; "
                    f"the latest of {len(self.mails)} emails is “{latest}”"
                )
            with suppress(TimeoutError):
                self.office.wait_for(self.address, len(self.mails) + 1, _LOOKS)

    def turn(self) -> EmailMessage:
        """The turn email that is newer than the last one answered with success."""
        self.wait(_TURN, self.settled)
        self.answered = max(i for i, (head, _) in enumerate(self.heads) if re.search(_TURN, head))
        return self.mails[self.answered]

    def send(
        self, to: str, subject: str, lines: Sequence[str], answers: EmailMessage | None = None
    ) -> str:
        """Send an email above the quoted one that it answers; return its Message-ID."""
        mail = self.written(to, subject, lines, answers)
        with smtplib.SMTP("127.0.0.1", self.office.smtp_port) as server:
            server.send_message(mail)
        return str(mail["Message-ID"])

    def written(
        self, to: str, subject: str, lines: Sequence[str], answers: EmailMessage | None = None
    ) -> EmailMessage:
        """An email as `send` sends it."""
        mail = EmailMessage()
        mail["From"] = f"{self.name} <{self.address}>"
        mail["To"] = to
        mail["Subject"] = subject
        mail["Message-ID"] = make_msgid(domain=self.address.rpartition("@")[2])
        body = "\n".join(lines) + "\n"
        if answers is not None:
            mail["In-Reply-To"] = str(answers["Message-ID"])
            mail["References"] = str(answers["Message-ID"])
            quoted = "\n".join(f"> {line}" for line in text_part(answers).splitlines())
            body += f"\nOn Sat, 21 Nov 2026 at 10:00, {answers['From']} wrote:\n{quoted}\n"
        mail.set_content(body)
        return mail

    def reply(self, mail: EmailMessage, lines: Sequence[str]) -> str:
        """Answer an email; return the Message-ID of the answer."""
        return self.send(str(mail["Reply-To"]), f"Re: {mail['Subject']}", lines, mail)

    def receipt(self, sent: str, after: int) -> EmailMessage:
        """The receipt for one of its emails; TimeoutError if late."""
        wanted = f"the receipt of {sent}"
        return self._find(lambda _, answers: answers == sent, wanted, after)


def patience() -> float:
    """The seconds that a bot waits for an email now; more if the machine is busy."""
    return _PATIENCE * max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def is_turn(mail: EmailMessage) -> bool:
    """Whether an email says that its reader must act."""
    return re.search(_TURN, str(mail["Subject"])) is not None


def was_done(receipt: EmailMessage) -> bool:
    """Whether a receipt says that all was done."""
    return "NOT DONE" not in str(receipt["Subject"])


class Troupe:
    """The players of one game."""

    def __init__(
        self,
        office: PostOffice,
        game: str,
        names: Sequence[str],
        host: str = "players.test",
        rest: Callable[[], object] = lambda: None,
    ) -> None:
        """Bots call ``rest`` while they wait, so that a service without a daemon can work."""
        self.office = office
        self.game = game
        self.rest = rest
        self.players = {name: Player(name, f"{name.lower()}@{host}", office) for name in names}

    def gather(self, title: str, variants: Sequence[str]) -> None:
        """Create the game, join it and start it by email."""
        host = next(iter(self.players.values()))
        address = self.office.mailbox
        options = f" with {', '.join(variants)}" if variants else ""
        host.send(address, "a game", [f"create {title} {self.game}{options}"])
        self.rest()
        self._join(host, host.wait(re.escape(self.game), 0))

    def _join(self, host: Player, created: EmailMessage) -> None:
        """All join an open game, and its organizer starts it."""
        address = self.office.mailbox
        for player in self.players.values():
            before = len(player.mails)
            player.send(address, "join", [f"join {self.game} as {player.name}"])
            self.rest()
            asked = player.wait("yes|seat|join", before)
            self._reply(player, asked, ["yes"])
        self._reply(host, created, ["start"])

    def play(self, lines: PlayerLines) -> EmailMessage:
        """Send one player's answer to a turn email; return the receipt."""
        player = self.players[lines.seat]
        turn = player.mails[player.answered] if lines.goes_on else player.turn()
        receipt = self._reply(player, turn, lines.text)
        if was_done(receipt):
            player.settled = player.answered + 1
        return receipt

    def _reply(self, player: Player, mail: EmailMessage, lines: Sequence[str]) -> EmailMessage:
        before = len(player.mails)
        sent = player.reply(mail, lines)
        self.rest()
        return player.receipt(sent, before)


def game_name(
    secret: bytes,
    names: Sequence[str],
    beside: Collection[str] = (),
    title: engine.Title | None = None,
) -> str:
    """A name for which drawing lots seats the players in this order.

    The lot also draws the usual private companies of the title, by default 18AL.
    """
    title = title or engine.load_title("18AL")
    for number in count(1):
        name = f"dixie{number}"
        if name not in beside and seats_so(secret, name, names, title):
            return name
    raise AssertionError("numbers do not end")
