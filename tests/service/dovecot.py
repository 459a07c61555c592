"""A real Dovecot on loopback for one test: plain IMAP, IMAPS and STARTTLS, a Maildir, no trace left."""

import grp
import imaplib
import os
import pwd
import shutil
import socket
import ssl
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from tests.service.ports import free_port

PASSWORD = "pw"

SELF_SIGNED = (
    "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost "
    "-addext subjectAltName=DNS:localhost,IP:127.0.0.1"
)
_CONFIG = """
base_dir={home}/run
state_dir={home}/state
log_path={home}/log
protocols = imap
listen = 127.0.0.1
default_internal_user={user}
default_internal_group={group}
default_login_user={user}
mail_uid={uid}
mail_gid={gid}
first_valid_uid=1
mail_home={home}/mail/%u
mail_location=maildir:~/Maildir
ssl=yes
ssl_cert=<{home}/cert.pem
ssl_key=<{home}/key.pem
disable_plaintext_auth=no
auth_failure_delay=0
{passdb}
userdb {{
  driver=static
  args=uid={uid} gid={gid} home={home}/mail/%u
}}
service imap-login {{
  chroot=
  inet_listener imap {{
    port={imap}
  }}
  inet_listener imaps {{
    port={imaps}
    ssl=yes
  }}
}}
service anvil {{
  chroot=
  unix_listener anvil-auth-penalty {{
    mode=0
  }}
}}
service stats {{
  chroot=
}}
"""
_PASSWORDS = f"passdb {{\n  driver=static\n  args=password={PASSWORD}\n}}"
_TOKENS = """auth_mechanisms={mechanisms}
passdb {{
  driver=oauth2
  mechanisms={mechanisms}
  args={home}/oauth2.conf
}}"""
_INTROSPECTION = """introspection_mode=post
introspection_url={url}
active_attribute=active
active_value=true
username_attribute=username
"""


@dataclass(frozen=True)
class Dovecot:
    """A running server: its ports, its folder, and the trust in its certificate."""

    imap: int
    imaps: int
    home: Path
    trust: ssl.SSLContext

    def new_user(self) -> str:
        """A user nobody was before; any name may log in with PASSWORD."""
        return f"play{uuid4().hex[:12]}@example.test"

    def deliver(self, user: str, raw: bytes) -> None:
        """Put a mail into the user's INBOX."""
        with imaplib.IMAP4("127.0.0.1", self.imap, timeout=10) as client:
            client.login(user, PASSWORD)
            client.append("INBOX", "", "", raw)

    def put(self, user: str, raw: bytes) -> None:
        """The same without a log-in, before the user's first."""
        home = self.home / "mail" / user
        for folder in ("", "Maildir", "Maildir/cur", "Maildir/tmp", "Maildir/new"):
            (home / folder).mkdir(exist_ok=True)
        (home / "Maildir/new/1").write_bytes(raw)
        for path in (home, *home.rglob("*")) if os.geteuid() == 0 else ():
            shutil.chown(path, "nobody")


def missing() -> str:
    """What of the machine's programs is missing to run it, '' if nothing."""
    return ", ".join(
        name for name in ("dovecot", "openssl") if shutil.which(name, path=_PATH) is None
    )


@contextmanager
def running(introspection: str = "", mechanisms: str = "xoauth2") -> Iterator[Dovecot]:
    """Start Dovecot in a folder of its own; as root it works under the user nobody.

    With the URL of an ``introspection`` (RFC 7662) it takes access tokens and no password.
    """
    home = Path(tempfile.mkdtemp(prefix="waybill-dovecot-"))
    imap, imaps = free_port(), free_port()
    try:
        tokens = _TOKENS.format(home=home, mechanisms=mechanisms)
        (home / "oauth2.conf").write_text(_INTROSPECTION.format(url=introspection))
        _furnish(home, imap, imaps, tokens if introspection else _PASSWORDS)
        process = subprocess.Popen(
            ["dovecot", "-F", "-c", str(home / "dovecot.conf")],
            env={**os.environ, "PATH": _PATH},
            stderr=subprocess.DEVNULL,
        )
        try:
            for port in (imap, imaps):
                _wait_for(port, process)
            trust = ssl.create_default_context(cafile=str(home / "cert.pem"))
            yield Dovecot(imap, imaps, home, trust)
        finally:
            process.terminate()
            process.wait(10)
    finally:
        shutil.rmtree(home, ignore_errors=True)


_PATH = os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin"


def _furnish(home: Path, imap: int, imaps: int, passdb: str) -> None:
    user = pwd.getpwnam("nobody") if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
    subprocess.run(
        [*SELF_SIGNED.split(), "-keyout", str(home / "key.pem"), "-out", str(home / "cert.pem")],
        check=True,
        capture_output=True,
    )
    (home / "dovecot.conf").write_text(
        _CONFIG.format(
            home=home,
            passdb=passdb,
            imap=imap,
            imaps=imaps,
            user=user.pw_name,
            group=grp.getgrgid(user.pw_gid).gr_name,
            uid=user.pw_uid,
            gid=user.pw_gid,
        )
    )
    for part in ("mail", "run", "state"):
        (home / part).mkdir()
    if os.geteuid() == 0:
        for path in (home, *home.iterdir()):
            shutil.chown(path, user.pw_name)
        home.chmod(0o755)


def _wait_for(port: int, process: "subprocess.Popen[bytes]") -> None:
    end = time.monotonic() + 10
    while time.monotonic() < end and process.poll() is None:
        with suppress(OSError):
            socket.create_connection(("127.0.0.1", port), 0.2).close()
            return
        time.sleep(0.01)
    raise RuntimeError("dovecot did not start")
