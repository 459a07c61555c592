"""Access tokens instead of a password (OAuth 2.0, RFC 6749), kept until a server refuses one.

The module knows neither the servers nor the issuers of tokens. It logs nothing, because the output
of a program that prints a token may contain one even if the program fails.
"""

import os
import re
import shlex
import signal
import subprocess
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

#: seconds that a program may take: it may have to ask a server for a new token first
PATIENCE = 30.0
#: characters of the longest token; those of large providers have up to 5,000
_LONGEST = 16_384
#: a token is part of a line whose parts end with control characters (RFC 7628 §3.1)
_TOKEN = re.compile(r"[!-~]+")


class TokenTrouble(Exception):
    """No token is available. The text says why and what to do, and never quotes one."""


class AccessTokens:
    """The tokens of one account. Several threads may ask for them."""

    def __init__(
        self, fetch: Callable[[], str], interrupt: Callable[[], None] = lambda: None
    ) -> None:
        """``fetch`` gets a token and raises TokenTrouble; ``interrupt`` ends it early."""
        self._fetch, self.interrupt = fetch, interrupt
        self._token = ""
        self._one_at_a_time = threading.Lock()

    def get(self, refused: str = "") -> str:
        """The present token, or a new one if there is none or it is the one ``refused``.

        Raises TokenTrouble.
        """
        with self._one_at_a_time:
            if self._token in ("", refused):
                self._token = ""
                self._token = checked(self._fetch())
            return self._token


NO_TOKEN = "{program} printed no access token: it must print the token, in one line, and end"


def checked(printed: str, program: str = "the token's source") -> str:
    """The token in a program's output. Raises TokenTrouble."""
    token = printed.strip()
    if len(token) > _LONGEST or not _TOKEN.fullmatch(token):
        raise TokenTrouble(NO_TOKEN.format(program=program))
    return token


TOO_SLOW = "{program} gave no access token within {seconds:.0f} seconds; try it by hand"
FAILED = "{program} gave no access token: it ended with the code {code}; try it by hand"
CANNOT_START = "{program} gave no access token: it cannot be started ({why}); check token_command"
INTERRUPTED = "{program} was ended because Waybill stops"


class TokenProgram:
    """A program that prints an access token, as an operator writes its command line."""

    def __init__(self, command: str, patience: float = PATIENCE) -> None:
        """``command`` is split as a shell would split it, but no shell runs it."""
        self._words, self._patience = shlex.split(command), patience
        # Its arguments may be secret, so errors mention only its name.
        self._called = Path(self._words[0]).name
        self._running: subprocess.Popen[bytes] | None = None
        self._stopped = False

    def __call__(self) -> str:
        """A token. Raises TokenTrouble."""
        if self._stopped:
            raise TokenTrouble(INTERRUPTED.format(program=self._called))
        try:
            # in a process group, so that all processes it has started end with it
            process = subprocess.Popen(
                self._words,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            why = error.strerror or type(error).__name__
            raise TokenTrouble(CANNOT_START.format(program=self._called, why=why)) from None
        self._running = process
        try:
            printed, _ = process.communicate(timeout=self._patience)
        except subprocess.TimeoutExpired:
            # Raised from None, because the error contains the output.
            raise TokenTrouble(
                TOO_SLOW.format(program=self._called, seconds=self._patience)
            ) from None
        finally:
            self._running = None
            _end(process)
        if self._stopped:
            raise TokenTrouble(INTERRUPTED.format(program=self._called))
        if process.returncode:
            raise TokenTrouble(FAILED.format(program=self._called, code=process.returncode))
        return checked(printed.decode("ascii", "replace"), self._called)

    def interrupt(self) -> None:
        """End it for good. Safe from any thread."""
        self._stopped = True
        if (process := self._running) is not None:
            _end(process)


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End a program and all processes that it has started."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    if process.stdout is not None:
        process.stdout.close()
