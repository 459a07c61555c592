"""A real list manager for one test: mlmmj behind Postfix on loopback, with Maildirs, no trace left.

Set up as mlmmj's README.postfix says, by a transport that runs it as the owner of the list.
"""

import os
import pwd
import shutil
import smtplib
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

LIST = "dixie@lists.example.org"
_USER = "nobody"
_DAEMONS = Path("/usr/lib/postfix/sbin")
_TEXTS = Path("/usr/share/mlmmj/text.skel/en")
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
mlmmj_destination_recipient_limit = 1
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
mlmmj unix - n n - - pipe
  flags=DORhu user={user} argv=/usr/bin/mlmmj-receive -F -L {home}/lists/$nexthop
"""


def missing() -> str:
    """What is not here that a list server needs, '' if all is."""
    if os.geteuid() != 0:
        return "root, as whom Postfix is started"
    programs = [Path("/usr/sbin/postfix"), Path("/usr/bin/mlmmj-receive"), _TEXTS]
    return next(
        (f"{path} (apt install mlmmj postfix)" for path in programs if not path.exists()), ""
    )


@dataclass(frozen=True)
class ListServer:
    """A running list manager with its mail server."""

    home: Path
    port: int

    def subscribe(self, *addresses: str) -> None:
        """Put addresses on the list, as its owner does."""
        for address in addresses:
            command = (
                "/usr/bin/mlmmj-sub",
                "-L",
                str(self.home / "lists/dixie"),
                "-a",
                address,
                "-s",
            )
            subprocess.run(command, check=True, user=_USER, capture_output=True)

    def unsubscribe(self, address: str) -> None:
        """Take an address off the list, as its owner does."""
        command = ("/usr/bin/mlmmj-unsub", "-L", str(self.home / "lists/dixie"), "-a", address)
        subprocess.run((*command, "-q", "-s"), check=True, user=_USER, capture_output=True)

    def maildir(self, address: str) -> Path:
        """Where the mails of an address lie; it exists from the first one on, or from now."""
        box = self.home / "mail" / address
        for part in ("cur", "new", "tmp"):
            (box / part).mkdir(parents=True, exist_ok=True)
        for path in (box, *box.iterdir()):
            shutil.chown(path, _USER)
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
        """Whether no mail is under way."""
        queues = ("incoming", "active", "deferred", "maildrop")
        mails = (p for q in queues for p in (self.home / "queue" / q).rglob("*") if p.is_file())
        lists = self.home / "lists/dixie"
        return not any(mails) and not any((lists / "incoming").iterdir())

    @property
    def log(self) -> str:
        """What the servers have noted."""
        file = self.home / "log/postfix.log"
        return file.read_text() if file.exists() else ""


@contextmanager
def list_server() -> Iterator[ListServer]:
    """A server with the list LIST, to which only members may write."""
    home = Path(tempfile.mkdtemp(prefix="waybill-list-"))
    home.chmod(0o755)
    port = _free_port()
    try:
        _write(home, port)
        _postfix(home, "start")
        server = ListServer(home, port)
        _wait_for(server)
        yield server
    finally:
        with suppress(subprocess.CalledProcessError):
            _postfix(home, "stop")
        shutil.rmtree(home, ignore_errors=True)


def _postfix(home: Path, word: str) -> None:
    subprocess.run(("postfix", "-c", str(home / "conf"), word), check=True, capture_output=True)


def _write(home: Path, port: int) -> None:
    owner = pwd.getpwnam(_USER)
    for part in ("conf", "queue", "data", "log", "mail", "lists"):
        (home / part).mkdir()
    shutil.chown(home / "data", "postfix")
    shutil.chown(home / "mail", _USER)
    # virtual(8) takes no address out of a pattern
    people = [f"{name}@players.test" for name in ("ann", "bob", "cat", "dan", "zoe", "owner")]
    boxes = (f"{address} {address}/\n" for address in ("play@waybill.test", *people))
    (home / "boxes").write_text("".join(boxes))
    (home / "transport").write_text("/^dixie(\\+.*)?@lists\\.example\\.org$/ mlmmj:dixie\n")
    known = {"home": home, "port": port, "user": _USER, "daemons": _DAEMONS}
    main = _MAIN.format(**known, uid=owner.pw_uid, gid=owner.pw_gid)
    (home / "conf/main.cf").write_text(main)
    (home / "conf/master.cf").write_text(_MASTER.format(**known))
    _write_list(home / "lists/dixie", port)


def _write_list(place: Path, port: int) -> None:
    for part in (
        *("incoming", "queue/discarded", "archive", "subconf", "unsubconf", "bounce", "control"),
        *("moderation", "subscribers.d", "digesters.d", "requeue", "nomailsubs.d"),
    ):
        (place / part).mkdir(parents=True)
    shutil.copytree(_TEXTS, place / "text")
    (place / "index").write_text("0")
    control = {
        "listaddress": LIST,
        "owner": "owner@players.test",
        "relayhost": "127.0.0.1",
        "smtpport": str(port),
        "subonlypost": "",
        "customheaders": f"List-Id: <dixie.lists.example.org>\nList-Post: <mailto:{LIST}>",
        "footer": "-- \ndixie, a list for 18xx games",
    }
    for name, text in control.items():
        (place / "control" / name).write_text(f"{text}\n" if text else "")
    for path in (place, *place.rglob("*")):
        shutil.chown(path, _USER)


def _wait_for(server: ListServer) -> None:
    end = time.monotonic() + 15
    while time.monotonic() < end:
        with (
            suppress(OSError, smtplib.SMTPException),
            smtplib.SMTP("127.0.0.1", server.port, timeout=2),
        ):
            return
        time.sleep(0.05)
    raise RuntimeError(f"Postfix did not start: {server.log[-2000:]}")


def _free_port() -> int:
    with closing(socket.socket()) as plug:
        plug.bind(("127.0.0.1", 0))
        return int(plug.getsockname()[1])
