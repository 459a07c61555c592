"""A process of its own that reads mails in bounds of time and memory; knows no games.

It checks their signatures as well, by keys that are handed to it: it asks nobody.

What parses mails and HTML has been made for honest ones: some kilobytes can keep it busy for
minutes, or grow to gigabytes. Here only its process ends then. It is kept warm, so that reading
an ordinary mail takes no longer than it would in this process.
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

#: seconds of work for a mail; what a person writes takes some thousandths of one
WORK = 1.0
#: bytes of memory that the process may have, its libraries included
MEMORY = 384 << 20
#: seconds by the clock for a mail, and for the start of the process that reads it; a mail can use
#: its seconds of work only, so what takes longer is trouble of the machine and not the mail's fault
PATIENCE = 60.0

_BY_SIGNAL = {
    signal.SIGPROF: f"it takes more than {WORK:g} s to read",
    signal.SIGSEGV: "it ends the process that reads it",
    signal.SIGABRT: "it ends the process that reads it",
    signal.SIGBUS: "it ends the process that reads it",
    signal.SIGKILL: "the process that reads it is killed from outside",
}


class NoReader(Exception):
    """Mails cannot be read now, whatever they are: the process cannot run."""


class Reader(Process):
    """Reads mails in a process that is started with the first of them; never raises for a mail."""

    def __init__(self, patience: float = PATIENCE, module: str = __name__) -> None:
        """``patience`` is in seconds by the clock; ``module`` is what the process runs."""
        super().__init__(patience, module)
        #: bytes of memory that the process has had at most
        self.peak = 0

    def __call__(self, raw: bytes) -> Mail:
        """The mail; one that breaks the bounds has its headers, and says ``aside`` why.

        Raises NoReader if no process can be had.
        """
        found = self._answer(_Question(raw))
        if isinstance(found, _Answer):
            return found.mail
        log.warning("an email breaks the bounds", reason=found)
        return out_of_bounds(read_head(raw), found)

    def holding(
        self, raw: bytes, keys: Mapping[str, str], places: tuple[int, ...]
    ) -> tuple[int, ...]:
        """Which of a mail's signatures hold by these keys; none where that cannot be found out.

        Raises NoReader if no process can be had.
        """
        found = self._answer(_Question(raw, dict(keys), places))
        if isinstance(found, _Answer):
            return found.holding
        log.warning("signatures that cannot be checked", reason=found)
        return ()

    def _answer(self, question: "_Question") -> "_Answer | str":
        """The answer, or why there is none."""
        with self._turn:
            # An old process may have been ended from outside between two mails: a new one decides.
            why = ""
            for _ in range(2):
                found = self._ask(question)
                if isinstance(found, _Answer):
                    return found
                why = found
                if why == _BY_SIGNAL[signal.SIGPROF]:
                    with suppress(OSError):  # warm again for the next mail; it may try once more
                        self._start()
                    break
        return why

    def _ask(self, question: "_Question") -> "_Answer | str":
        until = monotonic() + self._patience
        try:
            talk = self._talk or self._start()
            talk.send_bytes(msgspec.msgpack.encode(question))
            if talk.poll(max(0.0, until - monotonic())):
                answer = msgspec.msgpack.decode(talk.recv_bytes(), type=_Answer)
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


class _Question(msgspec.Struct):
    """What the process is asked: to read a mail, or which of its signatures hold."""

    raw: bytes
    keys: dict[str, str] = {}
    places: tuple[int, ...] = ()


class _Answer(msgspec.Struct):
    """What the process sends: values only, which cannot do anything where they are unpacked."""

    mail: Mail
    peak: int
    holding: tuple[int, ...] = ()


@cache
def reader() -> Reader:
    """The reader of this process, started with the first mail and ended at exit."""
    made = Reader()
    atexit.register(made.close)
    return made


def serve(talk: Connection) -> None:
    """Read mails until nobody sends any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # the default of this signal ends the process, whatever it is doing
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    with suppress(OSError, ValueError):  # not every system can bound it
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    while True:
        try:
            asked = msgspec.msgpack.decode(talk.recv_bytes(), type=_Question)
            signal.setitimer(signal.ITIMER_PROF, WORK)
            found = holding(asked.raw, asked.keys, asked.places)
            mail = Mail() if asked.places else _sendable(read(asked.raw))
            signal.setitimer(signal.ITIMER_PROF, 0)
            talk.send_bytes(msgspec.msgpack.encode(_Answer(mail, _peak(), found)))
        except (EOFError, OSError):
            return


def _sendable(mail: Mail) -> Mail:
    """A mail that can be written down: halves of characters are none of text."""
    try:
        msgspec.msgpack.encode(mail)
    except UnicodeEncodeError:
        return replace(Mail(message_id=mail.message_id, sender=mail.sender), trouble="not text")
    return mail


def _peak() -> int:
    """Bytes of memory that this process has had at most.

    Where the system says it, of the program alone: what `getrusage` tells may be of the process
    that this one was split off from.
    """
    with suppress(OSError), open("/proc/self/status", encoding="ascii") as status:
        for line in status:
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) << 10
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used if sys.platform == "darwin" else used << 10


if __name__ == "__main__":
    serve(Connection(int(sys.argv[1])))
