"""A real list manager for tests: mlmmj behind Postfix.

Set up as mlmmj's README.postfix says, by a transport that runs it as the owner of the list.
"""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.service import postfix
from tests.service.postfix import LIST, USER, ListServer, Transport

_TEXTS = Path("/usr/share/mlmmj/text.skel/en")
_TRANSPORT = Transport(
    r"dixie(\+.*)?@lists\.example\.org",
    "mlmmj:dixie",
    main="mlmmj_destination_recipient_limit = 1",
    service="mlmmj unix - n n - - pipe\n"
    "  flags=DORhu user={user} argv=/usr/bin/mlmmj-receive -F -L {home}/lists/$nexthop",
)


def missing() -> str:
    """What is not here that a list server needs, '' if all is."""
    return postfix.missing("mlmmj", Path("/usr/bin/mlmmj-receive"), _TEXTS)


class Mlmmj(ListServer):
    """mlmmj, which leaves From as it is."""

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
            subprocess.run(command, check=True, user=USER, capture_output=True)

    def unsubscribe(self, address: str) -> None:
        """Take an address off the list, as its owner does."""
        command = ("/usr/bin/mlmmj-unsub", "-L", str(self.home / "lists/dixie"), "-a", address)
        subprocess.run((*command, "-q", "-s"), check=True, user=USER, capture_output=True)

    def _listing(self) -> bool:
        return any((self.home / "lists/dixie/incoming").iterdir())


@contextmanager
def running() -> Iterator[ListServer]:
    """A server with the list LIST, to which only members may write."""
    with postfix.postfix(_TRANSPORT) as (home, port):
        _write_list(home / "lists/dixie", port)
        yield Mlmmj(home, port)


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
        shutil.chown(path, USER)
