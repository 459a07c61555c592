"""A process that reads emails within limits of time and memory. It knows no games.

It also checks their signatures, with keys that the caller gives to it. It asks nobody. The parsers
for email and HTML were made for honest input: some kilobytes can keep them busy for minutes, or
make them use gigabytes. Here only this process ends then. It keeps running, so that reading an
ordinary email takes no longer than in the main process.
"""

import atexit
import resource
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache
from multiprocessing.connection import Connection
from time import monotonic

import msgspec
import structlog

from service.apart.process import Process
from service.mail.message import TOO_LARGE, Mail, out_of_bounds, read, read_head
from service.mail.signing import holding

log = structlog.get_logger()

#: seconds of work for an email; an email from a person takes some milliseconds
WORK = 1.0
#: bytes of memory that the process may have, including its libraries
MEMORY = 384 << 20
#: seconds by the clock for an email, and for the start of the process that reads it; an email can
#: use only its seconds of work, so a longer time is the machine's fault and not the email's
PATIENCE = 60.0

TOO_LONG = f"it takes more than {WORK:g} s to read"
_BY_SIGNAL = {
    signal.SIGPROF: TOO_LONG,
    signal.SIGSEGV: "it ends the process that reads it",
    signal.SIGABRT: "it ends the process that reads it",
    signal.SIGBUS: "it ends the process that reads it",
    signal.SIGKILL: "the process that reads it is killed from outside",
}


class NoReader(Exception):
    """No email can be read now, because the process cannot run."""


class Reader(Process):
    """Reads emails in a process that starts with the first one. Never raises for an email."""

    def __init__(self, patience: float = PATIENCE, module: str = __name__) -> None:
        """``patience`` is in seconds by the clock;

        ``module`` is the module that the process runs.
        """
        super().__init__(patience, module)
        #: the largest number of bytes of memory that the process has had
        self.peak = 0

    def __call__(self, raw: bytes) -> Mail:
        """Read an email. If it exceeds the limits, its headers are read, and ``aside`` says why.

        Raises NoReader if no process can be started.
        """
        found = self._answer(_ReaderRequest(raw))
        if isinstance(found, _ReaderAnswer):
            return found.mail
        log.warning("an email breaks the bounds", reason=found)
        return out_of_bounds(read_head(raw), found)

    def holding(
        self, raw: bytes, keys: Mapping[str, str], places: tuple[int, ...]
    ) -> tuple[int, ...]:
        """The signatures of an email that are valid with these keys; none if the check failed.

        Raises NoReader if no process can be started.
        """
        found = self._answer(_ReaderRequest(raw, dict(keys), places))
        if isinstance(found, _ReaderAnswer):
            return found.holding
        log.warning("signatures that cannot be checked", reason=found)
        return ()

    def _answer(self, question: "_ReaderRequest") -> "_ReaderAnswer | str":
        """The answer, or the reason why there is none."""
        with self._turn:
            # Somebody may have ended an old process between two emails, so a new one decides.
            why = ""
            for _ in range(2):
                found = self._ask(question)
                if isinstance(found, _ReaderAnswer):
                    return found
                why = found
                if why == _BY_SIGNAL[signal.SIGPROF]:
                    with suppress(OSError):  # start a new process for the next email
                        self._start()
                    break
        return why

    def _ask(self, question: "_ReaderRequest") -> "_ReaderAnswer | str":
        until = monotonic() + self._patience
        try:
            talk = self._talk or self._start()
            talk.send_bytes(msgspec.msgpack.encode(question))
            if talk.poll(max(0.0, until - monotonic())):
                answer = msgspec.msgpack.decode(talk.recv_bytes(), type=_ReaderAnswer)
                self.peak = max(self.peak, answer.peak)
                if answer.mail.aside == TOO_LARGE:
                    self._stop()
                return answer
        except (EOFError, OSError, msgspec.MsgspecError) as error:
            code = self._ended()
            if code is None or code >= 0:
                self._stop()
                raise NoReader(f"the process that reads emails ended: {error or code}") from error
            self._stop()
            return _BY_SIGNAL.get(signal.Signals(-code), "it ends the process that reads it")
        self._stop()
        raise NoReader(f"the machine has not let an email be read for {self._patience:g} s")


class _ReaderRequest(msgspec.Struct):
    """A request to the process: read an email, or check its signatures."""

    raw: bytes
    keys: dict[str, str] = {}
    places: tuple[int, ...] = ()


class _ReaderAnswer(msgspec.Struct):
    """The process's answer.

    It contains only values, which can do nothing when they are unpacked.
    """

    mail: Mail
    peak: int
    holding: tuple[int, ...] = ()


@cache
def reader() -> Reader:
    """The one reader of this process. It starts with the first email and ends at exit."""
    made = Reader()
    atexit.register(made.close)
    return made


def serve(talk: Connection) -> None:
    """Read emails until the other side closes the connection."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # the default action of this signal ends the process, whatever it is doing
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    with suppress(OSError, ValueError):  # not every system can limit it
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    while True:
        try:
            asked = msgspec.msgpack.decode(talk.recv_bytes(), type=_ReaderRequest)
            signal.setitimer(signal.ITIMER_PROF, WORK)
            found = holding(asked.raw, asked.keys, asked.places)
            mail = Mail() if asked.places else _sendable(read(asked.raw))
            signal.setitimer(signal.ITIMER_PROF, 0)
            talk.send_bytes(msgspec.msgpack.encode(_ReaderAnswer(mail, _peak(), found)))
        except (EOFError, OSError):
            return


def _sendable(mail: Mail) -> Mail:
    """An email in a form that can be encoded: lone surrogates are removed."""
    try:
        msgspec.msgpack.encode(mail)
    except UnicodeEncodeError:
        return replace(Mail(message_id=mail.message_id, sender=mail.sender), trouble="not text")
    return mail


def _peak() -> int:
    """The largest number of bytes of memory that this process has had.

    If the system reports it, it is that of the program alone. `getrusage` may report the number of
    the process from which this one was forked.
    """
    with suppress(OSError), open("/proc/self/status", encoding="ascii") as status:
        for line in status:
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) << 10
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used if sys.platform == "darwin" else used << 10


if __name__ == "__main__":
    serve(Connection(int(sys.argv[1])))
