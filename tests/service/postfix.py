"""A real mail server for tests of lists: Postfix on loopback, with Maildirs, no trace left.

Who uses it says what serves the list: a transport of Postfix, and how its owner speaks to it.
"""

import os
import pwd
import shutil
import smtplib
import subprocess
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tests.service.ports import free_port

LIST = "dixie@lists.example.org"
#: as whom lists and Maildirs are kept
USER = "nobody"
_DAEMONS = Path("/usr/lib/postfix/sbin")
_MAIN = """
compatibility_level = 3.6
queue_directory = {home}/queue
data_directory = {home}/data
command_directory = /usr/sbin
daemon_directory = {daemons}
mail_owner = postfix
setgid_group = postdrop
maillog_file = {home}/log/postfix.log
maillog_file_prefixes = {home}
myhostname = lists.example.org
mydestination =
alias_maps =
alias_database =
mynetworks = 127.0.0.0/8
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
smtp_dns_support_level = disabled
smtpd_relay_restrictions = permit_mynetworks, reject
smtpd_peername_lookup = no
recipient_delimiter = +
virtual_mailbox_domains = waybill.test, players.test
virtual_mailbox_base = {home}/mail
virtual_mailbox_maps = texthash:{home}/boxes
virtual_uid_maps = static:{uid}
virtual_gid_maps = static:{gid}
virtual_minimum_uid = 1
relay_domains = lists.example.org
transport_maps = regexp:{home}/transport
{main}
"""
_MASTER = """
127.0.0.1:{port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
error unix - - n - - error
retry unix - - n - - error
virtual unix - n n - - virtual
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
{service}
"""


def missing(apt: str, *programs: Path) -> str:
    """What is not here of Postfix and of the files of the Debian package ``apt``, '' if all is."""
    if os.geteuid() != 0:
        return "root, as whom Postfix is started"
    wanted = (Path("/usr/sbin/postfix"), *programs)
    return next((f"{path} (apt install postfix {apt})" for path in wanted if not path.exists()), "")


@dataclass(frozen=True)
class Transport:
    """How Postfix hands on what goes to the list.

    ``pattern`` are its addresses, ``to`` what transport(5) says of them; ``main`` and ``service``
    are lines for main.cf and master.cf, with {home} and {user}.
    """

    pattern: str
    to: str
    main: str = ""
    service: str = ""


@dataclass(frozen=True)
class ListServer(ABC):
    """A running list manager with its mail server."""

    home: Path
    port: int

    @abstractmethod
    def subscribe(self, *addresses: str) -> None:
        """Put addresses on the list, as its owner does."""

    @abstractmethod
    def unsubscribe(self, address: str) -> None:
        """Take an address off the list, as its owner does."""

    @abstractmethod
    def _listing(self) -> bool:
        """Whether the list manager has a mail in hand."""

    def maildir(self, address: str) -> Path:
        """Where the mails of an address lie; it exists from the first one on, or from now."""
        box = self.home / "mail" / address
        for part in ("cur", "new", "tmp"):
            (box / part).mkdir(parents=True, exist_ok=True)
        for path in (box, *box.iterdir()):
            shutil.chown(path, USER)
        return box

    def delivered(self, address: str) -> list[bytes]:
        """The mails of an address, in the order in which they came."""
        files = [*(self.maildir(address) / "new").iterdir()]
        return [file.read_bytes() for file in sorted(files, key=lambda f: f.stat().st_mtime_ns)]

    def send(self, sender: str, to: Sequence[str], raw: bytes) -> None:
        """Hand a mail to the server."""
        with smtplib.SMTP("127.0.0.1", self.port, timeout=20) as server:
            server.sendmail(sender, to, raw)

    def idle(self) -> bool:
        """Whether no mail is under way; the list manager hands on before it forgets."""
        return not (self._mailing() or self._listing() or self._mailing())

    def _mailing(self) -> bool:
        queues = ("incoming", "active", "deferred", "maildrop")
        mails = (p for q in queues for p in (self.home / "queue" / q).rglob("*") if p.is_file())
        return any(mails)

    @property
    def log(self) -> str:
        """What the servers have noted."""
        file = self.home / "log/postfix.log"
        return file.read_text() if file.exists() else ""


@contextmanager
def postfix(transport: Transport) -> Iterator[tuple[Path, int]]:
    """A running server: its folder, in which lists may be kept too, and its port."""
    home = Path(tempfile.mkdtemp(prefix="waybill-list-"))
    home.chmod(0o755)
    port = free_port()
    try:
        _write(home, port, transport)
        _run(home, "start")
        wait_for(port, home / "log/postfix.log")
        yield home, port
    finally:
        with suppress(subprocess.CalledProcessError):
            _run(home, "stop")
        shutil.rmtree(home, ignore_errors=True)


def _run(home: Path, word: str) -> None:
    subprocess.run(("postfix", "-c", str(home / "conf"), word), check=True, capture_output=True)


def _write(home: Path, port: int, transport: Transport) -> None:
    owner = pwd.getpwnam(USER)
    for part in ("conf", "queue", "data", "log", "mail", "lists"):
        (home / part).mkdir()
    shutil.chown(home / "data", "postfix")
    shutil.chown(home / "mail", USER)
    # virtual(8) takes no address out of a pattern
    people = [f"{name}@players.test" for name in ("ann", "bob", "cat", "dan", "zoe", "owner")]
    boxes = (f"{address} {address}/\n" for address in ("play@waybill.test", *people))
    (home / "boxes").write_text("".join(boxes))
    (home / "transport").write_text(f"/^{transport.pattern}$/ {transport.to}\n")
    known = {"home": home, "port": port, "user": USER, "daemons": _DAEMONS}
    known |= {"main": transport.main, "service": transport.service.format(**known)}
    main = _MAIN.format(**known, uid=owner.pw_uid, gid=owner.pw_gid)
    # Each setting once: Postfix warns of a second one, and its logger can block on its own warning.
    settings = {line.partition(" = ")[0]: f"{line}\n" for line in main.splitlines() if line}
    (home / "conf/main.cf").write_text("".join(settings.values()))
    (home / "conf/master.cf").write_text(_MASTER.format(**known))


def wait_for(port: int, log: Path) -> None:
    """Return when a mail server answers; raises RuntimeError with the end of its log."""
    end = time.monotonic() + 90
    while time.monotonic() < end:
        with suppress(OSError, smtplib.SMTPException), smtplib.SMTP("127.0.0.1", port, timeout=2):
            return
        time.sleep(0.05)
    said = log.read_text()[-2000:] if log.exists() else ""
    raise RuntimeError(f"{log.stem} did not start: {said}")
