"""Tells systemd that the service is ready, at work, or about to stop, if systemd started it.

The protocol is sd_notify(3): a line to the socket that the environment names. Without that socket
nothing happens.
"""

import os
import socket

READY = "READY=1"
ALIVE = "WATCHDOG=1"
STOPPING = "STOPPING=1"


def tell(line: str) -> None:
    """Send a line; a supervisor that does not listen is no error."""
    place = os.environ.get("NOTIFY_SOCKET", "")
    if not place:
        return
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as plug:
            plug.settimeout(1)
            # a name that begins with @ is in the abstract namespace (unix(7))
            plug.sendto(line.encode(), f"\0{place[1:]}" if place[0] == "@" else place)
    except OSError:
        return
