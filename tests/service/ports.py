"""Ports of loopback for servers that a test starts."""

import random
import socket
from contextlib import closing, suppress

_BELOW_CONNECTIONS = range(10_000, 32_768)
"""Linux gives 32768 and above to outgoing connections: such a port can be gone before it is used."""


def free_port() -> int:
    """A port of loopback that nobody listens on, and that no connection takes by itself."""
    while True:
        port = random.choice(_BELOW_CONNECTIONS)
        with closing(socket.socket()) as plug, suppress(OSError):
            plug.bind(("127.0.0.1", port))
            return port
