"""A mailing list for the demonstration, and players who write their moves to it.

It forwards each email to all members, with the headers of RFC 2369 and RFC 2919 and no others, as
simple list managers do.
"""

import queue
import re
import smtplib
import threading
from collections import Counter
from collections.abc import Sequence
from email.message import EmailMessage
from types import TracebackType
from typing import Self

from service.desk.channels.mailing_list import IS_THERE
from service.mail.message import MARK
from service.workshop.demo.embedded import PostOffice
from service.workshop.demo.troupe import PlayerLines, Troupe, parse_mail, text_part, was_done

ADDRESS = "dixie@lists.waybill.test"
_OWNER = "dixie-bounces@lists.waybill.test"
_NAME = "dixie.lists.waybill.test"
#: the beginnings of orders, and the words between their steps, which only their player may read
_ORDER = re.compile(r"(?:operate|pass until|next|standing)\b|.*\bthen\b", re.IGNORECASE)
_LINE = re.compile(r"!list\s+[a-z2-7]{16}")


class MailingList:
    """The list, while the context is open; it sends in another thread."""

    def __init__(self, office: PostOffice, members: Sequence[str]) -> None:
        self._office, self._members = office, members
        self._posts: queue.Queue[bytes | None] = queue.Queue()
        self._thread = threading.Thread(target=self._run, name="mailing list", daemon=True)

    def __enter__(self) -> Self:
        self._office.on_delivery = self._take
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._posts.put(None)
        self._thread.join(10)

    def _take(self, address: str, raw: bytes) -> None:
        if address == ADDRESS:
            self._posts.put(raw)

    def _run(self) -> None:
        own = f"List-Id: <{_NAME}>\r\nList-Post: <mailto:{ADDRESS}>\r\n".encode()
        while (raw := self._posts.get()) is not None:
            with smtplib.SMTP("127.0.0.1", self._office.smtp_port) as server:
                for member in self._members:
                    server.sendmail(_OWNER, [member], own + raw)


class ListTroupe(Troupe):
    """Players of a game on the list; every second player writes public commands to it."""

    def gather(self, title: str, variants: Sequence[str]) -> None:
        """Create the game on the list, confirm the list, join and start."""
        host = next(iter(self.players.values()))
        options = f" with {', '.join(variants)}" if variants else ""
        host.send(
            self.office.mailbox, "a game", [f"create {title} {self.game} list={ADDRESS}{options}"]
        )
        created = host.wait(re.escape(self.game), 0)
        [line] = _LINE.findall(text_part(created))
        host.send(ADDRESS, "A game here?", ["Shall we play it here?", " ".join(line.split())])
        host.wait(re.escape(IS_THERE.rstrip(".")), 0)
        self._join(host, created)

    def play(self, lines: PlayerLines) -> EmailMessage:
        """Send one player's email, to the list if all may read it; return the receipt."""
        player = self.players[lines.seat]
        writes = [*self.players].index(lines.seat) % 2 == 0
        if not writes or any(_ORDER.match(text) for text in lines.text):
            return super().play(lines)
        if not lines.goes_on:
            player.turn()
        before = len(player.mails)
        sent = player.send(ADDRESS, f"[{self.game}] my move", [f"!{text}" for text in lines.text])
        receipt = player.receipt(sent, before)
        if was_done(receipt):
            player.settled = player.answered + 1
        return receipt

    def told(self) -> dict[str, object]:
        """Figures of the list: emails from Waybill, emails per round, and duplicates."""
        mails = [parse_mail(raw) for raw in self.office.delivered(ADDRESS)]
        ours = [mail for mail in mails if mail[MARK]]
        rounds = sum("complete" in str(mail["Subject"]) for mail in ours)
        # two emails may have the same answer, but one email never has two
        same = Counter(
            (str(mail["Subject"]), str(mail["In-Reply-To"]), text_part(mail)) for mail in ours
        )
        answers = sum(str(mail["Subject"]).startswith("Re: ") for mail in ours)
        return {
            "list_posts": len(mails) - len(ours),
            "list_letters": len(ours),
            "list_receipts": answers,
            "list_rounds": rounds,
            "list_letters_a_round": round(len(ours) / max(rounds, 1), 1),
            "list_doubled": sum(count - 1 for count in same.values()),
        }
