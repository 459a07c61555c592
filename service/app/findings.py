"""The results of `waybill check` and `waybill doctor`."""

from dataclasses import dataclass

from engine.wording import counted

#: seconds by which two clocks may differ
CLOCK_LIMIT = 120
A_DAY = 86_400


@dataclass(frozen=True)
class Finding:
    """The result of one test."""

    what: str
    good: bool
    text: str
    #: whether the service works in spite of it
    warning: bool = False

    @property
    def sign(self) -> str:
        """The mark of the result: good, to be mended, or a warning."""
        return "ok" if self.good else "!!" if self.warning else "NO"

    def __str__(self) -> str:
        """One line for people: the mark, what was tested, and the result."""
        return f"{self.sign} {self.what}: {self.text}"


def long(seconds: int) -> str:
    """A time in its largest unit, such as "3 hours"."""
    for unit, length in (("day", A_DAY), ("hour", 3600), ("minute", 60)):
        if seconds >= length:
            return counted(seconds // length, unit)
    return counted(max(seconds, 0), "second")


def at_work(beat: int | None, now: int, silence: int) -> bool:
    """Whether the last sign of life, if any, is at most ``silence`` seconds old."""
    return beat is not None and now - beat <= silence
