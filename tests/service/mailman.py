"""A real list manager for tests: Mailman 3 of the Debian package, behind Postfix.

Set up as its documentation says of Postfix: LMTP in, SMTP out. The list rewrites From of all posts,
as lists do for writers whose domain has DMARC, writes its name into subjects and adds a footer.
What Mailman has a process each for is done by one here, which starts in the time of one.
"""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.service import postfix
from tests.service.ports import free_port
from tests.service.postfix import LIST, USER, ListServer, Transport

#: the system's, which has Debian's packages
_PYTHON = Path("/usr/bin/python3")
_BIN = Path("/usr/lib/mailman3/bin")
_RUNNERS = ("in", "pipeline", "out", "virgin")
_CONFIG = """
[mailman]
site_owner: owner@players.test
layout: here
[paths.here]
var_dir: {place}
bin_dir: {bin}
[mta]
smtp_host: 127.0.0.1
smtp_port: {smtp}
lmtp_host: 127.0.0.1
lmtp_port: {lmtp}
configuration: {place}/postfix.cfg
[dmarc]
resolver_timeout: 0.2s
resolver_lifetime: 0.2s
"""
#: takes mails and handles them; of a line that it is given it puts an address on the list (+) or
#: takes it off (-), and answers
_PROGRAM = """
import asyncio
import sys
from mailman.core.initialize import initialize
initialize({config!r})
from mailman.app.lifecycle import create_list
from mailman.config import config
from mailman.interfaces.action import Action
from mailman.interfaces.domain import IDomainManager
from mailman.interfaces.mailinglist import DMARCMitigateAction
from mailman.interfaces.usermanager import IUserManager
from mailman.runners.lmtp import LMTP, LMTPHandler
from mailman.utilities.modules import find_name
from zope.component import getUtility

getUtility(IDomainManager).add({host!r})
dixie = create_list({list!r})
dixie.send_welcome_message = dixie.admin_immed_notify = False
dixie.dmarc_mitigate_action = DMARCMitigateAction.munge_from
dixie.dmarc_mitigate_unconditionally = True
dixie.default_nonmember_action = Action.reject
config.db.commit()
runners = [
    find_name(getattr(section, "class"))(name)
    for name in {runners!r}
    for section in [getattr(config, "runner." + name)]
]

def own():
    line = sys.stdin.readline().strip()
    if not line:
        sys.exit()
    people = getUtility(IUserManager)
    if line[0] == "-":
        dixie.members.get_member(line[1:]).unsubscribe()
    else:
        user = people.get_user(line[1:]) or people.make_user(line[1:])
        dixie.subscribe(list(user.addresses)[0]).moderation_action = Action.defer
    config.db.commit()
    print("done", flush=True)

async def main():
    loop = asyncio.get_running_loop()
    await loop.create_server(lambda: LMTP(LMTPHandler(), loop=loop), "127.0.0.1", {lmtp})
    loop.add_reader(sys.stdin, own)
    print("done", flush=True)
    while True:
        for runner in runners:
            runner._one_iteration()
        await asyncio.sleep(0.02)

asyncio.run(main())
"""


def missing() -> str:
    """What is not here that a list server needs, '' if all is."""
    return postfix.missing("mailman3", _BIN / "mailman", _PYTHON)


@dataclass(frozen=True)
class Mailman(ListServer):
    """Mailman, which writes the list's address into From."""

    program: subprocess.Popen[str]

    def subscribe(self, *addresses: str) -> None:
        """Put addresses on the list, as its owner does."""
        for address in addresses:
            _say(self.program, f"+{address}")

    def unsubscribe(self, address: str) -> None:
        """Take an address off the list, as its owner does."""
        _say(self.program, f"-{address}")

    @property
    def log(self) -> str:
        """What the servers have noted; what Mailman could not handle never gets idle."""
        return super().log[-1000:] + (self.home / "lists/mailman.log").read_text()[-1000:]

    def _listing(self) -> bool:
        places = (self.home / "lists/queue" / name for name in (*_RUNNERS, "shunt", "bad"))
        return any(file.is_file() for place in places for file in place.glob("*"))


@contextmanager
def running() -> Iterator[ListServer]:
    """A server with the list LIST, to which only members may write."""
    lmtp = free_port()
    transport = Transport(
        r"dixie(-.*)?@lists\.example\.org",
        f"lmtp:[127.0.0.1]:{lmtp}",
        main="lmtp_destination_recipient_limit = 1",
        service="lmtp unix - - n - - lmtp",
    )
    with postfix.postfix(transport) as (home, port):
        place = home / "lists"
        _write(place, port, lmtp)
        for path in (place, *place.rglob("*")):
            shutil.chown(path, USER)
        with (place / "mailman.log").open("w") as log:
            program = subprocess.Popen(
                (_PYTHON, place / "program.py"),
                cwd=place, env=_environment(), user=USER, text=True,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log,
            )  # fmt: skip
        try:
            _say(program)
            yield Mailman(home, port, program)
        finally:
            program.terminate()
            program.communicate()


def _say(program: subprocess.Popen[str], line: str = "") -> None:
    """Give it a line, if there is one, and wait for the answer; raises RuntimeError for none."""
    assert program.stdin is not None
    assert program.stdout is not None
    if line:
        program.stdin.write(f"{line}\n")
        program.stdin.flush()
    if program.stdout.readline() != "done\n":
        raise RuntimeError(f"Mailman has ended: {line}")


def _environment() -> dict[str, str]:
    """Without what the project's own Python would be found by."""
    return {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"} | (
        {"TMPDIR": os.environ["TMPDIR"]} if "TMPDIR" in os.environ else {}
    )


def _write(place: Path, smtp: int, lmtp: int) -> None:
    config = _CONFIG.format(place=place, bin=_BIN, smtp=smtp, lmtp=lmtp)
    (place / "mailman.cfg").write_text(config)
    maps = "[postfix]\npostmap_command: /bin/true\ntransport_file_type: regex\n"
    (place / "postfix.cfg").write_text(maps)
    # what it would fetch from the web at the first post; its time says until when it is good
    suffixes = place / "public_suffix_list.dat"
    suffixes.write_text("org\ntest\n")
    soon = time.time() + 86400
    os.utime(suffixes, (soon, soon))
    known = {"config": str(place / "mailman.cfg"), "lmtp": lmtp, "runners": _RUNNERS}
    text = _PROGRAM.format(**known, list=LIST, host=LIST.partition("@")[2])
    (place / "program.py").write_text(text)
